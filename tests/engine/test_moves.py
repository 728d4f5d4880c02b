"""Moves as text, and picks as sets of choices with a check."""

from itertools import combinations
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from kaboom.engine.moves import (
    NOTHING,
    IllegalMove,
    Move,
    NotOnOffer,
    Pick,
    one_number,
    one_of,
    several_of,
)
from kaboom.engine.rng import Rng

HAND = tuple(f"{rank}{suit}" for suit in "SHDC" for rank in "A234567")  # 28 cards


@pytest.mark.parametrize("text", ["0 bid KS", "3 flip 1.4", "-1 lapse 7", "2 draw"])
def test_move_parses_and_prints_the_same_text(text):
    assert str(Move.parse(text)) == text


@given(st.text(max_size=40))
def test_any_text_parses_or_is_refused(text):
    try:
        assert Move.parse(text).verb
    except NotOnOffer as no:
        assert str(no) == "That is not a move."


@pytest.mark.parametrize(
    ("pick", "choices", "sentence"),
    [
        (NOTHING, (), None),
        (NOTHING, ("KS",), "Choose nothing, not 1."),
        (one_of(["KS", "QS"]), ("KS",), None),
        (one_of(["KS", "QS"]), (), "Choose one first."),
        (one_of(["KS", "QS"]), ("KS", "QS"), "Choose exactly 1, not 2."),
        (Pick(("3H", "4H"), 2, 2), (), "Choose exactly 2, not 0."),
        (one_of(["KS", "QS"]), ("2S",), "2S cannot be chosen now."),
        (Pick(("3H", "3H", "4H"), 2, 2), ("3H", "3H"), None),  # two packs: equal cards
        (Pick(("3H", "4H", "5H"), 2, 2), ("3H", "3H"), "3H cannot be chosen now."),
        (Pick(("3H", "4H", "5H"), 2, 2), ("3H", "6H"), "6H cannot be chosen now."),
        (Pick(("3H", "4H"), 1, 2), ("4H", "3H", "4H"), "Choose 1 to 2, not 3."),
    ],
)
def test_illegal_pick_is_refused_with_a_sentence(pick, choices, sentence):
    refusal = pick.refusal(choices)
    assert (None if refusal is None else str(refusal)) == sentence


def test_refused_pick_cites_the_rule_named_by_its_game():
    pick = Pick(
        HAND, 2, 2, why_not=lambda c: IllegalMove("No aces.", "aces") if "AS" in c else None
    )
    assert pick.refusal(("2S", "3S")) is None
    refused = pick.refusal(("AS", "2S"))
    assert isinstance(refused, IllegalMove)
    assert refused.rule == "aces"


def test_small_picks_list_every_selection_once():
    assert list(Pick(("a", "a", "b"), 1, 2).legal()) == [("a",), ("b",), ("a", "a"), ("a", "b")]
    assert len(list(Pick(("a", "b", "c"), 1, 3, ordered=True).legal())) == 15
    assert len(list(Pick(HAND[:6], 2, 2).legal())) == len(list(combinations(range(6), 2)))


def test_eight_of_28_cards_are_drawn_without_listing_all():
    pick = Pick(HAND, 8, 8)
    assert comb(28, 8) > 3_000_000
    for number in range(20):
        choices = pick.random(Rng(bytes(32), number))
        assert choices is not None
        assert len(set(choices)) == 8


def test_random_choice_of_a_large_pick_covers_all_of_it():
    """The draw covers all choices, not only the first ones listed."""
    pick = Pick(tuple(map(str, range(200))), 2, 2)
    drawn = [pick.random(Rng(bytes(32), number)) for number in range(200)]
    assert sum("0" in choices for choices in drawn if choices) < 20
    assert len(set(drawn)) > 190


def test_rare_legal_selection_is_still_found():
    only = ("AS", "2S", "3S")
    pick = Pick(HAND, 3, 3, why_not=lambda c: None if c == only else IllegalMove("no"))
    assert pick.random(Rng(bytes(32), 0)) == only
    nothing = Pick(HAND[:4], 1, 1, why_not=lambda c: IllegalMove("no"))
    assert nothing.random(Rng(bytes(32), 0)) is None


def test_optional_pick_of_one_may_be_empty():
    picks = {Pick(("a", "b"), 0, 1).random(Rng(bytes(32), n)) for n in range(40)}
    assert picks == {(), ("a",), ("b",)}


def odd(choices):
    return None if sum(map(int, choices)) % 2 else IllegalMove("The sum must be odd.")


@pytest.mark.parametrize(
    ("pick", "playable"),
    [
        (NOTHING, ()),
        (one_of(["1", "2", "3"]), ("1", "2", "3")),
        (one_of(["1", "2", "3"], odd), ("1", "3")),
        (one_of(["2", "4"], odd), ()),
        (Pick(("2", "4", "6", "1"), 2, 2, why_not=odd), ("2", "4", "6", "1")),
        (Pick(("1", "1", "2"), 1, 2, why_not=odd), ("1", "1", "2")),
        (Pick(("2", "4", "6"), 1, 3, why_not=odd), ()),
    ],
)
def test_option_is_playable_if_some_legal_choice_has_it(pick, playable):
    assert pick.playable() == playable


@pytest.mark.parametrize("pick", [Pick(HAND, 8, 8), Pick(HAND, 1, 2), Pick(HAND[:9], 2, 2, True)])
def test_too_many_choices_to_try_leave_all_options_playable(pick):
    tried = []
    asked = replace(pick, why_not=lambda choices: tried.append(choices) or IllegalMove("No."))
    assert asked.playable() == pick.options
    assert not tried


def test_pick_of_several_needs_the_exact_number():
    pick = several_of(["2C", "3C", "4C"], 2)
    assert pick.refusal(("4C", "2C")) is None
    assert str(pick.refusal(("2C",))) == "Choose exactly 2, not 1."


def test_one_number_offers_every_number_in_its_range():
    pick = one_number(0, 3, why_not=lambda chosen: IllegalMove("no") if chosen == ("2",) else None)
    assert (pick.options, pick.least, pick.most) == (("0", "1", "2", "3"), 1, 1)
    assert pick.numbers and not one_of(("0", "1")).numbers
    assert pick.playable() == ("0", "1", "3")
