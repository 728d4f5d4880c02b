"""Every address of the server, for every game and viewer: what cannot be known changes no byte.

Body, status, headers, length, stream and log lines of the answer are compared, for refused moves
too, and what leaves the server beside its answers. At the gate each kind of viewer goes in each
game through a sixth of the ways to ask, in all games together through all; KABOOM_SHARES=1 asks
each in every game.
KABOOM_LONG=1 plays many more matches, and KABOOM_SEED other ones.
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
from tests.support.effort import LONG, often

MATCHES = often(1, soak=40)  # at least; more until all was seen
SHARES = int(os.environ.get("KABOOM_SHARES") or often(6, soak=1))  # of which a game takes one
MORE = 72 // SHARES  # matches at most, for all ways to ask
FIRST = SEED + often(40, soak=0)  # from here on few matches show every stage
FEW = 8


def test_every_address_is_asked_for(app):
    """A new one with another part in it must say in VALUES with which it is to be asked."""
    for way in ways(app):
        assert way.arguments <= set(VALUES), f"{way.rule}: give VALUES"
    assert set(FORMS) <= {way.endpoint for way in ways(app) if way.method == "POST"}


def test_all_games_together_are_asked_everything_by_every_kind_of_viewer_in_every_mode(app):
    shown = {way for way in ways(app) if way.shows}
    shares = [Asking(app, share, 6).planned() for share in range(6)]
    whole = set.union(*shares)
    assert {(kind, way) for kind, way, _ in whole if way.shows} == set(product(KINDS, shown))
    assert {(way, mode) for _, way, mode in whole if way.shows} == set(product(shown, MODES))
    assert {way for _, way, _ in whole} == set(ways(app))
    for share in shares:  # how it is asked changes from way to way
        assert {way for _, way, _ in share if way.shows} == shown
        assert {mode for *_, mode in share} == set(MODES)


def test_the_record_of_a_running_match_is_not_to_be_had(app):
    """It holds every move; the comparison of worlds would not see it, for both have the same."""
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
def test_a_table_dealt_otherwise_is_one_that_could_be(key, when, what, app, monkeypatch):
    """What changes nothing here is no news there either: while King of the Hill is dealt a bot may
    be asked for trumps in one deal and not in the other, and whom Karata asks to stop a jump is
    asked for other cards.
    """
    game, told = GAMES[key], set()
    for match in range(FEW):
        for number, (table, stage) in enumerate(stages(app, game, monkeypatch, SEED + match)):
            if stage == when:
                told |= asked_otherwise(table, game, number, monkeypatch)
        if what in told:
            return
    pytest.fail(f"no {what} were asked otherwise in {FEW} matches, so this shows nothing")


def test_whoever_looks_looks_at_the_other_world_to_its_seed(app, monkeypatch):
    """Else what tells its seed would be the same in both worlds, and nobody would notice it."""
    game = GAMES["kaboom"]
    table, _ = next(it for it in stages(app, game, monkeypatch, SEED) if it[1] != "before")
    snapshot, at = table.service.look(table.code), table.service.now()
    other = otherwise(snapshot, None, dealt_anew(game, snapshot, None, 1))
    assert (other.seed, other.key) != (snapshot.seed, snapshot.key)
    for world in (snapshot, other):
        with serving(table, World(world, at), monkeypatch):
            seen = table.service.look(table.code)
            (once_more,) = table.service.looks(table.code, [""])
        for each in (seen, once_more):
            assert (each.seed, each.key, each.state) == (world.seed, world.key, world.state)


def asked_otherwise(table, game, number, monkeypatch):
    """Deal otherwise for each viewer, which is no news; return what is asked otherwise by it."""
    snapshot, at = table.service.look(table.code), table.service.now()
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
def test_no_answer_tells_what_its_viewer_cannot_know(game, app, monkeypatch):
    """Each kind of viewer asks every route of the game's share by every method, and at every stage
    somebody; in all games together each asks all, by htmx and without, in every language."""
    share = (list(GAMES).index(game.key) + SEED // 1000) % SHARES
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
def test_a_sealed_choice_stirs_others_the_same_whatever_was_chosen(key, app, monkeypatch):
    """Their numbers, their lines, their streams and pages, what a bot in their seat keeps, when
    bots will move, and what the processes tell each other."""
    found = Found(Asking(app))
    for leak in sealed_leaks(app, GAMES[key], monkeypatch, found):
        pytest.fail(leak)
    assert set(found.verbs) == set(sample(key).sealed)


def player(table, seat):
    return Viewer("player", seat, table.cookies(seat))
