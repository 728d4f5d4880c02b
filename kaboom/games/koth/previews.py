"""The effects of declaring, burying and calling."""

from kaboom.engine.moves import Choices
from kaboom.engine.views import Saying, View
from kaboom.games.koth.cards import TRUMP, trump_ranking
from kaboom.games.koth.view import own


def trumps_with(view: View, suit: str) -> int:
    """Return the number of trumps in the viewer's hand if that suit is trump."""
    suits = trump_ranking(view.facts["trump_rank"], suit).suits
    return sum(suits[card] == TRUMP for card in view.zone("hand", view.viewer).cards)


def preview(view: View, verb: str, choices: Choices) -> Saying | None:
    """Return the effect of a move as far as its seat can know it, or None."""
    if verb == "bury":
        return Saying("preview.bury")
    if verb == "call" and choices and own(view).count(choices[0]) == 2:
        return Saying("preview.call_alone")
    if verb not in ("declare", "trump") or not choices:
        return None
    suit, hand = choices[0], view.zone("hand", view.viewer).cards
    trumps = trumps_with(view, suit)
    king = verb == "declare" and view.facts["round"] == 1
    kind = "preview.declare_king" if king else f"preview.{verb}"
    return Saying(kind, {"suit": suit, "trumps": trumps, "all": len(hand)})
