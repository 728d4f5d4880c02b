"""Previews of moves in every format, for the player to move only."""

import random

import pytest

from kaboom.games import GAMES
from tests.support.api_clients import Program, at_table, by_json
from tests.support.effort import often


def offer(table, verb):
    return next(it for it in table["moves"] if it["verb"] == verb)


@pytest.fixture
def two(app):
    return Program(app), Program(app)


def heard(person, path):
    """Return the spoken previews of the viewer's moves."""
    said, page = "", 1
    while f"page {page}." in (said or "page 1."):
        said = said.rpartition("More on")[0]
        said += person.get(f"{path}.say?about=would&page={page}").text
        page += 1
    return said


def test_taken_preview_is_beside_each_card(two):
    path = at_table("taken", *two)
    for person in two:
        choices = offer(person.table(path), "choose")["options"]
        text = " ".join(person.get(f"{path}.txt?width=200&would=1").text.split())
        page = person.get(f"{path}/now").text
        for it in choices:
            assert it["preview"].startswith(f"{it['label']} "), it
            assert f"({it['n']}) {it['preview']}" in text
            assert it["preview"] in page
            assert it["preview"].split(",")[0] in heard(person, path)
        assert choices[0]["preview"] not in person.get(f"{path}.txt?width=200").text
    watching = Program(two[0].app).table(path)
    assert "would" not in str(watching)


def test_kaboom_turn_lists_every_move_and_flips_in_a_sentence(browser, table):
    path, people = table("Ann", "Ben")
    for person in people:
        person.open(path)
        person.press("Look at your bottom row")
        person.press("I am ready")
    [at_turn] = [it for it in people if "Call kaboom" in it.open(path).text]
    told = at_turn.open(f"{path}/now").text
    for sentence in (
        "Only you see the top card of the stock.",
        "has one more turn. If they then have fewer points, it costs you 10.",
        "you take 1 penalty card.",
    ):
        assert told.count(sentence) == 1, told


def test_preview_of_a_choiceless_move_is_beside_it(app, two):
    path = at_table("karata", *two)
    ann = next(it for it in two if it.table(path)["waited"])
    before = ann.table(path)
    card = offer(before, "lay")["some"][0][0] if offer(before, "lay")["some"] else None
    card = card or offer(before, "add")["options"][0]["choice"]
    body = {"answers": before["menu"], "move": f"add {card}"}
    table = ann.post(f"{path}/move", body).json
    told = offer(table, "play")["preview"]
    assert told
    assert told in " ".join(ann.get(f"{path}.txt?would=1&width=200").text.split())
    assert told in ann.get(f"{path}/now?lang=en").text.replace("&#39;", "'")
    swahili = ann.get(f"{path}.json?lang=sw").json
    assert offer(swahili, "play")["preview"] not in ("", told)
    # A dry run is answered with the same preview.
    dry = ann.post(f"{path}/move", {"answers": table["menu"], "move": "play", "dry": True}).json
    assert offer(dry.get("now", dry), "play")["preview"] == told
    assert not any("preview" in it for it in next(p for p in two if p != ann).table(path)["moves"])


@pytest.mark.parametrize("stage", ["bid", "waiting"])
def test_gops_preview_describes_wins_and_prompts(two, stage):
    ann, _ = two
    path = at_table("gops", *two)
    if stage == "waiting":
        ann.post(f"{path}/move", {"answers": ann.table(path)["menu"], "move": "1"})
        assert heard(ann, path).startswith("Waiting for P1 to bid for the ")
        return
    offered = ann.table(path)["facts"]["offer_points"]
    told = f"If no other bid is as high, yours wins {offered} point"
    assert told in offer(ann.table(path), "bid")["preview"]
    assert not any("preview" in it for it in offer(ann.table(path), "bid")["options"])
    assert heard(ann, path).count(told) == 1
    assert " ".join(ann.get(f"{path}.txt?would=1").text.split()).count(told) == 1
    assert told in ann.get(f"{path}/now").text


@pytest.mark.slow
@pytest.mark.parametrize("game", list(GAMES))
def test_preview_exists_at_every_moment_of_every_game(app, game):
    """The player to move hears each move; others hear the status."""
    seats = GAMES[game].seats(GAMES[game].options())[0]
    people = [Program(app) for _ in range(seats)]
    path = at_table(game, *people)
    fake_ids = random.Random(5)
    for _ in range(often(12, soak=200)):
        for person in people:
            told = heard(person, path)
            assert "There is nothing to say" not in told
            moves = [it for it in person.table(path)["moves"] if it["blocks"] and it["some"]]
            assert told.count(".") + told.count("?") >= min(len(moves), 2), told
            by_json(person, path, fake_ids)
