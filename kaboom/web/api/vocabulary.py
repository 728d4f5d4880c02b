"""The names that programs use in a game: verbs, zones and facts, as the game itself lists them."""

import re
from collections.abc import Iterator
from typing import Any

from kaboom.engine.game import Game
from kaboom.engine.i18n import gettext as _
from kaboom.engine.premoves import FORGET, PLAN, UNTIL
from kaboom.engine.takeback import VERB as TAKE_BACK
from kaboom.engine.texts import EVERYWHERE, Words
from kaboom.web.api.schemas import Verb, Vocabulary
from kaboom.web.rules_pages import AHEAD, BACK

SPELLED = re.compile(r"\{(\w+)[^}]*\}")  # a fact, with its speller
LEFT_OPEN = re.compile(r"\{[^}]*\}")  # a part of a label that is filled in at the table


def vocabulary_of(game: Game[Any]) -> Vocabulary:
    """Return the names of a game."""
    words = game.words
    return Vocabulary(
        game=game.key,
        name=game.name,
        game_version=game.version,
        plans=game.plans,
        verbs={
            verb: Verb(
                label=_label(words, verb, label),
                rule=words.rules.get(verb, ""),
                chooses=words.choices.get(verb, ""),
                host=verb in game.hosts,
                prepares=verb in game.pieces,
            )
            for verb, label in words.offers.items()
            if "." not in verb
        },
        zones=dict(game.zones),
        facts=dict(game.facts),
        besides=dict(_besides(game)),
        dealing=game.dealing,
        marks=dict(game.marks),
        log={
            kind: SPELLED.sub(r"{\1}", sentence)
            for kind, sentence in {**EVERYWHERE, **words.sayings}.items()
            if "." not in kind
        },
    )


def _label(words: Words, verb: str, label: str) -> str:
    """Return the label of a move away from a table. If the full label depends on a table, this is
    the brief label, unless that does as well.
    """
    brief = words.offers.get(f"{verb}.brief", "")
    if LEFT_OPEN.search(label) and brief and not LEFT_OPEN.search(brief):
        label = brief
    return LEFT_OPEN.sub("…", _(label))


def _besides(game: Game[Any]) -> Iterator[tuple[str, Verb]]:
    """Yield the moves that a table adds to those of its game."""
    yield TAKE_BACK, Verb(label=_("Take back “{move}”", move="…"), rule=BACK)
    if game.plans:
        plan = Verb(label=_("In advance: {plan}", plan="…"), rule=AHEAD)
        yield f"{PLAN}VERB", plan
        yield f"{PLAN}VERB{UNTIL}", plan
        yield FORGET, Verb(label=_("Cancel the planned move “{plan}”", plan="…"), rule=AHEAD)


def lines_of(it: Vocabulary) -> Iterator[str]:
    """Yield the vocabulary as lines of text."""
    yield f"{it.name} ({it.game}), {it.game_version}"
    yield f"{_('Moves')}:"
    for verb, about in (it.verbs | it.besides).items():
        chooses = f" [{about.chooses}]" if about.chooses else ""
        host = f" ({_('only the host')})" if about.host else ""
        prepares = f" ({_('only prepares a move')})" if about.prepares else ""
        yield f"{verb}{chooses}: {about.label}{host}{prepares}"
    listed = {_("Zones"): it.zones, _("Facts"): it.facts}
    listed |= {_("Marks"): it.marks} if it.marks else {}
    for heading, names in (listed | {_("What happened"): it.log}).items():
        yield f"{heading}:"
        yield from (f"{name}: {text}" for name, text in names.items())
    if it.dealing:
        yield f"{_('The deal')}: {it.dealing}"
