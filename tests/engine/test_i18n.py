"""Sentences are rendered in the current language."""

from contextvars import copy_context

import pytest

from kaboom.engine.i18n import ENGLISH, Language, ngettext, speak, spoken_now
from kaboom.engine.i18n import gettext as _
from kaboom.engine.i18n import gettext_noop as N_

LOUD = Language("loud", str.upper, lambda one, many, n: (one if n < 3 else many).upper())


@pytest.mark.parametrize(
    ("said", "english"),
    [
        (lambda: _("That seat is taken."), "That seat is taken."),
        (lambda: _("100 % {as it is}"), "100 % {as it is}"),
        (lambda: _("Row {row} of {rows}", row=1, rows="{row}"), "Row 1 of {row}"),
        (lambda: ngettext("{count} card", "{count} cards", 1), "1 card"),
        (lambda: ngettext("{count} card", "{count} cards", 0), "0 cards"),
        (lambda: N_("Spades"), "Spades"),
    ],
)
def test_english_text_is_its_own_translation(said, english):
    assert said() == english


def test_facts_are_filled_in_after_the_text_is_translated():
    speak(Language("sw", {"Row {row}": "Safu ya {row}"}.__getitem__))
    assert _("Row {row}", row="Ann") == "Safu ya Ann"


def test_each_language_has_its_own_plural_rules():
    speak(LOUD)
    assert ngettext("a", "b", 2) == "A"
    assert ngettext("a", "b", 3) == "B"


def test_fraction_keeps_its_digits_in_languages_with_a_dual():
    """As in Arabic, where "two points" is one word without a number."""
    speak(Language("ar", str, lambda one, many, n: "dual" if n == 2 else many))
    assert ngettext("{count} point", "{count} points", 2) == "dual"
    assert ngettext("{count} point", "{count} points", 9.6) == "9.6 points"


def test_marked_text_is_translated_later():
    text = N_("Spades")
    speak(LOUD)
    assert _(text) == "SPADES"


def test_language_applies_to_its_context_only():
    copy_context().run(speak, LOUD)
    assert spoken_now() is ENGLISH
