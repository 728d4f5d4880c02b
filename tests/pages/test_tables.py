"""A table from its first form to its last page."""

import pytest

from tests.coach.coaching import coached
from tests.pages.tour import all_ask, code_of
from tests.support.browsing import BY_HTMX

# All pages of a table, for every kind of viewer at every stage.
LOOKS = (
    "", "/now", "/talk", "/room", "/options", "/screen", "/screen/view", "/people",
    "/notes", "/leave", "/carry", "/pass", "/house", "/ahead", "/chair/1", "/report",
    ".json", ".txt", ".say", "/talk.json", "/talk.txt", "/qr.svg", "/rules?now",
)  # fmt: skip
SOME = ("", "/now", "/room", "/screen", ".json", ".txt", ".say")
BRIEF = ("/rules", "/rules.txt", "/rules.json")


def look_round(people, path):
    """Let every viewer open all pages of a table."""
    all_ask(people, *(path + it for it in LOOKS))
    all_ask(people, *(path + it for it in BRIEF), brief=True)


def some(people, path):
    """Let every viewer open the pages that change most."""
    all_ask(people, *(path + it for it in SOME))


def look_back(ann, zoe, coach, service, monkeypatch):
    """Have Ann's decisions judged; Zoe did not play."""
    all_ask((ann, zoe), coach, f"{coach}.json", f"{coach}.txt", f"{coach}/now", f"{coach}/1")
    zoe.post(coach)
    ann.post(coach)
    ann.get(coach, f"{coach}.json", f"{coach}/now")
    coached(service, monkeypatch)
    ann.get(coach, f"{coach}.json", f"{coach}.txt", f"{coach}/now", f"{coach}/99")
    for at in (f"{coach}/1", f"{coach}/1?show=1", f"{coach}/1.txt?show=1", f"{coach}/1.json"):
        ann.get(at)
    ann.post(f"{coach}/1/move", move="fly")
    ann.post(f"{coach}/1/move", move="bid QS")


@pytest.mark.slow
def test_a_table_tour_is_as_recorded(tour, monkeypatch):
    ann, ben, zoe = (tour.person(name) for name in ("Ann", "Ben", "Zoe"))
    tour.chapter("A table is opened")
    ann.get("/start/gops", "/start/gops?preset=three", "/start/gops?set=games:3&called=Ours")
    ann.get("/start/gops?set=games:99", "/start/nothing")
    ann.post("/tables", game="nothing", name="Ann")
    ann.post("/tables", game="gops", name="")
    ann.post("/tables", game="gops", name="Ann", players="9")
    ann.post("/tables", game="gops", name="Ann", days="5")
    ann.post("/tables", game="gops", name="Ann", password="x" * 101)
    ann.post("/tables", game="gops", name="Ann", keep="1", games="3", called="Ours")
    ann.get("/start/gops")
    ann.submit("/tables", name="Ann")
    path = f"/t/{code_of(ann.location)}"
    look_round((ann, zoe), path)
    tour.chapter("People sit down")
    ben.post(f"{path}/sit", name="")
    ben.post(f"{path}/sit", name="Ann")
    ben.post(f"{path}/sit", name="Ben", seat="7")
    ben.post(f"{path}/sit", name="Ben", seat="0")
    ben.post(f"{path}/sit", BY_HTMX, name="Ben", seat="1")
    ben.post(f"{path}/sit", name="Ben", seat="1")
    zoe.post(f"{path}/sit", name="Zoe")
    zoe.post(f"{path}/sit", {"Accept": "application/json"}, name="Zoe")
    zoe.post(f"{path}/sit", {"Accept": "text/plain"}, name="Zoe")
    ben.get("/account", path)
    tour.chapter("What the host arranges")
    for person in (ben, zoe, ann):
        for form, fields in HOSTS:
            person.post(path + form, **fields)
    for what in ("host 0", "shuffle"):
        ben.post(f"{path}/seats", do=what)
    ann.get(f"{path}/options?preset=three", f"{path}/options?set=games:2&called=Ours")
    ann.get(f"{path}/options?set=games:99", path, f"{path}.json", f"{path}/talk")
    zoe.get(path, f"{path}.json", "/lobby", "/lobby.json", "/lobby.txt", "/lobby/rooms")
    ben.post(f"{path}/ready", ready="0")
    ben.post(f"{path}/ready")
    ben.post(f"{path}/ready", BY_HTMX)
    ben.post(f"{path}/cut", cut="my cut")
    ben.post(f"{path}/cut", cut="x" * 61)
    zoe.post(f"{path}/cut", cut="my cut")
    zoe.post(f"{path}/ready")
    zoe.post(f"{path}/start")
    ben.post(f"{path}/start")
    some((ann, zoe), path)
    tour.chapter("The match")
    ann.post(f"{path}/start")
    ann.post(f"{path}/start")
    look_round((ann, zoe), path)
    for person in (zoe, ann):
        for form, fields in IN_MATCH:
            person.post(path + form, **fields)
    ann.get(path)
    ann.submit("/move", pick=ann.page.form("/move").boxes[-1][1])
    ann.post(f"{path}/move", move="0123456789 bid QS", match="1", v="1")
    ann.post(f"{path}/move", BY_HTMX, move="nonsense", match="1", v="1")
    some((ann, zoe), path)
    ben.get(f"{path}.txt")
    by_list = ben.body.split("answers=")[1].split()[0]
    ben.post(f"{path}/move", {"Accept": "text/plain"}, answers=by_list, move="14")
    ben.post(f"{path}/move", {"Accept": "application/json"}, answers=by_list, move="3", dry="1")
    ben.post(f"{path}/move", {"Accept": "text/plain;profile=say"}, answers=by_list, move="3")
    ben.post(f"{path}/move", {"Accept": "application/json"}, answers=by_list, move="3")
    some((ann, zoe), path)
    tour.chapter("What open pages ask for")
    ann.get(path)
    version = ann.page.form("/move").hidden["v"]
    for person in (ann, zoe):
        person.get(f"{path}/view?v={version}", f"{path}/view?v=0", HX_Request="true")
        person.get(f"{path}/room?n=0", f"{path}/screen/view?v=0", HX_Request="true")
    ann.post(f"{path}/move", BY_HTMX, move="nonsense", match="1")
    tour.chapter("Votes")
    for person, what in ((ann, "pause"), (zoe, "pause"), (ben, "end"), (ann, "nothing")):
        person.post(f"{path}/propose", about=what)
    ann.get(path, f"{path}.json", f"{path}.txt", f"{path}.say")
    ben.get(path, f"{path}.json", f"{path}.txt", f"{path}/leave")
    zoe.get(path, f"{path}.json")
    zoe.post(f"{path}/vote", vote="1", answer="yes")
    ben.post(f"{path}/vote", vote="9", answer="yes")
    ben.post(f"{path}/vote", vote="1", answer="no")
    ann.post(f"{path}/propose", about="pause")
    ben.post(f"{path}/vote", vote="2", answer="yes")
    some((ann, zoe), path)
    ann.post(f"{path}/propose", about="resume")
    ben.post(f"{path}/vote", vote="3", answer="yes")
    tour.chapter("Bots play for people")
    ann.post(f"{path}/hand-over")
    ann.post(f"{path}/hand-over")
    all_ask((ann, zoe), path, f"{path}.json", f"{path}/room", f"{path}/screen")
    ann.post(f"{path}/take-over")
    ann.post(f"{path}/take-over")
    ben.post(f"{path}/propose", about="bot 0")
    ann.get(path)
    tour.chapter("Somebody leaves, and the match is over")
    ben.post(f"{path}/leave")
    ben.post(f"{path}/leave", {"Accept": "application/json"}, sure="0")
    look_round((ann, zoe), path)
    record = tour.service.get(path[3:]).table.record
    for shown in ("", "?from=2", "/0", "/3", "/3?seat=1", "/99", "/go?step=2", "/print", "/verify"):
        ann.get(f"/m/{record}{shown}")
    ann.get(f"/m/{record}/rules", brief=True)
    ann.get(f"/m/{record}.html", brief=True)
    ann.get(f"/m/{record}.json", f"/m/{record}.txt", f"/m/{record}/3.json", f"/m/{record}/3.txt")
    ann.get(f"/m/{record}/play-on?step=1", f"/m/{record}/play-on?step=999")
    ann.post(f"/m/{record}/play", step="1", seat="7")
    ann.post(f"/m/{record}/play", step="1")
    look_back(ann, zoe, f"/m/{record}/coach", tour.service, monkeypatch)
    ann.get(f"/m/{record}/challenge-friends?step=1")
    ann.post(f"/m/{record}/challenge", step="1", level="x")
    ann.post(f"/m/{record}/challenge", step="1")
    challenge = ann.location
    all_ask((ann, zoe), challenge, f"{challenge}.json", f"{challenge}.txt")
    zoe.post(f"{challenge}/play", name="\u202e")
    zoe.post(f"{challenge}/play")
    zoe.get(challenge)
    ann.get(f"/m/{record}/review?step=2&seat=1", f"/m/{record}/review.json")
    ann.post(f"/m/{record}/review", step="2", seat="9")
    ann.post(f"/m/{record}/review", step="2", seat="1")
    place = ann.location
    review = place.rpartition("/")[0]
    zoe.get(review, f"{review}/2", f"{review}/events")
    zoe.post(f"{review}/join", name="\u202e")
    zoe.post(f"{review}/join")
    zoe.post(f"{review}/lead", step="1")
    all_ask((ann, zoe), place)
    zoe.get(f"{review}/1", f"{review}/go?step=99", f"{review}/people", f"{review}/report?who=x")
    zoe.post(f"{review}/say", text="", step="1")
    zoe.post(f"{review}/say", text="Why this?", step="1")
    zoe.post(f"{review}/ask")
    ann.post(f"{review}/lead", step="1")
    all_ask((ann, zoe), f"{review}/1?follow=1", f"{review}.json", f"{review}.txt")
    ann.post(f"{review}/hand-over", who="x")
    ann.post(f"{review}/people", do="mute x")
    ann.post(f"{review}/report", who="x")
    zoe.post(f"{review}/delete", line="99")
    ann.get(f"/m/{record}/1", f"/m/{record}/review", f"/m/{record}/review.txt")
    ann.post(f"{review}/leave")
    file = ann.get(f"/m/{record}.json")
    zoe.get(f"/m/{record}", "/replay")
    for person in (zoe, ann):
        person.post(f"/m/{record}/hide")
        person.post(f"/m/{record}/hide", hidden="0")
    zoe.post("/replay", text="no record")
    zoe.post("/replay", text="{}")
    zoe.post("/replay", text=file)
    imported = zoe.location
    for shown in ("", "/3", "/print", "/verify", "/go?step=99"):
        zoe.get(f"{imported}{shown}")
    zoe.get(f"{imported}/rules", brief=True)
    zoe.post(f"{imported}/hide")
    ann.get("/account", "/account?page=2", "/turns", "/turns.json", "/turns.txt")
    tour.chapter("Once more")
    zoe.post(f"{path}/same-deal", seats="moved")
    ann.get(path)
    zoe.post(f"{path}/same-deal", seats="new")
    zoe.post(f"{path}/same-deal", match="NONSENSE")
    ann.post(f"{path}/rematch")
    zoe.post(f"{path}/rematch")
    ann.post(f"{path}/bot", level="hard")
    for what in ("shuffle", "host 0", "host 1"):
        ann.post(f"{path}/seats", do=what)
    some((ann, zoe), path)
    ann.post(f"{path}/start")
    some((ann, zoe), path)


HOSTS = (
    ("/options", {"games": "2", "players": "2"}),
    ("/options", {"games": "99"}),
    ("/options", {"games": "2", "keep": "1"}),
    ("/options", {"games": "2", "days": "2"}),
    ("/options", {"games": "1", "days": "0"}),
    ("/seats", {"do": "swap 0 1"}),
    ("/seats", {"do": "swap 0 9"}),
    ("/seats", {"do": "swap 0"}),
    ("/seats", {"do": "dance"}),
    ("/door", {"listed": "1"}),
    ("/door", {"listed": "1", "friends.asked": "1", "friends": "1"}),
    ("/bots", {"bot_pace": "instant", "hints": "all", "banter.asked": "1", "programs": "never"}),
    ("/bots", {"bot_pace": "brisk"}),
    ("/watching", {"watch": "3", "hush": "1", "audience": "1"}),
    ("/watching", {"watch": "2"}),
    ("/watching", {"watch": "0", "audience": "1"}),
    ("/bot", {"level": "easy"}),
    ("/seats", {"do": "swap 1 0"}),
    ("/remove", {"seat": "1"}),
    ("/remove", {"seat": "7", "sure": "1"}),
    ("/hands", {"answer": "yes", "minutes": "5"}),
    ("/house", {"move": "nothing 2", "match": "0"}),
)
IN_MATCH = (
    ("/sit", {"name": "Zed"}),
    ("/ready", {}),
    ("/cut", {"cut": "late"}),
    ("/move", {}),
    ("/move", {"move": "nonsense", "match": "1"}),
    ("/move", {"move": "nonsense", "match": "1", "cmd": "x" * 41}),
    ("/more", {}),
    ("/nudge", {"seat": "1"}),
    ("/hint", {}),
    ("/tip", {"read": "gops.aim"}),
    ("/tip", {"again": "gops"}),
    ("/house", {"move": "fix 2", "match": "1"}),
    ("/house", {"move": "fix", "match": "1"}),
    ("/end", {}),
    ("/bot", {}),
    ("/remove", {"seat": "1", "sure": "1"}),
    ("/options", {"games": "3"}),
    ("/notes", {"text": "Ben bids low"}),
    ("/notes", {"text": "x" * 2001}),
    ("/ahead", {}),
    ("/take-over", {}),
    ("/rematch", {}),
    ("/same-deal", {}),
    ("/leave", {}),
    ("/vote", {"vote": "1", "answer": "yes"}),
    ("/talk", {"text": "Hello"}),
    ("/talk", {"phrase": "luck"}),
    ("/talk", {"phrase": "nothing"}),
)
