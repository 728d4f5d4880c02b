"""The layout of a knockout's diagram: positions of its pods, and lines to the pods they feed.

It has the same content as the lists next to it: the entrants of each pod, or where they will come
from.
"""

from collections.abc import Mapping, Sequence

from msgspec import Struct

from kaboom.tournaments.rules import knockout
from kaboom.tournaments.rules.events import How, Number
from kaboom.tournaments.rules.knockout import Feeder
from kaboom.tournaments.rules.state import Tournament, qualifiers

MOST = 32  # most pods of the first round in a diagram
WIDTH, GAP, ROW, HEAD, SPACE = 190, 46, 20, 20, 14  # all in units of the picture


class Slot(Struct, frozen=True):
    """A place in a pod: an entrant, with their result once it is known, or the pod that feeds
    it.
    """

    entrant: Number = 0
    place: int = 0
    feeder: Feeder | None = None
    absent: bool = False


class Box(Struct, frozen=True):
    """A pod in the diagram; numbers count from 0."""

    round: int
    pod: int
    x: int
    y: int
    height: int
    slots: tuple[Slot, ...]


class Wire(Struct, frozen=True):
    """A line from a pod to one that it feeds."""

    x: int
    y: int
    to_x: int
    to_y: int


class Picture(Struct, frozen=True):
    """The complete diagram."""

    width: int
    height: int
    boxes: tuple[Box, ...]
    wires: tuple[Wire, ...]

    def rounds(self) -> list[list[Box]]:
        """Return the pods of each round."""
        last = max(it.round for it in self.boxes)
        return [[it for it in self.boxes if it.round == number] for number in range(last + 1)]


def picture(of: Tournament) -> Picture:
    """Return the bracket of a knockout that has begun."""
    size = of.settings.size
    shape = knockout.bracket(len(of.field), size, qualifiers(size))
    counts = [len(shape.first), *(len(pods) for pods in shape.later)]
    tall = HEAD + size * ROW
    height = counts[0] * (tall + SPACE) + SPACE
    shares = [of.round_shares(it) for it in of.rounds]
    boxes, wires = [], []
    for round, count in enumerate(counts):
        for pod in range(count):
            slots = _slots(of, shape, round, pod, shares)
            y = (2 * pod + 1) * height // (2 * count) - tall // 2
            boxes.append(Box(round, pod, round * (WIDTH + GAP), y, tall, slots))
            if round:
                feeders = shape.later[round - 1][pod]
                for one in sorted({it.pod for it in feeders}):
                    from_y = (2 * one + 1) * height // (2 * counts[round - 1])
                    x = round * (WIDTH + GAP)
                    wires.append(Wire(x - GAP, from_y, x, y + tall // 2))
    width = len(counts) * (WIDTH + GAP) - GAP
    return Picture(width, height, tuple(boxes), tuple(wires))


def _slots(
    of: Tournament,
    shape: knockout.Bracket,
    round: int,
    pod: int,
    shares: Sequence[Mapping[Number, int]],
) -> tuple[Slot, ...]:
    if round < len(of.rounds):
        made = of.rounds[round]
        result = {it.entrant: it for it in of.result(made, pod) or ()}
        places = of.places(made, pod, shares[round])
        return tuple(
            Slot(
                it,
                places.get(it, 0),
                absent=it in result and result[it].how == How.ABSENT,
            )
            for it in made.pods[pod].entrants
        )
    if not round:
        return tuple(Slot(of.field[it]) for it in shape.first[pod])
    feeders: Sequence[Feeder] = shape.later[round - 1][pod]
    return tuple(_fed(of, round - 1, it) for it in feeders)


def _fed(of: Tournament, round: int, feeder: Feeder) -> Slot:
    """Return the place that a pod of this round feeds. An entrant without an opponent is known."""
    entrants = of.rounds[round].pods[feeder.pod].entrants if round < len(of.rounds) else ()
    if len(entrants) == 1 and not feeder.rank:
        return Slot(entrants[0])
    return Slot(feeder=feeder)
