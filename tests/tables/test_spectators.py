"""Who may watch, on both stores: everyone at once, everyone later, or no one, as the host alone
decides."""

import pytest

from kaboom.engine.codec import to_json
from kaboom.errors import InvalidState, NotPermitted
from kaboom.lobby import service as lobby
from kaboom.social.chat.service import heard, read, speak
from kaboom.tables import start_match
from kaboom.tables.seats import leaving
from kaboom.tables.spectators import views as spectators
from kaboom.tables.spectators.service import let_watch
from kaboom.tables.spectators.views import DELAYS, Pasts
from kaboom.tables.table import WATCHED_BY_NOBODY
from tests.tables.test_service import all_ready, opened, people, playing, press

MINUTE = 60.0


def seen(tables, code, name="Cid"):
    return tables.get(code, f"key of {name}")


def draw_and_discard(tables, code, ids, turns=1):
    for _ in range(turns):
        turn = tables.get(code).state.turn
        for verb in ("draw", "discard"):
            tables.now.sleep(1)
            press(tables, code, ids[turn], verb)


def view_of(snapshot):
    return to_json(snapshot.game.view(snapshot.state, None))


def told(snapshot):
    return [said.kind for _, said in snapshot.table.lines(None)]


def test_only_the_host_chooses_among_valid_spectator_rules(tables):
    code, (ann, ben) = opened(tables, "Ann", "Ben")
    with pytest.raises(NotPermitted):
        let_watch(tables, code, ben, WATCHED_BY_NOBODY)
    for odd in (2, -2, 999):
        with pytest.raises(InvalidState):
            let_watch(tables, code, ann, odd)
    for choice in DELAYS:
        let_watch(tables, code, ann, choice)
        assert tables.get(code).table.watch == choice


def test_spectator_rule_is_announced_at_the_table(tables):
    code, (ann, _) = opened(tables, "Ann", "Ben")
    for choice, kind in ((5, "watch_later"), (WATCHED_BY_NOBODY, "watch_nobody"), (0, "watch_all")):
        before = tables.revision(code, "key of Ben")
        let_watch(tables, code, ann, choice)
        assert told(tables.get(code))[-1] == f"table.{kind}"
        assert tables.revision(code, "key of Ben") != before


def test_unchanged_spectator_rule_is_not_announced(tables):
    code, (ann, _) = opened(tables, "Ann", "Ben")
    let_watch(tables, code, ann, 5)
    before = told(tables.get(code))
    let_watch(tables, code, ann, 5)
    assert told(tables.get(code)) == before


def test_spectator_may_chat_with_all_unless_the_host_forbids(tables):
    code, (ann, _) = opened(tables, "Ann", "Ben")
    let_watch(tables, code, ann, 0)
    table = tables.get(code).table
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


def test_closed_table_shows_strangers_only_that_a_match_is_on(tables):
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


def test_sitting_down_between_matches_reveals_no_past_cards(tables):
    code, ids = playing(tables, "Ann", "Ben")
    let_watch(tables, code, ids[0], WATCHED_BY_NOBODY)
    leaving.leave(tables, code, ids[1])  # with two players this ends the match and frees the chair
    snapshot = seen(tables, code)
    assert not snapshot.closed
    assert (snapshot.state, snapshot.seed, snapshot.table.match) == (None, None, 0)
    assert snapshot.table.outcome is None
    (cid,) = people(tables, "Cid")
    lobby.sit(tables, code, cid, "Cid")
    assert seen(tables, code).me is not None


def test_player_may_sit_down_once_the_delayed_end_is_seen(tables):
    code, ids = playing(tables, "Ann", "Ben")
    let_watch(tables, code, ids[0], 5)
    leaving.leave(tables, code, ids[1])  # with two players this ends the match and frees the chair
    tables.now.sleep(5 * MINUTE + 1)
    (dot,) = people(tables, "Dot")
    lobby.sit(tables, code, dot, "Dot")
    assert "Dot" in [occupant.name for _, occupant in seen(tables, code).table.sitting()]


def test_instantly_ended_second_match_is_hidden_until_due(tables):
    code, ids = playing(tables, "Ann", "Ben")
    let_watch(tables, code, ids[0], 5)
    leaving.leave(tables, code, ids[1])
    tables.now.sleep(5 * MINUTE + 1)
    (dot,) = people(tables, "Dot")
    lobby.sit(tables, code, dot, "Dot")
    start_match.start(tables, code, ids[0])
    tables.now.sleep(MINUTE)
    leaving.leave(tables, code, dot)
    now, watched = tables.get(code), seen(tables, code)
    assert (now.table.match, watched.table.match) == (2, 1)
    assert watched.seed != now.seed


def test_table_before_its_first_match_is_open_to_link_holders(tables):
    for choice in DELAYS:
        code, (ann, _) = opened(tables, "Ann", "Ben")
        let_watch(tables, code, ann, choice)
        snapshot = seen(tables, code)
        assert not snapshot.closed
        assert len(snapshot.table.sitting()) == 2


def test_spectator_sees_each_moment_after_the_exact_delay(tables):
    code, ids = playing(tables, "Ann", "Ben")
    let_watch(tables, code, ids[0], 5)
    moments = []

    def remember():
        now = tables.get(code)
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
            continue  # that moment has passed
        snapshot = seen(tables, code)
        assert snapshot.table.seq == seq
        assert view_of(snapshot) == view
        assert told(snapshot)[-1] == line
        tables.now.time -= 0.5  # a moment earlier it is not shown yet
        assert seen(tables, code).table.seq < seq


def test_longer_delay_hides_moves_already_seen(tables):
    code, ids = playing(tables, "Ann", "Ben")
    let_watch(tables, code, ids[0], 1)
    tables.now.sleep(5 * MINUTE)
    all_ready(tables, code, ids)
    tables.now.sleep(2 * MINUTE)
    assert seen(tables, code).table.seq == 2
    let_watch(tables, code, ids[0], 5)
    assert seen(tables, code).table.seq == 0


def test_match_that_just_began_is_not_visible_yet(tables):
    code, ids = playing(tables, "Ann", "Ben")
    let_watch(tables, code, ids[0], 1)
    assert seen(tables, code).closed
    tables.now.sleep(1 * MINUTE)
    snapshot = seen(tables, code)
    assert not snapshot.closed
    assert snapshot.table.seq == 0
    assert snapshot.seed is None


def test_end_and_seed_are_delayed_like_the_rest(tables):
    code, ids = playing(tables, "Ann", "Ben")
    let_watch(tables, code, ids[0], 3)
    tables.now.sleep(10 * MINUTE)
    before = seen(tables, code)
    leaving.leave(tables, code, ids[1])
    assert tables.get(code).table.outcome is not None
    for _ in range(3):
        late = seen(tables, code)
        assert late.table.playing
        assert (late.table.outcome, late.seed, late.table.record) == (None, None, "")
        assert late.table.revision(None) == before.table.revision(None)
        assert view_of(late) == view_of(before)
        tables.now.sleep(0.9 * MINUTE)
    tables.now.sleep(1 * MINUTE)
    late, now = seen(tables, code), tables.get(code)
    assert late.table.outcome == now.table.outcome
    assert late.table.record == now.table.record
    assert late.seed == now.seed


def test_delayed_viewer_keeps_the_last_match_until_the_next(tables):
    code, ids = playing(tables, "Ann", "Ben")
    let_watch(tables, code, ids[0], 3)
    tables.now.sleep(MINUTE)
    leaving.leave(tables, code, ids[1])
    tables.now.sleep(10 * MINUTE)
    lobby.sit(tables, code, ids[1], "Ben")
    for player in ids:
        start_match.ready(tables, code, player)
    assert tables.get(code).table.match == 2
    late = seen(tables, code)
    assert (late.table.match, late.table.playing) == (1, False)
    assert late.table.outcome is not None
    tables.now.sleep(3 * MINUTE)
    late = seen(tables, code)
    assert (late.table.match, late.table.playing, late.table.outcome) == (2, True, None)


def test_delayed_view_is_the_same_step_by_step_or_in_one_step(tables, open_tables, store_url):
    """One worker views it step by step, another that has just started views it in one step."""
    code, ids = playing(tables, "Ann", "Ben")
    let_watch(tables, code, ids[0], 1)
    all_ready(tables, code, ids)
    tables.now.sleep(MINUTE)
    for _ in range(6):
        draw_and_discard(tables, code, ids)
        tables.now.sleep(20)
        by_steps = seen(tables, code)
        tables._pasts = Pasts(tables.database, tables.run_in_thread)
        in_one = seen(tables, code)
        assert to_json(by_steps.table) == to_json(in_one.table)
        assert by_steps.table.seq > 0


def test_revisions_of_delayed_views_differ(tables):
    code, ids = playing(tables, "Ann", "Ben")
    numbers = [tables.revision(code, "")]
    for choice in (1, WATCHED_BY_NOBODY, 0):
        let_watch(tables, code, ids[0], choice)
        numbers.append(tables.revision(code, ""))
    let_watch(tables, code, ids[0], 1)
    tables.now.sleep(2 * MINUTE)
    numbers.append(tables.revision(code, ""))
    draw = tables.get(code).table.seq
    all_ready(tables, code, ids)
    assert tables.get(code).table.seq > draw
    assert tables.revision(code, "") == numbers[-1], (
        "present moves do not affect delayed spectators"
    )
    tables.now.sleep(2 * MINUTE)
    numbers.append(tables.revision(code, ""))
    assert len(set(numbers)) == len(numbers)


def test_player_chat_is_delayed_like_cards_and_wakes_none_early(tables):
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


def test_spectator_of_a_closed_match_cannot_read_or_chat(tables):
    code, ids = playing(tables, "Ann", "Ben")
    let_watch(tables, code, ids[0], WATCHED_BY_NOBODY)
    (cid,) = people(tables, "Cid")
    speak(tables, code, ids[0], "Ann", "among us")
    assert read(tables, seen(tables, code)).lines == []
    with pytest.raises(NotPermitted):
        speak(tables, code, cid, "Cid", "hello?")


def test_instantly_ended_first_match_is_hidden_until_due(tables):
    code, ids = playing(tables, "Ann", "Ben")
    let_watch(tables, code, ids[0], 5)
    tables.now.sleep(MINUTE)
    leaving.leave(tables, code, ids[1])  # with two players this ends the match and frees the chair
    snapshot = seen(tables, code)
    assert not snapshot.closed, "another player may sit down for the next match"
    assert (snapshot.state, snapshot.seed, snapshot.table.match) == (None, None, 0)
    assert [occupant.name for _, occupant in snapshot.table.sitting()] == ["Ann"]


def test_revisions_of_delayed_views_only_rise(tables):
    """Between moves, at the end of a match, and at the next match."""
    code, ids = playing(tables, "Ann", "Ben")
    let_watch(tables, code, ids[0], 1)
    tables.now.sleep(MINUTE)
    numbers = [tables.revision(code, "")]
    all_ready(tables, code, ids)
    for _ in range(4):
        draw_and_discard(tables, code, ids)
        tables.now.sleep(MINUTE)
        numbers.append(tables.revision(code, ""))
    leaving.leave(tables, code, ids[1])
    tables.now.sleep(MINUTE)
    late = seen(tables, code)
    assert late.table.outcome is not None
    lobby.sit(tables, code, ids[1], "Ben")
    for player in ids:
        start_match.ready(tables, code, player)
    numbers.append(tables.revision(code, ""))  # still the end of the first match
    tables.now.sleep(MINUTE)
    assert seen(tables, code).table.match == 2
    numbers.append(tables.revision(code, ""))
    assert numbers == sorted(set(numbers))


def test_delayed_view_has_its_maximum_delay(tables):
    code, ids = playing(tables, "Ann", "Ben")
    let_watch(tables, code, ids[0], 3)
    tables.now.sleep(3 * MINUTE)
    assert seen(tables, code).until == tables.now() - 3 * MINUTE


def test_cache_of_delayed_matches_keeps_the_latest_viewed(tables, monkeypatch):
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
