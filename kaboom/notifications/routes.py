"""Notification settings: channels, quiet hours, muted tables, the feed of turns; and the links in
e-mails.
"""

from collections.abc import Callable

from flask import Blueprint, Response, make_response, redirect, request, url_for
from flask import render_template as render
from flask_limiter import RateLimitExceeded
from werkzeug.wrappers import Response as AnyResponse

from kaboom.accounts.current import known_id
from kaboom.config import ROOT
from kaboom.db.database import Unavailable
from kaboom.db.times import DAY
from kaboom.engine.codec import to_json
from kaboom.engine.i18n import gettext as _
from kaboom.engine.i18n import gettext_noop as N_
from kaboom.engine.i18n import spoken_now
from kaboom.engine.moves import Refusal
from kaboom.errors import InvalidState, NotPermitted
from kaboom.notifications import channels
from kaboom.notifications.delivery import Said, post
from kaboom.notifications.quiet_hours import zones
from kaboom.notifications.retries import NotArrived
from kaboom.notifications.webhook_payloads import SERVICES, shape_of
from kaboom.notifications.webpush_protocol import (
    Subscription,
    public_key,
    require_intact,
    require_known_service,
)
from kaboom.tables.context import tables
from kaboom.tables.seats.own_tables import tables_of
from kaboom.web import rate_limits
from kaboom.web.errors import sentence_of, too_fast
from kaboom.web.forms import number
from kaboom.web.links import absolute
from kaboom.web.outgoing.url_policy import NotAllowed, checked
from kaboom.web.session import key_hash
from kaboom.web.times import span

bp = Blueprint("notifications", __name__)

KINDS = {**SERVICES, channels.MAIL: N_("E-mail"), channels.PUSH: N_("Browser notification")}
# Why an address is refused. kaboom.web.outgoing.url_policy and webpush_protocol raise these
# sentences; they are marked for translation here, because those modules do not translate.
WHY = (
    N_("It is not a valid URL."),
    N_("It must begin with https:// and name a host."),
    N_("It is too long, or contains spaces or invisible characters."),
    N_("It must not contain a username or password."),
    N_("It must use the usual port, 443."),
    N_("It must be on the public internet."),
    N_("It is not a known browser push service."),
    N_("The keys of this browser’s subscription are not valid."),
)

TOO_FAST = N_("Too many attempts. Please wait a while and try again.")


# Channels


@bp.get("/settings/notifications")
def show(status: int = 200, wrong: str = "", typed: str = "") -> AnyResponse:
    """Show the notification settings: channels, quiet hours, muted tables."""
    player = known_id()
    mine = channels.kept(tables(), player) if player else channels.Kept()
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
        feed=absolute("notifications.turns_feed", secret=mine.feed) if mine.feed else "",
    )
    return make_response(page, status)


@bp.post("/settings/notifications/add")
@rate_limits.both(player="12 per hour", address="40 per hour")
def add() -> AnyResponse:
    """Add a channel: an e-mail address, or the webhook of a service."""
    address = request.form.get("address", "").strip()
    kind = request.form.get("kind", "")

    def work(player: int) -> str:
        if not address:
            raise InvalidState(_("Enter an address first."))
        wanted = kind or (channels.MAIL if "@" in address.partition("/")[0] else shape_of(address))
        if wanted == channels.MAIL:
            return _add_mail(player, address.removeprefix("mailto:"))
        if wanted not in SERVICES:
            raise InvalidState(_("That service is not available."))
        checked(address, post().url_policy)
        channels.add(tables(), player, wanted, address, spoken_now().code, base())
        return "added"

    return _do(work, address)


def _add_mail(player: int, address: str) -> str:
    if post().server is None:
        raise InvalidState(_("This server does not send e-mail."))
    row = channels.add(tables(), player, channels.MAIL, address, spoken_now().code, base())
    if row is not None:
        try:
            post().ask_to_confirm(row, base())
        except NotArrived:
            channels.remove(tables(), player, row.id)
            raise InvalidState(
                _("The confirmation could not be sent. Check the address, or try again later.")
            ) from None
    return "letter"


@bp.post("/settings/notifications/push")
@rate_limits.both(player="12 per hour", address="40 per hour")
def subscribe() -> AnyResponse:
    """Add a browser as a channel."""
    form = request.form

    def work(player: int) -> str:
        if not post().pushes:
            raise InvalidState(_("This server does not send browser notifications."))
        it = Subscription(*(form.get(name, "")[:600] for name in ("endpoint", "p256dh", "auth")))
        require_known_service(it.endpoint, post().url_policy, post().services)
        require_intact(it)
        address = to_json(it).decode()
        channels.add(tables(), player, channels.PUSH, address, spoken_now().code, base())
        return "added"

    return _do(work)


@bp.post("/settings/notifications/remove")
@rate_limits.both(player="60 per hour", address="200 per hour")
def remove() -> AnyResponse:
    """Delete a channel."""
    return _do(lambda player: channels.remove(tables(), player, _way()))


@bp.post("/settings/notifications/resume")
@rate_limits.both(player="20 per hour", address="60 per hour")
def wake() -> AnyResponse:
    """Resume a channel that was suspended after failures."""
    return _do(lambda player: channels.wake(tables(), player, _way()))


@bp.post("/settings/notifications/test")
@rate_limits.both(player="5 per hour", address="15 per hour")
def test() -> AnyResponse:
    """Send a test message to a channel now."""

    def work(player: int) -> str:
        row = channels.own(tables(), player, _way())
        if row.checked_at is None:
            raise InvalidState(_("That address has not been confirmed yet."))
        here = base()
        what = Said(
            "Kaboom",
            _("This is a test: your turn notifications arrive here."),
            f"{here}/turns",
        )
        try:
            post().tell(row.kind, row.address, what, here, "test")
        except NotArrived as error:
            if error.gone:
                channels.remove(tables(), player, row.id)
            return "failed"
        channels.wake(tables(), player, row.id)
        return "sent"

    return _do(work)


@bp.post("/settings/notifications/preferences")
@rate_limits.both(player="30 per hour", address="120 per hour")
def wishes() -> AnyResponse:
    """Store quiet hours, and how often notifications may come."""
    form = request.form
    begin, end = form.get("from", ""), form.get("to", "")
    zone, digest = form.get("zone", "").strip() or "UTC", number(form.get("digest"))
    return _do(lambda player: channels.wish(tables(), player, begin, end, zone, digest))


@bp.post("/settings/notifications/snooze")
@rate_limits.both(player="60 per hour", address="200 per hour")
def snooze() -> AnyResponse:
    """Mute one table's notifications for a number of days, or unmute it."""
    code, days = request.form.get("code", "")[:16], number(request.form.get("days"), 0)
    return _do(lambda player: channels.snooze(tables(), player, code, days * DAY))


@bp.post("/settings/notifications/feed")
@rate_limits.both(player="12 per hour", address="40 per hour")
def feed() -> AnyResponse:
    """Give the list of turns a new secret URL, or remove it."""
    wanted = request.form.get("feed") == "1"
    return _do(lambda player: channels.new_feed(tables(), player, wanted))


def _way() -> int:
    return number(request.form.get("way"), otherwise=0)


def base() -> str:
    """Return the base URL of this server."""
    return absolute("pages.home").rstrip("/")


def _do(work: Callable[[int], str | None], typed: str = "") -> AnyResponse:
    """Run `work` for the player, and show the page with the result."""
    try:
        player = known_id()
        if player is None:
            raise NotPermitted(_("You are new here. Take a seat at a table first."))
        told = work(player)
    except NotAllowed as no:
        sentence = _("This URL cannot be used. {why}", why=_(str(no)))
        return show(422, sentence, typed)
    except (Refusal, Unavailable) as no:
        return show(no.status, sentence_of(no), typed)
    return redirect(
        url_for("notifications.show", told=told or None, _anchor="told" if told else None), 303
    )


TOLD = {
    "added": N_("Turn notifications now go to this address."),
    "letter": N_(
        "If this address has not been sent an e-mail yet, one is on its way. Open the link in "
        "it within a day and press the button. Until then, nothing else is sent."
    ),
    "sent": N_("The test was sent. It should arrive in a moment."),
    "failed": N_("The test could not be delivered."),
}


# E-mails: their recipient may confirm the address or stop them, from any browser


@bp.get("/notifications/mail/<secret>")
@rate_limits.limiter.limit("60 per minute")
def letter(secret: str) -> AnyResponse:
    """Show the page that an e-mail links to. Mail scanners follow links, so opening it changes
    nothing.
    """
    channel = channels.of_letter(tables(), secret)
    return make_response(
        render("notifications/email.html", way=channel, secret=secret), 200 if channel else 404
    )


@bp.post("/notifications/mail/<secret>")
@rate_limits.limiter.limit("60 per minute")
def confirm(secret: str) -> AnyResponse:
    """Confirm an e-mail address."""
    channels.confirm(tables(), secret)
    return redirect(url_for("notifications.letter", secret=secret), 303)


@bp.get("/notifications/mail/<secret>/stop")
@rate_limits.limiter.limit("60 per minute")
def stopping(secret: str) -> AnyResponse:
    """Show the page of `letter`, which also has the button that stops the e-mails."""
    return letter(secret)


@bp.post("/notifications/mail/<secret>/stop")
@rate_limits.limiter.limit("60 per minute")
def stop(secret: str) -> AnyResponse:
    """Stop the e-mails to an address; e-mail programs may request this directly (RFC 8058)."""
    channels.stop_letters(tables(), secret)
    return make_response(render("notifications/email.html", way=None, secret="", stopped=True))


@bp.get("/push.js")
def service_worker() -> Response:
    """Return the service worker, which shows notifications; only browsers that support push request
    it.
    """
    text = (ROOT / "static" / "notifications" / "service_worker.js").read_bytes()
    answer = Response(text, mimetype="text/javascript")
    answer.headers["Cache-Control"] = "private, no-cache"
    return answer


@bp.errorhandler(RateLimitExceeded)
def wait_a_little(error: RateLimitExceeded) -> AnyResponse:
    """Return the page with the entered values, and a message that there were too many attempts."""
    typed = request.form.get("address", "")[:500]
    return too_fast(error, lambda: show(429, _(TOO_FAST), typed))
