"""The host's pages: permissions, actions, and the notices to players."""

import gzip
import re
from dataclasses import replace
from datetime import UTC, datetime
from inspect import getsource
from pathlib import Path
from urllib.parse import quote

import pytest
from sqlalchemy import select

from kaboom.__main__ import kaboom
from kaboom.accounts.erase import erase_player
from kaboom.accounts.models import players
from kaboom.admin import evidence, match_queries, queries, routes, sanctions, upkeep_routes
from kaboom.admin import service as admin
from kaboom.admin.cache import ALL, ORDERED, holding
from kaboom.admin.cli import host
from kaboom.admin.texts import _ACTS, KINDS_OF_ACTS, due, sentence_of_act
from kaboom.cli.maintenance import reports as report_commands
from kaboom.db.times import DAY
from kaboom.errors import InvalidState, NotPermitted
from kaboom.notifications import channels
from kaboom.notifications.outbox import Outbox
from kaboom.ratings import maintenance
from kaboom.social.chat.service import speak
from kaboom.social.clubs.models import members
from kaboom.social.friends import queries as friends
from kaboom.social.friends import reports
from kaboom.tables.maintenance.cleanup import tidy
from kaboom.tables.spectators.service import let_watch
from kaboom.web.links import typed_code
from tests.ratings.test_routes import sit_again, wants
from tests.review.test_routes import begins, comes, types
from tests.support.finished_matches import finish

PAGES = (
    "/host", "/host/people", "/host/people/1", "/host/reports", "/host/reports/1", "/host/upkeep",
    "/host/messages", "/host/matches", "/host/hosts", "/host/backup", "/host/link", "/host/acts",
)  # fmt: skip
FORMS = (
    "/host/people/1", "/host/reports/1", "/host/lift", "/host/change", "/host/upkeep",
    "/host/backup", "/host/link",
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
    ticked = [*form.ticked, ("sure", "1")] if sure and ("sure", "1") in form.boxes else ()
    host.send(form, ("do", act, ""), ticked, **typed)


def say(host, kind, text):
    form = next(it for it in host.page.forms if it.hidden.get("do") == kind)
    form.hidden["text"] = ""  # a text area
    host.send(form, form.buttons[0], text=text)


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


def test_profile_links_to_the_host_pages_for_hosts_only(hal, table, browser, service):
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
        if path not in ("/host/reports/1", "/host/link"):
            assert hal.client.get(path).status_code == 200
    secret = admin.new_link(service)
    ann, ben = browser(), browser()
    assert ann.client.post(f"/host/login/{secret}", data={"name": "Ann"}).status_code == 303
    assert ben.client.post(f"/host/login/{secret}", data={"name": "Ben"}).status_code == 410
    assert ben.client.get("/host").status_code == 403


def test_banned_player_is_locked_out_at_once(hal, table, service):
    path, (ann, ben, _) = table("Ann", "Ben", "Cid", game="karata")
    ben_number = number_of(service, "Ben")
    sanctions.sanction(service, "Hal", ben_number, sanctions.OUT, "insults", 3)
    for address in (path, "/", "/account", f"{path}.json"):
        answer = ben.client.get(address)
        assert answer.status_code == 403
        assert "has banned you until" in answer.get_data(as_text=True)
        assert "insults" in answer.get_data(as_text=True)
    assert ben.client.get(f"{path}/events").status_code == 403
    ann.open(path)
    assert "banned" not in ann.html and "insults" not in ann.html
    assert ("Hal", "out 3 days") in acts(service)
    number = service.database.read(lambda c: queries.holding(c, 0))[0].id
    sanctions.lift(service, "Hal", number, "apology")
    assert ben.open(path) and ben.status == 200
    assert service.get(path[3:]).table.seat_of(ben_number) == 1  # the same seat


def test_match_of_a_banned_player_goes_on_as_if_they_had_left(hal, table, service, fake_clock):
    path, people = table("Ann", "Ben", "Cid", game="karata")
    code = path[3:]
    before = service.get(code)
    turn = next(seat for seat, prompt in enumerate(before.prompts) if prompt.waited_for)
    banned = before.table.occupant(turn)
    sanctions.sanction(service, "Hal", banned.player, sanctions.OUT, "insults", 3)
    while service.run_due(code):
        fake_clock.sleep(5)
    after = service.get(code)
    assert after.table.playing and not after.prompts[turn].waited_for
    assert any(prompt.waited_for for prompt in after.prompts)
    witness = people[(turn + 1) % 3]
    witness.open(path)
    assert f"{banned.name} has left" in witness.page.text and "banned" not in witness.html


def test_ban_ends_a_match_of_two_as_leaving_does(hal, table, service):
    path, (ann, _ben) = table("Ann", "Ben", game="gops")
    sanctions.sanction(service, "Hal", number_of(service, "Ben"), sanctions.OUT, "insults", 3)
    found = service.get(path[3:]).table
    assert not found.playing and found.outcome.winners == (0,)
    ann.open(path)
    assert "banned" not in ann.html


def test_banned_player_loses_a_seat_where_no_match_is_running(hal, table, service):
    path, _ = table("Ann", "Ben", game="gops", ready=False)
    sanctions.sanction(service, "Hal", number_of(service, "Ben"), sanctions.OUT, "insults", 3)
    assert [chair and chair.name for chair in service.get(path[3:]).table.chairs] == ["Ann", None]


def test_open_table_of_a_banned_player_reloads_as_the_ban_page(hal, table, service):
    path, (_, ben) = table("Ann", "Ben", game="gops")
    sanctions.sanction(service, "Hal", number_of(service, "Ben"), sanctions.OUT, "insults", 3)
    answer = ben.client.get(f"{path}/view", headers={"HX-Request": "true"})
    assert answer.status_code == 403 and answer.headers["HX-Refresh"] == "true"
    page = ben.client.get(path).get_data(as_text=True)
    assert "Try again" in page and "Error 403" not in page
    assert "web/try_again.js" in page and ben.client.head(path).status_code == 403
    assert "web/try_again.js" not in ben.client.get("/nowhere").get_data(as_text=True)


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


def test_ip_address_ban_excludes_only_newcomers(hal, table, browser, service):
    path, (ann, ben) = table("Ann", "Ben", game="gops")
    ben_number = number_of(service, "Ben")
    sanctions.sanction(service, "Hal", ben_number, sanctions.OUT, "insults", 3, by_address=True)
    assert browser().client.get("/lobby").status_code == 200  # not a player yet
    assert ben.client.get("/lobby").status_code == 403
    newcomer = browser().client
    assert newcomer.get("/lobby").status_code == 403
    assert newcomer.get("/healthz").status_code == newcomer.get("/readyz").status_code == 200
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


def test_warned_or_renamed_player_sees_the_reason(hal, table, service):
    _, (ann, _) = table("Ann", "Ben", game="gops")
    number = number_of(service, "Ann")
    sanctions.sanction(service, "Hal", number, sanctions.WARN, "be kind")
    admin.rename(service, "Hal", number, "Annie", "a rude name")
    ann.open("/account")
    assert ann.status == 200
    assert "warns you" in ann.page.text and "be kind" in ann.page.text
    assert "another name" in ann.page.text
    assert number_of(service, "Annie") == number


def test_author_of_a_deleted_message_sees_the_reason(hal, table, service):
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
    assert "Hal muted Ben for 2 days: “shouting”" in page
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
    assert "you fool" in hal.page.text and "good luck" not in hal.page.text
    do(hal, "line", "/reports/1", sure=False, why="rude")
    assert hal.status == 422 and "data-wrong" in hal.html and "Tick the box" in hal.page.text
    do(hal, "line", "/reports/1", why="rude")
    assert "you fool" not in ann.client.get(f"{path}/talk").text
    assert "Delete …" not in hal.page.text and "deleted since" in hal.page.text
    assert "Hal deleted a message of Ben at table" in hal.page.text


def test_report_is_handled_through_forms(hal, table, service):
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
    do(hal, "out", "/reports/1", why="insults", days="4", **{"for": "3"})
    assert hal.status == 422 and "3 is chosen, but 4 typed" in hal.page.text
    do(hal, "out", "/reports/1", why="insults", **{"for": "3", "days": ""})
    assert "Ben is banned for 3 days." in hal.page.text
    assert "The report is closed." in hal.page.text  # as ticked
    assert acts(service)[:2] == [("Hal", "close report"), ("Hal", "out 3 days")]
    assert "“Banned: insults”" in hal.page.text
    hal.open("/host/reports")
    assert "Banned until" in hal.page.text and "Unban Ben" in hal.page.text


def test_halt_refuses_new_tables_with_a_message(hal, browser, service):
    hal.open("/host/messages")
    say(hal, "halt", "Back at 8")
    ann = browser()
    assert "Back at 8" in ann.open("/").text
    assert "<button disabled>Start a table" in ann.html
    assert not re.search(r'<button class="quiet" name="game" value="\w+">', ann.html)
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


def test_host_cannot_be_banned_and_sanctions_need_valid_days(hal, service):
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
    assert "No player found" in hal.open("/host/people?search=zzz").text
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
    assert hal.html.count("<svg") == 2 and "style=" not in hal.html
    assert "No backup" not in hal.page.text


@pytest.mark.parametrize(
    ("state", "sentence"),
    [
        ((0, 3600.0, 40, 3), ""),
        ((2, 3600.0, 40, 3), "2 open reports."),
        ((0, None, 40, 3), "No backup yet."),
        ((0, 2 * DAY, 40, 3), ""),
        ((0, 3 * DAY, 40, 3), "The last backup is 3 days old."),
        ((0, 3600.0, 90, 3), "The disk is 90% full."),
        ((0, 3600.0, 40, 95), "Nearly all open pages are taken."),
    ],
)
def test_overview_lists_what_needs_attention(state, sentence):
    said = " ".join(it.sentence for it in due(*state))
    assert said.startswith(sentence) if sentence else said == ""


def test_command_line_offers_every_act_of_the_pages():
    known = set(kaboom.commands["host"].commands)
    assert known >= {"acts", "change", "end", "expire", "lift", "matches", "note", "people"}
    assert known >= {"remove"}
    assert known >= {
        "delete",
        "links",
        "make",
        "rename",
        "reopen",
        "sanction",
        "sanctions",
        "say",
        "void",
        "withdraw",
    }


def test_only_host_cannot_remove_themselves(hal, browser, service):
    number = number_of(service, "Hal")
    hal.open("/host/hosts")
    assert "The only host." in hal.page.text and "as host …" not in hal.page.text
    with pytest.raises(InvalidState, match="only host"):
        admin.remove_host(service, "Hal", number, "moving")
    eve = browser()
    hal.open("/host/hosts")
    hal.press("Make a link for a new host")
    link = re.search(r"<textarea id=\"link\"[^>]*>([^<]+)<", hal.html)[1]
    eve.open(link[link.index("/host/") :])
    eve.send(eve.page.forms[0], name="Eve")
    assert "Welcome: you are a host" in eve.page.text
    hal.open("/host/hosts")
    do(hal, "remove", "/upkeep", sure=False, why="moving")
    assert hal.status == 422 and "Tick the box" in hal.page.text
    do(hal, "remove", "/upkeep", why="moving")
    assert hal.status == 403 and 'href="/login"' in hal.html
    assert "You are not a host any more." in hal.page.text
    assert "no longer a host" not in hal.open("/").text  # as they know
    assert [act for _, act in acts(service)[:3]] == ["removed host", "became host", "host link"]
    assert acts(service)[2][0] == "Hal"


def test_player_is_made_a_host_on_their_page(hal, table, service):
    _path, (_, ben) = table("Ann", "Ben", game="gops")
    number = number_of(service, "Ben")
    hal.open(f"/host/people/{number}")
    do(hal, "host", f"/people/{number}", sure=False, why="helps")
    assert hal.status == 422 and ben.client.get("/host").status_code == 403
    do(hal, "host", f"/people/{number}", why="helps")
    assert "Ben is now a host of this server, and has been told so." in hal.page.text
    assert ben.client.get("/host").status_code == 200
    assert acts(service)[0] == ("Hal", "made host")
    with pytest.raises(InvalidState, match="already a host"):
        admin.make_host(service, "Hal", number, "again")


def test_page_agrees_with_what_a_host_just_did(app, hal, service, monkeypatch):
    monkeypatch.setattr(app, "testing", False)  # with the cache
    hal.open("/host/messages")
    say(hal, "halt", "Back at 8")
    assert "No table can be opened now" in hal.page.text and hal.html.count("Back at 8") >= 2
    hal.open("/host")
    assert "New tables are stopped." in hal.page.text and "All is well" not in hal.page.text
    hal.press("Allow new tables again")
    assert "Tables can be opened again." in hal.page.text and "“Back at 8”" not in hal.html
    assert "Running matches" in hal.page.text  # still the overview


def test_header_agrees_with_what_a_host_just_did(app, hal, table, service, monkeypatch):
    path, _ = table("Ann", "Ben", game="gops")
    for _unused in range(2):
        report(service, number_of(service, "Ben"), path.rsplit("/", 1)[1])
    monkeypatch.setattr(app, "testing", False)  # with the cache
    hal.open("/host/reports/2")
    for left in ("Open reports: 1", ""):
        do(hal, "close", hal.page.forms[-1].action.split("#")[0], why="talked to them")
        said = " ".join(hal.page.text.split())
        assert left in said if left else "Open reports" not in said
        if left:
            (following,) = [to for to, words in hal.page.links if words == "Next open report"]
            hal.open(following)
    assert "Next open report" not in hal.page.text


def test_host_page_says_when_a_banned_player_reads_the_reason(hal, table, service):
    table("Ann", "Ben", game="gops")
    number = number_of(service, "Ben")
    sanctions.sanction(service, "Hal", number, sanctions.OUT, "insults", 3)
    hal.open(f"/host/people/{number}")
    do(hal, "rename", f"/people/{number}", why="rude", name="Benny")
    assert "reads your reason once the ban ends" in hal.page.text


def test_renamed_player_has_the_new_name_at_their_tables(hal, table, service):
    path, (ann, ben) = table("Ann", "Ben", game="gops")
    code, number = path.rsplit("/", 1)[1], number_of(service, "Ben")
    speak(service, code, number, "Ben", "hello")
    ann.open(path)
    version, touched = service.get(code).version, service.get(code).touched_at
    with pytest.raises(InvalidState, match="is already called ann"):
        admin.rename(service, "Hal", number, "ann", "rude")
    admin.rename(service, "Hal", number, "Bob", "rude")
    snapshot = service.get(code)
    assert snapshot.version > version and snapshot.touched_at == touched
    assert snapshot.table.seats[1] == snapshot.table.occupant(1).name == "Bob"
    admin.rename(service, "Hal", number, "Benny", "rude")
    assert "Benny" in ann.open(path).text and "Ben " not in ann.page.text
    assert "Benny" in ann.open(f"{path}/talk").text
    assert "another name: Benny." in ben.open("/account").text
    hal.open("/host/people?search=ben")
    assert "Benny" in hal.page.text
    found = service.database.read(lambda c: queries.people(c, "bob", 9))
    assert "Benny" in [it.name for it in found]  # by a former name
    assert "formerly Ben" in " ".join(hal.open(f"/host/people/{number}").text.split())
    admin.end_table(service, "Hal", code, "stuck")
    record = ann.open(f"/m/{snapshot.table.record}")
    assert ann.status == 200 and "Benny" in record.text and "Not genuine" not in record.text


def test_match_is_removed_from_the_ratings_by_its_link(hal, table, service, monkeypatch):
    path, (ann, _) = table("Ann", "Ben", game="gops")
    code = service.get(path.rsplit("/", 1)[1]).table.record
    admin.end_table(service, "Hal", path.rsplit("/", 1)[1], "stuck")
    assert "#act-void" not in hal.open(f"/m/{code}").text and "#act-void" not in hal.html
    monkeypatch.setattr("kaboom.ratings.queries.counted", lambda c, codes: set(codes))
    hal.open(f"/m/{code}")
    link = f"/host/matches?search={code}&do=void&id=void-{code}"
    assert f"{link}#act-void-{code}" in hal.html.replace("&amp;", "&")
    ann.open(f"/m/{code}")
    assert "#act-void" not in ann.html
    hal.open(link)
    assert f'id="act-void-{code}" open>' in hal.html
    do(hal, "void", "/upkeep", why="cheat", code="ABCDEFGH")
    assert hal.status == 404 and "There is no match ABCDEFGH." in hal.page.text
    assert f'name="search" type="search" value="{code}"' in hal.html  # still the search
    do(hal, "void", "/upkeep", why="cheat", code=code)
    assert hal.status == 422 and "This match was not rated." in hal.page.text
    assert "taken this match out" not in ann.open(f"/m/{code}").text
    monkeypatch.setattr(maintenance, "void", lambda c, code: 2)
    do(hal, "void", "/upkeep", why="cheat", code=f"https://example.org/m/{code}/3")
    assert f"Match {code} no longer counts" in hal.page.text
    do(hal, "void", "/upkeep", why="cheat", code=code.lower())
    assert hal.status == 422 and "already been taken out" in hal.page.text
    assert "taken this match out of the ratings" in ann.open(f"/m/{code}").text


def test_unused_tables_are_counted_before_deletion(hal, table, service, fake_clock):
    table("Ann", "Ben", game="gops")
    hal.open("/host/matches")
    do(hal, "expire", "/upkeep", why="tidying", days="1")
    assert "No table has been unused for 1 day." in hal.page.text
    assert "Delete 0" not in hal.page.text
    fake_clock.sleep(40 * DAY)
    do(hal, "expire", "/upkeep", why="tidying", days="30")
    assert "1 table not used for 30 days. Nothing is deleted yet." in hal.page.text
    do(hal, "expire", "/upkeep", why="tidying")
    assert "1 table deleted." in hal.page.text


def test_report_keeps_its_notes_and_can_be_reopened(hal, table, service):
    path, _ = table("Ann", "Ben", game="gops")
    code, ben = path.rsplit("/", 1)[1], number_of(service, "Ben")
    values = {"by_id": number_of(service, "Ann"), "about_id": ben, "code": code}
    values |= {"evidence": '[["about", "you fool", 1800000000.0]]', "reason": "insults"}
    service.database.write(lambda c: friends.add_report(c, values | {"at": service.now()}))
    hal.open("/host/reports/1")
    assert "2027-01-15" in hal.page.text and path in hal.html
    assert "No report" not in hal.page.text and "Never sanctioned." in hal.page.text
    do(hal, "note", "/reports/1", why="watch them")
    assert "Hal added a note about report 1: “watch them”" in hal.page.text
    assert "watch them" in hal.open(f"/host/people/{ben}").text
    hal.open("/host/reports/1")
    do(hal, "close", "/reports/1", why="talked to them")
    assert "Closed just now by Hal: “talked to them”" in " ".join(hal.page.text.split())
    do(hal, "reopen", "/reports/1", why="again")
    assert "Closed just now" not in hal.page.text
    assert "Reopened just now by Hal: “again”" in " ".join(hal.page.text.split())
    assert acts(service)[0] == ("Hal", "reopen report")
    sanctions.sanction(service, "Hal", ben, sanctions.MUTE, "shouting", 2)
    assert "Never sanctioned." not in hal.open("/host/reports/1").text
    marked = " ".join(hal.open("/host/people").text.split())
    assert "Ben muted reported Muted until" in marked and "UTC: “shouting”" in marked
    assert "Hal host" in marked
    admin.rename(service, "Hal", ben, "Benny", "rude")
    assert "then called Ben" in hal.open("/host/reports/1").text


def test_sanction_is_ended_on_the_players_page(hal, table, service):
    table("Ann", "Ben", game="gops")
    number = number_of(service, "Ben")
    sanctions.sanction(service, "Hal", number, sanctions.MUTE, "shouting.", 2)
    hal.open(f"/host/people/{number}")
    assert re.search(
        r"Muted until [-\d: ]+UTC “shouting\.” By Hal\.", " ".join(hal.page.text.split())
    )
    assert "Unmute Ben" in hal.page.text and "Change the mute" in hal.page.text
    do(hal, "lift", "/lift", why="")
    assert hal.status == 422 and hal.page.title.startswith("Ben")
    do(hal, "lift", "/lift", why="apology")
    assert "Ben is no longer muted." in hal.page.text and "Unmute" not in hal.page.text
    assert "Hal unmuted Ben: “apology”" in hal.open("/host/acts").text


def test_match_is_ended_where_it_is_listed(hal, table, service):
    path, _ = table("Ann", "Ben", game="gops")
    hal.open("/host")
    assert "Ann, Ben" in hal.page.text and path in [link for link, _ in hal.page.links]
    do(hal, "end", "/upkeep", sure=False, why="stuck")
    assert hal.status == 422 and "Running matches" in hal.page.text
    do(hal, "end", "/upkeep", why="stuck")
    assert "ended without a result" in hal.page.text and "Running matches" in hal.page.text


def test_spectators_see_the_new_name_after_their_delay(hal, table, browser, service, fake_clock):
    path, _ = table("Ann", "Ben", game="gops")
    code, number = path.rsplit("/", 1)[1], number_of(service, "Ben")
    let_watch(service, code, service.get(code).table.host, 5)
    fake_clock.sleep(600)
    eve = browser()
    assert "Ben" in eve.open(path).text
    admin.rename(service, "Hal", number, "Zoe", "rude")
    assert "Zoe" in eve.open(path).text and "Ben" not in eve.page.text


def test_host_act_is_sent_at_once_with_the_tables_chat(hal, app, table, service):
    path, (ann, ben) = table("Ann", "Ben", game="gops")
    number = number_of(service, "Ben")
    rung = []
    subscription = app.extensions["kaboom.hub"].subscribe(path.rsplit("/", 1)[1])
    subscription.call(lambda: rung.append(1))

    def room(who):
        return who.client.get(f"{path}/room?n=0", headers={"HX-Request": "true"}).text

    quiet = re.search(r'id="room-n" name="n" value="(\d+)"', room(ben))[1]
    sanctions.sanction(service, "Hal", number, sanctions.WARN, "be kind")
    assert rung
    said = room(ben)
    assert "be kind" in said and 'data-hx-swap-oob="outerMorph"' in said
    assert f'value="{quiet}"' not in said and "be kind" not in room(ann)
    ben.client.post("/account/messages/read", data={"read": "1", "next": path})
    assert "be kind" not in room(ben)
    sanctions.sanction(service, "Hal", number, sanctions.MUTE, "shouting", 2)
    said = room(ben)
    assert "has muted you until" in said and 'name="text"' not in said  # nothing to type in
    muted = service.database.read(lambda c: queries.holding(c, 0))[0].id
    sanctions.lift(service, "Hal", muted, "apology")
    assert "has muted you" not in room(ben) and 'name="text"' in room(ben)
    subscription.close()


def test_stream_of_a_banned_player_ends_with_bye(hal, app, table, service):
    path, (_, ben) = table("Ann", "Ben", game="gops")
    with app.test_request_context():
        answer = ben.client.get(f"{path}/events", buffered=False)
    messages = iter(answer.response)
    assert "event:table" in next(messages).decode()
    sanctions.sanction(service, "Hal", number_of(service, "Ben"), sanctions.OUT, "insults", 3)
    last = next(messages).decode()
    assert last.index("event:room") < last.index("event:bye")
    answer = ben.client.get(f"{path}/room?n=0", headers={"HX-Request": "true"})
    assert answer.status_code == 403 and answer.headers["HX-Refresh"] == "true"


def test_players_of_an_ended_match_read_who_ended_it_and_why(hal, table, service):
    path, (ann, _) = table("Ann", "Ben", game="gops")
    admin.end_table(service, "Hal", path.rsplit("/", 1)[1], "a stuck match")
    page = ann.open(path).text
    assert "has ended your match of GOPS with Ben, at table" in page and "a stuck match" in page
    record = ann.open(f"/m/{service.get(path.rsplit('/', 1)[1]).table.record}").text
    assert "The server’s host has ended it." in record


def test_url_alone_reports_no_act(hal, table, service, fake_clock):
    table("Ann", "Ben", game="gops")
    at = f"/host/people/{number_of(service, 'Ben')}"
    fake_clock.sleep(120)
    assert "is banned" not in hal.open(f"{at}?done=out&n=7").text
    sanctions.sanction(service, "Eve", number_of(service, "Ben"), sanctions.WARN, "be kind")
    assert "is warned" not in hal.open(f"{at}?done=1").text  # another host
    do(hal, "warn", at.removeprefix("/host"), why="be kind")
    assert "Ben is warned" in hal.page.text
    fake_clock.sleep(120)
    assert "Ben is warned" not in hal.open(f"{at}?done=1").text


def test_report_shows_past_acts_and_is_closed_with_an_act(hal, table, service):
    path, _ = table("Ann", "Ben", game="gops")
    code, ben = path.rsplit("/", 1)[1], number_of(service, "Ben")
    values = {"by_id": number_of(service, "Ann"), "about_id": ben, "code": code}
    values |= {"evidence": "[]", "reason": "insults", "at": service.now()}
    for _unused in range(2):
        service.database.write(lambda c: friends.add_report(c, values))
    sanctions.sanction(service, "Eve", ben, sanctions.WARN, "be kind")
    hal.open("/host/reports/1")
    assert "2 reports in the last 90 days, 2 open. Before: warned once." in hal.page.text
    assert "Eve warned Ben: “be kind”" in hal.page.text and "not read yet" in hal.page.text
    assert "Other reports about Ben" in hal.page.text and "Reports 2 open" in hal.page.text
    form = next(it for it in hal.page.forms if ("do", "mute") in [b[:2] for b in it.buttons])
    hal.send(form, ("do", "mute", ""), [("close", "1"), ("for", "1")], why="again")
    assert "Ben is muted for 1 day" in hal.page.text
    assert "The report is closed." in hal.page.text and "Reports 1 open" in hal.page.text
    assert "Muted until" in hal.page.text and "Unmute Ben" in hal.page.text
    with pytest.raises(InvalidState, match="already muted"):
        sanctions.sanction(service, "Eve", ben, sanctions.MUTE, "me too", 1)


def test_acts_can_be_filtered_by_host_or_player(hal, table, service):
    table("Ann", "Ben", game="gops")
    ann, ben = (number_of(service, name) for name in ("Ann", "Ben"))
    sanctions.sanction(service, "Hal", ben, sanctions.WARN, "be kind")
    sanctions.sanction(service, "Eve", ann, sanctions.WARN, "be quiet")
    everything = hal.open("/host/acts").text
    assert "be kind" in everything and "be quiet" in everything
    assert f"/host/people/{ben}" in [link for link, _ in hal.page.links]
    assert "be kind" not in hal.open("/host/acts?by=Eve").text and "be quiet" in hal.page.text
    assert "be quiet" not in hal.open(f"/host/acts?about={ben}").text
    assert "be kind" in hal.page.text
    for odd in ("٣", "9" * 30, "x", "-1"):
        assert hal.client.get(f"/host/acts?about={odd}").status_code == 200


def test_players_can_be_filtered_by_sanction(hal, table, service):
    table("Ann", "Ben", game="gops")
    sanctions.sanction(service, "Hal", number_of(service, "Ben"), sanctions.MUTE, "shouting", 2)
    hal.open("/host/people?only=muted")
    names = [text for _, text in hal.page.links]
    assert "Ben" in names and "Ann" not in names
    assert "No player found" in hal.open("/host/people?only=banned").text


@pytest.mark.parametrize(
    ("act", "about", "sentence"),
    [
        ("warn", "Ben (2)", "warned Ben"),
        ("mute 1 days", "Ben (2)", "muted Ben for 1 day"),
        ("out 7 days", "Ben (2)", "banned Ben for 7 days"),
        ("rename", "Ben (2) → Benny", "renamed Ben to Benny"),
        ("lift out", "Ben (2)", "unbanned Ben"),
        ("note", "report 3", "added a note about report 3"),
        ("delete line", "ABCDEFGH 5", "deleted a message of a player at table ABCDEFGH"),
        ("delete line", "ABCDEFGH 5 by Ben (2)", "deleted a message of Ben at table ABCDEFGH"),
        ("expire 1 days", "1 tables", "deleted 1 table unused for 1 day"),
        ("void", "ABCDEFGH", "took match ABCDEFGH out of the ratings"),
        ("unsay", "halt", "allowed new tables again"),
        ("say", "halt", "stopped new tables"),
        ("anything", "else", "anything else"),
    ],
)
def test_act_is_logged_as_an_english_sentence(act, about, sentence):
    it = queries.Act(0.0, "Hal", act, about, "")
    assert "".join(part.text for part in sentence_of_act(it)) == sentence


def test_newcomer_at_a_blocked_ip_address_sees_no_reason(hal, table, browser, service):
    _path, (_, ben) = table("Ann", "Ben", game="gops")
    number = number_of(service, "Ben")
    sanctions.sanction(service, "Hal", number, sanctions.OUT, "insults", 3, by_address=True)
    ben.client.get("/lobby")
    page = browser().client.get("/lobby").text
    assert "at your IP address" in page and "insults" not in page


def test_home_page_links_hosts_to_their_pages(hal, table):
    _path, (ann, _) = table("Ann", "Ben", game="gops")
    hal.open("/")
    assert "/host" in [link for link, _ in hal.page.links]
    ann.open("/")
    assert "/host" not in [link for link, _ in ann.page.links]


def test_match_of_an_open_deal_is_listed_without_a_link(hal, table, service, monkeypatch):
    path, _ = table("Ann", "Ben", game="gops")
    code = service.get(path.rsplit("/", 1)[1]).table.record
    admin.end_table(service, "Hal", path.rsplit("/", 1)[1], "stuck")
    at = f"/host/people/{number_of(service, 'Ben')}"
    hal.open(at)
    assert f"/m/{code}" in [link for link, _ in hal.page.links]
    monkeypatch.setattr(match_queries, "still_played", lambda c, found, now: {code})
    hal.open(at)
    assert f"/m/{code}" not in [link for link, _ in hal.page.links]
    assert "Other tables still play this deal" in hal.page.text


def test_another_worker_is_notified_of_a_host_act(app, table, service, monkeypatch):
    path, _ = table("Ann", "Ben", game="gops")
    number, code = number_of(service, "Ben"), path.rsplit("/", 1)[1]
    monkeypatch.setattr(app, "testing", False)  # with the cache
    values = {"player_id": number, "kind": "warn", "why": "be kind", "at": service.now()}
    with app.app_context():
        assert not holding(service).sanctions
        service.database.write(lambda c: queries.add_sanction(c, values | {"until": 0.0}))
        assert not holding(service).sanctions  # for a second
        with app.extensions["kaboom.hub"].subscribe(code) as subscription:
            app.extensions["kaboom.hub"]._hear(f"{ORDERED}{code}")
            assert subscription.wait(0)
        assert holding(service).sanctions[number][0].why == "be kind"


@pytest.mark.parametrize(
    ("typed", "code"),
    [
        (" abcd-efgh ", "abcdefgh"),
        ("https://example.org/cards/t/ABCDEFGH/talk?before=3#x", "ABCDEFGH"),
        ("https://example.org/m/ABCDEFGH/3", "ABCDEFGH"),
        ("example.org/club/ABCDEFGH/", "ABCDEFGH"),
        ("/?#", ""),
    ],
)
def test_code_is_extracted_from_typed_text(typed, code):
    assert typed_code(typed) == code


def report(service, about, code, evidence='[["about", "you fool", 1800000000.0]]'):
    """Store a report about a player at a table."""
    values = {"by_id": number_of(service, "Hal"), "about_id": about, "code": code}
    values |= {"evidence": evidence, "reason": "insults", "at": service.now()}
    service.database.write(lambda c: friends.add_report(c, values))


def test_report_about_a_deleted_player_names_its_reporter(hal, table, service):
    path, _ = table("Ann", "Ben", game="gops")
    ben = number_of(service, "Ben")
    report(service, ben, path.rsplit("/", 1)[1])
    service.database.write(lambda c: erase_player(c, ben))
    assert "Hal reports a deleted player: insults or threats." in hal.open("/host/reports/1").text


def test_open_reports_are_counted_on_every_page_for_hosts_only(hal, table, service):
    path, (ann, _ben) = table("Ann", "Ben", game="gops")
    assert "Open reports" not in hal.open("/lobby").text
    report(service, number_of(service, "Ben"), path.rsplit("/", 1)[1])
    assert "Open reports: 1" in " ".join(hal.open("/lobby").text.split())
    assert "/host/reports" in [address for address, _ in hal.page.links]
    assert "Open reports" not in ann.open("/lobby").text
    admin.close_report(service, "Hal", 1, "talked to them")
    assert "Open reports" not in hal.open("/lobby").text


def test_tables_and_matches_are_listed_with_their_acts(hal, table, service, monkeypatch):
    path, _ = table("Ann", "Ben", game="gops")
    code = path.rsplit("/", 1)[1]
    text = " ".join(hal.open("/host/matches").text.split())
    assert (
        f"GOPS: Ann, Ben Table {code}. Began just now" in text
        and "Finished 0 No match has been finished yet." in text
    )
    do(hal, "end", "/upkeep", why="stuck")
    assert f"The match at table {code} has ended" in hal.page.text
    monkeypatch.setattr("kaboom.ratings.queries.counted", lambda c, codes: set(codes))
    text = " ".join(hal.open("/host/matches").text.split())
    record = service.get(code).table.record
    assert f"GOPS: Ann, Ben Record {record}. Rated. Ended just now by a host, Hal" in text
    assert f'name="code" value="{record}"' in hal.html


def test_acts_on_a_report_come_before_its_history(hal, table, service):
    path, _ = table("Ann", "Ben", game="gops")
    ben = number_of(service, "Ben")
    report(service, ben, path.rsplit("/", 1)[1])
    for number in range(7):
        admin.note(service, "Hal", "report 1", f"note {number}")
    text = hal.open("/host/reports/1").text
    assert text.index("What to do") < text.index("What was done") < text.index("2 older")
    assert text.index("note 2") < text.index("2 older") < text.index("note 1")


def test_namesake_hosts_are_distinguished_in_the_log(hal, browser, service):
    other = browser()
    other.client.post(f"/host/login/{admin.new_link(service)}", data={"name": "hal"})
    first, second = number_of(service, "Hal"), number_of(service, "hal")
    for who, number in ((hal, second), (other, first)):
        who.open(f"/host/people/{number}")
        do(who, "note", f"/people/{number}", why="a namesake")
    assert {it for it, act in acts(service) if act == "note"} == {
        f"Hal ({first})",
        f"hal ({second})",
    }
    assert f"Player number {second}" in hal.open("/host/hosts").text


def test_unused_link_is_listed_and_withdrawn(hal, browser, service):
    secret = admin.new_link(service, "Hal")
    assert "Made by Hal" in hal.open("/host/hosts").text and secret not in hal.html
    do(hal, "withdraw", "/upkeep")
    assert "The link is withdrawn" in hal.page.text and "Made by" not in hal.page.text
    assert browser().client.get(f"/host/login/{secret}").status_code == 410
    assert acts(service)[0] == ("Hal", "withdrew link")
    with pytest.raises(InvalidState, match="has been used"):
        admin.withdraw_link(service, "Hal", "x")


def test_player_is_notified_that_a_sanction_has_ended(hal, table, service):
    path, (_ann, ben) = table("Ann", "Ben", game="gops")
    for kind, said in ((sanctions.MUTE, "has unmuted you"), (sanctions.OUT, "lifted your ban")):
        sanctions.sanction(service, "Hal", number_of(service, "Ben"), kind, "insults", 3)
        number = service.database.read(lambda c: queries.holding(c, 0))[-1].id
        sanctions.lift(service, "Hal", number, "a private apology")
        assert said in ben.open(path).text and "private" not in ben.page.text
        assert "To object" not in ben.page.text  # no CONTACT is set


def test_latest_act_can_be_undone(hal, table, service):
    path, (_ann, ben) = table("Ann", "Ben", game="gops")
    number = number_of(service, "Ben")
    report(service, number, path.rsplit("/", 1)[1])
    hal.open(f"/host/people/{number}")
    do(hal, "mute", f"/people/{number}", why="shouting")
    hal.press("End the mute")
    assert "Ben is no longer muted." in hal.page.text and "Muted until" not in hal.page.text
    do(hal, "rename", f"/people/{number}", why="rude", name="Benny")
    assert "Give back the name Ben" in hal.page.text
    hal.press("Give back the old name")
    assert hal.page.title.startswith("Ben ") or hal.page.title == "Ben"
    assert "Give back" not in hal.page.text and "formerly" not in hal.page.text
    assert "Before: muted once." in hal.page.text  # not renamed
    told = ben.open("/").text
    assert told.count("another name: Ben.") == 1 and "“Undone”" in told and "rude" not in told
    hal.open("/host/reports/1")
    do(hal, "rename", "/reports/1", why="rude", name="Benny")
    assert "The player was then called Ben." in hal.page.text
    hal.press("Give back the old name")
    assert hal.page.title.startswith("Report 1") and "then called" not in hal.page.text
    do(hal, "reopen", "/reports/1", why="not dealt with")  # it was closed with the act
    hal.open("/host/reports/1")
    do(hal, "close", "/reports/1", why="talked to them")
    hal.press("Reopen the report")
    assert "The report is open again." in hal.page.text
    form = next(it for it in hal.page.forms if ("do", "mute") in [b[:2] for b in it.buttons])
    hal.send(form, ("do", "mute", ""), [("close", "1")], why="again", days="2")
    words = [button[2] for it in hal.page.forms for button in it.buttons if button[0] == "undo"]
    assert words == ["End the mute", "Reopen the report"]
    hal.open("/host/messages")
    say(hal, "halt", "Back at 8")
    hal.press("Allow new tables again")
    assert "Tables can be opened again." in hal.page.text


def test_name_is_restored_although_another_player_has_it(hal, table, service):
    table("Ann", "Ben", game="gops")
    number = number_of(service, "Ben")
    admin.rename(service, "Hal", number, "Benny", "rude")
    admin.rename(service, "Hal", number_of(service, "Ann"), "Ben", "as she wished")
    with pytest.raises(InvalidState, match="is already called Hal"):
        admin.rename(service, "Hal", number, "Hal", "rude")
    hal.open(f"/host/people/{number}")
    form = next(it for it in hal.page.forms if it.hidden.get("id") == "give-back")
    assert form.action.endswith("#act-give-back")
    hal.send(form, ("do", "rename", ""), why="a mistake of mine")
    assert hal.status == 200 and "Renamed to Ben." in hal.page.text
    assert service.database.read(lambda c: queries.name_of(c, number)) == "Ben"


def test_match_ended_by_its_players_is_not_attributed_to_a_host(hal, table, service):
    path, _ = table("Ann", "Ben", game="gops")
    finish(service, path.rsplit("/", 1)[1])
    text = " ".join(hal.open("/host/matches").text.split())
    assert "Ended just now" in text and "by a host" not in text


def test_player_who_is_muted_and_banned_is_listed_once(hal, table, service):
    table("Ann", "Ben", game="gops")
    number = number_of(service, "Ben")
    sanctions.sanction(service, "Hal", number, sanctions.MUTE, "shouting", 2)
    sanctions.sanction(service, "Hal", number, sanctions.OUT, "threats", 3)
    text = hal.open("/host/reports").text
    assert [to for to, _ in hal.page.links].count(f"/host/people/{number}") == 1
    assert "Muted until" in text and "Banned until" in text
    form = next(it for it in hal.page.forms if ("do", "lift", "Unban Ben") in it.buttons)
    hal.send(form, ("do", "lift", ""), why="apology")
    assert "Ben is no longer banned" in hal.page.text and "Unmute Ben" in hal.page.text


def test_suggested_reasons_suit_their_act(hal, table, service):
    path, _ = table("Ann", "Ben", game="gops")
    number = number_of(service, "Ben")
    report(service, number, path.rsplit("/", 1)[1])
    sanctions.sanction(service, "Hal", number, sanctions.MUTE, "shouting", 2)
    hal.open("/host/reports/1")
    lists = dict(
        re.findall(r'id="why-([a-z]+)[-0-9]*" name="why" maxlength="500" (list="\w+")?', hal.html)
    )
    assert lists["warn"] == lists["out"] == 'list="offences"'
    assert lists["lift"] == 'list="ends"' and lists["close"] == 'list="closings"'
    assert lists["note"] == ""
    for phrases, there in (
        ("offences", "Insults"),
        ("ends", "Apologised"),
        ("closings", "Dealt with"),
    ):
        assert f'<datalist id="{phrases}"><option value="{there}">' in hal.html


def test_act_times_show_the_hour_or_the_day(hal, table, service, fake_clock):
    table("Ann", "Ben", game="gops")
    number = number_of(service, "Ben")
    sanctions.sanction(service, "Hal", number, sanctions.WARN, "be kind")
    at = datetime.fromtimestamp(service.now(), UTC)
    fake_clock.sleep(180)
    page = f"/host/people/{number}"
    assert f"{at:%H:%M} UTC, 3 minutes ago" in " ".join(hal.open(page).text.split())
    fake_clock.sleep(2 * DAY)
    text = " ".join(hal.open(page).text.split())
    assert f"“be kind” {at:%Y-%m-%d %H:%M} UTC" in text
    text = " ".join(hal.open("/host/acts").text.split())
    assert f"{at:%A, %d %B %Y} Hal warned Ben: “be kind” {at:%H:%M} UTC" in text


def test_notices_are_marked_active_and_ended_by_a_plain_button(hal):
    hal.open("/host/messages")
    say(hal, "halt", "Back at 8")
    assert "Stop new tables stopped now" in " ".join(hal.page.text.split())
    assert "shown now" not in hal.page.text
    say(hal, "today", "Back at 8")
    hal.open("/host/messages")
    assert "Message on every page shown now" in " ".join(hal.page.text.split())
    for words in ("Remove it", "Allow new tables again"):
        assert f'<button class="btn-secondary">{words}</button>' in hal.html


def test_table_links_a_watching_host_to_the_host_pages(hal, table):
    path, (ann, _ben) = table("Ann", "Ben", game="gops")
    hal.open(path)
    to_host = f"/host/matches?search={path.rsplit('/', 1)[1]}"
    assert (to_host, "This table on the pages of the server’s host") in hal.page.links
    assert "End the match …" in hal.open(to_host).text
    ann.open(path)
    assert not [to for to, _ in ann.page.links if to.startswith("/host")]


def test_message_to_all_is_open_on_its_first_display_only(hal, table, service):
    path, (ann, _ben) = table("Ann", "Ben", game="gops")
    unfolded = re.compile(r'<details id="told-\w+" open')
    for text in ("Back at 8", "Back at 9"):
        admin.say(service, "Hal", "today", text)
        ann.open(path)
        assert text in ann.page.text and unfolded.search(ann.html)
        ann.open(path)
        assert text in ann.page.text and not unfolded.search(ann.html)


def test_active_mute_can_only_be_lengthened(hal, table, service):
    table("Ann", "Ben", game="gops")
    number = number_of(service, "Ben")
    hal.open(f"/host/people/{number}")
    do(hal, "mute", f"/people/{number}", why="shouting")
    assert "Ben is muted for 7 days" in hal.page.text
    assert "Mute They play on," not in " ".join(hal.page.text.split())
    do(hal, "change", "/change", why="shouting")
    assert hal.status == 422 and "Nothing has changed yet." in hal.page.text
    do(hal, "change", "/change", why="shouting", **{"for": "7"})
    assert hal.status == 422 and "It already ends then." in hal.page.text
    do(hal, "change", "/change", why="louder", days="20", **{"for": "other"})
    assert "Ben is muted for 20 days from now, to " in hal.page.text
    told = " ".join(hal.page.text.split())
    assert re.search(r"Hal lengthened the mute of Ben to [-\d: ]+UTC", told)
    assert "changed since" in told
    assert re.search(r"Muted until [-\d: ]+UTC “louder” By Hal", told)
    assert hal.page.text.count("Muted until") == 1
    do(hal, "out", f"/people/{number}", sure=False, why="threats")
    assert hal.status == 422 and "Tick the box" in hal.page.text


def test_removed_host_is_told_the_reason_despite_a_namesake(hal, browser, service):
    other = browser()
    other.open(f"/host/login/{admin.new_link(service)}")
    other.send(other.page.forms[0], name="Hal")
    number = max(service.database.read(queries.ids_of_hosts))
    hal.open("/host/hosts")
    form = next(it for it in hal.page.forms if it.hidden.get("host") == str(number))
    hal.send(form, ("do", "remove", ""), [("sure", "1")], why="by mistake")
    assert "Hal is no longer a host" in hal.page.text
    assert acts(service)[0] == (f"Hal ({number - 1})", "removed host")
    told = other.open("/").text
    assert "You are no longer a host of this server. The reason: “by mistake”." in told


def test_voided_match_restores_ratings_and_states_the_reason(hal, table, service):
    _path, people = table("Ann", "Ben", game="gops", ready=False)
    for person in people:
        wants(person)
    code, path = "", ""
    before = []
    for _unused in range(2):
        before.append(people[0].client.get("/leaderboards/gops.json").json["own"])
        path, (ann, ben) = sit_again(people, service)
        ann.open(path)
        ann.send(ann.page.form("/start"))
        code = service.get(path.rsplit("/", 1)[1]).table.record
        finish(service, path.rsplit("/", 1)[1])
    after = ann.client.get("/leaderboards/gops.json").json["own"]
    assert after != before[1] and before[1]
    hal.open("/host/matches")
    do(hal, "void", "/upkeep", why="a fault", id=f"void-{code}", code=code)
    assert f"Match {code} no longer counts" in hal.page.text
    assert hal.page.text.count("Taken out of the ratings") == 1
    assert ann.client.get("/leaderboards/gops.json").json["own"] == before[1]
    assert maintenance.check(service) == []
    for person in (ann, ben):
        assert f"{code}, out of the ratings. The reason: “a fault”." in person.open(path).text


def test_notice_to_all_wakes_every_open_table(app, table, service):
    path, _ = table("Ann", "Ben", game="gops")
    code, hub = path.rsplit("/", 1)[1], app.extensions["kaboom.hub"]
    with hub.subscribe(code) as open_table:
        assert not open_table.wait(0)
        admin.say(service, "Hal", "today", "Back at 8")
        assert open_table.wait(0)
        hub._hear(f"{ORDERED}{ALL}")  # as another worker's
        assert open_table.wait(0)


def test_hosts_are_notified_of_a_report_on_their_channels(hal, table, service, fake_clock):
    sent = []
    outbox = Outbox(service, sent.append, spawn=lambda work: work())
    path, (ann, _ben) = table("Ann", "Ben", game="gops")
    me, by, about = (number_of(service, name) for name in ("Hal", "Ann", "Ben"))

    def reported():
        code = path.rsplit("/", 1)[1]
        reports.keep(service, by, about, code, reports.Reason("insults"), lambda connection: [])

    def after_a_minute():
        fake_clock.sleep(60)
        outbox.tick()
        found = [(it.address, [w.path for w in it.tables]) for it in sent]
        sent.clear()
        return found

    reported()
    assert after_a_minute() == []  # without a channel there is nothing to send
    assert "Be told of new reports" in hal.open("/host/reports").text
    for number, kind in ((me, "hal"), (about, "ben")):
        channels.add(service, number, "json", f"https://hook.example.org/{kind}", "en", "")
    assert "New reports are sent to you" in hal.open("/host/reports").text
    assert "also notified of new reports" in hal.open("/settings/notifications").text
    assert "also notified of new reports" not in ann.open("/settings/notifications").text
    for _unused in range(2):
        reported()
    assert after_a_minute() == [("https://hook.example.org/hal", ["/host/reports"])]
    reported()
    for number in range(1, 5):
        admin.close_report(service, "Hal", number, "talked to them")
    assert after_a_minute() == []


def test_command_line_prints_a_link_that_can_be_opened(app, hal, monkeypatch):
    run = app.test_cli_runner().invoke
    said = run(host, ["link"]).output
    assert said.startswith("Open this path on your site: /host/login/")
    server = replace(app.config["SERVER"], public_url="https://cards.example.org/room")
    monkeypatch.setitem(app.config, "SERVER", server)
    link = run(host, ["link"]).output.strip()
    assert link.startswith("https://cards.example.org/room/host/login/")
    assert hal.client.get(link.removeprefix("https://cards.example.org/room")).status_code == 200


def test_command_line_withdraws_an_unused_link(app, service):
    admin.new_link(service, "Hal")
    (link,) = admin.unused_links(service)
    run = app.test_cli_runner().invoke
    assert f"{link.word}  made by Hal, for 30 more minutes" in run(host, ["links"]).output
    assert "has been used" in run(host, ["withdraw", "nonsense"]).output
    assert run(host, ["withdraw", link.word]).output == "Done.\n"
    assert run(host, ["links"]).output == "No unused links.\n"
    assert acts(service)[0] == ("command line", "withdrew link")


def test_command_line_deletes_a_reported_line_and_lifts_a_sanction(app, table, service):
    path, _ = table("Ann", "Ben", game="gops")
    code, number = path.rsplit("/", 1)[1], number_of(service, "Ben")
    for text in ("hello", "you fool"):
        speak(service, code, number, "Ben", text)

    def said(connection):
        found = queries.messages_at(connection, code, {"hello", "you fool"})
        return [(author, text, at, text == "hello") for _id, author, text, at, *_ in found]

    reason = reports.Reason("insults", "Each evening")
    reports.keep(service, number_of(service, "Ann"), number, code, reason, said)
    sanctions.sanction(service, "Hal", number, sanctions.MUTE, "insults", 2)
    run = app.test_cli_runner().invoke
    shown = run(report_commands, ["show", "1"]).output
    assert "   2  " in shown and "Ben: you fool\n" in shown
    assert "Ben: hello (reported)" in shown and "“Each evening”" in shown
    assert "insults or threats “Each evening”" in run(report_commands, ["list"]).output
    assert "no such message" in run(host, ["delete", "1", "3", "--why", "insults"]).output
    assert run(host, ["delete", "1", "2", "--why", "insults"]).output == "Done.\n"

    def lines(connection):
        return evidence.lines(connection, friends.report(connection, 1), there=True)

    found = service.database.read(lines)
    assert [(it.text, it.gone) for it in found] == [("hello", False), ("you fool", True)]
    held = run(host, ["sanctions"]).output.split()
    longer = ["change", held[0], "--days", "9", "--why", "again"]
    assert run(host, longer).output == "Done.\n"
    assert "again" in run(host, ["acts", "--kind", "players"]).output
    assert run(host, ["acts", "--kind", "backups"]).output == ""
    assert code in run(host, ["matches", "ben"]).output
    assert "No such match" in run(host, ["matches", "zoe"]).output
    assert held[1] == "mute" and f"({number}):" in held
    assert run(host, ["lift", held[0], "--why", "an apology"]).output == "Done.\n"
    assert run(host, ["sanctions"]).output == "No player is muted or banned.\n"
    ban = ["sanction", "ban", str(number), "--why", "insults", "--days", "2"]
    assert run(host, ban).output == "Done.\n"
    assert run(host, ["sanctions"]).output.split()[1] == "ban"


def test_player_reads_why_a_mute_changed_and_it_can_be_undone(hal, table, service):
    path, (_ann, ben) = table("Ann", "Ben", game="gops")
    number = number_of(service, "Ben")
    report(service, number, path.rsplit("/", 1)[1])
    sanctions.sanction(service, "Hal", number, sanctions.MUTE, "shouting", 7)
    (before,) = service.database.read(lambda c: queries.sanctions_of(c, number))
    for shown in (f"/host/people/{number}", "/host/reports/1", "/host/reports"):
        hal.open(shown)
        do(hal, "change", "/change", why="", **{"for": "1"})
        assert hal.status == 422 and "Please give a reason" in hal.page.text
    hal.open("/host/reports/1")
    do(hal, "change", "/change", why="apology", **{"for": "1"})
    assert hal.page.title.startswith("Report 1") and "muted for 1 day from now" in hal.page.text
    assert "shortened the mute of Ben to" in hal.page.text
    told = " ".join(ben.open("/").text.split())  # not having read of the mute before
    assert told.count("has muted you until") == 1 and "how long you are muted" not in told
    assert "“shouting”. The reason for the new end date: “apology”." in told
    (now_so,) = [
        it
        for it in service.database.read(lambda c: queries.sanctions_of(c, number))
        if it.kind == sanctions.MUTE
    ]
    assert (now_so.id, now_so.why) == (before.id, "shouting") and now_so.until < before.until
    hal.press("Undo the change")
    assert "ends at its former time" in hal.page.text and "Undo the change" not in hal.page.text
    undone = service.database.read(lambda c: queries.in_force(c, before.id, service.now()))
    assert abs(undone.until - before.until) < 1
    told = " ".join(ben.open("/").text.split())
    assert told.count("has muted you until") == 1 and "apology" not in told
    assert "how long you are muted" not in told
    with pytest.raises(InvalidState, match="no change to undo"):
        sanctions.change_back(service, "Hal", before.id, "Undone")
    sanctions.lift(service, "Hal", before.id, "apology")
    assert "how long" not in ben.open("/").text
    with pytest.raises(InvalidState, match="No such sanction"):
        sanctions.change(service, "Hal", before.id, "again", 3)


def test_banned_player_reads_that_the_ban_was_changed(hal, table, service):
    _path, (_ann, ben) = table("Ann", "Ben", game="gops")
    number = number_of(service, "Ben")
    sanctions.sanction(service, "Hal", number, sanctions.OUT, "threats", 7)
    hal.open(f"/host/people/{number}")
    do(hal, "change", "/change", why="said sorry", **{"for": "30"})
    assert "Ben is banned for 30 days from now, to " in hal.page.text
    told = " ".join(ben.open("/").text.split())
    assert "“threats”. The reason for the new end date: “said sorry”." in told
    hal.press("Undo the change")
    assert "said sorry" not in ben.open("/").text
    hal.open(f"/host/people/{number}")
    do(hal, "lift", "/lift", why="apology")
    assert ben.open("/").text.count("lifted your ban") == 1


@pytest.mark.parametrize("page", ["/host", "/host/messages"])
def test_notice_is_undone_in_one_press(hal, service, page):
    for kind, put, off in (
        ("today", "Show the message again", "Remove the message"),
        ("halt", "Stop new tables again", "Allow new tables again"),
    ):
        admin.say(service, "Hal", kind, "Back at 8")
        hal.open("/host/messages")
        say(hal, kind, "Back at 9")
        hal.open(f"{page}?done=1")
        hal.press("Show the former message again")
        assert service.database.read(queries.notices)[kind] == "Back at 8"
        admin.say(service, "Hal", kind, "")
        hal.open(f"{page}?done=1")
        hal.press(put)
        assert service.database.read(queries.notices)[kind] == "Back at 8"
        assert hal.page.title.startswith("Overview" if page == "/host" else "Messages")
        admin.say(service, "Hal", kind, "")
        admin.say(service, "Hal", kind, "Back at 10")
        hal.open(f"{page}?done=1")
        hal.press(off)
        assert kind not in service.database.read(queries.notices)


def test_match_is_ended_from_the_report_about_it(hal, table, service):
    path, (ann, _ben) = table("Ann", "Ben", game="gops")
    code = path.rsplit("/", 1)[1]
    report(service, number_of(service, "Ben"), code)
    hal.open("/host/reports/1")
    form = next(it for it in hal.page.forms if ("do", "end") in [b[:2] for b in it.buttons])
    assert 'value="Insults or threats"' in hal.html  # the reason is carried over
    hal.send(form, ("do", "end", ""), why="insults")
    assert hal.status == 422 and service.get(code).table.playing
    hal.send(form, ("do", "end", ""), [("sure", "1"), ("close", "1")], why="insults")
    assert hal.page.title.startswith("Report 1") and "has ended without a result" in hal.page.text
    assert "The report is closed." in hal.page.text and not service.get(code).table.playing
    assert "End the match" not in hal.page.text
    assert "The reason: “insults”." in ann.open("/").text


def test_tables_are_found_by_player_or_code(hal, table, service):
    codes = []
    for names in (("Ann", "Ben"), ("Cleo", "Dan"), ("Zoë", "Eve")):
        path, _ = table(*names, game="gops")
        codes.append(path.rsplit("/", 1)[1])
    finish(service, codes[1])
    record = service.get(codes[1]).table.record

    def found(search):
        text = hal.open(f"/host/matches?search={quote(search)}").text
        return [code for code in codes if code in text], record in text

    assert found("ben") == ([codes[0]], False)
    assert found("cle") == ([], True)  # the table is private
    assert found(codes[1]) == ([codes[1]], False)
    assert found(codes[2].lower()) == ([codes[2]], False)
    assert found(f"https://example.org/m/{record}")[1]
    assert found("Zoë") == ([codes[2]], False)
    assert found("nobody") == ([], False) and "No table or match found" in hal.page.text
    admin.rename(service, "Hal", number_of(service, "Ben"), "Bob", "rude")
    assert found("ben") == ([codes[0]], False)  # by the former name
    do(hal, "end", "/upkeep", why="stuck")
    assert 'value="ben"' in hal.html and f"table {codes[0]} has ended" in hal.page.text
    for odd in ("%", "_", '"', "\\", "٣", "x" * 300):
        assert not found(odd)[0]


def test_long_lists_of_matches_are_paginated(hal, table, service, monkeypatch):
    monkeypatch.setattr(upkeep_routes, "FEW", 1)
    monkeypatch.setattr(upkeep_routes, "PAGE", 2)
    for names in (("Ann", "Ben"), ("Cleo", "Dan"), ("Eve", "Fay")):
        path, _ = table(*names, game="gops")
        finish(service, path.rsplit("/", 1)[1])
    text = " ".join(hal.open("/host/matches").text.split())
    assert "Eve, Fay" in text and "Ann, Ben" not in text and "All 3" in text
    hal.open(next(to for to, words in hal.page.links if "All 3 Finished" in words))
    assert "Cleo, Dan" in hal.page.text and "Ann, Ben" not in hal.page.text
    hal.follow("Older")
    assert "Ann, Ben" in hal.page.text and "Older" not in hal.page.text
    assert [words for _to, words in hal.page.links].count("Newer") == 1
    for odd in ("0", "-1", "9" * 30, "x"):
        assert hal.client.get(f"/host/matches?list=finished&page={odd}").status_code == 200


def test_log_is_filtered_by_kind_and_name_and_paginated(hal, table, service, monkeypatch):
    table("Ann", "Ben", game="gops")
    ben = number_of(service, "Ben")
    sanctions.sanction(service, "Hal", ben, sanctions.WARN, "be kind")
    admin.say(service, "Hal", "today", "Back at 8")
    admin.say(service, "Eve", "today", "")
    text = hal.open("/host/acts?kind=players").text
    assert "be kind" in text and "Back at 8" not in text
    text = hal.open("/host/acts?kind=messages").text
    assert "be kind" not in text and "Back at 8" in text and "removed the message" in text
    assert "be kind" in hal.open("/host/acts?about=be").text and "Back at" not in hal.page.text
    assert "Nothing found." in hal.open("/host/acts?about=ben&kind=messages").text
    monkeypatch.setattr(routes, "PAGE", 2)
    hal.open("/host/acts")
    assert "be kind" not in hal.page.text
    hal.follow("Older")
    assert "be kind" in hal.page.text
    for odd in ("0", "-1", "9" * 30, "x"):
        assert hal.client.get(f"/host/acts?kind={odd}&page={odd}").status_code == 200


def test_kinds_of_the_log_cover_every_act():
    known = {first for _words, firsts in KINDS_OF_ACTS.values() for first in firsts}
    for act in _ACTS:
        assert any(f"{act} ".startswith(f"{it} ") for it in known), act


def test_report_shows_the_reporters_words_and_the_marked_message(hal, table, service):
    path, (_ann, ben) = table("Ann", "Ben", game="gops")
    code, number = path.rsplit("/", 1)[1], number_of(service, "Ben")
    speak(service, code, number, "Ben", "you fool")

    def said(connection):
        found = queries.messages_at(connection, code, {"you fool"})
        return [(author, text, at, True) for _id, author, text, at, *_ in found]

    reason = reports.Reason("insults", "Each <b>evening</b>")
    reports.keep(service, number_of(service, "Ann"), number, code, reason, said)
    hal.open("/host/reports")
    assert "“Each <b>evening</b>”" in hal.page.text
    text = " ".join(hal.open("/host/reports/1").text.split())
    assert "Each <b>evening</b>" in text and hal.html.count('class="about marked"') == 1
    for page in ("/", path, f"{path}/people", f"{path}/talk"):
        assert "evening" not in ben.open(page).text


def test_contact_is_shown_where_reasons_are_given(app, hal, table, service, monkeypatch):
    table("Ann", "Ben", game="gops")
    page = f"/host/people/{number_of(service, 'Ben')}"
    assert "CONTACT" not in hal.open(page).text
    overview = " ".join(hal.open("/host").text.split())
    assert "To set up Sign-in, notification of reports, contact" in overview
    assert "adds the line CONTACT=mailto:you@example.org" in overview
    assert "signed in on this browser only" in overview and "not sent to you" in overview
    server = replace(app.config["SERVER"], contact="mailto:ops@example.org")
    monkeypatch.setitem(app.config, "SERVER", server)
    assert "write to ops@example.org to object" in " ".join(hal.open(page).text.split())
    assert "sets CONTACT" not in hal.open("/host").text


def test_change_of_a_mute_already_read_is_told_once(hal, table, service):
    _path, (_ann, ben) = table("Ann", "Ben", game="gops")
    number = number_of(service, "Ben")
    sanctions.sanction(service, "Hal", number, sanctions.MUTE, "shouting", 7)
    (it,) = service.database.read(lambda c: queries.sanctions_of(c, number))
    ben.open("/")
    ben.press("I have read this")
    sanctions.change(service, "Hal", it.id, "again", 30)
    told = " ".join(ben.open("/").text.split())
    assert "how long you are muted: now until" in told and "has muted you" not in told
    sanctions.change_back(service, "Hal", it.id, "Undone")
    assert "muted" not in ben.open("/").text  # as the player last read
    sanctions.change(service, "Hal", it.id, "again", 30)
    ben.open("/")
    ben.press("I have read this")
    sanctions.change_back(service, "Hal", it.id, "Undone")
    assert "how long you are muted" in ben.open("/").text
    sanctions.lift(service, "Hal", it.id, "apology")
    sanctions.sanction(service, "Hal", number, sanctions.MUTE, "shouting", 7)
    told = ben.open("/").text
    assert "has unmuted you" not in told and told.count("has muted you") == 1


def test_ban_of_an_ip_address_is_listed_and_confirmed(hal, table, service):
    table("Ann", "Ben", game="gops")
    number = number_of(service, "Ben")
    hal.open(f"/host/people/{number}")
    form = next(it for it in hal.page.forms if ("do", "out") in [b[:2] for b in it.buttons])
    ticked = [("for", "7"), ("sure", "1"), ("address", "1")]
    hal.send(form, ("do", "out", ""), ticked, why="threats")
    text = " ".join(hal.page.text.split())
    assert "New players from their IP address are refused, too." in text
    assert "Hal banned Ben, with their IP address, for 7 days" in text
    hal.open(f"/host/people/{number}")
    form = next(it for it in hal.page.forms if it.action.split("#")[0].endswith("/change"))
    assert ("address", "1") in form.ticked
    hal.send(form, ("do", "change", ""), [("for", "keep")], why="shared by a school")
    assert "New players from the IP address of Ben are let in again." in hal.page.text
    (it,) = service.database.read(lambda c: queries.holding(c, 0))
    assert (it.address, it.why) == ("", "threats")
    hal.open(f"/host/people/{number}")
    do(hal, "change", "/change", why="again", **{"for": "30"})
    hal.press("Undo the change")
    assert "ends at its former time" in hal.page.text and "Undone" not in hal.page.text


def test_player_page_shows_their_match_and_reports(hal, table, service):
    path, _ = table("Ann", "Ben", game="gops")
    code, ann, ben = path.rsplit("/", 1)[1], number_of(service, "Ann"), number_of(service, "Ben")
    said = [(ben, "you fool", service.now(), True)]
    for _unused in range(2):
        reports.keep(service, ann, ben, code, reports.Reason("insults"), lambda c: said)
    text = " ".join(hal.open("/host/reports").text.split())
    assert "2 open about Ben" in text and text.count("Ben wrote: “you fool”") == 2
    hal.open("/host/reports/1")
    assert (f"/host/people/{ann}", "Ann") in hal.page.links
    assert "Reports made by Ann" in hal.open(f"/host/people/{ann}").text
    text = hal.open(f"/host/people/{ben}").text
    assert "Playing now" in text and "Reports about Ben" in text
    do(hal, "end", "/upkeep", why="stuck", sure=False)
    assert hal.status == 422 and hal.page.title.startswith("Ben")
    do(hal, "end", "/upkeep", why="stuck")
    assert hal.page.title.startswith("Ben") and "has ended without a result" in hal.page.text
    assert "Playing now" not in hal.page.text and "Last tables" in hal.page.text


def test_log_is_filtered_by_period(hal, table, service, fake_clock):
    table("Ann", "Ben", game="gops")
    number = number_of(service, "Ben")
    sanctions.sanction(service, "Hal", number, sanctions.WARN, "be kind")
    fake_clock.time += 2 * DAY
    sanctions.sanction(service, "Hal", number, sanctions.WARN, "be quiet")
    for about in ("", "Ben"):
        text = hal.open(f"/host/acts?days=1&about={about}").text
        assert "be quiet" in text and "be kind" not in text
        assert "be kind" in hal.open(f"/host/acts?days=7&about={about}").text


def leads_there_and_back(hal, others, line):
    """Follow the link from a reported message to its place, and from there back to the report."""
    hal.open("/host/reports/1")
    there = next(to for to, _ in hal.page.links if to.endswith(f"#{line}"))
    page = there.partition("#")[0]
    assert f'id="{line}"' in hal.client.get(page).text
    hal.open(page)
    assert "/host/reports/1" in [to for to, _ in hal.page.links]
    assert all("Report 1" not in it.client.get(page).text for it in others)
    return page


def test_reported_chat_message_and_report_link_to_each_other(hal, table, service):
    path, people = table("Ann", "Ben", game="gops")
    code, number = path.rsplit("/", 1)[1], number_of(service, "Ben")
    speak(service, code, number, "Ben", "you fool")
    people[0].open(f"{path}/report?line=1")
    types(people[0], "Report", reason="insults")
    assert leads_there_and_back(hal, people, "l-1") == f"{path}/talk?before=2"


def test_reported_remark_and_report_link_to_each_other(hal, table, service):
    path, (ann, ben) = table("Ann", "Ben", game="gops")
    code = service.get(path.rsplit("/", 1)[1]).table.record
    finish(service, path.rsplit("/", 1)[1])
    review = begins(ann, f"/m/{code}", 4)
    comes(ben, review)
    ben.open(f"{review}/4?seat=1")
    types(ben, "Say", text="you fool")
    ann.open(f"{review}/report?line=1")
    types(ann, "Report", reason="insults")
    page = leads_there_and_back(hal, (ann, ben), "r-1")
    assert page == f"/m/{code}/4?seat=1"
    assert "you fool" in hal.page.text and "you fool" not in hal.open(f"/m/{code}/3").text
    assert ann.open(page).text.count("you fool") == 1
    hal.open("/host/reports/1")
    do(hal, "line", "/reports/1", why="rude")
    assert "you fool" not in hal.open(page).text


def test_player_at_a_table_or_acting_is_active_now(hal, table, service, fake_clock):
    path, (ann, _ben) = table("Ann", "Ben", game="gops")
    number = number_of(service, "Ann")
    fake_clock.sleep(600)
    assert "Active now" in hal.open(f"/host/people/{number}").text  # the page of the table is open
    presence = hal.client.application.extensions["kaboom.presence"]
    presence.forget()
    assert "Last active 10 minutes ago" in hal.open(f"/host/people/{number}").text
    ann.client.post(f"{path}/read", data={})
    ann.client.post("/account/messages/read", data={})
    presence.forget()
    assert "Active now" in hal.open(f"/host/people/{number}").text


def test_host_who_only_reads_is_active_now(hal, service, fake_clock):
    fake_clock.sleep(600)
    hal.open("/host/reports")
    me = number_of(service, "Hal")
    assert service.database.read(lambda c: queries.acted(c, me)) == service.now()
    assert "active now" in hal.open("/host/hosts").text


def test_running_match_says_for_whom_it_waits(hal, table, service, fake_clock):
    path, _ = table("Ann", "Ben", game="karata")
    fake_clock.sleep(720)
    text = " ".join(hal.open("/host/matches").text.split())
    turn = service.get(path.rsplit("/", 1)[1])
    name = turn.table.seats[turn.waiting_for()[0]]
    assert f"Waiting 12 minutes for {name}" in text
    let_watch(service, turn.code, turn.table.host, 5)
    text = " ".join(hal.open("/host/matches").text.split())
    assert "Waiting 12" not in text and "may not see yet whose turn it is" in text


def test_secret_choices_are_not_named_in_the_list(hal, table):
    table("Ann", "Ben", game="gops", ready=True)
    text = " ".join(hal.open("/host/matches").text.split())
    assert "for choices made in secret." in text or "Waiting for Ann, Ben" in text


def test_log_links_what_is_in_force_to_its_undoing(hal, table, service):
    table("Ann", "Ben", game="gops")
    number = number_of(service, "Ben")
    sanctions.sanction(service, "Hal", number, sanctions.MUTE, "shouting", 7)
    admin.rename(service, "Hal", number, "Benny", "a name")
    admin.say(service, "Hal", "halt", "Back at 8")
    text = hal.open("/host/acts").text
    for words in ("Still muted", "Still has the new name", "Still stopped"):
        assert words in text
    (it,) = [
        it for it in service.database.read(lambda c: queries.holding(c, 0)) if it.kind == "mute"
    ]
    sanctions.lift(service, "Hal", it.id, "apology")
    admin.say(service, "Hal", "halt", "")
    text = hal.open("/host/acts").text
    assert "Still muted" not in text and "Still stopped" not in text


def test_log_of_one_day_says_what_is_shown(hal, service, fake_clock):
    admin.say(service, "Hal", "today", "Hello")
    day = datetime.fromtimestamp(service.now(), UTC)
    fake_clock.sleep(3 * DAY)
    admin.say(service, "Hal", "today", "")
    text = " ".join(hal.open(f"/host/acts?day={day:%Y-%m-%d}").text.split())
    assert f"Shown: all acts on {day:%A, %d %B %Y}." in text and "“Hello”" in text
    assert "removed the message" not in text
    assert "removed the message" in hal.open("/host/acts?day=never").text


def test_report_of_a_player_quotes_their_last_message(hal, table, service):
    path, _ = table("Ann", "Ben", game="gops")
    code, ben = path.rsplit("/", 1)[1], number_of(service, "Ben")
    values = {"by_id": number_of(service, "Ann"), "about_id": ben, "code": code}
    values |= {"evidence": '[["by", "hi"], ["about", "you fool"], ["by", "well"]]'}
    values |= {"reason": "insults", "at": service.now()}
    service.database.write(lambda c: friends.add_report(c, values))
    assert "Ben wrote last: “you fool”" in " ".join(hal.open("/host/reports").text.split())


def test_report_is_closed_with_what_was_last_done(hal, table, service):
    path, _ = table("Ann", "Ben", game="gops")
    code, ben = path.rsplit("/", 1)[1], number_of(service, "Ben")
    values = {"by_id": number_of(service, "Ann"), "about_id": ben, "code": code}
    values |= {"evidence": "[]", "reason": "insults", "at": service.now()}
    service.database.write(lambda c: friends.add_report(c, values))
    hal.open("/host/reports/1")
    assert 'value="Nothing to object to"' in hal.html
    sanctions.sanction(service, "Hal", ben, sanctions.MUTE, "shouting", 7)
    hal.open("/host/reports/1")
    assert 'value="Muted: shouting"' in hal.html


def test_form_for_a_table_is_disabled_while_tables_are_stopped(hal, browser, service):
    admin.say(service, "Hal", "halt", "Back at 8")
    page = browser().open("/start/gops")
    assert page.text.count("No new tables for now: Back at 8") >= 2
    hal.open("/start/gops")
    assert "<button disabled>" in hal.html


def test_backup_page_shows_the_size_and_how_to_restore(hal, service):
    admin.backed_up(service, "Hal", 2_500_000)
    text = hal.open("/host/backup").text
    assert "2.5 MB" in text and "kaboom restore FILE" in text


def test_rename_follows_in_clubs(hal, table, service):
    _path, (_ann, ben) = table("Ann", "Ben", game="gops")
    ben.open("/clubs")
    ben.send(ben.page.form("/clubs"), club="Owls", called="Ben")
    admin.rename(service, "Hal", number_of(service, "Ben"), "Benny", "a name")
    names = service.database.read(lambda c: c.execute(select(members.c.name)).scalars().all())
    assert names == ["Benny"]


def test_given_back_name_has_no_link_to_give_it_back(hal, table, service):
    table("Ann", "Ben", game="gops")
    number = number_of(service, "Ben")
    admin.rename(service, "Hal", number, "Benny", "a name")
    hal.open("/host/acts")
    (place,) = [to for to, words in hal.page.links if words.startswith("Still has the new name")]
    assert place.endswith("#act-give-back")
    hal.open(place.split("#")[0])
    assert 'id="act-give-back" open' in hal.html
    admin.rename(service, "Hal", number, "Ben", "apology")
    assert "give back the old one" not in hal.open("/host/acts").text


def test_backup_page_has_the_line_and_the_steps_of_the_documents(hal):
    text = " ".join(hal.open("/host/backup").text.split())
    document = Path("docs/hosting.md").read_text(encoding="utf-8")
    (line,) = [it.strip() for it in document.splitlines() if "kaboom backup /var" in it]
    assert line in text and "restore FILE" in text


def test_notification_settings_tell_a_host_who_can_turn_them_on(hal):
    text = hal.open("/settings/notifications").text
    assert "The person who runs the server can turn this on" in text
    assert 'href="/host"' in hal.html
