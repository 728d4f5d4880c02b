"""The course of a tournament: its next step, number of rounds, and pairings."""

import hashlib
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

from msgspec import Struct

from kaboom.engine.codec import to_json
from kaboom.tournaments.rules import knockout, round_robin, swiss
from kaboom.tournaments.rules.draw import Draw
from kaboom.tournaments.rules.events import (
    Began,
    Cancelled,
    CheckInOpened,
    Event,
    Format,
    How,
    Number,
    Paired,
    Verb,
    WaveStarted,
)
from kaboom.tournaments.rules.standings import played
from kaboom.tournaments.rules.state import Round, Tournament, qualifiers

LEAST = 2  # the fewest people in a tournament


class Next(Struct, frozen=True):
    """The next step of a tournament, and its table time (0: at once)."""

    what: str  # check-in, begin, pair, wave, over
    at: float = 0.0


def next_step(of: Tournament) -> Next | None:
    """Return the tournament's next automatic step, or None if it waits for tables or for a
    person.
    """
    if of.ended or of.paused:
        return None
    if not of.begun:
        return _before(of)
    round = of.round
    if round is None:
        return Next("pair")
    if not of.is_over(round):
        return _within(of, round)
    if round.number >= rounds(of):
        return Next("over")
    at = round.over_at + 60.0 * of.settings.between if round.over_at else 0.0
    return Next("pair" if _can_go_on(of, round) else "over", at)  # players can return until then


def _can_go_on(of: Tournament, last: Round) -> bool:
    """Return True if enough entrants are present for another round.

    A knockout continues with one, who advances and so wins.
    """
    there = set(of.active())
    if of.settings.format != Format.KNOCKOUT:
        return len(there) >= LEAST
    results = (of.result(last, pod) or () for pod in range(len(last.pods)))
    return any(it.entrant in there and it.how != How.ABSENT for pod in results for it in pod)


def _before(of: Tournament) -> Next | None:
    if of.check_in_until:
        return Next("begin", of.check_in_ends)
    if of.settings.begins_at:
        return Next("check-in", of.settings.begins_at)
    return None


def _within(of: Tournament, round: Round) -> Next | None:
    """Return the beginning of the next wave, or None if a pod before it has no result.

    If they all have results and the round is not over, there is always another wave.
    """
    count = len(round.waves)
    before = range(min(count * round.wave, len(round.pods)))
    if any(of.result(round, pod) is None for pod in before):
        return None
    return Next("wave")


def rounds(of: Tournament) -> int:
    """Return the number of rounds: an estimate until the field is fixed."""
    settings, count = of.settings, len(of.waiting()[: of.settings.most])
    if of.begun:  # late entrants add no rounds
        count = len(of.drawn)
    if count < LEAST:
        return 1
    if settings.format == Format.LEAGUE:
        return round_robin.rounds(count, settings.size)
    if settings.format == Format.KNOCKOUT:
        return knockout.bracket(count, settings.size, qualifiers(settings.size)).rounds
    if settings.rounds:
        return settings.rounds
    needed, reach = 2, 1
    while reach < count:
        reach, needed = reach * settings.size, needed + 1
    return min(needed, round_robin.rounds(count, 2)) if settings.size == 2 else needed


def may_enter_late(of: Tournament) -> bool:
    """Return True if a player may still enter a Swiss that has begun."""
    settings = of.settings
    open_ = settings.late and settings.format == Format.SWISS and not of.standing(Verb.CLOSE)
    return open_ and of.begun and not of.ended and 2 * len(of.rounds) <= rounds(of)


# The events of each step


def check_in(of: Tournament, now: float) -> Event:
    """Return the event that opens check-in."""
    return CheckInOpened(now + 60.0 * of.settings.check_in)


def beginning(of: Tournament, draw: Draw) -> Event:
    """Return the event that fixes the field, or the one that cancels the tournament.

    The field has the first entrants who have checked in, up to the capacity.
    """
    numbers = entered(of)
    if len(numbers) < LEAST:
        return Cancelled()
    return Began(tuple(sorted(numbers, key=lambda it: draw(f"seed|{it}"))))


def entered(of: Tournament) -> list[Number]:
    """Return the entrants who would play if the field were fixed now."""
    asked = bool(of.settings.check_in)
    there = [it for it in of.waiting() if not asked or of.entrants[it].checked]
    return there[: of.settings.most]


def pairing(of: Tournament, draw: Draw, wave: int, number: int = 0) -> Paired:
    """Return the event with the pods of the next round, or of round `number` again.

    At most `wave` tables of a round are open at the same time.
    """
    number = number or len(of.rounds) + 1
    before = [it for it in of.rounds if it.number < number]
    settings, active = of.settings, of.active()
    pods: Sequence[Sequence[Number]]
    byes: Sequence[Number]
    if settings.format == Format.KNOCKOUT:
        pods, byes = _knockout_pods(of, before, draw), ()
    elif settings.format == Format.LEAGUE and round_robin.is_exact(len(of.field), settings.size):
        made, out = round_robin.pods(of.field, settings.size, number)
        there = set(active)
        pods = [tuple(it for it in pod if it in there) for pod in made]
        byes = [it for it in out if it in there]
    else:
        now = standing_before(of, before, active)
        pods, byes = swiss.paired(
            now, number, settings.size, settings.playable, settings.spare, draw
        )
    read = (number, settings, active, before, of.rulings, of.undone)
    return Paired(
        number,
        tuple(tuple(it) for it in pods),
        tuple(byes),
        wave,
        hashlib.sha256(to_json(read)).hexdigest(),
    )


def standing_before(
    of: Tournament, before: Sequence[Round], active: Sequence[Number]
) -> swiss.Standing:
    """Return the pairing data of the active entrants after these rounds."""
    met: dict[Number, Counter[Number]] = defaultdict(Counter)
    seats: dict[Number, Counter[int]] = defaultdict(Counter)
    short: Counter[Number] = Counter()
    byes: Counter[Number] = Counter()
    points: Counter[Number] = Counter()
    for round in before:
        points.update(of.round_shares(round))
        byes.update(round.byes)
        for number in range(len(round.pods)):
            result = of.result(round, number) or ()
            there = [it.entrant for it in result if it.entrant and it.how != How.ABSENT]
            for seat, sat in enumerate(result):
                if sat.entrant:
                    seats[sat.entrant][seat] += 1
            if len(there) == 1:
                byes.update(there)
            for it in there:
                met[it].update(other for other in there if other != it)
            if len(round.pods[number].entrants) < of.settings.size:
                short.update(round.pods[number].entrants)
    equal = of.settings.format == Format.LEAGUE
    return swiss.Standing(
        {it: 0 if equal else points[it] for it in active}, met, short, byes, seats, of.apart()
    )


def _knockout_pods(of: Tournament, before: Sequence[Round], draw: Draw) -> list[list[Number]]:
    settings = of.settings
    qualify = qualifiers(settings.size)
    shape = knockout.bracket(len(of.field), settings.size, qualify)
    there = set(of.active())
    if not before:
        return [[of.field[it] for it in pod if of.field[it] in there] for pod in shape.first]
    points, shares = Counter[Number](), dict[Number, int]()
    for last in before:  # not this one, which may be paired again
        shares = of.round_shares(last)
        points.update(shares)
    ranked = [
        qualified(of, last, pod, draw, shares, points)[:qualify] for pod in range(len(last.pods))
    ]
    return knockout.advanced(shape.later[len(before) - 1], ranked)


def qualified(
    of: Tournament,
    round: Round,
    pod: int,
    draw: Draw,
    shares: Mapping[Number, int],
    points: Mapping[Number, int],
) -> list[Number]:
    """Return the players of a pod who may advance in a knockout, best first.

    Ties are broken by the shares of earlier rounds, then by the draw. `shares` are those of the
    round. `points` includes them, which makes no difference between players who tie in the round.
    """
    ranks = of.ranks(round, pod, shares)
    out = {it.number for it in of.entrants.values() if it.left or it.paused} | of.removed()
    return sorted(
        (it for it in ranks if it not in out),
        key=lambda it: (ranks[it], -points[it], draw(f"cut|{round.number}|{it}")),
    )


def champions(of: Tournament) -> list[Number]:
    """Return the winners of a finished knockout; tied players share the title.

    Players removed by the organiser cannot win.
    """
    round = of.round
    if round is None or not of.is_over(round):
        return []
    if round.number < rounds(of):  # played before lone players advanced: at most one is left
        there = {it for pod in round.pods for it in pod.entrants}
        return [it for it in of.active() if it in there]
    gone = of.removed()
    found = of.ranks(round, 0, of.round_shares(round))
    ranks = {it: rank for it, rank in found.items() if it not in gone}
    best = min(ranks.values(), default=None)
    return [it for it in ranks if ranks[it] == best]


def wave_started(of: Tournament, now: float) -> WaveStarted:
    """Return the event that begins the next wave of the round now."""
    round = of.rounds[-1]
    ends = now + 60.0 * of.settings.limit if of.settings.limit else 0.0
    return WaveStarted(round.number, len(round.waves), now, ends)


def meetings(of: Tournament) -> Counter[int]:
    """Return the number of pairs of entrants by how often they have met."""
    met: Counter[frozenset[Number]] = Counter()
    for number, rounds_played in played(of).items():
        for one in rounds_played:
            against = one.against if one else ()
            met.update(frozenset((number, it)) for it in against if it > number)
    count = len(of.field)
    found = Counter(met.values())
    found[0] = count * (count - 1) // 2 - len(met)
    return found
