"""What stands in front of a server: nginx and Caddy, by the examples of docs/hosting."""

import os
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.conftest import missing
from tests.counts import PATIENCE
from tests.server import ROOT, free_port, with_us

NGINX = shutil.which("nginx") or "/usr/sbin/nginx"
CADDY = shutil.which("caddy")


@contextmanager
def behind_nginx(folder: Path, *ports: int) -> Iterator[str]:
    """The address of nginx, set as in docs/hosting, before two halls at these ports."""
    if not os.path.exists(NGINX):
        missing("nginx")
    port = free_port()
    file = folder / "nginx.conf"
    own = {"127.0.0.1:8000": f"127.0.0.1:{port}"}
    file.write_text(example("nginx-halls.conf", own | upstreams(8001, ports)))
    command = [NGINX, "-p", folder, "-c", file, "-g",
               f"daemon off; pid {folder}/nginx.pid; error_log {folder}/log warn;"]  # fmt: skip
    with running(command, port) as url:
        yield url


@contextmanager
def behind_caddy(folder: Path, *ports: int) -> Iterator[str]:
    """The address of Caddy, set as in docs/hosting but without a certificate, before a server at
    this port or two halls at these.
    """
    if CADDY is None:
        missing("caddy")
    port = free_port()
    file = folder / "Caddyfile"
    name, first = ("Caddyfile", 8000) if len(ports) == 1 else ("Caddyfile-halls", 8001)
    own = {"cards.example.org": f"http://127.0.0.1:{port}", "\tservers": "\tadmin off\n\tservers"}
    file.write_text(example(name, own | in_its_words() | upstreams(first, ports)))
    command = [CADDY, "run", "--adapter", "caddyfile", "--config", file]
    with running(command, port, XDG_DATA_HOME=str(folder), XDG_CONFIG_HOME=str(folder)) as url:
        yield url


def in_its_words() -> dict[str, str]:
    """Return what Debian's old Caddy must be told instead of a line, as the example says."""
    version = subprocess.run([CADDY, "version"], capture_output=True, text=True).stdout
    its = "buffer_requests\nmax_buffer_size 2MB"
    return {"\trequest_buffers 2MB": its} if version.lstrip("v").startswith("2.6.2") else {}


def upstreams(first: int, ports: tuple[int, ...]) -> dict[str, str]:
    """Return where servers are instead of the example's ports, which begin with this one."""
    return {f"127.0.0.1:{first + n}": f"127.0.0.1:{port}" for n, port in enumerate(ports)}


def example(name: str, instead: dict[str, str]) -> str:
    """Return a file of docs/hosting with something else in some places."""
    written = (ROOT / "docs/hosting" / name).read_text()
    for that, this in instead.items():
        assert that in written, that
        written = written.replace(that, this)
    return written


@contextmanager
def running(command: list[object], port: int, **environ: str) -> Iterator[str]:
    """The address of a program that listens at this port."""
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
    """Return whether something listens there."""
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0
