"""Two guests are merged, interrupted at any point."""

import hashlib

import pytest
from sqlalchemy import event, select

from kaboom.accounts import credentials, login, merge
from kaboom.accounts import players as players_module
from kaboom.accounts.models import players
from kaboom.db.metadata import all_tables
from kaboom.errors import InvalidState
from kaboom.games import GAMES
from kaboom.lobby import service as lobby
from kaboom.social.chat.service import mute, speak
from kaboom.tables import start_match
from kaboom.tables.maintenance.interventions import stop
from kaboom.tables.models import match_players
from tests.support.statement_cache import by_sqlalchemy

ANN, BEN, CLEO = (hashlib.sha256(name).hexdigest() for name in (b"ann", b"ben", b"cleo"))
FRESH = hashlib.sha256(b"fresh").hexdigest()


@pytest.fixture
def three(tables):
    """Return Ann, Ben and Cleo. Ben, who will become Ann, plays with Cleo, waits at
    a table with Ann, and has finished a match.
    """
    ann, ben, cleo = (
        players_module.player(tables, key, name)[0]
        for key, name in ((ANN, "Ann"), (BEN, "Ben"), (CLEO, "Cleo"))
    )
    options = GAMES["gops"].options()
    played = lobby.open(tables, "gops", options, ben, "Ben")
    lobby.sit(tables, played, cleo, "Cleo")
    start_match.start(tables, played, ben)
    over = lobby.open(tables, "gops", options, cleo, "Cleo")
    lobby.sit(tables, over, ben, "Ben")
    start_match.start(tables, over, cleo)
    stop(tables, over)
    shared = lobby.open(tables, "gops", options, ben, "Ben")
    lobby.sit(tables, shared, ann, "Ann")
    speak(tables, over, cleo, "Cleo", text="Well")
    mute(tables, over, ben, 1)
    return (ann, ben, cleo), (played, over, shared)


def asked(tables, key=BEN):
    """Return the secret with which Ben's browser confirms that Ann signs in."""
    ann = players_module.player(tables, ANN, "Ann")[0]
    return login.arrive(tables, ann, key, FRESH).secret


def rows(tables, statement):
    return tables.database.read(lambda connection: connection.execute(statement).all())


def whole(tables, three):
    """Return True if all of Ben's data is Ann's and Ben no longer exists."""
    (ann, ben, _), (played, over, shared) = three
    columns = [c for table in all_tables().sorted_tables for c in table.columns]
    named = [c for c in columns if c.name in ("player_id", "muted_id")]
    left = [c for c in named if rows(tables, select(c).where(c == ben))]
    first = tables.get(played, BEN)
    return (
        not left
        and (first.player, first.me, first.table.host) == (ann, 0, ann)
        and tables.get(over, BEN).me is not None
        and [occupant.player for _, occupant in tables.get(shared).table.sitting()] == [ann]
        and tables.get(shared).table.host == ann
        and len(rows(tables, select(match_players).where(match_players.c.player_id == ann))) == 2
        and rows(tables, select(players.c.name).where(players.c.id == ben)) == [("",)]
    )


def test_merge_moves_seats_matches_and_mutes(tables, three):
    assert merge.merge_guest(tables, asked(tables), BEN) is True
    assert whole(tables, three)
    login.renew(tables, BEN, FRESH)
    assert players_module.player(tables, FRESH, "Ann")[0] == three[0][0]
    assert not players_module.knows(tables, BEN)


class PulledPlug(BaseException):
    """The server dies here."""


@pytest.mark.slow
def test_merge_killed_at_any_statement_is_finished_later(
    tables, three, open_tables, store_url, monkeypatch
):
    by_sqlalchemy(monkeypatch)
    secret, count = asked(tables), [0]
    engine = tables.database._writer

    def until(most):
        count[0] = 0

        def counted(connection, cursor, statement, *more):
            count[0] += 1
            if count[0] > most:
                raise PulledPlug

        return counted

    killed = 0
    for most in range(0, 400, 3):
        broken = until(most)
        event.listen(engine, "before_cursor_execute", broken)
        try:
            if most == 0 or secret:
                merge.merge_guest(tables, secret, BEN)
                secret = ""
            else:
                merge.continue_all_merges(tables)
            break
        except PulledPlug:
            killed += 1
            begun = tables.database.read(lambda c: merge.merge_queries.pending(c, 9))
            secret = "" if begun else secret
        finally:
            event.remove(engine, "before_cursor_execute", broken)
    assert killed > 5
    assert whole(tables, three)


def test_merge_of_two_seats_in_a_match_waits_for_its_end(tables, three):
    (ann, ben, _), (_played, _over, shared) = three
    start_match.start(tables, shared, ben)
    assert merge.merge_guest(tables, asked(tables), BEN) is False
    merge.continue_all_merges(tables)
    assert tables.get(shared, BEN).player == ben  # who plays on
    stop(tables, shared)
    merge.continue_all_merges(tables)
    assert tables.get(shared, BEN).player == ann
    assert tables.database.read(lambda c: merge.merge_queries.pending(c, 9)) == []


def test_merge_of_a_secured_account_is_refused(tables, three):
    secret = asked(tables)
    credentials.keep_by_password(tables, BEN, "benny", "seven tame herons", "seven tame herons")
    with pytest.raises(InvalidState):
        merge.merge_guest(tables, secret, BEN)
    assert login.arrive(tables, three[0][0], BEN, FRESH).brings is False


def test_guest_that_cannot_merge_does_not_block_others(tables, monkeypatch):
    ben, cleo = 2, 3
    waiting, gone_on = [ben, cleo], []

    def continue_merge(tables, guest):
        if guest == ben:
            raise RuntimeError("an unforeseen error")
        gone_on.append(guest)

    monkeypatch.setattr(merge.merge_queries, "pending", lambda connection, most: waiting)
    monkeypatch.setattr(merge, "continue_merge", continue_merge)
    merge.continue_all_merges(tables)
    assert gone_on == [cleo]
