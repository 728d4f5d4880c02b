"""How a player is called at their turn: ways, quiet hours, letters, and the list of turns."""

from collections.abc import Callable

from flask import Blueprint, Response, make_response, redirect, request, url_for
from flask import render_template as render
from flask_limiter import RateLimitExceeded
from werkzeug.wrappers import Response as AnyResponse

from kaboom.accounts.current import known_player
from kaboom.config import ROOT
from kaboom.db.database import Unavailable
from kaboom.db.times import DAY
from kaboom.engine.i18n import mark, say, spoken_now
from kaboom.engine.moves import Refusal
from kaboom.errors import InvalidState, NotPermitted
from kaboom.notifications import channels as ways
from kaboom.notifications.delivery import Said, post
from kaboom.notifications.outbox import NotArrived
from kaboom.notifications.quiet_hours import zones
from kaboom.notifications.webhook import NotAllowed, checked
from kaboom.notifications.webhook_payloads import SERVICES, shape_of
from kaboom.notifications.webpush import (
    Subscription,
    public_key,
    require_intact,
    require_known_player,
)
from kaboom.tables.context import tables
from kaboom.tables.sittings import tables_of
from kaboom.web import limits
from kaboom.web.errors import sentence_of, too_fast
from kaboom.web.forms import number
from kaboom.web.links import absolute
from kaboom.web.session import key_hash
from kaboom.web.times import span

bp = Blueprint("calls", __name__)

KINDS = {**SERVICES, ways.MAIL: mark("E-mail"), ways.PUSH: mark("A notification of a browser")}
# Why an address is not called. kaboom.notifications.webhook raises these sentences; they are marked
# for translation here, since it knows no languages.
WHY = (
    mark("It cannot be read as an address."),
    mark("It must begin with https:// and name a host."),
    mark("It is too long, or holds spaces."),
    mark("It must not hold a name and password before the host."),
    mark("It must use the usual port, 443."),
    mark("It must be on the public internet."),
    mark("It is no push service of a browser we know."),
    mark("Its keys cannot be read."),
)

TOO_FAST = mark("That was a little often. Please wait a while and try again.")


# Ways


@bp.get("/me/calls")
def show() -> AnyResponse:
    """How the player is called: ways, quiet hours, tables held back."""
    return _page()


@bp.post("/me/calls/add")
@limits.both(player="12 per hour", address="40 per hour")
def add() -> AnyResponse:
    """Keep a way: an address of mail, or of a service."""
    address = request.form.get("address", "").strip()
    kind = request.form.get("kind", "")

    def work(player: int) -> str:
        if not address:
            raise InvalidState(say("Write an address first."))
        wanted = kind or (ways.MAIL if "@" in address.partition("/")[0] else shape_of(address))
        if wanted == ways.MAIL:
            return _add_mail(player, address.removeprefix("mailto:"))
        if wanted not in SERVICES:
            raise InvalidState(say("There is no such service here."))
        checked(address, post().caution)
        ways.add(tables(), player, wanted, address, spoken_now().code, base())
        return "added"

    return _do(work, address)


def _add_mail(player: int, address: str) -> str:
    if post().server is None:
        raise InvalidState(say("This server sends no e-mail."))
    row = ways.add(tables(), player, ways.MAIL, address, spoken_now().code, base())
    if row is not None:
        try:
            post().ask_to_confirm(row, base())
        except NotArrived:
            ways.remove(tables(), player, row.id)
            raise InvalidState(say("The mail server does not take that address.")) from None
    return "letter"


@bp.post("/me/calls/push")
@limits.both(player="12 per hour", address="40 per hour")
def subscribe() -> AnyResponse:
    """Keep a browser that wants notifications."""
    form = request.form

    def work(player: int) -> str:
        if not post().pushes:
            raise InvalidState(say("This server sends no notifications."))
        it = Subscription(*(form.get(name, "")[:600] for name in ("endpoint", "p256dh", "auth")))
        require_known_player(it.endpoint, post().caution, post().services)
        require_intact(it)
        ways.add(tables(), player, ways.PUSH, it.written(), spoken_now().code, base())
        return "added"

    return _do(work)


@bp.post("/me/calls/remove")
@limits.both(player="60 per hour", address="200 per hour")
def remove() -> AnyResponse:
    """Forget a way."""
    return _do(lambda player: ways.remove(tables(), player, _way()))


@bp.post("/me/calls/wake")
@limits.both(player="20 per hour", address="60 per hour")
def wake() -> AnyResponse:
    """Call a way again that rests after failures."""
    return _do(lambda player: ways.wake(tables(), player, _way()))


@bp.post("/me/calls/test")
@limits.both(player="5 per hour", address="15 per hour")
def test() -> AnyResponse:
    """Send a test by one way, now."""

    def work(player: int) -> str:
        row = ways.own(tables(), player, _way())
        if row.checked_at is None:
            raise InvalidState(say("That address is not confirmed yet."))
        here = base()
        what = Said(
            "Kaboom", say("This is a test: calls at your turn arrive here."), f"{here}/turns"
        )
        try:
            post().tell(row.kind, row.address, what, here, "test")
        except NotArrived as error:
            if error.gone:
                ways.remove(tables(), player, row.id)
            return "failed"
        ways.wake(tables(), player, row.id)
        return "sent"

    return _do(work)


@bp.post("/me/calls/wishes")
@limits.both(player="30 per hour", address="120 per hour")
def wishes() -> AnyResponse:
    """Keep quiet hours, and how often calls may come."""
    form = request.form
    begin, end = form.get("from", ""), form.get("to", "")
    zone, digest = form.get("zone", "").strip() or "UTC", number(form.get("digest"))
    return _do(lambda player: ways.wish(tables(), player, begin, end, zone, digest))


@bp.post("/me/calls/snooze")
@limits.both(player="60 per hour", address="200 per hour")
def snooze() -> AnyResponse:
    """Hold back the calls of one table for some days, or no longer."""
    code, days = request.form.get("code", "")[:16], number(request.form.get("days"), 0)
    return _do(lambda player: ways.snooze(tables(), player, code, days * DAY))


@bp.post("/me/calls/feed")
@limits.both(player="12 per hour", address="40 per hour")
def feed() -> AnyResponse:
    """Give the list of turns a new secret address, or take it away."""
    wanted = request.form.get("feed") == "1"
    return _do(lambda player: ways.new_feed(tables(), player, wanted))


def _way() -> int:
    return number(request.form.get("way"), otherwise=0)


def base() -> str:
    """Return how this server's addresses begin."""
    return absolute("pages.home").rstrip("/")


def player_asking() -> int | None:
    """Return the id of the player who asks, if known."""
    known = known_player()
    return known[0] if known else None


def _do(work: Callable[[int], str | None], typed: str = "") -> AnyResponse:
    """Do something for the player, and show the page with what came of it."""
    try:
        player = player_asking()
        if player is None:
            raise NotPermitted(say("Nobody here knows you yet. Sit down at a table first."))
        told = work(player)
    except NotAllowed as no:
        sentence = say("This address cannot be called. {why}", why=say(str(no)))
        return _page(422, sentence, typed)
    except (Refusal, Unavailable) as no:
        return _page(no.status, sentence_of(no), typed)
    return redirect(url_for("calls.show", told=told or None, _anchor="told" if told else None), 303)


TOLD = {
    "added": mark("From now on this address is called when it is your turn."),
    "letter": mark(
        "If no letter has gone there yet, one is on its way. Press the button behind the link in "
        "it within a day. Nothing else is sent before."
    ),
    "sent": mark("The test was taken. It should be there in a moment."),
    "failed": mark("The test did not arrive: the address did not take it."),
}


def _page(status: int = 200, wrong: str = "", typed: str = "") -> AnyResponse:
    player = player_asking()
    mine = ways.kept(tables(), player) if player else ways.Kept()
    told = TOLD.get(request.args.get("told", ""), "") if request.method == "GET" else ""
    now = tables().now()
    held = {code: span(until - now) for code, until in mine.snoozed.items()}
    page = render(
        "notifications/settings.html",
        known=player is not None,
        mine=mine,
        held=held,
        codes=[(it.code, it.game.name) for it in tables_of(tables(), key_hash(), 20)]
        if player
        else [],
        kinds=KINDS,
        shapes=SERVICES,
        zones=zones(),
        told=told,
        wrong=wrong,
        typed=typed,
        mails=post().server is not None,
        push=public_key(post().key()) if post().pushes else "",
        feed=absolute("calls.turns_feed", secret=mine.feed) if mine.feed else "",
    )
    return make_response(page, status)


# Letters: whoever holds one may confirm its address or end them, from any browser


@bp.get("/calls/mail/<secret>")
@limits.limiter.limit("60 per minute")
def letter(secret: str) -> AnyResponse:
    """What may be done with the address a letter went to; mail scanners follow links, so a look
    changes nothing.
    """
    way = ways.of_letter(tables(), secret)
    return make_response(
        render("notifications/email.html", way=way, secret=secret), 200 if way else 404
    )


@bp.post("/calls/mail/<secret>")
@limits.limiter.limit("60 per minute")
def confirm(secret: str) -> AnyResponse:
    """Confirm an address of mail."""
    ways.confirm(tables(), secret)
    return redirect(url_for("calls.letter", secret=secret), 303)


@bp.get("/calls/mail/<secret>/stop")
@limits.limiter.limit("60 per minute")
def stopping(secret: str) -> AnyResponse:
    """The same page: the button that ends the letters is on it."""
    return letter(secret)


@bp.post("/calls/mail/<secret>/stop")
@limits.limiter.limit("60 per minute")
def stop(secret: str) -> AnyResponse:
    """End the letters to an address; mail programs send this by themselves (RFC 8058)."""
    ways.stop_letters(tables(), secret)
    return make_response(render("notifications/email.html", way=None, secret="", stopped=True))


@bp.get("/push.js")
def service_worker() -> Response:
    """What a browser runs when it is called; only who asks for notifications fetches it."""
    text = (ROOT / "static" / "notifications" / "push.js").read_bytes()
    answer = Response(text, mimetype="text/javascript")
    answer.headers["Cache-Control"] = "private, no-cache"
    return answer


@bp.errorhandler(RateLimitExceeded)
def wait_a_little(error: RateLimitExceeded) -> AnyResponse:
    """More was sent than anyone needs in so short a time. What was typed is kept."""
    typed = request.form.get("address", "")[:500]
    return too_fast(error, lambda: _page(429, say(TOO_FAST), typed))
