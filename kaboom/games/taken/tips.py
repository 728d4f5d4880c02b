"""Tips for newcomers to TakeN, based on their view."""

from collections.abc import Iterator

from kaboom.engine.toolkit.cards import joined
from kaboom.engine.toolkit.tips import AIM, Tip, Told, in_turn
from kaboom.engine.views import Prompt, View
from kaboom.games.taken.rules import Options

TIPS = {
    AIM: Tip(
        "The fewest points win. A card’s dots are points for the player who takes it.",
        "the-cards",
    ),
    "together": Tip(
        "All choose at the same time. Then the cards go to the rows, the lowest first.", "choosing"
    ),
    "nearest": Tip(
        "A card goes to the row that ends closest below it. You cannot choose another.", "placing"
    ),
    "takes": Tip(
        "A row holds {size:count}. The player who adds one more takes the row.",
        "placing",
    ),
    "full": Tip(
        "Row {row} is full: the next card that goes there takes it, for {points:points}.", "placing"
    ),
    "low": Tip(
        "Your {card} is below every row. If it is the lowest, you take a row.",
        "taking-a-row",
    ),
    "take": Tip(
        "The cheapest row is row {row}. The row you take begins again with your {card}.",
        "taking-a-row",
    ),
    "take-any": Tip(
        "Rows {rows} cost least. The row you take begins again with your {card}.", "taking-a-row"
    ),
    "sealed": Tip("Only you see your card until all have chosen.", "choosing"),
    "taken": Tip(
        "You have taken {cards:count}: {points:points}. They are out of play.",
        "placing",
    ),
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
        card = facts["queue"][0]["card"]
        if len(cheapest) > 1:
            yield "take-any", {"rows": joined(cheapest), "card": card}
        else:
            yield "take", {"row": cheapest[0], "card": card}
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
