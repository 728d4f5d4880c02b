"""Votes, other devices, passwords and the lobby, in real browsers."""

import re

import pytest
from playwright.sync_api import expect

from kaboom.accounts import players as keys
from kaboom.games import GAMES
from kaboom.lobby import service as seating
from tests.browser.stage import all_ready


def test_a_vote_comes_to_every_page_and_is_settled_there(stage, guest):
    match = stage.begun("Ann", "Ben", rounds=2)
    all_ready(match)
    ann, ben = (guest(match.path, key=key).page for key in match.keys)
    ann.get_by_text("Pause, leave, verify the shuffles").click()
    ann.get_by_role("link", name="Pause, leave, play on another device").click()
    ann.get_by_role("button", name="Pause the match").click()
    question = ben.get_by_text("Ann proposes a pause")
    expect(question.first).to_be_visible()
    ben.get_by_role("button", name="Agree", exact=True).click()
    for page in (ann, ben):
        expect(page.locator("#status")).to_contain_text("The match is paused")
        expect(page.locator("#table [name=move]")).to_have_count(0)
    assert match.look().table.paused
    ben.get_by_role("button", name="Go on").click()
    ann.get_by_role("button", name="Agree", exact=True).click()
    expect(ann.locator("#table [name=move]").first).to_be_visible()
    expect(ben.locator("#status")).not_to_contain_text("paused")


def test_a_vote_in_the_prompt_leaves_the_cards_in_reach_on_a_phone(stage, guest):
    match = stage.begun("Ann", "Ben", "Cid", "Dot", rounds=2)
    all_ready(match)
    match.all_are_here()
    match.post(1, "propose", about="pause")
    ann = guest(match.path, key=match.keys[0], width=360, height=740, touch=True).page
    prompt = ann.locator("#prompt").bounding_box()
    assert prompt["height"] <= 740 / 2
    assert ann.evaluate("document.documentElement.scrollWidth") <= 360
    for name in ("Agree", "Disagree"):
        box = ann.get_by_role("button", name=name, exact=True).bounding_box()
        assert box["height"] >= 32
        assert box["width"] >= 44


def test_a_bot_plays_on_and_the_person_comes_back_on_another_device(stage, guest):
    match = stage.begun("Ann", "Ben", rounds=2)
    all_ready(match)
    ann = guest(match.path, key=match.keys[0]).page
    match.post(0, "hand-over")
    expect(ann.get_by_text("A bot plays for you.")).to_be_visible()
    expect(ann.get_by_text("Done in your name:")).to_be_visible()  # it was Ann's turn
    ann.goto(f"{match.path}/carry")
    ann.get_by_role("button", name="Make the link").click()
    link = ann.get_by_label("One-use link").input_value()
    phone = guest(re.sub(r"^https?://[^/]+", "", link)).page
    phone.get_by_role("button", name="Move the seat here").click()
    phone.set_viewport_size({"width": 360, "height": 740})  # where the rest is for readers alone
    phone.get_by_role("button", name="I am back and want to play", exact=True).click()
    expect(phone.get_by_text("A bot plays for you.")).to_have_count(0)
    expect(phone.get_by_text("Done in your name:")).to_be_visible()
    ann.goto(match.path)
    expect(ann.get_by_text("Done in your name:")).to_have_count(0)
    table = match.look().table
    assert not table.chairs[0].stand_in
    assert table.chairs[0].player != match.players[0]


# What a browser has that can hand a link on; `no` is why it does not.
SHARING = """(no => {
  navigator.share = data => (window.shared = data,
    no ? Promise.reject(new DOMException("", no)) : Promise.resolve())
  Object.defineProperty(navigator, "clipboard", {
    value: {writeText: text => (window.copied = text, Promise.resolve())},
  })
})"""


@pytest.mark.parametrize("no", ["", "AbortError", "NotAllowedError"])
def test_the_link_is_shared_by_what_the_device_has_or_else_copied(stage, person, no):
    match = stage.opened("Ann")
    ann = person(key=match.keys[0])
    ann.context.add_init_script(f"{SHARING}('{no}')")
    ann.page.goto(match.path)
    link = ann.page.locator("#link").input_value()
    ann.page.get_by_role("button", name="Share the link").click()
    assert ann.page.evaluate("window.shared") == {"url": link}
    # Who thinks better of it wants no copy either.
    assert ann.page.evaluate("window.copied") == (link if no == "NotAllowedError" else None)


def test_a_browser_that_cannot_share_copies_the_link(stage, person):
    match = stage.opened("Ann")
    ann = person(key=match.keys[0])
    ann.context.add_init_script(f"{SHARING}(); delete navigator.share")
    ann.page.goto(match.path)
    ann.page.locator("#prompt").get_by_role("button", name="Copy the link").click()
    assert ann.page.evaluate("window.copied") == ann.page.locator("#link").input_value()


def test_the_password_is_asked_for_and_then_the_table_is_there(stage, guest):
    host = guest("/start/gops")
    host.page.get_by_label("Your name").fill("Ann")
    host.page.get_by_text("More options").click()
    host.page.get_by_label("Password").fill("sesame")
    host.page.get_by_role("button", name="Start a table").last.click()
    path = re.sub(r"^https?://[^/]+|[?#].*$", "", host.page.url)
    guest = guest()
    guest.expect("403")
    guest.page.goto(path)
    guest.page.get_by_label("Password").fill("guess")
    guest.page.get_by_role("button", name="Enter").click()
    expect(guest.page.get_by_role("alert")).to_contain_text("That is not the password")
    guest.page.get_by_label("Password").fill("sesame")
    guest.page.get_by_role("button", name="Enter").click()
    expect(guest.page.get_by_role("button", name="Sit down")).to_be_visible()


def test_the_lobby_follows_what_happens_at_its_tables(stage, person):
    guest = person("/lobby").page
    tables = stage.tables
    (ann, _), (ben, _) = (
        keys.player(tables, f"lobby key of {name}", name) for name in ("Ann", "Ben")
    )
    code = seating.open(tables, "gops", GAMES["gops"].options(), ann, "Ann", listed=True)
    guest.clock.install()
    guest.reload()
    row = guest.locator("li", has_text=code)
    expect(row).to_contain_text("1 chair free")
    seating.sit(tables, code, ben, "Ben")
    guest.clock.run_for(11_000)
    expect(row).to_contain_text("full")


# Chairs and questions, with scripts


def test_a_free_chair_is_pressed_the_name_stays_and_others_do_not_disturb(stage, guest):
    match = stage.opened("Ann")
    eve = guest(match.path)
    eve.page.locator("#sit-name").fill("Eve")
    match.send("key of Ben", "sit", name="Ben", seat=1)
    expect(eve.page.locator(".chair", has_text="Ben")).to_be_visible()
    assert eve.page.locator("#sit-name").input_value() == "Eve"
    eve.page.locator(".chair.free button").last.click()
    expect(eve.page.locator(".chair.me")).to_contain_text("Eve")
    assert [chair and chair.name for chair in match.look().table.chairs] == [
        "Ann",
        "Ben",
        None,
        "Eve",
    ]
    expect(eve.page.locator("#say-name")).to_have_count(0)


def test_the_host_is_asked_before_somebody_is_removed(stage, guest):
    match = stage.opened("Ann", "Ben")
    ann = guest(match.path, key=match.keys[0])
    ben = guest(match.path, key=match.keys[1])
    ann.page.get_by_role("button", name="Remove Ben").click()
    expect(ann.page.locator(".ask")).to_contain_text("Remove Ben from the table?")
    match.send("key of Cid", "sit", name="Cid")
    expect(ann.page.locator(".chair", has_text="Cid")).to_be_visible()
    ann.page.get_by_role("button", name="Yes, do it").click()
    expect(ann.page.locator(".chair", has_text="Ben")).to_have_count(0)
    expect(ben.page.locator("#prompt")).to_contain_text("The host has removed you from the table.")
    expect(ben.page.locator("#sit-name")).to_have_count(0)


def test_do_not_ask_again_is_a_setting(stage, guest):
    match = stage.begun("Ann", "Ben", rounds=2)
    all_ready(match)
    ann = guest(match.path, key=match.keys[0])
    ann.page.get_by_role("button", name="Call kaboom").click()
    ann.page.get_by_role("button", name="Yes, don’t ask again").click()
    expect(ann.page.locator("#log")).to_contain_text("You call kaboom")
    ann.page.get_by_role("link", name="Settings").click()
    expect(ann.page.locator("#set-confirm")).to_have_value("0")
