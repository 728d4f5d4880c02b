"""Clubs in browsers without scripts."""

import re
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace

import pytest

from kaboom.accounts.api_keys.service import is_key
from kaboom.tournaments.club_list import _begins_in
from tests.support.browsing import table_path


def begun(browser, name="Ann", phrases=False):
    """Return a player who has founded a club, and the club's address."""
    ann = browser()
    ann.open("/account")
    ann.open(next(link for link, _ in ann.page.links if link == "/clubs"))
    form = ann.page.form("/clubs")
    ann.send(form, ticked=[("phrases", "1")] if phrases else (), club="The Gulls", called=name)
    return ann, "/clubs/" + next(
        f.action.split("/")[2] for f in ann.page.forms if "/clubs/" in f.action
    )


def link_of(ann, club):
    ann.open(club)
    ann.press("Create an invitation link")
    return re.search(r'value="[^"]*(/clubs/join/[\w-]+)"', ann.html)[1]


def joined(browser, link, name):
    """Return a player who has joined by a link."""
    person = browser()
    person.open(link)
    person.send(person.page.form(link), name=name)
    return person


def test_newcomer_founds_a_club_joined_by_a_link(browser):
    ann, club = begun(browser)
    link = link_of(ann, club)
    for name in ("Ben", "Cleo"):  # anyone with the link can use it
        person = joined(browser, link, name)
        assert f"as {name}" in person.page.text
        assert "Ann officer" in person.page.text
    person.open("/clubs")
    assert (club, "The Gulls") in person.page.links
    ann.open(club)
    ann.press("Revoke the link")
    late = browser()
    late.open(link)
    assert late.status == 410
    assert "no longer valid" in late.page.text
    assert late.client.get_cookie("kb") is None  # a mere viewer is not a player


def test_stranger_sees_the_club_name_and_may_ask_to_join(browser):
    ann, club = begun(browser)
    stranger = browser()
    stranger.open(club)
    assert "The Gulls" in stranger.page.text
    assert "Ann" not in stranger.page.text
    assert not [form for form in stranger.page.forms if form.action.startswith("/clubs/")]
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


def test_officers_promote_remove_and_readmit_members(browser):
    ann, club = begun(browser)
    ben = joined(browser, link_of(ann, club), "Ben")
    ann.open(club)
    ann.press("Make an officer")
    ben.open(club)
    assert "Remove from the club" in ben.page.text
    ann.press("Remove from the club")
    ben.open(club)
    assert "have been removed from this club" in ben.page.text
    ann.press("Let them come back")
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
    ben.press("Enter")
    ben.send(ben.page.form("/sit"), name="Benjamin")
    assert "Benjamin" not in ben.page.text  # members have their club names there
    stranger = browser()
    stranger.open(path)
    assert "This table has a password" in stranger.page.text
    assert "The Gulls" not in stranger.page.text
    stranger.client.post(f"{path}/enter", data={"member": "1"})
    stranger.open(path)
    assert "This table has a password" in stranger.page.text
    cleo = joined(browser, link_of(ann, club), "Cleo")
    cleo.open(path)
    cleo.press("Enter as a member of The Gulls")
    assert "GOPS table" in cleo.page.text


def test_members_admit_guests(browser):
    ann, _club = begun(browser)
    ann.send(ann.page.form("/tables"), ticked=[("guests", "1")], game="gops")
    path, guest = table_path(ann), browser()
    guest.open(path)
    guest.send(guest.page.form("/sit"), name="Sam")
    assert guest.status == 200
    assert "Sam" in guest.page.text


def test_club_table_options_are_chosen_on_the_usual_page(browser):
    ann, club = begun(browser)
    ann.open(next(link for link, _ in ann.page.links if link.startswith("/start/kaboom?club=")))
    ann.send(ann.page.form("/tables"), name="Ann", rounds="999")
    assert ann.status == 422
    ann.send(ann.page.form("/tables"), name="Ann", rounds="2")
    assert (club, "The club of this table") in ann.page.links
    stranger = browser()
    answer = stranger.client.post("/tables", data={"game": "gops", "name": "Sam", "club": club[7:]})
    assert answer.status_code == 403
    assert "Only members of the club" in answer.text


def test_club_for_children_has_no_text_field(browser):
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
    assert "nly quick phrases" in answer.text
    told = ann.client.post(f"{path}/talk", json={"text": "Notify me"})
    assert told.status_code == 403


def test_leaving_needs_a_tick_and_the_last_member_ends_the_club(browser):
    ann, club = begun(browser)
    ann.open(f"{club}/settings")
    form = ann.page.form("/leave")
    ann.send(form)
    assert ann.status == 422
    ann.send(form, ticked=[("sure", "1")])
    assert "A club is a lasting group" in ann.page.text
    ann.open(club)
    assert ann.status == 404
    assert "no club at this address" in ann.page.text


def test_invalid_club_form_explains_and_keeps_the_input(browser):
    ann = browser()
    ann.open("/clubs")
    ann.send(ann.page.form("/clubs"), club="\u200b", called="Ann")
    assert ann.status == 422
    assert "at least one visible character" in ann.page.text
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
    code = club[7:]
    listed = run(args=["clubs", "list"]).output
    assert re.search(rf"{code}  officers 1 +members 2 +The Gulls", listed)
    assert "Ann" not in listed
    assert run(args=["clubs", "end", code], input="n\n").exit_code == 1
    assert "ended" in run(args=["clubs", "end", code.lower()], input="y\n").output
    assert "no such club" in run(args=["clubs", "end", code, "--yes"]).output
    ann.open(club)
    assert ann.status == 404


def test_club_tournament_is_found_and_entered_only_by_members(browser):
    ann, club = begun(browser)
    ben = joined(browser, link_of(ann, club), "Ben")
    ann.open(club)
    ann.open(next(link for link, words in ann.page.links if words.startswith("Open a tournament")))
    ann.open(next(link for link, _ in ann.page.links if "game=gops" in link and "club=" in link))
    assert "only its members can see" in ann.page.text
    ann.send(ann.page.form("/tournaments"), name="Cup", who="Ann", size="2")
    assert "For club members." in ann.page.text, ann.page.text
    ben.open(club)
    path = ben.page.link("Cup")
    ben.open(path)
    form = next(form for form in ben.page.forms if ("do", "enter", "Enter") in form.buttons)
    ben.send(form, ("do", "enter", "Enter"))
    assert "You have entered as Ben." in ben.page.text
    eve = browser()
    for address in ("", "/view", "/standings", "/draw.json", "/manage"):
        assert eve.client.get(path + address).status_code == 403, address
    eve.open(path)
    assert "for club members" in eve.page.text and "Ben" not in eve.page.text
    assert eve.client.post(path, data={"do": "enter", "name": "Eve"}).status_code == 403
    code = club.rpartition("/")[2]
    form = {"game": "gops", "size": "2", "name": "Cup", "who": "Eve", "club": code}
    assert eve.client.post("/tournaments", data=form).status_code == 403
    assert eve.client.post("/tournaments", data={**form, "club": "x" * 9999}).status_code == 403


def soon(fake_clock, days=2):
    return f"{datetime.fromtimestamp(fake_clock.time, UTC).date() + timedelta(days)}"


def planning(new_player):
    """Return the form that plans an event, and its button."""
    (found,) = [
        (form, button)
        for form in new_player.page.forms
        for button in form.buttons
        if button[1] == "plan"
    ]
    return found


def test_event_is_planned_on_the_club_page_and_answered(browser, fake_clock):
    ann, club = begun(browser)
    ben = joined(browser, link_of(ann, club), "Ben")
    ann.open(club)
    form, button = planning(ann)
    ann.send(
        form,
        button,
        game="koth",
        day=soon(fake_clock),
        time="19:30",
        zone="Africa/Nairobi",
        note="<b>at Ben’s",
    )
    assert ann.status == 200 and "King of the Hill" in ann.page.text
    ben.open(club)
    assert "16:30" in ben.page.text and "Times are in UTC" in ben.page.text
    assert "&lt;b&gt;at Ben’s" in ben.html and "planned by Ann" in ben.page.text
    assert "1 is coming: Ann" in " ".join(ben.page.text.split())
    assert "Cancel the event" not in ben.page.text
    ben.press("I will come")
    assert "2 are coming: Ann, Ben" in " ".join(ben.page.text.split())
    ben.press("I cannot come after all")
    assert "1 is coming: Ann" in " ".join(ben.page.text.split())
    ann.open(club)
    assert "19:30" in ann.page.text and "Times are in Africa/Nairobi" in ann.page.text
    ann.press("Cancel the event")
    assert "Nothing is planned." in ann.page.text


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"day": ""}, "Enter the date"),
        ({"day": "x" * 10_000}, "Enter the date"),
        ({"day": "9999-12-31"}, "within the next year"),
        ({"day": "1970-01-02"}, "That time has passed"),
        ({"time": "7 pm"}, "Enter a time"),
        ({"zone": "Mars"}, "Unknown time zone"),
        ({"game": "chess"}, "no such game"),
        ({"do": "nonsense"}, "There is no such action"),
        ({"do": "come 99999999999"}, "no longer exists"),
        ({"do": "cancel -1"}, "no longer exists"),
        ({"do": ""}, "There is no such action"),
    ],
)
def test_invalid_event_explains_and_keeps_the_input(browser, fake_clock, wrong, sentence):
    ann, club = begun(browser)
    form = {"do": "plan", "game": "gops", "day": soon(fake_clock), "time": "19:30", "zone": "UTC"}
    answer = ann.client.post(f"{club}/dates", data={**form, "note": "tea", **wrong})
    assert answer.status_code == 422 and sentence in answer.text
    if "do" not in wrong:
        assert 'value="tea"' in answer.text


def test_form_planning_a_date_sent_twice_counts_once(browser, fake_clock):
    ann, club = begun(browser)
    ann.open(club)
    form, button = planning(ann)
    for _ in range(2):
        ann.send(form, button, game="gops", day=soon(fake_clock), time="19:30", zone="UTC")
    ann.open(club)
    assert ann.page.text.count("planned by") == 1


def test_club_page_lists_its_tournaments_start_times(browser):
    ann, club = begun(browser)
    ann.open(f"/tournaments/new?game=gops&club={club[7:]}")
    ann.send(ann.page.form("/tournaments"), name="Cup", begins="60")
    ann.open(club)
    assert re.search(
        r"Cup\s+GOPS, begins in 5\d minutes|Cup\s+GOPS, begins in 60 minutes", ann.page.text
    )


def test_unknown_club_is_not_found_by_any_route(browser):
    ann, _ = begun(browser)
    for do in ("ask", "members", "name", "leave", "settings", "link"):
        answer = ann.client.post(f"/clubs/NOTACLUB/{do}", data={"name": "Ann", "do": "block x"})
        assert answer.status_code == 404, do
        assert "There is no club at this address." in answer.text


def test_club_is_shown_to_members_in_every_format(browser, service):
    ann, club = begun(browser)
    ben = joined(browser, link_of(ann, club), "Ben")
    table = ben.client.post("/tables", data={"game": "gops", "club": club[7:], "name": "Ben"})
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
    assert stranger.get("/clubs/AAAAAAAA.json").status_code == 404


def test_api_key_reads_the_players_clubs_and_changes_nothing(browser):
    ann, club = begun(browser)
    ann.open("/settings/api-keys")
    form = ann.page.form("/settings/api-keys")
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
        (400, {"begun": True}, ""),  # ahead of schedule
        (400, {"check_in_until": 900.0}, ""),  # shown instead
    ],
)
def test_tournament_start_is_announced_while_it_is_ahead(app, now, more, said):
    of = {"settings": SimpleNamespace(begins_at=1000.0), "begun": False, "check_in_until": 0.0}
    seen = SimpleNamespace(of=SimpleNamespace(**of | more), table_time=lambda now: now)
    with app.test_request_context():
        assert _begins_in(seen, now) == said
