"""What one viewer may see of a table of Kaboom: nearly everything lies face down."""

from typing import Any

from kaboom.core.cards import Card
from kaboom.core.moves import Seat
from kaboom.core.views import DOWN, EMPTY, Saying, View, Zone
from kaboom.games.kaboom.rules import (
    PLACES,
    Ability,
    AnyStep,
    Give,
    LastFlips,
    Peeking,
    Place,
    ReplaceTaken,
    RoundOver,
    State,
    ability_of,
    held_card,
    is_last_round,
    rounds_of,
    starter,
)


def view(s: State, viewer: Seat | None) -> View:
    """Return what the viewer sees: faces only while they are being shown (section 8)."""
    shown = s.seen[-1 if viewer is None else viewer]
    zones = [grid(s, seat, shown) for seat in range(len(s.grids))]
    zones.append(Zone.down("stock", None, len(s.stock)))
    zones.append(Zone("discard", None, tuple(top.card for top in s.discards[-1:])))
    card = held_card(s)
    if card is not None:
        public = isinstance(s.steps[0], ReplaceTaken)
        zones.append(Zone("drawn", s.turn, (card if public or viewer == s.turn else DOWN,)))
    return View(viewer, tuple(zones), saying(s, viewer), facts(s, shown))


def grid(s: State, seat: Seat, shown: dict[Place, Card]) -> Zone:
    """Return a grid: backs, but for what this viewer is being shown; all up after the round."""
    cards = s.grids[seat]
    names = PLACES[seat][: len(cards)]
    over = isinstance(s.steps[-1], RoundOver)
    faces = (
        EMPTY if card is None else card if over else shown.get(name, DOWN)
        for name, card in zip(names, cards, strict=True)
    )
    marks = {name: s.marks[name] for name in names if name in s.marks}
    return Zone("grid", seat, tuple(faces), names, marks)


def stage(step: AnyStep) -> str:
    """Return the rule book's name of a step."""
    return str(step.__struct_config__.tag)


def on_turn(s: State) -> Seat | None:
    """Return who is on turn; nobody is before the first and after the last turn of a round."""
    return None if isinstance(s.steps[0], (Peeking, LastFlips, RoundOver)) else s.turn


def facts(s: State, shown: dict[Place, Card]) -> dict[str, Any]:
    """Return everything a page needs besides the cards.

    `stage` is "give" while a give is open, and `turn_stage` is then what it interrupts.
    """
    step = s.steps[-1]
    turn = s.steps[0]
    top = s.discards[-1] if s.discards else None
    return {
        "stage": stage(step),
        "turn_stage": stage(turn),
        "turn": on_turn(s),
        "starter": starter(s),
        "round": s.round,
        "rounds": rounds_of(s),
        "target": s.options.target,
        "totals": list(s.totals),
        "scores": list(s.scores),
        "sums": list(s.sums) if isinstance(step, RoundOver) else [],
        "declared_by": s.declared_by,
        "discard_count": len(s.discards),
        "stock_count": len(s.stock),
        "top_number": top.number if top else None,
        "flipped_by": top.flipped_by if top else None,
        "giver": step.seat if isinstance(step, Give) else None,
        "give_to": step.place if isinstance(step, Give) else None,
        "ready": sorted(s.ready),
        "peeked": sorted(s.peeked),
        "absent": sorted(s.absent),
        "ability": ability_of(turn.card) if isinstance(turn, Ability) else None,
        "picks": list(turn.picks) if isinstance(turn, Ability) else [],
        "shown": [{"place": place, "card": shown[place]} for place in sorted(shown)],
    }


def saying(s: State, viewer: Seat | None) -> Saying:
    """Return what is going on; the fact `seat` is the seat that is spoken to as "you"."""
    step = s.steps[-1]
    if s.abandoned:
        return Saying("abandoned")
    if isinstance(step, (Peeking, RoundOver)):
        waiting = [
            seat for seat in range(len(s.grids)) if seat not in s.ready and seat not in s.absent
        ]
        seat = viewer if viewer in waiting else None
        if isinstance(step, Peeking):
            return Saying("peeking", {"seat": seat, "waiting": waiting})
        if is_last_round(s):
            winners = [seat for seat, total in enumerate(s.totals) if total == min(s.totals)]
            return Saying("match_over", {"winners": winners, "points": min(s.totals)})
        return Saying("round_over", {"seat": seat, "round": s.round, "waiting": waiting})
    if isinstance(step, Give):
        return Saying("giving", {"seat": step.seat, "place": step.place})
    if isinstance(step, LastFlips):
        return Saying("flips_only")
    kind = stage(step)
    if kind == "first_move" and s.declared_by is not None:
        return Saying("last_move", {"seat": s.turn, "declarer": s.declared_by})
    known: dict[str, Any] = {"seat": s.turn}
    if isinstance(step, Ability):
        kind = f"ability_{ability_of(step.card)}{'_again' if step.picks else ''}"
        known["picks"] = list(step.picks)
    elif isinstance(step, ReplaceTaken) or viewer == s.turn:
        known["card"] = held_card(s)
    return Saying(kind, known)
