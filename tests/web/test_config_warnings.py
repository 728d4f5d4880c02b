"""What only players would notice of a wrong setting, the host finds in the log, once."""

import pytest


@pytest.fixture
def advice(app, caplog):
    """What the log says; in the other tests' application it may have been said already."""
    app.extensions.pop("kaboom.advice", None)
    return caplog


def test_a_form_that_comes_from_the_same_place_by_another_name_is_asked_about(app, advice):
    client = app.test_client()
    for _ in range(2):
        answer = client.post("/tables", headers={"Origin": "https://cards.example.org" + "x" * 200})
        assert answer.status_code == 403
    (said,) = advice.messages
    assert "'https://cards.example.org" in said and "'http://localhost'" in said
    assert "PROXIES is wrong" in said
    assert len(said) < 400


@pytest.mark.parametrize("sent", [{"Origin": "http://localhost"}, {"Sec-Fetch-Site": "none"}, {}])
def test_a_form_of_our_own_is_nothing_to_ask_about(app, advice, sent):
    assert app.test_client().post("/settings", headers=sent).status_code == 303
    assert advice.messages == []


def test_a_name_the_server_does_not_answer_to_is_asked_about(app, advice, monkeypatch):
    monkeypatch.setitem(app.config, "TRUSTED_HOSTS", ["cards.example.org"])
    for _ in range(2):
        assert app.test_client().get("/", base_url="http://other.example.org").status_code == 400
    (said,) = advice.messages
    assert said.startswith("a request for 'other.example.org' was refused")
    assert said.endswith("TRUSTED_HOSTS has only cards.example.org")
