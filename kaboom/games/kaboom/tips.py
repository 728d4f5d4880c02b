"""Tips for newcomers to Kaboom, based on their view."""

from collections.abc import Iterator

from kaboom.engine.toolkit.cards import is_joker, rank_of
from kaboom.engine.toolkit.tips import AIM, Tip, Told
from kaboom.engine.views import Prompt, View
from kaboom.games.kaboom.cards import LOW, points
from kaboom.games.kaboom.options import Options
from kaboom.games.kaboom.view import missed_flip

TIPS = {
    AIM: Tip("The fewest points win: get rid of high cards.", "the-cards"),
    "draw": Tip("Draw; a low card can replace one of yours.", "your-turn"),
    "take": Tip(
        "The {card:card} is low: you may take it.",
        "your-turn",
    ),
    "flip": Tip(
        "Remember another {rank:rank}? Flip it onto the pile.",
        "flipping",
    ),
    "held": Tip(
        "Swap it for one of your high cards, or discard.",
        "your-turn",
    ),
    "ability": Tip("You drew a card with a power: use it first.", "abilities"),
    "replace": Tip("Give up a high card. All will see it.", "your-turn"),
    "swap": Tip(
        "Give away a card that you know to be high.",
        "abilities",
    ),
    "look": Tip("Only you see the card you look at. Remember it.", "abilities"),
    "give": Tip(
        "Give one of your cards: you then hold one fewer.",
        "giving-a-card",
    ),
    "penalty": Tip("A wrong flip: the penalty card counts, too.", "flipping"),
    "collecting": Tip("All are asked, in secret. No such card? Pass.", "patient-flips"),
    "call": Tip(
        "Lowest? Call kaboom: a wrong call costs 10.",
        "calling-kaboom",
    ),
    "last": Tip("{seat:name} called kaboom: this is your last turn.", "calling-kaboom"),
    "score": Tip(
        "A right caller scores 0; a wrong one, 10 more.",
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
        yield AIM, {}
        return
    if missed_flip(view) is not None:
        yield "penalty", {}
    if stage == "round_over":
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
    if "flip" in offers and "withdraw" not in offers and not is_joker(pile[0]):
        yield "flip", {"rank": rank_of(pile[0])}
    if "kaboom" in offers and facts["discard_count"] > EARLY:
        yield "call", {}
    yield AIM, {}


def _with_a_card(view: View, offers: set[str]) -> Iterator[Told]:
    """Yield the tips while the viewer holds a card, or uses its ability."""
    if "look" in offers:
        yield "look", {}
    if "swap" in offers:
        yield "swap", {}
    if "replace" in offers and "discard" not in offers:
        yield "replace", {}
    if "use" in offers:
        yield "ability", {}
    if "keep" in offers:
        yield "held", {}
