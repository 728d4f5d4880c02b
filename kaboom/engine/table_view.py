"""The data of a table's templates: plain records that do not refer to the database or the
request.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from functools import cached_property
from typing import Any, NamedTuple, TypeGuard

from msgspec import structs

from kaboom.engine.continued_match import CameFrom
from kaboom.engine.game import Game
from kaboom.engine.i18n import gettext as _
from kaboom.engine.i18n import gettext_noop as N_
from kaboom.engine.menu import menu_of
from kaboom.engine.moves import Choices, Seat
from kaboom.engine.options import Option, limits, notable
from kaboom.engine.premoves import FORGET, decides_ahead, meant
from kaboom.engine.takeback import VERB as TAKE_BACK
from kaboom.engine.texts import Names, Words
from kaboom.engine.toolkit.avatars import colours, face
from kaboom.engine.toolkit.cards import SUIT_NAMES, Card, suit_name
from kaboom.engine.toolkit.hand_order import HAND
from kaboom.engine.toolkit.tips import TipLine
from kaboom.engine.views import Offer, Outcome, Points, Prompt, Saying, View, Zone, token_of


@dataclass(frozen=True, slots=True)
class SeatLine:
    """A seat at the table, taken or free (`name` empty)."""

    seat: Seat
    name: str = ""
    colour: int = 0  # the avatar's colour, from `colours`
    bot: bool = False
    level: str = ""  # a bot's level
    mine: bool = False
    host: bool = False
    ready: bool = False
    present: bool = True
    stand_in: bool = False  # a bot plays here for an absent player
    program: bool = False  # the player's own program plays here
    manner: str = ""  # a bot's character in English, or how reliable a person is
    page: str = ""  # the code of the player's public page, if there is one

    @property
    def face(self) -> str:
        """Return the CSS classes of the seat's avatar."""
        return face(self.name, self.colour, self.level if self.bot else "")


class LogLine(NamedTuple):
    """A sentence of the log. `number` only counts what this viewer received, so it reveals
    nothing else.
    """

    number: int
    text: str
    fresh: bool = False  # happened since the viewer's last move
    kind: str = ""  # the key of the sentence in the game's words
    href: str = ""  # its step in the replay, once the match is over
    html: str = ""  # the rendered line
    facts: bytes = b""  # the event as JSON


class Button(NamedTuple):
    """A button of the prompt: the suffix of its id, its form value, its text, and its class.

    `tail` is the rest of the text, which is omitted in narrow layouts; there `sign` stands for the
    card that the tail names.
    """

    id: str
    value: str
    label: str
    kind: str = ""
    tail: str = ""
    sign: str = ""


class NumberRow(NamedTuple):
    """An offer of whole numbers, with a button for each number.

    If there are many numbers, it has an input field and no buttons. `value` is the form value
    before the number. A number that is forbidden now is "barred".
    """

    id: str
    label: str
    value: str
    least: str
    most: str
    buttons: tuple[Button, ...]


class TakeBack(NamedTuple):
    """A move that the viewer can take back: its number in the log, its text, and its verb."""

    number: int
    move: str
    verb: str


class Press(NamedTuple):
    """A press on a card: its form value, whether the table waits for it, and its verb."""

    value: str
    must: bool
    verb: str


@dataclass(frozen=True, slots=True)
class Ask:
    """A confirmation question.

    `value` identifies it in ?ask=, so that a refresh asks again. “Yes” posts `fields` to `action`
    of the table; the last field is the value of the button.
    """

    question: str
    value: str
    action: str
    fields: Sequence[tuple[str, str]]
    preview: str = ""  # a sentence about the effect


@dataclass(frozen=True, slots=True)
class Clock:
    """A running timer visible to all: the seconds left and the seconds given.

    It belongs to all players the table waits for.
    """

    left: float
    given: float
    held: bool = False
    more: bool = False  # True if it can be extended


class DayWait(NamedTuple):
    """A player for whom a correspondence match is waiting.

    `left` is the remaining time in words, `vacation` the end of a vacation in words. `seconds` is
    the remaining time including the time bank, or None during vacation. `nudge` is True if the
    viewer may send a reminder.
    """

    seat: Seat
    name: str
    mine: bool
    left: str
    vacation: str
    seconds: float | None
    nudge: bool
    bank: str = ""  # the remaining time bank in words
    bank_seconds: float = 0  # … and in seconds
    banking: bool = False  # … and it is running

    @property
    def sentence(self) -> str:
        """Return a sentence about the time the player has left, or their vacation."""
        if self.vacation:
            if self.mine:
                return _("You are on vacation: your clock is paused.")
            return _("{name} is on vacation until {day}.", name=self.name, day=self.vacation)
        if self.banking:
            if self.mine:
                return _("You are using your time bank: {time} left.", time=self.bank)
            return _("{name} is using the time bank: {time} left.", name=self.name, time=self.bank)
        if self.bank:
            known = {"time": self.left, "bank": self.bank}
            if self.mine:
                return _("You have {time} left, then {bank} in your time bank.", **known)
            return _(
                "{name} has {time} left, then {bank} in the time bank.", name=self.name, **known
            )
        if self.mine:
            return _("You have {time} left.", time=self.left)
        return _("{name} has {time} left.", name=self.name, time=self.left)


@dataclass(frozen=True, slots=True)
class VoteLine:
    """An open vote as one viewer sees it.

    `mine` is the viewer's part: asked, agreed, about (the vote is about the viewer), alone (no
    other player is present, so the viewer must press again), or empty for viewers without a vote.
    """

    number: int
    text: str
    agreed: Sequence[str]  # names of the players
    missing: Sequence[str]
    mine: str = ""


@dataclass(frozen=True, slots=True)
class MatchControls:
    """The controls of a running match outside the game itself."""

    paused: bool = False
    vote: VoteLine | None = None
    proposed: str = ""  # a sentence about the vote, in the third person
    means: str = ""  # … and its consequences, if not obvious
    away: bool = False  # a bot plays the viewer's seat, or the seat was given up
    bot: bool = False  # … and a bot plays it
    done: Sequence[str] = ()  # the move made in the viewer's name, in words
    hint: str = ""  # the hint: a bot's move in the viewer's place and its reason, in words
    marked: str = ""  # … the same, if a page's marks replace a list in it
    advised: Sequence[str] = ()  # … the same move as verb and choices
    about: Sequence[str] = ()  # … the places named in its reason, if it has no choices
    bots_for: Sequence[str] = ()  # names of the other players whose seats bots play
    may_propose: bool = False
    plan: str = ""  # the viewer's premove in log notation: "lay 8S"
    plan_comes: bool = False  # … and it is about to be played


class Asking(IntEnum):
    """When a player is asked to confirm costly, irreversible moves."""

    NEVER = 0
    ALWAYS = 1
    FIRST = 2  # only in the player's first three matches of a game
    LIFTING = 3  # never, but a card is still lifted before it is played


@dataclass(frozen=True, slots=True)
class Settings:
    """A browser's settings, stored in a cookie."""

    confirm: Asking = Asking.FIRST  # a press lifts a hand card first, unless "never"
    refresh: int = 0  # seconds between reloads without scripts; 0: never
    look: str = "auto"  # auto, light or dark
    colours: int = 4  # colours of the deck: four or two
    language: str = "auto"  # as requested by the browser, or a language code
    turn: str = ""  # notice of the player's turn: a notification, or only title and icon
    sound: int | None = None  # volume, 0 (off) to 3; None until the player is asked
    cards: str = ""  # size: normal, large or larger
    index: str = ""  # rank and suit in the corner: normal or large
    back: str = ""  # pattern on card backs: sun, sea or night
    motion: str = ""  # as set in the system, or none
    grids: str = ""  # how grids lie in Kaboom: all upright, or turned towards their owners
    order: str = ""  # the player's hand: as dealt, by suit or by rank
    high: str = ""  # high cards on the left or right
    trumps: str = ""  # trumps first or last
    keys: bool = False  # True if the keys 1 to 9 press the offers
    unasked: str = ""  # moves the player chose not to be asked about: "gops.bid/kaboom.flip"


class Draw(NamedTuple):
    """How to render a region: the name of its macro and its values.

    `kept` renders a region once for all viewers with the same values. `around` does so for a region
    that contains rendered regions among its values. `anew` renders a region that is used once, or
    needs the whole page.
    """

    kept: Callable[..., str]
    around: Callable[..., str]
    anew: Callable[..., str]


class Shown(NamedTuple):
    """The parts of the table that a game renders, each as HTML.

    `heard` is appended to the status line, and `told` follows it with at most one line. Longer text
    is a `note` above the rail. `standing` is the viewer's score in a few words. `beside` is shown
    next to the last events, and on a phone `lately` sums them up. Verbs in `quiet` get secondary
    buttons; verbs in `on_board` have their buttons on the board. A `prompt`, in parts, replaces all
    buttons and selections.
    """

    kind: str  # the layout, a class of the style sheet
    board: str
    heard: str = ""
    told: str = ""
    note: str = ""
    standing: str = ""
    lifting: str = ""  # the button that plays a lifted card, if any
    beside: str = ""
    quiet: Collection[str] = ()
    on_board: Collection[str] = ()
    prompt: Sequence[str] | None = None
    names_waited_for: bool = True  # False if the status line names them
    clocks: bool = True  # False if no seat's time is running
    counted: Sequence[str] = ()  # each seat's result in words, if it is not points
    behind: Sequence[int] = ()  # by seat: on the podium, who shares a place stands in this order
    how: str = ""  # how the match was won, if more than points tell it
    last: str = ""  # the winning card
    final: str = ""  # the deciding cards, rendered before the winner's name
    lately: tuple[str, ...] = ()  # what has happened since the viewer's last move


def foretold(game: Game[Any], view: View, verb: str, choices: Choices, names: Names) -> str:
    """Return the effect of a move as a sentence; "" if the game declares none."""
    told = game.preview(view, verb, choices)
    return "" if told is None else in_a_sentence(told, game.words, names)


def in_a_sentence(saying: Saying, words: Words, names: Names) -> str:
    """Return the game's text about an event or a move as one sentence."""
    return words.say(saying.kind, saying.facts, names) or ""


def options_in_words(offer: Offer, words: Words, names: Names) -> Sequence[str]:
    """Return all options of an offer, or of a premove, in words."""
    verb, _unused = meant(offer.verb)
    return words.choices_of(verb, offer.options, names)


DEAR = 10  # points from which a trick is marked as costly or rich
IN_A_ROW = 11  # maximum number of buttons (0 to 10); on a phone, each needs a finger's width


@dataclass(frozen=True)
class TablePage:
    """A table as one viewer sees it. `me` is None for a spectator."""

    code: str
    at: str  # the table's URL
    game: Game[Any]
    options: Any
    revision: str  # may be a placeholder (kaboom.table_page.table_html)
    seats: Sequence[SeatLine]
    names: Names
    settings: Settings

    # The viewer
    me: Seat | None = None
    name: str = ""  # the viewer's name, if known
    host: bool = False
    removed: bool = False  # the host removed the viewer from a seat
    missed: bool = False  # the viewer was not ready in time at this tournament table
    cut: str = ""  # the viewer's contribution to the next shuffle
    keep: bool = False  # the viewer has played enough for a notice about credentials
    own_answer: bool = False  # answers the viewer's own press, so the status line gets the focus

    # The table
    least: int = 0  # players needed to start
    most: int = 0
    by_house: bool = False  # the server set the table up for a single match
    listed: bool = False  # True if the lobby lists the table
    begins_full: bool = False  # True if the first match starts once all seats are taken
    locked: bool = False  # True if the table has a password
    programs: bool = False  # True if players' bots may join
    club: str = ""  # the code of its club, if any
    phrases: bool = False  # True if, as the club requires, typed text is not shown to others
    pace: str = ""  # how fast bots play
    hints: str = ""  # who may ask for hints
    watch: int = 0  # delay for spectators in minutes; -1: they cannot watch matches
    days: int = 0  # time per decision in a correspondence match
    bank: int = 0  # … and the initial time bank
    tournament: str = ""  # the URL of its tournament
    board: str = ""  # the label of a deal that other tables play, too
    origin: CameFrom | None = None  # the step of another match that this one continues
    expires: float | None = None  # when the table will be deleted, if soon; seconds since 1970
    same_deal: str = ""  # the sentence that proposes the same deal again
    counts: str = ""  # in English: whether the next match is rated; empty if not stated

    # The match
    playing: bool = False
    match: int = 0  # number of the match at this table, 0 before the first
    view: View | None = None
    waiting: Sequence[Seat] = ()
    waits: Sequence[DayWait] = ()  # the seats a correspondence match waits for
    log: tuple[LogLine, ...] = ()
    clocks: Sequence[Clock] = ()
    levels: Sequence[str] = ()  # the levels of bots by seat, empty for people
    controls: MatchControls = MatchControls()
    outcome: Outcome | None = None
    hands: Sequence[Zone] = ()  # hands shown to a spectator that the game's own table omits
    late: bool = False  # shown with a delay of `watch` minutes
    closed: bool = False  # the viewer may not see the match
    frozen: str = ""  # the reason why the match cannot continue, in English
    asks_nothing: bool = False  # the view's status line is that of spectators
    replay: bool = False  # a step of a finished match, without controls
    hands_open: bool = False  # … with every player's hand face up at their seat
    heading: str = ""  # in place of the status line, where what happened is told beside the table
    teaches: bool = False  # a step of a lesson: illegal choices may be tried, and are explained
    beside_text: bool = False  # shown beside other text, so the board may scroll
    on_tv: bool = False  # shown to all people in a room
    board_only: bool = False  # shown without the log and what else is beside the board
    dealt: str = ""  # identifies the deal when it is first shown to the viewer

    # The viewer's moves
    prompt: Prompt | None = None
    # Other moves: taking back and premoves. Pages have separate forms for them.
    besides: Sequence[Offer] = ()
    # A few legal selections for each offer of the prompt, for API clients.
    some: Sequence[Sequence[Choices]] = ()
    hosts_moves: Sequence[Offer] = ()  # the host's moves, on their own page
    back: TakeBack | None = None  # the viewer's move that may be taken back
    plan: str = ""  # the viewer's premove, in words
    may_plan: bool = False  # the viewer may premove
    may_ask_hint: bool = False  # the viewer may ask for a hint
    tip: TipLine | None = None  # the current tip for newcomers
    lost_first: bool = False  # the viewer has lost their first match of this game

    # The result of the request
    ask: Ask | None = None
    notice: str = ""  # the reason why a move was refused
    rule: str = ""  # the heading of the rules page that explains it
    ticked: Sequence[str] | None = None  # the selected boxes of that move, if it is still on offer

    # Shuffles and records
    commitment: str = ""  # hash of the seed of this match
    seed: str = ""  # hexadecimal, only once the match is over
    promise: str = ""  # hash of the seed of the next match
    record: str = ""  # code of the match's record, once it is over
    before: str = ""  # code of the previous match's record

    # The revision and the tokens of offers may be placeholders, so that several viewers can share
    # the rendered HTML. This maps each placeholder to its value (kaboom.table_page.table_html).
    marks: Mapping[str, str] = field(default_factory=dict)

    @property
    def cut_mark(self) -> str:
        """Return an id suffix for the viewer's cut; it changes with the cut."""
        return token_of([self.cut])[:4]

    @property
    def seen(self) -> View:
        """Return the viewer's view of the match; there must be one."""
        assert self.view is not None
        return self.view

    @property
    def viewer(self) -> Seat | None:
        """Return the viewer's seat in the match, or None for a spectator."""
        return self.me if self.me is not None and self.me < len(self.names.seats) else None

    @property
    def addressed(self) -> Seat | None:
        """Return the seat that the texts call "you". It is the viewer's, or None where a match is
        seen from the seat of another player.
        """
        return self.names.me if self.viewer is not None else None

    def title_of(self, seat: Seat) -> str:
        """Return the name of a seat as a heading, "You" for the seat that is addressed."""
        return _("You") if seat == self.addressed else self.names.name(seat)

    def face(self, seat: Seat) -> str:
        """Return the CSS classes of an avatar; a bot's differ from a person's."""
        colour = colours(self.names.seats, tuple(self.levels))[seat]
        return face(self.names.name(seat), colour, self.level(seat))

    def level(self, seat: Seat) -> str:
        """Return the level of the seat's bot in this match, or "" for a person."""
        return self.levels[seat] if seat < len(self.levels) else ""

    def lifts(self, offer: Offer | None) -> TypeGuard[Offer]:
        """Return True if a card must be lifted before this offer plays it."""
        return offer is not None and self.settings.confirm != Asking.NEVER and not self.ask

    @cached_property
    def lifted(self) -> Offer | None:
        """Return the offer that plays a hand card, if cards are lifted first and it plays all of
        them alike.
        """
        zones = self.view.zones if self.view else ()
        own = {place for zone in zones if zone.owner == self.viewer for place in zone.places}
        found = [it for it in self._pressable if it.simple and own.intersection(it.options)]
        only = found[0] if len(found) == 1 and own.issuperset(found[0].options) else None
        return only if self.lifts(only) else None

    @property
    def asked_about(self) -> str:
        """Return the card or place that the confirmation is about, the last one selected."""
        return self.ask.value.split(" ")[-1] if self.ask else ""

    @property
    def fresh(self) -> list[int]:
        """Return the numbers of the lines since the viewer's last move."""
        return [line.number for line in self.log if line.fresh and not self.replay]

    @property
    def orders_hand(self) -> bool:
        """Return True if the viewer has a seat and a hand that can be sorted."""
        return self.me is not None and HAND in self.game.zones

    @property
    def has_trumps(self) -> bool:
        """Return True if the game is known to have trumps at this point."""
        if self.view is None:
            return self.game.ranks
        ranking = self.game.ranking(self.view)
        return ranking is not None and ranking.trump is not None

    @property
    def my_turn(self) -> bool:
        """Return True if the table is waiting for this viewer."""
        return self.prompt is not None and self.prompt.waited_for

    @property
    def title(self) -> str:
        """Return the window title, which says if it is the viewer's turn."""
        if self.my_turn:
            text = N_("Your turn – {game} at table {code}")
        else:
            text = N_("{game} at table {code}")
        return _(text, game=self.game.name, code=self.code)

    @cached_property  # used by several parts of the page
    def saying(self) -> str:
        """Return the status line as this viewer reads it."""
        if self.view is None:
            return ""
        if self.outcome and self.outcome.reason == "stopped":
            return _("The match ended without a result.")
        if self.controls.paused:
            return _("The match is paused: all clocks are stopped.")
        if self.controls.away and self.me in self.waiting:
            return _("Your turn is being played for you.")
        said = self.view.saying
        names = Names(self.names.seats) if self.asks_nothing else self.names
        return self.game.words.say(said.kind, said.facts, names) or ""

    @cached_property
    def result(self) -> str:
        """Return the last result as a sentence, shown before the status line.

        It is "" if there is none, after the match, in a pause, or while a confirmation is open; and
        after a deal on the general table, which tells its last trick beside the cards.
        """
        told_there = self.view and self.view.settled and not self.game.regions
        if told_there or self.outcome or self.controls.paused or self.ask:
            return ""
        return self.last_result

    @property
    def last_result(self) -> str:
        """Return the last result as a sentence, also after the match; "" if there is none."""
        told = self.game.result(self.view) if self.view else None
        return "" if told is None else in_a_sentence(told, self.game.words, self.names)

    @property
    def trick_points(self) -> Points | None:
        """Return the points of the trick that is told; None if its game counts none."""
        told = (self.game.result(self.view) or self.view.saying) if self.view else None
        points: Points | None = told.facts.get("points") if told else None
        return points

    def mark(self, word: str) -> str:
        """Return the words of a mark: the points of a trick that is won, if its game counts any.

        A trick without points has none.
        """
        points = self.trick_points if word == "won" else None
        return _(word) if points is None else f"+{points}" if points else ""

    @property
    def trick_is_dear(self) -> bool:
        """Return True if a trick that is won has so many points that its mark stands out."""
        return (self.trick_points or 0) >= DEAR

    @property
    def awaits_card(self) -> bool:
        """Return True if the status line says what was led, so that a card is due next."""
        return self.view is not None and "led" in self.view.saying.facts

    @property
    def limit_reached(self) -> str:
        """Return who ended the match by reaching the fact "limit" in points; "" if no one did."""
        limit: Points = self.view.facts.get("limit", 0) if self.view and self.outcome else 0
        if not limit or not (self.outcome and self.outcome.played_out):
            return ""
        reached = [seat for seat, row in self.score_rows if (row[-1] or 0) >= limit]
        if not reached:
            return ""
        names = ", ".join(self.called(reached))
        return _("Limit of {limit} reached: {names}.", limit=limit, names=names)

    @property
    def waiting_names(self) -> list[str]:
        """Return the names of the players the table waits for, "you" for the viewer."""
        return self.called(self.waiting)

    @property
    def waiting_is_said(self) -> bool:
        """Return True if the status line names all the players the table waits for."""
        if self.view is None or self.controls.paused:
            return False
        said = self.view.saying
        return bool(self.waiting) and self.game.words.named(said.kind, said.facts) >= {
            *self.waiting
        }

    def called(self, seats: Sequence[Seat]) -> list[str]:
        """Return the names of these seats, "you" for the viewer."""
        return [self.names.you_or_name(seat) for seat in seats]

    def standing_of(self, seat: Seat) -> str:
        """Return the game's short text for a seat; "" without one."""
        said = self.view.standing[seat] if self.view and self.view.standing else None
        return "" if said is None else in_a_sentence(said, self.game.words, self.names)

    @property
    def score_rows(self) -> list[tuple[Seat, Sequence[Points | None]]]:
        """Return the points of each seat: after a deal from the best to the worst by the last."""
        shown = self.view.scores if self.view else None
        rows: list[tuple[Seat, Sequence[Points | None]]]
        rows = list(enumerate(shown.rows)) if shown else []
        if self.view and self.view.settled:
            rows.sort(key=lambda it: it[1][-1] or 0, reverse=not self.game.lowest_wins)
        return rows

    @property
    def leaders(self) -> list[Seat]:
        """Return the seats with the best points after a deal; [] if all have equally many."""
        rows = self.score_rows if self.view and self.view.settled else []
        best = [seat for seat, row in rows if row[-1] == rows[0][1][-1]]
        return best if len(best) < len(rows) else []

    @property
    def place(self) -> int:
        """Return the viewer's place after a deal, players with equal points sharing one; 0 for a
        spectator.
        """
        points = {seat: row[-1] for seat, row in self.score_rows}
        return list(points.values()).index(points[self.viewer]) + 1 if self.viewer in points else 0

    @property
    def place_is_shared(self) -> bool:
        """Return True if others have as many points as the viewer after a deal."""
        points = [row[-1] for _seat, row in self.score_rows]
        return self.place > 0 and points.count(points[self.place - 1]) > 1

    @property
    def own_points(self) -> tuple[str, Points | None] | None:
        """Return the last heading of the points, and the viewer's number below it."""
        shown = self.view.scores if self.view else None
        if shown is None or self.viewer is None:
            return None
        return shown.headings[-1], shown.rows[self.viewer][-1]

    @property
    def deal(self) -> str:
        """Return the number of the deal in words, from the facts "deal" and "deals"; "" without."""
        facts = self.view.facts if self.view else {}
        if not facts.get("deal"):
            return ""
        text = N_("Deal {deal} of {deals}") if facts.get("deals") else N_("Deal {deal}")
        return _(text, deal=facts["deal"], deals=facts.get("deals"))

    @property
    def trump_suit(self) -> str:
        """Return the letter of the suit of trumps; "" without one."""
        ranking = self.game.ranking(self.view) if self.view else None
        suit = ranking.trump if ranking else None
        return suit if suit in SUIT_NAMES else ""

    @property
    def trump(self) -> str:
        """Return the suit of trumps in words; "" without one."""
        return suit_name(self.trump_suit) if self.trump_suit else ""

    @property
    def taken(self) -> list[SeatLine]:
        """Return the taken seats."""
        return [line for line in self.seats if line.name]

    @property
    def has_free_seat(self) -> bool:
        """Return True if a seat is not taken."""
        return len(self.taken) < len(self.seats)

    @property
    def notable(self) -> list[tuple[Option, str]]:
        """Return the options that players should know before taking a seat, in words."""
        return notable(self.options)

    @property
    def can_have_more_time(self) -> int:
        """Return the number of running clocks that the viewer can extend."""
        return sum(it.more for it in self.clocks) if self.me is not None else 0

    @property
    def timed(self) -> bool:
        """Return True if players' time is limited at this table."""
        return any(limits(self.options).values())

    @property
    def offers(self) -> Sequence[Offer]:
        """Return all of the viewer's offers: the game's prompt, then the other moves."""
        return (*(self.prompt.offers if self.prompt else ()), *self.besides)

    @cached_property
    def offered(self) -> Sequence[Offer]:
        """Return the same offers with real tokens in place of placeholders."""
        return [structs.replace(it, token=self.marks.get(it.token, it.token)) for it in self.offers]

    @cached_property
    def menu(self) -> str:
        """Return a hash of the viewer's numbered list of moves; "" without moves."""
        return menu_of(self.match, self.offered) if self.offered else ""

    def offer(self, verb: str) -> Offer | None:
        """Return the viewer's current offer with this verb, or None."""
        return self.prompt.offer(verb) if self.prompt else None

    def previews(self) -> list[str]:
        """Return the effects of the viewer's moves as sentences, without duplicates."""
        offers = self.prompt.offers if self.prompt else ()
        return list(dict.fromkeys(told for offer in offers for told in self.previews_of(offer)))

    def previews_of(self, offer: Offer) -> list[str]:
        """Return the effects of an offer: one sentence for all its options, or one for each, if
        any.
        """
        told = self.preview(offer)
        if told or not offer.chooses_one:
            found = [told]
        else:
            found = [self.preview(offer, option) for option in offer.playable]
        return [sentence for sentence in found if sentence]

    def preview(self, offer: Offer, *choices: str) -> str:
        """Return the effect of a move as a sentence; "" if it has none."""
        if self.view is None or offer in self.besides:
            return ""
        return foretold(self.game, self.view, offer.verb, choices, self.names)

    def label(self, offer: Offer) -> str:
        """Return the button text or heading of an offer."""
        words = self.game.words
        if offer.verb == TAKE_BACK:
            assert self.back is not None  # otherwise it would not be on offer
            return _("Take back “{move}”", move=self.back.move)
        if offer.verb == FORGET:
            return _("Cancel the planned move “{plan}”", plan=self.plan)
        if decides_ahead(offer.verb):
            return _("In advance: {plan}", plan=self.decided(offer))
        return words.offer(offer.verb, self.names, offer.about)

    def decided(self, offer: Offer) -> str:
        """Return in words the decision that a premove offer answers."""
        verb, until = meant(offer.verb)
        return self.game.words.ahead(verb, (), until, self.names)

    def choices(self, offer: Offer) -> Sequence[str]:
        """Return all options of an offer in words."""
        return options_in_words(offer, self.game.words, self.names)

    def choice(self, offer: Offer, option: str) -> str:
        """Return one option of an offer in words."""
        verb, _unused = meant(offer.verb)
        return self.game.words.choice(verb, option, self.names)

    def value(self, offer: Offer, option: str = "") -> str:
        """Return the form value of an offer's button: its token, the verb and any option."""
        return f"{offer.token} {offer.verb} {option}".rstrip()

    @cached_property
    def places(self) -> frozenset[str]:
        """Return the cards and places on the table that a move can refer to."""
        zones = self.view.zones if self.view else ()
        return frozenset(place for zone in zones for place in zone.places)

    def buttons(
        self, plain: Collection[str] = (), elsewhere: Collection[str] = ()
    ) -> tuple[Button, ...]:
        """Return a button for each offer that needs one press; those to be confirmed come last.

        Verbs with buttons `elsewhere` and numbers are omitted, as are options that are selected by
        pressing their card, unless that press answers another offer. Verbs in `plain` get secondary
        buttons.
        """
        on_table = self.places
        offers = [offer for offer in self._pressable if offer.simple]
        found = []
        for offer in sorted(offers, key=lambda offer: offer.confirm):
            if offer.verb in elsewhere:
                continue
            label = self.label(offer)
            if not offer.options:
                kind = "btn-secondary" if offer.verb in plain else ""
                brief = self.game.words.brief(offer.verb, self.names, offer.about)
                tail = label.removeprefix(brief) if brief and label.startswith(brief) else ""
                said = label.removesuffix(tail)
                sign = self.game.words.sign(offer.verb, self.names, offer.about)
                found.append(Button(offer.token, self.value(offer), said, kind, tail, sign))
                continue
            by_press = self._by_press(offer) if offer.options[0] in on_table else ()
            found += [
                Button(
                    f"{offer.token}-{number}",
                    self.value(offer, option),
                    f"{label}: {self.choice(offer, option)}",
                )
                for number, option in enumerate(offer.playable, 1)
                if option not in by_press
            ]
        return tuple(found)

    def number_rows(self, elsewhere: Collection[str] = ()) -> tuple[NumberRow, ...]:
        """Return a row for each offer of whole numbers, except for verbs handled `elsewhere`."""
        offers = self.prompt.offers if self.prompt else ()
        return tuple(
            self._number_row(offer)
            for offer in offers
            if offer.numbers
            and offer.chooses_one
            and offer.playable
            and offer.verb not in elsewhere
        )

    def _number_row(self, offer: Offer) -> NumberRow:
        playable = sorted(offer.playable, key=int)
        buttons = tuple(
            Button(
                f"{offer.token}-{option}",
                self.value(offer, option),
                self.choice(offer, option),
                "" if option in playable else "barred",
            )
            for option in sorted(offer.options, key=int)
        )
        least, most = playable[0], playable[-1]
        row = buttons if len(buttons) <= IN_A_ROW else ()
        return NumberRow(offer.token, self.label(offer), self.value(offer), least, most, row)

    @property
    def _pressable(self) -> Sequence[Offer]:
        """Return the offers whose options may be cards and places on the table."""
        return [it for it in (self.prompt.offers if self.prompt else ()) if not it.numbers]

    def taking_back(self) -> tuple[Button, ...]:
        """Return the button that takes back the viewer's last move, if it can be taken back."""
        if self.back is None:
            return ()
        value = f"back {TAKE_BACK} {self.back.number}"
        label = _("Not ready yet") if self.back.verb == "ready" else _("Take back")
        return (Button("back", value, label, "quiet", f": {self.back.move}"),)

    @property
    def played_out(self) -> bool:
        """Return True if the match was played to its end."""
        return self.outcome is not None and self.outcome.played_out

    @property
    def several(self) -> list[Offer]:
        """Return the offers that need more than one press, which have checkboxes."""
        offers = self.prompt.offers if self.prompt and not self.ask else ()
        return [offer for offer in offers if not offer.simple]

    def boxes(self, offer: Offer) -> list[list[tuple[int, str, Card]]]:
        """Return the options of an offer in rows that follow the zones.

        Each option has its number, its text and the card at its place, or "" if it is not on the
        table.
        """
        lying = {
            place: (row, card)
            for row, zone in enumerate(self.view.zones if self.view else ())
            for place, card in zip(zone.places, zone.cards, strict=False)
        }
        rows: dict[int, list[tuple[int, str, Card]]] = {}
        for number, option in enumerate(offer.options, 1):
            row, card = lying.get(option, (-1, ""))
            rows.setdefault(row, []).append((number, option, card))
        return list(rows.values())

    def pressed(self) -> str:
        """Return the effect of pressing a card as a sentence; "" if no card can be pressed, if the
        tip for newcomers already says so, or if the viewer has chosen and may only change it.
        """
        if self.offer("withdraw"):
            return ""
        on_table = self.places
        offers = [it for it in self._pressable if it.simple and it.options]
        found = [it for it in offers if it.options[0] in on_table]
        found = [it for it in found if self._by_press(it) or not it.playable]
        if not found:
            return ""
        last = found[-1]
        if self.tip is not None and self.tip.key == last.verb:
            return ""
        told = self.game.words.how(last.verb, self.names, last.about)
        return told or _("{what}: press the card.", what=self.label(last))

    @cached_property
    def _pressing(self) -> Mapping[str, Offer]:
        """Return the first offer that one press answers, by card or place."""
        simple = [offer for offer in self._pressable if offer.simple]
        return {place: offer for offer in reversed(simple) for place in offer.playable}

    def pressing(self, place: str) -> Offer | None:
        """Return the offer that a press on this card or place answers, or None."""
        return self._pressing.get(place)

    def _press(self, place: str) -> Press | None:
        offer = self.pressing(place)
        return Press(self.value(offer, place), offer.blocks, offer.verb) if offer else None

    def _by_press(self, offer: Offer) -> Collection[str]:
        """Return the options of an offer that are selected by pressing their card or place."""
        playable = self.places.intersection(offer.playable)
        return [it for it in playable if self._pressing[it].verb == offer.verb]

    def presses(self, zone: Zone) -> tuple[Press | None, ...]:
        """Return the effect of pressing each card of a zone; None for a card without one."""
        return tuple(map(self._press, zone.places))

    def presses_on(self, places: Sequence[str]) -> list[Press]:
        """Return the effects of pressing these cards and places, except those without an effect."""
        return [press for press in map(self._press, places) if press]

    def remarks(self, zone: Zone) -> tuple[str, ...]:
        """Return the remark on each card of a zone, or ""."""
        return tuple(zone.marks.get(place, "") for place in zone.places)

    def seats_from_me(self) -> list[Seat]:
        """Return all seats of the match in turn order, starting with the viewer's."""
        count = len(self.names.seats)
        first = self.me or 0
        return [(first + step) % count for step in range(count)]
