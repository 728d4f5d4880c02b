"""SQL statements about coaching jobs, their progress and results."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from sqlalchemy import Connection, and_, bindparam, delete, func, insert, or_, select, update

from kaboom.coach.judged_decision import Judged
from kaboom.coach.models import coachings
from kaboom.db.encryption import Unreadable, cipher_of_store
from kaboom.engine.codec import from_json, to_json
from kaboom.tables.models import matches

KIND = "coaching"  # the cipher's label for the results
SILENT = 30.0  # seconds without a heartbeat after which a job is offered to another worker
MOST_TRIES = 3  # attempts before a job is given up


class Coaching(NamedTuple):
    """The coaching job of a player's match.

    `steps` is None until the total is known; `ended_at` is None until the job ends. `given_up` is
    True if it ended after too many failed attempts.
    """

    match_id: int
    player_id: int
    seat: int
    asked_at: float
    tries: int
    steps: int | None
    made: int
    ended_at: float | None
    cost: float | None
    judged: list[Judged] | None

    @property
    def given_up(self) -> bool:
        """Return True if the job ended before everything was judged."""
        return self.ended_at is not None and (self.steps is None or self.made < self.steps)


class Cost(NamedTuple):
    """The mean cost of a decision in a match, in the game's unit."""

    code: str  # the match's code
    ended_at: float
    cost: float


_match: Any = bindparam("of_match")
_player: Any = bindparam("whose")
_now: Any = bindparam("now")
_one = and_(coachings.c.match_id == _match, coachings.c.player_id == _player)
_mine = and_(_one, coachings.c.worker == bindparam("me"), coachings.c.ended_at.is_(None))
_free = and_(
    coachings.c.ended_at.is_(None),
    or_(coachings.c.worker.is_(None), coachings.c.seen_at < bindparam("silent_since")),
)
_COLUMNS = [coachings.c[name] for name in Coaching._fields if name != "judged"]
_coaching = select(*_COLUMNS, coachings.c.body).where(_one)
_next = (
    select(coachings.c.match_id, coachings.c.player_id, matches.c.code)
    .join(matches, matches.c.id == coachings.c.match_id)
    .where(_free)
    .order_by(coachings.c.asked_at)
    .limit(1)
)
_waiting = select(func.count()).select_from(coachings).where(coachings.c.ended_at.is_(None))
_before = _waiting.where(coachings.c.asked_at < bindparam("since"))
_add = insert(coachings)
_drop = delete(coachings).where(_one)
_take = (
    update(coachings)
    .where(_one, _free)
    .values(worker=bindparam("me"), seen_at=_now, tries=coachings.c.tries + 1)
)
_beat = update(coachings).where(_mine).values(seen_at=_now)
_keep = (
    update(coachings)
    .where(_mine)
    .values(seen_at=_now, steps=bindparam("of"), made=bindparam("so_far"), body=bindparam("sealed"))
)
_end = update(coachings).where(_mine).values(ended_at=_now, cost=bindparam("mean"), worker=None)
_leave = update(coachings).where(_mine).values(worker=None, tries=coachings.c.tries - 1)
_costs = (
    select(matches.c.code, matches.c.ended_at, coachings.c.cost)
    .join(matches, matches.c.id == coachings.c.match_id)
    .where(
        coachings.c.player_id == _player,
        coachings.c.cost.is_not(None),
        matches.c.game == bindparam("of_game"),
    )
    .order_by(matches.c.ended_at.desc(), matches.c.id.desc())
    .limit(bindparam("most"))
)
_forget = delete(coachings).where(coachings.c.player_id == _player)


def coaching(connection: Connection, match_id: int, player_id: int) -> Coaching | None:
    """Return a player's coaching job for a match, or None if there is none."""
    row = connection.execute(_coaching, {"of_match": match_id, "whose": player_id}).first()
    if row is None:
        return None
    *fields, body = row
    return Coaching._make([*fields, _opened(connection, body)])


def _opened(connection: Connection, body: bytes | None) -> list[Judged] | None:
    if body is None:
        return None
    try:
        clear = cipher_of_store(connection).decrypt(bytes(body), KIND)
        found: list[Judged] = from_json(clear, list[Judged])
    except (Unreadable, ValueError):  # the key is missing, or an older version wrote it
        return None
    return found


def waiting(connection: Connection) -> int:
    """Return the number of unfinished jobs, including those in progress."""
    return connection.execute(_waiting).scalar() or 0


def ahead(connection: Connection, asked_at: float) -> int:
    """Return the number of unfinished jobs that were requested earlier."""
    return connection.execute(_before, {"since": asked_at}).scalar() or 0


def ask(connection: Connection, match_id: int, player_id: int, seat: int, now: float) -> None:
    """Add a coaching job; restart one that was given up or whose results cannot be read."""
    found = coaching(connection, match_id, player_id)
    keys = {"of_match": match_id, "whose": player_id}
    if found is not None and not (found.given_up or (found.ended_at and found.judged is None)):
        return
    if found is not None:
        connection.execute(_drop, keys)
    values = {"match_id": match_id, "player_id": player_id, "seat": seat, "asked_at": now}
    connection.execute(_add, values)


def take(connection: Connection, me: str, now: float) -> tuple[Coaching, str] | None:
    """Claim the next job for this worker; return it with its match code, or None if there is
    nothing to do.

    A job without a recent heartbeat can be claimed again. After too many attempts, it is given up.
    """
    silent = {"silent_since": now - SILENT}
    row = connection.execute(_next, silent).first()
    if row is None:
        return None
    match_id, player_id, code = row
    keys = {"of_match": match_id, "whose": player_id, "me": me, "now": now}
    if connection.execute(_take, keys | silent).rowcount == 0:  # another worker claimed it first
        return None
    found = coaching(connection, match_id, player_id)
    assert found is not None
    if found.tries > MOST_TRIES:
        connection.execute(_end, keys | {"mean": None})
        return None
    return found, code


def beat(connection: Connection, it: Coaching, me: str, now: float) -> bool:
    """Record a heartbeat; return False if another worker has the job by now."""
    return connection.execute(_beat, _keys(it, me, now)).rowcount == 1


def keep(
    connection: Connection,
    it: Coaching,
    me: str,
    now: float,
    judged: Sequence[Judged],
    made: int,
    steps: int,
) -> bool:
    """Store the results so far; return False if another worker has the job by now."""
    sealed = cipher_of_store(connection).encrypt(to_json(list(judged)), KIND)
    values = {"sealed": sealed, "so_far": made, "of": steps}
    return connection.execute(_keep, _keys(it, me, now) | values).rowcount == 1


def end(connection: Connection, it: Coaching, me: str, now: float, cost: float | None) -> None:
    """Mark a job as ended, with the mean cost of a decision."""
    connection.execute(_end, _keys(it, me, now) | {"mean": cost})


def leave(connection: Connection, it: Coaching, me: str) -> None:
    """Release a job at once, because this worker stops."""
    connection.execute(_leave, _keys(it, me, 0.0))


def _keys(it: Coaching, me: str, now: float) -> dict[str, Any]:
    return {"of_match": it.match_id, "whose": it.player_id, "me": me, "now": now}


def average_costs(
    connection: Connection, player_id: int, game: str, most: int = 50
) -> Sequence[Cost]:
    """Return the mean costs of decisions in a player's last coached matches of a game, earliest
    first.
    """
    keys = {"whose": player_id, "of_game": game, "most": most}
    return [Cost(*row) for row in reversed(connection.execute(_costs, keys).all())]


def forget(connection: Connection, player_id: int) -> None:
    """Delete the coaching jobs of a player."""
    connection.execute(_forget, {"whose": player_id})
