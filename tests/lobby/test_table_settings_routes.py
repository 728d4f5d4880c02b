"""Table management: chairs, names, removals, confirmations and substitute bots."""

import re
from dataclasses import fields

import pytest

from kaboom.engine import table_view
from kaboom.engine.texts import Names
from tests.support.browsing import BY_HTMX, settle


@pytest.fixture
def opened(browser):
    """Return a table of Ann's with four chairs and no other player: its address, and her
    browser.
    """
    ann = browser()
    ann.open("/start/kaboom")
    ann.send(ann.page.form("/tables"), name="Ann")
    return ann.page.form("/leave").action.removesuffix("/leave"), ann


def sat(browser, path, name):
    """Return the browser of a player who has sat down there."""
    person = browser()
    person.open(path)
    person.send(person.page.form("/sit"), name=name)
    return person


def names(service, path):
    """Return the names on the chairs."""
    return [occupant and occupant.name for occupant in service.get(path[3:]).table.chairs]


def chair_button(person, number):
    """Return the form and the button of a free chair, counted from 0."""
    for form in person.page.forms:
        for button in form.buttons:
            if form.action.endswith("/sit") and re.search("(sit|move) here", button[2]):
                wanted = button[:2] == ("seat", str(number))
                if wanted or form.hidden.get("seat") == str(number):
                    return form, button
    raise LookupError(f"chair {number} cannot be pressed on: {person.page.text[:400]}")


# Chairs


def test_stranger_gets_the_chair_they_pressed(opened, browser, service):
    path, _ = opened
    ben = browser()
    ben.open(path)
    form, button = chair_button(ben, 2)
    ben.send(form, button, name="Ben")
    assert names(service, path) == ["Ann", None, "Ben", None]


def test_seated_player_moves_to_the_pressed_free_chair(opened, browser, service):
    path, ann = opened
    ben = sat(browser, path, "Ben")
    ben.send(*chair_button(ben, 3))
    assert names(service, path) == ["Ann", None, None, "Ben"]
    ben.send(*chair_button(ben, 1))
    assert names(service, path) == ["Ann", "Ben", None, None]
    ann.open(path)
    ann.send(*chair_button(ann, 2))
    assert names(service, path) == [None, "Ben", "Ann", None]
    assert "host" in ann.page.text
    assert service.get(path[3:]).table.host == service.get(path[3:]).table.chairs[2].player


def test_seat_taken_meanwhile_is_refused_with_a_message(opened, browser, service):
    path, _ = opened
    ben = sat(browser, path, "Ben")
    pressed = chair_button(ben, 2)
    cid = browser()
    cid.open(path)
    form, button = chair_button(cid, 2)
    cid.send(form, button, name="Cid")
    ben.send(*pressed)
    assert ben.status == 422
    assert "That seat is taken." in ben.page.text
    assert names(service, path) == ["Ann", "Ben", "Cid", None]


def test_chairs_cannot_change_during_or_after_a_match(table, service):
    path, (ann, ben) = table("Ann", "Ben")
    before = names(service, path)
    assert ben.client.post(f"{path}/sit", data={"name": "Ben", "seat": "3"}).status_code == 303
    assert names(service, path) == before
    for person, press in ((ann, "Propose ending it"), (ben, "Agree")):
        person.open(f"{path}/leave" if person is ann else path)
        person.press(press)
    assert not service.get(path[3:]).table.playing
    ben.client.post(f"{path}/sit", data={"name": "Ben", "seat": "3"})
    assert names(service, path) == before


# Names


def name_fields(html):
    """Return the number of fields on a page for a name."""
    return html.count('name="name"') - html.count('type="hidden" name="name"')


def test_stranger_is_asked_for_a_name_in_only_one_place(opened, table, browser):
    path, _ = opened
    eve = browser()
    eve.open(path)
    assert name_fields(eve.html) == 1
    room = eve.client.get(f"{path}/room", headers=BY_HTMX).text
    assert name_fields(room) == 0
    assert f"{path}/talk" in room
    eve.open(f"{path}/talk")
    assert name_fields(eve.html) == 1
    playing, _ = table("Ann", "Ben")
    eve.open(playing)
    assert name_fields(eve.html) + name_fields(eve.client.get(f"{playing}/room").text) == 1


def test_a_name_once_given_is_remembered(opened, browser, service):
    path, _ = opened
    eve = browser()
    eve.open(f"{path}/talk")
    eve.send(eve.page.form("/talk"), name="Eve", text="hello")
    eve.open(path)
    assert eve.page.form("/sit").hidden["name"] == "Eve"
    eve.send(eve.page.form("/sit"))
    assert names(service, path) == ["Ann", "Eve", None, None]


# Removed players


def test_host_confirms_before_removing_a_player(opened, browser, service):
    path, ann = opened
    sat(browser, path, "Ben")
    ann.open(path)
    ann.press("Remove Ben")
    assert "Remove Ben from the table?" in ann.page.text
    assert names(service, path)[1] == "Ben"
    ann.follow("Never mind")
    assert "Remove Ben from the table?" not in ann.page.text
    ann.press("Remove Ben")
    ann.press("Yes, do it")
    assert names(service, path)[1] is None


def test_htmx_confirmation_survives_a_refresh(opened, browser, service):
    path, ann = opened
    sat(browser, path, "Ben")
    answer = ann.client.post(f"{path}/remove", data={"seat": "1"}, headers=BY_HTMX)
    assert answer.status_code == 200
    assert "Remove Ben from the table?" in answer.text
    assert 'name="ask" value="remove 1"' in answer.text
    again = ann.client.get(f"{path}/view?v=0&ask=remove+1", headers=BY_HTMX)
    assert "Remove Ben from the table?" in again.text
    assert names(service, path)[1] == "Ben"


def test_only_the_host_gets_the_removal_confirmation(opened, browser, service):
    path, _ = opened
    ben = sat(browser, path, "Ben")
    ben.open(f"{path}?ask=remove+0")
    assert "from the table?" not in ben.page.text
    assert ben.client.post(f"{path}/remove", data={"seat": "0"}).status_code == 403
    for nonsense in ("remove 99", "remove x", "remove", "remove -1"):
        ben.open(f"{path}?ask={nonsense}")
        assert ben.status == 200


def test_confirmed_removal_spares_a_player_who_sat_down_later(opened, browser, service):
    path, ann = opened
    ben = sat(browser, path, "Ben")
    ann.open(path)
    ann.press("Remove Ben")
    ben.press("Leave")
    sat(browser, path, "Cid")
    ann.press("Yes, do it")
    assert ann.status == 422
    assert "Another player is sitting there now." in ann.page.text
    assert names(service, path)[1] == "Cid"


def test_bot_is_removed_without_a_confirmation(opened, service):
    path, ann = opened
    ann.press("Add a bot")
    bot = names(service, path)[1]
    ann.press(f"Remove {bot}")
    assert names(service, path)[1] is None


def test_removed_player_is_told_the_reason_and_the_options(opened, browser, service):
    path, ann = opened
    ben = sat(browser, path, "Ben")
    ann.client.post(f"{path}/remove", data={"seat": "1", "sure": "1"})
    ben.open(path)
    assert "The host has removed you from the table." in ben.page.text
    assert "You may watch, and ask in the chat." in ben.page.text
    eve = browser()
    eve.open(path)
    assert "removed you" not in eve.page.text
    ben.client.post(f"{path}/sit", data={"name": "Ben"})
    assert names(service, path)[1] is None
    ann.open(f"{path}/people")
    ann.press("Let them sit down again")
    ben.open(path)
    assert "removed you" not in ben.page.text
    ben.send(ben.page.form("/sit"))
    assert names(service, path)[1] == "Ben"
    ben.press("Leave")
    assert "removed you" not in ben.page.text


# Confirmations


@pytest.fixture
def looking(table):
    """Return a function that opens a table of Kaboom where all have peeked and may flip."""

    def begun(*names):
        path, people = table(*names, game="kaboom", rounds="2")
        for person in people:
            person.open(path)
            person.press("Look at your bottom row")
            person.press("I am ready")
        return path, people

    return begun


def flip(person, path):
    """Flip one of the player's cards, and return the page's answer."""
    person.open(path)
    return person.press("Flip your")


def test_lifted_card_needs_no_confirmation_against_bots_alone(browser):
    ann = browser()
    ann.open("/")
    ann.press("GOPS")
    form, button = next(iter(ann.page.moves()))
    ann.send(form, button, form.boxes[:1])
    assert "Yes, do it" not in ann.html
    assert "Your sealed bid" in ann.page.text


def test_lifted_card_needs_confirmation_among_people(looking):
    path, (ann, _) = looking("Ann", "Ben")
    flip(ann, path)
    assert "Yes, do it" in ann.html
    assert "you are rid of it. If not, all see it, it goes back, and you take" in ann.page.text


def test_confirmation_offers_not_to_ask_again_and_moves(looking):
    path, (ann, ben) = looking("Ann", "Ben")
    flip(ann, path)
    ann.press("Yes, don’t ask again")
    assert ann.status == 200
    assert "You flip your" in ann.page.text
    flip(ben, path)
    assert "Yes, do it" in ben.html
    flip(ann, path)
    assert "Yes, do it" not in ann.html
    ann.open("/settings")
    assert 'value="as-now" selected>Kaboom: Flip a card</option>' in ann.html


def test_a_silenced_flip_leaves_the_question_before_a_call(table):
    """Players turn off the question that they are asked, not those of other moves."""
    path, people = table("Ann", "Ben")
    for person in people:
        person.open(path)
        person.press("I am ready")
    ann = next(it for it in people if "Call kaboom" in it.open(path).text)
    flip(ann, path)
    ann.press("Yes, don’t ask again")
    ann.open(path)
    ann.press("Call kaboom")
    assert "Yes, do it" in ann.html
    settle(ann, unasked="")
    flip(ann, path)
    assert "Yes, do it" in ann.html


def test_turning_confirmations_off_keeps_other_settings(looking):
    path, (ann, _) = looking("Ann", "Ben")
    settle(ann, cards="large")
    flip(ann, path)
    ann.press("Yes, don’t ask again")
    assert 'data-cards="large"' in ann.html


# A substitute bot


@pytest.mark.parametrize("game", ["kaboom", "gops", "taken", "karata"])
def test_substitute_bot_is_set_by_one_press_at_the_table(table, service, game):
    path, (ann, _) = table("Ann", "Ben", game=game)
    ann.open(path)
    ann.press("Let a bot play for me")
    assert "A bot plays for you." in ann.page.text
    assert service.get(path[3:]).table.chairs[0].stand_in
    with pytest.raises(LookupError):
        ann.press("Let a bot play for me")
    ann.press("I am back and want to play")
    assert not service.get(path[3:]).table.chairs[0].stand_in


def test_a_spectator_is_offered_no_bot(table, browser):
    path, _ = table("Ann", "Ben")
    eve = browser()
    eve.open(path)
    with pytest.raises(LookupError):
        eve.press("Let a bot play for me")


@pytest.mark.parametrize(
    ("move", "cmd", "understood"),
    [
        ("x" * 2000, "c" * 40, True),
        ("x" * 2001, "c", False),
        ("x", "c" * 41, False),
        ("x", "tab\tin it", False),
        ("x", "ünlaut", False),
    ],
)
def test_move_and_command_id_have_a_maximum_length(table, move, cmd, understood):
    path, (ann, _) = table("Ann", "Ben")
    answer = ann.client.post(f"{path}/move", data={"move": move, "cmd": cmd, "match": "1"})
    assert answer.status_code == (422 if understood else 400)


@pytest.mark.parametrize(
    ("made", "so"),
    [
        (table_view.SeatLine(0), {"present"}),
        (table_view.LogLine(0, ""), set()),
        (table_view.Clock(0.0, 0.0), set()),
        (table_view.MatchControls(), set()),
        (table_view.VoteLine(0, "", (), ()), set()),
        (table_view.Settings(), {"confirm", "look", "colours", "language"}),
        (
            table_view.TablePage("", "", None, None, "", (), Names(()), table_view.Settings()),
            {"names", "settings", "controls"},
        ),
    ],
    ids=lambda value: type(value).__name__,
)
def test_unset_page_flags_are_false(made, so):
    """A replay sets few values of the table's page, so the other parts must not be rendered."""
    names = getattr(made, "_fields", None) or [field.name for field in fields(made)]
    assert {name for name in names if getattr(made, name)} == so


def test_default_settings_confirm_moves_and_show_four_colors():
    chosen = table_view.Settings()
    assert (chosen.confirm, chosen.colours, chosen.look, chosen.language) == (
        (table_view.Asking.FIRST, 4, "auto", "auto")
    )
