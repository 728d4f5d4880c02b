"""Plain ways to play GOPS, and one that knows the bot."""

from collections.abc import Callable

from kaboom.engine.bots.bot import Bot, Level, Thought, sure
from kaboom.engine.moves import Move, Seat
from kaboom.engine.rng import Chance
from kaboom.engine.views import Prompt, View
from kaboom.games.gops.bot import Memory, notice, planned
from kaboom.games.gops.habits import values
from kaboom.games.gops.rules import ROUNDS, VALUE
from tests.baseline_bots import any_option


def bidding(value: Callable[[View, Seat, Chance], float]) -> Bot[Memory]:
    """Return a player who bids the card nearest to a value, the higher of two."""

    def weigh(
        memory: Memory, view: View, prompt: Prompt, chance: Chance, level: Level
    ) -> list[Thought]:
        offer = prompt.offer("bid")
        if offer is None:
            return sure(Move(prompt.seat, "ready"))
        aim = value(view, prompt.seat, chance)
        card = min(offer.options, key=lambda card: (abs(VALUE[card] - aim), -VALUE[card]))
        return sure(Move(prompt.seat, "bid", (card,)))

    return Bot(Memory, notice, weigh)


def the_prize(view: View, me: Seat, chance: Chance) -> float:
    return VALUE[view.zone("offer").cards[-1]]


def one_more(view: View, me: Seat, chance: Chance) -> float:
    """One more than the prize, and the ace for the king."""
    return the_prize(view, me, chance) % ROUNDS + 1


def the_stake(view: View, me: Seat, chance: Chance) -> float:
    """The lowest card as high as all that is on offer, else the highest."""
    stake = view.facts["offer_points"]
    hand = values(view.zone("hand", me).cards)
    return next((value for value in hand if value >= stake), hand[-1])


def about_the_rank(view: View, me: Seat, chance: Chance) -> float:
    """As high among the cards left as the prize is among the prizes, give or take one."""
    hand = values(view.zone("hand", me).cards)
    prize = the_prize(view, me, chance)
    rank = sum(value < prize for value in values(view.facts["to_come"])) + chance.below(3) - 1
    return hand[max(0, min(len(hand) - 1, rank))]


def the_answer(view: View, me: Seat, chance: Chance) -> float:
    """What is worth most against a hard bot, by how often it bids each card."""
    plan = planned(view, 1 - me, Level.HARD)
    table = plan.bidding.mirrored().worths()
    worths = [sum(w * part for w, part in zip(row, plan.mix, strict=True)) for row in table]
    return plan.bidding.theirs[worths.index(max(worths))]


ANYTHING = Bot(Memory, notice, any_option)
MATCH_THE_PRIZE = bidding(the_prize)
PRIZE_PLUS_ONE = bidding(one_more)
MATCH_THE_STAKE = bidding(the_stake)
ABOUT_THE_RANK = bidding(about_the_rank)
ADVERSARY = bidding(the_answer)
