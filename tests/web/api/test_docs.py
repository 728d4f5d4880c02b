"""What is written for those who write programs is true, and reached from a page."""

import io
import json
import re
from contextlib import redirect_stdout
from html import unescape
from types import SimpleNamespace

import pytest
from openapi_spec_validator import validate

from kaboom.accounts.api_keys.scopes import needed
from kaboom.games import GAMES
from kaboom.web.api.openapi import document
from kaboom.web.api.operations import doors, sights
from kaboom.web.api.problems import KINDS
from kaboom.web.api.reference import reference
from kaboom.web.api.scopes import NEVER
from kaboom.web.i18n import LANGUAGES
from tests.support.api_clients import Program
from tests.support.forms import Page


def test_the_description_is_an_openapi_document_of_3_1():
    found = document()
    assert found["openapi"] == "3.1.0"
    validate(found)


def test_it_names_the_languages_that_there_are():
    (lang,) = (it for it in document()["paths"]["/games.json"]["get"]["parameters"])
    assert lang["name"] == "lang"
    assert set(LANGUAGES) <= set(re.findall(r"\w+", lang["description"]))


def test_it_describes_the_routes_that_there_are(app):
    known = {
        (method, re.sub(r"<(?:[^:<>]+:)?(\w+)>", r"{\1}", rule.rule))
        for rule in app.url_map.iter_rules()
        for method in rule.methods
    }
    told = {(method.upper(), path) for path, it in document()["paths"].items() for method in it}
    assert told <= known
    suffixes = (".json", ".txt", ".say", ".ndjson")
    sights = {(m, p) for m, p in known if m == "GET" and p.endswith(suffixes)}
    others = {"/openapi.json", "/robots.txt", "/.well-known/security.txt"}
    assert {path for _, path in sights - told} == others


def test_it_describes_what_can_be_done_at_a_table_with_a_key_and_nothing_else(app):
    known = {
        re.sub(r"<(?:[^:<>]+:)?(\w+)>", r"{\1}", rule.rule): needed(rule, "POST")
        for rule in app.url_map.iter_rules()
        if "POST" in rule.methods
    }
    at_tables = {path for path in known if path.startswith(("/t/{code}", "/tables", "/day"))}
    told = {door.path for door in doors()} - {"/guests"}
    assert told == {path for path in at_tables if known[path] != NEVER}


def test_it_says_what_a_key_must_be_good_for(app):
    at = {re.sub(r"<(?:[^:<>]+:)?(\w+)>", r"{\1}", it.rule): it for it in app.url_map.iter_rules()}
    for path, ways in document()["paths"].items():
        for method, it in ways.items():
            scope = needed(at[path], method.upper())
            keys = [who["key"] for who in it["security"] if "key" in who]
            assert keys == ([] if scope == NEVER else [[scope] if scope else []]), path


def test_it_names_the_refusals_that_there_can_be_and_no_file_of_the_repository():
    found = document()
    assert "docs/" not in json.dumps(found)
    of_bodies = {"409", "413", "415"}
    for path in found["paths"].values():
        for method, operation in path.items():
            assert (of_bodies <= operation["responses"].keys()) == (method == "post")
            assert of_bodies.isdisjoint(operation["responses"]) == (method == "get")


def asked(path):
    """Return a described address with something in its places."""
    places = {"code": "ABCD2345", "club": "ABCD2345", "key": "gops", "number": 1}
    return path.format(**places, when="2026-11-25")


def test_options_of_an_address_names_what_it_takes(app):
    """Exactly what is described, and the page where there is one at the same address."""
    client = app.test_client()
    for path, ways in document()["paths"].items():
        methods = {method.upper() for method in ways} | {"OPTIONS"}
        if "GET" in methods or client.get(asked(path)).status_code != 405:
            methods |= {"GET", "HEAD"}
        answer = client.open(asked(path), method="OPTIONS")
        assert set(answer.allow) == methods, path
        refused = client.open(asked(path), method="PATCH")
        assert (refused.status_code, set(refused.allow)) == (405, methods), path


def test_every_operation_is_sorted_and_named_readably():
    found = document()
    operations = [it for ways in found["paths"].values() for it in ways.values()]
    names = [it["operationId"] for it in operations]
    assert len(set(names)) == len(names)
    verbs = {name.partition("_")[0] for name in names}
    assert "do" not in verbs and all(re.fullmatch(r"[a-z]+(_[a-z]+)+", name) for name in names)
    assert {"make_move", "get_match_step", "get_table", "open_table", "take_chair"} <= set(names)
    assert {tag for it in operations for tag in it["tags"]} == {it["name"] for it in found["tags"]}
    assert all(len(it["tags"]) == 1 for it in operations)


def test_a_key_is_got_without_one():
    assert document()["paths"]["/guests"]["post"]["security"] == []


def test_its_page_is_linked_and_names_everything(browser):
    ann = browser()
    ann.open("/settings")
    assert ("/api", "Playing by program") in ann.page.links
    ann.open("/lobby")
    assert ("/api", "Playing by program") in ann.page.links
    page = ann.open("/api")
    for it in (*sights(), *doors()):
        assert it.path in page.text
    assert {f"/problems/{slug}" for slug in KINDS} <= {link for link, _ in page.links}


def test_its_page_says_what_must_be_sent_and_what_can_be(browser):
    text = unescape(browser().open("/api").text)
    assert "POST /t/{code}/vote vote*, answer*=yes|no" in " ".join(text.split())


def test_no_example_of_the_page_throws_a_chair_away(app):
    """What writes a jar has to send it first, but for the one that begins."""
    lines = [
        it for code in printed_on(app.test_client().get("/api").text) for it in code.split("\n")
    ]
    writing = [it for it in lines if "-c jar" in it]
    assert len(writing) > 1 and all("-b jar" in it for it in writing[1:])


def test_the_description_need_not_be_sent_twice(app):
    client = app.test_client()
    tag = client.get("/openapi.json").headers["ETag"]
    assert client.get("/openapi.json", headers={"If-None-Match": tag}).status_code == 304


@pytest.mark.parametrize("name", ["reference", "records", "chance"])
def test_what_docs_say_can_be_read_as_it_is_written(app, name):
    client = app.test_client()
    answer = client.get(f"/api/{name}.txt")
    assert answer.mimetype == "text/plain" and answer.text.startswith("# ")
    assert client.get(f"/api/{name}", headers={"Accept": "text/plain"}).text == answer.text
    assert client.get(f"/api/{name}").mimetype == "text/html"


@pytest.mark.parametrize("slug", KINDS)
def test_every_kind_of_problem_has_a_page_in_all_voices(app, slug):
    client = app.test_client()
    assert client.get(f"/problems/{slug}").mimetype == "text/html"
    told = client.get(f"/problems/{slug}", headers={"Accept": "application/json"}).json
    assert (told["type"], told["status"]) == (f"/problems/{slug}", KINDS[slug].status)
    text = client.get(f"/problems/{slug}", headers={"Accept": "text/plain"}).text
    assert KINDS[slug].title in text


def test_the_bot_runs_as_printed(app, monkeypatch):
    """It is copied from the page and talks to the application in place of a server."""
    client = app.test_client()
    printed = next(
        code for code in printed_on(client.get("/api").text) if code.startswith("import")
    )
    assert len(printed.splitlines()) <= 60

    def opened(request, timeout):
        answer = client.open(
            request.full_url.removeprefix("http://localhost"),
            method=request.get_method(),
            data=request.data,
            headers=dict(request.header_items()),
            content_type=request.get_header("Content-type"),
        )
        assert answer.status_code < 300, answer.text
        let_bots_play(app)
        return io.BytesIO(answer.get_data())

    opener = SimpleNamespace(open=opened)
    monkeypatch.setattr("urllib.request.build_opener", lambda *handlers: opener)
    told = io.StringIO()
    with redirect_stdout(told):
        exec(printed, {})
    assert "The match is over" in told.getvalue()


def printed_on(html):
    assert Page(html).title == "Playing by program"
    return [unescape(code) for code in re.findall(r"<pre[^>]*><code>(.*?)</code>", html, re.S)]


def let_bots_play(app):
    """Do what is due, as the clock does."""
    tables = app.config["TABLES"]
    for _ in range(50):
        tables.now.sleep(60)
        if not any(tables.lapse(code) for code in tables.due()):
            return


def test_what_docs_say_for_programs_is_read_at_every_server(browser):
    ann = browser()
    links = {link for link, _ in ann.open("/api").links}
    for path in ("/api/reference", "/api/records", "/api/chance"):
        assert path in links
        assert ann.open(path).title
        assert not [link for link, _ in ann.page.links if link.endswith(".md")]
    assert "digest" in ann.open("/api/records").text


@pytest.mark.parametrize("path", ["/api/reference", "/api/records", "/api/chance"])
def test_they_name_nothing_that_cannot_be_opened_there(app, path):
    client = app.test_client()
    page = client.get(path).text
    assert not re.findall(r"[\w/.-]+\.md|tests/[\w/.]*", page)
    links = {link for link, _ in Page(page).links if link.startswith(("/api", "/static/"))}
    assert all(client.get(link).status_code == 200 for link in links)


@pytest.mark.parametrize("name", ["records", "chance"])
def test_they_list_no_games_as_a_package_may_bring_one(name):
    page = reference(name).html
    names = {it for game in GAMES.values() for it in (game.name, f"<code>{game.key}</code>")}
    assert not [it for it in names - {"Kaboom"} if it in page]


def test_json_that_names_an_option_there_is_not_is_told_so(app):
    ann = Program(app)
    body = {"game": "karata", "name": "Ann"}
    for wrong in ({"cardz": 5}, {"preset": "nobody's"}):
        answer = ann.post("/tables", body | wrong)
        assert (answer.status_code, list(answer.json["fields"])) == (422, list(wrong))
    options = ann.post("/tables", body | {"preset": "matatu", "deal": 5}).json["options"]
    usual = ann.post("/tables", body).json["options"]
    matatu = next(it for it in GAMES["karata"].presets if it.key == "matatu").values
    assert options == {**usual, **matatu, "deal": 5}


@pytest.mark.parametrize("path", ["/api/games/tarot", "/api/games/tarot.json", "/problems/hunger"])
def test_of_what_there_is_not_no_page_is_shown(app, path):
    answer = app.test_client().get(path)
    assert answer.status_code == 404
    assert "There is no such page." in answer.text
