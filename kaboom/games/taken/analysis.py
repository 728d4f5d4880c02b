"""Evaluation of TakeN cards by the points taken until the end of the game.

The bots in the playouts choose the card with the lowest immediate cost. To try each card in
imagined deals, as the game's own bot does, would take too long.
"""

from bisect import bisect
from collections.abc import Sequence

from kaboom.engine.bots.bot import Level, Thought, best_first, forgetful, sure
from kaboom.engine.bots.horizon import Analysis, lead
from kaboom.engine.moves import Move, Seat
from kaboom.engine.rng import Rng
from kaboom.engine.views import Prompt, View
from kaboom.games.taken.bot import Table
from kaboom.games.taken.risks import A_CARD, Rows, tails
from kaboom.games.taken.rules import State, game_number, game_points


def weigh(view: View, prompt: Prompt, rng: Rng, level: Level) -> Sequence[Thought]:
    """Return the cards by immediate risk, with equally safe ones in random order, or the rows by
    points.
    """
    me = prompt.seat
    if prompt.offer("ready"):
        return sure(Move(me, "ready"))
    table = Table(view)
    if prompt.offer("take"):
        points = dict(zip(table.rows.ends, table.rows.points, strict=True))
        costs = [(str(row), points[laid[-1]]) for row, laid in enumerate(table.laid)]
        return best_first(Thought(Move(me, "take", (row,)), -cost) for row, cost in costs)
    cards = rng.shuffled([*zip(table.hand, table.costs(), strict=True)])
    return best_first(Thought(Move(me, "choose", (str(card),)), -cost) for card, cost in cards)


def over(before: State, state: State) -> bool:
    """Return True if the game in which a card was judged is over."""
    return state.stage == "ready" or game_number(state) != game_number(before)


def worth(before: State, state: State, seat: Seat) -> float:
    """Return by how many points a seat leads in this game, in which fewer points are better."""
    return lead(game_points(state), seat, lowest_wins=True)


def playout(before: State, state: State, seat: Seat, rng: Rng) -> float | None:
    """Return the value of the game if the rest of it is played with the safest cards, or None while
    a row is being chosen.
    """
    if state.stage != "choose":
        return None
    seats = range(len(state.hands))
    rows = Rows.of(state.rows, state.options.row_size)
    hands = [list(hand) for hand in state.hands]
    chosen = list(state.chosen)
    took = game_points(state)
    hidden = sorted(card for pile in (*hands, state.undealt) for card in pile)
    while hands[0]:
        plays = {}
        for other in seats:
            card = chosen[other] or _safest(rows, hands[other], hidden, len(seats) - 1, rng)
            plays[card] = other
        for card in sorted(plays):
            own, theirs = rows.place([card], card)
            took[plays[card]] += own + theirs
            hands[plays[card]].remove(card)
            hidden.remove(card)
        chosen = [None] * len(hands)
    return lead(took, seat, lowest_wins=True)


def _safest(rows: Rows, hand: list[int], hidden: list[int], rivals: int, rng: Rng) -> int:
    """Return a card from the hand with the lowest immediate cost according to `Risks`.

    `hidden` holds all cards not played yet, including this hand, in ascending order.
    """
    if len(hand) == 1:
        return hand[0]
    by_size = tails(len(hidden) - len(hand), rivals, rows.full)[::-1]
    low = by_size[-1], 0, float(min(rows.points))
    lines = [low] + [
        (
            by_size[size],
            bisect(hidden, end) - bisect(hand, end),
            points + A_CARD * (rows.full - size),
        )
        for end, size, points in zip(rows.ends, rows.sizes, rows.points, strict=True)
    ]
    costs = []
    for place, card in enumerate(hand):
        chances, below, price = lines[bisect(rows.ends, card)]
        costs.append(chances[bisect(hidden, card) - place - 1 - below] * price)
    least = min(costs)
    equal = [card for card, cost in zip(hand, costs, strict=True) if cost == least]
    return equal[0] if len(equal) == 1 else rng.choice(equal)


def theme(state: State, move: Move) -> str:
    """Return the subject of a card: below all rows, a full row, or choosing in general."""
    if move.verb != "choose":
        return ""
    ends = [row[-1] for row in state.rows]
    if int(move.choices[0]) < min(ends):
        return "taking-a-row"
    full = any(len(row) == state.options.row_size for row in state.rows)
    return "placing" if full else "choosing"


SAFE = forgetful(weigh)
ANALYSIS = Analysis(over, worth, bot=SAFE, playout=playout, theme=theme)
