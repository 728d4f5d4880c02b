"""Two guests become one, whatever breaks off meanwhile."""

import hashlib

import pytest
from sqlalchemy import event, select

from kaboom.accounts import credentials, login, merge
from kaboom.accounts import players as keys
from kaboom.db.models import metadata, parts, players
from kaboom.errors import InvalidState
from kaboom.games import GAMES
from kaboom.lobby import service as seating
from kaboom.social.chat.service import mute, speak
from kaboom.tables.maintenance.cleanup import stop
from tests.support.statement_cache import by_sqlalchemy

ANN, BEN, CLEO = (hashlib.sha256(name).hexdigest() for name in (b"ann", b"ben", b"cleo"))
FRESH = hashlib.sha256(b"fresh").hexdigest()


@pytest.fixture
def three(tables):
    """Ann, Ben and Cleo; Ben, who will be Ann, plays with Cleo, waits at a table of his own with
    Ann, and has finished a match.
    """
    ann, ben, cleo = (
        keys.player(tables, key, name)[0]
        for key, name in ((ANN, "Ann"), (BEN, "Ben"), (CLEO, "Cleo"))
    )
    options = GAMES["gops"].options()
    played = seating.open(tables, "gops", options, ben, "Ben")
    seating.sit(tables, played, cleo, "Cleo")
    seating.start(tables, played, ben)
    over = seating.open(tables, "gops", options, cleo, "Cleo")
    seating.sit(tables, over, ben, "Ben")
    seating.start(tables, over, cleo)
    stop(tables, over)
    shared = seating.open(tables, "gops", options, ben, "Ben")
    seating.sit(tables, shared, ann, "Ann")
    speak(tables, over, cleo, "Cleo", text="Well")
    mute(tables, over, ben, 1)
    return (ann, ben, cleo), (played, over, shared)


def asked(tables, key=BEN):
    """Return the secret with which Ben's browser answers when Ann comes in there."""
    ann = keys.player(tables, ANN, "Ann")[0]
    return login.arrive(tables, ann, key, FRESH).secret


def rows(tables, statement):
    return tables.database.read(lambda connection: connection.execute(statement).all())


def whole(tables, three):
    """Say whether all that Ben had is Ann's, and Ben is nobody."""
    (ann, ben, _), (played, over, shared) = three
    columns = [c for table in metadata.sorted_tables for c in table.columns]
    named = [c for c in columns if c.name in ("player_id", "muted_id")]
    left = [c for c in named if rows(tables, select(c).where(c == ben))]
    first = tables.look(played, BEN)
    return (
        not left
        and (first.player, first.me, first.table.host) == (ann, 0, ann)
        and tables.look(over, BEN).me is not None
        and [chair.player for _, chair in tables.look(shared).table.sitting()] == [ann]
        and tables.look(shared).table.host == ann
        and len(rows(tables, select(parts).where(parts.c.player_id == ann))) == 2
        and rows(tables, select(players.c.name).where(players.c.id == ben)) == [("",)]
    )


def test_a_guest_comes_along_with_seats_matches_and_mutes(tables, three):
    assert merge.bring_along(tables, asked(tables), BEN) is True
    assert whole(tables, three)
    login.renew(tables, BEN, FRESH)
    assert keys.player(tables, FRESH, "Ann")[0] == three[0][0]
    assert not keys.knows(tables, BEN)


class PulledPlug(BaseException):
    """The server dies here."""


def test_whatever_statement_it_is_killed_at_it_ends_whole(
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
                merge.bring_along(tables, secret, BEN)
                secret = ""
            else:
                merge.go_on_with_all(tables)
            break
        except PulledPlug:
            killed += 1
            begun = tables.database.read(lambda c: merge.merge_queries.pending(c, 9))
            secret = "" if begun else secret
        finally:
            event.remove(engine, "before_cursor_execute", broken)
    assert killed > 5
    assert whole(tables, three)


def test_where_both_sit_in_a_running_match_it_waits_for_its_end(tables, three):
    (ann, ben, _), (_played, _over, shared) = three
    seating.start(tables, shared, ben)
    assert merge.bring_along(tables, asked(tables), BEN) is False
    merge.go_on_with_all(tables)
    assert tables.look(shared, BEN).player == ben  # who plays on
    stop(tables, shared)
    merge.go_on_with_all(tables)
    assert tables.look(shared, BEN).player == ann
    assert tables.database.read(lambda c: merge.merge_queries.pending(c, 9)) == []


def test_two_accounts_stay_two(tables, three):
    secret = asked(tables)
    credentials.keep_by_password(tables, BEN, "benny", "seven tame herons", "seven tame herons")
    with pytest.raises(InvalidState):
        merge.bring_along(tables, secret, BEN)
    assert login.arrive(tables, three[0][0], BEN, FRESH).brings is False


def test_one_guest_who_cannot_be_carried_keeps_no_other_from_it(tables, monkeypatch):
    ben, cleo = 2, 3
    waiting, gone_on = [ben, cleo], []

    def go_on(tables, guest):
        if guest == ben:
            raise RuntimeError("nobody foresaw that")
        gone_on.append(guest)

    monkeypatch.setattr(merge.merge_queries, "pending", lambda connection, most: waiting)
    monkeypatch.setattr(merge, "go_on", go_on)
    merge.go_on_with_all(tables)
    assert gone_on == [cleo]
