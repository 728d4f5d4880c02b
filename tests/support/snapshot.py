"""Recorded text: a test compares what it finds with a file beside it.

`pytest --snapshot-update PATHS` rewrites the files; then read `git diff`. A test
that updates passes.
"""

from difflib import unified_diff
from pathlib import Path

import pytest

CHANGED = "not as recorded: `make snapshots` if that was meant, then read the difference"
SHOWN = 60  # lines of a difference


class Snapshot:
    """Compares text with files, or writes it there."""

    def __init__(self, update: bool) -> None:
        self.update = update

    def check(self, path: Path, lines: list[str]) -> None:
        """Fail if a file does not have these lines, or write them there."""
        if self.update:
            path.parent.mkdir(exist_ok=True)
            path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
            return
        known = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
        if known != lines:
            differs = unified_diff(known, lines, "recorded", "now", lineterm="", n=8)
            pytest.fail("\n".join([f"{path}: {CHANGED}", *list(differs)[:SHOWN]]), pytrace=False)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--snapshot-update",
        action="store_true",
        help="rewrite recorded text",
    )


@pytest.fixture
def snapshot(request: pytest.FixtureRequest) -> Snapshot:
    """Recorded text, compared or written."""
    return Snapshot(request.config.getoption("--snapshot-update"))
