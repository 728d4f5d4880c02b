"""axe finds nothing on any reachable page, at a phone's and a laptop's width."""

import re
from urllib.parse import urlsplit

import pytest

from tests.browser.chromium import Person
from tests.browser.test_access import AXE, RUN_AXE, TAGS, UNWRAP
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


@pytest.fixture
def page(app, chromium):
    """A page with axe. The application answers its browser without a server; our scripts and
    streams would change nothing here.
    """
    visitor = Person(chromium, HERE)

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
    visitor.page.evaluate(AXE)
    yield visitor.page
    visitor.close()


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


def test_axe_reports_a_table_that_cannot_scroll_by_keyboard(page):
    """The checker does find violations."""
    wide = "<td>wide</td>" * 400
    page.set_content(f"<main style='width:9rem;overflow:auto'><table><tr>{wide}</table></main>")
    assert any("scrollable-region" in it for it in found_by_axe(page, LOOKS[0]))
