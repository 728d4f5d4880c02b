import gc
import logging
import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from statistics import median

import pytest
from redis import Redis

from kaboom.realtime import redis_pubsub
from kaboom.realtime.hub import PER_ADDRESS, PER_BROWSER, Hub, Subscription, TooManyStreams
from kaboom.realtime.redis_pubsub import RedisPubSub
from tests.support.effort import PATIENCE

from .conftest import REDIS_URL


@contextmanager
def in_background(work: Callable[[], object]) -> Iterator[None]:
    thread = threading.Thread(target=work)
    thread.start()
    try:
        yield
    finally:
        thread.join(5)
        assert not thread.is_alive()


def milliseconds(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return (time.perf_counter() - began) * 1000


@pytest.fixture
def hubs(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str, str], Hub]]:
    """Create hubs as in different processes; all are closed at the end."""
    monkeypatch.setattr(redis_pubsub, "LOOK_UP", 0.05)
    made = []

    def make(url: str, channel: str) -> Hub:
        made.append(Hub(url, channel=channel))
        return made[-1]

    yield make
    for hub in made:
        hub.close()
        assert hub._relay is not None
        for thread in (hub._relay._listening, hub._relay._telling):
            if thread is not None:
                thread.join(5)
                assert not thread.is_alive()


def test_publishing_wakes_the_topics_subscribers_and_no_other() -> None:
    hub = Hub()
    with hub.subscribe("ANN") as one, hub.subscribe("ANN") as two, hub.subscribe("BOB") as other:
        hub.publish("ANN")
        assert one.wait(0) and two.wait(0)
        assert not other.wait(0)


def test_a_sleeping_subscriber_is_woken_from_another_thread() -> None:
    hub = Hub()
    with hub.subscribe("ANN") as subscription:
        began = time.monotonic()
        with in_background(lambda: (time.sleep(0.05), hub.publish("ANN"))):
            assert subscription.wait(30)
        assert time.monotonic() - began < 20  # it was woken, not timed out


def test_publication_between_two_waits_is_not_missed() -> None:
    hub = Hub()
    with hub.subscribe("ANN") as subscription:
        hub.publish("ANN")
        assert subscription.wait(0)
        assert not subscription.wait(0)


def test_burst_of_publications_wakes_once() -> None:
    hub = Hub()
    with hub.subscribe("ANN") as subscription:
        for _ in range(10_000):
            hub.publish("ANN")
        assert subscription.wait(0)
        assert not subscription.wait(0.01)


def test_closed_subscription_leaves_nothing_behind() -> None:
    hub = Hub()
    subscription = hub.subscribe("ANN")
    assert hub.streams == 1
    subscription.close()
    subscription.close()
    assert hub.streams == 0
    assert hub._groups == {}
    assert subscription.over
    hub.publish("ANN")


def test_dropped_unclosed_subscription_is_detected() -> None:
    hub = Hub(limit=1)
    hub.subscribe("ANN")
    gc.collect()
    assert hub.streams == 0, "no other page is needed to find it"
    hub.subscribe("ANN")
    gc.collect()
    with hub.subscribe("ANN"):
        assert hub.streams == 1


def test_hub_stream_limit_frees_closed_places() -> None:
    hub = Hub(limit=2)
    with hub.subscribe("ANN"):
        with hub.subscribe("BOB"), pytest.raises(TooManyStreams):
            hub.subscribe("ANN")
        with hub.subscribe("ANN"):
            assert hub.streams == 2


def test_closing_the_hub_ends_current_and_future_waits() -> None:
    hub = Hub()
    with hub.subscribe("ANN") as subscription:
        with in_background(lambda: (time.sleep(0.05), hub.close())):
            assert subscription.wait(5)
        assert subscription.over
        assert subscription.wait(5), "a second wait must not sleep either"
    with hub.subscribe("BOB") as late:
        assert late.wait(5) and late.over


def test_concurrent_subscriptions_leave_nothing_behind() -> None:
    hub = Hub()

    def visit() -> None:
        for turn in range(300):
            with hub.subscribe(f"T{turn % 3}") as subscription:
                hub.publish(f"T{turn % 3}")
                assert subscription.wait(1)

    threads = [threading.Thread(target=visit) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert hub.streams == 0 and hub._groups == {}


def test_wait_until_returns_at_once_if_true() -> None:
    assert milliseconds(lambda: Hub().wait_until("ANN", lambda: True, 5)) < 100


def test_wait_until_wakes_only_on_its_condition() -> None:
    hub, seen = Hub(), [0]

    def two_changes() -> None:
        for number in (1, 2):
            time.sleep(0.05)
            seen[0] = number
            hub.publish("ANN")

    with in_background(two_changes):
        assert hub.wait_until("ANN", lambda: seen[0] == 2, 5)
    assert hub.streams == 0


def test_wait_until_gives_up_after_its_time() -> None:
    hub = Hub()
    assert 90 < milliseconds(lambda: hub.wait_until("ANN", lambda: False, 0.1)) < 1000


def test_wait_until_ends_with_the_hub() -> None:
    hub = Hub()
    with in_background(lambda: (time.sleep(0.05), hub.close())):
        assert milliseconds(lambda: hub.wait_until("ANN", lambda: False, 5)) < 1000


def test_waiting_client_counts_against_its_ip_stream_limit() -> None:
    hub = Hub()
    with ExitStack() as stack:
        for _ in range(PER_ADDRESS):
            stack.enter_context(hub.subscribe("ANN", address="198.51.100.1"))
        with pytest.raises(TooManyStreams):
            hub.wait_until("ANN", lambda: False, 5, address="198.51.100.1")
        assert not hub.wait_until("ANN", lambda: False, 0, address="198.51.100.2")


def test_a_browsers_fifth_wait_ends_its_oldest() -> None:
    hub = Hub()
    with ExitStack() as stack:
        done = []

        def wait() -> None:
            done.append(hub.wait_until("ANN", lambda: False, 30, browser="ann"))

        stack.enter_context(in_background(wait))
        while hub.streams < 1:
            time.sleep(0.01)
        for _ in range(PER_BROWSER):
            stack.enter_context(hub.subscribe("ANN", browser="ann"))
    assert done == [False]


def test_client_that_leaves_a_wait_frees_its_place() -> None:
    hub, looks, asked = Hub(), [], []

    def gone() -> bool:
        asked.append(hub.streams)
        return len(asked) == 2

    assert not hub.wait_until("ANN", lambda: bool(looks.append(1)), 60, gone=gone)
    assert asked == [1, 1]
    assert len(looks) == 1, "the store is not needed to check whether a client is connected"
    assert hub.streams == 0


@pytest.mark.parametrize("which", ["no_redis", "hung_redis"])
def test_unanswering_redis_still_notifies_this_process_at_once(
    which: str,
    request: pytest.FixtureRequest,
    hubs: Callable[[str, str], Hub],
    channel: str,
    caplog: pytest.LogCaptureFixture,
) -> None:
    hub = hubs(request.getfixturevalue(which), channel)
    with caplog.at_level(logging.WARNING), hub.subscribe("ANN") as subscription:
        times = []
        for _ in range(20):
            times.append(milliseconds(lambda: hub.publish("ANN")))
            assert subscription.wait(0)
            time.sleep(0.03)
    assert median(times) < 10 and max(times) < 100  # a busy machine is slow now and then
    told = [record for record in caplog.records if "(tell)" in record.message]
    assert len(told) == 1, "logged once, not at each failure"


def test_queue_for_a_hung_redis_is_bounded(
    hung_redis: str, hubs: Callable[[str, str], Hub], channel: str
) -> None:
    hub = hubs(hung_redis, channel)
    for number in range(3 * redis_pubsub.PENDING):
        hub.publish(f"T{number}")
    assert hub._relay is not None
    assert len(hub._relay._pending) <= redis_pubsub.PENDING


def subscribed(redis: Redis, channel: str, count: int = 1) -> None:
    """Wait until this many processes subscribe to the channel."""
    until = time.monotonic() + PATIENCE
    while dict(redis.pubsub_numsub(channel)).get(channel.encode(), 0) != count:
        assert time.monotonic() < until
        time.sleep(0.01)


def test_another_hub_is_woken_over_redis_for_its_topic_only(
    redis: Redis, hubs: Callable[[str, str], Hub], channel: str
) -> None:
    here, there = hubs(REDIS_URL, channel), hubs(REDIS_URL, channel)
    with there.subscribe("ANN") as ann, there.subscribe("Ä B\n") as odd:
        subscribed(redis, channel)
        while ann.wait(0.1) or odd.wait(0.1):
            pass  # subscribing wakes all
        here.publish("ANN")
        assert ann.wait(2)
        assert not odd.wait(0.1)
        here.publish("Ä B\n")
        assert odd.wait(2)


def test_hub_ignores_its_own_redis_message(
    redis: Redis, hubs: Callable[[str, str], Hub], channel: str
) -> None:
    hub = hubs(REDIS_URL, channel)
    with hub.subscribe("ANN") as subscription:
        subscribed(redis, channel)
        while subscription.wait(0.1):
            pass
        hub.publish("ANN")
        assert subscription.wait(0)
        assert not subscription.wait(0.2)


def test_a_message_is_a_topic_and_a_burst_is_merged(
    redis: Redis, hubs: Callable[[str, str], Hub], channel: str
) -> None:
    hub = hubs(REDIS_URL, channel)
    with redis.pubsub() as ear:  # type: ignore[no-untyped-call]
        ear.subscribe(channel)
        assert ear.get_message(timeout=1)["type"] == "subscribe"
        for _ in range(1000):
            hub.publish("ANN")
        hub.publish("END")
        heard = []
        while message := ear.get_message(timeout=1):
            heard.append(message["data"])
    assert {text.split(b" ", 1)[1] for text in heard} == {b"ANN", b"END"}
    assert len(heard) < 200


def test_unknown_and_malformed_messages_do_no_harm(
    redis: Redis, hubs: Callable[[str, str], Hub], channel: str
) -> None:
    hub = hubs(REDIS_URL, channel)
    with hub.subscribe("ANN") as subscription:
        subscribed(redis, channel)
        for junk in (b"", b" ", b"\xff\xfe\x00", b"x" * 100_000, b"ANN", b"a b c", b"1\r\n+OK\r\n"):
            redis.publish(channel, junk)
        while subscription.wait(0.1):
            pass
        redis.publish(channel, "somebody ANN")
        assert subscription.wait(2)


def test_cut_connection_wakes_all_listeners_and_resubscribes(
    redis: Redis, hubs: Callable[[str, str], Hub], channel: str
) -> None:
    here, there = hubs(REDIS_URL, channel), hubs(REDIS_URL, channel)
    with ExitStack() as stack:
        ears = [stack.enter_context(there.subscribe(f"T{number}")) for number in range(20)]
        subscribed(redis, channel)
        while ears[0].wait(0.1):
            pass
        for ear in ears:
            ear.wait(0)
        for client in redis.client_list():
            if client["name"] == f"kaboom-listen-{os.getpid()}":
                redis.client_kill_filter(_id=client["id"])
        assert all(ear.wait(3) for ear in ears)
        subscribed(redis, channel)
        while ears[7].wait(0.1):
            pass
        here.publish("T7")
        assert ears[7].wait(2)


def test_publishing_still_works_while_the_hub_is_closing(
    redis: Redis, hubs: Callable[[str, str], Hub], channel: str
) -> None:
    closing, other = hubs(REDIS_URL, channel), hubs(REDIS_URL, channel)
    with other.subscribe("ANN") as subscription:
        subscribed(redis, channel)
        while subscription.wait(0.1):
            pass
        closing.close()
        closing.publish("ANN")
        assert subscription.wait(2)


def test_failed_publication_is_retried_a_moment_later(
    redis: Redis,
    hubs: Callable[[str, str], Hub],
    channel: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(redis_pubsub, "TELL_AGAIN", 0.1)
    here, there = hubs(REDIS_URL, channel), hubs(REDIS_URL, channel)
    assert here._relay is not None
    teller, failures = here._relay._teller, []

    def fail_twice(transaction: bool) -> object:
        if len(failures) < 2:
            failures.append(time.monotonic())
            raise TimeoutError("Redis is slow")
        return type(teller).pipeline(teller, transaction)

    monkeypatch.setattr(teller, "pipeline", fail_twice)
    with there.subscribe("ANN") as subscription:
        subscribed(redis, channel)
        while subscription.wait(0.1):
            pass
        here.publish("ANN")
        assert subscription.wait(3)
    assert len(failures) == 2


class Line:
    """A client of Redis: one connection after another is refused, or accepted and cut."""

    def __init__(self, taken: list[bool]) -> None:
        self.taken = iter(taken)
        self.looks = 0

    def pubsub(self) -> "Line":
        return self

    def subscribe(self, channel: str) -> None:
        if not next(self.taken):
            raise ConnectionError("refused")
        self.looks = 0

    def get_message(self, timeout: float) -> dict[str, str]:
        self.looks += 1
        if self.looks > 1:
            raise ConnectionError("cut")
        return {"type": "subscribe"}

    def close(self) -> None:
        pass


def test_reconnect_pauses_double_to_a_limit_and_reset(
    no_redis: str, channel: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    relay = RedisPubSub(no_redis, channel, lambda topic: None, lambda: None)
    taken = [False] * 7 + [True, False]
    pauses: list[float] = []

    def wait(seconds: float) -> None:
        pauses.append(seconds)
        if len(pauses) == len(taken):
            relay.close()

    line = Line(taken)
    monkeypatch.setattr(relay, "_client", lambda *given: line)
    monkeypatch.setattr(relay._closing, "wait", wait)
    relay._listen_again_and_again()
    longest = [0.2, 0.4, 0.8, 1.6, 3.2, 5.0, 5.0, 0.2, 0.4]
    assert all(most / 2 <= it <= most for it, most in zip(pauses, longest, strict=True))
    assert not relay.hears


def test_relay_threads_do_not_delay_process_exit(
    no_redis: str, hubs: Callable[[str, str], Hub], channel: str
) -> None:
    hub = hubs(no_redis, channel)
    with hub.subscribe("ANN"):
        hub.publish("ANN")
        assert hub._relay is not None
        threads = hub._relay._listening, hub._relay._telling
        assert all(thread is not None and thread.daemon for thread in threads)


def test_invalid_redis_url_is_refused_at_once() -> None:
    with pytest.raises(ValueError):
        Hub("nonsense://nowhere")


def test_a_browsers_oldest_stream_makes_room_for_one_too_many() -> None:
    hub = Hub()
    with ExitStack() as stack:
        own = [stack.enter_context(hub.subscribe("ANN", "ann")) for _ in range(PER_BROWSER)]
        other = stack.enter_context(hub.subscribe("ANN", "ben"))
        silent = [stack.enter_context(hub.subscribe("ANN")) for _ in range(2 * PER_BROWSER)]
        assert not any(stream.over for stream in own)
        own += [stack.enter_context(hub.subscribe("BOB", "ann")) for _ in range(2)]
        assert [stream.over for stream in own] == [True] * 2 + [False] * PER_BROWSER
        assert own[0].wait(0), "it is woken to say goodbye"
        assert not any(stream.over for stream in [other, *silent])
    assert hub.streams == 0
    assert hub._groups == {}


def test_streams_per_ip_address_are_limited() -> None:
    hub = Hub()
    with ExitStack() as stack:
        for n in range(PER_ADDRESS):
            stack.enter_context(hub.subscribe("ANN", f"browser {n}", "1.2.3.4"))
        with pytest.raises(TooManyStreams):
            hub.subscribe("ANN", "one more", "1.2.3.4")
        stack.enter_context(hub.subscribe("ANN", "one more", "1.2.3.5"))
    hub.subscribe("ANN", "one more", "1.2.3.4").close()
    assert hub.streams == 0


def test_program_may_replace_a_stream_whose_client_left() -> None:
    hub, gone = Hub(), [False] * PER_BROWSER
    with ExitStack() as stack:

        def one_more() -> Subscription:
            return stack.enter_context(hub.subscribe("ANN", program="its key"))

        streams = [one_more() for _ in range(PER_BROWSER)]
        for number, stream in enumerate(streams[1:], 1):  # nothing is known of the first
            stream.left = lambda number=number: gone[number]  # type: ignore[misc]
        with pytest.raises(TooManyStreams):
            one_more()
        hub.subscribe("ANN", program="another key").close()
        gone[2] = True
        assert not any(stream.wait(0) for stream in streams)
        one_more()
        assert [stream.wait(0) for stream in streams] == [False, False, True, False]
        with pytest.raises(TooManyStreams):
            one_more()
        streams[2].close()
        with pytest.raises(TooManyStreams):
            one_more()
        streams[1].close()
        one_more()
    assert hub.streams == 0
