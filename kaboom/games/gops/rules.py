"""GOPS, the Game of Pure Strategy: sealed bids for a shuffled suit of prizes."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from msgspec import Struct

from kaboom.engine.decisions import Decision
from kaboom.engine.moves import Seat, one_of
from kaboom.engine.options import choice, number, switch
from kaboom.engine.play import Listener, Play
from kaboom.engine.toolkit.cards import RANKS, Card, whole_suit
from kaboom.engine.toolkit.readiness import readying, still_to_be_ready
from kaboom.engine.toolkit.resample import Unknown, redeal
from kaboom.engine.toolkit.simultaneous import missing, redraw, seal
from kaboom.engine.views import Outcome, places

# The cards

HANDS = ("S", "C", "H")  # the suit of each seat
PRIZES = "D"
ROUNDS = len(RANKS)
VALUE = {rank + suit: value for value, rank in enumerate(RANKS, 1) for suit in (*HANDS, PRIZES)}


def worth(cards: Sequence[Card]) -> int:
    """Return the sum of the cards' values: the ace is 1, the king 13."""
    return sum(VALUE[card] for card in cards)


# Options


@dataclass(frozen=True)
class Options:
    """The options of a table of GOPS."""

    players: int = number(2, 2, 3, "Players", "Two or three. The third player holds the Hearts.")
    games: int = number(
        1, 1, 9, "Games in a match", "The points of all games are added up.", "games"
    )
    bid_seconds: int = number(
        0,
        0,
        300,
        "Time to bid",
        "When time is up, a random card is bid for you. 0 means no limit.",
        "seconds",
        zero="no limit",
    )
    last_tie: str = choice(
        "nobody",
        {"nobody": "no one gets them", "split": "the tied players share the points"},
        "Prizes left after a tie in the last round",
        "What happens to prizes that are still unclaimed when the hands are empty.",
    )
    multi_tie: str = choice(
        "carry",
        {"carry": "the prizes stay on offer", "highest_unique": "the highest single bid wins"},
        "Highest bid made twice (three players)",
        "Whether a lower bid made by only one player can win when the highest bids are equal.",
    )
    show_prize_order: bool = switch(
        False,
        "Show the order of the prizes",
        "For teaching: all players see which prize comes when.",
    )

    def times(self) -> dict[str, float]:
        """Return the time limits in seconds by option; 0 is no limit."""
        return {"bid_seconds": self.bid_seconds}


# The state


class Round(Struct, frozen=True):
    """A finished round; `winner` is None if no player won its prizes."""

    prizes: list[Card]
    bids: list[Card]  # by seat
    winner: Seat | None


class State(Struct):
    """A match between moves. Lists are indexed by seat unless noted otherwise."""

    options: Options
    stage: Literal["bid", "ready", "over"] = "bid"
    hands: list[list[Card]] = []  # a pending bid stays in its hand until all are revealed
    bids: list[Card | None] = []  # by seat; sealed until the last one is in
    stack: list[Card] = []  # face down, the next prize last
    on_offer: list[Card] = []
    won: list[list[Card]] = []
    shares: list[int] = []  # points by seat from a last tie that was split
    unclaimed: list[Card] = []
    history: list[Round] = []
    past: list[list[int]] = []  # the scores of the games before this one, by seat
    ready: list[Seat] = []
    absent: list[Seat] = []
    board: bool = False


def round_number(s: State) -> int:
    """Return the number of the current round, 1 to 13."""
    return ROUNDS - len(s.stack)


def game_number(s: State) -> int:
    """Return the number of the current game, from 1."""
    return len(s.past) + 1


def unready(s: State) -> list[Seat]:
    """Return the seats the next game is waiting for."""
    return still_to_be_ready(len(s.hands), s.ready, s.absent)


# The deal


def setup(play: Play[State], seats: int, options: Options) -> None:
    """Begin a match with its first game."""
    play.state = State(options)
    deal(play, seats)


def deal(play: Play[State], seats: int) -> None:
    """Give each seat its suit, shuffle the prizes and start the first round."""
    s = play.state
    s.stage = "bid"
    s.hands = [whole_suit(suit) for suit in HANDS[:seats]]
    s.won = [[] for _ in s.hands]
    s.shares = [0] * seats
    s.stack = play.lot("deal", game_number(s)).shuffled(whole_suit(PRIZES))
    s.on_offer, s.unclaimed, s.history, s.ready = [], [], [], []
    if s.options.games > 1:
        play.tell("game_started", game=game_number(s), games=s.options.games)
    start_round(play)


# Offers


def offers(s: State) -> Iterator[Listener]:
    """Yield the current offers: a bid for each seat that has not bid yet, or getting ready."""
    match s.stage:
        case "bid":
            for seat in missing(s.bids):
                cards = one_of(s.hands[seat])
                yield Listener(seat, "bid", bid, cards, about=this_round(s), confirm=True)
        case "ready":
            yield from readying(unready(s), about=str(game_number(s)))


def decisions(s: State) -> Iterator[Decision[State]]:
    """Yield what the table waits for: the bids, or every player to be ready for the next game."""
    match s.stage:
        case "bid":
            yield Decision(
                name=this_round(s),
                seats=missing(s.bids),
                seconds=s.options.bid_seconds,
                default=bid_by_lot,
                late="lapsed",
                away="away",
                then=resolve,
            )
        case "ready":
            yield Decision(seats=unready(s), then=next_game)


def this_round(s: State) -> str:
    """Return what identifies a bid's prompt: the game and the round."""
    return f"{game_number(s)}.{round_number(s)}"


# A round


def start_round(play: Play[State]) -> None:
    """Turn up the next prize, in addition to prizes left by a tie."""
    s = play.state
    prize = s.stack.pop()
    s.on_offer.append(prize)
    s.bids = [None] * len(s.hands)
    play.tell(
        "round_started",
        round=round_number(s),
        prize=prize,
        on_offer=s.on_offer,
        points=worth(s.on_offer),
    )


# Bidding


def bid(play: Play[State], card: Card) -> None:
    """Place a bid face down. The event is public, but only the bidder's copy has the card."""
    lay_down(play, play.seat, card)


def bid_by_lot(play: Play[State], seat: Seat) -> None:
    """Bid a random card for a seat that is late or has left."""
    s = play.state
    lay_down(play, seat, play.lot(f"lapse {seat}", this_round(s)).choice(s.hands[seat]))


def lay_down(play: Play[State], seat: Seat, card: Card) -> None:
    """Store a seat's bid, which stays hidden until all have bid."""
    seal(play, play.state.bids, seat, card, told="bid_made", whispered="bid_yours")


# The end of a round


def resolve(play: Play[State]) -> None:
    """Reveal all bids, give the prizes to the winner unless it is a tie, and continue."""
    s = play.state
    bids = [card for card in s.bids if card is not None]
    play.tell("bids_revealed", bids=bids)
    for hand, card in zip(s.hands, bids, strict=True):
        hand.remove(card)
    leaders = leading(bids, s.options)
    winner = leaders[0] if len(leaders) == 1 else None
    s.history.append(Round(s.on_offer, bids, winner))
    if winner is not None:
        play.tell("prizes_won", seat=winner, cards=s.on_offer, points=worth(s.on_offer))
        s.won[winner] = s.won[winner] + s.on_offer
        s.on_offer = []
    else:
        play.tell("stays" if s.stack else "tie", on_offer=s.on_offer)
        s.on_offer = s.on_offer.copy()  # the history takes ownership of this list
    if s.stack:
        start_round(play)
    else:
        finish(play, leaders)


def leading(bids: Sequence[Card], options: Options) -> list[Seat]:
    """Return the seats with the best bid: one wins, several are tied.

    With `multi_tie` "highest_unique", the best bid is the highest that only one player made, if
    there is one.
    """
    values = [VALUE[card] for card in bids]
    top = max(values)
    if values.count(top) > 1 and options.multi_tie == "highest_unique":
        top = max((value for value in values if values.count(value) == 1), default=top)
    return [seat for seat, value in enumerate(values) if value == top]


# Scoring


def scores(s: State) -> list[int]:
    """Return the points of this game by seat."""
    return [worth(won) + share for won, share in zip(s.won, s.shares, strict=True)]


def totals(s: State) -> list[int]:
    """Return the points of the match by seat."""
    return [sum(points) for points in zip(scores(s), *s.past, strict=True)]


# The end of a game and of the match


def finish(play: Play[State], tied: Sequence[Seat]) -> None:
    """End the game after its last round; `tied` lists the leaders of that round."""
    s = play.state
    s.bids = [None] * len(s.hands)
    s.unclaimed, s.on_offer = s.on_offer, []
    if s.unclaimed:
        share = worth(s.unclaimed) // len(tied) if s.options.last_tie == "split" else 0
        for seat in tied:
            s.shares[seat] = share
        kind = "unclaimed_shared" if share else "unclaimed"
        play.tell(kind, cards=s.unclaimed, seats=tied, points=share)
    last = game_number(s) == s.options.games
    s.stage = "over" if last else "ready"
    points = scores(s)
    best = [seat for seat, score in enumerate(points) if score == max(points)]
    play.tell("game_over", scores=points, winners=best, unclaimed=s.unclaimed)
    if last:
        tell_the_end(play)


def next_game(play: Play[State]) -> None:
    """Store the scores of the finished game, and deal the next one."""
    s = play.state
    s.past.append(scores(s))
    deal(play, len(s.hands))


def tell_the_end(play: Play[State]) -> None:
    """Announce the end of the match, whose stage must be "over"."""
    end = outcome(play.state)
    assert end is not None
    play.tell("match_over", winners=end.winners, scores=end.scores, reason=end.reason)


def outcome(s: State) -> Outcome | None:
    """Return the outcome, or None while the match goes on. A seat absent at the end cannot win."""
    if s.stage != "over":
        return None
    points = totals(s)
    ranking = places(points, absent=s.absent)
    if len(s.hands) - len(s.absent) < 2:
        reason = "forfeit" if len(s.hands) == 2 else "abandoned"
    else:
        reason = "draw" if ranking.count(1) > 1 else "won"
    return Outcome(tuple(points), ranking, reason)


# Hidden information


def resample(play: Play[State], viewer: Seat | None) -> None:
    """Redraw the others' bids and the order of the prizes still to come."""
    s = play.state
    if not s.options.show_prize_order:
        redeal(play.rng, [Unknown(s.stack)])
    redraw(play, s.bids, s.hands, viewer)


def deal_again(play: Play[State], seat: Seat, memory: object) -> None:
    """Redraw the prizes to come; the others must bid again."""
    s = play.state
    resample(play, seat)
    s.bids = [bid if other == seat else None for other, bid in enumerate(s.bids)]


# Leaving


def left(play: Play[State], seat: Seat) -> None:
    """Handle a player leaving: with two players, the other wins; with three, two must remain."""
    s = play.state
    s.absent.sort()  # kept in the order of the seats
    if len(s.hands) - len(s.absent) < 2:
        s.stage = "over"
        tell_the_end(play)
