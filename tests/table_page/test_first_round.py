"""Confirmations and tips in a new player’s first matches."""

import pytest

from kaboom.games import GAMES
from kaboom.table_page.tips import FIRST_MATCHES
from tests.support.browsing import settle, table_path
from tests.table_page.test_many_matches import begin

pytestmark = pytest.mark.usefixtures("waiting_lets_time_pass")


def lately(person):
    """Return a page's list of recent events for waiting players, or an empty text."""
    _, begun, rest = person.html.partition('<p class="lately" aria-hidden="true"><span>')
    return rest.partition("</span>")[0] if begun else ""


@pytest.fixture
def at_turn(browser):
    """Return Ann, alone with a bot, at her first turn of Kaboom."""
    ann = browser()
    begin(ann, "kaboom")
    ann.press("Look at your bottom row")
    ann.press("I am ready")
    while not any(words == "Call kaboom" for _, (_, _, words) in ann.page.moves()):
        ann.open(next(address for address, _ in ann.page.links if "/wait?" in address))
    return ann


def test_newcomer_confirms_calling_kaboom_even_with_bots(at_turn, service):
    seq = service.get(table_path(at_turn)[3:]).table.seq
    at_turn.press("Call kaboom")
    assert "If they then have fewer points, it costs you 10." in at_turn.page.text
    assert service.get(table_path(at_turn)[3:]).table.seq == seq
    at_turn.press("Yes, do it")
    assert "You called kaboom." in at_turn.page.text


def test_experienced_player_calls_kaboom_without_confirming(at_turn, app, monkeypatch):
    monkeypatch.setitem(app.extensions, "kaboom.newcomers", lambda *_: FIRST_MATCHES)
    at_turn.open(table_path(at_turn))
    at_turn.press("Call kaboom")
    assert "You called kaboom." in at_turn.page.text


# Who is asked depends on the setting (unset at first) and on experience.
IN_THE_FIRST, ALWAYS, NEVER, LIFTING = "2", "1", "0", "3"
WHO_IS_ASKED = [
    ("", True, True),
    ("", False, False),
    (IN_THE_FIRST, True, True),
    (ALWAYS, True, True),
    (ALWAYS, False, True),
    (NEVER, True, False),
    (LIFTING, True, False),
]


@pytest.mark.slow
@pytest.mark.parametrize("words", ["Flip your", "Call kaboom"])
@pytest.mark.parametrize(("setting", "newcomer", "asked"), WHO_IS_ASKED)
def test_confirmation_follows_the_setting(
    at_turn, app, monkeypatch, setting, newcomer, asked, words
):
    """Against bots alone, in a new browser and in an experienced one."""
    monkeypatch.setitem(
        app.extensions, "kaboom.newcomers", lambda *_: FIRST_MATCHES * (not newcomer)
    )
    path = table_path(at_turn)
    if setting:
        settle(at_turn, confirm=setting)
    for _ in range(1 + asked):  # a player who cancels is asked again
        at_turn.open(path)
        at_turn.press(words)
        assert ("Yes, do it" in at_turn.html) == asked


def test_moves_are_confirmed_in_the_first_three_matches(at_turn, app, monkeypatch):
    for finished in range(FIRST_MATCHES + 1):
        monkeypatch.setitem(app.extensions, "kaboom.newcomers", lambda *_, n=finished: n)
        at_turn.open(table_path(at_turn))
        at_turn.press("Flip your")
        assert ("Yes, do it" in at_turn.html) == (finished < FIRST_MATCHES)


@pytest.mark.parametrize("early", [True, False])
def test_call_button_is_always_secondary(at_turn, service, early):
    if not early:

        def later(transaction):
            state = transaction.state
            state.discards *= 12
            transaction.take(state, [])

        service.change(table_path(at_turn)[3:], later)
        at_turn.open(table_path(at_turn))
    assert 'class="boom"' not in at_turn.html
    assert 'class="btn-secondary" name="move"' in at_turn.html


def test_recent_events_are_shown_only_to_waiting_players(table):
    path, (ann, ben) = table("Ann", "Ben", game="gops")
    assert not lately(ann) and not lately(ben)
    form, button = next((f, b) for f, b in ann.page.moves() if " bid" in f.hidden.get("offer", ""))
    ann.send(form, button, form.boxes[:1])
    assert lately(ann) == "Your sealed bid is the Ace of Spades."
    ben.open(path)
    assert not lately(ben)


@pytest.mark.parametrize("game", [key for key, game in GAMES.items() if game.tips])
def test_status_ends_with_the_winning_condition_for_players(game, browser):
    ann, stranger = browser(), browser()
    begin(ann, game)
    path = table_path(ann)
    wins = GAMES[game].tips["aim"].text
    assert wins in ann.open(f"{path}/now").text
    assert wins not in stranger.open(f"{path}/now").text


def test_invited_player_is_told_what_kind_of_game_it_is(table, browser):
    path, _ = table("Ann", game="karata", ready=False)
    friend = browser()
    friend.open(path)
    assert GAMES["karata"].tagline in friend.page.text
    assert (f"{path}/rules", "Rules") in friend.page.links
