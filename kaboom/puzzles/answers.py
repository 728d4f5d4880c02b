"""Answers to puzzles: which move a submitted text means, and whether that move is correct."""

from kaboom.engine.engine import find, prompt
from kaboom.engine.i18n import gettext as _
from kaboom.engine.moves import Move, NotOnOffer
from kaboom.learn.answers import same
from kaboom.puzzles.book import Position, Puzzle, Value

NOTHING = "-"  # submitted for making no move


def sent(value: Value) -> str:
    """Return the submitted form of a move."""
    return value.move or NOTHING


def meant(puzzle: Puzzle, position: Position, text: str) -> Value:
    """Return the puzzle's move for a submitted text. Raises Refusal for any other text."""
    if text == NOTHING:
        found = next((it for it in puzzle.values if not it.move), None)
        if found is None:
            raise NotOnOffer(_("You cannot do that now."))
        return found
    move = Move.parse(f"{puzzle.seat} {text}")
    own = prompt(position.game, position.state, puzzle.seat)
    for value in puzzle.values:
        other = puzzle.move(value)
        if other is not None and same(own, move, other):
            return value
    find(position.game, position.state, move)
    raise NotOnOffer(_("That move can be played, but it was not judged. Choose one from the list."))


def is_right(puzzle: Puzzle, text: str) -> bool:
    """Return True if a text in submitted form is one of the puzzle's correct moves."""
    return text in {sent(it) for it in puzzle.values[: puzzle.accepted]}
