"""Correspondence matches: clocks of days, a bot for one turn, vacations, nudges, votes, expiry."""

import pytest
from sqlalchemy import text

from kaboom.accounts import merge_queries, players
from kaboom.correspondence import nudges, vacations
from kaboom.db.times import DAY
from kaboom.engine.codec import from_json, to_json
from kaboom.engine.engine import random_move
from kaboom.engine.options import limits
from kaboom.engine.rng import Rng
from kaboom.errors import InvalidState, NotPermitted
from kaboom.games import GAMES
from kaboom.lobby import service as lobby
from kaboom.lobby import table_settings
from kaboom.table_page import service as match_service
from kaboom.table_page import vote_service
from kaboom.tables import queries, start_match, votes
from kaboom.tables.clock import table_time
from kaboom.tables.clock.timers import due_for
from kaboom.tables.maintenance import cleanup, cleanup_queries, interventions
from kaboom.tables.table import BANKS, DAYS
from tests.tables.test_service import press


@pytest.fixture
def tables(open_tables, sqlite_url):
    return open_tables(sqlite_url)


@pytest.fixture
def stored(open_tables, store_url):
    """Each store in turn, for tests to which the store makes a difference."""
    return open_tables(store_url)


def opened(tables, game="gops", names=("Ann", "Ben"), days=2, bots=0, **options):
    """Return the code of a correspondence table, and the ids of its people."""
    ids = [players.player(tables, f"key of {name}", name)[0] for name in names]
    wished = GAMES[game].options(**options)
    code = lobby.open(tables, game, wished, ids[0], names[0], bots=bots, days=days)
    for player, name in zip(ids[1:], names[1:], strict=True):
        lobby.sit(tables, code, player, name)
    return code, ids


def begun(tables, *args, **more):
    code, ids = opened(tables, *args, **more)
    start_match.start(tables, code, ids[0])
    return code, ids


def left(tables, fake_clock, code, player):
    """Return the seconds a player has left, or None if their clock is not running."""
    found = tables.get(code)
    due = due_for(found.table, found.table.seat_of(player))
    return None if due is None else due - found.table_time(fake_clock())


def occupant(tables, code, player):
    table = tables.get(code).table
    return table.chairs[table.seat_of(player)]


def told(tables, code):
    return [said.kind for said in tables.get(code).table.told]


def everything_due(tables, code):
    """Run everything due; return how many times something was done."""
    count = 0
    while tables.run_due(code):
        count += 1
        assert count < 500, "it never ends"
    return count


def moves_of(tables, code, seat):
    match = tables.get(code).table.match_id
    log = tables.database.read(lambda c: queries.log(c, match))
    return [row for row in log if row.text.startswith(f"{seat} ")]


def plays(tables, code, player, number=0):
    """Let a player the table waits for make a random move."""
    found = tables.get(code)
    seat = found.table.seat_of(player)
    blocking = {offer.verb for offer in found.prompts[seat].offers if offer.blocks}
    for n in range(50):
        rng = Rng(b"\5" * 32, 50 * number + n, "moves")
        move = random_move(found.game, found.state, seat, rng)
        if move is not None and move.verb in blocking:
            press(tables, code, player, move.verb, " ".join(move.choices), cmd=f"{number} {n}")
            return
    raise AssertionError("no one waits for them")


# The clock


@pytest.mark.parametrize("days", DAYS)
def test_each_decision_has_the_chosen_days(tables, fake_clock, days):
    code, ids = begun(tables, days=days)
    for player in ids:
        assert left(tables, fake_clock, code, player) == days * DAY
    fake_clock.sleep(days * DAY - 1)
    assert not tables.run_due(code)
    assert tables.due_in() == 1


def test_only_offered_numbers_of_days_can_be_chosen(tables):
    for days in (-1, 4, 8, 365):
        with pytest.raises(InvalidState, match="not available"):
            opened(tables, days=days)


@pytest.mark.parametrize("game", sorted(GAMES))
def test_correspondence_table_has_no_other_clocks(tables, game):
    code, (ann, *_) = opened(tables, game)
    table = tables.get(code).table
    options = GAMES[game].options()
    assert not any(limits(GAMES[game].by_days(options)).values())
    assert bytes(table.options)
    table_settings.change_options(tables, code, ann, options, days=0)
    assert tables.get(code).table.days == 0
    table_settings.change_options(tables, code, ann, options, days=7)
    assert tables.get(code).table.days == 7
    assert "table.days" in told(tables, code)


def test_next_decision_after_a_move_has_all_its_days(tables, fake_clock):
    code, ids = begun(tables, "karata")
    found = tables.get(code)
    ann = next(it for it in ids if found.prompts[found.table.seat_of(it)].waited_for)
    fake_clock.sleep(DAY)
    ben = next(it for it in ids if it != ann)
    assert left(tables, fake_clock, code, ben) is None
    assert left(tables, fake_clock, code, ann) == DAY
    press(tables, code, ann, "draw")
    found = tables.get(code)
    on_turn = next(it for it in ids if found.prompts[found.table.seat_of(it)].waited_for)
    assert left(tables, fake_clock, code, on_turn) == 2 * DAY


def test_no_clock_runs_alone_with_bots(tables, fake_clock):
    code, (ann,) = begun(tables, names=("Ann",), bots=1)
    assert left(tables, fake_clock, code, ann) is None


def test_a_restart_keeps_every_clock(open_tables, store_url, fake_clock):
    tables = open_tables(store_url)
    code, (ann, _) = begun(tables)
    fake_clock.sleep(1.5 * DAY)
    again = open_tables(store_url)
    assert left(again, fake_clock, code, ann) == DAY / 2
    fake_clock.sleep(DAY / 2)
    assert again.due() == [code]
    assert everything_due(again, code) == 2  # one for each


def test_outage_does_not_count_against_the_days(tables, fake_clock):
    code, (ann, _) = begun(tables)

    def beat(connection):
        old = queries.pulse_now(connection)
        queries.save_pulse(connection, table_time.beaten(old, fake_clock()), first=old is None)

    tables.database.write(beat)
    fake_clock.sleep(30 * DAY)
    tables.database.write(beat)
    assert left(tables, fake_clock, code, ann) == pytest.approx(2 * DAY + table_time.GRACE)
    assert not tables.run_due(code)


def test_taking_back_gives_no_new_days(tables, fake_clock):
    code, (ann, ben) = begun(tables)
    fake_clock.sleep(1.5 * DAY)
    plays(tables, code, ann)
    assert left(tables, fake_clock, code, ann) is None
    back = tables.get(code).table.back[tables.get(code).table.seat_of(ann)]
    match_service.take_back(tables, code, ann, back[-1].number, "undo", 1)
    assert left(tables, fake_clock, code, ann) == left(tables, fake_clock, code, ben) == DAY / 2


def test_a_pause_keeps_the_time_left(tables, fake_clock):
    code, (ann, ben) = begun(tables)
    fake_clock.sleep(DAY)
    vote_service.propose_vote(tables, code, ann, votes.PAUSE)
    vote_service.cast_vote(tables, code, ben, 1, True)
    fake_clock.sleep(20 * DAY)
    assert everything_due(tables, code) == 0
    vote_service.propose_vote(tables, code, ann, votes.GO_ON)
    vote_service.cast_vote(tables, code, ben, 2, True)
    assert left(tables, fake_clock, code, ann) == DAY


# When time is up


def test_bot_plays_a_missed_turn_and_the_player_keeps_the_seat(tables, fake_clock):
    code, (ann, ben) = begun(tables)
    plays(tables, code, ann)
    fake_clock.sleep(2 * DAY)
    assert everything_due(tables, code) == 1
    mine = occupant(tables, code, ben)
    assert (mine.lapsed, mine.stand_in, mine.present) == (1, False, True)
    assert len(mine.done) == 1
    assert told(tables, code).count("table.lapsed") == 1
    assert left(tables, fake_clock, code, ben) == left(tables, fake_clock, code, ann) == 2 * DAY
    (row,) = moves_of(tables, code, tables.get(code).table.seat_of(ben))
    assert row.cmd.startswith("bot ")


def test_one_timeout_decides_the_whole_turn(tables, fake_clock):
    """A turn of Kaboom takes several moves, and no player should wait two days for each."""
    code, ids = begun(tables, "kaboom", names=("Ann", "Ben", "Cleo"))
    for player in ids:
        press(tables, code, player, "ready")
    for player in ids:
        if any(it.verb == "pass" for it in tables.get(code).prompts[ids.index(player)].offers):
            press(tables, code, player, "pass")
    seat = tables.get(code).state.turn
    fake_clock.sleep(2 * DAY)
    everything_due(tables, code)
    assert tables.get(code).state.turn != seat or tables.get(code).state.steps[-1].number
    assert len(moves_of(tables, code, seat)) >= 3  # ready or pass, draw, what to do with it
    assert occupant(tables, code, ids[seat]).lapsed == 1


def test_two_missed_turns_hand_over_to_a_bot_until_return(tables, fake_clock):
    code, (ann, ben) = begun(tables)
    for n in range(2):
        plays(tables, code, ann, n)
        fake_clock.sleep(2 * DAY)
        everything_due(tables, code)
    assert occupant(tables, code, ben).stand_in
    assert told(tables, code).count("table.lapsed_again") == 1
    assert left(tables, fake_clock, code, ann) is None  # alone with a bot
    match_service.end_stand_in(tables, code, ben)
    mine = occupant(tables, code, ben)
    assert (mine.stand_in, mine.lapsed) == (False, 0)
    assert left(tables, fake_clock, code, ben) or left(tables, fake_clock, code, ann)


def test_a_players_own_move_resets_their_missed_turns(tables, fake_clock):
    code, (ann, ben) = begun(tables)
    plays(tables, code, ann)
    fake_clock.sleep(2 * DAY)
    everything_due(tables, code)
    plays(tables, code, ann, 1)
    plays(tables, code, ben, 2)
    plays(tables, code, ann, 3)
    fake_clock.sleep(2 * DAY)
    everything_due(tables, code)
    assert occupant(tables, code, ben).lapsed == 1


def test_clock_stops_if_no_player_waits(tables, fake_clock):
    """The last remaining player is not hurried (decision 11)."""
    code, _ = begun(tables)
    for _ in range(5):
        fake_clock.sleep(2 * DAY)
        everything_due(tables, code)
    table = tables.get(code).table
    assert table.playing
    assert len(table.people()) == 1
    assert table.day_clocks() == []


@pytest.mark.parametrize("game", sorted(GAMES))
def test_bots_replace_absent_players_in_every_game(tables, fake_clock, game):
    bots = max(0, GAMES[game].seats(GAMES[game].options())[0] - 3)
    options = {"players": 3} if game == "gops" else {}
    code, (ann, ben, cleo) = begun(
        tables, game, names=("Ann", "Ben", "Cleo"), bots=bots, days=1, **options
    )
    for n in range(400):
        found = tables.get(code)
        if not found.table.playing or occupant(tables, code, cleo).stand_in:
            break
        asked = [it for it in (ann, ben) if found.prompts[found.table.seat_of(it)].waited_for]
        for player in asked:
            if tables.get(code).prompts[tables.get(code).table.seat_of(player)].waited_for:
                plays(tables, code, player, n)
        fake_clock.sleep(60.0 if asked else DAY)
        everything_due(tables, code)
    assert occupant(tables, code, cleo).stand_in
    assert told(tables, code).count("table.lapsed_again") == 1
    assert {ann, ben} == set(tables.get(code).table.people().values())


# Secret answers


def sealed_window(tables, fake_clock, **more):
    """Return a Kaboom table at which flips are being collected, and its people."""
    code, ids = begun(tables, "kaboom", names=("Ann", "Ben", "Cleo"), **more)
    for player in ids:
        press(tables, code, player, "ready")
    assert all(turn.sealed for turn in tables.get(code).table.turns.values())
    return code, ids


def test_secret_prompt_has_the_same_deadline_for_all(tables, fake_clock):
    code, (ann, ben, cleo) = sealed_window(tables, fake_clock)
    fake_clock.sleep(DAY)
    press(tables, code, ann, "pass")
    assert left(tables, fake_clock, code, ben) == left(tables, fake_clock, code, cleo) == DAY


def test_secret_timeout_names_no_player(tables, fake_clock):
    code, (ann, *_) = sealed_window(tables, fake_clock)
    press(tables, code, ann, "pass")
    before = {p: tables.get(code).table.revision(ids) for p, ids in enumerate((0, 1, 2))}
    fake_clock.sleep(2 * DAY)
    assert tables.run_due(code)  # the first of two who have not answered
    assert "table.lapsed" not in told(tables, code)
    after = {p: tables.get(code).table.revision(ids) for p, ids in enumerate((0, 1, 2))}
    assert sum(before[p] != after[p] for p in before) == 1  # the player who passed
    everything_due(tables, code)
    assert "table.lapsed" not in told(tables, code)


def test_secret_prompt_allows_no_nudge(tables, fake_clock):
    code, (ann, ben, _) = sealed_window(tables, fake_clock)
    fake_clock.sleep(1.9 * DAY)
    with pytest.raises(InvalidState):
        nudges.nudge(tables, code, ann, tables.get(code).table.seat_of(ben))


# Vacation


def test_vacation_stops_the_clock_and_is_announced(stored, fake_clock):
    code, (ann, ben) = begun(stored)
    plays(stored, code, ben)
    fake_clock.sleep(DAY)
    vacations.go_on_vacation(stored, ann, 5)
    assert "table.vacation" in told(stored, code)
    fake_clock.sleep(4 * DAY)
    assert everything_due(stored, code) == 0
    assert stored.get(code).table.day_clock(stored.get(code).table.seat_of(ann)).left == DAY
    fake_clock.sleep(DAY)
    assert everything_due(stored, code) == 1  # it runs again
    assert left(stored, fake_clock, code, ann) == DAY
    assert occupant(stored, code, ann).lapsed == 0


def test_turn_begun_on_vacation_has_all_its_days_afterwards(tables, fake_clock):
    code, (ann, ben) = begun(tables)
    vacations.go_on_vacation(tables, ann, 3)
    plays(tables, code, ann)  # playing is allowed on vacation
    plays(tables, code, ben)
    fake_clock.sleep(3 * DAY)
    everything_due(tables, code)
    assert left(tables, fake_clock, code, ann) == 2 * DAY


def test_vacation_days_are_limited_and_unused_ones_return(stored, fake_clock):
    code, (ann, _) = begun(stored)
    with pytest.raises(InvalidState, match="21 vacation days"):
        vacations.go_on_vacation(stored, ann, 22)
    with pytest.raises(InvalidState):
        vacations.go_on_vacation(stored, ann, 0)
    vacations.go_on_vacation(stored, ann, 20)
    with pytest.raises(InvalidState, match="already"):
        vacations.go_on_vacation(stored, ann, 1)
    fake_clock.sleep(2.5 * DAY)
    vacations.end_vacation(stored, ann)
    assert "table.vacation_over" in told(stored, code)
    assert vacations.vacation(stored, ann).left == 18  # a part of a day counts as a day
    assert left(stored, fake_clock, code, ann) == 2 * DAY
    with pytest.raises(InvalidState, match="not on vacation"):
        vacations.end_vacation(stored, ann)
    fake_clock.sleep(366 * DAY)
    assert vacations.vacation(stored, ann).left == 21


def test_clock_set_back_adds_no_vacation_days(stored, fake_clock):
    _, (ann, _) = opened(stored)
    vacations.go_on_vacation(stored, ann, 3)
    fake_clock.time -= 10 * DAY
    vacations.end_vacation(stored, ann)
    assert vacations.vacation(stored, ann).left == 21


def test_kill_before_a_table_is_updated_costs_no_vacation(stored, fake_clock, monkeypatch):
    code, (ann, _) = begun(stored)
    fake_clock.sleep(1.5 * DAY)
    monkeypatch.setattr(vacations, "_tell_tables", lambda tables, player: None)
    vacations.go_on_vacation(stored, ann, 5)
    fake_clock.sleep(DAY)
    while stored.run_due(code):
        pass
    assert occupant(stored, code, ann).lapsed == 0
    clock = stored.get(code).table.day_clock(stored.get(code).table.seat_of(ann))
    assert clock.left == DAY / 2  # as at the beginning of the vacation


def test_vacation_days_continue_during_a_pause(tables, fake_clock):
    code, (ann, ben) = begun(tables)
    vacations.go_on_vacation(tables, ann, 2)
    vote_service.propose_vote(tables, code, ann, votes.PAUSE)
    vote_service.cast_vote(tables, code, ben, 1, True)
    fake_clock.sleep(5 * DAY)
    assert everything_due(tables, code) == 0


@pytest.mark.parametrize(("guests", "others"), [(5, 3), (3, 5), (4, 4), (4, None), (None, 4)])
def test_merged_player_keeps_the_longer_vacation(stored, guests, others):
    guest, other = (players.player(stored, f"key of {name}", name)[0] for name in ("Guest", "Ann"))
    for player, days in ((guest, guests), (other, others)):
        if days is not None:
            vacations.go_on_vacation(stored, player, days)
    stored.database.write(lambda c: merge_queries.carry(c, guest, other, "key of Guest"))
    left = vacations.vacation(stored, other).left
    assert left == 21 - max(days for days in (guests, others) if days is not None)
    assert vacations.vacation(stored, guest).left == 21


# Nudges


def test_one_nudge_a_turn_after_half_of_the_time(stored, fake_clock):
    code, (ann, ben) = begun(stored)
    plays(stored, code, ann)
    seat = stored.get(code).table.seat_of(ben)
    with pytest.raises(InvalidState):
        nudges.nudge(stored, code, ann, seat)
    fake_clock.sleep(DAY)
    nudges.nudge(stored, code, ann, seat)
    assert told(stored, code).count("table.nudged") == 1
    with pytest.raises(InvalidState):
        nudges.nudge(stored, code, ann, seat)
    stranger = players.player(stored, "key of Dora", "Dora")[0]
    with pytest.raises(NotPermitted):
        nudges.nudge(stored, code, stranger, seat)


def test_nudge_of_self_free_chair_or_vacationer_is_refused(tables, fake_clock):
    code, (ann, ben) = begun(tables)
    fake_clock.sleep(1.5 * DAY)
    table = tables.get(code).table
    for seat in (table.seat_of(ann), 17, -1):
        with pytest.raises(InvalidState):
            nudges.nudge(tables, code, ann, seat)
    vacations.go_on_vacation(tables, ben, 3)
    with pytest.raises(InvalidState):
        nudges.nudge(tables, code, ann, table.seat_of(ben))


# Other things that must not be timed in minutes


def test_vote_waits_for_all_players_present_or_not(tables, fake_clock):
    code, (ann, ben) = begun(tables)
    tables.here.players = {ann}
    vote_service.propose_vote(tables, code, ann, votes.END)
    assert tables.get(code).table.playing
    fake_clock.sleep(1.5 * DAY)
    everything_due(tables, code)
    assert tables.get(code).table.vote is not None
    vote_service.cast_vote(tables, code, ben, 1, True)
    assert not tables.get(code).table.playing


def test_vote_expires_after_the_days_of_the_table(tables, fake_clock):
    code, (ann, _) = begun(tables, days=3)
    tables.here.players = {ann}
    vote_service.propose_vote(tables, code, ann, votes.END)
    fake_clock.sleep(3 * DAY)
    everything_due(tables, code)
    assert tables.get(code).table.vote is None
    assert tables.get(code).table.playing


def test_correspondence_bot_vote_is_held_for_a_day(tables, fake_clock):
    code, (ann, ben) = begun(tables)
    tables.here.players = {ann}
    seat = tables.get(code).table.seat_of(ben)
    vote_service.propose_vote(tables, code, ann, votes.BOT, seat)
    fake_clock.sleep(0.9 * DAY)
    everything_due(tables, code)
    assert not occupant(tables, code, ben).stand_in
    fake_clock.sleep(0.1 * DAY)
    everything_due(tables, code)
    assert occupant(tables, code, ben).stand_in


def test_only_the_host_starts_without_waiting_even_while_away(tables):
    code, (ann, ben) = opened(tables)
    tables.here.players = {ben}
    with pytest.raises(NotPermitted):
        start_match.start(tables, code, ben)
    start_match.start(tables, code, ann)


def test_correspondence_table_is_kept_while_players_may_return(stored, fake_clock):
    code, (ann, ben) = begun(stored, days=7)
    plays(stored, code, ann)
    vacations.go_on_vacation(stored, ben, 21)
    fake_clock.sleep(27 * DAY)
    assert cleanup.expire(stored, days=3) == 0
    fake_clock.sleep((max(BANKS) + 5) * DAY)  # a turn, the longest vacation, and three days
    assert cleanup.expire(stored, days=3) == 1


def test_server_host_may_delete_a_correspondence_table(stored):
    code, _ = begun(stored, days=7)
    interventions.delete(stored, code)
    assert stored.database.read(lambda c: cleanup_queries.codes(c)) == []


def test_live_table_has_no_correspondence_features(tables, fake_clock):
    code, (ann, ben) = begun(tables, days=0)
    assert tables.get(code).table.day_clocks() == []
    vacations.go_on_vacation(tables, ann, 3)
    assert occupant(tables, code, ann).vacation is None
    with pytest.raises(InvalidState):
        nudges.nudge(tables, code, ann, tables.get(code).table.seat_of(ben))


def test_older_server_loses_no_days(tables, fake_clock):
    """It knows neither the column nor the fields, so the body it writes lacks them."""
    code, (ann, _) = begun(tables)
    row = tables.database.read(lambda c: queries.table(c, code))
    body = from_json(row.body, dict)
    for name in ("days", "covered", "nudged"):
        body.pop(name)
    body["timers"] = {}
    values = {"body": to_json(body), "version": row.version + 1, "due_at": None}
    tables.database.write(lambda c: queries.save_table(c, row.id, values))
    assert tables.get(code).table.days == 2
    plays(tables, code, ann)
    assert tables.database.read(lambda c: c.execute(text("SELECT due_at FROM tables")).scalar())
