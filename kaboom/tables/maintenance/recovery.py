"""Recovery of a table whose snapshot cannot be read, from its match's log.

Seed, cuts, options, names and moves are authoritative; the match follows from them by the rules.
What is not in the log (votes, a pause, who may watch) is reset to the safest value. A match that
cannot be rebuilt is frozen.
"""

from collections.abc import Callable, Sequence
from typing import Any

from msgspec import DecodeError, Raw
from sqlalchemy import Connection

from kaboom.db.encryption import Unreadable
from kaboom.engine.bots.bot import Level
from kaboom.engine.codec import from_json, to_json
from kaboom.engine.continued_match import came_from
from kaboom.engine.fairness.commitment import commitment
from kaboom.engine.fairness.hash_chain import links
from kaboom.engine.game import Game
from kaboom.engine.i18n import gettext_noop as N_
from kaboom.engine.log_replay import replay_from
from kaboom.engine.moves import CLOCK, Refusal
from kaboom.engine.views import Outcome
from kaboom.tables import match_queries, queries
from kaboom.tables.table import NO_HOST, WATCHED_BY_NOBODY, Occupant, Table

GONE = N_("It began under rules that this server no longer has.")
DAMAGED = N_("Its stored data is damaged.")


# Hooks of other rooms for a rebuilt table; arguments: connection, table and the table's id.
on_rebuild: list[Callable[[Connection, Table, int], None]] = []


class Lost(Exception):
    """A match cannot be rebuilt; str() gives the reason, in English, for gettext()."""


def rebuilt(
    connection: Connection, row: queries.TableRow, game: Game[Any], known: Table | None
) -> tuple[Table, Any]:
    """Return a table with its match rebuilt from the log, and the match's state; raises Lost.

    `known` is the stored table if only the state in it cannot be read.
    """
    match, log = _stored(connection, row, game)
    key = match.key
    if known is not None:
        log = log[: known.seq]  # the log may have grown
    if broken(match.seed, key, log) or (known is not None and known.seq != len(log)):
        raise Lost(DAMAGED)
    table = known or _seated(connection, row, match, log, game)
    state: Any = None
    try:
        steps = replay_from(game, match.begun(game), key, [move.text for move in log])
        for number, (_, done) in enumerate(steps):
            state, table.seq = done.state, number
            if known is None:
                table.hear(done.events, game.words)
    except (Refusal, DecodeError, LookupError, ValueError) as error:
        raise Lost(DAMAGED) from error
    table.state = Raw(to_json(state))
    table.chain = log[-1].chain if log else commitment(match.seed)
    table.memories = {}  # a bot without a memory rebuilds it from the log on its turn
    return table, state


def broken(seed: bytes, key: bytes, log: Sequence[queries.MoveRow]) -> bool:
    """Return True if a log is not as it was written: a row changed, missing or added."""
    expected = enumerate(links(key, commitment(seed), log), start=1)
    return any((row.seq, row.chain) != so for row, so in zip(log, expected, strict=True))


def is_whole(connection: Connection, table: Table, seed: bytes | None, key: bytes | None) -> bool:
    """Return True if the log of a table's match is as it was when its last move was made."""
    if seed is None or key is None:
        return False
    try:
        log = queries.log(connection, table.match_id)[: table.seq]  # the log may have grown
    except Unreadable:
        return False
    chain = log[-1].chain if log else commitment(seed)
    return (len(log), chain) == (table.seq, table.chain) and not broken(seed, key, log)


def _stored(
    connection: Connection, row: queries.TableRow, game: Game[Any]
) -> tuple[queries.MatchRow, Sequence[queries.MoveRow]]:
    if row.match_id is None:
        raise Lost(DAMAGED)
    try:
        match = queries.match(connection, row.match_id)
        log = queries.log(connection, row.match_id)
    except Unreadable as error:
        raise Lost(DAMAGED) from error
    if match is None:
        raise Lost(DAMAGED)
    if match.game_version != game.version:
        raise Lost(GONE)
    return match, log


def _seated(
    connection: Connection,
    row: queries.TableRow,
    match: queries.MatchRow,
    log: Sequence[queries.MoveRow],
    game: Game[Any],
) -> Table:
    """Return a match's table before its deal, with its players seated."""
    players = match_queries.players_of(connection, match.id)
    names: list[str] = from_json(match.names, list)
    most = game.seats(from_json(match.options, game.options))[-1]
    levels: list[str] = from_json(match.levels, list)
    chairs = [
        Occupant(name, players.get(seat), ready=seat not in players, present=True)
        for seat, name in enumerate(names)
    ]
    for occupant, level in zip(chairs, levels, strict=False):
        if level in {*Level}:
            occupant.level = Level(level)
    alone = match.origin is not None and len(players) < 2
    table = Table(
        chairs=[*chairs, *([None] * (most - len(chairs)))],
        options=Raw(match.options.encode()),
        host=NO_HOST if match.board or alone else next(iter(players.values()), 0),
        playing=match.ended_at is None,
        match=match.number,
        match_id=match.id,
        seats=names,
        levels=levels,
        outcome=from_json(match.outcome, Outcome) if match.outcome else None,
        commitment=commitment(match.seed),
        record=match.code,
        watch=WATCHED_BY_NOBODY,  # until the host changes it
        board=match.board,
        origin=came_from(match.origin),
    )
    # No page may see its old revision again. The version is above them all, because no revision has
    # risen more often than the table has changed.
    table.revisions = dict.fromkeys(table.viewers(), row.version)
    for enter in on_rebuild:
        enter(connection, table, row.id)
    _note_who_left(table, log)
    return table


def _note_who_left(table: Table, log: Sequence[queries.MoveRow]) -> None:
    for move in log:
        seat, verb, *choices = move.text.split()
        if seat == str(CLOCK) and verb in ("leave", "return"):
            occupant = table.occupant(int(choices[0]))
            occupant.present = verb == "return"
