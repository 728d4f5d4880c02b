"""Events of a move that rule out a takeback even if the table looks the same as before."""

import pytest

from kaboom.engine.engine import start
from kaboom.engine.moves import Move
from kaboom.engine.play import Event
from kaboom.engine.takeback import Moment, can_be_taken_back
from tests.engine.sealed_bids import SEALED_BIDS as GAME
from tests.engine.sealed_bids import Options

ANN, BEN = range(2)


@pytest.mark.parametrize(
    ("event", "can"),
    [
        (Event("passed"), True),
        (Event("passed", {"seat": ANN}), True),
        (Event("passed", {"seat": ANN, "card": None, "first": True}), True),
        (Event("passed", {"seat": ANN, "card": "KS"}), False),
        (Event("passed", {"seat": ANN, "cards": 2}), False),
        (Event("passed", {"seat": ANN, "whose": [ANN, BEN]}), False),
        (Event("passed", {"seat": ANN, "number": 2}, ANN), True),
        (Event("passed", {"seat": ANN}, BEN), False),
    ],
)
def test_takeback_depends_on_what_the_move_revealed(event, can):
    moment = Moment(GAME, start(GAME, 2, Options(), bytes(32)).state)
    move = Move(ANN, "pass")
    assert can_be_taken_back(GAME, 2, move, False, [event], moment, moment) == can
