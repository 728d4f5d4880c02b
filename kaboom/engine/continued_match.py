"""Matches that continue from a step of another match, with the hidden cards dealt again.

Cards that a seat had not seen are dealt again with the new match's key, because the replay has
revealed them. A record contains the complete beginning, so it can be replayed without the other
match.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from msgspec import UNSET, Struct, UnsetType

from kaboom.engine.codec import copied
from kaboom.engine.engine import Step, play_in, start, step_on
from kaboom.engine.fairness.commitment import match_key
from kaboom.engine.game import Game
from kaboom.engine.log_replay import LogReplay
from kaboom.engine.moves import CLOCK, Move, Seat
from kaboom.engine.play import Event, S
from kaboom.engine.rng import Rng
from kaboom.engine.takeback import standing


class Origin(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The step of a finished match from which another one continues.

    `code` and `digest` are those of its record; `seed` (hexadecimal), `cuts`, `board` and `moves`
    (their texts up to `step`) lead to its state. `seat` is the seat whose knowledge is kept. With
    `as_it_was`, nothing was dealt again. `origin` is that of the finished match, if that match
    itself continued another one.
    """

    code: str
    digest: str
    step: int  # 0 is the deal
    seat: Seat
    as_it_was: bool
    seed: str
    cuts: list[str]
    board: bool  # its deal was shared by several tables
    moves: list[str]
    origin: "Origin | UnsetType" = UNSET

    @property
    def key(self) -> bytes:
        """Return the key for all random draws of the earlier match."""
        return match_key(bytes.fromhex(self.seed), self.cuts)

    @property
    def before(self) -> "Origin | None":
        """Return the origin of the earlier match, or None."""
        return None if self.origin is UNSET else self.origin

    @property
    def depth(self) -> int:
        """Return the number of earlier matches in the chain."""
        return 1 if self.before is None else 1 + self.before.depth


class CameFrom(Struct, frozen=True):
    """The public facts about an origin: match, step, and the seat whose knowledge was kept."""

    code: str  # its record's code
    step: int
    seat: Seat
    as_it_was: bool  # else the cards which that seat had not seen were dealt again


def came_from(origin: Origin | None) -> CameFrom | None:
    """Return the public facts about the origin of a match, or None."""
    if origin is None:
        return None
    return CameFrom(origin.code, origin.step, origin.seat, origin.as_it_was)


def begun(
    game: Game[S],
    seats: int,
    options: Any,
    key: bytes,
    board: bool = False,
    origin: Origin | None = None,
) -> Step[S]:
    """Return the first state of a match: its deal, or the state from which it continues.

    Raises a Refusal if the moves of its origin cannot be played.
    """
    if origin is None:
        return start(game, seats, options, key, board)
    state = _reached(game, seats, options, origin)
    rng = Rng(key, 0, "again")
    if not origin.as_it_was:
        memory = _remembered(game, seats, options, origin, origin.seat)
        state = redealt(game, state, origin.seat, memory, rng)
    for seat in sorted(state.absent):
        state = step_on(game, state, Move(CLOCK, "return", (str(seat),)), rng).state
    return Step(state, ())


def redealt(game: Game[S], state: S, seat: Seat, memory: Any, rng: Rng) -> S:
    """Return a copy of a state in which everything that a seat cannot know from its view and memory
    is dealt again.
    """
    play = play_in(game, copied(state), CLOCK, rng)
    if game.deal_again is None or game.bot is None:
        game.resample(play, seat)
    else:
        game.deal_again(play, seat, copied(memory))
    return play.state


def memory_at_start(
    game: Game[S],
    seats: int,
    options: Any,
    key: bytes,
    board: bool,
    origin: Origin | None,
    seat: Seat,
) -> Any:
    """Return the memory of a seat's bot at the start of a match; the game must have a bot.

    If it had seen cards that were dealt again, it remembers the new ones instead.
    """
    if origin is not None:
        memory = _remembered(game, seats, options, origin, seat)
        if not origin.as_it_was and seat != origin.seat and game.bot is not None:
            game.bot.redealt(memory, begun(game, seats, options, key, board, origin).state)
        return memory
    assert game.bot is not None
    memory = game.bot.memory()
    game.bot.hear(memory, start(game, seats, options, key, board).events, seat)
    return memory


def listen(
    game: Game[S], memory: Any, state: S, key: bytes, texts: Iterable[str], seat: Seat
) -> Any:
    """Return a bot's memory after more moves of a log, except those taken back; changes `memory`
    and `state`.
    """
    assert game.bot is not None
    course = LogReplay(game, state, key)
    for number, text in standing(texts):
        course.number = number - 1
        game.bot.hear(memory, course.play(text)[1].events, seat)
    return memory


def heard_before(game: Game[S], seats: int, options: Any, origin: Origin) -> Sequence[Event]:
    """Return the events of the earlier match that the origin's seat had received by that step; all
    events of the deal if the match continues from it unchanged.
    """
    dealt = begun(game, seats, options, origin.key, origin.board, origin.before)
    course = LogReplay(game, dealt.state, origin.key, origin.moves)
    events = list(dealt.events)
    if origin.as_it_was and origin.step == 0:
        return events  # each seat is dealt its cards again
    for text in origin.moves:
        events += course.play(text)[1].events
    return [event for event in events if event.heard_by(origin.seat)]


def _reached(game: Game[S], seats: int, options: Any, origin: Origin) -> S:
    """Return the state of the earlier match after the step."""
    state = begun(game, seats, options, origin.key, origin.board, origin.before).state
    course = LogReplay(game, state, origin.key, origin.moves)
    for text in origin.moves:
        course.play(text)
    return course.state


def _remembered(game: Game[S], seats: int, options: Any, origin: Origin, seat: Seat) -> Any:
    """Return the memory of a seat's bot from the earlier match, or None if the game has no bot."""
    if game.bot is None:
        return None
    before = origin.before
    memory = memory_at_start(game, seats, options, origin.key, origin.board, before, seat)
    state = begun(game, seats, options, origin.key, origin.board, before).state
    return listen(game, memory, state, origin.key, origin.moves, seat)
