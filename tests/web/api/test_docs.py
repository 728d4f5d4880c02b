"""The documentation for developers is correct, and linked from a page."""

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
from kaboom.puzzles.book import book
from kaboom.web.api.openapi import document
from kaboom.web.api.operations import get_operations, post_operations
from kaboom.web.api.problems import KINDS
from kaboom.web.api.reference import reference
from kaboom.web.api.scopes import NEVER
from kaboom.web.i18n import LANGUAGES
from tests.support.api_clients import Program
from tests.support.forms import Page


@pytest.mark.slow
def test_api_description_is_a_valid_openapi_3_1_document():
    found = document()
    assert found["openapi"] == "3.1.0"
    validate(found)


def test_docs_name_the_available_languages():
    (lang,) = (it for it in document()["paths"]["/games.json"]["get"]["parameters"])
    assert lang["name"] == "lang"
    assert set(LANGUAGES) <= set(re.findall(r"\w+", lang["description"]))


def test_docs_describe_the_existing_routes(app):
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


def test_docs_describe_exactly_what_a_key_can_do_at_a_table(app):
    known = {
        re.sub(r"<(?:[^:<>]+:)?(\w+)>", r"{\1}", rule.rule): needed(rule, "POST")
        for rule in app.url_map.iter_rules()
        if "POST" in rule.methods
    }
    at_tables = {
        path
        for path in known
        if path.startswith(
            (
                "/t/{code}",
                "/tables",
                "/daily",
                "/play",
                "/m/",
                "/challenge/",
                "/learn/",
                "/puzzle/",
                "/settings/bots",
            )
        )
    }
    told = {operation.path for operation in post_operations()} - {"/guests"}
    assert told == {path for path in at_tables if known[path] != NEVER}


def test_docs_name_the_required_scope(app):
    at = {re.sub(r"<(?:[^:<>]+:)?(\w+)>", r"{\1}", it.rule): it for it in app.url_map.iter_rules()}
    for path, ways in document()["paths"].items():
        for method, it in ways.items():
            scope = needed(at[path], method.upper())
            keys = [who["key"] for who in it["security"] if "key" in who]
            assert keys == ([] if scope == NEVER else [[scope] if scope else []]), path


def test_docs_name_possible_errors_and_no_repository_files():
    found = document()
    assert "docs/" not in json.dumps(found)
    of_bodies = {"409", "413", "415"}
    for path in found["paths"].values():
        for method, operation in path.items():
            assert (of_bodies <= operation["responses"].keys()) == (method == "post")
            assert of_bodies.isdisjoint(operation["responses"]) == (method == "get")


def asked(path):
    """Return a documented address with values for its parameters."""
    places = {"code": "ABCD2345", "club": "ABCD2345", "key": "gops", "number": 1, "lesson": "first"}
    places |= {"bot": 1, "review": "ABCD2345", "round": 1, "month": "2026-11"}
    places["puzzle"] = next(iter(book("gops")))
    return path.format(**places, when="2026-11-25")


def test_options_request_lists_the_allowed_methods(app):
    """Exactly the documented methods, and that of a page at the same URL."""
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


def test_guest_endpoint_needs_no_key():
    assert document()["paths"]["/guests"]["post"]["security"] == []


def test_docs_page_is_linked_and_complete(browser):
    ann = browser()
    ann.open("/settings")
    assert ("/api", "API for programs") in ann.page.links
    page = ann.open("/api")
    for it in (*get_operations(), *post_operations()):
        assert it.path in page.text
    assert {f"/problems/{slug}" for slug in KINDS} <= {link for link, _ in page.links}


def test_docs_page_lists_required_and_optional_fields(browser):
    text = unescape(browser().open("/api").text)
    assert "POST /t/{code}/vote vote*, answer*=yes|no" in " ".join(text.split())


def test_curl_examples_keep_their_cookie_jar(app):
    """Each example that writes the cookie jar also sends it, except the first."""
    lines = [
        it for code in printed_on(app.test_client().get("/api").text) for it in code.split("\n")
    ]
    writing = [it for it in lines if "-c jar" in it]
    assert len(writing) > 1 and all("-b jar" in it for it in writing[1:])


def test_openapi_document_is_cached_by_etag(app):
    client = app.test_client()
    tag = client.get("/openapi.json").headers["ETag"]
    assert client.get("/openapi.json", headers={"If-None-Match": tag}).status_code == 304


@pytest.mark.parametrize("name", ["reference", "records", "chance"])
def test_docs_are_available_as_text_and_html(app, name):
    client = app.test_client()
    answer = client.get(f"/api/{name}.txt")
    assert answer.mimetype == "text/plain" and answer.text.startswith("# ")
    assert client.get(f"/api/{name}", headers={"Accept": "text/plain"}).text == answer.text
    assert client.get(f"/api/{name}").mimetype == "text/html"


@pytest.mark.parametrize("slug", KINDS)
def test_every_problem_has_a_page_in_all_formats(app, slug):
    client = app.test_client()
    assert client.get(f"/problems/{slug}").mimetype == "text/html"
    told = client.get(f"/problems/{slug}", headers={"Accept": "application/json"}).json
    assert (told["type"], told["status"]) == (f"/problems/{slug}", KINDS[slug].status)
    text = client.get(f"/problems/{slug}", headers={"Accept": "text/plain"}).text
    assert KINDS[slug].title in text


def test_documented_bot_runs_as_printed(app, monkeypatch):
    """The bot is copied from the page, and calls the application instead of a server."""
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
    assert Page(html).title == "API for programs"
    return [unescape(code) for code in re.findall(r"<pre[^>]*><code>(.*?)</code>", html, re.S)]


def let_bots_play(app):
    """Run what is due, like the clock."""
    tables = app.config["TABLES"]
    for _ in range(50):
        tables.now.sleep(60)
        if not any(tables.run_due(code) for code in tables.due()):
            return


def test_program_docs_are_served_by_every_server(browser):
    ann = browser()
    links = {link for link, _ in ann.open("/api").links}
    for path in ("/api/reference", "/api/records", "/api/chance"):
        assert path in links
        assert ann.open(path).title
        assert not [link for link, _ in ann.page.links if link.endswith(".md")]
    assert "digest" in ann.open("/api/records").text


@pytest.mark.parametrize("path", ["/api/reference", "/api/records", "/api/chance"])
def test_docs_name_only_available_things(app, path):
    client = app.test_client()
    page = client.get(path).text
    assert not re.findall(r"[\w/.-]+\.md|tests/[\w/.]*", page)
    links = {link for link, _ in Page(page).links if link.startswith(("/api", "/static/"))}
    assert all(client.get(link).status_code == 200 for link in links)


@pytest.mark.parametrize("name", ["records", "chance"])
def test_docs_list_no_games_because_packages_may_add_games(name):
    page = reference(name).html
    names = {it for game in GAMES.values() for it in (game.name, f"<code>{game.key}</code>")}
    assert not [it for it in names - {"Kaboom"} if it in page]


def test_unknown_option_in_json_is_reported(app):
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
def test_unknown_docs_page_is_not_found(app, path):
    answer = app.test_client().get(path)
    assert answer.status_code == 404
    assert "Page not found." in answer.text
