"""The view of TakeN: all rows and taken cards, the viewer's own hand, and which seats have
chosen.
"""

from collections.abc import Iterable, Iterator
from typing import Any

from kaboom.engine.moves import Seat
from kaboom.engine.toolkit.cards import Card
from kaboom.engine.toolkit.simultaneous import is_still_shown, made, missing
from kaboom.engine.views import DOWN, OPEN, Saying, View, Zone
from kaboom.games.taken.rules import (
    HIGHEST,
    POINTS,
    State,
    Turn,
    cost,
    game_number,
    game_points,
    outcome,
    unready,
)

FEW = 2  # maximum number of rows taken in a reveal that are listed


def view(s: State, viewer: Seat | None) -> View:
    """Return the viewer's view; the fact `points` has the cost of each open card."""
    shown = zones(s, viewer)
    known = facts(s)
    open_cards = {int(card) for zone in shown for card in zone.cards if card != DOWN}
    open_cards |= {played.card for played in s.queue}
    open_cards |= {card for row in s.before for card in row}
    known["points"] = {str(card): POINTS[card] for card in sorted(open_cards)}
    return View(viewer, tuple(shown), saying(s, viewer), known)


def texts(cards: Iterable[int]) -> tuple[Card, ...]:
    """Return card numbers as text, as in views and moves."""
    return tuple(str(card) for card in cards)


def zones(s: State, viewer: Seat | None) -> list[Zone]:
    """Return the rows and each seat's cards; a chosen card is still in its hand."""
    shown = [Zone("row", None, texts(cards)) for cards in s.rows]
    for seat, hand in enumerate(s.hands):
        own = viewer in (seat, OPEN)
        shown.append(
            Zone.up("hand", seat, texts(hand)) if own else Zone.down("hand", seat, len(hand))
        )
        card = s.chosen[seat]
        if card is not None:
            shown.append(
                Zone("chosen", seat, texts([card])) if own else Zone.down("chosen", seat, 1)
            )
        shown.append(Zone("taken", seat, texts(s.taken[seat])))
    return shown


def saying(s: State, viewer: Seat | None) -> Saying:
    """Return the status line."""
    end = outcome(s)
    if end is not None:
        kind = "abandoned" if end.reason == "abandoned" else "ended"
        return Saying(kind, {"winners": list(end.winners), "scores": list(end.scores)})
    match s.stage:
        case "take":
            return Saying("taking", {"seat": s.queue[0].seat, "card": str(s.queue[0].card)})
        case "ready":
            waiting, least = unready(s), min(s.scores)
            lowest = [seat for seat, score in enumerate(s.scores) if score == least]
            known = {"game": game_number(s), "scores": s.scores.copy(), "waiting": waiting}
            known |= {"lowest": lowest, "least": least}
            if viewer not in waiting:
                return Saying("between_games", known)
            return Saying("be_ready.mine" if lowest == [viewer] else "be_ready", known)
        case _:
            waiting = missing(s.chosen)
            return Saying("choose_now" if viewer in waiting else "choosing", {"waiting": waiting})


def facts(s: State) -> dict[str, Any]:
    """Return the public facts, which do not depend on chosen cards."""
    options = s.options
    highest = len(s.scores) * options.hand_size + options.rows
    return {
        "stage": s.stage,
        "turn": s.queue[0].seat if s.stage == "take" else None,
        "game": game_number(s),
        "max_games": options.max_games,
        "round": s.round,
        "rounds": options.hand_size,
        "threshold": options.threshold,
        "row_size": options.row_size,
        "highest": highest if options.deck == "tight" else HIGHEST,
        "has_chosen": made(s.chosen),
        "row_points": [cost(row) for row in s.rows],
        "scores": s.scores.copy(),
        "game_points": game_points(s),
        "past": [list(points) for points in s.past],
        "queue": [{"card": str(played.card), "seat": played.seat} for played in s.queue],
        "rows_before": [list(texts(row)) for row in s.before],
        "reveal": [told(turn) for turn in s.turns],
        "ready": sorted(s.ready),
        "absent": s.absent.copy(),
    }


def told(turn: Turn) -> dict[str, Any]:
    """Return the placing of a card as a fact."""
    return {
        "card": str(turn.card),
        "seat": turn.seat,
        "row": turn.row,
        "taken": list(texts(turn.taken)),
        "points": cost(turn.taken),
        "chosen": turn.chosen,
        "forced": bool(turn.taken) and not turn.chosen,
    }


def now(view: View) -> Iterator[Saying]:
    """Yield the rows."""
    for row, zone in enumerate(view.zones_named("row")):
        yield Saying("now.row", {"row": row, "cards": list(zone.cards)})


def standing(view: View) -> Iterator[Saying]:
    """Yield every player's points."""
    for seat, points in enumerate(view.facts["scores"]):
        yield Saying("now.points", {"seat": seat, "points": points})


def result(view: View) -> Saying | None:
    """Return what the last reveal cost the viewer, or else the rows taken in it; None once the
    viewer has chosen for the next.
    """
    facts = view.facts
    shown = facts["stage"] == "choose" and is_still_shown(view.viewer, facts["has_chosen"])
    if not shown or not facts["reveal"]:
        return None
    turns = [it for it in facts["reveal"] if it["taken"]]
    told = [it for it in turns if it["seat"] == view.viewer] or turns
    if len(told) == 1:
        known = {key: told[0][key] for key in ("seat", "card", "row", "points")}
        if told[0]["chosen"]:
            return Saying("result.below", known)
        return Saying("result.full", known | {"place": len(told[0]["taken"]) + 1})
    if len(turns) > FEW:
        points = sum(it["points"] for it in turns)
        return Saying("result.many", {"times": len(turns), "points": points})
    took = [[it["seat"], it["row"], it["points"]] for it in turns]
    return Saying("result", {"took": took}) if took else Saying("result.none")
