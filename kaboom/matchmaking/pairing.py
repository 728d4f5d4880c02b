"""The pairing of waiting players, as pure functions.

Players are paired if they want the same pace, have a game in common, agree on whether the match is
rated, have not blocked each other, and are about equally strong if both are rated. The accepted
difference in strength grows while they wait.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field

WINDOW = 3000  # thousandths by which ratings may differ at first; a beginner's rating is 25,000
# … and by which that limit grows with each second that the longer-waiting player has waited
WIDENS = 200
ANY_RATING = 60.0  # seconds after which ratings no longer matter
BOTS_AFTER = 30.0  # seconds of waiting after which bots are offered
BOTS_WAIT = 10.0  # seconds for which other waiting players may also agree to bots


@dataclass(frozen=True, slots=True)
class Seeker:
    """A waiting player. `ratings` has the player's ratings by game, in thousandths."""

    player: int
    games: tuple[str, ...]  # that the player would play, favourite first
    days: int
    rated: bool | None  # None: either
    since: float
    bots_at: float | None = None  # when the player agreed to bots in the empty seats
    ratings: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Pairing:
    """Players who will play a game together, longest wait first, and the number of bots."""

    game: str
    days: int
    rated: bool | None
    players: tuple[int, ...]
    bots: int = 0


Blocks = Collection[frozenset[int]]
Playable = Callable[[str, int], Sequence[int]]  # player counts, by game and pace (days)


def paired(
    me: Seeker, others: Sequence[Seeker], blocks: Blocks, playable: Playable, now: float
) -> Pairing | None:
    """Return the pairing with which a player can begin now with some of the others, or None. Of the
    games that the player would play, the one with the most players is chosen; of several, the one
    the player prefers. Players who have waited longest come first.
    """
    found: list[Pairing] = []
    for game in me.games:
        group = _group(me, others, game, blocks, now)
        possible = [it for it in playable(game, me.days) if 1 < it <= len(group)]
        if possible:
            found.append(_seated(game, group[: max(possible)]))
        elif (filled := _with_bots(group, game, playable, now)) is not None:
            found.append(filled)
    # A table without bots is preferred to one with bots.
    return max(found, key=lambda it: (not it.bots, len(it.players)), default=None)


def _group(
    me: Seeker, others: Sequence[Seeker], game: str, blocks: Blocks, now: float
) -> list[Seeker]:
    """Return the player and the others who may all sit at one table."""
    group = [me]
    for other in sorted(others, key=lambda it: it.since):
        if all(goes_with(it, other, game, blocks, now) for it in group):
            group.append(other)
    return group


def _seated(game: str, group: Sequence[Seeker], bots: int = 0) -> Pairing:
    wishes = {it.rated for it in group} - {None}
    rated = next(iter(wishes), None) if not bots else False
    players = tuple(it.player for it in sorted(group, key=lambda it: it.since))
    return Pairing(game, group[0].days, rated, players, bots)


def _with_bots(
    group: Sequence[Seeker], game: str, playable: Playable, now: float
) -> Pairing | None:
    """Return a pairing with bots in the empty seats, for the players who have agreed to that, or
    None. The others in the group have a moment to agree as well.
    """
    agreed = [it for it in group if it.bots_at is not None]
    if not agreed or group[0].bots_at is None:
        return None
    first = min(it.bots_at for it in agreed if it.bots_at is not None)
    if len(agreed) < len(group) and now - first < BOTS_WAIT:
        return None
    seats = seats_with_bots(playable(game, group[0].days), len(agreed))
    return _seated(game, agreed, seats - len(agreed)) if seats > len(agreed) else None


def seats_with_bots(possible: Sequence[int], people: int, liked: int = 4) -> int:
    """Return the possible number of seats nearest to `liked` that leaves room for a bot, or 0."""
    fit = [it for it in possible if it > people]
    return min(fit, key=lambda it: (abs(it - liked), it), default=0)


def goes_with(one: Seeker, two: Seeker, game: str, blocks: Blocks, now: float) -> bool:
    """Return True if two players can be seated at the same table of a game."""
    return (
        one.player != two.player
        and one.days == two.days
        and game in one.games
        and game in two.games
        and (one.rated == two.rated or None in (one.rated, two.rated))
        and frozenset((one.player, two.player)) not in blocks
        and _equal(one, two, game, now)
    )


def _equal(one: Seeker, two: Seeker, game: str, now: float) -> bool:
    mine, other = one.ratings.get(game), two.ratings.get(game)
    waited = now - min(one.since, two.since)
    if mine is None or other is None or waited >= ANY_RATING:
        return True
    return abs(mine - other) <= WINDOW + WIDENS * max(0.0, waited)
