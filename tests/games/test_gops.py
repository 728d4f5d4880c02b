"""GOPS: numbered worked examples of its rules, then its edge cases, secrets and bots."""

from functools import partial
from random import Random

import pytest

from kaboom.engine.bots.bot import Level
from kaboom.engine.bots.evaluate import Player, in_field
from kaboom.engine.codec import copied
from kaboom.engine.engine import clocks, prompt, start, step, waiting_for
from kaboom.engine.log_replay import replay
from kaboom.engine.moves import CLOCK, IllegalMove, Move, NotOnOffer, StaleMove
from kaboom.engine.play import Play
from kaboom.engine.rng import Rng
from kaboom.engine.texts import Names
from kaboom.engine.toolkit.cards import whole_suit
from kaboom.engine.toolkit.playthrough import NAMES, random_match, random_turn
from kaboom.engine.toolkit.simultaneous import missing
from kaboom.games.gops import GAME, ends
from kaboom.games.gops.bot import BOT, planned
from kaboom.games.gops.careful import careful
from kaboom.games.gops.habits import without
from kaboom.games.gops.rules import VALUE, Options, Round, State, scores, totals, worth
from tests.games import positions
from tests.games.positions import seed
from tests.games.sealed_choices import check_that_choices_stay_sealed
from tests.support.effort import often

RANDOM_MATCHES = often(8, soak=400)

after = partial(positions.after, GAME)


def position(offer, bids, last=False, won=("", ""), next="6D", **options):
    """Return a state from texts: hands as cards with spaces, `bids` as each seat's bid.

    Besides its bid, a hand has an ace or a 2, and one more prize is in the stack, unless it is the
    last round.
    """
    suits = [bid[1] for bid in bids]
    spare = [("A" if bid[0] != "A" else "2") + suit for bid, suit in zip(bids, suits, strict=True)]
    return State(
        Options(players=len(bids), **options),
        hands=[[bid] if last else [bid, other] for bid, other in zip(bids, spare, strict=True)],
        bids=[None] * len(bids),
        stack=[] if last else [next],
        on_offer=offer.split(),
        won=[cards.split() for cards in (*won, "")[: len(bids)]],
        shares=[0] * len(bids),
    )


def all_bid(state, bids):
    return after(state, *(f"{seat} bid {card}" for seat, card in enumerate(bids)))


# The worked examples


def test_example_1_each_seat_has_a_suit_and_one_prize_is_up():
    s = start(GAME, 2, Options(), seed(1)).state
    assert s.hands == [whole_suit("S"), whole_suit("C")]
    assert len(s.on_offer) == 1
    assert len(s.stack) == 12
    assert sorted(s.stack + s.on_offer) == sorted(whole_suit("D"))
    assert scores(s) == [0, 0]


@pytest.mark.parametrize(
    ("number", "offer", "bids", "gains", "left"),
    [
        (2, "7D", ("9S", "4C"), [7, 0], ["6D"]),
        (3, "KD", ("AS", "2C"), [0, 13], ["6D"]),
        (4, "AD", ("KS", "QC"), [1, 0], ["6D"]),
        (5, "8D", ("5S", "5C"), [0, 0], ["8D", "6D"]),
        (6, "8D QD", ("3S", "6C"), [0, 20], ["6D"]),
        (7, "8D QD 2D", ("JS", "TC"), [22, 0], ["6D"]),
    ],
)
def test_examples_of_a_round_hold(number, offer, bids, gains, left):
    s = all_bid(position(offer, bids), bids)
    assert scores(s) == gains
    assert s.on_offer == left
    assert not [card for hand in s.hands for card in hand if card in bids]


def test_example_7_a_tie_on_a_tie_adds_the_next_prize():
    s = position("8D QD", ("6S", "6C"), next="2D")
    assert all_bid(s, ("6S", "6C")).on_offer == ["8D", "QD", "2D"]


def test_example_8_a_second_bid_is_refused_and_the_first_stays():
    s = after(start(GAME, 2, Options(), seed(1)).state, "0 bid 9S")
    with pytest.raises(NotOnOffer):
        after(s, "0 bid TS")
    assert s.bids == ["9S", None]


def test_example_9_replayed_card_is_refused_and_seat_still_asked():
    s = all_bid(start(GAME, 2, Options(), seed(1)).state, ("KS", "2C"))
    with pytest.raises(IllegalMove):
        after(s, "0 bid KS")
    assert waiting_for(GAME, s) == [0, 1]


def test_example_10_pending_bid_still_counts_as_in_hand():
    s = after(start(GAME, 2, Options(), seed(1)).state, "0 bid 9S")
    for viewer in (1, None):
        view = GAME.view(s, viewer)
        assert view.facts["has_bid"] == [0]
        assert view.zone("bid", 0).cards == ("?",)
        assert view.zone("hand", 0).cards == tuple(whole_suit("S"))
        assert not [zone for zone in view.zones_named("bid") if zone.owner == 1]
    assert GAME.view(s, 0).zone("bid", 0).cards == ("9S",)


def test_example_11_unbid_seat_sees_only_that_the_other_bid():
    s = after(start(GAME, 2, Options(), seed(1)).state, "1 bid 9C")
    view = GAME.view(s, 0)
    assert view.zone("hand", 0).cards == tuple(whole_suit("S"))
    assert view.zone("offer").cards == tuple(s.on_offer)
    assert view.facts["has_bid"] == [1]
    assert view.zone("bid", 1).cards == ("?",)


def test_example_12_the_last_round_ends_the_game():
    s = all_bid(position("4D", ("2S", "9C"), last=True), ("2S", "9C"))
    assert scores(s) == [0, 4]
    assert GAME.outcome(s).winners == (1,)


FORTY_ONE, FORTY = "KD QD JD 5D", "AD 2D 3D 4D 6D 7D 8D 9D"


def test_example_13_tied_last_round_leaves_its_prize():
    s = position("TD", ("7S", "7C"), last=True, won=(FORTY_ONE, FORTY))
    s = all_bid(s, ("7S", "7C"))
    assert (s.unclaimed, s.on_offer) == (["TD"], [])
    end = GAME.outcome(s)
    assert (end.scores, end.winners, end.reason) == ((41, 40), (0,), "won")


def test_example_14_prizes_carried_into_a_last_tie_are_lost_too():
    s = position("3D", ("5S", "5C"), next="5D")
    s = all_bid(s, ("5S", "5C"))
    assert s.on_offer == ["3D", "5D"]
    s = all_bid(s, ("AS", "AC"))
    assert (s.unclaimed, worth(s.unclaimed), scores(s)) == (["3D", "5D"], 8, [0, 0])


def test_example_15_a_last_tie_can_be_split():
    s = position("TD", ("7S", "7C"), last=True, won=(FORTY_ONE, FORTY), last_tie="split")
    s = all_bid(s, ("7S", "7C"))
    assert scores(s) == [46, 45]
    assert s.unclaimed == ["TD"]


def test_the_odd_point_of_a_split_is_lost():
    s = position("9D", ("7S", "7C"), last=True, last_tie="split")
    assert scores(all_bid(s, ("7S", "7C"))) == [4, 4]


def test_example_16_thirteen_ties_are_a_draw_at_zero():
    s = start(GAME, 2, Options(), seed(2)).state
    for rank in "A23456789TJQK":
        s = all_bid(s, (rank + "S", rank + "C"))
    assert worth(s.unclaimed) == 91
    end = GAME.outcome(s)
    assert (end.scores, end.reason, end.winners) == ((0, 0), "draw", (0, 1))


def test_example_17_equal_scores_are_a_draw():
    s = position("AD", ("7S", "7C"), last=True, won=("KD QD JD 9D", "TD 8D 7D 6D 5D 4D 3D 2D"))
    s = all_bid(s, ("7S", "7C"))
    end = GAME.outcome(s)
    assert (end.scores, end.reason, end.winners) == ((45, 45), "draw", (0, 1))


@pytest.mark.parametrize(
    ("number", "multi_tie", "bids", "gains", "left"),
    [
        (18, "carry", ("8S", "8C", "JH"), [0, 0, 9], ["6D"]),
        (19, "carry", ("JS", "JC", "3H"), [0, 0, 0], ["9D", "6D"]),
        (20, "highest_unique", ("JS", "JC", "3H"), [0, 0, 9], ["6D"]),
    ],
)
def test_examples_of_three_players_hold(number, multi_tie, bids, gains, left):
    s = all_bid(position("9D", bids, multi_tie=multi_tie), bids)
    assert scores(s) == gains
    assert s.on_offer == left


@pytest.mark.parametrize("multi_tie", ["carry", "highest_unique"])
def test_three_equal_bids_always_carry_the_prize_over(multi_tie):
    bids = ("JS", "JC", "JH")
    assert all_bid(position("9D", bids, multi_tie=multi_tie), bids).on_offer == ["9D", "6D"]


def test_a_last_tie_of_three_is_split_between_the_tied_only():
    bids = ("JS", "JC", "3H")
    s = position("9D", bids, last=True, last_tie="split")
    assert scores(all_bid(s, bids)) == [4, 4, 0]


def test_example_21_timeout_bids_a_random_card():
    s = start(GAME, 2, Options(bid_seconds=20), seed(3)).state
    s = after(s, "0 bid 9S")
    [clock] = clocks(GAME, s)
    assert clock.after == 20
    bids = set()
    for number in range(30):
        later = step(GAME, s, clock.clock_move, Rng(seed(number), 2)).state
        [done] = later.history
        assert done.bids[0] == "9S"
        assert done.bids[1] in s.hands[1]
        assert len(later.hands[1]) == 12
        bids.add(done.bids[1])
    assert len(bids) > 5


def test_example_22_remaining_player_of_two_wins():
    s = start(GAME, 2, Options(), seed(3)).state
    for rank in "234":
        s = all_bid(s, (rank + "S", "AKQ"["234".index(rank)] + "C"))
    before = scores(s)
    s = after(s, "-1 leave 1")
    end = GAME.outcome(s)
    assert (end.reason, end.winners, list(end.scores)) == ("forfeit", (0,), before)
    assert list(GAME.listeners(s)) == []


# Options, timers, the match


def test_timeout_move_is_stable_within_a_round():
    s = start(GAME, 2, Options(bid_seconds=20), seed(3)).state
    first = [str(clock.clock_move) for clock in clocks(GAME, s)]
    assert [str(clock.clock_move) for clock in clocks(GAME, after(s, "0 bid 9S"))] == first
    later = all_bid(s, ("9S", "8C"))
    assert [str(clock.clock_move) for clock in clocks(GAME, later)] != first


def test_gops_table_of_idle_players_still_ends():
    s = start(GAME, 3, Options(players=3, bid_seconds=5), seed(4)).state
    for number in range(13):
        [clock] = clocks(GAME, s)
        s = step(GAME, s, clock.clock_move, Rng(seed(4), number + 1)).state
    assert GAME.outcome(s)


def test_a_bid_from_an_earlier_round_is_too_late():
    s = start(GAME, 2, Options(), seed(1)).state
    token = prompt(GAME, s, 0).offers[0].token
    s = all_bid(s, ("KS", "2C"))
    with pytest.raises(StaleMove):
        step(GAME, s, Move.parse("0 bid QS"), Rng(seed(1), 3), token)


@pytest.mark.parametrize("text", ["0 bid 9C", "0 bid 9D", "0 bid ZS", "0 bid", "0 bid 9S 8S"])
def test_card_not_in_hand_is_refused(text):
    with pytest.raises(IllegalMove):
        after(start(GAME, 2, Options(), seed(1)).state, text)


def test_last_card_still_needs_a_bid():
    s = position("4D", ("2S", "9C"), last=True)
    assert [offer.options for offer in prompt(GAME, s, 0).offers] == [("2S",)]


def test_bid_needs_confirmation():
    s = start(GAME, 2, Options(), seed(1)).state
    assert prompt(GAME, s, 0).offers[0].confirm


def test_multi_game_match_adds_scores_and_waits_between_games():
    options = Options(games=3)
    moves, last = random_match(GAME, 2, options, seed(5))
    readies = [text for text in moves if "ready" in text]
    assert len(moves) == 3 * 26 + 4
    assert len(readies) == 4
    assert GAME.outcome(last).scores == tuple(totals(last))
    assert totals(last) == [sum(each) for each in zip(*last.past, scores(last), strict=True)]
    ends = [
        event.facts["scores"]
        for _, done in replay(GAME, 2, options, seed(5), moves)
        for event in done.events
        if event.kind == "game_over"
    ]
    assert [sum(each) for each in zip(*ends, strict=True)] == totals(last)


@pytest.mark.parametrize(("games", "said"), [(1, []), (2, [1, 2]), (3, [1, 2, 3])])
def test_each_of_several_games_is_announced_by_number(games, said):
    options = Options(games=games)
    moves, _ = random_match(GAME, 2, options, seed(5))
    begun = [
        (event.facts["game"], event.facts["games"])
        for _, done in replay(GAME, 2, options, seed(5), moves)
        for event in done.events
        if event.kind == "game_started"
    ]
    assert begun == [(number, games) for number in said]


def test_the_order_of_the_prizes_is_shown_only_for_teaching():
    for shown in (False, True):
        s = start(GAME, 2, Options(show_prize_order=shown), seed(6)).state
        facts = GAME.view(s, None).facts
        assert facts["to_come"] == sorted(facts["to_come"], key=whole_suit("D").index)
        assert facts.get("prize_order") == (s.stack[::-1] if shown else None)


def test_events_come_in_the_order_of_the_rules():
    s = start(GAME, 2, Options(), seed(1)).state
    first = step(GAME, s, Move.parse("0 bid KS"), Rng(seed(1), 1))
    assert [(e.kind, e.to) for e in first.events] == [("bid_made", None), ("bid_yours", 0)]
    second = step(GAME, first.state, Move.parse("1 bid 2C"), Rng(seed(1), 2))
    assert [event.kind for event in second.events] == [
        "bid_made",
        "bid_yours",
        "bids_revealed",
        "prizes_won",
        "round_started",
    ]


# Leaving


def test_absent_third_player_bids_at_random_and_never_wins():
    s = start(GAME, 3, Options(players=3), seed(7)).state
    s = after(s, "-1 leave 2")
    assert waiting_for(GAME, s) == [0, 1]
    number = 10
    while GAME.outcome(s) is None:
        due = [clock for clock in clocks(GAME, s) if clock.after == 0]
        assert [clock.seat for clock in due] == ([CLOCK] if 2 in missing(s.bids) else [])
        seat = next(iter(waiting_for(GAME, s)), None)
        move = due[0].clock_move if due else Move(seat, "bid", (s.hands[seat][0],))
        number += 1
        s = step(GAME, s, move, Rng(seed(7), number)).state
    end = GAME.outcome(s)
    assert end.scores[2] == max(end.scores)
    assert 2 not in end.winners


def test_returning_player_bids_again():
    s = after(start(GAME, 3, Options(players=3), seed(7)).state, "-1 leave 2", "-1 return 2")
    assert waiting_for(GAME, s) == [0, 1, 2]
    assert clocks(GAME, s) == []


def test_match_is_abandoned_once_two_of_three_have_left():
    s = after(start(GAME, 3, Options(players=3), seed(7)).state, "-1 leave 2", "-1 leave 0")
    end = GAME.outcome(s)
    assert (end.reason, end.winners) == ("abandoned", ())


def test_the_next_game_does_not_wait_for_an_absent_player():
    bids = ("9S", "8C", "7H")
    s = all_bid(position("4D", bids, last=True, games=2), bids)
    assert s.stage == "ready"
    s = after(s, "0 ready", "1 ready", "-1 leave 2")
    assert (s.stage, s.past) == ("bid", [[4, 0, 0]])


# Invariants and secrets

EVERY_OPTION = [
    (2, Options()),
    (2, Options(games=2, last_tie="split", bid_seconds=9)),
    (3, Options(players=3)),
    (3, Options(players=3, multi_tie="highest_unique", last_tie="split")),
]


@pytest.mark.parametrize(("seats", "options"), EVERY_OPTION)
def test_prizes_and_hands_are_conserved(seats, options):
    for number in range(RANDOM_MATCHES // 4):
        moves, _ = random_match(GAME, seats, options, seed(number))
        for _, done in replay(GAME, seats, options, seed(number), moves):
            s = done.state
            prizes = [*s.stack, *s.on_offer, *s.unclaimed, *(c for won in s.won for c in won)]
            assert sorted(prizes) == sorted(whole_suit("D"))
            assert {len(hand) for hand in s.hands} == {13 - len(s.history)}
            if s.stage == "bid":
                assert len(s.stack) == 12 - len(s.history)
            played = [bid for past in s.history for bid in past.bids]
            hands = [card for hand in s.hands for card in hand]
            suits = ("S", "C", "H")[:seats]
            assert sorted(played + hands) == sorted(c for suit in suits for c in whole_suit(suit))


@pytest.mark.parametrize(("seats", "options"), EVERY_OPTION)
def test_sealed_bid_changes_no_byte_for_others(seats, options):
    assert check_that_choices_stay_sealed(GAME, "bid", seats, options, seed(8), 60) > 80


@pytest.mark.parametrize(("seats", "options"), EVERY_OPTION[2:])
def test_three_players_know_no_more_than_two(seats, options):
    s = start(GAME, seats, options, seed(9)).state
    for number in range(1, 30):
        for viewer in [*range(seats), None]:
            play = Play(CLOCK, Rng(seed(9), number, "resample"))
            play.state = copied(s)
            GAME.resample(play, viewer)
            assert GAME.view(play.state, viewer) == GAME.view(s, viewer)
        move = random_turn(GAME, s, seats, Rng(seed(9), number, "players"))
        s = step(GAME, s, move, Rng(seed(9), number)).state


@pytest.mark.parametrize(("seats", "options"), EVERY_OPTION)
def test_every_option_combination_is_put_into_words(seats, options):
    moves, _ = random_match(GAME, seats, options, seed(10))
    for viewer in [*range(seats), None]:
        names = Names(NAMES[:seats], viewer)
        for _, done in replay(GAME, seats, options, seed(10), moves):
            saying = GAME.view(done.state, viewer).saying
            assert GAME.words.say(saying.kind, saying.facts, names)
            for event in done.events:
                if event.heard_by(viewer):
                    assert GAME.words.say(event.kind, event.facts, names).endswith(".")


# Comparison with OpenSpiel


@pytest.mark.parametrize("seats", [2, 3])
def test_openspiel_gives_every_untied_round_the_same_score(seats):
    """The same prizes and bids are played in OpenSpiel's goofspiel.

    It discards the prizes of a tied round, while we carry them over. So after
    each round our gain, minus what a tie carried over, must equal its gain. It plays the last card
    automatically.
    """
    pyspiel = pytest.importorskip("pyspiel")
    goofspiel = pyspiel.load_game(
        "goofspiel",
        {"players": seats, "num_cards": 13, "points_order": "random", "imp_info": False},
    )
    options = Options(players=seats)
    rank = {card[0]: number for number, card in enumerate(whole_suit("D"))}
    plain = 0
    for number in range(RANDOM_MATCHES):
        _, last = random_match(GAME, seats, options, seed(number))
        other = goofspiel.new_initial_state()
        before = [0] * seats
        for past in last.history[:-1]:
            prize, carried = past.prizes[-1], past.prizes[:-1]
            other.apply_action(rank[prize[0]])
            other.apply_actions([rank[card[0]] for card in past.bids])
            if not other.is_terminal():
                now = points_of(other)
                gains = [after - earlier for after, earlier in zip(now, before, strict=True)]
                here = [worth([prize]) if seat == past.winner else 0 for seat in range(seats)]
                assert gains == here
                plain += past.winner is not None and not carried
                before = now
        if all(past.winner is not None for past in last.history):
            assert points_of(other) == scores(last)
    assert plain > 5 * RANDOM_MATCHES


def points_of(state):
    """Return the running points in OpenSpiel's text."""
    [line] = [line for line in str(state).splitlines() if line.startswith("Points:")]
    return [int(word) for word in line.split()[1:]]


# The bot


@pytest.mark.slow
@pytest.mark.parametrize("level", Level)
def test_bots_of_each_level_play_two_games_among_three(level):
    bots, options = Player(BOT, level), Options(players=3, games=2)
    assert len(in_field(GAME, bots, bots, [1], 3, options).shares) == 1


def thought(s, level=Level.HARD):
    """Return the thoughts of a bot in seat 0, with reasons in words."""
    own = prompt(GAME, s, 0)
    found = BOT.think(BOT.memory(), GAME.view(s, 0), own, Rng(seed(0), 0, "bot"), level)
    names = Names(("Ann", "Ben"), 0)
    said = found.reason and GAME.words.say(found.reason.kind, found.reason.facts, names)
    return found.move.choices[0], said


def test_bot_reports_a_certain_win():
    s = position("KD", ("KS", "3C"), next="AD")
    assert thought(s) == (
        "KS",
        "Bid the King of Spades: Ben holds nothing as high, so it wins 13 points for certain.",
    )


def test_bot_with_one_card_gives_no_reason():
    assert thought(position("KD", ("KS", "3C"), last=True)) == ("KS", None)


def of_habit(number):
    """Return a position of round 9 in which seat 1 has always bid the prize's value."""
    s = start(GAME, 2, Options(), seed(number)).state
    for round in range(8):
        prize = s.on_offer[-1][0]
        own = Rng(seed(number), round).choice(s.hands[0])
        s = all_bid(s, (own, prize + "C"))
    return s


def test_bot_detects_a_habit_and_exploits_it():
    told = []
    for number in range(10):
        s = of_habit(number)
        plan = planned(GAME.view(s, 0), 0)
        assert max(plan.belief, key=plan.belief.get) == "prize"
        likely = VALUE[s.on_offer[-1]]
        assert plan.rival[plan.bidding.theirs.index(likely)] > 0.7
        told.append(thought(s)[1])
    assert any("Ben usually bids what the prize is worth, so the " in said for said in told), told


@pytest.mark.parametrize(("level", "misses"), [(Level.EASY, 4), (Level.NORMAL, 1)])
def test_weaker_bot_bids_about_the_value_of_the_prize(level, misses):
    s = start(GAME, 2, Options(), seed(3)).state
    bids = {
        VALUE[each.move.choices[0]]
        for number in range(80)
        for each in BOT.weigh(
            BOT.memory(), GAME.view(s, 0), prompt(GAME, s, 0), Rng(seed(1), number), level
        )[:1]
    }
    prize = VALUE[s.on_offer[0]]
    assert bids == {*range(prize - misses, prize + misses + 1)} & set(range(1, 14))


def exact(mine, theirs, prizes, stake):
    """Return the exact value of a round by recursion, solving every matrix with simplex."""
    table = [
        [
            stake * ((own > it) - (own < it))
            + sum(
                exact(
                    without(mine, own),
                    without(theirs, it),
                    without(prizes, prize),
                    prize + stake * (own == it),
                )
                for prize in prizes
            )
            / max(1, len(prizes))
            for it in theirs
        ]
        for own in mine
    ]
    mix = careful(table)[0]
    return min(sum(m * e for m, e in zip(mix, c, strict=True)) for c in zip(*table, strict=True))


def test_last_rounds_are_solved_exactly():
    rng = Random(4)
    for _ in range(10):
        mine, theirs, cards = (tuple(sorted(rng.sample(range(1, 14), 3))) for _ in range(3))
        table = ends.after(mine, theirs, cards[:2], cards[2])
        assert ends.value_of(table) == pytest.approx(exact(mine, theirs, cards[:2], cards[2]))


def test_a_bot_risks_no_more_than_it_can_spare():
    """Whatever the rival bids, it can win no more than the bot has decided to risk."""
    for number in range(6):
        s, rng = start(GAME, 2, Options(), seed(number)).state, Rng(seed(number), 1)
        for _ in range(12):
            how = planned(GAME.view(s, 0), 0)
            assert how.spare > -0.01
            assert how.value - min(how.brings) <= max(0.0, how.spare) + 0.01
            worst = how.brings.index(min(how.brings))
            s = all_bid(s, (rng.choice(s.hands[0]), s.hands[1][worst]))


def test_finished_round_is_stored_unchanged():
    s = all_bid(position("8D", ("5S", "5C")), ("5S", "5C"))
    assert s.history == [Round(["8D"], ["5S", "5C"], None)]
