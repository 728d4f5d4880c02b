"""Options are declared once and parsed from forms, with sentences for errors."""

from dataclasses import dataclass

import pytest

from kaboom.engine.options import (
    InvalidOptions,
    asked_values,
    choice,
    declared,
    described,
    grouped,
    limits,
    notable,
    number,
    read,
    switch,
    time_limit,
)
from kaboom.games import GAMES


@dataclass(frozen=True)
class Options:
    rounds: int = number(4, 1, 20, "Rounds", "How many.")
    pace: float = number(0.3, 0, 2, "Pace", "How fast.", "seconds", step=0.1)
    jokers: bool = switch(True, "Jokers", "With jokers?")
    end: str = choice("past", {"past": "past the ace", "rounds": "after fixed rounds"}, "End", "?")


def test_empty_form_gives_the_defaults():
    assert read(Options, {}) == Options()


def test_form_is_parsed():
    form = {"rounds": " 7 ", "pace": "1.5", "jokers.asked": "1", "end": "rounds"}
    assert read(Options, form) == Options(7, 1.5, False, "rounds")


def test_a_ticked_box_is_on_and_an_unticked_one_off():
    assert read(Options, {"jokers": "1", "jokers.asked": "1"}).jokers
    assert not read(Options, {"jokers.asked": "1"}).jokers


@pytest.mark.parametrize(
    ("form", "name", "sentence"),
    [
        ({"rounds": "0"}, "rounds", "Rounds must be a whole number from 1 to 20."),
        ({"rounds": "2.5"}, "rounds", "Rounds must be a whole number from 1 to 20."),
        ({"rounds": "many"}, "rounds", "Rounds must be a whole number from 1 to 20."),
        ({"pace": "nan"}, "pace", "Pace must be a number from 0 to 2."),
        ({"pace": "1e999"}, "pace", "Pace must be a number from 0 to 2."),
        ({"end": "never"}, "end", "End: “never” is not one of the choices."),
    ],
)
def test_form_error_is_shown_beside_its_field(form, name, sentence):
    with pytest.raises(InvalidOptions) as bad:
        read(Options, form)
    assert bad.value.sentences == {name: sentence}


def test_option_values_are_put_into_words():
    told = [words for _, words in described(Options(pace=1.5, jokers=False))]
    assert told == ["4", "1.5 seconds", "no", "past the ace"]
    assert [option.name for option, _ in notable(Options(rounds=3))] == ["rounds"]


@pytest.mark.parametrize(
    ("pace", "said"),
    [
        (0, "0 seconds"),
        (0.5, "0.5 seconds"),
        (1, "1 second"),
        (1.4, "1.4 seconds"),
        (2, "2 seconds"),
    ],
)
def test_only_a_value_of_one_takes_the_singular(pace, said):
    assert said in [words for _, words in described(Options(pace=pace))]


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_every_option_of_every_game_is_explained_and_can_be_set(game):
    for option in declared(game.options):
        assert option.label, option.name
        assert option.help.endswith((".", "?", ")")), option.name
        if option.kind == "number":
            assert option.least <= option.default <= option.most
        if option.kind == "choice":
            assert option.default in option.values
    assert read(game.options, {}) == game.options()


def test_zero_value_is_put_into_words():
    @dataclass(frozen=True)
    class Timed:
        seconds: int = number(0, 0, 60, "Time", "For a turn.", "seconds", zero="no limit")

    assert [words for _, words in described(Timed())] == ["no limit"]
    assert [words for _, words in described(Timed(5))] == ["5 seconds"]


def test_game_limits_are_the_seconds_it_names_or_none():
    @dataclass(frozen=True)
    class Untimed:
        rounds: int = number(1, 1, 9, "Rounds", "How many.")

    @dataclass(frozen=True)
    class Timed(Untimed):
        def times(self):
            return {"turn": 9.0}

    assert limits(Untimed()) == {}
    assert limits(Timed()) == {"turn": 9.0}


def test_declared_time_limit_is_among_the_limits():
    @dataclass(frozen=True)
    class Timed:
        turn: int = time_limit("Time for a turn", "Then chance plays.")
        pace: float = number(0.5, 0, 3, "Pace", "Between cards.", "seconds", step=0.5)

    assert limits(Timed(turn=20)) == {"turn": 20}
    assert [words for _, words in described(Timed())] == ["no limit", "0.5 seconds"]


def test_options_are_grouped_and_ungrouped_come_last():
    groups = grouped(Options, {"Length": ("rounds", "end")})
    assert [(heading, [o.name for o in options]) for heading, options in groups] == [
        ("Length", ["rounds", "end"]),
        ("Other", ["pace", "jokers"]),
    ]


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_every_option_is_in_one_group_of_its_game(game):
    grouped = [name for names in game.groups.values() for name in names]
    assert sorted(grouped) == sorted(option.name for option in declared(game.options))


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_each_game_has_presets_that_differ_and_can_be_played(game):
    ours = [preset for preset in game.presets if not preset.source]  # apart from known rule sets
    assert 2 <= len(ours) <= 4
    assert len({preset.key for preset in game.presets} | {"usual"}) == len(game.presets) + 1
    chosen = [game.options(**preset.values) for preset in game.presets]
    assert len({game.options(), *chosen}) == len(chosen) + 1
    for preset, options in zip(game.presets, chosen, strict=True):
        assert preset.name and preset.help
        assert read(game.options, asked_values(options)) == options
        possible = game.seats(options)
        assert game.why_not(options, possible[0]) is None
