"""The usual length of a match, measured in matches simulated at a human pace."""

from typing import Any

from kaboom.engine.game import Game
from kaboom.engine.i18n import gettext as _
from kaboom.engine.i18n import ngettext
from kaboom.engine.options import Preset
from kaboom.games.match_minutes import MINUTES

LONG = 120  # minutes: too long for a match that begins with one press


def minutes(game: Game[Any], options: Any) -> tuple[int, int] | None:
    """Return the length of a match in minutes for the fewest and the most players, the lower first,
    or None for options that are not a preset.
    """
    for way in (game.usual, *game.presets):
        if game.options(**way.values) == options:
            return _measured(game, way)
    return None


def _measured(game: Game[Any], way: Preset) -> tuple[int, int] | None:
    found = MINUTES.get(game.key, {}).get(way.key, {}).values()
    return (min(found), max(found)) if found else None


def quick_way(game: Game[Any]) -> Preset:
    """Return the preset that “Play now” begins: the usual one, or the one with the shortest matches
    if a usual match takes two hours or more.
    """
    found = _measured(game, game.usual)
    short = _shortest(game)
    return short if found and short and max(found) >= LONG else game.usual


def quick_length(game: Game[Any]) -> str:
    """Return the length in minutes of the match that “Play now” begins, as short as a label; empty
    if it is not known.
    """
    found = _measured(game, quick_way(game))
    if found is None:
        return ""
    least, most = found
    if most >= 2 * least:
        return _("{least}–{most} min", least=least, most=most)
    return _("~{count} min", count=round((least + most) / 2))


def usual_length(game: Game[Any], options: Any = None) -> str:
    """Return the usual length of a match in words; empty if it is not known."""
    found = _measured(game, game.usual) if options is None else minutes(game, options)
    if found is None:
        return ""
    least, most = found
    if most >= 2 * least:
        return ngettext(
            "About {least} to {count} minute.",
            "About {least} to {count} minutes.",
            most,
            least=least,
        )
    count = round((least + most) / 2)
    if count >= LONG:
        hours = round(count / 60)
        said = ngettext("About {count} hour.", "About {count} hours.", hours)
        return " ".join(filter(None, (said, _shorter(game, least))))
    return ngettext("About {count} minute.", "About {count} minutes.", count)


def _shortest(game: Game[Any]) -> Preset | None:
    """Return the preset, other than the usual one, with the shortest matches."""
    known = MINUTES.get(game.key, {})
    ways = [it for it in game.presets if it.key in known]
    return min(ways, key=lambda it: (max(known[it.key].values()), it.name), default=None)


def _shorter(game: Game[Any], than: int) -> str:
    """Return the preset with the shortest matches and their length, in words; empty if none has
    shorter ones.
    """
    way = _shortest(game)
    found = _measured(game, way) if way else None
    if way is None or found is None or found[1] >= than:
        return ""
    return ngettext(
        "About {count} minute if played as “{preset}”.",
        "About {count} minutes if played as “{preset}”.",
        found[1],
        preset=_(way.name),
    )
