"""The bots of a table: their levels and names."""

from dataclasses import replace

import pytest

from kaboom.accounts import players
from kaboom.engine.bots.bot import Level
from kaboom.engine.bots.names import CHARACTERS, PHRASES, character, named
from kaboom.engine.codec import from_json, to_json
from kaboom.games import GAMES
from kaboom.lobby import service as lobby
from kaboom.table_page import hint_service
from kaboom.table_page import service as match
from kaboom.tables import queries, start_match
from kaboom.tables.bot_runner.moves import think
from kaboom.tables.clock.timer_kinds import Thinking
from kaboom.tables.maintenance.recovery import rebuilt
from kaboom.tables.table import Occupant, Table

EASY, NORMAL, HARD = Level


def opened(tables, game="gops", bots=1, level=NORMAL, **more):
    """Return the code of Ann's table with bots, and Ann."""
    ann, _ = players.player(tables, "key of Ann", "Ann")
    options = GAMES[game].options(**more)
    return lobby.open(tables, game, options, ann, "Ann", bots, level=level), ann


def six_minutes(tables, code):
    """Let six minutes pass with everything due."""
    for _ in range(6):
        tables.now.sleep(60)
        while tables.run_due(code):
            pass


def chairs(tables, code):
    return [occupant for _, occupant in tables.get(code).table.sitting()]


def test_bots_play_at_the_requested_level(tables):
    code, ann = opened(tables, "kaboom", 1, EASY)
    lobby.add_bot(tables, code, ann, level=HARD)
    lobby.add_bot(tables, code, ann)
    assert [occupant.level for occupant in chairs(tables, code)[1:]] == [EASY, HARD, NORMAL]
    lines = [said for _, said in tables.get(code).table.lines(0)]
    assert [
        from_json(bytes(said.facts), dict)["level"] for said in lines if said.kind == "table.bot_of"
    ] == [HARD, NORMAL]
    start_match.start(tables, code, ann)
    assert sorted(tables.get(code).table.levels) == ["", EASY, HARD, NORMAL]


@pytest.mark.parametrize("level", list(Level))
def test_bot_thinks_at_its_level_and_normally_as_substitute(tables, level, monkeypatch):
    asked = []
    bot = type(GAMES["gops"].bot)
    choose = bot.choose
    monkeypatch.setattr(
        bot, "choose", lambda self, *given: asked.append(given[-1]) or choose(self, *given)
    )
    code, ann = opened(tables, "gops", 1, level)
    start_match.start(tables, code, ann)
    match.start_stand_in(tables, code, ann)
    six_minutes(tables, code)
    assert set(asked) == {NORMAL, level}


def test_bots_think_in_a_thread_outside_transactions(open_tables, sqlite_url, monkeypatch):
    """On a server `aside` is another thread, so that no page waits for a bot."""
    inside, thought = [], []
    weigh = GAMES["gops"].bot.weigh

    def within(name, work):
        def wrapped(*given):
            inside.append(name)
            try:
                return work(*given)
            finally:
                inside.remove(name)

        return wrapped

    def recorded(*given):
        thought.append(tuple(inside))
        return weigh(*given)

    monkeypatch.setitem(vars(GAMES["gops"].bot), "weigh", recorded)
    tables = open_tables(
        sqlite_url, run_in_thread=lambda work, *given: within("aside", work)(*given)
    )
    write = tables.database.write
    monkeypatch.setattr(tables.database, "write", lambda work: write(within("transaction", work)))
    code, ann = opened(tables)
    start_match.start(tables, code, ann)
    hint_service.ask_hint(tables, code, ann)
    assert thought == [("aside",)], "a hint"
    match.start_stand_in(tables, code, ann)
    while len(thought) < 6:
        tables.now.sleep(60)
        assert tables.run_due(code)
    assert set(thought) == {("aside",)}, "and moves"


def test_bot_stored_without_a_level_is_normal():
    stored = to_json(Table([Occupant("Mo", ready=True)], to_json({}), 1)).replace(
        b',"level":"normal"', b""
    )
    assert b"level" not in stored.replace(b'"levels":[]', b"")
    assert from_json(stored, Table).chairs[0].level is NORMAL


def test_match_keeps_bot_levels_and_none_without_bots(tables):
    code, ann = opened(tables, "gops", 1, HARD)
    start_match.start(tables, code, ann)
    table = tables.get(code).table
    kept = tables.database.read(lambda c: queries.match(c, table.match_id)).levels
    assert from_json(kept, list) == table.levels
    assert sorted(table.levels) == ["", "hard"]


def test_named_bot_plays_at_the_requested_level():
    for level in Level:
        taken = []
        for _ in range(len(CHARACTERS)):
            taken.append(named(level, taken))
        able = [name for name in taken if level in character(name).levels]
        assert taken[: len(able)] == able, "first those who play at that level"
        assert len(able) > 5
        assert sorted(taken) == sorted(it.name for it in CHARACTERS)
        assert named(level, taken) in taken, "then one is repeated"


def test_bot_personas_use_only_existing_phrases():
    assert len(CHARACTERS) == 12
    for it in CHARACTERS:
        assert set(it.says) == {"won", "lost", "called"}
        assert set(it.says.values()) <= set(PHRASES)
        assert character(f"{it.name} 2") is it
    assert max(map(len, PHRASES)) <= 16, "the column for a phrase is as long"
    assert character("Ann") is None


def test_rebuilt_table_keeps_its_bots_levels(tables):
    code, ann = opened(tables, "kaboom", 1, EASY)
    lobby.add_bot(tables, code, ann, level=HARD)
    start_match.start(tables, code, ann)

    def work(connection):
        return rebuilt(connection, queries.table(connection, code), GAMES["kaboom"], None)

    table, _ = tables.database.read(work)
    assert table.levels == tables.get(code).table.levels
    assert [table.level(seat) for seat in range(3)] == [NORMAL, EASY, HARD]


def test_unused_bot_memory_is_not_stored(tables):
    code, ann = opened(tables, "taken", 1, EASY)
    for level in (NORMAL, HARD):
        lobby.add_bot(tables, code, ann, level=level)
    start_match.start(tables, code, ann)
    match.start_stand_in(tables, code, ann)
    six_minutes(tables, code)
    table, nothing = tables.get(code).table, to_json(GAMES["taken"].bot.memory())
    stored = {str(table.level(seat)): bytes(it) for seat, it in table.memories.items()}
    assert stored[EASY] == stored[NORMAL] == nothing
    assert len(stored[HARD]) > 5 * len(nothing)


def test_a_bot_that_needs_no_memory_reads_no_log(tables, monkeypatch):
    code, ann = opened(tables, "taken", 1, EASY)
    start_match.start(tables, code, ann)
    seen = tables.get(code)
    (seat,) = seen.table.memories
    seen.table.memories.clear()
    monkeypatch.setattr(queries, "log", None)
    memory, _ = think(tables.database, tables.run_in_thread, seen, Thinking(seat, ""))
    assert bytes(memory) == to_json(GAMES["taken"].bot.memory())


def test_bots_keep_their_levels_in_a_rematch(tables):
    code, ann = opened(tables, "gops", 1, HARD)
    start_match.start(tables, code, ann)
    tables.change(code, lambda transaction: transaction.stop())
    start_match.start(tables, code, ann)
    table = tables.get(code).table
    assert table.match == 2
    assert table.levels == ["hard", ""], "the seats have moved on by one"


def test_game_without_a_bot_has_random_bots(tables, monkeypatch):
    monkeypatch.setitem(GAMES, "gops", replace(GAMES["gops"], bot=None))
    code, ann = opened(tables, "gops", 1)
    start_match.start(tables, code, ann)
    match.start_stand_in(tables, code, ann)
    six_minutes(tables, code)
    found = tables.get(code).table
    assert found.seq >= 4 and found.memories == {}


def test_player_alone_with_bots_keeps_the_seat_that_a_bot_played(tables):
    code, ann = opened(tables, "gops", 1)
    start_match.start(tables, code, ann)
    match.start_stand_in(tables, code, ann)
    tables.change(code, lambda transaction: transaction.stop())
    kept = tables.get(code).table.chairs[0]
    assert kept.player == ann and not kept.stand_in
