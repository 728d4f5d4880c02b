"""A refusal is about what was sent: chosen anew, it is no longer said."""

import pytest
from playwright.sync_api import expect

from tests.browser.moments import moments


def refused(stage, guest, game, name, scripts):
    """Return a page on which a move without a choice has just been refused."""
    moment = next(it for it in moments() if (it.game, it.name) == (game, name))
    scene = moment.scene(stage)
    somebody = guest(scene.path, key=scene.key, scripts=scripts)
    somebody.expect("status of 422")
    page = somebody.page
    page.locator(".my-cards .go button").first.click()
    expect(page.locator("#notice")).to_be_visible()
    return page


@pytest.mark.parametrize("scripts", [True, False])
@pytest.mark.parametrize(
    ("game", "name"), [("gops", "bid"), ("taken", "choose"), ("koth", "lead"), ("koth", "follow")]
)
def test_refusal_of_no_choice_goes_when_something_is_chosen(stage, guest, game, name, scripts):
    page = refused(stage, guest, game, name, scripts)
    page.locator(".my-cards [name=pick]:not([disabled])").first.check(force=True)
    expect(page.locator("#notice")).not_to_be_visible()


def test_refusal_of_too_many_goes_when_another_is_ticked(stage, guest):
    page = refused(stage, guest, "koth", "lead", scripts=True)
    boxes = page.locator(".my-cards [type=checkbox]")
    for place in range(3):
        boxes.nth(place).check(force=True)
    page.locator(".my-cards .go button").first.click()
    expect(page.locator("#notice")).to_be_visible()
    boxes.nth(0).uncheck(force=True)
    expect(page.locator("#notice")).to_have_count(0)
