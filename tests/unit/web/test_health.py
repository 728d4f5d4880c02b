"""Whoever watches a server asks /healthz, /readyz and /metrics."""

import re
from dataclasses import replace

import pytest
from werkzeug.exceptions import default_exceptions

from kaboom.bots.pace import Pace
from kaboom.web import errors
from tests.conftest import served
from tests.unit.tables.test_service import all_ready, playing


@pytest.fixture
def client(app):
    return app.test_client()


def figure(client, name, **labels):
    text = client.get("/metrics").get_data(as_text=True)
    inside = ",".join(f'{key}="{value}"' for key, value in labels.items())
    pattern = re.escape(name + (f"{{{inside}}}" if inside else "")) + r" ([0-9.e+]+)$"
    found = re.search(pattern, text, re.MULTILINE)
    return float(found[1]) if found else 0.0


def test_a_server_that_answers_is_alive_and_ready(client):
    for path in ("/healthz", "/readyz"):
        answer = client.get(path)
        assert (answer.status_code, answer.get_data()) == (200, b"ok\n")


def test_a_server_without_its_store_is_alive_but_not_ready(app, client, tmp_path):
    with served(app, f"sqlite:///{tmp_path}/not/there.sqlite3"):
        assert client.get("/healthz").status_code == 200
        answer = client.get("/readyz")
        assert answer.status_code == 503
        assert "not/there" not in answer.get_data(as_text=True)


def test_a_server_whose_store_is_not_migrated_is_not_ready_and_says_what_to_do(
    app, client, tmp_path
):
    with served(app, f"sqlite:///{tmp_path}/new.sqlite3"):
        answer = client.get("/readyz")
        assert answer.status_code == 503
        assert "Run `kaboom migrate` first." in answer.get_data(as_text=True)


def test_what_is_kept_of_pages_is_counted(app, client, service):
    app.extensions["kaboom.regions"].cache_clear()  # other tests have drawn as many as are kept
    code, ids = playing(service, "Ann", "Ben")
    all_ready(service, code, ids)
    client.get(f"/t/{code}/view")
    kept = figure(client, "kaboom_regions", what="kept")
    assert kept == figure(client, "kaboom_regions", what="drawn") > 5
    client.get(f"/t/{code}/view")
    assert figure(client, "kaboom_regions", what="kept") == kept
    assert figure(client, "kaboom_regions", what="found") >= kept


def test_moves_requests_and_refusals_are_counted(client, service):
    moves = figure(client, "kaboom_moves_total", game="kaboom")
    gone = figure(client, "kaboom_requests_total", route="table.show", status="404")
    code, ids = playing(service, "Ann", "Ben")
    all_ready(service, code, ids)
    client.get("/t/NOTATABL")
    assert figure(client, "kaboom_moves_total", game="kaboom") == moves + 2
    assert figure(client, "kaboom_requests_total", route="table.show", status="404") == gone + 1
    strangers = figure(client, "kaboom_refusals_total", reason="NotYours")
    client.post(f"/t/{code}/ready")
    assert figure(client, "kaboom_refusals_total", reason="NotYours") == strangers + 1


def test_how_long_each_answer_takes_is_measured(client):
    before = figure(client, "kaboom_request_seconds_count")
    client.get("/rules/gops")
    assert figure(client, "kaboom_request_seconds_count") > before


def test_how_late_the_clock_is_is_measured(client, service, watch):
    before = figure(client, "kaboom_clock_lateness_seconds_count")
    service.signals.late(0.25)
    assert figure(client, "kaboom_clock_lateness_seconds_count") == before + 1


def test_figures_are_for_the_servers_own_machine(client):
    answer = client.get("/metrics", environ_base={"REMOTE_ADDR": "192.0.2.7"})
    assert answer.status_code == 403


def test_figures_are_for_whoever_has_the_token(app, client, monkeypatch):
    monkeypatch.setitem(app.config, "SERVER", replace(app.config["SERVER"], metrics_token="psst"))
    assert client.get("/metrics").status_code == 403
    answer = client.get(
        "/metrics",
        headers={"Authorization": "Bearer psst"},
        environ_base={"REMOTE_ADDR": "192.0.2.7"},
    )
    assert answer.status_code == 200


@pytest.mark.parametrize(
    ("status", "begins"),
    [
        (400, "This request could not"),
        (403, "That is not allowed"),
        (404, "There is no such page"),
        (405, "This address does not take"),
        (408, "The form took too long"),
        (413, "That is far too much text"),
        (429, "That was a little fast"),
        (500, "Something went wrong"),
    ],
)
def test_every_usual_error_is_told_in_a_sentence_of_ours(app, status, begins):
    with app.test_request_context():
        answer = errors.refused(default_exceptions[status]())
    assert answer.status_code == status
    assert begins in answer.get_data(as_text=True)


def test_an_error_without_a_sentence_of_ours_says_its_name(app):
    with app.test_request_context():
        assert "Gone" in errors.refused(default_exceptions[410]()).get_data(as_text=True)


def test_bots_of_new_tables_play_as_fast_as_the_server_is_set_to(app, sqlite_url):
    with served(app, sqlite_url, bot_pace=Pace.BRISK) as tables:
        assert tables.pace is Pace.BRISK
