"""Every other game, played in real browsers: desktop, phone, dark, and without scripts."""

import time

import pytest
from playwright.sync_api import Error, expect

from kaboom.engine.engine import waiting_for
from kaboom.engine.moves import CLOCK, Move
from kaboom.engine.rng import Chance
from kaboom.games import GAMES, sample
from kaboom.tables import queries
from tests.support.effort import LONG, PATIENCE

NOT_ON_THE_PAGE = {"lay"}  # for bots and scripts; a person builds the row card by card
PEOPLE = ("Ann", "Ben", "Cid", "Dot")
BROWSERS = [
    {},
    {"scripts": False},
    {"width": 360, "height": 740, "touch": True},
    {"dark": True},
]


def sit_down(stage, person, names, game, **options):
    """Return a table that has begun, and by seat the browser of each of the first people."""
    match = stage.begun(*names, game=game, **options)
    people = []
    for key, more in zip(match.keys, BROWSERS, strict=False):
        somebody = person(key=key, **more)
        somebody.page.goto(match.path)
        people.append(somebody)
    return match, people


def some_move(match, seat, number):
    """Return a random move among those the seat's page offers."""
    snapshot = match.look()
    chance = Chance(bytes(32), number, f"browser {seat}")
    own = {li.verb: li for li in snapshot.game.listeners(snapshot.state) if li.seat == seat}
    if "replace" in own:  # Kaboom: what is replaced is pressed at once
        own.pop("keep", None)
    for listener in chance.shuffled([own[it] for it in own if it not in NOT_ON_THE_PAGE]):
        choices = listener.pick.random(chance)
        if choices is not None:
            return Move(seat, listener.verb, choices)
    return None


def press(page, move, confirm=False):
    """Make the move on the page as a person would: press a card or button, or tick and send.

    `confirm`: the page asks once more, and is told yes; who has lifted a card is not asked.
    """
    words = " ".join((move.verb, *move.choices))
    button = page.locator(f'#table button[name=move][value$=" {words}"]').first
    if button.count():
        button.click()
    else:
        ticked = page.locator("#table input[type=checkbox][name=pick]:checked")
        while ticked.count():  # kept from when the time was over before all were sent
            ticked.first.uncheck(force=True)
        for card in move.choices:
            page.locator(f'#table input[name=pick][value="{card}"]:not(:checked)').first.check(
                force=True
            )
        named = page.locator(f'#table button[name=offer][value$=" {move.verb}"]')
        form = page.locator(f'#table form:has(input[name=offer][value$=" {move.verb}"]) button')
        confirm &= page.locator(".my-cards.one").count() == 0
        (named if named.count() else form).first.click()
    if confirm:
        page.locator("#sure-go").click()
    page.wait_for_load_state()


def up_to_date(match, somebody, seat):
    """Wait until a page shows what is so now; without scripts it is asked for."""
    if not somebody.scripts:
        somebody.page.goto(match.path)
        return
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        try:
            shown = somebody.page.locator("#ver").get_attribute("value")
        except Error:
            continue
        if shown == str(match.revision(seat)):
            return
        somebody.page.wait_for_timeout(15)
    raise AssertionError("a page does not show the last move")


def play(match, people, most, until=lambda: False):
    """Let people press whatever they may until the match is over; return how many presses."""
    pressed = missed = 0
    for number in range(most):
        snapshot = match.look()
        if snapshot.table.outcome is not None or until():
            break
        waited = [seat for seat in waiting_for(snapshot.game, snapshot.state) if seat < len(people)]
        if not waited:
            time.sleep(0.05)
            continue
        seat = waited[number % len(waited)]
        up_to_date(match, people[seat], seat)
        move = some_move(match, seat, number)
        before = match.look().table.seq
        if move is not None:
            offer = match.prompt(seat).offer(move.verb)
            try:
                press(people[seat].page, move, offer is not None and offer.confirm)
                missed = 0
            except Error:  # a timer ran out while the mouse was on its way
                missed += match.look().table.seq == before
                if missed == 3:
                    raise
                people[seat].page.goto(match.path)
            deadline = time.monotonic() + 3
            while match.look().table.seq == before and time.monotonic() < deadline:
                people[seat].page.wait_for_timeout(10)
            pressed += match.look().table.seq > before
    return pressed


# Kaboom and King of the Hill are played in their own ways: test_four_people.py, and below.
OTHERS = [key for key in GAMES if key not in ("kaboom", "koth")]
if not LONG:  # most are played with the keys alone, too (test_keys.py), and in other engines
    OTHERS = ["taken"]


@pytest.mark.parametrize("game", OTHERS)
def test_people_in_four_kinds_of_browsers_play_a_whole_match(game, person, stage):
    options = sample(game).short
    names = PEOPLE[: min(4, GAMES[game].seats(GAMES[game].options(**options))[-1])]
    match, people = sit_down(stage, person, names, game, **options)
    pressed = play(match, people, 900)
    outcome = match.look().table.outcome
    assert outcome is not None, f"not over after {pressed} presses"
    assert pressed >= 16  # of TakeN: four hands of four, without a row to take
    for seat, somebody in enumerate(people):
        up_to_date(match, somebody, seat)
        expect(somebody.page.locator(".podium li")).to_have_count(len(names))
        expect(somebody.page.locator("body")).to_contain_text(match.look().seed.hex())
        assert somebody.page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_fine_is_said_to_all_and_its_rule_to_whoever_broke_it(guest, stage):
    match, people = sit_down(stage, guest, ["Ann", "Ben"], "karata", fine=2)
    state = match.state
    for _ in range(40):
        seat = match.waiting[0]
        top = state.pile[-1]
        bad = [c for c in match.state.hands[seat] if c[0] not in (top[0], "A") and c[1] != top[1]]
        bad = [card for card in bad if card not in ("BJ", "RJ")]
        if match.view(seat).facts["stage"] == "turn" and bad:
            break
        match.drift()
        state = match.state
    ben = people[seat]
    up_to_date(match, ben, seat)
    press(ben.page, Move(seat, "add", (bad[0],)))
    ben.page.locator('#table button[name=move][value$=" play"]').click()
    ben.page.wait_for_load_state()
    expect(ben.page.locator("#log")).to_contain_text("broke a rule")
    for viewer, somebody in enumerate(people):
        up_to_date(match, somebody, viewer)
        expect(somebody.page.locator("#log")).to_contain_text("broke a rule")
    link = ben.page.locator('#table a[href*="/rules#"]').first
    expect(link).to_be_visible()


@pytest.mark.nightly  # with timers ten minutes
def test_rounds_of_the_hill_with_timers_and_a_seat_that_never_acts(person, stage):
    """Eve sits down and never comes back; the clock plays for her, and nobody waits for ever."""
    names = ["Ann", "Ben", "Cid", "Dot", "Eve"]
    times = {"dead_hand_seconds": 20, "play_seconds": 4, "ready_seconds": 1}
    options = {"end": "rounds", "rounds": 2, **times}
    match, people = sit_down(stage, person, names, "koth", **options)
    for somebody in people:
        somebody.context.set_default_timeout(3000)
        somebody.context.set_default_navigation_timeout(30_000)
        somebody.expect("409", "422")  # a press that came after the timer
    deadline = time.monotonic() + 1500
    pressed = play(match, people, 100_000, until=lambda: time.monotonic() > deadline)
    table = match.look().table
    log = stage.database.read(lambda connection: queries.log(connection, table.match_id))
    texts = [row.text for row in log]
    assert sum(text.startswith("-1 deal") for text in texts) == 200
    assert not [text for text in texts if text.startswith("4 ")]
    assert sum(text.startswith(f"{CLOCK} lapse") for text in texts) >= 14
    for somebody in people:
        assert somebody.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert table.outcome is not None, f"not over after {pressed} presses"
    assert pressed > 20
    for seat, somebody in enumerate(people):
        up_to_date(match, somebody, seat)
        expect(somebody.page.locator("#status")).to_contain_text("over")
        expect(somebody.page.locator("table.places").first).to_be_visible()
