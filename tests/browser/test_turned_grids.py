"""Kaboom's grids turned towards their owners: their places, and nothing else."""

import pytest

from tests.browser.stage import all_ready

# Of each grid: who it belongs to, its cards in the order of the page, and where each lies.
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
def test_the_others_grids_are_turned_and_cards_and_their_order_stay(stage, guest, people):
    match = stage.begun(*("Ann", "Ben", "Cid", "Dot")[:people], rounds=1)
    all_ready(match)
    page = guest(match.path, key=match.keys[0]).page
    page.set_viewport_size({"width": 1366, "height": 768})
    plain = page.evaluate(GRIDS)
    page.goto("/settings")
    page.locator("[name=grids]").select_option("turned")
    page.get_by_role("button", name="Save").first.click()
    page.goto(match.path)
    turned = page.evaluate(GRIDS)
    assert len(turned) == people - 1
    for before, after in zip(plain, turned, strict=True):
        assert [words for words, *_ in before] == [words for words, *_ in after]
        assert all(upright for *_, upright in after)
    # Whoever sits opposite has the first card at the right below, the last at the left above.
    first, *_, last = turned[len(turned) // 2]
    assert first[1] > 0 < first[2] and last[1] < 0 > last[2]
    page.set_viewport_size({"width": 360, "height": 740})  # there is no room
    assert page.evaluate(GRIDS)[len(turned) // 2][0][2] <= 0
