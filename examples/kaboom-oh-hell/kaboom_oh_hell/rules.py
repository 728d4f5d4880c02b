"""Oh Hell for three to seven players, as on the rules page."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Literal

from msgspec import Struct

from kaboom.engine.decisions import Decision, by_lot
from kaboom.engine.i18n import gettext as _
from kaboom.engine.moves import Choices, IllegalMove, Seat, one_number, one_of
from kaboom.engine.options import number, switch, time_limit
from kaboom.engine.play import Listener, Play
from kaboom.engine.toolkit.cards import Card, pack
from kaboom.engine.toolkit.readiness import readying, still_to_be_ready
from kaboom.engine.toolkit.resample import Unknown, redeal
from kaboom.engine.toolkit.simultaneous import made
from kaboom.engine.toolkit.tricks import may_follow, plain_ranking, player_at, sorted_hand, winner
from kaboom.engine.views import Outcome, outcome_of

in_order = partial(sorted_hand, plain_ranking())


@dataclass(frozen=True)
class Options:
    """The options of a table of Oh Hell."""

    cards: int = number(7, 1, 10, "Most cards", "Fewer if the pack does not go round.", "cards")
    hook: bool = switch(True, "Screw the dealer", "The bids may not add up to the tricks.")
    turn_seconds: int = time_limit("Time for a turn", "Then chance bids or plays.")


class State(Struct):
    """A match between moves. Lists are indexed by seat unless noted."""

    options: Options
    scores: list[int]  # the points of the finished deals
    stage: Literal["bid", "play", "ready", "over"] = "bid"
    deal: int = 0
    stock: list[Card] = []  # undealt cards; the suit of the first one is trumps
    hands: list[list[Card]] = []
    bids: list[int | None] = []
    leader: Seat = 0  # the first bidder, then the leader of the trick
    trick: list[Card] = []  # in order of play; a complete trick stays until the next lead
    gone: list[Card] = []  # the cards of earlier tricks
    won: list[int] = []  # tricks taken in this deal
    ready: list[Seat] = []
    absent: list[Seat] = []


def deals(s: State) -> int:
    """Return the number of deals, and of cards in the first; one card is left for trumps."""
    return min(s.options.cards, 51 // len(s.scores))


def setup(play: Play[State], seats: int, options: Options) -> None:
    """Begin a match with its first deal."""
    play.state = State(options, scores=[0] * seats)
    deal(play)


def deal(play: Play[State]) -> None:
    """Begin the next deal: give all players equally many cards, and turn one up for trumps."""
    s, seats = play.state, len(play.state.scores)
    s.deal, s.stage, s.ready = s.deal + 1, "bid", []
    s.leader = (s.deal - 1) % seats  # the player on the dealer's left
    s.bids, s.trick, s.gone, s.won = [None] * seats, [], [], [0] * seats
    cards, each = play.shuffled(pack(jokers=False)), deals(s) - s.deal + 1
    s.stock = cards[seats * each :]
    s.hands = [in_order(cards[seat : seats * each : seats]) for seat in range(seats)]
    play.tell("deal_started", deal=s.deal, cards=each, trump=s.stock[0])


def turn(s: State) -> Seat:
    """Return the seat whose turn it is to bid or to play a card."""
    place = len(made(s.bids)) if s.stage == "bid" else len(s.trick)
    if s.stage != "bid" and place == len(s.scores):
        place = winner(plain_ranking(trump=s.stock[0][1]), s.trick)
    return player_at(s.leader, place, len(s.scores))


def led(s: State) -> Card | None:
    """Return the card that must be followed; None for a lead."""
    return s.trick[0] if 0 < len(s.trick) < len(s.scores) else None


def unready(s: State) -> list[Seat]:
    """Return the seats the next deal is waiting for."""
    return still_to_be_ready(len(s.scores), s.ready, s.absent)


def offers(s: State) -> Iterator[Listener]:
    """Yield the possible moves: bidding, playing a card, or being ready for the next deal."""
    match s.stage:
        case "bid":
            count = one_number(0, len(s.hands[turn(s)]), why_not=partial(hooked, s))
            yield Listener(turn(s), "bid", bid, count, this_turn(s))
        case "play":
            card = one_of(s.hands[turn(s)], why_not=partial(revoked, s))
            yield Listener(turn(s), "play", play_card, card, this_turn(s))
        case "ready":
            yield from readying(unready(s), about=str(s.deal))


def decisions(s: State) -> Iterator[Decision[State]]:
    """Yield the awaited decisions, with the moves made for late or absent players."""
    if s.stage == "ready":
        yield Decision(seats=unready(s), then=deal)
    elif s.stage in ("bid", "play"):
        owed = partial(Decision, default=by_lot, late="late", away="away")
        yield owed(seats=[turn(s)], name=this_turn(s), seconds=s.options.turn_seconds)


def this_turn(s: State) -> str:
    """Return what identifies the current question: the deal, and the bids and cards to come."""
    return f"{s.deal}.{s.bids.count(None) + sum(map(len, s.hands))}"


def hooked(s: State, chosen: Choices) -> IllegalMove | None:
    """Return the reason why the dealer, who bids last, may not bid this number, or None."""
    bids, tricks = [bid for bid in s.bids if bid is not None], len(s.hands[0])
    if s.options.hook and len(bids) + 1 == len(s.bids) and sum(bids) + int(chosen[0]) == tricks:
        return IllegalMove(_("The bids may not add up to the tricks."), "bidding")
    return None


def bid(play: Play[State], number: str) -> None:
    """Bid a number of tricks; after the last bid, the cards are played."""
    s = play.state
    s.bids[play.seat] = int(number)
    s.stage = "bid" if None in s.bids else "play"
    play.tell("bid", seat=play.seat, tricks=int(number))


def revoked(s: State, chosen: Choices) -> IllegalMove | None:
    """Return the reason why a card may not be played now, or None."""
    if (lead := led(s)) and chosen[0] not in may_follow(plain_ranking(), s.hands[turn(s)], lead):
        return IllegalMove(_("You must follow suit."), "playing")
    return None


def play_card(play: Play[State], card: Card) -> None:
    """Play a card to the trick; the last card ends the deal."""
    s = play.state
    if led(s) is None:
        s.leader, s.gone, s.trick = play.seat, s.gone + s.trick, []
    s.hands[play.seat].remove(card)
    s.trick.append(card)
    play.tell("played", seat=play.seat, card=card)
    if len(s.trick) == len(s.scores):
        taker = turn(s)
        s.won[taker] += 1
        play.tell("trick_taken", seat=taker, won=s.won[taker], bid=s.bids[taker])
        if not any(s.hands):
            end_deal(play)


def gains(s: State) -> list[int]:
    """Return each seat's points of a finished deal: 10 and one for each trick for an exact bid."""
    return [10 + won if bid == won else 0 for bid, won in zip(s.bids, s.won, strict=True)]


def end_deal(play: Play[State]) -> None:
    """Add the points of the deal to the scores."""
    s, gained = play.state, gains(play.state)
    s.scores = [before + more for before, more in zip(s.scores, gained, strict=True)]
    s.stage = "over" if s.deal == deals(s) else "ready"
    play.tell("deal_over", gained=gained, scores=s.scores)


def outcome(s: State) -> Outcome | None:
    """Return the outcome, or None during the match. An absent seat never wins."""
    return outcome_of(s.scores, absent=s.absent) if s.stage == "over" else None


def resample(play: Play[State], viewer: Seat | None) -> None:
    """Deal the others' hands and the rest of the stock again."""
    s = play.state
    hidden = [Unknown(hand) for seat, hand in enumerate(s.hands) if seat != viewer]
    redeal(play.rng, [*hidden, Unknown(s.stock, stay=s.stock[:1])])
    s.hands = [in_order(hand) for hand in s.hands]
