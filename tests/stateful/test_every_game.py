"""A state machine for every game: no sequence of inputs breaks its invariants.

Moves are legal, illegal, stale or invented; between them the position is redealt for a viewer, or
stored and loaded. After each step no card is lost or doubled, and no refusal has changed the state.
"""

from collections import Counter

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from hypothesis.stateful import run_state_machine_as_test as run

from kaboom.engine.codec import copied, from_json, to_json
from kaboom.engine.engine import clocks, must_answer, prompt, random_move, start, step
from kaboom.engine.moves import CLOCK, Move, Refusal
from kaboom.engine.rng import Rng
from kaboom.games import GAMES, sample
from kaboom.games.trial import cards_of
from tests.secrecy.oracle import refusal
from tests.secrecy.states import (
    next_move,
    paired_tables_of,
    redealt,
    seed,
    stage_of,
    tables_of,
)
from tests.stateful.effort import tried
from tests.support.effort import often

EXAMPLES = often(8, soak=6000)
STEPS = 50
AT_ONCE = (1, 3, 20, 100)  # moves of one step of the machine at most

small = st.integers(0, 2**32 - 1)
words = st.lists(
    st.sampled_from(["KS", "2H", "0.0", "1.3", "7", "yes", "S", "-1", "nonsense", "", "RJ"]),
    max_size=9,
)


def machine_of(game):
    """Return the state machine of a game."""
    about = sample(game.key)
    kinds = tables_of(game) + paired_tables_of(game)

    class Playing(RuleBasedStateMachine):
        @initialize(kind=small, number=small)
        def deal(self, kind, number):
            """Deal at a random table with random options."""
            self.options, self.seats = kinds[kind % len(kinds)]
            self.key, self.made = seed(number), []
            self.take(start(game, self.seats, self.options, self.key))

        def take(self, done):
            """Continue from a step's result."""
            self.state = done.state

        def play(self, move):
            """Make a legal move, which must emit an event and must not mutate the old state."""
            before = to_json(self.state)
            self.made.append(str(move))
            old = self.state
            done = step(game, self.state, move, Rng(self.key, len(self.made)))
            assert to_json(old) == before
            assert done.events, f"{move} says nothing"
            self.take(done)

        def over(self):
            """Return True if the match is over."""
            return game.outcome(self.state) is not None

        @precondition(lambda self: not self.over())
        @rule(dice=small, moves=st.sampled_from(AT_ONCE))
        def some_legal_moves(self, dice, moves):
            for n in range(moves):
                if not self.over():
                    rng = Rng(seed(dice), n, "machine")
                    self.play(next_move(game, self.state, self.seats, rng))

        @precondition(lambda self: not self.over())
        @rule(dice=small, seat=st.integers(0, 9))
        def a_seat_moves(self, dice, seat):
            move = random_move(game, self.state, seat % self.seats, Rng(seed(dice), 0, "any"))
            if move is not None:
                self.play(move)

        @precondition(lambda self: not self.over())
        @rule(dice=small)
        def time_runs_out(self, dice):
            timed = [li for li in clocks(game, self.state) if not li.held]
            if timed:
                self.play(timed[dice % len(timed)].clock_move)

        @rule(seat=st.integers(-2, 12), verb=small, choices=words)
        def player_tries_what_is_made_up(self, seat, verb, choices):
            verbs = sorted({v for v in game.words.offers if "." not in v} | {"leave", "x"})
            move = Move(seat, verbs[verb % len(verbs)], tuple(choices))
            before = to_json(self.state)
            if refusal(game, self.state, move, list(game.listeners(self.state))) is not None:
                with pytest.raises(Refusal):
                    step(game, self.state, move, Rng(self.key, 0))
                assert to_json(self.state) == before
            elif seat != CLOCK:
                assert any(o.verb == move.verb for o in prompt(game, self.state, seat).offers)

        @precondition(lambda self: not self.over())
        @rule(seat=st.integers(0, 9), dice=small)
        def an_old_form_is_sent(self, seat, dice):
            seat %= self.seats
            move = random_move(game, self.state, seat, Rng(seed(dice), 0, "old"))
            if move is not None:
                with pytest.raises(Refusal):
                    step(game, self.state, move, Rng(self.key, 0), "0" * 10)

        @rule()
        def the_position_is_stored_and_read_again(self):
            again = from_json(to_json(self.state), game.state)
            assert again == self.state
            assert to_json(again) == to_json(copied(self.state))
            self.state = again

        @rule(viewer=st.integers(0, 10), number=small)
        def the_cards_are_redealt_for_a_viewer(self, viewer, number):
            me = viewer if viewer < self.seats else None
            other = redealt(game, self.state, me, number)
            assert to_json(game.view(other, me)) == to_json(game.view(self.state, me))
            if me is not None:
                assert prompt(game, other, me) == prompt(game, self.state, me)
            here, there = cards_of(about.places, self.state), cards_of(about.places, other)
            assert here == there, "a redeal lost or made a card"
            assert to_json(redealt(game, other, me, number)), "a redeal can be redealt"

        @invariant()
        def a_seat_can_move_until_the_outcome(self):
            if not hasattr(self, "state"):
                return
            can = must_answer(game, self.state) or clocks(game, self.state)
            assert bool(can) != self.over()

        @invariant()
        def no_card_is_lost_or_made(self):
            if hasattr(self, "state"):
                now = cards_of(about.places, self.state)
                whole = about.count(self.state, self.seats)
                assert sum(now.values()) in whole, stage_of(self.state)
                assert all(count <= about.packs for count in now.values())

        def teardown(self):
            """Replay the whole match: it must reach the same state."""
            if not hasattr(self, "state"):
                return
            done = start(game, self.seats, self.options, self.key)
            for number, text in enumerate(self.made, start=1):
                done = step(game, done.state, Move.parse(text), Rng(self.key, number))
            assert to_json(done.state) == to_json(self.state)
            STEPS_DONE[game.key] += len(self.made)

    return Playing


STEPS_DONE: Counter[str] = Counter()


@pytest.mark.parametrize("key", list(GAMES))
def test_any_operations_in_any_order_keep_a_game_consistent(key):
    run(
        machine_of(GAMES[key]),
        settings=tried(EXAMPLES, STEPS),
    )
    print(f"{key}: {STEPS_DONE[key]} moves made")
    assert STEPS_DONE[key] > EXAMPLES


def test_every_game_declares_where_its_cards_are():
    for key in GAMES:
        assert sample(key).places and sample(key).count
