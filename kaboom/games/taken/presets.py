"""Ways to play TakeN, and its options under headings."""

from kaboom.engine.i18n import mark
from kaboom.engine.options import Preset

PRESETS = (
    Preset("short", "Short", "One game of ten rounds.", {"max_games": 1}),
    Preset(
        "tight", "Few cards", "Only the cards needed, so one can count them.", {"deck": "tight"}
    ),
    Preset(
        "brisk",
        "Brisk",
        "Twenty seconds for each choice.",
        {"choose_seconds": 20, "take_seconds": 20},
    ),
)
GROUPS = {
    mark("Length"): ("threshold", "max_games"),
    mark("Cards"): ("hand_size", "rows", "row_size", "deck"),
    mark("Time"): ("choose_seconds", "take_seconds"),
}
