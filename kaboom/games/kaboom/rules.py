"""The rules of Kaboom: a turn game in which anybody may flip a card at nearly any time.

Here are the setup of a round, what may happen when, time, leaving, and what is hidden. A turn
(turns.py), flipping (flipping.py, patient.py) and scoring (scoring.py) have files of their own.
"""

from collections.abc import Iterator

from kaboom.core.cards import Card, pack
from kaboom.core.moves import CLOCK, Seat, one_of
from kaboom.core.play import Listener, Play
from kaboom.games.kaboom.cards import ability_of
from kaboom.games.kaboom.flipping import flips, giving, no_give
from kaboom.games.kaboom.options import Options
from kaboom.games.kaboom.patient import (
    collecting,
    resample_sealed,
    settle_when_all_have_answered,
    time_is_up,
)
from kaboom.games.kaboom.places import can_draw, card_at, cards_of, put_on_pile
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

# Section 3: setup of a round


def setup(play: Play[State], seats: int, options: Options) -> None:
    """Begin a match with the first round."""
    play.state = State(options, [0] * seats, [{} for _ in range(seats + 1)])
    deal(play)


def deal(play: Play[State]) -> None:
    """Begin the next round: six cards to everybody, then all may peek."""
    s = play.state
    seats = len(s.totals)
    s.stock = play.shuffled(pack(s.options.jokers))
    s.grids = [[s.stock.pop() for _ in range(GRID)] for _ in range(seats)]
    s.discards = []
    s.round += 1
    s.turn = starter(s)
    s.declared_by = None
    s.ready, s.peeked, s.marks = [], [], {}
    s.steps = [Peeking(number=next_decision(s))]
    play.tell("dealt", round=s.round, seat=s.turn)


def starter(s: State) -> Seat:
    """Return who begins this round: one seat further on each round."""
    return (s.round - 1) % len(s.totals)


def start_turns(play: Play[State]) -> None:
    """Turn up the first discard: the first player is on turn."""
    s = play.state
    for shown in s.seen:
        shown.clear()
    s.ready = []
    put_on_pile(s, s.stock.pop())
    play.tell("turned_up", card=s.discards[-1].card, seat=s.turn)
    before_first_move(play)


# Section 4: phases and legal actions


def offers(s: State) -> Iterator[Listener]:
    """Yield what the rules offer now."""
    step = s.steps[-1]
    if isinstance(step, (Peeking, RoundOver)):
        yield from acknowledgements(s, step)
    elif isinstance(step, Give):
        yield from giving(s, step)
    elif isinstance(step, Collecting):
        yield from collecting(s, step)
    else:
        if s.turn not in s.absent:
            yield from turn_offers(s, step)
        if not is_patient(s):
            yield from flips(s, step)
    yield from timers(s)


# 4.1 peek, and the wait between two rounds (section 7)


def acknowledgements(s: State, step: Peeking | RoundOver) -> Iterator[Listener]:
    peeking = isinstance(step, Peeking)
    name = f"{s.round}.{'peek' if peeking else 'over'}"
    for seat in range(len(s.grids)):
        if seat not in s.ready and seat not in s.absent:
            if peeking:
                again = "again" if s.seen[seat] else "first"
                yield Listener(seat, "peek", peek, about=f"{name}.{again}", blocks=False)
            yield Listener(seat, "ready", ready, about=name)


def peek(play: Play[State]) -> None:
    """Look at your own bottom row, which stays in view until `ready`."""
    s = play.state
    decided(s)
    own = [PLACES[play.seat][slot] for slot in BOTTOM_ROW]
    s.seen[play.seat] = {place: card_at(s, place) for place in own}
    if play.seat not in s.peeked:
        s.peeked.append(play.seat)
    play.tell("peeked", seat=play.seat)
    play.whisper(play.seat, "peek_shows", places=own, cards=list(s.seen[play.seat].values()))


def ready(play: Play[State]) -> None:
    """Be ready for the first turn of a round, or for the next round."""
    s = play.state
    decided(s, play.seat)
    s.ready.append(play.seat)
    play.tell("ready", seat=play.seat)
    go_on_when_ready(play)


def go_on_when_ready(play: Play[State]) -> None:
    """Go on when all are ready; an absent seat is ready at once (section 9)."""
    s = play.state
    if len({*s.ready, *s.absent}) == len(s.grids):
        if isinstance(s.steps[-1], Peeking):
            start_turns(play)
        else:
            deal(play)


# 4.4 timers


def timers(s: State) -> Iterator[Listener]:
    """Yield what happens by itself: timeouts, and at once the decisions of an absent player."""
    step = s.steps[-1]
    if isinstance(step, Collecting):  # the turn's time has not begun
        if s.options.flip_seconds:
            pick = one_of([f"{step.number}.{int(step.longer)}"])
            yield Listener(CLOCK, "settle", time_is_up, pick, after=float(s.options.flip_seconds))
        return
    turn = s.steps[0]
    held = len(s.steps) > 1  # a give pauses the turn
    after = float(seconds_for(s, turn))
    absent = s.turn in s.absent and not isinstance(turn, (Peeking, LastFlips, RoundOver))
    pick = one_of([str(turn.number)])
    if absent:
        yield Listener(CLOCK, "lapse", lapse, pick, after=0.0, held=held)
    elif after:  # the last flips are a race, which ends whether or not anyone waits
        owed = not isinstance(turn, LastFlips)
        yield Listener(CLOCK, "lapse", lapse, pick, after=after, held=held, decision=owed)
    if held and s.options.give_seconds:
        pick, after = one_of([str(s.steps[-1].number)]), float(s.options.give_seconds)
        yield Listener(CLOCK, "lapse", lapse, pick, after=after, decision=True)


def seconds_for(s: State, step: AnyStep) -> int:
    """Return how long this step may take in seconds; 0 is for ever."""
    match step:
        case Peeking():
            return s.options.peek_seconds
        case LastFlips():
            return 0 if is_patient(s) else s.options.last_flips
        case RoundOver():
            return 0
    return s.options.turn_seconds


def lapse(play: Play[State], number: str) -> None:
    """Decide for a player whose time is up, or who is absent."""
    s = play.state
    step = s.steps[-1]
    if isinstance(step, Give):
        play.tell("lapsed", seat=step.seat)
    elif not isinstance(step, (Peeking, LastFlips)) and s.turn not in s.absent:
        play.tell("lapsed", seat=s.turn)
    match step:
        case Peeking():
            play.tell("peek_over")
            start_turns(play)
        case FirstMove() if can_draw(s):
            draw(play)
        case FirstMove():  # house: nothing is taken and kaboom is not called in anybody's name
            begin_turn(s, s.turn)
            play.tell("not_drawn", seat=s.turn)
            next_turn(play)
        case Drawn() | AfterAbility():
            discard(play)
        case Ability():
            skip(play)
        case ReplaceTaken() | ReplaceDrawn():
            replace(play, play.chance.one_of(cards_of(s, s.turn)))
        case Give():
            no_give(play)
        case LastFlips():
            end_round(play)


# Section 9: leaving


def left(play: Play[State], seat: Seat) -> None:
    """With fewer than two players left the match is abandoned."""
    s = play.state
    decided(s, seat)
    step = s.steps[-1]
    if len(s.absent) > len(s.grids) - 2:
        s.abandoned = True
        play.tell("abandoned")
    elif isinstance(step, (Peeking, RoundOver)):
        go_on_when_ready(play)
    else:
        if seat == s.turn and not isinstance(s.steps[0], LastFlips):
            s.steps[0].number = next_decision(s)  # somebody who was here gets a new deadline
        if isinstance(step, Give) and step.seat == seat:
            no_give(play)
        elif isinstance(step, Collecting):  # a player who leaves flips nothing, whatever was chosen
            step.answers[seat], step.asked[seat] = None, False
            settle_when_all_have_answered(play)


def returned(play: Play[State], seat: Seat) -> None:
    """Whoever is back has the full time for the decision at hand."""
    s = play.state
    decided(s)
    if seat == s.turn and not isinstance(s.steps[0], (Peeking, LastFlips, RoundOver)):
        s.steps[0].number = next_decision(s)


# Section 8: hidden information


def held_card(s: State) -> Card | None:
    """Return the card the player on turn has drawn or taken but not yet placed."""
    step = s.steps[0]
    if isinstance(step, (ReplaceTaken, Drawn, Ability, AfterAbility, ReplaceDrawn)):
        return step.card
    return None


def resample(play: Play[State], viewer: Seat | None) -> None:
    """Redraw the stock, the face-down cards, another's drawn card (of a kind that is known), and
    what is sealed of the flips being collected."""
    s = play.state
    if isinstance(step := s.steps[-1], Collecting):
        resample_sealed(play, step, viewer)
    shown = s.seen[-1 if viewer is None else viewer]
    hidden: list[Place] = []
    if not isinstance(s.steps[-1], RoundOver):
        everybody = [place for seat in range(len(s.grids)) for place in cards_of(s, seat)]
        hidden = [place for place in everybody if place not in shown]
    pool = s.stock + [card_at(s, place) for place in hidden]
    step = s.steps[0]
    if isinstance(step, (Drawn, Ability, AfterAbility, ReplaceDrawn)) and viewer != s.turn:
        pool.append(step.card)
        used = not isinstance(step, Drawn) and (not isinstance(step, ReplaceDrawn) or step.used)
        kind = ability_of(step.card)
        step.card = play.chance.one_of(
            [card for card in sorted(pool) if not used or ability_of(card) == kind]
        )
        pool.remove(step.card)
    pool = play.shuffled(sorted(pool))
    for place in hidden:
        owner, slot = WHERE[place]
        s.grids[owner][slot] = pool.pop()
    s.stock = pool
