"""Late, absent and returning players, shown with the shortest possible game."""

from dataclasses import replace

import pytest
from msgspec import structs

from kaboom.engine.engine import clocks, prompt, start, step, waiting_for
from kaboom.engine.moves import CLOCK, NOTHING, Move, Refusal
from kaboom.engine.play import Listener
from kaboom.engine.rng import Rng
from tests.engine.sealed_bids import SEALED_BIDS, Options

SEED = bytes(32)


@pytest.fixture
def deal():
    return start(SEALED_BIDS, 2, Options(), SEED).state


def done(state, text, game=SEALED_BIDS):
    return step(game, state, Move.parse(text), Rng(SEED, 1))


def after(state, *texts, game=SEALED_BIDS):
    for text in texts:
        state = done(state, text, game).state
    return state


def timed(state, game=SEALED_BIDS):
    return {str(clock.clock_move): clock.after for clock in clocks(game, state)}


def changed(**how):
    """Return the game with another decision."""
    decided = SEALED_BIDS.decisions
    return replace(
        SEALED_BIDS, decisions=lambda s: [structs.replace(it, **how) for it in decided(s)]
    )


def test_all_pending_seats_share_one_timer(deal):
    assert timed(deal) == {"-1 lapse 12": 20}
    assert timed(after(deal, "0 bid KS")) == {"-1 lapse 12": 20}


def test_the_timer_is_a_deadline(deal):
    (clock,) = clocks(SEALED_BIDS, deal)
    assert clock.decision


def test_timeout_decides_for_late_seats_and_play_continues(deal):
    late = done(after(deal, "1 bid 2C"), "-1 lapse 12")
    assert [event.kind for event in late.events][:3] == ["bid", "bid_yours", "revealed"]
    assert late.events[0].facts == {"seat": 0}
    assert late.state.bids == [None, None]
    assert len(late.state.prizes) == 11


def test_unlimited_decision_has_no_timer(deal):
    assert timed(deal, changed(seconds=0)) == {}


def test_expired_timer_cannot_expire_again(deal):
    with pytest.raises(Refusal):
        after(deal, "-1 lapse 12", "-1 lapse 12")


def test_absent_seat_alone_is_decided_for_at_once(deal):
    gone = after(deal, "-1 leave 1")
    assert timed(gone) == {"-1 lapse 12": 20, "-1 lapse 12.1": 0}
    lapsed = after(gone, "-1 lapse 12.1")
    assert lapsed.bids[0] is None
    assert lapsed.bids[1] is not None
    assert timed(lapsed) == {"-1 lapse 12": 20}


def test_timer_stops_if_all_pending_seats_are_absent(deal):
    gone = after(deal, "0 bid KS", "-1 leave 1")
    assert timed(gone) == {"-1 lapse 12.1": 0}
    assert after(gone, "-1 lapse 12").pot != gone.pot


def test_absent_seat_is_offered_nothing_and_not_awaited(deal):
    gone = after(deal, "-1 leave 1")
    assert prompt(SEALED_BIDS, gone, 1).offers == ()
    assert waiting_for(SEALED_BIDS, gone) == [0]
    assert prompt(SEALED_BIDS, after(gone, "-1 return 1"), 1).offers


def test_present_seat_may_leave_and_departed_seat_return(deal):
    def around(state):
        house = [li for li in SEALED_BIDS.listeners(state) if li.seat == CLOCK and not li.after]
        return {li.verb: li.pick.options for li in house if li.verb != "lapse"}

    assert around(deal) == {"leave": ("0", "1")}
    gone = after(deal, "-1 leave 1")
    assert around(gone) == {"leave": ("0",), "return": ("1",)}
    assert around(after(gone, "-1 leave 0")) == {"return": ("0", "1")}


def test_game_hooks_run_when_a_seat_leaves_or_returns(deal):
    told = []
    game = replace(
        SEALED_BIDS,
        left=lambda play, seat: told.append((seat, list(play.state.absent))),
        returned=lambda play, seat: told.append((seat, list(play.state.absent))),
    )
    gone = done(deal, "-1 leave 1", game)
    back = done(gone.state, "-1 return 1", game)
    assert told == [(1, [1]), (1, [])]
    kinds = [event.kind for event in (*gone.events, *back.events)]
    assert kinds == ["left", "returned"]


def test_late_and_absent_seats_are_logged_in_the_games_words(deal):
    game = changed(late="lapsed", away="away")
    late = done(deal, "-1 lapse 12", game).events
    assert [event.facts["seat"] for event in late if event.kind == "lapsed"] == [0, 1]
    away = done(after(deal, "-1 leave 1"), "-1 lapse 12.1", game).events
    assert (away[0].kind, away[0].facts) == ("away", {"seat": 1})


def test_game_may_override_the_timeout_move_of_absent_seats(deal):
    gone = after(deal, "-1 leave 1")
    game = changed(name="12.bid", each="12.{seat}.bid")
    assert timed(gone, game) == {"-1 lapse 12.bid": 20, "-1 lapse 12.1.bid": 0}
    assert after(gone, "-1 lapse 12.1.bid", game=game).bids[1] is not None


def test_named_decision_of_an_absent_seat_is_made_at_once(deal):
    game = changed(each="{name}", late="lapsed", away="away")
    gone = after(deal, "-1 leave 1")
    assert timed(gone, game) == {"-1 lapse 12": 0}
    lapsed = done(gone, "-1 lapse 12", game)
    assert [event.kind for event in lapsed.events] == ["away", "bid", "bid_yours"]
    assert lapsed.state.bids[0] is None


def test_held_decision_stops_its_timer(deal):
    assert all(clock.held for clock in clocks(changed(held=True), after(deal, "-1 leave 1")))


def test_no_move_is_possible_after_the_outcome(deal):
    deal.hands = [[], []]
    assert SEALED_BIDS.outcome(deal)
    assert list(SEALED_BIDS.listeners(deal)) == []


def test_listener_flags_are_keyword_only():
    with pytest.raises(TypeError):
        Listener(0, "flip", SEALED_BIDS.setup, NOTHING, "1", False, True)
