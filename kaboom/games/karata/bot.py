"""The Karata bot: it sheds its hand, keeps its aces, and finishes with a card it has requested.

Values are in turns: the expected number of turns saved on the way to an empty hand.
"""

from collections.abc import Sequence
from functools import cached_property
from math import fsum
from typing import NamedTuple

from msgspec import Struct

from kaboom.engine.bots.bot import Bot, Level, Thought, best_first, sure
from kaboom.engine.moves import Move, Seat
from kaboom.engine.play import Event
from kaboom.engine.rng import Rng
from kaboom.engine.toolkit.cards import SUITS, Card, is_joker, rank_of, suit_of
from kaboom.engine.views import DOWN, EMPTY, Prompt, Saying, View
from kaboom.games.karata.going_out import Row, closing, ways_out
from kaboom.games.karata.house import House, house_of, points_of
from kaboom.games.karata.legal_plays import (
    Effect,
    Facing,
    effect_of,
    ends_open,
    finishes,
    first_card_breaks,
    following,
    forbidden_finish,
    link_breaks,
    reached,
)
from kaboom.games.karata.options import Options

MOST_PLAYS = 300  # rows tried with a long hand of questions
MOST_THOUGHTS = 12
MANY = 54  # cards: more than any hand has

WIN = 100.0
FINISH = 6.0  # turns that a certain win next turn is worth
HOPE = 1.0  # the same, to a player who ignores whether the others will prevent it
FORGOTTEN = 0.5  # turns lost by not saying last card, a mistake that people make
IN_VAIN = 2.2  # turns lost by going out without winning
PAIR = 2  # maximum number of cards that a beginner plays together
CUT = 18  # points in hand that are probably the lowest


class Costs(NamedTuple):
    """What a player is willing to pay for waiting, in turns."""

    drawing: float  # the cost of drawing a card
    kept_ace: float  # the value of an ace in hand: it blocks a bomb or requests the last card


# Waiting for the right moment pays only for a player who watches what the others may do.
PATIENT, HASTY = Costs(drawing=0.2, kept_ace=1.5), Costs(drawing=0.8, kept_ace=1.1)
# Most people expect the end, and say last card, when they hold one card. Noticing that several
# cards can be played together is harder.
ENDS_SEEN = {Level.EASY: 1, Level.NORMAL: 1}  # cards in hand


class Memory(Struct):
    """Nothing needs to be remembered, because all that matters is on the table."""


def notice(memory: Memory, event: Event, seat: Seat) -> None:
    """Do nothing: the view contains everything."""


def weigh(memory: Memory, view: View, prompt: Prompt, rng: Rng, level: Level) -> Sequence[Thought]:
    """Return the moves to consider, judged by a short look ahead."""
    me = prompt.seat
    at = Table(view, me, level)
    if prompt.offer("draw"):
        return plays(at, at.hand, "lay", thought(at, "draw", (), at.drawing, "draw"))
    if drawn := prompt.offer("lay_drawn"):
        keep = thought(at, "keep", (), at.standing, "keep")
        return plays(at, drawn.options, "lay_drawn", keep)
    if prompt.offer("no_request"):
        return wishes(at, prompt)
    if prompt.offer("last_card"):
        if not at.closing(at.hand):
            return [thought(at, "last_card", ("no",), 0.0, "not_last_card")]
        yes = thought(at, "last_card", ("yes",), 0.0, "last_card")
        return [yes, thought(at, "last_card", ("no",), -FORGOTTEN, "hide_last_card")]
    if prompt.offer("let"):
        stop = prompt.offer("stop")
        playable = stop.playable[:1] if stop else ()
        passing = thought(at, "let", (), 0.0, "let" if playable else "let_must")
        stopping = [thought(at, "stop", (card,), 1.0, "stop_with", card=card) for card in playable]
        return [*stopping, passing]
    return sure(Move(me, "ready")) if prompt.offer("ready") else []


def thought(
    at: "Table", verb: str, choices: Sequence[str], worth: float, kind: str, **facts: object
) -> Thought:
    """Return a thought with its reason in words."""
    return Thought(Move(at.me, verb, tuple(choices)), worth, Saying(f"think.{kind}", facts))


# The cards on the table


class Table:
    """The table as seen from the bot's seat."""

    def __init__(self, view: View, me: Seat, level: Level) -> None:
        self.me = me
        self.level = level
        self.costs = PATIENT if level == Level.HARD else HASTY
        self.facts = facts = view.facts
        self.counts: Sequence[int] = facts["hand_counts"]
        told = ("fine", "joker_ignores_request", "strict_finish")
        here = {name: facts[name] for name in told}
        self.options = Options(**here, **facts.get("house", {}))
        self.house = house_of(self.options)
        # The bot plays whole rows and never builds one card by card; a player with a hint may have.
        shown = view.zone("hand", me)
        cards = shown.places or shown.cards
        self.hand = [card for card in cards if card not in (DOWN, EMPTY)]
        self.row = view.zone("row", me).cards
        two = len(self.counts) - len(facts["absent"]) == 2
        top, question = facts["top"], facts.get("question", False)
        ground = facts.get("ground", top)
        self.facing = Facing(top, ground, facts["pick"], facts["request"], question, two)

    def closing(self, hand: Sequence[Card]) -> list[Card]:
        """Return the cards that can start a winning play of the whole hand, as far as the
        level notices.
        """
        return closing(self.house, hand) if len(hand) <= ENDS_SEEN.get(self.level, MANY) else []

    @property
    def standing(self) -> float:
        """Return the value of the current hand when the turn passes."""
        return -turns_left(self, self.hand) - danger(self, None)

    @property
    def drawing(self) -> float:
        """Return the value of drawing the required cards."""
        return self.standing - self.costs.drawing * (self.facing.pick or 1)

    @cached_property
    def waits(self) -> bool:
        """Return True if no player can win now, because another player has no cards."""
        return self.options.wait_cardless and any(
            count == 0
            for seat, count in enumerate(self.counts)
            if seat != self.me and seat not in self.facts["absent"]
        )


# Playing


def plays(at: Table, cards: Sequence[Card], verb: str, otherwise: Thought) -> list[Thought]:
    """Return the thoughts about legal plays of these cards, and the thought `otherwise`."""
    found = [weighed(at, row, verb) for row in rows(at, cards) if not forbidden(at, row)]
    if not found:
        kind = otherwise.reason.kind if otherwise.reason else ""
        return [Thought(otherwise.move, otherwise.worth, Saying(f"{kind}_must"))]
    found.append(otherwise)
    first, *others = best_first(found)[:MOST_THOUGHTS]
    return [from_the_row(at, explained(at, first, found)), *others]


def from_the_row(at: Table, best: Thought) -> Thought:
    """Return the best thought; if it is not how the row begins, the reason says to undo the row."""
    assert best.move and best.reason
    row, wanted = at.row, best.move.choices
    if best.move.verb != "lay" or row == wanted[: len(row)]:
        return best
    same = next(n for n, card in enumerate(row) if card not in wanted[n : n + 1])
    first = {"kind": best.reason.kind, "facts": best.reason.facts}
    undone = {"cards": row[same:], "does": [first]}
    return Thought(best.move, best.worth, Saying("think.take_back", undone))


def explained(at: Table, best: Thought, found: Sequence[Thought]) -> Thought:
    """Return the best thought, with its advantage if another play would leave a better hand."""
    assert best.move
    if best.reason is None or best.reason.kind != "think.play":
        return best
    row = best.move.choices
    effect = effect_of(at.house, at.facing, row)
    plays = [it.move.choices for it in found if it.move and it.move.verb == best.move.verb]
    if missed(at, row) <= min(missed(at, other) for other in plays):
        return best
    kind, facts = "play", best.reason.facts
    if effect.level:
        kind = "ask_next"
    elif danger(at, None) > danger(at, effect):
        kind, facts = "pass_by", {**facts, "next": landing(at, None)}
    return Thought(best.move, best.worth, Saying(f"think.{kind}", facts))


def missed(at: Table, row: Row) -> float:
    """Return the turns left after a play, including a card drawn for an open question."""
    rest = [card for card in at.hand if card not in row]
    return turns_left(at, rest) + effect_of(at.house, at.facing, row).draws


def forbidden(at: Table, row: Row) -> bool:
    """Return True if strict finish forbids a play."""
    called = at.facts["last_card"][at.me]
    return at.options.strict_finish and forbidden_finish(at.house, at.hand, row, called)


def weighed(at: Table, row: Row, verb: str) -> Thought:
    """Return the thought about a play."""
    called = at.facts["last_card"][at.me]
    if finishes(at.house, at.hand, row, called) and not at.waits:
        return thought(at, verb, row, WIN, "win", cards=row)
    effect = effect_of(at.house, at.facing, row)
    rest = [card for card in at.hand if card not in row]
    in_vain = IN_VAIN * (not rest and not effect.draws)
    if at.level == Level.EASY:
        worth = -abs(len(row) - PAIR) / 2 - in_vain
        return thought(at, verb, row, worth, "shed", cards=row, count=len(row))
    starts = at.closing(rest) if rest and not effect.draws else []
    if at.level == Level.NORMAL:  # minimise the turns, regardless of the others
        worth = -turns_left(at, rest) - effect.draws + HOPE * bool(starts) - in_vain
    else:
        worth = worth_of(at, row, effect, rest, starts)
    facts: dict[str, object] = {"cards": row}
    if f"7{at.facts.get('cut_suit')}" in row:
        left = sum(points_of(card) for card in rest)
        worth += (FINISH if left <= CUT else -FINISH) * (0 < left <= at.options.cut)
    after = landing(at, effect)
    if starts:
        return thought(at, verb, row, worth, "closing", **facts)
    if after != at.me and at.facts["last_card"][after] and (effect.pick or effect.request):
        return thought(at, verb, row, worth, "stand_in_the_way", next=after, **facts)
    if after == at.me:
        return thought(at, verb, row, worth, "again", **facts)
    if effect.pick:
        return thought(at, verb, row, worth, "bomb", next=after, count=effect.pick, **facts)
    if len(row) > 1:
        return thought(at, verb, row, worth, "shed", count=len(row), **facts)
    return thought(at, verb, row, worth, "play", **facts)


def rows(at: Table, cards: Sequence[Card]) -> list[Row]:
    """Return legal plays, at most MOST_PLAYS, which is enough for every play of a normal hand.

    Rows with the same cards and the same last card are equivalent, so only one of them is returned.
    With a long hand of questions, the longest rows come first, then the shortest.
    """
    house, facing = at.house, at.facing
    found: dict[tuple[frozenset[Card], Card], Row] = {}

    def keep(row: Row) -> bool:
        """Keep a row with a new effect; return True if it was kept."""
        does = frozenset(row), row[-1]
        if does in found:
            return False
        found[does] = row
        return True

    for start in following(house, facing, (), cards):
        row: Row = (start,)
        keep(row)
        if start in house.questions:
            for whole in ways_out(house, cards).values():
                if whole[0] == start:
                    keep(whole)
        while more := following(house, facing, row, cards):
            row = (*row, min(more, key=lambda card: onward(house, card, cards, row)))
            keep(row)
    growing = list(found.values())
    for row in growing:  # grows during the iteration
        if len(found) >= MOST_PLAYS:
            break
        for card in following(house, facing, row, cards):
            if keep(longer := (*row, card)):
                growing.append(longer)
    return [row for row in found.values() if not ends_open(house, row)][:MOST_PLAYS]


def onward(house: House, card: Card, cards: Sequence[Card], row: Row) -> tuple[bool, int]:
    """Return a sort key for the next card of a row, lowest for the best card: questions first, then
    cards with few followers.
    """
    links = sum(
        link_breaks(house, card, other) is None
        for other in cards
        if other != card and other not in row
    )
    return card not in house.questions, links


def worth_of(
    at: Table, row: Row, effect: Effect, rest: Sequence[Card], starts: Sequence[Card]
) -> float:
    """Return the value of the position after this play, in turns."""
    if effect.draws:
        worth = -turns_left(at, rest) - 1.3
    elif not rest:
        worth = -IN_VAIN
    else:
        worth = -turns_left(at, rest)
        if starts:
            worth += FINISH * readiness(at, row[-1], effect, starts)
        elif effect.level == 2:
            worth += 1.0  # all others must draw until this seat plays what it requested
        elif effect.level:
            worth += 0.4
    return worth + 0.08 * effect.pick - danger(at, effect)


# Distance to the end


def turns_left(at: Table, hand: Sequence[Card]) -> float:
    """Return the approximate number of turns to get rid of the hand, last card included."""
    house = at.house
    asking = [card for card in hand if card in house.questions]
    others = [card for card in hand if card not in house.questions]
    alone = {rank_of(card): card for card in others} if house.in_sets else dict(enumerate(others))
    turns = fsum(turns_of(house, card) for card in alone.values())
    turns -= at.costs.kept_ace * min(sum(house.worth.get(card, 0) for card in hand), 2)
    turns += 0.15 * sum(card not in house.aces for card in others)
    for question in asking:  # a question is played together with its answer
        rest = [card for card in hand if card != question]
        answered = any(link_breaks(house, question, card) is None for card in rest)
        turns += 0.15 if answered else 1.5
    return turns


def turns_of(house: House, card: Card) -> float:
    """Return the approximate number of turns to get rid of a card that is alone in its rank."""
    if card in house.aces or is_joker(card):
        return 0.6
    return 0.8 if card in house.jumps else 0.9 if card in house.kickbacks else 1.0


def readiness(at: Table, last: Card, effect: Effect, starts: Sequence[Card]) -> float:
    """Return the approximate probability that one of the starts can be played next turn."""
    house = at.house
    if landing(at, effect) == at.me:
        faces = Facing(last, last, request=effect.request)
        fits = any(first_card_breaks(house, faces, card) is None for card in starts)
        return 1.0 if fits or effect.level else 0.0
    if effect.level:
        return 0.85 if effect.level == 2 else 0.75
    if effect.request:
        open_to = [card for card in starts if card == effect.request]
        return 0.8 if open_to else 0.5 if any(suit_of(c) == effect.request for c in starts) else 0.1
    suits = {suit_of(card) for card in starts}
    same = 0.25 if suit_of(last) in suits or last in house.takes_anything else 0.0
    if effect.pick:
        same *= 2  # a player who draws the pick leaves the top card unchanged
    return min(0.1 + 0.2 * len(suits) + same, 0.9)


# The next player


def landing(at: Table, effect: Effect | None) -> Seat:
    """Return the seat whose turn comes after a play with this effect (None: after drawing)."""
    direction = at.facts["direction"]
    if effect and effect.reverses:
        direction = -direction
    steps = effect.steps if effect else 1
    return [at.me, *reached(at.me, direction, steps, len(at.counts), at.facts["absent"])][-1]


def danger(at: Table, effect: Effect | None) -> float:
    """Return the expected harm from the next player, in turns."""
    target = landing(at, effect)
    if target == at.me:
        return -1.0  # one more turn
    if at.level != Level.HARD:  # considers its own hand only
        return 0.0
    if not at.facts["last_card"][target]:
        return 0.4 if at.counts[target] <= 2 and not (effect and effect.pick) else 0.0
    if effect is None:
        return 1.0 if at.facts["request"] else 1.8
    if effect.pick or effect.level == 2:
        return 0.0  # without an ace or a bomb, there is no defence
    if effect.level or effect.request:
        return 0.8
    return 1.8


# Requests


def wishes(at: Table, prompt: Prompt) -> list[Thought]:
    """Return the requests to consider, best first: the start of the bot's finish, or of the best
    remaining play.
    """
    house, hand = at.house, at.hand
    starts = at.closing(hand) if at.level != Level.EASY else []

    def value(card: Card) -> float:
        return start_value(at, card) + WIN * (card in starts)

    found: dict[Move, Thought] = {}
    for card in sorted(hand, key=lambda card: -value(card)):
        if prompt.offer("card") and card not in house.aces:
            verb, wish = "card", card
        elif suit_of(card) in SUITS:
            verb, wish = "suit", suit_of(card)
        else:
            continue
        kind = "ask_to_finish" if card in starts else "ask"
        asked = thought(at, verb, (wish,), value(card), kind, request=wish)
        assert asked.move
        found.setdefault(asked.move, asked)
    nothing = thought(at, "no_request", (), -WIN, "ask_nothing")
    return [*found.values(), nothing]


def same_suit(hand: Sequence[Card], card: Card) -> int:
    """Return the number of cards in the hand of the card's suit."""
    return sum(suit_of(other) == suit_of(card) for other in hand)


def start_value(at: Table, card: Card) -> float:
    """Return the value of this card as the start of the next turn."""
    house, hand = at.house, at.hand
    row: Row = (card,)
    while more := following(house, at.facing, row, hand):
        row = (*row, min(more, key=lambda next_one: onward(house, next_one, hand, row)))
    kept = 5 if card in house.aces or is_joker(card) else 0
    return len(row) + 0.3 * same_suit(hand, card) - kept


BOT = Bot(Memory, notice, weigh, bound=0.8)
