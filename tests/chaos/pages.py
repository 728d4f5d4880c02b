"""Open pages that follow their table's stream and fetch the view, as htmx does."""

import random
import threading
import time
from collections.abc import Iterator
from urllib.request import Request, urlopen

from tests.chaos.play import SHOWN, UNANSWERED
from tests.support.browsing import BY_HTMX
from tests.support.server import HttpClient

# The settings in templates/table_page/table.html, and htmx's defaults.
FIRST_DELAY, LONGEST_DELAY, JITTER = 0.5, 15.0, 0.3  # seconds before a stream is reopened
SILENCE = 25.0  # longer than two heartbeats


class Page:
    """One open page of a viewer, in a thread from `follow()` until `over` is set.

    `client` has the viewer's cookies. `seen` lists the revisions it showed, each with its time.
    """

    def __init__(self, client: HttpClient, path: str, over: threading.Event) -> None:
        self.client, self.path = client, path
        self.seen: list[tuple[float, int]] = []
        self._over = over
        self._thread = threading.Thread(target=self._follow, daemon=True)

    def follow(self) -> "Page":
        """Start; return this page."""
        self._thread.start()
        return self

    def fresh_since(self, number: int) -> float | None:
        """Return when that revision or a later one was first shown, or None."""
        return next((at for at, shown in self.seen if shown >= number), None)

    def _follow(self) -> None:
        delay, failures = FIRST_DELAY, 0
        while not self._over.is_set():
            try:
                for event, value in self._events():
                    failures = 0
                    if event == "retry":
                        delay = int(value) / 1000
                    if event in ("open", "table"):
                        self._fetch()
                    if self._over.is_set():
                        return
            except UNANSWERED:
                pass
            failures += 1
            wait = min(LONGEST_DELAY, delay * 2 ** (failures - 1))
            self._over.wait(wait * random.uniform(1 - JITTER, 1 + JITTER))

    def _events(self) -> Iterator[tuple[str, str]]:
        """Yield "open", then each kind of event, and the stream's retry time."""
        cookies = "; ".join(f"{cookie.name}={cookie.value}" for cookie in self.client.jar)
        request = Request(f"{self.client.url}{self.path}/events", headers={"Cookie": cookies})
        with urlopen(request, timeout=SILENCE) as stream:
            yield "open", ""
            for line in stream:
                name, _, value = line.decode().strip().partition(":")
                if name == "event":
                    yield value.strip(), ""
                elif name == "retry":
                    yield name, value

    def _fetch(self) -> None:
        """Fetch the view; a broken request is repeated once."""
        shown = self.seen[-1][1] if self.seen else ""
        for last in (False, True):
            try:
                answer = self.client.get(f"{self.path}/view?v={shown}", headers=BY_HTMX)
                break
            except UNANSWERED:
                if last:
                    return
        for number in SHOWN.findall(answer.text)[:1]:
            self.seen.append((time.monotonic(), int(number)))
