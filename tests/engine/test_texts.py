"""A game's sentences, and their facts as data."""

import pytest

from kaboom.engine.texts import Names, Words

WORDS = Words(
    {"drawn": "{seat:name} draws a card.", "drawn.you": "You draw the {card:card}."},
    {"draw": "Draw"},
)


@pytest.mark.parametrize(
    ("kind", "me", "told"),
    [
        ("drawn", 0, {"seat": 0, "card": "KS"}),  # the viewer's seat, called "you"
        ("drawn", 1, {"seat": 0}),
        ("drawn", None, {"seat": 0}),
        ("unsaid", 0, {"seat": 0}),
        ("unsaid", 1, {}),
    ],
)
def test_event_facts_are_those_in_its_sentence(kind, me, told):
    facts = {"seat": 0, "card": "KS", "from": "0.1"}
    assert WORDS.told(kind, facts, Names(("Ann", "Ben"), me)) == told


@pytest.mark.parametrize(
    ("kind", "to", "heard"),
    [
        ("drawn", None, "Ann draws a card."),  # public
        ("drawn", 1, None),  # private, and reported by another event
        ("peeked", 1, "Ben looks at a card."),  # the recipient of the private event
        ("moved", None, None),  # left out on purpose
        ("unsaid", None, None),
    ],
)
def test_replay_shows_public_lines_and_the_viewers_own(kind, to, heard):
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
def test_game_words_fall_back_to_the_common_ones(sayings, me, said):
    words = Words(sayings=sayings, offers={})
    assert words.say("returned", {"seat": 0}, Names(("Ann", "Ben"), me)) == said
