"""The options form of a game: presets, and all options."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from flask import request
from werkzeug.datastructures import ImmutableMultiDict

from kaboom.accounts.names import cleaned
from kaboom.engine.bots.delays import Pace
from kaboom.engine.game import Game
from kaboom.engine.i18n import gettext as _
from kaboom.engine.options import (
    InvalidOptions,
    Option,
    Preset,
    asked_values,
    declared,
    from_short,
    grouped,
    notable,
    read,
    short,
    written,
)
from kaboom.games import GAMES
from kaboom.games.match_length import preset_length
from kaboom.tables.table import Hints, Welcome
from kaboom.web.forms import chosen

LONGEST_NAME, NAME_POINTS = 40, 80  # of the name of a rule set: characters, code points
FOLDED = 4  # presets from elsewhere: as many are folded, fewer are among the others


@dataclass(frozen=True, slots=True)
class Way:
    """A preset as a link: its query string, and whether it is selected.

    `length` is that of a match, as short as a label; empty if it is not known. `source` says whose
    rules these are; empty for the game's own.
    """

    query: str
    name: str
    help: str
    chosen: bool
    length: str = ""
    source: str = ""


@dataclass(frozen=True, slots=True)
class RuleSet:
    """A set of options of a game, named by a player.

    `options` are of the game's own type, and None if the game is no longer installed or has changed
    its options. `short` is their form in a URL.
    """

    id: int
    game: str
    name: str
    short: str
    options: Any


@dataclass(frozen=True, slots=True)
class Choices:
    """The presets, the options by group, and the values of their fields by name.

    `asked` is the query string for the same options; empty for the defaults.
    """

    ways: Sequence[Way]
    groups: Sequence[tuple[str, Sequence[Option]]]
    values: Mapping[str, str]
    usual: Mapping[str, str]
    asked: str = ""

    @property
    def others(self) -> Sequence[Way]:
        """Return the presets from elsewhere, where there are enough of them to be folded."""
        found = [way for way in self.ways if way.source]
        return found if len(found) >= FOLDED else []

    def changed(self, options: Sequence[Option]) -> Sequence[str]:
        """Return the labels of the options whose fields differ from the defaults."""
        return [o.label for o in options if (self.values.get(o.name) or "0") != self.usual[o.name]]

    @property
    def own(self) -> bool:
        """Return True if the options match no preset."""
        return not any(way.chosen for way in self.ways)


@dataclass(frozen=True, slots=True)
class Wish:
    """The options requested by a URL, and their name if it contains one.

    `wrong` describes what could not be read; the options are then those used if none are requested.
    """

    options: Any
    called: str = ""
    brought: bool = False
    wrong: str = ""


def wished(game: Game[Any], otherwise: Any) -> Wish:
    """Return the options in the requested URL: a preset by its key, or a set of options in full."""
    key, text = request.args.get("preset"), request.args.get("set")
    if text is not None:
        called = cleaned(request.args.get("called", ""), LONGEST_NAME, NAME_POINTS)
        try:
            return Wish(from_short(game.options, text), called, brought=True)
        except InvalidOptions as bad:
            said = _("Some options in this link are not possible, so they were left out.")
            return Wish(otherwise, wrong=f"{said} {bad}")
    found = [preset for preset in _presets(game) if preset.key == key]
    return Wish(game.options(**found[0].values) if found else otherwise)


# Accepted values of a switch: a form field sends 1 or nothing; JSON sends true or false.
YES_OR_NO = ("", "0", "1")
# Fields other than the options in the forms that open a table or change its options.
BESIDE = {
    "cmd", "sure", "game", "name", "bots", "level", "start", "listed", "password", "watch", "days",
    "bank", "club", "guests", "bot_pace", "hints", "banter", "programs", "keep", "preset",
    "begins_full",
}  # fmt: skip


def options_sent(game: Game[Any]) -> Any:
    """Return the options in the body of a request; raises InvalidOptions.

    JSON may contain the key of a preset, and options that differ from it. Unknown options are
    refused, since a client that misspells one would otherwise play with the default unawares.
    """
    form = request.form
    if request.mimetype != "application/json":
        return read(game.options, form)
    known = BESIDE | {option.name for option in declared(game.options)}
    strange = [name for name in form if name.removesuffix(".asked") not in known]
    switches = [option.name for option in declared(game.options) if option.kind == "switch"]
    vague = [name for name in switches if form.get(name, "") not in YES_OR_NO]
    ways = {preset.key: preset for preset in _presets(game)}
    key = form.get("preset", game.usual.key)
    wrong = dict.fromkeys(strange, _("There is no such field."))
    wrong |= dict.fromkeys(vague, _("Send true or false."))
    wrong |= {} if key in ways else {"preset": _("There is no such preset.")}
    way = ways.get(key, game.usual)
    try:
        options = read(game.options, {**written(way.values), **form.to_dict()})
    except InvalidOptions as bad:
        raise InvalidOptions(bad.sentences | wrong) from None
    if wrong:
        raise InvalidOptions(wrong)
    return options


def wrong_options(form: ImmutableMultiDict[str, str]) -> dict[str, str]:
    """Return all errors in the submitted options of the named game."""
    game = GAMES.get(form.get("game", ""))
    try:
        if game is not None:
            options_sent(game)
    except InvalidOptions as bad:
        return bad.sentences
    return {}


def choices(
    game: Game[Any],
    options: Any,
    typed: Mapping[str, str] | None = None,
    own: Sequence[RuleSet] = (),
) -> Choices:
    """Return the form's content for these options; `typed` is input that was refused.

    `own` lists the viewer's rule sets for this game.
    """
    ways = [
        Way(
            urlencode({"preset": preset.key}),
            _(preset.name),
            _(preset.help),
            typed is None and game.options(**preset.values) == options,
            preset_length(game, preset),
            preset.source if preset.values else "",
        )
        for preset in _presets(game)
    ]
    ways += [
        Way(
            query_of(rules.short, rules.name),
            rules.name,
            differing(rules.options),
            typed is None and rules.options == options,
        )
        for rules in own
        if rules.options is not None
    ]
    groups = grouped(game.options, game.groups)
    values = asked_values(options) if typed is None else typed
    asked = next((way.query for way in ways if way.chosen), query_of(short(options)))
    if typed is not None or options == game.options():
        asked = ""
    return Choices(ways, groups, values, asked_values(game.options()), asked)


def query_of(written: str, called: str = "") -> str:
    """Return the query string of a rule set: its options, and its name if it has one."""
    return urlencode({"set": written} | ({"called": called} if called else {}), safe=",:")


def differing(options: Any) -> str:
    """Return the differences between options and the defaults, in words."""
    usual = asked_values(type(options)())
    changed = {name for name, value in asked_values(options).items() if value != usual[name]}
    said = [
        f"{option.label}: {words}" for option, words in notable(options) if option.name in changed
    ]
    return "; ".join(said) or _("Default options.")


def bots_wished(
    form: Mapping[str, str],
    pace: Pace,
    hints: Hints = Hints.ALONE,
    programs: Welcome = Welcome.PRIVATE,
) -> tuple[Pace, Hints, bool, Welcome]:
    """Return a form's bot settings: their pace, who may ask for hints, whether they chat, and
    whether players' own bots may sit down. Missing fields keep the given values; without a field
    for chat, bots chat.
    """
    quiet = ("banter" in form or "banter.asked" in form) and form.get("banter") != "1"
    return (
        chosen(form.get("bot_pace"), pace),
        chosen(form.get("hints"), hints),
        not quiet,
        chosen(form.get("programs"), programs),
    )


def _presets(game: Game[Any]) -> Sequence[Preset]:
    return [game.usual, *game.presets]
