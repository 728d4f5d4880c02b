"""The mypy plugin refuses sums and powers of floats that differ between Pythons."""

import pytest
from mypy import api

from tests.support.mypy_floats import POWER, SUM
from tests.test_architecture import ROOT

REFUSED = {
    "sum(floats)": SUM,
    "sum(floats, 0.5)": SUM,
    "sum(named.values())": SUM,
    "sum(one * 0.5 for one in whole)": SUM,
    "sum([max(0.0, 1 - one) for one in floats])": SUM,
    "floats[0] ** 2": POWER,
    "0.5 ** whole[0]": POWER,
    "whole[0] ** floats[0]": POWER,
}
TAKEN = (
    "fsum(floats)",
    "sum(whole)",
    "sum(one > 0.5 for one in floats)",
    "sum(whole) / len(whole)",
    "2 ** whole[0]",
)
HEAD = """from math import fsum

def f(floats: list[float], whole: list[int], named: dict[str, float]) -> object:
"""


@pytest.fixture(scope="module")
def said(tmp_path_factory):
    """mypy's messages by line number."""
    file = tmp_path_factory.mktemp("mypy") / "lines.py"
    lines = [*REFUSED, *TAKEN]
    file.write_text(HEAD + "".join(f"    {line}\n" for line in lines) + "    return None\n")
    settings = ("--config-file", str(ROOT / "pyproject.toml"))
    told, wrong, _ = api.run([*settings, "--no-incremental", "--no-error-summary", str(file)])
    assert not wrong
    found: dict[str, str] = {}
    for line in told.splitlines():
        number = int(line.removeprefix(f"{file}:").partition(":")[0])
        code = lines[number - HEAD.count("\n") - 1]
        found[code] = found.get(code, "") + line
    return found


@pytest.mark.slow
@pytest.mark.parametrize("code", REFUSED)
def test_floats_that_differ_elsewhere_are_refused(said, code):
    assert REFUSED[code] in said[code]


@pytest.mark.slow
@pytest.mark.parametrize("code", TAKEN)
def test_integers_and_exact_sums_are_accepted(said, code):
    assert code not in said
