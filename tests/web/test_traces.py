"""Traces: their spans, which contain nothing about a person or a card."""

import json

import pytest
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from kaboom.db import traces
from kaboom.realtime.writer import StreamWriter


@pytest.fixture
def exporter():
    found = InMemorySpanExporter()
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(found))
    traces.use(provider)  # before the database is opened
    yield found
    traces.use(None)


def spans(exporter):
    return {it.name: it for it in exporter.get_finished_spans()}


def test_trace_of_a_move_has_its_request_and_statements(exporter, table):
    _path, (ann, _) = table("Ann", "Ben", game="gops")
    exporter.clear()
    form, button = ann.page.moves()[0]
    ann.send(form, button, form.boxes[:1])
    found = spans(exporter)
    request, move = found["POST /t/<code>/move"], found["move"]
    assert move.parent.span_id == request.context.span_id
    assert request.attributes["http.response.status_code"] == 303
    assert move.attributes["kaboom.game"] == "gops"
    inside = [it.name for it in found.values() if it.parent == move.context]
    assert any(name.startswith("INSERT") for name in inside), inside
    assert any(name.startswith("SELECT") for name in inside), inside


def test_spans_contain_no_names_keys_or_moves(exporter, table, service):
    path, people = table("Annabelle", "Benedikta", game="gops")
    for person in people:
        form, button = person.page.moves()[0]
        person.send(form, button, form.boxes[:1])
        person.open(f"{path}?q=Annabelle")
        person.open(f"{path}/nowhere-Annabelle")
    code = path.rsplit("/", 1)[1]
    keys = [person.client.get_cookie("kb").value for person in people]
    told = json.dumps([json.loads(it.to_json()) for it in exporter.get_finished_spans()])
    for secret in ("Annabelle", "Benedikta", code, *keys, "127.0.0.1", "localhost", "bid"):
        assert secret not in told, secret
    known = {"http.request.method", "http.route", "http.response.status_code", "db.system.name"}
    known |= {"kaboom.game", "kaboom.streams", "error.type"}
    assert {key for it in exporter.get_finished_spans() for key in it.attributes} <= known
    assert not any(it.events for it in exporter.get_finished_spans())


def test_trace_names_an_error_only_by_its_type(exporter):
    with pytest.raises(ValueError, match="of Ann"), traces.span("move"):
        raise ValueError("the King of Ann")
    (found,) = exporter.get_finished_spans()
    assert found.attributes == {"error.type": "ValueError"}
    assert found.status.description is None and not found.events


def test_pushing_views_creates_a_span(exporter):
    StreamWriter()._look([])
    assert spans(exporter)["push views"].attributes == {"kaboom.streams": 0}


def test_trace_of_a_client_is_not_continued(exporter, browser):
    trace = "0af7651916cd43dd8448eb211c80319c"
    browser().client.get("/lobby", headers={"traceparent": f"00-{trace}-b7ad6b7169203331-01"})
    found = spans(exporter)["GET /lobby"]
    assert found.parent is None and f"{found.context.trace_id:032x}" != trace


@pytest.mark.parametrize(
    ("environ", "expected"),
    [
        ({}, False),
        ({"OTEL_EXPORTER_OTLP_ENDPOINT": "http://localhost:4318"}, True),
        ({"OTEL_TRACES_EXPORTER": "console"}, True),
        ({"OTEL_TRACES_EXPORTER": "none", "OTEL_EXPORTER_OTLP_ENDPOINT": "x"}, False),
        ({"OTEL_SDK_DISABLED": "true", "OTEL_EXPORTER_OTLP_ENDPOINT": "x"}, False),
    ],
)
def test_only_the_standard_variables_turn_traces_on(environ, expected):
    assert traces.wanted(environ) is expected


def test_missing_trace_library_is_reported_once(monkeypatch, caplog):
    monkeypatch.setattr(traces, "find_spec", lambda name: None)
    traces.start({"OTEL_TRACES_EXPORTER": "otlp"})
    assert not traces.on()
    assert "kaboom-cardroom[traces] is not installed" in caplog.text


def test_without_traces_nothing_is_wrapped():
    assert traces.span("move") is traces.NOTHING
    assert traces.statement("SELECT 1") is traces.NOTHING
    work = len
    assert traces.carried(work) is work


def test_statement_is_named_by_its_tables():
    text = "SELECT a.x FROM tables AS a JOIN matches ON 1 WHERE a.code = ?"
    assert traces.summary(text) == "SELECT tables matches"
    assert traces.summary("update tables SET x = ?") == "UPDATE tables"
    assert traces.summary("BEGIN IMMEDIATE") == "BEGIN"
