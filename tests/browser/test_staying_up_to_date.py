"""Whatever happens to the connection, page or server, the page catches up and keeps its prompt."""

import os
import re
import shutil
import time

import pytest
from playwright.sync_api import expect

from kaboom.admin import queries, sanctions
from kaboom.engine.toolkit.cards import spoken
from kaboom.tournaments import organizer
from kaboom.tournaments import service as tournaments
from tests.browser.chromium import Person, launch, pass_time
from tests.browser.stage import pass_turn
from tests.conftest import missing
from tests.support.tournaments import settings, settled

# The events of a tab when another one comes to the front; real tabs cause them automatically.
TAB = """(away) => {
  const answer = {hidden: () => away, visibilityState: () => away ? "hidden" : "visible"}
  for (const [name, get] of Object.entries(answer))
    Object.defineProperty(document, name, {get, configurable: true})
  document.dispatchEvent(new Event("visibilitychange"))
}"""


SOON = 9  # seconds: sooner than the next heartbeat, which would also bring it


def shown_within(page, match, seat, seconds=SOON):
    """Wait until a page shows the newest revision; return the seconds it took."""
    began = time.monotonic()
    expect(page.locator("#ver")).to_have_value(str(match.revision(seat)), timeout=1000 * seconds)
    return time.monotonic() - began


def streams(person):
    """Return a list that collects every request for the event stream."""
    seen = []
    person.context.on(
        "request", lambda request: seen.append(request) if "/events" in request.url else None
    )
    return seen


def test_event_appears_on_every_page_quickly(playing, guest):
    pages = [guest(playing.path, key=key).page for key in playing.keys[1:]]
    for _ in range(3):
        pass_turn(playing)
        for seat, page in enumerate(pages, start=1):
            shown_within(page, playing, seat)


def test_newcomers_tip_matches_the_current_card(playing, guest):
    """Also if the tip is unfolded: updates leave alone the parts that the viewer has opened."""
    dot = guest(playing.path, key=playing.keys[3])
    for unfolded in (False, True):
        pass_turn(playing)
        shown_within(dot.page, playing, 3)
        [top] = playing.view(3).zone("discard").cards[:1]
        rank = spoken(top).partition(" of ")[0]
        expect(dot.page.locator(".tip summary")).to_contain_text(f"Remember another {rank}?")
        dot.page.locator(".tip details").evaluate("(it, open) => it.open = open", unfolded)
    playing.play(playing.state.turn, "draw")
    shown_within(dot.page, playing, 3)
    assert dot.page.locator(".tip details").evaluate("it => it.open"), (
        "the same sentence stays open"
    )


def test_result_of_a_players_own_press_is_not_fetched(playing, person):
    ann = person(playing.path, key=playing.keys[0])
    asked = []
    ann.page.wait_for_timeout(500)

    def note(request):
        address = request.url.partition("?")[0]
        if not address.endswith((".css", ".js")):  # later files are fetched once, in advance
            asked.append((request.method, address[-5:]))

    ann.context.on("request", note)
    for word in ("Draw", "Discard"):
        with ann.page.expect_response("**/move"):
            ann.page.locator("#table button", has_text=word).first.click()
        shown_within(ann.page, playing, 0)
        ann.page.wait_for_timeout(500)
    assert asked == [("POST", "/move")] * 2
    pass_turn(playing)
    shown_within(ann.page, playing, 0)
    assert asked[2:] == [], "others' moves arrive automatically"


def test_page_with_a_refused_stream_gets_one_later(playing, person):
    """The server had no room for another stream at first."""
    ben = person(key=playing.keys[1])
    ben.expect("status of 503")
    asked = streams(ben)
    ben.page.clock.install()
    refuse = {"status": 503, "body": "no more streams"}
    ben.context.route("**/events*", lambda route: route.fulfill(**refuse))
    ben.page.goto(playing.path)
    ben.page.wait_for_timeout(300)
    assert asked
    ben.context.unroute("**/events*")
    before = len(asked)
    pass_time(ben.page, 11)
    pass_turn(playing)
    shown_within(ben.page, playing, 1)
    pass_time(ben.page, 30)
    assert len(asked) == before + 1, "more than one stream"


def test_page_without_any_stream_polls_once_a_minute(playing, person):
    ben = person(key=playing.keys[1])
    ben.expect("net::ERR_FAILED", "Failed to fetch")
    ben.context.route("**/events*", lambda route: route.abort())
    ben.page.clock.install()
    ben.page.goto(playing.path)
    ben.page.wait_for_timeout(200)
    pass_turn(playing)
    ben.page.wait_for_timeout(200)
    assert ben.page.locator("#ver").input_value() != str(playing.revision(1))
    pass_time(ben.page, 61)
    shown_within(ben.page, playing, 1)
    assert ben.page.title().startswith("Your turn")


def test_idle_minute_costs_at_most_two_requests(playing, person):
    ben = person(key=playing.keys[1])
    ben.page.clock.install()
    asked = []
    ben.context.on("response", lambda answer: asked.append(answer))
    with ben.page.expect_response(re.compile("/events")):
        ben.page.goto(playing.path)
    while asked:  # the page loads and fetches once more when its stream is open
        asked.clear()
        ben.page.wait_for_timeout(700)
    pass_time(ben.page, 60)
    assert len(asked) <= 2
    assert {answer.status for answer in asked} <= {204}


def test_tournament_page_leads_to_the_players_open_table(stage, person):
    match = stage.opened("Ann", "Ben", game="gops")
    tables, host = stage.tables, match.players[0]
    code = tournaments.open(tables, host, settings())
    for player, name in zip(match.players, ("Ann", "Ben"), strict=True):
        tournaments.enter(tables, code, player, name)
    ben = person(key=match.keys[1])
    ben.page.clock.install()
    ben.page.goto(f"/tournaments/{code}")
    to_table = ben.page.get_by_role("link", name="Go to your table").first
    expect(ben.page.locator("#tournament")).to_contain_text("You have entered as Ben.")
    expect(to_table).to_have_count(0)
    organizer.begin(tables, code, host)
    settled(tables, code)
    pass_time(ben.page, 11)
    to_table.click()
    expect(ben.page).to_have_url(re.compile("/t/[A-Z0-9]{8}"))


def test_offline_page_catches_up_when_online(playing, person):
    ben = person(key=playing.keys[1])
    ben.expect("ERR_INTERNET_DISCONNECTED", "Failed to fetch", "network error", "net::ERR_FAILED")
    ben.context.route(
        "**/events*", lambda route: route.abort()
    )  # the stream would continue otherwise
    ben.page.goto(playing.path)
    ben.page.wait_for_timeout(200)
    ben.context.set_offline(True)
    pass_turn(playing)
    ben.page.wait_for_timeout(500)
    assert ben.page.locator("#ver").input_value() != str(playing.revision(1))
    ben.context.set_offline(False)
    shown_within(ben.page, playing, 1)
    assert ben.page.title().startswith("Your turn")


def test_a_page_that_slept_catches_up_when_it_wakes(playing, person):
    """Like a phone that is put away: the page is frozen, and thawed later."""
    ben = person(playing.path, key=playing.keys[1])
    ben.page.wait_for_timeout(200)
    wire = ben.context.new_cdp_session(ben.page)
    wire.send("Page.setWebLifecycleState", {"state": "frozen"})
    pass_turn(playing)
    ben.page.wait_for_timeout(300)
    wire.send("Page.setWebLifecycleState", {"state": "active"})
    shown_within(ben.page, playing, 1)


def test_hidden_tab_gives_up_its_stream_and_later_catches_up(playing, person):
    ben = person(playing.path, key=playing.keys[1])
    ben.page.wait_for_timeout(300)
    asked = streams(ben)
    with ben.page.expect_event("requestfailed", lambda request: "/events" in request.url):
        ben.page.evaluate(TAB, True)
    pass_turn(playing)
    ben.page.evaluate(TAB, False)
    shown_within(ben.page, playing, 1)
    pass_turn(playing)
    shown_within(ben.page, playing, 1)  # the server asks browsers to return within a second
    assert len(asked) == 1, "it has reconnected once"


def test_seven_tabs_of_one_player_all_load(playing, person):
    """A browser opens at most six connections to a host, so hidden tabs must hold none."""
    ann = person(playing.path, key=playing.keys[0])
    ann.context.set_default_timeout(5000)
    pages = [ann.page]
    for _ in range(6):
        pages[-1].wait_for_timeout(150)
        pages[-1].evaluate(TAB, True)
        page = ann.context.new_page()
        page.goto(playing.path)
        expect(page.locator("#status")).to_contain_text("Your turn")
        pages.append(page)
    playing.play(0, "draw")
    shown_within(pages[-1], playing, 0)
    pages[-1].evaluate(TAB, True)
    pages[0].evaluate(TAB, False)
    shown_within(pages[0], playing, 0)


def test_server_restart_resumes_the_page_at_its_prompt(playing, person, server):
    """SIGKILL in mid-match; then the same port, the same database, no reload."""
    ann = person(playing.path, key=playing.keys[0])
    ben = person(playing.path, key=playing.keys[1], scripts=False)
    ann.expect("ERR_CONNECTION_REFUSED", "Failed to fetch", "network error", "ERR_INCOMPLETE")
    ann.expect("ERR_SOCKET_NOT_CONNECTED", "ERR_CONNECTION_RESET", "ERR_EMPTY_RESPONSE")
    ann.expect("AbortError")  # a request that took too long
    ann.page.evaluate("window.neverReloaded = true")
    ann.page.wait_for_timeout(200)
    playing.play(0, "draw")
    shown_within(ann.page, playing, 0)
    asked = ann.page.locator("#prompt").inner_text()
    card = playing.view(0).zone("drawn", 0).cards[0]
    server.kill()
    ann.page.wait_for_timeout(500)
    assert ann.page.locator("#prompt").inner_text() == asked
    server.start()
    assert playing.prompt(0).waited_for
    # Another player acts: the page is updated without being touched.
    playing.post(3, "leave")
    shown_within(ann.page, playing, 0, 16)
    assert spoken(card) in ann.page.locator("#status").inner_text()
    ann.page.get_by_role("button", name="Discard it").click()
    expect(ann.page.locator("#log")).to_contain_text(f"You discard the {spoken(card)}")
    assert ann.page.evaluate("window.neverReloaded")
    ben.page.reload()
    assert ben.page.title().startswith("Your turn")


# The connection notice

OFFLINE = "ERR_INTERNET_DISCONNECTED", "Failed to fetch", "network error", "net::ERR_FAILED"
# The controls and their positions; a tip in place of the title disappears like the title.
PRESSED = """() => [...document.querySelectorAll("a, button, input, select, summary")]
  .filter(it => it.checkVisibility({visibilityProperty: true}))
  .filter(it => !it.closest(".visually-hidden, .skip, .tip"))
  .map(it => {
    const box = it.getBoundingClientRect()
    const x = box.x + box.width / 2, y = box.y + box.height / 2
    const there = document.elementFromPoint(x, y)
    return [it.outerHTML.slice(0, 60), box.x + scrollX, box.y + scrollY, it.contains(there)]
  })"""
LIES_OVER = """() => {
  const line = document.querySelector("#net").getBoundingClientRect()
  return [...document.querySelectorAll("#table *, .top a, .set")].filter(it => {
    const box = it.getBoundingClientRect()
    const seen = (it.closest("#log") ?? it).getBoundingClientRect()  // the log scrolls
    return it.matches("a, button, .card") && !it.closest(".visually-hidden")
      && line.left < box.right && box.left < line.right
      && line.top < Math.min(box.bottom, seen.bottom)
      && Math.max(box.top, seen.top) < line.bottom
  }).map(it => it.outerHTML.slice(0, 80))
}"""


def test_lost_connection_is_shown_until_it_is_restored(playing, person):
    ben = person(key=playing.keys[1])
    ben.expect(*OFFLINE)
    ben.page.clock.install()
    ben.page.goto(playing.path)
    ben.page.wait_for_timeout(300)
    line = ben.page.locator("#net")
    ben.context.set_offline(True)
    ben.page.wait_for_timeout(200)
    expect(line).to_be_empty()  # the connection may return at once
    ben.page.clock.run_for(4000)
    expect(line).to_contain_text("No connection")
    ben.context.set_offline(False)
    expect(line).to_be_empty()
    expect(ben.page.locator("#news")).to_contain_text("Connected again.")
    pass_time(ben.page, 30)
    ben.page.wait_for_timeout(200)


def test_undelivered_press_is_shown_until_reconnection(playing, person):
    ann = person(playing.path, key=playing.keys[0])
    ann.expect(*OFFLINE)
    ann.page.wait_for_timeout(300)
    ann.context.set_offline(True)
    draw = move_button(ann.page, "draw").first
    draw.focus()
    ann.page.keyboard.press("Enter")
    expect(ann.page.locator("#net")).to_contain_text("did not reach the table")
    expect(draw).to_be_focused()
    ann.context.set_offline(False)
    expect(ann.page.locator("#net")).to_be_empty()
    ann.page.keyboard.press("Enter")
    expect(ann.page.locator("#status")).to_contain_text("You hold the")


@pytest.mark.parametrize(("width", "height"), [(360, 740), (1366, 650)])
@pytest.mark.parametrize("word", ["lost", "unsent"])
def test_connection_notice_covers_and_moves_nothing(playing, person, width, height, word):
    ann = person(playing.path, key=playing.keys[0], width=width, height=height)
    ann.expect(*OFFLINE)
    ann.page.locator("#room .say").wait_for(state="attached")
    ann.page.evaluate("document.querySelector('#hear form')?.remove()")  # a press would do it
    move_button(ann.page, "draw").first.scroll_into_view_if_needed()
    before = ann.page.evaluate(PRESSED)
    ann.context.set_offline(True)
    if word == "unsent":
        move_button(ann.page, "draw").first.click()
    expect(ann.page.locator("#net")).not_to_be_empty(timeout=8000)
    expect(ann.page.locator("#net")).to_be_in_viewport(ratio=1)
    assert ann.page.evaluate(PRESSED) == before
    assert ann.page.evaluate(LIES_OVER) == []
    ann.context.set_offline(False)


def test_long_silent_stream_counts_as_lost(playing, person):
    """The network disappears silently: here heartbeats do not follow the page's clock."""
    ben = person(key=playing.keys[1])
    ben.page.clock.install()
    ben.page.goto(playing.path)
    ben.page.wait_for_timeout(300)
    ben.page.clock.run_for(20_000)
    expect(ben.page.locator("#net")).to_be_empty()
    ben.page.clock.run_for(7000)
    expect(ben.page.locator("#net")).to_contain_text("No connection")
    playing.play(0, "draw")
    expect(ben.page.locator("#net")).to_be_empty()


def test_refused_stream_is_not_a_lost_connection(playing, person):
    ben = person(key=playing.keys[1])
    ben.expect("status of 503")
    ben.page.clock.install()
    ben.context.route("**/events*", lambda route: route.fulfill(status=503, body="no more"))
    ben.page.goto(playing.path)
    ben.page.wait_for_timeout(300)
    pass_time(ben.page, 45)
    expect(ben.page.locator("#net")).to_be_empty()


# The browser's back button


def peek_and_leave(match, page):
    """Let the first seat look at its bottom row, and go to read the rules."""
    move_button(page, "peek").click()
    expect(faces(page)).to_have_count(3)
    table = page.locator("#table").inner_text()
    assert all(spoken(card) in table for card in match.state.grids[0][3:])
    page.locator(".foot").get_by_role("link", name="Kaboom").click()
    expect(page.locator("main h1")).to_be_visible()


def faces(page):
    return page.locator(".seat .card:not(.back)")


def move_button(page, move):
    return page.locator(f'#table button[name=move][value$=" {move}"]')


@pytest.mark.parametrize("scripts", [True, False])
def test_back_button_does_not_show_hidden_cards(stage, person, scripts):
    """Peek, read the rules, become ready elsewhere, press Back: the faces must be gone."""
    match = stage.begun("Ann", "Ben", rounds=1)
    ann = person(match.path, key=match.keys[0], scripts=scripts)
    peek_and_leave(match, ann.page)
    match.play(0, "ready")
    ann.page.evaluate("history.back()")
    expect(ann.page.locator("#status")).to_be_visible()
    assert faces(ann.page).count() == 0
    table = ann.page.locator("#table").inner_text()
    assert not any(spoken(card) in table for card in match.state.grids[0][3:])
    shown_within(ann.page, match, 0)


@pytest.fixture
def keeping(chromium):
    """Chromium with windows, because headless Chromium keeps no page for the back button."""
    path = os.environ.get("CHROMIUM") or shutil.which("chromium")
    browser = launch(chromium.browser_type, path or missing("Debian's chromium"))
    yield browser
    browser.close()


def test_cached_page_of_a_left_table_shows_no_faces(stage, keeping, server):
    """Some browsers keep pages for the back button despite the headers; the page
    refreshes first.
    """
    match = stage.begun("Ann", "Ben", rounds=1)
    ann = Person(keeping, server.url, key=match.keys[0])
    ann.expect("net::ERR_FAILED", "Failed to fetch")
    held = []

    def keepable(route):
        answer = route.fetch()
        headers = {**answer.headers, "cache-control": "private, no-cache"}
        route.fulfill(response=answer, headers=headers)

    ann.context.route(f"**{match.path}", keepable)
    ann.context.route("**/events*", lambda route: route.abort())
    ann.page.goto(match.path)
    ann.page.evaluate("window.kept = true")
    peek_and_leave(match, ann.page)
    match.play(0, "ready")
    ann.context.route("**/view*", lambda route: held.append(route))
    ann.page.evaluate("history.back()")
    expect(ann.page.locator("#status")).to_be_visible()
    assert ann.page.evaluate("window.kept") is True, "the browser did not keep it"
    assert faces(ann.page).filter(visible=True).count() == 0
    assert ann.page.locator(".seen").filter(visible=True).count() == 0
    ann.context.unroute("**/view*")
    for route in held:
        route.continue_()
    expect(faces(ann.page)).to_have_count(0)
    shown_within(ann.page, match, 0)
    assert not ann.unexpected


def test_back_from_the_rules_shows_what_happened_meanwhile(playing, person):
    ben = person(playing.path, key=playing.keys[1])
    ben.page.locator(".foot").get_by_role("link", name="Kaboom").click()
    expect(ben.page.locator("main h1")).to_be_visible()
    pass_turn(playing)
    ben.page.evaluate("history.back()")
    expect(ben.page.locator("#status")).to_contain_text("Your turn", timeout=2000)
    pass_turn(playing)
    shown_within(ben.page, playing, 1)


# Without scripts


def test_wait_link_responds_when_something_happens(playing, guest):
    ben = guest(playing.path, key=playing.keys[1], scripts=False)
    assert not ben.page.title().startswith("Your turn")
    ben.page.locator("noscript a").click(no_wait_after=True)
    ben.page.wait_for_timeout(300)
    playing.play(0, "draw")
    expect(ben.page.locator("#status")).to_contain_text("Ann has drawn", timeout=3000)
    assert ben.page.url.endswith("#status")


def test_auto_refresh_is_optional_and_off_on_the_players_turn(playing, guest):
    for seat, wanted in ((0, 0), (1, 1)):
        someone = guest(playing.path, key=playing.keys[seat], scripts=False)
        refresh = someone.page.locator("meta[http-equiv=refresh]")
        assert refresh.count() == 0
        someone.page.locator(".set").click()
        someone.page.get_by_label("Without JavaScript").select_option("10")
        someone.page.get_by_role("button", name="Save").click()
        saved = someone.page.get_by_role("status").filter(has_text="Saved.")
        saved.get_by_role("link", name="Back").click()
        assert someone.page.url.endswith(playing.path)
        assert refresh.count() == wanted


def test_going_back_after_a_move_and_reloading_plays_nothing(playing, person):
    ann = person(playing.path, key=playing.keys[0], scripts=False)
    for verb in ("draw", "discard"):
        move_button(ann.page, verb).first.click()
    expect(ann.page.locator("#log")).to_contain_text("You discard")
    before = playing.look().table.seq
    ann.page.reload()
    ann.page.evaluate("history.back()")
    ann.page.wait_for_timeout(300)
    ann.page.reload()
    assert playing.look().table.seq == before


def test_page_returns_to_the_table_once_a_ban_is_lifted(playing, guest):
    player, tables = playing.players[2], playing.stage.tables
    sanctions.sanction(tables, "Hal", player, sanctions.OUT, "insults", 3)
    time.sleep(1.5)  # for which the server may keep what was in force
    cleo = guest(playing.path, key=playing.keys[2])
    cleo.expect("403")
    expect(cleo.page.locator("h1")).to_contain_text("you cannot play or watch")
    cleo.page.evaluate(TAB, False)
    cleo.page.wait_for_timeout(1000)
    expect(cleo.page.locator("h1")).to_contain_text("you cannot play or watch")
    (number,) = [
        it.id for it in tables.database.read(lambda c: queries.sanctions_of(c, player)) if it.until
    ]
    sanctions.lift(tables, "Hal", number, "apology")
    cleo.page.wait_for_timeout(1500)
    cleo.page.evaluate(TAB, False)
    expect(cleo.page.locator("#table")).to_be_visible()
