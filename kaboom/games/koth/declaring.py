"""From the deal to the dead hand: declarations of suits, and the choice of the king."""

from collections.abc import Iterator

from kaboom.engine.moves import CLOCK, Seat, one_of
from kaboom.engine.play import Listener, Play
from kaboom.engine.toolkit.cards import SUITS, Card, pack
from kaboom.games.koth.state import (
    DEAD_HAND,
    SEATS,
    Declaration,
    State,
    enter,
    make_king,
    set_trump,
    sort_hand,
    unready,
)

# The deal


def begin_round(play: Play[State]) -> None:
    """Shuffle both packs and begin to deal."""
    s = play.state
    s.stock = play.lot("deal", s.round).shuffled(pack() * 2)
    s.dead_hand = []
    s.points = [0] * SEATS
    s.last_trick = None
    play.tell("round_begins", round=s.round, rank=s.trump_rank)
    enter(s, "deal")
    if s.options.deal_interval == 0:
        while s.stage == "deal":
            deal_card(s)
        for seat, hand in enumerate(s.hands):
            play.whisper(seat, "dealt", cards=hand)
        play.tell("dealt_out")


def dealing(s: State) -> Iterator[Listener]:
    """Yield the next card of the deal, and the seats that may declare."""
    dealt = str(cards_dealt(s) + 1)
    yield Listener(CLOCK, "deal", deal, one_of((dealt,)), after=s.options.deal_interval)
    yield from declaring(s)


def cards_dealt(s: State) -> int:
    """Return the number of cards dealt in this round."""
    return sum(map(len, s.hands))


def deal(play: Play[State], number: str) -> None:
    """Deal one card. Only its owner sees it; the sizes of hands are public."""
    s = play.state
    seat, card = deal_card(s)
    play.whisper(seat, "dealt", cards=[card])
    if s.stage == "last_call":
        play.tell("dealt_out")


def deal_card(s: State) -> tuple[Seat, Card]:
    """Deal the next card; return its seat and the card. After the hundredth comes the last call."""
    seat = (s.leader + cards_dealt(s)) % SEATS
    card = s.stock.pop()
    s.hands[seat].append(card)
    sort_hand(s, seat)
    if len(s.stock) == DEAD_HAND:
        enter(s, "last_call")
    return seat, card


# Declaring


def declaring(s: State) -> Iterator[Listener]:
    """Yield the offer to declare for each seat that may; it is hidden from other players.

    `about` counts the declarations, so one made before an override was seen comes too late.
    """
    for seat in range(SEATS):
        suits = declarable(s, seat)
        if suits:
            about = f"{s.round}.{len(s.declarations)}"
            yield Listener(seat, "declare", declare, one_of(suits), about, blocks=False)


def declarable(s: State, seat: Seat) -> list[str]:
    """Return the suits the seat may declare now.

    Once a suit is declared, only a pair can override it, and a declaration must change something:
    the suit, the declarer or the number of cards.
    """
    rank, hand = s.trump_rank, s.hands[seat]
    if not s.declarations:
        return [suit for suit in SUITS if rank + suit in hand]
    if s.declarations[-1].cards == 2 and not s.options.pair_over_pair:
        return []
    pairs = [suit for suit in SUITS if hand.count(rank + suit) == 2]
    return [suit for suit in pairs if Declaration(seat, suit, 2) != s.declarations[-1]]


def declare(play: Play[State], suit: str) -> None:
    """Make a suit trump for now; in the first round, the declarer becomes king."""
    s = play.state
    shown = s.hands[play.seat].count(s.trump_rank + suit)
    s.declarations.append(Declaration(play.seat, suit, shown))
    if s.round == 1:
        make_king(s, play.seat)
    s.ready = [seat for seat in s.ready if seat in s.absent]  # all may reconsider
    set_trump(s, suit)
    play.tell("declared", seat=play.seat, cards=[s.trump_rank + suit] * shown, suit=suit)


# Last call


def last_calling(s: State) -> Iterator[Listener]:
    """Yield the last chance to declare. All five may pass, whatever they hold."""
    for seat in unready(s):
        yield Listener(seat, "pass", pass_on, about=f"{s.round}.{len(s.declarations)}")
    yield from declaring(s)


def pass_on(play: Play[State]) -> None:
    """Pass in the last call."""
    be_passing(play, play.seat)


def be_passing(play: Play[State], seat: Seat) -> None:
    """Mark a seat as passing."""
    play.state.ready.append(seat)
    play.tell("passed", seat=seat)


def close_declaring(play: Play[State]) -> None:
    """End the last call: trump is set, drawn by lot, or chosen by the king."""
    s = play.state
    if s.declarations:
        take_stock(play)
    elif s.round == 1:
        lot = play.lot("king", s.round)
        make_king(s, lot.randrange(SEATS))
        set_trump(s, lot.choice(SUITS))
        play.tell("lots_drawn", seat=s.king, suit=s.trump_suit)
        take_stock(play)
    else:
        play.tell("nobody_declared", seat=s.king)
        enter(s, "choose_trump")


def choosing_trump(s: State) -> Iterator[Listener]:
    """Yield the king's choice of a suit."""
    suits = one_of(tuple(SUITS))
    yield Listener(s.king, "trump", choose_trump, suits, about=str(s.decision), confirm=True)


def choose_trump(play: Play[State], suit: str) -> None:
    """Choose any suit as trump."""
    set_trump(play.state, suit)
    play.tell("trump_chosen", seat=play.state.king, suit=suit)
    take_stock(play)


def take_stock(play: Play[State]) -> None:
    """Give the king the eight cards that were not dealt."""
    s = play.state
    play.tell("trump_is", seat=s.king, suit=s.trump_suit, rank=s.trump_rank)
    play.whisper(s.king, "taken_up", cards=s.stock)
    s.hands[s.king] += s.stock
    sort_hand(s, s.king)
    s.taken_up, s.stock = s.stock, []
    s.leader = s.king
    enter(s, "dead_hand")
