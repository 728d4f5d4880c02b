"""The regions of a Kaboom table, rendered by templates/regions.html."""

from collections.abc import Sequence

from kaboom.engine.moves import Seat
from kaboom.engine.table_view import Draw, Press, Shown, TablePage
from kaboom.engine.toolkit.cards import Card, spoken
from kaboom.engine.views import EMPTY, Zone
from kaboom.games.kaboom.cards import HIGH, LOW, points
from kaboom.games.kaboom.view import missed_flip

SEEN_BY_ALL = ("kaboom", "flipped", "wrong_flip", "swapped", "gave")  # all remember these
USUAL = ("replaced", "discarded", "took")  # the end of any turn
FEW = 2  # events that the rail has room for


def regions(page: TablePage, draw: Draw) -> Shown:
    """Return the table: every player's grid at its place, and the piles in the middle."""
    facts, seats = page.seen.facts, page.seats_from_me()
    own, *others = (_grid(page, draw, seat, place) for place, seat in enumerate(seats))
    around = page.at, page.match, page.revision
    me = page.viewer
    return Shown(
        kind=f"grids n{len(seats)}",
        board=draw.around(
            "board",
            *around,
            own,
            _middle(page, draw),
            others,
            page.options.jokers,
            page.viewer is not None and page.outcome is None and not page.replay,
        ),
        heard=_heard(page, draw),
        told=_told(page, draw),
        standing=_standing(page, draw, me) if me is not None else "",
        beside=draw.kept(
            "beside",
            page.outcome is not None,
            facts["round"],
            facts["rounds"],
            facts["target"],
            _scores(page, draw),
        ),
        quiet=_quiet(page),
        on_board=("keep",),  # done by pressing the card it replaces
        names_waited_for=not page.waiting_is_said,
        lately=_lately(page),
        final=_final(page, draw) if page.played_out else "",
    )


def _final(page: TablePage, draw: Draw) -> str:
    """Return who called kaboom in the last round, and every player's last cards with their sum, in
    the order of the podium.
    """
    facts, names = page.seen.facts, page.names
    places = page.outcome.places if page.outcome else ()
    sums, caller = facts["sums"], facts["declared_by"]
    kind = "made" if sums[caller] == min(sums) else "missed"
    told = page.game.words.say(kind, {"seat": caller, "sum": sums[caller]}, names) or ""
    grids = [
        (
            page.title_of(seat),
            tuple(card for card in page.seen.zone("grid", seat).cards if card != EMPTY),
            sums[seat],
            max(0, facts["scores"][seat] - sums[seat]) if kind == "missed" else 0,
        )
        for seat in sorted(range(len(places)), key=lambda seat: places[seat])
    ]
    right = facts["scores"][caller] == 0 < sums[caller]
    return draw.kept("final", told, right, grids)


def _quiet(page: TablePage) -> tuple[str, ...]:
    """Return the verbs of the secondary buttons.

    Calling kaboom is never the primary button. Nor is a verb that declines what pressing a card
    would do, or “ready” before the player has peeked. Taking a card is primary only if it is low;
    discarding the drawn one, only if it is high and its ability is not on offer.
    """
    facts = page.seen.facts
    found = ["more", "withdraw", "kaboom", "skip", "no_give"]
    if facts["stage"] == "peek":
        found.append("peek" if facts["shown"] else "ready")
    if page.offer("take"):
        found.append("draw" if _is_low_on_pile(page) else "take")
    if page.offer("discard") and (page.offer("use") or points(_held(page)) < HIGH):
        found.append("discard")
    return tuple(found)


def _is_low_on_pile(page: TablePage) -> bool:
    """Return True if the top of the discard pile is good whatever the viewer holds."""
    pile = page.seen.zone("discard").cards
    return bool(pile) and points(pile[0]) <= LOW


def _presses(page: TablePage, zone: Zone) -> tuple[Press | None, ...]:
    """Return the effect of pressing each card of a grid.

    A drawn card that is not low need not be kept, so no card that it could replace is highlighted;
    nor is any but the chosen one while the viewer is asked to confirm a move.
    """
    found, offer = page.presses(zone), page.offer("discard")
    if page.ask is None and (offer is None or points(_held(page)) <= LOW):
        return found
    return tuple(press and press._replace(must=False) for press in found)


def _heard(page: TablePage, draw: Draw) -> str:
    """Return the text that only screen readers announce: the cards shown to the viewer at the
    start, and the top of the discard pile.
    """
    facts = page.seen.facts
    if facts["stage"] == "peek" and facts["shown"]:
        return draw.kept("seen_now", _looked_at(page))
    pile = page.seen.zone("discard").cards
    return draw.kept("on_top", spoken(pile[0])) if pile else ""


def _standing(page: TablePage, draw: Draw, me: Seat) -> str:
    """Return the viewer's points and, until the end of the match, whether the viewer has called
    kaboom.
    """
    facts = page.seen.facts
    called = me == facts["declared_by"] and page.outcome is None
    return draw.kept("standing", facts["totals"][me], called)


def _told(page: TablePage, draw: Draw) -> str:
    """Return the viewer's own lines in the rail."""
    facts, held = page.seen.facts, _held(page)
    if facts["stage"] == "peek":
        return draw.kept("values", page.options.jokers)
    if facts["sums"]:
        return draw.kept("sums", page.names.seats, facts["sums"], facts["scores"], page.addressed)
    if page.offer("discard") and facts["stage"] == "drawn":
        use, keeps = page.offer("use"), page.offer("keep") is not None
        return draw.kept("worth", points(held), keeps, page.label(use) if use else "")
    hold = facts["turn"] == page.viewer and facts["turn_stage"] == "ability"
    if not (facts["shown"] or facts["more"] or hold):
        flipped, how = _flip(page), _how_to_flip(page)
        return draw.kept("race", flipped, how) if flipped or how else ""
    news = [*(it["place"] for it in facts["shown"]), "mine" if page.my_turn else "theirs"]
    return draw.kept(
        "told",
        spoken(held) if hold else "",
        _looked_at(page),
        facts["more"],
        "-".join(news),
    )


def _flip(page: TablePage) -> str:
    """Return the flip of another player that lies on the pile, or ""."""
    flipper, pile = page.seen.facts["flipped_by"], page.seen.zone("discard").cards
    if flipper is None or flipper == page.addressed:
        return ""
    at = next(
        (
            place
            for grid in page.seen.zones_named("grid")
            for place, mark in grid.marks.items()
            if mark == "flipped" and grid.owner != flipper
        ),
        None,
    )
    kind = "result.flipped" if at is None else "result.flipped_other"
    known = {"seat": flipper, "card": pile[0], "place": at}
    return page.game.words.say(kind, known, page.names) or ""


def _how_to_flip(page: TablePage) -> str:
    """Return how to flip onto the pile, for a viewer who may do so while others play; on their own
    turn the rail says how to press a card anyway.
    """
    offer = page.offer("flip")
    if page.my_turn:
        return page.pressed()
    if offer is None or not offer.playable or page.offer("withdraw"):  # a flip is chosen
        return ""
    return page.game.words.how("flip", page.names, offer.about)


def _lately(page: TablePage) -> tuple[str, ...]:
    """Return the last important events since the viewer's last move, or else how the previous turn
    ended; () unless the viewer's turn is beginning.
    """
    if not page.offer("draw"):
        return ()
    fresh = [line for line in page.log if line.fresh]
    found = [line.text for line in fresh if line.kind in SEEN_BY_ALL][-FEW:]
    usual = [line.text for line in fresh if line.kind in USUAL]
    return tuple(found or usual[-1:])


def _looked_at(page: TablePage) -> tuple[tuple[str, str], ...]:
    """Return the cards shown to the viewer, with their places, except for a wrong flip, which the
    status line tells.
    """
    fill, names = page.game.words.fill, page.names
    missed = missed_flip(page.seen)
    return tuple(
        (fill("{at:place}", {"at": it["place"]}, names), spoken(it["card"]))
        for it in page.seen.facts["shown"]
        if it != missed
    )


def _scores(page: TablePage, draw: Draw) -> str:
    """Return every player's points and, after a round, its sums and scores."""
    facts = page.seen.facts
    names = page.names.seats
    return draw.kept(
        "scores",
        names,
        facts["totals"],
        facts["sums"],
        facts["scores"],
        facts["turn"],
        page.addressed,
    )


def _grid(page: TablePage, draw: Draw, seat: Seat, place: int) -> str:
    """Return the grid of a seat, at its place around the table (0 is the viewer's)."""
    facts, me = page.seen.facts, page.viewer
    zone = page.seen.zone("grid", seat)
    return draw.kept(
        "grid",
        seat,
        place,
        seat == me,
        page.names,
        page.face(seat),
        facts["totals"][seat],
        facts["sums"][seat] if facts["sums"] else None,
        bool(facts["sums"]) and facts["scores"][seat] == min(facts["scores"]),
        (seat == facts["declared_by"], seat in facts["ready"], seat in facts["absent"]),
        seat == facts["turn"],
        zone.cards,
        zone.places,
        _surprising_points(zone.cards) if facts["sums"] else page.remarks(zone),
        _presses(page, zone),
        page.asked_about,
    )


def _surprising_points(cards: Sequence[Card]) -> tuple[str, ...]:
    """Return for each card that counts 0 or less, though its face looks high, what it counts."""
    minus = "\N{LEFT-TO-RIGHT MARK}−"
    return tuple(
        str(points(card)).replace("-", minus) if card != EMPTY and points(card) <= 0 else ""
        for card in cards
    )


def _middle(page: TablePage, draw: Draw) -> str:
    """Return the stock, the drawn card and the discard pile. No pile can be pressed while the
    viewer is asked to confirm a move.
    """
    view, facts = page.seen, page.seen.facts
    stock, top, held = view.zone("stock").cards, view.zone("discard").cards, _held(page)
    draw_it, take = (None, None) if page.ask else (page.offer("draw"), page.offer("take"))
    turn = facts["turn"]
    return draw.kept(
        "middle",
        stock[-1] if stock else EMPTY,
        facts["stock_count"],
        page.value(draw_it) if draw_it else "",
        held,
        page.names.name(turn) if held and turn != page.viewer else "",
        top[0] if top else "",
        facts["top_number"],
        page.value(take) if take else "",
        facts["discard_count"],
        _came_from(page),
        _is_low_on_pile(page),
        _verdict(page),
    )


def _verdict(page: TablePage) -> str:
    """Return after a round whether the call was right, and what the caller scores; else ""."""
    facts = page.seen.facts
    sums, caller = facts["sums"], facts["declared_by"]
    if not sums:
        return ""
    kind = "result.right_call" if sums[caller] == min(sums) else "result.wrong_call"
    known = {"seat": caller, "sum": sums[caller], "score": facts["scores"][caller]}
    return page.game.words.say(kind, known, page.names) or ""


def _came_from(page: TablePage) -> str:
    """Return the previous place of the top discard, as its id on the page."""
    flipper = page.seen.facts["flipped_by"]
    if flipper is not None:
        return f"seat-{flipper}"
    grids = page.seen.zones_named("grid")
    replaced = [place for it in grids for place, mark in it.marks.items() if mark == "replaced"]
    return f"at-{replaced[0]}" if replaced else "drawn"


def _held(page: TablePage) -> str:
    """Return the drawn card as the viewer sees it, or "" if there is none."""
    drawn = page.seen.zones_named("drawn")
    return drawn[0].cards[0] if drawn else ""
