"""The state of a tournament after some of its events. Only `apply` changes it."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from math import fsum, inf

from msgspec import Struct

from kaboom.tournaments.rules.events import (
    Began,
    BoardClosed,
    Cancelled,
    Changed,
    CheckedIn,
    CheckInOpened,
    Dealt,
    Entered,
    Format,
    How,
    Left,
    Logged,
    Number,
    Over,
    Paired,
    PodOver,
    Returned,
    Ruling,
    SeatResult,
    Settings,
    Verb,
    WaveStarted,
)
from kaboom.tournaments.rules.matchpoints import AVERAGE_PLUS, board_shares
from kaboom.tournaments.rules.points import bye, shares, standing

OUT_AFTER = 2  # missed rounds after which an entrant is out


class Entrant(Struct, kw_only=True):
    """An entrant. `bot` is the level of a built-in bot, otherwise empty."""

    number: Number
    bot: str
    left: bool = False
    checked: bool
    plays: bool  # is in the field
    paused: bool = False  # absent, and has not returned since
    missed: int = 0  # number of missed rounds


class Wave(Struct):
    """Pods of a round whose tables are opened together; times are table time.

    `dealt_at` and `closed` apply to shared cards: when they were dealt (0: not yet), and whether
    they are public.
    """

    starts_at: float
    ends_at: float
    dealt_at: float = 0.0
    closed: bool = False

    @property
    def secret(self) -> bool:
        """Return True while shared cards are being played and must stay secret."""
        return bool(self.dealt_at) and not self.closed


class Pod(Struct):
    """A pod of a round: its entrants by seat, and its result."""

    entrants: tuple[Number, ...]
    result: tuple[SeatResult, ...] | None = None  # as it was played
    record: str = ""


class Round(Struct):
    """A round; `pairing` is the number of the event that paired it."""

    number: int
    pairing: int
    pods: list[Pod]
    byes: tuple[Number, ...]
    wave: int
    waves: list[Wave] = []
    over_at: float = 0.0  # table time of its last result

    def wave_of(self, pod: int) -> int:
        """Return the wave of a pod, from 0."""
        return pod // self.wave

    def pods_of(self, wave: int) -> range:
        """Return the numbers of the pods in a wave."""
        return range(
            min(wave * self.wave, len(self.pods)), min((wave + 1) * self.wave, len(self.pods))
        )


class Tournament(Struct):
    """The state that follows from the events so far."""

    settings: Settings
    seq: int = 0
    entrants: dict[Number, Entrant] = {}
    check_in_until: float = 0.0
    field: tuple[Number, ...] = ()
    drawn: tuple[Number, ...] = ()  # the field as it was fixed
    rounds: list[Round] = []
    rulings: dict[int, Ruling] = {}
    undone: dict[int, int] = {}  # ruling: the one that undid it
    over: bool = False
    cancelled: bool = False

    @property
    def round(self) -> Round | None:
        """Return the latest round, or None."""
        return self.rounds[-1] if self.rounds else None

    @property
    def begun(self) -> bool:
        """Return True if the field is fixed."""
        return bool(self.field)

    @property
    def ended(self) -> bool:
        """Return True if nothing more will be played."""
        return self.over or self.cancelled or bool(self.standing(Verb.END))

    @property
    def paused(self) -> bool:
        """Return True while the organiser has paused the tournament."""
        return bool(self.standing(Verb.PAUSE))

    @property
    def secret(self) -> bool:
        """Return True while shared cards of any wave must stay secret."""
        return any(wave.secret for round in self.rounds for wave in round.waves)

    def standing(self, verb: Verb) -> list[Ruling]:
        """Return the rulings of a kind that were not undone, in order."""
        return [
            it for seq, it in self.rulings.items() if it.verb == verb and seq not in self.undone
        ]

    def removed(self) -> set[Number]:
        """Return the entrants removed by the organiser."""
        return {number for it in self.standing(Verb.REMOVE) for number in it.entrants}

    def apart(self) -> set[frozenset[Number]]:
        """Return the pairs that the organiser keeps apart."""
        return {frozenset(it.entrants) for it in self.standing(Verb.APART)}

    def active(self) -> list[Number]:
        """Return the entrants active in the next round, in seed order."""
        gone = self.removed()
        found = (self.entrants[number] for number in self.field)
        return [
            it.number
            for it in found
            if not (it.left or it.paused or it.number in gone or it.missed >= OUT_AFTER)
        ]

    def waiting(self) -> list[Number]:
        """Return the entrants who have not left, in order of entry."""
        gone = self.removed()
        return [it.number for it in self.entrants.values() if not it.left and it.number not in gone]

    def result(self, round: Round, pod: int) -> tuple[SeatResult, ...] | None:
        """Return a pod's result: the latest one set by the organiser, or else the one that was
        played; None if there is none.
        """
        for seq, it in reversed(self.rulings.items()):
            about = (it.verb, it.round, it.pod) == (Verb.RESULT, round.number, pod)
            if about and seq not in self.undone and seq > round.pairing:  # not earlier tables
                return it.seats
        made = round.pods[pod]
        return made.result if made.result is not None else self._through(made, len(round.pods))

    def _through(self, pod: Pod, of: int) -> tuple[SeatResult, ...] | None:
        """Return the result of a pod whose entrants all advance without a match, or None."""
        final = self.settings.format != Format.KNOCKOUT or of == 1
        qualify = 1 if final else qualifiers(self.settings.size)
        if len(pod.entrants) > qualify:
            return None
        return tuple(
            SeatResult(entrant, How.THROUGH, place) for place, entrant in enumerate(pod.entrants, 1)
        )

    def is_over(self, round: Round) -> bool:
        """Return True if all pods of a round have their results."""
        return all(self.result(round, pod) is not None for pod in range(len(round.pods)))

    def round_shares(self, round: Round) -> dict[Number, int]:
        """Return the shares of a round so far, by entrant, with byes."""
        size = self.settings.size
        results = [self.result(round, pod) or () for pod in range(len(round.pods))]
        if not self.settings.duplicate:
            found = dict.fromkeys(round.byes, bye(size))
            for result in results:
                found |= shares(result, size)
            return found
        found = dict.fromkeys(round.byes, AVERAGE_PLUS)
        for first in range(0, len(results), round.wave):  # each wave has its own board
            found |= board_shares(results[first : first + round.wave], size)
        return found

    def counted(self, round: Round) -> dict[Number, int]:
        """Return the shares of a round that count in the standings, by entrant.

        With shared cards, it is empty until the round is over, since byes have 60% at once and the
        other entrants would seem to have 0.
        """
        if self.settings.duplicate and not (self.ended or self.is_over(round)):
            return {}
        return self.round_shares(round)

    def ranks(
        self, round: Round, pod: int, shares: Mapping[Number, int]
    ) -> dict[Number, tuple[int, ...]]:
        """Return the sort keys that rank the present entrants of a pod, best first.

        A key is the entrant's place or, with shared cards, their result compared with other tables.

        `shares` are those of the round.
        """
        there = [it for it in self.result(round, pod) or () if it.entrant and it.how != How.ABSENT]
        if not self.settings.duplicate:
            return {it.entrant: standing(it) for it in there}
        return {it.entrant: (standing(it)[0], -shares[it.entrant], standing(it)[1]) for it in there}

    def places(self, round: Round, pod: int, shares: Mapping[Number, int]) -> dict[Number, int]:
        """Return the places of a pod's present entrants; tied ones share a place."""
        if not self.settings.duplicate:
            found = self.result(round, pod) or ()
            return {it.entrant: it.place for it in found if it.how != How.ABSENT}
        ranks = self.ranks(round, pod, shares)
        return {it: 1 + sum(one < mine for one in ranks.values()) for it, mine in ranks.items()}

    def points(self) -> dict[Number, int]:
        """Return the total share of every entrant in the field."""
        total = dict.fromkeys(self.field, 0)
        for round in self.rounds:
            for number, share in self.counted(round).items():
                total[number] += share
        return total

    def held(self, since: float) -> float:
        """Return the seconds of finished pauses since a table time."""
        return fsum(
            max(0.0, self.rulings[until].at - max(since, self.rulings[seq].at))
            for seq, until in self.undone.items()
            if self.rulings[seq].verb == Verb.PAUSE
        )

    @property
    def check_in_ends(self) -> float:
        """Return the table time at which the open check-in ends."""
        return self.check_in_until + self.held(self.check_in_until - 60.0 * self.settings.check_in)

    def waits_from(self, round: Round, pods: Collection[int]) -> float:
        """Return the table time since which these pods have been waiting for missing players.

        That is the latest of three times: the beginning of the pods, the end of a pause, and the
        undoing of a result set by the organiser.
        """
        begun = [round.waves[round.wave_of(pod)].starts_at for pod in pods]
        again = [
            self.rulings[by].at
            for seq, by in self.undone.items()
            if (it := self.rulings[seq]).verb == Verb.PAUSE
            or (it.verb == Verb.RESULT and it.round == round.number and it.pod in pods)
        ]
        return max((*begun, *again))

    def ends_at(self, round: Round, wave: int) -> float:
        """Return the table time at which matches of a wave are ended; infinite without a limit.

        Finished pauses postpone it.
        """
        time = round.waves[wave]
        if not time.ends_at:
            return inf
        return time.ends_at + self.extended(round.number) + self.held(time.starts_at)

    def limits(self) -> list[float]:
        """Return the time limits of all waves with unfinished matches, in table time.

        Matches whose result the organiser has set are included.
        """
        return [
            self.ends_at(round, wave)
            for round in self.rounds
            for wave in range(len(round.waves))
            if round.waves[wave].ends_at
            and any(round.pods[pod].result is None for pod in round.pods_of(wave))
        ]

    def extended(self, round: int) -> float:
        """Return the seconds by which the organiser has extended a round."""
        minutes = sum(it.minutes for it in self.standing(Verb.EXTEND) if it.round == round)
        return 60.0 * minutes


def qualifiers(size: int) -> int:
    """Return the number of entrants of a full pod who advance in a knockout: half of four or eight,
    else one.
    """
    return size // 2 if size in (4, 8) else 1


def folded(settings: Settings, events: Iterable[Logged]) -> Tournament:
    """Return the state of a tournament with these original settings after these events."""
    found = Tournament(settings)
    for it in events:
        apply(found, it)
    return found


def apply(to: Tournament, logged: Logged) -> None:
    """Apply the next event to the state of a tournament, in place."""
    to.seq = logged.seq
    match logged.event:
        case Changed(settings):
            to.settings = settings
        case Entered(entrant, bot):
            to.entrants[entrant] = Entrant(
                number=entrant, bot=bot, checked=bool(bot), plays=to.begun
            )
            if to.begun:
                to.field = (*to.field, entrant)
        case Left(entrant):
            to.entrants[entrant].left = True
        case Returned(entrant):
            back = to.entrants[entrant]
            back.left = back.paused = False
            if to.begun and not back.plays:  # like a late entrant
                back.plays = True
                to.field = (*to.field, entrant)
        case CheckInOpened(until):
            to.check_in_until = until
        case CheckedIn(entrant):
            to.entrants[entrant].checked = True
        case Began(numbers):
            to.field = to.drawn = numbers
            for number in numbers:
                to.entrants[number].plays = True
        case Paired(number, pods, byes, wave):
            made = Round(number, logged.seq, [Pod(it) for it in pods], byes, wave)
            to.rounds = [it for it in to.rounds if it.number != number] + [made]
        case WaveStarted(number, _, starts_at, ends_at):
            to.rounds[number - 1].waves.append(Wave(starts_at, ends_at))
        case Dealt(number, wave, at):
            to.rounds[number - 1].waves[wave].dealt_at = at
        case BoardClosed(number, wave):
            to.rounds[number - 1].waves[wave].closed = True
        case PodOver(number, pod, seats, at, record):
            _pod_over(to, to.rounds[number - 1], pod, seats, at, record)
        case Over():
            to.over = True
        case Cancelled():
            to.cancelled = True
        case Ruling(verb):
            about = to.rulings.get(logged.event.undone, logged.event)
            before = _missed(to, about.round, about.pod)
            to.rulings[logged.seq] = logged.event
            if verb == Verb.RESULT:
                round = to.rounds[logged.event.round - 1]
                round.over_at = max(round.over_at, logged.event.at)
            elif verb == Verb.UNDO:
                to.undone[logged.event.undone] = logged.seq
            _note_missed(to, about.round, before, _missed(to, about.round, about.pod))


def _pod_over(
    to: Tournament, round: Round, pod: int, seats: Sequence[SeatResult], at: float, record: str
) -> None:
    round.pods[pod].result, round.pods[pod].record = tuple(seats), record
    round.over_at = max(round.over_at, at)
    _note_missed(to, round.number, set(), _missed(to, round.number, pod))


def _missed(to: Tournament, round: int, pod: int) -> set[Number]:
    """Return the entrants absent from a pod, unless the organiser has ruled that they played; empty
    for round 0.
    """
    if not round:
        return set()
    its = to.rounds[round - 1]
    results = (its.pods[pod].result, to.result(its, pod))
    absent = [{it.entrant for it in seats or () if it.how == How.ABSENT} for seats in results]
    return set.intersection(*absent)


def _note_missed(to: Tournament, round: int, before: set[Number], now: set[Number]) -> None:
    for number in before ^ now:
        entrant = to.entrants[number]
        entrant.missed += 1 if number in now else -1
        if round == len(to.rounds):  # only the last round shows who is present
            entrant.paused = number in now
