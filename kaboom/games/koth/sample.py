"""Test data for the contract tests of King of the Hill."""

from collections.abc import Collection
from typing import Any

from kaboom.engine.toolkit.fixtures import Glimpse, Sample, Values

QUICK: Values = {"deal_interval": 0, "pace": "untimed"}


def count(state: Any, seats: int) -> Collection[int]:
    """Return the possible numbers of cards on the table."""
    if state.stage == "trick":  # five or ten leave with each trick
        return set(range(108, 8, -5))
    if state.stage in ("ready_round", "over"):  # the dead hand is on the table
        return {0, 8}
    return {108}


SAMPLE = Sample(
    short={"end": "rounds", "rounds": 1, **QUICK},
    long={"end": "rounds", "rounds": 50, **QUICK},
    variants=(
        {"end": "rounds", "rounds": 2},
        {"end": "rounds", "rounds": 2, "deal_interval": 0.0, "last_call_seconds": 0},
        {"end": "rounds", "rounds": 1, "pace": "untimed"},
    ),
    unseen=("trump_seconds", "pair_over_pair", "must_defend_ace"),
    needs={"rounds": {"end": "rounds"}},
    sealed={"draft": "", "bury": "", "ready": "", "pass": ""},
    together=frozenset({"ready", "pass"}),
    rare={"declare": 60},
    places=("stock", "hands", "dead_hand", "trick"),
    packs=2,
    count=count,
    going_on=r"Trumps: jokers",
    glimpses=(
        Glimpse("lead", "lead_next", after=20, options=QUICK),
        Glimpse("last-call", "last_call", options=QUICK),
        Glimpse("bury", "dead_hand", options=QUICK),
        Glimpse("call", "call", options=QUICK),
        Glimpse("follow", "follow_single", options=QUICK),
        Glimpse("round-over", "ready_round", after=60, options=QUICK),
    ),
    wishes=(
        "^I am ready",
        "^Make",
        "^Declare",
        "^Pass",
        "^No call|^Call no",
        "^Call",
        "^Play (?!the)",
    ),
    sends="^Bury these|^Lead$|^Play these|^Play$",
    done="You are ready",  # dealing takes half a minute at a table opened with one press
)
