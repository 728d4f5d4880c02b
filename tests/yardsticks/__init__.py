"""Plain ways to play each game, to measure its bot against."""

from statistics import fmean
from typing import Any

from kaboom.bots.duel import Policy, played
from kaboom.core.bot import Bot, Level, Thought
from kaboom.core.chance import Chance
from kaboom.core.game import Game
from kaboom.core.moves import Seat
from kaboom.core.views import Outcome, Prompt, View


def at(bot: Bot[Any], level: Level) -> Bot[Any]:
    """Return a bot that plays at this level, whatever level it is asked for."""

    def weigh(
        memory: Any, view: View, prompt: Prompt, chance: Chance, asked: Level
    ) -> list[Thought]:
        thought = bot.think(memory, view, prompt, chance, level)
        return [thought] if thought else []

    return Bot(bot.memory, bot.notice, weigh)


def from_each_seat(
    game: Game[Any], hero: Policy, rivals: Policy, matches: int, seats: int, options: Any
) -> list[tuple[Seat, Outcome]]:
    """Return how matches end that one player plays against equal others, each from every seat."""
    ends = []
    for number in range(matches):
        for seat in range(seats):
            policies = [hero if other == seat else rivals for other in range(seats)]
            ends.append((seat, played(game, policies, options, number.to_bytes(32, "big"))))
    return ends


def share_of_wins(ends: list[tuple[Seat, Outcome]]) -> float:
    """Return which share one player won; if nobody wins, it counts as if everybody had."""
    return fmean(
        (seat in end.winners) / len(end.winners) if end.winners else 1 / len(end.scores)
        for seat, end in ends
    )


def points_on_average(ends: list[tuple[Seat, Outcome]]) -> float:
    """Return the points of the one player."""
    return fmean(end.scores[seat] for seat, end in ends)
