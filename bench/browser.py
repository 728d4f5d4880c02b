"""A browser as the server sees it: one keep-alive connection, one cookie, one event stream.

It learns about a table only from its page: the URLs of stream and view, and the buttons. So it
works with every commit whose pages contain these, whatever the commit's modules are called.
"""

import gzip
import http.client
import re
import socket
import time
from typing import NamedTuple
from urllib.parse import urlencode

import brotli  # type: ignore[import-untyped]
from backports import zstd

from tests.support.updates import PARTIAL, element

HEADERS = {
    "Accept": "text/html, */*;q=0.8",
    "Accept-Encoding": "gzip, deflate, br, zstd",
    "Accept-Language": "en-GB,en;q=0.9",
    "User-Agent": "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/156.0 Safari/537.36",
    "Sec-Fetch-Site": "same-origin",
    "Sec-Fetch-Mode": "cors",
    "Sec-Fetch-Dest": "empty",
}
UNPACKED = {
    None: bytes,
    "gzip": gzip.decompress,
    "zstd": zstd.decompress,
    "br": brotli.decompress,
}
KEEP = 3.0  # seconds after which the server may close an unused connection
OFFER = re.compile(r'name="move" value="([0-9a-f]+ (\w+)[^"]*)"')
LIFTED = re.compile(r'name="offer" value="([0-9a-f]+ (\w+))">(.*?)</form>', re.DOTALL)
RADIO = re.compile(r'type="radio" name="pick" value="([^"]+)"')
HIDDEN = re.compile(r'<input type="hidden" name="(match|v)" value="(\d+)">')
HEAD = re.compile(
    r'<input type="hidden" id="ver" name="v" value="(\d+)"(?: data-sight="([^"]+)")?[^>]*>'
)
VIEW = re.compile(r'hx-get="(/t/\w+/view)"[^>]* data-hx-target="#(\w+)"')
STREAM = re.compile(r'sse:connect="([^"]+)"')
ID = re.compile(rb"^id: ?(\d+)\S*(?: (\S+))?", re.MULTILINE)
DATA = re.compile(rb"^data: ?(.*)$", re.MULTILINE)
ZSTD_FRAME = b"\x28\xb5\x2f\xfd"  # the first bytes of a zstd frame
CHUNK = re.compile(rb"\A([0-9a-fA-F]+)\r\n")


class Answer(NamedTuple):
    """A response; `body` is as received."""

    status: int
    headers: http.client.HTTPMessage
    body: bytes

    @property
    def text(self) -> str:
        """Return the decompressed body."""
        return UNPACKED[self.headers["Content-Encoding"]](self.body).decode()


class StreamEnded(RuntimeError):
    """The server has closed the event stream."""


class Browser:
    """One player or spectator at one table.

    `page` is the table as last shown, `seen` its revision, `edition` its full name, `told` the last
    revision named by a stream.
    """

    def __init__(self, port: int, table: str = "", bearer: str = "") -> None:
        self.port, self.table, self.bearer = port, table, bearer
        self.key = ""
        self.page = ""
        self.edition = "0"
        self.seen = self.told = 0
        self.stream: socket.socket | None = None
        self._view = self._target = self._events = ""
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
        self._used = 0.0
        self._came = b""  # received over the stream, and not yet read
        self._begun = False  # have the stream's headers been read?

    # 1. Requests

    def fileno(self) -> int:
        """Return the connection's file descriptor, for waiting for a response."""
        return self._connection.sock.fileno()

    def send(self, method: str, path: str, fields: dict[str, str] | None = None) -> None:
        """Send a request as a page or a program does; `answer` reads the response."""
        if time.monotonic() - self._used > KEEP:
            self._connection.close()
        if self.bearer:
            headers = {"Authorization": f"Bearer {self.bearer}", "Accept-Encoding": "gzip, deflate"}
        else:
            headers = HEADERS | ({"Cookie": f"kb={self.key}"} if self.key else {})
            if self.table and path.startswith(f"{self.table}/"):
                target = "input#ver" if self._target == "ver" else "table"
                headers |= {"HX-Request": "true", "HX-Target": target}
                headers |= {"Kaboom-Shows": self.edition} if method == "POST" else {}
        body = None
        if fields is not None:
            headers["Content-Type"] = "application/x-www-form-urlencoded"
            headers["Origin"] = f"http://127.0.0.1:{self.port}"
            body = urlencode(fields)
        self._connection.request(method, path, body, headers)
        self._used = time.monotonic()

    def answer(self) -> Answer:
        """Return the response; raises RuntimeError if the server failed."""
        response = self._connection.getresponse()
        body = response.read()
        for cookie in response.headers.get_all("Set-Cookie", []):
            if cookie.startswith("kb="):
                self.key = cookie[3:].partition(";")[0]
        if response.status >= 500:
            raise RuntimeError(f"{response.status}: {body[:200]!r}")
        return Answer(response.status, response.headers, body)

    def ask(self, method: str, path: str, fields: dict[str, str] | None = None) -> Answer:
        """Send a request, and return its response."""
        self.send(method, path, fields)
        return self.answer()

    def fetch(self, path: str) -> Answer:
        """Return the response to a GET; raises RuntimeError unless its status is 200."""
        answer = self.ask("GET", path)
        if answer.status != 200:
            raise RuntimeError(f"{path}: {answer.status}")
        return answer

    # 2. The table

    def load(self) -> None:
        """Load the table's whole page."""
        self.show(self.fetch(self.table).text)

    def show(self, page: str) -> None:
        """Make this the shown page, or apply it if it is an update."""
        if "<hx-partial" in page or (self._target == "ver" and 'id="table"' not in page):
            for name, swap, html in PARTIAL.findall(page):
                self._put(name, swap, html)
            head = HEAD.search(PARTIAL.sub("", page))
            self.page = HEAD.sub(lambda _: head[0] if head else "", self.page, count=1)
        else:
            self.page = page
        if head := HEAD.search(self.page):
            self.seen, self.edition = int(head[1]), head[1] + (head[2] or "")
        if view := VIEW.search(page):
            self._view, self._target = view[1], view[2]
        self._events = (STREAM.search(page) or [0, self._events])[1]

    def _put(self, name: str, swap: str, html: str) -> None:
        """Replace a part of the page with that of an update; raises RuntimeError if the page lacks
        it.
        """
        if f' id="{name}"' not in self.page:
            raise RuntimeError(f"the page has no {name}")
        start, inside_ends, end = element(self.page, name)
        if swap == "beforeend":
            start = end = inside_ends
        self.page = self.page[:start] + html + self.page[end:]

    def send_look(self, anew: bool = False) -> None:
        """Request the view after a notice of a change; with `anew`, all of it."""
        self.send("GET", f"{self._view}?v={0 if anew else self.edition}")

    def look(self, anew: bool = False) -> Answer:
        """Fetch the view and show it."""
        self.send_look(anew)
        answer = self.answer()
        if answer.status == 200:
            self.show(answer.text)
        return answer

    def fetch_since(self, edition: str) -> Answer:
        """Return the response that a page with that edition would fetch, without showing it."""
        return self.ask("GET", f"{self._view}?v={edition}")

    def send_move(self, move: str) -> None:
        """Press a button of the table."""
        hidden = dict(HIDDEN.findall(self.page))
        self.send("POST", f"{self.table}/move", hidden | {"move": move, "sure": "1"})

    def offers(self) -> dict[str, list[str]]:
        """Return the page's offers: the values of its buttons and selectable cards, by verb."""
        found: dict[str, list[str]] = {}
        for value, verb in OFFER.findall(self.page):
            found.setdefault(verb, []).append(value)
        for value, verb, form in LIFTED.findall(self.page):
            if cards := RADIO.findall(form):
                found.setdefault(verb, []).extend(f"{value} {card}" for card in cards)
        return found

    # 3. The event stream

    def listen(self) -> None:
        """Open the page's event stream, and wait for its first message."""
        self._came, self._begun = b"", False
        self.stream = socket.create_connection(("127.0.0.1", self.port), timeout=30)
        lines = [f"GET {self._events} HTTP/1.1", f"Host: 127.0.0.1:{self.port}"]
        lines += [f"{name}: {value}" for name, value in HEADERS.items()]
        lines += [f"Cookie: kb={self.key}"] if self.key else []
        self.stream.sendall("\r\n".join([*lines, "", ""]).encode())
        while not self.told and not self.heard():
            pass

    def heard(self) -> bool:
        """Read the stream; return True if the page is outdated and must fetch the view.

        A message may contain the view, which is then shown, and no fetch is needed.
        """
        assert self.stream is not None
        data = self.stream.recv(1 << 16)
        if not data:
            raise StreamEnded
        for message in self._unpacked(data).split(b"\n\n"):
            if number := ID.search(message):
                self.told = max(self.told, int(number[1]))
            page = b"\n".join(DATA.findall(message)).decode()
            head = HEAD.search(page)
            # A response may have shown something newer; an update applies to one edition only.
            fits = number and number[2] in (None, self.edition.encode())
            if head and fits and b"event:" not in message and int(head[1]) > self.seen:
                self.show(page)
        return self.told > self.seen

    def _unpacked(self, data: bytes) -> bytes:
        """Return the messages of the received chunks, each compressed separately."""
        self._came += data
        if not self._begun:
            if b"\r\n\r\n" not in self._came:
                return b""
            self._begun, self._came = True, self._came.partition(b"\r\n\r\n")[2]
        messages = b""
        while chunk := CHUNK.search(self._came):
            end = chunk.end() + int(chunk[1], 16)
            if len(self._came) < end + 2:
                break
            body, self._came = self._came[chunk.end() : end], self._came[end + 2 :]
            while body.startswith(ZSTD_FRAME):
                frame = zstd.ZstdDecompressor()
                messages += frame.decompress(body)
                body = frame.unused_data
            messages += body
        return messages

    def close(self) -> None:
        """Close the connection and the stream."""
        self._connection.close()
        if self.stream is not None:
            self.stream.close()
            self.stream = None
