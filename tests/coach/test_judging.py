"""The coach judges by what the seat knew, and never accepts a move worse than the chosen one."""

import hashlib
import os
from dataclasses import replace
from math import inf
from random import Random

import pytest
from msgspec.structs import replace as replace_in

from kaboom.coach import judging, process
from kaboom.coach.decisions import decisions_of
from kaboom.coach.judged_decision import (
    BETTER,
    CHOSEN,
    CLOSELY,
    GOOD,
    UNKNOWN,
    WORSE,
    Judged,
    Weighed,
    average,
    closely,
    kind_of,
)
from kaboom.coach.judging import looked_at, played_out
from kaboom.coach.texts import verdict
from kaboom.engine.bots.analysis import MoveValue, Playouts, analysis_of
from kaboom.engine.bots.bot import Level
from kaboom.engine.codec import copied, to_json
from kaboom.engine.continued_match import redealt
from kaboom.engine.engine import prompt
from kaboom.engine.moves import CLOCK, Move
from kaboom.engine.play import Play
from kaboom.engine.rng import Rng
from kaboom.games import GAMES
from kaboom.games.gops.bot import planned
from kaboom.records.replay import rebuilt
from tests.support.finished_matches import made
from tests.support.judging import judge

POSITIONS = int(os.environ.get("KABOOM_COACHED", "0"))  # judged in full, for each game
FEW = 1  # … of which in `make test`, briefly
CHECKS = 200 if POSITIONS else 40  # fresh deals in which accepted moves are checked
LATE = 1000 if POSITIONS else 10  # decisions at the end of a match, which are faster
PLAYED = [key for key in ("gops", "kaboom", "karata", "koth", "taken") if key in GAMES]


BRIEFLY = {"FEW": 4, "SOME": 6, "MANY": 6, "LOOKS": (8, 16), "STEADY": 16}
BRIEFEST = {"FEW": 2, "SOME": 3, "MANY": 3, "LOOKS": (4, 8), "STEADY": 8}


def dearest(key, count, first=0):
    """Yield decisions of random matches with their first estimates: the most costly ones of each
    match.
    """
    number = first
    while count > 0:
        number += 1
        record = made(key, number)
        if record is None:
            continue
        replay = rebuilt(record)
        found = [(it, looked_at(replay.game, it)) for it in decisions_of(replay, 0)[-LATE:]]
        for place in closely([it for _, it in found])[: max(1, count // 10)]:
            yield replay.game, *found[place]
            count -= 1
            if not count:
                return


@pytest.fixture
def briefest(monkeypatch):
    """Use even fewer deals, where the answers of two positions are compared byte for byte."""
    for name, value in ({} if POSITIONS else BRIEFEST).items():
        monkeypatch.setattr(judging, name, value)


@pytest.fixture
def brief(monkeypatch):
    """Use so few deals that a test takes a moment."""
    for name, value in BRIEFLY.items():
        monkeypatch.setattr(judging, name, value)


@pytest.mark.slow
@pytest.mark.parametrize("key", PLAYED)
def test_accepted_answers_are_as_good_as_the_chosen_move(key, monkeypatch):
    for name, value in () if POSITIONS else BRIEFLY.items():
        monkeypatch.setattr(judging, name, value)
    for game, decision, first in dearest(key, POSITIONS or FEW):
        judged = played_out(game, decision, first)
        state, memory = decision.position(game)
        own, seat = prompt(game, state, decision.move.seat), decision.move.seat
        accepted = [
            move
            for it in judged.moves
            if kind_of(judged, move := Move.parse(it.move), alike(judged, own, move)) == GOOD
        ]
        assert accepted, "a move must be right"
        rivals = [it for it in accepted if not own.are_same(it, decision.move)]
        if not rivals:
            continue
        values = judge(
            game, state, seat, memory, [decision.move, *rivals], b"\7" * 32, deals=CHECKS
        )
        mine = next(it for it in values if it.move == decision.move)
        for it in values:
            margin = it.spread + mine.spread  # of two means, generously
            assert it.worth >= mine.worth - margin, f"{it.move} for {decision.move}"


def alike(judged, own, move):
    """Return the considered moves with the same effect."""
    return [it.move for it in judged.moves if own.are_same(Move.parse(it.move), move)]


def twin_of(game, state, seat, memory):
    """Return a state that looks the same to a seat but differs in hidden cards."""
    other = redealt(game, state, seat, memory, Rng(b"\3" * 32, 0))
    if game.view(other, seat) != game.view(state, seat):  # others have chosen anew
        play = Play(CLOCK, Rng(b"\3" * 32, 0, "twin"))
        play.game, play.state = game, copied(state)
        game.resample(play, seat)
        other = play.state
    assert game.view(other, seat) == game.view(state, seat)
    return other


@pytest.mark.slow
@pytest.mark.parametrize("key", PLAYED)
def test_indistinguishable_positions_get_identical_judgments(key, briefest):
    for game, decision, first in dearest(key, 1, first=40):
        state, memory = decision.position(game)
        other = twin_of(game, state, decision.move.seat, memory)
        twin = replace(decision, state=to_json(other))
        again = looked_at(game, twin)
        assert to_json(again) == to_json(first)
        assert to_json(played_out(game, twin, again)) == to_json(played_out(game, decision, first))


def test_planted_leak_changes_the_judgment_of_a_twin(brief, monkeypatch):
    game, decision, first = next(dearest("taken", 1))
    state, memory = decision.position(game)
    other = twin_of(game, state, decision.move.seat, memory)
    assert to_json(other) != decision.state
    monkeypatch.setattr(
        judging, "_seed", lambda game, state, *_: hashlib.sha256(to_json(state)).digest()
    )
    twin = replace(decision, state=to_json(other))
    one, two = (played_out(game, it, first) for it in (decision, twin))
    assert to_json(one) != to_json(two)


def some(own="0 bid 3S", **less):
    """Return a decision among three moves after playouts; each is (less, low, high)."""
    values = {"2S": (0.0, 0.0, 0.0), "3S": (2.0, 1.0, 3.0), "4S": (0.5, -0.5, 1.5)} | less
    moves = [Weighed(f"0 bid {card}", 0.0, *value) for card, value in values.items()]
    return Judged(4, 3, own, 1.0, [*moves, Weighed("0 bid 9S", -5.0)], deals=48)


def kind(judged, card):
    """Return the judgement of bidding a card."""
    text = f"0 bid {card}"
    return kind_of(judged, Move.parse(text), [text])


def test_best_and_equal_moves_all_pass():
    assert kind(some(), "2S") == kind(some(), "4S") == GOOD


def test_costly_chosen_move_is_not_accepted():
    assert kind(some(), "3S") == CHOSEN


def test_chosen_move_passes_if_it_is_as_good_as_any():
    judged = some(own="0 bid 4S")
    assert not judged.is_mistake and kind(judged, "4S") == GOOD and judged.cost == 0


def test_equal_move_that_looks_worse_than_the_chosen_one_fails():
    judged = some(own="0 bid 4S", **{"5S": (0.9, -0.1, 1.9)})
    assert kind(judged, "5S") == WORSE


def test_cost_below_the_threshold_is_no_mistake():
    judged = some(**{"3S": (0.8, 0.5, 1.1)})
    assert judged.is_mistake
    judged.least = 1.0
    assert not judged.is_mistake and judged.cost == 0
    assert verdict(GAMES["gops"], judged) == "It hardly mattered: 0.8 points."


def test_disagreeing_first_look_leaves_the_verdict_open():
    judged = some()
    judged.own.first = 3.0  # and the best move 0
    assert not judged.is_mistake
    assert verdict(GAMES["gops"], judged) == "As good as any, as far as the coach can tell."


def test_limits_widen_as_the_number_of_deals_falls():
    few, many = (weighed(deals) for deals in (16, 400))
    assert few.low < many.low < 2.0 and few.low == pytest.approx(4 - 2 * (2.935 + 7.3 / 15) / 1.96)
    assert few.high == pytest.approx(8 - few.low)


def weighed(deals, surely=-inf):
    """Return a move that lost 4, give or take 2, in that many deals."""
    value = MoveValue(MOVE, 0.0, 0.0, 4.0, (-6.0, -2.0), deals)
    return judging._weighed(value, Judged(4, 3, str(MOVE), 1.0, [Weighed(str(MOVE), -2.5)]), surely)


def test_lower_limit_is_at_least_what_other_deals_have_shown():
    assert weighed(16).first == -2.5
    assert weighed(16).low < weighed(16, 1.5).low == 1.5
    assert weighed(16, 5.0).low == weighed(16).less == 4.0


class Coins(Playouts):
    """Playouts of a move that is worth nothing and of a rival that is worth `worth`, with much
    noise."""

    def __init__(self, number, worth=0.0):
        self.random, self.worth = Random(number), worth
        self.results = {}

    def play(self, moves, deals):
        for move in moves:
            own = self.results.setdefault(move, [])
            worth = self.worth if move == RIVAL else 0.0
            own += [self.random.gauss(worth, 10) for _ in range(deals - len(own))]


MOVE, RIVAL = Move(0, "bid", ("2S",)), Move(0, "bid", ("3S",))


def certain(worth, least=0.0, tries=500):
    """Return the number of comparisons in which a rival of this worth is certainly better."""
    found = 0
    for number in range(tries):
        coins = Coins(number, worth)
        judging._compared(coins, MOVE, RIVAL, least, inf, judging.stopped)
        found += judging._certain(coins, MOVE, RIVAL)
    return found


@pytest.mark.slow
def test_equal_moves_are_found_to_differ_once_in_100():
    assert certain(0.0, least=-99.0) <= 8  # of 500; at most 5 are expected


def test_much_better_rivals_are_detected():
    assert certain(2.5, least=1.0, tries=100) >= 90


def test_hopeless_comparison_ends_at_the_first_look():
    ended = [
        judging._compared(Coins(number, -5.0), MOVE, RIVAL, 1.0, inf, judging.stopped)
        for number in range(50)
    ]
    assert ended.count(judging.LOOKS[0]) >= 45


def test_comparison_ends_with_its_time_but_after_a_first_look():
    clock = iter(range(1000))
    deals = judging._compared(Coins(1), MOVE, RIVAL, -99.0, 8.0, lambda: float(next(clock)))
    assert judging.LOOKS[0] < deals < judging.LOOKS[-1]
    assert judging._compared(Coins(1), MOVE, RIVAL, -99.0, 0.0, lambda: 1.0) == judging.LOOKS[0]


def test_settled_decisions_leave_their_time_to_the_others(monkeypatch):
    record, spent, given = made("gops", 5), [0.0], []

    def quickly(game, decision, first, seconds, now):
        given.append(seconds)
        spent[0] += min(seconds, 1.0)
        return replace_in(first, deals=48)

    monkeypatch.setattr(process, "played_out", quickly)
    *_before, last = process.work(process.Task(record, 0), lambda: spent[0])
    count = sum(it.deals > 0 for it in last.judged)
    assert len(given) == count > 2
    assert given[0] == pytest.approx(process.SECONDS / count)
    assert given == sorted(given)
    assert given[-1] == pytest.approx(process.SECONDS - count + 1)
    # Another process that continues has the remaining decisions' share.
    again = process.Task(record, 0, last.judged, last.steps - 1)
    given.clear()
    list(process.work(again, lambda: spent[0]))
    assert given == [pytest.approx(process.SECONDS / count)]


def test_rivals_in_gops_are_judged_without_habits():
    game = GAMES["gops"]
    record = made("gops", 5)
    decisions = decisions_of(rebuilt(record), 0)
    late = decisions[5]
    state, memory = late.position(game)
    own, view = prompt(game, state, 0), game.view(state, 0)
    bids = {
        str(analysis_of(game).rivals.weigh(memory, view, own, Rng(bytes(32), n), Level.HARD)[0])
        for n in range(60)
    }
    how = planned(view, 0)
    likely = sum(share >= 0.1 for share in how.steady)
    assert len(bids) >= likely > 1


def test_move_better_than_the_chosen_but_not_best_fails():
    assert kind(some(**{"5S": (1.0, 0.6, 1.4)}), "5S") == BETTER


def test_answer_that_was_not_played_out_never_passes():
    assert kind(some(), "9S") == UNKNOWN
    assert kind(some(), "KS") == UNKNOWN


def test_only_the_costliest_decisions_are_studied_closely():
    judged = [Judged(n, n, "0 bid 2S", float(n % 12), []) for n in range(30)]
    found = closely(judged)
    assert len(found) == CLOSELY and all(judged[place].first >= 8 for place in found)
    assert closely([Judged(1, 0, "0 bid 2S", 0.0, [])]) == []


def test_average_counts_only_certain_results():
    assert average([some(), some(own="0 bid 4S")]) == 1.0
    assert average([]) is None


def test_row_built_card_by_card_is_one_decision():
    replay = rebuilt(next(record for n in range(60) if (record := made("karata", n)) is not None))
    found = decisions_of(replay, 0)
    rows = [it for it in found if replay.steps[it.step].move.verb == "play"]
    assert rows, "in this match no row was built"
    assert all(it.move.verb == "lay" and it.before < it.step - 1 for it in rows)
    assert not any(it.move.verb in replay.game.pieces for it in found)


def test_substitute_bots_moves_are_not_judged():
    replay = rebuilt(made("gops", 3))
    own = decisions_of(replay, 0)
    for made_move in replay.record.moves:
        made_move.cmd = f"bot {made_move.cmd}"
    assert own and decisions_of(replay, 0) == []


def test_forced_moves_are_not_judged():
    replay = rebuilt(made("gops", 3))
    last = [it for it in replay.record.moves if it.text.startswith("0 bid")][-1]
    assert last.text not in [str(it.move) for it in decisions_of(replay, 0)]
