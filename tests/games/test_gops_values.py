"""The GOPS bot's position values, compared with the exact solution."""

import os
import random
import shutil
import subprocess
import sys
from functools import cache
from statistics import fmean

import numpy as np
import pytest

from bench.gops.__main__ import positions, solved
from kaboom.games.gops.careful import careful
from kaboom.games.gops.values import after


@pytest.fixture
def rng():
    return random.Random(17)


def worth(matrix, mine, theirs):
    return sum(
        mine[i] * entry * theirs[j] for i, row in enumerate(matrix) for j, entry in enumerate(row)
    )


@cache
def of_round(mine, theirs, prizes, stake):
    """Return the value of a round for the player, solved to the end of the game."""
    matrix = [
        [
            (stake if one > other else -stake if one < other else 0)
            + before_a_prize(
                tuple(card for card in mine if card != one),
                tuple(card for card in theirs if card != other),
                prizes,
                stake if one == other else 0,
            )
            for other in theirs
        ]
        for one in mine
    ]
    return worth(matrix, *careful(matrix))


@cache
def before_a_prize(mine, theirs, prizes, pot):
    if not mine:
        return 0.0
    return fmean(
        of_round(mine, theirs, tuple(other for other in prizes if other != prize), pot + prize)
        for prize in prizes
    )


def held(rng, cards):
    return tuple(sorted(rng.sample(range(1, 14), cards)))


@pytest.mark.parametrize("size", [1, 2, 3, 7, 13])
def test_careful_strategies_are_an_equilibrium(size, rng):
    for kind in range(30):
        matrix = [
            [rng.gauss(0, 5) if kind % 3 else rng.randint(-2, 2) for _ in range(size)]
            for _ in range(size)
        ]
        mine, theirs = careful(matrix)
        assert sum(mine) == pytest.approx(1)
        assert sum(theirs) == pytest.approx(1)
        assert min([*mine, *theirs]) >= 0
        value = worth(matrix, mine, theirs)
        rows = [worth([row], [1], theirs) for row in matrix]
        columns = [worth([[row[j]] for row in matrix], mine, [1]) for j in range(size)]
        assert max(rows) == pytest.approx(value)
        assert min(columns) == pytest.approx(value)


def test_the_last_two_rounds_are_exact(rng):
    """With two cards each, the rest is known after a round: the higher card left wins the last
    prize."""
    for _ in range(50):
        mine, theirs, prize, stake = (
            held(rng, 2),
            held(rng, 2),
            held(rng, 1),
            rng.randint(1, 20),
        )
        said = after(mine, theirs, prize, stake)
        solved_so = of_round(mine, theirs, prize, stake)
        assert worth(said, *careful(said)) == pytest.approx(solved_so, abs=1e-4)


@pytest.mark.parametrize(("size", "miss"), [(3, 0.4), (4, 0.5), (5, 0.6)])
def test_nets_are_close_to_the_solved_game(size, miss, rng):
    """The values vary by some fifteen points; the positions are arbitrary, not only from play."""
    misses = []
    for _ in range({3: 60, 4: 20, 5: 5}[size]):
        mine, theirs, prizes, stake = (
            held(rng, size),
            held(rng, size),
            held(rng, size - 1),
            rng.randint(1, 13),
        )
        said = after(mine, theirs, prizes, stake)
        misses.append(worth(said, *careful(said)) - of_round(mine, theirs, prizes, stake))
    assert np.sqrt(np.mean(np.square(misses))) < miss


def test_position_value_is_zero_sum(rng):
    mine, theirs, prizes = held(rng, 6), held(rng, 6), held(rng, 5)
    swapped = np.array(after(theirs, mine, prizes, 9)).T
    assert np.allclose(after(mine, theirs, prizes, 9), -swapped, atol=1e-4)


@pytest.mark.skipif(not shutil.which("cc"), reason="needs a C compiler")
def test_solver_agrees_with_the_definition(rng):
    known = positions(5, 40, rng)
    said = solved(5, known)
    assert len(said) == len(known) > 100
    for position, value in zip(known.tolist(), said.tolist(), strict=True):
        *sets, pot = position
        mine, theirs, prizes = (
            tuple(place + 1 for place in range(5) if held >> place & 1) for held in sets
        )
        assert value == pytest.approx(before_a_prize(mine, theirs, prizes, pot), abs=1e-4)


SAYS = """
from random import Random
from kaboom.games.gops.three import against, careful_of_three
from kaboom.games.gops.values import after, few_places
import numpy as np

def held(cards):
    return tuple(sorted(chance.sample(range(1, 14), cards)))

chance = Random(17)
for size in range(3, 13):
    print(after(held(size), held(size), held(size - 1), chance.randint(1, 20)))
    tables = [
        few_places(np.array([chance.random() for _ in range(size**3)]).reshape(size, size, size))
        for _ in range(3)
    ]
    mixes = careful_of_three(tables)
    print([mix.tolist() for mix in mixes], against(tables[0], [few_places(m) for m in mixes], 0))
"""


@pytest.mark.parametrize("processor", ["Nehalem", "Haswell"])
def test_values_are_the_same_on_every_processor(processor):
    """OpenBLAS adds in another order on each processor; this test selects one."""
    here, there = (
        subprocess.run(
            [sys.executable, "-c", SAYS], env=env, capture_output=True, text=True, check=True
        ).stdout
        for env in (dict(os.environ), os.environ | {"OPENBLAS_CORETYPE": processor})
    )
    assert len(here) > 1000 and here == there


def test_a_server_without_thinking_bots_does_not_load_numpy():
    says = "import sys, kaboom.games; print('numpy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", says], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
