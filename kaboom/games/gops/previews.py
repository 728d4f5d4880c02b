"""What a bid would lead to, as far as it can be known before all bids are shown."""

from kaboom.engine.moves import Choices
from kaboom.engine.views import Saying, View


def preview(view: View, verb: str, choices: Choices) -> Saying | None:
    """Return what a bid would win, in one sentence for all cards; None for other moves."""
    if verb != "bid" or choices:
        return None
    return Saying("preview.bid", {"points": view.facts["offer_points"]})
