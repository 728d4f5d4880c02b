"""The rules of Kaboom: a turn game in which any player may flip a card at almost any time.

This module has the setup of a round, phases, time limits, leaving, and hidden information. Turns
(turns.py), flipping (flipping.py, patient.py) and scoring (scoring.py) are separate.
"""

from collections.abc import Iterator

from kaboom.engine.decisions import Decision
from kaboom.engine.moves import CLOCK, Seat, one_of
from kaboom.engine.play import Listener, Play
from kaboom.engine.toolkit.cards import Card, pack
from kaboom.engine.toolkit.readiness import be_ready, readying
from kaboom.engine.toolkit.resample import Unknown, redeal
from kaboom.games.kaboom.cards import ability_of
from kaboom.games.kaboom.flipping import flips, giving, no_give
from kaboom.games.kaboom.memory import Memory
from kaboom.games.kaboom.options import Options
from kaboom.games.kaboom.patient import (
    collecting,
    resample_sealed,
    settle,
    unanswered,
)
from kaboom.games.kaboom.places import (
    FIRST_DISCARD,
    can_draw,
    card_at,
    cards_of,
    from_stock,
    lay_in_order,
    put_on_pile,
)
from kaboom.games.kaboom.scoring import end_round
from kaboom.games.kaboom.state import (
    GRID,
    PLACES,
    WHERE,
    Ability,
    AfterAbility,
    AnyStep,
    Collecting,
    Drawn,
    FirstMove,
    Give,
    LastFlips,
    Peeking,
    Place,
    ReplaceDrawn,
    ReplaceTaken,
    RoundOver,
    State,
    decided,
    is_patient,
    next_decision,
    unready,
)
from kaboom.games.kaboom.turns import (
    before_first_move,
    begin_turn,
    discard,
    draw,
    next_turn,
    replace,
    skip,
    turn_offers,
)

BOTTOM_ROW = (3, 4, 5)

# The deal


def setup(play: Play[State], seats: int, options: Options) -> None:
    """Begin a match with the first round."""
    play.state = State(options, [0] * seats, [{} for _ in range(seats + 1)])
    deal(play)


def deal(play: Play[State]) -> None:
    """Begin the next round: deal six cards to every player; then all may peek."""
    s = play.state
    seats = len(s.totals)
    s.round += 1
    s.stock = play.lot("deal", s.round).shuffled(pack(s.options.jokers))
    s.grids = [[s.stock.pop() for _ in range(GRID)] for _ in range(seats)]
    if play.board:
        lay_in_order(s)
    s.discards = []
    s.turn = starter(s)
    s.declared_by = None
    s.ready, s.peeked, s.marks = [], [], {}
    s.steps = [Peeking(number=next_decision(s))]
    play.tell("dealt", round=s.round, seat=s.turn)


def starter(s: State) -> Seat:
    """Return the seat that begins this round, which moves on by one seat each round."""
    return (s.round - 1) % len(s.totals)


def start_turns(play: Play[State]) -> None:
    """Turn up the first discard and start the first turn."""
    s = play.state
    for shown in s.seen:
        shown.clear()
    s.ready = []
    put_on_pile(s, from_stock(play, FIRST_DISCARD))
    play.tell("turned_up", card=s.discards[-1].card, seat=s.turn)
    before_first_move(play)


# Offers


def offers(s: State) -> Iterator[Listener]:
    """Yield the offers of this step, and the listener that ends a race of last flips."""
    match step := s.steps[-1]:
        case Peeking():
            yield from peeking(s, step)
        case RoundOver():
            yield from readying(unready(s), f"{s.round}.over")
        case Give():
            yield from giving(s, step)
        case Collecting():
            yield from collecting(s, step)
        case _:
            yield from turn_offers(s, step)
            if not is_patient(s):
                yield from flips(s, step)
    if isinstance(s.steps[0], LastFlips) and not is_patient(s):
        yield from end_of_the_race(s)


# Before the first turn


def peeking(s: State, step: Peeking) -> Iterator[Listener]:
    for seat in unready(s):
        again = "again" if s.seen[seat] else "first"
        yield Listener(seat, "peek", peek, about=f"{s.round}.peek.{again}", blocks=False)
    yield from readying(unready(s), f"{s.round}.peek", have_peeked)
    if after := s.options.peek_seconds:
        pick = one_of([str(step.number)])
        yield Listener(CLOCK, "lapse", peek_over, pick, after=after, decision=True)


def peek(play: Play[State]) -> None:
    """Show a player their own bottom row, which stays in view until `ready`."""
    s = play.state
    decided(s)
    own = [PLACES[play.seat][slot] for slot in BOTTOM_ROW]
    s.seen[play.seat] = {place: card_at(s, place) for place in own}
    if play.seat not in s.peeked:
        s.peeked.append(play.seat)
    play.tell("peeked", seat=play.seat)
    play.whisper(play.seat, "peek_shows", places=own, cards=list(s.seen[play.seat].values()))


def have_peeked(play: Play[State]) -> None:
    """Mark a seat as ready for the first turn and hide its bottom row again."""
    decided(play.state, play.seat)
    be_ready(play, play.seat)


def peek_over(play: Play[State], number: str) -> None:
    """Start the turns, even if some players are still peeking."""
    play.tell("peek_over")
    start_turns(play)


# Time limits


def decisions(s: State) -> Iterator[Decision[State]]:
    """Yield what the table waits for: all players, those who may flip, a giver, or the player
    whose turn it is.
    """
    step, turn = s.steps[-1], s.steps[0]
    match step:
        case Peeking():
            yield Decision(seats=unready(s), then=start_turns)
        case RoundOver():
            yield Decision(seats=unready(s), then=deal)
        case Collecting():  # the turn's time has not started
            yield Decision(seats=unanswered(s, step), then=settle)
        case _ if is_turn(turn):
            yield Decision(
                seats=[s.turn],
                default=decide_turn,
                name=str(turn.number),
                each="{name}",  # it is one player's turn, so the clock's move needs no seat
                seconds=s.options.turn_seconds,
                late="lapsed",
                held=isinstance(step, Give),
            )
    if isinstance(step, Give):
        yield Decision(
            seats=[step.seat],
            default=give_nothing,
            name=str(step.number),
            seconds=s.options.give_seconds,
            late="lapsed",
        )


def is_turn(step: AnyStep) -> bool:
    """Return True if a step is a decision of the player whose turn it is."""
    return not isinstance(step, (Peeking, LastFlips, RoundOver))


def decide_turn(play: Play[State], seat: Seat) -> None:
    """Make the default decision for a player who is late or absent on their turn."""
    s = play.state
    match s.steps[-1]:
        case FirstMove() if can_draw(s):
            draw(play)
        case FirstMove():  # our choice: never take a card or call kaboom
            begin_turn(s, s.turn)
            play.tell("not_drawn", seat=s.turn)
            next_turn(play)
        case Drawn() | AfterAbility():
            discard(play)
        case Ability():
            skip(play)
        case ReplaceTaken() | ReplaceDrawn():
            lot = play.lot(f"lapse {seat}", s.steps[0].number)
            replace(play, lot.choice(cards_of(s, s.turn)))


def give_nothing(play: Play[State], seat: Seat) -> None:
    """Decline to give for a player who is late or absent."""
    no_give(play)


def end_of_the_race(s: State) -> Iterator[Listener]:
    """Yield the end of the last flips, which comes even while the game waits for no player."""
    pick, after, held = one_of([str(s.steps[0].number)]), s.options.last_flips, len(s.steps) > 1
    yield Listener(CLOCK, "lapse", race_over, pick, after=after, held=held)


def race_over(play: Play[State], number: str) -> None:
    """End the last flips, and with them the round."""
    end_round(play)


# Leaving


def left(play: Play[State], seat: Seat) -> None:
    """Handle a player leaving: with fewer than two players left, the match is abandoned."""
    s = play.state
    decided(s, seat)
    if len(s.grids) - len(s.absent) < 2:
        s.abandoned = True
        play.tell("abandoned")
        return
    if seat == s.turn and is_turn(s.steps[0]):
        s.steps[0].number = next_decision(s)  # a player who was present gets a new deadline
    match step := s.steps[-1]:
        case Give() if step.seat == seat:
            no_give(play)
        case Collecting():  # a player who leaves flips nothing, whatever was selected
            step.answers[seat], step.asked[seat] = None, False


def returned(play: Play[State], seat: Seat) -> None:
    """Give a player who returns the full time for the current decision."""
    s = play.state
    decided(s)
    if seat == s.turn and is_turn(s.steps[0]):
        s.steps[0].number = next_decision(s)


# Hidden information


def held_card(s: State) -> Card | None:
    """Return the card that the player whose turn it is holds: drawn or taken, not yet placed."""
    step = s.steps[0]
    if isinstance(step, (ReplaceTaken, Drawn, Ability, AfterAbility, ReplaceDrawn)):
        return step.card
    return None


def is_kind_known(step: AnyStep) -> bool:
    """Return True if the kind of the drawn card is public, because its ability was used."""
    if isinstance(step, ReplaceDrawn):
        return step.used
    return isinstance(step, (Ability, AfterAbility))


def resample(play: Play[State], viewer: Seat | None) -> None:
    """Redraw the stock, the face-down cards, another player's drawn card (of the same kind, if
    that is public), and the others' sealed flips.
    """
    s = play.state
    if isinstance(step := s.steps[-1], Collecting):
        resample_sealed(play, step, viewer)
    shown = s.seen[-1 if viewer is None else viewer]
    hidden: list[Place] = []
    if not isinstance(s.steps[-1], RoundOver):
        places = [place for seat in range(len(s.grids)) for place in cards_of(s, seat)]
        hidden = [place for place in places if place not in shown]
    lying = [card_at(s, place) for place in hidden]
    unknown = [Unknown(s.stock), Unknown(lying)]
    step = s.steps[0]
    if isinstance(step, (Drawn, Ability, AfterAbility, ReplaceDrawn)) and viewer != s.turn:
        kind, drawn = ability_of(step.card), [step.card]
        is_kind = (lambda card: ability_of(card) == kind) if is_kind_known(step) else None
        unknown.append(Unknown(drawn, fits=is_kind))
        redeal(play.rng, unknown)
        step.card = drawn[0]
    else:
        redeal(play.rng, unknown)
    if s.board:
        s.stock.sort()
    for place, card in zip(hidden, lying, strict=True):
        owner, slot = WHERE[place]
        s.grids[owner][slot] = card


def deal_again(play: Play[State], seat: Seat, memory: Memory) -> None:
    """Redraw what a seat has not seen; the cards that it remembers stay in their places.

    The others answer again, and players who are being shown a card are shown the new one.
    """
    s = play.state
    now = s.seen[seat]
    lying = {place for owner in range(len(s.grids)) for place in cards_of(s, owner)}
    s.seen[seat] = {place: card for place, card in memory.known.items() if place in lying} | now
    resample(play, seat)
    s.seen[seat] = now
    for shown in s.seen:
        shown.update({place: card_at(s, place) for place in shown})
    if isinstance(step := s.steps[-1], Collecting):
        step.answers = [it if other == seat else None for other, it in enumerate(step.answers)]
        step.asked = [it and other == seat for other, it in enumerate(step.asked)]
