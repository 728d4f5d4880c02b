"""A table whose players keep a match going, and the cost of their moves."""

import random
import select
import time
from collections.abc import Sequence

from bench.browser import Browser
from bench.server import Server

NAMES = ("Ann", "Ben", "Cid", "Dot")
# With these options a match continues as long as needed, and no choice is refused.
LEFT_ALONE = {"flip", "kaboom", "peek", "swap"}
PATIENCE = 30.0  # seconds to wait for a response or a view


class Room:
    """A table whose match has begun."""

    def __init__(
        self, server: Server, game: str = "kaboom", names: Sequence[str] = NAMES, **options: str
    ) -> None:
        self.server = server
        self.people = [Browser(server.port) for _ in names]
        self.spectators: list[Browser] = []
        self._chance = random.Random(7)
        fields = {"game": game, "name": names[0], **({"rounds": "20"} | options)}
        opened = self.people[0].ask("POST", "/tables", fields)
        self.table = opened.headers["Location"].partition("?")[0]
        for person, name in zip(self.people, names, strict=True):
            person.table = self.table
            if person is not self.people[0]:
                person.ask("POST", f"{self.table}/sit", {"name": name})
        self.people[0].ask("POST", f"{self.table}/start", {})
        for person in self.people:
            person.load()

    def listen(self) -> None:
        """Let every player open their event stream, as pages do."""
        for person in self.people:
            person.listen()

    def watch(self, count: int) -> None:
        """Add this many spectators, each with an event stream and no other connection."""
        first = Browser(self.server.port, self.table)
        first.load()
        first.close()
        for _ in range(count):
            spectator = Browser(self.server.port, self.table)
            spectator.show(first.page)
            spectator.listen()
            self.spectators.append(spectator)
        self.settle(2500)  # arrivals are reported once a second

    def settle(self, quiet: int = 20) -> None:
        """Read the streams until this many milliseconds pass without a message."""
        streams = {one.stream.fileno(): one for one in self._everyone() if one.stream}
        poll = select.poll()
        for number in streams:
            poll.register(number, select.POLLIN)
        while ready := poll.poll(quiet):
            for number, _ in ready:
                streams[number].heard()

    def choose(self) -> tuple[Browser, str]:
        """Return a player who can move, with their page up to date, and a move."""
        for person in self.people:
            person.load()
            offers = {verb: o for verb, o in person.offers().items() if verb not in LEFT_ALONE}
            if offers:
                verb = self._chance.choice(sorted(offers))
                return person, self._chance.choice(offers[verb])
        raise RuntimeError("no player can move")

    def play(self, moves: int) -> float:
        """Make this many moves; return the server's processor milliseconds per move. A move
        includes the press, the response to it, and whatever the others with a stream receive or
        fetch.
        """
        return sum(self._spent(*self.choose()) for _ in range(moves)) / moves

    def _spent(self, mover: Browser, move: str) -> float:
        self.settle()
        before = self.server.cpu()
        self.press(mover, move)
        return self.server.cpu() - before

    def press(self, mover: Browser, move: str) -> None:
        """Press a button, and wait until every other stream's viewer sees the change."""
        behind = {one: one.seen for one in self._everyone() if one.stream and one is not mover}
        streams = {one.stream.fileno(): one for one in behind if one.stream}
        mover.send_move(move)
        asking = {mover.fileno(): mover}
        poll = select.poll()
        for number in (*streams, *asking):
            poll.register(number, select.POLLIN)
        until = time.monotonic() + PATIENCE
        while behind or asking:
            if time.monotonic() > until:
                raise RuntimeError(f"{len(behind)} did not see a move in {PATIENCE:.0f} s")
            for number, _ in poll.poll(1000):
                if number in asking:
                    poll.unregister(number)
                    _show_answer(asking.pop(number))
                    continue
                one = streams[number]
                if one.heard() and one in behind:
                    one.send_look()
                    asking[one.fileno()] = one
                    poll.register(one.fileno(), select.POLLIN)
                    del behind[one]
                elif one.seen > behind.get(one, one.seen):
                    del behind[one]

    def _everyone(self) -> list[Browser]:
        return [*self.people, *self.spectators]

    def close(self) -> None:
        """Close all connections."""
        for one in self._everyone():
            one.close()


def _show_answer(one: Browser) -> None:
    answer = one.answer()
    if answer.status == 200:
        one.show(answer.text)
    elif answer.status != 204:
        raise RuntimeError(f"{one.table}: {answer.status} {answer.text[:200]}")
