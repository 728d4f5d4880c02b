"""The built-in bots: a dozen names, each with its habits, easy to tell apart by eye and ear."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from enum import StrEnum

from kaboom.engine.bots.bot import Level
from kaboom.engine.i18n import gettext_noop as N_

EASY, NORMAL, HARD = Level


class Way(StrEnum):
    """A built-in bot's public habits: its pace, and how often it misses a race. They do not affect
    its choices.
    """

    CAREFUL = N_("careful")
    BOLD = N_("bold")
    FORGETFUL = N_("forgetful")


@dataclass(frozen=True, slots=True)
class Temper:
    """The effects of a character's habits.

    `slower` multiplies the time to think; `missed` is added to the percentage of races that the
    level misses.
    """

    slower: float = 1.0
    missed: int = 0


TEMPERS: Mapping[Way, Temper] = {
    Way.CAREFUL: Temper(slower=1.25),
    Way.BOLD: Temper(slower=0.8),
    Way.FORGETFUL: Temper(missed=5),
}


@dataclass(frozen=True, slots=True)
class Character:
    """A built-in bot: a name (from which its face is derived), levels and habits.

    `says` maps moments to quick phrases: "won" the match, "lost" the match to a person, "called"
    the end of a round.
    """

    name: str
    levels: Collection[Level]
    way: Way
    says: Mapping[str, str]


# Phrases of the bots by stored key, so that each player reads them in their own language.
PHRASES: dict[str, str] = {
    "h-lucky": N_("I was lucky."),
    "h-close": N_("That was close!"),
    "h-fun": N_("That was fun."),
    "h-slow": N_("Slow and steady."),
    "h-knew": N_("I knew it!"),
    "h-how": N_("How did I do that?"),
    "h-well": N_("Well played!"),
    "h-next": N_("Next time!"),
    "h-forgot": N_("I forgot a card. Or two."),
    "h-should": N_("I should have waited."),
    "h-dare": N_("Here goes."),
    "h-sure": N_("I counted twice."),
    "h-think": N_("I think this is it."),
}

CAREFUL = {"won": "h-slow", "lost": "h-well", "called": "h-sure"}
MODEST = {"won": "h-close", "lost": "h-well", "called": "h-sure"}
BOLD = {"won": "h-knew", "lost": "h-should", "called": "h-dare"}
CHEERFUL = {"won": "h-fun", "lost": "h-next", "called": "h-dare"}
FORGETFUL = {"won": "h-how", "lost": "h-forgot", "called": "h-think"}
DREAMY = {"won": "h-lucky", "lost": "h-forgot", "called": "h-think"}

CHARACTERS = (
    Character("Robin", (EASY, NORMAL), Way.BOLD, CHEERFUL),
    Character("Juma", (NORMAL, HARD), Way.CAREFUL, CAREFUL),
    Character("Olga", (NORMAL, HARD), Way.BOLD, BOLD),
    Character("Chip", (EASY, NORMAL), Way.FORGETFUL, FORGETFUL),
    Character("Wanja", (EASY, NORMAL, HARD), Way.CAREFUL, MODEST),
    Character("Felix", (EASY, NORMAL), Way.FORGETFUL, DREAMY),
    Character("Mo", (EASY, NORMAL), Way.BOLD, CHEERFUL),
    Character("Vera", (NORMAL, HARD), Way.CAREFUL, CAREFUL),
    Character("Otto", (EASY, HARD), Way.CAREFUL, MODEST),
    Character("Zuri", (NORMAL, HARD), Way.BOLD, BOLD),
    Character("Baraka", (EASY, HARD), Way.BOLD, CHEERFUL),
    Character("Ines", (EASY, HARD), Way.CAREFUL, MODEST),
)
BY_NAME = {character.name: character for character in CHARACTERS}


def named(level: Level, taken: Collection[str]) -> str:
    """Return the name of a built-in bot of that level that is not among `taken`.

    If all bots of that level are taken, a bot of another level is used; if every name is taken, the
    first one is used again.
    """
    free = [it for it in CHARACTERS if it.name not in taken]
    able = [it for it in free if level in it.levels]
    return (able or free or CHARACTERS)[0].name


def character(name: str) -> Character | None:
    """Return the built-in bot with that name, or None; "Mo 2" is the same as "Mo"."""
    return BY_NAME.get(name.split(" ")[0])
