"""URLs of earlier versions: browsers are redirected, and programs get the response directly."""

import re
from urllib.parse import urlsplit

import pytest

from kaboom.config import CHECKOUT, InvalidSetting
from kaboom.web import prefix
from kaboom.web.old_addresses import MOVED, current
from tests.support.app import application, close

HTML = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
FILES = ("/day.json", "/day.txt", "/day.atom", "/day/2026-01-01.json", "/ratings/gops.txt")


@pytest.mark.parametrize("old", MOVED)
def test_old_url_redirects_to_an_existing_page(one_app, old):
    new = MOVED[old].replace("CODE", "AAAAAAAA")
    rules = [re.sub(r"<[^>]+>", "X", rule.rule) for rule in one_app.url_map.iter_rules()]
    known = new.replace("AAAAAAAA", "X")
    assert any(rule == known or rule.startswith(f"{known}/") for rule in rules)
    assert not any(rule.startswith(f"{old}/") or rule == old for rule in rules)


@pytest.mark.parametrize("method", ["GET", "POST"])
def test_old_url_redirects_a_browser_with_its_query(one_app, method):
    query = "page=2&page=3&name=Ann+B%20%C3%A9"
    answer = one_app.test_client().open(f"/me/keep?{query}", method=method, headers=HTML)
    assert answer.status_code == 308
    assert answer.headers["Cache-Control"] == "private, no-store"
    assert urlsplit(answer.location)[2:4] == ("/settings/account", query)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("/day", "/daily"),
        ("/day/2026-11-25/compare", "/daily/2026-11-25/compare"),
        ("/day/2026-11-25/compare.json", "/daily/2026-11-25/compare.json"),
        ("/e/ABCDEFGH/run", "/tournaments/ABCDEFGH/manage"),
        ("/e/ABCDEFGH/round/2", "/tournaments/ABCDEFGH/round/2"),
        ("/c/GULLS/settings", "/clubs/GULLS/settings"),
        ("/club/s-e_c", "/clubs/join/s-e_c"),
        ("/in/s-e_c", "/login/s-e_c"),
        ("/me/clubs", "/clubs"),
        ("/host/in/s-e_c", "/host/login/s-e_c"),
    ],
)
def test_old_url_redirect_keeps_the_rest_of_the_path(old, new):
    assert current(old) == new


@pytest.mark.parametrize(
    "path", ["/", "/daily", "/eve", "/inside", "/menu", "/t/ABCDEFGH", "/host", "/lookup", "//day"]
)
def test_current_url_is_not_redirected(path):
    assert current(path) is None


@pytest.mark.parametrize("path", FILES)
def test_old_file_url_returns_the_file_without_a_redirect(one_app, path):
    old, new = (one_app.test_client().get(it) for it in (path, current(path)))
    assert old.status_code == new.status_code != 308
    assert old.mimetype == new.mimetype


def test_old_url_returns_json_without_a_redirect(one_app):
    answer = one_app.test_client().get("/day", headers={"Accept": "application/json"})
    assert answer.status_code == 200 and answer.json["format"] == "kaboom day"


def test_old_url_serves_an_api_key_without_a_redirect(app):
    client = app.test_client()
    key = client.post("/guests", json={"name": "Ann"}).json["key"]
    assert client.get("/day", headers={"Authorization": f"Bearer {key}"}).status_code == 200


def test_mail_service_unsubscribes_at_the_old_url(app):
    fields = {"List-Unsubscribe": "One-Click"}
    answer = app.test_client().post("/calls/mail/nothing/stop", data=fields)
    assert answer.status_code == 200


def test_form_from_another_site_is_refused_before_the_redirect(one_app):
    headers = HTML | {"Origin": "https://evil.example"}
    assert one_app.test_client().post("/me/forget", headers=headers).status_code == 403


def test_redirect_stays_on_this_server(one_app):
    answer = one_app.test_client().get("/look//evil.example", headers=HTML)
    assert not answer.location or urlsplit(answer.location).netloc in ("", "localhost")


def test_old_url_under_a_path_keeps_the_path(sqlite_url):
    app = application(sqlite_url, public_url="https://example.org/cards", proxies=1)
    answer = app.test_client().get("/cards/day?x=1", headers=HTML)
    close(app)
    assert answer.status_code == 308 and answer.location.endswith("/cards/daily?x=1")


def test_server_may_not_be_put_under_an_old_url(one_app):
    with pytest.raises(InvalidSetting):
        prefix.init_app(one_app, "/me")


def test_pages_that_moved_are_documented(one_app):
    page = (CHECKOUT / "docs/addresses.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `([^`]+)`.*\| `([^`]+)` \|$", page, re.MULTILINE)
    shown = {old: re.sub(r"/(GAME|SECRET)$", "", new) for new, old in rows}
    assert shown.pop("/c") == MOVED["/c"] + "/CODE"
    pages = {it.rule for it in one_app.url_map.iter_rules() if "GET" in it.methods}
    forms = {old for old, new in MOVED.items() if new not in pages and old not in shown}
    assert shown == {old: MOVED[old] for old in MOVED if old not in forms | {"/c"}}
    assert len(forms) < len(shown)
