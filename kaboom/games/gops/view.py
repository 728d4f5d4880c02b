"""The view of GOPS. Hands are open, because they can be inferred from the bids of past rounds."""

from collections.abc import Iterator
from typing import Any

from kaboom.engine.moves import Seat
from kaboom.engine.toolkit.cards import Card
from kaboom.engine.toolkit.simultaneous import is_still_shown, made, missing
from kaboom.engine.views import OPEN, Outcome, Saying, View, Zone
from kaboom.games.gops.rules import (
    ROUNDS,
    VALUE,
    Round,
    State,
    game_number,
    outcome,
    round_number,
    scores,
    totals,
    unready,
    worth,
)


def view(s: State, viewer: Seat | None) -> View:
    """Return the viewer's view, which hides the others' sealed bids and, unless an option shows it,
    the order of the prizes.

    OPEN, the viewer of a finished match, sees these as well.
    """
    return View(viewer, tuple(zones(s, viewer)), saying(s, viewer), facts(s))


def zones(s: State, viewer: Seat | None) -> list[Zone]:
    """Return the table's and each seat's cards; a pending bid is still in its hand."""
    is_open = viewer == OPEN
    shown = [Zone("offer", None, tuple(s.on_offer))]
    if is_open:
        shown.append(Zone("prizes", None, tuple(reversed(s.stack))))  # the next prize first
    else:
        shown.append(Zone.down("prizes", None, len(s.stack)))
    for seat, hand in enumerate(s.hands):
        cards = tuple(hand)
        shown.append(Zone("hand", seat, cards, cards if seat == viewer else ()))
        bid = s.bids[seat]
        if bid is not None:
            own = is_open or seat == viewer
            shown.append(Zone("bid", seat, (bid,)) if own else Zone.down("bid", seat, 1))
        shown.append(Zone("won", seat, tuple(s.won[seat])))
    return shown


def saying(s: State, viewer: Seat | None) -> Saying:
    """Return the status line."""
    end = outcome(s)
    if end is not None:
        return ended(end)
    if s.stage == "ready":
        waiting = unready(s)
        known: dict[str, Any] = {"game": game_number(s), "games": s.options.games}
        known |= {"scores": scores(s), "waiting": waiting}
        return Saying("be_ready" if viewer in waiting else "between_games", known)
    waiting = missing(s.bids)
    count = len(s.on_offer)
    known = {"on_offer": s.on_offer.copy(), "points": worth(s.on_offer), "count": count}
    kind = "bid_now" if viewer in waiting else "bidding"
    return Saying(f"{kind}.several" if count > 1 else kind, known | {"waiting": waiting})


def ended(end: Outcome) -> Saying:
    """Return the line about the result of the match."""
    kind = end.reason if end.reason in ("forfeit", "abandoned") else "ended"
    return Saying(kind, {"winners": list(end.winners), "scores": list(end.scores)})


def facts(s: State) -> dict[str, Any]:
    """Return the public facts, which do not depend on pending bids."""
    known: dict[str, Any] = {
        "stage": s.stage,
        "game": game_number(s),
        "games": s.options.games,
        "round": round_number(s),
        "rounds": ROUNDS,
        "has_bid": made(s.bids),
        "offer_points": worth(s.on_offer),
        "to_come": in_order(s.stack),
        "scores": scores(s),
        "totals": totals(s),
        "past": [list(points) for points in s.past],
        "history": [told(number, past) for number, past in enumerate(s.history, 1)],
        "unclaimed": s.unclaimed.copy(),
        "shares": s.shares.copy(),
        "ready": sorted(s.ready),
        "absent": s.absent.copy(),
    }
    if s.options.show_prize_order:
        known["prize_order"] = s.stack[::-1]
    return known


def in_order(cards: list[Card]) -> list[Card]:
    """Return cards by their value, lowest first."""
    return sorted(cards, key=VALUE.__getitem__)


def told(number: int, past: Round) -> dict[str, Any]:
    """Return a finished round as a fact; `number` counts from 1."""
    return {
        "round": number,
        "prizes": list(past.prizes),
        "points": worth(past.prizes),
        "bids": list(past.bids),
        "winner": past.winner,
    }


def now(view: View) -> Iterator[Saying]:
    """Yield the prizes on offer, and every player's points."""
    if cards := view.zone("offer").cards:
        yield Saying("now.offer", {"cards": list(cards)})
    yield from standing(view)


def standing(view: View) -> Iterator[Saying]:
    """Yield every player's points."""
    for seat, points in enumerate(view.facts["scores"]):
        yield Saying("now.points", {"seat": seat, "points": points})


def result(view: View) -> Saying | None:
    """Return the result of the last round, until the viewer bids for the next; then None."""
    facts = view.facts
    shown = facts["stage"] == "bid" and is_still_shown(view.viewer, facts["has_bid"])
    if not shown or not facts["history"]:
        return None
    last = facts["history"][-1]
    winner, bids = last["winner"], last["bids"]
    if winner is None:
        return Saying("result.tie", {"points": last["points"]})
    others = [card for seat, card in enumerate(bids) if seat != winner]
    kind = "result" if len(others) == 1 else "result.of_three"
    known = {"seat": winner, "points": last["points"], "bid": bids[winner]}
    return Saying(kind, known | ({"other": others[0]} if len(others) == 1 else {}))
