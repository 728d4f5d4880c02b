"""The results of oneself, one's friends and one's clubs: who came where, on which day.

Others are named only if they let friends and clubs see their results. A record is linked only if
nobody in it goes unnamed, or the reader played: its page names all of them.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import Connection

from kaboom.accounts import player_queries
from kaboom.accounts import queries as accounts
from kaboom.accounts.credentials import known
from kaboom.db.encryption import hash_of, seal_of_store
from kaboom.db.ids import new_secret
from kaboom.db.times import DAY
from kaboom.engine.codec import from_json
from kaboom.engine.i18n import spoken_now
from kaboom.notifications import channel_queries
from kaboom.records import feed_queries as store
from kaboom.records.feed_queries import ResultRow, SeatRow
from kaboom.tables.service import Tables

MOST = 200  # entries
DAYS = 60


@dataclass(frozen=True, slots=True)
class Place:
    """Somebody who is named in a result, and the place they came in (None: nobody won)."""

    name: str
    place: int | None
    me: bool


@dataclass(frozen=True, slots=True)
class Result:
    """A finished match in a reader's feed."""

    id: int  # never leaves the server
    game: str
    day: float  # it ended on: midnight, in seconds since 1970
    named: Sequence[Place]  # the first place first
    others: int  # people without a name here
    bots: int
    code: str  # of its record; empty: not for the reader


@dataclass(frozen=True, slots=True)
class Feed:
    """A player's feed, and how it is set."""

    results: Sequence[Result]
    shares: bool  # friends and clubs see the player's own results
    address: bool  # there is a secret address


def feed_of(tables: Tables, key_hash: str) -> Feed | None:
    """Return the feed of the player with that key; None for nobody's key."""

    def work(connection: Connection) -> Feed | None:
        player = player_queries.player(connection, key_hash)
        if player is None:
            return None
        return Feed(
            _results(connection, player[0], tables.now()),
            store.shares(connection, player[0]),
            store.has_address(connection, player[0]),
        )

    return tables.database.read(work)


def feed_at(tables: Tables, secret: str) -> tuple[Sequence[tuple[str, Result]], str] | None:
    """Return the results found under a secret address, each with a mark that identifies it and
    tells nothing, and its owner's language.
    """

    def work(connection: Connection) -> tuple[Sequence[tuple[str, Result]], str] | None:
        owner = store.owner(connection, hash_of(secret))
        if owner is None:
            return None
        me, language = owner
        seal = seal_of_store(connection)
        results = _results(connection, me, tables.now())
        return [(seal.mark(f"{me} {it.id}", "result")[:16], it) for it in results], language

    return tables.database.read(work)


def _results(connection: Connection, me: int, now: float) -> list[Result]:
    rows = store.results(connection, me, now - DAYS * DAY, now, MOST)
    people: dict[int, list[SeatRow]] = {}
    for it in store.seats(connection, me, [row.id for row in rows]):
        people.setdefault(it.match_id, []).append(it)
    return [_result(row, people.get(row.id, ())) for row in rows]


def _result(row: ResultRow, seats: Sequence[SeatRow]) -> Result:
    names: list[str] = from_json(row.names, list)
    levels: list[str] = from_json(row.levels, list) or [""] * len(names)
    bots = sum(level != "" for level in levels)
    named = [Place(names[it.seat], it.place, it.me) for it in seats if it.named]
    others = len(names) - bots - len(named)
    mine = any(it.me for it in seats)
    return Result(
        row.id,
        row.game,
        row.ended_at - row.ended_at % DAY,
        sorted(named, key=lambda it: (it.place is None, it.place or 0, not it.me, it.name)),
        others,
        bots,
        row.code if mine or not others else "",
    )


def share(tables: Tables, key_hash: str, shares: bool) -> None:
    """Let friends and clubs see one's results, or not. Raises NotPermitted."""

    def work(connection: Connection) -> None:
        accounts.change(connection, known(connection, key_hash), tables.now(), shares=shares)

    tables.database.write(work)


def new_address(tables: Tables, key_hash: str, wanted: bool) -> str:
    """Give one's feed a new secret address, or none any more; return the secret, which is shown
    only now. Raises NotPermitted.
    """
    secret = new_secret() if wanted else ""

    def work(connection: Connection) -> None:
        kept = hash_of(secret) if wanted else None
        language = {"language": spoken_now().code} if wanted else {}
        channel_queries.wish(connection, known(connection, key_hash), results_hash=kept, **language)

    tables.database.write(work)
    return secret
