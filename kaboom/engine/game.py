"""The definition of a game: a record of functions around one computed map of listeners."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic

from kaboom.engine.attendance import attendance
from kaboom.engine.bots.bot import Bot
from kaboom.engine.bots.horizon import Analysis
from kaboom.engine.decisions import Decision
from kaboom.engine.moves import Choices, Seat
from kaboom.engine.options import USUAL, Preset, untimed
from kaboom.engine.play import Listener, Play, S
from kaboom.engine.premoves import Premove
from kaboom.engine.texts import Words
from kaboom.engine.timeouts import timeouts
from kaboom.engine.toolkit.cards import Card
from kaboom.engine.toolkit.tips import Tip, Told
from kaboom.engine.toolkit.tricks import Ranking
from kaboom.engine.views import DOWN, Outcome, Prompt, Saying, View


def nothing_ahead(state: Any, seat: Seat) -> Iterable[Premove]:
    """Return no premoves: most games have none."""
    return ()


def no_ranking(view: View) -> Ranking | None:
    """Return None: most games order a hand by printed suits and ranks."""
    return None


@dataclass(frozen=True)
class Game(Generic[S]):
    """A game: data about it, and functions from a state to the possible moves.

    A seat is a number from 0; a viewer is a seat, or None for a spectator. Fields with a default
    are optional.
    """

    # General
    key: str  # name of its folder, also used in URLs
    name: str
    tagline: str  # one line on the home page
    version: int  # increment it if stored states cannot continue under the new rules

    # The rules
    options: type[Any]  # a frozen dataclass (kaboom.engine.options)
    state: type[S]
    seats: Callable[[Any], range]  # the possible numbers of players under these options
    setup: Callable[[Play[S], int, Any], None]  # (play, seats, options): deals and sets play.state
    # Listeners for what the seats may do now, and for automatic moves of the clock, such as a deal
    offers: Callable[[S], Iterable[Listener]]
    seated: Callable[[S], int]  # number of players
    view: Callable[[S, Seat | None], View]  # everything that a viewer may see
    outcome: Callable[[S], Outcome | None]  # None while the match is running
    # (play, viewer): redraws in place, with play.rng, everything the viewer cannot know
    resample: Callable[[Play[S], Seat | None], None]
    words: Words
    # The decisions that seats have to make now (kaboom.engine.decisions)
    decisions: Callable[[S], Iterable[Decision[S]]] = lambda state: ()
    left: Callable[[Play[S], Seat], None] = lambda play, seat: None  # may end the match or a turn
    returned: Callable[[Play[S], Seat], None] = lambda play, seat: None  # when a player returns
    # (options, seats): the reason why this number cannot play with these options, or None
    why_not: Callable[[Any, int], str | None] = lambda options, seats: None
    # Whether the fewest points win, so that places are in ascending order of scores
    lowest_wins: bool = False
    # The current places by seat, for a match ended early; empty: all share first place
    so_far: Callable[[S], Sequence[int]] = lambda state: ()

    # Special verbs
    # Verbs of CLOCK listeners without `after` and with one choice that the host of the table may
    # trigger, such as an earlier end. words.offers and words.choices name them.
    hosts: tuple[str, ...] = ()
    # Verbs that need no thought, so bots answer them quickly. It must be public that a seat with
    # such an offer has no other.
    quick: frozenset[str] = frozenset({"ready"})
    # Returns True while people need time to look before a bot moves, such as at a finished trick.
    # It may depend only on what all seats see.
    to_be_seen: Callable[[S], bool] = lambda state: False
    # Kinds of events, each with a later kind in the same round whose sentence says the same: the
    # story of a match leaves the first out.
    told_again: Mapping[str, str] = field(default_factory=dict)
    drafts: frozenset[str] = frozenset()  # verbs whose result can still be changed
    # Verbs that build a move step by step, where another offer makes it in a single step. They come
    # last when moves are read out.
    pieces: frozenset[str] = frozenset()

    # Help for players
    ahead: Callable[[S, Seat], Iterable[Premove]] = (
        nothing_ahead  # may use only what the seat knows
    )
    # (view, verb, choices): the effect of that move; without choices, the effect common to all
    # choices
    preview: Callable[[View, str, Choices], Saying | None] = lambda view, verb, choices: None
    bot: Bot[Any] | None = None
    # (play, seat, memory): `resample` for a seat with its bot's memory, when another match
    # continues this one. What the seat remembers stays, and others make their hidden choices again.
    # None: use `resample`
    deal_again: Callable[[Play[S], Seat, Any], None] | None = None
    # How far bots play on to judge moves, and the value of the result. None: to the end of the
    # match, and the lead over the others' mean score
    analysis: Analysis | None = None
    tips: Mapping[str, Tip] = field(default_factory=dict)  # sentences for newcomers, by name
    # (view, prompt, options): the tips that fit the situation, most urgent first
    tips_for: Callable[[View, Prompt | None, Any], Iterable[Told]] = lambda *moment: ()
    # For viewers who do not see the table: the important cards on it, and all scores
    now: Callable[[View], Iterable[Saying]] = lambda view: ()
    standing: Callable[[View], Iterable[Saying]] = lambda view: ()

    # The last result, while it is shown to the viewer: until the viewer's next move
    result: Callable[[View], Saying | None] = lambda view: None

    # Events, by their kinds
    # Where a replay can jump to: the start of a "round" or a "turn", an "event" of interest, or the
    # "result" of a round
    landmarks: Mapping[str, str] = field(default_factory=dict)
    deals: frozenset[str] = frozenset()  # kinds after which all cards are dealt again
    sounds: Mapping[str, str] = field(default_factory=dict)  # public kinds: card, flip or kaboom
    # Important to the player who caused the event, so a bot may comment: "called" ends a round
    moments: Mapping[str, str] = field(default_factory=dict)

    # Rendering
    # Renders the table (kaboom.engine.table_view); without it, a generic table is shown
    regions: Callable[[Any, Any], Any] | None = None
    # Zones whose faces the game's own table shows to viewers who may see them. A replay with all
    # cards open adds the other zones
    drawn: frozenset[str] = frozenset()
    # Zones whose faces it shows at their seats only in a replay with all cards open
    opened: frozenset[str] = frozenset()
    # The suits, powers and trumps by which players can sort their zone "hand" now; None: as
    # printed, with the ace low
    ranking: Callable[[View], Ranking | None] = no_ranking
    fan: tuple[Card, ...] = (DOWN, "KH", "AS", "7D", "QC")  # shown in a link's preview image

    # The options form
    usual: Preset = USUAL
    presets: Sequence[Preset] = ()  # other named ways to play
    groups: Mapping[str, Sequence[str]] = field(default_factory=dict)  # all options, by heading

    # Correspondence matches, boards, tournaments
    # The closest options without real-time decisions: no times in seconds, no race, no automatic
    # events. `over_days` is a sentence that describes what changes
    by_days: Callable[[Any], Any] = untimed
    over_days: str = ""
    # The options that make a match a single deal that many tables can play (kaboom.engine.rng), or
    # None if that is impossible. The state then has a field `board`, and each draw uses `play.lot`
    # with an occasion of its own.
    board: Mapping[str, Any] | None = None
    pod: int = 4  # players per table in a tournament
    contest: Mapping[str, str] = field(default_factory=dict)  # options suggested for a tournament

    # Documentation in English for API clients and for verifying shuffles
    zones: Mapping[str, str] = field(default_factory=dict)  # the meaning of each zone, by name
    facts: Mapping[str, str] = field(default_factory=dict)  # … and each fact
    marks: Mapping[str, str] = field(default_factory=dict)  # … and of each mark on a place
    # What is shuffled by which draw, and how it is dealt, so that the first deal can be reproduced
    # from a record. docs/chance.md describes the rest.
    dealing: str = ""

    def playable(self, options: Any) -> tuple[int, ...]:
        """Return the numbers of players that these options allow."""
        return tuple(it for it in self.seats(options) if self.why_not(options, it) is None)

    @property
    def ranks(self) -> bool:
        """Return True if the game declares a ranking of the cards in a hand."""
        return self.ranking is not no_ranking

    @property
    def plans(self) -> bool:
        """Return True if the game has premoves."""
        return self.ahead is not nothing_ahead

    def listeners(self, state: S) -> Iterator[Listener]:
        """Yield every move that is possible now, or nothing when the match is over.

        The engine adds moves to the game's own offers: any player may leave or return, and the
        clock decides for players who are late or absent. Absent seats have no offers.
        """
        if self.outcome(state) is not None:
            return
        yield from attendance(state.absent, self.seated(state))
        yield from (it for it in self.offers(state) if it.seat not in state.absent)
        yield from timeouts(self.decisions(state), state.absent)
