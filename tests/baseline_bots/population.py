"""Rivals on which no bot was tuned: many numbered players for each game.

A game's module has `IDEAS`, strategies whose parameters (tie-breaking, weights, noise, memory,
boldness) are drawn from `Random`. Each idea yields `EACH` rivals. Even numbers are the tuning set,
which may be used while changing a bot. Odd numbers are the test set: measure on them, and never
tune a bot to them.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from importlib import import_module
from random import Random
from typing import Any

from kaboom.engine.bots.bot import Bot

EACH = 6  # rivals of each idea, half of them in the test set
PLAIN = "random"  # the idea of rivals that play at random

Idea = Callable[[Random], Bot[Any]]


class Half(StrEnum):
    """The tuning set or the test set."""

    TUNING = "tuning"
    UNSEEN = "unseen"


@dataclass(frozen=True)
class Rival:
    """One rival of the population: the n-th variant of an idea."""

    idea: str
    number: int
    bot: Bot[Any]

    @property
    def thinks(self) -> bool:
        return self.idea != PLAIN

    def __str__(self) -> str:
        return f"{self.idea} {self.number}"


def population(game: str, half: Half) -> list[Rival]:
    """Return the rivals of one half, the same in every run."""
    ideas: Mapping[str, Idea] = import_module(f"tests.baseline_bots.{game}").IDEAS
    return [
        Rival(idea, number, make(Random(f"{game} {idea} {number}")))
        for idea, make in ideas.items()
        for number in range(half is Half.UNSEEN, EACH, 2)
    ]


def mixture(rivals: Sequence[Rival], count: int, deal: int) -> list[Bot[Any]]:
    """Return different rivals for this deal's table, none of which plays at random."""
    thinking = [it.bot for it in rivals if it.thinks]
    return Random(f"mixture {deal}").sample(thinking, count)
