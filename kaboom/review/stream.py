"""The event stream of a review: the leader's place ("step 41, eyes 2") and a number for other
changes.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from flask import Response, current_app
from sqlalchemy import Connection

from kaboom.accounts import player_queries
from kaboom.accounts.api_keys import service as api_keys
from kaboom.engine.codec import to_json
from kaboom.realtime.hub import Hub, TooManyStreams
from kaboom.realtime.presence import Presence
from kaboom.realtime.stream import Look, rendering
from kaboom.realtime.stream import events as stream
from kaboom.records import queries as records
from kaboom.records.access import RecordNotFound, sight_of
from kaboom.review import service
from kaboom.review.pages import match_here
from kaboom.review.routes import bp
from kaboom.review.service import Glance, ReviewNotFound, topic_of
from kaboom.social.chat.room import presence
from kaboom.tables.context import tables
from kaboom.tables.service import TableService
from kaboom.web import rate_limits
from kaboom.web.session import bearer, key_hash, shown_key


@dataclass(frozen=True, slots=True)
class Watcher:
    """The subscriber of a stream, with the API key it was opened with, if any."""

    key: str
    shown: str
    match: str
    review: str


@bp.get("/m/<code>/review/<review>/events")
def events(code: str, review: str) -> Response:
    """Stream the leader's place, now and after each change, and notify the client of other
    changes.
    """
    page = match_here(code)
    watcher = Watcher(key_hash(), shown_key() if bearer() else "", page.code, review)
    topic, looks = topic_of(review), partial(_seen_by, tables(), presence())

    def first() -> Look:
        (look,) = looks(topic, [watcher])
        if look is None:
            raise ReviewNotFound
        return look

    hub: Hub = current_app.extensions["kaboom.hub"]
    try:
        return stream(
            hub,
            topic,
            watcher,
            looks,
            first,
            browser="" if watcher.shown else watcher.key,
            program=watcher.shown,
            address=rate_limits.stream_address(),
            shape=rendering("place"),
        )
    except TooManyStreams:
        return Response("Too many streams.", 503, {"Retry-After": "30"})


def _seen_by(
    table_service: TableService, present: Presence, topic: str, watchers: Sequence[Watcher]
) -> list[Look | None]:
    """Return the data to send to each watcher; None ends that watcher's stream."""
    revoked = api_keys.revoked(table_service, {it.shown for it in watchers if it.shown})
    found = table_service.database.read(lambda c: _players(c, table_service.now(), watchers))
    for player in found:
        if player is not None:
            present.stream(topic, player)
    here = None if present.young else present.here(topic)
    players = [player or 0 for player in found]
    first = watchers[0]
    seen = table_service.database.read(
        lambda c: service.glances(c, first.review, first.match, players, here)
    )
    return [
        None if it is None or watcher.shown in revoked else _look(it)
        for it, watcher in zip(seen, watchers, strict=True)
    ]


def _players(
    connection: Connection, now: float, watchers: Sequence[Watcher]
) -> Sequence[int | None]:
    """Return the player id of each watcher, or None if that player may no longer see the match."""
    match = records.match_by_code(connection, watchers[0].match)
    found: list[int | None] = []
    for watcher in watchers:
        known = player_queries.player(connection, watcher.key)
        player = known[0] if known else None
        try:
            sight = sight_of(connection, match, player, now, host=False)
        except RecordNotFound:
            found.append(None)
        else:
            found.append(player if sight.own is None else None)
    return found


def _look(it: Glance) -> Look:
    place = to_json({"step": it.place.step, "eyes": it.place.eyes})
    return Look(it.version, it.fingerprint, 0.0, lambda: place)
