"""A table in the middle of a change: chairs are freed, matches begin, moves are played."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from msgspec import Raw

from kaboom.accounts.names import told_apart
from kaboom.db.ids import Lots
from kaboom.engine.bots.bot import Level
from kaboom.engine.bots.names import named
from kaboom.engine.codec import from_json, to_json
from kaboom.engine.engine import find, start, step
from kaboom.engine.hash_chain import digest_of, linked
from kaboom.engine.i18n import say
from kaboom.engine.log_replay import Course
from kaboom.engine.moves import CLOCK, Move, NotOnOffer, Seat
from kaboom.engine.options import seating_of
from kaboom.engine.play import Event
from kaboom.engine.rng import Chance, commitment, match_key, places_drawn
from kaboom.engine.takeback import VERB as TAKE_BACK
from kaboom.engine.takeback import not_taken_back
from kaboom.engine.views import Outcome
from kaboom.errors import InvalidState
from kaboom.tables import hooks, match_queries, queries
from kaboom.tables import takeback as taking_back
from kaboom.tables.bots import memory as bot_memory
from kaboom.tables.change import TableChange
from kaboom.tables.match_record import frame
from kaboom.tables.position import Position
from kaboom.tables.shared_deals import queries as shared_deal_queries
from kaboom.tables.shared_deals.service import note_results, seed_of
from kaboom.tables.snapshot import TableSnapshot
from kaboom.tables.spectators.views import agree_on_hands
from kaboom.tables.table import Chair, Table


@dataclass(frozen=True, slots=True)
class Deal:
    """Who sits where in a match, and what its cards are derived from; all by seat."""

    chairs: Sequence[Chair]
    seed: bytes
    cuts: Sequence[str]
    drawn: Sequence[int]  # the place each of them had before, where the seats were drawn by lot


class TableTransaction(TableChange):
    """A change of a table, with everything that can happen at one: matches begin, move on, end."""

    @property
    def version(self) -> int:
        """The version of the table once this is committed."""
        return self.row.version + 1

    def committed(self) -> TableSnapshot:
        """Return the table as it will be once this is committed."""
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
        """Keep the match from ever going on; `why` is in English, for say()."""
        self.table.frozen = why
        self.become(frozen=why, position=replace(self.position, seats=0))

    def empty(self, seat: Seat, kind: str = "") -> None:
        """Free a chair; `kind` (of AROUND) says why. A host is succeeded by the next person."""
        table = self.table
        chair = table.chair(seat)
        table.chairs[seat] = None
        if kind:
            self.tell(kind, who=chair.name)
        people = [other.player for _, other in table.sitting() if other.player is not None]
        if chair.player == table.host and people:
            table.host = people[0]
        if not people:
            self.columns["listed"] = False  # nobody is there to be found

    def begin(self) -> None:
        """Deal the next match to those who are seated; in a rematch somebody else begins.

        Raises InvalidState where a table of a tournament has had its match.
        """
        table, game = self.table, self.game
        # 1. Who sits where, and what the cards are derived from.
        options = from_json(bytes(table.options), game.options)
        deal = self._drawn_up(seating_of(options))
        # 2. They take their seats; the log of the last match is cleared.
        self._seat(deal)
        self.tell("table.started", match=table.match)
        if deal.drawn:
            self.tell("table.drawn", names=table.seats)
        # 3. What players asked for before the deal is settled for this match.
        for settle in hooks.before_deal:
            settle(self)
        agree_on_hands(self)
        # 4. The match is in the store.
        self._add_match(deal)
        # 5. Nothing is left of the last match: timers, plans, memories.
        table.clear_moves()
        for chair in deal.chairs:
            chair.begin_match()
        table.memories = bot_memory.fresh(table, game)
        # 6. The next seed is promised, and this one is dealt.
        table.chain = table.commitment = commitment(deal.seed)
        key = match_key(deal.seed, deal.cuts)
        self.become(seed=deal.seed, key=key, frozen="")
        promise(table, self.lots)
        dealt = start(game, len(deal.chairs), options, key, bool(table.board))
        self.take(dealt.state, dealt.events)

    def _drawn_up(self, seating: str) -> Deal:
        """Return how the next match is dealt, by the seed that was promised for it."""
        table = self.table
        chairs = [chair for _, chair in table.sitting()]
        if table.match:
            chairs = chairs[1:] + chairs[:1]
        if table.board:  # nobody cuts, and all sit where they were put
            return Deal(chairs, seed_of(self.connection, table.board), [""] * len(chairs), [])
        seed = table.next_seed or self.lots.seed()  # a table older than promised seeds
        cuts = [chair.cut for chair in chairs]
        drawn = places_drawn(seed, cuts, seating)
        if drawn:
            chairs, cuts = [chairs[it] for it in drawn], [cuts[it] for it in drawn]
        return Deal(chairs, seed, cuts, drawn)

    def _seat(self, deal: Deal) -> None:
        """Seat the players and reset the table for a match that is about to be dealt."""
        table = self.table
        free = len(table.chairs) - len(deal.chairs)
        table.chairs = [*deal.chairs, *([None] * free)]
        table.seats = [chair.name for chair in deal.chairs]
        table.levels = [chair.level if chair.bot else "" for chair in deal.chairs]
        table.match += 1
        table.before, table.record = table.record, self.lots.code()
        table.playing, table.seq, table.outcome = True, 0, None
        table.frozen = ""
        table.told, table.whispered, table.acted = [], {}, {}  # of the last match's seats

    def _add_match(self, deal: Deal) -> None:
        """Store the match that begins, and who plays in it."""
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
                "hidden": False,
                "levels": to_json(table.levels if any(table.levels) else []).decode(),
                "drawn": to_json(deal.drawn).decode(),
                "hands": table.hands,
                "board": table.board,
            },
        )
        for seat, chair in enumerate(deal.chairs):
            if chair.player is not None:
                queries.add_part(self.connection, table.match_id, seat, chair.player)

    def come_back(self, seat: Seat) -> None:
        """Let a player play again who left, or for whom a bot plays; others are left alone."""
        chair = self.table.chair(seat)
        chair.lapsed = 0
        if self.table.covered.pop(seat, None) is not None:
            for what, _ in self.table.day_clocks():
                if what.seat == seat:
                    del self.table.timers[str(what)]  # all their days for what they decide now
        if chair.present and not chair.stand_in:
            return
        if chair.stand_in:
            chair.stand_in = False
            self.table.memories.pop(seat, None)
        was_here, chair.present = chair.present, True
        # What the game tells of it is enough.
        if was_here or not self.clock_move(Move(CLOCK, "return", (str(seat),))):
            self.tell("table.back", who=chair.name)

    def clock_move(self, move: Move) -> bool:
        """Play a move of the clock if the game offers it; say whether it does."""
        if self.frozen:
            return False
        try:
            find(self.game, self.state, move, listeners=self.position.listeners)
        except NotOnOffer:
            return False
        self.play(move, f"house {self.table.seq + 1}")
        return True

    def play(self, move: Move, cmd: str, token: str | None = None) -> None:
        """Judge the move, append it to the log and apply what it leads to."""
        self.require_not_frozen()
        assert self.key is not None
        chance, before = Chance(self.key, self.table.seq + 1), self.position
        done = step(self.game, self.state, move, chance, token, before.listeners)
        self._log(move, cmd)
        self.take(done.state, done.events)
        taking_back.note(self.table, move, chance.drawn, done.events, before, self.position)

    def require_not_frozen(self) -> None:
        """Raise InvalidState when the match cannot go on."""
        if self.frozen:
            raise InvalidState(say("This match cannot go on.") + " " + say(self.frozen))

    def take_back(self, seat: Seat, number: int, cmd: str) -> None:
        """Take a seat's last move back, if it still can be; raises NotOnOffer.

        The match is played again from its log, which goes on: nothing in it is deleted.
        """
        self.require_not_frozen()
        table, game, before = self.table, self.game, self.position
        last = taking_back.last(table, seat)
        if last is None or last.number != number:
            raise not_taken_back()
        assert self.key is not None
        options = from_json(bytes(table.options), game.options)
        dealt = start(game, len(table.seats), options, self.key, bool(table.board))
        move = Move(seat, TAKE_BACK, (str(number),))
        log = queries.log(self.connection, table.match_id)[: table.seq]
        texts = [row.text for row in log]
        course = Course(game, dealt.state, self.key, [*texts, str(move)])
        for text in texts:
            course.play(text)
        _, done = course.play(str(move))
        self._log(move, cmd)
        table.memories = {}  # rebuilt from the log, in which this move no longer counts
        self.take(done.state, done.events)
        table.timers = last.deadlines | table.timers  # its time has run on meanwhile
        taking_back.forget(table, seat, done.events, before, self.position)
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
        """Take over a new state: log its events, let bots notice them, and end what is over."""
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
        """End the match, whatever the rules say: with these places so far, or without a result."""
        self.tell("table.stopped")
        seats = len(self.table.seats)
        if self.frozen:
            self.table.state, self.table.frozen = Raw(b"null"), ""
            self.become(position=Position(self.game, None), frozen="")
        self.end(Outcome((0,) * seats, tuple(places) or (1,) * seats, "stopped"))

    def end(self, outcome: Outcome) -> None:
        """Note how the match ended; no more moves can be played in it."""
        table = self.table
        # 1. The table is free.
        table.outcome, table.playing = outcome, False
        table.clear_moves()
        table.paused, table.vote = False, None
        self.become(position=replace(self.position, seats=0))
        if not table.by_house:  # nothing else is played there
            self.tell("table.over")
        # 2. Nothing can be added to the record.
        self._close_record(outcome)
        # 3. Whatever else depends on how it ended.
        note_results(self, outcome)
        for follow in hooks.after_match:
            follow(self, outcome)
        # 4. A rematch does not wait for players who left.
        for seat, chair in table.sitting():
            if not chair.present or chair.stand_in:
                self.empty(seat)

    def _close_record(self, outcome: Outcome) -> None:
        """Store how the match ended, and the hash over its whole record."""
        digest = None
        if self.key is not None:  # otherwise the seed is damaged, and no record can be shown
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


def seat_bot(table: Table, seat: Seat, level: Level = Level.NORMAL) -> str:
    """Seat a bot that plays at a level on a free chair; return its name."""
    others = [chair.name for _, chair in table.sitting()]
    name = told_apart(named(level, others), others)
    table.chairs[seat] = Chair(name, ready=True, level=level)
    return name


def promise(table: Table, lots: Lots) -> None:
    """Fix the seed of the table's next match, and give every person a fresh cut.

    A table of a board has a single match, whose deal is promised elsewhere.
    """
    if table.board:
        return
    table.next_seed = lots.seed()
    for _, chair in table.sitting():
        chair.cut = "" if chair.bot else lots.cut()
