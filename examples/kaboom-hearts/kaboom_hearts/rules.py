"""Hearts for four players, as on the rules page."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Literal

from msgspec import Struct

from kaboom.engine.decisions import Decision, by_lot
from kaboom.engine.i18n import gettext as _
from kaboom.engine.moves import Choices, IllegalMove, Seat, one_of, several_of
from kaboom.engine.options import number, time_limit
from kaboom.engine.play import Listener, Play
from kaboom.engine.toolkit import tricks
from kaboom.engine.toolkit.cards import Card, pack
from kaboom.engine.toolkit.readiness import readying
from kaboom.engine.toolkit.resample import redeal_hands
from kaboom.engine.toolkit.simultaneous import missing, redraw_several
from kaboom.engine.views import Outcome, outcome_of

SEATS, EACH, PASSED, ALL_POINTS = 4, 13, 3, 26
FIRST, QUEEN = "2C", "QS"
RANKING = tricks.plain_ranking()
WAYS = {"left": 1, "right": 3, "across": 2, "none": 0}  # deal after deal; seats from giver to taker
in_order = partial(tricks.sorted_hand, RANKING)


@dataclass(frozen=True)
class Options:
    """The options of a table of Hearts."""

    limit: int = number(
        100, 10, 200, "Points that end the match", "The fewest points then win.", "points"
    )
    pass_seconds: int = time_limit("Time to pass", "Then random cards are passed.")
    play_seconds: int = time_limit("Time to play", "Then a random card is played.")


class State(tricks.TrickTaking, Struct, kw_only=True):
    """A match between moves. Lists are indexed by seat."""

    options: Options
    stage: Literal["pass", "play", "ready", "over"] = "pass"
    passed: list[list[Card] | None] = []  # still in the hand until every player has chosen
    given: list[list[Card]] = []  # what each seat has passed in this deal
    broken: bool = False

    @property
    def way(self) -> str:
        """Return the direction in which cards are passed in this deal, or "none"."""
        return list(WAYS)[(self.deal - 1) % len(WAYS)]

    @property
    def question(self) -> str:
        """Return what identifies a question: the deal, and the cards held (0 for passing)."""
        return f"{self.deal}.{sum(map(len, self.hands)) if self.stage == 'play' else 0}"

    def getter(self, giver: Seat) -> Seat:
        """Return the seat that gets the cards a seat passes."""
        return tricks.player_at(giver, WAYS[self.way], SEATS)


def points(cards: Sequence[Card]) -> int:
    """Return the points of cards: 1 for each heart, 13 for the queen of spades."""
    return sum(13 if card == QUEEN else card[1] == "H" for card in cards)


def setup(play: Play[State], seats: int, options: Options) -> None:
    """Begin a match with its first deal."""
    play.state = State(options=options, scores=[0] * seats)
    deal(play)


def deal(play: Play[State]) -> None:
    """Begin the next deal: thirteen cards to every player, then three to pass on."""
    s, cards = play.state, play.shuffled(pack(jokers=False))
    s.stage, s.broken = "pass", False
    s.dealt([in_order(cards[seat::SEATS]) for seat in range(SEATS)])
    s.passed, s.given = [None] * SEATS, [[] for _unused in s.hands]
    play.tell("deal_started", deal=s.deal, way=s.way)
    if s.way == "none":
        begin(play)


def offers(s: State) -> Iterator[Listener]:
    """Yield the possible moves: passing cards, playing one, or being ready for the next deal."""
    if s.stage == "pass":
        for seat in missing(s.passed):
            cards = several_of(s.hands[seat], PASSED)
            yield Listener(seat, "pass", pass_on, cards, f"{s.question}.{s.getter(seat)}")
    elif s.stage == "play":
        card = one_of(s.hands[s.turn], why_not=partial(refusal, s))
        yield Listener(s.turn, "play", play_card, card, s.question)
    elif s.stage == "ready":
        yield from readying(s.unready, about=str(s.deal))


def decisions(s: State) -> Iterator[Decision[State]]:
    """Yield the awaited decisions, with the moves made for late or absent players."""
    owed = partial(Decision, name=s.question, default=by_lot, late="late", away="away")
    if s.stage == "pass":
        yield owed(seats=missing(s.passed), seconds=s.options.pass_seconds, then=exchange)
    elif s.stage == "play":
        yield owed(seats=[s.turn], seconds=s.options.play_seconds)
    elif s.stage == "ready":
        yield Decision(seats=s.unready, then=deal)


def pass_on(play: Play[State], *cards: Card) -> None:
    """Put cards aside. All players learn that a seat has chosen; only the seat learns its cards."""
    play.state.passed[play.seat] = in_order(cards)
    play.tell("passed", seat=play.seat)
    play.whisper(play.seat, "passed_yours", cards=in_order(cards))


def exchange(play: Play[State]) -> None:
    """Exchange the cards once every player has chosen."""
    s = play.state
    s.given, s.passed = [cards or [] for cards in s.passed], [None] * SEATS
    kept = [set(hand).difference(*s.given) for hand in s.hands]
    for giver, cards in enumerate(s.given):
        seat = s.getter(giver)
        s.hands[seat] = in_order([*kept[seat], *cards])
        play.whisper(seat, "received", cards=cards, giver=giver)
    begin(play)


def begin(play: Play[State]) -> None:
    """Begin the tricks: the player who holds the two of clubs leads it."""
    s = play.state
    s.stage = "play"
    s.leader = next(seat for seat, hand in enumerate(s.hands) if FIRST in hand)
    play.tell("begins", seat=s.leader)


def refusal(s: State, chosen: Choices) -> IllegalMove | None:
    """Return the rule that playing a card now would break, or None."""
    (card,), hand = chosen, s.hands[s.turn]
    first_trick = sum(map(len, s.hands)) > 52 - SEATS
    if s.led and card not in tricks.may_follow(RANKING, hand, s.led):
        return IllegalMove(_("You must follow suit."), "playing")
    if first_trick and not s.led and card != FIRST:
        return IllegalMove(_("The 2 of Clubs is led first."), "the-first-trick")
    if first_trick and points([card]) and not all(points([held]) for held in hand):
        return IllegalMove(_("The first trick is free of points."), "the-first-trick")
    if not s.led and card[1] == "H" and not s.broken and any(held[1] != "H" for held in hand):
        return IllegalMove(_("Hearts are not broken yet."), "breaking-hearts")
    return None


def play_card(play: Play[State], card: Card) -> None:
    """Play a card to the trick; the fourth completes it, and the last card ends the deal."""
    s = play.state
    complete = s.lay(RANKING, card)
    play.tell("played", seat=play.seat, card=card)
    if card[1] == "H" and not s.broken:
        s.broken = True
        play.tell("broken")
    if complete:
        play.tell("trick_taken", seat=s.leader, points=points(s.played))
        if not any(s.hands):
            end_deal(play)


def cost(s: State) -> list[int]:
    """Return each seat's points of this deal; who takes them all gives them to the others."""
    taken = list(map(points, s.won()))
    return [ALL_POINTS - each for each in taken] if ALL_POINTS in taken else taken


def end_deal(play: Play[State]) -> None:
    """Add the points of the deal to the scores; a player may have shot the moon."""
    s, gained = play.state, cost(play.state)
    if sum(gained) > ALL_POINTS:
        play.tell("moon", seat=gained.index(0))
    s.scores = [before + more for before, more in zip(s.scores, gained, strict=True)]
    s.stage = "over" if max(s.scores) >= s.options.limit else "ready"
    play.tell("deal_over", gained=gained, scores=s.scores)


def outcome(s: State) -> Outcome | None:
    """Return the outcome, or None during the match: the fewest points win."""
    return outcome_of(s.scores, lowest_wins=True, absent=s.absent) if s.stage == "over" else None


def resample(play: Play[State], viewer: Seat | None) -> None:
    """Redeal the others' hands, except for the viewer's passed cards and the first leader's."""
    s = play.state
    known = [[FIRST] if s.stage == "play" else [] for _unused in s.hands]
    if viewer is not None:
        known[s.getter(viewer)] += s.given[viewer]
    redeal_hands(play.rng, s.hands, viewer, known, in_order)
    redraw_several(play, s.passed, s.hands, viewer, in_order)
