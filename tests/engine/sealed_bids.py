"""GOPS in its shortest form: a complete game of sealed bids in some fifty lines.

With a rules page it satisfies the contract of every game (tests/test_contract.py).
"""

from collections.abc import Iterator
from dataclasses import dataclass

from msgspec import Struct

from kaboom.engine.decisions import Decision, by_lot
from kaboom.engine.game import Game
from kaboom.engine.moves import Seat, one_of
from kaboom.engine.options import number
from kaboom.engine.play import Listener, Play
from kaboom.engine.texts import Words
from kaboom.engine.toolkit.cards import RANKS, Card, rank_of, whole_suit
from kaboom.engine.toolkit.resample import Unknown, redeal
from kaboom.engine.toolkit.simultaneous import made, missing, redraw, seal
from kaboom.engine.views import OPEN, Outcome, Saying, View, Zone, places


@dataclass(frozen=True)
class Options:
    bid_seconds: int = number(20, 0, 300, "Time to bid", "Then a random card is bid.", "seconds")


class State(Struct):
    options: Options
    hands: list[list[Card]]
    prizes: list[Card]  # face down, the next one last
    won: list[list[Card]]
    bids: list[Card | None]  # sealed until both are in
    pot: list[Card] = []  # face up, at stake
    spent: list[Card] = []  # revealed bids
    absent: list[Seat] = []


def setup(play: Play[State], seats: int, options: Options) -> None:
    hands, prizes = [whole_suit("S"), whole_suit("C")], play.shuffled(whole_suit("D"))
    play.state = State(options, hands, prizes, won=[[], []], bids=[None, None])
    turn_prize(play)


def offers(s: State) -> Iterator[Listener]:
    for seat in missing(s.bids):
        yield Listener(seat, "bid", bid, one_of(s.hands[seat]), about=str(len(s.prizes)))


def decisions(s: State) -> Iterator[Decision[State]]:
    yield Decision(
        name=str(len(s.prizes)),
        seats=missing(s.bids),
        seconds=s.options.bid_seconds,
        default=by_lot,
        then=reveal,
    )


def bid(play: Play[State], card: Card) -> None:
    seal(play, play.state.bids, play.seat, card, told="bid", whispered="bid_yours")


def reveal(play: Play[State]) -> None:
    s = play.state
    bids = [card for card in s.bids if card is not None]
    play.tell("revealed", cards=bids)
    for hand, card in zip(s.hands, bids, strict=True):
        hand.remove(card)
    first, second = (RANKS.index(rank_of(card)) for card in bids)
    if first != second:  # a tie leaves the pot on the table
        winner = 0 if first > second else 1
        s.won[winner] += s.pot
        play.tell("won", seat=winner, cards=s.pot)
        s.pot = []
    s.bids, s.spent = [None, None], s.spent + bids
    if s.prizes:
        turn_prize(play)


def turn_prize(play: Play[State]) -> None:
    play.state.pot.append(play.state.prizes.pop())
    play.tell("turned", card=play.state.pot[-1])


def view(s: State, me: Seat | None) -> View:
    prizes = Zone.up("prizes", None, s.prizes)
    if me != OPEN:
        prizes = Zone.down("prizes", None, len(s.prizes))
    zones = [Zone.up("pot", None, s.pot), prizes, Zone.up("spent", None, s.spent)]
    for seat, hand in enumerate(s.hands):
        zones += [Zone.up("hand", seat, hand), Zone.up("won", seat, s.won[seat])]
    return View(me, tuple(zones), Saying("bidding"), {"bid": made(s.bids)})


def outcome(s: State) -> Outcome | None:
    if any(s.hands):
        return None
    scores = [sum(RANKS.index(rank_of(card)) + 1 for card in won) for won in s.won]
    return Outcome(tuple(scores), places(scores))


def resample(play: Play[State], viewer: Seat | None) -> None:
    redeal(play.rng, [Unknown(play.state.prizes)])
    redraw(play, play.state.bids, play.state.hands, viewer)


SEALED_BIDS = Game(
    key="sealed_bids",
    name="Sealed bids",
    tagline="",
    version=1,
    options=Options,
    state=State,
    seats=lambda options: range(2, 3),
    setup=setup,
    offers=offers,
    seated=lambda state: 2,
    decisions=decisions,
    view=view,
    outcome=outcome,
    resample=resample,
    landmarks={"turned": "round"},
    words=Words(
        sayings={
            "bid": "{seat:name} bids.",
            "left": "{seat:name} has left.",
            "returned": "{seat:name} is back.",
            "revealed": "The bids are {cards:cards}.",
            "won": "{seat:name} wins {cards:cards}.",
            "won.you": "You win {cards:cards}.",
            "turned": "{card:card} is on offer.",
            "bidding": "Both players bid.",
        },
        offers={"bid": "Bid a card"},
        choices={"bid": "card"},
        rules={"bid": "bidding"},
    ),
)
