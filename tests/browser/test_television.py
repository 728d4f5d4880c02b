"""The TV page: every grid is in view on a small laptop, a television and a large one."""

import pytest
from playwright.sync_api import expect

from tests.browser.stage import all_ready, matching, pass_turn
from tests.support.effort import LONG

SIZES = ((1366, 650), (1920, 1080), (3840, 2160))
NAMES = ("Ann", "Ben", "Cid", "Dot", "Eve", "Fay")
# What is cut off by the screen, overlaps something else, or is too small to read from afar.
WRONG = """least => {
  const wrong = [], over = document.querySelector(".ending")
  const seen = document.querySelectorAll(over ? ".ending *" : "#table :is(.card, .plate, #status)")
  if (document.documentElement.scrollWidth > innerWidth) wrong.push("wider than the screen")
  if (!over && document.documentElement.scrollHeight > innerHeight) wrong.push("higher than it")
  seen.forEach(it => {
    const box = it.getBoundingClientRect()
    if (!box.width || it.closest(".visually-hidden")) return
    const words = it.id || it.className + " " + it.textContent.trim().slice(0, 30)
    if (box.x < 0 || box.right > innerWidth || box.bottom > innerHeight) wrong.push(`out: ${words}`)
    const there = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2)
    if (it.matches(".card") && there && !it.contains(there) && !there.contains(it))
      wrong.push(`below ${there.outerHTML.slice(0, 60)}: ${words}`)
    if (it.matches(".card") && box.height < least) wrong.push(`small, ${box.height}: ${words}`)
  })
  return wrong
}"""
SMALLEST = 1 / 16  # of the height of the screen: the minimum size of a card


@pytest.mark.parametrize("people", [5, 6] if LONG else [6])
def test_all_grids_of_a_large_table_are_in_view_on_a_television(stage, guest, people):
    match = stage.begun(*NAMES[:people], max_players=6, rounds=1)
    visitor = guest(match.path + "/screen")
    wrong = {}

    def look(moment):
        expect(visitor.page.locator("#ver")).to_have_value(str(match.look().table.revision(None)))
        for width, height in SIZES:
            visitor.page.set_viewport_size({"width": width, "height": height})
            found = visitor.page.evaluate(WRONG, height * SMALLEST)
            if found:
                wrong[moment, width, height] = found

    if LONG:
        look("peek")
    all_ready(match)
    for seat in (0, 0, 2):  # the grids grow by penalty cards
        card = next(it for it in matching(match, False) if it.startswith(f"{seat}."))
        match.play(seat, f"flip {card}")
    look("penalties")
    if LONG:
        match.play(match.state.turn, "kaboom")
        for _ in range(people - 1):
            pass_turn(match)
        look("over")
    assert not wrong
