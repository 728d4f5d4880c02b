"""Deadlines exist only for the sake of other people: no clock runs if no person is waiting."""

import pytest

from kaboom.accounts import players
from kaboom.engine.engine import random_move
from kaboom.engine.options import declared
from kaboom.engine.rng import Rng
from kaboom.errors import InvalidState
from kaboom.games import GAMES, sample
from kaboom.lobby import service as lobby
from kaboom.table_page import service as match
from kaboom.table_page import vote_service
from kaboom.tables import start_match, votes
from kaboom.tables.clock.timers import may_have_more
from kaboom.tables.seats import leaving
from kaboom.tables.table import Timer
from tests.tables.test_service import playing

SECONDS = 20
LONG = 10_000.0

MOVES = 40


@pytest.fixture
def tables(open_tables, sqlite_url):
    return open_tables(sqlite_url)


@pytest.fixture(params=sorted(GAMES))
def game(request):
    return GAMES[request.param]


def options_of(game):
    """Return options under which everything that can have a deadline has one.

    At least three people can play, so that a match continues when one of them leaves.
    """
    times = {o.name: SECONDS for o in declared(game.options) if o.unit == "seconds" and o.step == 1}
    kinds = [game.options(**{**values, **times}) for values in ({}, *sample(game.key).variants)]
    return next(options for options in kinds if game.seats(options)[-1] > 2)


def opened(tables, game, *names):
    """Return the code of a table where these people play with bots, and their ids."""
    options = options_of(game)
    ids = [players.player(tables, f"key of {name}", name)[0] for name in names]
    code = lobby.open(tables, game.key, options, ids[0], names[0])
    for player, name in zip(ids[1:], names[1:], strict=True):
        lobby.sit(tables, code, player, name)
    for _ in range(max(3, game.seats(options)[0]) - len(names)):
        lobby.add_bot(tables, code, ids[0])
    start_match.start(tables, code, ids[0])
    return code, ids


def deadlines(tables, code):
    """Return the deadlines that run at a table."""
    return {what: timer for what, timer in tables.get(code).table.clocks() if timer.decision}


def let_everything_happen(tables, fake_clock, code):
    """Let time pass until nothing more is due; return False when the match is over."""
    for _ in range(1000):
        fake_clock.sleep(LONG)
        if not tables.run_due(code):
            return tables.get(code).table.playing
    raise AssertionError("the table never waits for a player")


def until_a_deadline(tables, fake_clock, code, ids):
    """Play until a player owes a decision that has a deadline; return the deadlines."""
    for n in range(60):
        if found := deadlines(tables, code):
            return found
        if not tables.run_due(code):
            fake_clock.sleep(0.5)
        snapshot = tables.get(code)
        for player in ids:
            seat = snapshot.table.seat_of(player)
            if seat is not None and snapshot.prompts[seat].waited_for:
                press_something(tables, code, player, n)
                break
    raise AssertionError("nothing has a deadline here")


def press_something(tables, code, player, number):
    """Let a player make a random move, if there is one."""
    snapshot = tables.get(code)
    seat = snapshot.table.seat_of(player)
    move = random_move(snapshot.game, snapshot.state, seat, Rng(b"\7" * 32, number, "moves"))
    if move is None:
        return
    text = " ".join((move.verb, *move.choices))
    token = snapshot.prompts[seat].offer(move.verb).token
    revision = snapshot.table.revision(seat)
    cmd = f"press {number}"
    match.submit(tables, code, player, text, token, cmd, snapshot.table.match, revision)


@pytest.mark.slow
def test_player_alone_with_bots_has_no_deadline_or_timeout_move(tables, fake_clock, game):
    code, (ann,) = opened(tables, game, "Ann")
    waited = 0
    for n in range(MOVES):
        assert not deadlines(tables, code)
        if not let_everything_happen(tables, fake_clock, code):
            break
        snapshot = tables.get(code)
        assert snapshot.prompts[snapshot.table.seat_of(ann)].waited_for, "the table waits for her"
        with pytest.raises(InvalidState, match="cannot get more time"):
            match.more_time(tables, code, ann)
        waited += 1
        press_something(tables, code, ann, n)
    assert waited > 2


def test_deadline_runs_if_a_person_waits_and_can_be_extended(tables, fake_clock, game):
    code, (ann, ben) = opened(tables, game, "Ann", "Ben")
    until_a_deadline(tables, fake_clock, code, (ann, ben))
    before = tables.get(code).table.seq
    match.more_time(tables, code, ben)
    fake_clock.sleep(2 * SECONDS)
    assert tables.run_due(code)
    assert tables.get(code).table.seq > before


def leaves(tables, code, player):
    leaving.leave(tables, code, player)


def sits_down_again(tables, code, player):
    lobby.sit(tables, code, player, "Ben")


def hands_over(tables, code, player):
    match.start_stand_in(tables, code, player)


def takes_over(tables, code, player):
    match.end_stand_in(tables, code, player)


@pytest.mark.parametrize(
    ("goes", "comes"), [(leaves, sits_down_again), (hands_over, takes_over)], ids=["seat", "bot"]
)
def test_clock_stops_as_the_last_opponent_leaves_and_restarts(
    tables, fake_clock, game, goes, comes
):
    code, (ann, ben) = opened(tables, game, "Ann", "Ben")
    until_a_deadline(tables, fake_clock, code, (ann, ben))
    fake_clock.sleep(SECONDS / 2)
    goes(tables, code, ben)
    assert not deadlines(tables, code)
    assert let_everything_happen(tables, fake_clock, code)
    snapshot = tables.get(code)
    assert snapshot.prompts[snapshot.table.seat_of(ann)].waited_for
    comes(tables, code, ben)
    found = until_a_deadline(tables, fake_clock, code, (ann, ben))
    now = tables.get(code).table_time(fake_clock())
    assert all(timer.due - now == timer.given >= SECONDS for timer in found.values())


def test_pause_keeps_time_left_and_lone_resume_has_no_deadline(tables, fake_clock, game):
    code, (ann, ben) = opened(tables, game, "Ann", "Ben")
    until_a_deadline(tables, fake_clock, code, (ann, ben))
    vote_service.propose_vote(tables, code, ann, votes.PAUSE)
    vote_service.cast_vote(tables, code, ben, tables.get(code).table.vote.number, True)
    assert tables.get(code).table.paused
    leaving.leave(tables, code, ben)
    vote_service.propose_vote(tables, code, ann, votes.GO_ON)
    assert not tables.get(code).table.paused
    assert not deadlines(tables, code)


def test_automatic_steps_continue_for_one_person(tables, fake_clock):
    """A deal of a hundred cards is completed, and the last flips of Kaboom end."""
    game = GAMES["koth"]
    ann = players.player(tables, "key of Ann", "Ann")[0]
    code = lobby.open(tables, "koth", game.options(), ann, "Ann", bots=4)
    start_match.start(tables, code, ann)
    assert let_everything_happen(tables, fake_clock, code)
    press_something(tables, code, ann, 1)
    assert tables.get(code).state.stage == "deal"
    assert let_everything_happen(tables, fake_clock, code)
    assert tables.get(code).state.stage == "last_call"


def test_a_race_of_last_flips_also_ends_for_one_person(tables, fake_clock):
    game = GAMES["kaboom"]
    ann = players.player(tables, "key of Ann", "Ann")[0]
    code = lobby.open(tables, "kaboom", game.options(rounds=1, last_flips=5), ann, "Ann", bots=2)
    start_match.start(tables, code, ann)
    met = set()
    for n in range(400):
        snapshot = tables.get(code)
        if not snapshot.table.playing:
            break
        met.add(type(snapshot.state.steps[-1]).__name__)
        if not tables.run_due(code):
            if snapshot.prompts[snapshot.table.seat_of(ann)].waited_for:
                press_something(tables, code, ann, n)
            else:
                fake_clock.sleep(1.0)
    assert "LastFlips" in met
    assert not tables.get(code).table.playing


@pytest.mark.parametrize(
    ("timer", "may"),
    [
        (Timer(5.0, decision=True), True),
        (Timer(5.0, decision=True, more=True), False),  # once
        (Timer(5.0), False),  # the pace of something automatic, such as a deal
        (Timer(5.0, more=True), False),
    ],
)
def test_more_time_is_given_once_and_only_for_decisions(timer, may):
    assert may_have_more(timer) == may


def test_decision_without_deadline_gets_no_extra_time(tables):
    code, (ann, _) = playing(tables, "Ann", "Ben")
    before = tables.get(code).version
    with pytest.raises(InvalidState, match="cannot get more time"):
        match.more_time(tables, code, ann)
    assert tables.get(code).version == before
