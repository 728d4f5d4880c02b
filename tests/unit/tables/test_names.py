"""Names are made fit to stand beside others on a page."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kaboom.tables.names import LONGEST, cleaned, looks, told_apart


@pytest.mark.parametrize(
    ("given_name", "kept"),
    [
        ("Ann", "Ann"),
        ("  Ann   Lee ", "Ann Lee"),
        ("Zoe\u0308", "Zoë"),  # composed
        ("A\u202enn", "A nn"),  # no turning of the direction of text
        ("A\u200bnn", "A nn"),  # nothing invisible
        ("A\u3164n\ufe0fn\u2800", "Ann"),  # … even where it calls itself a letter or a sign
        ("A\u0301\u0302\u0303\u0304\u0305nn", "\u00c1\u0302\u0303nn"),  # no piles of accents
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


# The pairs that most checks of names let through, and what else looks alike on a page.
LOOK_ALIKES = [
    ("Marna", "Mama"),  # rn, m
    ("Ilse", "lIse"),  # capital i, small L
    ("Bill", "Bi1l"),
    ("Otto", "0tto"),
    ("Ali", "Al\u0131"),  # dotless i
    ("Ann", "A\u200bnn"),  # a space of no width
    ("Ann", "\u202eAnn"),  # right-to-left override
    ("Ann", "\u0410nn"),  # Cyrillic
    ("Paul", "\u0420\u0430ul"),
    ("Nora", "N\u03bfra"),  # Greek
    ("Ann", "\uff21nn"),  # full-width
    ("Ann", "\U0001d400nn"),  # mathematical bold
    ("Will", "VVill"),
    ("dan", "clan"),
    ("Ann", "A.nn"),
    ("Ann", "ANN"),
    ("Anna", "\u0391nn\u0430"),
    ("Ann", "Ann\u3164"),  # a letter that is drawn as nothing
    ("STRASSE", "Straße"),
]


@pytest.mark.parametrize(("first", "second"), LOOK_ALIKES)
def test_names_that_look_alike_are_told_apart_whoever_comes_first(first, second):
    one, other = cleaned(first), cleaned(second)
    assert told_apart(one, [other]) == f"{one} 2"
    assert told_apart(other, [one]) == f"{other} 2"


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Ann", "Anna"),
        ("Ben", "Bea"),
        ("Al", "Ai"),
        ("Zoë", "Zoe"),
        ("王小明", "王小红"),
        ("Юлия", "Юлиан"),
        ("Wanjikũ", "Wanjiru"),
        ("Ann 2", "Ann 3"),
        ("🂡", "🂮"),
    ],
)
def test_names_that_differ_to_the_eye_are_left_as_they_are(first, second):
    assert told_apart(first, [second]) == first
    assert told_apart(second, [first]) == second


@given(st.lists(st.text(max_size=30), max_size=6))
def test_no_two_at_a_table_look_the_same(names):
    sitting = []
    for name in names:
        if kept := cleaned(name):
            sitting.append(told_apart(kept, sitting))
    for number, name in enumerate(sitting):
        for other in sitting[:number]:
            assert not looks(name) & looks(other)
