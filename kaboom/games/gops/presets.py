"""Presets of GOPS, and its options by heading."""

from kaboom.engine.i18n import gettext_noop as N_
from kaboom.engine.options import Preset

USUAL = Preset("usual", "Standard", "One game of thirteen prizes.", {})
PRESETS = (
    Preset("three", "Three players", "The third player bids with the Hearts.", {"players": 3}),
    Preset("long", "Long", "Three games, with their points added up.", {"games": 3}),
    Preset(
        "open",
        "For learners",
        "All players see the order in which the prizes come.",
        {"show_prize_order": True},
    ),
)
GROUPS = {
    N_("Players and length"): ("players", "games"),
    N_("Rules"): ("last_tie", "multi_tie", "show_prize_order"),
    N_("Time"): ("bid_seconds",),
}
