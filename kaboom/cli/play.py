"""`kaboom play`: prepare the database, print the link and serve; or play on a server, in a
terminal.
"""

import errno
import os
import runpy
import socket
import sys
from pathlib import Path

import click
import segno
from sqlalchemy.engine import make_url

from kaboom.cli.errors import FORESEEN, sentence
from kaboom.config import PACKAGE, ROOT, SOCKET_FILE, from_environment
from kaboom.db.migrate import upgrade

TERMINAL = ROOT / "static" / "play.py"
SERVING = PACKAGE / "gunicorn_conf.py"  # a file, so that gunicorn reads it again when it reloads


@click.command(context_settings={"ignore_unknown_options": True})
@click.argument("url", required=False)
@click.argument("more", nargs=-1, type=click.UNPROCESSED)
def play(url: str | None, more: tuple[str, ...]) -> None:
    """Serve the games, and print where to play.

    Migrates the database, then runs gunicorn. Environment variables: HOST (default: all IP
    addresses of this machine), PORT (8000) and DATABASE_URL (an SQLite file). More are in
    docs/hosting.md.

    With the URL of a server or a table: play there in this terminal, with the client that the
    server offers for download. MORE are its options, such as --width 40.
    """
    if url:
        sys.exit(runpy.run_path(str(TERMINAL))["main"]([url, *more]))
    try:
        settings = from_environment()
        file = make_url(settings.database_url).database
        if settings.database_url.startswith("sqlite") and file:
            Path(file).parent.mkdir(parents=True, exist_ok=True)
        upgrade(settings.database_url, settings.secret_key)
    except FORESEEN as wrong:
        sys.exit(sentence(wrong))
    host, port = os.environ.get("HOST") or "0.0.0.0", os.environ.get("PORT") or "8000"
    if host.startswith(SOCKET_FILE):
        print(f"Kaboom is listening at {host} for a proxy. Stop with Ctrl-C.")
    elif why := why_not_there(host, port):
        sys.exit(why)
    else:
        say_where(host, port, settings.prefix)
    sys.stdout.flush()
    # Flask's commands run without the clock, and pass that on to the processes they start.
    environ = {name: text for name, text in os.environ.items() if name != "FLASK_RUN_FROM_CLI"}
    # gunicorn must find the package, whatever the current folder is.
    paths = (str(PACKAGE.parent), os.environ.get("PYTHONPATH", ""))
    environ["PYTHONPATH"] = os.pathsep.join(filter(None, paths))
    command = [sys.executable, "-m", "gunicorn", "-c", str(SERVING), "kaboom.wsgi:app"]
    os.execve(sys.executable, command, environ)


def why_not_there(host: str, port: str) -> str:
    """Return a sentence that tells the host why the server cannot listen there; "" if it can."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        socket.create_server((host, int(port)), family=family).close()
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            return (
                f"Port {port} is already in use, perhaps by another Kaboom. Stop that one, or set "
                "PORT to another number."
            )
        if error.errno == errno.EACCES:
            return f"You may not use port {port}. Set PORT to a number above 1023."
        return f"HOST must be an address of this machine, not “{host}” ({error.strerror})."
    return ""


def say_where(host: str, port: str, prefix: str = "") -> None:
    """Print the URLs to open, and a QR code for other devices."""
    print(f"\nKaboom is at      http://127.0.0.1:{port}{prefix}/")
    lan = lan_address() if host == "0.0.0.0" else ""
    if lan:
        link = f"http://{lan}:{port}{prefix}/"
        print(f"On your network   {link}\n")
        segno.make(link, error="l").terminal(compact=True)
    print("\nStop with Ctrl-C. Games are saved and resume at the next start.\n")


def lan_address() -> str:
    """Return this machine's IP address on its network, or "". No packet is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return ""
        address: str = probe.getsockname()[0]
    return "" if address.startswith("127.") else address
