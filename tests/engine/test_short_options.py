"""Short option strings for URLs, which parse back to the same options."""

import pytest

from kaboom.engine.options import InvalidOptions, from_short, short
from kaboom.games import GAMES

WAYS = [(game, preset) for game in GAMES.values() for preset in (game.usual, *game.presets)]


@pytest.mark.parametrize("game, preset", WAYS, ids=[f"{g.key} {p.key}" for g, p in WAYS])
def test_every_preset_is_written_and_read_back(game, preset):
    options = game.options(**preset.values)
    written = short(options)
    assert from_short(game.options, written) == options
    assert (written == "") == (options == game.options())
    assert written.count(":") <= len(preset.values)


@pytest.mark.parametrize(
    "nonsense",
    [
        "nonsense",
        ":",
        "rounds",
        "rounds:",
        "rounds:99",
        "rounds:1,",
        "rounds:1,rounds:2",
        "rounds:1,colour:red",
        "rounds:1;drop table",
        "rounds:1" * 1000,
        "\N{BOMB}:1",
    ],
)
def test_unwritable_option_string_is_refused(nonsense):
    with pytest.raises(InvalidOptions) as no:
        from_short(GAMES["kaboom"].options, nonsense)
    assert len(str(no.value)) < 200


def test_a_switch_is_on_or_off():
    options = GAMES["koth"].options
    name = next(o for o, v in vars(options()).items() if isinstance(v, bool))
    with pytest.raises(InvalidOptions):
        from_short(options, f"{name}:banana")
    on = from_short(options, f"{name}:{int(not getattr(options(), name))}")
    assert getattr(on, name) is not getattr(options(), name)
