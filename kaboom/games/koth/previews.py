"""What declaring and burying lead to."""

from kaboom.engine.moves import Choices
from kaboom.engine.views import Saying, View
from kaboom.games.koth.cards import TRUMP, trump_ranking


def trumps_with(view: View, suit: str) -> int:
    """Return how many cards of the viewer's hand are trumps if that suit is."""
    suits = trump_ranking(view.facts["trump_rank"], suit).suits
    return sum(suits[card] == TRUMP for card in view.zone("hand", view.viewer).cards)


def preview(view: View, verb: str, choices: Choices) -> Saying | None:
    """Return what a move would do, from what its seat sees; None where nothing can be said."""
    if verb == "bury":
        return Saying("preview.bury")
    if verb not in ("declare", "trump") or not choices:
        return None
    suit, hand = choices[0], view.zone("hand", view.viewer).cards
    trumps = trumps_with(view, suit)
    king = verb == "declare" and view.facts["round"] == 1
    kind = "preview.declare_king" if king else f"preview.{verb}"
    return Saying(kind, {"suit": suit, "trumps": trumps, "all": len(hand)})
