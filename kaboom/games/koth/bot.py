"""The King of the Hill bot: it counts cards and guesses who is with whom.

It sees what a person in its seat sees, and knows who holds the called card only if it does.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from msgspec import Struct, field

from kaboom.core.bot import Bot, Level, Thought, sure
from kaboom.core.cards import SUITS, Card, pack
from kaboom.core.chance import Chance
from kaboom.core.moves import Choices, Move, Seat
from kaboom.core.play import Event
from kaboom.core.tricks import Ranking, of_suit, player_at
from kaboom.core.views import DOWN, Offer, Prompt, View
from kaboom.games.koth.cards import TRUMP, card_points, pairs_in, trump_ranking
from kaboom.games.koth.state import DEAD_HAND, SEATS
from kaboom.games.koth.tricks import legal_plays, strength, winning_play


class Memory(Struct):
    """What a good player remembers of a round: the cards gone, and who is out of which suit."""

    gone: dict[Card, int] = field(default_factory=dict)
    void: list[list[str]] = field(default_factory=lambda: [[] for _ in range(SEATS)])
    lead: list[Card] = field(default_factory=list)
    declared: list[str] = field(default_factory=list)  # none twice, or two bots would never stop
    trump_rank: str = "2"
    trump_suit: str | None = None


def notice(memory: Memory, event: Event, seat: Seat) -> None:
    """Remember what was played, and who did not follow suit."""
    facts = event.facts
    if event.kind == "round_begins":
        memory.gone = {}
        memory.void = [[] for _ in range(SEATS)]
        memory.lead = []
        memory.declared = []
    elif event.kind == "declared" and facts["seat"] == seat:
        memory.declared.append(facts["suit"])
    elif event.kind == "trump_is":
        memory.trump_rank, memory.trump_suit = facts["rank"], facts["suit"]
    elif event.kind == "played":
        for card in facts["cards"]:
            memory.gone[card] = memory.gone.get(card, 0) + 1
        if not memory.lead:
            memory.lead = list(facts["cards"])
        suits = trump_ranking(memory.trump_rank, memory.trump_suit).suits
        suit = suits[memory.lead[0]]
        known = memory.void[facts["seat"]]
        if suit not in known and any(suits[card] != suit for card in facts["cards"]):
            known.append(suit)
    elif event.kind == "trick_won":
        memory.lead = []


def choose(memory: Memory, view: View, prompt: Prompt, chance: Chance) -> Move | None:
    """Return a move of the prompt, or None to let the chance to declare go by."""
    for offer in prompt.offers:
        choices = None
        if offer.verb == "declare":
            choices = declaration(memory, view, offer)
        elif offer.verb in ("ready", "pass"):
            choices = ()
        elif offer.verb == "trump":
            choices = (max(SUITS, key=lambda suit: trump_worth(view, suit)),)
        elif offer.verb == "bury":
            choices = dead_hand(view)
        elif offer.verb == "call":
            choices = (called_card(view, offer.options),)
        elif offer.verb == "play":
            choices = best_play(Position(memory, view))
        if choices is not None:
            later = prompt.offer("declare") if offer.verb == "pass" else None
            override = declaration(memory, view, later) if later else None
            if later and override:
                return Move(prompt.seat, "declare", override)
            return Move(prompt.seat, offer.verb, choices)
    return None


def own_hand(view: View) -> list[Card]:
    """Return the cards of the bot's own hand."""
    return list(view.zone("hand", view.viewer).cards)


# ---------------------------------------------------------------------------------------------
# Declaring, burying, calling


def trump_worth(view: View, suit: str) -> float:
    """Return how good a suit would be as trump: its trumps, high ones counting a little more."""
    powers = trump_ranking(view.facts["trump_rank"], suit).powers
    return sum(1 + (powers[card] - 20) / 40 for card in own_hand(view) if powers[card] >= 20)


def declaration(memory: Memory, view: View, offer: Offer) -> Choices | None:
    """Return the suit to declare, when the hand is clearly better than average for it."""
    suits = [suit for suit in offer.options if suit not in memory.declared]
    if not suits:
        return None
    suit = max(suits, key=lambda suit: trump_worth(view, suit))
    worth = trump_worth(view, suit)
    standing = view.facts["declaration"]
    if standing is not None:
        better = worth >= trump_worth(view, standing["suit"]) + 2
        return (suit,) if better else None
    cards = len(own_hand(view))
    enough = 0.5 * cards + 1.5  # about a third of all cards are trumps, each worth about 1.4
    return (suit,) if worth >= enough else None


def dead_hand(view: View) -> Choices:
    """Return eight cards to bury: short suits without winners, few points, hardly any trumps."""
    ranking = trump_ranking(view.facts["trump_rank"], view.facts["trump_suit"])
    hand = own_hand(view)
    strong = sum(ranking.suits[card] == TRUMP for card in hand) >= 14
    buried: list[Card] = []
    for _ in range(DEAD_HAND):
        lengths = Counter(ranking.suits[card] for card in hand)
        card = min(hand, key=lambda card: keeping_worth(ranking, hand, lengths, card, strong))
        hand.remove(card)
        buried.append(card)
    return tuple(buried)


def keeping_worth(
    ranking: Ranking, hand: Sequence[Card], lengths: Counter[str], card: Card, strong: bool
) -> float:
    """Return how much the king wants to keep a card in hand."""
    power = ranking.powers[card]
    if power >= 20:
        return 30 + power
    suit = ranking.suits[card]
    top = 11 if card[0] == "K" else 12
    worth = power / 4 + 1.5 * lengths[suit]
    worth += (0 if strong else 0.5) * card_points((card,))
    if power >= top and (
        power == 12 or any(ranking.powers[c] == 12 for c in of_suit(ranking, hand, suit))
    ):
        worth += 8
    if hand.count(card) == 2:
        worth += 2 + power / 4
    return worth


def called_card(view: View, options: Choices) -> Card:
    """Return the best card to call: a winner held by others, in a suit the bot can lead."""
    ranking = trump_ranking(view.facts["trump_rank"], view.facts["trump_suit"])
    hand = own_hand(view)
    away = Counter([*hand, *view.zone("dead_hand").cards])

    def worth(card: Card) -> float:
        suit = ranking.suits[card]
        own = of_suit(ranking, hand, suit)
        if suit == TRUMP:
            return (ranking.powers[card] - 40) * 2 - 10 * away[card]
        higher = sum(
            2 - away[other]
            for other in pack()
            if ranking.suits[other] == suit and ranking.powers[other] > ranking.powers[card]
        )
        return 20 - 12 * away[card] - 6 * higher + (4 - len(own) if own else -4)

    return max(options, key=worth)


# ---------------------------------------------------------------------------------------------
# Tricks


@dataclass
class Position:
    """A trick as the seat on turn sees it, and what it can work out."""

    memory: Memory
    view: View

    def __post_init__(self) -> None:
        facts = self.view.facts
        self.ranking = trump_ranking(facts["trump_rank"], facts["trump_suit"])
        self.me: Seat = facts["turn"]
        self.koth: Seat = facts["koth"]
        self.called: Card | None = facts["called"]
        self.hand = own_hand(self.view)
        self.plays: list[list[Card]] = [played["cards"] for played in facts["trick"]]
        self.after = [(self.me + step) % SEATS for step in range(1, SEATS - len(self.plays))]

    @cached_property
    def unseen(self) -> dict[Card, int]:
        """Return how many copies of each card are hidden from the seat."""
        seen = Counter(self.hand)
        seen.update(card for card in self.view.zone("dead_hand").cards if card != DOWN)
        gone = self.memory.gone
        left = {card: 2 - seen[card] - gone.get(card, 0) for card in pack()}
        return {card: count for card, count in left.items() if count > 0}

    @cached_property
    def hidden(self) -> int:
        """Return the number of hidden cards."""
        return max(1, sum(self.unseen.values()))

    @cached_property
    def points_each(self) -> float:
        """Return the points of an average hidden card."""
        return sum(card_points((card,)) * n for card, n in self.unseen.items()) / self.hidden

    @cached_property
    def holds_call(self) -> bool:
        """Say whether the bot itself could answer the call."""
        return self.called is not None and self.me != self.koth and self.called in self.hand

    @cached_property
    def wants_to_join(self) -> bool:
        """Say whether the king's side looks better than the challengers'."""
        against = sum(
            points
            for seat, points in enumerate(self.view.facts["points"])
            if seat not in (self.koth, self.me)
        )
        return self.holds_call and against < 80

    @cached_property
    def friends(self) -> list[float]:
        """Return how likely each seat is to be on the bot's side, from 0 to 1."""
        defenders = self.view.facts["defenders"]
        if self.me in defenders or self.wants_to_join:
            secret = 0.25 if self.called is not None and self.me == self.koth else 0.0
            return [
                1.0 if seat == self.me or seat in defenders else secret for seat in range(SEATS)
            ]
        doubt = self.called is not None and not self.holds_call
        others = 2 / 3 if doubt else 1.0
        return [
            1.0 if seat == self.me else 0.0 if seat in defenders else others
            for seat in range(SEATS)
        ]

    def higher(self, suit: str, power: int) -> int:
        """Return how many hidden cards of a suit are above a power."""
        suits, powers = self.ranking.suits, self.ranking.powers
        return sum(
            n for card, n in self.unseen.items() if suits[card] == suit and powers[card] > power
        )

    def higher_pairs(self, suit: str, power: int) -> int:
        """Return how many pairs of a suit above a power could be hidden in one hand."""
        suits, powers = self.ranking.suits, self.ranking.powers
        return sum(
            n == 2 and suits[card] == suit and powers[card] > power
            for card, n in self.unseen.items()
        )

    def beaten_by(self, seat: Seat, suit: str, power: int, size: int) -> float:
        """Return the estimated chance that a seat yet to play beats this power."""
        share = min(1.0, len(self.view.zone("hand", seat).cards) / self.hidden)
        void = suit in self.memory.void[seat]
        count = self.higher if size == 1 else self.higher_pairs
        one = share**size
        chance = 0.0
        if not void:
            chance = 1 - (1 - one) ** count(suit, power)
        if suit != TRUMP and TRUMP not in self.memory.void[seat]:
            out = 1.0 if void else (1 - share) ** self.higher(suit, -1)
            chance += out * (1 - (1 - one) ** count(TRUMP, power)) * 0.8
        return min(chance, 1.0)

    def keeping(self, card: Card) -> float:
        """Return what a card is worth in later tricks, in points."""
        suit, power = self.ranking.suits[card], self.ranking.powers[card]
        above = self.higher(suit, power)
        return 2.5 + 6 * 0.75**above if suit == TRUMP else float(4 * 0.5**above)


def best_play(at: Position) -> Choices:
    """Return the play with the best balance of the points it brings and what it costs later."""
    lead = at.plays[0] if at.plays else ()
    # strict following is legal under the literal rule too
    plays = legal_plays(at.ranking, at.hand, lead)
    if len(plays) == 1:
        return plays[0]
    keeping = {card: at.keeping(card) for card in dict.fromkeys(at.hand)}
    pairs = pairs_in(at.hand)
    return max(plays, key=lambda cards: worth_of(at, cards, keeping, pairs))


def worth_of(
    at: Position, cards: Choices, keeping: dict[Card, float], pairs: Sequence[Card]
) -> float:
    """Return what a play is worth to the bot's side, in points."""
    size = len(cards)
    plays = [*at.plays, list(cards)]
    best = winning_play(at.ranking, plays)
    leader = (at.me - len(at.plays)) % SEATS
    power = strength(at.ranking, plays[0], plays[best])
    suit = at.ranking.suits[plays[0][0]]
    ours = at.friends[player_at(leader, best, SEATS)]
    for seat in at.after:
        beaten = at.beaten_by(seat, suit, power, size)
        ours = ours * (1 - beaten) + beaten * at.friends[seat]
    if not at.plays and size == 1 and leads_to_partner(at, cards[0]):
        ours = max(ours, 0.75)
    stake = sum(map(card_points, plays)) + 1.5 * size
    stake += len(at.after) * size * at.points_each
    if len(at.hand) == size:  # the last trick decides who gets the dead hand
        stake += 2 * at.view.facts.get("dead_hand_points", 8)
    worth = (2 * ours - 1) * stake - sum(keeping[card] for card in cards)
    if size == 1 and cards[0] in pairs:
        worth -= 1.5
    if at.called in cards and at.me != at.koth:
        worth += 3 if at.wants_to_join else -20
    if at.called in cards and at.me == at.koth:
        worth -= 20  # it would use up the call
    return worth


def leads_to_partner(at: Position, card: Card) -> bool:
    """Say whether the king leads to the suit he called, where the called card would win."""
    called = at.called
    if called is None or at.me != at.koth or card == called:
        return False
    suit = at.ranking.suits[called]
    return at.ranking.suits[card] == suit and not at.higher(suit, at.ranking.powers[called])


def weigh(
    memory: Memory, view: View, prompt: Prompt, chance: Chance, level: Level
) -> Sequence[Thought]:
    """Return what the bot would do."""
    return sure(choose(memory, view, prompt, chance))


BOT = Bot(Memory, notice, weigh)
