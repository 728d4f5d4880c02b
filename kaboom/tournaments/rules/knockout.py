"""Knockouts with pods: some entrants of each pod advance, until one pod is left.

A bracket for pods of k entrants, of which q advance, has k * (k/q)^j places, with the smallest j
for which the field fits.
"""

from collections.abc import Sequence

from msgspec import Struct

from kaboom.tournaments.rules.events import Number


class Feeder(Struct, frozen=True):
    """The entrant with a rank in a pod of the previous round, both from 0."""

    pod: int
    rank: int


class Bracket(Struct, frozen=True):
    """The shape of a knockout: the first round as pods of seeds (from 0), and each later round as
    pods of the places that feed it.
    """

    first: tuple[tuple[int, ...], ...]
    later: tuple[tuple[tuple[Feeder, ...], ...], ...]

    @property
    def rounds(self) -> int:
        """Return the number of rounds."""
        return 1 + len(self.later)


def bracket(count: int, size: int, qualify: int) -> Bracket:
    """Return the bracket for a field of `count` entrants."""
    ratio, pods = size // qualify, 1
    while pods * size < count:
        pods *= ratio
    first, later = _seeded(count, pods, size), []
    while pods > 1:
        later.append(_fed(pods, size, qualify))
        pods //= ratio
    return Bracket(first, tuple(later))


def _seeded(count: int, pods: int, size: int) -> tuple[tuple[int, ...], ...]:
    """Return the seeds of the first round's pods, distributed in serpentine order.

    Empty places are distributed one per pod, starting with the top seed's pod.
    """
    empty = pods * size - count
    room = [size - empty // pods - (pod < empty % pods) for pod in range(pods)]
    found: list[list[int]] = [[] for _ in range(pods)]
    seed = 0
    for row in range(size):
        there = [pod for pod in range(pods) if room[pod] > row]
        for pod in there if row % 2 == 0 else reversed(there):
            found[pod].append(seed)
            seed += 1
    return tuple(tuple(pod) for pod in found)


def _fed(pods: int, size: int, qualify: int) -> tuple[tuple[Feeder, ...], ...]:
    """Return the feeders of the pods of the next round.

    Each of the next pods takes one qualifier from each of `size` neighbouring pods, so that players
    do not meet again at once and winners are spread evenly. With fewer pods left, they may meet
    again.
    """
    if pods < size:
        into = pods * qualify // size
        return tuple(
            tuple(
                Feeder(pod, rank)
                for pod in range(pods)
                for rank in range(qualify)
                if (pod + rank) % into == turn
            )
            for turn in range(into)
        )
    return tuple(
        tuple(Feeder(block + pod, (pod + turn) % qualify) for pod in range(size))
        for block in range(0, pods, size)
        for turn in range(qualify)
    )


def advanced(
    feeders: Sequence[Sequence[Feeder]], ranked: Sequence[Sequence[Number]]
) -> list[list[Number]]:
    """Return the pods of the next round; `ranked` lists the qualifiers of each pod in order.

    Places of missing qualifiers stay empty.
    """
    return [
        [ranked[it.pod][it.rank] for it in pod if it.rank < len(ranked[it.pod])] for pod in feeders
    ]
