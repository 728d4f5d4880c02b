"""axe finds nothing on any reachable page, at a phone's and a laptop's width; none scrolls sideways
with letters of twice the size.
"""

import re
from contextlib import contextmanager
from urllib.parse import urlsplit

import pytest

from tests.browser.chromium import Person, launch
from tests.browser.test_access import AXE, RUN_AXE, TAGS, TOO_WIDE, UNFOLD, UNWRAP
from tests.support.crawler import HERE, asked, crawled, made, news
from tests.support.effort import LONG

# `make test` shows each page on both screens, light on one and dark on the other, alternating.
LOOKS = (
    ((360, 740, "light"), (1366, 650, "dark")),
    ((360, 740, "dark"), (1366, 650, "light")),
)
# Without scripts it reloads automatically, because a television has no one to press a button.
TELEVISION = "screen"

# The policy of a match's file would also apply to all later pages.
POLICY = re.compile(r'<meta http-equiv="Content-Security-Policy"[^>]*>')


LARGE_LETTERS = "--blink-settings=defaultFontSize=32"  # a setting of the browser, not of the page


@contextmanager
def visiting(app, browser):
    """A page that the application answers without a server; our scripts and streams would change
    nothing here.
    """
    visitor = Person(browser, HERE)

    def answers(route):
        path = urlsplit(route.request.url).path
        if path.endswith(".css"):
            sheet = asked(app, path, "", "en")
            route.fulfill(body=sheet.data, content_type=sheet.content_type)
        elif route.request.is_navigation_request():
            route.fulfill(body=b"<!DOCTYPE html>", content_type="text/html; charset=utf-8")
        else:
            route.fulfill(status=204)

    visitor.context.route("**/*", answers)
    visitor.page.goto("/")
    yield visitor.page
    visitor.close()


@pytest.fixture
def page(app, chromium):
    """A page with axe."""
    with visiting(app, chromium) as page:
        page.evaluate(AXE)
        yield page


@pytest.fixture
def large_letters(app, chromium):
    """A page in a browser whose letters have twice the size."""
    browser = launch(chromium.browser_type, flags=[LARGE_LETTERS])
    with visiting(app, browser) as page:
        yield page
    browser.close()


def found_by_axe(page, looks):
    """Return axe's findings on the page under each of these looks."""
    found = []
    for width, height, colours in looks:
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(color_scheme=colours)
        told = page.evaluate(RUN_AXE, TAGS)
        found += [f"{width} px, {colours}: {it}" for it in told["violations"]]
    return found


def test_axe_finds_nothing_on_any_page(app, service, page):
    """`make test` checks pages with new elements, `make soak` all pages in all colour schemes."""
    every = crawled(app, made(service), lambda number: ("en",))
    found, seen = {}, 0
    for number, it in enumerate(every if LONG else news(app, every)):
        page.set_content(POLICY.sub("", it.html))
        if not it.path.endswith(TELEVISION):
            page.evaluate(UNWRAP)
        if wrong := found_by_axe(page, (*LOOKS[0], *LOOKS[1]) if LONG else LOOKS[number % 2]):
            found[it.name] = wrong
        seen += 1
    print(f"{seen} pages")
    assert seen >= 60
    assert not found, "\n".join(f"{name} {it}" for name, wrong in found.items() for it in wrong)


def test_no_page_scrolls_sideways_with_letters_of_twice_the_size(app, service, large_letters):
    found = {}
    for it in crawled(app, made(service), lambda number: ("en",)):
        large_letters.set_content(POLICY.sub("", it.html))
        large_letters.evaluate(UNFOLD)
        for width, height, _ in LOOKS[0]:
            large_letters.set_viewport_size({"width": width, "height": height})
            if wide := large_letters.evaluate(TOO_WIDE):
                found[f"{it.name}, {width} px"] = wide[0]
    assert not found, "\n".join(f"{name}: {it}" for name, it in found.items())


TABLE = """<section class=panel><ol class="week"><li><a>Dec 5</a> <b>GOPS</b></li></ol>
<table class=scores><thead><tr><th>Place</th><th>Player</th>
<th>Points</th></tr></thead><tbody><tr><td>1</td><th>Robin</th><td>54</td></tr></tbody></table>
</section>
<div class="record"><section class="ending"><ol class="podium">
<li class="first"><i class="face"></i> <b>Ann</b> <small>hard</small>
<span class="step" data-place="1">49 points</span></li>
<li><i class="face"></i> <b>Ben</b> <small>hard</small>
<span class="step" data-place="2">42 points</span></li></ol></section></div>"""
BROKEN = """() => [...document.querySelectorAll("thead th, .step")]
  .filter(it => it.scrollWidth > it.clientWidth || (it.matches("th") && it.clientHeight > 60))
  .map(it => it.textContent)"""


def test_header_and_words_of_tables_have_room_in_large_letters(app, large_letters):
    """A host's flag beside the menu, the heads of a table, the steps of a podium."""
    html = POLICY.sub("", asked(app, "/", "", "en").text)
    flag = '<a class="to-read" href="/host/reports">1</a></header>'
    html = html.replace("</header>", flag, 1).replace("</main>", f"{TABLE}</main>", 1)
    sheets = [
        f'<link rel="stylesheet" href="/static/{it}.css">'
        for it in ("table_page/ending", "records/record")
    ]
    large_letters.set_viewport_size({"width": 360, "height": 740})
    large_letters.set_content(html.replace("</head>", "".join((*sheets, "</head>")), 1))
    assert not large_letters.evaluate(TOO_WIDE)
    assert not large_letters.evaluate(BROKEN)
    tops = large_letters.evaluate(
        "[...document.querySelectorAll('.week li > *')].map(it => it.getBoundingClientRect().top)"
    )
    assert tops[0] < tops[1], "each day is above its game"


def test_axe_reports_a_table_that_cannot_scroll_by_keyboard(page):
    """The checker does find violations."""
    wide = "<td>wide</td>" * 400
    page.set_content(f"<main style='width:9rem;overflow:auto'><table><tr>{wide}</table></main>")
    assert any("scrollable-region" in it for it in found_by_axe(page, LOOKS[0]))
