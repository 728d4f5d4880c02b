"""A move being played: possible moves, events, and the draft of the new state."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Generic, Protocol, TypeVar

from msgspec import Struct

from kaboom.engine.moves import NOTHING, Move, Pick, Seat
from kaboom.engine.rng import Rng
from kaboom.engine.views import token_of


class Attended(Protocol):
    """A game's state, which lists the seats that have left (kaboom.engine.attendance).

    If the game has boards (kaboom.engine.game), its state also has a field `board`. The engine sets
    it to True in a match on a board; otherwise it is False.
    """

    absent: list[Seat]


S = TypeVar("S", bound=Attended)  # a game's state
T = TypeVar("T")

Handler = Callable[..., None]  # (play, *choices) -> None, a function of a module


class Event(Struct, frozen=True):
    """An event, public (`to` is None) or private to one seat."""

    kind: str
    facts: dict[str, Any] = {}
    to: Seat | None = None

    def heard_by(self, viewer: Seat | None) -> bool:
        """Return True if a viewer (None: a spectator) is among its recipients."""
        return self.to is None or self.to == viewer


class PossibleMove(Struct, frozen=True):
    """A seat, a verb, what may be chosen, and what happens then.

    `about` identifies what is answered (the number of the top discard, the round of a bid). It is
    part of the offer's token, so a move that answers an older prompt is too late rather than wrong.
    Give each decision its own `about`; otherwise a form left over from one decision would answer
    the next.
    """

    seat: Seat
    verb: str
    then: Handler
    pick: Pick = NOTHING
    about: str = ""

    @property
    def token(self) -> str:
        """Return a hash of the prompt that this move answers."""
        return token_of((self.seat, self.verb, self.about))


class Listener(PossibleMove, frozen=True, kw_only=True):
    """One entry of the listener map: a possible move and its properties, by keyword.

    For a seat, `blocks` is True if the game waits for this move. With `sealed`, only the seat
    itself may know that, because who has answered is also secret. With `confirm`, a page asks "are
    you sure?". With `race`, only the fastest player makes the move; bots have a separate clock for
    that.

    For CLOCK, `after` is the number of seconds until the move fires; with None, it fires only when
    the table triggers it. While `held` is True, its time is paused. `decision` is True for the
    deadline of a decision that a player owes the table, and False for the pace of something
    automatic, such as a deal. A deadline runs only while another player is kept waiting, and a
    player may ask for more time (kaboom.tables.clock.timers).
    """

    blocks: bool = True
    confirm: bool = False
    after: float | None = None
    held: bool = False
    decision: bool = False
    sealed: bool = False
    race: bool = False

    @property
    def clock_move(self) -> Move:
        """Return the only move of a timed CLOCK listener."""
        return Move(self.seat, self.verb, self.pick.options[: self.pick.least])


class Rules(Protocol):
    """The functions of a game that a move can call (see kaboom.engine.game)."""

    @property
    def offers(self) -> Callable[[Any], Iterable[Listener]]: ...
    @property
    def decisions(self) -> Callable[[Any], Iterable[Any]]: ...
    @property
    def seated(self) -> Callable[[Any], int]: ...
    @property
    def left(self) -> Callable[[Any, Seat], None]: ...
    @property
    def returned(self) -> Callable[[Any, Seat], None]: ...
    @property
    def outcome(self) -> Callable[[Any], Any]: ...


class Play(Generic[S]):
    """One move being played, handed to its handler: a private draft of the state, and chance.

    The engine sets `game` and, except for a deal, `state`. `board` is True if the same deal is
    played at several tables.
    """

    __slots__ = ("board", "events", "game", "rng", "seat", "state")

    game: Rules
    state: S

    def __init__(self, seat: Seat, rng: Rng) -> None:
        self.seat = seat
        self.rng = rng
        self.events: list[Event] = []
        self.board = False

    def tell(self, kind: str, /, **facts: Any) -> None:
        """Report an event to all players and spectators."""
        self.events.append(Event(kind, _frozen(facts)))

    def whisper(self, seat: Seat, kind: str, /, **facts: Any) -> None:
        """Report an event to one seat only."""
        self.events.append(Event(kind, _frozen(facts), seat))

    @property
    def chance(self) -> Rng:
        """Return `rng`; release 0.1 used this name."""
        return self.rng

    def shuffled(self, items: Sequence[T]) -> list[T]:
        """Return the items shuffled by this move's random stream."""
        return self.rng.shuffled(items)

    def lot(self, occasion: str, number: int | str) -> Rng:
        """Return the random stream for an occasion, such as ("deal", 1).

        At most tables, this is the stream of the move. On a board, it is a stream for the occasion,
        so that the cards are the same wherever the board is played, whatever was played before.
        """
        return self.rng.fork(occasion, number) if self.board else self.rng


def _frozen(facts: dict[str, Any]) -> dict[str, Any]:
    """Return the facts with lists copied, so that later changes to the state do not affect them."""
    return {key: list(v) if isinstance(v, (list, tuple)) else v for key, v in facts.items()}
