"""How often one address may open tables and take chairs; nobody is limited in play."""

from flask import Flask, Response, request
from flask_limiter import Limiter
from flask_limiter.util import get_remote_address

from kaboom.core.language import say

limiter = Limiter(get_remote_address)


def init_app(app: Flask) -> None:
    """Count in Redis where there is one, and go on in memory when it goes away."""
    server = app.config["SERVER"]
    app.config["RATELIMIT_ENABLED"] = server.rate_limits
    app.config["RATELIMIT_STORAGE_URI"] = server.redis_url or "memory://"
    app.config["RATELIMIT_IN_MEMORY_FALLBACK_ENABLED"] = bool(server.redis_url)
    limiter.init_app(app)


def table() -> str:
    """Return what is counted for a table, whoever asks."""
    return f"table {(request.view_args or {}).get('code', '')}"


def table_and_address() -> str:
    """Return what is counted for one address at one table."""
    return f"{table()} {get_remote_address()}"


def was_refused(response: Response) -> bool:
    """Say whether an answer counts as a failed try."""
    return response.status_code == 403


def too_many_tries() -> str:
    """Return what is said to somebody who tries passwords."""
    return say("Too many wrong passwords. Please wait a minute, then try again.")
