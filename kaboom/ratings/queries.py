"""SQL statements about ratings: preferences, ratings, and rating steps."""

import secrets
from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

from sqlalchemy import Connection, and_, bindparam, delete, exists, insert, select, update

from kaboom.accounts.models import players
from kaboom.ratings.models import rating_steps, rating_wishes, ratings, season_places
from kaboom.social.clubs.models import INSIDE, clubs, members
from kaboom.social.friends.models import friends
from kaboom.social.friends.queries import blocked_either_way
from kaboom.tables.models import match_players, matches

# Who may see a rating; "clubs": the player's friends and fellow club members.
NOBODY, FRIENDS, CLUBS, EVERYBODY = "nobody", "friends", "clubs", "everybody"


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


_ids: Any = bindparam("ids")
_wish = select(rating_wishes.c.counts, rating_wishes.c.shown).where(
    rating_wishes.c.player_id == bindparam("whose")
)
_add_wish = insert(rating_wishes)
_change_wish = update(rating_wishes).where(rating_wishes.c.player_id == bindparam("whose"))
_hold = select(players.c.id).where(players.c.id.in_(_ids)).order_by(players.c.id).with_for_update()
_rating = select(*(ratings.c[name] for name in RatingRow._fields))
_of_game = _rating.where(ratings.c.player_id.in_(_ids), ratings.c.game == bindparam("of_game"))
_of_player = _rating.where(ratings.c.player_id == bindparam("whose")).order_by(ratings.c.game)
_drop = delete(ratings).where(
    ratings.c.player_id == bindparam("whose"), ratings.c.game == bindparam("of_game")
)
_drop_all = delete(ratings).where(ratings.c.game == bindparam("of_game"))
_add = insert(ratings)
_step = select(*(rating_steps.c[name] for name in StepRow._fields))
_steps = _step.where(rating_steps.c.game == bindparam("of_game")).order_by(rating_steps.c.seq)
_add_step = insert(rating_steps)
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
_games_of = select(ratings.c.game).where(ratings.c.player_id == bindparam("whose"))
_shown = (
    select(players.c.name, *(ratings.c[name] for name in RatingRow._fields))
    .join(players, players.c.id == ratings.c.player_id)
    .where(ratings.c.game == bindparam("of_game"))
)
_wishes = rating_wishes.c.player_id == ratings.c.player_id
_to_friend = exists().where(
    friends.c.player_id == bindparam("me"), friends.c.friend_id == ratings.c.player_id
)
_among_friends = _shown.where(
    (ratings.c.player_id == bindparam("me"))
    | and_(
        _to_friend, exists().where(_wishes, rating_wishes.c.shown.in_((FRIENDS, CLUBS, EVERYBODY)))
    )
)
_everybody = _shown.where(exists().where(_wishes, rating_wishes.c.shown == EVERYBODY)).order_by(
    (ratings.c.mu - 3 * ratings.c.sigma).desc()
)
_mine, _theirs = members.alias("mine"), members.alias("theirs")
_in_clubs = (
    select(
        clubs.c.id, clubs.c.name, _theirs.c.name, *(ratings.c[name] for name in RatingRow._fields)
    )
    .select_from(
        _mine.join(clubs, clubs.c.id == _mine.c.club_id)
        .join(_theirs, _theirs.c.club_id == clubs.c.id)
        .join(ratings, ratings.c.player_id == _theirs.c.player_id)
    )
    .where(
        _mine.c.player_id == bindparam("me"),
        _mine.c.standing.in_(INSIDE),
        _theirs.c.standing.in_(INSIDE),
        ratings.c.game == bindparam("of_game"),
        (ratings.c.player_id == bindparam("me"))
        | exists().where(_wishes, rating_wishes.c.shown.in_((CLUBS, EVERYBODY))),
    )
    .order_by(clubs.c.name, clubs.c.id)
)
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
        connection.execute(_add_wish, {"player_id": player_id, **wanted._asdict()})
    else:
        connection.execute(_change_wish, {"whose": player_id, **wanted._asdict()})


def hold(connection: Connection, ids: Sequence[int]) -> None:
    """Lock the ratings of these players until the transaction ends."""
    connection.execute(_hold, {"ids": list(ids)}).all()


def of_game(connection: Connection, ids: Sequence[int], game: str) -> dict[int, RatingRow]:
    """Return the ratings that these players have in a game."""
    found = connection.execute(_of_game, {"ids": list(ids), "of_game": game})
    return {row.player_id: row for row in (RatingRow(*row) for row in found)}


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
        connection.execute(_add_step, values)


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
    for (game,) in connection.execute(_games_of, {"whose": player_id}).all():
        keys = {"was": player_id, "becomes": placeholder, "of_game": game}
        connection.execute(_rename, keys)
        connection.execute(_rename_place, keys)
        connection.execute(_drop, {"whose": player_id, "of_game": game})
    connection.execute(delete(rating_wishes).where(rating_wishes.c.player_id == player_id))


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
        becomes = placeholder if row.game in theirs else other
        keys = {"was": guest, "becomes": becomes, "of_game": row.game}
        connection.execute(_rename, keys)
        connection.execute(_rename_place, keys)
        connection.execute(_drop, {"whose": guest, "of_game": row.game})
        if row.game not in theirs:
            connection.execute(_add, row._replace(player_id=other)._asdict())
    connection.execute(delete(rating_wishes).where(rating_wishes.c.player_id == guest))


def in_clubs(
    connection: Connection, me: int, game: str
) -> dict[int, tuple[str, list[tuple[str, RatingRow]]]]:
    """Return a player's clubs, with their names, and the ratings that members show to their clubs,
    under the names used in the clubs. Members whom the player blocks, or who block the player, are
    left out.
    """
    blocked, found = (
        blocked_either_way(connection, me),
        dict[int, tuple[str, list[tuple[str, RatingRow]]]](),
    )
    for row in connection.execute(_in_clubs, {"me": me, "of_game": game}):
        of_club = found.setdefault(row[0], (row[1], []))[1]
        if row[3] not in blocked:
            of_club.append((row[2], RatingRow(*row[3:])))
    return found


def among_friends(connection: Connection, me: int, game: str) -> Sequence[tuple[str, RatingRow]]:
    """Return a player's own rating and those that friends show, with names."""
    found = connection.execute(_among_friends, {"me": me, "of_game": game})
    return [(row[0], RatingRow(*row[1:])) for row in found]


def of_everybody(connection: Connection, game: str, most: int) -> Sequence[tuple[str, RatingRow]]:
    """Return the best of the public ratings, with names."""
    found = connection.execute(_everybody.limit(most), {"of_game": game})
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
