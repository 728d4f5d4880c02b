"""What a game is: a record of functions around one computed listener map."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic

from kaboom.engine.attendance import attendance
from kaboom.engine.bots.bot import Bot
from kaboom.engine.decisions import Decision, lapses
from kaboom.engine.moves import Choices, Seat
from kaboom.engine.options import USUAL, Preset, untimed
from kaboom.engine.play import Listener, Play, S
from kaboom.engine.premoves import Ahead
from kaboom.engine.texts import Words
from kaboom.engine.toolkit.cards import Card
from kaboom.engine.toolkit.tips import Tip, Told
from kaboom.engine.views import DOWN, Outcome, Prompt, Saying, View


def nothing_ahead(state: Any, seat: Seat) -> Iterable[Ahead]:
    """Yield nothing: in most games nobody knows what they will be asked."""
    return ()


@dataclass(frozen=True)
class Game(Generic[S]):
    """A game: facts about it, and functions from a state to what may happen next.

    A seat is a number from 0; a viewer is a seat, or None for a spectator. Whatever has a default
    may be left out.
    """

    # What it is
    key: str  # its folder, and its name in addresses
    name: str
    tagline: str  # one line for the home page
    version: int  # raise it when a stored state must not go on under the new rules

    # The rules
    options: type[Any]  # a frozen dataclass (kaboom.engine.options)
    state: type[S]
    seats: Callable[[Any], range]  # the numbers of players that can start with these options
    setup: Callable[[Play[S], int, Any], None]  # (play, seats, options): deals, sets play.state
    # Listeners for what the seats may do now, and for what the clock does by itself, such as a deal
    offers: Callable[[S], Iterable[Listener]]
    seated: Callable[[S], int]  # how many play
    view: Callable[[S, Seat | None], View]  # all that a viewer may see
    outcome: Callable[[S], Outcome | None]  # None while the match goes on
    # (play, viewer): redraws in place, by play.chance, everything the viewer cannot know
    resample: Callable[[Play[S], Seat | None], None]
    words: Words
    # The decisions that seats owe now (kaboom.engine.decisions)
    decisions: Callable[[S], Iterable[Decision[S]]] = lambda state: ()
    left: Callable[[Play[S], Seat], None] = lambda play, seat: None  # may end the match or a turn
    returned: Callable[[Play[S], Seat], None] = lambda play, seat: None  # a player is back
    # (options, seats): a sentence that says why so many cannot play by these options, or None
    why_not: Callable[[Any, int], str | None] = lambda options, seats: None
    # Whether the fewest points win, so that places follow scores from below
    lowest_wins: bool = False
    # The places so far, by seat, for a match that is ended early; empty: all share the first place
    so_far: Callable[[S], Sequence[int]] = lambda state: ()

    # Special verbs
    # Of CLOCK listeners without `after` that take one choice, such as an earlier end: what the host
    # of the table may ask for. words.offers and words.choices name them.
    hosts: tuple[str, ...] = ()
    # Answered without thinking, so bots take no time. It must be no secret that a seat is asked
    # nothing else.
    quick: frozenset[str] = frozenset({"ready"})
    # Whether something lies there that people look at before a bot goes on, such as a trick that is
    # over; by what all seats see.
    to_be_seen: Callable[[S], bool] = lambda state: False
    drafts: frozenset[str] = frozenset()  # of what players can change again by the game's own moves
    # Of moves that build up step by step what another offer does at once. A client with the moves
    # read out hears these last.
    pieces: frozenset[str] = frozenset()

    # Help for players
    ahead: Callable[[S, Seat], Iterable[Ahead]] = nothing_ahead  # only from what the seat knows
    # (view, verb, choices): what that move would do; without choices, what any choice would do
    preview: Callable[[View, str, Choices], Saying | None] = lambda view, verb, choices: None
    bot: Bot[Any] | None = None
    tips: Mapping[str, Tip] = field(default_factory=dict)  # sentences for newcomers, by name
    # (view, prompt, options): the tips that fit the moment, the most pressing first
    tips_for: Callable[[View, Prompt | None, Any], Iterable[Told]] = lambda *moment: ()
    # For viewers who do not see the table: what lies there that matters now, and how all stand
    now: Callable[[View], Iterable[Saying]] = lambda view: ()
    standing: Callable[[View], Iterable[Saying]] = lambda view: ()

    # What was decided last, while that is being shown to the viewer: until they act
    result: Callable[[View], Saying | None] = lambda view: None

    # Events, by their kinds
    # What a replay can jump to: what begins a "round" or a "turn", or is an "event" of interest
    landmarks: Mapping[str, str] = field(default_factory=dict)
    deals: frozenset[str] = frozenset()  # with these all cards are dealt again
    sounds: Mapping[str, str] = field(default_factory=dict)  # public ones: card, flip or kaboom
    # Big for the player who did it, after which a bot may speak: "called" for what ends a round
    moments: Mapping[str, str] = field(default_factory=dict)

    # How it is drawn
    # Draws the table on a page (kaboom.engine.table_view); without it the general table is shown
    regions: Callable[[Any, Any], Any] | None = None
    # Zones whose faces its own table draws for those who may see them; a replay with all cards open
    # adds the others
    drawn: frozenset[str] = frozenset()
    fan: tuple[Card, ...] = (DOWN, "KH", "AS", "7D", "QC")  # in the preview picture of a link

    # The form for its options
    usual: Preset = USUAL
    presets: Sequence[Preset] = ()  # other named ways to play
    groups: Mapping[str, Sequence[str]] = field(default_factory=dict)  # all options, by heading

    # Over days, on boards, in tournaments
    # The nearest options that need no player at a given moment: no time in seconds, no
    # race, nothing that happens by itself; and a sentence that says what this means for the game
    by_days: Callable[[Any], Any] = untimed
    over_days: str = ""
    # The options that make a match a single deal, which many tables can play (kaboom.engine.rng);
    # None: that cannot be. Its state then has a field `board`, and every draw is by `play.lot`, on
    # an occasion of its own.
    board: Mapping[str, Any] | None = None
    pod: int = 4  # players at a table of a tournament
    contest: Mapping[str, str] = field(default_factory=dict)  # options proposed for a tournament

    # For those who write programs or check shuffles, in English
    zones: Mapping[str, str] = field(default_factory=dict)  # what each zone of a view is, by name
    facts: Mapping[str, str] = field(default_factory=dict)  # … and each fact
    marks: Mapping[str, str] = field(default_factory=dict)  # … and each mark on a place
    # What is shuffled, by which draw, and who gets what, so that the first deal can be made again
    # from a record. docs/chance.md says the rest.
    dealing: str = ""

    def playable(self, options: Any) -> tuple[int, ...]:
        """Return the numbers of players that these options allow."""
        return tuple(it for it in self.seats(options) if self.why_not(options, it) is None)

    @property
    def plans(self) -> bool:
        """Say whether anything in it can be decided ahead."""
        return self.ahead is not nothing_ahead

    def listeners(self, state: S) -> Iterator[Listener]:
        """Yield every move that is possible now: the listener map; nothing when the match is over.

        The engine adds to the game's own offers that anybody may leave or return, and the clock's
        decisions for those who are late or absent. Absent seats are offered nothing.
        """
        if self.outcome(state) is not None:
            return
        yield from attendance(state.absent, self.seated(state))
        yield from (it for it in self.offers(state) if it.seat not in state.absent)
        yield from lapses(self.decisions(state), state.absent)
