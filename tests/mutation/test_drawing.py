"""Drawing mutations at random from all possible ones."""

from tests.mutation.__main__ import Test as Traced
from tests.mutation.__main__ import drawn, near
from tests.mutation.changes import mutants_of, unchanged

HERE = "kaboom/tables/here.py"
FILES = {"kaboom/web/far.py": "return x + 1", HERE: "return x - 1"}
CHANGES = [
    mutant
    for file, line in FILES.items()
    for mutant in mutants_of(file, "\n".join(f"def f{at}(x):\n    {line}" for at in range(20)))
]


def test_a_sample_of_one_file_has_the_requested_size():
    few = drawn(CHANGES, seed=1, count=30, only=[HERE])
    assert len(few) == 30
    assert {mutant.file for mutant in few} == {HERE}


def test_mutation_sample_depends_on_its_seed_only():
    fewer = [mutant for mutant in CHANGES if mutant.file == HERE]
    assert drawn(CHANGES, seed=1, count=9, only=[HERE]) == drawn(fewer, seed=1, count=9)
    assert drawn(CHANGES, seed=1, count=9) == drawn(CHANGES[::-1], seed=1, count=9)
    assert drawn(CHANGES, seed=1, count=9) != drawn(CHANGES, seed=2, count=9)


def test_mutant_changed_only_in_form_is_equivalent_code():
    """It is run like a changed function, not like the original code."""
    source = "def double(number, least=0):\n    return max(number * 2, least)\n"
    found = [unchanged(it) for it in mutants_of("some.py", source)]
    same = [it for it in found if it is not None]
    assert len(same) >= 3
    assert len(same) < len(found)  # a whole statement cannot be put in parentheses
    for it in same:
        text = source[: it.start] + it.after + source[it.end :]
        kept = {}
        exec(text, kept)
        assert kept["double"](3) == 6
        assert compile(text, "some.py", "exec") != compile(source, "some.py", "exec")


def test_module_level_code_is_also_covered_by_other_tests():
    """For example the options of a game, which are listed next to their test."""
    change = next(
        mutants_of("kaboom/games/go/options.py", "class Options:\n    size: int = f(9)\n")
    )
    enters = frozenset({("kaboom/games/go/rules.py", "setup")})
    plays = Traced("tests/games/test_go.py::test_it_is_played", 1.0, enters)
    reads = Traced("tests/games/test_options.py::test_they_are_those", 0.1, frozenset())
    other = Traced("tests/engine/test_moves.py::test_a_text", 0.1, frozenset())
    assert set(near(change, [other, reads, plays])) == {plays, reads}
