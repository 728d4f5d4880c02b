"""Who may watch, on both stores: everybody, everybody later, nobody; and only the host says so."""

import pytest

from kaboom.engine.codec import to_json
from kaboom.errors import InvalidState, NotPermitted
from kaboom.lobby import service as seating
from kaboom.social.chat.service import heard, read, speak
from kaboom.tables import sittings
from kaboom.tables.spectators import views as spectators
from kaboom.tables.spectators.service import let_watch
from kaboom.tables.spectators.views import DELAYS, Pasts
from kaboom.tables.table import WATCHED_BY_NOBODY
from tests.tables.test_service import all_ready, opened, people, playing, press

MINUTE = 60.0


def seen(tables, code, name="Cid"):
    return tables.look(code, f"key of {name}")


def draw_and_discard(tables, code, ids, turns=1):
    for _ in range(turns):
        turn = tables.look(code).state.turn
        for verb in ("draw", "discard"):
            tables.now.sleep(1)
            press(tables, code, ids[turn], verb)


def view_of(snapshot):
    return to_json(snapshot.game.view(snapshot.state, None))


def told(snapshot):
    return [said.kind for _, said in snapshot.table.lines(None)]


def test_only_the_host_chooses_and_only_among_what_there_is(tables):
    code, (ann, ben) = opened(tables, "Ann", "Ben")
    with pytest.raises(NotPermitted):
        let_watch(tables, code, ben, WATCHED_BY_NOBODY)
    for odd in (2, -2, 999):
        with pytest.raises(InvalidState):
            let_watch(tables, code, ann, odd)
    for choice in DELAYS:
        let_watch(tables, code, ann, choice)
        assert tables.look(code).table.watch == choice


def test_everybody_at_the_table_is_told_what_the_host_chose(tables):
    code, (ann, _) = opened(tables, "Ann", "Ben")
    for choice, kind in ((5, "watch_later"), (WATCHED_BY_NOBODY, "watch_nobody"), (0, "watch_all")):
        before = tables.revision(code, "key of Ben")
        let_watch(tables, code, ann, choice)
        assert told(tables.look(code))[-1] == f"table.{kind}"
        assert tables.revision(code, "key of Ben") != before


def test_nobody_is_told_of_a_choice_that_changes_nothing(tables):
    code, (ann, _) = opened(tables, "Ann", "Ben")
    let_watch(tables, code, ann, 5)
    before = told(tables.look(code))
    let_watch(tables, code, ann, 5)
    assert told(tables.look(code)) == before


def test_who_watches_may_write_to_all_unless_the_host_says_otherwise(tables):
    code, (ann, _) = opened(tables, "Ann", "Ben")
    let_watch(tables, code, ann, 0)
    table = tables.look(code).table
    assert (table.hush, table.audience) == (False, True)


def test_a_player_always_sees_everything_at_once(tables):
    for choice in DELAYS:
        code, (ann, _) = playing(tables, "Ann", "Ben")
        let_watch(tables, code, ann, choice)
        for name in ("Ann", "Ben"):
            snapshot = seen(tables, code, name)
            assert snapshot.table.playing
            assert not snapshot.closed
            assert snapshot.state is not None


def test_where_nobody_may_watch_a_match_is_on_and_that_is_all(tables):
    code, ids = playing(tables, "Ann", "Ben")
    let_watch(tables, code, ids[0], WATCHED_BY_NOBODY)
    one = seen(tables, code)
    all_ready(tables, code, ids)
    draw_and_discard(tables, code, ids, 3)
    two = seen(tables, code)
    for snapshot in (one, two):
        assert snapshot.closed
        assert (snapshot.state, snapshot.seed, snapshot.key, list(snapshot.prompts)) == (
            None,
        ) * 3 + ([],)
        assert snapshot.table.sitting() == []
        assert told(snapshot) == []
        assert not snapshot.table.commitment
    assert one.table.revision(None) == two.table.revision(None)
    assert to_json(one.table) == to_json(two.table)


def test_between_two_matches_anybody_may_sit_down_but_what_was_played_stays_hidden(tables):
    code, ids = playing(tables, "Ann", "Ben")
    let_watch(tables, code, ids[0], WATCHED_BY_NOBODY)
    sittings.leave(tables, code, ids[1])  # of two players this ends the match, and frees the chair
    snapshot = seen(tables, code)
    assert not snapshot.closed
    assert (snapshot.state, snapshot.seed, snapshot.table.match) == (None, None, 0)
    assert snapshot.table.outcome is None
    (cid,) = people(tables, "Cid")
    seating.sit(tables, code, cid, "Cid")
    assert seen(tables, code).me is not None


def test_once_the_end_has_been_seen_the_table_is_shown_as_it_is(tables):
    code, ids = playing(tables, "Ann", "Ben")
    let_watch(tables, code, ids[0], 5)
    sittings.leave(tables, code, ids[1])  # of two players this ends the match, and frees the chair
    tables.now.sleep(5 * MINUTE + 1)
    (dot,) = people(tables, "Dot")
    seating.sit(tables, code, dot, "Dot")
    assert "Dot" in [chair.name for _, chair in seen(tables, code).table.sitting()]


def test_of_a_second_match_that_has_just_ended_nothing_is_shown_before_its_time(tables):
    code, ids = playing(tables, "Ann", "Ben")
    let_watch(tables, code, ids[0], 5)
    sittings.leave(tables, code, ids[1])
    tables.now.sleep(5 * MINUTE + 1)
    (dot,) = people(tables, "Dot")
    seating.sit(tables, code, dot, "Dot")
    seating.start(tables, code, ids[0])
    tables.now.sleep(MINUTE)
    sittings.leave(tables, code, dot)
    now, watched = tables.look(code), seen(tables, code)
    assert (now.table.match, watched.table.match) == (2, 1)
    assert watched.seed != now.seed


def test_before_the_first_match_everybody_with_the_link_finds_the_table(tables):
    for choice in DELAYS:
        code, (ann, _) = opened(tables, "Ann", "Ben")
        let_watch(tables, code, ann, choice)
        snapshot = seen(tables, code)
        assert not snapshot.closed
        assert len(snapshot.table.sitting()) == 2


def test_a_spectator_sees_each_moment_exactly_so_much_later(tables):
    code, ids = playing(tables, "Ann", "Ben")
    let_watch(tables, code, ids[0], 5)
    moments = []

    def remember():
        now = tables.look(code)
        moments.append((tables.now(), now.table.seq, view_of(now), told(now)[-1]))

    for player in ids:
        tables.now.sleep(40)
        press(tables, code, player, "ready")
        remember()
    for _ in range(4):
        tables.now.sleep(40)
        draw_and_discard(tables, code, ids)
        remember()
    last = tables.now()
    for at, seq, view, line in moments:
        tables.now.time = max(at + 5 * MINUTE, last)
        if tables.now() > at + 5 * MINUTE:
            continue  # it is past already
        snapshot = seen(tables, code)
        assert snapshot.table.seq == seq
        assert view_of(snapshot) == view
        assert told(snapshot)[-1] == line
        tables.now.time -= 0.5  # a moment sooner it is not there yet
        assert seen(tables, code).table.seq < seq


def test_what_was_seen_already_is_not_shown_again_when_the_delay_becomes_longer(tables):
    code, ids = playing(tables, "Ann", "Ben")
    let_watch(tables, code, ids[0], 1)
    tables.now.sleep(5 * MINUTE)
    all_ready(tables, code, ids)
    tables.now.sleep(2 * MINUTE)
    assert seen(tables, code).table.seq == 2
    let_watch(tables, code, ids[0], 5)
    assert seen(tables, code).table.seq == 0


def test_a_match_that_has_just_begun_is_not_there_yet(tables):
    code, ids = playing(tables, "Ann", "Ben")
    let_watch(tables, code, ids[0], 1)
    assert seen(tables, code).closed
    tables.now.sleep(1 * MINUTE)
    snapshot = seen(tables, code)
    assert not snapshot.closed
    assert snapshot.table.seq == 0
    assert snapshot.seed is None


def test_the_end_and_the_seed_are_seen_as_late_as_everything_else(tables):
    code, ids = playing(tables, "Ann", "Ben")
    let_watch(tables, code, ids[0], 3)
    tables.now.sleep(10 * MINUTE)
    before = seen(tables, code)
    sittings.leave(tables, code, ids[1])
    assert tables.look(code).table.outcome is not None
    for _ in range(3):
        late = seen(tables, code)
        assert late.table.playing
        assert (late.table.outcome, late.seed, late.table.record) == (None, None, "")
        assert late.table.revision(None) == before.table.revision(None)
        assert view_of(late) == view_of(before)
        tables.now.sleep(0.9 * MINUTE)
    tables.now.sleep(1 * MINUTE)
    late, now = seen(tables, code), tables.look(code)
    assert late.table.outcome == now.table.outcome
    assert late.table.record == now.table.record
    assert late.seed == now.seed


def test_who_sees_it_later_sees_the_last_match_until_the_next_is_old_enough(tables):
    code, ids = playing(tables, "Ann", "Ben")
    let_watch(tables, code, ids[0], 3)
    tables.now.sleep(MINUTE)
    sittings.leave(tables, code, ids[1])
    tables.now.sleep(10 * MINUTE)
    seating.sit(tables, code, ids[1], "Ben")
    for player in ids:
        seating.ready(tables, code, player)
    assert tables.look(code).table.match == 2
    late = seen(tables, code)
    assert (late.table.match, late.table.playing) == (1, False)
    assert late.table.outcome is not None
    tables.now.sleep(3 * MINUTE)
    late = seen(tables, code)
    assert (late.table.match, late.table.playing, late.table.outcome) == (2, True, None)


def test_a_late_view_is_the_same_however_it_was_reached(tables, open_tables, store_url):
    """Step by step by one worker, or at once by another that has just begun."""
    code, ids = playing(tables, "Ann", "Ben")
    let_watch(tables, code, ids[0], 1)
    all_ready(tables, code, ids)
    tables.now.sleep(MINUTE)
    for _ in range(6):
        draw_and_discard(tables, code, ids)
        tables.now.sleep(20)
        by_steps = seen(tables, code)
        tables._pasts = Pasts(tables.database, tables.aside)
        at_once = seen(tables, code)
        assert to_json(by_steps.table) == to_json(at_once.table)
        assert by_steps.table.seq > 0


def test_the_numbers_of_what_is_shown_are_all_different(tables):
    code, ids = playing(tables, "Ann", "Ben")
    numbers = [tables.revision(code, "")]
    for choice in (1, WATCHED_BY_NOBODY, 0):
        let_watch(tables, code, ids[0], choice)
        numbers.append(tables.revision(code, ""))
    let_watch(tables, code, ids[0], 1)
    tables.now.sleep(2 * MINUTE)
    numbers.append(tables.revision(code, ""))
    draw = tables.look(code).table.seq
    all_ready(tables, code, ids)
    assert tables.look(code).table.seq > draw
    assert tables.revision(code, "") == numbers[-1], "what is done now stirs nobody who is late"
    tables.now.sleep(2 * MINUTE)
    numbers.append(tables.revision(code, ""))
    assert len(set(numbers)) == len(numbers)


def test_talk_of_players_comes_as_late_as_their_cards_and_stirs_nobody_before(tables):
    code, ids = playing(tables, "Ann", "Ben")
    let_watch(tables, code, ids[0], 5)
    tables.now.sleep(10 * MINUTE)
    _, dot = people(tables, "Cid", "Dot")
    before = heard(tables, seen(tables, code))
    speak(tables, code, ids[0], "Ann", "I have the ace")
    assert heard(tables, seen(tables, code)) == before
    assert read(tables, seen(tables, code)).lines == []
    speak(tables, code, dot, "Dot", "spectators hear each other")
    assert [line.name for line in read(tables, seen(tables, code)).lines] == ["Dot"]
    tables.now.sleep(5 * MINUTE)
    assert [line.name for line in read(tables, seen(tables, code)).lines] == ["Ann", "Dot"]


def test_a_spectator_of_a_closed_match_hears_nothing_and_says_nothing(tables):
    code, ids = playing(tables, "Ann", "Ben")
    let_watch(tables, code, ids[0], WATCHED_BY_NOBODY)
    (cid,) = people(tables, "Cid")
    speak(tables, code, ids[0], "Ann", "among us")
    assert read(tables, seen(tables, code)).lines == []
    with pytest.raises(NotPermitted):
        speak(tables, code, cid, "Cid", "hello?")


def test_of_a_first_match_that_was_over_at_once_nothing_is_shown_before_its_time(tables):
    code, ids = playing(tables, "Ann", "Ben")
    let_watch(tables, code, ids[0], 5)
    tables.now.sleep(MINUTE)
    sittings.leave(tables, code, ids[1])  # of two players this ends the match, and frees the chair
    snapshot = seen(tables, code)
    assert not snapshot.closed, "somebody may sit down for the next match"
    assert (snapshot.state, snapshot.seed, snapshot.table.match) == (None, None, 0)
    assert [chair.name for _, chair in snapshot.table.sitting()] == ["Ann"]


def test_the_numbers_of_what_is_shown_later_only_rise(tables):
    """From move to move, to the end of a match, and to the next match."""
    code, ids = playing(tables, "Ann", "Ben")
    let_watch(tables, code, ids[0], 1)
    tables.now.sleep(MINUTE)
    numbers = [tables.revision(code, "")]
    all_ready(tables, code, ids)
    for _ in range(4):
        draw_and_discard(tables, code, ids)
        tables.now.sleep(MINUTE)
        numbers.append(tables.revision(code, ""))
    sittings.leave(tables, code, ids[1])
    tables.now.sleep(MINUTE)
    late = seen(tables, code)
    assert late.table.outcome is not None
    seating.sit(tables, code, ids[1], "Ben")
    for player in ids:
        seating.ready(tables, code, player)
    numbers.append(tables.revision(code, ""))  # still the end of the first match
    tables.now.sleep(MINUTE)
    assert seen(tables, code).table.match == 2
    numbers.append(tables.revision(code, ""))
    assert numbers == sorted(set(numbers))


def test_what_is_seen_later_says_how_late_it_may_be(tables):
    code, ids = playing(tables, "Ann", "Ben")
    let_watch(tables, code, ids[0], 3)
    tables.now.sleep(3 * MINUTE)
    assert seen(tables, code).until == tables.now() - 3 * MINUTE


def test_of_the_matches_seen_later_the_latest_looked_at_are_kept(tables, monkeypatch):
    monkeypatch.setattr(spectators, "KEPT", 2)
    codes = []
    for _ in range(3):
        code, ids = playing(tables, "Ann", "Ben")
        let_watch(tables, code, ids[0], 1)
        codes.append(code)
    tables.now.sleep(MINUTE)
    one, two, three = codes
    for code in (one, two, one, three):
        assert not seen(tables, code).closed
    assert list(tables._pasts._kept) == [one, three]
