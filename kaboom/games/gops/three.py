"""The GOPS bot among three players: careful play of one round, adapted to the rivals' habits.

The rounds that follow are only estimated: each remaining prize is shared among the cards of the
same rank, according to how high they are. The value of a position is the probability of winning the
match. Summands are rounded to a few binary places, so that sums are identical on all machines
(`values`).
"""

from collections.abc import Sequence
from math import exp, sqrt

import numpy as np

from kaboom.engine.moves import Seat
from kaboom.engine.views import View
from kaboom.games.gops.careful import Mix
from kaboom.games.gops.habits import values
from kaboom.games.gops.rules import ROUNDS, VALUE
from kaboom.games.gops.values import Numbers, few_places, others

STEPS = 60  # iterations towards careful play; more make little difference
DOUBT = 3  # after this many rounds, a habit has half of the weight
LOGISTIC = 1.7  # scales a logistic curve to the normal distribution
NEAR = 0.01  # bids with win probabilities this close count as equal
A_GAME = sum(value * value for value in range(1, ROUNDS + 1))


def among_three(view: View, me: Seat, care: float) -> tuple[Mix, list[float]]:
    """Return the bot's bid frequencies, by ascending card, and their values.

    Values are win probabilities in percent.
    """
    hands = [values(view.zone("hand", seat).cards) for seat in range(3)]
    tables = chances(view, hands)
    mixes = careful_of_three(tables)
    guesses = [guess(view, hands[seat], mixes[seat], seat) for seat in range(3)]
    hopes = against(tables[me], guesses, me)
    best = hopes >= hopes.max() - NEAR
    mix = care * mixes[me] + (1 - care) * best / best.sum()
    return mix.tolist(), (100 * hopes).tolist()


def chances(view: View, hands: Sequence[Sequence[int]]) -> list[Numbers]:
    """Return each seat's probability of winning the match, after each combination of three bids."""
    facts = view.facts
    to_come = values(facts["to_come"])
    won = winning(hands, facts["offer_points"])
    hopes = shares_of_the_rest(hands) if to_come else [np.zeros((*won[0].shape, 0))] * 3
    prizes = np.array(to_come, float)
    no_winner = (won[0] == 0) & (won[1] == 0) & (won[2] == 0)
    carried = no_winner * facts["offer_points"] / max(1, len(to_come))
    points = [
        facts["totals"][seat] + won[seat] + hopes[seat] @ prizes + carried * hopes[seat].sum(-1)
        for seat in range(3)
    ]
    games_left = facts["games"] - facts["game"]
    spread = max(1.0, sqrt(sum(value * value for value in to_come) + games_left * A_GAME) / 2)
    leads = [
        points[seat] - np.maximum(*(points[other] for other in range(3) if other != seat))
        for seat in range(3)
    ]
    ahead = [np.clip(LOGISTIC * lead / spread, -30, 30) for lead in leads]
    return [few_places(1 / (1 + np.exp(-each))) for each in ahead]


def winning(hands: Sequence[Sequence[int]], stake: int) -> list[Numbers]:
    """Return the immediate gain of each seat; a tie for the highest leaves the prizes on offer."""
    one, two, three = np.ix_(*(np.array(hand) for hand in hands))
    won = [
        (one > two) & (one > three),
        (two > one) & (two > three),
        (three > one) & (three > two),
    ]
    return [stake * wins.astype(float) for wins in won]


def shares_of_the_rest(hands: Sequence[Sequence[int]]) -> list[Numbers]:
    """Return the expected share of each seat in each remaining prize, lowest first, after each
    combination of three bids.
    """
    keep = others(len(hands[0]))
    pulls = [np.array([exp(card) for card in hand])[keep] for hand in hands]
    own = [pulls[0][:, None, None], pulls[1][None, :, None], pulls[2][None, None, :]]
    whole = own[0] + own[1] + own[2]
    return [few_places(pull / whole) for pull in own]


def careful_of_three(tables: Sequence[Numbers]) -> list[Numbers]:
    """Return each seat's bid frequencies for careful play.

    They are computed by regret matching: in each iteration, a seat bids in proportion to its
    regrets. The result is the weighted average of these proportions.
    """
    count = len(tables[0])
    regrets = [np.zeros(count) for _ in tables]
    sums = [np.zeros(count) for _ in tables]
    for step in range(1, STEPS + 1):
        now = [
            few_places(regret / regret.sum() if regret.any() else np.full(count, 1 / count))
            for regret in regrets
        ]
        for seat, table in enumerate(tables):
            hopes = against(table, now, seat)
            usual = few_places(hopes @ now[seat])
            regrets[seat] = np.maximum(0, regrets[seat] + hopes - usual)
            sums[seat] += step * now[seat]  # later iterations have more weight
    return [total / total.sum() for total in sums]


def against(table: Numbers, mixes: Sequence[Numbers], seat: Seat) -> Numbers:
    """Return the value of each card of a seat against these bid frequencies of the other two."""
    first, second = (mixes[other] for other in range(3) if other != seat)
    return few_places(few_places(np.moveaxis(table, seat, 0) @ second) @ first)


def guess(view: View, hand: Sequence[int], mix: Numbers, seat: Seat) -> Numbers:
    """Return a rival's bid probabilities: careful play, adapted to its habit so far.

    Its habit is modelled by the differences between its bids and the prizes turned up in this game,
    all equally likely.
    """
    history = view.facts["history"]
    trust = len(history) / (len(history) + DOUBT)
    likely = (1 - trust) * mix
    prize = VALUE[view.zone("offer").cards[-1]]
    for past in history:
        aim = prize + VALUE[past["bids"][seat]] - VALUE[past["prizes"][-1]]
        likely[min(range(len(hand)), key=lambda n: abs(hand[n] - aim))] += trust / len(history)
    return few_places(likely)
