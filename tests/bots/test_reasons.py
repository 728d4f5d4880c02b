"""Every reason that a hard bot gives is compared with the position by a program.

The other seats are hard bots and rivals of the population in turn. `make soak` checks 2,000 reasons
per game, of which at most one in a hundred may be wrong.
"""

from collections import Counter
from dataclasses import replace
from importlib import import_module
from random import Random
from typing import Any

import pytest

from kaboom.engine.bots.bot import Level
from kaboom.engine.bots.evaluate import Match, Player
from kaboom.games import GAMES
from tests.baseline_bots.koth import ONE_ROUND
from tests.baseline_bots.population import Half, population
from tests.bots.reasons import Case
from tests.support.effort import often

MOST_WRONG = 100  # one in this many
COMMON = 4  # one kind is at most one in this many of the checked ones

# Seats, number of reasons in `make test`, options
PLAYED: dict[str, tuple[int, int, dict[str, Any]]] = {
    "taken": (4, 30, {"max_games": 1}),
    "gops": (2, 60, {}),
    "kaboom": (4, 120, {"rounds": 1}),
    "karata": (3, 120, {}),
    "koth": (5, 20, {}),
}


@pytest.mark.slow
@pytest.mark.parametrize("key", PLAYED)
def test_reason_of_a_hard_bot_is_true(key):
    seats, gate, values = PLAYED[key]
    game, wanted = GAMES[key], often(gate, soak=2000)
    options = ONE_ROUND if key == "koth" else game.options(**values)
    check = import_module(f"tests.bots.reasons.{key}").check
    wrong: list[str] = []
    kinds: Counter[str] = Counter()
    match: Match

    def weigh(memory, view, prompt, rng, level):
        found = game.bot.weigh(memory, view, prompt, rng, level)
        if found and found[0].reason and kinds.total() < wanted:
            case = Case(match.state, memory, view, prompt, found)
            if kinds[case.kind] < wanted // COMMON:
                kinds[case.kind] += 1
                if fault := check(case):
                    wrong.append(f"{found[0].move}, {found[0].reason}: {fault}")
        return found

    rivals = [it.bot for it in population(key, Half.TUNING)]
    number = 5000
    while kinds.total() < wanted:
        hero, luck = Player(replace(game.bot, weigh=weigh, decide=None), Level.HARD), Random(number)
        others = [hero if number % 2 else Player(luck.choice(rivals)) for _ in range(1, seats)]
        players = [hero, *others]
        luck.shuffle(players)
        match = Match(game, players, options, number.to_bytes(32, "big"))
        match.played()
        number += 1
    print(f"{key}: {len(wrong)} of {wanted} are wrong; {kinds}", *wrong[:10], sep="\n")
    assert MOST_WRONG * len(wrong) <= wanted, wrong[:5]
