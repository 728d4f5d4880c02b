"""What the gate takes of tests that are there in many kinds, and in which order."""

from itertools import pairwise
from types import SimpleNamespace

import pytest

from tests import gate
from tests.gate import Share, Turns, taken, thin_out, told
from tests.order import UNTIL, in_order


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


def test_the_soak_and_whoever_names_a_test_get_all_of_them(thin, monkeypatch):
    thin(Share("a.py::one", 3, "a third"))
    deselected = []
    hook = SimpleNamespace(pytest_deselected=lambda items: deselected.extend(items))

    def left(*args):
        items = [item("a.py", "one", case=number) for number in range(6)]
        thin_out(SimpleNamespace(args=args, hook=hook), items)
        return len(items)

    monkeypatch.setattr(gate, "LONG", False)
    assert left("tests") == 2
    assert len(deselected) == 4
    assert left("a.py::one") == 6
    monkeypatch.setenv("KABOOM_WHOLE", "1")  # tests.mutation asks all of them
    assert left("tests") == 6
    monkeypatch.delenv("KABOOM_WHOLE")
    monkeypatch.setattr(gate, "LONG", True)
    assert left("tests") == 6


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
