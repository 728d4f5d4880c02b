"""Lines of text that fit are not looked at twice."""

from textwrap import wrap

import pytest

from kaboom.web.voices.lists import wrapped


@pytest.mark.parametrize(
    "line",
    ["", " ", "Ann", " Ann", "Ann ", "Ann\tBen", "Ann\nBen", "12. Ann, 0.50", "a" * 39, "a" * 41,
     "four words of text " * 3, "Åse 🂡, 1.00"],
)  # fmt: skip
def test_what_fits_is_as_it_would_be_broken(line):
    assert list(wrapped(line, 40)) == wrap(line, 40, subsequent_indent="  ")
