"""Rules, the steps of finished matches and a player's turns, as JSON and as text."""

import re
from dataclasses import replace
from itertools import pairwise

import msgspec
import pytest
from werkzeug.exceptions import NotFound

from kaboom.accounts.login import LinkExpired
from kaboom.engine.options import declared
from kaboom.games import GAMES
from kaboom.lobby import api as lobby_api
from kaboom.lobby.turns import TurnLine
from kaboom.tables.forms.listing import LobbyTable
from kaboom.tables.table import WATCHED_BY_NOBODY
from kaboom.web.api import schemas
from kaboom.web.api.openapi import document
from kaboom.web.api.problems import slug_of
from kaboom.web.api.responses import paragraphs
from kaboom.web.rules_pages import of_every_game, rules_of
from tests.support.api_clients import JSON, TEXT, Program, at_table


def decoded(answer, shape):
    """Return an answer, parsed as the documented type."""
    assert (answer.status_code, answer.mimetype) == (200, "application/json"), answer.text
    return msgspec.json.decode(answer.data, type=shape, strict=True)


@pytest.fixture
def program(app):
    return Program(app)


@pytest.mark.parametrize("game", list(GAMES))
def test_rules_json_has_the_section_ids_cited_by_errors(app, program, game):
    found = decoded(program.get(f"/rules/{game}.json"), schemas.Rules)
    assert [it.level for it in found.sections[:1]] == [1]
    assert set(GAMES[game].words.rules.values()) <= {it.id for it in found.sections}
    assert all(it.heading and "\n#" not in it.text for it in found.sections)
    with app.test_request_context():
        page = rules_of(GAMES[game], GAMES[game].options())
        of_all = [anchor for anchor, _, _ in of_every_game(GAMES[game])]
    assert [it.id for it in found.sections[1:]] == [it for _, it, _ in page.contents] + of_all
    assert of_all == ["h-back", *["h-ahead"] * GAMES[game].plans, *["h-days"]]
    page = program.get(f"/rules/{game}").text
    assert all(f' id="{anchor}">' in page for anchor in of_all)
    text = program.get(f"/rules/{game}.txt?width=40").text
    assert all(f"# {it.heading}"[:40].split("\n")[0] in text for it in found.sections[:3])
    assert max(map(len, text.splitlines())) <= 40
    swahili = decoded(program.get(f"/rules/{game}.json?lang=sw"), schemas.Rules)
    assert [it.id for it in swahili.sections] == [it.id for it in found.sections]
    assert program.client.get(f"/rules/{game}", headers=JSON).json["format"] == "kaboom rules"


def test_rules_of_a_table_follow_its_options(program):
    opened = program.post("/tables", {"game": "karata", "name": "Ann", "preset": "matatu"})
    path = f"/t/{opened.json['code']}"
    here = decoded(program.get(f"{path}/rules.json"), schemas.Rules)
    usual = decoded(program.get("/rules/karata.json"), schemas.Rules)
    asked = decoded(program.get("/rules/karata.json?set=deal:6"), schemas.Rules)
    assert here.options == opened.json["options"]
    assert asked.options["deal"] == 6 != usual.options["deal"]
    assert program.client.get(f"{path}/rules", headers=TEXT).text.startswith("# Karata\n")


def test_rules_text_is_wrapped_once_and_free_of_markup(program):
    for key in GAMES:
        sections = program.get(f"/rules/{key}.json").json["sections"]
        lines = program.get(f"/rules/{key}.txt?width=72").text.splitlines()
        assert max(map(len, lines)) <= 72 and not set("*`|") & set("".join(lines))
        told = " ".join(" ".join(lines).split())
        for it in sections:
            assert all(" ".join(line.split()) in told for line in paragraphs(it["text"]))
        # Wrapping lines that were already wrapped would leave many of them half empty.
        stubs = [a for a, b in pairwise(lines) if b.startswith("  ") and len(a) < 48]
        assert len(stubs) < len(lines) / 20, stubs


def test_paragraphs_items_and_rows_are_lines():
    source = """You have seen **three** of them,
once: see [the deal](#deal).

- Cards `KS TH`
  and more
- a second
1. a third

| card | points |
|------|-------:|
| ace  | 1 |
"""
    assert list(paragraphs(source)) == [
        "You have seen three of them, once: see the deal.",
        "- Cards KS TH and more",
        "- a second",
        "1. a third",
        "card; points",
        "ace; 1",
    ]


def test_rules_with_invalid_options_or_game_are_refused(program):
    wrong = program.get("/rules/karata.json?set=deal:99")
    assert (wrong.status_code, wrong.json["type"]) == (422, "/problems/bad-options")
    assert program.get("/rules/chess.json").json["type"] == "/problems/not-found"
    assert program.get("/t/NOTABLES/rules.json").status_code == 404


@pytest.fixture
def finished(program, ended):
    """Its record's code."""
    return program.table(ended)["record"]


@pytest.fixture
def ended(app, program):
    """The path of a table where Ann and Ben have played a match of GOPS to its end."""
    ben = Program(app)
    path = at_table("gops", program, ben)
    while not program.table(path)["outcome"]:
        for person in (program, ben):
            offers = [it for it in person.table(path)["moves"] if it["blocks"]]
            if offers:
                words = " ".join([offers[0]["verb"], *offers[0]["some"][0]])
                person.post(f"{path}/move", {"answers": offers[0]["answers"], "move": words})
    return path


def test_step_links_run_through_a_finished_match(program, finished):
    at, seen = f"/m/{finished}/0.json", []
    while at:
        found = decoded(program.get(at), schemas.Step)
        assert (found.step, found.seat, found.open) == (len(seen), None, True)
        seen.append(found)
        at = found.links.get("after")
    assert len(seen) == seen[0].last + 1
    assert seen[-1].links["before"].endswith(f"/{seen[0].last - 1}.json")
    assert any(it.kind == "match_over" for it in seen[-1].said)
    lines = [it.text for step in seen for it in step.said]
    text = program.get(f"/m/{finished}.txt?width=200").text
    assert all(line[:150] in text for line in lines)
    last = program.get(f"/m/{finished}/{seen[0].last}.txt").text
    assert last.splitlines()[0] == f"GOPS {finished}, step {seen[0].last} of {seen[0].last}"
    assert "POST" not in last


def test_step_from_a_seat_shows_what_that_seat_saw(program, finished):
    def seen(eyes):
        return decoded(program.get(f"/m/{finished}/1.json?seat={eyes}"), schemas.Step)

    ann, watching = seen("0"), seen("watch")
    assert (ann.seat, ann.open) == (0, False)
    assert (watching.seat, watching.open, seen("x").open) == (None, False, True)
    assert watching.facts != ann.facts or watching.zones != ann.zones
    assert ann.links["after"].endswith("?seat=0")
    assert program.get(f"/m/{finished}/99999.json").status_code == 404
    assert program.get(f"/m/{finished}/100000.json").status_code == 404
    assert program.get("/m/NOTABLES/0.json").status_code == 404


def test_players_turns_are_private_and_listed_most_urgent_first(app, program):
    ben = Program(app)
    assert decoded(program.get("/turns.json"), schemas.Turns).tables == []
    assert program.get("/turns.txt").text == "You are not in a match now.\n"
    waits = at_table("gops", program, ben)
    mine = decoded(program.get("/turns.json"), schemas.Turns).tables
    assert [(it.code, it.game, it.mine) for it in mine] == [(waits[3:], "gops", True)]
    assert f"{waits[3:]} GOPS, your turn" in program.get("/turns.txt").text
    assert program.client.get("/turns", headers=JSON).json["tables"][0]["mine"] is True
    assert decoded(Program(app).get("/turns.json"), schemas.Turns).tables == []


def test_text_shows_who_is_ready(app, program):
    ben = Program(app)
    opened = program.post("/tables", {"game": "gops", "name": "Ann"})
    path = f"/t/{opened.json['code']}"
    ben.post(f"{path}/sit", {"name": "Ben"})
    ben.post(f"{path}/ready")
    assert "1: Ann, host, you\n2: Ben, ready\n" in program.get(f"{path}.txt").text


def test_gone_resource_is_the_same_problem_as_an_unknown_one():
    assert slug_of(LinkExpired("It was used."), 410) == slug_of(NotFound(), 404) == "not-found"


def test_lobby_lists_tables_or_says_there_are_none(program):
    assert "There are no tables in the lobby now." in program.get("/lobby.txt").text
    opened = program.post("/tables", {"game": "gops", "name": "Ann", "listed": True})
    lines = program.get("/lobby.txt").text
    assert f"{opened.json['code']} GOPS, Ann (new here), 1/2" in lines and "No table" not in lines


@pytest.mark.parametrize("game", list(GAMES))
def test_possible_option_values_are_listed_with_the_game(program, game):
    told = decoded(program.get("/games.json"), schemas.Games).games
    (found,) = (it for it in told if it.key == game)
    expected = {it.name: dict(it.values or {}) for it in declared(GAMES[game].options)}
    assert {it.name: it.values for it in found.options} == expected


def test_ended_match_lines_link_to_steps_and_table_lines_do_not(program, ended):
    program.post(f"{ended}/ready")
    page = program.client.get(ended).text
    lines = re.findall(r'<li id="ev-\d+"[^>]*><a( href="[^"]+")?>([^<]+)', page)
    about = [text for href, text in lines if not href]
    assert about == ["The table is ready for a new match.", "P0 is ready."]
    assert len(lines) > 20


def test_text_width_follows_the_query_within_limits(ended, program):
    def lines(width):
        return program.get(f"{ended}.txt?cards=words&width={width}").text.splitlines()

    def widest(width):
        return max(map(len, lines(width)))

    assert widest(40) <= 40 < widest(72) <= 72
    assert " ".join(lines("nonsense")).startswith(
        "Refused: Invalid values of query parameters: width."
    )
    assert " ".join(lines(9000)).startswith("Refused: Invalid values of query parameters: width.")
    assert 72 < widest(200) <= 200


def test_winner_sentence_has_one_full_stop(ended, program):
    assert "You win! " in program.get(f"{ended}.txt").text
    assert "You win! " in program.get(f"{ended}.say?about=table").text
    assert "P0 wins. " in Program(program.app).get(f"{ended}.txt").text


def test_excluded_viewer_sees_the_table_as_closed(app, program):
    path = at_table("gops", program, Program(app), watch=WATCHED_BY_NOBODY)
    stranger = Program(app)
    assert (program.table(path)["stage"], stranger.table(path)["stage"]) == ("playing", "closed")


def test_spoken_choice_has_its_number_of_options(app, program):
    path = at_table("gops", program, Program(app))
    assert "Bid a card, one of 13." in program.get(f"{path}.say").text


def test_unready_tournament_player_has_no_turn():
    turn = TurnLine("CODE", "gops", "GOPS", True, (), None, 1, 0.0, opens=True)
    opens = "your tournament table is open: say that you are ready"
    assert [*lobby_api._told(turn)] == [f"CODE GOPS, {opens}"]
    assert [*lobby_api._told(replace(turn, opens=False))] == ["CODE GOPS, your turn"]


def test_unreadable_move_is_refused_and_changes_nothing(app, program):
    path = at_table("gops", program, Program(app))
    asked = program.table(path)["menu"]
    sent = {"answers": asked, "move": "x" * 2001}
    wrong = program.client.post(f"{path}/move", data=sent)
    assert wrong.status_code == 400 and program.table(path)["menu"] == asked


def test_query_parameters_of_a_table_as_text_are_documented():
    asked = document()["paths"]["/t/{code}.txt"]["get"]["parameters"]
    names = {it["name"] for it in asked if it.get("in") == "query"}
    assert {"wait", "v", "width", "cards", "would"} <= names


def fields_of(kind):
    return {name: kind.__annotations__[name] for name in kind.__annotations__}


def test_response_shapes_have_the_fields_of_the_page_values(app):
    """The shapes are promised, so they are not generated; but they must stay complete."""
    theirs = fields_of(LobbyTable)
    theirs["game"] = theirs.pop("key")
    assert fields_of(schemas.Listed) == theirs
    option = declared(GAMES["karata"].options)[0]
    not_promised = {"unit", "counted", "zero"}  # how forms describe a number
    names = set(type(option).__slots__) - not_promised
    assert set(schemas.GameOption.__struct_fields__) == names
    for it in program_games(app):
        rules = GAMES[it["key"]]
        assert [option["name"] for option in it["options"]] == [
            option.name for option in declared(rules.options)
        ]


def program_games(app):
    return Program(app).get("/games.json").json["games"]
