"""The organiser re-pairs a round as long as no player has played in it."""

import pytest

from kaboom.db.signals import Signals
from kaboom.errors import InvalidState, TableNotFound
from kaboom.tables import start_match
from kaboom.tournaments import organizer
from kaboom.tournaments.changes import get_tournament
from kaboom.tournaments.rules.events import Format, Paired, Ruling, Verb
from kaboom.tournaments.rules.pairing import pairing
from tests.support.tournaments import opened, played, pods, settled

FOUR = ("Ann", "Ben", "Cat", "Dan")
ANEW = Ruling(Verb.PAIR, "they are sisters", round=1)


@pytest.fixture
def tables(open_tables, sqlite_url):
    return open_tables(sqlite_url)


@pytest.fixture
def cup(tables):
    """A Swiss of four at GOPS whose tables are open: its code, and its entrants."""
    code, ids = opened(tables, *FOUR, format=Format.SWISS)
    organizer.begin(tables, code, ids[0])
    settled(tables, code)
    return code, ids


def test_re_pairing_separates_the_pairs_kept_apart(tables, cup):
    code, ids = cup
    together = get_tournament(tables, code).of.rounds[0].pods[0].entrants
    old = [table for _, table, _ in pods(tables, code)]
    organizer.rule(tables, code, ids[0], Ruling(Verb.APART, entrants=together))
    before = get_tournament(tables, code)
    organizer.rule(tables, code, ids[0], ANEW)
    seen = settled(tables, code)
    (round,) = seen.of.rounds
    assert all(set(together) != set(pod.entrants) for pod in round.pods)
    assert sorted(it for pod in round.pods for it in pod.entrants) == [1, 2, 3, 4]
    assert len(pods(tables, code)) == 2
    for table in old:
        with pytest.raises(TableNotFound):
            tables.get(table)
    made = [it.event for it in seen.log if isinstance(it.event, Paired)]
    assert len(made) == 2 and made[1].print not in ("", made[0].print)
    again = pairing(before.of, before.draw(), made[1].wave, 1)
    assert again.pods == made[1].pods, "it can be rebuilt from the log"
    assert played(tables, code).of.over


def test_removal_of_an_open_table_notifies_its_player(tables, cup):
    code, ids = cup
    old = {table for _, table, _ in pods(tables, code)}
    told = []
    tables.signals = Signals(changed=lambda table, due_in: told.append(table))
    organizer.rule(tables, code, ids[0], ANEW)
    settled(tables, code)
    assert old <= set(told)


def test_re_pairing_excludes_removed_entrants(tables, cup):
    code, ids = cup
    organizer.rule(tables, code, ids[0], Ruling(Verb.REMOVE, "cheated", entrants=(2,)))
    organizer.rule(tables, code, ids[0], ANEW)
    (round,) = settled(tables, code).of.rounds
    there = [it for pod in round.pods for it in pod.entrants]
    assert sorted((*there, *round.byes)) == [1, 3, 4] and len(round.byes) == 1


def test_round_in_play_is_not_re_paired(tables, cup):
    code, ids = cup
    (_, table, _), _ = pods(tables, code)
    for _, occupant in tables.get(table).table.sitting():
        start_match.ready(tables, table, occupant.player)
    before = get_tournament(tables, code).of
    with pytest.raises(InvalidState, match="already begun"):
        organizer.rule(tables, code, ids[0], ANEW)
    assert get_tournament(tables, code).of == before and len(pods(tables, code)) == 2
