"""King of the Hill: numbered worked examples of its rules, and the other sentences in them."""

from collections import Counter
from itertools import pairwise

import pytest

from kaboom.engine.bots.bot import Level
from kaboom.engine.codec import copied, to_json
from kaboom.engine.engine import (
    clocks,
    find,
    prompt,
    random_move,
    start,
    step,
    waiting_for,
)
from kaboom.engine.moves import IllegalMove, Move, NotOnOffer, StaleMove
from kaboom.engine.rng import Rng
from kaboom.engine.texts import Names
from kaboom.engine.toolkit.cards import SUITS, pack
from kaboom.engine.toolkit.playthrough import random_turn
from kaboom.games.koth import GAME
from kaboom.games.koth.bot import Position
from kaboom.games.koth.cards import card_points, trump_ranking
from kaboom.games.koth.options import Options
from kaboom.games.koth.rules import STAGES
from kaboom.games.koth.scoring import next_king
from kaboom.games.koth.state import DEAD_HAND, SEATS, Declaration, State
from kaboom.games.koth.tricks import follow_refusal, legal_plays, strength, winning_play
from kaboom.games.koth.words import in_how_many_cases
from kaboom.games.koth.worlds import challengers_points, deck_of, imagined
from tests.games import koth_oracle as oracle
from tests.games.positions import seed
from tests.support.effort import often

TRICKS = often(1_500, soak=200_000)
MATCHES = often(5, soak=1_000)
BOT_MATCHES = often(8, soak=500)

UNTIMED = Options(pace="untimed", deal_interval=0.0)
FILLER = "3C"


def rng(number=0, purpose="play"):
    return Rng(seed(number), number, purpose)


def play(state, *moves, number=1):
    """Return the state after the moves (texts)."""
    for text in moves:
        state = step(GAME, state, Move.parse(text), rng(number)).state
    return state


def told(state, text, number=1):
    """Return the kinds of the events of one move."""
    return [event.kind for event in step(GAME, state, Move.parse(text), rng(number)).events]


def refused(state, text, kind=IllegalMove):
    with pytest.raises(kind) as no:
        find(GAME, state, Move.parse(text))
    return no.value


def offers(state, seat):
    return {offer.verb: offer for offer in prompt(GAME, state, seat).offers}


def table(stage="trick", options=UNTIMED, koth=0, leader=0, **more):
    """Return a position: rank 2, hearts, king 0 by default."""
    given = {"defenders": [koth] if koth is not None else [], "trump_suit": "H", **more}
    state = State(options, koth, leader, stage=stage, **given)
    return copied(state)


def cards(text):
    return text.split()


def trick(lead_and_plays, filler=FILLER, **more):
    """Return a position in which each seat in turn can play the given cards, and the moves."""
    plays = [cards(part) for part in lead_and_plays.split(",")]
    hands = [[*play, filler] for play in plays]
    moves = [f"{seat} play {' '.join(play)}" for seat, play in enumerate(plays)]
    return table(hands=hands, **more), moves


def test_seat_that_played_to_a_trick_premoves_nothing_more():
    state, moves = trick("KS,AS,5S,TH,3S")
    after = play(state, *moves[:2])
    assert [[it.verb for it in GAME.ahead(after, seat)] for seat in range(5)] == [
        [],
        [],
        ["play"],
        ["play"],
        ["play"],
    ]


# --- Worked examples 1-7: winning a trick -----------------------------------------------------


@pytest.mark.parametrize(
    "example, plays, winner, points",
    [
        (1, "KS,AS,5S,TH,3S", 3, 25),
        (2, "2C,2D,AH,BJ,2H", 3, 0),
        (3, "2C,2D,AH,KH,3H", 0, 10),
        (4, "AS,AS,KD,TD,5D", 0, 25),
        (5, "9S 9S,KS KS,AS QS,3H 4H,5H 5H", 4, 30),
        (6, "9S 9S,KS KS,AS QS,3H 4H,5H 6H", 1, 25),
        (7, "2S 2S,AH AH,2C 2D,RJ BJ,KH KH", 0, 20),
        (13, "7S 7S,5D 5D,8S 9S,3D 4D,6D 7D", 0, 10),
    ],
)
def test_worked_examples_of_winning_hold(example, plays, winner, points):
    state, moves = trick(plays)
    after = play(state, *moves)
    assert after.leader == winner
    assert after.points[winner] == points == sum(after.points)
    assert after.last_trick.winner == winner


# --- Worked examples 8-13: following ----------------------------------------------------------

ANY_TWO = "5D 5D,5D AC"


@pytest.mark.parametrize(
    "example, lead, hand, legal, literal",
    [
        (8, "7S 7S", "KS 9S 9S 3D AH", "9S 9S", "9S 9S"),
        (
            9,
            "7S 7S",
            "KS QS 3D AH",
            "KS QS",
            "KS QS,KS 3D,KS AH,QS 3D,QS AH,3D AH",
        ),
        (10, "7S 7S", "KS 3D 3D AH", "KS 3D,KS AH", "KS 3D,KS AH,3D 3D,3D AH"),
        (11, "7S", "2S 3D AC", "2S,3D,AC", "2S,3D,AC"),
        (12, "7H", "2S 3D AC", "2S", "2S"),
        (13, "7S 7S", "5D 5D AC", ANY_TWO, ANY_TWO),
    ],
)
def test_worked_examples_of_following_hold(example, lead, hand, legal, literal):
    for rule, expected in (("no_renege", legal), ("literal", literal)):
        options = Options(pace="untimed", follow_rule=rule)
        hands = [[FILLER], cards(hand), [FILLER], [FILLER], [FILLER]]
        state = table(options=options, hands=hands, trick=[cards(lead)])
        pick = next(li.pick for li in GAME.listeners(state) if li.verb == "play")
        taken = {tuple(sorted(choices)) for choices in pick.legal()}
        assert taken == {tuple(sorted(cards(play))) for play in expected.split(",")}
        plays = legal_plays(state.ranking, state.hands[1], cards(lead), rule == "literal")
        assert {tuple(sorted(choices)) for choices in plays} == taken


@pytest.mark.parametrize(
    "lead, hand, tried, sentence, rule",
    [
        (
            "7S 7S",
            "KS 9S 9S 3D",
            "KS 9S",
            "You hold two spades exactly alike, so you must play such a pair of spades.",
            "following",
        ),
        (
            "7S 7S",
            "KS QS 3D",
            "KS 3D",
            "You hold spades, so both cards must be spades.",
            "following",
        ),
        (
            "7S 7S",
            "KS 3D 4D",
            "3D 4D",
            "You hold one spade, so it must be one of your two cards.",
            "following",
        ),
        ("7S", "KS 3D", "3D", "You hold a spade, so you must play a spade.", "following"),
        ("RJ", "2S 3D", "3D", "You hold a trump, so you must play a trump.", "following"),
        (
            "",
            "2S 2C 3D",
            "2S 2C",
            "Two cards can be led only as a pair: the same rank and the same suit twice.",
            "leading",
        ),
    ],
)
def test_refused_play_names_the_broken_rule(lead, hand, tried, sentence, rule):
    leads = [cards(lead)] if lead else []
    state = table(hands=[[FILLER], cards(hand), [], [], []], trick=leads, leader=0 if lead else 1)
    no = refused(state, f"1 play {tried}")
    assert (str(no), no.rule) == (sentence, rule)


def test_a_play_must_be_of_the_right_number_and_in_the_hand():
    state = table(hands=[[FILLER], cards("KS QS"), [], [], []], trick=[["7S"]])
    refused(state, "1 play KS QS")
    refused(state, "1 play AS")
    refused(state, "1 play")
    refused(state, "2 play KS", NotOnOffer)


# --- Worked examples 14-20: declaring ---------------------------------------------------------


def dealt(hands, round=1, stage="deal", options=UNTIMED, **more):
    """Return a position in the deal or the last call; the remaining cards are the stock."""
    left = Counter(pack() * 2) - Counter(card for hand in hands for card in hand)
    koth = more.pop("koth", None)
    stock = sorted(left.elements())
    return table(
        stage, options, koth, round=round, hands=hands, stock=stock, trump_suit=None, **more
    )


def test_example_14_first_declaration_needs_one_trump_card():
    state = dealt([["3S"], ["3H"], ["2D"], [], []])
    assert offers(state, 2)["declare"].options == ("D",)
    after = play(state, "2 declare D")
    assert after.declarations == [Declaration(2, "D", 1)]
    assert (after.trump_suit, after.koth, after.defenders) == ("D", 2, [2])


def test_example_15_an_override_needs_a_pair():
    state = play(dealt([[], [], ["2D"], [], ["2S"]]), "2 declare D")
    refused(state, "4 declare S", NotOnOffer)


def test_example_16_pair_overrides_and_takes_the_hill():
    state = play(dealt([[], [], ["2D"], [], ["2S", "2S"]]), "2 declare D", "4 declare S")
    assert (state.trump_suit, state.koth, state.defenders) == ("S", 4, [4])
    assert state.declarations[-1] == Declaration(4, "S", 2)


@pytest.mark.parametrize("allowed", [True, False])
def test_example_17_pair_overrides_a_pair_if_allowed(allowed):
    options = Options(pair_over_pair=allowed)
    state = dealt([["2C", "2C"], [], [], [], ["2S", "2S"]], options=options)
    state = play(state, "4 declare S")
    if allowed:
        assert play(state, "0 declare C").koth == 0
    else:
        refused(state, "0 declare C", NotOnOffer)


def test_example_18_later_declaration_sets_only_the_suit():
    state = play(dealt([[], [], [], ["2D"], []], round=2, koth=1), "3 declare D")
    assert (state.trump_suit, state.koth, state.defenders) == ("D", 1, [1])


def test_status_and_tip_tell_who_becomes_king_alike():
    first, later = dealt([[]] * 5), dealt([[]] * 5, round=2, koth=1)
    assert reads(first, 0) == "Dealing: one of the 2s makes its player king; a pair overrides it."
    assert reads(later, 0) == "Dealing: one of the 2s makes its suit trumps. King: Ben."
    tips = [
        [name for name, _ in GAME.tips_for(GAME.view(it, seat), None, UNTIMED)]
        for it, seat in ((first, 0), (later, 0), (later, 1))
    ]
    assert tips == [["first-king", "aim"], ["next-king", "aim"], ["aim"]]


def all_pass(state):
    return play(state, *[f"{seat} pass" for seat in range(SEATS) if seat not in state.ready])


def plain_hands():
    """Return twenty random cards each, none of the trump rank."""
    rest = rng(5).shuffled([card for card in pack() * 2 if card[0] != "2"])
    return [sorted(rest[seat * 20 : seat * 20 + 20]) for seat in range(SEATS)]


def test_example_19_first_round_draws_lots_if_none_declares():
    seen = set()
    for number in range(40):
        state = dealt(plain_hands(), stage="last_call")
        after = play(state, *[f"{seat} pass" for seat in range(SEATS)], number=number)
        assert after.stage == "dead_hand"
        seen.add((after.koth, after.trump_suit))
        assert after.defenders == [after.koth] and after.leader == after.koth
    assert {koth for koth, _ in seen} == set(range(SEATS))
    assert {suit for _, suit in seen} == set(SUITS)


def test_example_20_silent_king_gets_a_random_suit_later():
    timed = Options()
    seen = set()
    for number in range(20):
        state = all_pass(dealt(plain_hands(), 2, "last_call", timed, koth=3))
        assert state.stage == "choose_trump" and state.koth == 3
        (clock,) = clocks(GAME, state)
        assert clock.after == 15
        after = play(state, str(clock.clock_move), number=number)
        assert after.stage == "dead_hand" and after.koth == 3
        seen.add(after.trump_suit)
    assert seen == set(SUITS)


def test_king_may_choose_the_suit_if_no_player_declared():
    state = all_pass(dealt(plain_hands(), 2, "last_call", koth=3))
    assert waiting_for(GAME, state) == [3]
    assert play(state, "3 trump C").trump_suit == "C"


def test_player_may_strengthen_their_declaration_once():
    state = play(dealt([["2D"], [], [], [], []]), "0 declare D")
    refused(state, "0 declare D", NotOnOffer)
    state.hands[0].append("2D")
    state = play(state, "0 declare D")
    assert state.declarations[-1].cards == 2
    refused(state, "0 declare D", NotOnOffer)


def test_example_17_overridden_pair_may_be_shown_again():
    """A declaration must change suit, declarer or number: after P0 and P4, P0 changes two."""
    state = dealt([["2C", "2C"], [], [], [], ["2S", "2S"]])
    state = play(state, "0 declare C", "4 declare S")
    assert offers(state, 0)["declare"].options == ("C",)
    state = play(state, "0 declare C")
    assert (state.koth, state.trump_suit) == (0, "C")
    refused(state, "0 declare C", NotOnOffer)
    assert play(state, "4 declare S").koth == 4


def test_overridden_pair_stays_overridden_without_pair_rule():
    state = dealt([["2C"], [], [], [], ["2S", "2S"]], options=Options(pair_over_pair=False))
    state = play(state, "0 declare C", "4 declare S")
    state.hands[0].append("2C")
    refused(state, "0 declare C", NotOnOffer)


def test_player_with_two_pairs_may_switch_suits_and_back():
    state = dealt([["2C", "2C", "2H", "2H"], [], [], [], []])
    state = play(state, "0 declare C", "0 declare H", "0 declare C")
    assert state.trump_suit == "C"


def test_player_with_both_pairs_shows_both():
    assert play(dealt([["2C", "2C"], [], [], [], []]), "0 declare C").declarations[0].cards == 2


def test_jokers_do_not_declare():
    state = dealt([["RJ", "RJ", "BJ"], [], [], [], []])
    assert not offers(state, 0)


def test_declaration_unaware_of_an_override_is_too_late():
    state = dealt([["2C", "2C"], ["2D"], [], [], []])
    form = offers(state, 0)["declare"].token
    assert find(GAME, state, Move(0, "declare", ("C",)), form)
    later = play(state, "1 declare D")
    with pytest.raises(StaleMove):
        find(GAME, later, Move(0, "declare", ("C",)), form)


def test_last_call_declaration_asks_again_without_more_time():
    timed = Options()
    hands = plain_hands()
    hands[0][0] = hands[0][1] = "2C"
    state = dealt(hands, stage="last_call", options=timed)
    before = [(li.clock_move, li.after) for li in clocks(GAME, state)]
    state = play(state, "3 pass", "4 pass", "0 declare C")
    assert waiting_for(GAME, state) == [0, 1, 2, 3, 4]
    assert [(li.clock_move, li.after) for li in clocks(GAME, state)] == before
    after = play(state, str(before[0][0]))
    assert (after.stage, after.koth, after.trump_suit) == ("dead_hand", 0, "C")


def reads(state, viewer):
    """Return the status as a seat reads it."""
    saying = GAME.view(state, viewer).saying
    names = Names(["Ann", "Ben", "Cy", "Dee", "Eve"], viewer)
    return GAME.words.say(saying.kind, saying.facts, names)


def test_declarer_and_caller_are_addressed_as_you():
    state = play(dealt([["2S"], [], [], [], []]), "0 declare S")
    assert reads(state, 0).startswith("Dealing: you declared Spades with ")
    assert reads(state, 1).startswith("Dealing: Ann declared Spades with ")
    called = play(table("call", hands=plain_hands()), "0 call KS")
    assert reads(called, 0) == "You called the King of Spades to find a teammate. Ready?"
    assert reads(called, 1) == "Ann called the King of Spades to find a teammate. Ready?"
    assert reads(play(called, "0 ready"), 0).startswith("You called the King of Spades; ")
    alone = play(table("call", hands=plain_hands()), "0 no_call")
    assert reads(alone, 0) == "You play alone against the other four. Ready?"
    assert reads(play(alone, "0 ready"), 0).startswith("You play alone; ")


def test_the_last_call_ends_when_all_five_have_passed():
    state = dealt(plain_hands(), stage="last_call")
    assert not clocks(GAME, state)
    assert all_pass(state).stage == "dead_hand"


# --- The deal ---------------------------------------------------------------------------------


def begun(options, number=1):
    state = start(GAME, SEATS, options, seed(number)).state
    for seat in range(SEATS):
        state = play(state, f"{seat} ready", number=number)
    return state


def test_cards_are_dealt_one_by_one_from_the_first_player():
    state = begun(Options())
    first = state.leader
    for n in range(1, 101):
        assert state.stage == "deal"
        (clock,) = clocks(GAME, state)
        assert (str(clock.clock_move), clock.after) == (f"-1 deal {n}", 0.1)
        assert not waiting_for(GAME, state)
        done = step(GAME, state, clock.clock_move, rng(n))
        owner = (first + n - 1) % SEATS
        assert done.events[0].to == owner
        assert len(done.state.hands[owner]) == len(state.hands[owner]) + 1
        state = done.state
    assert state.stage == "last_call"
    assert [len(hand) for hand in state.hands] == [20] * SEATS
    assert len(state.stock) == DEAD_HAND


def test_deal_without_an_interval_goes_straight_to_the_last_call():
    state = begun(UNTIMED)
    assert state.stage == "last_call"
    rank_cards = {seat: [c for c in hand if c[0] == "2"] for seat, hand in enumerate(state.hands)}
    for seat, held in rank_cards.items():
        assert ("declare" in offers(state, seat)) == bool(held)


def test_first_leader_is_random_and_later_the_king_leads():
    assert {start(GAME, SEATS, Options(), seed(n)).state.leader for n in range(40)} == set(range(5))
    state = table("ready_round", koth=3, leader=3, round=2, trump_suit=None)
    for seat in range(SEATS):
        state = play(state, f"{seat} ready")
    dealt_one = play(table("deal", Options(), 3, 3, round=2, stock=pack() * 2), "-1 deal 1")
    assert [len(hand) for hand in dealt_one.hands] == [0, 0, 0, 1, 0]


# --- Worked example 21: the dead hand ---------------------------------------------------------


def dead_hand_position(options=UNTIMED, koth=1):
    state = dealt(plain_hands(), 2, "last_call", options, koth=koth)
    return play(all_pass(state), f"{koth} trump H")


def test_the_king_takes_up_eight_cards_and_buries_eight():
    state = dead_hand_position()
    assert len(state.hands[1]) == 28 and not state.stock
    eight = state.hands[1][3:11]
    after = play(state, f"1 bury {' '.join(eight)}")
    assert after.stage == "call" and len(after.hands[1]) == 20
    assert Counter(after.dead_hand) == Counter(eight)
    refused(state, f"1 bury {' '.join(eight[:7])}")


def test_example_21_timeout_completes_a_draft_at_random():
    state = dead_hand_position(Options())
    (clock,) = clocks(GAME, state)
    assert clock.after == 180
    drafted = state.hands[1][:5]
    state = play(state, f"1 draft {' '.join(state.hands[1][10:18])}")
    state = play(state, f"1 draft {' '.join(drafted)}")
    added = set()
    for number in range(20):
        after = play(state, str(clock.clock_move), number=number)
        assert len(after.hands[1]) == 20 and len(after.dead_hand) == 8
        rest = Counter(after.dead_hand) - Counter(drafted)
        assert sum(rest.values()) == 3
        added |= set(rest)
    assert len(added) > 10, "each card not drafted can be among them"


def test_draft_causes_no_update_for_others():
    state = dead_hand_position(Options())
    after = play(state, f"1 draft {' '.join(state.hands[1][:5])}")
    for viewer in (0, 2, 3, 4, None):
        assert GAME.view(after, viewer) == GAME.view(state, viewer)
    assert clocks(GAME, after) == clocks(GAME, state)
    assert prompt(GAME, after, 1) == prompt(GAME, state, 1)
    assert GAME.view(after, 1).facts["draft"] == state.hands[1][:5]
    done = step(GAME, state, Move.parse("1 draft"), rng())
    assert all(event.to == 1 for event in done.events)


# --- Worked examples 22-24: the called card ---------------------------------------------------


def test_example_22_first_called_card_joins_second_does_not():
    state, moves = trick("5S,AD,4D,AC,6D", filler="AC", called="AC")
    state = play(state, *moves)
    assert (state.defenders, state.called) == ([0, 3], None)
    state.leader = 1
    assert play(state, "1 play AC").defenders == [0, 3]


def test_called_card_played_just_before_ones_turn_is_said_to_that_player():
    state, moves = trick("5S,AD,4D,AC,6D", filler="AC", called="AC")
    before, after = play(state, *moves[:3]), play(state, *moves[:4])
    assert GAME.view(before, 3).saying.kind == "follow_single_freely"
    said = GAME.view(after, 4).saying
    assert (said.kind, said.facts["who"]) == ("follow_single_freely_joined", 3)
    assert GAME.view(after, 0).saying.kind == "follow_single"
    assert GAME.view(after, None).facts["joined"] == 3
    ended = play(after, moves[4])
    assert GAME.view(ended, None).facts["joined"] == 3  # until the next lead
    led = play(ended, f"{ended.leader} play {ended.hands[ended.leader][0]}")
    assert GAME.view(led, None).facts["joined"] is None


def test_called_card_lies_on_top_of_the_other_played_with_it():
    hands = [["5S", "5S", "KH"], ["AC", "6C", "KH"], *(["4D", "4C", "KH"] for _ in range(3))]
    state = play(table(hands=hands, called="AC"), "0 play 5S 5S", "1 play AC 6C")
    assert state.trick[1] == ["6C", "AC"]


def test_example_23_a_king_who_plays_the_called_card_is_alone():
    state, moves = trick("AC,3C,4C,AC,6C", filler="9S", called="AC")
    after = play(state, *moves)
    assert (after.defenders, after.called) == ([0], None)
    assert "call_spent" in told(state, "0 play AC")
    ignoring = Options(pace="untimed", koth_cancels_call=False)
    state, moves = trick("AC,3C,4C,AC,6C", filler="9S", called="AC", options=ignoring)
    assert play(state, *moves).defenders == [0, 3]


def test_a_called_card_in_a_pair_lets_one_player_join():
    state, moves = trick("3C 3C,AC AC,4C 5C,6C 7C,8C 9C", called="AC", filler="9S")
    assert play(state, *moves).defenders == [0, 1]


def test_example_24_points_before_joining_move_with_the_player():
    state = last_trick(points=[0, 20, 15, 35, 10], defenders=[0], winner=0, called="3C")
    for hand, card in zip(state.hands[1:], ("4C", "5D", "3C", "6C"), strict=True):
        hand[:] = [card]
    after = play(state, "0 play AH", "1 play 4C", "2 play 5D", "3 play 3C", "4 play 6C")
    assert after.results[0].teammate == 3
    assert after.results[0].score == 45


@pytest.mark.parametrize("rule, count", [("any", 54), ("no_trump", 36)])
def test_call_rule_determines_the_callable_cards(rule, count):
    state = table("call", Options(call_rule=rule), hands=plain_hands())
    assert len(offers(state, 0)["call"].options) == count
    assert play(state, "0 call AC").called == "AC"
    assert play(state, "0 no_call").called is None


def test_timeout_of_the_king_calls_no_card():
    state = table("call", Options(), hands=plain_hands())
    (clock,) = clocks(GAME, state)
    assert clock.after == 45
    after = play(state, str(clock.clock_move))
    assert (after.called, after.stage) == (None, "ready_trick")


def test_all_players_must_be_ready_before_the_king_leads():
    state = dead_hand_position(koth=4)
    state = play(state, "4 bury " + " ".join(state.hands[4][:8]), "4 call AS")
    assert state.stage == "ready_trick" and waiting_for(GAME, state) == [0, 1, 2, 3, 4]
    state = play(state, *[f"{seat} ready" for seat in range(SEATS)])
    assert state.stage == "trick" and waiting_for(GAME, state) == [4]


# --- Worked examples 25-29: scoring -----------------------------------------------------------


def last_trick(points, defenders, winner, dead_hand=(), koth=None, **more):
    """Return a position before the last trick, which `winner` leads and wins without points."""
    koth = defenders[0] if koth is None else koth
    hands = [["AH"] if seat == winner else ["3C"] for seat in range(SEATS)]
    more = {"options": UNTIMED, **more}
    return table(
        koth=koth,
        leader=winner,
        defenders=defenders,
        points=points,
        hands=hands,
        dead_hand=list(dead_hand),
        **more,
    )


def played_out(state):
    for _ in range(SEATS):
        state = play(state, f"{state.turn} play {state.hands[state.turn][0]}")
    return state


def test_example_25_dead_hand_doubles_for_challengers():
    state = last_trick([20, 50, 30, 20, 65], [1, 4], 2, ["TS", "5D", *["3S"] * 6])
    after = played_out(state)
    assert after.results[0].score == 70 + 30
    assert after.ranks == [2] * SEATS
    assert after.koth == 2


def test_example_26_defender_winning_last_trick_voids_dead_hand():
    state = last_trick([20, 50, 30, 20, 65], [1, 4], 4, ["TS", "5D", *["3S"] * 6])
    after = played_out(state)
    assert after.results[0].score == 70
    assert after.ranks == [2, 3, 2, 2, 3]
    assert (after.koth, after.leader, after.trump_rank) == (4, 4, "3")


@pytest.mark.parametrize(
    "score, defenders, challengers",
    [
        (0, 3, 0),
        (5, 2, 0),
        (40, 2, 0),
        (45, 1, 0),
        (75, 1, 0),
        (80, 0, 0),
        (115, 0, 0),
        (120, 0, 1),
        (155, 0, 1),
        (160, 0, 2),
        (195, 0, 2),
        (200, 0, 3),
        (260, 0, 3),
    ],
)
def test_example_27_ranks_by_the_challenge_score(score, defenders, challengers):
    after = played_out(last_trick([score, 0, 200, 0, 0], [2, 3], 2))
    assert after.results[0].gains == [challengers, challengers, defenders, defenders, challengers]


def test_80_points_take_the_hill_and_fewer_do_not():
    s = last_trick([0, 0, 0, 0, 0], [0, 3], 1)
    assert [next_king(s, score) for score in (0, 75, 80, 200)] == [3, 3, 1, 1]


def test_example_28_the_next_king_is_the_next_challenger():
    after = played_out(last_trick([130, 0, 0, 0, 0], [1, 2], 1))
    assert after.koth == 3


def test_example_29_a_king_alone_who_holds_the_hill_stays():
    after = played_out(last_trick([20, 180, 0, 0, 0], [1], 1))
    assert after.ranks == [2, 4, 2, 2, 2]
    assert (after.koth, after.trump_rank, after.defenders) == (1, "4", [1])


def test_a_king_alone_has_four_challengers():
    after = played_out(last_trick([30, 0, 30, 30, 30], [1], 1))
    assert after.ranks == [3, 2, 3, 3, 3]
    assert after.koth == 2


def test_the_dead_hand_also_counts_twice_after_a_pair():
    state = last_trick([0] * 5, [1], 2, ["KS", *["3S"] * 7])
    state.hands = [["AH", "AH"] if seat == 2 else ["3C", "4C"] for seat in range(SEATS)]
    after = play(
        state, "2 play AH AH", "3 play 3C 4C", "4 play 3C 4C", "0 play 3C 4C", "1 play 3C 4C"
    )
    assert after.results[0].dead_hand_points == 20 == after.results[0].score


# --- Worked examples 30-31: the end -----------------------------------------------------------


def test_example_30_steps_past_the_ace_count():
    after = played_out(last_trick([0] * 5, [1, 2], 1, ranks=[2, 13, 14, 2, 2]))
    assert after.ranks == [2, 16, 17, 2, 2]
    outcome = GAME.outcome(after)
    assert outcome.winners == (2,) and outcome.places == (3, 2, 1, 3, 3)
    assert GAME.view(after, None).facts["ranks"][1:3] == ["A+2", "A+3"]
    assert not list(GAME.listeners(after))


def test_the_host_may_let_up_to_nine_more_rounds_be_played():
    (fixing,) = [
        li for li in GAME.listeners(last_trick([0] * 5, [1], 1)) if li.verb == "fix_rounds"
    ]
    assert fixing.pick.options == tuple("0123456789")


def test_example_31_round_count_can_be_fixed_mid_match():
    state = last_trick([100, 0, 0, 0, 0], [1], 1, ranks=[2, 9, 2, 9, 2], round=4)
    fixed = play(state, "-1 fix_rounds 0")
    outcome = GAME.outcome(played_out(fixed))
    assert outcome.winners == (1, 3)
    assert GAME.outcome(played_out(play(state, "-1 fix_rounds 1"))) is None


def test_passing_the_ace_ends_a_match_before_its_fixed_round():
    state = last_trick([0] * 5, [1], 1, ranks=[2, 14, 2, 2, 2], last_round=9)
    assert GAME.outcome(played_out(state)).winners == (1,)


def test_trump_rank_of_a_king_past_the_ace_is_the_ace():
    options = Options(end="rounds", rounds=3)
    state = last_trick([0] * 5, [1], 1, ranks=[2, 14, 2, 2, 2], options=options, last_round=3)
    after = played_out(state)
    assert GAME.outcome(after) is None
    assert (after.trump_rank, after.ranks[1]) == ("A", 17)


def test_rank_stops_at_the_ace_where_it_must_be_defended():
    options = Options(must_defend_ace=True)
    state = last_trick([200, 0, 0, 0, 0], [1], 1, ranks=[14, 2, 13, 2, 5], options=options)
    after = played_out(state)
    assert after.ranks == [14, 2, 14, 5, 8] and GAME.outcome(after) is None
    state = last_trick([0] * 5, [1, 2], 1, ranks=[2, 13, 14, 2, 2], options=options)
    assert played_out(state).ranks == [2, 14, 17, 2, 2]


def test_the_next_round_begins_when_all_are_ready():
    state = played_out(last_trick([100, 0, 0, 0, 0], [1], 1))
    assert (state.stage, state.round) == ("ready_round", 2)
    state = play(state, *[f"{seat} ready" for seat in range(SEATS)])
    assert (state.stage, state.points, state.dead_hand) == ("last_call", [0] * 5, [])


# --- Trump ------------------------------------------------------------------------------------


def test_every_trump_rank_and_suit_gives_36_trumps():
    for rank in "23456789TJQKA":
        for suit in SUITS:
            suits = trump_ranking(rank, suit).suits
            assert 2 * sum(own == "trump" for own in suits.values()) == 36


@pytest.mark.parametrize(
    ("suit", "order"),
    [
        ("H", "RJ BJ 7H 7S=7C=7D AH KH QH JH TH 9H 8H 6H 5H 4H 3H 2H"),
        (None, "RJ BJ 7S=7H=7C=7D"),
    ],
)
def test_trumps_are_ranked_from_the_highest_to_the_lowest(suit, order):
    ranking = trump_ranking("7", suit)
    trumps = [card for card in ranking.powers if ranking.suits[card] == "trump"]
    steps = [
        {card for card in trumps if ranking.powers[card] == power}
        for power in sorted({ranking.powers[card] for card in trumps}, reverse=True)
    ]
    assert steps == [set(step.split("=")) for step in order.split()]


@pytest.mark.parametrize("plain", "SCD")
def test_a_plain_suit_is_ranked_below_every_trump(plain):
    ranking = trump_ranking("7", "H")
    cards = [plain + rank for rank in "2345689TJQKA"]
    powers = [ranking.powers[rank + suit] for suit, rank in cards]
    assert powers == [0, 1, 2, 3, 4, 6, 7, 8, 9, 10, 11, 12]
    assert (ranking.powers["2H"], ranking.powers["RJ"]) == (20, 43)


def test_sorted_hand_groups_trumps_and_pairs():
    state = dead_hand_position()
    for hand in state.hands:
        suits = [state.ranking.suits[card] for card in hand]
        blocks = [suit for n, suit in enumerate(suits) if n == 0 or suits[n - 1] != suit]
        assert len(blocks) == len(set(blocks)) and "trump" not in blocks[1:]
        for card in set(hand):
            if hand.count(card) == 2:
                assert hand[hand.index(card) + 1] == card


def test_a_point_card_of_the_trump_rank_still_counts():
    state, moves = trick("TS,3C,4C,5C,6C", trump_rank="T", filler="9D")
    assert play(state, *moves).points == [15, 0, 0, 0, 0]


def test_with_aces_as_trump_rank_plain_suits_start_at_the_king():
    ranking = trump_ranking("A", "H")
    assert winning_play(ranking, [["QS"], ["KS"], ["3S"]]) == 1
    assert strength(ranking, ["QS"], ["AS"]) > strength(ranking, ["QS"], ["KH"])


# --- Time and absence -------------------------------------------------------------------------


@pytest.mark.parametrize(
    "stage, name", [("dead_hand", "dead_hand_seconds"), ("trick", "play_seconds")]
)
@pytest.mark.parametrize("pace, factor", [("seed", 1), ("relaxed", 3), ("untimed", 0)])
def test_the_pace_multiplies_every_time_of_a_decision(stage, name, pace, factor):
    options = Options(pace=pace)
    (*timed,) = clocks(GAME, table(stage, options, hands=plain_hands()))
    expected = getattr(options, name) * factor
    assert [li.after for li in timed] == ([expected] if expected else [])
    assert clocks(GAME, table("deal", options, stock=pack() * 2))[0].after == options.deal_interval


def test_koth_table_of_idle_players_ends():
    options = Options(end="rounds", rounds=2, ready_seconds=30)
    state = start(GAME, SEATS, options, seed(8)).state
    texts = []
    while GAME.outcome(state) is None:
        (clock,) = clocks(GAME, state)
        texts.append(str(clock.clock_move))
        assert clock.after > 0
        state = play(state, texts[-1], number=len(texts))
    assert all(a != b for a, b in pairwise(texts)), "each has its own deadline"
    lapsed = [text for text in texts if "lapse" in text]
    assert len(lapsed) == len(set(lapsed))


def test_timeout_plays_a_legal_card_and_leads_one_card():
    for number in range(20):
        state, _ = trick("9S 9S,KS KS,AS QS,3H 4H,5H 5H", options=Options())
        (clock,) = clocks(GAME, state)
        after = play(state, str(clock.clock_move), number=number)
        assert len(after.trick[0]) == 1
        after = play(play(state, "0 play 9S 9S"), "-1 lapse 2", number=number)
        assert after.trick[1] == ["KS", "KS"]


def test_timeout_between_rounds_makes_all_ready_at_once():
    state = start(GAME, SEATS, Options(ready_seconds=20), seed(1)).state
    state = play(state, "2 ready")
    (clock,) = clocks(GAME, state)
    assert (str(clock.clock_move), clock.after) == ("-1 lapse 1", 60)
    assert play(state, "-1 lapse 1").stage == "deal"


def test_absent_seats_decisions_are_made_at_once():
    state = table(hands=plain_hands(), options=Options())
    state = play(state, "-1 leave 0")
    (clock,) = clocks(GAME, state)
    assert (str(clock.clock_move), clock.after) == (f"-1 lapse {state.decision}.0", 0)
    state = play(state, str(clock.clock_move))
    assert len(state.trick) == 1 and clocks(GAME, state)[0].after == 30
    assert play(state, "-1 return 0").absent == []


def test_absent_seat_passes_for_itself_and_never_declares():
    state = dealt([["2C"] * 2 + ["3S"] * 18, *plain_hands()[1:]], stage="last_call")
    state = play(state, "-1 leave 0")
    (clock,) = clocks(GAME, state)
    state = play(state, str(clock.clock_move))
    assert (state.ready, state.declarations) == ([0], [])


def test_the_match_is_abandoned_when_the_last_has_left():
    state = table(hands=plain_hands())
    for seat in range(4):
        state = play(state, f"-1 leave {seat}")
        assert GAME.outcome(state) is None
    outcome = GAME.outcome(play(state, "-1 leave 4"))
    assert (outcome.reason, outcome.winners) == ("abandoned", ())


def test_illegal_play_does_not_affect_the_clock():
    state = table(hands=[[FILLER], cards("KS 3D"), [], [], []], trick=[["7S"]], options=Options())
    before = clocks(GAME, state)[0].clock_move
    refused(state, "1 play 3D")
    assert clocks(GAME, state)[0].clock_move == before


# --- Hidden information -----------------------------------------------------------------------


def shown_faces(state, viewer, name):
    zones = GAME.view(state, viewer).zones_named(name)
    return [zone.owner for zone in zones if any(card != "?" for card in zone.cards)]


def test_a_hand_is_seen_by_its_owner_only():
    state = dead_hand_position()
    for viewer in range(SEATS):
        assert shown_faces(state, viewer, "hand") == [viewer]
        assert shown_faces(state, viewer, "stock") == []
    assert shown_faces(state, None, "hand") == []


def test_dead_hand_is_the_kings_secret_until_the_round_ends():
    state = last_trick([20, 50, 30, 20, 65], [1, 4], 2, ["TS", "5D", *["3S"] * 6])
    for viewer in (0, 2, 3, 4, None):
        assert shown_faces(state, viewer, "dead_hand") == []
        assert "dead_hand_points" not in GAME.view(state, viewer).facts
    assert GAME.view(state, 1).facts["dead_hand_points"] == 15
    after = played_out(state)
    for viewer in (*range(SEATS), None):
        assert GAME.view(after, viewer).zone("dead_hand").cards[0] == "TS"


def test_only_a_possible_declarer_is_offered_to_declare():
    may = dealt([["2C"], ["3S"], [], [], []])
    may_not = dealt([["4C"], ["3S"], [], [], []])
    for viewer in (1, 2, 3, 4, None):
        assert GAME.view(may, viewer) == GAME.view(may_not, viewer)
        if viewer is not None:
            assert prompt(GAME, may, viewer) == prompt(GAME, may_not, viewer)
    assert waiting_for(GAME, may) == waiting_for(GAME, may_not)
    assert clocks(GAME, may) == clocks(GAME, may_not)


def test_no_view_hints_at_the_holder_of_the_called_card():
    hands = plain_hands()
    state = table("ready_trick", hands=hands, called="AC")
    texts = set()
    for holder in range(1, 4):
        other = copied(state)
        for seat in range(1, 4):
            other.hands[seat] = [card if card != "AC" else "4C" for card in hands[seat]]
        other.hands[holder][0] = "AC"
        for viewer in (0, 4, None):
            texts.add((viewer, to_json(GAME.view(other, viewer))))
    assert len(texts) == 3


def test_playable_cards_are_marked_for_their_owner_only():
    state = table(hands=[[FILLER], cards("KS 9S 9S 3D"), [FILLER], [], []], trick=[["7S", "7S"]])
    facts = GAME.view(state, 1).facts
    assert (facts["playable"], facts["pairs"]) == (["9S"], ["9S"])
    assert "playable" not in GAME.view(state, 2).facts
    assert "pairs" not in GAME.view(state, None).facts


# --- Comparison with the oracle: following and winning ----------------------------------------


def random_position(number):
    """Return a random trump and five short hands rich in pairs and in few suits."""
    luck = rng(number, "tricks")
    rank = "23456789TJQKA"[number % 13]
    suit = SUITS[number // 13 % 4]
    suits = luck.sample(SUITS, 2 + luck.randrange(3))
    ranks = luck.sample("23456789TJQKA", 5 + luck.randrange(9))
    chosen = [card for card in pack() if card in ("RJ", "BJ") or card[1] in suits]
    chosen = [card for card in chosen if card in ("RJ", "BJ") or card[0] in {*ranks, rank}]
    deck = luck.shuffled(chosen * 2)
    size = min(2 + luck.randrange(6), len(deck) // SEATS)
    return luck, rank, suit, [deck[n * size : n * size + size] for n in range(SEATS)]


@pytest.mark.slow
def test_following_and_winning_agree_with_the_oracle():
    seen = Counter()
    for number in range(TRICKS):
        luck, rank, suit, hands = random_position(number)
        ranking = trump_ranking(rank, suit)
        literal = luck.randrange(4) == 0
        plays = []
        for hand in hands:
            lead = plays[0] if plays else ()
            if not lead:  # both sizes about equally often
                pairs = [two for two in legal_plays(ranking, hand, ()) if len(two) == 2]
                assert {tuple(sorted(play)) for play in legal_plays(ranking, hand, ())} == (
                    oracle.all_allowed(hand, (), rank, suit, literal)
                )
                choices = pairs if pairs and luck.randrange(3) else [(card,) for card in hand]
            else:
                choices = legal_plays(ranking, hand, lead, literal)
                expected = oracle.all_allowed(hand, lead, rank, suit, literal)
                assert len(choices) == len(set(choices)) == len(expected)
                assert {tuple(sorted(play)) for play in choices} == expected
                tried = tuple(luck.sample(hand, len(lead)))
                refusal = follow_refusal(ranking, hand, lead, literal, tried)
                assert (refusal is None) == (tuple(sorted(tried)) in expected)
                seen["refused"] += refusal is not None
            plays.append(luck.choice(choices))
        won = winning_play(ranking, plays)
        assert won == oracle.winner(plays, rank, suit)
        assert sum(map(card_points, plays)) == oracle.points([c for play in plays for c in play])
        seen[f"size {len(plays[0])}"] += 1
        seen[f"won by {won}"] += 1
    assert min(seen.values()) > TRICKS / 50, seen


# --- Conservation over random matches ---------------------------------------------------------


def test_no_card_and_no_point_is_ever_lost():
    options = Options(end="rounds", rounds=2, deal_interval=0.0)
    for number in range(MATCHES):
        state = start(GAME, SEATS, options, seed(number)).state
        gone: list[str] = []
        n = 0
        while GAME.outcome(state) is None:
            n += 1
            luck = Rng(seed(number), n, "players")
            timed = clocks(GAME, state)
            if timed and luck.randrange(6) == 0:
                move = timed[0].clock_move
            else:
                move = random_turn(GAME, state, SEATS, luck)
            done = step(GAME, state, move, Rng(seed(number), n))
            state = done.state
            for event in done.events:
                if event.kind == "round_begins":
                    gone = []
                elif event.kind == "trick_won":
                    gone += [card for play in state.last_trick.plays for card in play]
            if state.round == 1 and state.stage == "ready_round":
                continue  # nothing dealt yet
            held = [card for hand in state.hands for card in hand]
            held += [card for play in state.trick for card in play]
            held += state.stock + state.dead_hand
            assert Counter(held + gone) == Counter(pack() * 2)
            assert sum(state.points) + card_points(held) == 200
        assert [result.round for result in state.results] == [1, 2]
        assert state.stage not in STAGES


# --- Bots -------------------------------------------------------------------------------------


def bot_match(number, bots, options):
    """Return the end of a match of the built-in bot in the seats `bots` and random players."""
    key = seed(number)
    done = start(GAME, SEATS, options, key)
    memories = {seat: GAME.bot.memory() for seat in bots}
    n = 0
    while GAME.outcome(done.state) is None:
        n += 1
        for event in done.events:
            for seat in bots:
                if event.heard_by(seat):
                    GAME.bot.notice(memories[seat], event, seat)
        move = None
        for seat in range(SEATS):
            own = prompt(GAME, done.state, seat)
            luck = Rng(key, n, f"player {seat}")
            if own.offers and seat in bots:
                seen = GAME.view(done.state, seat)
                move = GAME.bot.choose(memories[seat], seen, own, luck)
            elif own.waited_for or (own.offers and luck.randrange(10) == 0):
                move = random_move(GAME, done.state, seat, luck)
            if move is not None:
                break
        if move is None:
            move = clocks(GAME, done.state)[0].clock_move
        done = step(GAME, done.state, move, Rng(key, n))
    return done.state


@pytest.mark.slow
def test_bots_beat_random_players():
    options = Options(end="rounds", rounds=2, deal_interval=0.0)
    won = 0.0
    for number in range(BOT_MATCHES):
        seat = number % SEATS
        winners = GAME.outcome(bot_match(number, [seat], options)).winners
        won += (seat in winners) / len(winners)
    assert won / BOT_MATCHES > 0.25, "random players would share a fifth each"


@pytest.mark.slow
def test_a_bot_king_holds_the_hill_against_random_players():
    options = Options(end="rounds", rounds=1, deal_interval=0.0)
    scores = [bot_match(n, [0, 1, 2, 3, 4], options).results[0].score for n in range(BOT_MATCHES)]
    assert 50 < sum(scores) / len(scores) < 130, "neither side is hopeless among equals"


def choice_of_bot(state, seat):
    own = prompt(GAME, state, seat)
    return GAME.bot.choose(GAME.bot.memory(), GAME.view(state, seat), own, rng())


def test_bot_buries_no_trumps_and_calls_an_ace_it_lacks():
    state = dead_hand_position()
    buried = choice_of_bot(state, 1)
    assert buried.verb == "bury"
    assert not any(state.ranking.suits[card] == "trump" for card in buried.choices)
    state = play(state, str(buried))
    (called,) = choice_of_bot(state, 1).choices
    assert called[0] == "A" and called not in state.hands[1] + state.dead_hand


def test_two_bots_with_pairs_do_not_override_each_other_forever():
    spades = cards("2S 2S AS KS QS JS TS 9S 8S 7S 6S 5S 4S 3S AD")
    clubs = cards("2C 2C AC KC QC JC TC 9C 8C 7C 6C 5C 4C 3C AD")
    state = dealt([spades, clubs, [], [], []], stage="last_call")
    memories = [GAME.bot.memory(), GAME.bot.memory()]
    declared = []
    for n in range(10):
        seat = n % 2
        view, own = GAME.view(state, seat), prompt(GAME, state, seat)
        move = GAME.bot.choose(memories[seat], view, own, rng())
        if move.verb != "declare":
            break
        declared.append(str(move))
        done = step(GAME, state, move, rng())
        state = done.state
        for event in done.events:
            for bot, memory in enumerate(memories):
                GAME.bot.notice(memory, event, bot)
    assert declared == ["0 declare S", "1 declare C"]


def test_bot_declares_a_long_suit_and_not_a_short_one():
    rich = cards("RJ BJ 2S AS KS QS JS 9S 8S 7S 6S 4S AC KC")
    assert str(choice_of_bot(dealt([rich, [], [], [], []]), 0)) == "0 declare S"
    poor = cards("2S AH KH QH JH 9D 8D 7D 6C 4C AC KC")
    assert choice_of_bot(dealt([poor, [], [], [], []]), 0) is None


def test_a_bot_declares_sooner_where_that_makes_a_king():
    hand = [cards("2S AS QS JS 9S 8S 7S 3S 2H AH KH QH JH 9D 8D 7D 6D AC KC QC"), [], [], [], []]
    assert str(choice_of_bot(dealt(hand), 0)) == "0 declare S"
    assert choice_of_bot(dealt(hand, koth=3, round=2), 0) is None


def test_imagined_deal_respects_voids_and_shown_cards():
    deck = deck_of("2", "H")
    unseen = dict.fromkeys(pack(), 2)
    room = {1: 25, 2: 25, 3: 25, 4: 25, SEATS: 8}
    void = {1: ["S", "C"], 2: ["trump"]}
    dealt = imagined(deck, Rng(seed(3), 1).shuffled, unseen, room, void, {3: ["2S", "2S"]})
    assert {seat: len(hand) for seat, hand in dealt.items()} == room
    assert Counter(card for hand in dealt.values() for card in hand) == Counter(
        dict.fromkeys(range(54), 2)
    )
    suits = trump_ranking("2", "H").suits
    held = {seat: {suits[deck.cards[card]] for card in hand} for seat, hand in dealt.items()}
    assert not held[1] & {"S", "C"} and "trump" not in held[2]
    assert [deck.cards[card] for card in dealt[3]].count("2S") == 2


def test_played_out_deal_gives_all_points_to_one_side():
    deck = deck_of("2", "H")
    for number in range(20):
        order = Rng(seed(number), 1).shuffled(range(54))
        for defends in ([True] * 5, [False] * 5):
            hands = [deck.by_suit(order[10 * seat : 10 * seat + 10]) for seat in range(SEATS)]
            points = sum(deck.points[card] for card in order[:50])
            score = challengers_points(deck, hands, defends, 2, [], buried=15)
            assert score == (0 if defends[0] else points + 30)


def test_strong_bot_that_missed_part_of_a_round_imagines_none(monkeypatch):
    monkeypatch.delattr("kaboom.games.koth.bot.imagined_cards")
    state = table(hands=[cards(hand) for hand in ("AS KS", "3S 4S", "5S 6S", "7S 8S", "9S TS")])
    view, own = GAME.view(state, 0), prompt(GAME, state, 0)
    assert GAME.bot.weigh(GAME.bot.memory(), view, own, rng(), Level.HARD)


def test_only_a_hard_bot_counts_cards():
    view = GAME.view(table(hands=[cards(hand) for hand in ("KS", "3S", "5S", "7S", "9S")]), 0)
    memory = GAME.bot.memory()
    memory.gone, memory.void[1] = {"AS": 2}, ["S"]
    easy, normal, hard = (Position(memory, view, level) for level in Level)
    assert [it.unseen.get("AS", 0) for it in (easy, normal, hard)] == [2, 2, 0]
    assert easy.beaten_by(1, "S", 12, 1) == normal.beaten_by(1, "S", 12, 1) > 0
    assert [it.keeping["KS"] > 0 for it in (easy, normal, hard)] == [False, True, True]


def test_bots_explain_their_play():
    state, _ = trick("AS,3S,KS,7S,9S", koth=2)
    view, own = GAME.view(state, 0), prompt(GAME, state, 0)
    first = GAME.bot.weigh(GAME.bot.memory(), view, own, rng(), Level.NORMAL)[0]
    said = GAME.words.say(first.reason.kind, first.reason.facts, Names(tuple("ABCDE"), 0))
    assert said.startswith(
        ("Lead Ace of Spades: the trick goes to your side in about ", "Lead 3 of Clubs: ")
    )


@pytest.mark.parametrize(
    ("kind", "facts", "said"),
    [
        (
            "lead_to_win",
            {"share": 100},
            "Lead Ace of Spades: the trick goes to your side in almost every case.",
        ),
        (
            "lead_to_win",
            {"share": 61},
            "Lead Ace of Spades: the trick goes to your side in about 61 of 100 cases.",
        ),
        (
            "win",
            {"share": 98, "points": 0},
            "0 points in it so far, goes to your side in almost every case.",
        ),
        (
            "try",
            {"share": 1},
            "others may beat it, so the trick goes to your side in almost no cases",
        ),
        ("lead_low", {"share": 30}, "the trick goes to your side in about 30 of 100 cases."),
    ],
)
def test_near_certainty_is_given_in_words(kind, facts, said):
    names = Names(tuple("ABCDE"), 0)
    assert said in GAME.words.say(f"think.{kind}", {"cards": ("AS",), **facts}, names)


@pytest.mark.parametrize(
    ("played", "said"),
    [
        (["KC", "KC"], "Ben plays both Kings of Clubs."),
        (["3C", "RJ", "RJ"], "Ben plays 3 of Clubs and both Red Jokers."),
        (["BJ", "RJ"], "Ben plays Black Joker and Red Joker."),
    ],
)
def test_a_pair_is_named_as_one(played, said):
    names = Names(["Ann", "Ben", "Cy", "Dee", "Eve"], 0)
    assert GAME.words.say("played", {"seat": 1, "cards": played}, names) == said


def test_a_move_of_a_pair_names_both_cards():
    names = Names(tuple("ABCDE"), 0)
    assert GAME.words.move("play", ["TS", "TS"], names) == "Play: both 10s of Spades"


def test_bot_says_when_a_trick_is_worth_nothing():
    hands = [cards(hand) for hand in ("AS 3C", "3S 4S", "KS 5C", "7S 6C", "9S 7C")]
    found = bots_reasons(play(table(hands=hands, koth=0), "0 play AS"), 1)
    assert any("the trick is probably lost, and this gives nothing away." in it for it in found)
    found = bots_reasons(dead_hand_position(), 1)
    buried = [it for it in found if it.startswith("Bury")]
    assert any("nothing is at stake in the last trick." in it for it in buried), buried
    assert not any(" 0 points" in it for it in found)


def test_bot_explains_a_forced_play():
    hands = [cards(hand) for hand in ("AS 3C", "4S 9C", "KS 5C", "7S 6C", "9S 7C")]
    state = play(table(hands=hands, koth=0), "0 play AS")
    only = "Play 4 of Spades: the rules let you play nothing else to this trick."
    assert bots_reasons(state, 1) == [only]
    state = play(table(hands=[cards(hand) for hand in ("AS", "4S", "KS", "7S", "9S")], koth=0))
    assert bots_reasons(state, 0) == ["Play Ace of Spades: it is all that you have left."]
    state = table(stage="last_call", koth=None, trump_suit=None, hands=[["3C"]] * 5)
    assert bots_reasons(state, 0) == ["Pass: you hold nothing to declare with."]


def test_bot_explains_the_use_of_the_called_card():
    hands = [cards(hand) for hand in ("3S 3C", "AS 4S", "KS 5C", "7S 6C", "9S 7C")]
    state = table(hands=hands, koth=0, defenders=[0], called="AS", points=[10, 5, 15, 0, 0])
    state = play(state, "0 play 3S")
    joins = (
        "Play Ace of Spades, the called card: then you are A’s teammate. "
        "The others have 15 points, and below 80 you two rise."
    )
    assert joins in bots_reasons(state, 1)


def test_bot_is_certain_of_a_known_teammate():
    hands = [cards(hand) for hand in ("AS 3C", "3S 4S", "KS 5C", "7S 6C", "9S 7C")]
    state = play(table(hands=hands, koth=0, defenders=[0, 1]), "0 play AS")
    assert all("A is on your side and should win" in it for it in bots_reasons(state, 1))


def test_called_cards_holder_is_only_a_probable_teammate():
    """The holder of the other copy of the called card may play it first."""
    hands = [cards(hand) for hand in ("KS 3C", "3S 4S 9D", "5S 9D", "7S 6C", "9S 7C")]
    state = play(table(hands=hands, koth=0, defenders=[0], called="9D"), "0 play KS")
    found = bots_reasons(state, 1)
    assert found and all("A is probably with you and should win" in it for it in found), found


def bots_reasons(state, seat):
    """Return a bot's reasons for each considered move, in words."""
    view, own = GAME.view(state, seat), prompt(GAME, state, seat)
    found = GAME.bot.weigh(GAME.bot.memory(), view, own, rng(), Level.NORMAL)
    names = Names(tuple("ABCDE"), seat)
    return [GAME.words.say(it.reason.kind, it.reason.facts, names) for it in found if it.reason]


@pytest.mark.parametrize(("rank", "said"), [(13, "King"), (10, "10"), (15, "Ace plus 1")])
def test_rank_in_a_reason_is_a_word(rank, said):
    names = Names(("Ann", "Ben", "Cid", "Dot", "Eve"))
    told = GAME.words.say("rose", {"seat": 1, "gain": 2, "rank": rank}, names)
    assert told == f"Ben rises by 2 ranks to {said}."


@pytest.mark.parametrize(
    ("share", "said"),
    [
        (100, "in almost every case"),
        (98, "in almost every case"),
        (97, "in about 97 of 100 cases"),
        (3, "in about 3 of 100 cases"),
        (2, "in almost no cases"),
        (0, "in almost no cases"),
    ],
)
def test_likelihood_is_given_in_words(share, said):
    assert in_how_many_cases(share, Names(())) == said
