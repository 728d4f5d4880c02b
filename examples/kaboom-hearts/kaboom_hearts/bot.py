"""A bot for Hearts: it passes what is dangerous, ducks while it can, and throws points away."""

from msgspec import Struct

from kaboom.core.bot import Bot, Level, Thought, sure
from kaboom.core.cards import Card
from kaboom.core.chance import Chance
from kaboom.core.moves import Move, Seat
from kaboom.core.play import Event
from kaboom.core.views import Prompt, View
from kaboom_hearts.rules import PASSED, QUEEN, RANKING, points


class Memory(Struct):
    """It remembers nothing: what lies there says enough."""


def notice(memory: Memory, event: Event, seat: Seat) -> None:
    """Nothing needs to be remembered."""


def choose(view: View, prompt: Prompt) -> Move | None:
    """Return the bot's move, None where it is asked nothing."""
    if offer := prompt.offer("pass"):
        worst = sorted(offer.playable, key=danger)[-PASSED:]
        return Move(prompt.seat, "pass", tuple(worst))
    if offer := prompt.offer("play"):
        return Move(prompt.seat, "play", (best(view, list(offer.playable)),))
    return Move(prompt.seat, "ready") if prompt.offer("ready") else None


def best(view: View, cards: list[Card]) -> Card:
    """Return the card to play: low to a lead, just below the highest, or else what hurts most."""
    led = view.saying.facts["led"]
    if led is None:
        return min(cards, key=danger)
    if cards[0][1] != led[1]:
        return max(cards, key=danger)
    table = [zone.cards[0] for zone in view.zones_named("played") if zone.cards]
    top = max(RANKING.powers[card] for card in table if card[1] == led[1])
    below = [card for card in cards if RANKING.powers[card] < top]
    if below:
        return max(below, key=lambda card: (points([card]), RANKING.powers[card]))
    last = len(table) == len(view.zones_named("played")) - 1
    safe = [card for card in cards if card != QUEEN] or cards
    return (max if last else min)(safe, key=lambda card: RANKING.powers[card])


def danger(card: Card) -> int:
    """Return how much one would like to be rid of a card."""
    if card == QUEEN:
        return 100
    high = 30 if card in ("KS", "AS") else 5 if card[1] == "H" else 0
    return RANKING.powers[card] + high


def weigh(
    memory: Memory, view: View, prompt: Prompt, chance: Chance, level: Level
) -> list[Thought]:
    """Return what the bot would do."""
    return sure(choose(view, prompt))


BOT = Bot(Memory, notice, weigh)
