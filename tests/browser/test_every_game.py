"""Every other game, played in real browsers: on a desktop, on a phone, dark, and without
scripts."""

import time

import pytest
from playwright.sync_api import Error, expect

from kaboom.engine.engine import waiting_for
from kaboom.engine.moves import CLOCK, Move
from kaboom.engine.rng import Rng
from kaboom.games import GAMES, sample
from kaboom.tables import queries
from tests.support.effort import LONG, PATIENCE

NOT_ON_THE_PAGE = {"lay"}  # for bots and scripts; people build the row card by card
DECKS = {"kaboom": "stock", "karata": "deck"}  # piles that are pressed to draw
PEOPLE = ("Ann", "Ben", "Cid", "Dot")
BROWSERS = [
    {},
    {"scripts": False},
    {"width": 360, "height": 740, "touch": True},
    {"dark": True},
]


def sit_down(stage, person, names, game, **options):
    """Return a running table, and the browsers of the first people by seat."""
    match = stage.begun(*names, game=game, **options)
    people = []
    for key, more in zip(match.keys, BROWSERS, strict=False):
        visitor = person(key=key, **more)
        visitor.page.goto(match.path)
        people.append(visitor)
    return match, people


def some_move(match, seat, number):
    """Return a random move among those the seat's page offers."""
    snapshot = match.look()
    rng = Rng(bytes(32), number, f"browser {seat}")
    own = {li.verb: li for li in snapshot.game.listeners(snapshot.state) if li.seat == seat}
    if "replace" in own:  # Kaboom: the replaced card is pressed directly
        own.pop("keep", None)
    for listener in rng.shuffled([own[it] for it in own if it not in NOT_ON_THE_PAGE]):
        choices = listener.pick.random(rng)
        if choices is not None:
            return Move(seat, listener.verb, choices)
    return None


PICK = '#table input[name=pick][value="{}"]'


def picked(move, has):
    """Return what is chosen for a move on a page that `has` some elements: a pair may be one
    choice, and a compulsory card, which the form sends by itself, is none.
    """
    together = " ".join(move.choices)
    options = [together] if has(PICK.format(together)) else move.choices
    return [it for it in options if has(PICK.format(it))]


def press(page, move, confirm=False):
    """Make the move on the page as a person would: press a card or button, or tick and send.

    If `confirm`, the page asks again and gets a yes; a lifted card needs no confirmation.
    """
    words = " ".join((move.verb, *move.choices))
    button = page.locator(f'#table button[name=move][value$=" {words}"]').first
    if button.count():
        button.click()
    else:
        ticked = page.locator("#table input[type=checkbox][name=pick]:checked")
        while ticked.count():  # left over from a timeout before all were sent
            ticked.first.uncheck(force=True)
        for card in picked(move, lambda it: page.locator(it).count()):
            page.locator(f"{PICK.format(card)}:not(:checked)").first.check(force=True)
        named = page.locator(f'#table button[name=offer][value$=" {move.verb}"]')
        form = page.locator(f'#table form:has(input[name=offer][value*=" {move.verb}"]) button')
        confirm &= page.locator(".my-cards.one").count() == 0
        (named if named.count() else form).first.click()
    if confirm:
        page.locator("#sure-go").click()
    page.wait_for_load_state()


def up_to_date(match, visitor, seat):
    """Wait until a page is up to date; without scripts, fetch it."""
    if not visitor.scripts:
        visitor.page.goto(match.path)
        return
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        try:
            shown = visitor.page.locator("#ver").get_attribute("value")
        except Error:
            continue
        if shown == str(match.revision(seat)):
            return
        visitor.page.wait_for_timeout(15)
    raise AssertionError("a page does not show the last move")


def play(match, people, most, until=lambda: False):
    """Press random offers until the match is over; return the number of presses."""
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
            except Error:  # a timer ran out while the mouse moved
                missed += match.look().table.seq == before
                if missed == 3:
                    raise
                people[seat].page.goto(match.path)
            deadline = time.monotonic() + 3
            while match.look().table.seq == before and time.monotonic() < deadline:
                people[seat].page.wait_for_timeout(10)
            pressed += match.look().table.seq > before
    return pressed


# Kaboom and King of the Hill have separate tests: test_four_people.py, and below.
OTHERS = [key for key in GAMES if key not in ("kaboom", "koth")]
if not LONG:  # most are also played by keyboard (test_keys.py), and in other engines
    OTHERS = ["taken"]


@pytest.mark.parametrize("game", OTHERS)
def test_people_in_four_kinds_of_browser_play_a_whole_match(game, person, stage):
    options = sample(game).short
    names = PEOPLE[: min(4, GAMES[game].seats(GAMES[game].options(**options))[-1])]
    match, people = sit_down(stage, person, names, game, **options)
    pressed = play(match, people, 900)
    outcome = match.look().table.outcome
    assert outcome is not None, f"not over after {pressed} presses"
    assert pressed >= 16  # TakeN: four hands of four, without taking a row
    for seat, visitor in enumerate(people):
        up_to_date(match, visitor, seat)
        expect(visitor.page.locator(".podium li")).to_have_count(len(names))
        expect(visitor.page.locator("body")).to_contain_text(match.look().seed.hex())
        assert visitor.page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize("page", ["loaded", "updated", "without scripts"])
@pytest.mark.parametrize("game", DECKS)
def test_press_on_the_deck_draws_a_card(guest, stage, game, page):
    match = stage.begun("Ann", "Ben", game=game)

    def turns_to(seat):
        while not (match.waiting == [seat] and match.prompt(seat).offer("draw")):
            match.drift()

    def left():
        return len(match.view(0).zone(DECKS[game]).cards)

    turns_to(1 if page == "updated" else 0)
    visitor = guest(match.path, key=match.keys[0], scripts=page != "without scripts")
    turns_to(0)
    up_to_date(match, visitor, 0)
    before = left()
    visitor.page.locator(f"#{DECKS[game]} button").click()
    deadline = time.monotonic() + PATIENCE
    while left() == before and time.monotonic() < deadline:
        visitor.page.wait_for_timeout(10)
    assert left() < before


def test_fine_is_shown_to_all_and_its_rule_to_the_offender(guest, stage):
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
    for viewer, visitor in enumerate(people):
        up_to_date(match, visitor, viewer)
        expect(visitor.page.locator("#log")).to_contain_text("broke a rule")
    link = ben.page.locator('#table a[href*="/rules#"]').first
    expect(link).to_be_visible()


@pytest.mark.nightly  # ten minutes with timers
def test_koth_rounds_run_with_timers_and_an_idle_seat(person, stage):
    """Eve sits down and never returns; the clock plays for her, and no player waits forever."""
    names = ["Ann", "Ben", "Cid", "Dot", "Eve"]
    times = {"dead_hand_seconds": 20, "play_seconds": 4, "ready_seconds": 1}
    options = {"end": "rounds", "rounds": 2, **times}
    match, people = sit_down(stage, person, names, "koth", **options)
    for visitor in people:
        visitor.context.set_default_timeout(3000)
        visitor.context.set_default_navigation_timeout(30_000)
        visitor.expect("409", "422")  # a press after the timer
    deadline = time.monotonic() + 1500
    pressed = play(match, people, 100_000, until=lambda: time.monotonic() > deadline)
    table = match.look().table
    log = stage.database.read(lambda connection: queries.log(connection, table.match_id))
    texts = [row.text for row in log]
    assert sum(text.startswith("-1 deal") for text in texts) == 200
    assert not [text for text in texts if text.startswith("4 ")]
    assert sum(text.startswith(f"{CLOCK} lapse") for text in texts) >= 14
    for visitor in people:
        assert visitor.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert table.outcome is not None, f"not over after {pressed} presses"
    assert pressed > 20
    for seat, visitor in enumerate(people):
        up_to_date(match, visitor, seat)
        expect(visitor.page.locator("#status")).to_contain_text("over")
        expect(visitor.page.locator("table.places").first).to_be_visible()
