"""The view of Kaboom, where nearly all cards are face down."""

from collections.abc import Iterator
from typing import Any

from kaboom.engine.moves import Seat
from kaboom.engine.toolkit.cards import Card
from kaboom.engine.views import DOWN, EMPTY, OPEN, Saying, View, Zone
from kaboom.games.kaboom.cards import ability_of
from kaboom.games.kaboom.places import flippers
from kaboom.games.kaboom.rules import held_card, is_turn, starter
from kaboom.games.kaboom.scoring import is_last_round, rounds_of
from kaboom.games.kaboom.state import (
    PASS,
    PLACES,
    Ability,
    AfterAbility,
    AnyStep,
    Collecting,
    Drawn,
    Give,
    LastFlips,
    Peeking,
    Place,
    ReplaceTaken,
    RoundOver,
    State,
    unready,
)


def view(s: State, viewer: Seat | None) -> View:
    """Return the viewer's view: faces only while they are being shown.

    OPEN, the viewer of a finished match, sees all grids, the drawn card and the stock in order.
    """
    is_open = viewer == OPEN
    shown = {} if is_open else s.seen[-1 if viewer is None else viewer]
    zones = [grid(s, seat, shown, viewer) for seat in range(len(s.grids))]
    stock = s.stock if is_open else [DOWN] * len(s.stock)
    zones.append(Zone("stock", None, tuple(stock)))
    zones.append(Zone("discard", None, tuple(top.card for top in s.discards[-1:])))
    card = held_card(s)
    if card is not None:
        is_up = is_open or isinstance(s.steps[0], ReplaceTaken) or viewer == s.turn
        zones.append(Zone("drawn", s.turn, (card if is_up else DOWN,)))
    return View(viewer, tuple(zones), saying(s, viewer), facts(s, shown, viewer))


def grid(s: State, seat: Seat, shown: dict[Place, Card], viewer: Seat | None) -> Zone:
    """Return a grid: backs, except for cards shown to this viewer; face up after the round."""
    cards = s.grids[seat]
    names = PLACES[seat][: len(cards)]
    is_up = viewer == OPEN or isinstance(s.steps[-1], RoundOver)
    faces = (
        EMPTY if card is None else card if is_up else shown.get(name, DOWN)
        for name, card in zip(names, cards, strict=True)
    )
    marks = {name: s.marks[name] for name in names if name in s.marks}
    marks |= {name: "chosen" for name in to_be_flipped(s, viewer) if name in names}
    return Zone("grid", seat, tuple(faces), names, marks)


def to_be_flipped(s: State, viewer: Seat | None) -> list[Place]:
    """Return the places of sealed flips this viewer may see: their own, or all when OPEN."""
    step = s.steps[-1]
    if not isinstance(step, Collecting):
        return []
    seats = range(len(s.grids)) if viewer == OPEN else [] if viewer is None else [viewer]
    return [answer for seat in seats if (answer := step.answers[seat]) and answer != PASS]


def stage(step: AnyStep) -> str:
    """Return the name of a step in views."""
    return str(step.__struct_config__.tag)


def on_turn(s: State) -> Seat | None:
    """Return the seat whose turn it is; None before a round's first turn and after its last."""
    return s.turn if is_turn(s.steps[0]) else None


def facts(s: State, shown: dict[Place, Card], viewer: Seat | None) -> dict[str, Any]:
    """Return the facts that a page needs in addition to the cards.

    `stage` is "give" during a give, or "collecting" during patient flips. `turn_stage` is then the
    interrupted stage. `chosen` is the viewer's own sealed answer. `more` is True if the viewer has
    asked for more time to flip.
    """
    step = s.steps[-1]
    turn = s.steps[0]
    top = s.discards[-1] if s.discards else None
    own = step if isinstance(step, Collecting) and viewer != OPEN else None
    return {
        "stage": stage(step),
        "turn_stage": stage(turn),
        "turn": on_turn(s),
        "starter": starter(s),
        "round": s.round,
        "rounds": rounds_of(s),
        "target": s.options.target,
        "flip_penalty": s.options.flip_penalty,
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
        "chosen": own.answers[viewer] if own and viewer is not None else None,
        "more": own.asked[viewer] if own and viewer is not None else False,
        "shown": [{"place": place, "card": shown[place]} for place in sorted(shown)],
    }


def saying(s: State, viewer: Seat | None) -> Saying:
    """Return the status line; the fact `seat` is the seat addressed as "you"."""
    step = s.steps[-1]
    if s.abandoned:
        return Saying("abandoned")
    if isinstance(step, (Peeking, RoundOver)):
        waiting = unready(s)
        seat = viewer if viewer in waiting else None
        if isinstance(step, Peeking):
            kind = "peeking" if seat is None or not s.seen[seat] else "peeked_already"
            return Saying(kind, {"seat": seat, "waiting": waiting})
        if is_last_round(s):
            winners = [seat for seat, total in enumerate(s.totals) if total == min(s.totals)]
            return Saying("match_over", {"winners": winners, "points": min(s.totals)})
        fewest = min(s.sums)
        lowest = [seat for seat, total in enumerate(s.sums) if total == fewest]
        facts = {"seat": seat, "waiting": waiting, "points": fewest}
        if viewer in lowest:
            return Saying("round_mine", facts)
        return Saying("round_over", facts | {"lowest": lowest})
    if isinstance(step, Give):
        return Saying("giving", {"seat": step.seat, "place": step.place})
    if isinstance(step, Collecting):
        return saying_of_flips(s, step, viewer)
    if isinstance(step, LastFlips):
        return Saying("flips_only")
    kind = stage(step)
    if kind == "first_move" and s.declared_by is not None:
        if viewer == s.declared_by:
            return Saying("last_move_mine", {"seat": s.turn})
        return Saying("last_move", {"seat": s.turn, "declarer": s.declared_by})
    known: dict[str, Any] = {"seat": s.turn}
    if isinstance(step, Ability):
        kind = f"ability_{ability_of(step.card)}{'_again' if step.picks else ''}"
        known["picks"] = list(step.picks)
    elif isinstance(step, ReplaceTaken) or viewer == s.turn:
        known["card"] = held_card(s)
    if isinstance(step, (Drawn, AfterAbility)) and not any(s.grids[s.turn]):
        kind = "drawn_alone"
    return Saying(kind, known)


def saying_of_flips(s: State, step: Collecting, viewer: Seat | None) -> Saying:
    """Return the status line about flips: the seat's own answer; others learn only that flips are
    being collected.
    """
    top = s.discards[-1]
    if viewer is None or viewer not in flippers(s):
        if top.flipped_by is None:
            return Saying("collecting", {"card": top.card})
        return Saying("collecting_again", {"flipper": top.flipped_by, "card": top.card})
    known = {"seat": viewer, "card": top.card}
    answer = step.answers[viewer]
    if answer is None:
        again = "" if top.flipped_by is None else "_again"
        return Saying(f"collecting{again}", known)
    if answer == PASS:
        return Saying("collecting_passed", known)
    return Saying("collecting_chosen", known | {"place": answer})


def missed_flip(view: View) -> dict[str, str] | None:
    """Return the place and card of the viewer's own wrong flip while it is shown, or None."""
    if view.viewer is None:
        return None
    marks = {at: it for zone in view.zones_named("grid") for at, it in zone.marks.items()}
    own = view.zone("grid", view.viewer).places
    if not any(marks.get(at) == "penalty" for at in own):
        return None
    shown = (it for it in view.facts["shown"] if marks.get(it["place"]) == "flipped")
    return next(shown, None)


def result(view: View) -> Saying | None:
    """Return the result of the viewer's own last flip: a wrong one while its card is shown, a right
    one while it is the last event; then None.
    """
    missed, pile = missed_flip(view), view.zone("discard").cards
    if missed is None or not pile:
        return Saying("result.matched", {"card": pile[0]}) if has_matched(view) else None
    new = [*view.zone("grid", view.viewer).marks.values()].count("penalty")  # of all wrong flips
    known = {"card": missed["card"], "count": min(new, view.facts["flip_penalty"])}
    if view.facts["turn_stage"] == "replace_taken":  # perhaps the card that was flipped onto
        return Saying("result.missed_taken", known)
    return Saying("result.missed", known | {"onto": pile[0]})


def has_matched(view: View) -> bool:
    """Return True if the viewer has just flipped the top discard; collected flips say so
    themselves.
    """
    if view.viewer is None or view.facts["stage"] in ("collecting", "round_over"):
        return False
    marks = (mark for zone in view.zones_named("grid") for mark in zone.marks.values())
    return view.facts["flipped_by"] == view.viewer and "flipped" in marks


def now(view: View) -> Iterator[Saying]:
    """Yield the top of the discard pile, and the card that the player whose turn it is holds."""
    if top := view.zone("discard").cards:
        yield Saying("now.discard", {"card": top[0]})
    for held in view.zones_named("drawn"):
        kind = "now.drawn" if held.cards[0] == DOWN else "now.held"
        yield Saying(kind, {"seat": held.owner, "card": held.cards[0]})


def standing(view: View) -> Iterator[Saying]:
    """Yield every player's points."""
    for seat, points in enumerate(view.facts["totals"]):
        yield Saying("now.points", {"seat": seat, "points": points})
