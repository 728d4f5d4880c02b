"""Pairing people at the lowest total cost: minimum-weight matching by Edmonds’ blossom algorithm.

All costs are integers and no unordered collection is iterated, so the same costs give the same
pairs on every machine.
"""

from collections.abc import Callable, Iterable, Sequence

EXACT_UP_TO = 64  # most people matched exactly, as time grows with the cube of their number
GROUP, STEP = 16, 8  # with more people: neighbouring pairs that are matched again together
PASSES = 4

Pair = tuple[int, int]
Cost = Callable[[int, int], int | None]  # for a pair, smaller number first; None: not allowed


def best_pairs(people: Iterable[int], cost: Cost) -> list[Pair]:
    """Return the perfect matching of these people with the lowest total cost."""
    import networkx  # takes a second and 9 MB, which few workers need

    numbers = sorted(people)
    edges = {
        (a, b): found
        for place, a in enumerate(numbers)
        for b in numbers[place + 1 :]
        if (found := cost(a, b)) is not None
    }
    dearest = max(edges.values(), default=0)
    graph = networkx.Graph()
    graph.add_nodes_from(numbers)
    graph.add_weighted_edges_from((a, b, dearest - found) for (a, b), found in edges.items())
    made = networkx.max_weight_matching(graph, maxcardinality=True)
    return sorted((min(pair), max(pair)) for pair in made)


def better_pairs(pairs: Sequence[Pair], cost: Cost, nothing: int) -> list[Pair]:
    """Return these pairs after matching groups of neighbours again until no group improves.

    A group in which each pair costs less than `nothing` is not matched again.
    """
    made = sorted(pairs)
    for _ in range(PASSES):
        before = sum(cost(*pair) or 0 for pair in made)
        for start in range(0, len(made), STEP):
            group = made[start : start + GROUP]
            if any((cost(*pair) or 0) >= nothing for pair in group):
                people = (it for pair in group for it in pair)
                made[start : start + GROUP] = best_pairs(people, cost)
        made.sort()
        if sum(cost(*pair) or 0 for pair in made) == before:
            break
    return made
