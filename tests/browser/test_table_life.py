"""Votes, other devices, passwords and the lobby, in real browsers."""

import re

import pytest
from playwright.sync_api import expect

from kaboom.accounts import players
from kaboom.games import GAMES
from kaboom.lobby import service as lobby
from tests.browser.stage import all_ready


def test_vote_appears_and_passes_on_every_page(stage, guest):
    match = stage.begun("Ann", "Ben", rounds=2)
    all_ready(match)
    ann, ben = (guest(match.path, key=key).page for key in match.keys)
    ann.get_by_text("Pause, leave or verify the shuffles").click()
    ann.get_by_role("link", name="Pause, leave or play on another device").click()
    ann.get_by_role("button", name="Pause the match").click()
    question = ben.get_by_text("Ann proposes a pause")
    expect(question.first).to_be_visible()
    ben.get_by_role("button", name="Agree", exact=True).click()
    for page in (ann, ben):
        expect(page.locator("#status")).to_contain_text("The match is paused")
        expect(page.locator("#table [name=move]")).to_have_count(0)
    assert match.look().table.paused
    ben.get_by_role("button", name="Resume the match").click()
    ann.get_by_role("button", name="Agree", exact=True).click()
    expect(ann.locator("#table [name=move]").first).to_be_visible()
    expect(ben.locator("#status")).not_to_contain_text("paused")


def test_vote_prompt_leaves_phone_cards_in_reach(stage, guest):
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


def test_bot_takes_over_and_the_player_returns_elsewhere(stage, guest):
    match = stage.begun("Ann", "Ben", rounds=2)
    all_ready(match)
    ann = guest(match.path, key=match.keys[0]).page
    match.post(0, "hand-over")
    expect(ann.get_by_text("A bot plays for you.")).to_be_visible()
    expect(ann.get_by_text("Done on your behalf:")).to_be_visible()  # it was Ann's turn
    ann.goto(f"{match.path}/carry")
    ann.get_by_role("button", name="Create the link").click()
    link = ann.get_by_label("One-time link").input_value()
    phone = guest(re.sub(r"^https?://[^/]+", "", link)).page
    phone.get_by_role("button", name="Move the seat here").click()
    phone.set_viewport_size({"width": 360, "height": 740})  # a narrow screen hides the other words
    phone.get_by_role("button", name="I am back and want to play", exact=True).click()
    expect(phone.get_by_text("A bot plays for you.")).to_have_count(0)
    expect(phone.get_by_text("Done on your behalf:")).to_be_visible()
    ann.goto(match.path)
    expect(ann.get_by_text("Done on your behalf:")).to_have_count(0)
    table = match.look().table
    assert not table.chairs[0].stand_in
    assert table.chairs[0].player != match.players[0]


# A browser's share function; `no` is why it fails.
SHARING = """(no => {
  navigator.share = data => (window.shared = data,
    no ? Promise.reject(new DOMException("", no)) : Promise.resolve())
  Object.defineProperty(navigator, "clipboard", {
    value: {writeText: text => (window.copied = text, Promise.resolve())},
  })
})"""


@pytest.mark.parametrize("no", ["", "AbortError", "NotAllowedError"])
def test_invite_link_uses_the_share_sheet_or_the_clipboard(stage, person, no):
    match = stage.opened("Ann")
    ann = person(key=match.keys[0])
    ann.context.add_init_script(f"{SHARING}('{no}')")
    ann.page.goto(match.path)
    link = ann.page.locator("#link").input_value()
    ann.page.get_by_role("button", name="Share the link").click()
    assert ann.page.evaluate("window.shared") == {"url": link}
    # A player who cancels does not want a copy either.
    assert ann.page.evaluate("window.copied") == (link if no == "NotAllowedError" else None)


def test_a_browser_that_cannot_share_copies_the_link(stage, person):
    match = stage.opened("Ann")
    ann = person(key=match.keys[0])
    ann.context.add_init_script(f"{SHARING}(); delete navigator.share")
    ann.page.goto(match.path)
    ann.page.locator("#prompt").get_by_role("button", name="Copy the link").click()
    assert ann.page.evaluate("window.copied") == ann.page.locator("#link").input_value()


def test_password_form_opens_the_table(stage, guest):
    host = guest("/start/gops")
    host.page.get_by_label("Your name").fill("Ann")
    host.page.get_by_text("More options").click()
    host.page.locator("summary", has_text="Access").click()
    host.page.get_by_label("Password").fill("sesame")
    host.page.get_by_role("button", name="Start a table").last.click()
    path = re.sub(r"^https?://[^/]+|[?#].*$", "", host.page.url)
    guest = guest()
    guest.expect("403")
    guest.page.goto(path)
    guest.page.get_by_label("Password").fill("guess")
    guest.page.get_by_role("button", name="Enter").click()
    expect(guest.page.get_by_role("alert")).to_contain_text("Wrong password")
    guest.page.get_by_label("Password").fill("sesame")
    guest.page.get_by_role("button", name="Enter").click()
    expect(guest.page.get_by_role("button", name="Sit down")).to_be_visible()


def test_lobby_reflects_changes_at_its_tables(stage, person):
    guest = person("/lobby").page
    tables = stage.tables
    (ann, _), (ben, _) = (
        players.player(tables, f"lobby key of {name}", name) for name in ("Ann", "Ben")
    )
    code = lobby.open(tables, "gops", GAMES["gops"].options(), ann, "Ann", listed=True)
    guest.clock.install()
    guest.reload()
    row = guest.locator("li", has_text=code)
    expect(row).to_contain_text("1 seat free")
    lobby.sit(tables, code, ben, "Ben")
    guest.clock.run_for(11_000)
    expect(row).to_contain_text("full")


# Chairs and confirmations, with scripts


def test_free_chair_press_keeps_the_typed_name(stage, guest):
    match = stage.opened("Ann")
    eve = guest(match.path)
    eve.page.locator("#sit-name").fill("Eve")
    match.send("key of Ben", "sit", name="Ben", seat=1)
    expect(eve.page.locator(".chair", has_text="Ben")).to_be_visible()
    assert eve.page.locator("#sit-name").input_value() == "Eve"
    eve.page.locator(".chair.free button").last.click()
    expect(eve.page.locator(".chair.me")).to_contain_text("Eve")
    assert [occupant and occupant.name for occupant in match.look().table.chairs] == [
        "Ann",
        "Ben",
        None,
        "Eve",
    ]
    expect(eve.page.locator("#say-name")).to_have_count(0)


def test_host_confirms_before_removing_a_player(stage, guest):
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


def test_declined_confirmation_is_among_the_settings(stage, guest):
    match = stage.begun("Ann", "Ben", rounds=2)
    all_ready(match)
    ann = guest(match.path, key=match.keys[0])
    ann.page.get_by_role("button", name="Call kaboom").click()
    ann.page.get_by_role("button", name="Yes, don’t ask again").click()
    expect(ann.page.locator("#log")).to_contain_text("You call kaboom")
    ann.page.get_by_role("link", name="Settings").click()
    expect(ann.page.locator("#set-unasked option:checked")).to_have_text("Kaboom: Call kaboom")
    ann.page.locator("#set-unasked").select_option("")
    expect(ann.page.get_by_text("Saved.")).to_be_visible()
    ann.page.reload()
    expect(ann.page.locator("#set-unasked")).to_have_count(0)
