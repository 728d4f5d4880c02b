"""A table as it is stored: who sits where, the match's snapshot, what was said, what is due.

Everything here but the chairs and options can be rebuilt from the seed and the move log.
"""

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from enum import StrEnum
from itertools import takewhile
from typing import Any

from msgspec import Raw, Struct, field

from kaboom.engine.bots.bot import Level
from kaboom.engine.bots.delays import Pace
from kaboom.engine.codec import to_json
from kaboom.engine.moves import Seat
from kaboom.engine.play import Event
from kaboom.engine.texts import Names, Words
from kaboom.engine.views import Outcome, Prompt, Saying
from kaboom.tables.clock.due import ClockMove, DayClock, Thinking, Timed, timed_from
from kaboom.tables.clock.turns import Turn
from kaboom.tables.position import Position

SEAT_HELD = 180.0  # seconds in which a player must come to the table of a tournament
LOG_LINES = 30  # what a page shows of the log

NOBODY = -1  # for Table.host, at a table that the house has set up
WATCHED_BY_NOBODY = -1  # for Table.watch

VIEWERS = 16  # a revision carries its viewer in the last four bits

DAYS = (1, 2, 3, 7)  # that a table may give for each decision


class Hints(StrEnum):
    """Who may ask at their turn what a bot would do."""

    NONE = "none"
    ALONE = "alone"  # a person whose rivals are all bots
    ALL = "all"


class Welcome(StrEnum):
    """Whether programs that players have written may sit down."""

    NEVER = "never"
    PRIVATE = "private"  # unless the table is shown in the lobby
    ALWAYS = "always"


class Done(Struct, frozen=True):
    """A move a bot or the clock made in somebody's name: what was offered and what was chosen."""

    verb: str
    choices: tuple[str, ...] = ()
    about: str = ""


class Hint(Struct, frozen=True):
    """What a bot would do in somebody's place, and why; `asked` is a hash of the question."""

    asked: str
    move: Done
    reason: Saying | None = None


class Plan(Struct, frozen=True):
    """A move decided ahead; `token` is a hash of all that it answers. With `until` it is made every
    time it can be.
    """

    verb: str
    choices: tuple[str, ...]
    token: str
    until: bool = False


class Back(Struct, frozen=True):
    """A move that can be taken back: its number in the log, and the deadlines of then."""

    number: int
    move: Done
    deadlines: dict[str, "Timer"] = {}


class Vacation(Struct, frozen=True):
    """Somebody's vacation: when it ends (seconds since 1970), and when that is in table time."""

    ends_at: float
    until: float


class Chair(Struct):
    """One occupied place at the table. A bot has no player, and plays at a level.

    With `stand_in` a bot plays for the person sitting here, until they take over again; `done` is
    what it did last, kept until their own next move.
    """

    name: str
    player: int | None = None
    ready: bool = False
    present: bool = True
    cut: str = ""  # the player's own part in the next shuffle
    stand_in: bool = False
    done: list[Done] = field(default_factory=list)
    level: Level = Level.NORMAL
    hint: Hint | None = None  # the last one that was asked for here
    after: int = 0  # the last match here when somebody sat down
    entrant: int = 0  # the number under which somebody plays in a tournament
    # Minutes after which they let spectators see all hands of the next match; -1: they do not.
    hands: int = 0
    program: bool = False  # a program of the player's own plays here, and is called so
    vacation: Vacation | None = None  # of who sits here, where a match is played over days
    lapsed: int = 0  # turns in a row that a bot decided, since time was over
    counts: bool = False  # they want their matches to count for ratings
    manner: str = ""  # whether they stay to the end of matches, in English, for say()

    def begin_match(self) -> None:
        """Reset what belongs to a single match."""
        self.ready, self.present, self.stand_in, self.done = False, True, False, []
        self.hint, self.hands, self.lapsed = None, 0, 0

    @property
    def bot(self) -> bool:
        """Say whether a bot sits here."""
        return self.player is None

    @property
    def played_by_house(self) -> bool:
        """Say whether a bot moves for this seat now."""
        return self.bot or self.stand_in

    @property
    def shown(self) -> tuple[Any, ...]:
        """Return what everybody is shown of it."""
        about = (self.name, self.bot, self.level, self.ready, self.present)
        vacation = [self.vacation.ends_at] if self.vacation else []
        return *about, self.stand_in, self.program, *vacation, self.counts, self.manner


class Said(Struct, frozen=True):
    """An event kept for the log. `order` sorts public and whispered lines; it is never shown.

    `facts` stay JSON, since thirty lines are read with each change of a table and hardly any of
    them is put into words.
    """

    order: int
    kind: str
    facts: Raw
    step: int = 0  # the move it followed from; 0 is the deal


class Vote(Struct):
    """Something put to those at the table (kaboom.tables.votes). Times are in table time."""

    number: int  # of the table's votes
    about: str
    by: Seat
    yes: list[Seat]
    until: float  # when it lapses
    hold: float  # it cannot pass before this: time for the person it is about to come back
    look: float  # when the clock looks at it next
    seat: Seat | None = None  # whom it is about
    alone: bool = False  # nobody else was there: it must be pressed again after the hold


class Timer(Struct):
    """A coming move of the clock or a bot.

    `due` is when (in table time, kaboom.tables.clock.table_time), `left` the seconds that remain
    while it is held, and both are None when it is spent: a bot that let its chance go by is not
    asked again.
    """

    given: float
    decision: bool = False  # the deadline for a decision somebody owes the table, not a pace
    more: bool = False  # somebody asked for more time
    due: float | None = None
    left: float | None = None


class Table(Struct):
    """Everything about a table that changes. `chairs` are the seats of the match while it is
    played.
    """

    chairs: list[Chair | None]
    options: Raw
    host: int
    playing: bool = False
    match: int = 0  # number of the match at this table
    match_id: int = 0
    seq: int = 0  # moves made in this match
    chain: str = ""  # hash over all of them
    state: Raw = field(default_factory=lambda: Raw(b"null"))
    seats: list[str] = field(default_factory=list)  # the names of the match by seat
    levels: list[str] = field(default_factory=list)  # of its bots by seat, empty for people
    memories: dict[Seat, Raw] = field(default_factory=dict)  # what each bot remembers
    outcome: Outcome | None = None
    rated: bool = False  # the match counts for ratings
    commitment: str = ""
    record: str = ""  # the code of the match's record
    before: str = ""  # the code of the record of the match before it
    hands: int = 0  # minutes after which spectators see all hands of this match; 0: never
    watch: int = 0  # minutes by which spectators lag behind the match; or WATCHED_BY_NOBODY
    shown_out: list[int] = field(default_factory=list)  # players the host removed, the latest ones
    friends: bool = False  # of the host need no password
    club: str = ""  # the code of its club, whose members need no password
    phrases: bool = False  # as its club wants it: only quick phrases are said
    hush: bool = False  # what spectators write is kept from the players until the match is over
    audience: bool = True  # spectators may write
    pace: Pace = Pace.NATURAL  # of its bots
    banter: bool = True  # its bots say a phrase now and then
    hints: Hints = Hints.ALONE  # who may ask what a bot would do
    programs: Welcome = Welcome.PRIVATE  # are bots of players welcome?
    tournament: str = ""  # the code of the tournament the table belongs to
    pod: int = 0  # … and which of its tables it is
    ruled: bool = False  # the players were told that the organiser has set its result
    next_seed: bytes = b""  # of the next match: promised before anybody cuts
    board: str = ""  # the label of the deal that other tables play too (shared_deals/service.py)
    timers: dict[str, Timer] = field(default_factory=dict)  # by the texts of clock/due.py
    turns: dict[Seat, Turn] = field(default_factory=dict)  # whom it waits for (clock/turns.py)
    days: int = 0  # for each decision (0: not over days); the column of the same name decides
    covered: dict[Seat, int] = field(default_factory=dict)  # turns a bot decides, by their numbers
    nudged: dict[Seat, int] = field(default_factory=dict)  # turns somebody was reminded of
    paused: bool = False  # by agreement: clocks stop and nobody moves
    frozen: str = ""  # why the match can never go on, in English, for say()
    outages: int = 0  # how many of the store's outages it has noticed
    vote: Vote | None = None
    votes: int = 0  # how many there were
    order: int = 0
    told: list[Said] = field(default_factory=list)
    whispered: dict[Seat, list[Said]] = field(default_factory=dict)
    heard: dict[str, int] = field(default_factory=dict)  # lines each viewer has heard so far
    acted: dict[Seat, int] = field(default_factory=dict)  # … up to the seat's own last move
    back: dict[Seat, list[Back]] = field(default_factory=dict)  # what can be taken back
    plans: dict[Seat, Plan] = field(default_factory=dict)
    revisions: dict[str, int] = field(default_factory=dict)
    prints: dict[str, str] = field(default_factory=dict)  # what each viewer was shown, hashed

    @property
    def by_house(self) -> bool:
        """Say whether the server has set it up for a single match, so that nobody may change it."""
        return self.host == NOBODY

    def seat_of(self, player: int | None) -> Seat | None:
        """Return the chair a player sits on, or None."""
        if player is None:
            return None
        for seat, chair in enumerate(self.chairs):
            if chair is not None and chair.player == player:
                return seat
        return None

    def chair(self, seat: Seat) -> Chair:
        """Return the chair of a seat that somebody has."""
        chair = self.chairs[seat]
        assert chair is not None
        return chair

    def chair_of(self, player: int | None) -> Chair | None:
        """Return the chair a player sits on, or None."""
        seat = self.seat_of(player)
        return None if seat is None else self.chairs[seat]

    def alone_with_bots(self) -> bool:
        """Say whether at most one person sits here: nobody else is there to wait."""
        return sum(not chair.bot for _, chair in self.sitting()) < 2

    def may_ask_a_bot(self) -> bool:
        """Say whether those who play here may ask what a bot would do: never while a match counts
        for ratings, whatever the host sets for those after it.
        """
        if self.rated and self.playing:
            return False
        return self.hints == Hints.ALL or (self.hints == Hints.ALONE and self.alone_with_bots())

    def welcomes_programs(self, listed: bool) -> bool:
        """Say whether bots of players may sit down; `listed`: is the table shown in the lobby?"""
        if self.programs == Welcome.PRIVATE:
            return not listed
        return self.programs == Welcome.ALWAYS

    def sitting(self) -> list[tuple[Seat, Chair]]:
        """Return the chairs that are taken, with their numbers."""
        return [(seat, chair) for seat, chair in enumerate(self.chairs) if chair is not None]

    def people(self) -> dict[Seat, int]:
        """Return the seats played by people themselves, with their players."""
        return {
            seat: chair.player
            for seat, chair in self.sitting()
            if chair.player is not None and chair.present and not chair.stand_in
        }

    def is_of_a_person(self, seat: Seat) -> bool:
        """Say whether a person has a seat, also while a bot plays for them."""
        return any(at == seat and not chair.bot for at, chair in self.sitting())

    def level(self, seat: Seat) -> Level:
        """Return how well the house plays a seat: in a person's place as usual."""
        chair = self.chair(seat)
        return chair.level if chair.bot else Level.NORMAL

    @property
    def opens(self) -> bool:
        """Say whether this is a table of a tournament whose one match has not begun."""
        return bool(self.pod) and not self.match

    def awaited(self) -> list[Seat]:
        """Return the seats of people who have not said that they are ready."""
        taken = self.sitting()
        return [seat for seat, chair in taken if not chair.ready]

    def free(self) -> list[Seat]:
        """Return the numbers of the free chairs."""
        return [seat for seat, chair in enumerate(self.chairs) if chair is None]

    def names(self, me: Seat | None = None) -> Names:
        """Return the names of the match by seat, read by `me`."""
        return Names(tuple(self.seats), me)

    def revision(self, viewer: Seat | None) -> int:
        """Return the viewer's own view revision: the only number a browser is told.

        It moves only when that viewer's view changed, and never equals another viewer's.
        """
        return self.revisions.get(key(viewer), 0) * VIEWERS + (0 if viewer is None else viewer + 1)

    def hear(self, events: Iterable[Event], words: Words) -> None:
        """Keep what can be said in words, per viewer, so that nobody can count others' whispers."""
        for event in events:
            if words.saying(event.kind) is None:
                continue
            self.order += 1
            said = Said(self.order, event.kind, Raw(to_json(event.facts)), self.seq)
            if event.to is None:
                self.told = [*self.told, said][-LOG_LINES:]
                for viewer in self.viewers():
                    self.heard[viewer] = self.heard.get(viewer, 0) + 1
            else:
                kept = self.whispered.get(event.to, [])
                self.whispered[event.to] = [*kept, said][-LOG_LINES:]
                self.heard[key(event.to)] = self.heard.get(key(event.to), 0) + 1

    def clear_moves(self) -> None:
        """Forget timers, plans and memories, and what can be taken back."""
        self.timers, self.memories, self.back, self.plans = {}, {}, {}, {}
        self.covered, self.nudged = {}, {}

    def lines(self, viewer: Seat | None) -> list[tuple[int, Said]]:
        """Return the last lines a viewer heard, oldest first, with the viewer's own numbers."""
        own = self.whispered.get(viewer, []) if viewer is not None else []
        both = sorted([*self.told, *own], key=lambda said: said.order)[-LOG_LINES:]
        first = self.heard.get(key(viewer), 0) - len(both) + 1
        return list(enumerate(both, start=first))

    @contextmanager
    def acting(self, seat: Seat) -> Iterator[None]:
        """Note what a seat's own move, made meanwhile, tells it: the first line, with what is
        whispered to it alone; what the move led to is news to it as well.
        """
        heard = self.heard.get(key(seat), 0)
        yield
        after = [said for number, said in self.lines(seat) if number > heard]
        own = takewhile(self.whispered.get(seat, ()).__contains__, after[1:])
        self.acted[seat] = heard + len([*after[:1], *own])

    def timed(self) -> list[tuple[Timed, Timer]]:
        """Return what has a timer, with its timer."""
        return [(timed_from(text), timer) for text, timer in self.timers.items()]

    def clocks(self) -> list[tuple[ClockMove, Timer]]:
        """Return the timers of the game itself, which all may see running."""
        return [(what, timer) for what, timer in self.timed() if isinstance(what, ClockMove)]

    def thinking(self) -> list[tuple[Thinking, Timer]]:
        """Return the timers of the bots."""
        return [(what, timer) for what, timer in self.timed() if isinstance(what, Thinking)]

    def day_clocks(self) -> list[tuple[DayClock, Timer]]:
        """Return the timers of people's days, also those whose owner is a secret (sealed)."""
        return [(what, timer) for what, timer in self.timed() if isinstance(what, DayClock)]

    def day_clock(self, seat: Seat) -> Timer | None:
        """Return the timer of the days that somebody has left, or None when none runs."""
        return next((timer for what, timer in self.day_clocks() if what.seat == seat), None)

    def viewers(self) -> list[str]:
        """Return the keys of everybody who can have a view: each chair, and the spectators."""
        return [*(str(seat) for seat in range(len(self.chairs))), key(None)]

    def note_views(self, position: Position) -> None:
        """Raise the revision of every viewer whose view has changed.

        Views are compared by hashes; what all viewers are shown is put together only once.
        """
        prompts = position.prompts
        shared = self._shown_to_all(prompts)
        for seat in [*range(len(self.chairs)), None]:
            viewer = key(seat)
            shown = hashlib.blake2b(shared, digest_size=12)
            shown.update(b"%d" % self.heard.get(viewer, 0))
            if seat is not None:
                for own in self._shown_to(seat):
                    shown.update(own)
            if position.state is not None and (seat is None or seat < len(prompts)):
                prompt = None if seat is None else prompts[seat]
                shown.update(to_json((position.view(seat), prompt)))
            print_now = shown.hexdigest()
            if self.prints.get(viewer) != print_now:
                self.prints[viewer] = print_now
                self.revisions[viewer] = self.revisions.get(viewer, 0) + 1

    def _shown_to_all(self, prompts: Sequence[Prompt]) -> bytes:
        """Return what every viewer is shown besides the game."""
        waited = [prompt.seat for prompt in prompts if prompt.openly_waited_for]
        clocks = [(str(what), timer.due, timer.left) for what, timer in self.clocks()]
        chairs = [chair and chair.shown for chair in self.chairs]
        vote = self.vote and (self.vote.number, self.vote.yes, self.vote.alone)
        bots = (self.pace, self.hints, self.programs)
        going = (self.playing, self.match, self.outcome, self.paused, self.frozen, vote, bots)
        shared = to_json((chairs, self.host, going, waited, clocks))
        if not self.days:
            return shared
        open_days = [
            (what.seat, timer.due, timer.left)
            for what, timer in self.day_clocks()
            if what.seat in waited
        ]
        return shared + to_json((self.days, open_days, self.nudged))

    def _shown_to(self, seat: Seat) -> Iterator[bytes]:
        """Yield what only the player of a seat is shown besides the game."""
        chair = self.chairs[seat]
        if chair is None:
            return
        yield chair.cut.encode()
        yield to_json(chair.hint)
        if self.days and (clock := self.day_clock(seat)) is not None:
            yield to_json((clock.due, clock.left))
        if seat in self.plans:
            yield to_json(self.plans[seat])
        if self.back.get(seat):
            yield b"back %d" % self.back[seat][-1].number


def key(viewer: Seat | None) -> str:
    """Return the text a viewer's numbers are kept under."""
    return "s" if viewer is None else str(viewer)
