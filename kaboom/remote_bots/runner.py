"""Asks remote bots for their moves, in a background thread of each worker.

One worker at a time handles a seat. It holds a lease, which expires if the worker is killed. The
call is made outside any transaction. The move is then submitted like any player's, so a late move
has no effect.
"""

import logging
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from kaboom.db.database import Unavailable
from kaboom.engine.moves import Move, Refusal
from kaboom.engine.views import Prompt
from kaboom.errors import TableNotFound
from kaboom.remote_bots import calling
from kaboom.remote_bots import queries as store
from kaboom.remote_bots.calling import Answer
from kaboom.remote_bots.queries import BotRow, CallRow, SeatRow
from kaboom.table_page import service as match_service
from kaboom.tables import start_match
from kaboom.tables.service import TableService
from kaboom.tables.snapshot import TableSnapshot
from kaboom.web.outgoing.url_policy import UrlPolicy

log = logging.getLogger(__name__)

EVERY = 0.5  # seconds between two polls
RARELY = 5.0  # … while there are no bots
AT_ONCE = 8  # concurrent calls from one worker
OF_ONE = 2  # … to one bot, so that an unresponsive bot does not delay the others
LOOKS = 100  # seats per poll
LEASE = 20.0  # seconds: longer than DNS lookup, call and move take together
FAILURES = 3  # consecutive failures before a server bot takes over for the match
IN_A_ROW = 50  # decisions at one table before other tables get their turn


class RemoteBots:
    """The thread that plays the seats of remote bots."""

    def __init__(self, tables: TableService, url_policy: UrlPolicy | None = None) -> None:
        self.tables = tables
        self.url_policy = url_policy or UrlPolicy()
        self._stop = threading.Event()
        self._busy: set[tuple[int, str]] = set()  # (bot, table) pairs in progress

    def start(self) -> None:
        """Start the thread (under gevent, a greenlet)."""
        threading.Thread(target=self.run, name="remote bots", daemon=True).start()

    def stop(self) -> None:
        """Stop after the calls in progress."""
        self._stop.set()

    def run(self) -> None:
        """Poll until stopped."""
        with ThreadPoolExecutor(AT_ONCE, "remote bot") as pool:
            while not self._stop.is_set():
                self._stop.wait(self._look(pool))

    def _look(self, pool: ThreadPoolExecutor) -> float:
        """Start handling changed tables; return the seconds until the next poll."""
        try:
            if not self.tables.database.read(store.are_there_any):
                return RARELY
            for seat in self.tables.database.read(lambda c: store.due(c, self.tables.now(), LOOKS)):
                key = seat.bot_id, seat.code
                of_it = sum(number == seat.bot_id for number, _code in self._busy)
                if key not in self._busy and of_it < OF_ONE and len(self._busy) < AT_ONCE:
                    self._busy.add(key)
                    pool.submit(self._see_to, seat, key)
        except Unavailable:  # already logged by the database
            pass
        except Exception:
            log.exception("could not find the bots whose turn it is")
        return EVERY

    def _see_to(self, seat: SeatRow, key: tuple[int, str]) -> None:
        try:
            self.see_to(seat)
        except Unavailable:  # already logged by the database
            pass
        except Exception:
            log.exception("could not move for a bot")
        finally:
            self._busy.discard(key)

    def see_to(self, seat: SeatRow) -> None:
        """Handle a bot's decisions at a table, unless another worker has the lease."""
        now, database = self.tables.now(), self.tables.database
        held = database.write(lambda c: store.claim(c, seat.bot_id, seat.code, now, now + LEASE))
        bot = database.read(lambda c: store.bot(c, seat.bot_id)) if held else None
        if held is None or bot is None or bot.paused:
            return
        try:
            after = self._decisions(bot, held)
        except Exception as error:
            if not isinstance(error, Unavailable):
                log.exception("a bot at table %s failed", seat.code)
            return  # the lease expires, and the table is then handled again
        if after is None:
            database.write(lambda c: store.leave(c, seat.bot_id, seat.code))
        else:
            database.write(lambda c: store.release(c, after))

    def _decisions(self, bot: BotRow, seat: SeatRow) -> SeatRow | None:
        """Handle a table until it waits for other players; return the updated row, or None if the
        bot no longer sits there.
        """
        for _ in range(IN_A_ROW):
            after = self._one(bot, seat)
            if after is None or after.seen == seat.seen:
                return after
            seat = after
        return seat

    def _one(self, bot: BotRow, seat: SeatRow) -> SeatRow | None:
        """Handle the current state of a table; return the updated row, or None if the bot no longer
        sits there.
        """
        try:
            snapshot = self.tables.get(seat.code)
        except TableNotFound:
            return None
        table, mine = snapshot.table, snapshot.table.seat_of(bot.player_id)
        if mine is None:
            return None
        seen = seat._replace(seen=snapshot.version)
        if not table.playing:
            if not table.occupant(mine).ready:
                self._submit(lambda: start_match.ready(self.tables, seat.code, bot.player_id))
            return seen._replace(failures=0, asked="")
        if table.occupant(mine).stand_in or snapshot.frozen or table.paused:
            return seen
        prompt = snapshot.prompts[mine] if mine < len(snapshot.prompts) else None
        if prompt is None or not prompt.offers or prompt.token == seat.asked:
            return seen
        quick = [it for it in prompt.offers if it.blocks and it.verb in snapshot.game.quick]
        if quick:
            self._play(bot, snapshot, prompt, Move(mine, quick[0].verb))
            return seen
        return self._decided(bot, seen, snapshot, prompt)

    def _decided(
        self, bot: BotRow, seat: SeatRow, snapshot: TableSnapshot, prompt: Prompt
    ) -> SeatRow:
        """Ask the bot and play its move.

        Without a legal move, a random one is played if the table waits for the bot. After FAILURES
        consecutive failures a server bot takes over.
        """
        game = snapshot.game
        answer = calling.decide(bot, snapshot, prompt, self.url_policy)
        self._note(bot, game.key, answer)
        move, failures = answer.move, 0
        if answer.what not in ("moved", "passed"):
            failures = seat.failures + 1
            move = calling.any_move(game, snapshot.state, prompt) if prompt.waited_for else None
        if failures >= FAILURES:
            self._submit(
                lambda: match_service.start_stand_in(self.tables, seat.code, bot.player_id)
            )
            self._note(bot, game.key, Answer("replaced", "", 0.0))
            return seat._replace(failures=0, asked=prompt.token)
        if move is not None:
            self._play(bot, snapshot, prompt, move)
        asked = prompt.token if move is None else ""
        return seat._replace(failures=failures, asked=asked)

    def _play(self, bot: BotRow, snapshot: TableSnapshot, prompt: Prompt, move: Move) -> None:
        offer = prompt.offer(move.verb)
        assert offer is not None
        words, table = " ".join((move.verb, *move.choices)), snapshot.table
        self._submit(
            lambda: match_service.submit(
                self.tables,
                snapshot.code,
                bot.player_id,
                words,
                offer.token,
                f"remote {snapshot.version}",
                table.match,
                table.revision(prompt.seat),
            )
        )

    def _submit(self, work: Callable[[], object]) -> None:
        """Run a command on the bot's behalf; a command that comes too late is logged and
        ignored.
        """
        try:
            work()
        except (Refusal, TableNotFound) as no:
            log.info("a bot's command came too late: %s", no)

    def _note(self, bot: BotRow, game: str, answer: Answer) -> None:
        row = CallRow(self.tables.now(), game, answer.what, answer.seconds, answer.detail[:200])
        self.tables.database.write(lambda c: store.note_call(c, bot.id, row))
