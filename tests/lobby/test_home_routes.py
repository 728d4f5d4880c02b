"""The home page of a player with tables: those where it is their turn come first."""

import re
import secrets
from dataclasses import replace
from types import SimpleNamespace

import pytest

from kaboom.accounts import player_queries
from kaboom.daily import service as daily
from kaboom.db.times import day_of
from kaboom.games import GAMES, is_built_in
from kaboom.lobby import home_routes
from tests.support.finished_matches import finish


def opened(ann, fake_clock, **more):
    """Let Ann open a table of GOPS a minute after the previous one; return its code."""
    fake_clock.sleep(60)
    fields = {"cmd": secrets.token_urlsafe(16), "game": "gops", "name": "Ann", **more}
    answer = ann.client.post("/tables", data=fields)
    return re.search(r"/t/(\w+)", answer.location)[1]


def shown(ann):
    """Return the codes of the tables on Ann's home page: the visible ones, and the folded ones."""
    panel = ann.client.get("/").text.partition('id="h-mine"')[2].partition("</section>")[0]
    seen, _, folded = panel.partition("<details")
    return [re.findall(r'<div><a href="/t/(\w+)"', part) for part in (seen, folded)]


def test_home_lists_the_players_turns_first_and_folds_others(browser, fake_clock):
    ann = browser()
    begun = opened(ann, fake_clock, bots="1", start="1")
    waiting = [opened(ann, fake_clock) for _ in range(5)][::-1]
    assert shown(ann) == [[begun, *waiting[:2]], waiting[2:]]


def test_home_shows_four_tables_unfolded(browser, fake_clock):
    ann = browser()
    waiting = [opened(ann, fake_clock) for _ in range(4)][::-1]
    assert shown(ann) == [waiting, []]


def test_home_of_a_player_marks_turns_and_omits_the_introduction(browser, fake_clock):
    ann = browser()
    assert "Start a table, send the link, play." in ann.client.get("/").text
    begun, waiting = opened(ann, fake_clock, bots="1", start="1"), opened(ann, fake_clock)
    text = ann.client.get("/").text
    rows = dict(re.findall(r'<div><a href="/t/(\w+)">(.*?)</li>', text, re.S))
    assert 'on">your turn</b>' in rows[begun] and f'href="/t/{begun}">Play' in rows[begun]
    assert "not begun" in rows[waiting]
    assert f'class="button btn-secondary" href="/t/{waiting}">Enter' in rows[waiting]
    assert "No account, nothing to install, and" not in text


def test_name_is_remembered_after_the_last_table_was_left(browser, fake_clock):
    ann = browser()
    code = opened(ann, fake_clock)
    ann.client.post(f"/t/{code}/leave", data={"sure": "1"})
    for page in ("/", "/start/gops"):
        assert 'name="name" value="Ann"' in ann.client.get(page).text


@pytest.mark.parametrize(
    ("place", "playing", "waited_for", "outcome"),
    [
        (0, True, True, None),
        (1, True, False, None),
        (1, True, None, None),
        (2, False, None, None),
        (3, False, None, "won"),
    ],
)
def test_players_turns_come_first_and_finished_tables_last(place, playing, waited_for, outcome):
    prompt = None if waited_for is None else SimpleNamespace(waited_for=waited_for)
    table = SimpleNamespace(playing=playing, outcome=outcome)
    mine = SimpleNamespace(prompt=lambda: prompt, table=table, player=None)
    assert home_routes._urgency(mine) == place


def test_home_shows_a_finished_table_only_if_no_other_is_left(browser, service, fake_clock):
    ann = browser()
    for _ in range(2):
        over = opened(ann, fake_clock, bots="1", start="1")
        finish(service, over)
    assert shown(ann) == [[over], []]
    assert "Your last match" in ann.open("/").text
    assert 'href="/feed"' in ann.html
    ann.press("Play again")
    assert service.get(over).table.playing
    assert shown(ann) == [[over], []] and "Your tables" in ann.open("/").text
    assert 'action="/t/' not in ann.html


@pytest.mark.parametrize(("days", "said"), [(30, "30 days after"), (0, "until the host")])
def test_about_page_says_what_is_stored_and_for_how_long(app, browser, monkeypatch, days, said):
    monkeypatch.setitem(app.config, "SERVER", replace(app.config["SERVER"], expire_days=days))
    assert said in browser().open("/about").text


@pytest.mark.parametrize("part", ["help", "privacy"])
def test_help_and_privacy_lead_to_their_part_of_the_about_page(app, part):
    client = app.test_client()
    assert client.get(f"/{part}").location.endswith(f"/about#{part}")
    assert f'<h2 id="{part}"' in client.get("/about").text
    assert 'href="/about#privacy"' in client.get("/about").text


def test_home_asks_for_readiness_at_a_tournament_table(browser, monkeypatch, fake_clock):
    ann = browser()
    opens, other = opened(ann, fake_clock), opened(ann, fake_clock)
    monkeypatch.setattr(home_routes, "is_to_be_ready", lambda it, player: it.code == opens)
    assert shown(ann)[0] == [opens, other]
    text = ann.client.get("/").text
    assert "your tournament table is open: say that you are ready" in text
    assert f'<a class="button" href="/t/{opens}">Play' in text


def test_visitor_without_a_key_causes_no_player_query(browser, monkeypatch):
    """A visitor without a key is not stored; many visitors only look at the home page."""
    asked = []
    monkeypatch.setattr(player_queries, "player", lambda connection, key: asked.append(key))
    assert browser().client.get("/").status_code == 200
    assert asked == []


def doors(person):
    """Return the addresses of what there is to do today, in order, and the text of that part."""
    part = person.client.get("/").text.partition('class="doors"')[2].partition("</nav>")[0]
    return re.findall(r'<a href="([^"]*)"', part), part


def test_home_lists_the_daily_deal_first_until_it_is_finished(browser, service, fake_clock):
    daily.promise_ahead(service)
    ann = browser()
    links, part = doors(ann)
    assert links[0] == "/daily" and len(links) == home_routes.DOORS and "/puzzles/day" in links
    today = day_of(fake_clock.time)
    assert daily.get(service, today, "").game.name in part
    ann.open("/daily")
    ann.press("Play today’s deal")
    ann.open("/daily")
    finish(service, re.search(r'"/t/(\w+)"', ann.html)[1])
    links, part = doors(ann)
    assert links[0] != "/daily" and ("/daily" not in links or links[-1] == "/daily")


def test_home_shows_public_tables_and_waiting_players(browser, fake_clock):
    ann, ben = browser(), browser()
    assert "/lobby" not in doors(ben)[0]
    opened(ann, fake_clock, listed="1")
    links, part = doors(ben)
    assert "/lobby" in links and "1 public table" in part


def test_games_of_other_packages_come_after_built_in_ones(browser):
    visitor = browser()
    visitor.open("/")
    tile = r'<button class="quiet" name="game" value="(\w+)"'
    others = [key for key in GAMES if not is_built_in(key)]
    assert re.findall(tile, visitor.html) == [*filter(is_built_in, GAMES), *others]
