"""A match of Karata between two moves, and what is where in it."""

from typing import Literal

from msgspec import Struct, field

from kaboom.engine.moves import Seat
from kaboom.engine.play import Play
from kaboom.engine.toolkit.cards import Card, is_joker
from kaboom.games.karata.house import House, house_of
from kaboom.games.karata.options import Options
from kaboom.games.karata.plays import Facing, Request, reached

Stage = Literal["turn", "drawn", "request", "last_card", "stop", "ready", "over"]


class State(Struct):
    """A match between two moves. Lists are by seat; deck and pile have their top card last."""

    options: Options
    hands: list[list[Card]]
    deck: list[Card]
    pile: list[Card]
    seat: Seat  # on turn
    last_card: list[bool]
    fined: list[int]  # cards drawn as fines in this game
    wins: list[int]
    ready: list[bool]
    absent: list[Seat] = field(default_factory=list)
    stage: Stage = "turn"
    direction: int = 1
    pick: int = 0  # cards the seat on turn has to pick
    request: Request = None
    row: list[Card] = field(default_factory=list)  # the half-built play of the seat on turn
    level: int = 0  # what the seat on turn may ask for now
    steps: int = 1  # seats the turn moves on when it ends
    decision: int = 0  # counts the decisions asked for
    tries: int = 0  # fined plays of this turn
    played: list[Card] = field(default_factory=list)  # the last play, even if reshuffled since
    played_by: Seat | None = None
    game: int = 0
    winner: Seat | None = None  # of the last game
    abandoned: bool = False
    # What only some options need.
    question: bool = False  # the seat on turn has to answer the top card
    stop: Literal["", "jump", "kickback"] = ""  # what the last play did that may be stopped
    asked: Seat | None = None  # whether it stops that
    cut_suit: str = ""  # the suit of the 7 that ends the game
    counted: list[int] = field(default_factory=list)  # points by seat, when somebody has cut
    shared: list[Seat] = field(default_factory=list)  # winners of the last game, if several
    board: bool = False  # several tables play this deal: the deck is a sorted set
    decks: int = 0  # so many there were on a board: for each the seats have new lists

    @property
    def house(self) -> House:
        """Return what the cards do at this table."""
        return house_of(self.options)


def present(s: State) -> list[Seat]:
    """Return the seats that have not left."""
    return [seat for seat in range(len(s.wins)) if seat not in s.absent]


def top(s: State) -> Card:
    """Return the top card of the pile."""
    return s.pile[-1]


def ground(s: State) -> Card:
    """Return the card to be matched: the top card, or under jokers the first that is none.

    house: where only jokers lie, since the rest was shuffled into the deck, it is the top one.
    """
    if not s.house.looks_under:
        return s.pile[-1]
    return next((card for card in reversed(s.pile) if not is_joker(card)), s.pile[-1])


def facing(s: State) -> Facing:
    """Return what a play of the seat on turn faces."""
    two = len(s.wins) - len(s.absent) == 2
    return Facing(s.pile[-1], ground(s), s.pick, s.request, s.question, two)


def seat_asked(s: State) -> Seat:
    """Return the seat that is asked now: the one on turn, or the one that may stop its play."""
    return s.seat if s.asked is None else s.asked


def beside(s: State, seat: Seat) -> Seat:
    """Return the neighbour of a seat in the direction of play."""
    return (seat + s.direction) % len(s.wins)


def neighbour(s: State, direction: int) -> Seat:
    """Return the next present seat in a direction from the seat on turn."""
    return reached(s.seat, direction, 1, len(s.wins), s.absent)[-1]


def begin(play: Play[State], stage: Stage) -> None:
    """Ask for the next decision."""
    s = play.state
    s.stage = stage
    s.decision += 1
    s.tries = 0
    s.row = []
