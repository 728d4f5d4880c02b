"""What the people at a table decide by vote, and bots that play for a player, on both stores."""

from dataclasses import replace

import pytest

from kaboom.engine.bots.bot import Level
from kaboom.engine.codec import from_json
from kaboom.engine.engine import random_move, waiting_for
from kaboom.engine.moves import StaleMove
from kaboom.engine.rng import Rng
from kaboom.errors import InvalidState, NotPermitted
from kaboom.games import GAMES
from kaboom.lobby import service as lobby
from kaboom.table_page import service as match_service
from kaboom.table_page.vote_service import cast_vote, propose_vote
from kaboom.tables import queries, start_match
from kaboom.tables.bot_runner.moves import remembered
from kaboom.tables.seats import leaving
from kaboom.tables.table import Vote
from kaboom.tables.votes import answered_by, waits_for
from tests.support.bot_timers import thinking
from tests.tables.test_service import (
    KABOOM,
    all_ready,
    check_record,
    moves_of,
    opened,
    people,
    playing,
    press,
)


def vote_of(tables, code):
    return tables.get(code).table.vote


def agree(tables, code, *players, yes=True):
    for player in players:
        cast_vote(tables, code, player, vote_of(tables, code).number, yes)


def said(tables, code):
    return [line.kind for _, line in tables.get(code).table.lines(None)]


@pytest.fixture
def three(tables):
    """A match of three; `there` lists the present players, to be changed by the test."""
    code, ids = playing(tables, "Ann", "Ben", "Cid", options=KABOOM.options(turn_seconds=30))
    all_ready(tables, code, ids)
    there = set(ids)
    tables.here.players = there
    return code, ids, there


def test_vote_passes_when_all_present_players_agree(tables, three):
    code, (ann, ben, cid), _ = three
    propose_vote(tables, code, ann, "pause")
    assert not tables.get(code).table.paused
    agree(tables, code, ben)
    assert not tables.get(code).table.paused
    agree(tables, code, cid)
    assert tables.get(code).table.paused
    assert vote_of(tables, code) is None
    assert said(tables, code)[-4:] == [
        "table.propose_pause",
        "table.agrees",
        "table.agrees",
        "table.paused",
    ]


def test_extra_time_in_a_pause_applies_on_resume(tables, three):
    code, (ann, *others), _ = three
    propose_vote(tables, code, ann, "pause")
    agree(tables, code, *others)
    (before,) = tables.get(code).table.timers.values()
    match_service.more_time(tables, code, ann)
    (paused,) = tables.get(code).table.timers.values()
    assert (paused.due, paused.left) == (None, before.left + 30)
    propose_vote(tables, code, ann, "go_on")
    agree(tables, code, *others)
    (running,) = tables.get(code).table.timers.values()
    assert running.due == tables.now() + before.left + 30


def test_absent_player_is_not_waited_for(tables, three):
    code, (ann, ben, cid), there = three
    there.remove(cid)
    propose_vote(tables, code, ann, "pause")
    agree(tables, code, ben)
    assert tables.get(code).table.paused


def test_one_refusal_ends_a_vote(tables, three):
    code, (ann, ben, _), _ = three
    propose_vote(tables, code, ann, "pause")
    agree(tables, code, ben, yes=False)
    assert vote_of(tables, code) is None
    assert not tables.get(code).table.paused
    assert said(tables, code)[-1] == "table.refuses"


def test_vote_expires_after_two_minutes_by_the_clock(tables, three, fake_clock):
    code, (ann, ben, _), _ = three
    propose_vote(tables, code, ann, "end")
    agree(tables, code, ben)
    fake_clock.sleep(119)
    while tables.run_due(code):
        pass
    assert vote_of(tables, code) is not None
    fake_clock.sleep(1)
    assert tables.due() == [code]
    while tables.run_due(code):
        pass
    assert vote_of(tables, code) is None
    assert tables.get(code).table.playing
    assert "table.no_vote" in said(tables, code)


def test_player_leaving_mid_vote_does_not_block_it(tables, three, fake_clock):
    code, (ann, ben, cid), there = three
    propose_vote(tables, code, ann, "end")
    agree(tables, code, ben)
    there.remove(cid)
    fake_clock.sleep(120)
    while tables.run_due(code):
        pass
    assert tables.get(code).table.outcome.reason == "stopped"


@pytest.mark.parametrize("about", ["nonsense", "", "go_on", "bot"])
def test_pointless_proposal_is_refused(tables, three, about):
    code, (ann, _, _), _ = three
    with pytest.raises(InvalidState):
        propose_vote(tables, code, ann, about, 0)


def test_strangers_and_substituted_players_cannot_vote(tables, three):
    code, (ann, ben, cid), _ = three
    (eve,) = people(tables, "Eve")
    with pytest.raises(NotPermitted):
        propose_vote(tables, code, eve, "pause")
    match_service.start_stand_in(tables, code, cid)
    with pytest.raises(InvalidState, match="Take back"):
        propose_vote(tables, code, cid, "pause")
    propose_vote(tables, code, ann, "pause")
    with pytest.raises(NotPermitted):
        agree(tables, code, eve)
    agree(tables, code, ben)
    assert tables.get(code).table.paused


def test_second_vote_must_wait_and_an_old_answer_is_stale(tables, three):
    code, (ann, ben, _), _ = three
    propose_vote(tables, code, ann, "pause")
    old = vote_of(tables, code).number
    with pytest.raises(InvalidState, match="One vote"):
        propose_vote(tables, code, ben, "end")
    agree(tables, code, ann, yes=False)
    propose_vote(tables, code, ben, "end")
    with pytest.raises(StaleMove):
        cast_vote(tables, code, ann, old, True)
    agree(tables, code, ann, yes=False)
    with pytest.raises(StaleMove, match="vote is over"):
        cast_vote(tables, code, ben, old + 1, True)


def test_vote_needs_a_running_match(tables):
    code, (ann, _) = opened(tables, "Ann", "Ben")
    with pytest.raises(InvalidState):
        propose_vote(tables, code, ann, "pause")


# A bot for a player


def test_bot_takes_an_absent_players_seat_at_once(tables, three, fake_clock):
    code, (ann, ben, cid), there = three
    there.remove(ann)  # whose turn it is
    propose_vote(tables, code, ben, "bot", 0)
    assert not tables.get(code).table.chairs[0].stand_in
    agree(tables, code, cid)
    occupant = tables.get(code).table.chairs[0]
    assert occupant.stand_in
    assert "table.stood_in" in said(tables, code)
    assert occupant.player == ann
    before = len(moves_of(tables, code))
    for _ in range(6):
        fake_clock.sleep(5)
        tables.run_due(code)
    made = [row for row in moves_of(tables, code)[before:] if row.cmd.startswith("bot")]
    assert made
    assert {row.text[0] for row in made} == {"0"}
    assert waiting_for(KABOOM, tables.get(code).state) == [1]
    check_record(tables, code)


def test_bot_vote_on_a_present_player_is_held_for_a_minute(tables, three, fake_clock):
    code, (_, ben, cid), _ = three
    propose_vote(tables, code, ben, "bot", 0)
    agree(tables, code, cid)
    assert not tables.get(code).table.chairs[0].stand_in
    fake_clock.sleep(29)
    while tables.run_due(code):
        pass
    assert vote_of(tables, code) is not None
    fake_clock.sleep(31)
    while tables.run_due(code):
        pass
    assert tables.get(code).table.chairs[0].stand_in


def test_target_who_agrees_is_present_and_ends_the_vote(tables, three):
    code, (ann, ben, cid), _ = three
    propose_vote(tables, code, ben, "bot", 0)
    agree(tables, code, cid)
    agree(tables, code, ann)  # by whichever button
    assert vote_of(tables, code) is None
    assert not tables.get(code).table.chairs[0].stand_in
    assert said(tables, code)[-1] == "table.is_here"


def test_returning_player_sees_the_bots_moves_until_the_next(tables, three, fake_clock):
    code, (ann, *_), _ = three
    match_service.start_stand_in(tables, code, ann)
    for _ in range(4):
        fake_clock.sleep(5)
        tables.run_due(code)
    table = tables.get(code).table
    done = [(move.verb, *move.choices) for move in table.chairs[0].done]
    logged = [row.text.split()[1:] for row in moves_of(tables, code) if row.cmd.startswith("bot")]
    assert done
    assert [list(move) for move in done] == logged
    assert 0 in table.memories
    match_service.end_stand_in(tables, code, ann)
    table = tables.get(code).table
    assert not table.chairs[0].stand_in
    assert 0 not in table.memories
    assert len(table.chairs[0].done) == len(done)
    before = table.seq
    for n in range(200):  # until it is Ann's turn again
        snapshot = tables.get(code)
        seats = waiting_for(KABOOM, snapshot.state)
        if 0 in seats:
            break
        move = random_move(KABOOM, snapshot.state, seats[0], Rng(bytes(32), n, "others"))
        player = snapshot.table.chairs[seats[0]].player
        press(tables, code, player, move.verb, " ".join(move.choices), cmd=f"o {n}")
    press(tables, code, ann, "draw")
    table = tables.get(code).table
    assert table.seq > before
    assert table.chairs[0].done == []


def test_bot_stops_when_the_player_has_taken_over_again(tables, three, fake_clock):
    code, (ann, *_), _ = three
    match_service.start_stand_in(tables, code, ann)
    assert [what for what, _ in thinking(tables.get(code).table) if what.seat == 0]
    match_service.end_stand_in(tables, code, ann)
    assert not [what for what, _ in thinking(tables.get(code).table) if what.seat == 0]
    seq = tables.get(code).table.seq
    fake_clock.sleep(20)
    assert not tables.run_due(code)
    assert tables.get(code).table.seq == seq


def test_players_move_counts_as_taking_over(tables, three):
    code, (ann, *_), _ = three
    match_service.start_stand_in(tables, code, ann)
    press(tables, code, ann, "draw")
    assert not tables.get(code).table.chairs[0].stand_in


@pytest.mark.parametrize("key", [key for key, game in GAMES.items() if game.bot])
def test_substitute_bot_has_the_memory_of_a_bot_in_that_seat(tables, fake_clock, key):
    """Its memory, rebuilt from the log, equals that of a bot that sat there from the deal on."""
    game = GAMES[key]
    (ann,) = people(tables, "Ann")
    options = game.options()
    bots = game.seats(options)[0] - 1
    code = lobby.open(tables, key, options, ann, "Ann", bots, level=Level.HARD)
    start_match.start(tables, code, ann)
    for n in range(14):
        snapshot = tables.get(code)
        if snapshot.prompts[0].waited_for:
            move = random_move(game, snapshot.state, 0, Rng(bytes(32), n, "ann"))
            press(tables, code, ann, move.verb, " ".join(move.choices), cmd=f"c {n}")
        else:
            fake_clock.sleep(30)
            tables.run_due(code)
    snapshot = tables.get(code)
    assert snapshot.table.playing
    moves = [row.text for row in moves_of(tables, code)]
    for seat, memory in snapshot.table.memories.items():
        assert remembered(snapshot, None, moves, seat) == memory


def test_substitute_bot_receives_only_its_seats_events(tables, three):
    code, (ann, *_), _ = three
    press(tables, code, ann, "draw")
    noticed = []
    bot = replace(KABOOM.bot, notice=lambda memory, event, seat: noticed.append(event))
    snapshot = tables.get(code)
    position = replace(snapshot.position, game=replace(KABOOM, bot=bot))
    snapshot = replace(snapshot, position=position)
    moves = [row.text for row in moves_of(tables, code)]
    remembered(snapshot, None, moves, 0)
    assert any(event.to == 0 for event in noticed), "Ann was told what she drew"
    noticed.clear()
    remembered(snapshot, None, moves, 1)
    assert noticed
    assert {event.to for event in noticed} <= {None, 1}


def test_a_seat_left_to_a_bot_is_not_waited_for_in_a_rematch(tables, three):
    code, (ann, ben, cid), _ = three
    match_service.start_stand_in(tables, code, ann)
    propose_vote(tables, code, ben, "end")
    agree(tables, code, cid)
    table = tables.get(code).table
    assert table.seat_of(ann) is None
    assert table.host == ben
    for player in (ben, cid):
        start_match.ready(tables, code, player)
    assert tables.get(code).table.match == 2


# Pause


def test_pause_stops_all_clocks_and_moves(tables, three, fake_clock):
    code, (ann, ben, cid), _ = three
    fake_clock.sleep(10)
    propose_vote(tables, code, ann, "pause")
    agree(tables, code, ben, cid)
    (timer,) = tables.get(code).table.timers.values()
    assert (timer.due, timer.left) == (None, 20)
    fake_clock.sleep(3600)
    assert tables.due() == []
    assert not tables.run_due(code)
    with pytest.raises(InvalidState, match="paused"):
        press(tables, code, ann, "draw")
    propose_vote(tables, code, ben, "go_on")
    assert tables.get(code).table.paused
    agree(tables, code, ann, cid)
    assert said(tables, code)[-1] == "table.goes_on"
    (timer,) = tables.get(code).table.timers.values()
    assert (timer.due, timer.left) == (fake_clock.time + 20, None)
    press(tables, code, ann, "draw")


def test_bots_also_wait_during_a_pause(tables, fake_clock):
    code, (ann,) = playing(tables, "Ann", bots=2)
    press(tables, code, ann, "ready")
    propose_vote(tables, code, ann, "pause")
    assert tables.get(code).table.paused, "no one else must be asked"
    seq = tables.get(code).table.seq
    fake_clock.sleep(3600)
    assert not tables.run_due(code)
    propose_vote(tables, code, ann, "go_on")
    fake_clock.sleep(10)
    assert tables.run_due(code)
    assert tables.get(code).table.seq == seq + 1


def test_resuming_waits_a_minute_for_an_absent_player(tables, three, fake_clock):
    code, (ann, ben, cid), there = three
    propose_vote(tables, code, ann, "pause")
    agree(tables, code, ben, cid)
    there.remove(cid)
    propose_vote(tables, code, ann, "go_on")
    agree(tables, code, ben)
    assert tables.get(code).table.paused
    there.add(cid)
    agree(tables, code, cid, yes=False)
    assert tables.get(code).table.paused
    there.remove(cid)
    propose_vote(tables, code, ann, "go_on")
    agree(tables, code, ben)
    fake_clock.sleep(60)
    assert tables.run_due(code)
    assert not tables.get(code).table.paused


# The end


def test_a_match_ends_without_a_result_when_all_agree(tables, three):
    code, (ann, ben, cid), _ = three
    propose_vote(tables, code, ann, "end")
    assert tables.get(code).table.playing
    agree(tables, code, ben, cid)
    table = tables.get(code).table
    assert not table.playing
    assert table.outcome.reason == "stopped"
    assert table.outcome.winners == ()
    match = tables.database.read(lambda c: queries.match(c, table.match_id))
    assert '"stopped"' in match.outcome
    assert match.ended_at == tables.now()
    check_record(tables, code)


def test_lone_player_ends_a_match_by_two_presses_a_minute_apart(tables, three, fake_clock):
    code, (ann, ben, cid), there = three
    there -= {ben, cid}
    propose_vote(tables, code, ann, "end")
    with pytest.raises(InvalidState, match="minute"):
        agree(tables, code, ann)
    fake_clock.sleep(60)
    while tables.run_due(code):
        pass
    assert tables.get(code).table.playing, "the first press alone never ends it"
    agree(tables, code, ann)
    assert tables.get(code).table.outcome.reason == "stopped"


def test_first_press_of_a_lone_player_expires(tables, three, fake_clock):
    code, (ann, ben, cid), there = three
    there -= {ben, cid}
    propose_vote(tables, code, ann, "end")
    fake_clock.sleep(600)
    while tables.run_due(code):
        pass
    assert tables.get(code).table.playing
    assert vote_of(tables, code) is None


def test_player_returning_before_a_lone_vote_passes_may_refuse(tables, three):
    code, (ann, ben, cid), there = three
    there -= {ben, cid}
    propose_vote(tables, code, ann, "end")
    there.add(ben)
    agree(tables, code, ben, yes=False)
    assert tables.get(code).table.playing


def test_a_vote_survives_a_restart(open_tables, store_url, fake_clock):
    first = open_tables(store_url)
    code, (ann, ben) = playing(first, "Ann", "Ben")
    propose_vote(first, code, ann, "end")
    again = open_tables(store_url)
    agree(again, code, ben)
    assert first.get(code).table.outcome.reason == "stopped"


@pytest.mark.parametrize("meanwhile", [leaving.leave, match_service.start_stand_in])
def test_vote_adds_no_bot_to_a_seat_given_up_meanwhile(tables, three, fake_clock, meanwhile):
    code, (ann, ben, cid), _ = three
    propose_vote(tables, code, ann, "bot", 2)
    agree(tables, code, ben)
    meanwhile(tables, code, cid)
    before = tables.get(code).table.chairs[2]
    fake_clock.sleep(60)
    while tables.run_due(code):
        pass
    assert vote_of(tables, code) is None
    assert tables.get(code).table.chairs[2].stand_in == before.stand_in
    assert "table.stood_in" not in said(tables, code)


def test_pause_and_end_votes_name_no_player(tables, three):
    """A vote's log lines name a player only if the vote concerns that player."""
    code, (ann, *_), _ = three
    propose_vote(tables, code, ann, "pause")
    (line,) = [
        line for _, line in tables.get(code).table.lines(None) if line.kind == "table.propose_pause"
    ]
    assert from_json(bytes(line.facts), dict) == {"by": "Ann"}


def test_each_vote_has_the_next_number(tables, three):
    code, (ann, ben, _), _ = three
    for number in (1, 2, 3):
        propose_vote(tables, code, ann, "end")
        assert vote_of(tables, code).number == number
        agree(tables, code, ben, yes=False)


@pytest.mark.parametrize(
    ("seat", "now", "until"),
    [
        (1, 59.0, 60.0),  # the player concerned: before the hold ends
        (1, 60.0, 120.0),
        (1, 119.0, 120.0),
        (0, 59.0, 120.0),
        (None, 59.0, 120.0),
    ],
)
def test_vote_must_be_answered_before_it_passes_or_expires(seat, now, until):
    vote = Vote(1, "bot", 0, [0], until=120.0, hold=60.0, look=60.0, seat=1)
    assert answered_by(vote, seat, now) == until


def test_vote_waits_for_unanswered_players(tables, three):
    code, (ann, ben, cid), _ = three
    table = tables.get(code).table
    assert [waits_for(table, seat) for seat in (0, 1, None)] == [None] * 3
    propose_vote(tables, code, ann, "pause")
    match_service.start_stand_in(tables, code, cid)
    seats = [table.seat_of(player) for player in (ann, ben, cid)]
    table = tables.get(code).table
    assert [waits_for(table, seat) is not None for seat in seats] == [False, True, False]
    assert waits_for(table, None) is None


def test_substituted_player_is_not_asked(tables, three):
    code, ids, _ = three
    propose_vote(tables, code, ids[0], "pause")
    assert [waits_for(tables.get(code).table, seat) is None for seat in (0, 1, 2, None)] == [
        True,
        False,
        False,
        True,
    ]
    match_service.start_stand_in(tables, code, ids[1])
    assert waits_for(tables.get(code).table, 1) is None
