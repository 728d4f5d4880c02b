"""Hearts for four players, as on the rules page."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Literal

from msgspec import Struct

from kaboom.core.cards import Card, pack
from kaboom.core.decisions import Decision, by_lot
from kaboom.core.language import say
from kaboom.core.moves import Choices, IllegalMove, Pick, Seat, one_of
from kaboom.core.options import number
from kaboom.core.play import Listener, Play
from kaboom.core.readiness import readying, still_to_be_ready
from kaboom.core.redeal import Unknown, redeal
from kaboom.core.sealed import made, missing
from kaboom.core.tricks import may_follow, plain_ranking, player_at, winner
from kaboom.core.views import Outcome, places

SEATS, PASSED, ALL_POINTS = 4, 3, 26
FIRST, QUEEN = "2C", "QS"
RANKING = plain_ranking()
WAYS = {"left": 1, "right": 3, "across": 2, "none": 0}  # deal after deal; seats from giver to taker


@dataclass(frozen=True)
class Options:
    """What a table of Hearts may choose."""

    limit: int = number(
        100, 10, 200, "Points that end the match", "Whoever has fewest then wins.", "points"
    )
    pass_seconds: int = number(
        0, 0, 300, "Time to pass", "Then random cards are passed.", "seconds", zero="no limit"
    )
    play_seconds: int = number(
        0, 0, 300, "Time to play", "Then a random card is played.", "seconds", zero="no limit"
    )

    def times(self) -> dict[str, float]:
        """Return how many seconds people have, by the option that sets it; 0 is no limit."""
        return {"pass_seconds": self.pass_seconds, "play_seconds": self.play_seconds}


class State(Struct):
    """A match between two moves. Lists are by seat where nothing else is said."""

    options: Options
    scores: list[int]  # of the deals that are over, by seat as all that follows
    stage: Literal["pass", "play", "ready", "over"] = "pass"
    deal: int = 0
    hands: list[list[Card]] = []
    passed: list[list[Card] | None] = []  # chosen, and in the hand until everybody has
    given: list[list[Card]] = []  # what each seat has passed in this deal
    leader: Seat = 0  # of the trick; of a complete one, who has won it and leads to the next
    trick: list[Card | None] = []  # a complete one lies there until the next lead
    taken: list[list[Card]] = []
    broken: bool = False
    ready: list[Seat] = []
    absent: list[Seat] = []


def points(cards: Sequence[Card]) -> int:
    """Return the points of cards: 1 for each heart, 13 for the queen of spades."""
    return sum(13 if card == QUEEN else card[1] == "H" for card in cards)


def in_order(cards: Sequence[Card]) -> list[Card]:
    """Return cards as a hand is held: clubs, diamonds, spades, hearts, each from low to high."""
    return sorted(cards, key=lambda card: ("CDSH".index(card[1]), RANKING.powers[card]))


def setup(play: Play[State], seats: int, options: Options) -> None:
    """Begin a match with its first deal."""
    play.state = State(options, scores=[0] * seats)
    deal(play)


def deal(play: Play[State]) -> None:
    """Begin the next deal: thirteen cards to everybody, then three to pass on."""
    s = play.state
    s.deal, s.stage, s.broken, s.ready = s.deal + 1, "pass", False, []
    cards = play.shuffled(pack(jokers=False))
    s.hands = [in_order(cards[seat::SEATS]) for seat in range(SEATS)]
    s.passed, s.trick = [None] * SEATS, [None] * SEATS
    s.given, s.taken = [[] for _ in s.hands], [[] for _ in s.hands]
    play.tell("deal_started", deal=s.deal, way=way(s))
    if way(s) == "none":
        begin(play)


def way(s: State) -> str:
    """Return in which direction cards are passed in this deal, or "none"."""
    return list(WAYS)[(s.deal - 1) % len(WAYS)]


def taker(s: State, giver: Seat) -> Seat:
    """Return who gets the cards that a seat passes."""
    return player_at(giver, WAYS[way(s)], SEATS)


# What may be done, and who owes it


def offers(s: State) -> Iterator[Listener]:
    """Yield what may be done now: to pass cards, to play one, or to be ready for the next deal."""
    match s.stage:
        case "pass":
            for seat in missing(s.passed):
                three = Pick(tuple(s.hands[seat]), PASSED, PASSED)
                yield Listener(seat, "pass", pass_on, three, this_turn(s), confirm=True)
        case "play":
            card = one_of(s.hands[turn(s)], why_not=partial(refusal, s))
            yield Listener(turn(s), "play", play_card, card, this_turn(s))
        case "ready":
            yield from readying(unready(s), about=str(s.deal))


def decisions(s: State) -> Iterator[Decision[State]]:
    """Yield what the table waits for, and what is decided for who is late or has left."""
    owed = partial(Decision, name=this_turn(s), default=by_lot, late="late", away="away")
    match s.stage:
        case "pass":
            seats, seconds = missing(s.passed), s.options.pass_seconds
            yield owed(seats=seats, seconds=seconds, then=exchange)
        case "play":
            yield owed(seats=[turn(s)], seconds=s.options.play_seconds)
        case "ready":
            yield Decision(seats=unready(s), then=deal)


def turn(s: State) -> Seat:
    """Return whose turn it is to play a card."""
    return player_at(s.leader, len(made(s.trick)) % SEATS, SEATS)


def this_turn(s: State) -> str:
    """Return what a move answers: the deal, and how many cards are still held; 0 is to pass."""
    return f"{s.deal}.{sum(map(len, s.hands)) if s.stage == 'play' else 0}"


def unready(s: State) -> list[Seat]:
    """Return the seats the next deal is waiting for."""
    return still_to_be_ready(SEATS, s.ready, s.absent)


# Passing


def pass_on(play: Play[State], *cards: Card) -> None:
    """Lay cards aside. All hear that a seat has chosen; only it hears what."""
    play.state.passed[play.seat] = in_order(cards)
    play.tell("passed", seat=play.seat)
    play.whisper(play.seat, "passed_yours", cards=in_order(cards))


def exchange(play: Play[State]) -> None:
    """Give all the cards on, now that everybody has chosen."""
    s = play.state
    s.given, s.passed = [cards or [] for cards in s.passed], [None] * SEATS
    for giver, cards in enumerate(s.given):
        s.hands[giver] = [card for card in s.hands[giver] if card not in cards]
    for giver, cards in enumerate(s.given):
        s.hands[taker(s, giver)] = in_order(s.hands[taker(s, giver)] + cards)
        play.whisper(taker(s, giver), "received", cards=cards, giver=giver)
    begin(play)


# Playing


def begin(play: Play[State]) -> None:
    """Begin the tricks: whoever holds the two of clubs leads it."""
    s = play.state
    s.stage = "play"
    s.leader = next(seat for seat, hand in enumerate(s.hands) if FIRST in hand)
    play.tell("begins", seat=s.leader)


def refusal(s: State, chosen: Choices) -> IllegalMove | None:
    """Return which rule it would break to play a card now, or None."""
    (card,) = chosen
    hand = s.hands[turn(s)]
    led = s.trick[s.leader] if None in s.trick else None
    first_trick = sum(map(len, s.hands)) > 52 - SEATS
    if led and card not in may_follow(RANKING, hand, led):
        return IllegalMove(say("You must follow suit."), "playing")
    if first_trick and not led and card != FIRST:
        return IllegalMove(say("The two of clubs is led first."), "the-first-trick")
    if first_trick and points([card]) and not all(points([held]) for held in hand):
        return IllegalMove(say("The first trick is free of points."), "the-first-trick")
    if not led and card[1] == "H" and not s.broken and any(held[1] != "H" for held in hand):
        return IllegalMove(say("Hearts are not broken yet."), "breaking-hearts")
    return None


def play_card(play: Play[State], card: Card) -> None:
    """Play a card to the trick; the fourth completes it, and the last of all ends the deal."""
    s = play.state
    if None not in s.trick:
        s.taken[s.leader] += cards_of(s)
        s.trick = [None] * SEATS
    s.hands[play.seat].remove(card)
    s.trick[play.seat] = card
    play.tell("played", seat=play.seat, card=card)
    if card[1] == "H" and not s.broken:
        s.broken = True
        play.tell("broken")
    if None not in s.trick:
        s.leader = player_at(s.leader, winner(RANKING, cards_of(s)), SEATS)
        play.tell("trick_taken", seat=s.leader, points=points(cards_of(s)))
        if not any(s.hands):
            end_deal(play)


def cards_of(s: State) -> list[Card]:
    """Return the cards of the trick, the leader's first."""
    return [card for card in s.trick[s.leader :] + s.trick[: s.leader] if card]


def costs(s: State) -> list[int]:
    """Return the points taken in this deal by seat; the moon comes later."""
    won = points(cards_of(s)) if None not in s.trick else 0
    return [points(cards) + won * (seat == s.leader) for seat, cards in enumerate(s.taken)]


def end_deal(play: Play[State]) -> None:
    """Add the points of the deal to the scores; somebody may have shot the moon."""
    s, cost = play.state, costs(play.state)
    if ALL_POINTS in cost:
        play.tell("moon", seat=cost.index(ALL_POINTS))
        cost = [ALL_POINTS - each for each in cost]
    s.scores = [before + more for before, more in zip(s.scores, cost, strict=True)]
    s.stage = "over" if max(s.scores) >= s.options.limit else "ready"
    play.tell("deal_over", scores=s.scores)


def outcome(s: State) -> Outcome | None:
    """Return how the match ended, or None. The fewest points win; an absent seat never does."""
    if s.stage != "over":
        return None
    ranking = places(s.scores, lowest_wins=True, absent=s.absent)
    reason = "draw" if ranking.count(1) > 1 else "won"
    return Outcome(tuple(s.scores), ranking, "abandoned" if len(s.absent) > 2 else reason)


def left(play: Play[State], seat: Seat) -> None:
    """Two must stay, or the match is over."""
    if len(play.state.absent) > 2:
        play.state.stage = "over"


def resample(play: Play[State], viewer: Seat | None) -> None:
    """Deal the others' hands anew, but for what the viewer has passed and who leads first."""
    s, hidden = play.state, []
    for seat, hand in enumerate(s.hands):
        known = [FIRST] if s.stage == "play" else []
        if viewer is not None and seat == taker(s, viewer):
            known += s.given[viewer]
        if seat != viewer:
            hidden.append(Unknown(hand, stay=[card for card in hand if card in known]))
    redeal(play.chance, hidden)
    s.hands = [in_order(hand) for hand in s.hands]
    for seat in made(s.passed):
        if seat != viewer:
            s.passed[seat] = in_order(play.chance.sample(s.hands[seat], PASSED))
