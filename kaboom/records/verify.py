"""Verification of a record: its seed, cuts, chain and digest, and its moves by the rules."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from msgspec import UNSET, to_builtins

from kaboom.db.encryption import Unreadable
from kaboom.engine.codec import to_json
from kaboom.engine.fairness.commitment import commitment, places_drawn
from kaboom.engine.fairness.hash_chain import digest_of, links
from kaboom.engine.i18n import gettext_noop as N_
from kaboom.engine.log_replay import LogReplay
from kaboom.games import GAMES
from kaboom.records.replay import Replay, rebuilt
from kaboom.tables import queries
from kaboom.tables.match_record import Record
from kaboom.tables.service import TableService


def checked(record: Record) -> Replay:
    """Return the replay of a record, with the record's faults."""
    replay = rebuilt(record)
    return replace(replay, wrong=[*differences(record), *disagreements(replay)])


def differences(record: Record) -> Iterator[str]:
    """Yield the contradictions within a record, without replaying it; in English, for gettext()."""
    seed = bytes.fromhex(record.seed)
    if commitment(seed) != record.commitment:
        yield N_("The seed is not the one promised before the deal.")
    if record.board is not UNSET and (record.board.seed != seed or any(record.cuts)):
        yield N_("The deal is not the one promised for all tables with these cards.")
    origin = record.came_from
    if origin and origin.as_it_was and record.board is UNSET and origin.key != record.key:
        yield N_("The cards are not those of the match that it continues.")
    if not _drawn_by_lot(record, seed):
        yield N_("The seats do not match the draw.")
    key = record.key
    *_, last = record.commitment, *links(key, record.commitment, record.moves)
    if last != record.chain:
        yield N_("The moves do not match the log: their hash chain is broken.")
    if digest_of(key, to_builtins(record)) != record.digest:
        yield N_("It was changed after it was closed.")


def _drawn_by_lot(record: Record, seed: bytes) -> bool:
    """Return True if the seats are as drawn, or if no seats were to be drawn."""
    cuts = record.cuts or [""] * len(record.names)
    seating = str(record.options.get("seating", "sat"))
    if record.board is not UNSET or record.came_from:  # the seats stay as assigned
        return not record.drawn
    return (record.drawn or []) == places_drawn(seed, cuts, seating)


def disagreements(replay: Replay) -> Iterator[str]:
    """Yield the differences between the replay and the record; in English, for gettext()."""
    if replay.broken:
        yield replay.broken
        return
    stated = replay.record.outcome
    reached = replay.game.outcome(replay.state(replay.last))
    if reached is None and stated.reason == "stopped":
        return  # ended by the players
    if reached is None:
        yield N_("The match is not over after its last move.")
    elif reached != stated:
        yield N_("The result does not follow from the moves.")


@dataclass(frozen=True, slots=True)
class Check:
    """The result of a check: the number of `moves` replayed, and the faults as sentences."""

    moves: int
    wrong: list[str]


def check(tables: TableService, code: str) -> Check:
    """Return the result of replaying a table's current match; raises TableNotFound."""
    snapshot = tables.get(code)
    table = snapshot.table
    if not table.match:
        return Check(0, [])

    def work(connection: Any) -> tuple[queries.MatchRow | None, Sequence[queries.MoveRow]]:
        return queries.match(connection, table.match_id), queries.log(connection, table.match_id)

    try:
        match, log = tables.database.read(work)
    except Unreadable as broken:
        return Check(0, [str(broken)])
    assert match is not None
    log = [row for row in log if row.seq <= table.seq]  # moves may have been added since
    return Check(len(log), list(_wrong(match, log, table.seq, to_json(snapshot.state))))


def _wrong(
    match: queries.MatchRow, log: Sequence[queries.MoveRow], moves: int, last: bytes
) -> Iterator[str]:
    """Yield the faults of a stored match; `last` is its stored state after `moves`."""
    if [row.seq for row in log] != list(range(1, moves + 1)):
        yield f"the log has {len(log)} moves where the table has {moves}"
        return
    for row, chain in zip(log, links(match.key, commitment(match.seed), log), strict=True):
        if chain != row.chain:
            yield f"move {row.seq} is not what was logged: the chain breaks there"
            return
    game = GAMES[match.game]
    if game.version != match.game_version:
        yield f"{game.name} now has version {game.version}, not {match.game_version}"
        return
    course = LogReplay(game, match.begun(game).state, match.key, [row.text for row in log])
    for row in log:
        course.play(row.text)
    if to_json(course.state) != last:
        yield "the stored state is not what the moves lead to"
