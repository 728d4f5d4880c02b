"""Health checks for monitoring, /healthz and /readyz, and traces of requests."""

import os

from flask import Blueprint, Flask, Response, current_app, g, request

from kaboom.db import traces
from kaboom.db.database import Unavailable
from kaboom.db.migrate import missing

bp = Blueprint("health", __name__)


def trace_requests(app: Flask) -> None:
    """Record a span for each request if the OpenTelemetry environment variables enable tracing.

    A span is named after its route, never after the URL.
    """
    traces.start(os.environ)

    def begin() -> None:
        if traces.on():
            route = request.url_rule.rule if request.url_rule else ""
            method = request.method if request.url_rule else "_OTHER"
            attributes = {"http.request.method": method, "http.route": route}
            g.traced = traces.begin(f"{method} {route}".strip(), attributes)

    def note(response: Response) -> Response:
        g.traced_status = response.status_code
        return response

    def end(error: BaseException | None) -> None:
        if (traced := g.pop("traced", None)) is not None:
            traced(g.get("traced_status", 500))

    app.before_request(begin)
    app.after_request(note)
    app.teardown_request(end)


@bp.get("/healthz")
def alive() -> tuple[str, int, dict[str, str]]:
    """Return 200, which shows that this process responds."""
    return "ok\n", 200, {"Content-Type": "text/plain"}


@bp.get("/readyz")
def ready() -> tuple[str, int, dict[str, str]]:
    """Return 200 if the database responds and is migrated, otherwise 503."""
    try:
        lacking = current_app.config["TABLES"].database.read(missing)
    except Exception as error:
        if not isinstance(error, Unavailable):  # which the database has logged
            current_app.logger.warning("not ready: %r", error)
        return "the database does not respond\n", 503, {"Content-Type": "text/plain"}
    if lacking:
        return f"{lacking}\n", 503, {"Content-Type": "text/plain"}
    return "ok\n", 200, {"Content-Type": "text/plain"}
