"""Changing what a tournament is, after it was opened and before it begins.

Each change is an event in its log, so that the log still says what was so when. Those who have
entered did so by what stood there: from then on only what takes nothing from them is changed.
"""

from msgspec import structs

from kaboom.engine.i18n import say
from kaboom.errors import InvalidFields, InvalidState
from kaboom.tables.service import Tables
from kaboom.tournaments.changes import TournamentChange, change
from kaboom.tournaments.organizer import require_not_started, require_organizer
from kaboom.tournaments.rules.events import Changed, Settings
from kaboom.tournaments.service import as_it_is_kept
from kaboom.web.idempotency.service import Command

LATER = ("name", "most", "between")


def change_settings(
    tables: Tables,
    code: str,
    host: int,
    settings: Settings,
    listed: bool | None = None,
    once: Command | None = None,
) -> None:
    """Change what a tournament is, before it begins; the organiser only. Once somebody has entered,
    only what is in LATER, and no less room than they need. `listed` None: as it is.

    Raises NotPermitted, InvalidState, or InvalidFields with what cannot be changed any more.
    """
    wanted = as_it_is_kept(settings)

    def work(made: TournamentChange) -> None:
        require_organizer(made.seen, host)
        of, old = made.of, made.of.settings
        require_not_started(of)
        if of.check_in_until:
            raise InvalidState(say("Check-in is open: nothing can be changed any more."))
        kept = structs.replace(wanted, game=old.game, club=old.club)
        if of.waiting() and (fixed := _fixed(old, kept, len(of.waiting()))):
            raise InvalidFields(say("People have entered by what was announced."), fixed)
        if kept != old:
            made.add(Changed(kept))
        if listed is not None and listed != made.seen.row.listed:
            made.columns["listed"] = listed and not old.club

    change(tables, code, work, once)


def _fixed(old: Settings, new: Settings, entered: int) -> dict[str, str]:
    """Return what those who have entered could hold against a change, by field."""
    found = {
        name: say("This cannot be changed any more: people have entered by it.")
        for name in old.__struct_fields__
        if getattr(old, name) != getattr(new, name) and name not in LATER
    }
    if new.most < entered:
        found["most"] = say("{count} have entered: there must be room for them.", count=entered)
    return found
