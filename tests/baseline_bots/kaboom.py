"""Plain ways to play Kaboom."""

from kaboom.engine.bots.bot import Bot, Level, Thought, sure
from kaboom.engine.moves import Move
from kaboom.engine.rng import Chance
from kaboom.engine.toolkit.cards import rank_of
from kaboom.engine.views import EMPTY, Prompt, View
from kaboom.games.kaboom.cards import ability_of, points
from kaboom.games.kaboom.memory import Memory, notice

LATE = 10  # cards in the stock with which a round is old
LOW = 12  # points with which the greedy one calls
BLIND = 6  # points of a card it does not know


def anything(
    memory: Memory, view: View, prompt: Prompt, chance: Chance, level: Level
) -> list[Thought]:
    """Make any move of a turn; call kaboom only late, flip nothing."""
    verbs = {offer.verb: offer for offer in prompt.offers if offer.blocks}
    late = view.facts["stock_count"] <= LATE and chance.below(4) == 0
    if "pass" in verbs or not verbs:
        return sure(Move(prompt.seat, "pass")) if verbs else []
    if len(verbs) > 1 and not late:
        verbs.pop("kaboom", None)
    offer = verbs[chance.one_of(sorted(verbs))]
    choices = (chance.one_of(offer.playable),) if offer.most else ()
    return sure(Move(prompt.seat, offer.verb, choices))


def greedy(
    memory: Memory, view: View, prompt: Prompt, chance: Chance, level: Level
) -> list[Thought]:
    """Look at your own cards, replace the worst by a lower one, call kaboom at 12 points."""
    me = prompt.seat
    offered = {offer.verb: offer for offer in prompt.offers}
    known = memory.known
    grid = view.zones_named("grid")[me]
    own = [p for p, card in zip(grid.places, grid.cards, strict=True) if card != EMPTY]
    worth = {place: points(known[place]) if place in known else BLIND for place in own}
    worst = max(own, key=lambda place: worth[place], default="")
    drawn = view.zones_named("drawn")
    held = drawn[0].cards[0] if drawn else ""
    verb, choices = "", ()
    if "peek" in offered and me not in view.facts["peeked"]:
        verb = "peek"
    elif "give" in offered:
        verb, choices = "give", (worst,)
    elif "look" in offered and ability_of(held) == "own":
        news = [place for place in offered["look"].options if place not in known]
        verb, choices = ("look", (news[0],)) if news else ("skip", ())
    elif "use" in offered and ability_of(held) == "own" and any(p not in known for p in own):
        verb = "use"
    elif "keep" in offered and worst and points(held) < worth[worst]:
        verb = "keep"
    elif "replace" in offered:
        verb, choices = "replace", (worst,)
    elif "kaboom" in offered and sum(worth.values()) <= LOW:
        verb = "kaboom"
    elif "take" in offered and worst and worth[worst] - points(view.zone("discard").cards[0]) > 4:
        verb = "take"
    else:
        simple = ("ready", "skip", "discard", "draw", "take", "kaboom", "pass")
        verb = next((verb for verb in simple if verb in offered), "")
    return sure(Move(me, verb, choices)) if verb else []


def flipping(
    memory: Memory, view: View, prompt: Prompt, chance: Chance, level: Level
) -> list[Thought]:
    """Be greedy, and flip every own card that is known to match."""
    offer = prompt.offer("flip")
    pile = view.zone("discard").cards
    if offer and pile and view.facts["chosen"] is None:
        for place in offer.options:
            card = memory.known.get(place)
            mine = place.startswith(f"{prompt.seat}.") and card and points(card) > 0
            if mine and rank_of(card) == rank_of(pile[0]):
                return sure(Move(prompt.seat, "flip", (place,)))
    return greedy(memory, view, prompt, chance, level)


ANYTHING = Bot(Memory, notice, anything)
GREEDY = Bot(Memory, notice, greedy)
FLIPPING = Bot(Memory, notice, flipping)
