"""Bots' decisions: their memory and their move."""

from collections.abc import Callable, Iterable
from typing import Any

from msgspec import Raw
from sqlalchemy import Connection

from kaboom.db.database import Database
from kaboom.engine.codec import from_json, to_json
from kaboom.engine.continued_match import Origin, begun, listen, memory_at_start
from kaboom.engine.engine import random_move
from kaboom.engine.game import Game
from kaboom.engine.moves import Move, Seat
from kaboom.engine.rng import Rng
from kaboom.engine.views import Prompt
from kaboom.tables import queries
from kaboom.tables.bot_runner.memory import memory_of, remembers
from kaboom.tables.clock.timer_kinds import CorrespondenceTimer, Reaction, Thinking
from kaboom.tables.snapshot import TableSnapshot
from kaboom.tables.table import LOG_LINES, Done, Timer
from kaboom.tables.transaction import TableTransaction


def think(
    database: Database,
    run_in_thread: Callable[..., Any],
    seen: TableSnapshot,
    what: Thinking | Reaction | CorrespondenceTimer,
) -> tuple[Raw | None, Move | None]:
    """Return the rebuilt memory of a bot, if any, and its move, or None if it passes.

    `what` is a bot's decision that is due, or the timeout of a player in correspondence play.

    A bot that has just taken over a player's seat first rebuilds its memory from what that seat
    saw, according to the log. The slow work is done by `run_in_thread`.
    """
    memory, seat, bot = None, what.seat, seen.game.bot
    if bot is not None and memory_of(seen.table, seen.game, seat) is None:
        if remembers(seen.table, seen.game, seat):
            memory = run_in_thread(remembered, seen, *origin_and_moves(database, seen), seat)
        else:
            memory = Raw(to_json(bot.memory()))
    return memory, run_in_thread(_thought, seen, what, memory)


def needs_thought(game: Game[Any], own: Prompt) -> bool:
    """Return True if the table is waiting for a decision of this seat that needs thought."""
    return any(offer.blocks and offer.verb not in game.quick for offer in own.offers)


def origin_and_moves(database: Database, seen: TableSnapshot) -> tuple[Origin | None, list[str]]:
    """Return the origin of a table's match, if it continues another one, and its moves so far."""
    match_id = seen.table.match_id

    def read(connection: Connection) -> tuple[Origin | None, list[str]]:
        match = queries.match(connection, match_id) if seen.table.origin else None
        log = queries.log(connection, match_id)
        return match and match.origin, [row.text for row in log if row.seq <= seen.table.seq]

    return database.read(read)


def remembered(
    snapshot: TableSnapshot, origin: Origin | None, moves: Iterable[str], seat: Seat
) -> Raw:
    """Return the memory of a bot as if it had held the seat since the deal, or since the deal of
    the match that this one continues.

    The match is replayed from its log. The memory holds only what the seat saw, without moves
    that were taken back.
    """
    table, game, key = snapshot.table, snapshot.game, snapshot.key
    assert key is not None
    options = table.options_of(game)
    seats, board = len(table.seats), bool(table.board)
    memory = memory_at_start(game, seats, options, key, board, origin, seat)
    state = begun(game, seats, options, key, board, origin).state
    return Raw(to_json(listen(game, memory, state, key, moves, seat)))


def _thought(
    snapshot: TableSnapshot, what: Thinking | Reaction | CorrespondenceTimer, fresh: Raw | None
) -> Move | None:
    """Return a bot's move, or None if it passes.

    `fresh` is its memory when the table has none for it yet.
    """
    table, game, seat = snapshot.table, snapshot.game, what.seat
    turn, race = snapshot.prompts[seat].parted()
    races = isinstance(what, Reaction)
    own, purpose = (race, f"race {seat}") if races else (turn, f"bot {seat}")
    assert snapshot.key is not None
    # On a shared deal, a bot's random numbers depend on its prompt, so that identical play gives
    # identical results.
    number = own.token if table.board else table.seq + 1
    rng = Rng(snapshot.key, number, purpose)
    move = None
    if game.bot is not None:
        memory = memory_of(table, game, seat)
        if fresh is not None:
            memory = from_json(bytes(fresh), game.bot.memory)
        move = game.bot.choose(memory, snapshot.position.view(seat), own, rng, table.level(seat))
    if move is None and own.waited_for:
        move = random_move(game, snapshot.state, seat, rng)
    return move


def play(
    transaction: TableTransaction,
    seen: TableSnapshot,
    what: Thinking | Reaction,
    memory: Raw | None,
    move: Move | None,
) -> None:
    """Apply the memory and the move that think() returned for the snapshot `seen`."""
    table = transaction.table
    if memory is not None:
        table.memories[what.seat] = memory
    if move is None:
        table.timers[str(what)] = Timer(0.0)  # spent until the bot's prompt changes
    else:
        del table.timers[str(what)]
        if table.occupant(what.seat).stand_in:
            note(transaction, seen, move)
        transaction.play(move, f"bot {table.seq + 1}")


def note(transaction: TableTransaction, seen: TableSnapshot, move: Move) -> None:
    """Store a bot's move on the seat of the absent player for whom it was made."""
    occupant = transaction.table.occupant(move.seat)
    occupant.done = [*occupant.done, done_of(seen.prompts[move.seat], move)][-LOG_LINES:]


def done_of(own: Prompt, move: Move) -> Done:
    """Return a move together with what its prompt was about, to be put into words later."""
    offer = own.offer(move.verb)
    return Done(move.verb, move.choices, offer.about if offer else "")
