"""What a card or a row would lead to, as the rows lie now."""

from kaboom.engine.moves import Choices
from kaboom.engine.views import Saying, View
from kaboom.games.taken.rules import appropriate_row


def preview(view: View, verb: str, choices: Choices) -> Saying | None:
    """Return what a move would do, from what its seat sees; None where nothing can be said."""
    if not choices:
        return None
    if verb == "take":
        row = int(choices[0])
        return Saying("preview.take", {"row": row, "points": view.facts["row_points"][row]})
    if verb != "choose":
        return None
    at, full = goes_to(view, int(choices[0]))
    if at is None:
        return Saying("preview.below", {"card": choices[0]})
    facts = {"card": choices[0], "row": at, "points": view.facts["row_points"][at]}
    return Saying("preview.full" if full else "preview.fits", facts)


def goes_to(view: View, card: int) -> tuple[int | None, bool]:
    """Return the row to which a card goes as the rows lie, None below all of them, and whether it
    takes that row.
    """
    rows = [zone.cards for zone in view.zones_named("row")]
    at = appropriate_row([int(row[-1]) for row in rows], card)
    return at, at is not None and len(rows[at]) == view.facts["row_size"]
