"""Boards: deals that several tables play, so that their results can be compared.

A board's deal is derived from a secret and a cut. The commitment to the secret is published first.
The cut is drawn later from a source that no player controls, so the deal cannot be known in
advance. See docs/chance.md.

To play a board, create it with `promised` and store it with `queries.add`. When it may be dealt,
draw its cut with `queries.draw_cut`, open tables with `add_table`, and deal with
`TableService.change(code, TableTransaction.begin)`. Its seed and its records stay secret until the
time set by `queries.close`. Boards of one round may share a secret; they must then be closed
together.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from math import fsum
from typing import Any

from msgspec import Raw
from sqlalchemy import Connection

from kaboom.engine.codec import to_json
from kaboom.engine.fairness.commitment import board_seed, commitment
from kaboom.engine.game import Game
from kaboom.engine.views import Outcome
from kaboom.games import GAMES
from kaboom.tables import create
from kaboom.tables.change import TableChange
from kaboom.tables.position import Position
from kaboom.tables.shared_deals import queries as shared_deal_queries
from kaboom.tables.table import NO_HOST, WATCHED_BY_NOBODY, Hints, Occupant, Table, Welcome

# Boards that all people play from the same seat, against the same bots.
DAY, CHALLENGE = "day ", "challenge "


def is_for_one_seat(label: str) -> bool:
    """Return True if all people play a board from the same seat."""
    return label.startswith((DAY, CHALLENGE))


def are_strangers(label: str) -> bool:
    """Return True if the players of a board have not invited each other."""
    return not label.startswith(CHALLENGE)


class NotDealt(LookupError):
    """The board does not exist, or has no cut yet."""


def promised(
    label: str, game: Game[Any], options: Any, secret: bytes, opens_at: float
) -> shared_deal_queries.BoardRow:
    """Return a new board with a commitment and without a cut; `options` come from `one_deal`."""
    return shared_deal_queries.BoardRow(
        label,
        game.key,
        to_json(options).decode(),
        secret,
        commitment(secret),
        cut="",
        opens_at=opens_at,
        closed_at=None,
    )


def one_deal(game: Game[Any], options: Any) -> Any:
    """Return options changed for a board: a match of one deal, with seats as assigned.

    Raises ValueError for a game that has no boards.
    """
    if game.board is None:
        raise ValueError(f"{game.name} has no boards")
    seating = {"seating": "sat"} if hasattr(options, "seating") else {}
    return replace(options, **game.board, **seating)


def seed_of(connection: Connection, label: str) -> bytes:
    """Return the seed of all matches on a board; raises NotDealt."""
    board = shared_deal_queries.board(connection, label)
    if board is None or not board.cut:
        raise NotDealt(label)
    return board_seed(board.secret, board.label, board.cut)


def add_table(
    connection: Connection,
    board: shared_deal_queries.BoardRow,
    chairs: Sequence[Occupant],
    code: str,
    now: float,
    change: Callable[[Table], None] = lambda table: None,
) -> int:
    """Store a table that will play a board; return its id. Its match has not begun.

    The chairs stay in this order. The table has no host, so its players can only play and leave.
    `change` may set further fields of the table.
    """
    table = Table(
        chairs=list(chairs),
        options=Raw(board.options.encode()),
        host=NO_HOST,
        board=board.label,
        watch=WATCHED_BY_NOBODY,
        hints=Hints.NONE,
        programs=Welcome.NEVER,
        audience=False,
    )
    change(table)
    table.note_views(Position(GAMES[board.game], None))
    return create.add(connection, table, code, board.game, now)


# Values of results

SHARE = 5040  # result for beating all opponents; divisible for up to ten seats
MARGIN = 50_000  # more than any difference in points, which only breaks ties between places
GONE = -1  # result of a player who left or ended the match: below all others


def result_of(outcome: Outcome, seat: int) -> int:
    """Return a result as a number that can be compared with others on the same board; higher is
    better.

    The share of opponents beaten comes first, with ties counting half; then the sum of the leads in
    points over each opponent.
    """
    if not outcome.winners and outcome.reason == "stopped":
        return GONE
    return _worth(outcome, seat)


def score_of(outcome: Outcome, seat: int) -> int | None:
    """Return a result as a number for a tournament, or None if a match was stopped while all were
    level.

    Other stopped matches count by the places at that moment.
    """
    if outcome.reason == "stopped" and len(set(outcome.places)) == 1:
        return None
    return _worth(outcome, seat)


def _worth(outcome: Outcome, seat: int) -> int:
    mine = outcome.places[seat]
    others = [place for other, place in enumerate(outcome.places) if other != seat]
    share = sum(SHARE * (2 * (place > mine) + (place == mine)) for place in others)
    ahead = fsum(outcome.scores[seat] - score for score in outcome.scores)
    margin = _direction(outcome) * int(ahead)  # stored as a whole number; half points decide no tie
    limited = max(-MARGIN // 2, min(MARGIN // 2, margin))
    return share // (2 * len(others)) * MARGIN + limited + MARGIN // 2


def note_results(change: TableChange, outcome: Outcome) -> None:
    """Store the results of a board's players; those who have left rank below all others."""
    table, code = change.table, change.row.code
    if not table.board:
        return
    for seat, occupant in table.sitting():
        if occupant.player is not None:
            result = result_of(outcome, seat) if occupant.present else GONE
            shared_deal_queries.end_try(
                change.connection, table.board, occupant.player, code, result
            )


def _direction(outcome: Outcome) -> int:
    """Return 1 if more points are better, else -1."""
    ranked = sorted(zip(outcome.places, outcome.scores, strict=True))
    return 1 if ranked[0][1] >= ranked[-1][1] else -1
