"""Friends: the player's page, one-use links, and players met at tables."""

from collections.abc import Callable, Iterable, Sequence

from flask import Blueprint, make_response, redirect, request, url_for
from flask import render_template as render
from werkzeug.wrappers import Response as AnyResponse

from kaboom.accounts.current import ensure_player, known_name
from kaboom.accounts.login import LinkExpired
from kaboom.engine.moves import Refusal
from kaboom.errors import NotPermitted
from kaboom.sharing.qr_codes import qr_code
from kaboom.social.chat.room import presence
from kaboom.social.friends import invitations, reports
from kaboom.social.friends import service as friends
from kaboom.social.friends.service import Person
from kaboom.tables.context import tables
from kaboom.tables.seats import leaving
from kaboom.tables.snapshot import TableSnapshot
from kaboom.web import rate_limits
from kaboom.web.context import clean_code
from kaboom.web.errors import on_refusal
from kaboom.web.forms import number
from kaboom.web.links import absolute
from kaboom.web.session import key_hash

AT_HAND = 3  # friends offered in the waiting room

own = Blueprint("friends", __name__)
bp = Blueprint("people", __name__, url_prefix="/t/<code>")
bp.url_value_preprocessor(clean_code)


# The player's own page


@own.get("/friends")
def show(status: int = 200, wrong: str = "") -> AnyResponse:
    """Show the player's friends, friend requests and blocks."""
    found = friends.get_relations(tables(), key_hash())
    here = _here(found.friends) if found else ()
    page = render("social/friends/list.html", circle=found, here=here, wrong=wrong)
    return make_response(page, status)


@own.post("/friends")
@rate_limits.both(player="60 per minute", address="120 per minute")
@on_refusal(show)
def change() -> AnyResponse:
    """Answer a request, end a friendship, block, unblock, or set whether friends see the player's
    presence.
    """
    what, _, word = request.form.get("do", "").partition(" ")
    acts: dict[str, Callable[[], None]] = {
        "yes": lambda: friends.answer(tables(), key_hash(), word, yes=True),
        "no": lambda: friends.answer(tables(), key_hash(), word, yes=False),
        "part": lambda: friends.part(tables(), key_hash(), word),
        "block": lambda: friends.block_known(tables(), key_hash(), word),
        "unblock": lambda: friends.unblock(tables(), key_hash(), word),
        "seen": lambda: friends.be_seen(tables(), key_hash(), present=True),
        "unseen": lambda: friends.be_seen(tables(), key_hash(), present=False),
    }
    acts.get(what, lambda: None)()
    return redirect(url_for("friends.show"), 303)


@own.post("/friends/link")
@rate_limits.both(player="10 per minute; 30 per hour", address="30 per minute; 90 per hour")
@on_refusal(show)
def link() -> AnyResponse:
    """Create a one-use friend link. It is shown only once, because only its hash is stored."""
    secret = friends.new_link(tables(), key_hash())
    found = absolute("friends.look_at_link", secret=secret)
    page = render("social/friends/link.html", link=found, qr=qr_code(found), days=friends.LINK_DAYS)
    return make_response(page)


@own.get("/friends/add/<secret>")
@on_refusal(show)
def look_at_link(secret: str, status: int = 200, wrong: str = "") -> AnyResponse:
    """Show the button that makes two people friends. Opening the link changes nothing."""
    name = friends.name_on_link(tables(), secret, key_hash())
    page = render(
        "social/friends/link.html", secret=secret, name=name, known=known_name(), wrong=wrong
    )
    return make_response(page, status)


@own.post("/friends/add/<secret>")
@rate_limits.both(player="20 per minute", address="60 per minute")
def take_link(secret: str) -> AnyResponse:
    """Become friends with the creator of the link; people without a name enter one."""
    try:
        friends.name_on_link(tables(), secret, key_hash())  # before a key is created
        player, _name = ensure_player(request.form.get("name", ""))
        friends.take_link(tables(), secret, player)
    except LinkExpired as no:
        return show(410, str(no))
    except Refusal as no:
        return look_at_link(secret, no.status, str(no))
    return redirect(url_for("friends.show"), 303)


@own.get("/friends/<word>/invite")
@on_refusal(show)
def ask_to_play(word: str) -> AnyResponse:
    """Show the games for which the player can open a table and invite this friend to it."""
    found = invitations.friend(tables(), key_hash(), word)
    return make_response(render("social/friends/play.html", friend=found, name=known_name()))


@own.post("/friends/invitations")
@rate_limits.both(player="30 per minute", address="60 per minute")
def answer_invitation() -> AnyResponse:
    """Accept an invitation and go to its table, or decline it."""
    code = request.form.get("code", "").upper()
    try:
        if request.form.get("do") != "join":
            invitations.decline(tables(), code, key_hash())
            return redirect(url_for("pages.home"), 303)
        invitations.accept(tables(), code, key_hash())
    except Refusal as no:
        page = render("web/error.html", status=no.status, sentence=str(no))
        return make_response(page, no.status)
    return redirect(url_for("table.show", code=code), 303)


def _here(friends: Iterable[Person]) -> set[str]:
    """Return the `word` of each friend who is present and lets friends see that."""
    players = presence().anywhere()
    return {it.word for it in friends if it.present and it.player in players}


# At a table


@bp.get("/people")
def at_table(code: str, status: int = 200, wrong: str = "") -> AnyResponse:
    """Show the people at the player's table, with forms to befriend, block or report them."""
    snapshot = tables().get(code, key_hash())
    table = snapshot.table
    try:
        found = friends.people_at(tables(), snapshot)
    except Refusal as no:
        return _error(code, 403, str(no))
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


@bp.post("/people")
@rate_limits.both(player="30 per minute", address="90 per minute")
def do_at_table(code: str) -> AnyResponse:
    """Send a friend request, block a player, or let them sit down again."""
    what, _, word = request.form.get("do", "").partition(" ")
    snapshot = tables().get(code, key_hash())
    try:
        person, me = friends.person_at(tables(), snapshot, word), snapshot.player
        assert me is not None  # otherwise no person would have been found
        if what == "ask":
            friends.ask(tables(), me, person.player)
        elif what == "block":
            friends.block(tables(), me, person.player)
        elif what == "welcome":
            leaving.readmit(tables(), code, me, person.player)
    except Refusal as no:
        return at_table(code, no.status, str(no))
    return redirect(url_for("people.at_table", code=code), 303)


@bp.get("/report")
def ask_why(code: str) -> AnyResponse:
    """Ask for the reason of a report about a player, or about a message (`line`), and explain what
    happens next.
    """
    line = number(request.args.get("line"), otherwise=0)
    return _report(tables().get(code, key_hash()), request.args.get("who", ""), line)


@bp.post("/report")
@rate_limits.both(player="10 per hour", address="30 per hour")
def report(code: str) -> AnyResponse:
    """Report a player, or the author of a message, to the server's host."""
    form, snapshot = request.form, tables().get(code, key_hash())
    word, line = form.get("who", ""), number(form.get("line"), otherwise=0)
    try:
        person, _said = _reported(snapshot, word, line)
        reason = reports.Reason(form.get("reason", ""), form.get("words", ""))
        reports.report(tables(), snapshot, person, reason, line)
    except NotPermitted as no:
        return _no_report(code, line, str(no))
    except Refusal as no:
        return _report(snapshot, word, line, no.status, str(no))
    if line:
        return redirect(url_for("chat.page", code=code, reported="1"), 303)
    return redirect(url_for("people.at_table", code=code, reported="1"), 303)


def _reported(snapshot: TableSnapshot, word: str, line: int) -> tuple[Person, str]:
    """Return the player to report, and the text of their message if it is about one. Raises
    NotPermitted.
    """
    if line:
        return reports.author_of(tables(), snapshot, line)
    return friends.person_at(tables(), snapshot, word), ""


def _no_report(code: str, line: int, wrong: str) -> AnyResponse:
    if line:
        return _error(code, 403, wrong)
    return at_table(code, 403, wrong)


def _report(
    snapshot: TableSnapshot, word: str, line: int = 0, status: int = 200, wrong: str = ""
) -> AnyResponse:
    try:
        person, said = _reported(snapshot, word, line)
    except Refusal as no:
        return _no_report(snapshot.code, line, str(no))
    page = render(
        "social/friends/report.html",
        code=snapshot.code,
        person=person,
        line=line,
        said=said,
        chosen=request.form.get("reason", "insults" if line else ""),
        words=request.form.get("words", ""),
        longest=reports.LONGEST,
        reasons=reports.REASONS,
        days=reports.KEPT_DAYS,
        lines=reports.LINES,
        wrong=wrong,
    )
    return make_response(page, status)


@bp.get("/friends")
def to_invite(code: str, status: int = 200, wrong: str = "") -> AnyResponse:
    """Show the host the friends who can be invited to the table."""
    try:
        found = invitations.to_invite(tables(), tables().get(code, key_hash()))
    except Refusal as no:
        return _error(code, no.status, str(no))
    page = render("social/friends/invite.html", code=code, friends=found, wrong=wrong)
    return make_response(page, status)


@bp.post("/friends")
@rate_limits.both(player="30 per minute; 100 per hour", address="60 per minute; 300 per hour")
def invite(code: str) -> AnyResponse:
    """Invite a friend of the host to the table."""
    player = tables().get(code, key_hash()).player or 0
    try:
        invitations.invite(tables(), code, player, request.form.get("friend", ""))
    except Refusal as no:
        return to_invite(code, no.status, str(no))
    back = "table.show" if request.form.get("from") == "table" else "people.to_invite"
    return redirect(url_for(back, code=code), 303)


def at_hand(code: str) -> Sequence[Person]:
    """Return up to three friends whom the host can invite to the table: first those not invited
    yet, and among them those who show that they are here. Empty for other players.
    """
    try:
        found = invitations.to_invite(tables(), tables().get(code, key_hash()))
    except Refusal:
        return ()
    here = _here(found)
    return sorted(found, key=lambda it: (it.asked, it.word not in here))[:AT_HAND]


def _error(code: str, status: int, sentence: str) -> AnyResponse:
    """Return an error page that leads back to the table."""
    return make_response(
        render("web/error.html", status=status, sentence=sentence, back=code), status
    )
