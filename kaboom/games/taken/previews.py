"""The effect of a card or a row on the current rows."""

from kaboom.engine.moves import Choices
from kaboom.engine.views import Saying, View
from kaboom.games.taken.rules import appropriate_row


def preview(view: View, verb: str, choices: Choices) -> Saying | None:
    """Return the effect of a move as far as its seat can know it, or None."""
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
    """Return the row to which a card goes at present (None: below all), and True if it takes the
    row.
    """
    rows = [zone.cards for zone in view.zones_named("row")]
    at = appropriate_row([int(row[-1]) for row in rows], card)
    return at, at is not None and len(rows[at]) == view.facts["row_size"]
