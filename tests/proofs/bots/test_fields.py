"""How the bots of Kaboom, Karata and King of the Hill do in a field of plain players.

The gate plays a few deals, always the same; `make soak` plays many, each time others. Each deal is
played from every seat, or by both sides. The bars leave room for chance: what was measured with
more deals stands in docs/bots.md. KABOOM_DEALS with -s plays that many and tells the shares.
"""

import os
from collections.abc import Sequence
from typing import Any

import pytest

from kaboom.core.bot import Level
from kaboom.games.kaboom import GAME as KABOOM
from kaboom.games.kaboom.options import Options as KaboomOptions
from kaboom.games.karata import GAME as KARATA
from kaboom.games.karata.options import Options as KarataOptions
from kaboom.games.koth import GAME as KOTH
from tests.counts import LONG, often
from tests.yardsticks import kaboom, karata, koth
from tests.yardsticks.fields import Player, Share, in_field, reference

EASY, NORMAL, HARD = Level.EASY, Level.NORMAL, Level.HARD


def deals(gate: int, soak: int) -> Sequence[int]:
    """Return which deals to play: those nothing was tuned on."""
    first = 70_000 + 1000 * int(os.environ.get("KABOOM_SEED", "0"))
    return range(first, first + int(os.environ.get("KABOOM_DEALS", often(gate, soak))))


def stands(result: Share, gate: float, soak: float) -> None:
    """Check a share of wins, in percent, and the time of a decision."""
    print(result)
    assert 100 * result.mean >= (soak if LONG else gate), str(result)
    assert sum(result.times) / len(result.times) <= MEAN * reference(), str(result)
    assert max(result.times) <= WORST * reference(), str(result)


# The reference loop takes 5 ms on an idle core of the machine that docs/bots.md names.
MEAN, WORST = 1, 10


# Who plays against whom, how many deals at the gate, and the least share there and in `make soak`
KABOOM_FIELDS = {
    "random": (HARD, kaboom.ANYTHING, 10, 90, 97),
    "greedy": (HARD, kaboom.GREEDY, 15, 80, 86),
    "greedy who flip": (HARD, kaboom.FLIPPING, 20, 45, 48),
    "normal": (HARD, NORMAL, 20, 27, 27),
    "easy": (NORMAL, EASY, 10, 50, 60),
}


@pytest.mark.parametrize("field", KABOOM_FIELDS)
def test_kaboom_among_three_who_are(field):
    level, rival, some, gate, soak = KABOOM_FIELDS[field]
    wrong = []

    def watch(state: Any, events: Sequence[Any]) -> None:
        wrong.extend(event for event in events if event.kind == "wrong_flip")

    options = KaboomOptions(rounds=1)
    chosen = deals(some, 100)
    result = in_field(KABOOM, *pair(KABOOM, level, rival), chosen, 4, options, watch)
    stands(result, gate, soak)
    assert not wrong, "a bot flips only what it knows"


KARATA_FIELDS = {
    "three random": (HARD, karata.ANYTHING, 4, 60, 36, 40),
    "three greedy": (HARD, karata.GREEDY, 4, 60, 28, 30),
    "one random": (HARD, karata.ANYTHING, 2, 120, 66, 69),
    "one greedy": (HARD, karata.GREEDY, 2, 120, 57, 60),
    "one normal": (HARD, NORMAL, 2, 120, 51, 53),
    "one easy": (NORMAL, EASY, 2, 120, 55, 57),
}


@pytest.mark.parametrize("field", KARATA_FIELDS)
def test_karata_against(field):
    level, rival, seats, some, gate, soak = KARATA_FIELDS[field]
    players = pair(KARATA, level, rival)
    stands(in_field(KARATA, *players, deals(some, 300), seats, KarataOptions()), gate, soak)


KOTH_FIELDS = {
    "random": (HARD, koth.ANYTHING, 15, 75, 80),
    "basic": (HARD, koth.BASIC, 15, 50, 53),
    "easy": (NORMAL, EASY, 20, 55, 58),
}
if LONG:  # few deals would tell nothing
    KOTH_FIELDS["normal"] = (HARD, NORMAL, 0, 0, 49)


@pytest.mark.parametrize("field", KOTH_FIELDS)
def test_king_of_the_hill_as_a_side_against_a_side_that_is(field):
    level, rival, some, gate, soak = KOTH_FIELDS[field]
    stands(koth.as_sides(*pair(KOTH, level, rival), deals(some, 100)), gate, soak)


def pair(game: Any, level: Level, rival: Any) -> tuple[Player, Player]:
    """Return the game's bot at a level, and its rival: another level of it, or a plain player."""
    other = Player(game.bot, rival) if isinstance(rival, Level) else Player(rival)
    return Player(game.bot, level), other
