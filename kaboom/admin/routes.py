"""The host's pages about players: the overview, people, reports, and what hosts did. They are in
English, like the commands.
"""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from itertools import groupby
from math import inf
from typing import Any, NamedTuple

from flask import abort, current_app, make_response, request
from flask import render_template as render
from sqlalchemy import Connection
from werkzeug.wrappers import Response as AnyResponse

from kaboom.accounts import players
from kaboom.accounts import queries as accounts
from kaboom.accounts.current import ensure_key, known_player
from kaboom.admin import evidence, in_force, match_queries, queries, sanctions, service
from kaboom.admin.disk import disk
from kaboom.admin.evidence import Quoted
from kaboom.admin.pages import PAGE, SHOWN, bp, done, field, page, require_sure, the_host
from kaboom.admin.queries import Act, Sanction
from kaboom.admin.texts import (
    BACKUP_DAYS,
    CLOSED_BY,
    FULL,
    KINDS_OF_ACTS,
    OFFENCES,
    due,
    record_in_words,
    to_set_up,
)
from kaboom.db.times import DAY
from kaboom.engine.codec import from_json
from kaboom.engine.moves import Refusal
from kaboom.errors import InvalidState, NotPermitted
from kaboom.notifications import reminder_queries
from kaboom.social.chat.room import presence
from kaboom.social.friends import queries as friends
from kaboom.social.friends.queries import ReportRow
from kaboom.social.friends.reports import REASONS
from kaboom.tables.context import tables
from kaboom.web import rate_limits
from kaboom.web.forms import number as number_in
from kaboom.web.session import bearer

DAYS = 14  # shown in a chart
LAST = 10  # matches and tables listed for a player
FEW = 3  # running matches on the overview
NAMESAKES = 20  # players with the same name, whose acts the log shows
NO_PLAYER = "No player has this number."
NO_REPORT = "No report has this number. Reports are deleted after 90 days."
PERIODS = {"1": "24 hours", "7": "7 days", "30": "30 days"}  # of the log, by their days
FILTERS = ("reported", "muted", "banned", "host")  # marks that filter the list of players


# Becoming a host


@bp.get("/login/<secret>")
@rate_limits.limiter.limit("30 per minute")
def link(secret: str) -> AnyResponse:
    """Show the button that makes this browser's player a host. Opening the link changes nothing."""
    return _link_page(secret)


@bp.post("/login/<secret>")
@rate_limits.both(player="10 per minute", address="20 per minute")
def come(secret: str) -> AnyResponse:
    """Make this browser's player a host."""
    if bearer() is not None or not service.is_open(tables(), secret):
        return _link_page(secret)
    try:
        name = request.form.get("name", "")
        player, named = players.player(tables(), ensure_key(), name)
        service.become_host(tables(), secret, player, named)
    except Refusal as no:
        return _link_page(secret, str(no), no.status)
    return done("admin.now")


def _link_page(secret: str, wrong: str = "", status: int = 200) -> AnyResponse:
    there = service.is_open(tables(), secret)
    known = known_player()
    html = render(
        "admin/link.html", secret=secret, there=there, wrong=wrong, name=known[1] if known else ""
    )
    return make_response(html, status if there else 410)


# Now


@bp.get("")
def now() -> AnyResponse:
    """Show what needs attention, the running matches and the server's figures."""
    the_host()
    return overview()


def overview(wrong: str = "", status: int = 200) -> AnyResponse:
    """Return the overview page for hosts."""
    server, hub = current_app.config["SERVER"], current_app.extensions["kaboom.hub"]
    at, known = tables().now(), known_player()

    def read(connection: Connection) -> dict[str, Any]:
        me = known[0] if known else 0
        ended, saved = queries.by_day(connection, at, DAYS)
        running, playing = match_queries.running(connection, FEW)
        return {
            "figures": queries.figures(connection, at),
            "ended": ended,
            "saved": saved,
            "tables": [(it, from_json(it.names, list)) for it in running],
            "playing": playing,
            **health(connection, queries.open_reports(connection)),
            "unset": to_set_up(
                accounts.has_kept(connection, me),
                reminder_queries.reaches(connection, me),
                bool(server.contact),
            ),
        }

    return page(
        "now",
        read,
        wrong,
        status,
        streams=hub.streams,
        room=hub.limit,
        workers=server.workers,
        clock=server.clock,
        redis=bool(server.redis_url),
    )


def health(connection: Connection, reports: int = 0) -> dict[str, Any]:
    """Return the state of the server, and what needs the host's attention; also open `reports`, if
    given.
    """
    hub, at = current_app.extensions["kaboom.hub"], tables().now()
    total, free = disk(current_app.config["SERVER"])
    used = round(100 * (total - free) / max(1, total))
    pages_used = 100 * hub.streams // max(1, hub.limit)
    backup, notices = queries.last_backup(connection), queries.notices(connection)
    return {
        "due": due(reports, at - backup if backup else None, used, pages_used, notices),
        "backup": backup,
        "free": free,
        "used": used,
        "full": FULL,
        "backup_days": BACKUP_DAYS,
        "pages_used": pages_used,
    }


# People


class Deed(NamedTuple):
    """A host's act on a player, with the sanction that it stored, if any."""

    act: Act
    sanction: Sanction | None


def _known_of(connection: Connection, player: int) -> dict[str, Any]:
    """Return what hosts should know about a player before they act: the sanctions in force, what
    was done before, and the reports.
    """
    at = tables().now()
    told = queries.sanctions_of(connection, player)
    former = queries.former_names(connection, player)
    reports = queries.reports_about(connection, player)
    acts = queries.acts_on(connection, player, [it.id for it in reports])
    deeds = [Deed(it, _sanction_of(it, told)) for it in acts]
    by = {it.sanction.id: it.act.host for it in deeds if it.sanction}
    held = [it for it in told if it.until > at]
    return {
        "in_force": [(_with_reason(it, acts), by.get(it.id, "")) for it in held],
        "deeds": deeds,
        "reports": reports,
        "record": record_in_words(reports, told, len(former), at),
        "host": queries.is_host(connection, player),
        "only_host": [it for it, _name in queries.hosts(connection)] == [player],
        "former": former,
    }


def _with_reason(it: Sanction, acts: Sequence[Act]) -> Sanction:
    """Return a sanction with the reason for its present end. `acts` are those on its player."""
    ends = sanctions.ends_of(acts, it.kind)
    return it._replace(why=ends[-1].why) if ends else it


def _sanction_of(act: Act, told: Sequence[Sanction]) -> Sanction | None:
    kind = {
        "delete line": service.DELETE,
        "made host": service.HOST,
        "removed host": service.NO_HOST,
    }.get(act.act)
    kind = kind or act.act.partition(" ")[0]
    same = (it for it in told if it.kind == kind and it.why == act.why)
    return next((it for it in same if abs(it.at - act.at) < queries.SAME), None)


@bp.get("/people")
@rate_limits.both(player="60 per minute", address="120 per minute")
def people() -> AnyResponse:
    """Show the players whose name or number matches the search, or those with a mark, most recently
    active first.
    """
    the_host()
    search = request.args.get("search", "").strip()[:80]
    only = request.args.get("only", "")
    present = presence().anywhere()

    def read(connection: Connection) -> dict[str, Any]:
        marks = queries.marks(connection, tables().now())
        marked = [it for it, its in marks.items() if any(mark.word == only for mark in its)]
        among = marked if only in FILTERS else None
        found = queries.people(connection, search, SHOWN, among)
        found = sorted(found, key=lambda it: it.id not in present)
        former = queries.taken_names(connection, search)
        return {"people": found, "marks": marks, "former": former}

    chosen = only if only in FILTERS else ""
    return page("people", read, search=search, only=chosen, most=SHOWN, present=present)


@bp.get("/people/<number:number>")
def person(number: int) -> AnyResponse:
    """Show a player: their state, what was done before, and the possible acts."""
    the_host()
    return person_page(number)


def person_page(number: int, wrong: str = "", status: int = 200) -> AnyResponse:
    """Return the page of a player."""
    at = tables().now()

    def read(connection: Connection) -> dict[str, Any]:
        it = queries.person(connection, number) or abort(404, NO_PLAYER)
        last = match_queries.last_matches(connection, number, LAST)
        return {
            "it": it,
            **_known_of(connection, number),
            "matches": [(match, from_json(match.names, list)) for match in last],
            "still_played": match_queries.still_played(connection, last, at),
            "playing": [
                (match, from_json(match.names, list))
                for match in match_queries.playing(connection, number, LAST)
            ],
            "tables": match_queries.last_tables(connection, number, LAST),
            "made": queries.reports_by(connection, number),
        }

    return page("person", read, wrong, status, reasons=REASONS, present=presence().anywhere())


@bp.post("/people/<number:number>")
@rate_limits.both(player="30 per minute", address="60 per minute")
def act(number: int) -> AnyResponse:
    """Act on a player."""
    host, form = the_host(), request.form
    if tables().database.read(lambda c: queries.person(c, number)) is None:
        abort(404, NO_PLAYER)
    do, why = form.get("do", ""), form.get("why", "")
    try:
        if do == "note":
            service.note(tables(), host, f"player {number}", why)
        elif do == "host":
            require_sure()
            service.make_host(tables(), host, number, why)
        else:
            _about(host, number, do, why)
    except Refusal as no:
        return person_page(number, str(no), no.status)
    return done("admin.person", number=number)


# Reports


@bp.get("/reports")
def reports() -> AnyResponse:
    """Show the reports about players, and the sanctions in force."""
    the_host()
    return _reports()


def _reports(wrong: str = "", status: int = 200) -> AnyResponse:
    at, known = tables().now(), known_player()

    def read(connection: Connection) -> dict[str, Any]:
        return {
            "open": _grouped(friends.open_reports(connection, SHOWN)),
            "closed": [[(it, ("", False))] for it in friends.closed_reports(connection, SHOWN)],
            "held": _held(connection, at),
            "notified": known is not None and reminder_queries.reaches(connection, known[0]),
        }

    return page("reports", read, wrong, status, reasons=REASONS)


def _held(connection: Connection, at: float) -> list[tuple[int, str, list[Sanction]]]:
    """Return the id and name of each player with a sanction in force, and those sanctions."""
    held = [it for it in queries.holding(connection, at) if it.until > at]
    ids = list(dict.fromkeys(it.player for it in held))
    names = friends.names(connection, ids)
    acts: dict[int, list[Act]] = {it: [] for it in ids}
    for act in queries.sanctioning(connection, min((it.at for it in held), default=at)):
        acts.setdefault(act.player, []).append(act)
    return [
        (
            player,
            names.get(player, ""),
            [_with_reason(it, acts[player]) for it in held if it.player == player],
        )
        for player in ids
    ]


def _grouped(found: Sequence[ReportRow]) -> list[list[tuple[ReportRow, Quoted]]]:
    """Return reports by the player they are about, with the message that each is about, or
    their last one; the player
    whose report has waited longest first.
    """
    groups: dict[str, list[tuple[ReportRow, Quoted]]] = {}
    for it in found:
        groups.setdefault(it.about, []).append((it, evidence.quoted(it)))
    return list(groups.values())


@bp.get("/reports/<number:number>")
def report(number: int) -> AnyResponse:
    """Show a report: its messages, what was done, and the possible actions."""
    the_host()
    return _report(number)


def _report(number: int, wrong: str = "", status: int = 200) -> AnyResponse:
    def read(connection: Connection) -> dict[str, Any]:
        found = friends.report(connection, number)
        if found is None:
            abort(404, NO_REPORT)
        about = queries.about(connection, number)
        player = about[0] if about else 0
        known, place = _known_of(connection, player), queries.place_of(connection, found.code)
        former = known["former"]
        this = f"report {number}"
        if not about:
            deeds = [Deed(it, None) for it in queries.acts_on(connection, 0, [number])]
            known |= {"deeds": deeds, "reports": []}
        return {
            **known,
            "it": found,
            "player": player,
            "reporter": about[1] if about else None,
            "then": next((old for at, old in former if at >= found.at), ""),
            "place": place,
            "reason": REASONS[found.reason],
            "lines": evidence.lines(connection, found, about, bool(place[0])),
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

    def read(connection: Connection) -> tuple[ReportRow | None, tuple[int, int | None, str] | None]:
        return friends.report(connection, number), queries.about(connection, number)

    found, about = tables().database.read(read)
    if found is None:
        abort(404, NO_REPORT)
    do = form.get("do", "")
    try:
        if do == "close":
            service.close_report(tables(), host, number, why)
        elif do == "reopen":
            service.reopen_report(tables(), host, number, why)
        elif do == "note":
            service.note(tables(), host, f"report {number}", why)
        elif do == "line":
            require_sure()
            service.delete_line(tables(), host, found.code, field("line"), why)
        elif do == "end":
            require_sure()
            service.end_table(tables(), host, found.code, why)
        elif about is None:
            raise NotPermitted("This player does not exist, or was deleted.")
        else:
            _about(host, about[0], do, why)
        if "close" in form and do not in ("close", "reopen") and not found.closed:
            done_so = f"{CLOSED_BY[do]}: {why}" if do in CLOSED_BY else why
            service.close_report(tables(), host, number, done_so)
    except Refusal as no:
        return _report(number, str(no), no.status)
    return done("admin.report", number=number)


def _about(host: str, player: int, do: str, why: str) -> None:
    form = request.form
    if do == "rename":
        service.rename(tables(), host, player, form.get("name", ""), why)
    else:
        if do == sanctions.OUT:
            require_sure()
        by_address = "address" in form
        sanctions.sanction(tables(), host, player, do, why, _days(), by_address)


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

    def act(number: int) -> object:
        days = None if keeps else _days()
        return sanctions.change(tables(), host, number, why, days, by_address)

    return _on_sanction(act)


def _days() -> int:
    """Return the number of days in the form. Raises InvalidState if two were given."""
    chosen, typed = request.form.get("for", "other"), request.form.get("days", "").strip()[:9]
    if chosen == "other":
        return field("days")
    if typed not in ("", chosen):
        chosen = "“As it is”" if chosen == "keep" else chosen
        raise InvalidState(
            f"Nothing has changed yet: {chosen} is chosen, but {typed} typed. Choose “other” for "
            "the number typed, or empty its field."
        )
    return field("for")


def _on_sanction(act: Callable[[int], object]) -> AnyResponse:
    """Act on the sanction of the form, and return to the page that has the form: that of a player,
    of a report, or of all reports.
    """
    person, report = field("person"), field("report")
    try:
        act(field("sanction"))
    except Refusal as no:
        if person:
            return person_page(person, str(no), no.status)
        if report:
            return _report(report, str(no), no.status)
        return _reports(str(no), no.status)
    if person:
        return done("admin.person", number=person)
    return done("admin.report", number=report) if report else done("admin.reports")


# What hosts did


@bp.get("/acts")
def acts() -> AnyResponse:
    """Show the acts of hosts by day, newest first: all, or those of one host, of one kind, or about
    the players with a number or name.
    """
    the_host()
    by, kind = request.args.get("by", ""), request.args.get("kind", "")
    period = request.args.get("days", "")
    day = _day(request.args.get("day", ""))
    since = tables().now() - int(period) * DAY if period in PERIODS else 0.0
    since, until = (since, inf) if day is None else (day, day + DAY)
    about = request.args.get("about", "").strip()[:80]
    first = PAGE * (max(1, number_in(request.args.get("page"), otherwise=1)) - 1)
    kinds = KINDS_OF_ACTS[kind][1] if kind in KINDS_OF_ACTS else ()

    def read(connection: Connection) -> dict[str, Any]:
        if about:
            found = [
                it
                for it in _acts_about(connection, about)
                if by in ("", it.host)
                and (not kinds or _is_of(it, kinds))
                and since <= it.at < until
            ][first : first + PAGE + 1]
        else:
            found = list(
                queries.acts(connection, PAGE + 1, [by] if by else (), kinds, first, since, until)
            )
        shown = found[:PAGE]
        return {
            "days": [(its, list(acts)) for its, acts in groupby(shown, lambda it: it.at // DAY)],
            "more": len(found) > PAGE,
            "hosts": sorted(queries.acting(connection)),
            "still": in_force.still(connection, shown, tables().now()),
        }

    chosen = {"by": by, "kind": kind, "about": about}
    chosen["days"] = period if since and day is None else ""
    chosen["day"] = "" if day is None else f"{datetime.fromtimestamp(day, UTC):%Y-%m-%d}"
    return page(
        "acts",
        read,
        number=first // PAGE + 1,
        kinds=KINDS_OF_ACTS,
        periods=PERIODS,
        chosen=chosen,
        since=since,
    )


def _day(text: str) -> float | None:
    """Return when the day begins that a field names (seconds since 1970); None if it names none."""
    try:
        return datetime.strptime(text, "%Y-%m-%d").replace(tzinfo=UTC).timestamp()
    except ValueError:
        return None


def _is_of(act: Act, kinds: Sequence[str]) -> bool:
    return any(f"{act.act} ".startswith(f"{it} ") for it in kinds)


def _acts_about(connection: Connection, about: str) -> list[Act]:
    """Return the acts about the players with a number or name, newest first."""
    players = [it.id for it in queries.people(connection, about, NAMESAKES)]
    found = {
        act
        for player in players
        for act in queries.acts_on(
            connection, player, [it.id for it in queries.reports_about(connection, player)]
        )
    }
    return sorted(found, key=lambda it: it.at, reverse=True)
