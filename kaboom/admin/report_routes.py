"""The host's pages about reports: the list with the sanctions in force, which can be changed, and
one report with what a host can do about it.
"""

from collections.abc import Callable, Sequence
from typing import Any

from flask import abort, request
from sqlalchemy import Connection
from werkzeug.wrappers import Response as AnyResponse

from kaboom.accounts.current import known_id
from kaboom.admin import evidence, match_queries, queries, sanctions, service
from kaboom.admin.evidence import Quoted
from kaboom.admin.pages import SHOWN, bp, done, field, page, require_sure, the_host
from kaboom.admin.queries import Act, Sanction
from kaboom.admin.routes import (
    Deed,
    act_on_player,
    days_in_form,
    known_of,
    person,
    with_reason,
)
from kaboom.admin.texts import CLOSED_BY, OFFENCES
from kaboom.engine.moves import Refusal
from kaboom.errors import NotPermitted
from kaboom.notifications import reminder_queries
from kaboom.social.friends import queries as friends
from kaboom.social.friends.queries import ReportRow
from kaboom.social.friends.reports import REASONS
from kaboom.tables.context import tables
from kaboom.web import rate_limits

NO_REPORT = "No report has this number. Reports are deleted after 90 days."


@bp.get("/reports")
def reports(wrong: str = "", status: int = 200) -> AnyResponse:
    """Show the reports about players, and the sanctions in force."""
    at, me = tables().now(), known_id() or 0

    def read(connection: Connection) -> dict[str, Any]:
        return {
            "open": _grouped(friends.open_reports(connection, SHOWN)),
            "closed": [[(it, ("", False))] for it in friends.closed_reports(connection, SHOWN)],
            "held": _held(connection, at),
            "notified": reminder_queries.reaches(connection, me),
        }

    return page("reports", read, wrong, status, reasons=REASONS)


def _held(connection: Connection, at: float) -> list[tuple[int, str, list[Sanction]]]:
    """Return the id and name of each player with a sanction in force, and those sanctions."""
    held = queries.all_in_force(connection, at)
    ids = list(dict.fromkeys(it.player for it in held))
    names = friends.names(connection, ids)
    acts: dict[int, list[Act]] = {it: [] for it in ids}
    for act in queries.sanctioning(connection, min((it.at for it in held), default=at)):
        acts.setdefault(act.player, []).append(act)
    return [
        (
            player,
            names.get(player, ""),
            [with_reason(it, acts[player]) for it in held if it.player == player],
        )
        for player in ids
    ]


def _grouped(found: Sequence[ReportRow]) -> list[list[tuple[ReportRow, Quoted]]]:
    """Return reports by the player they are about, each with the message it is about or else the
    player's last one; the player whose report has waited longest first.
    """
    groups: dict[str, list[tuple[ReportRow, Quoted]]] = {}
    for it in found:
        groups.setdefault(it.about, []).append((it, evidence.quoted(it)))
    return list(groups.values())


@bp.get("/reports/<number:number>")
def report(number: int, wrong: str = "", status: int = 200) -> AnyResponse:
    """Show a report: its messages, what was done, and the possible actions."""

    def read(connection: Connection) -> dict[str, Any]:
        found = friends.report(connection, number)
        if found is None:
            abort(404, NO_REPORT)
        player = found.about_id or 0
        known, place = known_of(connection, player), queries.place_of(connection, found.code)
        former = known["former"]
        this = f"report {number}"
        if not player:
            deeds = [Deed(it, None) for it in queries.acts_on(connection, 0, [number])]
            known |= {"deeds": deeds, "reports": []}
        return {
            **known,
            "it": found,
            "player": player,
            "reporter": found.by_id,
            "then": next((old for at, old in former if at >= found.at), ""),
            "place": place,
            "reason": REASONS[found.reason],
            "lines": evidence.lines(connection, found, bool(place[0])),
            "following": friends.next_open_report(connection, number),
            "playing": place[0] == "table" and match_queries.is_playing(connection, found.code),
            "why": OFFENCES.get(found.reason, ""),
            "closing": _closing(known["deeds"], found.at),
            "others": [it for it in known["reports"] if it.id != number],
            "turn": next(
                (
                    it.act
                    for it in known["deeds"]
                    if it.act.act in ("close report", "reopen report") and it.act.about == this
                ),
                None,
            ),
        }

    return page("report", read, wrong, status, number=number, reasons=REASONS)


def _closing(deeds: Sequence[Deed], since: float) -> str:
    """Return the reason that stands in the form that closes a report: what was last done about its
    player after it was made.
    """
    kinds = {"warn": "warn", "mute": "mute", "out": "out", "rename": "rename", "delete": "line"}
    for it in deeds:
        kind = kinds.get(it.act.act.partition(" ")[0])
        if kind and it.act.at >= since:
            return f"{CLOSED_BY[kind]}: {it.act.why}"
    return "Nothing to object to"


@bp.post("/reports/<number:number>")
@rate_limits.both(player="30 per minute", address="60 per minute")
def decide(number: int) -> AnyResponse:
    """Act on a report, or on its player, message or match."""
    host = the_host()
    form, why = request.form, request.form.get("why", "")

    found = tables().database.read(lambda c: friends.report(c, number))
    if found is None:
        abort(404, NO_REPORT)
    do = form.get("do", "")
    try:
        if do == "close":
            service.close_report(tables(), host, number, why)
        elif do == "reopen":
            service.close_report(tables(), host, number, why, closed=False)
        elif do == "note":
            service.note(tables(), host, f"report {number}", why)
        elif do == "line":
            require_sure()
            service.delete_line(tables(), host, found.code, field("line"), why)
        elif do == "end":
            require_sure()
            service.end_table(tables(), host, found.code, why)
        elif found.about_id is None:
            raise NotPermitted("This player does not exist, or was deleted.")
        else:
            act_on_player(host, found.about_id, do, why)
        if "close" in form and do not in ("close", "reopen") and not found.closed:
            done_so = f"{CLOSED_BY[do]}: {why}" if do in CLOSED_BY else why
            service.close_report(tables(), host, number, done_so)
    except Refusal as no:
        return report(number, str(no), no.status)
    return done("admin.report", number=number)


# Sanctions in force


@bp.post("/lift")
@rate_limits.both(player="30 per minute", address="60 per minute")
def lift() -> AnyResponse:
    """End a sanction."""
    host, why = the_host(), request.form.get("why", "")
    return _on_sanction(lambda it: sanctions.lift(tables(), host, it, why))


@bp.post("/change")
@rate_limits.both(player="30 per minute", address="60 per minute")
def change() -> AnyResponse:
    """Change when a sanction ends, or undo the last change."""
    host, why = the_host(), request.form.get("why", "")
    if request.form.get("do") == "back":
        return _on_sanction(lambda it: sanctions.change_back(tables(), host, it, why))
    form = request.form
    keeps = form.get("for") == "keep" and not form.get("days", "").strip()
    by_address = "address" in form if "has_address" in form else None

    def act(number: int) -> None:
        days = None if keeps else days_in_form()
        sanctions.change(tables(), host, number, why, days, by_address)

    return _on_sanction(act)


def _on_sanction(act: Callable[[int], None]) -> AnyResponse:
    """Act on the sanction of the form, and return to the page that has the form: that of a player,
    of a report, or of all reports.
    """
    of_player, of_report = field("person"), field("report")
    try:
        act(field("sanction"))
    except Refusal as no:
        if of_player:
            return person(of_player, str(no), no.status)
        if of_report:
            return report(of_report, str(no), no.status)
        return reports(str(no), no.status)
    if of_player:
        return done("admin.person", number=of_player)
    return done("admin.report", number=of_report) if of_report else done("admin.reports")
