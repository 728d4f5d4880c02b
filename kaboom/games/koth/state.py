"""A match of King of the Hill as it is stored."""

from msgspec import Struct, field

from kaboom.engine.moves import Seat
from kaboom.engine.toolkit.cards import Card
from kaboom.engine.toolkit.readiness import still_to_be_ready
from kaboom.engine.toolkit.tricks import Ranking, player_at
from kaboom.games.koth.cards import hand_order, trump_ranking
from kaboom.games.koth.options import Options

SEATS = 5
DEAD_HAND = 8

Stage = str  # one of the keys of STAGES (rules.py), or "over" or "abandoned"


class Declaration(Struct):
    """Who showed cards of the trump rank, of which suit, and how many."""

    seat: Seat
    suit: str
    cards: int


class Trick(Struct):
    """A finished trick: the plays in order from the leader, and who won how many points."""

    leader: Seat
    plays: list[list[Card]]
    winner: Seat
    points: int


class Result(Struct):
    """The result of a round. `dead_hand_points` is what the challengers got for the dead hand."""

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
    koth: Seat | None  # king of the hill; nobody until the first declaration of the first round
    leader: Seat  # is dealt to first, later leads to the trick
    stage: Stage = "ready_round"
    decision: int = 1  # rises with everything a player may run out of time for
    round: int = 1
    last_round: int | None = None
    ranks: list[int] = field(default_factory=lambda: [2] * SEATS)  # 14 is the ace, 15 past it
    trump_rank: str = "2"
    trump_suit: str | None = None
    declarations: list[Declaration] = field(default_factory=list)
    stock: list[Card] = field(default_factory=list)  # the next card last
    hands: list[list[Card]] = field(default_factory=lambda: [[] for _ in range(SEATS)])
    ready: list[Seat] = field(default_factory=list)  # who is ready or, in the last call, has passed
    draft: list[Card] = field(default_factory=list)
    drafts: int = 0  # how many drafts were made, so that a page can tell one from the next
    dead_hand: list[Card] = field(default_factory=list)
    called: Card | None = None  # until somebody plays it
    defenders: list[Seat] = field(default_factory=list)
    points: list[int] = field(default_factory=lambda: [0] * SEATS)
    trick: list[list[Card]] = field(default_factory=list)
    last_trick: Trick | None = None
    results: list[Result] = field(default_factory=list)
    absent: list[Seat] = field(default_factory=list)
    board: bool = False

    @property
    def ranking(self) -> Ranking:
        """Return what beats what under the current trump."""
        return trump_ranking(self.trump_rank, self.trump_suit)

    @property
    def turn(self) -> Seat:
        """Return whose turn it is to play to the trick."""
        return player_at(self.leader, len(self.trick), SEATS)

    @property
    def between_tricks(self) -> bool:
        """Say whether the last trick still lies there: nobody has led to the next one."""
        return self.stage == "trick" and not self.trick and self.last_trick is not None

    @property
    def king(self) -> Seat:
        """Return the king of the hill, once there is one."""
        assert self.koth is not None
        return self.koth


def enter(s: State, stage: Stage) -> None:
    """Enter a stage, which asks for a new decision."""
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
