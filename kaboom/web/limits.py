"""How often one address may open tables and take chairs; nobody is limited in play."""

import ipaddress

from flask import Flask, Response, current_app, request
from flask_limiter import Limiter
from flask_limiter.util import get_remote_address
from redis.backoff import NoBackoff
from redis.retry import Retry

from kaboom.core.language import say

# A Redis that hangs must not keep anybody waiting: it is asked once, and then left alone a while.
PATIENCE = {"socket_timeout": 0.25, "socket_connect_timeout": 0.25, "retry": Retry(NoBackoff(), 0)}


def address() -> str:
    """Return what stands for whoever asks: an IPv4 address, or the /64 that an IPv6 one is of.

    A household has a whole /64, and could else ask under a new address each time.
    """
    text = get_remote_address()
    try:
        ip = ipaddress.ip_address(text.partition("%")[0])
    except ValueError:  # not over TCP
        return text
    if isinstance(ip, ipaddress.IPv6Address):
        known = ip.ipv4_mapped
        return str(known) if known else str(ipaddress.ip_network((int(ip), 64), strict=False))
    return text


limiter = Limiter(address)


def stream_address() -> str:
    """Return whose streams are counted together; nothing where they are not.

    This machine's own address may stand for everybody behind a proxy that is not declared.
    """
    text = address()
    lifted = not current_app.config["SERVER"].rate_limits
    return "" if lifted or text.startswith("127.") or text == "::/64" else text


def init_app(app: Flask) -> None:
    """Count in Redis where there is one, and go on in memory when it goes away."""
    server = app.config["SERVER"]
    app.config["RATELIMIT_ENABLED"] = server.rate_limits
    app.config["RATELIMIT_STORAGE_URI"] = server.redis_url or "memory://"
    app.config["RATELIMIT_STORAGE_OPTIONS"] = PATIENCE if server.redis_url else {}
    app.config["RATELIMIT_IN_MEMORY_FALLBACK_ENABLED"] = bool(server.redis_url)
    limiter.init_app(app)


def table() -> str:
    """Return what is counted for a table, whoever asks."""
    return f"table {(request.view_args or {}).get('code', '')}"


def table_and_address() -> str:
    """Return what is counted for one address at one table."""
    return f"{table()} {address()}"


def was_refused(response: Response) -> bool:
    """Say whether an answer counts as a failed try."""
    return response.status_code == 403


def too_many_tries() -> str:
    """Return what is said to somebody who tries passwords."""
    return say("Too many wrong passwords. Please wait a minute, then try again.")
