"""Ways to play Hearts, and its options under headings."""

from kaboom.core.language import mark
from kaboom.core.options import Preset

PRESETS = (
    Preset("short", "Short", "The match ends at 50 points.", {"limit": 50}),
    Preset(
        "clock",
        "With a clock",
        "A minute to pass three cards, 20 seconds to play one.",
        {"pass_seconds": 60, "play_seconds": 20},
    ),
)
GROUPS = {mark("Length"): ("limit",), mark("Time"): ("pass_seconds", "play_seconds")}
