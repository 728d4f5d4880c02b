"""Account pages: sign-in, devices, API keys, friends, clubs, notifications, feeds."""

import re

import pytest

from kaboom.admin import service as admin
from kaboom.ratings.months import month_at
from kaboom.remote_bots import queries as remote_bots
from tests.pages.tour import all_ask, code_of
from tests.support.finished_matches import finish

NEEDS_SOMEBODY = (
    "/settings/account/recovery-words", "/settings/account/password",
    "/settings/account/passkey", "/settings/account/passkey/save",
    "/settings/account/passkey/remove", "/settings/account/recovery-words/check",
    "/settings/devices/link", "/settings/devices/name", "/settings/devices/sign-out",
    "/account/delete", "/account/leaderboards", "/settings/vacation", "/feed",
)  # fmt: skip


@pytest.mark.slow
def test_keeping_a_seat_tour_is_as_recorded(tour):
    ann, zoe = tour.person("Ann", User_Agent="Firefox Linux"), tour.person("Zoe")
    tour.chapter("Nobody yet")
    for path in NEEDS_SOMEBODY:
        ann.post(path)
    ann.get("/settings/account/recovery-words")
    ann.post("/settings/account", name="")
    ann.go("/settings/account", name="Ann")
    ann.get("/account", "/settings/devices")
    ann.post("/account/name", name=" ")
    ann.go("/account/name", name="Anna")
    ann.go("/account/name", name="Ann")
    tour.chapter("Words, a password, passkeys")
    ann.post("/settings/account/recovery-words/check", word1="a", word2="b", word3="c")
    ann.get("/settings/account/recovery-words")
    ann.post("/settings/account/recovery-words")
    words = re.findall(r"<li>([a-z]+)</li>", ann.body)
    ann.get("/settings/account/recovery-words")
    ann.post("/settings/account/recovery-words/check", word1="a", word2="b", word3="c")
    asked = [int(it) for it in re.findall(r"Word (\d)", ann.page.text)]
    three = {f"word{at}": words[number - 1] for at, number in enumerate(asked, 1)}
    ann.post("/settings/account/recovery-words/check", **three)
    for fields in (
        {"handle": "", "password": "seven tame herons", "again": "seven tame herons"},
        {"handle": "ann", "password": "short", "again": "short"},
        {"handle": "ann", "password": "seven tame herons", "again": "seven"},
        {"handle": "ann", "password": "seven tame herons", "again": "seven tame herons"},
    ):
        ann.post("/settings/account/password", **fields)
    ann.get("/settings/account", "/account")
    ann.post("/settings/account/passkey")
    zoe.go("/settings/account", name="Zoe")
    zoe.post(
        "/settings/account/password",
        handle="Ann",
        password="seven tame herons",
        again="seven tame herons",
    )
    tour.chapter("A provider, which this server does not have")
    for path in ("/settings/account/openid", "/settings/account/openid/remove"):
        ann.post(path)
    for path in ("/login/openid", "/login/openid/account"):
        ann.post(path)
    ann.get("/login/openid/return", "/login/openid/signed-out")
    tour.chapter("Coming in elsewhere")
    ben = tour.person("Ben", User_Agent="Mozilla Safari iPhone")
    ben.post("/login/recovery-words", words="zoo zoo")
    dan = tour.person("Dan", User_Agent="Lynx")
    dan.post("/login/recovery-words", words=" ".join(words))
    dan.get("/settings/devices")
    ben.post("/login/passkey")
    ben.post("/login/passkey/answer", secret="x", answer="{}")
    ben.post("/login/password", handle="ann", password="wrong")
    ben.post("/login/password", handle="nobody", password="seven tame herons")
    ben.go("/login/password", handle="ann", password="seven tame herons")
    ben.get("/settings/devices")
    zoe.post("/login/password", handle="ann", password="seven tame herons")
    zoe.post("/login/confirm", secret="nothing", how="instead")
    zoe.post("/login/password", handle="ann", password="seven tame herons")
    zoe.submit("/login/confirm")
    zoe.get("/account", "/settings/devices")
    ann.post("/settings/devices/link")
    link = ann.link("/login/")
    cat = tour.person("Cat")
    cat.get(link, "/login/nothing")
    cat.post("/login/nothing")
    cat.post(link)
    cat.get(link, "/settings/devices")
    cat.post(link)
    tour.chapter("Devices")
    ann.get("/settings/devices")
    devices = [form.hidden["device"] for form in ann.page.forms if "device" in form.hidden]
    ann.post("/settings/devices/name", device=devices[0], name="The old one")
    ann.post("/settings/devices/name", device="nothing", name="The old one")
    ann.post("/settings/devices/name", device=devices[0], name="x" * 61)
    ann.get("/settings/devices")
    this = next(it for it, text in devices_of(ann) if "this one" in text)
    ann.post("/settings/devices/sign-out", device=next(it for it in devices if it != this))
    ann.post("/settings/devices/sign-out", device="nothing")
    ann.get("/settings/devices")
    ann.post("/settings/devices/sign-out", device="others")
    cat.get("/settings/devices", "/account")
    ann.get("/settings/devices")
    ann.post("/settings/account/password", drop="1")
    ann.get("/settings/account")
    zoe.post("/settings/devices/sign-out", device=this)
    ann.post("/account/delete", what="all", sure="0")
    ann.post("/account/delete", what="statistics", sure="1")
    ann.post("/settings/devices/sign-out", device=this)
    ann.get("/settings/devices")
    zoe.post("/account/delete", what="all", sure="1")
    zoe.get("/account")


def devices_of(person):
    """Return each device on the shown page, with its description."""
    parts = person.body.split('<li class="panel">')[1:]
    return [(re.search(r'name="device" value="(\w+)"', it)[1], it) for it in parts]


def test_own_presets_tour_is_as_recorded(tour):
    ann = tour.person("Ann")
    ann.get(
        "/settings/presets?game=gops&set=games:3&called=Ours&at=start",
        "/settings/presets?game=gops&set=games:99",
    )
    for fields in (
        {"game": "nothing", "set": "", "called": "Ours"},
        {"game": "gops", "set": "games:99", "called": "Ours"},
        {"game": "gops", "set": "games:3", "called": ""},
        {"game": "gops", "set": "games:3", "called": "Ours", "at": "start"},
        {"game": "gops", "set": "games:4", "called": "Ours", "at": "ABCD2345"},
        {"game": "gops", "set": "games:5", "called": "Long", "at": "//elsewhere"},
    ):
        ann.post("/settings/presets", **fields)
    ann.get("/settings/presets", "/start/gops", "/account")
    ann.post("/settings/presets/1", called="Theirs")
    ann.post("/settings/presets/1", called="")
    ann.post("/settings/presets/99", called="Theirs")
    ann.post("/settings/presets/2", do="delete")
    ann.post("/settings/presets/99", do="delete")
    ann.get("/settings/presets")


def test_programs_tour_is_as_recorded(tour):
    ann = tour.person("Ann")
    tour.chapter("Keys")
    for fields in (
        {"name": "", "key_name": "bot", "scope": "look"},
        {"name": "Ann", "key_name": "", "scope": "look"},
        {"name": "Ann", "key_name": "bot"},
        {"name": "Ann", "key_name": "bot", "scope": "dance"},
        {"name": "Ann", "key_name": "bot", "scope": ["look", "play", "table", "talk"]},
        {"name": "Ann", "key_name": "for one table", "scope": "look", "table": "ABCD2345"},
    ):
        ann.post("/settings/api-keys", **fields)
    ann.get("/settings/api-keys", "/account")
    marks = [it[1] for form in ann.page.forms for it in form.buttons if it[0] == "key"]
    tour.chapter("Guests and their keys")
    json = {"Accept": "application/json"}
    ann.post("/guests", json, name="")
    ann.post("/guests", json, name="Bo", scopes="dance")
    bots = []
    for name, scopes in (
        ("Bo", "look play table talk bot"),
        ("Cy", "look play bot"),
        ("Di", "look"),
    ):
        key = ann.secretly("/guests", name=name, scopes=scopes)
        bots.append(tour.person(name, Authorization=f"Bearer {key}", Accept="application/json"))
    bo, cy, di = bots
    tour.person("Ed", Authorization="Bearer nonsense").get("/lobby.json", "/t/ABCD2345.json")
    di.post("/tables", game="gops", name="Di")
    di.get(
        "/account",
        "/settings/api-keys",
        "/lobby.json",
        "/turns.json",
        "/friends",
        "/nothing",
        "/api",
    )
    bo.ask("POST", "/tables", json={"game": "gops", "nothing": 1}, told="game: gops, nothing: 1")
    bo.ask("POST", "/tables", json={"game": "gops", "show_prize_order": "perhaps"}, told="perhaps")
    bo.ask("POST", "/tables", json={"game": "gops", "preset": "nothing"}, told="preset: nothing")
    bo.ask("POST", "/tables", json=[1], told="[1]")
    bo.ask("POST", "/tables", data=b"{", content_type="application/json", told="{")
    bo.ask("POST", "/tables", json={"game": "nothing"}, told="game: nothing")
    bo.ask("POST", "/tables", json={"game": "gops", "name": "Bo", "preset": "open"}, told="open")
    path = bo.location.removesuffix(".json")
    di.post(f"{path}/sit", name="Di")
    cy.post(f"{path}/sit", name="Cy")
    cy.post(f"{path}/ready")
    cy.post(f"{path}/talk", text="Hello")
    cy.get(f"{path}/talk.json", f"{path}/talk", f"{path}.json")
    bo.post(f"{path}/talk", text="Hello")
    bo.get(f"{path}/talk.json", f"{path}/options")
    bo.ask("POST", f"{path}/options", json={"games": 99}, told="games: 99")
    bo.ask("POST", f"{path}/options", json={"games": 2}, told="games: 2")
    cy.post(f"{path}/start")
    bo.post(f"{path}/start")
    all_ask((bo, cy, di), f"{path}.json", f"{path}.txt")
    twice = {"Idempotency-Key": "one"}
    bo.get(f"{path}.json")
    menu = bo.json["menu"]
    for fields in (
        {"answers": menu, "move": "bid KS"}, {"answers": menu, "move": "bid QS"},
        {"answers": menu, "move": "bid"}, {"answers": "nothing", "move": "bid QS"},
        {"move": "bid QS"},
    ):  # fmt: skip
        bo.post(f"{path}/move", twice, **fields)
    bo.post(f"{path}/move", answers=menu, move="bid QS", cmd="x" * 41)
    cy.get(f"{path}.json")
    menu = cy.json["menu"]
    cy.post(f"{path}/move", answers=menu, move="9", dry="1", cmd="mine")
    cy.post(f"{path}/move", answers=menu, move="99", cmd="mine")
    cy.post(f"{path}/move", answers=menu, move="9", cmd="mine")
    cy.post(f"{path}/move", answers=menu, move="9", cmd="mine")
    cy.post(f"{path}/move", answers=menu, move="bid 2C", cmd="mine")
    bo.get(f"{path}.json?v=0&wait=1", f"{path}.say", f"{path}/rules.json?now", f"{path}/carry")
    bo.post(f"{path}/leave")
    cy.get(f"{path}.json", f"{path}.txt", "/account")
    ann.post("/settings/api-keys/revoke", key="nothing")
    for mark in marks:
        ann.post("/settings/api-keys/revoke", key=mark)
    ann.get("/settings/api-keys")


@pytest.mark.slow
def test_friends_and_clubs_tour_is_as_recorded(tour):
    ann, ben, cat = (tour.person(name) for name in ("Ann", "Ben", "Cat"))
    tour.chapter("Friends")
    ann.post("/friends/link")
    ann.post("/friends", do="seen")
    ann.go("/settings/account", name="Ann")
    ann.post("/friends/link")
    link = ann.link("/friends/add/")
    ann.get(link)
    ann.post(link)
    ben.get(link, "/friends/add/nothing")
    ben.post("/friends/add/nothing", name="Ben")
    ben.post(link, name="")
    ben.go(link, name="Ben")
    ben.get(link)
    cat.post(link, name="Cat")
    for what in ("seen", "unseen", "seen"):
        ben.go("/friends", do=what)
    ann.get("/friends")
    words = sorted({it[1] for form in ann.page.forms for it in form.buttons if it[0] == "do"})
    friend = next(it.split()[1] for it in words if " " in it)
    ann.get(f"/friends/{friend}/invite", "/friends/nobody/invite")
    ann.post("/tables", game="gops", name="Ann", friend=friend)
    path = ann.location
    ann.get(f"{path}/friends")
    ann.post(f"{path}/friends", friend=friend)
    ann.post(f"{path}/friends", friend="nobody")
    ben.get("/", f"{path}/friends")
    for what in ("join", "no", "join"):
        ben.post("/friends/invitations", code=path.rpartition("/")[2], do=what)
    for what in ("yes", "no", "part", "block", "unblock", "dance"):
        ann.post("/friends", do=f"{what} {friend}")
        ann.get("/friends")
    ann.post("/friends", do="part nobody")
    tour.chapter("A club")
    for fields in (
        {"club": "", "called": "Ann"},
        {"club": "Gulls", "called": ""},
        {"club": "Gulls", "called": "Annie"},
    ):
        ann.post("/clubs", **fields)
    club = ann.location
    ann.get(club, "/clubs", f"{club}/settings", f"{club}.json", f"{club}.txt", "/account")
    cat.get(club, f"{club}/settings", f"{club}.json", f"{club}.txt")
    for form, fields in CLUB:
        cat.post(club + form, **fields)
    cat.post(f"{club}/ask", name="Cat")
    ann.post(f"{club}/settings", name="")
    ann.post(f"{club}/settings", name="The Gulls", asking="1")
    ann.post(f"{club}/link")
    link = ann.link("/clubs/join/")
    ben.get(link)
    ben.post(link, name="")
    ben.go(link, name="Ben")
    ben.post(link, name="Ben")
    cat.post(f"{club}/ask", name="")
    cat.post(f"{club}/ask", name="Cat")
    all_ask((ann, ben, cat), club, f"{club}/settings", f"{club}.json", f"{club}.txt")
    ann.get(club)
    words = sorted({it[1] for form in ann.page.forms for it in form.buttons if it[0] == "do"})
    asking = [it for it in words if it.startswith(("let", "yes", "accept", "take"))]
    for what in asking[:1]:
        ben.post(f"{club}/members", do=what)
        ann.post(f"{club}/members", do=what)
    ann.get(club)
    member = re.search(r'name="who".*?value="(\w+)"', ann.body, re.S)[1]
    for person in (cat, ben, ann):
        for form, fields in CLUB:
            person.post(club + form, **fields)
        person.get(club, f"{club}.json")
    for what in ("officer", "member", "block", "unblock", "remove", "dance"):
        ben.post(f"{club}/members", do=what, who=member)
        ann.post(f"{club}/members", do=what, who=member)
        ann.get(club)
    tour.chapter("Its tables and tournaments")
    ann.post("/tables", game="gops", name="Annie", club=club[7:])
    path = f"/t/{code_of(ann.location)}"
    all_ask((ann, ben, cat), path, club)
    ben.post(f"{path}/enter", member="1")
    cat.post(f"{path}/enter", member="1")
    cat.post("/tables", game="gops", name="Cat", club=club[7:])
    ann.get(f"/tournaments/new?game=gops&club={club[7:]}", f"/tournaments/new?club={club[7:]}")
    ann.post("/tournaments", game="gops", name="Club cup", who="Annie", club=club[7:], begins="60")
    cup = ann.location
    all_ask((ann, ben, cat), cup, club, f"{club}.json", f"{club}.txt")
    ben.post(cup, do="enter")
    cat.post(cup, do="enter", name="Cat")
    ann.post(f"{club}/link", do="end")
    ann.post(f"{club}/leave")
    for person in (ben, ann):
        person.post(f"{club}/leave", sure="1")
        person.get(club, "/clubs")


WHEN = {"do": "plan", "game": "gops", "day": "2026-09-25", "time": "19:30", "zone": "UTC"}
CLUB = (
    ("/settings", {"name": "Terns", "asking": "1"}),
    ("/name", {"name": "Somebody"}),
    ("/name", {"name": ""}),
    ("/members", {"do": "officer", "who": "nobody"}),
    ("/dates", WHEN | {"note": "Bring tea"}),
    ("/dates", WHEN | {"day": "2020-01-01"}),
    ("/dates", WHEN | {"game": "no", "zone": "Nowhere"}),
    ("/dates", {"do": "come 1"}),
    ("/dates", {"do": "stay 1"}),
    ("/dates", {"do": "come 99"}),
    ("/dates", {"do": "cancel 2"}),
    ("/dates", {"do": "dance"}),
    ("/leave", {}),
)  # fmt: skip


@pytest.mark.slow
def test_alerts_and_vacation_tour_is_as_recorded(tour):
    ann, ben = tour.person("Ann"), tour.person("Ben")
    tour.chapter("Nobody yet")
    for path in ("add", "push", "remove", "resume", "test", "preferences", "snooze", "feed"):
        ann.post(f"/settings/notifications/{path}")
    tour.chapter("Correspondence play")
    ann.post("/tables", game="gops", name="Ann", days="2", listed="1")
    path = f"/t/{code_of(ann.location)}"
    ann.get(path, "/lobby", f"{path}.json", f"{path}.txt")
    ben.go(f"{path}/sit", name="Ben")
    ben.post(f"{path}/ready")
    ann.go(f"{path}/start")
    all_ask((ann, ben), path, f"{path}.json", f"{path}.txt", f"{path}.say?about=clock", "/turns")
    ann.get("/turns.json", "/turns.txt", "/", "/account")
    ann.post(f"{path}/nudge", seat="1")
    ann.post(f"{path}/more")
    tour.time_passes(90_000, path[3:])
    ann.get(path)
    ann.submit("/move", pick="KS")
    ann.post(f"{path}/nudge", seat="1")
    ann.post(f"{path}/nudge", seat="1")
    ann.post(f"{path}/nudge", seat="9")
    ben.get(path, f"{path}.json", f"{path}/talk", "/turns")
    tour.chapter("Vacation")
    for fields in ({}, {"days": "99"}, {"days": "3"}, {"days": "2"}):
        ben.post("/settings/vacation", **fields)
    ben.get("/settings/vacation")
    all_ask((ann, ben), path, f"{path}.json", f"{path}/room", "/turns")
    ben.post("/settings/vacation", end="1")
    ben.post("/settings/vacation", end="1")
    ben.get("/settings/vacation")
    tour.chapter("Ways to be called")
    for address, kind in (
        ("", ""), ("https://ntfy.sh/kaboom", ""), ("https://ntfy.sh/kaboom", "ntfy"),
        ("http://example.com", ""), ("https://example.com/hook", "discord"),
        ("ben@example.com", ""),
        ("https://10.0.0.1/x", "json"), ("https://example.com/hook", "nothing"),
    ):  # fmt: skip
        ben.post("/settings/notifications/add", address=address, kind=kind)
    ben.get(
        "/settings/notifications",
        "/settings/notifications?told=added",
        "/settings/notifications?told=failed",
        "/settings/notifications?told=no",
    )
    ben.post("/settings/notifications/push", endpoint="https://example.com/x", p256dh="x", auth="y")
    for way in ("1", "9"):
        for path_ in ("resume", "remove"):
            ben.post(f"/settings/notifications/{path_}", way=way)
    ben.post("/settings/notifications/test", way="9")
    for fields in (
        {"from": "22:00", "to": "07:00", "zone": "Europe/Berlin", "digest": "60"},
        {"from": "", "to": "", "zone": "", "digest": "0"},
        {"from": "25:00", "to": "07:00", "zone": "UTC", "digest": "0"},
        {"from": "22:00", "to": "", "zone": "Nowhere", "digest": "7"},
    ):
        ben.post("/settings/notifications/preferences", **fields)
    for fields in (
        {"code": path[3:], "days": "7"},
        {"code": "ABCD2345", "days": "1"},
        {"code": path[3:], "days": "99"},
    ):
        ben.post("/settings/notifications/snooze", **fields)
    ben.get("/settings/notifications")
    ben.post("/settings/notifications/snooze", code=path[3:], days="0")
    ben.post("/settings/notifications/feed", feed="1")
    ben.get("/settings/notifications")
    ben.get(ben.link("/turns/"))
    ben.post("/settings/notifications/feed", feed="0")
    tour.chapter("Results")
    ann.post(f"{path}/leave", sure="1")
    for what in ("share", "unshare", "share", "dance"):
        ann.post("/feed", do=what)
    ann.post("/feed", do="address")
    feed = ann.link("/feed/")
    ann.get("/feed", feed, f"{feed}?page=2", f"{feed}?page=0")
    ann.post("/feed", do="no-address")
    for fields in (
        {"counts": "1", "shown": "everybody"},
        {"counts": "1", "shown": "no"},
        {"do": "forget"},
    ):
        ann.post("/account/leaderboards", **fields)
        ann.get(
            "/leaderboards",
            "/leaderboards/gops",
            "/leaderboards/gops?over=days",
            "/leaderboards/gops.json",
        )
    this_month = f"/leaderboards/gops/{month_at(tour.service.now())}"
    ann.get(this_month, f"{this_month}.json", f"{this_month}.txt", f"{this_month}?over=days")
    ann.get("/leaderboards/gops/2999-12")
    ann.get("/account", f"/m/{tour.service.get(path[3:]).table.record}")


def test_looking_back_tour_is_as_recorded(tour):
    ann, ben = tour.person("Ann"), tour.person("Ben")
    at = "/statistics"
    pages = [
        f"{at}{it}{voice}" for it in ("", "/gops", "/people") for voice in ("", ".json", ".txt")
    ]
    tour.chapter("Nobody yet")
    ann.get(
        *pages, f"{at}/nothing", "/settings/public-page", "/players/ABCD2345", "/players/no.json"
    )
    ann.post("/settings/public-page", on="1")
    tour.chapter("A match")
    ann.post("/tables", game="gops", name="Ann", players="2")
    path = f"/t/{code_of(ann.location)}"
    ben.post(f"{path}/sit", name="Ben")
    ben.post(f"{path}/ready")
    ann.post(f"{path}/start")
    finish(tour.service, path[3:])
    ann.get("/account", *pages)
    tour.chapter("A public page")
    ann.get("/settings/public-page")
    ann.go("/settings/public-page", on="1", shows="games")
    own = ann.link("/players/")
    ben.get(own, f"{own}.json", f"{own}.txt", f"{at}/people")
    ann.post("/settings/public-page", on="1", shows=["days", "stamps", "manner", "nothing"])
    ben.get(own, f"{own}.json", f"{own}.txt")
    ann.go("/settings/public-page")
    ben.get(own)
    ann.post("/account/delete", what="statistics", sure="1")
    ann.get(at)


def test_bots_at_addresses_tour_is_as_recorded(tour):
    ann, ben = tour.person("Ann"), tour.person("Ben")
    tour.chapter("Adding a bot")
    ann.get("/settings/bots", "/settings/bots/1")
    there = "https://bots.example.org/kaboom"
    for fields in (
        {"name": "", "bot_name": "Robo", "address": there},
        {"name": "Ann", "bot_name": "", "address": there},
        {"name": "Ann", "bot_name": "Robo", "address": "http://bots.example.org/"},
        {"name": "Ann", "bot_name": "Robo", "address": "https://127.0.0.1/"},
        {"name": "Ann", "bot_name": "Robo", "address": there},
    ):
        ann.post("/settings/bots", **fields)
    ann.get("/settings/bots", "/settings/bots/1")
    for do in ("pause", "share", "resume", "keep", "nothing"):
        ann.post("/settings/bots/1", do=do)
    ben.get("/settings/bots/1")
    ben.post("/settings/bots/1", do="delete")
    ann.get("/settings/bots.json", "/settings/bots.txt")
    ann.get("/settings/bots/1.json", "/settings/bots/1.txt")
    ben.get("/settings/bots.json", "/settings/bots.txt", "/settings/bots/1.json")
    tour.chapter("Inviting it")
    ann.post("/tables", game="gops", name="Ann")
    path = f"/t/{code_of(ann.location)}"
    ben.get(f"{path}/invite-bot")
    ann.post(f"{path}/invite-bot", bot="1")
    tour.service.database.write(lambda c: remote_bots.change(c, 1, {"checked_at": 1.0}))
    ann.get(f"{path}/invite-bot", f"{path}/invite-bot.json", f"{path}/invite-bot.txt")
    ben.get(f"{path}/invite-bot.json")
    ann.post(f"{path}/invite-bot", bot="1")
    ann.post(f"{path}/invite-bot", bot="7")
    ann.get(path)
    ann.post("/settings/bots/1", do="delete")


def test_the_hosts_pages_tour_is_as_recorded(tour):
    ann, ben = tour.person("Ann"), tour.person("Ben")
    tour.chapter("Not a host")
    pages = (
        "/host/people", "/host/people/1", "/host/reports", "/host/reports/1", "/host/upkeep",
        "/host/messages", "/host/matches", "/host/hosts", "/host/backup", "/host/link",
        "/host/acts",
    )  # fmt: skip
    ben.get("/host", *pages, "/host/login/nothing")
    for path in ("login/nothing", "lift", "change", "upkeep", "backup", "link"):
        ben.post(f"/host/{path}")
    ben.post("/host/reports/1", do="note")
    ben.post("/host/people/1", do="note")
    ben.post("/account/messages/read")
    tour.chapter("A host")
    link = f"/host/login/{admin.new_link(tour.app.config['TABLES'])}"
    ann.get(link)
    ann.post(link, name="")
    ann.post(link, name="Ann")
    ann.get(*pages, link)
    ann.post("/host/upkeep", do="halt", text="Back at 8.")
    ann.post("/host/upkeep", do="nothing")
    ben.get("/")
    ben.post("/tables", game="gops", name="Ben")
    ann.get("/host/upkeep", "/host/acts")
