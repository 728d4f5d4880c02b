"""What statements change and leave alone, tested with rows inserted directly."""

from contextlib import closing

import pytest
from sqlalchemy import insert, select
from sqlalchemy.types import BigInteger

from kaboom.accounts import merge_queries, session_queries
from kaboom.db import backup
from kaboom.db.database import Database
from kaboom.db.metadata import all_tables
from kaboom.social.clubs import queries as clubs
from kaboom.social.clubs.models import Standing
from kaboom.social.friends import queries as friends
from kaboom.tables import queries
from kaboom.tables.clock import vacation_queries
from kaboom.tournaments import queries as tournaments
from tests.accounts.test_erase import some
from tests.support.server import SECRET

NO_KEY = "nobody's key"

of = all_tables().tables


@pytest.fixture
def database(store_url):
    with closing(Database(store_url, SECRET)) as made:
        yield made


def row(connection, table, text="", **values):
    """Store a row with these values and arbitrary others; return its id."""
    for column in table.columns:
        numbered = column.primary_key and isinstance(column.type, BigInteger)
        if column.name not in values and not column.nullable and not numbered:
            values[column.name] = some(column, f"{column.name[:3]}{text}")
    return connection.execute(insert(table), values).inserted_primary_key[0]


def three(connection):
    """Store three players; return their ids."""
    return [row(connection, of["players"], str(at), key_hash=f"key {at}") for at in range(3)]


def a_table(connection, text):
    return row(connection, of["tables"], text, club_id=None)


def found(connection, *columns):
    return sorted(tuple(it) for it in connection.execute(select(*columns)))


def test_merge_keeps_shared_rows_once(database):
    def work(connection):
        guest, other, third = three(connection)
        one, two = a_table(connection, "1"), a_table(connection, "2")
        for who, where in ((guest, one), (other, one), (third, one), (guest, two), (third, two)):
            row(connection, of["sittings"], player_id=who, table_id=where)
        merge_queries.carry(connection, guest, other, NO_KEY)
        kept = [(other, one), (other, two), (third, one), (third, two)]
        assert found(connection, of["sittings"].c.player_id, of["sittings"].c.table_id) == kept

    database.write(work)


@pytest.mark.parametrize(
    ("guests", "others", "kept"),
    [
        (9.0, 5.0, 1),
        (5.0, 9.0, 2),
        (5.0, 5.0, 2),
        (5.0, None, 1),
        (None, 5.0, 2),
        (None, None, None),
    ],
)
def test_merge_keeps_the_longer_vacation_else_the_accounts(database, guests, others, kept):
    def work(connection):
        guest, other, third = three(connection)
        for used, who, ends_at in ((1, guest, guests), (2, other, others), (3, third, 7.0)):
            if ends_at is not None:
                row(connection, of["vacations"], player_id=who, used=used, ends_at=ends_at)
        merge_queries.carry(connection, guest, other, NO_KEY)
        its = vacation_queries.vacation(connection, other)
        assert (its and its.used) == kept
        assert vacation_queries.vacation(connection, third).used == 3
        assert vacation_queries.vacation(connection, guest) is None

    database.write(work)


def test_session_keeps_its_first_device_and_latest_day(database):
    def work(connection):
        (who, *_) = three(connection)
        row(connection, of["keys"], key_hash="key", player_id=who, device="", seen_day=5)
        session_queries.seen(connection, "gone", 9, "Firefox")
        assert found(connection, of["keys"].c.seen_day, of["keys"].c.device) == [(5, "")]
        session_queries.seen(connection, "key", 4, "Firefox")
        assert found(connection, of["keys"].c.device) == [("Firefox",)]
        session_queries.seen(connection, "key", 9, "Safari")
        assert found(connection, of["keys"].c.seen_day, of["keys"].c.device) == [(9, "Firefox")]
        session_queries.seen(connection, "key", 8, "Safari")
        assert found(connection, of["keys"].c.seen_day) == [(9,)]

    database.write(work)


def test_admitted_player_is_seated_at_that_table_only(database):
    def work(connection):
        who, other, _ = three(connection)
        one, two = a_table(connection, "1"), a_table(connection, "2")
        assert [queries.let_in(connection, who, it) for it in (one, two, one)] == [
            None,
            None,
            False,
        ]
        queries.let_in(connection, other, one)
        for _ in range(2):
            queries.sit(connection, who, one)
        sittings = of["sittings"].c
        assert found(connection, sittings.player_id, sittings.table_id, sittings.sat) == [
            (who, one, True), (who, two, False), (other, one, False),
        ]  # fmt: skip
        assert queries.let_in(connection, who, one) is True
        assert queries.sits_anywhere(connection, who)
        assert not queries.sits_anywhere(connection, other)
        queries.let_look(connection, who, one)
        assert not queries.sits_anywhere(connection, who)

    database.write(work)


def test_player_enters_a_tournament_once(database):
    def work(connection):
        one, two, three_ = three(connection)
        cups = [row(connection, of["tournaments"], it, host_id=one) for it in "ab"]
        for cup in cups:
            row(connection, of["entrants"], "1", tournament_id=cup, number=1, player_id=one)
        row(connection, of["entrants"], "2", tournament_id=cups[0], number=2, player_id=two)
        pod = row(connection, of["pods"], tournament_id=cups[0])
        row(connection, of["pods"], tournament_id=cups[1])
        entrants = of["entrants"].c
        tournaments.carry(connection, pod, 1, two)
        entered = [(cups[0], 1, one), (cups[0], 2, two), (cups[1], 1, one)]
        asked = entrants.tournament_id, entrants.number, entrants.player_id
        assert found(connection, *asked) == entered
        tournaments.carry(connection, pod, 1, three_)
        assert found(connection, *asked) == [(cups[0], 1, three_), *entered[1:]]

    database.write(work)


def test_closing_a_report_leaves_the_others_open(database):
    def work(connection):
        by, about, _ = three(connection)
        numbers = [
            row(connection, of["reports"], str(it), by_id=by, about_id=about, closed=False)
            for it in range(2)
        ]
        assert friends.close_report(connection, numbers[0])
        assert found(connection, of["reports"].c.id, of["reports"].c.closed) == [
            (numbers[0], True), (numbers[1], False),
        ]  # fmt: skip
        assert not friends.close_report(connection, numbers[1] + 9)

    database.write(work)


def test_club_without_officers_is_led_by_its_longest_member(database):
    def work(connection):
        them = three(connection)
        club = row(connection, of["clubs"])
        standings = (Standing.ASKED, Standing.MEMBER, Standing.MEMBER)
        for since, (who, standing) in enumerate(zip(them, standings, strict=True)):
            clubs.put(connection, club, who, standing, "", float(since))
        clubs.keep_led(connection, club)
        led = [Standing.ASKED, Standing.OFFICER, Standing.MEMBER]
        assert [it.standing for it in clubs.members_of(connection, club)] == led
        clubs.keep_led(connection, club)
        assert [it.standing for it in clubs.members_of(connection, club)] == led
        clubs.change_member(connection, club, them[1], standing=Standing.MEMBER)
        clubs.change_member(connection, club, them[2], standing=Standing.OFFICER)
        clubs.keep_led(connection, club)
        assert clubs.standing(connection, club, them[1]) == Standing.MEMBER
        for who in them[1:]:
            clubs.drop(connection, club, who)
        clubs.keep_led(connection, club)
        assert found(connection, of["clubs"].c.id) == [], "a query alone leads to no page"

    database.write(work)


@pytest.mark.parametrize(
    ("kind", "about"), [(ZeroDivisionError, ()), (OSError, (28, "full")), (OSError, (5, "x", "y"))]
)
def test_failed_backup_reports_why_and_leaves_nothing(database, tmp_path, monkeypatch, kind, about):
    error = kind(*about)
    monkeypatch.setattr(backup, "AT_ONCE", 1)
    database.write(three)

    def fails(rows):
        raise error

    file = tmp_path / "kaboom.gz"
    with pytest.raises(kind) as told:
        backup.save(database, file, fails)
    assert told.value is error
    assert list(tmp_path.glob("*.gz*")) == []
    if kind is OSError:
        assert error.filename == ("y" if error.errno == 5 else str(file))
