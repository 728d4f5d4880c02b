"""The tables of a store: people (commands/), bots and the clock all change them through here.

Each change is one transaction: lock and load the table, judge the change, append to the move log,
raise the revisions of those whose view has changed, set the deadline, commit. Then all watchers are
told that something has changed. That may fail: every page asks again by itself.
"""

import logging
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, NamedTuple

from sqlalchemy import Connection

from kaboom.accounts.hooks import load as load_hooks
from kaboom.db.database import Database, Unavailable
from kaboom.db.ids import AT_RANDOM, Lots
from kaboom.db.signals import NOBODY_LISTENS, Signals
from kaboom.db.threads import Full
from kaboom.db.threads import here as at_once
from kaboom.engine.bots.delays import Pace
from kaboom.engine.codec import to_json
from kaboom.engine.engine import timed
from kaboom.engine.i18n import say
from kaboom.engine.moves import Seat
from kaboom.errors import CorruptedTable, RateLimited, TableNotFound
from kaboom.tables import premoves, queries
from kaboom.tables.bots import thinking
from kaboom.tables.cache import Broken, SeenTables
from kaboom.tables.clock import correspondence
from kaboom.tables.clock.due import (
    ClockMove,
    DayClock,
    Planned,
    Reaction,
    Thinking,
    Timed,
    VacationOver,
    VoteLook,
)
from kaboom.tables.clock.table_time import table_time
from kaboom.tables.clock.timers import first_due, kept, soonest, stopped
from kaboom.tables.clock.turns import Turn, to_be_ready, turns
from kaboom.tables.maintenance import recovery_queries
from kaboom.tables.maintenance.recovery import DAMAGED, is_whole
from kaboom.tables.snapshot import PasswordRequired, TableSnapshot, read_snapshot
from kaboom.tables.spectators.views import Pasts, as_viewed
from kaboom.tables.table import Table
from kaboom.tables.transaction import TableTransaction, promise
from kaboom.tables.votes import settle
from kaboom.web.idempotency.service import Command, only_once

log = logging.getLogger(__name__)

FROZEN_FOR = 3600.0  # seconds after which a frozen table is looked at again: its rules may be back


class Result(NamedTuple):
    """What a change of a table came to: the table as it is now, and what there is to tell of it."""

    now: TableSnapshot
    changed: bool
    moves: int = 0
    turns_begun: Sequence[int] = ()  # players


class Tables:
    """All tables of a store.

    `signals` are given after each commit. `now()` is the time in seconds since 1970; `lots` draws
    seeds, cuts and codes. `pace` is how fast bots play at new tables. `here(code)` returns the
    players present at a table; None is unknown, and then everybody seated counts as present.
    Slow work is done elsewhere: bots think by `aside(work, *args)`, and passwords are hashed by
    `hashing(work, *args)`, which raises Full when too many are waiting for that.
    """

    def __init__(
        self,
        database: Database,
        signals: Signals = NOBODY_LISTENS,
        now: Callable[[], float] = time.time,
        pace: Pace = Pace.NATURAL,
        aside: Callable[..., Any] = at_once,
        here: Callable[[str], Collection[int] | None] = lambda code: None,
        hashing: Callable[..., Any] = at_once,
        lots: Lots = AT_RANDOM,
        tournament_tables: int = 120,
    ) -> None:
        self.aside = aside
        self._hashing = hashing
        self.database = database
        self.signals = signals
        self.now = now
        self.pace = pace
        self.here = here
        self.lots = lots
        self.tournament_tables = tournament_tables
        self._pasts = Pasts(database, aside)
        self.seen = SeenTables()
        self.extensions: dict[str, Any] = {}  # what other rooms keep beside the tables
        load_hooks()

    # Looking

    def look(self, code: str, key_hash: str | None = None) -> TableSnapshot:
        """Return the table as the player with that key may find it; raises TableNotFound or
        PasswordRequired.

        This is one small read, unless another worker has changed the table since this one last
        saw it. A browser that has no key passes an empty one; None stands for the server itself,
        which no password keeps out.
        """
        (found,) = self._found(code, [key_hash])
        if isinstance(found, PasswordRequired):
            raise found
        return self._as_viewed(found, key_hash)

    def looks(self, code: str, key_hashes: Sequence[str]) -> list[TableSnapshot | None]:
        """Return the table as each of these players may find it, by one reading of the store.

        It is None for those it is locked to, and for everybody when there is no such table.
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
            else:  # whoever has no seat sees the same
                of_all = of_all or as_viewed(each.asked_by(None, ""), now, self._pasts)
                seen.append(of_all.asked_by(each.player, each.player_name))
        return seen

    def _found(
        self, code: str, key_hashes: Sequence[str | None]
    ) -> list[TableSnapshot | PasswordRequired]:
        """Return what each of these players finds; freeze the match first if its log is damaged."""

        def glances(connection: Connection) -> list[TableSnapshot | PasswordRequired]:
            return self.seen.glances(connection, code, key_hashes)

        try:
            return self.database.read(glances)
        except Broken:
            try:
                self._freeze(code)
            except Unavailable:
                self.seen.unchecked(code)  # so that the next caller looks again
                raise
            return self.database.read(glances)

    def found_by(self, changed: TableSnapshot, player: int | None, name: str) -> TableSnapshot:
        """Return a table that was just changed as the player who changed it may see it."""
        return as_viewed(changed.asked_by(player, name), self.now(), self._pasts)

    def _as_viewed(self, found: TableSnapshot, key_hash: str | None) -> TableSnapshot:
        return found if key_hash is None else as_viewed(found, self.now(), self._pasts)

    def revision(self, code: str, key_hash: str | None = None) -> int:
        """Return the asking viewer's view revision; raises TableNotFound or PasswordRequired."""
        snapshot = self.look(code, key_hash)
        return snapshot.table.revision(snapshot.me)

    def _freeze(self, code: str) -> None:
        """Freeze a match whose log is damaged: nobody could verify it afterwards."""

        def work(transaction: TableTransaction) -> None:
            table = transaction.table
            if table.playing and not is_whole(
                transaction.connection, table, transaction.seed, transaction.key
            ):
                log.error("table %s: the log of its match is damaged, so it is frozen", code)
                transaction.freeze(DAMAGED)

        self.change(code, work)

    def hash_aside(self, work: Callable[..., Any], *args: Any) -> Any:
        """Return work(*args), done where passwords are hashed, which takes time.

        Raises RateLimited when too many are already waiting for that.
        """
        try:
            return self._hashing(work, *args)
        except Full:
            sentence = say("Many passwords are being checked just now. Please try again shortly.")
            raise RateLimited(sentence) from None

    # What is due

    def lapse(self, code: str) -> bool:
        """Do the first thing that is due at a table; return whether this call did it.

        Deadline and effect are one transaction, so it happens once whichever worker is alive.
        """
        try:
            seen = self.look(code)
        except CorruptedTable:
            self._put_off(code)
            return False
        if seen.frozen:
            self._put_off(code)
            return False
        what = first_due(seen.table, seen.table_time(self.now()))
        if seen.mended or isinstance(what, VacationOver):
            self.change(code, lambda transaction: None)  # its timers start again, or somebody's
            return True
        if what is None:
            return False
        does = self._prepared(seen, what)
        did = False

        def work(transaction: TableTransaction) -> None:
            nonlocal did
            table = transaction.table
            # If somebody was faster, what is due now will be looked at afresh.
            did = (table.match, table.seq) == (seen.table.match, seen.table.seq) and (
                first_due(table, transaction.table_time) == what
            )
            if did:
                does(transaction)

        done = self.change(code, work)
        timer = seen.table.timers.get(str(what))  # votes and vacations have none
        due = timer.due if timer else None
        if did and due is not None:
            self.signals.late(done.table_time(self.now()) - due)
        return did

    def _prepared(
        self, seen: TableSnapshot, what: Timed | VoteLook
    ) -> Callable[[TableTransaction], None]:
        """Return a function that does a due thing in a transaction, which must be short.

        So whatever may take a while is done here, beforehand: a bot thinks, and other processes may
        have to be asked who is present.
        """
        match what:
            case VoteLook():
                present = self.here(seen.code)
                return lambda transaction: settle(transaction, present)
            case ClockMove():
                return lambda transaction: transaction.play(
                    what.move, f"clock {transaction.table.seq + 1}"
                )
            case Planned():
                return lambda transaction: premoves.play(transaction, what)
            case DayClock():
                _, move = thinking.think(self.database, self.aside, seen, what)
                return lambda transaction: correspondence.lapse(transaction, seen, what, move)
            case Thinking() | Reaction():
                memory, move = thinking.think(self.database, self.aside, seen, what)
                return lambda transaction: thinking.play(transaction, seen, what, memory, move)

    def _put_off(self, code: str) -> None:
        """Do not look at a table that cannot go on for a while."""

        def work(connection: Connection) -> None:
            now = self.table_time(connection)
            recovery_queries.put_off(connection, code, now, now + FROZEN_FOR)

        self.database.write(work)

    def due(self, most: int = 50) -> list[str]:
        """Return the codes of tables where something is due, longest overdue first."""
        return self.database.read(lambda c: queries.due(c, self.table_time(c), most))

    def due_in(self) -> float | None:
        """Return in how many seconds something is due next at any table, or None."""

        def work(connection: Connection) -> float | None:
            due = queries.next_due(connection)
            return None if due is None else due - self.table_time(connection)

        return self.database.read(work)

    def table_time(self, connection: Connection) -> float:
        """Return the time in which deadlines are counted (kaboom.tables.clock.table_time)."""
        return table_time(queries.pulse_now(connection), self.now())

    # The one way in

    def change(
        self, code: str, work: Callable[[TableTransaction], None], once: Command | None = None
    ) -> TableSnapshot:
        """Do `work` on a table in one transaction, tell the watchers, return the table.

        `once`: a command that was done before is not done again. Raises TableNotFound.
        """

        def attempt(connection: Connection) -> Result:
            row = queries.table(connection, code, lock=True)
            if row is None:
                raise TableNotFound(code)
            read = read_snapshot(connection, row, self.seen.last(code))
            transaction = TableTransaction(connection, row, read, self.now(), self.lots)
            turns_before = read.table.turns
            if row.days:
                correspondence.note_vacations(transaction)
            if read.mended and not read.table.next_seed:
                promise(read.table, self.lots)

            def worked() -> str:
                work(transaction)
                return ""  # only_once keeps an answer, and a change of a table has none

            only_once(connection, once, transaction.now, worked)
            self._finish(transaction)
            return self._saved(transaction, read, turns_before)

        done = self.database.write(attempt)
        if done.changed:
            self._tell(done)
        return done.now

    def _saved(
        self, transaction: TableTransaction, read: TableSnapshot, turns_before: Mapping[Seat, Turn]
    ) -> Result:
        """Write the table, if it is not as it was read; return what the change came to."""
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
        """Keep a table as it is now, and tell everybody who listens what has changed."""
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
        if table.paused:  # whoever it waits for then is called when it goes on
            table.turns = {}
        elif table.opens:
            table.turns = to_be_ready(table.turns, table.awaited(), number, transaction.now)
        elif position.prompts or table.turns:
            table.turns = turns(table.turns, position.prompts, number, transaction.now)
        if table.days:
            correspondence.keep_in_order(transaction)
        if position.seats:
            planned = premoves.waiting(table, position, transaction.key) if table.plans else {}
            table.timers = (
                stopped(table.timers, transaction.table_time)
                if table.paused
                else kept(
                    table,
                    timed(position.listeners),
                    position.prompts,
                    transaction.table_time,
                    lambda own, race: thinking.pace(transaction, own, race),
                    lambda seat: thinking.reacts(transaction, seat),
                    planned,
                )
            )
        table.note_views(position)


def turns_begun(table: Table, before: Mapping[Seat, Turn]) -> list[int]:
    """Return the players whose turn it is now and was not before."""
    if table.turns is before:
        return []
    players = [
        table.chair(seat).player
        for seat, turn in table.turns.items()
        if seat not in before or before[seat].number != turn.number
    ]
    return [player for player in players if player is not None]
