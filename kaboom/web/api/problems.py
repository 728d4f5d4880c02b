"""Why something was not done, in the voice that was asked for (RFC 9457 for programs)."""

from collections.abc import Mapping
from dataclasses import dataclass

from flask import Response, current_app
from msgspec import UNSET

from kaboom.engine.codec import to_json
from kaboom.engine.i18n import mark, say
from kaboom.web.api.columns import wrapped
from kaboom.web.api.negotiation import MEDIA, Voice, columns, voice
from kaboom.web.api.schemas import Problem, Rule, Table
from kaboom.web.api.spoken import cut, plain
from kaboom.web.session import key_hash


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of problem: its title, its usual status, and what to do about it."""

    title: str
    status: int
    help: str


KINDS: dict[str, Kind] = {
    "unreadable": Kind(
        mark("Not understood"),
        400,
        mark("The address or the body could not be read. Send what the documents say, as UTF-8."),
    ),
    "not-json": Kind(
        mark("Neither a form nor JSON"),
        415,
        mark("Send a form, or a JSON object with the content type application/json."),
    ),
    "too-long": Kind(mark("Too much text"), 413, mark("No body may be longer than 64 kilobytes.")),
    "no-key": Kind(
        mark("This key is not known"),
        401,
        mark("The key that was sent is not one, has been revoked, or has run out. Make another."),
    ),
    "not-yours": Kind(
        mark("Not yours to do"),
        403,
        mark(
            "Only somebody else may do that: the host, or a player. If that is you, send your key "
            "or your cookie. Or the key is not good for that, or bots are not welcome: the "
            "sentence says which. Sent again as it is, it will be refused again."
        ),
    ),
    "locked": Kind(
        mark("The table has a password"),
        403,
        mark("Send the password to the table’s /enter first."),
    ),
    "no-table": Kind(
        mark("No such table"),
        404,
        mark("There is no table with this code. Ask for the link again."),
    ),
    "not-found": Kind(
        mark("Nothing is there"),
        404,
        mark("There is no game, record or page at this address."),
    ),
    "not-here": Kind(
        mark("Not taken here"), 405, mark("This address does not take such requests.")
    ),
    "too-late": Kind(
        mark("Too late"),
        409,
        mark(
            "The table has moved on, or somebody was faster. Look at the table as it is now and "
            "choose again. If the match is over, that is news, not a failure."
        ),
    ),
    "illegal": Kind(
        mark("Against a rule"),
        422,
        mark("The move breaks a rule of the game; it is named. Choose another."),
    ),
    "not-on-offer": Kind(
        mark("Not among your moves"),
        422,
        mark("Choose from the moves that the table lists for you."),
    ),
    "not-now": Kind(
        mark("Not now"),
        422,
        mark(
            "The table is in no state for that: it is full, playing, or paused. Or what was sent "
            "cannot be used: the sentence says what."
        ),
    ),
    "bad-options": Kind(
        mark("Not possible like that"),
        422,
        mark(
            "What was sent holds what there is not, or what cannot be. Each field that is wrong is "
            "named with its reason."
        ),
    ),
    "key-reused": Kind(
        mark("Key used before"),
        422,
        mark("An Idempotency-Key stands for one request. Make a new one for another."),
    ),
    "too-fast": Kind(
        mark("Too fast"), 429, mark("Wait for as many seconds as Retry-After says, then ask again.")
    ),
    "broken": Kind(
        mark("Something went wrong"),
        500,
        mark("That is a mistake of ours. Nothing you did is lost."),
    ),
    "busy": Kind(
        mark("Busy"),
        503,
        mark("Nothing has changed. Wait for as many seconds as Retry-After says."),
    ),
}

OF_STATUS = {
    400: "unreadable", 401: "no-key", 403: "not-yours", 404: "not-found", 405: "not-here",
    408: "unreadable", 409: "too-late", 410: "not-found", 413: "too-long", 415: "not-json",
    422: "not-now", 429: "too-fast", 503: "busy",
}  # fmt: skip


def slug_of(no: Exception, status: int = 0) -> str:
    """Return the kind of problem that an error is, answered with a status (0: its usual one)."""
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
    """Return the answer that says why something was not done.

    `now` is the table as it is, for programs; `now_text` the same as text. `rule` is a heading of
    the rules page at `rules_at`.
    """
    if slug == "not-yours" and not key_hash():
        detail = f"{detail} {say('Neither a key nor a cookie came with the request.')}"
    spoken = voice()
    if spoken in (Voice.JSON, Voice.LINES):
        told = Problem(
            type=f"/problems/{slug}",
            title=say(KINDS[slug].title),
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
        said = say("Refused: {sentence}", sentence=" ".join(sentences))
        if spoken is Voice.SAY:
            text = cut(plain(said)) + "\n"
        else:
            cited = f" ({say('rule: {heading}', heading=rule)})" if rule else ""
            lines = wrapped(f"{said}{cited}", columns())
            text = "\n".join([*lines, "", now_text] if now_text else [*lines, ""])
        response = current_app.response_class(text, status=status, content_type=MEDIA[spoken])
    if status == 503:
        response.headers["Retry-After"] = "1"
    return response
