"""Kaboom's patient flips: collected in secret, settled together, fair to slow players."""

import heapq
from collections import Counter

import pytest
from hypothesis import assume, given, note, settings
from hypothesis import strategies as st

from kaboom.engine.codec import copied, to_json
from kaboom.engine.engine import Step, clocks, must_answer, prompt, start, step, waiting_for
from kaboom.engine.moves import CLOCK, IllegalMove, Move, NotOnOffer
from kaboom.engine.play import Play
from kaboom.engine.rng import Rng
from kaboom.engine.toolkit.playthrough import random_turn
from kaboom.engine.views import OPEN
from kaboom.games.kaboom import GAME
from kaboom.games.kaboom.bot import BOT, Memory
from kaboom.games.kaboom.flipping import matches
from kaboom.games.kaboom.options import Options
from kaboom.games.kaboom.places import card_at, flippers, open_cards
from kaboom.games.kaboom.state import PLACES, Collecting, Drawn, LastFlips
from tests.games.sealed_choices import sent
from tests.games.test_kaboom import (
    A,
    B,
    C,
    after,
    do,
    faces,
    place,
    position,
    refused,
    seed,
    stage,
    top,
    verbs,
)
from tests.support.effort import often

SEATS = (A, B, C)
PASSES = ("0 pass", "1 pass", "2 pass")


def window(card="8S", order=(C, A, B), **more):
    """Return the state after a card was discarded: flips are being collected, B is on turn.

    The random order is replaced by this one; None keeps it.
    """
    state = after(position(top="2C", step=Drawn(card=card), flips="patient", **more), "0 discard")
    if order is not None and isinstance(state.steps[-1], Collecting):
        state.steps[-1].order = list(order)
    return state


def told(events):
    """Return the kinds of the public events, and their seats."""
    return [(event.kind, event.facts.get("seat")) for event in events if event.to is None]


def settle(state):
    """Return the clock's move that ends the window."""
    (clock,) = clocks(GAME, state)
    assert clock.verb == "settle" and not clock.held
    return str(clock.clock_move)


# Offers


def test_flips_are_a_race_by_default():
    assert Options().flips == "race"
    state = after(position(step=Drawn(card="8S")), "0 discard")
    assert (stage(state), verbs(state, B)) == ("first_move", ["kaboom", "take", "draw", "flip"])


def test_discard_lets_all_flip_any_card_or_pass():
    state = window()
    assert stage(state) == "collecting"
    assert GAME.view(state, A).facts["turn_stage"] == "first_move"
    for seat in SEATS:
        assert verbs(state, seat) == ["flip", "pass", "more"]
        assert len(prompt(GAME, state, seat).offer("flip").options) == 18
    for move in ("1 draw", "1 take", "1 kaboom"):
        refused(state, move, NotOnOffer)


@pytest.mark.parametrize(
    "before",
    [
        position(top="2C", step=Drawn(card="8S"), flips="patient"),
        after(position(top="8S", flips="patient"), "0 take"),
    ],
    ids=["a drawn card is discarded", "a card is replaced"],
)
def test_flips_are_collected_whenever_a_card_reaches_the_pile(before):
    state = after(before, "0 discard" if "discard" in verbs(before, A) else "0 replace 0.1")
    assert stage(state) == "collecting"


def test_flips_are_collected_for_the_first_upturned_card():
    state = start(GAME, 3, Options(flips="patient"), seed(1)).state
    state = after(state, "0 ready", "1 ready", "2 ready")
    assert stage(state) == "collecting"
    state = after(state, *PASSES)
    assert (stage(state), state.turn) == ("first_move", A)


def test_seat_sees_its_answer_and_others_see_only_collecting():
    state = after(window(), "0 pass", "1 flip 0.1")
    heard = {viewer: GAME.view(state, viewer).saying for viewer in (A, B, C, None)}
    assert {viewer: (it.kind, it.facts) for viewer, it in heard.items()} == {
        A: ("collecting_passed", {"seat": A, "card": "8S"}),
        B: ("collecting_chosen", {"seat": B, "card": "8S", "place": "0.1"}),
        C: ("collecting", {"seat": C, "card": "8S"}),
        None: ("collecting", {"card": "8S"}),
    }


def test_resampled_answers_leave_one_missing():
    state = after(window(), "0 pass")
    for number in range(20):
        play = Play(CLOCK, Rng(seed(number), 0))
        play.state = copied(state)
        GAME.resample(play, A)
        own, *others = play.state.steps[-1].answers
        assert own == state.steps[-1].answers[A]
        assert None in others


def test_when_all_have_passed_the_turn_continues_where_it_was():
    state, events = do(window(), *PASSES)
    assert (stage(state), state.turn, top(state)) == ("first_move", B, "8S")
    assert told(events) == [("no_flips", None)]
    assert verbs(state, B) == ["kaboom", "take", "draw"]


@pytest.mark.parametrize("moves", [(), ("1 draw",), ("1 take",), ("1 draw", "1 keep")])
def test_flips_are_refused_between_windows(moves):
    state = after(window(), *PASSES, *moves)
    assert not any("flip" in verbs(state, seat) for seat in SEATS)


def test_calling_kaboom_opens_no_new_flip_window():
    state = after(window(), *PASSES, "1 kaboom")
    assert (stage(state), state.turn) == ("first_move", C)


# The settlement

CHOICES = {A: "A0", B: "B0", C: "C0"}
EIGHTS = {"A0": "8H", "B0": "8D", "C0": "7H"}  # Cid is wrong


@pytest.mark.parametrize(
    ("order", "happens"),
    [
        ((C, A, B), [("wrong_flip", C), ("penalty", C), ("flipped", A), ("late_flip", B)]),
        ((B, C, A), [("flipped", B), ("wrong_flip", C), ("penalty", C), ("late_flip", A)]),
        ((A, B, C), [("flipped", A), ("late_flip", B), ("wrong_flip", C), ("penalty", C)]),
    ],
)
def test_first_right_flip_in_drawn_order_wins_and_wrong_ones_pay(order, happens):
    state = window(order=order, **EIGHTS)
    moves = [f"{seat} flip {place(name)}" for seat, name in CHOICES.items()]
    state, events = do(state, *moves)
    assert told(events) == [("flips_settled", None), *happens]
    assert next(e for e in events if e.kind == "flips_settled").facts["order"] == list(order)
    winner = next(seat for kind, seat in happens if kind == "flipped")
    late = next(seat for kind, seat in happens if kind == "late_flip")
    assert card_at(state, f"{late}.0") == {A: "8H", B: "8D"}[late]
    assert state.grids[winner][0] is None
    assert [len(state.grids[seat]) for seat in SEATS] == [6, 6, 7]
    assert state.marks[f"{late}.0"] == "too late"
    for viewer in (*SEATS, None):
        assert faces(state, viewer) == {"2.0": "7H"}


def test_second_flip_of_a_card_is_too_late_and_costs_nothing():
    state, events = do(window(A0="8H"), "0 flip 0.0", "1 flip 0.0", "2 pass")
    assert told(events) == [("flips_settled", None), ("flipped", A), ("late_flip", B)]
    assert "0.0" in state.marks and state.grids[A][0] is None


def test_two_wrong_flips_of_one_card_both_pay():
    state, _ = do(window(A0="7H"), "0 flip 0.0", "1 flip 0.0", "2 pass")
    assert [len(grid) for grid in state.grids] == [7, 7, 6]
    assert card_at(state, "0.0") == "7H"


def test_flips_are_judged_by_the_targeted_card_not_the_winners():
    """A joker matches a joker; the order decides the winner, not which flip is right."""
    state = window("BJ", order=(A, B, C), A0="RJ", B0="8D")
    _, events = do(state, "0 flip 0.0", "1 flip 1.0", "2 pass")
    wrong = next(event for event in events if event.kind == "wrong_flip")
    assert wrong.facts["onto"] == "BJ"


def test_winner_of_anothers_card_gives_one_and_may_flip_again():
    state = after(window(B2="8D", A0="8H"), "0 flip 1.2", "1 pass", "2 pass")
    assert stage(state) == "give"
    state = after(state, "0 give 0.5")
    assert stage(state) == "collecting"
    assert [verbs(state, seat) for seat in SEATS] == [["flip", "pass", "more"], [], []]
    state = after(state, "0 flip 0.0")
    assert (top(state), stage(state)) == ("8H", "collecting")
    state = after(state, "0 pass")
    assert (stage(state), state.turn) == ("first_move", B)


def test_a_winner_without_cards_is_not_asked_to_give():
    state = after(window(only={A: []}, B2="8D"), "0 flip 1.2", "1 pass", "2 pass")
    assert (stage(state), verbs(state, A)) == ("collecting", ["flip", "pass", "more"])


def test_penalty_card_filling_the_gap_cancels_the_give():
    """There are so many slots that a penalty card goes into an empty one."""
    full = ["8D", "7H", *[None] * (len(PLACES[B]) - 2)]
    state = window(order=(A, B, C), only={B: []})
    state.grids[B] = full
    state.stock = [card for card in state.stock if card not in ("8D", "7H")]
    state = after(state, "0 flip 1.0", "1 flip 1.1", "2 pass")
    assert state.grids[B][0] is not None
    assert stage(state) == "collecting"


def test_turn_is_not_passed_if_the_flips_refill_the_stock():
    state = window(stock=[], only={B: ["8D"]}, under=(), declared_by=A, order=(B, A, C))
    state.discards = state.discards[-1:]
    state, events = do(state, "1 flip 1.0", "0 pass", "2 pass", "1 pass")
    assert ("passed", B) not in told(events)  # the flipped card became the stock
    assert (stage(state), state.turn) == ("first_move", B)


@pytest.mark.parametrize(("last_flips", "ends"), [(0, "round_over"), (5, "collecting")])
def test_last_flips_are_one_more_window_after_the_last_turn(last_flips, ends):
    state = window(declared_by=B, last_flips=last_flips, A0="8H", seats=2, order=(A, B))
    assert stage(state) == ends
    if last_flips:
        assert isinstance(state.steps[0], LastFlips)
        assert clocks(GAME, state)[0].after == Options().flip_seconds
        state = after(state, "0 flip 0.0", "1 pass")
        assert stage(state) == "collecting"
        assert stage(after(state, "0 pass")) == "round_over"


def test_a_locked_declarers_cards_cannot_be_chosen():
    state = window(declared_by=C, lock_declarer=True)
    assert "2.0" not in prompt(GAME, state, A).offer("flip").options
    refused(state, "0 flip 2.0", IllegalMove)


# Changing an answer


def test_flip_choice_can_change_until_all_have_answered():
    state = after(window(A0="8H"), "0 flip 0.1", "0 flip 0.0")
    assert verbs(state, A) == ["flip", "withdraw", "more"]
    assert "0.0" not in prompt(GAME, state, A).offer("flip").options
    withdrawn = after(state, "0 withdraw", "1 pass", "2 pass")
    assert top(withdrawn) == "8S"
    assert top(after(state, "1 pass", "2 pass")) == "8H"


def test_taking_back_a_flip_takes_back_no_later_one():
    first = after(window(), "0 flip 0.1")
    second = after(first, "0 flip 0.0")
    tokens = {prompt(GAME, state, A).offer("withdraw").token for state in (first, second)}
    assert len(tokens) == 2


def test_player_who_passed_may_still_flip():
    state = after(window(A0="8H"), "0 pass", "0 flip 0.0", "1 pass", "2 pass")
    assert top(state) == "8H"


# Time


def test_timeout_means_no_flip():
    state = after(window(A0="8H", B0="8D"), "0 flip 0.0")
    assert clocks(GAME, state)[0].after == 8.0
    state = after(state, settle(state))
    assert (top(state), stage(state)) == ("8H", "collecting")
    state = after(state, settle(state))
    assert (stage(state), state.turn) == ("first_move", B)


def test_window_length_is_an_option_and_0_means_no_limit():
    assert clocks(GAME, window(flip_seconds=30))[0].after == 30.0
    state = window(flip_seconds=0)
    assert clocks(GAME, state) == []
    assert verbs(state, A) == ["flip", "pass"]
    assert must_answer(GAME, state) == [A, B, C]


def test_request_for_more_time_doubles_the_window_once():
    state, events = do(window(), "0 more", "0 pass")
    assert [(event.kind, event.to) for event in events] == [("more_asked", A), ("pass_sealed", A)]
    first = settle(state)
    state, events = do(state, first)
    assert told(events) == [("longer", None)]
    assert "seat" not in events[0].facts
    assert clocks(GAME, state)[0].after == 8.0 and settle(state) != first
    assert verbs(state, B) == ["flip", "pass"]
    assert stage(after(state, settle(state))) == "first_move"


def test_each_window_can_be_extended():
    state = after(window(), "0 more", *PASSES, "1 draw", "1 discard")
    assert stage(state) == "collecting" and "more" in verbs(state, A)


def test_the_time_of_the_turn_begins_after_the_window():
    state = window(turn_seconds=20)
    assert [clock.verb for clock in clocks(GAME, state)] == ["settle"]
    assert [clock.verb for clock in clocks(GAME, after(state, *PASSES))] == ["lapse"]


# Leaving


@pytest.mark.parametrize("seconds", [0, 8])
def test_an_absent_player_passes_at_once(seconds):
    state = after(window(flip_seconds=seconds, C0="8H"), "0 pass", "1 pass", "-1 leave 2")
    assert stage(state) == "first_move"
    state = after(window(flip_seconds=seconds, absent=[C]), "0 pass", "1 pass")
    assert stage(state) == "first_move"


def test_flip_of_a_player_who_leaves_is_dropped():
    state = after(window(A0="8H"), "0 flip 0.0", "-1 leave 0", "1 pass", "2 pass")
    assert top(state) == "8S"


def test_player_back_in_time_is_waited_for_again():
    state = after(window(), "0 pass", "-1 leave 0", "1 pass", "-1 return 0")
    assert must_answer(GAME, state) == [A, C]
    assert stage(after(state, "2 pass")) == "collecting"
    assert stage(after(state, "2 pass", "0 pass")) == "first_move"


def test_a_lone_flipper_who_leaves_ends_the_window():
    state = after(window(A0="8H"), "0 flip 0.0", "1 pass", "2 pass")
    assert stage(state) == "collecting"
    assert stage(after(state, "-1 leave 0")) == "first_move"


# Secrets


def seen_by(state, viewer, events=()):
    return sent(GAME, Step(state, events), viewer, len(state.grids))


@pytest.mark.parametrize("before", [(), ("0 pass",), ("0 flip 1.1",), ("0 more", "0 flip 2.2")])
def test_answer_changes_no_byte_for_others(before):
    """Even whether a player has answered is hidden until the last answer is in or the time is
    over.
    """
    state = window()
    reached = after(state, *before)
    for offer in prompt(GAME, reached, A).offers:
        for choice in offer.options or ("",):
            done = step(GAME, reached, Move.parse(f"0 {offer.verb} {choice}"), Rng(seed(1), 9))
            assert stage(done.state) == "collecting"
            for viewer in (B, C, None):
                assert seen_by(done.state, viewer, done.events) == seen_by(state, viewer)
            assert seen_by(done.state, A, done.events) != seen_by(reached, A)


def test_pending_players_are_not_named():
    state = after(window(), "0 pass")
    assert waiting_for(GAME, state) == []
    assert must_answer(GAME, state) == [B, C]
    assert GAME.view(state, C).facts == GAME.view(window(), C).facts


def test_order_is_drawn_with_the_discard_only():
    orders = Counter()
    before = position(top="2C", step=Drawn(card="8S"), flips="patient")
    for number in range(600):
        state = step(GAME, before, Move.parse("0 discard"), Rng(seed(5), number)).state
        orders[tuple(state.steps[-1].order)] += 1
        later = after(state, "0 flip 1.1", "1 pass", "0 withdraw", "2 more")
        assert later.steps[-1].order == state.steps[-1].order
    assert len(orders) == 6 and min(orders.values()) > 60


def test_order_is_hidden_until_the_settlement():
    for viewer in (*SEATS, None):
        assert len({seen_by(window(order=order), viewer) for order in ((A, B, C), (C, B, A))}) == 1


def test_finished_match_shows_every_card_in_retrospect():
    state = after(window(A0="8H"), "0 flip 0.0")
    view = GAME.view(state, OPEN)
    for grid in view.zones_named("grid"):
        assert list(grid.cards) == state.grids[grid.owner]
    assert view.zone("grid", A).marks == {"0.0": "chosen"}
    assert list(view.zone("stock").cards) == state.stock
    drawn = GAME.view(position(step=Drawn(card="5D")), OPEN)
    assert drawn.zone("drawn", A).cards == ("5D",)
    assert GAME.view(position(stock=[]), OPEN).zone("stock").cards == ()


# The order of arrival changes nothing


def windows(number, seats, most=120):
    """Yield the states in which a match between random players begins to collect flips."""
    key = seed(number)
    state = start(GAME, seats, Options(flips="patient", max_players=6), key).state
    was_open = False
    for n in range(1, most):
        if GAME.outcome(state) is not None:
            return
        is_open = isinstance(state.steps[-1], Collecting)
        if is_open and not was_open and len(flippers(state)) > 1:
            yield state
        was_open = is_open
        state = step(
            GAME, state, random_turn(GAME, state, seats, Rng(key, n, "p")), Rng(key, n)
        ).state


@st.composite
def collected(draw):
    """Return a state that collects flips, and each seat's final answer."""
    found = list(windows(draw(st.integers(0, 40)), draw(st.integers(2, 6))))
    assume(found)
    state = draw(st.sampled_from(found))
    onto = state.discards[-1].card
    right = [place for place in open_cards(state) if matches(state, place, onto)]
    some = [place for place in open_cards(state) if place not in right][:3]
    answers = {
        seat: draw(st.sampled_from(["pass", *[f"flip {it}" for it in right * 3 + some]]))
        for seat in flippers(state)
    }
    return state, answers


def outcome_of(state, moves):
    """Return the state as bytes, the public events, and each seat's private ones."""
    told, alone = [], {}
    for n, text in enumerate(moves, start=1):
        done = step(GAME, state, Move.parse(text), Rng(seed(77), n))
        state = done.state
        told += [event for event in done.events if event.to is None]
        for whisper in done.events:
            if whisper.to is not None:
                alone.setdefault(whisper.to, []).append(whisper)
    return to_json(state), to_json(told), {seat: to_json(alone[seat]) for seat in sorted(alone)}


@pytest.mark.slow
@settings(max_examples=often(50, soak=1500), deadline=None)
@given(collected(), st.randoms(use_true_random=False))
def test_result_is_independent_of_who_answers_first(found, order):
    state, answers = found
    moves = [f"{seat} {answer}" for seat, answer in answers.items()]
    shuffled = order.sample(moves, len(moves))
    one, other = outcome_of(state, moves), outcome_of(state, shuffled)
    assert one == other
    note(one[1].decode())


@pytest.mark.slow
@settings(max_examples=often(50, soak=1500), deadline=None)
@given(collected(), st.data())
def test_view_hides_how_often_a_seat_changed_its_mind(found, data):
    """One seat does not answer, so that the clock settles: later, if any player asked for more
    time.
    """
    state, answers = found
    silent = data.draw(st.sampled_from(sorted(answers)))
    queues = {}
    for seat, answer in answers.items():
        if seat == silent:
            continue
        some = f"flip {open_cards(state)[0]}"
        first = data.draw(
            st.sampled_from([[], ["more"], [some, "withdraw"], [some, "withdraw", "more"]])
        )
        last = [] if "withdraw" in first and answer == "pass" else [answer]
        queues[seat] = [f"{seat} {move}" for move in [*first, *last]]
    asked = any("more" in move for queue in queues.values() for move in queue)
    number = state.steps[-1].number
    end = [f"-1 settle {number}.0"] + ([f"-1 settle {number}.1"] if asked else [])

    def interleaved():
        left = {seat: list(queue) for seat, queue in queues.items()}
        while any(left.values()):
            yield left[data.draw(st.sampled_from(sorted(s for s in left if left[s])))].pop(0)

    in_turn = [move for queue in queues.values() for move in queue]
    assert outcome_of(state, in_turn + end) == outcome_of(state, [*interleaved(), *end])


# Slow players flip first as often as fast ones

DELAYS = (20, 200, 2000)  # milliseconds
WINDOWS = often(1_000, soak=20_000)
NEAR = often(
    0.045, soak=0.02
)  # tolerance around a third, exceeded by chance once in some hundred seeds


def first_flipper(state, number, seats_of):
    """Play one discard; return the delay of the bot that flips first.

    Each bot knows a matching card of its own. It reads the table and moves after its delay, without
    really sleeping.
    """
    state = step(GAME, state, Move.parse("0 discard"), Rng(seed(number), 1)).state
    queue = [(delay, seat) for delay, seat in seats_of.items()]
    heapq.heapify(queue)
    n = 1
    while queue:
        _, seat = heapq.heappop(queue)
        own = prompt(GAME, state, seat)
        memory = Memory(known={f"{seat}.0": card_at(state, f"{seat}.0")})
        move = BOT.choose(memory, GAME.view(state, seat), own, Rng(seed(number), n, "bot"))
        if move is None or move.verb != "flip":
            continue
        n += 1
        done = step(GAME, state, move, Rng(seed(number), n))
        state = done.state
        for told in done.events:
            if told.kind == "flipped":
                return next(delay for delay, s in seats_of.items() if s == told.facts["seat"])
    raise AssertionError("no player flipped")


def shares(flips, windows):
    """Return the share of first flips for each delay; the seats rotate."""
    eights = {"A0": "8H", "B0": "8D", "C0": "8C"}
    state = position(top="2C", step=Drawn(card="8S"), flips=flips, turn=A, **eights)
    first = Counter(
        first_flipper(state, n, {d: (n + i) % 3 for i, d in enumerate(DELAYS)})
        for n in range(windows)
    )
    return {delay: first[delay] / windows for delay in DELAYS}


@pytest.mark.slow
def test_bots_with_any_delay_flip_first_equally_often():
    for delay, share in shares("patient", WINDOWS).items():
        assert abs(share - 1 / 3) < NEAR, f"{delay} ms: {share:.1%}"


def test_fastest_flip_wins_a_race():
    assert shares("race", 300)[DELAYS[0]] > 0.98


@pytest.mark.parametrize("answer", ["0 pass", "0 flip 1.1"])
def test_peeked_card_is_hidden_once_its_viewer_answers(answer):
    state = window()
    for seat in SEATS:
        state.seen[seat]["0.0"] = card_at(state, "0.0")
    state = after(state, answer)
    assert [place in seen for seen, place in zip(state.seen, ["0.0"] * 3, strict=False)] == [
        False,
        True,
        True,
    ]


@pytest.mark.parametrize("longer", [False, True])
def test_resample_varies_requests_for_time_until_granted(longer):
    state = do(window(), "0 more")[0]
    if longer:
        state = after(state, settle(state))
    asked = set()
    for number in range(40):
        play = Play(CLOCK, Rng(seed(number), 0))
        play.state = copied(state)
        GAME.resample(play, A)
        dealt = play.state.steps[-1].asked
        asked.add(dealt[B] or dealt[C])
    assert asked == ({False} if longer else {False, True})
