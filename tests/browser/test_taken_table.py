"""TakeN's table: the recap of a reveal, and the reveal itself."""

import pytest

from tests.browser.moments import NAMES
from tests.browser.test_one_screen import WRONG

PHONES = [(360, 740), (360, 640)]
# The faults of the recap: what is cut off, what lies over a neighbour, a row or the hand.
RECAP = """() => {
  const wrong = [], box = it => it.getBoundingClientRect()
  const all = [...document.querySelectorAll(".story li")], felt = box(document.querySelector(".ring"))
  const meet = (a, b) => a.left < b.right - 1 && b.left < a.right - 1
    && a.top < b.bottom - 1 && b.top < a.bottom - 1
  const others = [...document.querySelectorAll(".lane, .crowd, .my-cards .card")].map(box)
  if (!all.length) wrong.push("no recap")
  all.forEach((it, n) => {
    const lies = box(it), words = it.textContent
    if (it.scrollWidth > it.clientWidth || it.scrollHeight > it.clientHeight)
      wrong.push(`cut off: ${words}`)
    if (lies.left < felt.left || lies.right > felt.right) wrong.push(`off the felt: ${words}`)
    if (all.slice(n + 1).some(next => meet(lies, box(next)))) wrong.push(`over the next: ${words}`)
    if (others.some(other => meet(lies, other))) wrong.push(`over something: ${words}`)
    const parts = [...it.querySelectorAll(".card, .face")].map(box)
    if (meet(...parts)) wrong.push(`face over card: ${words}`)
  })
  return wrong
}"""


def revealed(stage, people, **options):
    """Return a table of that many after a reveal in which a row was taken."""
    match = stage.begun(*(*NAMES, "Gus", "Hal", "Ivy", "Joe")[:people], game="taken", **options)
    now = match.look()
    while now.state.stage != "choose" or not any(it.taken for it in now.state.turns):
        now = match.drift_unseen(now)
    return match


@pytest.mark.parametrize("people", range(2, 11))
def test_phone_recap_cuts_nothing_off_and_covers_nothing(stage, onlooker, people):
    match = revealed(stage, people)
    visitor = onlooker(key=match.keys[0])
    for language in ("en", "fr", "sw", "ar"):
        visitor.page.set_extra_http_headers({"Accept-Language": language})
        for width, height in PHONES:
            visitor.page.set_viewport_size({"width": width, "height": height})
            visitor.page.goto(match.path)
            found = visitor.page.evaluate(RECAP) + visitor.page.evaluate(WRONG)
            assert found == [], (language, height)
