"""Talk at a table: said, deleted, muted, read. None of it is part of the game or of its log."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf

from sqlalchemy import Connection

from kaboom.accounts.names import cleaned, fits
from kaboom.engine.bots import names as characters
from kaboom.engine.i18n import mark, say
from kaboom.engine.moves import Seat
from kaboom.engine.views import token_of
from kaboom.errors import NotPermitted, TableNotFound, invalid_field
from kaboom.social.chat import queries as store
from kaboom.social.chat.queries import Hearing, LineRow
from kaboom.social.clubs import queries as clubs
from kaboom.social.friends import queries as people
from kaboom.tables import queries
from kaboom.tables.permissions import require_host
from kaboom.tables.service import Tables
from kaboom.tables.snapshot import TableSnapshot, read_snapshot
from kaboom.tables.table import WATCHED_BY_NOBODY, Table
from kaboom.web.idempotency.service import Command, only_once

LONGEST = 300  # characters of a line
SHOWN = 30  # lines of a page
EVERY = 2**31 - 1  # beyond any line, and any match

# Said with one press, and read by everybody in their own language.
PHRASES: dict[str, str] = {
    "hello": mark("Hello!"),
    "luck": mark("Good luck!"),
    "played": mark("Well played!"),
    "moment": mark("One moment, please."),
    "back": mark("I am back."),
    "thanks": mark("Thank you!"),
    "sorry": mark("Sorry!"),
    "again": mark("Play again?"),
    "bye": mark("I have to go now."),
}
SAID = PHRASES | characters.PHRASES  # by people, and by bots


@dataclass(frozen=True, slots=True)
class Line:
    """A line as one reader sees it: `number` identifies it in forms and on the page."""

    number: int
    name: str
    text: str
    at: float
    own: bool = False
    watcher: bool = False
    deleted: bool = False
    phrase: bool = False  # said with one press
    seat: Seat | None = None  # where whoever said it sits now


@dataclass(frozen=True, slots=True)
class Chat:
    """A page of lines, oldest first; `own` is the reader's own last line, `others` the last line of
    anybody else that the reader may read, on whichever page; 0 if none.
    """

    lines: Sequence[Line]
    own: int
    others: int
    more: bool  # there are earlier lines


def read(tables: Tables, snapshot: TableSnapshot, before: int = EVERY, most: int = SHOWN) -> Chat:
    """Return the last lines before a line that the reader may read."""

    def work(connection: Connection) -> tuple[Sequence[LineRow], int, int]:
        hearing = hearing_of(connection, snapshot)
        rows = store.heard_lines(connection, hearing, before, most + 1)
        return rows, *store.last_of_each(connection, hearing)

    rows, own, others = tables.database.read(work)
    shown = [_line(row, snapshot.player, snapshot.table) for row in rows[-most:]]
    return Chat(shown, own, others, more=len(rows) > most)


def heard(tables: Tables, snapshot: TableSnapshot) -> tuple[int, int]:
    """Return a pair of numbers that changes whenever what the reader may read changes."""
    if snapshot.until == inf and not _hushed(snapshot):
        return snapshot.chat, 0

    def work(connection: Connection) -> tuple[int, int]:
        return store.heard_so_far(connection, hearing_of(connection, snapshot))

    return tables.database.read(work)


def heard_last(tables: Tables, snapshot: TableSnapshot) -> int:
    """Return the number of the last line of anybody else that the reader may read, or 0: neither
    their own lines nor those of whom they have muted are news to them.
    """

    def work(connection: Connection) -> int:
        return store.last_of_each(connection, hearing_of(connection, snapshot))[1]

    return tables.database.read(work) if snapshot.chat else 0


def speak(
    tables: Tables,
    code: str,
    player: int,
    name: str,
    text: str = "",
    phrase: str = "",
    once: Command | None = None,
) -> None:
    """Say something at a table: a text, or a quick phrase by its key.

    `name` is what a spectator is called; seated players go by the name on their chair. Raises
    TableNotFound, NotPermitted or InvalidFields.
    """

    def said(connection: Connection) -> str:
        row, table = _row(connection, code)
        words, known = may_say(table, player, text, phrase)
        seat = table.seat_of(player)
        if seat is None and people.blocks_player(connection, table.host, player):
            raise NotPermitted(say("At this table only players may write."))
        member = clubs.called(connection, table.club, player) if table.club else None
        values = {
            "table_id": row.id,
            "player_id": player,
            "name": (member or name) if seat is None else table.chair(seat).name,
            "text": words,
            "phrase": known,
            "at": tables.now(),
            "match": table.match,
            "watcher": seat is None,
        }
        store.add_line(connection, values)
        return ""

    now = tables.now()
    tables.database.write(
        lambda connection: only_once(connection, once, now, lambda: said(connection))
    )
    tables.signals.changed(code, None)


def may_say(table: Table, player: int | None, text: str, phrase: str) -> tuple[str, str]:
    """Return words and phrase as they would be stored, one of them empty.

    Raises NotPermitted for anyone who may not write here, InvalidFields for nothing or too much.
    """
    if (sentence := why_silent(table, player)) is not None:
        raise NotPermitted(sentence)
    if phrase in PHRASES:
        return "", phrase
    if table.phrases:
        raise NotPermitted(say("At this table only the quick phrases are said."))
    words = cleaned(text, 10 * LONGEST)
    if not words:
        raise invalid_field("text", say("Please write something first."))
    if not fits(words, LONGEST):
        raise invalid_field("text", say("At most {count} characters, please.", count=LONGEST))
    return words, ""


def why_silent(table: Table, player: int | None) -> str | None:
    """Return in a sentence why somebody may not write at a table, or None when they may."""
    if table.seat_of(player) is not None:
        return None
    if not table.audience:
        return say("At this table only players may write.")
    if table.watch == WATCHED_BY_NOBODY and table.playing:
        return say("Nobody may watch this match, so only players may write.")
    return None


def delete(tables: Tables, code: str, player: int, number: int) -> None:
    """Remove the words from a line; the host only. Raises NotPermitted or InvalidFields."""

    def work(connection: Connection) -> None:
        row, table = _row(connection, code)
        require_host(table, player)
        if store.line(connection, row.id, number) is None:
            raise invalid_field("line", say("There is no such line."))
        store.empty_line(connection, row.id, number)

    tables.database.write(work)
    tables.signals.changed(code, None)


def mute(tables: Tables, code: str, player: int, number: int) -> None:
    """Mute the writer of a line, here and elsewhere. Raises InvalidFields."""

    def work(connection: Connection) -> None:
        row, _ = _row(connection, code)
        line = store.line(connection, row.id, number)
        if line is None or line.player_id == player:
            raise invalid_field("line", say("There is nobody to mute."))
        store.mute(connection, player, line.player_id)

    tables.database.write(work)


def muted(tables: Tables, player: int) -> list[tuple[str, str]]:
    """Return a word that identifies each person a player has muted, and the person's name."""
    found = tables.database.read(lambda connection: store.muted(connection, player))
    return [(token_of((player, other)), name) for other, name in found]


def unmute(tables: Tables, player: int, word: str) -> None:
    """Unmute somebody, by the word from muted()."""

    def work(connection: Connection) -> None:
        for other, _ in store.muted(connection, player):
            if token_of((player, other)) == word:
                store.unmute(connection, player, other)

    tables.database.write(work)


def _row(connection: Connection, code: str) -> tuple[queries.TableRow, Table]:
    row = queries.table(connection, code)
    if row is None:
        raise TableNotFound(code)
    return row, read_snapshot(connection, row).table


def _hushed(snapshot: TableSnapshot) -> bool:
    """Say whether what spectators write now is kept from the reader."""
    return snapshot.table.hush and snapshot.table.playing and snapshot.me is not None


def hearing_of(connection: Connection, snapshot: TableSnapshot) -> Hearing:
    """Return what the person asking may read at a table; raises TableNotFound."""
    number = queries.table_id(connection, snapshot.code)
    if number is None:
        raise TableNotFound(snapshot.code)
    match = snapshot.table.match - 1 if _hushed(snapshot) else EVERY
    return Hearing(number, snapshot.player or 0, snapshot.until, match)


def _line(row: LineRow, player: int | None, table: Table) -> Line:
    return Line(
        number=row.id,
        name=row.name,
        text=say(SAID[row.phrase]) if row.phrase in SAID else row.text,
        at=row.at,
        own=row.player_id == player,
        watcher=row.watcher,
        deleted=not row.text and not row.phrase,
        phrase=row.phrase in SAID,
        seat=None if row.watcher else _seat_of(row, table),
    )


def _seat_of(row: LineRow, table: Table) -> Seat | None:
    """Return the chair of whoever wrote a line; bots are known by their names."""
    bots = (seat for seat, chair in table.sitting() if chair.bot and chair.name == row.name)
    seat = table.seat_of(row.player_id)
    return next(bots, None) if seat is None else seat
