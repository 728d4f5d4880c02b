"""The value of GOPS positions for two careful players: a small neural net for each number of cards.

The nets were fitted to exact solutions (`bench/gops` trains them). Their inputs are the prizes, the
pot carried by a tie, and which cards beat which. The zero-sum symmetry is built in.

The sum of floats depends on the order of addition, which libraries adapt to the machine. So all
numbers that are multiplied and added here have only a few binary places (`few_places`). Products
and sums are then exact in any order, and a bot bids the same on every machine.

This file and `three` import numpy, so they are only imported when a bot has to decide.
"""

from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]
Indices = NDArray[np.intp]

FILE = Path(__file__).with_name("values.npz")
# Steps from 0 to 1. Products have 28 binary places, which leaves 25 bits before the binary point.
FINE = float(1 << 14)
BLOCK = 48  # rows
NEIGHBOURS = range(-3, 4)  # differences in rank of cards that a net compares individually


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
    """Return the value of each pair of bids to the holder of `mine`, a row for each card in `mine`.

    `prizes` are still face down; `stake` is on offer. A value is the expected difference in points
    at the end of the game.
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


def of_position(
    mine: tuple[int, ...], theirs: tuple[int, ...], prizes: tuple[int, ...], pot: int
) -> float:
    """Return the value in points of a position before the next prize, to the holder of `mine`."""
    beats = np.sign(np.array(mine)[:, None] - np.array(theirs)[None, :]).astype(np.float64)
    found = still_to_be_won(beats[None], np.array(prizes, np.float64), np.array([float(pot)]))
    return float(found[0])


def left_over(sign: Numbers) -> Numbers:
    """Return, for each pair of bids, which of the row player's remaining cards beat which of the
    column player's.
    """
    keep = others(len(sign))
    return sign[keep[:, None, :, None], keep[None, :, None, :]]


@cache
def others(count: int) -> Indices:
    """Return, for each place, all other places."""
    return np.array([[o for o in range(count) if o != one] for one in range(count)], np.intp)


def still_to_be_won(beats: Numbers, prizes: Numbers, carried: Numbers) -> Numbers:
    """Return the values of positions before a prize is turned up.

    `beats` is indexed by position, row player's card and column player's card, both ascending: 1 if
    the row player's is higher, 0 if equal, -1 if lower. `carried` is the pot by position.
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
    """Return the output of the net for this number of cards."""
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

    Threads would gain nothing here, and on a busy machine they wait for each other.
    """
    blocks = [rows[first : first + BLOCK] @ weights for first in range(0, len(rows), BLOCK)]
    result: Numbers = np.concatenate(blocks)
    return result


def features(beats: Numbers, prizes: Numbers, carried: Numbers) -> tuple[Numbers, Numbers]:
    """Return the inputs of a net's linear part and of its layers.

    `prizes` are the same for all positions, or a row for each.
    """
    prizes = np.atleast_2d(prizes)
    count = prizes.shape[1]
    near = beats[:, np.arange(count)[None, :], neighbours(count)]
    # How each card compares with all others, and all of them together.
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
    """Return, for each difference in rank, the rival's place with which each of one's own is
    compared.
    """
    places = np.arange(count)
    return np.array([np.clip(places + distance, 0, count - 1) for distance in NEIGHBOURS], np.intp)
