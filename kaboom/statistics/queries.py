"""SQL statements for results (totals, history, opponents, daily deals) and public pages."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from sqlalchemy import Connection, and_, bindparam, case, delete, func, insert, select

from kaboom.accounts.models import players
from kaboom.social.friends.models import friends
from kaboom.social.friends.queries import block_between
from kaboom.statistics.models import public_pages, results
from kaboom.tables.models import board_tries, boards, matches
from kaboom.tournaments.models import entrants, tournaments


class Total(NamedTuple):
    """A player's matches of one game against one kind of opponent in which they finished in the
    same place.

    `place` is None if no player won. `scored` and `decisions` are the numbers of matches and
    decisions that the sums of points and seconds cover.
    """

    game: str
    rivals: str
    place: int | None
    matches: int
    points: float
    scored: int
    seconds: float
    decisions: int


class Line(NamedTuple):
    """One result in a player's history, which is sorted by time."""

    game: str
    ended_at: float
    place: int | None
    points: float | None
    seconds: float | None
    decisions: int | None


class Met(NamedTuple):
    """Matches of one game with one other player: the total, and how often each of the two finished
    ahead.

    `last` is the latest match.
    """

    player: int
    game: str
    matches: int
    before: int
    behind: int
    last: int


class Try(NamedTuple):
    """A player's attempt at a daily deal; `began_at` is None if unknown."""

    board: str
    game: str
    result: int | None
    place: int | None
    began_at: float | None


class Firsts(NamedTuple):
    """The first time a player met the condition of each stamp, by game."""

    game: str
    match: float
    win: float | None
    over_people: float | None
    over_hard: float | None
    perfect: float | None


_whose: Any = bindparam("whose")
_totals = (
    select(
        results.c.game,
        results.c.rivals,
        results.c.place,
        func.count(),
        func.coalesce(func.sum(results.c.points), 0.0),
        func.count(results.c.points),
        func.coalesce(func.sum(results.c.seconds), 0.0),
        func.coalesce(func.sum(results.c.decisions), 0),
    )
    .where(results.c.player_id == _whose)
    .group_by(results.c.game, results.c.rivals, results.c.place)
)
_course = (
    select(*(results.c[name] for name in Line._fields))
    .where(results.c.player_id == _whose, results.c.game == bindparam("of_game"))
    .order_by(results.c.ended_at)
)
_wins = (
    select(results.c.game, results.c.place)
    .where(results.c.player_id == _whose)
    .order_by(results.c.game, results.c.ended_at)
)
_at = results.c.ended_at
_firsts = (
    select(
        results.c.game,
        func.min(_at),
        func.min(case((results.c.place == 1, _at))),
        func.min(case((and_(results.c.place == 1, results.c.rivals == "people"), _at))),
        func.min(case((and_(results.c.place == 1, results.c.rivals == "hard"), _at))),
        func.min(case((results.c.perfect, _at))),
    )
    .where(results.c.player_id == _whose)
    .group_by(results.c.game)
)
_nth = (
    select(_at)
    .where(results.c.player_id == _whose)
    .order_by(_at)
    .limit(1)
    .offset(bindparam("before"))
)
_mine, _theirs = results.alias("mine"), results.alias("theirs")
_met = (
    select(
        _theirs.c.player_id,
        _mine.c.game,
        func.count(),
        func.sum(case((_mine.c.place < _theirs.c.place, 1), else_=0)),
        func.sum(case((_mine.c.place > _theirs.c.place, 1), else_=0)),
        func.max(_mine.c.match_id),
    )
    .join(_theirs, _theirs.c.match_id == _mine.c.match_id)
    .where(
        _mine.c.player_id == _whose,
        _mine.c.rivals == "people",
        _theirs.c.player_id != _whose,
        ~block_between(_whose, _theirs.c.player_id),
    )
    .group_by(_theirs.c.player_id, _mine.c.game)
)
_called = (
    select(results.c.player_id, matches.c.names, results.c.seat, results.c.match_id)
    .join(matches, matches.c.id == results.c.match_id)
    .where(results.c.match_id.in_(bindparam("ids")))
)
_tries = (
    select(
        board_tries.c.board,
        boards.c.game,
        board_tries.c.result,
        results.c.place,
        results.c.began_at,
    )
    .select_from(
        board_tries.join(boards, boards.c.label == board_tries.c.board).outerjoin(
            results,
            and_(
                results.c.player_id == board_tries.c.player_id,
                results.c.board == board_tries.c.board,
            ),
        )
    )
    .where(
        board_tries.c.player_id == _whose,
        board_tries.c.board >= bindparam("first"),
        board_tries.c.board <= bindparam("last"),
    )
    .order_by(board_tries.c.board, results.c.began_at)
)
_tournament = (
    select(func.min(tournaments.c.created_at))
    .join(entrants, entrants.c.tournament_id == tournaments.c.id)
    .where(entrants.c.player_id == _whose, tournaments.c.ended)
)
_friend = select(func.min(friends.c.since)).where(friends.c.player_id == _whose)
_forget = delete(results).where(results.c.player_id == _whose)
_page = select(public_pages.c.code, public_pages.c.shows).where(public_pages.c.player_id == _whose)
_owner = (
    select(public_pages.c.player_id, players.c.name, public_pages.c.shows)
    .join(players, players.c.id == public_pages.c.player_id)
    .where(public_pages.c.code == bindparam("wanted"))
)
_pages_of = select(public_pages.c.player_id, public_pages.c.code).where(
    public_pages.c.player_id.in_(bindparam("ids"))
)
_no_page = delete(public_pages).where(public_pages.c.player_id == _whose)
_apart = select(block_between(bindparam("one"), bindparam("two")))


def totals(connection: Connection, player: int) -> list[Total]:
    """Return a player's totals by game, kind of opponent and place."""
    return [Total(*row) for row in connection.execute(_totals, {"whose": player})]


def wins(connection: Connection, player: int) -> list[tuple[str, bool]]:
    """Return (game, won) for each of a player's matches, ordered by game and time."""
    return [(row[0], row[1] == 1) for row in connection.execute(_wins, {"whose": player})]


def course(connection: Connection, player: int, game: str) -> list[Line]:
    """Return a player's results in a game, by time."""
    return [Line(*row) for row in connection.execute(_course, {"whose": player, "of_game": game})]


def firsts(connection: Connection, player: int) -> list[Firsts]:
    """Return the times at which a player first met the condition of each stamp, by game."""
    return [Firsts(*row) for row in connection.execute(_firsts, {"whose": player})]


def nth_match(connection: Connection, player: int, number: int) -> float | None:
    """Return when a player's nth match ended (seconds since 1970), or None."""
    keys = {"whose": player, "before": number - 1}
    return connection.execute(_nth, keys).scalar()


def first_tournament(connection: Connection, player: int) -> float | None:
    """Return the creation time of the first finished tournament that a player took part in."""
    return connection.execute(_tournament, {"whose": player}).scalar()


def first_friend(connection: Connection, player: int) -> float | None:
    """Return the start of a player's oldest friendship (seconds since 1970), or None."""
    return connection.execute(_friend, {"whose": player}).scalar()


def met(connection: Connection, player: int) -> list[Met]:
    """Return the players a player has met in matches, by game, unless either has blocked the
    other.
    """
    return [Met(*row) for row in connection.execute(_met, {"whose": player})]


def called(connection: Connection, ids: Sequence[int]) -> Sequence[tuple[int, str, int, int]]:
    """Return (player, names as JSON, seat, match) of the players of these matches."""
    rows = connection.execute(_called, {"ids": list(ids)})
    return [(row[0], row[1], row[2], row[3]) for row in rows]


def tries(connection: Connection, player: int, first: str, last: str) -> list[Try]:
    """Return a player's attempts at the boards between two labels, by label.

    Of several matches on one board, only the first is returned.
    """
    keys = {"whose": player, "first": first, "last": last}
    found: dict[str, Try] = {}
    for row in connection.execute(_tries, keys):
        found.setdefault(row[0], Try(*row))
    return list(found.values())


def forget(connection: Connection, player: int) -> None:
    """Delete all results of a player."""
    connection.execute(_forget, {"whose": player})


def page_of(connection: Connection, player: int) -> tuple[str, str] | None:
    """Return the code and the parts of a player's public page, or None."""
    row = connection.execute(_page, {"whose": player}).first()
    return None if row is None else (row[0], row[1])


def page_at(connection: Connection, code: str) -> tuple[int, str, str] | None:
    """Return the player id, name and parts of the public page with that code."""
    row = connection.execute(_owner, {"wanted": code}).first()
    return None if row is None else (row[0], row[1], row[2])


def pages_of(connection: Connection, ids: Sequence[int]) -> dict[int, str]:
    """Return the codes of these players' public pages, without players who have none."""
    return {row[0]: row[1] for row in connection.execute(_pages_of, {"ids": list(ids)})}


def save_page(connection: Connection, player: int, code: str, shows: str) -> None:
    """Store a player's public page, or delete it if the code is empty."""
    connection.execute(_no_page, {"whose": player})
    if code:
        values = {"player_id": player, "code": code, "shows": shows}
        connection.execute(insert(public_pages), values)


def apart(connection: Connection, one: int, two: int) -> bool:
    """Return True if one of two players has blocked the other."""
    return bool(connection.execute(_apart, {"one": one, "two": two}).scalar())
