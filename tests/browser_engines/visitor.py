"""A player with a browser of another engine: the few actions that both remote controls support."""

import base64
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from selenium.webdriver.common.actions.action_builder import ActionBuilder

from tests.browser.stage import Match
from tests.support.effort import PATIENCE

# A visible point of an element: its middle, or of an overlapped card the part still visible.
SEEN = """
const it = document.querySelector(arguments[0]);
if (!it) return null;
it.scrollIntoView({block: "nearest"});
const box = it.getBoundingClientRect(), y = box.top + box.height / 2;
const seen = x => it.contains(document.elementFromPoint(x, y));
const middle = box.left + box.width / 2;
if (seen(middle - 8) && seen(middle + 8)) return [middle, y];
for (let x = box.left; x < box.right; x += 8) if (seen(x) && seen(x + 16)) return [x + 8, y];
return null"""
PLACE = "return [location.href, document.readyState, document.getElementById('ver')?.value]"
STILL = 0.05  # seconds during which it must not move: cards glide to their places


class Visitor:
    """A browser's window. `engine` is firefox or webkit, `client` its remote control."""

    def __init__(self, engine: str, client: Any, url: str) -> None:
        self.engine, self.client, self.url = engine, client, url

    def go(self, path: str) -> None:
        """Open an address of the server."""
        open_it = self.client.navigate if self.engine == "firefox" else self.client.get
        open_it(self.url + path)

    def become(self, key: str, **more: str) -> None:
        """Use this cookie only; without a key, be a stranger."""
        self.go("/rules/gops")
        self.client.delete_all_cookies()
        for name, value in (({"kb": key} if key else {}) | more).items():
            # As the server sets them. WebKit's driver silently drops cookies without SameSite
            # (2.52).
            cookie = {"name": name, "value": value, "path": "/", "sameSite": "Lax"}
            self.client.add_cookie(cookie)
            kept = {it["name"]: it["value"] for it in self.client.get_cookies()}
            assert kept.get(name) == value, f"{self.engine} did not keep {cookie}: {kept}"

    def run(self, script: str, *values: Any) -> Any:
        """Return the result of a function body evaluated on the page."""
        if self.engine == "firefox":
            return self.client.execute_script(script, script_args=list(values))
        return self.client.execute_script(script, *values)

    def find(self, selector: str) -> Any:
        return self.client.find_element("css selector", selector)

    def click(self, selector: str) -> None:
        """Press the first element found, as with a mouse: it must stand still and be partly
        visible.
        """
        point, end = self.run(SEEN, selector), time.monotonic() + PATIENCE
        while (before := point) is not None and time.monotonic() < end:
            time.sleep(STILL)
            if (point := self.run(SEEN, selector)) == before:
                break
        if point is None:
            self.find(selector).click()
            return
        x, y = map(round, point)
        if self.engine == "firefox":
            mouse = self.client.actions.sequence("pointer", "mouse", {"pointerType": "mouse"})
            mouse.pointer_move(x, y).pointer_down().pointer_up().perform()
        else:
            mouse = ActionBuilder(self.client)
            mouse.pointer_action.move_to_location(x, y).click()
            mouse.perform()

    def text(self, selector: str = "body") -> str:
        found: str = self.run("return document.querySelector(arguments[0]).innerText", selector)
        return found

    def has(self, selector: str) -> bool:
        return bool(self.run("return !!document.querySelector(arguments[0])", selector))

    def back(self) -> None:
        (self.client.go_back if self.engine == "firefox" else self.client.back)()

    def opens_another(self, kind: str) -> tuple[str, str, Callable[[str], None]]:
        """Open a "tab" or "window" beside this one and switch to it.

        Return both, and a function that switches to one of them.
        """
        first = self.client.current_window_handle
        if self.engine == "firefox":
            second = self.client.open(type=kind, focus=True)["handle"]
            switch = self.client.switch_to_window
        else:
            self.client.switch_to.new_window(kind)
            second, switch = self.client.current_window_handle, self.client.switch_to.window
        switch(second)
        return first, second, switch

    def size(self, width: int, height: int) -> None:
        """Resize the page: the window, or a part of it in Firefox, whose windows are at least 500
        pixels wide.
        """
        if self.engine == "firefox":
            with self.client.using_context("chrome"):
                self.client.execute_script(
                    "gBrowser.selectedBrowser.style.maxWidth = arguments[0]", [f"{width}px"]
                )
        for _ in range(5):
            inner = self.run("return [innerWidth, innerHeight]")
            if inner == [width, height]:
                break
            outer = (
                self.client.window_rect
                if self.engine == "firefox"
                else self.client.get_window_rect()
            )
            self.client.set_window_rect(
                x=0,
                y=0,
                width=max(outer["width"], width) + width - inner[0],
                height=outer["height"] + height - inner[1],
            )
            time.sleep(0.2)
        assert self.run("return innerWidth") == width

    def picture(self, file: Path) -> None:
        """Write the visible part of the page as a PNG."""
        if self.engine == "firefox":
            shown = base64.b64decode(self.client.screenshot(full=False))
        else:
            shown = self.client.get_screenshot_as_png()
        file.write_bytes(shown)

    def until(self, script: str, *values: Any, seconds: float = PATIENCE) -> Any:
        """Wait until a script returns a true value, and return it; otherwise report the last
        value.
        """
        end = time.monotonic() + seconds
        while True:
            try:
                found, broken = self.run(script, *values), None
                last = f"it returned {found!r}"
            except Exception as error:  # mostly because the page is being replaced
                found, last, broken = None, f"{type(error).__name__}: {error}", error
            if found:
                return found
            if time.monotonic() > end:
                never = f"never so in {self.engine}: {script} {values}\n{last}, {self.place()}"
                raise AssertionError(never) from broken
            time.sleep(0.1)  # each query costs the browser more than its answer

    def settled(self, script: str, seconds: float = 5.0) -> list[Any]:
        """Return the faults that a script still finds after some seconds: a busy browser lays a
        page out late.
        """
        end = time.monotonic() + seconds
        while (found := self.run(script)) and time.monotonic() < end:
            time.sleep(0.1)
        return found

    def place(self) -> str:
        """Return the address and state of the page, for the message of a failed wait."""
        try:
            return f"at {self.run(PLACE)}"
        except Exception as error:
            return f"and it does not say where: {type(error).__name__}: {error}"

    def caught_up(self, match: Match, seat: int = 0, seconds: float = PATIENCE) -> None:
        """Wait until the page is up to date."""
        shown = "return document.getElementById('ver')?.value === arguments[0]"
        self.until(shown, str(match.revision(seat)), seconds=seconds)

    def close(self) -> None:
        if self.engine == "webkit":
            self.client.quit()
