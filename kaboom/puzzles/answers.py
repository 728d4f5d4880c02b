"""Answers to puzzles: which move a submitted text means, and whether that move is correct."""

from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import structs

from kaboom.engine.codec import to_json
from kaboom.engine.engine import find, prepared, prompt, step
from kaboom.engine.i18n import gettext as _
from kaboom.engine.moves import Move, NotOnOffer
from kaboom.engine.rng import Rng
from kaboom.engine.views import Offer, Prompt
from kaboom.puzzles.book import Position, Puzzle, Value

NOTHING = "-"  # submitted for making no move


def sent(value: Value) -> str:
    """Return the submitted form of a move."""
    return value.move or NOTHING


def meant(puzzle: Puzzle, position: Position, text: str, made: Sequence[str] = ()) -> Value:
    """Return the puzzle's move for a submitted text, after the moves that prepared it. Raises
    Refusal for any other text.
    """
    if text == NOTHING:
        found = next((it for it in puzzle.values if not it.move), None)
        if found is None:
            raise NotOnOffer(_("You cannot do that now."))
        return found
    move = Move.parse(f"{puzzle.seat} {text}")
    own = prompt(position.game, position.state, puzzle.seat)
    for value in puzzle.values:
        other = puzzle.move(value)
        if other is not None and own.are_same(move, other):
            return value
    state = state_after(puzzle, position, made)
    find(position.game, state, move)
    if made:
        reached = _after(puzzle, position, state, move)
        for value in puzzle.values:
            other = puzzle.move(value)
            if other and _after(puzzle, position, position.state, other) == reached:
                return value
    raise NotOnOffer(
        _("The rules allow that move, but it was not compared with the others. Choose another one.")
    )


def state_after(puzzle: Puzzle, position: Position, made: Sequence[str]) -> Any:
    """Return the state after moves that prepare another one."""
    rng = _rng(puzzle, position)
    return prepared(position.game, position.state, puzzle.seat, made, rng)


def _after(puzzle: Puzzle, position: Position, state: Any, move: Move) -> bytes:
    return to_json(step(position.game, state, move, _rng(puzzle, position)).state)


def _rng(puzzle: Puzzle, position: Position) -> Rng:
    return Rng(puzzle.key, position.number + 1)


def asked(puzzle: Puzzle, position: Position, made: Sequence[str] = ()) -> Prompt:
    """Return what the seat is asked for: its prompt, with only the moves that were compared. After
    preparatory moves, it is the whole prompt, in which the finished move may have another verb.
    """
    own = prompt(position.game, state_after(puzzle, position, made), puzzle.seat)
    return own if made else Prompt(own.seat, tuple(_compared(puzzle, position, own)))


def _compared(puzzle: Puzzle, position: Position, own: Prompt) -> Iterator[Offer]:
    moves = [it for it in puzzle.choices if it is not None]
    verbs = {it.verb for it in moves}
    chosen = {(it.verb, choice) for it in moves for choice in it.choices}
    for offer in own.offers:
        if offer.verb in position.game.pieces:
            yield offer
        elif offer.verb in verbs:
            options, playable = (
                tuple(it for it in some if (offer.verb, it) in chosen)
                for some in (offer.options, offer.playable)
            )
            yield structs.replace(offer, options=options, playable=playable)


def is_right(puzzle: Puzzle, text: str) -> bool:
    """Return True if a text in submitted form is one of the puzzle's correct moves."""
    return text in {sent(it) for it in puzzle.values[: puzzle.accepted]}
