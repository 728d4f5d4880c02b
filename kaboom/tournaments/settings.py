"""Changing the settings of a tournament before it begins.

Each change is an event in its log. Once players have entered under the announced settings, only
changes that do not affect them are possible.
"""

from msgspec import structs

from kaboom.engine.i18n import gettext as _
from kaboom.errors import InvalidFields, InvalidState
from kaboom.tables.service import TableService
from kaboom.tournaments.changes import TournamentChange, change
from kaboom.tournaments.organizer import require_not_started, require_organizer
from kaboom.tournaments.rules.events import Changed, Settings
from kaboom.tournaments.service import as_it_is_kept
from kaboom.web.idempotency.service import IdempotencyKey

LATER = ("name", "most", "between")


def change_settings(
    tables: TableService,
    code: str,
    host: int,
    settings: Settings,
    listed: bool | None = None,
    idempotency_key: IdempotencyKey | None = None,
) -> None:
    """Change the settings of a tournament before it begins, as its organiser.

    Once a player has entered, only the settings in LATER can change, with room for all entrants. If
    `listed` is None, that setting stays unchanged.

    Raises NotPermitted, InvalidState, or InvalidFields with the settings that can no longer change.
    """
    wanted = as_it_is_kept(settings)

    def work(made: TournamentChange) -> None:
        require_organizer(made.seen, host)
        of, old = made.of, made.of.settings
        require_not_started(of)
        if of.check_in_until:
            raise InvalidState(_("Check-in is open: nothing can be changed any more."))
        kept = structs.replace(wanted, game=old.game, club=old.club)
        if of.waiting() and (fixed := _fixed(old, kept, len(of.waiting()))):
            raise InvalidFields(
                _("Players have already entered on these terms, so they cannot be changed."), fixed
            )
        if kept != old:
            made.add(Changed(kept))
        if listed is not None and listed != made.seen.row.listed:
            made.columns["listed"] = listed and not old.club

    change(tables, code, work, idempotency_key)


def _fixed(old: Settings, new: Settings, entered: int) -> dict[str, str]:
    """Return sentences about changes that would affect players who have entered, by field."""
    found = {
        name: _("This cannot be changed any more: players entered on these terms.")
        for name in old.__struct_fields__
        if getattr(old, name) != getattr(new, name) and name not in LATER
    }
    if new.most < entered:
        found["most"] = _(
            ("{count} players have entered: there must be room for them."), count=entered
        )
    return found
