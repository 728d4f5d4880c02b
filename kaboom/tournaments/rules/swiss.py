"""Swiss pairing for pods of any size: players with similar points meet, and rarely meet the same
opponent twice.

Its steps: 1. order the entrants, 2. choose the sizes of pods, 3. split the order into pods, 4.
improve them by exchanges, 5. assign seats.

Pods of two, including the bye, are matched exactly instead (matching.py).
"""

from array import array
from collections.abc import Collection, Mapping, Sequence, Set
from itertools import combinations

from msgspec import Struct

from kaboom.tournaments.rules.draw import Draw
from kaboom.tournaments.rules.events import Number, Spare
from kaboom.tournaments.rules.matching import EXACT_UP_TO, best_pairs, better_pairs

ALL_UP_TO = 12  # people, at most, for whom all divisions into pods are compared
WINDOW = 96  # places in the order over which people can be exchanged
PASSES = 12

# Penalties of a pod, each above the largest sum of those after it. Squared differences of points
# stay below the last one: twenty rounds are worth a hundred thousand.
FORBIDDEN, MET, SHORT_AGAIN = 1 << 56, 1 << 48, 1 << 40
# The same for pairs: kept apart, have met, sitting out one place higher, points, and then places in
# the order.
APART, MET_BEFORE, LOWER, POINTS = 1 << 110, 1 << 90, 1 << 74, 1 << 30

Pods = list[tuple[Number, ...]]


class Standing(Struct, frozen=True):
    """The data about the entrants that pairing uses."""

    points: Mapping[Number, int]
    met: Mapping[Number, Mapping[Number, int]]  # number of meetings, by entrant and opponent
    short: Mapping[Number, int]  # how often an entrant was in an incomplete pod
    byes: Mapping[Number, int]
    seats: Mapping[Number, Mapping[int, int]]  # how often, by entrant and by seat
    apart: Set[frozenset[Number]] = frozenset()


def order(points: Mapping[Number, int], round: int, draw: Draw) -> list[Number]:
    """Return the entrants by points, with ties in the order of the draw."""
    return sorted(points, key=lambda it: (-points[it], draw(f"order|{round}|{it}")))


def sizes(count: int, size: int, playable: Collection[int], spare: Spare) -> tuple[list[int], int]:
    """Return the sizes of pods for `count` people, smaller ones last, and the number who sit out.

    As few seats as possible stay empty. With `Spare.HOUSE`, bots can complete pods; then a player
    sits out only if pods of two leave one over.
    """
    fit = [it for it in range(2, size + 1) if spare == Spare.HOUSE or it in playable]
    for out in range(count + 1):
        found = _divided(count - out, size, fit)
        if found is not None:
            return found, out
    raise AssertionError("no players left to pair")


def _divided(count: int, size: int, fit: Sequence[int]) -> list[int] | None:
    """Return sizes from `fit` that add up to `count`, with as few pods as possible and as even as
    possible, or None.
    """
    if not count:
        return []
    for pods in range(-(-count // size), count // 2 + 1):
        small, more = divmod(count, pods)
        found = [small + 1] * more + [small] * (pods - more)
        if set(found) <= set(fit):
            return found
    return None


def matched(ordered: Sequence[Number], now: Standing, odd: bool) -> tuple[Pods, tuple[Number, ...]]:
    """Return the best pairs, and the player who sits out if their number is `odd`.

    In order of priority: the player who sits out has done so least often; as few pairs as possible
    consist of players whom the organiser keeps apart; as few as possible have met; the
    lowest-ranked possible player sits out; points differ least; neighbours are paired. In a large
    field, each group of neighbours is matched in this way.
    """
    count = len(ordered)
    pairs = weights(ordered, now)
    byes = [now.byes.get(it, 0) for it in ordered]
    fewest = min(byes, default=0)

    def cost(a: int, b: int) -> int | None:
        if b == count:  # a sits out
            return (count - 1 - a) * LOWER if byes[a] == fewest else None
        apart, worth = divmod(pairs[a][b], FORBIDDEN)
        met, points = divmod(worth, MET)
        return apart * APART + met * MET_BEFORE + points * POINTS + (a - b) ** 2

    if count <= EXACT_UP_TO:
        found = best_pairs(range(count + odd), cost)
    else:
        sits = sitting_out(ordered, int(odd), now.byes)
        there = [it for it in ordered if it not in sits]
        place = {it: at for at, it in enumerate(ordered)}
        begun = [(place[a], place[b]) for a, b in good(there, [2] * (len(there) // 2), 2, now)]
        found = better_pairs([*begun, *((place[it], count) for it in sits)], cost, POINTS)
    made: Pods = [(ordered[a], ordered[b]) for a, b in found if b < count]
    return made, tuple(ordered[a] for a, b in found if b == count)


def sitting_out(ordered: Sequence[Number], count: int, byes: Mapping[Number, int]) -> list[Number]:
    """Return the entrants with a bye: the lowest-ranked of those with the fewest byes."""
    places = range(len(ordered))
    last = sorted(places, key=lambda place: (byes.get(ordered[place], 0), -place))
    return [ordered[place] for place in last[:count]]


def paired(
    now: Standing, round: int, size: int, playable: Collection[int], spare: Spare, draw: Draw
) -> tuple[Pods, tuple[Number, ...]]:
    """Return the pods of a round, with their entrants by seat, and the entrants who sit out."""
    ordered = order(now.points, round, draw)
    wanted, out = sizes(len(ordered), size, playable, spare)
    if size == 2:
        pairs, bye = matched(ordered, now, out > 0)
        return [seated(pair, round, now, draw) for pair in pairs], bye
    byes = sitting_out(ordered, out, now.byes)
    there = [it for it in ordered if it not in set(byes)]
    pods = (
        best(there, wanted, size, now)
        if len(there) <= ALL_UP_TO
        else good(there, wanted, size, now)
    )
    return [seated(pod, round, now, draw) for pod in pods], tuple(byes)


def cut(ordered: Sequence[Number], wanted: Sequence[int]) -> list[list[Number]]:
    """Return the ordered entrants, split into pods of these sizes."""
    found, start = [], 0
    for length in wanted:
        found.append(list(ordered[start : start + length]))
        start += length
    return found


def best(
    ordered: Sequence[Number], wanted: Sequence[int], size: int, now: Standing
) -> list[list[Number]]:
    """Return the best of all divisions into pods of these sizes; the first if several are equally
    good.
    """
    pairs = weights(ordered, now)
    again = [now.short.get(it, 0) * SHORT_AGAIN for it in ordered]

    def worth(pod: Sequence[int]) -> int:
        found = sum(pairs[a][b] for a, b in combinations(pod, 2))
        return found + (sum(again[it] for it in pod) if len(pod) < size else 0)

    chosen: list[tuple[int, ...]] = []
    least = -1

    def divide(left: tuple[int, ...], wanted: tuple[int, ...], so_far: int) -> None:
        nonlocal chosen, least
        if not left:
            chosen, least = list(made), so_far
            return
        for length in sorted(set(wanted), reverse=True):
            at = wanted.index(length)
            rest = (*wanted[:at], *wanted[at + 1 :])
            for others in combinations(left[1:], length - 1):
                pod = (left[0], *others)
                found = so_far + worth(pod)
                if least < 0 or found < least:
                    made.append(pod)
                    divide(tuple(it for it in left if it not in pod), rest, found)
                    made.pop()

    made: list[tuple[int, ...]] = []
    divide(tuple(range(len(ordered))), tuple(wanted), 0)
    return [[ordered[it] for it in pod] for pod in sorted(chosen, key=len, reverse=True)]


def weights(ordered: Sequence[Number], now: Standing) -> list["array[int]"]:
    """Return the cost of pairing two players, by their places in the order."""
    points = [now.points[it] for it in ordered]
    place = {it: at for at, it in enumerate(ordered)}
    found = []
    for it in ordered:
        mine = now.points[it]
        row = array("q", [(mine - other) ** 2 for other in points])
        for other, times in now.met.get(it, {}).items():
            if other in place:
                row[place[other]] += times * MET
        found.append(row)
    for pair in now.apart:
        if pair <= place.keys():
            a, b = (place[it] for it in pair)
            found[a][b] += FORBIDDEN
            found[b][a] += FORBIDDEN
    return found


def good(
    ordered: Sequence[Number], wanted: Sequence[int], size: int, now: Standing
) -> list[list[Number]]:
    """Return the order split into pods, which are improved by exchanging people until no exchange
    helps.
    """
    pairs = weights(ordered, now)
    again = [now.short.get(it, 0) * SHORT_AGAIN for it in ordered]
    pods = cut(range(len(ordered)), wanted)
    for _ in range(PASSES):
        if not sum(_exchange(pods, here, size, pairs, again) for here in range(len(pods))):
            break
    return [[ordered[it] for it in sorted(pod)] for pod in pods]


def _exchange(
    pods: list[list[int]],
    here: int,
    size: int,
    pairs: Sequence["array[int]"],
    again: Sequence[int],
) -> bool:
    """Make the exchange of two entrants that improves a pod most; return True if there was one."""
    mine = pods[here]
    rows = [pairs[a] for a in mine]
    inside = [sum([row[b] for b in mine]) for row in rows]
    short_here = len(mine) < size
    if not any(inside) and not (short_here and any(again[a] for a in mine)):
        return False
    reach = WINDOW // size
    most, swap = 0, None
    for there in range(max(0, here - reach), min(len(pods), here + reach + 1)):
        if there == here:
            continue
        other = pods[there]
        lengths_differ = (len(other) < size) - short_here
        joins = [sum([row[c] for c in other]) for row in rows]
        for j, c in enumerate(other):
            row = pairs[c]
            change_of_c = sum([row[b] for b in mine]) - sum([row[b] for b in other])
            for i, a in enumerate(mine):
                change = joins[i] - inside[i] + change_of_c - 2 * row[a]
                if lengths_differ:
                    change += lengths_differ * (again[a] - again[c])
                if change < most:
                    most, swap = change, (i, there, j)
    if swap is None:
        return False
    i, there, j = swap
    mine[i], pods[there][j] = pods[there][j], mine[i]
    return True


def seated(pod: Sequence[Number], round: int, now: Standing, draw: Draw) -> tuple[Number, ...]:
    """Return the entrants of a pod by seat, preferring those who sat there least often; ties are
    broken by the draw.
    """
    left, found = list(pod), []
    for seat in range(len(pod)):
        found.append(
            min(
                left,
                key=lambda it: (now.seats.get(it, {}).get(seat, 0), draw(f"seat|{round}|{it}")),
            )
        )
        left.remove(found[-1])
    return tuple(found)
