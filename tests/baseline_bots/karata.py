"""Simple Karata players, and a population of rivals."""

from collections.abc import Mapping
from itertools import islice
from random import Random

from kaboom.engine.bots.bot import Bot, Level, Thought, sure
from kaboom.engine.moves import Choices, Move
from kaboom.engine.rng import Rng
from kaboom.engine.toolkit.cards import SUITS, suit_of
from kaboom.engine.views import Prompt, View
from kaboom.games.karata.bot import Memory, Table, notice
from kaboom.games.karata.legal_plays import following, legal_plays
from tests.baseline_bots.population import Idea

SEVERAL = 500  # plays considered with a long hand


def simple_answer(at: Table, prompt: Prompt, rng: Rng) -> list[Thought]:
    """Answer side questions: any suit in hand, always last card, accept every play."""
    if prompt.offer("no_request"):
        suits = [suit_of(card) for card in at.hand if suit_of(card) in SUITS]
        if suits:
            return sure(Move(at.me, "suit", (rng.choice(suits),)))
        return sure(Move(at.me, "no_request"))
    if prompt.offer("last_card"):
        return sure(Move(at.me, "last_card", ("yes",)))
    verb = next((verb for verb in ("let", "keep", "ready") if prompt.offer(verb)), "")
    return sure(Move(at.me, verb)) if verb else []


def laid(at: Table, row: Choices) -> list[Thought]:
    """Play the row, or draw if it is empty."""
    return sure(Move(at.me, "lay", row) if row else Move(at.me, "draw"))


def anything(memory: Memory, view: View, prompt: Prompt, rng: Rng, level: Level) -> list[Thought]:
    """Play random cards while one fits, stopping after each with a probability of one half."""
    at = Table(view, prompt.seat, level)
    if not prompt.offer("draw"):
        return simple_answer(at, prompt, rng)
    row: Choices = ()
    while more := following(at.house, at.facing, row, at.hand):
        row = (*row, rng.choice(more))
        if rng.randrange(2):
            break
    return laid(at, row)


def most(memory: Memory, view: View, prompt: Prompt, rng: Rng, level: Level) -> list[Thought]:
    """Play as many cards as possible."""
    at = Table(view, prompt.seat, level)
    if not prompt.offer("draw"):
        return simple_answer(at, prompt, rng)
    plays = islice(legal_plays(at.house, at.facing, at.hand), SEVERAL)
    return laid(at, max(plays, key=len, default=()))


ANYTHING = Bot(Memory, notice, anything)
GREEDY = Bot(Memory, notice, most)


# The population


def laying(weights: Mapping[str, float], noise: float, idle: int) -> Bot[Memory]:
    """Return a player who makes the highest-weighted play, and now and then draws. `length` is the
    weight of each card, `ace`, `bomb` and `question` of those cards, `same` of each remaining card
    in the last card's suit.
    """

    def weigh(memory: Memory, view: View, prompt: Prompt, rng: Rng, level: Level) -> list[Thought]:
        at = Table(view, prompt.seat, level)
        if not prompt.offer("draw"):
            return simple_answer(at, prompt, rng)
        plays = [*islice(legal_plays(at.house, at.facing, at.hand), SEVERAL)]
        if not plays or rng.randrange(100) < idle:
            return laid(at, ())

        def worth(row: Choices) -> float:
            found = weights["length"] * len(row) + noise * rng.randrange(100) / 100
            found += weights["ace"] * sum(card in at.house.aces for card in row)
            found += weights["question"] * sum(card in at.house.questions for card in row)
            found += weights["bomb"] * sum(card in at.house.bombs for card in row)
            kept = [card for card in at.hand if card not in row]
            return found + weights["same"] * sum(suit_of(it) == suit_of(row[-1]) for it in kept)

        return laid(at, max(plays, key=worth))

    return Bot(Memory, notice, weigh)


def by_lot(draw: Random) -> Bot[Memory]:
    """Make any play, of any length."""
    return ANYTHING


def by_length(draw: Random) -> Bot[Memory]:
    """Play as many cards as possible; break ties by preference."""
    ace, bomb = draw.uniform(-1, 1), draw.uniform(-1, 1)
    return laying({"length": 3, "ace": ace, "question": 0, "bomb": bomb,
                   "same": draw.uniform(0, 0.5)}, draw.choice((0, 1)), 0)  # fmt: skip


def by_thrift(draw: Random) -> Bot[Memory]:
    """Keep aces and bombs for later."""
    return laying({"length": 1, "ace": draw.uniform(-4, -1), "question": draw.uniform(-1, 0),
                   "bomb": draw.uniform(-3, 0), "same": draw.uniform(0, 1)}, 0.5, 0)  # fmt: skip


def by_attack(draw: Random) -> Bot[Memory]:
    """Play bombs and questions first."""
    return laying({"length": draw.uniform(0.2, 1), "ace": draw.uniform(-2, 1), "question": 1,
                   "bomb": draw.uniform(1, 4), "same": 0.3}, draw.choice((0, 2)), 0)  # fmt: skip


def by_mood(draw: Random) -> Bot[Memory]:
    """Choose between plays with noise, and sometimes draw needlessly."""
    return laying({"length": 1, "ace": -1, "question": 0, "bomb": 0, "same": 0.5},
                  draw.uniform(1, 4), draw.choice((0, 10, 20)))  # fmt: skip


IDEAS: Mapping[str, Idea] = {
    "random": by_lot,
    "length": by_length,
    "thrift": by_thrift,
    "attack": by_attack,
    "mood": by_mood,
}
