"""Talk at a table, on both stores: said, kept, heard by whom, deleted, muted."""

import pytest

from kaboom.db.signals import Signals
from kaboom.engine.i18n import say
from kaboom.errors import InvalidState, NotPermitted, TableNotFound
from kaboom.lobby import service as seating
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
from kaboom.tables import sittings
from kaboom.tables.queries import glances
from kaboom.tables.spectators.service import let_watch
from kaboom.tables.table import WATCHED_BY_NOBODY
from tests.tables.test_service import opened, people, playing


def key_of(name):
    return f"key of {name}"


def texts(tables, code, name, **more):
    """Return what somebody reads, as "Name: words"."""
    lines = read(tables, tables.look(code, key_of(name)), **more).lines
    return [f"{line.name}: {'(deleted)' if line.deleted else line.text}" for line in lines]


def last(tables, code, name):
    return read(tables, tables.look(code, key_of(name))).lines[-1].number


def said(tables, code, **words):
    """Let each of these players say something; return nothing."""
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
def test_what_is_typed_is_cleaned_and_kept(tables, typed, kept):
    code, _ = opened(tables, "Ann", "Ben")
    said(tables, code, Ann=typed)
    assert texts(tables, code, "Ben") == [f"Ann: {kept}"]


@pytest.mark.parametrize("typed", ["", "   ", "\n", "\u200b\u202e", "x" * (LONGEST + 1)])
def test_nothing_or_too_much_is_refused_and_leaves_no_trace(tables, typed):
    code, _ = opened(tables, "Ann", "Ben")
    with pytest.raises(InvalidState):
        said(tables, code, Ann=typed)
    assert texts(tables, code, "Ben") == []
    assert heard(tables, tables.look(code, key_of("Ben"))) == (0, 0)


def test_where_nobody_has_spoken_the_store_is_not_asked_what_was_said(tables, monkeypatch):
    code, _ = opened(tables, "Ann", "Ben")
    silent = tables.look(code, key_of("Ben"))
    monkeypatch.setattr(tables.database, "read", None)
    assert heard_last(tables, silent) == 0
    assert heard(tables, silent) == (0, 0)


def test_where_nobody_may_watch_strangers_talk_until_the_match_begins(tables):
    code, (ann, ben) = opened(tables, "Ann", "Ben")
    (eve,) = people(tables, "Eve")
    let_watch(tables, code, ann, WATCHED_BY_NOBODY)
    speak(tables, code, eve, "Eve", "hello")
    seating.ready(tables, code, ben)
    seating.start(tables, code, ann)
    with pytest.raises(NotPermitted, match="only players may write"):
        speak(tables, code, eve, "Eve", "hello again")


def test_at_a_table_that_is_none_nothing_can_be_said(tables):
    (ann,) = people(tables, "Ann")
    for work in (
        lambda: speak(tables, "NOTABLE1", ann, "Ann", "x"),
        lambda: delete(tables, "NOTABLE1", ann, 1),
        lambda: mute(tables, "NOTABLE1", ann, 1),
    ):
        with pytest.raises(TableNotFound):
            work()


def test_a_phrase_is_kept_by_its_key_and_said_in_words(tables):
    code, (ann, _) = opened(tables, "Ann", "Ben")
    for phrase in PHRASES:
        speak(tables, code, ann, "Ann", "typed by the way", phrase)
    assert texts(tables, code, "Ben") == [f"Ann: {say(words)}" for words in PHRASES.values()]
    with pytest.raises(InvalidState):
        speak(tables, code, ann, "Ann", "", "no such phrase")


def test_every_line_and_every_deletion_wakes_those_who_watch_and_moves_their_number(
    open_tables, store_url
):
    woken = []
    told = Signals(changed=lambda code, due_in: woken.append(code))
    tables = open_tables(store_url, signals=told)
    code, (ann, _) = opened(tables, "Ann", "Ben")
    woken.clear()
    seen = [heard(tables, tables.look(code, key_of("Ben")))]
    version = tables.look(code).version
    said(tables, code, Ann="one", Ben="two")
    seen.append(heard(tables, tables.look(code, key_of("Ben"))))
    delete(tables, code, ann, last(tables, code, "Ben"))
    seen.append(heard(tables, tables.look(code, key_of("Ben"))))
    assert len(set(seen)) == 3
    assert woken == [code] * 3
    assert tables.look(code).version == version, "chat is no part of the table's own versions"


def heard_by(tables, code, name):
    return heard_last(tables, tables.look(code, key_of(name)))


def test_heard_last_counts_neither_own_nor_muted_nor_deleted(tables):
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


def test_the_tables_own_number_does_not_move_when_somebody_talks(tables):
    code, _ = playing(tables, "Ann", "Ben")
    before = [tables.revision(code, key_of(name)) for name in ("Ann", "Ben", "Cid")]
    said(tables, code, Ann="one")
    assert [tables.revision(code, key_of(name)) for name in ("Ann", "Ben", "Cid")] == before


def test_a_long_talk_is_read_page_by_page(tables):
    code, _ = opened(tables, "Ann", "Ben")
    for number in range(1, 8):
        said(tables, code, Ann=f"{number}")
    snapshot = tables.look(code, key_of("Ben"))
    pages, before = [], 2**31 - 1
    while True:
        page = read(tables, snapshot, before, most=3)
        pages.append([line.text for line in page.lines])
        if not page.more:
            break
        before = page.lines[0].number
    assert pages == [["5", "6", "7"], ["2", "3", "4"], ["1"]]


def test_lines_of_other_tables_are_not_heard(tables):
    here, (ann, _) = opened(tables, "Ann", "Ben")
    there, _ = opened(tables, "Cid", "Dot")
    said(tables, there, Cid="there")
    line = last(tables, there, "Cid")
    assert texts(tables, here, "Ann") == []
    with pytest.raises(InvalidState):
        delete(tables, here, ann, line)
    with pytest.raises(InvalidState):
        mute(tables, here, ann, line)
    assert texts(tables, there, "Dot") == ["Cid: there"]


def test_the_host_takes_words_out_and_nobody_else(tables):
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


def test_whom_one_mutes_one_does_not_hear_at_any_table_until_one_does_again(tables):
    code, (ann, ben) = opened(tables, "Ann", "Ben")
    said(tables, code, Ben="one", Ann="two")
    line = read(tables, tables.look(code, key_of("Ann"))).lines[0].number
    mute(tables, code, ann, line)
    mute(tables, code, ann, line)
    said(tables, code, Ben="three")
    assert texts(tables, code, "Ann") == ["Ann: two"]
    assert texts(tables, code, "Ben") == ["Ben: one", "Ann: two", "Ben: three"]
    ((word, name),) = muted(tables, ann)
    assert name == "Ben"
    assert str(ben) != word
    unmute(tables, ben, word)  # another's word does nothing
    unmute(tables, ann, "nonsense")
    assert len(muted(tables, ann)) == 1
    unmute(tables, ann, word)
    assert texts(tables, code, "Ann") == ["Ben: one", "Ann: two", "Ben: three"]


def test_nobody_mutes_themselves(tables):
    code, (ann, _) = opened(tables, "Ann", "Ben")
    said(tables, code, Ann="one")
    with pytest.raises(InvalidState):
        mute(tables, code, ann, last(tables, code, "Ann"))


def test_spectators_write_and_are_known_as_such_unless_the_host_wants_otherwise(tables):
    code, (ann, _) = playing(tables, "Ann", "Ben")
    said(tables, code, Cid="from outside")
    (line,) = read(tables, tables.look(code, key_of("Ann"))).lines
    assert (line.name, line.watcher) == ("Cid", True)
    let_watch(tables, code, ann, 0, audience=False)
    with pytest.raises(NotPermitted):
        said(tables, code, Cid="again")
    said(tables, code, Ben="players still do")
    assert texts(tables, code, "Cid")[-1] == "Ben: players still do"


def test_what_spectators_write_can_be_kept_from_the_players_until_the_match_is_over(tables):
    code, (ann, ben) = playing(tables, "Ann", "Ben")
    let_watch(tables, code, ann, 0, hush=True)
    before = heard(tables, tables.look(code, key_of("Ben")))
    said(tables, code, Cid="he has the ace")
    assert texts(tables, code, "Ben") == texts(tables, code, "Ann") == []
    assert heard(tables, tables.look(code, key_of("Ben"))) == before
    assert texts(tables, code, "Dot") == texts(tables, code, "Cid") == ["Cid: he has the ace"]
    said(tables, code, Ann="players hear players")
    assert texts(tables, code, "Ben") == ["Ann: players hear players"]
    during = heard(tables, tables.look(code, key_of("Ann")))
    sittings.leave(tables, code, ben)  # of two players this ends the match
    assert not tables.look(code).table.playing
    assert texts(tables, code, "Ann") == ["Cid: he has the ace", "Ann: players hear players"]
    assert heard(tables, tables.look(code, key_of("Ann"))) not in (before, during)


def test_a_line_that_is_heard_later_than_one_after_it_is_news_all_the_same(tables, watch):
    code, (ann, _) = playing(tables, "Ann", "Ben")
    let_watch(tables, code, ann, 5)
    said(tables, code, Ann="for later")
    watch.sleep(60)
    said(tables, code, Cid="at once")
    watch.sleep(60)
    assert texts(tables, code, "Cid") == ["Cid: at once"]
    before = heard(tables, tables.look(code, key_of("Cid")))
    watch.sleep(300)
    assert texts(tables, code, "Cid") == ["Ann: for later", "Cid: at once"]
    assert heard(tables, tables.look(code, key_of("Cid"))) != before


def test_a_new_match_does_not_hide_what_was_open_before_it(tables):
    code, (ann, ben) = opened(tables, "Ann", "Ben")
    let_watch(tables, code, ann, 0, hush=True)
    said(tables, code, Cid="before the match")
    for player in (ann, ben):
        seating.ready(tables, code, player)
    assert tables.look(code).table.playing
    assert texts(tables, code, "Ben") == ["Cid: before the match"]


def test_a_look_tells_the_count_of_talk_in_the_same_small_read(tables):
    code, _ = opened(tables, "Ann", "Ben")
    said(tables, code, Ann="one")
    found = tables.database.read(lambda connection: glances(connection, code, [""]))[0]
    assert found.chat == tables.look(code).chat == 1


def test_open_pages_are_woken_by_a_line_and_by_its_being_taken_back(open_tables, store_url):
    woken = []
    told = Signals(changed=lambda code, due_in: woken.append((code, due_in)))
    tables = open_tables(store_url, signals=told)
    code, (ann, _) = opened(tables, "Ann", "Ben")
    woken.clear()
    speak(tables, code, ann, "Ann", "hello")
    assert woken == [(code, None)]
