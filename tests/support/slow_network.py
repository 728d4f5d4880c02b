"""A connection between browser and server that is slow, lossy, cut, or silent for a while, as in a
tunnel.

It listens at the server's place. A lost segment arrives late, because TCP sends it again, and so
does everything after it. No privileges are needed.
"""

import asyncio
import random
import threading
from collections.abc import Callable
from types import TracebackType
from typing import Self

SEGMENT = 1448  # bytes sent together
AGAIN = 0.4  # seconds until a lost segment is sent again


class Line:
    """A slow connection to a local port; `url` is its address.

    `speed` is in bytes a second each way, `delay` the round trip in seconds, `loss` the share of
    lost segments. Close it at the end.
    """

    def __init__(
        self, port: int, speed: float = 50_000, delay: float = 0.4, loss: float = 0.02
    ) -> None:
        self.port, self.speed, self.delay, self.loss = port, speed, delay, loss
        self.rng = random.Random(7)
        self.sent = self.lost = 0  # segments
        self._free = {"there": 0.0, "back": 0.0}  # when the line is free again
        self._ends = set[asyncio.StreamWriter]()  # connected browsers
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._ready = threading.Event()
        self._thread.start()
        self._ready.wait(10)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def enter_tunnel(self) -> None:
        """Block all traffic from now on, silently."""
        self._do(self._open.clear)

    def leave_tunnel(self) -> None:
        """Release all delayed traffic."""
        self._do(self._open.set)

    def cut(self) -> None:
        """Break all connections, and refuse new ones."""
        self._do(self._break_off)

    def mend(self) -> None:
        """Accept connections again."""
        self._do(self._whole.set)

    def close(self) -> None:
        """Cut all connections for good."""
        self._do(self._over.set)
        self._thread.join(5)

    def _do(self, what: Callable[[], object]) -> None:
        self._loop.call_soon_threadsafe(what)

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        self._loop.run_until_complete(self._serve())
        self._loop.close()

    async def _serve(self) -> None:
        self._open, self._over, self._whole = asyncio.Event(), asyncio.Event(), asyncio.Event()
        self._open.set()
        self._whole.set()
        listening = await asyncio.start_server(self._connect, "127.0.0.1", 0)
        self.url = f"http://127.0.0.1:{listening.sockets[0].getsockname()[1]}"
        self._ready.set()
        await self._over.wait()
        listening.close()
        others = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)
        await asyncio.sleep(0.05)  # until closed connections are gone

    def _break_off(self) -> None:
        self._whole.clear()
        for to in self._ends:
            to.transport.abort()

    async def _connect(self, here: asyncio.StreamReader, to: asyncio.StreamWriter) -> None:
        if not self._whole.is_set():
            to.transport.abort()
            return
        back, there = await asyncio.open_connection("127.0.0.1", self.port)
        self._ends.add(to)
        try:
            await asyncio.gather(self._carry("there", here, there), self._carry("back", back, to))
        except (OSError, asyncio.CancelledError):  # one side has hung up, or the test is over
            pass
        finally:
            self._ends.discard(to)
            there.close()
            to.close()

    async def _carry(
        self, way: str, source: asyncio.StreamReader, target: asyncio.StreamWriter
    ) -> None:
        """Forward data from one end to the other, segment by segment, each at its time."""
        on_the_way: asyncio.Queue[tuple[float, bytes]] = asyncio.Queue()
        arriving = asyncio.ensure_future(self._arrive(on_the_way, target))
        due = 0.0
        try:
            while segment := await source.read(SEGMENT):
                due = max(due, self._due(way, len(segment)))
                on_the_way.put_nowait((due, segment))
            on_the_way.put_nowait((due, b""))
            await arriving
        finally:
            arriving.cancel()

    def _due(self, way: str, size: int) -> float:
        """Return the arrival time of a segment of that size that is sent now."""
        self._free[way] = max(self._loop.time(), self._free[way]) + size / self.speed
        self.sent += 1
        late = 0.0
        while self.rng.random() < self.loss:
            self.lost += 1
            late += AGAIN
        return self._free[way] + self.delay / 2 + late

    async def _arrive(
        self, on_the_way: asyncio.Queue[tuple[float, bytes]], target: asyncio.StreamWriter
    ) -> None:
        while True:
            due, segment = await on_the_way.get()
            await asyncio.sleep(due - self._loop.time())
            await self._open.wait()
            if not segment:
                target.close()
                return
            target.write(segment)
            await target.drain()
