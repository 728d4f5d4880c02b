"""A bot for Oh Hell: it bids the tricks its hand is worth, takes as many, and ducks the rest."""

from collections.abc import Sequence
from math import fsum

from kaboom.engine.bots.bot import Level, Thought, forgetful, sure
from kaboom.engine.float_powers import raised
from kaboom.engine.moves import Move
from kaboom.engine.rng import Rng
from kaboom.engine.toolkit.cards import Card
from kaboom.engine.toolkit.tricks import plain_ranking, strength
from kaboom.engine.views import Prompt, View


def weigh(view: View, prompt: Prompt, rng: Rng, level: Level) -> list[Thought]:
    """Return the bot's thoughts."""
    if offer := prompt.offer("bid"):
        expected = fsum(worth(view, card) for card in view.zone("hand", prompt.seat).cards)
        bid = min(offer.playable, key=lambda number: abs(int(number) - expected))
        return sure(Move(prompt.seat, "bid", (bid,)))
    if offer := prompt.offer("play"):
        return sure(Move(prompt.seat, "play", (best(view, offer.playable),)))
    return sure(Move(prompt.seat, "ready"))


def worth(view: View, card: Card) -> float:
    """Return the chance (0 to 1) that a card takes a trick, beating what the others may hold."""
    rank, trump = plain_ranking().powers[card], view.zone("trump").cards[0][1]
    beaten = (rank + 13) / 25 if card[1] == trump else 0.85 * rank / 12
    return raised(beaten, len(view.facts["won"]) - 1)


def best(view: View, cards: Sequence[Card]) -> Card:
    """Return the card to play: a winner while tricks are needed, else the highest that loses."""
    ranking, led = plain_ranking(view.zone("trump").cards[0][1]), view.saying.facts["led"]
    power, needed = ranking.powers.__getitem__, view.saying.facts["won"] < view.saying.facts["bid"]
    if led is None:
        return (max if needed else min)(cards, key=power)
    table = [zone.cards[0] for zone in view.zones_named("played") if zone.cards]
    top = max(strength(ranking, led, card) for card in table)
    winning = [card for card in cards if strength(ranking, led, card) > top]
    losing = [card for card in cards if card not in winning]
    if losing and not (needed and winning):
        return (min if needed else max)(losing, key=power)
    last = len(table) + 1 == len(view.zones_named("played"))
    return (min if needed == last else max)(winning, key=power)


BOT = forgetful(weigh)
