"""Programs show a key instead of a cookie: "Authorization: Bearer kb_…".

Then cookies are ignored and none is set, the key says what may be done, and the request cannot come
from another site's page. A key anywhere else, such as in an address, does not count.
"""

from flask import Flask, Response, g, request

from kaboom.accounts.api_keys.scopes import needed
from kaboom.accounts.api_keys.service import bearer_of
from kaboom.engine.i18n import mark, say
from kaboom.errors import InvalidToken, NotPermitted
from kaboom.web.api.scopes import NEVER, Scope
from kaboom.web.context import services
from kaboom.web.limits import limiter
from kaboom.web.session import Bearer, bearer

WRONG_KEYS = "60 per minute"  # of an address

GOOD_FOR = {
    Scope.LOOK: mark("look at tables and records"),
    Scope.PLAY: mark("sit down and play"),
    Scope.TABLE: mark("open tables, be their host, and seat bots"),
    Scope.TALK: mark("read and write what is said at a table"),
    Scope.BOT: mark("be marked as your bot"),
}


def init_app(app: Flask) -> None:
    """Find out whose key a request shows, before anything else is done."""
    app.before_request(know)
    app.after_request(without_cookies)


def is_bot() -> bool:
    """Say whether the program that asks is marked as a bot of its player."""
    found = bearer()
    return found is not None and Scope.BOT in found.scopes


def may_read_talk() -> bool:
    """Say whether whoever asks may read what is said at tables: of programs those with a key for
    that, in every voice.
    """
    found = bearer()
    return found is None or Scope.TALK in found.scopes


def know() -> None:
    """Note who shows a key; raises InvalidToken for one that is not good, and NotPermitted if it is
    not good for this.
    """
    scheme, _, key = request.headers.get("Authorization", "").partition(" ")
    if scheme.lower() != "bearer" or request.blueprint == "health":
        return  # a proxy may ask for a password of its own; figures have a token of their own
    found = bearer_of(services(), key.strip())
    if found is None:
        with limiter.shared_limit(WRONG_KEYS, "wrong keys"):
            raise InvalidToken(
                say("This key is not known here. It may have been revoked, or have expired.")
            )
    g.bearer = found
    refuse_beyond(found)


def refuse_beyond(found: Bearer) -> None:
    """Raise NotPermitted for what a key is not good for."""
    if request.url_rule is None:
        return  # there is no such page, whoever asks
    scope = needed(request.url_rule, request.method)
    if scope == NEVER:
        raise NotPermitted(say("That cannot be done with a key, only in the browser."))
    if scope and scope not in found.scopes:
        raise NotPermitted(
            say(
                "This key is not good for that. You need one that allows you to {what}.",
                what=say(GOOD_FOR[Scope(scope)]),
            )
        )
    code = str((request.view_args or {}).get("code", "")).upper()
    if found.table and scope and code != found.table:
        raise NotPermitted(say("This key is only for the table {code}.", code=found.table))


def without_cookies(response: Response) -> Response:
    """Give a program no cookie."""
    if bearer() is not None:
        response.headers.pop("Set-Cookie", None)
    return response
