"""What GOPS' bot believes of positions, beside the game solved from its end."""

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
def chance():
    return random.Random(17)


def worth(matrix, mine, theirs):
    return sum(
        mine[i] * entry * theirs[j] for i, row in enumerate(matrix) for j, entry in enumerate(row)
    )


@cache
def of_round(mine, theirs, prizes, stake):
    """Return what a round is worth to me, solved to the end of the game."""
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


def held(chance, cards):
    return tuple(sorted(chance.sample(range(1, 14), cards)))


@pytest.mark.parametrize("size", [1, 2, 3, 7, 13])
def test_careful_players_leave_each_other_nothing_to_gain(size, chance):
    for kind in range(30):
        matrix = [
            [chance.gauss(0, 5) if kind % 3 else chance.randint(-2, 2) for _ in range(size)]
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


def test_the_last_two_rounds_are_exact(chance):
    """With two cards each what follows a round is known: a prize for the higher card left."""
    for _ in range(50):
        mine, theirs, prize, stake = (
            held(chance, 2),
            held(chance, 2),
            held(chance, 1),
            chance.randint(1, 20),
        )
        said = after(mine, theirs, prize, stake)
        solved_so = of_round(mine, theirs, prize, stake)
        assert worth(said, *careful(said)) == pytest.approx(solved_so, abs=1e-4)


@pytest.mark.parametrize(("size", "miss"), [(3, 0.4), (4, 0.5), (5, 0.6)])
def test_the_nets_are_near_the_solved_game(size, miss, chance):
    """Worths differ by some fifteen points; positions come from anywhere, not only from play."""
    misses = []
    for _ in range({3: 60, 4: 20, 5: 5}[size]):
        mine, theirs, prizes, stake = (
            held(chance, size),
            held(chance, size),
            held(chance, size - 1),
            chance.randint(1, 13),
        )
        said = after(mine, theirs, prizes, stake)
        misses.append(worth(said, *careful(said)) - of_round(mine, theirs, prizes, stake))
    assert np.sqrt(np.mean(np.square(misses))) < miss


def test_what_a_position_is_worth_to_one_it_costs_the_other(chance):
    mine, theirs, prizes = held(chance, 6), held(chance, 6), held(chance, 5)
    swapped = np.array(after(theirs, mine, prizes, 9)).T
    assert np.allclose(after(mine, theirs, prizes, 9), -swapped, atol=1e-4)


@pytest.mark.skipif(not shutil.which("cc"), reason="needs a C compiler")
def test_the_program_that_solves_the_game_agrees_with_the_definition(chance):
    known = positions(5, 40, chance)
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
def test_worths_are_the_same_on_every_processor(processor):
    """OpenBLAS adds up in another order on each; this names one to it."""
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
