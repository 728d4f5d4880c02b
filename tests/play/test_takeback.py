"""The button with which a move is taken back: there while it is possible, and for its maker."""

import pytest

from tests.support.browsing import to_lift


def button(person, path):
    """Return the form and the button that take a move back on somebody's fresh page, or None."""
    person.open(path)
    return next(((form, it) for form, it in person.page.moves() if " take_back " in it[1]), None)


def choose(person, path):
    person.open(path)
    form = to_lift(person, "choose")
    card = form.boxes[0][1]
    person.send(form, form.buttons[0], [("pick", card)])
    return card


def test_its_maker_has_a_button_which_names_the_move(table):
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
    assert "You take your last move back." in ann.page.text
    assert card in [value for _, value in to_lift(ann, "choose").boxes]
    assert button(ann, path) is None
    ben.open(path)
    assert "Ann takes the last move back." in ben.page.text


def test_once_another_has_chosen_it_is_gone_and_an_old_page_gets_a_sentence(table, service):
    path, (ann, ben, _cid) = table("Ann", "Ben", "Cid", game="taken")
    choose(ann, path)
    old = button(ann, path)
    choose(ben, path)
    assert button(ann, path) is None
    seq = service.look(path[3:]).table.seq
    ann.send(*old)
    assert ann.status == 422
    assert "That can no longer be taken back." in ann.page.text
    assert service.look(path[3:]).table.seq == seq


def test_nonsense_changes_nothing(table, service):
    path, (ann, ben, _cid) = table("Ann", "Ben", "Cid", game="taken")
    choose(ann, path)
    form, (name, value, words) = button(ann, path)
    seq = service.look(path[3:]).table.seq
    for number in ("", "9" * 50, "-1", "x", "0", "1 1 1"):
        ann.send(form, (name, value.removesuffix("1") + number, words))
        assert ann.status == 422, number
    assert ben.client.post(f"{path}/move", data={"move": value, "match": "1"}).status_code == 422
    assert service.look(path[3:]).table.seq == seq


def test_the_rules_say_when_a_move_can_be_taken_back(browser):
    ann = browser()
    for game in ("kaboom", "karata", "taken", "gops", "koth"):
        ann.open(f"/rules/{game}")
        assert "Taking a move back" in ann.page.text
        assert ("Deciding ahead" in ann.page.text) == (game in ("karata", "taken", "koth"))


def played_for(service, person, path):
    """Let a bot choose for somebody, and let them come back."""
    person.client.post(f"{path}/hand-over")
    while not service.look(path[3:]).table.seq:
        service.now.sleep(20)
        service.lapse(path[3:])
    person.client.post(f"{path}/take-over")
    person.open(path)


@pytest.mark.parametrize("game", ["taken", "gops"])
def test_page_after_a_bot_chose_in_your_name_offers_another(table, service, game):
    path, (_, ben) = table("Ann", "Ben", game=game)
    played_for(service, ben, path)
    assert "You can take it back and choose another." in ben.page.text
    assert "It cannot be changed." not in ben.page.text
    form, taking = button(ben, path)
    assert taking[2].startswith("Take back: ")
    ben.send(form, taking)
    assert ben.status == 200 and "You take your last move back." in ben.page.text
    to_lift(ben, "choose" if game == "taken" else "bid")


@pytest.mark.parametrize("game", ["taken", "gops"])
def test_page_once_another_has_chosen_too_says_it_is_final(table, game):
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
