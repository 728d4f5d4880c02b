"""Due items of a table, and the order of simultaneous ones."""

import pytest
from msgspec import Raw

from kaboom.engine.moves import CLOCK, Move
from kaboom.tables.clock.timer_kinds import ClockMove, Thinking, VoteLook, timed_from
from kaboom.tables.clock.timers import first_due, soonest
from kaboom.tables.table import Table, Timer, Vote

STORED = {
    "lapse": ClockMove("lapse"),
    "deal 2 KS": ClockMove("deal", ("2", "KS")),
    "bot 2 x7Gk": Thinking(2, "x7Gk"),
    "bot 0 ": Thinking(0, ""),
}


def at_table(**dues):
    timers = {text: Timer(1.0, due=due) for text, due in dues.items()}
    return Table(chairs=[None], options=Raw(b"{}"), host=0, playing=True, timers=timers)


@pytest.mark.parametrize("text", STORED)
def test_timed_item_is_stored_as_its_text(text):
    assert timed_from(text) == STORED[text]
    assert str(STORED[text]) == text


@pytest.mark.parametrize("text", ["", "bot", "bot x", "bot -1 y", "vote", "botany 3"])
def test_other_timer_text_is_a_clock_move(text):
    assert isinstance(timed_from(text), ClockMove)


def test_clock_move_is_played_by_the_clock():
    assert ClockMove("deal", ("2", "KS")).move == Move(CLOCK, "deal", ("2", "KS"))


def test_earliest_due_comes_first():
    table = at_table(**{"lapse": 3.0, "bot 1 x": 2.0})
    assert (first_due(table, 1.9), first_due(table, 5.0)) == (None, Thinking(1, "x"))
    assert soonest(table) == 2.0


def test_simultaneous_items_go_in_alphabetical_order():
    together = at_table(**{"lapse": 2.0, "bot 2 x": 2.0, "bot 10 x": 2.0, "award": 2.0})
    together.vote = Vote(1, "pause", 0, [0], until=9.0, hold=0.0, look=2.0)
    order = []
    while (what := first_due(together, 2.0)) is not None:
        order.append(what)
        if isinstance(what, VoteLook):
            together.vote = None
        else:
            del together.timers[str(what)]
    assert list(map(str, order)) == ["award", "bot 10 x", "bot 2 x", "lapse", "vote"]


def test_nothing_is_due_without_a_match():
    table = at_table(lapse=2.0)
    table.playing = False
    assert first_due(table, 5.0) is None
