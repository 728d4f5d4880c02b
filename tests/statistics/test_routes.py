"""Statistics and public pages in browsers without scripts, and by programs."""

import pytest

from kaboom.statistics import public
from kaboom.statistics.api import cost_in_words
from kaboom.statistics.public import PARTS
from tests.support.api_clients import Program
from tests.support.finished_matches import finish

SHOWN = {  # text of each part on a public page and in its JSON
    "games": lambda found: found["games"] is not None,
    "days": lambda found: found["days"] is not None or found["streak"] is not None,
    "stamps": lambda found: found["stamps"] is not None,
    "manner": lambda found: found["manner"] is not None,
}


@pytest.fixture
def match(service, table):
    """Return a finished match of Ann and Ben: their browsers."""
    path, people = table("Ann", "Ben", game="gops")
    finish(service, path.rsplit("/", 1)[1])
    return people


def page_of(person, *shows):
    """Give a player a public page with these parts; return its address."""
    person.client.post("/settings/public-page", data={"on": "1", "shows": list(shows)})
    person.open("/settings/public-page")
    return next((link for link, _text in person.page.links if "/players/" in link), "").replace(
        "http://localhost", ""
    )


def test_players_page_opens_with_their_portrait(match):
    ann, _ben = match
    ann.open("/account")
    assert "First match" in ann.page.text
    assert "A streak begins with a daily deal" in ann.page.text
    assert '<div class="person"><i class="face' in ann.html
    assert '<h2>Stamps you have earned</h2>\n<ul class="stamps">' in ann.html
    assert "Your statistics" not in [text for _link, text in ann.page.links]


def test_statistics_of_all_games_link_to_each_game(match):
    ann, _ben = match
    ann.open("/statistics")
    assert "/statistics/gops" in [link for link, _text in ann.page.links]
    ann.open("/statistics/gops")
    assert "with people" in ann.page.text
    assert "The numbers, month by month" in ann.page.text
    ann.open("/statistics/people")
    assert "Ben" in ann.page.text


def test_new_browser_is_told_that_there_are_no_statistics(browser):
    zoe = browser()
    for path in ("/statistics", "/statistics/gops", "/statistics/people", "/settings/public-page"):
        zoe.open(path)
        assert zoe.status == 200, path
    zoe.open("/statistics/chess")
    assert zoe.status == 404


def test_statistics_are_available_as_json_and_text(match):
    ann, _ben = match
    found = ann.client.get("/statistics.json").json
    assert (found["name"], found["games"][0]["matches"]) == ("Ann", 1)
    assert found["games"][0]["against"]["people"][0] == 1
    one = ann.client.get("/statistics/gops.json").json
    assert one["months"][0]["matches"] == 1
    heads = ann.client.get(found["links"]["people"]).json["people"]
    assert [(it["name"], it["matches"]) for it in heads] == [("Ben", 1)]
    for path, words in (
        ("/statistics.txt", "GOPS: "),
        ("/statistics/gops.txt", "with people: "),
        ("/statistics/people.txt", "Ben: 1 match"),
    ):
        assert words in ann.client.get(path).text, path


@pytest.mark.parametrize(
    ("game", "words"),
    [("gops", "Points lost per decision"), ("karata", "Wins in 100 games lost per decision")],
)
def test_cost_of_decisions_is_named_by_its_unit(app, game, words):
    with app.test_request_context():
        assert cost_in_words(game) == words


def test_public_page_exists_only_while_enabled(match):
    ann, ben = match
    ann.open("/settings/public-page")
    assert "You have no public page" in ann.page.text
    address = page_of(ann, "games")
    ben.open(address)
    assert "Ann" in ben.page.text
    assert "GOPS" in ben.page.text
    ann.client.post("/settings/public-page", data={"shows": "games"})
    ben.open(address)
    assert ben.status == 404
    assert page_of(ann, "games") != address


def test_settings_page_shows_the_current_choice(match):
    ann, _ben = match
    page_of(ann, "stamps")
    assert 'value="stamps" checked' in ann.html
    assert 'value="games" checked' not in ann.html
    assert 'name="on" value="1" checked' in ann.html


def unwanted(found, chosen):
    """Return the unchosen parts that a page shows."""
    return [part for part, shown in SHOWN.items() if shown(found) and part not in chosen]


@pytest.mark.slow
@pytest.mark.parametrize("chosen", [(), *((part,) for part in PARTS), tuple(PARTS)])
def test_public_page_shows_exactly_the_chosen_parts(match, app, chosen):
    ann, _ben = match
    address = page_of(ann, *chosen)
    found = Program(app).get(f"{address}.json").json
    assert unwanted(found, chosen) == []
    assert [part for part in PARTS if not SHOWN[part](found)] == [
        part for part in PARTS if part not in chosen
    ]
    page = Program(app).get(address).text + Program(app).get(f"{address}.txt").text
    assert ("GOPS" in page.split("</main>")[0]) is ("games" in chosen)
    assert ("First match" in page) is ("stamps" in chosen)
    assert ("in a row" in page or "streak" in page.split("</head>")[1]) is bool(
        {"days", "games"} & set(chosen)
    )


def test_planted_part_that_was_not_chosen_is_detected(match, app, monkeypatch):
    """A planted leak: an unchosen part of the player's page is shown."""
    ann, _ben = match
    address = page_of(ann, "stamps")
    monkeypatch.setattr(public.queries, "page_at", lambda c, code: (1, "Ann", " ".join(PARTS)))
    assert unwanted(Program(app).get(f"{address}.json").json, ("stamps",)) != []


@pytest.mark.parametrize("blocker", [0, 1])
def test_public_page_is_hidden_if_either_player_blocks(match, blocker):
    ann, ben = match
    address = page_of(ann, "games")
    one = match[blocker]
    one.client.post(f"{table_of(one)}/people", data={"do": f"block {word_of(one)}"})
    ben.open(address)
    assert ben.status == 404
    assert ann.client.get(address).status_code == 200


def table_of(person):
    """Return the address of the table at which a player last sat down."""
    person.open("/")
    return next(link for link, _text in person.page.links if link.startswith("/t/"))


def word_of(person):
    """Return the word of the only other player at their table."""
    person.open(f"{table_of(person)}/people")
    return person.html.split('value="block ')[1].split('"')[0]


def test_player_name_links_to_the_public_page(match, table):
    ann, ben = match
    address = page_of(ann, "games")
    path, (cleo,) = table("Cleo", game="gops", ready=False)
    ann.client.post(f"{path}/sit", data={"name": "Ann"})
    cleo.open(path)
    assert address in [link for link, _text in cleo.page.links]
    assert cleo.client.get(f"{path}.json").json["chairs"][1]["page"] == address
    for where in ("/statistics/people", f"{table_of(ben)}/people"):
        ben.open(where)
        assert address in [link for link, _text in ben.page.links], where


def test_only_a_known_player_has_a_page(browser):
    zoe = browser()
    answer = zoe.client.post("/settings/public-page", data={"on": "1"})
    assert answer.status_code == 403
