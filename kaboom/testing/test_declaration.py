"""The declaration of a game is consistent, and an installed game can be imported."""

import pytest

from kaboom.engine.faults import faults, unplayable
from kaboom.engine.options import contradictions
from kaboom.engine.toolkit.playthrough import NAMES
from kaboom.games import FAULTS, GAMES, LEFT_OUT
from kaboom.games.trial import Trial
from kaboom.testing.cases import once_a_game


@once_a_game
def test_game_declarations_are_consistent(trial: Trial) -> None:
    """A server omits the faulty part, and logs the fault when it starts."""
    game = trial.game
    why = unplayable(game)
    for fault in [why] if why else [*FAULTS.get(game.key, ()), *faults(game)]:
        trial.fail(fault)
    for seats in ["no number of players"] if not trial.sizes else trial.sizes:
        if seats not in range(1, len(NAMES) + 1):
            trial.fail(f"`seats` allows {seats}; it must return numbers from 1 to {len(NAMES)}")
    for preset in (game.usual, *game.presets):
        for name, sentence in contradictions(game.options(**preset.values)).items():
            trial.fail(
                f"the preset {preset.key!r} contradicts itself at the option {name!r} "
                f"({sentence}); change its values"
            )


@pytest.mark.parametrize("name", [*GAMES, *LEFT_OUT])
def test_installed_game_is_playable(name: str) -> None:
    """The game is found by name, so that `-k` also finds one that cannot be imported."""
    if name in LEFT_OUT:
        pytest.fail(
            f"The game {name} is left out: {LEFT_OUT[name]}; fix what its entry point refers to.",
            pytrace=False,
        )
