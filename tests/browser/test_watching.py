"""A view sent to an open page is shown as if it had been fetched."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.stage import matching, pass_turn
from tests.browser.test_input_safety import ASK_FOR_ALL

SOON = 9000  # milliseconds: sooner than the next heartbeat, which would also bring it


def asked_for(person, ending):
    """Return a list that collects every request whose address ends like this."""
    seen = []

    def note(request):
        if request.url.partition("?")[0].endswith(ending):
            seen.append(request)

    person.context.on("request", note)
    return seen


def shows(page, match):
    """Wait until a page shows the spectators' current view."""
    expect(page.locator("#ver")).to_have_value(str(match.revision(None)), timeout=SOON)


def test_a_spectator_is_shown_every_move_without_asking(playing, person):
    eve = person(playing.path)
    expect(eve.page.locator("html:not(.stale) #ver")).to_have_value(re.compile(r"\d+"))
    eve.page.wait_for_timeout(500)
    asked = asked_for(eve, "/view")
    before = eve.page.locator("#log li").last.inner_text()
    eve.page.evaluate("document.querySelector('#table').mark = 1")
    for _ in range(3):
        pass_turn(playing)
        shows(eve.page, playing)
    assert asked == []
    assert eve.page.locator("#log li").last.inner_text() != before
    assert eve.page.evaluate("document.querySelector('#table').mark") == 1, "it was morphed"
    said = eve.page.locator("#news").text_content()
    assert eve.page.locator("#log li").last.inner_text() in said, "and announced"


def test_an_older_view_never_replaces_a_newer_one(playing, person):
    """A view requested before the move is answered after it."""
    eve = person(playing.path)
    eve.page.wait_for_timeout(500)
    late = []
    eve.page.route("**/view?*", lambda route: late.append((route, route.fetch())))
    shown = str(playing.revision(None))
    with eve.page.expect_request("**/view?*"):
        eve.page.evaluate(ASK_FOR_ALL, shown)
    while not late:
        eve.page.wait_for_timeout(20)
    pass_turn(playing)
    shows(eve.page, playing)
    route, old = late[0]
    assert f'value="{playing.revision(None)}"' not in old.text()
    route.fulfill(response=old)
    eve.page.wait_for_timeout(300)
    shows(eve.page, playing)


def test_older_or_other_viewers_view_is_not_shown(playing, guest):
    """A player who has just sat down may still be sent their view as a spectator."""
    ben = guest(playing.path, key=playing.keys[1])
    ben.page.wait_for_timeout(500)
    shown = ben.page.evaluate(
        """() => [16, -16, 0].map(more => {
          const {value, dataset} = document.getElementById("ver")
          const id = `${+value + 16} ${+value + more}${dataset.sight}`
          let message = {data: "", event: "", id}
          document.getElementById("stream").dispatchEvent(new CustomEvent(
            "htmx:sse:before:message", {detail: {message}, bubbles: true}))
          return message.event
        })"""
    )
    assert shown == ["table", "table", ""]


def test_player_sees_others_moves_without_asking(playing, person):
    dot = person(playing.path, key=playing.keys[3])
    dot.page.wait_for_timeout(500)
    asked = asked_for(dot, "/view")
    for _ in range(3):  # never on Dot's own turn, whose moves are answered directly
        pass_turn(playing)
        expect(dot.page.locator("#ver")).to_have_value(str(playing.revision(3)), timeout=SOON)
    assert asked == []


def test_view_that_overtakes_the_response_to_a_press_is_shown(playing, person):
    """The answer to the press arrives later than the next player's move."""
    ann = person(playing.path, key=playing.keys[0])
    ann.page.wait_for_timeout(500)
    late = []
    ann.page.route("**/move", lambda route: late.append((route, route.fetch())))
    playing.play(0, "draw")
    discard = ann.page.locator("#table button", has_text="Discard").first
    discard.click(no_wait_after=True)
    while not late:
        ann.page.wait_for_timeout(20)
    pass_turn(playing)
    ann.page.wait_for_timeout(500)
    route, old = late[0]
    assert f'value="{playing.revision(0)}"' not in old.text()
    route.fulfill(response=old)
    expect(ann.page.locator("#ver")).to_have_value(str(playing.revision(0)), timeout=SOON)


def test_incoming_view_keeps_an_open_question(playing, guest):
    ann = guest(playing.path, key=playing.keys[0])
    ann.page.wait_for_timeout(500)
    ann.page.locator("#table button", has_text="Kaboom").first.click()
    expect(ann.page.locator("#ask")).to_have_count(1)
    before = playing.revision(0)
    wrong = next(it for it in matching(playing, rank_matches=False) if it.startswith("1."))
    playing.play(1, f"flip {wrong}")
    expect(ann.page.locator("#ver")).not_to_have_value(str(before), timeout=SOON)
    expect(ann.page.locator("#ask")).to_have_count(1)


@pytest.mark.parametrize("status", [200, 429])
def test_error_body_in_place_of_the_stream_is_not_shown(playing, person, status):
    eve = person()
    eve.expect("status of 429")
    eve.page.route(
        "**/events?*",
        lambda route: route.fulfill(
            status=status, body="<p>No.</p>", headers={"Content-Type": "text/html"}
        ),
    )
    eve.page.goto(playing.path)
    eve.page.wait_for_timeout(700)
    expect(eve.page.locator("#table #log")).to_have_count(1)
    assert "No." not in eve.page.locator("#table").inner_text()
