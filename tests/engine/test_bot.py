"""A bot acts on its first thought; a weaker one slips now and then, never far."""

import pytest

from kaboom.engine.bots.bot import SLIPS, Bot, Level, Thought, forgetful
from kaboom.engine.moves import Move
from kaboom.engine.play import Event
from kaboom.engine.rng import Chance
from kaboom.engine.views import Prompt, Saying, View

BEST, NEAR, FAR = (Move(0, "bid", (card,)) for card in ("KS", "QS", "2S"))
MANY = 2000


def choices(thoughts, level, bound=1.0):
    """Return what a bot that thinks this chooses, many times over."""
    bot = Bot(dict, lambda *_: None, lambda *_: thoughts, bound)
    view, prompt = View(0, (), None, {}), Prompt(0, ())
    return [bot.choose({}, view, prompt, Chance(b"k", n), level) for n in range(MANY)]


@pytest.mark.parametrize("level", Level)
def test_a_level_slips_as_often_as_it_should_and_only_to_what_is_nearly_as_good(level):
    made = choices([Thought(BEST, 5.0), Thought(NEAR, 4.0), Thought(FAR, 3.9)], level)
    assert made.count(FAR) == 0, "it costs more than the bound"
    assert made.count(NEAR) == pytest.approx(MANY * SLIPS[level] / 100, rel=0.2)
    assert made.count(BEST) + made.count(NEAR) == MANY


def test_easy_slips_more_than_normal_and_hard_never():
    assert SLIPS[Level.EASY] > SLIPS[Level.NORMAL] > SLIPS[Level.HARD] == 0


def test_nobody_slips_where_all_else_is_much_worse_or_lets_a_chance_go_by():
    assert set(choices([Thought(BEST, 5.0), Thought(FAR, 1.0)], Level.EASY)) == {BEST}
    assert set(choices([Thought(BEST, 5.0), Thought(None, 5.0)], Level.EASY)) == {BEST}
    assert set(choices([Thought(None, 5.0), Thought(BEST, 5.0)], Level.EASY)) == {None}
    assert set(choices([], Level.EASY)) == {None}


def test_forgetful_bot_weighs_by_what_is_seen_alone():
    view, prompt = View(0, (), Saying("x")), Prompt(0)
    bot = forgetful(lambda *now: [Thought(Move(0, "seen", tuple(map(str, now[1:2]))))])
    memory = bot.memory()
    bot.notice(memory, Event("dealt"), 0)
    assert memory == bot.memory()
    assert bot.choose(memory, view, prompt, Chance(bytes(32), 1)).verb == "seen"
    assert not bot.remembers
