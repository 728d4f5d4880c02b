"""The cheapest way to put people into pairs: a matching of least weight, by Edmonds’ blossoms.

All costs are whole numbers, and nothing is gone through that has no order: the same costs give the
same pairs everywhere.
"""

from collections.abc import Callable, Iterable, Sequence

EXACT_UP_TO = 64  # people who are matched at once: the time grows with the cube of their number
GROUP, STEP = 16, 8  # of more people, so many neighbouring pairs are matched anew together
PASSES = 4

Pair = tuple[int, int]
Cost = Callable[[int, int], int | None]  # of a pair, the smaller number first; None: it cannot be


def best_pairs(people: Iterable[int], cost: Cost) -> list[Pair]:
    """Return pairs of these people, each in one, whose costs are least in sum."""
    import networkx  # a second and nine megabytes, and few workers ever pair anybody

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
    """Return these pairs, matched anew in groups of neighbours until none of them gets better.

    A group in which each pair costs less than `nothing` is as good as can be.
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
