"""Chat at a table, on both stores: writing, storing, reading, deleting, muting."""

import pytest

from kaboom.db.signals import Signals
from kaboom.engine.i18n import gettext as _
from kaboom.errors import InvalidFields, InvalidState, NotPermitted, TableNotFound
from kaboom.social.chat.service import (
    LONGEST,
    PHRASES,
    delete,
    heard,
    heard_last,
    mute,
    muted,
    read,
    speak,
    unmute,
)
from kaboom.tables import start_match
from kaboom.tables.queries import fetch_heads
from kaboom.tables.seats import leaving
from kaboom.tables.spectators.service import let_watch
from kaboom.tables.table import WATCHED_BY_NOBODY
from tests.tables.test_service import opened, people, playing


def key_of(name):
    return f"key of {name}"


def texts(tables, code, name, **more):
    """Return the lines a player reads, as "Name: words"."""
    lines = read(tables, tables.get(code, key_of(name)), **more).lines
    return [f"{line.name}: {'(deleted)' if line.deleted else line.text}" for line in lines]


def last(tables, code, name):
    return read(tables, tables.get(code, key_of(name))).lines[-1].number


def said(tables, code, **words):
    """Let each of these players send a line."""
    for name, text in words.items():
        (player,) = people(tables, name)
        speak(tables, code, player, name, text)


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("hello", "hello"),
        ("  two\r\nlines\tand   more ", "two lines and more"),
        ("‮turned⁦ round", "turned round"),
        ("a\x00b\x07c", "a b c"),
        ("cafe\u0301", "caf\u00e9"),
        ("<b>&amp;", "<b>&amp;"),
        ("x" * LONGEST, "x" * LONGEST),
        ("😀" * LONGEST, "😀" * LONGEST),
        ("https://example.org/", "https://example.org/"),
    ],
)
def test_typed_line_is_cleaned_and_stored(tables, typed, kept):
    code, _unused = opened(tables, "Ann", "Ben")
    said(tables, code, Ann=typed)
    assert texts(tables, code, "Ben") == [f"Ann: {kept}"]


@pytest.mark.parametrize("typed", ["", "   ", "\n", "\u200b\u202e", "x" * (LONGEST + 1)])
def test_empty_or_overlong_line_is_refused_without_a_trace(tables, typed):
    code, _unused = opened(tables, "Ann", "Ben")
    with pytest.raises(InvalidState):
        said(tables, code, Ann=typed)
    assert texts(tables, code, "Ben") == []
    assert heard(tables, tables.get(code, key_of("Ben"))) == (0, 0)


def test_silent_table_does_not_query_the_chat(tables, monkeypatch):
    code, _unused = opened(tables, "Ann", "Ben")
    silent = tables.get(code, key_of("Ben"))
    monkeypatch.setattr(tables.database, "read", None)
    assert heard_last(tables, silent) == 0
    assert heard(tables, silent) == (0, 0)


def test_strangers_can_chat_before_a_match_that_none_may_watch(tables):
    code, (ann, ben) = opened(tables, "Ann", "Ben")
    (eve,) = people(tables, "Eve")
    let_watch(tables, code, ann, WATCHED_BY_NOBODY)
    speak(tables, code, eve, "Eve", "hello")
    start_match.ready(tables, code, ben)
    start_match.start(tables, code, ann)
    with pytest.raises(NotPermitted, match="nly players can write"):
        speak(tables, code, eve, "Eve", "hello again")


def test_unknown_table_has_no_chat(tables):
    (ann,) = people(tables, "Ann")
    for work in (
        lambda: speak(tables, "NOTABLE1", ann, "Ann", "x"),
        lambda: delete(tables, "NOTABLE1", ann, 1),
        lambda: mute(tables, "NOTABLE1", ann, 1),
    ):
        with pytest.raises(TableNotFound):
            work()


def test_phrase_is_stored_by_key_and_shown_in_words(tables):
    code, (ann, _unused) = opened(tables, "Ann", "Ben")
    for phrase in PHRASES:
        speak(tables, code, ann, "Ann", "typed by the way", phrase)
    assert texts(tables, code, "Ben") == [f"Ann: {_(words)}" for words in PHRASES.values()]
    with pytest.raises(InvalidState):
        speak(tables, code, ann, "Ann", "", "no such phrase")


def test_chat_line_or_deletion_wakes_viewers_with_a_revision(open_tables, store_url):
    woken = []
    told = Signals(changed=lambda code, due_in: woken.append(code))
    tables = open_tables(store_url, signals=told)
    code, (ann, _unused) = opened(tables, "Ann", "Ben")
    woken.clear()
    seen = [heard(tables, tables.get(code, key_of("Ben")))]
    version = tables.get(code).version
    said(tables, code, Ann="one", Ben="two")
    seen.append(heard(tables, tables.get(code, key_of("Ben"))))
    delete(tables, code, ann, last(tables, code, "Ben"))
    seen.append(heard(tables, tables.get(code, key_of("Ben"))))
    assert len(set(seen)) == 3
    assert woken == [code] * 3
    assert tables.get(code).version == version, "chat is no part of the table's own versions"


def heard_by(tables, code, name):
    return heard_last(tables, tables.get(code, key_of(name)))


def test_last_unread_line_is_never_own_muted_or_deleted(tables):
    code, (ann, ben) = opened(tables, "Ann", "Ben")
    said(tables, code, Ann="one")
    one = last(tables, code, "Ann")
    assert (heard_by(tables, code, "Ann"), heard_by(tables, code, "Ben")) == (0, one)
    said(tables, code, Ben="two")
    two = last(tables, code, "Ann")
    assert (heard_by(tables, code, "Ann"), heard_by(tables, code, "Ben")) == (two, one)
    mute(tables, code, ben, one)
    assert heard_by(tables, code, "Ben") == 0
    delete(tables, code, ann, two)
    assert heard_by(tables, code, "Ann") == 0


def test_chat_does_not_change_the_tables_revision(tables):
    code, _unused = playing(tables, "Ann", "Ben")
    before = [tables.revision(code, key_of(name)) for name in ("Ann", "Ben", "Cid")]
    said(tables, code, Ann="one")
    assert [tables.revision(code, key_of(name)) for name in ("Ann", "Ben", "Cid")] == before


def test_long_chat_is_paginated(tables, monkeypatch):
    monkeypatch.setattr("kaboom.social.chat.service.SHOWN", 3)
    code, _unused = opened(tables, "Ann", "Ben")
    for number in range(1, 8):
        said(tables, code, Ann=f"{number}")
    snapshot = tables.get(code, key_of("Ben"))
    pages, before = [], 2**31 - 1
    while True:
        page = read(tables, snapshot, before)
        pages.append([line.text for line in page.lines])
        if not page.more:
            break
        before = page.lines[0].number
    assert pages == [["5", "6", "7"], ["2", "3", "4"], ["1"]]


def test_lines_of_other_tables_are_not_included(tables):
    here, (ann, _unused) = opened(tables, "Ann", "Ben")
    there, _unused = opened(tables, "Cid", "Dot")
    said(tables, there, Cid="there")
    line = last(tables, there, "Cid")
    assert texts(tables, here, "Ann") == []
    with pytest.raises(InvalidState):
        delete(tables, here, ann, line)
    with pytest.raises(InvalidState):
        mute(tables, here, ann, line)
    assert texts(tables, there, "Dot") == ["Cid: there"]


def test_only_the_host_deletes_lines(tables):
    code, (ann, ben) = opened(tables, "Ann", "Ben")
    said(tables, code, Ben="rude")
    line = last(tables, code, "Ann")
    with pytest.raises(NotPermitted):
        delete(tables, code, ben, line)
    delete(tables, code, ann, line)
    assert texts(tables, code, "Ben") == ["Ben: (deleted)"]

    def stored(connection):
        return connection.exec_driver_sql("SELECT text, phrase FROM lines").fetchall()

    assert [tuple(row) for row in tables.database.read(stored)] == [("", "")]


def test_muted_player_is_silent_at_all_tables_until_unmuted(tables):
    code, (ann, ben) = opened(tables, "Ann", "Ben")
    said(tables, code, Ben="one", Ann="two")
    line = read(tables, tables.get(code, key_of("Ann"))).lines[0].number
    mute(tables, code, ann, line)
    mute(tables, code, ann, line)
    said(tables, code, Ben="three")
    assert texts(tables, code, "Ann") == ["Ann: two"]
    assert texts(tables, code, "Ben") == ["Ben: one", "Ann: two", "Ben: three"]
    ((word, name),) = muted(tables, ann)
    assert name == "Ben"
    assert str(ben) != word
    unmute(tables, ben, word)  # another player's word has no effect
    unmute(tables, ann, "nonsense")
    with pytest.raises(InvalidFields):
        unmute(tables, ann, "")
    assert len(muted(tables, ann)) == 1
    unmute(tables, ann, word)
    assert texts(tables, code, "Ann") == ["Ben: one", "Ann: two", "Ben: three"]


def test_player_cannot_mute_themselves(tables):
    code, (ann, _unused) = opened(tables, "Ann", "Ben")
    said(tables, code, Ann="one")
    with pytest.raises(InvalidState):
        mute(tables, code, ann, last(tables, code, "Ann"))


def test_spectators_chat_with_a_label_unless_the_host_forbids(tables):
    code, (ann, _unused) = playing(tables, "Ann", "Ben")
    said(tables, code, Cid="from outside")
    (line,) = read(tables, tables.get(code, key_of("Ann"))).lines
    assert (line.name, line.watcher) == ("Cid", True)
    let_watch(tables, code, ann, 0, audience=False)
    with pytest.raises(NotPermitted):
        said(tables, code, Cid="again")
    said(tables, code, Ben="players still do")
    assert texts(tables, code, "Cid")[-1] == "Ben: players still do"


def test_spectator_chat_can_be_hidden_from_players_mid_match(tables):
    code, (ann, ben) = playing(tables, "Ann", "Ben")
    let_watch(tables, code, ann, 0, hush=True)
    before = heard(tables, tables.get(code, key_of("Ben")))
    said(tables, code, Cid="he has the ace")
    assert texts(tables, code, "Ben") == texts(tables, code, "Ann") == []
    assert heard(tables, tables.get(code, key_of("Ben"))) == before
    assert texts(tables, code, "Dot") == texts(tables, code, "Cid") == ["Cid: he has the ace"]
    said(tables, code, Ann="players hear players")
    assert texts(tables, code, "Ben") == ["Ann: players hear players"]
    during = heard(tables, tables.get(code, key_of("Ann")))
    leaving.leave(tables, code, ben)  # with two players this ends the match
    assert not tables.get(code).table.playing
    assert texts(tables, code, "Ann") == ["Cid: he has the ace", "Ann: players hear players"]
    assert heard(tables, tables.get(code, key_of("Ann"))) not in (before, during)


def test_line_delivered_after_a_later_one_is_still_new(tables, fake_clock):
    code, (ann, _unused) = playing(tables, "Ann", "Ben")
    let_watch(tables, code, ann, 5)
    said(tables, code, Ann="for later")
    fake_clock.sleep(60)
    said(tables, code, Cid="instantly")
    fake_clock.sleep(60)
    assert texts(tables, code, "Cid") == ["Cid: instantly"]
    before = heard(tables, tables.get(code, key_of("Cid")))
    fake_clock.sleep(300)
    assert texts(tables, code, "Cid") == ["Ann: for later", "Cid: instantly"]
    assert heard(tables, tables.get(code, key_of("Cid"))) != before


def test_new_match_does_not_hide_earlier_spectator_chat(tables):
    code, (ann, ben) = opened(tables, "Ann", "Ben")
    let_watch(tables, code, ann, 0, hush=True)
    said(tables, code, Cid="before the match")
    for player in (ann, ben):
        start_match.ready(tables, code, player)
    assert tables.get(code).table.playing
    assert texts(tables, code, "Ben") == ["Cid: before the match"]


def test_table_read_includes_the_chat_count(tables):
    code, _unused = opened(tables, "Ann", "Ben")
    said(tables, code, Ann="one")
    found = tables.database.read(lambda connection: fetch_heads(connection, code, [""]))[0]
    assert found.chat == tables.get(code).chat == 1


def test_open_pages_update_on_a_line_and_on_its_removal(open_tables, store_url):
    woken = []
    told = Signals(changed=lambda code, due_in: woken.append((code, due_in)))
    tables = open_tables(store_url, signals=told)
    code, (ann, _unused) = opened(tables, "Ann", "Ben")
    woken.clear()
    speak(tables, code, ann, "Ann", "hello")
    assert woken == [(code, None)]
