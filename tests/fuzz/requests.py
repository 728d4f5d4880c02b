"""Requests that no browser would send: mutated forms, random bytes, odd headers.

A run is determined by one number, so that a failure can be repeated.
"""

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from io import BytesIO
from typing import Any
from urllib.parse import quote_from_bytes, urlencode

CANARY = "\"kb'canary<kb-canary x=1>"
UNESCAPED = (b"<kb-canary", b"\"kb'canary")

# These types may contain "<" unescaped, since browsers do not parse them as HTML (nosniff).
NO_MARKUP = (
    "application/json",
    "application/problem+json",
    "application/x-ndjson",
    "text/event-stream",
    "text/plain",
)

METHODS = ("GET",) * 9 + ("POST",) * 9 + ("HEAD", "OPTIONS", "PUT", "DELETE", "PATCH", "BREW")

GARBAGE = (
    "",
    " ",
    "0",
    "1",
    "-1",
    "00",
    "+1",
    "１",
    "1e9",
    "99999999999999999999",
    "2147483648",
    "NaN",
    "null",
    "true",
    "None",
    "\x00",
    "a\x00b",
    "\r\nX-Injected: yes",
    "\u202egnp.exe",
    "\u200b",
    "é" * 30,
    "👩‍👩‍👧‍👦" * 9,
    "Z\u0321\u0322\u0323\u0324" * 20,
    "ß" * 24,
    "%00",
    "%",
    "%zz",
    "..",
    "../../etc/passwd",
    "{{7*7}}",
    "${7*7}",
    "%(name)s {name} %s",
    "' OR 1=1 --",
    "//evil.example/",
    "https://evil.example/",
    "/\\evil.example",
    "javascript:alert(1)",
    CANARY,
    f"</title>{CANARY}",
    f"Ann{CANARY}",
    "x" * 300,
    "x" * 3000,
    "0 bid KS",
    "-1 lapse 1",
    "-1 leave 0",
    "KS KS KS",
    "0.0",
    "9.9",
    "KS",
    "yes",
)

BAD_BYTES = (b"\xff\xfe", b"\xc0\xaf", b"\xed\xa0\x80", b"%ff%fe", b"%c3%28", b"\x80", b"\xf5\x80")

HEADERS: dict[str, tuple[str, ...]] = {
    "HX-Request": ("true", "false", "1", CANARY),
    "HX-Target": ("table", CANARY),
    "HX-Current-URL": ("http://localhost/", "javascript:1", CANARY),
    "Host": ("localhost", "evil.example", "localhost:1", "a:b:c", "[::1]", "", "é", "x" * 300),
    "X-Forwarded-For": ("1.2.3.4", "1.2.3.4, 5.6.7.8", "nonsense", CANARY),
    "X-Forwarded-Host": ("evil.example", CANARY),
    "X-Forwarded-Proto": ("https", "ftp", CANARY),
    "X-Forwarded-Prefix": ("/evil", CANARY),
    "Forwarded": ("for=1.2.3.4;host=evil.example",),
    "X-HTTP-Method-Override": ("DELETE", "GET"),
    "Range": ("bytes=0-1", "bytes=9-1", "bytes=-1", "bytes=0-999999999", "lines=1", "bytes=a-b"),
    "If-None-Match": ("*", '"x"', 'W/"x"', "x", '"', CANARY),
    "If-Match": ("*", '"x"'),
    "If-Modified-Since": ("Sat, 21 Nov 2026 12:00:00 GMT", "yesterday", "0"),
    "If-Range": ('"x"', "yesterday"),
    "Accept": ("*/*", "text/html", "application/json", "text/event-stream", "x", CANARY),
    "Accept-Encoding": ("gzip", "br", "*;q=0", "gzip;q=x", "identity;q=0", CANARY),
    "Accept-Language": ("de", "sw", "sw-KE;q=0.5", "*", "x" * 500, ";q=", CANARY),
    "Origin": ("http://localhost", "null", "https://evil.example", "", "http://[", CANARY),
    "Referer": ("http://localhost/", "https://evil.example/", CANARY),
    "Sec-Fetch-Site": ("same-origin", "none", "cross-site", "same-site", CANARY),
    "Last-Event-ID": ("1", "-1", CANARY),
    "Expect": ("100-continue", "x"),
    "Connection": ("close", "upgrade"),
    "Upgrade": ("websocket", "h2c"),
    "Authorization": ("Basic Og==", "Bearer x", "Basic %%%"),
    "User-Agent": ("", "w3m", CANARY, "x" * 2000),
    "Content-Encoding": ("gzip", "x"),
    "Transfer-Encoding": ("chunked",),
    "Content-Type": (
        "application/json",
        "text/plain",
        "multipart/form-data",
        "multipart/form-data; boundary=",
        "multipart/form-data; boundary=x",
        "application/x-www-form-urlencoded; charset=utf-16",
        "x/y; charset=nonsense",
        ";",
        "",
    ),
    "Content-Length": ("0", "-1", "x", "5", "999999999999"),
}

COOKIES = (
    "kb=",
    "kb=x",
    "kb=" + "x" * 5000,
    'kb="\\"',
    "kb=é",
    "=",
    ";;;",
    "kb=a; kb=b",
    "session=x.y.z",
    "kb-settings=confirm=x&refresh=99999999999999999999&look=<b>&language=../x",
    "kb-settings=&&&===",
    "kb-settings=language=" + "x" * 400,
    f"kb-settings=look={CANARY}",
    "kb-seen=-1",
    "\x01\x02",
)


@dataclass
class Request:
    """A raw request. `body` is None if there is none."""

    method: str
    path: bytes
    query: bytes = b""
    headers: list[tuple[str, str]] = field(default_factory=list)
    body: bytes | None = None

    def __str__(self) -> str:
        shown = {name: value[:80] for name, value in self.headers}
        body = "" if self.body is None else f" body {self.body[:300]!r} ({len(self.body)} bytes)"
        return f"{self.method} {self.path[:200]!r}?{self.query[:200]!r} {shown}{body}"

    def environ(self) -> dict[str, Any]:
        """Return the WSGI environment of the request."""
        environ: dict[str, Any] = {
            "REQUEST_METHOD": self.method,
            "SCRIPT_NAME": "",
            "PATH_INFO": self.path.decode("latin-1"),
            "QUERY_STRING": self.query.decode("latin-1"),
            "SERVER_NAME": "localhost",
            "SERVER_PORT": "80",
            "SERVER_PROTOCOL": "HTTP/1.1",
            "REMOTE_ADDR": "127.0.0.1",
            "HTTP_HOST": "localhost",
            "wsgi.version": (1, 0),
            "wsgi.url_scheme": "http",
            "wsgi.input": BytesIO(self.body or b""),
            "wsgi.errors": BytesIO(),
            "wsgi.multithread": True,
            "wsgi.multiprocess": False,
            "wsgi.run_once": False,
            "wsgi.input_terminated": True,
        }
        if self.body is not None:
            environ["CONTENT_LENGTH"] = str(len(self.body))
            environ["CONTENT_TYPE"] = "application/x-www-form-urlencoded"
        for name, value in self.headers:
            key = name.upper().replace("-", "_")
            key = key if key in ("CONTENT_TYPE", "CONTENT_LENGTH") else f"HTTP_{key}"
            environ[key] = value.encode("utf-8").decode("latin-1")
        return environ


@dataclass
class World:
    """The targets of requests: addresses by argument, players' cookies, forms of real pages.

    `values` return a value for a route's argument, given the route. `pages` return the forms of a
    page as (method, address, cookie, fields).
    """

    rules: list[Any]
    values: dict[str, Callable[[random.Random, str], str]]
    cookies: list[str]
    pages: Callable[[random.Random], list[tuple[str, str, str, list[tuple[str, str]]]]]


def drawn(world: World, dice: random.Random) -> Request:
    """Return the next request: a real form (mutated or not), or a random address with random
    content.
    """
    cookie = dice.choice(world.cookies)
    if dice.random() < 0.45 and (forms := world.pages(dice)):
        method, address, cookie, fields = dice.choice(forms)
        if dice.random() < 0.6:
            fields = bent(fields, dice)
        path, _, query = address.partition("?")
        body = as_form(fields, dice)
        request = (
            Request("POST", path.encode(), query.encode(), [], body)
            if method == "post"
            else Request("GET", path.encode(), body)
        )
    else:
        request = at_any_address(world, dice)
    if cookie and dice.random() < 0.95:
        request.headers.append(("Cookie", cookie))
    elif dice.random() < 0.3:
        request.headers.append(("Cookie", dice.choice(COOKIES)))
    if dice.random() < 0.35:
        for name in dice.sample(sorted(HEADERS), dice.randint(1, 3)):
            request.headers.append((name, dice.choice(HEADERS[name])))
    if dice.random() < 0.02:
        request.body = oversized(dice)
        request.method = "POST"
    return request


def at_any_address(world: World, dice: random.Random) -> Request:
    """Return a random request for a route or an unknown address."""
    rule = dice.choice(world.rules)
    path = address(rule, world, dice)
    if dice.random() < 0.06:
        path = b"/" + dice.choice(BAD_BYTES) + path
    elif dice.random() < 0.06:
        path = path + dice.choice([b"/", b"//", b"%2f", b"/x", b";x=1", b"\x00", b" ", b"?"])
    elif dice.random() < 0.03:
        path = dice.choice(GARBAGE).encode()
    fits = [m for m in rule.methods if m not in ("HEAD", "OPTIONS")]
    method = dice.choice(METHODS) if dice.random() < 0.4 else dice.choice(sorted(fits))
    fields = [(dice.choice(FIELDS), anything(dice)) for _ in range(dice.randint(0, 5))]
    query = as_form(fields, dice) if dice.random() < 0.5 else b""
    body = None
    if method not in ("GET", "HEAD", "OPTIONS"):
        body = as_form(fields, dice) if dice.random() < 0.8 else dice.randbytes(dice.randint(0, 99))
    return Request(method, path, query, [], body)


FIELDS = (
    *("move", "offer", "pick", "cmd", "match", "v", "sure", "ask", "name", "seat", "bots", "start"),
    *("game", "code", "next", "look", "refresh", "colours", "confirm", "language", "ready", "say"),
    *("text", "password", "cut", "number", "file", "options", "hidden", "yes", "index", "back"),
)


def address(rule: Any, world: World, dice: random.Random) -> bytes:
    """Return an address of a route, mostly of something that exists."""
    parts = rule.rule
    for name in sorted(rule.arguments - {*(rule.defaults or ())}):
        known = world.values.get(name)
        value = known(dice, rule.rule) if known and dice.random() < 0.8 else dice.choice(GARBAGE)
        start = parts.index("<")
        end = parts.index(">", start)
        while name not in parts[start:end]:
            start = parts.index("<", end)
            end = parts.index(">", start)
        parts = parts[:start] + value.replace("<", "\x11").replace(">", "\x12") + parts[end + 1 :]
    return parts.replace("\x11", "<").replace("\x12", ">").encode()


def bent(fields: list[tuple[str, str]], dice: random.Random) -> list[tuple[str, str]]:
    """Return a form's fields with one mutation."""
    fields = list(fields)
    for _ in range(dice.randint(1, 3)):
        if not fields:
            return [(dice.choice(FIELDS), anything(dice))]
        place = dice.randrange(len(fields))
        name, value = fields[place]
        match dice.randrange(8):
            case 0:
                del fields[place]
            case 1:
                fields.append((name, value))
            case 2:
                fields[place] = (name, anything(dice))
            case 3:
                fields[place] = (name, value + anything(dice))
            case 4:
                letters = list(value)
                dice.shuffle(letters)
                fields[place] = (name, "".join(letters))
            case 5:
                fields[place] = (name, dice.choice(fields)[1])
            case 6:
                fields[place] = (name, " ".join([value, *value.split()[1:]]))
            case 7:
                fields.append((dice.choice(FIELDS), anything(dice)))
    return fields


def anything(dice: random.Random) -> str:
    """Return a random value for a field."""
    if dice.random() < 0.8:
        return dice.choice(GARBAGE)
    return "".join(chr(dice.choice([32, 60, 65, 97, 233, 8364, 127183])) for _ in range(9))


def as_form(fields: list[tuple[str, str]], dice: random.Random) -> bytes:
    """Return the form-encoded fields, now and then with bytes that are not text."""
    body = urlencode(fields, errors="surrogatepass").encode()
    if dice.random() < 0.04:
        bad = quote_from_bytes(dice.choice(BAD_BYTES)).encode()
        body += b"&name=" + (bad if dice.random() < 0.5 else dice.choice(BAD_BYTES))
    return body


def oversized(dice: random.Random) -> bytes:
    """Return a body over the limit, in size or number of parts."""
    if dice.random() < 0.5:
        return b"name=" + b"x" * dice.choice([64 * 1024, 100_000])
    return b"&".join(b"f%d=1" % n for n in range(dice.choice([250, 5000])))
