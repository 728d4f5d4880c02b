"""What every bot thinks, at every level: moves that are legal, in their order, said in words.

Positions are those that bots reach, with all that they remember by then. That nothing of it depends
on hidden cards is proved in tests/secrecy/test_bots.py.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import pytest

from kaboom.engine.bots.bot import Level, Thought
from kaboom.engine.bots.evaluate import Match, Player
from kaboom.engine.engine import find
from kaboom.engine.i18n import ENGLISH, speak
from kaboom.engine.moves import Seat
from kaboom.engine.texts import Names
from kaboom.engine.toolkit.playthrough import NAMES
from kaboom.games import GAMES, sample
from kaboom.web.i18n import LANGUAGES, language
from tests.support.effort import LONG

SHOWN = 3  # thoughts of each decision, of which the moves are tried


@pytest.fixture(autouse=True)
def in_english() -> Iterator[None]:
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
def test_thoughts_are_legal_and_in_order_and_can_be_said(key, level):
    game = GAMES[key]
    for number, values in enumerate(ways(key, level)):
        options = game.options(**values)
        seats = max(game.seats(options))
        matches: list[Match] = []

        def weigh(memory, view, prompt, chance, level, game=game, matches=matches):
            found = game.bot.weigh(memory, view, prompt, chance, level)
            for thought in found[:SHOWN]:
                assert thought.move is None or find(game, matches[0].state, thought.move)
            in_order(found, key, level)
            said(game, found, prompt.seat, len(matches[0].players))
            return found

        player = Player(replace(game.bot, weigh=weigh), level)
        matches.append(Match(game, [player] * seats, options, (4000 + number).to_bytes(32, "big")))
        matches[0].played()


def in_order(found: Sequence[Thought], key: str, level: Level) -> None:
    """Check that the best thought comes first.

    At GOPS the first bid is drawn by lot, so that nobody can guess it. At TakeN a beginner goes by
    how near a card lies; and a hard bot tries what is worse in fewer deals, so that only its last
    two can be compared.
    """
    worths = [thought.worth for thought in found]
    match key, level:
        case "gops", _:
            worths = worths[1:]
        case "taken", Level.EASY:
            worths = []
        case "taken", Level.HARD:
            worths = worths[:2]
    assert worths == sorted(worths, reverse=True)


def said(game: Any, found: Sequence[Thought], seat: Seat, seats: int) -> None:
    """Check that each reason can be said in every language, and says what it is about."""
    names = Names(NAMES[:seats], seat)
    for thought in found:
        if thought.reason:
            for code in LANGUAGES:
                speak(language(code))
                assert game.words.say(thought.reason.kind, thought.reason.facts, names)
