"""What hosts do: become a host, rename players, delete messages, publish notices.

Each act is listed, as are sanctions (kaboom.admin.sanctions). None happens automatically.
"""

from collections.abc import Sequence
from contextlib import suppress
from typing import NamedTuple

from sqlalchemy import Connection

from kaboom.accounts import player_queries, token_queries
from kaboom.accounts.names import require_readable_name
from kaboom.accounts.token_queries import Offer
from kaboom.admin import match_queries, queries
from kaboom.admin.queries import Act
from kaboom.db.ids import new_secret
from kaboom.db.times import DAY
from kaboom.errors import InvalidState, NotPermitted, TableNotFound
from kaboom.ratings import maintenance
from kaboom.review import queries as reviews
from kaboom.social.chat import queries as chat
from kaboom.social.clubs import service as clubs
from kaboom.social.friends import queries as friends
from kaboom.tables import queries as table_queries
from kaboom.tables.maintenance import cleanup, cleanup_queries, interventions, renaming
from kaboom.tables.service import TableService
from kaboom.tables.transaction import TableTransaction

LINK_MINUTES = 30
WORD = 12  # characters of a link's hash that identify it
LONGEST = 500  # characters of a reason or a notice
LONGEST_DAYS = 3650
COMMAND_LINE = "command line"  # the host of acts on the command line
RENAME, DELETE, HOST, END = "rename", "line", "host", "ended"  # what players are told about
UNMUTED, UNBANNED, NO_HOST, VOID = "unmuted", "let in", "no host", "void"
NOTICES = ("halt", "today")


class MatchNotFound(InvalidState):
    """No match has the given code."""

    status = 404
    slug = "not-found"


def require_days(days: int) -> None:
    """Raise InvalidState unless the number of days is allowed."""
    if not 1 <= days <= LONGEST_DAYS:
        raise InvalidState(f"Enter a number of days from 1 to {LONGEST_DAYS}.")


def require_why(why: str) -> str:
    """Return a reason in the form that is stored; raises InvalidState if it is empty."""
    found = " ".join(why.split())[:LONGEST]
    if not found:
        raise InvalidState("Please give a reason. It is kept in the log.")
    return found


def new_link(tables: TableService, host: str = COMMAND_LINE) -> str:
    """Create a one-use link that makes a player a host, and return its secret."""
    secret = new_secret()
    offer = Offer("host", None, host, tables.now() + LINK_MINUTES * 60)

    def work(connection: Connection) -> None:
        token_queries.add(connection, secret, offer)
        record_act(connection, tables, host, "host link", "", "")

    tables.database.write(work)
    return secret


class Link(NamedTuple):
    """An unused one-use link: a word that identifies it but does not open it, who made it, and when
    it expires.
    """

    word: str
    host: str
    until: float


def unused_links(tables: TableService) -> list[Link]:
    """Return the one-use links that can still be used."""
    now = tables.now()
    found = tables.database.read(lambda c: token_queries.of_kind(c, "host", now))
    return [Link(hashed[:WORD], it.about or COMMAND_LINE, it.expires_at) for hashed, it in found]


def withdraw_link(tables: TableService, host: str, word: str) -> None:
    """Withdraw an unused one-use link. Raises InvalidState."""
    now = tables.now()

    def work(connection: Connection) -> None:
        for hashed, _offer in token_queries.of_kind(connection, "host", now):
            if hashed[:WORD] == word and token_queries.drop(connection, hashed):
                return record_act(connection, tables, host, "withdrew link", "", "")
        raise InvalidState("This link has been used or has expired.")

    tables.database.write(work)


def is_open(tables: TableService, secret: str) -> bool:
    """Return True if a one-use link can still be used."""
    now = tables.now()
    return tables.database.read(lambda c: token_queries.find(c, secret, "host", now)) is not None


def become_host(tables: TableService, secret: str, player: int, name: str) -> None:
    """Use a one-use link and make a player a host. Raises NotPermitted if it is no longer valid."""
    now = tables.now()

    def work(connection: Connection) -> None:
        if token_queries.take(connection, secret, "host", now) is None:
            raise NotPermitted("This link has been used or has expired. Create another one.")
        queries.add_host(connection, player, now)
        signed = queries.signature(connection, player, name)
        record_act(connection, tables, signed, "became host", "", "")

    tables.database.write(work)
    tables.signals.ordered(player)


def remove_host(tables: TableService, host: str, player: int, why: str) -> bool:
    """Remove a host, and tell them unless they removed themselves; return False if the player was
    not a host.

    Raises InvalidState without a reason, and for the only host. The only host can be removed from
    the command line, which can also invite a new one.
    """
    why = require_why(why)

    def work(connection: Connection) -> bool:
        known = queries.lock_hosts(connection)
        if known == [player] and host != COMMAND_LINE:
            raise InvalidState("You are the only host. Invite another first.")
        name = queries.name_of(connection, player) or ""
        own = host == queries.signature(connection, player, name)
        gone = queries.remove_host(connection, player)
        if gone:
            if not own:
                tell(connection, tables, player, NO_HOST, why)
            named = queries.numbered(player, name)
            record_act(connection, tables, host, "removed host", named, why)
        return gone

    gone = tables.database.write(work)
    tables.signals.ordered(player)
    return gone


def make_host(tables: TableService, host: str, player: int, why: str) -> None:
    """Make a player a host. Raises InvalidState if they are one, or are banned."""
    why, now = require_why(why), tables.now()

    def work(connection: Connection) -> None:
        name = require_known(connection, player)
        if queries.is_host(connection, player):
            raise InvalidState("This player is already a host.")
        if queries.is_sanctioned(connection, player, "out", now):
            raise InvalidState("A banned player cannot be a host.")
        queries.add_host(connection, player, now)
        tell(connection, tables, player, HOST, why)
        record_act(connection, tables, host, "made host", queries.numbered(player, name), why)

    tables.database.write(work)
    tables.signals.ordered(player)


def record_act(
    connection: Connection, tables: TableService, host: str, act: str, about: str, why: str
) -> None:
    """Add an act of a host to the list of acts."""
    queries.add_act(connection, Act(tables.now(), host, act, about[:120], why))


# About players


def note(tables: TableService, host: str, about: str, why: str) -> None:
    """Add a note to the list of acts, which only hosts read. Raises InvalidState without
    a reason.
    """
    why = require_why(why)
    tables.database.write(lambda c: record_act(c, tables, host, "note", about, why))


def rename(tables: TableService, host: str, player: int, name: str, why: str) -> None:
    """Give a player another name, also at their tables, in the chats there and in their clubs,
    and tell them.
    A name that hosts have taken from them can be given back even if another player has it now.
    Raises InvalidState.
    """
    name, why = require_readable_name(name), require_why(why)

    def work(connection: Connection) -> None:
        old = require_known(connection, player)
        taken = [it for _at, it in queries.former_names(connection, player)]
        other = queries.namesake(connection, name, player)
        if other and name not in taken:
            raise InvalidState(f"Player {other} is already called {name}. Choose another name.")
        player_queries.rename(connection, player, name)
        clubs.rename(connection, player, old, name)
        tell(connection, tables, player, RENAME, why)
        renamed = f"{queries.numbered(player, old)} → {name}"
        record_act(connection, tables, host, "rename", renamed, why)

    def follow(transaction: TableTransaction) -> None:
        renaming.rename_at(transaction, player, name)
        chat.rename(transaction.connection, transaction.row.id, player, name)

    tables.database.write(work)
    for code in tables.database.read(lambda c: table_queries.known_at(c, player)):
        with suppress(TableNotFound):  # deleted since the query, or damaged
            tables.change(code, follow)
    tables.signals.ordered(player)


def delete_line(tables: TableService, host: str, code: str, number: int, why: str) -> None:
    """Delete the text of a chat message, or of a remark in a review, and tell its author. Raises
    InvalidState.
    """
    why = require_why(why)

    def work(connection: Connection) -> int:
        row = table_queries.table(connection, code)
        line = chat.line(connection, row.id, number) if row else None
        remark = None if row else reviews.remark(connection, code, number)
        if row is not None and line is not None:
            chat.empty_line(connection, row.id, number)
            author = line.player_id
        elif remark is not None:
            reviews.empty(connection, number)
            author = remark.player
        else:
            raise InvalidState("There is no such message.")
        tell(connection, tables, author, DELETE, why)
        name = queries.name_of(connection, author) or ""
        about = f"{code} {number} by {queries.numbered(author, name)}"
        record_act(connection, tables, host, "delete line", about, why)
        return author

    author = tables.database.write(work)
    tables.signals.changed(code, None)
    tables.signals.ordered(author)


def close_report(
    tables: TableService, host: str, number: int, why: str, closed: bool = True
) -> None:
    """Mark a report as closed, or as open again. Raises InvalidState."""
    why, act = require_why(why), "close report" if closed else "reopen report"

    def work(connection: Connection) -> None:
        if not friends.close_report(connection, number, closed):
            raise InvalidState("There is no such report.")
        record_act(connection, tables, host, act, f"report {number}", why)

    tables.database.write(work)


def require_known(connection: Connection, player: int) -> str:
    """Return a player's name; raises InvalidState if there is no such player."""
    name = queries.name_of(connection, player)
    if name is None:
        raise InvalidState("There is no such player.")
    return name


def tell(connection: Connection, tables: TableService, player: int, kind: str, why: str) -> None:
    """Store a message to a player, which their pages show until they have read it."""
    values = {"player_id": player, "kind": kind, "why": why, "at": tables.now(), "until": 0.0}
    queries.add_sanction(connection, values)


# Upkeep


def say(tables: TableService, host: str, kind: str, text: str) -> None:
    """Publish a notice on all pages; "halt" also stops new tables. An empty string removes the
    notice.
    """
    if kind not in NOTICES:
        raise InvalidState("Choose what to do.")
    text = " ".join(text.split())[:LONGEST]

    def work(connection: Connection) -> None:
        queries.set_notice(connection, kind, text)
        record_act(connection, tables, host, "say" if text else "unsay", kind, text)

    tables.database.write(work)
    tables.signals.ordered(None)


def end_table(tables: TableService, host: str, code: str, why: str) -> None:
    """End a table's match without a result, and tell its players why. Raises InvalidState."""
    why, seated = require_why(why), list[int]()

    def note(transaction: TableTransaction) -> None:
        seated[:] = [it.player for _seat, it in transaction.table.sitting() if it.player]
        for player in seated:
            tell(transaction.connection, tables, player, END, why)
        record_act(transaction.connection, tables, host, "end table", code, why)

    try:
        ended = interventions.stop(tables, code, note)
    except TableNotFound:
        raise InvalidState(f"There is no table {code}.") from None
    if not ended:
        raise InvalidState("No match is running at this table.")
    for player in seated:
        tables.signals.ordered(player)


def void(tables: TableService, host: str, code: str, why: str) -> None:
    """Remove a match from the ratings, and tell its players. Raises InvalidState, or
    MatchNotFound.
    """
    why = require_why(why)

    def work(connection: Connection) -> Sequence[int]:
        if not match_queries.is_match(connection, code):
            raise MatchNotFound(f"There is no match {code}.")
        if match_queries.taken_out(connection, [code]):
            raise InvalidState("This match has already been taken out of the ratings.")
        if not maintenance.void(connection, code):
            raise InvalidState("This match was not rated.")
        record_act(connection, tables, host, "void", code, why)
        players = match_queries.players_of_record(connection, code)
        for player in players:
            tell(connection, tables, player, VOID, why)
        return players

    for player in tables.database.write(work):
        tables.signals.ordered(player)


def expire(tables: TableService, host: str, days: int, why: str) -> int:
    """Delete tables that have not been used for this many days; return how many were deleted.
    Raises InvalidState.

    Each transaction deletes up to 50 tables and adds a line to the list of acts.
    """
    why = require_why(why)
    require_days(days)

    def listed(connection: Connection, gone: int) -> None:
        if gone or not total:
            record_act(connection, tables, host, f"expire {days} days", f"{gone} tables", why)

    total = 0
    while gone := cleanup.expire(tables, days, listed):
        total += gone
    return total


def unused(tables: TableService, days: int) -> int:
    """Return the number of tables `expire` would delete. Raises InvalidState."""
    require_days(days)
    since = tables.now() - days * DAY
    return tables.database.read(lambda c: cleanup_queries.count_untouched(c, since))


def backed_up(tables: TableService, host: str, size: int = 0) -> None:
    """Record in the list of acts that a backup of this size in bytes was made."""
    about = f"{size} bytes" if size else ""
    tables.database.write(lambda c: record_act(c, tables, host, "backup", about, ""))
