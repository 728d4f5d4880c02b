"""Friends: a page of one's own, one-use links, and whom one has played with at a table."""

from collections.abc import Callable, Iterable

from flask import Blueprint, make_response, redirect, request, url_for
from flask import render_template as render
from werkzeug.wrappers import Response as AnyResponse

from kaboom.accounts import players as keys
from kaboom.accounts.current import ensure_key
from kaboom.accounts.login import LinkExpired
from kaboom.accounts.names import require_readable_name
from kaboom.engine.moves import Refusal
from kaboom.errors import NotPermitted
from kaboom.social.chat.room import presence
from kaboom.social.friends import reports
from kaboom.social.friends import service as people
from kaboom.social.friends.service import Person
from kaboom.tables.context import tables
from kaboom.tables.snapshot import TableSnapshot
from kaboom.web import limits
from kaboom.web.context import clean_code
from kaboom.web.links import absolute, qr_code
from kaboom.web.session import key_hash

own = Blueprint("friends", __name__)
bp = Blueprint("people", __name__, url_prefix="/t/<code>")
bp.url_value_preprocessor(clean_code)


# One's own page


@own.get("/me/friends")
def show() -> AnyResponse:
    """One's friends, who would be one, and who is blocked."""
    return _page()


@own.post("/me/friends")
@limits.both(player="60 per minute", address="120 per minute")
def change() -> AnyResponse:
    """Answer, part, block, unblock, or let friends see when one is here."""
    what, _, word = request.form.get("do", "").partition(" ")
    acts: dict[str, Callable[[], None]] = {
        "yes": lambda: people.answer(tables(), key_hash(), word, yes=True),
        "no": lambda: people.answer(tables(), key_hash(), word, yes=False),
        "part": lambda: people.part(tables(), key_hash(), word),
        "block": lambda: people.block_known(tables(), key_hash(), word),
        "unblock": lambda: people.unblock(tables(), key_hash(), word),
        "seen": lambda: people.be_seen(tables(), key_hash(), present=True),
        "unseen": lambda: people.be_seen(tables(), key_hash(), present=False),
    }
    try:
        acts.get(what, lambda: None)()
    except Refusal as no:
        return _page(no.status, str(no))
    return redirect(url_for("friends.show"), 303)


@own.post("/me/friends/link")
@limits.both(player="10 per minute; 30 per hour", address="30 per minute; 90 per hour")
def link() -> AnyResponse:
    """Make a link that makes a friend, once. It is shown only now: only its hash is kept."""
    try:
        secret = people.new_link(tables(), key_hash())
    except Refusal as no:
        return _page(no.status, str(no))
    found = absolute("friends.look_at_link", secret=secret)
    page = render("social/friends/link.html", link=found, qr=qr_code(found), days=people.LINK_DAYS)
    return make_response(page)


@own.get("/friend/<secret>")
def look_at_link(secret: str) -> AnyResponse:
    """Show the button that makes two people friends. Looking changes nothing."""
    return _link(secret)


@own.post("/friend/<secret>")
@limits.both(player="20 per minute", address="60 per minute")
def take_link(secret: str) -> AnyResponse:
    """Become friends with the player who made the link; people without a name give one."""
    try:
        people.name_on_link(tables(), secret, key_hash())  # otherwise no key is made
        known = people.name_of(tables(), key_hash())
        name = require_readable_name(known or request.form.get("name", ""))
        player, _ = keys.player(tables(), ensure_key(), name)
        people.take_link(tables(), secret, player)
    except LinkExpired as no:
        return _page(410, str(no))
    except Refusal as no:
        return _link(secret, no.status, str(no))
    return redirect(url_for("friends.show"), 303)


def _link(secret: str, status: int = 200, wrong: str = "") -> AnyResponse:
    try:
        name = people.name_on_link(tables(), secret, key_hash())
    except LinkExpired as no:
        return _page(410, str(no))
    known = people.name_of(tables(), key_hash())
    page = render("social/friends/link.html", secret=secret, name=name, known=known, wrong=wrong)
    return make_response(page, status)


def _page(status: int = 200, wrong: str = "") -> AnyResponse:
    found = people.circle(tables(), key_hash())
    here = _here(found.friends) if found else ()
    page = render("social/friends/list.html", circle=found, here=here, wrong=wrong)
    return make_response(page, status)


def _here(friends: Iterable[Person]) -> set[str]:
    """Return the words of friends who are here, and let friends see it."""
    players = presence().anywhere()
    return {it.word for it in friends if it.present and it.player in players}


# At a table


@bp.get("/people")
def at_table(code: str) -> AnyResponse:
    """Those one plays with: to be friends, to block, to report."""
    return _people(code)


@bp.post("/people")
@limits.both(player="30 per minute", address="90 per minute")
def do_at_table(code: str) -> AnyResponse:
    """Ask somebody to be friends, block them, or let them sit down again."""
    what, _, word = request.form.get("do", "").partition(" ")
    snapshot = tables().look(code, key_hash())
    try:
        person, me = people.person_at(tables(), snapshot, word), snapshot.player
        assert me is not None  # or nobody would have been found
        if what == "ask":
            people.ask(tables(), me, person.player)
        elif what == "block":
            people.block(tables(), me, person.player)
        elif what == "welcome":
            people.welcome(tables(), code, me, person.player)
    except Refusal as no:
        return _people(code, no.status, str(no))
    return redirect(url_for("people.at_table", code=code), 303)


@bp.get("/report")
def ask_why(code: str) -> AnyResponse:
    """Ask why somebody is reported, and say what then happens."""
    return _report(tables().look(code, key_hash()), request.args.get("who", ""))


@bp.post("/report")
@limits.both(player="10 per hour", address="30 per hour")
def report(code: str) -> AnyResponse:
    """Tell the host of the server about somebody."""
    word, snapshot = request.form.get("who", ""), tables().look(code, key_hash())
    try:
        person = people.person_at(tables(), snapshot, word)
        reports.report(tables(), snapshot, person, request.form.get("reason", ""))
    except NotPermitted as no:
        return _people(code, 403, str(no))
    except Refusal as no:
        return _report(snapshot, word, no.status, str(no))
    return redirect(url_for("people.at_table", code=code, reported="1"), 303)


def _report(snapshot: TableSnapshot, word: str, status: int = 200, wrong: str = "") -> AnyResponse:
    try:
        person = people.person_at(tables(), snapshot, word)
    except Refusal as no:
        return _people(snapshot.code, no.status, str(no))
    page = render(
        "social/friends/report.html",
        code=snapshot.code,
        person=person,
        reasons=reports.REASONS,
        days=reports.KEPT_DAYS,
        lines=reports.LINES,
        wrong=wrong,
    )
    return make_response(page, status)


def _people(code: str, status: int = 200, wrong: str = "") -> AnyResponse:
    snapshot = tables().look(code, key_hash())
    table = snapshot.table
    try:
        found = people.people_at(tables(), snapshot)
    except Refusal as no:
        page = render("web/error.html", status=403, sentence=str(no), back=code)
        return make_response(page, 403)
    removed = table.shown_out if table.host == snapshot.player else ()
    page = render(
        "social/friends/people.html",
        code=code,
        people=found,
        removed=removed,
        reported="reported" in request.args,
        wrong=wrong,
    )
    return make_response(page, status)
