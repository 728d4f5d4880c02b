"""What the row a player has built would do."""

from kaboom.engine.moves import Choices
from kaboom.engine.views import Saying, View


def preview(view: View, verb: str, choices: Choices) -> Saying | None:
    """Return what a move would do, from what its seat sees; None where nothing can be said."""
    does = view.facts["preview"]
    return Saying("preview.play", {"does": does}) if verb == "play" and does else None
