"""What a game is: a record of functions around one computed listener map."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic

from kaboom.core.ahead import Ahead
from kaboom.core.attendance import attendance
from kaboom.core.bot import Bot
from kaboom.core.cards import Card
from kaboom.core.decisions import Decision, lapses
from kaboom.core.moves import Choices, Seat
from kaboom.core.options import USUAL, Preset, untimed
from kaboom.core.play import Listener, Play, S
from kaboom.core.tips import Tip, Told
from kaboom.core.views import DOWN, Outcome, Prompt, Saying, View
from kaboom.core.words import Words


def nothing_ahead(state: Any, seat: Seat) -> Iterable[Ahead]:
    """Yield nothing: in most games nobody knows what they will be asked."""
    return ()


@dataclass(frozen=True)
class Game(Generic[S]):
    """A set of rules: facts, and functions from states to what may happen.

    setup(play, seats, options) deals and sets play.state; offers(state) are the listeners for what
    the seats may do (and for what the clock does by itself, such as a deal); view(state, viewer) is
    what a seat (or None, a spectator) may see; outcome(state) is None while the match goes on;
    resample(play, viewer) redraws in place, by play.chance, all that the viewer cannot know.
    `seats(options)` are the numbers of players it can start with, seated(state) is how many there
    are. `why_not(options, seats)` says in a sentence why these options cannot be played by so many,
    or returns None.
    decisions(state) are those that somebody owes the table now (kaboom.core.decisions). When a seat
    has left, left(play, seat) may end the match or skip a turn; returned(play, seat) welcomes it
    back.
    ahead(state, seat) is what a seat may decide before it is asked (kaboom.core.ahead); it may use
    only what that seat knows.
    preview(view, verb, choices) says from a seat's view alone what a move would do, or None;
    without choices, what any choice of that verb would do.
    `hosts` are the verbs of CLOCK listeners (one choice, after=None) that the table's host may ask
    for when they are on offer, such as an earlier end; words.offers and words.choices name them.
    `moments` names what is big for whoever did it, by kinds of events: "called" what ends a round.
    `drafts` are the verbs of what a player can change again by other offers of the game.
    `pieces` are the verbs that make in steps, for whoever sees them, what another offer chooses as
    a whole; who has the moves read out hears them last.
    `board` are the options with which a match is one deal, so that many tables can play the same
    (kaboom.core.chance); None: it cannot be played so. Its state then has a field `board`, and its
    rules draw by `play.lot`, each time by another occasion.
    `quick` are the verbs that need no thought; that a seat is asked nothing else must be no secret.
    `to_be_seen(state)` says, by what everybody sees, whether something lies on the table that
    people want to look at before a bot goes on: a trick that is over.
    `by_days(options)` are the nearest options with which nothing depends on being there at the same
    moment: no time in seconds, no race, nothing that happens by itself. `over_days` says in a
    sentence what that means for this game.
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
    offers: Callable[[S], Iterable[Listener]]
    seated: Callable[[S], int]
    view: Callable[[S, Seat | None], View]
    outcome: Callable[[S], Outcome | None]
    resample: Callable[[Play[S], Seat | None], None]
    words: Words
    decisions: Callable[[S], Iterable[Decision[S]]] = lambda state: ()
    left: Callable[[Play[S], Seat], None] = lambda play, seat: None
    returned: Callable[[Play[S], Seat], None] = lambda play, seat: None
    ahead: Callable[[S, Seat], Iterable[Ahead]] = nothing_ahead
    preview: Callable[[View, str, Choices], Saying | None] = lambda view, verb, choices: None
    bot: Bot[Any] | None = None
    why_not: Callable[[Any, int], str | None] = lambda options, seats: None
    # What to look for in a replay: kinds of events that begin a "round" or a "turn", or are an
    # "event" worth jumping to.
    landmarks: Mapping[str, str] = field(default_factory=dict)
    # Kinds of public events with which, besides the beginning of a match, all cards are dealt.
    deals: frozenset[str] = frozenset()
    # What public events sound like, for those who want to hear them: card, flip or kaboom, by kind.
    sounds: Mapping[str, str] = field(default_factory=dict)
    # Zones whose faces the game's own table draws for viewers who may see them; a replay that shows
    # everything adds the others.
    drawn: frozenset[str] = frozenset()
    by_days: Callable[[Any], Any] = untimed
    over_days: str = ""
    hosts: tuple[str, ...] = ()
    board: Mapping[str, Any] | None = None
    quick: frozenset[str] = frozenset({"ready"})
    to_be_seen: Callable[[S], bool] = lambda state: False
    drafts: frozenset[str] = frozenset()
    pieces: frozenset[str] = frozenset()
    moments: Mapping[str, str] = field(default_factory=dict)
    # What a newcomer is told, by a name, and which of it fits a moment: kaboom.core.tips.
    tips: Mapping[str, Tip] = field(default_factory=dict)
    tips_for: Callable[[View, Prompt | None, Any], Iterable[Told]] = lambda *moment: ()
    # What lies on the table that decides the moment, and how everybody stands: to be said to
    # whoever does not see it.
    now: Callable[[View], Iterable[Saying]] = lambda view: ()
    standing: Callable[[View], Iterable[Saying]] = lambda view: ()
    # Draws the table of a page (kaboom.core.page); without it the general table is shown.
    regions: Callable[[Any, Any], Any] | None = None
    # For those who write programs, in English: what each zone and each fact of a view is, by name,
    # and what a mark on a place of a zone means.
    zones: Mapping[str, str] = field(default_factory=dict)
    facts: Mapping[str, str] = field(default_factory=dict)
    marks: Mapping[str, str] = field(default_factory=dict)
    # For those who check shuffles, in English: what is shuffled, by which draw, and who gets what,
    # so that the first deal can be made again from a record. docs/chance.md says the rest.
    dealing: str = ""
    # The places so far, by seat, where a match is ended before the rules do; empty: all are equal.
    so_far: Callable[[S], Sequence[int]] = lambda state: ()
    # In tournaments: how many play at a table, and which options are proposed.
    pod: int = 4
    contest: Mapping[str, str] = field(default_factory=dict)
    # The form for its options: named ways to play, the usual one apart, and the names of all
    # options under headings.
    usual: Preset = USUAL
    presets: Sequence[Preset] = ()
    groups: Mapping[str, Sequence[str]] = field(default_factory=dict)
    # The cards in the preview picture of a link to a table.
    fan: tuple[Card, ...] = (DOWN, "KH", "AS", "7D", "QC")

    def playable(self, options: Any) -> tuple[int, ...]:
        """Return with how many players it can be played by these options."""
        return tuple(it for it in self.seats(options) if self.why_not(options, it) is None)

    @property
    def plans(self) -> bool:
        """Say whether anything in it can be decided ahead."""
        return self.ahead is not nothing_ahead

    def listeners(self, state: S) -> Iterator[Listener]:
        """Yield every move that is possible now: the listener map.

        To what the game offers the present seats the engine adds who may leave or return, and the
        clock's answers for who is late or absent. After the outcome there is nothing.
        """
        if self.outcome(state) is not None:
            return
        yield from attendance(state.absent, self.seated(state))
        yield from (it for it in self.offers(state) if it.seat not in state.absent)
        yield from lapses(self.decisions(state), state.absent)
