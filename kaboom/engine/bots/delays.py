"""How long bots seem to think: like people, and by nothing but what everybody sees.

What is drawn here is only waited for; what a bot decides, it has decided in a moment. No card and
no choice comes in, not even how many moves are possible: whoever counted the seconds could read a
hand from them (docs/bots.md).
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from enum import StrEnum
from math import exp
from statistics import NormalDist

from kaboom.engine.bots.bot import HUNDRED, Level
from kaboom.engine.bots.names import Temper
from kaboom.engine.rng import Chance
from kaboom.engine.views import Prompt

SPREAD = 0.35  # of the logarithm of the seconds
MICROSECONDS = 6  # places after the point
FINENESS = 1 << 20  # steps between 0 and 1 that can be drawn

BELL_CURVE = NormalDist()


class Pace(StrEnum):
    """How fast the bots of a table play."""

    INSTANT = "instant"
    BRISK = "brisk"
    NATURAL = "natural"


@dataclass(frozen=True, slots=True)
class Medians:
    """Seconds, the median of each: for a decision; for one that nobody has to think about; for one
    during a race, which leaves others time to be first; and for what nobody waits for. `look` is
    what comes on top while something lies there for people to see, such as a trick that is over.
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

# A race has a clock of its own, the same at every pace: being first is strength.
REACTIONS = {Level.EASY: 3.5, Level.NORMAL: 2.6, Level.HARD: 1.8}  # seconds, medians
QUICKEST = 0.7  # seconds
MISSED = {Level.EASY: 35, Level.NORMAL: 15, Level.HARD: 5}  # of a hundred
SHORTEST, LONGEST = 0.6, 2.5  # times the median


def thinking(
    pace: Pace,
    own: Prompt,
    race: bool,
    quick: Collection[str],
    temper: Temper,
    chance: Chance,
    alone: bool = False,
    look: bool = False,
) -> float:
    """Return the seconds until a bot answers what it is asked.

    `race`: is there something to be first at, too? `quick` are the verbs that need no thought: to
    be ready. A sealed answer takes no time: nobody sees when it comes, and everybody waits for it.
    `alone`: no person plays. Nobody waits then, and a whole match must not be played at once.
    `look`: there is something for people to see before a bot goes on (`Game.to_be_seen`).
    """
    medians = MEDIANS[Pace.NATURAL if alone else pace]
    if not own.waited_for:
        return _drawn(medians.idle, temper, chance)
    if not own.openly_waited_for and not alone:
        return 0.0
    if race:
        return _drawn(medians.race, temper, chance)
    needs_none = all(offer.verb in quick for offer in own.offers if offer.blocks)
    seen = medians.look if look and not alone else 0.0
    return seen + _drawn(medians.quick if needs_none else medians.turn, temper, chance)


def by_hand(quick: bool, chance: Chance) -> float:
    """Return the seconds a person takes for what needs no thought, or little; never at once."""
    medians = MEDIANS[Pace.NATURAL]
    return _drawn(medians.quick if quick else medians.turn, Temper(), chance)


def reaction(level: Level, temper: Temper, chance: Chance) -> float | None:
    """Return the seconds until a bot sees that it could be first, None when it does not see it."""
    missed = chance.below(HUNDRED) < MISSED[level] + temper.missed
    seconds = max(QUICKEST, _drawn(REACTIONS[level], Temper(), chance))
    return None if missed else seconds


def _drawn(median: float, temper: Temper, chance: Chance) -> float:
    """Return a length of time, log-normal around its median, in whole microseconds: what comes
    after them is the C library's, and who is first must not depend on it.
    """
    share = (chance.below(FINENESS) + 0.5) / FINENESS  # never 0 and never 1
    times = exp(SPREAD * BELL_CURVE.inv_cdf(share)) * temper.slower
    return round(median * max(SHORTEST, min(times, LONGEST)), MICROSECONDS)
