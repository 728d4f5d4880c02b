"""One's own pages: keeping one's seat, devices, keys of programs, friends, clubs, calls, feeds."""

import re

from tests.pages.tour import all_ask, code_of

NEEDS_SOMEBODY = (
    "/me/keep/words", "/me/keep/password", "/me/keep/passkey", "/me/keep/passkey/made",
    "/me/keep/passkey/drop", "/me/keep/words/tried", "/me/devices/link", "/me/devices/name",
    "/me/devices/out", "/me/forget", "/me/ratings", "/me/vacation", "/feed",
)  # fmt: skip


def test_keeping_a_seat(tour):
    ann, zoe = tour.person("Ann", User_Agent="Firefox Linux"), tour.person("Zoe")
    tour.chapter("Nobody yet")
    for path in NEEDS_SOMEBODY:
        ann.post(path)
    ann.get("/me/keep/words")
    ann.post("/me/keep", name="")
    ann.go("/me/keep", name="Ann")
    ann.get("/me", "/me/devices")
    tour.chapter("Words, a password, passkeys")
    ann.post("/me/keep/words/tried", word1="a", word2="b", word3="c")
    ann.get("/me/keep/words")
    ann.post("/me/keep/words")
    words = re.findall(r"<li>([a-z]+)</li>", ann.body)
    ann.get("/me/keep/words")
    ann.post("/me/keep/words/tried", word1="a", word2="b", word3="c")
    asked = [int(it) for it in re.findall(r"Word (\d)", ann.page.text)]
    three = {f"word{at}": words[number - 1] for at, number in enumerate(asked, 1)}
    ann.post("/me/keep/words/tried", **three)
    for fields in (
        {"handle": "", "password": "seven tame herons", "again": "seven tame herons"},
        {"handle": "ann", "password": "short", "again": "short"},
        {"handle": "ann", "password": "seven tame herons", "again": "seven"},
        {"handle": "ann", "password": "seven tame herons", "again": "seven tame herons"},
    ):
        ann.post("/me/keep/password", **fields)
    ann.get("/me/keep", "/me")
    ann.post("/me/keep/passkey")
    zoe.go("/me/keep", name="Zoe")
    zoe.post(
        "/me/keep/password", handle="Ann", password="seven tame herons", again="seven tame herons"
    )
    tour.chapter("Coming in elsewhere")
    ben = tour.person("Ben", User_Agent="Mozilla Safari iPhone")
    ben.post("/in/words", words="zoo zoo")
    dan = tour.person("Dan", User_Agent="Lynx")
    dan.post("/in/words", words=" ".join(words))
    dan.get("/me/devices")
    ben.post("/in/passkey")
    ben.post("/in/passkey/answer", secret="x", answer="{}")
    ben.post("/in/password", handle="ann", password="wrong")
    ben.post("/in/password", handle="nobody", password="seven tame herons")
    ben.go("/in/password", handle="ann", password="seven tame herons")
    ben.get("/me/devices")
    zoe.post("/in/password", handle="ann", password="seven tame herons")
    zoe.post("/in/as", secret="nothing", how="instead")
    zoe.post("/in/password", handle="ann", password="seven tame herons")
    zoe.submit("/in/as")
    zoe.get("/me", "/me/devices")
    ann.post("/me/devices/link")
    link = ann.link("/in/")
    cat = tour.person("Cat")
    cat.get(link, "/in/nothing")
    cat.post("/in/nothing")
    cat.post(link)
    cat.get(link, "/me/devices")
    cat.post(link)
    tour.chapter("Devices")
    ann.get("/me/devices")
    devices = [form.hidden["device"] for form in ann.page.forms if "device" in form.hidden]
    ann.post("/me/devices/name", device=devices[0], name="The old one")
    ann.post("/me/devices/name", device="nothing", name="The old one")
    ann.post("/me/devices/name", device=devices[0], name="x" * 61)
    ann.get("/me/devices")
    this = next(it for it, text in devices_of(ann) if "this one" in text)
    ann.post("/me/devices/out", device=next(it for it in devices if it != this))
    ann.post("/me/devices/out", device="nothing")
    ann.get("/me/devices")
    ann.post("/me/devices/out", device="others")
    cat.get("/me/devices", "/me")
    ann.get("/me/devices")
    ann.post("/me/keep/password", drop="1")
    ann.get("/me/keep")
    zoe.post("/me/devices/out", device=this)
    ann.post("/me/forget", what="all", sure="0")
    ann.post("/me/forget", what="statistics", sure="1")
    ann.post("/me/devices/out", device=this)
    ann.get("/me/devices")
    zoe.post("/me/forget", what="all", sure="1")
    zoe.get("/me")


def devices_of(person):
    """Return the word for each device of the page that is shown, and what is said of it."""
    parts = person.body.split('<li class="panel">')[1:]
    return [(re.search(r'name="device" value="(\w+)"', it)[1], it) for it in parts]


def test_rules_of_ones_own(tour):
    ann = tour.person("Ann")
    ann.get(
        "/me/rules?game=gops&set=games:3&called=Ours&at=start", "/me/rules?game=gops&set=games:99"
    )
    for fields in (
        {"game": "nothing", "set": "", "called": "Ours"},
        {"game": "gops", "set": "games:99", "called": "Ours"},
        {"game": "gops", "set": "games:3", "called": ""},
        {"game": "gops", "set": "games:3", "called": "Ours", "at": "start"},
        {"game": "gops", "set": "games:4", "called": "Ours", "at": "ABCD2345"},
        {"game": "gops", "set": "games:5", "called": "Long", "at": "//elsewhere"},
    ):
        ann.post("/me/rules", **fields)
    ann.get("/me/rules", "/start/gops", "/me")
    ann.post("/me/rules/1", called="Theirs")
    ann.post("/me/rules/1", called="")
    ann.post("/me/rules/99", called="Theirs")
    ann.post("/me/rules/2", do="delete")
    ann.post("/me/rules/99", do="delete")
    ann.get("/me/rules")


def test_programs(tour):
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
        ann.post("/me/keys", **fields)
    ann.get("/me/keys", "/me")
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
    di.get("/me", "/me/keys", "/lobby.json", "/turns.json", "/me/friends", "/nothing", "/api")
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
    cy.get(f"{path}.json", f"{path}.txt", "/me")
    ann.post("/me/keys/revoke", key="nothing")
    for mark in marks:
        ann.post("/me/keys/revoke", key=mark)
    ann.get("/me/keys")


def test_friends_and_clubs(tour):
    ann, ben, cat = (tour.person(name) for name in ("Ann", "Ben", "Cat"))
    tour.chapter("Friends")
    ann.post("/me/friends/link")
    ann.post("/me/friends", do="seen")
    ann.go("/me/keep", name="Ann")
    ann.post("/me/friends/link")
    link = ann.link("/friend/")
    ann.get(link)
    ann.post(link)
    ben.get(link, "/friend/nothing")
    ben.post("/friend/nothing", name="Ben")
    ben.post(link, name="")
    ben.go(link, name="Ben")
    ben.get(link)
    cat.post(link, name="Cat")
    for what in ("seen", "unseen", "seen"):
        ben.go("/me/friends", do=what)
    ann.get("/me/friends")
    words = sorted({it[1] for form in ann.page.forms for it in form.buttons if it[0] == "do"})
    friend = next(it.split()[1] for it in words if " " in it)
    for what in ("yes", "no", "part", "block", "unblock", "dance"):
        ann.post("/me/friends", do=f"{what} {friend}")
        ann.get("/me/friends")
    ann.post("/me/friends", do="part nobody")
    tour.chapter("A club")
    for fields in (
        {"club": "", "called": "Ann"},
        {"club": "Gulls", "called": ""},
        {"club": "Gulls", "called": "Annie"},
    ):
        ann.post("/me/clubs", **fields)
    club = ann.location
    ann.get(club, "/me/clubs", f"{club}/settings", f"{club}.json", f"{club}.txt", "/me")
    cat.get(club, f"{club}/settings", f"{club}.json", f"{club}.txt")
    for form, fields in CLUB:
        cat.post(club + form, **fields)
    cat.post(f"{club}/ask", name="Cat")
    ann.post(f"{club}/settings", name="")
    ann.post(f"{club}/settings", name="The Gulls", asking="1")
    ann.post(f"{club}/link")
    link = ann.link("/club/")
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
    ann.post("/tables", game="gops", name="Annie", club=club[3:])
    path = f"/t/{code_of(ann.location)}"
    all_ask((ann, ben, cat), path, club)
    ben.post(f"{path}/enter", member="1")
    cat.post(f"{path}/enter", member="1")
    cat.post("/tables", game="gops", name="Cat", club=club[3:])
    ann.get(f"/e/new?game=gops&club={club[3:]}", f"/e/new?club={club[3:]}")
    ann.post("/e", game="gops", name="Club cup", who="Annie", club=club[3:], begins="60")
    cup = ann.location
    all_ask((ann, ben, cat), cup, club, f"{club}.json", f"{club}.txt")
    ben.post(cup, do="enter")
    cat.post(cup, do="enter", name="Cat")
    ann.post(f"{club}/link", do="end")
    ann.post(f"{club}/leave")
    for person in (ben, ann):
        person.post(f"{club}/leave", sure="1")
        person.get(club, "/me/clubs")


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


def test_calls_and_days(tour):
    ann, ben = tour.person("Ann"), tour.person("Ben")
    tour.chapter("Nobody yet")
    for path in ("add", "push", "remove", "wake", "test", "wishes", "snooze", "feed"):
        ann.post(f"/me/calls/{path}")
    tour.chapter("Over days")
    ann.post("/tables", game="gops", name="Ann", days="2", listed="1")
    path = f"/t/{code_of(ann.location)}"
    ann.get(path, "/lobby", f"{path}.json", f"{path}.txt")
    ben.go(f"{path}/sit", name="Ben")
    ben.post(f"{path}/ready")
    ann.go(f"{path}/start")
    all_ask((ann, ben), path, f"{path}.json", f"{path}.txt", f"{path}.say?about=clock", "/turns")
    ann.get("/turns.json", "/turns.txt", "/", "/me")
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
        ben.post("/me/vacation", **fields)
    ben.get("/me/vacation")
    all_ask((ann, ben), path, f"{path}.json", f"{path}/room", "/turns")
    ben.post("/me/vacation", end="1")
    ben.post("/me/vacation", end="1")
    ben.get("/me/vacation")
    tour.chapter("Ways to be called")
    for address, kind in (
        ("", ""), ("https://ntfy.sh/kaboom", ""), ("https://ntfy.sh/kaboom", "ntfy"),
        ("http://example.com", ""), ("https://example.com/hook", "discord"),
        ("ben@example.com", ""),
        ("https://10.0.0.1/x", "json"), ("https://example.com/hook", "nothing"),
    ):  # fmt: skip
        ben.post("/me/calls/add", address=address, kind=kind)
    ben.get("/me/calls", "/me/calls?told=added", "/me/calls?told=failed", "/me/calls?told=no")
    ben.post("/me/calls/push", endpoint="https://example.com/x", p256dh="x", auth="y")
    for way in ("1", "9"):
        for path_ in ("wake", "remove"):
            ben.post(f"/me/calls/{path_}", way=way)
    ben.post("/me/calls/test", way="9")
    for fields in (
        {"from": "22:00", "to": "07:00", "zone": "Europe/Berlin", "digest": "60"},
        {"from": "", "to": "", "zone": "", "digest": "0"},
        {"from": "25:00", "to": "07:00", "zone": "UTC", "digest": "0"},
        {"from": "22:00", "to": "", "zone": "Nowhere", "digest": "7"},
    ):
        ben.post("/me/calls/wishes", **fields)
    for fields in (
        {"code": path[3:], "days": "7"},
        {"code": "ABCD2345", "days": "1"},
        {"code": path[3:], "days": "99"},
    ):
        ben.post("/me/calls/snooze", **fields)
    ben.get("/me/calls")
    ben.post("/me/calls/snooze", code=path[3:], days="0")
    ben.post("/me/calls/feed", feed="1")
    ben.get("/me/calls")
    ben.get(ben.link("/turns/"))
    ben.post("/me/calls/feed", feed="0")
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
        ann.post("/me/ratings", **fields)
        ann.get("/ratings", "/ratings/gops", "/ratings/gops?over=days", "/ratings/gops.json")
    ann.get("/me", f"/m/{tour.service.look(path[3:]).table.record}")
