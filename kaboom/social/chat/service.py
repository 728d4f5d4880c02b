"""Chat at a table: sending, deleting, muting and reading. It is not part of the game or of its log.
The routes limit how often a player may write.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf

from sqlalchemy import Connection

from kaboom.accounts.names import cleaned, fits
from kaboom.engine.bots import names as characters
from kaboom.engine.i18n import gettext as _
from kaboom.engine.i18n import gettext_noop as N_
from kaboom.engine.moves import Seat
from kaboom.engine.views import token_of
from kaboom.errors import NotPermitted, TableNotFound, invalid_field
from kaboom.social.chat import hooks
from kaboom.social.chat import queries as store
from kaboom.social.chat.queries import ChatMessageRow, Hearing
from kaboom.social.clubs import queries as clubs
from kaboom.social.friends import queries as friends
from kaboom.tables import queries
from kaboom.tables.permissions import require_host
from kaboom.tables.service import TableService
from kaboom.tables.snapshot import TableSnapshot, read_snapshot
from kaboom.tables.table import WATCHED_BY_NOBODY, Table
from kaboom.web.idempotency.service import IdempotencyKey, write_once

LONGEST = 300  # characters of a line
SHOWN = 30  # lines on a page
EVERY = 2**31 - 1  # higher than the number of any line or match

# Quick phrases: sent with one press, and read by all players in their own language.
PHRASES: dict[str, str] = {
    "hello": N_("Hello!"),
    "luck": N_("Good luck!"),
    "played": N_("Well played!"),
    "moment": N_("One moment, please."),
    "back": N_("I am back."),
    "thanks": N_("Thank you!"),
    "sorry": N_("Sorry!"),
    "again": N_("Play again?"),
    "bye": N_("I have to go now."),
}
SAID = PHRASES | characters.PHRASES  # by people, and by bots


@dataclass(frozen=True, slots=True)
class ChatMessage:
    """A line as one reader sees it: `number` identifies it in forms and on the page."""

    number: int
    name: str
    text: str
    at: float
    own: bool = False
    watcher: bool = False
    deleted: bool = False
    phrase: bool = False  # a quick phrase
    seat: Seat | None = None  # the author's current seat
    by_person: bool = True  # not a bot
    match: int = 0


@dataclass(frozen=True, slots=True)
class Chat:
    """A page of lines, oldest first; `own` is the number of the reader's own last line, `others`
    that of the last line by anyone else that the reader may read, on any page; 0 if there is none.
    """

    lines: Sequence[ChatMessage]
    own: int
    others: int
    more: bool  # there are earlier lines


def read(tables: TableService, snapshot: TableSnapshot, before: int = EVERY) -> Chat:
    """Return the last lines before line `before` that the reader may read."""

    def work(connection: Connection) -> tuple[Sequence[ChatMessageRow], int, int]:
        hearing = hearing_of(connection, snapshot)
        rows = store.heard_lines(connection, hearing, before, SHOWN + 1)
        return rows, *store.last_of_each(connection, hearing)

    rows, own, others = tables.database.read(work)
    shown = [_line(row, snapshot.player, snapshot.table) for row in rows[-SHOWN:]]
    return Chat(shown, own, others, more=len(rows) > SHOWN)


def heard(tables: TableService, snapshot: TableSnapshot) -> tuple[int, int]:
    """Return a pair of numbers that changes whenever the lines that the reader may read change."""
    if snapshot.until == inf and not _hushed(snapshot):
        return snapshot.chat, 0

    def work(connection: Connection) -> tuple[int, int]:
        return store.heard_so_far(connection, hearing_of(connection, snapshot))

    return tables.database.read(work)


def heard_last(tables: TableService, snapshot: TableSnapshot) -> int:
    """Return the number of the last line by another player that the reader may read, or 0.

    Deleted lines and those of muted players do not count.
    """

    def work(connection: Connection) -> int:
        return store.last_of_each(connection, hearing_of(connection, snapshot))[1]

    return tables.database.read(work) if snapshot.chat else 0


def speak(
    tables: TableService,
    code: str,
    player: int,
    name: str,
    text: str = "",
    phrase: str = "",
    idempotency_key: IdempotencyKey | None = None,
) -> None:
    """Send a message at a table: a text, or a quick phrase by its key.

    `name` is the name of a spectator; seated players use the name at their seat. Raises
    TableNotFound, NotPermitted or InvalidFields.
    """

    def said(connection: Connection) -> str:
        row, table = _row(connection, code)
        words, known = may_say(table, player, text, phrase)
        for require in hooks.before_message:
            require(connection, player, tables.now())
        seat = table.seat_of(player)
        if seat is None and friends.blocks_player(connection, table.host, player):
            raise NotPermitted(_("Only players can write at this table."))
        member = clubs.called(connection, table.club, player) if table.club else None
        values = {
            "table_id": row.id,
            "player_id": player,
            "name": (member or name) if seat is None else table.occupant(seat).name,
            "text": words,
            "phrase": known,
            "at": tables.now(),
            "match": table.match,
            "watcher": seat is None,
        }
        store.add_line(connection, values)
        return ""

    now = tables.now()
    write_once(tables.database, idempotency_key, now, said)
    tables.signals.changed(code, None)


def may_say(table: Table, player: int | None, text: str, phrase: str) -> tuple[str, str]:
    """Return the text and phrase in stored form, one of them empty.

    Raises NotPermitted for anyone who may not write here, InvalidFields for a message that is empty
    or too long.
    """
    if (sentence := why_silent(table, player)) is not None:
        raise NotPermitted(sentence)
    if phrase in PHRASES:
        return "", phrase
    if table.phrases:
        raise NotPermitted(_("Only quick phrases can be sent at this table."))
    words = cleaned(text, 10 * LONGEST)
    if not words:
        raise invalid_field("text", _("Please write a message first."))
    if not fits(words, LONGEST):
        raise invalid_field("text", _("At most {count} characters, please.", count=LONGEST))
    return words, ""


def why_silent(table: Table, player: int | None) -> str | None:
    """Return a sentence that says why a player may not write at a table, or None."""
    if table.seat_of(player) is not None:
        return None
    if not table.audience:
        return _("Only players can write at this table.")
    if table.watch == WATCHED_BY_NOBODY and table.playing:
        return _("This match has no spectators, so only players can write.")
    return None


def delete(tables: TableService, code: str, player: int, number: int) -> None:
    """Remove the text of a line, for the host only. Raises NotPermitted or InvalidFields."""

    def work(connection: Connection) -> None:
        row, table = _row(connection, code)
        require_host(table, player)
        if store.line(connection, row.id, number) is None:
            raise invalid_field("line", _("There is no such message."))
        store.empty_line(connection, row.id, number)

    tables.database.write(work)
    tables.signals.changed(code, None)


def mute(tables: TableService, code: str, player: int, number: int) -> None:
    """Hide what the author of a line writes, at this and all other tables, from this reader only.
    Raises InvalidFields. The author may go on writing; for a mute by the server's host, see
    kaboom.admin.sanctions.
    """

    def work(connection: Connection) -> None:
        row, _unused = _row(connection, code)
        line = store.line(connection, row.id, number)
        if line is None or line.player_id == player:
            raise invalid_field("line", _("There is no one to mute."))
        store.mute(connection, player, line.player_id)

    tables.database.write(work)


def muted(tables: TableService, player: int) -> list[tuple[str, str]]:
    """Return an identifier and the name of each player whom a player has muted."""
    found = tables.database.read(lambda connection: store.muted(connection, player))
    return [(token_of((player, other)), name) for other, name in found]


def unmute(tables: TableService, player: int, word: str) -> None:
    """Unmute a player by the identifier from muted(). Raises InvalidFields if it is empty."""
    if not word:
        raise invalid_field("who", _("There is no such player here."))

    def work(connection: Connection) -> None:
        for other, _unused in store.muted(connection, player):
            if token_of((player, other)) == word:
                store.unmute(connection, player, other)

    tables.database.write(work)


def _row(connection: Connection, code: str) -> tuple[queries.TableRow, Table]:
    row = queries.table(connection, code)
    if row is None:
        raise TableNotFound(code)
    return row, read_snapshot(connection, row).table


def _hushed(snapshot: TableSnapshot) -> bool:
    """Return True if spectators' messages are now hidden from the reader."""
    return snapshot.table.hush and snapshot.table.playing and snapshot.me is not None


def hearing_of(connection: Connection, snapshot: TableSnapshot) -> Hearing:
    """Return what the viewer may read at a table; raises TableNotFound."""
    number = queries.table_id(connection, snapshot.code)
    if number is None:
        raise TableNotFound(snapshot.code)
    match = snapshot.table.match - 1 if _hushed(snapshot) else EVERY
    return Hearing(number, snapshot.player or 0, snapshot.until, match)


def _line(row: ChatMessageRow, player: int | None, table: Table) -> ChatMessage:
    return ChatMessage(
        number=row.id,
        name=row.name,
        text=_(SAID[row.phrase]) if row.phrase in SAID else row.text,
        at=row.at,
        own=row.player_id == player,
        watcher=row.watcher,
        deleted=not row.text and not row.phrase,
        phrase=row.phrase in SAID,
        seat=None if row.watcher else _seat_of(row, table),
        by_person=is_by_person(row),
        match=row.match,
    )


def is_by_person(row: ChatMessageRow) -> bool:
    """Return True if a person wrote the line: bots say only phrases of their own."""
    return row.phrase not in characters.PHRASES


def _seat_of(row: ChatMessageRow, table: Table) -> Seat | None:
    """Return the seat of a line's author, or None. Bots are identified by their names."""
    bots = (
        seat for seat, occupant in table.sitting() if occupant.bot and occupant.name == row.name
    )
    seat = table.seat_of(row.player_id)
    return next(bots, None) if seat is None else seat
