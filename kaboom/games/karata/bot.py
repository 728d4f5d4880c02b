"""The Karata bot: it sheds its hand, keeps its aces, and goes out on a card it asked for."""

from collections.abc import Sequence
from itertools import islice

from msgspec import Struct

from kaboom.core.cards import SUITS, Card, is_joker, rank_of, suit_of
from kaboom.core.chance import Chance
from kaboom.core.game import Bot
from kaboom.core.moves import Move, Seat
from kaboom.core.play import Event
from kaboom.core.views import DOWN, EMPTY, Prompt, View
from kaboom.games.karata.plays import (
    Effect,
    alike,
    effect_of,
    finishes,
    first_card_breaks,
    forbidden_finish,
    is_ace,
    is_plain,
    is_question,
    legal_plays,
    link_breaks,
    may_declare,
)

MOST_PLAYS = 3000  # of a long hand of questions; the short plays come first

# About how many turns it takes to get rid of a card that is alone in its face.
TURNS = {"A": 0.6, "J*": 0.6, "2": 1.0, "3": 1.0, "J": 0.8, "K": 0.9}
KEPT_ACE = 1.1  # turns an ace in hand is worth: it blocks a bomb or calls the last card
FINISH = 6.0  # turns a certain win next turn is worth


class Memory(Struct):
    """Nothing: all that matters is on the table."""


def notice(memory: Memory, event: Event, seat: Seat) -> None:
    """Hear an event; the view says it all again."""


def choose(memory: Memory, view: View, prompt: Prompt, chance: Chance) -> Move | None:
    """Return the best move by a short look ahead."""
    me = prompt.seat
    if prompt.offer("draw"):
        cards = best_play(view, me)
        return Move(me, "lay", cards) if cards else Move(me, "draw")
    if prompt.offer("no_request"):
        return wish(view, prompt)
    if prompt.offer("last_card"):
        return Move(me, "last_card", ("yes" if closing(hand_of(view, me)) else "no",))
    if prompt.offer("ready"):
        return Move(me, "ready")
    return None


def hand_of(view: View, me: Seat) -> list[Card]:
    """Return the bot's own cards; it lays down whole rows and never builds one."""
    return [card for card in view.zone("hand", me).cards if card not in (DOWN, EMPTY)]


def best_play(view: View, me: Seat) -> tuple[Card, ...]:
    """Return the most promising play, empty for drawing."""
    facts = view.facts
    hand = hand_of(view, me)
    last_card = facts["last_card"][me]
    best: tuple[Card, ...] = ()
    most = -turns_left(hand) - 0.8 * (facts["pick"] or 1) - danger(view, me, None, ())
    plays = legal_plays(
        hand, facts["top"], facts["pick"], facts["request"], facts["joker_ignores_request"]
    )
    for cards in islice(plays, MOST_PLAYS):
        if finishes(hand, cards, last_card):
            return cards
        if facts["strict_finish"] and forbidden_finish(hand, cards, last_card):
            continue
        worth = worth_of(view, me, hand, cards)
        if worth > most:
            best, most = cards, worth
    return best


def worth_of(view: View, me: Seat, hand: Sequence[Card], cards: tuple[Card, ...]) -> float:
    """Return what the position after this play is worth, in turns."""
    facts = view.facts
    effect = effect_of(facts["pick"], facts["request"], cards)
    rest = [card for card in hand if card not in cards]
    if effect.draws:
        worth = -turns_left(rest) - 1.3
    elif not rest:
        worth = -2.2
    else:
        worth = -turns_left(rest)
        starts = closing(rest)
        if starts:
            worth += FINISH * readiness(view, me, cards[-1], effect, starts)
        elif effect.level == 2:
            worth += 1.0  # everybody else must draw until this seat plays what it asked for
        elif effect.level:
            worth += 0.4
    return worth + 0.08 * effect.pick - danger(view, me, effect, cards)


# How far it is to the end


def turns_left(hand: Sequence[Card]) -> float:
    """Return about how many turns it takes to get rid of the hand, last card included."""
    faces = {rank_of(card) for card in hand if not is_question(card)}
    turns = sum(TURNS.get(face, 1.0) for face in faces)
    turns -= KEPT_ACE * min(sum(2 if card == "AS" else 1 for card in hand if is_ace(card)), 2)
    turns += 0.15 * sum(1 for card in hand if not is_question(card) and not is_ace(card))
    for question in hand:
        if is_question(question):  # answered, it goes down together with its answer
            answered = any(link_breaks(question, card) is None for card in hand if card != question)
            turns += 0.15 if answered else 1.5
    return turns


def closing(hand: Sequence[Card]) -> list[Card]:
    """Return the cards a winning play of the whole hand could begin with."""
    if not may_declare(hand):
        return []
    plain = [card for card in hand if is_plain(card)]
    questions = [card for card in hand if is_question(card)]
    if not plain or len({rank_of(card) for card in plain}) > 1:
        return []
    if not questions:
        return plain
    return [card for card in questions if chain(card, questions, plain)]


def chain(first: Card, questions: Sequence[Card], plain: Sequence[Card]) -> bool:
    """Say whether the questions can be linked, from `first` on, to end in a plain card."""
    others = [card for card in questions if card != first]
    if not others:
        return any(alike(first, card) for card in plain)
    return any(chain(card, others, plain) for card in others if alike(first, card))


def readiness(view: View, me: Seat, last: Card, effect: Effect, starts: Sequence[Card]) -> float:
    """Return roughly how likely it is that one of the starts can be played next turn."""
    if landing(view, me, effect) == me:
        fits = any(first_card_breaks(card, last, 0, effect.request) is None for card in starts)
        return 1.0 if fits or effect.level else 0.0
    if effect.level:
        return 0.85 if effect.level == 2 else 0.75
    if effect.request:
        open_to = [card for card in starts if card == effect.request]
        return 0.8 if open_to else 0.5 if any(suit_of(c) == effect.request for c in starts) else 0.1
    suits = {suit_of(card) for card in starts}
    same = 0.25 if suit_of(last) in suits or is_ace(last) or is_joker(last) else 0.0
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
    hand = hand_of(view, me)
    if not hand:
        return Move(me, "no_request")
    card = next(iter(sorted(closing(hand), key=lambda c: -same_suit(hand, c))), None)
    if card is None:
        card = max(hand, key=lambda each: start_value(hand, each))
    if prompt.offer("card") and not is_ace(card):
        return Move(me, "card", (card,))
    if suit_of(card) in SUITS:
        return Move(me, "suit", (suit_of(card),))
    return Move(me, "no_request")


def same_suit(hand: Sequence[Card], card: Card) -> int:
    """Return how many cards of the hand share the card's suit."""
    return sum(suit_of(other) == suit_of(card) for other in hand)


def start_value(hand: Sequence[Card], card: Card) -> float:
    """Return how good this card is to begin the next turn with."""
    longest = max(map(len, islice(legal_plays(hand, card, 0, card), 200)), default=0)
    return longest + 0.3 * same_suit(hand, card) - (5 if is_ace(card) or is_joker(card) else 0)


BOT = Bot(memory=Memory, notice=notice, choose=choose)
