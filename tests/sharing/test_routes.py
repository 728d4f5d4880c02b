"""A shared link: its preview, the icons, and the files for crawlers."""

import json
import re
import struct
from dataclasses import replace
from html import unescape
from urllib.parse import unquote
from urllib.robotparser import RobotFileParser

import pytest

from kaboom.games import GAMES
from kaboom.sharing import images, routes
from kaboom.sharing.images import invitation

# Link previews


def preview_of(client, path, **headers):
    """Return what a messenger reads from a page: its og: and twitter: lines."""
    html = client.get(path, headers=headers).text
    found = re.findall(
        r'<meta (?:property|name)="((?:og|twitter):[\w:]+)" content="([^"]*)">', html
    )
    assert len(found) == len(dict(found)), found
    return {name: unescape(content) for name, content in found}


@pytest.fixture
def waiting(table):
    """Return a table that waits for players: its path and its host's browser."""
    path, (host, *_) = table("Amina", ready=False)
    return path, host


def test_a_link_shows_who_invites_the_game_and_the_free_chairs(client, browser, waiting):
    path, _ = waiting
    shown = preview_of(client, path)
    assert shown["og:title"] == "Amina invites you to Kaboom"
    assert "3 seats are free." in shown["og:description"]
    assert "No account" in shown["og:description"]
    assert shown["og:url"] == f"http://localhost{path}"
    assert shown["og:image"] == "http://localhost/pictures/kaboom/1-4.png"
    assert (shown["og:image:width"], shown["og:image:height"]) == ("1200", "630")
    assert shown["og:image:alt"] and shown["twitter:card"] == "summary_large_image"
    for name in ("Ben", "Cid"):
        one = browser()
        one.open(path)
        one.send(one.page.form("/sit"), name=name)
    assert "1 seat is free." in preview_of(client, path)["og:description"]
    swahili = preview_of(client, path, **{"Accept-Language": "sw"})
    assert swahili["og:title"] == "Amina anakualika kucheza Kaboom"
    assert "Kiti 1 kiko wazi." in swahili["og:description"]


def test_player_name_in_a_preview_is_escaped(client, table):
    path, _ = table('"><b>', ready=False)
    assert preview_of(client, path)["og:title"] == '"><b> invites you to Kaboom'


def test_preview_of_a_running_match_shows_only_the_game(client, table):
    told = []
    for names in (("Amina", "Ben"), ("Zawadi", "Cid", "Dot")):
        path, _ = table(*names, game="taken")
        shown = preview_of(client, path)
        assert shown.pop("og:url").endswith(path)
        told.append(shown)
    assert told[0] == told[1]
    assert told[0]["og:title"] == "TakeN"
    assert told[0]["og:image"] == "http://localhost/pictures/taken.png"


def test_preview_of_a_password_table_shows_only_the_game(client, browser, table):
    path, _ = table("Amina", ready=False, password="sesame open")
    shown = preview_of(client, path)
    assert shown["og:title"] == "Kaboom"
    assert shown["og:image"] == "http://localhost/pictures/kaboom.png"
    assert "Amina" not in str(shown) and "chair" not in shown["og:description"]
    guest = browser()
    guest.open(path)
    guest.send(guest.page.form("/enter"), password="sesame open")
    assert preview_of(guest.client, path)["og:title"] == "Kaboom", "nor to players who joined"
    assert 'og:title" content="Kaboom"' in guest.html


def test_seated_players_page_has_no_preview(waiting):
    _, host = waiting
    assert "og:" not in host.html


def test_home_page_has_a_link_preview(client):
    assert preview_of(client, "/")["og:image"] == "http://localhost/pictures/kaboom.png"


def test_preview_picture_uses_the_configured_host(app, client, waiting, monkeypatch):
    path, _ = waiting
    server = replace(app.config["SERVER"], public_url="https://cards.example.org")
    monkeypatch.setitem(app.config, "SERVER", server)
    shown = preview_of(client, path)
    assert shown["og:image"].startswith("https://cards.example.org/pictures/")
    assert shown["og:url"] == f"https://cards.example.org{path}"


# The pictures


def size(png):
    assert png[:8] == b"\x89PNG\r\n\x1a\n" and png[12:16] == b"IHDR"
    return struct.unpack(">II", png[16:24])


@pytest.mark.parametrize("key", list(GAMES))
def test_every_games_picture_distinguishes_the_chairs(client, key):
    drawn = [client.get(f"/pictures/{key}{more}.png") for more in ("", "/1-4", "/2-4", "/2-5")]
    for answer in drawn:
        assert (answer.status_code, answer.mimetype) == (200, "image/png")
        assert size(answer.data) == (1200, 630)
        assert len(answer.data) < 100_000
        assert "public" in answer.headers["Cache-Control"]
        assert "Set-Cookie" not in answer.headers
        assert "Cookie" not in answer.headers.get("Vary", "")
    assert len({answer.data for answer in drawn}) == 4


def test_a_name_of_any_length_fits_the_preview_picture(client):
    assert size(invitation("Kaboom", ("?", "BJ", "TH", "104"))) == (1200, 630)
    assert size(invitation("W" * 60, ("RJ",), 3, 10)) == (1200, 630)


@pytest.mark.parametrize(
    "path",
    ["none.png", "kaboom/5-4.png", "kaboom/1-11.png", "kaboom/-1-4.png", "kaboom/1-4.svg"],
)
def test_unknown_picture_is_not_found(client, path):
    assert client.get(f"/pictures/{path}").status_code == 404


def test_preview_picture_is_rendered_once(app, client, monkeypatch):
    routes._drawn.cache_clear()
    drawn = []
    monkeypatch.setattr(images, "invitation", lambda *args: drawn.append(args) or b"\x89PNG")
    for _ in range(3):
        answer = client.get("/pictures/gops/1-2.png")
    assert drawn == [("GOPS", GAMES["gops"].fan, 1, 2)]
    again = client.get("/pictures/gops/1-2.png", headers={"If-None-Match": answer.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")
    routes._drawn.cache_clear()


# Icons, and files that clients request on their own


def test_manifest_names_existing_icons(client):
    page = client.get("/")
    assert '<link rel="manifest" href="/manifest.webmanifest">' in page.text
    assert "manifest-src 'self'" in page.headers["Content-Security-Policy"]
    answer = client.get("/manifest.webmanifest")
    assert (answer.status_code, answer.mimetype) == (200, "application/manifest+json")
    says = json.loads(answer.data)
    assert (says["name"], says["start_url"], says["display"]) == ("Kaboom", "/", "standalone")
    assert client.get(says["start_url"]).status_code == 200
    kinds = set()
    for icon in says["icons"]:
        found = client.get(icon["src"])
        assert (found.status_code, found.mimetype) == (200, icon["type"])
        assert "{}x{}".format(*size(found.data)) == icon["sizes"]
        kinds.add((icon["sizes"], icon["purpose"]))
    assert kinds == {(f"{n}x{n}", kind) for n in (192, 512) for kind in ("any", "maskable")}


def test_a_phone_finds_the_icon_for_its_home_screen(client):
    assert size(client.get("/apple-touch-icon.png").data) == (180, 180)
    assert client.get("/icons/none.png").status_code == 404


@pytest.mark.parametrize(
    ("path", "kind"), [("/favicon.ico", "image/x-icon"), ("/robots.txt", "text/plain")]
)
def test_well_known_files_exist_and_leave_no_trace(client, path, kind):
    client.set_cookie("kb", "a key")
    answer = client.get(path)
    assert (answer.status_code, answer.mimetype) == (200, kind)
    assert answer.headers["Cache-Control"] == "public, max-age=86400"
    assert "Set-Cookie" not in answer.headers and "Cookie" not in answer.headers.get("Vary", "")


@pytest.mark.parametrize(("look", "papers"), [("auto", 2), ("light", 1), ("dark", 1)])
def test_theme_color_follows_the_color_scheme(browser, look, papers):
    one = browser()
    one.open("/")
    one.client.post("/settings", data={"look": look})
    one.open("/")
    assert one.html.count('<meta name="theme-color"') == papers


def test_search_engines_keep_no_table_and_no_match(client, browser, waiting):
    path, _ = waiting
    for address in (path, f"{path}/rules", "/m/NOMATCH2", "/replay", "/lobby", "/account"):
        assert client.get(address).headers["X-Robots-Tag"] == "noindex, nofollow", address
    for address in ("/", "/rules/kaboom", "/start/kaboom"):
        assert "X-Robots-Tag" not in client.get(address).headers, address


def test_crawlers_may_fetch_previews_and_skip_matches(client, waiting):
    path, _ = waiting
    rules = RobotFileParser()
    rules.parse(client.get("/robots.txt").text.splitlines())
    lines = client.get("/robots.txt").text
    assert rules.can_fetch("Slackbot", path) and rules.can_fetch("Slackbot", "/pictures/gops.png")
    assert "Disallow: /m/*/\n" in lines and "Disallow: /t/*/\n" in lines


def test_waiting_table_offers_its_link_by_message_or_mail(browser):
    ann = browser()
    ann.open("/start/gops")
    ann.send(ann.page.form("/tables"), name="Ann")
    path = next(form.action for form in ann.page.forms if form.action.startswith("/t/"))
    link = "http://localhost" + path.rsplit("/", 1)[0]
    sent = {words: unquote(address) for address, words in ann.page.links}
    assert sent["Send a message"] == f"sms:?&body=Come and play GOPS: {link}"
    assert sent["Send an e-mail"] == f"mailto:?subject=GOPS&body=Come and play GOPS: {link}"
    assert sent["WhatsApp"] == f"https://wa.me/?text=Come and play GOPS: {link}"
    assert sent["Telegram"] == f"https://t.me/share/url?url={link}&text=GOPS"


def test_invitation_text_is_in_the_readers_language(browser):
    ann = browser()
    ann.client.environ_base["HTTP_ACCEPT_LANGUAGE"] = "fr"
    ann.open("/start/gops")
    ann.send(ann.page.form("/tables"), name="Ann")
    sent = {words: unquote(address) for address, words in ann.page.links}
    assert sent["WhatsApp"].startswith("https://wa.me/?text=Viens jouer à GOPS")
