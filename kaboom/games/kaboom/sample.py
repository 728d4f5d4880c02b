"""Test data for the contract tests of Kaboom."""

from typing import Any

from kaboom.engine.toolkit.fixtures import Sample


def opened(before: Any, *after: Any) -> bool:
    """Return True if one of these moves settled collected flips, which makes them public."""
    step = before.steps[-1]
    return type(step).__name__ == "Collecting" and any(
        getattr(state.steps[-1], "number", None) != getattr(step, "number", None) for state in after
    )


SAMPLE = Sample(
    short={"rounds": 1},
    long={"rounds": 20},
    variants=(
        {},
        {"turn_seconds": 30, "peek_seconds": 20, "last_flips": 5, "rounds": 2},
        {"flip_penalty": 2, "lock_declarer": True, "keep_negative": True, "last_flips": 3},
        {"flip_penalty": 0, "jokers": False, "max_players": 6, "give_seconds": 0},
        {"flips": "patient", "flip_seconds": 10, "rounds": 2, "last_flips": 3},
        {"flips": "patient", "flip_seconds": 0},
    ),
    apart={
        "patient flips": {"flips": "patient"},
        "patient flips without a clock": {"flips": "patient", "flip_seconds": 0},
    },
    unseen=("keep_negative",),
    needs={"flip_seconds": {"flips": "patient"}},
    sealed={
        **dict.fromkeys(("ready", "peek", "draw", "look", "swap", "pass", "withdraw", "more"), ""),
        "flip": "Collecting",
    },
    together=frozenset({"ready", "pass"}),
    opened=opened,
    rare={"kaboom": 8, "flip": 6, "keep": 3},
    places=("stock", "grids", "discards", "steps"),
    count=lambda state, seats: {54 if state.options.jokers else 52},
    going_on=r"Look at your bottom row: you see it only now\.",
    wishes=(
        "^I am ready",
        "^Pass|^Do not|^Leave the (?!table)",
        "^Discard",
        "^Draw a card from the stock",
        "^Replace",
        "^Give",
    ),
    done="You (draw|discard|take)",
)
