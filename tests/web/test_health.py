"""Health checks: /healthz and /readyz; sentences of errors."""

import logging

import pytest
from werkzeug.exceptions import default_exceptions

from kaboom.db.database import Unavailable
from kaboom.engine.bots.delays import Pace
from kaboom.web import errors
from tests.support.app import served


def test_a_server_that_responds_is_alive_and_ready(client):
    for path in ("/healthz", "/readyz"):
        answer = client.get(path)
        assert (answer.status_code, answer.get_data()) == (200, b"ok\n")


def test_a_server_without_its_store_is_alive_but_not_ready(app, client, tmp_path):
    with served(app, f"sqlite:///{tmp_path}/not/there.sqlite3"):
        assert client.get("/healthz").status_code == 200
        answer = client.get("/readyz")
        assert answer.status_code == 503
        assert "not/there" not in answer.get_data(as_text=True)


def test_unmigrated_server_is_unready_and_gives_advice(app, client, tmp_path):
    with served(app, f"sqlite:///{tmp_path}/new.sqlite3"):
        answer = client.get("/readyz")
        assert answer.status_code == 503
        assert "Run `kaboom migrate` first." in answer.get_data(as_text=True)


@pytest.mark.parametrize(("error", "told"), [(Unavailable("now"), 0), (RuntimeError("planted"), 1)])
def test_unreadiness_is_logged_once_except_for_a_busy_store(
    app, client, service, monkeypatch, caplog, error, told
):
    def fails(*_):
        raise error

    monkeypatch.setattr(service.database, "read", fails)
    caplog.set_level(logging.WARNING)
    answer = client.get("/readyz")
    assert (answer.status_code, answer.mimetype) == (503, "text/plain")
    assert answer.text == "the database does not respond\n"
    assert [it.message.count("planted") for it in caplog.records] == [1] * told


@pytest.mark.parametrize(
    ("status", "begins"),
    [
        (400, "This request could not"),
        (403, "That is not allowed"),
        (404, "Page not found"),
        (405, "This page does not accept"),
        (408, "The form took too long"),
        (413, "That is too much text"),
        (429, "Too many requests"),
        (500, "Something went wrong"),
    ],
)
def test_every_usual_error_has_its_sentence(app, status, begins):
    with app.test_request_context():
        answer = errors.refused(default_exceptions[status]())
    assert answer.status_code == status
    assert begins in answer.get_data(as_text=True)


def test_error_without_a_sentence_shows_its_name(app):
    with app.test_request_context():
        assert "Gone" in errors.refused(default_exceptions[410]()).get_data(as_text=True)


def test_bots_of_new_tables_play_at_the_configured_pace(app, sqlite_url):
    with served(app, sqlite_url, bot_pace=Pace.BRISK) as tables:
        assert tables.pace is Pace.BRISK
