"""The Kaboom bot: it counts unseen cards, flips only cards it knows, and calls when it is lowest in
most of the deals it imagines.

Values are in points saved by a move.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from math import fsum
from random import Random

from kaboom.engine.bots.bot import Bot, Level, Thought, best_first, sure
from kaboom.engine.float_powers import raised
from kaboom.engine.moves import Move, Seat
from kaboom.engine.rng import Rng
from kaboom.engine.toolkit.cards import Card, pack, rank_of
from kaboom.engine.views import EMPTY, Prompt, Saying, View
from kaboom.games.kaboom.cards import ability_of, points
from kaboom.games.kaboom.memory import GIVEN, KEPT, LOOKED, Memory, notice, redealt
from kaboom.games.kaboom.scoring import DECLARER_FINE
from kaboom.games.kaboom.state import WHERE, Place

# How many cards a level remembers: the last ones it learned.
KEPT_IN_MIND = {Level.EASY: 4, Level.NORMAL: 8, Level.HARD: 1000}

# Calling kaboom
DEALS = 200  # imagined deals before a call
SURELY_LOW = 2  # points with which to call without imagining any deals
MOST_TO_CALL = 18
EASY_CALL = 7  # points at which a weak player calls
SURE_ENOUGH = 0.8  # share of imagined deals in which the bot must be lowest
NO_HURRY, HURRY = 0.93, 0.75  # the same before any player seems close to a call, and after
CLOSE = 12  # points with which another player may call

# The value of others' unseen cards compared with a card from the stock.
BELOW_CHANCE = {LOOKED: 0.66, KEPT: 0.5, GIVEN: 1.1}

# The value of knowing a card
OWN_LOOK, OTHER_LOOK = 1.0, 0.3
LEAST_SWAP = 1.0  # points that make a swap worthwhile
LEAST_SAID = 0.5  # points saved that are worth mentioning
TAKE_MARGIN = 0.5  # bonus, because a drawn card may have an ability
HELD = 0.78  # chance that a known card cannot be flipped, for each unseen card of its rank
MOST_HELPED = 3  # points by which a flip may help the other player more than the bot
CHAIN = 0.8  # chance of being first to flip a card of the bot's onto the one just discarded

SCALE = 100


def weigh(
    memory: Memory, view: View, prompt: Prompt, rng: Rng, level: Level, deals: int = DEALS
) -> Sequence[Thought]:
    """Return the moves to consider. Flips are included only if they are sure to match.

    `deals` is the number of deals imagined before a call.
    """
    seat = prompt.seat
    offered = {offer.verb: offer.options for offer in prompt.offers}
    if "peek" in offered and seat not in view.facts["peeked"]:
        return sure(Move(seat, "peek"))
    if "ready" in offered:
        return sure(Move(seat, "ready"))
    mind = Mind(memory, view, seat, level, deals)
    if view.facts["stage"] == "collecting":
        if "pass" not in offered:  # already answered; the bot never changes its answer
            return []
        return best_first([*flips(mind, offered), passed(mind, Move(seat, "pass"))])
    turn = turn_thoughts(mind, offered, rng)
    ahead = turn[0].worth if turn else 0.0  # a flip costs no turn
    wanted = [Thought(t.move, t.worth + ahead, t.reason) for t in flips(mind, offered)]
    if turn or wanted:
        return best_first([*wanted, *turn])
    return [passed(mind, None)] if "flip" in offered else []


def thought(move: Move | None, worth: float, kind: str, **facts: object) -> Thought:
    """Return a thought with its reason in words."""
    return Thought(move, worth, Saying(f"think.{kind}", facts))


def about(worth: float) -> int:
    """Return points as a reason states them: a whole number, at least 1."""
    return max(1, round(worth))


# The cards on the table


class Mind:
    """The table as seen from the bot's seat, with what its level remembers."""

    def __init__(
        self, memory: Memory, view: View, seat: Seat, level: Level, deals: int = DEALS
    ) -> None:
        self.seat = seat
        self.level = level
        self.deals = deals
        self.facts = view.facts
        self.memory = memory
        self.cards = [
            [p for p, card in zip(grid.places, grid.cards, strict=True) if card != EMPTY]
            for grid in view.zones_named("grid")
        ]
        lying = {place for own in self.cards for place in own}
        kept = list(memory.known)[-KEPT_IN_MIND[level] :]
        self.known = {place: memory.known[place] for place in kept if place in lying}
        drawn = view.zones_named("drawn")
        self.held = drawn[0].cards[0] if drawn else None
        pile = view.zone("discard").cards
        self.top = pile[0] if pile else None

    @property
    def own(self) -> list[Place]:
        """Return the bot's own places that hold a card."""
        return self.cards[self.seat]

    @property
    def others(self) -> list[Place]:
        """Return the other players' places that hold a card."""
        return [p for seat, own in enumerate(self.cards) if seat != self.seat for p in own]

    @cached_property
    def hidden(self) -> list[Card]:
        """Return the cards the bot has not seen; only a hard bot remembers the discards below the
        top one.
        """
        facts = self.facts
        lying = sum(map(len, self.cards)) + bool(self.held)
        jokers = lying + facts["stock_count"] + facts["discard_count"] > len(pack(jokers=False))
        left = list(pack(jokers))
        seen = [*self.known.values(), *([self.held] if self.held else [])]
        seen += self.memory.pile if self.level == Level.HARD else [self.top] if self.top else []
        for card in seen:
            if card in left:
                left.remove(card)
        return left

    @cached_property
    def unseen(self) -> list[int]:
        """Return the points of the cards the bot has not seen."""
        return [points(card) for card in self.hidden]

    @cached_property
    def left(self) -> Counter[str]:
        """Return the number of unseen cards by rank."""
        return Counter(map(rank_of, self.hidden))

    @cached_property
    def blind(self) -> float:
        """Return the expected points of an unseen card."""
        return sum(self.unseen) / max(1, len(self.unseen))

    def worth(self, place: Place) -> float:
        """Return the expected points of the card at a place."""
        card = self.known.get(place)
        if card is not None:
            return points(card)
        if WHERE[place][0] == self.seat and self.memory.signs.get(place) != GIVEN:
            return self.blind
        return self.blind * BELOW_CHANCE.get(self.memory.signs.get(place, ""), 1.0)

    def expected(self, seat: Seat) -> float:
        """Return the expected sum of a seat's cards."""
        return fsum(self.worth(place) for place in self.cards[seat])

    def unknown(self, places: Iterable[Place]) -> list[Place]:
        """Return the places whose cards are unknown."""
        return [place for place in places if place not in self.known]

    @cached_property
    def worst(self) -> Place | None:
        """Return the bot's own place with the most expected points, or None."""
        return max(self.own, key=self.worth, default=None)

    def burden(self, place: Place) -> float:
        """Return the expected cost of one of the bot's own cards, considering that a known one
        may be flipped.
        """
        worth, card = self.worth(place), self.known.get(place)
        if card is None or worth <= 0 or self.level != Level.HARD:
            return worth
        return worth * raised(HELD, self.left[rank_of(card)])

    def matching(self, onto: Card, without: Place | None = None) -> int:
        """Return the gain from flipping the bot's own known cards onto this card."""
        return sum(
            max(0, points(card))
            for place, card in self.known.items()
            if place != without and WHERE[place][0] == self.seat and rank_of(card) == rank_of(onto)
        )

    def gain(self, place: Place, card: Card) -> float:
        """Return the gain from putting the card at this place of the bot's own grid."""
        old = self.known.get(place)
        chain = CHAIN * self.matching(old, without=place) if old else 0.0
        return self.burden(place) - points(card) + chain

    def saved(self, place: Place, card: Card) -> float:
        """Return the points saved by putting the card at this place."""
        return self.worth(place) - points(card)

    def best_place(self, card: Card) -> Place | None:
        """Return the bot's own place where this card gains the most, or None."""
        return max(self.own, key=lambda place: self.gain(place, card), default=None)

    @cached_property
    def drawing(self) -> float:
        """Return the expected saving from the next drawn card."""
        worst = self.worth(self.worst) if self.worst else 0.0
        return fsum(max(0.0, worst - drawn) for drawn in self.unseen) / max(1, len(self.unseen))


# Flipping, in a race or sealed


def flips(mind: Mind, offered: dict[str, tuple[str, ...]]) -> list[Thought]:
    """Return the flips that are certain and gain something: of the bot's own cards, and of others'
    cards in order to give one away.
    """
    if mind.top is None or "flip" not in offered:
        return []
    onto = rank_of(mind.top)
    matching = [p for p in offered["flip"] if p in mind.known and rank_of(mind.known[p]) == onto]
    found = []
    for place in matching:
        is_own = WHERE[place][0] == mind.seat
        worth = mind.worth(place) if is_own else worth_of_anothers_flip(mind, place)
        if worth > 0:
            move = Move(mind.seat, "flip", (place,))
            facts = {"place": place, "onto": mind.top, "points": about(worth)}
            found.append(thought(move, worth, "flip_own" if is_own else "flip_other", **facts))
    return best_first(found)


def worth_of_anothers_flip(mind: Mind, place: Place) -> float:
    """Return the points saved by flipping another player's card and giving the bot's worst one in
    return.

    It is 0 if that clearly helps the other player more; an easy bot never considers it.
    """
    if mind.level == Level.EASY or not mind.worst:
        return 0.0
    given, theirs = mind.worth(mind.worst), mind.worth(place)
    return given if given > theirs - MOST_HELPED else 0.0


def passed(mind: Mind, move: Move | None) -> Thought:
    """Return the thought of not flipping."""
    return thought(move, 0.0, "no_flip", onto=mind.top)


# A turn


def turn_thoughts(mind: Mind, offered: dict[str, tuple[str, ...]], rng: Rng) -> list[Thought]:
    """Return the thoughts about the current decision, best first."""
    stages: tuple[tuple[str, Callable[[], list[Thought]]], ...] = (
        ("give", lambda: gifts(mind, offered["give"])),
        ("look", lambda: looks(mind, rng.shuffled(offered["look"]))),
        ("swap", lambda: swaps(mind, offered["swap"])),
        ("skip", list),
        ("discard", lambda: with_drawn_card(mind, offered)),
        ("replace", lambda: replacements(mind, offered["replace"])),
        ("kaboom", lambda: first_moves(mind, offered, rng)),
        ("take", lambda: first_moves(mind, offered, rng)),
        ("draw", lambda: first_moves(mind, offered, rng)),
    )
    found = next((think() for verb, think in stages if verb in offered), [])
    if "skip" in offered:
        found.append(thought(Move(mind.seat, "skip"), 0.0, "skip"))
    return best_first(found)


def first_moves(mind: Mind, offered: dict[str, tuple[str, ...]], rng: Rng) -> list[Thought]:
    """Return the thoughts about calling kaboom, taking the top card and drawing."""
    found = []
    if "take" in offered and mind.top:
        place = mind.best_place(mind.top)
        assert place
        gain = mind.gain(place, mind.top)
        kind, facts = put("take", mind, place, mind.top)
        found.append(thought(Move(mind.seat, "take"), gain - TAKE_MARGIN, kind, **facts))
    if "draw" in offered:
        drawing = mind.drawing
        move = Move(mind.seat, "draw")
        found.append(thought(move, drawing, "draw", points=about(drawing)))
    found = best_first(found)
    if "kaboom" not in offered:
        return found
    calling = call(mind, found, rng)
    if found and calling.reason and calling.reason.kind == "think.not_yet":
        found[0] = with_warning(found[0], calling.reason)
    return [*found, calling]


def with_warning(best: Thought, warning: Saying) -> Thought:
    """Return a thought that also explains why kaboom is not called yet."""
    assert best.reason
    kind = f"{best.reason.kind}_not_yet"
    return Thought(best.move, best.worth, Saying(kind, best.reason.facts | warning.facts))


def call(mind: Mind, others: Sequence[Thought], rng: Rng) -> Thought:
    """Return the thought about calling kaboom, compared with the best other move.

    Calling is better if the bot is lowest in enough of the imagined deals. The difference is the
    surplus share times the penalty for a wrong call.
    """
    mine = mind.expected(mind.seat)
    facts = {"sum": round(mine)}
    ahead = others[0].worth if others else 0.0
    move = Move(mind.seat, "kaboom")
    if not others:
        return thought(move, ahead, "call_must", **facts)
    if mine <= SURELY_LOW:
        return thought(move, ahead + DECLARER_FINE, "call_low", **facts)
    if mine > MOST_TO_CALL:
        return thought(move, ahead - DECLARER_FINE, "too_much", **facts)
    if mind.level == Level.EASY:
        kind = "call_low" if mine <= EASY_CALL else "too_much"
        return thought(move, ahead + EASY_CALL + 0.5 - mine, kind, **facts)
    lowest = share_of_lowest(mind, Random(rng.randrange(1 << 32)))
    worth = ahead + DECLARER_FINE * (lowest - enough(mind))
    kind = "call" if worth > ahead else "not_yet"
    return thought(move, worth, kind, share=round(SCALE * lowest), **facts)


def enough(mind: Mind) -> float:
    """Return the share of imagined deals in which the bot must be lowest."""
    if mind.level != Level.HARD:
        return SURE_ENOUGH
    others = (mind.expected(seat) for seat in range(len(mind.cards)) if seat != mind.seat)
    return HURRY if min(others) <= CLOSE else NO_HURRY


def share_of_lowest(mind: Mind, guess: Random) -> float:
    """Return the share of imagined deals in which the bot is lowest after the last turns of
    the others.
    """
    others = [seat for seat in range(len(mind.cards)) if seat != mind.seat]
    hidden = mind.unknown([*mind.own, *mind.others])
    needed = len(hidden) + len(others)
    signs = [mind.memory.signs.get(p) if WHERE[p][0] != mind.seat else None for p in hidden]
    needed += sum(sign is not None for sign in signs)
    unseen = mind.unseen * (1 + needed // max(1, len(mind.unseen)))
    known = {place: points(card) for place, card in mind.known.items()}
    low = 0
    for _ in range(mind.deals):
        deal = guess.sample(unseen, needed)
        lying = dict(known)
        for place, sign in zip(hidden, signs, strict=True):
            lying[place] = card = deal.pop()
            if sign:  # the worse of two cards was given away, the better one kept
                other = deal.pop()
                lying[place] = max(card, other) if sign == GIVEN else min(card, other)
        mine = sum(lying[place] for place in mind.own)
        for seat in others:
            theirs = [lying[place] for place in mind.cards[seat]]
            better = max(0, max(theirs, default=0) - deal.pop())
            if sum(theirs) - better < mine:
                break
        else:
            low += 1
    return low / mind.deals


def with_drawn_card(mind: Mind, offered: dict[str, tuple[str, ...]]) -> list[Thought]:
    """Return the thoughts about using, keeping and discarding a drawn card."""
    card = mind.held
    assert card
    chain = CHAIN * mind.matching(card)
    kind, facts = why_discard(mind, card)
    found = [thought(Move(mind.seat, "discard"), chain, kind, card=card, **facts)]
    place = mind.best_place(card) if "keep" in offered else None
    if place:
        kind, facts = put("keep", mind, place, card)
        found.append(thought(Move(mind.seat, "keep"), mind.gain(place, card), kind, **facts))
    if "use" in offered and (use := ability(mind, card)):
        ahead = max(0.0, *(each.worth for each in found))  # both are still possible
        found.append(Thought(Move(mind.seat, "use"), ahead + use.worth, use.reason))
    return best_first(found)


def put(verb: str, mind: Mind, place: Place, card: Card) -> tuple[str, dict[str, object]]:
    """Return the reason to put a card at one of the bot's own places.

    The reason is that points are saved at once, that one of the bot's cards can then be flipped
    onto the replaced one, that a known card replaces an unknown one of about the same points, or
    that nothing is gained.
    """
    saved, old = mind.saved(place, card), mind.known.get(place)
    facts: dict[str, object] = {"card": card, "place": place}
    if saved >= LEAST_SAID:
        return verb, facts | {"points": about(saved)}
    if old and (matching := mind.matching(old, without=place)):
        return f"{verb}_and_flip", facts | {"points": about(matching)}
    if old is None and saved > -LEAST_SAID:
        return f"{verb}_known", facts
    return f"{verb}_no", facts


def why_discard(mind: Mind, card: Card) -> tuple[str, dict[str, object]]:
    """Return the reason to discard a drawn card.

    The reason is that a card of the same rank can be flipped onto it, that a higher known card is
    kept because it may be flipped later, or that the drawn card saves nothing.
    """
    if matching := mind.matching(card):
        return "discard_and_flip", {"points": about(matching)}
    higher = max(mind.own, key=lambda place: mind.saved(place, card), default=None)
    if higher is None or mind.saved(higher, card) < LEAST_SAID:
        return "discard", {}
    return ("discard_in_hope" if higher in mind.known else "discard_blind"), {"place": higher}


def replacements(mind: Mind, places: Sequence[Place]) -> list[Thought]:
    """Return the thoughts about each card that the drawn card could replace."""
    card = mind.held
    assert card
    found = []
    for place in places:
        kind, facts = put("replace", mind, place, card)
        move = Move(mind.seat, "replace", (place,))
        found.append(thought(move, mind.gain(place, card), kind, **facts))
    return best_first(found)


def gifts(mind: Mind, places: Sequence[Place]) -> list[Thought]:
    """Return the thoughts about giving away each card that has points, and about giving no card."""
    found = [
        thought(
            Move(mind.seat, "give", (place,)),
            mind.worth(place),
            "give",
            place=place,
            points=about(mind.worth(place)),
        )
        for place in places
        if mind.worth(place) > 0
    ]
    return best_first([*found, thought(Move(mind.seat, "no_give"), 0.0, "no_give")])


# Abilities


def ability(mind: Mind, card: Card) -> Thought | None:
    """Return the best use of a card's ability, without its move, or None."""
    kind = ability_of(card)
    if kind == "swap":
        pair = best_swap(mind, mind.own, mind.others)
        return thought(None, pair[2], "swap", **swap_facts(pair)) if pair else None
    own, others = mind.unknown(mind.own), mind.unknown(mind.others)
    if own and kind in ("own", "any"):
        return thought(None, OWN_LOOK, "use_on_own", card=card)
    if others and kind in ("other", "any") and mind.level != Level.EASY:
        return thought(None, OTHER_LOOK, "use_on_other", card=card)
    return None


def looks(mind: Mind, places: Sequence[Place]) -> list[Thought]:
    """Return the thoughts about looking at each unknown card, the bot's own cards first."""
    found = []
    for place in mind.unknown(places):
        owner = WHERE[place][0]
        move = Move(mind.seat, "look", (place,))
        if owner == mind.seat:
            found.append(thought(move, OWN_LOOK, "look_own", place=place))
        else:  # the lowest player is the one to beat
            worth = OTHER_LOOK * (1 + 1 / (1 + max(0.0, mind.expected(owner))))
            found.append(thought(move, worth, "look_other", place=place))
    return best_first(found)


Swap = tuple[Place, Place, float]  # a card of the bot's, one of another player's, points saved


def best_swap(mind: Mind, own: Sequence[Place], others: Sequence[Place]) -> Swap | None:
    """Return the swap of one of the bot's cards with another player's that saves the most, if it is
    worthwhile.
    """
    mine = max(own, key=mind.worth, default=None)
    theirs = min(others, key=mind.worth, default=None)
    if mine is None or theirs is None:
        return None
    saved = mind.worth(mine) - mind.worth(theirs)
    return (mine, theirs, saved) if saved >= LEAST_SWAP else None


def swap_facts(swap: Swap) -> dict[str, object]:
    """Return the facts that the reason for a swap states."""
    mine, theirs, saved = swap
    return {"mine": mine, "theirs": theirs, "points": about(saved)}


def swaps(mind: Mind, options: Sequence[Place]) -> list[Thought]:
    """Return the thoughts about the next card of a swap: first the bot's bad one, then a good one.

    A person the bot replaces may have begun the swap in the other order.
    """
    picks = mind.facts["picks"]
    own = [place for place in options if WHERE[place][0] == mind.seat]
    others = [place for place in options if WHERE[place][0] != mind.seat]
    gives = not picks or WHERE[picks[0]][0] != mind.seat  # one of the bot's cards is to be selected
    if gives:
        pairs = [best_swap(mind, [place], picks or others) for place in own]
    else:
        pairs = [best_swap(mind, picks, [place]) for place in others]
    found = []
    for pair in filter(None, pairs):
        mine, theirs, saved = pair
        move = Move(mind.seat, "swap", (mine if gives else theirs,))
        found.append(thought(move, saved, "swap", **swap_facts(pair)))
    return best_first(found)


BOT = Bot(Memory, notice, weigh, bound=1.5, redealt=redealt)
