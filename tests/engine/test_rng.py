"""Chance: known answers, a second implementation from docs/chance.md alone, and fairness."""

import hashlib
import hmac
import re
from collections import Counter
from pathlib import Path

import pytest

from kaboom.engine.fairness.commitment import commitment, new_seed, places_drawn
from kaboom.engine.rng import Rng
from kaboom.engine.toolkit.cards import pack

PAGE = (Path(__file__).parents[2] / "docs" / "chance.md").read_text()
ZERO = bytes(32)


def words(seed, purpose, number):
    block = 0
    while True:
        message = f"kaboom/v1|{purpose}|{number}|{block}".encode("ascii")
        digest = hmac.new(seed, message, hashlib.sha256).digest()
        for at in range(0, 32, 4):
            yield int.from_bytes(digest[at : at + 4], "big")
        block += 1


def below(stream, n):
    while True:
        word = next(stream)
        if word < 2**32 - 2**32 % n:
            return word % n


def shuffle(stream, items):
    items = list(items)
    for last in range(len(items) - 1, 0, -1):
        other = below(stream, last + 1)
        items[last], items[other] = items[other], items[last]
    return items


def known(what, start):
    row = re.search(rf"\| {re.escape(start)} \| {what} \| (.*) \|", PAGE)
    return row[1].split()


def test_rng_gives_the_documented_known_answers():
    rng = Rng(ZERO, 0)
    assert known("ten numbers below 52", "`play`, 0") == [str(rng.randrange(52)) for _ in range(10)]
    rng = Rng(ZERO, 7)
    answers = [str(rng.randrange(3_000_000_000)) for _ in range(5)]
    assert known("five numbers below 3 000 000 000", "`play`, 7") == answers
    for start, number, purpose in [("`play`, 0", 0, "play"), ("`bot 2`, 3", 3, "bot 2")]:
        shuffled = Rng(ZERO, number, purpose).shuffled(range(1, 11))
        assert known("the numbers 1 to 10 shuffled", start) == [str(n) for n in shuffled]
    for way in ("lot", "first"):
        places = places_drawn(ZERO, [""] * 5, way)
        assert known(f"the places 0 to 4 as they are drawn for `{way}`", "`seats`, 0") == [
            str(place) for place in places
        ]
    assert commitment(ZERO) in PAGE


@pytest.mark.parametrize("number", range(20))
def test_a_second_implementation_draws_the_same_seats(number):
    seed = hashlib.sha256(str(number).encode()).digest()
    places = list(range(2 + number % 5))
    nobody_cut = [""] * len(places)
    assert places_drawn(seed, nobody_cut, "lot") == shuffle(words(seed, "seats", 0), places)
    first = below(words(seed, "seats", 0), len(places))
    assert places_drawn(seed, nobody_cut, "first") == places[first:] + places[:first]
    assert places_drawn(seed, nobody_cut, "sat") == []


def test_seats_are_drawn_evenly_and_a_cut_changes_the_draw():
    for way in ("lot", "first"):
        seeds = [hashlib.sha256(str(n).encode()).digest() for n in range(3000)]
        came = Counter(places_drawn(seed, ["a", "", "b"], way)[0] for seed in seeds)
        assert all(900 < came[place] < 1100 for place in range(3)), came
    assert len({tuple(places_drawn(ZERO, [str(n), *"bcdef"], "lot")) for n in range(20)}) > 15


def test_draw_depends_on_cuts_but_not_on_their_order():
    cuts = ["a", "b", "c", "d"]
    drawn = places_drawn(ZERO, cuts, "lot")
    assert places_drawn(ZERO, [cuts[place] for place in drawn], "lot") == drawn


@pytest.mark.parametrize("number", range(50))
def test_rng_agrees_with_a_second_implementation(number):
    seed = hashlib.sha256(str(number).encode()).digest()
    deck = pack()
    assert Rng(seed, number).shuffled(deck) == shuffle(words(seed, "play", number), deck)


def test_shuffle_puts_every_card_in_every_place_equally_often():
    """Counts of card by position over 4,000 packs of 52: chi-squared is within four standard
    deviations."""
    deck, decks = pack(jokers=False), 4000
    counts = Counter()
    for number in range(decks):
        counts.update(enumerate(Rng(ZERO, number, "fair").shuffled(deck)))
    expected = decks / 52
    chi = sum((counts[(p, c)] - expected) ** 2 / expected for p in range(52) for c in deck)
    freedom = 51 * 51
    assert abs(chi - freedom) / (2 * freedom) ** 0.5 < 4


def test_each_purpose_has_its_own_stream():
    assert Rng(ZERO, 1, "play").shuffled(pack()) != Rng(ZERO, 1, "bot 0").shuffled(pack())


def test_seeds_are_new_each_time():
    assert len({new_seed() for _ in range(100)}) == 100
    assert len(new_seed()) == 32


@pytest.mark.parametrize("limit", [0, -1, 2**32 + 1])
def test_limit_below_one_is_an_error(limit):
    with pytest.raises(ValueError, match="limit"):
        Rng(ZERO, 0).randrange(limit)


def test_rng_fork_and_below_count_as_draws():
    rng = Rng(bytes(32), 1)
    assert not rng.drawn
    rng.fork("deal", 1)
    assert rng.drawn
    other = Rng(bytes(32), 1)
    other.below(6)
    assert other.drawn
