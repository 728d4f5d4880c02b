"""Previews depend only on what the seat sees: resampling changes no word of them."""

import pytest

from kaboom.engine.engine import prompt, start, step
from kaboom.engine.rng import Rng
from kaboom.engine.texts import Names
from kaboom.engine.toolkit.playthrough import NAMES
from kaboom.testing.cases import CASES
from tests.secrecy.states import next_move, redealt, seed
from tests.support.effort import often

MOVES = often(150, soak=1500)
TOLD = {"kaboom", "karata", "taken", "koth"}


def told(game, state, seat, seats):
    """Return every preview of a seat, in words."""
    view, names = game.view(state, seat), Names(NAMES[:seats], seat)
    found = []
    for offer in prompt(game, state, seat).offers:
        for choices in [(it,) for it in offer.playable] if offer.chooses_one else [()]:
            saying = game.preview(view, offer.verb, choices)
            if saying is not None:
                found.append(game.words.say(saying.kind, saying.facts, names))
    return found


@pytest.mark.parametrize("game", CASES.values(), ids=list(CASES))
def test_previews_are_independent_of_secrets_and_speakable(game):
    seats = game.seats(game.options())[:5][-1]
    state = start(game, seats, game.options(), seed(5)).state
    seen = set()
    for n in range(1, MOVES + 1):
        if game.outcome(state) is not None:
            break
        seat = n % seats
        found = told(game, state, seat, seats)
        assert all(found)
        assert told(game, redealt(game, state, seat, n), seat, seats) == found
        seen.update(found)
        move = next_move(game, state, seats, Rng(seed(5), n, "players"))
        state = step(game, state, move, Rng(seed(5), n)).state
    assert bool(seen) == (game.key in TOLD)


def test_taken_preview_assumes_no_card_in_between():
    game = CASES["taken"]
    state = start(game, 2, game.options(), seed(6)).state
    rows = [row.copy() for row in state.rows]
    for card in state.hands[0]:
        saying = game.preview(game.view(state, 0), "choose", (str(card),))
        below = [row for row in rows if row[-1] < card]
        if not below:
            assert saying.kind == "preview.below"
            continue
        best = rows.index(max(below, key=lambda row: row[-1]))
        assert (saying.kind, saying.facts["row"]) == ("preview.fits", best)
