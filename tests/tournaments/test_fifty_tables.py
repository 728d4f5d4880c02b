"""At fifty tables with the same cards, equal moves give equal states, in any ready order."""

import random

import pytest

from kaboom.engine.codec import to_json
from kaboom.tables import start_match
from kaboom.tournaments import organizer
from kaboom.tournaments.rules.events import Format
from tests.support import tournaments
from tests.support.effort import LONG
from tests.support.tournaments import opened, pods, settled
from tests.tables.test_shared_deals import li_move

TABLES, MOVES = (50, 40) if LONG else (5, 12)


@pytest.mark.parametrize("game", ["karata", "kaboom"])
def test_same_moves_give_same_states_in_any_ready_order(
    open_tables, sqlite_url, monkeypatch, fake_clock, game
):
    """Five tables in `make test`, fifty with KABOOM_LONG."""
    tables, rng = open_tables(sqlite_url), random.Random(game)
    monkeypatch.setitem(tournaments.OPTIONS, "karata", {})
    names = [f"P{number}" for number in range(4 * TABLES)]
    code, ids = opened(tables, *names, game=game, format=Format.SWISS, duplicate=True, most=256)
    organizer.begin(tables, code, ids[0])
    settled(tables, code)
    at = [table for _, table, _ in pods(tables, code)]
    chairs = [
        (table, occupant.player)
        for table in at
        for _, occupant in tables.get(table).table.sitting()
    ]
    rng.shuffle(chairs)
    for table, player in chairs:
        start_match.ready(tables, table, player)
    settled(tables, code)
    assert len(at) == TABLES and len(chairs) == 4 * TABLES
    moved, seen = 0, set()
    for _ in range(MOVES):
        states = {to_json(tables.get(table).state) for table in at}
        assert len(states) == 1
        seen |= states
        rng.shuffle(at)
        played = [play_first(tables, table) for table in at]
        assert len(set(played)) == 1
        moved += sum(played)
        if not any(played):  # automatic steps are made at every table
            fake_clock.sleep(30)
            for table in at:
                tables.run_due(table)
    assert moved >= TABLES * MOVES // 3 and len(seen) > MOVES // 2


def play_first(tables, table):
    """Make the first move on offer at a table; return True if there was one."""
    for li in tables.get(table).position.listeners:
        if li.seat >= 0 and li.blocks and next(iter(li.pick.legal()), None) is not None:
            tables.change(table, lambda t, li=li: t.play(li_move(li), f"m {t.table.seq}"))
            return True
    return False
