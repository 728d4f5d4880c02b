"""The takeback button: shown while possible, to the maker of the move only."""

import pytest

from tests.support.browsing import to_lift


def button(person, path):
    """Return the form and the takeback button of a player's fresh page, or None."""
    person.open(path)
    return next(((form, it) for form, it in person.page.moves() if " take_back " in it[1]), None)


def choose(person, path):
    person.open(path)
    form = to_lift(person, "choose")
    card = form.boxes[0][1]
    person.send(form, form.buttons[0], [("pick", card)])
    return card


def test_takeback_button_names_the_move(table):
    path, (ann, ben, _cid) = table("Ann", "Ben", "Cid", game="taken")
    assert button(ann, path) is None
    card = choose(ann, path)
    form, taking = button(ann, path)
    assert taking[2].startswith("Take back: ")
    assert taking[2].endswith(f" {card}")
    assert button(ben, path) is None
    assert "has chosen" in ben.page.text
    ann.send(form, taking)
    assert ann.status == 200
    assert "You take back your last move." in ann.page.text
    assert card in [value for _, value in to_lift(ann, "choose").boxes]
    assert button(ann, path) is None
    ben.open(path)
    assert "Ann takes back the last move." in ben.page.text


def test_takeback_vanishes_once_another_has_chosen(table, service):
    path, (ann, ben, _cid) = table("Ann", "Ben", "Cid", game="taken")
    choose(ann, path)
    old = button(ann, path)
    choose(ben, path)
    assert button(ann, path) is None
    seq = service.get(path[3:]).table.seq
    ann.send(*old)
    assert ann.status == 422
    assert "That can no longer be taken back." in ann.page.text
    assert service.get(path[3:]).table.seq == seq


def test_invalid_input_changes_nothing(table, service):
    path, (ann, ben, _cid) = table("Ann", "Ben", "Cid", game="taken")
    choose(ann, path)
    form, (name, value, words) = button(ann, path)
    seq = service.get(path[3:]).table.seq
    for number in ("", "9" * 50, "-1", "x", "0", "1 1 1"):
        ann.send(form, (name, value.removesuffix("1") + number, words))
        assert ann.status == 422, number
    assert ben.client.post(f"{path}/move", data={"move": value, "match": "1"}).status_code == 422
    assert service.get(path[3:]).table.seq == seq


def test_the_rules_say_when_a_move_can_be_taken_back(browser):
    ann = browser()
    for game in ("kaboom", "karata", "taken", "gops", "koth"):
        ann.open(f"/rules/{game}")
        assert "Taking a move back" in ann.page.text
        assert ("Moves in advance" in ann.page.text) == (game in ("karata", "taken", "koth"))


def played_for(service, person, path):
    """Let a bot choose for a player, and let the player return."""
    person.client.post(f"{path}/hand-over")
    while not service.get(path[3:]).table.seq:
        service.now.sleep(20)
        service.run_due(path[3:])
    person.client.post(f"{path}/take-over")
    person.open(path)


@pytest.mark.parametrize("game", ["taken", "gops"])
def test_player_whom_a_bot_played_for_may_choose_another_card(table, service, game):
    path, (_, ben) = table("Ann", "Ben", game=game)
    played_for(service, ben, path)
    assert "You can take it back and choose another." in ben.page.text
    assert "It cannot be changed." not in ben.page.text
    form, taking = button(ben, path)
    assert taking[2].startswith("Take back: ")
    ben.send(form, taking)
    assert ben.status == 200 and "You take back your last move." in ben.page.text
    to_lift(ben, "choose" if game == "taken" else "bid")


@pytest.mark.parametrize("game", ["taken", "gops"])
def test_takeback_page_calls_a_move_final_once_another_chose(table, game):
    options = {"players": 3} if game == "gops" else {}
    path, (ann, ben, _) = table("Ann", "Ben", "Cid", game=game, **options)
    for person in (ann, ben):
        person.open(path)
        form = to_lift(person, "choose" if game == "taken" else "bid")
        person.send(form, form.buttons[0], [("pick", form.boxes[0][1])])
    ann.open(path)
    assert "It cannot be changed." in ann.page.text
    assert "You can take it back" not in ann.page.text
    assert "You can take it back and choose another." in ben.page.text
