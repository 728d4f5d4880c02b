"""Play now: `python app.py` prepares the database, prints the link, and serves."""

import os
import socket
import sys
from pathlib import Path

import segno
from sqlalchemy.engine import make_url

from kaboom.settings import BadSetting, from_environment
from kaboom.store.migrate import upgrade


def main() -> None:
    """Migrate, say where to play, and become gunicorn."""
    try:
        settings = from_environment()
    except BadSetting as wrong:
        sys.exit(str(wrong))
    file = make_url(settings.database_url).database
    if settings.database_url.startswith("sqlite") and file:
        Path(file).parent.mkdir(parents=True, exist_ok=True)
    try:
        upgrade(settings.database_url, settings.secret_key)
    except ValueError as wrong:
        sys.exit(str(wrong))
    port = os.environ.get("PORT", "8000")
    host = os.environ.get("HOST", "0.0.0.0")
    say_where(host, port)
    here = Path(__file__).parent
    command = [sys.executable, "-m", "gunicorn", "-c", str(here / "gunicorn.conf.py"), "wsgi:app"]
    os.chdir(here)
    sys.stdout.flush()
    os.execv(sys.executable, command)


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
    """Return this machine's address in its network, or nothing. No packet is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return ""
        address: str = probe.getsockname()[0]
    return "" if address.startswith("127.") else address


if __name__ == "__main__":
    main()
