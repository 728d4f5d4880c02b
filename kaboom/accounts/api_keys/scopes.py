"""The scope a key needs at a route, as the rooms have registered it (kaboom.web.api.operations)."""

from werkzeug.routing import Rule

from kaboom.web.api.scopes import FREE, NEVER, to_read
from kaboom.web.api.sent import door_at


def needed(rule: Rule, method: str) -> str:
    """Return the scope a key must have for a route; FREE if any will do, NEVER if none will."""
    reading = to_read(rule.endpoint)
    if reading == FREE or method in ("GET", "HEAD", "OPTIONS"):
        return reading
    door = door_at(rule.rule)
    return NEVER if door is None else door.scope
