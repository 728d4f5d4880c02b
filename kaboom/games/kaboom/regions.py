"""What a page shows of a table of Kaboom, region by region; templates/regions.html draws them."""

from kaboom.core.cards import spoken
from kaboom.core.moves import Seat
from kaboom.core.page import Draw, Shown, TablePage
from kaboom.core.views import EMPTY


def regions(page: TablePage, draw: Draw) -> Shown:
    """Return the table: everybody's grid in its place around it, the piles in the middle."""
    facts, seats = page.seen.facts, page.seats_from_me()
    grids = [_grid(page, draw, seat, place) for place, seat in enumerate(seats)]
    board = [grids[0], _middle(page, draw), *grids[1:]]
    over = page.outcome is not None
    return Shown(
        kind=f"ring n{len(seats)}",
        board=draw.around("board", page.at, page.match, page.revision, board),
        told=_told(page, draw),
        beside=draw.kept(
            "beside", facts["round"], facts["rounds"], facts["target"], _scores(page, draw, over)
        ),
        quiet=("more", "withdraw", "peek") if facts["shown"] else ("more", "withdraw"),
    )


def _told(page: TablePage, draw: Draw) -> str:
    """Return what the prompt says to this viewer alone, and the result of a round."""
    facts, names, held = page.seen.facts, page.names, _held(page)
    if not (facts["shown"] or facts["more"] or facts["sums"] or held):
        return ""
    hold = facts["turn"] == page.viewer and facts["turn_stage"] in ("ability", "after_ability")
    fill = page.game.words.fill
    return draw.kept(
        "told",
        spoken(held) if held and hold else "",
        tuple(
            (fill("{at:place}", {"at": it["place"]}, names), spoken(it["card"]))
            for it in facts["shown"]
        ),
        facts["more"],
        _scores(page, draw, True) if facts["sums"] and not page.outcome else "",
    )


def _scores(page: TablePage, draw: Draw, whole: bool) -> str:
    """Return everybody's points; `whole`: also the round's sums, and what they scored."""
    facts = page.seen.facts
    sums = facts["sums"] if whole else ()
    names = page.names.seats
    return draw.kept(
        "scores", names, facts["totals"], sums, facts["scores"], facts["turn"], page.viewer
    )


def _grid(page: TablePage, draw: Draw, seat: Seat, place: int) -> str:
    """Return the grid of a seat, in its place around the table (0 is in front of the viewer)."""
    facts, me = page.seen.facts, page.viewer
    zone = page.seen.zone("grid", seat)
    return draw.kept(
        "grid",
        seat,
        place,
        seat == me,
        page.names,
        facts["totals"][seat],
        facts["sums"][seat] if facts["sums"] else None,
        (seat == facts["declared_by"], seat in facts["ready"], seat in facts["absent"]),
        seat == facts["turn"],
        zone.cards,
        zone.places,
        page.remarks(zone),
        page.presses(zone),
        page.asked_about,
    )


def _middle(page: TablePage, draw: Draw) -> str:
    """Return the stock, the drawn card and the discard pile."""
    view, facts, prompt = page.seen, page.seen.facts, page.prompt
    stock, top, held = view.zone("stock").cards, view.zone("discard").cards, _held(page)
    draw_it = prompt.offer("draw") if prompt else None
    take = prompt.offer("take") if prompt else None
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
    )


def _held(page: TablePage) -> str:
    """Return the drawn card as the viewer sees it, or nothing."""
    drawn = page.seen.zones_named("drawn")
    return drawn[0].cards[0] if drawn else ""
