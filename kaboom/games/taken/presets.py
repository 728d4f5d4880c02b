"""Presets of TakeN, and its options by heading."""

from kaboom.engine.i18n import gettext_noop as N_
from kaboom.engine.options import Preset

USUAL = Preset("usual", "Standard", "Until a player has 66 points.", {})
PRESETS = (
    Preset("short", "Short", "One game of ten rounds.", {"max_games": 1}),
    Preset(
        "tight", "Few cards", "Only the cards needed, so you can count them.", {"deck": "tight"}
    ),
    Preset(
        "brisk",
        "With a clock",
        "Twenty seconds for each choice.",
        {"choose_seconds": 20, "take_seconds": 20},
    ),
)
GROUPS = {
    N_("Length"): ("threshold", "max_games"),
    N_("Cards"): ("hand_size", "rows", "row_size", "deck"),
    N_("Time"): ("choose_seconds", "take_seconds"),
}
