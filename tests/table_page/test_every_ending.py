"""Every page answers every viewer, after every ending and after each player who leaves
mid-match."""

import sqlite3
from contextlib import closing, contextmanager

import pytest

from kaboom.engine.rng import Rng
from kaboom.games import GAMES, sample
from kaboom.table_page import vote_service
from kaboom.tables import votes
from kaboom.tables.seats import leaving
from tests.secrecy.paired_server import reached
from tests.secrecy.states import seed
from tests.support.effort import some

MOST = 250  # moves of a match

# Pages of a table, and of a finished match, which answer all viewers.
TABLE = ("", "/view", "/now", "/rules")
RECORD = ("", "/1", "/print", "/verify", "/rules")
CHANGES = ("/sit", "/start", "/house", "/more", "/ready")  # requested from an old page


@contextmanager
def put_back(url, service):
    """Undo all changes of the tables at the end."""
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
    """Return the players still in the match, by seat."""
    chairs = table.service.get(table.code).table.sitting()
    return [occupant.player for _, occupant in chairs if occupant.present]


def all_leave(table, first):
    """Let the players leave one after another, starting with a seat; yield after each."""
    present = players(table)
    for player in present[first:] + present[:first]:
        leaving.leave(table.service, table.code, player)
        yield


def time_runs_out(table, first):
    """Let every clock run out twice."""
    for _ in range(2):
        table.service.now.sleep(400)
        table.service.run_due(table.code)
        yield


def all_agree_to_the_end(table, first):
    """Propose the end, and let all agree."""
    by, *others = players(table)
    vote_service.propose_vote(table.service, table.code, by, votes.END)
    number = table.service.get(table.code).table.vote.number
    for player in others:
        vote_service.cast_vote(table.service, table.code, player, number, True)
    assert not table.service.get(table.code).table.playing
    yield


def everything_answers(table):
    """Request every page of a table, and of its record once it exists, as every viewer."""
    now = table.service.get(table.code)
    pages = [f"/t/{table.code}{page}" for page in TABLE]
    record = [f"/m/{now.table.record}{page}" for page in RECORD if now.table.outcome]
    for viewer in (*range(len(table.seats)), None):
        client = table.app.test_client(use_cookies=False)
        headers = {"Cookie": table.cookies(viewer)}
        # Players see no more of the record than others.
        for path in pages + (record if viewer in (0, None) else []):
            assert client.get(path, headers=headers).status_code == 200, (path, viewer, now.state)


def changes_answer(table):
    """Request actions that are no longer possible; each is answered with the table."""
    for seat in range(len(table.seats)):
        client = table.app.test_client(use_cookies=False)
        headers = {"Cookie": table.cookies(seat)}
        for page in CHANGES:
            fields = {"name": "Zoe", "move": "a b"}
            answer = client.post(f"/t/{table.code}{page}", headers=headers, data=fields)
            assert answer.status_code < 500, (page, seat)


# `make test` takes every third moment after the first.
ENDINGS = (all_leave, time_runs_out, all_agree_to_the_end)


@pytest.mark.parametrize("key", sorted(GAMES))
def test_every_page_responds_after_leaving_and_any_ending(app, sqlite_url, key):
    game = GAMES[key]
    options = game.options(**sample(key).short)
    seats = min(max(game.seats(options)[0], 3), game.seats(options)[-1])
    tried, ended = set(), set()
    for table, snapshot, _ in reached(app, game, options, seats, 1, MOST):
        going_on = game.view(snapshot.state, None).saying.kind
        if going_on in tried:
            continue
        tried.add(going_on)
        first = Rng(seed(2), snapshot.table.seq, "who leaves").randrange(seats)
        turn = some(ENDINGS, every=9, first=len(tried) % 9)
        for ending in ENDINGS if len(tried) == 1 else turn:
            with put_back(sqlite_url, table.service):
                for _ in ending(table, first):
                    everything_answers(table)
                outcome = table.service.get(table.code).table.outcome
                ended |= {outcome.reason} if outcome else set()
                changes_answer(table)
    table.service.seen.clear()
    everything_answers(table)
    assert "stopped" in ended
    assert len(ended) > 1, ended
