"""Tips for newcomers to Kaboom, based on their view."""

from collections.abc import Iterator

from kaboom.engine.toolkit.cards import rank_of
from kaboom.engine.toolkit.tips import AIM, Tip, Told
from kaboom.engine.views import DOWN, Prompt, View
from kaboom.games.kaboom.cards import LOW, ability_of, points
from kaboom.games.kaboom.options import Options
from kaboom.games.kaboom.state import GRID

TIPS = {
    AIM: Tip("The fewest points win: get rid of high cards.", "the-cards"),
    "draw": Tip(
        "Draw. If the card is lower than one of yours, replace that one with it.", "your-turn"
    ),
    "take": Tip(
        "The {card:card} is low. You may take it instead of drawing.",
        "your-turn",
    ),
    "flip": Tip(
        "Remember another {rank:rank}? Flip it onto the {card:card}.",
        "flipping",
    ),
    "held": Tip(
        "It counts {points:points}. Swap it for one of your higher cards, or discard it.",
        "your-turn",
    ),
    "ability": Tip("The {card:card} lets you {does:does}. Use it first.", "abilities"),
    "replace": Tip(
        "Give up a high card that you remember. It goes to the pile, for all to see.", "your-turn"
    ),
    "swap": Tip(
        "No one sees these cards. Give away one that you know to be high.",
        "abilities",
    ),
    "look": Tip("Only you see the card you look at. Remember it.", "abilities"),
    "give": Tip(
        "Give one of your cards for the one you flipped: then you hold one fewer.",
        "giving-a-card",
    ),
    "penalty": Tip(
        "A wrong flip brought a penalty card. It counts like the other six.", "flipping"
    ),
    "collecting": Tip(
        "All players are asked, in secret. If you know no such card, pass.", "patient-flips"
    ),
    "call": Tip(
        "Think no one has fewer points? Call kaboom. A wrong call costs 10.",
        "calling-kaboom",
    ),
    "last": Tip("{seat:name} has called kaboom: all others have one more turn.", "calling-kaboom"),
    "score": Tip(
        "The caller scores 0 if no one had fewer points; otherwise 10 are added.",
        "scoring",
    ),
}
EARLY = 8  # cards on the pile up to which most players know too little to call


def tips(view: View, prompt: Prompt | None, options: Options) -> Iterator[Told]:
    """Yield the tips that fit the situation, most urgent first, then the aim of the game."""
    facts, me = view.facts, view.viewer
    stage = facts["stage"]
    offers = {offer.verb for offer in prompt.offers} if prompt else set()
    pile = view.zone("discard").cards
    if stage == "peek":
        pass  # the aim
    elif stage == "round_over":
        yield "score", {}
    elif "pass" in offers:
        yield "collecting", {}
    elif "give" in offers:
        yield "give", {}
    elif stage != "first_move":
        yield from _with_a_card(view, offers)
    elif facts["turn"] == me:
        if facts["declared_by"] not in (None, me):
            yield "last", {"seat": facts["declared_by"]}
        if pile and points(pile[0]) <= LOW:
            yield "take", {"card": pile[0]}
        yield "draw", {}
    if len(view.zone("grid", me).cards) > GRID:
        yield "penalty", {}
    if "flip" in offers:
        yield "flip", {"card": pile[0], "rank": rank_of(pile[0])}
    if "kaboom" in offers and facts["discard_count"] > EARLY:
        yield "call", {}
    yield AIM, {}


def _with_a_card(view: View, offers: set[str]) -> Iterator[Told]:
    """Yield the tips while the viewer holds a card, or uses its ability."""
    held = [card for zone in view.zones_named("drawn") for card in zone.cards if card != DOWN]
    if "look" in offers:
        yield "look", {}
    if "swap" in offers:
        yield "swap", {}
    if "replace" in offers and "discard" not in offers:
        yield "replace", {}
    if "use" in offers:
        yield "ability", {"card": held[0], "does": ability_of(held[0])}
    if "keep" in offers:
        yield "held", {"points": points(held[0])}
