"""Consequences of a tournament's events: times, results, secrets, and next steps."""

from itertools import pairwise
from math import inf

import pytest

from kaboom.tournaments.rules import bracket, round_robin
from kaboom.tournaments.rules import pairing as rounds_module
from kaboom.tournaments.rules.draw import draw_by
from kaboom.tournaments.rules.events import (
    BoardClosed,
    CheckedIn,
    CheckInOpened,
    Dealt,
    Entered,
    Format,
    How,
    Left,
    Logged,
    Over,
    Paired,
    PodOver,
    Returned,
    Ruling,
    SeatResult,
    Settings,
    Verb,
    WaveStarted,
    read,
    written,
)
from kaboom.tournaments.rules.matchpoints import AVERAGE_PLUS
from kaboom.tournaments.rules.pairing import Next
from kaboom.tournaments.rules.points import WHOLE, bye
from kaboom.tournaments.rules.state import folded
from tests.tournaments.rules.test_pairing import DRAW, Playing, settings

THERE, ABSENT, LEFT = How.PLAYED, How.ABSENT, How.LEFT


def seats(*lines):
    """Return results: (entrant, how, place), or entrants in the order of their places."""
    return tuple(
        SeatResult(*line) if isinstance(line, tuple) else SeatResult(line, THERE, place)
        for place, line in enumerate(lines, 1)
    )


def playing(count, game="gops", wave=10**6, round=True, **more):
    """Return a tournament in its first round, with (1, 2), (3, 4) and so on in its pods."""
    made = Playing(settings(game, **more), count)
    if round:
        size = made.of.settings.size
        pods = [tuple(range(at, min(at + size, count + 1))) for at in range(1, count + 1, size)]
        made.add(Paired(1, tuple(pods), (), wave))
        made.add(WaveStarted(1, 0, 100.0))
    return made


def paused(made, *times):
    """Let the organiser pause a tournament and resume it."""
    for begins, ends in times:
        made.add(Ruling(Verb.PAUSE, at=begins))
        made.add(Ruling(Verb.UNDO, undone=made.of.seq, at=ends))


# Times


@pytest.mark.parametrize(
    ("pauses", "since", "held"),
    [
        ([], 0.0, 0.0),
        ([(10.0, 30.0)], 0.0, 20.0),
        ([(10.0, 30.0)], 25.0, 5.0),
        ([(10.0, 30.0)], 31.0, 0.0),
        ([(10.0, 30.0), (40.0, 41.0)], 0.0, 21.0),
    ],
)
def test_pauses_delay_a_tournament_once_they_end(pauses, since, held):
    made = playing(4)
    paused(made, *pauses)
    made.add(Ruling(Verb.CLOSE, at=1.0))
    made.add(Ruling(Verb.UNDO, undone=made.of.seq, at=9.0))
    made.add(Ruling(Verb.PAUSE, at=50.0))
    assert made.of.held(since) == held
    assert made.of.paused


def test_pause_postpones_the_check_in_it_falls_into():
    made = Playing(settings("gops", check_in=10), 0)
    made.of.cancelled = False
    paused(made, (100.0, 500.0))
    made.add(CheckInOpened(1600.0))  # opens at 1000
    assert made.of.check_in_ends == 1600.0
    paused(made, (1100.0, 1130.0))
    assert made.of.check_in_ends == 1630.0
    assert rounds_module.next_step(made.of) == Next("begin", 1630.0)
    assert rounds_module.check_in(made.of, 2000.0) == CheckInOpened(2600.0)


def test_round_ends_after_its_minutes_plus_delays_and_pauses():
    made = playing(4, limit=5)
    made.of.rounds[0].waves.clear()
    made.add(rounds_module.wave_started(made.of, 100.0))
    assert made.log[-1].event == WaveStarted(1, 0, 100.0, 400.0)
    round = made.of.rounds[0]
    assert made.of.ends_at(round, 0) == 400.0 and made.of.limits() == [400.0]
    made.add(Ruling(Verb.EXTEND, "a long round", round=1, minutes=3))
    made.add(Paired(2, ((1, 3), (2, 4))))
    made.add(Ruling(Verb.EXTEND, "another one", round=2, minutes=7))
    made.add(Ruling(Verb.EXTEND, "a mistake", round=1, minutes=9))
    made.add(Ruling(Verb.UNDO, undone=made.of.seq))
    assert made.of.extended(1) == 180.0
    paused(made, (0.0, 90.0), (200.0, 211.0))
    assert made.of.ends_at(round, 0) == 591.0
    made.add(Ruling(Verb.RESULT, "seen", round=1, pod=0, seats=seats(1, 2)))
    made.add(PodOver(1, 1, seats(3, 4), 300.0))
    assert made.of.limits() == [591.0], "the match may still be played, for the ruling undone"
    made.add(PodOver(1, 0, seats(1, 2), 310.0))
    assert made.of.limits() == []


def test_round_without_a_limit_never_times_out():
    made = playing(4)
    assert rounds_module.wave_started(made.of, 100.0) == WaveStarted(1, 1, 100.0)
    assert made.of.ends_at(made.of.rounds[0], 0) == inf and made.of.limits() == []


def test_each_wave_has_its_own_pods_and_its_own_limit():
    made = playing(10, wave=2, limit=5)
    round = made.of.rounds[0]
    assert [round.wave_of(pod) for pod in range(5)] == [0, 0, 1, 1, 2]
    assert [list(round.pods_of(wave)) for wave in range(4)] == [[0, 1], [2, 3], [4], []]
    round.waves.clear()
    for at in (100.0, 1000.0):
        made.add(rounds_module.wave_started(made.of, at))
    made.add(PodOver(1, 0, seats(1, 2), 150.0))
    assert made.of.limits() == [400.0, 1300.0]
    made.add(PodOver(1, 1, seats(3, 4), 150.0))
    assert made.of.limits() == [1300.0]


def test_pod_waits_since_start_pause_or_undone_result():
    made = playing(8, wave=2)
    made.add(WaveStarted(1, 1, 200.0))
    of, round = made.of, made.of.rounds[0]
    assert [of.waits_from(round, (pod,)) for pod in range(4)] == [100.0, 100.0, 200.0, 200.0]
    assert of.waits_from(round, (0, 3)) == 200.0
    made.add(Ruling(Verb.RESULT, "seen", round=1, pod=1, seats=seats(3, 4), at=250.0))
    made.add(Ruling(Verb.UNDO, undone=of.seq, at=300.0))
    made.add(Ruling(Verb.CLOSE, at=301.0))
    made.add(Ruling(Verb.UNDO, undone=of.seq, at=302.0))
    assert [of.waits_from(round, (pod,)) for pod in range(4)] == [100.0, 300.0, 200.0, 200.0]
    made.add(Paired(2, ((1, 2), (3, 4)), (5, 6, 7, 8)))
    made.add(WaveStarted(2, 0, 120.0))
    assert of.waits_from(of.rounds[1], (1,)) == 120.0, "another round's result"
    paused(made, (350.0, 360.0))
    assert [of.waits_from(round, (pod,)) for pod in range(4)] == [360.0] * 4


# Next steps


def test_opened_tournament_checks_in_pairs_plays_and_ends():
    made = Playing(settings("gops", begins_at=50.0, check_in=1, between=2, rounds=2), 0)
    of = made.of
    of.cancelled = False  # it was created with too few entrants
    for number in range(1, 5):
        made.add(Entered(number))
    assert rounds_module.next_step(of) == Next("check-in", 50.0)
    made.add(rounds_module.check_in(of, 50.0))
    assert rounds_module.next_step(of) == Next("begin", 110.0)
    for number in range(1, 5):
        made.add(CheckedIn(number))
    made.add(rounds_module.beginning(of, DRAW))
    assert rounds_module.next_step(of) == Next("pair")
    made.pair()
    assert rounds_module.next_step(of) == Next("wave")
    made.add(rounds_module.wave_started(of, 200.0))
    assert rounds_module.next_step(of) is None
    made.now = 299.0
    made.play()
    assert of.rounds[0].over_at == 301.0
    assert rounds_module.next_step(of) == Next("pair", 421.0)
    made.pair()
    made.play()
    assert rounds_module.next_step(of) == Next("over")
    made.add(Over())
    assert of.ended and rounds_module.next_step(of) is None


@pytest.mark.parametrize("event", [Over(), Ruling(Verb.END, "rain"), Ruling(Verb.PAUSE)])
def test_nothing_follows_the_end_or_a_pause(event):
    made = playing(4, round=False)
    assert rounds_module.next_step(made.of) == Next("pair")
    made.add(event)
    assert rounds_module.next_step(made.of) is None
    assert made.of.ended == (not made.of.paused)


def test_untimed_tournament_starts_at_the_organizers_press():
    made = Playing(settings("gops"), 0)
    made.of.cancelled = False
    assert rounds_module.next_step(made.of) is None


def test_tournament_with_too_few_entrants_is_canceled():
    for count in (0, 1):
        assert Playing(settings("gops"), count).of.cancelled
    assert not Playing(settings("gops"), 2).of.ended


def test_field_has_the_first_entrants_to_check_in_if_required():
    made = Playing(settings("gops", check_in=5, most=3), 0)
    for number in range(1, 7):
        made.add(Entered(number, bot="easy" if number == 2 else ""))
    assert rounds_module.entered(made.of) == [2], "a bot is always there"
    for number in (6, 5, 3, 1):
        made.add(CheckedIn(number))
    assert rounds_module.entered(made.of) == [1, 2, 3]
    made.add(Left(1))
    made.add(Ruling(Verb.REMOVE, "rude", (3,)))
    assert rounds_module.entered(made.of) == [2, 5, 6]
    unasked = Playing(settings("gops", most=3), 4)
    assert sorted(unasked.of.field) == [1, 2, 3] == rounds_module.entered(unasked.of)


@pytest.mark.parametrize(
    ("made", "count", "wanted"),
    [
        ({}, 0, 1),
        ({}, 1, 1),
        ({}, 2, 1),  # there is only one pair
        ({}, 3, 3),
        ({}, 4, 3),
        ({}, 5, 5),
        ({}, 8, 5),
        ({}, 9, 6),
        ({"most": 4}, 9, 3),
        ({"rounds": 7}, 9, 7),
        ({"game": "kaboom"}, 4, 3),
        ({"game": "kaboom"}, 5, 4),
        ({"game": "kaboom"}, 16, 4),
        ({"game": "kaboom"}, 17, 5),
        ({"game": "kaboom", "size": 3}, 4, 4),
        ({"format": Format.LEAGUE}, 7, 7),
        ({"format": Format.LEAGUE}, 8, 7),
        ({"format": Format.LEAGUE, "game": "kaboom"}, 10, 3),
        ({"format": Format.LEAGUE, "game": "kaboom"}, 11, 4),
        ({"format": Format.KNOCKOUT}, 8, 3),
        ({"format": Format.KNOCKOUT}, 9, 4),
        ({"format": Format.KNOCKOUT, "game": "kaboom"}, 8, 2),
    ],
)
def test_round_count_fits_the_field_before_and_after_the_start(made, count, wanted):
    chosen = settings(**{"game": "gops", **made})
    entered = folded(chosen, [Logged(it, Entered(it)) for it in range(1, count + 1)])
    assert rounds_module.rounds(entered) == wanted
    if count >= 2:
        begun = Playing(chosen, count)
        begun.add(Entered(count + 1))  # late entrants add no rounds
        assert rounds_module.rounds(begun.of) == wanted


def test_swiss_may_be_entered_until_half_its_rounds_are_made():
    made = playing(8, round=False, rounds=6)
    entered = folded(made.of.settings, made.log[:8])
    assert not rounds_module.may_enter_late(entered), "no player is late yet"
    found = []
    for _ in range(5):
        found.append(rounds_module.may_enter_late(made.of))
        made.pair()
        made.play()
    assert found == [True, True, True, True, False]
    others = [{"late": False}, {"format": Format.LEAGUE}, {"format": Format.KNOCKOUT}]
    assert not any(rounds_module.may_enter_late(playing(8, **more).of) for more in others)
    for event in (Ruling(Verb.CLOSE), Over()):
        made = playing(8, round=False)
        made.add(event)
        assert not rounds_module.may_enter_late(made.of)


def test_next_swiss_round_needs_two_present_entrants():
    made = playing(4, rounds=3)
    made.play()
    for number, what in ((1, "pair"), (2, "pair"), (3, "over")):
        made.add(Left(number))
        assert rounds_module.next_step(made.of).what == what
    made.add(Returned(1))
    assert rounds_module.next_step(made.of).what == "pair"


# Results


def test_set_result_applies_only_to_the_current_pairing():
    made = playing(4)
    set_ = seats((1, How.RULED, 2), (2, How.RULED, 1))
    made.add(Ruling(Verb.RESULT, "seen", round=1, pod=0, seats=set_))
    of = made.of
    assert of.result(of.rounds[0], 0) == set_
    assert of.result(of.rounds[0], 1) is None and not of.is_over(of.rounds[0])
    made.add(Paired(1, ((1, 3), (2, 4))))
    assert len(of.rounds) == 1 and of.result(of.rounds[0], 0) is None


def test_last_set_result_counts_until_undone():
    made = playing(2)
    one, two = seats((1, How.RULED, 1), (2, How.RULED, 2)), seats((2, How.RULED, 1))
    for result in (one, two):
        made.add(Ruling(Verb.RESULT, "seen", round=1, pod=0, seats=result, at=150.0))
    round = made.of.rounds[0]
    assert made.of.result(round, 0) == two
    made.add(Ruling(Verb.UNDO, undone=made.of.seq))
    assert made.of.result(round, 0) == one
    assert round.over_at == 150.0
    made.add(PodOver(1, 0, seats(1, 2), 120.0, "RECORD"))
    assert (round.over_at, round.pods[0].record) == (150.0, "RECORD")


@pytest.mark.parametrize(
    ("game", "format", "pods", "through"),
    [
        ("gops", Format.SWISS, ((1,), (2, 3)), [(1,), None]),
        ("kaboom", Format.SWISS, ((1,), (2, 3)), [(1,), None]),
        ("kaboom", Format.KNOCKOUT, ((1, 4), (2, 3, 5)), [(1, 4), None]),  # two advance
        ("kaboom", Format.KNOCKOUT, ((1, 4),), [None]),  # a final has been played
        ("kaboom", Format.KNOCKOUT, ((1,),), [(1,)]),
        ("koth", Format.KNOCKOUT, ((1, 4), (2,)), [None, (2,)]),
    ],
)
def test_entrant_without_an_opponent_advances(game, format, pods, through):
    made = Playing(settings(game, format), 5)
    made.add(Paired(1, pods))
    round = made.of.rounds[0]
    found = [made.of.result(round, pod) for pod in range(len(pods))]
    assert [it and tuple(seat.entrant for seat in it) for it in found] == through
    for result in filter(None, found):
        assert [(it.how, it.place) for it in result] == [
            (How.THROUGH, place) for place in range(1, len(result) + 1)
        ]


def test_pod_places_omit_no_shows():
    for duplicate in (False, True):
        made = playing(4, "kaboom", duplicate=duplicate)
        result = seats((1, THERE, 1, 5), (2, THERE, 1, 5), (3, ABSENT), (4, LEFT, 3))
        made.add(PodOver(1, 0, result, 150.0))
        round = made.of.rounds[0]
        assert made.of.places(round, 0, made.of.round_shares(round)) == {1: 1, 2: 1, 4: 3}


def test_shared_cards_count_only_after_the_round_or_the_end():
    made = playing(4, duplicate=True)
    made.of.rounds[0].byes = (5,)
    made.add(PodOver(1, 0, seats((1, THERE, 1, 9), (2, THERE, 2, 4)), 150.0))
    of, round = made.of, made.of.rounds[0]
    assert of.counted(round) == {} and of.points() == dict.fromkeys(range(1, 5), 0)
    assert of.round_shares(round) == {5: AVERAGE_PLUS, 1: WHOLE, 2: 0}
    made.add(Ruling(Verb.END, "rain"))
    assert of.counted(round) == of.round_shares(round)
    made.add(Ruling(Verb.UNDO, undone=of.seq))
    assert of.counted(round) == {}
    made.add(PodOver(1, 1, seats((3, THERE, 1, 8), (4, THERE, 2, 4)), 150.0))
    assert of.counted(round) == {5: AVERAGE_PLUS, 1: WHOLE, 2: WHOLE // 2, 3: 0, 4: WHOLE // 2}


def test_only_entrants_of_one_wave_are_compared_on_shared_cards():
    made = playing(6, wave=2, duplicate=True)
    for pod, (one, two) in enumerate(((9, 1), (5, 1), (2, 1))):
        result = seats((2 * pod + 1, THERE, 1, one), (2 * pod + 2, THERE, 2, two))
        made.add(PodOver(1, pod, result, 150.0))
    half = WHOLE // 2
    assert made.of.points() == {1: WHOLE, 3: 0, 2: half, 4: half, 5: WHOLE, 6: 0}


def test_separate_cards_count_at_once_and_sitting_out_is_a_bye():
    made = playing(4)
    made.of.rounds[0].byes = (4,)
    made.add(PodOver(1, 0, seats(1, 2), 150.0))
    assert made.of.points() == {1: WHOLE, 2: 0, 3: 0, 4: bye(2)}


def test_board_cards_are_secret_until_all_have_played():
    made = playing(8, wave=2)
    seen = [made.of.secret]
    made.add(WaveStarted(1, 1, 200.0))
    for event in (Dealt(1, 1, 210.0), BoardClosed(1, 1), Dealt(1, 0, 220.0), BoardClosed(1, 0)):
        made.add(event)
        seen.append(made.of.secret)
    assert seen == [False, True, False, True, False]
    assert [it.dealt_at for it in made.of.rounds[0].waves] == [220.0, 210.0]
    for event in (Paired(2, ((1, 3),)), WaveStarted(2, 0, 300.0), Dealt(2, 0, 310.0)):
        made.add(event)
    assert made.of.secret and not made.of.rounds[0].waves[0].secret
    made.add(BoardClosed(2, 0))
    assert not made.of.secret


# Presence


def test_no_show_is_out_until_they_return_or_are_overruled():
    made = playing(4)
    of = made.of
    made.add(PodOver(1, 0, seats(1, (2, ABSENT)), 150.0))
    assert (of.entrants[2].missed, sorted(of.active())) == (1, [1, 3, 4])
    came = Ruling(Verb.RESULT, "came", round=1, pod=0, seats=seats(1, 2))
    made.add(came)
    assert (of.entrants[2].missed, sorted(of.active())) == (0, [1, 2, 3, 4])
    made.add(Ruling(Verb.UNDO, undone=of.seq))
    assert (of.entrants[2].missed, sorted(of.active())) == (1, [1, 3, 4])
    made.add(Returned(2))
    assert (of.entrants[2].missed, sorted(of.active())) == (1, [1, 2, 3, 4])
    made.add(Paired(2, ((1, 3), (2, 4))))
    made.add(PodOver(2, 1, seats(4, (2, ABSENT)), 250.0))
    assert (of.entrants[2].missed, sorted(of.active())) == (2, [1, 3, 4])
    made.add(came)
    assert of.entrants[2].missed == 1
    assert 2 not in of.active(), "a ruling on an earlier round does not make a player present now"
    made.add(Returned(2))
    assert 2 in of.active()


def test_absence_ruled_after_playing_is_not_a_missed_round():
    made = playing(2)
    made.add(PodOver(1, 0, seats(1, 2), 150.0))
    made.add(Ruling(Verb.RESULT, "a fault", round=1, pod=0, seats=seats(1, (2, ABSENT))))
    assert made.of.entrants[2].missed == 0 and 2 in made.of.active()


def test_late_or_returning_entrant_is_counted_once():
    made = playing(4, round=False)
    made.add(Entered(9))
    assert made.of.field[-1] == 9 and len(made.of.drawn) == 4
    for _ in range(2):
        made.add(Left(9))
        assert 9 not in made.of.active() and 9 not in made.of.waiting()
        made.add(Returned(9))
        assert made.of.field.count(9) == 1 and 9 in made.of.active() and 9 in made.of.waiting()
    early = Playing(settings("gops", most=2), 3)  # the third finds no place
    assert not early.of.entrants[3].plays
    early.add(Returned(3))
    assert early.of.field[-1] == 3


# Pairing


def test_re_paired_round_equals_its_first_pairing():
    for format in Format:
        made = Playing(settings("gops", format), 8)
        for number in (1, 2):
            first = rounds_module.pairing(made.of, DRAW, 3)
            assert first.round == number and first.wave == 3
            made.add(first)
            assert rounds_module.pairing(made.of, DRAW, 3, number) == first
            made.play()


def test_pairing_counts_earlier_opponents_byes_and_short_pods():
    made = Playing(settings("kaboom"), 11)
    made.add(Paired(1, ((1, 2, 3, 4), (5, 6, 7), (8, 9)), (10, 11)))
    made.add(PodOver(1, 0, seats(1, 2, (3, ABSENT), 4), 150.0))
    made.add(PodOver(1, 1, seats(5, (6, ABSENT), (0, THERE, 2)), 150.0))
    now = rounds_module.standing_before(made.of, made.of.rounds, made.of.active())
    assert {it: dict(with_) for it, with_ in now.met.items() if with_} == {
        1: {2: 1, 4: 1}, 2: {1: 1, 4: 1}, 4: {1: 1, 2: 1},
    }  # fmt: skip
    assert now.byes == {10: 1, 11: 1, 5: 1}, "a player without opponents has sat out"
    assert now.short == dict.fromkeys((5, 6, 7, 8, 9), 1)
    assert dict(now.seats) == {1: {0: 1}, 2: {1: 1}, 3: {2: 1}, 4: {3: 1}, 5: {0: 1}, 6: {1: 1}}
    assert now.points == {it: now.points[it] for it in made.of.active()}
    assert now.points[1] == WHOLE and now.points[8] == 0, "a result may have been taken back"


def test_league_pairing_ignores_points():
    made = Playing(settings("kaboom", Format.LEAGUE), 10)
    made.pair()
    made.play()
    now = rounds_module.standing_before(made.of, made.of.rounds, made.of.active())
    assert set(now.points.values()) == {0} and now.met[1]


def test_departed_entrant_has_no_place_in_a_running_league():
    made = Playing(settings("gops", Format.LEAGUE), 5)
    made.add(Left(made.of.field[0]))
    places = []
    for _ in range(5):
        round = made.pair()
        places.append(sorted([it for pod in round.pods for it in pod.entrants] + [*round.byes]))
        made.play()
    assert places == [sorted(made.of.field[1:])] * 5


# Knockouts


def test_beaten_player_does_not_win_an_unattended_round():
    made = Playing(settings("gops", Format.KNOCKOUT), 8)
    made.pair()
    made.play()
    round = made.pair()
    made.play(absent={it for pod in round.pods for it in pod.entrants})
    assert made.of.active(), "the beaten players are present"
    assert rounds_module.next_step(made.of) == Next("over", made.now + 60.0)
    assert rounds_module.champions(made.of) == []


def test_title_is_shared_by_equals_but_not_with_the_removed():
    made = Playing(settings("kaboom", Format.KNOCKOUT), 4)
    assert rounds_module.champions(made.of) == []
    made.add(Paired(1, ((1, 2, 3, 4),)))
    assert rounds_module.champions(made.of) == [], "it is being played"
    made.add(PodOver(1, 0, seats((1, THERE, 1), (2, THERE, 1), (3, THERE, 3), (4, LEFT, 1)), 9.0))
    assert rounds_module.champions(made.of) == [1, 2]
    made.add(Ruling(Verb.REMOVE, "rude", (1,)))
    assert rounds_module.champions(made.of) == [2]
    made.add(Left(2))
    assert rounds_module.champions(made.of) == [2], "the winner may leave"


def test_leaver_before_round_one_of_a_knockout_has_no_pod():
    made = Playing(settings("gops", Format.KNOCKOUT), 8)
    made.add(Left(3))
    assert sorted(it for pod in made.pair().pods for it in pod.entrants) == [1, 2, 4, 5, 6, 7, 8]


def test_absent_left_or_removed_player_does_not_advance():
    made = Playing(settings("kaboom", Format.KNOCKOUT), 8)
    made.add(Paired(1, ((1, 2, 3, 4), (5, 6, 7, 8))))
    made.add(PodOver(1, 0, seats(1, 2, 3, (4, ABSENT)), 9.0))
    made.add(PodOver(1, 1, seats(5, 6, 7, 8), 9.0))
    made.add(Left(1))
    made.add(Ruling(Verb.REMOVE, "rude", (5,)))
    made.add(Ruling(Verb.REMOVE, "rude", (6,)))
    made.add(Ruling(Verb.UNDO, undone=made.of.seq))
    found = made.pair()
    assert sorted(found.pods[0].entrants) == [2, 3, 6, 7]


def test_advancing_is_independent_of_an_earlier_pairing():
    """A lone player has already advanced, and this must not decide a tie of the round before."""
    made = Playing(settings("gops", Format.KNOCKOUT), 4)
    made.add(Paired(1, ((1, 2), (3, 4))))
    made.add(PodOver(1, 0, equal(1, 2), 9.0))
    made.add(PodOver(1, 1, seats((3, ABSENT), (4, ABSENT)), 9.0))
    draws = [draw_by(str(lot).encode()) for lot in range(8)]
    found = [rounds_module.pairing(made.of, draw, 1).pods for draw in draws]
    assert set(found) == {((1,),), ((2,),)}
    made.pair()
    assert [rounds_module.pairing(made.of, draw, 1, number=2).pods for draw in draws] == found


def equal(*them):
    return tuple(SeatResult(it, THERE, 1) for it in them)


def test_equal_places_are_decided_by_earlier_rounds():
    made = Playing(settings("gops", Format.KNOCKOUT), 8)
    made.add(Paired(1, ((1, 2), (3, 4), (5, 6), (7, 8))))
    for pod, result in enumerate((equal(1, 2), seats(3, 4), seats(5, 6), equal(7, 8))):
        made.add(PodOver(1, pod, result, 9.0))
    made.add(Paired(2, ((1, 3), (5, 7))))
    for pod, result in enumerate((equal(1, 3), equal(5, 7))):
        made.add(PodOver(2, pod, result, 9.0))
    assert sorted(made.pair().pods[0].entrants) == [3, 5]


def test_meetings_counts_how_often_pairs_have_met():
    made = Playing(settings("kaboom"), 5)
    assert rounds_module.meetings(made.of) == {0: 10}
    made.add(Paired(1, ((1, 2, 3), (4, 5))))
    made.add(PodOver(1, 0, seats(1, 2, 3), 9.0))
    made.add(PodOver(1, 1, seats(4, (5, ABSENT)), 9.0))
    assert rounds_module.meetings(made.of) == {0: 7, 1: 3}
    made.add(Paired(2, ((1, 2), (3, 4, 5))))
    made.add(PodOver(2, 0, seats(1, 2), 9.0))
    assert rounds_module.meetings(made.of) == {0: 7, 1: 2, 2: 1}


@pytest.mark.parametrize(
    ("count", "size", "rounds"),
    [(2, 2, 1), (3, 2, 3), (4, 2, 3), (5, 4, 2), (7, 4, 2), (8, 4, 3), (9, 3, 4), (25, 5, 6)],
)
def test_league_has_enough_rounds_to_meet_all(count, size, rounds):
    assert round_robin.rounds(count, size) == rounds


# The picture of a knockout


@pytest.mark.parametrize(("game", "count"), [("gops", 8), ("gops", 5), ("kaboom", 30), ("koth", 9)])
def test_bracket_pods_are_spaced_and_wired_center_to_center(game, count):
    made = Playing(settings(game, Format.KNOCKOUT), count)
    found = bracket.picture(made.of)
    columns = found.rounds()
    for number, column in enumerate(columns):
        assert [(it.round, it.pod) for it in column] == [(number, at) for at in range(len(column))]
        assert {it.x for it in column} == {number * (bracket.WIDTH + bracket.GAP)}
        assert all(one.y + one.height < two.y for one, two in pairwise(column))
        assert column[0].y > 0 and column[-1].y + column[-1].height < found.height
    assert columns[-1][0].x + bracket.WIDTH == found.width
    tall = bracket.HEAD + made.of.settings.size * bracket.ROW
    assert {it.height for it in found.boxes} == {tall}
    lefts = {(it.x, it.y + it.height // 2) for it in found.boxes if it.round}
    rights = {(it.x + bracket.WIDTH, it.y + it.height // 2) for it in found.boxes}
    rights -= {(found.width, columns[-1][0].y + tall // 2)}
    assert {(it.to_x, it.to_y) for it in found.wires} == lefts
    assert {(it.x, it.y) for it in found.wires} == rights
    assert len(found.wires) == len(set(found.wires))


def test_played_pod_shows_places_and_no_shows():
    made = Playing(settings("kaboom", Format.KNOCKOUT), 4)
    made.add(Paired(1, ((1, 2, 3, 4),)))
    slots = bracket.picture(made.of).boxes[0].slots
    assert [(it.entrant, it.place, it.absent) for it in slots] == [
        (it, 0, False) for it in range(1, 5)
    ]
    made.add(PodOver(1, 0, seats(4, 2, (1, ABSENT), (3, LEFT, 3)), 9.0))
    slots = bracket.picture(made.of).boxes[0].slots
    assert [(it.entrant, it.place, it.absent) for it in slots] == [
        (1, 0, True), (2, 2, False), (3, 3, False), (4, 1, False),
    ]  # fmt: skip


def test_missing_tournament_fields_keep_their_old_meaning():
    found = Settings("Cup", "gops", "{}", Format.SWISS, 2, (2,))
    assert (found.most, found.rounds, found.begins_at, found.check_in, found.limit) == (
        128, 0, 0.0, 0, 0,
    )  # fmt: skip
    assert (found.between, found.late, found.accounts, found.duplicate) == (1, True, False, False)
    assert read(written(Paired(1, ()))).wave == 1_000_000
