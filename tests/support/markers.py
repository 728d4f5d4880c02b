"""Markers of tests by folder and fixture; `pytest` alone deselects some of them.

A single test of more than half a processor second carries `@pytest.mark.slow` itself.
A file with a real server in a folder of plain tests sets `pytestmark = pytest.mark.e2e`.
"""

from pathlib import Path
from typing import Any

import pytest

from tests.support.effort import LONG

# `pytest` without arguments; `make test` runs everything but nightly.
KINDS = ("postgres", "redis", "e2e", "slow", "nightly")
PLAIN = f"not ({' or '.join(KINDS)})"
END_TO_END = (
    "tests/browser/",
    "tests/browser_engines/",
    "tests/chaos/",
    "tests/formats/",
    "tests/pages/test_html_validity.py",
    "tests/screen_reader/",
    "tests/text_browsers/",
    "tests/cli/test_commands.py",
    "tests/cli/test_flask_run.py",
    "tests/hosting/test_installation.py",
)
# Files in which every test is slow: `make test` runs them, `pytest` alone does not.
SLOW = (
    "kaboom/testing/",
    "tests/bots/test_reproducible.py",
    "tests/bots/test_fields.py",
    "tests/bots/test_sealed_fields.py",
    "tests/fuzz/",
    "tests/games/test_installed_games.py",
    "tests/games/test_gops_values.py",
    "tests/games/test_kaboom_interrupted.py",
    "tests/secrecy/",
    "tests/stateful/",
    "tests/test_contract.py",
    "tests/games/test_examples.py",
    "tests/table_page/test_every_ending.py",
    "tests/web/test_i18n.py",
    "tests/table_page/test_whole_match.py",
    "tests/table_page/test_many_matches.py",
    "tests/table_page/test_table_html.py",
    "tests/web/test_security.py",
    "tests/sharing/test_routes.py",
    "tests/table_page/test_updates.py",
    "tests/web/test_permissions.py",
)
FIXTURES = {
    "postgres": {"postgres_server", "postgres_url"},
    "redis": {"redis"},
    "e2e": {"server", "serving", "real"},
}


def choose_plain(config: Any) -> None:
    """Select the tests that need no service, unless the command line selects others."""
    if config.args_source is pytest.Config.ArgsSource.TESTPATHS and not config.option.markexpr:
        config.option.markexpr = PLAIN


def is_plain(config: Any) -> bool:
    """Return True if only tests without services were selected; other processes inherit this."""
    return bool(config.option.markexpr == PLAIN)


def is_never_plain(path: Path) -> bool:
    """Return True if every test in a file or folder needs a server or is slow."""
    return f"{path.as_posix()}/".startswith((*END_TO_END, *SLOW))


def mark(items: list[Any]) -> None:
    """Give each test the markers that follow from its folder and its fixtures."""
    for item in items:
        for name in kinds_of(item):
            item.add_marker(name)


def kinds_of(item: Any) -> set[str]:
    """Return the markers of a test."""
    used = set(getattr(item, "fixturenames", ()))
    kinds = {name for name, fixtures in FIXTURES.items() if used & fixtures}
    case = getattr(item, "callspec", None)
    if case is not None and case.params.get("store_url") == "postgresql":
        kinds.add("postgres")
    if item.nodeid.startswith(END_TO_END):
        kinds.add("e2e")
    if item.nodeid.startswith(SLOW):
        kinds.add("slow")
    return kinds


def wants_all_kinds(config: Any) -> bool:
    """Return True in long runs, and if a test is named on the command line."""
    return LONG or any("::" in str(asked) for asked in config.args)
