"""Previews of a bid, as far as its result can be known before the reveal."""

from kaboom.engine.moves import Choices
from kaboom.engine.views import Saying, View


def preview(view: View, verb: str, choices: Choices) -> Saying | None:
    """Return the result of a bid, one sentence for all cards; None for other moves."""
    if verb != "bid" or choices:
        return None
    return Saying("preview.bid", {"points": view.facts["offer_points"]})
