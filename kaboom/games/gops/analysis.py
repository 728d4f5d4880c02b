"""Evaluation of GOPS bids by the lead in points at the end of the game.

In the round that is judged, the rivals bid like hard bots. Between two players, the value of the
remaining rounds is known for careful play (`ends`, `values`). With three players, the rest is
played by simple rules.
"""

from dataclasses import replace
from functools import partial
from typing import Any

from kaboom.engine.bots.bot import Level
from kaboom.engine.bots.horizon import Analysis, lead
from kaboom.engine.moves import Move, Seat
from kaboom.engine.rng import Rng
from kaboom.engine.views import Saying
from kaboom.games.gops import ends
from kaboom.games.gops.bot import BOT, weigh
from kaboom.games.gops.habits import values
from kaboom.games.gops.rules import State, game_number, round_number, scores, worth

LAST = 4  # cards in hand


def over(before: State, state: State) -> bool:
    """Return True if the game in which a bid was judged is over."""
    return state.stage != "bid" or game_number(state) != game_number(before)


def ahead(before: State, state: State, seat: Seat) -> float:
    """Return a seat's lead in points."""
    return lead(scores(state), seat)


def level(before: State, state: State) -> Level:
    """Return the level at which the others bid: hard in the round that is judged, then normal."""
    return Level.HARD if round_number(state) == round_number(before) else Level.NORMAL


def playout(before: State, state: State, seat: Seat, rng: Rng) -> float | None:
    """Return the lead of one of two players plus the value of the remaining rounds, or None."""
    if len(state.hands) > 2 or round_number(state) == round_number(before):
        return None
    mine, theirs = values(state.hands[seat]), values(state.hands[1 - seat])
    *carried, turned_up = state.on_offer
    prizes, pot = values([turned_up, *state.stack]), worth(carried)
    if len(prizes) <= ends.MOST:
        to_come = ends.still_to_be_won(mine, theirs, prizes, pot)
    else:
        from kaboom.games.gops.values import of_position  # imports numpy, only when needed

        to_come = of_position(mine, theirs, prizes, pot)
    return ahead(before, state, seat) + to_come


def theme(state: State, move: Move) -> str:
    """Return the subject of a bid: a pot left by a tie, the last rounds, or bidding in general."""
    if len(state.on_offer) > 1:
        return "ties"
    return "the-end" if len(state.hands[move.seat]) <= LAST else "bidding"


def explained(state: State, memory: Any, move: Move) -> Saying | None:
    """Return a sentence about how many of a lone rival's cards a bid beats, or None if there are
    two rivals. All players know these cards, because played cards lie open.
    """
    if len(state.hands) != 2:
        return None
    rival, (card,) = 1 - move.seat, move.choices
    (mine,), theirs = values([card]), values(state.hands[rival])
    beaten = sum(it < mine for it in theirs)
    kept = any(it > mine for it in values(state.hands[move.seat]))
    facts = {"card": card, "rival": rival, "beaten": beaten, "all": len(theirs)}
    kind = "outbids" if beaten else "cheap"
    return Saying(f"think.{kind}_and" if kept else f"think.{kind}", facts)


# Rivals that exploit habits could themselves be exploited, with certainty in every deal.
STEADY = replace(BOT, weigh=partial(weigh, steadily=True))
UNCONVINCING = frozenset(
    f"think.{it}" for it in ("best", "varies", "near", "worse", "seldom", "guess", "random")
)
ANALYSIS = Analysis(
    over,
    ahead,
    level=level,
    playout=playout,
    theme=theme,
    unconvincing=UNCONVINCING,
    explained=explained,
    rivals=STEADY,
)
