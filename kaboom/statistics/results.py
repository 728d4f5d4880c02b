"""Stores each player's result when a match ends."""

from collections.abc import Sequence

from sqlalchemy import bindparam, insert, select

from kaboom.engine.bots.bot import Level
from kaboom.engine.moves import Seat
from kaboom.engine.views import Outcome
from kaboom.statistics.models import results
from kaboom.tables.change import TableChange
from kaboom.tables.clock.decision_durations import Thought
from kaboom.tables.models import matches
from kaboom.tables.table import Table

PEOPLE = "people"
LEVELS = (Level.EASY, Level.NORMAL, Level.HARD)  # the strongest last

_began = select(matches.c.started_at).where(matches.c.id == bindparam("wanted"))


def keep(change: TableChange, outcome: Outcome) -> None:
    """Store each player's result; a match that continues another one does not count."""
    table = change.table
    if table.origin is not None:
        return
    began = change.connection.execute(_began, {"wanted": table.match_id}).scalar_one()
    for seat, occupant in table.sitting():
        if occupant.player is None:
            continue
        thought = table.thought.get(seat, Thought())
        timed = bool(thought.decisions) and not table.days
        values = {
            "match_id": table.match_id,
            "seat": seat,
            "player_id": occupant.player,
            "game": change.game.key,
            "board": table.board,
            "began_at": began,
            "ended_at": change.now,
            "rivals": rivals(table, seat),
            "place": outcome.places[seat] if outcome.winners else None,
            "points": None if outcome.reason == "stopped" else outcome.scores[seat],
            "perfect": is_perfect(outcome, seat, change.game.lowest_wins),
            "decisions": thought.decisions if timed else None,
            "seconds": thought.seconds if timed else None,
        }
        change.connection.execute(insert(results), values)


def rivals(table: Table, seat: Seat) -> str:
    """Return the kind of a seat's opponents: people if any, or else the strongest bot's level."""
    others = [occupant for other, occupant in table.sitting() if other != seat]
    levels = [LEVELS.index(it.level) for it in others if it.bot]
    if not levels or any(not it.bot for it in others):
        return PEOPLE
    return LEVELS[max(levels)]


def is_perfect(outcome: Outcome, seat: Seat, lowest_wins: bool) -> bool:
    """Return True if a seat won a completed match alone with a perfect score: no points if points
    are bad, otherwise all of them.
    """
    if outcome.winners != (seat,) or outcome.reason != "won":
        return False
    scores: Sequence[float] = outcome.scores
    if lowest_wins:
        return scores[seat] <= 0
    others = [it for other, it in enumerate(scores) if other != seat]
    return scores[seat] > 0 and all(it <= 0 for it in others)
