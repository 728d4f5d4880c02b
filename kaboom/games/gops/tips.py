"""Tips for newcomers to GOPS, based on their view."""

from collections.abc import Iterator

from kaboom.engine.toolkit.tips import AIM, Tip, Told, in_turn
from kaboom.engine.views import Prompt, View
from kaboom.games.gops.rules import VALUE, Options

TIPS = {
    AIM: Tip(
        "The most points win. The higher bid takes the prize: an ace is 1, a king 13.", "a-round"
    ),
    "once": Tip(
        "Each card can be bid only once. Keep high cards for prizes worth them.", "bidding"
    ),
    "ties": Tip(
        "If the highest bids are equal, the prize stays and the next joins it.",
        "ties",
    ),
    "unique": Tip("If the highest bids are equal, the highest single bid wins.", "ties"),
    "carried": Tip("After a tie, one bid wins everything on offer: {points:points}.", "ties"),
    "hands": Tip(
        "{seat:name} holds nothing higher than the {card:card} now.",
        "bidding",
    ),
    "cheap": Tip("This prize is worth little: a good moment for a low card.", "bidding"),
    "sealed": Tip("All bids are turned up together. Until then, only you see yours.", "bidding"),
    "won": Tip("The higher bid won the prize. Both cards bid are out of the game.", "a-round"),
    "last": Tip("This is the last prize: each player has one card left.", "ties"),
    "games": Tip("The points of all games of the match are added up.", "the-end"),
}
LITTLE = 3


def tips(view: View, prompt: Prompt | None, options: Options) -> Iterator[Told]:
    """Yield the tips that fit the situation, most urgent first, then the aim of the game."""
    facts = view.facts
    if facts["stage"] == "ready":
        yield "games", {}
    elif view.viewer in facts["has_bid"]:
        yield "sealed", {}
    else:
        yield from _before_a_bid(view, options)
    yield AIM, {}


def _before_a_bid(view: View, options: Options) -> Iterator[Told]:
    facts, offer = view.facts, view.zone("offer").cards
    if facts["round"] == 1:
        yield AIM, {}
    if not facts["to_come"]:
        yield "last", {}
    if len(offer) > 1:
        yield "carried", {"points": facts["offer_points"]}
    single = options.multi_tie == "highest_unique" and options.players == 3
    always: list[Told] = [("unique" if single else "ties", {}), ("once", {})]
    if facts["history"] and facts["history"][-1]["winner"] is not None:
        always.append(("won", {}))
    yield from in_turn(always, facts["round"])
    if facts["offer_points"] <= LITTLE:
        yield "cheap", {}
    hands = [
        (zone.owner, zone.cards) for zone in view.zones_named("hand") if zone.owner != view.viewer
    ]
    for seat, cards in hands:
        if facts["round"] > 2 and cards:
            yield "hands", {"seat": seat, "card": max(cards, key=VALUE.__getitem__)}
