"""Error responses in the requested format (RFC 9457 for programs)."""

from collections.abc import Mapping
from dataclasses import dataclass

from flask import Response, current_app
from msgspec import UNSET

from kaboom.engine.codec import to_json
from kaboom.engine.i18n import gettext as _
from kaboom.engine.i18n import gettext_noop as N_
from kaboom.web.api.columns import wrapped
from kaboom.web.api.negotiation import MEDIA, Format, columns, response_format
from kaboom.web.api.schemas import Problem, Rule, Table
from kaboom.web.api.spoken import cut, plain
from kaboom.web.links import rooted
from kaboom.web.session import key_hash


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of problem: its title, its usual status, and what to do about it."""

    title: str
    status: int
    help: str


KINDS: dict[str, Kind] = {
    "unreadable": Kind(
        N_("Bad request"),
        400,
        N_("The URL or the body could not be read. Send it as documented, in UTF-8."),
    ),
    "not-json": Kind(
        N_("Neither a form nor JSON"),
        415,
        N_("Send a form, or a JSON object with the content type application/json."),
    ),
    "too-long": Kind(
        N_("Request too large"), 413, N_("A request body can have at most 64 kilobytes.")
    ),
    "no-key": Kind(
        N_("Unknown key"),
        401,
        N_(
            "The key that was sent is not valid, or has been revoked or has expired. Create "
            "another."
        ),
    ),
    "not-yours": Kind(
        N_("Not allowed"),
        403,
        N_(
            "Only another person can do that, such as the host or a player. If that is you, "
            "send your key or your cookie. Otherwise, the key lacks that permission, or bots "
            "are not welcome: the message says which. Sending the same request again will not "
            "help."
        ),
    ),
    "locked": Kind(
        N_("The table has a password"),
        403,
        N_("Send the password to the table’s /enter first."),
    ),
    "no-table": Kind(
        N_("Table not found"),
        404,
        N_("There is no table with this code. Ask for the link again."),
    ),
    "not-found": Kind(
        N_("Not found"),
        404,
        N_("There is no game, record or page at this URL."),
    ),
    "not-here": Kind(
        N_("Not accepted here"), 405, N_("This page does not accept that kind of request.")
    ),
    "too-late": Kind(
        N_("Too late"),
        409,
        N_(
            "The table has moved on, or another player was faster. Look at the table as it is now "
            "and choose again. If the match is over, that is not an error."
        ),
    ),
    "illegal": Kind(
        N_("Against the rules"),
        422,
        N_("The move breaks a rule of the game, which the response names. Choose another."),
    ),
    "not-on-offer": Kind(
        N_("Not one of your moves"),
        422,
        N_("Choose from the moves that the table lists for you."),
    ),
    "not-now": Kind(
        N_("Not now"),
        422,
        N_(
            "The table is full, playing or paused, or what you sent cannot be used: the message "
            "says which."
        ),
    ),
    "bad-options": Kind(
        N_("Invalid values"),
        422,
        N_(
            "The request contains unknown or impossible values. Each invalid field is named, "
            "with the reason."
        ),
    ),
    "key-reused": Kind(
        N_("Key already used"),
        422,
        N_("An Idempotency-Key belongs to one request. Use a new one for another."),
    ),
    "too-fast": Kind(
        N_("Too many requests"),
        429,
        N_("Wait as many seconds as Retry-After says, then try again."),
    ),
    "broken": Kind(
        N_("Something went wrong"),
        500,
        N_("This is our mistake. Nothing you did is lost."),
    ),
    "busy": Kind(
        N_("Busy"),
        503,
        N_("Nothing has changed. Wait as many seconds as Retry-After says."),
    ),
}

OF_STATUS = {
    400: "unreadable", 401: "no-key", 403: "not-yours", 404: "not-found", 405: "not-here",
    408: "unreadable", 409: "too-late", 410: "not-found", 413: "too-long", 415: "not-json",
    422: "not-now", 429: "too-fast", 503: "busy",
}  # fmt: skip


def slug_of(no: Exception, status: int = 0) -> str:
    """Return the slug of the kind of problem for an error with this status (0: its usual one)."""
    slug: str = getattr(no, "slug", "")
    usual = slug and status in (0, KINDS[slug].status)
    return slug if usual else OF_STATUS.get(status, "broken")


def problem(
    status: int,
    slug: str,
    detail: str,
    *,
    now: Table | None = None,
    now_text: str = "",
    rule: str = "",
    rules_at: str = "",
    fields: Mapping[str, str] | None = None,
    over: bool = False,
) -> Response:
    """Return the response that explains a refusal.

    `now` is the current table, for programs, and `now_text` the same as text. `rule` is a heading
    of the rules page at `rules_at`.
    """
    if slug == "not-yours" and not key_hash():
        detail = f"{detail} {_('The request has neither a key nor a cookie.')}"
    spoken = response_format()
    if spoken in (Format.JSON, Format.LINES):
        told = Problem(
            type=rooted(f"/problems/{slug}"),
            title=_(KINDS[slug].title),
            status=status,
            detail=detail,
            changed=False if status < 500 else UNSET,
            rule=Rule(rule, f"{rules_at}#{rule}") if rule else None,
            fields=dict(fields or {}),
            over=over,
            now=now,
        )
        response = current_app.response_class(
            to_json(told), status=status, content_type="application/problem+json"
        )
    else:
        sentences = [detail, *(f"{name}: {why}" for name, why in (fields or {}).items())]
        said = _("Refused: {sentence}", sentence=" ".join(sentences))
        if spoken is Format.SAY:
            text = cut(plain(said)) + "\n"
        else:
            cited = f" ({_('rule: {heading}', heading=rule)})" if rule else ""
            lines = wrapped(f"{said}{cited}", columns())
            text = "\n".join([*lines, "", now_text] if now_text else [*lines, ""])
        response = current_app.response_class(text, status=status, content_type=MEDIA[spoken])
    if status == 503:
        response.headers["Retry-After"] = "1"
    return response
