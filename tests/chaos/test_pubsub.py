"""The bus between workers loses, repeats, delays and reorders messages; pages recover."""

import os
import random
import re
import threading
import time

from kaboom.realtime.hub import Hub
from kaboom.realtime.stream import EventStream, Look

BURSTS = int(os.environ.get("KABOOM_BURSTS", "3"))
SEED = int(os.environ.get("KABOOM_SEED") or random.randrange(10**6))
HEARTBEAT = 0.25  # seconds
LATE = 0.1  # maximum delay of a message, in seconds
SLACK = 0.4  # seconds for sixty threads on a busy machine
TABLES = [f"TABLE {n}" for n in range(30)]


class BadBus:
    """Carries topics from each hub to the others, as badly as allowed."""

    def __init__(self, rng: random.Random) -> None:
        self.rng, self.hubs = rng, []
        self.lost = self.doubled = 0
        self.under_way: list[threading.Timer] = []

    def join(self) -> Hub:
        hub = Hub()
        hub._relay = End(self, hub)
        self.hubs.append(hub)
        return hub

    def tell(self, sender: Hub, topic: str) -> None:
        for hub in self.hubs:
            if hub is sender:
                continue
            times = self.rng.choice((0, 0, 1, 2))
            self.lost += times == 0
            self.doubled += times == 2
            for _ in range(times):
                late = threading.Timer(self.rng.uniform(0, LATE), hub._hear, (topic,))
                late.start()
                self.under_way.append(late)


class End:
    """One hub's end of the bus, with a relay's interface."""

    hears = True

    def __init__(self, bus: BadBus, hub: Hub) -> None:
        self.bus, self.hub = bus, hub

    def tell(self, topic: str) -> None:
        self.bus.tell(self.hub, topic)

    def listen(self) -> None:
        """Do nothing: it always listens."""

    def close(self) -> None:
        """Do nothing."""


class Viewer:
    """A player's stream at one worker: messages and their times."""

    def __init__(self, hub: Hub, numbers: dict[str, int], topic: str) -> None:
        self.topic, self.told = topic, []
        looks = lambda topic, viewers: [Look(numbers[topic])]  # noqa: E731
        self.stream = EventStream(
            hub.subscribe(topic), topic, None, looks, *looks(topic, ()), heartbeat=HEARTBEAT
        )
        self.thread = threading.Thread(target=self.listen, daemon=True)
        self.thread.start()

    def listen(self) -> None:
        for messages in self.stream:
            if found := re.search(rb"event:table\ndata:(\d+)", messages):
                self.told.append((time.monotonic(), int(found[1])))


def test_faulty_bus_leaves_pages_stale_at_most_one_heartbeat():
    """Few changes at many tables, then none, so that no later message makes up for a lost one."""
    rng = random.Random(SEED)
    bus = BadBus(rng)
    hubs = [bus.join() for _ in range(2)]
    numbers = dict.fromkeys(TABLES, 0)
    viewers = [Viewer(hub, numbers, table) for hub in hubs for table in TABLES]
    slowest = 0.0
    for _ in range(BURSTS):
        changed = {}
        for table in rng.choices(TABLES, k=40):
            numbers[table] += 1
            changed[table] = time.monotonic()
            rng.choice(hubs).publish(table)
            time.sleep(rng.uniform(0, 0.003))
        time.sleep(HEARTBEAT + LATE + SLACK)
        for viewer in viewers:
            at, told = viewer.told[-1]
            assert told == numbers[viewer.topic], f"seed {SEED}: a page stays outdated"
            slowest = max(slowest, at - changed.get(viewer.topic, at))
    for hub in hubs:
        hub.close()
    for thread in [*bus.under_way, *(viewer.thread for viewer in viewers)]:
        thread.join(10)
    for viewer in viewers:
        told = [number for _, number in viewer.told]
        assert told == sorted(set(told)), f"seed {SEED}: a number was repeated or decreased"
    assert bus.lost > 10 * BURSTS
    assert bus.doubled > 5 * BURSTS
    print(f"KABOOM_SEED={SEED}: {bus.lost} lost, {bus.doubled} doubled, right in {slowest:.2f} s")
