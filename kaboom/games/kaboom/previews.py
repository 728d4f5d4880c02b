"""Previews of flips, abilities and the first moves of a turn, without revealing cards."""

from typing import Any

from kaboom.engine.moves import Choices
from kaboom.engine.views import Saying, View
from kaboom.games.kaboom.state import WHERE

SAID = ("replace", "look", "swap", "give")
WITHOUT_A_PLACE = ("draw", "kaboom")


def preview(view: View, verb: str, choices: Choices) -> Saying | None:
    """Return the effect of a move as far as its seat can know it, or None."""
    if not choices:
        if verb == "take":
            return Saying("preview.take", {"card": view.zone("discard").cards[0]})
        if verb == "flip":
            return Saying("preview.flip", _price(view))
        if verb == "kaboom" and len(view.facts["totals"]) == 2 and view.viewer is not None:
            return Saying("preview.kaboom_two", {"other": 1 - view.viewer})
        return Saying(f"preview.{verb}") if verb in WITHOUT_A_PLACE else None
    place = choices[0]
    owner = WHERE[place][0]
    if verb == "flip":
        kind = "preview.flip_own" if owner == view.viewer else "preview.flip_other"
        return Saying(kind, {"place": place, "owner": owner} | _price(view))
    return Saying(f"preview.{verb}", {"place": place}) if verb in SAID else None


def _price(view: View) -> dict[str, Any]:
    """Return the card that a flip has to match, and the number of cards that a wrong one costs."""
    return {"top": view.zone("discard").cards[0], "penalty": view.facts["flip_penalty"]}
