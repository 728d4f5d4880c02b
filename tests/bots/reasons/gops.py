"""Checks of GOPS reasons: the rival's hand and likely bids, and the probability of a bid."""

from kaboom.engine.rng import Rng
from kaboom.games.gops.bot import drawn, planned
from kaboom.games.gops.habits import biddings, fits
from kaboom.games.gops.rules import VALUE
from tests.bots.reasons import MANY, NEAR, Case, unless

CLOSE = 0.5  # points below which a difference is ignored


def check(case: Case) -> str | None:
    """Return the error in a reason, or None."""
    kind, facts, view, me = case.kind, case.facts, case.view, case.prompt.seat
    card = VALUE[facts["card"]]
    mine, theirs = (
        sorted(VALUE[it] for it in view.zone("hand", seat).cards) for seat in (me, 1 - me)
    )
    best = max(it.worth for it in case.found) - case.found[0].worth
    match kind:
        case "certain":
            whole = card > theirs[-1] and facts["points"] == view.facts["offer_points"]
            return unless(whole, "it is not certain")
        case "best" | "random":
            return unless(best == 0, "another bid promises more")
        case "varies":
            mix = planned(view, me).mix
            luck = [mine[drawn(mix, Rng(bytes(32), n, "bid"))] for n in range(MANY)]
            often = 100 * luck.count(card) / MANY
            return unless(abs(often - facts["often"]) <= NEAR, f"{often:.0f} of a hundred")
        case "near":
            return unless(best <= CLOSE, "not near")
    likely = VALUE[facts["likely"]]
    *past, _ = biddings(view, me)
    bids = [VALUE[it["bids"][1 - me]] for it in view.facts["history"]]
    seen = [fits(facts["habit"], then, bid) for then, bid in zip(past, bids, strict=True)]
    if 2 * sum(seen) <= len(seen) or likely not in theirs:
        return f"{facts['habit']} was seen in {sum(seen)} of {len(seen)}"
    right = {
        "beats": card > likely and not any(likely < it < card for it in mine),
        "tops": card > likely and any(likely < it < card for it in mine),
        "ties": card == likely,
        "lowest": card == mine[0] and card < likely,
        "yields": max(mine[0], theirs[0]) < card < likely,
    }
    return unless(right[kind], f"{card} of {mine} against {likely}")
