"""Where a player's own bot may sit down, when, and what everybody reads of it."""

import pytest

from kaboom.engine.moves import Refusal
from kaboom.errors import InvalidState, NotPermitted
from kaboom.games import GAMES
from kaboom.lobby import service as seating
from kaboom.tables.table import Welcome

UNWELCOME = "Bots of players are not welcome at this table."
ONLY_BEFORE = "A bot can take your seat only before a match, so that all know."


@pytest.fixture
def tables(open_tables, sqlite_url):
    """One store is enough: no statement is asked about here that others do not ask on both."""
    return open_tables(sqlite_url)


@pytest.fixture
def opened(tables, ids):
    """A function: a table of Ann's that welcomes bots of players so."""

    def at(welcome, listed=False):
        options = GAMES["taken"].options()
        code = seating.open(tables, "taken", options, ids["Ann"], "Ann", listed=listed)
        tables.change(code, lambda it: setattr(it.table, "programs", welcome))
        return code

    return at


def refused(sentence, deed, *given, **more):
    with pytest.raises(Refusal) as no:
        deed(*given, **more)
    kind = (
        NotPermitted if sentence == UNWELCOME else InvalidState
    )  # that is so for good, this for now
    assert (type(no.value), str(no.value)) == (kind, sentence)


def chairs(tables, code):
    return [(it.name, it.program) for _, it in tables.look(code).table.sitting()]


@pytest.mark.parametrize(
    ("welcome", "listed", "sits"),
    [
        (Welcome.NEVER, False, False),
        (Welcome.PRIVATE, False, True),
        (Welcome.PRIVATE, True, False),
        (Welcome.ALWAYS, True, True),
    ],
)
def test_a_bot_sits_down_where_the_host_welcomes_them(tables, ids, opened, welcome, listed, sits):
    code = opened(welcome, listed)
    sit = (seating.sit, tables, code, ids["Ben"], "Ben")
    if sits:
        seating.sit(*sit[1:], program=True)
        assert chairs(tables, code) == [("Ann", False), ("bot of Ben", True)]
    else:
        refused(UNWELCOME, *sit, program=True)
        assert chairs(tables, code) == [("Ann", False)]


def test_who_sits_there_lets_their_bot_play_before_a_match_and_keeps_it(tables, ids, opened):
    code = opened(Welcome.ALWAYS)
    seating.sit(tables, code, ids["Ben"], "Ben")
    seating.sit(tables, code, ids["Ben"], "Ben", program=True)
    assert chairs(tables, code) == [("Ann", False), ("bot of Ben", True)]
    tables.change(code, lambda it: setattr(it.table, "programs", Welcome.NEVER))
    seating.sit(tables, code, ids["Ben"], "Ben", program=True)  # it is there already
    assert chairs(tables, code) == [("Ann", False), ("bot of Ben", True)]
    refused(UNWELCOME, seating.sit, tables, code, ids["Ann"], "Ann", program=True)
    assert chairs(tables, code)[0] == ("Ann", False)


def test_no_bot_takes_over_a_seat_in_the_middle_of_a_match(tables, ids, opened):
    code = opened(Welcome.ALWAYS)
    seating.sit(tables, code, ids["Ben"], "Ben")
    for name in ("Ann", "Ben"):
        seating.ready(tables, code, ids[name])
    assert tables.look(code).table.playing
    refused(ONLY_BEFORE, seating.sit, tables, code, ids["Ben"], "Ben", program=True)
    assert chairs(tables, code) == [("Ann", False), ("Ben", False)]
