"""Presence: by streams, by requests, across processes, without waiting for Redis."""

import time
from collections.abc import Callable, Iterator

import pytest
from redis import Redis

from kaboom.realtime import redis_pubsub
from kaboom.realtime.hub import Hub
from kaboom.realtime.presence import REQUEST, STREAM, SWEEP, TOLD_AGAIN, Presence
from tests.support.effort import PATIENCE

from .conftest import REDIS_URL


class Clock:
    def __init__(self) -> None:
        self.time = 1000.0

    def __call__(self) -> float:
        return self.time


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def arrivals() -> list[str]:
    return []


@pytest.fixture
def telling(monkeypatch: pytest.MonkeyPatch) -> tuple[Hub, list[str]]:
    """Return a hub, and its messages to other processes."""
    hub, told = Hub(), list[str]()
    monkeypatch.setattr(hub, "tell_others", told.append)
    return hub, told


@pytest.fixture
def presence(clock: Clock, arrivals: list[str]) -> Presence:
    return Presence(Hub(), arrivals.append, clock, later=lambda seconds, work: work())


@pytest.mark.parametrize(
    ("signs", "seconds", "is_here"),
    [
        ("stream", STREAM - 1, True),
        ("stream", STREAM + 1, False),
        ("request", STREAM + 1, True),  # a page without scripts: no further request may come
        ("request", REQUEST + 1, False),
        ("request stream", STREAM + 1, False),  # scripts run: silence means absence
        ("stream request", STREAM + 1, True),
        ("", 0, False),
    ],
)
def test_player_is_present_for_a_while_after_a_request(
    presence: Presence, clock: Clock, signs: str, seconds: float, is_here: bool
) -> None:
    for sign in signs.split():
        getattr(presence, sign)("CODE", 7)
    clock.time += seconds
    assert (7 in presence.here("CODE")) == is_here
    assert presence.here("OTHER") == set()


def test_anonymous_viewers_are_counted_until_they_leave(
    presence: Presence, arrivals: list[str]
) -> None:
    for who in ("-a", "-b", 3):
        presence.stream("CODE", who)
    assert (presence.here("CODE"), presence.at("CODE").nameless) == ({3}, 2)
    presence.gone("CODE", "-a")
    assert presence.at("CODE").nameless == 1
    arrivals.clear()
    presence.gone("CODE", "-b")
    presence.gone("CODE", "-never there")
    assert arrivals == ["CODE"], "the absence of a former player is no news"


def test_arrival_and_each_return_are_announced_once(
    presence: Presence, clock: Clock, arrivals: list[str]
) -> None:
    presence.stream("CODE", 1)
    presence.stream("CODE", 1)
    assert arrivals == ["CODE"]
    clock.time += STREAM + 1
    presence.request("CODE", 1)
    assert arrivals == ["CODE", "CODE"]


def test_arrivals_and_departures_in_a_second_are_one_update(
    clock: Clock, arrivals: list[str]
) -> None:
    held: list[Callable[[], None]] = []

    def later(seconds: float, work: Callable[[], None]) -> None:
        assert seconds <= 1.0, "players who wait for an absent player are told soon"
        held.append(work)

    presence = Presence(Hub(), arrivals.append, clock, later)
    for number in range(500):
        presence.stream("CODE", f"-{number}")
    presence.stream("OTHER", 7)
    presence.gone("CODE", "-3")
    assert (len(held), arrivals) == (2, [])
    for work in held:
        work()
    assert arrivals == ["CODE", "OTHER"]
    presence.stream("CODE", 7)
    held.pop()()
    assert arrivals == ["CODE", "OTHER", "CODE"]


def test_new_process_reports_presence_as_unknown(presence: Presence, clock: Clock) -> None:
    assert presence.young
    clock.time += STREAM
    assert not presence.young


def test_empty_tables_are_removed(presence: Presence, clock: Clock) -> None:
    for number in range(50):
        presence.stream(f"CODE{number}", 1)
    presence.named("CODE1")
    clock.time += 1000
    presence.stream("NEW", 1)
    assert set(presence._until) == {"NEW"}
    assert len(presence._told) == 1
    assert not presence._namings


@pytest.mark.parametrize(
    "topic",
    ["here", "here CODE", "here CODE x 25", "here CODE 7 many", "here CODE 7 25 more", "here  7 5"],
)
def test_malformed_presence_messages_are_ignored(presence: Presence, topic: str) -> None:
    presence._heard(topic)
    assert presence.here("CODE") == set()


def test_received_presence_expires(presence: Presence, clock: Clock) -> None:
    presence._heard("here CODE 7 999")
    assert presence.here("CODE") == {7}
    clock.time += REQUEST + 1
    assert presence.here("CODE") == set()


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str, str], Hub]]:
    monkeypatch.setattr(redis_pubsub, "LOOK_UP", 0.05)
    made: list[Hub] = []

    def make(url: str, channel: str) -> Hub:
        made.append(Hub(url, channel=channel))
        return made[-1]

    yield make
    for it in made:
        it.close()


def eventually(true: Callable[[], bool], seconds: float = PATIENCE) -> bool:
    end = time.monotonic() + seconds
    while not (found := true()) and time.monotonic() < end:
        time.sleep(0.02)
    return found


def test_processes_share_presence(
    redis: Redis, hub: Callable[[str, str], Hub], channel: str
) -> None:
    one, two = hub(REDIS_URL, channel), hub(REDIS_URL, channel)
    here, there = Presence(one), Presence(two)
    assert eventually(lambda: heard(here, there) & heard(there, here))
    assert eventually(lambda: heard_named(here, there))


def heard_named(one: Presence, two: Presence) -> bool:
    one.named("CODE")  # repeated until received: a message of one process may be lost
    return eventually(lambda: two.namings("CODE") >= 1, seconds=1.0)


def heard(one: Presence, two: Presence) -> bool:
    one._told.clear()  # so that it publishes again at once
    one.stream("CODE", 7)
    one.stream("CODE", "-x")
    return eventually(lambda: two.here("CODE") == {7} and two.at("CODE").nameless == 1, seconds=1.0)


@pytest.mark.parametrize("broken", ["no_redis", "hung_redis"])
def test_unanswering_redis_delays_no_request(
    broken: str, hub: Callable[[str, str], Hub], channel: str, request: pytest.FixtureRequest
) -> None:
    clock = Clock()
    presence = Presence(hub(request.getfixturevalue(broken), channel), now=clock)
    clock.time += 1000
    began = time.monotonic()
    for number in range(1, 300):
        presence.stream("CODE", number)
    assert len(presence.here("CODE")) == 299
    assert time.monotonic() - began < 20  # waiting for Redis each time would take minutes
    assert presence.young  # without the other processes no one counts as absent


def test_presence_ends_at_its_exact_moment(
    presence: Presence, clock: Clock, arrivals: list[str]
) -> None:
    presence.stream("CODE", 7)
    clock.time += STREAM
    assert presence.here("CODE") == set()
    presence.stream("CODE", 7)
    assert arrivals == ["CODE", "CODE"], "and comes back"


def test_presence_is_repeated_to_others_only_after_a_pause(
    clock: Clock, telling: tuple[Hub, list[str]]
) -> None:
    hub, told = telling
    presence = Presence(hub, now=clock)
    for seconds, times in ((0.0, 1), (TOLD_AGAIN - 0.1, 1), (0.1, 2), (TOLD_AGAIN, 3)):
        clock.time += seconds
        presence.stream("CODE", 7)
        assert told == ["here CODE 7 25"] * times


def test_only_a_stream_heartbeat_shortens_presence(presence: Presence, clock: Clock) -> None:
    """A viewer whose browser keeps a stream has scripts."""
    presence._heard("here CODE 7 90")
    presence._heard("here CODE 7 25")
    presence._heard("here CODE 8 25")
    presence._heard("here CODE 8 90")
    presence._heard("here CODE 9 90")
    presence._heard("here CODE 9 26")
    clock.time += STREAM
    assert presence.here("CODE") == {8, 9}


def test_present_player_is_not_removed(presence: Presence, clock: Clock) -> None:
    presence.request("CODE", 7)
    presence.stream("CODE", 8)
    presence.named("CODE")
    clock.time += SWEEP
    presence.stream("NEW", 1)
    assert set(presence._until["CODE"]) == {"7"}
    assert presence.here("CODE") == {7}
    assert presence.namings("CODE") == 1


def test_other_players_presence_expires(presence: Presence, clock: Clock) -> None:
    presence._heard("here CODE 7 25")
    clock.time += SWEEP
    presence._heard("here NEW 7 25")
    assert set(presence._until) == set(presence._streaming) == {"NEW"}


def test_departed_players_are_searched_for_once_a_minute(presence: Presence, clock: Clock) -> None:
    presence.stream("CODE", 7)
    clock.time += SWEEP - 0.1
    presence.stream("NEW", 1)
    assert set(presence._until) == {"CODE", "NEW"}
    clock.time += 0.1
    presence.stream("NEW", 1)
    assert set(presence._until) == {"NEW"}
    clock.time += SWEEP - 0.1
    presence.stream("LATER", 1)
    assert set(presence._until) == {"NEW", "LATER"}


def test_given_name_wakes_the_table_in_all_processes(
    clock: Clock, arrivals: list[str], telling: tuple[Hub, list[str]]
) -> None:
    hub, told = telling
    presence = Presence(hub, arrivals.append, clock)
    assert presence.namings("CODE") == 0
    presence.named("CODE")
    assert (told, arrivals, presence.namings("CODE")) == (["named CODE"], ["CODE"], 1)
    hub._hear("named CODE")
    assert (told, arrivals, presence.namings("CODE")) == (["named CODE"], ["CODE"] * 2, 2)
    assert presence.namings("OTHER") == 0


def test_restart_forgets_presence_and_announces_all_again(
    clock: Clock, telling: tuple[Hub, list[str]]
) -> None:
    hub, told = telling
    presence = Presence(hub, now=clock)
    clock.time += STREAM
    presence.stream("CODE", 7)
    assert presence.at("CODE") == ({7}, 0, True)
    presence.forget()
    assert presence.at("CODE") == (set(), 0, False)
    assert presence.streaming("CODE") == presence.anywhere() == set()
    presence.stream("CODE", 7)
    assert told == ["here CODE 7 25"] * 2


def test_stream_viewer_is_known_by_name_until_silent(presence: Presence, clock: Clock) -> None:
    for who in (7, 8, "-x"):
        presence.stream("CODE", who)
    presence.request("CODE", 9)
    presence.stream("OTHER", 5)
    assert presence.streaming("CODE") == {7, 8}
    assert presence.anywhere() == {5, 7, 8, 9}
    presence.gone("CODE", 7)
    assert presence.streaming("CODE") == {8}
    clock.time += STREAM
    assert presence.streaming("CODE") == set()
    assert presence.anywhere() == {9}


def test_process_that_missed_messages_counts_as_just_started(
    clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    hears = [True]
    monkeypatch.setattr(Hub, "hears", property(lambda hub: hears[-1]))
    presence = Presence(Hub(), now=clock)
    clock.time += STREAM
    assert not presence.young
    for notices in (lambda: presence.young, lambda: presence.request("CODE", 7)):
        hears.append(False)
        notices()
        hears.append(True)
        assert presence.young
        clock.time += STREAM - 0.1
        assert presence.young
        clock.time += 0.1
        assert not presence.young
