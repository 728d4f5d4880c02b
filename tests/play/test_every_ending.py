"""Every page answers everybody, however a match ends and whoever leaves in the middle of it."""

import sqlite3
from contextlib import closing, contextmanager

import pytest

from kaboom.engine.rng import Chance
from kaboom.games import GAMES, sample
from kaboom.play import votes
from kaboom.tables import sittings
from kaboom.tables import votes as agreement
from tests.secrecy.paired_server import reached
from tests.secrecy.states import seed
from tests.support.effort import some

MOST = 250  # moves of a match

# Pages of a table, and of a match once it is over, which answer everybody.
TABLE = ("", "/view", "/now", "/rules")
RECORD = ("", "/1", "/print", "/verify", "/rules")
CHANGES = ("/sit", "/start", "/house", "/more", "/ready")  # asked for from an old page


@contextmanager
def put_back(url, service):
    """Let nothing remain of what happens to the tables meanwhile."""
    path = url.removeprefix("sqlite:///")
    with closing(sqlite3.connect(":memory:")) as kept, closing(sqlite3.connect(path)) as file:
        file.backup(kept)
        try:
            yield
        finally:
            kept.backup(file)
            for cache in (service.seen, service._pasts._kept):
                cache.clear()


def players(table):
    """Return the players of those who still play, by seat."""
    chairs = table.service.look(table.code).table.sitting()
    return [chair.player for _, chair in chairs if chair.present]


def all_leave(table, first):
    """Let one after the other leave, from a seat on; yield after each."""
    present = players(table)
    for player in present[first:] + present[:first]:
        sittings.leave(table.service, table.code, player)
        yield


def time_runs_out(table, first):
    """Let whatever has a clock run out twice."""
    for _ in range(2):
        table.service.now.sleep(400)
        table.service.lapse(table.code)
        yield


def all_agree_to_the_end(table, first):
    """Let one propose the end, and all agree."""
    by, *others = players(table)
    votes.propose(table.service, table.code, by, agreement.END)
    number = table.service.look(table.code).table.vote.number
    for player in others:
        votes.answer(table.service, table.code, player, number, True)
    assert not table.service.look(table.code).table.playing
    yield


def everything_answers(table):
    """Ask for every page of a table, and of its record once there is one, with all eyes."""
    now = table.service.look(table.code)
    pages = [f"/t/{table.code}{page}" for page in TABLE]
    record = [f"/m/{now.table.record}{page}" for page in RECORD if now.table.outcome]
    for viewer in (*range(len(table.seats)), None):
        client = table.app.test_client(use_cookies=False)
        headers = {"Cookie": table.cookies(viewer)}
        # Who played sees no more of the record than any other player.
        for path in pages + (record if viewer in (0, None) else []):
            assert client.get(path, headers=headers).status_code == 200, (path, viewer, now.state)


def changes_answer(table):
    """Ask for changes that cannot be had any more; each is answered with the table."""
    for seat in range(len(table.seats)):
        client = table.app.test_client(use_cookies=False)
        headers = {"Cookie": table.cookies(seat)}
        for page in CHANGES:
            fields = {"name": "Zoe", "move": "a b"}
            answer = client.post(f"/t/{table.code}{page}", headers=headers, data=fields)
            assert answer.status_code < 500, (page, seat)


# At the gate by turns, at every second moment after the first.
ENDINGS = (all_leave, time_runs_out, all_agree_to_the_end)


@pytest.mark.parametrize("key", sorted(GAMES))
def test_every_page_answers_whoever_leaves_and_however_the_match_ends(app, sqlite_url, key):
    game = GAMES[key]
    options = game.options(**sample(key).short)
    seats = min(max(game.seats(options)[0], 3), game.seats(options)[-1])
    tried, ended = set(), set()
    for table, snapshot, _ in reached(app, game, options, seats, 1, MOST):
        going_on = game.view(snapshot.state, None).saying.kind
        if going_on in tried:
            continue
        tried.add(going_on)
        first = Chance(seed(2), snapshot.table.seq, "who leaves").below(seats)
        turn = some(ENDINGS, every=6, first=len(tried) % 6)
        for ending in ENDINGS if len(tried) == 1 else turn:
            with put_back(sqlite_url, table.service):
                for _ in ending(table, first):
                    everything_answers(table)
                outcome = table.service.look(table.code).table.outcome
                ended |= {outcome.reason} if outcome else set()
                changes_answer(table)
    table.service.seen.clear()
    everything_answers(table)
    assert "stopped" in ended
    assert len(ended) > 1, ended
