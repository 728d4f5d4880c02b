"""Boards: one deal that many tables play, so that the cards are the same for all.

A board's deal follows from a secret and a cut. The secret's commitment is published first; the cut
comes into being after that, when nobody can choose it any more to their liking: until then there is
no deal that anybody could know. docs/chance.md tells it in full.

To have tables play a board: `promised` makes it, `store.boards.add` keeps it; when it may be dealt,
`store.boards.draw_cut` gives it its cut, `add_table` opens a table for those who play it, and
`Tables.change(code, TableTransaction.begin)` deals. Until `store.boards.close` says so nobody sees
its seed, its records or any cards but those of their own table. One secret may serve several boards
of different labels, such as those of one round: they must then be closed together.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from math import fsum
from typing import Any

from msgspec import Raw
from sqlalchemy import Connection

from kaboom.engine.codec import to_json
from kaboom.engine.game import Game
from kaboom.engine.rng import board_seed, commitment
from kaboom.engine.views import Outcome
from kaboom.games import GAMES
from kaboom.tables import create as new_tables
from kaboom.tables.change import TableChange
from kaboom.tables.position import Position
from kaboom.tables.shared_deals import queries as shared_deal_queries
from kaboom.tables.table import NOBODY, WATCHED_BY_NOBODY, Chair, Hints, Table, Welcome


class NotDealt(LookupError):
    """There is no such board, or it has no cut yet."""


def promised(
    label: str, game: Game[Any], options: Any, secret: bytes, opens_at: float
) -> shared_deal_queries.BoardRow:
    """Return a board that has no cut yet; `options` are `one_deal` ones."""
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
    """Return options as they are for a board: a match of one deal, all sitting where they are put.

    Raises ValueError for a game that has no boards.
    """
    if game.board is None:
        raise ValueError(f"{game.name} has no boards")
    seating = {"seating": "sat"} if hasattr(options, "seating") else {}
    return replace(options, **game.board, **seating)


def seed_of(connection: Connection, label: str) -> bytes:
    """Return the seed that all matches of a board have; raises NotDealt."""
    board = shared_deal_queries.board(connection, label)
    if board is None or not board.cut:
        raise NotDealt(label)
    return board_seed(board.secret, board.label, board.cut)


def add_table(
    connection: Connection,
    board: shared_deal_queries.BoardRow,
    chairs: Sequence[Chair],
    code: str,
    now: float,
    change: Callable[[Table], None] = lambda table: None,
) -> int:
    """Store a table that plays a board, and return its id; its match is still to begin.

    The chairs stay in this order. Nobody is its host: who sits there may play and leave, no more.
    `change` may set it up further.
    """
    table = Table(
        chairs=list(chairs),
        options=Raw(board.options.encode()),
        host=NOBODY,
        board=board.label,
        watch=WATCHED_BY_NOBODY,
        hints=Hints.NONE,
        programs=Welcome.NEVER,
        audience=False,
    )
    change(table)
    table.note_views(Position(GAMES[board.game], None))
    return new_tables.add(connection, table, code, board.game, now)


# What a result is worth

SHARE = 5040  # of all opponents beaten; a whole number for up to ten seats
MARGIN = 50_000  # more than any difference of points: it only parts those of the same place
GONE = -1  # of whoever has left, or ended it: below all others


def result_of(outcome: Outcome, seat: int) -> int:
    """Return what a result is worth beside others on the same board: the more the better.

    First the share of the opponents that were beaten, those tied counting half; then the points,
    against the others' together.
    """
    if not outcome.winners and outcome.reason == "stopped":
        return GONE
    return _worth(outcome, seat)


def score_of(outcome: Outcome, seat: int) -> int | None:
    """Return what a result is worth in a tournament, where a match that was ended counts by how it
    stood; None if all were equal, which says nothing.
    """
    if outcome.reason == "stopped" and len(set(outcome.places)) == 1:
        return None
    return _worth(outcome, seat)


def _worth(outcome: Outcome, seat: int) -> int:
    mine = outcome.places[seat]
    others = [place for other, place in enumerate(outcome.places) if other != seat]
    share = sum(SHARE * (2 * (place > mine) + (place == mine)) for place in others)
    ahead = fsum(outcome.scores[seat] - score for score in outcome.scores)
    margin = _direction(outcome) * int(ahead)  # halves part nobody: what is kept is a whole number
    limited = max(-MARGIN // 2, min(MARGIN // 2, margin))
    return share // (2 * len(others)) * MARGIN + limited + MARGIN // 2


def note_results(change: TableChange, outcome: Outcome) -> None:
    """Note how those who play a board for its result have done; who left comes below all."""
    table, code = change.table, change.row.code
    if not table.board:
        return
    for seat, chair in table.sitting():
        if chair.player is not None:
            result = result_of(outcome, seat) if chair.present else GONE
            shared_deal_queries.end_try(change.connection, table.board, chair.player, code, result)


def _direction(outcome: Outcome) -> int:
    """Return 1 where more points are better, else -1."""
    ranked = sorted(zip(outcome.places, outcome.scores, strict=True))
    return 1 if ranked[0][1] >= ranked[-1][1] else -1
