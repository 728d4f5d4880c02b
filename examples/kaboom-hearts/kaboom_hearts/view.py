"""One viewer's view of Hearts: the trick, their hand, the backs of others' cards, the points."""

from collections.abc import Iterator

from kaboom.engine.moves import Seat
from kaboom.engine.toolkit.simultaneous import missing
from kaboom.engine.views import OPEN, Saying, Scores, View, Zone
from kaboom_hearts.rules import State, outcome, points


def view(s: State, viewer: Seat | None) -> View:
    """Return what the viewer may see; OPEN, the viewer of a finished match, sees all cards."""
    facts = {"deal": s.deal, "way": s.way, "broken": s.broken}
    scores = Scores(("This deal", "Match"), tuple(zip(map(points, s.won()), s.scores, strict=True)))
    return View(viewer, tuple(zones(s, viewer)), saying(s, viewer), facts, scores)


def zones(s: State, viewer: Seat | None) -> Iterator[Zone]:
    """Yield the trick by seat, then each seat's hand and the cards it has taken."""
    for seat, card in enumerate(s.trick):
        yield Zone("played", seat, (card,) if card else (), middle=True)
    for seat, cards in enumerate(s.hands):
        passing = s.passed[seat] or [] if viewer in (seat, OPEN) else []
        yield Zone.hand(seat, cards, viewer).marked(passing, "to pass")
        yield Zone.pile("taken", seat, s.taken[seat], open=viewer == OPEN)


def saying(s: State, viewer: Seat | None) -> Saying:
    """Return the status line."""
    if (over := outcome(s)) is not None:
        return over.saying
    if s.stage == "pass":
        waiting = {"way": s.way, "waiting": missing(s.passed)}
        return Saying("pass_now" if viewer in missing(s.passed) else "passing", waiting)
    if s.stage == "ready":
        about = {"scores": s.scores.copy(), "waiting": s.unready}
        return Saying("be_ready" if viewer in s.unready else "between_deals", about)
    return Saying(s.doing, {"seat": s.turn, "led": s.led, "points": points(s.played)})
