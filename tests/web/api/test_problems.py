"""Kinds of errors, and how they are reported to programs."""

import json

import pytest
from werkzeug.exceptions import default_exceptions

from kaboom.db.database import Unavailable
from kaboom.engine.moves import Refusal, StaleMove
from kaboom.engine.options import InvalidOptions
from kaboom.errors import CorruptedTable, TableNotFound
from kaboom.table_page.api_routes import _gone
from kaboom.web.api.problems import KINDS, OF_STATUS, problem, slug_of
from kaboom.web.api.responses import _stopped


@pytest.mark.parametrize(
    ("status", "slug"),
    [
        (400, "unreadable"),
        (401, "no-key"),
        (403, "not-yours"),
        (404, "not-found"),
        (405, "not-here"),
        (408, "unreadable"),
        (409, "too-late"),
        (410, "not-found"),
        (413, "too-long"),
        (415, "not-json"),
        (422, "not-now"),
        (429, "too-fast"),
        (503, "busy"),
        (500, "broken"),
        (418, "broken"),
    ],
)
def test_problem_known_only_by_status_has_the_kind_of_the_status(status, slug):
    error = default_exceptions.get(status, RuntimeError)()
    assert slug_of(error, status) == slug
    assert KINDS[slug].status == status or status in (408, 410, 418)


def errors_of(kind):
    """Yield an error class and all of its subclasses."""
    yield kind
    for below in kind.__subclasses__():
        yield from errors_of(below)


CARRYING = [
    it for base in (Refusal, TableNotFound, InvalidOptions, Unavailable) for it in errors_of(base)
]


@pytest.mark.parametrize("error", CARRYING)
def test_error_class_carries_a_status_with_a_sentence(error):
    assert error.status in OF_STATUS
    assert not error.slug or error.slug in KINDS


@pytest.mark.parametrize("error", [it for it in CARRYING if it.slug and it is not CorruptedTable])
def test_error_with_its_usual_status_has_its_own_kind(error):
    slug = error.slug
    usual = error.status
    assert KINDS[slug].status == usual
    no = error.__new__(error)
    assert slug_of(no, usual) == slug_of(no) == slug


def test_refusal_with_another_status_has_the_kind_of_the_status():
    assert slug_of(StaleMove("no"), 422) == "not-now"


@pytest.fixture
def told(app):
    """Return a function that requests a problem with this Accept header."""

    def answered(*about, accept="application/json", **more):
        with app.test_request_context("/t/ABCDEFGH/move", headers={"Accept": accept}):
            return problem(*about, **more)

    return answered


def test_only_a_server_fault_leaves_the_outcome_open(told):
    late = told(409, "too-late", "No.")
    assert late.mimetype == "application/problem+json"
    found = json.loads(late.data)
    assert (found["type"], found["status"], found["detail"]) == ("/problems/too-late", 409, "No.")
    assert found["changed"] is False
    assert not found.keys() & {"rule", "fields", "over"}, "there is nothing to say about them"
    assert "changed" not in json.loads(told(500, "broken", "No.").data)


def test_busy_database_tells_the_client_to_retry_in_a_second(told):
    assert told(503, "busy", "No.").headers["Retry-After"] == "1"
    assert "Retry-After" not in told(500, "broken", "No.").headers


def test_rule_is_cited_by_url_in_json_and_by_heading_in_text(told):
    rule = {"rule": "bidding", "rules_at": "/t/ABCDEFGH/rules"}
    found = json.loads(told(422, "illegal", "No.", **rule).data)["rule"]
    assert list(found.values()) == ["bidding", "/t/ABCDEFGH/rules#bidding"]
    text = told(422, "illegal", "No.", accept="text/plain", now_text="The table.", **rule)
    assert text.data == b"Refused: No. (rule: bidding)\n\nThe table."
    assert told(422, "illegal", "No.", accept="text/plain").data == b"Refused: No.\n"
    said = told(422, "illegal", "No.", accept="text/plain;profile=say", **rule)
    assert said.data == b"Refused: No.\n"


def test_field_errors_are_listed_in_every_format(told):
    wrong = {"fields": {"name": "Too long."}}
    assert json.loads(told(422, "bad-options", "No.", **wrong).data)["fields"] == wrong["fields"]
    text = told(422, "bad-options", "No.", accept="text/plain", **wrong)
    assert b"No. name: Too long." in text.data


def test_denied_anonymous_client_is_asked_for_credentials(told):
    hint = "The request has neither a key nor a cookie."
    assert hint in json.loads(told(403, "not-yours", "No.").data)["detail"]
    assert hint not in json.loads(told(409, "too-late", "No.").data)["detail"]


def test_deleted_table_is_reported_as_not_found(app):
    with app.test_request_context("/t/ABCDEFGH.json"):
        found = json.loads(_gone())
    assert (found["type"], found["status"]) == ("/problems/no-table", 404)


@pytest.mark.parametrize(
    ("line", "said"),
    [("", ""), ("Ann", "Ann."), ("Ann.", "Ann."), ("Ann?", "Ann?"), ("Ann!", "Ann!"), ("A…", "A…")],
)
def test_spoken_lines_are_sentences_with_one_stop(line, said):
    assert _stopped(line) == said
