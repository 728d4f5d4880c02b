"""A player has keys for several browsers; each identifies only that player."""

import pytest
from sqlalchemy import delete, select, text

from kaboom.accounts import player_queries, players, sessions
from kaboom.accounts.models import keys as key_table
from kaboom.engine.i18n import gettext as _
from kaboom.errors import InvalidState, NotPermitted
from kaboom.games import GAMES
from kaboom.lobby import service as lobby
from kaboom.tables import queries

PHONE, LAPTOP, OLD = "phone".ljust(64, "0"), "laptop".ljust(64, "0"), "old".ljust(64, "0")


@pytest.fixture
def ann(tables):
    """Ann, at her own table, on a phone and a laptop: her id and the table's code."""
    player, name = players.player(tables, PHONE, "Ann")
    tables.database.write(lambda c: player_queries.add_key(c, LAPTOP, player, tables.now()))
    code = lobby.open(tables, "gops", GAMES["gops"].options(), player, name)
    return player, code


def test_every_device_finds_the_players_seat(tables, ann):
    player, code = ann
    assert tables.get(code, PHONE).me == tables.get(code, LAPTOP).me == 0
    assert players.player(tables, LAPTOP, "Ann") == (player, "Ann")


def test_signed_out_device_is_a_stranger_at_once(tables, ann):
    _unused, code = ann
    words = {it.word: it for it in sessions.devices(tables, LAPTOP)}
    (phone,) = [word for word, it in words.items() if not it.this]
    heard = []
    tables.signals = tables.signals.__class__(lambda code, due: heard.append(code))
    assert sessions.sign_out(tables, LAPTOP, phone) is False
    assert heard == [code]  # open pages refresh
    assert tables.get(code, PHONE).player is None
    assert tables.get(code, LAPTOP).me == 0
    assert not players.knows(tables, PHONE)


def test_all_other_devices_are_signed_out(tables, ann):
    sessions.sign_others_out(tables, LAPTOP)
    assert [it.this for it in sessions.devices(tables, LAPTOP)] == [True]
    assert not players.knows(tables, PHONE)


def test_player_cannot_rename_or_sign_out_anothers_device(tables, ann):
    (phone, *_unused) = [it.word for it in sessions.devices(tables, PHONE)]
    players.player(tables, "eve".ljust(64, "0"), "Eve")
    for word in (phone, "others", ""):
        with pytest.raises(NotPermitted):
            sessions.sign_out(tables, "eve".ljust(64, "0"), word)
    with pytest.raises(NotPermitted):
        sessions.call(tables, "", phone, "Mine")
    with pytest.raises(InvalidState, match=_("A name needs at least one visible character.")):
        sessions.call(tables, PHONE, phone, "\u202e")


def test_device_keeps_its_dates_and_its_label(tables, ann, fake_clock):
    fake_clock.sleep(3 * sessions.DAY)
    sessions.seen(tables, PHONE, "Firefox, Android")
    phone = next(it for it in sessions.devices(tables, PHONE) if it.this)
    assert phone.last - phone.first == 3 * sessions.DAY
    assert phone.name == "Firefox, Android"
    sessions.call(tables, PHONE, phone.word, "My phone")
    fake_clock.sleep(sessions.DAY)
    sessions.seen(tables, PHONE, "Firefox, Windows")
    phone = next(it for it in sessions.devices(tables, PHONE) if it.this)
    assert phone.name == "My phone"
    assert phone.last - phone.first == 4 * sessions.DAY


# Beside a server of the previous version


def of_old(tables):
    """A player stored by a server of the previous version, which does not know the table of
    keys."""
    player, name = players.player(tables, OLD, "Olga")
    tables.database.write(lambda c: c.execute(delete(key_table)))
    return player, name


def test_seat_taken_under_the_previous_version_is_recognized(tables):
    player, name = of_old(tables)
    code = lobby.open(tables, "gops", GAMES["gops"].options(), player, name)
    assert tables.get(code, OLD).me == 0
    assert [it is None or it.me for it in tables.get_many(code, [OLD, "x", PHONE])] == [
        0,
        None,
        None,
    ]
    assert players.knows(tables, OLD)
    assert players.player(tables, OLD, "Olga")[0] == player  # and stays so
    found = tables.database.read(lambda c: c.execute(select(key_table.c.player_id)).scalars().all())
    assert found == [player]


def test_sign_out_also_works_on_the_previous_version(tables, ann):
    """The previous version uses the key in `players`."""
    sessions.sign_others_out(tables, LAPTOP)
    old = text("SELECT count(*) FROM players WHERE key_hash = :key")
    assert tables.database.read(lambda c: c.execute(old, {"key": PHONE}).scalar()) == 0


def test_table_view_takes_one_indexed_statement(tables, ann, store_url):
    _unused, code = ann
    tables.get(code, PHONE)
    asked = []

    def glanced(connection):
        raw = connection.connection.driver_connection
        if hasattr(raw, "set_trace_callback"):
            raw.set_trace_callback(asked.append)
        found = queries.fetch_heads(connection, code, [PHONE, LAPTOP, ""])
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
