"""Finds puzzles: positions from matches between bots in which a few moves are clearly the best.

Each position is first tried in a few deals, after which most are rejected. The others are judged
twice, each time in 400 deals with a different seed, and both results must agree. Moves that are
clearly bad are dropped early.
"""

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from kaboom.engine.bots.analysis import (
    Choice,
    MoveValue,
    analysis_of,
    candidates,
    judging,
)
from kaboom.engine.bots.bot import HUNDRED, Level
from kaboom.engine.bots.evaluate import MOST_MOVES, Match, Player
from kaboom.engine.codec import copied
from kaboom.engine.engine import prompt, prompts
from kaboom.engine.game import Game
from kaboom.engine.moves import Seat
from kaboom.engine.rng import SEED_BYTES, Rng
from kaboom.engine.views import Saying
from kaboom.puzzles.book import BETWEEN, Kind, Puzzle, Value, kind_of, strength_of, text_of

DEALS = 400
MOST = 12  # candidate moves
# By the number of deals so far: the standard errors by which wrong moves must be behind.
HURDLES = {16: 1.0, 64: 2.0, 160: 2.6, DEALS: 3.3}
GIVEN_UP = 5.0  # standard errors after which a move is dropped
CLEARER = 2  # wrong moves are at least this many times as far behind as correct ones
LOOKED_AT = 0.4  # share of the positions of a match
TRIES = 10  # bots per level that try to solve it
EACH_MATCH = 2  # puzzles per match
EARLY = 0.25  # share of a match's first positions that are skipped
MOST_OF_A_THEME = 0.6  # share of all puzzles of a game
MOST_OF_A_STRENGTH = 0.6
MOST_OF_A_KIND = 0.2  # the same theme, action and strength
DIGITS = 10  # length of an id


@dataclass
class Wanted:
    """The puzzles still needed: the total, with limits per theme, per strength and per kind."""

    count: int
    themes: Counter[str] = field(default_factory=Counter)
    strengths: Counter[str] = field(default_factory=Counter)
    kinds: Counter[Kind] = field(default_factory=Counter)

    @classmethod
    def beside(cls, count: int, there: Iterable[Puzzle]) -> "Wanted":
        """Return the puzzles needed in addition to the existing ones."""
        wanted = cls(count)
        for puzzle in there:
            wanted.add(puzzle)
        return wanted

    def add(self, puzzle: Puzzle) -> None:
        """Count a puzzle as found."""
        self.themes[puzzle.theme] += 1
        self.strengths[puzzle.strength] += 1
        self.kinds[puzzle.kind] += 1

    @property
    def done(self) -> bool:
        """Return True if there are enough puzzles."""
        return self.themes.total() >= self.count

    def takes(self, kind: Kind) -> bool:
        """Return True if there are not yet too many puzzles like this one."""
        return (
            self.themes[kind.theme] < self.count * MOST_OF_A_THEME
            and self.strengths[kind.strength] < self.count * MOST_OF_A_STRENGTH
            and self.kinds[kind] < self.count * MOST_OF_A_KIND
        )


def accepted(values: Sequence[MoveValue], errors: float, least: float) -> int:
    """Return the number of correct moves, which come first, or 0 if the position makes no puzzle.

    It is the smallest number such that all other moves are clearly worse. They must be behind by
    `errors` standard errors and by at least `least` in the game's unit.
    """
    for count in range(1, max(1, len(values) // 2) + 1):
        right, wrong = values[:count], values[count:]
        if not wrong:
            return 0
        far = max(least, CLEARER * max(it.behind for it in right))
        if all(it.as_good for it in right) and all(
            it.errors >= errors and it.behind >= far for it in wrong
        ):
            return count
    return 0


def mined(
    game: Game[Any], seats: int, values: dict[str, Any], numbers: Iterable[int], wanted: Wanted
) -> Iterator[Puzzle]:
    """Yield the puzzles of the matches with these numbers, until enough are found."""
    for number in numbers:
        in_match = 0
        for position in _positions(game, seats, values, number):
            puzzle = _puzzle(position, wanted)
            if puzzle is not None:
                wanted.add(puzzle)
                yield puzzle
                in_match += 1
            if wanted.done:
                return
            if in_match >= EACH_MATCH:
                break


@dataclass(frozen=True)
class _Position:
    game: Game[Any]
    values: dict[str, Any]
    number: int  # the number of the match
    log: Sequence[str]
    state: Any
    seat: Seat
    memory: Any
    moves: Sequence[Choice]


def _positions(
    game: Game[Any], seats: int, values: dict[str, Any], number: int
) -> Iterator[_Position]:
    """Yield the most promising decisions in a match between normal bots, except the earliest.

    Those where a hard bot disagrees with a normal one come first, then those where the best move
    seems furthest ahead.
    """
    key = number.to_bytes(SEED_BYTES, "big")
    assert game.bot is not None
    players = [Player(game.bot, Level.NORMAL)] * seats
    match = Match(game, players, game.options(**values), key)
    found: list[tuple[bool, float, _Position]] = []
    while game.outcome(match.state) is None and match.number < MOST_MOVES:
        asked = prompts(game.listeners(match.state), seats)
        turns = [it for it in asked if _has_to_think(game, it)]
        if turns:
            own = turns[number % len(turns)]
            memory = copied(match.memories[own.seat])
            moves = candidates(game, match.state, own.seat, memory, Rng(key, 0, "puzzle"), MOST + 1)
            if _asks(moves):
                log = list(match.log)
                at = _Position(
                    game, values, number, log, copied(match.state), own.seat, memory, moves
                )
                found.append((*_promise(at), at))
        match.go_on()
    late = found[int(len(found) * EARLY) :]
    late.sort(key=lambda it: it[:2])
    yield from (at for _disagrees, _gap, at in late[-max(1, int(len(late) * LOOKED_AT)) :][::-1])


def _promise(at: _Position) -> tuple[bool, float]:
    """Return True if hard and normal bots disagree, and the lead of the best move."""
    game, bot = at.game, at.game.bot
    assert bot is not None
    view, own = game.view(at.state, at.seat), prompt(game, at.state, at.seat)
    rng = Rng(seed_of(at.number, len(at.log), b"promise"), 0)
    thoughts = bot.quickly(copied(at.memory), view, own, rng, Level.HARD)
    if len(thoughts) < 2:
        return False, 0.0
    usual = bot.quickly(copied(at.memory), view, own, rng, Level.NORMAL)
    disagrees = bool(usual) and usual[0].move != thoughts[0].move
    return disagrees, thoughts[0].worth - max(it.worth for it in thoughts[1:])


def _asks(moves: Sequence[Choice]) -> bool:
    """Return True if the moves make a question: two with different verbs, or at least three, and
    at most MOST.
    """
    verbs = {it and it.verb for it in moves}
    return (2 if len(verbs) > 1 else 3) <= len(moves) <= MOST


def _has_to_think(game: Game[Any], own: Any) -> bool:
    return any(it.blocks and it.verb not in game.quick for it in own.offers)


def _puzzle(at: _Position, wanted: Wanted) -> Puzzle | None:
    """Return the puzzle that a position makes, or None if it makes none or none like it is
    needed.
    """
    # A hard bot's move is the likeliest answer: if no such puzzle is needed, stop here.
    if not wanted.takes(_kind(at, at.moves[:1])):
        return None
    first = _judged(at, b"first", lambda right: wanted.takes(_kind(at, right)))
    again = first and _judged(at, b"second", lambda right: True)
    if not first or not again:
        return None
    if {it.move for it in first[0][: first[1]]} != {it.move for it in again[0][: again[1]]}:
        return None
    puzzle = _made(at, *first)
    return puzzle if wanted.takes(puzzle.kind) else None


def _judged(
    at: _Position, seed: bytes, goes_on: Callable[[Sequence[Choice]], bool]
) -> tuple[list[MoveValue], int] | None:
    """Return the values of the moves and the number of correct ones. Return None as soon as the
    result is unclear, or if `goes_on` returns False for the moves that seem correct at the first
    hurdle.
    """
    least, result = analysis_of(at.game).least, None
    for values in judging(
        at.game,
        at.state,
        at.seat,
        at.memory,
        at.moves,
        seed_of(at.number, len(at.log), seed),
        deals=DEALS,
        errors=GIVEN_UP,
    ):
        deals = values[0].deals
        if deals in HURDLES:
            right = accepted(values, HURDLES[deals], least)
            if not right:
                return None
            if result is None and not goes_on([it.move for it in values[:right]]):
                return None
            result = values, right
    return result


def seed_of(number: int, step: int, which: bytes) -> bytes:
    """Return the seed for judging a position; different values of `which` give independent
    seeds.
    """
    return hashlib.sha256(b"puzzle %d %d %s" % (number, step, which)).digest()


def theme_of(game: Game[Any], state: Any, right: Sequence[Choice]) -> str:
    """Return the heading of the rules that the best move is about, or ""."""
    made = next((it for it in right if it is not None), None)
    if made is None:
        return ""
    return analysis_of(game).theme(state, made) or game.words.rules.get(made.verb, "")


def _kind(at: _Position, right: Sequence[Choice]) -> Kind:
    """Return the kind of puzzle that a position makes if these moves are correct."""
    theme = theme_of(at.game, at.state, right)
    return kind_of(theme, text_of(right[0]), strength_of(_found(at, right)))


def _found(at: _Position, right: Sequence[Choice]) -> tuple[int, int]:
    """Return the percentages of easy and of normal bots that find a correct move."""
    game, bot = at.game, at.game.bot
    assert bot is not None
    view, own = game.view(at.state, at.seat), prompt(game, at.state, at.seat)
    turn, race = own.parted()
    shares = []
    for level in (Level.EASY, Level.NORMAL):
        hits = 0
        for number in range(TRIES):
            rng = Rng(seed_of(at.number, len(at.log), b"found"), number, level)
            move = None
            for part in (race, turn):
                if move is None and part.offers:
                    move = bot.choose(copied(at.memory), view, part, rng, level)
            hits += move in right
        shares.append(HUNDRED * hits // TRIES)
    return shares[0], shares[1]


def _why(at: _Position, move: Choice) -> Saying | None:
    """Return a hard bot's reason for a move, or None if it does not consider the move."""
    bot, own = at.game.bot, prompt(at.game, at.state, at.seat)
    assert bot is not None
    rng = Rng(seed_of(at.number, len(at.log), b"why"), 0)
    view = at.game.view(at.state, at.seat)
    thoughts = bot.weigh(copied(at.memory), view, own, rng, Level.HARD)
    return next((it.reason for it in thoughts if it.move == move), None)


def _made(at: _Position, values: Sequence[MoveValue], right: int) -> Puzzle:
    moves = [it.move for it in values[:right]]
    name = f"{at.game.key} {at.number} {len(at.log)} {at.seat}"
    return Puzzle(
        id=hashlib.sha256(name.encode()).hexdigest()[:DIGITS],
        game_version=at.game.version,
        seats=at.game.seated(at.state),
        options=at.values,
        seed=f"{at.number:x}",
        moves=BETWEEN.join(at.log),
        seat=at.seat,
        theme=theme_of(at.game, at.state, moves),
        found=_found(at, moves),
        values=tuple(_value(it) for it in values),
        accepted=right,
        why=_why(at, values[0].move),
    )


def _value(value: MoveValue) -> Value:
    low, high = value.interval
    return Value(
        text_of(value.move),
        round(value.worth, 2),
        round(value.spread, 2),
        round(low, 2),
        round(high, 2),
        value.deals,
    )
