"""Ways to play GOPS, and its options under headings."""

from kaboom.engine.i18n import mark
from kaboom.engine.options import Preset

PRESETS = (
    Preset("three", "Three players", "The third player bids with the Hearts.", {"players": 3}),
    Preset("long", "Long", "Three games; their points are added up.", {"games": 3}),
    Preset(
        "open",
        "For learners",
        "Everybody sees the order in which the prizes come.",
        {"show_prize_order": True},
    ),
)
GROUPS = {
    mark("Players and length"): ("players", "games"),
    mark("Rules"): ("last_tie", "multi_tie", "show_prize_order"),
    mark("Time"): ("bid_seconds",),
}
