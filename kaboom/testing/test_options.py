"""Options: consistent, and each of them changes something."""

from typing import Any

from kaboom.engine.faults import of_values
from kaboom.engine.options import declared, limits
from kaboom.engine.toolkit.fixtures import tried
from kaboom.games import folder
from kaboom.games.trial import TRIES, Trial, known
from kaboom.testing.cases import every_game, once_a_game
from kaboom.web.rules_pages import rules_of


@once_a_game
def test_sample_uses_only_existing_options(trial: Trial) -> None:
    about, options = trial.about, trial.game.options
    if trial.broken_sample:
        trial.fail(f"its sample.py cannot be read ({trial.broken_sample}); fix it")
    named = {"short": about.short, "long": about.long, **about.apart, **about.needs}
    named |= {f"variants[{place}]": values for place, values in enumerate(about.variants)}
    for name, values in named.items():
        for fault in of_values(f"Sample, {name}", values, options):
            trial.fail(fault)
    every = {option.name for option in declared(options)}
    for name in {*about.needs, *about.unseen} - every:
        trial.fail(f"its Sample names an option {name!r} that does not exist; remove it")
    for place in about.places:
        if place not in trial.game.state.__struct_fields__:
            trial.fail(f"Sample.places names {place!r}, which is not a field of the state; fix it")


@every_game
def test_no_option_shares_its_name_with_another_form_field(trial: Trial) -> None:
    """The form for a new table has these fields besides the options."""
    fields = {"game", "name", "bots", "listed", "password", "watch", "start", "cmd", "preset"}
    fields |= {"level", "bot_pace", "hints", "banter", "days"}
    for name in fields & {option.name for option in declared(type(trial.game.options()))}:
        trial.fail(f"the option {name!r} has the same name as another field of its form; rename it")


@once_a_game
def test_every_time_limit_is_described_by_an_option(trial: Trial) -> None:
    """A fraction of a second is the pace of an animation, which no player waits for."""
    options, about = trial.game.options, trial.about
    limited = {it.name for it in declared(options) if it.unit == "seconds" and it.step == 1}
    tables = ({}, *about.variants, *about.apart.values())
    told = {name for values in tables for name in limits(options(**known(trial.game, values)))}
    for name in limited ^ told:
        trial.fail(
            f"the option {name!r} is not both a number of seconds and listed by Options.times(); "
            "make it both, or neither"
        )


@once_a_game
def test_every_option_changes_something(trial: Trial) -> None:
    """Options that the table itself implements, such as drawing the seats, are exempt."""
    for option in declared(trial.game.options):
        seen = option.name not in trial.about.unseen and option.name != "seating"
        if seen and not trial.changes(option.name):
            trial.fail(
                f"the option {option.name!r} changed nothing in {TRIES} matches; use it, remove "
                "it, or say in the Sample what it needs (needs), or that random players hardly "
                "ever meet it (unseen)"
            )


@once_a_game
def test_every_option_changes_the_rules_page(trial: Trial) -> None:
    game = trial.game
    if not (folder(game.key) / "rules.md").is_file():
        return  # another check reports it
    for option in declared(game.options):
        needed = known(game, trial.about.needs.get(option.name, {}))
        ways = [game.options(**{**needed, option.name: value}) for value in tried(option)]
        if len({rules_of(game, options).html for options in ways}) == 1:
            trial.fail(
                f"rules.md says the same whatever the option {option.name!r} is; it must use "
                f"options.{option.name}"
            )


def ways(trial: Trial) -> list[Any]:
    """Return options to play the game with: the defaults, its presets and those of its sample."""
    game, about = trial.game, trial.about
    presets = [preset.values for preset in (game.usual, *game.presets)]
    every = (*presets, *about.variants, *about.apart.values())
    return [game.options(**known(game, values)) for values in every]
