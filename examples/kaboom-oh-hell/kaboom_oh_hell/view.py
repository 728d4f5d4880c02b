"""One viewer's view of Oh Hell: trumps, the trick, their hand, the backs of the others' cards."""

from collections.abc import Iterator

from kaboom.engine.moves import Seat
from kaboom.engine.toolkit import tricks
from kaboom.engine.toolkit.tricks import (
    Ranking,
    laid_out,
    last_taker,
    plain_ranking,
    player_at,
    points_beside,
)
from kaboom.engine.views import OPEN, Saying, Scores, View, Zone
from kaboom_oh_hell.rules import State, deals, gains, hooked, led, outcome, turn

ZONES = {name: tricks.ZONES[name] for name in ("played", "hand")}
ZONES["trump"] = "The card turned up after the deal: its suit is trumps."
FACTS = {
    "deal": "The number of the deal, from 1.",
    "deals": "How many deals the match has.",
    "bids": "How many tricks each seat has bid; null before it has.",
    "won": "How many tricks each seat has taken in this deal.",
}


def view(s: State, viewer: Seat | None) -> View:
    """Return what the viewer may see; OPEN, the viewer of a finished match, sees all cards."""
    facts = {"deal": s.deal, "deals": deals(s), "bids": s.bids.copy(), "won": s.won.copy()}
    cards, settled = tuple(zones(s, viewer)), s.stage == "ready"
    return View(viewer, cards, saying(s, viewer), facts, scores(s), tuple(standing(s)), settled)


def standing(s: State) -> Iterator[Saying | None]:
    """Yield what is shown beside each name: the bid, the tricks of it, or the points."""
    for bid, won, score, gained in zip(s.bids, s.won, s.scores, gains(s), strict=True):
        if s.stage in ("ready", "over"):
            yield points_beside(score, gained)
        elif bid is None:
            yield Saying("no_bid")
        elif s.stage == "bid":
            yield Saying("has_bid", {"bid": bid})
        else:
            mark = " ✓" if won == bid else " ✗" if won > bid else ""
            yield Saying("tricks_of_bid", {"won": won, "bid": bid, "mark": mark})


def scores(s: State) -> Scores:
    """Return the points; once all have bid, bids and tricks too, and a finished deal's points."""
    bids = [bid for bid in s.bids if bid is not None]
    if len(bids) < len(s.bids):
        return Scores(("Points",), tuple((points,) for points in s.scores))
    if s.stage in ("ready", "over"):
        rows = zip(bids, s.won, gains(s), s.scores, strict=True)
        return Scores(("Bid", "Tricks", "This deal", "Points"), tuple(rows))
    return Scores(("Bid", "Tricks", "Points"), tuple(zip(bids, s.won, s.scores, strict=True)))


def zones(s: State, viewer: Seat | None) -> Iterator[Zone]:
    """Yield the trump card, the trick by seat, and each seat's hand."""
    yield Zone.up("trump", None, s.stock[:1], middle=True)
    laid = {player_at(s.leader, place, len(s.won)): card for place, card in enumerate(s.trick)}
    trick = [laid.get(seat) for seat in range(len(s.won))]
    yield from laid_out(plain_ranking(s.stock[0][1]), trick, s.leader)
    for seat, hand in enumerate(s.hands):
        yield Zone.hand(seat, hand, viewer)


def result(view: View) -> Saying | None:
    """Return who has taken the last trick of a deal; None during a deal."""
    if (seat := last_taker(view)) is None:
        return None
    facts = {"seat": seat, "won": view.facts["won"][seat], "bid": view.facts["bids"][seat]}
    return Saying("trick_taken", facts)


def ranking(view: View) -> Ranking:
    """Return the ranking of cards: the suit of the card turned up is trumps."""
    turned = view.zone("trump").cards
    return plain_ranking(turned[0][1] if turned else None)


def saying(s: State, viewer: Seat | None) -> Saying:
    """Return the status line."""
    if over := outcome(s):
        return over.saying
    if s.stage == "ready":
        if viewer in (None, OPEN):
            return Saying("between_deals")
        told = {"bid": s.bids[viewer], "won": s.won[viewer], "points": gains(s)[viewer]}
        return Saying("between_deals", {"seat": viewer, **told})
    seat = turn(s)
    if s.stage == "bid":
        bid, cards = sum(bid for bid in s.bids if bid is not None), len(s.hands[seat])
        kind = "bidding_last" if cards >= bid and hooked(s, (str(cards - bid),)) else "bidding"
        return Saying(kind, {"seat": seat, "bid": bid, "cards": cards, "barred": cards - bid})
    hand = s.hands[seat] if seat == viewer else None
    doing = tricks.turn_kind(plain_ranking(), hand, led(s), bool(s.trick))
    return Saying(doing, {"seat": seat, "led": led(s), "won": s.won[seat], "bid": s.bids[seat]})
