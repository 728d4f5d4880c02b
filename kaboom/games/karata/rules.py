"""The rules of Karata, in the order its rule book tells them."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal

from msgspec import Struct, field

from kaboom.core.cards import SUITS, Card, pack
from kaboom.core.chance import Chance
from kaboom.core.decisions import Decision
from kaboom.core.moves import Choices, IllegalMove, Pick, Seat, one_of
from kaboom.core.options import number, switch
from kaboom.core.play import Listener, Play
from kaboom.core.readiness import readying, still_to_be_ready
from kaboom.core.redeal import Unknown, redeal
from kaboom.core.views import Outcome, Saying, places
from kaboom.core.words import Names
from kaboom.games.karata.plays import (
    Broken,
    Effect,
    Request,
    broken,
    effect_of,
    finishes,
    following,
    forbidden_finish,
    is_plain,
    legal_plays,
    may_declare,
)
from kaboom.games.karata.words import WORDS

# 8. Options


@dataclass(frozen=True)
class Options:
    """What a table may choose; the defaults are the seed's rules."""

    fine: int = number(
        0,
        0,
        2,
        "Fine",
        "Cards drawn for an illegal play. 0 means no fine: the play is just refused.",
        "cards",
        zero="none",
    )
    deal: int = number(4, 3, 7, "Cards dealt", "How many cards each player starts with.", "cards")
    games: int = number(1, 1, 9, "Games", "Games in a match; whoever wins the most wins the match.")
    turn_seconds: int = number(
        0,
        0,
        300,
        "Time for a turn",
        "When time is up, the player draws. 0 means no limit.",
        "seconds",
        zero="no limit",
    )
    joker_ignores_request: bool = switch(
        False, "Jokers ignore requests", "A joker may start a play whatever was asked for."
    )
    strict_finish: bool = switch(False, "Strict finish", "Nobody may go out without winning.")

    def times(self) -> dict[str, float]:
        """Return how many seconds people have, by the option that sets it; 0 is no limit."""
        return {"turn_seconds": self.turn_seconds}


Stage = Literal["turn", "request", "last_card", "ready", "over"]


class State(Struct):
    """A match between two moves. Lists are by seat; deck and pile have their top card last."""

    options: Options
    hands: list[list[Card]]
    deck: list[Card]
    pile: list[Card]
    seat: Seat  # on turn
    last_card: list[bool]
    fined: list[int]  # cards drawn as fines in this game
    wins: list[int]
    ready: list[bool]
    absent: list[Seat] = field(default_factory=list)
    stage: Stage = "turn"
    direction: int = 1
    pick: int = 0  # cards the seat on turn has to pick
    request: Request = None
    row: list[Card] = field(default_factory=list)  # the half-built play of the seat on turn
    level: int = 0  # what the seat on turn may ask for now
    steps: int = 1  # seats the turn moves on when it ends
    decision: int = 0  # counts the decisions asked for
    tries: int = 0  # fined plays of this turn
    played: list[Card] = field(default_factory=list)  # the last play, even if reshuffled since
    played_by: Seat | None = None
    game: int = 0
    winner: Seat | None = None  # of the last game
    abandoned: bool = False


# 2 and 3. Deck and setup


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
    """Deal the next game: a plain card starts the pile, and the start moves on by one seat."""
    s = play.state
    seats = len(s.wins)
    deck = play.shuffled(pack())
    while not is_plain(deck[-1]):  # seed: "The game can only start ... with a non-special card"
        deck = play.shuffled(deck)
    s.pile, s.played, s.played_by = [deck.pop()], [], None
    s.hands = [[deck.pop() for _ in range(s.options.deal)] for _ in range(seats)]
    s.deck = deck
    s.direction, s.pick, s.request = 1, 0, None
    s.last_card, s.fined, s.ready = [False] * seats, [0] * seats, [False] * seats
    s.winner = None
    s.seat = s.game % seats
    s.game += 1
    while s.seat in s.absent:
        s.seat = beside(s, s.seat)
    play.tell("dealt", seat=s.seat, card=top(s), game=s.game, games=s.options.games)
    for seat, hand in enumerate(s.hands):
        play.whisper(seat, "dealt_hand", cards=hand)
    begin(play, "turn")


def top(s: State) -> Card:
    """Return the top card of the pile."""
    return s.pile[-1]


def beside(s: State, seat: Seat) -> Seat:
    """Return the neighbour of a seat in the direction of play."""
    return (seat + s.direction) % len(s.wins)


# 4. Turn structure


def offers(s: State) -> Iterator[Listener]:
    """Yield what may be done now: a turn, then sometimes a request, then the last-card question."""
    now = str(s.decision)
    match s.stage:
        case "turn":
            yield from turn(s)
        case "request":
            yield Listener(s.seat, "suit", ask, one_of(SUITS), about=now)
            if s.level > 1:
                yield Listener(s.seat, "card", ask, one_of(pack()), about=now)
            yield Listener(s.seat, "no_request", ask_nothing, about=now)
        case "last_card":
            yield Listener(s.seat, "last_card", answer, one_of(("yes", "no")), about=now)
        case "ready":
            yield from readying(unready(s), now, make_ready)


def begin(play: Play[State], stage: Stage) -> None:
    """Ask for the next decision."""
    s = play.state
    s.stage = stage
    s.decision += 1
    s.tries = 0
    s.row = []


# 4.1 Play or draw


def turn(s: State) -> Iterator[Listener]:
    """Yield what the seat on turn may do: build a row card by card, play it, or draw.

    The row is a draft only its owner sees. `lay` plays a whole row in one move.
    """
    hand = s.hands[s.seat]
    now = f"{s.decision}.{s.tries}"  # a play sent twice must not be fined twice
    shown = " ".join([now, *s.row])  # what is played is the row as its owner saw it
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


@dataclass(frozen=True, slots=True)
class RowPick(Pick):
    """A pick of cards in order whose legal rows the rules find, rather than trying them all."""

    state: State | None = None

    @classmethod
    def of(cls, s: State) -> "RowPick":
        """Return the pick of a play by the seat on turn."""
        hand = tuple(s.hands[s.seat])
        return cls(hand, 1, len(hand), True, lambda cards: why_not(s, cards), s)

    def legal(self) -> Iterator[Choices]:
        """Yield the plays that break no rule; a play that would be fined is not among them."""
        s = self.state
        assert s
        for cards in legal_plays(self.options, *facing(s)):
            if self.refusal(cards) is None:
                yield cards

    def random(self, chance: Chance) -> Choices | None:
        """Return some play that is not refused; with fines on, often one that will be fined."""
        s = self.state
        assert s
        row: Choices = ()
        if s.options.fine and chance.below(2):
            row = tuple(chance.sample(self.options, 1 + chance.below(2)))
        while more := following(row, self.options, *facing(s)):
            row = (*row, chance.one_of(more))
            if chance.below(2):
                break
        while row and self.refusal(row):
            row = row[:-1]
        return row or None


def facing(s: State) -> tuple[Card, int, Request, bool]:
    """Return what a play faces: top card, pending pick, open request, and an option."""
    return top(s), s.pick, s.request, s.options.joker_ignores_request


def add(play: Play[State], card: Card) -> None:
    """Put a card at the end of the row."""
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
    """Draw instead of playing: the pending pick, or one card. Top card and request stay."""
    s = play.state
    count = s.pick or 1
    s.pick = 0
    if take(play, s.seat, count, "drew"):
        s.steps = 1
        ask_last_card(play)


# 5. Which cards may be played

RULES = {  # the rule a play breaks, and the heading of rules.md that explains it
    "request": "meeting-a-request",
    "bomb": "answering-a-bomb",
    "first_card": "the-first-card",
    "answer": "questions",
    "ace_or_joker_order": "several-cards-in-one-play",
    "sequence": "several-cards-in-one-play",
    "finish": "strict-finish",
}


def breach(s: State, cards: Choices) -> Saying | None:
    """Return the rule of section 5 that a play breaks, as a saying, or None."""
    wrong = broken(s.pile[-1], s.pick, s.request, cards, s.options.joker_ignores_request)
    return Saying(f"broke_{wrong.rule}", breach_facts(s, wrong, cards)) if wrong else None


def breach_facts(s: State, wrong: Broken, cards: Choices) -> dict[str, str | None]:
    """Return the facts used in the sentence about a broken rule."""
    card = cards[wrong.index]
    if wrong.rule == "request":
        return {"card": card, "request": s.request}
    if wrong.index == 0:
        return {"card": card, "top": top(s)}
    return {"card": card, "before": cards[wrong.index - 1]}


def why_not(s: State, cards: Choices) -> IllegalMove | None:
    """Return why the seat on turn may not play these cards in this order, or None.

    With fines on, a breach of section 5 is not refused: the play is accepted, and costs the fine.
    """
    if wrong := breach(s, cards):
        return None if s.options.fine else refusal(wrong)
    if s.options.strict_finish and forbidden_finish(s.hands[s.seat], cards, s.last_card[s.seat]):
        return refusal(Saying("broke_finish"))
    return None


def refusal(wrong: Saying) -> IllegalMove:
    """Return the refusal that names the broken rule and its heading in rules.md."""
    sentence = WORDS.say(wrong.kind, wrong.facts, Names(()))
    return IllegalMove(sentence or "", RULES[wrong.kind.removeprefix("broke_")])


# 6. Effects of a legal play


def lay(play: Play[State], *cards: Card) -> None:
    """Play cards in this order; with fines on, a play that breaks a rule is fined instead."""
    s = play.state
    if wrong := breach(s, cards):
        fine(play, wrong)
        return
    seat, hand = s.seat, s.hands[s.seat]
    effect = effect_of(s.pick, s.request, cards)
    won = finishes(hand, cards, s.last_card[seat])
    play.tell("played", seat=seat, cards=cards)
    for saying in consequences(s, cards):
        play.tell(saying.kind, **saying.facts)
    for card in cards:
        hand.remove(card)
    s.pile += cards
    s.played, s.played_by = list(cards), seat
    s.row = []
    if won:  # its effects are not carried out
        end_game(play, seat)
        return
    s.request, s.pick = effect.request, effect.pick
    if effect.draws and not take(play, seat, effect.draws):
        return
    if effect.reverses:
        s.direction = -s.direction
    s.steps, s.level = effect.steps, effect.level
    if s.level:
        begin(play, "request")
    else:
        ask_last_card(play)


def consequences(s: State, cards: Choices) -> list[Saying]:
    """Return in words what a legal play of the seat on turn does: shown before, told after."""
    hand = s.hands[s.seat]
    effect = effect_of(s.pick, s.request, cards)
    if finishes(hand, cards, s.last_card[s.seat]):
        return [Saying("wins", {"seat": s.seat})]
    said = [*answers(s, effect)]
    if effect.draws:
        said.append(Saying("unanswered", {"seat": s.seat}))
    if effect.reverses:
        said.append(Saying("turned"))
    reached = walk(s, effect)
    if effect.jacks:
        said.append(Saying("jumped", {"seats": sorted(set(reached[:-1]))}))
    if [s.seat, *reached][-1] == s.seat:
        said.append(Saying("again", {"seat": s.seat}))
    if effect.pick:
        said.append(Saying("bombed", {"seat": beside(s, s.seat), "count": effect.pick}))
    if effect.level:
        kind = "may_ask_suit" if effect.level == 1 else "may_ask_card"
        said.append(Saying(kind, {"seat": s.seat}))
    if len(cards) == len(hand) and not effect.draws:
        said.append(Saying("cardless", {"seat": s.seat}))
    return said


def answers(s: State, effect: Effect) -> Iterator[Saying]:
    """Yield what a play does to the open request or the pending pick."""
    if effect.met:
        yield Saying("met", {"request": s.request})
    elif effect.request != s.request:
        facts = {"request": s.request, "left": effect.request}
        yield Saying("reduced" if effect.request else "lifted", facts)
    if effect.blocked:
        yield Saying("blocked")


def walk(s: State, effect: Effect) -> list[Seat]:
    """Return the present seats the turn passes over, then the one it comes to."""
    direction = -s.direction if effect.reverses else s.direction
    seats, seat = len(s.wins), s.seat
    reached: list[Seat] = []
    while len(reached) < effect.steps:
        seat = (seat + direction) % seats
        if seat not in s.absent:
            reached.append(seat)
    return reached


# 4.2 Request


def ask(play: Play[State], wish: str) -> None:
    """Ask for a suit or for a card; any of the 54 may be named."""
    play.state.request = wish
    play.tell("asked", seat=play.state.seat, request=wish)
    ask_last_card(play)


def ask_nothing(play: Play[State]) -> None:
    """Ask for no more than what is open: nothing, after an ace of full value."""
    play.tell("asked_nothing", seat=play.state.seat)
    ask_last_card(play)


# 4.3 Last card


def ask_last_card(play: Play[State]) -> None:
    """End a turn with the last-card question, where the hand allows it."""
    s = play.state
    if may_declare(s.hands[s.seat]):
        begin(play, "last_card")
    else:
        s.last_card[s.seat] = False
        pass_turn(play)


def answer(play: Play[State], yes: str) -> None:
    """Say last card, or not; "yes" lasts until the end of the player's next turn."""
    s = play.state
    s.last_card[s.seat] = yes == "yes"
    play.tell("declared" if s.last_card[s.seat] else "not_declared", seat=s.seat)
    pass_turn(play)


# 4.4 Timers


def decisions(s: State) -> Iterator[Decision[State]]:
    """Yield the decision that is asked for, and what is decided for a player whose time is up."""
    now, seconds = str(s.decision), s.options.turn_seconds
    if s.stage == "ready":
        yield Decision(name=now, seats=unready(s), seconds=seconds, default=be_ready, then=deal)
    elif s.stage != "over":
        yield Decision(name=now, seats=[s.seat], seconds=seconds, default=DEFAULTS[s.stage])


DEFAULTS: dict[str, Callable[[Play[State], Seat], None]] = {
    "turn": lambda play, seat: draw(play),
    "request": lambda play, seat: ask_nothing(play),
    "last_card": lambda play, seat: answer(play, "no"),
}


# 11. Next seat


def pass_turn(play: Play[State]) -> None:
    """Move the turn on by `steps` seats. Absent ones are skipped and do not count as jumped."""
    s = play.state
    for _ in range(s.steps):
        s.seat = beside(s, s.seat)
        if not pass_absent(play):
            return
    if pass_absent(play):  # without steps the same player goes on, who may have left
        begin(play, "turn")


def pass_absent(play: Play[State]) -> bool:
    """Move on from an absent seat to a present one; a pick that fell to it is drawn first.

    Returns False when the game ended for lack of cards.
    """
    s = play.state
    while s.seat in s.absent:
        if s.pick:
            count, s.pick = s.pick, 0
            s.last_card[s.seat] = False  # house: this was its turn, and nobody answered for it
            if not take(play, s.seat, count, "drew_away"):
                return False
        s.seat = beside(s, s.seat)
    return True


# 8. Fine


def fine(play: Play[State], wrong: Saying) -> None:
    """Fine the seat on turn: it draws, loses last card and is still on turn; a pick stays."""
    s = play.state
    count = min(s.options.fine, len(s.deck) + len(s.pile) - 1)
    s.last_card[s.seat] = False
    s.fined[s.seat] += count
    s.tries += 1
    s.row = []
    play.whisper(s.seat, wrong.kind, **wrong.facts)
    play.tell("fined", seat=s.seat, count=count)
    take(play, s.seat, count)


# 7. Winning and end


def end_game(play: Play[State], winner: Seat | None) -> None:
    """End a game; the match goes on with the next one when all are ready, or is over."""
    s = play.state
    s.winner = winner
    s.pick, s.request = 0, None
    if winner is not None:
        s.wins[winner] += 1
    begin(play, "over" if s.game == s.options.games else "ready")


def unready(s: State) -> list[Seat]:
    """Return the seats the next game is waiting for."""
    ready = [seat for seat, is_ready in enumerate(s.ready) if is_ready]
    return still_to_be_ready(len(s.wins), ready, s.absent)


def make_ready(play: Play[State]) -> None:
    """Be ready for the next game."""
    be_ready(play, play.seat)


def be_ready(play: Play[State], seat: Seat) -> None:
    play.state.ready[seat] = True
    play.tell("ready", seat=seat)


def outcome(s: State) -> Outcome | None:
    """Return how the match ended, or None: the most games won wins, equal numbers share."""
    if s.stage != "over":
        return None
    reason = "won" if any(s.wins) else "deck_exhausted"
    return Outcome(tuple(s.wins), places(s.wins), "abandoned" if s.abandoned else reason)


# 10. Edge cases


def take(play: Play[State], seat: Seat, count: int, kind: str = "") -> bool:
    """Draw cards for a seat, reporting `kind`; False when there are too few and the game ends.

    The pile, except its top card, is shuffled into the deck only when the deck is not enough.
    """
    s = play.state
    if count > len(s.deck):
        if count > len(s.deck) + len(s.pile) - 1:
            play.tell("exhausted", count=count)
            end_game(play, None)
            return False
        s.deck = play.shuffled(s.deck + s.pile[:-1])
        s.pile = s.pile[-1:]
        play.tell("reshuffled")
    cards = [s.deck.pop() for _ in range(count)]
    s.hands[seat] += cards
    if kind:
        play.tell(kind, seat=seat, count=count)
    if cards:
        play.whisper(seat, "drew_cards", cards=cards)
    return True


def left(play: Play[State], seat: Seat) -> None:
    """The hand stays; if the seat is on turn, the turn passes. Two must stay."""
    s = play.state
    if len(s.wins) - len(s.absent) < 2:
        s.abandoned = True
        play.tell("abandoned")
        begin(play, "over")
    elif s.stage != "ready" and s.seat == seat:
        skip(play)


def skip(play: Play[State]) -> None:
    """Pass the turn of a seat that has just left; it asks for nothing, says no last card."""
    s = play.state
    play.tell("skipped", seat=s.seat)
    if s.stage == "turn":  # it was not played, so there is nothing to jump or to answer
        s.steps = 0
    else:
        s.last_card[s.seat] = False
    pass_turn(play)


# 9. Hidden information


def resample(play: Play[State], viewer: Seat | None) -> None:
    """Redeal all cards the viewer does not see, and the row that another seat is building.

    Between turns a seat on last card, or asked for it, is known to hold no card that forbids it.
    """
    s = play.state
    unknown = [Unknown(s.deck)]
    for seat, hand in enumerate(s.hands):
        if seat != viewer:
            harmless = may_declare(hand) and known_harmless(s, seat)
            unknown.append(Unknown(hand, fits=is_harmless if harmless else None))
    redeal(play.chance, unknown)
    if s.stage == "turn" and s.seat != viewer:
        hand = s.hands[s.seat]
        s.row = play.chance.sample(hand, play.chance.below(len(hand) + 1))


def is_harmless(card: Card) -> bool:
    """Say whether a card can be held by somebody on last card."""
    return may_declare([card])


def known_harmless(s: State, seat: Seat) -> bool:
    """Say whether everybody knows that the seat holds no ace, bomb, jack or king."""
    return s.last_card[seat] or (s.stage == "last_card" and s.seat == seat)
