"""SQL statements about tournaments: their log, their entrants, their tables."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from sqlalchemy import Connection, and_, bindparam, func, insert, or_, select, union, update

from kaboom.db.encryption import cipher_of_store
from kaboom.db.ids import new_id
from kaboom.social.clubs.models import INSIDE, members
from kaboom.tables.models import tables
from kaboom.tables.queries import opened
from kaboom.tournaments.models import entrants, pods, tournament_events, tournaments

OPEN, READY, PLAYING, ENDED, DONE, VOID = "open", "ready", "playing", "ended", "done", "void"
BEFORE = (OPEN, READY)  # before the match; READY: all players there are ready
KIND = "seed"  # the cipher's label for seeds


class TournamentRow(NamedTuple):
    """A stored tournament with its decrypted seed, which is empty if it cannot be decrypted."""

    id: int
    code: str
    host_id: int | None
    settings: str
    seed: bytes
    commitment: str
    version: int
    names: int
    due_at: float | None
    ended: bool
    listed: bool
    created_at: float


class EntrantRow(NamedTuple):
    """An entrant. Without a player id, it is a bot or a deleted player."""

    number: int
    player_id: int | None
    name: str
    cut: str


class PodRow(NamedTuple):
    """A pod for which a table was opened; `code` is the table's, if it still exists."""

    id: int
    pairing: int
    number: int
    state: str
    result: str | None
    table_id: int | None
    code: str | None


def _of_pods_that_are(state: str) -> Any:
    return select(pods.c.tournament_id).where(pods.c.state == state).distinct()


_columns = [tournaments.c[name] for name in TournamentRow._fields]
_tournament = select(*_columns).where(tournaments.c.code == bindparam("code"))
_tournament_for_update = _tournament.with_for_update()
_save = update(tournaments).where(tournaments.c.id == bindparam("of"))
_events = (
    select(tournament_events.c.seq, tournament_events.c.body, tournament_events.c.at)
    .where(
        tournament_events.c.tournament_id == bindparam("of"),
        tournament_events.c.seq > bindparam("after"),
    )
    .order_by(tournament_events.c.seq)
)
_entrants = (
    select(*(entrants.c[name] for name in EntrantRow._fields))
    .where(entrants.c.tournament_id == bindparam("of"))
    .order_by(entrants.c.number)
)
_tournament_of_pod = select(pods.c.tournament_id).where(pods.c.id == bindparam("pod"))
_is_in = select(entrants.c.number).where(
    entrants.c.tournament_id == bindparam("of"), entrants.c.player_id == bindparam("player")
)
_carry = update(entrants).where(
    entrants.c.tournament_id == bindparam("of"), entrants.c.number == bindparam("entrant")
)
_nameless = (
    update(entrants)
    .where(entrants.c.player_id == bindparam("player"))
    .values(name="", player_id=None)
)
_is_there = select(tournaments.c.id).where(tournaments.c.code == bindparam("code"))
_also = entrants.alias("also")
_double = (
    update(entrants)
    .where(
        entrants.c.player_id == bindparam("guest"),
        entrants.c.tournament_id.in_(
            select(_also.c.tournament_id).where(_also.c.player_id == bindparam("other"))
        ),
    )
    .values(player_id=None)
)
_joined = (
    update(entrants)
    .where(entrants.c.player_id == bindparam("guest"))
    .values(player_id=bindparam("other"))
)
_running_of = (
    select(tournaments.c.code)
    .join(entrants, entrants.c.tournament_id == tournaments.c.id)
    .where(entrants.c.player_id == bindparam("player"), ~tournaments.c.ended)
    .order_by(tournaments.c.id)
)
_not_ended_of = (
    select(*_columns)
    .join(entrants, entrants.c.tournament_id == tournaments.c.id)
    .where(entrants.c.player_id == bindparam("player"), ~tournaments.c.ended)
    .order_by(tournaments.c.created_at.desc(), tournaments.c.id.desc())
    .limit(bindparam("most"))
)
_running_of_both = _running_of.where(
    tournaments.c.id.in_(
        select(_also.c.tournament_id).where(_also.c.player_id == bindparam("beside"))
    )
)
_run_by = (
    select(tournaments.c.code)
    .where(tournaments.c.host_id == bindparam("player"), ~tournaments.c.ended)
    .order_by(tournaments.c.id)
)
_renamed = update(tournaments).values(names=tournaments.c.names + 1)
_renamed_one = _renamed.where(tournaments.c.id == bindparam("of"))
_renamed_all = _renamed.where(
    tournaments.c.id.in_(
        select(entrants.c.tournament_id).where(entrants.c.player_id == bindparam("player"))
    )
)
_no_host = (
    update(tournaments).where(tournaments.c.host_id == bindparam("player")).values(host_id=None)
)
_with_ended = (
    select(tournaments.c.code)
    .where(
        or_(
            tournaments.c.id.in_(_of_pods_that_are(ENDED)),
            and_(~tournaments.c.ended, tournaments.c.id.in_(_of_pods_that_are(READY))),
        )
    )
    .order_by(tournaments.c.code <= bindparam("after"), tournaments.c.code)
    .limit(bindparam("most"))
)
_late = (
    select(tournaments.c.code)
    .where(tournaments.c.due_at <= bindparam("now"))
    .order_by(tournaments.c.due_at)
    .limit(bindparam("most"))
)
_pods = (
    select(
        pods.c.id,
        pods.c.pairing,
        pods.c.number,
        pods.c.state,
        pods.c.result,
        pods.c.table_id,
        tables.c.code,
    )
    .select_from(pods.outerjoin(tables, tables.c.id == pods.c.table_id))
    .where(pods.c.tournament_id == bindparam("of"))
    .order_by(pods.c.pairing, pods.c.number)
)
_pods_of_pairing = _pods.where(pods.c.pairing == bindparam("pairing"))
_pod_at = (
    select(pods.c.id, tournaments.c.code, tournaments.c.id)
    .join(tournaments, tournaments.c.id == pods.c.tournament_id)
    .where(pods.c.table_id == bindparam("at_table"))
)
_pod = _pods.where(pods.c.pairing == bindparam("pairing"), pods.c.number == bindparam("number"))
_pods_to_see_to = _pods.where(
    or_(
        pods.c.pairing == bindparam("pairing"),
        pods.c.state.in_((PLAYING, ENDED)),
        and_(pods.c.state == VOID, pods.c.table_id.is_not(None)),
    )
)
_is_played = (
    select(pods.c.id)
    .where(pods.c.tournament_id == bindparam("of"), pods.c.state.in_((*BEFORE, PLAYING)))
    .limit(1)
)
_begin_pod = (
    update(pods)
    .where(pods.c.id == bindparam("pod"), pods.c.state.in_(BEFORE))
    .values(state=PLAYING)
)
_end_pod = (
    update(pods)
    .where(pods.c.id == bindparam("pod"), pods.c.state.in_((*BEFORE, PLAYING)))
    .values(state=ENDED, result=bindparam("found"))
)
_note_ready = (
    update(pods)
    .where(pods.c.id == bindparam("pod"), pods.c.state.in_(BEFORE))
    .values(state=bindparam("now_is"))
)
_collect = (
    update(pods).where(pods.c.id == bindparam("pod"), pods.c.state == ENDED).values(state=DONE)
)
_begun = select(pods.c.id).where(
    pods.c.tournament_id == bindparam("of"),
    pods.c.pairing == bindparam("pairing"),
    pods.c.state.in_((PLAYING, ENDED, DONE)),
)
_void = (
    update(pods)
    .where(
        pods.c.tournament_id == bindparam("of"),
        pods.c.pairing == bindparam("made_by"),
        pods.c.state.in_(BEFORE),
    )
    .values(state=VOID)
)
_apart = update(pods).where(pods.c.table_id == bindparam("gone")).values(table_id=None)
_ORDER = (tournaments.c.ended, tournaments.c.created_at.desc(), tournaments.c.id.desc())
_listed = (
    select(*_columns)
    .where(tournaments.c.listed)
    .order_by(*_ORDER)
    .limit(bindparam("most"))
    .offset(bindparam("skip"))
)
_mine = (
    select(*_columns)
    .where(
        tournaments.c.id.in_(
            union(  # each half uses an index; with OR, the whole table would be read
                select(tournaments.c.id).where(tournaments.c.host_id == bindparam("player")),
                select(entrants.c.tournament_id).where(entrants.c.player_id == bindparam("player")),
            )
        )
    )
    .order_by(*_ORDER)
    .limit(bindparam("most"))
)
_run_in_club = (
    select(*_columns)
    .where(
        ~tournaments.c.ended,
        tournaments.c.host_id.in_(
            select(members.c.player_id).where(
                members.c.club_id == bindparam("club"), members.c.standing.in_(INSIDE)
            )
        ),
    )
    .order_by(tournaments.c.created_at.desc())
    .limit(bindparam("most"))
)
_running_by = select(func.count()).where(
    tournaments.c.host_id == bindparam("player"), ~tournaments.c.ended
)


def _row(connection: Connection, row: Any) -> TournamentRow:
    found = TournamentRow(*row)
    return found._replace(seed=opened(cipher_of_store(connection), found.seed, KIND))


def tournament(connection: Connection, code: str, lock: bool = False) -> TournamentRow | None:
    """Return a tournament, or None. With `lock`, its row stays locked until the transaction
    ends."""
    chosen = _tournament_for_update if lock else _tournament
    row = connection.execute(chosen, {"code": code}).first()
    return None if row is None else _row(connection, row)


def is_there(connection: Connection, code: str) -> bool:
    """Return True if there is a tournament with that code."""
    return connection.execute(_is_there, {"code": code}).first() is not None


def add(connection: Connection, values: Mapping[str, Any]) -> int:
    """Store a new tournament; return its id."""
    sealed = {**values, "seed": cipher_of_store(connection).encrypt(values["seed"], KIND)}
    return new_id(connection.execute(insert(tournaments), sealed))


def save(connection: Connection, of: int, values: Mapping[str, Any]) -> None:
    """Write the changed columns of a tournament."""
    connection.execute(_save, {"of": of, **values})


def events(connection: Connection, of: int, after: int = 0) -> Sequence[tuple[int, str, float]]:
    """Return the number, body and time of each event after number `after`."""
    return [
        (row[0], row[1], row[2]) for row in connection.execute(_events, {"of": of, "after": after})
    ]


def append(connection: Connection, rows: Sequence[Mapping[str, Any]]) -> None:
    """Append to the log; raises IntegrityError if a number is taken."""
    connection.execute(insert(tournament_events), list(rows))


def entrants_of(connection: Connection, of: int) -> list[EntrantRow]:
    """Return the entrants, in order of entry."""
    return [EntrantRow(*row) for row in connection.execute(_entrants, {"of": of})]


def add_entrants(connection: Connection, rows: Sequence[Mapping[str, Any]]) -> None:
    """Store entrants; raises IntegrityError if a player has already entered."""
    connection.execute(insert(entrants), list(rows))


def forget(connection: Connection, player: int) -> None:
    """Anonymise a player's entries and the tournaments they ran."""
    connection.execute(_renamed_all, {"player": player})
    connection.execute(_nameless, {"player": player})
    connection.execute(_no_host, {"player": player})


def join(connection: Connection, guest: int, other: int) -> None:
    """Give a guest's entries to another player.

    Where both have entered, the guest's entry keeps its name but has no player.
    """
    connection.execute(_renamed_all, {"player": guest})
    connection.execute(_double, {"guest": guest, "other": other})
    connection.execute(_joined, {"guest": guest, "other": other})


def not_ended_of(connection: Connection, player: int, most: int) -> list[TournamentRow]:
    """Return the tournaments that a player has entered and that have not ended, newest first."""
    found = connection.execute(_not_ended_of, {"player": player, "most": most})
    return [_row(connection, row) for row in found]


def running_of(connection: Connection, player: int, beside: int | None = None) -> list[str]:
    """Return the codes of the tournaments that a player has entered and that have not ended; with
    `beside`, only those that this other player has also entered.
    """
    if beside is None:
        return list(connection.execute(_running_of, {"player": player}).scalars())
    keys = {"player": player, "beside": beside}
    return list(connection.execute(_running_of_both, keys).scalars())


def run_by(connection: Connection, player: int) -> list[str]:
    """Return the codes of the tournaments that a player organises and that have not ended."""
    return list(connection.execute(_run_by, {"player": player}).scalars())


def due(connection: Connection, now: float, most: int, after: str = "") -> list[str]:
    """Return the codes of tournaments to handle: those due at `now` (table time), then those with
    new results.

    Those with results start with the code after `after` and wrap around, so that tournaments
    waiting long for other tables do not block the rest.
    """
    late = connection.execute(_late, {"now": now, "most": most}).scalars()
    keys = {"after": after, "most": most}
    with_results = list(connection.execute(_with_ended, keys).scalars())
    return [*(it for it in late if it not in with_results), *with_results]


def pods_of(connection: Connection, of: int, pairing: int) -> list[PodRow]:
    """Return the pods of a pairing for which tables were opened."""
    found = connection.execute(_pods_of_pairing, {"of": of, "pairing": pairing})
    return [PodRow(*row) for row in found]


def pod_at(connection: Connection, table_id: int) -> tuple[int, str, Sequence[EntrantRow]] | None:
    """Return the id of a table's pod, the code of its tournament, and the entrants; None if the
    table belongs to no tournament.
    """
    row = connection.execute(_pod_at, {"at_table": table_id}).first()
    return None if row is None else (row[0], row[1], entrants_of(connection, row[2]))


def pod(connection: Connection, of: int, pairing: int, number: int) -> PodRow | None:
    """Return a pod, or None if no table was opened for it."""
    keys = {"of": of, "pairing": pairing, "number": number}
    row = connection.execute(_pod, keys).first()
    return None if row is None else PodRow(*row)


def pods_to_see_to(connection: Connection, of: int, pairing: int) -> list[PodRow]:
    """Return the pods of a pairing and, of all others, those that are being played, whose results
    are not in the log yet, or that were cancelled and still have a table.
    """
    found = connection.execute(_pods_to_see_to, {"of": of, "pairing": pairing})
    return [PodRow(*row) for row in found]


def is_played(connection: Connection, of: int) -> bool:
    """Return True if a match may still be played at a table of the tournament."""
    return connection.execute(_is_played, {"of": of}).first() is not None


def add_pod(connection: Connection, of: int, pairing: int, number: int, table_id: int) -> int:
    """Store a pod for which a table was opened; return its id. Raises IntegrityError if it exists
    already.
    """
    key = {"tournament_id": of, "pairing": pairing, "number": number}
    return new_id(connection.execute(insert(pods), {**key, "table_id": table_id, "state": OPEN}))


def begin_pod(connection: Connection, pod: int) -> bool:
    """Record that the match of a pod begins; return False if it may not."""
    return connection.execute(_begin_pod, {"pod": pod}).rowcount == 1


def note_ready(connection: Connection, pod: int, ready: bool) -> None:
    """Record whether all players are ready at a pod whose match has not begun."""
    connection.execute(_note_ready, {"pod": pod, "now_is": READY if ready else OPEN})


def end_pod(connection: Connection, pod: int, result: str) -> None:
    """Store a pod's result until it is in the tournament's log."""
    connection.execute(_end_pod, {"pod": pod, "found": result})


def collect(connection: Connection, pod: int) -> bool:
    """Record that a pod's result is in the log; return False if that was already recorded."""
    return connection.execute(_collect, {"pod": pod}).rowcount == 1


def void(connection: Connection, of: int, pairing: int) -> bool:
    """Cancel the pods of a pairing; return True if none had begun, else change nothing."""
    connection.execute(_void, {"of": of, "made_by": pairing})
    return connection.execute(_begun, {"of": of, "pairing": pairing}).first() is None


def part_from_table(connection: Connection, table_id: int) -> None:
    """Detach a pod from its table before the table is deleted."""
    connection.execute(_apart, {"gone": table_id})


def carry(connection: Connection, pod: int, entrant: int, new: int) -> None:
    """Replace the player of an entrant with another one who has not entered the tournament."""
    of = connection.execute(_tournament_of_pod, {"pod": pod}).scalar()
    if connection.execute(_is_in, {"of": of, "player": new}).first() is None:
        connection.execute(_carry, {"of": of, "entrant": entrant, "player_id": new})
        connection.execute(_renamed_one, {"of": of})


def listed(connection: Connection, most: int, skip: int) -> list[TournamentRow]:
    """Return the tournaments in the lobby, newest first, finished ones last."""
    found = connection.execute(_listed, {"most": most, "skip": skip})
    return [_row(connection, row) for row in found]


def of_player(connection: Connection, player: int, most: int) -> list[TournamentRow]:
    """Return the tournaments that a player organises or has entered, newest first, finished ones
    last.
    """
    found = connection.execute(_mine, {"player": player, "most": most})
    return [_row(connection, row) for row in found]


def run_in(connection: Connection, club: int, most: int) -> list[TournamentRow]:
    """Return the tournaments that members of a club organise and that have not ended, newest first,
    including those that are not for the club.
    """
    found = connection.execute(_run_in_club, {"club": club, "most": most})
    return [_row(connection, row) for row in found]


def running_by(connection: Connection, player: int) -> int:
    """Return the number of tournaments that a player organises and that have not ended."""
    return connection.execute(_running_by, {"player": player}).scalar_one()
