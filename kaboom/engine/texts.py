"""Sentences about a game: templates as data, filled in with names and cards.

A template is a text such as "{seat:name} flips {place:place}: it is {card:card}". What follows the
colon is a speller: it turns the fact into words. Common spellers are here, a game adds its own.
Templates are English; what is filled in is the same template in the language spoken.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from string import Formatter
from typing import Any

from kaboom.engine.i18n import figures, isolated, mark, say, say_counted, spoken_now
from kaboom.engine.toolkit.cards import joined, spoken, spoken_list

TAKEN_BACK = "taken_back"

# What every game says alike, unless it has words of its own for it.
EVERYWHERE: Mapping[str, str] = {
    TAKEN_BACK: mark("{seat:name} takes the last move back."),
    f"{TAKEN_BACK}.you": mark("You take your last move back."),
    "ready": mark("{seat:name} is ready."),
    "ready.you": mark("You are ready."),
    "left": mark("{seat:name} has left the table."),
    "left.you": mark("You have left the table."),
    "returned": mark("{seat:name} is back."),
    "returned.you": mark("You are back."),
    "late": mark("{seat:name} is out of time, so chance decides."),
    "away": mark("{seat:name} is away, so chance decides."),
    "won": mark("The match is over. {winners:names} won: {scores:scores}."),
    "draw": mark("The match is over, a draw between {winners:names}: {scores:scores}."),
    "abandoned": mark("The match was stopped because too few players were left: {scores:scores}."),
}


@dataclass(frozen=True, slots=True)
class Names:
    """The names around the table, seat 0 first, and the reader's own seat (None: a spectator).

    `about` is the seat a sentence is about: its cards are then named without repeating its name.
    """

    seats: tuple[str, ...]
    me: int | None = None
    about: int | None = None

    def name(self, seat: int) -> str:
        """Return the name of a seat."""
        return self.seats[seat]

    def whose(self, seat: int) -> str:
        """Return "your" for the reader's own seat, else "Ann's"."""
        return say("your") if seat == self.me else say("{name}’s", name=self.seats[seat])


def in_points(number: float | None) -> str:
    """Return a number of points in words: "1 point", "7.5 points"; "—" where there is no score."""
    if number is None:
        return figures(None)
    return say_counted("{count} point", "{count} points", number)


Speller = Callable[[Any, Names], str]

SPELLERS: dict[str, Speller] = {
    "name": lambda seat, names: names.name(seat),
    "names": lambda seats, names: joined([names.name(seat) for seat in seats]),
    "whose": lambda seat, names: names.whose(seat),
    "card": lambda card, names: spoken(card),
    "cards": lambda cards, names: spoken_list(cards),
    "count": lambda number, names: say_counted("{count} card", "{count} cards", number),
    "points": lambda number, names: in_points(number),
    "seconds": lambda number, names: say_counted("{count} second", "{count} seconds", number),
    "minutes": lambda number, names: say_counted("{count} minute", "{count} minutes", number),
    "scores": lambda scores, names: joined(
        [f"{names.name(seat)} {figures(points)}" for seat, points in enumerate(scores)]
    ),
    "": lambda value, names: str(value),
}


@dataclass(frozen=True, eq=False)  # one of a game, so what was said with it can be kept
class Words:
    """How a game speaks.

    `sayings`: kind of event or saying to its sentence; EVERYWHERE has some that need not be given.
    A key "kind.you" is used instead when the fact `seat` is the reader's own seat. A kind of event
    without a sentence is not put into the log. "kind.open" is for those who look back with all
    cards open, and the only way in which they hear what was whispered; if it is empty they hear
    nothing, since other events say it already.
    `offers`: verb to the words on its button or above its choices; "{about}" may be used. A key
    "verb.ask" is the question put before a move that wants confirming, with "{choice}".
    `choices`: verb to the speller of its options. `spellers`: the game's own spellers.
    `rules`: verb to the heading of rules.md that explains it, for players whose move was refused.
    """

    sayings: Mapping[str, str]
    offers: Mapping[str, str]
    choices: Mapping[str, str] = field(default_factory=dict)
    spellers: Mapping[str, Speller] = field(default_factory=dict)
    rules: Mapping[str, str] = field(default_factory=dict)

    def say(self, kind: str, facts: Mapping[str, Any], names: Names) -> str | None:
        """Return the sentence for this kind, or None when the game has none for it."""
        template = self._template(kind, facts, names)
        return None if template is None else self.fill(template, facts, names)

    def told(self, kind: str, facts: Mapping[str, Any], names: Names) -> Mapping[str, Any]:
        """Return the facts that this sentence tells; the reader's own seat, where it says "you"."""
        told = {name for _, name, _ in _parts(self._template(kind, facts, names) or "")}
        if _is_about_reader(facts, names):
            told.add("seat")
        return {name: fact for name, fact in facts.items() if name in told}

    def _template(self, kind: str, facts: Mapping[str, Any], names: Names) -> str | None:
        own = self.saying(f"{kind}.you") if _is_about_reader(facts, names) else None
        return own or self.saying(kind)

    def saying(self, key: str) -> str | None:
        """Return the template of that key, or None. What a game says of a kind in its own words it
        says so to all.
        """
        own = key.partition(".")[0] in self.sayings
        return self.sayings.get(key) or (None if own else EVERYWHERE.get(key))

    def named(self, kind: str, facts: Mapping[str, Any]) -> set[int]:
        """Return the seats that the sentence for this kind names."""
        seats: set[int] = set()
        for _, name, spec in _parts(self.saying(kind) or ""):
            if name and spec in ("name", "names"):
                seats |= {facts[name]} if spec == "name" else set(facts[name])
        return seats

    def look_back(
        self, kind: str, facts: Mapping[str, Any], to: int | None, names: Names
    ) -> str | None:
        """Return the sentence for an event as viewers who see all cards hear it, or None.

        `to` is the seat it was whispered to (None: told to all), which is its `seat` then.
        """
        template = self.sayings.get(f"{kind}.open")
        if template is None and to is None:
            template = self.saying(kind)
        return self.fill(template, {"seat": to, **facts}, names) if template else None

    def fill(self, template: str, facts: Mapping[str, Any], names: Names) -> str:
        """Return the template with its facts in words, its first letter capitalised."""
        names = Names(names.seats, names.me, facts.get("seat"))
        text = "".join(
            literal + (isolated(self.speller(spec)(facts[name], names)) if name else "")
            for literal, name, spec in _parts(spoken_now().text(template))
        )
        return text[:1].upper() + text[1:]

    def speller(self, spec: str) -> Speller:
        """Return the speller of that name, the game's own before the common ones."""
        return self.spellers.get(spec) or SPELLERS[spec]

    def choice(self, verb: str, option: str, names: Names) -> str:
        """Return one option of a verb in words."""
        return self.speller(self.choices.get(verb, ""))(option, names)

    def choices_of(self, verb: str, options: tuple[str, ...], names: Names) -> Sequence[str]:
        """Return all options of a verb in words."""
        return _spelled(self, verb, options, names, spoken_now().code)

    def offer(self, verb: str, names: Names, about: str = "") -> str:
        """Return what the button or heading of an offer says."""
        return _offered(self, verb, names, about, spoken_now().code)

    def brief(self, verb: str, names: Names, about: str = "") -> str:
        """Return the beginning of a button that is enough where there is little room, or nothing.

        It is the template "verb.brief" among `offers`.
        """
        template = self.offers.get(f"{verb}.brief")
        return self.fill(template, {"about": about}, names) if template else ""

    def how(self, verb: str, names: Names, about: str = "") -> str:
        """Return what a press on a card does, in a sentence, or nothing.

        It is the template "verb.how" among `offers`.
        """
        template = self.offers.get(f"{verb}.how")
        return self.fill(template, {"about": about}, names) if template else ""

    def ahead(self, verb: str, choices: Sequence[str], until: bool, names: Names) -> str:
        """Return what a seat decides ahead: a template "verb.ahead" or, for what is done every
        time, "verb.until" among `offers`, or else what the button says.
        """
        key = f"{verb}.until" if until else f"{verb}.ahead"
        said = self.fill(self.offers.get(key) or self.offers[verb], {"about": ""}, names)
        choice = joined([self.choice(verb, option, names) for option in choices])
        return f"{said}: {choice}" if choices else said

    def question(self, verb: str, choices: Sequence[str], names: Names, about: str = "") -> str:
        """Return what is asked before an offer that wants confirming is taken.

        A template "verb.ask" among `offers` may use {choice} (all that is chosen) and {about}.
        """
        choice = joined([self.choice(verb, option, names) for option in choices])
        return self.asking(verb, names, about, choice)

    def asking(self, verb: str, names: Names, about: str = "", choice: str = "{choice}") -> str:
        """Return the same question about a `choice` in words, or with the placeholder {choice}."""
        template = self.offers.get(f"{verb}.ask")
        if template is not None:
            return self.fill(template, {"choice": choice, "about": about}, names)
        said = self.offer(verb, names, about)
        return f"{said}: {choice}?" if choice else f"{said}?"


def _is_about_reader(facts: Mapping[str, Any], names: Names) -> bool:
    return names.me is not None and facts.get("seat") == names.me


@lru_cache(maxsize=10_000)  # asked for by each voice at every look, and seldom another
def _offered(words: Words, verb: str, names: Names, about: str, language: str) -> str:
    return words.fill(words.offers[verb], {"about": about}, names)


@lru_cache(maxsize=10_000)  # a hand or a grid is chosen from in several voices, look after look
def _spelled(
    words: Words, verb: str, options: tuple[str, ...], names: Names, language: str
) -> Sequence[str]:
    return tuple(words.choice(verb, option, names) for option in options)


@cache
def _parts(template: str) -> Sequence[tuple[str, str | None, str]]:
    return [(literal, name, spec or "") for literal, name, spec, _ in Formatter().parse(template)]
