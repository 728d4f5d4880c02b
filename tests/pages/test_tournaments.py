"""Tournaments from the first form to the standings, and the deal of the day."""

from kaboom.tournaments.daily import service as daily
from kaboom.tournaments.scheduler import direct_all
from tests.pages.tour import all_ask, code_of

PAGES = ("", ".json", ".txt", "/view", "/run", "/standings", "/bracket", "/round/1", "/draw.json")
RULINGS = (
    {"do": "dance"}, {"do": "announce", "why": "Tea at five"}, {"do": "announce", "why": ""},
    {"do": "pause", "why": "Tea"}, {"do": "undo 99"},
    {"do": "extend", "minutes": "10", "why": "Slow"},
    {"do": "extend", "minutes": "x"}, {"do": "close"}, {"do": "remove", "one": "99", "why": "Rude"},
    {"do": "apart", "one": "1", "two": "2", "why": "Twins"}, {"do": "swap", "one": "1", "two": "9"},
    {"do": "result", "round": "1", "table": "1", "places": "1 2", "why": "Seen"},
    {"do": "result", "round": "9", "table": "9", "places": "1"}, {"do": "pair", "why": "Anew"},
    {"do": "bots", "count": "2", "level": "easy"}, {"do": "bots", "count": "x"},
)  # fmt: skip


def contest(tour, format, wrong_too=False, **fields):
    """Open a tournament, let some enter it, begin it, and look round at every stage.

    `wrong_too`: also with forms that are refused, and by people who may not.
    """
    ann, ben, zoe = (tour.person(name) for name in ("Ann", "Ben", "Zoe"))
    everybody = (ann, ben, zoe) if wrong_too else (ann,)
    ann.get("/e/new?game=gops")
    for wrong in (
        {"game": "nothing"}, {"name": ""}, {"who": ""}, {"size": "9"}, {"games": "99"},
        {"swiss_rounds": "99"}, {"limit": "0"},
    ) if wrong_too else ():  # fmt: skip
        ann.post("/e", **{"game": "gops", "name": "Cup", "who": "Ann", "format": format, **wrong})
    ann.post("/e", game="gops", name="Cup", who="Ann", format=format, **fields)
    cup = ann.location
    all_ask(everybody[-2:], *(cup + it for it in PAGES))
    zoe.get("/e", "/e?page=1", f"{cup}/round/9", f"{cup}/table/1/1")
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
    for person in everybody[::-1]:
        for ruling in RULINGS:
            person.post(f"{cup}/run", **ruling)
    ben.post(f"{cup}/run", do="check-in")
    ann.post(f"{cup}/run", do="check-in")
    ann.post(f"{cup}/run", do="undo 5")
    all_ask(everybody, *(cup + it for it in PAGES))
    for _ in range(2):
        ben.post(cup, do="check-in")
        ann.post(cup, do="check-in")
    ann.get(f"{cup}/run")
    pauses = [it[1] for form in ann.page.forms for it in form.buttons if it[1].startswith("undo")]
    for undo in pauses:
        ann.post(f"{cup}/run", do=undo)
    tour.chapter("It begins")
    ann.post(f"{cup}/run", do="begin")
    tour.direct(direct_all, 1)
    all_ask(everybody, *(cup + it for it in PAGES))
    ann.get(f"{cup}/table/1/1", f"{cup}/table/1/9", f"{cup}/bracket.svg?look=dark")
    zoe.post(cup, do="enter", name="Zoe")
    tour.direct(direct_all, 400)
    all_ask((ann, ben), cup, f"{cup}.json", "/turns", "/e")
    for ruling in RULINGS:
        ann.post(f"{cup}/run", **ruling)
    ann.get(f"{cup}/run", f"{cup}/standings?find=me", f"{cup}/standings?page=9")
    ben.post(cup, do="leave")
    ben.post(cup, do="back")
    for _ in range(3):
        tour.direct(direct_all, 8_000)
    all_ask(everybody[-2:], *(cup + it for it in PAGES))
    ann.post(f"{cup}/run", do="end", why="")
    ann.post(f"{cup}/run", do="end", why="Late")
    tour.direct(direct_all, 10)
    all_ask(
        everybody[:2],
        *(cup + it for it in PAGES),
        f"{cup}/bracket.svg",
        "/e",
        f"{cup}.json?round=1",
    )


def test_a_knockout(tour):
    contest(tour, "knockout", wrong_too=True, between="0", check_in="5", listed="1", begins="60")


def test_a_league(tour):
    contest(tour, "league", between="0", size="2")


def test_a_swiss_tournament(tour):
    contest(tour, "swiss", swiss_rounds="2", duplicate="1", accounts="1", between="1")


def test_the_deal_of_the_day(tour):
    ann, zoe = tour.person("Ann"), tour.person("Zoe")
    ann.get("/day", "/day.json", "/day.txt", "/day.atom")
    daily.promise_ahead(tour.service)
    today = ann.today
    all_ask((ann,), "/day", "/day.json", "/day.txt", "/day.atom", f"/day/{today}")
    ann.get("/day/2026-09-20", "/day/2026-09-20.json", "/day/2026-9-20", "/day/2027-01-01.txt")
    ann.post(f"/day/{today}", name="")
    ann.post("/day/2026-12-24", name="Ann")
    zoe.post(f"/day/{today}", {"Accept": "application/json"}, name="")
    ann.post(f"/day/{today}", name="Ann")
    path = f"/t/{code_of(ann.location)}"
    ann.get(path, "/day", "/day.json", "/day.txt", f"{path}.json")
    ann.post(f"{path}/leave", sure="1")
    ann.get(path, "/day", "/day.json", "/day.txt", f"/day/{today}.txt")
    ann.post(f"/day/{today}", again="1")
    zoe.post(f"/day/{today}", {"Accept": "text/plain"}, name="Zoe")
    tour.time_passes(86_400)
    ann.get("/day", f"/day/{today}", f"/day/{today}.json")
