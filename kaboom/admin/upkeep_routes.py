"""The host's pages about the server: messages to all players, matches, hosts, backups."""

import tempfile
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from flask import Response, current_app, redirect, request, url_for
from sqlalchemy import Connection
from werkzeug.wrappers import Response as AnyResponse

from kaboom.accounts.current import known_id
from kaboom.admin import match_queries, queries, service
from kaboom.admin.match_queries import Wanted
from kaboom.admin.pages import PAGE, bp, done, field, page, require_sure, the_host
from kaboom.admin.routes import health, now, person
from kaboom.admin.texts import BACKUP_DAYS
from kaboom.db.backup import save
from kaboom.engine.moves import Refusal
from kaboom.errors import NotPermitted
from kaboom.ratings import queries as ratings
from kaboom.social.chat.room import presence
from kaboom.tables.context import tables
from kaboom.web import rate_limits
from kaboom.web.forms import number as number_in
from kaboom.web.links import absolute, typed_code

FEW = 5  # lines of each list, where all lists are shown
LISTS = ("playing", "waiting", "finished")
SURE = {"end", "void", "expire", "remove"}  # must be confirmed


@bp.get("/upkeep")
def upkeep(wrong: str = "", status: int = 200) -> AnyResponse:
    """Show the pages about the server, each with its state."""
    return page(
        "upkeep",
        lambda c: {
            "notices": queries.notices(c),
            **health(c),
            "hosts": queries.hosts(c),
            "running": match_queries.running(c, 1)[1],
        },
        wrong,
        status,
    )


@bp.get("/messages")
def messages(wrong: str = "", status: int = 200) -> AnyResponse:
    """Show the messages on every page."""
    return page("messages", lambda c: {"notices": queries.notices(c)}, wrong, status)


@bp.get("/matches")
def matches(wrong: str = "", status: int = 200, unused: int | None = None) -> AnyResponse:
    """Show tables and matches, all or those of a search, and the acts on them: the first lines of
    each list, or a page of one of them.
    """
    days, at = current_app.config["SERVER"].expire_days, tables().now()
    search = request.values.get("search", "").strip()[:200]
    only = request.values.get("list", "")
    only = only if only in LISTS else ""
    number = max(1, number_in(request.values.get("page"), otherwise=1)) if only else 1
    many, first = (PAGE, PAGE * (number - 1)) if only else (FEW, 0)

    def read(connection: Connection) -> dict[str, Any]:
        former = queries.taken_names(connection, search)
        wanted = Wanted(search, typed_code(search).upper(), former)
        part = {it: many if only in ("", it) else 0 for it in LISTS}
        playing, running = match_queries.running(connection, part["playing"], wanted, first)
        waiting, open_ones = match_queries.waiting(connection, part["waiting"], wanted, first)
        last, ended = match_queries.finished(connection, part["finished"], wanted, first)
        codes = [it.code for it in last]
        return {
            "counts": {"playing": running, "waiting": open_ones, "finished": ended},
            "playing": match_queries.named(playing),
            "waiting": waiting,
            "finished": match_queries.named(last),
            "still_played": match_queries.still_played(connection, last, at),
            "rated": ratings.counted(connection, codes),
            "taken_out": match_queries.taken_out(connection, codes),
            "ended_by": match_queries.ended_by(connection, codes),
        }

    return page(
        "matches",
        read,
        wrong,
        status,
        unused=unused,
        expire_days=days,
        search=search,
        only=only,
        number=number,
        lines=PAGE,
        few=FEW,
    )


@bp.get("/hosts")
def hosts(wrong: str = "", status: int = 200) -> AnyResponse:
    """Show the hosts of this server."""
    return page(
        "hosts",
        lambda c: {"hosts": queries.hosts(c), "times": queries.times_of_hosts(c)},
        wrong,
        status,
        me=known_id(),
        present=presence().anywhere(),
        links=service.unused_links(tables()),
        minutes=service.LINK_MINUTES,
    )


@bp.get("/backup")
def backups() -> AnyResponse:
    """Show when the last backup was made, and the button for one."""
    return page(
        "backups",
        lambda c: {"backup": queries.last_backup(c), "bytes": queries.size_of_backup(c)},
        old_after=BACKUP_DAYS,
    )


@bp.post("/upkeep")
@rate_limits.both(player="30 per minute", address="60 per minute")
def do_upkeep() -> AnyResponse:
    """Perform one of the acts on these pages."""
    host = the_host()
    form, why = request.form, request.form.get("why", "")
    do, text = form.get("do", ""), form.get("text", "")
    code = typed_code(form.get("code", "")).upper()
    acts: dict[str, tuple[Callable[..., AnyResponse], Callable[[], object]]] = {
        "halt": (messages, lambda: service.say(tables(), host, "halt", text)),
        "today": (messages, lambda: service.say(tables(), host, "today", text)),
        "end": (matches, lambda: service.end_table(tables(), host, code, why)),
        "void": (matches, lambda: service.void(tables(), host, code, why)),
        "expire": (matches, lambda: service.expire(tables(), host, field("days"), why)),
        "remove": (hosts, lambda: service.remove_host(tables(), host, field("host"), why)),
        "withdraw": (hosts, lambda: service.withdraw_link(tables(), host, form.get("link", ""))),
    }
    view, act = acts.get(do, (upkeep, None))
    number, whose = field("person"), dict[str, int]()
    if form.get("from") == "now":
        view = now
    elif number:
        view, whose = person, {"number": number}
    try:
        if act is None:
            raise NotPermitted("Choose what to do.")
        if do == "expire" and "sure" not in form:
            service.require_why(why)
            return matches(unused=service.unused(tables(), field("days")))
        if do in SURE:
            require_sure()
        act()
    except Refusal as no:
        return view(**whose, wrong=str(no), status=no.status)
    search = {it: form[it] for it in ("search", "list", "page") if form.get(it)}
    return done(f"admin.{view.__name__}", **whose, **(search if view is matches else {}))


@bp.get("/link")
def no_link() -> AnyResponse:
    """Redirect to the page that makes a link for a new host, because a link is shown only once."""
    return redirect(url_for("admin.hosts"), 303)


@bp.post("/link")
@rate_limits.both(player="10 per hour", address="20 per hour")
def invite() -> AnyResponse:
    """Make a one-use link for a new host, and show it."""
    host = the_host()
    secret = service.new_link(tables(), host)
    link = absolute("admin.link", secret=secret)
    answer = page("invite", link=link, minutes=service.LINK_MINUTES)
    answer.headers["Cache-Control"] = "private, no-store"
    return answer


@bp.post("/backup")
@rate_limits.both(player="6 per hour", address="12 per hour")
def backup() -> AnyResponse:
    """Make a backup and send it; everything in it that reveals cards is encrypted."""
    host = the_host()
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "backup.gz"
        tables().run_in_thread(save, tables().database, file)
        made = file.read_bytes()
    service.backed_up(tables(), host, len(made))
    answer = Response(made, mimetype="application/gzip")
    day = datetime.fromtimestamp(tables().now(), UTC).strftime("%Y-%m-%d-%H%M")
    answer.headers["Content-Disposition"] = f'attachment; filename="kaboom-{day}.gz"'
    answer.headers["Cache-Control"] = "private, no-store"
    return answer
