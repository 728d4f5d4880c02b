"""Ways to play King of the Hill, and its options under headings."""

from kaboom.engine.i18n import mark
from kaboom.engine.options import Preset

PRESETS = (
    Preset("short", "Short", "Three rounds.", {"end": "rounds", "rounds": 3}),
    Preset("brisk", "Brisk", "Ten seconds for a trick, five to choose trumps.", {"pace": "seed"}),
    Preset(
        "calm",
        "Calm",
        "All cards are dealt at once, and nothing has a time limit.",
        {"pace": "untimed", "deal_interval": 0.0},
    ),
)
GROUPS = {
    mark("Length and seats"): ("end", "rounds", "seating"),
    mark("Rules"): (
        "pair_over_pair",
        "follow_rule",
        "koth_cancels_call",
        "call_rule",
        "must_defend_ace",
    ),
    mark("Time"): (
        "pace",
        "deal_interval",
        "last_call_seconds",
        "trump_seconds",
        "dead_hand_seconds",
        "call_seconds",
        "play_seconds",
        "ready_seconds",
    ),
}
