"""Thinking times of bots (their pace): similar to people's, and based only on what all players see.

A bot decides at once and then waits for the delay drawn here. Delays depend on no card or choice,
not even on the number of possible moves, because otherwise they would reveal something about a hand
(docs/bots.md).
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from enum import StrEnum
from math import exp
from statistics import NormalDist

from kaboom.engine.bots.bot import HUNDRED, Level
from kaboom.engine.bots.names import Temper
from kaboom.engine.rng import Rng
from kaboom.engine.views import Prompt

SPREAD = 0.35  # standard deviation of the logarithm of the seconds
MICROSECONDS = 6  # decimal places
FINENESS = 1 << 20  # resolution of draws between 0 and 1

BELL_CURVE = NormalDist()


class Pace(StrEnum):
    """The speed of a table's bots."""

    INSTANT = "instant"
    BRISK = "brisk"
    NATURAL = "natural"


@dataclass(frozen=True, slots=True)
class Medians:
    """Median delays in seconds: for a decision; for one that needs no thought; for one in a race
    (long enough for others to be first); and for one that no player waits for. `look` is added
    while something is shown for people to see, such as a finished trick.
    """

    turn: float
    quick: float
    race: float
    idle: float
    look: float


MEDIANS: Mapping[Pace, Medians] = {
    Pace.INSTANT: Medians(turn=0.0, quick=0.0, race=0.0, idle=0.0, look=0.0),
    Pace.BRISK: Medians(turn=0.2, quick=0.2, race=0.75, idle=0.6, look=0.4),
    Pace.NATURAL: Medians(turn=1.2, quick=0.6, race=2.2, idle=2.4, look=1.5),
}

# A race has its own delays, the same at every pace, because speed is part of a bot's strength.
REACTIONS = {Level.EASY: 3.5, Level.NORMAL: 2.6, Level.HARD: 1.8}  # seconds, medians
QUICKEST = 0.7  # seconds
MISSED = {Level.EASY: 35, Level.NORMAL: 15, Level.HARD: 5}  # percent of races
SHORTEST, LONGEST = 0.6, 2.5  # times the median


def decision_seconds(
    pace: Pace,
    own: Prompt,
    race: bool,
    quick: Collection[str],
    temper: Temper,
    rng: Rng,
    alone: bool = False,
    look: bool = False,
) -> float:
    """Return the seconds until a bot answers its prompt.

    `race` is True if the bot can also enter a race. `quick` lists the verbs that need no thought,
    such as being ready. A sealed answer takes no time: no player sees when it comes, and every
    player waits for it. `alone` is True if no person plays; the delay then only keeps a whole match
    from being over instantly. `look` is True if people need to see something before a bot continues
    (`Game.to_be_seen`).
    """
    medians = MEDIANS[Pace.NATURAL if alone else pace]
    if not own.waited_for:
        return _drawn(medians.idle, temper, rng)
    if not own.openly_waited_for and not alone:
        return 0.0
    if race:
        return _drawn(medians.race, temper, rng)
    needs_none = all(offer.verb in quick for offer in own.offers if offer.blocks)
    seen = medians.look if look and not alone else 0.0
    return seen + _drawn(medians.quick if needs_none else medians.turn, temper, rng)


def person_seconds(quick: bool, rng: Rng) -> float:
    """Return the seconds, above 0, that a person takes for a move that needs little or no
    thought.
    """
    medians = MEDIANS[Pace.NATURAL]
    return _drawn(medians.quick if quick else medians.turn, Temper(), rng)


def reaction_seconds(level: Level, temper: Temper, rng: Rng) -> float | None:
    """Return the seconds until a bot notices a race, or None if it misses it."""
    missed = rng.randrange(HUNDRED) < MISSED[level] + temper.missed
    seconds = max(QUICKEST, _drawn(REACTIONS[level], Temper(), rng))
    return None if missed else seconds


def _drawn(median: float, temper: Temper, rng: Rng) -> float:
    """Return a duration, log-normal around its median, in whole microseconds.

    Further digits depend on the C library, and must not decide who is first.
    """
    share = (rng.randrange(FINENESS) + 0.5) / FINENESS  # strictly between 0 and 1
    times = exp(SPREAD * BELL_CURVE.inv_cdf(share)) * temper.slower
    return round(median * max(SHORTEST, min(times, LONGEST)), MICROSECONDS)
