"""A tournament's settings can be changed until the first entry; its log has each version."""

import pytest
from msgspec import structs

from kaboom.errors import InvalidFields, InvalidState, NotPermitted
from kaboom.tournaments import organizer
from kaboom.tournaments import queries as store
from kaboom.tournaments import service as tournaments
from kaboom.tournaments import settings as settings_module
from kaboom.tournaments.cache import SeenTournaments, opened_with
from kaboom.tournaments.changes import get_tournament
from kaboom.tournaments.rules.events import Changed, Format
from kaboom.tournaments.rules.state import folded
from tests.support.tournaments import FOUR, players, settings


@pytest.fixture
def ids(tables):
    return players(tables, *FOUR)


@pytest.fixture
def code(tables, ids):
    return tournaments.open(tables, ids[0], settings())


def changed(tables, code, host, **new):
    before = get_tournament(tables, code).of.settings
    settings_module.change_settings(tables, code, host, structs.replace(before, **new))
    return get_tournament(tables, code).of.settings


def test_change_settings_before_the_first_entry_changes_all(tables, ids, code):
    opened = get_tournament(tables, code).of.settings
    new = {"name": "Open", "format": Format.SWISS, "rounds": 4, "most": 16, "check_in": 20}
    new |= {"limit": 30, "between": 5, "accounts": True, "late": False, "begins_at": 99_999_999.0}
    found = changed(tables, code, ids[0], **new)
    assert found == structs.replace(opened, **new)
    assert [it.event for it in get_tournament(tables, code).log] == [Changed(found)]
    assert changed(tables, code, ids[0]) == found  # no change, no effect
    assert len(get_tournament(tables, code).log) == 1


def test_changed_settings_are_replayed_from_the_log(tables, ids, code):
    opened = get_tournament(tables, code).of.settings
    changed(tables, code, ids[0], name="Second", format=Format.LEAGUE)
    tournaments.enter(tables, code, ids[1], "Ben")
    seen = get_tournament(tables, code)
    assert opened_with(seen.row) == opened  # the original is not overwritten
    for upto in range(len(seen.log) + 1):
        found = folded(opened, seen.log[:upto])
        assert found.settings == (seen.of.settings if upto else opened)
    assert folded(opened, seen.log) == seen.of
    tables.tournaments = SeenTournaments()  # another worker
    assert get_tournament(tables, code).of == seen.of


def test_change_settings_after_an_entry_keeps_the_terms(tables, ids, code):
    for player, name in zip(ids, FOUR, strict=True):
        tournaments.enter(tables, code, player, name)
    before = get_tournament(tables, code).of.settings
    for new in ({"format": Format.SWISS}, {"limit": 30}, {"begins_at": 9e9}, {"accounts": True}):
        with pytest.raises(InvalidFields) as no:
            changed(tables, code, ids[0], **new)
        assert list(no.value.fields) == list(new)
        assert "players entered on these terms" in no.value.fields[next(iter(new))]
    with pytest.raises(InvalidFields, match="already entered") as no:
        changed(tables, code, ids[0], most=3)
    assert no.value.fields == {"most": "4 players have entered: there must be room for them."}
    assert get_tournament(tables, code).of.settings == before
    found = changed(tables, code, ids[0], name="Late", most=4, between=15)
    assert (found.name, found.most, found.between) == ("Late", 4, 15)


def test_change_settings_when_all_have_left_changes_all(tables, ids, code):
    tournaments.enter(tables, code, ids[1], "Ben")
    tournaments.leave(tables, code, ids[1])
    assert changed(tables, code, ids[0], format=Format.SWISS).format == Format.SWISS


def test_change_settings_is_refused_after_the_tournament_began(tables, ids, code):
    with pytest.raises(NotPermitted):
        changed(tables, code, ids[1], name="Mine")
    for wrong in ({"name": " \u200b"}, {"size": 9}, {"most": 1}):
        with pytest.raises(InvalidState):
            changed(tables, code, ids[0], **wrong)
    for player, name in zip(ids, FOUR, strict=True):
        tournaments.enter(tables, code, player, name)
    organizer.begin(tables, code, ids[0])
    with pytest.raises(InvalidState, match="already begun"):
        changed(tables, code, ids[0], name="Late")


def test_change_settings_updates_the_due_time(tables, ids, code):
    def due():
        return tables.database.read(lambda c: store.tournament(c, code)).due_at

    assert due() is None
    at = tables.now() + 3600
    changed(tables, code, ids[0], begins_at=at)
    assert due() == at
    changed(tables, code, ids[0], begins_at=0.0)
    assert due() is None


def test_change_settings_shows_or_hides_the_tournament_in_lobby(tables, ids, code):
    it = get_tournament(tables, code).of.settings
    settings_module.change_settings(tables, code, ids[0], it, listed=True)
    assert get_tournament(tables, code).row.listed
    settings_module.change_settings(tables, code, ids[0], it)
    assert get_tournament(tables, code).row.listed
    settings_module.change_settings(tables, code, ids[0], it, listed=False)
    assert not get_tournament(tables, code).row.listed
