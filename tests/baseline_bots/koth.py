"""Plain ways to play the tricks of King of the Hill, and whole sides that play them.

Declaring, burying and calling are done by the bot itself, so that all play the same deals.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass, field

from kaboom.engine.bots.bot import Bot, Level, Thought, sure
from kaboom.engine.bots.evaluate import Match, Player
from kaboom.engine.moves import Choices, Move, Seat
from kaboom.engine.rng import Chance
from kaboom.engine.toolkit.tricks import player_at
from kaboom.engine.views import Prompt, View
from kaboom.games.koth import GAME
from kaboom.games.koth.bot import BOT
from kaboom.games.koth.cards import card_points, trump_ranking
from kaboom.games.koth.memory import Memory, notice
from kaboom.games.koth.options import Options
from kaboom.games.koth.state import SEATS
from kaboom.games.koth.tricks import legal_plays, strength, winning_play

ONE_ROUND = Options(end="rounds", rounds=1, deal_interval=0, pace="untimed")
HELD = 80  # points with which the challengers take the hill


def anything(
    memory: Memory, view: View, prompt: Prompt, chance: Chance, level: Level
) -> list[Thought]:
    """Play any legal cards."""
    if prompt.offer("play") is None:
        return list(BOT.weigh(memory, view, prompt, chance, Level.HARD))
    return laid(prompt, chance.one_of(legal(view)))


def basic(
    memory: Memory, view: View, prompt: Prompt, chance: Chance, level: Level
) -> list[Thought]:
    """Lead the highest card, win as cheaply as can be, and feed points to a known friend."""
    if prompt.offer("play") is None:
        return list(BOT.weigh(memory, view, prompt, chance, Level.HARD))
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
    """Return the legal plays of the seat on turn."""
    facts = view.facts
    ranking = trump_ranking(facts["trump_rank"], facts["trump_suit"])
    lead = facts["trick"][0]["cards"] if facts["trick"] else ()
    return legal_plays(ranking, view.zone("hand", view.viewer).cards, lead)


def laid(prompt: Prompt, cards: Choices) -> list[Thought]:
    """Return the one thought of playing these cards."""
    return sure(Move(prompt.seat, "play", tuple(cards)))


ANYTHING = Bot(Memory, notice, anything)
BASIC = Bot(Memory, notice, basic)


def defends(view: View, seat: Seat) -> bool:
    """Say whether a seat plays for the king: also who holds the card that is still called."""
    facts = view.facts
    return seat in facts["defenders"] or facts["called"] in view.zone("hand", seat).cards


@dataclass
class Sides:
    """What one player won as a whole side: `shares` of each deal as defenders and as challengers,
    the points it `gained` beside the others on the same deal, and the seconds of its decisions.
    """

    shares: list[float] = field(default_factory=list)
    gained: list[float] = field(default_factory=list)
    times: list[float] = field(default_factory=list)


def as_sides(hero: Player, rivals: Player, deals: Sequence[int]) -> Sides:
    """Return how `hero` does as a whole side against a side of `rivals`."""
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
    """Return a bot that plays as `hero` on one side, and as its rivals on the other."""

    def weigh(
        memory: Memory, view: View, prompt: Prompt, chance: Chance, level: Level
    ) -> list[Thought]:
        if prompt.offer("play") is None:
            return list(BOT.weigh(memory, view, prompt, chance, Level.HARD))
        player = hero if defends(view, prompt.seat) == defending else rivals
        assert player.bot
        began = time.thread_time()
        thought = player.bot.think(memory, view, prompt, chance, player.level)
        if player is hero:
            times.append(time.thread_time() - began)
        return [thought] if thought else []

    return Bot(Memory, notice, weigh)
