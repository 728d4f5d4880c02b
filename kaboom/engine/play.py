"""One move being played: what may be done, what happened, and the draft of the state between."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

from msgspec import Struct

from kaboom.engine.moves import NOTHING, Move, Pick, Seat
from kaboom.engine.rng import Chance
from kaboom.engine.views import token_of

if TYPE_CHECKING:
    from kaboom.engine.game import Game


class Attended(Protocol):
    """A game's state, which says which seats have left (kaboom.engine.attendance).

    Where the game has boards (kaboom.engine.game), `board` says that this match is of one; it is
    False in all others, and set by the engine.
    """

    absent: list[Seat]


S = TypeVar("S", bound=Attended)  # a game's state
T = TypeVar("T")

Handler = Callable[..., None]  # (play, *choices) -> None, a function of a module


class Event(Struct, frozen=True):
    """Something that happened, told to all (`to` is None) or whispered to one seat."""

    kind: str
    facts: dict[str, Any] = {}
    to: Seat | None = None

    def heard_by(self, viewer: Seat | None) -> bool:
        """Say whether a viewer (None is a spectator) is among those it was told to."""
        return self.to is None or self.to == viewer


class PossibleMove(Struct, frozen=True):
    """A seat, a verb, what may be chosen, and what happens then.

    `about` names the fact that is answered (the number of the top discard, the round of a bid). It
    is part of the offer's token, so a move made for an older fact is too late rather than wrong.
    Give each decision its own `about`, or a form left over from the last would answer the next.
    """

    seat: Seat
    verb: str
    then: Handler
    pick: Pick = NOTHING
    about: str = ""

    @property
    def token(self) -> str:
        """Return the hash of what this answers."""
        return token_of((self.seat, self.verb, self.about))


class Listener(PossibleMove, frozen=True, kw_only=True):
    """One entry of the listener map: a possible move, and what else there is to it, by keyword.

    Of a seat: `blocks`: is the game waiting for this? `sealed`: only the seat itself may know that
    it is, because who has answered is a secret, too. `confirm`: does a page ask "are you sure?"?
    `race`: does it go to whoever is first? Bots have a clock of their own for that.

    Of CLOCK: `after` is the number of seconds until it fires; None: only when the table asks for
    it. While it is `held` its time stops. `decision`: is it the deadline of a decision that
    somebody owes the table, or else the pace of something that runs by itself, such as a deal? A
    deadline runs only while somebody else is kept waiting, and a player may ask for more time
    (kaboom.tables.clock.timers).
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
        """Return the one move a timed CLOCK listener stands for."""
        return Move(self.seat, self.verb, self.pick.options[: self.pick.least])


class Play(Generic[S]):
    """One move being played, handed to its handler: a private draft of the state, and chance.

    The engine sets `game` and, except for a deal, `state`. `board`: is the same deal played at
    several tables?
    """

    __slots__ = ("board", "chance", "events", "game", "seat", "state")

    game: "Game[S]"
    state: S

    def __init__(self, seat: Seat, chance: Chance) -> None:
        self.seat = seat
        self.chance = chance
        self.events: list[Event] = []
        self.board = False

    def tell(self, kind: str, /, **facts: Any) -> None:
        """Report an event to all players and spectators."""
        self.events.append(Event(kind, _frozen(facts)))

    def whisper(self, seat: Seat, kind: str, /, **facts: Any) -> None:
        """Tell one seat only."""
        self.events.append(Event(kind, _frozen(facts), seat))

    def shuffled(self, items: Sequence[T]) -> list[T]:
        """Return the items shuffled by this move's random stream."""
        return self.chance.shuffled(items)

    def lot(self, occasion: str, number: int | str) -> Chance:
        """Return the random stream for an occasion, such as ("deal", 1).

        At most tables this is the stream of the move. On a board it is a stream of the occasion,
        so that the cards are the same wherever the board is played, whatever was played before.
        """
        return self.chance.on(occasion, number) if self.board else self.chance


def _frozen(facts: dict[str, Any]) -> dict[str, Any]:
    """Return the facts with lists copied, so that later changes to the state do not reach them."""
    return {key: list(v) if isinstance(v, (list, tuple)) else v for key, v in facts.items()}
