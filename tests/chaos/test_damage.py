"""Damaged data: the snapshot is rebuilt from the log, otherwise the match is frozen."""

import os
import random
import time

import pytest
from msgspec import Raw

from kaboom.accounts import players
from kaboom.engine.codec import to_json
from kaboom.engine.moves import Refusal
from kaboom.engine.rng import Rng
from kaboom.engine.toolkit.playthrough import random_turn
from kaboom.errors import CorruptedTable, InvalidState, NotPermitted
from kaboom.games import GAMES, sample
from kaboom.lobby import service as lobby
from kaboom.records.verify import check
from kaboom.table_page import service as match
from kaboom.tables import start_match
from kaboom.tables.bot_runner.moves import think
from kaboom.tables.clock.scheduler import Ticker
from kaboom.tables.clock.timer_kinds import Thinking
from kaboom.tables.maintenance import recovery
from kaboom.tables.maintenance.recovery import DAMAGED, GONE, is_whole
from kaboom.tables.queries import MoveRow
from kaboom.tables.seats import leaving
from kaboom.tables.seats.own_tables import tables_of
from kaboom.tables.table import Occupant, Table
from tests.chaos import damage
from tests.conftest import sqlite_url

__all__ = ["sqlite_url"]  # in memory: no power is cut here

FLIPS = int(os.environ.get("KABOOM_FLIPS", "40"))


def begun(tables, key="kaboom", moves=40, bots=1):
    """Start Ann's table with bots and play this many random moves; return its code and Ann."""
    game = GAMES[key]
    options = game.options(**sample(key).long)
    ann, _ = players.player(tables, "ann", "Ann")
    bots = max(bots, game.seats(options)[0] - 1)
    code = lobby.open(tables, key, options, ann, "Ann", bots)
    start_match.start(tables, code, ann)
    play(tables, code, moves)
    return code, ann


def by_itself(tables, key="kaboom", moves=1):
    """Return a table that Ann has left, so that the clock has something to do."""
    code, ann = begun(tables, key, moves, bots=3)
    leaving.leave(tables, code, ann)
    return code


def play(tables, code, moves):
    for n in range(moves):
        snapshot = tables.get(code)
        rng = Rng(b"\7" * 32, snapshot.table.seq, "players")
        move = random_turn(snapshot.game, snapshot.state, len(snapshot.table.seats), rng)
        cmd = f"test {snapshot.table.seq} {n}"
        tables.change(code, lambda transaction, move=move, cmd=cmd: transaction.play(move, cmd))


def is_damaged(tables, code):
    now = tables.get(code)
    work = lambda c: is_whole(c, now.table, now.seed, now.key)  # noqa: E731
    return not tables.database.read(work)


@pytest.mark.parametrize("key", sorted(GAMES))
def test_match_with_a_damaged_snapshot_resumes_from_its_log(tables, key):
    code, ann = begun(tables, key, moves=12)
    before = tables.get(code, "ann")
    shown = before.game.view(before.state, 0)
    damage.flip_body(tables, code)
    after = tables.get(code, "ann")
    assert after.mended
    assert not after.frozen
    assert to_json(after.state) == to_json(before.state)
    assert after.game.view(after.state, 0) == shown
    assert [c and (c.name, c.player) for c in after.table.chairs] == [
        c and (c.name, c.player) for c in before.table.chairs
    ]
    play(tables, code, 3)
    assert not tables.get(code).mended
    assert check(tables, code).wrong == []
    assert tables.get(code, "ann").table.host == ann


def test_state_of_another_shape_is_rebuilt_with_bot_memory(tables):
    code, _ = begun(tables, "kaboom")
    before = tables.get(code)
    memories = dict(before.table.memories)
    assert memories

    def other_shape(table):
        table.state = Raw(b'{"nobody":"reads this"}')

    damage.change_body(tables, code, other_shape)
    after = tables.get(code)
    assert to_json(after.state) == to_json(before.state)
    bot = next(iter(memories))
    # It remembers when its next decision is due, and continues as if nothing had happened.
    assert (
        think(tables.database, tables.run_in_thread, after, Thinking(bot, ""))[0] == memories[bot]
    )


def test_bot_memory_of_another_shape_is_rebuilt(tables):
    code, _ = begun(tables, "kaboom")
    right = dict(tables.get(code).table.memories)

    def other_shape(table):
        table.memories = dict.fromkeys(table.memories, Raw(b"[7]"))

    damage.change_body(tables, code, other_shape)
    for seat, memory in right.items():
        assert (
            think(tables.database, tables.run_in_thread, tables.get(code), Thinking(seat, ""))[0]
            == memory
        )
    play(tables, code, 3)


def test_rebuilding_a_table_lowers_no_viewers_revision(tables):
    code, _ = begun(tables)
    before = tables.revision(code, "ann")
    damage.flip_body(tables, code)
    assert tables.revision(code, "ann") > before
    play(tables, code, 1)
    assert tables.revision(code, "ann") > before


@pytest.mark.parametrize("over", [False, True])
def test_rebuilt_table_shows_the_match_as_before(tables, over):
    code, _ = begun(tables, "gops", moves=4)
    if over:
        tables.change(code, lambda transaction: transaction.stop())
    before = tables.get(code, "ann").table
    damage.flip_body(tables, code)
    after = tables.get(code, "ann").table
    names = [
        "playing",
        "match",
        "match_id",
        "seats",
        "levels",
        "outcome",
        "commitment",
        "record",
        "seq",
        "chain",
    ]
    assert [getattr(after, name) for name in names] == [getattr(before, name) for name in names]
    assert after.playing is not over
    assert bool(after.record) or not over


def test_host_decides_who_may_watch_a_rebuilt_table(tables):
    code, _ = begun(tables)
    damage.flip_body(tables, code)
    assert tables.get(code, "somebody").closed


def test_clock_continues_at_a_rebuilt_table(tables, fake_clock):
    code = by_itself(tables, "kaboom", 20)
    damage.flip_body(tables, code)
    ticker = Ticker(tables)
    moves = tables.get(code).table.seq
    for _ in range(20):
        fake_clock.sleep(2)
        ticker.tick()
    assert tables.get(code).table.seq > moves
    assert check(tables, code).wrong == []


BROKEN = {
    "a move changed": lambda tables, code: damage.flip_move(tables, code),
    "a move missing": lambda tables, code: damage.drop_move(tables, code),
    "the last move missing": lambda tables, code: damage.drop_move(tables, code, 40),
    "the seed changed": lambda tables, code: damage.flip_seed(tables, code),
    "other rules": lambda tables, code: damage.other_rules(tables, code),
}


@pytest.mark.parametrize("what", BROKEN)
def test_unplayable_match_is_frozen_and_can_be_ended(tables, what):
    code, ann = begun(tables)
    BROKEN[what](tables, code)
    seen = tables.get(code, "ann")
    assert seen.frozen == (GONE if what == "other rules" else DAMAGED)
    assert seen.prompts == []
    assert next(occupant.name for _, occupant in seen.table.sitting()) == "Ann"
    with pytest.raises(InvalidState, match="cannot continue"):
        match.submit(tables, code, ann, "flip 0.0", "", "cmd", seen.table.match, 1)
    with pytest.raises(NotPermitted):
        match.end_frozen(tables, code, players.player(tables, "eve", "Eve")[0])
    match.end_frozen(tables, code, ann)
    start_match.start(tables, code, ann)
    play(tables, code, 10)
    assert check(tables, code).wrong == []


def test_end_frozen_refuses_a_playable_match(tables):
    code, ann = begun(tables)
    with pytest.raises(InvalidState):
        match.end_frozen(tables, code, ann)


@pytest.mark.parametrize("what", BROKEN)
def test_clock_skips_a_frozen_match(tables, fake_clock, what):
    code, _ = begun(tables)
    BROKEN[what](tables, code)
    tables.get(code, "ann")
    moves = tables.get(code).table.seq
    fake_clock.sleep(60)
    ticker = Ticker(tables)
    assert ticker.tick() > 0
    assert tables.due() == []
    assert ticker._resting == {}
    assert tables.get(code).table.seq == moves


def test_damaged_table_is_retried_only_after_an_hour(tables, fake_clock):
    code, _ = begun(tables)
    damage.other_rules(tables, code)
    fake_clock.sleep(7)
    tables.change(code, lambda transaction: transaction.tell("table.no_vote"))
    assert tables.due_in() == 3600
    assert tables.due() == []


def test_match_resumes_when_its_rules_return(tables, fake_clock):
    code = by_itself(tables, "kaboom", 20)
    damage.other_rules(tables, code)
    fake_clock.sleep(10)
    ticker = Ticker(tables)
    ticker.tick()
    damage.other_rules(tables, code, GAMES["kaboom"].version)
    fake_clock.sleep(3601)
    moves = tables.get(code).table.seq
    for _ in range(5):
        ticker.tick()
        fake_clock.sleep(5)
    assert tables.get(code).table.seq > moves


def test_unreadable_table_before_its_first_match_is_reported(tables, fake_clock):
    ann, _ = players.player(tables, "ann", "Ann")
    code = lobby.open(tables, "gops", GAMES["gops"].options(), ann, "Ann")
    ben, _ = players.player(tables, "ben", "Ben")
    well = lobby.open(tables, "gops", GAMES["gops"].options(), ben, "Ben", 1)
    start_match.start(tables, well, ben)
    damage.flip_body(tables, code)
    with pytest.raises(CorruptedTable):
        tables.get(code, "ann")
    assert tables_of(tables, "ann") == []
    fake_clock.sleep(60)
    Ticker(tables).tick()
    assert tables.get(well).table.seq > 0  # the bot has bid


def test_table_of_a_missing_game_is_reported_and_returns(tables, fake_clock):
    code = by_itself(tables, "kaboom", 20)
    damage.run(tables, "UPDATE tables SET game = 'whist', version = version + 1")
    with pytest.raises(CorruptedTable):
        tables.get(code, "ann")
    fake_clock.sleep(60)
    ticker = Ticker(tables)
    assert ticker.tick() > 0
    damage.run(tables, "UPDATE tables SET game = 'kaboom', version = version + 1")
    fake_clock.sleep(3601)
    moves = tables.get(code).table.seq
    ticker.tick()
    assert tables.get(code).table.seq > moves
    assert check(tables, code).wrong == []


def test_many_frozen_tables_do_not_delay_the_clock(open_tables, sqlite_url, fake_clock):
    tables = open_tables(sqlite_url)
    frozen = [by_itself(tables) for _ in range(60)]
    fake_clock.sleep(5)
    well = by_itself(tables, "kaboom", 20)
    for code in frozen:
        damage.other_rules(tables, code)
    fake_clock.sleep(60)
    ticker = Ticker(tables)
    moves = tables.get(well).table.seq
    for _ in range(3):
        ticker.tick()
    assert tables.get(well).table.seq > moves


def test_any_flipped_byte_is_detected_and_isolated(open_tables, sqlite_url):
    tables = open_tables(sqlite_url)
    seed = random.randrange(10**6)
    rng = random.Random(seed)
    well, _ = begun(tables, "gops", 6)
    whole = tables.get(well, "ann").table
    code, _ = begun(tables, "kaboom", 30)
    for _ in range(FLIPS):
        if rng.randrange(2):
            at = rng.randrange(10**6)
            damage.flip_body(tables, code, at)
            assert tables.get(code, "ann").mended, f"seed {seed}"
            tables.change(code, lambda transaction: None)
            assert check(tables, code).wrong == []
        else:
            seq, at = rng.randrange(1, 31), rng.randrange(10**6)
            damage.flip_move(tables, code, seq, at)
            assert is_damaged(tables, code), f"seed {seed}"
            damage.flip_move(tables, code, seq, at)
    assert tables.get(well, "ann").table == whole


def test_match_of_500_moves_is_rebuilt_in_200_ms(open_tables, sqlite_url):
    tables = open_tables(sqlite_url)
    code, _ = begun(tables, "koth", 500)
    damage.flip_body(tables, code)
    took = []
    for _ in range(5):
        tables.seen.clear()
        began = time.process_time()
        assert tables.get(code).mended
        took.append(time.process_time() - began)
    print(f"rebuilt after 500 moves in {1000 * min(took):.0f} ms")
    assert min(took) < 0.2  # 50 ms on a quiet machine: docs/reliability.md


def test_move_at_a_damaged_table_is_refused_in_a_sentence(tables):
    code, ann = begun(tables)
    damage.flip_seed(tables, code)
    with pytest.raises(Refusal, match="damaged"):
        match.submit(tables, code, ann, "flip 0.0", "", "cmd", 1, 1)


def test_rebuilt_table_has_its_departures_and_returns(tables):
    ids = [players.player(tables, f"key of {name}", name)[0] for name in ("Ann", "Ben", "Cid")]
    code = lobby.open(tables, "kaboom", GAMES["kaboom"].options(), ids[0], "Ann")
    for player, name in zip(ids[1:], ("Ben", "Cid"), strict=True):
        lobby.sit(tables, code, player, name)
    for player in ids:
        start_match.ready(tables, code, player)
    leaving.leave(tables, code, ids[0])
    lobby.sit(tables, code, ids[0], "Ann")
    leaving.leave(tables, code, ids[1])
    assert tables.get(code).table.playing
    damage.flip_body(tables, code)
    rebuilt = tables.get(code)
    assert rebuilt.mended
    assert [occupant.present for _, occupant in rebuilt.table.sitting()] == [True, False, True]


def test_table_that_lost_only_its_state_keeps_its_log_lines(tables):
    code, _ = begun(tables)
    before = tables.get(code).table

    def other_shape(table):
        table.state = Raw(b"[7]")

    damage.change_body(tables, code, other_shape)
    after = tables.get(code)
    assert after.mended
    assert to_json(after.table.lines(0)) == to_json(before.lines(0))
    assert (after.table.seq, after.table.chain) == (before.seq, before.chain)


def test_rebuilding_ignores_moves_after_the_stored_table(tables):
    """The log may have grown since the table was stored; only what was stored with it counts."""
    code, _ = begun(tables)
    then = tables.get(code)
    play(tables, code, 3)

    def as_it_was(table):
        table.seq, table.chain, table.state = then.table.seq, then.table.chain, Raw(b"[7]")

    damage.change_body(tables, code, as_it_was)
    after = tables.get(code)
    assert after.table.seq == then.table.seq
    assert to_json(after.state) == to_json(then.state)


def test_log_is_whole_only_if_seed_and_key_can_be_read(tables):
    code, _ = begun(tables, moves=3)
    now = tables.get(code)
    for seed, key, whole in (
        (now.seed, now.key, True),
        (None, now.key, False),
        (now.seed, None, False),
        (None, None, False),
    ):
        assert tables.database.read(lambda c, s=seed, k=key: is_whole(c, now.table, s, k)) == whole


def test_bot_without_memory_catches_up_from_the_log(tables):
    """The match may have continued in the meantime: later moves are remembered once, in order."""
    code, _ = begun(tables, "kaboom")
    then = tables.get(code)
    memories = dict(then.table.memories)
    then.table.memories.clear()
    tables.seen.clear()
    play(tables, code, 5)
    for seat, memory in memories.items():
        assert think(tables.database, tables.run_in_thread, then, Thinking(seat, ""))[0] == memory


@pytest.mark.parametrize(
    ("moves", "present"),
    [
        ((), [True, True]),
        (("-1 leave 1",), [True, False]),
        (("-1 leave 1", "-1 leave 0", "-1 return 1"), [False, True]),
        (("1 leave 1", "0 leave 0"), [True, True]),  # moves of a game that has such a verb
        (("-1 deal 1", "-1 settle 0"), [True, True]),
    ],
)
def test_departures_are_read_from_server_moves_in_the_log(moves, present):
    table = Table([Occupant("Ann", 1), Occupant("Ben", 2)], Raw(b"{}"), 1)
    recovery._note_who_left(table, [MoveRow(1, "c", text, 0.0, "") for text in moves])
    assert [occupant.present for _, occupant in table.sitting()] == present
