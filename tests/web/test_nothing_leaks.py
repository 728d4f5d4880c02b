"""The proof that pages tell nothing: redraw what a viewer cannot know, and no byte changes.

Searching pages for card names would find few leaks: counts, order, ids and lengths tell as much.
"""

import os
import re
from dataclasses import replace

import pytest
from flask import render_template

from kaboom.core.chance import Chance
from kaboom.core.codec import copied, to_json
from kaboom.core.engine import must_answer
from kaboom.core.game import Play
from kaboom.core.moves import CLOCK
from kaboom.core.playthrough import random_turn
from kaboom.core.views import View, Zone
from kaboom.games import GAMES
from kaboom.tables.loaded import Loaded
from kaboom.tables.table import Table
from kaboom.web.page import Settings
from kaboom.web.show import table_page

MATCHES = int(os.environ.get("KABOOM_LONG", "1"))  # matches a game and size of table


def positions(service, game, seats, number, most=250, every=6):
    """Play a match of random players at a real table; yield it loaded, every few moves."""
    ids = [service.player(f"{game.key} {number} {n}", f"P{n}")[0] for n in range(seats)]
    options = game.options()
    if game.seats(options)[-1] < seats:
        return
    code = service.open(game.key, options, ids[0], "P0")
    for n in range(1, seats):
        service.sit(code, ids[n], f"P{n}")
    service.start(code, ids[0])
    for n in range(most):
        loaded = service.look(code)
        if n % every == 0 or loaded.table.outcome is not None:
            yield loaded, ids
        if loaded.table.outcome is not None:
            return
        press_at_random(service, loaded, ids, Chance(bytes([number] * 32), n, "presses"))


def press_at_random(service, loaded, ids, chance):
    game, table = loaded.game, loaded.table
    move = random_turn(game, loaded.state, len(ids), chance)
    if move.seat == CLOCK or not must_answer(game, loaded.state):
        service.now.sleep(400)
        service.lapse(loaded.code)
        return
    words = " ".join((move.verb, *move.choices))
    token = next(li.token for li in game.listeners(loaded.state) if _fits(li, move))
    revision = table.revision(move.seat)
    player = table.chairs[move.seat].player
    service.submit(loaded.code, player, words, token, f"c {table.seq}", table.match, revision)


def _fits(listener, move):
    return (listener.seat, listener.verb) == (move.seat, move.verb)


def redealt(loaded, viewer, number):
    """Return the table as it might as well be, for all this viewer knows."""
    play = Play(CLOCK, Chance(bytes(32), number, "resample"))
    play.state = copied(loaded.state)
    loaded.game.resample(play, viewer)
    return replace(loaded, state=play.state)


def shown(loaded: Loaded, player: int | None) -> str:
    page = table_page(replace(loaded, player=player), settings=Settings())
    return render_template("fragments/table.html", page=page)


def prints(loaded: Loaded) -> dict[str, str]:
    """Return the hash behind each viewer's revision, as a move would set it."""
    table = copied(loaded.table)
    from kaboom.core.engine import prompt

    seats = range(len(table.seats) if table.playing else 0)
    prompts = [prompt(loaded.game, loaded.state, seat) for seat in seats]
    table.note_views(loaded.game, loaded.state, prompts)
    return table.prints


def leaks(loaded, ids, number):
    """Return who is shown something different when what they cannot know is redealt."""
    found = []
    for seat, player in [*enumerate(ids), (None, None)]:
        viewer = loaded.table.seat_of(player) if seat is not None else None
        other = redealt(loaded, viewer, number)
        if shown(other, player) != shown(loaded, player):
            found.append(f"the page of {viewer}")
        key = "s" if viewer is None else str(viewer)
        if prints(other)[key] != prints(loaded)[key]:
            found.append(f"the revision of {viewer}")
    return found


@pytest.mark.parametrize("key", list(GAMES))
def test_no_page_tells_what_its_viewer_cannot_know(key, app, service):
    game = GAMES[key]
    redealt_something = 0
    with app.test_request_context("/"):
        sizes = list(game.seats(game.options()))
        for seats in {sizes[0], sizes[min(2, len(sizes) - 1)]}:
            for number in range(MATCHES):
                for loaded, ids in positions(service, game, seats, number):
                    if not loaded.table.playing:
                        continue
                    assert leaks(loaded, ids, number) == []
                    other = redealt(loaded, None, number)
                    redealt_something += to_json(other.state) != to_json(loaded.state)
    assert redealt_something > 3, "nothing was redealt, so this proves nothing"


KABOOM = GAMES["kaboom"]


def with_facts(view, **facts):
    return View(view.viewer, view.zones, view.saying, view.facts | facts)


def with_zone(view, change):
    zones = tuple(change(zone) if zone.name == "stock" else zone for zone in view.zones)
    return View(view.viewer, zones, view.saying, view.facts)


PLANTED = {
    "a fact": lambda view, s: with_facts(view, stock_count=s.stock[-1]),
    "a hash of a card": lambda view, s: with_facts(view, stock_count=hash(s.stock[-1]) % 97),
    "a count": lambda view, s: with_facts(view, stock_count=len(s.stock) + (s.stock[-1][0] == "K")),
    "a face in a face-down zone": lambda view, s: with_zone(
        view, lambda z: Zone(z.name, z.owner, (*z.cards[:-1], s.stock[-1]), z.places)
    ),
    "a mark on a place": lambda view, s: View(
        view.viewer,
        tuple(
            Zone(z.name, z.owner, z.cards, z.places, {z.places[0]: f"{s.grids[z.owner][0]}"})
            if z.name == "grid" and z.places
            else z
            for z in view.zones
        ),
        view.saying,
        view.facts,
    ),
    "the order of zones": lambda view, s: View(
        view.viewer,
        tuple(sorted(view.zones, key=lambda z: (z.name, (z.owner or 0) ^ (s.stock[-1] > "6")))),
        view.saying,
        view.facts,
    ),
}


@pytest.mark.parametrize("leak", PLANTED.values(), ids=list(PLANTED))
def test_a_planted_leak_is_found(leak, app, service):
    """What the proof is worth: each of these must turn it red."""

    def leaky(state, viewer):
        return leak(KABOOM.view(state, viewer), state)

    game = replace(KABOOM, view=leaky)
    with app.test_request_context("/"):
        found = []
        for loaded, ids in positions(service, KABOOM, 3, 1, most=80):
            if loaded.table.playing and loaded.state.stock:
                for number in range(3):
                    found += leaks(replace(loaded, game=game), ids, number)
    assert found


def test_sealed_choices_move_nobody_elses_revision_beyond_that_somebody_has_chosen(app, service):
    """Twin tables: one seat bids high in one and low in the other; the others' numbers agree."""
    sealed = [key for key in ("gops", "taken") if key in GAMES]
    if not sealed:
        pytest.skip("no game of sealed choices here")
    for key in sealed:
        traces = []
        for pick in (0, -1):
            loaded, _ = next(positions(service, GAMES[key], 2, 7 + pick))
            offer = replace(loaded, player=loaded.table.chairs[0].player).prompt().offers[0]
            service.submit(
                loaded.code,
                loaded.table.chairs[0].player,
                f"{offer.verb} {offer.options[pick]}",
                offer.token,
                "c",
                1,
                loaded.table.revision(0),
            )
            table: Table = service.look(loaded.code).table
            traces.append((table.revision(1), table.revision(None), table.heard))
        assert traces[0] == traces[1]


def test_a_running_match_shows_its_commitment_and_never_its_seed(app, service, browser):
    loaded, _ = next(positions(service, KABOOM, 2, 3))
    someone = browser()
    someone.open(f"/t/{loaded.code}")
    assert loaded.table.commitment in someone.html
    assert loaded.seed.hex() not in someone.html
    assert not re.search(r'id="[^"]*(?:[2-9TJQKA][SHDC]|[BR]J)"', someone.html)
