"""The installation methods of docs/hosting.md: pinned libraries, pip, systemd, a container."""

import os
import re
import shutil
import subprocess
import sys
import time
import tomllib
import urllib.error
import urllib.request
from importlib.metadata import distribution

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from kaboom.config import CHECKOUT
from tests.support.effort import PATIENCE
from tests.support.server import free_port

PROJECT = tomllib.loads((CHECKOUT / "pyproject.toml").read_text())["project"]
BUILD = PROJECT["optional-dependencies"]["build"]
DIRECT = {
    "requirements.lock": PROJECT["dependencies"] + BUILD,
    "requirements-test.lock": PROJECT["dependencies"]
    + BUILD
    + PROJECT["optional-dependencies"]["test"],
}
LOCKS = [*DIRECT, "requirements-judges.lock"]


def locked(lock: str) -> dict[str, tuple[str, str]]:
    """Return version and hashes of each library of a lock file; of two versions, the local one."""
    found = {}
    for entry in re.split(r"\n(?=\w)", (CHECKOUT / lock).read_text()):
        line = entry.split("--hash", 1)[0].replace("\\", "").strip()
        if "==" in line and not line.startswith("#"):
            wanted = Requirement(line)
            if wanted.marker is None or wanted.marker.evaluate():
                version = str(wanted.specifier).removeprefix("==")
                found[canonicalize_name(wanted.name)] = (version, entry)
    return found


def test_every_library_is_pinned_to_one_version():
    for line in DIRECT["requirements-test.lock"]:
        name, _, where = line.partition(" ; ")  # the marker, if it is not needed everywhere
        assert re.fullmatch(r"[A-Za-z0-9_.-]+(\[[a-z]+\])?==[0-9][0-9a-z.]*", name), line
        assert re.fullmatch(r"(python_version < '3\.[0-9]+')?", where), line


@pytest.mark.parametrize("lock", LOCKS)
def test_lock_file_contains_no_url(lock):
    text = (CHECKOUT / lock).read_text()
    assert "://" not in text
    assert not re.search(r"^\s*--(?!hash=sha256:[0-9a-f]{64})", text, re.MULTILINE)


@pytest.mark.parametrize("lock", DIRECT)
def test_lock_file_has_every_required_library_with_hashes(lock):
    found = locked(lock)
    wanted = [Requirement(line) for line in DIRECT[lock]]
    wanted = [need for need in wanted if need.marker is None or need.marker.evaluate()]
    seen = set()
    while wanted:
        need = wanted.pop()
        name = canonicalize_name(need.name)
        assert name in found, f"{name} is missing: make lock"
        version, entry = found[name]
        assert need.specifier.contains(version, prereleases=True), (
            f"{need}, but {version} is locked"
        )
        assert "--hash=sha256:" in entry, f"{name} has no hash"
        if (name, *need.extras) not in seen:
            seen.add((name, *need.extras))
            for text in distribution(name).requires or ():
                more = Requirement(text)
                extras = need.extras or {""}
                if more.marker is None or any(more.marker.evaluate({"extra": e}) for e in extras):
                    wanted.append(more)


@pytest.fixture(scope="module")
def sources(tmp_path_factory):
    """The files of a fresh clone: no environment, no database, no build results."""
    folder = tmp_path_factory.mktemp("sources")
    for top in ("kaboom", "templates", "static", "migrations", "docs"):
        shutil.copytree(
            CHECKOUT / top, folder / top, ignore=shutil.ignore_patterns("__pycache__", "*.pyc")
        )
    for name in ("pyproject.toml", "README.md", "LICENSE", "NOTICES.md", "wsgi.py"):
        shutil.copy(CHECKOUT / name, folder / name)
    return folder


def answer(url: str, process: subprocess.Popen) -> str:
    """Return the answer of a server that is just starting."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        assert process.poll() is None, "the server ended at once"
        try:
            return urllib.request.urlopen(url, timeout=PATIENCE).read().decode(errors="replace")
        except urllib.error.HTTPError:
            raise
        except OSError:
            time.sleep(0.1)
    raise TimeoutError(url)


def environment(**more: str) -> dict[str, str]:
    kept = {name: text for name, text in os.environ.items() if not name.startswith("PYTHON")}
    return kept | more


def test_pip_install_serves_every_page_and_keeps_its_games(sources, tmp_path):
    where = tmp_path / "installed"
    subprocess.run(
        [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check", "install",
         "--no-deps", "--no-build-isolation", "--no-compile", "--target", str(where), str(sources)],
        check=True, capture_output=True, timeout=300,
    )  # fmt: skip
    port = free_port()
    process = subprocess.Popen(
        [str(where / "bin" / "kaboom"), "play"],
        cwd=tmp_path,
        env=environment(
            PYTHONPATH=str(where), HOST="127.0.0.1", PORT=str(port), XDG_DATA_HOME=str(tmp_path)
        ),
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        start_new_session=True,
    )
    try:
        home = answer(f"http://127.0.0.1:{port}/", process)
        for page in (
            "/rules/koth",
            "/start/karata",
            "/api/reference",
            *re.findall(r'(?:href|src)="(/static/[^"]+)', home),
        ):
            assert answer(f"http://127.0.0.1:{port}{page}", process), page
        assert process.stdout is not None
        assert process.stdout.readline() + process.stdout.readline() == (
            f"\nKaboom is at      http://127.0.0.1:{port}/\n"
        )
    finally:
        process.terminate()
        process.communicate(timeout=30)
    assert (tmp_path / "kaboom" / "kaboom.sqlite3").exists()
    shown = subprocess.run(
        [str(where / "bin" / "kaboom"), "tables", "list"],
        cwd=tmp_path,
        env=environment(PYTHONPATH=str(where), XDG_DATA_HOME=str(tmp_path)),
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert shown.stdout == "No tables.\n"


def unit() -> list[tuple[str, str]]:
    """Return the settings of the systemd unit, in order."""
    text = (CHECKOUT / "docs" / "hosting" / "kaboom.service").read_text()
    return [tuple(line.split("=", 1)) for line in text.splitlines() if re.match(r"[A-Z]\w+=", line)]


def test_the_systemd_unit_starts_and_reloads_on_a_fresh_clone(sources, tmp_path):
    settings = unit()
    # systemd creates the state folder; everything else is read-only.
    assert ("StateDirectory", "kaboom") in settings
    assert ("ProtectSystem", "strict") in settings
    assert not [path for name, path in settings if name.startswith("ReadWrite")]
    state, port = tmp_path / "state", free_port()
    state.mkdir()

    def here(text: str) -> str:
        text = text.replace("/srv/kaboom/.venv/bin/python", sys.executable)
        return text.replace("/var/lib/kaboom", str(state)).replace("8000", str(port))

    given = " ".join(text for name, text in settings if name == "Environment")
    environ = environment(
        PYTHONDONTWRITEBYTECODE="1", **dict(pair.split("=", 1) for pair in here(given).split())
    )
    for top in (
        "kaboom",
        "migrations",
    ):  # otherwise each of five processes would compile everything
        for compiled in (CHECKOUT / top).rglob("*.pyc"):
            place = sources / compiled.relative_to(CHECKOUT)
            place.parent.mkdir(exist_ok=True)
            shutil.copy(compiled, place)
    before = {path: path.stat().st_mtime_ns for path in sources.rglob("*")}

    def run(line: str) -> None:
        subprocess.run(here(line).split(), cwd=sources, env=environ, check=True, timeout=60)

    for name, line in settings:
        if name == "ExecStartPre":
            run(line)
    (start,) = [line for name, line in settings if name == "ExecStart"]
    process = subprocess.Popen(
        here(start).split(), cwd=sources, env=environ, stderr=subprocess.DEVNULL
    )
    try:
        assert "Kaboom" in answer(f"http://127.0.0.1:{port}/", process)
        for name, line in settings:
            if name == "ExecReload":
                run(line.replace("$MAINPID", str(process.pid)))
        assert "Kaboom" in answer(f"http://127.0.0.1:{port}/", process)
    finally:
        process.terminate()
        process.wait(30)
    assert {path: path.stat().st_mtime_ns for path in sources.rglob("*")} == before
    assert (state / "kaboom.sqlite3").exists()


def test_upgrade_guide_describes_the_database_migration():
    guide = (CHECKOUT / "docs" / "hosting.md").read_text()
    upgrade = guide.split("## New versions")[1].split("\n## ")[0]
    assert "migrate" in upgrade
    assert next(line for name, line in unit() if name == "ExecReload").endswith("migrate")


def test_container_context_includes_its_inputs_and_no_more():
    copied = set()
    for line in (CHECKOUT / "Containerfile").read_text().splitlines():
        if line.startswith("COPY") and "--from" not in line:
            copied.update(line.split()[1:-1])
    let_in = {
        line.removeprefix("!")
        for line in (CHECKOUT / ".dockerignore").read_text().splitlines()
        if line.startswith("!")
    }
    assert copied == {"requirements.lock", "."}
    assert let_in == {
        "kaboom", "templates", "static", "migrations", "pyproject.toml", "requirements.lock",
        "README.md", "LICENSE", "NOTICES.md", "docs/api.md", "docs/chance.md", "docs/record.md",
    }  # fmt: skip
    assert all((CHECKOUT / name).exists() for name in let_in)
    assert (CHECKOUT / ".dockerignore").read_text().startswith("*\n")
