"""Two people chat beside their cards: no input is lost, no line is announced twice."""

import re

import pytest
from playwright.sync_api import expect

from kaboom.admin import service as admin
from kaboom.social.chat.service import speak
from tests.browser.stage import all_ready


@pytest.fixture
def two(stage, guest):
    """A match of two, and their open pages."""
    match = stage.begun("Ann", "Ben")
    people = [guest(match.path, key=key) for key in match.keys]
    for visitor in people:
        expect(visitor.page.locator("#room-n")).to_have_count(1)
        visitor.page.locator("#chat-link").click()
    return match, *people


def say(visitor, text):
    visitor.page.locator("#room [name=text]").fill(text)
    visitor.page.locator("#room [name=text]").press("Enter")


def lines(visitor):
    return visitor.page.locator("#lines li")


def hears(match, seat, text):
    """Send a chat line from a seat without a browser, and notify the open pages."""
    match.post(seat, "talk", text=text)


def test_chat_line_reaches_the_other_player_at_once(two):
    _, ann, ben = two
    say(ann, "Hello <b>Ben</b>")
    expect(lines(ben)).to_have_text(["Ann: Hello <b>Ben</b>"])
    expect(lines(ann)).to_have_text(["Ann: Hello <b>Ben</b>"])
    expect(ann.page.locator("#room [name=text]")).to_have_value("")
    expect(ann.page.locator("#room [name=text]")).to_be_focused()
    ben.page.get_by_role("button", name="Well played!").click()
    expect(lines(ann)).to_have_text(["Ann: Hello <b>Ben</b>", "Ben: Well played!"])


def test_incoming_chat_keeps_typed_text_focus_and_selection(two):
    match, ann, _ = two
    ann.page.locator("#room [name=text]").press_sequentially("half a sen")
    ann.page.locator("#room [name=text]").evaluate("e => e.setSelectionRange(2, 4)")
    for number in range(3):
        hears(match, 1, f"line {number}")
        expect(lines(ann)).to_have_count(number + 1)
    expect(ann.page.locator("#room [name=text]")).to_have_value("half a sen")
    expect(ann.page.locator("#room [name=text]")).to_be_focused()
    assert ann.page.evaluate(
        "(e => [e.selectionStart, e.selectionEnd])(document.activeElement)"
    ) == [2, 4]
    match.play(1, "ready")  # the table's own refresh does not touch it either
    expect(ann.page.locator("#ver")).to_have_value(str(match.revision(0)))
    expect(ann.page.locator("#room [name=text]")).to_have_value("half a sen")
    expect(ann.page.locator("#room [name=text]")).to_be_focused()


def test_chat_and_table_updates_leave_each_other_alone(two):
    match, _, ben = two
    hears(match, 0, "one")
    expect(lines(ben)).to_have_count(1)
    ben.page.evaluate(
        "document.querySelector('#table').kept = document.querySelector('#ver').value"
    )
    hears(match, 0, "two")
    expect(lines(ben)).to_have_count(2)
    assert ben.page.evaluate("document.querySelector('#table').kept") == str(match.revision(1))
    assert ben.page.evaluate("document.querySelector('#ver').value") == str(match.revision(1))
    all_ready(match)
    expect(ben.page.locator("#ver")).to_have_value(str(match.revision(1)))
    expect(lines(ben)).to_have_count(2)


def test_refused_chat_line_stays_in_the_field_for_editing(two):
    _, ann, _ = two
    ann.expect("422")
    ann.page.locator("#room [name=text]").evaluate("e => e.removeAttribute('maxlength')")
    say(ann, "x" * 301)
    expect(ann.page.locator("#room [role=alert]")).to_contain_text("At most 300")
    expect(ann.page.locator("#room [name=text]")).to_have_value("x" * 301)


ADDED = """() => {
  window.added = []
  new MutationObserver(all => all.forEach(it => it.addedNodes.forEach(node => {
    const text = node.textContent.trim()
    if (text) window.added.push(text)
  }))).observe(document.querySelector("#lines"), {childList: true, subtree: true})
}"""


def test_chat_log_announces_each_line_once_and_politely(two):
    match, ann, _ = two
    hears(match, 1, "zero")
    expect(lines(ann)).to_have_count(1)
    log = ann.page.locator("#lines")
    expect(log).to_have_attribute("role", "log")
    assert ann.page.locator("#chat [aria-live=assertive]").count() == 0
    ann.page.evaluate(ADDED)
    for number in range(1, 4):
        hears(match, 1, f"line {number}")
        expect(lines(ann)).to_have_count(number + 1)
    match.play(1, "ready")
    expect(ann.page.locator("#ver")).to_have_value(str(match.revision(0)))
    said = [re.sub(r"\s+", " ", text) for text in ann.page.evaluate("added")]
    assert said == [f"Ben: line {number}" for number in range(1, 4)]


def test_unseen_chat_is_counted_until_seen(two):
    match, _, ben = two
    icon, mark = ben.page.locator("#chat-link"), ben.page.locator("#unread")
    icon.click()
    hears(match, 0, "are you there?")
    hears(match, 0, "hello?")
    expect(mark).to_have_text("2")
    expect(icon).to_have_accessible_name("Chat, new messages: 2")
    ben.page.reload()
    expect(mark).to_have_text("2")
    icon.click()
    expect(lines(ben).last).to_be_in_viewport()
    expect(mark).to_be_hidden()
    expect(icon).to_have_accessible_name("Chat")
    icon.click()
    hears(match, 1, "one's own words are never news")
    ben.page.wait_for_timeout(1200)
    expect(mark).to_be_hidden()
    again = ben.context.new_page()
    again.goto(match.path)
    again.wait_for_timeout(1200)
    expect(again.locator("#unread")).to_be_hidden()  # it was read in this browser


@pytest.mark.parametrize(("width", "height"), [(360, 640), (360, 740), (820, 1180), (1366, 650)])
def test_chat_opens_over_the_table_and_closes(two, width, height):
    match, _, ben = two
    page = ben.page
    page.set_viewport_size({"width": width, "height": height})
    for number in range(9):
        speak(match.stage.tables, match.code, match.players[0], "Ann", f"line {number}")
    hears(match, 0, "the newest")
    expect(lines(ben).last).to_have_text("Ann: the newest")
    send = page.get_by_role("button", name="Send")
    phrase = page.get_by_role("button", name="Hello!")
    report = page.get_by_role("link", name="Report or block a player, add friends")
    for part in (lines(ben).last, page.locator("#chat [name=text]"), send, phrase, report):
        expect(part).to_be_in_viewport(ratio=0.99)
    top = page.locator("#chat").bounding_box()["y"]
    assert top > height / 4 or width > 1000, "it covers more than the lower part"
    page.keyboard.press("Escape")
    expect(page.locator("#chat")).to_be_hidden()
    expect(page.locator("#chat-link")).to_be_focused()
    page.locator("#chat-link").press("Enter")
    expect(send).to_be_in_viewport()
    page.locator("#chat > summary").click()
    expect(send).to_be_hidden()


@pytest.mark.parametrize(("width", "height"), [(360, 740), (820, 1180), (1366, 650)])
def test_chat_icon_covers_nothing(two, width, height):
    match, _, ben = two
    ben.page.locator("#chat-link").click()
    hears(match, 0, "are you there?")
    ben.page.set_viewport_size({"width": width, "height": height})
    expect(ben.page.locator("#unread")).to_be_visible()
    expect(ben.page.locator(".tip")).to_be_visible()
    mark = ben.page.locator("#chat-link").bounding_box()
    assert min(mark["width"], mark["height"]) >= 24
    others = [
        ben.page.locator(it) for it in (".tip", ".status-link", ".set", ".brand", "#hear form")
    ]
    for other in others:
        box = other.bounding_box()
        if box is None:  # beside a tip, sound is offered only where there is room for both
            assert other is others[-1] and width < 1280
            continue
        apart = [
            mark[at] + mark[size] <= box[at] + 1 or box[at] + box[size] <= mark[at] + 1
            for at, size in (("x", "width"), ("y", "height"))
        ]
        assert any(apart), f"over {other}: {mark}, {box}"


def test_presence_is_shown_in_words(stage, guest):
    match = stage.begun("Ann", "Ben")
    ann = guest(match.path, key=match.keys[0])
    who = ann.page.locator("#room .who li")
    expect(who.nth(0)).to_contain_text("here")
    ben = guest(match.path, key=match.keys[1])
    expect(who.nth(1)).to_contain_text("Ben here")
    eve = guest(match.path)
    expect(who.nth(2)).to_have_text("1 is watching")
    eve.page.goto("about:blank")
    ben.page.goto("about:blank")
    expect(who.nth(2)).to_have_count(0, timeout=15_000)  # with the next heartbeat


def test_seated_player_is_listed_once_by_name(stage, guest):
    match = stage.opened("Ann")
    ann = guest(match.path, key=match.keys[0])
    ben = guest(match.path)
    ben.page.locator("#sit-name").fill("Ben")
    ben.page.locator("#sit-go").click()
    who = ann.page.locator("#room .who li")
    expect(who).to_have_count(2)
    expect(who.nth(1)).to_contain_text("Ben here")
    ben.page.wait_for_timeout(7_000)  # the stream without a name ends, another begins
    expect(who).to_have_count(2)
    expect(who.nth(1)).to_contain_text("Ben here")


def test_a_spectator_gives_a_name_and_chats_on_the_page(two, guest):
    match, ann, _ = two
    cid = guest(match.path)
    cid.page.locator("#chat-link").click()
    expect(cid.page.locator("#say-name")).to_be_visible()
    cid.page.locator("#say-name").fill("Cid")
    say(cid, "hello from outside")
    expect(lines(ann)).to_have_text(["Cid (watching): hello from outside"])
    expect(cid.page.locator("#say-name")).to_have_count(0)


def test_the_icon_shows_whose_turn_it_is(stage, guest):
    match = stage.begun("Ann", "Ben")
    ann = guest(match.path, key=match.keys[0])
    icon = ann.page.locator("#icon")
    expect(icon).to_have_attribute("href", re.compile("circle"))
    expect(ann.page).to_have_title(re.compile("^Your turn"))
    match.play(0, "ready")
    expect(icon).not_to_have_attribute("href", re.compile("circle"))
    expect(ann.page).not_to_have_title(re.compile("^Your turn"))
    match.play(1, "ready")
    first = match.state.turn
    ann.page.wait_for_timeout(300)
    assert ("circle" in icon.get_attribute("href")) == (first == 0)


NOTIFIED = """(() => {
  window.notices = []
  window.Notification = class {
    static permission = "default"
    static asked = 0
    static requestPermission() {
      this.asked++
      this.permission = "granted"
      return Promise.resolve("granted")
    }
    constructor(title) { window.notices.push(title) }
  }
})()"""


@pytest.mark.parametrize(("choice", "notices"), [("", 0), ("notice", 1)])
def test_notification_appears_only_if_requested(choice, notices, stage, person):
    match = stage.begun("Ann", "Ben")
    ann = person(key=match.keys[0])
    ann.context.add_init_script(NOTIFIED)
    ann.context.add_cookies([{"name": "kb-settings", "value": f"turn={choice}", "url": ann.url}])
    ann.page.goto(match.path)
    expect(ann.page.locator("#room-n")).to_have_count(1)
    allow = ann.page.get_by_role("button", name="Allow notifications")
    if notices:
        assert ann.page.evaluate("Notification.asked") == 0
        allow.click()
        expect(allow).to_have_count(0)
    else:
        expect(allow).to_have_count(0)
    all_ready(match)
    while match.state.turn == 0:  # until it is the other player's turn
        match.play(0, "draw")
        match.play(0, "discard")
    expect(ann.page.locator("#ver")).to_have_value(str(match.revision(0)))
    ann.page.evaluate("window.notices.length = 0")
    ann.page.evaluate("Object.defineProperty(document, 'hidden', {get: () => true})")
    match.play(1, "draw")
    match.play(1, "discard")
    expect(ann.page.locator("#ver[data-turn]")).to_have_count(1)
    assert len(ann.page.evaluate("window.notices")) == notices


def test_without_scripts_chat_has_its_own_page(stage, guest):
    match = stage.begun("Ann", "Ben")
    ann = guest(match.path, key=match.keys[0], scripts=False)
    ann.page.locator("#chat-link").click()
    ann.page.locator("main [name=text]").fill("typed without scripts")
    ann.page.get_by_role("button", name="Send").click()
    expect(ann.page.locator(".chat li").first).to_contain_text("typed without scripts")
    ann.page.get_by_role("link", name="Back to the table").click()
    expect(ann.page.locator("#table")).to_be_visible()


def test_long_chat_keeps_its_height_and_shows_the_newest(two):
    match, ann, _ = two
    for number in range(35):
        speak(match.stage.tables, match.code, match.players[1], "Ben", f"line {number}")
    hears(match, 1, "the last")
    expect(lines(ann)).to_have_count(30)
    expect(lines(ann).last).to_have_text("Ben: the last")
    assert ann.page.evaluate(
        """() => {
          const box = document.querySelector("#lines").getBoundingClientRect()
          const last = document.querySelector("#lines li:last-child").getBoundingClientRect()
          return box.height < innerHeight * 0.6 && last.bottom <= box.bottom + 1
        }"""
    )


def test_chat_history_headings_are_nested_in_order(stage, guest):
    match = stage.begun("Ann", "Ben")
    page = guest(match.path + "/talk", key=match.keys[0], width=360, height=740).page
    places = [it.bounding_box() for it in page.locator("h1, h2, h3").all()]
    tops = [place["y"] for place in places if place]
    assert len(tops) >= 2
    assert tops == sorted(tops)


@pytest.fixture
def no_notice_afterwards(stage):
    """Removes the notice to all players at the end: other tests use the same server."""
    yield
    admin.say(stage.tables, "Hal", "today", "")


def test_open_table_shows_what_the_servers_host_does(two, guest, no_notice_afterwards):
    match, ann, ben = two
    hal = guest(f"/host/login/{admin.new_link(match.stage.tables)}").page
    hal.locator("#name").fill("Hal")
    hal.get_by_role("button", name="Become a host").click()
    expect(hal.locator("#done")).to_contain_text("Welcome")
    person = hal.url.split("?")[0] + f"/people/{match.players[1]}"

    def act(do, why):
        hal.goto(person)
        hal.locator(f"#act-{do} > summary").click()
        hal.locator(f"#why-{do}").fill(why)
        for sure in hal.locator(f"#sure-{do}").all():
            sure.check()
        hal.locator(f"#act-{do} button").click()

    at_once, told = 5_000, ben.page.locator("#told")  # well before the next heartbeat
    act("warn", "be kind")
    expect(told).to_contain_text("be kind", timeout=at_once)
    act("mute", "shouting")
    expect(told).to_contain_text("2 messages", timeout=at_once)
    expect(ben.page.locator("#room [name=text]")).to_have_count(0)
    lift = hal.locator(".now-so details[id*=lift]").get_attribute("id")
    act(lift.removeprefix("act-"), "apology")
    expect(told).not_to_contain_text("shouting", timeout=at_once)
    expect(ben.page.locator("#room [name=text]")).to_have_count(1)
    told.get_by_role("button", name="I have read this").click()
    expect(ben.page.locator("#told details")).to_have_count(0)
    expect(ann.page.locator("#told details")).to_have_count(0)
    hal.goto(hal.url.split("/people")[0] + "/messages")
    hal.locator("#today").fill("Back at 8")
    hal.get_by_role("button", name="Show it").click()
    expect(ann.page.locator("#told")).to_contain_text("Back at 8", timeout=at_once)
    ben.expected.append("403")
    act("out", "insults")
    expect(ben.page.locator("body")).to_contain_text("cannot play or watch", timeout=at_once)
    expect(ben.page.locator("#table")).to_have_count(0)
