"""Test names stay short enough to read in a report: `test_<unit>_<condition>_<result>`."""

import re

from kaboom.config import CHECKOUT

FOLDERS, LONGEST, ALLOWED = ("tests", "examples", "kaboom"), 60, 1 / 50
DEFINED = re.compile(r"^ *def (test_\w+)", re.MULTILINE)  # without parsing: a hook runs it


def named(source):
    """Return the names of the test functions in a Python source."""
    return DEFINED.findall(source)


def too_long(names):
    """Return the names that are too long, if there are more than are allowed."""
    long = [name for name in names if len(name) > LONGEST]
    return long if len(long) > len(names) * ALLOWED else []


def test_names_longer_than_60_characters_are_rare():
    paths = [path for folder in FOLDERS for path in (CHECKOUT / folder).glob("**/*.py")]
    names = [name for path in paths for name in named(path.read_text(encoding="utf-8"))]
    assert len(names) > 1000
    assert too_long(names) == []


def test_names_are_reported_if_over_2_percent_are_too_long():
    long = "test_" + "a" * LONGEST
    assert named(f"def {long}(): ...\ndef other(): ...") == [long]
    assert too_long([long] + ["test_a"] * 49) == []
    assert too_long([long] + ["test_a"] * 48) == [long]
