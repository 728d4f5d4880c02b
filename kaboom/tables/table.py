"""The stored form of a table: seats, the match's snapshot, log lines, due items.

The match can be rebuilt from its seed, cuts, options and move log (maintenance/recovery.py).
"""

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from enum import StrEnum
from itertools import takewhile
from operator import attrgetter
from typing import Any

from msgspec import Raw, Struct, field

from kaboom.db.times import DAY
from kaboom.engine.bots.bot import Level
from kaboom.engine.bots.delays import Pace
from kaboom.engine.codec import from_json, to_json
from kaboom.engine.continued_match import CameFrom
from kaboom.engine.game import Game
from kaboom.engine.moves import Seat
from kaboom.engine.play import Event
from kaboom.engine.texts import Names, Words
from kaboom.engine.views import Outcome, Prompt, Saying
from kaboom.tables.clock.decision_durations import Thought
from kaboom.tables.clock.timer_kinds import (
    ClockMove,
    CorrespondenceTimer,
    Timed,
    timed_from,
)
from kaboom.tables.clock.whose_turn import Turn
from kaboom.tables.position import Position

SEAT_HELD = 180.0  # seconds within which a player must arrive at a tournament table
LOG_LINES = 30  # log lines shown on a page

NO_HOST = -1  # for Table.host, at a table set up by the server
WATCHED_BY_NOBODY = -1  # for Table.watch

VIEWERS = 16  # the last four bits of a revision identify its viewer

BANKS = (3, 7, 14)  # allowed days of a time bank
DAYS = (1, 2, 3, 7)  # allowed days for each decision


class Hints(StrEnum):
    """Who may ask for a hint on their turn."""

    NONE = "none"
    ALONE = "alone"  # a person who plays only against bots
    ALL = "all"


class Welcome(StrEnum):
    """Whether players' own bots may sit down."""

    NEVER = "never"
    PRIVATE = "private"  # unless the table is shown in the lobby
    ALWAYS = "always"


class SameDeal(Struct, frozen=True):
    """A proposal to repeat the deal of an earlier match, with the seats as they were or moved on by
    one.
    """

    match_id: int
    by: str  # the name of the player who proposed it
    moved: bool = False

    @property
    def kind(self) -> str:
        """Return the kind of the event that proposes it."""
        return "table.propose_moved" if self.moved else "table.propose_same"


class Done(Struct, frozen=True):
    """A move made for a player by a bot or the clock: what was offered and what was chosen."""

    verb: str
    choices: tuple[str, ...] = ()
    about: str = ""


class Hint(Struct, frozen=True):
    """The move a bot suggests to a player, with its reason; `asked` is a hash of the prompt."""

    asked: str
    move: Done
    reason: Saying | None = None


class PlannedMove(Struct, frozen=True):
    """A premove; `token` is a hash of everything that it answers. With `until`, it is played again
    whenever it can be made.
    """

    verb: str
    choices: tuple[str, ...]
    token: str
    until: bool = False


class Back(Struct, frozen=True):
    """A move that can be taken back: its number in the log, and the deadlines before it."""

    number: int
    move: Done
    deadlines: dict[str, "Timer"] = {}


class Vacation(Struct, frozen=True):
    """A player's vacation: its end in seconds since 1970 (`ends_at`) and in table time
    (`until`).
    """

    ends_at: float
    until: float


class Occupant(Struct):
    """A taken seat. A bot has a level and no player id.

    With `stand_in`, a bot plays for the person sitting here until they return; `done` has the bot's
    last moves, until the person's own next move.
    """

    name: str
    player: int | None = None
    ready: bool = False
    present: bool = True
    cut: str = ""  # the player's contribution to the next shuffle
    stand_in: bool = False
    done: list[Done] = field(default_factory=list)
    level: Level = Level.NORMAL
    hint: Hint | None = None  # the last one requested for this seat
    after: int = 0  # number of the table's latest match when they sat down
    entrant: int = 0  # number of the entrant in the tournament
    # Minutes after which they agree to show all hands of the next match; -1: they refuse.
    hands: int = 0
    program: bool = False  # a player's own bot plays here, and is labelled as one
    vacation: Vacation | None = None  # in correspondence play
    lapsed: int = 0  # turns in a row decided by a bot after a timeout
    counts: bool = False  # whether they want their matches to count for ratings
    manner: str = ""  # how reliably they finish matches (access/reliability.py)
    page: str = ""  # the code of their public page, if they have one

    def begin_match(self) -> None:
        """Reset the fields that belong to a single match."""
        self.ready, self.present, self.stand_in, self.done = False, True, False, []
        self.hint, self.hands, self.lapsed = None, 0, 0

    @property
    def bot(self) -> bool:
        """Return True if a bot sits here."""
        return self.player is None

    @property
    def played_by_house(self) -> bool:
        """Return True if a bot moves for this seat now."""
        return self.bot or self.stand_in

    @property
    def shown(self) -> tuple[Any, ...]:
        """Return everything public about the occupant, for comparison."""
        about = (self.name, self.bot, self.level, self.ready, self.present)
        vacation = [self.vacation.ends_at] if self.vacation else []
        return *about, self.stand_in, self.program, *vacation, self.counts, self.manner, self.page


class Said(Struct, frozen=True):
    """A line of the log. `order` sorts public and private lines; it is never shown.

    `facts` are not decoded: each change to a table reads thirty lines, but puts few of them into
    words.
    """

    order: int
    kind: str
    facts: Raw
    step: int = 0  # number of the move that caused it; 0: the deal


class Vote(Struct):
    """A vote at a table (kaboom.tables.votes). Times are in table time."""

    number: int  # number of the vote at its table
    about: str
    by: Seat
    yes: list[Seat]
    until: float  # when it expires
    hold: float  # it cannot pass earlier, so that its target can return and object
    look: float  # when the clock checks it next
    seat: Seat | None = None  # its target
    alone: bool = False  # no other player was present: must be confirmed after the hold


class Timer(Struct):
    """The timer of a due item. `due` is in table time (kaboom.tables.clock.table_time). While the
    timer is stopped, `left` has the remaining seconds instead. Both are None once it is spent, for
    example after a bot has passed.
    """

    given: float
    decision: bool = False  # a deadline for a player's decision rather than a pace
    more: bool = False  # extended once
    due: float | None = None
    left: float | None = None


class Table(Struct):
    """Everything about a table that changes. During a match the first `chairs` are its seats."""

    chairs: list[Occupant | None]
    options: Raw
    host: int
    playing: bool = False
    begins_full: bool = False  # the first match begins once all seats are taken
    match: int = 0  # number of the current or last match at this table
    match_id: int = 0
    seq: int = 0  # moves made in this match
    chain: str = ""  # hash of all these moves
    state: Raw = field(default_factory=lambda: Raw(b"null"))
    seats: list[str] = field(default_factory=list)  # names of the match's players by seat
    levels: list[str] = field(default_factory=list)  # levels of its bots by seat, empty for people
    memories: dict[Seat, Raw] = field(default_factory=dict)  # memories of its bots
    outcome: Outcome | None = None
    rated: bool = False  # the match is rated
    commitment: str = ""
    record: str = ""  # the code of the match's record
    before: str = ""  # the code of the previous match's record
    hands: int = 0  # minutes after which spectators see all hands of this match; 0: never
    watch: int = 0  # spectators' delay in minutes, or WATCHED_BY_NOBODY
    shown_out: list[int] = field(default_factory=list)  # players the host removed recently
    friends: bool = False  # friends of the host need no password
    club: str = ""  # the code of its club, whose members need no password
    reliable: bool = False  # players who often leave may not sit down
    phrases: bool = False  # chat is limited to quick phrases, as set by its club
    hush: bool = False  # hide spectators' chat from players during a match
    audience: bool = True  # spectators may write
    pace: Pace = Pace.NATURAL  # pace of its bots
    banter: bool = True  # its bots chat now and then
    hints: Hints = Hints.ALONE  # who may ask for hints
    programs: Welcome = Welcome.PRIVATE  # whether players' own bots may sit down
    tournament: str = ""  # the code of its tournament
    pod: int = 0  # … and the number of the table in it
    absent: list[int] = field(default_factory=list)  # … and its players who were not ready in time
    ruled: bool = False  # the log says that the organiser has set its result
    next_seed: bytes = b""  # seed of the next match, chosen before its cuts
    board: str = ""  # the label of its shared deal (shared_deals/service.py)
    origin: CameFrom | None = None  # the step of another match from which this one continues
    same_deal: SameDeal | None = None  # proposed for the next match
    timers: dict[str, Timer] = field(default_factory=dict)  # by the texts of clock/timer_kinds.py
    turns: dict[Seat, Turn] = field(default_factory=dict)  # whose turn it is (clock/whose_turn.py)
    thought: dict[Seat, Thought] = field(default_factory=dict)  # thinking times of its people
    days: int = 0  # per decision (0: live play); the column of this name decides
    bank: int = 0  # days of each player's time bank for the whole match
    banks: dict[Seat, float] = field(default_factory=dict)  # seconds left in each used bank
    covered: dict[Seat, int] = field(default_factory=dict)  # numbers of the turns that a bot plays
    nudged: dict[Seat, int] = field(default_factory=dict)  # numbers of turns that had a reminder
    paused: bool = False  # by agreement: clocks are stopped and no move is possible
    frozen: str = ""  # why the match can never continue, in English, for gettext()
    outages: int = 0  # number of outages taken into account
    vote: Vote | None = None
    votes: int = 0  # number of votes so far
    order: int = 0
    told: list[Said] = field(default_factory=list)
    whispered: dict[Seat, list[Said]] = field(default_factory=dict)
    heard: dict[str, int] = field(default_factory=dict)  # number of log lines each viewer has had
    acted: dict[Seat, int] = field(default_factory=dict)  # … up to the player's own last move
    back: dict[Seat, list[Back]] = field(default_factory=dict)  # what can be taken back
    plans: dict[Seat, PlannedMove] = field(default_factory=dict)
    revisions: dict[str, int] = field(default_factory=dict)
    prints: dict[str, str] = field(default_factory=dict)  # hashes of what each viewer sees

    @property
    def by_house(self) -> bool:
        """Return True if the server set up the table for a single match, so that players cannot
        change it.
        """
        return self.host == NO_HOST

    def seat_of(self, player: int | None) -> Seat | None:
        """Return the seat in which a player sits, or None."""
        if player is None:
            return None
        for seat, occupant in enumerate(self.chairs):
            if occupant is not None and occupant.player == player:
                return seat
        return None

    def occupant(self, seat: Seat) -> Occupant:
        """Return the occupant of a taken seat."""
        occupant = self.chairs[seat]
        assert occupant is not None
        return occupant

    def occupant_of(self, player: int | None) -> Occupant | None:
        """Return the occupant of the seat in which a player sits, or None."""
        seat = self.seat_of(player)
        return None if seat is None else self.chairs[seat]

    def options_of(self, game: Game[Any]) -> Any:
        """Return the options as the game's own type."""
        return from_json(bytes(self.options), game.options)

    def alone_with_bots(self) -> bool:
        """Return True if at most one person sits here, so that no other person waits for them."""
        return sum(not occupant.bot for _, occupant in self.sitting()) < 2

    def may_ask_hint(self) -> bool:
        """Return True if the players may ask for hints; always False during a rated match."""
        if self.rated and self.playing:
            return False
        return self.hints == Hints.ALL or (self.hints == Hints.ALONE and self.alone_with_bots())

    def welcomes_programs(self, listed: bool) -> bool:
        """Return True if players' own bots may sit down; `listed` is True if the lobby shows the
        table.
        """
        if self.programs == Welcome.PRIVATE:
            return not listed
        return self.programs == Welcome.ALWAYS

    def sitting(self) -> list[tuple[Seat, Occupant]]:
        """Return the numbers and occupants of the taken seats."""
        return [
            (seat, occupant) for seat, occupant in enumerate(self.chairs) if occupant is not None
        ]

    def people(self) -> dict[Seat, int]:
        """Return the players of the seats that people play themselves, by seat."""
        return {
            seat: occupant.player
            for seat, occupant in self.sitting()
            if occupant.player is not None and occupant.present and not occupant.stand_in
        }

    def is_of_a_person(self, seat: Seat) -> bool:
        """Return True if a seat belongs to a person, even while a bot plays for them."""
        return any(at == seat and not occupant.bot for at, occupant in self.sitting())

    def level(self, seat: Seat) -> Level:
        """Return the level of a seat's bot; the default level for a bot that stands in for a
        person.
        """
        occupant = self.occupant(seat)
        return occupant.level if occupant.bot else Level.NORMAL

    @property
    def opens(self) -> bool:
        """Return True if this is a tournament table whose only match has not begun."""
        return bool(self.pod) and not self.match

    def awaited(self) -> list[Seat]:
        """Return the seats whose players are not ready."""
        taken = self.sitting()
        return [seat for seat, occupant in taken if not occupant.ready]

    def free(self) -> list[Seat]:
        """Return the numbers of the free seats."""
        return [seat for seat, occupant in enumerate(self.chairs) if occupant is None]

    def names(self, me: Seat | None = None) -> Names:
        """Return the players' names by seat, as seen from the seat `me`."""
        return Names(tuple(self.seats), me)

    def revision(self, viewer: Seat | None) -> int:
        """Return the view revision of a viewer, which is the only version number sent to browsers.

        It increases only when that viewer's view changes, and never equals another viewer's.
        """
        return self.revisions.get(key(viewer), 0) * VIEWERS + (0 if viewer is None else viewer + 1)

    def hear(self, events: Iterable[Event], words: Words) -> None:
        """Log the events for which `words` has a sentence; lines are numbered per viewer, so that
        private ones cannot be counted.
        """
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
        """Delete timers, premoves, memories, and moves that could be taken back."""
        self.timers, self.memories, self.back, self.plans = {}, {}, {}, {}
        self.covered, self.nudged, self.banks = {}, {}, {}

    def lines(self, viewer: Seat | None) -> list[tuple[int, Said]]:
        """Return a viewer's last log lines, oldest first, each with its number for this viewer."""
        own = self.whispered.get(viewer, []) if viewer is not None else []
        both = sorted([*self.told, *own], key=attrgetter("order"))[-LOG_LINES:]
        first = self.heard.get(key(viewer), 0) - len(both) + 1
        return list(enumerate(both, start=first))

    @contextmanager
    def acting(self, seat: Seat) -> Iterator[None]:
        """Record which log lines report a seat's own move, made within the context.

        These are the first line and the private ones right after it. Later lines are news to the
        player as well.
        """
        heard = self.heard.get(key(seat), 0)
        yield
        after = [said for number, said in self.lines(seat) if number > heard]
        own = takewhile(self.whispered.get(seat, ()).__contains__, after[1:])
        self.acted[seat] = heard + len([*after[:1], *own])

    def timed(self) -> list[tuple[Timed, Timer]]:
        """Return the items that have a timer, with their timers."""
        return [(timed_from(text), timer) for text, timer in self.timers.items()]

    def clocks(self) -> list[tuple[ClockMove, Timer]]:
        """Return the timers of the game itself, which are public."""
        return [(what, timer) for what, timer in self.timed() if isinstance(what, ClockMove)]

    def day_clocks(self) -> list[tuple[CorrespondenceTimer, Timer]]:
        """Return the correspondence clocks, including those of steps answered in secret."""
        return [
            (what, timer) for what, timer in self.timed() if isinstance(what, CorrespondenceTimer)
        ]

    def bank_of(self, seat: Seat) -> float:
        """Return the seconds in a player's time bank at the start of their turn."""
        return self.banks.get(seat, self.bank * DAY)

    def day_clock(self, seat: Seat) -> Timer | None:
        """Return the correspondence clock of a seat, or None if it has none."""
        return next((timer for what, timer in self.day_clocks() if what.seat == seat), None)

    def viewers(self) -> list[str]:
        """Return the keys of all viewers: one for each seat, and one for spectators."""
        return [*(str(seat) for seat in range(len(self.chairs))), key(None)]

    def note_views(self, position: Position) -> None:
        """Raise the revision of every viewer whose view has changed.

        Views are compared by hashes. The part common to all viewers is hashed only once.
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
        """Return what the page shows to all viewers in addition to the game."""
        waited = [prompt.seat for prompt in prompts if prompt.openly_waited_for]
        clocks = [(str(what), timer.due, timer.left) for what, timer in self.clocks()]
        chairs = [occupant and occupant.shown for occupant in self.chairs]
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
        banks = [self.bank_of(seat) for seat, *_ in open_days]
        return shared + to_json((self.days, self.bank, open_days, banks, self.nudged))

    def _shown_to(self, seat: Seat) -> Iterator[bytes]:
        """Yield what the page shows only to the player of a seat, in addition to the game."""
        occupant = self.chairs[seat]
        if occupant is None:
            return
        yield occupant.cut.encode()
        yield to_json(occupant.hint)
        if self.days and (clock := self.day_clock(seat)) is not None:
            yield to_json((clock.due, clock.left, self.bank_of(seat)))
        if seat in self.plans:
            yield to_json(self.plans[seat])
        if self.back.get(seat):
            yield b"back %d" % self.back[seat][-1].number


def key(viewer: Seat | None) -> str:
    """Return the key of a viewer in `heard`, `revisions` and `prints`."""
    return "s" if viewer is None else str(viewer)
