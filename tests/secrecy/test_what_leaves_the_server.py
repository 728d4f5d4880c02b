"""Every address of a table, for every game and viewer: what cannot be known changes no byte.

Body, status, headers, length, stream and log lines of the answer are compared, for refused moves
too. KABOOM_LONG=1 plays many more matches.
"""

import os

import pytest

from kaboom.core.codec import to_json
from kaboom.core.moves import CLOCK
from kaboom.games import GAMES
from tests.secrecy.oracle import differences
from tests.secrecy.test_what_leaves_the_engine import SEALED, is_the_last
from tests.secrecy.twins import (
    VALUES,
    addresses,
    answer,
    prints,
    reached,
    requests_of,
    serving,
    world,
)
from tests.secrecy.worlds import own_move, redealt, stage_of, tables_of

MATCHES = 30 if os.environ.get("KABOOM_LONG") else 1
MOST = 220  # moves of a match


def served(app, game, matches=MATCHES, most=MOST):
    """Yield each table that is played, loaded, and the next move there."""
    for number in range(matches):
        kinds = tables_of(game)
        for place in (0, len(kinds) // 2, len(kinds) - 1)[: 3 if matches > 1 else 2]:
            options, seats = kinds[place]
            yield from reached(app, game, options, seats, 100 * number + place, most)


def asks(table, loaded, viewer, number):
    """Return every request at first, later a changing selection of them."""
    every = list(requests_of(table, loaded, viewer))
    return every if number == 0 else every[number % 7 :: 7]


def test_every_address_of_a_table_is_asked_for(app):
    """A new address with another part in it must say here with which values it is to be asked."""
    for method in ("GET", "POST"):
        for rule in addresses(app, method):
            assert rule.arguments - {"code"} <= set(VALUES), f"{rule.rule}: give VALUES"


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_no_answer_tells_what_its_viewer_cannot_know(game, app, monkeypatch):
    pairs = changed = 0
    stages = {}
    for table, loaded, _ in served(app, game):
        stage = stage_of(loaded.state)
        stages[stage] = stages.get(stage, 0) + 1
        if stages[stage] > 4 and (stages[stage] % 9 or stages[stage] > 200):
            continue
        for viewer in [*range(len(loaded.table.seats)), None]:
            other = redealt(game, loaded.state, viewer, pairs)
            changed += to_json(other) != to_json(loaded.state)
            here, there = world(loaded, loaded.state), world(loaded, other)
            assert prints(here, viewer) == prints(there, viewer)
            asked = asks(table, here, viewer, stages[stage] - 1 if pairs else 0)
            with serving(table, here, monkeypatch):
                ours = [answer(table, viewer, ask) for ask in asked]
            with serving(table, there, monkeypatch):
                theirs = [answer(table, viewer, ask) for ask in asked]
            for ask, one, two in zip(asked, ours, theirs, strict=True):
                pairs += 1
                if ask.method == "POST" and one["status"] < 400 and two["status"] < 400:
                    continue  # taken in both worlds: what it led to may differ, whether may not
                assert not differences(one, two), f"{ask} of {viewer} in {stage}: {one} {two}"
    assert changed > 20, "hardly anything was redealt, so this proves little"
    print(f"{game.name}: {pairs} pairs of answers, {changed} redealt, stages {stages}")


@pytest.mark.parametrize("key", [key for key in SEALED if key in GAMES])
def test_a_sealed_choice_stirs_others_the_same_whatever_was_chosen(key, app, monkeypatch):
    """Their numbers, their lines, their streams and pages, and what a bot in their seat keeps."""
    game = GAMES[key]
    compared = 0
    for table, loaded, move in served(app, game):
        if move.seat == CLOCK or move.verb not in SEALED[key]:
            continue
        if is_the_last(game, loaded.state, len(loaded.table.seats), move):
            continue
        for viewer in [*range(len(loaded.table.seats)), None]:
            other = redealt(game, loaded.state, viewer, compared)
            its_move = own_move(game, other, move, compared)
            if viewer == move.seat or its_move is None:
                continue
            one = stirred(table, world(loaded, loaded.state), move, viewer, monkeypatch)
            two = stirred(table, world(loaded, other), its_move, viewer, monkeypatch)
            if "last_card" in (one["stage"], two["stage"]):
                continue  # by the rules of Karata being asked says what one does not hold
            compared += 1
            assert not differences(one, two), f"{viewer}: {move} or {its_move}: {one} {two}"
        if compared > 60 * MATCHES:
            break
    assert compared > 20


def stirred(table, now, move, viewer, monkeypatch):
    """Return what a viewer has of a move that is made in this world and then forgotten."""
    with serving(table, now, monkeypatch):
        after = table.play(move, "once")
    with serving(table, world(after, after.state), monkeypatch):
        asked = [ask for ask in requests_of(table, after, viewer) if ask.method == "GET"]
        pages = [answer(table, viewer, ask) for ask in asked]
    known = after.table
    return {
        "stage": stage_of(after.state),
        "revision": known.revision(viewer),
        "lines": to_json(known.lines(viewer)),
        "heard": known.heard.get("s" if viewer is None else str(viewer)),
        "bot's memory": bytes(known.memories.get(viewer, b"")),
        "clocks": to_json(known.clocks()),
        "pages": pages,
    }
