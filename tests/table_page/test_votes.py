"""Votes, pauses and substitute bots, in browsers without scripts."""

import re

import pytest

from kaboom.engine.rng import Rng
from kaboom.games import GAMES


@pytest.fixture(autouse=True)
def all_are_there(service, monkeypatch):
    """Each test sets who is present; at first this is unknown, and every seated player counts."""
    monkeypatch.setattr(service, "here", lambda code: None)


def look(service, path):
    return service.get(path[3:]).table


def test_vote_is_shown_beside_the_move_and_answered_by_press(table, service, browser):
    path, (ann, ben, cid) = table("Ann", "Ben", "Cid")
    ann.open(path)
    assert any(address == f"{path}/leave" for address, _ in ann.page.links)
    ann.open(f"{path}/leave")
    ann.press("Pause the match")
    assert "Ann proposes a pause" in ann.page.text
    assert "Agreed: Ann." in ann.page.text
    eve = browser()
    eve.open(path)
    assert "Ann proposes a pause" in eve.page.text
    with pytest.raises(LookupError):
        eve.page.form("/vote")
    for person in (ben, cid):
        person.open(path)
        person.press("Agree")
    assert look(service, path).paused
    for person in (ann, ben, cid, eve):
        person.open(path)
        assert "The match is paused" in person.page.text
        assert not person.page.moves()
    ben.press("Resume the match")
    for person in (ann, cid):
        person.open(path)
        person.press("Agree")
    assert not look(service, path).paused
    ann.open(path)
    assert ann.page.moves()


def test_a_move_in_a_pause_is_refused_with_a_sentence(table, service):
    path, (ann, ben) = table("Ann", "Ben")
    form, button = ann.page.moves()[0]
    ann.open(f"{path}/leave")
    ann.press("Pause the match")
    ben.open(path)
    ben.press("Agree")
    ann.send(form, button)
    assert ann.status == 422
    assert "The match is paused. Agree to resume it first" in ann.page.text


def test_one_disagreement_ends_the_vote_without_effect(table, service):
    path, (ann, ben) = table("Ann", "Ben")
    ann.open(f"{path}/leave")
    ann.press("Propose ending it")
    ben.open(path)
    ben.press("Disagree")
    assert "disagrees, so nothing changes" in ben.page.text
    assert look(service, path).playing


def test_ending_a_match_takes_more_than_one_press(table, service):
    path, (ann, *_) = table("Ann", "Ben")
    answer = ann.client.post(f"{path}/propose", data={"about": "end"})
    assert answer.status_code == 303
    assert answer.headers["Location"].endswith("/leave")
    assert look(service, path).vote is None
    answer = ann.client.post(f"{path}/leave")
    assert answer.headers["Location"].endswith("/leave")
    assert look(service, path).playing
    assert all(occupant.present for _, occupant in look(service, path).sitting())


def test_lone_player_waits_a_minute_to_end_the_match(table, service, fake_clock, monkeypatch):
    path, (ann, _ben) = table("Ann", "Ben")
    here = {look(service, path).chairs[0].player}
    monkeypatch.setattr(service, "here", lambda code: here)
    ann.open(f"{path}/leave")
    ann.press("Propose ending it")
    assert "Press again in a minute" in ann.page.text
    ann.press("End it")
    assert ann.status == 422
    assert "You are alone here" in ann.page.text
    fake_clock.sleep(60)
    ann.press("End it")
    assert look(service, path).outcome.reason == "stopped"
    assert "without a result" in ann.page.text


def test_lone_player_among_bots_ends_the_match_at_once(browser, service):
    ann = browser()
    ann.open("/")
    ann.press("GOPS")
    path = next(a for a, _ in ann.page.links if a.endswith("/leave")).removesuffix("/leave")
    ann.open(f"{path}/leave")
    ann.press("Propose ending it")
    assert look(service, path).outcome.reason == "stopped"


@pytest.mark.slow
@pytest.mark.parametrize("key", GAMES)
@pytest.mark.usefixtures("waiting_lets_time_pass")
def test_every_game_page_handles_votes_pauses_and_bots(table, service, key):
    game = GAMES[key]
    names = ("Ann", "Ben", "Cid", "Dot", "Eve")[: max(2, game.seats(game.options())[0])]
    path, people = table(*names, game=key)
    ann, *others = people
    service.now.sleep(400)
    for _ in range(60):
        if not service.run_due(path[3:]):
            break
    ann.open(path)
    ann.open(f"{path}/leave")
    ann.press("Pause the match")
    for person in others:
        person.open(path)
        person.press("Agree")
    assert look(service, path).paused
    for person in people:
        person.open(path)
        assert person.status == 200
        assert "The match is paused" in person.page.text
        assert not person.page.moves()
    ann.press("Resume the match")
    for person in others:
        person.open(path)
        person.press("Agree")
    ann.open(f"{path}/leave")
    ann.press("Let a bot play for me")
    assert "A bot plays for you." in ann.page.text
    assert not ann.page.moves()
    for n in range(30):  # the others move or wait until the bot has had its turn
        if look(service, path).chairs[0].done:
            break
        service.now.sleep(10)
        service.run_due(path[3:])
        others[n % len(others)].open(path)
        others[n % len(others)].play_on(Rng(bytes(32), n, "others"))
    assert look(service, path).chairs[0].done
    others[0].open(path)
    assert "A bot plays for Ann." in others[0].page.text
    assert "Done on your behalf" not in others[0].page.text
    ann.open(path)
    assert "Done on your behalf" in ann.page.text
    ann.press("I am back")
    assert not look(service, path).chairs[0].stand_in
    assert "Done on your behalf" in ann.page.text, "until the next own move"

    def more(transaction):
        done = transaction.table.chairs[0].done
        transaction.table.chairs[0].done = done[:1] * 3

    assert re.search(r'<details id="done-[12]"', ann.html)
    service.change(path[3:], more)
    ann.open(path)
    assert re.search(r'<details id="done-3"(?![^>]* open)', ann.html), (
        "otherwise it covers the table"
    )
    ann.open(f"{path}/leave")
    ann.press("Propose ending it")
    for person in others:
        person.open(path)
        person.press("Agree")
    assert look(service, path).outcome.reason == "stopped"
    for person in people:
        person.open(path)
        assert person.status == 200
        assert "The match ended without a result." in person.page.text
        assert "Place" not in person.page.text
        assert "Play again" in person.page.text
        assert not person.page.moves()


def test_resigned_player_may_play_on(table, service):
    path, (ann, _, _) = table("Ann", "Ben", "Cid")
    ann.open(f"{path}/leave")
    ann.press("Resign and leave")
    assert "You have resigned" in ann.page.text
    assert not look(service, path).chairs[0].present
    ann.press("I am back")
    assert look(service, path).chairs[0].present


@pytest.mark.parametrize("route", ["propose", "vote", "hand-over", "take-over"])
def test_spectator_may_not_vote_or_use_a_bot(table, browser, route):
    path, _ = table("Ann", "Ben")
    answer = browser().client.post(f"{path}/{route}", data={"about": "pause", "vote": "1"})
    assert answer.status_code in (403, 409), route
