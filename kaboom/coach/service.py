"""Requests for coaching and their progress, for the players of a match only."""

from dataclasses import dataclass

from sqlalchemy import Connection

from kaboom.accounts import player_queries
from kaboom.coach import queries
from kaboom.coach.judged_decision import Judged, average
from kaboom.coach.queries import Coaching, Cost
from kaboom.engine.i18n import gettext as _
from kaboom.engine.moves import Seat
from kaboom.errors import InvalidState, NotPermitted, RateLimited
from kaboom.records.access import RecordNotFound
from kaboom.records.queries import match_by_code
from kaboom.records.replay import Replay
from kaboom.records.service import Around
from kaboom.tables.service import TableService

MOST_WAITING = 200  # jobs, of all players


@dataclass(frozen=True, slots=True)
class Coached:
    """The coaching of a match, with the costs of the player's earlier matches of the same game.

    `coaching` is None if it was not requested. `ahead` is the number of earlier jobs.
    """

    coaching: Coaching | None
    costs: tuple[Cost, ...] = ()
    ahead: int = 0

    @property
    def judged(self) -> list[Judged]:
        """Return the decisions judged so far."""
        return (self.coaching and self.coaching.judged) or []

    @property
    def working(self) -> bool:
        """Return True while the job is unfinished."""
        return self.coaching is not None and self.coaching.ended_at is None

    @property
    def done(self) -> bool:
        """Return True if everything is judged."""
        it = self.coaching
        return bool(it and it.ended_at is not None and not it.given_up and it.judged is not None)

    @property
    def mistakes(self) -> list[int]:
        """Return the indexes of the mistakes, most costly first."""
        found = [place for place, it in enumerate(self.judged) if it.is_mistake]
        return sorted(found, key=lambda place: (-self.judged[place].cost, place))

    @property
    def average(self) -> float | None:
        """Return the mean cost of a decision, or None."""
        return average(self.judged)


def seat_of(replay: Replay, around: Around) -> Seat:
    """Return the seat for which the requester may have a match coached.

    Raises NotPermitted for anyone but its players, RecordNotFound while its deal is still being
    played at another table, or InvalidState if the match cannot be judged.
    """
    if around.seat is None:
        raise NotPermitted(_("Only players in this match can do that."))
    if around.own is not None:
        raise RecordNotFound(_("This deal is still being played at other tables."))
    if replay.game.bot is None:
        raise InvalidState(_("This match cannot be coached: its game has no bot to judge it."))
    if not replay.is_genuine:
        raise InvalidState(_("This match cannot be coached: its record has errors."))
    return around.seat


def find(tables: TableService, code: str, game: str, key_hash: str) -> Coached:
    """Return the coaching of a match for the player with that session key."""

    def work(connection: Connection) -> Coached:
        match, player = match_by_code(connection, code), player_queries.player(connection, key_hash)
        if match is None or player is None:
            return Coached(None)
        found = queries.coaching(connection, match.id, player[0])
        costs = tuple(queries.average_costs(connection, player[0], game))
        waits = found is not None and found.ended_at is None
        ahead = queries.ahead(connection, found.asked_at) if found and waits else 0
        return Coached(found, costs, ahead)

    return tables.database.read(work)


def ask(tables: TableService, code: str, seat: Seat, key_hash: str) -> None:
    """Request coaching of a match; a second request has no effect unless the job has failed.

    Raises RateLimited while too many jobs wait.
    """
    now = tables.now()

    def work(connection: Connection) -> None:
        match, player = match_by_code(connection, code), player_queries.player(connection, key_hash)
        assert match is not None
        assert player is not None
        if queries.waiting(connection) >= MOST_WAITING:
            raise RateLimited(_("Too many matches are being coached right now. Try again later."))
        queries.ask(connection, match.id, player[0], seat, now)

    tables.database.write(work)
