"""The verbs, zones and facts of each game, documented completely and exactly."""

import re
from html import unescape

import msgspec
import pytest

from kaboom.engine.engine import prompt, start, step
from kaboom.engine.rng import Rng
from kaboom.engine.views import OPEN
from kaboom.games import GAMES, sample
from kaboom.web.api import schemas
from kaboom.web.rules_pages import rules_of
from tests.secrecy.states import next_move, seed
from tests.support.api_clients import JSON, TEXT, Program
from tests.support.effort import often

PLANS = {"plan_VERB", "plan_VERB_until", "plan_nothing"}
MOVES = often(45, soak=400)


def met(game):
    """Return the verbs, zones, facts and marks met in matches, and the verbs of the host."""
    verbs, zones, facts, marks = set(game.hosts), set(), set(), set()
    for number, variant in enumerate(sample(game.key).variants):
        options = game.options(**variant)
        seats = game.seats(options)[0]
        state = start(game, seats, options, seed(number)).state
        for n in range(1, MOVES + 1):
            if game.outcome(state) is not None:
                break
            for viewer in (n % seats, OPEN):
                view = game.view(state, viewer)
                zones |= {zone.name for zone in view.zones}
                marks |= {mark for zone in view.zones for mark in zone.marks.values()}
                facts |= set(view.facts)
            verbs |= {offer.verb for offer in prompt(game, state, n % seats).offers}
            move = next_move(game, state, seats, Rng(seed(number), n, "players"))
            state = step(game, state, move, Rng(seed(number), n)).state
    return verbs, zones, facts, marks


def heard(game):
    """Return the kinds of lines that the first seat hears in the first matches of a game."""
    kinds = set()
    for number, variant in enumerate(sample(game.key).variants):
        options = game.options(**variant)
        seats = game.seats(options)[0]
        found = start(game, seats, options, seed(number))
        for n in range(1, MOVES + 1):
            told = [it for it in found.events if it.to in (None, 0)]
            kinds |= {it.kind for it in told if game.words.saying(it.kind)}
            if game.outcome(found.state) is not None:
                break
            move = next_move(game, found.state, seats, Rng(seed(number), n, "players"))
            found = step(game, found.state, move, Rng(seed(number), n))
    return kinds


def test_log_line_facts_are_documented(app):
    told = Program(app).get("/api/games/kaboom.json").json["log"]
    assert "{first}" in told["swapped"] and "{second}" in told["swapped"]
    assert "{place}" in told["gave"] and "{to}" in told["gave"]


@pytest.mark.parametrize("key", list(GAMES))
def test_exactly_the_used_names_are_documented(app, key):
    game, program = GAMES[key], Program(app)
    answer = program.get(f"/api/games/{key}.json")
    told = msgspec.json.decode(answer.data, type=schemas.Vocabulary)
    verbs, zones, facts, marks = met(game)
    assert zones == set(told.zones)
    assert facts == set(told.facts)
    assert marks <= set(told.marks) and bool(marks) == bool(told.marks)
    assert verbs <= set(told.verbs)
    with app.test_request_context():
        headings = {anchor for _, anchor, _ in rules_of(game, game.options()).contents}
    assert {it.rule for it in told.verbs.values()} <= headings
    assert {verb for verb, it in told.verbs.items() if it.host} == set(game.hosts)
    assert {verb for verb, it in told.verbs.items() if it.prepares} == game.pieces
    assert not any("{" in it.label for it in told.verbs.values())
    assert heard(game) <= told.log.keys()
    assert {it.rule for it in told.besides.values()} == {"h-back", *["h-ahead"] * game.plans}
    assert set(told.besides) == {"take_back"} | (PLANS if game.plans else set())
    page = program.get(f"/api/games/{key}").text
    text = program.get(f"/api/games/{key}.txt?width=200").text
    assert "shuffled" in told.dealing and told.dealing in unescape(page)
    assert told.dealing in " ".join(text.split())
    parts = re.split("^(?:Moves|Zones|Facts|Marks):$", text, flags=re.M)  # names in two of them
    for verb in game.pieces:
        assert re.search(f"^{verb}.* \\(only prepares a move\\)$", text, re.M)
    listed = (told.verbs, told.zones, told.facts, *([told.marks] if told.marks else []))
    for names, part in zip(listed, parts[1:], strict=True):
        assert all(f"\n{name}" in part for name in names)
    for name in (*told.verbs, *told.besides, *told.zones, *told.facts, *told.marks):
        assert f"<dt><code>{name}</code>" in page
        assert f"\n{name}" in text


def test_vocabulary_is_linked_from_docs_and_translated(app, browser):
    ann = browser()
    links = {link for link, _ in ann.open("/api").links}
    assert {f"/api/games/{key}" for key in GAMES} <= links
    program = Program(app)
    english = program.get("/api/games/gops.json").json
    swahili = program.get("/api/games/gops.json?lang=sw").json
    assert swahili["verbs"]["bid"]["label"] != english["verbs"]["bid"]["label"]
    assert swahili["facts"] == english["facts"]
    assert program.get("/api/games/gops", **JSON).json["format"] == "kaboom vocabulary"
    assert program.get("/api/games/gops", **TEXT).text.startswith("GOPS (gops), ")
    for suffix in ("", ".json", ".txt"):
        assert program.get(f"/api/games/chess{suffix}").status_code == 404


def test_label_with_a_placeholder_is_documented_without_it(app):
    verbs = Program(app).get("/api/games/kaboom.json").json["verbs"]
    assert [verbs[it]["label"] for it in ("peek", "take", "use")] == ["Look", "Take", "Use it"]
