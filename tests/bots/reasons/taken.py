"""Checks of TakeN reasons: the rows on the table, and the cost of the named alternative."""

from math import fsum

from kaboom.engine.bots.bot import Level
from kaboom.engine.rng import Rng
from kaboom.games.taken import bot
from kaboom.games.taken.rules import cost
from tests.bots.reasons import Case, unless

DEALS = 2000  # other deals: a difference in points is accurate to ± 1/3
CLOSE = 1.5  # points by which a difference may be wrong


def check(case: Case) -> str | None:
    """Return the error in a reason, or None."""
    kind, facts, view = case.kind, case.facts, case.view
    if kind.endswith("_and") and (wrong := of_other(case)):
        return wrong
    rows = [[int(card) for card in zone.cards] for zone in view.zones_named("row")]
    by_end = {row[-1]: row for row in rows}
    match kind.removesuffix("_and"):
        case "fits":
            row = by_end[facts["end"]]
            below = max(end for end in by_end if end < facts["card"])
            right = (below, len(row) + 1) == (row[-1], facts["place"])
            return unless(right, "another place")
        case "full":
            row = by_end[facts["end"]]
            whole = len(row) == view.facts["row_size"] and cost(row) == facts["points"]
            return unless(whole, "the row is not full, or costs something else")
        case "below":
            lowest = facts["card"] < min(by_end) and facts["points"] == min(map(cost, rows))
            return unless(lowest, "not below all rows")
        case "row":
            return unless(cost(rows[facts["row"]]) == facts["points"], "other points")
    return f"{kind} is not checked"


def of_other(case: Case) -> str | None:
    """Return the error in the stated cost of the alternative, or None."""
    first, second, *_ = case.found
    other, said = case.facts["other"], case.facts["more"]
    if second.move.choices != (str(other),):
        return "another choice is better than the one that is named"
    table = bot.seen(case.memory, case.view, Level.HARD)
    trial = bot.trial_of_cards if first.move.verb == "choose" else bot.trial_of_rows
    costs = trial(table, Rng(bytes(32), 1, "check"))([int(first.move.choices[0]), other], DEALS)
    more = (fsum(costs[1]) - fsum(costs[0])) / DEALS
    return unless(more > 0 and abs(more - said) <= CLOSE, f"{said} more, and in others {more:.1f}")
