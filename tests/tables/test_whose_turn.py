"""Turns and when they start: several acts are one turn, and sealed steps reveal nothing."""

import pytest

from kaboom.engine.views import Offer, Prompt
from kaboom.lobby import service as lobby
from kaboom.tables import start_match
from kaboom.tables.clock.whose_turn import Turn, turns
from tests.tables.test_service import opened


def asked(seat, about, sealed=False):
    offer = Offer(seat, "do", (), 0, 0, False, about, True, False, about, sealed=sealed)
    return Prompt(seat, (offer,))


def idle(seat):
    return Prompt(seat)


def numbers(found):
    return {seat: turn.number for seat, turn in found.items()}


def test_turn_lasts_while_the_table_waits_for_the_seat():
    first = turns({}, [asked(0, "draw"), idle(1)], 5, 1.0)
    assert numbers(first) == {0: 5}
    assert first[0].since == 1.0
    second = turns(first, [idle(0), asked(1, "draw")], 6, 2.0)
    assert numbers(second) == {1: 6}
    assert turns(second, [], 7, 3.0) == {}


def test_several_acts_in_a_row_are_one_turn():
    first = turns({}, [asked(0, "draw"), idle(1)], 5, 1.0)
    second = turns(first, [asked(0, "discard"), idle(1)], 6, 2.0)
    assert numbers(second) == {0: 5}
    assert (second[0].since, second[0].asked) != (first[0].since, first[0].asked)
    assert second[0].since == 1.0


def test_last_answerer_has_a_new_turn_as_the_next_round_begins():
    first = turns({}, [asked(0, "bid 1"), asked(1, "bid 1")], 5, 1.0)
    second = turns(first, [asked(0, "bid 1"), idle(1)], 6, 2.0)
    assert numbers(second) == {0: 5}
    third = turns(second, [asked(0, "bid 2"), asked(1, "bid 2")], 7, 3.0)
    assert numbers(third) == {0: 7, 1: 7}


def test_sealed_step_is_the_turn_of_all_asked_until_it_ends():
    opened = turns({}, [asked(seat, f"pass {seat}", True) for seat in range(3)], 5, 1.0)
    assert numbers(opened) == {0: 5, 1: 5, 2: 5}
    for missing in ([0, 1], [1, 2], [2]):
        prompts = [asked(s, f"pass {s}", True) if s in missing else idle(s) for s in range(3)]
        assert turns(opened, prompts, 6, 2.0) == opened  # the player who has answered
    again = turns(opened, [asked(seat, f"next {seat}", True) for seat in range(3)], 8, 3.0)
    assert numbers(again) == {0: 8, 1: 8, 2: 8}
    over = turns(again, [asked(0, "draw"), idle(1), idle(2)], 9, 4.0)
    assert numbers(over) == {0: 9}


@pytest.mark.parametrize("waited", [[0], [0, 1], []])
def test_unchanged_prompts_keep_their_turn(waited):
    prompts = [asked(seat, "x") if seat in waited else idle(seat) for seat in (0, 1)]
    first = turns({}, prompts, 5, 1.0)
    assert turns(first, prompts, 9, 2.0) == first
    assert all(isinstance(turn, Turn) for turn in first.values())


def test_bot_readiness_is_not_waited_for(tables):
    code, (_, ben) = opened(tables, "Ann", "Ben")
    lobby.add_bot(tables, code, ben)
    start_match.ready(tables, code, ben)
    assert tables.get(code).table.awaited() == [0]
