"""Pods, shares, standings, leagues and brackets, compared with brute force."""

import hashlib
import random
import time
from fractions import Fraction
from itertools import combinations

import pytest

from kaboom.tournaments.rules import knockout, round_robin, swiss
from kaboom.tournaments.rules import pairing as rounds_module
from kaboom.tournaments.rules.draw import draw_by
from kaboom.tournaments.rules.events import (
    Began,
    Entered,
    Format,
    How,
    Logged,
    Paired,
    PodOver,
    Returned,
    Ruling,
    SeatResult,
    Settings,
    Spare,
    Verb,
    WaveStarted,
    read,
    written,
)
from kaboom.tournaments.rules.points import WHOLE, bye, shares
from kaboom.tournaments.rules.standings import standings
from kaboom.tournaments.rules.state import apply, folded
from tests.support.effort import LONG

DRAW = draw_by(b"the same for all")
# Seats of a full pod, and the possible numbers of players: GOPS, Karata, Kaboom, TakeN, King of the
# Hill.
GAMES = {
    "gops": (2, (2,)),
    "karata": (4, (2, 3, 4)),
    "kaboom": (4, (2, 3, 4, 5, 6)),
    "taken": (8, tuple(range(2, 11))),
    "koth": (5, (5,)),
}


def settings(game, format=Format.SWISS, **more):
    size, playable = GAMES[game]
    spare = Spare.HOUSE if game == "koth" else Spare.BYE
    values = {"size": size, "playable": playable, "most": 2000, "spare": spare} | more
    return Settings("Cup", game, "{}", format, **values)


class Playing:
    """A tournament without tables: results come from a strength for each entrant."""

    def __init__(self, settings, count, seed=1, strength=lambda it: it):
        self.random = random.Random(seed)
        self.strength = strength
        self.log, self.now = [], 0.0
        self.of = folded(settings, ())
        for number in range(1, count + 1):
            self.add(Entered(number))
        self.add(rounds_module.beginning(self.of, DRAW))

    def add(self, event):
        self.log.append(Logged(len(self.log) + 1, read(written(event))))
        apply(self.of, self.log[-1])

    def pair(self, wave=10**6):
        self.add(rounds_module.pairing(self.of, DRAW, wave))
        return self.of.rounds[-1]

    def play(self, absent=()):
        round = self.of.rounds[-1]
        order = list(range(len(round.pods)))
        self.random.shuffle(order)
        for pod in order:
            if self.of.result(round, pod) is not None:
                continue
            there = [it for it in round.pods[pod].entrants if it not in absent]
            ranked = sorted(there, key=self.strength)
            seats = tuple(
                SeatResult(it, How.PLAYED, ranked.index(it) + 1)
                if it in there
                else SeatResult(it, How.ABSENT)
                for it in round.pods[pod].entrants
            )
            self.now += 1
            self.add(PodOver(round.number, pod, seats, self.now))

    def whole(self):
        while (step := rounds_module.next_step(self.of)) is not None and step.what in (
            "pair",
            "wave",
        ):
            if step.what == "pair":
                self.pair()
                self.add(rounds_module.wave_started(self.of, self.now))
                self.play()
        return self.of


# Shares


@pytest.mark.parametrize("count", range(2, 11))
def test_pod_shares_sum_to_the_same_in_any_case(count):
    for seed in range(30):
        chosen = random.Random(seed)
        seats = [
            SeatResult(
                it, chosen.choice([How.PLAYED, How.LEFT, How.PLAYED]), chosen.randint(1, count)
            )
            for it in range(1, count + 1)
        ]
        seats += [SeatResult(0, How.PLAYED, 1), SeatResult(99, How.ABSENT)]
        found = shares(seats, count)
        assert sum(found.values()) == WHOLE * count // 2
        assert found[99] == 0 and 0 not in found


def test_leaver_scores_0_and_four_tied_players_half_a_win_each():
    left = [SeatResult(1, How.LEFT, 1), SeatResult(2, How.PLAYED, 4), SeatResult(3, How.PLAYED, 2)]
    assert shares(left, 4) == {1: 0, 2: WHOLE // 2, 3: WHOLE}
    drawn = [SeatResult(it, How.PLAYED, 1) for it in range(1, 5)]
    assert set(shares(drawn, 4).values()) == {WHOLE // 2}


def test_lone_entrant_gets_the_value_of_a_bye():
    alone = [SeatResult(1, How.PLAYED, 1), SeatResult(2, How.ABSENT), SeatResult(0, How.PLAYED, 1)]
    assert shares(alone, 4) == {1: 3360, 2: 0}
    assert shares(alone[:2], 2) == {1: 5040, 2: 0} and bye(2) == 5040


# Sizes


@pytest.mark.parametrize("game", GAMES)
def test_every_entrant_is_in_one_legal_pod_or_sits_out(game):
    size, playable = GAMES[game]
    for spare in Spare:
        for count in range(2, 201):
            found, out = swiss.sizes(count, size, playable, spare)
            assert sum(found) + out == count and found == sorted(found, reverse=True)
            assert all(2 <= it <= size for it in found)
            if spare == Spare.HOUSE:
                assert out == (count % 2 if size == 2 else 0)
            else:
                assert set(found) <= set(playable)


@pytest.mark.parametrize(
    "count, game, spare, wanted",
    [
        (9, "kaboom", Spare.BYE, ([3, 3, 3], 0)),
        (10, "kaboom", Spare.BYE, ([4, 3, 3], 0)),
        (5, "kaboom", Spare.BYE, ([3, 2], 0)),
        (7, "gops", Spare.BYE, ([2, 2, 2], 1)),
        (6, "koth", Spare.HOUSE, ([3, 3], 0)),
        (11, "koth", Spare.HOUSE, ([4, 4, 3], 0)),
        (11, "koth", Spare.BYE, ([5, 5], 1)),
        (9, "taken", Spare.BYE, ([5, 4], 0)),
    ],
)
def test_pod_sizes_are_the_expected_ones(count, game, spare, wanted):
    assert swiss.sizes(count, *GAMES[game], spare) == wanted


# Pairing


def rounds_played(count, size, rounds, seed):
    """Return the pairing's inputs after random rounds, and the points."""
    chosen, numbers = random.Random(seed), list(range(1, count + 1))
    met = {it: {} for it in numbers}
    points = dict.fromkeys(numbers, 0)
    short = dict.fromkeys(numbers, 0)
    for _ in range(rounds):
        chosen.shuffle(numbers)
        for start in range(0, count, size):
            pod = numbers[start : start + size]
            for place, it in enumerate(pod):
                points[it] += WHOLE * (len(pod) - 1 - place) // max(1, len(pod) - 1)
                short[it] += len(pod) < size
                for other in pod:
                    if other != it:
                        met[it][other] = met[it].get(other, 0) + 1
    return swiss.Standing(points, met, short, {}, {})


def cost(pods, size, now):
    """Return the cost of pods by the documented criteria; less is better."""
    total = sum(between(a, b, now) for pod in pods for a, b in combinations(pod, 2))
    again = sum(now.short.get(it, 0) for pod in pods if len(pod) < size for it in pod)
    return total + again * swiss.SHORT_AGAIN


def between(a, b, now):
    """Return the cost of pairing two players."""
    again = now.met.get(a, {}).get(b, 0) * swiss.MET
    forbidden = swiss.FORBIDDEN if frozenset((a, b)) in now.apart else 0
    return (now.points[a] - now.points[b]) ** 2 + again + forbidden


def partitions(left, wanted):
    """Yield every division of people into pods of these sizes, by brute force."""
    if not wanted:
        yield []
        return
    for pod in combinations(left, wanted[0]):
        if len(set(wanted)) == 1 and pod[0] != left[0]:
            break  # only the order would differ
        rest = [it for it in left if it not in pod]
        for others in partitions(rest, wanted[1:]):
            yield [pod, *others]


@pytest.mark.slow
@pytest.mark.parametrize(
    "count, size",
    [(6, 2), (7, 4), (8, 4), (8, 2), (9, 4), (9, 3), (6, 5), (11, 4), (12, 2), (12, 4), (12, 5)],
)
@pytest.mark.parametrize("seed", range(3 if LONG else 1))
def test_pods_of_a_small_field_are_optimal(count, size, seed):
    now = rounds_played(count, size, 2 + seed, f"{count} {size} {seed}")
    playable = range(2, size + 1)
    found, byes = swiss.paired(now, 3, size, playable, Spare.BYE, DRAW)
    there = [it for pod in found for it in pod]
    assert not byes and sorted(there) == list(range(1, count + 1))
    wanted, _ = swiss.sizes(count, size, playable, Spare.BYE)
    least = min(cost(pods, size, now) for pods in partitions(sorted(there), wanted))
    assert cost(found, size, now) == least
    again = swiss.paired(now, 3, size, playable, Spare.BYE, DRAW)
    assert again == (found, byes)


# Pods of two


def worth_of(ordered, now, pairs, byes):
    """Return the quality of pairs, the worst criterion first, including those who sit out."""
    place = {it: at for at, it in enumerate(ordered)}
    return (
        sum(now.byes.get(it, 0) for it in byes),
        sum(frozenset(pair) in now.apart for pair in pairs),
        sum(now.met.get(a, {}).get(b, 0) for a, b in pairs),
        sum(-place[it] for it in byes),
        sum((now.points[a] - now.points[b]) ** 2 for a, b in pairs),
        sum((place[a] - place[b]) ** 2 for a, b in pairs),
    )


def best_worth(ordered, now):
    """Return the best quality among all pairings, by brute force."""
    found = {0: (0,) * 6}

    def least(left):
        if left not in found:
            first = left & -left
            rest, a = left ^ first, ordered[first.bit_length() - 1]
            ways = []
            for place in range(len(ordered)):
                if rest >> place & 1:
                    pair = worth_of(ordered, now, [(a, ordered[place])], [])
                    ways.append(added(pair, least(rest ^ 1 << place)))
            if left.bit_count() % 2:
                ways.append(added(worth_of(ordered, now, [], [a]), least(rest)))
            found[left] = min(ways)
        return found[left]

    return least((1 << len(ordered)) - 1)


def added(one, other):
    return tuple(a + b for a, b in zip(one, other, strict=True))


def met_often(count, seed):
    """Return standings late in a tournament, in which many players have met."""
    chosen = random.Random(f"{count} {seed}")
    people = range(1, count + 1)
    met = {it: {} for it in people}
    for a, b in combinations(people, 2):
        if chosen.random() < 0.35:
            met[a][b] = met[b][a] = chosen.choice((1, 1, 1, 2))
    points = {it: WHOLE * chosen.randrange(5) for it in people}
    byes = {it: chosen.randrange(2) for it in people}
    return swiss.Standing(points, met, {}, byes, {}, {frozenset(chosen.sample(people, 2))})


@pytest.mark.parametrize("count", [2, 3, 5, 6, 9, 10, 13, 14])
@pytest.mark.parametrize("seed", range(8 if LONG else 2))
def test_pairing_in_twos_is_optimal(count, seed):
    now = met_often(count, seed)
    pods, byes = swiss.paired(now, 3, 2, (2,), Spare.BYE, DRAW)
    ordered = swiss.order(now.points, 3, DRAW)
    assert sorted([*byes, *(it for pod in pods for it in pod)]) == sorted(ordered)
    assert worth_of(ordered, now, pods, byes) == best_worth(ordered, now)


def test_paired_avoids_a_rematch_by_an_equally_fair_bye():
    met = {1: {2: 1, 3: 1}, 2: {1: 1}, 3: {1: 1}}
    now = swiss.Standing({1: 3, 2: 2, 3: 1}, met, {}, {1: 1}, {})
    pods, byes = swiss.paired(now, 3, 2, (2,), Spare.BYE, DRAW)
    assert {*pods[0]} in ({1, 2}, {1, 3})  # 1 has sat out: only the others may
    fair = swiss.Standing({1: 3, 2: 2, 3: 1}, {1: {2: 1}, 2: {1: 1}}, {}, {}, {})
    pods, byes = swiss.paired(fair, 3, 2, (2,), Spare.BYE, DRAW)
    assert ({*pods[0]}, byes) == ({1, 3}, (2,))  # 3 was last: 1 and 2 would meet again


@pytest.mark.parametrize("count", [16, 25, 40])
def test_matched_pairs_are_never_worse_than_exchanged_ones(count):
    better = 0
    for seed in range(12 if LONG else 4):
        now = met_often(count, seed)
        ordered = swiss.order(now.points, 3, DRAW)
        byes = swiss.sitting_out(ordered, count % 2, now.byes)
        there = [it for it in ordered if it not in byes]
        before = worth_of(ordered, now, swiss.good(there, [2] * (count // 2), 2, now), byes)
        after = worth_of(ordered, now, *swiss.paired(now, 3, 2, (2,), Spare.BYE, DRAW))
        assert after <= before
        better += after < before
    assert better  # in one of eight rounds


@pytest.mark.slow
def test_matching_in_groups_is_nearly_optimal(monkeypatch):
    for count in (70, 71):
        now = met_often(count, 1)
        ordered = swiss.order(now.points, 3, DRAW)
        in_groups = worth_of(ordered, now, *swiss.matched(ordered, now, count % 2 == 1))
        with monkeypatch.context() as patch:
            patch.setattr(swiss, "EXACT_UP_TO", 100)
            best = worth_of(ordered, now, *swiss.matched(ordered, now, count % 2 == 1))
        assert in_groups[:3] == best[:3] and best <= in_groups


def test_heuristic_pods_rarely_repeat_more_than_optimal_ones():
    """The method for large fields, applied to small ones that can be searched exhaustively."""
    worse = 0
    for seed in range(40):
        now = rounds_played(8, 4, 1 + seed % 2, f"search {seed}")
        ordered = swiss.order(now.points, 3, DRAW)
        repeats = [
            cost(pods, 4, now) // swiss.MET
            for pods in (swiss.good(ordered, [4, 4], 4, now), swiss.best(ordered, [4, 4], 4, now))
        ]
        assert repeats[0] >= repeats[1]
        worse += repeats[0] > repeats[1]
    assert worse <= 4


def test_separated_entrants_are_not_paired():
    now = rounds_played(24, 4, 2, "apart")
    ordered = swiss.order(now.points, 3, DRAW)
    pairs = {frozenset(ordered[place : place + 2]) for place in range(0, 24, 2)}
    apart = swiss.Standing(now.points, now.met, now.short, {}, {}, pairs)
    found, _ = swiss.paired(apart, 3, 4, (4,), Spare.BYE, DRAW)
    assert not any(pair <= set(pod) for pair in pairs for pod in found)


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("count", [5, 13, 31, 50])
def test_swiss_repeats_no_pair_unless_necessary(game, count):
    of = Playing(settings(game), count).whole()
    assert len(of.rounds) == rounds_module.rounds(of)
    byes = [it for round in of.rounds for it in round.byes]
    assert len(byes) == len(set(byes)) or len(byes) > count
    for round in of.rounds:
        there = [it for pod in round.pods for it in pod.entrants] + list(round.byes)
        assert sorted(there) == list(range(1, count + 1))
    size = GAMES[game][0]
    if (size - 1) * len(of.rounds) * 2 < count:
        assert max(rounds_module.meetings(of)) == 1


def test_short_pods_rotate_before_repeating():
    of = Playing(settings("kaboom"), 17).whole()
    short = [
        it
        for round in of.rounds
        for pod in round.pods
        for it in pod.entrants
        if len(pod.entrants) < 4
    ]
    times = [short.count(it) for it in of.field]
    assert max(times) - min(times) <= 3  # avoiding repeated meetings has priority


@pytest.mark.slow
@pytest.mark.parametrize("game", ["gops", "kaboom", "koth"])
def test_large_field_is_paired_in_seconds(game):
    """In processor seconds; docs/tournaments.md has the figures."""
    count = 1024 if LONG else 256
    playing = Playing(settings(game), count)
    took = []
    for _ in range(rounds_module.rounds(playing.of)):
        begun = time.process_time()
        playing.pair()
        took.append(time.process_time() - begun)
        playing.play()
    assert max(rounds_module.meetings(playing.of)) == 1
    print(game, count, [round(it, 2) for it in took])
    assert max(took) < 5


# Late, absent, leaving


def test_late_and_absent_entrants_gain_nothing():
    playing = Playing(settings("kaboom"), 16)
    for round in range(1, 4):
        if round == 2:
            playing.add(Entered(17))
            assert rounds_module.may_enter_late(playing.of)
        playing.pair()
        playing.play(absent={5} if round == 1 else ())
        if round == 2:
            playing.add(Returned(5))
    points = playing.of.points()
    found = [playing.of.round_shares(it) for it in playing.of.rounds]
    assert found[0][5] == 0 and 5 not in found[1] and 5 in found[2]
    assert 17 not in found[0] and points[17] == found[1][17] + found[2][17]


def test_entrant_absent_twice_is_out():
    playing = Playing(settings("kaboom"), 16)
    for _ in range(2):
        playing.pair()
        playing.play(absent={5})
        assert 5 not in playing.of.active()
        playing.add(Returned(5))
    assert 5 not in playing.of.active()


# Rulings


def test_ruling_replaces_a_result_until_it_is_undone():
    playing = Playing(settings("gops"), 2)
    playing.pair()
    playing.play()
    before = playing.of.points()
    one, two = playing.of.rounds[0].pods[0].entrants
    other = tuple(
        SeatResult(it, How.RULED, place)
        for place, it in enumerate(sorted((one, two), reverse=True), 1)
    )
    playing.add(Ruling(Verb.RESULT, "a mistake", round=1, pod=0, seats=other))
    assert playing.of.points() == {one: before[two], two: before[one]}
    assert playing.of.rounds[0].pods[0].result != other
    playing.add(Ruling(Verb.UNDO, undone=playing.of.seq))
    assert playing.of.points() == before
    playing.add(Ruling(Verb.REMOVE, "rude", entrants=(one,)))
    assert playing.of.active() == [two]
    playing.add(Ruling(Verb.UNDO, undone=playing.of.seq))
    assert sorted(playing.of.active()) == [1, 2]


# Standings, by an independent implementation


def slow_standings(of):
    """Return the order by points, direct meetings, opponents and wins, computed independently."""

    def pods():
        for number, round in enumerate(of.rounds):
            for pod in range(len(round.pods)):
                seats = [
                    s
                    for s in of.result(round, pod) or ()
                    if s.entrant and s.how in ("played", "left", "ruled")
                ]
                if len(seats) > 1:
                    yield (
                        number,
                        {s.entrant: (s.how == "left", s.place * (s.how != "left")) for s in seats},
                    )

    points = {it: sum(of.round_shares(round).get(it, 0) for round in of.rounds) for it in of.field}
    games = list(pods())
    worth = {}
    for it in of.field:
        means = []
        for number in range(len(of.rounds)):
            own = [pod for at, pod in games if at == number and it in pod]
            others = [points[x] for x in own[0] if x != it] if own else [points[it]]
            means.append(Fraction(sum(others), len(others)))
        tied = [x for x in of.field if points[x] == points[it]]
        times = [
            sum(1 for _, pod in games if a in pod and b in pod) for a, b in combinations(tied, 2)
        ]
        direct = 0
        if len(tied) > 1 and min(times) == max(times) > 0:
            for _, pod in games:
                if it in pod:
                    direct += sum(2 for x in tied if x != it and x in pod and pod[it] < pod[x])
                    direct += sum(1 for x in tied if x != it and x in pod and pod[it] == pod[x])
        wins = sum(1 for _, pod in games if it in pod and pod[it] == min(pod.values()))
        worth[it] = (points[it], direct, sum(sorted(means)[1:]), wins)
    return worth


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("count", [4, 9, 16])
def test_tie_breaks_match_an_independent_implementation(game, count):
    rng = random.Random(f"{game} {count}")
    playing = Playing(settings(game), count, strength=lambda it: rng.randint(1, 3))
    for round in range(1, 4):
        playing.pair()
        playing.play(absent={1} if round == 2 else ())
    worth = slow_standings(playing.of)
    found = standings(playing.of, DRAW)
    assert [(it.points, it.direct, it.opponents, it.wins) for it in found] == sorted(
        worth.values(), reverse=True
    )
    for it in found:
        assert it.place == 1 + sum(1 for other in worth.values() if other > worth[it.entrant])


# Leagues


@pytest.mark.parametrize("count", range(2, 12))
def test_league_of_pairs_lets_all_meet_with_equal_byes(count):
    of = Playing(settings("gops", Format.LEAGUE), count).whole()
    assert rounds_module.meetings(of) == {0: 0, 1: count * (count - 1) // 2}
    byes = [it for round in of.rounds for it in round.byes]
    assert sorted(byes) == (list(range(1, count + 1)) if count % 2 else [])


@pytest.mark.parametrize("game, size", [("kaboom", 4), ("koth", 5), ("karata", 3)])
def test_projective_plane_makes_all_meet_exactly_once(game, size):
    chosen = settings(game, Format.LEAGUE)
    chosen = Settings("Cup", game, "{}", Format.LEAGUE, size, chosen.playable)
    of = Playing(chosen, size * size).whole()
    assert len(of.rounds) == size + 1 == round_robin.rounds(size * size, size)
    assert rounds_module.meetings(of) == {0: 0, 1: size * size * (size * size - 1) // 2}
    assert all(len(pod.entrants) == size for round in of.rounds for pod in round.pods)


def test_other_leagues_are_paired_so_that_few_meet_again():
    of = Playing(settings("kaboom", Format.LEAGUE), 10).whole()
    assert len(of.rounds) == 3 and max(rounds_module.meetings(of)) <= 2


# Knockouts


@pytest.mark.parametrize("game", GAMES)
def test_knockout_has_one_winner_without_instant_rematches(game):
    counts = range(2, 301) if LONG else [2, 3, 5, 8, 9, 16, 17, 33, 64, 100, 129, 300]
    for count in counts:
        of = Playing(settings(game, Format.KNOCKOUT), count).whole()
        assert len(of.rounds) == rounds_module.rounds(of)
        assert rounds_module.champions(of) == [1], count  # the strongest, whatever the draw
        size = GAMES[game][0]
        for one, two in zip(of.rounds, of.rounds[1:], strict=False):
            if len(one.pods) < size:
                continue
            met = [set(pod.entrants) for pod in one.pods]
            for pod in two.pods:
                for a, b in combinations(pod.entrants, 2):
                    assert not any({a, b} <= it for it in met)
            assert all(len(pod.entrants) <= size for pod in two.pods)


@pytest.mark.parametrize("count", [2, 3, 4, 5, 7, 8])
def test_best_seeds_get_the_byes(count):
    shape = knockout.bracket(count, 2, 1)
    assert sorted(it for pod in shape.first for it in pod) == list(range(count))
    alone = [pod[0] for pod in shape.first if len(pod) == 1]
    assert sorted(alone) == list(range(2**shape.rounds - count))


def test_ties_at_the_cut_go_by_earlier_shares_then_the_draw():
    playing = Playing(settings("kaboom", Format.KNOCKOUT), 8, strength=lambda it: 0)
    playing.pair()
    round = playing.of.rounds[0]
    for pod, made in enumerate(round.pods):
        seats = tuple(SeatResult(it, How.PLAYED, 1) for it in made.entrants)
        playing.add(PodOver(1, pod, seats, 1.0))
        found = rounds_module.qualified(playing.of, round, pod, DRAW, {}, playing.of.points())
        assert found == sorted(made.entrants, key=lambda it: DRAW(f"cut|1|{it}"))
    playing.pair()
    assert len(playing.of.rounds[1].pods[0].entrants) == 4


def test_absent_entrant_does_not_qualify():
    playing = Playing(settings("gops", Format.KNOCKOUT), 4)
    playing.pair()
    playing.play(absent={1, 2, 3, 4})
    playing.pair()
    assert playing.of.rounds[1].pods[0].entrants == ()
    assert rounds_module.champions(playing.of) == []


# Waves


def test_wave_begins_when_the_previous_waves_are_over():
    playing = Playing(settings("gops"), 10)
    playing.pair(wave=2)
    seen = []
    while (step := rounds_module.next_step(playing.of)) is not None and step.what == "wave":
        playing.add(rounds_module.wave_started(playing.of, 5.0))
        round = playing.of.rounds[0]
        seen.append(len(round.waves))
        assert rounds_module.next_step(playing.of) is None
        for pod in range(len(round.pods)):
            if round.wave_of(pod) == len(round.waves) - 1:
                seats = tuple(SeatResult(it, How.PLAYED, 1) for it in round.pods[pod].entrants)
                playing.add(PodOver(1, pod, seats, 6.0))
    assert seen == [1, 2, 3] and rounds_module.next_step(playing.of).what == "pair"


def test_log_alone_reproduces_the_tournament():
    playing = Playing(settings("taken"), 30)
    playing.whole()
    again = folded(playing.of.settings, playing.log)
    assert again == playing.of
    assert any(isinstance(it.event, Paired) for it in playing.log)
    assert any(isinstance(it.event, WaveStarted | Began) for it in playing.log)


def test_seat_assignments_even_out():
    of = Playing(settings("koth"), 25).whole()
    for number in of.field:
        sat = [
            pod.entrants.index(number)
            for r in of.rounds
            for pod in r.pods
            if number in pod.entrants
        ]
        assert max(sat.count(seat) for seat in set(sat)) <= 2


def test_pairing_event_has_a_hash_of_its_inputs():
    one, two = Playing(settings("gops"), 8), Playing(settings("gops"), 8, strength=lambda it: -it)
    prints = []
    for it in (one, two):
        it.pair()
        it.play()
        it.pair()
        prints.append([event.event.print for event in it.log if isinstance(event.event, Paired)])
    assert prints[0][0] == prints[1][0] and prints[0][1] != prints[1][1]
    assert all(len(it) == len(hashlib.sha256().hexdigest()) for it in prints[0])
