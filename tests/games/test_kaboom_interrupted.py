"""Kaboom with interruptions: between any two steps of a decision a player flips, gives, leaves,
returns or times out, under every option. After each move the table is consistent and play can
continue.
"""

from collections import Counter
from dataclasses import replace

import pytest

from kaboom.engine.engine import clocks, must_answer, prompts, start, step
from kaboom.engine.moves import Move
from kaboom.engine.options import declared
from kaboom.engine.rng import Rng
from kaboom.engine.texts import Names
from kaboom.engine.toolkit.cards import pack, rank_of
from kaboom.engine.toolkit.playthrough import NAMES
from kaboom.engine.views import EMPTY, OPEN
from kaboom.games.kaboom import GAME
from kaboom.games.kaboom.cards import ability_of
from kaboom.games.kaboom.flipping import matches
from kaboom.games.kaboom.options import Options
from kaboom.games.kaboom.places import card_at, open_cards
from kaboom.games.kaboom.state import PASS, WHERE, Ability, Collecting, Discard, Give
from kaboom.games.kaboom.view import stage
from tests.games.test_kaboom import after, all_cards, seed
from tests.support.effort import often

TABLES = often(12, soak=1000)
MOVES = 20  # made at each table

# Each decision and the active player's moves that lead to it.
DECISIONS = {
    "collecting": (),
    "first_move": (),
    "replace_taken": ("take",),
    "drawn": ("draw",),
    "ability": ("draw", "use"),
    "ability, one chosen": ("draw", "use", "choose"),
    "after_ability": ("draw", "use", "skip"),
    "replace_drawn": ("draw", "keep"),
}
INTERRUPTIONS = {
    "flip of an own card",
    "flip of another’s card",
    "wrong flip",
    "give",
    "no_give",
    "lapse of a give",
    "leave",
    "return",
    "lapse",
}
SEALED = {"flip", "pass", "withdraw", "more", "settle", "leave", "return"}  # of patient flips
PICKS = {"look", "swap", "replace", "give"}


def any_options(number):
    """Return options, each at its minimum or maximum, near that, or at its default."""
    rng = Rng(seed(number), 0, "options")
    values = {}
    for option in declared(Options):
        extremes = {int(option.least), int(option.least) + 1, int(option.most), option.default}
        some = {"switch": [False, True], "choice": [*(option.values or ())]}.get(option.kind)
        values[option.name] = rng.choice(some or sorted(extremes))
    return Options(**values)


def decision(state):
    """Return the current decision: of all players for patient flips, else of the active one."""
    if isinstance(state.steps[-1], Collecting):
        return "collecting"
    turn = state.steps[0]
    one = isinstance(turn, Ability) and turn.picks
    return stage(turn) + (", one chosen" if one else "")


def kind_of(state, move):
    """Return the effect of a move on the interrupted decision."""
    if move.verb == "flip" and decision(state) != "collecting":
        owner, _ = WHERE[move.choices[0]]
        if not matches(state, move.choices[0], state.discards[-1].card):
            return "wrong flip"
        return "flip of an own card" if owner == move.seat else "flip of another’s card"
    if move.verb == "lapse" and isinstance(state.steps[-1], Give):
        return "lapse of a give"
    return move.verb


def moves_of(state):
    """Return all possible moves by kind, except that the last two players do not leave."""
    found = {}
    for listener in GAME.listeners(state):
        if listener.held or (listener.verb == "leave" and len(listener.pick.options) < 3):
            continue
        for choices in listener.pick.legal():
            move = Move(listener.seat, listener.verb, choices)
            found.setdefault(kind_of(state, move), []).append(move)
    return found


def check_whole(state):
    """Check that cards are conserved, and that stored facts about places are true."""
    assert all_cards(state) == sorted(pack(state.options.jokers))
    for step_of in state.steps:
        if isinstance(step_of, Ability):
            assert all(card_at(state, place) for place in step_of.picks)
        if isinstance(step_of, Give):
            owner, slot = WHERE[step_of.place]
            assert state.grids[owner][slot] is None
        if isinstance(step_of, Collecting):
            chosen = {answer for answer in step_of.answers if answer not in (None, PASS)}
            assert chosen <= set(open_cards(state))
    for shown in state.seen:
        assert all(card_at(state, place) == card for place, card in shown.items())
    for place in state.marks:
        owner, slot = WHERE[place]
        assert slot < len(state.grids[owner])
    waited_for = must_answer(GAME, state)
    assert not {*waited_for} & {*state.absent}
    assert bool(waited_for or clocks(GAME, state)) == (GAME.outcome(state) is None)


def check_pages(state, events):
    """Check that everyone can be shown the table and the log in words."""
    seats = len(state.grids)
    offers = prompts(GAME.listeners(state), seats)
    for viewer in (*range(seats), None, OPEN):
        names = Names(NAMES[:seats], viewer)
        view = GAME.view(state, viewer)
        assert GAME.words.say(view.saying.kind, view.saying.facts, names)
        full = {
            place
            for grid in view.zones_named("grid")
            for place, card in zip(grid.places, grid.cards, strict=True)
            if card != EMPTY
        }
        assert {*view.facts["picks"], *(it["place"] for it in view.facts["shown"])} <= full
        for event in events:
            if event.heard_by(viewer):
                GAME.words.say(event.kind, event.facts, names)
    for own in offers:
        names = Names(NAMES[:seats], own.seat)
        for offer in own.offers:
            assert GAME.words.offer(offer.verb, names, offer.about)
            for option in offer.options:
                assert GAME.words.choice(offer.verb, option, names)


def chooses_two(card):
    """Return True if a drawn card allows choosing two others."""
    return ability_of(card) in ("swap", "any")


def deciding(number, name):
    """Return a match at any table in which the first player faces a decision.

    Many cards match the two discards, and the drawn card allows choosing two others. At each third
    table (and if all cards of that kind are dealt) every player has one card only, which matches if
    any of the six did.
    """
    options = any_options(number)
    if name == "collecting":
        options = replace(options, flips="patient")
    seats = min(2 + number % 5, options.max_players)
    state = start(GAME, seats, options, seed(number)).state
    ranks = Counter(rank_of(card) for grid in state.grids for card in grid)
    plain = [card for card in state.stock if ability_of(card) is None]
    under, top = sorted(plain, key=lambda card: ranks[rank_of(card)])[-2:]
    state.stock = [card for card in state.stock if card not in (under, top)]
    state.stock.append(top)
    state.discards.append(Discard(under, 0))
    moves = [f"{seat} ready" for seat in range(seats)]
    if options.flips == "patient" and name != "collecting":
        moves += [f"{seat} pass" for seat in range(seats)]
    state = after(state, *moves)
    if number % 3 == 0 or not any(chooses_two(card) for card in state.stock):
        onto = rank_of(under if "take" in DECISIONS[name] else top)
        for grid in state.grids:
            kept = max(grid, key=lambda card: rank_of(card) == onto)
            state.stock += [card for card in grid if card != kept]
            grid[:] = [card if card == kept else None for card in grid]
    state.stock.sort(key=chooses_two)
    for verb in DECISIONS[name]:
        found = moves_of(state)
        (move, *_) = found[verb] if verb != "choose" else found.get("look") or found["swap"]
        state = after(state, str(move))
    assert decision(state) == name
    return state


@pytest.mark.parametrize("name", DECISIONS)
def test_interruption_between_steps_keeps_the_table_consistent(name):
    """The possible event that is rarest in this decision comes next."""
    came = Counter()
    for number in range(TABLES):
        state = deciding(number, name)
        for n in range(MOVES):
            found = moves_of(state)
            if not found:
                break
            able = {move.seat for some in found.values() for move in some}
            assert {*must_answer(GAME, state)} <= able, "all awaited players can do something"
            for kind, some in found.items():  # every offer of a page can be pressed
                for move in some if kind in PICKS else some[:1]:
                    check_whole(step(GAME, state, move, Rng(seed(number), n)).state)
            now = decision(state)
            kind = min(sorted(found), key=lambda kind: came[now, kind])
            came[now, kind] += 1
            move = Rng(seed(number), n, "machine").choice(found[kind])
            done = step(GAME, state, move, Rng(seed(number), n))
            state = done.state
            check_whole(state)
            check_pages(state, done.events)
    expected = SEALED if name == "collecting" else INTERRUPTIONS
    assert expected <= {kind for where, kind in came if where == name}
