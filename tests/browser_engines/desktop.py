"""An invisible desktop: an X screen, and the programs started on it."""

import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.support.server import with_us

KEPT = ("PATH", "TERM", "TMPDIR")
PRIVATE = {
    "HOME": "home",
    "XDG_RUNTIME_DIR": "run",
    "XDG_CONFIG_HOME": "config",
    "XDG_DATA_HOME": "data",
    "XDG_CACHE_HOME": "cache",
}


class Desktop:
    """An X server with a private folder. Close it at the end."""

    def __init__(self, width: int = 1366, height: int = 900) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="kaboom-desktop-"))
        self.programs: list[subprocess.Popen[bytes]] = []
        self.environment = {name: os.environ[name] for name in KEPT if name in os.environ}
        self.environment |= {
            "LANG": "C.UTF-8",
            "LANGUAGE": "en",
            "GDK_BACKEND": "x11",
            "GSETTINGS_BACKEND": "keyfile",
            "MOZ_ENABLE_WAYLAND": "0",
            "XDG_SESSION_TYPE": "x11",
            "LIBGL_ALWAYS_SOFTWARE": "1",
            "GST_PLUGIN_SYSTEM_PATH_1_0": "",  # no sound: searching for plugins is slow
        }
        for name, place in PRIVATE.items():
            (self.folder / place).mkdir(mode=0o700)
            self.environment[name] = str(self.folder / place)
        screen = f"{width}x{height}x24"
        # Without -noreset it restarts when its first program ends, and the next finds no display.
        number = self.told(
            "Xvfb", "-displayfd", "{}", "-screen", "0", screen, "-nolisten", "tcp", "-noreset"
        )
        self.environment["DISPLAY"] = f":{number}"

    def start(self, *command: str, **more: Any) -> subprocess.Popen[bytes]:
        """Start a program whose output goes to a file named after it."""
        with open(self.folder / f"{Path(command[0]).name}.txt", "ab") as said:
            program = subprocess.Popen(
                [*with_us(), *command],
                env=self.environment,
                cwd=self.folder,
                stdin=subprocess.DEVNULL,
                stdout=said,
                stderr=said,
                start_new_session=True,  # so that its children end with it
                **more,
            )
        self.programs.append(program)
        return program

    def told(self, *command: str) -> str:
        """Start a program that writes one line to the descriptor {} when it is ready; return that
        line.
        """
        reading, writing = os.pipe()
        self.start(*[part.format(writing) for part in command], pass_fds=[writing])
        os.close(writing)
        with os.fdopen(reading) as line:
            return line.readline().strip()

    def run(self, *command: str) -> str:
        """Run a program to its end; return what it wrote."""
        done = subprocess.run(
            command, env=self.environment, capture_output=True, text=True, timeout=20, check=False
        )
        return done.stdout

    def press(self, *keys: str) -> None:
        """Press keys as a keyboard does, by their X names ("Tab", "ctrl+Home")."""
        for key in keys:
            self.run("xdotool", "key", "--clearmodifiers", key)

    def close(self) -> None:
        """End every program that was started here, and delete the folder."""
        for program in reversed(self.programs):
            for how in (signal.SIGTERM, signal.SIGKILL):
                try:
                    os.killpg(program.pid, how)
                    program.wait(3)
                    break
                except ProcessLookupError:
                    break
                except subprocess.TimeoutExpired:
                    continue
        self.programs = []
        shutil.rmtree(self.folder, ignore_errors=True)


def listens(port: int) -> bool:
    """Return True if a port accepts connections."""
    with socket.socket() as line:
        return line.connect_ex(("127.0.0.1", port)) == 0


def wait_until(true: Callable[[], object], seconds: float, what: str) -> None:
    """Wait until a condition holds; raises TimeoutError naming it."""
    end = time.monotonic() + seconds
    while not true():
        if time.monotonic() > end:
            raise TimeoutError(what)
        time.sleep(0.05)
