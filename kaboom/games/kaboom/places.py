"""The places of cards: grids, stock and discard pile, and which players may act on them."""

from kaboom.engine.moves import Seat
from kaboom.engine.play import Play
from kaboom.engine.rng import next_on_list
from kaboom.engine.toolkit.cards import Card, pack
from kaboom.games.kaboom.state import PLACES, WHERE, Ability, Discard, Place, State

FIRST_DISCARD = "discard"  # on a board: the list that the first card of the pile comes from


def card_at(s: State, place: Place) -> Card:
    """Return the card at a place."""
    owner, slot = WHERE[place]
    card = s.grids[owner][slot]
    assert card is not None, f"no card at {place}"
    return card


def put(s: State, place: Place, card: Card | None, mark: str) -> None:
    """Put a card at a place, or empty it; viewers who were being shown that place see the back
    again.

    Places are emptied only here, so that a player who had selected one for an ability must select
    again.
    """
    owner, slot = WHERE[place]
    s.grids[owner][slot] = card
    s.marks[place] = mark
    for shown in s.seen:
        shown.pop(place, None)
    turn = s.steps[0]
    if card is None and isinstance(turn, Ability) and place in turn.picks:
        turn.picks.remove(place)


def cards_of(s: State, seat: Seat) -> list[Place]:
    """Return the places of a seat that hold a card."""
    return [place for place, card in zip(PLACES[seat], s.grids[seat], strict=False) if card]


def open_cards(s: State) -> list[Place]:
    """Return all places with a card that may be used, so not those of a locked declarer."""
    locked = s.declared_by if s.options.lock_declarer else None
    return [
        place
        for seat, (names, grid) in enumerate(zip(PLACES, s.grids, strict=False))
        if seat != locked
        for place, card in zip(names, grid, strict=False)
        if card
    ]


def flippers(s: State) -> list[Seat]:
    """Return the seats that may flip onto the top discard: all that are present or, after a flip,
    only the same player.
    """
    if not s.discards:
        return []
    by = s.discards[-1].flipped_by
    seats = range(len(s.grids)) if by is None else (by,)
    return [seat for seat in seats if seat not in s.absent]


def put_on_pile(s: State, card: Card, flipped_by: Seat | None = None) -> None:
    """Put a card face up on the discard pile."""
    s.discarded += 1
    s.discards.append(Discard(card, s.discarded, flipped_by))


def can_draw(s: State) -> bool:
    """Return True if a card can be drawn, after a reshuffle if needed."""
    return bool(s.stock) or len(s.discards) > 1


def next_card(play: Play[State], seat: Seat) -> Card:
    """Return the next card of the stock for a seat; if it is empty, all discards but the top
    become a new stock.
    """
    s = play.state
    if not s.stock:
        *older, top = s.discards
        s.stock = [discard.card for discard in older]
        if play.board:
            lay_in_order(s)
        else:
            s.stock = play.shuffled(s.stock)
        s.discards = [top]
        play.tell("reshuffled", count=len(s.stock))
    return from_stock(play, seat)


def lay_in_order(s: State) -> None:
    """Begin a new stock on a board. Its order does not matter, because each seat draws from a new
    list of its own.
    """
    s.stock.sort()
    s.stocks += 1


def from_stock(play: Play[State], drawer: Seat | str) -> Card:
    """Take the next card from the stock; on a board, the next one on the seat's own list."""
    s = play.state
    if not play.board:
        return s.stock.pop()
    listed = play.lot(f"list {drawer}", s.stocks).shuffled(pack(s.options.jokers))
    card = next_on_list(listed, s.stock)
    s.stock.remove(card)
    return card
