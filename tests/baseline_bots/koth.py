"""Simple King of the Hill players for the tricks, alone or as a whole side, and a population.

The bot itself declares, buries and calls, so that all of them play the same deals.
"""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random

from kaboom.engine.bots.bot import Bot, Level, Thought, sure
from kaboom.engine.bots.evaluate import Match, Player
from kaboom.engine.moves import Choices, Move, Seat
from kaboom.engine.rng import Rng
from kaboom.engine.toolkit.tricks import player_at
from kaboom.engine.views import Prompt, View
from kaboom.games.koth import GAME
from kaboom.games.koth.bot import BOT
from kaboom.games.koth.cards import card_points, trump_ranking
from kaboom.games.koth.memory import Memory, notice
from kaboom.games.koth.options import Options
from kaboom.games.koth.state import SEATS
from kaboom.games.koth.tricks import legal_plays, strength, winning_play
from tests.baseline_bots.population import Idea

ONE_ROUND = Options(end="rounds", rounds=1, deal_interval=0, pace="untimed")
HELD = 80  # points with which the challengers take the hill


def anything(memory: Memory, view: View, prompt: Prompt, rng: Rng, level: Level) -> list[Thought]:
    """Play any legal cards."""
    if prompt.offer("play") is None:
        return list(BOT.weigh(memory, view, prompt, rng, Level.HARD))
    return laid(prompt, rng.choice(legal(view)))


def basic(memory: Memory, view: View, prompt: Prompt, rng: Rng, level: Level) -> list[Thought]:
    """Lead the highest card, win as cheaply as possible, and give points to a known friend."""
    if prompt.offer("play") is None:
        return list(BOT.weigh(memory, view, prompt, rng, Level.HARD))
    facts = view.facts
    ranking = trump_ranking(facts["trump_rank"], facts["trump_suit"])
    plays = legal(view)
    lead = [played["cards"] for played in facts["trick"]]

    def cost(cards: Choices) -> tuple[int, int]:
        return card_points(cards), sum(ranking.powers[card] for card in cards)

    def cheap(cards: Choices) -> tuple[int, int]:
        return sum(ranking.powers[card] for card in cards), card_points(cards)

    if not lead:
        plain = [cards for cards in plays if ranking.suits[cards[0]] != ranking.trump]
        return laid(prompt, max(plain or plays, key=lambda cards: (len(cards), cheap(cards))))
    best = winning_play(ranking, lead)
    on_top = player_at(facts["leader"], best, SEATS)
    defending = (
        prompt.seat in facts["defenders"] or facts["called"] in view.zone("hand", prompt.seat).cards
    )
    if on_top in facts["defenders"] if defending else on_top not in facts["defenders"]:
        return laid(prompt, max(plays, key=lambda cards: (card_points(cards), -cheap(cards)[0])))
    top = strength(ranking, lead[0], lead[best])
    winning = [cards for cards in plays if strength(ranking, lead[0], cards) > top]
    return laid(prompt, min(winning, key=cheap) if winning else min(plays, key=cost))


def legal(view: View) -> list[Choices]:
    """Return the legal plays of the seat to move."""
    facts = view.facts
    ranking = trump_ranking(facts["trump_rank"], facts["trump_suit"])
    lead = facts["trick"][0]["cards"] if facts["trick"] else ()
    return legal_plays(ranking, view.zone("hand", view.viewer).cards, lead)


def laid(prompt: Prompt, cards: Choices) -> list[Thought]:
    """Return the single thought of playing these cards."""
    return sure(Move(prompt.seat, "play", tuple(cards)))


ANYTHING = Bot(Memory, notice, anything)
BASIC = Bot(Memory, notice, basic)


def defends(view: View, seat: Seat) -> bool:
    """Return True if a seat is on the king's side, including the holder of the called card."""
    facts = view.facts
    return seat in facts["defenders"] or facts["called"] in view.zone("hand", seat).cards


@dataclass
class Sides:
    """The results of a player as a whole side. `shares` are its wins as defenders and as
    challengers, `gained` its points minus its rivals' on the same deals, and the seconds are those
    of its decisions.
    """

    shares: list[float] = field(default_factory=list)
    gained: list[float] = field(default_factory=list)
    times: list[float] = field(default_factory=list)


def as_sides(hero: Player, rivals: Player, deals: Sequence[int]) -> Sides:
    """Return the results of `hero` as a whole side against a side of `rivals`."""
    found = Sides()
    for number in deals:
        won, scores = 0, []
        for defending in (True, False):
            both = Player(two_sides(hero, rivals, defending, found.times))
            match = Match(GAME, [both] * SEATS, ONE_ROUND, number.to_bytes(32, "big"))
            match.played()
            score = match.state.results[0].score
            won += (score < HELD) == defending
            scores.append(score)
        found.shares.append(won / 2)
        found.gained.append(scores[1] - scores[0])
    return found


def two_sides(hero: Player, rivals: Player, defending: bool, times: list[float]) -> Bot[Memory]:
    """Return a bot that plays like `hero` on one side and like its rivals on the other."""

    def weigh(memory: Memory, view: View, prompt: Prompt, rng: Rng, level: Level) -> list[Thought]:
        if prompt.offer("play") is None:
            return list(BOT.weigh(memory, view, prompt, rng, Level.HARD))
        player = hero if defends(view, prompt.seat) == defending else rivals
        assert player.bot
        began = time.thread_time()
        thought = player.bot.think(memory, view, prompt, rng, player.level)
        if player is hero:
            times.append(time.thread_time() - began)
        return [thought] if thought else []

    return Bot(Memory, notice, weigh)


# The population


@dataclass(frozen=True)
class Temper:
    """The parameters of a simple player; `slips` is the percentage of random plays."""

    leads_high: bool
    leads_trumps: bool
    worth_winning: int  # points in a trick that justify a high card
    spends: bool  # wins with its highest card rather than the lowest that wins
    feeds: bool  # gives points to a known friend
    slips: int


def player_of(temper: Temper) -> Bot[Memory]:
    """Return a simple player with these parameters."""

    def weigh(memory: Memory, view: View, prompt: Prompt, rng: Rng, level: Level) -> list[Thought]:
        if prompt.offer("play") is None:
            return list(BOT.weigh(memory, view, prompt, rng, Level.HARD))
        facts, plays = view.facts, legal(view)
        ranking = trump_ranking(facts["trump_rank"], facts["trump_suit"])
        lead = [played["cards"] for played in facts["trick"]]

        def power(cards: Choices) -> int:
            return sum(ranking.powers[card] for card in cards)

        def cost(cards: Choices) -> tuple[int, int]:
            return card_points(cards), power(cards)

        if rng.randrange(100) < temper.slips:
            return laid(prompt, rng.choice(plays))
        if not lead:
            trumps = [it for it in plays if ranking.suits[it[0]] == ranking.trump]
            plain = [it for it in plays if it not in trumps]
            some = (trumps or plain) if temper.leads_trumps else (plain or trumps)
            return laid(prompt, max(some, key=power) if temper.leads_high else min(some, key=cost))
        best = winning_play(ranking, lead)
        on_top = player_at(facts["leader"], best, SEATS)
        ours = on_top in facts["defenders"]
        if ours == defends(view, prompt.seat) and temper.feeds:
            return laid(prompt, max(plays, key=lambda it: (card_points(it), -power(it))))
        top = strength(ranking, lead[0], lead[best])
        winning = [it for it in plays if strength(ranking, lead[0], it) > top]
        if winning and sum(card_points(it) for it in lead) >= temper.worth_winning:
            return laid(prompt, (max if temper.spends else min)(winning, key=power))
        return laid(prompt, min(plays, key=cost))

    return Bot(Memory, notice, weigh)


def by_lot(draw: Random) -> Bot[Memory]:
    """Play any legal cards."""
    return ANYTHING


def by_force(draw: Random) -> Bot[Memory]:
    """Lead high and win every trick it can."""
    return player_of(Temper(True, draw.random() < 0.3, 0, draw.random() < 0.5, True, 0))


def by_patience(draw: Random) -> Bot[Memory]:
    """Lead low, and win only worthwhile tricks."""
    return player_of(Temper(False, False, draw.choice((5, 10, 15)), False, True, 0))


def by_trumps(draw: Random) -> Bot[Memory]:
    """Draw the others' trumps first."""
    return player_of(Temper(draw.random() < 0.7, True, draw.choice((0, 5)), False, True, 0))


def by_mood(draw: Random) -> Bot[Memory]:
    """Make a random play now and then, and ignore who is a friend."""
    high, spends = draw.random() < 0.5, draw.random() < 0.5
    return player_of(Temper(high, False, draw.choice((0, 5)), spends, False, draw.choice((10, 25))))


IDEAS: Mapping[str, Idea] = {
    "random": by_lot,
    "force": by_force,
    "patience": by_patience,
    "trumps": by_trumps,
    "mood": by_mood,
}
