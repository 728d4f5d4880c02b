"""Tours are compared with how they read before; `make snapshots` writes them anew."""

from pathlib import Path

import pytest

from kaboom.games import GAMES
from kaboom.notifications import quiet_hours
from tests.pages.tour import BEGINS, Tour, numbered_codes, predictable
from tests.support.builtin_games import OURS
from tests.support.fake_ids import ChosenLots, numbered_seeds

TIME_ZONES = ("Africa/Nairobi", "Asia/Tokyo", "Europe/Berlin")


@pytest.fixture
def lots():
    return ChosenLots(seed=numbered_seeds(), cut=lambda: "cut", code=numbered_codes())


@pytest.fixture
def watch(watch):
    watch.time = BEGINS
    return watch


@pytest.fixture
def three_time_zones(monkeypatch):
    """Which there are is the system's matter, and changes with it: the same three everywhere."""
    quiet_hours.zones.cache_clear()
    with monkeypatch.context() as patch:
        patch.setattr(quiet_hours, "available_timezones", lambda: {*TIME_ZONES})
        yield
    quiet_hours.zones.cache_clear()


@pytest.fixture
def tour(app, watch, monkeypatch, request, snapshot, three_time_zones):
    """A tour that must read as it did."""
    name = request.node.name.removeprefix("test_")
    chance = predictable(monkeypatch, name)
    presence = app.extensions["kaboom.presence"]
    presence._now, presence._later = watch, lambda seconds, work: None
    presence._began = watch() - 1000  # it knows who is here
    for key in set(GAMES) - set(OURS):  # whatever else is installed here
        monkeypatch.delitem(GAMES, key)
    for kept in ("kaboom.drawn", "kaboom.computed"):  # of tournaments with the same codes
        app.extensions[kept].clear()
    file = Path(__file__).with_name("snapshots") / f"{name}.txt"
    tour = Tour(app, watch, chance, None if snapshot.update else file.read_text().splitlines())
    yield tour
    if snapshot.update:
        snapshot.check(file, tour.text.splitlines())
    tour.end()
