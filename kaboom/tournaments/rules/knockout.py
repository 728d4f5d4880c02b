"""Knockouts for pods: of each some qualify for the next round, until one pod is left.

A bracket for pods of k of which q go on has k * (k/q)^j places, the least that hold the field.
"""

from collections.abc import Sequence

from msgspec import Struct

from kaboom.tournaments.rules.events import Number


class Feeder(Struct, frozen=True):
    """The entrant who comes to that rank in that pod of the round before, both from 0."""

    pod: int
    rank: int


class Bracket(Struct, frozen=True):
    """The shape of a knockout: `rounds[0]` are pods of seeds (from 0), the others of feeders."""

    first: tuple[tuple[int, ...], ...]
    later: tuple[tuple[tuple[Feeder, ...], ...], ...]

    @property
    def rounds(self) -> int:
        """Return how many rounds are played."""
        return 1 + len(self.later)


def bracket(count: int, size: int, qualify: int) -> Bracket:
    """Return the bracket for a field of this size."""
    ratio, pods = size // qualify, 1
    while pods * size < count:
        pods *= ratio
    first, later = _seeded(count, pods, size), []
    while pods > 1:
        later.append(_fed(pods, size, qualify))
        pods //= ratio
    return Bracket(first, tuple(later))


def _seeded(count: int, pods: int, size: int) -> tuple[tuple[int, ...], ...]:
    """Return the seeds of the first round's pods, laid out to and fro.

    Places that stay empty go one to a pod in turn, from the top seed's on.
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
    """Return from where the pods of the next round are filled.

    Of `size` neighbouring pods each of the next ones takes one qualifier, so that nobody meets
    again at once and winners are spread evenly. Where fewer are left, they must.
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
    """Return the pods of the next round, where `ranked` are the qualifiers of each pod in order.

    Fewer than could may have qualified: their places stay empty.
    """
    return [
        [ranked[it.pod][it.rank] for it in pod if it.rank < len(ranked[it.pod])] for pod in feeders
    ]
