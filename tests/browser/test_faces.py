"""Marks on avatars: who is away, and what a player has just said."""

import pytest
from playwright.sync_api import expect

from kaboom.engine.toolkit.avatars import colours
from kaboom.games import GAMES
from tests.browser.moments import NAMES
from tests.browser.stage import all_ready
from tests.support.effort import some

# On a phone the tip makes room for the mark of new chat.
PLACES = """() => [...document.querySelectorAll("#table *")].filter(it =>
  innerWidth > 400 || !it.closest(".tip")
).map(it => {
  const box = it.getBoundingClientRect()
  return [it.id, it.className.toString(), box.x, box.y + scrollY, box.width, box.height]
})"""
HIDDEN = "getComputedStyle(document.querySelector('.bubble')).visibility"


def begun(stage, game="kaboom"):
    most = max(GAMES[game].seats(GAMES[game].options()))
    match = stage.begun(*NAMES[: min(most, 5)], game=game)
    if game == "kaboom":
        all_ready(match)
    return match


def face(page, match, seat):
    """Return the position of a seat's avatar on the table."""
    colour = colours(tuple(match.look().table.seats))[seat]
    shown = page.locator(f":is(.table-area, .watched) .plate .face.c{colour}")
    return shown.first.bounding_box()


@pytest.mark.parametrize("game", some(sorted(GAMES)))
def test_substitute_bot_is_marked_on_the_avatar(stage, guest, game):
    match = begun(stage, game)
    match.all_are_here()
    match.post(1, "hand-over")
    ann = guest(match.path, key=match.keys[0])
    badge = ann.page.locator("#badge-1.deputy")
    for width, height in ((360, 740), (1366, 650)):
        ann.page.set_viewport_size({"width": width, "height": height})
        expect(badge).to_be_visible()
        assert badge.bounding_box() == pytest.approx(face(ann.page, match, 1), abs=1)
        sign = "getComputedStyle(document.querySelector('#badge-1'), '::before').content"
        assert ann.page.evaluate(sign) not in ("none", '""')  # not by its colour alone
    match.post(1, "take-over")
    expect(badge).to_have_count(0)


def test_avatar_marks_do_not_cover_a_vote(stage, guest):
    match = begun(stage)
    match.all_are_here()
    match.post(1, "hand-over")
    ann = guest(match.path, key=match.keys[0], width=360, height=640)
    badge = ann.page.locator("#badge-1.deputy")
    expect(badge).to_be_visible()
    match.post(2, "propose", about="pause")
    expect(ann.page.get_by_role("button", name="Disagree")).to_be_visible()
    expect(badge).to_be_visible()
    sign, vote = badge.bounding_box(), ann.page.locator(".vote").bounding_box()
    assert sign["y"] + sign["height"] <= vote["y"], "the vote lies in the rail, below the faces"


def test_quick_phrase_in_the_first_row_does_not_cover_a_tip(stage, guest):
    match = stage.begun(*(f"P{seat}" for seat in range(5)), game="koth", deal_interval=0)
    ann = guest(match.path, key=match.keys[0], width=360, height=640)
    expect(ann.page.locator(".tip")).to_be_visible()
    for seat in range(1, 5):
        match.post(seat, "talk", phrase="luck")
    expect(ann.page.locator(".bubble")).to_have_count(4)
    tip = ann.page.locator(".tip").bounding_box()
    for bubble in ann.page.locator(".bubble").all():
        assert bubble.bounding_box()["y"] >= tip["y"] + tip["height"]


# Pairs of a phrase and a card that touch. Only the last two phrases are shown.
COVERED = """() => [...document.querySelectorAll(".bubble")].flatMap(it => {
  if (getComputedStyle(it).visibility === "hidden") return []
  const a = it.getBoundingClientRect()
  return [...document.querySelectorAll(".ring .card")].filter(card => {
    const b = card.getBoundingClientRect()
    return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom
  }).map(card => [it.textContent, card.textContent])
})"""


@pytest.mark.parametrize(("width", "height"), [(360, 740), (1366, 650)])
@pytest.mark.parametrize("game", some(sorted(GAMES)))
def test_quick_phrases_cover_no_card(stage, guest, game, width, height):
    match = begun(stage, game)
    page = guest(match.path, key=match.keys[0], width=width, height=height).page
    others = range(1, len(match.keys))
    for seat in others:
        match.post(seat, "talk", phrase="luck")
    expect(page.locator(".bubble")).to_have_count(len(others))
    assert page.evaluate(COVERED) == []


# Pairs of phrases, or of a phrase and a face, that touch.
IN_THE_WAY = """() => [...document.querySelectorAll(".bubble")].flatMap(it => {
  const a = it.getBoundingClientRect()
  return [...document.querySelectorAll(".bubble, .seat .face")].filter(other => {
    const b = other.getBoundingClientRect()
    return it !== other
      && a.left < b.right && b.left < a.right && a.top < b.bottom - 1 && b.top < a.bottom - 1
  }).map(other => [it.textContent, other.className])
})"""


@pytest.mark.parametrize("count", [2, 4])
def test_long_phrases_of_neighbours_in_karata_do_not_touch(stage, guest, count):
    match = stage.begun(*("Ann", "Ben", "Cid", "Dot")[:count], game="karata")
    page = guest(match.path, key=match.keys[0], width=360, height=740).page
    for seat in range(1, count):
        match.post(seat, "talk", phrase="moment")
    expect(page.locator(".bubble")).to_have_count(count - 1)
    assert page.evaluate(IN_THE_WAY) == []
    assert page.evaluate(COVERED) == []


def test_quick_phrase_is_announced_once_in_words(stage, guest):
    match = begun(stage)
    ann, ben = (guest(match.path, key=match.keys[seat]) for seat in (0, 1))
    who = ann.page.locator(".who li", has_text="Ben")
    expect(who).to_contain_text("here")
    match.post(1, "hand-over")
    expect(who).to_have_text("Ben a bot plays")
    # A new line, so that it is announced once, with the name.
    assert who.get_attribute("id") == "here-1-deputy"
    assert ann.page.locator(".who").get_attribute("aria-live") == "polite"
    assert ann.page.locator("#faces").get_attribute("aria-hidden") == "true"
    expect(ben.page.locator("#badge-1")).to_have_count(1)


def test_away_mark_is_on_the_avatar_with_or_without_scripts(stage, guest):
    match = begun(stage)
    ann = guest(match.path, key=match.keys[0])
    expect(ann.page.locator("#badge-1.away")).to_be_visible(timeout=60_000)  # no player knew before
    expect(ann.page.locator(".who")).to_contain_text("Ben away")
    plain = guest(match.path, key=match.keys[0], scripts=False)
    assert plain.page.locator("#badge-1.away").is_visible()
    assert "Ben away" in plain.page.locator(".who").inner_text()


@pytest.mark.parametrize(("width", "height"), [(360, 640), (1366, 650)])
def test_quick_phrase_appears_at_the_avatar_without_shifts(stage, guest, width, height):
    match = begun(stage)
    ann = guest(match.path, key=match.keys[0], width=width, height=height)
    expect(ann.page.locator("#room-n")).to_have_count(1)
    ann.page.wait_for_timeout(400)
    before, revision = ann.page.evaluate(PLACES), match.revision(0)
    match.post(1, "talk", phrase="luck")
    bubble = ann.page.locator(".bubble")
    expect(bubble).to_have_text("Good luck!")
    expect(bubble).to_be_visible()
    expect(ann.page.locator("#unread")).to_be_visible()
    assert ann.page.evaluate(PLACES) == before
    assert match.revision(0) == revision  # the table itself is not fetched again
    says, at = bubble.bounding_box(), face(ann.page, match, 1)
    assert says["x"] >= 0
    assert says["x"] + says["width"] <= width
    assert says["y"] < at["y"] + at["height"] and at["y"] < says["y"] + says["height"]
    gap = max(says["x"] - at["x"] - at["width"], at["x"] - says["x"] - says["width"])
    assert 0 <= gap <= 10
    assert bubble.evaluate("it => getComputedStyle(it).pointerEvents") == "none"


def test_quick_phrase_disappears_by_itself(stage, guest):
    match = begun(stage)
    for still in (True, False):
        ann = guest(match.path, key=match.keys[0], still=still)
        match.post(1, "talk", phrase="thanks")
        expect(ann.page.locator(".bubble").last).to_be_visible()
        timings = ann.page.evaluate(
            "document.querySelector('.bubble').getAnimations().map(it => {"
            " const t = it.effect.getComputedTiming(); return [t.duration, t.endTime] })"
        )
        assert max(end for _, end in timings) == 6000
        if still:
            assert all(duration <= 10 for duration, _ in timings)
        ann.page.evaluate("document.getAnimations().forEach(it => it.finish())")
        assert ann.page.evaluate(HIDDEN) == "hidden"
        ann.page.context.close()


def test_muted_player_shows_no_emotes_but_typed_chat_remains(stage, guest):
    match = begun(stage)
    ann = guest(match.path, key=match.keys[0])
    match.post(1, "talk", text="typed words")
    expect(ann.page.locator("#lines")).to_contain_text("typed words")
    assert ann.page.locator(".bubble").count() == 0
    number = ann.page.locator("#lines li").last.get_attribute("id").removeprefix("l-")
    match.post(0, "talk/mute", line=number)
    match.post(1, "talk", phrase="hello")
    match.post(2, "talk", phrase="thanks")
    expect(ann.page.locator(".bubble")).to_have_text(["Thank you!"])


@pytest.mark.parametrize("game", some(sorted(GAMES), first=1))
def test_plate_on_a_laptop_holds_a_large_face_the_name_and_the_points(stage, guest, game):
    match = begun(stage, game)
    page = guest(match.path, key=match.keys[0], width=360, height=740).page
    on_phone = face(page, match, 1)["width"]
    page.set_viewport_size({"width": 1366, "height": 650})
    assert face(page, match, 1)["width"] >= max(38, on_phone + 5)
    for plate in page.locator(".table-area .plate").all():
        room = plate.bounding_box()
        for part in plate.locator("> :is(.face, b, small)").all():
            box = part.bounding_box()
            assert room["x"] <= box["x"] + 1, part
            assert box["x"] + box["width"] <= room["x"] + room["width"] + 1, part
