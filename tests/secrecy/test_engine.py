"""For every game, stage and viewer: redealing what the viewer cannot know changes no view.

`make test` compares about 1,000 pairs of views, KABOOM_LONG=1 300,000. A failure prints the match
and the move, which suffice to repeat it.
"""

from collections import Counter
from itertools import count

import pytest

from kaboom.engine.codec import to_json
from kaboom.engine.engine import prompt
from kaboom.games import GAMES, sample
from tests.secrecy.oracle import decided, differences, from_the_engine, stirred
from tests.secrecy.states import (
    SEED,
    Visited,
    is_sealed,
    positions,
    redealt,
    stage_of,
    stages_of,
)
from tests.support.effort import often

PAIRS = often(500, soak=300_000) // len(GAMES)
SECRETIVE = [key for key in GAMES if sample(key).sealed]
FIRST = SEED + often(10, soak=0)  # from here on one match at each table shows every stage
EVERY = 5  # positions of a long stage; all positions of a short one


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_every_game_names_its_stages(game):
    """Otherwise the proofs could not report their coverage."""
    assert len(stages_of(game)) > 2


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_view_prompt_error_and_log_hide_the_unknowable(game):
    """The first occurrences of each stage and of each verb on offer are compared."""
    pairs = changed = 0
    visited = Visited()
    for match in count():
        for position in positions(game, 1, first=FIRST + match):
            anew = visited.note(position)
            often = position.number % EVERY and visited.stages[stage_of(position.state)] > 40
            if not anew and (pairs >= PAIRS or often):
                continue
            for viewer in [*range(position.seats), None]:
                here = from_the_engine(game, position.state, viewer, position.seats)
                for _ in range(2):
                    pairs += 1
                    other = redealt(game, position.state, viewer, pairs)
                    changed += other != position.state
                    there = from_the_engine(game, other, viewer, position.seats)
                    found = differences(here, there)
                    assert not found, (
                        f"{found} of {viewer} tell, match {FIRST + match}, move {position.number}, "
                        f"{position.seats} seats, {to_json(position.state.options)!r}"
                    )
            if pairs >= PAIRS and not visited.missing(game):
                break
        if pairs >= PAIRS and not visited.missing(game):
            break
        assert match < 50 + PAIRS // 100, f"never seen: {visited.missing(game)}"
    assert changed > pairs / 4, "hardly anything was redealt, so this proves little"
    print(f"{game.name}: {pairs} pairs of views, {changed} redealt")


@pytest.mark.parametrize("game", [GAMES[key] for key in SECRETIVE], ids=SECRETIVE)
def test_sealed_choice_reveals_only_that_it_was_made(game):
    """Other players' events, memories, views and moves do not depend on a hidden choice, draw or
    look.
    """
    sealed = set(sample(game.key).sealed)
    enough = PAIRS // 4 // len(sealed) + 1
    compared: Counter[str] = Counter()
    for match in range(40):
        for position in positions(game, 1, first=FIRST + match):
            move = position.move
            if move is None or compared[move.verb] >= enough or not is_sealed(position):
                continue
            for viewer in [*range(position.seats), None]:
                found = stirred(game, position, viewer, compared.total())
                if found is None:
                    continue
                compared[move.verb] += 1
                assert not found, f"{found} of {viewer}: {move}, match {FIRST + match}"
        if set(compared) == sealed:
            return
    raise AssertionError(f"never seen: {sealed - set(compared)}")


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_bot_decision_depends_only_on_its_seats_knowledge(game):
    """In an indistinguishable world, with the same memory, the bot decides the same."""
    if game.bot is None:
        pytest.skip(f"{game.name} has no bot of its own")
    compared = 0
    for position in positions(game, 1, most=150):
        if position.number % 6 or position.move is None:
            continue
        for seat in range(position.seats):
            own = prompt(game, position.state, seat)
            if not own.offers:
                continue
            other = redealt(game, position.state, seat, compared)
            compared += 1
            assert decided(game, position.state, seat) == decided(game, other, seat)
        if compared > 60:
            break
    assert compared > 10
