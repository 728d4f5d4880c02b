"""The host's pages: figures, reports, upkeep, and what hosts did. They are in English, like the
commands.

All except the one-use link require a host; other players always get the same refusal.
"""

import re
import tempfile
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from flask import Blueprint, Response, abort, current_app, make_response, redirect, request, url_for
from flask import render_template as render
from sqlalchemy import Connection
from werkzeug.wrappers import Response as AnyResponse

from kaboom.accounts import players
from kaboom.accounts.current import ensure_key, known_player
from kaboom.admin import queries, sanctions, service
from kaboom.admin.metrics import disk
from kaboom.admin.queries import Sanction
from kaboom.admin.texts import due, said_of
from kaboom.db.backup import save
from kaboom.engine.codec import from_json
from kaboom.engine.moves import Refusal
from kaboom.errors import InvalidState, NotPermitted
from kaboom.social.friends import queries as friends
from kaboom.social.friends.queries import ReportRow
from kaboom.social.friends.reports import REASONS, lines_of
from kaboom.tables.context import tables
from kaboom.web import rate_limits
from kaboom.web.api.negotiation import wants_html
from kaboom.web.errors import not_done
from kaboom.web.forms import number
from kaboom.web.links import absolute
from kaboom.web.session import bearer

bp = Blueprint("admin", __name__, url_prefix="/host")

SHOWN = 200  # acts, tables and reports on a page
DAYS = 14  # in a chart
LAST = 10  # matches and tables of a player
SURE = {"end", "void", "expire", "remove"}  # must be confirmed
SECTIONS = {"person": "people", "report": "reports", "invite": "upkeep"}  # pages of others


def _host() -> str | None:
    known = known_player() if bearer() is None else None
    if known is None or not tables().database.read(lambda c: queries.is_host(c, known[0])):
        return None
    return known[1]


class NotHost(NotPermitted):
    """The request is not by a host of this server."""


def the_host() -> str:
    """Return the name of the requesting host; raises NotHost for other players."""
    name = _host()
    if name is None:
        raise NotHost(
            "These pages are for hosts of this server. If you are one, sign in. To become one, "
            "ask another host for a link, or run “kaboom host link” on the server."
        )
    return name


@bp.errorhandler(NotHost)
def refused(no: NotHost) -> Response:
    """Respond to players who are not hosts, with the ways to become one."""
    if not wants_html():
        return not_done(no)
    return make_response(render("admin/refused.html"), no.status)


def taken_out(code: str) -> bool:
    """Return True if a host has taken a match out of the ratings."""
    return tables().database.read(lambda c: queries.is_taken_out(c, code))


def _require_sure() -> None:
    if "sure" not in request.form:
        raise InvalidState("Nothing has changed yet. Tick the box to say that you are sure.")


def by_host() -> bool:
    """Return True if a host of this server makes the request."""
    return _host() is not None


def _page(
    template: str, wrong: str = "", status: int = 200, name: str = "", **values: object
) -> AnyResponse:
    """Return one of the host's pages, which says what was done or why it was refused. `name` is
    that of the player concerned.
    """
    chosen = {name: request.args.get(name, "") for name in ("do", "code")}  # by a link
    n = number(request.args.get("n"), otherwise=0)
    page = render(
        f"admin/{template}.html",
        wrong=wrong,
        done=said_of(request.args.get("done", ""), name, n),
        typed=request.form if request.method == "POST" else chosen,
        section=SECTIONS.get(template, template),
        now=tables().now(),
        **values,
    )
    return make_response(page, status)


# Becoming a host


@bp.get("/login/<secret>")
@rate_limits.limiter.limit("30 per minute")
def link(secret: str) -> AnyResponse:
    """Show the button that makes this browser's player a host. Opening the link changes nothing."""
    return _link_page(secret)


@bp.post("/login/<secret>")
@rate_limits.both(player="10 per minute", address="20 per minute")
def come(secret: str) -> AnyResponse:
    """Make the player of this browser a host."""
    if bearer() is not None or not service.is_open(tables(), secret):
        return _link_page(secret)
    try:
        name = request.form.get("name", "")
        player, named = players.player(tables(), ensure_key(), name)
        service.become_host(tables(), secret, player, named)
    except Refusal as no:
        return _link_page(secret, str(no), no.status)
    return redirect(url_for("admin.now", done="welcome"), 303)


def _link_page(secret: str, wrong: str = "", status: int = 200) -> AnyResponse:
    there = service.is_open(tables(), secret)
    known = known_player()
    page = render(
        "admin/link.html", secret=secret, there=there, wrong=wrong, name=known[1] if known else ""
    )
    return make_response(page, status if there else 410)


# Now


@bp.get("")
def now() -> AnyResponse:
    """Show what needs attention, the running matches and the server's figures."""
    the_host()
    return _now()


def _now(wrong: str = "", status: int = 200) -> AnyResponse:
    at = tables().now()
    figures = tables().database.read(lambda c: queries.figures(c, at))
    backup = tables().database.read(queries.last_backup)
    ended, saved = tables().database.read(lambda c: queries.by_day(c, at, DAYS))
    server, hub = current_app.config["SERVER"], current_app.extensions["kaboom.hub"]
    total, free = disk(server)
    used = round(100 * (total - free) / max(1, total))
    pages_used = 100 * hub.streams // max(1, hub.limit)
    notices = tables().database.read(queries.notices)
    age = at - backup if backup else None
    running = tables().database.read(lambda c: queries.running(c, SHOWN))
    return _page(
        "now",
        wrong,
        status,
        due=due(figures["reports"], age, used, pages_used, notices),
        contact=server.contact.removeprefix("mailto:"),
        figures=figures,
        streams=hub.streams,
        room=hub.limit,
        workers=server.workers,
        clock=server.clock,
        redis=bool(server.redis_url),
        free=free,
        backup=backup,
        used=used,
        pages_used=pages_used,
        ended=ended,
        saved=saved,
        tables=[(it, from_json(it.names, list)) for it in running],
    )


# People


@bp.get("/people")
@rate_limits.both(player="60 per minute", address="120 per minute")
def people() -> AnyResponse:
    """Show players by name or number, most recently active first."""
    the_host()
    search = request.args.get("search", "").strip()[:80]
    found = tables().database.read(lambda c: queries.people(c, search, SHOWN))
    marks = tables().database.read(lambda c: queries.marks(c, tables().now()))
    return _page("people", people=found, search=search, most=SHOWN, marks=marks)


@bp.get("/people/<number:number>")
def person(number: int) -> AnyResponse:
    """Show a player: reports, sanctions, and the possible acts."""
    the_host()
    return _person(number)


def _known(number: int) -> queries.Person:
    found = tables().database.read(lambda c: queries.person(c, number))
    return found or abort(404, "No player has this number.")


def _person(number: int, wrong: str = "", status: int = 200) -> AnyResponse:
    read, it = tables().database.read, _known(number)
    reports = read(lambda c: queries.reports_about(c, number))
    noted = [f"player {number}", *(f"report {report}" for report in reports)]
    matches = read(lambda c: queries.last_matches(c, number, LAST))
    return _page(
        "person",
        wrong,
        status,
        it.name,
        it=it,
        notes=read(lambda c: queries.acts_about(c, "note", noted)),
        former=read(lambda c: queries.former_names(c, number)),
        matches=[(match, from_json(match.names, list)) for match in matches],
        tables=read(lambda c: queries.last_tables(c, number, LAST)),
        host=read(lambda c: queries.is_host(c, number)),
        reports=reports,
        sanctions=read(lambda c: queries.sanctions_of(c, number)),
    )


@bp.post("/people/<number:number>")
@rate_limits.both(player="30 per minute", address="60 per minute")
def act(number: int) -> AnyResponse:
    """Act on a player."""
    host, form = the_host(), request.form
    _known(number)
    do, why = form.get("do", ""), form.get("why", "")
    try:
        if do == "note":
            service.note(tables(), host, f"player {number}", why)
        elif do == "host":
            _require_sure()
            service.make_host(tables(), host, number, why)
        else:
            _about(host, number, do, why, "")
    except Refusal as no:
        return _person(number, str(no), no.status)
    return redirect(url_for("admin.person", number=number, done=do, n=_count("days")), 303)


# Reports


@bp.get("/reports")
def reports() -> AnyResponse:
    """Show the reports about players, and the sanctions in force."""
    the_host()
    return _reports()


def _reports(wrong: str = "", status: int = 200) -> AnyResponse:
    found = tables().database.read(friends.all_reports)[:SHOWN]
    whom = number(request.args.get("whom"), otherwise=0)
    name = tables().database.read(lambda c: queries.name_of(c, whom)) or ""
    return _page("reports", wrong, status, name, reports=found, reasons=REASONS, sanctions=_named())


def _named() -> list[tuple[Sanction, str]]:
    at = tables().now()

    def work(connection: Connection) -> list[tuple[Sanction, str]]:
        return [
            (it, queries.name_of(connection, it.player) or "")
            for it in queries.holding(connection, at)
            if it.until > at
        ]

    return tables().database.read(work)


@bp.get("/reports/<number:number>")
def report(number: int) -> AnyResponse:
    """Show a report: the messages around it, and the possible actions."""
    the_host()
    return _report(number)


def _stored_report(number: int) -> ReportRow:
    found = tables().database.read(lambda c: friends.report(c, number))
    return found or abort(404, "No report has this number. Reports are deleted after 90 days.")


def _report(number: int, wrong: str = "", status: int = 200) -> AnyResponse:
    found = _stored_report(number)
    read = tables().database.read
    about = read(lambda c: queries.about(c, number))
    who = {"about": found.about or "about", "by": found.by or "by"}
    said = lines_of(found.evidence)
    texts = {text for writer, text, _at in said if writer == "about"}
    place = read(lambda c: queries.place_of(c, found.code))
    messages = read(lambda c: queries.messages_of(c, about[1], about[0], texts) if about else ())
    # Reports of older versions have no times.
    there = {(text, when) for _id, text, at in messages for when in (at, 0.0)}
    lines = [
        (
            who.get(writer, writer.replace("other", "Other player")),
            text,
            at,
            writer == "about" and bool(place[0]) and (text, at) not in there,
        )
        for writer, text, at in said
    ]
    this = [f"report {number}"]
    player = about[0] if about else 0
    former = read(lambda c: queries.former_names(c, player))
    return _page(
        "report",
        wrong,
        status,
        found.about,
        it=found,
        then=next((old for at, old in former if at >= found.at), ""),
        place=place,
        notes=read(lambda c: queries.acts_about(c, "note", this)),
        closings=read(lambda c: queries.acts_about(c, "close report", this)),
        host=read(lambda c: queries.is_host(c, player)),
        number=number,
        player=about[0] if about else None,
        reason=REASONS[found.reason],
        lines=lines,
        messages=messages,
    )


@bp.post("/reports/<number:number>")
@rate_limits.both(player="30 per minute", address="60 per minute")
def decide(number: int) -> AnyResponse:
    """Act on the player of a report, or close it."""
    host = the_host()
    _stored_report(number)
    form, why = request.form, request.form.get("why", "")
    about = tables().database.read(lambda c: queries.about(c, number))
    do = form.get("do", "")
    try:
        if do == "close":
            service.close_report(tables(), host, number, why)
        elif do == "reopen":
            service.reopen_report(tables(), host, number, why)
        elif do == "note":
            service.note(tables(), host, f"report {number}", why)
        elif about is None:
            raise NotPermitted("This player does not exist, or was deleted.")
        else:
            _about(host, about[0], do, why, about[1])
    except Refusal as no:
        return _report(number, str(no), no.status)
    return redirect(url_for("admin.report", number=number, done=do, n=_count("days")), 303)


def _about(host: str, player: int, do: str, why: str, code: str) -> None:
    form = request.form
    if do == "rename":
        service.rename(tables(), host, player, form.get("name", ""), why)
    elif do == "line":
        _require_sure()
        service.delete_line(tables(), host, code, _count("line"), why)
    else:
        by_address = "address" in form
        if do == sanctions.OUT:
            _require_sure()
        sanctions.sanction(tables(), host, player, do, why, _count("days"), by_address)


def _count(field: str) -> int:
    return number(request.form.get(field), otherwise=0)


@bp.post("/lift")
@rate_limits.both(player="30 per minute", address="60 per minute")
def lift() -> AnyResponse:
    """End a sanction."""
    host, person = the_host(), _count("person")  # whose page has the form; 0: that of the reports
    try:
        player, kind = sanctions.lift(
            tables(), host, _count("sanction"), request.form.get("why", "")
        )
    except Refusal as no:
        return _person(person, str(no), no.status) if person else _reports(str(no), no.status)
    done = f"lift-{kind}"
    if person:
        return redirect(url_for("admin.person", number=player, done=done), 303)
    return redirect(url_for("admin.reports", done=done, whom=player), 303)


# Upkeep


@bp.get("/upkeep")
def upkeep() -> AnyResponse:
    """Show backups, notices, tables and matches."""
    the_host()
    return _upkeep()


def _upkeep(wrong: str = "", status: int = 200, unused: int | None = None) -> AnyResponse:
    known = known_player()
    return _page(
        "upkeep",
        wrong,
        status,
        unused=unused,
        me=known[0] if known else None,
        notices=tables().database.read(queries.notices),
        backup=tables().database.read(queries.last_backup),
        hosts=tables().database.read(queries.hosts),
        expire_days=current_app.config["SERVER"].expire_days,
    )


@bp.post("/upkeep")
@rate_limits.both(player="30 per minute", address="60 per minute")
def do_upkeep() -> AnyResponse:
    """Perform one of the acts on that page."""
    host = the_host()
    form, why = request.form, request.form.get("why", "")
    do, text = form.get("do", ""), form.get("text", "")
    code = code_in(form.get("code", ""))
    back = _now if form.get("from") == "now" else _upkeep
    acts: dict[str, Callable[[], object]] = {
        "halt": lambda: service.say(tables(), host, "halt", text),
        "today": lambda: service.say(tables(), host, "today", text),
        "end": lambda: service.end_table(tables(), host, code, why),
        "void": lambda: service.void(tables(), host, code, why),
        "expire": lambda: service.expire(tables(), host, _count("days"), why),
        "remove": lambda: service.remove_host(tables(), host, _count("host"), why),
    }
    act, found = acts.get(do), None
    try:
        if act is None:
            raise NotPermitted("Choose what to do.")
        if do == "expire" and "sure" not in form:
            return _upkeep(unused=service.unused(tables(), _count("days")))
        if do in SURE:
            _require_sure()
        found = act()
    except Refusal as no:
        return back(str(no), no.status)
    if not text.strip():
        do = {"halt": "open", "today": "quiet"}.get(do, do)
    n = found if do == "expire" else None
    to = "admin.now" if back is _now else "admin.upkeep"
    return redirect(url_for(to, done=do, n=n), 303)


@bp.post("/link")
@rate_limits.both(player="10 per hour", address="20 per hour")
def invite() -> AnyResponse:
    """Make a one-use link for a new host, and show it."""
    host = the_host()
    secret = service.new_link(tables(), host)
    page = _page("invite", link=absolute("admin.link", secret=secret), minutes=service.LINK_MINUTES)
    page.headers["Cache-Control"] = "private, no-store"
    return page


def code_in(typed: str) -> str:
    """Return the code of a table or match, given its code or its address."""
    found = re.search(r"/[mt]/([A-Za-z0-9]+)", typed)
    return (found[1] if found else typed.strip()).upper()


@bp.post("/backup")
@rate_limits.both(player="6 per hour", address="12 per hour")
def backup() -> AnyResponse:
    """Make a backup and send it; everything in it that reveals cards is encrypted."""
    host = the_host()
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "backup.gz"
        tables().run_in_thread(save, tables().database, file)
        made = file.read_bytes()
    service.backed_up(tables(), host)
    answer = Response(made, mimetype="application/gzip")
    day = datetime.fromtimestamp(tables().now(), UTC).strftime("%Y-%m-%d-%H%M")
    answer.headers["Content-Disposition"] = f'attachment; filename="kaboom-{day}.gz"'
    answer.headers["Cache-Control"] = "private, no-store"
    return answer


@bp.get("/acts")
def acts() -> AnyResponse:
    """Show the acts of hosts, newest first."""
    the_host()
    found = tables().database.read(lambda c: queries.acts(c, SHOWN))
    return _page("acts", acts=found)
