"""Evaluation of Karata plays by the probability of winning the game."""

from kaboom.engine.bots.bot import Level
from kaboom.engine.bots.horizon import Analysis, Unit
from kaboom.engine.moves import Move, Seat
from kaboom.games.karata.state import State

WON = 100.0


def over(before: State, state: State) -> bool:
    """Return True if the game in which a play was judged is over."""
    return state.stage in ("ready", "over") or state.game != before.game


def worth(before: State, state: State, seat: Seat) -> float:
    """Return 100 for a seat that has won the game, its share for a joint winner, or 0."""
    if not over(before, state):
        return 0.0
    winners = state.shared if state.winner is None else [state.winner]
    return WON / len(winners) if seat in winners else 0.0


def theme(state: State, move: Move) -> str:
    """Return the subject of a play: a bomb to answer, or the kind of its first card."""
    if state.pick and move.verb in ("lay", "draw"):
        return "answering-a-bomb"
    if move.verb != "lay":
        return ""
    house, first = state.house, move.choices[0]
    kinds = {
        "questions": house.questions,
        "bombs": house.bombs,
        "jumps": house.jumps,
        "kickbacks": house.kickbacks,
        "aces": house.aces,
    }
    return next((name for name, cards in kinds.items() if first in cards), "your-turn")


ANALYSIS = Analysis(
    over, worth, Unit.WINS, level=lambda before, state: Level.HARD, theme=theme, least=5.0
)
