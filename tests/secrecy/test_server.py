"""At every URL, for every game and viewer, hidden information changes no byte.

Status, headers, body, streams, log lines and other outputs of the server are compared, also for
refused moves. In `make test` each kind of viewer makes a sixth of all requests in each game, and
all of them in all games together; KABOOM_SHARES=1 makes each in every game. KABOOM_LONG=1 plays
many more matches, and KABOOM_SEED other ones.
"""

import os
import re
from itertools import product

import pytest

from kaboom.games import GAMES, sample
from tests.secrecy.paired_server import World, otherwise, reached, serving
from tests.secrecy.proof import (
    STRANGER,
    Found,
    dealt_anew,
    leaks,
    sealed_leaks,
    stages,
)
from tests.secrecy.requests import (
    FORMS,
    KINDS,
    MODES,
    VALUES,
    Ask,
    Asking,
    Viewer,
    answer,
    ways,
)
from tests.secrecy.states import SEED, stages_of, tables_of
from tests.support.builtin_games import EXAMPLES
from tests.support.effort import LONG, often

MATCHES = often(1, soak=40)  # at least; more until everything was covered
SHARES = int(os.environ.get("KABOOM_SHARES") or often(6, soak=1))  # of which a game takes one
MORE = 72 // SHARES  # matches at most, for all requests
FIRST = SEED + often(40, soak=0)  # from here on few matches show every stage
FEW = 8


def place_of(key):
    """Return the share that a game takes. The games of examples/ take the same one, because in
    `make test` one of them runs for both (tests/support/sampling.py).
    """
    places = [it for it in GAMES if it not in EXAMPLES[1:]]
    return places.index(EXAMPLES[0] if key in EXAMPLES else key)


@pytest.mark.skipif(not EXAMPLES, reason="make test installs the games of examples/")
def test_games_with_one_example_cover_all_shares():
    for left_out in EXAMPLES:
        assert {place_of(key) % 6 for key in GAMES if key != left_out} == set(range(6))


def test_every_route_argument_has_a_value(app):
    """A new argument of a route must have a value in VALUES."""
    for way in ways(app):
        assert way.arguments <= set(VALUES), f"{way.rule}: give VALUES"
    assert set(FORMS) <= {way.endpoint for way in ways(app) if way.method == "POST"}


def test_all_shares_cover_every_viewer_kind_route_and_mode(app):
    shown = {way for way in ways(app) if way.shows}
    shares = [Asking(app, share, 6).planned() for share in range(6)]
    whole = set.union(*shares)
    assert {(kind, way) for kind, way, _ in whole if way.shows} == set(product(KINDS, shown))
    assert {(way, mode) for _, way, mode in whole if way.shows} == set(product(shown, MODES))
    assert {way for _, way, _ in whole} == set(ways(app))
    for share in shares:  # the mode changes from one route to the next
        assert {way for _, way, _ in share if way.shows} == shown
        assert {mode for *_, mode in share} == set(MODES)


def test_record_of_a_running_match_is_not_available(app):
    """A record holds every move. Comparing worlds would not find that, since both have the same
    record.
    """
    game = GAMES["gops"]
    for table, snapshot, _ in reached(app, game, game.options(), 2, 1, 3):
        found = [way for way in ways(app) if way.rule.startswith("/m/") and way.method == "GET"]
        assert found, "there are addresses of records"
        for way in found:
            for viewer in (player(table, 0), STRANGER):
                asked = Ask("GET", way.path(table, snapshot))
                assert answer(table, viewer, asked)["status"] in (403, 404, 409), asked


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_a_running_match_shows_its_commitment_and_never_its_seed(game, app):
    options, seats = tables_of(game)[0]
    for table, snapshot, _ in reached(app, game, options, seats, 1, 3):
        pages = [
            answer(table, player(table, 0), Ask("GET", f"/t/{table.code}{more}"))["body"].decode()
            for more in ("", "/leave")
        ]
        assert snapshot.table.commitment in pages[1]
        page = "".join(pages)
        for secret in (snapshot.seed, snapshot.key, snapshot.table.next_seed):
            assert secret.hex() not in page
        assert not re.search(r'id="[^"]*(?:[2-9TJQKA][SHDC]|[BR]J)"', page)


@pytest.mark.parametrize(
    ("key", "when", "what"), [("koth", "deal", "bots"), ("karata", "stop", "turns")]
)
def test_redealt_table_has_the_prompts_of_its_own_cards(key, when, what, app, monkeypatch):
    """A prompt that differs between the worlds must not show up as a change. While cards are dealt
    in King of the Hill, a bot may be able to declare trumps in only one of the worlds; in Karata,
    different cards may stop a jump.
    """
    game, told = GAMES[key], set()
    for match in range(FEW):
        for number, (table, stage) in enumerate(stages(app, game, monkeypatch, SEED + match)):
            if stage == when:
                told |= asked_otherwise(table, game, number, monkeypatch)
        if what in told:
            return
    pytest.fail(f"no {what} were asked otherwise in {FEW} matches, so this shows nothing")


def test_compared_worlds_differ_in_seed_and_state(app, monkeypatch):
    """Otherwise a leak of the seed would be the same in both worlds and go unnoticed."""
    game = GAMES["kaboom"]
    table, _ = next(it for it in stages(app, game, monkeypatch, SEED) if it[1] != "before")
    snapshot, at = table.service.get(table.code), table.service.now()
    other = otherwise(snapshot, None, dealt_anew(game, snapshot, None, 1))
    assert (other.seed, other.key) != (snapshot.seed, snapshot.key)
    for world in (snapshot, other):
        with serving(table, World(world, at), monkeypatch):
            seen = table.service.get(table.code)
            (once_more,) = table.service.get_many(table.code, [""])
        for each in (seen, once_more):
            assert (each.seed, each.key, each.state) == (world.seed, world.key, world.state)


def asked_otherwise(table, game, number, monkeypatch):
    """Redeal for each viewer; return what differs in the questions asked."""
    snapshot, at = table.service.get(table.code), table.service.now()
    told = set()
    for seat in [*table.people(), None]:
        other = otherwise(snapshot, seat, dealt_anew(game, snapshot, seat, number))
        if len(other.table.timers) != len(snapshot.table.timers):
            told.add("bots")
        if other.table.turns != snapshot.table.turns:
            told.add("turns")
        with serving(table, World(other, at), monkeypatch) as outlets:
            table.service.change(table.code, lambda transaction: None)
        assert not outlets.bus, (number, seat)
    return told


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_response_reveals_only_what_its_viewer_may_know(game, app, monkeypatch):
    """Each kind of viewer calls every route of the game's share by every method, and a player does
    so at every stage. All games together cover each request by htmx and without, in every language.
    """
    share = (place_of(game.key) + SEED // 1000) % SHARES
    found = Found(Asking(app, share, SHARES))
    all_stages = {*stages_of(game), "before", "after"} - {"over"}
    number = 0
    while number < MATCHES or not (found.done and all_stages <= set(found.stages)):
        unseen = all_stages - set(found.stages)
        assert number < MATCHES + MORE, f"never seen: {unseen}; all asked: {found.done}"
        for leak in leaks(app, game, monkeypatch, found, FIRST + number):
            pytest.fail(f"match {FIRST + number}: {leak}")
        number += 1
    assert found.changed > found.pairs / 5, "hardly anything was redealt, so this proves little"
    for stage in all_stages:
        asked = {kind for kind in KINDS if found.kinds[kind, stage]}
        assert asked == set(KINDS) if LONG else {"player"} < asked, stage
    assert found.shared > found.moments / 3
    assert found.asking.asked >= found.asking.planned()
    print(f"{game.name}: {found}")


@pytest.mark.parametrize("key", [key for key in GAMES if sample(key).sealed])
def test_sealed_choice_affects_others_equally_in_any_case(key, app, monkeypatch):
    """Numbers, log lines, streams, pages, a substitute bot's memory, bots' times, and messages
    between processes do not differ.
    """
    found = Found(Asking(app))
    for leak in sealed_leaks(app, GAMES[key], monkeypatch, found):
        pytest.fail(leak)
    assert set(found.verbs) == set(sample(key).sealed)


def player(table, seat):
    return Viewer("player", seat, table.cookies(seat))
