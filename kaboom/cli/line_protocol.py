"""Bots as separate programs: each message to and from them is one line of JSON.

Bots receive what a player in the seat would receive over HTTP, never a state. Each match has its
own process. Its standard error goes to a file or is discarded.
"""

import json
import os
import select
import signal
import subprocess
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from kaboom.engine.codec import to_json
from kaboom.engine.engine import random_move
from kaboom.engine.game import Game
from kaboom.engine.moves import Move, Refusal, Seat
from kaboom.engine.rng import Rng
from kaboom.engine.views import Prompt
from kaboom.remote_bots.bot_table import LONGEST, PROTOCOL, move_of, table_json

A_MOVE = 2.0  # seconds allowed for each answer
BANK = 30.0  # further seconds for a whole match
FAREWELL = 0.5  # seconds after the end of a match


class Fault(Exception):
    """A bot can no longer answer in this match; str() gives the reason in a few words."""


@dataclass
class Session:
    """A bot's process in one match, started when its first move is requested."""

    command: Sequence[str]
    game: Game[Any]
    options: Any
    seats: int
    stderr: Any  # where its standard error goes
    bank: float = field(default_factory=lambda: BANK)
    fault: str = ""
    seconds: list[float] = field(default_factory=list)
    process: subprocess.Popen[bytes] | None = None
    unread: bytes = b""

    def move(self, state: Any, prompt: Prompt, rng: Rng) -> Move | None:
        """Return the bot's move. After an invalid answer, the bot is prompted once more; after
        another one, random moves are made for it. Raises Fault.
        """
        if self.fault:
            return self._any(state, prompt, rng)
        if self.process is None:
            self._begin(prompt.seat)
        listeners = list(self.game.listeners(state))
        table = table_json(self.game, self.options, self.seats, state, prompt, listeners, rng)
        for _ in range(2):
            told = {"do": "choose", "left": round(self.bank, 1), "table": table}
            answer = self._ask(told)
            try:
                return move_of(answer, self.game, state, prompt, listeners)
            except Refusal as no:
                refused = {"do": "refused", "problem": {"detail": str(no)}}
                self._tell(refused, time.monotonic() + A_MOVE + self.bank)
        self.fault = "wrong answers"
        return self._any(state, prompt, rng)

    def _any(self, state: Any, prompt: Prompt, rng: Rng) -> Move | None:
        verbs = {offer.verb for offer in prompt.offers}
        while True:  # until the move answers this prompt: other offers are prompted separately
            move = random_move(self.game, state, prompt.seat, rng)
            if move is None or move.verb in verbs:
                return move

    def _begin(self, seat: Seat) -> None:
        try:
            self.process = subprocess.Popen(
                self.command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self.stderr,
                start_new_session=True,
            )
        except OSError:
            raise Fault("does not start") from None
        assert self.process.stdin is not None
        os.set_blocking(self.process.stdin.fileno(), False)  # the bot may never read its input
        options = json.loads(to_json(self.options))
        hello = {"do": "hello", "protocol": PROTOCOL, "game": self.game.key, "seat": seat}
        self._ask({**hello, "options": options})

    def _ask(self, message: dict[str, Any]) -> str:
        """Send a message, and return the line that answers it. Raises Fault."""
        began = time.monotonic()
        until = began + A_MOVE + self.bank
        self._tell(message, until)
        line = self._line(until)
        took = time.monotonic() - began
        self.seconds.append(took)
        self.bank -= max(0.0, took - A_MOVE)
        return line.decode(errors="replace").strip()

    def _tell(self, message: dict[str, Any], until: float) -> None:
        """Write a message as fast as the bot reads it. Raises Fault."""
        assert self.process is not None and self.process.stdin is not None
        pipe, rest = self.process.stdin.fileno(), json.dumps(message).encode() + b"\n"
        while rest:
            left = until - time.monotonic()
            if left <= 0 or not select.select([], [pipe], [], left)[1]:
                raise Fault("hang")
            try:
                rest = rest[os.write(pipe, rest) :]
            except OSError:
                raise Fault("crash") from None

    def _line(self, until: float) -> bytes:
        assert self.process is not None and self.process.stdout is not None
        out = self.process.stdout.fileno()
        while b"\n" not in self.unread:
            left = until - time.monotonic()
            if left <= 0 or not select.select([out], [], [], left)[0]:
                raise Fault("hang")
            data = os.read(out, LONGEST)
            if not data:
                raise Fault("crash")
            self.unread += data
            if len(self.unread) > LONGEST:
                raise Fault("flood")
        line, _, self.unread = self.unread.partition(b"\n")
        if self.unread:
            raise Fault("flood")
        return line

    def end(self, outcome: Any) -> None:
        """Send the bot the outcome, then end its process and all processes that it has started."""
        if self.process is None:
            return
        until = time.monotonic() + FAREWELL
        try:
            if not self.fault:
                told = None if outcome is None else json.loads(to_json(outcome))
                self._tell({"do": "over", "outcome": told}, until)
                self._tell({"do": "quit"}, until)
                self.process.wait(FAREWELL)
        except (Fault, subprocess.TimeoutExpired):
            pass
        finally:
            with suppress(ProcessLookupError):  # its children as well, even if it has exited
                os.killpg(self.process.pid, signal.SIGKILL)
            for pipe in (self.process.stdin, self.process.stdout):
                if pipe is not None:
                    pipe.close()  # not read to the end: another process may hold it open
            self.process.wait()
