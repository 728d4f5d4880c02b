"""Pages without a table: home, rules, settings, documents, well-known files, errors."""

import pytest

from kaboom.games import GAMES
from kaboom.puzzles.book import book


@pytest.mark.slow
def test_pages_tour_is_as_recorded(tour):
    ann = tour.person("Ann")
    tour.chapter("Home and the like")
    ann.get("/", "/lobby", "/lobby/rooms", "/lobby.json", "/lobby.txt", "/lobby?page=1", "/join")
    ann.get("/join?code=abcd2345", "/join?code=http://localhost/t/ABCD2345?v=3")
    ann.get("/rules", "/about", "/help", "/privacy")
    for key in GAMES:
        ann.get(f"/start/{key}")
        ann.get(f"/rules/{key}", f"/rules/{key}.json", f"/rules/{key}.txt", brief=True)
    ann.get("/rules/gops?set=games:99", "/rules/gops.json?set=games:99", "/rules/nothing")
    ann.get("/games.json", brief=True)
    ann.get(
        "/games.txt", "/leaderboards", "/leaderboards/gops?over=days", "/leaderboards/gops.json"
    )
    ann.get(
        "/leaderboards/gops.txt",
        "/leaderboards/nothing",
        "/login",
        "/account",
        "/settings/presets",
        "/clubs",
    )
    ann.get(
        "/friends",
        "/settings/devices",
        "/settings/account",
        "/settings/api-keys",
        "/settings/notifications",
        "/settings/vacation",
    )
    ann.get(
        "/turns",
        "/turns.json",
        "/feed",
        "/tournaments",
        "/tournaments/new",
        "/replay",
        "/friends/add/secret",
    )
    ann.get(
        "/clubs/join/secret",
        "/login/secret",
        "/notifications/mail/secret",
        "/notifications/mail/secret/stop",
    )
    ann.get("/feed/secret.atom", "/turns/secret.atom", "/push.js", brief=True)
    ann.post("/notifications/mail/secret")
    ann.post("/notifications/mail/secret/stop")
    tour.chapter("Documents")
    ann.get("/api/reference", "/api/records", "/api/chance", "/openapi.json", "/api", brief=True)
    ann.get("/api/reference.txt", "/api/records.txt", "/api/chance.txt", brief=True)
    ann.get("/api/games/gops", "/api/games/gops.json", "/api/games/gops.txt", "/api/games/nothing")
    ann.get("/problems/too-late", "/problems/nothing")
    ann.get("/problems/too-late", accept="application/json")
    ann.get("/problems/too-late", accept="text/plain")
    tour.chapter("What browsers and crawlers ask for")
    ann.get("/healthz", "/readyz", "/robots.txt", "/manifest.webmanifest", "/favicon.ico")
    ann.get("/apple-touch-icon.png", "/icons/icon-192.png", "/icons/maskable-512.png", "/icons/no")
    ann.get("/pictures/gops.png", "/pictures/gops/1-2.png", "/pictures/gops/3-2.png")
    ann.get("/pictures/no.png", "/.well-known/security.txt", "/static/nothing.css")
    ann.get(
        "/static/web/base.css", "/static/table_page/table.js", "/static/games/gops.css", brief=True
    )
    ann.ask("GET", "/metrics", environ_base={"REMOTE_ADDR": "203.0.113.7"})
    tour.chapter("Settings")
    ann.get("/settings", "/settings?next=/rules/gops", "/settings?next=//elsewhere.example")
    ann.post("/settings", next="/lobby", look="dark", colours="2", cards="large", confirm="0")
    ann.get("/settings")
    ann.post("/settings", next="//elsewhere", language="fr", sound="2", back="sea", motion="none")
    ann.get("/settings", "/lobby.json", "/t/ABCD2345", "/t/ABCD2345.txt")
    ann.post("/settings", language="sw", refresh="30", turn="notice", index="large", grids="turned")
    ann.get("/")
    ann.post("/settings", language="xx", refresh="31", look="no", keys="0")
    ann.get("/settings")
    for language in ("fr", "sw", "de, fr;q=0.5", "xx"):
        tour.person("Léa", **{"Accept-Language": language}).get("/lobby")
    tour.chapter("Mistakes")
    ann.get(
        "/nothing",
        "/t/ABCD2345",
        "/t/abc",
        "/m/ABCD2345",
        "/clubs/ABCD2345",
        "/tournaments/ABCD2345",
    )
    ann.get(
        "/t/ABCD2345.json",
        "/m/ABCD2345.json",
        "/clubs/ABCD2345.json",
        "/tournaments/ABCD2345.txt",
        "/%ff",
    )
    ann.get("/lobby?page=%ff", "/daily/1999-01-01", "/daily/nothing")
    ann.ask("DELETE", "/lobby").ask("PUT", "/t/ABCD2345/move").ask("OPTIONS", "/settings")
    ann.ask("HEAD", "/").ask("HEAD", "/robots.txt")
    ann.ask("POST", "/settings", content_type="text/plain")
    ann.ask("POST", "/settings", headers={"Sec-Fetch-Site": "cross-site"})
    ann.ask("POST", "/settings", headers={"Origin": "https://elsewhere.example"})
    ann.ask("POST", "/settings", data=b"look=" + b"x" * 70_000)
    for kind in ("application/json", "text/plain", "text/plain;profile=say"):
        ann.get("/t/ABCD2345", "/nothing", accept=kind)
        ann.ask("DELETE", "/lobby", headers={"Accept": kind})
    etag = {"If-None-Match": '"nothing"'}
    ann.get("/robots.txt", **etag)


def test_lessons_tour_is_as_recorded(tour):
    ann = tour.person("Ann")
    tour.chapter("Lessons")
    ann.get("/learn", "/learn.json", "/learn.txt", "/learn/kaboom", brief=True)
    ann.get("/learn/kaboom.json", "/learn/kaboom.txt", "/learn/nothing", brief=True)
    at = "/learn/kaboom/first"
    ann.get(at, "/learn/kaboom/nothing", f"{at}/99")
    ann.get(f"{at}/5", f"{at}/5.json", f"{at}/5.txt", f"{at}/5?show=1")
    ann.post(f"{at}/5/move", match="1", v="5", move="x replace 0.4")
    ann.get(f"{at}/5?tried=replace+0.4")
    ann.post(f"{at}/5/move", match="1", v="5", move="x replace 0.1")
    ann.get(f"{at}/6?also=1", brief=True)
    ann.post(f"{at}/5/move", move="replace 1.0")
    tour.chapter("The end of a lesson")
    ann.get(f"{at}/done", f"{at}/done.json", f"{at}/done.txt", "/learn/kaboom", "/")
    tour.chapter("Puzzles")
    puzzle = next(iter(book("gops")))
    ann.get("/puzzles", "/puzzles.json", "/puzzles.txt", "/puzzles/gops", brief=True)
    ann.get("/puzzles/gops.json", "/puzzles/gops.txt", "/puzzles/day", "/puzzles.atom", brief=True)
    ann.get("/puzzles/nothing", "/puzzle/nothing")
    at = f"/puzzle/{puzzle}"
    ann.get(at, f"{at}.json", f"{at}.txt", f"{at}?show=1", f"{at}.json?show=1", f"{at}.txt?show=1")
    ann.get(f"{at}?list=1", brief=True)
    ann.post(f"{at}/answer", move="x")
    ann.post(f"{at}/move", match="1", v="1", move="x bid KS")
    ann.post(f"{at}/answer", move=book("gops")[puzzle].values[0].move)
    ann.get(f"{at}?tried={book('gops')[puzzle].values[-1].move}")
    ann.post(f"{at}/play", level="x")


def test_finding_a_game_tour_is_as_recorded(tour):
    ann, ben = tour.person("Ann"), tour.person("Ben")
    tour.chapter("Finding a game")
    ann.get("/play", "/play.json", "/play.txt", "/play/wait", "/play/wait.json", "/play/now")
    ann.post("/play", name="Ann", game="chess")
    ann.post("/play", name="Ann", game="gops")
    ann.get("/play/wait", "/play/wait.json", "/play/wait.txt", "/play/now", "/play")
    ann.get("/play/waiting")
    ann.post("/play/bots")
    ann.post("/play/notify", hours="2")
    ben.get("/play?game=gops", "/play.json", "/play.txt", "/lobby")
    tour.clock.sleep(8)
    ann.get("/play/now", brief=True)
    tour.clock.sleep(8)
    ann.get("/play/now", brief=True)
    tour.clock.sleep(8)
    ann.get("/play/now", brief=True)
    tour.clock.sleep(8)
    ann.get("/play/now", "/play/wait.txt")
    ben.post("/play", name="Ben", rated="0")
    ann.get("/play/wait", "/play/now")
    ben.post("/play/leave")
    ben.post("/play/notify", hours="0")
