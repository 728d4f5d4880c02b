"""Tournaments from the first form to the standings, and the daily deal."""

import pytest

from kaboom.daily import service as daily
from kaboom.tournaments.scheduler import direct_all
from tests.pages.tour import all_ask, code_of

PAGES = (
    "",
    ".json",
    ".txt",
    "/view",
    "/manage",
    "/standings",
    "/bracket",
    "/round/1",
    "/round/1/compare",
    "/round/1/compare.json",
    "/round/1/compare.txt",
    "/draw.json",
)
RULINGS = (
    {"do": "dance"}, {"do": "announce", "why": "Tea at five"}, {"do": "announce", "why": ""},
    {"do": "pause", "why": "Tea"}, {"do": "undo 99"},
    {"do": "extend", "minutes": "10", "why": "Slow"},
    {"do": "extend", "minutes": "x"}, {"do": "close"}, {"do": "remove", "one": "99", "why": "Rude"},
    {"do": "apart", "one": "1", "two": "2", "why": "Twins"}, {"do": "swap", "one": "1", "two": "9"},
    {"do": "result", "round": "1", "table": "1", "places": "1 2", "why": "View"},
    {"do": "result", "round": "9", "table": "9", "places": "1"}, {"do": "pair", "why": "Anew"},
    {"do": "bots", "count": "2", "level": "easy"}, {"do": "bots", "count": "x"},
)  # fmt: skip


def contest(tour, format, wrong_too=False, **fields):
    """Open a tournament, enter some players, start it, and visit all pages at every stage.

    If `wrong_too`, also send invalid forms and forms by people without permission.
    """
    ann, ben, zoe = (tour.person(name) for name in ("Ann", "Ben", "Zoe"))
    everyone = (ann, ben, zoe) if wrong_too else (ann,)
    ann.get("/tournaments/new?game=gops")
    for wrong in (
        {"game": "nothing"}, {"name": ""}, {"who": ""}, {"size": "9"}, {"games": "99"},
        {"swiss_rounds": "99"}, {"limit": "0"},
    ) if wrong_too else ():  # fmt: skip
        ann.post(
            "/tournaments",
            **{"game": "gops", "name": "Cup", "who": "Ann", "format": format, **wrong},
        )
    ann.post("/tournaments", game="gops", name="Cup", who="Ann", format=format, **fields)
    cup = ann.location
    all_ask(everyone[-2:], *(cup + it for it in PAGES))
    zoe.get("/tournaments", "/tournaments?page=1", f"{cup}/round/9", f"{cup}/table/1/1")
    if wrong_too:
        ben.post(f"{cup}/settings", name="Mine")
        ann.get(f"{cup}/settings")
        ann.post(f"{cup}/settings", {"Accept": "application/json"}, size="9")
        ann.post(f"{cup}/settings", {"Accept": "application/json"}, between="0")
    ben.post(cup, do="enter", name="")
    ben.post(cup, do="enter", name="Ben", cut="My word")
    ben.post(cup, do="enter", name="Ben")
    ann.post(cup, do="enter", name="Ann")
    for what in ("check-in", "leave", "back", "dance"):
        ben.post(cup, do=what)
        zoe.post(cup, do=what)
    ben.post(cup, do="enter", name="Ben")
    for person in everyone[::-1]:
        for ruling in RULINGS:
            person.post(f"{cup}/manage", **ruling)
    ben.post(f"{cup}/manage", do="check-in")
    ann.post(f"{cup}/manage", do="check-in")
    ann.post(f"{cup}/manage", do="undo 5")
    all_ask(everyone, *(cup + it for it in PAGES))
    for _ in range(2):
        ben.post(cup, do="check-in")
        ann.post(cup, do="check-in")
    ann.get(f"{cup}/manage")
    pauses = [it[1] for form in ann.page.forms for it in form.buttons if it[1].startswith("undo")]
    for undo in pauses:
        ann.post(f"{cup}/manage", do=undo)
    tour.chapter("Start")
    ann.post(f"{cup}/manage", do="begin")
    tour.direct(direct_all, 1)
    all_ask(everyone, *(cup + it for it in PAGES))
    ann.get(f"{cup}/table/1/1", f"{cup}/table/1/9", f"{cup}/bracket.svg?look=dark")
    zoe.post(cup, do="enter", name="Zoe")
    tour.direct(direct_all, 400)
    all_ask((ann, ben), cup, f"{cup}.json", "/turns", "/tournaments")
    for ruling in RULINGS:
        ann.post(f"{cup}/manage", **ruling)
    ann.get(f"{cup}/manage", f"{cup}/standings?find=me", f"{cup}/standings?page=9")
    ben.post(cup, do="leave")
    ben.post(cup, do="back")
    for _ in range(3):
        tour.direct(direct_all, 8_000)
    all_ask(everyone[-2:], *(cup + it for it in PAGES))
    ann.post(f"{cup}/manage", do="end", why="")
    ann.post(f"{cup}/manage", do="end", why="Late")
    tour.direct(direct_all, 10)
    all_ask(
        everyone[:2],
        *(cup + it for it in PAGES),
        f"{cup}/bracket.svg",
        "/tournaments",
        f"{cup}.json?round=1",
    )


@pytest.mark.slow
def test_a_knockout_tour_is_as_recorded(tour):
    contest(tour, "knockout", wrong_too=True, between="0", check_in="5", listed="1", begins="60")


@pytest.mark.slow
def test_a_league_tour_is_as_recorded(tour):
    contest(tour, "league", between="0", size="2")


@pytest.mark.slow
def test_a_swiss_tournament_tour_is_as_recorded(tour):
    contest(tour, "swiss", swiss_rounds="2", duplicate="1", accounts="1", between="1")


def test_the_deal_of_the_day_tour_is_as_recorded(tour):
    ann, zoe = tour.person("Ann"), tour.person("Zoe")
    ann.get("/daily", "/daily.json", "/daily.txt", "/daily.atom")
    daily.promise_ahead(tour.service)
    today = ann.today
    all_ask((ann,), "/daily", "/daily.json", "/daily.txt", "/daily.atom", f"/daily/{today}")
    ann.get(
        "/daily/2026-09-20", "/daily/2026-09-20.json", "/daily/2026-9-20", "/daily/2027-01-01.txt"
    )
    ann.post(f"/daily/{today}", name="")
    ann.post("/daily/2026-12-24", name="Ann")
    zoe.post(f"/daily/{today}", {"Accept": "application/json"}, name="")
    ann.post(f"/daily/{today}", name="Ann")
    path = f"/t/{code_of(ann.location)}"
    ann.get(path, "/daily", "/daily.json", "/daily.txt", f"{path}.json")
    ann.post(f"{path}/leave", sure="1")
    ann.get(path, "/daily", "/daily.json", "/daily.txt", f"/daily/{today}.txt")
    compared = f"/daily/{today}/compare"
    all_ask((ann, zoe), compared, f"{compared}.json", f"{compared}.txt")
    ann.post(f"/daily/{today}", again="1")
    zoe.post(f"/daily/{today}", {"Accept": "text/plain"}, name="Zoe")
    tour.time_passes(86_400)
    ann.get("/daily", f"/daily/{today}", f"/daily/{today}.json")
