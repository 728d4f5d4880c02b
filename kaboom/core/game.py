"""What a game is: a record of functions around one computed listener map."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from msgspec import Struct

from kaboom.core.cards import Card
from kaboom.core.chance import Chance
from kaboom.core.moves import CLOCK, NOTHING, Move, Pick, Seat, one_of
from kaboom.core.options import Preset
from kaboom.core.views import DOWN, Outcome, Prompt, View, token_of
from kaboom.core.words import Words

S = TypeVar("S")  # a game's state
T = TypeVar("T")
M = TypeVar("M")  # a bot's memory

Handler = Callable[..., None]  # (play, *choices) -> None, a function of a module


class Event(Struct, frozen=True):
    """Something that happened, told to all (`to` is None) or whispered to one seat."""

    kind: str
    facts: dict[str, Any] = {}
    to: Seat | None = None

    def heard_by(self, viewer: Seat | None) -> bool:
        """Say whether a viewer (None is a spectator) is among those it was told to."""
        return self.to is None or self.to == viewer


@dataclass(frozen=True, slots=True)
class Listener:
    """One entry of the listener map: a seat, a verb, what may be chosen, and what happens then.

    `about` names the fact this answers (the number of the top discard, the round of a bid). It is
    part of the offer's token, so a move made for an older fact is too late rather than wrong. Give
    each decision its own `about`, or a form left over from the last would answer the next.
    `blocks`: is the game waiting for this? `sealed`: only its own seat may know that it is, since
    who has answered is a secret too. `confirm`: does a page ask again before sending it?
    CLOCK only: `after` is the number of seconds until it fires (None: only when the table asks for
    it); while `held` its time stops. `decision`: is it the deadline for a decision somebody owes
    the table, rather than the pace of something that runs by itself, such as a deal? A deadline
    runs only while somebody else is kept waiting, and a player may ask for more time
    (kaboom.tables.timers).
    """

    seat: Seat
    verb: str
    then: Handler
    pick: Pick = NOTHING
    about: str = ""
    blocks: bool = True
    confirm: bool = False
    after: float | None = None
    held: bool = False
    decision: bool = False
    sealed: bool = False

    @property
    def token(self) -> str:
        """Return the hash of what this answers."""
        return token_of((self.seat, self.verb, self.about))

    @property
    def clock_move(self) -> Move:
        """Return the one move a timed CLOCK listener stands for."""
        return Move(self.seat, self.verb, self.pick.options[: self.pick.least])


class Play(Generic[S]):
    """One move being played, handed to its handler: a private draft of the state, and chance."""

    __slots__ = ("chance", "events", "seat", "state")

    state: S

    def __init__(self, seat: Seat, chance: Chance) -> None:
        self.seat = seat
        self.chance = chance
        self.events: list[Event] = []

    def tell(self, kind: str, /, **facts: Any) -> None:
        """Tell everybody that something happened."""
        self.events.append(Event(kind, _frozen(facts)))

    def whisper(self, seat: Seat, kind: str, /, **facts: Any) -> None:
        """Tell one seat only."""
        self.events.append(Event(kind, _frozen(facts), seat))

    def shuffled(self, items: Sequence[T]) -> list[T]:
        """Return the items shuffled by this move's random stream."""
        return self.chance.shuffled(items)


def _frozen(facts: dict[str, Any]) -> dict[str, Any]:
    """Return the facts with lists copied, so that later changes to the state do not reach them."""
    return {key: list(v) if isinstance(v, (list, tuple)) else v for key, v in facts.items()}


@dataclass(frozen=True)
class Bot(Generic[M]):
    """A bot: it is given what a person in its seat would be given.

    `memory()` makes a fresh memory (a msgspec Struct, kept as JSON with the table);
    `notice(memory, event, seat)` is called with every event its seat hears;
    `choose(memory, view, prompt, chance)` returns a move of the prompt, or None to let a chance go
    by (only allowed when the game is not waiting for the seat).
    """

    memory: type[M]
    notice: Callable[[M, Event, Seat], None]
    choose: Callable[[M, View, Prompt, Chance], Move | None]


@dataclass(frozen=True)
class Game(Generic[S]):
    """A set of rules: facts, and functions from states to what may happen.

    setup(play, seats, options) deals and sets play.state; listeners(state) is the listener map;
    view(state, viewer) is what a seat (or None, a spectator) may see; outcome(state) is None while
    the match goes on; resample(play, viewer) redraws in place, by play.chance, all that the viewer
    cannot know. `seats(options)` are the numbers of players it can start with. `why_not(options,
    seats)` says in a sentence why these options cannot be played by so many, or returns None.
    `hosts` are the verbs of CLOCK listeners (one choice, after=None) that the table's host may ask
    for when they are on offer, such as an earlier end; words.offers and words.choices name them.
    `version` is raised when a state stored by the last one must not continue under the new rules.
    """

    key: str
    name: str
    tagline: str  # one line for the home page
    version: int
    options: type[Any]
    state: type[S]
    seats: Callable[[Any], range]
    setup: Callable[[Play[S], int, Any], None]
    listeners: Callable[[S], Iterable[Listener]]
    view: Callable[[S, Seat | None], View]
    outcome: Callable[[S], Outcome | None]
    resample: Callable[[Play[S], Seat | None], None]
    words: Words
    bot: Bot[Any] | None = None
    why_not: Callable[[Any, int], str | None] = lambda options, seats: None
    # What to look for in a replay: kinds of events that begin a "round" or a "turn", or are an
    # "event" worth jumping to.
    landmarks: Mapping[str, str] = field(default_factory=dict)
    # Zones whose faces the game's own table draws for viewers who may see them; a replay that shows
    # everything adds the others.
    drawn: frozenset[str] = frozenset()
    hosts: tuple[str, ...] = ()
    # The form for its options: named ways to play (besides the usual one), and the names of all
    # options under headings.
    presets: Sequence[Preset] = ()
    groups: Mapping[str, Sequence[str]] = field(default_factory=dict)
    # The cards in the preview picture of a link to a table.
    fan: tuple[Card, ...] = (DOWN, "KH", "AS", "7D", "QC")


def attendance(
    absent: Iterable[Seat], seats: int, leave: Handler, come_back: Handler
) -> Iterator[Listener]:
    """Yield the two clock listeners by which the table says who has left and who is back.

    Moves: "-1 leave 2" and "-1 return 2". An absent seat's decisions are then taken by a clock
    listener with after=0, which the game offers as it offers its timeouts.
    """
    gone = sorted(absent)
    present = [str(seat) for seat in range(seats) if seat not in gone]
    if present:
        yield Listener(CLOCK, "leave", leave, one_of(present))
    if gone:
        yield Listener(CLOCK, "return", come_back, one_of([str(seat) for seat in gone]))
