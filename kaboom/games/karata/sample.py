"""What the tests of Karata must be told."""

from typing import Any

from kaboom.core.sample import Glimpse, Sample


def opened(before: Any, *after: Any) -> bool:
    """Say whether somebody is asked whether this is a last card: that says what is not held."""
    return any(state.stage == "last_card" for state in after)


SAMPLE = Sample(
    short={"deal": 3},
    long={"games": 9},
    variants=(
        {"games": 2},
        {"fine": 1, "games": 2, "turn_seconds": 30},
        {"fine": 2, "deal": 3, "strict_finish": True, "joker_ignores_request": True},
        {"deal": 3, "games": 3},
    ),
    sealed={"add": "", "back": "", "draw": ""},
    opened=opened,
    places=("hands", "deck", "pile"),
    count=lambda state, seats: {54},
    going_on=r"On the pile: .+\. .*Ann holds \d+ cards?\.",
    glimpses=(
        Glimpse("turn", "turn", after=12),
        Glimpse("request", "turn_request"),
        Glimpse("ask-suit", "asking_suit"),
        Glimpse("match-over", "over"),
    ),
    wishes=(
        "^Play \\d",
        r"^Add the (?!.*does not fit)",
        "^Ask for|^Spades",
        "^Yes|^Say",
        "^Draw|^Pick",
        "^I am ready",
    ),
    done="You (play|draw|lay|add|pick)",
)
