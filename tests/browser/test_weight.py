"""A first visit is light, an update lighter, and an unchanged page costs nothing."""

import hashlib
import re
from base64 import b64encode

import pytest
from playwright.sync_api import expect

from kaboom.games import GAMES
from kaboom.web.assets import inline_drawings, minified_sheet
from tests.browser.stage import pass_turn
from tests.support.server import ROOT

FIRST_VISIT = 41_400  # bytes over the wire, without headers, with the typeface and absent players
REQUESTS = 8
SCRIPTS = 20_000
SHEETS = 14_000
FACE = 300  # characters of markup for a player's avatar
TABLE = 6_000
WITHOUT_SCRIPTS = 21_100  # Kaboom lays six grids out at every size, TakeN shows rows just taken
UPDATE = 2_500
SHEET_IN_ADVANCE = 3_000  # of rare moments, fetched after the first move
PINNED = {
    "htmx-4.0.1.min.js": "Qp9rdC8H7EqOoX+nR0P3RPG2Noji+qdwJlGpfzwQJsfOpp3sGwIdSP9xO3+UlEhn",
    "hx-sse-4.0.1.min.js": "v8HvucQ+ohQhMg0arboXc5049yNR46QKMjphs7YDch+Wm7zpfK5XVS01f26mQDJV",
}
SHIFTS = """window.shifted = 0;
  new PerformanceObserver(list => list.getEntries().forEach(it => window.shifted += it.value))
    .observe({type: "layout-shift", buffered: true})"""
VENDOR = ROOT / "static" / "vendor"


def weighed(person, path):
    """Open a page for the first time; return the size of every answer by its address."""
    answers = []
    person.context.on("requestfinished", lambda request: answers.append(request))
    person.page.goto(path, wait_until="networkidle" if path == "/" else "load")
    person.page.wait_for_timeout(300)
    return {
        request.url: request.sizes()["responseBodySize"]
        for request in answers
        if request.response().status == 200
    }


@pytest.mark.parametrize("name", ["home", "lobby", "table"])
def test_a_first_visit_loads_few_bytes(playing, stage, person, name):
    someone = person()
    path = {"home": "/", "lobby": stage.opened("Ann").path, "table": playing.path}[name]
    sizes = weighed(someone, path)
    scripts = sum(size for url, size in sizes.items() if ".js" in url)
    assert sum(sizes.values()) <= FIRST_VISIT, sizes
    assert len(sizes) <= REQUESTS, sizes
    assert scripts <= SCRIPTS, sizes
    if name == "home":
        assert scripts == 0


@pytest.mark.parametrize("game", sorted(GAMES))
def test_table_of_each_game_stays_within_the_budget(stage, person, game):
    people = ("Ann", "Ben", "Cid", "Dot", "Eve")[: max(GAMES[game].seats(GAMES[game].options()))]
    options = {"deal_interval": 0, "pace": "untimed"} if game == "koth" else {}
    match = stage.begun(*people, game=game, **options)
    for _ in range(20):
        match.drift()
    someone = person(key=match.keys[0])
    sizes = weighed(someone, match.path)
    page = next(size for url, size in sizes.items() if url.endswith(match.path))
    faces = re.findall(r'<i class="face .*?</i>', stage.get(match.path, match.keys[0]))
    assert len(faces) >= len(people)
    assert max(map(len, faces)) <= FACE, faces
    assert not [url for url in sizes if url.endswith((".svg", ".png"))], "a picture is requested"
    sheets = sum(size for url, size in sizes.items() if ".css" in url)
    scripts = sum(size for url, size in sizes.items() if ".js" in url)
    assert sheets <= SHEETS, sizes
    assert page <= TABLE, sizes
    assert scripts <= SCRIPTS, sizes
    assert sum(sizes.values()) <= FIRST_VISIT, sizes
    assert len(sizes) <= REQUESTS, sizes
    plain = weighed(person(key=match.keys[0], scripts=False), match.path)
    assert sum(plain.values()) <= WITHOUT_SCRIPTS, plain
    assert not [url for url in plain if ".js" in url]


@pytest.mark.parametrize("size", [(360, 740), (1366, 650)])
def test_headings_do_not_move_when_their_font_loads(person, size):
    someone = person()
    page = someone.page
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.add_init_script(SHIFTS)
    late = []
    someone.context.route("**/*.woff2*", lambda route: late.append(route))
    page.goto("/", wait_until="domcontentloaded")
    # A busy machine draws late, but does not need the font for it.
    page.wait_for_function("() => performance.getEntriesByType('paint').length")
    assert late, "the typeface is not requested"
    assert not page.evaluate("document.fonts.check('700 20px Heading', 'A')")
    for route in late:
        route.continue_()
    page.evaluate("document.fonts.ready")
    page.wait_for_timeout(200)
    assert page.evaluate("document.fonts.check('700 20px Heading', 'A')")
    assert page.evaluate("window.shifted") <= 0.02


def test_update_is_small_and_no_change_sends_nothing(playing, person):
    """This measures fetched updates; streamed ones are about as long."""
    ben = person(key=playing.keys[1])
    ben.context.route("**/events*", lambda route: route.continue_(url=route.request.url[:-8]))
    ben.page.goto(playing.path)
    expect(ben.page.locator("#room-n")).to_have_count(1)  # the chat has come, in its own answer
    ben.page.wait_for_timeout(300)
    answers = []
    ben.context.on("requestfinished", lambda request: answers.append(request))
    pass_turn(playing)
    expect(ben.page.locator("#ver")).to_have_value(str(playing.revision(1)))
    ben.page.wait_for_timeout(300)
    # Once, in advance.
    sheets = [it for it in answers if ".css" in it.url or "ending.js" in it.url]
    for request in sheets:
        assert request.sizes()["responseBodySize"] <= SHEET_IN_ADVANCE
        answers.remove(request)
    assert len(sheets) == 4
    for request in answers:
        answer = request.response()
        size = request.sizes()["responseBodySize"]
        assert "/view" in request.url
        if answer.status == 204:
            assert size == 0
        else:
            assert answer.headers["content-encoding"] in ("br", "gzip", "zstd")
            assert size <= UPDATE
    assert any(request.response().status == 200 for request in answers)
    current = f"{playing.path}/view?v={playing.revision(1)}"
    answer = ben.context.request.get(current, headers={"HX-Request": "true"})
    assert (answer.status, answer.body()) == (204, b"")


def test_second_visit_requests_no_file_again(playing, person):
    someone = person(playing.path)
    expect(someone.page.locator("#hear link")).to_have_count(1)  # the chat has come, with its sheet
    someone.page.wait_for_timeout(300)
    someone.page.goto(playing.path)
    fetched = someone.page.evaluate(
        "performance.getEntriesByType('resource').map(it => [it.name, it.transferSize])"
    )
    assert any("/static/" in url for url, _ in fetched)
    assert not [url for url, size in fetched if "/static/" in url and size]


def test_scripts_are_the_pinned_versions():
    both = b""
    for name, pinned in PINNED.items():
        content = (VENDOR / name).read_bytes()
        assert b64encode(hashlib.sha384(content).digest()).decode() == pinned, name
        both += content
    assert (VENDOR / "htmx-bundle-4.0.1.js").read_bytes() == both
    assert "BSD" in (VENDOR / "LICENSE-htmx").read_text()


RULES = """sheet => {
    const parsed = new CSSStyleSheet();
    parsed.replaceSync(sheet);
    return [...parsed.cssRules].map(rule => rule.cssText).join("\\n");
}"""


def test_minified_sheet_keeps_the_space_before_a_nested_pseudo_class():
    assert minified_sheet(".a {\n  & .b :is(i, b) {\n    top: 0;\n  }\n}") == (
        ".a{& .b *:is(i,b){top:0}}"
    )


def test_minified_sheet_keeps_every_rule(person):
    page = person().page
    for path in [*(ROOT / "static").glob("*/*.css"), *(ROOT / "kaboom/games").glob("*/*.css")]:
        sheet = inline_drawings(path.read_text(encoding="utf-8"))
        written, served = (
            re.sub(r"\s*([,()])\s*|\s+", r"\1", page.evaluate(RULES, text))
            for text in (sheet, minified_sheet(sheet))
        )
        assert written == served, path
