"""All hands shown to spectators: if everybody agreed before the deal, as late as they agreed to."""

import pytest

from kaboom.engine.engine import start, step
from kaboom.engine.rng import Chance
from kaboom.engine.toolkit.playthrough import random_turn
from kaboom.engine.views import DOWN, EMPTY, OPEN, with_hands
from kaboom.errors import InvalidState, NotPermitted
from kaboom.games import GAMES
from kaboom.lobby import service as seating
from kaboom.tables import sittings
from kaboom.tables.spectators import open_hands
from kaboom.tables.spectators.service import let_watch
from tests.tables.test_service import all_ready, opened, people
from tests.tables.test_spectators import draw_and_discard, seen, told

MINUTE = 60.0


def begun(tables, answers=(True, True), watch=5, then=None):
    """Return a table whose players answered so before its deal; `then` happens between the two."""
    code, ids = opened(tables, "Ann", "Ben")
    let_watch(tables, code, ids[0], watch)
    for player, yes in zip(ids, answers, strict=True):
        if yes is not None:
            open_hands.answer(tables, code, player, yes, watch)
    if then:
        then(code, ids)
    for player in ids:
        seating.ready(tables, code, player)
    all_ready(tables, code, ids)
    return code, ids


def faces(snapshot):
    """Return how many faces of grids a viewer sees."""
    grids = snapshot.position.view(snapshot.me).zones_named("grid")
    return sum(card not in (DOWN, EMPTY) for grid in grids for card in grid.cards)


def test_what_all_agreed_to_is_shown_as_late_as_they_agreed(tables):
    code, ids = begun(tables)
    assert tables.look(code).table.hands == 5
    assert "table.hands" in told(tables.look(code))
    draw_and_discard(tables, code, ids, 2)
    tables.now.sleep(4 * MINUTE)
    assert seen(tables, code).closed, "they see nothing of it yet"
    tables.now.sleep(2 * MINUTE)
    assert faces(seen(tables, code)) == 12
    assert faces(seen(tables, code, "Ann")) == 0, "no player sees more than before"


def test_the_stock_stays_face_down_to_those_who_see_hands(tables):
    code, _ = begun(tables)
    tables.now.sleep(6 * MINUTE)
    view = seen(tables, code).position.view(None)
    assert set(view.zone("stock").cards) == {DOWN}


@pytest.mark.parametrize("answers", [(True, False), (False, True), (True, None), (None, None)])
def test_one_no_or_no_answer_keeps_them_hidden(tables, answers):
    code, _ = begun(tables, answers)
    assert tables.look(code).table.hands == 0
    tables.now.sleep(6 * MINUTE)
    assert faces(seen(tables, code)) == 0


def test_a_yes_is_for_the_delay_it_was_said_to_and_for_those_who_said_it(tables):
    def shorter(code, ids):
        let_watch(tables, code, ids[0], 3)

    def somebody_comes(code, ids):
        ids += people(tables, "Dee")
        seating.sit(tables, code, ids[-1], "Dee")

    for change in (shorter, somebody_comes):
        code, _ = begun(tables, then=change)
        assert tables.look(code).table.hands == 0


def test_it_is_settled_at_the_deal(tables):
    code, ids = begun(tables)
    for player in ids:
        with pytest.raises(InvalidState, match="when the match is over"):
            open_hands.answer(tables, code, player, False, 5)
    tables.now.sleep(6 * MINUTE)
    for earlier in (0, 1, 3):
        let_watch(tables, code, ids[0], earlier)
        assert faces(seen(tables, code)) == 0, "sooner than agreed no hands are seen"
    let_watch(tables, code, ids[0], 5)
    assert faces(seen(tables, code)) == 12


def test_each_match_is_agreed_upon_anew(tables):
    code, ids = begun(tables)
    sittings.leave(tables, code, ids[1])
    seating.sit(tables, code, ids[1], "Ben")
    for player in ids:
        seating.ready(tables, code, player)
    assert tables.look(code).table.match == 2
    assert tables.look(code).table.hands == 0


def test_a_match_that_was_not_agreed_upon_shows_none_after_one_that_was(tables):
    code, ids = begun(tables)
    tables.now.sleep(6 * MINUTE)
    assert faces(seen(tables, code)) == 12
    sittings.leave(tables, code, ids[1])
    seating.sit(tables, code, ids[1], "Ben")
    for player in ids:
        seating.ready(tables, code, player)
    all_ready(tables, code, ids)
    tables.now.sleep(6 * MINUTE)
    assert faces(seen(tables, code)) == 0


@pytest.mark.parametrize("delay", [0, 1, -1])
def test_nobody_can_agree_where_spectators_are_not_late_enough(tables, delay):
    code, ids = opened(tables, "Ann", "Ben")
    let_watch(tables, code, ids[0], delay)
    for minutes in (delay, 5, 0):
        with pytest.raises(InvalidState, match="at least 3 minutes"):
            open_hands.answer(tables, code, ids[1], True, minutes)
    assert tables.look(code).table.chairs[1].hands == 0


def test_only_those_who_sit_there_are_asked(tables):
    code, ids = opened(tables, "Ann", "Ben")
    let_watch(tables, code, ids[0], 5)
    (cid,) = people(tables, "Cid")
    with pytest.raises(NotPermitted):
        open_hands.answer(tables, code, cid, False, 5)


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_in_every_game_all_that_is_held_lies_open_and_nothing_else_does(game):
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
                    if known:  # an empty zone need not be there for all
                        assert known <= {*shown.zone(zone.name, seat).cards}
                    held += len(known)
        if game.outcome(state) is not None:
            break
        move = random_turn(game, state, seats, Chance(key, number, "players"))
        state = step(game, state, move, Chance(key, number + 1)).state
    assert held


def test_no_can_be_said_however_late_spectators_see(tables):
    code, ids = opened(tables, "Ann", "Ben")
    open_hands.answer(tables, code, ids[0], False, 7)
    assert tables.look(code).table.chair(0).hands == open_hands.NO
    with pytest.raises(InvalidState, match="at least 3 minutes later"):
        open_hands.answer(tables, code, ids[0], True, 7)
