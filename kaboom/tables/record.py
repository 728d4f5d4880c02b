"""A match from its record: rebuilt from seed, options and move log, and compared with the cache."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection

from kaboom.core.chance import commitment, match_key
from kaboom.core.codec import from_json, to_json
from kaboom.core.engine import replay
from kaboom.games import GAMES
from kaboom.store import queries
from kaboom.store.database import Database
from kaboom.store.sealing import Unreadable
from kaboom.tables.draft import linked
from kaboom.tables.loaded import Loaded
from kaboom.tables.service import Tables


@dataclass(frozen=True, slots=True)
class Check:
    """What a replay found: `moves` replayed, and what is wrong in sentences (none: all is well)."""

    moves: int
    wrong: list[str]


def check(tables: Tables, code: str) -> Check:
    """Return whether a table's current match is what its log says; raises NoTable."""
    loaded = tables.look(code)
    if not loaded.table.match:
        return Check(0, [])
    try:
        match, log = _record(tables.database, loaded.table.match_id)
    except Unreadable as broken:
        return Check(0, [str(broken)])
    log = [row for row in log if row.seq <= loaded.table.seq]  # it may have gone on meanwhile
    return Check(len(log), list(_differences(loaded, match, log)))


def _record(database: Database, match_id: int) -> tuple[queries.MatchRow, list[queries.MoveRow]]:
    def work(connection: Connection) -> tuple[queries.MatchRow, list[queries.MoveRow]]:
        match = queries.match(connection, match_id)
        assert match is not None
        return match, list(queries.log(connection, match_id))

    return database.read(work)


def _differences(
    loaded: Loaded, match: queries.MatchRow, log: list[queries.MoveRow]
) -> Iterator[str]:
    table = loaded.table
    if [row.seq for row in log] != list(range(1, table.seq + 1)):
        yield f"the log has {len(log)} moves where the table has {table.seq}"
        return
    key = match_key(match.seed, from_json(match.cuts, list))
    chain = commitment(match.seed)
    for row in log:
        chain = linked(key, chain, row.seq, row.cmd, row.text, row.at)
        if chain != row.chain:
            yield f"move {row.seq} is not what was logged: the chain breaks there"
            return
    game = GAMES[match.game]
    if game.version != match.game_version:
        yield f"version {match.game_version} of {game.name} is gone, here is {game.version}"
        return
    options = from_json(match.options, game.options)
    names: list[str] = from_json(match.names, list)
    last: Any = None
    for _, step in replay(game, len(names), options, key, (row.text for row in log)):
        last = step.state
    if to_json(last) != to_json(loaded.state):
        yield "the stored state is not what the moves lead to"
