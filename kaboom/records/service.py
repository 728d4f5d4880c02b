"""The archive of finished matches: records, a player's matches, and uploaded records."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from sqlalchemy import Connection

from kaboom.accounts import hooks as account_hooks
from kaboom.accounts import player_queries
from kaboom.db.ids import new_import_code
from kaboom.db.times import DAY
from kaboom.engine.codec import from_json
from kaboom.engine.i18n import gettext as _
from kaboom.engine.i18n import gettext_noop as N_
from kaboom.engine.moves import Seat
from kaboom.engine.views import Outcome
from kaboom.errors import NotPermitted
from kaboom.records import note_queries
from kaboom.records import queries as records
from kaboom.records.access import RecordNotFound, sight_of
from kaboom.records.replay import Replay, Replays
from kaboom.records.verify import checked
from kaboom.tables.match_record import InvalidRecord, Record, record_from, text_of
from kaboom.tables.queries import MatchRow
from kaboom.tables.service import TableService
from kaboom.web.idempotency.service import IdempotencyKey, answered, write_once

IMPORT_DAYS = 7
MOST_IMPORTS = 300

REWRITTEN = N_("This file has been edited: a server would write it differently.")


@dataclass(frozen=True, slots=True)
class Around:
    """Data about a match that is not in its record. `before` and `after` are codes of the previous
    and the next match at the same table, empty if there is none; `table` is the table's code, for
    its players.
    """

    seat: Seat | None = None  # the viewer's; None: they did not play
    hidden: bool = False
    before: str = ""
    after: str = ""
    table: str = ""
    imported: bool = False
    note: str = ""  # the viewer's note on the match
    own: Seat | None = None  # the only point of view allowed; None: any
    player: int | None = None  # the viewer; never leaves the server

    @property
    def mine(self) -> bool:
        """Return True if the viewer played in the match."""
        return self.seat is not None


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
    goes_on: bool  # continued another match, so not counted

    @property
    def others(self) -> list[str]:
        """Return the names of the other players."""
        return [name for seat, name in enumerate(self.names) if seat != self.seat]


@dataclass(frozen=True, slots=True)
class Statistics:
    """A player's statistics: the number of matches by game, and of each place.

    `matches` is one page of them, latest first; `more` is True if others follow.
    """

    name: str
    games: Mapping[str, Mapping[int | None, int]]
    matches: Sequence[Played]
    more: bool

    @property
    def total(self) -> int:
        """Return the number of finished matches."""
        return sum(sum(places.values()) for places in self.games.values())


class MatchArchive:
    """The archive of all records in one database."""

    def __init__(self, tables: TableService) -> None:
        self.tables = tables
        self._replays = Replays()

    # Finished matches

    def find(self, code: str, key_hash: str = "", host: bool = False) -> tuple[Replay, Around]:
        """Return a finished match as it may be seen by the player with that key or by the server's
        host. Raises RecordNotFound.
        """
        kept = self._replays.get(code)

        def work(connection: Connection) -> tuple[Record | None, Around]:
            match, around = _around(connection, code, key_hash, self.tables.now(), host)
            if kept is not None:
                return None, around
            return records.record(connection, match), around

        record, around = self.tables.database.read(work)
        if record is not None:
            return self._replays.keep(code, self._checked(record)), around
        assert kept is not None
        return kept, around

    def _checked(self, record: Record) -> Replay:
        replay: Replay = self.tables.run_in_thread(checked, record)
        return replay

    def hide(self, code: str, key_hash: str, hidden: bool) -> None:
        """Hide a match from the public or show it again; raises RecordNotFound or NotPermitted."""

        def work(connection: Connection) -> None:
            match, around = _around(connection, code, key_hash, self.tables.now())
            if not around.mine:
                raise NotPermitted(_("Only players in this match can do that."))
            records.hide(connection, match.id, hidden)

        self.tables.database.write(work)

    # Uploaded records

    def bring(self, text: str, idempotency_key: IdempotencyKey | None = None) -> str:
        """Store an uploaded record for IMPORT_DAYS; return its code. Raises InvalidRecord."""
        known = answered(self.tables.database, idempotency_key, self.tables.now())
        if known is not None:
            return known
        text = text.strip()
        record = record_from(text)
        code = new_import_code()
        replay = self._opened(code, text, record)
        if replay.broken:
            number = len(replay.steps)
            until = _("It can be replayed only up to step {number}.", number=number - 1)
            raise InvalidRecord(f"{until} {_(replay.broken)}" if number else _(replay.broken))
        now = self.tables.now()
        end = now + IMPORT_DAYS * DAY

        def kept(connection: Connection) -> str:
            records.add_import(connection, code, text, now, end, MOST_IMPORTS)
            return code

        return write_once(self.tables.database, idempotency_key, now, kept)

    def brought(self, code: str) -> tuple[Replay, Around]:
        """Return an uploaded record; raises RecordNotFound."""
        now = self.tables.now()
        text = self.tables.database.read(lambda c: records.imported(c, code, now))
        if text is None:
            raise RecordNotFound(_("That record is no longer available. Open its file again."))
        kept = self._replays.get(code)
        return kept or self._opened(code, text, record_from(text)), Around(imported=True)

    def _opened(self, code: str, text: str, record: Record) -> Replay:
        replay = self._checked(record)
        if text != text_of(record):
            replay = replace(replay, wrong=[*replay.wrong, REWRITTEN])
        return self._replays.keep(code, replay)

    # Statistics of a player

    def statistics(self, key_hash: str, most: int, first: int = 0) -> Statistics:
        """Return the statistics of the player with that key; empty for an unknown key."""

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
        """Delete the links between a player and their finished matches."""

        def work(connection: Connection) -> None:
            player = player_queries.player(connection, key_hash)
            if player is not None:
                for forget in account_hooks.on_forget_matches:
                    forget(connection, player[0])

        self.tables.database.write(work)


def _around(
    connection: Connection, code: str, key_hash: str, now: float, host: bool = False
) -> tuple[MatchRow, Around]:
    """Return a finished match and the data around it, for the player with that key or for the
    server's host; raises RecordNotFound.
    """
    match = records.match_by_code(connection, code)
    player = player_queries.player(connection, key_hash)
    me = None if player is None else player[0]
    sight = sight_of(connection, match, me, now, host)
    assert match is not None  # otherwise RecordNotFound was raised
    around = Around(seat=sight.seat, hidden=match.hidden, own=sight.own, player=me)
    if around.mine and me is not None:
        around = replace(around, note=note_queries.note(connection, match.id, me))
    table, number = match.table_id, match.number
    if table is None or not records.may_look_around(connection, table, me):
        return match, around
    return match, replace(
        around,
        before=records.code_at(connection, table, number - 1),
        after=records.code_at(connection, table, number + 1),
        table=records.table_code(connection, table) if around.mine else "",
    )


def _played(row: records.MatchPlayerRow) -> Played:
    return Played(
        row.code,
        row.game,
        from_json(row.names, list),
        row.seat,
        row.place,
        from_json(row.outcome, Outcome),
        row.ended_at,
        row.goes_on,
    )
