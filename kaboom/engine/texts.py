"""Sentences about a game: templates as data, filled in with names and cards.

A template is a string such as "{seat:name} flips {place:place}: it is {card:card}". Before the
colon is the name of a fact; after it, that of a speller, a function that turns the fact into words.
Common spellers are here; a game adds its own. Templates are English, and are translated before they
are filled in.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from string import Formatter
from typing import Any

from kaboom.engine.i18n import figures, isolated, ngettext, spoken_now
from kaboom.engine.i18n import gettext as _
from kaboom.engine.i18n import gettext_noop as N_
from kaboom.engine.toolkit.cards import joined, spoken, spoken_list, suit_name

TAKEN_BACK = "taken_back"

# Sentences for every game, unless it has its own.
EVERYWHERE: Mapping[str, str] = {
    TAKEN_BACK: N_("{seat:name} takes back the last move."),
    f"{TAKEN_BACK}.you": N_("You take back your last move."),
    "ready": N_("{seat:name} is ready."),
    "ready.you": N_("You are ready."),
    "left": N_("{seat:name} has left the table."),
    "left.you": N_("You have left the table."),
    "returned": N_("{seat:name} is back."),
    "returned.you": N_("You are back."),
    "late": N_("{seat:name} is out of time, so chance decides."),
    "away": N_("{seat:name} is away, so chance decides."),
    "won": N_("The match is over: {winners:winners} ({scores:scores})."),
    "draw": N_("The match is over, a draw between {winners:names}: {scores:scores}."),
    "abandoned": N_("The match was stopped because too few players were left: {scores:scores}."),
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

    def you_or_name(self, seat: int) -> str:
        """Return "you" for the reader's own seat, else its name."""
        return _("you") if seat == self.me else self.seats[seat]

    def whose(self, seat: int) -> str:
        """Return "your" for the reader's own seat, else "Ann's"."""
        return _("your") if seat == self.me else _("{name}’s", name=self.seats[seat])


def in_points(number: float | None) -> str:
    """Return a number of points in words: "1 point", "7.5 points"; "—" where there is no score."""
    if number is None:
        return figures(None)
    return ngettext("{count} point", "{count} points", number)


def winners(seats: Sequence[int], names: Names) -> str:
    """Return who has won, as a part of a sentence: "you win", "Ann and Ben share the win"."""
    if len(seats) == 1:
        if seats[0] == names.me:
            return _("you win")
        return _("{name} wins", name=names.name(seats[0]))
    who = joined([names.name(seat) for seat in seats])
    return _("{names} share the win", names=who) if seats else _("no one wins")


Speller = Callable[[Any, Names], str]

FORMATTERS: dict[str, Speller] = {
    "name": lambda seat, names: names.name(seat),
    "names": lambda seats, names: joined([names.name(seat) for seat in seats]),
    "winners": winners,
    "whose": lambda seat, names: names.whose(seat),
    "card": lambda card, names: spoken(card),
    "cards": lambda cards, names: spoken_list(cards),
    "suit": lambda card, names: suit_name(card[1]),
    "count": lambda number, names: ngettext("{count} card", "{count} cards", number),
    "points": lambda number, names: in_points(number),
    "seconds": lambda number, names: ngettext("{count} second", "{count} seconds", number),
    "minutes": lambda number, names: ngettext("{count} minute", "{count} minutes", number),
    "scores": lambda scores, names: joined(
        [f"{names.you_or_name(seat)} {figures(points)}" for seat, points in enumerate(scores)]
    ),
    "": lambda value, names: str(value),
}


@dataclass(frozen=True, eq=False)  # one per game, so its rendered texts can be cached
class Words:
    """A game's sentences and labels.

    `sayings` maps a kind of event or saying to its sentence; those in EVERYWHERE may be omitted. A
    key "kind.you" is used instead when the fact `seat` is the reader's own seat. A kind of event
    without a sentence is not put into the log. "kind.open" is for viewers who look back with all
    cards open. A private event without it is not shown to them; an empty string hides the event,
    since other events already report it.

    `offers` maps a verb to its button text or the heading of its choices; "{about}" may be used. A
    key "verb.ask" is the confirmation question of a move, with "{choice}"; "verb.one" is the move
    in words with a single choice: all of it if it has "{choice}", else what precedes the choice.

    `choices` maps a verb to the speller of its options. `spellers` are the game's own spellers;
    "verb.sign" gives the card that a move is about as a short sign, for its button on narrow
    screens. `rules` maps a verb to the heading of rules.md that explains it, for players whose
    move was refused.
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
        """Return the facts that this sentence uses, with `seat` if it addresses the reader."""
        told = {name for _unused, name, _unused in _parts(self._template(kind, facts, names) or "")}
        if _is_about_reader(facts, names):
            told.add("seat")
        return {name: fact for name, fact in facts.items() if name in told}

    def _template(self, kind: str, facts: Mapping[str, Any], names: Names) -> str | None:
        own = self.saying(f"{kind}.you") if _is_about_reader(facts, names) else None
        return own or self.saying(kind)

    def saying(self, key: str) -> str | None:
        """Return the template with that key, or None. If the game has its own text for a kind of
        event, EVERYWHERE's variants of it, such as "kind.you", are not used.
        """
        own = key.partition(".")[0] in self.sayings
        return self.sayings.get(key) or (None if own else EVERYWHERE.get(key))

    def named(self, kind: str, facts: Mapping[str, Any]) -> set[int]:
        """Return the seats that the sentence for this kind names."""
        seats: set[int] = set()
        for _unused, name, spec in _parts(self.saying(kind) or ""):
            if name and spec in ("name", "names"):
                seats |= {facts[name]} if spec == "name" else set(facts[name])
        return seats

    def look_back(
        self, kind: str, facts: Mapping[str, Any], to: int | None, names: Names
    ) -> str | None:
        """Return the sentence for an event as viewers who see all cards read it, or None.

        `to` is the recipient of a private event (None: public), and stands for the fact `seat` if
        the event has none.
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
        """Return the speller with that name, the game's own first."""
        return self.spellers.get(spec) or FORMATTERS[spec]

    def choice(self, verb: str, option: str, names: Names) -> str:
        """Return one option of a verb in words."""
        return self.speller(self.choices.get(verb, ""))(option, names)

    def chosen(self, verb: str, choices: Sequence[str], names: Names) -> str:
        """Return the chosen options of a verb in words; the speller "cards" lists cards."""
        if self.choices.get(verb) == "card":
            return self.speller("cards")(choices, names)
        return joined([self.choice(verb, option, names) for option in choices])

    def choices_of(self, verb: str, options: tuple[str, ...], names: Names) -> Sequence[str]:
        """Return all options of a verb in words."""
        return tuple(self.choice(verb, option, names) for option in options)

    def offer(self, verb: str, names: Names, about: str = "") -> str:
        """Return the button text or heading of an offer."""
        return self.fill(self.offers[verb], {"about": about}, names)

    def move(self, verb: str, choices: Sequence[str], names: Names, about: str = "") -> str:
        """Return a move in words: its button text, and what is chosen."""
        one = self.offers.get(f"{verb}.one") if len(choices) == 1 else None
        choice = self.chosen(verb, choices, names)
        said = self.offer(verb, names, about)
        if one:
            said = self.fill(one, {"about": about, "choice": choice}, names)
            if "{choice}" in one:
                return said
        return f"{said}: {choice}" if choices else said

    def brief(self, verb: str, names: Names, about: str = "") -> str:
        """Return a shorter button text for narrow screens, or "".

        It is the template "verb.brief" among `offers`.
        """
        template = self.offers.get(f"{verb}.brief")
        return self.fill(template, {"about": about}, names) if template else ""

    def sign(self, verb: str, names: Names, about: str = "") -> str:
        """Return the sign of the card that a move is about, for its button on narrow screens, or
        "". It comes from the speller "verb.sign".
        """
        speller = self.spellers.get(f"{verb}.sign")
        return speller(about, names) if speller else ""

    def how(self, verb: str, names: Names, about: str = "") -> str:
        """Return the effect of pressing a card, as a sentence; "" if there is none. Its template
        is "verb.how" among `offers`.
        """
        template = self.offers.get(f"{verb}.how")
        return self.fill(template, {"about": about}, names) if template else ""

    def ahead(self, verb: str, choices: Sequence[str], until: bool, names: Names) -> str:
        """Return the text of a planned decision: the template "verb.ahead" among `offers`, or
        "verb.until" for a plan that is repeated, or else the button text.
        """
        key = f"{verb}.until" if until else f"{verb}.ahead"
        said = self.fill(self.offers.get(key) or self.offers[verb], {"about": ""}, names)
        choice = self.chosen(verb, choices, names)
        return f"{said}: {choice}" if choices else said

    def question(self, verb: str, choices: Sequence[str], names: Names, about: str = "") -> str:
        """Return the confirmation question of an offer.

        A template "verb.ask" among `offers` may use {choice} (all that is chosen) and {about}.
        """
        if f"{verb}.ask" not in self.offers:
            return f"{self.move(verb, choices, names, about)}?"
        choice = self.chosen(verb, choices, names)
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


@cache
def _parts(template: str) -> Sequence[tuple[str, str | None, str]]:
    return [
        (literal, name, spec or "") for literal, name, spec, _unused in Formatter().parse(template)
    ]
