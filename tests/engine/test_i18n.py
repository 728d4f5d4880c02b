"""A sentence is said in the language that is spoken here and now."""

from contextvars import copy_context

import pytest

from kaboom.engine.i18n import ENGLISH, Language, mark, say, say_counted, speak, spoken_now

LOUD = Language("loud", str.upper, lambda one, many, n: (one if n < 3 else many).upper())


@pytest.fixture(autouse=True)
def english_afterwards():
    yield
    speak(ENGLISH)


@pytest.mark.parametrize(
    ("said", "english"),
    [
        (lambda: say("That chair is taken."), "That chair is taken."),
        (lambda: say("100 % {as it is}"), "100 % {as it is}"),
        (lambda: say("Row {row} of {rows}", row=1, rows="{row}"), "Row 1 of {row}"),
        (lambda: say_counted("{count} card", "{count} cards", 1), "1 card"),
        (lambda: say_counted("{count} card", "{count} cards", 0), "0 cards"),
        (lambda: mark("Spades"), "Spades"),
    ],
)
def test_in_english_a_text_is_said_as_it_is_written(said, english):
    assert said() == english


def test_facts_are_filled_in_after_the_text_was_translated():
    speak(Language("sw", {"Row {row}": "Safu ya {row}"}.__getitem__))
    assert say("Row {row}", row="Ann") == "Safu ya Ann"


def test_each_language_counts_in_its_own_way():
    speak(LOUD)
    assert say_counted("a", "b", 2) == "A"
    assert say_counted("a", "b", 3) == "B"


def test_what_is_marked_is_said_later():
    text = mark("Spades")
    speak(LOUD)
    assert say(text) == "SPADES"


def test_a_language_is_spoken_in_one_context_only():
    copy_context().run(speak, LOUD)
    assert spoken_now() is ENGLISH
