"""The regions of a TakeN table, rendered by templates/regions.html."""

from collections.abc import Iterable, Sequence
from typing import Any

from kaboom.engine.i18n import gettext as _
from kaboom.engine.moves import Seat
from kaboom.engine.outcome_text import how
from kaboom.engine.table_view import Draw, Shown, TablePage
from kaboom.engine.texts import in_points
from kaboom.engine.toolkit.cards import Card, joined
from kaboom.games.taken.previews import goes_to

SEEN_TOGETHER = 3  # the moment of the first card, after all have been seen together
SWEEP = 2  # moments that it takes a row to leave
MOMENTS = 18  # how many the style sheet knows
FEW = 6  # maximum number of cards from the last reveal shown beside the result


def regions(page: TablePage, draw: Draw) -> Shown:
    """Return the table: the rows, the viewer's hand, the last reveal, and all players' points."""
    facts, me = page.seen.facts, page.viewer
    # The result of a large match leaves the rest to the replay, so that its page stays small.
    large = len(page.names.seats) > FEW
    brief = page.outcome is not None and (large or not page.played_out)
    return Shown(
        kind=_kind(page),
        board=draw.around(
            "board",
            page.at,
            page.match,
            page.revision,
            _hand(page, draw),
            _rows(page, draw),
            facts["row_size"],
            "" if brief else _story(page, draw),
            [] if brief else _players(page, draw),
        ),
        told=_told(page, draw),
        standing="" if me is None else _standing(page, draw, me),
        beside=_points(page, draw),
        on_board=("take",),
        final=_final(page, draw) if page.played_out else "",
        how=_how(page),
        names_waited_for=False,
    )


def _standing(page: TablePage, draw: Draw, me: Seat) -> str:
    """Return the viewer's own points."""
    scores = page.seen.facts["scores"]
    return draw.kept("counted", scores[me], me, _gained(page, me), _paid_at(page, me))


def _kind(page: TablePage) -> str:
    """Return the classes of the table: its layout and, while a reveal is shown, the moments at
    which its last card lies and at which the result that is told is clear.
    """
    facts = page.seen.facts
    layout, reveal = f"takes z{facts['row_size']}", facts["reveal"]
    if not reveal or not _new(page) or page.outcome is not None:
        return layout
    landed = [(moment, turn) for turn, moment in zip(reveal, moments(reveal), strict=True)]
    turns = [(moment, turn) for moment, turn in landed if turn["taken"]] or landed
    own = [it for it in turns if it[1]["seat"] == page.viewer and it[1]["taken"]]
    told, end = (own or turns)[-1][0], landed[-1][0] + (SWEEP if landed[-1][1]["taken"] else 1)
    return f"{layout} s{min(end + 1, MOMENTS)} t{told}"


def moments(reveal: Sequence[dict[str, Any]]) -> list[int]:
    """Return the moment at which each card of a reveal lands, counted in steps of the style sheet.

    All cards are seen together first, unless they were while a player chose a row. A row that is
    taken has the time to leave.
    """
    now = 1 if reveal and reveal[0]["chosen"] else SEEN_TOGETHER
    found = []
    for turn in reveal:
        found.append(min(now, MOMENTS))
        now += SWEEP if turn["taken"] else 1
    return found


def _told(page: TablePage, draw: Draw) -> str:
    """Return the viewer's own hint: how to take a row, where a lifted card goes, or the sealed
    card.
    """
    if page.offer("take"):
        return draw.kept("below", page.seen.facts["queue"][0]["card"])
    if page.lifts(page.offer("choose")):
        return draw.kept("going", _goals(page), "" if page.result or page.notice else _("Play"))
    sealed = _sealed(page)
    return draw.kept("sealed", sealed, page.back is not None) if sealed else ""


def _hand(page: TablePage, draw: Draw) -> str:
    """Return the viewer's own cards, any of which may be chosen; none after the end of the
    match.
    """
    if page.viewer is None or page.outcome is not None:
        return ""
    cards = page.seen.zone("hand", page.viewer).cards
    choose = page.offer("choose")
    value = page.value(choose) if choose else ""
    around = page.at, page.match, page.revision
    asked, sealed = page.asked_about, _sealed(page)
    costing = [(*it, *_going(page, int(it[0]))) for it in _costing(page, cards)]
    order = _order(page) if page.seen.facts["stage"] == "ready" else ()
    return draw.kept("hand", *around, costing, value, page.lifts(choose), asked, sealed, order)


def _order(page: TablePage) -> list[tuple[str, str, int, int]]:
    """Return all players, fewest points first: name, avatar, points in the match and in the last
    game.
    """
    facts = page.seen.facts
    scores, last = facts["scores"], facts["game_points"]
    seats = sorted(range(len(scores)), key=lambda seat: (scores[seat], seat))
    return [(*_who(page, it), scores[it], last[it]) for it in seats]


def _going(page: TablePage, card: int) -> tuple[int, bool]:
    """Return the number of the row to which a card goes, 0 for none, and True if it takes the
    row.
    """
    at, full = goes_to(page.seen, card)
    return 0 if at is None else at + 1, full


def _goals(page: TablePage) -> list[tuple[int, bool, int]]:
    """Return the rows to which the viewer's cards go: the number (0: below all rows), whether it is
    full, and its points (for 0, those of the cheapest row).
    """
    points = page.seen.facts["row_points"]
    goals = {_going(page, int(it)) for it in page.seen.zone("hand", page.viewer).cards}
    return [(row, full, points[row - 1] if row else min(points)) for row, full in sorted(goals)]


def _rows(page: TablePage, draw: Draw) -> list[str]:
    """Return the rows, with the players who have just played there, and the cards being taken."""
    facts, new = page.seen.facts, _new(page) and page.outcome is None
    before = facts["rows_before"]
    take = page.offer("take")
    steps = list(zip(moments(facts["reveal"]), facts["reveal"], strict=True))
    names = page.names.seats  # not "You", so that all viewers share the rows
    came = {it["card"]: (step, names[it["seat"]], page.face(it["seat"])) for step, it in steps}
    laid = {it["card"] for _step, it in steps if it["taken"] and not it["chosen"]}
    drawn = []
    for row, zone in enumerate(page.seen.zones_named("row")):
        taken = [(step, turn) for step, turn in steps if turn["row"] == row and turn["taken"]]
        html = draw.kept(
            "row",
            row + 1,
            [(*card, *came.get(card[0], (0, "", ""))) for card in _costing(page, zone.cards)],
            facts["row_points"][row],
            sum(points for _, points in _costing(page, before[row])) if before else 0,
            facts["row_size"],
            [
                (
                    turn["card"],
                    turn["seat"] == page.viewer,
                    min(step + SWEEP, MOMENTS),
                    turn["card"] in laid,
                    tuple(
                        (*card, came.get(card[0], (0,))[0], card[0] in laid)
                        for card in _costing(page, turn["taken"])
                    ),
                )
                for step, turn in taken
                if new
            ],
            max((came[it][0] + (it in laid) for it in zone.cards if it in came), default=0)
            if new
            else 0,
            page.value(take, str(row)) if take else "",
            take is not None and facts["row_points"][row] == min(facts["row_points"]),
            take is not None and page.asked_about == str(row),
        )
        drawn.append(html)
    return drawn


def _story(page: TablePage, draw: Draw) -> str:
    """Return the last reveal step by step, and the cards that wait for a row to be chosen."""
    facts = page.seen.facts
    points, stage = facts["points"], facts["stage"]
    return draw.kept(
        "story",
        facts["game"],
        facts["round"] - 1 if stage == "choose" else facts["round"],
        stage == "take",
        [
            (
                turn["card"],
                points[turn["card"]],
                *_who(page, turn["seat"]),
                turn["row"] + 1,
                tuple(turn["taken"]),
                turn["points"],
                turn["chosen"],
                moment,
            )
            for moment, turn in zip(moments(facts["reveal"]), facts["reveal"], strict=True)
        ],
        [(it["card"], points[it["card"]], *_who(page, it["seat"])) for it in facts["queue"]],
        _new(page),
    )


def _how(page: TablePage) -> str:
    """Return how the match was won and why it ended, or "" if it was not played to its end."""
    facts, end = page.seen.facts, page.outcome
    if end is None or end.reason != "won":
        return ""
    points = in_points(facts["threshold"])
    reached = [seat for seat, has in enumerate(facts["scores"]) if has >= facts["threshold"]]
    # The reader comes first: "You and Ben have reached 66 points."
    names = [page.title_of(it) for it in sorted(reached, key=lambda it: it != page.addressed)]
    if not reached:
        why = _("That was the last game.")
    elif len(reached) > 1:
        why = _("{names} have reached {points}.", names=joined(names), points=points)
    elif reached[0] == page.addressed:
        why = _("You have reached {points}.", points=points)
    else:
        why = _("{name} has reached {points}.", name=names[0], points=points)
    return f"{how(end, page.names)} {why} {_decisive(page)}".rstrip()


def _decisive(page: TablePage) -> str:
    """Return the game in which the runner-up lost most to the only winner of several games, in
    words, or "".
    """
    facts, end = page.seen.facts, page.outcome
    games = [*facts["past"], facts["game_points"]]
    if end is None or len(end.winners) > 1 or len(games) < 2:
        return ""
    first, second, *_rest = sorted(range(len(end.places)), key=end.places.__getitem__)
    number, points = max(enumerate(games, 1), key=lambda it: it[1][second] - it[1][first])
    if points[second] <= points[first]:
        return ""
    return _(
        "Game {game} decided it: {points} for {name}, {least} for {winner}.",
        game=number,
        name=page.names.you_or_name(second),
        points=in_points(points[second]),
        winner=page.names.you_or_name(first),
        least=points[first],
    )


def _final(page: TablePage, draw: Draw) -> str:
    """Return a summary of the last reveal of the match.

    It is empty if there are too many cards, or if no reveal decided the match.
    """
    facts = page.seen.facts
    points = facts["points"]
    steps = [
        (it["card"], points[it["card"]], page.title_of(it["seat"]), it["points"])
        for it in facts["reveal"]
    ]
    return draw.kept("final", steps) if 0 < len(steps) <= FEW else ""


def _players(page: TablePage, draw: Draw) -> list[str]:
    """Return the other players with their points and their state."""
    facts = page.seen.facts
    return [
        draw.kept(
            "player",
            *_who(page, seat),
            facts["scores"][seat],
            seat,
            _gained(page, seat),
            _paid_at(page, seat),
            _doing(facts, seat),
            seat in facts["absent"],
        )
        for seat in page.seats_from_me()
        if seat != page.viewer
    ]


def _gained(page: TablePage, seat: Seat) -> int:
    """Return the points that a seat took in the reveal being shown."""
    if not _new(page) or page.outcome is not None:
        return 0
    return sum(it["points"] for it in page.seen.facts["reveal"] if it["seat"] == seat)


def _paid_at(page: TablePage, seat: Seat) -> int:
    """Return the moment at which the row that a seat took in the reveal being shown has left, or
    0.
    """
    reveal = page.seen.facts["reveal"]
    landed = zip(moments(reveal), reveal, strict=True)
    mine = [moment for moment, it in landed if it["seat"] == seat and it["taken"]]
    return min(mine[0] + SWEEP, MOMENTS) if mine and _gained(page, seat) else 0


def _who(page: TablePage, seat: Seat) -> tuple[str, str]:
    """Return the name and the avatar of a seat."""
    return page.title_of(seat), page.face(seat)


def _doing(facts: dict[str, Any], seat: Seat) -> str:
    """Return the state of a seat in one word, or ""."""
    if seat in facts["has_chosen"]:
        return "chosen"
    if seat in facts["ready"]:
        return "ready"
    return "take" if seat == facts["turn"] else ""


def _points(page: TablePage, draw: Draw) -> str:
    """Return the round, every player's points and taken cards, and the end of the match."""
    facts = page.seen.facts
    game, names = facts["game_points"], [page.title_of(it) for it in range(len(facts["scores"]))]
    taken = [zone.cards for zone in page.seen.zones_named("taken")]
    lines = [
        draw.kept(
            "score",
            name,
            seat == facts["turn"],
            now,
            total,
            seat,
            _gained(page, seat),
            _paid_at(page, seat),
        )
        for seat, (name, now, total) in enumerate(zip(names, game, facts["scores"], strict=True))
    ]
    return draw.around(
        "points",
        (facts["game"], facts["max_games"], facts["round"], facts["rounds"]),
        lines,
        # After the match only the points are of interest, and its page stays small.
        "" if page.outcome else draw.kept("taken", facts["game"], names, taken, game),
        facts["threshold"],
        page.outcome is not None,
        bool(page.result and facts["reveal"]),
    )


def _new(page: TablePage) -> bool:
    """Return True while the steps of the reveal are animated: until the viewer has chosen."""
    return page.viewer not in page.seen.facts["has_chosen"]


def _sealed(page: TablePage) -> Card:
    """Return the card the viewer has chosen in this round, or "" if there is none."""
    if _new(page):
        return ""
    return page.seen.zone("chosen", page.viewer).cards[0]


def _costing(page: TablePage, cards: Iterable[Card]) -> list[tuple[Card, int]]:
    """Return cards with their points."""
    points = page.seen.facts["points"]
    return [(card, points[card]) for card in cards]
