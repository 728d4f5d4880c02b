"""What is stored may be damaged: the snapshot is rebuilt from the log, else the match is frozen."""

import os
import random
import time

import pytest
from msgspec import Raw

from kaboom.accounts import players
from kaboom.engine.codec import to_json
from kaboom.engine.moves import Refusal
from kaboom.engine.rng import Chance
from kaboom.engine.toolkit.playthrough import random_turn
from kaboom.errors import CorruptedTable, InvalidState, NotPermitted
from kaboom.games import GAMES, sample
from kaboom.lobby import service as seating
from kaboom.play import service as in_match
from kaboom.records.replay import check
from kaboom.tables import sittings
from kaboom.tables.bots.thinking import think
from kaboom.tables.clock.due import Thinking
from kaboom.tables.clock.scheduler import Ticker
from kaboom.tables.maintenance import recovery
from kaboom.tables.maintenance.recovery import DAMAGED, GONE, is_whole
from kaboom.tables.queries import MoveRow
from kaboom.tables.sittings import tables_of
from kaboom.tables.table import Chair, Table
from tests.chaos import damage
from tests.conftest import sqlite_url

__all__ = ["sqlite_url"]  # in memory: no plug is pulled here

FLIPS = int(os.environ.get("KABOOM_FLIPS", "40"))


def begun(tables, key="kaboom", moves=40, bots=1):
    """Ann's table with bots, so many random moves into a match; return its code and Ann."""
    game = GAMES[key]
    options = game.options(**sample(key).long)
    ann, _ = players.player(tables, "ann", "Ann")
    bots = max(bots, game.seats(options)[0] - 1)
    code = seating.open(tables, key, options, ann, "Ann", bots)
    seating.start(tables, code, ann)
    play(tables, code, moves)
    return code, ann


def by_itself(tables, key="kaboom", moves=1):
    """A table of which Ann went away, so that the house has something to do."""
    code, ann = begun(tables, key, moves, bots=3)
    sittings.leave(tables, code, ann)
    return code


def play(tables, code, moves):
    for n in range(moves):
        snapshot = tables.look(code)
        chance = Chance(b"\7" * 32, snapshot.table.seq, "players")
        move = random_turn(snapshot.game, snapshot.state, len(snapshot.table.seats), chance)
        cmd = f"test {snapshot.table.seq} {n}"
        tables.change(code, lambda transaction, move=move, cmd=cmd: transaction.play(move, cmd))


def is_damaged(tables, code):
    now = tables.look(code)
    work = lambda c: is_whole(c, now.table, now.seed, now.key)  # noqa: E731
    return not tables.database.read(work)


@pytest.mark.parametrize("key", sorted(GAMES))
def test_a_match_whose_snapshot_is_damaged_goes_on_from_its_log(tables, key):
    code, ann = begun(tables, key, moves=12)
    before = tables.look(code, "ann")
    shown = before.game.view(before.state, 0)
    damage.flip_body(tables, code)
    after = tables.look(code, "ann")
    assert after.mended
    assert not after.frozen
    assert to_json(after.state) == to_json(before.state)
    assert after.game.view(after.state, 0) == shown
    assert [c and (c.name, c.player) for c in after.table.chairs] == [
        c and (c.name, c.player) for c in before.table.chairs
    ]
    play(tables, code, 3)
    assert not tables.look(code).mended
    assert check(tables, code).wrong == []
    assert tables.look(code, "ann").table.host == ann


def test_a_state_of_another_shape_is_rebuilt_and_its_bots_remember(tables):
    code, _ = begun(tables, "kaboom")
    before = tables.look(code)
    memories = dict(before.table.memories)
    assert memories

    def other_shape(table):
        table.state = Raw(b'{"nobody":"reads this"}')

    damage.change_body(tables, code, other_shape)
    after = tables.look(code)
    assert to_json(after.state) == to_json(before.state)
    bot = next(iter(memories))
    # It remembers when it is asked next, and then as if nothing had been.
    assert think(tables.database, tables.aside, after, Thinking(bot, ""))[0] == memories[bot]


def test_a_memory_of_another_shape_is_remembered_anew(tables):
    code, _ = begun(tables, "kaboom")
    right = dict(tables.look(code).table.memories)

    def other_shape(table):
        table.memories = dict.fromkeys(table.memories, Raw(b"[7]"))

    damage.change_body(tables, code, other_shape)
    for seat, memory in right.items():
        assert (
            think(tables.database, tables.aside, tables.look(code), Thinking(seat, ""))[0] == memory
        )
    play(tables, code, 3)


def test_nobodys_number_goes_back_when_a_table_is_rebuilt(tables):
    code, _ = begun(tables)
    before = tables.revision(code, "ann")
    damage.flip_body(tables, code)
    assert tables.revision(code, "ann") > before
    play(tables, code, 1)
    assert tables.revision(code, "ann") > before


@pytest.mark.parametrize("over", [False, True])
def test_a_rebuilt_table_says_of_its_match_what_the_damaged_one_said(tables, over):
    code, _ = begun(tables, "gops", moves=4)
    if over:
        tables.change(code, lambda transaction: transaction.stop())
    before = tables.look(code, "ann").table
    damage.flip_body(tables, code)
    after = tables.look(code, "ann").table
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


def test_who_may_watch_a_rebuilt_table_is_for_the_host_to_say(tables):
    code, _ = begun(tables)
    damage.flip_body(tables, code)
    assert tables.look(code, "somebody").closed


def test_the_clock_goes_on_at_a_rebuilt_table(tables, watch):
    code = by_itself(tables, "kaboom", 20)
    damage.flip_body(tables, code)
    ticker = Ticker(tables)
    moves = tables.look(code).table.seq
    for _ in range(20):
        watch.sleep(2)
        ticker.tick()
    assert tables.look(code).table.seq > moves
    assert check(tables, code).wrong == []


BROKEN = {
    "a move changed": lambda tables, code: damage.flip_move(tables, code),
    "a move missing": lambda tables, code: damage.drop_move(tables, code),
    "the last move missing": lambda tables, code: damage.drop_move(tables, code, 40),
    "the seed changed": lambda tables, code: damage.flip_seed(tables, code),
    "other rules": lambda tables, code: damage.other_rules(tables, code),
}


@pytest.mark.parametrize("what", BROKEN)
def test_a_match_that_cannot_go_on_is_frozen_and_can_be_ended(tables, what):
    code, ann = begun(tables)
    BROKEN[what](tables, code)
    seen = tables.look(code, "ann")
    assert seen.frozen == (GONE if what == "other rules" else DAMAGED)
    assert seen.prompts == []
    assert next(chair.name for _, chair in seen.table.sitting()) == "Ann"
    with pytest.raises(InvalidState, match="cannot go on"):
        in_match.submit(tables, code, ann, "flip 0.0", "", "cmd", seen.table.match, 1)
    with pytest.raises(NotPermitted):
        in_match.end_frozen(tables, code, players.player(tables, "eve", "Eve")[0])
    in_match.end_frozen(tables, code, ann)
    seating.start(tables, code, ann)
    play(tables, code, 10)
    assert check(tables, code).wrong == []


def test_only_a_frozen_match_is_ended_like_that(tables):
    code, ann = begun(tables)
    with pytest.raises(InvalidState):
        in_match.end_frozen(tables, code, ann)


@pytest.mark.parametrize("what", BROKEN)
def test_the_clock_leaves_a_frozen_match_alone(tables, watch, what):
    code, _ = begun(tables)
    BROKEN[what](tables, code)
    tables.look(code, "ann")
    moves = tables.look(code).table.seq
    watch.sleep(60)
    ticker = Ticker(tables)
    assert ticker.tick() > 0
    assert tables.due() == []
    assert ticker._resting == {}
    assert tables.look(code).table.seq == moves


def test_it_is_looked_at_again_an_hour_after_whatever_is_done_at_its_table(tables, watch):
    code, _ = begun(tables)
    damage.other_rules(tables, code)
    watch.sleep(7)
    tables.change(code, lambda transaction: transaction.tell("table.no_vote"))
    assert tables.due_in() == 3600
    assert tables.due() == []


def test_when_the_rules_are_back_the_match_goes_on(tables, watch):
    code = by_itself(tables, "kaboom", 20)
    damage.other_rules(tables, code)
    watch.sleep(10)
    ticker = Ticker(tables)
    ticker.tick()
    damage.other_rules(tables, code, GAMES["kaboom"].version)
    watch.sleep(3601)
    moves = tables.look(code).table.seq
    for _ in range(5):
        ticker.tick()
        watch.sleep(5)
    assert tables.look(code).table.seq > moves


def test_a_table_before_its_first_match_that_cannot_be_read_says_so(tables, watch):
    ann, _ = players.player(tables, "ann", "Ann")
    code = seating.open(tables, "gops", GAMES["gops"].options(), ann, "Ann")
    ben, _ = players.player(tables, "ben", "Ben")
    well = seating.open(tables, "gops", GAMES["gops"].options(), ben, "Ben", 1)
    seating.start(tables, well, ben)
    damage.flip_body(tables, code)
    with pytest.raises(CorruptedTable):
        tables.look(code, "ann")
    assert tables_of(tables, "ann") == []
    watch.sleep(60)
    Ticker(tables).tick()
    assert tables.look(well).table.seq > 0  # the bot has bid


def test_a_table_whose_game_is_no_longer_here_says_so_and_is_there_again_with_it(tables, watch):
    code = by_itself(tables, "kaboom", 20)
    damage.run(tables, "UPDATE tables SET game = 'whist', version = version + 1")
    with pytest.raises(CorruptedTable):
        tables.look(code, "ann")
    watch.sleep(60)
    ticker = Ticker(tables)
    assert ticker.tick() > 0
    damage.run(tables, "UPDATE tables SET game = 'kaboom', version = version + 1")
    watch.sleep(3601)
    moves = tables.look(code).table.seq
    ticker.tick()
    assert tables.look(code).table.seq > moves
    assert check(tables, code).wrong == []


def test_many_frozen_tables_keep_the_clock_from_nobody(open_tables, sqlite_url, watch):
    tables = open_tables(sqlite_url)
    frozen = [by_itself(tables) for _ in range(60)]
    watch.sleep(5)
    well = by_itself(tables, "kaboom", 20)
    for code in frozen:
        damage.other_rules(tables, code)
    watch.sleep(60)
    ticker = Ticker(tables)
    moves = tables.look(well).table.seq
    for _ in range(3):
        ticker.tick()
    assert tables.look(well).table.seq > moves


def test_any_flipped_byte_is_noticed_and_no_other_table_suffers(open_tables, sqlite_url):
    tables = open_tables(sqlite_url)
    seed = random.randrange(10**6)
    chance = random.Random(seed)
    well, _ = begun(tables, "gops", 6)
    whole = tables.look(well, "ann").table
    code, _ = begun(tables, "kaboom", 30)
    for _ in range(FLIPS):
        if chance.randrange(2):
            at = chance.randrange(10**6)
            damage.flip_body(tables, code, at)
            assert tables.look(code, "ann").mended, f"seed {seed}"
            tables.change(code, lambda transaction: None)
            assert check(tables, code).wrong == []
        else:
            seq, at = chance.randrange(1, 31), chance.randrange(10**6)
            damage.flip_move(tables, code, seq, at)
            assert is_damaged(tables, code), f"seed {seed}"
            damage.flip_move(tables, code, seq, at)
    assert tables.look(well, "ann").table == whole


def test_a_match_of_500_moves_is_rebuilt_in_no_time(open_tables, sqlite_url):
    tables = open_tables(sqlite_url)
    code, _ = begun(tables, "koth", 500)
    damage.flip_body(tables, code)
    took = []
    for _ in range(5):
        tables.seen.clear()
        began = time.process_time()
        assert tables.look(code).mended
        took.append(time.process_time() - began)
    print(f"rebuilt after 500 moves in {1000 * min(took):.0f} ms")
    assert min(took) < 0.2  # 50 ms on a quiet machine: docs/reliability.md


def test_refusals_are_sentences(tables):
    code, ann = begun(tables)
    damage.flip_seed(tables, code)
    with pytest.raises(Refusal, match="damaged"):
        in_match.submit(tables, code, ann, "flip 0.0", "", "cmd", 1, 1)


def test_who_has_left_is_away_at_a_rebuilt_table_and_who_came_back_is_not(tables):
    ids = [players.player(tables, f"key of {name}", name)[0] for name in ("Ann", "Ben", "Cid")]
    code = seating.open(tables, "kaboom", GAMES["kaboom"].options(), ids[0], "Ann")
    for player, name in zip(ids[1:], ("Ben", "Cid"), strict=True):
        seating.sit(tables, code, player, name)
    for player in ids:
        seating.ready(tables, code, player)
    sittings.leave(tables, code, ids[0])
    seating.sit(tables, code, ids[0], "Ann")
    sittings.leave(tables, code, ids[1])
    assert tables.look(code).table.playing
    damage.flip_body(tables, code)
    rebuilt = tables.look(code)
    assert rebuilt.mended
    assert [chair.present for _, chair in rebuilt.table.sitting()] == [True, False, True]


def test_a_table_of_which_only_the_state_is_lost_keeps_its_log_lines(tables):
    code, _ = begun(tables)
    before = tables.look(code).table

    def other_shape(table):
        table.state = Raw(b"[7]")

    damage.change_body(tables, code, other_shape)
    after = tables.look(code)
    assert after.mended
    assert to_json(after.table.lines(0)) == to_json(before.lines(0))
    assert (after.table.seq, after.table.chain) == (before.seq, before.chain)


def test_a_log_longer_than_what_is_stored_of_the_table_is_not_played_on(tables):
    """It may have gone on since the table was read: only what was stored with it counts."""
    code, _ = begun(tables)
    then = tables.look(code)
    play(tables, code, 3)

    def as_it_was(table):
        table.seq, table.chain, table.state = then.table.seq, then.table.chain, Raw(b"[7]")

    damage.change_body(tables, code, as_it_was)
    after = tables.look(code)
    assert after.table.seq == then.table.seq
    assert to_json(after.state) == to_json(then.state)


def test_a_log_is_whole_only_where_the_seed_and_the_key_can_be_read(tables):
    code, _ = begun(tables, moves=3)
    now = tables.look(code)
    for seed, key, whole in (
        (now.seed, now.key, True),
        (None, now.key, False),
        (now.seed, None, False),
        (None, None, False),
    ):
        assert tables.database.read(lambda c, s=seed, k=key: is_whole(c, now.table, s, k)) == whole


def test_a_bot_without_a_memory_goes_through_the_log_up_to_the_moment_it_looks_at(tables):
    """The match may have gone on since: nothing of that is remembered twice, or too soon."""
    code, _ = begun(tables, "kaboom")
    then = tables.look(code)
    memories = dict(then.table.memories)
    then.table.memories.clear()
    tables.seen.clear()
    play(tables, code, 5)
    for seat, memory in memories.items():
        assert think(tables.database, tables.aside, then, Thinking(seat, ""))[0] == memory


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
def test_who_has_left_is_what_the_house_says_in_the_log(moves, present):
    table = Table([Chair("Ann", 1), Chair("Ben", 2)], Raw(b"{}"), 1)
    recovery._note_who_left(table, [MoveRow(1, "c", text, 0.0, "") for text in moves])
    assert [chair.present for _, chair in table.sitting()] == present
