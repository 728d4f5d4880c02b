"""Rate limits for guessing codes: after many wrong ones, an IP address is refused even with a
correct one.
"""

import time
from collections.abc import Callable
from math import ceil

from flask import Flask, Response, current_app, request
from limits import parse
from limits.storage import MemoryStorage
from limits.strategies import FixedWindowRateLimiter
from werkzeug.exceptions import TooManyRequests

from kaboom.engine.i18n import gettext as _
from kaboom.web.client import address

WRONG = parse("30 per minute")  # codes from one IP address
# The open page of a deleted table requests it again and again, which reveals nothing.
EACH = parse("1 per hour")
COUNTED = "kaboom.wrong_codes"
# By the name of the part of a URL that is a code: returns True if the viewer belongs there.
belongs: dict[str, Callable[[str], bool]] = {}


def init_app(app: Flask) -> None:
    """Count wrong codes of tables, records, clubs and one-use links together, in this process."""
    if not app.config["SERVER"].rate_limits:
        return
    app.extensions[COUNTED] = FixedWindowRateLimiter(MemoryStorage())
    app.before_request(refuse)
    app.after_request(count)


def refuse() -> None:
    """Refuse an IP address from which too many wrong codes came, unless the viewer belongs to the
    table or club; raises TooManyRequests.
    """
    counted = current_app.extensions[COUNTED]
    if _code() and not counted.test(WRONG, address()) and not _sits_there():
        over = counted.get_window_stats(WRONG, address()).reset_time
        raise TooManyRequests(
            _("Too many wrong codes. Please wait a minute, then try again."),
            retry_after=max(1, ceil(over - time.time())),
        )


def count(response: Response) -> Response:
    """Count a wrong code; the same one counts at most once an hour."""
    if response.status_code not in (404, 410) or not (code := _code()):
        return response
    counted = current_app.extensions[COUNTED]
    if counted.test(WRONG, address()) and counted.hit(EACH, address(), code):
        counted.hit(WRONG, address())
    return response


def _code() -> str:
    """Return the code in the requested URL that could have been guessed, or ""."""
    values = request.view_args or {}
    return " ".join(values[name] for name in ("code", "club", "secret") if name in values)


def _sits_there() -> bool:
    """Return True if the viewer belongs to the table or club, and so has not guessed its code."""
    values = request.view_args
    assert values is not None  # or there was nothing to guess
    part = "club" if "club" in values else "code"
    return belongs[part](values.get(part, ""))
