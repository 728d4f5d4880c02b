"""What may be decided in Karata before one's turn."""

from collections.abc import Iterator

from kaboom.engine.moves import Choices, IllegalMove, Pick, Seat
from kaboom.engine.premoves import Ahead
from kaboom.games.karata.breaches import breach, refusal, why_not
from kaboom.games.karata.state import State


def ahead(s: State, seat: Seat) -> Iterator[Ahead]:
    """Yield what a seat may decide before it is asked: a card, to draw, never to stop anything.

    A card or a draw answers a bomb, a request or a question, or that there is none; the top card
    may be another one by then, and the card is played if it fits.
    """
    if s.stage in ("ready", "over"):
        return
    about = f"{s.game}.{s.pick > 0}.{s.request}.{s.question}"
    hand = tuple(s.hands[seat])
    if hand:
        fitting = Pick(hand, 1, 1, why_not=lambda cards: unfit(s, cards))
        yield Ahead(verb="lay", about=about, pick=fitting)
    yield Ahead(verb="draw", about=about)
    if s.options.stops != "no":
        yield Ahead(verb="let", about=str(s.game), until=True)


def unfit(s: State, cards: Choices) -> IllegalMove | None:
    """Return why the seat on turn should not play these cards, even where it could for a fine."""
    wrong = breach(s, cards)
    return refusal(wrong) if wrong else why_not(s, cards)
