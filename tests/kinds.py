"""Which tests need what: the markers that `pytest` alone leaves out, set by folder and fixture.

A file with one real server among its folder's plain tests says `pytestmark = pytest.mark.e2e`.
"""

from typing import Any

import pytest

from tests.counts import LONG

# `pytest` without arguments; `make test` runs all but nightly.
KINDS = ("postgres", "redis", "e2e", "nightly")
PLAIN = f"not ({' or '.join(KINDS)})"
END_TO_END = (
    "tests/browser/",
    "tests/browser_engines/",
    "tests/chaos/",
    "tests/formats/",
    "tests/pages/",
    "tests/screen_reader/",
    "tests/text_browsers/",
)
FIXTURES = {
    "postgres": {"postgres_server", "postgres_url"},
    "redis": {"redis"},
    "e2e": {"server", "serving"},
}


def choose_plain(config: Any) -> None:
    """Select what needs no service where the command line selects nothing."""
    if config.args_source is pytest.Config.ArgsSource.TESTPATHS and not config.option.markexpr:
        config.option.markexpr = PLAIN


def is_plain(config: Any) -> bool:
    """Return True if only what needs no service was selected; other processes inherit it."""
    return bool(config.option.markexpr == PLAIN)


def mark(items: list[Any]) -> None:
    """Give each test the markers that follow from where it stands and what it uses."""
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
    return kinds


def wants_all_kinds(config: Any) -> bool:
    """Return True in the long runs, and where a test is named."""
    return LONG or any("::" in str(asked) for asked in config.args)
