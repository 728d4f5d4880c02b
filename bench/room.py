"""Four browsers at one table, of Kaboom or of the reference, that keep a match going."""

import random
import select
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from bench.browser import Browser
from bench.server import Server
from kaboom.db.migrate import upgrade

NAMES = ("Ann", "Ben", "Cid", "Dot")
# So a match goes on for as long as anybody measures, and no choice of theirs can be refused.
LEFT_ALONE = {"flip", "kaboom", "peek", "swap"}


class Took(NamedTuple):
    """Milliseconds from sending a move to its answer, and to the last of the others' views."""

    post: float
    views: float


class Room:
    """Four people at a table; `play` is one move and everything that follows from it."""

    def __init__(self, server: Server, people: list[Browser]) -> None:
        self.server = server
        self.people = people
        self._chance = random.Random(7)

    def look(self) -> None:
        """Let everybody fetch the table."""
        for person in self.people:
            person.send_look()
            person.show(person.answer())

    def listen(self) -> None:
        """Let everybody open their event stream, as pages do."""
        for person in self.people:
            person.listen("?views=1")

    def choose(self) -> tuple[Browser, str]:
        """Return whose move it is and some move of theirs."""
        for person in self.people:
            offers = {v: o for v, o in person.offers().items() if v not in LEFT_ALONE}
            if offers:
                verb = self._chance.choice(sorted(offers))
                return person, self._chance.choice(offers[verb])
        raise RuntimeError("nobody can move")

    def play(self) -> None:
        """Make one move; then the three others fetch their views, one after the other."""
        mover, move = self.choose()
        mover.send_move(move)
        mover.show(mover.answer())
        for person in self.people:
            if person is not mover:
                person.send_look()
                person.show(person.answer())

    def play_by_streams(self) -> Took:
        """Make one move; the others are sent their views, or told to fetch them, by their streams.

        The mover's stream tells it too, of what the answer has shown: as a page, it does not ask.
        """
        return self.press_by_streams(*self.choose())

    def press_by_streams(self, mover: Browser, move: str) -> Took:
        """Make this move as play_by_streams does."""
        told = {person.stream: person for person in self.people}
        answers = {}
        asking = {mover}
        deaf = set(self.people)
        began = time.perf_counter()
        post = views = 0.0
        mover.send_move(move)
        while asking or deaf:
            streams = [person.stream for person in deaf]
            heard = select.select([*streams, *asking], [], [], 30)[0]
            if not heard:
                raise RuntimeError("a stream or an answer did not come within 30 s")
            for ready in heard:
                if isinstance(ready, Browser):
                    answers[ready] = ready.answer()
                    asking.discard(ready)
                    if ready is mover:
                        post = time.perf_counter() - began
                    else:
                        views = time.perf_counter() - began
                else:
                    person, before = told[ready], told[ready].seen
                    if person.heard() in ("", before):
                        continue
                    deaf.discard(person)
                    if person.seen != before:
                        views = time.perf_counter() - began
                    elif person is not mover:
                        person.send_look()
                        asking.add(person)
        for person, answer in answers.items():
            person.show(answer)
        if mover.told != mover.seen:
            raise RuntimeError("the mover was not up to date after its own move")
        return Took(1000 * post, 1000 * views)

    def close(self) -> None:
        """End the match and the server."""
        for person in self.people:
            person.close()
        self.server.stop()


@contextmanager
def at_least(seconds: float) -> Iterator[None]:
    """Let what is done inside take at least so long."""
    until = time.monotonic() + seconds
    yield
    time.sleep(max(0.0, until - time.monotonic()))


def database(folder: Path, name: str = "kaboom") -> str:
    """Return the address of a new SQLite file with our schema."""
    url = f"sqlite:///{folder / name}.sqlite3"
    upgrade(url)
    return url


def kaboom_room(folder: Path) -> Room:
    """Return four people in the middle of a match of Kaboom."""
    server = Server(folder, DATABASE_URL=database(folder))
    people = sat_down(server, "kaboom", NAMES, rounds="20")
    room = Room(server, people)
    for _ in range(100):  # until the log is as long as it gets
        room.play()
    return room


def sat_down(server: Server, game: str, names: Sequence[str], **options: str) -> list[Browser]:
    """Return people at a new table of a game whose match has begun."""
    people = [Browser(server.port) for _ in names]
    host = people[0]
    answer = host.ask("POST", "/tables", {"game": game, "name": names[0], **options})
    for person, name in zip(people, names, strict=True):
        person.table = answer.headers["Location"].partition("?")[0]
        if person is not host:
            person.show(person.ask("POST", f"{person.table}/sit", {"name": name}))
    host.show(host.ask("POST", f"{host.table}/start", {}))
    room = Room(server, people)
    room.look()
    return people
