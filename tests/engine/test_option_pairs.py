"""Small sets of options in which all pairs of values occur."""

from dataclasses import dataclass
from itertools import combinations

import pytest

from kaboom.engine.options import choice, contradictions, declared, number, switch
from kaboom.engine.toolkit.fixtures import pairs, tried
from kaboom.games import GAMES, sample


@dataclass(frozen=True)
class Options:
    jokers: bool = switch(True, "Jokers", "With jokers?")
    wild: bool = switch(False, "Wild", "Are jokers wild?")
    rounds: int = number(4, 1, 20, "Rounds", "How many.")
    end: str = choice("late", {"late": "late", "soon": "soon", "never": "never"}, "End", "When?")

    def contradictions(self):
        return {"wild": "Without jokers none is wild."} if self.wild and not self.jokers else {}


def occurring(sets):
    return {pair for chosen in sets for pair in combinations(chosen.items(), 2)}


def test_every_consistent_pair_of_values_occurs():
    sets = [{o.name: chosen[o.name] for o in declared(Options)} for chosen in pairs(Options, {})]
    values = [[(o.name, value) for value in tried(o)] for o in declared(Options)]
    every = {pair for one, other in combinations(values, 2) for pair in product_of(one, other)}
    assert every - occurring(sets) == {(("jokers", False), ("wild", True))}
    assert len(sets) <= 10
    assert not any(contradictions(Options(**chosen)) for chosen in sets)


def product_of(one, other):
    return [(this, that) for this in one for that in other]


def test_a_number_is_tried_at_its_default_and_at_both_ends():
    (rounds,) = (option for option in declared(Options) if option.name == "rounds")
    assert tried(rounds) == (4, 1, 20)


@pytest.mark.parametrize("key", list(GAMES))
def test_every_value_of_every_option_of_a_game_can_be_chosen(key):
    game = GAMES[key]
    chosen = pairs(game.options, sample(key).needs)
    for option in declared(game.options):
        assert {values[option.name] for values in chosen} == set(tried(option)), option.name


def test_option_is_tried_with_its_requirement():
    sets = pairs(GAMES["karata"].options, sample("karata").needs)
    assert any(chosen["cut"] and chosen["play_drawn"] for chosen in sets)
