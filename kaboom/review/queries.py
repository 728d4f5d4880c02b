"""SQL statements for reviews of finished matches, their members and remarks."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from sqlalchemy import Connection, bindparam, func, insert, or_, select, union_all, update

from kaboom.db.ids import new_id
from kaboom.review.models import remarks, review_members, reviews
from kaboom.social.chat.models import mutes
from kaboom.social.friends.models import blocks
from kaboom.tables.models import match_players, matches


class ReviewRow(NamedTuple):
    """A stored review; `match` is the id of the match."""

    id: int
    code: str
    match: int
    by_id: int | None
    leader_id: int | None
    asks_id: int | None
    step: int
    eyes: str
    version: int
    made_at: float


class MemberRow(NamedTuple):
    """A current or former member of a review."""

    player: int
    name: str
    joined_at: float


class RemarkRow(NamedTuple):
    """A stored remark with the code of its review; its text is empty if it was deleted."""

    id: int
    review: str
    player: int
    name: str
    step: int
    eyes: str
    text: str
    at: float


_review: Any = bindparam("of_review")
_player: Any = bindparam("player")
_match: Any = bindparam("of_match")
_names = ("id", "code", "match_id", *ReviewRow._fields[3:])
_reviews = select(*(reviews.c[name] for name in _names))
_by_code = _reviews.where(reviews.c.code == bindparam("wanted"), reviews.c.match_id == _match)
_of_match = _reviews.where(reviews.c.match_id == _match).order_by(reviews.c.id.desc())
_members = (
    select(review_members.c.player_id, review_members.c.name, review_members.c.joined_at)
    .where(review_members.c.review_id == _review)
    .order_by(review_members.c.joined_at, review_members.c.player_id)
)
_members_of_match = (
    select(
        review_members.c.review_id,
        review_members.c.player_id,
        review_members.c.name,
        review_members.c.joined_at,
    )
    .join(reviews, reviews.c.id == review_members.c.review_id)
    .where(reviews.c.match_id == _match)
    .order_by(review_members.c.joined_at, review_members.c.player_id)
)
_mine = (
    select(review_members.c.review_id)
    .join(reviews, reviews.c.id == review_members.c.review_id)
    .where(review_members.c.player_id == _player, reviews.c.match_id == _match)
)
_match_id = select(matches.c.id).where(matches.c.code == bindparam("wanted"))
_played = select(match_players.c.seat).where(
    match_players.c.match_id == _match, match_players.c.player_id == _player
)
_remark = (
    select(
        remarks.c.id,
        reviews.c.code,
        *(remarks.c[name] for name in ("player_id", *RemarkRow._fields[3:])),
    )
    .join(reviews, reviews.c.id == remarks.c.review_id)
    .order_by(remarks.c.id)
)
_heard = remarks.c.player_id.not_in(
    union_all(
        select(mutes.c.muted_id).where(mutes.c.player_id == _player),
        select(blocks.c.to_id).where(blocks.c.from_id == _player),
    )
)
_of_review = _remark.where(remarks.c.review_id == _review)
_heard_in_review = _of_review.where(_heard, remarks.c.text != "")
# For a whole match: its players read all remarks, others only those from reviews they were in.
_heard_of_match = _remark.where(
    reviews.c.match_id == _match,
    _heard,
    remarks.c.text != "",
    or_(_played.exists(), reviews.c.id.in_(_mine)),
)
_one = _remark.where(reviews.c.code == bindparam("wanted"), remarks.c.id == bindparam("remark"))
_add = insert(reviews)
_join = insert(review_members)
_say = insert(remarks)
_change = update(reviews).where(reviews.c.id == _review)
_empty = update(remarks).where(remarks.c.id == bindparam("remark")).values(text="")
_count = select(func.count()).select_from(remarks).where(remarks.c.review_id == _review)
_last = select(func.coalesce(func.max(remarks.c.id), 0), func.count()).where(
    remarks.c.review_id == _review, remarks.c.text != ""
)


def match_id(connection: Connection, code: str) -> int | None:
    """Return the id of the match whose record has that code, or None."""
    found: int | None = connection.execute(_match_id, {"wanted": code}).scalar()
    return found


def has_played(connection: Connection, match: int, player: int | None) -> bool:
    """Return True if a player took part in a match."""
    keys = {"of_match": match, "player": player}
    return connection.execute(_played, keys).first() is not None


def review(connection: Connection, match: int, code: str) -> ReviewRow | None:
    """Return the review with that code, or None if the match has no such review."""
    row = connection.execute(_by_code, {"wanted": code, "of_match": match}).first()
    return None if row is None else ReviewRow(*row)


def of_match(connection: Connection, match: int) -> Sequence[ReviewRow]:
    """Return the reviews of a match, newest first."""
    return [ReviewRow(*row) for row in connection.execute(_of_match, {"of_match": match})]


def members(connection: Connection, review: int) -> Sequence[MemberRow]:
    """Return the current and former members of a review, by time of joining."""
    return [MemberRow(*row) for row in connection.execute(_members, {"of_review": review})]


def members_of_match(connection: Connection, match: int) -> Mapping[int, Sequence[MemberRow]]:
    """Return the current and former members of the reviews of a match, by review."""
    found = defaultdict[int, list[MemberRow]](list)
    for review, *row in connection.execute(_members_of_match, {"of_match": match}):
        found[review].append(MemberRow(*row))
    return found


def heard_in(connection: Connection, review: int, player: int | None) -> Sequence[RemarkRow]:
    """Return the remarks in a review, oldest first, except those by players the reader has muted or
    blocked.
    """
    keys = {"of_review": review, "player": player}
    return [RemarkRow(*row) for row in connection.execute(_heard_in_review, keys)]


def heard_of(connection: Connection, match: int, player: int | None) -> Sequence[RemarkRow]:
    """Return the remarks that the reader may see on a match, oldest first."""
    keys = {"of_match": match, "player": player}
    return [RemarkRow(*row) for row in connection.execute(_heard_of_match, keys)]


def all_in(connection: Connection, review: int) -> Sequence[RemarkRow]:
    """Return all remarks in a review, oldest first; deleted ones have no text."""
    return [RemarkRow(*row) for row in connection.execute(_of_review, {"of_review": review})]


def count_of(connection: Connection, review: int) -> int:
    """Return the number of remarks in a review, including deleted ones."""
    return connection.execute(_count, {"of_review": review}).scalar() or 0


def last_of(connection: Connection, review: int) -> tuple[int, int]:
    """Return a pair that changes whenever a remark is added or deleted."""
    last, count = connection.execute(_last, {"of_review": review}).one()
    return last, count


def remark(connection: Connection, code: str, number: int) -> RemarkRow | None:
    """Return a remark from the review with that code, or None."""
    row = connection.execute(_one, {"wanted": code, "remark": number}).first()
    return None if row is None else RemarkRow(*row)


def add(connection: Connection, values: dict[str, Any]) -> int:
    """Store a review; return its id."""
    return new_id(connection.execute(_add, values))


def join(connection: Connection, review: int, player: int, name: str, now: float) -> None:
    """Add a member to a review."""
    values = {"review_id": review, "player_id": player, "name": name, "joined_at": now}
    connection.execute(_join, values)


def change(connection: Connection, review: int, **values: Any) -> None:
    """Change the leader, the request for the lead, or the place of a review."""
    connection.execute(_change.values(**values), {"of_review": review})


def say(connection: Connection, values: dict[str, Any]) -> None:
    """Store a remark."""
    connection.execute(_say, values)


def empty(connection: Connection, remark: int) -> None:
    """Clear the text of a remark."""
    connection.execute(_empty, {"remark": remark})
