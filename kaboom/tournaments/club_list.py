"""The list of a club's tournaments, for the club's page and API (kaboom.social.clubs)."""

from kaboom.social.clubs.tournaments import ClubTournament
from kaboom.tables.service import TableService
from kaboom.tournaments.cache import TournamentSnapshot
from kaboom.tournaments.service import of_club
from kaboom.web.times import span


def listed(tables: TableService, code: str, key_hash: str) -> list[ClubTournament]:
    """Return a club's tournaments that have not ended, as a member sees them."""
    return [
        ClubTournament(
            it.code, it.of.settings.name, it.game.key, it.game.name, _begins_in(it, tables.now())
        )
        for it in of_club(tables, code, key_hash)
    ]


def _begins_in(seen: TournamentSnapshot, now: float) -> str:
    """Return the time until a tournament begins automatically, in words; empty if it does not, or
    has begun.
    """
    left = seen.of.settings.begins_at - seen.table_time(now)
    return span(left) if left > 0 and not seen.of.begun and not seen.of.check_in_until else ""
