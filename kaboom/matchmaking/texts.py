"""Sentences about waiting players: the game, the pace, their number, and the waiting time."""

from collections.abc import Iterator

from kaboom.engine.i18n import gettext as _
from kaboom.engine.i18n import ngettext
from kaboom.games import GAMES
from kaboom.matchmaking.service import Sought, Wait, Wanted
from kaboom.web.times import span


def pace_of(days: int) -> str:
    """Return the pace of a match in words."""
    if not days:
        return _("at once")
    return ngettext(
        "correspondence, {count} day for each decision",
        "correspondence, {count} days for each decision",
        days,
    )


def wanted_of(what: Wanted) -> str:
    """Return a request in words, such as “Kaboom, at once, rated”."""
    game = GAMES[what.game].name if what.game in GAMES else _("Any game")
    parts = [game, pace_of(what.days)]
    if what.rated is not None:
        parts.append(_("rated") if what.rated else _("not rated"))
    return ", ".join(parts)


def line_of(it: Sought) -> str:
    """Return a waiting player as a line in a list."""
    return f"{it.name}: {wanted_of(it.wanted)}"


def said_of(it: Wait) -> Iterator[str]:
    """Yield the sentences about a waiting player's request."""
    yield _("You are waiting for a match: {what}.", what=wanted_of(it.wanted))
    if it.others:
        yield ngettext(
            "{count} other player is waiting for the same game.",
            "{count} other players are waiting for the same game.",
            it.others,
        )
    else:
        yield _("No other player is waiting for the same game yet.")
    if it.needed > 2:
        yield ngettext(
            "The game needs {count} player.", "The game needs {count} players.", it.needed
        )
    if it.usual is not None:
        yield (
            _("It usually takes less than a minute.")
            if it.usual < 60
            else _("It usually takes about {span}.", span=span(it.usual))
        )
    if it.bots and it.others:
        yield _("You begin with bots as soon as the others agree, or after a few seconds.")
