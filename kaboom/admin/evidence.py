"""The messages in a report, as hosts see and delete them."""

from typing import NamedTuple

from sqlalchemy import Connection

from kaboom.admin import queries
from kaboom.social.friends.queries import ReportRow
from kaboom.social.friends.reports import lines_of


class Line(NamedTuple):
    """A message in a report. `id` is that of the stored message, None if it can no longer be
    deleted; `gone` is True if it was deleted, `marked` if the report is about this message.
    """

    who: str
    about: bool
    text: str
    at: float
    id: int | None
    gone: bool
    marked: bool


def marked(report: ReportRow) -> str:
    """Return the text of the message that a report is about; "" if it is not about one."""
    return next((it.text for it in lines_of(report.evidence) if it.marked), "")


def lines(
    connection: Connection, found: ReportRow, about: tuple[int, int | None, str] | None, there: bool
) -> list[Line]:
    """Return the messages in a report, each with the id of the stored message, if there is one.
    `about` is the result of `queries.about`; `there` is True if the reported table or review still
    exists.
    """
    said = lines_of(found.evidence)
    rows = queries.messages_at(connection, found.code, {it.text for it in said})
    stored = {(text, at): number for number, _author, text, at in rows}
    if about:  # reports of older versions have no times
        stored |= {(text, 0.0): number for number, who, text, _at in rows if who == about[0]}
    names = {"about": found.about or "about", "by": found.by or "by"}
    return [
        Line(
            names.get(it.author, it.author.replace("other", "Other player")),
            it.author == "about",
            it.text,
            it.at,
            number := stored.get((it.text, it.at)),
            there and bool(it.text) and it.author == "about" and number is None,
            it.marked,
        )
        for it in said
    ]
