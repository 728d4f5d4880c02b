"""Names are made fit to stand beside others on a page."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kaboom.tables.names import LONGEST, cleaned, told_apart


@pytest.mark.parametrize(
    ("given_name", "kept"),
    [
        ("Ann", "Ann"),
        ("  Ann   Lee ", "Ann Lee"),
        ("Zoe\u0308", "Zoë"),  # composed
        ("A\u202enn", "A nn"),  # no turning of the direction of text
        ("A\u200bnn", "A nn"),  # nothing invisible
        ("A\x00\x1b[31mnn", "A [31mnn"),
        ("王小明", "王小明"),
        ("Wanjikũ", "Wanjikũ"),
        ("x" * 99, "x" * LONGEST),
        ("\u202e", ""),
    ],
)
def test_a_name_is_cleaned(given_name, kept):
    assert cleaned(given_name) == kept


@given(st.text(max_size=80))
def test_a_cleaned_name_has_no_control_or_formatting_characters(name):
    kept = cleaned(name)
    assert len(kept) <= LONGEST
    assert not {unicodedata.category(c)[0] for c in kept} & {"C"}
    assert cleaned(kept) == kept


def test_equal_names_are_told_apart():
    assert told_apart("Ann", []) == "Ann"
    assert told_apart("Ann", ["ANN"]) == "Ann 2"
    assert told_apart("Ａnn", ["Ann", "Ann 2"]) == "Ａnn 3"  # full-width, reads the same
