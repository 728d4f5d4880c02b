"""Programs without rules finish every game, in each format alone and in all by turns."""

import random
from itertools import product

import pytest

from kaboom.engine.options import written
from kaboom.games import GAMES, sample
from tests.support.api_clients import Program, at_table, by_json, by_page, by_speech, by_text
from tests.support.effort import LONG, often

VOICES = {"HTML": by_page, "JSON": by_json, "text": by_text, "speech": by_speech}
MATCHES = often(1, soak=50)  # of each game and format
BY_JSON = often(1, soak=200)  # and with the JSON that lists every legal move
MOST = 6000  # attempts in a match


def finished(app, game, ways, seed):
    """Let programs play a match to its end, cycling through these formats; return the answers."""
    rules, fake_ids = GAMES[game], random.Random(seed)
    options = written(sample(game).short)
    seats = max(2, rules.seats(rules.options())[0])
    people = [Program(app) for _ in range(seats)]
    path = at_table(game, *people, **options)
    tables, answers = app.config["TABLES"], []
    for number in range(MOST):
        order, moved = fake_ids.sample(people, len(people)), False
        for person in order:
            answer = ways[number % len(ways)](person, path, fake_ids)
            if answer is not None:
                answers.append(answer)
                assert answer.status_code in (200, 409, 422), answer.text
                moved |= answer.status_code == 200
        if not moved:  # the clock makes the next move
            tables.now.sleep(2)
        while any(tables.run_due(code) for code in tables.due()):
            pass
        if people[0].table(path)["outcome"]:
            return answers
    raise AssertionError(f"{game} did not end")


MIXED = "another each move"
# `make test` plays each game once and uses each format.
GATE = [
    ("gops", "text"),
    ("taken", "speech"),
    ("kaboom", MIXED),
    ("karata", "JSON"),
    ("koth", "JSON"),
]


@pytest.mark.parametrize(
    ("game", "voice"), list(product(GAMES, [*VOICES, MIXED])) if LONG else GATE
)
def test_a_program_without_rules_finishes_every_game(app, game, voice):
    ways = list(VOICES.values()) if voice not in VOICES else [VOICES[voice]]
    for seed in range(BY_JSON if voice == "JSON" else MATCHES):
        answers = finished(app, game, ways, seed)
        assert any(answer.status_code == 200 for answer in answers)
        if voice == "JSON":  # JSON lists only legal moves
            assert {answer.status_code for answer in answers} <= {200, 409}
