"""A browser's preferences: theme, size, sound, language. A cookie without secrets stores them."""

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from flask import current_app, g, request
from werkzeug.wrappers import Response

from kaboom.engine.i18n import gettext as _
from kaboom.engine.table_view import Asking, Settings
from kaboom.games import GAMES
from kaboom.web.session import cookie_name, keep_cookie

SETTINGS_COOKIE = "kb-settings"
# The values of each setting in forms and in the cookie. The language has those of the server; the
# cookie also has the moves of `unasked`, and the form can only empty it.
CHOICES: Mapping[str, Sequence[str]] = {
    "confirm": tuple(f"{it:d}" for it in Asking),
    "unasked": ("",),
    "refresh": ("0", "10", "30", "60"),
    "look": ("auto", "light", "dark"),
    "colours": ("2", "4"),
    "turn": ("", "notice"),
    "cards": ("", "large", "larger"),
    "sound": ("0", "1", "2", "3"),
    "index": ("", "large"),
    "back": ("", "sea", "night"),
    "motion": ("", "none"),
    "grids": ("", "turned"),
    "order": ("", "suit", "rank"),
    "high": ("", "right"),
    "trumps": ("", "last"),
    "keys": ("0", "1"),
}
# How the settings are read that are not texts.
READ: Mapping[str, Callable[[str], Any]] = {
    "confirm": lambda text: Asking(int(text)),
    "refresh": int,
    "colours": int,
    "sound": int,
    "keys": lambda text: text == "1",
}
# Values of older cookies, from before the volume was a setting.
BEFORE = {"sound": {"turn": "", "sound": "2"}, "both": {"turn": "notice", "sound": "2"}}


def browser_settings() -> Settings:
    """Return this browser's own settings; for invalid values in the cookie, the defaults
    are used.
    """
    settings: Settings | None = g.get("settings")
    if settings is None:
        cookie = request.cookies.get(cookie_name(SETTINGS_COOKIE), "")
        settings = g.settings = _settings_in(cookie, tuple(possible_languages()))
    return settings


@lru_cache(maxsize=1000)
def _settings_in(cookie: str, languages: Sequence[str]) -> Settings:
    parts = cookie.split("&")
    fields = dict(part.split("=", 1) for part in parts if "=" in part)
    if fields.get("turn") in BEFORE:
        fields = BEFORE[fields["turn"]] | fields | {"turn": BEFORE[fields["turn"]]["turn"]}
    found = settings_from(fields, Settings(), languages)
    return dataclasses.replace(found, unasked=_joined(fields.get("unasked", "").split("/")))


def settings_from(fields: dict[str, str], old: Settings, languages: Sequence[str]) -> Settings:
    """Return the settings as a form changes them; a missing or invalid field changes nothing.

    `languages` are the codes of the server's languages.
    """
    choices = {**CHOICES, "language": ("auto", *languages)}
    return dataclasses.replace(
        old,
        **{
            name: READ.get(name, str)(fields[name])
            for name, possible in choices.items()
            if fields.get(name) in possible
        },
    )


def without_asking(settings: Settings, game: str, verb: str) -> Settings:
    """Return the settings after which a kind of move no longer asks for confirmation."""
    return dataclasses.replace(settings, unasked=_joined([*_unasked(settings), f"{game}.{verb}"]))


def is_unasked(settings: Settings, game: str, verb: str) -> bool:
    """Return True if the player chose not to be asked about this kind of move."""
    return f"{game}.{verb}" in _unasked(settings)


def unasked_labels(settings: Settings) -> list[str]:
    """Return the kinds of moves that the player chose not to be asked about, in words."""
    moves = (move.split(".") for move in _unasked(settings))
    return [f"{GAMES[game].name}: {_(GAMES[game].words.offers[verb])}" for game, verb in moves]


def _unasked(settings: Settings) -> list[str]:
    return settings.unasked.split("/") if settings.unasked else []


def _joined(moves: Sequence[str]) -> str:
    """Return those moves that exist, as the cookie stores them."""
    return "/".join(sorted(move for move in {*moves} if _exists(*move.partition(".")[::2])))


def _exists(game: str, verb: str) -> bool:
    return game in GAMES and "." not in verb and verb in GAMES[game].words.offers


def keep_settings(response: Response, settings: Settings) -> None:
    """Set the cookie that stores the browser's settings."""
    values = {it.name: getattr(settings, it.name) for it in dataclasses.fields(settings)}
    text = "&".join(
        f"{name}={int(value) if isinstance(value, int) else value or ''}"
        for name, value in values.items()
    )
    keep_cookie(response, SETTINGS_COOKIE, text)


def possible_languages() -> list[str]:
    """Return the codes of the server's languages."""
    codes: list[str] = current_app.config["LANGUAGES"]
    return codes
