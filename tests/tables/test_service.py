"""The table service on both stores: people, bots and the clock use the same entry point."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from kaboom.accounts import players
from kaboom.db.database import Unavailable
from kaboom.db.signals import Signals
from kaboom.engine.codec import from_json, to_json
from kaboom.engine.engine import clocks, prompt, random_move, waiting_for
from kaboom.engine.fairness.commitment import commitment
from kaboom.engine.fairness.hash_chain import linked
from kaboom.engine.log_replay import replay
from kaboom.engine.moves import IllegalMove, NotOnOffer, Refusal, StaleMove
from kaboom.engine.rng import Rng
from kaboom.errors import InvalidState, NotPermitted, TableNotFound
from kaboom.games import GAMES
from kaboom.lobby import service as lobby
from kaboom.table_page import service as match_service
from kaboom.tables import queries, start_match
from kaboom.tables.clock.timer_kinds import Reaction, Thinking
from kaboom.tables.clock.timers import first_due
from kaboom.tables.maintenance.interventions import AHEAD, renumber
from kaboom.tables.seats import leaving

KABOOM = GAMES["kaboom"]


def people(tables, *names):
    return [players.player(tables, f"key of {name}", name)[0] for name in names]


def opened(tables, *names, bots=0, options=None):
    """Return code and player ids of a table at which these people sit."""
    ids = people(tables, *names)
    code = lobby.open(tables, "kaboom", options or KABOOM.options(), ids[0], names[0], bots)
    for player, name in zip(ids[1:], names[1:], strict=True):
        lobby.sit(tables, code, player, name)
    return code, ids


def playing(tables, *names, bots=0, options=None):
    code, ids = opened(tables, *names, bots=bots, options=options)
    for player in ids:
        start_match.ready(tables, code, player)
    assert tables.get(code).table.playing
    return code, ids


def press(tables, code, player, verb, choice="", cmd=None):
    """Send what a newly loaded page of this player would send."""
    snapshot = tables.get(code)
    seat = snapshot.table.seat_of(player)
    offer = prompt(snapshot.game, snapshot.state, seat).offer(verb)
    token = offer.token if offer else "none"
    revision = snapshot.table.revision(seat)
    match_service.submit(
        tables,
        code,
        player,
        f"{verb} {choice}".strip(),
        token,
        cmd or f"{seat} {revision} {verb} {choice}",
        snapshot.table.match,
        revision,
    )


def all_ready(tables, code, ids):
    for player in ids:
        press(tables, code, player, "ready")


def moves_of(tables, code):
    match_id = tables.get(code).table.match_id
    return tables.database.read(lambda connection: queries.log(connection, match_id))


def test_number_of_cached_tables_is_limited(tables, monkeypatch):
    monkeypatch.setattr("kaboom.tables.cache.MOST", 2)
    codes = [opened(tables, "Ann")[0] for _ in range(4)]
    for code in codes:
        tables.get(code)
    assert len(tables.seen) == 2
    assert tables.get(codes[0]).code == codes[0]


def test_match_starts_when_all_seated_players_are_ready(tables):
    code, (ann, ben) = opened(tables, "Ann", "Ben")
    start_match.ready(tables, code, ann)
    assert not tables.get(code).table.playing
    start_match.ready(tables, code, ben)
    table = tables.get(code).table
    assert table.playing
    assert table.seats == ["Ann", "Ben"]


def test_lone_player_does_not_start_a_match(tables):
    code, (ann,) = opened(tables, "Ann")
    start_match.ready(tables, code, ann)
    assert not tables.get(code).table.playing
    with pytest.raises(InvalidState, match="needs 2 players"):
        start_match.start(tables, code, ann)


def test_the_host_may_start_without_waiting_for_the_others(tables):
    code, (ann, ben) = opened(tables, "Ann", "Ben")
    with pytest.raises(NotPermitted):
        start_match.start(tables, code, ben)
    start_match.start(tables, code, ann)
    assert tables.get(code).table.playing


def test_the_seed_is_committed_to_before_the_deal(tables):
    code, _ = playing(tables, "Ann", "Ben")
    snapshot = tables.get(code)
    assert snapshot.table.commitment == commitment(snapshot.seed)


def test_unknown_table_is_not_found(tables):
    with pytest.raises(TableNotFound):
        tables.get("NOTATABL")


def test_a_fifth_person_finds_no_chair(tables):
    code, _ = opened(tables, "Ann", "Ben", "Cid", "Dot")
    (eve,) = people(tables, "Eve")
    with pytest.raises(InvalidState, match="All seats are taken"):
        lobby.sit(tables, code, eve, "Eve")
    assert tables.get(code).table.seat_of(eve) is None


def test_players_of_the_same_name_are_distinguished(tables):
    code, _ = opened(tables, "Ann")
    other = players.player(tables, "another key", "ann")[0]
    lobby.sit(tables, code, other, "ann")
    assert [occupant.name for _, occupant in tables.get(code).table.sitting()] == ["Ann", "ann 2"]


def test_second_sit_request_has_no_effect(tables):
    code, (_ann, ben) = opened(tables, "Ann", "Ben")
    lobby.sit(tables, code, ben, "Ben")
    assert len(tables.get(code).table.sitting()) == 2


def test_only_the_host_removes_players(tables):
    code, (ann, ben) = opened(tables, "Ann", "Ben")
    with pytest.raises(NotPermitted):
        leaving.remove(tables, code, ben, 0)
    leaving.remove(tables, code, ann, 1)
    assert tables.get(code).table.seat_of(ben) is None


def test_removed_player_is_shown_as_removed_and_leaver_as_gone(tables):
    code, (ann, _ben) = opened(tables, "Ann", "Ben")
    leaving.remove(tables, code, ann, 1)
    leaving.remove(tables, code, ann, 0)
    told = [
        (said.kind, from_json(bytes(said.facts), dict)["who"])
        for said in tables.get(code).table.told[-2:]
    ]
    assert told == [("table.removed", "Ben"), ("table.left", "Ann")]


def test_the_host_role_passes_on_when_the_host_leaves(tables):
    code, (ann, ben) = opened(tables, "Ann", "Ben")
    leaving.leave(tables, code, ann)
    assert tables.get(code).table.host == ben


def test_a_bot_takes_a_chair_and_plays_through_the_clock(tables, fake_clock):
    code, (ann,) = opened(tables, "Ann")
    lobby.add_bot(tables, code, ann)
    start_match.ready(tables, code, ann)
    press(tables, code, ann, "ready")
    before = tables.get(code).table.seq
    assert tables.due() == []
    fake_clock.sleep(3)
    assert tables.due() == [code]
    assert tables.run_due(code)
    assert tables.get(code).table.seq == before + 1


def test_a_match_of_bots_and_one_person_is_played_to_the_end(tables, fake_clock):
    options = KABOOM.options(rounds=2)
    code, (ann,) = playing(tables, "Ann", bots=3, options=options)
    for n in range(3000):
        snapshot = tables.get(code)
        if snapshot.table.outcome is not None:
            break
        seat = snapshot.table.seat_of(ann)
        if seat in waiting_for(KABOOM, snapshot.state):
            move = random_move(KABOOM, snapshot.state, seat, Rng(bytes(32), n, "ann"))
            press(tables, code, ann, move.verb, " ".join(move.choices))
        else:
            fake_clock.sleep(5)
            tables.run_due(code)
    assert snapshot.table.outcome is not None
    assert not snapshot.table.playing
    check_record(tables, code)


def check_record(tables, code):
    """The log is dense and chained, and replays to the table's state."""
    snapshot = tables.get(code)
    table = snapshot.table
    log = moves_of(tables, code)
    assert [row.seq for row in log] == list(range(1, table.seq + 1))
    chain = table.commitment
    for row in log:
        chain = linked(snapshot.key, chain, row.seq, row.cmd, row.text, row.at)
        assert row.chain == chain
    assert chain == table.chain
    options = from_json(bytes(table.options), snapshot.game.options)
    texts = [row.text for row in log]
    *_, (_, last) = replay(snapshot.game, len(table.seats), options, snapshot.key, texts)
    assert to_json(last.state) == to_json(snapshot.state)


def test_a_move_survives_a_restart(open_tables, store_url):
    first = open_tables(store_url)
    code, ids = playing(first, "Ann", "Ben")
    all_ready(first, code, ids)
    press(first, code, ids[0], "draw")
    again = open_tables(store_url)
    snapshot = again.get(code)
    assert to_json(snapshot.state) == to_json(first.get(code).state)
    assert prompt(KABOOM, snapshot.state, 0).offer("discard")
    press(again, code, ids[0], "discard")
    # … and the first process sees the second one's change.
    assert first.get(code).table.seq == snapshot.table.seq + 1
    check_record(first, code)


def test_a_form_sent_twice_makes_one_move(tables):
    code, ids = playing(tables, "Ann", "Ben")
    press(tables, code, ids[0], "ready", cmd="once")
    revision = tables.get(code).table.revision(0)
    match_service.submit(tables, code, ids[0], "ready", "whatever", "once", 1, revision)
    assert [row.text for row in moves_of(tables, code)] == ["0 ready"]


def test_command_ids_of_others_and_the_server_cannot_be_used_up(tables, fake_clock):
    code, ids = playing(tables, "Ann", "Ben", options=KABOOM.options(peek_seconds=10))
    press(tables, code, ids[0], "peek", cmd="clock 2")
    press(tables, code, ids[1], "peek", cmd="clock 2")
    fake_clock.sleep(10)
    assert tables.run_due(code)
    assert [row.cmd for row in moves_of(tables, code)] == ["0 clock 2", "1 clock 2", "clock 3"]


def test_another_move_from_the_same_form_is_too_late(tables):
    code, ids = playing(tables, "Ann", "Ben")
    press(tables, code, ids[0], "peek", cmd="once")
    with pytest.raises(StaleMove, match="already answered"):
        press(tables, code, ids[0], "ready", cmd="once")


def test_stale_form_is_too_late_and_forged_form_is_refused(tables):
    code, ids = playing(tables, "Ann", "Ben")
    snapshot = tables.get(code)
    old = snapshot.table.revision(0)
    token = prompt(KABOOM, snapshot.state, 0).offer("ready").token
    all_ready(tables, code, ids)
    before = to_json(tables.get(code).table)
    for text, cmd, match, error in [
        ("ready", "a", 1, StaleMove),  # the prompt it answered is gone
        ("draw", "b", 0, StaleMove),  # another match
        ("take all", "c", 1, Refusal),
        ("", "d", 1, NotOnOffer),
    ]:
        with pytest.raises(error):
            match_service.submit(tables, code, ids[0], text, token, cmd, match, old)
    now = tables.get(code).table.revision(0)
    with pytest.raises(NotOnOffer):
        match_service.submit(tables, code, ids[0], "discard", token, "e", 1, now)
    with pytest.raises(IllegalMove):
        press(tables, code, ids[1], "flip", "9.9")
    stranger = players.player(tables, "stranger", "Eve")[0]
    with pytest.raises(NotPermitted):
        match_service.submit(tables, code, stranger, "draw", token, "f", 1, now)
    assert to_json(tables.get(code).table) == before


def test_private_event_raises_only_its_viewers_revision(tables):
    code, ids = playing(tables, "Ann", "Ben")
    all_ready(tables, code, ids)
    press(tables, code, ids[0], "draw")
    before = tables.get(code).table
    revisions = [before.revision(v) for v in (0, 1, None)]
    assert len(set(revisions)) == 3, "each viewer has separate numbers"


def test_refused_move_does_not_increase_the_revision(tables):
    code, ids = playing(tables, "Ann", "Ben")
    before = [tables.get(code).table.revision(v) for v in (0, 1, None)]
    with pytest.raises(Refusal):
        press(tables, code, ids[0], "draw")
    assert [tables.get(code).table.revision(v) for v in (0, 1, None)] == before


def test_change_is_announced_only_once_it_is_visible(open_tables, store_url):
    seen = []
    told = Signals(changed=lambda code, due_in: seen.append(tables.get(code).version))
    tables = open_tables(store_url, signals=told)
    code, ids = opened(tables, "Ann", "Ben")
    seen.clear()
    start_match.ready(tables, code, ids[0])
    start_match.ready(tables, code, ids[0])  # changes nothing, so no player is told
    assert seen == [tables.get(code).version]


def test_a_deadline_is_kept_while_the_same_decision_is_on_offer(tables, fake_clock):
    options = KABOOM.options(turn_seconds=30)
    code, ids = playing(tables, "Ann", "Ben", options=options)
    all_ready(tables, code, ids)
    (first,) = list(tables.get(code).table.timers.values())
    fake_clock.sleep(10)
    stack = len(tables.get(code).state.grids[1])
    tries = [f"1.{slot}" for slot in range(stack)]
    press(tables, code, ids[1], "flip", tries[0])  # right or wrong, Ann's clock keeps running
    snapshot = tables.get(code)
    running = {str(li.clock_move).split(" ", 1)[1] for li in clocks(KABOOM, snapshot.state)}
    assert set(snapshot.table.timers) == running
    assert min(t.due for t in snapshot.table.timers.values() if t.due) == first.due


def test_a_deadline_fires_once_and_survives_a_restart(open_tables, store_url, fake_clock):
    options = KABOOM.options(turn_seconds=30)
    first, second = open_tables(store_url), open_tables(store_url)
    code, ids = playing(first, "Ann", "Ben", options=options)
    all_ready(first, code, ids)
    seq = first.get(code).table.seq
    fake_clock.sleep(29)
    assert second.due() == []
    assert not second.run_due(code)
    fake_clock.sleep(1)
    assert second.due() == [code]
    with ThreadPoolExecutor(2) as both:
        done = list(both.map(lambda tables: tables.run_due(code), [first, second]))
    assert sorted(done) == [False, True]
    assert first.get(code).table.seq == seq + 1
    check_record(first, code)


def between_look_and_change(monkeypatch, tables, happens):
    """Call a function after the clock has read a table and before it changes the table."""
    change = tables.change

    def later(code, work):
        monkeypatch.setattr(tables, "change", change)
        happens()
        return change(code, work)

    monkeypatch.setattr(tables, "change", later)


def test_request_for_more_time_at_the_last_instant_succeeds(tables, fake_clock, monkeypatch):
    """The clock has noticed that time is up, but acts a moment after the press."""
    code, ids = playing(tables, "Ann", "Ben", options=KABOOM.options(turn_seconds=30))
    all_ready(tables, code, ids)
    before = tables.get(code).table.seq
    fake_clock.sleep(30)
    between_look_and_change(
        monkeypatch, tables, lambda: match_service.more_time(tables, code, ids[0])
    )
    assert not tables.run_due(code)
    table = tables.get(code).table
    assert table.seq == before
    assert [timer.due - fake_clock() for timer in table.timers.values()] == [30]


def test_bot_move_for_an_outdated_table_is_not_played(tables, fake_clock, monkeypatch):
    """Ann flips a wrong card while the bot thinks: the prompt is the same, but the bot's idea is
    outdated."""
    code, (ann,) = playing(tables, "Ann", bots=1, options=KABOOM.options(flip_penalty=0))
    all_ready(tables, code, [ann])
    while prompt(KABOOM, tables.get(code).state, 0).offer("draw") is None:
        fake_clock.sleep(3)
        assert tables.run_due(code)  # the bot peeks and is ready, too
    for verb in ("draw", "discard"):
        press(tables, code, ann, verb)
    fake_clock.sleep(9)
    state = tables.get(code).state
    top = state.discards[-1].card[0]
    wrong = next(f"0.{n}" for n, card in enumerate(state.grids[0]) if card and card[0] != top)
    due = first_due(tables.get(code).table, fake_clock())
    assert isinstance(due, Thinking | Reaction) and due.seat == 1
    before = tables.get(code).table.seq
    between_look_and_change(monkeypatch, tables, lambda: press(tables, code, ann, "flip", wrong))
    assert not tables.run_due(code)
    table = tables.get(code).table
    assert table.seq == before + 1
    assert first_due(table, fake_clock()) == due, "the bot's question is unchanged"
    assert tables.run_due(code)
    check_record(tables, code)


def test_player_who_leaves_is_played_for_and_may_return(tables, fake_clock):
    code, ids = playing(tables, "Ann", "Ben", "Cid")
    all_ready(tables, code, ids)
    leaving.leave(tables, code, ids[0])
    assert not tables.get(code).table.chairs[0].present
    for _ in range(2):  # draw, discard
        assert tables.run_due(code)
    assert waiting_for(KABOOM, tables.get(code).state) == [1]
    lobby.sit(tables, code, ids[0], "Ann")
    table = tables.get(code).table
    assert table.chairs[0].present
    assert table.seat_of(ids[0]) == 0
    check_record(tables, code)


def test_stranger_cannot_take_a_departed_players_seat(tables):
    code, ids = playing(tables, "Ann", "Ben", "Cid")
    leaving.leave(tables, code, ids[0])
    (eve,) = people(tables, "Eve")
    with pytest.raises(InvalidState):
        lobby.sit(tables, code, eve, "Ann", 0)


@pytest.mark.parametrize("seat", [None, 3])
def test_free_chair_stays_free_during_a_match(tables, seat):
    code, _ = playing(tables, "Ann", "Ben")
    before = to_json(tables.get(code).table)
    (eve,) = people(tables, "Eve")
    with pytest.raises(InvalidState, match="The match has begun"):
        lobby.sit(tables, code, eve, "Eve", seat)
    assert to_json(tables.get(code).table) == before


def test_match_ends_when_all_but_one_player_leave(tables):
    code, ids = playing(tables, "Ann", "Ben")
    leaving.leave(tables, code, ids[1])
    table = tables.get(code).table
    assert not table.playing
    assert table.outcome.reason == "abandoned"


def test_rematch_keeps_the_players_and_changes_the_starter(tables):
    code, ids = playing(tables, "Ann", "Ben", "Cid")
    leaving.leave(tables, code, ids[1])
    leaving.leave(tables, code, ids[2])
    for player, name in zip(ids[1:], ("Ben", "Cid"), strict=True):
        assert tables.get(code).table.seat_of(player) is None, (
            "the table does not wait for a player who left"
        )
        lobby.sit(tables, code, player, name)
    for player in ids:
        start_match.ready(tables, code, player)
    table = tables.get(code).table
    assert table.playing
    assert table.match == 2
    assert table.seats == ["Ben", "Cid", "Ann"]
    assert table.seat_of(ids[0]) == 2


def test_concurrent_moves_leave_a_dense_log(open_tables, store_url):
    """Eight threads make random moves; the log stays one sequence of moves."""
    tables = open_tables(store_url)
    code, ids = playing(tables, "Ann", "Ben", "Cid", "Dot")
    all_ready(tables, code, ids)

    def presses(n):
        done = 0
        for i in range(12):
            snapshot = tables.get(code)
            seat = n % 4
            move = random_move(KABOOM, snapshot.state, seat, Rng(bytes(32), i, f"hand {n}"))
            player = next(c.player for c in [snapshot.table.chairs[seat]])
            if move is None or not snapshot.table.playing:
                continue
            try:
                press(tables, code, player, move.verb, " ".join(move.choices), f"{n} {i}")
                done += 1
            except (Refusal, Unavailable):  # on a slow machine the store may ask to try again later
                pass
        return done

    with ThreadPoolExecutor(8) as hands:
        accepted = sum(hands.map(presses, range(8)))
    assert accepted
    assert len([row for row in moves_of(tables, code) if row.cmd[0].isdigit()]) >= accepted
    check_record(tables, code)


def test_process_does_not_re_read_its_own_change(tables, monkeypatch):
    """Reading a table takes one small query, unless another process has changed it."""
    code, ids = playing(tables, "Ann", "Ben")

    def read_again(*_, **__):
        raise AssertionError("the whole table was read")

    with monkeypatch.context() as patched:
        patched.setattr(queries, "table", read_again)
        before = tables.get(code)
    press(tables, code, ids[0], "ready")
    with monkeypatch.context() as patched:
        patched.setattr(queries, "table", read_again)
        after = tables.get(code)
    assert after.table.seq == before.table.seq + 1
    assert after.version == before.version + 1


def test_position_is_cached_until_the_state_changes(open_tables, store_url):
    """In the process that changed the table, and in another that had read it before."""
    here, there = open_tables(store_url), open_tables(store_url)
    code, (ann, ben, _) = playing(here, "Ann", "Ben", "Cid")
    known = [each.get(code).position for each in (here, there)]
    press(here, code, ann, "ready")
    moved = [each.get(code).position for each in (here, there)]
    assert not {*map(id, moved)} & {*map(id, known)}
    before = here.get(code).version
    match_service.start_stand_in(here, code, ben)
    for each, position in zip((here, there), moved, strict=True):
        assert each.get(code).version == before + 1
        assert each.get(code).position is position


@pytest.mark.parametrize("sent_by_host", [True, False])
def test_host_request_is_refused_before_a_match_or_from_others(tables, sent_by_host):
    code, ids = opened(tables, "Ann", "Ben")
    player, refusal = (ids[0], "during a match") if sent_by_host else (ids[1], "Only the host")
    with pytest.raises((InvalidState, NotPermitted), match=refusal):
        match_service.play_hosts_move(tables, code, player, "fix_rounds 2", 0)


def test_move_is_logged_with_game_and_number_only(open_tables, store_url):
    told = []
    signals = Signals(moved=lambda game, moves: told.append((game, moves)))
    tables = open_tables(store_url, signals=signals)
    code, ids = opened(tables, "Ann", "Ben")
    assert told == []
    for player in ids:
        start_match.ready(tables, code, player)
    assert told == [], "the deal is no move"
    press(tables, code, ids[0], "ready")
    assert told == [("kaboom", 1)]


def test_restored_table_continues_above_its_old_revisions(tables):
    code, _ = playing(tables, "Ann", "Ben")
    before = tables.get(code)
    tables.now.sleep(60)
    renumber(tables, code)
    after = tables.get(code)
    assert after.version == before.version + AHEAD
    assert after.table.revisions == {
        viewer: number + AHEAD for viewer, number in before.table.revisions.items()
    }
    assert after.touched_at == before.touched_at, "no player has changed it"


def test_cache_has_the_stored_table_after_a_change(tables):
    code, ids = opened(tables, "Ann", "Ben")
    changed = start_match.ready(tables, code, ids[1])
    kept = tables.seen.last(code)
    assert kept == changed
    assert tables.get(code).position is kept.position
