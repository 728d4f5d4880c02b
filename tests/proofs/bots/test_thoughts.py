"""What every bot thinks, at every level: legal moves, the best first, said in words, and nothing
that depends on what its seat cannot know.

Positions are those that bots reach, with all that they remember by then.
"""

from dataclasses import dataclass
from typing import Any

import pytest

from kaboom.core.bot import Level
from kaboom.core.chance import Chance
from kaboom.core.engine import find, prompt
from kaboom.core.language import ENGLISH, speak
from kaboom.core.moves import Seat
from kaboom.core.playthrough import NAMES
from kaboom.core.words import Names
from kaboom.games import GAMES, sample
from kaboom.web.language import LANGUAGES, language
from tests.counts import LONG, often
from tests.proofs.secrecy.worlds import redealt
from tests.yardsticks.fields import Match, Player

DECISIONS = often(25, 500)  # of each game, level and way to play
EVERY = 5  # of the questions asked in a match is looked at
SHOWN = 3  # thoughts of each, of which the moves are tried


@pytest.fixture
def in_english():
    yield
    speak(ENGLISH)


def ways(key: str, level: Level) -> list[dict[str, Any]]:
    """Return options under which all stages of a game turn up; at the gate a third for each level.

    They have no times, which would only make cards come one by one.
    """
    game = sample(key)
    every = [{**game.short, **values, **game.short} for values in ({}, *game.variants)]
    return every if LONG else every[list(Level).index(level) :: len(Level)]


@pytest.mark.parametrize("level", Level)
@pytest.mark.parametrize("key", [key for key in GAMES if GAMES[key].bot])
def test_a_bot_thinks_by_what_its_seat_knows_and_can_say_it(key, level, in_english):
    game = GAMES[key]
    for number, values in enumerate(ways(key, level)):
        options = game.options(**values)
        match = Match(game, options, 4000 + number, max(game.seats(options)))
        asked = Asked(match, level)
        match.play(asked)
        assert asked.looked


@dataclass
class Asked:
    """Whoever is asked in a match answers as a bot of one level, and is looked at now and then."""

    match: Match
    level: Level
    number: int = 0
    looked: int = 0

    def __call__(self, state: Any, seat: Seat) -> Player:
        self.number += 1
        if self.number % EVERY == 0 and self.looked < DECISIONS:
            self.looked += 1
            thinks_alike(self.match, state, seat, self.level)
        return Player(self.match.bot, self.level)


def thinks_alike(match: Match, state: Any, seat: Seat, level: Level) -> None:
    """Check what a seat thinks, and that it thinks the same where the cards lie otherwise."""
    game = match.game
    other = redealt(game, state, seat, match.number)
    thoughts, again = (
        game.bot.weigh(
            match.memories[seat],
            game.view(each, seat),
            prompt(game, each, seat),
            Chance(match.seed, match.number, "thoughts"),
            level,
        )
        for each in (state, other)
    )
    assert thoughts == again
    worths = [thought.worth for thought in thoughts]
    assert worths == sorted(worths, reverse=True)
    for thought in thoughts[:SHOWN]:
        assert thought.move is None or find(game, state, thought.move)
    names = Names(NAMES[: match.seats], seat)
    for thought in thoughts:
        if thought.reason:
            said = set()
            for code in LANGUAGES:
                speak(language(code))
                said.add(game.words.say(thought.reason.kind, thought.reason.facts, names))
            speak(ENGLISH)
            assert None not in said and "" not in said, thought.reason
