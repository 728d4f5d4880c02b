"""Style sheets and scripts as sent to browsers."""

import gzip
import re
from urllib.parse import unquote
from xml.etree import ElementTree

import brotli
import pytest
from flask import Response

from kaboom.games import GAMES, folder
from kaboom.web import assets, compression
from kaboom.web.assets import inline_drawings
from tests.support.browsing import BY_HTMX
from tests.support.server import ROOT

UNPACKED = {
    "br": brotli.decompress,
    "zstd": compression.zstd.decompress,
    "gzip": gzip.decompress,
    None: bytes,
}


@pytest.mark.slow
@pytest.mark.parametrize("game", [key for key in GAMES if (folder(key) / "table.css").exists()])
def test_game_sheet_is_in_its_folder_and_on_its_tables_only(table, client, game):
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
def test_unknown_static_name_is_not_found(client, name):
    assert client.get(f"/static/{name}").status_code == 404


def test_game_without_a_sheet_uses_the_default_board(monkeypatch, tmp_path):
    monkeypatch.setattr(assets, "folder", lambda key: tmp_path)
    assert assets.path_of("games/gops.css") == assets.path_of("table_page/default_board.css")


def test_table_page_before_a_match_links_the_lobby_sheet(table, client):
    _, (ann, _) = table("Ann", "Ben", game="gops", ready=False)
    assert "/static/games/gops.css?v=" in ann.html
    assert "/static/lobby/lobby.css?v=" in ann.html


def test_every_linked_file_exists(app, client):
    """A misspelled name would leave a page without its style sheet."""
    templates = [*(ROOT / "templates").rglob("*.html"), *(ROOT / "kaboom/games").rglob("*.html")]
    source = "".join(file.read_text(encoding="utf-8") for file in templates)
    names = set(re.findall(r'asset\("([^"]+)"\)', source))
    assert len(names) > 20
    for name in names:
        assert client.get(f"/static/{name}").status_code == 200, name


@pytest.mark.parametrize("name", ["verify.py", "play.py"])
def test_published_static_urls_still_work(client, name):
    assert client.get(f"/static/{name}").data == (ROOT / "static" / name).read_bytes()


def test_sheets_contain_their_drawings(client):
    sheets = ["web/base.css", "web/pages.css", *(f"games/{key}.css" for key in GAMES)]
    sent = {name: client.get(f"/static/{name}").text for name in sheets}
    for name, sheet in sent.items():
        assert not re.findall(r"url\((?!\"data:image/svg|\"\.\./vendor/|%23)", sheet), name
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
def test_suit_drawings_use_the_suit_colors(sheet):
    """A drawing has the colour of its custom property."""
    base = (ROOT / "static/web/base.css").read_text(encoding="utf-8")
    inks = re.findall(r"--(?:spades|hearts|diamonds|clubs): #(\w+);", base)
    drawn = re.findall(
        r"--suit-\w+: url\([^)]*fill=(\w+)", (ROOT / "static" / sheet).read_text(encoding="utf-8")
    )
    assert len(drawn) >= 8
    assert set(drawn) <= set(inks)


def test_suit_names_have_their_color_everywhere(client):
    """Also on the felt, where other words are light, such as the rank of a called card."""
    sheet = client.get("/static/web/base.css").text
    for suit, ink in zip("SHDC", ("spades", "hearts", "diamonds", "clubs"), strict=True):
        (rule,) = re.findall(rf"\}}\.{suit}\{{([^}}]*svg[^}}]*)\}}", sheet)
        assert f"color:var(--{ink})" in rule


@pytest.mark.parametrize("name", ["web/base.css", "table_page/table.js", "games/koth.css"])
def test_only_versioned_files_are_cached_forever(app, client, name):
    """A request for another version gets the current file, and must revalidate it."""
    with app.test_request_context():
        address = assets.asset(name)
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
def test_file_is_compressed_as_well_as_the_browser_allows(client, known, used):
    plain = client.get("/static/table_page/table.js")
    answer = client.get("/static/table_page/table.js", headers={"Accept-Encoding": known})
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
def test_page_is_compressed_in_the_clients_preferred_encoding(client, known, used):
    for asked in ({}, BY_HTMX):
        answer = client.get("/rules/koth", headers={"Accept-Encoding": known, **asked})
        quick = "zstd" if asked and used == "br" else used  # each move needs several fragments
        assert answer.headers.get("Content-Encoding") == quick
        assert "Accept-Encoding" in answer.headers["Vary"]
        assert answer.headers.get("ETag") is None
    assert client.get("/rules/koth").data == UNPACKED[quick](answer.data)


def test_empty_body_is_not_compressed(app, table):
    """A browser with the current file gets only 304."""
    path, (ann, _) = table("Ann", "Ben")
    revision = app.config["TABLES"].get(path[3:]).table.revision(0)
    answer = ann.client.get(f"{path}/view?v={revision}", headers={"Accept-Encoding": "zstd"})
    assert (answer.status_code, answer.data) == (204, b"")
    assert "Content-Encoding" not in answer.headers


def test_compressed_file_is_revalidated(client):
    """The app manifest is revalidated each day, and need not be sent again."""
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
def test_only_long_shown_files_are_compressed(app, made, packed):
    with app.test_request_context(headers={"Accept-Encoding": "gzip"}):
        found = compression.compress(Response(**{"response": LONG, **made}))
    assert found.headers.get("Content-Encoding") == ("gzip" if packed else None)
    assert found.headers["Vary"] == "Accept-Encoding"
    if packed:
        assert found.headers["Content-Length"] == str(len(found.data))
        assert gzip.decompress(found.data).startswith((b"<p>A line", b"aaa"))


SHEETS = [*(ROOT / "static").rglob("*.css"), *(ROOT / "kaboom" / "games").glob("*/*.css")]
SCRIPTS = [
    file for file in (ROOT / "static").rglob("*.js") if file.parent.name != "vendor"
]  # the vendor's are minified


@pytest.mark.parametrize("file", [*SHEETS, *SCRIPTS], ids=lambda file: file.name)
def test_lines_of_static_files_have_at_most_140_characters(file):
    assert max(map(len, file.read_text(encoding="utf-8").splitlines())) <= 140


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda sheet: f"{sheet.parent.name}/{sheet.name}")
def test_sheets_have_one_declaration_a_line(sheet):
    text = re.sub(r"/\*.*?\*/", "", sheet.read_text(encoding="utf-8"), flags=re.DOTALL)
    bare = re.sub(r'"[^"]*"', "", text)
    assert not [line for line in bare.splitlines() if len(re.findall("[;{]", line)) > 1]


def test_typeface_is_small_and_cached_forever(client):
    sheet = client.get("/static/web/base.css").text
    addresses = re.findall(r'url\("\.\./(vendor/[^"]+)"\)', sheet)
    assert len(addresses) == 2
    sizes = []
    for address in addresses:
        answer = client.get(f"/static/{address}", headers={"Accept-Encoding": "br, gzip"})
        assert (answer.status_code, answer.mimetype) == (200, "font/woff2")
        assert "Content-Encoding" not in answer.headers
        assert "immutable" in answer.headers["Cache-Control"]
        sizes.append(len(answer.data))
    assert sum(sizes) <= 8_000, sizes
    assert "font-src 'self'" in client.get("/").headers["Content-Security-Policy"]


@pytest.mark.parametrize("language", ["fr", "sw"])
def test_typeface_covers_the_letters_of_a_language(client, language):
    """Covers all texts in it; Arabic has the typeface of the reader's system."""
    sheet = client.get("/static/web/base.css").text
    covered = set()
    for ranges in re.findall(r"unicode-range:([^;}]+)", sheet):
        for first, last in re.findall(r"U\+(\w+)(?:-(\w+))?", ranges):
            covered |= set(range(int(first, 16), int(last or first, 16) + 1))
    catalogue = ROOT / "kaboom" / "translations" / language / "LC_MESSAGES" / "messages.po"
    letters = {it for it in catalogue.read_text(encoding="utf-8") if it.isalpha()}
    assert len(letters) > 50
    assert not [it for it in letters if ord(it) not in covered]
