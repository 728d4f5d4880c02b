"""Chromium for tests and pictures: how it is started, and the people who look through it."""

import os
import re
import shutil
import time
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
    "--in-process-gpu",  # nothing is drawn by one here: a process less saves a tenth of the time
]
KEPT = ["--disable-back-forward-cache"]  # a default of Playwright that we do not want

# A violation of the content security policy is a line on the console, whatever Chromium says of it.
WATCH = """addEventListener("securitypolicyviolation", e =>
  console.error("CSP: " + e.violatedDirective + " " + e.blockedURI + " " + e.sourceFile))"""


def executable() -> str | None:
    """Return the path of Chromium, or None where there is none.

    The one without windows is the same engine and takes half the time; Chromium itself draws a
    window around each page that nobody looks at.
    """
    shell, whole = shutil.which("chromium-headless-shell"), shutil.which("chromium")
    return os.environ.get("CHROMIUM") or shell or whole


def launch(kind: Any, path: str | None = None) -> Any:
    """Return a running browser of Playwright's kind; the caller closes it."""
    return kind.launch(executable_path=path or executable(), args=FLAGS, ignore_default_args=KEPT)


class Person:
    """Somebody with a browser of their own: cookies, a page, and whatever it complained about."""

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
        """Be who has this key; nobody, without one."""
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
        """Be somebody else, with a new screen, who has complained of nothing; after `leave`."""
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
        """Go away and forget everything; the browser stays open for somebody else.

        Only to another page of the server: for a page of nobody's, Chromium starts a process. If
        anything goes wrong it is closed: nobody is to come after that.
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
        """Let complaints that match one of these pass: the test provokes them."""
        self.expected += patterns

    @property
    def unexpected(self) -> list[str]:
        """Return the complaints nobody expected."""
        return [
            said for said in self.complaints if not any(re.search(it, said) for it in self.expected)
        ]

    def close(self) -> None:
        """Close the browser, even while a page asks for what a test answers for the server."""
        if not self.page.is_closed():
            for routed in (self.context, *self.context.pages):
                routed.unroute_all(behavior="ignoreErrors")
        self.context.close()


def box(page: Any, selector: str) -> Any:
    """Return where the first thing lies that a selector finds on a page, which is there already.

    A locator would wait for it, and costs each page half as much again as its loading.
    """
    script = "it => document.querySelector(it).getBoundingClientRect().toJSON()"
    return page.evaluate(script, selector)


def boxes(page: Any, selector: str) -> Any:
    """Return where everything lies that a selector finds, as `box` does."""
    each = "it => it.getBoundingClientRect().toJSON()"
    return page.evaluate(f"it => [...document.querySelectorAll(it)].map({each})", selector)


def pass_time(page: Any, seconds: int, step: int = 5) -> None:
    """Let a page's clock run ahead, in steps of so many seconds, each when what was asked for in
    the one before is answered: on a busy machine a request would seem to be slow.
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
