"""Standings of knockouts, and with shared cards, by an independent implementation."""

import random
from fractions import Fraction

import pytest

from kaboom.tournaments.rules import pairing
from kaboom.tournaments.rules.events import Format, How, PodOver, Returned, SeatResult
from kaboom.tournaments.rules.points import WHOLE
from kaboom.tournaments.rules.standings import standings
from tests.tournaments.rules.test_pairing import DRAW, GAMES, Playing, settings, slow_standings


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("count", [4, 9, 16])
def test_knockout_ranks_by_round_reached_then_share_in_it(game, count):
    rng = random.Random(f"{game} {count}")
    by_chance = {"strength": lambda it: rng.randint(1, 3)}
    playing = Playing(settings(game, Format.KNOCKOUT), count, **by_chance)
    for number in range(1, 1 + min(3, pairing.rounds(playing.of))):
        playing.pair()
        playing.play(absent={1} if number == 1 else ())
    of, reached = playing.of, {}
    for it in of.field:
        for number, round in enumerate(of.rounds, 1):
            for pod in round.pods:
                if it in pod.entrants:
                    reached[it] = (number, of.round_shares(round)[it])
    worth = {it: (*reached[it], *rest) for it, rest in slow_standings(of).items()}
    found = standings(of, DRAW)
    assert [worth[it.entrant] for it in found] == sorted(worth.values(), reverse=True)
    for it in found:
        assert it.place == 1 + sum(1 for other in worth.values() if other > worth[it.entrant])


def played_with_the_same_cards(playing, rng):
    """Play a round on one board: some leave, some do not come, one table has no result."""
    round = playing.of.rounds[-1]
    for number, pod in enumerate(round.pods):
        silent = not number and rng.random() < 0.3
        how = {it: rng.choice([How.PLAYED] * 8 + [How.LEFT, How.ABSENT]) for it in pod.entrants}
        there = [it for it in pod.entrants if how[it] != How.ABSENT]
        if len(there) < 2:
            how |= dict.fromkeys(there, How.THROUGH)
        scores = {it: rng.randint(1, 4) for it in there}
        seats = []
        for it in pod.entrants:
            if it not in scores:
                seats.append(SeatResult(it, How.ABSENT))
                continue
            place = 1 + sum(other > scores[it] for other in scores.values())
            score = scores[it] if how[it] == How.PLAYED and not silent else None
            seats.append(SeatResult(it, how[it], place, score))
        playing.add(PodOver(round.number, number, tuple(seats), float(round.number)))
    for it in playing.of.field:
        playing.add(Returned(it))


def slow_matchpoints(tables):
    """Return the shares of a board as exact fractions: each result is compared with every other in
    its seat, and each stands for as many tables as there are to a result.
    """
    compared = [
        [s for s in table if s.how == How.PLAYED and s.score is not None] for table in tables
    ]
    played = sum(1 for there in compared if there)
    found = {}
    for number, table in enumerate(tables):
        for seat, mine in enumerate(table):
            if mine.how in (How.ABSENT, How.LEFT):
                found[mine.entrant] = Fraction(0)
            elif mine.how == How.THROUGH:
                found[mine.entrant] = Fraction(3, 5)
            elif mine.score is None:
                found[mine.entrant] = Fraction(1, 2)
            else:
                others = [
                    other[seat].score
                    for at, other in enumerate(tables)
                    if at != number and seat < len(other) and other[seat] in compared[at]
                ]
                points = sum((mine.score > it) + (mine.score >= it) for it in others)
                each = Fraction(played, len(others) + 1)
                found[mine.entrant] = (each * points + each - 1) / (2 * played - 2)
    assert played > 1
    return found


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("game, count", [("gops", 12), ("kaboom", 17), ("koth", 15), ("taken", 24)])
def test_shared_cards_standings_match_a_second_computation(game, count, seed):
    playing = Playing(settings(game, duplicate=True), count)
    rng, points = random.Random(f"{game} {seed}"), dict.fromkeys(range(1, count + 1), 0)
    for _ in range(2):
        round = playing.pair()
        played_with_the_same_cards(playing, rng)
        exact = slow_matchpoints([pod.result for pod in round.pods])
        exact |= dict.fromkeys(round.byes, Fraction(3, 5))
        rounded = {it: int(share * WHOLE + Fraction(1, 2)) for it, share in exact.items()}
        assert playing.of.round_shares(round) == rounded
        for it, share in rounded.items():
            points[it] += share
    found = standings(playing.of, DRAW)
    assert {it.entrant: it.points for it in found} == points
    worth = slow_standings(playing.of)
    assert [worth[it.entrant][0] for it in found] == sorted(points.values(), reverse=True)
