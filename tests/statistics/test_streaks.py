"""A streak follows the player's own date: playing on each of these days keeps it."""

import random
from datetime import UTC, datetime
from itertools import pairwise

import pytest

from kaboom.statistics import streaks

DAY = 24 * 3600.0
HOUR = 3600.0


def at(text):
    """Return a UTC time in seconds since 1970."""
    return datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp()


def of(*texts, now=None):
    times = [at(text) for text in texts]
    return streaks.of_days(times, at(now) if now else times[-1])


def test_streak_without_tries_is_zero():
    assert streaks.of_days([], at("2026-11-23T12:00")) == (0, 0)


def test_consecutive_days_make_a_streak():
    assert of("2026-11-23T09:00", "2026-11-24T22:00", "2026-11-25T07:00") == (3, 3)


def test_deal_played_after_midnight_keeps_the_streak():
    """Tuesday's deal is played at one o'clock on Wednesday morning."""
    assert of("2026-11-23T23:00", "2026-11-25T01:00", "2026-11-25T23:00") == (3, 3)


def test_traveler_from_auckland_to_los_angeles_keeps_the_streak():
    """Monday evening in Auckland, then Tuesday evening in Los Angeles: in UTC nothing is played on
    Tuesday.
    """
    assert of("2026-11-23T07:00", "2026-11-25T04:00", "2026-11-26T04:00") == (3, 3)


def test_traveler_from_los_angeles_to_auckland_keeps_the_streak():
    assert of("2026-11-24T04:00", "2026-11-25T07:00") == (2, 2)


def test_playing_every_other_day_makes_no_streak():
    every = [f"2026-11-{day:02}T12:00" for day in range(1, 29, 2)]
    assert of(*every)[1] <= 2


def test_streak_ends_when_a_whole_day_has_passed_everywhere():
    days = ("2026-11-22T12:00", "2026-11-23T12:00")
    assert of(*days, now="2026-11-25T11:00") == (2, 2)
    assert of(*days, now="2026-11-26T12:00") == (0, 2)


def test_later_streak_leaves_the_longest_as_it_is():
    first = [f"2026-10-{day:02}T12:00" for day in range(1, 6)]
    assert of(*first, "2026-11-01T12:00", "2026-11-02T12:00") == (2, 5)


@pytest.mark.parametrize("seed", range(200))
def test_playing_on_each_local_day_keeps_the_streak(seed):
    chance = random.Random(seed)
    zone, times = chance.uniform(-12, 14), []
    for day in range(chance.randint(2, 40)):
        zone = max(-12.0, min(14.0, zone + chance.choice((0, 0, chance.uniform(-9, 9)))))
        times.append(at("2026-01-05") + day * DAY + chance.uniform(0, DAY - 1) - zone * HOUR)
    if all(one < two for one, two in pairwise(times)):
        streak, longest = streaks.of_days(times, times[-1])
        assert streak >= len(times)
        assert longest >= len(times)


def test_streak_has_the_day_it_was_reached():
    days = [at(f"2026-11-{day:02}T12:00") for day in range(1, 15)]
    assert streaks.reached(days, 10) == at("2026-11-10T12:00")
    assert streaks.reached(days, 15) is None


def test_winning_streaks_are_current_and_longest():
    assert streaks.of_wins([True, True, False, True]) == (1, 2)
    assert streaks.of_wins([]) == (0, 0)
