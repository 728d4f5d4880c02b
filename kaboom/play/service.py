"""In a match: people move, let a bot play for them, return, ask for time, end what is damaged."""

from kaboom.engine.engine import find
from kaboom.engine.i18n import say
from kaboom.engine.moves import CLOCK, Choices, Move, NotOnOffer, Seat, StaleMove
from kaboom.engine.takeback import VERB as TAKE_BACK
from kaboom.errors import InvalidState
from kaboom.tables import premoves, queries
from kaboom.tables.bots import thinking as bots
from kaboom.tables.clock.timers import may_have_more
from kaboom.tables.permissions import (
    require_host,
    require_match,
    require_players_table,
    require_seat,
)
from kaboom.tables.service import Tables
from kaboom.tables.snapshot import TableSnapshot
from kaboom.tables.table import Table
from kaboom.tables.transaction import TableTransaction
from kaboom.web.idempotency.service import Keyed, known, note


def submit(
    tables: Tables,
    code: str,
    player: int,
    move: str,
    token: str,
    cmd: str,
    match: int,
    revision: int,
    keyed: Keyed | None = None,
) -> TableSnapshot:
    """Play a person's move: "bid KS", without the seat, which follows from the player.

    `token` is the offer's, `cmd` the form's command id, `match` and `revision` those of the page. A
    form sent twice is one move, and so is a request by its Idempotency-Key. Raises NotPermitted,
    StaleMove, IdempotencyKeyReused, NotOnOffer or IllegalMove; then nothing has changed.
    """

    def work(transaction: TableTransaction) -> None:
        table = transaction.table
        seat = require_seat(table, player)
        if known(transaction.connection, keyed, transaction.now):
            return
        _require_due(table, match)
        made = Move.parse(f"{seat} {move}")
        own_cmd = f"{seat} {cmd}"  # nobody can use up another's, or the house's
        if _is_made(transaction, own_cmd, made):
            return
        _require_running(table)
        transaction.come_back(seat)
        try:
            with table.acting(seat):
                transaction.play(made, own_cmd, token)
        except NotOnOffer:
            if revision != table.revision(seat):
                raise StaleMove(say("Too late: the table has moved on. Look again.")) from None
            raise
        note(transaction.connection, keyed, transaction.now)
        if seat in table.plans and not table.plans[seat].until:
            del table.plans[seat]
        chair = table.chair(seat)
        chair.done, chair.hint = [], None

    return tables.change(code, work)


def try_move(snapshot: TableSnapshot, move: str, token: str, match: int) -> None:
    """Raise what `submit` would raise for this move of whoever found the table, and do nothing."""
    table = snapshot.table
    seat = require_seat(table, snapshot.player)
    _require_due(table, match)
    made = Move.parse(f"{seat} {move}")
    _require_running(table)
    find(snapshot.game, snapshot.state, made, token, snapshot.position.listeners)


def played_before(tables: Tables, snapshot: TableSnapshot, cmd: str) -> str:
    """Return the move that this command of whoever found the table has made in the match already:
    "bid KS"; nothing if it has made none.
    """
    seat, match_id = snapshot.me, snapshot.table.match_id
    done = tables.database.read(lambda c: queries.move_by_cmd(c, match_id, f"{seat} {cmd}"))
    return done[1].partition(" ")[2] if done else ""


def _require_due(table: Table, match: int) -> None:
    if match != table.match:
        raise StaleMove(say("Too late: that match is over."))


def _require_running(table: Table) -> None:
    if not table.playing:
        raise StaleMove(say("Too late: the match is over."))
    if table.paused:
        raise InvalidState(say("The match is paused. Agree to go on first."))


def take_back(
    tables: Tables,
    code: str,
    player: int,
    number: int,
    cmd: str,
    match: int,
    keyed: Keyed | None = None,
) -> TableSnapshot:
    """Take a player's last move back, or what was decided for them while they were away, if it is
    that one and still can be.

    `cmd` is the form's command id; a form sent twice takes back once. Raises NotPermitted,
    InvalidState, StaleMove, IdempotencyKeyReused or NotOnOffer; then nothing has changed.
    """

    def work(transaction: TableTransaction) -> None:
        table = transaction.table
        seat = require_seat(table, player)
        if known(transaction.connection, keyed, transaction.now):
            return
        _require_due(table, match)
        own_cmd = f"{seat} {cmd}"
        if _is_made(transaction, own_cmd, Move(seat, TAKE_BACK, (str(number),))):
            return
        _require_running(table)
        transaction.come_back(seat)
        with table.acting(seat):
            transaction.take_back(seat, number, own_cmd)
        note(transaction.connection, keyed, transaction.now)

    return tables.change(code, work)


def _is_made(transaction: TableTransaction, own_cmd: str, move: Move) -> bool:
    """Say whether this command has made this move already. Raises StaleMove if it made another."""
    done = queries.move_by_cmd(transaction.connection, transaction.table.match_id, own_cmd)
    if done is not None and done[1] != str(move):
        sentence = say("You have already answered that with another move. Here is the table now.")
        raise StaleMove(sentence)
    return done is not None


def decide_ahead(
    tables: Tables,
    code: str,
    player: int,
    token: str,
    choices: Choices,
    match: int,
    keyed: Keyed | None = None,
) -> TableSnapshot:
    """Keep what a player will do when their turn comes, in place of what they decided before.

    `token` stands for what it answers; an empty one takes it back. Raises NotPermitted,
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


def ask_a_bot(tables: Tables, code: str, player: int) -> TableSnapshot:
    """Tell a player at their turn what a strong bot would do in their place, and the others that
    they asked. It knows what the seat was told, and nothing else. Raises NotPermitted,
    InvalidState, StaleMove.
    """
    seen = tables.look(code)
    seat = require_seat(seen.table, player)
    _require_told(seen, seat)
    hint = bots.hint(tables.database, tables.aside, seen, seat)  # it may take a while
    if hint is None:
        raise InvalidState(say("A bot would not know either."))

    def work(transaction: TableTransaction) -> None:
        table = transaction.table
        chair = table.chair(require_seat(table, player))
        asked = [it.token for it in transaction.position.prompts if it.seat == seat]
        if table.match != seen.table.match or asked != [hint.asked]:  # others may move meanwhile
            raise StaleMove(say("Too late: the table has moved on. Look again."))
        if chair.hint != hint:
            chair.hint = hint
            transaction.tell("table.hint", who=chair.name)

    return tables.change(code, work)


def _require_told(seen: TableSnapshot, seat: Seat) -> None:
    """Raise InvalidState where nobody at that seat is told what a bot would do."""
    require_match(seen.table)
    if seen.game.bot is None:
        raise InvalidState(say("There is no bot for this game."))
    if seen.table.rated:
        raise InvalidState(
            say("This match counts for ratings: nobody is told what a bot would do.")
        )
    if not seen.table.may_ask_a_bot():
        raise InvalidState(say("At this table nobody is told what a bot would do."))
    waits = not (seen.frozen or seen.table.paused)
    if not (waits and bots.needs_thought(seen.game, seen.prompts[seat])):
        raise InvalidState(say("You can ask that when it is your turn."))


def play_hosts_move(tables: Tables, code: str, player: int, move: str, match: int) -> TableSnapshot:
    """Play a move of the house that the game lets the host ask for: "fix_rounds 2".

    Raises NotPermitted for anyone but the host, else InvalidState, StaleMove, NotOnOffer or
    IllegalMove.
    """

    def work(transaction: TableTransaction) -> None:
        table = transaction.table
        require_host(table, player)
        require_match(table)
        _require_due(table, match)
        made = Move.parse(f"{CLOCK} {move}")
        if made.verb not in transaction.game.hosts:
            raise NotOnOffer(say("That cannot be done now."))
        transaction.play(made, f"house {table.seq + 1}")

    return tables.change(code, work)


def hand_over(tables: Tables, code: str, player: int) -> TableSnapshot:
    """Let a bot play for a player until they take over again. Raises NotPermitted or InvalidState.

    The bot knows what the seat was told, and nothing else.
    """

    def work(transaction: TableTransaction) -> None:
        chair = transaction.table.chair(require_seat(transaction.table, player))
        if not transaction.table.pod:
            require_players_table(transaction.table)
        require_match(transaction.table)
        if not chair.stand_in:
            chair.stand_in = True
            transaction.tell("table.handed", who=chair.name)

    return tables.change(code, work)


def take_over(tables: Tables, code: str, player: int) -> TableSnapshot:
    """Let a player who left, or for whom a bot played, take over again. Raises NotPermitted or
    InvalidState.
    """

    def work(transaction: TableTransaction) -> None:
        seat = require_seat(transaction.table, player)
        require_match(transaction.table)
        transaction.come_back(seat)

    return tables.change(code, work)


def more_time(tables: Tables, code: str, player: int) -> TableSnapshot:
    """Give everybody the same time again for the decisions now timed; once per decision.

    Anyone seated may ask, whether or not it is their decision, so that asking gives nothing
    away. Raises NotPermitted or InvalidState.
    """

    def work(transaction: TableTransaction) -> None:
        table = transaction.table
        chair = table.chair(require_seat(table, player))
        timers = [timer for timer in table.timers.values() if may_have_more(timer)]
        if not timers:
            raise InvalidState(say("You cannot get more time for this."))
        for timer in timers:
            timer.more = True
            if timer.due is not None:
                timer.due += timer.given
            if timer.left is not None:
                timer.left += timer.given
        transaction.tell("table.more", who=chair.name)

    return tables.change(code, work)


def end_frozen(tables: Tables, code: str, player: int) -> TableSnapshot:
    """End a match that cannot go on, without a result; anyone seated there may.

    Raises NotPermitted or InvalidState.
    """

    def work(transaction: TableTransaction) -> None:
        require_seat(transaction.table, player)
        if not transaction.frozen:
            raise InvalidState(say("That cannot be done now."))
        transaction.stop()

    return tables.change(code, work)
