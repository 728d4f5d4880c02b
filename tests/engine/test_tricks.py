"""Tricks: turn order, following suit and winning, with and without trumps."""

import pytest

from kaboom.engine.toolkit.cards import pack
from kaboom.engine.toolkit.tricks import (
    CANNOT_WIN,
    Ranking,
    TrickTaking,
    first_best,
    laid_out,
    last_taker,
    may_follow,
    of_suit,
    plain_ranking,
    player_at,
    sorted_hand,
    strength,
    winner,
)
from kaboom.engine.views import Saying, View, Zone

HEARTS = plain_ranking()
SPADES_ARE_TRUMPS = plain_ranking("S")
TENS_ARE_HIGH = plain_ranking(low_to_high="23456789JQKTA")


def with_jokers(rank="2"):
    """Return a ranking with printed suits in which jokers and a rank are trumps, in that order."""
    cards = pack()
    trumps = {card: 40 if card[0] == rank else 41 for card in cards if card[0] in (rank, "B")}
    trumps["RJ"] = 42
    return Ranking(
        suits={card: "trump" if card in trumps else card[1] for card in cards},
        powers={c: trumps.get(c) or plain_ranking().powers[c] for c in cards},
        trump="trump",
    )


JOKERS_ARE_TRUMPS = with_jokers()


@pytest.mark.parametrize(
    "leader, played, seats, player",
    [(0, 0, 4, 0), (0, 3, 4, 3), (2, 1, 4, 3), (2, 2, 4, 0), (3, 3, 4, 2), (4, 1, 5, 0)],
)
def test_turn_passes_round_from_the_leader(leader, played, seats, player):
    assert player_at(leader, played, seats) == player


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_each_seat_plays_once_per_trick(seats):
    for leader in range(seats):
        order = [player_at(leader, place, seats) for place in range(seats)]
        assert order[0] == leader
        assert sorted(order) == list(range(seats))


@pytest.mark.parametrize(
    "ranking, hand, led, allowed",
    [
        (HEARTS, "2C 9H AC", "KC", "2C AC"),
        (HEARTS, "9H QS", "KC", "9H QS"),
        (HEARTS, "9H QS 9H", "2H", "9H 9H"),
        (SPADES_ARE_TRUMPS, "2C AS", "KC", "2C"),
        (SPADES_ARE_TRUMPS, "2D AS", "KC", "2D AS"),
        (JOKERS_ARE_TRUMPS, "2C 9C RJ", "KC", "9C"),  # a 2 counts as a trump
        (JOKERS_ARE_TRUMPS, "2C 9C RJ", "BJ", "2C RJ"),  # a led joker calls for trumps
        (JOKERS_ARE_TRUMPS, "2C RJ", "KC", "2C RJ"),
    ],
)
def test_player_follows_suit_if_able_or_plays_any_card(ranking, hand, led, allowed):
    assert may_follow(ranking, hand.split(), led) == allowed.split()


def test_playable_query_does_not_change_the_hand():
    hand = ["9H", "QS"]
    may_follow(HEARTS, hand, "KC").clear()
    assert hand == ["9H", "QS"]


def test_cards_of_a_suit_keep_their_order():
    cards = ["2C", "RJ", "9S", "2S", "AS"]
    assert of_suit(JOKERS_ARE_TRUMPS, cards, "S") == ["9S", "AS"]
    assert of_suit(JOKERS_ARE_TRUMPS, cards, "trump") == ["2C", "RJ", "2S"]
    assert of_suit(JOKERS_ARE_TRUMPS, cards, "D") == []


@pytest.mark.parametrize(
    "ranking, trick, place",
    [
        (HEARTS, "TC", 0),
        (HEARTS, "TC JC 2C", 1),
        (HEARTS, "TC AD AH AS", 0),  # cards of other suits never win, however high
        (HEARTS, "2D QS 3D KH", 2),
        (SPADES_ARE_TRUMPS, "AC 2S KC", 1),  # the lowest trump beats the highest of the suit led
        (SPADES_ARE_TRUMPS, "AC 2S 9S AD", 2),
        (SPADES_ARE_TRUMPS, "TS KS AC QS", 1),
        (TENS_ARE_HIGH, "KC TC AD", 1),
        (TENS_ARE_HIGH, "TC AC", 1),
        (JOKERS_ARE_TRUMPS, "AC 2D RJ BJ", 2),
        (JOKERS_ARE_TRUMPS, "AC 2D 2C 2H", 1),  # of equal trumps the first wins
        (JOKERS_ARE_TRUMPS, "9C KC AD KC", 1),  # of two equal cards, too
    ],
)
def test_highest_trump_wins_or_the_highest_of_the_suit_led(ranking, trick, place):
    assert winner(ranking, trick.split()) == place


def test_empty_trick_has_no_winner():
    with pytest.raises(ValueError):
        winner(HEARTS, [])


@pytest.mark.parametrize(
    "ranking, led, card, wins",
    [
        (HEARTS, "KC", "2C", True),
        (HEARTS, "KC", "AS", False),
        (SPADES_ARE_TRUMPS, "KC", "2S", True),
        (SPADES_ARE_TRUMPS, "KC", "AD", False),
        (JOKERS_ARE_TRUMPS, "KC", "2D", True),
    ],
)
def test_only_trumps_and_cards_of_the_suit_led_have_any_strength(ranking, led, card, wins):
    assert (strength(ranking, led, card) != CANNOT_WIN) == wins


@pytest.mark.parametrize("trump", "SHDC")
def test_every_trump_is_above_every_plain_card(trump):
    ranking = plain_ranking(trump)
    trumps = of_suit(ranking, pack(jokers=False), trump)
    assert len(trumps) == 13
    for card in set(pack(jokers=False)) - set(trumps):
        assert all(winner(ranking, [card, other]) == 1 for other in trumps)


@pytest.mark.parametrize(
    "strengths, place", [([3], 0), ([3, 7, 7], 1), ([CANNOT_WIN, 0], 1), ([0, CANNOT_WIN], 0)]
)
def test_the_earliest_of_the_strongest_plays_wins(strengths, place):
    assert first_best(strengths) == place


# A trick stored by seat


def table(*hands, leader=0):
    """Return the stored trick of a deal with these hands, each a text."""
    kept = TrickTaking(scores=[0] * len(hands), leader=leader)
    kept.dealt([hand.split() for hand in hands])
    return kept


def test_new_deal_has_no_cards_played_or_taken():
    kept = table("2C 3C", "4C 5C")
    assert (kept.deal, kept.trick, kept.taken, kept.ready) == (1, [None, None], [[], []], [])
    assert (kept.turn, kept.led, kept.doing(HEARTS, 0)) == (0, None, "lead")


def test_trick_passes_round_and_its_winner_leads_the_next():
    kept, ranking = table("5C 2D", "9C 3D", "7H 4D", leader=2), plain_ranking()
    assert not kept.lay(ranking, "7H")
    assert (kept.turn, kept.led, kept.doing(HEARTS, 0), kept.played) == (0, "7H", "void", ["7H"])
    assert not kept.lay(ranking, "5C")
    assert kept.lay(ranking, "9C")  # no player followed
    assert (kept.leader, kept.turn, kept.led, kept.doing(HEARTS, 0)) == (2, 2, None, "lead_next")
    assert (kept.taken, kept.won()) == ([[], [], []], [[], [], ["7H", "5C", "9C"]])


@pytest.mark.parametrize(
    ("hand", "kind"), [("5C 2D", "follow_suit"), ("2D 3D", "void"), ("5C 6C", "follow")]
)
def test_status_says_whether_suit_must_or_can_be_followed(hand, kind):
    kept = table(hand, "9C 3D", leader=1)
    kept.lay(HEARTS, "9C")
    assert kept.doing(HEARTS, 0) == kind


@pytest.mark.parametrize(("left", "seat"), [([], 1), (["6C"], None)])
def test_last_trick_has_a_taker_once_all_have_played(left, seat):
    kept = table("5C", "9C", leader=1)
    for card, known in (("9C", None), ("5C", seat)):
        kept.lay(HEARTS, card)
        zones = (Zone.hand(0, left, 0), *laid_out(HEARTS, kept.trick, kept.leader))
        assert last_taker(View(None, zones, Saying("lead"))) == known


def test_only_the_player_to_follow_suit_learns_that_they_must():
    kept = table("5C 2D", "9C 3D", leader=1)
    kept.lay(HEARTS, "9C")
    assert [kept.doing(HEARTS, viewer) for viewer in (0, 1, None)] == [
        "follow_suit",
        "follow",
        "follow",
    ]


@pytest.mark.parametrize(
    ("cards", "leader", "marks"),
    [
        ((None, "7C", None), 1, {1: "led"}),
        ((None, "7C", "8C"), 1, {1: "led", 2: "highest"}),
        ((None, "7C", "8D"), 1, {1: "led, highest"}),
        (("2C", "7C", "8C"), 1, {2: "won"}),
    ],
)
def test_card_led_and_the_best_one_are_marked(cards, leader, marks):
    laid = laid_out(HEARTS, cards, leader)
    assert {it.owner: word for it in laid for word in it.marks.values()} == marks


def test_complete_trick_stays_until_the_next_lead():
    kept, ranking = table("5C 2D", "9C 3D"), plain_ranking()
    kept.lay(ranking, "5C")
    kept.lay(ranking, "9C")
    kept.lay(ranking, "3D")
    assert (kept.taken, kept.trick, kept.hands) == ([[], ["9C", "5C"]], [None, "3D"], [["2D"], []])


def test_sorted_hand_goes_by_suit_from_low_to_high():
    assert sorted_hand(plain_ranking(), ["AH", "2C", "TS", "2H", "KC"]) == [
        "2C",
        "KC",
        "TS",
        "2H",
        "AH",
    ]


def test_ready_and_absent_seats_are_not_waited_for():
    kept = table("", "", "")
    kept.ready, kept.absent = [2], [0]
    assert kept.unready == [1]
