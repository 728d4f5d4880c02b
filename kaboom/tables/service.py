"""Open, sit, start, submit, lapse, leave: people, bots and the clock all come through here.

Each change is one transaction: lock and load the table, judge, append to the move log, move the
revisions of those whose view changed, set the deadline, commit. Then all watchers are told that
something changed. That may fail: every page asks again by itself.
"""

import logging
import time
from collections import OrderedDict
from collections.abc import Callable, Collection
from contextlib import suppress
from dataclasses import replace
from typing import Any

from msgspec import Raw
from sqlalchemy import Connection

from kaboom.core.chance import Chance
from kaboom.core.codec import from_json, to_json
from kaboom.core.engine import random_move, timed
from kaboom.core.game import Game
from kaboom.core.language import say, say_counted
from kaboom.core.moves import CLOCK, Move, NotOnOffer, Seat, TooLate
from kaboom.core.views import Prompt
from kaboom.games import GAMES
from kaboom.store import queries, recovery
from kaboom.store.database import Busy, Database
from kaboom.store.threads import Full
from kaboom.store.threads import here as at_once
from kaboom.tables.commands import Command, only_once
from kaboom.tables.conditions import (
    must_be_free,
    must_be_host,
    must_be_open,
    must_be_played,
    must_be_readable,
    must_be_taken,
    must_sit,
)
from kaboom.tables.errors import Damaged, Locked, NoTable, NotNow, NotYours, TooOften
from kaboom.tables.lots import AT_RANDOM, Lots
from kaboom.tables.names import cleaned, told_apart
from kaboom.tables.passwords import hash_of
from kaboom.tables.position import Position
from kaboom.tables.recovery import DAMAGED, is_whole
from kaboom.tables.signals import NOBODY_LISTENS, Signals
from kaboom.tables.snapshot import TableSnapshot, read_snapshot
from kaboom.tables.spectators import Pasts, as_viewed
from kaboom.tables.stand_in import remembered
from kaboom.tables.table import LOG_LINES, VIEWERS, Chair, Done, Table, Timer, is_bots, seat_in
from kaboom.tables.table_clock import table_time
from kaboom.tables.timers import VOTE, first_due, kept, may_have_more, soonest, stopped
from kaboom.tables.transaction import TableTransaction, memory_of, promise, seat_bot
from kaboom.tables.votes import settle

log = logging.getLogger(__name__)

CACHED_TABLES = 2000
FROZEN_FOR = 3600.0  # seconds after which a frozen table is looked at again: its rules may be back
LONGEST_CUT = 60  # characters


class Broken(Exception):
    """The log of a running match is not what it was."""


class Tables:
    """All tables of a store. `signals` are given after each commit; `now()` is the time, and `lots`
    are drawn for seeds, cuts and codes.

    `bot_seconds` is how long a bot seems to think, at least and at most; `aside(work, *args)` is
    where it really thinks, so that nobody waits for it; `hashing(work, *args)` is where passwords
    are hashed, and raises Full when too many are waiting there. `here(code)` are the players
    present at a table now; None means unknown, and everybody seated counts as present.
    """

    def __init__(
        self,
        database: Database,
        signals: Signals = NOBODY_LISTENS,
        now: Callable[[], float] = time.time,
        bot_seconds: tuple[float, float] = (1.0, 2.5),
        aside: Callable[..., Any] = at_once,
        here: Callable[[str], Collection[int] | None] = lambda code: None,
        hashing: Callable[..., Any] = at_once,
        lots: Lots = AT_RANDOM,
    ) -> None:
        self.aside = aside
        self._hashing = hashing
        self.database = database
        self.signals = signals
        self.now = now
        self.bot_seconds = bot_seconds
        self.here = here
        self.lots = lots
        self._pasts = Pasts(database, aside)
        self._cache: OrderedDict[str, TableSnapshot] = OrderedDict()
        self._whole: dict[str, int] = {}  # matches whose log was checked, by table

    # Looking

    def look(self, code: str, key_hash: str | None = None) -> TableSnapshot:
        """Return the table as the player with that key may find it; raises NoTable or Locked.

        One small read, unless another worker changed the table since this one last saw it. A
        browser without a key passes an empty one; None is the house itself, which no password keeps
        out.
        """
        seen = self._cache.get(code)

        def glance(connection: Connection) -> TableSnapshot:
            glanced = queries.glance(connection, code, key_hash or "")
            if glanced is None:
                raise NoTable(code)
            version, player, name, let_in, chat, pulse = glanced
            now = seen
            outages = pulse.outages if pulse else 0
            if now is None or (now.version, now.table.outages) != (version, outages):
                row = queries.table(connection, code)
                if row is None:
                    raise NoTable(code)
                now = self._keep(read_snapshot(connection, row))
            if key_hash is not None and self._is_damaged(connection, now):
                raise Broken
            if key_hash is not None and not let_in:
                raise Locked(now)
            return replace(now, player=player, player_name=name or "", chat=chat, pulse=pulse)

        try:
            found = self.database.read(glance)
        except Broken:
            try:
                self._freeze(code)
            except Busy:
                self._whole.pop(code, None)  # so that the next caller looks again
                raise
            found = self.database.read(glance)
        return found if key_hash is None else as_viewed(found, self.now(), self._pasts)

    def revision(self, code: str, key_hash: str | None = None) -> int:
        """Return the asking viewer's view revision; raises NoTable or Locked."""
        snapshot = self.look(code, key_hash)
        return snapshot.table.revision(snapshot.me)

    def _is_damaged(self, connection: Connection, now: TableSnapshot) -> bool:
        """Say whether the log of a running match is not what it was; a process checks once."""
        table = now.table
        if not table.playing or now.frozen or now.mended:
            return False
        if self._whole.get(now.code) == table.match_id:
            return False
        self._whole[now.code] = table.match_id
        return not is_whole(connection, table, now.seed, now.key)

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

    def _keep(self, snapshot: TableSnapshot) -> TableSnapshot:
        known = self._cache.get(snapshot.code)
        if known is None or _age(known) < _age(snapshot):
            self._cache[snapshot.code] = snapshot
        self._cache.move_to_end(snapshot.code)
        while len(self._cache) > CACHED_TABLES:
            self._whole.pop(self._cache.popitem(last=False)[0], None)
        return snapshot

    # People

    def player(self, key_hash: str, name: str) -> tuple[int, str]:
        """Return id and cleaned name of the player with that key, stored or renamed as needed.

        Raises NotNow when nothing readable is left of the name.
        """
        name = must_be_readable(name)

        def work(connection: Connection) -> tuple[int, str]:
            known = queries.acting(connection, key_hash, self.now())
            if known is None:
                return queries.add_player(connection, key_hash, name, self.now()), name
            if known[1] != name:
                queries.rename(connection, known[0], name)
            return known[0], name

        return self.database.write(work)

    def knows(self, key_hash: str) -> bool:
        """Say whether a player has that key."""
        found = self.database.read(lambda connection: queries.player(connection, key_hash))
        return found is not None

    def tables_of(self, key_hash: str, most: int = 10) -> list[TableSnapshot]:
        """Return the tables a player last sat at, newest first."""

        def work(connection: Connection) -> list[str]:
            known = queries.player(connection, key_hash)
            return queries.tables_of(connection, known[0], most) if known else []

        found = []
        for code in self.database.read(work):
            with suppress(NoTable):  # damaged, or removed at this very moment
                found.append(self.look(code, key_hash))
        return [snapshot for snapshot in found if snapshot.me is not None]

    # Before a match

    def open(
        self,
        key: str,
        options: Any,
        player: int,
        name: str,
        bots: int = 0,
        listed: bool = False,
        password: str = "",
        once: Command | None = None,
    ) -> str:
        """Open a table for a game, its host in the first chair; return its code.

        `listed`: is it shown in the lobby? Raises NotNow when more bots are asked for than there
        are chairs or the password is too long, and TooOften.
        """
        game = GAMES[key]
        most = game.seats(options)[-1]
        if not 0 <= bots < most:
            raise NotNow(
                say_counted(
                    "There is room for {count} bot at most.",
                    "There is room for {count} bots at most.",
                    most - 1,
                )
            )
        table = Table(
            chairs=[Chair(name, player), *([None] * (most - 1))],
            options=Raw(to_json(options)),
            host=player,
        )
        for _ in range(bots):
            seat_bot(table, table.free()[0])
        promise(table, self.lots)
        code = self.lots.code()
        table.note_views(Position(game, None))
        now = self.now()
        hashed = self.hash_aside(hash_of, password) if password else ""

        def opened(connection: Connection) -> str:
            values = {
                "code": code,
                "game": key,
                "match_id": None,
                "version": 1,
                "due_at": None,
                "body": to_json(table),
                "listed": listed,
                "password": hashed,
                "talk": 0,
                "created_at": now,
                "touched_at": now,
            }
            table_id = queries.add_table(connection, values)
            queries.sit(connection, player, table_id)
            return code

        return self.database.write(
            lambda connection: only_once(connection, once, now, lambda: opened(connection))
        )

    def hash_aside(self, work: Callable[..., Any], *args: Any) -> Any:
        """Return work(*args), done where passwords are hashed, which takes time.

        Raises TooOften when too many are already waiting for that.
        """
        try:
            return self._hashing(work, *args)
        except Full:
            sentence = say("Many passwords are being checked just now. Please try again shortly.")
            raise TooOften(sentence) from None

    def sit(self, code: str, player: int, name: str, seat: Seat | None = None) -> TableSnapshot:
        """Give a player a chair (a free one of the player's choice, else the first).

        Before the first match a seated player may move to another free chair. A player who left in
        the middle of a match comes back to the same seat. Raises NotNow.
        """

        def work(transaction: TableTransaction) -> None:
            table = transaction.table
            mine = table.seat_of(player)
            if mine is not None and (table.match or seat in (None, mine)):
                transaction.come_back(mine)
                return
            must_be_free(table, seat)
            free = table.free()
            if mine is not None and seat is not None:
                table.chairs[seat], table.chairs[mine] = table.chairs[mine], None
                return
            others = [chair.name for _, chair in table.sitting()]
            unique = told_apart(name, others)
            if all(chair.player != table.host for _, chair in table.sitting()):
                table.host = player  # everybody had left
            table.chairs[free[0] if seat is None else seat] = Chair(
                unique, player, cut=self.lots.cut()
            )
            table.shown_out = [other for other in table.shown_out if other != player]
            queries.sit(transaction.connection, player, transaction.row.id)
            transaction.tell("table.sat", who=unique)

        return self.change(code, work)

    def add_bot(
        self, code: str, player: int, seat: Seat | None = None, once: Command | None = None
    ) -> TableSnapshot:
        """Seat a bot on a free chair; any player at the table may ask. Raises NotNow."""

        def work(transaction: TableTransaction) -> None:
            table = transaction.table
            must_sit(table, player)
            must_be_open(table)
            free = table.free()
            if not free or (seat is not None and seat not in free):
                raise NotNow(say("That chair is taken." if free else "Every chair is taken."))
            name = seat_bot(table, free[0] if seat is None else seat)
            transaction.tell("table.bot", who=name)

        return self.change(code, work, once)

    def remove(self, code: str, player: int, seat: Seat, name: str = "") -> TableSnapshot:
        """Empty a chair before the match; the host only.

        `name` is whom the host means; without it, whoever sits there. Raises NotYours or NotNow.
        """

        def work(transaction: TableTransaction) -> None:
            table = transaction.table
            must_be_host(table, player)
            must_be_open(table)
            chair = must_be_taken(table, seat)
            if name and name != chair.name:
                raise NotNow(say("Somebody else sits there now."))
            if chair.player not in (None, player):
                table.shown_out = [*table.shown_out, chair.player][-VIEWERS:]
            transaction.empty(seat, "table.left" if chair.player == player else "table.removed")

        return self.change(code, work)

    def leave(self, code: str, player: int) -> TableSnapshot:
        """Leave the table: the chair is freed, or during a match the house plays for it."""

        def work(transaction: TableTransaction) -> None:
            table = transaction.table
            seat = must_sit(table, player)
            chair = table.chairs[seat]
            assert chair is not None
            if not table.playing:
                transaction.empty(seat, "table.left")
            elif chair.present:
                chair.present = False
                transaction.tell("table.away", who=chair.name)
                transaction.clock_move(Move(CLOCK, "leave", (str(seat),)))

        return self.change(code, work)

    def ready(self, code: str, player: int, ready: bool = True) -> TableSnapshot:
        """Mark a player as ready; when everyone seated is, and they are enough, the match starts.

        After a match this is the rematch: the same people, seats moved on by one.
        """

        def work(transaction: TableTransaction) -> None:
            table = transaction.table
            seat = must_sit(table, player)
            must_be_open(table)
            chair = table.chairs[seat]
            assert chair is not None
            if ready and not chair.ready:
                transaction.tell("table.ready", who=chair.name)
            chair.ready = ready
            people = [chair for _, chair in table.sitting() if not chair.bot]
            if all(chair.ready for chair in people) and _why_not(transaction.game, table) is None:
                transaction.begin()

        return self.change(code, work)

    def cut(self, code: str, player: int, cut: str) -> TableSnapshot:
        """Let a player cut the next shuffle with any text (none: a random one). Raises NotNow."""

        def work(transaction: TableTransaction) -> None:
            chair = transaction.table.chairs[must_sit(transaction.table, player)]
            assert chair is not None
            must_be_open(transaction.table)
            chair.cut = cleaned(cut, LONGEST_CUT) or self.lots.cut()

        return self.change(code, work)

    def start(self, code: str, player: int, once: Command | None = None) -> TableSnapshot:
        """Start the match now, whoever is ready; the host only. Raises NotYours or NotNow."""

        def work(transaction: TableTransaction) -> None:
            if transaction.table.host != player and not self._host_away(transaction, player):
                raise NotYours(say("Only the host can start without waiting for the others."))
            must_be_open(transaction.table)
            if (sentence := _why_not(transaction.game, transaction.table)) is not None:
                raise NotNow(sentence)
            transaction.begin()

        return self.change(code, work, once)

    # In a match

    def submit(
        self, code: str, player: int, move: str, token: str, cmd: str, match: int, revision: int
    ) -> TableSnapshot:
        """Play a person's move: "bid KS", without the seat, which follows from the player.

        `token` is the offer's, `cmd` the form's command id, `match` and `revision` those of the
        page. A form sent twice is one move. Raises NotYours, TooLate, NotOnOffer or IllegalMove;
        then nothing has changed.
        """

        def work(transaction: TableTransaction) -> None:
            table = transaction.table
            seat = must_sit(table, player)
            if match != table.match:
                raise TooLate(say("Too late: that match is over."))
            made = Move.parse(f"{seat} {move}")
            own_cmd = f"{seat} {cmd}"  # nobody can use up another's, or the house's
            done = queries.move_by_cmd(transaction.connection, table.match_id, own_cmd)
            if done is not None:
                if done[1] == str(made):
                    return
                raise TooLate(say("You have already moved from that page. Here is the table now."))
            if not table.playing:
                raise TooLate(say("Too late: the match is over."))
            if table.paused:
                raise NotNow(say("The match is paused. Agree to go on first."))
            transaction.come_back(seat)
            try:
                transaction.play(made, own_cmd, token)
            except NotOnOffer:
                if revision != table.revision(seat):
                    raise TooLate(say("Too late: the table has moved on. Look again.")) from None
                raise
            table.acted[seat] = table.heard.get(str(seat), 0)
            if (chair := table.chairs[seat]) is not None:
                chair.done = []

        return self.change(code, work)

    def play_hosts_move(self, code: str, player: int, move: str, match: int) -> TableSnapshot:
        """Play a move of the house that the game lets the host ask for: "fix_rounds 2".

        Raises NotYours for anyone but the host, else NotNow, TooLate, NotOnOffer or IllegalMove.
        """

        def work(transaction: TableTransaction) -> None:
            table = transaction.table
            must_be_host(table, player)
            must_be_played(table)
            if match != table.match:
                raise TooLate(say("Too late: that match is over."))
            made = Move.parse(f"{CLOCK} {move}")
            if made.verb not in transaction.game.hosts:
                raise NotOnOffer(say("That cannot be done now."))
            transaction.play(made, f"house {table.seq + 1}")

        return self.change(code, work)

    def hand_over(self, code: str, player: int) -> TableSnapshot:
        """Let a bot play for a player until they take over again. Raises NotYours or NotNow.

        The bot knows what the seat was told, and nothing else.
        """

        def work(transaction: TableTransaction) -> None:
            chair = transaction.table.chairs[must_sit(transaction.table, player)]
            assert chair is not None
            must_be_played(transaction.table)
            if not chair.stand_in:
                chair.stand_in = True
                transaction.tell("table.handed", who=chair.name)

        return self.change(code, work)

    def take_over(self, code: str, player: int) -> TableSnapshot:
        """Let a player who left, or for whom a bot played, take over again. Raises NotYours or
        NotNow.
        """

        def work(transaction: TableTransaction) -> None:
            seat = must_sit(transaction.table, player)
            must_be_played(transaction.table)
            transaction.come_back(seat)

        return self.change(code, work)

    def more_time(self, code: str, player: int) -> TableSnapshot:
        """Give everybody the same time again for the decisions now timed; once per decision.

        Anyone seated may ask, whether or not it is their decision, so that asking gives nothing
        away. Raises NotYours or NotNow.
        """

        def work(transaction: TableTransaction) -> None:
            table = transaction.table
            chair = table.chairs[must_sit(table, player)]
            assert chair is not None
            timers = [timer for timer in table.timers.values() if may_have_more(timer)]
            if not timers:
                raise NotNow(say("You cannot get more time for this."))
            for timer in timers:
                timer.more = True
                if timer.due is not None:
                    timer.due += timer.given
                if timer.left is not None:
                    timer.left += timer.given
            transaction.tell("table.more", who=chair.name)

        return self.change(code, work)

    def lapse(self, code: str) -> bool:
        """Do the first thing that is due at a table; return whether this call did it.

        Deadline and effect are one transaction, so it happens once whichever worker is alive.
        """
        try:
            seen = self.look(code)
        except Damaged:
            self._put_off(code)
            return False
        if seen.frozen:
            self._put_off(code)
            return False
        if seen.mended:
            self.change(code, lambda transaction: None)  # its timers start again
            return True
        text = first_due(seen.table, seen.table_time(self.now()))
        if text is None:
            return False
        # A bot thinks before the transaction begins: thinking may take a while.
        present = self.here(code) if text == VOTE else None
        memory, thought = self._think(seen, text) if is_bots(text) else (None, None)
        did = False

        def work(transaction: TableTransaction) -> None:
            nonlocal did
            did = False
            table = transaction.table
            if (table.match, table.seq) != (seen.table.match, seen.table.seq):
                return  # somebody was faster; what is due now will be looked at afresh
            if first_due(table, transaction.table_time) != text:
                return
            did = True
            if text == VOTE:
                settle(transaction, present)
                return
            if memory is not None:
                table.memories[seat_in(text)] = memory
            if not is_bots(text):
                transaction.play(Move.parse(f"{CLOCK} {text}"), f"clock {table.seq + 1}")
            elif thought is None:
                table.timers[text] = Timer(0.0)  # spent: not asked again until its prompt changes
            else:
                del table.timers[text]
                self._done_for(transaction, seen, thought)
                transaction.play(thought, f"bot {table.seq + 1}")

        done = self.change(code, work)
        due = seen.table.timers[text].due if text != VOTE else None
        if did and due is not None:
            self.signals.late(done.table_time(self.now()) - due)
        return did

    def _put_off(self, code: str) -> None:
        """Leave a table that cannot go on alone for a while."""

        def work(connection: Connection) -> None:
            now = self._table_time(connection)
            recovery.put_off(connection, code, now, now + FROZEN_FOR)

        self.database.write(work)

    def _think(self, seen: TableSnapshot, text: str) -> tuple[Raw | None, Move | None]:
        """Return the move of a bot whose thinking time is over (None: it lets the chance go by).

        A bot that has just been given somebody's seat first goes through the log for what that seat
        heard; its memory is then returned too.
        """
        seat, bot, memory = seat_in(text), seen.game.bot, None
        if bot is not None and memory_of(seen.table, seen.game, seat) is None:
            match_id = seen.table.match_id
            rows = self.database.read(lambda connection: queries.log(connection, match_id))
            moves = [row.text for row in rows if row.seq <= seen.table.seq]
            memory = self.aside(remembered, seen, moves, seat)
        return memory, self.aside(_thought, seen, seat, memory)

    @staticmethod
    def _done_for(transaction: TableTransaction, seen: TableSnapshot, move: Move) -> None:
        """Keep a bot's move for the person in whose name it was made, if any."""
        chair = transaction.table.chairs[move.seat]
        if chair is not None and chair.stand_in:
            offer = seen.prompts[move.seat].offer(move.verb)
            done = Done(move.verb, move.choices, offer.about if offer else "")
            chair.done = [*chair.done, done][-LOG_LINES:]

    def due(self, most: int = 50) -> list[str]:
        """Return the codes of tables where something is due, longest overdue first."""
        return self.database.read(lambda c: queries.due(c, self._table_time(c), most))

    def due_in(self) -> float | None:
        """Return in how many seconds something is due next at any table, or None."""

        def work(connection: Connection) -> float | None:
            soonest = queries.next_due(connection)
            return None if soonest is None else soonest - self._table_time(connection)

        return self.database.read(work)

    def _table_time(self, connection: Connection) -> float:
        return table_time(queries.pulse_now(connection), self.now())

    # The one way in

    def change(
        self, code: str, work: Callable[[TableTransaction], None], once: Command | None = None
    ) -> TableSnapshot:
        """Do `work` on a table in one transaction, tell the watchers, return the table.

        `once`: a command that was done before is not done again.
        """

        def attempt(connection: Connection) -> tuple[TableSnapshot, bool, int, list[int]]:
            row = queries.table(connection, code, lock=True)
            if row is None:
                raise NoTable(code)
            read = read_snapshot(connection, row)
            transaction = TableTransaction(connection, row, read, self.now(), self.lots)
            if read.mended and not read.table.next_seed:
                promise(read.table, self.lots)

            def worked() -> str:
                work(transaction)
                return ""

            only_once(connection, once, transaction.now, worked)
            self._finish(transaction)
            body = to_json(transaction.table)
            if body == row.body and not transaction.columns:
                return read, False, 0, []
            due_at = (
                transaction.table_time + FROZEN_FOR
                if transaction.frozen
                else soonest(transaction.table)
            )
            values = {
                "body": body,
                "version": row.version + 1,
                "match_id": transaction.table.match_id or None,
                "due_at": due_at,
                "touched_at": transaction.now,
                **transaction.columns,
            }
            queries.save_table(connection, row.id, values)
            begun = _turns_begun(transaction.table, read.position, transaction.position)
            return transaction.committed(row.version + 1), True, transaction.moves, begun

        now, changed, moves, begun = self.database.write(attempt)
        if changed:
            self._keep(now)
            if moves:
                self.signals.moved(now.game.key, moves)
            due = soonest(now.table)
            self.signals.changed(code, None if due is None else due - now.table_time(self.now()))
            if begun:
                self.signals.turns(code, begun)
        return now

    def _finish(self, transaction: TableTransaction) -> None:
        """Set the deadlines and revisions that follow from a change."""
        table, position = transaction.table, transaction.position
        if position.seats:
            table.timers = (
                stopped(table.timers, transaction.table_time)
                if table.paused
                else kept(
                    table,
                    timed(position.listeners),
                    position.prompts,
                    transaction.table_time,
                    lambda own: self._thinking(transaction, own),
                )
            )
        table.note_views(position)

    def _host_away(self, transaction: TableTransaction, player: int) -> bool:
        """Say whether the host is known to be away, so that this player may start instead."""
        sits = transaction.table.seat_of(player) is not None
        here = self.here(transaction.row.code)
        return sits and here is not None and transaction.table.host not in here

    def _thinking(self, transaction: TableTransaction, own: Prompt) -> float:
        """Return the seconds a bot takes; twice as long for what nobody waits for.

        A sealed answer takes none: nobody sees when it comes, and everybody waits for it.
        """
        if own.waited_for and not own.openly_waited_for:
            return 0.0
        assert transaction.key is not None
        least, most = self.bot_seconds
        chance = Chance(transaction.key, transaction.table.seq, f"pace {own.seat}")
        seconds = least + (most - least) * chance.below(1000) / 1000
        return seconds if own.waited_for else 2 * seconds


def _age(snapshot: TableSnapshot) -> tuple[int, int]:
    """Return a number that rises with every change to what is shown of a table."""
    return snapshot.version, snapshot.table.outages


def _turns_begun(table: Table, before: Position, now: Position) -> list[int]:
    """Return the players the table is waiting for now but was not before."""
    if now is before:
        return []
    known = {prompt.seat for prompt in before.prompts if prompt.waited_for}
    waited = [prompt.seat for prompt in now.prompts if prompt.waited_for]
    seats = [seat for seat in waited if seat not in known]
    people = [chair for seat, chair in table.sitting() if seat in seats and not chair.bot]
    return [chair.player for chair in people if chair.player is not None]


def _thought(snapshot: TableSnapshot, seat: Seat, fresh: Raw | None) -> Move | None:
    """Return a bot's move, or None when it lets the chance go by.

    `fresh` is its memory when the table has none for it yet.
    """
    table, game = snapshot.table, snapshot.game
    own = snapshot.prompts[seat]
    assert snapshot.key is not None
    chance = Chance(snapshot.key, table.seq + 1, f"bot {seat}")
    move = None
    if game.bot is not None:
        memory = memory_of(table, game, seat)
        if fresh is not None:
            memory = from_json(bytes(fresh), game.bot.memory)
        move = game.bot.choose(memory, snapshot.position.view(seat), own, chance)
    if move is None and own.waited_for:
        move = random_move(game, snapshot.state, seat, chance)
    return move


def _why_not(game: Game[Any], table: Table) -> str | None:
    """Return in a sentence why the match cannot start with those seated here, or None."""
    options = from_json(bytes(table.options), game.options)
    count, possible = len(table.sitting()), game.seats(options)
    if count < possible[0]:
        return say(
            "{game} needs {count} players. Invite friends or add bots.",
            game=game.name,
            count=possible[0],
        )
    return game.why_not(options, count)
