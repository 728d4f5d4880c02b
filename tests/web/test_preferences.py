"""Preferences of a browser: read from its cookie, applied to each page, nonsense ignored."""

from dataclasses import fields

import pytest
from werkzeug.wrappers import Response

from kaboom.engine.table_view import Asking, Settings
from kaboom.web.preferences import _settings_in, keep_settings
from tests.support.browsing import BY_HTMX, settle


@pytest.fixture
def ann(browser):
    person = browser()
    person.open("/")
    return person


def saved(person, **fields):
    """Send the settings form with these fields, and open the next page."""
    settle(person, **fields)
    return person.html.split("<head>")[0]


@pytest.mark.parametrize(
    ("fields", "on_the_page"),
    [
        ({"cards": "large"}, 'data-cards="large"'),
        ({"cards": "larger"}, 'data-cards="larger"'),
        ({"colours": "2"}, 'data-colours="2"'),
        ({"index": "large"}, 'data-index="large"'),
        ({"back": "sea"}, 'data-back="sea"'),
        ({"back": "night"}, 'data-back="night"'),
        ({"grids": "turned"}, "data-grids"),
        ({"turn": "notice"}, 'data-turn="notice"'),
        ({"sound": "3"}, 'data-sound="3"'),
    ],
)
def test_choice_is_stored_and_can_be_reset(ann, fields, on_the_page):
    before = ann.html.split("<head>")[0]
    assert on_the_page not in before
    assert on_the_page in saved(ann, **fields)
    assert on_the_page in saved(ann, language="auto")
    back = {"cards": "", "colours": "4", "turn": "", "index": "", "back": ""}
    back |= {"sound": "0", "grids": ""}
    assert saved(ann, **{name: back[name] for name in fields}) == before


@pytest.mark.parametrize(
    "fields",
    [
        {"cards": "huge"},
        {"cards": '"><b>'},
        {"keys": "2"},
        {"colours": "3"},
        {"index": "9"},
        {"grids": "upside down"},
        {"sound": "4"},
        {"turn": "both"},
        {"back": '"'},
    ],
)
def test_invalid_input_changes_nothing(ann, fields):
    before = ann.html.split("<head>")[0]
    assert saved(ann, **fields) == before


def test_reduced_motion_stops_all_movement(ann):
    assert " data-moves" in ann.html
    assert "preferences.css" not in ann.html
    assert " data-moves" not in saved(ann, motion="none")
    assert "preferences.css" in ann.html  # which stops animations of style sheets
    assert " data-moves" in saved(ann, motion="")


def test_settings_page_leaves_card_style_to_its_form(ann):
    """Otherwise the cards there would keep the previous style until the form is sent."""
    saved(ann, cards="large", back="sea")
    ann.open("/settings")
    top = ann.html.split("<head>")[0]
    assert "data-cards" not in top
    assert "data-back" not in top
    assert "preferences.css" in ann.html
    assert 'value="sea" checked' in ann.html


def test_settings_have_their_own_page_that_leads_back(table):
    path, (ann, _) = table("Ann", "Ben")
    ann.open(path)
    assert "<select" not in ann.html
    (link,) = [address for address, words in ann.page.links if words == "Settings"]
    ann.open(link)
    assert ("/settings?" in link, ann.page.form("/settings").hidden["next"]) == (True, path)
    ann.send(ann.page.form("/settings"), look="dark")
    assert 'data-look="dark"' in ann.html and "Saved." in ann.page.text
    ann.open(next(address for address, _ in ann.page.links if address == path))
    assert 'data-look="dark"' in ann.html


def test_a_script_is_told_that_its_choice_is_stored(ann):
    """Only another language loads the page again, without the language that its URL may name."""
    ann.open("/settings?next=/lobby")
    sent = ann.page.form("/settings").hidden | {"look": "dark"}
    answer = ann.client.post("/settings", data=sent, headers=BY_HTMX)
    assert (answer.status_code, answer.text) == (200, "Saved.")
    assert "HX-Redirect" not in answer.headers
    ann.open("/lobby")
    assert 'data-look="dark"' in ann.html
    answer = ann.client.post("/settings", data=sent | {"language": "fr"}, headers=BY_HTMX)
    assert answer.headers["HX-Redirect"] == "/settings?next=/lobby&saved=1"


def test_settings_return_only_to_pages_of_this_site(ann):
    for elsewhere in ("//evil.example/", "https://evil.example/", "/\\evil.example", "x"):
        ann.open(f"/settings?next={elsewhere}")
        assert ann.page.form("/settings").hidden["next"] == "/"
        assert "evil" not in ann.html


@pytest.mark.parametrize(
    ("before", "turn", "sound"),
    [("sound", "", "2"), ("notice", "notice", ""), ("both", "notice", "2")],
)
def test_old_turn_sound_preference_enables_sounds(ann, before, turn, sound):
    ann.client.set_cookie("kb-settings", f"confirm=1&turn={before}&cards=large")
    ann.open("/")
    assert (f'data-turn="{turn}"' in ann.html) == bool(turn)
    assert (f'data-sound="{sound}"' in ann.html) == bool(sound)
    saved(ann, sound="0")
    assert "data-sound" not in ann.html


def test_number_keys_are_off_until_they_are_chosen(table):
    path, (person, _) = table("Ann", "Ben")
    assert "keys.js" not in person.html
    settle(person, keys="1")
    person.open(path)
    assert "keys.js" in person.html
    settle(person, keys="0")
    person.open(path)
    assert "keys.js" not in person.html


def test_confirmations_can_be_turned_off_and_on_again(ann):
    """The cookie keeps the form's values, whatever it had before."""
    for answer in ("0", "1", "2", "0", "0", "2", "1", "1"):
        saved(ann, confirm=answer)
        kept = ann.client.get_cookie("kb-settings").decoded_value
        assert f"confirm={answer}&" in kept
        saved(ann, confirm="yes")
        assert f"confirm={answer}&" in ann.client.get_cookie("kb-settings").decoded_value


@pytest.mark.parametrize(
    "nonsense",
    [
        "look=dark=x&cards=large",
        "=&==&cards=large",
        "&&cards=large&",
        "unasked=kaboom.x/chess.mate/kaboom/.&cards=large",
    ],
)
def test_damaged_cookie_is_read_as_far_as_possible(ann, nonsense):
    ann.client.set_cookie("kb-settings", nonsense)
    ann.open("/")
    assert ann.status == 200
    assert 'data-cards="large"' in ann.html
    assert 'data-look="auto"' in ann.html


def test_every_setting_survives_the_cookie(app):
    """Otherwise a setting that `CHOICES` lacks is lost silently."""
    chosen = Settings(
        Asking.NEVER, 30, "dark", 2, "sw", "notice", 3, "large", "large", "sea", "none", "turned",
        "suit", "right", "last", True, "gops.bid/kaboom.flip",
    )  # fmt: skip
    unchanged = [it.name for it in fields(Settings) if getattr(chosen, it.name) == it.default]
    assert not unchanged, f"give `chosen` above another value than the default: {unchanged}"
    with app.test_request_context():
        response = Response()
        keep_settings(response, chosen)
        cookie = response.headers["Set-Cookie"].split(";")[0].split("=", 1)[1]
    assert _settings_in(cookie, ("sw",)) == chosen
    assert _settings_in(cookie.replace("sound=3", "sound="), ("sw",)).sound is None
