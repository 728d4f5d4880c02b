"""No match of a tournament counts for ratings, whatever those who play it want."""

from kaboom.lobby import seat_transfer
from kaboom.ratings import leaderboards
from kaboom.ratings import service as ratings
from kaboom.ratings.queries import FRIENDS
from kaboom.tournaments import organizer
from tests.support.tournaments import all_ready, opened, players, pods, settled


def test_a_match_of_a_tournament_does_not_count_though_seats_were_carried(open_tables, sqlite_url):
    """Whoever takes a seat over is asked how they are rated, as at any table."""
    tables = open_tables(sqlite_url)
    code, ids = opened(tables, "Ann", "Ben")
    organizer.begin(tables, code, ids[0])
    settled(tables, code)
    ((_, table, _),) = pods(tables, code)
    for name, player in zip(("Anna", "Benny"), ids, strict=True):
        players(tables, name)
        leaderboards.want(tables, f"key of {name}", True, FRIENDS)
        secret = seat_transfer.new_pass(tables, table, player)
        seat_transfer.use_pass(tables, table, secret, f"key of {name}")
    found = tables.look(table).table
    assert all(chair.counts for _, chair in found.sitting())
    assert not ratings.counts(found) and ratings.said_before(found) == ""
    all_ready(tables, code)
    settled(tables, code)
    assert tables.look(table).table.playing and not tables.look(table).table.rated
