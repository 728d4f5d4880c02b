"""Test data for the contract tests of Karata."""

from typing import Any

from kaboom.engine.toolkit.fixtures import Glimpse, Sample
from kaboom.games.karata.presets import RULE_SETS

WAYS = {way.key: way.values for way in RULE_SETS}


def opened(before: Any, *after: Any) -> bool:
    """Return True if a move reveals part of a hand: what it does not hold on last card, or its
    points.
    """
    return any(state.stage == "last_card" or state.counted for state in after)


SAMPLE = Sample(
    short={"deal": 3},
    long={"games": 9},
    variants=(
        {"games": 2},
        {"fine": 1, "games": 2, "turn_seconds": 30},
        {**WAYS["wufwuf"], "deal": 3, "games": 3, "play_drawn": True, "open_question": "next"},
        {"fine": 2, "deal": 3, "strict_finish": True, "joker_ignores_request": True},
        {**WAYS["matatu"], "jokers": True, "games": 2},
    ),
    apart={"jumps stopped, drawn cards laid": {**WAYS["jcardif"], "play_drawn": True}},
    unseen=("wait_cardless",),
    needs={"cut": {"ranks": "uganda"}, "fine_ends_turn": {"fine": 1}},
    sealed={"add": "", "back": "", "draw": ""},
    opened=opened,
    for_good=True,  # rows can be changed directly, and hardly any other move keeps the turn
    places=("hands", "deck", "pile"),
    count=lambda state, seats: {54 if state.options.jokers else 52},
    going_on=r"On the pile: .+\. .*(Ann holds|You hold) \d+ cards?\.",
    glimpses=(
        Glimpse("turn", "turn", after=12),
        Glimpse("request", "turn_request"),
        Glimpse("ask-suit", "asking_suit"),
        Glimpse("match-over", "over"),
    ),
    wishes=(
        "^Play \\d",
        ", fits$",
        "^Ask for|^Spades",
        "^Yes|^Say",
        "^Draw|^Pick",
        "^I am ready",
    ),
    done="You (play|draw|lay|add|pick)",
)
