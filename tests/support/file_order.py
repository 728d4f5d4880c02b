"""In which order the files of tests are played.

Some mostly work, others mostly wait: for a browser, a screen reader, a server that was killed. Four
processes that all wait leave both processors idle, and four that all work take turns. So each kind
of file is spread evenly over the run, from its beginning to the part of it that is named here: at
any time some wait and some work, and nothing long begins last. A file is played by one process
(`--dist loadfile`): what is dear to begin, such as a desktop, begins once.
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
    "kaboom/testing.py": 0.3,
    "": 1.0,
}
# Of their kind these take longest, so they come first.
LONGEST = (
    "secrecy/test_server",
    "secrecy/test_engine",
    "planted_leaks",
    "test_engines",
    "browser/test_access",
    "browser/test_one_screen",
    "text_browsers/test_matches",
)


def in_order(files: Iterable[str]) -> Sequence[str]:
    """Return files of tests in the order in which they begin."""
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
    """Return a small number for what takes long."""
    return next((n for n, name in enumerate(LONGEST) if name in file), len(LONGEST))
