"""Names are cleaned, so that they can be shown beside others."""

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from kaboom.accounts.names import LONGEST, canonical, cleaned, told_apart, units
from kaboom.engine.graphemes import characters


@pytest.mark.parametrize(
    ("given_name", "kept"),
    [
        ("Ann", "Ann"),
        ("  Ann   Lee ", "Ann Lee"),
        ("Zoe\u0308", "Zoë"),  # composed
        ("A\u202enn", "A nn"),  # no reversal of the text direction
        ("A\u200bnn", "A nn"),  # no invisible characters
        ("A\u3164n\ufe0fn\u2800", "Ann"),  # … even those classified as letters or signs
        ("A\u0301\u0302\u0303\u0304\u0305nn", "\u00c1\u0302\u0303nn"),  # no stacks of accents
        ("A\x00\x1b[31mnn", "A [31mnn"),
        ("王小明", "王小明"),
        ("Wanjikũ", "Wanjikũ"),
        ("x" * 99, "x" * LONGEST),
        ("\u202e", ""),
        ("\u200dAnn\u200d", "Ann"),  # a joiner without neighbours
        ("A\u200dn\u200cn", "Ann"),
        ("x\U000e0068\U000e0069y", "xy"),  # text written in tag characters
        ("\U0001f3f4\U000e0068\U000e0069", "\U0001f3f4"),
        ("\U0001f469\u200d", "\U0001f469"),
        ("A\ufe0f", "A"),
        ("ก" + "\u0e47" * 30, "ก\u0e47"),  # no stacks of one mark
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
def test_character_of_several_code_points_stays_whole(name):
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
    assert cleaned("نمی\u200cخواهم", 3) == "نمی"  # the joiner is removed with its letter


@pytest.mark.parametrize("hidden", ["\u200d", "\ufe0f", "\u200c", "\U000e0100"], ids=ascii)
def test_names_differing_in_invisible_characters_look_alike(hidden):
    for name in WHOLE:
        assert canonical(name) == canonical(name.replace(hidden, ""))


JOINING = st.sampled_from(
    [
        *"\u200c\u200d\ufe0f\u20e3\u0301\u094d\u0e47\u202e\U0001f3fd\U0001f469",
        *"\U0001f3f4 1a\u0645\u0915\U000e0067\U000e007f\U0001f1f0",
    ]
)


@given(st.text(max_size=80) | st.text(JOINING, max_size=80))
def test_cleaned_name_has_no_control_or_format_characters(name):
    kept = cleaned(name)
    assert len(characters(kept)) <= LONGEST
    assert not regex.search(r"[\p{C}--[\u200c\u200d\U000e0020-\U000e007f]]", kept, regex.V1)
    assert cleaned(kept) == kept


def test_identical_names_are_distinguished():
    assert told_apart("Ann", []) == "Ann"
    assert told_apart("Ann", ["ANN"]) == "Ann 2"
    assert told_apart("Ａnn", ["Ann", "Ann 2"]) == "Ａnn 3"  # full-width letters read the same


# Pairs that most checks of names miss, and other pairs that look alike on a page.
LOOK_ALIKES = [
    ("Marna", "Mama"),  # rn, m
    ("Ilse", "lIse"),  # capital i, small L
    ("Bill", "Bi1l"),
    ("Otto", "0tto"),
    ("Ali", "Al\u0131"),  # dotless i
    ("Ann", "A\u200bnn"),  # zero-width space
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
    ("Ann", "Ann\u3164"),  # an invisible letter
    ("STRASSE", "Straße"),
]


@pytest.mark.parametrize(("first", "second"), LOOK_ALIKES)
def test_similar_names_are_distinguished_in_any_order(first, second):
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
def test_visibly_different_names_are_unchanged(first, second):
    assert told_apart(first, [second]) == first
    assert told_apart(second, [first]) == second


@given(st.lists(st.text(max_size=30), max_size=6))
def test_names_at_a_table_all_look_different(names):
    sitting = []
    for name in names:
        if kept := cleaned(name):
            sitting.append(told_apart(kept, sitting))
    for number, name in enumerate(sitting):
        for other in sitting[:number]:
            assert not canonical(name) & canonical(other)
