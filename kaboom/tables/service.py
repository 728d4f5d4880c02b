"""The table service, through which people, bots and the clock change tables.

Each change is one transaction: lock and load the table, check the change, append to the move log,
raise the revisions of viewers whose view has changed, set the deadline, commit. Then open pages are
told to reload. A lost notification does no harm, since every page also polls.
"""

import logging
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, NamedTuple

from sqlalchemy import Connection

from kaboom.db.database import Database, Unavailable
from kaboom.db.ids import AT_RANDOM, Ids
from kaboom.db.signals import NOBODY_LISTENS, Signals
from kaboom.db.threads import Full
from kaboom.db.threads import here as at_once
from kaboom.engine.bots.delays import Pace
from kaboom.engine.codec import to_json
from kaboom.engine.engine import timed
from kaboom.engine.i18n import gettext as _
from kaboom.engine.moves import Seat
from kaboom.errors import CorruptedTable, RateLimited, TableNotFound
from kaboom.features import load_hooks
from kaboom.tables import premoves, queries
from kaboom.tables.bot_runner import delays
from kaboom.tables.cache import Broken, TableCache
from kaboom.tables.clock import correspondence
from kaboom.tables.clock.due import prepared
from kaboom.tables.clock.table_time import table_time
from kaboom.tables.clock.timer_kinds import VacationOver
from kaboom.tables.clock.timers import banks_after, first_due, kept, soonest, stopped
from kaboom.tables.clock.whose_turn import Turn, to_be_ready, turns
from kaboom.tables.maintenance.recovery import DAMAGED, is_whole
from kaboom.tables.snapshot import PasswordRequired, TableSnapshot, read_snapshot
from kaboom.tables.spectators.views import Pasts, as_viewed
from kaboom.tables.table import Table
from kaboom.tables.transaction import TableTransaction, promise
from kaboom.web.idempotency.service import IdempotencyKey, run_once

log = logging.getLogger(__name__)

FROZEN_FOR = 3600.0  # seconds until a frozen table is tried again: its rules may be back


class Result(NamedTuple):
    """The result of a change: the new table, and what to announce."""

    now: TableSnapshot
    changed: bool
    moves: int = 0
    turns_begun: Sequence[int] = ()  # players


class TableService:
    """Reads and changes the tables of one database.

    `signals` are sent after each commit. `now()` is the time in seconds since 1970; `ids` generates
    seeds, cuts and codes. `pace` is the speed of bots at new tables. `here(code)` returns the
    players present at a table, or None if that is unknown, in which case every seated player counts
    as present. Slow work runs in other threads: bots think in `run_in_thread(work, *args)`, and
    passwords are hashed in `hashing(work, *args)`, which raises Full if too many are waiting.
    """

    def __init__(
        self,
        database: Database,
        signals: Signals = NOBODY_LISTENS,
        now: Callable[[], float] = time.time,
        pace: Pace = Pace.NATURAL,
        run_in_thread: Callable[..., Any] = at_once,
        here: Callable[[str], Collection[int] | None] = lambda code: None,
        hashing: Callable[..., Any] = at_once,
        ids: Ids = AT_RANDOM,
        tournament_tables: int = 120,
    ) -> None:
        self.run_in_thread = run_in_thread
        self._hashing = hashing
        self.database = database
        self.signals = signals
        self.now = now
        self.pace = pace
        self.here = here
        self.ids = ids
        self.tournament_tables = tournament_tables
        self._pasts = Pasts(database, run_in_thread)
        self.seen = TableCache()
        self.extensions: dict[str, Any] = {}  # data of other rooms
        load_hooks()

    # Reading

    def get(self, code: str, key_hash: str | None = None) -> TableSnapshot:
        """Return the table as the player with that key may see it; raises TableNotFound or
        PasswordRequired.

        This takes one small query, unless another worker has changed the table since this one last
        read it. A browser without a key passes an empty one. The key None stands for the server
        itself, which sees the whole table without a password.
        """
        (found,) = self._found(code, [key_hash])
        if isinstance(found, PasswordRequired):
            raise found
        return found if key_hash is None else as_viewed(found, self.now(), self._pasts)

    def get_many(self, code: str, key_hashes: Sequence[str]) -> list[TableSnapshot | None]:
        """Return the table as each of these players may see it, with one read of the database.

        An entry is None for a player who has not given the table's password. All entries are None
        if there is no such table.
        """
        try:
            found = self._found(code, key_hashes)
        except TableNotFound:
            return [None] * len(key_hashes)
        now, of_all, seen = self.now(), None, list[TableSnapshot | None]()
        for each in found:
            if isinstance(each, PasswordRequired):
                seen.append(None)
            elif each.me is not None:
                seen.append(as_viewed(each, now, self._pasts))
            else:  # all viewers without a seat see the same
                of_all = of_all or as_viewed(each.asked_by(None, ""), now, self._pasts)
                seen.append(of_all.asked_by(each.player, each.player_name))
        return seen

    def _found(
        self, code: str, key_hashes: Sequence[str | None]
    ) -> list[TableSnapshot | PasswordRequired]:
        """Return the table for each player; freeze its match first if the log is damaged."""

        def work(connection: Connection) -> list[TableSnapshot | PasswordRequired]:
            return self.seen.fetch(connection, code, key_hashes)

        try:
            return self.database.read(work)
        except Broken:
            try:
                self._freeze(code)
            except Unavailable:
                self.seen.unchecked(code)  # so that the next call checks it again
                raise
            return self.database.read(work)

    def found_by(self, changed: TableSnapshot, player: int | None, name: str) -> TableSnapshot:
        """Return a table after a change, as the player who changed it may see it."""
        return as_viewed(changed.asked_by(player, name), self.now(), self._pasts)

    def revision(self, code: str, key_hash: str | None = None) -> int:
        """Return the viewer's view revision; raises TableNotFound or PasswordRequired."""
        snapshot = self.get(code, key_hash)
        return snapshot.table.revision(snapshot.me)

    def _freeze(self, code: str) -> None:
        """Freeze a match whose log is damaged, since it could not be verified afterwards."""

        def work(transaction: TableTransaction) -> None:
            table = transaction.table
            if table.playing and not is_whole(
                transaction.connection, table, transaction.snapshot.seed, transaction.key
            ):
                log.error("table %s: frozen because its match log is damaged", code)
                transaction.freeze(DAMAGED)

        self.change(code, work)

    def hash_in_thread(self, work: Callable[..., Any], *args: Any) -> Any:
        """Return work(*args), called in a thread for hashing passwords.

        Raises RateLimited if too many calls are waiting.
        """
        try:
            return self._hashing(work, *args)
        except Full:
            sentence = _("Many passwords are being checked right now. Please try again shortly.")
            raise RateLimited(sentence) from None

    # What is due

    def run_due(self, code: str) -> bool:
        """Handle the first due item of a table; return True if this call handled it.

        The check of the deadline and the effect are one transaction, so only one worker handles the
        item, and only once.
        """
        try:
            seen = self.get(code)
        except CorruptedTable:
            self._put_off(code)
            return False
        if seen.frozen:
            self._put_off(code)
            return False
        what = first_due(seen.table, seen.table_time(self.now()))
        if seen.mended or isinstance(what, VacationOver):
            self.change(code, lambda transaction: None)  # restarts its timers, or a player's clock
            return True
        if what is None:
            return False
        carry_out = prepared(seen, what, self.database, self.run_in_thread, self.here)
        did = False

        def work(transaction: TableTransaction) -> None:
            nonlocal did
            table = transaction.table
            # If a player was faster, the due items are read again.
            did = (table.match, table.seq) == (seen.table.match, seen.table.seq) and (
                first_due(table, transaction.table_time) == what
            )
            if did:
                carry_out(transaction)

        done = self.change(code, work)
        timer = seen.table.timers.get(str(what))  # votes and vacations have none
        due = timer.due if timer else None
        if did and due is not None:
            self.signals.late(done.table_time(self.now()) - due)
        return did

    def _put_off(self, code: str) -> None:
        """Postpone what is due at a table that cannot continue, by FROZEN_FOR."""

        def work(connection: Connection) -> None:
            now = self.table_time(connection)
            queries.put_off(connection, code, now, now + FROZEN_FOR)

        self.database.write(work)

    def due(self, most: int = 50) -> list[str]:
        """Return the codes of tables with a due item, longest overdue first."""
        return self.database.read(lambda c: queries.due(c, self.table_time(c), most))

    def due_in(self) -> float | None:
        """Return the seconds until the next item is due at any table, or None."""

        def work(connection: Connection) -> float | None:
            due = queries.next_due(connection)
            return None if due is None else due - self.table_time(connection)

        return self.database.read(work)

    def table_time(self, connection: Connection) -> float:
        """Return the current table time, in which deadlines are given
        (kaboom.tables.clock.table_time).
        """
        return table_time(queries.pulse_now(connection), self.now())

    # The single entry point for changes

    def change(
        self,
        code: str,
        work: Callable[[TableTransaction], None],
        idempotency_key: IdempotencyKey | None = None,
    ) -> TableSnapshot:
        """Apply `work` to a table in one transaction, notify its viewers, and return the table.

        A command whose `idempotency_key` is known is not repeated. Raises TableNotFound.
        """

        def attempt(connection: Connection) -> Result:
            row = queries.table(connection, code, lock=True)
            if row is None:
                raise TableNotFound(code)
            read = read_snapshot(connection, row, self.seen.last(code))
            transaction = TableTransaction(connection, row, read, self.now(), self.ids)
            turns_before = read.table.turns
            if row.days:
                correspondence.note_vacations(transaction)
            if read.mended and not read.table.next_seed:
                promise(read.table, self.ids)

            def worked() -> str:
                work(transaction)
                return ""  # run_once stores a result, and a change to a table has none

            run_once(connection, idempotency_key, transaction.now, worked)
            self._finish(transaction)
            return self._saved(transaction, read, turns_before)

        done = self.database.write(attempt)
        if done.changed:
            self._tell(done)
        return done.now

    def _saved(
        self, transaction: TableTransaction, read: TableSnapshot, turns_before: Mapping[Seat, Turn]
    ) -> Result:
        """Write the table if it has changed; return the result of the change."""
        table, row = transaction.table, transaction.row
        body = to_json(table)
        if body == row.body and not transaction.columns:
            return Result(read, changed=False)
        frozen_until = transaction.table_time + FROZEN_FOR
        values = {
            "body": body,
            "version": transaction.version,
            "match_id": table.match_id or None,
            "due_at": frozen_until if transaction.frozen else soonest(table),
            "touched_at": transaction.now,
            **transaction.columns,
        }
        queries.save_table(transaction.connection, row.id, values)
        begun = turns_begun(table, turns_before)
        return Result(transaction.committed(), True, transaction.moves, begun)

    def _tell(self, done: Result) -> None:
        """Cache the changed table and send its signals."""
        now = done.now
        self.seen.keep(now)
        if done.moves:
            self.signals.moved(now.game.key, done.moves)
        due = soonest(now.table)
        self.signals.changed(now.code, None if due is None else due - now.table_time(self.now()))
        if done.turns_begun:
            self.signals.turns(now.code, done.turns_begun)

    def _finish(self, transaction: TableTransaction) -> None:
        """Set the deadlines and revisions that follow from a change."""
        table, position = transaction.table, transaction.position
        number = transaction.version
        if table.paused:  # players are notified when the match continues
            table.turns = {}
        elif table.opens:
            table.turns = to_be_ready(table.turns, table.awaited(), number, transaction.now)
        elif position.prompts or table.turns:
            table.turns = turns(table.turns, position.prompts, number, transaction.now)
        if table.days:
            correspondence.keep_in_order(transaction)
        if position.seats:
            planned = premoves.waiting(table, position, transaction.key) if table.plans else {}
            now = transaction.table_time
            timers = (
                stopped(table.timers, now)
                if table.paused
                else kept(
                    table,
                    timed(position.listeners),
                    position.prompts,
                    now,
                    lambda own, race: delays.move_delay(transaction, own, race),
                    lambda seat: delays.reaction_delay(transaction, seat),
                    planned,
                )
            )
            if table.bank:
                table.banks = banks_after(table, timers, now)
            table.timers = timers
        table.note_views(position)


def turns_begun(table: Table, before: Mapping[Seat, Turn]) -> list[int]:
    """Return the ids of the players whose turn has begun with a change."""
    if table.turns is before:
        return []
    players = [
        table.occupant(seat).player
        for seat, turn in table.turns.items()
        if seat not in before or before[seat].number != turn.number
    ]
    return [player for player in players if player is not None]
