"""Every bot's thoughts, at every level: legal moves, in order, with sentences.

The positions are reached by bots, with their memories. tests/secrecy/test_bots.py proves that
thoughts do not depend on hidden cards.
"""

from collections.abc import Sequence
from copy import deepcopy
from dataclasses import replace
from typing import Any

import pytest

from kaboom.engine.bots.bot import Level, Thought
from kaboom.engine.bots.evaluate import Match, Player
from kaboom.engine.engine import find
from kaboom.engine.i18n import speak
from kaboom.engine.moves import Seat
from kaboom.engine.texts import Names
from kaboom.engine.toolkit.playthrough import NAMES
from kaboom.games import GAMES, sample
from kaboom.web.i18n import LANGUAGES, language
from tests.support.effort import LONG, often

SHOWN = 3  # thoughts of each decision whose moves are tried


def ways(key: str, level: Level) -> list[dict[str, Any]]:
    """Return options that reach every stage of a game; `make test` takes a third for each level.

    They have no time limits, which would only make cards appear one by one.
    """
    game = sample(key)
    every = [{**game.short, **values, **game.short} for values in ({}, *game.variants)]
    return every if LONG else every[list(Level).index(level) :: len(Level)]


@pytest.mark.slow
@pytest.mark.parametrize("level", Level)
@pytest.mark.parametrize("key", [key for key in GAMES if GAMES[key].bot])
def test_thoughts_are_legal_ordered_and_speakable(key, level):
    game = GAMES[key]
    for number, values in enumerate(ways(key, level)):
        options = game.options(**values)
        seats = max(game.seats(options))
        matches: list[Match] = []

        def weigh(memory, view, prompt, rng, level, game=game, matches=matches):
            found = game.bot.weigh(memory, view, prompt, rng, level)
            for thought in found[:SHOWN]:
                assert thought.move is None or find(game, matches[0].state, thought.move)
            in_order(found, key, level)
            said(game, found, prompt.seat, len(matches[0].players))
            return found

        player = Player(replace(game.bot, weigh=weigh, decide=None), level)
        matches.append(Match(game, [player] * seats, options, (4000 + number).to_bytes(32, "big")))
        matches[0].played()


def in_order(found: Sequence[Thought], key: str, level: Level) -> None:
    """Check that the best thought comes first.

    GOPS draws its bid at random, so that players cannot predict it. A TakeN beginner ranks cards by
    distance. A hard bot evaluates worse moves in fewer deals, so only its last two can be compared.
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
    """Check that each reason has words in every language and names its subject."""
    names = Names(NAMES[:seats], seat)
    for thought in found:
        if thought.reason:
            for code in LANGUAGES:
                speak(language(code))
                assert game.words.say(thought.reason.kind, thought.reason.facts, names)


@pytest.mark.slow
@pytest.mark.parametrize("key", [key for key in GAMES if GAMES[key].bot and GAMES[key].bot.decide])
def test_decide_ranks_moves_like_weigh(key):
    game = GAMES[key]
    options, choices = game.options(), []

    def decide(memory, view, prompt, rng, level):
        luck = deepcopy(rng)
        found = game.bot.decide(memory, view, prompt, rng, level)
        asked = game.bot.weigh(memory, view, prompt, luck, level)
        assert [it.move for it in found] == [it.move for it in asked]
        choices.append(len(found))
        return found

    player = Player(replace(game.bot, decide=decide), Level.HARD)
    match = Match(game, [player] * max(game.seats(options)), options, (41).to_bytes(32, "big"))
    while choices.count(SHOWN + 1) < often(2, soak=40):  # tricks offer this many choices
        match.go_on()
