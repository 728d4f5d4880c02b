"""Pairing of waiting players."""

import pytest

from kaboom.matchmaking.pairing import BOTS_WAIT, Seeker, paired, seats_with_bots

SEATS = {"duel": (2,), "four": (3, 4), "five": (5,)}


def playable(game, days):
    return SEATS[game]


def one(player, *games, days=0, rated=None, since=0.0, bots_at=None, **ratings):
    return Seeker(player, games or ("duel",), days, rated, since, bots_at, ratings)


def pair(*seekers, blocks=(), now=0.0):
    return paired(seekers[0], seekers[1:], blocks, playable, now)


def test_two_identical_requests_are_paired():
    found = pair(one(1, since=5.0), one(2, since=1.0), now=6.0)
    assert (found.game, found.players, found.rated) == ("duel", (2, 1), None)


@pytest.mark.parametrize(
    "other",
    [one(2, "four"), one(2, days=2), one(2, rated=False)],
    ids=["game", "pace", "rated"],
)
def test_two_different_requests_are_not_paired(other):
    assert pair(one(1, rated=True), other) is None


def test_preference_about_rating_wins_over_none():
    assert pair(one(1, rated=True), one(2)).rated is True
    assert pair(one(1), one(2, rated=False)).rated is False


def test_block_between_two_of_three_keeps_them_apart():
    seekers = [one(n, "four", since=float(n)) for n in (1, 2, 3, 4)]
    found = pair(*seekers, blocks={frozenset((2, 3))}, now=5.0)
    assert found.players == (1, 2, 4)
    assert pair(*seekers[:3], blocks={frozenset((2, 3))}, now=5.0) is None


def test_distant_ratings_are_paired_only_after_waiting():
    strong, weak = one(1, duel=30_000), one(2, duel=20_000)
    assert pair(strong, weak, now=1.0) is None
    assert pair(strong, weak, now=36.0).players == (1, 2)
    assert pair(strong, one(2), now=1.0).players == (1, 2), "one has no rating"


def test_request_for_any_game_joins_the_one_with_most_players():
    me = one(1, "duel", "four")
    found = pair(me, one(2, "duel"), one(3, "four"), one(4, "four"), now=1.0)
    assert (found.game, found.players) == ("four", (1, 3, 4))


def test_bots_take_the_seats_of_players_who_agreed():
    me = one(1, "five", bots_at=40.0)
    assert pair(one(1, "five"), now=50.0) is None
    alone = pair(me, now=40.0)
    assert (alone.players, alone.bots, alone.rated) == ((1,), 4, False)


def test_bots_wait_a_moment_for_the_others_to_agree():
    me, two, three = one(1, "five", bots_at=40.0), one(2, "five"), one(3, "five", bots_at=41.0)
    assert pair(me, two, three, now=41.0) is None
    later = pair(me, two, three, now=40.0 + BOTS_WAIT)
    assert (set(later.players), later.bots) == ({1, 3}, 3)


@pytest.mark.parametrize(
    ("possible", "people", "seats"),
    [((2, 3, 4, 5), 1, 4), ((2,), 1, 2), ((5,), 4, 5), ((2,), 2, 0)],
)
def test_table_with_bots_has_about_four_seats(possible, people, seats):
    assert seats_with_bots(possible, people) == seats
