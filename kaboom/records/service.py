"""What is kept of finished matches: their records, a player's own, and records from elsewhere."""

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from sqlalchemy import Connection

from kaboom.accounts import erase, player_queries
from kaboom.db.ids import new_import_code
from kaboom.db.times import DAY
from kaboom.engine.codec import from_json
from kaboom.engine.i18n import mark, say
from kaboom.engine.moves import Seat
from kaboom.engine.views import Outcome
from kaboom.errors import InvalidState, NotPermitted
from kaboom.games import GAMES
from kaboom.records import note_queries
from kaboom.records import queries as records
from kaboom.records.replay import Replay, Replays, checked
from kaboom.tables import queries
from kaboom.tables.match_record import InvalidRecord, Record, record_from, record_of, text_of
from kaboom.tables.queries import MatchRow
from kaboom.tables.service import Tables
from kaboom.tables.shared_deals import queries as shared_deal_queries
from kaboom.tables.sittings import leave, tables_of
from kaboom.tournaments import service as tournaments
from kaboom.web.idempotency.service import Command, answered, only_once

IMPORT_DAYS = 7
MOST_IMPORTS = 300

REWRITTEN = mark("This is not how a server writes the file: somebody has edited it.")


class RecordNotFound(LookupError):
    """No match with that code may be shown; str() is a sentence for the person asking."""


@dataclass(frozen=True, slots=True)
class Around:
    """What surrounds a record. `before` and `after` are codes of the matches at the same table,
    empty if there is none; `table` is the table's code, for those who played.
    """

    mine: bool = False  # the person asking took part
    hidden: bool = False
    before: str = ""
    after: str = ""
    table: str = ""
    imported: bool = False
    note: str = ""  # what the person asking wrote down about it
    own: Seat | None = None  # by whose eyes alone it may be seen; None: by anybody's


@dataclass(frozen=True, slots=True)
class Played:
    """A finished match in a player's own list."""

    code: str
    game: str
    names: Sequence[str]
    seat: int
    place: int | None
    outcome: Outcome
    ended_at: float


@dataclass(frozen=True, slots=True)
class Statistics:
    """What a browser's player has played: how many matches of each game, and how often each place.

    `matches` is one page of them, the latest first; `more` says whether others follow.
    """

    name: str
    games: Mapping[str, Mapping[int | None, int]]
    matches: Sequence[Played]
    more: bool

    @property
    def total(self) -> int:
        """Return how many matches were finished."""
        return sum(sum(places.values()) for places in self.games.values())


class Library:
    """The records of a store."""

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        self._replays = Replays()

    # Finished matches

    def find(self, code: str, key_hash: str = "", host: bool = False) -> tuple[Replay, Around]:
        """Return a finished match as the player with that key may find it, or as the server's host
        does; raises RecordNotFound.
        """
        kept = self._replays.get(code)

        def work(connection: Connection) -> tuple[Record | None, Around]:
            match, around = _around(connection, code, key_hash, host)
            board = shared_deal_queries.board(connection, match.board) if match.board else None
            if board is not None and not board.is_closed(self.tables.now()):
                around = replace(around, own=_own_seat(connection, match, key_hash))
            if kept is not None:
                return None, around
            return record_of(match, queries.log(connection, match.id), board), around

        record, around = self.tables.database.read(work)
        if record is not None:
            return self._replays.keep(code, self._checked(record)), around
        assert kept is not None
        return kept, around

    def _checked(self, record: Record) -> Replay:
        replay: Replay = self.tables.aside(checked, record)
        return replay

    def hide(self, code: str, key_hash: str, hidden: bool) -> None:
        """Take a match out of public view or show it again; raises RecordNotFound or
        NotPermitted.
        """

        def work(connection: Connection) -> None:
            match, around = _around(connection, code, key_hash)
            if not around.mine:
                raise NotPermitted(say("Only those who played this match can do that."))
            records.hide(connection, match.id, hidden)

        self.tables.database.write(work)

    # Records from elsewhere

    def bring(self, text: str, once: Command | None = None) -> str:
        """Keep a record from elsewhere for some days; return its code. Raises InvalidRecord."""
        known = answered(self.tables.database, once, self.tables.now())
        if known is not None:
            return known
        text = text.strip()
        record = record_from(text)
        code = new_import_code()
        replay = self._opened(code, text, record)
        if replay.broken:
            number = len(replay.steps)
            until = say("It can be replayed only up to step {number}.", number=number - 1)
            raise InvalidRecord(f"{until} {say(replay.broken)}" if number else say(replay.broken))
        now = self.tables.now()
        end = now + IMPORT_DAYS * DAY

        def kept(connection: Connection) -> str:
            records.add_import(connection, code, text, now, end, MOST_IMPORTS)
            return code

        return self.tables.database.write(
            lambda connection: only_once(connection, once, now, lambda: kept(connection))
        )

    def brought(self, code: str) -> tuple[Replay, Around]:
        """Return a record from elsewhere that was brought here; raises RecordNotFound."""
        now = self.tables.now()
        text = self.tables.database.read(lambda c: records.imported(c, code, now))
        if text is None:
            raise RecordNotFound(say("That record is no longer here. Open its file again."))
        kept = self._replays.get(code)
        return kept or self._opened(code, text, record_from(text)), Around(imported=True)

    def _opened(self, code: str, text: str, record: Record) -> Replay:
        replay = self._checked(record)
        if text != text_of(record):
            replay = replace(replay, wrong=[*replay.wrong, REWRITTEN])
        return self._replays.keep(code, replay)

    # A player's own

    def statistics(self, key_hash: str, most: int, first: int = 0) -> Statistics:
        """Return what the player with that key has played; nothing for an unknown key."""

        def work(connection: Connection) -> Statistics:
            player = player_queries.player(connection, key_hash)
            if player is None:
                return Statistics("", {}, [], False)
            games: dict[str, dict[int | None, int]] = {}
            for game, place, count in records.tally(connection, player[0]):
                games.setdefault(game, {})[place] = count
            rows = records.played(connection, player[0], most + 1, first)
            last = list(map(_played, rows[:most]))
            return Statistics(player[1], games, last, len(rows) > most)

        return self.tables.database.read(work)

    def forget_statistics(self, key_hash: str) -> None:
        """Forget which finished matches a player took part in."""

        def work(connection: Connection) -> None:
            player = player_queries.player(connection, key_hash)
            if player is not None:
                records.forget_parts(connection, player[0])

        self.tables.database.write(work)

    def forget(self, *key_hashes: str) -> None:
        """Forget the players with these keys: matches, names, tables, keys.

        Raises InvalidState, before anybody is forgotten, while one of them is in the middle of a
        match.
        """
        chairs = [it for key in key_hashes for it in tables_of(self.tables, key, 1000)]
        playing = [snapshot.code for snapshot in chairs if snapshot.table.playing]
        if playing:
            raise InvalidState(
                say(
                    "You are still in a match, at table {code}. Finish it or leave that table "
                    "first.",
                    code=playing[0],
                )
            )
        for key_hash in key_hashes:
            self._forget(key_hash)

    def _forget(self, key_hash: str) -> None:
        for snapshot in tables_of(self.tables, key_hash, 1000):
            if snapshot.player is not None:
                leave(self.tables, snapshot.code, snapshot.player)
        known = self.tables.database.read(
            lambda connection: player_queries.player(connection, key_hash)
        )
        if known is not None:
            tournaments.depart(self.tables, known[0])

        def work(connection: Connection) -> None:
            player = player_queries.player(connection, key_hash)
            if player is not None:
                erase.forget_player(connection, player[0], secrets.token_hex(32))

        self.tables.database.write(work)


def _around(
    connection: Connection, code: str, key_hash: str, host: bool = False
) -> tuple[MatchRow, Around]:
    """Return a finished match and what surrounds it, for the player with that key or for the
    server's host; raises RecordNotFound.
    """
    match = records.match_by_code(connection, code)
    if match is None:
        raise RecordNotFound(say("There is no match with that code."))
    if match.ended_at is None:
        raise RecordNotFound(say("This match is still being played. Look again when it is over."))
    player = player_queries.player(connection, key_hash)
    mine = player is not None and records.took_part(connection, match.id, player[0])
    if match.game not in GAMES:
        raise RecordNotFound(say("The game this match was played in is no longer here."))
    if match.hidden and not mine and not host:
        raise RecordNotFound(say("The players have hidden this match."))
    note = note_queries.note(connection, match.id, player[0]) if mine and player else ""
    around = Around(mine=mine, hidden=match.hidden, note=note)
    table, number = match.table_id, match.number
    if table is None or not records.may_look_around(connection, table, player and player[0]):
        return match, around
    return match, replace(
        around,
        before=records.code_at(connection, table, number - 1),
        after=records.code_at(connection, table, number + 1),
        table=records.table_code(connection, table) if mine else "",
    )


def _own_seat(connection: Connection, match: MatchRow, key_hash: str) -> Seat:
    """Return the seat of somebody who has finished their try at a deal of the day that others still
    play: they know what they have seen of it. Raises RecordNotFound for everybody else.
    """
    player = player_queries.player(connection, key_hash)
    tried = player and shared_deal_queries.try_of(connection, match.board, player[0])
    seat = records.seat_of(connection, match.id, player[0]) if player else None
    if not tried or tried.result is None or seat is None:
        raise RecordNotFound(say("This deal is still being played at other tables."))
    return seat


def _played(row: records.PartRow) -> Played:
    return Played(
        row.code,
        row.game,
        from_json(row.names, list),
        row.seat,
        row.place,
        from_json(row.outcome, Outcome),
        row.ended_at,
    )
