"""What the form of a game's options shows: named ways to play, and all options."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from flask import request
from werkzeug.datastructures import ImmutableMultiDict

from kaboom.accounts.names import cleaned
from kaboom.engine.bots.delays import Pace
from kaboom.engine.game import Game
from kaboom.engine.i18n import say
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
from kaboom.tables.table import Hints, Welcome
from kaboom.web.forms import chosen

LONGEST_NAME, NAME_POINTS = 40, 80  # of a set of options: characters, and code points
MANY = 16  # options, from which on the form would be too long to look through


@dataclass(frozen=True, slots=True)
class Way:
    """A way to play as a link: what the address asks for, and whether it is chosen."""

    query: str
    name: str
    help: str
    chosen: bool


@dataclass(frozen=True, slots=True)
class RuleSet:
    """A set of options of a game under a player's own name for it.

    `options` are of the game's own type, `short` are the same in an address. They are None where
    the game is no longer here, or has no such options any more.
    """

    id: int
    game: str
    name: str
    short: str
    options: Any


@dataclass(frozen=True, slots=True)
class Choices:
    """The ways to play, the options under their headings, and what their fields hold by name.

    `asked` is what an address asks for that means the same options; empty if they are as usual.
    """

    ways: Sequence[Way]
    groups: Sequence[tuple[str, Sequence[Option]]]
    values: Mapping[str, str]
    usual: Mapping[str, str]
    asked: str = ""

    @property
    def many(self) -> bool:
        """Say whether there are so many options that each heading is folded, too."""
        return len(self.usual) > MANY

    def changed(self, options: Sequence[Option]) -> Sequence[str]:
        """Return the labels of the options whose fields do not hold the usual value."""
        return [o.label for o in options if self.values.get(o.name, "0") != self.usual[o.name]]

    @property
    def own(self) -> bool:
        """Say whether the options match no named way to play."""
        return not any(way.chosen for way in self.ways)


@dataclass(frozen=True, slots=True)
class Wish:
    """What an address asks for: options, and what they are called if it brings them along.

    `wrong` says what nobody could read in it; then the options are those there would be without.
    """

    options: Any
    called: str = ""
    brought: bool = False
    wrong: str = ""


def wished(game: Game[Any], otherwise: Any) -> Wish:
    """Return the options that the address asks for: a way to play by its key, or a set of options
    that is written in it.
    """
    key, text = request.args.get("preset"), request.args.get("set")
    if text is not None:
        called = cleaned(request.args.get("called", ""), LONGEST_NAME, NAME_POINTS)
        try:
            return Wish(from_short(game.options, text), called, brought=True)
        except InvalidOptions as bad:
            said = say("This link asks for options that cannot be played, so they were left out.")
            return Wish(otherwise, wrong=f"{said} {bad}")
    found = [preset for preset in _presets(game) if preset.key == key]
    return Wish(game.options(**found[0].values) if found else otherwise)


# What a switch may be sent as: a field of a form is 1 or nothing, and so are true and false.
YES_OR_NO = ("", "0", "1")
# What may be sent beside the options where a table is opened or its options are changed.
BESIDE = {
    "cmd", "sure", "game", "name", "bots", "level", "start", "listed", "password", "watch", "days",
    "club", "guests", "bot_pace", "hints", "banter", "programs", "keep", "preset",
}  # fmt: skip


def options_sent(game: Game[Any]) -> Any:
    """Return the options that a request sends; raises InvalidOptions.

    JSON may name a way to play by its key, and the options in which it differs; and nothing that
    there is not: a program that misspells an option would play the usual one and never know.
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
    wrong = dict.fromkeys(strange, say("There is no such field."))
    wrong |= dict.fromkeys(vague, say("Send true or false."))
    wrong |= {} if key in ways else {"preset": say("There is no such way to play.")}
    way = ways.get(key, game.usual)
    try:
        options = read(game.options, {**written(way.values), **form.to_dict()})
    except InvalidOptions as bad:
        raise InvalidOptions(bad.sentences | wrong) from None
    if wrong:
        raise InvalidOptions(wrong)
    return options


def wrong_options(form: ImmutableMultiDict[str, str]) -> dict[str, str]:
    """Return what is wrong with the options of the game that is named: all is told at once."""
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
    """Return what a form for these options shows; `typed` is what was refused.

    `own` are the sets of the game that the person asking has given names.
    """
    ways = [
        Way(
            urlencode({"preset": preset.key}),
            say(preset.name),
            say(preset.help),
            typed is None and game.options(**preset.values) == options,
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
    """Return what an address asks for that brings a set of options and what it is called."""
    return urlencode({"set": written} | ({"called": called} if called else {}), safe=",:")


def differing(options: Any) -> str:
    """Return in words where options differ from the usual ones."""
    usual = asked_values(type(options)())
    changed = {name for name, value in asked_values(options).items() if value != usual[name]}
    said = [
        f"{option.label}: {words}" for option, words in notable(options) if option.name in changed
    ]
    return "; ".join(said) or say("All options as usual.")


def bots_wished(
    form: Mapping[str, str],
    pace: Pace,
    hints: Hints = Hints.ALONE,
    programs: Welcome = Welcome.PRIVATE,
) -> tuple[Pace, Hints, bool, Welcome]:
    """Return what a form says of a table's bots: how fast they play, who may ask them, whether
    they talk, and whether those of players may sit down. What it does not say stays.
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
