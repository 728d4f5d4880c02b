"""SQL statements about ratings: preferences, ratings, and rating steps."""

import secrets
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any, NamedTuple, TypeVar

from sqlalchemy import Connection, and_, bindparam, delete, exists, insert, select, update

from kaboom.accounts.models import players
from kaboom.ratings.models import rating_steps, rating_wishes, ratings, season_places
from kaboom.social.clubs.models import INSIDE, clubs, members
from kaboom.social.friends.models import blocks, friends
from kaboom.social.friends.queries import block_between
from kaboom.tables.models import match_players, matches

# Who may see a rating; "clubs": the player's friends and fellow club members.
NOBODY, FRIENDS, CLUBS, EVERYBODY = "nobody", "friends", "clubs", "everybody"

Shown = TypeVar("Shown")


class PreferenceRow(NamedTuple):
    """A player's preferences: whether matches are rated, and who may see the rating."""

    counts: bool
    shown: str


class RatingRow(NamedTuple):
    """A player's rating in a game, in thousandths; the last day is counted in days since 1970."""

    player_id: int
    game: str
    mu: int
    sigma: int
    played: int
    last_day: int


class StepRow(NamedTuple):
    """The effect of a match on the rating of one seat, in the order of `seq`."""

    seq: int
    match_id: int
    seat: int
    game: str
    who: int
    day: int
    place: int
    nth: int
    mu: int
    sigma: int


_me: Any = bindparam("me")  # the reader


def shown_to(who: Any, *audiences: str) -> Any:
    """Return the condition that a player, given as a column, shows their ratings to one of these
    audiences.
    """
    return exists().where(rating_wishes.c.player_id == who, rating_wishes.c.shown.in_(audiences))


def shown_to_everybody(who: Any) -> Any:
    """Return the condition that a player shows their ratings to every player, and that the reader
    does not block the player.
    """
    blocked = exists().where(blocks.c.from_id == _me, blocks.c.to_id == who)
    return and_(shown_to(who, EVERYBODY), ~blocked)


def shown_among_friends(who: Any) -> Any:
    """Return the condition that ratings are the reader's own, or a friend's who shows them."""
    friend = exists().where(friends.c.player_id == _me, friends.c.friend_id == who)
    return (who == _me) | and_(friend, shown_to(who, FRIENDS, CLUBS, EVERYBODY))


def shown_in_clubs(who: Any, columns: Sequence[Any]) -> Any:
    """Return the statement for what the members of the reader's clubs show to their clubs: the id
    and name of the club, the name used there, and the columns.

    Members whom the reader blocks, or who block the reader, are left out.
    """
    mine, theirs = members.alias("mine"), members.alias("theirs")
    return (
        select(clubs.c.id, clubs.c.name, theirs.c.name, *columns)
        .select_from(
            mine.join(clubs, clubs.c.id == mine.c.club_id)
            .join(theirs, theirs.c.club_id == clubs.c.id)
            .join(who.table, who == theirs.c.player_id)
        )
        .where(
            mine.c.player_id == _me,
            mine.c.standing.in_(INSIDE),
            theirs.c.standing.in_(INSIDE),
            (who == _me) | shown_to(who, CLUBS, EVERYBODY),
            ~block_between(_me, who),
        )
        .order_by(clubs.c.name, clubs.c.id)
    )


_ids: Any = bindparam("ids")
_wish = select(rating_wishes.c.counts, rating_wishes.c.shown).where(
    rating_wishes.c.player_id == bindparam("whose")
)
_change_wish = update(rating_wishes).where(rating_wishes.c.player_id == bindparam("whose"))
_hold = select(players.c.id).where(players.c.id.in_(_ids)).order_by(players.c.id).with_for_update()
_rating = select(*(ratings.c[name] for name in RatingRow._fields))
_of_games = _rating.where(
    ratings.c.player_id.in_(_ids), ratings.c.game.in_(bindparam("games", expanding=True))
)
_of_player = _rating.where(ratings.c.player_id == bindparam("whose")).order_by(ratings.c.game)
_drop = delete(ratings).where(
    ratings.c.player_id == bindparam("whose"), ratings.c.game == bindparam("of_game")
)
_drop_all = delete(ratings).where(ratings.c.game == bindparam("of_game"))
_add = insert(ratings)
_step = select(*(rating_steps.c[name] for name in StepRow._fields))
_steps = _step.where(rating_steps.c.game == bindparam("of_game")).order_by(rating_steps.c.seq)
_save_step = (
    update(rating_steps)
    .where(rating_steps.c.seq == bindparam("at"))
    .values(mu=bindparam("to_mu"), sigma=bindparam("to_sigma"), nth=bindparam("to_nth"))
)
_drop_steps = delete(rating_steps).where(
    rating_steps.c.match_id.in_(select(matches.c.id).where(matches.c.code == bindparam("of_code")))
)
_counted = (
    select(matches.c.code)
    .join(rating_steps, rating_steps.c.match_id == matches.c.id)
    .where(matches.c.code.in_(bindparam("codes", expanding=True)))
    .distinct()
)
_with = (
    select(rating_steps.c.match_id)
    .where(
        rating_steps.c.who == bindparam("first"),
        rating_steps.c.game == bindparam("of_game"),
        rating_steps.c.day >= bindparam("since"),
    )
    .scalar_subquery()
)
_circles = select(rating_steps.c.match_id, rating_steps.c.who).where(
    rating_steps.c.match_id.in_(_with)
)
_rename = (
    update(rating_steps)
    .where(rating_steps.c.who == bindparam("was"), rating_steps.c.game == bindparam("of_game"))
    .values(who=bindparam("becomes"))
)
_rename_place = (
    update(season_places)
    .where(season_places.c.who == bindparam("was"), season_places.c.game == bindparam("of_game"))
    .values(who=bindparam("becomes"))
)
_shown = (
    select(players.c.name, *(ratings.c[name] for name in RatingRow._fields))
    .join(players, players.c.id == ratings.c.player_id)
    .where(ratings.c.game == bindparam("of_game"))
)
_among_friends = _shown.where(shown_among_friends(ratings.c.player_id))
_everybody = _shown.where(shown_to_everybody(ratings.c.player_id)).order_by(
    (ratings.c.mu - 3 * ratings.c.sigma).desc()
)
_in_clubs = shown_in_clubs(
    ratings.c.player_id, [ratings.c[name] for name in RatingRow._fields]
).where(ratings.c.game == bindparam("of_game"))
_gone = (
    update(match_players)
    .where(
        match_players.c.match_id == bindparam("of_match"),
        match_players.c.seat == bindparam("of_seat"),
    )
    .values(gone=True)
)
_other = match_players.alias()
_stays = (
    select(match_players.c.gone)
    .join(matches, matches.c.id == match_players.c.match_id)
    .where(
        match_players.c.player_id == bindparam("whose"),
        matches.c.ended_at.is_not(None),
        matches.c.origin.is_(None),
        exists().where(
            _other.c.match_id == match_players.c.match_id,
            _other.c.player_id != match_players.c.player_id,
        ),
    )
    .order_by(matches.c.ended_at.desc())
    .limit(bindparam("most"))
)


def wish(connection: Connection, player_id: int) -> PreferenceRow:
    """Return a player's preferences. The default is unrated."""
    row = connection.execute(_wish, {"whose": player_id}).first()
    return PreferenceRow(False, FRIENDS) if row is None else PreferenceRow(*row)


def save_wish(connection: Connection, player_id: int, wanted: PreferenceRow) -> None:
    """Store a player's preferences."""
    if connection.execute(_wish, {"whose": player_id}).first() is None:
        connection.execute(insert(rating_wishes), {"player_id": player_id, **wanted._asdict()})
    else:
        connection.execute(_change_wish, {"whose": player_id, **wanted._asdict()})


def hold(connection: Connection, ids: Sequence[int]) -> None:
    """Lock the ratings of these players until the transaction ends."""
    connection.execute(_hold, {"ids": list(ids)}).all()


def of_game(connection: Connection, ids: Sequence[int], game: str) -> dict[int, RatingRow]:
    """Return the ratings that these players have in a game."""
    return {row.player_id: row for row in of_games(connection, ids, [game])}


def of_games(
    connection: Connection, ids: Sequence[int], games: Collection[str]
) -> Sequence[RatingRow]:
    """Return the ratings that these players have in these games."""
    keys = {"ids": list(ids), "games": list(games)}
    return [RatingRow(*row) for row in connection.execute(_of_games, keys)]


def of_player(connection: Connection, player_id: int) -> Sequence[RatingRow]:
    """Return a player's ratings in all games."""
    return [RatingRow(*row) for row in connection.execute(_of_player, {"whose": player_id})]


def save(connection: Connection, row: RatingRow) -> None:
    """Write a rating; the caller has locked its player."""
    connection.execute(_drop, {"whose": row.player_id, "of_game": row.game})
    connection.execute(_add, row._asdict())


def replace_all(connection: Connection, game: str, rows: Sequence[RatingRow]) -> None:
    """Replace all ratings of a game."""
    connection.execute(_drop_all, {"of_game": game})
    if rows:
        connection.execute(_add, [row._asdict() for row in rows])


def steps(connection: Connection, game: str) -> Sequence[StepRow]:
    """Return all steps of a game, in order."""
    return [StepRow(*row) for row in connection.execute(_steps, {"of_game": game})]


def add_steps(connection: Connection, rows: Sequence[StepRow]) -> None:
    """Append the steps of a match; the database numbers them."""
    for row in rows:
        values = row._asdict()
        del values["seq"]
        connection.execute(insert(rating_steps), values)


def save_step(connection: Connection, row: StepRow) -> None:
    """Store the result of a step."""
    values = {"to_mu": row.mu, "to_sigma": row.sigma, "to_nth": row.nth}
    connection.execute(_save_step, {"at": row.seq, **values})


def drop_steps(connection: Connection, code: str) -> int:
    """Delete the steps of the match with that code; return how many there were."""
    return connection.execute(_drop_steps, {"of_code": code}).rowcount


def counted(connection: Connection, codes: Collection[str]) -> set[str]:
    """Return those of the matches with these codes that have steps: they count in the ratings."""
    return set(connection.execute(_counted, {"codes": list(codes)}).scalars()) if codes else set()


def circles(connection: Connection, player_id: int, game: str, since: int) -> list[frozenset[int]]:
    """Return the players of each rated match that a player has played since that day."""
    found: dict[int, set[int]] = {}
    keys = {"first": player_id, "of_game": game, "since": since}
    for match_id, who in connection.execute(_circles, keys):
        found.setdefault(match_id, set()).add(who)
    return [frozenset(members) for members in found.values()]


def forget(connection: Connection, player_id: int) -> None:
    """Delete a player's ratings and settings; a random negative number replaces them in rating
    steps and seasons.
    """
    hold(connection, [player_id])
    placeholder = _nobody()
    for row in of_player(connection, player_id):
        _part(connection, row, placeholder)
    connection.execute(delete(rating_wishes).where(rating_wishes.c.player_id == player_id))


def _part(connection: Connection, row: RatingRow, becomes: int) -> None:
    """Delete a rating, and give its steps and seasons to another player, or to a placeholder."""
    keys = {"was": row.player_id, "becomes": becomes, "of_game": row.game}
    connection.execute(_rename, keys)
    connection.execute(_rename_place, keys)
    connection.execute(_drop, {"whose": row.player_id, "of_game": row.game})


def _nobody() -> int:
    return -1 - secrets.randbelow(1 << 62)


def carry(connection: Connection, guest: int, other: int) -> None:
    """Move a guest's ratings to another player.

    Two ratings cannot be combined: where both players have one in a game, the other player's stays
    as it is, and a random number replaces the guest in steps and seasons.
    """
    hold(connection, sorted((guest, other)))
    placeholder = _nobody()
    if connection.execute(_wish, {"whose": other}).first() is None:
        save_wish(connection, other, wish(connection, guest))
    theirs = {row.game for row in of_player(connection, other)}
    for row in of_player(connection, guest):
        _part(connection, row, placeholder if row.game in theirs else other)
        if row.game not in theirs:
            connection.execute(_add, row._replace(player_id=other)._asdict())
    connection.execute(delete(rating_wishes).where(rating_wishes.c.player_id == guest))


def in_clubs(
    connection: Connection, me: int, game: str
) -> list[tuple[str, list[tuple[str, RatingRow]]]]:
    """Return the names of a player's clubs, each with the ratings that members show to it, under
    the names used in the club.
    """
    return by_club(connection.execute(_in_clubs, {"me": me, "of_game": game}), RatingRow)


def by_club(
    rows: Iterable[Any], kind: Callable[..., Shown]
) -> list[tuple[str, list[tuple[str, Shown]]]]:
    """Return the rows of a statement from `shown_in_clubs`, grouped by club."""
    found: dict[int, tuple[str, list[tuple[str, Shown]]]] = {}
    for club, name, member, *columns in rows:
        found.setdefault(club, (name, []))[1].append((member, kind(*columns)))
    return list(found.values())


def among_friends(connection: Connection, me: int, game: str) -> Sequence[tuple[str, RatingRow]]:
    """Return a player's own rating and those that friends show, with names."""
    found = connection.execute(_among_friends, {"me": me, "of_game": game})
    return [(row[0], RatingRow(*row[1:])) for row in found]


def of_everybody(
    connection: Connection, me: int, game: str, most: int
) -> Sequence[tuple[str, RatingRow]]:
    """Return the best of the public ratings, with names, without those of players whom the reader
    blocks.
    """
    found = connection.execute(_everybody.limit(most), {"me": me, "of_game": game})
    return [(row[0], RatingRow(*row[1:])) for row in found]


def note_gone(connection: Connection, match_id: int, seat: int) -> None:
    """Record that the player of a seat did not stay to the end of the match."""
    connection.execute(_gone, {"of_match": match_id, "of_seat": seat})


def stays(connection: Connection, player_id: int, most: int) -> Sequence[bool]:
    """Return, for each of a player's last matches with other people, whether they stayed to the
    end.
    """
    found = connection.execute(_stays, {"whose": player_id, "most": most})
    return [not gone for (gone,) in found]
