"""Play now: prepare the database, print the link, and serve. Or play at a server, in a terminal."""

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
from kaboom.config import PACKAGE, ROOT, from_environment
from kaboom.db.migrate import upgrade

TERMINAL = ROOT / "static" / "play.py"
SERVING = PACKAGE / "gunicorn_conf.py"  # a file, so that gunicorn reads it again when it reloads


@click.command(context_settings={"ignore_unknown_options": True})
@click.argument("url", required=False)
@click.argument("more", nargs=-1, type=click.UNPROCESSED)
def play(url: str | None, more: tuple[str, ...]) -> None:
    """Serve the games, and say where to play.

    It listens on HOST (all addresses of this machine) and PORT (8000), and keeps its games at
    DATABASE_URL (a file of SQLite); these are environment variables, and docs/hosting.md has more.
    The database is migrated first; then this becomes gunicorn.

    With the URL of a server or of a table there: play at it in this terminal, by the one file that
    anybody can fetch from it (MORE are its options, such as --width 40).
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
    if why := why_not_there(host, port):
        sys.exit(why)
    say_where(host, port)
    sys.stdout.flush()
    # Flask's commands run without the clock, and pass that on to what they start.
    environ = {name: text for name, text in os.environ.items() if name != "FLASK_RUN_FROM_CLI"}
    # From whatever folder app.py is run, gunicorn finds the package.
    paths = (str(PACKAGE.parent), os.environ.get("PYTHONPATH", ""))
    environ["PYTHONPATH"] = os.pathsep.join(filter(None, paths))
    command = [sys.executable, "-m", "gunicorn", "-c", str(SERVING), "kaboom.wsgi:app"]
    os.execve(sys.executable, command, environ)


def why_not_there(host: str, port: str) -> str:
    """Return a sentence for the host that says why nobody can listen there; nothing if one can."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        socket.create_server((host, int(port)), family=family).close()
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            return (
                f"Port {port} is taken already, perhaps by another Kaboom: stop that one, or set "
                "PORT to another number."
            )
        if error.errno == errno.EACCES:
            return f"Port {port} is not allowed to you: set PORT to a number above 1023."
        return f"HOST must be an address of this machine, not “{host}” ({error.strerror})."
    return ""


def say_where(host: str, port: str) -> None:
    """Print the addresses to open, and a QR code of the one other devices can reach."""
    print(f"\nKaboom is at      http://127.0.0.1:{port}/")
    lan = lan_address() if host == "0.0.0.0" else ""
    if lan:
        link = f"http://{lan}:{port}/"
        print(f"On your network   {link}\n")
        segno.make(link, error="l").terminal(compact=True)
    print("\nStop with Ctrl-C. Games are kept and go on at the next start.\n")


def lan_address() -> str:
    """Return this machine's address on its network, or nothing. No packet is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return ""
        address: str = probe.getsockname()[0]
    return "" if address.startswith("127.") else address
