"""Presets of Kaboom, and its options by heading."""

from kaboom.engine.i18n import gettext_noop as N_
from kaboom.engine.options import Preset

USUAL = Preset("usual", "Standard", "As many rounds as players.", {})
PRESETS = (
    Preset("short", "Short", "One round.", {"rounds": 1}),
    Preset(
        "calm",
        "Relaxed",
        "Flips are collected in secret, and nothing has a time limit.",
        {"flips": "patient", "flip_seconds": 0, "give_seconds": 0},
    ),
    Preset(
        "sharp",
        "Sharp",
        "A wrong flip costs two cards, players may flip after the last turn, and negative scores "
        "count.",
        {"flip_penalty": 2, "last_flips": 5, "keep_negative": True},
    ),
)
GROUPS = {
    N_("Players and length"): ("max_players", "seating", "rounds", "target"),
    N_("Flips"): ("flips", "flip_seconds", "flip_penalty", "last_flips"),
    N_("Cards and points"): ("jokers", "keep_negative", "lock_declarer"),
    N_("Time"): ("turn_seconds", "peek_seconds", "give_seconds"),
}
