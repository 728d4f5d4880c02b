"""Which cases of parametrized tests `make test` runs; `make soak` runs all.

This table selects whole tests. Tests that reduce their own repetitions use `often`, `some` and
`LONG` (tests/support/effort.py). `python -m tests.support.sampling` lists both. A test named on the
command line (`pytest FILE::TEST`) runs with all of its cases.
"""

import ast
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.support.markers import KINDS, is_plain, wants_all_kinds

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class Turns:
    """Each test below a path runs for one value of an argument, in turn."""

    path: str
    of: str
    told: str


@dataclass(frozen=True)
class Share:
    """One in `every` cases of a test runs, starting with the `first`."""

    path: str
    every: int
    told: str
    first: int = 0


# Rooms whose tests use the table service on both stores; those of db/ always run on both.
ON_STORES = (
    "accounts", "daily", "lobby", "notifications", "ratings", "records", "social", "tables",
    "tournaments",
)  # fmt: skip
THIN: tuple[Turns | Share, ...] = (
    *(Turns(f"tests/{room}/", "store_url", "each test on one of two stores") for room in ON_STORES),
    Turns("tests/cli/test_demo.py", "store_url", "in one of two stores"),
    Turns("tests/stateful/test_table_service.py", "store_url", "any order on one of two stores"),
    Turns("tests/chaos/test_damage.py", "store_url", "each damage in one store"),
    Turns("tests/chaos/test_outage.py", "store_url", "each outage with one store"),
    Turns("tests/chaos/test_stores.py", "store_url", "what both may meet, at one of them"),
    Turns("tests/chaos/test_histories.py", "store_url", "each game's on one store"),
    Turns(
        "tests/records/test_play_on_service.py::test_record_of_a_continued_match_is_verified",
        "as_it_was",
        "each game as it was or dealt anew",
    ),
    Turns(
        "tests/tables/test_same_deal.py::test_same_deal_gives_each_seat_the_same_cards",
        "moved",
        "each game with the seats moved or not",
    ),
    Turns("tests/browser_engines/", "visitor", "each test in Firefox or in WebKit"),
    Share("tests/browser_engines/", 2, "every second of them"),
    Share("tests/bots/test_fields.py", 2, "against every second kind of rivals"),
    Share("tests/bots/test_sealed_fields.py", 2, "every second duel"),
    Share(
        "tests/browser/test_access.py::test_pages_and_fragments_are_valid_html",
        2,
        "every second moment; the Nu checker reads pages, too",
    ),
    Share(
        "tests/browser/test_chat.py::test_chat_icon_covers_nothing",
        3,
        "on the screen where there is least room",
    ),
    Share(
        "tests/browser/test_one_screen.py::test_rail_hint_shifts_nothing",
        2,
        "every second moment with a hint",
    ),
    Share(
        "tests/browser/test_one_screen.py::test_longer_words_make_no_table_wider",
        2,
        "every second moment and language",
    ),
    Share(
        "tests/browser/test_refusals.py::test_nothing_chosen_error_clears_on_a_choice",
        3,
        "with and without scripts at different moments",
    ),
    Share(
        "tests/browser/test_looking_back.py::test_page_does_not_shift_while_it_loads",
        2,
        "one half of the pages about finished matches",
    ),
    Share(
        "tests/browser/test_looking_back.py::test_page_without_scripts_is_small",
        2,
        "the other half of them",
        first=1,
    ),
    Turns(
        "tests/browser/test_replay.py::test_replay_on_a_phone_is_whole_on_the_first_screen",
        "height",
        "each game on one of two phones",
    ),
    Turns(
        "tests/browser/test_navigation.py::test_header_parts_do_not_overlap",
        "width",
        "each language at one of two widths",
    ),
    Share(
        "tests/coach/test_runner.py::test_another_worker_resumes_after_a_crash",
        2,
        "at every second point",
    ),
    Share(
        "tests/learn/test_routes.py::test_lesson_is_completed_through_its_forms",
        2,
        "one half of the lessons",
    ),
    Share(
        "tests/learn/test_routes.py::test_lesson_is_completed_as_json_and_as_text",
        2,
        "the other half of them",
        first=1,
    ),
    Share(
        "tests/browser/test_koth_table.py::test_deal_updates_a_page_at_most",
        2,
        "at one of two speeds",
    ),
    Share(
        "tests/social/chat/test_routes.py::test_delayed_view_is_unchanged_by_later_events",
        3,
        "at two games; the proof of secrecy lets those who watch later ask in each",
    ),
    Share(
        "tests/social/chat/test_routes.py::test_chat_is_always_escaped",
        4,
        "a quarter of what is dangerous to print; Jinja escapes all of it",
    ),
    Share(
        "tests/social/chat/test_routes.py::test_a_spectators_name_stays_text",
        4,
        "another quarter of it",
        first=2,
    ),
    Share(
        "tests/table_page/test_whole_match.py::test_a_match_is_played_from_the_home_page",
        2,
        "one half of the games; a test of players plays the other",
    ),
    Share(
        "tests/table_page/test_many_matches.py::test_many_matches_are_played_to_the_end",
        2,
        "the half of the games that is not played from the home page",
        first=1,
    ),
    Share(
        "tests/web/test_rules_pages.py::test_every_option_changes_its_rules_text",
        2,
        "each option in one of three languages or in two",
    ),
)


# Tests over all games, or over everything in the contract, run one of two cases in turn; so do the
# games of examples/ and the variations of one option.
PAIRS = (
    ("hearts", "oh_hell"),
    ("kaboom, patient flips", "kaboom, patient flips without a clock"),
)


def taken(items: Sequence[Any]) -> list[bool]:
    """Return for each test whether `make test` runs it. The selection is stable, and one file's
    tests do not affect another's.
    """
    late = out_of_turn(items)
    turns: dict[tuple[str, ...], list[str]] = {}
    seen: Counter[str] = Counter()
    for item in items:
        for thin in rules_of(item):
            if isinstance(thin, Turns) and thin.of in kinds_of(item):
                turns.setdefault(without(item, thin), []).append(kinds_of(item)[thin.of])
    number: dict[tuple[str, ...], int] = {}
    for test in turns:
        number[test] = seen[test[0]]
        seen[test[0]] += 1

    def takes(item: Any, thin: Turns | Share) -> bool:
        if isinstance(thin, Share):
            seen[thin.path] += 1
            return (seen[thin.path] - 1) % thin.every == thin.first
        if thin.of not in kinds_of(item):
            return True
        test = without(item, thin)
        return kinds_of(item)[thin.of] == turns[test][number[test] % len(turns[test])]

    answers = ([takes(item, thin) for thin in rules_of(item)] for item in items)
    rules = [all(each) for each in answers]  # a test excluded by one rule is counted by the others
    return [takes and n not in late for n, takes in enumerate(rules)]


def out_of_turn(items: Sequence[Any]) -> set[int]:
    """Return the numbers of the tests that are represented by their pair."""
    partner = {it: pair for pair in PAIRS for it in pair}
    tests: dict[tuple[Any, ...], dict[str, int]] = {}
    for number, item in enumerate(items):
        case = getattr(item, "callspec", None)
        values = {} if case is None else case.params
        keys = {name: key_of(value) for name, value in values.items()}
        one = next((name for name, key in keys.items() if key in partner), None)
        if one is not None:
            others = (f"{name}={keys[name]}" for name in sorted(keys) if name != one)
            file = item.nodeid.partition("::")[0]
            test = (file, item.originalname, partner[keys[one]], *others)
            tests.setdefault(test, {})[keys[one]] = number
    seen: Counter[tuple[str, Any]] = Counter()
    left = set()
    for (file, _, pair, *_), cases in tests.items():
        if len(cases) == len(pair):
            left.add(cases[pair[seen[file, pair] % len(pair)]])
            seen[file, pair] += 1
    return left


def key_of(value: Any) -> str:
    """Return the key of a game, or the name of the contract's case."""
    return str(getattr(value, "key", getattr(value, "name", value)))


def rules_of(item: Any) -> list[Turns | Share]:
    name = item.nodeid  # it is computed on each access
    return [thin for thin in THIN if name.startswith(thin.path)]


def kinds_of(item: Any) -> dict[str, str]:
    """Return the test's case, derived from its arguments."""
    case = getattr(item, "callspec", None)  # its indices continue in the next store
    return {} if case is None else {name: repr(value) for name, value in case.params.items()}


def without(item: Any, thin: Turns) -> tuple[str, ...]:
    """Return a test's name without its case."""
    others = (f"{name}={kind}" for name, kind in kinds_of(item).items() if name != thin.of)
    return (item.nodeid.partition("::")[0], item.originalname, *sorted(others))


def thin_out(config: Any, items: list[Any]) -> None:
    """Mark the tests that `make test` skips as nightly, unless a test is named; KABOOM_WHOLE keeps
    all cases of each test.
    """
    if is_plain(config):
        leave_out(config, items, *KINDS)
    if wants_all_kinds(config):
        return
    if not os.environ.get("KABOOM_WHOLE"):
        for item, takes in zip(items, taken(items), strict=True):
            if not takes:
                item.add_marker("nightly")
    if "nightly" not in config.option.markexpr:
        leave_out(config, items, "nightly")


def leave_out(config: Any, items: list[Any], *kinds: str) -> None:
    """Deselect the tests that have one of these markers."""
    marked = [any(map(item.get_closest_marker, kinds)) for item in items]
    left = [item for item, is_marked in zip(items, marked, strict=True) if is_marked]
    items[:] = [item for item, is_marked in zip(items, marked, strict=True) if not is_marked]
    if left:
        config.hook.pytest_deselected(items=left)


def told() -> Iterator[str]:
    """Yield a line for everything that `make test` samples."""
    for thin in THIN:
        much = f"one case in {thin.every}" if isinstance(thin, Share) else f"one {thin.of} each"
        yield f"{thin.path}: {much}: {thin.told}"
    for pair in PAIRS:
        yield f"tests over both: one of {' and '.join(pair)}, by turns"
    for file in sorted((ROOT / "tests").rglob("*.py")):
        if file.parent == ROOT / "tests" / "support" and not file.name.startswith("test_"):
            continue
        source = file.read_text(encoding="utf-8")
        if "from tests.support.effort import" not in source:
            continue
        for name, asked in little(ast.parse(source)):
            yield f"{file.relative_to(ROOT)}: {name}: {' '.join(ast.unparse(asked).split())}"


def little(tree: ast.Module) -> Iterator[tuple[str, ast.expr]]:
    """Yield the sampled parts of a file: a name or a test, and how it is sampled."""
    for statement in tree.body:
        name = getattr(statement, "name", None) or ", ".join(targets(statement))
        for node in ast.walk(statement):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("often", "some"):
                yield name, node
            elif isinstance(node, ast.IfExp | ast.If) and named(node.test, "LONG"):
                yield name, node.test


def targets(statement: ast.stmt) -> Iterable[str]:
    return (ast.unparse(it) for it in getattr(statement, "targets", ()))


def named(tree: ast.expr, name: str) -> bool:
    return any(isinstance(node, ast.Name) and node.id == name for node in ast.walk(tree))


if __name__ == "__main__":
    for line in told():
        print(line)
