"""Pages about finished matches: light, accessible, and steady while they load."""

import hashlib

import pytest

from kaboom.accounts.players import player
from kaboom.challenges import service as challenges
from kaboom.coach import judging, queries
from kaboom.coach.judged_decision import average
from kaboom.coach.process import Task, work
from kaboom.daily import service as daily
from kaboom.db.times import day_of
from kaboom.engine.bots.bot import Level
from kaboom.engine.moves import Refusal
from kaboom.engine.rng import Rng
from kaboom.engine.toolkit.playthrough import Stuck, random_turn
from kaboom.records.play_on_service import Wish
from kaboom.records.queries import match_by_code
from kaboom.records.service import MatchArchive
from kaboom.review import service as reviews
from kaboom.social.friends import service as friends
from tests.browser.test_access import AXE, RUN_AXE, TAGS, TOO_WIDE, UNFOLD
from tests.browser.test_lessons import LEADS
from tests.browser.test_looks import CALM_SHIFT, SETTLED, SHIFTS
from tests.browser.test_one_screen import WRONG
from tests.browser.test_weight import WITHOUT_SCRIPTS, weighed
from tests.coach.test_judging import BRIEFLY
from tests.support.effort import LONG, some

PHONE, LAPTOP = (360, 740), (1366, 650)
FRIENDS = ("Ben", "Cid", "Dot", "Eve", "Fay", "Gus")
NAMES = (
    "match",
    "coach",
    "mistake",
    "mistake shown",
    "play on",
    "challenge friends",
    "challenge",
    "day",
    "day compared",
    "review",
    "review step",
    "statistics",
    "statistics of a game",
    "head to head",
)


def hash_of_key(key):
    """Return the hash by which the server knows a cookie."""
    return hashlib.sha256(key.encode()).hexdigest()


@pytest.fixture(scope="module")
def ann(stage):
    """Ann's cookie, and the addresses of her pages by name."""
    tables = stage.tables
    match = stage.begun("Ann", "Ben", game="gops")
    finish(tables, match.code)
    record = tables.get(match.code).table.record
    key, (me, ben) = match.keys[0], match.players
    pages = {"match": f"/m/{record}", "play on": f"/m/{record}/play-on?step=4&seat=0"}
    pages["challenge friends"] = f"/m/{record}/challenge-friends?step=4"
    pages |= coached(tables, record, key)
    pages |= challenged(tables, record, key, {me: "Ann", ben: "Ben"})
    pages |= compared(tables, key, me)
    pages |= reviewed(tables, record, {me: "Ann", ben: "Ben"})
    for name, path in (("statistics", ""), ("statistics of a game", "/gops")):
        pages[name] = f"/statistics{path}"
    pages["head to head"] = "/statistics/people"
    assert sorted(pages) == sorted(NAMES)
    return key, pages


def finish(tables, code):
    """Play a table's match to its end, while the server's bots may move, too."""
    n = 0
    while (seen := tables.get(code)).table.playing:
        n += 1
        try:
            seats = len(seen.table.seats)
            move = random_turn(seen.game, seen.state, seats, Rng(bytes(32), n, "players"))
            tables.change(code, lambda it, move=move, n=n: it.play(move, f"test {n}"))
        except (Refusal, Stuck):
            continue


def coached(tables, record, key):
    """Coach Ann's decisions briefly; return the addresses. In one transaction, so that the server's
    coach finds nothing to do.
    """
    replay, _around = MatchArchive(tables).find(record, hash_of_key(key))
    with pytest.MonkeyPatch.context() as patch:
        for name, value in BRIEFLY.items():
            patch.setattr(judging, name, value)
        *_before, last = work(Task(replay.record, 0), judging.stopped)
    mistakes = [number for number, it in enumerate(last.judged, 1) if it.is_mistake]
    owner = player(tables, hash_of_key(key), "Ann")[0]

    def done(connection):
        match, now = match_by_code(connection, record), tables.now()
        queries.ask(connection, match.id, owner, 0, now)
        it, _code = queries.take(connection, "test", now)
        queries.keep(connection, it, "test", now, last.judged, last.made, last.steps)
        queries.end(connection, it, "test", now, average(last.judged))

    tables.database.write(done)
    at = f"/m/{record}/coach"
    one = f"{at}/{mistakes[0]}"
    return {"coach": at, "mistake": one, "mistake shown": f"{one}?show=1"}


def challenged(tables, record, key, people):
    """Let people play a challenge from a step of the match; return its address."""
    replay, around = MatchArchive(tables).find(record, hash_of_key(key))
    maker = next(iter(people))
    code = challenges.make(tables, replay, around, Wish(4, 0, Level.EASY, False), maker)
    for who, name in people.items():
        finish(tables, challenges.play(tables, code, who, name))
    return {"challenge": f"/challenge/{code}"}


def compared(tables, key, me):
    """Let Ann and her friends play the deal of the day; return its addresses."""
    daily.promise_ahead(tables)
    day = day_of(tables.now())
    people = {me: "Ann"}
    for name in FRIENDS:
        other = player(tables, hash_of_key(f"{name} of the day"), name)[0]
        friends.take_link(tables, friends.new_link(tables, hash_of_key(key)), other)
        people[other] = name
    for who, name in people.items():
        finish(tables, daily.play(tables, day, who, name))
    at = f"/daily/{day.isoformat()}"
    return {"day": at, "day compared": f"{at}/compare"}


def reviewed(tables, record, people):
    """Let two people look at a step of the match and say something; return the addresses."""
    (me, name), (other, others_name) = people.items()
    place = reviews.Place(4)
    code = reviews.open_review(tables, record, me, name, place)
    reviews.join(tables, record, code, other, others_name)
    reviews.say(tables, record, code, other, place, "Why not the king?")
    return {"review": f"/m/{record}/review", "review step": f"/m/{record}/review/{code}/4?follow=1"}


def test_coach_question_fits_one_screen(ann, person):
    key, pages = ann
    page = person(key=key).page
    page.goto(pages["mistake"])
    for width, height in (PHONE, LAPTOP):
        page.set_viewport_size({"width": width, "height": height})
        assert not page.evaluate(WRONG)
        assert page.evaluate(LEADS)[0] == 0, "buttons are out of view"


@pytest.mark.parametrize("name", NAMES)
def test_page_without_scripts_is_small(ann, person, name):
    key, pages = ann
    sizes = weighed(person(key=key, scripts=False), pages[name])
    own = sum(size for url, size in sizes.items() if ".woff2" not in url)
    assert own <= WITHOUT_SCRIPTS, sizes


@pytest.mark.parametrize("name", NAMES)
def test_page_does_not_shift_while_it_loads(ann, person, name):
    key, pages = ann
    someone = person(key=key)
    someone.page.add_init_script(f"({SHIFTS})()")
    for width, height in (PHONE, LAPTOP):
        someone.page.set_viewport_size({"width": width, "height": height})
        someone.page.goto(pages[name])
        shifts = someone.page.evaluate(SETTLED)
        assert sum(shift for _at, shift, _what in shifts) <= CALM_SHIFT, (width, shifts)


@pytest.mark.parametrize("name", NAMES if LONG else some(NAMES, every=2))
def test_axe_finds_nothing_and_nothing_is_cut_off(ann, person, name):
    key, pages = ann
    page = person(key=key).page
    page.goto(pages[name])
    page.evaluate(AXE)
    for width, height in (PHONE, LAPTOP):
        page.set_viewport_size({"width": width, "height": height})
        for look in ("light", "dark"):
            page.emulate_media(color_scheme=look)
            assert not page.evaluate(RUN_AXE, TAGS)["violations"], (name, look, width)
        page.evaluate(UNFOLD)
        assert page.evaluate(TOO_WIDE) == [], f"{name}, {width} px"
