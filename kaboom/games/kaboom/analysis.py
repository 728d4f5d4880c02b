"""Evaluation of Kaboom moves by the points of the round."""

from dataclasses import replace
from functools import partial

from kaboom.engine.bots.bot import Level
from kaboom.engine.bots.horizon import Analysis, lead
from kaboom.engine.moves import Move, Seat
from kaboom.engine.toolkit.cards import Card
from kaboom.engine.views import DOWN, Saying, View
from kaboom.games.kaboom.bot import BOT, Mind, put, weigh
from kaboom.games.kaboom.memory import KEPT, LOOKED, Memory
from kaboom.games.kaboom.places import card_at, cards_of
from kaboom.games.kaboom.state import RoundOver, State
from kaboom.games.kaboom.view import view

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


def recalls(memory: Memory, seen: View) -> list[Saying]:
    """Return what a seat remembers of the cards that are face down for it now."""
    return [
        Saying("remembered", {"place": place, "card": memory.known[place]})
        for grid in seen.zones_named("grid")
        for place, card in zip(grid.places, grid.cards, strict=True)
        if card == DOWN and place in memory.known
    ]


def explained(state: State, memory: Memory, move: Move) -> Saying | None:
    """Return what speaks for a move that a hard bot would not make: for a call, what the players
    probably hold; for a drawn card that is kept, what it replaces.
    """
    mind = Mind(memory, view(state, move.seat), move.seat, Level.HARD)
    if move.verb == "kaboom":
        return _called(mind)
    if move.verb in ("keep", "replace") and mind.held:
        return _replaced(mind, move, mind.held)
    return None


def _called(mind: Mind) -> Saying:
    """Return the expected sums of the caller and of the lowest other player; or what a call can
    save, if that player's is not higher.
    """
    others = (seat for seat in range(len(mind.cards)) if seat != mind.seat)
    rival = min(others, key=mind.expected)
    mine, theirs = round(mind.expected(mind.seat)), round(mind.expected(rival))
    facts = {"sum": mine, "rival": rival, "theirs": theirs}
    return Saying("think.call_lower" if mine < theirs else "think.call_worth_it", facts)


def _replaced(mind: Mind, move: Move, card: Card) -> Saying | None:
    """Return what a kept card saves in the place that the move names, or in the best one."""
    place = move.choices[0] if move.choices else max(mind.own, key=lambda it: mind.saved(it, card))
    kind, facts = put(move.verb, mind, place, card)
    return None if kind.endswith("_no") else Saying(f"think.{kind}", facts)


# Bots in playouts imagine fewer deals before a call, to leave time for other moves.
QUICK = replace(BOT, weigh=partial(weigh, deals=DEALS))
UNCONVINCING = frozenset(
    f"think.{it}" for it in ("keep_no", "replace_no", "take_no", "not_yet", "too_much")
)
ANALYSIS = Analysis(
    over,
    worth,
    bot=QUICK,
    supposed=supposed,
    recalls=recalls,
    unconvincing=UNCONVINCING,
    explained=explained,
)
