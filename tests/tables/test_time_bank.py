"""The time bank of correspondence matches: a fixed amount besides the time for each decision."""

import pytest

from kaboom.correspondence import vacations
from kaboom.db.times import DAY
from kaboom.errors import InvalidState
from kaboom.games import GAMES
from kaboom.lobby import table_settings
from kaboom.table_page import service as match_service
from kaboom.table_page import vote_service
from kaboom.tables import start_match, votes
from kaboom.tables.clock.correspondence import can_be_nudged
from kaboom.tables.table import BANKS
from tests.correspondence.test_service import everything_due, left, occupant, opened, plays, told


def begun(tables, game="gops", days=2, bank=3, **more):
    code, ids = opened(tables, game, days=days, **more)
    table_settings.change_options(tables, code, ids[0], GAMES[game].options(), days, bank)
    for player in ids[1:]:
        start_match.ready(tables, code, player)
    start_match.start(tables, code, ids[0])
    return code, ids


def bank(tables, code, player):
    table = tables.get(code).table
    return table.bank_of(table.seat_of(player))


def test_time_bank_extends_the_clock_by_its_exact_length(tables, fake_clock):
    code, (ann, ben) = begun(tables)
    plays(tables, code, ann)
    assert left(tables, fake_clock, code, ben) == 5 * DAY
    fake_clock.sleep(5 * DAY - 1)
    assert not tables.run_due(code)
    fake_clock.sleep(1)
    assert everything_due(tables, code) == 1
    assert occupant(tables, code, ben).lapsed == 1
    assert bank(tables, code, ben) == 0
    assert left(tables, fake_clock, code, ben) == 2 * DAY


@pytest.mark.parametrize(
    ("used", "rest"),
    [(0, 3 * DAY), (2 * DAY, 3 * DAY), (2 * DAY + 1, 3 * DAY - 1), (4.5 * DAY, DAY / 2)],
)
def test_only_time_beyond_the_days_is_deducted(tables, fake_clock, used, rest):
    code, (ann, ben) = begun(tables)
    plays(tables, code, ann)
    fake_clock.sleep(used)
    plays(tables, code, ben)
    assert bank(tables, code, ben) == rest
    assert left(tables, fake_clock, code, ben) == 2 * DAY + rest
    assert bank(tables, code, ann) == 3 * DAY


def test_taking_back_neither_refunds_nor_costs_twice(tables, fake_clock):
    code, (ann, _) = begun(tables)
    fake_clock.sleep(3 * DAY)
    plays(tables, code, ann)
    assert bank(tables, code, ann) == 2 * DAY
    back = tables.get(code).table.back[tables.get(code).table.seat_of(ann)]
    match_service.take_back(tables, code, ann, back[-1].number, "undo", 1)
    assert left(tables, fake_clock, code, ann) == 2 * DAY
    fake_clock.sleep(DAY)
    plays(tables, code, ann, 1)
    assert bank(tables, code, ann) == DAY


def test_pause_and_vacation_take_nothing_from_the_time_bank(tables, fake_clock):
    code, (ann, ben) = begun(tables)
    fake_clock.sleep(DAY)
    vote_service.propose_vote(tables, code, ann, votes.PAUSE)
    vote_service.cast_vote(tables, code, ben, 1, True)
    fake_clock.sleep(20 * DAY)
    vote_service.propose_vote(tables, code, ann, votes.GO_ON)
    vote_service.cast_vote(tables, code, ben, 2, True)
    assert left(tables, fake_clock, code, ann) == 4 * DAY
    vacations.go_on_vacation(tables, ann, 5)
    fake_clock.sleep(4 * DAY)
    plays(tables, code, ann)
    assert bank(tables, code, ann) == 3 * DAY


def test_another_process_continues_with_the_remaining_bank(
    tables, open_tables, store_url, fake_clock
):
    code, (ann, ben) = begun(tables)
    fake_clock.sleep(3 * DAY)
    plays(tables, code, ann)
    again = open_tables(store_url)
    assert bank(again, code, ann) == 2 * DAY
    plays(again, code, ben)
    assert left(again, fake_clock, code, ann) == 4 * DAY
    assert left(again, fake_clock, code, ben) == 4 * DAY


def test_each_match_begins_with_a_full_bank(tables, fake_clock):
    code, (ann, ben) = begun(tables)
    fake_clock.sleep(4 * DAY)
    plays(tables, code, ann)
    vote_service.propose_vote(tables, code, ann, votes.END)
    vote_service.cast_vote(tables, code, ben, 1, True)
    for player in (ann, ben):
        start_match.ready(tables, code, player)
    assert tables.get(code).table.playing
    assert bank(tables, code, ann) == 3 * DAY


def test_time_bank_does_not_delay_reminders(tables, fake_clock):
    code, (ann, ben) = begun(tables)
    plays(tables, code, ann)
    found = tables.get(code)
    seat, now = found.table.seat_of(ben), found.table_time(fake_clock())
    assert not can_be_nudged(found.table, seat, now + DAY - 1)
    assert can_be_nudged(found.table, seat, now + DAY)


def test_time_bank_needs_an_offered_length_and_correspondence(tables):
    for wrong in (-1, 1, 30):
        with pytest.raises(InvalidState, match="not available"):
            begun(tables, bank=wrong)
    code, (ann, _) = opened(tables)
    for days in BANKS:
        table_settings.change_options(tables, code, ann, GAMES["gops"].options(), bank=days)
        assert tables.get(code).table.bank == days
        assert told(tables, code)[-1] == "table.bank"
    code, _ = begun(tables, days=0, bank=7)
    assert tables.get(code).table.bank == 0
