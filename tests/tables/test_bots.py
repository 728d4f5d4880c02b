"""The bots of a table: how well they play, and who they are."""

from dataclasses import replace

import pytest

from kaboom.accounts import players
from kaboom.engine.bots.bot import Level
from kaboom.engine.bots.names import CHARACTERS, PHRASES, character, named
from kaboom.engine.codec import from_json, to_json
from kaboom.games import GAMES
from kaboom.lobby import service as seating
from kaboom.play import service as in_match
from kaboom.tables import queries
from kaboom.tables.bots.thinking import think
from kaboom.tables.clock.due import Thinking
from kaboom.tables.maintenance.recovery import rebuilt
from kaboom.tables.table import Chair, Table

EASY, NORMAL, HARD = Level


def opened(tables, game="gops", bots=1, level=NORMAL, **more):
    """Return the code of Ann's table with bots, and Ann."""
    ann, _ = players.player(tables, "key of Ann", "Ann")
    options = GAMES[game].options(**more)
    return seating.open(tables, game, options, ann, "Ann", bots, level=level), ann


def six_minutes(tables, code):
    """Let six minutes go by, and all be done that is due meanwhile."""
    for _ in range(6):
        tables.now.sleep(60)
        while tables.lapse(code):
            pass


def chairs(tables, code):
    return [chair for _, chair in tables.look(code).table.sitting()]


def test_bots_play_at_the_level_that_was_asked_for(tables):
    code, ann = opened(tables, "kaboom", 1, EASY)
    seating.add_bot(tables, code, ann, level=HARD)
    seating.add_bot(tables, code, ann)
    assert [chair.level for chair in chairs(tables, code)[1:]] == [EASY, HARD, NORMAL]
    lines = [said for _, said in tables.look(code).table.lines(0)]
    assert [
        from_json(bytes(said.facts), dict)["level"] for said in lines if said.kind == "table.bot_of"
    ] == [HARD, NORMAL]
    seating.start(tables, code, ann)
    assert sorted(tables.look(code).table.levels) == ["", EASY, HARD, NORMAL]


@pytest.mark.parametrize("level", list(Level))
def test_a_bot_thinks_at_its_level_and_in_a_persons_place_as_usual(tables, level, monkeypatch):
    asked = []
    bot = type(GAMES["gops"].bot)
    choose = bot.choose
    monkeypatch.setattr(
        bot, "choose", lambda self, *given: asked.append(given[-1]) or choose(self, *given)
    )
    code, ann = opened(tables, "gops", 1, level)
    seating.start(tables, code, ann)
    in_match.hand_over(tables, code, ann)
    six_minutes(tables, code)
    assert set(asked) == {NORMAL, level}


def test_bots_think_aside_and_never_inside_a_transaction(open_tables, sqlite_url, monkeypatch):
    """So no page waits for a bot: `aside` is another thread where a server runs."""
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
    tables = open_tables(sqlite_url, aside=lambda work, *given: within("aside", work)(*given))
    write = tables.database.write
    monkeypatch.setattr(tables.database, "write", lambda work: write(within("transaction", work)))
    code, ann = opened(tables)
    seating.start(tables, code, ann)
    in_match.ask_a_bot(tables, code, ann)
    assert thought == [("aside",)], "a hint"
    in_match.hand_over(tables, code, ann)
    while len(thought) < 6:
        tables.now.sleep(60)
        assert tables.lapse(code)
    assert set(thought) == {("aside",)}, "and moves"


def test_a_table_of_before_levels_has_bots_at_the_normal_one():
    stored = to_json(Table([Chair("Mo", ready=True)], to_json({}), 1)).replace(
        b',"level":"normal"', b""
    )
    assert b"level" not in stored.replace(b'"levels":[]', b"")
    assert from_json(stored, Table).chairs[0].level is NORMAL


def test_the_match_keeps_the_levels_of_its_bots_and_none_where_there_are_none(tables):
    code, ann = opened(tables, "gops", 1, HARD)
    seating.start(tables, code, ann)
    table = tables.look(code).table
    kept = tables.database.read(lambda c: queries.match(c, table.match_id)).levels
    assert from_json(kept, list) == table.levels
    assert sorted(table.levels) == ["", "hard"]


def test_somebody_of_the_house_comes_who_plays_at_the_level():
    for level in Level:
        taken = []
        for _ in range(len(CHARACTERS)):
            taken.append(named(level, taken))
        able = [name for name in taken if level in character(name).levels]
        assert taken[: len(able)] == able, "first those who play at that level"
        assert len(able) > 5
        assert sorted(taken) == sorted(it.name for it in CHARACTERS)
        assert named(level, taken) in taken, "then one comes twice"


def test_a_dozen_characters_say_only_what_there_are_words_for():
    assert len(CHARACTERS) == 12
    for it in CHARACTERS:
        assert set(it.says) == {"won", "lost", "called"}
        assert set(it.says.values()) <= set(PHRASES)
        assert character(f"{it.name} 2") is it
    assert max(map(len, PHRASES)) <= 16, "the column for a phrase is as long"
    assert character("Ann") is None


def test_a_table_rebuilt_from_its_match_has_its_bots_at_their_levels(tables):
    code, ann = opened(tables, "kaboom", 1, EASY)
    seating.add_bot(tables, code, ann, level=HARD)
    seating.start(tables, code, ann)

    def work(connection):
        return rebuilt(connection, queries.table(connection, code), GAMES["kaboom"], None)

    table, _ = tables.database.read(work)
    assert table.levels == tables.look(code).table.levels
    assert [table.level(seat) for seat in range(3)] == [NORMAL, EASY, HARD]


def test_what_a_level_does_not_use_is_not_stored(tables):
    code, ann = opened(tables, "taken", 1, EASY)
    for level in (NORMAL, HARD):
        seating.add_bot(tables, code, ann, level=level)
    seating.start(tables, code, ann)
    in_match.hand_over(tables, code, ann)
    six_minutes(tables, code)
    table, nothing = tables.look(code).table, to_json(GAMES["taken"].bot.memory())
    stored = {str(table.level(seat)): bytes(it) for seat, it in table.memories.items()}
    assert stored[EASY] == stored[NORMAL] == nothing
    assert len(stored[HARD]) > 5 * len(nothing)


def test_a_bot_that_needs_no_memory_reads_no_log(tables, monkeypatch):
    code, ann = opened(tables, "taken", 1, EASY)
    seating.start(tables, code, ann)
    seen = tables.look(code)
    (seat,) = seen.table.memories
    seen.table.memories.clear()
    monkeypatch.setattr(queries, "log", None)
    memory, _ = think(tables.database, tables.aside, seen, Thinking(seat, ""))
    assert bytes(memory) == to_json(GAMES["taken"].bot.memory())


def test_bots_keep_their_levels_in_a_rematch(tables):
    code, ann = opened(tables, "gops", 1, HARD)
    seating.start(tables, code, ann)
    tables.change(code, lambda transaction: transaction.stop())
    seating.start(tables, code, ann)
    table = tables.look(code).table
    assert table.match == 2
    assert table.levels == ["hard", ""], "the seats have moved on by one"


def test_in_a_game_that_has_no_bot_of_its_own_they_play_anything_that_is_allowed(
    tables, monkeypatch
):
    monkeypatch.setitem(GAMES, "gops", replace(GAMES["gops"], bot=None))
    code, ann = opened(tables, "gops", 1)
    seating.start(tables, code, ann)
    in_match.hand_over(tables, code, ann)
    six_minutes(tables, code)
    found = tables.look(code).table
    assert found.seq >= 4 and found.memories == {}
