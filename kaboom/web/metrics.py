"""Metrics for Prometheus, and the endpoint /metrics."""

import hmac
import ipaddress
import os
import time
from collections.abc import Callable

from flask import Blueprint, Flask, Response, abort, current_app, g, request
from prometheus_client import (
    CONTENT_TYPE_LATEST,
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    generate_latest,
    multiprocess,
)

bp = Blueprint("metrics", __name__)

REQUESTS = Counter("kaboom_requests_total", "Requests answered", ["route", "status"])
SECONDS = Histogram(
    "kaboom_request_seconds",
    "Seconds until a response began, without streams and long polls",
    buckets=(0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5),
)
MOVES = Counter("kaboom_moves_total", "Moves appended to a log", ["game"])
REFUSALS = Counter("kaboom_refusals_total", "Moves and requests refused", ["reason"])
LATENESS = Histogram(
    "kaboom_clock_lateness_seconds",
    "Seconds by which the clock was late with what was due",
    buckets=(0.01, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 30.0),
)
VIEWS_SENT = Counter("kaboom_views_sent_total", "Views sent over streams, which were not fetched")
STREAMS = Gauge("kaboom_streams", "Open event streams", multiprocess_mode="livesum")
REGIONS = Gauge(
    "kaboom_regions",
    "Regions of pages: cached (at most 6,000 per worker), found there and rendered since startup",
    ["what"],
    multiprocess_mode="livesum",
)

measures: list[Callable[[], None]] = []  # each sets another room's gauges before they are read

HELD = {"table.events", "table.wait"}  # requests that are held open on purpose


def init_app(app: Flask) -> None:
    """Register /metrics, and count responses and refusals."""
    app.register_blueprint(bp)
    app.before_request(begin)
    app.after_request(count)


def moved(game: str, moves: int) -> None:
    """Count moves in a match of a game."""
    MOVES.labels(game).inc(moves)


def late(seconds: float) -> None:
    """Record by how many seconds the clock was late with what was due."""
    LATENESS.observe(seconds)


@bp.get("/metrics")
def show() -> Response:
    """Return the metrics for Prometheus if the client is this machine or sends METRICS_TOKEN."""
    token = current_app.config["SERVER"].metrics_token
    if token:
        given = request.headers.get("Authorization", "").removeprefix("Bearer ")
        if not hmac.compare_digest(given.encode(), token.encode()):
            abort(403, "The metrics require the token.")
    elif not _same_machine(request.remote_addr) or _through_unknown_proxy():
        abort(403, "Set METRICS_TOKEN to read the metrics from other machines.")
    regions = current_app.extensions["kaboom.regions"].cache_info()
    REGIONS.labels("kept").set(regions.currsize)
    REGIONS.labels("found").set(regions.hits)
    REGIONS.labels("rendered").set(regions.misses)
    STREAMS.set(current_app.extensions["kaboom.hub"].streams)
    for measure in measures:
        measure()
    if "PROMETHEUS_MULTIPROC_DIR" in os.environ:  # several workers, which store metrics in files
        registry = CollectorRegistry()
        multiprocess.MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
        return Response(generate_latest(registry), content_type=CONTENT_TYPE_LATEST)
    return Response(generate_latest(), content_type=CONTENT_TYPE_LATEST)


def begin() -> None:
    """Record when the work on this request began."""
    g.began = time.perf_counter()


def count(response: Response) -> Response:
    """Count this response."""
    endpoint, status = request.endpoint or "none", response.status_code
    REQUESTS.labels(endpoint, str(status)).inc()
    if endpoint not in HELD and (began := g.get("began")) is not None:
        SECONDS.observe(time.perf_counter() - began)
    if status in (400, 403, 409, 413, 422, 429):
        REFUSALS.labels(g.get("refusal") or f"http {status}").inc()
    return response


def _through_unknown_proxy() -> bool:
    """Return True if the request came through a proxy that PROXIES does not count: such a proxy on
    this machine would make every visitor seem to be on it as well.
    """
    passed_on = {"X-Forwarded-For", "Forwarded", "X-Real-Ip"} & {*request.headers.keys()}
    return bool(passed_on) and not current_app.config["SERVER"].proxies


def _same_machine(address: str | None) -> bool:
    try:
        return ipaddress.ip_address(str(address)).is_loopback
    except ValueError:
        return False
