"""One viewer's view of Hearts: the trick, their hand, the backs of others' cards, the points."""

from collections.abc import Iterator

from kaboom.engine.moves import Seat
from kaboom.engine.toolkit.simultaneous import missing
from kaboom.engine.toolkit.tricks import laid_out, last_taker, points_beside
from kaboom.engine.views import OPEN, Saying, Scores, View, Zone
from kaboom_hearts.rules import EACH, QUEEN, RANKING, WAYS, State, cost, outcome, points, refusal


def view(s: State, viewer: Seat | None) -> View:
    """Return what the viewer may see; OPEN, the viewer of a finished match, sees all cards."""
    facts = {"deal": s.deal, "way": s.way, "broken": s.broken, "limit": s.options.limit}
    counted = s.stage in ("ready", "over")  # the points of this deal are part of the scores
    both = list(zip(cost(s), s.scores, strict=True))
    rows = tuple((gained, score + (0 if counted else gained)) for gained, score in both)
    queens = [QUEEN if QUEEN in cards else None for cards in s.won()]
    beside = tuple(
        points_beside(row[1], row[0], card) for row, card in zip(rows, queens, strict=True)
    )
    cards, scores = tuple(zones(s, viewer)), Scores(("This deal", "Points"), rows)
    return View(viewer, cards, saying(s, viewer), facts, scores, beside, s.stage == "ready")


def zones(s: State, viewer: Seat | None) -> Iterator[Zone]:
    """Yield the trick by seat, then each seat's hand and the cards it has taken."""
    yield from laid_out(RANKING, s.trick, s.leader)
    for seat, cards in enumerate(s.hands):
        passing = s.passed[seat] or [] if viewer in (seat, OPEN) else []
        got = s.given[(seat - WAYS[s.way]) % len(s.hands)] if len(cards) == EACH else []
        new = got if viewer == seat else []
        yield Zone.hand(seat, cards, viewer).marked(passing, "to pass").marked(new, "new")
        yield Zone.pile("taken", seat, s.taken[seat], open=viewer == OPEN)


def result(view: View) -> Saying | None:
    """Return who has taken the last trick of a deal; None during a deal."""
    seat = last_taker(view)
    played = [card for zone in view.zones_named("played") for card in zone.cards]
    return None if seat is None else Saying("trick_taken", {"seat": seat, "points": points(played)})


def saying(s: State, viewer: Seat | None) -> Saying:
    """Return the status line."""
    if (over := outcome(s)) is not None:
        return over.saying
    if s.stage == "pass":
        if viewer is not None and viewer in missing(s.passed):
            return Saying("pass_now", {"taker": s.getter(viewer)})
        return Saying("passing", {"waiting": missing(s.passed)})
    if s.stage == "ready":
        own = {} if viewer in (None, OPEN) else {"seat": viewer, "points": cost(s)[viewer]}
        queen = [seat for seat, cards in enumerate(s.won()) if QUEEN in cards]
        return Saying("between_deals", {"queen": queen, **own})
    facts = {"seat": s.turn, "led": s.led, "points": points(s.played)}
    return Saying(doing(s, viewer), facts)


def doing(s: State, viewer: Seat | None) -> str:
    """Return the kind of the status line; only the awaited player learns of forbidden cards."""
    kind = s.doing(RANKING, viewer)
    limited = {"lead_next": "lead_unbroken", "void": "void_first"}
    bound = viewer == s.turn and any(refusal(s, (card,)) for card in s.hands[s.turn])
    return limited.get(kind, kind) if bound else kind
