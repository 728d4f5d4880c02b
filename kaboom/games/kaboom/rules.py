"""The rules of Kaboom: a turn game in which anybody may flip a card at nearly any time."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

from msgspec import Struct, field

from kaboom.core.cards import Card, is_joker, is_red, pack, rank_of
from kaboom.core.game import Listener, Play, attendance
from kaboom.core.language import say
from kaboom.core.moves import CLOCK, Choices, IllegalMove, Pick, Seat, one_of
from kaboom.core.options import choice, number, switch
from kaboom.core.views import Outcome, places

GRID = 6  # slots 0 1 2 are the top row, 3 4 5 the bottom row, nearest to the owner
BOTTOM_ROW = (3, 4, 5)
SEATS = 6
DECLARER_FINE = 10

Place = str  # "1.4" is slot 4 of seat 1

PASS = "pass"  # the answer of a seat that flips nothing

# Every possible place, by owner: building them for each offer would cost more than the rest
PLACES = tuple(tuple(f"{owner}.{slot}" for slot in range(54)) for owner in range(SEATS))
WHERE = {place: (o, slot) for o, own in enumerate(PLACES) for slot, place in enumerate(own)}


@dataclass(frozen=True)
class Options:
    rounds: int = number(
        0,
        0,
        20,
        "Rounds",
        "How many rounds a match has. 0: as many as there are players.",
        zero="as many as there are players",
    )
    target: int = number(
        0,
        0,
        500,
        "Play up to",
        "If more than 0, the match ends after the round in which somebody’s total reaches this "
        "many points, however many rounds that takes.",
        "points",
        zero="no limit",
    )
    flips: str = choice(
        "race",
        {
            "race": "a race: the fastest wins",
            "patient": "patient: all choose in secret, and chance decides whose flip comes first",
        },
        "Flipping",
        "In a race, cards can be flipped at almost any time and the fastest hand wins. Patient "
        "flips stop the game after each discard until everybody has chosen a card or passed, so "
        "that slow hands and slow networks have the same chance.",
    )
    flip_seconds: int = number(
        8,
        0,
        300,
        "Time for patient flips",
        "The longest that flips are collected; anybody can ask for as long again. 0: until all "
        "have chosen or passed.",
        "seconds",
        zero="until all have chosen or passed",
    )
    flip_penalty: int = number(
        1,
        0,
        2,
        "Penalty cards",
        "Unseen cards you get for flipping a card of the wrong rank.",
        zero="none",
    )
    jokers: bool = switch(True, "Jokers", "Play with the two jokers, which are worth nothing.")
    keep_negative: bool = switch(
        False,
        "Below zero counts",
        "Whoever calls kaboom and is lowest with less than 0 points keeps that score.",
    )
    lock_declarer: bool = switch(
        False,
        "Kaboom locks your cards",
        "Once you have called kaboom, nobody can swap, look at or flip your cards.",
    )
    last_flips: int = number(
        0,
        0,
        10,
        "Last flips",
        "How long cards can still be flipped after the last turn. Patient flips are then collected "
        "once more, for their usual time.",
        "seconds",
        zero="none",
    )
    max_players: int = number(4, 4, 6, "Seats", "How many people can play at most.")
    turn_seconds: int = number(
        0,
        0,
        300,
        "Time to decide",
        "Seconds for each decision of a turn. 0: no limit.",
        "seconds",
        zero="no limit",
    )
    peek_seconds: int = number(
        0,
        0,
        300,
        "Time to peek",
        "Seconds for the look at your bottom row before a round. 0: no limit.",
        "seconds",
        zero="no limit",
    )
    give_seconds: int = number(
        15,
        0,
        60,
        "Time to give",
        "Seconds for giving a card after flipping somebody else’s. 0: no limit.",
        "seconds",
        zero="no limit",
    )

    def times(self) -> dict[str, float]:
        """Return how many seconds people have, by the option that sets it; 0 is no limit."""
        flips = "flip_seconds" if self.flips == "patient" else "last_flips"
        names = ("turn_seconds", "peek_seconds", "give_seconds", flips)
        return {name: getattr(self, name) for name in names}


class Discard(Struct, array_like=True):
    """A card on the discard pile. Its running number is never used twice in a match."""

    card: Card
    number: int
    flipped_by: Seat | None = None


class Step(Struct, kw_only=True):
    """Where the match stands. `number` rises with every decision.

    `resumed` counts how often a give interrupted this decision: its timer stays the same, but a
    press from before the interruption is too late after it.
    """

    number: int = 0
    resumed: int = 0


class Peeking(Step, tag="peek"):
    pass


class FirstMove(Step, tag="first_move"):
    pass


class ReplaceTaken(Step, tag="replace_taken"):
    card: Card


class Drawn(Step, tag="drawn"):
    card: Card


class Ability(Step, tag="ability"):
    card: Card
    picks: list[Place] = field(default_factory=list)


class AfterAbility(Step, tag="after_ability"):
    card: Card


class ReplaceDrawn(Step, tag="replace_drawn"):
    card: Card
    used: bool  # the ability was used, so all know what kind of card it is


class Give(Step, tag="give"):
    seat: Seat
    place: Place


class Collecting(Step, tag="collecting"):
    """Patient flips are being collected. All lists are by seat, so none shows who came first."""

    order: list[Seat]  # whose flip comes first, drawn before anybody could choose; hidden
    answers: list[str | None]  # a place, PASS or nothing yet; sealed
    asked: list[bool]  # for more time; sealed
    longer: bool = False  # the window has been made longer


class LastFlips(Step, tag="last_flips"):
    pass


class RoundOver(Step, tag="round_over"):
    pass


AnyStep = (
    Peeking
    | FirstMove
    | ReplaceTaken
    | Drawn
    | Ability
    | AfterAbility
    | ReplaceDrawn
    | Give
    | Collecting
    | LastFlips
    | RoundOver
)


class State(Struct):
    options: Options
    totals: list[int]
    seen: list[dict[Place, Card]]  # faces being shown right now, by viewer; the last: spectators
    grids: list[list[Card | None]] = field(default_factory=list)
    stock: list[Card] = field(default_factory=list)  # the next card last
    discards: list[Discard] = field(default_factory=list)  # the top last
    steps: list[AnyStep] = field(default_factory=list)  # a give lies on top of what it interrupts
    round: int = 0
    turn: Seat = 0
    declared_by: Seat | None = None
    ready: list[Seat] = field(default_factory=list)
    peeked: list[Seat] = field(default_factory=list)
    marks: dict[Place, str] = field(default_factory=dict)  # what was last done to a place, public
    sums: list[int] = field(default_factory=list)  # of the last round
    scores: list[int] = field(default_factory=list)  # of the last round
    absent: list[Seat] = field(default_factory=list)
    abandoned: bool = False
    decisions: int = 0  # running number of the last decision
    discarded: int = 0  # running number of the last discard
    collected: int = 0  # running number of the discard that flips were last collected for


# Section 2: deck and values


def points(card: Card) -> int:
    """Return what a card counts at the end of a round."""
    if is_joker(card):
        return 0
    rank = card[0]
    if rank == "K":
        return -1 if is_red(card) else 10
    return 1 if rank == "A" else 10 if rank in "TJQ" else int(rank)


def ability_of(card: Card) -> str | None:
    """Return what a drawn card lets you do: own, other, swap, any (whose cards), or None."""
    rank = rank_of(card)
    if rank == "K":
        return None if is_red(card) else "any"
    return {"7": "own", "8": "own", "9": "other", "T": "other", "J": "swap", "Q": "swap"}.get(rank)


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


# Cards and places


def card_at(s: State, place: Place) -> Card:
    """Return the card that lies there."""
    owner, slot = WHERE[place]
    card = s.grids[owner][slot]
    assert card is not None, f"no card at {place}"
    return card


def put(s: State, place: Place, card: Card | None, mark: str) -> None:
    """Put a card into a place, or empty it: anyone who was being shown that place sees its back.

    Places are emptied only here, so that a player who has chosen one for an ability chooses again
    (4.3).
    """
    owner, slot = WHERE[place]
    s.grids[owner][slot] = card
    s.marks[place] = mark
    for shown in s.seen:
        shown.pop(place, None)
    turn = s.steps[0]
    if card is None and isinstance(turn, Ability) and place in turn.picks:
        turn.picks.remove(place)


def cards_of(s: State, seat: Seat) -> list[Place]:
    """Return the places of a seat that hold a card."""
    return [place for place, card in zip(PLACES[seat], s.grids[seat], strict=False) if card]


def open_cards(s: State) -> list[Place]:
    """Return all places with a card that may be touched: a locked declarer's may not."""
    locked = s.declared_by if s.options.lock_declarer else None
    return [
        place
        for seat, (names, grid) in enumerate(zip(PLACES, s.grids, strict=False))
        if seat != locked
        for place, card in zip(names, grid, strict=False)
        if card
    ]


def put_on_pile(s: State, card: Card, flipped_by: Seat | None = None) -> None:
    """Put a card face up on the discard pile."""
    s.discarded += 1
    s.discards.append(Discard(card, s.discarded, flipped_by))


def can_draw(s: State) -> bool:
    """Say whether a card can be drawn, if need be after a reshuffle."""
    return bool(s.stock) or len(s.discards) > 1


def next_card(play: Play[State]) -> Card:
    """Return the next card of the stock; all discards but the top make a new stock (section 9)."""
    s = play.state
    if not s.stock:
        *older, top = s.discards
        s.stock = play.shuffled([discard.card for discard in older])
        s.discards = [top]
        play.tell("reshuffled", count=len(s.stock))
    return s.stock.pop()


# Steps


def next_decision(s: State) -> int:
    """Return a running number that no decision has had before."""
    s.decisions += 1
    return s.decisions


def enter(s: State, step: AnyStep) -> None:
    """Go on to another step: a new decision with a new number."""
    step.number = next_decision(s)
    s.steps[-1] = step


S = TypeVar("S", bound=Step)


def now(s: State, kind: type[S]) -> S:
    """Return the current step, which must be of this kind: other kinds are not on offer."""
    step = s.steps[-1]
    assert isinstance(step, kind)
    return step


def decided(s: State, seat: Seat | None = None) -> None:
    """Hide what the seat and the spectators were being shown: it lasts until the next decision."""
    s.seen[-1].clear()
    if seat is not None:
        s.seen[seat].clear()


def about(step: Step) -> str:
    """Return what an offer of a turn answers: this decision, counting its resumptions."""
    return f"{step.number}.{step.resumed}"


# Section 4: phases and legal actions


def listeners(s: State) -> Iterator[Listener]:
    """Yield the listener map."""
    if outcome(s) is not None:
        return
    yield from attendance(s.absent, len(s.grids), leave, come_back)
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


# 4.2 the stages of a turn


def turn_offers(s: State, step: AnyStep) -> Iterator[Listener]:
    seat = s.turn
    this = about(step)
    match step:
        case FirstMove():
            moves = first_moves(s)
            if "kaboom" in moves:
                yield Listener(seat, "kaboom", kaboom, about=this, confirm=True)
            if "take" in moves:
                top = s.discards[-1]
                yield Listener(seat, "take", take, about=f"{top.number}.{top.card}")
            if "draw" in moves:
                yield Listener(seat, "draw", draw, about=this)
        case ReplaceTaken() | ReplaceDrawn():
            yield Listener(seat, "replace", replace, one_of(cards_of(s, seat)), this)
        case Drawn() | AfterAbility():
            kind = ability_of(step.card)
            if isinstance(step, Drawn) and kind and targets(s, kind):
                yield Listener(seat, "use", use, about=f"{this}.{kind}")
            if any(s.grids[seat]):
                yield Listener(seat, "keep", keep, about=this)
            yield Listener(seat, "discard", discard, about=this)
        case Ability():
            yield from ability_offers(s, step)


def first_moves(s: State) -> list[str]:
    """Return the first moves open to the player on turn; with none, the turn passes."""
    moves = []
    if s.declared_by is None:
        moves.append("kaboom")
    if s.discards and any(s.grids[s.turn]):
        moves.append("take")
    if can_draw(s):
        moves.append("draw")
    return moves


def begin_turn(s: State, seat: Seat) -> None:
    """The turn's first move is made: earlier changes to places are no longer marked."""
    decided(s, seat)
    s.marks.clear()


def kaboom(play: Play[State]) -> None:
    """Declare: everybody else has one more turn."""
    s = play.state
    begin_turn(s, s.turn)
    s.declared_by = s.turn
    play.tell("kaboom", seat=s.turn)
    next_turn(play)


def take(play: Play[State]) -> None:
    """Take the top discard, which must replace one of your own cards."""
    s = play.state
    begin_turn(s, s.turn)
    card = s.discards.pop().card
    play.tell("took", seat=s.turn, card=card)
    enter(s, ReplaceTaken(card=card))


def draw(play: Play[State]) -> None:
    """Draw the top card of the stock, seen only by the drawer."""
    s = play.state
    begin_turn(s, s.turn)
    card = next_card(play)
    play.tell("drew", seat=s.turn)
    play.whisper(s.turn, "draw_shows", card=card)
    enter(s, Drawn(card=card))


def keep(play: Play[State]) -> None:
    """Keep the drawn card; next, say which of your own cards it replaces."""
    s = play.state
    step = s.steps[-1]
    assert isinstance(step, (Drawn, AfterAbility))
    decided(s, s.turn)
    play.tell("kept", seat=s.turn)
    enter(s, ReplaceDrawn(card=step.card, used=isinstance(step, AfterAbility)))


def discard(play: Play[State]) -> None:
    """Put the drawn card on the discard pile: end of turn."""
    s = play.state
    step = s.steps[-1]
    assert isinstance(step, (Drawn, AfterAbility, ReplaceDrawn))
    decided(s, s.turn)
    put_on_pile(s, step.card)
    play.tell("discarded", seat=s.turn, card=step.card)
    next_turn(play)


def replace(play: Play[State], place: Place) -> None:
    """Replace one of your cards, which is discarded, with the taken or kept card: end of turn."""
    s = play.state
    step = s.steps[-1]
    assert isinstance(step, (ReplaceTaken, ReplaceDrawn))
    decided(s, s.turn)
    old = card_at(s, place)
    put(s, place, step.card, "replaced")
    put_on_pile(s, old)
    if isinstance(step, ReplaceTaken):
        play.tell("replaced", seat=s.turn, place=place, card=old, taken=step.card)
    else:
        play.tell("replaced", seat=s.turn, place=place, card=old)
    next_turn(play)


def next_turn(play: Play[State]) -> None:
    """Pass the turn on; the round ends when it comes back to the declarer (section 6)."""
    s = play.state
    while True:
        s.turn = (s.turn + 1) % len(s.grids)
        if s.turn == s.declared_by:
            return last_flips(play)
        if first_moves(s):
            return before_first_move(play)
        play.tell("passed", seat=s.turn)  # section 9, "nothing left to do"


def before_first_move(play: Play[State]) -> None:
    """The player on turn has the first move, once patient flips are settled."""
    enter(play.state, FirstMove())
    collect(play)


def last_flips(play: Play[State]) -> None:
    """End the round, at once or after some seconds in which cards can still be flipped."""
    s = play.state
    if s.options.last_flips and is_patient(s):
        enter(s, LastFlips())
        if collect(play):
            play.tell("last_window")
        else:
            end_round(play)
    elif s.options.last_flips:
        play.tell("last_flips", seconds=s.options.last_flips)
        enter(s, LastFlips())
    else:
        end_round(play)


# 4.3 abilities in detail


def targets(s: State, kind: str, picks: Sequence[Place] = ()) -> list[Place]:
    """Return the places the ability may choose next, for the player on turn."""
    cards = open_cards(s)
    if kind == "own":
        return [place for place in cards if WHERE[place][0] == s.turn]
    if kind == "other":
        return [place for place in cards if WHERE[place][0] != s.turn]
    if kind == "any":
        return [place for place in cards if place not in picks]
    if picks:
        return [place for place in cards if WHERE[place][0] != WHERE[picks[0]][0]]
    return cards if len({WHERE[place][0] for place in cards}) > 1 else []


def use(play: Play[State]) -> None:
    """Use the ability of the drawn card; all learn what kind it is."""
    s = play.state
    step = now(s, Drawn)
    decided(s, s.turn)
    play.tell("used", seat=s.turn, ability=ability_of(step.card))
    enter(s, Ability(card=step.card))


def ability_offers(s: State, step: Ability) -> Iterator[Listener]:
    kind = ability_of(step.card)
    assert kind
    legal = targets(s, kind, step.picks)
    this = f"{about(step)}.{kind}"
    if legal and kind == "swap":
        this += f".{len(step.picks)}"
        options = [place for place in open_cards(s) if place not in step.picks]
        pick = one_of(options, partial(two_owners, step.picks[0]) if step.picks else None)
        yield Listener(s.turn, "swap", swap, pick, this)
    elif legal:
        yield Listener(s.turn, "look", look, one_of(legal), this)
    yield Listener(s.turn, "skip", skip, about=this)


def two_owners(first: Place, choices: Choices) -> IllegalMove | None:
    """Say why the chosen card cannot be swapped with the first, or return None."""
    if WHERE[choices[0]][0] != WHERE[first][0]:
        return None
    return IllegalMove(say("A swap is between cards of two different players."), "abilities")


def look(play: Play[State], place: Place) -> None:
    """Look at a card; a black king looks at a second one if there is one."""
    s = play.state
    step = now(s, Ability)
    decided(s)  # but what the player has looked at stays in view until keep or discard
    card = card_at(s, place)
    s.seen[s.turn][place] = card
    s.marks[place] = "looked at"
    play.tell("looked", seat=s.turn, place=place)
    play.whisper(s.turn, "look_shows", place=place, card=card)
    picks = [*step.picks, place]
    if ability_of(step.card) == "any" and len(picks) == 1 and targets(s, "any", picks):
        enter(s, Ability(card=step.card, picks=picks))
    else:
        enter(s, AfterAbility(card=step.card))


def swap(play: Play[State], place: Place) -> None:
    """Choose the first, then the second of two cards that change places unseen."""
    s = play.state
    step = now(s, Ability)
    decided(s, s.turn)
    if step.picks:
        first = step.picks[0]
        one, other = card_at(s, first), card_at(s, place)
        put(s, first, other, "swapped")
        put(s, place, one, "swapped")
        play.tell("swapped", seat=s.turn, first=first, second=place)
        enter(s, AfterAbility(card=step.card))
    else:
        s.marks[place] = "chosen"
        play.tell("chosen", seat=s.turn, place=place)
        enter(s, Ability(card=step.card, picks=[place]))


def skip(play: Play[State]) -> None:
    """Leave the ability, or the rest of it, unused. What has been seen stays in view."""
    s = play.state
    step = now(s, Ability)
    decided(s)
    for place in step.picks:
        if s.marks.get(place) == "chosen":
            del s.marks[place]
    play.tell("skipped", seat=s.turn)
    enter(s, AfterAbility(card=step.card))


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


# Section 5: flipping


def flips(s: State, step: AnyStep) -> Iterator[Listener]:
    """Yield the standing offer to flip of everybody who may try (5.1, conditions 1 and 2)."""
    before_move = isinstance(step, (FirstMove, LastFlips))
    pick: Pick | None = None
    for seat in flippers(s):
        if seat != s.turn or before_move:
            pick = pick or one_of(open_cards(s))
            if pick.options:
                this = str(s.discards[-1].number)
                yield Listener(seat, "flip", flip, pick, this, False, True)


def flippers(s: State) -> list[Seat]:
    """Return who may flip onto the top discard: after a flip only the flipper (condition 1)."""
    if not s.discards:
        return []
    by = s.discards[-1].flipped_by
    seats = range(len(s.grids)) if by is None else (by,)
    return [seat for seat in seats if seat not in s.absent]


def flip(play: Play[State], place: Place) -> None:
    """Flip a card onto the pile: it stays there if its rank is that of the top discard."""
    s = play.state
    decided(s, play.seat)
    onto = s.discards[-1].card
    if matches(s, place, onto):
        right_flip(play, play.seat, place)
        give_or_resume(play, play.seat, place)
    else:
        wrong_flip(play, play.seat, place, onto)
        resume(play)


def matches(s: State, place: Place, onto: Card) -> bool:
    """Say whether the card there has the same rank as another."""
    return rank_of(card_at(s, place)) == rank_of(onto)


def wrong_flip(play: Play[State], seat: Seat, place: Place, onto: Card) -> None:
    """Show the card to all; it goes back face down, and the flipper draws penalty cards."""
    s = play.state
    card = card_at(s, place)
    for shown in s.seen:
        shown[place] = card
    s.marks[place] = "flipped"
    play.tell("wrong_flip", seat=seat, place=place, card=card, onto=onto)
    new: list[Place] = []
    while len(new) < s.options.flip_penalty and can_draw(s):
        grid = s.grids[seat]
        if len(grid) == len(PLACES[seat]):  # more slots than cards: one of them is empty
            slot = grid.index(None)
            grid[slot] = next_card(play)
        else:
            slot = len(grid)
            grid.append(next_card(play))
        new.append(PLACES[seat][slot])
        s.marks[new[-1]] = "penalty"
    if new:
        play.tell("penalty", seat=seat, places=new, count=len(new))


def right_flip(play: Play[State], seat: Seat, place: Place) -> None:
    """Leave the card on the pile."""
    s = play.state
    card, onto = card_at(s, place), s.discards[-1].card
    put(s, place, None, "flipped")
    put_on_pile(s, card, seat)
    play.tell("flipped", seat=seat, place=place, card=card, onto=onto)


def give_or_resume(play: Play[State], seat: Seat, place: Place) -> None:
    """A player who flipped another's card may give one of their own (5.3), into the gap."""
    s = play.state
    owner, slot = WHERE[place]
    is_gap = s.grids[owner][slot] is None  # a penalty card for a patient flip may lie there by now
    if owner != seat and is_gap and any(s.grids[seat]):
        s.steps.append(Give(number=next_decision(s), seat=seat, place=place))
    else:
        resume(play)


# 5.2 patient flips: collected after each discard, settled together (house rule, an option)


def is_patient(s: State) -> bool:
    """Say whether flips are collected, rather than made at any time."""
    return s.options.flips == "patient"


def collect(play: Play[State]) -> bool:
    """Collect flips for a new top discard, once; return whether there is anybody to choose.

    The order is drawn here, by the move that brought the card: nobody has chosen yet, so nothing
    anyone does in the window can affect it.
    """
    s = play.state
    top = s.discards[-1] if s.discards else None
    if not is_patient(s) or top is None or top.number <= s.collected:
        return False
    s.collected = top.number
    if not flippers(s) or not open_cards(s):
        return False
    seats = len(s.grids)
    s.steps.append(
        Collecting(
            number=next_decision(s),
            order=play.shuffled(range(seats)),
            answers=[None] * seats,
            asked=[False] * seats,
        )
    )
    return True


def collecting(s: State, step: Collecting) -> Iterator[Listener]:
    """Yield what each seat may answer. The game waits, but nobody is told for whom."""
    this = str(s.discards[-1].number)
    cards = open_cards(s)
    for seat in flippers(s):
        answer = step.answers[seat]
        others = [place for place in cards if place != answer]
        if others:
            yield Listener(seat, "flip", seal_flip, one_of(others), this, False, True)
        if answer is None:
            yield Listener(seat, "pass", seal_pass, about=this, sealed=True)
        elif answer != PASS:
            yield Listener(seat, "withdraw", withdraw, about=f"{this}.{answer}", blocks=False)
        if s.options.flip_seconds and not step.longer and not step.asked[seat]:
            yield Listener(seat, "more", ask_more, about=this, blocks=False)


def seal_flip(play: Play[State], place: Place) -> None:
    """Choose a card to flip; it can be changed or taken back until all are settled."""
    play.whisper(play.seat, "flip_sealed", seat=play.seat, place=place)
    seal(play, place)


def seal_pass(play: Play[State]) -> None:
    """Flip nothing this time."""
    play.whisper(play.seat, "pass_sealed", seat=play.seat)
    seal(play, PASS)


def withdraw(play: Play[State]) -> None:
    """Take the chosen flip back: a pass, until another is chosen."""
    play.whisper(play.seat, "flip_withdrawn", seat=play.seat)
    seal(play, PASS)


def seal(play: Play[State], answer: str) -> None:
    """Keep a seat's answer. Only its own page changes, unless it was the last one missing."""
    s = play.state
    s.seen[play.seat].clear()
    now(s, Collecting).answers[play.seat] = answer
    settle_when_all_have_answered(play)


def ask_more(play: Play[State]) -> None:
    """Ask for more time; the others learn of it when the usual time is over, and not who asked."""
    now(play.state, Collecting).asked[play.seat] = True
    play.whisper(play.seat, "more_asked", seat=play.seat, seconds=play.state.options.flip_seconds)


def time_is_up(play: Play[State], window: str) -> None:
    """Settle; but if anybody has asked for more time, first wait as long again, once."""
    s = play.state
    step = now(s, Collecting)
    if any(step.asked[seat] for seat in flippers(s)):
        step.longer, step.asked = True, [False] * len(step.asked)
        play.tell("longer", seconds=s.options.flip_seconds)
    else:
        settle(play)


def settle_when_all_have_answered(play: Play[State]) -> None:
    step = now(play.state, Collecting)
    if all(step.answers[seat] is not None for seat in flippers(play.state)):
        settle(play)


def settle(play: Play[State]) -> None:
    """Judge all chosen flips in the order that was drawn.

    All were aimed at the same card. The first of its rank wins; a later one of that rank is too
    late and costs nothing, as in a race; one of another rank is a wrong flip wherever it comes.
    """
    s = play.state
    step = now(s, Collecting)
    s.steps.pop()
    s.seen[-1].clear()
    onto = s.discards[-1].card
    able = flippers(s)
    chosen = [
        (seat, answer)
        for seat in step.order
        if seat in able and (answer := step.answers[seat]) is not None and answer != PASS
    ]
    if not chosen:
        play.tell("no_flips", onto=onto)
    elif len(chosen) > 1:
        play.tell("flips_settled", onto=onto, order=[seat for seat, _ in chosen])
    right = [(seat, place) for seat, place in chosen if matches(s, place, onto)]
    for seat, place in chosen:
        if (seat, place) not in right:
            wrong_flip(play, seat, place, onto)
        elif (seat, place) == right[0]:
            right_flip(play, seat, place)
        else:
            if place != right[0][1]:
                s.marks[place] = "too late"
            play.tell("late_flip", seat=seat, place=place)
    if right:
        give_or_resume(play, *right[0])
    else:
        resume(play)


# 5.3 giving


def giving(s: State, step: Give) -> Iterator[Listener]:
    this = str(step.number)
    yield Listener(step.seat, "give", give, one_of(cards_of(s, step.seat)), this)
    yield Listener(step.seat, "no_give", no_give, about=this)


def give(play: Play[State], place: Place) -> None:
    """Put one of your own cards face down into the emptied place."""
    s = play.state
    step = now(s, Give)
    decided(s, step.seat)
    card = card_at(s, place)
    put(s, place, None, "given away")
    put(s, step.place, card, "given")
    play.tell("gave", seat=step.seat, place=place, to=step.place)
    end_give(play)


def no_give(play: Play[State]) -> None:
    """Leave the emptied place empty."""
    s = play.state
    step = now(s, Give)
    decided(s, step.seat)
    play.tell("gave_nothing", seat=step.seat, place=step.place)
    end_give(play)


def end_give(play: Play[State]) -> None:
    """Play returns to where it was."""
    s = play.state
    s.steps.pop()
    s.steps[-1].resumed += 1
    resume(play)


# 5.4 consequences for the player on turn


def resume(play: Play[State]) -> None:
    """Go on after a flip; a player who has nothing left to choose from loses the turn."""
    if collect(play):  # the flipper may flip again onto this flip
        return
    s = play.state
    step = s.steps[-1]
    match step:
        case LastFlips() if is_patient(s):
            end_round(play)
        case FirstMove() if not first_moves(s):
            play.tell("passed", seat=s.turn)
            next_turn(play)
        case ReplaceTaken() if not any(s.grids[s.turn]):
            put_on_pile(s, step.card)
            play.tell("put_back", seat=s.turn, card=step.card)
            next_turn(play)
        case ReplaceDrawn() if not any(s.grids[s.turn]):
            discard(play)


# Section 6: end of a round, scoring


def end_round(play: Play[State]) -> None:
    """Turn all cards up and score."""
    s = play.state
    assert s.declared_by is not None
    for shown in s.seen:
        shown.clear()
    s.sums = [sum(points(card) for card in grid if card) for grid in s.grids]
    s.scores = round_scores(s.sums, s.declared_by, s.options.keep_negative)
    s.totals = [total + score for total, score in zip(s.totals, s.scores, strict=True)]
    s.ready = []
    enter(s, RoundOver())
    lowest = s.sums[s.declared_by] == min(s.sums)
    play.tell("made" if lowest else "missed", seat=s.declared_by, sum=s.sums[s.declared_by])
    play.tell("scored", round=s.round, sums=s.sums, scores=s.scores, totals=s.totals)
    if (result := outcome(s)) is not None:
        play.tell("won", winners=result.winners, points=min(s.totals))


def round_scores(sums: Sequence[int], declared_by: Seat, keep_negative: bool) -> list[int]:
    """Return the scores of a round from the sums of the grids."""
    scores = list(sums)
    own = sums[declared_by]
    if own > min(sums):
        scores[declared_by] = own + DECLARER_FINE
    else:
        scores[declared_by] = min(0, own) if keep_negative else 0
    return scores


# Section 7: match


def rounds_of(s: State) -> int:
    """Return how many rounds are played; 0 means until the target is reached."""
    if s.options.target:
        return 0
    return s.options.rounds or len(s.totals)


def is_last_round(s: State) -> bool:
    """Say whether the match is over when this round is."""
    if s.options.target:
        return max(s.totals) >= s.options.target
    return s.round >= rounds_of(s)


def outcome(s: State) -> Outcome | None:
    """Return how the match ended: the lowest total wins. None while it goes on."""
    if s.abandoned:
        reason = "abandoned"
    elif isinstance(s.steps[-1], RoundOver) and is_last_round(s):
        reason = "won"
    else:
        return None
    return Outcome(tuple(s.totals), places(s.totals, lowest_wins=True), reason)


# Section 9: leaving


def leave(play: Play[State], seat: str) -> None:
    """Mark a player as gone; with fewer than two left the match is abandoned."""
    s = play.state
    gone = int(seat)
    decided(s, gone)
    s.absent.append(gone)
    play.tell("left", seat=gone)
    step = s.steps[-1]
    if len(s.absent) > len(s.grids) - 2:
        s.abandoned = True
        play.tell("abandoned")
    elif isinstance(step, (Peeking, RoundOver)):
        go_on_when_ready(play)
    else:
        if gone == s.turn and not isinstance(s.steps[0], LastFlips):
            s.steps[0].number = next_decision(s)  # somebody who was here gets a new deadline
        if isinstance(step, Give) and step.seat == gone:
            no_give(play)
        elif isinstance(step, Collecting):  # a player who leaves flips nothing, whatever was chosen
            step.answers[gone], step.asked[gone] = None, False
            settle_when_all_have_answered(play)


def come_back(play: Play[State], seat: str) -> None:
    """Mark a player as back, who then has the full time for the decision at hand."""
    s = play.state
    back = int(seat)
    decided(s)
    s.absent.remove(back)
    if back == s.turn and not isinstance(s.steps[0], (Peeking, LastFlips, RoundOver)):
        s.steps[0].number = next_decision(s)
    play.tell("returned", seat=back)


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


def resample_sealed(play: Play[State], step: Collecting, viewer: Seat | None) -> None:
    """Redraw the order and the others' answers; one is missing, or all would be settled."""
    s = play.state
    step.order = play.shuffled(range(len(s.grids)))
    others = [seat for seat in flippers(s) if seat != viewer]
    possible = [None, PASS, *open_cards(s)]
    for seat in others:
        step.answers[seat] = play.chance.one_of(possible)
        step.asked[seat] = not step.longer and play.chance.below(2) == 1
    if others and all(step.answers[seat] is not None for seat in flippers(s)):
        step.answers[play.chance.one_of(others)] = None
