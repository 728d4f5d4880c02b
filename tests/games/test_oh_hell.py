"""Oh Hell, the second example package: its rules, its bids, its bot."""

import re

import pytest

from kaboom.engine.engine import must_answer, prompt, start, step
from kaboom.engine.moves import IllegalMove, Move
from kaboom.engine.play import Play
from kaboom.engine.rng import Rng
from kaboom.engine.texts import Names
from kaboom.games import GAMES
from tests.games.positions import after
from tests.support.api_clients import TEXT, Program, at_table
from tests.support.browsing import browser, table
from tests.support.builtin_games import EXAMPLES

__all__ = ["browser", "table"]

pytestmark = pytest.mark.skipif("oh_hell" not in EXAMPLES, reason="make test installs Oh Hell")

SEED = bytes(32)

NOBODY = Names(("Ann", "Ben", "Cleo"), None)


@pytest.fixture
def game():
    return GAMES["oh_hell"]


def begun(game, seats=3, **options):
    """Return the first state of a match."""
    return start(game, seats, game.options(**options), SEED).state


def playing(game, *hands, bids, trump="2C", leader=0, **more):
    """Return a position of the last deal with these hands, each a text."""
    state = begun(game, len(hands), cards=1)
    state.stage, state.leader, state.bids, state.stock = "play", leader, list(bids), [trump]
    state.hands = [hand.split() for hand in hands]
    for name, value in more.items():
        setattr(state, name, value)
    return state


@pytest.mark.parametrize(
    ("seats", "cards", "each"), [(3, 7, 7), (5, 10, 10), (6, 10, 8), (7, 10, 7)]
)
def test_first_deal_is_as_large_as_the_pack_allows(game, seats, cards, each):
    state = begun(game, seats, cards=cards)
    assert [len(hand) for hand in state.hands] == [each] * seats
    assert len(state.stock) == 52 - seats * each >= 1


def test_next_deal_has_one_card_fewer_and_another_starter(game):
    state = begun(game, cards=3)
    assert prompt(game, state, 0).offer("bid")
    state.stage = "ready"
    state = after(game, state, *(f"{seat} ready" for seat in range(3)))
    assert [len(hand) for hand in state.hands] == [2, 2, 2]
    assert prompt(game, state, 1).offer("bid")


def test_bid_is_a_number_from_zero_to_all_tricks(game):
    (offer,) = prompt(game, begun(game, cards=4), 0).offers
    assert offer.numbers
    assert offer.options == offer.playable == ("0", "1", "2", "3", "4")


def test_dealer_may_not_make_the_bids_add_up(game):
    state = after(game, begun(game, cards=4), "0 bid 1", "1 bid 1")
    assert prompt(game, state, 2).offers[0].playable == ("0", "1", "3", "4")
    with pytest.raises(IllegalMove, match="add up"):
        after(game, state, "2 bid 2")


def test_dealer_is_told_the_forbidden_bid(game):
    state = after(game, begun(game, cards=4), "0 bid 1")
    assert game.view(state, 1).saying.kind == "bidding"
    said = game.view(after(game, state, "1 bid 1"), 2).saying
    told = game.words.say(said.kind, said.facts, Names(NOBODY.seats, 2))
    assert told == "Your turn to bid, not 2: the bids may not add up to 4."


def test_dealer_without_the_hook_may_bid_any_number(game):
    state = after(game, begun(game, cards=4, hook=False), "0 bid 1", "1 bid 1")
    assert prompt(game, state, 2).offers[0].playable == ("0", "1", "2", "3", "4")


def test_suit_led_must_be_followed(game):
    state = after(game, playing(game, "5D 6D", "7D 2C", "3S 4S", bids=(1, 0, 0)), "0 play 5D")
    assert prompt(game, state, 1).offers[0].playable == ("7D",)
    with pytest.raises(IllegalMove, match="follow suit"):
        after(game, state, "1 play 2C")


def test_highest_trump_takes_the_trick_else_the_suit_led(game):
    state = playing(game, "5D 6D", "3C AH", "9C KD", bids=(1, 1, 1), trump="4C")
    state = after(game, state, "0 play 5D", "1 play 3C", "2 play KD")
    assert state.won == [0, 1, 0]
    state = after(game, state, "1 play AH", "2 play 9C", "0 play 6D")
    assert state.won == [0, 1, 1]


def test_only_exact_bids_score_ten_and_the_tricks(game):
    state = playing(game, "AD", "KD", "QD", bids=(1, 1, 0), scores=[4, 4, 4])
    state = after(game, state, "0 play AD", "1 play KD", "2 play QD")
    assert state.scores == [15, 4, 14]


def test_most_points_win_after_the_deal_of_one_card(game):
    state = playing(game, "AD", "KD", "QD", bids=(1, 1, 0), scores=[0, 30, 1])
    state = after(game, state, "0 play AD", "1 play KD", "2 play QD")
    outcome = game.outcome(state)
    assert (outcome.scores, outcome.winners) == ((11, 30, 11), (1,))


def test_absent_seat_bids_and_plays_at_random(game):
    state = after(game, begun(game, cards=1), "-1 leave 0", "-1 lapse 1.6.0")
    assert state.bids[0] is not None and state.bids[1] is None


def test_match_with_one_player_left_is_abandoned(game):
    state = after(game, begun(game), "-1 leave 0")
    assert game.outcome(state) is None
    outcome = game.outcome(after(game, state, "-1 leave 1"))
    assert (outcome.reason, outcome.winners) == ("abandoned", ())


def test_resample_keeps_the_viewers_hand_and_the_trump(game):
    state = after(game, begun(game), "0 bid 3")
    play = Play(-1, Rng(SEED, 1))
    play.state = after(game, state, "1 bid 2")
    hands, trump = [list(hand) for hand in play.state.hands], play.state.stock[0]
    game.resample(play, 1)
    assert play.state.hands[1] == hands[1] and play.state.stock[0] == trump
    assert play.state.hands[0] != hands[0]


def test_bids_and_tricks_are_shown_beside_the_points(game):
    state = begun(game, cards=1)
    assert game.view(state, None).scores.headings == ("Points",)
    state = playing(game, "AD", "KD", "QD", bids=(1, 1, 0))
    assert game.view(state, None).scores.headings == ("Bid", "Tricks", "Points")


def test_bids_and_then_tricks_are_shown_at_each_seat(game):
    state = after(game, begun(game, cards=2), "0 bid 1")
    first, *others = game.view(state, None).standing
    assert game.words.say(first.kind, first.facts, NOBODY) == "Bid: 1"
    assert {game.words.say(it.kind, it.facts, NOBODY) for it in others} == {"No bid yet"}
    state = playing(game, "AD", "KD", "QD", bids=(1, 1, 0))
    said = [game.words.say(it.kind, it.facts, NOBODY) for it in game.view(state, None).standing]
    assert said == ["Tricks: 0 of 1", "Tricks: 0 of 1", "Tricks: 0 of 0 ✓"]


def test_a_plate_marks_a_bid_that_is_made_and_one_that_is_passed(game):
    state = playing(game, "AD", "KD", "QD", bids=(2, 1, 0), won=[1, 1, 1])
    said = [game.words.say(it.kind, it.facts, NOBODY) for it in game.view(state, None).standing]
    assert said == ["Tricks: 1 of 2", "Tricks: 1 of 1 ✓", "Tricks: 1 of 0 ✗"]


def test_result_of_a_deal_gives_the_reader_the_reason(game):
    state = playing(game, "AD", "KD", "QD", bids=(1, 1, 0), scores=[4, 4, 4])
    state.options = game.options(cards=2)
    state = after(game, state, "0 play AD", "1 play KD", "2 play QD")
    view, names = game.view(state, 1), Names(NOBODY.seats, 1)
    said = view.saying
    assert view.settled and view.scores.headings == ("Bid", "Tricks", "This deal", "Points")
    assert view.scores.rows == ((1, 1, 11, 15), (1, 0, 0, 4), (0, 0, 10, 14))
    assert game.words.say(said.kind, said.facts, names) == "You bid 1 and took 0: 0 points."
    told = game.result(view)
    assert game.words.say(told.kind, told.facts, names) == "Ann takes the trick: 1 taken, 1 bid."
    beside = [game.words.say(it.kind, it.facts, names) for it in game.view(state, 1).standing]
    assert beside == ["Points: 15 (+11)", "Points: 4", "Points: 14 (+10)"]


def test_bot_takes_more_points_than_random_players(game):
    points = [0, 0]
    for deal in range(12):
        key = deal.to_bytes(32, "big")
        state, number = start(game, 3, game.options(), key).state, 0
        while game.outcome(state) is None:
            number += 1
            seat = must_answer(game, state)[0]
            own, rng = prompt(game, state, seat), Rng(key, number, "players")
            if seat == deal % 3:
                move = game.bot.choose(game.bot.memory(), game.view(state, seat), own, rng)
            else:
                offer = own.offers[0]
                chosen = (rng.choice(offer.playable),) if offer.most else ()
                move = Move(seat, offer.verb, chosen)
            state = step(game, state, move, Rng(key, number)).state
        points[0] += state.scores[deal % 3]
        points[1] += (sum(state.scores) - state.scores[deal % 3]) / 2
    assert points[0] > 1.5 * points[1]


# On the general table


def test_a_forbidden_bid_is_shown_greyed(table, service):
    path, (ann, ben, cid) = table("Ann", "Ben", "Cid", game="oh_hell")
    for player, bid in ((ann, "3"), (ben, "4")):
        moves = player.open(path).moves()
        player.send(*next(move for move in moves if move[1][1].endswith(f" {bid}")))
    cid.open(path)
    assert re.findall(r'disabled data-n="(\d)"', cid.html) == ["0"]


def test_number_field_bids_the_typed_number(table, service, monkeypatch):
    monkeypatch.setattr("kaboom.engine.table_view.IN_A_ROW", 3)
    path, (ann, *_) = table("Ann", "Ben", "Cid", game="oh_hell")
    form = next(form for form in ann.page.forms if form.hidden.get("offer", "").endswith(" bid"))
    ann.send(form, form.buttons[0], [("pick", "9")])
    assert ann.status == 422 and "9 cannot be chosen now." in ann.page.text
    ann.send(form, form.buttons[0], [("pick", "5")])
    assert service.get(path[3:]).state.bids[0] == 5


def test_bid_is_typed_and_read_out_as_a_number(app):
    ann, *others = people = [Program(app) for _ in range(3)]
    path = at_table("oh_hell", *people)
    text = ann.get(f"{path}.txt").text
    assert "bid: Bid a number of tricks (choose 1)\n0  1  2  3  4  5  6  7\n" in text
    said = ann.get(f"{path}.say?about=moves").text
    assert "Bid a number of tricks, one of 8. 0; 1; 2; 3; 4; 5; 6; or 7." in said
    menu = ann.table(path)["menu"]
    fields = {"answers": menu, "move": "3"}
    assert ann.client.post(f"{path}/move", data=fields, headers=TEXT).status_code == 200
    assert ann.table(path)["facts"]["bids"] == [3, None, None]
    move = others[0].table(path)["moves"][0]
    assert move["numbers"] and [it["n"] for it in move["options"]] == list(range(8))
