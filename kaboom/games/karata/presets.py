"""Ways to play Karata, and its options under headings."""

from kaboom.core.language import mark
from kaboom.core.options import Preset

PRESETS = (
    Preset("fines", "With fines", "Two cards for an illegal play.", {"fine": 2}),
    Preset("long", "Long", "Five games; whoever wins the most wins the match.", {"games": 5}),
    Preset("brisk", "Brisk", "Twenty seconds for each turn.", {"turn_seconds": 20}),
)
GROUPS = {
    mark("Length"): ("games", "deal"),
    mark("Rules"): ("fine", "joker_ignores_request", "strict_finish"),
    mark("Time"): ("turn_seconds",),
}
