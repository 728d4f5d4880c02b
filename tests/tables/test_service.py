"""The table service on both stores: people, bots and the clock come through one door."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from kaboom.accounts import players
from kaboom.db.database import Unavailable
from kaboom.db.signals import Signals
from kaboom.engine.codec import from_json, to_json
from kaboom.engine.engine import clocks, prompt, random_move, waiting_for
from kaboom.engine.hash_chain import linked
from kaboom.engine.log_replay import replay
from kaboom.engine.moves import IllegalMove, NotOnOffer, Refusal, StaleMove
from kaboom.engine.rng import Chance, commitment
from kaboom.errors import InvalidState, NotPermitted, TableNotFound
from kaboom.games import GAMES
from kaboom.lobby import service as seating
from kaboom.play import service as in_match
from kaboom.tables import queries, sittings
from kaboom.tables.clock.due import Reaction, Thinking
from kaboom.tables.clock.timers import first_due
from kaboom.tables.maintenance.cleanup import AHEAD, renumber

KABOOM = GAMES["kaboom"]


def people(tables, *names):
    return [players.player(tables, f"key of {name}", name)[0] for name in names]


def opened(tables, *names, bots=0, options=None):
    """Return code and player ids of a table at which these people sit."""
    ids = people(tables, *names)
    code = seating.open(tables, "kaboom", options or KABOOM.options(), ids[0], names[0], bots)
    for player, name in zip(ids[1:], names[1:], strict=True):
        seating.sit(tables, code, player, name)
    return code, ids


def playing(tables, *names, bots=0, options=None):
    code, ids = opened(tables, *names, bots=bots, options=options)
    for player in ids:
        seating.ready(tables, code, player)
    assert tables.look(code).table.playing
    return code, ids


def press(tables, code, player, verb, choice="", cmd=None):
    """Send what a fresh page of this player would send."""
    snapshot = tables.look(code)
    seat = snapshot.table.seat_of(player)
    offer = prompt(snapshot.game, snapshot.state, seat).offer(verb)
    token = offer.token if offer else "none"
    revision = snapshot.table.revision(seat)
    in_match.submit(
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
    match_id = tables.look(code).table.match_id
    return tables.database.read(lambda connection: queries.log(connection, match_id))


def test_so_many_tables_are_kept_in_memory_and_no_more(tables, monkeypatch):
    monkeypatch.setattr("kaboom.tables.cache.MOST", 2)
    codes = [opened(tables, "Ann")[0] for _ in range(4)]
    for code in codes:
        tables.look(code)
    assert len(tables.seen) == 2
    assert tables.look(codes[0]).code == codes[0]


def test_the_match_starts_when_everybody_who_sits_is_ready(tables):
    code, (ann, ben) = opened(tables, "Ann", "Ben")
    seating.ready(tables, code, ann)
    assert not tables.look(code).table.playing
    seating.ready(tables, code, ben)
    table = tables.look(code).table
    assert table.playing
    assert table.seats == ["Ann", "Ben"]


def test_one_player_alone_does_not_start_a_match(tables):
    code, (ann,) = opened(tables, "Ann")
    seating.ready(tables, code, ann)
    assert not tables.look(code).table.playing
    with pytest.raises(InvalidState, match="needs 2 players"):
        seating.start(tables, code, ann)


def test_the_host_may_start_without_waiting_for_the_others(tables):
    code, (ann, ben) = opened(tables, "Ann", "Ben")
    with pytest.raises(NotPermitted):
        seating.start(tables, code, ben)
    seating.start(tables, code, ann)
    assert tables.look(code).table.playing


def test_the_seed_is_committed_to_before_the_deal(tables):
    code, _ = playing(tables, "Ann", "Ben")
    snapshot = tables.look(code)
    assert snapshot.table.commitment == commitment(snapshot.seed)


def test_a_table_nobody_opened_is_not_found(tables):
    with pytest.raises(TableNotFound):
        tables.look("NOTATABL")


def test_a_fifth_person_finds_no_chair_and_a_chair_is_taken_once(tables):
    code, _ = opened(tables, "Ann", "Ben", "Cid", "Dot")
    (eve,) = people(tables, "Eve")
    with pytest.raises(InvalidState, match="Every chair is taken"):
        seating.sit(tables, code, eve, "Eve")
    assert tables.look(code).table.seat_of(eve) is None


def test_people_of_the_same_name_are_told_apart(tables):
    code, _ = opened(tables, "Ann")
    other = players.player(tables, "another key", "ann")[0]
    seating.sit(tables, code, other, "ann")
    assert [chair.name for _, chair in tables.look(code).table.sitting()] == ["Ann", "ann 2"]


def test_sitting_down_twice_is_sitting_down_once(tables):
    code, (_ann, ben) = opened(tables, "Ann", "Ben")
    seating.sit(tables, code, ben, "Ben")
    assert len(tables.look(code).table.sitting()) == 2


def test_the_host_shows_somebody_out_and_nobody_else_may(tables):
    code, (ann, ben) = opened(tables, "Ann", "Ben")
    with pytest.raises(NotPermitted):
        seating.remove(tables, code, ben, 0)
    seating.remove(tables, code, ann, 1)
    assert tables.look(code).table.seat_of(ben) is None


def test_who_is_removed_is_told_of_as_removed_and_who_goes_as_gone(tables):
    code, (ann, _ben) = opened(tables, "Ann", "Ben")
    seating.remove(tables, code, ann, 1)
    seating.remove(tables, code, ann, 0)
    told = [
        (said.kind, from_json(bytes(said.facts), dict)["who"])
        for said in tables.look(code).table.told[-2:]
    ]
    assert told == [("table.removed", "Ben"), ("table.left", "Ann")]


def test_the_hosts_chair_passes_on_when_the_host_leaves(tables):
    code, (ann, ben) = opened(tables, "Ann", "Ben")
    sittings.leave(tables, code, ann)
    assert tables.look(code).table.host == ben


def test_a_bot_takes_a_chair_and_plays_through_the_clock(tables, watch):
    code, (ann,) = opened(tables, "Ann")
    seating.add_bot(tables, code, ann)
    seating.ready(tables, code, ann)
    press(tables, code, ann, "ready")
    before = tables.look(code).table.seq
    assert tables.due() == []
    watch.sleep(3)
    assert tables.due() == [code]
    assert tables.lapse(code)
    assert tables.look(code).table.seq == before + 1


def test_a_match_of_bots_and_one_person_goes_to_its_end(tables, watch):
    options = KABOOM.options(rounds=2)
    code, (ann,) = playing(tables, "Ann", bots=3, options=options)
    for n in range(3000):
        snapshot = tables.look(code)
        if snapshot.table.outcome is not None:
            break
        seat = snapshot.table.seat_of(ann)
        if seat in waiting_for(KABOOM, snapshot.state):
            move = random_move(KABOOM, snapshot.state, seat, Chance(bytes(32), n, "ann"))
            press(tables, code, ann, move.verb, " ".join(move.choices))
        else:
            watch.sleep(5)
            tables.lapse(code)
    assert snapshot.table.outcome is not None
    assert not snapshot.table.playing
    check_record(tables, code)


def check_record(tables, code):
    """The log is dense and chained, and replays to the table's state."""
    snapshot = tables.look(code)
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
    snapshot = again.look(code)
    assert to_json(snapshot.state) == to_json(first.look(code).state)
    assert prompt(KABOOM, snapshot.state, 0).offer("discard")
    press(again, code, ids[0], "discard")
    # … and the first process sees what the second one did.
    assert first.look(code).table.seq == snapshot.table.seq + 1
    check_record(first, code)


def test_a_form_sent_twice_is_one_move(tables):
    code, ids = playing(tables, "Ann", "Ben")
    press(tables, code, ids[0], "ready", cmd="once")
    revision = tables.look(code).table.revision(0)
    in_match.submit(tables, code, ids[0], "ready", "whatever", "once", 1, revision)
    assert [row.text for row in moves_of(tables, code)] == ["0 ready"]


def test_nobody_uses_up_the_command_ids_of_others_or_of_the_house(tables, watch):
    code, ids = playing(tables, "Ann", "Ben", options=KABOOM.options(peek_seconds=10))
    press(tables, code, ids[0], "peek", cmd="clock 2")
    press(tables, code, ids[1], "peek", cmd="clock 2")
    watch.sleep(10)
    assert tables.lapse(code)
    assert [row.cmd for row in moves_of(tables, code)] == ["0 clock 2", "1 clock 2", "clock 3"]


def test_another_move_from_the_same_form_is_too_late(tables):
    code, ids = playing(tables, "Ann", "Ben")
    press(tables, code, ids[0], "peek", cmd="once")
    with pytest.raises(StaleMove, match="already answered"):
        press(tables, code, ids[0], "ready", cmd="once")


def test_a_stale_form_is_too_late_and_a_forged_one_is_refused(tables):
    code, ids = playing(tables, "Ann", "Ben")
    snapshot = tables.look(code)
    old = snapshot.table.revision(0)
    token = prompt(KABOOM, snapshot.state, 0).offer("ready").token
    all_ready(tables, code, ids)
    before = to_json(tables.look(code).table)
    for text, cmd, match, error in [
        ("ready", "a", 1, StaleMove),  # what it answered is gone
        ("draw", "b", 0, StaleMove),  # another match
        ("take all", "c", 1, Refusal),
        ("", "d", 1, NotOnOffer),
    ]:
        with pytest.raises(error):
            in_match.submit(tables, code, ids[0], text, token, cmd, match, old)
    now = tables.look(code).table.revision(0)
    with pytest.raises(NotOnOffer):
        in_match.submit(tables, code, ids[0], "discard", token, "e", 1, now)
    with pytest.raises(IllegalMove):
        press(tables, code, ids[1], "flip", "9.9")
    stranger = players.player(tables, "stranger", "Eve")[0]
    with pytest.raises(NotPermitted):
        in_match.submit(tables, code, stranger, "draw", token, "f", 1, now)
    assert to_json(tables.look(code).table) == before


def test_a_whisper_moves_the_revision_of_its_hearer_only(tables):
    code, ids = playing(tables, "Ann", "Ben")
    all_ready(tables, code, ids)
    press(tables, code, ids[0], "draw")
    before = tables.look(code).table
    revisions = [before.revision(v) for v in (0, 1, None)]
    assert len(set(revisions)) == 3, "each viewer has numbers of its own"


def test_a_refused_move_moves_no_revision(tables):
    code, ids = playing(tables, "Ann", "Ben")
    before = [tables.look(code).table.revision(v) for v in (0, 1, None)]
    with pytest.raises(Refusal):
        press(tables, code, ids[0], "draw")
    assert [tables.look(code).table.revision(v) for v in (0, 1, None)] == before


def test_the_change_is_announced_after_it_can_be_seen(open_tables, store_url):
    seen = []
    told = Signals(changed=lambda code, due_in: seen.append(tables.look(code).version))
    tables = open_tables(store_url, signals=told)
    code, ids = opened(tables, "Ann", "Ben")
    seen.clear()
    seating.ready(tables, code, ids[0])
    seating.ready(tables, code, ids[0])  # changes nothing, so nobody is told
    assert seen == [tables.look(code).version]


def test_a_deadline_is_kept_while_the_same_decision_is_on_offer(tables, watch):
    options = KABOOM.options(turn_seconds=30)
    code, ids = playing(tables, "Ann", "Ben", options=options)
    all_ready(tables, code, ids)
    (first,) = list(tables.look(code).table.timers.values())
    watch.sleep(10)
    stack = len(tables.look(code).state.grids[1])
    tries = [f"1.{slot}" for slot in range(stack)]
    press(tables, code, ids[1], "flip", tries[0])  # right or wrong, Ann's time runs on
    snapshot = tables.look(code)
    running = {str(li.clock_move).split(" ", 1)[1] for li in clocks(KABOOM, snapshot.state)}
    assert set(snapshot.table.timers) == running
    assert min(t.due for t in snapshot.table.timers.values() if t.due) == first.due


def test_a_deadline_fires_once_and_survives_a_restart(open_tables, store_url, watch):
    options = KABOOM.options(turn_seconds=30)
    first, second = open_tables(store_url), open_tables(store_url)
    code, ids = playing(first, "Ann", "Ben", options=options)
    all_ready(first, code, ids)
    seq = first.look(code).table.seq
    watch.sleep(29)
    assert second.due() == []
    assert not second.lapse(code)
    watch.sleep(1)
    assert second.due() == [code]
    with ThreadPoolExecutor(2) as both:
        done = list(both.map(lambda tables: tables.lapse(code), [first, second]))
    assert sorted(done) == [False, True]
    assert first.look(code).table.seq == seq + 1
    check_record(first, code)


def between_look_and_change(monkeypatch, tables, happens):
    """Let something happen once the clock has looked at a table and before it changes it."""
    change = tables.change

    def later(code, work):
        monkeypatch.setattr(tables, "change", change)
        happens()
        return change(code, work)

    monkeypatch.setattr(tables, "change", later)


def test_who_asks_for_more_time_in_the_last_instant_gets_it(tables, watch, monkeypatch):
    """The clock has seen that the time is over, and is a moment later than the press."""
    code, ids = playing(tables, "Ann", "Ben", options=KABOOM.options(turn_seconds=30))
    all_ready(tables, code, ids)
    before = tables.look(code).table.seq
    watch.sleep(30)
    between_look_and_change(monkeypatch, tables, lambda: in_match.more_time(tables, code, ids[0]))
    assert not tables.lapse(code)
    table = tables.look(code).table
    assert table.seq == before
    assert [timer.due - watch() for timer in table.timers.values()] == [30]


def test_what_a_bot_thought_about_a_table_that_has_moved_on_is_not_played(
    tables, watch, monkeypatch
):
    """Ann flips wrong while the bot thinks: it is asked the same, and may think otherwise."""
    code, (ann,) = playing(tables, "Ann", bots=1, options=KABOOM.options(flip_penalty=0))
    all_ready(tables, code, [ann])
    while prompt(KABOOM, tables.look(code).state, 0).offer("draw") is None:
        watch.sleep(3)
        assert tables.lapse(code)  # the bot peeks and is ready, too
    for verb in ("draw", "discard"):
        press(tables, code, ann, verb)
    watch.sleep(9)
    state = tables.look(code).state
    top = state.discards[-1].card[0]
    wrong = next(f"0.{n}" for n, card in enumerate(state.grids[0]) if card and card[0] != top)
    due = first_due(tables.look(code).table, watch())
    assert isinstance(due, Thinking | Reaction) and due.seat == 1
    before = tables.look(code).table.seq
    between_look_and_change(monkeypatch, tables, lambda: press(tables, code, ann, "flip", wrong))
    assert not tables.lapse(code)
    table = tables.look(code).table
    assert table.seq == before + 1
    assert first_due(table, watch()) == due, "the bot is still asked the same"
    assert tables.lapse(code)
    check_record(tables, code)


def test_one_who_leaves_is_played_on_and_may_come_back(tables, watch):
    code, ids = playing(tables, "Ann", "Ben", "Cid")
    all_ready(tables, code, ids)
    sittings.leave(tables, code, ids[0])
    assert not tables.look(code).table.chairs[0].present
    for _ in range(2):  # draw, discard
        assert tables.lapse(code)
    assert waiting_for(KABOOM, tables.look(code).state) == [1]
    seating.sit(tables, code, ids[0], "Ann")
    table = tables.look(code).table
    assert table.chairs[0].present
    assert table.seat_of(ids[0]) == 0
    check_record(tables, code)


def test_a_stranger_cannot_take_the_seat_of_one_who_left(tables):
    code, ids = playing(tables, "Ann", "Ben", "Cid")
    sittings.leave(tables, code, ids[0])
    (eve,) = people(tables, "Eve")
    with pytest.raises(InvalidState):
        seating.sit(tables, code, eve, "Ann", 0)


@pytest.mark.parametrize("seat", [None, 3])
def test_while_a_match_is_played_nobody_sits_down_on_a_free_chair(tables, seat):
    code, _ = playing(tables, "Ann", "Ben")
    before = to_json(tables.look(code).table)
    (eve,) = people(tables, "Eve")
    with pytest.raises(InvalidState, match="The match has begun"):
        seating.sit(tables, code, eve, "Eve", seat)
    assert to_json(tables.look(code).table) == before


def test_when_all_but_one_leave_the_match_is_over(tables):
    code, ids = playing(tables, "Ann", "Ben")
    sittings.leave(tables, code, ids[1])
    table = tables.look(code).table
    assert not table.playing
    assert table.outcome.reason == "abandoned"


def test_a_rematch_is_the_same_people_with_somebody_else_beginning(tables):
    code, ids = playing(tables, "Ann", "Ben", "Cid")
    sittings.leave(tables, code, ids[1])
    sittings.leave(tables, code, ids[2])
    for player, name in zip(ids[1:], ("Ben", "Cid"), strict=True):
        assert tables.look(code).table.seat_of(player) is None, "who left is not waited for"
        seating.sit(tables, code, player, name)
    for player in ids:
        seating.ready(tables, code, player)
    table = tables.look(code).table
    assert table.playing
    assert table.match == 2
    assert table.seats == ["Ben", "Cid", "Ann"]
    assert table.seat_of(ids[0]) == 2


def test_many_hands_at_once_leave_a_dense_log(open_tables, store_url):
    """Eight threads press whatever they may; the log stays one line of moves."""
    tables = open_tables(store_url)
    code, ids = playing(tables, "Ann", "Ben", "Cid", "Dot")
    all_ready(tables, code, ids)

    def presses(n):
        done = 0
        for i in range(12):
            snapshot = tables.look(code)
            seat = n % 4
            move = random_move(KABOOM, snapshot.state, seat, Chance(bytes(32), i, f"hand {n}"))
            player = next(c.player for c in [snapshot.table.chairs[seat]])
            if move is None or not snapshot.table.playing:
                continue
            try:
                press(tables, code, player, move.verb, " ".join(move.choices), f"{n} {i}")
                done += 1
            except (Refusal, Unavailable):  # a slow machine's store may say: later
                pass
        return done

    with ThreadPoolExecutor(8) as hands:
        accepted = sum(hands.map(presses, range(8)))
    assert accepted
    assert len([row for row in moves_of(tables, code) if row.cmd[0].isdigit()]) >= accepted
    check_record(tables, code)


def test_a_table_is_not_read_again_after_a_change_of_ones_own(tables, monkeypatch):
    """A look is one small read, unless somebody else changed the table."""
    code, ids = playing(tables, "Ann", "Ben")

    def read_again(*_, **__):
        raise AssertionError("the whole table was read")

    with monkeypatch.context() as patched:
        patched.setattr(queries, "table", read_again)
        before = tables.look(code)
    press(tables, code, ids[0], "ready")
    with monkeypatch.context() as patched:
        patched.setattr(queries, "table", read_again)
        after = tables.look(code)
    assert after.table.seq == before.table.seq + 1
    assert after.version == before.version + 1


def test_what_follows_from_a_state_is_known_until_the_match_moves(open_tables, store_url):
    """By the process that changed the table, and by another that saw it before."""
    here, there = open_tables(store_url), open_tables(store_url)
    code, (ann, ben, _) = playing(here, "Ann", "Ben", "Cid")
    known = [each.look(code).position for each in (here, there)]
    press(here, code, ann, "ready")
    moved = [each.look(code).position for each in (here, there)]
    assert not {*map(id, moved)} & {*map(id, known)}
    before = here.look(code).version
    in_match.hand_over(here, code, ben)
    for each, position in zip((here, there), moved, strict=True):
        assert each.look(code).version == before + 1
        assert each.look(code).position is position


@pytest.mark.parametrize("sent_by_host", [True, False])
def test_what_the_host_may_ask_for_is_asked_for_by_the_host_during_a_match(tables, sent_by_host):
    code, ids = opened(tables, "Ann", "Ben")
    player, refusal = (ids[0], "during a match") if sent_by_host else (ids[1], "Only the host")
    with pytest.raises((InvalidState, NotPermitted), match=refusal):
        in_match.play_hosts_move(tables, code, player, "fix_rounds 2", 0)


def test_moves_are_told_with_their_game_and_number_and_nothing_else_is(open_tables, store_url):
    told = []
    signals = Signals(moved=lambda game, moves: told.append((game, moves)))
    tables = open_tables(store_url, signals=signals)
    code, ids = opened(tables, "Ann", "Ben")
    assert told == []
    for player in ids:
        seating.ready(tables, code, player)
    assert told == [], "the deal is no move"
    press(tables, code, ids[0], "ready")
    assert told == [("kaboom", 1)]


def test_a_restored_table_is_numbered_above_all_it_had(tables):
    code, _ = playing(tables, "Ann", "Ben")
    before = tables.look(code)
    tables.now.sleep(60)
    renumber(tables, code)
    after = tables.look(code)
    assert after.version == before.version + AHEAD
    assert after.table.revisions == {
        viewer: number + AHEAD for viewer, number in before.table.revisions.items()
    }
    assert after.touched_at == before.touched_at, "nobody has touched it"


def test_a_change_leaves_the_table_as_it_is_stored_so_it_is_not_read_again(tables):
    code, ids = opened(tables, "Ann", "Ben")
    changed = seating.ready(tables, code, ids[1])
    kept = tables.seen.last(code)
    assert kept == changed
    assert tables.look(code).position is kept.position
