"""The messages in a report, as hosts see and delete them, and the reports beside them."""

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from sqlalchemy import Connection

from kaboom.admin import queries
from kaboom.admin.pages import by_host
from kaboom.admin.queries import Message
from kaboom.social.friends import queries as friends
from kaboom.social.friends.queries import ReportRow
from kaboom.social.friends.reports import lines_of
from kaboom.tables.context import tables

Quoted = tuple[str, bool]  # the result of `quoted`


class Line(NamedTuple):
    """A message in a report. `stored` is the message itself, None if it can no longer be deleted;
    `gone` is True if it was deleted, `marked` if the report is about this message.
    """

    who: str
    about: bool
    text: str
    at: float
    stored: Message | None
    gone: bool
    marked: bool


def quoted(report: ReportRow) -> Quoted:
    """Return the text of the message that a report is about, and True; if it is not about one, the
    last message of the reported player, and False. The text is "" if there is none.
    """
    said = lines_of(report.evidence)
    if found := next((it.text for it in said if it.marked), ""):
        return found, True
    return next((it.text for it in reversed(said) if it.author == "about" and it.text), ""), False


def lines(connection: Connection, found: ReportRow, there: bool) -> list[Line]:
    """Return the messages in a report, each with the stored message, if there is one. `there` is
    True if the reported table or review still exists.
    """
    said = lines_of(found.evidence)
    rows = queries.messages_at(connection, found.code, {it.text for it in said})
    stored = {(it.text, it.at): it for it in rows}
    if found.about_id:  # reports of older versions have no times
        stored |= {(it.text, 0.0): it for it in rows if it.author == found.about_id}
    names = {"about": found.about or "about", "by": found.by or "by"}
    return [
        Line(
            names.get(it.author, it.author.replace("other", "Other player")),
            it.author == "about",
            it.text,
            it.at,
            found_now := stored.get((it.text, it.at)),
            there and bool(it.text) and it.author == "about" and found_now is None,
            it.marked,
        )
        for it in said
    ]


def reports_beside(code: str) -> Mapping[int, int]:
    """Return the numbers of the reports about messages at a table or in a review, by the ids of the
    messages; empty for those who are not hosts.
    """
    if not by_host():
        return {}
    found = tables().database.read(lambda connection: _reported(connection, [code]))
    return {it.id: number for it, number in found}


def reported_remarks(code: str, step: int) -> Sequence[tuple[Message, int]]:
    """Return the remarks on a step of a match that are reported, with the numbers of the reports;
    empty for those who are not hosts.
    """
    if not by_host():
        return ()

    def work(connection: Connection) -> list[tuple[Message, int]]:
        return _reported(connection, queries.reviews_of(connection, code))

    return [it for it in tables().database.read(work) if it[0].step == step]


def _reported(connection: Connection, codes: Collection[str]) -> list[tuple[Message, int]]:
    """Return the stored messages that reports are about, with the numbers of the last ones."""
    marked = {
        (it.code, said.text, said.at): it.id
        for it in reversed(friends.reports_at(connection, codes))
        for said in lines_of(it.evidence)
        if said.marked
    }
    return [
        (it, marked[code, it.text, it.at])
        for code in dict.fromkeys(code for code, _text, _at in marked)
        for it in queries.messages_at(connection, code, {text for _code, text, _at in marked})
        if (code, it.text, it.at) in marked
    ]
