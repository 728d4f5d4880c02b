"""What the host arranges: seats, options, access and bots."""

import secrets
from typing import Any

from msgspec import Raw

from kaboom.accounts.passwords import slow_hash_of
from kaboom.engine.bots.delays import Pace
from kaboom.engine.codec import to_json
from kaboom.engine.i18n import gettext as _
from kaboom.engine.moves import Seat
from kaboom.engine.options import declared
from kaboom.errors import InvalidState
from kaboom.tables.permissions import (
    require_host,
    require_no_match,
    require_offered_bank,
    require_offered_days,
    require_taken_seat,
)
from kaboom.tables.service import TableService
from kaboom.tables.snapshot import TableSnapshot
from kaboom.tables.table import Hints, Table, Welcome
from kaboom.tables.transaction import TableTransaction


def move_chair(tables: TableService, code: str, player: int, seat: Seat, to: Seat) -> TableSnapshot:
    """Swap the players in two seats before a match.

    Only the host may; raises NotPermitted or InvalidState.
    """

    def work(transaction: TableTransaction) -> None:
        table = transaction.table
        require_host(table, player)
        require_no_match(table)
        chairs = table.chairs
        if not {seat, to} <= set(range(len(chairs))):
            raise InvalidState(_("There is no such seat."))
        chairs[seat], chairs[to] = chairs[to], chairs[seat]

    return tables.change(code, work)


def shuffle_chairs(tables: TableService, code: str, player: int) -> TableSnapshot:
    """Reseat all players at random. Only the host may; raises NotPermitted or InvalidState."""

    def work(transaction: TableTransaction) -> None:
        table = transaction.table
        require_host(table, player)
        require_no_match(table)
        sitting = [occupant for _unused, occupant in table.sitting()]
        secrets.SystemRandom().shuffle(sitting)
        table.chairs = [*sitting, *([None] * len(table.free()))]
        transaction.tell("table.shuffled")

    return tables.change(code, work)


def give_host(tables: TableService, code: str, player: int, seat: Seat) -> TableSnapshot:
    """Make another seated player the host. Only the host may; raises NotPermitted or
    InvalidState.
    """

    def work(transaction: TableTransaction) -> None:
        require_host(transaction.table, player)
        occupant = require_taken_seat(transaction.table, seat)
        if occupant.player is None:
            raise InvalidState(_("A house bot cannot be the host."))
        if occupant.player != transaction.table.host:
            transaction.table.host = occupant.player
            transaction.tell("table.host", who=occupant.name)

    return tables.change(code, work)


def change_options(
    tables: TableService,
    code: str,
    player: int,
    options: Any,
    days: int | None = None,
    bank: int | None = None,
) -> TableSnapshot:
    """Change the options of the next match; every player then has to be ready again.

    `days` is the number of days for each decision (0: live play; None: unchanged), `bank` that of
    each time bank (None: unchanged). Raises InvalidState if more players sit here than the options
    allow: no player is removed. Only the host may; raises NotPermitted otherwise.
    """

    def work(transaction: TableTransaction) -> None:
        table, game = transaction.table, transaction.game
        require_host(table, player)
        require_no_match(table)
        new_days = table.days if days is None else require_offered_days(days)
        new_bank = require_offered_bank(table.bank if bank is None else bank, new_days)
        old = table.options_of(game)
        wished = game.by_days(options) if new_days else options
        changed = [
            option.name
            for option in declared(game.options)
            if getattr(old, option.name) != getattr(wished, option.name)
        ]
        if not changed and (new_days, new_bank) == (table.days, table.bank):
            return
        _set_up_chairs(table, game.seats(wished)[-1])
        table.options = Raw(to_json(wished))
        for _unused, occupant in table.sitting():
            occupant.ready = occupant.bot
        if changed:
            labels = [_label(game.options, name) for name in changed]
            transaction.tell("table.options", labels=labels)
        if new_days != table.days:
            table.days = transaction.columns["days"] = new_days
            for _unused, occupant in table.sitting():
                occupant.vacation = None  # copied again with the next change
            transaction.tell("table.days" if new_days else "table.no_days", days=new_days)
        if new_bank != table.bank:
            table.bank = new_bank
            if new_days:
                transaction.tell("table.bank" if new_bank else "table.no_bank", days=new_bank)

    return tables.change(code, work)


def _set_up_chairs(table: Table, most: int) -> None:
    """Set the number of seats, keeping the order of players; raises InvalidState if there are too
    few.
    """
    sitting = [occupant for _unused, occupant in table.sitting()]
    if len(sitting) > most:
        raise InvalidState(
            _("With these options there are {most} seats, but more people are seated.", most=most)
        )
    if len(table.chairs) > most:
        table.chairs = [*sitting]
    table.chairs += [None] * (most - len(table.chairs))


def change_access(
    tables: TableService,
    code: str,
    player: int,
    listed: bool,
    password: str,
    unlocked: bool = False,
    friends: bool | None = None,
    reliable: bool | None = None,
) -> TableSnapshot:
    """Set whether the table is listed, and its password, if one is given.

    `unlocked` removes the password. With `friends`, the host's friends need no password. With
    `reliable`, players who have left many of their last matches may not sit down. Either is
    unchanged if None. Players who have already been admitted stay. Raises NotPermitted for
    players other than the host, InvalidState for a password that is too long, and RateLimited.
    """
    require_host(tables.get(code).table, player)  # before any work is done for them
    hashed = tables.hash_in_thread(slow_hash_of, password) if password and not unlocked else ""

    def work(transaction: TableTransaction) -> None:
        require_host(transaction.table, player)
        row = transaction.row
        if friends is not None:
            transaction.table.friends = friends
        if reliable is not None and reliable != transaction.table.reliable:
            transaction.table.reliable = reliable
            transaction.tell("table.reliable" if reliable else "table.not_reliable")
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
    tables: TableService,
    code: str,
    player: int,
    pace: Pace,
    hints: Hints,
    banter: bool,
    programs: Welcome = Welcome.PRIVATE,
) -> TableSnapshot:
    """Set the pace of the bots, who may ask for hints, whether bots chat, and whether players' bots
    may sit down; possible at any time. Raises NotPermitted for players other than the host.
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
    """Return an option's label in English, to be translated for each reader."""
    label: str = options.__dataclass_fields__[name].metadata["label"]
    return label
