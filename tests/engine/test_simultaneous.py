"""Sealed choices, and resampling what a viewer cannot know."""

from collections import Counter
from itertools import chain

import pytest

from kaboom.engine.codec import to_json
from kaboom.engine.engine import start, step
from kaboom.engine.log_replay import replay
from kaboom.engine.moves import CLOCK, Move, NotOnOffer
from kaboom.engine.play import Play
from kaboom.engine.rng import Rng
from kaboom.engine.toolkit.cards import RANKS, pack, rank_of, whole_suit
from kaboom.engine.toolkit.resample import Unknown, redeal, redeal_hands
from kaboom.engine.toolkit.simultaneous import made, missing, redraw, redraw_several
from tests.engine.sealed_bids import SEALED_BIDS, Options

SEED = bytes(32)


def rng(number=1):
    return Rng(SEED, number)


def after(*texts):
    last = start(SEALED_BIDS, 2, Options(), SEED)
    for number, text in enumerate(texts, 1):
        last = step(SEALED_BIDS, last.state, Move.parse(text), rng(number))
    return last


def test_sealed_choice_is_public_and_its_content_private():
    told, whispered = after("0 bid KS").events
    assert (told.kind, told.facts, told.to) == ("bid", {"seat": 0}, None)
    assert (whispered.facts, whispered.to) == ({"card": "KS"}, 0)


def test_choices_stay_sealed_until_the_last_one_is_in():
    assert [event.kind for event in after("0 bid KS").events] == ["bid", "bid_yours"]
    kinds = [event.kind for event in after("0 bid KS", "1 bid 2C").events]
    assert kinds[:3] == ["bid", "bid_yours", "revealed"]


def test_missing_and_made_choices_are_listed():
    assert missing([None, "KS", None]) == [0, 2]
    assert made([None, "KS", None]) == [1]


def test_view_shows_that_a_seat_has_chosen_but_not_what():
    hands = [whole_suit(suit) for suit in "SCH"]
    drawn = set()
    for number in range(80):
        bids = ["KS", None, "KH"]
        redraw(Play(CLOCK, rng(number)), bids, hands, viewer=0)
        assert (bids[0], bids[1]) == ("KS", None)
        drawn.add(bids[2])
    assert drawn == set(hands[2])


def test_resample_moves_only_unknown_cards():
    first, second, stock = ["AS", "2S", "3S"], ["4S"], ["5S", "6S"]
    found = [set(), set(), set()]
    for number in range(200):
        lying = [list(cards) for cards in (first, second, stock)]
        redeal(rng(number), [Unknown(cards) for cards in lying])
        assert [len(cards) for cards in lying] == [3, 1, 2]
        assert Counter(chain(*lying)) == Counter(first + second + stock)
        for seen, cards in zip(found, lying, strict=True):
            seen.update(cards)
    assert found == [set(first + second + stock)] * 3


def test_resample_keeps_known_cards():
    for number in range(50):
        hand, stock = ["AS", "AS", "2S"], ["3S", "4S"]
        redeal(rng(number), [Unknown(hand, stay=["AS"]), Unknown(stock)])
        assert hand[0] == "AS"
        assert Counter(hand + stock) == Counter(["AS", "AS", "2S", "3S", "4S"])


def low(card):
    return RANKS.index(rank_of(card)) < 7


@pytest.mark.parametrize("where", [0, 1])
def test_facts_about_hidden_cards_stay_true(where):
    """Low cards stay in places known to be low, whatever is dealt first."""
    cards = pack(jokers=False)
    lows = [card for card in cards if low(card)][:4]
    rest = [card for card in cards if card not in lows]
    for number in range(30):
        hand, stock = list(lows), list(rest)
        unknown = [Unknown(stock), Unknown(hand, fits=low)]
        redeal(rng(number), unknown if where else unknown[::-1])
        assert all(map(low, hand))
        assert Counter(hand + stock) == Counter(cards)


def test_resampled_hands_keep_known_cards_sorted():
    kept = set()
    for number in range(12):
        hands = [["1", "2", "3"], ["4", "5", "6"], ["7", "8", "9"]]
        redeal_hands(rng(number), hands, 0, [[], ["5"], []], sorted)
        assert hands[0] == ["1", "2", "3"] and "5" in hands[1]
        assert [hand == sorted(hand) and len(hand) for hand in hands] == [3, 3, 3]
        assert sorted(hands[1] + hands[2]) == ["4", "5", "6", "7", "8", "9"]
        kept.add(tuple(hands[1]))
    assert len(kept) > 3


def test_multi_card_choices_of_others_are_resampled():
    play, drawn = Play(CLOCK, rng()), set()
    for _ in range(20):
        choices = [["1"], None, ["7", "8"]]
        redraw_several(play, choices, [["1", "2"], ["3"], ["9", "8", "7"]], 0, sorted)
        assert choices[:2] == [["1"], None]
        drawn.add(tuple(choices[2]))
    assert drawn == {("7", "8"), ("7", "9"), ("8", "9")}


# A returning player may change a choice that was made at random for them

AWAY = ("-1 leave 0", "-1 lapse 12.0", "-1 return 0")


def states(*texts):
    return [done.state for _, done in replay(SEALED_BIDS, 2, Options(), SEED, texts)]


def test_choice_for_an_absent_seat_is_undone_without_a_trace():
    *_, bid, _back, undone = states(*AWAY, "0 take_back 2")
    assert bid.bids[0] in whole_suit("S")
    assert to_json(undone) == to_json(states()[0])


@pytest.mark.parametrize(
    "texts",
    [
        (*AWAY, "1 take_back 2"),  # it was another player's
        (*AWAY, "1 bid 2C", "0 take_back 2"),  # all are revealed
        ("-1 lapse 12", "0 take_back 1"),  # time was up for all
        (*AWAY, "0 take_back 1"),  # leaving is not a choice
    ],
)
def test_other_take_backs_after_an_absence_are_refused(texts):
    with pytest.raises(NotOnOffer, match="no longer"):
        states(*texts)
