"""Friends, blocks and reports, in browsers without scripts."""

import re

import pytest

from kaboom.db.encryption import hash_of
from kaboom.social.friends import queries as store
from kaboom.social.friends import reports
from kaboom.social.friends import service as friends
from kaboom.tables.spectators.service import let_watch
from tests.support.browsing import table_path


def link_in(page_html):
    return re.search(r'value="[^"]*(/friends/add/[\w-]+)"', page_html)[1]


def test_link_befriends_a_player_who_has_never_played(table, browser):
    _path, (ann, _ben) = table("Ann", "Ben", game="gops")
    ann.open("/friends")
    ann.press("Create a link for a friend")
    link, cleo = link_in(ann.html), browser()
    for _ in range(2):  # viewing does not use up the link
        cleo.open(link)
        assert "Ann wants to be your friend" in cleo.page.text
    cleo.send(cleo.page.form(link), name="Cleo")
    assert "Ann" in cleo.page.text
    ann.open("/friends")
    assert "Cleo" in ann.page.text
    late = browser()
    late.open(link)
    assert late.status == 410


@pytest.mark.slow
def test_no_page_without_a_secret_names_players_to_a_stranger(table, browser, app, service):
    """They play, are friends, share results, have a club and a tournament; none is listed."""
    path, (ann, ben) = table("Zebedee", "Yolanda", game="gops")
    for person in (ann, ben):
        person.open(f"{path}/people")
        person.press("Add friend")
        person.open("/feed")
        person.press("Show friends and clubs my results")
    ann.open("/clubs")
    ann.send(ann.page.form("/clubs"), club="Quokkas", called="Zebedee")
    ann.open("/tournaments/new?game=gops")
    ann.send(ann.page.form("/tournaments"), name="Quokka cup", who="Zebedee")
    names = ("Zebedee", "Yolanda", "Quokka")
    own = "".join(ann.client.get(page).text for page in ("/account", "/friends", "/clubs"))
    assert all(name in own for name in names)
    known = browser()
    known.open("/start/gops")
    known.send(known.page.form("/tables"), name="Sam")
    rules = [it.rule for it in app.url_map.iter_rules() if "GET" in it.methods]
    pages = [rule for rule in rules if "<" not in rule and not rule.endswith("/events")]
    assert len(pages) > 40
    for stranger in (known, browser()):
        for page in pages:
            told = stranger.client.get(page).data
            assert not [name for name in names if name.encode() in told], page


def test_players_who_have_met_become_friends_by_one_press_each(table, browser):
    path, (ann, ben) = table("Ann", "Ben", game="gops")
    for person in (ann, ben):
        person.open(f"{path}/people")
        person.press("Add friend")
    assert "your friend" in ben.page.text
    ann.open("/friends")
    assert "Ben" in ann.page.text
    assert re.search('class="face.*?Invite to a table.*?<details.*?Remove friend', ann.html, re.S)
    stranger = browser()
    stranger.open(f"{path}/people")
    assert stranger.status == 403


def test_visible_friend_shows_as_online_while_at_a_table(table, service, app):
    path, persons = table("Ann", "Ben", "Cid", game="taken")
    ann, ben, cid = persons
    mine = [hash_of(person.client.get_cookie("kb").value) for person in persons]
    for key in mine[1:]:
        player = service.get(path[3:], key).player
        friends.take_link(service, friends.new_link(service, mine[0]), player)
    friends.be_seen(service, mine[1], present=True)

    def here():
        return re.findall(
            r"<b[^>]*>(\w+)</b> <small[^>]*>here now", ann.client.get("/friends").text
        )

    app.extensions["kaboom.presence"].forget()
    assert here() == []
    cid.open(path)
    assert here() == [], "Cid hides it from all players"
    ben.open(path)
    assert here() == ["Ben"]


def test_blocked_player_is_kept_out_without_notice(table, browser):
    path, (ann, ben) = table("Ann", "Ben", game="gops")
    ann.open(f"{path}/people")
    ann.press("Block")
    ben.open("/friends")
    assert "Ann" not in ben.page.text
    ann.open("/start/gops")
    ann.send(ann.page.form("/tables"), name="Ann")
    mine = table_path(ann)
    ben.open(mine)
    ben.send(ben.page.form("/sit"), name="Ben")
    assert ben.status == 422
    assert "You cannot join this table" in ben.page.text
    ann.open("/friends")
    ann.press("Unblock")
    ben.send(ben.page.form("/sit"), name="Ben")
    assert ben.status == 200


def test_report_needs_a_reason_and_is_listed_by_a_command(table, app):
    path, (ann, _ben) = table("Ann", "Ben", game="gops")
    ann.open(f"{path}/people")
    ann.open(next(link for link, _ in ann.page.links if "/report" in link))
    form = ann.page.form("/report")
    ann.send(form)
    assert ann.status == 422
    ann.send(form, ticked=[("reason", "spam")])
    assert "Reported" in ann.page.text
    run = app.test_cli_runner().invoke
    assert "Ben: advertising" in run(args=["reports", "list"]).output
    assert "Ann about Ben" in run(args=["reports", "show", "1"]).output
    assert "Closed" in run(args=["reports", "close", "1"]).output
    assert "No reports" in run(args=["reports", "list"]).output
    assert "no such report" in run(args=["reports", "show", "99"]).output


def test_hosts_friends_enter_without_the_password(browser):
    ann = browser()
    ann.open("/start/kaboom")
    ann.send(ann.page.form("/tables"), name="Ann", password="sesame")
    path = table_path(ann)
    ann.open(f"{path}/options")
    ann.send(ann.page.form("/door"), ticked=[("friends", "1")])
    ann.open("/friends")
    ann.press("Create a link for a friend")
    link, ben, eve = link_in(ann.html), browser(), browser()
    ben.open(link)
    ben.send(ben.page.form(link), name="Ben")
    eve.open(path)
    assert "friend of the host" not in eve.page.text
    ben.open(path)
    ben.press("Enter as a friend of the host")
    assert "sit here" in ben.page.text


def test_message_is_reported_from_the_chat_page(table, browser, service):
    path, (ann, ben) = table("Ann", "Ben", game="gops")
    code = path.rsplit("/", 1)[1]
    for person, text in ((ben, "you fool"), (ann, "mind your words")):
        person.client.post(f"{path}/talk", data={"text": text})
    ann.open(f"{path}/talk")
    (to,) = [link for link, _ in ann.page.links if "/report?line=" in link]
    ann.open(to)
    assert "you fool" in ann.page.text and ann.page.title.startswith("Report Ben")
    data = {"line": "1", "reason": "spam", "words": "x" * 201}
    answer = ann.client.post(f"{path}/report", data=data)
    assert answer.status_code == 422 and "At most 200 characters" in answer.text
    assert "you fool" in answer.text and "x" * 201 in answer.text
    ann.send(ann.page.form("/report"))  # one press: a reason is chosen
    assert ann.status == 200 and "Reported" in ann.page.text
    (row,) = service.database.read(store.all_reports)
    kept = service.database.read(lambda c: store.report(c, row.id))
    assert (kept.about, kept.reason, kept.words) == ("Ben", "insults", "")
    marked = [it.text for it in reports.lines_of(kept.evidence) if it.marked]
    assert marked == ["you fool"]
    room = ann.client.get(f"{path}/room").text
    assert room.count("/report?line=") == 1
    eve = browser()  # without a name
    assert "/report?line=" not in eve.client.get(f"{path}/room").text
    for who, line in ((eve, 1), (ann, 2), (ann, 99), (ann, 10**12)):  # nobody; her own; none
        assert who.client.get(f"{path}/report?line={line}").status_code == 403
        data = {"line": line, "reason": "spam"}
        assert who.client.post(f"{path}/report", data=data).status_code == 403
    assert len(service.database.read(store.all_reports)) == 1
    assert service.get(code).table.playing


def test_hidden_or_deleted_message_cannot_be_reported(table, browser, service):
    path, (ann, ben) = table("Ann", "Ben", game="gops")
    code = path.rsplit("/", 1)[1]
    zoe = browser()
    zoe.client.post(f"{path}/talk", data={"text": "take the king", "name": "Zoe"})
    assert ann.client.get(f"{path}/report?line=1").status_code == 200
    let_watch(service, code, service.get(code).table.host, 0, hush=True, audience=True)
    answer = ann.client.get(f"{path}/report?line=1")
    assert answer.status_code == 403 and "king" not in answer.text and "Zoe" not in answer.text
    ben.client.post(f"{path}/talk", data={"text": "you fool"})
    assert zoe.client.get(f"{path}/report?line=2").status_code == 200  # a spectator, too
    ann.client.post(f"{path}/talk/delete", data={"line": "2"})
    assert zoe.client.get(f"{path}/report?line=2").status_code == 403
