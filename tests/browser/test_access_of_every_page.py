"""axe finds nothing on any page to which one comes, at a phone's width and at a laptop's."""

from urllib.parse import urlsplit

import pytest

from tests.browser.chromium import Person
from tests.browser.test_access import AXE, RUN_AXE, TAGS, UNWRAP
from tests.support.crawler import HERE, asked, crawled, made, news
from tests.support.effort import LONG

# At the gate each page is seen on both screens, in light on one and in dark on the other, by turns.
LOOKS = (
    ((360, 740, "light"), (1366, 650, "dark")),
    ((360, 740, "dark"), (1366, 650, "light")),
)
# Without scripts it loads itself anew: it is for a television, where nobody is there to press.
TELEVISION = "screen"


@pytest.fixture
def page(app, chromium):
    """A page with axe on it. The application answers its browser, without a server; scripts and
    streams of ours would change nothing here.
    """
    somebody = Person(chromium, HERE)

    def answers(route):
        path = urlsplit(route.request.url).path
        if path.endswith(".css"):
            sheet = asked(app, path, "", "en")
            route.fulfill(body=sheet.data, content_type=sheet.content_type)
        elif route.request.is_navigation_request():
            route.fulfill(body=b"<!DOCTYPE html>", content_type="text/html; charset=utf-8")
        else:
            route.fulfill(status=204)

    somebody.context.route("**/*", answers)
    somebody.page.goto("/")
    somebody.page.evaluate(AXE)
    yield somebody.page
    somebody.close()


def found_by_axe(page, looks):
    """Return what axe finds on what the page shows, under each of these looks."""
    found = []
    for width, height, colours in looks:
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(color_scheme=colours)
        told = page.evaluate(RUN_AXE, TAGS)
        found += [f"{width} px, {colours}: {it}" for it in told["violations"]]
    return found


def test_axe_finds_nothing_on_any_page(app, service, page):
    """At the gate on pages with something new, in `make soak` on all, and in all looks."""
    every = crawled(app, made(service), lambda number: ("en",))
    found, seen = {}, 0
    for number, it in enumerate(every if LONG else news(app, every)):
        page.set_content(it.html)
        if not it.path.endswith(TELEVISION):
            page.evaluate(UNWRAP)
        if wrong := found_by_axe(page, (*LOOKS[0], *LOOKS[1]) if LONG else LOOKS[number % 2]):
            found[it.name] = wrong
        seen += 1
    print(f"{seen} pages")
    assert seen >= 60
    assert not found, "\n".join(f"{name} {it}" for name, wrong in found.items() for it in wrong)


def test_axe_tells_a_table_that_keys_cannot_scroll(page):
    """The judge above can find something."""
    wide = "<td>wide</td>" * 400
    page.set_content(f"<main style='width:9rem;overflow:auto'><table><tr>{wide}</table></main>")
    assert any("scrollable-region" in it for it in found_by_axe(page, LOOKS[0]))
