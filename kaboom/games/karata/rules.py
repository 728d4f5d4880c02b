"""The rules of Karata, in the order its rule book tells them."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Literal

from msgspec import Struct, field

from kaboom.core.cards import SUITS, Card, is_joker, suit_of
from kaboom.core.chance import Chance, next_on_list
from kaboom.core.decisions import Decision
from kaboom.core.moves import Choices, IllegalMove, Pick, Seat, one_of
from kaboom.core.play import Listener, Play
from kaboom.core.readiness import readying, still_to_be_ready
from kaboom.core.redeal import Unknown, redeal
from kaboom.core.views import Outcome, Saying, places
from kaboom.core.words import Names
from kaboom.games.karata.house import House, points_of
from kaboom.games.karata.options import Options
from kaboom.games.karata.plays import (
    Broken,
    Effect,
    Facing,
    Request,
    broken,
    effect_of,
    finishes,
    following,
    forbidden_finish,
    legal_plays,
    may_declare,
)
from kaboom.games.karata.words import WORDS

Stage = Literal["turn", "drawn", "request", "last_card", "stop", "ready", "over"]


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
    # What only some options need.
    question: bool = False  # the seat on turn has to answer the top card
    stop: Literal["", "jump", "kickback"] = ""  # what the last play did that may be stopped
    asked: Seat | None = None  # whether it stops that
    cut_suit: str = ""  # the suit of the 7 that ends the game
    counted: list[int] = field(default_factory=list)  # points by seat, when somebody has cut
    shared: list[Seat] = field(default_factory=list)  # winners of the last game, if several
    board: bool = False  # several tables play this deal: the deck is a sorted set
    decks: int = 0  # so many there were on a board: for each the seats have new lists

    @property
    def house(self) -> House:
        """Return what the cards do at this table."""
        return self.options.house


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
    lot = play.lot("deal", s.game + 1)
    deck = lot.shuffled(s.house.pack)
    while deck[-1] not in s.house.openers:  # seed: "The game can only start ... non-special card"
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


def starter(s: State, lot: Chance) -> Seat:
    """Return who begins the next game: each in turn, the last winner, or somebody by lot."""
    if s.options.starter == "random":
        return lot.one_of(present(s))
    winners = s.shared if s.winner is None else [s.winner]
    if s.options.starter == "winner" and winners:
        return winners[0]  # house: of several who share a game, the first at the table
    return s.game % len(s.wins)


def present(s: State) -> list[Seat]:
    """Return the seats that have not left."""
    return [seat for seat in range(len(s.wins)) if seat not in s.absent]


def top(s: State) -> Card:
    """Return the top card of the pile."""
    return s.pile[-1]


def ground(s: State) -> Card:
    """Return the card to be matched: the top card, or under jokers the first that is none.

    house: where only jokers lie, since the rest was shuffled into the deck, it is the top one.
    """
    if not s.house.looks_under:
        return s.pile[-1]
    return next((card for card in reversed(s.pile) if not is_joker(card)), s.pile[-1])


def on_turn(s: State) -> Seat:
    """Return the seat that is asked now: the one on turn, or the one that may stop its play."""
    return s.seat if s.asked is None else s.asked


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
        for cards in legal_plays(s.house, facing(s), self.options):
            if self.refusal(cards) is None:
                yield cards

    def random(self, chance: Chance) -> Choices | None:
        """Return some play that is not refused; with fines on, often one that will be fined."""
        s = self.state
        assert s
        row: Choices = ()
        if s.options.fine and chance.below(2):
            row = tuple(chance.sample(self.options, 1 + chance.below(2)))
        while more := following(s.house, facing(s), row, self.options):
            row = (*row, chance.one_of(more))
            if chance.below(2):
                break
        while row and self.refusal(row):
            row = row[:-1]
        return row or None


def facing(s: State) -> Facing:
    """Return what a play of the seat on turn faces."""
    two = len(s.wins) - len(s.absent) == 2
    return Facing(s.pile[-1], ground(s), s.pick, s.request, s.question, two)


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
    picked, s.pick = s.pick, 0
    if not take(play, s.seat, picked or 1, "drew"):
        return
    s.steps = 1
    if s.options.play_drawn and not picked:  # asked whether it fits or not: others must not know
        begin(play, "drawn")
    else:
        keep_quiet(play)


def keep(play: Play[State]) -> None:
    """Keep the card that was drawn."""
    play.tell("kept", seat=play.state.seat)
    keep_quiet(play)


def keep_quiet(play: Play[State]) -> None:
    """End a turn without a play: a question of the last player binds nobody any more."""
    play.state.question = False
    ask_last_card(play)


# 5. Which cards may be played

RULES = {  # the rule a play breaks, as it is cited, and the heading of rules.md that explains it
    "request": "meeting-a-request",
    "request_joker": "meeting-a-request",
    "bomb": "answering-a-bomb",
    "bomb_here": "answering-a-bomb",
    "question": "questions",
    "first_card": "the-first-card",
    "first_ace": "the-first-card",
    "first_colour": "the-first-card",
    "first_under": "the-first-card",
    "answer": "questions",
    "answer_kind": "questions",
    "answer_colour": "questions",
    "open": "questions",
    "ace_or_joker_order": "several-cards-in-one-play",
    "ace_order": "several-cards-in-one-play",
    "no_order": "several-cards-in-one-play",
    "sequence": "several-cards-in-one-play",
    "single": "several-cards-in-one-play",
    "finish": "strict-finish",
}


def breach(s: State, cards: Choices) -> Saying | None:
    """Return the rule of section 5 that a play breaks, as a saying, or None."""
    wrong = broken(s.house, facing(s), cards)
    if wrong is None:
        return None
    return Saying(f"broke_{cited(s, wrong, cards)}", breach_facts(s, wrong, cards))


def cited(s: State, wrong: Broken, cards: Choices) -> str:
    """Return the name of the broken rule as it is in force at this table, a key of RULES."""
    options, card = s.options, cards[wrong.index]
    match wrong.rule:
        case "request" if options.joker_ignores_request:
            return "request_joker"
        case "bomb" if bombs_here(s):
            return "bomb_here"
        case "first_card" if s.house.by_colour and (is_joker(card) or is_joker(top(s))):
            return "first_colour"
        case "first_card" if ground(s) != top(s):
            return "first_under"
        case "first_card" if card in s.house.aces:
            return "first_ace"
        case "answer" if card not in s.house.answers:
            return "answer_kind"
        case "answer" if is_joker(card):
            return "answer_colour"
        case "ace_or_joker_order" if not s.house.questions or options.answer == "plain":
            return "no_order"
        case "ace_or_joker_order" if options.answer == "ace":
            return "ace_order"
        case rule:
            return rule


def breach_facts(s: State, wrong: Broken, cards: Choices) -> dict[str, Any]:
    """Return the facts used in the sentence about a broken rule."""
    card = cards[wrong.index]
    match wrong.rule:
        case "request":
            return {"card": card, "request": s.request}
        case "bomb":
            facts = {"card": card, "top": top(s)}
            return facts | bombs_here(s)
        case "question":
            return {"card": card, "top": top(s), "answer": s.options.answer}
        case "first_card":
            under = {"ground": ground(s)} if ground(s) != top(s) else {}
            return {"card": card, "top": top(s)} | under
        case "answer":
            kind = {} if card in s.house.answers else {"answer": s.options.answer}
            return {"card": card, "before": cards[wrong.index - 1]} | kind
        case "open":
            return {"card": card}
        case _:
            return {"card": card, "before": cards[wrong.index - 1]}


def bombs_here(s: State) -> dict[str, str]:
    """Return which aces block a bomb here ("aces", "spades", "none") and what counters one.

    Empty where all aces do and near bombs, as usual.
    """
    house = s.house
    block = "none" if not house.blocks else "aces" if house.blocks == house.aces else "spades"
    if (block, house.counter) == ("aces", "near"):
        return {}
    return {"block": block, "counter": house.counter}


def why_not(s: State, cards: Choices) -> IllegalMove | None:
    """Return why the seat on turn may not play these cards in this order, or None.

    With fines on, a breach of section 5 is not refused: the play is accepted, and costs the fine.
    """
    if wrong := breach(s, cards):
        return None if s.options.fine else refusal(wrong)
    hand, called = s.hands[s.seat], s.last_card[s.seat]
    if s.options.strict_finish and forbidden_finish(s.house, hand, cards, called):
        return refusal(Saying("broke_finish"))
    return None


def refusal(wrong: Saying) -> IllegalMove:
    """Return the refusal that names the broken rule and its heading in rules.md."""
    sentence = WORDS.say(wrong.kind, wrong.facts, Names(()))
    return IllegalMove(sentence or "", RULES[wrong.kind.removeprefix("broke_")])


# 6. Effects of a legal play


def lay(play: Play[State], *cards: Card) -> None:
    """Play cards in this order; with fines on, a play that breaks a rule is fined instead."""
    if wrong := breach(play.state, cards):
        fine(play, wrong)
    else:
        carry_out(play, cards)


def carry_out(play: Play[State], cards: Choices, may_be_stopped: bool = True) -> None:
    """Do what a legal play of the seat on turn does."""
    s = play.state
    seat, hand = s.seat, s.hands[s.seat]
    effect = effect_of(s.house, facing(s), cards)
    won, cut = wins(s, cards), cuts(s, cards)
    play.tell("played", seat=seat, cards=cards)
    for saying in consequences(s, cards):
        play.tell(saying.kind, **saying.facts)
    put_down(s, cards)
    if won:  # its effects are not carried out
        end_game(play, seat)
        return
    if cut:
        count_hands(play)
        return
    s.request, s.pick, s.question = effect.request, effect.pick, effect.question
    if effect.draws and not take(play, seat, effect.draws):
        return
    if not hand:
        draw_for_silence(play)
    if effect.reverses:
        s.direction = -s.direction
    s.stop = stoppable(s, effect) if may_be_stopped else ""
    s.steps, s.level = effect.steps, effect.level
    if s.level:
        begin(play, "request")
    else:
        ask_last_card(play)


def put_down(s: State, cards: Choices) -> None:
    """Move cards of the seat on turn from its hand to the pile."""
    for card in cards:
        s.hands[s.seat].remove(card)
    s.pile += cards
    s.played, s.played_by = list(cards), s.seat
    s.row = []


def consequences(s: State, cards: Choices) -> list[Saying]:
    """Return in words what a legal play of the seat on turn does: shown before, told after."""
    hand = s.hands[s.seat]
    effect = effect_of(s.house, facing(s), cards)
    if wins(s, cards):
        kind = "wins" if s.house.call != "none" else "wins_out"
        return [Saying(kind, {"seat": s.seat})]
    if cuts(s, cards):
        return [Saying("cuts", {"seat": s.seat, "points": points_left(s, cards)})]
    said = [*met_or_lifted(s, effect)]
    if effect.draws:
        said.append(Saying("unanswered", {"seat": s.seat}))
    if effect.question:
        said.append(Saying("left_open", {"seat": beside(s, s.seat)}))
    if effect.reverses:
        said.append(Saying("turned"))
    reached = walk(s, effect)
    stop = stoppable(s, effect)
    if effect.jumps:
        seats = sorted(set(reached[:-1]))
        said.append(Saying("jumps" if stop else "jumped", {"seats": seats}))
    if [s.seat, *reached][-1] == s.seat and not stop:
        said.append(Saying("again", {"seat": s.seat}))
    if effect.pick:
        kind = "bombed_here" if bombs_here(s) else "bombed"
        said.append(Saying(kind, {"seat": beside(s, s.seat), "count": effect.pick}))
    if effect.level:
        kind = "may_ask_suit" if effect.level == 1 else "may_ask_card"
        said.append(Saying(kind, {"seat": s.seat}))
    if len(cards) == len(hand) and not effect.draws:
        said.append(goes_out(s))
    return said


def goes_out(s: State) -> Saying:
    """Return how it is said that the seat on turn goes out without winning."""
    if s.options.forgot and not s.last_card[s.seat]:
        return Saying("uncalled", {"seat": s.seat, "count": s.options.forgot})
    return Saying("cardless", {"seat": s.seat})


def met_or_lifted(s: State, effect: Effect) -> Iterator[Saying]:
    """Yield what a play does to the open request or the pending pick."""
    if effect.met:
        yield Saying("met", {"request": s.request})
    elif effect.request != s.request and s.request is not None:
        facts = {"request": s.request, "left": effect.request}
        yield Saying("reduced" if effect.request else "lifted", facts)
    if effect.blocked:
        yield Saying("blocked")
        if effect.request:
            yield Saying("suit_stays", {"request": effect.request})


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


# What may be stopped


def stoppable(s: State, effect: Effect) -> Literal["", "jump", "kickback"]:
    """Return what of a play another player may stop here, or nothing."""
    if s.options.stops == "no":
        return ""
    return "jump" if effect.jumps else "kickback" if effect.reverses else ""


def who_may_stop(s: State) -> Seat | None:
    """Return who is asked: the first seat to be jumped, or the one that lost its turn, or nobody.

    It is asked whatever it holds, so that its silence tells nothing. With two players a kickback
    costs nobody a turn.
    """
    if s.stop == "jump":
        seat = neighbour(s, s.direction)
        return None if seat == s.seat else seat
    lost = neighbour(s, -s.direction)
    return None if lost == neighbour(s, s.direction) else lost


def neighbour(s: State, direction: int) -> Seat:
    """Return the next present seat in a direction from the seat on turn."""
    seat = (s.seat + direction) % len(s.wins)
    while seat in s.absent:
        seat = (seat + direction) % len(s.wins)
    return seat


def stopping(s: State, now: str) -> Iterator[Listener]:
    """Yield what the seat that is asked may do: stop it with a card of the same kind, or not."""
    asked = on_turn(s)
    kind = s.house.jumps if s.stop == "jump" else s.house.kickbacks
    cards = tuple(card for card in s.hands[asked] if card in kind)
    several = s.stop == "jump" and s.options.stops == "pass_on" and s.options.sets
    if cards:
        most = len(cards) if several else 1
        can = Pick(cards, 1, most, several, lambda cards: why_not_stop(s, cards))
        yield Listener(asked, "stop", stop, can, about=now)
    yield Listener(asked, "let", let, about=now)


def why_not_stop(s: State, cards: Choices) -> IllegalMove | None:
    """Return why these cannot stop a play: only that going out without winning is not allowed."""
    hand, called = s.hands[on_turn(s)], s.last_card[on_turn(s)]
    if s.options.strict_finish and forbidden_finish(s.house, hand, cards, called):
        return refusal(Saying("broke_finish"))
    return None


def stop(play: Play[State], *cards: Card) -> None:
    """Stop a jump or a kickback: pass it on as a play of one's own, or undo it and take a turn.

    A king that turns a kickback back can itself not be stopped: nobody has lost a turn by it.
    """
    s = play.state
    stopped, s.seat, s.asked, s.stop = s.stop, on_turn(s), None, ""
    if s.options.stops == "pass_on":
        carry_out(play, cards, may_be_stopped=stopped == "jump")
        return
    won = wins(s, cards)
    play.tell("played", seat=s.seat, cards=cards)
    play.tell("undone" if stopped == "jump" else "turned_back", seat=s.seat)
    put_down(s, cards)
    if won:
        play.tell("wins" if s.house.call != "none" else "wins_out", seat=s.seat)
        end_game(play, s.seat)
        return
    if stopped == "kickback":
        s.direction = -s.direction
    if not s.hands[s.seat]:
        out = goes_out(s)
        play.tell(out.kind, **out.facts)
        draw_for_silence(play)
        s.last_card[s.seat] = False
    begin(play, "turn")


def let(play: Play[State]) -> None:
    """Let a jump or a kickback pass."""
    s = play.state
    play.tell("let", seat=on_turn(s))
    s.stop, s.asked = "", None
    pass_turn(play)


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
    if may_declare(s.house, s.hands[s.seat]):
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
        yield Decision(name=now, seats=[on_turn(s)], seconds=seconds, default=DEFAULTS[s.stage])


DEFAULTS: dict[str, Callable[[Play[State], Seat], None]] = {
    "turn": lambda play, seat: draw(play),
    "drawn": lambda play, seat: keep(play),
    "request": lambda play, seat: ask_nothing(play),
    "last_card": lambda play, seat: answer(play, "no"),
    "stop": lambda play, seat: let(play),
}


# 11. Next seat


def pass_turn(play: Play[State]) -> None:
    """Move the turn on by `steps` seats. Absent ones are skipped and do not count as jumped.

    Before that, somebody may be asked whether a jump or a kickback is stopped.
    """
    s = play.state
    if s.stop:
        s.asked = who_may_stop(s)
        if s.asked is not None:
            begin(play, "stop")
            return
        s.stop = ""
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
    """Fine the seat on turn: it draws, loses last card and is still on turn; a pick stays.

    Where a fine ends the turn, as it always does for a card just drawn, the pick is drawn, too:
    else a false play would be a way past a bomb.
    """
    s = play.state
    count = min(s.options.fine, len(s.deck) + len(s.pile) - 1)
    s.last_card[s.seat] = False
    s.fined[s.seat] += count
    s.tries += 1
    s.row = []
    play.whisper(s.seat, wrong.kind, **wrong.facts)
    play.tell("fined", seat=s.seat, count=count)
    take(play, s.seat, count)
    if s.options.fine_ends_turn or s.stage == "drawn":
        picked, s.pick = s.pick, 0
        s.question, s.steps = False, 1
        if not picked or take(play, s.seat, picked, "drew"):
            pass_turn(play)


# 7. Winning and end


def wins(s: State, cards: Choices) -> bool:
    """Say whether a play of the seat on turn wins the game."""
    hand, called = s.hands[s.seat], s.last_card[s.seat]
    return finishes(s.house, hand, cards, called) and not kept_waiting(s)


def kept_waiting(s: State) -> bool:
    """Say whether nobody can win now, since another player at the table has no cards."""
    # Who plays holds what is played until all of it is judged.
    return s.options.wait_cardless and not all(s.hands[seat] for seat in present(s))


def draw_for_silence(play: Play[State]) -> None:
    """Draw for going out without having called last card; what there is, as for a fine."""
    s = play.state
    if not s.last_card[s.seat]:
        count = min(s.options.forgot, len(s.deck) + len(s.pile) - 1)
        take(play, s.seat, count, "drew" if count else "")


def cuts(s: State, cards: Choices) -> bool:
    """Say whether a play ends the game: with the 7 of the opening suit, and few points left.

    house: some card has to be left, since going out is won by the rules of last card.
    """
    return (
        bool(s.cut_suit)
        and f"7{s.cut_suit}" in cards
        and len(cards) < len(s.hands[s.seat])
        and points_left(s, cards) <= s.options.cut
        and not kept_waiting(s)
    )


def points_left(s: State, cards: Choices) -> int:
    """Return what the hand of the seat on turn counts without these cards."""
    return sum(points_of(card) for card in s.hands[s.seat] if card not in cards)


def count_hands(play: Play[State]) -> None:
    """End a game that was cut: the lowest hand of those at the table wins, equal ones share."""
    s = play.state
    s.counted = [sum(points_of(card) for card in hand) for hand in s.hands]
    lowest = min(s.counted[seat] for seat in present(s))
    play.tell("counted", points=s.counted)
    end_game(play, *(seat for seat in present(s) if s.counted[seat] == lowest))


def end_game(play: Play[State], *winners: Seat) -> None:
    """End a game; the match goes on with the next one when all are ready, or is over."""
    s = play.state
    s.winner = winners[0] if len(winners) == 1 else None
    s.shared = list(winners) if len(winners) > 1 else []
    s.pick, s.request, s.question = 0, None, False
    for winner in winners:
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
            end_game(play)
            return False
        s.deck += s.pile[:-1]
        if play.board:
            lay_in_order(s)
        else:
            s.deck = play.shuffled(s.deck)
        s.pile = s.pile[-1:]
        play.tell("reshuffled")
    cards = next_cards(play, seat, count)
    s.hands[seat] += cards
    if kind:
        play.tell(kind, seat=seat, count=count)
    if cards:
        play.whisper(seat, "drew_cards", cards=cards)
    return True


def lay_in_order(s: State) -> None:
    """Make a new deck of a board, whose order means nothing: the seats draw by new lists."""
    s.deck.sort()
    s.decks += 1


def next_cards(play: Play[State], seat: Seat, count: int) -> list[Card]:
    """Take so many cards from the deck: on a board the next on the seat's own list."""
    s = play.state
    if not play.board:
        return [s.deck.pop() for _ in range(count)]
    listed = play.lot(f"list {seat}", s.decks).shuffled(s.house.pack) if count else []
    cards = []
    for _ in range(count):
        cards.append(next_on_list(listed, s.deck))
        s.deck.remove(cards[-1])
    return cards


def left(play: Play[State], seat: Seat) -> None:
    """The hand stays; if the seat is on turn, the turn passes. Two must stay."""
    s = play.state
    if len(s.wins) - len(s.absent) < 2:
        s.abandoned = True
        play.tell("abandoned")
        begin(play, "over")
    elif s.stage == "stop":
        if on_turn(s) == seat:  # who has left is not jumped, so the next one is asked
            s.asked = None
            pass_turn(play)
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
    if s.stage == "drawn":
        s.question = False
    pass_turn(play)


# 9. Hidden information


def resample(play: Play[State], viewer: Seat | None) -> None:
    """Redeal all cards the viewer does not see, and the row that another seat is building.

    Between turns a seat on last card, or asked for it, is known to hold no card that forbids it.
    """
    s = play.state
    hidden = s.stage == "drawn" and s.seat != viewer
    drawn = [s.hands[s.seat].pop()] if hidden else []  # of which nothing is known
    unknown = [Unknown(s.deck), Unknown(drawn)]
    for seat, hand in enumerate(s.hands):
        if seat != viewer:
            harmless = known_harmless(s, seat) and may_declare(s.house, hand)
            fits = s.house.harmless.__contains__ if harmless else None
            unknown.append(Unknown(hand, fits=fits))
    redeal(play.chance, unknown)
    if s.board:
        s.deck.sort()
    s.hands[s.seat] += drawn
    if s.stage == "turn" and s.seat != viewer:
        hand = s.hands[s.seat]
        s.row = play.chance.sample(hand, play.chance.below(len(hand) + 1))


def known_harmless(s: State, seat: Seat) -> bool:
    """Say whether everybody knows that the seat holds nothing that forbids last card."""
    is_on = s.last_card[seat] or (s.stage == "last_card" and s.seat == seat)
    return is_on and s.house.call == "harmless"
