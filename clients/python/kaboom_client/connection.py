"""The connection to a server: requests, responses, refusals, streams, and keys stored in a file.

The code below the line of dashes is also in `static/play.py`, which is a single file without this
package and runs on Python 3.8. tests/formats/test_python_client.py compares the two.
"""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import time
import urllib.error
import urllib.request
import uuid
from typing import Any

AGENT = "kaboom-client/1"
WAIT = 25  # seconds that the server holds a request for news

# ---- The connection: as in clients/python/kaboom_client/connection.py

LONGEST_PAUSE = 60  # seconds; if a server asks for a longer one, its refusal is final


class Refused(Exception):
    """The server refused a request; str() is the reason, `problem` the whole response."""

    def __init__(self, status: int, problem: dict[str, Any]) -> None:
        super().__init__(problem.get("detail") or f"Error {status}")
        self.status, self.problem = status, problem
        self.slug: str = problem.get("type", "").rpartition("/")[2]
        self.rule: str = (problem.get("rule") or {}).get("href", "")


class Gone(Exception):
    """The server cannot be reached."""


class Server:
    """A Kaboom server: sends requests, and repeats them on bad connections."""

    def __init__(
        self, home: str, language: str, patience: tuple[float, ...] = (1, 2, 4, 8, 15)
    ) -> None:
        self.home, self.language, self.patience = home.rstrip("/"), language, patience
        self.key = ""

    def ask(
        self, path: str, body: dict[str, Any] | None = None, accept: str = "application/json"
    ) -> tuple[str, http.client.HTTPMessage]:
        """Return the response's text and headers. A repeated request keeps its Idempotency-Key, so
        it counts once.

        Raises Refused or Gone.
        """
        head = {"Accept": accept, **self._head()}
        data = None
        if body is not None:
            head.update({"Content-Type": "application/json", "Idempotency-Key": str(uuid.uuid4())})
            data = json.dumps(body).encode()
        for pause in (*self.patience, None):
            try:
                request = urllib.request.Request(self.home + path, data, head)
                with urllib.request.urlopen(request, timeout=WAIT + 15) as answer:
                    return answer.read().decode(), answer.headers
            except urllib.error.HTTPError as no:
                refused = _refused(no)
                if pause is None or no.code not in (429, 502, 503, 504):
                    raise refused from None
                with contextlib.suppress(ValueError):  # there is no delay, or it is a date
                    pause = float(no.headers.get("Retry-After", ""))
                if not 0 <= pause <= LONGEST_PAUSE:
                    raise refused from None
            except (OSError, http.client.HTTPException):  # the second: the response broke off
                if pause is None:
                    raise Gone() from None
            time.sleep(pause)
        raise Gone()

    def _head(self) -> dict[str, str]:
        """Return the headers of each request: the key and the language."""
        head = {"User-Agent": AGENT}
        if self.language:
            head["Accept-Language"] = self.language
        if self.key:
            head["Authorization"] = "Bearer " + self.key
        return head

    def get(self, path: str) -> Any:
        """Return the JSON at a path."""
        return _parsed(self.ask(path)[0])

    def stream(self, path: str) -> Any:
        """Yield the lines of a stream; silence means that the connection was lost.

        Raises Refused or Gone.
        """
        request = urllib.request.Request(self.home + path, None, self._head())
        try:
            with urllib.request.urlopen(request, timeout=WAIT) as answer:
                for line in answer:
                    yield json.loads(line)
        except urllib.error.HTTPError as no:
            raise _refused(no) from None
        except (OSError, ValueError, http.client.HTTPException):
            raise Gone() from None

    def post(self, path: str, **fields: Any) -> Any:
        """POST to a path, and return the JSON of the response."""
        return _parsed(self.ask(path, fields)[0])

    def text(self, path: str) -> tuple[str, str]:
        """Return the plain text at a path, and the menu to which its numbers belong."""
        text, headers = self.ask(path, accept="text/plain")
        return text, headers.get("Kaboom-Menu", "")


def _parsed(text: str) -> Any:
    """Return the data of a JSON response; raises Refused for any other response."""
    try:
        return json.loads(text)
    except ValueError:
        raise Refused(200, {"detail": "There is no Kaboom server at that address."}) from None


def _refused(no: urllib.error.HTTPError) -> Refused:
    """Return a refusal in its JSON form; for text or speech it is only a sentence."""
    try:
        text = no.read().decode(errors="replace")
    except (OSError, http.client.HTTPException):  # the response broke off
        text = ""
    if no.headers.get_content_type() == "text/plain":
        return Refused(no.code, {"detail": text.strip()})
    try:
        found = json.loads(text)
    except ValueError:
        found = {}
    return Refused(no.code, found if isinstance(found, dict) else {})


# Keys


def key_file() -> str:
    """Return the path of the file with the keys."""
    folder = os.environ.get("XDG_CONFIG_HOME") or os.path.join(os.path.expanduser("~"), ".config")
    return os.environ.get("KABOOM_KEYS") or os.path.join(folder, "kaboom", "keys.json")


def kept_keys(path: str) -> dict[str, dict[str, str]]:
    """Return the stored keys by server."""
    try:
        with open(path, encoding="utf-8") as file:
            found = json.load(file)
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def keep_key(path: str, home: str, name: str, key: str) -> None:
    """Store a key in a file that only its owner can read."""
    keys = kept_keys(path)
    keys[home] = {"name": name, "key": key}
    os.makedirs(os.path.dirname(path) or ".", mode=0o700, exist_ok=True)
    part = path + ".part"
    if os.path.exists(part):
        os.remove(part)
    with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        json.dump(keys, file, indent=1)
    os.replace(part, path)


def known_key(server: Server, path: str, wished: str, bot: bool) -> str:
    """Use the stored key for a server, and return its player's name; "" if none works."""
    kept = kept_keys(path).get(server.home + (" bot" if bot else ""))
    if not kept or (wished and kept["name"] != wished):
        return ""
    server.key = kept["key"]
    try:
        server.get("/games.json")
        return kept["name"]
    except Refused as no:
        if no.status != 401:
            raise
        server.key = ""
    return ""


def new_key(server: Server, path: str, name: str, key_name: str, bot: bool) -> str:
    """Become a guest of a server, store the key, and return the guest's name."""
    scopes = ["look", "play", "table", "talk"] + (["bot"] if bot else [])
    made = server.post("/guests", name=name, key_name=key_name, scopes=scopes)
    server.key = made["key"]
    keep_key(path, server.home + (" bot" if bot else ""), made["name"], made["key"])
    return str(made["name"])


# ---- The end of the connection
