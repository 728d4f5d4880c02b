"""Evaluation of Kaboom moves by the points of the round."""

from dataclasses import replace
from functools import partial

from kaboom.engine.bots.horizon import Analysis, lead
from kaboom.engine.moves import Seat
from kaboom.engine.views import DOWN, Saying, View
from kaboom.games.kaboom.bot import BOT, weigh
from kaboom.games.kaboom.memory import KEPT, LOOKED, Memory
from kaboom.games.kaboom.places import card_at, cards_of
from kaboom.games.kaboom.state import RoundOver, State

DEALS = 25  # imagined deals before a call


def over(before: State, state: State) -> bool:
    """Return True if the round in which a move was judged is over."""
    return isinstance(state.steps[-1], RoundOver) or state.round != before.round


def worth(before: State, state: State, seat: Seat) -> float:
    """Return by how many points a seat leads in this round, in which fewer points are better."""
    return lead(state.scores, seat, lowest_wins=True) if state.scores else 0.0


def supposed(memory: Memory, state: State, seat: Seat, other: Seat) -> Memory:
    """Return the memory that can be assumed for another seat: its own cards that it publicly
    looked at or kept.
    """
    known = {
        place: card_at(state, place)
        for place in cards_of(state, other)
        if memory.signs.get(place) in (LOOKED, KEPT)
    }
    return Memory(known, dict(memory.signs), list(memory.pile))


def recalls(memory: Memory, view: View) -> list[Saying]:
    """Return what a seat remembers of the cards that are face down for it now."""
    return [
        Saying("remembered", {"place": place, "card": memory.known[place]})
        for grid in view.zones_named("grid")
        for place, card in zip(grid.places, grid.cards, strict=True)
        if card == DOWN and place in memory.known
    ]


# Bots in playouts imagine fewer deals before a call, to leave time for other moves.
QUICK = replace(BOT, weigh=partial(weigh, deals=DEALS))
UNCONVINCING = frozenset({"think.keep_no", "think.replace_no"})
ANALYSIS = Analysis(
    over, worth, bot=QUICK, supposed=supposed, recalls=recalls, unconvincing=UNCONVINCING
)
