"""Premoves: their names in the numbered list, and the offers they answer."""

import pytest

from kaboom.engine.moves import IllegalMove, Pick, one_of
from kaboom.engine.play import Listener
from kaboom.engine.premoves import FORGET, Premove, decides_ahead, meant, offered


@pytest.mark.parametrize(
    ("verb", "decides", "about"),
    [
        ("lay", False, ("lay", False)),
        ("plan_lay", True, ("lay", False)),
        ("plan_pass_until", True, ("pass", True)),
        (FORGET, False, ("nothing", False)),
    ],
)
def test_premove_verb_is_recognized_with_the_verb_it_means(verb, decides, about):
    assert (decides_ahead(verb), meant(verb)) == (decides, about)


def refuses(choices):
    return IllegalMove("not that")


@pytest.mark.parametrize(
    ("asked", "planned", "answers"),
    [
        (one_of("78"), one_of("78"), True),
        (one_of("9"), one_of("78"), False),
        (one_of("78"), Pick(("7",), 1, 1, why_not=refuses), False),
    ],
)
def test_premove_answers_its_prompt_unless_it_is_refused(asked, planned, answers):
    listener = Listener(0, "lay", lambda play, card: None, asked, "now")
    others = [Listener(1, "lay", lambda play: None), Listener(0, "pass", lambda play: None)]
    it = Premove(verb="lay", about="now", pick=planned)
    assert offered([*others, listener], 0, it, ("7",)) == (listener.token if answers else None)
