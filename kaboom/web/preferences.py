"""What a browser wants for itself: looks, size, sound, language. A harmless cookie keeps it."""

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
# What cookies said before the volume was a setting of its own.
BEFORE = {"sound": {"turn": "", "sound": "2"}, "both": {"turn": "notice", "sound": "2"}}
MOTIONS = ("", "none")
BACKS = ("", "sea", "night")
GRIDS = ("", "turned")


def browser_settings() -> Settings:
    """Return this browser's own settings; nonsense in the cookie means the default."""
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
    """Return the settings after a form; a field that is missing or nonsense changes nothing.

    `languages` are the codes of those this server speaks.
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
        keys=fields["keys"] == "1" if fields.get("keys") in ("0", "1") else old.keys,
    )


def keep_settings(response: Response, settings: Settings) -> None:
    """Have the browser keep its settings."""
    text = (
        f"confirm={settings.confirm:d}&refresh={settings.refresh}"
        f"&look={settings.look}&colours={settings.colours}&language={settings.language}"
        f"&turn={settings.turn}&cards={settings.cards}&keys={int(settings.keys)}"
        f"&index={settings.index}&back={settings.back}&motion={settings.motion}"
        f"&grids={settings.grids}"
        f"&sound={'' if settings.sound is None else settings.sound}"
    )
    keep_cookie(response, SETTINGS_COOKIE, text)


def possible_languages() -> list[str]:
    """Return the codes of the languages this server speaks."""
    codes: list[str] = current_app.config["LANGUAGES"]
    return codes
