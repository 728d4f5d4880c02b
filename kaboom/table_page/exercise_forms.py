"""The forms of the tables in lessons, in puzzles and in the coach's questions. Nothing is stored:
the URL has the moves that prepare another one, such as adding a card to a row.
"""

from flask import request

from kaboom.engine.i18n import gettext as _
from kaboom.engine.menu import as_called, chosen
from kaboom.engine.moves import NotOnOffer
from kaboom.engine.table_view import TablePage, options_in_words
from kaboom.engine.views import Prompt

SEPARATOR = "~"  # separates a position's number and the preparatory moves in a form's `v`
LONGEST = 400  # characters of a move
MOST_MADE = 40  # preparatory moves


def revision_of(number: int, made: tuple[str, ...]) -> str:
    """Return the value that is sent back with each form: the position and the preparatory moves."""
    return SEPARATOR.join([str(number), *made])


def made_in_form() -> tuple[str, ...]:
    """Return the preparatory moves that were sent back with a form."""
    _unused, *made = request.form.get("v", "").split(SEPARATOR)
    return tuple(made)[:MOST_MADE]


def made_in_query() -> tuple[str, ...]:
    """Return the preparatory moves in a URL."""
    return tuple(request.args.getlist("made"))[:MOST_MADE]


def sent_value() -> str:
    """Return what a form sent: a token with the verb and choices of a move, or a program's text."""
    form = request.form
    value = form.get("move", "") or " ".join([form.get("offer", ""), *form.getlist("pick")])
    return value[:LONGEST]


def sent_move(table: TablePage, own: Prompt) -> str:
    """Return the submitted move, its verb and choices; raises Refusal. `own` has the offers that a
    program may answer in words.
    """
    form, value = request.form, sent_value()
    if "answers" in form:
        words, names = table.game.words, table.names
        text = as_called(table.offered, value, lambda offer: options_in_words(offer, words, names))
        offer, choices = chosen(table.match, table.offered, form["answers"], text)
        return " ".join((offer.verb, *choices))
    first, _unused, text = value.partition(" ")
    if "match" not in form and own.offer(first) is not None:
        return value  # a program's move: "bid KS"
    if not text.strip():
        raise NotOnOffer(_("That is not a move."))
    return text
