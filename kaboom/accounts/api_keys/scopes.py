"""The scopes of API keys: which scope each route needs, as registered by the rooms, and the check
for it.
"""

from flask import request
from werkzeug.routing import Rule

from kaboom.engine.i18n import gettext as _
from kaboom.engine.i18n import gettext_noop as N_
from kaboom.errors import NotPermitted
from kaboom.web.api.scopes import FREE, NEVER, Scope, to_read
from kaboom.web.api.sent import post_operation_at
from kaboom.web.session import ApiToken

GOOD_FOR = {
    Scope.LOOK: N_("view tables and records"),
    Scope.PLAY: N_("join tables and play"),
    Scope.TABLE: N_("open tables, host them and add bots"),
    Scope.TALK: N_("read and write chat messages"),
    Scope.BOT: N_("be marked as your bot"),
}


def require_scope(found: ApiToken) -> None:
    """Raise NotPermitted if the key does not allow the request."""
    if request.url_rule is None:
        return  # an unknown URL is answered with 404
    scope = needed(request.url_rule, request.method)
    if scope == NEVER:
        raise NotPermitted(_("This cannot be done with an API key, only in the browser."))
    if scope and scope not in found.scopes:
        raise NotPermitted(
            _(
                "This key does not allow that. You need one with permission to {what}.",
                what=_(GOOD_FOR[Scope(scope)]),
            )
        )
    code = str((request.view_args or {}).get("code", "")).upper()
    if found.table and scope and code != found.table:
        raise NotPermitted(_("This key works only at table {code}.", code=found.table))


def needed(rule: Rule, method: str) -> str:
    """Return the scope that a route requires; FREE if any will do, NEVER if none will."""
    reading = to_read(rule.endpoint)
    if reading == FREE or method in ("GET", "HEAD", "OPTIONS"):
        return reading
    operation = post_operation_at(rule.rule)
    return NEVER if operation is None else operation.scope
