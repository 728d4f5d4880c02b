"""Tournaments in the browser: opened, entered, played and run by links and forms alone."""

import re
from contextlib import contextmanager
from dataclasses import replace

import pytest
from sqlalchemy import insert, select

from kaboom.accounts.erase import erase
from kaboom.accounts.models import passkeys, players
from kaboom.daily import service as daily
from kaboom.db.times import day_of
from kaboom.errors import InvalidState
from kaboom.games import GAMES
from kaboom.notifications.delivery import said
from kaboom.notifications.notification import OPENS, Notification, Waiting
from kaboom.social.clubs import invitations
from kaboom.social.clubs import service as clubs
from kaboom.tournaments import organizer
from kaboom.tournaments import routes as playing
from kaboom.tournaments import service as tournaments
from kaboom.tournaments.changes import GRACE, get_tournament
from kaboom.tournaments.results_routes import INKS
from kaboom.tournaments.scheduler import direct_all
from kaboom.web.session import hash_of
from tests.accounts.test_credential_routes import keep_by_words
from tests.support.builtin_games import OURS
from tests.support.tournaments import all_ready, ended, opened, pods, settings, settled
from tests.support.tournaments import players as players_of


def press(person, do, **typed):
    """Press the button for this action, with these fields filled in."""
    form = next(
        form
        for form in person.page.forms
        for name, value, _ in form.buttons
        if (name, value) == ("do", do)
    )
    return person.send(form, ("do", do, ""), **typed)


@pytest.fixture
def cup(browser):
    """Return a knockout of GOPS that Ann organises, with four entrants: its address, their
    browsers.
    """
    people = {name: browser() for name in ("Ann", "Ben", "Cat", "Dan")}
    ann = people["Ann"]
    ann.open("/tournaments/new?game=gops")
    ann.send(
        ann.page.form("/tournaments"),
        name="Cup of <b>tea</b>",
        who="Ann",
        format="knockout",
        between="0",
    )
    assert ann.status == 200, ann.page.text
    path = re.search(r"/tournaments/[A-Z0-9]{8}", ann.page.forms[0].action)[0]
    for name, person in people.items():
        person.open(path)
        press(person, "enter", name=name)
        assert f"You have entered as {name}." in person.page.text
    return path, people


def begun(service, cup):
    path, people = cup
    ann = people["Ann"]
    ann.open(f"{path}/manage")
    press(ann, "begin")
    direct_all(service)
    return path.rpartition("/")[2]


def test_tournament_is_found_on_the_home_page_and_created(browser):
    ann = browser()
    ann.open("/")
    assert ("/tournaments", "Tournaments") in ann.page.links
    ann.open("/tournaments")
    assert ("/tournaments/new", "Open a tournament") in ann.page.links
    ann.open("/tournaments/new")
    assert {f"/tournaments/new?game={key}" for key in ("gops", "koth")} <= {
        link for link, _ in ann.page.links
    }


def test_guests_play_a_knockout_to_its_end(service, cup):
    path, people = cup
    code = begun(service, cup)
    for person in people.values():
        person.open(path)
        link = person.page.link("Go to your table")
        person.open(link)
        person.send(person.page.form("/ready"))
    ended(service, code)
    settled(service, code)
    all_ready(service, code)
    ended(service, code)
    settled(service, code)
    ben = people["Ben"]
    ben.open(path)
    assert "Ann has won." in ben.page.text and "It is over" in ben.page.text
    assert any(link.startswith("/m/") for link, _ in ben.page.links)
    ben.open(f"{path}/standings")
    assert ben.status == 200 and "Your place: 2 of" in ben.page.text
    assert "<b>tea" not in ben.page.text.replace("Cup of <b>tea</b>", "")


def in_words(page):
    """Return the bracket's lists: players by round and table, ticked or absent."""
    lists = re.findall(r"<ol>(.*?)</ol>", page, re.S)
    mark = r' <(?:small>\(|b><span aria-hidden="true">)(\w+|✓)'
    slot = rf'<p class="[^"]*">(?:<i [^>]*></i> <bdi>)?([^<]+)(?:</bdi>)?(?:{mark})?'
    return {
        (number, int(pod)): re.findall(slot, line)
        for number, listed in enumerate(lists, 1)
        for pod, line in re.findall(r'<li value="(\d+)"[^>]*>(.*?)</li>', listed, re.S)
    }


def in_drawing(picture, soft):
    """Return the same from the bracket's picture, where absent players have the soft colour."""
    found = {}
    for number, pod, box in re.findall(r'<g data-pod="(\d+) (\d+)">(.*?)</g>', picture, re.S):
        lines = found.setdefault((int(number), int(pod)), [])
        for ink, at_end, text in re.findall(
            r'<text[^>]*?fill="([^"]*)"( text-anchor="end")?[^>]*>([^<]*)</text>', box
        )[1:]:
            if at_end:
                lines[-1] = (lines[-1][0], text)
            else:
                comes = re.match("first at table", text)
                lines.append((text, "absent" if ink == soft and not comes else ""))
    return found


def closed(bracket):
    """Return a bracket without the words of its open places: the picture has no room for the names
    of the players who meet for them.
    """
    open_place = re.compile("first at table|winner of")
    return {
        at: [("" if open_place.match(words) else words, how) for words, how in slots]
        for at, slots in bracket.items()
    }


@pytest.mark.parametrize(("most", "drawn"), [(2, True), (1, False)])
def test_bracket_is_rendered_up_to_a_size(service, cup, app, monkeypatch, most, drawn):
    path, _ = cup
    begun(service, cup)
    monkeypatch.setattr("kaboom.tournaments.pages.MOST_DRAWN", most)
    page = app.test_client().get(f"{path}/bracket").text
    assert ('class="knockout columns' in page) == drawn
    assert sorted(in_words(page)) == [(1, 1), (1, 2), (2, 1)]


def test_bracket_names_the_last_rounds_and_marks_the_reader(service, cup):
    path, people = cup
    begun(service, cup)
    people["Ann"].open(f"{path}/bracket")
    titles = re.findall(r"<section[^>]*><h2>(.*?)</h2>", people["Ann"].html)
    assert titles == ["Semi-finals", "Final"]
    assert re.search(r"<bdi>Ann</bdi> <small[^>]*>you<", people["Ann"].html)


def test_rare_options_of_a_new_tournament_are_folded(browser):
    ann = browser()
    ann.open("/tournaments/new?game=gops")
    assert '<details class="more"><summary>More options' in ann.html


def test_bracket_picture_and_text_agree(service, cup, app, fake_clock):
    path, _ = cup
    code = begun(service, cup)
    client, soft, told = app.test_client(), INKS["dark"]["soft"], []
    while True:
        answer = client.get(f"{path}/bracket.svg?look=dark")
        assert answer.mimetype == "image/svg+xml"
        listed = in_words(client.get(f"{path}/bracket").text)
        assert closed(in_drawing(answer.text, soft)) == closed(listed)
        assert sorted(listed) == [(1, 1), (1, 2), (2, 1)]
        assert all(len(slots) == 2 for slots in listed.values())
        told.append([how for slots in listed.values() for _, how in slots])
        of = get_tournament(service, code).of
        if of.ended:
            break
        missing = get_tournament(service, code).entrants[of.round.pods[0].entrants[0]].player_id
        all_ready(service, code, missing={missing} if len(of.rounds) == 1 else ())
        fake_clock.sleep(GRACE)
        settled(service, code)
        ended(service, code)
        settled(service, code)
    assert told[0] == [""] * 6
    assert told[1].count("absent") == told[2].count("absent") == 1
    assert sorted(told[2]) == ["", "", "absent", "✓", "✓", "✓"]
    drawn = client.get(f"{path}/bracket.svg").text
    assert all(f">{it}<" in drawn for it in ("Semi-finals", "Final", "Table 1"))
    page = client.get(f"{path}/bracket").text
    assert page.count("(advances)") == 2 and page.count("(won)") == 1


def test_current_page_gets_204(service, cup, app):
    path, _ = cup
    client = app.test_client()
    html = client.get(f"{path}/view").text
    seen = re.search(r'name="seen" value="([^"]+)"', html)[1]
    assert client.get(f"{path}/view?seen={seen}").status_code == 204
    begun(service, cup)
    assert client.get(f"{path}/view?seen={seen}").status_code == 200


def test_tournament_code_works_only_in_the_table_code_field(cup, app):
    path, client = cup[0], app.test_client()
    code = path.rpartition("/")[2]
    typed = client.get(f"/t/{code}")
    assert typed.status_code == 303 and typed.headers["Location"].endswith(path)
    assert client.get(f"/t/{code}/rules").status_code == 404


def test_entrant_checks_in_leaves_and_returns(browser, service, fake_clock):
    ann, ben = browser(), browser()
    ann.open("/tournaments/new?game=kaboom")
    ann.send(ann.page.form("/tournaments"), name="Cup", who="Ann", begins="10", check_in="5")
    path = re.search(r"/tournaments/[A-Z0-9]{8}", ann.page.forms[0].action)[0]
    assert "Check-in opens in" in ann.page.text
    for person, name in ((ann, "Ann"), (ben, "Ben")):
        person.open(path)
        press(person, "enter", name=name)
    fake_clock.sleep(600)
    direct_all(service)
    ann.open(path)
    press(ann, "check-in")
    assert "You have checked in." in ann.page.text
    ben.open(path)
    press(ben, "leave")
    assert "You have left the tournament." in ben.page.text
    press(ben, "back")
    assert "check in" in ben.page.text


def test_organizers_rulings_can_be_read_by_all(service, cup, browser):
    path, people = cup
    code = begun(service, cup)
    ann, eve = people["Ann"], browser()
    ann.open(f"{path}/manage")
    press(ann, "announce", why="Tea at five")
    eve.open(path)
    assert "“Tea at five”" in eve.page.text
    press(ann, "remove", one="2", why="rude")
    eve.open(path)
    assert "Removed: Ben" in eve.page.text
    number = get_tournament(service, code).of.seq
    ann.open(f"{path}/manage")
    press(ann, f"undo {number}")
    eve.open(path)
    assert "A ruling is undone" in eve.page.text and "undone" in eve.page.text
    eve.open(f"{path}/manage")
    assert eve.status == 403 and not [f for f in eve.page.forms if f.action.endswith("/manage")]


def test_field_error_is_shown_beside_its_field(browser, cup):
    path, people = cup
    eve = browser()
    eve.open("/tournaments/new?game=koth")
    for fields, sentence in (
        ({"who": "Eve", "name": ""}, "a name"),
        ({"who": "", "name": "Cup"}, "a name"),
        ({"who": "Eve", "name": "Cup", "size": "4"}, "that many players at a table"),
        ({"who": "Eve", "name": "Cup", "swiss_rounds": "21"}, "up to 20"),
        ({"who": "Eve", "name": "Cup", "limit": "0", "ready_seconds": "0"}, "no time limit"),
        ({"who": "Eve", "name": "Cup", "swiss_rounds": "x" * 10_000}, "up to 20"),
    ):
        form = {"game": "koth", "size": "5", "limit": "90", **fields}
        answer = eve.client.post("/tournaments", data=form)
        assert answer.status_code == 422 and sentence in answer.text, fields
    ben = people["Ben"]
    for data, status in (
        ({"do": "enter", "name": "\u202e\u200b"}, 422),
        ({"do": "nonsense"}, 422),
        ({"do": "check-in"}, 422),
        ({}, 422),
    ):
        assert ben.client.post(path, data=data).status_code in (status, 303), data
    assert eve.client.post(path, data={"do": "leave"}).status_code == 403
    ann = people["Ann"]
    for data in (
        {"do": "extend", "minutes": "99999999999"},
        {"do": "result", "round": "1", "table": "0", "places": "1 2"},
        {"do": "result", "round": "9", "table": "1", "places": "x"},
        {"do": "undo 12", "why": "x"},
        {"do": "undo x"},
        {"do": "swap", "one": "1", "two": "1", "why": "x"},
        {"do": "bots", "count": "100000"},
        {"do": "end", "why": ""},
        {"do": "nonsense"},
    ):
        answer = ann.client.post(f"{path}/manage", data=data)
        assert answer.status_code == 422 and 'role="alert"' in answer.text, data
    for address in (
        "/tournaments/NOTHING2",
        "/tournaments/xyz",
        f"{path}/round/3",
        f"{path}/table/9/9",
    ):
        assert ben.client.get(address).status_code == 404, address
    assert ben.client.get(f"{path}/bracket").status_code == 404


def test_organizer_sets_a_result_among_all_entrants(service, cup):
    path, people = cup
    ann = people["Ann"]
    ann.open(f"{path}/manage")
    assert all(f">{n}. {name}<" in ann.html for n, name in enumerate(people, start=1))
    code = begun(service, cup)
    ann.open(f"{path}/manage")
    assert all(f">{n}. {name}<" in ann.html for n, name in enumerate(people, start=1))
    sent = {"do": "result", "round": "1", "table": "1", "places": "2 1", "why": "agreed"}
    assert ann.client.post(f"{path}/manage", data=sent).status_code == 303
    of = get_tournament(service, code).of
    (first,) = (it.entrant for it in of.result(of.rounds[0], 0) if it.place == 1)
    assert first == of.rounds[0].pods[0].entrants[1]


@pytest.mark.parametrize("key", OURS)
def test_tournament_form_starts_with_the_games_own_defaults(browser, key):
    ann = browser()
    ann.open(f"/tournaments/new?game={key}")
    form, contest = ann.page.form("/tournaments"), GAMES[key].contest
    sent = dict(form.filled(("", "", "")))
    assert contest and {name: sent[name] for name in contest} == contest


def test_program_gets_the_standings(service, cup, app):
    path, _ = cup
    code = begun(service, cup)
    all_ready(service, code)
    ended(service, code)
    settled(service, code)
    found = app.test_client().get(path, headers={"Accept": "application/json"}).json
    assert (found["round"], found["rounds"]) == (2, 2) and len(found["standings"]) == 4
    assert found["standings"][0]["points"] == "1.00"
    text = app.test_client().get(path, headers={"Accept": "text/plain"}).text
    assert "Ann, 1.00" in text


def test_entrant_without_a_result_has_no_points_or_place(service, cup, app):
    path, _ = cup
    code, client = begun(service, cup), app.test_client()
    page = client.get(f"{path}/standings").text.partition("How points are counted")[0]
    assert "<b>0</b>" not in page and page.count("no result yet") >= 2 * 4
    told = client.get(path, headers={"Accept": "application/json"}).json
    assert {it["points"] for it in told["standings"]} == {"–"}
    assert "Ann, no result yet" in client.get(path, headers={"Accept": "text/plain"}).text
    all_ready(service, code)
    ended(service, code)
    settled(service, code)
    page = client.get(f"{path}/standings").text.partition("How points are counted")[0]
    assert "<b>0</b>" in page and "no result yet" not in page, (
        "a loser has none, and the cache remembers that"
    )


@contextmanager
def counting_pages(app):
    """Count how often the standings are rendered."""
    drawn, old = [], app.jinja_env.get_template

    def get(name, *args, **more):
        drawn.append(name)
        return old(name, *args, **more)

    app.jinja_env.get_template = get
    try:
        yield drawn
    finally:
        app.jinja_env.get_template = old


def test_standings_are_rendered_once_per_version(service, app):
    code, ids = opened(service, "Ann", bots=30)
    organizer.begin(service, code, ids[0])
    settled(service, code)
    with counting_pages(app) as drawn:
        for _ in range(3):
            assert app.test_client().get(f"/tournaments/{code}/standings").status_code == 200
    assert sum("fragments/standings" in str(it) for it in drawn) <= 1


def test_program_gets_standings_cached_per_version(service, app, monkeypatch):
    code, ids = opened(service, "Ann", "Ben", bots=30)
    organizer.begin(service, code, ids[0])
    settled(service, code)
    made, client = [], app.test_client()

    def counting(seen, round, standings=playing._standings):
        made.append(round)
        return standings(seen, round)

    monkeypatch.setattr(playing, "_standings", counting)

    def told(ending, **more):
        return client.get(f"/tournaments/{code}.{ending}", **more).text

    first = told("json")
    assert told("json") == first and told("json?round=1") == first
    assert "Ann" in told("txt") and "Ann" in first
    in_french = {"headers": {"Accept-Language": "fr"}}
    assert told("txt", **in_french) == told("txt", **in_french) != told("txt")
    assert len(made) == 2, "once for each language"
    assert told("json?round=9") == told("json?round=9") != first
    assert len(made) == 4, "other rounds are not kept"
    erase(app.config["TABLES"], "key of Ann")
    assert "Ann" not in told("json") and "Ann" not in told("txt")


def test_erased_entrant_is_shown_by_number(service, cup):
    path, people = cup
    ben = people["Ben"]
    begun(service, cup)
    ben.client.post("/account/delete", data={"what": "all", "sure": "1"})
    ann = people["Ann"]
    ann.open(f"{path}/standings")
    assert "Player 2" in ann.page.text and "Ben" not in ann.page.text


def test_tournament_table_offers_no_rematch(service, cup):
    path, people = cup
    code = begun(service, cup)
    all_ready(service, code)
    table = pods(service, code)[0][1]
    ended(service, code)
    for person in people.values():
        person.open(f"/t/{table}")
        assert "Play again" not in person.page.text
        assert any(link == path for link, _ in person.page.links)


def test_tournament_table_offers_no_invitation(service, cup, browser):
    code = begun(service, cup)
    table = pods(service, code)[0][1]
    for person in (cup[1]["Ann"], browser()):
        person.open(f"/t/{table}")
        assert person.status == 200 and "Seats" in person.page.text
        assert "Invite" not in person.page.text and "Copy the link" not in person.page.text


# Shared cards


@pytest.fixture
def alike(browser, service):
    """Return a running Swiss of GOPS with shared cards: its address, the browsers."""
    return among(browser, service, "Ann", "Ben", "Cat", "Dan")


def among(browser, service, *names):
    people = {name: browser() for name in names}
    ann = people["Ann"]
    ann.open("/tournaments/new?game=gops")
    box = [("duplicate", "1")]
    ann.send(ann.page.form("/tournaments"), ticked=box, name="Cup", who="Ann", swiss_rounds="1")
    path = re.search(r"/tournaments/[A-Z0-9]{8}", ann.page.forms[0].action)[0]
    for name, person in people.items():
        person.open(path)
        press(person, "enter", name=name)
    assert ann.client.get(f"{path}/draw.json").status_code == 404
    begun(service, (path, people))
    return path, people


def test_shared_cards_are_chosen_explained_and_revealed_at_end(alike, service, app):
    path, people = alike
    code = path.rpartition("/")[2]
    assert get_tournament(service, code).options.games == 1
    ann = people["Ann"]
    ann.open(path)
    assert "All tables play the same cards." in ann.page.text
    assert "The cards are dealt at all tables at the same time." in ann.page.text
    assert "scores 60%." in ann.page.text and "waiting for the cards" in ann.page.text
    assert "Watch" not in ann.page.text
    for person in people.values():
        person.open(path)
        person.follow("Go to your table")
        person.send(person.page.form("/ready"))
        assert "Not ready after all" in person.page.text
    settled(service, code)
    ann.open(path)
    assert "When all tables have played these cards" in ann.page.text
    first = pods(service, code)[0][1]
    client = app.test_client()
    assert client.get(f"{path}/draw.json").json["seed"] == ""
    ended(service, code)
    settled(service, code)
    page = client.get(f"{path}/standings").text
    assert re.search(r">\d+\.0%<", page) and "Mean" in page and "Neuberg" in page
    told = client.get(path, headers={"Accept": "application/json"}).json
    assert {it["points"] for it in told["standings"]} <= {"0.0%", "50.0%", "100.0%"}
    draw = client.get(f"{path}/draw.json").json
    assert len(draw["words"]) == 4 and len(draw["seed"]) == 64
    record = service.get(first).table.record
    assert client.get(f"/m/{record}").status_code == 200


def test_bye_is_not_shown_as_0_percent_before_any_result(browser, service):
    path, people = among(browser, service, "Ann", "Ben", "Cat", "Dan", "Eve")
    people["Ann"].open(f"{path}/standings")
    assert "%" not in people["Ann"].page.text.partition("How points are counted")[0]
    told = people["Ann"].client.get(path, headers={"Accept": "application/json"}).json
    assert {it["points"] for it in told["standings"]} == {"–"}
    code = path.rpartition("/")[2]
    for person in people.values():
        person.open(path)
        if table := [link for link, words in person.page.links if words == "Go to your table"]:
            person.open(table[0])
            person.send(person.page.form("/ready"))
    settled(service, code)
    ended(service, code)
    settled(service, code)
    people["Ann"].open(f"{path}/standings")
    assert "60.0%" in people["Ann"].page.text


def test_shared_cards_are_offered_only_where_possible(browser, monkeypatch):
    ann = browser()
    ann.open("/tournaments/new?game=gops")
    assert "All tables play the same cards" in ann.page.text
    monkeypatch.setitem(GAMES, "gops", replace(GAMES["gops"], board=None))
    ann.open("/tournaments/new?game=gops")
    assert "All tables play the same cards" not in ann.page.text
    form = {"game": "gops", "name": "Cup", "who": "Ann", "size": "2", "duplicate": "1"}
    answer = ann.client.post("/tournaments", data=form, follow_redirects=True)
    assert answer.status_code == 200 and "All tables play the same cards" not in answer.text


def test_removed_entrant_sees_the_removal_and_no_buttons(service, cup):
    path, people = cup
    ann, ben = people["Ann"], people["Ben"]
    ann.open(f"{path}/manage")
    press(ann, "remove", one="2", why="rude")
    ben.open(path)
    assert ben.status == 200 and "has removed you" in ben.page.text
    assert not [form for form in ben.page.forms if form.action == path]
    for what in ("check-in", "back"):
        assert ben.client.post(path, data={"do": what}).status_code == 422
    begun(service, cup)
    ben.open(path)
    assert "has removed you" in ben.page.text


def test_seed_and_entropy_are_shown_once_play_is_over(service, cup):
    """The cards at every table are derived from these two values."""
    path, people = cup
    ann = people["Ann"]
    code = begun(service, cup)
    all_ready(service, code)
    ann.open(f"{path}/manage")
    press(ann, "end", why="rain")
    assert "undo" not in str([form.buttons for form in ann.page.forms])
    ann.open(path)
    assert "It is over" in ann.page.text and "The seed:" not in ann.page.text
    ended(service, code)
    settled(service, code)
    seen = get_tournament(service, code)
    ann.open(path)
    assert seen.row.seed.hex() in ann.page.text
    assert all(it.cut in ann.page.text for it in seen.entrants.values())


def test_unstarted_match_is_not_begun_after_the_end(service, cup, fake_clock):
    path, people = cup
    ann = people["Ann"]
    code = begun(service, cup)
    settled(service, code)
    ann.open(path)
    assert "Go to your table" in ann.page.text
    ann.open(f"{path}/manage")
    press(ann, "end", why="rain")
    ann.open(path)
    assert "Go to your table" not in ann.page.text and "not played" in ann.page.text
    fake_clock.sleep(600)
    assert not [it for it in pods(service, settled(service, code).code) if it[2] == "playing"]
    ann.open(path)
    assert "The seed:" in ann.page.text


def test_club_organizer_who_left_is_not_asked_to_enter(service, browser):
    ann = browser()
    ann.open("/clubs")
    ann.send(ann.page.form("/clubs"), club="The Gulls", called="Ann")
    player = service.database.write(lambda c: c.execute(select(players.c.id)).scalar_one())
    its_key = hash_of(ann.client.get_cookie("kb").value)
    club = re.search(r"/clubs/([A-Z0-9]{8})", ann.html)[1]
    code = tournaments.open(service, player, settings(club=club))
    ann.open(f"/tournaments/{code}")
    assert 'value="enter"' in ann.html
    (ben,) = players_of(service, "Ben")
    invitations.join(service, invitations.new_link(service, club, its_key), ben, "Ben")
    clubs.leave(service, club, its_key)
    ann.open(f"/tournaments/{code}")
    assert ann.status == 200
    assert 'value="enter"' not in ann.html
    assert any(words == "Run the tournament" for _, words in ann.page.links)


def test_late_check_in_explains_the_waiting_list(browser):
    ann, people = browser(), [browser() for _ in range(5)]
    ann.open("/tournaments/new?game=gops")
    ann.send(ann.page.form("/tournaments"), name="Cup", who="Ann", check_in="5", most="4")
    path = re.search(r"/tournaments/[A-Z0-9]{8}", ann.page.forms[0].action)[0]
    for number, one in enumerate(people):
        one.open(path)
        press(one, "enter", name=f"Player {number}")
    ann.open(f"{path}/manage")
    press(ann, "check-in")
    for one in people:
        one.open(path)
        for words in ("I am here: check in", "You have checked in."):
            assert words in one.page.text
            assert ("You are on the waiting list." in one.page.text) == (one is people[-1])
            if words != "You have checked in.":
                press(one, "check-in")


def test_missed_table_is_told_to_the_player_as_theirs(browser, service, cup, fake_clock):
    path, people = cup
    begun(service, cup)
    ann = people["Ann"]
    ann.open(path)
    table = re.search(rf"{path}/table/\d+/\d+", ann.html)[0]
    fake_clock.sleep(600)
    direct_all(service)
    ann.open(table)
    assert "You did not press “I am ready” in time" in ann.page.text
    other = browser()
    other.open(table)
    assert "No one pressed “I am ready” in time" in other.page.text


@pytest.mark.parametrize("format", ["swiss", "league", "knockout"])
def test_unplayed_tournament_has_no_winner(browser, service, fake_clock, format):
    ann, people = browser(), [browser() for _ in range(4)]
    ann.open("/tournaments/new?game=gops")
    ann.send(ann.page.form("/tournaments"), name="Cup", who="Ann", format=format, between="0")
    path = re.search(r"/tournaments/[A-Z0-9]{8}", ann.page.forms[0].action)[0]
    for number, one in enumerate(people):
        one.open(path)
        press(one, "enter", name=f"Player {number}")
    ann.open(f"{path}/manage")
    press(ann, "begin")
    settled(service, path[13:])
    for _ in range(2):
        fake_clock.sleep(GRACE + 1)
        settled(service, path[13:])
    ann.open(path)
    assert "It is over" in ann.page.text and "Standings" in ann.page.text
    assert "share the title" not in ann.page.text and "crown" not in ann.page.text
    assert "There is no winner." in ann.page.text and "has won" not in ann.page.text


def test_late_newcomer_is_not_stored(service, cup, app, fake_clock):
    path, _ = cup
    begun(service, cup)
    daily.promise_ahead(service)
    tomorrow = day_of(fake_clock.time + 86400).isoformat()
    for address in (path, f"/daily/{tomorrow}"):
        answer = app.test_client().post(address, data={"do": "enter", "name": "Eve"})
        assert answer.status_code == 422 and "Set-Cookie" not in answer.headers
    names = service.database.read(lambda c: c.execute(select(players.c.name)).scalars().all())
    assert sorted(names) == ["Ann", "Ben", "Cat", "Dan"]


def test_passkey_alone_also_secures_an_account(service, browser):
    ann, eve = players_of(service, "Ann", "Eve")
    code = tournaments.open(service, ann, settings(accounts=True))
    with pytest.raises(InvalidState):
        tournaments.enter(service, code, eve, "Eve")
    row = {"player_id": eve, "public_key": b"x", "label": "x", "made_day": 1, "used_day": 1}
    service.database.write(lambda c: c.execute(insert(passkeys), {"credential": "c", **row}))
    tournaments.enter(service, code, eve, "Eve")
    assert get_tournament(service, code).number_of(eve) == 1


def test_seatless_newcomer_gets_an_account_and_enters(service, browser):
    (ann,) = players_of(service, "Ann")
    path = f"/tournaments/{tournaments.open(service, ann, settings(accounts=True))}"
    eve = browser()
    eve.open(path)
    assert [f for f in eve.page.forms if f.action.endswith(path)] == []
    assert ("/settings/account", "Secure your account") in eve.page.links
    answer = eve.client.post(path, data={"do": "enter", "name": "Eve"})
    assert answer.status_code == 422 and "Set-Cookie" not in answer.headers  # stored nowhere
    eve.open("/settings/account")
    for wrong in ("", "\u202e\u200b", "  "):
        eve.send(eve.page.form("/settings/account"), name=wrong)
        assert eve.status == 422 and 'role="alert"' in eve.html
    eve.send(eve.page.form("/settings/account"), name="Eve")
    keep_by_words(eve)
    eve.open(path)
    press(eve, "enter", name="Eve")
    assert "You have entered as Eve." in eve.page.text


def test_typed_tournament_code_opens_the_tournament(cup, app):
    path, _ = cup
    for typed in (path.rpartition("/")[2].lower(), f"https://kaboom.example{path}"):
        query = {"code": typed}
        answer = app.test_client().get("/join", query_string=query, follow_redirects=True)
        assert answer.status_code == 200 and answer.request.path == path


def test_time_until_the_start_is_updated(browser, app, fake_clock):
    ann = browser()
    ann.open("/tournaments/new?game=gops")
    ann.send(ann.page.form("/tournaments"), name="Cup", who="Ann", begins="30", check_in="0")
    path = re.search(r"/tournaments/[A-Z0-9]{8}", ann.page.forms[0].action)[0]
    client = app.test_client()
    seen = re.search(r'name="seen" value="([^"]+)"', client.get(f"{path}/view").text)[1]
    fake_clock.sleep(61)
    assert "28 minutes" in client.get(f"{path}/view?seen={seen}").text


def test_turn_list_has_an_open_table_until_its_player_is_ready(service, cup):
    _, people = cup
    begun(service, cup)
    ann = people["Ann"]
    ann.open("/turns")
    assert "Waiting for you" in ann.page.text
    assert "your tournament table is open" in ann.page.text
    program = ann.client.get("/turns.json").json["tables"]
    assert [(it["mine"], it["opens"]) for it in program] == [(True, True)]
    assert "your tournament table is open" in ann.client.get("/turns.txt").text
    ann.open(next(link for link, words in ann.page.links if words.startswith("GOPS")))
    ann.send(ann.page.form("/ready"))
    ann.open("/turns")
    assert "No table is waiting for you." in ann.page.text
    assert "waiting for the others" in ann.page.text


def checking_in(person, name, minutes, who):
    """Open a tournament with a check-in of this many minutes, and enter; return its address."""
    person.open("/tournaments/new?game=gops")
    person.send(person.page.form("/tournaments"), name=name, who=who, check_in=minutes)
    path = re.search(r"/tournaments/[A-Z0-9]{8}", person.page.forms[0].action)[0]
    press(person, "enter", name=who)
    person.open(f"{path}/manage")
    press(person, "check-in")
    return path


def test_turn_list_has_open_check_ins_until_checked_in(browser, fake_clock):
    ann, eve = browser(), browser()
    ann.open("/start/gops")
    ann.send(ann.page.form("/tables"), name="Ann", days="1")
    table = ann.page.form("/bot").action.removesuffix("/bot")
    ann.client.post(f"{table}/bot")
    ann.client.post(f"{table}/start")
    late = checking_in(ann, "Late <b>cup</b>", "20", "Ann")
    soon = checking_in(ann, "Early cup", "5", "Ann")
    checking_in(eve, "Another’s", "5", "Eve")
    ann.open("/turns")
    links = (link for link, _ in ann.page.links if link.startswith(("/tournaments/", "/t/")))
    waiting = list(dict.fromkeys(links))  # a line has two: its name and its button
    assert waiting == [soon, late, table]  # in 5 minutes, in 20, in a day
    says = "check-in is open: please check in"
    assert re.search(f"Early cup {soon[13:]}.*{says} 5 minutes left", ann.page.text)
    assert re.search(f"Late <b>cup</b> {late[13:]}.*{says} 20 minutes left", ann.page.text)
    told = ann.client.get("/turns.json").json
    assert [(it["code"], it["name"], it["game"], it["left"]) for it in told["check_ins"]] == [
        (soon[13:], "Early cup", "gops", 300.0),
        (late[13:], "Late <b>cup</b>", "gops", 1200.0),
    ]
    assert [it["code"] for it in told["tables"]] == [table[3:]]
    text = " ".join(ann.client.get("/turns.txt").text.split())
    assert f"{soon[13:]} Early cup, {says}, 5 minutes left" in text
    ann.open("/settings/notifications")
    ann.press("Create its secret address")
    feed = ann.client.get(next(link for link, _ in ann.page.links if link.endswith(".atom"))).text
    assert "Early cup: check-in is open" in feed and f'{soon}"' in feed
    ann.open("/turns")
    ann.open(soon)
    press(ann, "check-in")
    (left,) = ann.client.get("/turns.json").json["check_ins"]
    assert left["code"] == late[13:]
    fake_clock.sleep(1200)  # it is over, whether the scheduler has run or not
    assert "check-in" not in ann.open("/turns").text


def test_alert_for_an_open_table_names_the_tournament():
    table = Waiting("AAAA", "GOPS", ("Ann",), OPENS)
    call = Notification("json", "https://hook.example.org", (table,))
    assert said(call, "https://k").text == "Ann, your tournament table is open"
