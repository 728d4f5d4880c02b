"""Which language a browser reads, and the texts of templates in it.

A browser's setting comes first, then what it asks for (Accept-Language), then English. A language
of which only a part is translated is spoken to those who choose it. Catalogues are
kaboom/translations/<code>/LC_MESSAGES/messages.po; docs/languages.md says how to add one.
"""

from collections.abc import Callable, Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from babel import Locale
from babel.support import Translations
from flask import Flask, Response, request
from flask_babel import Babel
from jinja2 import nodes, pass_eval_context
from jinja2.compiler import CodeGenerator, Frame
from jinja2.nodes import EvalContext
from markupsafe import Markup, escape
from werkzeug.datastructures import LanguageAccept
from werkzeug.http import parse_accept_header

from kaboom.engine.i18n import ENGLISH, Language, isolated, say, speak, spoken_now
from kaboom.engine.toolkit.cards import pack, rank_name, spoken, suit_name
from kaboom.engine.views import DOWN, EMPTY
from kaboom.games import GAMES, folder
from kaboom.web.assets import SAME_FOR_ALL
from kaboom.web.preferences import browser_settings, possible_languages
from kaboom.web.pseudo_language import PSEUDO

TRANSLATIONS = Path(__file__).parents[1] / "translations"

# What a person can choose, each by its own name.
LANGUAGES = {"en": "English", "fr": "Français", "sw": "Kiswahili", "ar": "العربية"}


def init_app(app: Flask, pseudo: bool = False) -> None:
    """Speak each browser's language, in Python and in templates.

    With `pseudo` browsers can ask for the pseudo-language, which shows up untranslated or clipped
    texts.
    """
    app.config["LANGUAGES"] = [*LANGUAGES, *([PSEUDO.code] if pseudo else [])]
    # Flask-Babel's dates and numbers follow the same choice. Its own gettext is left out: it looks
    # up the locale for each text, and a table has a hundred of them after every move.
    Babel(app, configure_jinja=False, locale_selector=_locale)
    app.jinja_env.code_generator_class = DirectTexts
    app.jinja_env.add_extension("jinja2.ext.i18n")
    app.jinja_env.newstyle_gettext = True  # type: ignore[attr-defined]
    app.jinja_env.policies["ext.i18n.trimmed"] = True
    app.jinja_env.globals.update(_=gettext, gettext=gettext, ngettext=ngettext)
    app.jinja_env.globals.update(
        spoken=spoken_now,
        languages=LANGUAGES,
        card_names=CardNames(),
        rank_name=rank_name,
        suit_name=suit_name,
    )
    app.url_value_preprocessor(_speak)  # the first step of a request: any later one may refuse it
    app.after_request(_say_which)
    app.teardown_request(_fall_silent)


@cache
def language(code: str) -> Language:
    """Return a language of the catalogues, or the pseudo-language, by its code."""
    if code == PSEUDO.code:
        return PSEUDO
    if code == ENGLISH.code:
        return ENGLISH
    found = Translations.load(TRANSLATIONS, [code])
    for key in GAMES:  # a game from another package may bring its own catalogues
        found.add_fallback(Translations.load(folder(key) / "translations", [code]))
    direction = Locale.parse(code).text_direction
    text = _or_english_apart(found.gettext) if direction == "rtl" else found.gettext
    return Language(code, text, found.ngettext, direction)


def _or_english_apart(gettext: Callable[[str], str]) -> Callable[[str], str]:
    """Return the same, but English (what is not translated) keeps its direction and its full stop
    at its end, among words from right to left.
    """

    def text(english: str) -> str:
        said = gettext(english)
        return f"\u2066{said}\u2069" if said is english else said

    return text


def wanted(setting: str) -> str:
    """Return the code of the language to answer this request in; `setting` is the browser's own."""
    possible = possible_languages()
    if setting in possible:
        return setting
    return _best(request.headers.get("Accept-Language", ""), tuple(possible))


@lru_cache(maxsize=1000)  # browsers all over the world send a few hundred different ones
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
    """Every card's name for templates, in the language spoken: card_names["QH"]."""

    def __getitem__(self, card: str) -> str:
        return _card_names(spoken_now().code)[card]


@cache
def _card_names(language: str) -> dict[str, str]:
    numbers = [str(number) for number in range(105)]  # as many as the largest pack of numbers has
    names = {card: spoken(card) for card in [*pack(), *numbers]}
    return names | {DOWN: say("face down"), EMPTY: say("empty")}


# For templates, with the meaning of Jinja's own "new style": a text is markup, its facts are not. A
# table says some eighty texts for each viewer after each move, so that texts without facts are kept
# as they are shown, and facts are escaped without Markup's own slower formatting.


@pass_eval_context
def gettext(context: EvalContext, text: str, /, **facts: Any) -> str:
    """Return a text with its facts (%(name)s) filled in, each escaped where a page escapes."""
    if not facts:
        return _as_shown(text, context.autoescape, spoken_now().code)
    return _filled(spoken_now().text(text), facts, context.autoescape)


@pass_eval_context
def ngettext(context: EvalContext, one: str, many: str, num: int, /, **facts: Any) -> str:
    """Return the text that fits a number, which stands in it as %(num)s."""
    if not facts:
        return _number_as_shown(one, many, num, context.autoescape, spoken_now().code)
    facts.setdefault("num", num)
    return _filled(spoken_now().counted(one, many, num), facts, context.autoescape)


class DirectTexts(CodeGenerator):
    """Compiles _("…") to a plain call: Jinja's way to call any value costs more than the text."""

    def visit_Call(self, node: nodes.Call, frame: Frame, forward_caller: bool = False) -> None:
        """Write the Python for a call in a template."""
        name = getattr(node.node, "name", "")
        if name not in ("_", "gettext", "ngettext"):
            super().visit_Call(node, frame, forward_caller=forward_caller)
            return
        self.write(f"environment.globals[{name!r}](context.eval_ctx")
        self.signature(node, frame)
        self.write(")")


@lru_cache(maxsize=10_000)
def _as_shown(text: str, markup: bool, language: str) -> str:
    return _filled(spoken_now().text(text), {}, markup)


@lru_cache(maxsize=10_000)
def _number_as_shown(one: str, many: str, num: int, markup: bool, language: str) -> str:
    return _filled(spoken_now().counted(one, many, num), {"num": num}, markup)


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
