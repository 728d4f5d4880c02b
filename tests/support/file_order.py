"""The order in which test files run.

Some tests mostly compute, others mostly wait for a browser, a screen reader or a killed server.
Waiting processes leave both processors idle, and computing ones compete. So each kind of
file is spread over part of the run, and no long file begins last. A file runs in one process
(`--dist loadfile`), so that costly set-up such as a desktop happens once.
"""

from collections.abc import Iterable, Sequence

UNTIL = {
    "tests/screen_reader": 0.3,
    "tests/secrecy": 0.5,
    "tests/browser_engines": 0.3,
    "tests/browser": 0.8,
    "tests/text_browsers": 0.6,
    "tests/chaos": 0.7,
    "tests/bots": 0.7,
    "tests/fuzz": 0.7,
    "tests/stateful": 0.7,
    "tests/formats": 0.7,
    "tests/pages/test_html": 0.7,
    "kaboom/testing/": 0.3,
    "": 1.0,
}
# The slowest of their kind come first.
LONGEST = (
    "secrecy/test_server",
    "secrecy/test_engine",
    "planted_leaks",
    "test_engines",
    "browser/test_access",
    "browser/test_one_screen",
    "text_browsers/test_matches",
    "web/test_permissions",
    "web/test_security",
    "web/test_i18n",
    "web/test_rules_pages",
    "web/test_startup",
    "test_match_record",
    "games/test_taken",
    "tournaments/test_service",
    "tournaments/rules/test_pairing",
    "tests/test_contract",
    "remote_bots/test_runner",
    "table_page/test_every_ending",
    "table_page/test_whole_match",
    "table_page/test_many_matches",
    "table_page/test_updates",
    "table_page/test_table_html",
    "puzzles/test_routes",
    "learn/test_routes",
)


def in_order(files: Iterable[str]) -> Sequence[str]:
    """Return test files in the order in which they begin."""
    kinds: dict[str, list[str]] = {kind: [] for kind in UNTIL}
    for file in files:
        kinds[next(kind for kind in UNTIL if file.startswith(kind))].append(file)
    places = {}
    for number, (kind, own) in enumerate(kinds.items()):
        own.sort(key=rank)
        for place, file in enumerate(own):
            places[file] = (UNTIL[kind] * place / len(own), number)
    return sorted(places, key=places.__getitem__)


def rank(file: str) -> int:
    """Return a small number for slow files."""
    return next((n for n, name in enumerate(LONGEST) if name in file), len(LONGEST))
