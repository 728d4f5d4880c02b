"""Others' premoves and hands at a correspondence table are in no format."""

import pkgutil
from dataclasses import replace

import pytest

from kaboom.db.encryption import hash_of
from kaboom.engine.codec import copied, to_json
from kaboom.games import GAMES, sample
from kaboom.tables.premoves import can_plan
from kaboom.tables.table import PlannedMove
from tests.secrecy.oracle import differences
from tests.secrecy.paired_server import CURRENT, World, gathered, otherwise, played, prints
from tests.secrecy.proof import dealt_anew
from tests.secrecy.requests import Viewer, all_told, own_asks
from tests.support.effort import often

PLANNING = ("karata", "koth", "taken")
MOMENTS = often(1, soak=200)  # of each game, at which another player has a premove
MOST = often(60, soak=2000)  # moves


def planned(snapshot, viewer, which):
    """Return the table after all players but the viewer have entered premoves, each with the choice
    at this index.
    """
    table = copied(snapshot.table)
    for seat in range(len(table.seats)):
        found = [] if seat == viewer else can_plan(table, snapshot.position, seat)
        for it in found[:1]:
            choices = it.pick.options and (it.pick.options[which % len(it.pick.options)],)
            table.plans[seat] = PlannedMove(it.verb, tuple(choices), it.token(seat), it.until)
    return replace(snapshot, table=table)


def leaks(app, key, monkeypatch):
    """Yield what reveals other players' premoves or cards to a viewer at a correspondence table."""
    game = GAMES[key]
    options = game.options(**sample(key).short)
    seats = max(3, game.seats(options)[0])
    table = gathered(app, game, options, seats, days=2)
    unheard = replace(
        table.service.signals, turns=lambda code, players: None
    )  # no notifications are sent
    monkeypatch.setattr(table.service, "signals", unheard)
    table.begin()
    compared = 0
    for number, (_, snapshot, _) in enumerate(played(table, game, 7, MOST)):
        seat = number % seats
        viewer = Viewer("player", seat, table.cookies(seat))
        here = planned(snapshot, seat, number)
        if not here.table.plans:
            continue
        state = dealt_anew(game, snapshot, seat, number)
        there = otherwise(planned(snapshot, seat, number + 1), seat, state)
        if prints(here, seat) != prints(there, seat):
            yield f"the number of {viewer}"
        asks = own_asks(here, seat, (False, "en"))
        at = table.service.now()
        worlds = [World(it, at) for it in (here, there)]
        one, two = all_told(table, worlds, viewer, asks, monkeypatch)
        yield from (f"{ask} of {viewer}" for ask in one if differences(one[ask], two[ask]))
        compared += 1
        if compared == MOMENTS:
            return
    assert compared, "no player has a premove"


@pytest.mark.parametrize("key", PLANNING)
def test_others_premoves_and_cards_are_in_no_format(key, app, monkeypatch):
    assert list(leaks(app, key, monkeypatch)) == []


def anybodys(mine):
    """Return a leak that shows every player's premoves as the viewer's own."""

    def planted(snapshot):
        plans = CURRENT[-1].now.table.plans.values() if CURRENT else ()
        return mine(snapshot) or " ".join(" ".join(it.choices) for it in plans)

    return planted


def knowing(sentence):
    """Return a leak that encodes the cards in a time."""

    def planted(seconds):
        cards = to_json(CURRENT[-1].now.state).decode() if CURRENT else ""
        return f"{sentence(seconds)} {hash_of(cards)[:8]}"

    return planted


@pytest.mark.parametrize(
    ("target", "planted"),
    [
        ("kaboom.table_page.controls._plan_as_move", anybodys),
        ("kaboom.table_page.page_data.left_over_days", knowing),
    ],
)
def test_planted_leak_is_detected(target, planted, app, monkeypatch):
    monkeypatch.setattr(target, planted(pkgutil.resolve_name(target)))
    assert next(leaks(app, "taken", monkeypatch), None)
