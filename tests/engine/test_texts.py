"""What a game says, and what of it is told as data."""

import pytest

from kaboom.engine.texts import Names, Words

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


@pytest.mark.parametrize(
    ("kind", "to", "heard"),
    [
        ("drawn", None, "Ann draws a card."),  # all were told
        ("drawn", 1, None),  # it was whispered, and is told by something else
        ("peeked", 1, "Ben looks at a card."),  # whoever it was whispered to
        ("moved", None, None),  # left out on purpose
        ("unsaid", None, None),
    ],
)
def test_who_looks_back_hears_what_all_were_told_and_what_is_there_for_them(kind, to, heard):
    words = Words(
        WORDS.sayings
        | {"peeked.open": "{seat:name} looks at a card.", "moved": "", "moved.open": ""},
        {},
    )
    facts = {"seat": 0} if to is None else {}
    assert words.look_back(kind, facts, to, Names(("Ann", "Ben"))) == heard


@pytest.mark.parametrize(
    ("sayings", "me", "said"),
    [
        ({}, None, "Ann is back."),
        ({}, 0, "You are back."),
        ({"returned": "{seat:name} sits down again."}, 0, "Ann sits down again."),
    ],
)
def test_words_without_a_saying_say_what_all_games_say(sayings, me, said):
    words = Words(sayings=sayings, offers={})
    assert words.say("returned", {"seat": 0}, Names(("Ann", "Ben"), me)) == said
