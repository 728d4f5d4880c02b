"""Matches over days: clocks of days, a bot for one turn, vacations, nudges, votes, expiry."""

import pytest
from sqlalchemy import text

from kaboom.accounts import merge_queries
from kaboom.accounts import players as keys
from kaboom.db.times import DAY
from kaboom.engine.codec import from_json, to_json
from kaboom.engine.engine import random_move
from kaboom.engine.options import limits
from kaboom.engine.rng import Chance
from kaboom.errors import InvalidState, NotPermitted
from kaboom.games import GAMES
from kaboom.lobby import host
from kaboom.lobby import service as seating
from kaboom.play import service as in_match
from kaboom.play import votes
from kaboom.play.correspondence import service as correspondence
from kaboom.tables import queries
from kaboom.tables import votes as agreement
from kaboom.tables.clock import table_time as table_clock
from kaboom.tables.clock.timers import due_for
from kaboom.tables.maintenance import cleanup
from kaboom.tables.maintenance import cleanup_queries as store_upkeep
from kaboom.tables.table import DAYS
from tests.tables.test_service import press


@pytest.fixture
def tables(open_tables, sqlite_url):
    return open_tables(sqlite_url)


@pytest.fixture
def stored(open_tables, store_url):
    """The same on either store, where that matters."""
    return open_tables(store_url)


def opened(tables, game="gops", names=("Ann", "Ben"), days=2, bots=0, **options):
    """Return the code of a table that is played over days, and the ids of its people."""
    ids = [keys.player(tables, f"key of {name}", name)[0] for name in names]
    wished = GAMES[game].options(**options)
    code = seating.open(tables, game, wished, ids[0], names[0], bots=bots, days=days)
    for player, name in zip(ids[1:], names[1:], strict=True):
        seating.sit(tables, code, player, name)
    return code, ids


def begun(tables, *args, **more):
    code, ids = opened(tables, *args, **more)
    seating.start(tables, code, ids[0])
    return code, ids


def left(tables, watch, code, player):
    """Return how many seconds somebody has left; None when no clock of theirs runs."""
    found = tables.look(code)
    due = due_for(found.table, found.table.seat_of(player))
    return None if due is None else due - found.table_time(watch())


def chair(tables, code, player):
    table = tables.look(code).table
    return table.chairs[table.seat_of(player)]


def told(tables, code):
    return [said.kind for said in tables.look(code).table.told]


def everything_due(tables, code):
    """Do all that is due; return how often."""
    count = 0
    while tables.lapse(code):
        count += 1
        assert count < 500, "it never ends"
    return count


def moves_of(tables, code, seat):
    match = tables.look(code).table.match_id
    log = tables.database.read(lambda c: queries.log(c, match))
    return [row for row in log if row.text.startswith(f"{seat} ")]


def plays(tables, code, player, number=0):
    """Let somebody make a random move that the table waits for."""
    found = tables.look(code)
    seat = found.table.seat_of(player)
    blocking = {offer.verb for offer in found.prompts[seat].offers if offer.blocks}
    for n in range(50):
        chance = Chance(b"\5" * 32, 50 * number + n, "moves")
        move = random_move(found.game, found.state, seat, chance)
        if move is not None and move.verb in blocking:
            press(tables, code, player, move.verb, " ".join(move.choices), cmd=f"{number} {n}")
            return
    raise AssertionError("nobody waits for them")


# The clock


@pytest.mark.parametrize("days", DAYS)
def test_everybody_has_so_many_days_for_each_decision(tables, watch, days):
    code, ids = begun(tables, days=days)
    for player in ids:
        assert left(tables, watch, code, player) == days * DAY
    watch.sleep(days * DAY - 1)
    assert not tables.lapse(code)
    assert tables.due_in() == 1


def test_only_these_lengths_can_be_chosen(tables):
    for days in (-1, 4, 8, 365):
        with pytest.raises(InvalidState, match="cannot be chosen"):
            opened(tables, days=days)


@pytest.mark.parametrize("game", sorted(GAMES))
def test_a_table_over_days_is_opened_without_other_clocks(tables, game):
    code, (ann, *_) = opened(tables, game)
    table = tables.look(code).table
    options = GAMES[game].options()
    assert not any(limits(GAMES[game].by_days(options)).values())
    assert bytes(table.options)
    host.change_options(tables, code, ann, options, days=0)
    assert tables.look(code).table.days == 0
    host.change_options(tables, code, ann, options, days=7)
    assert tables.look(code).table.days == 7
    assert "table.days" in told(tables, code)


def test_after_ones_own_move_the_next_decision_has_all_its_days(tables, watch):
    code, ids = begun(tables, "karata")
    found = tables.look(code)
    ann = next(it for it in ids if found.prompts[found.table.seat_of(it)].waited_for)
    watch.sleep(DAY)
    ben = next(it for it in ids if it != ann)
    assert left(tables, watch, code, ben) is None
    assert left(tables, watch, code, ann) == DAY
    press(tables, code, ann, "draw")
    found = tables.look(code)
    on_turn = next(it for it in ids if found.prompts[found.table.seat_of(it)].waited_for)
    assert left(tables, watch, code, on_turn) == 2 * DAY


def test_alone_with_bots_there_is_no_clock(tables, watch):
    code, (ann,) = begun(tables, names=("Ann",), bots=1)
    assert left(tables, watch, code, ann) is None


def test_a_restart_loses_no_clock(open_tables, store_url, watch):
    tables = open_tables(store_url)
    code, (ann, _) = begun(tables)
    watch.sleep(1.5 * DAY)
    again = open_tables(store_url)
    assert left(again, watch, code, ann) == DAY / 2
    watch.sleep(DAY / 2)
    assert again.due() == [code]
    assert everything_due(again, code) == 2  # one for each


def test_days_when_nobody_served_count_for_nobody(tables, watch):
    code, (ann, _) = begun(tables)

    def beat(connection):
        old = queries.pulse_now(connection)
        queries.save_pulse(connection, table_clock.beaten(old, watch()), first=old is None)

    tables.database.write(beat)
    watch.sleep(30 * DAY)
    tables.database.write(beat)
    assert left(tables, watch, code, ann) == pytest.approx(2 * DAY + table_clock.GRACE)
    assert not tables.lapse(code)


def test_taking_back_gives_no_new_days(tables, watch):
    code, (ann, ben) = begun(tables)
    watch.sleep(1.5 * DAY)
    plays(tables, code, ann)
    assert left(tables, watch, code, ann) is None
    back = tables.look(code).table.back[tables.look(code).table.seat_of(ann)]
    in_match.take_back(tables, code, ann, back[-1].number, "undo", 1)
    assert left(tables, watch, code, ann) == left(tables, watch, code, ben) == DAY / 2


def test_a_pause_keeps_what_is_left(tables, watch):
    code, (ann, ben) = begun(tables)
    watch.sleep(DAY)
    votes.propose(tables, code, ann, agreement.PAUSE)
    votes.answer(tables, code, ben, 1, True)
    watch.sleep(20 * DAY)
    assert everything_due(tables, code) == 0
    votes.propose(tables, code, ann, agreement.GO_ON)
    votes.answer(tables, code, ben, 2, True)
    assert left(tables, watch, code, ann) == DAY


# When the time is over


def test_a_bot_decides_one_turn_and_the_seat_stays_theirs(tables, watch):
    code, (ann, ben) = begun(tables)
    plays(tables, code, ann)
    watch.sleep(2 * DAY)
    assert everything_due(tables, code) == 1
    mine = chair(tables, code, ben)
    assert (mine.lapsed, mine.stand_in, mine.present) == (1, False, True)
    assert len(mine.done) == 1
    assert told(tables, code).count("table.lapsed") == 1
    assert left(tables, watch, code, ben) == left(tables, watch, code, ann) == 2 * DAY
    (row,) = moves_of(tables, code, tables.look(code).table.seat_of(ben))
    assert row.cmd.startswith("bot ")


def test_all_that_a_turn_asks_is_decided_in_one_go(tables, watch):
    """A turn of Kaboom takes several moves: nobody waits two days for each of them."""
    code, ids = begun(tables, "kaboom", names=("Ann", "Ben", "Cleo"))
    for player in ids:
        press(tables, code, player, "ready")
    for player in ids:
        if any(it.verb == "pass" for it in tables.look(code).prompts[ids.index(player)].offers):
            press(tables, code, player, "pass")
    seat = tables.look(code).state.turn
    watch.sleep(2 * DAY)
    everything_due(tables, code)
    assert tables.look(code).state.turn != seat or tables.look(code).state.steps[-1].number
    assert len(moves_of(tables, code, seat)) >= 3  # ready or pass, draw, what to do with it
    assert chair(tables, code, ids[seat]).lapsed == 1


def test_after_two_turns_in_a_row_a_bot_plays_on_until_they_return(tables, watch):
    code, (ann, ben) = begun(tables)
    for n in range(2):
        plays(tables, code, ann, n)
        watch.sleep(2 * DAY)
        everything_due(tables, code)
    assert chair(tables, code, ben).stand_in
    assert told(tables, code).count("table.lapsed_again") == 1
    assert left(tables, watch, code, ann) is None  # alone with a bot
    in_match.take_over(tables, code, ben)
    mine = chair(tables, code, ben)
    assert (mine.stand_in, mine.lapsed) == (False, 0)
    assert left(tables, watch, code, ben) or left(tables, watch, code, ann)


def test_a_move_of_ones_own_between_starts_the_count_again(tables, watch):
    code, (ann, ben) = begun(tables)
    plays(tables, code, ann)
    watch.sleep(2 * DAY)
    everything_due(tables, code)
    plays(tables, code, ann, 1)
    plays(tables, code, ben, 2)
    plays(tables, code, ann, 3)
    watch.sleep(2 * DAY)
    everything_due(tables, code)
    assert chair(tables, code, ben).lapsed == 1


def test_where_nobody_is_kept_waiting_any_more_the_match_stays_where_it_is(tables, watch):
    """Whoever is the last is not hurried, as ever: decision 11."""
    code, _ = begun(tables)
    for _ in range(5):
        watch.sleep(2 * DAY)
        everything_due(tables, code)
    table = tables.look(code).table
    assert table.playing
    assert len(table.people()) == 1
    assert table.day_clocks() == []


@pytest.mark.parametrize("game", sorted(GAMES))
def test_in_every_game_bots_stand_in_for_who_never_comes_and_the_others_play_on(
    tables, watch, game
):
    bots = max(0, GAMES[game].seats(GAMES[game].options())[0] - 3)
    options = {"players": 3} if game == "gops" else {}
    code, (ann, ben, cleo) = begun(
        tables, game, names=("Ann", "Ben", "Cleo"), bots=bots, days=1, **options
    )
    for n in range(400):
        found = tables.look(code)
        if not found.table.playing or chair(tables, code, cleo).stand_in:
            break
        asked = [it for it in (ann, ben) if found.prompts[found.table.seat_of(it)].waited_for]
        for player in asked:
            if tables.look(code).prompts[tables.look(code).table.seat_of(player)].waited_for:
                plays(tables, code, player, n)
        watch.sleep(60.0 if asked else DAY)
        everything_due(tables, code)
    assert chair(tables, code, cleo).stand_in
    assert told(tables, code).count("table.lapsed_again") == 1
    assert {ann, ben} == set(tables.look(code).table.people().values())


# What is answered in secret


def sealed_window(tables, watch, **more):
    """Return a table of Kaboom where flips are collected, with its people."""
    code, ids = begun(tables, "kaboom", names=("Ann", "Ben", "Cleo"), **more)
    for player in ids:
        press(tables, code, player, "ready")
    assert all(turn.sealed for turn in tables.look(code).table.turns.values())
    return code, ids


def test_what_is_asked_in_secret_has_one_window_for_all(tables, watch):
    code, (ann, ben, cleo) = sealed_window(tables, watch)
    watch.sleep(DAY)
    press(tables, code, ann, "pass")
    assert left(tables, watch, code, ben) == left(tables, watch, code, cleo) == DAY


def test_nobody_is_told_whose_time_was_over_in_secret(tables, watch):
    code, (ann, *_) = sealed_window(tables, watch)
    press(tables, code, ann, "pass")
    before = {p: tables.look(code).table.revision(ids) for p, ids in enumerate((0, 1, 2))}
    watch.sleep(2 * DAY)
    assert tables.lapse(code)  # the first of two who have not answered
    assert "table.lapsed" not in told(tables, code)
    after = {p: tables.look(code).table.revision(ids) for p, ids in enumerate((0, 1, 2))}
    assert sum(before[p] != after[p] for p in before) == 1  # whose pass it was
    everything_due(tables, code)
    assert "table.lapsed" not in told(tables, code)


def test_nobody_is_nudged_for_what_is_answered_in_secret(tables, watch):
    code, (ann, ben, _) = sealed_window(tables, watch)
    watch.sleep(1.9 * DAY)
    with pytest.raises(InvalidState):
        correspondence.nudge(tables, code, ann, tables.look(code).table.seat_of(ben))


# Vacation


def test_on_vacation_ones_clock_stands_still_and_the_others_are_told(stored, watch):
    code, (ann, ben) = begun(stored)
    plays(stored, code, ben)
    watch.sleep(DAY)
    correspondence.go_on_vacation(stored, ann, 5)
    assert "table.vacation" in told(stored, code)
    watch.sleep(4 * DAY)
    assert everything_due(stored, code) == 0
    assert stored.look(code).table.day_clock(stored.look(code).table.seat_of(ann)).left == DAY
    watch.sleep(DAY)
    assert everything_due(stored, code) == 1  # it runs again
    assert left(stored, watch, code, ann) == DAY
    assert chair(stored, code, ann).lapsed == 0


def test_a_turn_that_begins_in_a_vacation_has_all_its_days_afterwards(tables, watch):
    code, (ann, ben) = begun(tables)
    correspondence.go_on_vacation(tables, ann, 3)
    plays(tables, code, ann)  # one may play on vacation
    plays(tables, code, ben)
    watch.sleep(3 * DAY)
    everything_due(tables, code)
    assert left(tables, watch, code, ann) == 2 * DAY


def test_days_of_vacation_are_limited_and_what_is_not_used_comes_back(stored, watch):
    code, (ann, _) = begun(stored)
    with pytest.raises(InvalidState, match="21 days"):
        correspondence.go_on_vacation(stored, ann, 22)
    with pytest.raises(InvalidState):
        correspondence.go_on_vacation(stored, ann, 0)
    correspondence.go_on_vacation(stored, ann, 20)
    with pytest.raises(InvalidState, match="already"):
        correspondence.go_on_vacation(stored, ann, 1)
    watch.sleep(2.5 * DAY)
    correspondence.end_vacation(stored, ann)
    assert "table.vacation_over" in told(stored, code)
    assert correspondence.vacation(stored, ann).left == 18  # a day begun counts
    assert left(stored, watch, code, ann) == 2 * DAY
    with pytest.raises(InvalidState, match="not on vacation"):
        correspondence.end_vacation(stored, ann)
    watch.sleep(366 * DAY)
    assert correspondence.vacation(stored, ann).left == 21


def test_a_clock_that_is_set_back_gives_nobody_days_of_vacation(stored, watch):
    _, (ann, _) = opened(stored)
    correspondence.go_on_vacation(stored, ann, 3)
    watch.time -= 10 * DAY
    correspondence.end_vacation(stored, ann)
    assert correspondence.vacation(stored, ann).left == 21


def test_a_kill_before_a_table_was_told_costs_nobody_their_vacation(stored, watch, monkeypatch):
    code, (ann, _) = begun(stored)
    watch.sleep(1.5 * DAY)
    monkeypatch.setattr(correspondence, "_tell_tables", lambda tables, player: None)
    correspondence.go_on_vacation(stored, ann, 5)
    watch.sleep(DAY)
    while stored.lapse(code):
        pass
    assert chair(stored, code, ann).lapsed == 0
    clock = stored.look(code).table.day_clock(stored.look(code).table.seat_of(ann))
    assert clock.left == DAY / 2  # as it stood when the vacation began


def test_a_vacation_goes_along_in_a_pause(tables, watch):
    code, (ann, ben) = begun(tables)
    correspondence.go_on_vacation(tables, ann, 2)
    votes.propose(tables, code, ann, agreement.PAUSE)
    votes.answer(tables, code, ben, 1, True)
    watch.sleep(5 * DAY)
    assert everything_due(tables, code) == 0


@pytest.mark.parametrize(("guests", "others"), [(5, 3), (3, 5), (4, 4), (4, None), (None, 4)])
def test_of_two_who_become_one_the_longer_vacation_stays(stored, guests, others):
    guest, other = (keys.player(stored, f"key of {name}", name)[0] for name in ("Guest", "Ann"))
    for player, days in ((guest, guests), (other, others)):
        if days is not None:
            correspondence.go_on_vacation(stored, player, days)
    stored.database.write(lambda c: merge_queries.carry(c, guest, other, "key of Guest", "-nobody"))
    left = correspondence.vacation(stored, other).left
    assert left == 21 - max(days for days in (guests, others) if days is not None)
    assert correspondence.vacation(stored, guest).left == 21


# Nudges


def test_one_polite_nudge_a_turn_when_half_of_the_time_is_over(stored, watch):
    code, (ann, ben) = begun(stored)
    plays(stored, code, ann)
    seat = stored.look(code).table.seat_of(ben)
    with pytest.raises(InvalidState):
        correspondence.nudge(stored, code, ann, seat)
    watch.sleep(DAY)
    correspondence.nudge(stored, code, ann, seat)
    assert told(stored, code).count("table.nudged") == 1
    with pytest.raises(InvalidState):
        correspondence.nudge(stored, code, ann, seat)
    stranger = keys.player(stored, "key of Dora", "Dora")[0]
    with pytest.raises(NotPermitted):
        correspondence.nudge(stored, code, stranger, seat)


def test_nobody_nudges_themselves_or_a_free_chair_or_somebody_on_vacation(tables, watch):
    code, (ann, ben) = begun(tables)
    watch.sleep(1.5 * DAY)
    table = tables.look(code).table
    for seat in (table.seat_of(ann), 17, -1):
        with pytest.raises(InvalidState):
            correspondence.nudge(tables, code, ann, seat)
    correspondence.go_on_vacation(tables, ben, 3)
    with pytest.raises(InvalidState):
        correspondence.nudge(tables, code, ann, table.seat_of(ben))


# What else must not think in minutes


def test_a_vote_waits_for_everybody_whether_or_not_they_are_there(tables, watch):
    code, (ann, ben) = begun(tables)
    tables.here.players = {ann}
    votes.propose(tables, code, ann, agreement.END)
    assert tables.look(code).table.playing
    watch.sleep(1.5 * DAY)
    everything_due(tables, code)
    assert tables.look(code).table.vote is not None
    votes.answer(tables, code, ben, 1, True)
    assert not tables.look(code).table.playing


def test_a_vote_lapses_after_the_days_of_the_table(tables, watch):
    code, (ann, _) = begun(tables, days=3)
    tables.here.players = {ann}
    votes.propose(tables, code, ann, agreement.END)
    watch.sleep(3 * DAY)
    everything_due(tables, code)
    assert tables.look(code).table.vote is None
    assert tables.look(code).table.playing


def test_a_bot_for_somebody_is_held_for_a_day(tables, watch):
    code, (ann, ben) = begun(tables)
    tables.here.players = {ann}
    seat = tables.look(code).table.seat_of(ben)
    votes.propose(tables, code, ann, agreement.BOT, seat)
    watch.sleep(0.9 * DAY)
    everything_due(tables, code)
    assert not chair(tables, code, ben).stand_in
    watch.sleep(0.1 * DAY)
    everything_due(tables, code)
    assert chair(tables, code, ben).stand_in


def test_only_the_host_starts_without_waiting_even_while_away(tables):
    code, (ann, ben) = opened(tables)
    tables.here.players = {ben}
    with pytest.raises(NotPermitted):
        seating.start(tables, code, ben)
    seating.start(tables, code, ann)


def test_a_table_over_days_is_not_deleted_while_somebody_may_still_come(stored, watch):
    code, (ann, ben) = begun(stored, days=7)
    plays(stored, code, ann)
    correspondence.go_on_vacation(stored, ben, 21)
    watch.sleep(27 * DAY)
    assert cleanup.expire(stored, days=3) == 0
    watch.sleep(5 * DAY)  # the days of the table, the longest vacation, and three more
    assert cleanup.expire(stored, days=3) == 1


def test_the_host_of_the_server_may_delete_it_at_once(stored):
    code, _ = begun(stored, days=7)
    cleanup.delete(stored, code)
    assert stored.database.read(lambda c: store_upkeep.codes(c)) == []


def test_a_table_in_one_go_has_none_of_this(tables, watch):
    code, (ann, ben) = begun(tables, days=0)
    assert tables.look(code).table.day_clocks() == []
    correspondence.go_on_vacation(tables, ann, 3)
    assert chair(tables, code, ann).vacation is None
    with pytest.raises(InvalidState):
        correspondence.nudge(tables, code, ann, tables.look(code).table.seat_of(ben))


def test_what_a_server_of_before_it_writes_loses_no_days(tables, watch):
    """It knows neither the column nor the fields: the body it writes is without them."""
    code, (ann, _) = begun(tables)
    row = tables.database.read(lambda c: queries.table(c, code))
    body = from_json(row.body, dict)
    for name in ("days", "covered", "nudged"):
        body.pop(name)
    body["timers"] = {}
    values = {"body": to_json(body), "version": row.version + 1, "due_at": None}
    tables.database.write(lambda c: queries.save_table(c, row.id, values))
    assert tables.look(code).table.days == 2
    plays(tables, code, ann)
    assert tables.database.read(lambda c: c.execute(text("SELECT due_at FROM tables")).scalar())
