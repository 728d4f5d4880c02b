"""The rules of Karata; each long part of them has a module of its own."""

from collections.abc import Callable, Iterator

from kaboom.engine.decisions import Decision
from kaboom.engine.moves import Pick, Seat, one_of
from kaboom.engine.play import Listener, Play
from kaboom.engine.rng import Rng
from kaboom.engine.toolkit.cards import SUITS, Card, suit_of
from kaboom.engine.toolkit.readiness import readying
from kaboom.engine.toolkit.resample import Unknown, redeal
from kaboom.games.karata.breaches import RowPick, why_not
from kaboom.games.karata.deck import lay_in_order, take
from kaboom.games.karata.ending import be_ready, make_ready, unready
from kaboom.games.karata.legal_plays import may_declare
from kaboom.games.karata.options import Options
from kaboom.games.karata.passing import answer, ask_last_card, pass_turn
from kaboom.games.karata.playing import lay, let, stopping
from kaboom.games.karata.state import State, begin, beside, present, seat_asked, top

# The deal


def setup(play: Play[State], seats: int, options: Options) -> None:
    """Begin a match with its first game."""
    play.state = State(
        options=options,
        hands=[],
        deck=[],
        pile=[],
        seat=0,
        last_card=[],
        fined=[],
        wins=[0] * seats,
        ready=[],
    )
    deal(play)


def deal(play: Play[State]) -> None:
    """Deal the next game: a card that may open starts the pile, and `starter` plays first."""
    s = play.state
    seats = len(s.wins)
    lot = play.lot("deal", s.game + 1)
    deck = lot.shuffled(s.house.pack)
    while deck[-1] not in s.house.openers:  # only certain cards may start the pile
        deck = lot.shuffled(deck)
    starts = starter(s, lot)
    s.pile, s.played, s.played_by = [deck.pop()], [], None
    s.hands = [[deck.pop() for _ in range(s.options.deal)] for _ in range(seats)]
    s.deck = deck
    if play.board:
        lay_in_order(s)
    s.direction, s.pick, s.request = 1, 0, None
    s.last_card, s.fined, s.ready = [False] * seats, [0] * seats, [False] * seats
    s.question, s.stop, s.asked = False, "", None
    s.cut_suit = suit_of(top(s)) if s.options.cut else ""
    s.winner, s.shared, s.counted = None, [], []
    s.seat = starts
    s.game += 1
    while s.seat in s.absent:
        s.seat = beside(s, s.seat)
    play.tell("dealt", seat=s.seat, card=top(s), game=s.game, games=s.options.games)
    for seat, hand in enumerate(s.hands):
        play.whisper(seat, "dealt_hand", cards=hand)
    begin(play, "turn")


def starter(s: State, lot: Rng) -> Seat:
    """Return the seat that begins the next game: in turn, the last winner, or by lot."""
    if s.options.starter == "random":
        return lot.choice(present(s))
    winners = s.shared if s.winner is None else [s.winner]
    if s.options.starter == "winner" and winners:
        return winners[0]  # our choice: of joint winners, the first at the table
    return s.game % len(s.wins)


# The stages of a turn


def offers(s: State) -> Iterator[Listener]:
    """Yield the current offers: a turn, then sometimes a request, then the last-card question."""
    now = str(s.decision)
    match s.stage:
        case "turn":
            yield from turn(s)
        case "drawn":
            drawn = one_of(s.hands[s.seat][-1:], lambda cards: why_not(s, cards))
            yield Listener(s.seat, "lay_drawn", lay, drawn, about=now)
            yield Listener(s.seat, "keep", keep, about=now)
        case "request":
            yield Listener(s.seat, "suit", ask, one_of(SUITS), about=now)
            if s.level > 1:
                yield Listener(s.seat, "card", ask, one_of(s.house.pack), about=now)
            yield Listener(s.seat, "no_request", ask_nothing, about=now)
        case "last_card":
            yield Listener(s.seat, "last_card", answer, one_of(("yes", "no")), about=now)
        case "stop":
            yield from stopping(s, now)
        case "ready":
            yield from readying(unready(s), now, make_ready)


# Playing or drawing


def turn(s: State) -> Iterator[Listener]:
    """Yield the moves of the seat whose turn it is: build a row card by card, play it, or draw.

    The row is a draft only its owner sees. `lay` plays a whole row in one move.
    """
    hand = s.hands[s.seat]
    now = f"{s.decision}.{s.tries}"  # a play sent twice must not be fined twice
    shown = " ".join([now, *s.row])  # the row is played as its owner saw it
    rest = [card for card in hand if card not in s.row]
    if rest:
        yield Listener(s.seat, "add", add, one_of(rest), about=now, blocks=False)
    if s.row:
        row = tuple(s.row)
        yield Listener(s.seat, "back", take_back, about=shown, blocks=False)
        whole = Pick(why_not=lambda _: why_not(s, row))
        yield Listener(s.seat, "play", play_row, whole, about=shown, blocks=False)
    if hand:
        yield Listener(s.seat, "lay", lay, RowPick.of(s), about=now)
    yield Listener(s.seat, "draw", draw, about=now)


def add(play: Play[State], card: Card) -> None:
    """Append a card to the row."""
    play.state.row.append(card)
    play.whisper(play.seat, "row", cards=play.state.row)


def take_back(play: Play[State]) -> None:
    """Take the last card of the row back into the hand."""
    play.state.row.pop()
    play.whisper(play.seat, "row", cards=play.state.row)


def play_row(play: Play[State]) -> None:
    """Play the row as built."""
    lay(play, *play.state.row)


def draw(play: Play[State]) -> None:
    """Draw instead of playing: the pending pick, or one card. The top card and any request stay."""
    s = play.state
    picked, s.pick = s.pick, 0
    if not take(play, s.seat, picked or 1, "drew"):
        return
    s.steps = 1
    if s.options.play_drawn and not picked:  # always asked: whether it fits is secret
        begin(play, "drawn")
    else:
        end_without_play(play)


def keep(play: Play[State]) -> None:
    """Keep the card that was drawn."""
    play.tell("kept", seat=play.state.seat)
    end_without_play(play)


def end_without_play(play: Play[State]) -> None:
    """End a turn without a play; a question left by the last player is dropped."""
    play.state.question = False
    ask_last_card(play)


# Requests


def ask(play: Play[State], wish: str) -> None:
    """Ask for a suit or for a card; any card of the pack may be named."""
    play.state.request = wish
    play.tell("asked", seat=play.state.seat, request=wish)
    ask_last_card(play)


def ask_nothing(play: Play[State]) -> None:
    """Request nothing beyond the open request; after an ace of full value, nothing at all."""
    play.tell("asked_nothing", seat=play.state.seat)
    ask_last_card(play)


# Time limits


def decisions(s: State) -> Iterator[Decision[State]]:
    """Yield the current decision, and its default when time is up."""
    now, seconds = str(s.decision), s.options.turn_seconds
    if s.stage == "ready":
        yield Decision(name=now, seats=unready(s), seconds=seconds, default=be_ready, then=deal)
    elif s.stage != "over":
        yield Decision(name=now, seats=[seat_asked(s)], seconds=seconds, default=DEFAULTS[s.stage])


DEFAULTS: dict[str, Callable[[Play[State], Seat], None]] = {
    "turn": lambda play, seat: draw(play),
    "drawn": lambda play, seat: keep(play),
    "request": lambda play, seat: ask_nothing(play),
    "last_card": lambda play, seat: answer(play, "no"),
    "stop": lambda play, seat: let(play),
}


# Hidden information


def resample(play: Play[State], viewer: Seat | None) -> None:
    """Redeal all cards hidden from the viewer, and another seat's row.

    If last card may be announced only with harmless cards, a seat on last card between its turns,
    or one being asked whether to announce it, is known to hold no others.
    """
    s = play.state
    hidden = s.stage == "drawn" and s.seat != viewer
    drawn = [s.hands[s.seat].pop()] if hidden else []  # nothing is known about this card
    unknown = [Unknown(s.deck), Unknown(drawn)]
    for seat, hand in enumerate(s.hands):
        if seat != viewer:
            harmless = known_harmless(s, seat) and may_declare(s.house, hand)
            fits = s.house.harmless.__contains__ if harmless else None
            unknown.append(Unknown(hand, fits=fits))
    redeal(play.rng, unknown)
    if s.board:
        s.deck.sort()
    s.hands[s.seat] += drawn
    if s.stage == "turn" and s.seat != viewer:
        hand = s.hands[s.seat]
        s.row = play.rng.sample(hand, play.rng.randrange(len(hand) + 1))


def known_harmless(s: State, seat: Seat) -> bool:
    """Return True if every player knows that the seat holds no card that forbids last card."""
    is_on = s.last_card[seat] or (s.stage == "last_card" and s.seat == seat)
    return is_on and s.house.call == "harmless"


# Leaving


def left(play: Play[State], seat: Seat) -> None:
    """Handle a player leaving: the hand stays, and the turn passes. At least two players must
    remain.
    """
    s = play.state
    if len(s.wins) - len(s.absent) < 2:
        s.abandoned = True
        play.tell("abandoned")
        begin(play, "over")
    elif s.stage == "stop":
        if seat_asked(s) == seat:  # a seat that left is not jumped, so the next one is asked
            s.asked = None
            pass_turn(play)
    elif s.stage != "ready" and s.seat == seat:
        skip(play)


def skip(play: Play[State]) -> None:
    """Pass the turn of a seat that has just left; it requests nothing and does not say last
    card.
    """
    s = play.state
    play.tell("skipped", seat=s.seat)
    if s.stage == "turn":  # nothing was played, so there is nothing to jump or to answer
        s.steps = 0
    else:
        s.last_card[s.seat] = False
    if s.stage == "drawn":
        s.question = False
    pass_turn(play)
