"""The Karata bot: it sheds its hand, keeps its aces, and goes out on a card it asked for."""

from collections.abc import Iterable, Sequence
from itertools import islice

from msgspec import Struct

from kaboom.core.bot import Bot, Level, Thought, sure
from kaboom.core.cards import SUITS, Card, is_joker, rank_of, suit_of
from kaboom.core.chance import Chance
from kaboom.core.moves import Move, Seat
from kaboom.core.play import Event
from kaboom.core.views import DOWN, EMPTY, Prompt, View
from kaboom.games.karata.house import House, points_of
from kaboom.games.karata.options import Options
from kaboom.games.karata.plays import (
    Effect,
    Facing,
    effect_of,
    finishes,
    first_card_breaks,
    forbidden_finish,
    legal_plays,
    link_breaks,
    may_declare,
)

MOST_PLAYS = 3000  # of a long hand of questions; the short plays come first

KEPT_ACE = 1.1  # turns an ace in hand is worth: it blocks a bomb or calls the last card
FINISH = 6.0  # turns a certain win next turn is worth
CUT = 18  # points in hand with which it is likely enough to hold the lowest


class Memory(Struct):
    """Nothing: all that matters is on the table."""


def notice(memory: Memory, event: Event, seat: Seat) -> None:
    """Hear an event; the view says it all again."""


def choose(memory: Memory, view: View, prompt: Prompt, chance: Chance) -> Move | None:
    """Return the best move by a short look ahead."""
    me = prompt.seat
    hand = hand_of(view, me)
    if prompt.offer("draw"):
        cards = best_play(view, me, legal_plays(house_in(view), facing_in(view), hand))
        return Move(me, "lay", cards) if cards else Move(me, "draw")
    if drawn := prompt.offer("lay_drawn"):
        plays = legal_plays(house_in(view), facing_in(view), drawn.options)
        cards = best_play(view, me, plays, drawing=0)
        return Move(me, "lay_drawn", cards) if cards else Move(me, "keep")
    if prompt.offer("no_request"):
        return wish(view, prompt)
    if prompt.offer("last_card"):
        says = "yes" if closing(house_in(view), hand) else "no"
        return Move(me, "last_card", (says,))
    if prompt.offer("let"):
        stop = prompt.offer("stop")
        playable = stop.playable[:1] if stop else ()
        return Move(me, "stop", playable) if playable else Move(me, "let")
    if prompt.offer("ready"):
        return Move(me, "ready")
    return None


# What is on the table


def options_in(view: View) -> Options:
    """Return the options of the table, as its view tells them."""
    facts = view.facts
    told = ("fine", "joker_ignores_request", "strict_finish")
    return Options(**{name: facts[name] for name in told}, **facts.get("house", {}))


def house_in(view: View) -> House:
    """Return what the cards do at the table."""
    return options_in(view).house


def facing_in(view: View) -> Facing:
    """Return what a play faces, as the view tells it."""
    facts = view.facts
    two = len(facts["hand_counts"]) - len(facts["absent"]) == 2
    top, question = facts["top"], facts.get("question", False)
    return Facing(top, facts.get("ground", top), facts["pick"], facts["request"], question, two)


def hand_of(view: View, me: Seat) -> list[Card]:
    """Return the bot's own cards; it lays down whole rows and never builds one."""
    return [card for card in view.zone("hand", me).cards if card not in (DOWN, EMPTY)]


# Playing


def best_play(
    view: View, me: Seat, plays: Iterable[tuple[Card, ...]], drawing: float = 0.8
) -> tuple[Card, ...]:
    """Return the most promising of the plays, empty for none: drawing instead costs that much."""
    facts, options = view.facts, options_in(view)
    house = options.house
    hand = hand_of(view, me)
    last_card = facts["last_card"][me]
    waits = options.wait_cardless and any(
        count == 0
        for seat, count in enumerate(facts["hand_counts"])
        if seat != me and seat not in facts["absent"]
    )
    best: tuple[Card, ...] = ()
    most = -turns_left(house, hand) - drawing * (facts["pick"] or 1) - danger(view, me, None, ())
    for cards in islice(plays, MOST_PLAYS):
        if finishes(house, hand, cards, last_card) and not waits:
            return cards
        if options.strict_finish and forbidden_finish(house, hand, cards, last_card):
            continue
        worth = worth_of(view, me, hand, cards)
        if f"7{facts.get('cut_suit')}" in cards:
            left = sum(points_of(card) for card in hand if card not in cards)
            worth += (FINISH if left <= CUT else -FINISH) * (0 < left <= options.cut)
        if worth > most:
            best, most = cards, worth
    return best


def worth_of(view: View, me: Seat, hand: Sequence[Card], cards: tuple[Card, ...]) -> float:
    """Return what the position after this play is worth, in turns."""
    house = house_in(view)
    effect = effect_of(house, facing_in(view), cards)
    rest = [card for card in hand if card not in cards]
    if effect.draws:
        worth = -turns_left(house, rest) - 1.3
    elif not rest:
        worth = -2.2
    else:
        worth = -turns_left(house, rest)
        starts = closing(house, rest)
        if starts:
            worth += FINISH * readiness(view, me, cards[-1], effect, starts)
        elif effect.level == 2:
            worth += 1.0  # everybody else must draw until this seat plays what it asked for
        elif effect.level:
            worth += 0.4
    return worth + 0.08 * effect.pick - danger(view, me, effect, cards)


# How far it is to the end


def turns_left(house: House, hand: Sequence[Card]) -> float:
    """Return about how many turns it takes to get rid of the hand, last card included."""
    asking = [card for card in hand if card in house.questions]
    others = [card for card in hand if card not in house.questions]
    alone = {rank_of(card): card for card in others} if house.in_sets else dict(enumerate(others))
    turns = sum(turns_of(house, card) for card in alone.values())
    turns -= KEPT_ACE * min(sum(house.worth.get(card, 0) for card in hand), 2)
    turns += 0.15 * sum(card not in house.aces for card in others)
    for question in asking:  # answered, it goes down together with its answer
        rest = [card for card in hand if card != question]
        answered = any(link_breaks(house, question, card) is None for card in rest)
        turns += 0.15 if answered else 1.5
    return turns


def turns_of(house: House, card: Card) -> float:
    """Return about how many turns it takes to get rid of a card that is alone in its face."""
    if card in house.aces or is_joker(card):
        return 0.6
    return 0.8 if card in house.jumps else 0.9 if card in house.kickbacks else 1.0


def closing(house: House, hand: Sequence[Card]) -> list[Card]:
    """Return the cards a winning play of the whole hand could begin with."""
    if house.call != "none" and not may_declare(house, hand):
        return []
    ending = [card for card in hand if card in house.endings]
    questions = [card for card in hand if card in house.questions]
    together = {rank_of(card) for card in ending} if house.in_sets else ending
    if len(ending) + len(questions) < len(hand) or len(together) != 1:
        return []
    if not questions:
        return ending
    return [card for card in questions if chain(house, card, questions, ending)]


def chain(house: House, first: Card, questions: Sequence[Card], ending: Sequence[Card]) -> bool:
    """Say whether the questions can be linked, from `first` on, to end in a card that wins."""
    others = [card for card in questions if card != first]
    if not others:
        return any(link_breaks(house, first, card) is None for card in ending)
    return any(
        chain(house, card, others, ending)
        for card in others
        if link_breaks(house, first, card) is None
    )


def readiness(view: View, me: Seat, last: Card, effect: Effect, starts: Sequence[Card]) -> float:
    """Return roughly how likely it is that one of the starts can be played next turn."""
    house = house_in(view)
    if landing(view, me, effect) == me:
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
        same *= 2  # a player who picks leaves the top card as it is
    return min(0.1 + 0.2 * len(suits) + same, 0.9)


# Who comes next


def landing(view: View, me: Seat, effect: Effect | None) -> Seat:
    """Return the seat whose turn comes after this play (None: after drawing)."""
    facts = view.facts
    seats = len(facts["hand_counts"])
    direction = facts["direction"]
    if effect and effect.reverses:
        direction = -direction
    seat, steps = me, effect.steps if effect else 1
    while steps:
        seat = (seat + direction) % seats
        steps -= seat not in facts["absent"]
    return seat


def danger(view: View, me: Seat, effect: Effect | None, cards: Sequence[Card]) -> float:
    """Return what the next player may do to this seat, in turns."""
    facts = view.facts
    target = landing(view, me, effect)
    if target == me:
        return -1.0  # a turn more
    count = facts["hand_counts"][target]
    if not facts["last_card"][target]:
        return 0.4 if count <= 2 and not (effect and effect.pick) else 0.0
    if effect is None:
        return 1.0 if facts["request"] else 1.8
    if effect.pick or effect.level == 2:
        return 0.0  # without an ace or a bomb there is no way out
    if effect.level or effect.request:
        return 0.8
    return 1.8


# Asking


def wish(view: View, prompt: Prompt) -> Move:
    """Ask for the card that starts the bot's finish, or the best play its hand has left."""
    me = prompt.seat
    house, hand = house_in(view), hand_of(view, me)
    if not hand:
        return Move(me, "no_request")
    card = next(iter(sorted(closing(house, hand), key=lambda c: -same_suit(hand, c))), None)
    if card is None:
        card = max(hand, key=lambda each: start_value(house, hand, each))
    if prompt.offer("card") and card not in house.aces:
        return Move(me, "card", (card,))
    if suit_of(card) in SUITS:
        return Move(me, "suit", (suit_of(card),))
    return Move(me, "no_request")


def same_suit(hand: Sequence[Card], card: Card) -> int:
    """Return how many cards of the hand share the card's suit."""
    return sum(suit_of(other) == suit_of(card) for other in hand)


def start_value(house: House, hand: Sequence[Card], card: Card) -> float:
    """Return how good this card is to begin the next turn with."""
    faces = Facing(card, card, request=card)
    longest = max(map(len, islice(legal_plays(house, faces, hand), 200)), default=0)
    kept = 5 if card in house.aces or is_joker(card) else 0
    return longest + 0.3 * same_suit(hand, card) - kept


def weigh(
    memory: Memory, view: View, prompt: Prompt, chance: Chance, level: Level
) -> Sequence[Thought]:
    """Return what the bot would do."""
    return sure(choose(memory, view, prompt, chance))


BOT = Bot(Memory, notice, weigh)
