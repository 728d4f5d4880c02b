"""Presets of King of the Hill, and its options by heading."""

from kaboom.engine.i18n import gettext_noop as N_
from kaboom.engine.options import Preset

USUAL = Preset("usual", "Standard", "Until a player has risen past the ace.", {})
PRESETS = (
    Preset("short", "Short", "Three rounds.", {"end": "rounds", "rounds": 3}),
    Preset(
        "brisk", "Short clock", "Ten seconds for a trick, five to choose trumps.", {"pace": "seed"}
    ),
    Preset(
        "calm",
        "Relaxed",
        "All cards are dealt together, and nothing has a time limit.",
        {"pace": "untimed", "deal_interval": 0.0},
    ),
)
GROUPS = {
    N_("Length and seats"): ("end", "rounds", "seating"),
    N_("Rules"): (
        "pair_over_pair",
        "follow_rule",
        "koth_cancels_call",
        "call_rule",
        "must_defend_ace",
    ),
    N_("Time"): (
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
