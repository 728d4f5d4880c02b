"""Ways to play Kaboom, and its options under headings."""

from kaboom.engine.i18n import mark
from kaboom.engine.options import Preset

PRESETS = (
    Preset("short", "Short", "One round.", {"rounds": 1}),
    Preset(
        "calm",
        "Calm",
        "Flips are collected in secret, and nothing has a time limit.",
        {"flips": "patient", "flip_seconds": 0, "give_seconds": 0},
    ),
    Preset(
        "sharp",
        "Sharp",
        "Two cards for a wrong flip, flips after the last turn, and points below zero count.",
        {"flip_penalty": 2, "last_flips": 5, "keep_negative": True},
    ),
)
GROUPS = {
    mark("Players and length"): ("max_players", "seating", "rounds", "target"),
    mark("Flips"): ("flips", "flip_seconds", "flip_penalty", "last_flips"),
    mark("Cards and points"): ("jokers", "keep_negative", "lock_declarer"),
    mark("Time"): ("turn_seconds", "peek_seconds", "give_seconds"),
}
