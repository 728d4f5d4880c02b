"""Patient flips at a real table without scripts: what other players see of a choice."""

import re

import pytest

from kaboom.accounts import players
from kaboom.games import GAMES
from kaboom.games.kaboom.state import Collecting
from kaboom.lobby import service as lobby
from kaboom.table_page import service as match
from kaboom.tables import start_match
from tests.support.browsing import BY_HTMX

KABOOM = GAMES["kaboom"]


@pytest.fixture
def collecting(table):
    """Return two people at a table that collects flips for the first upturned card."""

    def begun(**options):
        path, (ann, ben) = table("Ann", "Ben", flips="patient", **options)
        for person in (ann, ben):
            person.press("Look at your bottom row")
            person.press("I am ready")
        ann.open(path)
        return path, ann, ben

    return begun


def flip_of(person, place):
    """Return the form and the button that flip the card at a place."""
    return next((f, b) for f, b in person.page.moves() if b[1].endswith(f" flip {place}"))


def flip(person, place):
    """Press a card and, where the page asks, confirm."""
    person.send(*flip_of(person, place))
    person.press("Yes, do it")


def sent(service, person, path, seat):
    """Return everything sent to a browser, and the revision that would update it."""
    html = person.client.get(f"{path}/view", headers=BY_HTMX).text
    return html, service.get(path[3:]).table.revision(seat)


def wrong_place(service, path, seat):
    """Return a place of that seat whose card does not match the top of the pile."""
    state = service.get(path[3:]).state
    rank = state.discards[-1].card[0]
    grid = enumerate(state.grids[seat])
    return next(f"{seat}.{slot}" for slot, card in grid if card and card[0] != rank)


def test_start_page_offers_race_and_patient_flips(browser):
    someone = browser()
    someone.open("/start/kaboom")
    for words in ("a race: the fastest wins", "patient: all choose in secret", "slow networks"):
        assert words in someone.page.text
    assert someone.page.form("/tables").hidden["flips"] == "race"


def test_secondary_action_is_a_quieter_button(collecting):
    _, ann, _ = collecting()
    assert re.search(
        r'<button id="[^"]*" class="btn-secondary" name="move" value="\w+ more">', ann.html
    )
    assert re.search(r'<button id="[^"]*" name="move" value="\w+ pass">', ann.html)


def test_page_says_what_may_be_done_and_for_how_long(collecting):
    _, ann, _ = collecting()
    assert "Flip what matches the" in ann.page.text
    assert "8 seconds left" in ann.page.text
    words = [button[2] for _, button in ann.page.moves()]
    assert words[:2] == ["Pass", "I need more time"]
    assert len(words) == 2 + 12


def test_untimed_window_mentions_no_time(collecting):
    _, ann, _ = collecting(flip_seconds="0")
    assert "seconds left" not in ann.page.text
    assert next(button[2] for _, button in ann.page.moves()) == "Pass"
    assert "I need more time" not in ann.page.text


def test_choice_can_be_seen_and_changed_only_by_its_player(collecting, service):
    path, ann, ben = collecting()
    before = sent(service, ben, path, 1), sent(service, ben, path, None)
    flip(ann, "1.4")
    assert "You will flip Ben’s bottom middle card" in ann.page.text
    assert sent(service, ben, path, 1) == before[0]
    flip(ann, "1.5")
    assert "You will flip Ben’s bottom right card" in ann.page.text
    ann.press("I need more time")
    assert "You have asked for more time" in ann.page.text
    ann.press("Take my flip back")
    assert "You flip nothing" in ann.page.text
    assert (sent(service, ben, path, 1), sent(service, ben, path, None)) == before


def test_waiting_line_names_no_player(collecting):
    path, ann, ben = collecting()
    ann.press("Pass")
    assert "Waiting for the table." in ann.page.text
    ben.open(path)
    assert (
        "Ann"
        not in ben.page.text.split("Flip what matches the")[1]
        .split("What happened")[0]
        .split("seconds left")[0]
    )


def test_when_both_have_answered_all_see_the_same_outcome(collecting, service):
    path, ann, ben = collecting()
    place = wrong_place(service, path, 1)
    flip(ann, place)
    ben.open(path)
    ben.press("Pass")
    ann.open(path)
    for person in (ann, ben):
        assert "It does not match." in person.page.text
    assert len(service.get(path[3:]).state.grids[0]) == 7


def test_clock_settles_flips_and_more_time_moves_no_deadline(collecting, service, fake_clock):
    path, ann, ben = collecting()
    code = path[3:]
    ann.press("I need more time")
    before = sent(service, ben, path, 1)
    fake_clock.sleep(7)
    assert not service.run_due(code)
    fake_clock.sleep(1)
    assert service.run_due(code)
    ben.open(path)
    said = "A player has asked for more time to flip: 8 seconds more for all."
    assert said in ben.page.text
    assert "I need more time" not in ben.page.text
    assert sent(service, ben, path, 1) != before
    fake_clock.sleep(8)
    assert service.run_due(code)
    ben.open(path)
    assert "No one flips onto" in ben.page.text
    assert not isinstance(service.get(code).state.steps[-1], Collecting)


def test_form_of_an_earlier_window_is_too_late(collecting, service, fake_clock):
    path, ann, ben = collecting()
    form, button = flip_of(ben, "0.0") if ben.open(path) else None
    fake_clock.sleep(8)
    service.run_due(path[3:])
    answer = ben.client.post(form.action, data=dict(form.filled(button), sure="1"))
    assert answer.status_code == 409
    ann.open(path)
    assert "too late" not in ann.page.text.lower()


def test_bots_answer_at_once_so_only_the_person_is_awaited(app, service):
    ann = players.player(service, "ann", "Ann")[0]
    options = KABOOM.options(flips="patient", flip_seconds=0)
    code = lobby.open(service, "kaboom", options, ann, "Ann", bots=3)
    start_match.start(service, code, ann)
    for _ in range(20):
        service.now.sleep(5)
        while service.run_due(code):
            pass
        snapshot = service.get(code)
        step = snapshot.state.steps[-1]
        if isinstance(step, Collecting) and None in step.answers:
            break
        own = snapshot.prompts[0].offer("ready")
        if own:
            match.submit(service, code, ann, "ready", own.token, "r", 1, snapshot.table.revision(0))
            while service.run_due(code):  # no time passes
                pass
    step = service.get(code).state.steps[-1]
    assert isinstance(step, Collecting)
    assert step.answers[0] is None and None not in step.answers[1:]
    token = service.get(code).prompts[0].offer("pass").token
    match.submit(service, code, ann, "pass", token, "p", 1, service.get(code).table.revision(0))
    assert service.get(code).state.steps[-1] != step
