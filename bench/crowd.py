"""What a crowd at one table costs: coming, and being shown a move."""

import re
import select
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import median

from bench.browser import Browser, StreamEnded
from bench.moves import between
from bench.room import Room, kaboom_room
from bench.table import Row, at_most, short
from kaboom.realtime.stream import HEARTBEAT

ARRIVALS = 500
CROWD = 1000
ROUNDS = 3
MOVES = 4
QUIET = 2500  # milliseconds without a message, after which none follows from what has happened
ROOM = re.compile(rb"event: ?room")


class Spectator(Browser):
    """Somebody who watches, and fetches by a connection that others use, too."""

    asked = ""  # of the stream

    def __init__(self, room: Room, asking: Browser) -> None:
        super().__init__(asking.port)
        self.asking = asking
        self.table = asking.table = room.people[0].table
        self.listen(self.asked)

    def look(self) -> None:
        """Fetch what a spectator sees."""
        self.asking.seen = self.seen
        self.asking.send_look()
        self.show(self.asking.answer())

    def hear(self) -> None:
        """Wait for a number that is not the one of the page, and fetch what is seen."""
        while self.told == self.seen:
            self.heard()
        self.look()


class Watcher(Spectator):
    """Somebody who watches, and is sent what there is to see, packed."""

    asked = "?views=1"

    def hear(self) -> None:
        """Wait until something else is to be seen, and has come."""
        before = self.seen
        while self.seen == before:
            self.heard()


def rows(folder: Path) -> list[Row]:
    """Return the rows of people who come to watch, and of a move that all of them are shown."""
    room = kaboom_room(folder)
    room.listen()
    try:
        return [coming(room), *showing(room)]
    finally:
        room.close()


def coming(room: Room) -> Row:
    """Return how many messages say that somebody came, while many come one after the other."""
    told, before = 0, room.server.cpu()
    asking, people = Browser(room.server.port), list(room.people)
    for _ in range(ARRIVALS):
        people.append(Spectator(room, asking))
        told += rooms(people, 0)
    while more := rooms(people, QUIET):
        told += more
    spent = (room.server.cpu() - before) / ARRIVALS
    leave(people[len(room.people) :])
    more = f"{told / ARRIVALS:.1f} for each, {spent:.1f} ms of processor time"
    name = f"messages about {short(ARRIVALS)} spectators who come one after the other"
    return Row(name, f"{short(told)} ({more})")


def rooms(people: Sequence[Browser], milliseconds: int) -> int:
    """Read what the streams bring, after waiting so long; return how often the room had changed."""
    poll, streams = select.poll(), {it.stream.fileno(): it for it in people if it.stream}
    for number in streams:
        poll.register(number, select.POLLIN)
    told = 0
    for number, _ in poll.poll(milliseconds):
        person = streams[number]
        data = person.stream.recv(1 << 20)
        if not data:
            raise StreamEnded
        told += len(ROOM.findall(person.unpacked(data)))
    return told


def showing(room: Room) -> list[Row]:
    """Compare a move that four players are shown with one that a crowd is shown besides: one that
    is sent what there is to see, and one that fetches it.
    """
    few = without(room)
    ways = ((Watcher, "are sent"), (Spectator, "fetch"))
    return [watched(room, few, CROWD, kind, how) for kind, how in ways]


def without(room: Room) -> float:
    """Return the milliseconds of processor time of a move that nobody watches."""
    return median(sum(shown(room, ()) for _ in range(MOVES)) / MOVES for _ in range(ROUNDS))


def watched(room: Room, few: float, count: int, kind: type[Spectator], how: str) -> Row:
    """Return the row of a move that a crowd is shown, by one that nobody watches."""
    asking = Browser(room.server.port)
    crowd = [kind(room, asking) for _ in range(count)]
    while rooms([*room.people, *crowd], QUIET):
        pass
    for one in crowd:
        one.look()
    many = [shown(room, crowd) for _ in range(ROUNDS)]
    leave(crowd)
    time.sleep(HEARTBEAT + 1)  # by then their places are free again
    ratios = [it / few for it in many]
    more = f"{between(ratios)}; {median(many):.0f} ms beside {few:.1f} ms"
    name = f"CPU of a move that {short(count)} spectators {how}, × without them"
    return at_most(name, median(ratios), 40, more=more)


def shown(room: Room, crowd: Sequence[Spectator]) -> float:
    """Return the milliseconds of processor time of a move that all fetch who are told of it."""
    room.look()
    for person in room.people:
        person.catch_up()
    before = room.server.cpu()
    room.play_by_streams()
    for one in crowd:
        one.hear()
    return room.server.cpu() - before


def leave(crowd: Sequence[Browser]) -> None:
    """Let them all go."""
    for one in crowd:
        one.close()
