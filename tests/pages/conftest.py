"""Tours are compared with recordings; `make snapshots` writes new ones."""

from pathlib import Path

import pytest

from kaboom.admin import routes as admin
from kaboom.admin.disk import Disk
from kaboom.games import GAMES
from kaboom.notifications import quiet_hours
from tests.pages.tour import BEGINS, Tour, numbered_codes, predictable
from tests.support.builtin_games import OURS
from tests.support.fake_ids import FakeIds, sequential_seeds

TIME_ZONES = ("Africa/Nairobi", "Asia/Tokyo", "Europe/Berlin")


@pytest.fixture
def fake_ids():
    return FakeIds(seed=sequential_seeds(), cut=lambda: "cut", code=numbered_codes())


@pytest.fixture
def fake_clock(fake_clock):
    fake_clock.time = BEGINS
    return fake_clock


@pytest.fixture
def three_time_zones(monkeypatch):
    """The system's list of time zones changes over time, so tests use three fixed ones."""
    quiet_hours.zones.cache_clear()
    with monkeypatch.context() as patch:
        patch.setattr(quiet_hours, "available_timezones", lambda: {*TIME_ZONES})
        yield
    quiet_hours.zones.cache_clear()


@pytest.fixture
def tour(app, fake_clock, monkeypatch, request, snapshot, three_time_zones):
    """Return a tour that must match its recording."""
    name = request.node.name.removeprefix("test_").removesuffix("_tour_is_as_recorded")
    rng = predictable(monkeypatch, name)
    presence = app.extensions["kaboom.presence"]
    presence._now, presence._later = fake_clock, lambda seconds, work: None
    presence._began = fake_clock() - 1000  # presence is reliable
    monkeypatch.setattr(admin, "disk", lambda settings: Disk(100, 50))  # of this machine
    installed = dict(GAMES)
    for key in set(GAMES) - set(OURS):  # other installed games
        del GAMES[key]
    for kept in (
        "kaboom.computed",
        "kaboom.editions",
    ):  # caches of tables with equal codes
        app.extensions[kept].clear()
    file = Path(__file__).with_name("snapshots") / f"{name}.txt"
    tour = Tour(app, fake_clock, rng, None if snapshot.update else file.read_text().splitlines())
    yield tour
    GAMES.clear()
    GAMES.update(installed)  # in their order
    if snapshot.update:
        snapshot.check(file, tour.text.splitlines())
    tour.end()
