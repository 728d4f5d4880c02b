"""Metrics for Prometheus: what is counted, and who may read /metrics."""

import re
import time
from dataclasses import replace

import pytest
from flask import Response
from prometheus_client import CONTENT_TYPE_LATEST, REGISTRY
from prometheus_client.values import MultiProcessValue

from kaboom.realtime.hub import Hub
from kaboom.web import metrics
from tests.tables.test_service import all_ready, playing


def figure(client, name, **labels):
    answer = client.get("/metrics")
    assert answer.content_type == CONTENT_TYPE_LATEST
    text = answer.get_data(as_text=True)
    inside = ",".join(f'{key}="{value}"' for key, value in labels.items())
    pattern = re.escape(name + (f"{{{inside}}}" if inside else "")) + r" ([0-9.e+]+)$"
    found = re.search(pattern, text, re.MULTILINE)
    return float(found[1]) if found else 0.0


def test_cached_and_rendered_regions_are_counted(app, client, service):
    app.extensions["kaboom.regions"].cache_clear()  # other tests may have filled it
    code, ids = playing(service, "Ann", "Ben")
    all_ready(service, code, ids)
    client.get(f"/t/{code}/view")
    kept = figure(client, "kaboom_regions", what="kept")
    assert kept == figure(client, "kaboom_regions", what="rendered") > 5
    found = figure(client, "kaboom_regions", what="found")
    app.extensions["kaboom.editions"].clear()
    client.get(f"/t/{code}/view")
    assert figure(client, "kaboom_regions", what="kept") == kept
    assert figure(client, "kaboom_regions", what="found") >= found + kept


def test_moves_requests_and_refusals_are_counted(client, service):
    moves = figure(client, "kaboom_moves_total", game="kaboom")
    gone = figure(client, "kaboom_requests_total", route="table.show", status="404")
    code, ids = playing(service, "Ann", "Ben")
    all_ready(service, code, ids)
    nowhere = figure(client, "kaboom_requests_total", route="none", status="404")
    client.get("/t/NOTATABL")
    client.get("/nowhere")
    assert figure(client, "kaboom_requests_total", route="none", status="404") == nowhere + 1
    assert figure(client, "kaboom_moves_total", game="kaboom") == moves + 2
    assert figure(client, "kaboom_requests_total", route="table.show", status="404") == gone + 1
    strangers = figure(client, "kaboom_refusals_total", reason="not-yours")
    client.post(f"/t/{code}/ready")
    assert figure(client, "kaboom_refusals_total", reason="not-yours") == strangers + 1


@pytest.mark.parametrize(
    ("status", "refused"),
    [
        *[(status, True) for status in (400, 403, 409, 413, 422, 429)],
        *[(status, False) for status in (200, 303, 401, 404, 410, 414, 423, 430, 500, 503)],
    ],
)
def test_malformed_and_stale_requests_count_as_refused(app, status, refused):
    """They count neither as missing pages nor as our own faults."""

    def counted():
        return REGISTRY.get_sample_value("kaboom_refusals_total", reason) or 0

    reason = {"reason": f"http {status}"}
    before = counted()
    with app.test_request_context("/"):
        metrics.count(Response(status=status))
    assert counted() == before + refused


@pytest.mark.parametrize(
    ("path", "measured"),
    [("/rules/gops", 1), ("/nowhere", 1), ("/t/NOTATABL/events", 0), ("/t/NOTATABL/wait", 0)],
)
def test_response_times_are_measured_except_long_polls(app, path, measured):
    before, seconds = (
        REGISTRY.get_sample_value(f"kaboom_request_seconds_{what}") for what in ("count", "sum")
    )
    began = time.perf_counter()
    with app.test_request_context(path):
        metrics.count(Response())  # refused before its time was recorded
        assert REGISTRY.get_sample_value("kaboom_request_seconds_count") == before
        metrics.begin()
        metrics.count(Response())
    assert REGISTRY.get_sample_value("kaboom_request_seconds_count") == before + measured
    took = REGISTRY.get_sample_value("kaboom_request_seconds_sum") - seconds
    assert 0 <= took < time.perf_counter() - began


def test_open_streams_are_counted_when_metrics_are_read(client, monkeypatch):
    for many in (3, 1):
        monkeypatch.setattr(Hub, "streams", many)
        assert figure(client, "kaboom_streams") == many


def test_workers_report_their_combined_counts(client, monkeypatch, tmp_path):
    monkeypatch.setenv("PROMETHEUS_MULTIPROC_DIR", str(tmp_path))
    names = ["game"], ["gops"], "Moves appended to a log"
    for worker in (11, 12):
        value = MultiProcessValue(lambda worker=worker: worker)
        value("counter", "kaboom_moves", "kaboom_moves_total", *names).inc(worker)
    assert figure(client, "kaboom_moves_total", game="gops") == 23


def test_clock_lateness_is_measured(client, service, fake_clock):
    before = figure(client, "kaboom_clock_lateness_seconds_count")
    service.signals.late(0.25)
    assert figure(client, "kaboom_clock_lateness_seconds_count") == before + 1


@pytest.mark.parametrize(
    ("address", "status"),
    [("127.0.0.1", 200), ("127.9.9.9", 200), ("::1", 200), ("192.0.2.7", 403), ("", 403),
     ("unix:", 403)],
)  # fmt: skip
def test_metrics_are_served_to_local_ip_addresses_only(client, address, status):
    answer = client.get("/metrics", environ_base={"REMOTE_ADDR": address})
    assert answer.status_code == status


@pytest.mark.parametrize("proxies", [0, 1])
def test_metrics_are_not_for_visitors_of_an_unknown_proxy(app, client, monkeypatch, proxies):
    monkeypatch.setitem(app.config, "SERVER", replace(app.config["SERVER"], proxies=proxies))
    answer = client.get("/metrics", headers={"X-Forwarded-For": "203.0.113.7"})
    # With PROXIES, the visitor's own address stands where the proxy's was.
    assert answer.status_code == (200 if proxies else 403)


def test_metrics_are_readable_with_the_token(app, client, monkeypatch):
    monkeypatch.setitem(app.config, "SERVER", replace(app.config["SERVER"], metrics_token="psst"))
    for sent in ({}, {"Authorization": "Bearer pss"}, {"Authorization": "psst!"}):
        assert client.get("/metrics", headers=sent).status_code == 403
    answer = client.get(
        "/metrics",
        headers={"Authorization": "Bearer psst"},
        environ_base={"REMOTE_ADDR": "192.0.2.7"},
    )
    assert answer.status_code == 200
