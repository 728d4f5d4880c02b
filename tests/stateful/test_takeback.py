"""Takebacks in every game, by random play: a move that revealed a card, drew at random or passed
the turn stays. All others can be taken back and leave no trace in the state.
"""

from dataclasses import replace
from itertools import islice

import pytest

from kaboom.engine.codec import to_json
from kaboom.engine.engine import must_answer, start, step
from kaboom.engine.log_replay import LogReplay, replay
from kaboom.engine.moves import Move, NotOnOffer, Refusal
from kaboom.engine.rng import Rng
from kaboom.engine.takeback import MOST, Moment, can_be_taken_back, noticed, standing
from kaboom.games import sample
from kaboom.testing.cases import CASES
from tests.secrecy.states import next_move, redealt, seed
from tests.support.effort import often

MOVES = often(50, soak=1500)
WORLDS = often(1, soak=8)
SEED = seed(1)


@pytest.mark.parametrize("game", CASES.values(), ids=list(CASES))
def test_taken_back_move_revealed_nothing_and_leaves_no_trace(game):
    seats = game.seats(game.options())[:4][-1]
    state = start(game, seats, game.options(), seed(1)).state
    texts, taken = [], 0
    for n in range(1, MOVES + 1):
        if game.outcome(state) is not None:
            break
        move = next_move(game, state, seats, Rng(seed(1), n, "players"))
        number = len(texts) + 1
        rng = Rng(seed(1), number)
        done = step(game, state, move, rng)
        before, after = Moment(game, state), Moment(game, done.state)
        can = can_be_taken_back(game, seats, move, rng.drawn, done.events, before, after)
        taking = f"{move.seat} take_back {number}"
        if can and taken < MOST:
            told_nothing(game, seats, state, move, done, n)
            texts += [str(move), taking]
            *_, (_, last) = replay(game, seats, game.options(), seed(1), texts)
            assert to_json(last.state) == to_json(state), move
            assert [number for number, _ in standing(texts)] == list_without(texts)
            assert last.events[0].to in (None, move.seat)
            taken += 1
            state = step(game, state, move, Rng(seed(1), number + 2)).state  # the same move again
            texts.append(str(move))
        else:
            if n % 16 == 0 and move.seat >= 0 and not can:
                refused(game, seats, [*texts, str(move), taking])
            texts.append(str(move))
            state = done.state
    *_, (_, last) = replay(game, seats, game.options(), seed(1), texts)
    assert to_json(last.state) == to_json(state)
    assert taken > 0 or sample(game.key).for_good


def list_without(texts):
    """Return the numbers of the moves that count, determined independently."""
    gone = set()
    for number, text in enumerate(texts, 1):
        if "take_back" in text:
            gone |= {number, int(text.split()[2])}
    return [number for number in range(1, len(texts) + 1) if number not in gone]


def refused(game, seats, texts, key=SEED):
    course = LogReplay(game, start(game, seats, game.options(), key).state, key, texts)
    for text in texts[:-1]:
        course.play(text)
    before = to_json(course.state)
    with pytest.raises(NotOnOffer, match="no longer"):
        course.play(texts[-1])
    assert to_json(course.state) == before


def told_nothing(game, seats, state, move, done, n):
    """Check independently that a move revealed nothing: with other random draws, by whose turn it
    is, and after redealing.
    """
    again = step(game, state, move, Rng(seed(99), n))
    assert to_json(again.state) == to_json(done.state), f"{move} drew by chance"
    others = [seat for seat in must_answer(game, state) if seat != move.seat]
    assert others == [s for s in must_answer(game, done.state) if s != move.seat], move
    for viewer in (move.seat, (move.seat + 1) % seats, None):
        for world in range(WORLDS):
            other = redealt(game, state, viewer, 1000 * n + world)
            seen = sight(game, done.state, done.events, viewer)
            assert can_look_like(game, other, move, viewer, seen), (move, viewer)


def can_look_like(game, world, move, viewer, seen):
    """Return True if, in another world possible for a viewer, everything could look the same
    afterwards.
    """
    listeners = [li for li in game.listeners(world) if (li.seat, li.verb) == (move.seat, move.verb)]
    moves = [move]
    if viewer != move.seat:  # a viewer who does not see the choice may assume any
        ways = (choices for li in listeners for choices in islice(li.pick.legal(), 40))
        moves += [type(move)(move.seat, move.verb, choices) for choices in ways]
    for each in moves:
        try:
            done = step(game, world, each, Rng(seed(98), 1))
        except Refusal:
            continue
        if sight(game, done.state, done.events, viewer) == seen:
            return True
    return False


def sight(game, state, events, viewer):
    heard = [event for event in events if event.heard_by(viewer)]
    return to_json((game.view(state, viewer), heard))


@pytest.mark.parametrize("key", ["taken", "gops", "koth"])
def test_takeback_is_refused_after_seeing_anothers_act(key):
    game = CASES[key]
    seats = game.seats(game.options())[-1]
    state = start(game, seats, game.options(), seed(2)).state
    ann, ben, *_ = must_answer(game, state)
    moves = [next(li for li in game.listeners(state) if li.seat == seat) for seat in (ann, ben)]
    texts = [" ".join((str(li.seat), li.verb, *next(iter(li.pick.legal())))) for li in moves]
    refused(game, seats, [*texts, f"{ann} take_back 1"], seed(2))
    *_, (_, last) = replay(game, seats, game.options(), seed(2), [texts[0], f"{ann} take_back 1"])
    assert to_json(last.state) == to_json(state)


@pytest.mark.parametrize(
    "texts",
    [
        ["0 ready", "1 take_back 1"],
        ["0 ready", "0 take_back 2"],
        ["0 ready", "0 take_back 1 1"],
        ["0 ready", "0 take_back 01"],
        ["0 ready", "0 take_back"],
        ["0 ready", "0 take_back 1", "0 take_back 1"],
        ["0 ready", "0 take_back 1", "0 take_back 2"],
        ["0 ready", "-1 take_back 1"],
        ["0 ready", "0 take_back 1٣"],
    ],
)
def test_only_a_players_last_move_can_be_taken_back(texts):
    game = CASES["koth"]
    refused(game, 5, texts)


def test_takebacks_per_match_are_limited():
    game = CASES["koth"]
    pair = lambda number: ["0 ready", f"0 take_back {number}"]  # noqa: E731
    texts = [text for number in range(1, 203, 2) for text in pair(number)]
    refused(game, 5, texts)


def test_takeback_is_allowed_after_a_secret_act_of_another():
    """A player who takes a move back must not learn that others have acted in secret."""
    game = CASES["kaboom, patient flips without a clock"]
    game = replace(game, drafts=frozenset())  # flips are sealed and silent here
    for number in range(30):
        found = silently(game, seed(number))
        if found:
            return
    raise AssertionError("no two secret moves followed each other")


def silently(game, key):
    seats = 3
    state = start(game, seats, game.options(), key).state
    texts, states = [], [state]
    for n in range(1, 150):
        if game.outcome(state) is not None:
            return False
        move = next_move(game, state, seats, Rng(key, n, "players"))
        done = step(game, state, move, Rng(key, n))
        texts.append(str(move))
        last = states[-2] if len(states) > 1 else None
        if last is not None and both_secret(game, last, state, texts, done, key):
            return True
        state = done.state
        states.append(state)
    return False


def both_secret(game, first, second, texts, done, key):
    one, two = texts[-2:]
    ann, ben = int(one.split()[0]), int(two.split()[0])
    if ann < 0 or ben < 0 or ann == ben:
        return False
    if noticed(ann, done.events, Moment(game, second), Moment(game, done.state)):
        return False
    log = [*texts, f"{ann} take_back {len(texts) - 1}"]
    try:
        *_, (_, last) = replay(game, 3, game.options(), key, log)
    except NotOnOffer:
        return False
    alone = step(game, first, Move.parse(two), Rng(key, len(texts)))
    assert to_json(last.state) == to_json(alone.state), "as if it had never been made"
    return True
