"""Playing the same deal again with the same people and bots: who may propose it, and how it begins.

The next match of a table has the seed and cuts of an earlier one, with the seats as they were or
moved on by one. It continues that match from its deal (kaboom.engine.continued_match), so it is
not rated and not counted.
"""

from collections.abc import Mapping, Sequence

from msgspec import UNSET

from kaboom.engine.codec import from_json
from kaboom.engine.continued_match import Origin
from kaboom.engine.i18n import gettext as _
from kaboom.engine.moves import Seat
from kaboom.errors import InvalidState, NotPermitted
from kaboom.tables import match_queries, queries
from kaboom.tables.change import TableChange
from kaboom.tables.match_record import DEEPEST
from kaboom.tables.permissions import require_no_match, require_players_table, require_seat
from kaboom.tables.queries import MatchRow
from kaboom.tables.table import Occupant, SameDeal, Table


def propose(change: TableChange, record: str, player: int, moved: bool) -> None:
    """Propose the deal of an earlier match at this table, named by the code of its record; the
    other players must be ready again.

    Raises NotPermitted for people who did not play in it, InvalidState if it cannot be dealt.
    """
    table = change.table
    seat = require_seat(table, player)
    require_players_table(table)
    require_no_match(table)
    match_id = match_queries.recorded_at(change.connection, change.row.id, record)
    players = {} if match_id is None else match_queries.players_of(change.connection, match_id)
    if match_id is None or player not in players.values():
        raise NotPermitted(_("Only players in this match can do that."))
    if _seating(change, queries.match(change.connection, match_id), players) is None:
        raise InvalidState(
            _("That needs the same people, or bots in their place, and the same options.")
        )
    by = table.occupant(seat)
    table.same_deal = wish = SameDeal(match_id, by.name, moved)
    for _unused, occupant in table.sitting():
        occupant.ready = occupant.bot
    change.tell(wish.kind, who=by.name)


def withdraw(change: TableChange, player: int) -> None:
    """Withdraw the proposal on behalf of a player at the table, so that a new deal follows."""
    table = change.table
    by = table.occupant(require_seat(table, player))
    require_no_match(table)
    if table.same_deal is not None:
        table.same_deal = None
        change.tell("table.new_deal", who=by.name)


def agreed(change: TableChange) -> tuple[Origin | None, bool]:
    """Seat the players for the proposed deal; return it as an origin, and whether its match is
    hidden. The origin is None if the players or the options have changed: a new deal follows.
    """
    table, wish = change.table, change.table.same_deal
    assert wish is not None
    match = queries.match(change.connection, wish.match_id)
    chairs = _seating(change, match, match_queries.players_of(change.connection, wish.match_id))
    if chairs is None or match is None:
        return None, False
    if wish.moved:
        chairs = [chairs[-1], *chairs[:-1]]
    table.chairs = [*chairs, *([None] * (len(table.chairs) - len(chairs)))]
    return _origin(match), match.hidden


def _seating(
    change: TableChange, match: MatchRow | None, players: Mapping[Seat, int]
) -> Sequence[Occupant] | None:
    """Return the occupants in the seats they had in a match, or None if the people or the rules
    have changed. Bots may differ.
    """
    table = change.table
    if match is None or match.ended_at is None or match.board:
        return None
    same_rules = match.game == change.game.key and match.game_version == change.game.version
    if not same_rules or match.options.encode() != bytes(table.options) or match.digest is None:
        return None
    if match.origin is not None and match.origin.depth >= DEEPEST:
        return None
    return _placed(table, players, len(from_json(match.names, list)))


def _placed(table: Table, players: Mapping[Seat, int], seats: int) -> Sequence[Occupant] | None:
    """Return the occupants in the seats of these players, with bots in the remaining seats. None if
    other people sit here, or the number of seats differs.
    """
    taken = [occupant for _unused, occupant in table.sitting()]
    bots = [occupant for occupant in taken if occupant.bot]
    people = {occupant.player: occupant for occupant in taken if not occupant.bot}
    if len(taken) != seats or not people.keys() <= {*players.values()}:
        return None
    return [people.get(players.get(seat)) or bots.pop(0) for seat in range(seats)]


def _origin(match: MatchRow) -> Origin:
    """Return the deal of a match as an origin. A deal that has been repeated before has the origin
    of its first match.
    """
    before = match.origin
    if before is not None and before.as_it_was and before.step == 0:
        return before
    assert match.digest is not None
    return Origin(
        code=match.code,
        digest=match.digest,
        step=0,
        seat=0,
        as_it_was=True,
        seed=match.seed.hex(),
        cuts=from_json(match.cuts, list),
        board=False,
        moves=[],
        origin=UNSET if before is None else before,
    )
