"""Which deadlines continue after a move, which are new, and which are paused."""

import pytest
from msgspec import Raw

from kaboom.db.times import DAY
from kaboom.engine.moves import CLOCK
from kaboom.engine.play import Listener
from kaboom.engine.views import Offer, Prompt
from kaboom.tables.clock.timer_kinds import VacationOver, VoteLook
from kaboom.tables.clock.timers import (
    due_for,
    first_due,
    kept,
    restarted,
    soonest,
    stand_still,
    stopped,
)
from kaboom.tables.clock.whose_turn import Turn
from kaboom.tables.table import Occupant, Table, Timer, Vacation, Vote

NOW = 1000.0
NEITHER = (Prompt(0), Prompt(1))


def table_of(*chairs, **more):
    people = list(chairs) or [Occupant("Ann", 1), Occupant("Ben", 2)]
    return Table(chairs=people, options=Raw(b"{}"), host=1, playing=True, **more)


def clock(verb="lapse", after=30.0, **more):
    return Listener(CLOCK, verb, lambda play, move: None, after=after, **more)


def asked(seat, token, race=False, blocks=True):
    return Offer(seat, "bid", (), 0, 0, False, "", blocks, False, token, race=race)


def prompts(*offers):
    return [Prompt(seat, tuple(it for it in offers if it.seat == seat)) for seat in (0, 1)]


def after_a_move(table, clocks=(), asks=NEITHER, planned=None):
    def move_delay(prompt, race):
        return 2.0 if race else 1.0

    return kept(table, clocks, asks, NOW, move_delay, lambda seat: None, planned or {})


def on_vacation(until):
    return Occupant("Ann", 1, vacation=Vacation(until + 5, until))


# The clocks of the game


@pytest.mark.parametrize(
    ("old", "listener", "timer"),
    [
        (None, clock(), Timer(30.0, due=NOW + 30)),
        (None, clock(decision=True), Timer(30.0, True, due=NOW + 30)),
        (None, clock(after=None), Timer(0.0, due=NOW)),
        (None, clock(held=True), Timer(30.0, left=30.0)),
        (Timer(30.0, due=NOW + 7), clock(), Timer(30.0, due=NOW + 7)),
        (Timer(30.0, due=NOW + 7), clock(held=True), Timer(30.0, left=7.0)),
        (Timer(30.0, due=NOW - 7), clock(held=True), Timer(30.0, left=0.0)),
        (Timer(30.0, left=7.0), clock(held=True), Timer(30.0, left=7.0)),
        (Timer(30.0, left=7.0), clock(), Timer(30.0, due=NOW + 7)),
        (Timer(30.0, more=True, due=NOW + 7), clock(), Timer(30.0, more=True, due=NOW + 7)),
    ],
)
def test_offered_deadline_runs_on_and_stops_while_held(old, listener, timer):
    table = table_of(timers={} if old is None else {"lapse": old})
    assert after_a_move(table, [listener]) == {"lapse": timer}


@pytest.mark.parametrize(
    ("other", "deadlines"),
    [
        (Occupant("Ben", 2), {"lapse", "deal"}),
        (Occupant("Bot"), {"deal"}),
        (Occupant("Ben", 2, stand_in=True), {"deal"}),
        (Occupant("Ben", 2, present=False), {"deal"}),
    ],
)
def test_lone_player_has_no_deadline_but_cards_are_dealt(other, deadlines):
    found = after_a_move(
        table_of(Occupant("Ann", 1), other), [clock(decision=True), clock("deal", 0.3)]
    )
    assert set(found) == deadlines


# Bots and premoves


def test_bot_thinks_about_prompts_apart_from_races():
    table = table_of(Occupant("Ann", 1), Occupant("Bot"))
    only_asked = after_a_move(table, asks=prompts(asked(0, "aaa"), asked(1, "bbb")))
    (timer,) = only_asked.values()
    assert timer == Timer(1.0, due=NOW + 1), "no bot thinks for Ann"
    only_race = after_a_move(table, asks=prompts(asked(1, "ccc", race=True)))
    assert list(only_race.values()) == [Timer(0.0)], "it does not see it"
    both = after_a_move(table, asks=prompts(asked(1, "bbb"), asked(1, "ccc", race=True)))
    assert both == {next(iter(only_asked)): Timer(2.0, due=NOW + 2)} | only_race
    table.timers = {text: Timer(9.0, due=NOW + 9) for text in both}
    assert after_a_move(table, asks=prompts(asked(1, "bbb"), asked(1, "ccc", True))) == table.timers
    assert after_a_move(table, asks=NEITHER) == {}


@pytest.mark.parametrize(
    ("old", "due"), [({}, NOW + 3), ({"ahead 0 x": Timer(3.0, due=NOW + 1)}, NOW + 1)]
)
def test_premove_is_made_at_its_first_planned_time(old, due):
    found = after_a_move(table_of(timers=old), planned={"ahead 0 x": 3.0})
    assert found == {"ahead 0 x": Timer(3.0, due=due)}


# Days


@pytest.mark.parametrize(
    ("ann", "more", "timer"),
    [
        (Occupant("Ann", 1), {}, Timer(2 * DAY, due=NOW + 2 * DAY)),
        (Occupant("Ann", 1), {"covered": {0: 5}}, Timer(0.0, due=NOW)),
        (Occupant("Ann", 1), {"covered": {0: 4}}, Timer(2 * DAY, due=NOW + 2 * DAY)),
        (Occupant("Ann", 1), {"timers": {"days 0 q": Timer(9.0, due=7.0)}}, Timer(9.0, due=7.0)),
        (Occupant("Ann", 1), {"bank": 3}, Timer(2 * DAY, due=NOW + 5 * DAY)),
        (Occupant("Ann", 1), {"bank": 3, "banks": {0: 9.0}}, Timer(2 * DAY, due=NOW + 2 * DAY + 9)),
        (Occupant("Ann", 1), {"bank": 3, "covered": {0: 5}}, Timer(0.0, due=NOW)),
        (on_vacation(NOW + 1), {}, Timer(2 * DAY, left=2 * DAY)),
        (on_vacation(NOW), {}, Timer(2 * DAY, due=NOW + 2 * DAY)),
        (
            on_vacation(NOW),
            {"timers": {"days 0 q": Timer(9.0, left=4.0)}},
            Timer(9.0, due=NOW + 4),
        ),
    ],
)
def test_seat_on_turn_has_its_days_and_none_if_a_bot_decides(ann, more, timer):
    table = table_of(ann, Occupant("Ben", 2), days=2, turns={0: Turn(5, NOW, "q")}, **more)
    assert after_a_move(table, asks=prompts(asked(0, "q"))) == {"days 0 q": timer}


@pytest.mark.parametrize(
    ("changed", "asks"),
    [
        ({"days": 0}, prompts(asked(0, "q"))),
        ({"turns": {}}, prompts(asked(0, "q"))),
        ({}, prompts(asked(0, "q", blocks=False))),
        (
            {"chairs": [Occupant("Ann", 1, stand_in=True), Occupant("Ben", 2)]},
            prompts(asked(0, "q")),
        ),
    ],
)
def test_no_days_run_without_an_opponent_waiting(changed, asks):
    table = table_of(days=2, turns={0: Turn(5, NOW, "q")})
    for name, value in changed.items():
        setattr(table, name, value)
    assert not any(text.startswith("days") for text in after_a_move(table, asks=asks))


def test_sealed_prompt_has_one_window_per_turn_number():
    turns = {seat: Turn(5, NOW, f"q{seat}", sealed=True) for seat in (0, 1)}
    table = table_of(days=1, turns=turns)
    found = after_a_move(table, asks=prompts(asked(0, "q0"), asked(1, "q1")))
    assert set(found) == {"days 0 5", "days 1 5"}


def test_vacation_stops_only_the_players_own_clock():
    timers = {"days 0 q": Timer(9.0, due=NOW + 9), "days 1 q": Timer(9.0, due=NOW + 8)}
    table = table_of(timers=timers)
    stand_still(table, 0, NOW + 2)
    assert table.timers == {"days 0 q": Timer(9.0, left=7.0), "days 1 q": timers["days 1 q"]}


@pytest.mark.parametrize(
    ("more", "due"),
    [
        ({"days": 1}, VacationOver(0)),
        ({"days": 0}, None),
        ({"days": 1, "paused": True}, None),
        ({"days": 1, "timers": {"days 0 q": Timer(9.0, due=NOW + 9)}}, None),
        ({"days": 1, "timers": {"days 1 q": Timer(9.0, left=9.0)}}, None),
    ],
)
def test_vacation_ends_while_its_clock_is_stopped(more, due):
    told = {"timers": {"days 0 q": Timer(9.0, left=9.0)}} | more
    table = table_of(on_vacation(NOW), Occupant("Ben", 2))
    for name, value in told.items():
        setattr(table, name, value)
    assert (first_due(table, NOW - 1), first_due(table, NOW)) == (None, due)


# Pauses, and what is due next


def test_clocks_resume_with_the_time_left_after_a_pause():
    timers = {"a": Timer(9.0, due=NOW + 4), "b": Timer(9.0), "c": Timer(9.0, left=2.0)}
    held = stopped(timers, NOW)
    assert held == {"a": Timer(9.0, left=4.0), "b": Timer(9.0), "c": Timer(9.0, left=2.0)}
    assert restarted(held, NOW + 50) == {
        "a": Timer(9.0, due=NOW + 54),
        "b": Timer(9.0),
        "c": Timer(9.0, due=NOW + 52),
    }


def test_next_due_is_the_earliest_including_votes():
    table = table_of(timers={"lapse": Timer(9.0, due=9.0), "deal": Timer(9.0), "x": Timer(1.0)})
    assert soonest(table) == 9.0
    table.vote = Vote(1, "pause", 0, [0], until=9.0, hold=0.0, look=5.0)
    assert soonest(table) == 5.0
    assert first_due(table, 9.0) == VoteLook()
    assert soonest(table_of()) is None


@pytest.mark.parametrize(
    ("timers", "due"),
    [
        ({}, None),
        ({"lapse": Timer(9.0, True, due=8.0)}, 8.0),
        ({"lapse": Timer(9.0, due=8.0)}, None),  # the pace of something automatic
        ({"lapse": Timer(9.0, True, left=8.0)}, None),
        ({"days 0 q": Timer(9.0, due=7.0)}, 7.0),
        ({"days 0 q": Timer(9.0, left=7.0)}, None),
        ({"days 1 q": Timer(9.0, due=7.0)}, None),
        ({"days 0 q": Timer(9.0, due=7.0), "lapse": Timer(9.0, True, due=8.0)}, 7.0),
        ({"days 0 q": Timer(9.0, due=9.0), "lapse": Timer(9.0, True, due=8.0)}, 8.0),
    ],
)
def test_deadline_of_a_seat_on_turn_is_the_first_of_its_timers(timers, due):
    table = table_of(timers=timers, turns={0: Turn(1, NOW, "q")})
    assert due_for(table, 0) == due


def test_game_deadline_belongs_to_the_active_seat_only():
    table = table_of(timers={"lapse": Timer(9.0, True, due=8.0)}, turns={1: Turn(1, NOW, "q")})
    assert (due_for(table, 0), due_for(table, 1)) == (None, 8.0)
