"""Test data for the contract tests of TakeN."""

from collections.abc import Collection
from typing import Any

from kaboom.engine.toolkit.fixtures import Glimpse, Sample


def count(state: Any, seats: int) -> Collection[int]:
    """Return the possible numbers of cards in the pack."""
    tight = state.options.deck == "tight"
    return {seats * state.options.hand_size + state.options.rows if tight else 104}


SAMPLE = Sample(
    short={"max_games": 1, "hand_size": 4},
    long={"threshold": 500},
    variants=(
        {"threshold": 20},
        {"threshold": 20, "choose_seconds": 20, "take_seconds": 10, "deck": "tight"},
        {"hand_size": 4, "rows": 2, "row_size": 2, "threshold": 15},
    ),
    unseen=("max_games",),
    needs={"threshold": {"max_games": 0}},
    sealed={"choose": ""},
    together=frozenset({"choose"}),
    places=("hands", "undealt", "rows", "taken", "queue"),
    count=count,
    going_on=r"Row 1: \d+\. Row 2: \d+\.",
    glimpses=(
        Glimpse("choose", "choose_now", after=16),
        Glimpse("take", "taking"),
        Glimpse("match-over", "over"),
    ),
    wishes=("^Take row|^Take .* point", "^I am ready"),
    sends="^Play$",
    done="You have chosen",
)
