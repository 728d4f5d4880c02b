"""Kaboom: numbered worked examples of its rules, then its edge cases, options and secrets."""

import re
from dataclasses import fields

import pytest

from kaboom.engine.bots.bot import Level
from kaboom.engine.codec import copied, to_json
from kaboom.engine.engine import clocks, find, prompt, random_move, start, step, waiting_for
from kaboom.engine.log_replay import replay
from kaboom.engine.moves import CLOCK, IllegalMove, Move, NotOnOffer, Refusal, StaleMove
from kaboom.engine.play import Event, Play
from kaboom.engine.rng import Rng
from kaboom.engine.texts import Names
from kaboom.engine.toolkit.cards import pack, rank_of
from kaboom.engine.toolkit.playthrough import NAMES, random_match, random_turn
from kaboom.engine.views import EMPTY, OPEN, Saying
from kaboom.games.kaboom import GAME
from kaboom.games.kaboom.bot import BOT, Mind
from kaboom.games.kaboom.cards import ability_of, points
from kaboom.games.kaboom.memory import Memory, notice
from kaboom.games.kaboom.options import Options
from kaboom.games.kaboom.places import card_at
from kaboom.games.kaboom.rules import held_card
from kaboom.games.kaboom.scoring import round_scores
from kaboom.games.kaboom.state import (
    PLACES,
    Ability,
    AfterAbility,
    Discard,
    Drawn,
    FirstMove,
    Give,
    LastFlips,
    Peeking,
    ReplaceDrawn,
    ReplaceTaken,
    RoundOver,
    State,
)
from kaboom.games.kaboom.words import place_name, slot_name
from tests.games.positions import seed
from tests.support.effort import often

A, B, C = 0, 1, 2
RANDOM_MATCHES = often(8, soak=600)
NUMBER = 100  # sequence number of the top discard


def place(name):
    """Return the place that the examples call "B3"."""
    return f"{'ABCDEF'.index(name[0])}.{name[1:]}"


def position(
    top="4H", by=None, under=(), step=None, seats=3, empty=(), only=None, stock=None, **more
):
    """Return a state with cards named like A0="KS" and the other places filled.

    `only` maps a seat to its whole grid. `stock` is the whole stock, next card first; without it,
    all remaining cards with `next` on top.
    """
    cards = {place(name): card for name, card in more.items() if name[0] in "ABCDEF" and card}
    settings = {name: value for name, value in more.items() if name[0].islower()}
    options = Options(
        **{f.name: settings.pop(f.name) for f in fields(Options) if f.name in settings}
    )
    first = settings.pop("next", None)
    step = step or FirstMove()
    step.number = step.number or 7
    held = getattr(step, "card", None)
    used = {top, first, held, *under, *cards.values(), *(stock or ())}
    used |= {card for grid in (only or {}).values() for card in grid}
    rest = [card for card in pack(options.jokers) if card not in used]
    grids = []
    for seat in range(seats):
        if only and seat in only:
            grids.append([*only[seat], *[None] * (6 - len(only[seat]))])
            continue
        own = PLACES[seat][:6]
        grids.append([None if p in map(place, empty) else cards.get(p) or rest.pop() for p in own])
    pile = [Discard(card, NUMBER - 1 - n) for n, card in enumerate(reversed(under))][::-1]
    if top:
        pile.append(Discard(top, NUMBER, by))
    left = [*rest, *([first] if first else [])] if stock is None else [*reversed(stock)]
    state = State(
        options,
        [0] * seats,
        [{} for _ in range(seats + 1)],
        grids,
        left,
        pile,
        [step],
        round=1,
        decisions=max(8, step.number),
        discarded=NUMBER,
    )
    for name, value in settings.items():
        assert name in State.__struct_fields__, name
        setattr(state, name, value)
    return state


def do(state, *moves, rng=None):
    """Return the state and the events after some moves."""
    events = []
    for n, text in enumerate(moves, start=1):
        done = step(GAME, state, Move.parse(text), rng or Rng(seed(1), n))
        state = done.state
        events += done.events
    return state, events


def after(state, *moves):
    return do(state, *moves)[0]


def refused(state, text, kind=Refusal):
    with pytest.raises(kind) as refusal:
        find(GAME, state, Move.parse(text))
    return refusal.value


def verbs(state, seat):
    return [offer.verb for offer in prompt(GAME, state, seat).offers]


def stage(state):
    return GAME.view(state, None).facts["stage"]


def top(state):
    return state.discards[-1].card


def faces(state, viewer):
    """Return the faces that a viewer sees in all grids, by place."""
    grids = GAME.view(state, viewer).zones_named("grid")
    cards = [(p, c) for g in grids for p, c in zip(g.places, g.cards, strict=True)]
    return {p: c for p, c in cards if c not in ("?", EMPTY)}


def all_cards(state):
    held = held_card(state)
    return sorted(
        state.stock
        + [discard.card for discard in state.discards]
        + ([held] if held else [])
        + [card for grid in state.grids for card in grid if card]
    )


def peeking(seats=3):
    return start(GAME, seats, Options(), seed(5)).state


# The worked examples


def test_01_only_the_peeking_player_sees_their_bottom_row():
    state, events = do(peeking(), "0 peek")
    assert sorted(faces(state, A)) == ["0.3", "0.4", "0.5"]
    assert faces(state, B) == faces(state, C) == faces(state, None) == {}
    assert [(event.kind, event.to) for event in events] == [("peeked", None), ("peek_shows", A)]
    assert events[0].facts == {"seat": A}


def test_02_flips_are_refused_before_play_begins():
    state = after(peeking(), "0 ready", "1 ready")
    refused(state, "1 flip 1.0", NotOnOffer)
    assert waiting_for(GAME, state) == [C]


def test_03_last_ready_turns_a_card_up_and_first_player_begins():
    state = after(peeking(), "0 ready", "1 ready")
    next_card = state.stock[-1]
    state = after(state, "2 ready")
    assert top(state) == next_card
    assert stage(state) == "first_move"
    assert GAME.view(state, None).facts["turn"] == A
    assert verbs(state, A) == ["kaboom", "take", "draw", "flip"]


def test_04_a_taken_card_replaces_one_of_the_players_cards():
    state = after(position(top="4H", A0="KS"), "0 take", "0 replace 0.0")
    assert (state.grids[A][0], top(state), state.turn) == ("4H", "KS", B)
    assert stage(state) == "first_move"


def test_05_a_five_has_no_ability():
    state = after(position(next="5D"), "0 draw")
    assert verbs(state, A) == ["keep", "replace", "discard"]


def test_06_a_seven_looks_at_one_of_the_players_cards():
    state = after(position(next="7C", A2="6D"), "0 draw", "0 use", "0 look 0.2")
    assert faces(state, A) == {"0.2": "6D"}
    assert faces(state, B) == {}
    state = after(state, "0 discard")
    assert (top(state), state.turn) == ("7C", B)


def test_07_a_seven_does_not_look_at_another_players_card():
    state = after(position(next="7C"), "0 draw", "0 use")
    refused(state, "0 look 1.2", IllegalMove)
    assert prompt(GAME, state, A).offer("look").options == PLACES[A][:6]


def test_08_a_nine_looks_at_others_cards_only():
    state = after(position(next="9S"), "0 draw", "0 use")
    refused(state, "0 look 0.0", IllegalMove)
    for legal in ("0 look 1.0", "0 look 2.0"):
        assert find(GAME, state, Move.parse(legal))


def test_09_a_queen_swaps_two_cards_of_others_unseen():
    state = position(next="QH", B1="2S", C4="3S")
    state, events = do(state, "0 draw", "0 use", "0 swap 1.1", "0 swap 2.4")
    assert (state.grids[B][1], state.grids[C][4]) == ("3S", "2S")
    assert all(faces(state, viewer) == {} for viewer in (A, B, C, None))
    assert events[-1] == Event("swapped", {"seat": A, "first": "1.1", "second": "2.4"})


def test_10_a_queen_does_not_swap_two_cards_of_one_player():
    state = after(position(next="QH"), "0 draw", "0 use", "0 swap 1.1")
    assert refused(state, "0 swap 1.4", IllegalMove).rule == "abilities"


def test_11_a_black_king_looks_at_any_two_cards():
    state = after(position(next="KC", A0="5S", B2="6S"), "0 draw", "0 use", "0 look 0.0")
    assert stage(state) == "ability"
    state = after(state, "0 look 1.2")
    assert faces(state, A) == {"0.0": "5S", "1.2": "6S"}
    state = after(state, "0 keep")
    assert faces(state, A) == {}
    state = after(state, "0 replace 0.0")
    assert (top(state), state.grids[A][0]) == ("5S", "KC")


def test_12_a_red_king_has_no_ability():
    assert verbs(after(position(next="KH"), "0 draw"), A) == ["keep", "replace", "discard"]


def example_13():
    state = position(top="8S", step=Drawn(card="5D"), B3="8H", B4="8C", C0="8D")
    return after(state, "1 flip 1.3")


def test_13_flipping_ones_own_card_does_not_change_the_turn():
    state = example_13()
    assert state.discards[-1] == Discard("8H", NUMBER + 1, flipped_by=B)
    assert state.grids[B][3] is None
    assert stage(state) == "drawn"


def test_right_flip_is_told_to_its_player_until_the_next_move():
    """Only a small sign stays in the gap."""
    state = after(position(top="3S", A0="3D", next="2H"), "0 flip 0.0")
    told = [GAME.result(GAME.view(state, viewer)) for viewer in (A, B, None)]
    assert told == [Saying("result.matched", {"card": "3D"}), None, None]
    assert GAME.result(GAME.view(after(state, "0 draw"), A)) is None
    others = after(position(top="3S", B0="3D"), "0 flip 1.0")
    assert GAME.result(GAME.view(others, A)).kind == "result.matched"


def test_14_one_player_can_flip_several_in_a_row():
    state = after(example_13(), "1 flip 1.4")
    assert state.discards[-1] == Discard("8C", NUMBER + 2, flipped_by=B)


def test_15_flipped_card_cannot_be_flipped_onto_by_another():
    refused(example_13(), "2 flip 2.0", NotOnOffer)


def test_16_wrong_flip_is_shown_to_all_and_costs_a_card():
    state = position(top="8S", B0="7H", next="6C")
    state, events = do(state, "1 flip 1.0")
    assert all(faces(state, viewer) == {"1.0": "7H"} for viewer in (A, B, C, None))
    assert (state.grids[B][0], state.grids[B][6], top(state)) == ("7H", "6C", "8S")
    assert events[0].facts == {"seat": B, "place": "1.0", "card": "7H", "onto": "8S"}
    assert events[1] == Event("penalty", {"seat": B, "places": ["1.6"], "count": 1})


def test_17_without_penalty_the_card_is_just_put_back():
    state = position(top="8S", B0="7H", flip_penalty=0)
    state, events = do(state, "1 flip 1.0")
    assert (state.grids[B][0], len(state.grids[B]), len(events)) == ("7H", 6, 1)


def test_18_flipping_anothers_card_allows_giving_one():
    state = after(position(top="8S", A1="8D", B5="TD"), "1 flip 0.1")
    assert stage(state) == "give"
    state = after(state, "1 give 1.5")
    assert state.discards[-1] == Discard("8D", NUMBER + 1, flipped_by=B)
    assert (state.grids[A][1], state.grids[B][5]) == ("TD", None)
    assert all(faces(state, viewer) == {} for viewer in (A, B, C, None))
    assert (stage(state), state.turn) == ("first_move", A)


def test_19_giving_a_card_is_optional():
    state = after(position(top="8S", A1="8D"), "1 flip 0.1", "1 no_give")
    assert state.grids[A][1] is None
    assert stage(state) == "first_move"


def test_20_active_player_flips_only_before_the_first_move():
    refused(position(top="8S", step=Drawn(card="5D"), A3="8H"), "0 flip 0.3", NotOnOffer)


def test_21_a_flip_before_the_first_move_leaves_the_first_move():
    state = after(position(top="8S", A3="8H"), "0 flip 0.3")
    assert stage(state) == "first_move"
    take = prompt(GAME, state, A).offer("take")
    assert GAME.words.offer("take", Names(NAMES[:3], A), take.about) == "Take the 8 of Hearts"


def test_22_a_flip_aimed_at_an_older_card_is_too_late():
    state = position(top="8S", B0="8H", step=Drawn(card="2C"))
    aimed = prompt(GAME, state, B).offer("flip").token
    state = after(state, "0 discard")
    with pytest.raises(StaleMove):
        find(GAME, state, Move.parse("1 flip 1.0"), aimed)
    assert prompt(GAME, state, B).offer("flip").about == f"{NUMBER + 1}.2C"


def test_23_kaboom_gives_everyone_else_one_more_turn():
    state = after(position(turn=B), "1 kaboom")
    for seat in (C, A):
        assert state.turn == seat
        assert "kaboom" not in verbs(state, seat)
        state = after(state, f"{seat} draw", f"{seat} discard")
    assert stage(state) == "round_over"


@pytest.mark.parametrize(
    ("example", "sums", "expected"),
    [
        (24, [9, 5, 7], [9, 0, 7]),
        (25, [8, 8], [8, 0]),
        (26, [4, 12], [4, 22]),
        (28, [3, -1], [3, 0]),
    ],
)
def test_24_to_28_declarer_scores_0_or_10_extra_points(example, sums, expected):
    assert round_scores(sums, B, keep_negative=False) == expected


def test_27_cards_have_their_values():
    cards = ["RJ", "KH", "KS", "7D", "AC", "TS"]
    assert [points(card) for card in cards] == [0, -1, 10, 7, 1, 10]
    assert sum(map(points, cards)) == 27


def test_28_a_red_king_and_a_joker_beat_a_three():
    only = {A: ["3C"], B: ["KH", "RJ"]}
    state = position(seats=2, only=only, declared_by=B, next="5D", step=Drawn(card="9C"))
    state = after(state, "0 discard")
    assert (state.sums, state.scores) == ([3, -1], [3, 0])


def test_29_all_discards_but_the_top_become_the_new_stock():
    state = position(top="KS", by=C, under=["3C", "9D"], stock=[])
    state = after(state, "0 draw")
    assert {held_card(state), *state.stock} == {"3C", "9D"}
    assert state.discards == [Discard("KS", NUMBER, C)]
    assert GAME.view(state, A).zone("drawn", A).cards == (held_card(state),)
    assert GAME.view(state, B).zone("drawn", A).cards == ("?",)


def test_30_taken_card_returns_if_nothing_is_left_to_replace():
    state = position(top="8S", step=ReplaceTaken(card="4H"), only={A: [None, "8D"]})
    state = after(state, "1 flip 0.1", "1 no_give")
    assert top(state) == "4H"
    assert (stage(state), state.turn) == ("first_move", B)


# Setup and turns, beyond the examples


def test_only_drawn_cards_have_abilities_by_their_rank():
    kinds = {"7": "own", "8": "own", "9": "other", "T": "other", "J": "swap", "Q": "swap"}
    for card in pack():
        black_king = card in ("KS", "KC")
        expected = "any" if black_king else None if card in ("BJ", "RJ") else kinds.get(card[0])
        assert ability_of(card) == expected, card


@pytest.mark.parametrize("seats", range(2, 7))
def test_each_player_gets_six_cards_of_one_pack(seats):
    state = start(GAME, seats, Options(max_players=6), seed(1)).state
    assert [len(grid) for grid in state.grids] == [6] * seats
    assert len(state.stock) == 54 - 6 * seats
    assert all_cards(state) == sorted(pack())
    assert state.discards == []


def test_peeking_can_be_repeated_until_ready_and_ends_with_it():
    state = after(peeking(), "0 peek", "0 peek")
    assert len(faces(state, A)) == 3
    state = after(state, "0 ready")
    assert faces(state, A) == {}
    refused(state, "0 peek", NotOnOffer)
    refused(state, "0 ready", NotOnOffer)


def test_kaboom_can_be_called_in_the_very_first_turn():
    assert "kaboom" in verbs(after(peeking(), "0 ready", "1 ready", "2 ready"), A)


def test_a_taken_card_has_no_ability():
    state = after(position(top="7H"), "0 take")
    assert verbs(state, A) == ["replace"]
    assert GAME.view(state, C).zone("drawn", A).cards == ("7H",)


@pytest.mark.parametrize("used", [(), ("0 use", "0 look 0.2")], ids=["unused", "used"])
def test_replacing_in_one_move_equals_draw_then_replace(used):
    drawn = after(position(next="7C", A1="9C", A2="6D"), "0 draw", *used)
    at_once, in_two = after(drawn, "0 replace 0.1"), after(drawn, "0 keep", "0 replace 0.1")
    assert (at_once.grids[A][1], top(at_once), at_once.turn) == ("7C", "9C", B)
    assert faces(at_once, A) == {}
    assert GAME.view(at_once, OPEN) == GAME.view(in_two, OPEN)
    refused(drawn, "0 replace 1.1", IllegalMove)


def test_drawn_card_of_a_cardless_player_is_named_to_them_only():
    state = position(only={A: []}, step=Drawn(card="5D"))
    said = GAME.view(state, A).saying
    assert (said.kind, said.facts["card"]) == ("drawn_alone", "5D")
    assert "card" not in GAME.view(state, B).saying.facts


def test_kept_card_is_known_to_its_drawer_only():
    state, events = do(position(next="5D", A1="9C"), "0 draw", "0 keep", "0 replace 0.1")
    assert (state.grids[A][1], top(state)) == ("5D", "9C")
    assert not [e for e in events if e.to is None and "5D" in to_json(e.facts).decode()]


def test_swap_can_be_skipped_after_the_first_card():
    state = position(next="JC", B1="2S")
    state = after(state, "0 draw", "0 use", "0 swap 1.1", "0 skip")
    assert (stage(state), state.grids[B][1]) == ("after_ability", "2S")
    assert verbs(state, A) == ["keep", "replace", "discard"]


def test_seen_card_stays_in_view_if_the_second_look_is_skipped():
    state = after(position(next="KS", B2="6S"), "0 draw", "0 use", "0 look 1.2", "0 skip")
    assert stage(state) == "after_ability"
    assert faces(state, A) == {"1.2": "6S"}
    assert faces(after(state, "0 discard"), A) == {}


def test_a_black_king_does_not_look_at_one_card_twice():
    state = after(position(next="KS"), "0 draw", "0 use", "0 look 1.2")
    refused(state, "0 look 1.2", IllegalMove)


def test_black_king_looks_once_if_one_card_is_on_the_table():
    state = position(step=Drawn(card="KS"), only={A: ["5C"], B: [], C: []})
    state = after(state, "0 use", "0 look 0.0")
    assert stage(state) == "after_ability"


@pytest.mark.parametrize(
    ("card", "only"),
    [
        ("7C", {A: []}),
        ("9C", {B: [], C: []}),
        ("JC", {B: [], C: []}),
        ("KC", {A: [], B: [], C: []}),
    ],
)
def test_an_ability_without_a_target_is_not_offered(card, only):
    assert "use" not in verbs(position(step=Drawn(card=card), only=only), A)


@pytest.mark.parametrize("card", ["7C", "9C", "JC", "KC"])
def test_ability_without_targets_can_only_be_skipped(card):
    state = position(step=Ability(card=card), only={A: [], B: [], C: []})
    assert [listener.verb for listener in GAME.listeners(state) if listener.seat == A] == ["skip"]


@pytest.mark.parametrize(
    ("step", "all_kinds"),
    [
        (Drawn(card="7C"), True),
        (ReplaceDrawn(card="7C", used=False), True),
        (ReplaceDrawn(card="7C", used=True), False),
        (Ability(card="7C"), False),
        (AfterAbility(card="7C"), False),
    ],
    ids=lambda value: type(value).__name__,
)
def test_others_learn_a_drawn_cards_ability_only_by_its_use(step, all_kinds):
    """A viewer who does not know the card is dealt any that fits the public information."""
    kinds, cards = set(), set()
    for number in range(60):
        play = Play(B, Rng(seed(3), number))
        play.game, play.state = GAME, position(step=copied(step))
        GAME.resample(play, B)
        cards.add(play.state.steps[0].card)
        kinds.add(ability_of(play.state.steps[0].card))
    assert len(cards) > 4
    assert (kinds == {"own"}) != all_kinds
    assert (None in kinds) == all_kinds


def test_chosen_card_that_is_flipped_away_must_be_chosen_again():
    state = position(top="8S", step=Ability(card="QH", picks=["1.1"]), B1="8D")
    timer = lapse_of(position(top="8S", step=Ability(card="QH"), turn_seconds=30))
    state.options = Options(turn_seconds=30)
    state = after(state, "1 flip 1.1")
    assert stage(state) == "ability"
    assert GAME.view(state, A).facts["picks"] == []
    assert lapse_of(state) == timer, "a flip does not restart the time"
    state = after(state, "0 swap 1.0", "0 swap 2.0")
    assert stage(state) == "after_ability"


def test_chosen_card_that_is_given_away_must_be_chosen_again():
    state = position(top="8S", next="QH", C0="8D")
    state = after(state, "0 draw", "0 use", "0 swap 1.4", "1 flip 2.0")
    old = prompt(GAME, position(step=Ability(card="QH", picks=["1.4"])), A).offer("swap").token
    state = after(state, "1 give 1.4")
    for viewer in (A, B, C, None):
        assert GAME.view(state, viewer).facts["picks"] == []
        assert GAME.view(state, viewer).zone("grid", B).marks["1.4"] == "given away"
    assert "1.4" not in prompt(GAME, state, A).offer("swap").options
    assert prompt(GAME, state, A).offer("swap").token != old
    refused(state, "0 swap 1.4", IllegalMove)
    assert stage(after(state, "0 swap 2.0", "0 swap 1.0")) == "after_ability"


def test_dropped_target_stays_dropped_if_another_is_given():
    state = position(top="8S", step=Ability(card="QH", picks=["2.0"]), C0="8D", B4="TD")
    state = after(state, "1 flip 2.0", "1 give 1.4")
    assert GAME.view(state, A).facts["picks"] == []
    assert stage(after(state, "0 swap 2.0", "0 swap 1.0")) == "after_ability"


@pytest.mark.parametrize(
    "gone", [("1 flip 2.0", "1 no_give"), ("1 flip 2.1", "1 give 1.0"), ("1 flip 1.1",)]
)
def test_black_king_card_that_is_gone_leaves_two_looks(gone):
    """Flipped away by a player, given away by its owner, or flipped away by its owner."""
    looked = {"2.0": "2.0", "2.1": "1.0", "1.1": "1.1"}[gone[0].split()[-1]]
    state = position(top="8S", step=Ability(card="KS"), B1="8C", C0="8D", C1="8H")
    state = after(state, f"0 look {looked}", *gone)
    assert (faces(state, A), GAME.view(state, A).facts["picks"]) == ({}, [])
    state = after(state, "0 look 0.0", "0 look 0.1")
    assert sorted(faces(state, A)) == ["0.0", "0.1"]
    assert stage(state) == "after_ability"


def test_card_gone_after_looking_gives_no_further_look():
    state = position(top="8S", step=Ability(card="KS"), C0="8D")
    state = after(state, "0 look 2.0", "0 look 0.0", "1 flip 2.0", "1 no_give")
    assert verbs(state, A) == ["keep", "replace", "discard"]


# Flipping


@pytest.mark.parametrize(
    ("card", "onto", "matches"),
    [
        ("KH", "KS", True),
        ("RJ", "BJ", True),
        ("JC", "QC", False),
        ("JC", "RJ", False),
        ("TD", "TS", True),
        ("AD", "AS", True),
    ],
)
def test_only_the_rank_counts_for_a_flip(card, onto, matches):
    state = after(position(top=onto, B0=card), "1 flip 1.0")
    assert (top(state) == card) == matches
    assert (rank_of(card) == rank_of(onto)) == matches


def test_any_player_may_try_to_flip_any_players_card():
    state = position(top="8S", empty=["B2"])
    every = [p for seat in (A, B, C) for p in PLACES[seat][:6] if p != "1.2"]
    for seat in (A, B, C):
        flip = prompt(GAME, state, seat).offer("flip")
        assert list(flip.options) == every
        assert (flip.blocks, flip.confirm, flip.about) == (False, True, f"{NUMBER}.8S")
    refused(state, "2 flip 1.2", IllegalMove)


def test_while_a_give_is_open_everything_else_waits():
    state = after(position(top="8S", A1="8D", C0="8C"), "1 flip 0.1")
    assert verbs(state, B) == ["give", "no_give"]
    assert verbs(state, A) == verbs(state, C) == []
    assert waiting_for(GAME, state) == [B]


def test_player_without_cards_flips_others_without_giving():
    state = after(position(top="8S", A1="8D", only={B: []}), "1 flip 0.1")
    assert stage(state) == "first_move"
    assert state.grids[A][1] is None


def test_drawn_card_that_can_replace_nothing_is_discarded():
    state = position(top="8S", step=ReplaceDrawn(card="4H", used=False), only={A: ["8D"]})
    state = after(state, "1 flip 0.0", "1 no_give")
    assert (top(state), state.turn) == ("4H", B)


def test_a_given_card_can_be_replaced_instead():
    state = position(top="8S", step=ReplaceTaken(card="4H"), only={A: ["8D"]}, B2="TD")
    state = after(state, "1 flip 0.0", "1 give 1.2", "0 replace 0.0")
    assert (state.grids[A][0], top(state)) == ("4H", "TD")


def test_card_flipped_out_of_a_choice_is_refused():
    state = position(top="8S", step=ReplaceTaken(card="4H"), A0="8D")
    state = after(state, "1 flip 0.0", "1 no_give")
    refused(state, "0 replace 0.0", IllegalMove)
    assert top(after(state, "0 replace 0.1")) != "8D"


def test_press_made_before_a_give_is_stale_after_it():
    state = position(top="8S", A1="8D")
    old = prompt(GAME, state, A).offer("draw").token
    state = after(state, "1 flip 0.1", "1 no_give")
    with pytest.raises(StaleMove):
        find(GAME, state, Move.parse("0 draw"), old)


def test_another_players_own_flip_keeps_a_decision_current():
    state = position(top="8S", step=Drawn(card="5D"), B3="8H")
    old = prompt(GAME, state, A).offer("discard").token
    assert find(GAME, after(state, "1 flip 1.3"), Move.parse("0 discard"), old)


def test_a_wrong_flip_is_seen_until_the_viewers_next_decision():
    state = after(position(top="8S", B0="7H", next="5D"), "1 flip 1.0")
    state = after(state, "0 draw")
    assert faces(state, A) == {}
    assert faces(state, None) == {}, "spectators: until the next move"
    assert faces(state, B) == faces(state, C) == {"1.0": "7H"}
    assert GAME.view(state, C).facts["shown"] == [{"place": "1.0", "card": "7H"}]


def test_a_shown_card_that_moves_is_no_longer_shown():
    state = after(position(top="8S", B0="7H"), "1 flip 1.0", "0 take", "0 replace 0.0")
    state = after(state, "1 take", "1 replace 1.0")
    assert faces(state, C) == {}


# Scores, rounds, the match


def last_turn(seats=2, **more):
    """Return a position in which A's discard ends the round that B declared."""
    return position(seats=seats, step=Drawn(card="9C"), declared_by=B, **more)


def test_all_cards_are_up_after_the_round_with_penalty_cards():
    state = last_turn()
    state.grids[A].append(state.stock.pop())
    state = after(state, "0 discard")
    for viewer in (A, B, None):
        assert list(faces(state, viewer)) == [*PLACES[A][:7], *PLACES[B][:6]]
    facts = GAME.view(state, None).facts
    assert facts["sums"] == [sum(map(points, grid)) for grid in state.grids]
    assert facts["totals"] == facts["scores"]


def test_empty_grid_scores_zero():
    state = after(last_turn(only={A: [], B: ["5C"]}), "0 discard")
    assert state.sums == [0, 5]
    assert state.scores == [0, 15]


def test_each_round_begins_one_seat_further_on():
    state = after(last_turn(rounds=3), "0 discard", "0 ready", "1 ready")
    assert (state.round, state.turn, stage(state)) == (2, B, "peek")
    assert state.totals == state.scores
    state = after(state, "0 ready", "1 ready")
    assert "kaboom" in verbs(state, B)


def test_a_match_has_as_many_rounds_as_players():
    state = after(last_turn(round=1), "0 discard")
    assert GAME.outcome(state) is None
    state = after(last_turn(round=2), "0 discard")
    assert GAME.outcome(state).reason == "won"
    assert verbs(state, A) == verbs(state, B) == []


def test_the_lowest_total_wins_and_tied_players_share_the_win():
    only = {A: ["3C"], B: ["2C"]}
    state = after(last_turn(round=2, totals=[10, 30], only=only), "0 discard")
    outcome = GAME.outcome(state)
    assert (outcome.scores, outcome.places, outcome.winners) == ((13, 30), (1, 2), (A,))
    state = after(last_turn(round=2, totals=[10, 13], only=only), "0 discard")
    assert GAME.outcome(state).winners == (A, B)


def test_match_ended_early_ranks_by_fewest_points():
    assert GAME.so_far(last_turn(round=1, totals=[30, 10])) == (2, 1)


# Options


def test_rounds_can_be_chosen():
    assert GAME.outcome(after(last_turn(round=1, rounds=1), "0 discard"))
    assert GAME.outcome(after(last_turn(round=2, rounds=3), "0 discard")) is None


def test_a_target_ends_the_match_after_the_round_that_reaches_it():
    only = {A: ["3C"], B: ["2C"]}
    short = last_turn(round=2, target=50, totals=[46, 0], only=only)
    assert GAME.outcome(after(short, "0 discard")) is None
    reached = last_turn(round=1, target=50, totals=[47, 0], only=only)
    assert GAME.outcome(after(reached, "0 discard")).winners == (B,)


def test_a_penalty_of_two_deals_two_cards():
    state = after(position(top="8S", B0="7H", flip_penalty=2), "1 flip 1.0")
    assert len(state.grids[B]) == 8


def test_without_jokers_there_are_52_cards():
    state = start(GAME, 2, Options(jokers=False), seed(1)).state
    assert all_cards(state) == sorted(pack(jokers=False))


def test_a_negative_round_score_is_kept_by_an_option():
    assert round_scores([3, -1], B, keep_negative=True) == [3, -1]
    assert round_scores([3, 2], B, keep_negative=True) == [3, 0]
    state = last_turn(only={A: ["3C"], B: ["KH"]}, keep_negative=True)
    assert after(state, "0 discard").scores == [3, -1]


@pytest.mark.parametrize(("card", "verb"), [("9C", "look"), ("QH", "swap"), ("KC", "look")])
def test_a_locked_declarers_cards_cannot_be_touched(card, verb):
    state = position(declared_by=B, lock_declarer=True, step=Drawn(card=card))
    state = after(state, "0 use")
    options = prompt(GAME, state, A).offer(verb).options
    assert options and not [p for p in options if p.startswith("1.")]
    for seat in (B, C):
        flip = prompt(GAME, state, seat).offer("flip")
        assert not [p for p in flip.options if p.startswith("1.")]


def test_unlocked_declarer_can_flip_and_be_flipped():
    state = position(top="8S", declared_by=B, B1="8D", B2="8H")
    assert after(state, "2 flip 1.1", "2 no_give").grids[B][1] is None
    assert after(state, "1 flip 1.2").grids[B][2] is None


def test_a_locked_opponent_leaves_a_nine_without_a_target():
    state = position(seats=2, declared_by=B, lock_declarer=True, step=Drawn(card="9C"))
    assert verbs(state, A) == ["keep", "replace", "discard"]


def test_last_flips_keep_flips_open_after_the_last_turn():
    state = after(last_turn(last_flips=5, A0="9D", B0="9S"), "0 discard")
    assert stage(state) == "last_flips"
    assert GAME.view(state, None).facts["turn"] is None
    assert [(clock.after, clock.held) for clock in clocks(GAME, state)] == [(5.0, False)]
    assert verbs(state, A) == verbs(state, B) == ["flip"]
    state = after(state, "0 flip 1.0")
    assert [(c.after, c.held) for c in clocks(GAME, state)] == [(5.0, True), (15.0, False)]
    state = after(state, "0 no_give")
    state = after(state, str(clocks(GAME, state)[0].clock_move))
    assert stage(state) == "round_over"
    assert state.sums[B] == sum(map(points, state.grids[B][1:]))


@pytest.mark.parametrize(("most", "sizes"), [(4, [2, 3, 4]), (6, [2, 3, 4, 5, 6])])
def test_player_limit_sets_the_seat_counts(most, sizes):
    assert list(GAME.seats(Options(max_players=most))) == sizes


# Timers


def lapse_of(state):
    """Return the timed clock moves as text with their seconds."""
    return [(str(c.clock_move), c.after, c.held) for c in clocks(GAME, state)]


def lapsed(state):
    return after(state, str(clocks(GAME, state)[0].clock_move))


def test_nothing_is_timed_by_default():
    assert clocks(GAME, peeking()) == []
    assert clocks(GAME, position()) == []
    assert clocks(GAME, position(step=RoundOver())) == []


def test_peek_timeout_makes_every_player_ready():
    state = start(GAME, 3, Options(peek_seconds=20), seed(1)).state
    state = after(state, "0 peek", "1 ready")
    state = lapsed(state)
    assert stage(state) == "first_move"
    assert faces(state, A) == {}


@pytest.mark.parametrize(
    ("step_of_turn", "next_stage", "turn"),
    [
        (FirstMove(), "drawn", A),
        (Drawn(card="7C"), "first_move", B),
        (Ability(card="7C"), "after_ability", A),
        (AfterAbility(card="7C"), "first_move", B),
        (ReplaceTaken(card="7C"), "first_move", B),
        (ReplaceDrawn(card="7C", used=True), "first_move", B),
    ],
)
def test_timeout_makes_the_default_move(step_of_turn, next_stage, turn):
    state = position(step=step_of_turn, turn_seconds=30)
    assert [seconds for _, seconds, _ in lapse_of(state)] == [30.0]
    state = lapsed(state)
    assert (stage(state), state.turn) == (next_stage, turn)
    if isinstance(step_of_turn, (Drawn, AfterAbility)):
        assert top(state) == "7C"
    if isinstance(step_of_turn, (ReplaceTaken, ReplaceDrawn)):
        assert "7C" in state.grids[A]


@pytest.mark.parametrize("only", [None, {A: []}], ids=["could take", "has no card"])
@pytest.mark.parametrize("is_gone", [False, True], ids=["out of time", "gone"])
def test_seat_without_a_decision_is_skipped_if_stock_is_empty(only, is_gone):
    """No card is taken and kaboom is not called on a player's behalf."""
    state = position(stock=[], only=only, turn_seconds=30)
    state = after(state, "-1 leave 0") if is_gone else state
    state, events = do(state, str(clocks(GAME, state)[0].clock_move))
    out_of_time = [] if is_gone else ["lapsed"]
    assert [event.kind for event in events] == [*out_of_time, "not_drawn"]
    assert (state.turn, stage(state), state.declared_by) == (B, "first_move", None)
    assert top(state) == "4H"


def test_absent_players_last_turn_is_skipped_and_round_ends():
    before = after(position(stock=[], declared_by=B), "-1 leave 0")
    state = due(before)
    assert stage(state) == "round_over"
    assert (state.grids, top(state)) == (before.grids, top(before))


def test_each_decision_has_its_own_time_despite_a_flip():
    state = position(top="8S", A1="8D", B0="8C", turn_seconds=30)
    (first,) = lapse_of(state)
    state = after(state, "1 flip 1.0")
    assert lapse_of(state) == [first]
    state = after(state, "1 flip 0.1")
    text, seconds, _ = first
    held, give = lapse_of(state)
    assert held == (text, seconds, True)
    assert give[1:] == (15.0, False) and give[0] != text
    state = after(state, give[0])
    assert state.grids[A][1] is None, "nothing was given"
    assert lapse_of(state) == [first]
    assert lapse_of(after(state, "0 draw"))[0][0] != text


def test_a_give_without_a_limit_waits():
    state = after(position(top="8S", A1="8D", give_seconds=0), "1 flip 0.1")
    assert clocks(GAME, state) == []


def test_clock_plays_on_when_every_player_is_idle():
    options = Options(peek_seconds=5, turn_seconds=5)
    state = start(GAME, 3, options, seed(2)).state
    for n in range(300):
        (clock,) = clocks(GAME, state)
        state = step(GAME, state, clock.clock_move, Rng(seed(2), n)).state
        assert all_cards(state) == sorted(pack())
    assert state.declared_by is None
    while state.turn != A or stage(state) != "first_move":
        state = lapsed(state)
    state = after(state, "0 kaboom")
    while stage(state) != "round_over":
        state = lapsed(state)


# Edge cases


def test_reshuffle_clears_flip_marks_except_on_tops():
    state = position(top="KS", by=C, under=["3C", "9D"], stock=[])
    state.discards[0].flipped_by = B
    state = after(state, "0 draw", "0 discard")
    assert [d.flipped_by for d in state.discards] == [C, None]


def test_a_penalty_is_skipped_or_reduced_when_no_card_is_left():
    state = position(top="8S", B0="7H", stock=[], flip_penalty=2)
    assert len(after(state, "1 flip 1.0").grids[B]) == 6
    state = position(top="8S", B0="7H", stock=["2C"], flip_penalty=2)
    assert len(after(state, "1 flip 1.0").grids[B]) == 7


def test_draw_is_not_offered_when_nothing_can_be_drawn():
    assert verbs(position(stock=[]), A) == ["kaboom", "take", "flip"]


def test_turn_without_possible_moves_is_passed():
    """A has no card, kaboom is declared, and only the top discard is left."""
    state = position(stock=[], declared_by=B, turn=C, only={A: []}, step=ReplaceTaken(card="5D"))
    state.discards = []
    state, events = do(state, "2 replace 2.0")
    assert "passed" in [event.kind for event in events]
    assert stage(state) == "round_over"


def test_a_wrong_flip_that_takes_the_last_card_can_end_a_turn():
    state = position(top="8S", stock=["2D"], declared_by=B, only={A: []}, B0="7H")
    assert verbs(state, A) == ["draw", "flip"]
    state, events = do(state, "1 flip 1.0")
    assert "passed" in [event.kind for event in events]
    assert stage(state) == "round_over"


def test_a_player_without_cards_stays_in():
    state = position(only={A: []}, step=FirstMove())
    assert verbs(state, A) == ["kaboom", "draw", "flip"]
    state = after(state, "0 draw")
    assert "keep" not in verbs(state, A) and "discard" in verbs(state, A)


def test_second_of_two_flips_is_rejected_without_penalty():
    state = position(top="8S", B0="8H", C0="8D")
    state = after(state, "1 flip 1.0")
    refused(state, "2 flip 2.0", NotOnOffer)


def test_first_upturned_card_can_be_flipped_onto_by_anyone():
    state = after(peeking(), "0 ready", "1 ready", "2 ready")
    assert all("flip" in verbs(state, seat) for seat in (A, B, C))


def test_a_card_uncovered_by_taking_keeps_its_own_flip_mark():
    state = position(top="2C", under=["8S"], B0="8H", C0="8D")
    state.discards[0].flipped_by = C
    state = after(state, "0 take")
    refused(state, "1 flip 1.0", NotOnOffer)
    refused(state, "0 flip 0.0", NotOnOffer)
    assert after(state, "2 flip 2.0").grids[C][0] is None


def test_nothing_can_be_flipped_onto_an_empty_pile():
    state = after(position(top="4H"), "0 take")
    assert all("flip" not in verbs(state, seat) for seat in (A, B, C))


def test_flip_lets_only_the_flipper_flip_until_the_next_turn():
    state = example_13()
    assert ["flip" in verbs(state, seat) for seat in (A, B, C)] == [False, True, False]
    state = after(state, "0 discard")
    assert ["flip" in verbs(state, seat) for seat in (A, B, C)] == [True, True, True]


@pytest.mark.parametrize(
    "move",
    [
        "1 draw",
        "1 take",
        "0 keep",
        "0 discard",
        "0 replace 0.0",
        "0 flip 3.0",
        "0 flip 0.6",
        "0 flip",
        "0 give 0.0",
        "0 ready",
        "0 peek",
        "3 draw",
        "0 draw 0.0",
        "-1 lapse 7",
        "-1 leave 3",
        "-1 return 0",
    ],
)
def test_move_not_on_offer_is_refused(move):
    refused(position(), move)


# Leaving


def due(state):
    """Return the state after all immediate moves of the clock."""
    while now := [c for c in clocks(GAME, state) if c.after == 0 and not c.held]:
        state = after(state, str(now[0].clock_move))
    return state


def test_an_absent_player_is_ready_at_once():
    state = after(peeking(), "0 ready", "1 ready", "-1 leave 2")
    assert stage(state) == "first_move"
    state = after(peeking(), "-1 leave 2", "0 ready", "1 ready")
    assert stage(state) == "first_move"


def test_an_absent_player_draws_and_discards_and_never_flips():
    state = after(position(next="KC"), "-1 leave 0")
    assert verbs(state, A) == []
    assert waiting_for(GAME, state) == []
    state = due(state)
    assert (top(state), state.turn) == ("KC", B)
    assert "0.0" in prompt(GAME, state, B).offer("flip").options


@pytest.mark.parametrize(
    "step_of_turn", [Drawn(card="9C"), Ability(card="9C"), ReplaceDrawn(card="9C", used=True)]
)
def test_leaving_mid_turn_ends_the_turn(step_of_turn):
    state = due(after(position(step=step_of_turn, turn_seconds=60), "-1 leave 0"))
    assert (state.turn, stage(state)) == (B, "first_move")


def test_a_leaving_flipper_gives_nothing():
    state = after(position(top="8S", A1="8D"), "1 flip 0.1", "-1 leave 1")
    assert stage(state) == "first_move"
    assert state.grids[A][1] is None


def test_a_give_holds_the_turn_of_an_absent_player():
    state = after(position(top="8S", A1="8D"), "1 flip 0.1", "-1 leave 0")
    assert [c.held for c in clocks(GAME, state)] == [True, False]
    assert due(state) == state
    assert due(after(state, "1 no_give")).turn == B


def test_with_fewer_than_two_present_the_match_is_abandoned():
    state = after(position(totals=[3, 4, 5]), "-1 leave 0")
    assert GAME.outcome(state) is None
    state = after(state, "-1 leave 2")
    assert GAME.outcome(state).reason == "abandoned"
    assert GAME.outcome(state).winners == ()
    assert list(GAME.listeners(state)) == []
    assert faces(state, B) == {}


def test_returning_player_gets_the_full_time():
    state = position(step=Drawn(card="5D"), turn_seconds=60)
    before = lapse_of(state)
    state = after(state, "-1 leave 0")
    assert lapse_of(state)[0][1] == 0.0 and lapse_of(state)[0][0] != before[0][0]
    state = after(state, "-1 return 0")
    assert verbs(state, A) == ["keep", "replace", "discard"]
    assert lapse_of(state)[0][1] == 60.0 and lapse_of(state)[0][0] != before[0][0]


def test_returning_player_gives_the_active_one_no_more_time():
    state = position(step=Drawn(card="5D"), turn_seconds=60)
    assert lapse_of(after(state, "-1 leave 1", "-1 return 1")) == lapse_of(state)


def test_returning_player_may_peek_while_others_do():
    state = after(peeking(), "-1 leave 1", "-1 return 1")
    assert verbs(state, B) == ["peek", "ready"]


def test_leaving_between_rounds_continues_once_others_are_ready():
    state = after(position(step=RoundOver(), round=1), "0 ready", "1 ready", "-1 leave 2")
    assert (state.round, stage(state)) == (2, "peek")


# Hidden information


def redealt(state, viewer, number):
    play = Play(CLOCK, Rng(seed(number), number, "resample"))
    play.state = copied(state)
    GAME.resample(play, viewer)
    return play.state


def page(state, viewer, seats):
    """Return everything that a viewer can read or hear, in words."""
    names = Names(NAMES[:seats], viewer)
    view = GAME.view(state, viewer)
    lines = [GAME.words.say(view.saying.kind, view.saying.facts, names), to_json(view).decode()]
    if viewer is not None:
        for offer in prompt(GAME, state, viewer).offers:
            lines.append(GAME.words.offer(offer.verb, names, offer.about))
            lines += [GAME.words.choice(offer.verb, option, names) for option in offer.options]
    return lines


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_hidden_cards_reach_no_page_text(seats):
    for state, _ in walk(seats, Options(), 11 + seats):
        for viewer in (*range(seats), None):
            other = redealt(state, viewer, 3)
            assert page(other, viewer, seats) == page(state, viewer, seats)
            assert all_cards(other) == all_cards(state)


def test_log_names_no_card_that_returns_face_down():
    state = position(top="8S", B0="7H", next="9C", C1="2C")
    _, events = do(state, "1 flip 1.0", "0 draw", "0 use", "0 look 2.1", "0 keep", "0 replace 0.2")
    for viewer in (A, B, C, None):
        names = Names(NAMES[:3], viewer)
        said = [GAME.words.say(e.kind, e.facts, names) for e in events if e.heard_by(viewer)]
        text = " ".join(sentence or "" for sentence in said)
        for hidden in ("7 of Hearts", "9 of Clubs", "2 of Clubs"):
            assert hidden not in text


def test_players_own_grid_is_face_down_unless_shown():
    for state, _ in walk(3, Options(), 8):
        if stage(state) == "round_over":
            continue
        for viewer in (A, B, C):
            assert faces(state, viewer) == state.seen[viewer]


def test_resample_keeps_the_ability_of_a_card_being_used():
    state = position(step=Ability(card="9C"))
    for number in range(20):
        assert ability_of(held_card(redealt(state, B, number))) == "other"
        assert held_card(redealt(state, A, number)) == "9C"


@pytest.mark.parametrize(
    ("slot", "name", "card"),
    [
        (0, "top left", "top left card"),
        (4, "bottom middle", "bottom middle card"),
        (6, "extra 1", "extra card 1"),
        (16, "extra 11", "extra card 11"),
    ],
)
def test_places_have_speakable_names(slot, name, card):
    assert slot_name(f"0.{slot}", Names(NAMES[:2], B)) == name
    assert place_name(f"0.{slot}", Names(NAMES[:2], A)) == f"your {card}"
    assert place_name(f"0.{slot}", Names(NAMES[:2], B)) == f"Ann’s {card}"


# Random matches


VARIANTS = (
    Options(max_players=6),
    Options(max_players=6, flip_penalty=2, lock_declarer=True),
    Options(max_players=6, flip_penalty=0, jokers=False, rounds=1),
    Options(max_players=6, target=60, keep_negative=True, turn_seconds=9),
    Options(max_players=6, flips="patient", flip_penalty=2, last_flips=3),
)


def walk(seats, options, number, most=400):
    """Yield (state, events) along a match between random players who leave and return."""
    key = seed(number)
    done = start(GAME, seats, options, key)
    yield done.state, done.events
    for n in range(1, most + 1):
        if GAME.outcome(done.state) is not None:
            return
        rng = Rng(key, n, "players")
        if rng.randrange(40) == 0 and len(done.state.absent) < seats - 2:
            move = Move(CLOCK, "leave", (str(min(set(range(seats)) - set(done.state.absent))),))
        elif done.state.absent and rng.randrange(10) == 0:
            move = Move(CLOCK, "return", (str(done.state.absent[0]),))
        else:
            move = random_turn(GAME, done.state, seats, rng)
        done = step(GAME, done.state, move, Rng(key, n))
        yield done.state, done.events


def test_each_card_press_has_one_meaning():
    for state, _ in walk(3, Options(), 6):
        for seat in (A, B, C):
            simple = [offer.options for offer in prompt(GAME, state, seat).offers if offer.simple]
            pressed = [option for options in simple for option in options]
            assert len(pressed) == len(set(pressed))


@pytest.mark.slow
@pytest.mark.parametrize("options", VARIANTS, ids=range(len(VARIANTS)))
def test_cards_are_conserved_whatever_is_played(options):
    everything = sorted(pack(options.jokers))
    for seats in range(2, 7):
        for state, _ in walk(seats, options, seats):
            assert all_cards(state) == everything
            numbers = [discard.number for discard in state.discards]
            assert numbers == sorted(set(numbers))


def test_random_matches_end_and_replay_to_the_same_state():
    for number in range(RANDOM_MATCHES):
        seats = 2 + number % 5
        options = VARIANTS[number % len(VARIANTS)]
        moves, last = random_match(GAME, seats, options, seed(number))
        assert GAME.outcome(last) is not None
        *_, (_, again) = replay(GAME, seats, options, seed(number), moves)
        assert to_json(again.state) == to_json(last)


def test_last_flips_end_in_random_matches():
    options = Options(last_flips=3, rounds=1)
    state = start(GAME, 3, options, seed(1)).state
    for n in range(600):
        if GAME.outcome(state) is not None:
            return
        timed = isinstance(state.steps[-1], LastFlips) and n % 3 == 0
        rng = Rng(seed(1), n, "players")
        move = random_move(GAME, state, CLOCK, rng) if timed else None
        move = move or random_turn(GAME, state, 3, rng)
        state = step(GAME, state, move, Rng(seed(1), n)).state
    pytest.fail("the match did not end")


# The built-in bot


def bots_turn(state, memories, n):
    """Return the move of the first bot that makes one, or of the clock."""
    for seat in Rng(seed(n), n, "order").shuffled(range(len(memories))):
        view, own = GAME.view(state, seat), prompt(GAME, state, seat)
        luck, level = Rng(seed(n), seat), list(Level)[seat]
        if own.offers and (move := BOT.choose(memories[seat], view, own, luck, level)):
            return move
    return clocks(GAME, state)[0].clock_move


@pytest.mark.slow
def test_bots_flip_only_known_matches():
    for number in range(4):
        done = start(GAME, 3, Options(), seed(number))
        memories = [Memory() for _ in range(3)]
        kinds = []
        for n in range(1, 3000):
            for seat, memory in enumerate(memories):
                for event in done.events:
                    if event.heard_by(seat):
                        notice(memory, event, seat)
                if not isinstance(done.state.steps[-1], (Peeking, RoundOver)):
                    assert all(card_at(done.state, p) == c for p, c in memory.known.items())
            kinds += [event.kind for event in done.events]
            if GAME.outcome(done.state) is not None:
                break
            move = bots_turn(done.state, memories, n)
            done = step(GAME, done.state, move, Rng(seed(number), n))
        assert GAME.outcome(done.state) is not None
        assert "flipped" in kinds and "wrong_flip" not in kinds


def test_a_bot_beats_random_players():
    won = 0
    for number in range(10):
        done = start(GAME, 2, Options(rounds=2), seed(number))
        memory = Memory()
        for n in range(1, 2000):
            for event in done.events:
                if event.heard_by(A):
                    notice(memory, event, A)
            if (outcome := GAME.outcome(done.state)) is not None:
                won += A in outcome.winners
                break
            rng = Rng(seed(number), n, "players")
            own = prompt(GAME, done.state, A)
            move = own.offers and BOT.choose(memory, GAME.view(done.state, A), own, rng)
            move = move or random_move(GAME, done.state, B, rng)
            done = step(GAME, done.state, move, Rng(seed(number), n))
    assert won >= 8


def test_a_bot_follows_cards_that_move():
    memory = Memory()
    notice(memory, Event("peek_shows", {"places": ["0.3", "0.4"], "cards": ["2C", "KD"]}, A), A)
    notice(memory, Event("swapped", {"seat": B, "first": "0.3", "second": "1.0"}), A)
    assert memory.known == {"0.4": "KD", "1.0": "2C"}
    notice(memory, Event("gave", {"seat": A, "place": "0.4", "to": "2.1"}), A)
    assert memory.known == {"1.0": "2C", "2.1": "KD"}
    notice(memory, Event("replaced", {"seat": B, "place": "1.0", "card": "2C"}), A)
    assert memory.known == {"2.1": "KD"}


def test_a_bot_gives_its_worst_card():
    state = position(top="8S", A1="8D", step=Give(seat=B, place="0.1"), B2="TD", B3="AC")
    state.steps.insert(0, FirstMove(number=7))
    memory = Memory({"1.2": "TD", "1.3": "AC"})
    move = BOT.choose(memory, GAME.view(state, B), prompt(GAME, state, B), Rng(seed(1), 1))
    assert str(move) == "1 give 1.2"


def thinks(state, memory, seat=B, level=Level.HARD):
    """Return the thoughts of a bot with this memory, and its first reason in words."""
    view, own = GAME.view(state, seat), prompt(GAME, state, seat)
    thoughts = BOT.weigh(memory, view, own, Rng(seed(1), 1), level)
    reason = thoughts[0].reason
    return thoughts, GAME.words.say(reason.kind, reason.facts, Names(NAMES[:3], seat))


@pytest.mark.parametrize(("level", "flips"), [(Level.EASY, False), (Level.NORMAL, True)])
def test_easy_bot_knows_four_cards_and_flips_only_its_own(level, flips):
    state = position(top="8S", A1="8D", C1="8H", B2="TD", turn=A)
    theirs = Memory({"0.1": "8D", "1.2": "TD"})
    assert bool(thinks(state, theirs, level=level)[0][0].move) == flips
    own = {"1.0": "8C"}
    later = {f"2.{slot}": state.grids[2][slot] for slot in (0, 2, 3, 4)}
    assert bool(thinks(state, Memory(own | later), level=level)[0][0].move) == flips
    assert thinks(state, Memory(later | own), level=level)[0][0].move


def test_bot_explains_why_it_does_not_call_yet():
    grids = {0: ["AS", "2D", "9S"], 1: ["5S", "5D", "5C"]}
    state = position(turn=B, only=grids)
    memory = Memory({"0.0": "AS", "0.1": "2D", "1.0": "5S", "1.1": "5D", "1.2": "5C"})
    thoughts, said = thinks(state, memory)
    assert thoughts[0].move.verb in ("draw", "take")
    assert re.fullmatch(
        r"(Draw a card|Take the .*), and do not call yet: you hold about 15 points, and in "
        r"\d+ of 100 simulated deals no one would be lower\. A wrong call costs 10 points\.",
        said,
    )


def test_bot_calls_with_few_points_and_never_with_many():
    few = position(turn=B, only={1: ["AS", "AD"]})
    thoughts, said = thinks(few, Memory({"1.0": "AS", "1.1": "AD"}))
    assert str(thoughts[0].move) == "1 kaboom"
    assert said == "Call kaboom: you hold about 2 points, and that is hard to beat."
    many = position(turn=B, only={0: ["TS", "TD", "JS"], 1: ["9S", "9D", "9C"]})
    thoughts, _ = thinks(many, Memory({"1.0": "9S", "1.1": "9D", "1.2": "9C"}))
    assert thoughts[0].move.verb != "kaboom"


def test_bot_names_the_cheapest_place_for_a_useless_card():
    state = position(turn=B, step=ReplaceDrawn("KS", used=False), only={1: ["AS", "3D"]})
    thoughts, said = thinks(state, Memory({"1.0": "AS", "1.1": "3D"}))
    assert str(thoughts[0].move) == "1 replace 1.1"
    assert said == "Replace your top middle card: that costs you least."


def test_bot_gives_a_reason_when_it_can_only_take_a_card():
    """The stock has run out, and a player has called."""
    state = position(top="KS", turn=B, stock=(), declared_by=A, only={1: ["AS", "3D"]})
    assert "take" in verbs(state, B) and not {"draw", "kaboom"} & set(verbs(state, B))
    _, said = thinks(state, Memory({"1.0": "AS", "1.1": "3D"}))
    assert said == "Take the King of Spades: in place of your top middle card it costs you least."


@pytest.mark.parametrize(
    ("card", "own", "said"),
    [
        ("8S", False, "Use the 8 of Spades to look at one of your own cards that you do not know."),
        (
            "9S",
            True,
            "Use the 9 of Spades to look at another player’s card: once you know it, you can "
            "flip it when its match comes.",
        ),
    ],
)
def test_bot_names_the_card_whose_ability_it_uses(card, own, said):
    state = position(turn=B, step=Drawn(card), only={1: ["AS"]})
    known = Memory({"1.0": "AS"} if own else {})
    assert thinks(state, known)[1] == said


def test_a_bot_counts_the_cards_it_has_not_seen():
    state = position(turn=B, under=("KS", "KC", "QS", "QD"), only={1: ["5S"]})
    for card in ("KS", "KC", "QS", "QD", "4H"):
        notice(memory := Memory(), Event("discarded", {"seat": A, "card": card}), B)
        assert memory.pile == [card]
    full, counted = Memory(), Memory(pile=["KS", "KC", "QS", "QD", "4H"])
    mean = [Mind(each, GAME.view(state, B), B, Level.HARD).blind for each in (full, counted)]
    assert mean[1] < mean[0], "the discards were high, so what is left is lower"


def said_to(state, *seats):
    """Return the status as each of these seats reads it."""
    names = [Names(("Ann", "Ben", "Cid"), seat) for seat in seats]
    views = [GAME.view(state, seat).saying for seat in seats]
    return [GAME.words.say(it.kind, it.facts, of) for it, of in zip(views, names, strict=True)]


def test_caller_and_lowest_player_are_addressed_as_you():
    state = after(position(turn=B, rounds=3), "1 kaboom")
    assert said_to(state, B, A) == [
        "You called kaboom. Cid’s last turn.",
        "Ben called kaboom. Cid’s last turn.",
    ]
    state = after(state, "2 draw", "2 discard", "0 draw", "0 discard")
    fewest = min(state.sums)
    lowest = state.sums.index(fewest)
    own, other = said_to(state, lowest, (lowest + 1) % 3)
    assert own == f"You had the lowest cards: {fewest} points. Ready for the next round?"
    assert other.startswith(
        f"{('Ann', 'Ben', 'Cid')[lowest]} had the lowest cards: {fewest} points."
    )


def tips_at(state, seat):
    """Return the keys of the tips that fit a moment, as this seat sees it."""
    return [
        key
        for key, _ in GAME.tips_for(GAME.view(state, seat), prompt(GAME, state, seat), Options())
    ]


def test_penalty_tip_is_told_only_after_a_wrong_flip():
    state = after(position(top="8S", B0="7H"), "1 flip 1.0")
    assert tips_at(state, B)[0] == "penalty"
    assert "penalty" not in tips_at(state, A)
    state = after(state, "0 draw", "0 discard", "1 draw")
    assert "penalty" not in tips_at(state, B)


def test_jokers_of_ones_own_are_not_recommended_for_flipping():
    assert "flip" in tips_at(position(top="8S"), B)
    assert "flip" not in tips_at(position(top="BJ"), B)
    names = Names(("Ann", "Ben", "Cid"), B)
    assert GAME.words.how("flip", names, "3.BJ") == "Remember another player’s Joker? Flip it."
    assert GAME.words.how("flip", names, "3.8S") == "Remember another 8? Flip it."


def test_swapped_card_stays_marked_until_the_end_of_its_owners_next_turn():
    state = after(position(next="QH"), "0 draw", "0 use", "0 swap 1.1", "0 swap 2.4")
    state = after(state, "0 discard", "1 draw")

    def marks(seat):
        return GAME.view(state, None).zone("grid", seat).marks

    assert (marks(B), marks(C)) == ({"1.1": "swapped"}, {"2.4": "swapped"})
    state = after(state, "1 discard", "2 draw")
    assert (marks(B), marks(C)) == ({}, {"2.4": "swapped"})
    state = after(state, "2 discard", "0 draw")
    assert marks(C) == {}
