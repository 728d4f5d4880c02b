"""Standings: by points, then head-to-head results, then opponents' points.

They are computed from all results each time, so corrected results and players who drop out need no
special treatment.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import groupby

from msgspec import Struct

from kaboom.tournaments.rules.draw import Draw
from kaboom.tournaments.rules.events import Format, How, Number
from kaboom.tournaments.rules.state import Tournament


class Line(Struct, frozen=True):
    """A line of the standings. Entrants who differ only in the draw share a place."""

    place: int
    entrant: Number
    points: int  # shares: WHOLE is one point
    direct: int  # against entrants with equal points, if all met equally often
    opponents: Fraction  # sum of the opponents' points, except the lowest
    wins: int
    rounds: tuple[int | None, ...]  # shares by round; None: not played


class Played(Struct, frozen=True):
    """A player's round: their share, their opponents, and the result against each."""

    share: int
    against: tuple[Number, ...]  # those who were present
    won: bool
    duels: Mapping[Number, int]  # 2 for each opponent beaten, 1 for each tied


def played(of: Tournament) -> dict[Number, list[Played | None]]:
    """Return every player's rounds; None for a round without opponents."""
    found: dict[Number, list[Played | None]] = {it: [] for it in of.field}
    for number, round in enumerate(of.rounds):
        shares = of.round_shares(round)
        for pod in range(len(round.pods)):
            there = [it for it in of.result(round, pod) or () if it.entrant]
            there = [it for it in there if it.how not in (How.ABSENT, How.THROUGH)]
            if len(there) < 2:
                continue
            ranks = of.ranks(round, pod, shares)
            best = min(ranks.values())
            for it in there:
                mine = ranks[it.entrant]
                duels = {
                    other.entrant: 2 * (mine < ranks[other.entrant])
                    + (mine == ranks[other.entrant])
                    for other in there
                    if other is not it
                }
                won = mine == best
                found[it.entrant].append(Played(shares[it.entrant], tuple(duels), won, duels))
        for rounds in found.values():
            if len(rounds) <= number:
                rounds.append(None)
    return found


def standings(of: Tournament, draw: Draw) -> list[Line]:
    """Return the standings of the field, best first; entrants removed by the organiser come
    last.
    """
    points, course = of.points(), played(of)
    shares = [of.counted(round) for round in of.rounds]
    direct = _direct(points, course)
    opponents = {it: _opponents(it, points, course[it]) for it in of.field}
    wins = {it: sum(1 for one in course[it] if one and one.won) for it in of.field}

    reached, gone = _reached(of, shares), of.removed()

    def worth(it: Number) -> tuple[bool, int, int, int, int, Fraction, int]:
        return it not in gone, *reached[it], points[it], direct[it], opponents[it], wins[it]

    ordered = sorted(of.field, key=lambda it: draw(f"order|0|{it}"))
    ordered.sort(key=worth, reverse=True)
    found: list[Line] = []
    for number, it in enumerate(ordered, 1):
        equal = bool(found) and worth(found[-1].entrant) == worth(it)
        place = found[-1].place if equal else number
        found.append(
            Line(
                place,
                it,
                points[it],
                direct[it],
                opponents[it],
                wins[it],
                tuple(round.get(it) for round in shares),
            )
        )
    return found


def never_came(of: Tournament) -> set[Number]:
    """Return the entrants who missed every table they had so far and have no points, so that they
    have no place, either.
    """
    hows: dict[Number, set[How]] = {}
    for round in of.rounds:
        for pod in range(len(round.pods)):
            for it in of.result(round, pod) or ():
                hows.setdefault(it.entrant, set()).add(it.how)
    points = of.points()
    return {it for it in of.field if hows.get(it) == {How.ABSENT} and not points[it]}


def _reached(
    of: Tournament, shares: Sequence[Mapping[Number, int]]
) -> dict[Number, tuple[int, int]]:
    """Return every player's last round in a knockout, and their share in it; in other formats, the
    same values for all.
    """
    found = dict.fromkeys(of.field, (0, 0))
    if of.settings.format == Format.KNOCKOUT:
        for number, round in enumerate(shares, 1):
            found |= {it: (number, share) for it, share in round.items()}
    return found


def _direct(
    points: Mapping[Number, int], course: Mapping[Number, Sequence[Played | None]]
) -> dict[Number, int]:
    """Return every player's score against players with equal points; 0 unless all met equally
    often.
    """
    found = dict.fromkeys(points, 0)
    ordered = sorted(points, key=lambda it: points[it])
    for _, group in groupby(ordered, key=lambda it: points[it]):
        tied = set(group)
        pairs = len(tied) * (len(tied) - 1)  # counted from both sides
        met: Counter[tuple[Number, Number]] = Counter()
        has = dict.fromkeys(tied, 0)
        for it in tied:
            for one in course[it]:
                for other, duel in one.duels.items() if one else ():
                    if other in tied:
                        met[it, other] += 1
                        has[it] += duel
        if len(met) == pairs and len(set(met.values())) == 1:
            found |= has
    return found


def _opponents(
    it: Number, points: Mapping[Number, int], course: Sequence[Played | None]
) -> Fraction:
    """Return the sum, over all rounds but the lowest, of the mean points of a player's opponents.

    A round without opponents counts the player's own points.
    """
    means = [
        Fraction(points[it])
        if one is None
        else Fraction(sum(points[other] for other in one.against), len(one.against))
        for one in course
    ]
    return sum(means, Fraction(0)) - min(means) if means else Fraction(0)
