"""Simple Kaboom players, and a population of rivals."""

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random

from kaboom.engine.bots.bot import Bot, Level, Thought, sure
from kaboom.engine.moves import Move
from kaboom.engine.rng import Rng
from kaboom.engine.toolkit.cards import rank_of
from kaboom.engine.views import EMPTY, Prompt, View
from kaboom.games.kaboom.cards import ability_of, points
from kaboom.games.kaboom.memory import Memory, notice
from tests.baseline_bots.population import Idea

LATE = 10  # cards in the stock below which a round is late
LOW = 12  # points at which the greedy player calls
BLIND = 6  # assumed points of an unknown card
ALL = 99  # more cards than any player sees


def anything(memory: Memory, view: View, prompt: Prompt, rng: Rng, level: Level) -> list[Thought]:
    """Make any move of a turn; call kaboom only late, flip nothing."""
    verbs = {offer.verb: offer for offer in prompt.offers if offer.blocks}
    late = view.facts["stock_count"] <= LATE and rng.randrange(4) == 0
    if "pass" in verbs or not verbs:
        return sure(Move(prompt.seat, "pass")) if verbs else []
    if len(verbs) > 1 and not late:
        verbs.pop("kaboom", None)
    offer = verbs[rng.choice(sorted(verbs))]
    choices = (rng.choice(offer.playable),) if offer.most else ()
    return sure(Move(prompt.seat, offer.verb, choices))


def greedy(memory: Memory, view: View, prompt: Prompt, rng: Rng, level: Level) -> list[Thought]:
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


def flipping(memory: Memory, view: View, prompt: Prompt, rng: Rng, level: Level) -> list[Thought]:
    """Play greedily, and flip every own card that is known to match."""
    offer = prompt.offer("flip")
    pile = view.zone("discard").cards
    if offer and pile and view.facts["chosen"] is None:
        for place in offer.options:
            card = memory.known.get(place)
            mine = place.startswith(f"{prompt.seat}.") and card and points(card) > 0
            if mine and rank_of(card) == rank_of(pile[0]):
                return sure(Move(prompt.seat, "flip", (place,)))
    return greedy(memory, view, prompt, rng, level)


ANYTHING = Bot(Memory, notice, anything)
GREEDY = Bot(Memory, notice, greedy)
FLIPPING = Bot(Memory, notice, flipping)


# The population: greedy players with different weights


@dataclass(frozen=True)
class Temper:
    """The parameters of a greedy player."""

    low: int  # points at which it calls
    blind: int  # assumed points of an unknown card
    take: int  # points that taking the top card must save
    keeps_in_mind: int  # cards it remembers
    flips: int  # percentage of matching own cards it flips
    steals: bool  # flips others' cards, too, and gives away its worst


def greedy_of(temper: Temper) -> Bot[Memory]:
    """Return a greedy player with these parameters."""

    def weigh(memory: Memory, view: View, prompt: Prompt, rng: Rng, level: Level) -> list[Thought]:
        me, offered = prompt.seat, {offer.verb: offer for offer in prompt.offers}
        known = dict([*memory.known.items()][-temper.keeps_in_mind :])
        grid = view.zones_named("grid")[me]
        own = [p for p, card in zip(grid.places, grid.cards, strict=True) if card != EMPTY]
        worth = {place: points(known[place]) if place in known else temper.blind for place in own}
        worst = max(own, key=lambda place: worth[place], default="")
        pile = view.zone("discard").cards
        flip = offered.get("flip")
        if flip and pile and view.facts["chosen"] is None and rng.randrange(100) < temper.flips:
            for place in flip.options:
                card = known.get(place)
                wanted = points(card) > 0 if place in worth and card else temper.steals
                if card and wanted and rank_of(card) == rank_of(str(pile[0])):
                    return sure(Move(me, "flip", (place,)))
        if "kaboom" in offered and sum(worth.values()) <= temper.low:
            return sure(Move(me, "kaboom"))
        if "take" in offered and worst and worth[worst] - points(str(pile[0])) >= temper.take:
            return sure(Move(me, "take"))
        if "draw" in offered:
            return sure(Move(me, "draw"))
        held = memory.drawn
        if "keep" in offered and worst and held and points(held) < worth[worst]:
            return sure(Move(me, "keep"))
        if "replace" in offered:
            return sure(Move(me, "replace", (worst,)))
        return greedy(memory, view, prompt, rng, level)

    return Bot(Memory, notice, weigh)


def by_lot(draw: Random) -> Bot[Memory]:
    """Make any move; call late, flip nothing."""
    return ANYTHING


def by_greed(draw: Random) -> Bot[Memory]:
    """Play greedily without flips."""
    low, blind, take = draw.randrange(6, 16), draw.randrange(4, 9), draw.randrange(1, 7)
    return greedy_of(Temper(low, blind, take, ALL, 0, steals=False))


def by_race(draw: Random) -> Bot[Memory]:
    """Play greedily, and flip most matching own cards."""
    low, blind, take = draw.randrange(5, 14), draw.randrange(4, 9), draw.randrange(1, 7)
    return greedy_of(Temper(low, blind, take, ALL, draw.choice((60, 80, 100)), steals=False))


def by_theft(draw: Random) -> Bot[Memory]:
    """Flip any matching card, others' too; call late or early."""
    low, blind, take = draw.randrange(4, 14), draw.randrange(4, 9), draw.randrange(1, 6)
    return greedy_of(Temper(low, blind, take, ALL, 100, steals=True))


def by_haste(draw: Random) -> Bot[Memory]:
    """Forget all but a few cards, and call soon."""
    low, blind, take = draw.randrange(12, 22), draw.randrange(2, 6), draw.randrange(1, 5)
    return greedy_of(Temper(low, blind, take, draw.randrange(2, 6), 70, steals=False))


IDEAS: Mapping[str, Idea] = {
    "random": by_lot,
    "greed": by_greed,
    "race": by_race,
    "theft": by_theft,
    "haste": by_haste,
}
