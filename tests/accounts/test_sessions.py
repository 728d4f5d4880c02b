"""One player has the keys of several browsers; each leads to them alone."""

import pytest
from sqlalchemy import delete, select, text

from kaboom.accounts import player_queries, players, sessions
from kaboom.db.models import keys as key_table
from kaboom.engine.i18n import say
from kaboom.errors import InvalidState, NotPermitted
from kaboom.games import GAMES
from kaboom.lobby import service as seating
from kaboom.tables import queries

PHONE, LAPTOP, OLD = "phone".ljust(64, "0"), "laptop".ljust(64, "0"), "old".ljust(64, "0")


@pytest.fixture
def ann(tables):
    """Ann, at a table of hers, on a phone and a laptop: her number and the table's code."""
    player, name = players.player(tables, PHONE, "Ann")
    tables.database.write(lambda c: player_queries.add_key(c, LAPTOP, player, tables.now()))
    code = seating.open(tables, "gops", GAMES["gops"].options(), player, name)
    return player, code


def test_each_of_ones_devices_finds_ones_seat(tables, ann):
    player, code = ann
    assert tables.look(code, PHONE).me == tables.look(code, LAPTOP).me == 0
    assert players.player(tables, LAPTOP, "Ann") == (player, "Ann")


def test_a_device_that_is_signed_out_is_a_strangers_at_once(tables, ann):
    _, code = ann
    words = {it.word: it for it in sessions.devices(tables, LAPTOP)}
    (phone,) = [word for word, it in words.items() if not it.this]
    heard = []
    tables.signals = tables.signals.__class__(lambda code, due: heard.append(code))
    assert sessions.sign_out(tables, LAPTOP, phone) is False
    assert heard == [code]  # open pages look again
    assert tables.look(code, PHONE).player is None
    assert tables.look(code, LAPTOP).me == 0
    assert not players.knows(tables, PHONE)


def test_all_others_are_signed_out_and_this_one_stays(tables, ann):
    sessions.sign_others_out(tables, LAPTOP)
    assert [it.this for it in sessions.devices(tables, LAPTOP)] == [True]
    assert not players.knows(tables, PHONE)


def test_nobody_names_or_signs_out_a_device_of_somebody_else(tables, ann):
    (phone, *_) = [it.word for it in sessions.devices(tables, PHONE)]
    players.player(tables, "eve".ljust(64, "0"), "Eve")
    for word in (phone, "others", ""):
        with pytest.raises(NotPermitted):
            sessions.sign_out(tables, "eve".ljust(64, "0"), word)
    with pytest.raises(NotPermitted):
        sessions.call(tables, "", phone, "Mine")
    with pytest.raises(InvalidState, match=say("Please give a name that can be read.")):
        sessions.call(tables, PHONE, phone, "\u202e")


def test_a_device_keeps_its_days_and_the_name_it_was_given(tables, ann, watch):
    watch.sleep(3 * sessions.DAY)
    sessions.seen(tables, PHONE, "Firefox, Android")
    phone = next(it for it in sessions.devices(tables, PHONE) if it.this)
    assert phone.last - phone.first == 3 * sessions.DAY
    assert phone.name == "Firefox, Android"
    sessions.call(tables, PHONE, phone.word, "My phone")
    watch.sleep(sessions.DAY)
    sessions.seen(tables, PHONE, "Firefox, Windows")
    phone = next(it for it in sessions.devices(tables, PHONE) if it.this)
    assert phone.name == "My phone"
    assert phone.last - phone.first == 4 * sessions.DAY


# Beside a server of the last version


def of_old(tables):
    """A player whom a server of the last version stored, which knows nothing of the other table."""
    player, name = players.player(tables, OLD, "Olga")
    tables.database.write(lambda c: c.execute(delete(key_table)))
    return player, name


def test_who_sits_down_at_a_server_of_the_last_version_is_known_here(tables):
    player, name = of_old(tables)
    code = seating.open(tables, "gops", GAMES["gops"].options(), player, name)
    assert tables.look(code, OLD).me == 0
    assert [it is None or it.me for it in tables.looks(code, [OLD, "x", PHONE])] == [0, None, None]
    assert players.knows(tables, OLD)
    assert players.player(tables, OLD, "Olga")[0] == player  # and is so from now on
    found = tables.database.read(lambda c: c.execute(select(key_table.c.player_id)).scalars().all())
    assert found == [player]


def test_who_is_signed_out_here_is_signed_out_at_a_server_of_the_last_version(tables, ann):
    """There, the key in `players` counts."""
    sessions.sign_others_out(tables, LAPTOP)
    old = text("SELECT count(*) FROM players WHERE key_hash = :key")
    assert tables.database.read(lambda c: c.execute(old, {"key": PHONE}).scalar()) == 0


def test_looking_at_a_table_is_one_statement_as_it_was_and_by_indices(tables, ann, store_url):
    _, code = ann
    tables.look(code, PHONE)
    asked = []

    def glanced(connection):
        raw = connection.connection.driver_connection
        if hasattr(raw, "set_trace_callback"):
            raw.set_trace_callback(asked.append)
        found = queries.glances(connection, code, [PHONE, LAPTOP, ""])
        if hasattr(raw, "set_trace_callback"):
            raw.set_trace_callback(None)
        return found

    assert [it.name for it in tables.database.read(glanced)] == ["Ann", "Ann", None]
    if not store_url.startswith("sqlite"):
        return
    assert len(asked) == 1
    plan = tables.database.read(
        lambda c: [row[-1] for row in c.exec_driver_sql(f"EXPLAIN QUERY PLAN {asked[0]}")]
    )
    assert plan
    assert not [step for step in plan if step.startswith("SCAN")], plan
