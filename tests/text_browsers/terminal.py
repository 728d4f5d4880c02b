"""Text browsers in a terminal: real keys through a pty, and a screen to read.

The terminal is tall enough for any page, so nothing has to be scrolled.
"""

import os
import re
import shutil
import time
from dataclasses import dataclass
from pathlib import Path

import pexpect
import pyte

ROWS, COLUMNS = 200, 132  # the most rows that w3m draws
PATIENCE = 40.0  # seconds; "wait for the next move" alone may take 25
QUIET = 0.03  # seconds without output after which a browser counts as idle
NOTHING_TO_FETCH = 0.6  # seconds of silence after which a press has fetched nothing

NUMBER = re.compile(r"\[(\d+)\]")


class Screen(pyte.Screen):
    """A terminal's screen."""

    def row(self, number: int) -> str:
        """Return a row without trailing spaces. `display` measures each of 26,400 cells, which
        takes longer than the rest of the tests.
        """
        cells = self.buffer[number]
        return "".join(cells[n].data for n in range(max(cells, default=-1) + 1)).rstrip()

    def set_margins(self, *margins: int, private: bool = False) -> None:
        if not private:  # pyte fails on that form of the sequence
            super().set_margins(*margins)


@dataclass(frozen=True)
class Spot:
    """A link, button or field on the screen: its position and its words."""

    row: int
    column: int
    words: str
    number: int = 0  # if the browser numbers them


class TextBrowser:
    """A browser in its own terminal, with its own home folder."""

    command: tuple[str, ...]
    busy: bytes  # a pattern in its output while it fetches a page
    idle: str  # a pattern in the last lines when nothing is being fetched
    next_option, option_before = "j", "k"  # in an open list
    terminal = "linux"

    def __init__(self, home: str, url: str) -> None:
        self.screen = Screen(COLUMNS, ROWS)
        self.stream = pyte.ByteStream(self.screen)
        self.keys_sent: list[str] = []
        settings = {"HOME": home, "TERM": self.terminal, "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8"}
        # The caller's terminal may have another size than ours.
        inherited = {k: v for k, v in os.environ.items() if k not in ("COLUMNS", "LINES")}
        self.child = pexpect.spawn(
            self.command[0],
            [*self.command[1:], url],
            env=inherited | settings,
            dimensions=(ROWS, COLUMNS),
            timeout=PATIENCE,
        )
        self.child.delaybeforesend = None
        self._settle()
        if "Welcome" in self.text:
            self.keys("\r")

    @classmethod
    def is_here(cls) -> bool:
        return shutil.which(cls.command[0]) is not None

    @property
    def lines(self) -> list[str]:
        return [self.screen.row(number) for number in range(ROWS)]

    @property
    def last_lines(self) -> str:
        return "\n".join(self.screen.row(number) for number in range(ROWS - 3, ROWS))

    @property
    def text(self) -> str:
        """The non-empty lines on the screen."""
        return "\n".join(line for line in self.lines if line)

    def keys(self, keys: str, loads: bool = False) -> None:
        """Type keys and wait for their effect (`loads`: a page is fetched)."""
        self.keys_sent.append(keys)
        self.child.send(keys)
        self._settle(loads)

    def spots(self) -> list[Spot]:
        """Return what can be pressed or filled in, in reading order."""
        raise NotImplementedError

    def go(self, spot: Spot) -> None:
        """Move to a spot."""
        raise NotImplementedError

    def press(self, spot: Spot) -> None:
        """Follow a link, press a button, tick a box."""
        self.go(spot)
        self.keys("\r", loads=True)

    def tick(self, spot: Spot) -> None:
        """Tick a box, which fetches nothing."""
        self.go(spot)
        self.keys("\r")

    def type(self, label: str, text: str) -> None:
        """Put a text into the field with that label."""
        self.go(self.field(label))
        self.keys(f"\r\x15{text}\r")  # enter, clear, type, leave

    def choose(self, label: str, option: str) -> None:
        """Choose an option of a list; raises LookupError with the screen."""
        key, chosen = self.next_option, ""
        for _ in range(12):
            spot = self.field(label)
            if option in spot.words:
                return
            if spot.words == chosen:  # the list ends here
                key = self.option_before
            chosen = spot.words
            self.go(spot)
            self.keys("\r")  # open it
            self.keys(key + "\r")
        raise LookupError(f"{label} does not offer {option!r}\n{self.report()}")

    def find(self, pattern: str) -> Spot:
        """Return the first spot with matching words; raises LookupError with the screen."""
        for spot in self.spots():
            if re.search(pattern, spot.words):
                return spot
        raise LookupError(f"no control reads {pattern!r}\n{self.report()}")

    def field(self, label: str) -> Spot:
        """Return the first spot behind a label, if possible one that has a line to itself; raises
        LookupError with the screen.
        """
        for row, line in sorted(enumerate(self.lines), key=lambda it: it[1].strip() != label):
            if (found := line.find(label)) >= 0:
                for spot in self.spots():
                    if (spot.row, spot.column) >= (row, found + len(label)):
                        return spot
        raise LookupError(f"no field is called {label!r}\n{self.report()}")

    def report(self) -> str:
        """Return the last keys and the screen, for the message of a failed test."""
        keys = " ".join(repr(key) for key in self.keys_sent[-12:])
        return f"{type(self).__name__} after the keys {keys} shows\n{self.text}"

    def close(self) -> None:
        self.child.close(force=True)

    def _settle(self, loads: bool = False) -> None:
        deadline = time.monotonic() + PATIENCE
        heard, silent = b"", 0.0
        while time.monotonic() < deadline:
            try:
                output = self.child.read_nonblocking(1 << 16, timeout=QUIET)
            except pexpect.TIMEOUT:
                silent += QUIET
                fetched = not loads or re.search(self.busy, heard) or silent > NOTHING_TO_FETCH
                if heard and fetched and re.search(self.idle, self.last_lines):
                    return
            except pexpect.EOF:
                raise AssertionError(f"the browser ended\n{self.report()}") from None
            else:
                self.stream.feed(output)
                heard, silent = heard + output, 0.0
        raise AssertionError(f"the browser is not done after {PATIENCE:.0f} s\n{self.report()}")


class W3m(TextBrowser):
    """w3m marks links and fields by colour; the cursor moves to them by line and column."""

    command = ("w3m", "-cookie")
    busy = rb"loading|socket|Waiting"
    idle = "Viewing"
    colours = ("red", "blue")  # fields, links

    def spots(self) -> list[Spot]:
        found = []
        for row in range(ROWS - 1):
            if not self.screen.buffer[row]:
                continue
            cells = [self.screen.buffer[row][column] for column in range(COLUMNS)]
            starts = [
                column
                for column, cell in enumerate(cells)
                if cell.fg in self.colours and (not column or cells[column - 1].fg != cell.fg)
            ]
            text = "".join(cell.data for cell in cells)
            bounds = [
                start - (text[start - 1 : start] in ("[", "(")) for start in starts
            ]  # of a box
            for start, here, then in zip(starts, bounds, [*bounds, COLUMNS][1:], strict=True):
                found.append(Spot(row, start, text[here:then].strip()))
        return found

    def go(self, spot: Spot) -> None:
        right = f"{spot.column}l" if spot.column else ""
        self.keys(f"{spot.row + 1}G^{right}")


class Numbered(TextBrowser):
    """A browser that numbers all links and fields."""

    behind = ""  # between the number and the words

    def spots(self) -> list[Spot]:
        found = []
        for row, line in enumerate(self.lines):
            places = list(NUMBER.finditer(line))
            for here, then in zip(places, [*places, None][1:], strict=True):
                words = line[here.end() : then.start() if then else None]
                words = re.sub(self.behind, "", words).strip()
                found.append(Spot(row, here.start(), words, int(here[1])))
        return found


class Lynx(Numbered):
    command = ("lynx", f"-cfg={Path(__file__).with_name('lynx.cfg')}")
    busy = rb"Getting|Looking up|Using"
    idle = r"(?m)^\(|^Commands:|^-- press space|^Enter text"
    next_option, option_before = "\x1b[B", "\x1b[A"
    behind = r"^[^()]*\) "  # a button's value

    def go(self, spot: Spot) -> None:
        self.keys(f"{spot.number}g\r")


class LynxInManyColours(Lynx):
    terminal = "xterm-256color"


class Links(Numbered):
    command = ("links", "-html-numbered-links", "1")
    busy = rb"Request sent|Transferring|Formatting"
    idle = r"(?is)\A(?!.*(sent|connect|looking up|waiting|transfer|formatting|loading))"

    def go(self, spot: Spot) -> None:
        self.keys(str(spot.number))
        self.keys("\r")

    def press(self, spot: Spot) -> None:
        self.keys(str(spot.number))
        self.keys("\r", loads=True)  # which also presses it

    def tick(self, spot: Spot) -> None:
        self.go(spot)  # which also ticks it


class Elinks(Links):
    press = Numbered.press
    tick = Numbered.tick
    command = (
        "elinks",
        "-no-connect",
        "-eval",
        "set document.browse.links.numbering = 1",
        "-eval",
        "set document.browse.links.number_keys_select_link = 1",
        "-eval",
        "set document.browse.forms.confirm_submit = 0",
    )


BROWSERS = {
    "w3m": W3m,
    "lynx": Lynx,
    "lynx in 256 colours": LynxInManyColours,
    "links": Links,
    "elinks": Elinks,
}
