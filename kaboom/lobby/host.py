"""What the host arranges: who sits where, the options, who finds the table and who watches."""

import secrets
from typing import Any

from msgspec import Raw

from kaboom.accounts.passwords import slow_hash_of
from kaboom.engine.bots.delays import Pace
from kaboom.engine.codec import from_json, to_json
from kaboom.engine.i18n import say
from kaboom.engine.moves import Seat
from kaboom.engine.options import declared
from kaboom.errors import InvalidState
from kaboom.tables.permissions import (
    require_host,
    require_no_match,
    require_offered_days,
    require_taken_seat,
)
from kaboom.tables.service import Tables
from kaboom.tables.snapshot import TableSnapshot
from kaboom.tables.table import Hints, Table, Welcome
from kaboom.tables.transaction import TableTransaction


def move_chair(tables: Tables, code: str, player: int, seat: Seat, to: Seat) -> TableSnapshot:
    """Swap two chairs before a match, along with anyone sitting on them.

    The host only. Raises NotPermitted or InvalidState.
    """

    def work(transaction: TableTransaction) -> None:
        table = transaction.table
        require_host(table, player)
        require_no_match(table)
        chairs = table.chairs
        if not {seat, to} <= set(range(len(chairs))):
            raise InvalidState(say("There is no such chair."))
        chairs[seat], chairs[to] = chairs[to], chairs[seat]

    return tables.change(code, work)


def shuffle_chairs(tables: Tables, code: str, player: int) -> TableSnapshot:
    """Seat everyone again at random; the host only. Raises NotPermitted or InvalidState."""

    def work(transaction: TableTransaction) -> None:
        table = transaction.table
        require_host(table, player)
        require_no_match(table)
        sitting = [chair for _, chair in table.sitting()]
        secrets.SystemRandom().shuffle(sitting)
        table.chairs = [*sitting, *([None] * len(table.free()))]
        transaction.tell("table.shuffled")

    return tables.change(code, work)


def give_host(tables: Tables, code: str, player: int, seat: Seat) -> TableSnapshot:
    """Make somebody else who sits here the host; the host only. Raises NotPermitted or
    InvalidState.
    """

    def work(transaction: TableTransaction) -> None:
        require_host(transaction.table, player)
        chair = require_taken_seat(transaction.table, seat)
        if chair.player is None:
            raise InvalidState(say("The house cannot be the host."))
        if chair.player != transaction.table.host:
            transaction.table.host = chair.player
            transaction.tell("table.host", who=chair.name)

    return tables.change(code, work)


def change_options(
    tables: Tables, code: str, player: int, options: Any, days: int | None = None
) -> TableSnapshot:
    """Change the options of the next match; everybody then has to be ready again. `days` are those
    for each decision (0: it is played in one go; None: as it was).

    If the game then has fewer chairs than people, nobody is sent away: InvalidState is raised. The
    host only: NotPermitted.
    """

    def work(transaction: TableTransaction) -> None:
        table, game = transaction.table, transaction.game
        require_host(table, player)
        require_no_match(table)
        new_days = table.days if days is None else require_offered_days(days)
        old = from_json(bytes(table.options), game.options)
        wished = game.by_days(options) if new_days else options
        changed = [
            option.name
            for option in declared(game.options)
            if getattr(old, option.name) != getattr(wished, option.name)
        ]
        if not changed and new_days == table.days:
            return
        _set_up_chairs(table, game.seats(wished)[-1])
        table.options = Raw(to_json(wished))
        for _, chair in table.sitting():
            chair.ready = chair.bot
        if changed:
            labels = [_label(game.options, name) for name in changed]
            transaction.tell("table.options", labels=labels)
        if new_days != table.days:
            table.days = transaction.columns["days"] = new_days
            for _, chair in table.sitting():
                chair.vacation = None  # noted afresh with the next change
            transaction.tell("table.days" if new_days else "table.no_days", days=new_days)

    return tables.change(code, work)


def _set_up_chairs(table: Table, most: int) -> None:
    """Have so many chairs, whoever sits there in the same order; raises InvalidState if more do."""
    sitting = [chair for _, chair in table.sitting()]
    if len(sitting) > most:
        raise InvalidState(
            say("With these options there are {most} chairs, but more people sit here.", most=most)
        )
    if len(table.chairs) > most:
        table.chairs = [*sitting]
    table.chairs += [None] * (most - len(table.chairs))


def change_access(
    tables: Tables,
    code: str,
    player: int,
    listed: bool,
    password: str,
    unlocked: bool = False,
    friends: bool | None = None,
) -> TableSnapshot:
    """Set who finds the table, and who gets in: by a new password, if one is given.

    `unlocked` removes the password; `friends`: those of the host need none (None: as it was).
    Anyone already let in stays. The host only: NotPermitted. Raises InvalidState for a password
    that is too long, and RateLimited.
    """
    require_host(tables.look(code).table, player)  # before any work is done for them
    hashed = tables.hash_aside(slow_hash_of, password) if password and not unlocked else ""

    def work(transaction: TableTransaction) -> None:
        require_host(transaction.table, player)
        row = transaction.row
        if friends is not None:
            transaction.table.friends = friends
        if listed != row.listed:
            transaction.columns["listed"] = listed
            transaction.tell("table.listed" if listed else "table.unlisted")
        if unlocked and row.password:
            transaction.columns["password"] = ""
            transaction.tell("table.unlocked")
        elif hashed:
            transaction.columns["password"] = hashed
            transaction.tell("table.locked")

    return tables.change(code, work)


def arrange_bots(
    tables: Tables,
    code: str,
    player: int,
    pace: Pace,
    hints: Hints,
    banter: bool,
    programs: Welcome = Welcome.PRIVATE,
) -> TableSnapshot:
    """Set how fast the bots play, who may ask what one would do, whether they say a phrase now and
    then, and whether bots of players may sit down; at any time. The host only: NotPermitted.
    """

    def work(transaction: TableTransaction) -> None:
        table = transaction.table
        require_host(table, player)
        if table.pace != pace:
            table.pace = pace
            transaction.tell("table.pace", pace=pace)
        if table.hints != hints:
            table.hints = hints
            transaction.tell(f"table.hints_{hints}")
        if table.programs != programs:
            table.programs = programs
            transaction.tell(f"table.programs_{programs}")
        table.banter = banter

    return tables.change(code, work)


def _label(options: type[Any], name: str) -> str:
    """Return an option's label as it is written, to be said in each reader's language."""
    label: str = options.__dataclass_fields__[name].metadata["label"]
    return label
