"""The whole life of a table, through its pages alone.

A table with a password is opened, friends follow its link, and one of them only watches. They chat
and play; a player leaves the seat to a bot and returns on another device. The finished match is
replayed, downloaded and verified, and the same people play again.
"""

import hashlib
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.stage import Match
from tests.support.effort import LONG

SLOW = 20_000  # milliseconds a page may take on a busy machine
ROUNDS = 13
PASSWORD = "sesame"
PRESSED = range(1, ROUNDS + 1) if LONG else (1, 2, 3, 4, ROUNDS)  # rounds played on the pages
RESULT = re.compile("^(Result|A draw)$")
VERIFY = Path(__file__).parents[2] / "static" / "verify.py"


class Device:
    """A person's browser: what they press and read there. All of its requests must succeed."""

    def __init__(self, person):
        self.page = person.page
        self.context = person.context
        self.scripts = person.scripts
        self.failed = []
        self.context.set_default_timeout(SLOW)
        self.context.on("response", self._answered)

    def _answered(self, response):
        if response.status >= 400:
            self.failed.append(f"{response.status} {response.request.method} {response.url}")

    @property
    def key(self):
        return next(it["value"] for it in self.context.cookies() if it["name"] == "kb")

    def button(self, name):
        return self.page.get_by_role("button", name=name, exact=True)

    def link(self, name):
        return self.page.get_by_role("link", name=name, exact=True)

    def press(self, name):
        self.button(name).click()

    def follow(self, name):
        self.link(name).click()

    def unfold(self, name):
        self.page.locator("summary", has_text=name).first.click()

    def sees(self, text, where="main"):
        """Wait for some text, reloading if there are no scripts."""
        self.finds(self.page.locator(where).filter(has_text=text))

    def finds(self, found):
        """Wait for an element, reloading if there are no scripts."""
        if not self.scripts:
            for _ in range(40):
                if found.count():
                    break
                self.page.wait_for_timeout(250)
                self.page.reload()
        expect(found.first).to_be_visible(timeout=SLOW)

    def never_saw(self, text, where="main"):
        expect(self.page.locator(where)).not_to_contain_text(text, timeout=SLOW)

    def goes_in(self, link):
        """Open a table's link and enter its password."""
        self.page.goto(link)
        assert "Seats" not in self.page.content()
        self.page.get_by_label("Password").fill(PASSWORD)
        self.press("Enter")
        expect(self.page.locator("#table")).to_be_visible(timeout=SLOW)

    def sits(self, name):
        self.page.locator("#sit-name").fill(name)
        self.press("Sit down")
        self.sees("you", ".chair.me .tag")

    def says(self, text, name=""):
        """Send a chat line beside the cards, or, without scripts, on the chat page."""
        if not self.scripts and self.link("Chat at this table").count():
            self.follow("Chat at this table")
        else:
            self.opens_the_chat()
        if name:
            self.page.locator("#say-name").fill(name)
        self.page.get_by_label("Say something").fill(text)
        self.press("Send")
        self.hears(text)
        if self.link("Back to the table").count():
            self.follow("Back to the table")

    def opens_the_chat(self):
        """Show the chat beside the cards, where a script keeps it shut."""
        if self.page.locator('[data-chat="shut"]').count():
            self.page.locator("#chat-link").click()

    def hears(self, line):
        self.opens_the_chat()
        self.sees(line, "#lines li, .chat li")
        self.page.keyboard.press("Escape")  # it would lie over the cards

    def does_not_ask_twice(self):
        """Turn off move confirmations in the settings."""
        self.follow("Settings")
        self.page.get_by_label("Before a risky move").select_option("0")
        if not self.scripts:
            self.press("Save")
        expect(self.page.get_by_role("status").filter(has_text="Saved.")).to_be_visible()
        self.page.get_by_role("main").get_by_role("link", name="Back").first.click()
        expect(self.page.locator("#table")).to_be_visible(timeout=SLOW)

    @property
    def cards(self):
        """Return the cards that the page offers as bids."""
        return self.page.locator(".my-cards :is(label, button).card")

    def bids(self, number, which, sure):
        """Bid one of the remaining cards, lifting it first if `sure`; the last bid of a round
        reveals them all.
        """
        self.sees(f"Round {number} of {ROUNDS}", ".side h2")
        expect(self.cards).to_have_count(ROUNDS + 1 - number, timeout=SLOW)
        self.cards.nth(which % (ROUNDS + 1 - number)).click()
        if sure:
            self.press("Bid")

    def has_bid(self):
        expect(self.page.locator(".says", has_text="Your sealed bid is")).to_be_visible(
            timeout=SLOW
        )


@pytest.fixture
def device(person):
    """Return a function that opens a player's browser; no request may fail in any."""
    devices = []

    def opened(**more):
        devices.append(Device(person(**more)))
        return devices[-1]

    yield opened
    assert not [failed for device in devices for failed in device.failed]


class Elsewhere(Match):
    """A table where players act outside the pages under test, which only follow."""

    def play_a_round(self):
        """Let each player bid their first card."""
        for seat in range(3):
            bid = self.prompt(seat).offers[0]
            self.play(seat, f"{bid.verb} {bid.options[0]}")


def test_table_works_from_opening_to_its_last_match(device, stage, tmp_path):
    ann, ben, cid = device(), device(scripts=False), device(dark=True)
    eve, phone = device(), device(width=360, height=740, touch=True)
    link = open_a_table(ann)
    promise = everybody_comes(link, ann, ben, cid, eve)
    talk(ann, ben, cid, eve)
    the_match_begins(ann, ben, cid, eve)
    match = Elsewhere(stage, link.rsplit("/", 1)[-1], [], [])
    play_a_round(1, ann, ben, cid, sure=True)
    for visitor in (ann, ben, cid):
        visitor.does_not_ask_twice()
    play_a_round(2, ann, ben, cid)
    a_bot_plays_for_cid(3, ann, ben, cid)
    the_seat_comes_back(cid, phone)
    phone.does_not_ask_twice()
    match.keys = [visitor.key for visitor in (ann, ben, phone)]
    play_a_round(4, ann, ben)
    for number in range(5, ROUNDS + 1):
        if number in PRESSED:
            play_a_round(number, ann, ben, phone)
        else:
            match.play_a_round()
    the_match_is_over(ann, ben, phone, cid, eve)
    look_back(eve)
    verify(ann, promise, tmp_path)
    play_again(ann, ben, phone, cid, eve)


def open_a_table(ann):
    """Ann opens a table of GOPS for three; return its link, as the page shows it."""
    ann.page.goto("/")
    ann.page.get_by_role("radio", name="GOPS").check()
    ann.page.get_by_role("link", name="Options for GOPS").click()
    ann.page.get_by_label("Your name").fill("Ann")
    for heading in ("More options", "Players and length", "Access"):
        ann.unfold(heading)
    ann.page.get_by_label("Players", exact=True).fill("3")
    ann.page.get_by_label("Password").fill(PASSWORD)
    ann.page.get_by_role("button", name="Start a table", exact=True).last.click()
    ann.sees("Send the link: 2 more players are needed", "#status")
    return ann.page.get_by_label("Send this link").input_value()


def everybody_comes(link, ann, ben, cid, eve):
    """Ben and Cid sit down, Eve watches, Cid cuts; return the commitment that Cid notes."""
    for visitor, name in ((ben, "Ben"), (cid, "Cid")):
        visitor.goes_in(link)
        visitor.sits(name)
        ann.sees(name, ".chair .name")
    eve.goes_in(link)
    eve.sees("All seats are taken: you are watching", "#status")
    cid.unfold("Cut the cards")
    cid.page.get_by_label("Your cut").fill("between the sevens")
    cid.press("Cut")
    cid.sees("Your text now: between the sevens")
    return cid.page.locator("details", has_text="Cut the cards").locator("code").text_content()


def talk(ann, ben, cid, eve):
    """The players and Eve read what Ben writes without scripts; Eve's line is held back."""
    ann.opens_the_chat()
    ann.follow("Earlier messages, muting, spectators, notifications")
    ann.page.locator("summary", has_text="Who may watch").click()
    ann.page.get_by_label("Players see their messages only after the match").check()
    ann.press("Confirm")
    ann.follow("Back to the table")
    ben.says("Good luck to all of you")
    for visitor in (ann, cid, eve):
        visitor.hears("Ben: Good luck to all of you")


def the_match_begins(ann, ben, cid, eve):
    for visitor in (ben, cid):
        visitor.press("I am ready")
    expect(ann.page.locator(".chair .tag", has_text="ready")).to_have_count(2, timeout=SLOW)
    ben.page.reload()
    ben.link("Wait for updates").click(no_wait_after=True)
    ann.press("Start the match")
    for visitor in (ann, ben, cid, eve):
        visitor.sees(f"Round 1 of {ROUNDS}", ".side h2")
    expect(eve.cards).to_have_count(0)
    eve.says("Ann has the better cards", name="Eve")
    ann.says("Here we go")
    for visitor in (cid, eve):
        visitor.hears("Ann: Here we go")
    cid.never_saw("the better cards")


def play_a_round(number, *devices, sure=False):
    """Let each player bid another value; all but the last then see their own sealed bid."""
    for place, visitor in enumerate(devices):
        visitor.bids(number, number + 4 * place, sure)
        if visitor is not devices[-1]:
            visitor.has_bid()


def a_bot_plays_for_cid(number, ann, ben, cid):
    """Cid has to leave; the bot bids in this round and, after the others, in the next."""
    cid.unfold("Pause, leave or verify the shuffles")
    cid.follow("Pause, leave or play on another device")
    cid.press("Let a bot play for me")
    cid.sees("A bot plays for you.", ".action-bar")
    ann.sees("A bot plays for Cid.", ".side")
    play_a_round(number, ann, ben)
    for visitor in (ann, ben):
        visitor.sees(f"Round {number + 1} of {ROUNDS}", ".side h2")
        visitor.finds(
            visitor.page.locator(".rivals section", has_text="Cid").locator("b:has-text('has bid')")
        )
    cid.sees("Done on your behalf", ".action-bar")
    expect(cid.page.locator(".done .seen li")).to_have_count(2, timeout=SLOW)


def the_seat_comes_back(cid, phone):
    """Cid returns on another device; the open page of the first browser only watches from
    then on.
    """
    second = cid.context.new_page()
    second.goto(re.sub("[?#].*", "", cid.page.url) + "/carry")
    second.get_by_role("button", name="Create the link").click()
    phone.page.goto(second.get_by_label("One-time link").input_value())
    phone.sees("This moves Cid’s seat")
    phone.press("Move the seat here")
    phone.page.get_by_role("button", name=re.compile("^I am back")).click()
    expect(phone.page.get_by_text("A bot plays for you.")).to_have_count(0, timeout=SLOW)
    phone.sees("Done on your behalf", ".action-bar")
    expect(phone.page.locator(".done .seen li")).to_have_count(2, timeout=SLOW)
    phone.has_bid()
    cid.page.bring_to_front()
    expect(cid.page.locator(".seat.me")).to_have_count(0, timeout=SLOW)
    cid.never_saw("Done on your behalf")
    second.get_by_role("link", name="Back to the table").click()
    expect(second.locator(".rivals .seat")).to_have_count(3, timeout=SLOW)
    assert second.locator(".seat.me").count() == 0
    second.close()


def the_match_is_over(*devices):
    """All viewers read the same result. The line that Eve wrote during the match is now shown to
    the players."""
    results = set()
    for visitor in devices:
        podium = visitor.page.locator(".podium")
        visitor.finds(podium)
        results.add(tuple(re.findall(r"\d+", podium.inner_text())))
    assert len(results) == 1, results
    devices[0].hears("Eve (watching): Ann has the better cards")


def look_back(eve):
    """Eve, a spectator, steps through the match in another tab, also from a player's viewpoint."""
    table = eve.page
    eve.page = eve.context.new_page()
    record = table.get_by_role("link", name="Review this match").get_attribute("href")
    eve.page.goto(record)
    eve.follow("Replay it step by step")
    eve.sees("The deal", "#h-step")
    expect(eve.link("Back")).to_have_count(0)
    eve.follow("Forward")
    eve.sees("Step 1", "#h-step")
    expect(eve.page.get_by_role("heading", name="What was hidden")).to_be_visible(timeout=SLOW)
    eve.follow("Ben")
    eve.sees("Your hand", ".me h2")
    expect(eve.page.get_by_role("heading", name="What was hidden")).to_have_count(0)
    eve.follow("Last")
    expect(eve.link("Forward")).to_have_count(0)
    eve.finds(eve.page.get_by_role("table", name=RESULT))
    eve.page.close()
    eve.page = table


def verify(ann, promise, folder):
    """Ann verifies the match on the server, and with the stand-alone program on her own machine."""
    ann.follow("Review this match: replay and record")
    ann.sees("✓ Verified:")
    ann.unfold("Proof and files")
    with ann.page.expect_download() as download:
        ann.follow("Download the record")
    file = folder / download.value.suggested_filename
    download.value.save_as(file)
    ann.follow("What was checked, and what it proves")
    ann.sees("✓ Verified:")
    ann.unfold("The source of the shuffles")
    ann.sees(promise, ".hashes")
    ann.sees("between the sevens", ".hashes")
    ann.follow("Back to the record")
    record = json.loads(file.read_bytes())
    assert record["names"] == ["Ann", "Ben", "Cid"]
    assert record["commitment"] == promise
    assert hashlib.sha256(bytes.fromhex(record["seed"])).hexdigest() == promise
    assert program(file) == 0
    raw = file.read_bytes()
    other = folder / "other.json"
    for place in (raw.index(b" bid ") + 5, raw.index(b"Ben"), len(raw) // 2, len(raw) - 20):
        other.write_bytes(raw[:place] + bytes([raw[place] ^ 1]) + raw[place + 1 :])
        assert program(other) != 0, f"byte {place} was flipped"


def program(file):
    """Return the last line of the verification program."""
    command = [sys.executable, "-I", str(VERIFY), str(file)]
    return subprocess.run(command, capture_output=True, timeout=60).returncode


def play_again(ann, ben, phone, *watching):
    """Each player presses once, and the seats move on by one; the spectator does nothing."""
    ann.follow("Back to your table")
    for visitor in (ann, ben, phone):
        visitor.press("Play again")
    for visitor in (ann, phone, ben, *watching):
        visitor.sees(f"Round 1 of {ROUNDS}", ".side h2")
        names = visitor.page.locator(".side .scores th[scope=col]").all_inner_texts()[2:]
        seated = ("Ben", "Cid", "Ann")
        mine = next((n for n, name in enumerate(seated) if name not in names), None)
        others = seated if mine is None else ("You", *seated[mine + 1 :], *seated[:mine])
        assert tuple(names) == others
        assert len(names) == 3
    for visitor in watching:
        expect(visitor.cards).to_have_count(0)
    play_a_round(1, ann, phone, ben)
    for visitor in watching:
        visitor.sees(f"Round 2 of {ROUNDS}", ".side h2")
