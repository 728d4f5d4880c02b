"""GOPS in its shortest form: proof that a game of sealed bids takes some forty lines."""

from collections.abc import Iterator
from dataclasses import dataclass

from msgspec import Struct, field

from kaboom.core.cards import RANKS, Card, rank_of, whole_suit
from kaboom.core.game import Game, Listener, Play
from kaboom.core.moves import Seat, one_of
from kaboom.core.views import Outcome, Saying, View, Zone, places
from kaboom.core.words import Words


@dataclass(frozen=True)
class Options:
    pass


class State(Struct):
    hands: list[list[Card]]
    prizes: list[Card]  # face down, the next one last
    won: list[list[Card]]
    pot: list[Card] = field(default_factory=list)  # face up, bid for now
    bids: dict[Seat, Card] = field(default_factory=dict)  # sealed until all are in


def setup(play: Play[State], seats: int, options: Options) -> None:
    play.state = State([whole_suit("S"), whole_suit("C")], play.shuffled(whole_suit("D")), [[], []])
    turn_prize(play)


def listeners(s: State) -> Iterator[Listener]:
    for seat, hand in enumerate(s.hands):
        if hand and seat not in s.bids:
            yield Listener(seat, "bid", bid, one_of(hand), about=str(len(s.prizes)))


def bid(play: Play[State], card: Card) -> None:
    s = play.state
    s.bids[play.seat] = card
    play.tell("bid", seat=play.seat)  # all hear that, none hears what
    if len(s.bids) == len(s.hands):
        reveal(play)


def reveal(play: Play[State]) -> None:
    s = play.state
    play.tell("revealed", cards=[s.bids[0], s.bids[1]])
    first, second = (RANKS.index(rank_of(s.bids[seat])) for seat in (0, 1))
    for seat, card in s.bids.items():
        s.hands[seat].remove(card)
    if first != second:  # a tie leaves the pot on the table
        winner = 0 if first > second else 1
        s.won[winner] += s.pot
        play.tell("won", seat=winner, cards=s.pot)
        s.pot = []
    s.bids = {}
    if s.prizes:
        turn_prize(play)


def turn_prize(play: Play[State]) -> None:
    play.state.pot.append(play.state.prizes.pop())
    play.tell("turned", card=play.state.pot[-1])


def view(s: State, me: Seat | None) -> View:
    zones = [Zone.up("pot", None, s.pot), Zone.down("prizes", None, len(s.prizes))]
    for seat, hand in enumerate(s.hands):
        zones += [Zone.up("hand", seat, hand), Zone.up("won", seat, s.won[seat])]
    return View(me, tuple(zones), Saying("bidding"), {"bid": sorted(s.bids)})


def outcome(s: State) -> Outcome | None:
    if any(s.hands):
        return None
    scores = [sum(RANKS.index(rank_of(card)) + 1 for card in won) for won in s.won]
    return Outcome(tuple(scores), places(scores))


def resample(play: Play[State], viewer: Seat | None) -> None:
    s = play.state
    s.prizes = play.shuffled(s.prizes)
    for seat in s.bids:
        if seat != viewer:
            s.bids[seat] = play.chance.one_of(s.hands[seat])


SEALED_BIDS = Game(
    key="sealed-bids",
    name="Sealed bids",
    tagline="",
    version=1,
    options=Options,
    state=State,
    seats=lambda options: range(2, 3),
    setup=setup,
    listeners=listeners,
    view=view,
    outcome=outcome,
    resample=resample,
    words=Words(
        sayings={
            "bid": "{seat:name} bids.",
            "revealed": "The bids are {cards:cards}.",
            "won": "{seat:name} wins {cards:cards}.",
            "won.you": "You win {cards:cards}.",
            "turned": "{card:card} is on offer.",
            "bidding": "Both players bid.",
        },
        offers={"bid": "Bid a card"},
        choices={"bid": "card"},
    ),
)
