"""Who goes through without a match has what a bye is worth, however many they are."""

from collections import Counter

import pytest

from kaboom.tournaments.rules import bracket
from kaboom.tournaments.rules import rounds as course
from kaboom.tournaments.rules.bracket import Slot
from kaboom.tournaments.rules.events import Format, How, SeatResult
from kaboom.tournaments.rules.points import bye, shares
from kaboom.tournaments.rules.standings import standings
from tests.tournaments.rules.test_pairing import DRAW, GAMES, Playing, settings


@pytest.mark.parametrize("count", range(1, 6))
def test_all_who_go_through_have_a_byes_worth_and_who_did_not_come_nothing(count):
    through = [SeatResult(it, How.THROUGH, it) for it in range(1, count + 1)]
    seats = [*through, SeatResult(9, How.ABSENT), SeatResult(0, How.PLAYED, 1)]
    assert shares(seats, 8) == dict.fromkeys(range(1, count + 1), bye(8)) | {9: 0}


@pytest.mark.parametrize("game", GAMES)
def test_in_a_knockout_of_any_size_by_the_seats_nobody_has_more(game):
    """Every share of a round is a bye's, or what those who played each other divided."""
    size, several = GAMES[game][0], 0
    for count in range(2, 2 * size + 5):
        playing = Playing(settings(game, Format.KNOCKOUT), count)
        of = playing.whole()
        points = Counter()
        for round in of.rounds:
            found = of.round_shares(round)
            points.update(found)
            for pod in range(len(round.pods)):
                through = [it for it in of.result(round, pod) if it.how == How.THROUGH]
                several += len(through) > 1
                assert {found[it.entrant] for it in through} <= {bye(size)}
        assert {it.entrant: it.points for it in standings(of, DRAW)} == points
        assert course.champions(of)
    assert several or size not in (4, 8)


def test_a_bracket_shows_who_plays_and_from_where_the_others_will_come():
    playing = Playing(settings("gops", Format.KNOCKOUT), 5)
    first, *later = bracket.picture(playing.of).rounds()
    placed = [slot for box in first for slot in box.slots]
    assert {slot.entrant for slot in placed} <= {*playing.of.field}
    assert all((slot.place, slot.feeder, slot.absent) == (0, None, False) for slot in placed)
    coming = [slot for boxes in later for box in boxes for slot in box.slots]
    assert coming and all(slot == Slot(entrant=0, feeder=slot.feeder) for slot in coming)
    assert all(slot.feeder is not None for slot in coming)
