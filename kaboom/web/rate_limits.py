"""Rate limits on expensive requests, by IP address and player. Playing itself is not limited.

Most limits are declared at their routes, as `@rate_limits.both(player=…, address=…)`.
"""

import time
from collections.abc import Callable
from math import ceil
from typing import Any

from flask import Flask, current_app
from flask_limiter import Limiter
from limits import RateLimitItem, parse
from limits.storage import MemoryStorage
from limits.strategies import FixedWindowRateLimiter
from redis.backoff import NoBackoff
from redis.retry import Retry
from werkzeug.exceptions import TooManyRequests

from kaboom.web.client import address
from kaboom.web.session import key_hash, shown_key

# A hanging Redis must not delay requests: it is tried once, then skipped for a while.
PATIENCE = {"socket_timeout": 0.25, "socket_connect_timeout": 0.25, "retry": Retry(NoBackoff(), 0)}

PROGRAMS = FixedWindowRateLimiter(MemoryStorage())

limiter = Limiter(address)


def stream_address() -> str:
    """Return the IP address whose streams are counted together; "" if they are not counted. This
    machine's own IP address may stand for every player behind an undeclared proxy.
    """
    text = address()
    lifted = not current_app.config["SERVER"].rate_limits
    return "" if lifted or text.startswith("127.") or text == "::/64" else text


def init_app(app: Flask) -> None:
    """Count in Redis if it is configured, and in memory while it is unavailable."""
    server = app.config["SERVER"]
    app.config["RATELIMIT_ENABLED"] = server.rate_limits
    app.config["RATELIMIT_STORAGE_URI"] = server.redis_url or "memory://"
    app.config["RATELIMIT_STORAGE_OPTIONS"] = PATIENCE if server.redis_url else {}
    app.config["RATELIMIT_IN_MEMORY_FALLBACK_ENABLED"] = bool(server.redis_url)
    limiter.init_app(app)
    if not server.rate_limits:
        return
    # Each limited route checks its own limits. The check before every request is disabled, because
    # no limits apply to all routes.
    app.before_request_funcs[None].remove(limiter._check_request_limit)


LOOKS = parse("10 per second")  # by one program, or from one IP address without a key
REFUSED = parse("20 per 10 seconds")  # moves; a legal one is never counted


def count_request() -> None:
    """Count a program's request for a page in this process; raises TooManyRequests if there were
    too many.
    """
    if not _counted(LOOKS, "look"):
        raise TooManyRequests(retry_after=1)


def count_refusal() -> bool:
    """Count a program's refused move; return True if the response may still include the table."""
    return _counted(REFUSED, "refused")


def until_another_refusal() -> int:
    """Return the seconds until the response to a refused move may include the table again."""
    until, _ = PROGRAMS.get_window_stats(REFUSED, "refused", shown_key() or address())
    return max(1, ceil(until - time.time()))


def _counted(limit: RateLimitItem, what: str) -> bool:
    if not current_app.config["SERVER"].rate_limits:
        return True
    return PROGRAMS.hit(limit, what, shown_key() or address())


def seconds_left() -> int:
    """Return the seconds to wait after a refusal; a minute if the limit was not ours."""
    limit = limiter.current_limit
    # Its reset_at is up to a second later than the time from which the next request is allowed.
    until = limit.window.reset_time if limit and limit.breached else time.time() + 60
    return max(1, ceil(until - time.time()))


def both(player: str, address: str) -> Callable[[Any], Any]:
    """Limit a route for one player at any IP address, and for one IP address with all its players.
    A player is recognised by the browser's key; without one, the IP address alone counts. A
    household or a school may share an IP address, so it has a higher limit.
    """

    def limited(view: Any) -> Any:
        of_player = limiter.limit(player, key_func=key_hash, exempt_when=lambda: not key_hash())
        return limiter.limit(address)(of_player(view))

    return limited
