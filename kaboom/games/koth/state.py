"""The stored state of a match of King of the Hill."""

from msgspec import Struct, field

from kaboom.engine.moves import Seat
from kaboom.engine.toolkit.cards import Card
from kaboom.engine.toolkit.readiness import still_to_be_ready
from kaboom.engine.toolkit.tricks import Ranking, player_at
from kaboom.games.koth.cards import hand_order, trump_ranking
from kaboom.games.koth.options import Options

SEATS = 5
DEAD_HAND = 8

Stage = str  # a key of STAGES (rules.py), "over" or "abandoned"


class Declaration(Struct):
    """A declaration: the seat, the suit, and the number of cards of the trump rank shown."""

    seat: Seat
    suit: str
    cards: int


class Trick(Struct):
    """A finished trick: the plays in order from the leader, the winner and the points."""

    leader: Seat
    plays: list[list[Card]]
    winner: Seat
    points: int


class Result(Struct):
    """The result of a round. `dead_hand_points` are the points the challengers got for the dead
    hand.
    """

    round: int
    koth: Seat
    teammate: Seat | None
    trump_rank: str
    trump_suit: str
    points: list[int]
    dead_hand_points: int
    score: int
    gains: list[int]


class State(Struct):
    """A match. Hands are kept sorted; a finished round's dead hand stays until the next deal."""

    options: Options
    koth: Seat | None  # king of the hill; None until the first declaration of the first round
    leader: Seat  # receives the first card, later leads to the trick
    stage: Stage = "ready_round"
    decision: int = 1  # incremented with every decision that has a time limit
    round: int = 1
    last_round: int | None = None
    ranks: list[int] = field(default_factory=lambda: [2] * SEATS)  # 14 is the ace, more is past it
    trump_rank: str = "2"
    trump_suit: str | None = None
    declarations: list[Declaration] = field(default_factory=list)
    stock: list[Card] = field(default_factory=list)  # the next card last
    hands: list[list[Card]] = field(default_factory=lambda: [[] for _ in range(SEATS)])
    ready: list[Seat] = field(default_factory=list)  # the seats that are ready or have passed
    taken_up: list[Card] = field(default_factory=list)  # from the stock, until cards are buried
    draft: list[Card] = field(default_factory=list)
    drafts: int = 0  # number of drafts, so that a page can tell them apart
    dead_hand: list[Card] = field(default_factory=list)
    called: Card | None = None  # until it is played
    defenders: list[Seat] = field(default_factory=list)
    points: list[int] = field(default_factory=lambda: [0] * SEATS)
    trick: list[list[Card]] = field(default_factory=list)
    joined: bool = False  # the called card is in the trick on the table, the last one until a lead
    last_trick: Trick | None = None
    results: list[Result] = field(default_factory=list)
    absent: list[Seat] = field(default_factory=list)
    board: bool = False

    @property
    def ranking(self) -> Ranking:
        """Return the ranking of cards under the current trump."""
        return trump_ranking(self.trump_rank, self.trump_suit)

    @property
    def turn(self) -> Seat:
        """Return the seat that plays to the trick next."""
        return player_at(self.leader, len(self.trick), SEATS)

    @property
    def between_tricks(self) -> bool:
        """Return True if the last trick is still on the table, before the next lead."""
        return self.stage == "trick" and not self.trick and self.last_trick is not None

    @property
    def king(self) -> Seat:
        """Return the king of the hill. There must be one."""
        assert self.koth is not None
        return self.koth


def enter(s: State, stage: Stage) -> None:
    """Enter a stage with a new decision."""
    s.stage = stage
    s.decision += 1
    s.ready = []


def unready(s: State) -> list[Seat]:
    """Return the seats that are not ready or, in the last call, have not passed."""
    return still_to_be_ready(SEATS, s.ready)


def make_king(s: State, seat: Seat) -> None:
    """Make a seat king of the hill and the only defender."""
    s.koth = seat
    s.defenders = [seat]


def set_trump(s: State, suit: str) -> None:
    """Set the trump suit and sort all hands again."""
    s.trump_suit = suit
    for seat in range(SEATS):
        sort_hand(s, seat)


def sort_hand(s: State, seat: Seat) -> None:
    """Sort a hand: trumps first, then suit by suit, high to low."""
    s.hands[seat].sort(key=hand_order(s.trump_rank, s.trump_suit).__getitem__)
