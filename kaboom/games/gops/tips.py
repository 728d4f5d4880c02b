"""Tips for newcomers to GOPS, based on their view."""

from collections.abc import Iterator

from kaboom.engine.toolkit.tips import AIM, Tip, Told, in_turn
from kaboom.engine.views import Prompt, View
from kaboom.games.gops.rules import VALUE, Options

TIPS = {
    AIM: Tip("Most points win. The higher bid takes the prize.", "a-round"),
    "once": Tip("Each card is bid only once. Save the high ones.", "bidding"),
    "ties": Tip(
        "A tie leaves the prize; the next one joins it.",
        "ties",
    ),
    "unique": Tip("Equal highest bids? The highest single bid wins.", "ties"),
    "carried": Tip("After a tie, one bid wins it all: {points:points}.", "ties"),
    "hands": Tip(
        "{seat:whose} best card is the {card:card}.",
        "bidding",
    ),
    "cheap": Tip("A small prize: a good moment for a low card.", "bidding"),
    "sealed": Tip("Only you see your bid until all are turned up.", "bidding"),
    "won": Tip("The higher bid won. Both cards are now spent.", "a-round"),
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
