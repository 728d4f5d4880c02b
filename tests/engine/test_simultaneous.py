"""Choices made in secret, and dealing again what a viewer cannot know."""

from collections import Counter
from itertools import chain

import pytest

from kaboom.engine.codec import to_json
from kaboom.engine.engine import start, step
from kaboom.engine.log_replay import replay
from kaboom.engine.moves import CLOCK, Move, NotOnOffer
from kaboom.engine.play import Play
from kaboom.engine.rng import Chance
from kaboom.engine.toolkit.cards import RANKS, pack, rank_of, whole_suit
from kaboom.engine.toolkit.resample import Unknown, redeal, redeal_hands
from kaboom.engine.toolkit.simultaneous import made, missing, redraw, redraw_several
from tests.engine.sealed_bids import SEALED_BIDS, Options

SEED = bytes(32)


def chance(number=1):
    return Chance(SEED, number)


def after(*texts):
    last = start(SEALED_BIDS, 2, Options(), SEED)
    for number, text in enumerate(texts, 1):
        last = step(SEALED_BIDS, last.state, Move.parse(text), chance(number))
    return last


def test_all_hear_that_a_choice_was_made_and_only_its_own_seat_hears_what_it_is():
    told, whispered = after("0 bid KS").events
    assert (told.kind, told.facts, told.to) == ("bid", {"seat": 0}, None)
    assert (whispered.facts, whispered.to) == ({"card": "KS"}, 0)


def test_choices_stay_sealed_until_the_last_one_is_in():
    assert [event.kind for event in after("0 bid KS").events] == ["bid", "bid_yours"]
    kinds = [event.kind for event in after("0 bid KS", "1 bid 2C").events]
    assert kinds[:3] == ["bid", "bid_yours", "revealed"]


def test_what_is_missing_and_what_is_made_are_all_there_is():
    assert missing([None, "KS", None]) == [0, 2]
    assert made([None, "KS", None]) == [1]


def test_who_has_chosen_is_known_and_what_the_others_chose_is_not():
    hands = [whole_suit(suit) for suit in "SCH"]
    drawn = set()
    for number in range(80):
        bids = ["KS", None, "KH"]
        redraw(Play(CLOCK, chance(number)), bids, hands, viewer=0)
        assert (bids[0], bids[1]) == ("KS", None)
        drawn.add(bids[2])
    assert drawn == set(hands[2])


def test_dealing_again_moves_cards_between_the_unknown_ones_only():
    first, second, stock = ["AS", "2S", "3S"], ["4S"], ["5S", "6S"]
    found = [set(), set(), set()]
    for number in range(200):
        lying = [list(cards) for cards in (first, second, stock)]
        redeal(chance(number), [Unknown(cards) for cards in lying])
        assert [len(cards) for cards in lying] == [3, 1, 2]
        assert Counter(chain(*lying)) == Counter(first + second + stock)
        for seen, cards in zip(found, lying, strict=True):
            seen.update(cards)
    assert found == [set(first + second + stock)] * 3


def test_cards_that_are_known_to_be_there_stay():
    for number in range(50):
        hand, stock = ["AS", "AS", "2S"], ["3S", "4S"]
        redeal(chance(number), [Unknown(hand, stay=["AS"]), Unknown(stock)])
        assert hand[0] == "AS"
        assert Counter(hand + stock) == Counter(["AS", "AS", "2S", "3S", "4S"])


def low(card):
    return RANKS.index(rank_of(card)) < 7


@pytest.mark.parametrize("where", [0, 1])
def test_what_is_known_of_hidden_cards_stays_true(where):
    """Whatever else is dealt first or last, low cards come where low cards are known to be."""
    cards = pack(jokers=False)
    lows = [card for card in cards if low(card)][:4]
    rest = [card for card in cards if card not in lows]
    for number in range(30):
        hand, stock = list(lows), list(rest)
        unknown = [Unknown(stock), Unknown(hand, fits=low)]
        redeal(chance(number), unknown if where else unknown[::-1])
        assert all(map(low, hand))
        assert Counter(hand + stock) == Counter(cards)


def test_hands_dealt_anew_keep_what_is_known_and_are_in_order():
    kept = set()
    for number in range(12):
        hands = [["1", "2", "3"], ["4", "5", "6"], ["7", "8", "9"]]
        redeal_hands(chance(number), hands, 0, [[], ["5"], []], sorted)
        assert hands[0] == ["1", "2", "3"] and "5" in hands[1]
        assert [hand == sorted(hand) and len(hand) for hand in hands] == [3, 3, 3]
        assert sorted(hands[1] + hands[2]) == ["4", "5", "6", "7", "8", "9"]
        kept.add(tuple(hands[1]))
    assert len(kept) > 3


def test_several_cards_chosen_by_others_are_drawn_anew():
    play, drawn = Play(CLOCK, chance()), set()
    for _ in range(20):
        choices = [["1"], None, ["7", "8"]]
        redraw_several(play, choices, [["1", "2"], ["3"], ["9", "8", "7"]], 0, sorted)
        assert choices[:2] == [["1"], None]
        drawn.add(tuple(choices[2]))
    assert drawn == {("7", "8"), ("7", "9"), ("8", "9")}


# What is chosen by lot for somebody who has left is theirs to change when they are back

AWAY = ("-1 leave 0", "-1 lapse 12.0", "-1 return 0")


def states(*texts):
    return [done.state for _, done in replay(SEALED_BIDS, 2, Options(), SEED, texts)]


def test_seal_for_the_absent_is_undone_without_a_trace():
    *_, bid, _back, undone = states(*AWAY, "0 take_back 2")
    assert bid.bids[0] in whole_suit("S")
    assert to_json(undone) == to_json(states()[0])


@pytest.mark.parametrize(
    "texts",
    [
        (*AWAY, "1 take_back 2"),  # it was not theirs
        (*AWAY, "1 bid 2C", "0 take_back 2"),  # all are shown
        ("-1 lapse 12", "0 take_back 1"),  # time was over for all
        (*AWAY, "0 take_back 1"),  # leaving is no choice
    ],
)
def test_seal_for_the_absent_stands_where_no_other_would(texts):
    with pytest.raises(NotOnOffer, match="no longer"):
        states(*texts)
