"""Sheets and scripts as they are sent."""

import gzip
import re
from urllib.parse import unquote
from xml.etree import ElementTree

import brotli
import pytest
from flask import Response

from kaboom.games import GAMES, folder
from kaboom.web import assets as static
from kaboom.web import compression
from kaboom.web.assets import inline_drawings
from tests.support.browsing import BY_HTMX
from tests.support.server import ROOT

UNPACKED = {
    "br": brotli.decompress,
    "zstd": compression.zstd.decompress,
    "gzip": gzip.decompress,
    None: bytes,
}


@pytest.fixture
def client(app):
    return app.test_client()


@pytest.mark.parametrize("game", [key for key in GAMES if (folder(key) / "table.css").exists()])
def test_a_game_s_sheet_lies_in_its_folder_and_goes_with_its_tables_only(table, client, game):
    answer = client.get(f"/static/games/{game}.css")
    assert (answer.status_code, answer.mimetype) == (200, "text/css")
    names = ("Ann", "Ben", "Cid", "Dot", "Eve")
    _, (ann, *_) = table(*names[: GAMES[game].seats(GAMES[game].options())[0]], game=game)
    sheets = {key for key in GAMES if f"/static/games/{key}.css?v=" in ann.html}
    assert sheets == {game}
    ann.open("/")
    assert "/static/games/" not in ann.html


@pytest.mark.parametrize(
    "name", ["games/none.css", "games/../koth.css", "games/KOTH.css", "games/koth.js", "games"]
)
def test_there_is_nothing_else_in_that_folder(client, name):
    assert client.get(f"/static/{name}").status_code == 404


def test_a_game_without_a_sheet_has_that_of_any_game(monkeypatch, tmp_path):
    monkeypatch.setattr(static, "folder", lambda key: tmp_path)
    assert static.path_of("games/gops.css") == static.path_of("play/default_board.css")


def test_table_page_before_a_match_links_the_lobby_sheet(table, client):
    _, (ann, _) = table("Ann", "Ben", game="gops", ready=False)
    assert "/static/games/gops.css?v=" in ann.html
    assert "/static/lobby/lobby.css?v=" in ann.html


def test_every_linked_file_exists(app, client):
    """A misspelled name would be a page without its sheet."""
    templates = [*(ROOT / "templates").rglob("*.html"), *(ROOT / "kaboom/games").rglob("*.html")]
    source = "".join(file.read_text(encoding="utf-8") for file in templates)
    names = set(re.findall(r'asset\("([^"]+)"\)', source))
    assert len(names) > 20
    for name in names:
        assert client.get(f"/static/{name}").status_code == 200, name


@pytest.mark.parametrize("name", ["verify.py", "play.py"])
def test_published_addresses_stay(client, name):
    assert client.get(f"/static/{name}").data == (ROOT / "static" / name).read_bytes()


def test_sheets_contain_their_drawings(client):
    sheets = ["web/base.css", "web/pages.css", *(f"games/{key}.css" for key in GAMES)]
    sent = {name: client.get(f"/static/{name}").text for name in sheets}
    for name, sheet in sent.items():
        assert not re.findall(r"url\((?!\"data:image/svg|%23)", sheet), name
    drawn = re.findall(r'url\("data:image/svg\+xml,([^"]*)"\)', sent["web/base.css"])
    files = list((ROOT / "static" / "cards").glob("*.svg"))
    assert len(set(drawn)) > len(files) >= 10
    for drawing in drawn:
        assert "#" not in drawing
        assert ElementTree.fromstring(unquote(drawing)).tag.endswith("svg")


def test_inline_drawings_fills_with_the_named_color():
    drawn = inline_drawings('a { b: url("../cards/heart.svg?fill=c21") }')
    assert " fill='currentColor' color='%23c21' viewBox=" in drawn
    assert "%0A" not in drawn
    with pytest.raises(OSError, match="nothing"):
        inline_drawings('a { b: url("../cards/nothing.svg") }')


@pytest.mark.parametrize("sheet", ["web/base.css", "web/preferences.css"])
def test_drawings_have_the_ink_of_their_suit(sheet):
    """The color of a drawing is the one that its custom property has."""
    base = (ROOT / "static/web/base.css").read_text(encoding="utf-8")
    inks = re.findall(r"--(?:spades|hearts|diamonds|clubs): #(\w+);", base)
    drawn = re.findall(
        r"--suit-\w+: url\([^)]*fill=(\w+)", (ROOT / "static" / sheet).read_text(encoding="utf-8")
    )
    assert len(drawn) >= 8
    assert set(drawn) <= set(inks)


def test_a_suit_has_its_ink_wherever_its_name_stands(client):
    """On the table, too, where other words are light: the rank of a card that was called."""
    sheet = client.get("/static/web/base.css").text
    for suit, ink in zip("SHDC", ("spades", "hearts", "diamonds", "clubs"), strict=True):
        (rule,) = re.findall(rf"\n\.{suit} \{{([^}}]*svg[^}}]*)\}}", sheet)
        assert f"color: var(--{ink})" in rule


@pytest.mark.parametrize("name", ["web/base.css", "play/table.js", "games/koth.css"])
def test_only_what_is_asked_for_by_its_version_is_kept_for_ever(app, client, name):
    """Whoever asks for another gets what there is now, and must ask again the next time."""
    with app.test_request_context():
        address = static.asset(name)
    assert "immutable" in client.get(address).headers["Cache-Control"]
    for other in (f"/static/{name}", f"/static/{name}?v=00000000", f"/static/{name}?v="):
        assert "immutable" not in client.get(other).headers.get("Cache-Control", "")


@pytest.mark.parametrize(
    ("known", "used"),
    [
        ("gzip, deflate, br, zstd", "br"),
        ("deflate, gzip", "gzip"),
        ("zstd", None),
        ("br;q=0", None),
    ],
)
def test_a_file_is_packed_as_small_as_a_browser_can_unpack(client, known, used):
    plain = client.get("/static/play/table.js")
    answer = client.get("/static/play/table.js", headers={"Accept-Encoding": known})
    assert answer.headers.get("Content-Encoding") == used
    assert UNPACKED[used](answer.data) == plain.data
    assert answer.headers["Vary"] == "Accept-Encoding"
    assert (answer.headers["ETag"] == plain.headers["ETag"]) == (used is None)


@pytest.mark.parametrize(
    ("known", "used"),
    [
        ("gzip, deflate, br, zstd", "br"),
        ("gzip, br;q=0.5", "gzip"),
        ("*", "br"),
        ("*, br;q=0", "zstd"),
        ("identity, gzip;q=0.5", None),
        ("gzip, identity;q=0.5", "gzip"),
        ("gzip;q=0.5, identity;q=0.5", "gzip"),
        ("gzip;q=0.5", "gzip"),
        ("gzip;q=0", None),
        ("gzip;q=nonsense", None),
        ("deflate", None),
        ("", None),
    ],
)
def test_page_is_compressed_as_the_client_likes_best(client, known, used):
    for asked in ({}, BY_HTMX):
        answer = client.get("/rules/koth", headers={"Accept-Encoding": known, **asked})
        assert answer.headers.get("Content-Encoding") == used
        assert "Accept-Encoding" in answer.headers["Vary"]
        assert answer.headers.get("ETag") is None
    assert client.get("/rules/koth").data == UNPACKED[used](answer.data)


def test_nothing_is_not_packed(app, table):
    """A browser that has what there is already is told so, and no more."""
    path, (ann, _) = table("Ann", "Ben")
    revision = app.config["TABLES"].look(path[3:]).table.revision(0)
    answer = ann.client.get(f"{path}/view?v={revision}", headers={"Accept-Encoding": "zstd"})
    assert (answer.status_code, answer.data) == (204, b"")
    assert "Content-Encoding" not in answer.headers


def test_what_is_packed_is_known_again(client):
    """What apps are told of the room is checked again each day: it needs not come again."""
    packed = {"Accept-Encoding": "zstd"}
    answer = client.get("/manifest.webmanifest", headers=packed)
    assert answer.headers["Content-Encoding"] == "zstd"
    again = client.get(
        "/manifest.webmanifest", headers={**packed, "If-None-Match": answer.headers["ETag"]}
    )
    assert again.status_code == 304


LONG = "<p>A line of a page.</p>" * 30


@pytest.mark.parametrize(
    ("made", "packed"),
    [
        ({}, True),
        ({"mimetype": "image/svg+xml"}, True),
        ({"mimetype": "application/atom+xml"}, True),
        ({"mimetype": "text/plain"}, False),
        ({"mimetype": "image/png"}, False),
        ({"status": 299}, True),
        ({"status": 199}, False),
        ({"status": 300}, False),
        ({"status": 404}, False),
        ({"response": iter([LONG])}, False),
        ({"response": "a" * 500}, True),
        ({"response": "a" * 499}, False),
    ],
)
def test_what_is_long_and_shown_is_packed_and_nothing_else(app, made, packed):
    with app.test_request_context(headers={"Accept-Encoding": "gzip"}):
        found = compression.compress(Response(**{"response": LONG, **made}))
    assert found.headers.get("Content-Encoding") == ("gzip" if packed else None)
    assert found.headers["Vary"] == "Accept-Encoding"
    if packed:
        assert found.headers["Content-Length"] == str(len(found.data))
        assert gzip.decompress(found.data).startswith((b"<p>A line", b"aaa"))


SHEETS = [*(ROOT / "static").rglob("*.css"), *(ROOT / "kaboom" / "games").glob("*/table.css")]
SCRIPTS = [
    file for file in (ROOT / "static").rglob("*.js") if file.parent.name != "vendor"
]  # the vendor's are minified


@pytest.mark.parametrize("file", [*SHEETS, *SCRIPTS], ids=lambda file: file.name)
def test_lines_are_short(file):
    assert max(map(len, file.read_text(encoding="utf-8").splitlines())) <= 140


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda sheet: f"{sheet.parent.name}/{sheet.name}")
def test_sheets_have_one_declaration_a_line(sheet):
    text = re.sub(r"/\*.*?\*/", "", sheet.read_text(encoding="utf-8"), flags=re.DOTALL)
    bare = re.sub(r'"[^"]*"', "", text)
    assert not [line for line in bare.splitlines() if len(re.findall("[;{]", line)) > 1]
