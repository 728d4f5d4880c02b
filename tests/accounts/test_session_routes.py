"""A player's devices: when one is recorded, and its label."""

import logging

import pytest

from kaboom.accounts import session_routes
from kaboom.db.database import Unavailable
from kaboom.db.times import DAY

AGENT = {"User-Agent": "Mozilla/5.0 (Android 14; Mobile; rv:126.0) Gecko/126.0 Firefox/126.0"}


@pytest.fixture
def noted(monkeypatch):
    """The recorded devices."""
    found = []
    monkeypatch.setattr(
        session_routes.sessions, "seen", lambda _, key, called: found.append(called)
    )
    return found


@pytest.fixture
def ann(table, fake_clock, noted):
    """A player who sat down yesterday."""
    _, (person, _) = table("Ann", "Ben", ready=False)
    fake_clock.sleep(DAY)
    noted.clear()
    return person.client


def test_active_device_is_recorded_once_a_day(ann, noted, fake_clock, browser):
    ann.get("/settings", headers=AGENT)
    unreadable = ann.post("/settings", headers={**AGENT, "Idempotency-Key": "a b"})
    assert (unreadable.status_code, noted) == (400, [])
    for _ in range(2):
        ann.post("/settings", headers=AGENT)
    assert noted == ["Firefox, Android"]
    fake_clock.sleep(DAY)
    ann.post("/settings")
    assert noted == ["Firefox, Android", ""]
    browser().client.post("/settings", headers=AGENT)
    assert len(noted) == 2, "no player is known there"


def test_device_cache_overflow_records_some_browsers_again(ann, noted, monkeypatch):
    monkeypatch.setattr(session_routes, "KEPT", 0)
    ann.post("/settings")
    ann.set_cookie("kb", "another key")
    ann.post("/settings")
    ann.set_cookie("kb", "a third key")
    ann.post("/settings")
    assert len(noted) == 3


@pytest.mark.parametrize(("error", "told"), [(Unavailable("now"), 0), (RuntimeError("planted"), 1)])
def test_action_succeeds_even_if_the_device_is_not_recorded(ann, monkeypatch, caplog, error, told):
    def fails(*_):
        raise error

    monkeypatch.setattr(session_routes.sessions, "seen", fails)
    caplog.set_level(logging.ERROR)
    assert ann.post("/settings").status_code == 303
    assert caplog.messages == ["could not record a device"] * told


@pytest.mark.parametrize(
    ("agent", "called"),
    [
        ("Mozilla/5.0 (X11; CrOS x86_64) Chrome/120 Safari/537.36 Edg/120", "Edge, Chromebook"),
        ("Mozilla/5.0 (Macintosh; Intel Mac OS X 14) Version/17 Safari/605", "Safari, Mac"),
        ("Mozilla/5.0 (Linux; Android 14) Chrome/120 Safari/537.36", "Chrome, Android"),
        ("Lynx/2.9.0", "Lynx"),
        ("something (Windows)", "Windows"),
        ("curl/8.5", ""),
        ("", ""),
    ],
)
def test_device_label_uses_the_most_specific_name(agent, called):
    assert session_routes.program(agent) == called
