"""Boards at tables: same deal, same play, secret until closed, valid to both verifiers."""

import json

import pytest

from kaboom.accounts import players
from kaboom.engine.bots.bot import Level
from kaboom.engine.bots.delays import Pace
from kaboom.engine.codec import from_json, to_json
from kaboom.engine.moves import Move
from kaboom.errors import InvalidState, NotPermitted
from kaboom.games import GAMES, sample
from kaboom.lobby import service as lobby
from kaboom.lobby import table_settings
from kaboom.records.access import RecordNotFound
from kaboom.records.service import MatchArchive
from kaboom.records.verify import check, checked
from kaboom.table_page import hint_service, vote_service
from kaboom.table_page import service as match
from kaboom.tables import queries, start_match
from kaboom.tables.match_record import record_from, text_of
from kaboom.tables.seats import leaving
from kaboom.tables.shared_deals import queries as store
from kaboom.tables.shared_deals.service import NotDealt, add_table, one_deal, promised, seed_of
from kaboom.tables.table import Hints, Occupant
from kaboom.tables.transaction import TableTransaction
from static import verify
from tests.support.builtin_games import OURS
from tests.support.finished_matches import finish

SECRET = bytes(range(32))
LABEL = "test 1"


@pytest.fixture
def tables(open_tables, sqlite_url):
    """Whole matches are played here; another test covers the differences between stores."""
    return open_tables(sqlite_url)


def board(tables, key, label=LABEL, cut="c"):
    """Store a board for a short match of a game."""
    game = GAMES[key]
    options = one_deal(game, game.options(**sample(key).short))
    row = promised(label, game, options, SECRET, 0.0)
    tables.database.write(lambda c: store.add(c, row))
    if cut:
        tables.database.write(lambda c: store.draw_cut(c, label, cut))
    return row


def table(tables, row, name="Ann", level=Level.EASY):
    """Return the code of a table where a player plays a board with bots, and the player's id."""
    game = GAMES[row.game]
    seats = game.seats(from_json(row.options, game.options))[0]
    player, _ = players.player(tables, f"key of {name}", name)
    bots = [Occupant(f"Bot {seat}", ready=True, level=level) for seat in range(1, seats)]
    code = tables.ids.code()
    chairs = [Occupant(name, player), *bots]
    tables.database.write(lambda c: add_table(c, row, chairs, code, tables.now()))
    tables.change(code, TableTransaction.begin)
    return code, player


def stored(tables, code):
    match_id = tables.get(code).table.match_id
    return tables.database.read(lambda c: queries.match(c, match_id))


def test_board_player_gets_no_hint(tables):
    code, ann = table(tables, board(tables, "gops"))
    with pytest.raises(InvalidState, match="Hints are off"):
        hint_service.ask_hint(tables, code, ann)
    with pytest.raises(NotPermitted):
        table_settings.arrange_bots(tables, code, ann, Pace.BRISK, Hints.ALL, True)


@pytest.mark.slow
@pytest.mark.parametrize("key", OURS)
def test_board_tables_share_the_deal_and_have_valid_records(tables, key):
    row = board(tables, key)
    codes = [table(tables, row, name)[0] for name in ("Ann", "Ben")]
    one, other = (tables.get(code) for code in codes)
    assert to_json(one.state) == to_json(other.state)
    assert stored(tables, codes[0]).seed == tables.database.read(lambda c: seed_of(c, LABEL))
    finish(tables, codes[0])
    assert check(tables, codes[0]).wrong == []
    with pytest.raises(RecordNotFound):
        MatchArchive(tables).find(stored(tables, codes[0]).code, "key of Ann", host=True)
    tables.database.write(lambda c: store.close(c, [LABEL], tables.now()))
    replay, _ = MatchArchive(tables).find(stored(tables, codes[0]).code)
    assert replay.wrong == [] and replay.record.board.label == LABEL
    text = text_of(replay.record)
    assert verify.problems(text.encode(), json.loads(text)) == []
    assert verify.deal(json.loads(text))
    assert checked(record_from(text)).wrong == []


@pytest.mark.parametrize("change", ["label", "secret", "cut", "none", "cuts"])
def test_record_with_a_changed_board_fails_both_verifiers(tables, change):
    row = board(tables, "gops")
    code, _ = table(tables, row)
    finish(tables, code)
    tables.database.write(lambda c: store.close(c, [LABEL], tables.now()))
    replay, _ = MatchArchive(tables).find(stored(tables, code).code)
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


def test_standalone_verifier_prints_who_draws_from_the_stock(tables):
    row = board(tables, "kaboom")
    code, _ = table(tables, row)
    state = tables.get(code).state
    finish(tables, code)
    tables.database.write(lambda c: store.close(c, [LABEL], tables.now()))
    replay, _ = MatchArchive(tables).find(stored(tables, code).code)
    dealt = dict(verify.deal(json.loads(text_of(replay.record))))
    assert [dealt[name] for name in replay.record.names] == state.grids
    assert all(sorted(dealt[f"drawn by {who}"]) == state.stock for who in ("discard", 0, 1))
    turned_up = next(e for s in replay.steps for e in s.events if e.kind == "turned_up")
    assert dealt["drawn by discard"][0] == turned_up.facts["card"]
    drew = next(e for s in replay.steps for e in s.events if e.kind == "draw_shows")
    assert drew.facts["card"] in dealt[f"drawn by {drew.to}"][:2]


def test_boards_and_attempts_are_stored_on_both_stores(open_tables, store_url):
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
        return found, store.attempt_of(connection, LABEL, player), store.results(connection, LABEL)

    found, tried, results = tables.database.write(work)
    assert found == [row._replace(cut="c", closed_at=5.0)]
    assert (found[0].is_closed(4.9), found[0].is_closed(5.0)) == (False, True)
    assert (tried, results) == (("CODE", 7), {7: 1})


def test_board_needs_a_cut_and_keeps_the_first(tables):
    row = board(tables, "gops", cut="")
    with pytest.raises(NotDealt):
        table(tables, row)
    for cut in ("c", "d"):
        tables.database.write(lambda c, cut=cut: store.draw_cut(c, LABEL, cut))
    assert tables.database.read(lambda c: store.board(c, LABEL)).cut == "c"


def test_board_table_is_closed_to_changes_and_spectators(tables):
    row = board(tables, "kaboom")
    code, ann = table(tables, row)
    ben, _ = players.player(tables, "key of Ben", "Ben")
    assert tables.get(code, "key of Ben").closed
    forbidden = [
        lambda: lobby.sit(tables, code, ben, "Ben"),
        lambda: vote_service.propose_vote(tables, code, ann, "end"),
        lambda: vote_service.propose_vote(tables, code, ann, "pause"),
        lambda: match.start_stand_in(tables, code, ann),
        lambda: hint_service.ask_hint(tables, code, ann),
    ]
    for act in forbidden:
        with pytest.raises(InvalidState):
            act()
    finish(tables, code)
    assert tables.get(code, "key of Ben").state is None
    for act in [
        lambda: start_match.ready(tables, code, ann),
        lambda: start_match.start(tables, code, ann),
        lambda: lobby.add_bot(tables, code, ann),
        lambda: lobby.sit(tables, code, ben, "Ben"),
    ]:
        with pytest.raises(InvalidState):
            act()
    with pytest.raises(NotPermitted):
        leaving.remove(tables, code, ann, 1)


def play_it(tables, code, fake_clock, player):
    """Let the bots play as usual, and a person who always takes the first move on offer."""
    for n in range(400):
        seen = tables.get(code)
        if not seen.table.playing:
            return
        own = [li for li in seen.position.listeners if li.seat == 0]
        moves = [(li, next(iter(li.pick.legal()), None)) for li in own if li.blocks]
        moves = [(li, choices) for li, choices in moves if choices is not None]
        if moves:
            li, choices = moves[0]
            text = " ".join([li.verb, *choices])
            revision = seen.table.revision(0)
            match.submit(tables, code, player, text, li.token, f"{n}", 1, revision)
        else:
            fake_clock.sleep(30)
            tables.run_due(code)
    raise AssertionError("the match does not end")


@pytest.mark.parametrize("key", ["kaboom"])
def test_identical_play_leads_to_an_identical_result(tables, fake_clock, key):
    row = board(tables, key)
    ends = []
    for name in ("Ann", "Ben"):
        code, player = table(tables, row, name)
        fake_clock.sleep(7)
        play_it(tables, code, fake_clock, player)
        ends.append(tables.get(code))
    assert ends[0].table.outcome == ends[1].table.outcome
    assert to_json(ends[0].state) == to_json(ends[1].state)


def test_a_match_of_a_board_is_rebuilt_from_its_log(tables):
    row = board(tables, "karata")
    code, _ = table(tables, row)
    for _ in range(3):
        seen = tables.get(code)
        li = next(li for li in seen.position.listeners if li.verb == "draw")
        tables.change(code, lambda t, li=li: t.play(li_move(li), f"t {t.table.seq}"))
    before = tables.get(code)

    def spoil(connection):
        row = queries.table(connection, code)
        queries.save_table(connection, row.id, {"body": b"{", "version": row.version + 1})

    tables.database.write(spoil)
    after = tables.get(code)
    assert to_json(after.state) == to_json(before.state)
    assert after.table.board == LABEL and after.table.by_house


def li_move(li):
    return Move(li.seat, li.verb, next(iter(li.pick.legal())))
