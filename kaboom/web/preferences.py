"""A browser's preferences: theme, size, sound, language. A cookie without secrets stores them."""

import dataclasses
from collections.abc import Sequence
from functools import lru_cache

from flask import current_app, g, request
from werkzeug.wrappers import Response

from kaboom.engine.table_view import Asking, Settings
from kaboom.web.session import cookie_name, keep_cookie

SETTINGS_COOKIE = "kb-settings"
LOOKS = ("auto", "light", "dark")
REFRESHES = (0, 10, 30, 60)
ASKINGS = tuple(f"{it:d}" for it in Asking)
TURNS = ("", "notice")
SOUNDS = ("0", "1", "2", "3")
CARD_SIZES = ("", "large", "larger")
INDEX_SIZES = ("", "large")
# Values of older cookies, from before the volume was a setting.
BEFORE = {"sound": {"turn": "", "sound": "2"}, "both": {"turn": "notice", "sound": "2"}}
MOTIONS = ("", "none")
BACKS = ("", "sea", "night")
GRIDS = ("", "turned")
ORDERS = ("", "suit", "rank")
HIGHS = ("", "right")
TRUMPS = ("", "last")


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
    return settings_from(fields, Settings(), languages)


def settings_from(fields: dict[str, str], old: Settings, languages: Sequence[str]) -> Settings:
    """Return the settings as a form changes them; a missing or invalid field changes nothing.

    `languages` are the codes of the server's languages.
    """
    refresh = fields.get("refresh", "")
    look = fields.get("look", "")
    colours = fields.get("colours", "")
    language = fields.get("language", "")
    return Settings(
        confirm=Asking(int(fields["confirm"])) if fields.get("confirm") in ASKINGS else old.confirm,
        refresh=int(refresh) if refresh in map(str, REFRESHES) else old.refresh,
        look=look if look in LOOKS else old.look,
        colours=int(colours) if colours in ("2", "4") else old.colours,
        language=language if language in ("auto", *languages) else old.language,
        turn=fields["turn"] if fields.get("turn") in TURNS else old.turn,
        cards=fields["cards"] if fields.get("cards") in CARD_SIZES else old.cards,
        sound=int(fields["sound"]) if fields.get("sound") in SOUNDS else old.sound,
        index=fields["index"] if fields.get("index") in INDEX_SIZES else old.index,
        back=fields["back"] if fields.get("back") in BACKS else old.back,
        motion=fields["motion"] if fields.get("motion") in MOTIONS else old.motion,
        grids=fields["grids"] if fields.get("grids") in GRIDS else old.grids,
        order=fields["order"] if fields.get("order") in ORDERS else old.order,
        high=fields["high"] if fields.get("high") in HIGHS else old.high,
        trumps=fields["trumps"] if fields.get("trumps") in TRUMPS else old.trumps,
        keys=fields["keys"] == "1" if fields.get("keys") in ("0", "1") else old.keys,
    )


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
