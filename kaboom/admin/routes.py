"""The host's pages: the overview, people, and what hosts did (reports: kaboom.admin.report_routes).
They are in English, like the commands.
"""

from collections.abc import Sequence
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
from kaboom.accounts.current import ensure_key, known_id, known_name
from kaboom.admin import in_force, match_queries, queries, sanctions, service
from kaboom.admin.disk import disk
from kaboom.admin.pages import PAGE, SHOWN, bp, done, field, page, require_sure, the_host
from kaboom.admin.queries import Act, Sanction
from kaboom.admin.texts import (
    BACKUP_DAYS,
    FULL,
    KINDS_OF_ACTS,
    due,
    record_in_words,
    to_set_up,
)
from kaboom.db.times import DAY
from kaboom.engine.moves import Refusal
from kaboom.errors import InvalidState
from kaboom.notifications import reminder_queries
from kaboom.social.chat.room import presence
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
    html = render("admin/link.html", secret=secret, there=there, wrong=wrong, name=known_name())
    return make_response(html, status if there else 410)


# Now


@bp.get("")
def now(wrong: str = "", status: int = 200) -> AnyResponse:
    """Show what needs attention, the running matches and the server's figures."""
    server, hub = current_app.config["SERVER"], current_app.extensions["kaboom.hub"]
    at, me = tables().now(), known_id() or 0

    def read(connection: Connection) -> dict[str, Any]:
        ended, saved = queries.by_day(connection, at, DAYS)
        running, playing = match_queries.running(connection, FEW)
        return {
            "figures": queries.figures(connection, at),
            "ended": ended,
            "saved": saved,
            "tables": match_queries.named(running),
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


def known_of(connection: Connection, player: int) -> dict[str, Any]:
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
    held, hosts = [it for it in told if it.until > at], queries.ids_of_hosts(connection)
    return {
        "in_force": [(with_reason(it, acts), by.get(it.id, "")) for it in held],
        "deeds": deeds,
        "reports": reports,
        "record": record_in_words(reports, told, len(former), at),
        "host": player in hosts,
        "only_host": hosts == {player},
        "former": former,
    }


def with_reason(it: Sanction, acts: Sequence[Act]) -> Sanction:
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
def person(number: int, wrong: str = "", status: int = 200) -> AnyResponse:
    """Show a player: their state, what was done before, and the possible acts."""
    at = tables().now()

    def read(connection: Connection) -> dict[str, Any]:
        it = queries.person(connection, number) or abort(404, NO_PLAYER)
        last = match_queries.last_matches(connection, number, LAST)
        return {
            "it": it,
            **known_of(connection, number),
            "matches": match_queries.named(last),
            "still_played": match_queries.still_played(connection, last, at),
            "playing": match_queries.named(match_queries.playing(connection, number, LAST)),
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
            act_on_player(host, number, do, why)
    except Refusal as no:
        return person(number, str(no), no.status)
    return done("admin.person", number=number)


def act_on_player(host: str, player: int, do: str, why: str) -> None:
    """Rename, warn, mute or ban a player, as the form says; raises Refusal."""
    form = request.form
    if do == "rename":
        service.rename(tables(), host, player, form.get("name", ""), why)
    else:
        if do == sanctions.OUT:
            require_sure()
        by_address = "address" in form
        sanctions.sanction(tables(), host, player, do, why, days_in_form(), by_address)


def days_in_form() -> int:
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


# What hosts did


@bp.get("/acts")
def acts() -> AnyResponse:
    """Show the acts of hosts by day, newest first: all, or those of one host, of one kind, or about
    the players with a number or name.
    """
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
