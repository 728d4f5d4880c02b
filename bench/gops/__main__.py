"""Rebuilds `kaboom/games/gops/values.npz`: `python -m bench.gops`, in about half an hour.

To check in a minute that it works:

    python -m bench.gops --cards 7 --games 20000 --to /tmp/seven.npz

1. Positions are taken from games of simple players. After each round, the position to which random
   bids would have led is added, so that the nets also learn what follows a blunder.
2. `solve.c` computes what each is worth to careful players. This needs a C compiler; thirteen cards
   take 6 GB and, on two cores, twenty minutes.
3. A net is fitted for each number of cards: a linear part by least squares, and two hidden layers
   for the residue. The error of each is printed beside the spread of the values.
"""

import argparse
import subprocess
import tempfile
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from random import Random

import numpy as np

from kaboom.games.gops.rules import ROUNDS
from kaboom.games.gops.values import FILE, Numbers, features

HERE = Path(__file__).parent
POSITION = np.dtype([(name, "<u2") for name in ("mine", "theirs", "prizes", "pot")])
HIDDEN = 64
RIDGE = 1e-3
STEP = 2e-3  # initial step of the descent
BATCH = 512
ROUNDS_OF_ALL = 24  # passes over each position
KEPT_BACK = 10  # one position in this many is only used for validation
ODD = 0.25  # share of random bids


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.gops")
    parser.add_argument("--cards", type=int, default=ROUNDS)
    parser.add_argument("--games", type=int, default=200_000)
    parser.add_argument("--to", type=Path, default=FILE)
    asked = parser.parse_args()
    known = positions(asked.cards, asked.games, Random(1))
    worths = solved(asked.cards, known)
    nets: dict[str, Numbers] = {}
    for count in range(2, asked.cards):
        chosen = sizes(known) == count
        nets |= fitted(count, known[chosen], worths[chosen])
    np.savez_compressed(asked.to, **nets)
    print(f"{asked.to}: {asked.to.stat().st_size} bytes")


# 1. Positions


def positions(cards: int, games: int, rng: Random) -> np.ndarray:
    """Return distinct positions between two rounds, ordered by the number of cards."""
    found = {position for _ in range(games) for position in game(cards, rng)}
    listed = np.array(sorted(found), POSITION)
    chance_of_order = np.random.default_rng(1).permutation(len(listed))
    mixed = listed[chance_of_order]
    return mixed[np.argsort(sizes(mixed), kind="stable")]


def sizes(known: np.ndarray) -> np.ndarray:
    return np.bitwise_count(known["mine"])


def game(cards: int, rng: Random) -> Iterator[tuple[int, int, int, int]]:
    """Yield the positions in a game between two simple players, and some to which random bids would
    lead.
    """
    mine, theirs = list(range(1, cards + 1)), list(range(1, cards + 1))
    prizes = rng.sample(mine, cards)
    pot = 0
    ways = rng.choices((by_lot, the_prize, the_stake, the_rank), (1, 1, 1, 3), k=2)
    while len(mine) > 1:
        prize = prizes.pop()
        stake = pot + prize
        bids = [
            (by_lot if rng.random() < ODD else way)(hand, prize, stake, prizes, rng)
            for way, hand in zip(ways, (mine, theirs), strict=True)
        ]
        odd = [rng.choice(mine), rng.choice(theirs)]
        for one, other in (bids, odd):
            carried = stake if one == other else 0
            yield (
                bits(mine) - (1 << one - 1),
                bits(theirs) - (1 << other - 1),
                bits(prizes),
                carried,
            )
        mine.remove(bids[0])
        theirs.remove(bids[1])
        pot = stake if bids[0] == bids[1] else 0


def bits(values: list[int]) -> int:
    return sum(1 << value - 1 for value in values)


def by_lot(hand: list[int], prize: int, stake: int, prizes: list[int], rng: Random) -> int:
    return rng.choice(hand)


def the_prize(hand: list[int], prize: int, stake: int, prizes: list[int], rng: Random) -> int:
    return min(hand, key=lambda card: abs(card - prize))


def the_stake(hand: list[int], prize: int, stake: int, prizes: list[int], rng: Random) -> int:
    return next((card for card in hand if card >= stake), hand[-1])


def the_rank(hand: list[int], prize: int, stake: int, prizes: list[int], rng: Random) -> int:
    rank = sum(other < prize for other in prizes) + rng.randrange(3) - 1
    return hand[max(0, min(len(hand) - 1, rank))]


# 2. Their values


def solved(cards: int, known: np.ndarray) -> np.ndarray:
    """Return the value of each position, by solve.c."""
    with tempfile.TemporaryDirectory(prefix="kaboom-gops-") as folder:
        program = Path(folder) / "solve"
        subprocess.run(
            ["cc", "-O3", "-march=native", "-fopenmp", "-o", program, HERE / "solve.c"], check=True
        )
        done = subprocess.run(
            [program, str(cards)], input=known.tobytes(), stdout=subprocess.PIPE, check=True
        )
    return np.frombuffer(done.stdout, "<f4")


# 3. The nets


def fitted(count: int, known: np.ndarray, worths: np.ndarray) -> dict[str, Numbers]:
    """Return the weights of the net for this number of cards, and print its error."""
    straight, every = seen(known, count)
    learnt = np.arange(len(known)) % KEPT_BACK > 0
    line = ridge(straight[learnt], worths[learnt])
    rest = worths - straight @ line[:-1] - line[-1]
    layers = descended(every[learnt], rest[learnt], np.random.default_rng(count))
    said = straight @ line[:-1] + line[-1] + forward(layers, every)[-1][:, 0]
    miss = np.sqrt(np.mean((said - worths)[~learnt] ** 2))
    print(
        f"{count} cards: {len(known)} positions, worths differ by {worths.std():.2f}, "
        f"the net misses by {miss:.3f}, its straight part by {rest[~learnt].std():.3f}",
        flush=True,
    )
    names = ("first", "second", "last")
    weights: dict[str, Numbers] = {f"{count} straight": line.astype(np.float32)}
    for name, (matrix, offset) in zip(names, layers, strict=True):
        weights[f"{count} {name}"] = matrix.astype(np.float16)
        weights[f"{count} {name} offset"] = offset.astype(np.float16)
    return weights


def seen(known: np.ndarray, count: int) -> tuple[Numbers, Numbers]:
    """Return the net's inputs for positions."""
    mine, theirs, prizes = (values(known[name], count) for name in ("mine", "theirs", "prizes"))
    beats = np.sign(mine[:, :, None] - theirs[:, None, :]).astype(np.float64)
    straight, every = features(beats, prizes.astype(np.float64), known["pot"].astype(np.float64))
    return straight.astype(np.float32), every.astype(np.float32)


def values(sets: np.ndarray, count: int) -> np.ndarray:
    """Return the values of each set, ascending."""
    held = (sets[:, None] >> np.arange(ROUNDS)) & 1
    return np.nonzero(held)[1].reshape(len(sets), count) + 1


def ridge(inputs: Numbers, wanted: Numbers) -> Numbers:
    """Return weights and an offset; many inputs are correlated, so the weights are kept small."""
    wide = np.concatenate([inputs, np.ones((len(inputs), 1))], 1).astype(float)
    small = RIDGE * len(wide) * np.diag([1.0] * inputs.shape[1] + [0.0])
    line: Numbers = np.linalg.solve(wide.T @ wide + small, wide.T @ wanted)
    return line


Layers = list[tuple[Numbers, Numbers]]


def forward(layers: Layers, inputs: Numbers) -> list[Numbers]:
    """Return the inputs and the output of each layer."""
    passed = [inputs]
    for number, (matrix, offset) in enumerate(layers):
        summed = passed[-1] @ matrix + offset
        passed.append(np.maximum(summed, 0) if number < len(layers) - 1 else summed)
    return passed


def descended(inputs: Numbers, wanted: Numbers, rng: np.random.Generator) -> Layers:
    """Return a net with two hidden layers that fits the values, trained by Adam.

    Inputs are centred and scaled for training; the returned first layer takes them unscaled.
    """
    middle, spread = inputs.mean(0), inputs.std(0)
    scale = np.where(spread > 1e-5, 1 / np.maximum(spread, 1e-5), 0)
    unit = wanted.std() + 1e-9
    scaled, aims = ((inputs - middle) * scale).astype(np.float32), (wanted / unit)[:, None]
    widths = [inputs.shape[1], HIDDEN, HIDDEN, 1]
    flat = [
        part
        for before, after in pairwise(widths)
        for part in (
            rng.normal(0, np.sqrt(2 / before), (before, after)).astype(np.float32),
            np.zeros(after, np.float32),
        )
    ]
    moments = [(np.zeros_like(part), np.zeros_like(part)) for part in flat]
    batches = max(1, len(inputs) // BATCH)
    steps = ROUNDS_OF_ALL * batches
    for step in range(steps):
        if step % batches == 0:
            order = rng.permutation(len(inputs))
        chosen = order[step % batches :: batches]
        layers = list(zip(flat[::2], flat[1::2], strict=True))
        rate = STEP * (1 - step / steps)
        for number, slope in enumerate(slopes(layers, scaled[chosen], aims[chosen])):
            first, second = moments[number]
            first += 0.1 * (slope - first)
            second += 0.001 * (slope**2 - second)
            bias = 1 - 0.9 ** (step + 1), 1 - 0.999 ** (step + 1)
            flat[number] -= rate * (first / bias[0]) / (np.sqrt(second / bias[1]) + 1e-8)
    flat[1] -= (middle * scale) @ flat[0]
    flat[0] *= scale[:, None]
    flat[4] *= unit
    flat[5] *= unit
    return list(zip(flat[::2], flat[1::2], strict=True))


def slopes(layers: Layers, inputs: Numbers, aims: Numbers) -> list[Numbers]:
    """Return the gradient of the mean squared error with respect to each matrix and offset, in
    order.
    """
    passed = forward(layers, inputs)
    back = (passed[-1] - aims) / len(inputs)
    found: list[Numbers] = []
    for number in range(len(layers) - 1, -1, -1):
        found[:0] = [passed[number].T @ back, back.sum(0)]
        back = back @ layers[number][0].T * (passed[number] > 0)
    return found


if __name__ == "__main__":
    main()
