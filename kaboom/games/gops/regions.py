"""The regions of a GOPS table, rendered by templates/regions.html."""

from collections import Counter
from typing import Any

from kaboom.engine.i18n import gettext as _
from kaboom.engine.moves import Seat
from kaboom.engine.outcome_text import how
from kaboom.engine.table_view import Draw, Shown, TablePage
from kaboom.engine.texts import in_points
from kaboom.engine.toolkit.cards import Card
from kaboom.games.gops.rules import HANDS, ROUNDS


def regions(page: TablePage, draw: Draw) -> Shown:
    """Return the table: the viewer's hand, the prizes in the middle, the others' hands."""
    others = [seat for seat in page.seats_from_me() if seat != page.viewer]
    sealed = _bid(page, page.viewer)
    return Shown(
        kind=f"n{len(page.names.seats)} gops",
        board=draw.around(
            "board",
            _hand(page, draw),
            _duel(page, draw, others),
            "" if page.played_out else _last(page, draw),
            _left(page, draw),
            [_rival(page, draw, seat) for seat in others],
        ),
        told=draw.kept("sealed", sealed, page.back is not None) if sealed else "",
        standing=draw.kept(
            "score",
            page.seen.facts["scores"][page.viewer],
            page.viewer,
            _gained(page, page.viewer),
        )
        if page.viewer is not None
        else "",
        lifting=_("Bid") if page.lifts(page.offer("bid")) else "",
        beside=_points(page, draw),
        names_waited_for=not page.waiting_is_said,
        final=_last(page, draw) if page.played_out else "",
        how=_how(page),
    )


def _hand(page: TablePage, draw: Draw) -> str:
    """Return the viewer's own cards, any of which may be bid, or ""."""
    me, sealed = page.viewer, _bid(page, page.viewer)
    cards = page.seen.zone("hand", me).cards if me is not None else ()
    if me is None or not cards:
        return ""
    bid = page.offer("bid")
    return draw.kept(
        "hand",
        page.at,
        page.match,
        page.revision,
        cards,
        page.value(bid) if bid else "",
        page.lifts(bid),
        page.asked_about,
        sealed,
    )


def _duel(page: TablePage, draw: Draw, others: list[Seat]) -> str:
    """Return the prizes on offer and the bids on the table."""
    facts = page.seen.facts
    place = facts["game"], len(facts["history"]) + 1
    bids = [draw.kept("bid", *place, it, page.names.name(it), _bid(page, it)) for it in others]
    if page.viewer is not None:
        name = "" if page.addressed == page.viewer else page.names.name(page.viewer)
        bids.insert(0, draw.kept("bid", *place, page.viewer, name, _bid(page, page.viewer)))
    return draw.kept(
        "duel",
        facts["game"],
        page.seen.zone("offer").cards,
        facts["offer_points"],
        facts["unclaimed"],
        len(facts["to_come"]),
        bids if page.playing or page.replay else [""],
        _tie(page),
    )


def _tie(page: TablePage) -> str:
    """Return the effect of equal bids on the prizes, if one sentence can state it."""
    if page.options.multi_tie == "highest_unique" and page.options.players > 2:
        return ""
    return "stays" if page.seen.facts["to_come"] else page.options.last_tie


def _last(page: TablePage, draw: Draw) -> str:
    """Return the bids and the winner of the last round, or "" before the end of the first."""
    facts = page.seen.facts
    if not facts["history"]:
        return ""
    round, prizes, points, bids, winner = _told(facts["history"][-1])
    shown = [(seat, page.title_of(seat), bids[seat]) for seat in page.seats_from_me()]
    came = ROUNDS - len(facts["to_come"]) - len(page.seen.zone("offer").cards)
    told = prizes, points, shown, winner
    return draw.kept("last", facts["game"], round, *told, page.addressed, came)


def _how(page: TablePage) -> str:
    """Return how a match of one game was won, and the round that decided it; "" for any other."""
    facts, end = page.seen.facts, page.outcome
    if end is None or end.reason != "won" or len(end.winners) > 1 or facts["games"] > 1:
        return ""
    if len(facts["history"]) < ROUNDS:  # an organiser has set the result
        return ""
    round, left = _decisive(facts["history"], end.winners[0])
    if not left and _led_before_the_last(facts, end.winners[0]):
        why = _("It was open until the last round.")
    elif not left:
        why = _("The last round decided it.")
    else:
        why = _(
            "Round {round} decided it, with only {points} left to win.",
            round=round,
            points=in_points(left),
        )
    return f"{how(end, page.names)} {why}"


def _decisive(history: list[dict[str, Any]], winner: Seat) -> tuple[int, int]:
    """Return the round after which nobody could catch up with the winner, and the points that were
    then left to win (0 if there is no such round).
    """
    scores, left = Counter[Seat](), sum(range(1, ROUNDS + 1))
    for past in history:
        if past["winner"] is not None:
            scores[past["winner"]] += past["points"]
            left -= past["points"]
        others = [points for seat, points in scores.items() if seat != winner]
        if scores[winner] - max(others, default=0) > left:
            return past["round"], left
    return len(history), 0


def _led_before_the_last(facts: dict[str, Any], seat: Seat) -> bool:
    """Return True if the seat had the most points before the last round."""
    scores, last = list(facts["scores"]), facts["history"][-1]
    if last["winner"] is not None:
        scores[last["winner"]] -= last["points"]
    return bool(scores[seat] > max(points for it, points in enumerate(scores) if it != seat))


def _left(page: TablePage, draw: Draw) -> str:
    """Return the remaining prizes, in their order if the viewer may know it."""
    facts = page.seen.facts
    order = facts.get("prize_order")
    newest = page.seen.zone("offer").cards[-1:]
    return draw.kept("left", facts["to_come"], order, *newest) if facts["to_come"] else ""


def _rival(page: TablePage, draw: Draw, seat: Seat) -> str:
    """Return another player's remaining cards."""
    cards = page.seen.zone("hand", seat).cards
    points = page.seen.facts["scores"][seat]
    who = page.names.name(seat), page.face(seat)
    won = seat, _gained(page, seat)
    return draw.kept("rival", *who, points, *won, _tags(page, seat), HANDS[seat], cards)


def _gained(page: TablePage, seat: Seat) -> int:
    """Return the points that a seat won in the round being shown."""
    history = page.seen.facts["history"]
    won = page.result and history and history[-1]["winner"] == seat
    return history[-1]["points"] if won else 0


def _points(page: TablePage, draw: Draw) -> str:
    """Return the round number, every player's points, and the finished rounds of this game, with
    the players in the order of the table.
    """
    facts, seats = page.seen.facts, page.seats_from_me()
    rounds = []
    for number, prizes, points, bids, winner in map(_told, facts["history"]):
        won_by = None if winner is None else seats.index(winner)
        columns = tuple(bids[seat] for seat in seats)
        rounds.append((number, prizes, points, columns, won_by))
    return draw.kept(
        "points",
        (facts["game"], facts["games"], facts["round"], facts["rounds"]),
        [page.title_of(seat) for seat in seats],
        [facts["scores"][seat] for seat in seats],
        [facts["totals"][seat] for seat in seats],
        rounds,
        page.outcome is not None,
        page.replay and page.outcome is not None,
    )


def _told(past: dict[str, Any]) -> tuple[Any, ...]:
    """Return the data of a round for the template: number, prizes, points, bids by seat, winner."""
    prizes, bids = tuple(past["prizes"]), tuple(past["bids"])
    return past["round"], prizes, past["points"], bids, past["winner"]


def _tags(page: TablePage, seat: Seat) -> tuple[bool, bool, bool, bool]:
    """Return the state of a seat as flags: has bid, has to bid, ready, away."""
    facts = page.seen.facts
    has_bid = seat in facts["has_bid"]
    to_bid = facts["stage"] == "bid" and page.playing and not has_bid
    return has_bid, to_bid, seat in facts["ready"], seat in facts["absent"]


def _bid(page: TablePage, seat: Seat | None) -> Card:
    """Return the card a player has bid in this round, "?" if it is sealed to the viewer, or "" if
    there is none.
    """
    if seat not in page.seen.facts["has_bid"]:
        return ""
    return page.seen.zone("bid", seat).cards[0]
