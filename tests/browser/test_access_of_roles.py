"""axe finds nothing on pages that links do not reach: those of hosts, authors of bots, waiting
players, and players who sign in by OpenID.
"""

import re
from dataclasses import replace

import pytest

from kaboom.admin import sanctions
from kaboom.admin import service as admin
from kaboom.config import OpenId
from kaboom.remote_bots import queries as bots
from kaboom.remote_bots.queries import CallRow
from kaboom.social.chat.service import speak
from kaboom.social.friends import queries as friends
from tests.accounts.test_openid import come_back, way_there
from tests.browser.test_access import TOO_WIDE, UNFOLD, UNWRAP, too_small
from tests.browser.test_access_of_every_page import found_by_axe, page
from tests.support.openid_provider import CLIENT, SECRET, small_provider

__all__ = ["page"]

LOOKS = ((360, 740, "light"), (360, 740, "dark"), (1366, 650, "light"), (1366, 650, "dark"))
ADDRESS = "https://bots.example.org/kaboom"
REFRESH = re.compile(r'<meta http-equiv="refresh"[^>]*>')  # would lead away
LONG_NAME = "Wolfeschlegelsteinha"


@pytest.fixture
def wrong_on(page):
    """A function that returns the faults of a page at all sizes and colours, with all parts
    unfolded."""

    def looked(html):
        page.set_content(REFRESH.sub("", html))
        page.evaluate(UNWRAP)
        page.evaluate(UNFOLD)
        found = found_by_axe(page, LOOKS)
        page.set_viewport_size({"width": 360, "height": 740})
        found += [f"too wide: {it}" for it in page.evaluate(TOO_WIDE)]
        return found + [f"too small: {it}" for it in too_small(page)]

    return looked


def report(tables, by, about, code, reason):
    """Add a report with its evidence."""
    said = '[["about", "you fool, and much longer than a line of a phone"], ["by", ""]]'
    values = {"by_id": by, "about_id": about, "code": code, "reason": reason}
    values |= {"evidence": said, "at": tables.now()}
    tables.database.write(lambda c: friends.add_report(c, values))


def host_pages(browser, table, tables):
    """Yield the pages of a host, and what sanctioned players read."""
    hal, link = browser(), f"/host/login/{admin.new_link(tables)}"
    yield "link", hal.open(link) and hal.html
    hal.send(hal.page.form(link), name="Hal")
    yield "new server", hal.html
    yield "used link", browser().client.get(link).text
    path, (ann, ben) = table(LONG_NAME, "Ben", game="gops")
    code = path.rsplit("/", 1)[1]
    me, other = (tables.get(code).table.occupant(seat).player for seat in (0, 1))
    speak(tables, code, other, "Ben", "you fool, and much longer than a line of a phone")
    for reason in ("insults", "cheats"):
        report(tables, me, other, code, reason)
    yield "open report", hal.open("/host/reports/1") and hal.html
    admin.close_report(tables, "Hal", 2, "a misunderstanding")
    sanctions.sanction(tables, "Hal", me, sanctions.WARN, "be kind")
    sanctions.sanction(tables, "Hal", me, sanctions.MUTE, "shouting", 2)
    sanctions.sanction(tables, "Hal", other, sanctions.OUT, "insults", 3, by_address=True)
    for kind in admin.NOTICES:
        admin.say(tables, "Hal", kind, "Back at 8")
    admin.backed_up(tables, "Hal")
    addresses = (
        "", "/people", "/people?search=zzz", "/people?search=Hal", f"/people/{me}",
        f"/people/{other}", "/people/999", "/reports", "/reports/1", "/reports/2", "/reports/999",
        f"/matches?do=end&code={code}", "/upkeep", "/messages", "/hosts", "/backup",
        "/people?only=muted", f"/people/{me}?done=1", "/acts", f"/acts?about={me}",
    )  # fmt: skip
    for where in addresses:
        yield where, hal.client.get(f"/host{where}").text
    for where, do in ((f"/people/{me}", "mute"), ("/reports/1", "out"), ("/upkeep", "void")):
        yield f"{where}, refused", hal.client.post(f"/host{where}", data={"do": do}).text
    sent = {"do": "expire", "days": "30", "why": "tidying"}
    yield "tables counted", hal.client.post("/host/upkeep", data=sent).text
    yield "link for a host", hal.client.post("/host/link").text
    yield "account of a host", hal.client.get("/account").text
    yield "warned player at a table", ann.client.get(path).text
    yield "warned player", ann.client.get("/account").text
    yield "player who is out", ben.client.get("/account").text
    yield "refused", ann.client.get("/host").text


def author_pages(browser, table, tables):
    """Yield the pages of an author of bots, and inviting a bot."""
    path, (ann, ben) = table(LONG_NAME, "Ben", game="karata", ready=False)
    yield "none to invite", ann.client.get(f"{path}/invite-bot").text
    yield "stranger", browser().client.get("/settings/bots").text
    sent = {"name": "x", "bot_name": LONG_NAME, "address": ADDRESS}
    yield "wrong address", ann.client.post("/settings/bots", data=sent | {"address": "x"}).text
    yield "secret", ann.client.post("/settings/bots", data=sent).text
    tables.database.write(lambda c: bots.change(c, 1, {"checked_at": 1.0}))
    for what in ("moved", "lied", "failed"):
        call = CallRow(tables.now(), "karata", what, 0.31, "an answer much longer than a phone")
        tables.database.write(lambda c, call=call: bots.note_call(c, 1, call))
    yield "list", ann.client.get("/settings/bots").text
    yield "bot", ann.client.get("/settings/bots/1").text
    yield "invite", ann.client.get(f"{path}/invite-bot").text
    ann.client.post(f"{path}/bots", data={"programs": "never", "hints": "alone"})
    yield "not welcome", ann.client.post(f"{path}/invite-bot", data={"bot": "1"}).text
    ann.client.post("/settings/bots/1", data={"do": "pause"})
    yield "paused", ann.client.get("/settings/bots/1").text
    yield "no bot", ben.client.get("/settings/bots/1").text


def waiting_pages(browser, clock):
    """Yield the pages of players who look for a game."""
    ann, ben = browser(), browser()
    yield "form", ann.open("/play") and ann.html
    yield "refused", ann.client.post("/play", data={"name": "", "game": "chess"}).text
    ann.send(ann.page.form("/play"), name=LONG_NAME, game="kaboom")
    yield "waiting", ann.html
    yield "one waits", ben.open("/play") and ben.html
    ben.send(ben.page.form("/play"), name="Ben", game="kaboom")
    clock.sleep(20)
    yield "two wait", ann.open("/play/wait") and ann.html
    clock.sleep(11)
    yield "bots offered", ann.open("/play/wait") and ann.html


def openid_pages(browser, provider):
    """Yield the pages of players who sign in by a provider."""
    ann, ben = browser(), browser()
    yield "sign in", ann.open("/login") and ann.html
    address = way_there(ann)
    yield "the way there", ann.html
    yield "new account", come_back(ann, provider.sign_in(address)) and ann.html
    form = next(it for it in ann.page.forms if "secret" in it.hidden)
    yield "no name", ann.send(form, name="") and ann.html
    form = next(it for it in ann.page.forms if "secret" in it.hidden)
    ann.send(form, name="Ann")
    yield "account", ann.open("/settings/account") and ann.html
    yield "signed out", ann.client.get("/login/openid/signed-out").text
    ben.client.post("/settings/account/begin", data={"name": "Ben"})
    provider.subject = "another"
    address = way_there(ben, "/login")
    yield "as another", come_back(ben, provider.sign_in(address)) and ben.html
    yield "forged answer", come_back(ben, {"code": "x", "state": "x"}) and ben.html


def assert_accessible(pages, wrong_on, least):
    found, names = {}, []
    for name, html in pages:
        names.append(name)
        if wrong := wrong_on(html):
            found[name] = wrong
    assert len(names) >= least
    assert not found, "\n".join(f"{name}: {it}" for name, wrong in found.items() for it in wrong)


def test_axe_finds_nothing_on_a_hosts_pages(browser, table, service, wrong_on):
    assert_accessible(host_pages(browser, table, service), wrong_on, 20)


def test_axe_finds_nothing_on_pages_about_bots(browser, table, service, wrong_on):
    assert_accessible(author_pages(browser, table, service), wrong_on, 10)


def test_axe_finds_nothing_for_players_seeking_a_game(browser, fake_clock, wrong_on):
    assert_accessible(waiting_pages(browser, fake_clock), wrong_on, 6)


def test_axe_finds_nothing_when_signing_in_by_openid(
    app, browser, fake_clock, monkeypatch, wrong_on
):
    with small_provider(fake_clock) as provider:
        openid = OpenId(provider.issuer, CLIENT, SECRET, "The School")
        server = replace(app.config["SERVER"], public_url="http://localhost", openid=openid)
        monkeypatch.setitem(app.config, "SERVER", server)
        monkeypatch.setitem(app.extensions, "kaboom.openid", None)
        assert_accessible(openid_pages(browser, provider), wrong_on, 8)
