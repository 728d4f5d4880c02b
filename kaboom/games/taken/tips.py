"""Tips for newcomers to TakeN, based on their view."""

from collections.abc import Iterator

from kaboom.engine.toolkit.cards import joined
from kaboom.engine.toolkit.tips import AIM, Tip, Told, in_turn
from kaboom.engine.views import Prompt, View
from kaboom.games.taken.rules import Options

TIPS = {
    AIM: Tip(
        "Fewest points win. A card’s dots are its points.",
        "the-cards",
    ),
    "together": Tip("All choose at once. The lowest card goes first.", "choosing"),
    "nearest": Tip("A card goes to the row ending closest below it.", "placing"),
    "takes": Tip(
        "A row holds {size:count}: one more takes it all.",
        "placing",
    ),
    "full": Tip("Row {row} is full: one more takes {points:points}.", "placing"),
    "low": Tip(
        "Your {card} is below all rows: it may take one.",
        "taking-a-row",
    ),
    "take": Tip(
        "Row {row} is cheapest; your {card} starts it again.",
        "taking-a-row",
    ),
    "take-any": Tip("Rows {rows} cost least: take one of them.", "taking-a-row"),
    "sealed": Tip("Only you see your card until all have chosen.", "choosing"),
    "taken": Tip("Taken in this game: {cards:count}, {points:points}.", "placing"),
    "end": Tip("The match goes on until a player has {points:points}.", "the-end"),
}
BASICS = 3  # the last round in which newcomers always get the tip about how cards are placed


def tips(view: View, prompt: Prompt | None, options: Options) -> Iterator[Told]:
    """Yield the tips that fit the situation, most urgent first, then the aim of the game."""
    facts, me = view.facts, view.viewer
    rows = [zone.cards for zone in view.zones_named("row")]
    paid = facts["row_points"]
    if facts["stage"] == "ready":
        yield "end", {"points": facts["threshold"]}
    elif facts["turn"] == me:
        cheapest = [str(row) for row, points in enumerate(paid, 1) if points == min(paid)]
        if len(cheapest) > 1:
            yield "take-any", {"rows": joined(cheapest)}
        else:
            yield "take", {"row": cheapest[0], "card": facts["queue"][0]["card"]}
    elif facts["stage"] == "choose" and me in facts["has_chosen"]:
        yield "sealed", {}
    elif facts["stage"] == "choose":
        yield from _before_choosing(view, rows)
    yield AIM, {}


def _before_choosing(view: View, rows: list[tuple[str, ...]]) -> Iterator[Told]:
    facts, size, me = view.facts, view.facts["row_size"], view.viewer
    hand = [int(card) for card in view.zone("hand", me).cards]
    always: list[Told] = [("nearest", {}), ("takes", {"size": size}), ("together", {})]
    first_game = facts["game"] == 1
    if first_game and facts["round"] == 1:
        yield AIM, {}
    if taken := view.zone("taken", me).cards:
        told: Told = "taken", {"cards": len(taken), "points": facts["game_points"][me]}
        if any(turn["seat"] == me and turn["taken"] for turn in facts["reveal"]):
            yield told
        always.append(told)
    if first_game and facts["round"] <= BASICS:  # general tips first
        yield from in_turn(always[:3], facts["round"] - 2)
    for row, cards in enumerate(rows):
        if len(cards) == size:
            yield "full", {"row": row + 1, "points": facts["row_points"][row]}
    if min(hand) < min(int(cards[-1]) for cards in rows):
        yield "low", {"card": str(min(hand))}
    yield from in_turn(always, facts["round"] - 1)
