"""Authentication of API clients by key: "Authorization: Bearer kb_…".

With a key, cookies are ignored and none is set. The key's scopes limit the request, and no CSRF
check is needed. A key is accepted only in this header, not in the URL.
"""

from flask import Flask, Response, g, request

from kaboom.accounts.api_keys.scopes import require_scope
from kaboom.accounts.api_keys.service import bearer_of
from kaboom.engine.i18n import gettext as _
from kaboom.errors import InvalidToken, NotPermitted
from kaboom.web.api.scopes import Scope
from kaboom.web.context import services
from kaboom.web.rate_limits import limiter
from kaboom.web.session import bearer

WRONG_KEYS = "60 per minute"  # per IP address


def init_app(app: Flask) -> None:
    """Authenticate API keys before each request."""
    app.before_request(know)
    app.after_request(without_cookies)


def is_bot() -> bool:
    """Return True if the requesting client is marked as its player's bot."""
    found = bearer()
    return found is not None and Scope.BOT in found.scopes


def require_person() -> None:
    """Raise NotPermitted for a player's bot: the action seats a person, so the seat would not be
    marked as a bot's.
    """
    if is_bot():
        raise NotPermitted(_("Players’ bots may not do that."))


def may_read_talk() -> bool:
    """Return True if the requester may read table chats. API clients need a key with the chat
    scope.
    """
    found = bearer()
    return found is None or Scope.TALK in found.scopes


def know() -> None:
    """Record the owner of the request's API key.

    Raises InvalidToken for an invalid key, and NotPermitted if the key does not allow the request.
    """
    scheme, _unused, key = request.headers.get("Authorization", "").partition(" ")
    if scheme.lower() != "bearer" or request.blueprint in {"health", "metrics"}:
        return  # a proxy may use Basic authentication; metrics have a token of their own
    found = bearer_of(services(), key.strip())
    if found is None:
        with limiter.shared_limit(WRONG_KEYS, "wrong keys"):
            raise InvalidToken(_("This key is unknown. It may have expired or been revoked."))
    g.bearer = found
    require_scope(found)


def without_cookies(response: Response) -> Response:
    """Remove cookies from the responses to API clients."""
    if bearer() is not None:
        response.headers.pop("Set-Cookie", None)
    return response
