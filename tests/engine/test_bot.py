"""A bot makes the move that it rates best; a weaker one errs now and then, never by much."""

import pytest

from kaboom.engine.bots.bot import SLIPS, Bot, Level, Thought, forgetful
from kaboom.engine.moves import Move
from kaboom.engine.play import Event
from kaboom.engine.rng import Rng
from kaboom.engine.views import Prompt, Saying, View

BEST, NEAR, FAR = (Move(0, "bid", (card,)) for card in ("KS", "QS", "2S"))
MANY = 2000


def choices(thoughts, level, bound=1.0):
    """Return the choices of a bot with these thoughts, asked many times."""
    bot = Bot(dict, lambda *_: None, lambda *_: thoughts, bound)
    view, prompt = View(0, (), None, {}), Prompt(0, ())
    return [bot.choose({}, view, prompt, Rng(b"k", n), level) for n in range(MANY)]


@pytest.mark.parametrize("level", Level)
def test_level_slips_at_its_rate_and_only_to_near_best_moves(level):
    made = choices([Thought(BEST, 5.0), Thought(NEAR, 4.0), Thought(FAR, 3.9)], level)
    assert made.count(FAR) == 0, "it costs more than the bound"
    assert made.count(NEAR) == pytest.approx(MANY * SLIPS[level] / 100, rel=0.2)
    assert made.count(BEST) + made.count(NEAR) == MANY


def test_easy_slips_more_than_normal_and_hard_never():
    assert SLIPS[Level.EASY] > SLIPS[Level.NORMAL] > SLIPS[Level.HARD] == 0


def test_bot_does_not_slip_if_all_other_moves_are_much_worse():
    assert set(choices([Thought(BEST, 5.0), Thought(FAR, 1.0)], Level.EASY)) == {BEST}
    assert set(choices([Thought(BEST, 5.0), Thought(None, 5.0)], Level.EASY)) == {BEST}
    assert set(choices([Thought(None, 5.0), Thought(BEST, 5.0)], Level.EASY)) == {None}
    assert set(choices([], Level.EASY)) == {None}


def test_forgetful_bot_uses_only_visible_cards():
    view, prompt = View(0, (), Saying("x")), Prompt(0)
    bot = forgetful(lambda *now: [Thought(Move(0, "seen", tuple(map(str, now[1:2]))))])
    memory = bot.memory()
    bot.notice(memory, Event("dealt"), 0)
    assert memory == bot.memory()
    assert bot.choose(memory, view, prompt, Rng(bytes(32), 1)).verb == "seen"
    assert not bot.remembers
