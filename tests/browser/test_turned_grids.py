"""Kaboom's grids turned towards their owners, which changes their places only."""

import pytest
from playwright.sync_api import expect

from tests.browser.stage import all_ready

# For each grid: its owner, its cards in the order of the page, and their positions.
GRIDS = """() => [...document.querySelectorAll(".table-area .grid:not(.extra)")].map(grid => {
  const middle = grid.getBoundingClientRect()
  return [...grid.children].map(it => {
    const box = it.getBoundingClientRect()
    const upright = [it, ...it.querySelectorAll("*")].every(one =>
      ["none", "matrix(1, 0, 0, 1, 0, 0)"].includes(getComputedStyle(one).transform))
    return [it.textContent.trim(), Math.round(box.x + box.width / 2 - middle.x - middle.width / 2),
      Math.round(box.y + box.height / 2 - middle.y - middle.height / 2), upright]
  })
})"""


@pytest.mark.parametrize("people", [2, 4])
def test_turned_grids_of_opponents_keep_cards_and_order(stage, guest, people):
    match = stage.begun(*("Ann", "Ben", "Cid", "Dot")[:people], rounds=1)
    all_ready(match)
    page = guest(match.path, key=match.keys[0]).page
    page.set_viewport_size({"width": 1366, "height": 768})
    plain = page.evaluate(GRIDS)
    page.goto("/settings")
    page.locator("#set-grids-turned").check()
    expect(page.get_by_text("Saved.")).to_be_visible()
    page.goto(match.path)
    turned = page.evaluate(GRIDS)
    assert len(turned) == people - 1
    for before, after in zip(plain, turned, strict=True):
        assert [words for words, *_ in before] == [words for words, *_ in after]
        assert all(upright for *_, upright in after)
    # The grid of a player opposite begins at the lower right and ends at the upper left.
    first, *_, last = turned[len(turned) // 2]
    assert first[1] > 0 < first[2] and last[1] < 0 > last[2]
    page.set_viewport_size({"width": 360, "height": 740})  # a phone has no room for it
    assert page.evaluate(GRIDS)[len(turned) // 2][0][2] <= 0
