"""Leagues: all players meet exactly once, where that is possible.

It is possible with two at a table, and for k * k people at tables of k = 3, 4 or 5 (25 play King of
the Hill in six rounds), along the lines of an affine plane. Other fields are paired like a Swiss
without points.
"""

from collections.abc import Sequence

from kaboom.tournaments.rules.events import Number

PLANES = (3, 4, 5)


def is_exact(count: int, size: int) -> bool:
    """Return True if this many people can meet each other exactly once."""
    return size == 2 or (size in PLANES and count == size * size)


def rounds(count: int, size: int) -> int:
    """Return the number of rounds of a league."""
    if size == 2:
        return count - 1 + count % 2
    return -(-(count - 1) // (size - 1))


def pods(field: Sequence[Number], size: int, round: int) -> tuple[list[list[Number]], list[Number]]:
    """Return the pods of a round (from 1) of an exact league, and the entrants who sit out."""
    return _circle(field, round) if size == 2 else (_lines(field, size, round), [])


def _circle(field: Sequence[Number], round: int) -> tuple[list[list[Number]], list[Number]]:
    """Return the pairs of a round by the circle method: one entrant stays, the others move by one
    place.
    """
    places: list[Number | None] = [*field, *([None] if len(field) % 2 else [])]
    turn = (round - 1) % (len(places) - 1)
    moved = [places[0], *places[1 + turn :], *places[1 : 1 + turn]]
    found, out = [], []
    for place in range(len(moved) // 2):
        two = [it for it in (moved[place], moved[-1 - place]) if it is not None]
        if len(two) < 2:
            out += two
        else:
            found.append(two if (round + place) % 2 else two[::-1])
    return found, out


def _lines(field: Sequence[Number], size: int, round: int) -> list[list[Number]]:
    """Return the parallel lines of the affine plane over the field of `size` elements for a
    round.
    """
    slope = round - 1
    points = [(x, y) for x in range(size) for y in range(size)]
    lines: list[list[Number]] = [[] for _ in range(size)]
    for number, (x, y) in zip(field, points, strict=True):
        # The points with the same y - slope * x; the last round has the lines with the same x.
        line = x if slope == size else _minus(y, _times(slope, x, size), size)
        lines[line].append(number)
    return lines


def _minus(a: int, b: int, size: int) -> int:
    return a ^ b if size == 4 else (a - b) % size  # with four elements, each is its own negative


def _times(a: int, b: int, size: int) -> int:
    if size != 4:
        return a * b % size
    found = (a if b & 1 else 0) ^ (a << 1 if b & 2 else 0)
    return found ^ 0b111 if found & 0b100 else found  # modulo x^2 + x + 1
