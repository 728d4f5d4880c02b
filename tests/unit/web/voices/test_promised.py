"""Version 1 is promised: what was answered once is still answered so, and nothing is dropped.

The golden files were written when version 1 was. They are never written again: a field may only be
added (`KABOOM_GOLDEN=1` writes those that are missing).
"""

import os
from pathlib import Path

import msgspec
import pytest

from kaboom.core.options import written
from kaboom.games import GAMES, sample
from kaboom.web.voices import shapes
from tests.unit.web.voices.programs import Program, at_table

GOLDEN = Path(__file__).parent / "golden"
OURS = ("gops", "kaboom", "karata", "koth", "taken")


def answers(app, game):
    """Return what version 1 answers about a table, by name."""
    rules = GAMES[game]
    seats = max(2, rules.seats(rules.options())[0])
    people = [Program(app) for _ in range(seats)]
    path = at_table(game, *people, **written(sample(game).short))
    ann = people[0]
    wrong = ann.post(f"{path}/move", {"answers": ann.table(path)["menu"], "move": "999"})
    return {
        f"{game}.table": (ann.get(f"{path}.json").data, shapes.Table),
        f"{game}.problem": (wrong.data, shapes.Problem),
        f"{game}.talk": (ann.get(f"{path}/talk.json").data, shapes.Talk),
    }


@pytest.mark.parametrize("game", OURS)
def test_what_version_1_answered_can_be_read_and_is_answered_today(app, game):
    for name, (today, shape) in answers(app, game).items():
        file = GOLDEN / f"{name}.json"
        if os.environ.get("KABOOM_GOLDEN") and not file.exists():
            file.write_bytes(msgspec.json.format(today, indent=1))
        then = file.read_bytes()
        msgspec.json.decode(then, type=shape)
        found = missing(msgspec.json.decode(then), msgspec.json.decode(today))
        assert not found, f"{name} lacks {found}"


def missing(then, today, where=""):
    """Return what an answer of today lacks, or gives another type, in words; values may differ."""
    if isinstance(then, dict) and isinstance(today, dict):
        found = [f"{where}.{name}" for name in then if name not in today]
        both = [name for name in then if name in today]
        return found + [it for n in both for it in missing(then[n], today[n], f"{where}.{n}")]
    if isinstance(then, list) and isinstance(today, list):
        return missing(then[0], today[0], f"{where}[]") if then and today else []
    same = then is None or today is None or kind(then) == kind(today)
    return [] if same else [f"{where}: {kind(then)}"]


def kind(value):
    return "number" if type(value) in (int, float) else type(value).__name__


@pytest.mark.parametrize("field", ["menu", "moves", "facts", "revision"])
def test_a_field_that_is_dropped_would_be_noticed(field):
    then = msgspec.json.decode((GOLDEN / "gops.table.json").read_bytes())
    less = {name: value for name, value in then.items() if name != field}
    assert missing(then, less) == [f".{field}"]
    assert missing(then, {**then, field: "another type" if field != "menu" else 7})
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(less, shapes.Table)
