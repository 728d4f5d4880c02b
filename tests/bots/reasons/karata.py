"""Checks of Karata reasons: each play is made by the rules, and its effect compared."""

from collections.abc import Iterable, Sequence
from copy import deepcopy
from itertools import pairwise, permutations
from typing import Any

from kaboom.engine.bots.bot import Level
from kaboom.engine.engine import step
from kaboom.engine.rng import Rng
from kaboom.engine.toolkit.cards import SUITS, Card, suit_of
from kaboom.games.karata import GAME
from kaboom.games.karata import legal_plays as rules
from kaboom.games.karata.bot import Table, turns_left
from kaboom.games.karata.legal_plays import link_breaks, may_declare, reached
from kaboom.games.karata.state import State, facing
from tests.bots.reasons import Case, unless

FEW = 2  # cards with which a player is close to the end
LONGEST = 8  # cards up to which every order is tried


def check(case: Case) -> str | None:
    """Return the error in a reason, or None."""
    kind, facts, s, me = case.kind, case.facts, case.state, case.prompt.seat
    hand = s.hands[me]
    match kind:
        case "win" | "closing" | "shed" | "stand_in_the_way" | "again" | "bomb":
            return of_a_play(case, facts["cards"])
        case "play" | "ask_next" | "pass_by":
            return of_a_play(case, facts["cards"])
        case "draw" | "keep":
            verb = "lay" if kind == "draw" else "lay_drawn"
            return unless(any(playable(s, verb, hand)), "there is nothing to play")
        case "draw_must" | "keep_must":
            verb = "lay" if kind == "draw_must" else "lay_drawn"
            return unless(not any(playable(s, verb, hand)), "something may be played")
        case "last_card" | "not_last_card":
            return unless(goes_down(s, hand) == (kind == "last_card"), f"{hand} in one play")
        case "stop_with" | "let" | "let_must":
            stops = case.prompt.offer("stop")
            able = bool(stops and stops.playable)
            return unless(able == (kind != "let_must"), "the stop is on offer, or is not")
        case "ask_to_finish":
            return unless(goes_down(s, hand, facts["request"]), f"{hand} in one play")
        case "ask":
            return best_request(s, hand, facts["request"])
    return f"{kind} is not checked"


def of_a_play(case: Case, cards: Sequence[Card]) -> str | None:
    """Return the error in the reason of a play, after making it."""
    s, me, facts = case.state, case.prompt.seat, case.facts
    after = step(GAME, deepcopy(s), case.found[0].move, Rng(bytes(32), 1)).state
    rest = [card for card in s.hands[me] if card not in cards]
    on_turn = turn_after(after, me)
    match case.kind:
        case "win":
            return unless(after.wins[me] == s.wins[me] + 1, "it does not win")
        case "closing":
            return unless(goes_down(after, rest), f"{rest} does not go down in one play")
        case "shed":
            return unless(len(cards) == facts["count"] > 1, f"{len(cards)} cards")
        case "again":
            return unless(on_turn == me, "it is another's turn")
        case "bomb":
            hit = after.pick == facts["count"] and on_turn == facts["next"]
            return unless(hit, f"{after.pick} for {on_turn}")
        case "stand_in_the_way":
            blocks = bool(after.pick or after.request)
            there = s.last_card[facts["next"]] and on_turn == facts["next"]
            return unless(blocks and there, "nothing is in the way")
        case "ask_next":
            return unless(after.stage == "request", "nothing can be asked for")
        case "pass_by":
            close = s.last_card[facts["next"]] or len(s.hands[facts["next"]]) <= FEW
            usual = reached(me, s.direction, 1, len(s.hands), s.absent)[-1]
            right = close and usual == facts["next"] != on_turn
            return unless(right, "that seat comes next, or is not close to the end")
    at = Table(case.view, me, Level.HARD)
    missed = {
        row: turns_left(at, [card for card in s.hands[me] if card not in row])
        for row in playable(s, "lay", s.hands[me])
        if len(row) == 1 and row[0] not in s.house.questions  # these cost a card
    }
    least = min(missed.values(), default=99.0)
    return unless(turns_left(at, rest) <= least + 0.01, f"{missed} is missed less")


def turn_after(s: State, me: int) -> int:
    """Return the seat that moves once the seat that has played is finished."""
    if s.stage == "turn":
        return s.seat
    return [me, *reached(me, s.direction, s.steps, len(s.hands), s.absent)][-1]


def playable(s: State, verb: str, hand: Sequence[Card]) -> Iterable[tuple[Card, ...]]:
    """Return the legal plays; after drawing, those with the drawn card."""
    cards = hand[-1:] if verb == "lay_drawn" else hand
    return rules.legal_plays(s.house, facing(s), cards)


def goes_down(s: State, hand: Sequence[Card], first: str | None = None) -> bool:
    """Return True if some order of the whole hand wins on any pile.

    It begins with a card that meets `first`, if given.
    """
    house = s.house
    if not hand or (house.call != "none" and not may_declare(house, hand)):
        return False
    orders: Iterable[Any] = permutations(hand) if len(hand) <= LONGEST else ()
    return any(
        row[-1] in house.endings
        and (first is None or first in (row[0], suit_of(row[0])))
        and all(link_breaks(house, a, b) is None for a, b in pairwise(row))
        for row in orders
    )


def best_request(s: State, hand: Sequence[Card], request: str) -> str | None:
    """Return the suit that the hand has more of and that allows a longer play."""

    def good(wish: str) -> tuple[int, int]:
        asked = rules.Facing(s.pile[-1], s.pile[-1], request=wish)
        rows = [row for row in rules.legal_plays(s.house, asked, hand) if rules.meets(row[0], wish)]
        suit = wish if wish in SUITS else suit_of(wish)
        return max(map(len, rows), default=0), sum(suit_of(card) == suit for card in hand)

    own = good(request)
    better = [suit for suit in SUITS if all(a > b for a, b in zip(good(suit), own, strict=True))]
    return unless(own[0] > 0 and not better, f"{better} goes better with {hand}")
