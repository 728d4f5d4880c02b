"""Wrong settings whose effects only players would notice are logged once for the host."""

import pytest


@pytest.fixture
def advice(app, caplog):
    """The log messages; another test's application may have emitted them already."""
    app.extensions.pop("kaboom.advice", None)
    return caplog


def test_same_site_form_under_another_origin_logs_advice(app, advice):
    client = app.test_client()
    for _ in range(2):
        answer = client.post("/tables", headers={"Origin": "https://cards.example.org" + "x" * 200})
        assert answer.status_code == 403
    (said,) = advice.messages
    assert "'https://cards.example.org" in said and "'http://localhost'" in said
    assert "PROXIES is wrong" in said
    assert len(said) < 400


@pytest.mark.parametrize("sent", [{"Origin": "http://localhost"}, {"Sec-Fetch-Site": "none"}, {}])
def test_same_origin_form_logs_no_advice(app, advice, sent):
    assert app.test_client().post("/settings", headers=sent).status_code == 303
    assert advice.messages == []


def test_request_for_an_unknown_host_logs_advice(app, advice, monkeypatch):
    monkeypatch.setitem(app.config, "TRUSTED_HOSTS", ["cards.example.org"])
    for _ in range(2):
        assert app.test_client().get("/", base_url="http://other.example.org").status_code == 400
    (said,) = advice.messages
    assert said.startswith("a request for 'other.example.org' was refused")
    assert said.endswith("TRUSTED_HOSTS contains only cards.example.org")
