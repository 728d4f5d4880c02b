"""Reports about players to the server's host: a reason, and the last chat messages as context.

The messages are copied and encrypted, so that deleting the originals changes nothing, and are
stored without names, so that none remains after an account is erased. A report is deleted after 90
days. No number of reports has an automatic effect.
"""

import json
from collections.abc import Callable, Sequence

from sqlalchemy import Connection

from kaboom.db.times import DAY
from kaboom.engine.i18n import gettext as _
from kaboom.engine.i18n import gettext_noop as N_
from kaboom.errors import InvalidState, RateLimited
from kaboom.social.chat import queries as chat
from kaboom.social.chat.service import EVERY, SAID, hearing_of
from kaboom.social.friends import queries as store
from kaboom.social.friends.service import Person
from kaboom.tables.service import TableService
from kaboom.tables.snapshot import TableSnapshot

REASONS = {
    "insults": N_("insults or threats"),
    "bothers": N_("keeps bothering me"),
    "spam": N_("advertising or spam"),
    "cheats": N_("cheats, or spoils games on purpose"),
    "child": N_("a child may be in danger"),
}
# Called with the ids of the reporter and of the reported player, and the time, when a report is
# stored.
after_report: list[Callable[[Connection, int, int, float], None]] = []
LINES = 30
KEPT_DAYS = 90
IN_A_DAY = 5


def report(tables: TableService, snapshot: TableSnapshot, person: Person, reason: str) -> None:
    """Report a player at a table to the server's host.

    Raises InvalidState without a reason, and RateLimited after five in a day.
    """
    me = snapshot.player
    assert me is not None  # otherwise no person would have been found

    def said(connection: Connection) -> Sequence[tuple[int, str, float]]:
        # Includes messages of muted and blocked players: number 0 has muted no one.
        hearing = hearing_of(connection, snapshot)._replace(player=0)
        rows = chat.heard_lines(connection, hearing, EVERY, LINES)
        return [(row.player_id, row.text or SAID.get(row.phrase, ""), row.at) for row in rows]

    keep(tables, me, person.player, snapshot.code, reason, said)


def keep(
    tables: TableService,
    me: int,
    about: int,
    code: str,
    reason: str,
    said: Callable[[Connection], Sequence[tuple[int, str, float]]],
) -> None:
    """Store a report about a player at the table or review with that code. `said` returns the
    messages there as (author, text, time). Raises InvalidState without a reason, and RateLimited
    after five in a day.
    """
    if reason not in REASONS:
        raise InvalidState(_("Please give a reason."))
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
                "reason": reason,
                "evidence": json.dumps(_without_names(said(connection), me, about)),
                "at": now,
            },
        )
        for hook in after_report:
            hook(connection, me, about, now)

    tables.database.write(work)


def _without_names(
    said: Sequence[tuple[int, str, float]], me: int, about: int
) -> list[list[str | float]]:
    """Return the messages with a label for each author: the reported player, the reporter, or a
    number.
    """
    others: dict[int, str] = {}
    told = {about: "about", me: "by"}
    return [
        [told.get(writer) or others.setdefault(writer, f"other {len(others) + 1}"), text, at]
        for writer, text, at in said
    ]


def lines_of(evidence: str) -> list[tuple[str, str, float]]:
    """Return the messages in a report as (label of the author, text, time). The time is 0 in
    reports stored by older versions.
    """
    return [(it[0], it[1], it[2] if len(it) > 2 else 0.0) for it in json.loads(evidence)]


def drop_old(connection: Connection, now: float) -> None:
    """Delete reports that are too old."""
    store.drop_old_reports(connection, now - KEPT_DAYS * DAY)
