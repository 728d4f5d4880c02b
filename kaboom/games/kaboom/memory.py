"""A Kaboom bot's memory: the cards it was shown, and evidence about the others."""

from msgspec import Struct, field

from kaboom.engine.moves import Seat
from kaboom.engine.play import Event
from kaboom.engine.toolkit.cards import Card
from kaboom.games.kaboom.state import (
    GRID,
    PLACES,
    WHERE,
    Ability,
    AfterAbility,
    Drawn,
    Place,
    ReplaceDrawn,
    State,
)

# Knowledge about cards the bot has not seen
LOOKED = "looked"  # its owner looked at it and left it there
KEPT = "kept"  # its owner drew it and kept it
GIVEN = "given"  # another player gave it away


class Memory(Struct):
    """All that a perfect player could remember of a round; weaker levels use less of it."""

    known: dict[Place, Card] = field(default_factory=dict)  # in the order learned
    signs: dict[Place, str] = field(default_factory=dict)
    pile: list[Card] = field(default_factory=list)  # discarded, the top last
    drawn: Card | None = None


def notice(memory: Memory, event: Event, seat: Seat) -> None:
    """Remember the faces that were shown, and track cards that move."""
    facts = event.facts
    match event.kind:
        case "dealt":
            memory.known.clear()
            memory.signs.clear()
            memory.pile.clear()
        case "turned_up" | "discarded" | "put_back":
            memory.pile.append(facts["card"])
        case "took":
            memory.pile[-1:] = []
        case "reshuffled":
            memory.pile[:-1] = []
        case "draw_shows":
            memory.drawn = facts["card"]
        case "peeked":
            for place in PLACES[facts["seat"]][GRID // 2 : GRID]:
                memory.signs[place] = LOOKED
        case "peek_shows":
            for place, card in zip(facts["places"], facts["cards"], strict=True):
                learn(memory, place, card)
        case "looked" if WHERE[facts["place"]][0] == facts["seat"]:
            memory.signs.setdefault(facts["place"], LOOKED)
        case "look_shows" | "wrong_flip":
            learn(memory, facts["place"], facts["card"])
        case "replaced":
            kept = memory.drawn if facts["seat"] == seat else None
            learn(memory, facts["place"], facts.get("taken", kept))
            memory.signs[facts["place"]] = KEPT
            memory.pile.append(facts["card"])
        case "flipped":
            learn(memory, facts["place"], None)
            memory.signs.pop(facts["place"], None)
            memory.pile.append(facts["card"])
        case "gave":
            learn(memory, facts["to"], memory.known.pop(facts["place"], None))
            memory.signs.pop(facts["place"], None)
            memory.signs[facts["to"]] = GIVEN
        case "swapped":
            exchange(memory, facts["first"], facts["second"])


def redealt(memory: Memory, state: State) -> None:
    """Update the known cards after they were dealt again."""
    for place in list(memory.known):
        owner, slot = WHERE[place]
        card = state.grids[owner][slot] if owner < len(state.grids) else None
        if card is None:
            del memory.known[place]
        else:
            memory.known[place] = card
    step = state.steps[0]
    if memory.drawn is not None and isinstance(step, (Drawn, Ability, AfterAbility, ReplaceDrawn)):
        memory.drawn = step.card


def exchange(memory: Memory, first: Place, second: Place) -> None:
    """Track two cards that are swapped, along with the knowledge about them."""
    one, other = memory.known.get(first), memory.known.get(second)
    learn(memory, first, other)
    learn(memory, second, one)
    sign, other_sign = memory.signs.pop(first, None), memory.signs.pop(second, None)
    memory.signs |= {p: s for p, s in ((first, other_sign), (second, sign)) if s}


def learn(memory: Memory, place: Place, card: Card | None) -> None:
    """Remember the card at a place (None: unknown)."""
    memory.known.pop(place, None)
    if card is not None:
        memory.known[place] = card
