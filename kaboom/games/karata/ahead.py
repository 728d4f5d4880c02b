"""Premoves in Karata."""

from collections.abc import Iterator

from kaboom.engine.moves import Choices, IllegalMove, Pick, Seat
from kaboom.engine.premoves import Premove
from kaboom.games.karata.breaches import breach, refusal, why_not
from kaboom.games.karata.state import State


def ahead(s: State, seat: Seat) -> Iterator[Premove]:
    """Yield a seat's possible premoves: a card, drawing, or never stopping a play.

    A card or a draw stays planned until a bomb, a request or a question appears or disappears. The
    top card may change in the meantime; the card is played if it is then legal.
    """
    if s.stage in ("ready", "over"):
        return
    about = f"{s.game}.{s.pick > 0}.{s.request}.{s.question}"
    hand = tuple(s.hands[seat])
    if hand:
        fitting = Pick(hand, 1, 1, why_not=lambda cards: unfit(s, cards))
        yield Premove(verb="lay", about=about, pick=fitting)
    yield Premove(verb="draw", about=about)
    if s.options.stops != "no":
        yield Premove(verb="let", about=str(s.game), until=True)


def unfit(s: State, cards: Choices) -> IllegalMove | None:
    """Return the reason why these cards are not a legal play for the seat whose turn it is, even if
    they could be played for a fine; None if they are legal.
    """
    wrong = breach(s, cards)
    return refusal(wrong) if wrong else why_not(s, cards)
