"""Players who advance without a match get the value of a bye, whatever their number."""

from collections import Counter

import pytest

from kaboom.tournaments.rules import bracket, pairing
from kaboom.tournaments.rules.bracket import Slot
from kaboom.tournaments.rules.events import Format, How, SeatResult
from kaboom.tournaments.rules.points import bye, shares
from kaboom.tournaments.rules.standings import standings
from tests.tournaments.rules.test_pairing import DRAW, GAMES, Playing, settings


@pytest.mark.parametrize("count", range(1, 6))
def test_advancing_players_score_a_bye_and_no_shows_nothing(count):
    through = [SeatResult(it, How.THROUGH, it) for it in range(1, count + 1)]
    seats = [*through, SeatResult(9, How.ABSENT), SeatResult(0, How.PLAYED, 1)]
    assert shares(seats, 8) == dict.fromkeys(range(1, count + 1), bye(8)) | {9: 0}


@pytest.mark.parametrize("game", GAMES)
def test_knockout_byes_give_no_entrant_an_advantage(game):
    """Every share of a round is a bye's, or a part of what a match divides."""
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
        assert pairing.champions(of)
    assert several or size not in (4, 8)


def test_bracket_shows_players_and_the_sources_of_others():
    playing = Playing(settings("gops", Format.KNOCKOUT), 5)
    first, *later = bracket.picture(playing.of).rounds()
    placed = [slot for box in first for slot in box.slots]
    assert {slot.entrant for slot in placed} <= {*playing.of.field}
    assert all((slot.place, slot.feeder, slot.absent) == (0, None, False) for slot in placed)
    coming = [slot for boxes in later for box in boxes for slot in box.slots]
    assert coming and all(slot == Slot(entrant=0, feeder=slot.feeder) for slot in coming)
    assert all(slot.feeder is not None for slot in coming)
