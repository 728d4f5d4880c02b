"""Evaluation of King of the Hill moves by the challengers' points in the round."""

from msgspec import structs

from kaboom.engine.bots.horizon import Analysis
from kaboom.engine.codec import copied
from kaboom.engine.moves import Move, Seat
from kaboom.engine.rng import Rng
from kaboom.games.koth.bot import WON
from kaboom.games.koth.cards import TRUMP, card_points
from kaboom.games.koth.memory import Memory
from kaboom.games.koth.scoring import ENOUGH
from kaboom.games.koth.state import SEATS, State
from kaboom.games.koth.worlds import challengers_points, deck_of


def over(before: State, state: State) -> bool:
    """Return True if the round in which a move was judged has been scored."""
    return len(state.results) != len(before.results)


def worth(before: State, state: State, seat: Seat) -> float:
    """Return the value of the round to a seat's side, or 0 until it has been scored."""
    if not over(before, state):
        return 0.0
    end = state.results[-1]
    return of_side(end.score, seat in (end.koth, end.teammate))


def of_side(score: int, defends: bool) -> float:
    """Return the value of the challengers' points to a side; taking the hill counts extra."""
    value = score + WON if score >= ENOUGH else float(score)
    return -value if defends else value


def playout(before: State, state: State, seat: Seat, rng: Rng) -> float | None:
    """Return the value of the remaining tricks, played by simple rules (kaboom.games.koth.worlds).

    The holder of the called card helps the king; the seat itself does so only while the others are
    not winning.
    """
    if state.stage != "trick":
        return None
    deck = deck_of(state.trump_rank, state.trump_suit)
    against = sum(it for other, it in enumerate(state.points) if other not in (state.koth, seat))
    defends = [
        other in state.defenders
        or (state.called in state.hands[other] and (other != seat or against < ENOUGH))
        for other in range(SEATS)
    ]
    won = sum(it for other, it in enumerate(state.points) if not defends[other])
    hands = [deck.by_suit([deck.number[card] for card in hand]) for hand in state.hands]
    trick = [[deck.number[card] for card in play] for play in state.trick]
    buried = card_points(state.dead_hand)
    score = won + challengers_points(deck, hands, defends, state.leader, trick, buried)
    return of_side(score, defends[seat])


def supposed(memory: Memory, state: State, seat: Seat, other: Seat) -> Memory:
    """Return the memory that can be assumed for another seat: this one, since all play is public,
    but without declared suits, which each player remembers only for themselves.
    """
    return structs.replace(copied(memory), declared=[])


def theme(state: State, move: Move) -> str:
    """Return the subject of a play: leading, following, or ruffing."""
    if move.verb != "play":
        return ""
    if not state.trick:
        return "leading"
    suits = state.ranking.suits
    ruffs = suits[move.choices[0]] == TRUMP != suits[state.trick[0][0]]
    return "winning-a-trick" if ruffs else "following"


ANALYSIS = Analysis(over, worth, supposed=supposed, playout=playout, theme=theme, least=4.0)
