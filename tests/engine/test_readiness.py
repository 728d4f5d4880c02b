"""Waiting until all are ready: a game that does nothing else."""

from dataclasses import replace

import pytest
from msgspec import Struct

from kaboom.engine.decisions import Decision
from kaboom.engine.engine import clocks, prompt, step, waiting_for
from kaboom.engine.moves import Move
from kaboom.engine.rng import Rng
from kaboom.engine.toolkit.readiness import be_ready, readying, still_to_be_ready
from tests.engine.sealed_bids import SEALED_BIDS


class Waiting(Struct):
    ready: list[int] = []
    absent: list[int] = []
    rounds: int = 0


def unready(s):
    return still_to_be_ready(3, s.ready, s.absent)


def next_round(play):
    play.tell("begun")
    play.state.ready = []
    play.state.rounds += 1


GAME = replace(
    SEALED_BIDS,
    state=Waiting,
    seated=lambda s: 3,
    outcome=lambda s: None,
    offers=lambda s: readying(unready(s), str(s.rounds)),
    decisions=lambda s: [
        Decision(name="ready", seats=unready(s), seconds=9, default=be_ready, then=next_round)
    ],
)


def done(state, *texts):
    """Return the last step of these moves."""
    for text in texts:
        last = step(GAME, state, Move.parse(text), Rng(bytes(32), 1))
        state = last.state
    return last


def kinds(last):
    return [(event.kind, *event.facts.values()) for event in last.events]


def test_all_are_ready_if_every_present_player_is():
    assert still_to_be_ready(4, ready=[]) == [0, 1, 2, 3]
    assert still_to_be_ready(4, ready=[2], absent=[0]) == [1, 3]
    assert still_to_be_ready(4, ready=[2, 1], absent=[0, 3]) == []


def test_table_waits_for_unready_players():
    last = done(Waiting(), "1 ready")
    assert kinds(last) == [("ready", 1)]
    assert waiting_for(GAME, last.state) == [0, 2]
    assert prompt(GAME, last.state, 1).offers == ()


def test_last_ready_player_continues_the_game():
    last = done(Waiting(), "1 ready", "2 ready", "0 ready")
    assert kinds(last) == [("ready", 0), ("begun",)]
    assert (last.state.rounds, last.state.ready) == (1, [])


def test_departed_player_is_not_waited_for():
    last = done(Waiting(), "1 ready", "2 ready", "-1 leave 0")
    assert kinds(last) == [("left", 0), ("begun",)]
    assert [str(clock.clock_move) for clock in clocks(GAME, last.state)] == ["-1 lapse ready"]


def test_timeout_makes_silent_players_ready():
    last = done(Waiting(), "1 ready", "-1 lapse ready")
    assert kinds(last) == [("ready", 0), ("ready", 2), ("begun",)]


@pytest.mark.parametrize("seat", range(3))
def test_player_can_be_ready_only_once(seat):
    ready = done(Waiting(), f"{seat} ready").state
    assert seat not in waiting_for(GAME, ready)
