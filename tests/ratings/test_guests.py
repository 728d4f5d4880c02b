"""Guests can be rated, and the limits of that (docs/decisions/0022)."""

from sqlalchemy import func, select

from kaboom.accounts.models import accounts
from kaboom.ratings.openskill import Rating, is_provisional, rated
from tests.ratings.test_service import begun, known
from tests.support.finished_matches import finish


def test_ratings_need_no_account(open_tables, sqlite_url):
    tables = open_tables(sqlite_url)
    code, ids = begun(tables, "Ann", "Ben")
    finish(tables, code)
    assert {it.played for it in known(tables, ids).values()} == {1}
    assert not tables.database.read(
        lambda c: c.execute(select(func.count(accounts.c.player_id))).scalar()
    )


def test_wins_over_100_guests_gain_more_than_over_one_friend():
    ann = against_friend = friend = Rating()
    sure = 0
    for number in range(1, 101):
        ann = rated([ann, Rating()], [1, 2])[0]
        against_friend, friend = rated([against_friend, friend], [1, 2], number)
        sure = sure or (not is_provisional(ann, number) and number)
    assert (ann.points, sure, against_friend.points) == (2838, 62, 1551)
