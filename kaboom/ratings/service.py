"""Which matches are rated, how they change ratings, and who stays to the end of matches.

A match is rated if at least two players are at the table, all of them want it to be, and none of
them is a bot. Tournaments, shared or repeated deals, continued matches, and tables at which all may
ask for hints are not rated. Before the deal, the table shows whether it is rated. A player who has
left by the end, or whose seat a bot plays then, is last. `rating_steps` has the effects of all
matches in order; adding them up again gives exactly the same ratings.
"""

from collections.abc import Iterable, Iterator, Sequence

from sqlalchemy import Connection

from kaboom.db.times import DAY
from kaboom.engine.i18n import gettext_noop as N_
from kaboom.engine.moves import Seat
from kaboom.engine.views import Outcome
from kaboom.games import GAMES
from kaboom.ratings import queries as store
from kaboom.ratings.openskill import Rating, after_days, rated
from kaboom.ratings.queries import RatingRow, StepRow
from kaboom.tables import hooks
from kaboom.tables.access.reliability import LAST, manner
from kaboom.tables.change import TableChange
from kaboom.tables.table import Hints, Occupant, Table

LATELY = 30  # days in which matches of the same people are counted


def pool_of(game: str, days: int) -> str:
    """Return the rating pool for a game; correspondence games have their own pool."""
    return f"{game} days" if days else game


def pools() -> list[str]:
    """Return the rating pools: one for each game, and one for its correspondence matches."""
    return [pool_of(game, days) for game in GAMES for days in (0, 1)]


# Before a match


def counts(table: Table) -> bool:
    """Return True if the next match at a table will be rated."""
    chairs = [occupant for _, occupant in table.sitting()]
    wanted = len(chairs) > 1 and all(
        occupant.counts and not occupant.program for occupant in chairs
    )
    goes_on = table.origin if table.playing else table.same_deal
    return wanted and not (table.board or table.pod or goes_on) and table.hints != Hints.ALL


def rated_sentence(table: Table) -> str:
    """Return the English sentence that says whether the next match is rated, or why not; empty if
    no player there wants it to be, or in a tournament or a shared deal.
    """
    people = [occupant for _, occupant in table.sitting() if not occupant.bot]
    if counts(table):
        return N_("This match is rated.")
    if table.board or table.pod or not any(occupant.counts for occupant in people):
        return ""
    if table.same_deal:
        return N_("Playing the same deal again is not rated.")
    if len(people) < 2:
        return N_("Only matches of two or more people are rated.")
    if len(people) < len(table.sitting()) or any(occupant.program for occupant in people):
        return N_("With a bot at the table, this match is not rated.")
    if table.hints == Hints.ALL:
        return N_("When all players may ask for hints, matches are not rated.")
    return N_("Not all players want rated matches, so this one is not rated.")


def introduce(connection: Connection, occupant: Occupant) -> None:
    """Copy onto the seat what others may know of its player: their rating settings, reliability
    label and whatever other rooms add.
    """
    if occupant.player is None:
        return
    occupant.counts = store.wish(connection, occupant.player).counts
    occupant.manner = manner(store.stays(connection, occupant.player, LAST))
    for tell in hooks.before_sitting:
        tell(connection, occupant)


def agree(change: TableChange) -> None:
    """Mark the match that is beginning as rated, if it is, and announce that."""
    table = change.table
    table.rated = counts(table)
    if table.rated:
        change.tell("table.rated")


# After a match


def note_who_left(change: TableChange, outcome: Outcome) -> None:
    """Record the players who did not stay to the end of a match, rated or not: those who had left,
    whose seat a bot plays, or who did not agree when the others ended it.
    """
    for seat in {*gone(change.table), *change.ended_without}:
        store.note_gone(change.connection, change.table.match_id, seat)


def gone(table: Table) -> list[Seat]:
    """Return the seats of people who have left or whose seat a bot plays."""
    return [
        seat
        for seat, occupant in table.sitting()
        if not occupant.bot and (not occupant.present or occupant.stand_in)
    ]


def places_with_leavers_last(places: Sequence[int], left: Iterable[Seat]) -> list[int]:
    """Return the places that count: players who have left share the last one."""
    away = {*left}
    order = [(seat in away, 0 if seat in away else place) for seat, place in enumerate(places)]
    return [1 + sum(other < mine for other in order) for mine in order]


def rate_if_it_counts(change: TableChange, outcome: Outcome) -> None:
    """Update the ratings of a match's players, if it is rated."""
    table = change.table
    if table.rated:
        kept = pool_of(change.game.key, table.days)
        rate(change.connection, table.match_id, kept, table, outcome, change.now)


def rate(
    connection: Connection, match_id: int, game: str, table: Table, outcome: Outcome, now: float
) -> None:
    """Update the ratings of the players of a finished match.

    A match that was stopped changes no rating, nor does one that every player has left.
    """
    away = gone(table)
    players = [occupant.player for _, occupant in table.sitting() if occupant.player is not None]
    if outcome.reason == "stopped" or len(away) == len(players):
        return
    store.hold(connection, players)
    known = store.of_game(connection, players, game)
    day = int(now // DAY)
    circle, since = frozenset(players), day - LATELY
    nth = 1 + store.circles(connection, players[0], game, since).count(circle)
    places = places_with_leavers_last(outcome.places, away)
    before = [known.get(player) for player in players]
    done = list(_moved(before, players, game, places, nth, day))
    for row in done:
        store.save(connection, row)
    store.add_steps(
        connection,
        [
            StepRow(0, match_id, seat, game, row.player_id, day, place, nth, row.mu, row.sigma)
            for seat, (row, place) in enumerate(zip(done, places, strict=True))
        ],
    )


def _moved(
    before: Sequence[RatingRow | None],
    players: Sequence[int],
    game: str,
    places: Sequence[int],
    nth: int,
    day: int,
) -> Iterator[RatingRow]:
    """Yield the ratings after a match, in seat order; `before` has None for an unrated player."""
    aged = [
        Rating() if row is None else after_days(Rating(row.mu, row.sigma), day - row.last_day)
        for row in before
    ]
    after = rated(aged, places, nth)
    for row, player, rating in zip(before, players, after, strict=True):
        played, last = (row.played, row.last_day) if row else (0, day)
        yield RatingRow(player, game, rating.mu, rating.sigma, played + 1, max(day, last))


# Recomputing all ratings


def folded(steps: Iterable[StepRow]) -> tuple[dict[int, RatingRow], list[StepRow]]:
    """Return the ratings computed from these steps, by player, and the corrected steps.

    `steps` are of one game, in order. Their results, and how often the same people had met, are
    recomputed.
    """
    known: dict[int, RatingRow] = {}
    past: dict[frozenset[int], list[int]] = {}
    right: list[StepRow] = []
    # Steps of a match are adjacent, unless an unrelated match ended at the same moment.
    matches: dict[int, list[StepRow]] = {}
    for step in steps:
        matches.setdefault(step.match_id, []).append(step)
    for rows in matches.values():
        rows.sort(key=lambda row: row.seat)
        players, day = [row.who for row in rows], rows[0].day
        days = past.setdefault(frozenset(players), [])
        nth = 1 + sum(day - LATELY <= other for other in days)
        days.append(day)
        places = [row.place for row in rows]
        before = [known.get(player) for player in players]
        for row, now in zip(
            rows, _moved(before, players, rows[0].game, places, nth, day), strict=True
        ):
            known[now.player_id] = now
            right.append(row._replace(nth=nth, mu=now.mu, sigma=now.sigma))
    return known, right
