"""A state machine for the table service: two workers on one database, people, bots and the clock.

Players sit down, leave, press twice and send outdated forms, through either worker. Each
acknowledged command is in the log exactly once, the log is dense and chained, no player's revision
decreases, and a refusal changes nothing.
"""

from collections import Counter
from contextlib import closing

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from hypothesis.stateful import run_state_machine_as_test as run

from kaboom.accounts import players
from kaboom.db.database import Database
from kaboom.engine.bots.delays import Pace
from kaboom.engine.codec import to_json
from kaboom.engine.moves import CLOCK, Refusal
from kaboom.engine.options import limits
from kaboom.engine.rng import Rng
from kaboom.games import GAMES
from kaboom.lobby import service as lobby
from kaboom.records.verify import check
from kaboom.table_page import service as match_service
from kaboom.tables import queries, start_match
from kaboom.tables.seats import leaving
from kaboom.tables.service import TableService
from tests.conftest import FakeClock
from tests.secrecy.states import next_move, seed
from tests.stateful.effort import tried
from tests.support.effort import often
from tests.support.server import SECRET

EXAMPLES = often(15, soak=500)
STEPS = often(30, soak=200)

PEOPLE = ("Ann", "Ben", "Cid", "Dot", "Eve", "Fay")
SECONDS = 20  # seconds of every deadline, so that time passing has an effect

small = st.integers(0, 2**32 - 1)
person = st.integers(0, len(PEOPLE) - 1)
worker = st.integers(0, 1)
DONE: Counter[str] = Counter()


def timed(game):
    """Return options under which every decision that can have a deadline has one."""
    return game.options(**dict.fromkeys(limits(game.options()), SECONDS))


def machine_on(databases):
    """Return the state machine of two services with two connections to one store."""

    class AtTheTable(RuleBasedStateMachine):
        @initialize(kind=small, hurry=st.booleans(), bots=st.integers(0, 1), begun=small)
        def open(self, kind, hurry, bots, begun):
            self.clock = FakeClock()
            self.workers = [
                TableService(database, now=self.clock, pace=Pace.BRISK) for database in databases
            ]
            self.game = list(GAMES.values())[kind % len(GAMES)]
            options = timed(self.game) if hurry else self.game.options()
            self.players = [players.player(self.workers[0], f"key {n}", n)[0] for n in PEOPLE]
            self.code = lobby.open(
                self.workers[0], self.game.key, options, self.players[0], PEOPLE[0], bots
            )
            self.acknowledged = {}  # commands to moves of the current match
            self.sent = []  # forms sent, to be sent again
            self.numbers = {}
            self.count = 0
            if begun % 4:
                for player, name in list(zip(self.players, PEOPLE, strict=True))[1:]:
                    if len(self.snapshot().table.sitting()) < self.game.seats(options)[0]:
                        lobby.sit(self.workers[0], self.code, player, name)
                start_match.start(self.workers[1], self.code, self.players[0])

        def snapshot(self, at=0):
            return self.workers[at].get(self.code)

        def asked(self, at, work):
            """Send a request to a worker; a refusal must leave everything unchanged."""
            before = self.snapshot()
            try:
                work(self.workers[at])
            except Refusal as no:
                assert str(no)
                for each in (0, 1):
                    now = self.snapshot(each)
                    assert now.version == before.version, no
                    assert to_json(now.table) == to_json(before.table), no
                DONE["refused"] += 1
                return False
            DONE["done"] += 1
            return True

        @rule(who=person, at=worker, seat=st.none() | st.integers(-1, 9))
        def player_sits_down(self, who, at, seat):
            self.asked(at, lambda t: lobby.sit(t, self.code, self.players[who], PEOPLE[who], seat))

        @rule(who=person, at=worker)
        def player_says_ready(self, who, at):
            self.asked(at, lambda t: start_match.ready(t, self.code, self.players[who]))

        @rule(who=st.integers(0, 1), at=worker)
        def player_starts_the_match(self, who, at):
            self.asked(at, lambda t: start_match.start(t, self.code, self.players[who]))

        @rule(who=person, at=worker)
        def player_adds_a_bot(self, who, at):
            self.asked(at, lambda t: lobby.add_bot(t, self.code, self.players[who]))

        @rule(who=person, at=worker, seat=st.integers(0, 5), dice=st.integers(0, 5))
        def player_is_shown_out(self, who, at, seat, dice):
            if dice == 0:
                self.asked(at, lambda t: leaving.remove(t, self.code, self.players[who], seat))

        @rule(who=person, at=worker, dice=st.integers(0, 7))
        def player_leaves(self, who, at, dice):
            if dice == 0:
                self.asked(at, lambda t: leaving.leave(t, self.code, self.players[who]))

        @rule(who=person, at=worker)
        def player_asks_for_more_time(self, who, at):
            self.asked(at, lambda t: match_service.more_time(t, self.code, self.players[who]))

        def playing(self):
            return hasattr(self, "code") and self.snapshot().table.playing

        @precondition(playing)
        @rule(dice=small, at=worker, moves=st.integers(1, 8))
        def player_moves(self, dice, at, moves):
            for n in range(moves):
                now = self.snapshot(at)
                if not now.table.playing:
                    return
                rng = Rng(seed(dice), n, "machine")
                move = next_move(self.game, now.state, len(now.table.seats), rng)
                occupant = now.table.chairs[move.seat] if move.seat != CLOCK else None
                if occupant is None or occupant.bot:
                    self.time_passes(at, 40)
                    continue
                offer = now.prompts[move.seat].offer(move.verb)
                self.count += 1
                words = " ".join((move.verb, *move.choices))
                self.send(at, now, occupant.player, words, offer.token, f"c{self.count}")

        def send(self, at, now, player, words, token, cmd):
            """Send a form of an earlier table; record what is acknowledged."""
            seat = now.table.seat_of(player)
            revision = now.table.revision(seat)
            arguments = (self.code, player, words, token, cmd, now.table.match, revision)
            if self.asked(at, lambda t: match_service.submit(t, *arguments)):
                self.acknowledged.setdefault((now.table.match, f"{seat} {cmd}"), f"{seat} {words}")
            self.sent.append((now, player, words, token, cmd))

        @precondition(lambda self: getattr(self, "sent", None))
        @rule(which=small, at=worker)
        def a_form_is_sent_again(self, which, at):
            """At once or much later: it counts as the same move or is too late, and is never a
            second move.
            """
            now, player, words, token, cmd = self.sent[which % len(self.sent)]
            seq = self.snapshot().table.seq
            match = self.snapshot().table.match
            self.send(at, now, player, words, token, cmd)
            known = (now.table.match, f"{now.table.seat_of(player)} {cmd}") in self.acknowledged
            if known and match == now.table.match:
                assert self.snapshot().table.seq <= seq + 1

        @precondition(lambda self: getattr(self, "sent", None))
        @rule(which=small, at=worker, new=st.sampled_from(["x", "0 y", "clock 1", "bot 1"]))
        def an_old_form_is_sent_as_a_new_command(self, which, at, new):
            now, player, words, token, _ = self.sent[which % len(self.sent)]
            self.count += 1
            self.send(at, now, player, words, token, f"{new}{self.count}")

        @precondition(playing)
        @rule(
            who=person, at=worker, verb=small, choice=st.sampled_from(["", "KS", "7", "0.0", "x"])
        )
        def player_sends_what_is_made_up(self, who, at, verb, choice):
            verbs = [*sorted(v for v in self.game.words.offers if "." not in v), "leave", "lapse"]
            now = self.snapshot(at)
            if now.table.seat_of(self.players[who]) is None:
                with pytest.raises(Refusal):
                    match_service.submit(
                        self.workers[at], self.code, self.players[who], "x", "", "c", 1, 1
                    )
                return
            self.count += 1
            words = f"{verbs[verb % len(verbs)]} {choice}".strip()
            self.send(at, now, self.players[who], words, "0" * 10, f"m{self.count}")

        @rule(at=worker, seconds=st.sampled_from([0.3, 2, 10, 40, 4000]))
        def time_passes(self, at, seconds):
            """One worker runs what is due; the other then finds nothing left to do."""
            self.clock.sleep(seconds)
            first, second = self.workers[at], self.workers[1 - at]
            for _ in range(6):
                before = self.snapshot().table
                did = first.run_due(self.code)
                after = self.snapshot().table
                assert after.seq <= before.seq + 1 or after.match != before.match
                if not did:
                    assert not second.run_due(self.code)
                    break

        @invariant()
        def both_workers_see_the_same(self):
            if hasattr(self, "code"):
                one, two = self.snapshot(0), self.snapshot(1)
                assert one.version == two.version
                assert to_json(one.table) == to_json(two.table)
                assert to_json(one.state) == to_json(two.state)
                assert one.prompts == two.prompts

        @invariant()
        def no_number_goes_back(self):
            if hasattr(self, "code"):
                table = self.snapshot().table
                for viewer in [*range(len(table.chairs)), None]:
                    number = table.revision(viewer)
                    assert number >= self.numbers.get(viewer, 0)
                    self.numbers[viewer] = number

        @invariant()
        def each_acknowledged_command_is_in_the_log_once(self):
            if not hasattr(self, "code") or not self.snapshot().table.match:
                return
            table = self.snapshot().table
            rows = databases[0].read(lambda c: queries.log(c, table.match_id))
            assert [row.seq for row in rows] == list(range(1, table.seq + 1))
            found = Counter(row.cmd for row in rows)
            for (match, cmd), text in self.acknowledged.items():
                if match == table.match:
                    assert found[cmd] == 1, f"{cmd} was acknowledged"
                    assert next(row.text for row in rows if row.cmd == cmd) == text

        def teardown(self):
            """The record replays to the stored state."""
            if hasattr(self, "code"):
                found = check(self.workers[0], self.code)
                assert found.wrong == []
                DONE["moves"] += found.moves

    return AtTheTable


@pytest.fixture
def two_databases(store_url):
    with closing(Database(store_url, SECRET)) as one, closing(Database(store_url, SECRET)) as two:
        yield [one, two]


def test_two_workers_act_as_one_table_in_any_order(two_databases):
    DONE.clear()
    run(
        lambda: machine_on(two_databases)(),
        settings=tried(EXAMPLES, STEPS),
    )
    print(dict(DONE))
    assert DONE["moves"] > EXAMPLES and DONE["refused"] > EXAMPLES and DONE["done"] > EXAMPLES
