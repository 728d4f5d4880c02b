"""The tournament form opens what it states; errors are shown beside their fields."""

import re
import secrets
from dataclasses import replace

import pytest
from msgspec import structs

from kaboom.engine.codec import to_json
from kaboom.engine.options import read
from kaboom.games import GAMES
from kaboom.tournaments import queries as store
from kaboom.tournaments.changes import get_tournament
from kaboom.tournaments.create_routes import BETWEEN, CHECK_IN, LIMITS, MOSTS
from kaboom.tournaments.rules.events import Format, Settings, Spare

PLAIN = {"game": "gops", "name": "Cup", "who": "Ann"}


@pytest.fixture
def sent(app, service):
    """A function that sends the form: the tournament it opens, or the answer if it opens none."""

    def send(**fields):
        client = app.test_client()
        data = PLAIN | fields | {"cmd": secrets.token_urlsafe(16)}
        answer = client.post(
            "/tournaments", data={key: text for key, text in data.items() if text != ...}
        )
        if answer.status_code == 303:
            return get_tournament(service, answer.location.rpartition("/")[2])
        return answer

    return send


def opened(sent, **fields):
    return sent(**fields).of.settings


def test_form_with_names_only_opens_a_swiss_with_late_entry(sent, service):
    seen = sent()
    options = read(GAMES["gops"].options, {})
    assert seen.of.settings == Settings(
        name="Cup",
        game="gops",
        options=to_json(options).decode(),
        format=Format.SWISS,
        size=2,
        playable=(2,),
        most=128,
        rounds=0,
        spare=Spare.BYE,
        begins_at=0.0,
        check_in=0,
        limit=90,
        between=1,
        late=True,
        accounts=False,
        duplicate=False,
        club="",
    )
    assert not seen.row.listed


def test_each_form_choice_is_stored(sent, service):
    for field, name, chosen in (
        ("most", "most", MOSTS),
        ("check_in", "check_in", CHECK_IN),
        ("limit", "limit", [it for it in LIMITS if it]),
        ("between", "between", BETWEEN),
        ("swiss_rounds", "rounds", (0, 1, 20)),
    ):
        for value in chosen[:: len(chosen) - 1] if isinstance(chosen, tuple) else (*chosen,)[-1:]:
            assert getattr(opened(sent, **{field: str(value)}), name) == value, field


def test_tournament_begins_after_minutes_or_by_a_press(sent, fake_clock):
    assert opened(sent, begins="60").begins_at == fake_clock.time + 3600
    assert opened(sent, begins="0").begins_at == 0.0


@pytest.mark.parametrize(
    ("fields", "differs"),
    [
        ({"most": "9"}, {}),
        ({"begins": "11"}, {}),
        ({"check_in": "6"}, {}),
        ({"limit": "91"}, {}),
        ({"between": "2"}, {}),
        ({"format": "sprint"}, {}),
        ({"swiss_rounds": ""}, {}),
        ({"late": "1"}, {}),
        ({"late.asked": "1", "late": "1"}, {}),
        ({"late.asked": "1"}, {"late": False}),
        ({"accounts": "1"}, {"accounts": True}),
        ({"accounts": "yes"}, {}),
        ({"format": "knockout", "swiss_rounds": "5"}, {"format": Format.KNOCKOUT}),
        ({"format": "league", "swiss_rounds": "5"}, {"format": Format.LEAGUE}),
        ({"swiss_rounds": "5"}, {"rounds": 5}),
    ],
)
def test_fields_missing_from_the_form_stay_unchanged(sent, fields, differs):
    assert opened(sent, **fields) == structs.replace(opened(sent), **differs)


def test_bots_fill_tables_only_of_single_size_games(sent):
    assert opened(sent, game="koth").spare == Spare.HOUSE
    kaboom = opened(sent, game="kaboom", size="3")
    assert (kaboom.spare, kaboom.size, kaboom.playable) == (Spare.BYE, 3, (2, 3))


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"swiss_rounds": "21"}, "Choose a number of rounds up to 20."),
        ({"swiss_rounds": "many"}, "Choose a number of rounds up to 20."),
        ({"swiss_rounds": "-1"}, "Choose a number of rounds up to 20."),
        (
            {"size": "4"},
            "With these options, the game cannot be played by that many players at a table.",
        ),
        ({"name": " "}, "A name needs at least one visible character."),
        ({"who": " "}, "A name needs at least one visible character."),
        ({"bid_seconds": "nine"}, "Time to bid must be a whole number from 0 to 300."),
        (
            {"limit": "0", "bid_seconds": "0"},
            "With these options, some decisions have no time limit, so rounds need one.",
        ),
    ],
)
def test_invalid_field_is_explained_beside_it_and_opens_nothing(sent, service, fields, sentence):
    answer = sent(**fields)
    assert answer.status_code == 422
    field = next(iter(fields))
    assert sentence in answer.text, re.findall(r'class="wrong"[^>]*>([^<]*)', answer.text)
    assert re.search(rf'name="{field}"[^>]*aria-invalid="true"', answer.text)
    if field != "who":
        assert 'value="Ann"' in answer.text
    if field != "name":
        assert 'value="Cup"' in answer.text, "the form keeps its contents"
    assert service.database.read(lambda c: store.due(c, 1e12, 9)) == []
    assert service.database.read(lambda c: store.listed(c, 9, 0)) == []


def test_untimed_rounds_are_allowed_if_decisions_are_timed(sent):
    assert opened(sent, limit="0", bid_seconds="30").limit == 0


def test_untimed_rounds_need_no_time_for_disabled_flips(sent):
    times = {"turn_seconds": "30", "peek_seconds": "20", "give_seconds": "15", "last_flips": "0"}
    assert opened(sent, game="kaboom", size="3", limit="0", **times).limit == 0


def test_tournament_form_is_a_page_for_each_game(app):
    client = app.test_client()
    assert (
        client.get("/tournaments/new").status_code
        == client.get("/tournaments/new?game=gops").status_code
        == 200
    )
    assert 'name="swiss_rounds"' in client.get("/tournaments/new?game=gops&club=ABC").text
    for game, most in (("gops", 2), ("kaboom", 4), ("koth", 5), ("taken", 10)):
        sizes = client.get(f"/tournaments/new?game={game}").text.partition('name="size"')[2]
        offered = re.findall(r'value="(\d+)"', sizes.partition("</select>")[0])
        assert [int(it) for it in offered] == list(range(2, most + 1)), (game, offered)
    assert 'value="ABC"' in client.get("/tournaments/new?game=gops&club=ABC").text
    assert 'name="swiss_rounds"' not in client.get("/tournaments/new?game=whist").text


def test_unknown_game_has_no_tournament(sent):
    for game in ("whist", "", ...):
        answer = sent(game=game)
        assert answer.status_code == 422 and "There is no game with that name." in answer.text


def test_tournaments_are_listed_only_if_the_host_allows(app, sent, browser, monkeypatch):
    assert not sent(listed="1").row.listed
    server = app.config["SERVER"]
    monkeypatch.setitem(app.config, "SERVER", replace(server, tournaments_listed=True))
    assert [sent(listed=it).row.listed for it in ("1", "0", ...)] == [True, False, False]
    ben = browser()
    assert ben.open("/tournaments").text.count("Cup") == 1
    assert "GOPS open\nEntries are open. 0 entered, room for 128." in ben.page.text
    monkeypatch.setitem(app.config, "SERVER", server)
    assert "Cup" not in ben.open("/tournaments").text


# Changing settings


@pytest.fixture
def ann(browser):
    """Ann, at the form that changes her tournament, which has no entrants."""
    person = browser()
    person.client.post(
        "/tournaments", data=PLAIN | {"cmd": "0123456789abcdef", "most": "32", "begins": "60"}
    )
    (at,) = {
        link
        for link, _ in person.open("/tournaments").links
        if re.fullmatch("/tournaments/[A-Z0-9]{8}", link)
    }
    person.open(f"{at}/manage")
    person.follow("Change the settings")
    person.at = at
    return person


def settings_of(service, person):
    return get_tournament(service, person.at.rpartition("/")[2]).of.settings


def test_unchanged_settings_form_has_no_effect(ann, service, fake_clock):
    before = settings_of(service, ann)
    fake_clock.sleep(600)
    ann.send(ann.page.form("/settings"))
    assert settings_of(service, ann) == before and before.begins_at


def test_organizer_changes_settings_with_the_same_form(ann, service):
    before = settings_of(service, ann)
    new = {"name": "Autumn", "format": "league", "most": "8", "begins": "0", "bid_seconds": "45"}
    ann.send(ann.page.form("/settings"), **new)
    found = settings_of(service, ann)
    assert (found.name, found.format, found.most) == ("Autumn", Format.LEAGUE, 8)
    assert found.begins_at == 0.0 and '"bid_seconds":45' in found.options
    assert (found.game, found.size, found.limit) == (before.game, before.size, before.limit)
    assert "Autumn" in ann.page.text


def test_form_after_an_entry_marks_fixed_settings(ann, service):
    ann.client.post(ann.at, data={"do": "enter", "name": "Ann"})
    assert settings_of(service, ann)
    ann.open(f"{ann.at}/settings")
    ann.send(ann.page.form("/settings"), format="league", name="Winter")
    assert ann.status == 422
    assert "players entered on these terms" in ann.page.text and "Winter" in ann.html
    assert settings_of(service, ann).name == "Cup"
    ann.open(f"{ann.at}/settings")
    ann.send(ann.page.form("/settings"), name="Winter", most="64")
    assert (settings_of(service, ann).name, settings_of(service, ann).most) == ("Winter", 64)


def test_program_sends_only_changed_settings(ann, service, browser):
    before = settings_of(service, ann)
    answer = ann.client.post(f"{ann.at}/settings", json={"name": "By JSON", "late": False})
    assert answer.status_code == 303
    found = settings_of(service, ann)
    assert found == structs.replace(before, name="By JSON", late=False)
    wrong = ann.client.post(f"{ann.at}/settings", json={"size": 9, "swiss_rounds": 99})
    assert (wrong.status_code, sorted(wrong.json["fields"])) == (422, ["size", "swiss_rounds"])
    ann.client.post(ann.at, data={"do": "enter", "name": "Ann"})
    wrong = ann.client.post(f"{ann.at}/settings", json={"limit": 15, "name": "Late"})
    assert (wrong.status_code, list(wrong.json["fields"])) == (422, ["limit"])
    stranger = browser()
    for answer in (
        stranger.client.get(f"{ann.at}/settings"),
        stranger.client.post(f"{ann.at}/settings", json={"name": "Mine"}),
    ):
        assert answer.status_code == 403
