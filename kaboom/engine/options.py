"""Options a game declares: type, range, default and one line of help, read from form fields."""

from collections.abc import Mapping, Sequence
from dataclasses import MISSING, dataclass, field, fields, replace
from typing import Any, TypeVar

from kaboom.engine.graphemes import beginning
from kaboom.engine.i18n import mark, mark_counted, say, say_counted

O = TypeVar("O")  # noqa: E741


LONGEST_SHORT = 2000  # characters in which options are written in an address

SEATINGS = {
    "sat": mark("as people sit"),
    "first": mark("as people sit, and who begins is drawn by lot"),
    "lot": mark("drawn by lot before each match"),
}

# How a number of each unit is put into words.
UNITS = {
    "cards": mark_counted("{count} card", "{count} cards"),
    "games": mark_counted("{count} game", "{count} games"),
    "points": mark_counted("{count} point", "{count} points"),
    "rounds": mark_counted("{count} round", "{count} rounds"),
    "rows": mark_counted("{count} row", "{count} rows"),
    "seconds": mark_counted("{count} second", "{count} seconds"),
}


@dataclass(frozen=True, slots=True)
class Option:
    """One option as a form shows it.

    `kind` is number, switch or choice; `values` maps each value of a choice to its label. `unit` is
    what a number counts, in words; `counted` are the texts for a number of it, and `zero` is what 0
    means if it is not a number of them.
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
    """A named way to play: values of some options, all others as usual.

    `key` names it in addresses, `help` is one line, `source` says whose rules these are.
    """

    key: str
    name: str
    help: str
    values: Mapping[str, Any]
    source: str = ""


USUAL = Preset("usual", mark("Standard"), mark("As described on the rules page."), {})


class InvalidOptions(ValueError):
    """Options that cannot be used; `sentences` maps the option's name to what is wrong with it."""

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

    `unit` is one of UNITS, or empty; `zero` says in words what 0 means, such as "no limit".
    """
    meta = {"kind": "number", "least": least, "most": most}
    meta |= {"unit": unit, "step": step, "zero": zero}
    return field(default=default, metadata=meta | {"label": label, "help": help})


def time_limit(label: str, help: str, most: int = 300) -> Any:
    """Declare how many seconds people have for something, up to `most`; as usual without a limit.

    Options declared so need no `times()`: `limits` finds them.
    """
    return number(0, 0, most, label, help, "seconds", zero=mark("no limit"))


def switch(default: bool, label: str, help: str) -> Any:
    """Declare a yes-or-no option."""
    return field(default=default, metadata={"kind": "switch", "label": label, "help": help})


def choice(default: str, values: Mapping[str, str], label: str, help: str) -> Any:
    """Declare a choice of one of the values (value to label)."""
    meta = {"kind": "choice", "values": values, "label": label, "help": help}
    return field(default=default, metadata=meta)


def seats_by_lot(*also: str) -> Any:
    """Declare how players come to their seats: as they sit, or by lot before each match.

    `also` may name "first", where seat 0 begins: as they sit, and who that is is drawn. The table
    draws (kaboom.engine.rng.places_drawn); rules know nothing of it. The field is `seating`.
    """
    ways = {way: text for way, text in SEATINGS.items() if way in ("sat", "lot", *also)}
    return choice(
        "sat",
        ways,
        mark("Order of seats"),
        mark(
            "What is drawn comes from the seed and the cuts, as the cards do, and can be checked."
        ),
    )


def seating_of(options: Any) -> str:
    """Return how players come to their seats: "sat", "first" or "lot"."""
    way: str = getattr(options, "seating", "sat")
    return way


def declared(options: type[Any]) -> list[Option]:
    """Return the options of a game's options type, in the order they are declared.

    Their texts are in the language spoken.
    """
    return [Option(name=f.name, default=f.default, **_said(f.metadata)) for f in fields(options)]


def grouped(
    options: type[Any], groups: Mapping[str, Sequence[str]]
) -> list[tuple[str, list[Option]]]:
    """Return the options of a type under the headings of their groups (heading to names).

    Options in no group come last, under "Other".
    """
    left = {option.name: option for option in declared(options)}
    found = [
        (say(heading), [left.pop(name) for name in names]) for heading, names in groups.items()
    ]
    return [*found, (say("Other"), list(left.values()))] if left else found


def _said(meta: Mapping[str, Any]) -> dict[str, Any]:
    said = dict(meta)
    if said.get("unit"):
        said["counted"] = UNITS[said["unit"]]
    for key in ("label", "help", "unit", "zero"):
        if said.get(key):
            said[key] = say(said[key])
    if values := said.get("values"):
        said["values"] = {value: say(label) for value, label in values.items()}
    return said


def read(options: type[O], form: Mapping[str, str]) -> O:
    """Return the options a form asks for; a missing number or choice means its default.

    A switch is on when its field is present and not "0" or empty, off when the form says
    "<name>" nowhere but "<name>.asked"; without either it keeps its default. Raises InvalidOptions.
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
    """Return the value a form asks for; of a number that cannot be read, None."""
    text = form.get(option.name, "").strip()
    if option.kind == "switch":
        asked = option.name in form or f"{option.name}.asked" in form
        return text not in ("", "0") if asked else option.default
    if not text:
        return option.default
    return text if option.kind == "choice" else _number(text, whole=option.step == 1)


def _wrong(option: Option, form: Mapping[str, str]) -> str | None:
    """Return in a sentence what is wrong with the value a form asks for, or None."""
    value = _asked_for(option, form)
    if option.kind == "switch" or value == option.default:
        return None
    if option.kind == "choice":
        if value in option.values:
            return None
        return say(
            "{option}: “{text}” is not one of the choices.",
            option=option.label,
            text=beginning(value, 40),
        )
    if value is not None and option.least <= value <= option.most:
        return None
    return say(
        mark("{option} must be a whole number from {least:g} to {most:g}.")
        if option.step == 1
        else mark("{option} must be a number from {least:g} to {most:g}."),
        option=option.label,
        least=option.least,
        most=option.most,
    )


def contradictions(options: Any) -> dict[str, str]:
    """Return which options cannot be chosen together: the one to change, and a sentence why.

    It is what `contradictions()` of an options type returns, where it has one.
    """
    found: dict[str, str] = options.contradictions() if hasattr(options, "contradictions") else {}
    return found


def asked_values(options: Any) -> dict[str, str]:
    """Return options as the fields of a form that asks for them."""
    values = {option.name: getattr(options, option.name) for option in declared(type(options))}
    return {
        name: value if isinstance(value, str) else "1" if value is True else f"{value or 0:g}"
        for name, value in values.items()
    }


def short(options: Any) -> str:
    """Return what is not as usual in options, in a word for addresses: "deal:7,jokers:1".

    It is empty if everything is as usual.
    """
    usual = asked_values(type(options)())
    return ",".join(
        f"{name}:{value}" for name, value in asked_values(options).items() if value != usual[name]
    )


def from_short(options: type[O], text: str) -> O:
    """Return the options that `short` wrote so; raises InvalidOptions for whatever it never
    writes.
    """
    form = dict(pair.split(":", 1) for pair in text[:LONGEST_SHORT].split(",") if ":" in pair)
    kinds = {option.name: option.kind for option in declared(options)}
    strange = [name for name in form if name not in kinds]
    strange += [n for n, v in form.items() if not v or (kinds.get(n) == "switch" and v not in "01")]
    if strange or ",".join(f"{name}:{value}" for name, value in form.items()) != text:
        raise InvalidOptions(
            {"": say("There are no such options here: “{text}”.", text=beginning(text, 40))}
        )
    return read(options, form)


def written(values: Mapping[str, bool | int | float | str]) -> dict[str, str]:
    """Return values of options as a form would send them."""
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
    """Return each option with its present value in words, for people at the table."""
    return [(o, in_words(o, getattr(options, o.name))) for o in declared(type(options))]


def in_words(option: Option, value: Any) -> str:
    """Return a value of an option in words: "yes", "15 seconds", "no limit", a choice's label."""
    if option.kind == "switch":
        return say("yes") if value else say("no")
    if option.kind == "choice":
        return option.values.get(value, str(value))
    if option.zero and not value:
        return option.zero
    return say_counted(*option.counted, value)


def limits(options: Any) -> dict[str, float]:
    """Return how many seconds people have, by the option that sets it; 0 is no limit.

    It is what `times()` of an options type returns, where it has one, or else the value of each
    option in whole seconds.
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
    """Return what to know before sitting down, in words: what is not as usual, and every time limit
    in force.
    """
    assert all(f.default is not MISSING for f in fields(options))
    times = limits(options)
    return [
        (option, in_words(option, times.get(option.name, getattr(options, option.name))))
        for option in declared(type(options))
        if times.get(option.name) or getattr(options, option.name) != option.default
    ]
