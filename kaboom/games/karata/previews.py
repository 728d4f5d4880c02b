"""Previews of the row a player has built."""

from kaboom.engine.moves import Choices
from kaboom.engine.views import Saying, View


def preview(view: View, verb: str, choices: Choices) -> Saying | None:
    """Return the effect of a move as far as its seat can know it, or None."""
    does = view.facts["preview"]
    return Saying("preview.play", {"does": does}) if verb == "play" and does else None
