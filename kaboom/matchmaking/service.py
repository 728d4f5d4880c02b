"""Waiting for opponents. The database decides who plays whom, so any worker may handle a request.

Nothing runs in the background. The page of a waiting player repeats its request every few seconds,
and each request seats all players who can begin: one transaction removes them from the queue and
opens their table. So a player is seated only while their page is open, and no player is stranded if
a worker is killed.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

from msgspec import Raw
from sqlalchemy import Connection

from kaboom.accounts import player_queries
from kaboom.accounts import queries as accounts
from kaboom.accounts.names import told_apart
from kaboom.db.times import DAY
from kaboom.engine.codec import to_json
from kaboom.engine.game import Game
from kaboom.engine.i18n import gettext as _
from kaboom.errors import InvalidState, TableNotFound, invalid_field
from kaboom.games import GAMES
from kaboom.matchmaking import queries as store
from kaboom.matchmaking.pairing import BOTS_AFTER, Pairing, Seeker, goes_with, paired
from kaboom.matchmaking.queries import AlertRow, RequestRow
from kaboom.notifications import channel_queries as channels
from kaboom.notifications import reminder_queries
from kaboom.notifications.notification import SEEK
from kaboom.ratings import queries as ratings
from kaboom.ratings.service import introduce, pool_of
from kaboom.social.friends.queries import blocked_either_way
from kaboom.tables import create, queries
from kaboom.tables.position import Position
from kaboom.tables.seats.bots import seat_bot
from kaboom.tables.service import TableService
from kaboom.tables.snapshot import read_snapshot
from kaboom.tables.table import Occupant, Table
from kaboom.tables.transaction import TableTransaction, promise

PACES = (0, 2)  # days for each decision; 0: live play
HEARD = 12.0  # seconds after a page's last request in which its player may be seated
BEAT = 2.5  # minimum seconds between two recorded requests of a page
GONE = 600.0  # seconds without a request from the page after which its player is no longer waiting
ARRIVES = 60.0  # seconds for which a seated player who asks again is sent to that table
MOST = 200  # waiting players considered together
HOURS = (1, 2, 4, 8, 24)  # hours for which notifications can be turned on
ALERT_AGAIN = 600.0  # seconds between two notifications of one player
MOST_ALERTS = 20  # players notified about one waiting player
LAST_WAITS = 50  # latest waits from which the usual waiting time is computed
FEW_WAITS = 5
WAITS_KEPT = 30 * DAY


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a player is looking for: a game by its key (empty: any), a pace, and whether it is rated
    (None: either).
    """

    game: str = ""
    days: int = 0
    rated: bool | None = None


@dataclass(frozen=True, slots=True)
class Wait:
    """A waiting player, or one seated at the table `code`; times are in seconds."""

    wanted: Wanted
    code: str = ""
    waited: float = 0.0
    others: int = 0  # with whom they could play
    needed: int = 2  # the smallest number of players for a game that they want
    usual: float | None = None  # the usual waiting time; None: unknown
    bots: bool = False  # the player has agreed to bots in the empty seats

    @property
    def bots_offered(self) -> bool:
        """Return True if bots are now offered for the empty seats."""
        return self.waited >= BOTS_AFTER


@dataclass(frozen=True, slots=True)
class Sought:
    """A waiting player as others see them in the lobby and at /play."""

    name: str
    wanted: Wanted
    waited: float


def wanted(game: str, days: int, rated: bool | None) -> Wanted:
    """Return the request described by a form; raises InvalidFields for a game or pace that does not
    exist.
    """
    if game and game not in GAMES:
        raise invalid_field("game", _("There is no game with that name."))
    if days not in PACES:
        raise invalid_field("days", _("That choice is not available."))
    return Wanted(game, days, rated)


# Waiting


def join(tables: TableService, player: int, name: str, what: Wanted) -> Wait:
    """Add a player to the queue, and seat them at once if there are enough others.

    A player whose request is unchanged keeps their place. A player who was seated a moment ago goes
    to that table, so that one request seats a player only once.
    """
    now = tables.now()

    def add(connection: Connection) -> RequestRow:
        # 1. No other request of the player is under way.
        store.hold_player(connection, player)
        old = store.request(connection, player, lock=True)
        if old is not None and _is_arriving(connection, old, now):
            return old
        # 2. A player who is already waiting keeps their place.
        new = RequestRow(player, name, what.game, what.days, what.rated, now, now, None, None)
        if old is not None and _still_waits(old, now) and _wanted(old) == what:
            new = new._replace(since=old.since, bots_at=old.bots_at)
        store.put(connection, new)
        return new

    def seat(connection: Connection) -> RequestRow:
        # 3. A table opens if there are enough; otherwise others may want to know.
        if (code := _seat(connection, tables, row, now)) is None:
            _alert_others(connection, row, now)
        return row._replace(code=code)

    row = tables.database.write(add)
    return _told(tables, row if row.code is not None else tables.database.write(seat))


def beat(tables: TableService, player: int) -> Wait | None:
    """Record that a player's page is open, and seat the player if enough others wait.

    Returns None if the player is not waiting, or the page has been inactive for too long.
    """
    now = tables.now()
    known = tables.database.read(lambda c: store.request(c, player))
    if known is None or now - known.seen_at > GONE or not _games(_wanted(known)):
        return None
    row: RequestRow | None = known
    if known.code is None and (
        now - known.seen_at >= BEAT
        or tables.database.read(lambda c: _pairing(c, known, now))  # read without locking
    ):
        row = tables.database.write(lambda c: _beat(c, tables, player, now))
    return None if row is None else _told(tables, row)


def _beat(
    connection: Connection, tables: TableService, player: int, now: float
) -> RequestRow | None:
    row = store.request(connection, player)
    if row is None or row.code is not None:
        return row
    row = row._replace(seen_at=now)
    if (code := _seat(connection, tables, row, now)) is None:
        store.beat(connection, player, now)
    return row._replace(code=code)


def accept_bots(tables: TableService, player: int) -> Wait | None:
    """Record that a player accepts bots in the empty seats, and begin if the others who could join
    have accepted them as well, or have had time to.

    Returns None if the player is not waiting; raises InvalidState before bots are offered.
    """
    now = tables.now()

    def agree(connection: Connection) -> RequestRow | None:
        row = store.request(connection, player, lock=True)
        if row is None or now - row.seen_at > GONE:
            return None
        if row.code is None:
            if now - row.since < BOTS_AFTER:
                raise InvalidState(_("Bots are offered after 30 seconds of waiting."))
            store.agree_to_bots(connection, player, now)
        return row

    if tables.database.write(agree) is None:
        return None
    row = tables.database.write(lambda c: _beat(c, tables, player, now))
    return None if row is None else _told(tables, row)


def leave(tables: TableService, player: int) -> None:
    """Remove a player from the queue. A seated player stays seated."""
    tables.database.write(lambda c: store.leave(c, player))


def _still_waits(row: RequestRow, now: float) -> bool:
    return row.code is None and now - row.seen_at <= GONE


def _is_arriving(connection: Connection, row: RequestRow, now: float) -> bool:
    """Return True if the player was seated a moment ago and still sits there."""
    if row.code is None or now - row.seen_at > ARRIVES:
        return False
    found = queries.table(connection, row.code)
    return found is not None and row.player_id in (
        read_snapshot(connection, found).table.people().values()
    )


def _wanted(row: RequestRow | AlertRow) -> Wanted:
    return Wanted(row.game, row.days, row.rated)


def _told(tables: TableService, row: RequestRow) -> Wait:
    """Return the state of a player's request; the match of a seated player has begun by then."""
    now, what = tables.now(), _wanted(row)
    if row.code is not None:
        _begin(tables, row.code)
        return Wait(what, row.code)

    def work(connection: Connection) -> tuple[int, float | None]:
        me, others, blocks = _who(connection, row, now)
        alike = [
            other
            for other in others
            if any(goes_with(me, other, game, blocks, now) for game in me.games)
        ]
        return len(alike), usual_wait(connection, what)

    others, usual = tables.database.read(work)
    needed = min(min(_playable(game, what.days)) for game in _games(what))
    agreed = row.bots_at is not None
    return Wait(what, "", now - row.since, others, needed, usual, agreed)


def usual_wait(connection: Connection, what: Wanted) -> float | None:
    """Return the recent usual waiting time in seconds, or None if it is unknown."""
    found = [
        seconds
        for game in _games(what)
        for seconds in store.waits(connection, game, what.days, LAST_WAITS)
    ]
    return median(found) if len(found) >= FEW_WAITS else None


# Pairing


def _games(what: Wanted) -> tuple[str, ...]:
    """Return the games that a player would play, favourite first."""
    if what.game:
        return (what.game,) if what.game in GAMES else ()
    return tuple(GAMES)


def _playable(game: str, days: int) -> Sequence[int]:
    found = GAMES[game]
    return [it for it in found.playable(_options(found, days)) if it > 1]


def _options(game: Game[Any], days: int) -> Any:
    """Return a game's usual options at a pace."""
    options = game.options(**game.usual.values)
    return game.by_days(options) if days else options


def _who(
    connection: Connection, row: RequestRow, now: float
) -> tuple[Seeker, list[Seeker], set[frozenset[int]]]:
    """Return a waiting player, the others waiting at the same pace, and the pairs in which one
    blocks the other.
    """
    rows = [
        it
        for it in store.fresh(connection, now, HEARD, MOST)
        if it.days == row.days and it.player_id != row.player_id
    ]
    ids = [row.player_id, *(it.player_id for it in rows)]
    pools = {pool_of(game, row.days): game for game in _games(_wanted(row))}
    known: dict[int, dict[str, int]] = {}
    for it in ratings.of_games(connection, ids, pools) if rows else ():
        known.setdefault(it.player_id, {})[pools[it.game]] = it.mu
    blocks = store.blocked_pairs(connection, ids)
    return _seeker(row, known), [_seeker(it, known) for it in rows], blocks


def _seeker(row: RequestRow, known: dict[int, dict[str, int]]) -> Seeker:
    return Seeker(
        row.player_id,
        _games(_wanted(row)),
        row.days,
        row.rated,
        row.since,
        row.bots_at,
        known.get(row.player_id, {}),
    )


def _pairing(connection: Connection, row: RequestRow, now: float) -> Pairing | None:
    me, others, blocks = _who(connection, row, now)
    return paired(me, others, blocks, _playable, now)


def _seat(connection: Connection, tables: TableService, row: RequestRow, now: float) -> str | None:
    """Open a table for a waiting player and others if there are enough; return its code, or None.

    The rows of the players are locked first, in one order, so this transaction may not have locked
    one of them before: two that lock a row each and wait for the other's would both be cancelled.
    If a player has been seated elsewhere in the meantime, this one waits until the next request.
    """
    found = _pairing(connection, row, now)
    held = {it.player_id: it for it in store.hold(connection, found.players)} if found else {}
    if found is None or held.keys() != {*found.players}:
        # Another request may have seated this player.
        other = store.request(connection, row.player_id)
        return other and other.code
    group = [held[player] for player in found.players]
    code = _open(connection, tables, found, group, now)
    store.seat(connection, found.players, code, now)
    for it in group:
        store.add_wait(connection, found.game, found.days, now - it.since, now)
    return code


# The table


def _open(
    connection: Connection,
    tables: TableService,
    found: Pairing,
    group: Sequence[RequestRow],
    now: float,
) -> str:
    """Store a table with all its players in their seats; return its code."""
    game = GAMES[found.game]
    options, code = _options(game, found.days), tables.ids.code()
    seats = len(group) + found.bots
    table = Table(
        chairs=[None] * max(seats, game.seats(options)[-1]),
        options=Raw(to_json(options)),
        host=group[0].player_id,
        pace=tables.pace,
        days=found.days,
    )
    for seat, row in enumerate(group):
        others = [occupant.name for _unused, occupant in table.sitting()]
        occupant = Occupant(told_apart(row.name, others), row.player_id, ready=True)
        introduce(connection, occupant)
        if found.rated is not None:
            occupant.counts = found.rated  # as they requested
        table.chairs[seat] = occupant
    for seat in range(len(group), seats):
        seat_bot(table, seat)
    promise(table, tables.ids)
    table.note_views(Position(game, None))
    create.add(connection, table, code, game.key, now)
    return code


def _begin(tables: TableService, code: str) -> None:
    """Deal the match of a table that was opened by matchmaking, unless it has begun."""

    def work(transaction: TableTransaction) -> None:
        table, game = transaction.table, transaction.game
        options = table.options_of(game)
        if not table.match and len(table.sitting()) in game.playable(options):
            transaction.begin()

    try:
        if not tables.get(code).table.match:
            tables.change(code, work)
    except TableNotFound:
        return  # the table has been deleted since


# Notifications


def sought(tables: TableService, key_hash: str) -> list[Sought]:
    """Return the waiting players, except the player with that key, those whom they have blocked,
    and those who have blocked them.
    """
    now = tables.now()

    def work(connection: Connection) -> list[Sought]:
        rows = store.fresh(connection, now, HEARD, MOST)
        if not rows:
            return []
        me = player_queries.player(connection, key_hash)
        hidden = blocked_either_way(connection, me[0]) | {me[0]} if me else set()
        return [
            Sought(row.name, _wanted(row), now - row.since)
            for row in rows
            if row.player_id not in hidden and (not row.game or row.game in GAMES)
        ]

    return tables.database.read(work)


def _alert_others(connection: Connection, row: RequestRow, now: float) -> None:
    """Notify the players whose alerts match a waiting player."""
    alerts = store.alerts_for(connection, row, now, now - ALERT_AGAIN, MOST_ALERTS)
    if not alerts:
        return
    waiting = {it.player_id for it in store.fresh(connection, now, HEARD, MOST)}
    left_out = waiting | blocked_either_way(connection, row.player_id)
    told = [
        it.player_id
        for it in alerts
        if it.player_id not in left_out and (it.rated == row.rated or None in (it.rated, row.rated))
    ]
    if told:
        reminder_queries.put(connection, about(row.player_id, row.since), now, told)
        store.note_alerts(connection, told, now)


def about(player: int, since: float) -> str:
    """Return the subject of a notification about a waiting player."""
    return f"{SEEK} {player} {int(since)}"


def waits_still(tables: TableService, rest: str, reader: int) -> tuple[RequestRow, str] | None:
    """Return the waiting player named in a subject from `about`, and the reader's name; None if
    that player is no longer waiting.
    """
    found = re.fullmatch(r"(\d+) (\d+)", rest)
    if found is None:
        return None
    now = tables.now()

    def work(connection: Connection) -> tuple[RequestRow, str] | None:
        row = store.request(connection, int(found[1]))
        gone = row is None or row.code is not None or now - row.seen_at > HEARD
        if row is None or gone or int(row.since) != int(found[2]):
            return None
        if row.player_id in blocked_either_way(connection, reader):
            return None
        return row, accounts.name_of(connection, reader)

    return tables.database.read(work)


def alert_of(tables: TableService, player: int) -> tuple[AlertRow | None, bool]:
    """Return a player's alert, and whether they have a notification channel."""
    now = tables.now()

    def work(connection: Connection) -> tuple[AlertRow | None, bool]:
        row = store.alert(connection, player)
        return row if row is not None and row.until > now else None, _reachable(connection, player)

    return tables.database.read(work)


def _reachable(connection: Connection, player: int) -> bool:
    return any(
        way.checked_at is not None and way.table_id is None
        for way in channels.of_player(connection, player)
    )


def notify(tables: TableService, player: int, what: Wanted, hours: int) -> None:
    """Notify a player about waiting players for this many hours; 0 turns that off.

    Raises InvalidFields for a number of hours that is not offered, and InvalidState if the player
    has no notification channel.
    """
    if hours not in (0, *HOURS):
        raise invalid_field("hours", _("That choice is not available."))
    now = tables.now()

    def work(connection: Connection) -> None:
        if not hours:
            store.drop_alert(connection, player)
            return
        if not _reachable(connection, player):
            raise InvalidState(_("First, choose how you want to be notified."))
        until = now + hours * 3600.0
        store.save_alert(connection, AlertRow(player, what.game, what.days, what.rated, until, 0.0))

    tables.database.write(work)


def forget_old(connection: Connection, now: float) -> None:
    """Delete expired requests and alerts, and waiting times too old to be useful."""
    store.drop_old(connection, now - GONE, now, now - WAITS_KEPT)
