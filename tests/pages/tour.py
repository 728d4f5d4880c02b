"""A tour of the server: people request pages and send forms, and all answers are recorded.

Clock, random draws, keys and codes are fixed, so answers are identical in every run. Secrets are
shown as ‹secret›.
"""

import base64
import hashlib
import json
import random
import re
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from difflib import SequenceMatcher, unified_diff
from typing import Any
from urllib.parse import urlencode, urlsplit

from flask import Flask

from kaboom.db.ids import CODE_LETTERS
from tests.pages.plain import Node, Printed, of_body
from tests.support.forms import Page

BEGINS = 1_790_000_000.0  # a Monday in September 2026
# The same in every answer, or shown elsewhere.
UNTOLD = {"content-length", "content-type", "date", "location", "set-cookie"}
HERE = '/settings?next=‹here›"'  # on every page
GONE = 50  # characters of a removed line
CHANGED = "what people are answered has changed: `make snapshots`, then read the difference"
MUCH = 0.8  # share of an answer above which it is shown in full
TOKEN = re.compile(r"[\w-]{20,}")
# Headers that most answers share.
USUAL = ("Content-Security", "Cross-Origin", "Permissions", "Referrer", "Vary", "X-Content")
EXPIRES = re.compile(r" ?Expires=[^;]*;?")


class Chance:
    """A stand-in for the system's randomness, fixed for each tour."""

    def __init__(self, name: str) -> None:
        self.name, self.drawn = name, 0
        self.secrets: set[str] = set()

    def __call__(self, count: int) -> bytes:
        self.drawn += 1
        drawn = hashlib.shake_256(f"{self.name} {self.drawn}".encode()).digest(count)
        if count >= 16:
            self.secrets.add(base64.urlsafe_b64encode(drawn).rstrip(b"=").decode())
            self.secrets.add(drawn.hex())
        return drawn

    def hidden(self, text: str) -> str:
        """Return a text without the secrets of this tour."""
        return TOKEN.sub(self._hidden, text)

    def _hidden(self, found: re.Match[str]) -> str:
        token = found[0]
        for secret in (token, *(it for it in self.secrets if it in token)):
            if secret in self.secrets:
                return token.replace(secret, "‹secret›")
        return token


def numbered_codes() -> Callable[[], str]:
    """Return a function that gives the codes of a tour, one after the other."""
    numbers = iter(range(1, 1000))

    def code() -> str:
        number = next(numbers)
        tens, ones = divmod(number, 20)
        return f"TUUR{'A' * 2}{CODE_LETTERS[tens]}{CODE_LETTERS[ones]}"

    return code


class Tour:
    """The requests of people and the answers, as text."""

    def __init__(self, app: Flask, fake_clock: Any, rng: Chance, known: list[str] | None) -> None:
        self.app, self.clock, self.rng = app, fake_clock, rng
        self._known, self._checked = known, 0  # the recording; None to write a new one
        self.printed = Printed()
        self._answers: dict[str, tuple[list[str], frozenset[str]]] = {}  # the last of each kind
        self.service = app.config["TABLES"]

    def chapter(self, title: str) -> None:
        """Begin a chapter."""
        self.printed.lines += ["", f"# {title}"]

    def person(self, name: str, **headers: str) -> "Person":
        """Return a player with a new browser, or a program."""
        return Person(self, name, headers)

    def time_passes(self, seconds: float, *codes: str) -> None:
        """Let time pass, and run what is due at these tables."""
        self.printed.lines += ["", f"({seconds:g} seconds pass)"]
        self.clock.sleep(seconds)
        for code in codes:
            self.service.run_due(code)

    def direct(self, work: Callable[[Any], object], seconds: float) -> None:
        """Let time pass, and run what is due in tournaments."""
        self.printed.lines += ["", f"({seconds:g} seconds pass)"]
        self.clock.sleep(seconds)
        for _ in range(3):
            work(self.service)

    def until(self, code: str, there: Callable[[Any], bool], most: int = 200) -> None:
        """Let time pass at a table until a condition is met."""
        for _ in range(most):
            if there(self.service.get(code)):
                return
            self.clock.sleep(5)
            self.service.run_due(code)
        raise AssertionError("the condition was never met")

    def add(self, asked: str, answered: Node) -> None:
        """Add a request and its answer; of similar answers only the difference."""
        lines, new = self.printed.lines, answered.text.split("\n")
        told, alike = frozenset(new), ""
        if self._answers:
            alike = max(self._answers, key=lambda it: len(told & self._answers[it][1]))
        differing = differences(self._answers[alike][0], new) if alike else new
        if len(differing) <= len(new) * MUCH:
            lines.append(f"## {asked} {'like' if differing else '='} {alike}")
            lines += differing
        else:
            lines.append(f"## {asked}")
            lines.append(answered.head)
            for node in answered.children:
                self.printed.add(node)
        self._answers.pop(asked, None)
        self._answers[asked] = (new, told)
        self._check()

    def _check(self) -> None:
        """Fail at the first difference from the recording."""
        if self._known is None:
            return
        found = self.printed.lines[self._checked :]
        known = self._known[self._checked : self._checked + len(found)]
        self._checked += len(found)
        if found != known:
            self._known = None  # report it once
            what = unified_diff(known, found, "as it read", "as it reads", lineterm="")
            raise AssertionError("\n".join([CHANGED, *what]))

    def end(self) -> None:
        """Fail if the recording is longer."""
        assert self._known is None or self._checked == len(self._known), CHANGED

    @property
    def text(self) -> str:
        """Return the tour so far."""
        return "\n".join(self.printed.lines) + "\n"


class Person:
    """A person with a browser and its cookies."""

    def __init__(self, tour: Tour, name: str, headers: dict[str, str]) -> None:
        self.tour, self.name = tour, name
        self.headers = {header.replace("_", "-"): it for header, it in headers.items()}
        self.client = tour.app.test_client()
        self.page = Page("")
        self.body = ""
        self.status = 0
        self.location = ""

    def get(self, *paths: str, brief: bool = False, **headers: str) -> str:
        """Request some addresses; return the last body."""
        for path in paths:
            self.ask("GET", path, brief=brief, headers=headers)
        return self.body

    def quietly(self, path: str) -> str:
        """Return an answer without recording it."""
        return self.client.get(path, headers=self.headers).get_data(as_text=True)

    def secretly(self, path: str, **fields: Any) -> str:
        """Return the key from a form's answer, without recording it."""
        return str(self.client.post(path, data=fields, headers=self.headers).get_json()["key"])

    @property
    def json(self) -> dict[str, Any]:
        """Return the last body as JSON."""
        return dict(json.loads(self.body))

    @property
    def today(self) -> str:
        """Return the current day."""
        return datetime.fromtimestamp(self.tour.clock(), UTC).date().isoformat()

    def link(self, part: str, at_least: int = 1) -> str:
        """Return the path of a displayed link that contains this text."""
        found = re.findall(rf"http://localhost([\w/.-]*{part}[\w.-]+)", self.body)
        assert len(found) >= at_least, self.body
        return found[0] if found else ""

    def post(self, path: str, headers: dict[str, str] | None = None, **fields: Any) -> "Person":
        """Send a form."""
        return self.ask("POST", path, fields, headers=headers or {})

    def go(self, path: str, **fields: Any) -> "Person":
        """Send a form and follow its redirect."""
        self.post(path, **fields)
        while self.status in (302, 303):
            self.get(self.location)
        return self

    def submit(self, ending: str, pressed: str = "", **typed: Any) -> "Person":
        """Send a form of the shown page; `pressed` is text on its button."""
        form = self.page.form(ending)
        button = ("", "", "")
        if pressed:
            button = next(it for it in form.buttons if pressed.lower() in it[2].lower())
        sent: dict[str, Any] = {}
        for name, value in form.filled(button, **{k: str(v) for k, v in typed.items()}):
            sent.setdefault(name, []).append(value)
        for name, value in typed.items():
            sent.setdefault(name, value)
        return self.post(form.action, **sent)

    def ask(
        self,
        method: str,
        path: str,
        fields: dict[str, Any] | None = None,
        headers: dict[str, str] | None = None,
        brief: bool = False,
        told: str = "",
        **more: Any,
    ) -> "Person":
        """Send a request and record the answer."""
        named = {name.replace("_", "-"): it for name, it in (headers or {}).items()}
        sent = "".join(f" {name}: {it}" for name, it in named.items())
        sent += f" {told}" if told else ""
        if fields:
            sent += f" {urlencode(fields, doseq=True, safe='/: ,@')}"
        more.setdefault("data", fields)
        answer = self.client.open(path, method=method, headers={**self.headers, **named}, **more)
        self.status, body = answer.status_code, answer.get_data()
        kind = answer.headers.get("Content-Type", "")
        self.body = body.decode() if kind.startswith(("text/", "application/json")) else ""
        self.page = Page(self.body) if "html" in kind else self.page
        self.location = answer.headers.get("Location", "").removeprefix("http://localhost")
        hide = self.tour.rng.hidden
        to = f" → {self.location}" if self.location else ""
        head = f"{self.status} {kind.removesuffix('; charset=utf-8')}{to}".strip()
        cookies = [
            Node(f"Set-Cookie: {EXPIRES.sub('', value)}")
            for value in answer.headers.getlist("Set-Cookie")
        ]
        others = [
            f"{name}: {', '.join(sorted(value.split(', '))) if name == 'Allow' else value}"
            for name, value in answer.headers
            if name.lower() not in UNTOLD
        ]
        usual = [it for it in others if it.startswith(USUAL)]
        others = [it for it in others if it not in usual]
        parts = [*cookies, Node("usual headers", [Node(it) for it in usual])]
        parts += [Node(it) for it in others]
        if self.location and b"<p>You should be redirected" in body:
            body = b""  # the same text in another format
        elif self.body:
            here = f'/settings?next={path.partition("?")[0]}"'
            body = hide(self.body.replace(here, HERE)).encode()
        children = [Node(hide(it.head), it.children) for it in parts]
        children += of_body(kind, body, brief)
        self.tour.add(hide(f"{self.name} {method} {path}{sent}"), Node(hide(head), children))
        answer.close()
        return self


def differences(old: list[str], new: list[str]) -> list[str]:
    """Return removed, new and changed (~) lines, each below its parent. Removed lines are shortened
    and counted.
    """
    found, below = [], None
    for what, start, end, first, last in SequenceMatcher(None, old, new, False).get_opcodes():
        if what == "equal":
            continue
        gone, come = old[start:end], new[first:last]
        indent = min(map(_indent, [*gone, *come]))
        if len(gone) == len(come):
            found += [f"~ {it[indent:]}" for it in come]
            continue
        parent = next((it for it in reversed(new[:first]) if _indent(it) < indent), None)
        if parent is not None and parent != below:
            found.append(f"  {parent.strip()}")
            below = parent
        if gone:
            more = f" and {len(gone) - 1} more" if len(gone) > 1 else ""
            begins = gone[0][indent:]
            found.append(f"- {begins if len(begins) <= GONE else begins[:GONE] + '…'}{more}")
        found += [f"+ {it[indent:]}" for it in come]
    return found


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def code_of(address: str) -> str:
    """Return the code of the table an address leads to."""
    return urlsplit(address).path.split("/")[2]


def all_ask(people: Iterable[Person], *paths: str, **more: Any) -> None:
    """Let every viewer request the same addresses."""
    for path in paths:
        for person in people:
            person.get(path, **more)


def predictable(monkeypatch: Any, name: str) -> Chance:
    """Make all random draws the same in each run."""
    rng = Chance(name)
    monkeypatch.setattr(random, "_urandom", rng)
    return rng
