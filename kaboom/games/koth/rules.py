"""King of the Hill: five seats, two packs, a called partner and a rank for each player.

The sections named in the comments are those of rules.md.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from itertools import combinations

from msgspec import Struct, field

from kaboom.core.cards import JOKERS, SUITS, Card, pack, rank_of
from kaboom.core.game import Listener, Play, attendance
from kaboom.core.language import mark, say
from kaboom.core.moves import CLOCK, Choices, IllegalMove, Pick, Seat, one_of
from kaboom.core.options import choice, number, switch
from kaboom.core.views import Outcome, places

SEATS = 5
HAND = 20
DEAD_HAND = 8
CARD_POINTS = {"5": 5, "T": 10, "K": 10}

# ---------------------------------------------------------------------------------------------
# Options

PACES = {"seed": 1, "relaxed": 3, "untimed": 0}
STAGE_TIMES = {  # which option times a stage; "ready_seconds" times the others
    "last_call": "last_call_seconds",
    "choose_trump": "trump_seconds",
    "dead_hand": "dead_hand_seconds",
    "call": "call_seconds",
    "trick": "play_seconds",
}


@dataclass(frozen=True)
class Options:
    """What a table may choose. Seconds of 0 mean no timer."""

    end: str = choice(
        "past_ace",
        {
            "past_ace": "when somebody’s rank passes the ace",
            "rounds": "after a fixed number of rounds",
        },
        "End of the match",
        "The highest rank wins either way.",
    )
    rounds: int = number(
        5,
        1,
        50,
        "Rounds",
        "Used only when the match ends after a fixed number of rounds.",
        "rounds",
    )
    pace: str = choice(
        "seed",
        {
            "seed": "brisk: the times below",
            "relaxed": "relaxed: three times the times below",
            "untimed": "untimed: nobody is hurried",
        },
        "Pace",
        "Multiplies all times below except the time between two dealt cards.",
    )
    deal_interval: float = number(
        0.3,
        0,
        2,
        "Dealing",
        "Time between two dealt cards; 0 deals all at once.",
        "seconds",
        0.1,
        zero="all at once",
    )
    last_call_seconds: int = number(
        3,
        0,
        30,
        "Last call",
        "0 keeps it open until all five have passed.",
        "seconds",
        zero="until all five have passed",
    )
    trump_seconds: int = number(
        5,
        0,
        60,
        "Choosing trump",
        "For the king when nobody declared; 0: no limit.",
        "seconds",
        zero="no limit",
    )
    dead_hand_seconds: int = number(
        60,
        0,
        300,
        "Burying eight cards",
        "For the king; 0: no limit.",
        "seconds",
        zero="no limit",
    )
    call_seconds: int = number(
        15,
        0,
        300,
        "Calling a card",
        "For the king; 0: no limit.",
        "seconds",
        zero="no limit",
    )
    play_seconds: int = number(
        10,
        0,
        300,
        "Playing to a trick",
        "For each player in turn; 0: no limit.",
        "seconds",
        zero="no limit",
    )
    ready_seconds: int = number(
        0,
        0,
        300,
        "Getting ready",
        "Anybody silent for that long counts as ready; 0: wait for all.",
        "seconds",
        zero="no limit",
    )
    pair_over_pair: bool = switch(
        True, "A pair may override a pair", "When off, a suit declared with a pair stands."
    )
    follow_rule: str = choice(
        "no_renege",
        {
            "no_renege": "always follow suit as far as you can",
            "literal": "without a pair of the suit, any two cards",
        },
        "Following a pair",
        "What you must play to a led pair when you hold no pair of its suit.",
    )
    koth_cancels_call: bool = switch(
        True,
        "The king can use up the call",
        "When on, a king who plays the called card first plays on alone.",
    )
    call_rule: str = choice(
        "any",
        {"any": "any card", "no_trump": "any card that is not a trump"},
        "Cards that may be called",
        "Whether the king may call a trump, too.",
    )
    must_defend_ace: bool = switch(
        False,
        "The ace must be defended",
        "When on, rising stops at the ace, and only a defender gets past it.",
    )

    def times(self) -> dict[str, float]:
        """Return how many seconds people have, by the option that sets it; 0 is no limit."""
        names = [*STAGE_TIMES.values(), "ready_seconds"]
        return {name: getattr(self, name) * PACES[self.pace] for name in names}


# ---------------------------------------------------------------------------------------------
# The state

Stage = str  # one of the keys of STAGES below, or "over" or "abandoned"


class Declaration(Struct):
    """Who showed cards of the trump rank, of which suit, and how many."""

    seat: Seat
    suit: str
    cards: int


class Trick(Struct):
    """A finished trick: the plays in order from the leader, and who won how many points."""

    leader: Seat
    plays: list[list[Card]]
    winner: Seat
    points: int


class Result(Struct):
    """The result of a round. `dead_hand_points` is what the challengers got for the dead hand."""

    round: int
    koth: Seat
    teammate: Seat | None
    trump_rank: str
    trump_suit: str
    points: list[int]
    dead_hand_points: int
    score: int
    gains: list[int]


class State(Struct):
    """A match. Hands are kept sorted; a finished round's dead hand stays until the next deal."""

    options: Options
    koth: Seat | None  # king of the hill; nobody until the first declaration of the first round
    leader: Seat  # is dealt to first, later leads to the trick
    stage: Stage = "ready_round"
    decision: int = 1  # rises with everything a player may run out of time for
    round: int = 1
    last_round: int | None = None
    ranks: list[int] = field(default_factory=lambda: [2] * SEATS)  # 14 is the ace, 15 past it
    trump_rank: str = "2"
    trump_suit: str | None = None
    declarations: list[Declaration] = field(default_factory=list)
    stock: list[Card] = field(default_factory=list)  # the next card last
    hands: list[list[Card]] = field(default_factory=lambda: [[] for _ in range(SEATS)])
    ready: list[Seat] = field(default_factory=list)  # who is ready or, in the last call, has passed
    draft: list[Card] = field(default_factory=list)
    drafts: int = 0  # how many drafts were made, so that a page can tell one from the next
    dead_hand: list[Card] = field(default_factory=list)
    called: Card | None = None  # until somebody plays it
    defenders: list[Seat] = field(default_factory=list)
    points: list[int] = field(default_factory=lambda: [0] * SEATS)
    trick: list[list[Card]] = field(default_factory=list)
    last_trick: Trick | None = None
    results: list[Result] = field(default_factory=list)
    absent: list[Seat] = field(default_factory=list)

    @property
    def trump(self) -> "Trump":
        """Return the effective suits and powers under the current trump."""
        return trump_table(self.trump_rank, self.trump_suit)

    @property
    def turn(self) -> Seat:
        """Return whose turn it is to play to the trick."""
        return (self.leader + len(self.trick)) % SEATS

    @property
    def king(self) -> Seat:
        """Return the king of the hill, once there is one."""
        assert self.koth is not None
        return self.koth


# ---------------------------------------------------------------------------------------------
# Trump and suits

TRUMP = "trump"  # the effective suit of all trumps
LOW_TO_HIGH = "23456789TJQKA"
ACE = 14
SHOWN_SUITS = "SHCD"  # black and red alternate, as hands are shown


@dataclass(frozen=True, slots=True)
class Trump:
    """Every card's effective suit, its power within it, and its place in a sorted hand."""

    suits: Mapping[Card, str]
    powers: Mapping[Card, int]
    order: Mapping[Card, tuple[int, int, int]]


@cache
def trump_table(rank: str, suit: str | None) -> Trump:
    """Return the tables for a trump rank and suit; with no suit yet, for sorting only.

    Trumps have powers from 20 up, so that every trump is above every plain card. Cards of the trump
    rank off the trump suit are equal.
    """
    suits: dict[Card, str] = {}
    powers: dict[Card, int] = {}
    order: dict[Card, tuple[int, int, int]] = {}
    for card in pack():
        if card in JOKERS:
            power = 43 if card == "RJ" else 42
        elif rank_of(card) == rank:
            power = 41 if card[1] == suit else 40
        else:
            power = LOW_TO_HIGH.index(card[0]) + (20 if card[1] == suit else 0)
        is_trump = power >= 20
        shown = 4 if card in JOKERS else SHOWN_SUITS.index(card[1])
        suits[card] = TRUMP if is_trump else card[1]
        powers[card] = power
        order[card] = (0 if is_trump else 1 + shown, -power, shown)
    return Trump(suits, powers, order)


def card_points(cards: Sequence[Card]) -> int:
    """Return what the cards are worth: five for a 5, ten for a 10 or a king."""
    return sum(CARD_POINTS.get(card[0], 0) for card in cards)


def pairs_in(cards: Sequence[Card]) -> list[Card]:
    """Return the cards held twice. Two packs: a pair is the same rank and the same suit."""
    return [card for card in dict.fromkeys(cards) if cards.count(card) == 2]


def sort_hand(s: State, seat: Seat) -> None:
    """Sort a hand: trumps first, then suit by suit, high to low."""
    s.hands[seat].sort(key=s.trump.order.__getitem__)


# ---------------------------------------------------------------------------------------------
# Setting up, and what may happen when


def setup(play: Play[State], seats: int, options: Options) -> None:
    """Seat everybody at rank 2; a random seat is dealt to first."""
    last_round = options.rounds if options.end == "rounds" else None
    first = play.chance.below(seats)
    play.state = State(options, None, first, last_round=last_round)
    play.tell("seated", seat=first)


def listeners(s: State) -> Iterator[Listener]:
    """Yield everything that may happen now."""
    if s.stage not in STAGES:
        return
    yield from attendance(s.absent, SEATS, leave, come_back)
    yield Listener(CLOCK, "fix_rounds", fix_rounds, FIX_ROUNDS)
    yield from STAGES[s.stage](s)
    yield from lapses(s)


def enter(s: State, stage: Stage) -> None:
    """Enter a stage, which asks for a new decision."""
    s.stage = stage
    s.decision += 1
    s.ready = []


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


def begin_round(play: Play[State]) -> None:
    """Shuffle both packs and begin to deal."""
    s = play.state
    s.stock = play.shuffled(pack() * 2)
    s.dead_hand = []
    s.points = [0] * SEATS
    s.last_trick = None
    play.tell("round_begins", round=s.round, rank=s.trump_rank)
    enter(s, "deal")
    if s.options.deal_interval == 0:
        while s.stage == "deal":
            deal_card(s)
        for seat, hand in enumerate(s.hands):
            play.whisper(seat, "dealt", cards=hand)
        play.tell("dealt_out")


# ---------------------------------------------------------------------------------------------
# Dealing and declaring


def dealing(s: State) -> Iterator[Listener]:
    """Yield the next card of the deal, and whoever may declare."""
    dealt = str(cards_dealt(s) + 1)
    yield Listener(CLOCK, "deal", deal, one_of((dealt,)), after=s.options.deal_interval)
    yield from declaring(s)


def cards_dealt(s: State) -> int:
    """Return how many cards of this round have been dealt."""
    return sum(map(len, s.hands))


def deal(play: Play[State], number: str) -> None:
    """Deal one card. Only its owner hears of it; all see the hands grow."""
    s = play.state
    seat, card = deal_card(s)
    play.whisper(seat, "dealt", cards=[card])
    if s.stage == "last_call":
        play.tell("dealt_out")


def deal_card(s: State) -> tuple[Seat, Card]:
    """Deal the next card and return whose it is; after the hundredth comes the last call."""
    seat = (s.leader + cards_dealt(s)) % SEATS
    card = s.stock.pop()
    s.hands[seat].append(card)
    sort_hand(s, seat)
    if len(s.stock) == DEAD_HAND:
        enter(s, "last_call")
    return seat, card


def declaring(s: State) -> Iterator[Listener]:
    """Yield the offer to declare for each seat that may; nobody else learns of it.

    `about` counts the declarations: one made before hearing of an override comes too late.
    """
    for seat in range(SEATS):
        suits = declarable(s, seat)
        if suits:
            about = f"{s.round}.{len(s.declarations)}"
            yield Listener(seat, "declare", declare, one_of(suits), about, blocks=False)


def declarable(s: State, seat: Seat) -> list[str]:
    """Return the suits the seat may declare now.

    Once a suit is declared only a pair can override, and a declaration must change something: the
    suit, the declarer or the number of cards.
    """
    rank, hand = s.trump_rank, s.hands[seat]
    if not s.declarations:
        return [suit for suit in SUITS if rank + suit in hand]
    if s.declarations[-1].cards == 2 and not s.options.pair_over_pair:
        return []
    pairs = [suit for suit in SUITS if hand.count(rank + suit) == 2]
    return [suit for suit in pairs if Declaration(seat, suit, 2) != s.declarations[-1]]


def declare(play: Play[State], suit: str) -> None:
    """Make a suit trump for now; in the first round the declarer becomes king."""
    s = play.state
    shown = s.hands[play.seat].count(s.trump_rank + suit)
    s.declarations.append(Declaration(play.seat, suit, shown))
    if s.round == 1:
        make_king(s, play.seat)
    s.ready = [seat for seat in s.ready if seat in s.absent]  # everybody may reconsider
    set_trump(s, suit)
    play.tell("declared", seat=play.seat, cards=[s.trump_rank + suit] * shown, suit=suit)


def make_king(s: State, seat: Seat) -> None:
    """Make a seat king of the hill and the only defender."""
    s.koth = seat
    s.defenders = [seat]


def set_trump(s: State, suit: str) -> None:
    """Set the trump suit and sort all hands again."""
    s.trump_suit = suit
    for seat in range(SEATS):
        sort_hand(s, seat)


# ---------------------------------------------------------------------------------------------
# Last call


def last_calling(s: State) -> Iterator[Listener]:
    """Yield the last chance to declare. All five may pass, whatever they hold."""
    for seat in range(SEATS):
        if seat not in s.ready:
            yield Listener(seat, "pass", pass_on, about=f"{s.round}.{len(s.declarations)}")
    yield from declaring(s)


def pass_on(play: Play[State]) -> None:
    """Let the last call go by."""
    be_passing(play, play.seat)


def be_passing(play: Play[State], seat: Seat) -> None:
    """Count a seat as passing; the fifth closes the last call."""
    play.state.ready.append(seat)
    play.tell("passed", seat=seat)
    if len(play.state.ready) == SEATS:
        close_declaring(play)


def close_declaring(play: Play[State]) -> None:
    """End the last call: trump stands, is drawn by lot, or is for the king to choose."""
    s = play.state
    if s.declarations:
        take_stock(play)
    elif s.round == 1:
        make_king(s, play.chance.below(SEATS))
        set_trump(s, play.chance.one_of(SUITS))
        play.tell("lots_drawn", seat=s.king, suit=s.trump_suit)
        take_stock(play)
    else:
        play.tell("nobody_declared", seat=s.king)
        enter(s, "choose_trump")


def choosing_trump(s: State) -> Iterator[Listener]:
    """Yield the king's choice of a suit."""
    yield Listener(s.king, "trump", choose_trump, one_of(tuple(SUITS)), about=str(s.decision))


def choose_trump(play: Play[State], suit: str) -> None:
    """Choose any suit as trump."""
    set_trump(play.state, suit)
    play.tell("trump_chosen", seat=play.state.king, suit=suit)
    take_stock(play)


# ---------------------------------------------------------------------------------------------
# The dead hand


def take_stock(play: Play[State]) -> None:
    """Give the king the eight cards that were not dealt."""
    s = play.state
    play.tell("trump_is", seat=s.king, suit=s.trump_suit, rank=s.trump_rank)
    play.whisper(s.king, "taken_up", cards=s.stock)
    s.hands[s.king] += s.stock
    sort_hand(s, s.king)
    s.stock = []
    s.leader = s.king
    enter(s, "dead_hand")


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
    s.dead_hand = sorted(cards, key=s.trump.order.__getitem__)
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
        cards = [card for card in cards if s.trump.suits[card] != TRUMP]
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
# Tricks: leading and following


def playing(s: State) -> Iterator[Listener]:
    """Yield the play of the seat on turn: one card or a pair, then as many as were led."""
    hand = s.hands[s.turn]
    if s.trick:
        size = len(s.trick[0])
        literal = s.options.follow_rule == "literal"
        why_not = partial(follow_refusal, s.trump, hand, s.trick[0], literal)
        pick = Pick(tuple(hand), size, size, why_not=why_not)
    else:
        pick = Pick(tuple(hand), 1, min(2, len(hand)), why_not=lead_refusal)
    yield Listener(s.turn, "play", play_cards, pick, about=str(s.decision))


def lead_refusal(cards: Choices) -> IllegalMove | None:
    """Return why these cards cannot be led, or None."""
    if len(cards) == 2 and cards[0] != cards[1]:
        return IllegalMove(
            say("Two cards can be led only as a pair: the same rank and the same suit twice."),
            rule="leading",
        )
    return None


SUIT_WORDS = {  # one card, several cards
    "S": (mark("spade"), mark("spades")),
    "H": (mark("heart"), mark("hearts")),
    "D": (mark("diamond"), mark("diamonds")),
    "C": (mark("club"), mark("clubs")),
    TRUMP: (mark("trump"), mark("trumps")),
}


def follow_refusal(
    trump: Trump, hand: Sequence[Card], lead: Sequence[Card], literal: bool, cards: Choices
) -> IllegalMove | None:
    """Return why these cards, the right number of them, cannot follow the lead, or None."""
    suit = trump.suits[lead[0]]
    inside = [card for card in hand if trump.suits[card] == suit]
    follows = sum(trump.suits[card] == suit for card in cards)
    sentence = None
    if len(lead) == 1:
        if inside and not follows:
            sentence = mark("You hold a {one}, so you must play a {one}.")
    elif pairs_in(inside):
        if follows < 2 or cards[0] != cards[1]:
            sentence = mark("You hold a pair of {many}, so you must play a pair of {many}.")
    elif not literal:
        if follows < 2 <= len(inside):
            sentence = mark("You hold {many}, so both cards must be {many}.")
        elif inside and not follows:
            sentence = mark("You hold one {one}, so it must be one of your two cards.")
    if sentence is None:
        return None
    one, many = SUIT_WORDS[suit]
    return IllegalMove(say(sentence, one=say(one), many=say(many)), rule="following")


def legal_plays(
    trump: Trump, hand: Sequence[Card], lead: Sequence[Card], literal: bool = False
) -> list[Choices]:
    """Return every play of the hand to this lead (empty: every lead), each once."""
    hand = sorted(hand, key=hand.index)  # equal cards side by side
    suit = trump.suits[lead[0]] if lead else None
    inside = [card for card in hand if trump.suits[card] == suit]
    if len(lead) == 1:
        return [(card,) for card in dict.fromkeys(inside or hand)]
    pairs: list[Choices] = [(card, card) for card in pairs_in(inside if lead else hand)]
    if not lead:
        return [*((card,) for card in dict.fromkeys(hand)), *pairs]
    if pairs:
        return pairs
    if len(inside) >= 2 and not literal:
        return list(dict.fromkeys(combinations(inside, 2)))
    plays = dict.fromkeys(combinations(hand, 2))
    if inside and not literal:
        return [cards for cards in plays if inside[0] in cards]
    return list(plays)


def seat_plays(s: State, seat: Seat) -> list[Choices]:
    """Return every legal play of the seat on turn."""
    lead = s.trick[0] if s.trick else ()
    return legal_plays(s.trump, s.hands[seat], lead, s.options.follow_rule == "literal")


def play_cards(play: Play[State], *cards: Card) -> None:
    """Play to the trick."""
    put_down(play, play.seat, cards)


def put_down(play: Play[State], seat: Seat, cards: Choices) -> None:
    """Move cards from a hand to the trick; whoever plays the called card first joins the king."""
    s = play.state
    for card in cards:
        s.hands[seat].remove(card)
    s.trick.append(list(cards))
    play.tell("played", seat=seat, cards=cards)
    if s.called in cards:
        answer_call(play, seat)
    s.decision += 1
    if len(s.trick) == SEATS:
        end_trick(play)


def answer_call(play: Play[State], seat: Seat) -> None:
    """Let the player of the called card join the king; a king who plays it has used up the call."""
    s = play.state
    if seat != s.koth:
        s.defenders.append(seat)
        play.tell("joined", seat=seat, card=s.called, koth=s.koth)
        s.called = None
    elif s.options.koth_cancels_call:
        play.tell("call_spent", seat=seat, card=s.called)
        s.called = None


# ---------------------------------------------------------------------------------------------
# Winning a trick


def strength(trump: Trump, lead: Sequence[Card], cards: Sequence[Card]) -> int:
    """Return how strong a play is in the trick; -1 when it cannot win it."""
    suit = trump.suits[cards[0]]
    if suit not in (TRUMP, trump.suits[lead[0]]) or (len(lead) == 2 and cards[0] != cards[1]):
        return -1
    return trump.powers[cards[0]]


def winning_play(trump: Trump, plays: Sequence[Sequence[Card]]) -> int:
    """Return which play of the trick is best, the earliest of equal ones."""
    strengths = [strength(trump, plays[0], cards) for cards in plays]
    return strengths.index(max(strengths))


def end_trick(play: Play[State]) -> None:
    """Give the trick and its points to the winner, who leads to the next."""
    s = play.state
    winner = (s.leader + winning_play(s.trump, s.trick)) % SEATS
    points = sum(map(card_points, s.trick))
    s.points[winner] += points
    s.last_trick = Trick(s.leader, s.trick, winner, points)
    s.leader = winner
    s.trick = []
    play.tell("trick_won", seat=winner, points=points)
    if not s.hands[winner]:
        score_round(play)


# ---------------------------------------------------------------------------------------------
# Scoring a round


def score_round(play: Play[State]) -> None:
    """Add up the challengers' points, change ranks, and name the next king."""
    s = play.state
    assert s.trump_suit is not None
    buried = card_points(s.dead_hand)
    taken = 0 if s.leader in s.defenders else 2 * buried  # the leader won the last trick
    score = taken + sum(p for seat, p in enumerate(s.points) if seat not in s.defenders)
    gains = [rank_gain(s, seat, score) for seat in range(SEATS)]
    teammate = s.defenders[1] if len(s.defenders) == 2 else None
    s.results.append(
        Result(s.round, s.king, teammate, s.trump_rank, s.trump_suit, s.points, taken, score, gains)
    )
    play.tell("dead_hand_shown", seat=s.king, cards=s.dead_hand, points=buried)
    if taken:
        play.tell("dead_hand_taken", seat=s.leader, points=taken)
    play.tell("round_scored", round=s.round, points=score)
    for seat, gain in enumerate(gains):
        if gain:
            s.ranks[seat] += gain
            play.tell("rose", seat=seat, gain=gain, rank=s.ranks[seat])
    if not any(gains):
        play.tell("nobody_rose")
    if match_is_over(s):
        enter(s, "over")
        play.tell("match_over", seats=result(s).winners)
    else:
        prepare_round(play, next_king(s, score))


def team_gains(score: int) -> tuple[int, int]:
    """Return by how many ranks the defenders and the challengers rise at this challenge score."""
    if score < 80:
        return (3 if score == 0 else 2 if score <= 40 else 1), 0
    return 0, min(3, (score - 80) // 40)


def rank_gain(s: State, seat: Seat, score: int) -> int:
    """Return by how many ranks the seat rises; it may be fewer where the ace must be defended."""
    defending = seat in s.defenders
    gain = team_gains(score)[0 if defending else 1]
    if s.options.must_defend_ace:
        if s.ranks[seat] < ACE:
            gain = min(gain, ACE - s.ranks[seat])
        elif s.ranks[seat] == ACE and not defending:
            gain = 0
    return gain


def next_king(s: State, score: int) -> Seat:
    """Return the next king: the teammate of a king who held the hill, else the next challenger."""
    if score < 80:
        return s.defenders[-1]
    after = ((s.king + step) % SEATS for step in range(1, SEATS))
    return next(seat for seat in after if seat not in s.defenders)


def prepare_round(play: Play[State], koth: Seat) -> None:
    """Clear the table for the next round: its king is dealt to first and sets the trump rank."""
    s = play.state
    s.round += 1
    make_king(s, koth)
    s.leader = koth
    s.trump_rank = LOW_TO_HIGH[min(s.ranks[koth], ACE) - 2]
    s.trump_suit = None
    s.declarations = []
    s.called = None
    play.tell("next_king", seat=koth, rank=s.trump_rank)
    enter(s, "ready_round")


# ---------------------------------------------------------------------------------------------
# The end of the match

FIX_ROUNDS = one_of(tuple(str(n) for n in range(10)))


def fix_rounds(play: Play[State], more: str) -> None:
    """Let the match end that many rounds after the current one, at the latest."""
    s = play.state
    s.last_round = s.round + int(more)
    play.tell("rounds_fixed", round=s.last_round)


def match_is_over(s: State) -> bool:
    """Say whether the round just scored was the last."""
    past_ace = s.options.end == "past_ace" and max(s.ranks) > ACE
    return past_ace or (s.last_round is not None and s.round >= s.last_round)


def result(s: State) -> Outcome:
    """Return the places by rank; steps past the ace count too."""
    return Outcome(tuple(s.ranks), places(s.ranks))


def outcome(s: State) -> Outcome | None:
    """Return how the match ended, or None while it goes on."""
    if s.stage == "abandoned":
        return Outcome(tuple(s.ranks), (1,) * SEATS, "abandoned")
    return result(s) if s.stage == "over" else None


# ---------------------------------------------------------------------------------------------
# Time and absent players

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


def leave(play: Play[State], seat: str) -> None:
    """Mark a seat as absent. Five are needed, so the match goes on until the last has left."""
    s = play.state
    s.absent = sorted([*s.absent, int(seat)])
    play.tell("left", seat=int(seat))
    if len(s.absent) == SEATS:
        enter(s, "abandoned")
        play.tell("abandoned")


def come_back(play: Play[State], seat: str) -> None:
    """Mark a seat as present again."""
    play.state.absent.remove(int(seat))
    play.tell("returned", seat=int(seat))


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
