"""While a result is being shown, texts on the table refer to it."""

import re

import pytest
from playwright.sync_api import expect

from kaboom.games import GAMES
from tests.browser.moments import NAMES
from tests.browser.stage import any_move

SEEN = "e => Number(getComputedStyle(e).opacity)"
SIZE = "e => parseFloat(getComputedStyle(e).fontSize)"
# Read in one go, because the result may end between two readings.
AT_ONCE = """status => {
  const style = getComputedStyle;
  const width = e => e.getBoundingClientRect().width;
  const size = e => parseFloat(style(e).fontSize);
  const came = status.querySelector(".came");
  const seen = Number(style(status.querySelector(".next")).opacity);
  return [seen, size(came), size(status), width(came), width(status)];
}"""


def test_bid_result_is_shown_before_the_next_prize(stage, guest):
    """The cards of the round stay for a moment. Until they are removed, the next prize is not
    mentioned."""
    match = stage.begun("Ann", "Ben", game="gops")
    page = guest(match.path, key=match.keys[0], still=False).page
    match.play(0, "bid 7S")
    match.play(1, "bid 5C")
    status, asked = page.locator("#status"), page.locator("#status .next")
    expect(status).to_contain_text("your 7 of Spades against the 5 of Clubs.")
    offered = page.locator(".duel h2")
    assert asked.evaluate(SEEN) == 0
    assert offered.evaluate(SEEN) == 0
    expect(asked).to_have_css("opacity", "1", timeout=4000)
    expect(offered).to_have_css("opacity", "1")
    expect(asked).to_contain_text("Your turn: bid a card for the ")


def test_result_without_scripts_is_shown_with_the_prompt(stage, guest):
    match = stage.begun("Ann", "Ben", game="gops")
    match.play(0, "bid 7S")
    match.play(1, "bid 5C")
    page = guest(match.path, key=match.keys[0], scripts=False, still=False).page
    expect(page.locator("#status")).to_contain_text("your 7 of Spades against the 5 of Clubs.")
    assert page.locator("#status .next").evaluate(SEEN) == 1
    assert page.locator(".duel h2").evaluate(SEEN) == 1


@pytest.mark.parametrize("game", ["gops", "taken"])
@pytest.mark.parametrize("width", [360, 1366])
def test_request_is_larger_than_the_result_once_that_has_been_shown(stage, guest, game, width):
    match = stage.begun("Ann", "Ben", game=game)
    while not match.view(0).facts.get("history" if game == "gops" else "reveal"):
        match.drift()
    page = guest(match.path, key=match.keys[0], still=False, width=width, height=740).page
    status, asked = page.locator("#status"), page.locator("#status .next")
    came = page.locator("#status .came")
    seen, came_size, status_size, came_width, status_width = status.evaluate(AT_ONCE)
    if seen == 0:  # then the result has the whole line
        assert (came_size, came_width) == (status_size, status_width)
    expect(asked).to_have_css("opacity", "1", timeout=4000)
    assert came.evaluate(SIZE) < asked.evaluate(SIZE)
    assert came.bounding_box()["y"] > asked.bounding_box()["y"]


BEFORE = """paid => {
  const before = getComputedStyle(paid, "::before");
  return [getComputedStyle(paid).visibility, before.visibility, paid.dataset.was];
}"""


@pytest.mark.parametrize("place", [".action-bar .paid", "#points .paid"])
def test_points_keep_their_number_until_the_end_of_a_result(stage, guest, place):
    match = stage.begun("Ann", "Ben", game="gops")
    page = guest(match.path, key=match.keys[0], still=False).page
    match.play(0, "bid 7S")
    match.play(1, "bid 5C")
    paid = page.locator(place)
    expect(paid).to_be_attached()
    assert paid.evaluate(BEFORE) == ["hidden", "visible", "0"]
    expect(paid).to_have_css("visibility", "visible", timeout=4000)
    assert paid.evaluate(BEFORE)[1] == "hidden"


MOVING = """() => document.getAnimations().filter(it =>
  it.effect.target.closest(".story .new, .lane :is(.new, .ghost)")).length"""


@pytest.mark.parametrize("width", [360, 1366])
def test_lifted_card_of_taken_ends_the_reveal_and_is_the_heading(stage, guest, width):
    match = stage.begun("Ann", "Ben", game="taken")
    while not match.view(0).facts["reveal"]:
        match.drift()
    page = guest(match.path, key=match.keys[0], still=False, width=width, height=740).page
    page.locator(".my-cards label.card").first.click()
    assert page.evaluate(MOVING) == 0
    status, goes = page.locator("#status"), page.locator(".goes:visible")
    expect(status).to_have_css("opacity", "0")
    expect(goes).to_have_count(1)
    assert goes.bounding_box()["y"] == status.bounding_box()["y"]
    assert goes.evaluate(SIZE) > 16


CLOCKS = """status => ["came", "next"].map(name => {
  const found = status.querySelector("." + name).getAnimations();
  return Math.min(...found.map(it => it.currentTime));
})"""


def test_second_result_in_the_same_words_is_shown_as_the_first_was(stage, guest):
    """Its two lines begin together, so that they never lie over each other."""
    match = stage.begun("Ann", "Ben", game="taken")
    page = guest(match.path, key=match.keys[0], still=False).page
    seen = set()
    for _ in range(4):
        turn = match.view(0).facts["round"]
        while match.view(0).facts["round"] == turn:
            match.drift()
        came = page.locator("#status .came")
        expect(came).to_be_visible()
        number = came.get_attribute("id")
        assert number not in seen
        seen.add(number)
        first, second = page.locator("#status").evaluate(CLOCKS)
        assert abs(first - second) < 50


@pytest.mark.parametrize("width", [360, 1366])
def test_bids_keep_their_places_however_many_prizes_are_carried_over(stage, guest, width):
    match = stage.begun("Ann", "Ben", game="gops")
    page = guest(match.path, key=match.keys[0], width=width, height=740).page
    places = set()
    for rank in "A234":
        places.add(tuple(it.bounding_box()["x"] for it in page.locator(".duel .bid").all()))
        prize = page.locator(".offer > :last-child").bounding_box()
        other = page.locator(".duel .bid").last.bounding_box()
        assert prize["x"] + prize["width"] <= other["x"]
        match.play(0, f"bid {rank}S")
        match.play(1, f"bid {rank}C")
        expect(page.locator(".last-round")).to_contain_text("tie")
        expect(page.locator(".duel .bid .back")).to_have_count(0)
    assert len(places) == 1


# When the end of a match or of a deal is held back: what the table says, whether that covers the
# end, and all its text.
HELD = """() => new MutationObserver(() => {
  const held = document.querySelector(".held")
  if (!held || window.held) return
  const top = document.elementFromPoint(innerWidth / 2, innerHeight / 2)
  const said = held.querySelector("#status").textContent
  window.held = [said, held.contains(top), held.innerText]
}).observe(document.body, {childList: true, subtree: true})"""


def watching(guest, match, seat=0):
    """Return a page that has loaded what it otherwise loads after the first move."""
    page = guest(match.path, key=match.keys[seat], still=False, width=1366, height=650).page
    page.evaluate("""async () => {
      for (const href of document.getElementById("news").dataset.sheets.split(" ")) {
        const link = document.createElement(href.includes(".js") ? "script" : "link")
        const loaded = new Promise(done => link.onload = done)
        document.head.append(Object.assign(link, {rel: "stylesheet", href, src: href}))
        await loaded
      }
    }""")
    page.evaluate(HELD)
    return page


def held_back(page):
    page.wait_for_function("() => window.held", timeout=20_000)
    expect(page.locator(".held")).to_have_count(0, timeout=8000)
    return page.evaluate("window.held")


def last_move_but_one(stage, game, over, **options):
    """Return a match before the move that ends it, or a part of it, and that move."""
    seats = GAMES[game].seats(GAMES[game].options(**options))
    names = NAMES[: min(max(4, seats[0]), seats[-1])]
    moves, match = [], stage.begun(*names, game=game, **options)
    now = match.look()
    while not over(match):
        moves.append(any_move(now))
        now = match.drift_unseen(now)
    match = stage.begun(*names, game=game, **options)
    for _ in moves[:-1]:
        match.drift_unseen(match.look())
    return match, moves[-1]


@pytest.mark.parametrize(
    ("game", "options", "said"),
    [
        ("hearts", {"limit": 10}, "the trick: "),
        ("oh_hell", {"cards": 2}, "the trick: "),
        ("koth", {"deal_interval": 0, "pace": "untimed", "rounds": 1}, "Last trick: "),
        ("kaboom", {"rounds": 1}, "."),
        ("taken", {"max_games": 1, "hand_size": 2}, "reveal"),
        ("gops", {}, "Round 13: "),
    ],
)
def test_end_of_a_match_is_held_back_until_its_last_cards_are_seen(
    stage, guest, game, options, said
):
    match, (seat, move) = last_move_but_one(
        stage, game, lambda it: not it.look().table.playing, **options
    )
    page = watching(guest, match)
    at_once = guest(match.path, key=match.keys[0]).page
    match.play(seat, move)
    text, covered, all_text = held_back(page)
    assert said in text
    assert covered
    assert "Play again" not in all_text
    assert all(name in all_text for name in NAMES[1 : len(match.keys)]), all_text
    expect(page.get_by_role("button", name="Play again")).to_be_visible()
    expect(page.locator("#status")).to_contain_text("Place ")
    expect(at_once.locator("#h-ending")).to_be_visible()
    assert at_once.locator(".held").count() == 0


# The animated cards and the sizes of hands of the table that is held, once it is shown.
HELD_CARDS = """() => new MutationObserver(() => {
  const held = document.querySelector(".held")
  if (!held || window.cards) return
  const moving = [...held.querySelectorAll(".card")].filter(it => it.getAnimations().length
    || it.closest("[data-from]")?.getAnimations().length)
  const row = name => [...held.querySelectorAll(".scores tr")].find(it =>
    it.textContent.includes(name)).lastElementChild.textContent
  const plates = [...held.querySelectorAll(".table-area .plate")]
  window.cards = [moving.map(it => [!!it.closest(".my-cards"), it.textContent]),
    plates.map(it => [it.querySelector("b").textContent, parseInt(it.innerText.match(/\\d+/))])
      .map(([name, count]) => [count, +row(name)])]
}).observe(document.body, {childList: true, subtree: true})"""


def test_karata_win_moves_only_the_last_card_and_counts_agree(stage, guest):
    options = {"game": "karata", "seed": bytes([20]) * 32, "deal": 3}
    match, moves = stage.begun(*NAMES[:3], **options), []
    now = match.look()
    while now.table.playing:
        moves.append(any_move(now))
        now = match.drift_unseen(now)
    (winner,) = now.table.outcome.winners
    match = stage.begun(*NAMES[:3], **options)
    for _ in moves[:-1]:
        match.drift_unseen(match.look())
    viewer = next(it for it in range(3) if it != winner and len(match.state.hands[it]) > 1)
    page = watching(guest, match, viewer)
    page.evaluate(HELD_CARDS)
    match.play(*moves[-1])
    page.wait_for_function("() => window.cards", timeout=20_000)
    moving, counts = page.evaluate("window.cards")
    assert [own for own, _ in moving] == [False], moving
    assert all(plate == row for plate, row in counts), counts
    assert 0 in [plate for plate, _ in counts]


def test_last_trick_of_a_round_is_seen_before_what_follows_from_it(stage, guest):
    ahead = {"deal_interval": 0, "pace": "untimed"}
    match, (seat, move) = last_move_but_one(stage, "koth", lambda it: it.state.results, **ahead)
    page = watching(guest, match)
    match.play(seat, move)
    text, covered, _ = held_back(page)
    assert "Last trick: " in text
    assert covered
    expect(page.locator(".result h3")).to_be_visible()
    expect(page.locator("#status .came")).to_contain_text(re.compile("rise by|is over"))


# Cards fly so slowly that the next view comes while they do.
SLOW = """() => {
  const animate = Element.prototype.animate
  Element.prototype.animate = function (frames, timing) {
    const slow = this.matches?.("[data-from]:not([data-stays])") && {duration: 60_000}
    return animate.call(this, frames, {...timing, ...slow})
  }
}"""
# How far the last cards are from those that the held table shows, and what is seen of the result.
APART = """() => new MutationObserver(() => {
  const held = document.querySelector(".held")
  if (!held || window.apart) return
  const middle = it => (b => [b.x + b.width / 2, b.y + b.height / 2])(it.getBoundingClientRect())
  const found = [...document.querySelectorAll(".final [data-stays]")].map(card => {
    const lay = held.querySelector(`[id="${card.dataset.from.split(" ")[0]}"]`)
    return lay && Math.hypot(...middle(lay).map((it, n) => it - middle(card)[n]))
  })
  const said = [held.querySelector("#status"), document.querySelector(".final .mark")]
  window.apart = [found, said.map(it => Number(getComputedStyle(it).opacity))]
}).observe(document.body, {childList: true, subtree: true})"""


def test_last_cards_of_a_deal_are_drawn_once_and_then_told(stage, guest):
    match = stage.begun("Ann", "Ben", "Cid", "Dot", game="hearts")
    now = match.look()
    while sum(map(len, now.state.hands)) > 2:
        now = match.drift_unseen(now)
    page = watching(guest, match)
    page.evaluate(SLOW)
    page.evaluate(APART)
    match.drift()
    expect(page.locator("#ver")).to_have_value(str(match.revision(0)))
    match.drift()
    page.wait_for_function("() => window.apart", timeout=20_000)
    found, seen = page.evaluate("window.apart")
    assert len(found) == 4 and found.count(None) == 1
    assert all(far < 2 for far in found if far is not None), found
    assert seen == [0, 0]
    expect(page.locator(".held #status")).to_have_css("opacity", "1")


# What is seen of a trick's result when its last card sets out.
UNTOLD = """() => new MutationObserver(() => {
  if (!document.querySelector(".trick [data-to]") || window.untold) return
  const said = [...document.querySelectorAll("#status, .trick [data-to] .mark")]
  window.untold = said.map(it => Number(getComputedStyle(it).opacity))
}).observe(document.body, {childList: true, subtree: true, attributes: true})"""


@pytest.mark.parametrize("game", ["hearts", "oh_hell"])
def test_trick_is_told_when_its_last_card_lies(stage, guest, game):
    match = stage.begun("Ann", "Ben", "Cid", "Dot", game=game)
    now = match.look()
    while (held := sum(map(len, now.state.hands))) % 4 != 1 or now.state.stage != "play":
        now = match.drift_unseen(now)
    assert held > 4  # not the end of the deal
    page = watching(guest, match)
    page.evaluate(UNTOLD)
    match.drift()
    page.wait_for_function("() => window.untold", timeout=20_000)
    assert not any(page.evaluate("window.untold"))
    expect(page.locator("#status")).to_have_css("opacity", "1")
