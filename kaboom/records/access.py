"""Access to finished matches: who may see one, and from which seat.

Matches of a shared deal are hidden while others still play it, that is, until the board is closed.
A player whose own attempt is over sees that match and those compared with it, but only from the
seat that they all played. Until the board is closed, practice matches, the seed and the file stay
hidden, and no match can be continued.
"""

from dataclasses import dataclass

from sqlalchemy import Connection

from kaboom.engine.i18n import gettext as _
from kaboom.engine.moves import Seat
from kaboom.games import GAMES
from kaboom.records import queries as records
from kaboom.social.friends import queries as friends
from kaboom.tables.queries import MatchRow
from kaboom.tables.shared_deals import queries as shared_deals
from kaboom.tables.shared_deals.service import are_strangers, is_for_one_seat


class RecordNotFound(LookupError):
    """The viewer may see no match with that code; str() is a sentence for them."""


@dataclass(frozen=True, slots=True)
class Sight:
    """What a viewer may see of a finished match.

    `seat` is their own seat, or None if they did not play. `own` is the only seat from which they
    may see it, or None if they may see it from any.
    """

    seat: Seat | None
    own: Seat | None


def sight_of(
    connection: Connection, match: MatchRow | None, player: int | None, now: float, host: bool
) -> Sight:
    """Return what a player (None: unknown), or the server's host, may see of a match. Raises
    RecordNotFound if they may not see it.
    """
    if match is None:
        raise RecordNotFound(_("There is no match with that code."))
    if match.ended_at is None:
        raise RecordNotFound(_("This match is still being played. Come back when it is over."))
    if match.game not in GAMES:
        raise RecordNotFound(_("The game of this match is no longer available."))
    seat = None if player is None else records.seat_of(connection, match.id, player)
    if match.hidden and seat is None and not host:
        raise RecordNotFound(_("The players have hidden this match."))
    board = shared_deals.board(connection, match.board) if match.board else None
    if board is None or board.is_closed(now):
        return Sight(seat, None)
    own = _own_seat(connection, match, player, seat)
    if own is None:
        raise RecordNotFound(_("This deal is still being played at other tables."))
    return Sight(seat, own)


def _own_seat(
    connection: Connection, match: MatchRow, player: int | None, seat: Seat | None
) -> Seat | None:
    """Return the only seat from which a player may see a match of a board that is not closed, or
    None if they may not see it.
    """
    tried = None if player is None else shared_deals.attempt_of(connection, match.board, player)
    if player is None or tried is None or tried.result is None:
        return None
    if seat is not None:
        return seat
    if is_for_one_seat(match.board) and _is_compared(connection, match, player):
        return records.seat_of_person(connection, match.id)
    return None


def _is_compared(connection: Connection, match: MatchRow, player: int) -> bool:
    """Return True if a match is the finished attempt of a player with whom `player` is compared by
    name: in a challenge, any participant; in a daily deal, a friend.
    """
    other = shared_deals.player_of_try(connection, match.board, match.table_id)
    if other is None:
        return False
    return not are_strangers(match.board) or friends.are_friends(connection, player, other)
