"""A new application: every template compiles, and every error has its page."""

import pytest
from werkzeug.exceptions import BadHost, NotFound, RequestEntityTooLarge

from kaboom.accounts import players
from kaboom.app import create_app
from kaboom.config import ServerSettings
from kaboom.db.database import Unavailable
from kaboom.db.encryption import Unreadable
from kaboom.errors import CorruptedTable, TableNotFound
from kaboom.games import GAMES
from kaboom.lobby import service as lobby
from kaboom.tables.snapshot import PasswordRequired
from tests.support.app import close
from tests.support.server import SECRET


@pytest.fixture(scope="module")
def new_app(migrated_sqlite):
    app = create_app(
        ServerSettings(f"sqlite:///{migrated_sqlite}", SECRET, rate_limits=False, clock=False)
    )
    yield app
    close(app)


def answered(app, error, path="/"):
    with app.test_request_context(path):
        return app.make_response(app.handle_user_exception(error))


@pytest.mark.slow
def test_every_template_compiles_with_what_a_new_app_gives_it(new_app):
    names = new_app.jinja_env.list_templates()
    assert len(names) > 30
    for name in names:
        new_app.jinja_env.get_template(name)


@pytest.mark.parametrize(
    ("error", "status", "sentence"),
    [
        (TableNotFound(), 404, "There is no table with that code."),
        (Unavailable(), 503, "The server is busy. Nothing has changed; please try again."),
        (CorruptedTable(), 503, "The stored data is damaged and cannot be shown."),
        (Unreadable(), 503, "The stored data is damaged and cannot be shown."),
        (BadHost(), 400, "This request could not be understood."),
        (NotFound(), 404, "Page not found."),
        (RequestEntityTooLarge(), 413, "That is too much text for one form."),
        (RuntimeError("secret"), 500, "Something went wrong on our side."),
    ],
)
def test_every_error_has_its_sentence_and_its_status(new_app, error, status, sentence):
    answer = answered(new_app, error)
    assert answer.status_code == status
    page = answer.get_data(as_text=True)
    assert sentence in page
    assert "secret" not in page


def test_too_long_form_says_how_much_fits_and_leads_back(one_app):
    client, form = one_app.test_client(), "http://localhost/replay?x=1"
    headers = {"Accept": "text/html", "Origin": "http://localhost"}
    sent = {"headers": headers | {"Referer": form}, "data": {"text": "x" * 1_200_000}}
    answer = client.post("/replay", **sent)
    page = answer.get_data(as_text=True)
    assert answer.status_code == 413 and "At most 1100 kB fit." in page
    assert f'href="{form}">Back to the form' in page
    sent["headers"]["Referer"] = "http://elsewhere.example/replay"
    assert "Back to the form" not in client.post("/replay", **sent).get_data(as_text=True)


def test_locked_table_asks_for_its_password_everywhere(new_app, tables):
    ann = players.player(tables, "key Ann", "Ann")[0]
    code = lobby.open(tables, "gops", GAMES["gops"].options(), ann, "Ann", password="rosebud")
    with pytest.raises(PasswordRequired) as no:
        tables.get(code, "somebody")
    for path, status in ((f"/t/{code}", 200), (f"/t/{code}/view", 403)):
        answer = answered(new_app, no.value, path)
        assert (answer.status_code, "password" in answer.get_data(as_text=True)) == (status, True)
