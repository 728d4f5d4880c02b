"""The Kaboom bot: it remembers what it was shown, and forgets, like a person."""

from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct, field

from kaboom.core.bot import Bot, Level, Thought, sure
from kaboom.core.cards import Card, pack, rank_of
from kaboom.core.chance import Chance
from kaboom.core.moves import Move, Seat
from kaboom.core.play import Event
from kaboom.core.views import EMPTY, Offer, Prompt, View
from kaboom.games.kaboom.cards import ability_of, points
from kaboom.games.kaboom.state import Place

# How many cards it keeps in mind; beyond that it forgets the oldest, other players' first.
CAPACITY = 8
# It calls kaboom when it expects at most this sum, and the others to have this much more. In a long
# round it demands less with every turn, or two careful players would wait for ever.
MOST_TO_CALL = 7.0
LEAD_TO_CALL = 4.0
PATIENCE = 6  # turns before it grows impatient

PACK_POINTS = [points(card) for card in pack()]
UNKNOWN = sum(PACK_POINTS) / len(PACK_POINTS)
# Others' cards are better than chance: they look at them and replace the bad ones.
UNKNOWN_OTHER = 4.5


class Memory(Struct):
    known: dict[Place, Card] = field(default_factory=dict)  # in the order learned
    drawn: Card | None = None
    turns: int = 0  # taken in this round


# What it hears


def notice(memory: Memory, event: Event, seat: Seat) -> None:
    """Remember the faces that were shown, and follow the cards that move."""
    facts = event.facts
    known = memory.known
    match event.kind:
        case "dealt":
            known.clear()
            memory.turns = 0
        case "drew" | "took" if facts["seat"] == seat:
            memory.turns += 1
        case "draw_shows":
            memory.drawn = facts["card"]
        case "peek_shows":
            for place, card in zip(facts["places"], facts["cards"], strict=True):
                learn(memory, place, card, seat)
        case "look_shows" | "wrong_flip":
            learn(memory, facts["place"], facts["card"], seat)
        case "replaced":
            kept = memory.drawn if facts["seat"] == seat else None
            learn(memory, facts["place"], facts.get("taken", kept), seat)
        case "flipped":
            learn(memory, facts["place"], None, seat)
        case "gave":
            learn(memory, facts["to"], known.pop(facts["place"], None), seat)
        case "swapped":
            first, second = facts["first"], facts["second"]
            one, other = known.get(first), known.get(second)
            learn(memory, first, other, seat)
            learn(memory, second, one, seat)


def learn(memory: Memory, place: Place, card: Card | None, seat: Seat) -> None:
    """Remember what lies in a place now (None: unknown), and forget what is too much to keep."""
    memory.known.pop(place, None)
    if card is not None:
        memory.known[place] = card
    while len(memory.known) > CAPACITY:
        others = [other for other in memory.known if owner_of(other) != seat]
        del memory.known[next(iter(others or memory.known))]


# What it thinks


def owner_of(place: Place) -> Seat:
    """Return whose place it is."""
    return int(place.split(".")[0])


class Thoughts:
    """The table as it looks from the bot's seat, with what it remembers."""

    def __init__(self, memory: Memory, view: View, seat: Seat) -> None:
        grids = view.zones_named("grid")
        self.seat = seat
        self.facts = view.facts
        self.impatience = max(0, memory.turns - PATIENCE)
        self.cards = [
            [p for p, card in zip(grid.places, grid.cards, strict=True) if card != EMPTY]
            for grid in grids
        ]
        self.known = {p: memory.known[p] for own in self.cards for p in own if p in memory.known}
        drawn = view.zones_named("drawn")
        self.held = drawn[0].cards[0] if drawn else None
        pile = view.zone("discard").cards
        self.top = pile[0] if pile else None

    @property
    def own(self) -> list[Place]:
        """Return the bot's own places that hold a card."""
        return self.cards[self.seat]

    def worth(self, place: Place) -> float:
        """Return how many points to expect there."""
        card = self.known.get(place)
        if card is not None:
            return points(card)
        return UNKNOWN if owner_of(place) == self.seat else UNKNOWN_OTHER

    def expected(self, seat: Seat) -> float:
        """Return the sum to expect from a seat."""
        return sum(self.worth(place) for place in self.cards[seat])

    def unknown(self, places: Iterable[Place]) -> list[Place]:
        """Return the places whose card is unknown."""
        return [place for place in places if place not in self.known]

    def worst(self) -> Place | None:
        """Return the bot's own place with the most expected points."""
        return max(self.own, key=self.worth, default=None)

    def flips(self, onto: Card, without: Place | None = None) -> float:
        """Return what could be gained by flipping the bot's own known cards onto this card."""
        return sum(
            points(card)
            for place, card in self.known.items()
            if place != without
            and owner_of(place) == self.seat
            and rank_of(card) == rank_of(onto)
            and points(card) > 0
        )

    def gain(self, place: Place, card: Card) -> float:
        """Return what is gained by putting the card in this place of the bot's own."""
        old = self.known.get(place)
        chain = self.flips(old, without=place) if old else 0.0
        return self.worth(place) - points(card) + chain

    def best_place(self, card: Card) -> Place | None:
        """Return the bot's own place where this card gains most."""
        return max(self.own, key=lambda place: self.gain(place, card), default=None)

    def best_gain(self, card: Card) -> float:
        """Return what is gained by putting the card in the best of the bot's own places."""
        place = self.best_place(card)
        return self.gain(place, card) if place else 0.0


# What it does


def choose(memory: Memory, view: View, prompt: Prompt, chance: Chance) -> Move | None:
    """Return the bot's move, or None when nothing is worth doing and nobody waits for it."""
    seat = prompt.seat
    offered = {offer.verb: offer for offer in prompt.offers}
    mind = Thoughts(memory, view, seat)

    def options(verb: str) -> list[Place]:
        return list(offered[verb].options) if verb in offered else []

    if "peek" in offered and seat not in view.facts["peeked"]:
        return Move(seat, "peek")
    if "ready" in offered:
        return Move(seat, "ready")
    if view.facts["stage"] == "collecting":
        return sealed_answer(mind, offered)
    if (place := flip_wanted(mind, options("flip"))) is not None:
        return Move(seat, "flip", (place,))
    if "give" in offered:
        place = gift(mind)
        return Move(seat, "give", (place,)) if place else Move(seat, "no_give")
    if "look" in offered and (place := look_wanted(mind, options("look"), chance)):
        return Move(seat, "look", (place,))
    if "swap" in offered and (place := swap_wanted(mind, options("swap"))):
        return Move(seat, "swap", (place,))
    if "skip" in offered:
        return Move(seat, "skip")
    if "replace" in offered:
        assert mind.held
        return Move(seat, "replace", (mind.best_place(mind.held) or options("replace")[0],))
    if "discard" in offered:
        return with_drawn_card(mind, set(offered))
    if {"kaboom", "take", "draw"} & set(offered):
        return first_move(mind, set(offered))
    return None


def sealed_answer(mind: Thoughts, offered: Mapping[str, Offer]) -> Move | None:
    """Choose a flip or pass, once: the bot never changes its answer."""
    if "pass" not in offered:
        return None
    options = list(offered["flip"].options) if "flip" in offered else []
    place = flip_wanted(mind, options)
    return Move(mind.seat, "flip", (place,)) if place else Move(mind.seat, "pass")


def first_move(mind: Thoughts, offered: set[str]) -> Move:
    """Call kaboom when low enough, take what is surely good, otherwise draw."""
    if "kaboom" in offered and (low_enough(mind) or len(offered) == 1):
        return Move(mind.seat, "kaboom")
    if "take" in offered and mind.top:
        worst = max(map(mind.worth, mind.own))
        by_drawing = sum(max(0.0, worst - drawn) for drawn in PACK_POINTS) / len(PACK_POINTS)
        if "draw" not in offered or mind.best_gain(mind.top) > by_drawing + 1:
            return Move(mind.seat, "take")
    return Move(mind.seat, "draw" if "draw" in offered else "take")


def low_enough(mind: Thoughts) -> bool:
    """Say whether to call kaboom: a small sum, and probably the smallest."""
    mine = mind.expected(mind.seat)
    others = min(mind.expected(s) for s in range(len(mind.cards)) if s != mind.seat)
    lead = LEAD_TO_CALL - mind.impatience / 2
    return mine <= MOST_TO_CALL + mind.impatience and mine <= others - lead


def with_drawn_card(mind: Thoughts, offered: set[str]) -> Move:
    """Use the ability where it helps, then keep the card if that gains more than discarding."""
    card = mind.held
    assert card
    if "use" in offered and ability_helps(mind, ability_of(card)):
        return Move(mind.seat, "use")
    keeping = mind.best_gain(card) if "keep" in offered else 0.0
    return Move(mind.seat, "keep" if keeping > max(0.0, mind.flips(card)) else "discard")


def ability_helps(mind: Thoughts, kind: str | None) -> bool:
    """Say whether there is something to learn, or a card to get rid of by a swap."""
    others = [place for seat, own in enumerate(mind.cards) if seat != mind.seat for place in own]
    if kind == "own":
        return bool(mind.unknown(mind.own))
    if kind == "other":
        return bool(mind.unknown(others))
    if kind == "any":
        return bool(mind.unknown(mind.own + others))
    return swap_pair(mind, others) is not None


def look_wanted(mind: Thoughts, options: list[Place], chance: Chance) -> Place | None:
    """Return a place to look at: the bot's own unknown cards first."""
    news = mind.unknown(options)
    own = [place for place in news if owner_of(place) == mind.seat]
    return chance.one_of(own or news) if news else None


def swap_pair(mind: Thoughts, others: list[Place]) -> tuple[Place, Place] | None:
    """Return the bot's card to give away and another player's to get, or None."""
    mine = mind.worst()
    theirs = min(others, key=mind.worth, default=None)
    if mine is None or theirs is None or mind.worth(mine) - mind.worth(theirs) < 2:
        return None
    return mine, theirs


def swap_wanted(mind: Thoughts, options: list[Place]) -> Place | None:
    """Return the next card of the swap: first the bot's bad one, then another's good one.

    A person in whose place the bot sits may have begun the swap the other way round.
    """
    picks = mind.facts["picks"]
    if picks and owner_of(picks[0]) != mind.seat:
        mine = mind.worst()
        gains = mine in options and mind.worth(mine) - mind.worth(picks[0]) >= 2
        return mine if gains else None
    others = [place for place in options if owner_of(place) != mind.seat]
    pair = swap_pair(mind, others)
    if not pair:
        return None
    return pair[1] if picks else pair[0]


def flip_wanted(mind: Thoughts, options: list[Place]) -> Place | None:
    """Return a card to flip, if sure: the bot's own first, then others', so as to give them one."""
    if mind.top is None:
        return None
    sure = [p for p in options if p in mind.known and rank_of(mind.known[p]) == rank_of(mind.top)]
    own = [p for p in sure if owner_of(p) == mind.seat and mind.worth(p) > 0]
    if own:
        return max(own, key=mind.worth)
    others = [p for p in sure if owner_of(p) != mind.seat]
    given = gift(mind)
    if others and given and mind.worth(given) > mind.worth(others[0]) - 3:
        return others[0]
    return None


def gift(mind: Thoughts) -> Place | None:
    """Return the bot's card to give away: the worst, unless it is worth keeping."""
    place = mind.worst()
    return place if place and mind.worth(place) > 0 else None


def weigh(
    memory: Memory, view: View, prompt: Prompt, chance: Chance, level: Level
) -> Sequence[Thought]:
    """Return what the bot would do."""
    return sure(choose(memory, view, prompt, chance))


BOT = Bot(Memory, notice, weigh)
