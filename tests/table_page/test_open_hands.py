"""Players agree by a form that spectators may see all hands; a page says who sees them."""

import pytest

from kaboom.tables.maintenance.interventions import stop
from kaboom.tables.spectators.service import let_watch

MINUTE = 60.0


def agree(people, path, answers):
    """Press yes or no on the page that asks."""
    for person, words in zip(people, answers, strict=True):
        person.open(f"{path}/talk")
        form = person.page.form("/hands")
        person.send(form, next(b for b in form.buttons if words in b[2]))
        assert person.status == 200, person.page.text


@pytest.mark.parametrize("game", ["kaboom", "taken", "karata"])
def test_spectator_sees_the_hands_and_why_once_both_agree(
    table, browser, service, fake_clock, game
):
    path, people = table("Ann", "Ben", game=game, ready=False)
    code = path[3:]
    let_watch(service, code, service.get(code).table.host, 3)
    people[0].open(path)
    assert any(link.endswith("/talk#h-hands") for link, _ in people[0].page.links)
    agree(people, path, ("Yes", "Yes"))
    assert "Ben: yes" in people[1].page.text
    people[0].open(path)
    people[0].send(people[0].page.form("/start"))
    people[0].open(f"{path}/talk")
    assert (
        "Spectators see all hands in this match with a delay of 3 minutes." in people[0].page.text
    )
    fake_clock.sleep(4 * MINUTE)
    cid = browser()
    cid.open(path)
    hands = [
        zone
        for zone in service.get(code, "somebody").position.view(None).zones
        if zone.owner is not None
    ]
    assert hands
    assert ("All hands, as the players agreed" in cid.page.text) == (game != "kaboom")
    stop(service, code)


def test_one_refusal_is_announced_and_hides_all_hands(table, browser, service, fake_clock):
    path, people = table("Ann", "Ben", game="taken", ready=False)
    code = path[3:]
    let_watch(service, code, service.get(code).table.host, 3)
    agree(people, path, ("Yes", "Hide"))
    people[0].open(path)
    assert "Ben does not agree to show spectators hands" in people[0].page.text
    people[0].open(path)
    people[0].send(people[0].page.form("/start"))
    fake_clock.sleep(4 * MINUTE)
    cid = browser()
    cid.open(path)
    assert "All hands, as the players agreed" not in cid.page.text
    assert not service.get(code, "somebody").position.hands


def test_undelayed_table_explains_the_open_hands_rule(table, browser):
    path, (ann, _) = table("Ann", "Ben", ready=False)
    ann.open(f"{path}/talk")
    assert "If spectators are at least 3 minutes behind, the players can agree" in ann.page.text
    answer = ann.client.post(f"{path}/hands", data={"answer": "yes", "minutes": "0"})
    assert answer.status_code == 422
    assert "spectators must be at least 3 minutes behind" in answer.text
    stranger = browser().client.post(f"{path}/hands", data={"answer": "no"})
    assert stranger.status_code == 403
