"""What the gate takes of tests that are there in many kinds, and in which order."""

from itertools import pairwise
from types import SimpleNamespace

import pytest
from _pytest.mark.expression import Expression

from tests.support import markers as kinds
from tests.support import sampling as gate
from tests.support.file_order import UNTIL, in_order
from tests.support.sampling import Share, Turns, taken, thin_out, told


def item(file, test, **case):
    """Return a test as pytest collects it."""
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
    """A function that puts a table in the place of the gate's."""
    return lambda *rules: monkeypatch.setattr(gate, "THIN", rules)


def test_each_test_runs_in_one_kind_by_turns(thin):
    thin(Turns("tables/", "store", "on one of two"))
    items = both("tables/a.py", "one", "two", "three")
    assert taken(items) == [True, False, False, True, True, False]


def test_what_one_file_has_changes_nothing_in_another(thin):
    thin(Turns("tables/", "store", "on one of two"))
    alone = taken(both("tables/b.py", "one", "two"))
    assert taken(both("tables/a.py", "new") + both("tables/b.py", "one", "two"))[2:] == alone


def test_other_arguments_make_other_tests_and_what_has_one_kind_runs(thin):
    thin(Turns("tables/", "store", "on one of two"))
    items = both("tables/a.py", "one", game=0) + both("tables/a.py", "one", game=1)
    assert taken(items) == [True, False, False, True]
    alone = [item("tables/a.py", "two", store=1), item("tables/a.py", "three")]
    assert taken(alone) == [True, True]


def test_elsewhere_all_kinds_run(thin):
    thin(Turns("tables/", "store", "on one of two"))
    assert taken(both("store/a.py", "one")) == [True, True]


def test_of_many_cases_one_in_so_many_runs(thin):
    thin(Share("a.py::one", 3, "a third", first=1))
    items = [item("a.py", "one", case=number) for number in range(7)]
    assert [n for n, takes in enumerate(taken(items)) if takes] == [1, 4]


def test_taken_of_example_games_one_by_turns(thin):
    thin()
    games = ("gops", "hearts", "oh_hell")
    items = [item("tests/a.py", test, game=game) for test in ("one", "two") for game in games]
    assert taken(items) == [True, False, True, True, True, False]
    alone = [item("tests/a.py", "one", game="hearts"), item("kaboom/testing.py", "one", key="gops")]
    assert taken(alone) == [True, True]


class Item(SimpleNamespace):
    """A test that takes markers."""

    def add_marker(self, name):
        self.marked.add(name)

    def get_closest_marker(self, name):
        return name if name in self.marked else None


def left(*args, markexpr="", marked=()):
    """Return how many of six tests stay, of which the gate takes a third."""
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
    monkeypatch.setattr(kinds, "LONG", False)


def test_thin_out_at_the_gate_takes_some(a_third):
    assert left("tests") == left("tests", markexpr="not nightly") == 2


def test_thin_out_with_a_test_named_takes_all(a_third):
    assert left("a.py::one") == left("a.py::one", marked=["nightly", "e2e"]) == 6


def test_thin_out_for_mutation_takes_all_kinds(a_third, monkeypatch):
    monkeypatch.setenv("KABOOM_WHOLE", "1")  # tests.mutation
    assert left("tests") == 6
    assert left("tests", marked=["nightly"]) == 0


def test_thin_out_of_long_runs_takes_all(a_third, monkeypatch):
    monkeypatch.setattr(kinds, "LONG", True)
    assert left("tests", marked=["nightly"]) == 6


def test_thin_out_for_nightly_takes_the_rest(a_third):
    assert left("tests", markexpr="nightly") == 4


@pytest.mark.parametrize("kind", kinds.KINDS)
def test_thin_out_of_plain_tests_leaves_out_a_kind(a_third, kind):
    assert left("tests", markexpr=kinds.PLAIN, marked=[kind]) == 0
    assert left("tests", markexpr=kinds.PLAIN) == 2


def test_kinds_follow_from_folder_fixture_and_store():
    asked = item("tests/tables/test_a.py", "one", store_url="postgresql")
    assert kinds.kinds_of(asked) == {"postgres"}
    asked = SimpleNamespace(nodeid="tests/browser/test_a.py::one", fixturenames=["redis"])
    assert kinds.kinds_of(asked) == {"e2e", "redis"}
    assert kinds.kinds_of(SimpleNamespace(nodeid="tests/engine/test_a.py::one")) == set()


def test_what_needs_time_or_a_server_is_there():
    assert [it for it in (*kinds.END_TO_END, *kinds.SLOW) if not (gate.ROOT / it).exists()] == []


def test_choose_plain_only_where_nothing_is_named():
    def chosen(source, markexpr=""):
        config = SimpleNamespace(args_source=source, option=SimpleNamespace(markexpr=markexpr))
        kinds.choose_plain(config)
        return config.option.markexpr

    source = pytest.Config.ArgsSource
    assert chosen(source.TESTPATHS) == kinds.PLAIN
    assert chosen(source.TESTPATHS, "not nightly") == "not nightly"
    assert chosen(source.ARGS) == ""


def test_it_says_all_that_it_takes_a_little_of():
    said = list(told())
    assert all(any(line.startswith(thin.path) for line in said) for thin in gate.THIN)
    for known in (
        "tests/secrecy/proof.py: OFTEN: often(1, soak=100)",
        "tests/browser/test_access.py: looks_at: LONG",
        "tests/stateful/test_every_game.py: EXAMPLES: often(",
    ):
        assert any(line.startswith(known) for line in said), known


def test_files_that_wait_and_files_that_work_begin_side_by_side():
    waits = [f"tests/text_browsers/test_{n}.py" for n in range(4)]
    works = [f"tests/engine/test_{n}.py" for n in range(8)]
    order = in_order(sorted(works + waits))
    assert sorted(order) == sorted(works + waits)
    places = [order.index(file) for file in waits]
    assert places[0] == 0
    assert all(2 <= then - here <= 4 for here, then in pairwise(places))
    assert order[-1] in works
    assert UNTIL[""] == 1


def test_what_takes_longest_of_its_kind_begins_first():
    files = ["tests/browser/test_a.py", "tests/browser/test_access.py"]
    assert in_order(files)[0] == "tests/browser/test_access.py"
