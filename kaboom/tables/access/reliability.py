"""How reliably players finish their matches with people, in words, and tables that require
reliability.

Reliability is stored with a seat as a short text: NEW, FINISHES, or “left 3 20”. It improves with
each finished match, because only the last matches count.
"""

from collections.abc import Sequence

from kaboom.engine.i18n import gettext as _
from kaboom.engine.i18n import ngettext
from kaboom.errors import NotPermitted
from kaboom.tables.table import Occupant, Table

LAST = 50  # matches that count
FEW = 5  # with fewer matches than this, nothing is known yet
BENEFIT = 5  # finished matches that are credited to every player
ALWAYS, ENOUGH = 0.95, 0.8  # shares of matches finished

NEW, FINISHES, LEFT = "new", "finishes", "left"


def manner(stayed: Sequence[bool]) -> str:
    """Return the stored text for a player; `stayed` says for each of their last matches with people
    whether they stayed to its end.
    """
    if len(stayed) < FEW:
        return NEW
    left = len(stayed) - sum(stayed)
    return FINISHES if _share(left, len(stayed)) >= ALWAYS else f"{LEFT} {left} {len(stayed)}"


def _share(left: int, matches: int) -> float:
    return (matches - left + BENEFIT) / (matches + BENEFIT)


def in_words(kept: str) -> str:
    """Return the stored text as a label; empty for a text stored by an older server."""
    if kept == NEW:
        return _("new here")
    if kept == FINISHES:
        return _("finishes nearly every match")
    word, *numbers = kept.split() or [""]
    if word != LEFT or len(numbers) != 2:
        return ""
    left, matches = map(int, numbers)
    return ngettext(
        "left {left} of the last {count} match", "left {left} of the last {count} matches",
        matches, left=left,
    )  # fmt: skip


def is_reliable(kept: str) -> bool:
    """Return False for a player who has left too many of their last matches."""
    word, *numbers = kept.split() or [""]
    return word != LEFT or _share(*map(int, numbers)) >= ENOUGH


def require_reliable(table: Table, occupant: Occupant) -> None:
    """Raise NotPermitted if a table requires players who finish their matches, and this player has
    left too many. New players may sit down.
    """
    if table.reliable and not is_reliable(occupant.manner):
        raise NotPermitted(
            _(
                "This table is for players who finish their matches, and you have left many "
                "of your recent ones. Each match you finish elsewhere helps."
            )
        )
