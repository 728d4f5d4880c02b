"""Group review of a finished match: one member leads; the others follow or browse on their own.

The leader's place is a step and a point of view. Both are in the URL of every page, so a follower
who reconnects is at the right place. The leader keeps the lead while present. Otherwise the
longest-standing member who is present leads, until the leader returns or that member moves.
"""

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from zlib import crc32

from sqlalchemy import Connection

from kaboom.accounts.names import cleaned, fits, told_apart
from kaboom.engine.i18n import gettext as _
from kaboom.engine.views import token_of
from kaboom.errors import InvalidState, NotPermitted, invalid_field
from kaboom.review import queries as store
from kaboom.review.queries import MemberRow, RemarkRow, ReviewRow
from kaboom.social.chat import hooks
from kaboom.social.friends import queries as friends
from kaboom.tables.service import TableService
from kaboom.web.idempotency.service import IdempotencyKey, write_once

LONGEST = 300  # characters of a remark
MOST_REVIEWS = 30  # per match
MOST_MEMBERS = 60
MOST_REMARKS = 500  # per review


class ReviewNotFound(LookupError):
    """There is no such review; str() is the message for the requester."""


@dataclass(frozen=True, slots=True)
class Place:
    """A step and its point of view: "" for all cards, "watch" for a spectator, or else a seat."""

    step: int
    eyes: str = ""

    @property
    def address(self) -> str:
        """Return the part of the URL that follows the review's URL."""
        return f"{self.step}?seat={self.eyes}" if self.eyes else str(self.step)


@dataclass(frozen=True, slots=True)
class Person:
    """A current or former member of a review.

    `word` identifies the member in forms; `player` never leaves the server. `here` is None while
    presence is unknown.
    """

    word: str
    name: str
    player: int
    here: bool | None
    me: bool


@dataclass(frozen=True, slots=True)
class Remark:
    """A remark on a step, as one reader sees it."""

    number: int
    review: str
    name: str
    text: str
    place: Place
    at: float
    own: bool
    may_delete: bool


@dataclass(frozen=True, slots=True)
class Review:
    """A review as one reader sees it; `me` is None if the reader has not joined."""

    code: str
    place: Place  # the leader's place
    version: int  # incremented when the place changes
    people: Sequence[Person]
    leader: Person | None
    asks: Person | None
    me: Person | None
    remarks: Sequence[Remark]
    fingerprint: int  # a hash of everything else: people, presence, remarks

    @property
    def leads(self) -> bool:
        """Return True if the reader leads."""
        return self.me is not None and self.leader is self.me


def topic_of(code: str) -> str:
    """Return the topic of a review's streams and presence."""
    return f"review_{code}"


# Looking


def find(
    tables: TableService,
    match: str,
    code: str,
    player: int | None,
    here: Collection[int] | None = None,
) -> Review:
    """Return a match's review with that code, as a player sees it. Raises ReviewNotFound.

    `here` lists the players present, or None if that is unknown.
    """
    return tables.database.read(lambda c: _seen(c, _row(c, match, code), player, here))


@dataclass(frozen=True, slots=True)
class Glance:
    """What tells a page of a review whether it is up to date (see Review)."""

    place: Place
    version: int
    fingerprint: int


def glances(
    connection: Connection,
    code: str,
    match: str,
    players: Sequence[int],
    here: Collection[int] | None,
) -> Sequence[Glance | None]:
    """Return a Glance for each of these players, or None for players who are not members."""
    try:
        row = _row(connection, match, code)
    except ReviewNotFound:
        return [None] * len(players)
    members, last = store.members(connection, row.id), store.last_of(connection, row.id)
    joined, place = {it.player for it in members}, Place(row.step, row.eyes)
    return [
        Glance(place, row.version, _fingerprint(row, members, last, _with(here, player)))
        if player in joined
        else None
        for player in players
    ]


def _row(connection: Connection, match: str, code: str) -> ReviewRow:
    number = store.match_id(connection, match)
    row = None if number is None else store.review(connection, number, code)
    if row is None:
        raise ReviewNotFound(_("There is no review at that link."))
    return row


def _seen(
    connection: Connection, row: ReviewRow, player: int | None, here: Collection[int] | None
) -> Review:
    members, here = store.members(connection, row.id), _with(here, player)
    people = [_person(row, it, player, here) for it in members]
    by_id = {it.player: it for it in people}
    me = None if player is None else by_id.get(player)
    leader = leader_of(row.leader_id, [it.player for it in people], here)
    asks = by_id.get(row.asks_id or 0)
    read = me is not None or store.has_played(connection, row.match, player)
    heard = store.heard_in(connection, row.id, player) if read else ()
    said = [_remark(it, player, row.by_id) for it in heard]
    return Review(
        row.code,
        Place(row.step, row.eyes),
        row.version,
        people,
        by_id.get(leader or 0),
        asks,
        me,
        said,
        _fingerprint(row, members, store.last_of(connection, row.id), here),
    )


def _with(here: Collection[int] | None, player: int | None) -> Collection[int] | None:
    """Return the players present, among whom is the reader; None while presence is unknown."""
    return here if here is None or player is None else {*here, player}


def _fingerprint(
    row: ReviewRow,
    members: Sequence[MemberRow],
    last: tuple[int, int],
    here: Collection[int] | None,
) -> int:
    """Return a hash of the people in a review, their presence and the remarks."""
    leader = leader_of(row.leader_id, [it.player for it in members], here)
    present = [None if here is None else it.player in here for it in members]
    return crc32(repr((leader, row.asks_id, present, members, last)).encode())


def _person(
    row: ReviewRow, it: MemberRow, player: int | None, here: Collection[int] | None
) -> Person:
    word = token_of(("review", row.id, it.player))
    present = None if here is None else it.player in here
    return Person(word, it.name, it.player, present, it.player == player)


def leader_of(
    leader: int | None, members: Sequence[int], here: Collection[int] | None
) -> int | None:
    """Return the acting leader of a review.

    That is the leader if present, or else the first present member; `members` are by time of
    joining. While presence is unknown, or if no member is present, the leader stays.
    """
    if here is None or leader in here:
        return leader
    return next((it for it in members if it in here), leader)


def _remark(row: RemarkRow, player: int | None, maker: int | None) -> Remark:
    own = row.player == player
    place = Place(row.step, row.eyes)
    may_delete = own or (player is not None and maker == player)
    return Remark(row.id, row.review, row.name, row.text, place, row.at, own, may_delete)


@dataclass(frozen=True, slots=True)
class Listed:
    """A review in the list of a match: its current and former members, when it began, its step,
    and the number of remarks that the reader may see.
    """

    code: str
    names: Sequence[str]
    made_at: float
    step: int
    remarks: int


def all_of(
    tables: TableService, match: str, player: int | None
) -> tuple[Sequence[Listed], Sequence[Remark]]:
    """Return the reviews of a match that a player may list, with the remarks the player may see.

    A player of the match may list all of them; others, those they are members of.
    """

    def work(connection: Connection) -> tuple[Sequence[Listed], Sequence[Remark]]:
        number = store.match_id(connection, match)
        if number is None or player is None:
            return (), ()
        played = store.has_played(connection, number, player)
        heard = store.heard_of(connection, number, player)
        remarks = Counter(it.review for it in heard)
        members = store.members_of_match(connection, number)
        listed = [
            Listed(
                row.code,
                [it.name for it in members[row.id]],
                row.made_at,
                row.step,
                remarks[row.code],
            )
            for row in store.of_match(connection, number)
            if played or player in {it.player for it in members[row.id]}
        ]
        return listed, [_remark(it, player, None) for it in heard]

    return tables.database.read(work)


def remarks_of(tables: TableService, match: str, player: int) -> Sequence[Remark]:
    """Return the remarks on a match that a player may see."""

    def work(connection: Connection) -> Sequence[Remark]:
        number = store.match_id(connection, match)
        heard = () if number is None else store.heard_of(connection, number, player)
        return [_remark(it, player, None) for it in heard]

    return tables.database.read(work)


# Joining and leaving


def open_review(
    tables: TableService,
    match: str,
    player: int,
    name: str,
    place: Place,
    idempotency_key: IdempotencyKey | None = None,
) -> str:
    """Create a review of a match, led by the player, and return its code. Raises InvalidState."""
    now, code = tables.now(), tables.ids.code()

    def opened(connection: Connection) -> str:
        number = store.match_id(connection, match)
        assert number is not None  # it was checked just before
        if len(store.of_match(connection, number)) >= MOST_REVIEWS:
            raise InvalidState(_("This match already has too many reviews. Join one of them."))
        made = store.add(
            connection,
            {
                "code": code,
                "match_id": number,
                "by_id": player,
                "leader_id": player,
                "asks_id": None,
                "step": place.step,
                "eyes": place.eyes,
                "version": 1,
                "made_at": now,
            },
        )
        store.join(connection, made, player, name, now)
        return code

    return write_once(tables.database, idempotency_key, now, opened)


def join(tables: TableService, match: str, code: str, player: int, name: str) -> None:
    """Join a review, unless already a member.

    Raises ReviewNotFound, NotPermitted or InvalidState.
    """

    def work(connection: Connection, row: ReviewRow, members: Sequence[MemberRow]) -> None:
        if player in {it.player for it in members}:
            return
        _require_welcome(connection, row, player)
        if len(members) >= MOST_MEMBERS:
            raise InvalidState(_("There are already {count} people here.", count=MOST_MEMBERS))
        called = told_apart(name, [it.name for it in members])
        store.join(connection, row.id, player, called, tables.now())

    _change(tables, match, code, work)


def _require_welcome(connection: Connection, row: ReviewRow, player: int) -> None:
    """Raise NotPermitted for a player whom the creator of the review has blocked."""
    if row.by_id is not None and friends.blocks_player(connection, row.by_id, player):
        raise NotPermitted(_("You cannot take part in this review."))


def leave(
    tables: TableService, match: str, code: str, player: int, here: Collection[int] | None
) -> None:
    """Leave a review. A leader hands the lead to the longest-standing member, preferably one
    present.
    """

    def work(connection: Connection, row: ReviewRow, members: Sequence[MemberRow]) -> None:
        others = [it.player for it in members if it.player != player]
        if row.leader_id == player:
            next_one = leader_of(None, others, here or ()) or next(iter(others), None)
            store.change(connection, row.id, leader_id=next_one)
        if row.asks_id == player:
            store.change(connection, row.id, asks_id=None)

    _change(tables, match, code, work)


# Leading


def lead(
    tables: TableService,
    match: str,
    code: str,
    player: int,
    place: Place,
    here: Collection[int] | None = None,
) -> None:
    """Set the leader's place.

    Raises NotPermitted if another member leads, or ReviewNotFound.
    """

    def work(connection: Connection, row: ReviewRow, members: Sequence[MemberRow]) -> None:
        _require_leader(row, members, player, here)
        store.change(
            connection,
            row.id,
            leader_id=player,
            step=place.step,
            eyes=place.eyes,
            version=row.version + 1,
        )

    _change(tables, match, code, work)


def hand_over_lead(
    tables: TableService,
    match: str,
    code: str,
    player: int,
    word: str,
    here: Collection[int] | None = None,
) -> None:
    """Hand the lead to another member.

    Raises NotPermitted if another member leads, or ReviewNotFound.
    """

    def work(connection: Connection, row: ReviewRow, members: Sequence[MemberRow]) -> None:
        _require_leader(row, members, player, here)
        other = _member(row, members, word)
        store.change(connection, row.id, leader_id=other.player, asks_id=None)

    _change(tables, match, code, work)


def ask_for_lead(
    tables: TableService,
    match: str,
    code: str,
    player: int,
    here: Collection[int] | None = None,
) -> None:
    """Ask for the lead, or take it if the review has no leader.

    Raises NotPermitted or ReviewNotFound.
    """

    def work(connection: Connection, row: ReviewRow, members: Sequence[MemberRow]) -> None:
        _require_member(members, player)
        _require_welcome(connection, row, player)
        leader = leader_of(row.leader_id, [it.player for it in members], here)
        if leader is None or leader not in {it.player for it in members}:
            store.change(connection, row.id, leader_id=player, asks_id=None)
        elif leader != player:
            store.change(connection, row.id, asks_id=player)

    _change(tables, match, code, work)


def _require_member(members: Sequence[MemberRow], player: int) -> MemberRow:
    found = next((it for it in members if it.player == player), None)
    if found is None:
        raise NotPermitted(_("Join the review first."))
    return found


def _require_leader(
    row: ReviewRow, members: Sequence[MemberRow], player: int, here: Collection[int] | None
) -> None:
    _require_member(members, player)
    if leader_of(row.leader_id, [it.player for it in members], _with(here, player)) != player:
        raise NotPermitted(_("Another player leads now. You can ask for the lead."))


def _member(row: ReviewRow, members: Sequence[MemberRow], word: str) -> MemberRow:
    for it in members:
        if token_of(("review", row.id, it.player)) == word:
            return it
    raise NotPermitted(_("There is no such player here."))


# Remarks


def say(
    tables: TableService,
    match: str,
    code: str,
    player: int,
    place: Place,
    text: str,
    idempotency_key: IdempotencyKey | None = None,
) -> None:
    """Add a remark to a step.

    Raises NotPermitted, InvalidState, InvalidFields or ReviewNotFound.
    """
    words = cleaned(text, 10 * LONGEST)
    if not words:
        raise invalid_field("text", _("Please write a message first."))
    if not fits(words, LONGEST):
        raise invalid_field("text", _("At most {count} characters, please.", count=LONGEST))
    now = tables.now()

    def said(connection: Connection, row: ReviewRow, members: Sequence[MemberRow]) -> None:
        me = _require_member(members, player)
        _require_welcome(connection, row, player)
        for require in hooks.before_message:
            require(connection, player, now)
        if store.count_of(connection, row.id) >= MOST_REMARKS:
            raise InvalidState(
                _("This review already has as many remarks as it can hold. Begin another review.")
            )
        values = {"review_id": row.id, "player_id": player, "name": me.name, "text": words}
        store.say(connection, values | {"step": place.step, "eyes": place.eyes, "at": now})

    _change(tables, match, code, said, idempotency_key)


def delete(tables: TableService, match: str, code: str, player: int, number: int) -> None:
    """Delete a remark: the player's own, or any if the player created the review.

    Raises InvalidFields or ReviewNotFound.
    """

    def work(connection: Connection, row: ReviewRow, members: Sequence[MemberRow]) -> None:
        remark = store.remark(connection, row.code, number)
        if remark is None or player not in (remark.player, row.by_id):
            raise invalid_field("line", _("There is no such remark."))
        store.empty(connection, number)

    _change(tables, match, code, work)


def person_in(tables: TableService, match: str, code: str, player: int | None, word: str) -> Person:
    """Return another member of a review by the word from a form.

    Raises NotPermitted or ReviewNotFound.
    """
    found = find(tables, match, code, player)
    if found.me is None:
        raise NotPermitted(_("Join the review first."))
    for person in found.people:
        if person.word == word and not person.me:
            return person
    raise NotPermitted(_("There is no such player here."))


Work = Callable[[Connection, ReviewRow, Sequence[MemberRow]], None]


def _change(
    tables: TableService,
    match: str,
    code: str,
    work: Work,
    idempotency_key: IdempotencyKey | None = None,
) -> None:
    """Change a review in one transaction, and wake its streams."""

    def done(connection: Connection) -> str:
        row = _row(connection, match, code)
        work(connection, row, store.members(connection, row.id))
        return ""

    now = tables.now()
    write_once(tables.database, idempotency_key, now, done)
    tables.signals.changed(topic_of(code), None)
