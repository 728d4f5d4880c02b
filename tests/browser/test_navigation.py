"""The header's links: a menu on a phone, a line on a laptop, with and without scripts."""

import pytest

from tests.browser.test_access import TOO_WIDE
from tests.browser.test_languages import OVERLAPPING

ROOMS = ["/play", "/lobby", "/learn", "/rules", "/puzzles", "/daily", "/tournaments", "/clubs"]
PLACES = """() => [...document.querySelectorAll(".top a")].map(it => [
  new URL(it.href).pathname, it.checkVisibility({visibilityProperty: true}),
  Math.round(it.getBoundingClientRect().top)])"""


@pytest.fixture(params=[True, False], ids=["scripts", "no scripts"])
def phone(request, chromium, server):
    context = chromium.new_context(
        java_script_enabled=request.param,
        viewport={"width": 360, "height": 640},
        base_url=server.url,
    )
    yield context.new_page()
    context.close()


def test_phone_menu_opens_and_closes_without_scripts_too(phone):
    phone.goto("/puzzles")
    menu, button = phone.locator("#menu"), phone.get_by_role("button", name="Menu")
    assert not menu.is_visible()
    for leave in (lambda: phone.keyboard.press("Escape"), lambda: phone.mouse.click(20, 620)):
        button.click()
        assert menu.is_visible()
        below = button.bounding_box()
        assert menu.bounding_box()["y"] >= below["y"] + below["height"]
        leave()
        assert not menu.is_visible()
    button.click()
    assert menu.locator("[aria-current=page]").inner_text() == "Puzzles"
    menu.get_by_role("link", name="Learn").click()
    assert phone.url.endswith("/learn")


def test_phone_menu_has_the_readers_pages_and_fits_the_screen(phone):
    phone.goto("/puzzles")
    phone.get_by_role("button", name="Menu").click()
    menu = phone.locator("#menu")
    assert menu.locator(".own-pages a").all_inner_texts() == ["Ratings"]
    box = menu.bounding_box()
    assert box["y"] + box["height"] <= 640
    assert menu.evaluate("it => it.scrollHeight <= it.clientHeight")


def test_laptop_shows_all_rooms_in_one_line(onlooker):
    page = onlooker("/tournaments", width=1366, height=650).page
    assert not page.get_by_role("button", name="Menu").is_visible()
    assert not page.locator(".own-pages").is_visible()
    found = [it for it in page.evaluate(PLACES) if it[1]]
    assert [path for path, _, _ in found][1:] == [*ROOMS, "/settings", "/login"]
    assert max(top for *_, top in found) - min(top for *_, top in found) < 10
    main = page.get_by_role("navigation", name="Main menu")
    assert main.locator("[aria-current]").inner_text() == "Tournaments"


@pytest.mark.parametrize("language", ["fr", "sw", "ar", "en"])
@pytest.mark.parametrize("width", [320, 1030])
def test_header_parts_do_not_overlap(onlooker, language, width):
    visitor = onlooker(width=width, height=640)
    spoken = {"name": "kb-settings", "value": f"language={language}", "url": visitor.url}
    visitor.context.add_cookies([spoken])
    visitor.page.goto("/")
    assert not visitor.page.evaluate(OVERLAPPING)
    assert not visitor.page.evaluate(TOO_WIDE)


def test_table_has_no_menu_and_its_logo_leads_home(stage, onlooker):
    match = stage.begun("Ann", "Ben", game="gops")
    page = onlooker(match.path, key=match.keys[0], width=360, height=640).page
    assert not page.locator("#menu").count()
    page.locator(".brand").click()
    page.wait_for_url("**/")
    assert page.locator(".self").inner_text().endswith("Ann")
