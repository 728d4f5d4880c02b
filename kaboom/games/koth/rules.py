"""King of the Hill: five seats, two packs, a called partner and a rank for each player.

This module has the setup, getting ready, the dead hand, the call, time limits and leaving. Dealing
and declaring (declaring.py), tricks (tricks.py) and scoring (scoring.py) are separate.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence

from kaboom.engine.decisions import Decision
from kaboom.engine.moves import CLOCK, Pick, Seat, one_of
from kaboom.engine.play import Listener, Play
from kaboom.engine.premoves import Premove
from kaboom.engine.rng import Rng
from kaboom.engine.toolkit.cards import SUITS, Card, pack
from kaboom.engine.toolkit.readiness import be_ready, readying
from kaboom.engine.toolkit.resample import Unknown, redeal
from kaboom.games.koth.cards import TRUMP, hand_order
from kaboom.games.koth.declaring import (
    be_passing,
    begin_round,
    choose_trump,
    choosing_trump,
    close_declaring,
    dealing,
    last_calling,
)
from kaboom.games.koth.memory import Memory
from kaboom.games.koth.options import STAGE_TIMES, Options
from kaboom.games.koth.scoring import FIX_ROUNDS, fix_rounds
from kaboom.games.koth.state import DEAD_HAND, SEATS, Stage, State, enter, sort_hand, unready
from kaboom.games.koth.tricks import playing, put_down, seat_plays
from kaboom.games.koth.worlds import deck_of, imagined

# Setup and offers


def setup(play: Play[State], seats: int, options: Options) -> None:
    """Start every player at rank 2; a random seat is dealt to first."""
    last_round = options.rounds if options.end == "rounds" else None
    first = play.lot("first", 1).randrange(seats)
    play.state = State(options, None, first, last_round=last_round)
    play.tell("seated", seat=first)


def offers(s: State) -> Iterator[Listener]:
    """Yield the offers of this stage, and always the host's offer to end the match."""
    if s.stage in STAGES:
        yield Listener(CLOCK, "fix_rounds", fix_rounds, FIX_ROUNDS)
        yield from STAGES[s.stage](s)


# Getting ready


def getting_ready(s: State) -> Iterator[Listener]:
    """Yield an offer to get ready for each player who is not ready."""
    return readying(unready(s), about=str(s.decision))


def begin_tricks(play: Play[State]) -> None:
    """Begin the tricks of the round."""
    enter(play.state, "trick")


# The dead hand


def burying(s: State) -> Iterator[Listener]:
    """Yield the king's offer to bury, and a draft that is used if time runs out."""
    hand = tuple(s.hands[s.king])
    about = str(s.decision)
    yield Listener(s.king, "bury", bury, Pick(hand, DEAD_HAND, DEAD_HAND), about)
    yield Listener(s.king, "draft", draft, Pick(hand, 0, DEAD_HAND), about, blocks=False)


def draft(play: Play[State], *cards: Card) -> None:
    """Store a draft of the dead hand, visible only to the king; it replaces the previous one."""
    play.state.draft = list(cards)
    play.state.drafts += 1
    play.whisper(play.seat, "drafted", cards=cards)


def bury(play: Play[State], *cards: Card) -> None:
    """Bury the dead hand."""
    s = play.state
    for card in cards:
        s.hands[s.king].remove(card)
    s.dead_hand = sorted(cards, key=hand_order(s.trump_rank, s.trump_suit).__getitem__)
    s.draft, s.taken_up = [], []
    play.tell("buried", seat=s.king)
    play.whisper(s.king, "dead_hand_laid", cards=s.dead_hand)
    enter(s, "call")


# Calling a card


def calling(s: State) -> Iterator[Listener]:
    """Yield the king's call: any card, even one in the king's own hand or a buried one."""
    cards = pack()
    if s.options.call_rule == "no_trump":
        cards = [card for card in cards if s.ranking.suits[card] != TRUMP]
    yield Listener(s.king, "call", call, one_of(cards), about=str(s.decision))
    yield Listener(s.king, "no_call", no_call, about=str(s.decision), confirm=True)


def call(play: Play[State], card: Card) -> None:
    """Call a card; the first other player to play it becomes the king's teammate."""
    s = play.state
    s.called = card
    play.tell("called", seat=s.king, card=card)
    enter(s, "ready_trick")


def no_call(play: Play[State]) -> None:
    """Call no card: the king plays alone."""
    s = play.state
    play.tell("no_call", seat=s.king)
    enter(s, "ready_trick")


# The stages of a round

STAGES: dict[Stage, Callable[[State], Iterator[Listener]]] = {
    "ready_round": getting_ready,
    "deal": dealing,
    "last_call": last_calling,
    "choose_trump": choosing_trump,
    "dead_hand": burying,
    "call": calling,
    "ready_trick": getting_ready,
    "trick": playing,
}


# Premoves


def has_played(s: State, seat: Seat) -> bool:
    """Return True if a seat has played to the trick."""
    return (seat - s.leader) % SEATS < len(s.trick)


def ahead(s: State, seat: Seat) -> Iterator[Premove]:
    """Yield a seat's possible premoves: a card for the current lead, or a pass.

    A planned card depends on the lead and the known sides, so it is dropped when a player joins a
    side. A planned pass holds for the declarations so far, or for the whole round.
    """
    match s.stage:
        case "trick" if s.trick and len(s.trick[0]) == 1 and not has_played(s, seat):
            about = f"{s.round}.{len(s.hands[seat])}.{s.trick[0][0]}.{s.defenders}"
            yield Premove(
                verb="play", about=about, pick=one_of([c for (c,) in seat_plays(s, seat)])
            )
        case "deal" | "last_call":
            yield Premove(verb="pass", about=f"{s.round}.{len(s.declarations)}")
            yield Premove(verb="pass", about=str(s.round), until=True)


# Time and absent players

Default = Callable[[Play[State], Seat], None]


def decisions(s: State) -> Iterator[Decision[State]]:
    """Yield the decision of this stage. It includes absent seats, for which the clock decides."""
    name, seconds = str(s.decision), stage_seconds(s)
    if s.stage in OF_ALL:
        default, then = OF_ALL[s.stage]
        yield Decision(name=name, seats=unready(s), seconds=seconds, default=default, then=then)
    elif s.stage in OF_ONE:
        seats, default = [s.turn if s.stage == "trick" else s.king], OF_ONE[s.stage]
        yield Decision(name=name, seats=seats, seconds=seconds, default=default, late="time_up")


def stage_seconds(s: State) -> float:
    """Return the time limit of the current decision in seconds; 0 is no limit."""
    return s.options.times()[STAGE_TIMES.get(s.stage, "ready_seconds")]


def lapse(play: Play[State], seat: Seat) -> Rng:
    """Return the random stream for the default decision of a late or absent seat."""
    return play.lot(f"lapse {seat}", play.state.decision)


def trump_by_lot(play: Play[State], seat: Seat) -> None:
    """Choose a random suit as trump."""
    choose_trump(play, lapse(play, seat).one_of(SUITS))


def bury_by_lot(play: Play[State], seat: Seat) -> None:
    """Bury the draft, completed with random cards from the hand."""
    s = play.state
    rest = list(s.hands[seat])
    for card in s.draft:
        rest.remove(card)
    bury(play, *s.draft, *lapse(play, seat).sample(rest, DEAD_HAND - len(s.draft)))


def call_nothing(play: Play[State], seat: Seat) -> None:
    """Call no card for the king."""
    no_call(play)


def play_by_lot(play: Play[State], seat: Seat) -> None:
    """Play a random legal card or pair; lead a random single card."""
    s = play.state
    if s.trick:
        put_down(play, seat, lapse(play, seat).one_of(seat_plays(s, seat)))
    else:
        put_down(play, seat, (lapse(play, seat).one_of(s.hands[seat]),))


# The default of a player in a stage that waits for all five, and the next step.
OF_ALL: dict[Stage, tuple[Default, Callable[[Play[State]], None]]] = {
    "ready_round": (be_ready, begin_round),
    "last_call": (be_passing, close_declaring),
    "ready_trick": (be_ready, begin_tricks),
}
# The default decision in the stages that wait for one player.
OF_ONE: dict[Stage, Default] = {
    "choose_trump": trump_by_lot,
    "dead_hand": bury_by_lot,
    "call": call_nothing,
    "trick": play_by_lot,
}


def left(play: Play[State], seat: Seat) -> None:
    """Handle a player leaving: five seats are needed, so the match continues until the last
    player has left.
    """
    s = play.state
    s.absent.sort()  # kept in the order of the seats
    if len(s.absent) == SEATS:
        enter(s, "abandoned")
        play.tell("abandoned")


# Hidden information


def resample(play: Play[State], viewer: Seat | None) -> None:
    """Redraw all that the viewer cannot know: other hands, the stock, another player's dead hand.

    Cards shown in a declaration stay in the hand that showed them: every player knows they are
    there.
    """
    s = play.state
    shown = shown_in_hands(s)
    others = [seat for seat in range(SEATS) if seat != viewer]
    unknown = [Unknown(s.stock), *(Unknown(s.hands[seat], stay=shown[seat]) for seat in others)]
    if viewer != s.koth and dead_hand_is_secret(s):
        unknown.append(Unknown(s.dead_hand))
    redeal(play.rng, unknown)
    for seat in range(SEATS):
        sort_hand(s, seat)
    if viewer != s.koth:
        s.taken_up = []
    if viewer != s.koth and s.draft:
        s.draft = play.rng.sample(s.hands[s.king], len(s.draft))


def shown_in_hands(s: State) -> list[list[Card]]:
    """Return the cards, by seat, that every player knows to be in its hand, because they were
    declared.
    """
    shown: list[list[Card]] = [[] for _ in s.hands]
    for made in s.declarations:
        card = s.trump_rank + made.suit
        held = min(made.cards, s.hands[made.seat].count(card))
        shown[made.seat] += [card] * (held - shown[made.seat].count(card))
    return shown


def deal_again(play: Play[State], seat: Seat, memory: Memory) -> None:
    """Redraw all that a seat cannot know, without giving a hand a suit it has shown to be out of.

    A king who is choosing what to bury begins again.
    """
    s = play.state
    if seat != s.koth:
        s.draft, s.taken_up = [], []
    # 1. The cards to deal and the free places: declared cards stay in their hands. Once cards have
    # been buried and played, only the memory knows which of them are still held.
    shown: Mapping[Seat, Sequence[Card]] = memory.shown
    if s.stage in BEFORE_BURYING:
        shown = dict(enumerate(shown_in_hands(s)))
    others = [other for other in range(SEATS) if other != seat]
    lying = {SEATS: s.stock}
    if seat != s.koth and dead_hand_is_secret(s):
        lying[SEATS + 1] = s.dead_hand
    piles = {other: s.hands[other] for other in others} | lying
    unseen = Counter(sorted(card for pile in piles.values() for card in pile))
    held = {other: shown.get(other, ()) for other in others}
    # 2. Deal them as a bot does when it imagines a deal.
    deck = deck_of(s.trump_rank, memory.trump_suit)
    room = {place: len(pile) for place, pile in piles.items()}
    void = {other: memory.void[other] for other in others}
    dealt = imagined(deck, play.shuffled, unseen, room, void, held)
    for place, pile in piles.items():
        pile[:] = [deck.cards[number] for number in dealt[place]]
    for other in others:
        sort_hand(s, other)


BEFORE_BURYING = ("ready_round", "deal", "last_call", "choose_trump", "dead_hand")


def dead_hand_is_secret(s: State) -> bool:
    """Return True if only the king may see the dead hand: from burying to scoring."""
    return s.stage in ("call", "ready_trick", "trick")
