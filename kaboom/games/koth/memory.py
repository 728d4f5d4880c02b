"""What a player of King of the Hill remembers of a round: played cards and exhausted suits."""

from msgspec import Struct, field

from kaboom.engine.moves import Seat
from kaboom.engine.play import Event
from kaboom.engine.toolkit.cards import Card
from kaboom.games.koth.cards import trump_ranking
from kaboom.games.koth.state import SEATS


class Memory(Struct):
    """All that a perfect player remembers of a round; weaker levels use less of it."""

    gone: dict[Card, int] = field(default_factory=dict)
    void: list[list[str]] = field(default_factory=lambda: [[] for _ in range(SEATS)])
    lead: list[Card] = field(default_factory=list)
    # A bot declares each suit only once; otherwise two bots would never stop.
    declared: list[str] = field(default_factory=list)
    shown: dict[Seat, list[Card]] = field(default_factory=dict)  # declared but not played yet
    trump_rank: str = "2"
    trump_suit: str | None = None


def notice(memory: Memory, event: Event, seat: Seat) -> None:
    """Remember the cards declared and played, and the seats that did not follow suit."""
    facts = event.facts
    if event.kind == "round_begins":
        memory.gone = {}
        memory.void = [[] for _ in range(SEATS)]
        memory.lead = []
        memory.declared = []
        memory.shown = {}
    elif event.kind == "declared":
        memory.shown[facts["seat"]] = list(facts["cards"])
        if facts["seat"] == seat:
            memory.declared.append(facts["suit"])
    elif event.kind == "trump_is":
        memory.trump_rank, memory.trump_suit = facts["rank"], facts["suit"]
    elif event.kind == "played":
        for card in facts["cards"]:
            memory.gone[card] = memory.gone.get(card, 0) + 1
            if card in (shown := memory.shown.get(facts["seat"], [])):
                shown.remove(card)
        if not memory.lead:
            memory.lead = list(facts["cards"])
        suits = trump_ranking(memory.trump_rank, memory.trump_suit).suits
        suit = suits[memory.lead[0]]
        known = memory.void[facts["seat"]]
        if suit not in known and any(suits[card] != suit for card in facts["cards"]):
            known.append(suit)
    elif event.kind == "trick_won":
        memory.lead = []
