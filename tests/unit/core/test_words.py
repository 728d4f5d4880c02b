"""What a game says, and what of it is told as data."""

import pytest

from kaboom.core.words import Names, Words

WORDS = Words(
    {"drawn": "{seat:name} draws a card.", "drawn.you": "You draw the {card:card}."},
    {"draw": "Draw"},
)


@pytest.mark.parametrize(
    ("kind", "me", "told"),
    [
        ("drawn", 0, {"seat": 0, "card": "KS"}),  # the own seat, where "you" stands for it
        ("drawn", 1, {"seat": 0}),
        ("drawn", None, {"seat": 0}),
        ("unsaid", 0, {"seat": 0}),
        ("unsaid", 1, {}),
    ],
)
def test_of_an_event_only_those_facts_are_told_that_its_sentence_tells(kind, me, told):
    facts = {"seat": 0, "card": "KS", "from": "0.1"}
    assert WORDS.told(kind, facts, Names(("Ann", "Ben"), me)) == told
