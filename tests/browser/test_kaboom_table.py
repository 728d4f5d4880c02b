"""Kaboom's own table: what a press leads to stands in the rail, and a call is an event."""

import re

import pytest
from playwright.sync_api import expect

from kaboom.games.kaboom.cards import ability_of
from tests.browser.moments import round_over
from tests.browser.stage import all_ready, next_card, pass_turn, turns_until

PHONE = {"width": 360, "height": 740}
# How a table shows that kaboom was called: its edge, and the word that crosses it once.
CALLED = """() => {
  const ring = document.querySelector(".ring"), word = getComputedStyle(ring, "::before")
  return [getComputedStyle(ring).borderTopColor, word.animationName, word.pointerEvents]
}"""
RED = "rgb(179, 52, 29)"


@pytest.mark.parametrize("still", [True, False])
def test_a_call_of_kaboom_reddens_the_table_and_is_an_event_where_motion_is_wanted(
    stage, guest, still
):
    match = stage.begun("Ann", "Ben", "Cid", rounds=2)
    all_ready(match)
    page = guest(match.path, key=match.keys[0], still=still).page
    edge, word, _ = page.evaluate(CALLED)
    assert (edge != RED, word) == (True, "none")
    caller = match.state.turn
    match.play(caller, "kaboom")
    expect(page.locator("#log")).to_contain_text("kaboom")
    edge, word, pressed = page.evaluate(CALLED)
    assert (edge, word) == (RED, "none" if still else "boom")
    assert still or pressed == "none", "what lies below the word is pressed"
    while match.look().state.declared_by is not None and not match.view(0).facts["sums"]:
        pass_turn(match)
    for seat in list(match.waiting):
        match.play(seat, "ready")
    expect(page.locator(".tag.boom")).to_have_count(0)
    assert page.evaluate(CALLED)[0] != RED, "the next round is a new one"


def test_on_a_phone_the_rail_says_what_a_drawn_card_counts_and_what_it_does(stage, guest):
    match = stage.begun("Ann", "Ben", "Cid", "Dot", rounds=2)
    all_ready(match)
    turns_until(
        match, lambda: match.state.turn == 0 and ability_of(next_card(match)) in ("own", "other")
    )
    match.play(0, "draw")
    page = guest(match.path, key=match.keys[0], **PHONE).page
    expect(page.locator(".rail .hint")).to_have_text(
        re.compile(r"^It counts (7|8|9|10) points\. Use it: look at .+\.$")
    )
    match.play(0, "use")
    expect(page.locator(".rail")).not_to_contain_text("It counts")


@pytest.mark.parametrize("scripts", [True, False])
def test_a_drawn_card_goes_where_the_own_card_lies_that_is_pressed(stage, guest, scripts):
    match = stage.begun("Ann", "Ben", rounds=2)
    all_ready(match)
    turns_until(match, lambda: match.state.turn == 0)
    match.play(0, "draw")
    page = guest(match.path, key=match.keys[0], scripts=scripts, **PHONE).page
    expect(page.locator("#status")).to_contain_text("press the one it replaces")
    assert page.get_by_role("button", name="Keep it").count() == 0
    page.get_by_role("button", name="Replace your top middle card").click()
    expect(page.locator("#at-0\\.1 .mark")).to_have_text("replaced")
    assert match.state.turn == 1


def test_after_a_round_the_fewest_points_stand_out(stage, guest):
    match = stage.begun("Ann", "Ben", "Cid", "Dot", rounds=2)
    round_over(match)
    sums = match.state.sums
    page = guest(match.path, key=match.keys[0], **PHONE).page
    marked = page.locator(".felt .seat:has(.least)")
    expect(marked).to_have_count(sum(it == min(sums) for it in sums[1:]))
    for seat in marked.all():
        assert sums[int(seat.get_attribute("id").removeprefix("seat-"))] == min(sums)


def test_a_finger_that_is_gone_leaves_no_ring_on_a_card(stage, guest):
    """Amber says: press me. What a mouse is over has it, too; a finger is over nothing."""
    match = stage.begun("Ann", "Ben", "Cid", rounds=2)
    all_ready(match)
    mouse = guest(match.path, key=match.keys[0])
    ring = "getComputedStyle(document.querySelector('.own button.card')).boxShadow"
    resting = mouse.page.evaluate(ring)
    mouse.page.locator(".own button.card").first.hover()
    assert mouse.page.evaluate(ring) != resting
    phone = mouse.context.browser.new_context(
        base_url=mouse.url, viewport=PHONE, has_touch=True, is_mobile=True, reduced_motion="reduce"
    )
    phone.add_cookies([{"name": "kb", "value": match.keys[0], "url": mouse.url}])
    page = phone.new_page()
    page.goto(match.path)
    resting = page.evaluate(ring)
    page.locator(".own button.card").first.hover()
    after = page.evaluate(ring)
    phone.close()
    assert after == resting
