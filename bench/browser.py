"""A browser as the server sees it: one kept connection, one cookie, one event stream."""

import gzip
import http.client
import re
import socket
import time
from typing import NamedTuple
from urllib.parse import urlencode

import brotli  # type: ignore[import-untyped]
from backports import zstd

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
KEEP = 3.0  # seconds after which the server may be about to close an unused connection
OFFER = re.compile(r'name="move" value="([0-9a-f]+ (\w+)[^"]*)"')
LIFTED = re.compile(r'name="offer" value="([0-9a-f]+ (\w+))">(.*?)</form>', re.DOTALL)
RADIO = re.compile(r'type="radio" name="pick" value="([^"]+)"')
HIDDEN = re.compile(r'<input type="hidden" name="(match|v)" value="(\d+)">')
VERSION = re.compile(r'id="ver" name="v" value="(\d+)"')
NUMBER = re.compile(rb"id:\s*(\d+)")
FRAME = b"\x28\xb5\x2f\xfd"  # what is packed by zstd begins with it
HEAD = b"\r\n\r\n"
CHUNK = re.compile(rb"\A([0-9a-fA-F]+)\r\n")
DATA = re.compile(rb"^data: ?(.*)$", re.MULTILINE)


class Answer(NamedTuple):
    """What came back; `body` is as it came over the wire."""

    status: int
    headers: http.client.HTTPMessage
    body: bytes

    @property
    def text(self) -> str:
        """Return the body unpacked."""
        packed = self.headers["Content-Encoding"]
        return UNPACKED[packed](self.body).decode()


class StreamEnded(RuntimeError):
    """The server has closed the event stream."""


class Browser:
    """One player at one table. `page` is the table's fragment as last fetched."""

    def __init__(self, port: int, key: str = "") -> None:
        self.port = port
        self.key = key
        self.table = ""
        self.page = ""
        self.seen = "0"
        self.told = "0"  # the last number that came over the stream
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
        self._used = 0.0
        self.stream: socket.socket | None = None
        self._came = b""  # over the stream, and not read yet
        self._begun = False  # are the stream's headers read?

    def fileno(self) -> int:
        """Return the connection's descriptor, to wait for an answer."""
        return self._connection.sock.fileno()

    def send(self, method: str, path: str, fields: dict[str, str] | None = None) -> None:
        """Send a request as htmx does; `answer` returns what comes back."""
        if time.monotonic() - self._used > KEEP:
            self._connection.close()
        headers = self.headers(path)
        body = None
        if fields is not None:
            headers["Content-Type"] = "application/x-www-form-urlencoded"
            headers["Origin"] = f"http://127.0.0.1:{self.port}"
            body = urlencode(fields)
        self._connection.request(method, path, body, headers)
        self._used = time.monotonic()

    def headers(self, path: str) -> dict[str, str]:
        """Return what a question says besides its address: who asks, and that htmx does."""
        headers = dict(HEADERS)
        if self.table and path.startswith(self.table):
            headers |= {"HX-Request": "true", "HX-Target": "table"}
        if self.key:
            headers["Cookie"] = f"kb={self.key}"
        return headers

    def answer(self) -> Answer:
        """Return the answer to what was sent."""
        response = self._connection.getresponse()
        body = response.read()
        for cookie in response.headers.get_all("Set-Cookie", []):
            if cookie.startswith("kb="):
                self.key = cookie[3:].partition(";")[0]
        return Answer(response.status, response.headers, body)

    def ask(self, method: str, path: str, fields: dict[str, str] | None = None) -> Answer:
        """Send a request and return its answer."""
        self.send(method, path, fields)
        return self.answer()

    def show(self, answer: Answer) -> Answer:
        """Make an answer the page that is seen; raises RuntimeError when it is not the table."""
        if answer.status == 200:
            self.page = answer.text
            self.seen = VERSION.search(self.page)[1]
        elif answer.status != 204:
            raise RuntimeError(f"{answer.status}: {answer.body[:500]!r}")
        return answer

    def send_look(self) -> None:
        """Ask for the table's fragment, as a page does that was told of a change."""
        self.send("GET", f"{self.table}/view?v={self.seen}")

    def send_move(self, move: str) -> None:
        """Press a button of the table."""
        hidden = dict(HIDDEN.findall(self.page))
        self.send("POST", f"{self.table}/move", hidden | {"move": move, "sure": "1"})

    def offers(self) -> dict[str, list[str]]:
        """Return what the page offers: the values of its buttons by verb, and of cards to lift."""
        found: dict[str, list[str]] = {}
        for value, verb in OFFER.findall(self.page):
            found.setdefault(verb, []).append(value)
        for value, verb, form in LIFTED.findall(self.page):
            if cards := RADIO.findall(form):
                found.setdefault(verb, []).extend(f"{value} {card}" for card in cards)
        return found

    def listen(self, asking: str = "") -> None:
        """Open the event stream of the table and wait for its first number."""
        self._came, self._begun = b"", False
        self.stream = socket.create_connection(("127.0.0.1", self.port), timeout=30)
        lines = [f"GET {self.table}/events{asking} HTTP/1.1", f"Host: 127.0.0.1:{self.port}"]
        lines += [f"{name}: {value}" for name, value in HEADERS.items()]
        lines += [f"Cookie: kb={self.key}"] if self.key else []
        self.stream.sendall("\r\n".join([*lines, "", ""]).encode())
        while not self.heard():
            pass

    def heard(self) -> str:
        """Return the last number that has come over the stream, or nothing; it may wait."""
        assert self.stream is not None
        data = self.stream.recv(65536)
        if not data:
            raise StreamEnded
        messages = self.unpacked(data)
        numbers = NUMBER.findall(messages)
        if not numbers:
            return ""
        self.told = numbers[-1].decode()
        for message in messages.split(b"\n\n"):
            if message and b"event:" not in message:
                page = b"\n".join(DATA.findall(message)).decode()
                version = VERSION.search(page)[1]
                if int(version) > int(self.seen):  # else an answer has shown something newer
                    self.page, self.seen = page, version
        return self.told

    def unpacked(self, data: bytes) -> bytes:
        """Return the messages in the chunks that have come; of each, its packed frames in turn."""
        self._came += data
        if not self._begun:
            if HEAD not in self._came:
                return b""
            self._begun, self._came = True, self._came.partition(HEAD)[2]
        messages = b""
        while chunk := CHUNK.search(self._came):
            end = chunk.end() + int(chunk[1], 16)
            if len(self._came) < end + 2:
                break
            body, self._came = self._came[chunk.end() : end], self._came[end + 2 :]
            while body.startswith(FRAME):
                frame = zstd.ZstdDecompressor()
                messages += frame.decompress(body)
                body = frame.unused_data
            messages += body
        return messages

    def catch_up(self) -> None:
        """Read from the stream all that was told up to what is seen."""
        while self.told != self.seen:
            self.heard()

    def close(self) -> None:
        """Go away."""
        self._connection.close()
        if self.stream is not None:
            self.stream.close()
            self.stream = None
