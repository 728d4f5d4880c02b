"""A bot for Hearts: it passes dangerous cards, ducks while it can, and discards points."""

from kaboom.engine.bots.bot import Level, Thought, forgetful, sure
from kaboom.engine.moves import Move
from kaboom.engine.rng import Rng
from kaboom.engine.toolkit.cards import Card
from kaboom.engine.toolkit.tricks import of_suit
from kaboom.engine.views import Prompt, View
from kaboom_hearts.rules import PASSED, QUEEN, RANKING, SEATS, points

HIGH = RANKING.powers.__getitem__


def weigh(view: View, prompt: Prompt, rng: Rng, level: Level) -> list[Thought]:
    """Return the bot's thoughts."""
    if offer := prompt.offer("pass"):
        worst = sorted(offer.playable, key=danger)[-PASSED:]
        return sure(Move(prompt.seat, "pass", tuple(worst)))
    if offer := prompt.offer("play"):
        return sure(Move(prompt.seat, "play", (best(view, list(offer.playable)),)))
    return sure(Move(prompt.seat, "ready") if prompt.offer("ready") else None)


def best(view: View, cards: list[Card]) -> Card:
    """Return the card to play: a safe lead, the highest loser, or the most dangerous discard."""
    led = view.saying.facts["led"]
    if led is None:
        return min(cards, key=danger)
    if cards[0][1] != led[1]:
        return max(cards, key=danger)
    table = [zone.cards[0] for zone in view.zones_named("played") if zone.cards]
    top = max(map(HIGH, of_suit(RANKING, table, led[1])))
    if below := [card for card in cards if HIGH(card) < top]:
        return max(below, key=lambda card: (points([card]), HIGH(card)))
    safe = [card for card in cards if card != QUEEN] or cards
    return max(safe, key=HIGH) if len(table) == SEATS - 1 else min(safe, key=HIGH)


def danger(card: Card) -> int:
    """Return a number that is higher the more useful it is to get rid of a card."""
    if card == QUEEN:
        return 100
    return HIGH(card) + (30 if card in ("KS", "AS") else 5 if card[1] == "H" else 0)


BOT = forgetful(weigh)
