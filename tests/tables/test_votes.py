"""What those at a table decide together, and how a bot plays for somebody, on both stores."""

from dataclasses import replace

import pytest

from kaboom.engine.bots.bot import Level
from kaboom.engine.codec import from_json
from kaboom.engine.engine import random_move, waiting_for
from kaboom.engine.moves import StaleMove
from kaboom.engine.rng import Chance
from kaboom.errors import InvalidState, NotPermitted
from kaboom.games import GAMES
from kaboom.lobby import service as seating
from kaboom.play import service as in_match
from kaboom.play.votes import answer, propose
from kaboom.tables import queries, sittings
from kaboom.tables.bots.thinking import remembered
from kaboom.tables.table import Vote
from kaboom.tables.votes import answered_by, waits_for
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
    return tables.look(code).table.vote


def agree(tables, code, *players, yes=True):
    for player in players:
        answer(tables, code, player, vote_of(tables, code).number, yes)


def said(tables, code):
    return [line.kind for _, line in tables.look(code).table.lines(None)]


@pytest.fixture
def three(tables):
    """A match of three; `there` are those who are there, to be changed by the test."""
    code, ids = playing(tables, "Ann", "Ben", "Cid", options=KABOOM.options(turn_seconds=30))
    all_ready(tables, code, ids)
    there = set(ids)
    tables.here.players = there
    return code, ids, there


def test_a_vote_passes_when_everybody_who_is_there_agrees(tables, three):
    code, (ann, ben, cid), _ = three
    propose(tables, code, ann, "pause")
    assert not tables.look(code).table.paused
    agree(tables, code, ben)
    assert not tables.look(code).table.paused
    agree(tables, code, cid)
    assert tables.look(code).table.paused
    assert vote_of(tables, code) is None
    assert said(tables, code)[-4:] == [
        "table.propose_pause",
        "table.agrees",
        "table.agrees",
        "table.paused",
    ]


def test_more_time_can_be_given_in_a_pause_and_holds_when_it_goes_on(tables, three):
    code, (ann, *others), _ = three
    propose(tables, code, ann, "pause")
    agree(tables, code, *others)
    (before,) = tables.look(code).table.timers.values()
    in_match.more_time(tables, code, ann)
    (paused,) = tables.look(code).table.timers.values()
    assert (paused.due, paused.left) == (None, before.left + 30)
    propose(tables, code, ann, "go_on")
    agree(tables, code, *others)
    (running,) = tables.look(code).table.timers.values()
    assert running.due == tables.now() + before.left + 30


def test_who_is_away_is_not_waited_for(tables, three):
    code, (ann, ben, cid), there = three
    there.remove(cid)
    propose(tables, code, ann, "pause")
    agree(tables, code, ben)
    assert tables.look(code).table.paused


def test_one_no_ends_a_vote(tables, three):
    code, (ann, ben, _), _ = three
    propose(tables, code, ann, "pause")
    agree(tables, code, ben, yes=False)
    assert vote_of(tables, code) is None
    assert not tables.look(code).table.paused
    assert said(tables, code)[-1] == "table.refuses"


def test_a_vote_lapses_after_two_minutes_by_the_clock(tables, three, watch):
    code, (ann, ben, _), _ = three
    propose(tables, code, ann, "end")
    agree(tables, code, ben)
    watch.sleep(119)
    while tables.lapse(code):
        pass
    assert vote_of(tables, code) is not None
    watch.sleep(1)
    assert tables.due() == [code]
    while tables.lapse(code):
        pass
    assert vote_of(tables, code) is None
    assert tables.look(code).table.playing
    assert "table.no_vote" in said(tables, code)


def test_who_goes_away_in_the_middle_of_a_vote_does_not_hold_it_up(tables, three, watch):
    code, (ann, ben, cid), there = three
    propose(tables, code, ann, "end")
    agree(tables, code, ben)
    there.remove(cid)
    watch.sleep(120)
    while tables.lapse(code):
        pass
    assert tables.look(code).table.outcome.reason == "stopped"


@pytest.mark.parametrize("about", ["nonsense", "", "go_on", "bot"])
def test_what_makes_no_sense_cannot_be_proposed(tables, three, about):
    code, (ann, _, _), _ = three
    with pytest.raises(InvalidState):
        propose(tables, code, ann, about, 0)


def test_strangers_and_those_who_let_a_bot_play_have_no_say(tables, three):
    code, (ann, ben, cid), _ = three
    (eve,) = people(tables, "Eve")
    with pytest.raises(NotPermitted):
        propose(tables, code, eve, "pause")
    in_match.hand_over(tables, code, cid)
    with pytest.raises(InvalidState, match="Take back"):
        propose(tables, code, cid, "pause")
    propose(tables, code, ann, "pause")
    with pytest.raises(NotPermitted):
        agree(tables, code, eve)
    agree(tables, code, ben)
    assert tables.look(code).table.paused


def test_there_is_one_vote_at_a_time_and_an_old_answer_is_too_late(tables, three):
    code, (ann, ben, _), _ = three
    propose(tables, code, ann, "pause")
    old = vote_of(tables, code).number
    with pytest.raises(InvalidState, match="One vote"):
        propose(tables, code, ben, "end")
    agree(tables, code, ann, yes=False)
    propose(tables, code, ben, "end")
    with pytest.raises(StaleMove):
        answer(tables, code, ann, old, True)
    agree(tables, code, ann, yes=False)
    with pytest.raises(StaleMove, match="vote is over"):
        answer(tables, code, ben, old + 1, True)


def test_nothing_is_voted_on_before_a_match(tables):
    code, (ann, _) = opened(tables, "Ann", "Ben")
    with pytest.raises(InvalidState):
        propose(tables, code, ann, "pause")


# A bot for somebody


def test_a_bot_takes_the_seat_of_somebody_away_at_once(tables, three, watch):
    code, (ann, ben, cid), there = three
    there.remove(ann)  # whose turn it is
    propose(tables, code, ben, "bot", 0)
    assert not tables.look(code).table.chairs[0].stand_in
    agree(tables, code, cid)
    chair = tables.look(code).table.chairs[0]
    assert chair.stand_in
    assert "table.stood_in" in said(tables, code)
    assert chair.player == ann
    before = len(moves_of(tables, code))
    for _ in range(6):
        watch.sleep(5)
        tables.lapse(code)
    made = [row for row in moves_of(tables, code)[before:] if row.cmd.startswith("bot")]
    assert made
    assert {row.text[0] for row in made} == {"0"}
    assert waiting_for(KABOOM, tables.look(code).state) == [1]
    check_record(tables, code)


def test_a_bot_for_somebody_who_is_there_is_held_for_a_minute(tables, three, watch):
    code, (_, ben, cid), _ = three
    propose(tables, code, ben, "bot", 0)
    agree(tables, code, cid)
    assert not tables.look(code).table.chairs[0].stand_in
    watch.sleep(29)
    while tables.lapse(code):
        pass
    assert vote_of(tables, code) is not None
    watch.sleep(31)
    while tables.lapse(code):
        pass
    assert tables.look(code).table.chairs[0].stand_in


def test_whoever_it_is_about_says_that_they_are_there(tables, three):
    code, (ann, ben, cid), _ = three
    propose(tables, code, ben, "bot", 0)
    agree(tables, code, cid)
    agree(tables, code, ann)  # by whichever button
    assert vote_of(tables, code) is None
    assert not tables.look(code).table.chairs[0].stand_in
    assert said(tables, code)[-1] == "table.is_here"


def test_the_person_comes_back_and_sees_what_was_done_until_the_next_own_move(tables, three, watch):
    code, (ann, *_), _ = three
    in_match.hand_over(tables, code, ann)
    for _ in range(4):
        watch.sleep(5)
        tables.lapse(code)
    table = tables.look(code).table
    done = [(move.verb, *move.choices) for move in table.chairs[0].done]
    logged = [row.text.split()[1:] for row in moves_of(tables, code) if row.cmd.startswith("bot")]
    assert done
    assert [list(move) for move in done] == logged
    assert 0 in table.memories
    in_match.take_over(tables, code, ann)
    table = tables.look(code).table
    assert not table.chairs[0].stand_in
    assert 0 not in table.memories
    assert len(table.chairs[0].done) == len(done)
    before = table.seq
    for n in range(200):  # until it is the own turn again
        snapshot = tables.look(code)
        seats = waiting_for(KABOOM, snapshot.state)
        if 0 in seats:
            break
        move = random_move(KABOOM, snapshot.state, seats[0], Chance(bytes(32), n, "others"))
        player = snapshot.table.chairs[seats[0]].player
        press(tables, code, player, move.verb, " ".join(move.choices), cmd=f"o {n}")
    press(tables, code, ann, "draw")
    table = tables.look(code).table
    assert table.seq > before
    assert table.chairs[0].done == []


def test_nobody_moves_for_a_person_who_has_taken_over_again(tables, three, watch):
    code, (ann, *_), _ = three
    in_match.hand_over(tables, code, ann)
    assert [what for what, _ in tables.look(code).table.thinking() if what.seat == 0]
    in_match.take_over(tables, code, ann)
    assert not [what for what, _ in tables.look(code).table.thinking() if what.seat == 0]
    seq = tables.look(code).table.seq
    watch.sleep(20)
    assert not tables.lapse(code)
    assert tables.look(code).table.seq == seq


def test_a_move_of_ones_own_is_taking_over(tables, three):
    code, (ann, *_), _ = three
    in_match.hand_over(tables, code, ann)
    press(tables, code, ann, "draw")
    assert not tables.look(code).table.chairs[0].stand_in


@pytest.mark.parametrize("key", [key for key, game in GAMES.items() if game.bot])
def test_a_bot_that_takes_a_seat_over_knows_what_it_would_have_known_there(tables, watch, key):
    """Its memory, rebuilt from the log, is that of a bot which sat there from the deal on."""
    game = GAMES[key]
    (ann,) = people(tables, "Ann")
    options = game.options()
    bots = game.seats(options)[0] - 1
    code = seating.open(tables, key, options, ann, "Ann", bots, level=Level.HARD)
    seating.start(tables, code, ann)
    for n in range(14):
        snapshot = tables.look(code)
        if snapshot.prompts[0].waited_for:
            move = random_move(game, snapshot.state, 0, Chance(bytes(32), n, "ann"))
            press(tables, code, ann, move.verb, " ".join(move.choices), cmd=f"c {n}")
        else:
            watch.sleep(30)
            tables.lapse(code)
    snapshot = tables.look(code)
    assert snapshot.table.playing
    moves = [row.text for row in moves_of(tables, code)]
    for seat, memory in snapshot.table.memories.items():
        assert remembered(snapshot, moves, seat) == memory


def test_a_stand_in_is_told_nothing_of_other_seats(tables, three):
    code, (ann, *_), _ = three
    press(tables, code, ann, "draw")
    noticed = []
    bot = replace(KABOOM.bot, notice=lambda memory, event, seat: noticed.append(event))
    snapshot = tables.look(code)
    position = replace(snapshot.position, game=replace(KABOOM, bot=bot))
    snapshot = replace(snapshot, position=position)
    moves = [row.text for row in moves_of(tables, code)]
    remembered(snapshot, moves, 0)
    assert any(event.to == 0 for event in noticed), "Ann was told what she drew"
    noticed.clear()
    remembered(snapshot, moves, 1)
    assert noticed
    assert {event.to for event in noticed} <= {None, 1}


def test_a_seat_left_to_a_bot_is_not_waited_for_in_a_rematch(tables, three):
    code, (ann, ben, cid), _ = three
    in_match.hand_over(tables, code, ann)
    propose(tables, code, ben, "end")
    agree(tables, code, cid)
    table = tables.look(code).table
    assert table.seat_of(ann) is None
    assert table.host == ben
    for player in (ben, cid):
        seating.ready(tables, code, player)
    assert tables.look(code).table.match == 2


# Pause


def test_in_a_pause_all_clocks_stand_and_nobody_moves(tables, three, watch):
    code, (ann, ben, cid), _ = three
    watch.sleep(10)
    propose(tables, code, ann, "pause")
    agree(tables, code, ben, cid)
    (timer,) = tables.look(code).table.timers.values()
    assert (timer.due, timer.left) == (None, 20)
    watch.sleep(3600)
    assert tables.due() == []
    assert not tables.lapse(code)
    with pytest.raises(InvalidState, match="paused"):
        press(tables, code, ann, "draw")
    propose(tables, code, ben, "go_on")
    assert tables.look(code).table.paused
    agree(tables, code, ann, cid)
    assert said(tables, code)[-1] == "table.goes_on"
    (timer,) = tables.look(code).table.timers.values()
    assert (timer.due, timer.left) == (watch.time + 20, None)
    press(tables, code, ann, "draw")


def test_bots_wait_in_a_pause_too(tables, watch):
    code, (ann,) = playing(tables, "Ann", bots=2)
    press(tables, code, ann, "ready")
    propose(tables, code, ann, "pause")
    assert tables.look(code).table.paused, "nobody else is to be asked"
    seq = tables.look(code).table.seq
    watch.sleep(3600)
    assert not tables.lapse(code)
    propose(tables, code, ann, "go_on")
    watch.sleep(10)
    assert tables.lapse(code)
    assert tables.look(code).table.seq == seq + 1


def test_going_on_while_somebody_is_away_leaves_them_a_minute(tables, three, watch):
    code, (ann, ben, cid), there = three
    propose(tables, code, ann, "pause")
    agree(tables, code, ben, cid)
    there.remove(cid)
    propose(tables, code, ann, "go_on")
    agree(tables, code, ben)
    assert tables.look(code).table.paused
    there.add(cid)
    agree(tables, code, cid, yes=False)
    assert tables.look(code).table.paused
    there.remove(cid)
    propose(tables, code, ann, "go_on")
    agree(tables, code, ben)
    watch.sleep(60)
    assert tables.lapse(code)
    assert not tables.look(code).table.paused


# The end


def test_a_match_ends_without_a_result_when_all_agree(tables, three):
    code, (ann, ben, cid), _ = three
    propose(tables, code, ann, "end")
    assert tables.look(code).table.playing
    agree(tables, code, ben, cid)
    table = tables.look(code).table
    assert not table.playing
    assert table.outcome.reason == "stopped"
    assert table.outcome.winners == ()
    match = tables.database.read(lambda c: queries.match(c, table.match_id))
    assert '"stopped"' in match.outcome
    assert match.ended_at == tables.now()
    check_record(tables, code)


def test_who_is_alone_ends_a_match_by_two_presses_with_a_minute_between(tables, three, watch):
    code, (ann, ben, cid), there = three
    there -= {ben, cid}
    propose(tables, code, ann, "end")
    with pytest.raises(InvalidState, match="minute"):
        agree(tables, code, ann)
    watch.sleep(60)
    while tables.lapse(code):
        pass
    assert tables.look(code).table.playing, "the first press alone never ends it"
    agree(tables, code, ann)
    assert tables.look(code).table.outcome.reason == "stopped"


def test_the_first_press_of_somebody_alone_lapses(tables, three, watch):
    code, (ann, ben, cid), there = three
    there -= {ben, cid}
    propose(tables, code, ann, "end")
    watch.sleep(600)
    while tables.lapse(code):
        pass
    assert tables.look(code).table.playing
    assert vote_of(tables, code) is None


def test_whoever_comes_back_in_that_minute_may_say_no(tables, three):
    code, (ann, ben, cid), there = three
    there -= {ben, cid}
    propose(tables, code, ann, "end")
    there.add(ben)
    agree(tables, code, ben, yes=False)
    assert tables.look(code).table.playing


def test_a_vote_survives_a_restart(open_tables, store_url, watch):
    first = open_tables(store_url)
    code, (ann, ben) = playing(first, "Ann", "Ben")
    propose(first, code, ann, "end")
    again = open_tables(store_url)
    agree(again, code, ben)
    assert first.look(code).table.outcome.reason == "stopped"


@pytest.mark.parametrize("meanwhile", [sittings.leave, in_match.hand_over])
def test_no_bot_is_put_on_a_seat_that_its_player_has_given_up_meanwhile(
    tables, three, watch, meanwhile
):
    code, (ann, ben, cid), _ = three
    propose(tables, code, ann, "bot", 2)
    agree(tables, code, ben)
    meanwhile(tables, code, cid)
    before = tables.look(code).table.chairs[2]
    watch.sleep(60)
    while tables.lapse(code):
        pass
    assert vote_of(tables, code) is None
    assert tables.look(code).table.chairs[2].stand_in == before.stand_in
    assert "table.stood_in" not in said(tables, code)


def test_a_pause_and_an_end_are_not_proposed_for_anybody(tables, three):
    """What is told of a vote names somebody only where it is about somebody."""
    code, (ann, *_), _ = three
    propose(tables, code, ann, "pause")
    (line,) = [
        line
        for _, line in tables.look(code).table.lines(None)
        if line.kind == "table.propose_pause"
    ]
    assert from_json(bytes(line.facts), dict) == {"by": "Ann"}


def test_each_vote_has_the_next_number(tables, three):
    code, (ann, ben, _), _ = three
    for number in (1, 2, 3):
        propose(tables, code, ann, "end")
        assert vote_of(tables, code).number == number
        agree(tables, code, ben, yes=False)


@pytest.mark.parametrize(
    ("seat", "now", "until"),
    [
        (1, 59.0, 60.0),  # whom it is about: before it is held no longer
        (1, 60.0, 120.0),
        (1, 119.0, 120.0),
        (0, 59.0, 120.0),
        (None, 59.0, 120.0),
    ],
)
def test_whom_a_vote_is_about_answers_before_it_passes_and_all_others_before_it_lapses(
    seat, now, until
):
    vote = Vote(1, "bot", 0, [0], until=120.0, hold=60.0, look=60.0, seat=1)
    assert answered_by(vote, seat, now) == until


def test_a_vote_waits_for_those_who_play_and_have_not_answered(tables, three):
    code, (ann, ben, cid), _ = three
    table = tables.look(code).table
    assert [waits_for(table, seat) for seat in (0, 1, None)] == [None] * 3
    propose(tables, code, ann, "pause")
    in_match.hand_over(tables, code, cid)
    seats = [table.seat_of(player) for player in (ann, ben, cid)]
    table = tables.look(code).table
    assert [waits_for(table, seat) is not None for seat in seats] == [False, True, False]
    assert waits_for(table, None) is None


def test_whoever_a_bot_plays_for_is_not_asked(tables, three):
    code, ids, _ = three
    propose(tables, code, ids[0], "pause")
    assert [waits_for(tables.look(code).table, seat) is None for seat in (0, 1, 2, None)] == [
        True,
        False,
        False,
        True,
    ]
    in_match.hand_over(tables, code, ids[1])
    assert waits_for(tables.look(code).table, 1) is None
