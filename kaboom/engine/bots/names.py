"""The house's bots: a dozen names, each with a temper, easy to tell apart by eye and ear."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from enum import StrEnum

from kaboom.engine.bots.bot import Level
from kaboom.engine.i18n import mark

EASY, NORMAL, HARD = Level


class Way(StrEnum):
    """How somebody of the house plays, as far as the table can see: none knows more for it."""

    CAREFUL = "careful"
    BOLD = "bold"
    FORGETFUL = "forgetful"


@dataclass(frozen=True, slots=True)
class Temper:
    """What a way to play does.

    `slower` is what the time to think is multiplied by; of a hundred cards in a race so many more
    are `missed` than the level misses anyway.
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
    """Somebody of the house: a name (its face is drawn from it), levels, a way to play.

    `says` are quick phrases by moment: "won" the match, "lost" it to a person, "called" what ends a
    round.
    """

    name: str
    levels: Collection[Level]
    way: Way
    says: Mapping[str, str]


# What the house says, by a key that is stored: everybody reads it in their own language.
PHRASES: dict[str, str] = {
    "h-lucky": mark("I was lucky."),
    "h-close": mark("That was close!"),
    "h-fun": mark("That was fun."),
    "h-slow": mark("Slow and steady."),
    "h-knew": mark("I knew it!"),
    "h-how": mark("How did I do that?"),
    "h-well": mark("Well played!"),
    "h-next": mark("Next time!"),
    "h-forgot": mark("I forgot a card. Or two."),
    "h-should": mark("I should have waited."),
    "h-dare": mark("I dare."),
    "h-sure": mark("I have counted twice."),
    "h-think": mark("I think this is it."),
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
    """Return the name of somebody who plays at that level and is not there yet.

    Where all of them are, somebody else comes; where all the house is, the first once more.
    """
    free = [it for it in CHARACTERS if it.name not in taken]
    able = [it for it in free if level in it.levels]
    return (able or free or CHARACTERS)[0].name


def character(name: str) -> Character | None:
    """Return who of the house goes by that name; a second one of a name ("Mo 2") is the first."""
    return BY_NAME.get(name.split(" ")[0])
