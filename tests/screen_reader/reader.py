"""Orca with Firefox on an invisible desktop: keys go in, and speech comes out as text."""

import json
import os
import shutil
import time
from pathlib import Path
from typing import Any

from tests.browser_engines.desktop import Desktop, wait_until
from tests.browser_engines.firefox import open_firefox

NEEDED = ("Xvfb", "dbus-daemon", "gsettings", "openbox", "orca", "xdotool", "dbus-send")
LAUNCHER = "/usr/libexec/at-spi-bus-launcher"
# Orca exits if another Orca runs, so each has its own process namespace.
ALONE = ("unshare", "--pid", "--fork", "--mount-proc", "--kill-child")


def missing_programs() -> list[str]:
    """Return the missing requirements for listening."""
    return [name for name in (*NEEDED, LAUNCHER, "unshare") if not shutil.which(name)]


class Reader:
    """A player who listens to a page in Firefox and presses keys. Close it at the end."""

    def __init__(self) -> None:
        self.desktop = desktop = Desktop(1280, 900)
        self.file = desktop.folder / "speech.jsonl"
        self.file.touch()
        self.read = 0
        try:
            self._start()
        except BaseException:
            desktop.close()
            raise

    def _start(self) -> None:
        desktop = self.desktop
        desktop.environment |= {
            "GNOME_ACCESSIBILITY": "1",
            "SPEECH_IN_LINES": str(self.file),
            "PYTHONDONTWRITEBYTECODE": "1",
        }
        address = desktop.told(
            "dbus-daemon", "--session", "--nofork", "--nosyslog", "--print-address={}"
        )
        desktop.environment["DBUS_SESSION_BUS_ADDRESS"] = address
        desktop.run(
            "gsettings", "set", "org.gnome.desktop.interface", "toolkit-accessibility", "true"
        )
        desktop.start(LAUNCHER, "--launch-immediately", "--a11y=1", "--screen-reader=1")
        desktop.start("openbox", "--sm-disable")
        ask = ("dbus-send", "--session", "--print-reply", "--dest=org.freedesktop.DBus")
        names = (*ask, "/", "org.freedesktop.DBus.ListNames")
        wait_until(
            lambda: "org.a11y.Bus" in desktop.run(*names),
            20,
            "accessibility is not on the bus",
        )
        own = desktop.folder / "orca"
        shutil.copytree(Path(__file__).parent / "orca", own)
        why = os.environ.get("ORCA_LOG")  # a file for Orca's debug log: 3 MB a minute
        debug = ("--debug-file", why) if why else ()
        desktop.start(*ALONE, "/usr/bin/orca", "-u", str(own), *debug)
        wait_until(lambda: "Screen reader on." in self.file.read_text(), 60, "Orca says nothing")
        self.firefox: Any = open_firefox(desktop, **{"accessibility.force_disabled": -1})
        self.heard(1, least=1)

    def close(self) -> None:
        self.desktop.close()

    def events(self) -> list[tuple[float, str, str]]:
        """Return utterances and interruptions since the last call: time, kind and text."""
        with self.file.open(encoding="utf-8") as file:
            file.seek(self.read)
            new = file.read()
        whole = new[: new.rfind("\n") + 1]
        self.read += len(whole.encode())
        return [tuple(json.loads(line)) for line in whole.splitlines()]

    def heard(
        self, silence: float = 0.7, least: float = 0.0, most: float = 20, first: float = 0.0
    ) -> list[str]:
        """Return the speech until it pauses, for at least `least` seconds.

        If speech is certain to come, `first` is how long to wait for it on a busy machine.
        """
        said: list[str] = []
        began = time.monotonic()
        last = began + least
        while (now := time.monotonic()) < began + most:
            if now >= last + silence and (said or now >= began + first):
                break
            for _, did, text in self.events():
                last = max(last, time.monotonic())
                if did == "said" and text.strip():
                    said.append(" ".join(text.split()))
            time.sleep(0.05)
        return said

    def press(
        self, *keys: str, silence: float = 0.7, least: float = 0.3, first: float = 0.0
    ) -> list[str]:
        """Press keys; return the speech."""
        self.desktop.press(*keys)
        return self.heard(silence, least, first=first)

    def look(self, script: str, *values: Any) -> Any:
        """Return the result of a script on the page, which the listener does not hear."""
        return self.firefox.execute_script(script, script_args=list(values))
