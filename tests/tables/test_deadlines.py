"""No clock runs where nobody is kept waiting: deadlines are there for the sake of other people."""

import pytest

from kaboom.accounts import players
from kaboom.engine.engine import random_move
from kaboom.engine.options import declared
from kaboom.engine.rng import Chance
from kaboom.errors import InvalidState
from kaboom.games import GAMES, sample
from kaboom.lobby import service as seating
from kaboom.play import service as in_match
from kaboom.play import votes
from kaboom.tables import sittings
from kaboom.tables import votes as agreement
from kaboom.tables.clock.timers import may_have_more
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
    """Return options under which whatever can have a deadline has one.

    Three people or more can play: then a match goes on when one of them leaves.
    """
    times = {o.name: SECONDS for o in declared(game.options) if o.unit == "seconds" and o.step == 1}
    kinds = [game.options(**{**values, **times}) for values in ({}, *sample(game.key).variants)]
    return next(options for options in kinds if game.seats(options)[-1] > 2)


def opened(tables, game, *names):
    """Return the code of a table at which these people play with bots, and their ids."""
    options = options_of(game)
    ids = [players.player(tables, f"key of {name}", name)[0] for name in names]
    code = seating.open(tables, game.key, options, ids[0], names[0])
    for player, name in zip(ids[1:], names[1:], strict=True):
        seating.sit(tables, code, player, name)
    for _ in range(max(3, game.seats(options)[0]) - len(names)):
        seating.add_bot(tables, code, ids[0])
    seating.start(tables, code, ids[0])
    return code, ids


def deadlines(tables, code):
    """Return the deadlines that run at a table."""
    return {what: timer for what, timer in tables.look(code).table.clocks() if timer.decision}


def let_everything_happen(tables, watch, code):
    """Let time pass until nothing is due any more; return False when the match is over."""
    for _ in range(1000):
        watch.sleep(LONG)
        if not tables.lapse(code):
            return tables.look(code).table.playing
    raise AssertionError("the table never waits for anybody")


def until_a_deadline(tables, watch, code, ids):
    """Play until somebody owes a decision that has a deadline; return the deadlines."""
    for n in range(60):
        if found := deadlines(tables, code):
            return found
        if not tables.lapse(code):
            watch.sleep(0.5)
        snapshot = tables.look(code)
        for player in ids:
            seat = snapshot.table.seat_of(player)
            if seat is not None and snapshot.prompts[seat].waited_for:
                press_something(tables, code, player, n)
                break
    raise AssertionError("nothing has a deadline here")


def press_something(tables, code, player, number):
    """Let somebody make a random move, if there is one."""
    snapshot = tables.look(code)
    seat = snapshot.table.seat_of(player)
    move = random_move(snapshot.game, snapshot.state, seat, Chance(b"\7" * 32, number, "moves"))
    if move is None:
        return
    text = " ".join((move.verb, *move.choices))
    token = snapshot.prompts[seat].offer(move.verb).token
    revision = snapshot.table.revision(seat)
    cmd = f"press {number}"
    in_match.submit(tables, code, player, text, token, cmd, snapshot.table.match, revision)


def test_with_bots_alone_nobody_is_hurried_and_nobody_moves_for_the_one_person(tables, watch, game):
    code, (ann,) = opened(tables, game, "Ann")
    waited = 0
    for n in range(MOVES):
        assert not deadlines(tables, code)
        if not let_everything_happen(tables, watch, code):
            break
        snapshot = tables.look(code)
        assert snapshot.prompts[snapshot.table.seat_of(ann)].waited_for, "the table waits for her"
        with pytest.raises(InvalidState, match="cannot get more time"):
            in_match.more_time(tables, code, ann)
        waited += 1
        press_something(tables, code, ann, n)
    assert waited > 2


def test_where_somebody_else_waits_a_deadline_runs_and_more_time_can_be_had(tables, watch, game):
    code, (ann, ben) = opened(tables, game, "Ann", "Ben")
    until_a_deadline(tables, watch, code, (ann, ben))
    before = tables.look(code).table.seq
    in_match.more_time(tables, code, ben)
    watch.sleep(2 * SECONDS)
    assert tables.lapse(code)
    assert tables.look(code).table.seq > before


def leaves(tables, code, player):
    sittings.leave(tables, code, player)


def sits_down_again(tables, code, player):
    seating.sit(tables, code, player, "Ben")


def hands_over(tables, code, player):
    in_match.hand_over(tables, code, player)


def takes_over(tables, code, player):
    in_match.take_over(tables, code, player)


@pytest.mark.parametrize(
    ("goes", "comes"), [(leaves, sits_down_again), (hands_over, takes_over)], ids=["seat", "bot"]
)
def test_the_clock_stops_when_the_last_other_goes_and_begins_anew_when_one_comes(
    tables, watch, game, goes, comes
):
    code, (ann, ben) = opened(tables, game, "Ann", "Ben")
    until_a_deadline(tables, watch, code, (ann, ben))
    watch.sleep(SECONDS / 2)
    goes(tables, code, ben)
    assert not deadlines(tables, code)
    assert let_everything_happen(tables, watch, code)
    snapshot = tables.look(code)
    assert snapshot.prompts[snapshot.table.seat_of(ann)].waited_for
    comes(tables, code, ben)
    found = until_a_deadline(tables, watch, code, (ann, ben))
    now = tables.look(code).table_time(watch())
    assert all(timer.due - now == timer.given >= SECONDS for timer in found.values())


def test_a_pause_keeps_what_is_left_and_going_on_alone_has_no_deadline(tables, watch, game):
    code, (ann, ben) = opened(tables, game, "Ann", "Ben")
    until_a_deadline(tables, watch, code, (ann, ben))
    votes.propose(tables, code, ann, agreement.PAUSE)
    votes.answer(tables, code, ben, tables.look(code).table.vote.number, True)
    assert tables.look(code).table.paused
    sittings.leave(tables, code, ben)
    votes.propose(tables, code, ann, agreement.GO_ON)
    assert not tables.look(code).table.paused
    assert not deadlines(tables, code)


def test_what_flows_by_itself_flows_on_for_one_person(tables, watch):
    """The hundred cards of a deal come, and the last flips of Kaboom are over."""
    game = GAMES["koth"]
    ann = players.player(tables, "key of Ann", "Ann")[0]
    code = seating.open(tables, "koth", game.options(), ann, "Ann", bots=4)
    seating.start(tables, code, ann)
    assert let_everything_happen(tables, watch, code)
    press_something(tables, code, ann, 1)
    assert tables.look(code).state.stage == "deal"
    assert let_everything_happen(tables, watch, code)
    assert tables.look(code).state.stage == "last_call"


def test_a_race_of_last_flips_ends_for_one_person_too(tables, watch):
    game = GAMES["kaboom"]
    ann = players.player(tables, "key of Ann", "Ann")[0]
    code = seating.open(tables, "kaboom", game.options(rounds=1, last_flips=5), ann, "Ann", bots=2)
    seating.start(tables, code, ann)
    met = set()
    for n in range(400):
        snapshot = tables.look(code)
        if not snapshot.table.playing:
            break
        met.add(type(snapshot.state.steps[-1]).__name__)
        if not tables.lapse(code):
            if snapshot.prompts[snapshot.table.seat_of(ann)].waited_for:
                press_something(tables, code, ann, n)
            else:
                watch.sleep(1.0)
    assert "LastFlips" in met
    assert not tables.look(code).table.playing


@pytest.mark.parametrize(
    ("timer", "may"),
    [
        (Timer(5.0, decision=True), True),
        (Timer(5.0, decision=True, more=True), False),  # once
        (Timer(5.0), False),  # a pace, such as a deal's
        (Timer(5.0, more=True), False),
    ],
)
def test_more_time_is_for_decisions_and_once(timer, may):
    assert may_have_more(timer) == may


def test_where_no_decision_has_a_deadline_nobody_is_given_more_time(tables):
    code, (ann, _) = playing(tables, "Ann", "Ben")
    before = tables.look(code).version
    with pytest.raises(InvalidState, match="cannot get more time"):
        in_match.more_time(tables, code, ann)
    assert tables.look(code).version == before
