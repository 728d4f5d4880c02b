"""Clubs in browsers without scripts."""

import re
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace

import pytest

from kaboom.accounts.api_keys.service import is_key
from kaboom.tournaments.club_list import _begins_in
from tests.support.browsing import table_path


def begun(browser, name="Ann", phrases=False):
    """Return somebody who has begun a club, and the club's address."""
    ann = browser()
    ann.open("/me")
    ann.open(next(link for link, _ in ann.page.links if link == "/me/clubs"))
    form = ann.page.form("/me/clubs")
    ann.send(form, ticked=[("phrases", "1")] if phrases else (), club="The Gulls", called=name)
    return ann, "/c/" + next(f.action.split("/")[2] for f in ann.page.forms if "/c/" in f.action)


def link_of(ann, club):
    ann.open(club)
    ann.press("Make a link into the club")
    return re.search(r'value="[^"]*(/club/[\w-]+)"', ann.html)[1]


def joined(browser, link, name):
    """Return somebody who has joined by a link."""
    person = browser()
    person.open(link)
    person.send(person.page.form(link), name=name)
    return person


def test_a_club_is_begun_by_somebody_new_and_joined_by_a_link(browser):
    ann, club = begun(browser)
    link = link_of(ann, club)
    for name in ("Ben", "Cleo"):  # the link is for all who get it
        person = joined(browser, link, name)
        assert f"as {name}" in person.page.text
        assert "Ann officer" in person.page.text
    person.open("/me/clubs")
    assert (club, "The Gulls") in person.page.links
    ann.open(club)
    ann.press("End the link")
    late = browser()
    late.open(link)
    assert late.status == 410
    assert "leads nowhere" in late.page.text
    assert late.client.get_cookie("kb") is None  # who only looked is nobody


def test_a_stranger_at_its_address_sees_its_name_and_may_ask_where_that_is_wished(browser):
    ann, club = begun(browser)
    stranger = browser()
    stranger.open(club)
    assert "The Gulls" in stranger.page.text
    assert "Ann" not in stranger.page.text
    assert not [form for form in stranger.page.forms if form.action.startswith("/c/")]
    stranger.client.post(f"{club}/ask", data={"name": "Sam"})
    assert stranger.client.get_cookie("kb") is None
    ann.open(f"{club}/settings")
    ann.send(ann.page.form("/settings"), ticked=[("asking", "1")])
    stranger.open(club)
    stranger.send(stranger.page.form("/ask"), name="Sam")
    assert "You have asked to join" in stranger.page.text
    ann.open(club)
    assert "Sam" in ann.page.text
    ann.press("Yes")
    stranger.open(club)
    assert "as Sam" in stranger.page.text


def test_officers_make_officers_remove_and_let_come_again(browser):
    ann, club = begun(browser)
    ben = joined(browser, link_of(ann, club), "Ben")
    ann.open(club)
    ann.press("Make an officer")
    ben.open(club)
    assert "Remove from the club" in ben.page.text
    ann.press("Remove from the club")
    ben.open(club)
    assert "have been removed from this club" in ben.page.text
    ann.press("Let them come again")
    assert "Removed" not in ann.page.text
    ben.client.post(f"{club}/members", data={"do": "remove x"})
    assert ben.client.get(club).status_code == 200


def test_members_open_tables_and_enter_them_from_the_club(browser):
    ann, club = begun(browser)
    ben = joined(browser, link_of(ann, club), "Ben")
    ann.open(club)
    ann.send(ann.page.form("/tables"), game="gops")
    path = table_path(ann)
    assert (club, "The club of this table") in ann.page.links
    ben.open(club)
    ben.press("Come in")
    ben.send(ben.page.form("/sit"), name="Benjamin")
    assert "Benjamin" not in ben.page.text  # there they are called as in the club
    stranger = browser()
    stranger.open(path)
    assert "This table has a password" in stranger.page.text
    assert "The Gulls" not in stranger.page.text
    stranger.client.post(f"{path}/enter", data={"member": "1"})
    stranger.open(path)
    assert "This table has a password" in stranger.page.text
    cleo = joined(browser, link_of(ann, club), "Cleo")
    cleo.open(path)
    cleo.press("Come in as a member of The Gulls")
    assert "GOPS table" in cleo.page.text


def test_guests_come_in_where_the_member_lets_them(browser):
    ann, _club = begun(browser)
    ann.send(ann.page.form("/tables"), ticked=[("guests", "1")], game="gops")
    path, guest = table_path(ann), browser()
    guest.open(path)
    guest.send(guest.page.form("/sit"), name="Sam")
    assert guest.status == 200
    assert "Sam" in guest.page.text


def test_the_options_of_a_club_s_table_are_chosen_on_the_usual_page(browser):
    ann, club = begun(browser)
    ann.open(next(link for link, _ in ann.page.links if link.startswith("/start/kaboom?club=")))
    ann.send(ann.page.form("/tables"), name="Ann", rounds="999")
    assert ann.status == 422
    ann.send(ann.page.form("/tables"), name="Ann", rounds="2")
    assert (club, "The club of this table") in ann.page.links
    stranger = browser()
    answer = stranger.client.post("/tables", data={"game": "gops", "name": "Sam", "club": club[3:]})
    assert answer.status_code == 403
    assert "Only members of the club" in answer.text


def test_where_children_play_there_is_no_line_to_type(browser):
    ann, _club = begun(browser, phrases=True)
    ann.send(ann.page.form("/tables"), game="gops")
    path = table_path(ann)
    assert not [it for it in re.findall(r"<input[^>]*", ann.html) if 'name="text"' in it]
    assert not [it for it in re.findall(r"<input[^>]*", ann.html) if 'name="cut"' in it]
    ann.open(f"{path}/talk")
    ann.press("Hello!")
    assert "Ann: Hello!" in ann.page.text
    answer = ann.client.post(f"{path}/talk", data={"text": "Call me at home"})
    assert answer.status_code == 403
    assert "only the quick phrases" in answer.text
    told = ann.client.post(f"{path}/talk", json={"text": "Call me"})
    assert told.status_code == 403


def test_one_leaves_with_a_tick_and_the_last_one_ends_the_club(browser):
    ann, club = begun(browser)
    ann.open(f"{club}/settings")
    form = ann.page.form("/leave")
    ann.send(form)
    assert ann.status == 422
    ann.send(form, ticked=[("sure", "1")])
    assert "A club is a group" in ann.page.text
    ann.open(club)
    assert ann.status == 404
    assert "no club at this address" in ann.page.text


def test_what_is_wrong_with_a_form_is_said_and_what_was_typed_stays(browser):
    ann = browser()
    ann.open("/me/clubs")
    ann.send(ann.page.form("/me/clubs"), club="\u200b", called="Ann")
    assert ann.status == 422
    assert "can be read" in ann.page.text
    assert ann.client.get_cookie("kb") is None
    assert 'value="Ann"' in ann.html
    ann, club = begun(browser)
    ann.open(f"{club}/settings")
    ann.send(ann.page.form("/name"), name=" ")
    assert ann.status == 422
    ann.send(ann.page.form("/name"), name="Anna")
    assert "as Anna" in ann.page.text
    stranger = browser()
    stranger.open(f"{club}/settings")
    assert "Anna" not in stranger.page.text


def test_the_host_of_the_server_lists_clubs_and_ends_one(browser, app):
    run = app.test_cli_runner().invoke
    assert "No clubs." in run(args=["clubs", "list"]).output
    ann, club = begun(browser)
    joined(browser, link_of(ann, club), "Ben")
    code = club[3:]
    listed = run(args=["clubs", "list"]).output
    assert re.search(rf"{code}  officers 1 +members 2 +The Gulls", listed)
    assert "Ann" not in listed
    assert run(args=["clubs", "end", code], input="n\n").exit_code == 1
    assert "ended" in run(args=["clubs", "end", code.lower()], input="y\n").output
    assert "no such club" in run(args=["clubs", "end", code, "--yes"]).output
    ann.open(club)
    assert ann.status == 404


def test_a_tournament_for_the_club_is_opened_found_and_entered_by_members_alone(browser):
    ann, club = begun(browser)
    ben = joined(browser, link_of(ann, club), "Ben")
    ann.open(club)
    ann.open(next(link for link, words in ann.page.links if words.startswith("Open a tournament")))
    ann.open(next(link for link, _ in ann.page.links if "game=gops" in link and "club=" in link))
    assert "only its members see it" in ann.page.text
    ann.send(ann.page.form("/e"), name="Cup", who="Ann", size="2")
    assert "For the members of its club." in ann.page.text, ann.page.text
    ben.open(club)
    path = next(link for link, words in ben.page.links if words == "Cup")
    ben.open(path)
    form = next(form for form in ben.page.forms if ("do", "enter", "Enter") in form.buttons)
    ben.send(form, ("do", "enter", "Enter"))
    assert "You have entered, as Ben." in ben.page.text
    eve = browser()
    for address in ("", "/view", "/standings", "/draw.json", "/run"):
        assert eve.client.get(path + address).status_code == 403, address
    eve.open(path)
    assert "for the members of its club" in eve.page.text and "Ben" not in eve.page.text
    assert eve.client.post(path, data={"do": "enter", "name": "Eve"}).status_code == 403
    code = club.rpartition("/")[2]
    form = {"game": "gops", "size": "2", "name": "Cup", "who": "Eve", "club": code}
    assert eve.client.post("/e", data=form).status_code == 403
    assert eve.client.post("/e", data={**form, "club": "x" * 9999}).status_code == 403


def soon(watch, days=2):
    return f"{datetime.fromtimestamp(watch.time, UTC).date() + timedelta(days)}"


def planning(somebody):
    """Return the form that plans a date, and its button."""
    (found,) = [
        (form, button)
        for form in somebody.page.forms
        for button in form.buttons
        if button[1] == "plan"
    ]
    return found


def test_a_date_is_planned_on_the_clubs_page_and_others_say_that_they_come(browser, watch):
    ann, club = begun(browser)
    ben = joined(browser, link_of(ann, club), "Ben")
    ann.open(club)
    form, button = planning(ann)
    ann.send(
        form,
        button,
        game="koth",
        day=soon(watch),
        time="19:30",
        zone="Africa/Nairobi",
        note="<b>at Ben’s",
    )
    assert ann.status == 200 and "King of the Hill" in ann.page.text
    ben.open(club)
    assert "16:30" in ben.page.text and "Times are those of UTC" in ben.page.text
    assert "&lt;b&gt;at Ben’s" in ben.html and "planned by Ann" in ben.page.text
    assert "1 comes: Ann" in " ".join(ben.page.text.split())
    assert "Cancel the date" not in ben.page.text
    ben.press("I will come")
    assert "2 come: Ann, Ben" in " ".join(ben.page.text.split())
    ben.press("I cannot come after all")
    assert "1 comes: Ann" in " ".join(ben.page.text.split())
    ann.open(club)
    assert "19:30" in ann.page.text and "Times are those of Africa/Nairobi" in ann.page.text
    ann.press("Cancel the date")
    assert "Nothing is planned." in ann.page.text


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"day": ""}, "Write a day"),
        ({"day": "x" * 10_000}, "Write a day"),
        ({"day": "9999-12-31"}, "within a year"),
        ({"day": "1970-01-02"}, "That time is over"),
        ({"time": "7 pm"}, "Write a time"),
        ({"zone": "Mars"}, "no such time zone"),
        ({"game": "chess"}, "no such game"),
        ({"do": "nonsense"}, "cannot be done"),
        ({"do": "come 99999999999"}, "no longer here"),
        ({"do": "cancel -1"}, "no longer here"),
        ({"do": ""}, "cannot be done"),
    ],
)
def test_what_is_wrong_with_a_date_is_said_and_what_was_typed_is_kept(
    browser, watch, wrong, sentence
):
    ann, club = begun(browser)
    form = {"do": "plan", "game": "gops", "day": soon(watch), "time": "19:30", "zone": "UTC"}
    answer = ann.client.post(f"{club}/dates", data={**form, "note": "tea", **wrong})
    assert answer.status_code == 422 and sentence in answer.text
    if "do" not in wrong:
        assert 'value="tea"' in answer.text


def test_a_form_that_plans_a_date_counts_once(browser, watch):
    ann, club = begun(browser)
    ann.open(club)
    form, button = planning(ann)
    for _ in range(2):
        ann.send(form, button, game="gops", day=soon(watch), time="19:30", zone="UTC")
    ann.open(club)
    assert ann.page.text.count("planned by") == 1


def test_a_clubs_page_says_when_its_tournaments_begin(browser):
    ann, club = begun(browser)
    ann.open(f"/e/new?game=gops&club={club[3:]}")
    ann.send(ann.page.form("/e"), name="Cup", begins="60")
    ann.open(club)
    assert re.search(
        r"Cup\s+GOPS, begins in 5\d minutes|Cup\s+GOPS, begins in 60 minutes", ann.page.text
    )


def test_whatever_is_asked_of_a_club_there_is_not_is_not_found(browser):
    ann, _ = begun(browser)
    for do in ("ask", "members", "name", "leave", "settings", "link"):
        answer = ann.client.post(f"/c/NOTACLUB/{do}", data={"name": "Ann", "do": "block x"})
        assert answer.status_code == 404, do
        assert "There is no club at this address." in answer.text


def test_a_club_is_told_to_its_members_in_every_voice_and_to_others_its_name(browser, service):
    ann, club = begun(browser)
    ben = joined(browser, link_of(ann, club), "Ben")
    table = ben.client.post("/tables", data={"game": "gops", "club": club[3:], "name": "Ben"})
    code = table.location.rsplit("/t/", 1)[1][:8]
    soon = datetime.fromtimestamp(service.now(), UTC) + timedelta(days=9)
    day = soon.date().isoformat()
    plan = {"do": "plan", "game": "karata", "day": day, "time": "19:30", "zone": "UTC"}
    assert ann.client.post(f"{club}/dates", data=plan | {"note": "Bring tea"}).status_code == 303
    told = ben.client.get(f"{club}.json").json
    assert (told["format"], told["inside"], told["called"]) == ("kaboom club", True, "Ben")
    assert told == ben.client.get(club, headers={"Accept": "application/json"}).json
    members = {it["name"]: (it["officer"], it["mine"]) for it in told["members"]}
    assert members == {"Ann": (True, False), "Ben": (False, True)}
    assert [(it["code"], it["host"], it["playing"]) for it in told["tables"]] == [
        (code, "Ben", False)
    ]
    (date,) = told["dates"]
    assert (date["at"][:16], date["note"], date["by"]) == (f"{day}T19:30", "Bring tea", "Ann")
    come = {"do": f"come {date['n']}"}
    assert ben.client.post(f"{club}/dates", data=come).status_code == 303
    text = ben.client.get(f"{club}.txt?width=40").text
    assert max(map(len, text.splitlines())) <= 40
    lines = " ".join(text.split())
    coming = "Bring tea. Coming: Ann and Ben."
    for part in ("The Gulls", "Members: Ann (officer) and Ben.", code, coming):
        assert part in lines
    stranger = browser().client
    outside = [stranger.get(f"{club}{it}") for it in (".json", ".txt")]
    assert outside[0].json["name"] == "The Gulls" and not outside[0].json["inside"]
    for answer in outside:
        assert not any(it in answer.text for it in ("Ann", "Ben", code, "Bring tea"))
    assert stranger.get("/c/AAAAAAAA.json").status_code == 404


def test_a_key_looks_at_ones_clubs_and_changes_nothing_there(browser):
    ann, club = begun(browser)
    ann.open("/me/keys")
    form = ann.page.form("/me/keys")
    ann.send(form, ticked=form.boxes, key_name="terminal", name="Ann")
    shown = {"Authorization": "Bearer " + next(it for it in ann.html.split('"') if is_key(it))}
    program = ann.client.application.test_client()
    assert program.get(f"{club}.json", headers=shown).json["called"] == "Ann"
    for address in (f"{club}/dates", f"{club}/members", f"{club}/leave"):
        assert program.post(address, headers=shown).status_code == 403


@pytest.mark.parametrize(
    ("now", "more", "said"),
    [
        (400, {}, "10 minutes"),
        (1000, {}, ""),  # it is about to begin
        (400, {"begun": True}, ""),  # before its time
        (400, {"check_in_until": 900.0}, ""),  # that is told instead
    ],
)
def test_how_soon_a_tournament_begins_is_said_while_that_is_to_come(app, now, more, said):
    of = {"settings": SimpleNamespace(begins_at=1000.0), "begun": False, "check_in_until": 0.0}
    seen = SimpleNamespace(of=SimpleNamespace(**of | more), table_time=lambda now: now)
    with app.test_request_context():
        assert _begins_in(seen, now) == said
