"""Options declared by a game (type, range, default and one line of help), and their values: how
they are read from form fields and validated.
"""

from collections.abc import Mapping, Sequence
from dataclasses import MISSING, Field, dataclass, field, fields, replace
from typing import Any, TypeVar

from kaboom.engine.graphemes import beginning
from kaboom.engine.i18n import gettext as _
from kaboom.engine.i18n import gettext_noop as N_
from kaboom.engine.i18n import ngettext, ngettext_noop

O = TypeVar("O")  # noqa: E741


LONGEST_SHORT = 2000  # the most characters of options in a URL

SEATINGS = {
    "sat": N_("as players are seated"),
    "first": N_("as players are seated; the first player is drawn by lot"),
    "lot": N_("drawn by lot before each match"),
}

# The texts for a number of each unit.
UNITS = {
    "cards": ngettext_noop("{count} card", "{count} cards"),
    "games": ngettext_noop("{count} game", "{count} games"),
    "points": ngettext_noop("{count} point", "{count} points"),
    "rounds": ngettext_noop("{count} round", "{count} rounds"),
    "rows": ngettext_noop("{count} row", "{count} rows"),
    "seconds": ngettext_noop("{count} second", "{count} seconds"),
}


@dataclass(frozen=True, slots=True)
class Option:
    """An option in a form.

    `kind` is number, switch or choice; `values` maps each value of a choice to its label. `unit`
    names what a number counts; `counted` are the singular and plural texts for such a number, and
    `zero` is the meaning of 0 if it has a special one.
    """

    name: str
    label: str
    help: str
    kind: str
    default: Any
    least: float = 0
    most: float = 0
    step: float = 1
    unit: str = ""
    counted: tuple[str, str] = ("{count}", "{count}")
    zero: str = ""
    values: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Preset:
    """A named way to play: values of some options; all others have their defaults.

    `key` names it in URLs, `help` is one line, `source` names whose rules these are.
    """

    key: str
    name: str
    help: str
    values: Mapping[str, Any]
    source: str = ""


USUAL = Preset("usual", N_("Standard"), N_("As described on the rules page."), {})


class InvalidOptions(ValueError):
    """Options that cannot be used; `sentences` maps each option's name to what is wrong with it."""

    status = 422
    slug = "bad-options"

    def __init__(self, sentences: Mapping[str, str]) -> None:
        super().__init__(" ".join(sentences.values()))
        self.sentences = dict(sentences)


def number(
    default: float,
    least: float,
    most: float,
    label: str,
    help: str,
    unit: str = "",
    step: float = 1,
    zero: str = "",
) -> Any:
    """Declare a number from `least` to `most`; whole unless `step` is a fraction.

    `unit` is one of UNITS, or empty; `zero` is the meaning of 0 in words, such as "no limit".
    """
    meta = {"kind": "number", "least": least, "most": most}
    meta |= {"unit": unit, "step": step, "zero": zero}
    return field(default=default, metadata=meta | {"label": label, "help": help})


def time_limit(label: str, help: str, most: int = 300) -> Any:
    """Declare a time limit in seconds, up to `most`; by default there is none.

    Such options need no `times()`, because `limits` finds them.
    """
    return number(0, 0, most, label, help, "seconds", zero=N_("no limit"))


def switch(default: bool, label: str, help: str) -> Any:
    """Declare a yes-or-no option."""
    return field(default=default, metadata={"kind": "switch", "label": label, "help": help})


def choice(default: str, values: Mapping[str, str], label: str, help: str) -> Any:
    """Declare a choice of one of the values (value to label)."""
    meta = {"kind": "choice", "values": values, "label": label, "help": help}
    return field(default=default, metadata=meta)


def seats_by_lot(*also: str) -> Any:
    """Declare how players are seated: where they sit, or by lot before each match.

    `also` may name "first", for games in which seat 0 begins: players stay in order, and the first
    player is drawn by lot. The table draws (kaboom.engine.fairness.commitment), and the
    rules are not involved. The field must be named `seating`.
    """
    ways = {way: text for way, text in SEATINGS.items() if way in ("sat", "lot", *also)}
    return choice(
        "sat",
        ways,
        N_("Seating order"),
        N_("Like the cards, random draws come from the seed and the cuts, and can be verified."),
    )


def seating_of(options: Any) -> str:
    """Return the seating: "sat", "first" or "lot"."""
    way: str = getattr(options, "seating", "sat")
    return way


def declared(options: type[Any]) -> list[Option]:
    """Return the options of a game's options type, in order of declaration.

    Their texts are in the current language.
    """
    return [_option(declaration) for declaration in fields(options)]


def _option(declaration: Field[Any]) -> Option:
    return Option(name=declaration.name, default=declaration.default, **_said(declaration.metadata))


def grouped(
    options: type[Any], groups: Mapping[str, Sequence[str]]
) -> list[tuple[str, list[Option]]]:
    """Return the options of a type under the headings of their groups (heading to names).

    Options in no group come last, under "Other".
    """
    left = {option.name: option for option in declared(options)}
    found = [(_(heading), [left.pop(name) for name in names]) for heading, names in groups.items()]
    return [*found, (_("Other"), list(left.values()))] if left else found


def _said(meta: Mapping[str, Any]) -> dict[str, Any]:
    said = dict(meta)
    if said.get("unit"):
        said["counted"] = UNITS[said["unit"]]
    for key in ("label", "help", "unit", "zero"):
        if said.get(key):
            said[key] = _(said[key])
    if values := said.get("values"):
        said["values"] = {value: _(label) for value, label in values.items()}
    return said


def read(options: type[O], form: Mapping[str, str]) -> O:
    """Return the options in form fields; a missing number or choice means its default.

    A switch is on if its field "<name>" is present and neither "0" nor empty. It is off if that
    field is "0" or empty, or if only "<name>.asked" is present. Without either field, it keeps its
    default. Raises InvalidOptions.
    """
    every = declared(options)
    values = {option.name: _asked_for(option, form) for option in every}
    wrong = {option.name: why for option in every if (why := _wrong(option, form))}
    if wrong:
        raise InvalidOptions(wrong)
    chosen = options(**values)
    if together := contradictions(chosen):
        raise InvalidOptions(together)
    return chosen


def _asked_for(option: Option, form: Mapping[str, str]) -> Any:
    """Return an option's value in form fields; None for a number that cannot be read."""
    text = form.get(option.name, "").strip()
    if option.kind == "switch":
        asked = option.name in form or f"{option.name}.asked" in form
        return text not in ("", "0") if asked else option.default
    if not text:
        return option.default
    return text if option.kind == "choice" else _number(text, whole=option.step == 1)


def _wrong(option: Option, form: Mapping[str, str]) -> str | None:
    """Return a sentence about an invalid value in form fields, or None."""
    value = _asked_for(option, form)
    if option.kind == "switch" or value == option.default:
        return None
    if option.kind == "choice":
        if value in option.values:
            return None
        return _(
            "{option}: “{text}” is not one of the choices.",
            option=option.label,
            text=beginning(value, 40),
        )
    if value is not None and option.least <= value <= option.most:
        return None
    return _(
        N_("{option} must be a whole number from {least:g} to {most:g}.")
        if option.step == 1
        else N_("{option} must be a number from {least:g} to {most:g}."),
        option=option.label,
        least=option.least,
        most=option.most,
    )


def contradictions(options: Any) -> dict[str, str]:
    """Return the contradictions between options, as sentences by the option to change.

    They come from `contradictions()` of the options type, if it has one.
    """
    found: dict[str, str] = options.contradictions() if hasattr(options, "contradictions") else {}
    return found


def asked_values(options: Any) -> dict[str, str]:
    """Return options as form fields."""
    values = {option.name: getattr(options, option.name) for option in declared(type(options))}
    return {
        name: value if isinstance(value, str) else "1" if value is True else f"{value or 0:g}"
        for name, value in values.items()
    }


def short(options: Any) -> str:
    """Return the options that differ from the defaults, for URLs: "deal:7,jokers:1". It is empty if
    none differ.
    """
    usual = asked_values(type(options)())
    return ",".join(
        f"{name}:{value}" for name, value in asked_values(options).items() if value != usual[name]
    )


def from_short(options: type[O], text: str) -> O:
    """Return the options in a text made by `short`; raises InvalidOptions for any other text."""
    form = dict(pair.split(":", 1) for pair in text[:LONGEST_SHORT].split(",") if ":" in pair)
    kinds = {option.name: option.kind for option in declared(options)}
    strange = [name for name in form if name not in kinds]
    strange += [n for n, v in form.items() if not v or (kinds.get(n) == "switch" and v not in "01")]
    if strange or ",".join(f"{name}:{value}" for name, value in form.items()) != text:
        raise InvalidOptions({"": _("Unknown options: “{text}”.", text=beginning(text, 40))})
    return read(options, form)


def written(values: Mapping[str, bool | int | float | str]) -> dict[str, str]:
    """Return option values as a form would send them."""
    return {
        name: str(int(value)) if isinstance(value, bool) else str(value)
        for name, value in values.items()
    }


def _number(text: str, whole: bool) -> float | None:
    try:
        return int(text) if whole else float(text)
    except ValueError:
        return None


def described(options: Any) -> list[tuple[Option, str]]:
    """Return each option with its value in words."""
    return [(o, in_words(o, getattr(options, o.name))) for o in declared(type(options))]


def in_words(option: Option, value: Any) -> str:
    """Return a value of an option in words: "yes", "15 seconds", "no limit", a choice's label."""
    if option.kind == "switch":
        return _("yes") if value else _("no")
    if option.kind == "choice":
        return option.values.get(value, str(value))
    if option.zero and not value:
        return option.zero
    return ngettext(*option.counted, value)


def limits(options: Any) -> dict[str, float]:
    """Return the time limits in seconds by option; 0 is no limit.

    They come from `times()` of the options type, if it has one, or else from each option in whole
    seconds.
    """
    if hasattr(options, "times"):
        times: dict[str, float] = options.times()
        return times
    return {
        it.name: getattr(options, it.name)
        for it in fields(options)
        if it.metadata.get("unit") == "seconds" and it.metadata["step"] == 1
    }


def untimed(options: O) -> O:
    """Return the same options without any time limit."""
    changed: Any = replace(options, **dict.fromkeys(limits(options), 0))  # type: ignore[type-var]
    return changed  # type: ignore[no-any-return]


def notable(options: Any) -> list[tuple[Option, str]]:
    """Return the options that players should know before sitting down, in words: those that differ
    from the defaults, and every time limit.
    """
    assert all(f.default is not MISSING for f in fields(options))
    times = limits(options)
    found = []
    for declaration in fields(options):
        value = getattr(options, declaration.name)
        time = times.get(declaration.name)
        if time or value != declaration.default:
            option = _option(declaration)
            found.append((option, in_words(option, value if time is None else time)))
    return found
