"""Commits, each in a folder with a virtual environment of its own.

A commit is unpacked once and kept under .venv/bench/, so that the next run starts at once.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

from bench.server import Server, clean_environ, free_port

ROOT = Path(__file__).resolve().parents[1]
CACHE = ROOT / ".venv" / "bench"
GUNICORN_CONF = (
    "kaboom/gunicorn_conf.py",
    "kaboom/serving.py",
)  # the present name, and that in release 2
SECRET = "a-secret-of-the-bench-of-thirty-two-characters"


class Checkout(NamedTuple):
    """A commit's files, and the Python in which it is installed."""

    name: str
    root: Path
    python: Path

    def serve(self, folder: Path, url: str = "", **environ: str) -> Server:
        """Return its server, started on a new SQLite file or on the empty database at `url`."""
        environ = {
            "HOST": "127.0.0.1",
            "PORT": str(free_port()),
            "RATE_LIMITS": "0",
            "SECRET_KEY": SECRET,
            "DATABASE_URL": url or f"sqlite:///{tempfile.mkdtemp(dir=folder)}/kaboom.sqlite3",
            **environ,
        }
        migrate = [str(self.python), "-m", "kaboom", "migrate"]
        subprocess.run(
            migrate, cwd=self.root, env=clean_environ() | environ, check=True, capture_output=True
        )
        conf = next(name for name in GUNICORN_CONF if (self.root / name).exists())
        command = [str(self.python), "-m", "gunicorn", "-c", conf, "wsgi:app"]
        return Server(command, self.root, folder, environ)


def here() -> Checkout:
    """Return this checkout with its uncommitted changes."""
    return Checkout("here", ROOT, Path(sys.executable))


def of_commit(commit: str, repository: Path = ROOT, cache: Path = CACHE) -> Checkout:
    """Return a commit unpacked and installed from its own lock file; raises CalledProcessError."""
    sha = _git(repository, "rev-parse", "--verify", f"{commit}^{{commit}}").strip()
    root = cache / sha
    if not root.exists():
        _unpack(sha, repository, root)
    environ = {k: v for k, v in os.environ.items() if not k.startswith(("MAKE", "MFLAGS"))}
    python = f"PYTHON={os.path.realpath(sys.executable)}"
    subprocess.run(["make", "--silent", "-C", root, python, ".venv/.play"], env=environ, check=True)
    return Checkout(commit, root, root / ".venv" / "bin" / "python")


def _unpack(sha: str, repository: Path, root: Path) -> None:
    """Write a commit's files to `root`, which exists only once it is complete."""
    root.parent.mkdir(parents=True, exist_ok=True)
    made = Path(tempfile.mkdtemp(prefix="unpacking-", dir=root.parent))
    try:
        _git(repository, "archive", f"--output={made}/files.tar", sha)
        subprocess.run(["tar", "-xf", "files.tar"], cwd=made, check=True)
        (made / "files.tar").unlink()
        made.rename(root)
    finally:
        shutil.rmtree(made, ignore_errors=True)


def _git(repository: Path, *words: str) -> str:
    git = ["git", "-C", str(repository), *words]
    return subprocess.run(git, check=True, capture_output=True, text=True).stdout
