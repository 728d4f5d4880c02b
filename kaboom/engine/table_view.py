"""What the templates of a table are given: plain records, which lead to nothing else."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from functools import cached_property, lru_cache
from typing import Any, NamedTuple, TypeGuard
from zlib import crc32

from msgspec import structs

from kaboom.engine.codec import from_json, to_json
from kaboom.engine.game import Game
from kaboom.engine.i18n import mark, say, spoken_now
from kaboom.engine.menu import menu_of
from kaboom.engine.moves import Choices, Seat
from kaboom.engine.options import Option, limits, notable
from kaboom.engine.premoves import FORGET, decides_ahead, meant
from kaboom.engine.takeback import VERB as TAKE_BACK
from kaboom.engine.texts import Names, Words
from kaboom.engine.toolkit.cards import Card
from kaboom.engine.toolkit.tips import TipLine
from kaboom.engine.views import Offer, Outcome, Prompt, Saying, View, Zone, token_of


@dataclass(frozen=True, slots=True)
class SeatLine:
    """One chair at the table, taken or free (`name` empty)."""

    seat: Seat
    name: str = ""
    colour: int = 0  # of the face: `colours`
    bot: bool = False
    level: str = ""  # how well a bot plays
    mine: bool = False
    host: bool = False
    ready: bool = False
    present: bool = True
    stand_in: bool = False  # a bot plays for the player of this seat
    program: bool = False  # a program of the player's own plays here
    manner: str = ""  # whether they stay to the end of matches, in English

    @property
    def face(self) -> str:
        """Return the classes that draw the face of the seat."""
        return face(self.name, self.colour, self.level if self.bot else "")


class LogLine(NamedTuple):
    """One sentence of the log; `number` counts what this viewer heard, and reveals no more."""

    number: int
    text: str
    fresh: bool = False  # happened since the viewer's own last move
    kind: str = ""  # which of the game's sentences it is
    href: str = ""  # its step in the replay, once the match is over
    html: str = ""  # the line as it is drawn
    facts: bytes = b""  # what it tells, as data (JSON)


class Button(NamedTuple):
    """A button of the prompt: the end of its id, what it sends, what it says, and its class. `tail`
    is the rest of what it says, which is left out where there is little room.
    """

    id: str
    value: str
    label: str
    kind: str = ""
    tail: str = ""


class NumberRow(NamedTuple):
    """An offer of whole numbers: what it asks, and a button for each number that can be chosen; of
    many there is one field instead, and no button. `value` is what is sent before the number.
    """

    id: str
    label: str
    value: str
    least: str
    most: str
    buttons: tuple[Button, ...]


class TakeBack(NamedTuple):
    """A move of the viewer that can be taken back: its number in the log, and in words."""

    number: int
    move: str


class Press(NamedTuple):
    """A press on a card: what it sends, whether the table waits for such a press, and its verb."""

    value: str
    must: bool
    verb: str


@dataclass(frozen=True, slots=True)
class Ask:
    """A question "are you sure?". `value` names it in ?ask=, so that a refresh asks it again; a yes
    goes to `action` of the table with `fields`, the last of them by the button.
    """

    question: str
    value: str
    action: str
    fields: Sequence[tuple[str, str]]
    preview: str = ""  # what it would do, in a sentence


@dataclass(frozen=True, slots=True)
class Clock:
    """A running timer that all may see: seconds left of seconds given. It is that of all for which
    the table waits.
    """

    left: float
    given: float
    held: bool = False
    more: bool = False  # can it be given more time?


class DayWait(NamedTuple):
    """A player that a match over days waits for: in words how long they have left, or until when
    they are on `vacation`. `nudge`: the viewer may remind them. `seconds` are None on vacation.
    """

    seat: Seat
    name: str
    mine: bool
    left: str
    vacation: str
    seconds: float | None
    nudge: bool

    @property
    def sentence(self) -> str:
        """Return it in a sentence."""
        if self.vacation:
            if self.mine:
                return say("You are on vacation: your clock stands still.")
            return say("{name} is on vacation until {day}.", name=self.name, day=self.vacation)
        if self.mine:
            return say("You have {time} left.", time=self.left)
        return say("{name} has {time} left.", name=self.name, time=self.left)


@dataclass(frozen=True, slots=True)
class VoteLine:
    """An open vote as one viewer reads it.

    `mine` is the viewer's part in it: asked, agreed, about (it is about them), alone (nobody else
    is here, so it must be pressed again) or empty for anyone who has no say.
    """

    number: int
    text: str
    agreed: Sequence[str]  # names
    missing: Sequence[str]
    mine: str = ""


@dataclass(frozen=True, slots=True)
class MatchControls:
    """What goes on at a table besides its game, while a match is played."""

    paused: bool = False
    vote: VoteLine | None = None
    proposed: str = ""  # what the vote is about, in a sentence, without
    means: str = ""  # … what it means, where that is to be said
    away: bool = False  # the viewer's seat is played by a bot, or has been given up
    bot: bool = False  # … and it is a bot
    done: Sequence[str] = ()  # what was done in the viewer's name, in words
    hint: str = ""  # what a bot would do in the viewer's place, and why, in words
    advised: Sequence[str] = ()  # … and as a move is written: its verb and choices
    about: Sequence[str] = ()  # … and the places its reason names, where it chooses none
    bots_for: Sequence[str] = ()  # names of the others whose seats a bot plays
    may_propose: bool = False
    plan: str = ""  # what the viewer has decided ahead, as a move is written: "lay 8S"
    plan_comes: bool = False  # … and it is about to be made


class Asking(IntEnum):
    """When a browser's owner is asked before a move that may cost them and cannot be taken back."""

    NEVER = 0
    ALWAYS = 1
    FIRST = 2  # in their first match of a game


@dataclass(frozen=True, slots=True)
class Settings:
    """What a browser has set for itself, kept in a cookie."""

    confirm: Asking = Asking.FIRST  # unless never, a card of one's hand is lifted first
    refresh: int = 0  # seconds between refreshes where scripts are off; 0 is never
    look: str = "auto"  # auto, light or dark
    colours: int = 4  # of the deck: four or two
    language: str = "auto"  # as the browser asks, or the code of a language
    turn: str = ""  # on your turn: notice (a notification), or only title and icon
    sound: int | None = None  # how loud, 0 (off) to 3; None while nobody has been asked
    cards: str = ""  # their size: as usual, large or larger
    index: str = ""  # rank and suit in a card's corner: as usual, or large
    back: str = ""  # what is drawn on backs: the sun on a lattice, sea or night
    motion: str = ""  # as the system has it, or none
    grids: str = ""  # of Kaboom: as they lie before oneself, or turned towards their owners
    keys: bool = False  # do the keys 1 to 9 press the offers?


class Draw(NamedTuple):
    """How a region is drawn: by the name of its macro, with its values.

    A region that is `kept` is drawn once for all who are shown the same. So is one `around` others,
    which are among its values, already drawn. `anew` draws what is shown only once, or needs the
    whole page.
    """

    kept: Callable[..., str]
    around: Callable[..., str]
    anew: Callable[..., str]


class Shown(NamedTuple):
    """What a game draws of its table, each part as HTML.

    `heard` is added to the line that says what is happening, `told` follows it, one line at most;
    what is longer is a `note`, above the rail. `standing` is what the viewer has, in a few words.
    `beside` stands with what happened. Offers of the verbs in `quiet` are the quieter buttons;
    those of the verbs in `on_board` have their buttons there. A `prompt`, in parts, is drawn in
    place of all buttons and picks.
    """

    kind: str  # how it is laid out, in the words of the style sheet
    board: str
    heard: str = ""
    told: str = ""
    note: str = ""
    standing: str = ""
    lifting: str = ""  # the button that plays a lifted card, if cards are lifted now
    beside: str = ""
    quiet: Collection[str] = ()
    on_board: Collection[str] = ()
    prompt: Sequence[str] | None = None
    names_waited_for: bool = True  # False where what is happening names them already
    clocks: bool = True  # False where no seat's time runs
    counted: Sequence[str] = ()  # what each seat has in the end, in words, where that is not points
    how: str = ""  # how the match was won, where that is no matter of counting
    last: str = ""  # the card that won it
    final: str = ""  # the cards that decided it, drawn: they are seen before who won


def foretold(game: Game[Any], view: View, verb: str, choices: Choices, names: Names) -> str:
    """Return what a move would do, in a sentence; nothing where its game has none to say."""
    told = game.preview(view, verb, choices)
    return "" if told is None else in_a_sentence(told, game.words, names)


def in_a_sentence(saying: Saying, words: Words, names: Names) -> str:
    """Return what a game says of the moment or of a move, in a sentence."""
    return _in_words(words, saying.kind, to_json(saying.facts), names, spoken_now().code)


def options_in_words(offer: Offer, words: Words, names: Names) -> Sequence[str]:
    """Return all options of an offer in words, also of one to decide ahead."""
    verb, _ = meant(offer.verb)
    return words.choices_of(verb, offer.options, names)


@lru_cache(maxsize=20_000)  # most of what lies there, and what it would do, stays from look to look
def _in_words(words: Words, kind: str, facts: bytes, names: Names, language: str) -> str:
    return words.say(kind, from_json(facts, dict), names) or ""


@lru_cache(maxsize=1024)
def face(name: str, colour: int, level: str) -> str:
    """Return the classes of a face in the style sheet: by the name all but its colour. That of a
    bot ends with the level it plays at.
    """
    number = crc32(name.encode())
    bot = (f"a{number % 2}", f"v{number // 2 % 2}", level)
    parts = bot if level else _features(number)
    return " ".join(("face", f"c{colour}", *parts))


COLOURS = 10  # of faces, in the style sheet
IN_A_ROW = 11  # small buttons, from 0 to 10, at most: on a phone each is as wide as a finger's tip


@lru_cache(maxsize=1024)
def colours(names: tuple[str, ...]) -> tuple[int, ...]:
    """Return the colour of each face of those who play together: the same wherever they sit, so
    that it stays from match to match, and a different one for each as long as there are enough.
    """
    free = set(range(COLOURS))
    found = {}
    for name in sorted(set(names)):
        wished = crc32(name.encode()) // 12 % COLOURS
        after = ((wished + step) % COLOURS for step in range(COLOURS))
        found[name] = next((it for it in after if it in free), wished)
        free.discard(found[name])
    return tuple(found[name] for name in names)


def _features(number: int) -> tuple[str, str, str]:
    return f"t{number % 3}", f"e{number // 3 % 2}", f"m{number // 6 % 2}"


@dataclass(frozen=True)
class TablePage:
    """A table as one viewer's browser shows it. `me` is None for a spectator."""

    code: str
    at: str  # its address
    game: Game[Any]
    options: Any
    revision: str  # a mark in its place (kaboom.play.fragments)
    seats: Sequence[SeatLine]
    names: Names
    settings: Settings

    # The viewer
    me: Seat | None = None
    name: str = ""  # what the viewer is called, if that is known
    host: bool = False
    removed: bool = False  # the host took the viewer off a chair
    cut: str = ""  # the viewer's own part in the next shuffle
    keep: bool = False  # the viewer has played enough here to be told how to come back
    own_answer: bool = False  # the answer to the viewer's own press: the focus goes to the status

    # The table
    least: int = 0  # players needed to start
    most: int = 0
    by_house: bool = False  # the house has set the table up for one match
    listed: bool = False  # is the table shown in the lobby?
    locked: bool = False  # does it ask for a password?
    programs: bool = False  # are bots of players welcome?
    club: str = ""  # the code of the club it belongs to
    phrases: bool = False  # as the club wants it: nothing typed here is shown to others
    pace: str = ""  # how fast bots play
    hints: str = ""  # who may ask what a bot would do
    watch: int = 0  # minutes by which spectators lag behind; -1: they do not see matches
    days: int = 0  # for each decision, if it is played over days
    tournament: str = ""  # the address of the tournament it belongs to
    board: str = ""  # the label of the deal that other tables play too
    expires: float | None = None  # when it will be removed, if soon; seconds since 1970
    counts: str = ""  # whether the next match counts for ratings, in English; empty: not said

    # The match
    playing: bool = False
    match: int = 0  # number of the match at this table, 0 before the first
    view: View | None = None
    waiting: Sequence[Seat] = ()
    waits: Sequence[DayWait] = ()  # the seats that a match over days waits for
    log: tuple[LogLine, ...] = ()
    clocks: Sequence[Clock] = ()
    levels: Sequence[str] = ()  # of the bots of the match by seat, empty for people
    controls: MatchControls = MatchControls()
    outcome: Outcome | None = None
    hands: Sequence[Zone] = ()  # hands a spectator is shown that the game's own table leaves out
    late: bool = False  # shown as it was `watch` minutes ago
    closed: bool = False  # the match is not for the viewer's eyes
    frozen: str = ""  # why the match cannot go on, in English
    replay: bool = False  # a step of a finished match: nothing can be done
    dealt: str = ""  # names the deal the viewer is shown now, for the first time

    # What the viewer may do
    prompt: Prompt | None = None
    # What the viewer may do besides: take back, decide ahead. Pages have forms of their own for it.
    besides: Sequence[Offer] = ()
    # A few legal selections for each offer of the prompt, where a program is shown the table.
    some: Sequence[Sequence[Choices]] = ()
    hosts_moves: Sequence[Offer] = ()  # what the host may ask for, on the page for that
    back: TakeBack | None = None  # the viewer's move that can be taken back
    plan: str = ""  # what the viewer has decided ahead, in words
    may_plan: bool = False  # there is something to decide ahead
    may_ask: bool = False  # the viewer may ask now what a bot would do
    tip: TipLine | None = None  # what a newcomer is told at this moment

    # What this answer says
    ask: Ask | None = None
    notice: str = ""  # why a move was refused
    rule: str = ""  # heading of the rules page that explains why
    ticked: Sequence[str] | None = None  # the boxes of that move, if it is still asked for

    # Shuffles and records
    commitment: str = ""  # hash of the seed of this match
    seed: str = ""  # hexadecimal, only once the match is over
    promise: str = ""  # hash of the seed of the next match
    record: str = ""  # code of the match's record, once it is over
    before: str = ""  # code of the record of the match before

    # The revision and the tokens of offers may be marks, so that one drawing serves many viewers;
    # this is what each mark stands for (kaboom.play.fragments).
    marks: Mapping[str, str] = field(default_factory=dict)

    @property
    def cut_mark(self) -> str:
        """Return what identifies the viewer's cut in an id, so that a new one is redrawn."""
        return token_of([self.cut])[:4]

    @property
    def seen(self) -> View:
        """Return what the viewer sees of the match; there is one."""
        assert self.view is not None
        return self.view

    @property
    def viewer(self) -> Seat | None:
        """Return the viewer's seat in the match; None for anyone who has none in it."""
        return self.me if self.me is not None and self.me < len(self.names.seats) else None

    def face(self, seat: Seat) -> str:
        """Return the classes that draw a face. Bots look like what they are."""
        return face(self.names.name(seat), colours(self.names.seats)[seat], self.level(seat))

    def level(self, seat: Seat) -> str:
        """Return how well the bot plays that sits there in this match; nothing for a person."""
        return self.levels[seat] if seat < len(self.levels) else ""

    def lifts(self, offer: Offer | None) -> TypeGuard[Offer]:
        """Say whether a card is lifted before this offer, if there is one, plays it."""
        return offer is not None and self.settings.confirm != Asking.NEVER and not self.ask

    @cached_property
    def lifted(self) -> Offer | None:
        """Return the offer that plays one of the viewer's own cards, if these are lifted first:
        where each of them does the same.
        """
        zones = self.view.zones if self.view else ()
        own = {place for zone in zones if zone.owner == self.viewer for place in zone.places}
        found = [it for it in self._pressable if it.simple and own.intersection(it.options)]
        only = found[0] if len(found) == 1 and own.issuperset(found[0].options) else None
        return only if self.lifts(only) else None

    @property
    def asked_about(self) -> str:
        """Return the card or place the question "are you sure" is about, the last one chosen."""
        return self.ask.value.split(" ")[-1] if self.ask else ""

    @property
    def fresh(self) -> list[int]:
        """Return the numbers of the lines since the viewer's own last move."""
        return [line.number for line in self.log if line.fresh and not self.replay]

    @property
    def my_turn(self) -> bool:
        """Say whether the table is waiting for this viewer."""
        return self.prompt is not None and self.prompt.waited_for

    @property
    def title(self) -> str:
        """Return the title of the window, which says whose turn it is."""
        if self.my_turn:
            text = mark("Your turn – {game} at table {code}")
        else:
            text = mark("{game} at table {code}")
        return say(text, game=self.game.name, code=self.code)

    @cached_property  # asked for by each part of what is said
    def saying(self) -> str:
        """Return the line that says what is happening, as this viewer reads it."""
        if self.view is None:
            return ""
        if self.outcome and self.outcome.reason == "stopped":
            return say("The match was ended without a result.")
        if self.controls.paused:
            return say("The match is paused: all clocks are stopped, nobody moves.")
        if self.controls.away and self.me in self.waiting:
            return say("Your turn is being played for you.")
        said = self.view.saying
        return self.game.words.say(said.kind, said.facts, self.names) or ""

    @cached_property
    def result(self) -> str:
        """Return in a sentence what was decided last, while that is being shown: it comes before
        what is happening. Nothing where nothing was, or something else is asked.
        """
        if self.view is None or self.outcome or self.controls.paused or self.ask:
            return ""
        told = self.game.result(self.view)
        return "" if told is None else in_a_sentence(told, self.game.words, self.names)

    @property
    def waiting_names(self) -> list[str]:
        """Return the names of those the table is waiting for, "you" for the viewer."""
        return self.called(self.waiting)

    @property
    def waiting_is_said(self) -> bool:
        """Say whether the line that says what is happening names all the table waits for."""
        if self.view is None or self.controls.paused:
            return False
        said = self.view.saying
        return bool(self.waiting) and self.game.words.named(said.kind, said.facts) >= {
            *self.waiting
        }

    def called(self, seats: Sequence[Seat]) -> list[str]:
        """Return the names of seats, "you" for the viewer."""
        return [say("you") if seat == self.me else self.names.name(seat) for seat in seats]

    @property
    def taken(self) -> list[SeatLine]:
        """Return the taken seats."""
        return [line for line in self.seats if line.name]

    @property
    def notable(self) -> list[tuple[Option, str]]:
        """Return what to know about the options before sitting down, in words."""
        return notable(self.options)

    @property
    def can_have_more_time(self) -> int:
        """Return how many running clocks can be given more time by this viewer."""
        return sum(it.more for it in self.clocks) if self.me is not None else 0

    @property
    def timed(self) -> bool:
        """Say whether people's time is limited at this table."""
        return any(limits(self.options).values())

    @property
    def offers(self) -> Sequence[Offer]:
        """Return all that the viewer may do: what the game asks, then what there is besides."""
        return (*(self.prompt.offers if self.prompt else ()), *self.besides)

    @cached_property
    def offered(self) -> Sequence[Offer]:
        """Return the same with the tokens that answer it, where an offer has a mark for its own."""
        return [structs.replace(it, token=self.marks.get(it.token, it.token)) for it in self.offers]

    @cached_property
    def menu(self) -> str:
        """Return what stands for all that the viewer may do; nothing where that is nothing."""
        return menu_of(self.match, self.offered) if self.offered else ""

    def offer(self, verb: str) -> Offer | None:
        """Return what the game offers the viewer under this verb now, or None."""
        return self.prompt.offer(verb) if self.prompt else None

    def previews(self) -> list[str]:
        """Return what each of the viewer's moves would do, in sentences, each said once."""
        offers = self.prompt.offers if self.prompt else ()
        return list(dict.fromkeys(told for offer in offers for told in self.previews_of(offer)))

    def previews_of(self, offer: Offer) -> list[str]:
        """Return what an offer would do: one sentence that covers all its options, or one for each;
        nothing where its game has none to say.
        """
        told = self.preview(offer)
        if told or not offer.chooses_one:
            found = [told]
        else:
            found = [self.preview(offer, option) for option in offer.playable]
        return [sentence for sentence in found if sentence]

    def preview(self, offer: Offer, *choices: str) -> str:
        """Return what a move of the game would do, in a sentence, or nothing if it has none."""
        if self.view is None or offer in self.besides:
            return ""
        return foretold(self.game, self.view, offer.verb, choices, self.names)

    def label(self, offer: Offer) -> str:
        """Return what the button or heading of an offer says."""
        words = self.game.words
        if offer.verb == TAKE_BACK:
            assert self.back is not None  # or it would not be on offer
            return say("Take back “{move}”", move=self.back.move)
        if offer.verb == FORGET:
            return say("Forget the plan “{plan}”", plan=self.plan)
        if decides_ahead(offer.verb):
            return say("Decide ahead: {plan}", plan=self.decided(offer))
        return words.offer(offer.verb, self.names, offer.about)

    def decided(self, offer: Offer) -> str:
        """Return what is decided by an offer to decide ahead."""
        verb, until = meant(offer.verb)
        return self.game.words.ahead(verb, (), until, self.names)

    def choices(self, offer: Offer) -> Sequence[str]:
        """Return all options of an offer in words."""
        return options_in_words(offer, self.game.words, self.names)

    def choice(self, offer: Offer, option: str) -> str:
        """Return one option of an offer in words."""
        verb, _ = meant(offer.verb)
        return self.game.words.choice(verb, option, self.names)

    def value(self, offer: Offer, option: str = "") -> str:
        """Return what a button sends for an offer: its token, the verb and what is chosen."""
        return f"{offer.token} {offer.verb} {option}".rstrip()

    @cached_property
    def places(self) -> frozenset[str]:
        """Return the cards and places of the table that a move can point at."""
        zones = self.view.zones if self.view else ()
        return frozenset(place for zone in zones for place in zone.places)

    def buttons(
        self, plain: Collection[str] = (), elsewhere: Collection[str] = ()
    ) -> tuple[Button, ...]:
        """Return a button for each offer that one press answers, those to be confirmed last.

        Left out are verbs that have their buttons `elsewhere`, numbers, and options chosen by a
        press on their card, unless that press answers another offer. Verbs in `plain` get quiet
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
                found.append(Button(offer.token, self.value(offer), said, kind, tail))
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
        """Return a row for each offer of whole numbers, but for verbs asked about `elsewhere`."""
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
            Button(f"{offer.token}-{option}", self.value(offer, option), self.choice(offer, option))
            for option in playable
        )
        least, most = playable[0], playable[-1]
        row = buttons if len(buttons) <= IN_A_ROW else ()
        return NumberRow(offer.token, self.label(offer), self.value(offer), least, most, row)

    @property
    def _pressable(self) -> Sequence[Offer]:
        """Return the offers whose options may be cards and places of the table."""
        return [it for it in (self.prompt.offers if self.prompt else ()) if not it.numbers]

    def taking_back(self) -> tuple[Button, ...]:
        """Return the button with which the viewer's last move is taken back, if it can be."""
        if self.back is None:
            return ()
        value = f"back {TAKE_BACK} {self.back.number}"
        return (Button("back", value, say("Take back"), "quiet", f": {self.back.move}"),)

    @property
    def played_out(self) -> bool:
        """Say whether the match is over because it was played to its end."""
        return self.outcome is not None and self.outcome.reason in ("won", "draw")

    @property
    def several(self) -> list[Offer]:
        """Return the offers that one press does not answer: boxes are ticked for them."""
        offers = self.prompt.offers if self.prompt and not self.ask else ()
        return [offer for offer in offers if not offer.simple]

    def boxes(self, offer: Offer) -> list[list[tuple[int, str, Card]]]:
        """Return the options of an offer in rows, as the zones hold them: the number of each, what
        it is, and the card that lies there; empty where it is nothing on the table.
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
        """Return what a press on a card of the table does, in a sentence; empty where no card can
        be pressed.
        """
        on_table = self.places
        offers = [it for it in self._pressable if it.simple and it.options]
        found = [it for it in offers if it.options[0] in on_table]
        found = [it for it in found if self._by_press(it) or not it.playable]
        if not found:
            return ""
        last = found[-1]
        told = self.game.words.how(last.verb, self.names, last.about)
        return told or say("{what}: press the card.", what=self.label(last))

    @cached_property
    def _presses(self) -> dict[str, Press]:
        found: dict[str, Press] = {}
        for offer in reversed(self._pressable):  # the first one counts
            if offer.simple:
                value = self.value(offer)
                for place in offer.playable:
                    found[place] = Press(f"{value} {place}", offer.blocks, offer.verb)
        return found

    def _by_press(self, offer: Offer) -> Collection[str]:
        """Return the options of an offer that are chosen by a press on their card or place."""
        playable = self.places.intersection(offer.playable)
        return [it for it in playable if self._presses[it].verb == offer.verb]

    def presses(self, zone: Zone) -> tuple[Press | None, ...]:
        """Return what a press on each card of a zone does; None where it does nothing."""
        return tuple(map(self._presses.get, zone.places))

    def presses_on(self, places: Sequence[str]) -> list[Press]:
        """Return what a press on each of these cards and places does, where it does something."""
        return [self._presses[it] for it in places if it in self._presses]

    def remarks(self, zone: Zone) -> tuple[str, ...]:
        """Return the remark on each card of a zone, empty where there is none."""
        return tuple(zone.marks.get(place, "") for place in zone.places)

    def pressing(self, place: str) -> Offer | None:
        """Return the offer that a press on this card or place answers, or None."""
        return self.prompt.pressing(place) if self.prompt and place else None

    def seats_from_me(self) -> list[Seat]:
        """Return all seats of the match in turn order, the viewer's own first."""
        count = len(self.names.seats)
        first = self.me or 0
        return [(first + step) % count for step in range(count)]
