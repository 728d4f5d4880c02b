"""The bot printed in docs/bots.md plays, beats chance and gives reasons."""

import re
from dataclasses import replace
from pathlib import Path

import pytest
from msgspec import Struct

from kaboom.engine.bots.bot import Bot, Level, Thought, best_first, sure
from kaboom.engine.bots.evaluate import RANDOM, Player, in_field
from kaboom.engine.engine import prompt, start
from kaboom.engine.moves import Move
from kaboom.engine.rng import Rng
from kaboom.engine.texts import Names
from kaboom.engine.toolkit.cards import spoken
from kaboom.engine.views import Saying
from kaboom.games.gops import GAME
from kaboom.games.gops.rules import VALUE, Options
from tests.bots.sure import surely_above

PAGE = Path(__file__).parents[2] / "docs" / "bots.md"
GIVEN = {it.__name__: it for it in (Struct, Bot, Move, Saying, Thought, best_first, sure)} | {
    "VALUE": VALUE
}


@pytest.fixture
def printed():
    """Return the code of the page, with its sentence among the game's words."""
    told = PAGE.read_text().split("### A bot in twenty lines")[1]
    code = re.search(r"```python\n(.*?)```", told, re.S)[1]
    return code, re.search(r'# "near_the_prize": "(.*)"', code)[1]


def test_documented_bot_beats_chance_and_gives_reasons(printed):
    code, sentence = printed
    bot = known(code)["BOT"]
    words = replace(GAME.words, sayings={**GAME.words.sayings, "near_the_prize": sentence})
    game = replace(GAME, bot=bot, words=words)
    surely_above(in_field(game, Player(bot), RANDOM, range(30), 2, Options()).shares, 0.6)
    state = start(game, 2, Options(), bytes(32)).state
    view, own = game.view(state, 0), prompt(game, state, 0)
    first = bot.weigh(bot.memory(), view, own, Rng(bytes(32), 1), Level.HARD)[0]
    prize = VALUE[state.on_offer[-1]]
    assert VALUE[first.move.choices[0]] == prize
    said = words.say(first.reason.kind, first.reason.facts, Names(("Ann", "Ben"), 0))
    assert said == f"Bid the {spoken(first.move.choices[0])}: it is near the prize, {prize}."


def known(code):
    """Return the names that some code defines, and those that it needs."""
    names = dict(GIVEN)
    exec(code, names)
    return names


def test_documented_bot_takes_about_twenty_lines(printed):
    code, _ = printed
    assert len([line for line in code.splitlines() if line.strip()]) <= 22
