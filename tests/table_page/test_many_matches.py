"""Many matches of each game by links and forms alone, against bots, from the home page."""

from pathlib import Path

import pytest

from kaboom.engine.options import written
from kaboom.engine.rng import Rng
from kaboom.games import GAMES, sample
from kaboom.tables import queries
from kaboom.web import security
from tests.support import forms
from tests.support.browsing import table_path
from tests.support.effort import often

PRESSES = often(60, soak=20_000)  # at least, in whole matches of each game
CSP = "Content-Security-Policy"


pytestmark = pytest.mark.usefixtures("waiting_lets_time_pass")


def begin(person, game):
    """Start a match of this person and as many bots as needed."""
    person.open(f"/start/{game}")
    form = person.page.form("/tables")
    button = next(button for button in form.buttons if button[0] == "start")
    person.send(form, button, name="Ann", **written(sample(game).short))
    assert person.status == 200, person.page.text


def play(person, number, most=1500):
    """Press random buttons until the match is over; return the number of presses."""
    for n in range(most):
        if not person.play_on(Rng(bytes(32), n, f"player {number}")):
            return n
        assert person.status in (200, 409, 422), person.page.text
    raise AssertionError(f"the match did not end:\n{person.page.text}")


def log_of(service, path):
    """Return the lines of a table's move log."""
    match_id = service.get(path[3:]).table.match_id
    rows = service.database.read(lambda connection: queries.log(connection, match_id))
    return [row.text for row in rows]


def test_client_that_plays_by_forms_stays_short():
    assert len(Path(forms.__file__).read_text().splitlines()) <= 175


@pytest.mark.parametrize("game", list(GAMES))
def test_many_matches_are_played_to_the_end(game, browser, service):
    number = presses = 0
    while presses < PRESSES:
        ann = browser()
        begin(ann, game)
        presses += play(ann, number)
        number += 1
        path = table_path(ann)
        assert ann.page.form("/rematch")
        assert service.get(path[3:]).seed.hex() in ann.html
        assert service.get(path[3:]).table.outcome is not None
        assert any(line.startswith("0 ") for line in log_of(service, path))


# The policy does not depend on the game, so `make test` uses the shortest match.
@pytest.mark.parametrize("game", often(["gops"], list(GAMES)))
def test_match_with_scripts_forbidden_is_played_the_same_way(
    game, browser, service, fake_ids, monkeypatch
):
    logs = []
    for policy in (security.HEADERS[CSP], security.HEADERS[CSP].replace("'self'", "'none'", 1)):
        monkeypatch.setitem(security.HEADERS, CSP, policy)
        fake_ids.seed = lambda: bytes(range(32))
        ann = browser()
        begin(ann, game)
        play(ann, 0)
        answer = ann.client.get(table_path(ann))
        assert answer.headers[CSP] == policy
        logs.append(log_of(service, table_path(ann)))
    assert "script-src 'none'" in policy
    assert logs[0] == logs[1]
