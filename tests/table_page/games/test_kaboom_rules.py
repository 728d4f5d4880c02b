"""Kaboom’s rules page describes the table it was opened at: each option changes it."""

import re
from html import unescape

import pytest

from kaboom.engine.i18n import speak
from kaboom.games import GAMES
from kaboom.games.kaboom.options import Options
from kaboom.web.i18n import LANGUAGES, language
from kaboom.web.rules_pages import rules_of

PATIENT = {"flips": "patient"}

# Options of a table, a sentence of its page, and options of a table whose page lacks the sentence.
SAYS = [
    ({"rounds": 1}, "The match is one round long.", {}),
    ({"rounds": 5}, "There are 5 rounds.", {}),
    ({}, "There are as many rounds as players", {"rounds": 5}),
    ({"target": 60}, "in which a player’s total reaches 60 points", {}),
    ({"target": 60, "rounds": 5}, "total reaches 60 points", {"rounds": 5}),
    ({}, "A flip that comes too late costs nothing", PATIENT),
    (PATIENT, "Whenever a card has gone to the discard pile, the game stops", {}),
    ({}, "flipped away, or given away by its owner, before you are done. Then you choose", PATIENT),
    (PATIENT, "until all players have answered or 8 seconds have passed.", {}),
    (PATIENT | {"flip_seconds": 0}, "until all players have answered.", PATIENT),
    (PATIENT, "any player may ask for more time", PATIENT | {"flip_seconds": 0}),
    ({}, "You get one penalty card, unseen", {"flip_penalty": 0}),
    ({"flip_penalty": 0}, "That costs nothing at this table.", {}),
    ({"flip_penalty": 2}, "You get two penalty cards, unseen", {}),
    ({}, "and a joker matches a joker", {"jokers": False}),
    ({"jokers": False}, "One pack of 52 cards, without jokers.", {}),
    ({}, "A caller with fewer than 0 points still scores 0", {"keep_negative": True}),
    (
        {"keep_negative": True},
        "At this table, a caller with fewer than 0 points keeps that score.",
        {},
    ),
    ({"lock_declarer": True}, "At this table, calling locks your cards", {}),
    (
        {},
        "The caller may flip, and the caller’s cards may be flipped",
        {"lock_declarer": True},
    ),
    ({}, "When the last turn is over, the round ends at once.", {"last_flips": 5}),
    ({"last_flips": 5}, "After the last turn, cards can still be flipped for 5 seconds.", PATIENT),
    (PATIENT | {"last_flips": 5}, "After the last turn, there is one more stop", {"last_flips": 5}),
    ({}, "Two to four people play.", {"max_players": 6}),
    ({"max_players": 6}, "Two to six people play.", {}),
    ({"turn_seconds": 1}, "You have 1 second for each decision.", {}),
    ({}, "Your turn has no time limit at this table.", {"turn_seconds": 30}),
    ({"peek_seconds": 20}, "After 20 seconds all players count as ready.", {}),
    ({}, "after 15 seconds nothing is given", {"give_seconds": 0}),
]


def read(options):
    """Return the text of the rules page above the table of options, in this language."""
    html = str(rules_of(GAMES["kaboom"], Options(**options)).html)
    above, _ = html.split('<h2 id="options">')
    # Non-breaking spaces precede colons in French.
    return re.sub(r"[ \n]+", " ", unescape(re.sub(r"<[^>]+>", "", above)))


@pytest.mark.parametrize(("here", "sentence", "elsewhere"), SAYS)
def test_rules_page_describes_only_its_tables_options(here, sentence, elsewhere):
    assert sentence in read(here)
    assert sentence not in read(elsewhere)


@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize("seconds", range(3))
@pytest.mark.parametrize("flips", ["race", "patient"])
def test_time_limit_of_any_length_is_described_without_gaps(code, seconds, flips):
    speak(language(code))
    names = ("flip_seconds", "last_flips", "turn_seconds", "peek_seconds", "give_seconds")
    text = read(dict.fromkeys(names, seconds) | {"flips": flips})
    assert not re.search(r" [.,;:]|[.,;:]{2}|\{|\}|\bNone\b", text)
