"""The host's pages: permissions, actions, and the notices to players."""

import gzip
from inspect import getsource
from urllib.parse import quote

import pytest
from sqlalchemy import select

from kaboom.__main__ import kaboom
from kaboom.accounts.models import players
from kaboom.admin import queries, sanctions
from kaboom.admin import service as admin
from kaboom.admin.texts import due
from kaboom.db.times import DAY
from kaboom.errors import InvalidState, NotPermitted
from kaboom.ratings import maintenance
from kaboom.social.chat.service import speak
from kaboom.social.friends import queries as friends
from kaboom.tables.maintenance.cleanup import tidy
from kaboom.tables.spectators.service import let_watch

PAGES = (
    "/host", "/host/people", "/host/people/1", "/host/reports", "/host/reports/1", "/host/upkeep",
    "/host/acts",
)  # fmt: skip
FORMS = (
    "/host/people/1", "/host/reports/1", "/host/lift", "/host/upkeep", "/host/backup", "/host/link",
)  # fmt: skip


def number_of(tables, name):
    statement = select(players.c.id).where(players.c.name == name)
    return tables.database.read(lambda c: c.execute(statement).scalar())


def do(host, act, ending, sure=True, **typed):
    """Press an act's button on the host's page, and tick the confirmation box if there is one."""
    form = next(
        it
        for it in host.page.forms
        if it.action.split("#")[0].endswith(ending)
        and any(button[:2] == ("do", act) for button in it.buttons)
    )
    ticked = [("sure", "1")] if sure and ("sure", "1") in form.boxes else ()
    host.send(form, ("do", act, ""), ticked, **typed)


def acts(tables):
    return [(it.host, it.act) for it in tables.database.read(lambda c: queries.acts(c, 50))]


@pytest.mark.slow
@pytest.mark.parametrize("role", ["stranger", "player", "former"])
@pytest.mark.parametrize(
    ("method", "path"), [*(("get", it) for it in PAGES), *(("post", it) for it in FORMS)]
)
def test_host_pages_refuse_all_but_hosts(hal, browser, table, service, role, method, path):
    who = browser()
    if role == "player":
        who = table("Ann", "Ben", game="gops")[1][0]
    if role == "former":
        who = hal
        admin.remove_host(service, admin.COMMAND_LINE, number_of(service, "Hal"), "moved away")
    before = acts(service)
    answer = getattr(who.client, method)(path)
    assert answer.status_code == 403
    assert "These pages are for hosts" in answer.get_data(as_text=True)
    assert acts(service) == before


def test_permission_lists_cover_every_host_route(app):
    rules = {it.rule for it in app.url_map.iter_rules() if it.endpoint.startswith("admin.")}
    known = {it.replace("/1", "/<number:number>") for it in (*PAGES, *FORMS)}
    assert rules == known | {"/host/login/<secret>"}


def test_profile_leads_to_the_host_pages_for_hosts_only(hal, table, browser, service):
    _path, (ann, _ben) = table("Ann", "Ben", game="gops")

    def leads(who):
        who.open("/account")
        return "/host" in [address for address, _ in who.page.links]

    assert leads(hal)
    assert not leads(ann) and not leads(browser())
    admin.remove_host(service, admin.COMMAND_LINE, number_of(service, "Hal"), "moved away")
    assert not leads(hal)


@pytest.mark.parametrize("path", ["/host/people/", "/host/reports/"])
def test_unknown_number_is_reported_in_a_sentence(hal, path):
    for method in ("get", "post"):
        for number in ("999", "9" * 9, "9" * 10, "9" * 20, "٣", "-1", "1.5"):
            answer = getattr(hal.client, method)(path + number, data={"do": "note", "why": "x"})
            assert answer.status_code == 404, (method, number)
            assert "<h1>" in answer.text
    assert "has this number" in hal.client.get(f"{path}999").text


def test_host_link_admits_one_browser_once(hal, browser, service):
    assert hal.status == 200 and "Running matches" in hal.page.text
    for path in PAGES:
        if path != "/host/reports/1":
            assert hal.client.get(path).status_code == 200
    secret = admin.new_link(service)
    ann, ben = browser(), browser()
    assert ann.client.post(f"/host/login/{secret}", data={"name": "Ann"}).status_code == 303
    assert ben.client.post(f"/host/login/{secret}", data={"name": "Ben"}).status_code == 410
    assert ben.client.get("/host").status_code == 403


def test_banned_player_is_out_at_once(hal, table, service):
    path, (ann, ben) = table("Ann", "Ben", game="gops")
    ben_number = number_of(service, "Ben")
    sanctions.sanction(service, "Hal", ben_number, sanctions.OUT, "insults", 3)
    for address in (path, "/", "/account", f"{path}.json"):
        answer = ben.client.get(address)
        assert answer.status_code == 403
        assert "keeps you out until" in answer.get_data(as_text=True)
        assert "insults" in answer.get_data(as_text=True)
    assert ben.client.get(f"{path}/events").status_code == 403
    ann.open(path)
    assert "kept out" not in ann.html and "insults" not in ann.html
    assert ("Hal", "out 3 days") in acts(service)
    number = service.database.read(lambda c: queries.holding(c, 0))[0].id
    sanctions.lift(service, "Hal", number, "apology")
    assert ben.open(path) and ben.status == 200
    assert ben.page.moves()  # the same seat


def test_open_table_of_a_banned_player_reloads_as_a_page(hal, table, service):
    path, (_, ben) = table("Ann", "Ben", game="gops")
    sanctions.sanction(service, "Hal", number_of(service, "Ben"), sanctions.OUT, "insults", 3)
    answer = ben.client.get(f"{path}/view", headers={"HX-Request": "true"})
    assert answer.status_code == 403 and answer.headers["HX-Refresh"] == "true"
    page = ben.client.get(path).get_data(as_text=True)
    assert 'class="button"' not in page  # every page would answer the same


def test_reading_a_message_returns_to_the_table(hal, table, service):
    path, (_, ben) = table("Ann", "Ben", game="gops")
    sanctions.sanction(service, "Hal", number_of(service, "Ben"), sanctions.WARN, "insults")
    ben.open(path)
    assert "insults" in ben.page.text
    answer = ben.client.post("/account/messages/read", data={"read": "1", "next": path})
    assert answer.location.endswith(path)
    assert "insults" not in ben.client.get(path).get_data(as_text=True)
    elsewhere = {"read": "1", "next": "//example.org"}
    answer = ben.client.post("/account/messages/read", data=elsewhere)
    assert answer.location == "http://localhost/"


def test_banned_player_returns_when_the_ban_expires(hal, table, service, fake_clock):
    path, (_, ben) = table("Ann", "Ben", game="gops")
    sanctions.sanction(service, "Hal", number_of(service, "Ben"), sanctions.OUT, "insults", 1)
    assert ben.client.get(path).status_code == 403
    fake_clock.sleep(90000)
    tidy(service)
    assert ben.client.get(path).status_code == 200


def test_address_ban_excludes_only_newcomers(hal, table, browser, service):
    path, (ann, ben) = table("Ann", "Ben", game="gops")
    ben_number = number_of(service, "Ben")
    sanctions.sanction(service, "Hal", ben_number, sanctions.OUT, "insults", 3, by_address=True)
    assert browser().client.get("/lobby").status_code == 200  # not a player yet
    assert ben.client.get("/lobby").status_code == 403
    assert browser().client.get("/lobby").status_code == 403
    assert ann.client.get(path).status_code == 200  # existing players stay


def test_muted_player_cannot_write_and_is_notified(hal, table, service):
    path, (ann, _) = table("Ann", "Ben", game="gops")
    number, code = number_of(service, "Ann"), path.rsplit("/", 1)[1]
    sanctions.sanction(service, "Hal", number, sanctions.MUTE, "shouting", 2)
    with pytest.raises(NotPermitted, match="has muted you"):
        speak(service, code, number, "Ann", "HELLO")
    ann.open("/account")
    assert ann.status == 200
    assert "has muted you until" in ann.page.text and "shouting" in ann.page.text
    ann.press("I have read this")
    assert "shouting" not in ann.html
    ann.open("/account")
    assert "shouting" not in ann.html


def test_warned_or_renamed_player_is_told_why(hal, table, service):
    _, (ann, _) = table("Ann", "Ben", game="gops")
    number = number_of(service, "Ann")
    sanctions.sanction(service, "Hal", number, sanctions.WARN, "be kind")
    admin.rename(service, "Hal", number, "Annie", "a rude name")
    ann.open("/account")
    assert ann.status == 200
    assert "warns you" in ann.page.text and "be kind" in ann.page.text
    assert "another name" in ann.page.text
    assert number_of(service, "Annie") == number


def test_deleted_message_notifies_its_writer(hal, table, service):
    path, (ann, _) = table("Ann", "Ben", game="gops")
    code, number = path.rsplit("/", 1)[1], number_of(service, "Ann")
    speak(service, code, number, "Ann", "a bad word")
    assert "a bad word" in ann.client.get(f"{path}/talk").get_data(as_text=True)
    admin.delete_line(service, "Hal", code, 1, "rude")
    page = ann.client.get(f"{path}/talk").get_data(as_text=True)
    assert "a bad word" not in page and "rude" in page


def test_host_acts_are_listed_as_sentences(hal, table, service):
    table("Ann", "Ben", game="gops")
    sanctions.sanction(service, "Hal", number_of(service, "Ben"), sanctions.MUTE, "shouting", 2)
    admin.say(service, "Hal", "halt", "Back at 8")
    admin.say(service, "Hal", "halt", "")
    page = hal.open("/host/acts").text
    assert "Hal muted for 2 days, Ben (" in page and "“shouting”" in page
    assert "Hal stopped new tables: “Back at 8”" in page
    assert "Hal allowed new tables again" in page and "Hal became a host" in page


def test_reported_message_is_chosen_and_deleted(hal, table, service):
    path, (ann, _) = table("Ann", "Ben", game="gops")
    code, ben = path.rsplit("/", 1)[1], number_of(service, "Ben")
    for text in ("good luck", "you fool", "good luck"):
        speak(service, code, ben, "Ben", text)
    values = {"by_id": number_of(service, "Ann"), "about_id": ben, "code": code}
    values |= {"evidence": '[["about", "you fool"]]', "reason": "insults", "at": service.now()}
    service.database.write(lambda c: friends.add_report(c, values))
    hal.open("/host/reports/1")
    assert '<option value="2">you fool</option>' in hal.html and "good luck" not in hal.html
    do(hal, "line", "/reports/1", why="rude")
    assert "you fool" not in ann.client.get(f"{path}/talk").text
    assert "Delete a message" not in hal.page.text and "deleted since" in hal.page.text


def test_report_is_handled_by_forms(hal, table, service):
    path, (ann, _) = table("Ann", "Ben", game="gops")
    ann.open(f"{path}/report")
    ben_number = number_of(service, "Ben")
    me, code = number_of(service, "Ann"), path.rsplit("/", 1)[1]
    values = {"by_id": me, "about_id": ben_number, "code": code, "reason": "insults"}
    values |= {"evidence": '[["about", "you fool"]]', "at": service.now()}
    service.database.write(lambda c: friends.add_report(c, values))
    hal.open("/host/reports/1")
    assert "you fool" in hal.page.text
    do(hal, "warn", "/reports/1", why="")
    assert hal.status == 422 and "Please give a reason" in hal.page.text
    do(hal, "out", "/reports/1", sure=False, why="insults", days="3")
    assert hal.status == 422 and "Tick the box" in hal.page.text
    do(hal, "out", "/reports/1", why="insults", days="3")
    assert "Ben is kept out for 3 days." in hal.page.text
    do(hal, "close", "/reports/1", why="done")
    assert "The report is closed." in hal.page.text
    assert acts(service)[:2] == [("Hal", "close report"), ("Hal", "out 3 days")]
    hal.open("/host/reports")
    assert "End: Ben kept out until" in hal.page.text


def test_halt_refuses_new_tables_with_a_message(hal, browser, service):
    hal.open("/host/upkeep")
    hal.send(hal.page.form("/upkeep"), ("", "", ""), text="Back at 8")
    ann = browser()
    assert "Back at 8" in ann.open("/").text
    ann.open("/start/gops")
    ann.send(ann.page.form("/tables"), name="Ann")
    assert ann.status == 422 and "No new tables for now" in ann.page.text
    admin.say(service, "Hal", "halt", "")
    ann.open("/start/gops")
    ann.send(ann.page.form("/tables"), name="Ann")
    assert ann.status == 200


def test_upkeep_page_ends_a_match_and_makes_a_backup(hal, table, service):
    path, _ = table("Ann", "Ben", game="gops")
    code = path.rsplit("/", 1)[1]
    data = {"do": "end", "code": path, "why": "stuck"}
    assert hal.client.post("/host/upkeep", data=data).status_code == 422
    data["sure"] = "1"
    assert hal.client.post("/host/upkeep", data=data).status_code == 303
    assert not service.get(code).table.playing
    assert hal.client.post("/host/upkeep", data=data).status_code == 422
    answer = hal.client.post("/host/backup")
    assert gzip.decompress(answer.data).endswith(b'"end"\n')
    assert acts(service)[0] == ("Hal", "backup")


def test_match_is_not_ended_if_the_act_cannot_be_listed(table, service, monkeypatch):
    path, _ = table("Ann", "Ben", game="gops")
    code = path.rsplit("/", 1)[1]
    version = service.get(code).version

    def fails(connection, act):
        raise InvalidState("the list is full")

    monkeypatch.setattr(queries, "add_act", fails)
    with pytest.raises(InvalidState, match="the list is full"):
        admin.end_table(service, "Hal", code, "stuck")
    assert service.get(code).table.playing and service.get(code).version == version


def test_acts_cannot_be_changed_or_deleted(app):
    written = getsource(queries)
    assert "update(host_acts)" not in written and "delete(host_acts)" not in written
    methods = {it.rule: it.methods for it in app.url_map.iter_rules()}
    assert "POST" not in methods["/host/acts"]


def test_host_cannot_be_banned_and_bans_are_bounded(hal, service):
    number = number_of(service, "Hal")
    with pytest.raises(InvalidState, match="Remove them as host"):
        sanctions.sanction(service, "Hal", number, sanctions.OUT, "mistake", 3)
    with pytest.raises(InvalidState, match="number of days"):
        sanctions.sanction(service, "Hal", number, sanctions.MUTE, "mistake", 0)


def test_host_is_a_subcommand_of_kaboom():
    assert "link" in kaboom.commands["host"].commands


def test_player_is_found_by_name_or_number(hal, table, service):
    table("Ann%", "Ben", game="gops")
    number = number_of(service, "Ben")
    for search, there, absent in (
        ("be", "Ben", "Ann%"),
        ("%", "Ann%", "Ben"),
        (number, "Ben", "Ann"),
    ):
        hal.open(f"/host/people?search={quote(str(search))}")
        names = [text for _, text in hal.page.links]
        assert there in names and absent not in names
    assert "No player has this name" in hal.open("/host/people?search=zzz").text
    hal.open("/host/people")
    assert {"Ann%", "Ben", "Hal"} <= {text for _, text in hal.page.links}


def test_player_is_warned_and_renamed_and_notified(hal, table, service):
    _path, (_, ben) = table("Ann", "Ben", game="gops")
    number = number_of(service, "Ben")
    hal.open(f"/host/people/{number}")
    at = f"/people/{number}"
    do(hal, "warn", at, why="")
    assert hal.status == 422 and "Please give a reason" in hal.page.text
    do(hal, "note", at, why="keep an eye on them")
    do(hal, "warn", at, why="be kind")
    do(hal, "rename", at, why="rude", name="Benny")
    assert hal.status == 200 and "not read yet" in hal.page.text and "be kind" in hal.page.text
    page = ben.open("/account").text
    assert "be kind" in page and "another name" in page and "keep an eye" not in page
    assert [act for _, act in acts(service)[:3]] == ["rename", "warn", "note"]
    hal.open("/host/people/999")
    assert hal.status == 404


def test_expiry_and_its_act_are_one_transaction(table, service, fake_clock, monkeypatch):
    path, _ = table("Ann", "Ben", game="gops")
    code = path.rsplit("/", 1)[1]
    fake_clock.sleep(40 * 86400)

    def fails(connection, act):
        raise InvalidState("the list is full")

    with monkeypatch.context() as patched:
        patched.setattr(queries, "add_act", fails)
        with pytest.raises(InvalidState, match="the list is full"):
            admin.expire(service, "Hal", 30, "tidying")
    assert service.get(code)
    assert admin.expire(service, "Hal", 30, "tidying") == 1
    found = service.database.read(lambda c: queries.acts(c, 5))
    assert [(it.act, it.about) for it in found] == [("expire 30 days", "1 tables")]


def test_host_page_shows_charts_and_backup_warning(hal):
    hal.open("/host")
    assert "No backup yet" in hal.page.text and "All is well" not in hal.page.text
    hal.client.post("/host/backup")
    hal.open("/host")
    assert hal.html.count("<svg") == 4 and "style=" not in hal.html
    assert "No backup" not in hal.page.text


@pytest.mark.parametrize(
    ("state", "sentence"),
    [
        ((0, 3600.0, 40, 3), ""),
        ((2, 3600.0, 40, 3), "2 open reports."),
        ((0, None, 40, 3), "No backup yet."),
        ((0, 2 * DAY, 40, 3), ""),
        ((0, 3 * DAY, 40, 3), "Last backup 3 days ago."),
        ((0, 3600.0, 90, 3), "The disk is 90 % full."),
        ((0, 3600.0, 40, 95), "Nearly all open pages are taken."),
    ],
)
def test_overview_says_what_needs_attention(state, sentence):
    said = " ".join(it.sentence for it in due(*state))
    assert said.startswith(sentence) if sentence else said == ""


def test_command_line_has_every_act_of_the_pages():
    known = set(kaboom.commands["host"].commands)
    assert known >= {"acts", "end", "expire", "lift", "note", "people", "remove"}
    assert known >= {"make", "rename", "reopen", "sanction", "say", "void"}


def test_only_host_cannot_remove_themselves(hal, browser, service):
    number = number_of(service, "Hal")
    hal.open("/host/upkeep")
    do(hal, "remove", "/upkeep", sure=False, why="moving")
    assert hal.status == 422 and "Tick the box" in hal.page.text
    do(hal, "remove", "/upkeep", why="moving")
    assert hal.status == 422
    assert "You are the only host. Invite another first." in hal.page.text
    with pytest.raises(InvalidState, match="only host"):
        admin.remove_host(service, "Hal", number, "moving")
    eve = browser()
    hal.open("/host/upkeep")
    hal.press("Make a link for a new host")
    link = hal.html.split('id="link" value="')[1].split('"')[0]
    eve.open(link[link.index("/host/") :])
    eve.send(eve.page.forms[0], name="Eve")
    assert "Welcome: you are a host" in eve.page.text
    hal.open("/host/upkeep")
    do(hal, "remove", "/upkeep", why="moving")
    assert hal.status == 403 and 'href="/login"' in hal.html
    assert [act for _, act in acts(service)[:3]] == ["removed host", "became host", "host link"]
    assert acts(service)[2][0] == "Hal"


def test_player_is_made_a_host_on_their_page(hal, table, service):
    _path, (_, ben) = table("Ann", "Ben", game="gops")
    number = number_of(service, "Ben")
    hal.open(f"/host/people/{number}")
    do(hal, "host", f"/people/{number}", sure=False, why="helps")
    assert hal.status == 422 and ben.client.get("/host").status_code == 403
    do(hal, "host", f"/people/{number}", why="helps")
    assert "Ben is a host of this server now." in hal.page.text
    assert ben.client.get("/host").status_code == 200
    assert acts(service)[0] == ("Hal", "made host")
    with pytest.raises(InvalidState, match="already a host"):
        admin.make_host(service, "Hal", number, "again")


def test_page_agrees_with_what_a_host_just_did(app, hal, service, monkeypatch):
    monkeypatch.setattr(app, "testing", False)  # with the cache
    hal.open("/host/upkeep")
    hal.send(hal.page.form("/upkeep"), text="Back at 8")
    assert "No table can be opened now" in hal.page.text and hal.html.count("Back at 8") >= 2
    hal.open("/host")
    assert "New tables are stopped." in hal.page.text and "All is well" not in hal.page.text
    hal.press("Allow new tables again")
    assert "Tables can be opened again." in hal.page.text and "Back at 8" not in hal.html
    assert "Running matches" in hal.page.text  # still the overview


def test_renamed_player_has_the_new_name_at_their_tables(hal, table, service):
    path, (ann, ben) = table("Ann", "Ben", game="gops")
    code, number = path.rsplit("/", 1)[1], number_of(service, "Ben")
    speak(service, code, number, "Ben", "hello")
    ann.open(path)
    version, touched = service.get(code).version, service.get(code).touched_at
    admin.rename(service, "Hal", number, "Ann", "rude")
    snapshot = service.get(code)
    assert snapshot.version > version and snapshot.touched_at == touched
    assert snapshot.table.seats[1] == snapshot.table.occupant(1).name == "Ann 2"
    admin.rename(service, "Hal", number, "Benny", "rude")
    assert "Benny" in ann.open(path).text and "Ben " not in ann.page.text
    assert "Benny" in ann.open(f"{path}/talk").text
    assert "another name: Benny." in ben.open("/account").text
    hal.open("/host/people?search=ben")
    assert "Benny" in hal.page.text
    found = service.database.read(lambda c: queries.people(c, "ann", 9))
    assert "Benny" in [it.name for it in found]  # by a former name
    assert "formerly Ben" in " ".join(hal.open(f"/host/people/{number}").text.split())
    admin.end_table(service, "Hal", code, "stuck")
    record = ann.open(f"/m/{snapshot.table.record}")
    assert ann.status == 200 and "Benny" in record.text and "Not genuine" not in record.text


def test_match_is_taken_out_by_its_link(hal, table, service, monkeypatch):
    path, (ann, _) = table("Ann", "Ben", game="gops")
    code = service.get(path.rsplit("/", 1)[1]).table.record
    admin.end_table(service, "Hal", path.rsplit("/", 1)[1], "stuck")
    hal.open(f"/m/{code}")
    assert f"/host/upkeep?do=void&code={code}#act-void" in hal.html.replace("&amp;", "&")
    hal.open(f"/host/upkeep?do=void&code={code}")
    assert hal.html.count(f'value="{code}"') == 1
    do(hal, "void", "/upkeep", why="cheat", code="ABCDEFGH")
    assert hal.status == 404 and "There is no match ABCDEFGH." in hal.page.text
    assert hal.html.count('value="ABCDEFGH"') == 1  # not in the other form
    do(hal, "void", "/upkeep", why="cheat", code=code)
    assert hal.status == 422 and "This match was not rated." in hal.page.text
    assert "taken this match out" not in ann.open(f"/m/{code}").text
    monkeypatch.setattr(maintenance, "void", lambda c, code: 2)
    do(hal, "void", "/upkeep", why="cheat", code=f"https://example.org/m/{code}/3")
    assert "The match no longer counts" in hal.page.text
    do(hal, "void", "/upkeep", why="cheat", code=code.lower())
    assert hal.status == 422 and "already been taken out" in hal.page.text
    assert "taken this match out of the ratings" in ann.open(f"/m/{code}").text


def test_unused_tables_are_counted_before_deletion(hal, table, service, fake_clock):
    table("Ann", "Ben", game="gops")
    hal.open("/host/upkeep")
    do(hal, "expire", "/upkeep", why="tidying", days="30")
    assert "0 tables not used for 30 days." in hal.page.text
    do(hal, "expire", "/upkeep", why="tidying")
    assert "0 tables deleted." in hal.page.text
    fake_clock.sleep(40 * DAY)
    do(hal, "expire", "/upkeep", why="tidying", days="30")
    assert "Nothing is deleted yet: 1 table would be." in hal.page.text
    do(hal, "expire", "/upkeep", why="tidying")
    assert "1 table deleted." in hal.page.text


def test_report_has_its_notes_and_can_be_reopened(hal, table, service):
    path, _ = table("Ann", "Ben", game="gops")
    code, ben = path.rsplit("/", 1)[1], number_of(service, "Ben")
    values = {"by_id": number_of(service, "Ann"), "about_id": ben, "code": code}
    values |= {"evidence": '[["about", "you fool", 1800000000.0]]', "reason": "insults"}
    service.database.write(lambda c: friends.add_report(c, values | {"at": service.now()}))
    hal.open("/host/reports/1")
    assert "2027-01-15" in hal.page.text.replace("\u2060", "") and path in hal.html
    do(hal, "note", "/reports/1", why="watch them")
    assert "Note by Hal" in hal.page.text and "watch them" in hal.page.text
    assert "watch them" in hal.open(f"/host/people/{ben}").text
    hal.open("/host/reports/1")
    do(hal, "close", "/reports/1", why="talked to them")
    assert "Closed by Hal" in hal.page.text and "talked to them" in hal.page.text
    do(hal, "reopen", "/reports/1", why="again")
    assert "Closed by" not in hal.page.text
    assert acts(service)[0] == ("Hal", "reopen report")
    sanctions.sanction(service, "Hal", ben, sanctions.MUTE, "shouting", 2)
    marked = " ".join(hal.open("/host/people").text.split())
    assert "Ben muted reported" in marked and "Hal host" in marked
    admin.rename(service, "Hal", ben, "Benny", "rude")
    assert "then called Ben" in hal.open("/host/reports/1").text


def test_sanction_is_ended_on_the_page_of_the_player(hal, table, service):
    table("Ann", "Ben", game="gops")
    number = number_of(service, "Ben")
    sanctions.sanction(service, "Hal", number, sanctions.MUTE, "shouting.", 2)
    hal.open(f"/host/people/{number}")
    assert "End: Ben muted" in hal.page.text
    do(hal, "lift", "/lift", why="")
    assert hal.status == 422 and hal.page.title.startswith("Ben")
    do(hal, "lift", "/lift", why="apology")
    assert "Ben is no longer muted." in hal.page.text and "End: Ben" not in hal.page.text
    assert "Hal unmuted Ben (" in hal.open("/host/acts").text


def test_match_is_ended_where_it_is_listed(hal, table, service):
    path, _ = table("Ann", "Ben", game="gops")
    hal.open("/host")
    assert "Ann, Ben" in hal.page.text and path in [link for link, _ in hal.page.links]
    do(hal, "end", "/upkeep", sure=False, why="stuck")
    assert hal.status == 422 and "Running matches" in hal.page.text
    do(hal, "end", "/upkeep", why="stuck")
    assert "ended without a result" in hal.page.text and "Running matches" in hal.page.text


def test_spectators_see_the_new_name_with_their_delay(hal, table, browser, service, fake_clock):
    path, _ = table("Ann", "Ben", game="gops")
    code, number = path.rsplit("/", 1)[1], number_of(service, "Ben")
    let_watch(service, code, service.get(code).table.host, 5)
    fake_clock.sleep(600)
    eve = browser()
    assert "Ben" in eve.open(path).text
    admin.rename(service, "Hal", number, "Zoe", "rude")
    assert "Zoe" in eve.open(path).text and "Ben" not in eve.page.text
