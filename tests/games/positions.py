"""Helpers for positions of games in tests of their rules."""

from kaboom.engine.engine import step
from kaboom.engine.moves import Move
from kaboom.engine.rng import Rng


def seed(number):
    return number.to_bytes(32, "big")


def after(game, state, *moves):
    """Return the state after these moves, each a text."""
    for number, text in enumerate(moves, start=1):
        state = step(game, state, Move.parse(text), Rng(seed(0), number)).state
    return state
