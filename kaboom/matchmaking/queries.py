"""SQL statements for waiting players, alerts and waiting times."""

from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

from sqlalchemy import Connection, bindparam, delete, insert, or_, select, update

from kaboom.accounts.models import players
from kaboom.matchmaking.models import match_alerts, match_requests, match_waits
from kaboom.social.friends.models import blocks


class RequestRow(NamedTuple):
    """A waiting player, or one seated at the table `code` (kaboom.matchmaking.models)."""

    player_id: int
    name: str
    game: str
    days: int
    rated: bool | None
    since: float
    seen_at: float
    bots_at: float | None
    code: str | None


class AlertRow(NamedTuple):
    """A player who is to be notified when another player is waiting."""

    player_id: int
    game: str
    days: int
    rated: bool | None
    until: float
    sent_at: float


_player: Any = bindparam("player")
_ids: Any = bindparam("ids", expanding=True)
_requests = select(*(match_requests.c[name] for name in RequestRow._fields))
_request = _requests.where(match_requests.c.player_id == _player)
_request_for_update = _request.with_for_update()
_fresh = (
    _requests.where(
        match_requests.c.code.is_(None),
        match_requests.c.seen_at > bindparam("heard_since"),
    )
    .order_by(match_requests.c.since, match_requests.c.player_id)
    .limit(bindparam("most"))
)
_waiting_for_update = (
    _requests.where(match_requests.c.player_id.in_(_ids), match_requests.c.code.is_(None))
    .order_by(match_requests.c.player_id)
    .with_for_update()
)
_drop = delete(match_requests).where(match_requests.c.player_id == _player)
_leave = _drop.where(match_requests.c.code.is_(None))
_beat = (
    update(match_requests)
    .where(match_requests.c.player_id == bindparam("whose"))
    .values(seen_at=bindparam("at"))
)
_agree = (
    update(match_requests)
    .where(match_requests.c.player_id == bindparam("whose"), match_requests.c.bots_at.is_(None))
    .values(bots_at=bindparam("at"))
)
_seat = (
    update(match_requests)
    .where(match_requests.c.player_id.in_(_ids))
    .values(code=bindparam("at_table"), seen_at=bindparam("at"))
)
_old_requests = delete(match_requests).where(match_requests.c.seen_at <= bindparam("until"))
_blocks = select(blocks.c.from_id, blocks.c.to_id).where(
    blocks.c.from_id.in_(_ids), blocks.c.to_id.in_(_ids)
)
_hold_player = (
    select(players.c.id)
    .where(players.c.id == _player)
    .with_for_update(key_share=True)  # rows that refer to the player can still be added meanwhile
)
_alert = select(*(match_alerts.c[name] for name in AlertRow._fields))
_alert_of = _alert.where(match_alerts.c.player_id == _player)
_alerts = (
    _alert.where(
        match_alerts.c.until > bindparam("now"),
        match_alerts.c.sent_at <= bindparam("sent_before"),
        match_alerts.c.days == bindparam("at_pace"),
        match_alerts.c.player_id != _player,
        or_(
            bindparam("of_game") == "",
            match_alerts.c.game == "",
            match_alerts.c.game == bindparam("of_game"),
        ),
    )
    .order_by(match_alerts.c.sent_at, match_alerts.c.player_id)
    .limit(bindparam("most"))
)
_drop_alert = delete(match_alerts).where(match_alerts.c.player_id == _player)
_note_alerts = (
    update(match_alerts).where(match_alerts.c.player_id.in_(_ids)).values(sent_at=bindparam("at"))
)
_old_alerts = delete(match_alerts).where(match_alerts.c.until <= bindparam("until"))
_waits = (
    select(match_waits.c.seconds)
    .where(match_waits.c.game == bindparam("of_game"), match_waits.c.days == bindparam("at_pace"))
    .order_by(match_waits.c.at.desc())
    .limit(bindparam("most"))
)
_old_waits = delete(match_waits).where(match_waits.c.at <= bindparam("until"))


def request(connection: Connection, player: int, lock: bool = False) -> RequestRow | None:
    """Return a player's request, or None; with `lock`, lock its row until the transaction ends."""
    statement = _request_for_update if lock else _request
    row = connection.execute(statement, {"player": player}).first()
    return None if row is None else RequestRow(*row)


def fresh(connection: Connection, now: float, heard: float, most: int) -> list[RequestRow]:
    """Return the requests active in the last `heard` seconds, longest wait first."""
    values = {"heard_since": now - heard, "most": most}
    return [RequestRow(*row) for row in connection.execute(_fresh, values)]


def hold(connection: Connection, ids: Collection[int]) -> list[RequestRow]:
    """Lock the requests of these players, and return those of players who are still waiting."""
    found = connection.execute(_waiting_for_update, {"ids": sorted(ids)})
    return [RequestRow(*row) for row in found]


def hold_player(connection: Connection, player: int) -> None:
    """Lock a player, so that no other request of theirs begins before this transaction ends."""
    connection.execute(_hold_player, {"player": player}).all()


def put(connection: Connection, row: RequestRow) -> None:
    """Store a player's request, replacing an earlier one."""
    connection.execute(_drop, {"player": row.player_id})
    connection.execute(insert(match_requests), row._asdict())


def leave(connection: Connection, player: int) -> None:
    """Delete a player's request. A seated player stays seated."""
    connection.execute(_leave, {"player": player})


def beat(connection: Connection, player: int, now: float) -> None:
    """Record that a player's page is still open."""
    connection.execute(_beat, {"whose": player, "at": now})


def agree_to_bots(connection: Connection, player: int, now: float) -> None:
    """Record that a player accepts bots in the empty seats."""
    connection.execute(_agree, {"whose": player, "at": now})


def seat(connection: Connection, ids: Collection[int], code: str, now: float) -> None:
    """Store the table at which these players have been seated."""
    connection.execute(_seat, {"ids": list(ids), "at_table": code, "at": now})


def blocked_pairs(connection: Connection, ids: Collection[int]) -> set[frozenset[int]]:
    """Return the pairs of these players in which one has blocked the other."""
    if len(ids) < 2:
        return set()
    return {frozenset(row) for row in connection.execute(_blocks, {"ids": list(ids)})}


def alert(connection: Connection, player: int) -> AlertRow | None:
    """Return a player's alert, or None."""
    row = connection.execute(_alert_of, {"player": player}).first()
    return None if row is None else AlertRow(*row)


def alerts_for(
    connection: Connection, row: RequestRow, now: float, sent_before: float, most: int
) -> list[AlertRow]:
    """Return the alerts that match a request and have not been sent since `sent_before`."""
    values = {
        "now": now,
        "sent_before": sent_before,
        "at_pace": row.days,
        "of_game": row.game,
        "player": row.player_id,
        "most": most,
    }
    return [AlertRow(*found) for found in connection.execute(_alerts, values)]


def save_alert(connection: Connection, row: AlertRow) -> None:
    """Store a player's alert, replacing an earlier one."""
    hold_player(connection, row.player_id)
    connection.execute(_drop_alert, {"player": row.player_id})
    connection.execute(insert(match_alerts), row._asdict())


def drop_alert(connection: Connection, player: int) -> None:
    """Delete a player's alert."""
    connection.execute(_drop_alert, {"player": player})


def note_alerts(connection: Connection, ids: Collection[int], now: float) -> None:
    """Record that these players have been notified."""
    connection.execute(_note_alerts, {"ids": list(ids), "at": now})


def add_wait(connection: Connection, game: str, days: int, seconds: float, now: float) -> None:
    """Store how long a player waited until a table opened, in seconds."""
    values = {"game": game, "days": days, "seconds": seconds, "at": now}
    connection.execute(insert(match_waits), values)


def waits(connection: Connection, game: str, days: int, most: int) -> Sequence[float]:
    """Return the latest waiting times for a game at a pace, in seconds, newest first."""
    values = {"of_game": game, "at_pace": days, "most": most}
    return list(connection.execute(_waits, values).scalars())


def drop_old(connection: Connection, requests: float, alerts: float, waits: float) -> None:
    """Delete requests inactive since `requests`, alerts that ended by `alerts`, and waiting times
    from before `waits`.
    """
    connection.execute(_old_requests, {"until": requests})
    connection.execute(_old_alerts, {"until": alerts})
    connection.execute(_old_waits, {"until": waits})
