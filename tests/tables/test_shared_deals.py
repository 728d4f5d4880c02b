"""Boards at tables: dealt alike, played alike, secret until closed, true to both verifiers."""

import json

import pytest

from kaboom.accounts import players
from kaboom.engine.bots.bot import Level
from kaboom.engine.bots.delays import Pace
from kaboom.engine.codec import from_json, to_json
from kaboom.engine.moves import Move
from kaboom.errors import InvalidState, NotPermitted
from kaboom.games import GAMES, sample
from kaboom.lobby import host
from kaboom.lobby import service as seating
from kaboom.play import service as in_match
from kaboom.play import votes
from kaboom.records.replay import check, checked
from kaboom.records.service import Library, RecordNotFound
from kaboom.tables import queries
from kaboom.tables.match_record import record_from, text_of
from kaboom.tables.shared_deals import queries as store
from kaboom.tables.shared_deals.service import NotDealt, add_table, one_deal, promised, seed_of
from kaboom.tables.table import Chair, Hints
from kaboom.tables.transaction import TableTransaction
from static import verify
from tests.support.builtin_games import OURS
from tests.support.finished_matches import finish

SECRET = bytes(range(32))
LABEL = "test 1"


@pytest.fixture
def tables(open_tables, sqlite_url):
    """Whole matches are played here; what the stores do differently has a test of its own."""
    return open_tables(sqlite_url)


def board(tables, key, label=LABEL, cut="c"):
    """Keep a board of a short match of a game."""
    game = GAMES[key]
    options = one_deal(game, game.options(**sample(key).short))
    row = promised(label, game, options, SECRET, 0.0)
    tables.database.write(lambda c: store.add(c, row))
    if cut:
        tables.database.write(lambda c: store.draw_cut(c, label, cut))
    return row


def table(tables, row, name="Ann", level=Level.EASY):
    """Return the code of a table at which somebody plays a board with bots, and their id."""
    game = GAMES[row.game]
    seats = game.seats(from_json(row.options, game.options))[0]
    player, _ = players.player(tables, f"key of {name}", name)
    bots = [Chair(f"Bot {seat}", ready=True, level=level) for seat in range(1, seats)]
    code = tables.lots.code()
    chairs = [Chair(name, player), *bots]
    tables.database.write(lambda c: add_table(c, row, chairs, code, tables.now()))
    tables.change(code, TableTransaction.begin)
    return code, player


def stored(tables, code):
    match_id = tables.look(code).table.match_id
    return tables.database.read(lambda c: queries.match(c, match_id))


def test_nobody_who_plays_a_board_is_told_what_a_bot_would_do(tables):
    code, ann = table(tables, board(tables, "gops"))
    with pytest.raises(InvalidState, match="nobody is told"):
        in_match.ask_a_bot(tables, code, ann)
    with pytest.raises(NotPermitted):
        host.arrange_bots(tables, code, ann, Pace.BRISK, Hints.ALL, True)


@pytest.mark.parametrize("key", OURS)
def test_all_tables_of_a_board_have_its_deal_and_their_records_are_true(tables, key):
    row = board(tables, key)
    codes = [table(tables, row, name)[0] for name in ("Ann", "Ben")]
    one, other = (tables.look(code) for code in codes)
    assert to_json(one.state) == to_json(other.state)
    assert stored(tables, codes[0]).seed == tables.database.read(lambda c: seed_of(c, LABEL))
    finish(tables, codes[0])
    assert check(tables, codes[0]).wrong == []
    with pytest.raises(RecordNotFound):
        Library(tables).find(stored(tables, codes[0]).code, "key of Ann", host=True)
    tables.database.write(lambda c: store.close(c, [LABEL], tables.now()))
    replay, _ = Library(tables).find(stored(tables, codes[0]).code)
    assert replay.wrong == [] and replay.record.board.label == LABEL
    text = text_of(replay.record)
    assert verify.problems(text.encode(), json.loads(text)) == []
    assert verify.deal(json.loads(text))
    assert checked(record_from(text)).wrong == []


@pytest.mark.parametrize("change", ["label", "secret", "cut", "none", "cuts"])
def test_a_record_that_names_another_board_is_found_out_by_both(tables, change):
    row = board(tables, "gops")
    code, _ = table(tables, row)
    finish(tables, code)
    tables.database.write(lambda c: store.close(c, [LABEL], tables.now()))
    replay, _ = Library(tables).find(stored(tables, code).code)
    record = json.loads(text_of(replay.record))
    match change:
        case "none":
            del record["board"]
        case "cuts":
            record["cuts"][0] = "mine"
        case "secret":
            record["board"]["secret"] = "00" * 32
        case _:
            record["board"][change] += "x"
    text = verify.canonical(record)
    assert verify.problems(text.encode(), verify.read(text.encode()))
    assert checked(record_from(text)).wrong


def test_the_stand_alone_verifier_prints_by_whom_the_stock_is_drawn(tables):
    row = board(tables, "kaboom")
    code, _ = table(tables, row)
    state = tables.look(code).state
    finish(tables, code)
    tables.database.write(lambda c: store.close(c, [LABEL], tables.now()))
    replay, _ = Library(tables).find(stored(tables, code).code)
    dealt = dict(verify.deal(json.loads(text_of(replay.record))))
    assert [dealt[name] for name in replay.record.names] == state.grids
    assert all(sorted(dealt[f"drawn by {who}"]) == state.stock for who in ("discard", 0, 1))
    turned_up = next(e for s in replay.steps for e in s.events if e.kind == "turned_up")
    assert dealt["drawn by discard"][0] == turned_up.facts["card"]
    drew = next(e for s in replay.steps for e in s.events if e.kind == "draw_shows")
    assert drew.facts["card"] in dealt[f"drawn by {drew.to}"][:2]


def test_both_stores_keep_boards_and_tries(open_tables, store_url):
    tables = open_tables(store_url)
    row = board(tables, "gops", cut="")
    player, _ = players.player(tables, "key of Ann", "Ann")

    def work(connection):
        store.draw_cut(connection, LABEL, "c")
        store.add_try(connection, LABEL, player, "CODE")
        store.end_try(connection, LABEL, player, "CODE", 7)
        store.end_try(connection, LABEL, player, "CODE", 9)
        store.close(connection, [LABEL], 5.0)
        found = store.between(connection, "test 0", "test 9")
        return found, store.try_of(connection, LABEL, player), store.results(connection, LABEL)

    found, tried, results = tables.database.write(work)
    assert found == [row._replace(cut="c", closed_at=5.0)]
    assert (found[0].is_closed(4.9), found[0].is_closed(5.0)) == (False, True)
    assert (tried, results) == (("CODE", 7), {7: 1})


def test_there_is_no_deal_before_there_is_a_cut_and_the_first_cut_stays(tables):
    row = board(tables, "gops", cut="")
    with pytest.raises(NotDealt):
        table(tables, row)
    for cut in ("c", "d"):
        tables.database.write(lambda c, cut=cut: store.draw_cut(c, LABEL, cut))
    assert tables.database.read(lambda c: store.board(c, LABEL)).cut == "c"


def test_nobody_changes_such_a_table_or_looks_at_it_from_outside(tables):
    row = board(tables, "kaboom")
    code, ann = table(tables, row)
    ben, _ = players.player(tables, "key of Ben", "Ben")
    assert tables.look(code, "key of Ben").closed
    forbidden = [
        lambda: seating.sit(tables, code, ben, "Ben"),
        lambda: votes.propose(tables, code, ann, "end"),
        lambda: votes.propose(tables, code, ann, "pause"),
        lambda: in_match.hand_over(tables, code, ann),
        lambda: in_match.ask_a_bot(tables, code, ann),
    ]
    for act in forbidden:
        with pytest.raises(InvalidState):
            act()
    finish(tables, code)
    assert tables.look(code, "key of Ben").state is None
    for act in [
        lambda: seating.ready(tables, code, ann),
        lambda: seating.start(tables, code, ann),
        lambda: seating.add_bot(tables, code, ann),
        lambda: seating.sit(tables, code, ben, "Ben"),
    ]:
        with pytest.raises(InvalidState):
            act()
    with pytest.raises(NotPermitted):
        seating.remove(tables, code, ann, 1)


def play_it(tables, code, watch, player):
    """Let the bots play as they do, and a person who always takes the first thing on offer."""
    for n in range(400):
        seen = tables.look(code)
        if not seen.table.playing:
            return
        own = [li for li in seen.position.listeners if li.seat == 0]
        moves = [(li, next(iter(li.pick.legal()), None)) for li in own if li.blocks]
        moves = [(li, choices) for li, choices in moves if choices is not None]
        if moves:
            li, choices = moves[0]
            text = " ".join([li.verb, *choices])
            revision = seen.table.revision(0)
            in_match.submit(tables, code, player, text, li.token, f"{n}", 1, revision)
        else:
            watch.sleep(30)
            tables.lapse(code)
    raise AssertionError("the match does not end")


@pytest.mark.parametrize("key", ["kaboom"])
def test_equal_play_leads_to_an_equal_result(tables, watch, key):
    row = board(tables, key)
    ends = []
    for name in ("Ann", "Ben"):
        code, player = table(tables, row, name)
        watch.sleep(7)
        play_it(tables, code, watch, player)
        ends.append(tables.look(code))
    assert ends[0].table.outcome == ends[1].table.outcome
    assert to_json(ends[0].state) == to_json(ends[1].state)


def test_a_match_of_a_board_is_rebuilt_from_its_log(tables):
    row = board(tables, "karata")
    code, _ = table(tables, row)
    for _ in range(3):
        seen = tables.look(code)
        li = next(li for li in seen.position.listeners if li.verb == "draw")
        tables.change(code, lambda t, li=li: t.play(li_move(li), f"t {t.table.seq}"))
    before = tables.look(code)

    def spoil(connection):
        row = queries.table(connection, code)
        queries.save_table(connection, row.id, {"body": b"{", "version": row.version + 1})

    tables.database.write(spoil)
    after = tables.look(code)
    assert to_json(after.state) == to_json(before.state)
    assert after.table.board == LABEL and after.table.by_house


def li_move(li):
    return Move(li.seat, li.verb, next(iter(li.pick.legal())))
