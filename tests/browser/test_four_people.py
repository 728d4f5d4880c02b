"""Four people in four browsers play a whole match of Kaboom and start the next one.

`make test` presses each kind of move once in each browser and makes repeated moves directly; the
pages only follow. With KABOOM_LONG=1 every move is pressed and checked in all four.
"""

import re
import time
from contextlib import suppress

import pytest
from playwright.sync_api import Error, expect

from kaboom.engine.engine import prompt
from kaboom.engine.takeback import VERB as TAKE_BACK
from kaboom.engine.toolkit.cards import rank_of, spoken
from kaboom.engine.views import Prompt
from kaboom.games.kaboom.cards import ability_of
from kaboom.games.kaboom.state import Ability, FirstMove
from kaboom.tables import takeback
from tests.browser.stage import Match, matching, next_card
from tests.support.effort import LONG, PATIENCE

NAMES = ["Ann", "Ben", "Cid", "Dot"]
HERE = "window.neverReloaded = true"
SEEN = """({
  whole: document.readyState !== "loading",
  title: document.title,
  revision: document.querySelector("#ver")?.value,
  log: [...document.querySelectorAll("#log li")].map(li => +li.id.slice(3)),
  moves: [...document.querySelectorAll("#table button[name=move]")].map(b => b.value)
})"""


class Player:
    """One of the four players: uses what the page offers and checks what it shows."""

    def __init__(self, person, name):
        self.person = person
        self.page = person.page
        self.name = name
        self.scripts = person.scripts
        self.match = None
        self.pressed = set()

    @property
    def seat(self):
        return self.match.look().table.seats.index(self.name)

    @property
    def key(self):
        return next(it["value"] for it in self.page.context.cookies() if it["name"] == "kb")

    def button(self, move):
        """Return the button that sends this move: a verb, or a verb and a place."""
        return self.page.locator(f'#table button[name=move][value$=" {move}"]')

    def press(self, move):
        """Press a button of the table, and confirm where the page asks."""
        button = self.button(move).first
        sure = move == "kaboom" or move.startswith("flip ")
        button.click()
        if sure:
            self.page.locator("#sure-go").click()

    def looks(self):
        """Return the contents of the page. A page that is still loading, as happens without scripts
        after each press, is read again.
        """
        for _ in range(20):
            with suppress(Error):
                seen = self.page.evaluate(SEEN)
                if seen["whole"]:
                    return seen
            self.page.wait_for_load_state("domcontentloaded")
        raise AssertionError("the page keeps changing")

    def shows(self):
        """Wait until the page is up to date; without scripts, press to refresh it."""
        snapshot = self.match.look()
        revision = str(snapshot.table.revision(self.seat))
        seen = self.looks()
        if not self.scripts and seen["revision"] != revision:
            wait = self.page.locator("noscript a", has_text="Wait for")
            if wait.count():
                wait.click()
            else:
                self.page.reload()
        deadline = time.monotonic() + PATIENCE
        while seen["revision"] != revision and time.monotonic() < deadline:
            self.page.wait_for_timeout(20)
            seen = self.looks()
        assert seen["revision"] == revision, f"{self.name}'s page does not show the last move"
        self.is_right(seen, snapshot)
        return seen

    def is_right(self, seen, snapshot):
        """Check the page's invariants, which hold after every event."""
        playing = snapshot.table.playing
        asked = prompt(snapshot.game, snapshot.state, self.seat) if playing else Prompt(self.seat)
        assert seen["title"].startswith("Your turn") == asked.waited_for
        first = seen["log"][0]
        assert seen["log"] == list(range(first, first + len(seen["log"])))
        offered = {(offer.token, offer.verb) for offer in asked.offers}
        assert {tuple(value.split(" ")[:2]) for value in seen["moves"]} <= offered | self.backs(
            snapshot
        )

    def backs(self, snapshot):
        """Return the page's takeback button, which is not a move of the match and appears only
        while the table allows a takeback.
        """
        return {("back", TAKE_BACK)} if takeback.last(snapshot.table, self.seat) else set()


@pytest.fixture
def four(person):
    people = [
        person(),
        person(scripts=False),
        person(width=360, height=740, touch=True),
        person(dark=True),
    ]
    return [Player(*pair) for pair in zip(people, NAMES, strict=True)]


def test_four_people_play_a_whole_match_and_a_rematch(four, stage):
    ann, ben, cid, dot = four
    match = sit_down(four, stage)
    begin(four, match)
    match.keys = [player.key for player in four]
    look_at_the_bottom_rows(four, match)
    done = play_a_round(four, match)
    assert {"wrong flip", "right flip", "give", "ability", "kaboom"} <= done
    all_show(four)
    for player in four:
        expect(player.page.locator(".tag.sum")).to_have_count(4)
        expect(player.page.locator("#status")).to_contain_text("Ready for the next round?")
    ann.pressed.discard("ready")  # the next round asks another question
    everyone(four, match, "ready")
    play_a_short_round(four, match)
    for player in four:
        player.shows()
        expect(player.page.locator("#status")).to_have_text(re.compile("Place . of 4: "))
        expect(player.page.locator(".podium li")).to_have_count(4)
    outcome = match.look().table.outcome
    winner = match.look().table.seats[outcome.winners[0]]
    called = "You" if winner == "Ann" else winner
    expect(ann.page.locator(".podium .first").first).to_contain_text(called)
    # A rematch takes one press each, and another player begins.
    for player in (ben, cid, dot, ann):
        player.page.get_by_role("button", name="Play again").click()
    expect(ann.page.locator("#log")).to_contain_text("Match 2 begins")
    assert match.look().table.seats == ["Ben", "Cid", "Dot", "Ann"]
    for player in four:
        player.shows()
        expect(player.button("ready")).to_be_visible()
        if player.scripts:
            assert player.page.evaluate("window.neverReloaded"), "a page was reloaded"


def sit_down(four, stage):
    """Ann starts a table from the home page; the others follow her link and take a chair."""
    ann = four[0]
    ann.page.goto("/")
    ann.page.get_by_role("link", name=re.compile("^Options( for Kaboom)?$")).click()
    ann.page.get_by_label("Your name").fill("Ann")
    for heading in ("More options", "Players and length", "Time"):
        ann.page.locator("summary", has_text=heading).last.click()
    ann.page.get_by_label("Rounds").fill("2")
    ann.page.get_by_label("Time to give a card").fill("0")
    ann.page.get_by_role("button", name="Start a table", exact=True).last.click()
    ann.page.wait_for_url("**/t/*")
    ann.page.evaluate(HERE)
    link = ann.page.get_by_label("Send this link").input_value()
    match = Match(stage, link.rsplit("/", 1)[-1], [], [])
    for player in four[1:]:
        player.page.goto(link)
        if player.scripts:
            player.page.evaluate(HERE)
        player.page.locator("#prompt").get_by_label("Your name").fill(player.name)
        player.page.get_by_role("button", name="Sit down").click()
        # Ann's page shows it automatically.
        expect(ann.page.locator(".chair", has_text=player.name)).to_be_visible()
    for player in four:
        player.match = match
    return match


def begin(four, match):
    """Make all others ready, then Ann starts; Ben uses the wait link for pages without scripts."""
    ann, ben, cid, dot = four
    for player in (ben, cid, dot):
        player.page.get_by_role("button", name="I am ready").click()
    expect(ann.page.locator(".chair .tag", has_text="ready")).to_have_count(3)
    ben.page.reload()
    ben.page.locator("noscript a", has_text="Wait for").click(no_wait_after=True)
    ann.page.get_by_role("button", name="Start the match").click()
    expect(ben.page.locator("#status")).to_contain_text("bottom row", timeout=3000)
    for player in four:
        player.shows()


def look_at_the_bottom_rows(four, match):
    for player in four:
        act(four, match, player, "peek")
        for card in match.state.grids[player.seat][3:]:
            expect(player.page.locator(".seat.me .card", has_text=spoken(card))).to_have_count(1)
        for other in four:
            if other is not player:
                expect(other.page.locator(".seat:not(.me) .card:not(.back)")).to_have_count(0)
    everyone(four, match, "ready")
    all_show(four)
    for player in four:
        expect(player.page.locator(".seat .card:not(.back)")).to_have_count(0)


def everyone(four, match, move):
    for player in four:
        act(four, match, player, move)


def act(four, match, player, move):
    """Make a move through the page, then check that all four pages show the result. Return True if
    it was pressed, and not made directly because this player has pressed such a move before.
    """
    verb = move.split()[0]
    if verb in player.pressed and not LONG:
        match.play(player.seat, move)
        return False
    player.pressed.add(verb)
    player.shows()
    before = match.look().table.seq
    player.press(move)
    deadline = time.monotonic() + PATIENCE
    while match.look().table.seq == before and time.monotonic() < deadline:
        player.page.wait_for_timeout(20)
    assert match.look().table.seq == before + 1, f"{player.name}'s {move} was not made"
    player.shows()
    expect(player.page.locator("#status")).to_be_focused()
    all_show(four)
    return True


def all_show(four):
    for player in four:
        player.shows()


def play_a_round(four, match, most=40):
    """Play until each kind of move has been made, then call kaboom; return the kinds made."""
    done = set()
    flippers = [four[1], four[2], four[3], four[0]]  # first without scripts, then on the phone
    wanted = {"wrong flip", "right flip", "give", "ability", "take", "keep"}
    for turn in range(most):
        if stopped(match):
            return done
        player = next(p for p in four if p.seat == match.state.turn)
        if match.state.declared_by is None and match.state.discards[-1].flipped_by is None:
            done |= flip_once(four, match, flippers[turn % 4], done)
        if not wanted - done and match.state.declared_by is None:
            act(four, match, player, "kaboom")
            done.add("kaboom")
            for other in four:
                called = other.page.locator(".tag.boom >> visible=true")
                expect(
                    called
                    if other is not player
                    else other.page.locator(".action-bar .tag.boom").first
                ).to_have_count(1)
            continue
        done |= take_a_turn(four, match, player, done)
    raise AssertionError(f"after {most} turns only {done} were done")


def stopped(match):
    return match.state.turn == match.state.declared_by


def flip_once(four, match, flipper, done):
    """Flip another player's matching card, if there is one, and make one wrong flip."""
    seat = flipper.seat
    others = [place for place in matching(match) if place[0] != str(seat)]
    if others and ("give" not in done or flipper.name in ("Ben", "Cid")):
        act(four, match, flipper, f"flip {others[0]}")
        gift = next(o for o in match.prompt(seat).offers if o.verb == "give").options[0]
        act(four, match, flipper, f"give {gift}")
        all_show(four)
        for player in four:
            expect(player.page.locator("#log")).to_contain_text("it is now")
        return {"right flip", "give"}
    wrong = [place for place in matching(match, False) if place[0] == str(seat)]
    if wrong and "wrong flip" not in done:
        owner, slot = map(int, wrong[0].split("."))
        card = match.state.grids[owner][slot]
        act(four, match, flipper, f"flip {wrong[0]}")
        all_show(four)
        for player in four:
            faces = player.page.locator(".seat .card", has_text=spoken(card))
            expect(faces).to_have_count(1)
            expect(player.page.locator(".mark", has_text="penalty")).to_have_count(1)
        return {"wrong flip"}
    return set()


def take_a_turn(four, match, player, done):
    """Take, keep, use or discard, preferring what has not been done yet."""
    own = next(
        f"{player.seat}.{slot}" for slot, c in enumerate(match.state.grids[player.seat]) if c
    )
    if "take" not in done and "give" in done:
        act(four, match, player, "take")
        act(four, match, player, f"replace {own}")
        return {"take"}
    card = next_card(match)
    if act(four, match, player, "draw"):
        expect(player.page.locator("#drawn .card")).to_contain_text(spoken(card))
        for other in four:
            if other is not player:
                assert spoken(card) not in other.page.locator("#drawn").inner_text()
    if ability_of(card) and "ability" not in done:
        act(four, match, player, "use")
        while isinstance(match.state.steps[-1], Ability):
            offer = next(o for o in match.prompt(player.seat).offers if o.verb in ("look", "swap"))
            picks = match.state.steps[-1].picks
            place = next(p for p in offer.options if not picks or p[0] != picks[0][0])
            act(four, match, player, f"{offer.verb} {place}")
        act(four, match, player, "discard")
        return {"ability"}
    if "keep" not in done and rank_of(card) not in "JQ":
        act(four, match, player, f"replace {own}")
        return {"keep"}
    act(four, match, player, "discard")
    return set()


def play_a_short_round(four, match):
    """Let the first player call kaboom at once; the others draw and discard. All of these moves
    were pressed in the previous round. They are pressed again only if LONG; otherwise the pages
    just follow.
    """

    def make(player, move):
        if LONG:
            act(four, match, player, move)
        else:
            match.play(player.seat, move)

    for player in four:
        make(player, "ready")
    assert isinstance(match.state.steps[-1], FirstMove)
    player = next(p for p in four if p.seat == match.state.turn)
    make(player, "kaboom")
    while match.look().table.outcome is None:
        player = next(p for p in four if p.seat == match.state.turn)
        make(player, "draw")
        make(player, "discard")
