"""The cases of parametrized tests that `make test` runs, and their order."""

import re
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace

import pytest
from _pytest.mark.expression import Expression

from tests.support import markers, sampling
from tests.support.file_order import UNTIL, in_order
from tests.support.sampling import ROOT, THIN, Share, Turns, taken, thin_out, told


def item(file, test, **case):
    """Return a test like those that pytest collects."""
    kinds = "-".join(f"{name}{number}" for name, number in case.items())
    return SimpleNamespace(
        nodeid=f"{file}::{test}[{kinds}]" if case else f"{file}::{test}",
        originalname=test,
        callspec=SimpleNamespace(params=case),
    )


def both(file, *tests, **more):
    return [item(file, test, store=store, **more) for test in tests for store in (0, 1)]


@pytest.fixture
def thin(monkeypatch):
    """A function that replaces the sampling table."""
    return lambda *rules: monkeypatch.setattr(sampling, "THIN", rules)


def test_each_test_runs_with_one_value_in_turn(thin):
    thin(Turns("tables/", "store", "on one of two"))
    items = both("tables/a.py", "one", "two", "three")
    assert taken(items) == [True, False, False, True, True, False]


def test_sampling_of_a_file_is_independent_of_the_others(thin):
    thin(Turns("tables/", "store", "on one of two"))
    alone = taken(both("tables/b.py", "one", "two"))
    assert taken(both("tables/a.py", "new") + both("tables/b.py", "one", "two"))[2:] == alone


def test_cases_are_sampled_by_test_and_single_cases_run(thin):
    thin(Turns("tables/", "store", "on one of two"))
    items = both("tables/a.py", "one", game=0) + both("tables/a.py", "one", game=1)
    assert taken(items) == [True, False, False, True]
    alone = [item("tables/a.py", "two", store=1), item("tables/a.py", "three")]
    assert taken(alone) == [True, True]


def test_paths_outside_the_table_run_in_full(thin):
    thin(Turns("tables/", "store", "on one of two"))
    assert taken(both("store/a.py", "one")) == [True, True]


def test_one_in_three_cases_runs_from_the_first(thin):
    thin(Share("a.py::one", 3, "a third", first=1))
    items = [item("a.py", "one", case=number) for number in range(7)]
    assert [n for n, takes in enumerate(taken(items)) if takes] == [1, 4]


def test_one_of_the_example_games_runs_in_turn(thin):
    thin()
    games = ("gops", "hearts", "oh_hell")
    items = [item("tests/a.py", test, game=game) for test in ("one", "two") for game in games]
    assert taken(items) == [True, False, True, True, True, False]
    alone = [
        item("tests/a.py", "one", game="hearts"),
        item("kaboom/testing/test_a.py", "one", key="gops"),
    ]
    assert taken(alone) == [True, True]


def test_one_of_two_paired_contract_cases_runs_in_turn(thin):
    thin()
    trials = [SimpleNamespace(name=name) for pair in sampling.PAIRS for name in pair]
    items = [item("kaboom/testing/test_a.py", test, trial=it) for test in "ab" for it in trials]
    assert taken(items) == [False, True, False, True, True, False, True, False]


class Item(SimpleNamespace):
    """A test that accepts markers."""

    def add_marker(self, name):
        self.marked.add(name)

    def get_closest_marker(self, name):
        return name if name in self.marked else None


def left(*args, markexpr="", marked=()):
    """Return how many of six tests stay if `make test` takes a third."""
    deselected = []
    items = [
        Item(**vars(item("a.py", "one", case=number)), marked=set(marked)) for number in range(6)
    ]
    thin_out(
        SimpleNamespace(
            args=args,
            option=SimpleNamespace(markexpr=markexpr),
            hook=SimpleNamespace(pytest_deselected=lambda items: deselected.extend(items)),
        ),
        items,
    )
    assert len(items) + len(deselected) == 6
    asked = Expression.compile(markexpr or "not nothing")
    return sum(asked.evaluate(it.marked.__contains__) for it in items)


@pytest.fixture
def a_third(thin, monkeypatch):
    thin(Share("a.py::one", 3, "a third"))
    monkeypatch.setattr(markers, "LONG", False)


def test_thinning_out_in_make_test_keeps_a_share(a_third):
    assert left("tests") == left("tests", markexpr="not nightly") == 2


def test_thinning_out_keeps_all_if_a_test_is_named(a_third):
    assert left("a.py::one") == left("a.py::one", marked=["nightly", "e2e"]) == 6


def test_thinning_out_for_mutation_keeps_all_kinds(a_third, monkeypatch):
    monkeypatch.setenv("KABOOM_WHOLE", "1")  # tests.mutation
    assert left("tests") == 6
    assert left("tests", marked=["nightly"]) == 0


def test_thinning_out_in_long_runs_keeps_all(a_third, monkeypatch):
    monkeypatch.setattr(markers, "LONG", True)
    assert left("tests", marked=["nightly"]) == 6


def test_thinning_out_for_nightly_keeps_the_rest(a_third):
    assert left("tests", markexpr="nightly") == 4


@pytest.mark.parametrize("kind", markers.KINDS)
def test_thinning_out_to_plain_tests_drops_other_kinds(a_third, kind):
    assert left("tests", markexpr=markers.PLAIN, marked=[kind]) == 0
    assert left("tests", markexpr=markers.PLAIN) == 2


def test_kinds_are_derived_from_folder_fixture_and_store():
    asked = item("tests/tables/test_a.py", "one", store_url="postgresql")
    assert markers.kinds_of(asked) == {"postgres"}
    asked = SimpleNamespace(nodeid="tests/browser/test_a.py::one", fixturenames=["redis"])
    assert markers.kinds_of(asked) == {"e2e", "redis"}
    assert markers.kinds_of(SimpleNamespace(nodeid="tests/engine/test_a.py::one")) == set()


def test_slow_and_server_tests_exist():
    assert [
        it for it in (*markers.END_TO_END, *markers.SLOW) if not (sampling.ROOT / it).exists()
    ] == []


def test_plain_tests_are_chosen_only_if_nothing_is_named():
    def chosen(source, markexpr=""):
        config = SimpleNamespace(args_source=source, option=SimpleNamespace(markexpr=markexpr))
        markers.choose_plain(config)
        return config.option.markexpr

    source = pytest.Config.ArgsSource
    assert chosen(source.TESTPATHS) == markers.PLAIN
    assert chosen(source.TESTPATHS, "not nightly") == "not nightly"
    assert chosen(source.ARGS) == ""


def test_files_without_plain_tests_are_not_read():
    never = [it for it in (*markers.END_TO_END, *markers.SLOW) if markers.is_never_plain(Path(it))]
    assert never == [*markers.END_TO_END, *markers.SLOW]
    for other in ("tests", "tests/web", "tests/web/test_app.py", "tests/pages", "kaboom"):
        assert not markers.is_never_plain(Path(other))


@pytest.mark.parametrize("thin", THIN, ids=lambda it: it.path)
def test_each_rule_names_something_that_exists(thin):
    path, _, name = thin.path.partition("::")
    place = ROOT / path
    files = [place] if place.is_file() else [*place.rglob("*.py")]
    texts = [file.read_text(encoding="utf-8") for file in files]
    assert texts and any(f"def {name}" in text for text in texts)
    if isinstance(thin, Turns):
        named = re.compile(rf"\b{thin.of}\b")
        fixtures = [file.read_text(encoding="utf-8") for file in ROOT.glob("tests/**/conftest.py")]
        assert any(named.search(text) for text in (*texts, *fixtures))


@pytest.mark.slow
def test_header_lists_everything_sampled():
    said = list(told())
    assert all(any(line.startswith(thin.path) for line in said) for thin in sampling.THIN)
    for known in (
        "tests/secrecy/proof.py: OFTEN: often(1, soak=100)",
        "tests/browser/test_access.py: looks_at: LONG",
        "tests/stateful/test_every_game.py: EXAMPLES: often(",
    ):
        assert any(line.startswith(known) for line in said), known


def test_waiting_and_computing_files_are_interleaved():
    waits = [f"tests/text_browsers/test_{n}.py" for n in range(4)]
    works = [f"tests/engine/test_{n}.py" for n in range(8)]
    order = in_order(sorted(works + waits))
    assert sorted(order) == sorted(works + waits)
    places = [order.index(file) for file in waits]
    assert places[0] == 0
    assert all(2 <= then - here <= 4 for here, then in pairwise(places))
    assert order[-1] in works
    assert UNTIL[""] == 1


def test_slowest_test_of_its_kind_begins_first():
    files = ["tests/browser/test_a.py", "tests/browser/test_access.py"]
    assert in_order(files)[0] == "tests/browser/test_access.py"
