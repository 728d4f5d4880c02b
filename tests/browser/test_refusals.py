"""A refusal refers to what was sent and disappears after a new choice."""

import pytest
from playwright.sync_api import expect

from tests.browser.moments import moments


def refused(stage, guest, game, name, scripts):
    """Return a page on which a move without a choice has just been refused."""
    moment = next(it for it in moments() if (it.game, it.name) == (game, name))
    scene = moment.scene(stage)
    visitor = guest(scene.path, key=scene.key, scripts=scripts)
    visitor.expect("status of 422")
    page = visitor.page
    page.locator(".my-cards .go button").first.click()
    expect(page.locator("#notice")).to_be_visible()
    return page


@pytest.mark.parametrize("scripts", [True, False])
@pytest.mark.parametrize(
    ("game", "name"), [("gops", "bid"), ("taken", "choose"), ("koth", "lead"), ("koth", "follow")]
)
def test_nothing_chosen_error_clears_on_a_choice(stage, guest, game, name, scripts):
    page = refused(stage, guest, game, name, scripts)
    page.locator(".my-cards [name=pick]:not([disabled])").first.check(force=True)
    expect(page.locator("#notice")).not_to_be_visible()


def test_lead_that_makes_no_pair_replaces_the_card_before_it(stage, guest):
    page = refused(stage, guest, "koth", "lead", scripts=True)
    boxes = page.locator(".my-cards [type=checkbox]")
    button = page.locator(".my-cards .go button").first
    for place in range(3):
        boxes.nth(place).check(force=True)
    expect(page.locator("#notice")).to_have_count(0)
    expect(button).to_be_enabled()
    assert [boxes.nth(place).is_checked() for place in range(3)] == [False, False, True]
