"""King of the Hill: five seats, two packs, a called partner and a rank for each player.

Here are the setup, getting ready, the dead hand, the call, and what happens when time runs out or
somebody leaves. Dealing and declaring (declaring.py), tricks (tricks.py) and scoring (scoring.py)
have files of their own. The headings in the comments are those of rules.md.
"""

from collections.abc import Callable, Iterator

from kaboom.core.cards import SUITS, Card, pack
from kaboom.core.moves import CLOCK, Pick, Seat, one_of
from kaboom.core.play import Listener, Play
from kaboom.games.koth.cards import TRUMP, hand_order
from kaboom.games.koth.declaring import (
    be_passing,
    begin_round,
    choose_trump,
    choosing_trump,
    dealing,
    last_calling,
)
from kaboom.games.koth.options import STAGE_TIMES, Options
from kaboom.games.koth.scoring import FIX_ROUNDS, fix_rounds
from kaboom.games.koth.state import DEAD_HAND, SEATS, Stage, State, enter, sort_hand
from kaboom.games.koth.tricks import playing, put_down, seat_plays

# ---------------------------------------------------------------------------------------------
# Setting up, and what may happen when


def setup(play: Play[State], seats: int, options: Options) -> None:
    """Seat everybody at rank 2; a random seat is dealt to first."""
    last_round = options.rounds if options.end == "rounds" else None
    first = play.chance.below(seats)
    play.state = State(options, None, first, last_round=last_round)
    play.tell("seated", seat=first)


def offers(s: State) -> Iterator[Listener]:
    """Yield what the rules offer now."""
    if s.stage in STAGES:
        yield Listener(CLOCK, "fix_rounds", fix_rounds, FIX_ROUNDS)
        yield from STAGES[s.stage](s)
        yield from lapses(s)


# ---------------------------------------------------------------------------------------------
# Getting ready


def readying(s: State) -> Iterator[Listener]:
    """Yield the wait for all five."""
    for seat in range(SEATS):
        if seat not in s.ready:
            yield Listener(seat, "ready", ready, about=str(s.decision))


def ready(play: Play[State]) -> None:
    """Say that you are ready."""
    be_ready(play, play.seat)


def be_ready(play: Play[State], seat: Seat) -> None:
    """Count a seat as ready; with the fifth the game goes on."""
    s = play.state
    s.ready.append(seat)
    play.tell("ready", seat=seat)
    if len(s.ready) == SEATS:
        if s.stage == "ready_round":
            begin_round(play)
        else:
            enter(s, "trick")


# ---------------------------------------------------------------------------------------------
# The dead hand


def burying(s: State) -> Iterator[Listener]:
    """Yield the king's burying, and a draft of it that would be kept if time ran out."""
    hand = tuple(s.hands[s.king])
    about = str(s.decision)
    yield Listener(s.king, "bury", bury, Pick(hand, DEAD_HAND, DEAD_HAND), about)
    yield Listener(s.king, "draft", draft, Pick(hand, 0, DEAD_HAND), about, blocks=False)


def draft(play: Play[State], *cards: Card) -> None:
    """Put cards aside, seen only by the king; a new draft replaces the last."""
    play.state.draft = list(cards)
    play.state.drafts += 1
    play.whisper(play.seat, "drafted", cards=cards)


def bury(play: Play[State], *cards: Card) -> None:
    """Lay down the dead hand."""
    s = play.state
    for card in cards:
        s.hands[s.king].remove(card)
    s.dead_hand = sorted(cards, key=hand_order(s.trump_rank, s.trump_suit).__getitem__)
    s.draft = []
    play.tell("buried", seat=s.king)
    play.whisper(s.king, "dead_hand_laid", cards=s.dead_hand)
    enter(s, "call")


# ---------------------------------------------------------------------------------------------
# Calling a card


def calling(s: State) -> Iterator[Listener]:
    """Yield the king's call: any card, even his own or a buried one."""
    cards = pack()
    if s.options.call_rule == "no_trump":
        cards = [card for card in cards if s.ranking.suits[card] != TRUMP]
    yield Listener(s.king, "call", call, one_of(cards), about=str(s.decision))
    yield Listener(s.king, "no_call", no_call, about=str(s.decision))


def call(play: Play[State], card: Card) -> None:
    """Call a card: whoever else plays it first becomes the king's teammate."""
    s = play.state
    s.called = card
    play.tell("called", seat=s.king, card=card)
    enter(s, "ready_trick")


def no_call(play: Play[State]) -> None:
    """Call nothing: the king plays alone."""
    s = play.state
    play.tell("no_call", seat=s.king)
    enter(s, "ready_trick")


# ---------------------------------------------------------------------------------------------
# The stages of a round

STAGES: dict[Stage, Callable[[State], Iterator[Listener]]] = {
    "ready_round": readying,
    "deal": dealing,
    "last_call": last_calling,
    "choose_trump": choosing_trump,
    "dead_hand": burying,
    "call": calling,
    "ready_trick": readying,
    "trick": playing,
}


# ---------------------------------------------------------------------------------------------
# Time and absent players


def deciding(s: State) -> list[Seat]:
    """Return the seats that owe the current decision."""
    if s.stage in ("ready_round", "last_call", "ready_trick"):
        return [seat for seat in range(SEATS) if seat not in s.ready]
    if s.stage in ("choose_trump", "dead_hand", "call"):
        return [s.king]
    return [s.turn] if s.stage == "trick" else []


def stage_seconds(s: State) -> float:
    """Return how many seconds the current decision may take; 0 is for ever."""
    return s.options.times()[STAGE_TIMES.get(s.stage, "ready_seconds")]


def lapses(s: State) -> Iterator[Listener]:
    """Yield the end of the time for a decision, and what is decided at once for absent seats.

    Moves: "-1 lapse 17" is the time of decision 17 running out, "-1 lapse 17.2" decides for seat 2
    alone.
    """
    seats = deciding(s)
    seconds = stage_seconds(s)
    if seconds and not set(seats) <= set(s.absent):
        pick = one_of((str(s.decision),))
        yield Listener(CLOCK, "lapse", lapse, pick, after=seconds, decision=True)
    for seat in seats:
        if seat in s.absent:
            yield Listener(CLOCK, "lapse", lapse, one_of((f"{s.decision}.{seat}",)), after=0)


def lapse(play: Play[State], which: str) -> None:
    """Decide for the seats that did not, as the stage prescribes."""
    s = play.state
    decide = DEFAULTS[s.stage]
    _, _, absent = which.partition(".")
    seats = [int(absent)] if absent else deciding(s)
    if not absent and s.stage not in ("ready_round", "last_call", "ready_trick"):
        play.tell("time_up", seat=seats[0])
    for seat in seats:
        decide(play, seat)


def trump_by_lot(play: Play[State], seat: Seat) -> None:
    """Make a random suit trump."""
    choose_trump(play, play.chance.one_of(SUITS))


def bury_by_lot(play: Play[State], seat: Seat) -> None:
    """Bury the draft and fill it up with random cards of the hand."""
    s = play.state
    rest = list(s.hands[seat])
    for card in s.draft:
        rest.remove(card)
    bury(play, *s.draft, *play.chance.sample(rest, DEAD_HAND - len(s.draft)))


def call_nothing(play: Play[State], seat: Seat) -> None:
    """Leave the king alone."""
    no_call(play)


def play_by_lot(play: Play[State], seat: Seat) -> None:
    """Play a random legal card or pair; lead a random single card."""
    s = play.state
    if s.trick:
        put_down(play, seat, play.chance.one_of(seat_plays(s, seat)))
    else:
        put_down(play, seat, (play.chance.one_of(s.hands[seat]),))


DEFAULTS: dict[Stage, Callable[[Play[State], Seat], None]] = {
    "ready_round": be_ready,
    "last_call": be_passing,
    "choose_trump": trump_by_lot,
    "dead_hand": bury_by_lot,
    "call": call_nothing,
    "ready_trick": be_ready,
    "trick": play_by_lot,
}


def left(play: Play[State], seat: Seat) -> None:
    """Five are needed, so the match goes on until the last has left."""
    s = play.state
    s.absent.sort()
    if len(s.absent) == SEATS:
        enter(s, "abandoned")
        play.tell("abandoned")


# ---------------------------------------------------------------------------------------------
# What a viewer cannot know


def resample(play: Play[State], viewer: Seat | None) -> None:
    """Redraw all that the viewer cannot know: other hands, the stock, somebody else's dead hand.

    Cards shown in a declaration stay in the hand that showed them: everybody knows they are there.
    """
    s = play.state
    shown: list[list[Card]] = [[] for _ in s.hands]
    for made in s.declarations:
        card = s.trump_rank + made.suit
        held = min(made.cards, s.hands[made.seat].count(card))
        shown[made.seat] += [card] * (held - shown[made.seat].count(card))
    redrawn = [hand for seat, hand in enumerate(s.hands) if seat != viewer]
    kept = [cards for seat, cards in enumerate(shown) if seat != viewer]
    redrawn.append(s.stock)
    kept.append([])
    if viewer != s.koth and dead_hand_is_secret(s):
        redrawn.append(s.dead_hand)
        kept.append([])
    hidden = []
    for cards, known in zip(redrawn, kept, strict=True):
        rest = list(cards)
        for card in known:
            rest.remove(card)
        hidden += rest
    hidden = play.shuffled(hidden)
    for cards, known in zip(redrawn, kept, strict=True):
        count = len(cards) - len(known)
        cards[:] = known + hidden[:count]
        del hidden[:count]
    for seat in range(SEATS):
        sort_hand(s, seat)
    if viewer != s.koth and s.draft:
        s.draft = play.chance.sample(s.hands[s.king], len(s.draft))


def dead_hand_is_secret(s: State) -> bool:
    """Say whether only the king may see the dead hand: from the burying to the score."""
    return s.stage in ("call", "ready_trick", "trick")
