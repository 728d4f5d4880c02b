"""Programs that know no rules finish every game, by each voice alone and by another each move."""

import random
from itertools import product

import pytest

from kaboom.engine.options import written
from kaboom.games import GAMES, sample
from tests.support.api_clients import Program, at_table, by_json, by_page, by_speech, by_text
from tests.support.effort import LONG, often

VOICES = {"HTML": by_page, "JSON": by_json, "text": by_text, "speech": by_speech}
MATCHES = often(1, soak=50)  # of each game and voice
BY_JSON = often(1, soak=200)  # and of those whom JSON tells all that is legal
MOST = 6000  # tries of a match


def finished(app, game, ways, seed):
    """Let programs play a match to its end, each by these voices in turn; return their answers."""
    rules, lots = GAMES[game], random.Random(seed)
    options = written(sample(game).short)
    seats = max(2, rules.seats(rules.options())[0])
    people = [Program(app) for _ in range(seats)]
    path = at_table(game, *people, **options)
    tables, answers = app.config["TABLES"], []
    for number in range(MOST):
        order, moved = lots.sample(people, len(people)), False
        for person in order:
            answer = ways[number % len(ways)](person, path, lots)
            if answer is not None:
                answers.append(answer)
                assert answer.status_code in (200, 409, 422), answer.text
                moved |= answer.status_code == 200
        if not moved:  # a deal, or time to flip, goes by itself
            tables.now.sleep(2)
        while any(tables.lapse(code) for code in tables.due()):
            pass
        if people[0].table(path)["outcome"]:
            return answers
    raise AssertionError(f"{game} did not end")


MIXED = "another each move"
# At the gate each game is played once, and each voice is used.
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
        if voice == "JSON":  # all that it is told to be legal is
            assert {answer.status_code for answer in answers} <= {200, 409}
