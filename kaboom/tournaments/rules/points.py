"""The points of a pod: each player's share of a fixed total.

Share = (opponents beaten + half of those tied) / opponents, times WHOLE. So m people always share
WHOLE * m / 2, and an agreed draw benefits no player.
"""

from collections.abc import Sequence

from kaboom.tournaments.rules.events import How, Number, SeatResult

WHOLE = 5040  # divisible by twice the number of opponents in any pod
MATCHED = (How.PLAYED, How.LEFT, How.RULED)  # against each other


def bye(size: int) -> int:
    """Return the share of a bye: a win in pods of two, second place in larger ones."""
    return WHOLE if size == 2 else WHOLE * 2 // 3


def shares(seats: Sequence[SeatResult], size: int) -> dict[Number, int]:
    """Return the share of each entrant of a pod with a result.

    Built-in bots are left out, and absent entrants have 0. Entrants without opponents and
    those who advance without a match have a bye.
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
    """Return the sort key that ranks a pod, best first."""
    left = int(seat.how == How.LEFT)
    return left, 0 if left else seat.place
