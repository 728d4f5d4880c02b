"""The language of a request, and the translation of templates.

The browser's setting has priority, then Accept-Language, then English. Strings that a language
lacks are in English. Catalogues are kaboom/translations/<code>/LC_MESSAGES/messages.po;
docs/languages.md explains how to add one.
"""

from collections.abc import Callable, Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import Any
from unicodedata import bidirectional

from babel import Locale
from babel.support import Translations
from flask import Flask, Response, request
from flask_babel import Babel
from jinja2 import pass_eval_context
from jinja2.nodes import EvalContext
from markupsafe import Markup, escape
from werkzeug.datastructures import LanguageAccept
from werkzeug.http import parse_accept_header

from kaboom.engine.i18n import ENGLISH, Language, isolated, speak, spoken_now
from kaboom.engine.i18n import gettext as _
from kaboom.engine.toolkit.cards import pack, rank_name, spoken, suit_name
from kaboom.engine.views import DOWN, EMPTY
from kaboom.games import GAMES, folder
from kaboom.web.assets import SAME_FOR_ALL
from kaboom.web.preferences import browser_settings, possible_languages
from kaboom.web.pseudo_language import PSEUDO

TRANSLATIONS = Path(__file__).parents[1] / "translations"

# The languages in the settings, each by its own name.
LANGUAGES = {"en": "English", "fr": "Français", "sw": "Kiswahili", "ar": "العربية"}


def init_app(app: Flask, pseudo: bool = False) -> None:
    """Set the language of each request, in Python and in templates.

    With `pseudo`, browsers can request the pseudo-language, which reveals untranslated or truncated
    strings.
    """
    app.config["LANGUAGES"] = [*LANGUAGES, *([PSEUDO.code] if pseudo else [])]
    # Flask-Babel formats dates and numbers in the same language. Its gettext is not used, because
    # it looks up the locale for each string, and a table renders a hundred of them after every
    # move.
    Babel(app, configure_jinja=False, locale_selector=_locale)
    app.jinja_env.add_extension("jinja2.ext.i18n")
    app.jinja_env.newstyle_gettext = True  # type: ignore[attr-defined]
    app.jinja_env.policies["ext.i18n.trimmed"] = True
    app.jinja_env.globals.update(_=gettext, gettext=gettext, ngettext=ngettext)
    app.jinja_env.globals.update(
        directed=directed,
        spoken=spoken_now,
        languages=LANGUAGES,
        card_names=CardNames(),
        rank_name=rank_name,
        suit_name=suit_name,
    )
    app.url_value_preprocessor(_speak)  # must run first, because later steps may refuse the request
    app.after_request(_say_which)
    app.teardown_request(_fall_silent)


def directed(text: str) -> str:
    """Return a text to be sent. Messengers take its direction from its first letter: if that is of
    a script that runs in the other direction than the language, a mark precedes it.
    """
    first = next((it for it in map(bidirectional, text) if it in ("L", "R", "AL")), "")
    right = spoken_now().direction == "rtl"
    if not first or right == (first != "L"):
        return text
    return ("\u200f" if right else "\u200e") + text


@cache
def language(code: str) -> Language:
    """Return a language with a catalogue, or the pseudo-language, by its code."""
    if code == PSEUDO.code:
        return PSEUDO
    if code == ENGLISH.code:
        return ENGLISH
    found = Translations.load(TRANSLATIONS, [code])
    for key in GAMES:  # games from other packages may have their own catalogues
        found.add_fallback(Translations.load(folder(key) / "translations", [code]))
    direction = Locale.parse(code).text_direction
    text = _or_english_apart(found.gettext) if direction == "rtl" else found.gettext
    return Language(code, text, found.ngettext, direction)


def _or_english_apart(gettext: Callable[[str], str]) -> Callable[[str], str]:
    """Return the same translations, with untranslated English isolated in right-to-left text.

    Isolation keeps its direction and its final full stop in place.
    """

    def text(english: str) -> str:
        said = gettext(english)
        return f"\u2066{said}\u2069" if said is english else said

    return text


def wanted(setting: str) -> str:
    """Return the language code for this request; `setting` is the browser's setting."""
    possible = possible_languages()
    if setting in possible:
        return setting
    return _best(request.headers.get("Accept-Language", ""), tuple(possible))


@lru_cache(maxsize=1000)  # a few hundred different headers occur worldwide
def _best(asked_for: str, possible: tuple[str, ...]) -> str:
    wishes = parse_accept_header(asked_for, LanguageAccept)
    return wishes.best_match(possible) or ENGLISH.code


def _speak(endpoint: str | None, values: dict[str, Any] | None) -> None:
    speak(language(wanted(request.args.get("lang", "") or browser_settings().language)))


def _fall_silent(error: BaseException | None) -> None:
    speak(ENGLISH)


def _say_which(response: Response) -> Response:
    if request.blueprint not in SAME_FOR_ALL:
        response.headers["Content-Language"] = spoken_now().code
        response.headers.add("Vary", "Accept-Language")
    return response


def _locale() -> str:
    code = spoken_now().code
    return code if code in LANGUAGES else ENGLISH.code


class CardNames:
    """The names of all cards in the language of the request, for templates: card_names["QH"]."""

    def __getitem__(self, card: str) -> str:
        return _card_names(spoken_now().code)[card]


@cache
def _card_names(language: str) -> dict[str, str]:
    numbers = [str(number) for number in range(105)]  # enough for the largest pack
    names = {card: spoken(card) for card in [*pack(), *numbers]}
    return names | {DOWN: _("face down"), EMPTY: _("empty")}


# For templates, with the semantics of Jinja's “new style”: a string is markup, its facts are not. A
# table renders some eighty strings for each viewer after each move, so facts are escaped without
# Markup's slower formatting.


@pass_eval_context
def gettext(context: EvalContext, text: str, /, **facts: Any) -> str:
    """Return a translated string with its facts (%(name)s) inserted; autoescaped templates escape
    each.
    """
    return _filled(spoken_now().text(text), facts, context.autoescape)


@pass_eval_context
def ngettext(context: EvalContext, one: str, many: str, num: int, /, **facts: Any) -> str:
    """Return the plural form for a number, which is inserted as %(num)s."""
    facts.setdefault("num", num)
    return _filled(spoken_now().counted(one, many, num), facts, context.autoescape)


def _filled(said: str, facts: Mapping[str, Any], markup: bool) -> str:
    if not markup:
        return said % {name: isolated(fact) for name, fact in facts.items()}
    return Markup(
        said
        % {
            name: fact if type(fact) is int else escape(isolated(fact))
            for name, fact in facts.items()
        }
    )
