"""The effects of a legal play in words, before and after it."""

from collections.abc import Iterator
from typing import Literal

from kaboom.engine.moves import Choices, Seat
from kaboom.engine.views import Saying
from kaboom.games.karata.breaches import bombs_here
from kaboom.games.karata.house import points_of
from kaboom.games.karata.legal_plays import Effect, count, effect_of, finishes, reached
from kaboom.games.karata.state import State, beside, facing, present


def consequences(s: State, cards: Choices) -> list[Saying]:
    """Return the effects of a legal play by the seat whose turn it is, in words, as a preview or
    for the log.
    """
    hand = s.hands[s.seat]
    effect = effect_of(s.house, facing(s), cards)
    if wins(s, cards):
        kind = "wins" if s.house.call != "none" else "wins_out"
        return [Saying(kind, {"seat": s.seat})]
    if cuts(s, cards):
        return [Saying("cuts", {"seat": s.seat, "points": points_left(s, cards)})]
    said = [*met_or_lifted(s, effect)]
    if effect.draws:
        said.append(Saying("unanswered", {"seat": s.seat}))
    if effect.question:
        said.append(Saying("left_open", {"seat": beside(s, s.seat)}))
    if effect.reverses:
        said.append(Saying("turned"))
    passed = walk(s, effect)
    stop = stoppable(s, effect)
    if effect.jumps:
        seats = sorted(set(passed[:-1]))
        said.append(Saying("jumps" if stop else "jumped", {"seats": seats}))
    if [s.seat, *passed][-1] == s.seat and not stop:
        said.append(Saying(why_again(s, effect, cards), {"seat": s.seat}))
    if effect.pick:
        kind = "bombed_here" if bombs_here(s) else "bombed"
        said.append(Saying(kind, {"seat": beside(s, s.seat), "count": effect.pick}))
    if effect.level:
        said.append(Saying(may_ask(effect.level, cards), {"seat": s.seat}))
    if len(cards) == len(hand) and not effect.draws:
        said.append(goes_out(s, cards))
    return said


def met_or_lifted(s: State, effect: Effect) -> Iterator[Saying]:
    """Yield the effect of a play on the open request or the pending pick."""
    if effect.met:
        yield Saying("met", {"request": s.request})
    elif effect.request != s.request and s.request is not None:
        facts = {"request": s.request, "left": effect.request}
        yield Saying("reduced" if effect.request else "lifted", facts)
    if effect.blocked:
        yield Saying("blocked")
        if effect.request:
            yield Saying("suit_stays", {"request": effect.request})


def why_again(s: State, effect: Effect, cards: Choices) -> str:
    """Return the kind of the saying that a player plays again: it names the reason."""
    if not effect.again:
        return "again_jumped"
    if count(cards, s.house.kickbacks) % 2:
        return "again_two"
    return "again_jacks" if s.options.ranks == "uganda" else "again_kings"


def may_ask(level: int, cards: Choices) -> str:
    """Return the kind of the saying that a player may make a request: it names the reason."""
    if level == 1:
        return "may_ask_suit"
    return "ace_of_spades" if "AS" in cards else "may_ask_card"


def walk(s: State, effect: Effect) -> list[Seat]:
    """Return the present seats that the turn passes over, then the one whose turn is next."""
    direction = -s.direction if effect.reverses else s.direction
    return reached(s.seat, direction, effect.steps, len(s.wins), s.absent)


def stoppable(s: State, effect: Effect) -> Literal["", "jump", "kickback"]:
    """Return the part of a play that another player may stop here, or ""."""
    if s.options.stops == "no":
        return ""
    return "jump" if effect.jumps else "kickback" if effect.reverses else ""


def goes_out(s: State, cards: Choices) -> Saying:
    """Return the saying that a seat goes out without winning on its turn, with the reason."""
    uncalled = s.house.call != "none" and not s.last_card[s.seat]
    if s.options.forgot and uncalled:
        return Saying("uncalled", {"seat": s.seat, "count": s.options.forgot})
    if cards[-1] not in s.house.endings:
        return Saying("no_ending", {"seat": s.seat, "card": cards[-1]})
    return Saying("unsaid" if uncalled else "cardless", {"seat": s.seat})


# Winning and cutting


def wins(s: State, cards: Choices) -> bool:
    """Return True if a play by the seat whose turn it is wins the game."""
    hand, called = s.hands[s.seat], s.last_card[s.seat]
    return finishes(s.house, hand, cards, called) and not kept_waiting(s)


def kept_waiting(s: State) -> bool:
    """Return True if no player can win now, because another player at the table has no cards."""
    # The cards stay in the hand until the whole play has been judged.
    return s.options.wait_cardless and not all(s.hands[seat] for seat in present(s))


def cuts(s: State, cards: Choices) -> bool:
    """Return True if a play ends the game: with the 7 of the opening suit, and few points left.

    Our choice: at least one card must be left, because going out follows the rules of last card.
    """
    return (
        f"7{s.cut_suit}" in cards  # there is no such card before the opening suit is set
        and len(cards) < len(s.hands[s.seat])
        and points_left(s, cards) <= s.options.cut
        and not kept_waiting(s)
    )


def points_left(s: State, cards: Choices) -> int:
    """Return the points in the hand of the seat whose turn it is, without these cards."""
    return sum(points_of(card) for card in s.hands[s.seat] if card not in cards)
