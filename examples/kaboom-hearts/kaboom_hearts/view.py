"""What one viewer sees of Hearts: the trick, their hand, the backs of the others, the points."""

from collections.abc import Iterator

from kaboom.core.moves import Seat
from kaboom.core.sealed import made, missing
from kaboom.core.views import OPEN, Saying, Scores, View, Zone
from kaboom_hearts.rules import State, costs, outcome, points, turn, unready, way


def view(s: State, viewer: Seat | None) -> View:
    """Return what the viewer may see; OPEN, the viewer of a finished match, sees all cards."""
    cost = costs(s)
    scores = Scores(("This deal", "Match"), tuple(zip(cost, s.scores, strict=True)))
    facts = {"deal": s.deal, "way": way(s), "broken": s.broken}
    return View(viewer, tuple(zones(s, viewer)), saying(s, viewer), facts, scores)


def zones(s: State, viewer: Seat | None) -> Iterator[Zone]:
    """Yield the trick by seats, then of each seat its hand and the cards it has taken."""
    for seat, card in enumerate(s.trick):
        yield Zone("played", seat, (card,) if card else (), middle=True)
    for seat, hand in enumerate(s.hands):
        aside = s.passed[seat] or []
        if viewer in (seat, OPEN):
            cards, marks = tuple(hand), dict.fromkeys(aside, "to pass")
            yield Zone("hand", seat, cards, cards if viewer == seat else (), marks)
        else:
            yield Zone.down("hand", seat, len(hand))
        taken = tuple(s.taken[seat])
        yield Zone("taken", seat, taken) if viewer == OPEN else Zone.down("taken", seat, len(taken))


def saying(s: State, viewer: Seat | None) -> Saying:
    """Return the line that says what is going on."""
    over = outcome(s)
    if over is not None:
        return Saying(over.reason, {"winners": list(over.winners), "scores": list(over.scores)})
    if s.stage == "pass":
        waiting = {"way": way(s), "waiting": missing(s.passed)}
        return Saying("pass_now" if viewer in missing(s.passed) else "passing", waiting)
    if s.stage == "ready":
        about = {"scores": s.scores.copy(), "waiting": unready(s)}
        return Saying("be_ready" if viewer in unready(s) else "between_deals", about)
    on_table = [card for card in s.trick if card]
    led = s.trick[s.leader] if len(made(s.trick)) < len(s.trick) else None
    kind = "follow" if led else "lead_next" if on_table else "lead"
    return Saying(kind, {"seat": turn(s), "led": led, "points": points(on_table)})
