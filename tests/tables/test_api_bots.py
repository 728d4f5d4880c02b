"""Where and when a player's own bot may sit down, and what all players are told about it."""

import pytest

from kaboom.engine.moves import Refusal
from kaboom.errors import InvalidState, NotPermitted
from kaboom.games import GAMES
from kaboom.lobby import service as lobby
from kaboom.tables import start_match
from kaboom.tables.table import Welcome

UNWELCOME = "Players’ bots are not welcome at this table."
ONLY_BEFORE = "A bot can take your seat only before a match, so that everyone knows it is a bot."


@pytest.fixture
def tables(open_tables, sqlite_url):
    """One store is enough, since other tests run these statements on both."""
    return open_tables(sqlite_url)


@pytest.fixture
def opened(tables, ids):
    """Return a function that opens a table of Ann's with this rule for players' bots."""

    def at(welcome, listed=False):
        options = GAMES["taken"].options()
        code = lobby.open(tables, "taken", options, ids["Ann"], "Ann", listed=listed)
        tables.change(code, lambda it: setattr(it.table, "programs", welcome))
        return code

    return at


def refused(sentence, deed, *given, **more):
    with pytest.raises(Refusal) as no:
        deed(*given, **more)
    kind = (
        NotPermitted if sentence == UNWELCOME else InvalidState
    )  # one is permanent, the other temporary
    assert (type(no.value), str(no.value)) == (kind, sentence)


def chairs(tables, code):
    return [(it.name, it.program) for _, it in tables.get(code).table.sitting()]


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
    sit = (lobby.sit, tables, code, ids["Ben"], "Ben")
    if sits:
        lobby.sit(*sit[1:], program=True)
        assert chairs(tables, code) == [("Ann", False), ("bot of Ben", True)]
    else:
        refused(UNWELCOME, *sit, program=True)
        assert chairs(tables, code) == [("Ann", False)]


def test_seated_player_lets_a_bot_play_before_the_match(tables, ids, opened):
    code = opened(Welcome.ALWAYS)
    lobby.sit(tables, code, ids["Ben"], "Ben")
    lobby.sit(tables, code, ids["Ben"], "Ben", program=True)
    assert chairs(tables, code) == [("Ann", False), ("bot of Ben", True)]
    tables.change(code, lambda it: setattr(it.table, "programs", Welcome.NEVER))
    lobby.sit(tables, code, ids["Ben"], "Ben", program=True)  # it already sits there
    assert chairs(tables, code) == [("Ann", False), ("bot of Ben", True)]
    refused(UNWELCOME, lobby.sit, tables, code, ids["Ann"], "Ann", program=True)
    assert chairs(tables, code)[0] == ("Ann", False)


def test_no_bot_takes_over_a_seat_in_the_middle_of_a_match(tables, ids, opened):
    code = opened(Welcome.ALWAYS)
    lobby.sit(tables, code, ids["Ben"], "Ben")
    for name in ("Ann", "Ben"):
        start_match.ready(tables, code, ids[name])
    assert tables.get(code).table.playing
    refused(ONLY_BEFORE, lobby.sit, tables, code, ids["Ben"], "Ben", program=True)
    assert chairs(tables, code) == [("Ann", False), ("Ben", False)]
