"""How bots think: what a bot remembers, what it decides, and how long it seems to take."""

from collections.abc import Callable, Iterable
from typing import Any

from msgspec import Raw

from kaboom.db.database import Database
from kaboom.engine.bots.bot import Level
from kaboom.engine.bots.delays import reaction, thinking
from kaboom.engine.bots.names import TEMPERS, Temper, character
from kaboom.engine.codec import from_json, to_json
from kaboom.engine.engine import random_move, start
from kaboom.engine.game import Game
from kaboom.engine.log_replay import Course
from kaboom.engine.moves import Move, Seat
from kaboom.engine.play import Event
from kaboom.engine.rng import Chance
from kaboom.engine.takeback import standing
from kaboom.engine.views import Prompt
from kaboom.tables import queries
from kaboom.tables.bots.memory import memory_of, remembers
from kaboom.tables.clock.due import DayClock, Reaction, Thinking
from kaboom.tables.snapshot import TableSnapshot
from kaboom.tables.table import LOG_LINES, Done, Hint, Table, Timer
from kaboom.tables.transaction import TableTransaction


def think(
    database: Database,
    aside: Callable[..., Any],
    seen: TableSnapshot,
    what: Thinking | Reaction | DayClock,
) -> tuple[Raw | None, Move | None]:
    """Return the move of a bot whose time is over (None: it lets the chance go by), or that of one
    for a person whose days are over.

    A bot that has just been given somebody's seat first goes through the log for what that seat
    heard; its memory is then returned too. The long work is done `aside`.
    """
    memory, seat, bot = None, what.seat, seen.game.bot
    if bot is not None and memory_of(seen.table, seen.game, seat) is None:
        if remembers(seen.table, seen.game, seat):
            memory = aside(remembered, seen, _moves(database, seen), seat)
        else:
            memory = Raw(to_json(bot.memory()))
    return memory, aside(_thought, seen, what, memory)


def hint(
    database: Database, aside: Callable[..., Any], seen: TableSnapshot, seat: Seat
) -> Hint | None:
    """Return what a strong bot would do for a seat that plays itself, and why; None if nothing.

    It has heard what that seat heard; the long work is done `aside`.
    """
    memory = aside(remembered, seen, _moves(database, seen), seat)
    found: Hint | None = aside(_hint, seen, seat, memory)
    return found


def needs_thought(game: Game[Any], own: Prompt) -> bool:
    """Say whether the table waits for something of a seat that a bot would think about."""
    return any(offer.blocks and offer.verb not in game.quick for offer in own.offers)


def _moves(database: Database, seen: TableSnapshot) -> list[str]:
    match_id = seen.table.match_id
    rows = database.read(lambda connection: queries.log(connection, match_id))
    return [row.text for row in rows if row.seq <= seen.table.seq]


def _hint(snapshot: TableSnapshot, seat: Seat, memory: Raw) -> Hint | None:
    game, own = snapshot.game, snapshot.prompts[seat]
    assert game.bot is not None
    assert snapshot.key is not None
    chance = Chance(snapshot.key, snapshot.table.seq + 1, f"hint {seat}")
    known = from_json(bytes(memory), game.bot.memory)
    view = snapshot.position.view(seat)
    thought = next(iter(game.bot.weigh(known, view, own, chance, Level.HARD)), None)
    if thought is None or thought.move is None:
        return None
    return Hint(own.token, done_of(own, thought.move), thought.reason)


def remembered(snapshot: TableSnapshot, moves: Iterable[str], seat: Seat) -> Raw:
    """Return the memory of a bot that had sat there since the deal.

    It goes through the match by its log and notices what the seat heard, nothing else; nothing of
    what was taken back.
    """
    table, game = snapshot.table, snapshot.game
    bot = game.bot
    assert bot is not None
    assert snapshot.key is not None
    memory = bot.memory()
    options = from_json(bytes(table.options), game.options)

    def notice(events: Iterable[Event]) -> None:
        for event in events:
            if event.heard_by(seat):
                bot.notice(memory, event, seat)

    dealt = start(game, len(table.seats), options, snapshot.key, bool(table.board))
    notice(dealt.events)
    course = Course(game, dealt.state, snapshot.key)
    for number, text in standing(moves):
        course.number = number - 1
        notice(course.play(text)[1].events)
    return Raw(to_json(memory))


def _thought(
    snapshot: TableSnapshot, what: Thinking | Reaction | DayClock, fresh: Raw | None
) -> Move | None:
    """Return a bot's move, or None when it lets the chance go by.

    `fresh` is its memory when the table has none for it yet.
    """
    table, game, seat = snapshot.table, snapshot.game, what.seat
    turn, race = snapshot.prompts[seat].parted()
    races = isinstance(what, Reaction)
    own, purpose = (race, f"race {seat}") if races else (turn, f"bot {seat}")
    assert snapshot.key is not None
    # On a board a bot's thoughts hang on what it is asked: equal play leads to an equal result.
    number = own.token if table.board else table.seq + 1
    chance = Chance(snapshot.key, number, purpose)
    move = None
    if game.bot is not None:
        memory = memory_of(table, game, seat)
        if fresh is not None:
            memory = from_json(bytes(fresh), game.bot.memory)
        move = game.bot.choose(memory, snapshot.position.view(seat), own, chance, table.level(seat))
    if move is None and own.waited_for:
        move = random_move(game, snapshot.state, seat, chance)
    return move


def play(
    transaction: TableTransaction,
    seen: TableSnapshot,
    what: Thinking | Reaction,
    memory: Raw | None,
    move: Move | None,
) -> None:
    """Do what think() returned for a table as it was seen."""
    table = transaction.table
    if memory is not None:
        table.memories[what.seat] = memory
    if move is None:
        table.timers[str(what)] = Timer(0.0)  # spent: not asked again until its prompt changes
    else:
        del table.timers[str(what)]
        _note(transaction, seen, move)
        transaction.play(move, f"bot {table.seq + 1}")


def _note(transaction: TableTransaction, seen: TableSnapshot, move: Move) -> None:
    """Keep a bot's move for the person in whose name it was made, if any."""
    chair = transaction.table.chair(move.seat)
    if chair.stand_in:
        chair.done = [*chair.done, done_of(seen.prompts[move.seat], move)][-LOG_LINES:]


def done_of(own: Prompt, move: Move) -> Done:
    """Return a move as it is put into words later: with what was asked."""
    offer = own.offer(move.verb)
    return Done(move.verb, move.choices, offer.about if offer else "")


def pace(transaction: TableTransaction, own: Prompt, race: bool) -> float:
    """Return the seconds a bot takes for what it is asked (kaboom.engine.bots.delays)."""
    table, quick = transaction.table, transaction.game.quick
    temper, chance = _temper(table, own.seat), _dice(transaction, f"pace {own.seat}")
    alone, look = not table.people(), transaction.game.to_be_seen(transaction.state)
    return thinking(table.pace, own, race, quick, temper, chance, alone, look)


def reacts(transaction: TableTransaction, seat: Seat) -> float | None:
    """Return the seconds until a bot notices a race; None if it misses it."""
    table, chance = transaction.table, _dice(transaction, f"reaction {seat}")
    return reaction(table.level(seat), _temper(table, seat), chance)


def _dice(transaction: TableTransaction, purpose: str) -> Chance:
    assert transaction.key is not None
    return Chance(transaction.key, transaction.table.seq, purpose)


def _temper(table: Table, seat: Seat) -> Temper:
    """Return how somebody of the house plays; in a person's place, as anybody would."""
    chair = table.chair(seat)
    known = character(chair.name) if chair.bot else None
    return TEMPERS[known.way] if known else Temper()
