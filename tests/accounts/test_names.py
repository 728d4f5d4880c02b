"""Names are made fit to stand beside others on a page."""

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from kaboom.accounts.names import LONGEST, cleaned, looks, told_apart, units
from kaboom.engine.graphemes import characters


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
        ("\u200dAnn\u200d", "Ann"),  # a joiner with nothing to join
        ("A\u200dn\u200cn", "Ann"),
        ("x\U000e0068\U000e0069y", "xy"),  # text written in tags
        ("\U0001f3f4\U000e0068\U000e0069", "\U0001f3f4"),
        ("\U0001f469\u200d", "\U0001f469"),
        ("A\ufe0f", "A"),
        ("ก" + "\u0e47" * 30, "ก\u0e47"),  # no towers of one mark
        ("ก" + "\u0e47\u0e48" * 15, "ก" + "\u0e47\u0e48" * 3),
    ],
)
def test_a_name_is_cleaned(given_name, kept):
    assert cleaned(given_name) == kept


FAMILY = "\U0001f469\u200d\U0001f469\u200d\U0001f467\u200d\U0001f466"
WHOLE = [
    f"{FAMILY} Zoë",
    "\U0001f1f0\U0001f1ea Ann",  # a flag
    "\U0001f3f4\U000e0067\U000e0062\U000e0077\U000e006c\U000e0073\U000e007f Dai",  # of Wales
    "\U0001f469\U0001f3fd\u200d\u2764\ufe0f\u200d\U0001f48b\u200d\U0001f468\U0001f3ff",
    "\U0001f3f3\ufe0f\u200d\U0001f308",
    "1\ufe0f\u20e3 \u2764\ufe0f",
    "\U0001fa77",  # of Unicode 15, which Python 3.11 does not know
    "ශ්\u200dරී",  # Sinhala, Persian and Malayalam are not written without joiners
    "نمی\u200cخواهم",
    "അവന്\u200d",
    "葛\U000e0100城",  # one of two ways to write it
    "ကျွန်ုပ်",
]


@pytest.mark.parametrize("name", WHOLE, ids=ascii)
def test_a_character_of_several_code_points_is_kept(name):
    assert cleaned(name) == name
    assert cleaned(f"\u2067{name}\u2069") == name


def test_a_name_is_counted_in_characters():
    flag = "\U0001f1f0\U0001f1ea"
    assert cleaned(flag * 30) == flag * LONGEST
    assert len(flag * LONGEST) > LONGEST


def test_a_name_is_cut_between_two_characters():
    kept = cleaned(FAMILY * 24)
    assert kept == FAMILY * 10  # 70 of 72 code points
    assert len(kept.encode("utf-16-le")) // 2 <= units()
    assert cleaned("نمی\u200cخواهم", 3) == "نمی"  # the joiner goes with what it kept apart


@pytest.mark.parametrize("hidden", ["\u200d", "\ufe0f", "\u200c", "\U000e0100"], ids=ascii)
def test_names_apart_by_what_is_unseen_look_alike(hidden):
    for name in WHOLE:
        assert looks(name) == looks(name.replace(hidden, ""))


JOINING = st.sampled_from(
    [
        *"\u200c\u200d\ufe0f\u20e3\u0301\u094d\u0e47\u202e\U0001f3fd\U0001f469",
        *"\U0001f3f4 1a\u0645\u0915\U000e0067\U000e007f\U0001f1f0",
    ]
)


@given(st.text(max_size=80) | st.text(JOINING, max_size=80))
def test_a_cleaned_name_has_no_control_or_formatting_characters(name):
    kept = cleaned(name)
    assert len(characters(kept)) <= LONGEST
    assert not regex.search(r"[\p{C}--[\u200c\u200d\U000e0020-\U000e007f]]", kept, regex.V1)
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
