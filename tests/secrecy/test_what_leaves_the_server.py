"""Every address of a table, for every game and viewer: what cannot be known changes no byte.

Body, status, headers, length, stream and log lines of the answer are compared, for refused moves
too. KABOOM_LONG=1 plays many more matches.
"""

import os
import re
from collections import Counter

import pytest

from kaboom.core.codec import to_json
from kaboom.games import GAMES
from tests.secrecy.oracle import differences
from tests.secrecy.twins import (
    VALUES,
    Ask,
    addresses,
    answer,
    path_of,
    prints,
    reached,
    requests_of,
    serving,
    world,
)
from tests.secrecy.worlds import (
    SEALED,
    Position,
    is_sealed,
    opened,
    own_move,
    redealt,
    stage_of,
    stages_of,
    tables_of,
)

PAIRS = 40_000 if os.environ.get("KABOOM_LONG") else 1_000  # of answers, for each game
MOST = 260  # moves of a match
PARTS = 11  # a position is asked for one part of all requests


def served(app, game, matches):
    """Yield each table that is played, loaded, and the next move there."""
    kinds = tables_of(game)
    for number in range(matches):
        options, seats = kinds[number * (len(kinds) // 2 + 1) % len(kinds)]
        yield from reached(app, game, options, seats, number, MOST)


def asks(table, loaded, viewer, times):
    """Return some requests, others each time; all of them in turn as a stage is seen again."""
    every = list(requests_of(table, loaded, viewer))
    return every[times % PARTS :: PARTS]


def test_every_address_of_a_table_is_asked_for(app):
    """A new address with another part in it must say here with which values it is to be asked."""
    for method in ("GET", "POST"):
        for rule in addresses(app, method):
            assert rule.arguments - {"code"} <= set(VALUES), f"{rule.rule}: give VALUES"


def test_the_record_of_a_running_match_is_not_to_be_had(app):
    """It holds every move; the comparison of worlds would not see it, for both have the same."""
    game = GAMES["gops"]
    for table, loaded, _ in reached(app, game, game.options(), 2, 1, 3):
        rules = [r for r in addresses(app, "GET") if not r.rule.startswith("/t/")]
        assert rules, "there are addresses of records"
        for rule in rules:
            for viewer in (0, None):
                asked = Ask("GET", path_of(table, loaded, rule, "GET"))
                assert answer(table, viewer, asked)["status"] in (403, 404, 409), asked


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_a_running_match_shows_its_commitment_and_never_its_seed(game, app):
    options, seats = tables_of(game)[0]
    for table, loaded, _ in reached(app, game, options, seats, 1, 3):
        page = answer(table, 0, Ask("GET", f"/t/{table.code}"))["body"].decode()
        assert loaded.table.commitment in page
        for secret in (loaded.seed, loaded.key, loaded.table.next_seed):
            assert secret.hex() not in page
        assert not re.search(r'id="[^"]*(?:[2-9TJQKA][SHDC]|[BR]J)"', page)


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_no_answer_tells_what_its_viewer_cannot_know(game, app, monkeypatch):
    pairs = changed = 0
    stages = Counter()
    unseen = stages_of(game) - {"over"}
    for table, loaded, _ in served(app, game, matches=40 + PAIRS // 100):
        stage = stage_of(loaded.state)
        unseen.discard(stage)
        if pairs >= PAIRS and not unseen:
            break
        stages[stage] += 1
        if stages[stage] > PARTS // 2 and (stages[stage] % 5 or pairs >= PAIRS):
            continue
        for viewer in [*range(len(loaded.table.seats)), None]:
            other = redealt(game, loaded.state, viewer, pairs)
            changed += to_json(other) != to_json(loaded.state)
            here, there = world(loaded, loaded.state), world(loaded, other)
            assert prints(here, viewer) == prints(there, viewer)
            asked = asks(table, here, viewer, stages[stage] + (viewer or 0))
            with serving(table, here, monkeypatch):
                ours = [answer(table, viewer, ask) for ask in asked]
            with serving(table, there, monkeypatch):
                theirs = [answer(table, viewer, ask) for ask in asked]
            for ask, one, two in zip(asked, ours, theirs, strict=True):
                pairs += 1
                if ask.method == "POST" and one["status"] < 400 and two["status"] < 400:
                    continue  # taken in both worlds: what it led to may differ, whether may not
                assert not differences(one, two), (
                    f"{ask} of {viewer} in {stage}, at {where(one, two)}"
                )
    assert not unseen, "stages of the game that were never seen"
    assert changed > 20, "hardly anything was redealt, so this proves little"
    print(f"{game.name}: {pairs} pairs of answers, {changed} redealt, stages {dict(stages)}")


@pytest.mark.parametrize("key", [key for key in SEALED if key in GAMES])
def test_a_sealed_choice_stirs_others_the_same_whatever_was_chosen(key, app, monkeypatch):
    """Their numbers, their lines, their streams and pages, and what a bot in their seat keeps."""
    game = GAMES[key]
    compared = 0
    for table, loaded, move in served(app, game, matches=12):
        seats = len(loaded.table.seats)
        if not is_sealed(Position(game, seats, loaded.state, 0, [], move)):
            continue
        for viewer in [*range(seats), None]:
            other = redealt(game, loaded.state, viewer, compared)
            its_move = own_move(game, other, move, compared)
            if viewer == move.seat or its_move is None:
                continue
            here = made(table, world(loaded, loaded.state), move, monkeypatch)
            there = made(table, world(loaded, other), its_move, monkeypatch)
            if opened(loaded.state, here.state, there.state):
                continue
            compared += 1
            one = stirred(table, here, viewer, monkeypatch)
            two = stirred(table, there, viewer, monkeypatch)
            assert not differences(one, two), (
                f"{viewer}: {move} or {its_move}, at {where(one, two)}"
            )
        if compared > 60:
            break
    assert compared > 20


def where(one, two):
    """Return where two answers begin to differ, with what is around it."""
    for name in differences(one, two):
        texts = [str(each[name]) for each in (one, two)]
        same = next((n for n, (a, b) in enumerate(zip(*texts, strict=False)) if a != b), 0)
        return name, [text[max(0, same - 100) : same + 100] for text in texts]
    return None


def made(table, now, move, monkeypatch):
    """Return the table after a move that is made in this world and then forgotten."""
    with serving(table, now, monkeypatch):
        return table.play(move, "once")


def stirred(table, after, viewer, monkeypatch):
    """Return what a viewer has of the move that led here."""
    asked = [ask for ask in requests_of(table, after, viewer) if ask.method == "GET"]
    with serving(table, world(after, after.state), monkeypatch):
        pages = [answer(table, viewer, ask) for ask in asked]
    known = after.table
    return {
        "revision": known.revision(viewer),
        "lines": to_json(known.lines(viewer)),
        "heard": known.heard.get("s" if viewer is None else str(viewer)),
        "bot's memory": bytes(known.memories.get(viewer, b"")),
        "clocks": to_json(known.clocks()),
        "pages": pages,
    }
