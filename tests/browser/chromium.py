"""Chromium for tests and pictures: starting it, and its users."""

import os
import re
import shutil
import time
from collections.abc import Sequence
from typing import Any

from tests.support.effort import PATIENCE

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--in-process-gpu",  # no GPU process is needed, which saves a tenth of the time
]
KEPT = ["--disable-back-forward-cache"]  # a default of Playwright that differs from real browsers

# Violations of the content security policy appear on the console in any case.
WATCH = """addEventListener("securitypolicyviolation", e =>
  console.error("CSP: " + e.violatedDirective + " " + e.blockedURI + " " + e.sourceFile))"""


def executable() -> str | None:
    """Return the path of Chromium, or None if it is not installed.

    The headless shell has the same engine and takes half the time, because full Chromium draws a
    window around each page.
    """
    shell, whole = shutil.which("chromium-headless-shell"), shutil.which("chromium")
    return os.environ.get("CHROMIUM") or shell or whole


def launch(kind: Any, path: str | None = None, flags: Sequence[str] = ()) -> Any:
    """Return a running Playwright browser; the caller closes it."""
    flags = [*FLAGS, *flags]
    return kind.launch(executable_path=path or executable(), args=flags, ignore_default_args=KEPT)


class Person:
    """A player with a separate browser: cookies, a page, and its errors."""

    def __init__(
        self,
        browser: Any,
        url: str,
        *,
        key: str = "",
        scripts: bool = True,
        width: int = 1280,
        height: int = 800,
        dark: bool = False,
        still: bool = True,
        touch: bool = False,
    ) -> None:
        self.url = url
        self.scripts = scripts
        self.complaints: list[str] = []
        self.expected: list[str] = []
        self.context = browser.new_context(
            base_url=url,
            java_script_enabled=scripts,
            viewport={"width": width, "height": height},
            color_scheme="dark" if dark else "light",
            reduced_motion="reduce" if still else "no-preference",
            has_touch=touch,
        )
        self.context.set_default_timeout(1000 * PATIENCE)
        self.context.on("console", self._said)
        self.context.on("weberror", lambda it: self.complaints.append(f"uncaught: {it.error}"))
        if scripts:
            self.context.add_init_script(WATCH)
        self.page = self.context.new_page()
        self.have_key(key)

    def have_key(self, key: str) -> None:
        """Use this player's key, or none."""
        if key:
            self.context.add_cookies([{"name": "kb", "value": key, "url": self.url}])

    def begin_anew(
        self,
        key: str = "",
        width: int = 1280,
        height: int = 800,
        dark: bool = False,
        still: bool = True,
    ) -> None:
        """Become another player with a new screen and no errors; call `leave` first."""
        self.have_key(key)
        self.complaints.clear()
        self.expected.clear()
        self.page.set_viewport_size({"width": width, "height": height})
        self.page.emulate_media(
            media="screen",
            color_scheme="dark" if dark else "light",
            reduced_motion="reduce" if still else "no-preference",
            forced_colors="none",
            contrast="no-preference",
        )

    def leave(self) -> None:
        """Leave the page and delete cookies and storage; the browser stays open for another player.

        The next page is on the same server, because Chromium starts a process for a blank page. On
        any failure the browser is closed and not used again.
        """
        try:
            for other in self.context.pages[1:]:
                other.close()
            self.page.set_extra_http_headers({})
            self.page.goto("/robots.txt")
            if self.scripts:
                self.page.evaluate("localStorage.clear(), sessionStorage.clear()")
            self.context.clear_cookies()
        except Exception:
            self.close()
            raise

    def _said(self, message: Any) -> None:
        if message.type in ("error", "warning"):
            self.complaints.append(f"{message.type}: {message.text} at {message.location['url']}")

    def expect(self, *patterns: str) -> None:
        """Ignore errors that match one of these patterns, because the test provokes them."""
        self.expected += patterns

    @property
    def unexpected(self) -> list[str]:
        """Return the unexpected errors."""
        return [
            said for said in self.complaints if not any(re.search(it, said) for it in self.expected)
        ]

    def close(self) -> None:
        """Close the browser, even while a request waits for a test's answer."""
        if not self.page.is_closed():
            for routed in (self.context, *self.context.pages):
                routed.unroute_all(behavior="ignoreErrors")
        self.context.close()


def box(page: Any, selector: str) -> Any:
    """Return the position of the first element a selector finds on a loaded page.

    A locator would wait for it, and costs half as much as loading the page.
    """
    script = "it => document.querySelector(it).getBoundingClientRect().toJSON()"
    return page.evaluate(script, selector)


def boxes(page: Any, selector: str) -> Any:
    """Return the positions of all elements a selector finds, as `box` does."""
    each = "it => it.getBoundingClientRect().toJSON()"
    return page.evaluate(f"it => [...document.querySelectorAll(it)].map({each})", selector)


def pass_time(page: Any, seconds: int, step: int = 5) -> None:
    """Advance a page's clock in steps of this many seconds, each after the requests of the previous
    step are answered. On a busy machine requests would otherwise seem slow.
    """
    under_way: set[Any] = set()

    def begins(request: Any) -> None:
        if "/events" not in request.url:  # a stream never ends
            under_way.add(request)

    def ends(request: Any) -> None:
        under_way.discard(request)

    heard = {"request": begins, "requestfinished": ends, "requestfailed": ends}
    for name, hear in heard.items():
        page.on(name, hear)
    for _ in range(-(-seconds // step)):
        page.clock.run_for(1000 * step)
        page.wait_for_timeout(12 * step)
        end = time.monotonic() + PATIENCE
        while under_way and time.monotonic() < end:
            page.wait_for_timeout(10)
    for name, hear in heard.items():
        page.remove_listener(name, hear)
