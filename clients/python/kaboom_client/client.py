"""A player at a server: open, join, read, wait, move, and play a match to its end."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from typing import Any
from urllib.parse import quote, urlencode

from kaboom_client.connection import WAIT, Gone, Refused, Server, key_file, known_key, new_key
from kaboom_client.table import Move, Table

SCOPES = ("look", "play", "table", "talk")
ChosenMove = Sequence[Move | str | int]
CHANGED = (
    "too-late",
    "not-on-offer",
    "not-now",
)  # refusals of moves that were possible a moment earlier
ASKED = 3  # consecutive refusals of this kind after which a match is given up


class Client:
    """A player at a server. It stores no table, so several threads can play at several tables.

    Every method raises Refused if the server refuses, and Gone if it cannot be reached. A request
    is repeated while the server is busy; a repeated move counts once.
    """

    def __init__(self, home: str, key: str = "", name: str = "", language: str = "") -> None:
        """Use the server at the URL `home`, with an API key. Raises ValueError."""
        if not home.startswith(("http://", "https://")):
            raise ValueError("A server's URL must begin with https:// or http://.")
        self.server = Server(home, language)
        self.server.key, self.name = key, name

    @classmethod
    def guest(
        cls, home: str, name: str, scopes: Sequence[str] = SCOPES, language: str = ""
    ) -> Client:
        """Return a new guest of a server; `client.key` is lost if you do not keep it."""
        client = cls(home, language=language)
        fields = {"name": name, "key_name": "kaboom_client", "scopes": list(scopes)}
        made = client.server.post("/guests", **fields)
        client.server.key, client.name = made["key"], made["name"]
        return client

    @classmethod
    def remembered(
        cls, home: str, name: str, bot: bool = False, file: str = "", language: str = ""
    ) -> Client:
        """Return the player whose key is stored in a file, or a new guest, whose key is then
        stored.

        The file is that of `play.py`: ~/.config/kaboom/keys.json, or KABOOM_KEYS.
        """
        client, path = cls(home, language=language), file or key_file()
        known = known_key(client.server, path, name, bot)
        client.name = known or new_key(client.server, path, name, "kaboom_client", bot)
        return client

    @property
    def key(self) -> str:
        """The API key that is sent."""
        return self.server.key

    # Tables

    def open(self, game: str, **fields: Any) -> Table:
        """Open a table; `fields` are a preset, options, `bots`, `start` and so on."""
        return self._post("/tables", game=game, **self._named(fields))

    def look(self, code: str) -> Table:
        """Return a table as it is now."""
        return Table.of(self.server.get(f"{_at(code)}.json"))

    def sit(self, code: str, **fields: Any) -> Table:
        """Sit down; `fields` are `name` and `seat`."""
        return self._post(f"{_at(code)}/sit", **self._named(fields))

    def join(self, code: str) -> Table:
        """Sit down unless already seated, and be ready for the next match."""
        table = self.look(code)
        if table.me is None:
            table = self.sit(code)
        if table.stage == "playing":
            return table
        return self.do(code, "rematch" if table.stage == "over" else "ready")

    def do(self, code: str, act: str, **fields: Any) -> Table:
        """POST to one of a table's endpoints, such as `start`, `bot`, `leave` or `hint`."""
        return self._post(f"{_at(code)}/{act}", **fields)

    def say(self, code: str, text: str) -> None:
        """Send a chat line."""
        self.server.post(f"{_at(code)}/talk", text=text)

    def text(self, code: str, width: int = 0) -> str:
        """Return a table as plain text, in lines of this many columns."""
        query = f"?width={width}" if width else ""
        return self.server.text(f"{_at(code)}.txt{query}")[0]

    # Changes

    def wait(self, table: Table, seconds: int = WAIT) -> Table:
        """Return the table once it has changed, or after this many seconds (0 to 25)."""
        query = urlencode({"v": table.revision, "wait": seconds})
        return Table.of(self.server.get(f"{_at(table.code)}.json?{query}"))

    def updates(self, code: str) -> Iterator[Table]:
        """Yield a table now and after each change, over one stream, for as long as you iterate.

        It reconnects automatically. Raises Gone when the retries are used up.
        """
        last: tuple[int, int | None] | None = None
        failed = 0
        while True:
            pause = 0.0
            try:
                with closing(self.server.stream(f"{_at(code)}.ndjson")) as messages:
                    for message in messages:
                        failed = 0
                        pause = message.get("retry", 0) / 1000
                        table = Table.of(message["table"]) if "table" in message else None
                        if table and (table.revision, table.me) != last:
                            last = table.revision, table.me
                            yield table
            except Gone:
                failed += 1
            except Refused as no:
                if no.slug not in ("too-fast", "busy") and no.status not in (502, 503, 504):
                    raise
                failed += 1
            if failed > len(self.server.patience):
                raise Gone()
            time.sleep(self.server.patience[failed - 1] if failed else pause or 1)

    # Moves

    def move(self, table: Table, move: Move | str | int, *choices: str | int) -> Table:
        """Make a move, and return the table after it.

        A Move or its verb takes choices by name: `move(table, "lay", "8S", "JS")`. A number is that
        of a move in the list, and more may follow: `move(table, 7, 8)`.
        """
        return self._move(table, (move, *choices))

    def check(self, table: Table, move: Move | str | int, *choices: str | int) -> None:
        """Raise Refused where `move` would, without moving."""
        self._move(table, (move, *choices), dry=True)

    def _move(self, table: Table, chosen: ChosenMove, **more: bool) -> Table:
        first, *rest = chosen
        offer = table.offer(first) if isinstance(first, str) else first
        answers = offer.answers if isinstance(offer, Move) else table.menu
        words = [first.verb if isinstance(first, Move) else first, *rest]
        said = " ".join(map(str, words))
        return self._post(f"{_at(table.code)}/move", answers=answers, move=said, **more)

    def play(self, table: Table, choose: Callable[[Table], ChosenMove | None]) -> Table:
        """Play a match to its end, and return the table with its outcome.

        `choose` is called when the table waits for you. It returns a move in the form `move` takes,
        such as `("lay", "8S", "JS")` or `(7, 8)`, or None not to move. It is called again if the
        table has changed in the meantime. A move that breaks a rule raises Refused.
        """
        before, refused = (table.stage, table.match), 0
        while (table.stage, table.match) == before and table.stage != "playing":
            table = self.wait(table)
        while not table.outcome:
            chosen = choose(table) if table.waited else None
            if not chosen:
                table = self.wait(table)
                continue
            try:
                table, refused = self._move(table, chosen), 0
            except Refused as no:
                refused += 1
                if no.slug not in CHANGED or refused > ASKED:
                    raise
                table = self.wait(table) if no.slug == "not-now" else self.look(table.code)
        return table

    def _post(self, path: str, **fields: Any) -> Table:
        return Table.of(self.server.post(path, **fields))

    def _named(self, fields: dict[str, Any]) -> dict[str, Any]:
        return {"name": self.name, **fields} if self.name else fields


def _at(code: str) -> str:
    """Return the path of a table."""
    return "/t/" + quote(code, safe="")
