"""What is still to be won in GOPS, for two careful players: a small net for each number of cards.

The nets were fitted to the game solved exactly (`bench/gops` makes them anew). They see of the
hands only which cards beat which, the prizes, and the pot a tie carried on. One more thing is built
in: what a position is worth to one player it costs the other.

Sums of many floats depend on their order, and libraries choose that by the machine. So whatever is
multiplied and added up here has few binary places (`few_places`): products and sums are exact then,
in any order, and a bot bids the same everywhere.

This file and `three` bring numpy: they are imported only once a bot has to think.
"""

from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]
Indices = NDArray[np.intp]

FILE = Path(__file__).with_name("values.npz")
FINE = float(1 << 14)  # steps from 0 to 1; a product has 28 binary places, and 25 are left before
BLOCK = 48  # rows
NEIGHBOURS = range(-3, 4)  # how far apart in rank two cards are compared


def few_places(numbers: Numbers) -> Numbers:
    """Return numbers rounded to so few binary places that sums of their products are exact."""
    rounded: Numbers = np.rint(numbers * FINE) / FINE
    return rounded


@cache
def nets() -> dict[str, Numbers]:
    """Return all weights by name: "<cards> straight", "<cards> first" and so on."""
    with np.load(FILE) as stored:
        return {name: few_places(stored[name].astype(np.float64)) for name in stored.files}


def after(
    mine: tuple[int, ...], theirs: tuple[int, ...], prizes: tuple[int, ...], stake: int
) -> list[list[float]]:
    """Return what each pair of bids is worth to me: a row for each card of mine, by value.

    `prizes` are still face down; `stake` is what lies on offer. Worth is in points of the
    difference at the end of the game, on average.
    """
    own, other = np.array(mine), np.array(theirs)
    sign = np.sign(own[:, None] - other[None, :]).astype(np.float64)
    worth = sign * stake
    if prizes:
        carried = np.where(sign == 0, float(stake), 0.0).ravel()
        beats = left_over(sign).reshape(-1, len(prizes), len(prizes))
        worth += still_to_be_won(beats, np.array(prizes, np.float64), carried).reshape(sign.shape)
    rows: list[list[float]] = worth.tolist()
    return rows


def left_over(sign: Numbers) -> Numbers:
    """Return for each pair of bids which cards of mine (row) then beat which of theirs (column)."""
    keep = others(len(sign))
    return sign[keep[:, None, :, None], keep[None, :, None, :]]


@cache
def others(count: int) -> Indices:
    """Return for each place all other places."""
    return np.array([[o for o in range(count) if o != one] for one in range(count)], np.intp)


def still_to_be_won(beats: Numbers, prizes: Numbers, carried: Numbers) -> Numbers:
    """Return the worth of positions before a prize is turned up.

    `beats` says by position, card of mine and card of theirs, in ascending order, whether mine is
    higher (1), equal (0) or lower (-1); `carried` is the pot by position.
    """
    if len(prizes) == 1:
        worth: Numbers = beats[:, 0, 0] * (prizes[0] + carried)
        return worth
    swapped = -beats.transpose(0, 2, 1)
    both = one_sided(np.concatenate([beats, swapped]), prizes, np.concatenate([carried, carried]))
    mine, theirs = both[: len(beats)], both[len(beats) :]
    difference: Numbers = (mine - theirs) / 2
    return difference


def one_sided(beats: Numbers, prizes: Numbers, carried: Numbers) -> Numbers:
    """Return what the net of this number of cards says."""
    count, net = len(prizes), nets()
    straight, every = features(beats, prizes, carried)
    hidden = every
    for layer in ("first", "second"):
        summed = product(hidden, net[f"{count} {layer}"]) + net[f"{count} {layer} offset"]
        hidden = few_places(np.maximum(summed, 0))
    bent = hidden @ net[f"{count} last"] + net[f"{count} last offset"]
    line = net[f"{count} straight"]
    said: Numbers = straight @ line[:-1] + line[-1] + bent[:, 0]
    return said


def product(rows: Numbers, weights: Numbers) -> Numbers:
    """Return the matrix product, in blocks too small for numpy to share among threads.

    Threads would save nothing here, and on a busy machine wait for each other.
    """
    blocks = [rows[first : first + BLOCK] @ weights for first in range(0, len(rows), BLOCK)]
    result: Numbers = np.concatenate(blocks)
    return result


def features(beats: Numbers, prizes: Numbers, carried: Numbers) -> tuple[Numbers, Numbers]:
    """Return what the straight part of a net sees, and what its layers see.

    `prizes` are the same for all positions, or a row for each.
    """
    prizes = np.atleast_2d(prizes)
    count = prizes.shape[1]
    near = beats[:, np.arange(count)[None, :], neighbours(count)]
    # How each card does against all others, and all of them together.
    mine, theirs = few_places(beats.sum(2) / count), few_places(-beats.sum(1) / count)
    ahead = beats.sum((1, 2)) / count / count
    by_distance = np.stack([(near * prizes[:, None, :]).sum(2) / 10, near.sum(2)], 2)
    products = [
        (mine * prizes).sum(1) / 10,
        -(theirs * prizes).sum(1) / 10,
        carried / 10 * mine[:, -1],
        carried / 10 * ahead,
        carried / 10 * np.sign(ahead),
    ]
    straight = few_places(
        np.concatenate([by_distance.reshape(len(beats), -1), np.stack(products, 1)], 1)
    )
    pot = np.stack([carried / 20, np.sqrt(carried) / 5], 1)
    all_prizes = np.broadcast_to(prizes / 13, mine.shape)
    return straight, few_places(np.concatenate([mine, theirs, all_prizes, pot, straight], 1))


@cache
def neighbours(count: int) -> Indices:
    """Return by distance in rank which place of theirs each place of mine is held against."""
    places = np.arange(count)
    return np.array([np.clip(places + distance, 0, count - 1) for distance in NEIGHBOURS], np.intp)
