"""Spectators see the hands, with the agreed delay, if all players have agreed to it."""

import pytest

from kaboom.engine.engine import start, step
from kaboom.engine.rng import Rng
from kaboom.engine.toolkit.playthrough import random_turn
from kaboom.engine.views import DOWN, EMPTY, OPEN, with_hands
from kaboom.errors import InvalidState, NotPermitted
from kaboom.games import GAMES
from kaboom.lobby import service as lobby
from kaboom.tables import start_match
from kaboom.tables.seats import leaving
from kaboom.tables.spectators import open_hands
from kaboom.tables.spectators.service import let_watch
from tests.tables.test_service import all_ready, opened, people
from tests.tables.test_spectators import draw_and_discard, seen, told

MINUTE = 60.0


def begun(tables, answers=(True, True), fake_clock=5, then=None):
    """Return a table whose players gave these answers before the deal; `then` runs in between."""
    code, ids = opened(tables, "Ann", "Ben")
    let_watch(tables, code, ids[0], fake_clock)
    for player, yes in zip(ids, answers, strict=True):
        if yes is not None:
            open_hands.answer(tables, code, player, yes, fake_clock)
    if then:
        then(code, ids)
    for player in ids:
        start_match.ready(tables, code, player)
    all_ready(tables, code, ids)
    return code, ids


def faces(snapshot):
    """Return the number of face-up grid cards a viewer sees."""
    grids = snapshot.position.view(snapshot.me).zones_named("grid")
    return sum(card not in (DOWN, EMPTY) for grid in grids for card in grid.cards)


def test_agreed_hands_are_shown_with_the_agreed_delay(tables):
    code, ids = begun(tables)
    assert tables.get(code).table.hands == 5
    assert "table.hands" in told(tables.get(code))
    draw_and_discard(tables, code, ids, 2)
    tables.now.sleep(4 * MINUTE)
    assert seen(tables, code).closed, "they see nothing of it yet"
    tables.now.sleep(2 * MINUTE)
    assert faces(seen(tables, code)) == 12
    assert faces(seen(tables, code, "Ann")) == 0, "no player sees more than before"


def test_open_hands_do_not_reveal_the_stock(tables):
    code, _ = begun(tables)
    tables.now.sleep(6 * MINUTE)
    view = seen(tables, code).position.view(None)
    assert set(view.zone("stock").cards) == {DOWN}


@pytest.mark.parametrize("answers", [(True, False), (False, True), (True, None), (None, None)])
def test_one_refusal_or_no_answer_keeps_hands_hidden(tables, answers):
    code, _ = begun(tables, answers)
    assert tables.get(code).table.hands == 0
    tables.now.sleep(6 * MINUTE)
    assert faces(seen(tables, code)) == 0


def test_agreement_ends_if_the_delay_or_the_players_change(tables):
    def shorter(code, ids):
        let_watch(tables, code, ids[0], 3)

    def somebody_comes(code, ids):
        ids += people(tables, "Dee")
        lobby.sit(tables, code, ids[-1], "Dee")

    for change in (shorter, somebody_comes):
        code, _ = begun(tables, then=change)
        assert tables.get(code).table.hands == 0


def test_agreement_is_fixed_at_the_deal(tables):
    code, ids = begun(tables)
    for player in ids:
        with pytest.raises(InvalidState, match="when the match is over"):
            open_hands.answer(tables, code, player, False, 5)
    tables.now.sleep(6 * MINUTE)
    for earlier in (0, 1, 3):
        let_watch(tables, code, ids[0], earlier)
        assert faces(seen(tables, code)) == 0, "no hands are shown earlier than agreed"
    let_watch(tables, code, ids[0], 5)
    assert faces(seen(tables, code)) == 12


def test_each_match_needs_a_new_agreement(tables):
    code, ids = begun(tables)
    leaving.leave(tables, code, ids[1])
    lobby.sit(tables, code, ids[1], "Ben")
    for player in ids:
        start_match.ready(tables, code, player)
    assert tables.get(code).table.match == 2
    assert tables.get(code).table.hands == 0


def test_new_match_needs_its_own_agreement_to_show_hands(tables):
    code, ids = begun(tables)
    tables.now.sleep(6 * MINUTE)
    assert faces(seen(tables, code)) == 12
    leaving.leave(tables, code, ids[1])
    lobby.sit(tables, code, ids[1], "Ben")
    for player in ids:
        start_match.ready(tables, code, player)
    all_ready(tables, code, ids)
    tables.now.sleep(6 * MINUTE)
    assert faces(seen(tables, code)) == 0


@pytest.mark.parametrize("delay", [0, 1, -1])
def test_agreement_needs_a_sufficient_spectator_delay(tables, delay):
    code, ids = opened(tables, "Ann", "Ben")
    let_watch(tables, code, ids[0], delay)
    for minutes in (delay, 5, 0):
        with pytest.raises(InvalidState, match="at least 3 minutes"):
            open_hands.answer(tables, code, ids[1], True, minutes)
    assert tables.get(code).table.chairs[1].hands == 0


def test_only_seated_players_are_asked_for_open_hands(tables):
    code, ids = opened(tables, "Ann", "Ben")
    let_watch(tables, code, ids[0], 5)
    (cid,) = people(tables, "Cid")
    with pytest.raises(NotPermitted):
        open_hands.answer(tables, code, cid, False, 5)


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_open_hands_show_all_held_cards_and_nothing_else(game):
    options = game.options()
    seats, key = game.seats(options)[0], bytes(32)
    state, held = start(game, seats, options, key).state, 0
    for number in range(60):
        public, opened_up = game.view(state, None), game.view(state, OPEN)
        shown = with_hands(public, opened_up)
        assert [z for z in shown.zones if z.owner is None] == [
            z for z in public.zones if z.owner is None
        ]
        for zone in opened_up.zones:
            if zone.owner is not None:
                assert shown.zone(zone.name, zone.owner) == zone
        assert (shown.viewer, shown.saying, shown.facts) == (None, public.saying, public.facts)
        for seat in range(seats):
            for zone in game.view(state, seat).zones:
                if zone.owner == seat:
                    known = {*zone.cards} - {DOWN, EMPTY}
                    if known:  # an empty zone may be missing for some viewers
                        assert known <= {*shown.zone(zone.name, seat).cards}
                    held += len(known)
        if game.outcome(state) is not None:
            break
        move = random_turn(game, state, seats, Rng(key, number, "players"))
        state = step(game, state, move, Rng(key, number + 1)).state
    assert held


def test_refusal_is_possible_at_any_delay(tables):
    code, ids = opened(tables, "Ann", "Ben")
    open_hands.answer(tables, code, ids[0], False, 7)
    assert tables.get(code).table.occupant(0).hands == open_hands.NO
    with pytest.raises(InvalidState, match="at least 3 minutes behind"):
        open_hands.answer(tables, code, ids[0], True, 7)
