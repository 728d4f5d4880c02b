"""The engine, shown with the shortest game there is."""

from dataclasses import replace

import pytest

from kaboom.engine.codec import to_json
from kaboom.engine.engine import prompt, random_move, start, step, waiting_for
from kaboom.engine.log_replay import replay
from kaboom.engine.moves import CLOCK, IllegalMove, Move, NotOnOffer, StaleMove
from kaboom.engine.play import Listener
from kaboom.engine.rng import Rng
from kaboom.engine.texts import Names
from kaboom.engine.toolkit.playthrough import random_match, random_turn, transcript
from tests.engine.sealed_bids import SEALED_BIDS, Options

SEED = bytes(32)


@pytest.fixture
def deal():
    return start(SEALED_BIDS, 2, Options(), SEED).state


def after(state, text, number=1, token=None):
    return step(SEALED_BIDS, state, Move.parse(text), Rng(SEED, number), token).state


def test_a_bid_by_one_seat_leaves_the_others_offer_standing(deal):
    token = prompt(SEALED_BIDS, deal, 1).offers[0].token
    later = after(deal, "0 bid KS")
    assert prompt(SEALED_BIDS, later, 1).offers[0].token == token
    assert waiting_for(SEALED_BIDS, later) == [1]
    assert after(later, "1 bid 2C", token=token).bids == [None, None]


def test_automatic_step_outside_the_clocks_prompt_is_public(deal):
    def do(play):
        """Do nothing."""

    asked, timed = Listener(CLOCK, "stop", do), Listener(CLOCK, "deal", do, after=1.0)
    game = replace(SEALED_BIDS, decisions=lambda state: (), offers=lambda state: (asked, timed))
    for number in range(20):
        assert random_move(game, deal, CLOCK, Rng(SEED, number)) == Move(CLOCK, "deal")


def test_form_from_the_previous_round_is_stale(deal):
    token = prompt(SEALED_BIDS, deal, 0).offers[0].token
    later = after(after(deal, "0 bid KS"), "1 bid 2C")
    with pytest.raises(StaleMove):
        after(later, "0 bid QS", token=token)


def test_game_without_moves_before_its_end_is_an_error(deal):
    silent = replace(SEALED_BIDS, offers=lambda state: (), decisions=lambda state: ())
    with pytest.raises(ValueError, match="no player can move"):
        random_turn(silent, deal, 2, Rng(SEED, 1))


def test_a_second_bid_is_not_on_offer(deal):
    with pytest.raises(NotOnOffer):
        after(after(deal, "0 bid KS"), "0 bid QS")


@pytest.mark.parametrize("text", ["0 bid KC", "0 bid", "0 bid KS QS", "0 bid kaboom"])
def test_an_impossible_choice_is_illegal(deal, text):
    with pytest.raises(IllegalMove):
        after(deal, text)


@pytest.mark.parametrize("text", ["", "bid KS", "0", "x bid KS", "0 fold", "7 bid KS", "-1 bid KS"])
def test_malformed_move_is_not_on_offer(deal, text):
    with pytest.raises(NotOnOffer):
        after(deal, text)


def test_a_refused_move_changes_nothing(deal):
    before = to_json(deal)
    with pytest.raises(IllegalMove):
        after(deal, "0 bid KC")
    assert to_json(deal) == before


def test_a_match_of_random_players_ends_and_replays():
    moves, last = random_match(SEALED_BIDS, 2, Options(), SEED)
    assert len(moves) == 26
    *_, (_, again) = replay(SEALED_BIDS, 2, Options(), SEED, moves)
    assert again.state == last


def test_a_transcript_is_the_same_every_time():
    moves, _ = random_match(SEALED_BIDS, 2, Options(), SEED)
    first = list(transcript(SEALED_BIDS, 2, Options(), SEED, moves))
    assert first == list(transcript(SEALED_BIDS, 2, Options(), SEED, moves))
    assert any(line.startswith("outcome: won") for line in first)


def test_sentences_address_the_reader():
    words = SEALED_BIDS.words
    facts = {"seat": 1, "cards": ["KD", "2D"]}
    names = ("Ann", "Ben")
    assert (
        words.say("won", facts, Names(names, 0)) == "Ben wins King of Diamonds and 2 of Diamonds."
    )
    assert words.say("won", facts, Names(names, 1)) == "You win King of Diamonds and 2 of Diamonds."
    assert words.say("silent", facts, Names(names)) is None
