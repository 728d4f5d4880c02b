"""What a browser sets for itself: read from its cookie, sent with each page, nonsense ignored."""

import pytest

from tests.support.browsing import settle


@pytest.fixture
def ann(browser):
    person = browser()
    person.open("/")
    return person


def saved(person, **fields):
    """Send the settings form with these fields and look at the page that comes back."""
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
def test_a_choice_is_kept_and_can_be_taken_back(ann, fields, on_the_page):
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
def test_nonsense_changes_nothing(ann, fields):
    before = ann.html.split("<head>")[0]
    assert saved(ann, **fields) == before


def test_nothing_moves_for_who_wants_no_motion(ann):
    assert " data-moves" in ann.html
    assert "preferences.css" not in ann.html
    assert " data-moves" not in saved(ann, motion="none")
    assert "preferences.css" in ann.html  # which stops what style sheets would move
    assert " data-moves" in saved(ann, motion="")


def test_settings_are_a_page_of_their_own_that_leads_back(table):
    path, (ann, _) = table("Ann", "Ben")
    ann.open(path)
    assert "<select" not in ann.html
    (link,) = [address for address, words in ann.page.links if words == "Settings"]
    ann.open(link)
    assert ("/settings?" in link, ann.page.form("/settings").hidden["next"]) == (True, path)
    ann.send(ann.page.form("/settings"), look="dark")
    assert 'data-look="dark"' in ann.html
    assert ann.page.title.endswith(path[3:])


def test_the_page_of_settings_leads_nowhere_else(ann):
    for elsewhere in ("//evil.example/", "https://evil.example/", "/\\evil.example", "x"):
        ann.open(f"/settings?next={elsewhere}")
        assert ann.page.form("/settings").hidden["next"] == "/"
        assert "evil" not in ann.html


@pytest.mark.parametrize(
    ("before", "turn", "sound"),
    [("sound", "", "2"), ("notice", "notice", ""), ("both", "notice", "2")],
)
def test_who_had_chosen_a_sound_at_their_turn_hears_sounds(ann, before, turn, sound):
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


def test_questions_are_asked_until_that_is_turned_off_and_again_when_it_is_turned_on(ann):
    """What is kept in the cookie is what the form says, whichever it said before."""
    for answer in ("0", "1", "2", "0", "0", "2", "1", "1"):
        saved(ann, confirm=answer)
        kept = ann.client.get_cookie("kb-settings").decoded_value
        assert f"confirm={answer}&" in kept
        saved(ann, confirm="yes")
        assert f"confirm={answer}&" in ann.client.get_cookie("kb-settings").decoded_value


@pytest.mark.parametrize(
    "nonsense", ["look=dark=x&cards=large", "=&==&cards=large", "&&cards=large&"]
)
def test_a_cookie_that_was_spoilt_is_read_as_far_as_it_can_be(ann, nonsense):
    ann.client.set_cookie("kb-settings", nonsense)
    ann.open("/")
    assert ann.status == 200
    assert 'data-cards="large"' in ann.html
    assert 'data-look="auto"' in ann.html
