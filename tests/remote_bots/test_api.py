"""Remote bots through JSON: listing, adding, checking, changing, deleting and inviting them."""

import pytest

from kaboom.remote_bots import queries as store

ADDRESS = "https://bots.example.org/kaboom"
BOT = {"bot_name": "Robo", "address": ADDRESS}


class Program:
    """A program with an API key of a new guest."""

    def __init__(self, app, name, **guest):
        self.client = app.test_client()
        made = self.client.post("/guests", json={"name": name, **guest}).json
        self.headers = {"Authorization": f"Bearer {made['key']}"}

    def get(self, path):
        return self.client.get(path, headers=self.headers)

    def post(self, path, **fields):
        return self.client.post(path, json=fields, headers=self.headers)


@pytest.fixture
def ann(app):
    return Program(app, "Ann")


@pytest.fixture
def ben(app):
    return Program(app, "Ben")


@pytest.fixture
def calls(app, bot_server):
    """Let the application call the bot's server; return the server."""
    app.extensions["kaboom.url_policy"] = bot_server.url_policy
    return bot_server


def test_bot_is_added_checked_changed_and_deleted(ann, calls, service):
    assert ann.get("/settings/bots.json").json["bots"] == []
    made = ann.post("/settings/bots", bot_name="Robo", address=calls.address)
    assert made.status_code == 201
    at, secret = made.json["links"]["change"], made.json["secret"]
    assert service.database.read(lambda c: store.bot(c, 1)).secret.decode() == secret
    assert not made.json["checked"]
    checked = ann.post(at, do="check").json
    assert checked["checked"]
    assert [(it["result"], it["game"]) for it in checked["calls"]] == [("moved", "")]
    for do, field, value in (
        ("pause", "paused", True),
        ("resume", "paused", False),
        ("share", "shared", True),
        ("keep", "shared", False),
    ):
        assert ann.post(at, do=do).json[field] is value
        assert ann.get(f"{at}.json").json[field] is value
    (listed,) = ann.get("/settings/bots.json").json["bots"]
    assert (listed["name"], listed["address"], listed["secret"]) == ("Robo", calls.address, "")
    assert secret not in ann.get(f"{at}.json").text + ann.get(f"{at}.txt").text
    assert ann.post(at, do="delete").json["bots"] == []
    assert ann.get(f"{at}.json").status_code == 403


def test_failed_check_reports_the_call_it_made(ann, calls):
    calls.answer = lambda message: b"no"
    at = ann.post("/settings/bots", bot_name="Robo", address=calls.address).json["links"]["change"]
    answer = ann.post(at, do="check")
    assert answer.status_code == 200
    assert not answer.json["checked"]
    assert [it["result"] for it in answer.json["calls"]] == ["lied"]


def test_repeated_add_counts_once_and_shows_the_secret(ann, service):
    ann.headers["Idempotency-Key"] = "only-once"
    first, second = ann.post("/settings/bots", **BOT), ann.post("/settings/bots", **BOT)
    assert first.json == second.json
    assert service.database.read(lambda c: store.count(c, 1)) == 1


@pytest.mark.parametrize(
    ("fields", "wrong"),
    [
        ({"bot_name": "", "address": ADDRESS}, "bot_name"),
        ({"bot_name": "Robo"}, "address"),
        ({"bot_name": "Robo", "address": "http://bots.example.org/"}, "address"),
        ({"bot_name": "Robo", "address": "https://127.0.0.1/"}, "address"),
        ({"bot_name": "Robo", "address": ADDRESS, "shared": True}, "shared"),
    ],
)
def test_invalid_field_is_named_and_nothing_is_stored(ann, service, fields, wrong):
    answer = ann.post("/settings/bots", **fields)
    assert answer.status_code == 422
    assert wrong in answer.json["fields"]
    assert service.database.read(lambda c: store.count(c, 1)) == 0


def test_unknown_change_is_refused(ann):
    ann.post("/settings/bots", **BOT)
    answer = ann.post("/settings/bots/1", do="explode")
    assert (answer.status_code, "do" in answer.json["fields"]) == (422, True)


def test_another_players_bot_is_neither_read_nor_changed(ann, ben, service):
    ann.post("/settings/bots", **BOT)
    before = service.database.read(lambda c: store.bot(c, 1))
    assert ben.get("/settings/bots.json").json["bots"] == []
    refused = [ben.get("/settings/bots/1.json"), ben.get("/settings/bots/1.txt")]
    refused += [ben.post("/settings/bots/1", do=do) for do in ("check", "share", "delete")]
    assert {it.status_code for it in refused} == {403}
    assert not any("example.org" in it.text for it in refused)
    assert ben.get("/settings/bots/7.json").json == refused[0].json, (
        "a missing bot gets the same answer"
    )
    assert service.database.read(lambda c: store.bot(c, 1)) == before


def test_key_without_the_table_scope_reads_no_bots(app):
    looking = Program(app, "Ann", scopes=["look", "play"])
    answers = [looking.get("/settings/bots.json"), looking.get("/settings/bots")]
    answers += [looking.post("/settings/bots", **BOT), looking.post("/settings/bots/1", do="check")]
    assert {it.status_code for it in answers} == {403}


def test_seated_program_invites_its_bot(ann, ben, calls, service):
    at = ann.post("/settings/bots", bot_name="Robo", address=calls.address).json["links"]["change"]
    table = ann.post("/tables", game="karata", name="Ann").json["links"]["self"]
    path = table.removesuffix(".json")
    assert ann.get(f"{path}/invite-bot.json").json["bots"] == []
    assert ann.post(f"{path}/invite-bot", bot=1).status_code == 422
    ann.post(at, do="check")
    found = ann.get(f"{path}/invite-bot.json").json
    assert found["welcome"]
    assert [(it["id"], it["owner"], it["yours"]) for it in found["bots"]] == [(1, "Ann", True)]
    assert ben.get(f"{path}/invite-bot.json").status_code == 403
    assert ben.post(f"{path}/invite-bot", bot=1).status_code == 403
    answer = ann.post(f"{path}/invite-bot", bot=1)
    assert answer.json["format"] == "kaboom table"
    assert "bot of Ann (Robo)" in [it.get("name") for it in answer.json["chairs"]]


def test_bots_are_listed_as_text_and_in_another_language(ann):
    assert "You have no bot." in ann.get("/settings/bots.txt").text
    made = ann.client.post(
        "/settings/bots", json=BOT, headers={**ann.headers, "Accept": "text/plain"}
    )
    assert "This bot’s secret: " in made.text
    assert "not called yet" in ann.get("/settings/bots/1.txt").text
    assert "1. Robo: " in ann.get("/settings/bots.txt").text
    assert ann.get("/settings/bots.txt?lang=fr").text != ann.get("/settings/bots.txt").text
