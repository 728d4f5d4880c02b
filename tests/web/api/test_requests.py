"""JSON with unknown or impossible values is refused, naming them correctly."""

import json
import re

import pytest
from werkzeug.exceptions import BadRequest

from kaboom.accounts.api_keys.service import new_key
from kaboom.db.database import Unavailable
from kaboom.records.openapi import EYES
from kaboom.web.api import requests
from kaboom.web.api.openapi import ERRORS, OF_A_POST
from kaboom.web.api.operations import ALWAYS, CODE, post_operations
from kaboom.web.api.problems import KINDS
from kaboom.web.api.requests import fields_of
from tests.accounts.test_api_keys import a_guest
from tests.support.api_clients import JSON, TEXT, Program, at_table

FORM = "application/x-www-form-urlencoded"


@pytest.fixture
def gops(app):
    """A match of GOPS between Ann and Ben."""
    ann, ben = Program(app), Program(app)
    return at_table("gops", ann, ben), ann, ben


@pytest.fixture
def lobby(app):
    """A table that Ann has opened, before its match begins."""
    ann = Program(app)
    return "/t/" + ann.post("/tables", {"game": "kaboom", "name": "Ann"}).json["code"], ann


def wrong_in(answer):
    """Return the names of the fields that were refused."""
    assert answer.status_code == 422, answer.text
    assert answer.json["type"] == "/problems/bad-options"
    assert all(answer.json["fields"].values())
    return list(answer.json["fields"])


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("level", "godlike"),
        ("watch", 2),
        ("bots", 30),
        ("bots", 1.5),
        ("bots", -1),
        ("bot_pace", "warp"),
        ("hints", "nonsense"),
        ("programs", "perhaps"),
        ("start", "perhaps"),
        ("listed", 2),
        ("days", 4),
        ("jokers", "perhaps"),
        ("jokers", "false"),
        ("level", ["easy", "hard"]),
        ("cmd", "é"),
    ],
)
def test_impossible_table_is_not_opened(app, field, value):
    ann = Program(app)
    body = {"game": "kaboom", "name": "Ann"}
    assert wrong_in(ann.post("/tables", body | {field: value})) == [field]


@pytest.mark.parametrize(
    ("asked", "name", "why"),
    [
        (".json?after=many", "after", "Send a whole number."),
        (".json?v=-1&wait=0", "v", "Send a whole number."),
        (".json?wait=long", "wait", "Send a whole number from 0 to 25."),
        (".json?wait=26&v=0", "wait", "Send a whole number from 0 to 25."),
        (".json?v=1&v=2", "v", "Send one value, not a list."),
        (".txt?width=wide", "width", "Send a whole number from 20 to 200."),
        (".txt?width=201", "width", "Send a whole number from 20 to 200."),
        (".txt?width=19", "width", "Send a whole number from 20 to 200."),
        (".txt?cards=pictures", "cards", "Send one of these: words."),
        (".txt?would=2", "would", "Send one of these: 1."),
        (".say?about=hands", "about", "Send one of these: hand, table, moves"),
        (".say?about=moves&page=next", "page", "Send a whole number from 0 to 1000."),
        (".say?about=moves&page=1001", "page", "Send a whole number from 0 to 1000."),
    ],
)
def test_invalid_query_value_is_refused_in_json_and_text(gops, asked, name, why):
    path, ann, _ = gops
    answer = ann.get(path + asked)
    assert answer.status_code == 422
    if ".json" in asked:
        by_header = ann.get(path + asked.removeprefix(".json"), **JSON)
        assert wrong_in(answer) == wrong_in(by_header) == [name]
        assert answer.json["fields"][name] == why
    else:  # as text or speech
        told = " ".join(answer.text.split())
        assert f"query parameters: {name}. {name}: {why}" in told


@pytest.mark.parametrize(
    "asked",
    [
        ".json?strange=1",  # for another reader, such as a cache
        ".json?lang=xx&after=",
        ".json?wait=25&v=0",
        ".json?v=99999999999999999999",
        ".txt?width=200",
        ".txt?width=20",
        "?after=many",  # a page
    ],
)
def test_valid_query_value_is_accepted(gops, asked):
    path, ann, _ = gops
    assert ann.get(path + asked).status_code == 200


def test_json_and_text_routes_refuse_invalid_query_values(app):
    ann = Program(app)
    for asked in ("/lobby.json?page=x", "/lobby.json?page=1001", "/games.txt?width=201"):
        assert ann.get(asked).status_code == 422, asked
    for asked in (
        "/tournaments/ZZZZZZZZ.json?round=100",
        "/leaderboards/gops.json?over=weeks",
        "/games.txt?width=x",
    ):
        assert ann.get(asked).status_code == 422, asked


def test_all_field_errors_are_reported_together(app):
    wrong = {"bots": 20, "games": 99, "strange": 1, "preset": "nonsense"}
    answer = Program(app).post("/tables", {"game": "gops", "name": "Ann", **wrong})
    assert wrong_in(answer) == ["games", "strange", "preset", "bots"]
    answer = Program(app).post("/tables", {"game": "gops", "name": "Ann", "bots": 20, "games": 99})
    assert wrong_in(answer) == ["games", "bots"]


@pytest.mark.parametrize("body", [{"text": ""}, {"text": "x" * 301}, {"text": " "}, {}])
def test_invalid_chat_value_is_reported_by_its_field(lobby, body):
    path, ann = lobby
    for operation, sent in (
        ("talk", body),
        ("talk/delete", {"line": 99}),
        ("talk/mute", {"line": 99}),
    ):
        answer = ann.post(f"{path}/{operation}", sent)
        assert (answer.status_code, answer.json["type"]) == (422, "/problems/bad-options")
        assert len(answer.json["fields"]) == 1


def test_client_without_credentials_gets_401(lobby, app):
    path, ann = lobby
    body = {"answers": "0000000000", "move": "1"}
    told = [who.post(f"{path}/move", body).json["detail"] for who in (Program(app), ann)]
    assert ["neither a key nor a cookie" in it for it in told] == [True, False]


def test_table_is_opened_with_every_possible_field(app):
    ann = Program(app)
    body = {"game": "kaboom", "name": "Ann", "bots": 2.0, "level": "easy", "watch": "-1", "days": 0}
    body |= {"bot_pace": "instant", "hints": "all", "programs": "always", "banter": False}
    body |= {"jokers": True, "listed": "1", "start": "", "password": None, "cmd": "one"}
    table = ann.post("/tables", body)
    assert table.status_code == 201, table.text
    assert table.json["options"]["jokers"] is True
    kept = app.config["TABLES"].get(table.json["code"])
    told = (kept.table.pace, kept.table.hints, kept.table.programs, kept.table.banter)
    assert told == ("instant", "all", "always", False)
    assert (kept.listed, kept.table.watch, len(kept.table.sitting())) == (True, -1, 3)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("operation", "body", "fields"),
    [
        ("sit", {"name": "Ben", "seat": 77}, ["seat"]),
        ("sit", {"name": "Ben", "seat": -1}, ["seat"]),
        ("sit", {"name": "\u200b"}, ["name"]),
        ("bot", {"level": "godlike"}, ["level"]),
        ("bot", {"seat": 77}, ["seat"]),
        ("cut", {"cut": "x" * 61}, ["cut"]),
        ("ready", {"ready": "perhaps"}, ["ready"]),
        ("remove", {}, ["seat"]),
        ("remove", {"seat": 77}, ["seat"]),
        ("seats", {"do": "dance"}, ["do"]),
        ("seats", {"do": "swap 0 77"}, ["do"]),
        ("door", {"listed": "perhaps"}, ["listed"]),
        ("bots", {"bot_pace": "warp", "hints": "x"}, ["bot_pace", "hints"]),
        ("options", {"jokers": "perhaps"}, ["jokers"]),
        ("options", {"players": 99}, ["players"]),
        ("options", {"dance": 1}, ["dance"]),
        ("talk", {"phrase": "nonsense"}, ["phrase"]),
        ("talk/delete", {"line": "first"}, ["line"]),
        ("talk/delete", {}, ["line"]),
        ("talk/mute", {"line": 1, "who": "Ben"}, ["who"]),
        ("talk/unmute", {"name": "Ben"}, ["name", "who"]),
        ("watching", {"watch": 3}, ["audience", "hush"]),
        ("watching", {"watch": 2, "audience": True, "hush": False}, ["watch"]),
        ("hands", {"answer": "perhaps"}, ["answer"]),
        ("hands", {"answer": "yes", "minutes": "some"}, ["minutes"]),
        ("call", {"address": "https://example.org", "shape": "pigeon"}, ["shape"]),
        ("ahead", {"plan": "x" * 41, "match": 1}, ["plan"]),
        ("ahead", {"plan": "", "pick": "4H", "dance": 1}, ["dance", "match"]),
        ("house", {"move": "fix_rounds", "match": 1}, ["move"]),
        ("start", {"dance": 1}, ["dance"]),
    ],
)
def test_endpoint_names_the_fields_it_does_not_accept(lobby, operation, body, fields):
    path, ann = lobby
    before = ann.table(path)
    who = Program(ann.app) if operation == "sit" else ann
    assert sorted(wrong_in(who.post(f"{path}/{operation}", body))) == fields
    assert ann.table(path) == before


def test_page_forms_ignore_invalid_fields(lobby):
    path, ann = lobby
    for operation, fields in [
        ("bot", {"level": "godlike", "dance": "1"}),
        ("cut", {"cut": "x" * 61}),
        ("bots", {"bot_pace": "warp"}),
    ]:
        assert ann.client.post(f"{path}/{operation}", data=fields).status_code == 303
    assert ann.table(path)["chairs"][1]["level"] == "normal"


def test_invalid_answer_does_not_close_a_vote(gops):
    path, ann, ben = gops
    assert wrong_in(ann.post(f"{path}/propose", {"about": "holiday"})) == ["about"]
    assert wrong_in(ann.post(f"{path}/propose", {"about": "bot 7"})) == ["about"]
    vote = ann.post(f"{path}/propose", {"about": "pause"}).json["affairs"]["vote"]
    for answer in ({"answer": "maybe"}, {"answer": True}, {"answer": ""}, {}):
        assert wrong_in(ben.post(f"{path}/vote", {"vote": vote["number"]} | answer)) == ["answer"]
    assert ann.table(path)["affairs"]["vote"]["number"] == vote["number"]
    assert ben.post(f"{path}/vote", {"vote": vote["number"], "answer": "yes"}).status_code == 200
    assert ann.table(path)["affairs"]["paused"]


def test_move_accepts_no_other_field(gops):
    path, ann, _ = gops
    move = {"answers": ann.table(path)["menu"], "move": "1"}
    for field, value in {"colour": "red", "cmd": "x" * 41, "dry": "perhaps"}.items():
        assert wrong_in(ann.post(f"{path}/move", {**move, field: value})) == [field]
    assert wrong_in(ann.post(f"{path}/move", {"move": "1"})) == ["answers"]
    assert ann.post(f"{path}/move", {**move, "sure": "1"}).status_code == 200


def test_guest_registration_names_the_invalid_field(app):
    ann = Program(app)
    assert wrong_in(ann.post("/guests", {"key_name": "x"})) == ["name"]
    assert wrong_in(ann.post("/guests", {"name": " "})) == ["name"]
    assert wrong_in(ann.post("/guests", {"name": "Ann", "scopes": ["fly"]})) == ["scopes"]
    form = ann.client.post("/guests", data={"name": "Ann", "scopes": "fly"}, headers=JSON)
    assert wrong_in(form) == ["scopes"]


def test_every_problem_has_the_status_that_its_page_says(gops):
    """The description lists it, too, except 405, which names the allowed methods."""
    path, ann, _ = gops
    form = {"answers": ann.table(path)["menu"], "move": "1"}
    answers = [
        ann.client.post(f"{path}/move", data={"move": "1"}, headers=JSON),
        ann.client.post(f"{path}/move", data={**form, "cmd": "x" * 41}, headers=JSON),
        Program(ann.app).post(f"{path}/sit", {"name": "Cat", "seat": 77}),
        ann.post("/guests", {"name": ""}),
        ann.post("/tables", {"game": "chess", "name": "Ann"}),
        ann.get(f"{path}/move", **JSON),
        ann.get("/t/ZZZZZZZZ.json"),
        ann.get("/rules/chess.json"),
        ann.get("/m/ZZZZZZZZ.json"),
        ann.post(f"{path}/options", {}),
        Program(ann.app).post(f"{path}/move", form),
        ann.get("/games.json", Authorization=f"Bearer {new_key()}"),
    ]
    described = {*ERRORS, *OF_A_POST, 405}  # these requests use an allowed method
    for answer in answers:
        kind = KINDS[answer.json["type"].removeprefix("/problems/")]
        assert (answer.status_code, answer.json["title"]) == (kind.status, kind.title)
        assert answer.status_code in described
    assert {kind.status for kind in KINDS.values()} <= described
    assert sorted(answers[5].allow) == ["OPTIONS", "POST"]
    types = [it.json["type"].removeprefix("/problems/") for it in answers]
    assert types[0] == types[1] == "unreadable"
    assert types[6:9] == ["no-table", "not-found", "not-found"]


def test_locked_and_wrong_time_are_distinct_problems(app, lobby):
    path, ann = lobby
    assert ann.post(f"{path}/door", {"password": "sesame"}).status_code == 200
    for answer in (Program(app).get(f"{path}.json"), Program(app).post(f"{path}/sit", {})):
        assert (answer.status_code, answer.json["type"]) == (403, "/problems/locked")
    wrong = Program(app).post(f"{path}/enter", {"password": "simsim"})
    assert (wrong.status_code, wrong.json["type"]) == (403, "/problems/locked")
    early = ann.post(f"{path}/start")
    assert (early.status_code, early.json["type"]) == (422, "/problems/not-now")


@pytest.mark.parametrize(
    ("error", "status", "kind"), [(Unavailable(), 503, "busy"), (RuntimeError("no"), 500, "broken")]
)
def test_server_fault_is_reported_in_every_format(app, lobby, monkeypatch, error, status, kind):
    path, ann = lobby

    def fails(*asked, **more):
        raise error

    monkeypatch.setitem(app.config, "PROPAGATE_EXCEPTIONS", False)
    monkeypatch.setattr(app.config["TABLES"], "get", fails)
    for answer in (ann.get(f"{path}.json"), ann.post(f"{path}/ready")):
        assert (answer.status_code, answer.json["type"]) == (status, f"/problems/{kind}")
        assert answer.headers.get("Retry-After") == ("1" if status == 503 else None)
    text = ann.get(f"{path}.txt")
    assert text.status_code == status and text.text.startswith("Refused: ")


def test_reused_key_for_another_request_is_no_rules_problem(app):
    ann = a_guest(app)
    code = ann.open("/tables", "POST", json={"game": "gops", "name": "Ann", "start": True}).json
    path, once = f"/t/{code['code']}", {"Idempotency-Key": "one"}
    move = {"answers": code["menu"], "move": "bid AS"}
    ann.open(f"{path}/move", "POST", once, json=move)
    again = ann.open(f"{path}/move", "POST", once, json=move | {"move": "bid KS"})
    assert again.json["type"] == "/problems/key-reused"
    assert "rule" not in again.json


def test_repeated_cmd_is_found_despite_a_new_idempotency_key(gops):
    path, ann, _ = gops
    move = {"answers": ann.table(path)["menu"], "move": "bid AS", "cmd": "mine"}
    for key in ("first", "second", "second"):
        answer = ann.post(f"{path}/move", move, JSON | {"Idempotency-Key": key})
        assert answer.status_code == 200, answer.text
    other = ann.post(f"{path}/move", {**move, "move": "bid KS"})
    assert other.status_code == 409
    assert "page" not in other.json["detail"] and "cmd" in other.json["detail"]


def test_malformed_json_is_not_read_as_a_form(app):
    ann = Program(app)
    sent = {"data": b'{"name": "\xff"}', "content_type": "application/json"}
    told = ann.client.post("/guests", headers=JSON, **sent).json["detail"]
    assert "form" not in told and "UTF-8" in told
    typed = ann.client.post("/guests", data=b"name=%ff", headers=TEXT, content_type=FORM)
    assert "The form contains bytes" in typed.text


def test_description_patterns_have_matching_examples():
    found = [
        schema
        for operation in post_operations()
        for schema in operation.fields.values()
        if "pattern" in schema
    ]
    assert len(found) >= 4
    for schema in [*found, *ALWAYS.values(), CODE, *EYES.values()]:
        for example in schema.get("examples", ()):
            assert re.fullmatch(schema["pattern"], example)
        assert "examples" in schema or "pattern" not in schema


def test_special_formats_are_described_by_examples(app):
    ann = Program(app)
    told = ann.post(f"{at_table('gops', ann, Program(app))}/propose", {"about": "zzz"})
    assert told.json["fields"] == {"about": "Send a value such as: pause, go_on, end, bot 2."}


def test_body_with_too_many_fields_is_refused():
    names = [f"name{number}" for number in range(requests.MOST + 1)]
    assert len(fields_of(json.dumps(dict.fromkeys(names[:-1], "x")).encode())) == requests.MOST
    with pytest.raises(BadRequest, match="too many fields"):
        fields_of(json.dumps(dict.fromkeys(names, "x")).encode())
    assert not fields_of(b"")
