"""Tournament matches do not count for ratings, whatever the players' settings."""

from kaboom.lobby.seat_transfer import service as seat_transfer
from kaboom.ratings import leaderboards
from kaboom.ratings import service as ratings
from kaboom.ratings.queries import FRIENDS
from kaboom.tournaments import organizer
from tests.support.tournaments import all_ready, opened, players, pods, settled


def test_tournament_match_is_unrated_despite_transferred_seats(open_tables, sqlite_url):
    """A player who takes over a seat chooses whether it counts for ratings, as at any table."""
    tables = open_tables(sqlite_url)
    code, ids = opened(tables, "Ann", "Ben")
    organizer.begin(tables, code, ids[0])
    settled(tables, code)
    ((_, table, _),) = pods(tables, code)
    for name, player in zip(("Anna", "Benny"), ids, strict=True):
        players(tables, name)
        leaderboards.want(tables, f"key of {name}", True, FRIENDS)
        secret = seat_transfer.new_transfer(tables, table, player)
        seat_transfer.use_transfer(tables, table, secret, f"key of {name}")
    found = tables.get(table).table
    assert all(occupant.counts for _, occupant in found.sitting())
    assert not ratings.counts(found) and ratings.rated_sentence(found) == ""
    all_ready(tables, code)
    settled(tables, code)
    assert tables.get(table).table.playing and not tables.get(table).table.rated
