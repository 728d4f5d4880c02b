"""Values typed into forms and URLs are parsed without surprises."""

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
def test_choice_outside_the_list_becomes_the_default(text, read):
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
def test_number_is_parsed_if_valid_and_short(text, read):
    assert number(text, 7) == read
