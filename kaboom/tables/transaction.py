"""A change to a table in progress: seats are freed, matches begin, and moves are played."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from msgspec import Raw

from kaboom.db.ids import Ids
from kaboom.engine.codec import to_json
from kaboom.engine.continued_match import Origin, begun, came_from, heard_before
from kaboom.engine.engine import find, step
from kaboom.engine.fairness.commitment import commitment, match_key, places_drawn
from kaboom.engine.fairness.hash_chain import digest_of, linked
from kaboom.engine.i18n import gettext as _
from kaboom.engine.log_replay import LogReplay
from kaboom.engine.moves import CLOCK, Move, NotOnOffer, Seat
from kaboom.engine.options import seating_of
from kaboom.engine.play import Event
from kaboom.engine.rng import Rng
from kaboom.engine.takeback import VERB as TAKE_BACK
from kaboom.engine.views import Outcome
from kaboom.errors import InvalidState
from kaboom.tables import hooks, match_queries, queries, takeback
from kaboom.tables.bot_runner import memory as bot_memory
from kaboom.tables.change import TableChange
from kaboom.tables.match_record import frame
from kaboom.tables.position import Position
from kaboom.tables.shared_deals import queries as shared_deal_queries
from kaboom.tables.shared_deals import same_deal
from kaboom.tables.shared_deals.service import note_results, seed_of
from kaboom.tables.snapshot import TableSnapshot
from kaboom.tables.spectators.views import agree_on_hands
from kaboom.tables.table import Occupant, Table


@dataclass(frozen=True, slots=True)
class Deal:
    """What a match begins with: occupants, seed, cuts and seats drawn by lot; lists are by seat."""

    chairs: Sequence[Occupant]
    seed: bytes
    cuts: Sequence[str]
    drawn: Sequence[int]  # the previous seat of the player now in each seat, if drawn by lot


class TableTransaction(TableChange):
    """A change to a table, with the operations on its match: begin, move, end."""

    @property
    def version(self) -> int:
        """Return the version that the table will have after the commit."""
        return self.row.version + 1

    def committed(self) -> TableSnapshot:
        """Return the table as it will be after the commit."""
        row = self.row._replace(**self.columns)
        return replace(
            self.snapshot,
            version=self.version,
            touched_at=self.now,
            listed=row.listed,
            locked=bool(row.password),
            frozen=self.frozen if self.table.playing else "",
            mended=False,
        )

    def freeze(self, why: str) -> None:
        """Freeze the match for good; `why` is in English, for gettext()."""
        self.table.frozen = why
        self.become(frozen=why, position=replace(self.position, seats=0))

    def empty(self, seat: Seat, kind: str = "") -> None:
        """Free a seat; with `kind`, log a line of that kind as the reason. If the host leaves, the
        next person becomes the host.
        """
        table = self.table
        occupant = table.occupant(seat)
        table.chairs[seat] = None
        if kind:
            self.tell(kind, who=occupant.name)
        people = [other.player for _unused, other in table.sitting() if other.player is not None]
        if occupant.player == table.host and people:
            table.host = people[0]
        if not people:
            self.columns["listed"] = False  # an empty table is not listed

    def begin(self, origin: Origin | None = None, hidden: bool = False) -> None:
        """Deal the next match to the seated players; in a rematch another player begins.

        With an `origin`, the match continues from there instead, with the same seats. With
        `hidden`, only its players can find its record. Hooks raise InvalidState if a tournament
        table has already played its match.
        """
        table, game = self.table, self.game
        # 1. The seats and the source of the cards are determined.
        wished = origin is None and table.same_deal is not None
        if wished:
            origin, hidden = same_deal.agreed(self)
        options = table.options_of(game)
        deal = self._drawn_up(seating_of(options), origin)
        # 2. The players are seated; the log of the last match is cleared.
        self._seat(deal)
        self.tell("table.started", match=table.match)
        if deal.drawn:
            self.tell("table.drawn", names=table.seats)
        if wished and origin is None:
            self.tell("table.not_same")
        table.origin, table.same_deal = came_from(origin), None
        # 3. Settings that depend on the players' consent are fixed for this match.
        for settle in hooks.before_deal:
            settle(self)
        agree_on_hands(self)
        # 4. The match is stored in the database.
        self._add_match(deal, origin, hidden)
        # 5. Timers, premoves and memories of the last match are cleared.
        table.clear_moves()
        for occupant in deal.chairs:
            occupant.begin_match()
        # 6. The seed of the next match is chosen, and this match is dealt.
        table.chain = table.commitment = commitment(deal.seed)
        key = match_key(deal.seed, deal.cuts)
        self.become(seed=deal.seed, key=key, frozen="")
        promise(table, self.ids)
        table.memories = bot_memory.fresh(table, game, key, origin)
        if origin is not None:
            table.hear(heard_before(game, len(deal.chairs), options, origin), game.words)
            self.tell("table.again" if origin.as_it_was else "table.on", step=origin.step)
        dealt = begun(game, len(deal.chairs), options, key, bool(table.board), origin)
        self.take(dealt.state, dealt.events)

    def _drawn_up(self, seating: str, origin: Origin | None) -> Deal:
        """Return the occupants, seed and cuts of the next match, whose seed was chosen beforehand.

        In a match that continues another one, the seats do not change; if it continues “as it was”,
        the seed and the cuts are also the same.
        """
        table = self.table
        chairs = [occupant for _unused, occupant in table.sitting()]
        if table.board:  # without cuts, and with the seats as assigned
            return Deal(chairs, seed_of(self.connection, table.board), [""] * len(chairs), [])
        if origin is not None and origin.as_it_was:
            return Deal(chairs, bytes.fromhex(origin.seed), origin.cuts, [])
        if table.match and origin is None:
            chairs = chairs[1:] + chairs[:1]
        seed = table.next_seed or self.ids.seed()  # tables from older versions have none
        cuts = [occupant.cut for occupant in chairs]
        drawn = [] if origin is not None else places_drawn(seed, cuts, seating)
        if drawn:
            chairs, cuts = [chairs[it] for it in drawn], [cuts[it] for it in drawn]
        return Deal(chairs, seed, cuts, drawn)

    def _seat(self, deal: Deal) -> None:
        """Seat the players and reset the table for a match that is about to be dealt."""
        table = self.table
        free = len(table.chairs) - len(deal.chairs)
        table.chairs = [*deal.chairs, *([None] * free)]
        table.seats = [occupant.name for occupant in deal.chairs]
        table.levels = [occupant.level if occupant.bot else "" for occupant in deal.chairs]
        table.match += 1
        table.before, table.record = table.record, self.ids.code()
        table.playing, table.seq, table.outcome = True, 0, None
        table.frozen, table.thought = "", {}
        table.told, table.whispered, table.acted = [], {}, {}  # the last match's log

    def _add_match(self, deal: Deal, origin: Origin | None, hidden: bool) -> None:
        """Store the new match and its players."""
        table, game = self.table, self.game
        table.match_id = queries.add_match(
            self.connection,
            {
                "code": table.record,
                "table_id": self.row.id,
                "club_id": queries.club_of(self.connection, self.row.id) if table.club else None,
                "number": table.match,
                "game": game.key,
                "game_version": game.version,
                "options": bytes(table.options).decode(),
                "names": to_json(table.seats).decode(),
                "seed": deal.seed,
                "cuts": to_json(deal.cuts).decode(),
                "started_at": self.now,
                "ended_at": None,
                "outcome": None,
                "digest": None,
                "hidden": hidden,
                "levels": to_json(table.levels if any(table.levels) else []).decode(),
                "drawn": to_json(deal.drawn).decode(),
                "hands": table.hands,
                "board": table.board,
                "origin": origin,
            },
        )
        for seat, occupant in enumerate(deal.chairs):
            if occupant.player is not None:
                queries.add_match_player(self.connection, table.match_id, seat, occupant.player)

    def come_back(self, seat: Seat) -> None:
        """Give a seat back to a player who has left or has been replaced by a bot."""
        occupant = self.table.occupant(seat)
        occupant.lapsed = 0
        if self.table.covered.pop(seat, None) is not None:
            for what, _unused in self.table.day_clocks():
                if what.seat == seat:
                    del self.table.timers[str(what)]  # their next decision gets its full time
        if occupant.present and not occupant.stand_in:
            return
        if occupant.stand_in:
            occupant.stand_in = False
            self.table.memories.pop(seat, None)
        was_here, occupant.present = occupant.present, True
        # The table logs the return only if the game has not logged it itself.
        if was_here or not self.clock_move(Move(CLOCK, "return", (str(seat),))):
            self.tell("table.back", who=occupant.name, seat=seat)

    def clock_move(self, move: Move) -> bool:
        """Play a move of the clock if the game offers it; return True if it was played."""
        if self.frozen:
            return False
        try:
            find(self.game, self.state, move, listeners=self.position.listeners)
        except NotOnOffer:
            return False
        self.play(move, f"house {self.table.seq + 1}")
        return True

    def play(self, move: Move, cmd: str, token: str | None = None) -> None:
        """Check the move against the rules, append it to the log and apply its effects."""
        self.require_not_frozen()
        assert self.key is not None
        rng, before = Rng(self.key, self.table.seq + 1), self.position
        done = step(self.game, self.state, move, rng, token, before.listeners)
        self._log(move, cmd)
        self.take(done.state, done.events)
        takeback.note(self.table, move, rng.drawn, done.events, before, self.position)

    def require_not_frozen(self) -> None:
        """Raise InvalidState if the match is frozen."""
        if self.frozen:
            raise InvalidState(_("This match cannot continue.") + " " + _(self.frozen))

    def take_back(self, seat: Seat, number: int, cmd: str) -> None:
        """Take back a seat's last move; raises NotOnOffer if that is not possible.

        The match is replayed from its log. The takeback is appended to the log; nothing is deleted.
        """
        self.require_not_frozen()
        table, game, before = self.table, self.game, self.position
        last = takeback.require_last(table, seat, number)
        assert self.key is not None
        match = queries.match(self.connection, table.match_id)
        assert match is not None
        move = Move(seat, TAKE_BACK, (str(number),))
        log = queries.log(self.connection, table.match_id)[: table.seq]
        texts = [row.text for row in log]
        course = LogReplay(game, match.begun(game).state, self.key, [*texts, str(move)])
        for text in texts:
            course.play(text)
        _unused, done = course.play(str(move))
        self._log(move, cmd)
        table.memories = {}  # rebuilt from the log, without this move
        self.take(done.state, done.events)
        table.timers = (
            last.deadlines | table.timers
        )  # the deadlines from before the move, which have kept running
        takeback.forget(table, seat, done.events, before, self.position)
        table.back[seat] = table.back[seat][:-1]

    def _log(self, move: Move, cmd: str) -> None:
        """Append a move to the log."""
        table = self.table
        assert self.key is not None
        number = table.seq + 1
        table.chain = linked(self.key, table.chain, number, cmd, str(move), self.now)
        queries.add_move(
            self.connection,
            {
                "match_id": table.match_id,
                "seq": number,
                "cmd": cmd,
                "text": str(move),
                "at": self.now,
                "chain": table.chain,
            },
        )
        table.seq = number
        self.moves += 1

    def take(self, state: Any, events: Sequence[Event]) -> None:
        """Replace the state: log its events, pass them to bots and hooks, and end the match if it
        is over.
        """
        table, game = self.table, self.game
        self.become(position=Position(game, state, len(table.seats)))
        table.state = Raw(to_json(state))
        table.hear(events, game.words)
        bot_memory.notice(table, game, events)
        outcome = game.outcome(state)
        for follow in hooks.after_events:
            follow(self, events, outcome)
        if outcome is not None:
            self.end(outcome)

    def stop(self, places: Sequence[int] = ()) -> None:
        """End the match regardless of the rules, with these places or without a result."""
        self.tell("table.stopped")
        seats = len(self.table.seats)
        if self.frozen:
            self.table.state, self.table.frozen = Raw(b"null"), ""
            self.become(position=Position(self.game, None), frozen="")
        self.end(Outcome((0,) * seats, tuple(places) or (1,) * seats, "stopped"))

    def end(self, outcome: Outcome) -> None:
        """Store the outcome of the match; no more moves can be played in it."""
        table = self.table
        # 1. The table is no longer playing.
        table.outcome, table.playing = outcome, False
        table.clear_moves()
        table.paused, table.vote = False, None
        self.become(position=replace(self.position, seats=0))
        if not table.by_house:  # tables set up by the server play only one match
            self.tell("table.over")
        # 2. The record is closed.
        self._close_record(outcome)
        # 3. Whatever else depends on the outcome is updated.
        note_results(self, outcome)
        for follow in hooks.after_match:
            follow(self, outcome)
        # 4. Players who have left or handed over to a bot are removed, so that a rematch does not
        # wait for them. A player alone with bots keeps no one waiting.
        alone = table.alone_with_bots()
        for seat, occupant in table.sitting():
            if alone and occupant.present:
                occupant.stand_in = False
            elif not occupant.present or occupant.stand_in:
                self.empty(seat)

    def _close_record(self, outcome: Outcome) -> None:
        """Store the outcome of the match and the digest of its record."""
        digest = None
        if self.key is not None:  # otherwise the seed is damaged and there is no record
            match = queries.match(self.connection, self.table.match_id)
            assert match is not None
            board = shared_deal_queries.board(self.connection, match.board) if match.board else None
            fields = frame(match, self.table.chain, self.now, outcome, board)
            digest = digest_of(self.key, fields)
        match_queries.close_match(
            self.connection,
            self.table.match_id,
            ended_at=self.now,
            outcome=to_json(outcome).decode(),
            digest=digest,
            places=outcome.places if outcome.winners else (),
        )


def promise(table: Table, ids: Ids) -> None:
    """Choose and store the seed of the table's next match, to which the table is then bound, and
    give every person a new cut.

    A table with a shared deal plays a single match, whose seed was chosen with the board.
    """
    if table.board:
        return
    table.next_seed = ids.seed()
    for _unused, occupant in table.sitting():
        occupant.cut = "" if occupant.bot else ids.cut()
