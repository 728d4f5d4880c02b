"""Plain ways to play Karata."""

from itertools import islice

from kaboom.engine.bots.bot import Bot, Level, Thought, sure
from kaboom.engine.moves import Choices, Move
from kaboom.engine.rng import Chance
from kaboom.engine.toolkit.cards import SUITS, suit_of
from kaboom.engine.views import Prompt, View
from kaboom.games.karata.bot import Memory, Table, notice
from kaboom.games.karata.plays import following, legal_plays

SEVERAL = 500  # plays of a long hand that are looked at


def simple_answer(at: Table, prompt: Prompt, chance: Chance) -> list[Thought]:
    """Answer what is asked beside a turn: any suit of the hand, always last card, let all pass."""
    if prompt.offer("no_request"):
        suits = [suit_of(card) for card in at.hand if suit_of(card) in SUITS]
        if suits:
            return sure(Move(at.me, "suit", (chance.one_of(suits),)))
        return sure(Move(at.me, "no_request"))
    if prompt.offer("last_card"):
        return sure(Move(at.me, "last_card", ("yes",)))
    verb = next((verb for verb in ("let", "keep", "ready") if prompt.offer(verb)), "")
    return sure(Move(at.me, verb)) if verb else []


def laid(at: Table, row: Choices) -> list[Thought]:
    """Lay the row, or draw where there is none."""
    return sure(Move(at.me, "lay", row) if row else Move(at.me, "draw"))


def anything(
    memory: Memory, view: View, prompt: Prompt, chance: Chance, level: Level
) -> list[Thought]:
    """Play as long as something fits, card by card at random; each time stop with one in two."""
    at = Table(view, prompt.seat, level)
    if not prompt.offer("draw"):
        return simple_answer(at, prompt, chance)
    row: Choices = ()
    while more := following(at.house, at.facing, row, at.hand):
        row = (*row, chance.one_of(more))
        if chance.below(2):
            break
    return laid(at, row)


def most(memory: Memory, view: View, prompt: Prompt, chance: Chance, level: Level) -> list[Thought]:
    """Play as many cards as possible."""
    at = Table(view, prompt.seat, level)
    if not prompt.offer("draw"):
        return simple_answer(at, prompt, chance)
    plays = islice(legal_plays(at.house, at.facing, at.hand), SEVERAL)
    return laid(at, max(plays, key=len, default=()))


ANYTHING = Bot(Memory, notice, anything)
GREEDY = Bot(Memory, notice, most)
