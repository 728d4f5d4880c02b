"""Cards from the deck, reshuffling, and the lists of a board."""

from kaboom.engine.moves import Seat
from kaboom.engine.play import Play
from kaboom.engine.rng import next_on_list
from kaboom.engine.toolkit.cards import Card
from kaboom.games.karata.ending import end_game
from kaboom.games.karata.state import State


def take(play: Play[State], seat: Seat, count: int, kind: str = "") -> bool:
    """Draw cards for a seat, announced as `kind`; return False if they run out, ending the game.

    The pile, except its top card, is shuffled into the deck only if the deck has too few cards.
    """
    s = play.state
    if count > len(s.deck):
        if count > len(s.deck) + len(s.pile) - 1:
            play.tell("exhausted", count=count)
            end_game(play)
            return False
        s.deck += s.pile[:-1]
        if play.board:
            lay_in_order(s)
        else:
            s.deck = play.shuffled(s.deck)
        s.pile = s.pile[-1:]
        play.tell("reshuffled")
    cards = next_cards(play, seat, count)
    s.hands[seat] += cards
    if kind:
        play.tell(kind, seat=seat, count=count)
    if cards:
        play.whisper(seat, "drew_cards", cards=cards)
    return True


def lay_in_order(s: State) -> None:
    """Begin a new deck on a board. Its order does not matter, because each seat draws from a new
    list of its own.
    """
    s.deck.sort()
    s.decks += 1


def next_cards(play: Play[State], seat: Seat, count: int) -> list[Card]:
    """Take this many cards from the deck; on a board, the next ones on the seat's own list."""
    s = play.state
    if not play.board:
        return [s.deck.pop() for _ in range(count)]
    listed = play.lot(f"list {seat}", s.decks).shuffled(s.house.pack) if count else []
    cards = []
    for _ in range(count):
        cards.append(next_on_list(listed, s.deck))
        s.deck.remove(cards[-1])
    return cards
