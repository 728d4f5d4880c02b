"""The state of a Karata match between two moves, and simple questions about it."""

from typing import Literal

from msgspec import Struct, field

from kaboom.engine.moves import Seat
from kaboom.engine.play import Play
from kaboom.engine.toolkit.cards import Card, is_joker
from kaboom.games.karata.house import House, house_of
from kaboom.games.karata.legal_plays import Facing, Request, reached
from kaboom.games.karata.options import Options

Stage = Literal["turn", "drawn", "request", "last_card", "stop", "ready", "over"]


class State(Struct):
    """A match between moves. Lists are indexed by seat; deck and pile have their top card last."""

    options: Options
    hands: list[list[Card]]
    deck: list[Card]
    pile: list[Card]
    seat: Seat  # whose turn it is
    last_card: list[bool]
    fined: list[int]  # cards drawn as fines in this game
    wins: list[int]
    ready: list[bool]
    absent: list[Seat] = field(default_factory=list)
    stage: Stage = "turn"
    direction: int = 1
    pick: int = 0  # cards that `seat` has to pick
    request: Request = None
    row: list[Card] = field(default_factory=list)  # the half-built play of `seat`
    level: int = 0  # what `seat` may request now
    steps: int = 1  # seats the turn moves on at its end
    decision: int = 0  # number of decisions so far
    tries: int = 0  # fined plays in this turn
    played: list[Card] = field(default_factory=list)  # the last play, even if reshuffled since
    played_by: Seat | None = None
    game: int = 0
    winner: Seat | None = None  # the winner of the last game
    abandoned: bool = False
    # Only used by some options.
    question: bool = False  # `seat` must answer the top card
    stop: Literal["", "jump", "kickback"] = ""  # the stoppable effect of the last play
    asked: Seat | None = None  # the seat that may stop it, if it is asked now
    cut_suit: str = ""  # the suit of the 7 that ends the game
    counted: list[int] = field(default_factory=list)  # points by seat, after a cut
    shared: list[Seat] = field(default_factory=list)  # winners of the last game, if several
    board: bool = False  # several tables play this deal: the deck is a sorted set
    decks: int = 0  # number of decks on a board; each has new lists for the seats

    @property
    def house(self) -> House:
        """Return the card effects at this table."""
        return house_of(self.options)


def present(s: State) -> list[Seat]:
    """Return the seats that have not left."""
    return [seat for seat in range(len(s.wins)) if seat not in s.absent]


def top(s: State) -> Card:
    """Return the top card of the pile."""
    return s.pile[-1]


def ground(s: State) -> Card:
    """Return the card to match: the top card or, under some options, the first one below any
    jokers.

    Our choice: if only jokers are left, because the rest was shuffled into the deck, it is the top
    one.
    """
    if not s.house.looks_under:
        return s.pile[-1]
    return next((card for card in reversed(s.pile) if not is_joker(card)), s.pile[-1])


def facing(s: State) -> Facing:
    """Return what a play by the seat whose turn it is must answer."""
    two = len(s.wins) - len(s.absent) == 2
    return Facing(s.pile[-1], ground(s), s.pick, s.request, s.question, two)


def seat_asked(s: State) -> Seat:
    """Return the prompted seat: the one whose turn it is, or the one that may stop its play."""
    return s.seat if s.asked is None else s.asked


def beside(s: State, seat: Seat) -> Seat:
    """Return the next seat in the direction of play."""
    return (seat + s.direction) % len(s.wins)


def neighbour(s: State, direction: int) -> Seat:
    """Return the next present seat in a direction from the seat whose turn it is."""
    return reached(s.seat, direction, 1, len(s.wins), s.absent)[-1]


def begin(play: Play[State], stage: Stage) -> None:
    """Start the next decision."""
    s = play.state
    s.stage = stage
    s.decision += 1
    s.tries = 0
    s.row = []
