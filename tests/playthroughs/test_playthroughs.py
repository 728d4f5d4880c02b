"""Golden playthroughs: recorded matches as text, so that a change of rules or views shows as a
diff.

A file has the game, seats, options and seed in its header, and the moves in "---" lines. The test
replays the moves and compares every line. `flask playthrough` writes a new file, `make snapshots`
updates those that differ.
"""

from pathlib import Path

import pytest

from kaboom.engine.codec import from_json
from kaboom.engine.toolkit.playthrough import transcript
from kaboom.games import GAMES
from tests.support.builtin_games import OURS

FOLDER = Path(__file__).parent
FILES = sorted(FOLDER.glob("*/*.txt"))


def head(lines, name):
    return next(line.removeprefix(f"{name}: ") for line in lines if line.startswith(f"{name}: "))


@pytest.mark.parametrize("path", FILES, ids=[f"{p.parent.name}/{p.stem}" for p in FILES])
def test_a_replayed_match_equals_its_recording(path, snapshot):
    lines = path.read_text().splitlines()
    game = GAMES[path.parent.name]
    options = from_json(head(lines, "options"), game.options)
    moves = [line.split(": ", 1)[1] for line in lines if line.startswith("--- ")][1:]
    seed = bytes.fromhex(head(lines, "seed"))
    seats = int(head(lines, "seats"))
    snapshot.check(path, list(transcript(game, seats, options, seed, moves)))


@pytest.mark.parametrize("key", OURS)
def test_every_game_has_a_playthrough(key):
    """To its end, or cut off after the moves that show each stage."""
    assert [path for path in FILES if path.parent.name == key]
