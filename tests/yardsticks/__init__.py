"""Plain ways to play each game, to measure its bot against."""

from statistics import fmean
from typing import Any

from kaboom.bots.duel import Policy, played
from kaboom.core.bot import Bot, Level, Thought
from kaboom.core.chance import Chance
from kaboom.core.game import Game
from kaboom.core.views import Prompt, View


def at(bot: Bot[Any], level: Level) -> Bot[Any]:
    """Return a bot that plays at this level, whatever level it is asked for."""

    def weigh(
        memory: Any, view: View, prompt: Prompt, chance: Chance, asked: Level
    ) -> list[Thought]:
        thought = bot.think(memory, view, prompt, chance, level)
        return [thought] if thought else []

    return Bot(bot.memory, bot.notice, weigh)


def share_of_wins(
    game: Game[Any], hero: Policy, rivals: Policy, matches: int, seats: int, options: Any
) -> float:
    """Return which share of the matches one player wins against equal others.

    Every match is played from each seat. A match that nobody wins counts as if everybody had.
    """
    shares = []
    for number in range(matches):
        for seat in range(seats):
            policies = [hero if other == seat else rivals for other in range(seats)]
            winners = played(game, policies, options, number.to_bytes(32, "big")).winners
            shares.append((seat in winners) / len(winners) if winners else 1 / seats)
    return fmean(shares)
