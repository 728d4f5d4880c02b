"""What people type into forms and addresses is read without surprises."""

import pytest

from kaboom.engine.bots.bot import Level
from kaboom.web.forms import chosen, number


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("hard", Level.HARD),
        ("Hard", Level.NORMAL),
        ("nonsense", Level.NORMAL),
        ("", Level.NORMAL),
        (None, Level.NORMAL),
    ],
)
def test_a_word_of_a_list_is_chosen_and_anything_else_is_what_holds_otherwise(text, read):
    assert chosen(text, Level.NORMAL) is read


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("0", 0),
        ("042", 42),
        ("-1", 7),
        ("1e3", 7),
        ("\u0661", 7),
        ("1" * 10, 7),
        ("", 7),
        (None, 7),
    ],
)
def test_a_number_is_read_where_it_is_one_and_not_too_long(text, read):
    assert number(text, 7) == read
