"""Reports about players to the server's host: a reason, the reporter's own words if they wish, and
the last chat messages as context, one of them marked if the report is about it.

The messages are copied and encrypted, so that deleting the originals changes nothing, and are
stored without names, so that none remains after an account is erased. A report is deleted after 90
days. No number of reports has an automatic effect.
"""

import json
from collections.abc import Callable, Sequence
from typing import NamedTuple

from sqlalchemy import Connection

from kaboom.accounts.names import cleaned, fits
from kaboom.db.times import DAY
from kaboom.engine.i18n import gettext as _
from kaboom.engine.i18n import gettext_noop as N_
from kaboom.errors import InvalidState, NotPermitted, RateLimited
from kaboom.social.chat import queries as chat
from kaboom.social.chat.queries import ChatMessageRow
from kaboom.social.chat.service import EVERY, SAID, hearing_of, is_by_person
from kaboom.social.friends import queries as store
from kaboom.social.friends.service import Person
from kaboom.tables.service import TableService
from kaboom.tables.snapshot import TableSnapshot

REASONS = {
    "insults": N_("insults or threats"),
    "bothers": N_("keeps bothering me"),
    "spam": N_("advertising or spam"),
    "name": N_("an offensive name"),
    "cheats": N_("cheats, or spoils games on purpose"),
    "child": N_("a child may be in danger"),
}
# Called with the ids of the reporter and of the reported player, and the time, when a report is
# stored.
after_report: list[Callable[[Connection, int, int, float], None]] = []
LINES = 30
LONGEST = 200  # characters of the reporter's own words
KEPT_DAYS = 90
IN_A_DAY = 5


class Said(NamedTuple):
    """A message in a report: a label for its author, its text and time (0 in reports of older
    versions), and whether the report is about it.
    """

    author: str
    text: str
    at: float = 0.0
    marked: bool = False


class Reason(NamedTuple):
    """Why a player is reported: a key of REASONS, and the reporter's own words."""

    key: str
    words: str = ""


def report(
    tables: TableService, snapshot: TableSnapshot, person: Person, reason: Reason, line: int = 0
) -> None:
    """Report a player at a table to the server's host, for one of their messages if given.

    Raises InvalidState without a reason, and RateLimited after five in a day.
    """
    me = snapshot.player
    assert me is not None  # otherwise no person would have been found

    def said(connection: Connection) -> Sequence[tuple[int, str, float, bool]]:
        # Includes messages of muted and blocked players: number 0 has muted no one.
        hearing = hearing_of(connection, snapshot)._replace(player=0)
        rows = list(chat.heard_lines(connection, hearing, EVERY, LINES))
        marked = chat.heard_line(connection, hearing, line) if line else None
        if marked and marked not in rows:
            rows = [marked, *rows[1 - LINES :]]
        return [(it.player_id, text_of(it), it.at, it.id == line) for it in rows]

    keep(tables, me, person.player, snapshot.code, reason, said)


def author_of(tables: TableService, snapshot: TableSnapshot, line: int) -> tuple[Person, str]:
    """Return the author of a message, and its text. Raises NotPermitted unless it is another
    person's message that the viewer, who has a name here, may read.
    """

    def work(connection: Connection) -> ChatMessageRow | None:
        return chat.heard_line(connection, hearing_of(connection, snapshot), line)

    known = snapshot.player if snapshot.player_name and not snapshot.closed else None
    row = tables.database.read(work) if known is not None else None
    if row is None or row.player_id == known or not (text_of(row) and is_by_person(row)):
        raise NotPermitted(_("There is no such message."))
    return Person("", row.name, row.player_id), text_of(row)


def text_of(row: ChatMessageRow) -> str:
    """Return the text of a message as it is kept; a quick phrase in English."""
    return row.text or SAID.get(row.phrase, "")


def keep(
    tables: TableService,
    me: int,
    about: int,
    code: str,
    reason: Reason,
    said: Callable[[Connection], Sequence[tuple[int, str, float, bool]]],
) -> None:
    """Store a report about a player at the table or review with that code. `said` returns the
    messages there as (author, text, time, marked). Raises InvalidState without a reason, and
    RateLimited after five in a day.
    """
    if reason.key not in REASONS:
        raise InvalidState(_("Please give a reason."))
    words = cleaned(reason.words, 10 * LONGEST)
    if not fits(words, LONGEST):
        raise InvalidState(_("At most {count} characters, please.", count=LONGEST))
    now = tables.now()

    def work(connection: Connection) -> None:
        if store.reports_made(connection, me, now - DAY) >= IN_A_DAY:
            raise RateLimited(_("You have already sent {most} reports today.", most=IN_A_DAY))
        store.add_report(
            connection,
            {
                "by_id": me,
                "about_id": about,
                "code": code,
                "reason": reason.key,
                "words": words,
                "evidence": json.dumps(_without_names(said(connection), me, about)),
                "at": now,
            },
        )
        for hook in after_report:
            hook(connection, me, about, now)

    tables.database.write(work)


def _without_names(
    said: Sequence[tuple[int, str, float, bool]], me: int, about: int
) -> list[list[str | float | bool]]:
    """Return the messages with a label for each author: the reported player, the reporter, or a
    number. The fourth value, True, is there only for a marked message.
    """
    others: dict[int, str] = {}
    told = {about: "about", me: "by"}
    return [
        [
            told.get(author) or others.setdefault(author, f"other {len(others) + 1}"),
            text,
            at,
            *([True] if marked else []),
        ]
        for author, text, at, marked in said
    ]


def lines_of(evidence: str) -> list[Said]:
    """Return the messages in a report."""
    return [Said(*it) for it in json.loads(evidence)]


def drop_old(connection: Connection, now: float) -> None:
    """Delete reports that are too old."""
    store.drop_old_reports(connection, now - KEPT_DAYS * DAY)
