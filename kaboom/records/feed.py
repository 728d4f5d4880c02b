"""The results of a player, their friends and their clubs: finishing places and the day."""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import Connection

from kaboom.accounts import player_queries
from kaboom.accounts import queries as accounts
from kaboom.accounts.credentials import known
from kaboom.db.encryption import cipher_of_store, hash_of
from kaboom.db.ids import new_secret
from kaboom.db.times import DAY
from kaboom.engine.codec import from_json
from kaboom.engine.i18n import spoken_now
from kaboom.engine.views import Outcome
from kaboom.notifications import channel_queries
from kaboom.records import feed_queries as store
from kaboom.records.feed_queries import ResultRow, SeatRow
from kaboom.tables.service import TableService

MOST = 200  # entries
DAYS = 60


@dataclass(frozen=True, slots=True)
class Place:
    """A player named in a result, with their place (None: no winner)."""

    name: str
    place: int | None
    me: bool


@dataclass(frozen=True, slots=True)
class Score:
    """A seat of the reader's own match; `place` is None without a winner, `points` if it was
    stopped.
    """

    name: str
    place: int | None
    points: float | None
    me: bool
    level: str = ""  # of a bot


@dataclass(frozen=True, slots=True)
class Result:
    """A finished match in a reader's feed."""

    id: int  # never leaves the server
    game: str
    day: float  # midnight of the day it ended, in seconds since 1970
    named: Sequence[Place]  # in order of place
    others: int  # number of people who are not named
    bots: int
    code: str  # code of its record; empty if the reader may not see it
    scores: Sequence[Score] = ()  # of the reader's own match, in order of place


@dataclass(frozen=True, slots=True)
class Feed:
    """A player's feed and its settings."""

    results: Sequence[Result]
    shares: bool  # friends and clubs see the player's own results
    address: bool  # the feed has a secret URL


def feed_of(tables: TableService, key_hash: str) -> Feed | None:
    """Return the feed of the player with that key; None for an unknown key."""

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


def feed_at(tables: TableService, secret: str) -> tuple[Sequence[tuple[str, Result]], str] | None:
    """Return the results at a secret URL, each with an opaque id, and the owner's language;
    None for an unknown URL.
    """

    def work(connection: Connection) -> tuple[Sequence[tuple[str, Result]], str] | None:
        owner = store.owner(connection, hash_of(secret))
        if owner is None:
            return None
        me, language = owner
        cipher = cipher_of_store(connection)
        results = _results(connection, me, tables.now())
        return [
            (cipher.fingerprint(f"{me} {it.id}", "result")[:16], it) for it in results
        ], language

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
        _scores(names, levels, row, next(it.seat for it in seats if it.me)) if mine else (),
    )


def _scores(names: Sequence[str], levels: Sequence[str], row: ResultRow, me: int) -> list[Score]:
    outcome = from_json(row.outcome, Outcome)
    stopped, won = outcome.reason == "stopped", bool(outcome.winners)
    found = [
        Score(
            name,
            outcome.places[seat] if won else None,
            None if stopped else outcome.scores[seat],
            seat == me,
            level,
        )
        for seat, (name, level) in enumerate(zip(names, levels, strict=True))
    ]
    return sorted(found, key=lambda it: (it.place or 0, not it.me))


def share(tables: TableService, key_hash: str, shares: bool) -> None:
    """Set whether friends and clubs see the player's results. Raises NotPermitted."""

    def work(connection: Connection) -> None:
        accounts.change(connection, known(connection, key_hash), tables.now(), shares=shares)

    tables.database.write(work)


def new_address(tables: TableService, key_hash: str, wanted: bool) -> str:
    """Replace the secret URL of the player's feed or, unless `wanted`, remove it.

    Return the new secret, which is stored only as a hash; empty if it was removed. Raises
    NotPermitted.
    """
    secret = new_secret() if wanted else ""

    def work(connection: Connection) -> None:
        kept = hash_of(secret) if wanted else None
        language = {"language": spoken_now().code} if wanted else {}
        channel_queries.wish(connection, known(connection, key_hash), results_hash=kept, **language)

    tables.database.write(work)
    return secret
