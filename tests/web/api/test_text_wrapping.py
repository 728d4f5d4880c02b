"""Text is wrapped by the columns it occupies."""

from textwrap import wrap

import pytest

from kaboom.web.api.columns import width_of, wrapped


@pytest.mark.parametrize(
    "line",
    ["", " ", "Ann", " Ann", "Ann ", "Ann\tBen", "Ann\nBen", "12. Ann, 0.50", "a" * 39, "a" * 41,
     "four words of text " * 3, "Åse 🂡, 1.00"],
)  # fmt: skip
def test_fitting_text_equals_its_wrapped_form(line):
    assert list(wrapped(line, 40)) == wrap(line, 40, subsequent_indent="  ")


FAMILY = "\U0001f469\u200d\U0001f469\u200d\U0001f467\u200d\U0001f466"


@pytest.mark.parametrize(
    ("text", "columns"),
    [("Ann", 3), ("Zoe\u0308", 3), ("王小明", 6), (FAMILY, 2), ("\u2068علي\u2069", 3)],
    ids=ascii,
)
def test_width_of_text_is_counted_in_columns(text, columns):
    assert width_of(text) == columns


def test_wrapped_wide_letters_stay_within_the_columns():
    lines = wrapped(f"王小明王小明王小明 {FAMILY * 9} wins", 16)
    assert lines == ["王小明王小明王小", f"  明 {FAMILY * 5}", f"  {FAMILY * 4} wins"]
