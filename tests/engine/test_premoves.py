"""What is decided ahead: how the numbered list names it, and which offer it answers."""

import pytest

from kaboom.engine.moves import IllegalMove, Pick, one_of
from kaboom.engine.play import Listener
from kaboom.engine.premoves import FORGET, Ahead, decides_ahead, meant, offered


@pytest.mark.parametrize(
    ("verb", "decides", "about"),
    [
        ("lay", False, ("lay", False)),
        ("plan_lay", True, ("lay", False)),
        ("plan_pass_until", True, ("pass", True)),
        (FORGET, False, ("nothing", False)),
    ],
)
def test_a_verb_of_the_list_says_whether_it_decides_ahead_and_about_what(verb, decides, about):
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
def test_a_plan_answers_what_is_asked_unless_either_refuses_its_choice(asked, planned, answers):
    listener = Listener(0, "lay", lambda play, card: None, asked, "now")
    others = [Listener(1, "lay", lambda play: None), Listener(0, "pass", lambda play: None)]
    it = Ahead(verb="lay", about="now", pick=planned)
    assert offered([*others, listener], 0, it, ("7",)) == (listener.token if answers else None)
