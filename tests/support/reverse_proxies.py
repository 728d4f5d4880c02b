"""A reverse proxy in front of a server: Caddy, as in docs/hosting."""

import os
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.conftest import missing
from tests.support.effort import PATIENCE
from tests.support.server import ROOT, free_port, with_us

CADDY = shutil.which("caddy")


@contextmanager
def behind_caddy(folder: Path, server: int) -> Iterator[str]:
    """Run Caddy in front of this port, as in docs/hosting but without a certificate; yield its
    address.
    """
    if CADDY is None:
        missing("caddy")
    port = free_port()
    file = folder / "Caddyfile"
    instead = {
        "cards.example.org": f"http://127.0.0.1:{port}",
        "\tservers": "\tadmin off\n\tservers",
        "127.0.0.1:8000": f"127.0.0.1:{server}",
    }
    file.write_text(example("Caddyfile", instead | in_its_words()))
    command = [CADDY, "run", "--adapter", "caddyfile", "--config", file]
    with running(command, port, XDG_DATA_HOME=str(folder), XDG_CONFIG_HOME=str(folder)) as url:
        yield url


def in_its_words() -> dict[str, str]:
    """Return a configuration line as Debian's old Caddy needs it."""
    version = subprocess.run([CADDY, "version"], capture_output=True, text=True).stdout
    its = "buffer_requests\nmax_buffer_size 2MB"
    return {"\trequest_buffers 2MB": its} if version.lstrip("v").startswith("2.6.2") else {}


def example(name: str, instead: dict[str, str]) -> str:
    """Return a file of docs/hosting with some replacements."""
    written = (ROOT / "docs/hosting" / name).read_text()
    for that, this in instead.items():
        assert that in written, that
        written = written.replace(that, this)
    return written


@contextmanager
def running(command: list[object], port: int, **environ: str) -> Iterator[str]:
    """Run a program that listens at this port; yield its address."""
    process = subprocess.Popen(
        [*with_us(), *command], env=os.environ | environ, stderr=subprocess.DEVNULL
    )
    try:
        deadline = time.monotonic() + PATIENCE
        while not listens(port):
            assert process.poll() is None, f"{command[0]} ended at once"
            assert time.monotonic() < deadline, f"{command[0]} does not listen"
            time.sleep(0.02)
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait(20)


def listens(port: int) -> bool:
    """Return True if a program listens there."""
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0
