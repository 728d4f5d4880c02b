"""What players do during a match: move, hand over to a bot and return, ask for time, end a damaged
match.
"""

from kaboom.db import traces
from kaboom.engine.engine import find
from kaboom.engine.i18n import gettext as _
from kaboom.engine.moves import CLOCK, Choices, Move, NotOnOffer, Seat, StaleMove
from kaboom.engine.takeback import VERB as TAKE_BACK
from kaboom.errors import InvalidState
from kaboom.tables import premoves
from kaboom.tables.clock.decision_durations import thought_on
from kaboom.tables.clock.timers import may_have_more
from kaboom.tables.permissions import (
    require_host,
    require_match,
    require_players_table,
    require_seat,
)
from kaboom.tables.repeated_moves import is_repeated, own_command
from kaboom.tables.seats import bots
from kaboom.tables.service import TableService
from kaboom.tables.snapshot import TableSnapshot
from kaboom.tables.table import Table
from kaboom.tables.transaction import TableTransaction
from kaboom.web.idempotency.service import Keyed, known, note


def submit(
    tables: TableService,
    code: str,
    player: int,
    move: str,
    token: str,
    cmd: str,
    match: int,
    revision: int,
    keyed: Keyed | None = None,
) -> TableSnapshot:
    """Play a player's move, such as "bid KS", without the seat, which the player determines.

    `token` is the offer's, `cmd` the form's command id, `match` and `revision` those of the page. A
    form sent twice counts as one move, and so does a request repeated with the same
    Idempotency-Key. Raises NotPermitted, StaleMove, IdempotencyKeyReused, NotOnOffer or
    IllegalMove, and then changes nothing.
    """

    def work(transaction: TableTransaction) -> None:
        table = transaction.table
        seat = require_seat(table, player)
        # 1. A form or a request that was sent before changes nothing.
        if known(transaction.connection, keyed, transaction.now):
            return
        _require_due(table, match)
        made, command = Move.parse(f"{seat} {move}"), own_command(seat, cmd)
        if is_repeated(transaction, command, made):
            return
        # 2. The player is present, and has thought until now.
        _require_running(table)
        transaction.come_back(seat)
        _note_thinking(table, seat, transaction.now)
        # 3. The move is played.
        try:
            with table.acting(seat):
                transaction.play(made, command, token)
        except NotOnOffer:
            if revision != table.revision(seat):
                raise StaleMove(_("Too late: the table has moved on. Look again.")) from None
            raise
        note(transaction.connection, keyed, transaction.now)
        # 4. What helped with this decision is over.
        _clear_aids(table, seat)

    with traces.span("move") as span:
        snapshot = tables.change(code, work)
        if span is not None:
            span.set_attribute("kaboom.game", snapshot.game.key)
        return snapshot


def _note_thinking(table: Table, seat: Seat, now: float) -> None:
    """Add the time of this decision to the player's thinking time; not in correspondence play."""
    if not table.days:
        table.thought = thought_on(table.thought, seat, table.turns.get(seat), now)


def _clear_aids(table: Table, seat: Seat) -> None:
    """Discard a player's premove for this turn, their hint, and what a bot did for them."""
    if seat in table.plans and not table.plans[seat].until:
        del table.plans[seat]
    occupant = table.occupant(seat)
    occupant.done, occupant.hint = [], None


def try_move(snapshot: TableSnapshot, move: str, token: str, match: int) -> None:
    """Validate a move as `submit` would, without making it."""
    table = snapshot.table
    seat = require_seat(table, snapshot.player)
    _require_due(table, match)
    made = Move.parse(f"{seat} {move}")
    _require_running(table)
    find(snapshot.game, snapshot.state, made, token, snapshot.position.listeners)


def _require_due(table: Table, match: int) -> None:
    if match != table.match:
        raise StaleMove(_("Too late: that match is over."))


def _require_running(table: Table) -> None:
    if not table.playing:
        raise StaleMove(_("Too late: the match is over."))
    if table.paused:
        raise InvalidState(_("The match is paused. Agree to resume it first."))


def take_back(
    tables: TableService,
    code: str,
    player: int,
    number: int,
    cmd: str,
    match: int,
    keyed: Keyed | None = None,
) -> TableSnapshot:
    """Take back a player's last move, or the decision made for them while they were absent, if it
    has this number in the log and can still be taken back.

    `cmd` is the form's command id; a form sent twice takes back only once. Raises NotPermitted,
    InvalidState, StaleMove, IdempotencyKeyReused or NotOnOffer, and then changes nothing.
    """

    def work(transaction: TableTransaction) -> None:
        table = transaction.table
        seat = require_seat(table, player)
        if known(transaction.connection, keyed, transaction.now):
            return
        _require_due(table, match)
        command = own_command(seat, cmd)
        if is_repeated(transaction, command, Move(seat, TAKE_BACK, (str(number),))):
            return
        _require_running(table)
        transaction.come_back(seat)
        with table.acting(seat):
            transaction.take_back(seat, number, command)
        note(transaction.connection, keyed, transaction.now)

    return tables.change(code, work)


def decide_ahead(
    tables: TableService,
    code: str,
    player: int,
    token: str,
    choices: Choices,
    match: int,
    keyed: Keyed | None = None,
) -> TableSnapshot:
    """Store what a player will do on their turn, replacing an earlier premove.

    `token` is that of the premove on offer; an empty one cancels the premove. Raises NotPermitted,
    InvalidState, StaleMove, IdempotencyKeyReused or NotOnOffer.
    """

    def work(transaction: TableTransaction) -> None:
        table = transaction.table
        seat = require_seat(table, player)
        if known(transaction.connection, keyed, transaction.now):
            return
        require_match(table)
        _require_due(table, match)
        if token:
            premoves.plan(transaction, seat, token, choices)
        else:
            table.plans.pop(seat, None)
        note(transaction.connection, keyed, transaction.now)

    return tables.change(code, work)


def play_hosts_move(
    tables: TableService, code: str, player: int, move: str, match: int
) -> TableSnapshot:
    """Play a move of the game that only the host may make, such as "fix_rounds 2". Raises
    NotPermitted for other players, otherwise InvalidState, StaleMove, NotOnOffer or IllegalMove.
    """

    def work(transaction: TableTransaction) -> None:
        table = transaction.table
        require_host(table, player)
        require_match(table)
        _require_due(table, match)
        made = Move.parse(f"{CLOCK} {move}")
        if made.verb not in transaction.game.hosts:
            raise NotOnOffer(_("There is no such action."))
        transaction.play(made, f"house {table.seq + 1}")

    return tables.change(code, work)


def start_stand_in(tables: TableService, code: str, player: int) -> TableSnapshot:
    """Let a bot play for a player until they take over again. Raises NotPermitted or
    InvalidState.
    """

    def work(transaction: TableTransaction) -> None:
        table = transaction.table
        seat = require_seat(table, player)
        if not table.pod:
            require_players_table(table)
        require_match(table)
        if not table.occupant(seat).stand_in:
            bots.start_stand_in(transaction, seat, "table.handed")

    return tables.change(code, work)


def end_stand_in(tables: TableService, code: str, player: int) -> TableSnapshot:
    """Return a seat to the player who left it or handed it to a bot. Raises NotPermitted or
    InvalidState.
    """

    def work(transaction: TableTransaction) -> None:
        seat = require_seat(transaction.table, player)
        require_match(transaction.table)
        transaction.come_back(seat)

    return tables.change(code, work)


def more_time(tables: TableService, code: str, player: int) -> TableSnapshot:
    """Extend the clocks of the current decisions by the time they were first given, once per
    decision.

    Any seated player may ask, whether or not the decision is theirs, so that asking reveals
    nothing. Raises NotPermitted or InvalidState.
    """

    def work(transaction: TableTransaction) -> None:
        table = transaction.table
        occupant = table.occupant(require_seat(table, player))
        timers = [timer for timer in table.timers.values() if may_have_more(timer)]
        if not timers:
            raise InvalidState(_("You cannot get more time for this."))
        for timer in timers:
            timer.more = True
            if timer.due is not None:
                timer.due += timer.given
            if timer.left is not None:
                timer.left += timer.given
        transaction.tell("table.more", who=occupant.name)

    return tables.change(code, work)


def end_frozen(tables: TableService, code: str, player: int) -> TableSnapshot:
    """End a damaged match without a result; any seated player may do so.

    Raises NotPermitted or InvalidState.
    """

    def work(transaction: TableTransaction) -> None:
        require_seat(transaction.table, player)
        if not transaction.frozen:
            raise InvalidState(_("This match is not damaged, so it can continue."))
        transaction.stop()

    return tables.change(code, work)
