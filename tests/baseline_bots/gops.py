"""Simple GOPS players, adversaries that know the bot, and a population of rivals."""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from math import fsum
from random import Random

from kaboom.engine.bots.bot import Bot, Level, Thought, sure
from kaboom.engine.float_powers import raised
from kaboom.engine.moves import Move, Seat
from kaboom.engine.rng import Rng
from kaboom.engine.views import Prompt, View
from kaboom.games.gops.bot import Memory, Seen, drawn, notice, plan
from kaboom.games.gops.careful import careful
from kaboom.games.gops.ends import against, worth_of
from kaboom.games.gops.habits import Bidding, biddings, values, without
from kaboom.games.gops.rules import ROUNDS, VALUE
from tests.baseline_bots import any_option
from tests.baseline_bots.population import Idea


def bidding(value: Callable[[View, Seat, Rng], float]) -> Bot[Memory]:
    """Return a player who bids the card nearest to a value; the higher one in a tie."""

    def weigh(memory: Memory, view: View, prompt: Prompt, rng: Rng, level: Level) -> list[Thought]:
        offer = prompt.offer("bid")
        if offer is None:
            return sure(Move(prompt.seat, "ready"))
        aim = value(view, prompt.seat, rng)
        card = min(offer.options, key=lambda card: (abs(VALUE[card] - aim), -VALUE[card]))
        return sure(Move(prompt.seat, "bid", (card,)))

    return Bot(Memory, notice, weigh)


def the_prize(view: View, me: Seat, rng: Rng) -> float:
    return VALUE[view.zone("offer").cards[-1]]


def one_more(view: View, me: Seat, rng: Rng) -> float:
    """Bid one more than the prize, and the ace for the king."""
    return the_prize(view, me, rng) % ROUNDS + 1


def the_stake(view: View, me: Seat, rng: Rng) -> float:
    """Bid the lowest card that is at least the sum of the prizes, otherwise the highest."""
    stake = view.facts["offer_points"]
    hand = values(view.zone("hand", me).cards)
    return next((value for value in hand if value >= stake), hand[-1])


def about_the_rank(view: View, me: Seat, rng: Rng) -> float:
    """Bid a card whose rank among the cards left is about that of the prize among the prizes."""
    hand = values(view.zone("hand", me).cards)
    prize = the_prize(view, me, rng)
    rank = sum(value < prize for value in values(view.facts["to_come"])) + rng.randrange(3) - 1
    return hand[max(0, min(len(hand) - 1, rank))]


# Adversaries know how a hard bot bids and what it will infer from their play.

LOOKED_INTO = 4  # bids of each player, and coming prizes, that are searched for later rounds
EXACT = 3  # cards in hand from which every ending is searched


def hopes(past: tuple[Seen, ...], now: Bidding, steps: int) -> list[float]:
    """Return what each bid is worth to the adversary, where `now.mine` is the bot's hand.

    The search covers a limited number of rounds and assumes careful play afterwards.
    """
    how = plan(past, now)
    table = now.mirrored().worths()
    found = against(how.mix, [list(column) for column in zip(*table, strict=True)])
    whole = len(now.mine) <= EXACT
    if (steps == 1 and not whole) or not now.prizes:
        return found
    most = len(found) if whole else LOOKED_INTO
    tried = sorted(range(len(found)), key=lambda place: -found[place])[:most]
    for place in tried:
        found[place] += fsum(
            share * led(past, now, own, now.theirs[place], steps - 1)
            for own, share in zip(now.mine, how.mix, strict=True)
            if share
        )
    return [it if place in tried else it - 100 for place, it in enumerate(found)]


@lru_cache(maxsize=1 << 12)
def led(past: tuple[Seen, ...], now: Bidding, own: int, bid: int, steps: int) -> float:
    """Return the adversary's gain in later rounds after these bids, compared with careful play."""
    pot = now.stake if own == bid else 0
    prizes: Sequence[int] = now.prizes
    if len(now.mine) > EXACT:  # spread over the prizes
        prizes = prizes[:: max(1, len(prizes) // LOOKED_INTO)]
    gains = []
    for prize in prizes:
        after = Bidding(
            without(now.mine, own),
            without(now.theirs, bid),
            without(now.prizes, prize),
            prize,
            prize + pot,
        )
        later = (*past, (now, bid))
        gains.append(max(hopes(later, after, max(1, steps))) + plan(later, after).value)
    return fsum(gains) / len(gains)


def answering(steps: int) -> Callable[[View, Seat, Rng], float]:
    """Return a player who makes the best bid against a hard bot, looking this many rounds ahead."""

    def the_answer(view: View, me: Seat, rng: Rng) -> float:
        *past, now = (it.mirrored() for it in biddings(view, me))
        bids = [VALUE[played["bids"][me]] for played in view.facts["history"]]
        worths = hopes(tuple(zip(past, bids, strict=True)), now, steps)
        return now.theirs[worths.index(max(worths))]

    return the_answer


def gain(steps: int, number: int) -> float:
    """Return the points that such an adversary wins from a hard bot in a game, without luck.

    Luck is what the turn of a prize and the draw of a bid change in the value of the position for
    careful players. Its mean is zero, so it can be left out; a game then varies by half a point
    instead of fifteen.
    """
    mine = theirs = prizes = tuple(range(1, ROUNDS + 1))
    past: tuple[Seen, ...] = ()
    pot, gained, seed = 0, 0.0, number.to_bytes(32, "big")
    for turn, prize in enumerate(Rng(seed, 0, "prizes").shuffled(prizes)):
        turned = {it: Bidding(mine, theirs, without(prizes, it), it, it + pot) for it in prizes}
        worths = {it: careful_worth(bidding) for it, bidding in turned.items()}
        gained += worths[prize] - fsum(worths.values()) / len(worths)
        now, prizes = turned[prize], without(prizes, prize)
        how, found = plan(past, now), hopes(past, now, steps)
        place = found.index(max(found))
        own, bid = drawn(how.mix, Rng(seed, turn, "bot")), theirs[place]
        gained += now.worths()[own][place] - how.brings[place]
        past, card = (*past, (now, bid)), mine[own]
        gained -= now.stake * ((card > bid) - (card < bid))
        pot = now.stake if card == bid else 0
        mine, theirs = without(mine, card), without(theirs, bid)
    return gained


@lru_cache(maxsize=1 << 12)
def careful_worth(now: Bidding) -> float:
    """Return the value of a round to the holder of `mine` if both play carefully."""
    table = now.worths()
    return worth_of(careful(table)[0], table)


# The population


def by_lot(draw: Random) -> Bot[Memory]:
    """Bid any card. Some look at two and bid the higher for a high prize, otherwise the lower."""
    seen = draw.choice((1, 1, 2))

    def bid(view: View, me: Seat, rng: Rng) -> float:
        hand = values(view.zone("hand", me).cards)
        some = rng.sample(hand, min(seen, len(hand)))
        high = the_prize(view, me, rng) > ROUNDS // 2
        return float(max(some) if high else min(some))

    return bidding(bid)


def by_prize(draw: Random) -> Bot[Memory]:
    """Bid near the value of the prize, plus part of a pot and some noise. Some give up the smallest
    prizes.
    """
    offset, weight = draw.choice((-2, -1, 0, 0, 1, 2)), draw.choice((0.8, 1, 1, 1.2))
    noise, pot, least = draw.choice((0, 1, 2)), draw.choice((0, 0.3, 1)), draw.choice((0, 0, 3, 5))

    def bid(view: View, me: Seat, rng: Rng) -> float:
        prize = the_prize(view, me, rng)
        if prize <= least:
            return 1.0
        more = pot * (view.facts["offer_points"] - prize)
        aim: float = offset + weight * prize + more + rng.randrange(2 * noise + 1) - noise
        return aim

    return bidding(bid)


def by_rank(draw: Random) -> Bot[Memory]:
    """Bid a card whose rank matches the prize's, with a bias at both ends."""
    offset, noise = draw.choice((-1, 0, 0, 1)), draw.choice((0, 1, 2))
    bold, pot = draw.choice((1, 1, 2)), draw.choice((0, 1, 2))

    def bid(view: View, me: Seat, rng: Rng) -> float:
        hand = values(view.zone("hand", me).cards)
        to_come = values(view.facts["to_come"])
        rank = sum(value < the_prize(view, me, rng) for value in to_come)
        share = raised(rank / max(1, len(to_come)), bold)
        more = pot * (len(view.zone("offer").cards) > 1)
        place = round(share * (len(hand) - 1)) + offset + more
        place += rng.randrange(2 * noise + 1) - noise
        return hand[max(0, min(len(hand) - 1, place))]

    return bidding(bid)


def by_memory(draw: Random) -> Bot[Memory]:
    """Expect the rival's bids to repeat, and beat them where that pays."""
    span, worth = draw.choice((1, 2, 3, 13)), draw.choice((3, 5, 7))
    noise, more = draw.choice((0, 1)), draw.choice((1, 1, 2))

    def bid(view: View, me: Seat, rng: Rng) -> float:
        history, hand = view.facts["history"][-span:], values(view.zone("hand", me).cards)
        over = [VALUE[it["bids"][1 - me]] - VALUE[it["prizes"][-1]] for it in history]
        guess = the_prize(view, me, rng) + (round(sum(over) / len(over)) if over else 0)
        if view.facts["offer_points"] < worth or guess + more > hand[-1]:
            return hand[min(len(hand) - 1, rng.randrange(noise + 1))]
        return guess + more + rng.randrange(noise + 1)

    return bidding(bid)


def by_table(draw: Random) -> Bot[Memory]:
    """Play carefully, using its own rough table of the remaining cards and prizes."""
    price, power = draw.choice((0.5, 0.8, 1, 1.2)), draw.choice((1, 1, 2))
    loose = draw.choice((0, 0.1, 0.3))

    def bid(view: View, me: Seat, rng: Rng) -> float:
        hand, theirs = (values(view.zone("hand", seat).cards) for seat in (me, 1 - me))
        if len(hand) == 1 or rng.randrange(100) < 100 * loose:
            return rng.choice(hand)
        stake = view.facts["offer_points"]

        def worth(card: int) -> float:
            return price * ROUNDS * raised(card / ROUNDS, power)

        table = [
            [stake * ((own > it) - (own < it)) - worth(own) + worth(it) for it in theirs]
            for own in hand
        ]
        return hand[drawn(careful(table)[0], rng)]

    return bidding(bid)


IDEAS: Mapping[str, Idea] = {
    "random": by_lot,
    "prize": by_prize,
    "rank": by_rank,
    "memory": by_memory,
    "table": by_table,
}

ANYTHING = Bot(Memory, notice, any_option)
MATCH_THE_PRIZE = bidding(the_prize)
PRIZE_PLUS_ONE = bidding(one_more)
MATCH_THE_STAKE = bidding(the_stake)
ABOUT_THE_RANK = bidding(about_the_rank)
ADVERSARY = bidding(answering(1))
ADVERSARY_OF_TWO_STEPS = bidding(answering(2))
