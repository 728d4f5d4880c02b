"""Remote bots at real tables: they play matches, and a fault costs one decision only."""

import hashlib
import hmac
import json
import threading
import time

import pytest

from kaboom.engine.bots.delays import Pace
from kaboom.engine.codec import to_json
from kaboom.games import GAMES
from kaboom.lobby import service as lobby
from kaboom.remote_bots import queries as store
from kaboom.remote_bots import service
from kaboom.remote_bots.runner import FAILURES, LEASE, RemoteBots
from kaboom.remote_bots.signature import SIGNATURE, TIMESTAMP
from kaboom.table_page import service as match_service
from kaboom.tables import queries, start_match
from kaboom.tables.maintenance import interventions
from kaboom.web.outgoing.url_policy import UrlPolicy
from tests.correspondence.test_service import plays
from tests.remote_bots.conftest import PATIENCE, person
from tests.support.effort import often

SEATS = "select count(*) from remote_bot_seats"


def seated(tables, robo, game="gops", bots=0, **options):
    """Return a table with Ann and her bot seated, and the bot's id."""
    ann = person(tables, "Ann")
    number = robo(tables, ann)
    wished = GAMES[game].options(**options)
    code = lobby.open(tables, game, wished, ann, "Ann", bots=bots)
    service.invite(tables, code, ann, number)
    return code, ann, number


def begun(tables, robo, bot_server, *args, **more):
    code, ann, number = seated(tables, robo, *args, **more)
    runner = RemoteBots(tables, bot_server.url_policy)
    step(runner)
    start_match.start(tables, code, ann)
    return code, ann, number, runner


def step(runner):
    """Handle all changed tables once, one after the other; return their number."""
    seats = runner.tables.database.read(lambda c: store.due(c, runner.tables.now(), 1000))
    for seat in seats:
        runner.see_to(seat)
    return len(seats)


def waits_for(tables, code, player):
    found = tables.get(code)
    seat = found.table.seat_of(player)
    return found.table.playing and found.prompts[seat].waited_for


def moves_of_bot(tables, code, player):
    found = tables.get(code)
    seat, match = found.table.seat_of(player), found.table.match_id
    log = tables.database.read(lambda c: queries.log(c, match))
    return [row.text for row in log if row.text.startswith(f"{seat} ")]


def test_bot_invited_by_a_killed_worker_is_called(tables, robo, bot_server, monkeypatch):
    ann = person(tables, "Ann")
    number = robo(tables, ann)
    code = lobby.open(tables, "gops", GAMES["gops"].options(), ann, "Ann")
    sit = lobby.sit

    def killed_after_sitting(*args, **more):
        sit(*args, **more)
        raise SystemExit

    with monkeypatch.context() as patched:
        patched.setattr(lobby, "sit", killed_after_sitting)
        with pytest.raises(SystemExit):
            service.invite(tables, code, ann, number)
    assert step(RemoteBots(tables, bot_server.url_policy)) == 1
    assert all(
        occupant.ready for _, occupant in tables.get(code).table.sitting() if occupant.program
    )
    assert sum(occupant.program for _, occupant in tables.get(code).table.sitting()) == 1


def bot_player(tables, number):
    return tables.database.read(lambda c: store.bot(c, number)).player_id


def results(tables, number):
    return [row.what for row in tables.database.read(lambda c: store.calls(c, number))]


def test_runner_plays_one_match_after_another(
    open_tables, sqlite_url, robo, bot_server, fake_clock
):
    tables = open_tables(sqlite_url)
    code, ann, number, runner = begun(tables, robo, bot_server)
    matches = often(2, 20)
    for match in range(1, matches + 1):
        for count in range(200):
            step(runner)
            if not tables.get(code).table.playing:
                break
            if waits_for(tables, code, ann):
                plays(tables, code, ann, 1000 * match + count)
            fake_clock.sleep(10)
            while tables.run_due(code):
                pass
        assert tables.get(code).table.outcome.reason in ("won", "draw")
        assert tables.get(code).table.match == match
        step(runner)
        if match < matches:
            start_match.ready(tables, code, ann)
    assert set(results(tables, number)) == {"moved"}


@pytest.mark.slow
@pytest.mark.parametrize("game", ["karata", "kaboom", "taken"])
def test_runner_plays_matches_of_other_games(
    open_tables, sqlite_url, robo, bot_server, fake_clock, game
):
    tables = open_tables(sqlite_url, pace=Pace.INSTANT)
    code, ann, number, runner = begun(tables, robo, bot_server, game)
    for count in range(often(40, 400)):
        step(runner)
        if not tables.get(code).table.playing or len(bot_server.asked) > often(300, soak=10**9):
            break
        if waits_for(tables, code, ann):
            plays(tables, code, ann, count)
        fake_clock.sleep(10)
        while tables.run_due(code):
            pass
    assert "moved" in results(tables, number)
    assert not {"lied", "failed", "refused"} & {*results(tables, number)}


def test_request_is_signed_and_has_only_its_seats_view(tables, robo, bot_server):
    code, _, number, runner = begun(tables, robo, bot_server, "taken")
    found = tables.get(code)
    step(runner)
    headers, body = bot_server.asked[-1]
    secret = tables.database.read(lambda c: store.bot(c, number)).secret
    signed = hmac.new(secret, f"{headers[TIMESTAMP]}.".encode() + body, hashlib.sha256)
    assert headers[SIGNATURE] == f"sha256={signed.hexdigest()}"
    mine = found.table.seat_of(bot_player(tables, number))
    table = json.loads(body)["table"]
    view = found.game.view(found.state, mine)
    hands = [zone for zone in table["zones"] if zone["name"] == "hand"]
    assert [set(zone["cards"]) == {"?"} for zone in hands] == [it["owner"] != mine for it in hands]
    assert table["zones"] == json.loads(to_json(view.zones))
    assert code not in body.decode() and "Ann" not in body.decode()


HUGE = b"x" * 10_000_000


@pytest.mark.slow
@pytest.mark.parametrize(
    ("answer", "what"),
    [
        (lambda message: time.sleep(3 * PATIENCE) or b"", "failed"),
        (lambda message: HUGE, "failed"),
        (lambda message: (b"HTTP/1.0 200 OK\r\n\r\n" + HUGE,), "failed"),
        (
            lambda message: (b"HTTP/1.0 302 Found\r\nLocation: https://127.0.0.1/\r\n\r\n",),
            "failed",
        ),
        (lambda message: (b"HTTP/1.0 500 Oh\r\n\r\n",), "failed"),
        (lambda message: (b"",), "failed"),
        (lambda message: b"bid KS QS", "lied"),
        (lambda message: b"999", "lied"),
        (lambda message: b"pass", "lied"),
        (lambda message: "\0é\n".encode(), "lied"),
    ],
)
def test_invalid_bot_response_costs_one_decision(
    open_tables, sqlite_url, robo, bot_server, answer, what
):
    tables = open_tables(sqlite_url)
    code, ann, number, runner = begun(tables, robo, bot_server)
    player, good = bot_player(tables, number), bot_server.answer
    bot_server.answer = answer
    step(runner)
    assert results(tables, number)[0] == what
    assert len(moves_of_bot(tables, code, player)) == 1
    bot_server.answer = good
    plays(tables, code, ann)
    step(runner)
    assert results(tables, number)[0] == "moved"
    assert len(moves_of_bot(tables, code, player)) == 2
    assert not tables.get(code).table.occupant(tables.get(code).table.seat_of(player)).stand_in


def test_internal_ip_address_is_never_called(open_tables, sqlite_url, robo, bot_server):
    tables = open_tables(sqlite_url)
    code, _ann, number, _ = begun(tables, robo, bot_server)
    before = len(bot_server.asked)
    port = bot_server.url_policy.ports
    strict = UrlPolicy(ports=port, look_up=lambda host, port: ["127.0.0.1"])
    step(RemoteBots(tables, strict))
    assert len(bot_server.asked) == before
    assert results(tables, number)[0] == "refused"
    assert len(moves_of_bot(tables, code, bot_player(tables, number))) == 1


def test_built_in_bot_takes_over_after_repeated_failures(open_tables, sqlite_url, robo, bot_server):
    tables = open_tables(sqlite_url)
    code, ann, number, runner = begun(tables, robo, bot_server)
    bot_server.answer = lambda message: b"no"
    for count in range(FAILURES):
        step(runner)
        if count < FAILURES - 1:
            plays(tables, code, ann, count)
    found = tables.get(code).table
    assert found.occupant(found.seat_of(bot_player(tables, number))).stand_in
    assert results(tables, number)[:2] == ["replaced", "lied"]
    asked = len(bot_server.asked)
    step(runner)
    assert len(bot_server.asked) == asked


def test_two_workers_ask_each_question_once(open_tables, postgres_url, robo, bot_server):
    tables = open_tables(postgres_url)
    code, ann, number, runner = begun(tables, robo, bot_server)
    other = RemoteBots(open_tables(postgres_url), bot_server.url_policy)
    for count in range(5):
        before = len(bot_server.asked)
        both = [threading.Thread(target=it.step) for it in (runner, other)]
        for it in both:
            it.start()
        for it in both:
            it.join()
        assert len(bot_server.asked) == before + 1
        plays(tables, code, ann, count)
    assert len(moves_of_bot(tables, code, bot_player(tables, number))) == 5


def test_a_killed_worker_loses_nothing(open_tables, sqlite_url, robo, bot_server, fake_clock):
    tables = open_tables(sqlite_url)
    code, _, number, runner = begun(tables, robo, bot_server)
    now = fake_clock()
    held = tables.database.write(lambda c: store.claim(c, number, code, now, now + LEASE))
    assert held is not None  # by a worker that is killed now
    assert step(runner) == 0
    fake_clock.sleep(LEASE)
    assert step(runner) == 1
    assert len(moves_of_bot(tables, code, bot_player(tables, number))) == 1


def test_no_transaction_is_open_during_a_call(open_tables, sqlite_url, robo, bot_server):
    tables = open_tables(sqlite_url)
    code, ann, _, runner = begun(tables, robo, bot_server)
    good, written = bot_server.answer, []

    def answer(message):
        match_service.end_stand_in(tables, code, ann)  # SQLite allows one writer only
        tables.database.write(lambda c: written.append(1))
        return good(message)

    bot_server.answer = answer
    step(runner)
    assert written == [1]


def test_a_paused_bot_is_not_called(tables, robo, bot_server):
    code, ann, number, runner = begun(tables, robo, bot_server)
    service.change(tables, ann, number, "pause")
    asked = len(bot_server.asked)
    assert step(runner) == 0
    assert len(bot_server.asked) == asked
    service.change(tables, ann, number, "resume")
    assert step(runner) == 1
    assert len(moves_of_bot(tables, code, bot_player(tables, number))) == 1


def test_match_continues_when_its_bot_is_deleted(tables, robo, bot_server):
    code, ann, number, runner = begun(tables, robo, bot_server)
    service.delete(tables, ann, number)
    assert step(runner) == 0
    assert tables.get(code).table.playing
    assert tables.database.read(lambda c: store.calls(c, number)) == []


def test_deleted_table_deletes_its_remote_bot_seats(tables, robo, bot_server):
    code, _, _number, _ = begun(tables, robo, bot_server)
    interventions.delete(tables, code)
    seats = tables.database.read(lambda c: c.exec_driver_sql(SEATS).scalar())
    assert seats == 0
