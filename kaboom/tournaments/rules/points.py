"""What a pod is worth to each of its people: a share of what all of them divide among themselves.

Share = (opponents beaten + half of those tied) / opponents, times WHOLE. So m people share
WHOLE * m / 2 whatever happens, and an agreed draw pays nobody.
"""

from collections.abc import Sequence

from kaboom.tournaments.rules.events import How, Number, SeatResult

WHOLE = 5040  # divides by twice as many opponents as any pod has
MATCHED = (How.PLAYED, How.LEFT, How.RULED)  # against each other


def bye(size: int) -> int:
    """Return what sitting out is worth where pods have that size: a win of two, second of more."""
    return WHOLE if size == 2 else WHOLE * 2 // 3


def shares(seats: Sequence[SeatResult], size: int) -> dict[Number, int]:
    """Return the share of each entrant of a pod that has its result.

    Bots of the house are taken out first, then the absent, who have none. Who is left without
    anybody to play against has a bye, and so have all who go through without a match.
    """
    found = {it.entrant: bye(size) * (it.how == How.THROUGH) for it in seats if it.entrant}
    there = {it.entrant: standing(it) for it in seats if it.entrant and it.how in MATCHED}
    others = len(there) - 1
    for entrant, mine in there.items():
        if not others:
            found[entrant] = bye(size)
            continue
        beaten = sum(2 for it in there.values() if it > mine)
        tied = sum(1 for it in there.values() if it == mine) - 1
        found[entrant] = WHOLE * (beaten + tied) // (2 * others)
    return found


def standing(seat: SeatResult) -> tuple[int, int]:
    """Return by what people of a pod are ranked, the best first."""
    left = int(seat.how == How.LEFT)
    return left, 0 if left else seat.place
