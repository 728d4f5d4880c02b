"""Reliability: leaving is recorded, shown in the lobby, and may exclude a player."""

import pytest
from sqlalchemy import update

from kaboom.errors import NotPermitted
from kaboom.games import GAMES
from kaboom.lobby import service as lobby
from kaboom.lobby import table_settings
from kaboom.ratings import queries as store
from kaboom.table_page import vote_service
from kaboom.tables import start_match
from kaboom.tables.forms.listing import listed_line, lobby_table
from kaboom.tables.models import match_players
from kaboom.tables.seats import leaving
from tests.support.finished_matches import finish


def opened(tables, ids, *names):
    """Return the code of a table of GOPS where these people have begun."""
    options = GAMES["gops"].options(players=len(names))
    code = lobby.open(tables, "gops", options, ids[names[0]], names[0])
    for name in names[1:]:
        lobby.sit(tables, code, ids[name], name)
    start_match.start(tables, code, ids[names[0]])
    return code


def stayed(tables, player):
    return tables.database.read(lambda c: store.stays(c, player, 50))


def leave_all(tables, player):
    """Record that a player has left every match so far."""
    statement = update(match_players).where(match_players.c.player_id == player)
    tables.database.write(lambda c: c.execute(statement.values(gone=True)))


@pytest.fixture
def tables(service, fake_clock):
    return service


def test_agreed_end_does_not_count_as_leaving(tables, ids):
    code = opened(tables, ids, "Ann", "Ben")
    vote_service.propose_vote(tables, code, ids["Ann"], "end")
    vote = tables.get(code).table.vote.number
    vote_service.cast_vote(tables, code, ids["Ben"], vote, True)
    assert not tables.get(code).table.playing
    assert [stayed(tables, ids[name]) for name in ("Ann", "Ben")] == [[True], [True]]


def test_player_absent_when_the_others_end_a_match_has_left(tables, ids, monkeypatch):
    code = opened(tables, ids, "Ann", "Ben", "Cleo")
    monkeypatch.setattr(tables, "here", lambda code: {ids["Ann"], ids["Ben"]})
    vote_service.propose_vote(tables, code, ids["Ann"], "end")
    vote = tables.get(code).table.vote.number
    vote_service.cast_vote(tables, code, ids["Ben"], vote, True)
    assert not tables.get(code).table.playing
    assert [stayed(tables, ids[name]) for name in ("Ann", "Ben", "Cleo")] == [
        [True],
        [True],
        [False],
    ]


def test_returning_player_does_not_count_as_a_leaver(tables, ids):
    code = opened(tables, ids, "Ann", "Ben", "Cleo")
    leaving.leave(tables, code, ids["Ben"])
    lobby.sit(tables, code, ids["Ben"], "Ben")
    finish(tables, code)
    assert stayed(tables, ids["Ben"]) == [True]


def asking(tables, ids):
    """Return the code of a table of Cleo's that only admits players who finish their matches."""
    options = GAMES["gops"].options(players=4)
    code = lobby.open(tables, "gops", options, ids["Cleo"], "Cleo", listed=True)
    table_settings.change_access(tables, code, ids["Cleo"], listed=True, password="", reliable=True)
    return code


def test_reliable_only_table_refuses_frequent_leavers(tables, ids):
    for _ in range(8):
        finish(tables, opened(tables, ids, "Ann", "Ben"))
    leave_all(tables, ids["Ben"])
    code = asking(tables, ids)
    before = tables.get(code).table.chairs
    with pytest.raises(NotPermitted, match="finish their matches"):
        lobby.sit(tables, code, ids["Ben"], "Ben")
    assert tables.get(code).table.chairs == before
    for name in ("Ann", "Dan"):  # one finishes, the other is new
        lobby.sit(tables, code, ids[name], name)
    table_settings.change_access(
        tables, code, ids["Cleo"], listed=True, password="", reliable=False
    )
    lobby.sit(tables, code, ids["Ben"], "Ben")
    assert [it.manner for it in tables.get(code).table.chairs] == [
        "new",
        "finishes",
        "new",
        "left 8 8",
    ]


@pytest.mark.slow
def test_finished_matches_restore_reliability(tables, ids):
    for _ in range(6):
        finish(tables, opened(tables, ids, "Ann", "Ben"))
    leave_all(tables, ids["Ben"])
    for _ in range(30):
        finish(tables, opened(tables, ids, "Ann", "Ben"))
    lobby.sit(tables, asking(tables, ids), ids["Ben"], "Ben")


def test_lobby_shows_the_hosts_reliability(tables, ids):
    code = asking(tables, ids)
    line = listed_line(lobby_table(tables.get(code)))
    assert "Cleo (new here)" in line
    assert "for players who finish their matches" in line


def test_new_players_are_labeled_only_among_strangers(app, table, browser):
    path, (ann,) = table("Ann", game="gops", ready=False)
    assert "new here" not in ann.open(path).text
    ann.client.post(f"{path}/door", data={"listed": "1"})
    assert "new here" not in ann.open(path).text  # she knows
    assert "new here" in browser().open(path).text
    assert "new here" in browser().open("/lobby").text
