"""How often one address may open tables and take chairs; nobody is limited in play."""

from flask import Flask
from flask_limiter import Limiter
from flask_limiter.util import get_remote_address

limiter = Limiter(get_remote_address)


def init_app(app: Flask) -> None:
    """Count in Redis where there is one, and go on in memory when it goes away."""
    server = app.config["SERVER"]
    app.config["RATELIMIT_ENABLED"] = server.rate_limits
    app.config["RATELIMIT_STORAGE_URI"] = server.redis_url or "memory://"
    app.config["RATELIMIT_IN_MEMORY_FALLBACK_ENABLED"] = bool(server.redis_url)
    limiter.init_app(app)
