"""A table in the middle of a change: chairs are freed, matches begin, moves are played."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from msgspec import DecodeError, Raw
from sqlalchemy import Connection

from kaboom.bots.characters import named
from kaboom.core.bot import Level
from kaboom.core.chance import Chance, commitment, match_key, places_drawn
from kaboom.core.codec import from_json, to_json
from kaboom.core.course import Course
from kaboom.core.engine import find, start, step
from kaboom.core.game import Game
from kaboom.core.language import say
from kaboom.core.moves import CLOCK, Move, NotOnOffer, Seat
from kaboom.core.options import seating_of
from kaboom.core.play import Event
from kaboom.core.taking_back import VERB as TAKE_BACK
from kaboom.core.taking_back import too_late
from kaboom.core.views import Outcome
from kaboom.store import boards, clubs, queries, records
from kaboom.store.ratings import note_gone
from kaboom.tables import backs, banter, pods, ratings
from kaboom.tables.boards import GONE, result_of, seed_of
from kaboom.tables.errors import NotNow
from kaboom.tables.history.chain import digest_of, linked
from kaboom.tables.history.record import frame
from kaboom.tables.lots import Lots
from kaboom.tables.names import told_apart
from kaboom.tables.position import Position
from kaboom.tables.snapshot import TableSnapshot
from kaboom.tables.table import AROUND, Chair, Table


@dataclass
class TableTransaction:
    """A change of a table: nothing of it is kept unless the transaction commits.

    `snapshot` is the table as read at first, and then as it has become so far.
    """

    connection: Connection
    row: queries.TableRow
    snapshot: TableSnapshot
    now: float
    lots: Lots
    moves: int = 0  # made in this change
    columns: dict[str, Any] = field(default_factory=dict)  # of the table's row, to be written too

    @property
    def table(self) -> Table:
        """Return the table, which may be changed as it stands."""
        return self.snapshot.table

    @property
    def game(self) -> Game[Any]:
        """Return the game that is played here."""
        return self.snapshot.game

    @property
    def position(self) -> Position:
        """Return where the match is."""
        return self.snapshot.position

    @property
    def state(self) -> Any:
        """Return the state of the match; it must not be changed, but another may be taken."""
        return self.snapshot.state

    @property
    def seed(self) -> bytes | None:
        """Return the secret seed of the match, if there was one and it can be read."""
        return self.snapshot.seed

    @property
    def key(self) -> bytes | None:
        """Return the key of all random draws of the match."""
        return self.snapshot.key

    @property
    def frozen(self) -> str:
        """Return why the match cannot go on, in English, for say(); nothing when it can."""
        return self.snapshot.frozen

    @property
    def table_time(self) -> float:
        """Return the time in which deadlines are counted (kaboom.tables.table_clock)."""
        return self.snapshot.table_time(self.now)

    def committed(self, version: int) -> TableSnapshot:
        """Return the table as it will be once this is committed."""
        row = self.row._replace(**self.columns)
        return replace(
            self.snapshot,
            version=version,
            touched_at=self.now,
            listed=row.listed,
            locked=bool(row.password),
            frozen=self.frozen if self.table.playing else "",
            mended=False,
        )

    def become(self, **changes: Any) -> None:
        """Let fields of the snapshot be others from now on."""
        self.snapshot = replace(self.snapshot, **changes)

    def freeze(self, why: str) -> None:
        """Keep the match from ever going on; `why` is in English, for say()."""
        self.table.frozen = why
        self.become(frozen=why, position=replace(self.position, seats=0))

    def tell(self, kind: str, **facts: Any) -> None:
        """Put a line about the table, rather than the game, into everybody's log."""
        self.table.hear([Event(kind, facts)], AROUND)

    def empty(self, seat: Seat, kind: str = "") -> None:
        """Free a chair, saying why (a kind of AROUND). A host who leaves is succeeded."""
        table = self.table
        chair = table.chairs[seat]
        assert chair is not None
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

        Raises NotNow where a table of a tournament has had its match.
        """
        table, game = self.table, self.game
        pods.begin(self.connection, table)
        chairs = [chair for chair in table.chairs if chair is not None]
        if table.match:
            chairs = chairs[1:] + chairs[:1]
        free = len(table.chairs) - len(chairs)
        options = from_json(bytes(table.options), game.options)
        if table.board:  # nobody cuts, and all sit where they were put
            seed, cuts, drawn = seed_of(self.connection, table.board), [""] * len(chairs), []
        else:
            seed = table.next_seed or self.lots.seed()  # a table older than promised seeds
            cuts = [chair.cut for chair in chairs]
            drawn = places_drawn(seed, cuts, seating_of(options))
        if drawn:
            chairs, cuts = [chairs[it] for it in drawn], [cuts[it] for it in drawn]
        table.hands = hands = agreed_hands(table)
        table.rated = ratings.counts(table)
        table.chairs = [*chairs, *([None] * free)]
        table.seats = [chair.name for chair in chairs]
        table.levels = [chair.level if chair.bot else "" for chair in chairs]
        table.match += 1
        table.before, table.record = table.record, self.lots.code()
        table.match_id = queries.add_match(
            self.connection,
            {
                "code": table.record,
                "table_id": self.row.id,
                "club_id": clubs.of_table(self.connection, self.row.id) if table.club else None,
                "number": table.match,
                "game": game.key,
                "game_version": game.version,
                "options": bytes(table.options).decode(),
                "names": to_json(table.seats).decode(),
                "seed": seed,
                "cuts": to_json(cuts).decode(),
                "started_at": self.now,
                "ended_at": None,
                "outcome": None,
                "digest": None,
                "hidden": False,
                "levels": to_json(table.levels if any(table.levels) else []).decode(),
                "drawn": to_json(drawn).decode(),
                "hands": hands,
                "board": table.board,
            },
        )
        for seat, chair in enumerate(chairs):
            if chair.player is not None:
                queries.add_part(self.connection, table.match_id, seat, chair.player)
        table.playing, table.seq, table.outcome = True, 0, None
        table.frozen = ""
        table.chain = table.commitment = commitment(seed)
        table.timers, table.acted, table.back, table.plans = {}, {}, {}, {}
        for chair in chairs:
            chair.ready, chair.present, chair.stand_in, chair.done = False, True, False, []
            chair.hint, chair.hands, chair.lapsed = None, 0, 0
        table.covered, table.nudged = {}, {}
        table.memories = {
            seat: Raw(to_json(game.bot.memory()))
            for seat, chair in enumerate(chairs)
            if chair.bot and game.bot
        }
        table.told, table.whispered = [], {}  # they refer to the last match's seats
        self.tell("table.started", match=table.match)
        if drawn:
            self.tell("table.drawn", names=table.seats)
        if table.rated:
            self.tell("table.rated")
        if hands:
            self.tell("table.hands", minutes=hands)
        key = match_key(seed, cuts)
        self.become(seed=seed, key=key, frozen="")
        promise(table, self.lots)
        dealt = start(game, len(chairs), options, key, bool(table.board))
        self.take(dealt.state, dealt.events)

    def come_back(self, seat: Seat) -> None:
        """Let a player who left, or for whom a bot plays, play again; otherwise do nothing."""
        chair = self.table.chairs[seat]
        assert chair is not None
        chair.lapsed = 0
        if self.table.covered.pop(seat, None) is not None:
            for what, _ in self.table.day_clocks():
                if what.seat == seat:
                    del self.table.timers[str(what)]  # all their days for what they decide now
        if chair.present and not chair.stand_in:
            return
        self.tell("table.back", who=chair.name)
        if chair.stand_in:
            chair.stand_in = False
            self.table.memories.pop(seat, None)
        if not chair.present:
            chair.present = True
            self.clock_move(Move(CLOCK, "return", (str(seat),)))

    def clock_move(self, move: Move) -> None:
        """Play a move of the clock if the game offers it."""
        if self.frozen:
            return
        try:
            find(self.game, self.state, move, listeners=self.position.listeners)
        except NotOnOffer:
            return
        self.play(move, f"house {self.table.seq + 1}")

    def play(self, move: Move, cmd: str, token: str | None = None) -> None:
        """Judge the move, append it to the log and apply what it leads to."""
        self.must_go_on()
        assert self.key is not None
        chance, before = Chance(self.key, self.table.seq + 1), self.position
        done = step(self.game, self.state, move, chance, token, before.listeners)
        self._log(move, cmd)
        self.take(done.state, done.events)
        backs.note(self.table, move, chance.drawn, done.events, before, self.position)

    def must_go_on(self) -> None:
        """Raise NotNow when the match cannot go on."""
        if self.frozen:
            raise NotNow(say("This match cannot go on.") + " " + say(self.frozen))

    def take_back(self, seat: Seat, number: int, cmd: str) -> None:
        """Take a seat's last move back, if it still can be; raises NotOnOffer.

        The match is played again from its log, which goes on: nothing in it is deleted.
        """
        self.must_go_on()
        table, game, before = self.table, self.game, self.position
        last = backs.last(table, seat)
        if last is None or last.number != number:
            raise too_late()
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
        table.memories = {}  # a bot without one goes through the log, and finds nothing of this
        self.take(done.state, done.events)
        table.timers = last.deadlines | table.timers  # its time has run on meanwhile
        backs.forget(table, seat, done.events, before, self.position)
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
        """Take over a new state: what was said, what bots noticed, whether it is over."""
        table, game = self.table, self.game
        self.become(position=Position(game, state, len(table.seats)))
        table.state = Raw(to_json(state))
        table.hear(events, game.words)
        for seat in list(table.memories):
            memory = memory_of(table, game, seat)
            if memory is None:  # not of this version's type: rebuilt when it is its turn
                del table.memories[seat]
                continue
            assert game.bot is not None
            for event in events:
                if event.heard_by(seat):
                    game.bot.notice(memory, event, seat)
            table.memories[seat] = Raw(to_json(memory))
        outcome = game.outcome(state)
        self._talk(banter.moments(table, game.moments, events, outcome))
        if outcome is not None:
            self.end(outcome)

    def _talk(self, found: Sequence[tuple[Seat, str]]) -> None:
        """Let a bot say something about what has happened, now and then."""
        assert self.key is not None
        line = banter.spoken(self.table, found, Chance(self.key, self.table.seq, "talk"))
        if line is not None:
            banter.write(self.connection, self.row.id, self.table, line, self.now)

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
        table.outcome = outcome
        table.playing, table.timers, table.memories = False, {}, {}
        table.back, table.plans = {}, {}
        table.covered, table.nudged = {}, {}
        table.paused, table.vote = False, None
        self.become(position=replace(self.position, seats=0))
        self.tell("table.over")
        self.close_record(outcome)
        for seat in ratings.gone(table):
            note_gone(self.connection, table.match_id, seat)
        if table.board:
            self._note_results(outcome)
        if table.rated:
            match, game = table.match_id, self.game.key
            ratings.rate(self.connection, match, game, table, outcome, self.now)
        pods.end(self.connection, table, outcome)
        for seat, chair in table.sitting():
            if not chair.present or chair.stand_in:  # a rematch does not wait for players who left
                self.empty(seat)

    def _note_results(self, outcome: Outcome) -> None:
        """Note how those who play a board for its result have done; who left comes below all."""
        table = self.table
        for seat, chair in table.sitting():
            if chair.player is not None:
                result = result_of(outcome, seat) if chair.present else GONE
                code = self.row.code
                boards.end_try(self.connection, table.board, chair.player, code, result)

    def close_record(self, outcome: Outcome) -> None:
        """Write how the match ended, and the hash that holds its whole record together."""
        digest = None
        if self.key is not None:  # otherwise the seed is damaged, and no record can be shown
            match = queries.match(self.connection, self.table.match_id)
            assert match is not None
            board = boards.board(self.connection, match.board) if match.board else None
            fields = frame(match, self.table.chain, self.now, outcome, board)
            digest = digest_of(self.key, fields)
        records.close_match(
            self.connection,
            self.table.match_id,
            ended_at=self.now,
            outcome=to_json(outcome).decode(),
            digest=digest,
            places=outcome.places if outcome.winners else (),
        )


def agreed_hands(table: Table) -> int:
    """Return after how many minutes spectators may see all hands of the next match; 0 is never.

    Everybody who sits here must have agreed to just that delay.
    """
    answers = {chair.hands for _, chair in table.sitting() if not chair.bot}
    return table.watch if table.watch > 0 and answers == {table.watch} else 0


def seat_bot(table: Table, seat: Seat, level: Level = Level.NORMAL) -> str:
    """Seat a bot that plays at a level on a free chair; return its name."""
    others = [chair.name for _, chair in table.sitting()]
    name = told_apart(named(level, others), others)
    table.chairs[seat] = Chair(name, ready=True, level=level)
    return name


def memory_of(table: Table, game: Game[Any], seat: Seat) -> Any:
    """Return what the bot of a seat remembers; None if nothing readable is stored."""
    if game.bot is None or seat not in table.memories:
        return None
    try:
        return from_json(bytes(table.memories[seat]), game.bot.memory)
    except DecodeError:
        return None


def promise(table: Table, lots: Lots) -> None:
    """Fix the seed of the table's next match, and give everybody a fresh cut of it.

    On a board there is one match, whose deal is promised elsewhere.
    """
    if table.board:
        return
    table.next_seed = lots.seed()
    for _, chair in table.sitting():
        chair.cut = "" if chair.bot else lots.cut()
