"""Fractional and missing points on every page, in every format, in records."""

import re
from dataclasses import replace

import pytest
from msgspec import structs

from kaboom.engine.codec import from_json, to_json
from kaboom.engine.i18n import figures
from kaboom.engine.outcome_text import how
from kaboom.engine.table_view import SeatLine, Settings, TablePage
from kaboom.engine.texts import Names, in_points
from kaboom.engine.views import Outcome, Saying, Scores, View, places
from kaboom.games import GAMES
from kaboom.table_page import speech
from kaboom.table_page.table_html import game_table
from kaboom.tables.shared_deals.service import result_of
from tests.engine.sealed_bids import SEALED_BIDS, Options
from tests.support.finished_matches import finish

NAMES = Names(("Ann", "Ben"), 0)
ROWS = ((7.5, None), (8.0, 3))


@pytest.mark.parametrize(
    ("points", "written", "said"),
    [
        (7, "7", "7 points"),
        (7.5, "7.5", "7.5 points"),
        (8.0, "8", "8 points"),
        (-0.5, "-0.5", "−0.5 points"),
        (1, "1", "1 point"),
        (None, "—", "—"),
    ],
)
def test_half_points_are_written_and_spoken_naturally(points, written, said):
    assert (figures(points), in_points(points)) == (written, said)


def test_scores_in_a_sentence_have_halves_and_dashes():
    words = replace(SEALED_BIDS.words, sayings={"over": "{scores:scores}; {best:points}."})
    facts = {"scores": [7.5, None], "best": 7.5}
    assert words.say("over", facts, NAMES) == "You 7.5 and Ben —; 7.5 points."


def test_outcome_won_by_a_half_shows_the_half():
    assert how(Outcome((7.5, 7.0), (1, 2)), NAMES) == "7.5 points, 0.5 more than Ben."
    assert how(Outcome((7, 7.5), (1, 2)), NAMES) == "7 points, 0.5 fewer than Ben."


def test_places_follow_half_points():
    assert places((7.5, 7, 8)) == (2, 3, 1)
    assert places((7.5, 7, 7.5), lowest_wins=True) == (2, 1, 2)


def test_whole_scores_in_json_are_unchanged():
    stored = b'{"scores":[7,7.5,-3],"places":[2,1,3],"reason":"won"}'
    assert to_json(from_json(stored, Outcome)) == stored


def test_a_result_on_a_board_is_a_whole_number():
    worth = [result_of(Outcome((7.5, 3), (1, 2)), seat) for seat in range(2)]
    assert [type(it) for it in worth] == [int, int] and worth[0] > worth[1]


@pytest.fixture
def page():
    """Return the page of a game whose fewest points win, with halves and a missing score."""
    return TablePage(
        "CODE",
        "/t/CODE",
        replace(SEALED_BIDS, lowest_wins=True),
        Options(),
        "1",
        [SeatLine(0, "Ann", mine=True), SeatLine(1, "Ben")],
        NAMES,
        Settings(),
        me=0,
        playing=True,
        match=1,
        view=View(0, (), Saying("bidding"), scores=Scores(("Deal", "Match"), ROWS)),
    )


def test_the_general_table_shows_halves_dashes_and_what_wins(app, page):
    with app.test_request_context():
        html = game_table(page)
    assert "<td>7.5</td><td>—</td>" in html and "<td>8</td><td>3</td>" in html
    assert "The fewest points win." in html


def test_game_won_by_most_points_does_not_mention_fewest(app, page):
    with app.test_request_context():
        assert "fewest" not in game_table(replace(page, game=SEALED_BIDS))


def test_spoken_score_has_halves_and_dashes(page):
    assert list(speech._score(page))[:3] == [
        "Ann: Deal 7.5, Match —.",
        "Ben: Deal 8, Match 3.",
        "The fewest points win.",
    ]


@pytest.fixture
def halved(monkeypatch):
    """A variant of GOPS in which every point counts half."""
    gops = GAMES["gops"]

    def outcome(s):
        found = gops.outcome(s)
        return found and structs.replace(found, scores=tuple(it / 2 for it in found.scores))

    monkeypatch.setitem(GAMES, "gops", replace(gops, outcome=outcome))


def test_a_match_with_halves_is_kept_shown_and_verified(service, table, halved):
    path, (ann, _) = table("Ann", "Ben", game="gops")
    finish(service, path[3:])
    seen = service.get(path[3:]).table
    scores = seen.outcome.scores
    assert any(it != int(it) for it in scores)
    ann.open(path)
    assert ann.status == 200
    for points in scores:
        assert f"{in_points(points)}</span>" in ann.html  # the podium
    at = f"/m/{seen.record}"
    ann.open(at)
    assert "Verified" in ann.page.text
    for points in scores:
        assert figures(points) in re.sub("<[^>]*>", " ", ann.html)
    ann.open(f"{at}/print")
    for points in scores:
        assert f"<td>{figures(points)}</td>" in ann.html, ann.status
    assert ann.client.get(f"{at}.json").json["outcome"]["scores"] == list(scores)
    written = ",".join(map(figures, scores))
    assert f"scores={written}" in ann.client.get(f"{path}.txt").text
    assert ann.client.get(f"{path}.json").json["outcome"]["scores"] == list(scores)
