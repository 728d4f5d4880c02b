"""The preview of a link that is pasted into a messenger, as text in the page's head."""

from dataclasses import dataclass
from typing import Any

from kaboom.engine.game import Game
from kaboom.engine.i18n import gettext as _
from kaboom.engine.i18n import ngettext
from kaboom.engine.table_view import TablePage
from kaboom.sharing.images import MOST_CHAIRS
from kaboom.web.links import absolute


@dataclass(frozen=True, slots=True)
class Preview:
    """The preview of a link; `shown` describes its picture in words."""

    title: str
    description: str
    picture: str
    shown: str


def link_preview(game: Game[Any], page: TablePage | None = None) -> Preview:
    """Return the preview of a link: for a table without a match, who invites and which seats are
    free.

    For a table with a password or a running match, it names only the game.
    """
    title, told = game.name, [_(game.tagline)]
    picture = absolute("sharing.picture", key=game.key)
    if page is not None and not (page.playing or page.locked or page.closed):
        taken, seats = len(page.taken), len(page.seats)
        for host in (occupant.name for occupant in page.seats if occupant.host):
            title = _("{host} invites you to {game}", host=host, game=game.name)
        told.append(
            ngettext("{count} seat is free.", "{count} seats are free.", seats - taken)
            if taken < seats
            else _("All seats are taken.")
        )
        if seats <= MOST_CHAIRS:
            picture = absolute("sharing.chairs", key=game.key, taken=taken, seats=seats)
    told.append(_("No account, nothing to install."))
    shown = _("The name of the game, {game}, and five cards in a fan", game=game.name)
    return Preview(title, " ".join(told), picture, shown)
