"""A removed entrant wins no title, and starts no more matches."""

import pytest

from kaboom.errors import InvalidState
from kaboom.tables import start_match
from kaboom.tournaments import organizer
from kaboom.tournaments.changes import GRACE
from kaboom.tournaments.rules.events import Format, How, Ruling, Verb
from kaboom.tournaments.rules.pairing import champions
from kaboom.tournaments.rules.standings import standings
from tests.support.tournaments import all_ready, opened, played, pods, settled
from tests.tournaments.test_titles import after_the_semifinals

FOUR = ("Ann", "Ben", "Cat", "Dan")


@pytest.fixture
def tables(open_tables, sqlite_url):
    return open_tables(sqlite_url)


def test_entrant_removed_before_the_final_loses_it(tables, fake_clock):
    code, ids, winners = after_the_semifinals(tables)
    best, other = sorted(winners)
    organizer.rule(tables, code, ids[0], Ruling(Verb.REMOVE, "cheated", entrants=(best,)))
    all_ready(tables, code, missing={ids[best - 1]})
    fake_clock.sleep(GRACE)
    assert champions(settled(tables, code).of) == [other]


@pytest.mark.parametrize("format", [Format.KNOCKOUT, Format.SWISS])
def test_entrant_removed_while_playing_wins_no_title(tables, format):
    code, ids = opened(tables, "Ann", "Ben", format=format, rounds=1)
    organizer.begin(tables, code, ids[0])
    settled(tables, code)
    all_ready(tables, code)
    organizer.rule(tables, code, ids[0], Ruling(Verb.REMOVE, "cheated", entrants=(1,)))
    seen = played(tables, code)
    assert seen.of.rounds[0].pods[0].result[0].how == How.PLAYED, "the results played stay"
    lines = standings(seen.of, seen.draw())
    assert [(it.place, it.entrant) for it in lines] == [(1, 2), (2, 1)]
    if format == Format.KNOCKOUT:
        assert champions(seen.of) == [2]


@pytest.mark.parametrize("duplicate", [False, True])
def test_removed_entrant_is_absent_at_an_unstarted_table(tables, fake_clock, duplicate):
    code, ids = opened(tables, *FOUR, format=Format.SWISS, duplicate=duplicate)
    organizer.begin(tables, code, ids[0])
    settled(tables, code)
    ready, waiting = (table for _, table, _ in pods(tables, code))
    for table in (ready, waiting):
        first = next(occupant for _, occupant in tables.get(table).table.sitting())
        if table == ready:
            start_match.ready(tables, table, first.player)
        removal = Ruling(Verb.REMOVE, "cheated", entrants=(first.entrant,))
        organizer.rule(tables, code, ids[0], removal)
    with pytest.raises(InvalidState, match="removed"):
        start_match.ready(tables, waiting, first.player)
    for table in (ready, waiting):
        _, last = list(tables.get(table).table.sitting())[-1]
        start_match.ready(tables, table, last.player)
    fake_clock.sleep(GRACE)
    seen = settled(tables, code)
    hows = [{it.entrant: it.how for it in pod.result} for pod in seen.of.rounds[0].pods]
    gone = seen.of.removed()
    assert len(gone) == 2
    for result in hows:
        assert {how for it, how in result.items() if it in gone} == {How.ABSENT}
        assert {how for it, how in result.items() if it and it not in gone} == {How.THROUGH}
