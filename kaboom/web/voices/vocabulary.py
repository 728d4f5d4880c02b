"""The names that programs meet in a game: verbs, zones and facts, as the game itself lists them."""

import re
from collections.abc import Iterator
from typing import Any

from kaboom.core.game import Game
from kaboom.core.language import say
from kaboom.web.voices.shapes import Verb, Vocabulary

LEFT_OPEN = re.compile(r"\{[^}]*\}")  # what a label names only at the table


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
                label=LEFT_OPEN.sub("…", say(label)),
                rule=words.rules.get(verb, ""),
                chooses=words.choices.get(verb, ""),
                host=verb in game.hosts,
            )
            for verb, label in words.offers.items()
            if "." not in verb
        },
        zones=dict(game.zones),
        facts=dict(game.facts),
    )


def lines_of(it: Vocabulary) -> Iterator[str]:
    """Yield the same as text."""
    yield f"{it.name} ({it.game}), {it.game_version}"
    for verb, about in it.verbs.items():
        chooses = f" [{about.chooses}]" if about.chooses else ""
        yield f"{verb}{chooses}: {about.label}"
    for names in (it.zones, it.facts):
        yield from (f"{name}: {text}" for name, text in names.items())
