"""Telling the host of the server about somebody: a reason, and the last lines of the talk.

The lines are copied and sealed, so that deleting them changes nothing; without names, so that
forgetting somebody leaves none behind. After 90 days all is gone. No number of reports does
anything by itself.
"""

import json
from collections.abc import Sequence

from sqlalchemy import Connection

from kaboom.db.times import DAY
from kaboom.engine.i18n import mark, say
from kaboom.errors import InvalidState, RateLimited
from kaboom.social.chat import queries as chat
from kaboom.social.chat.service import EVERY, SAID, hearing_of
from kaboom.social.friends import queries as store
from kaboom.social.friends.service import Person
from kaboom.tables.service import Tables
from kaboom.tables.snapshot import TableSnapshot

REASONS = {
    "insults": mark("insults or threats"),
    "bothers": mark("does not leave me alone"),
    "spam": mark("advertising, or the same again and again"),
    "cheats": mark("spoils games on purpose, or cheats"),
    "child": mark("a child may be in danger"),
}
LINES = 30
KEPT_DAYS = 90
IN_A_DAY = 5


def report(tables: Tables, snapshot: TableSnapshot, person: Person, reason: str) -> None:
    """Tell the host of the server about somebody at a table.

    Raises InvalidState without a reason, and RateLimited after five in a day.
    """
    if reason not in REASONS:
        raise InvalidState(say("Please say why."))
    me, now = snapshot.player, tables.now()
    assert me is not None  # or nobody would have been found

    def work(connection: Connection) -> None:
        if store.reports_made(connection, me, now - DAY) >= IN_A_DAY:
            raise RateLimited(say("You have reported {most} times today.", most=IN_A_DAY))
        # Also what those said whom one has muted or blocked: nobody hears with number 0.
        hearing = hearing_of(connection, snapshot)._replace(player=0)
        rows = chat.heard_lines(connection, hearing, EVERY, LINES)
        store.add_report(
            connection,
            {
                "by_id": me,
                "about_id": person.player,
                "code": snapshot.code,
                "reason": reason,
                "evidence": json.dumps(_without_names(rows, me, person.player)),
                "at": now,
            },
        )

    tables.database.write(work)


def _without_names(rows: Sequence[chat.LineRow], me: int, about: int) -> list[list[str]]:
    """Return who said what: the one it is about, the one who reports, or another by a number."""
    others: dict[int, str] = {}
    told = {about: "about", me: "by"}
    return [
        [
            told.get(row.player_id) or others.setdefault(row.player_id, f"other {len(others) + 1}"),
            row.text or SAID.get(row.phrase, ""),
        ]
        for row in rows
    ]


def drop_old(connection: Connection, now: float) -> None:
    """Delete reports that are too old."""
    store.drop_old_reports(connection, now - KEPT_DAYS * DAY)
