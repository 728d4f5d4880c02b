"""The King of the Hill bot: it counts cards and infers the teams.

It sees what a person in its seat sees. It knows the holder of the called card only if that is the
bot itself.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import fsum, sqrt
from random import Random

from kaboom.engine.bots.bot import Bot, Level, Thought, best_first, sure
from kaboom.engine.float_powers import raised
from kaboom.engine.moves import Choices, Move, Seat
from kaboom.engine.rng import Rng
from kaboom.engine.toolkit.cards import Card, pack
from kaboom.engine.toolkit.tricks import Ranking, of_suit, player_at
from kaboom.engine.views import DOWN, Offer, Prompt, Saying, View
from kaboom.games.koth.cards import LOWEST_TRUMP, TRUMP, card_points, pairs_in, trump_ranking
from kaboom.games.koth.memory import Memory, notice
from kaboom.games.koth.scoring import ENOUGH
from kaboom.games.koth.state import DEAD_HAND, SEATS
from kaboom.games.koth.tricks import legal_plays, strength, winning_play
from kaboom.games.koth.worlds import Hand, challengers_points, deck_of, imagined, winner_of

MOST_THOUGHTS = 8
# Share of a card's value in later tricks that a level considers
FORESIGHT = {Level.EASY: 0.0, Level.NORMAL: 0.5, Level.HARD: 1.0}
TRIED = 4  # number of plays tried in imagined deals
WORTH_TRYING = 10.0  # points by which a tried play may seem worse than the best
FIRST_DEALS, FRESH_DEALS = 6, 12  # imagined deals to find a better play, and to confirm it
LAST_DEALS = 32  # … and to say by how much it is better, free of selection bias
MARGIN = 4.0  # points by which it must do better in the fresh deals
LEAST = 1.0  # … and in the last ones
ERRORS = 1.5  # … and the number of standard errors
WON = 20.0  # bonus in points for winning the hill
UNNOTICED = Memory()  # the memory of a level that does not count cards
BURIED = SEATS  # represents the dead hand among the holders of cards
STRONG = 14  # trumps with which a king may bury points
LIKELY = 0.6  # share of imagined deals that counts as reliable
TRICKS = 400  # deals to estimate the chance of winning a trick, for a reason
STEP = 5  # percent; the share of tricks won is stated as a multiple of it
# Reasons that depend on the share of tricks won
BY_SHARE = (
    *("lead_to_win", "lead_low", "win", "try", "feed", "leave_to_friend", "feed_mate"),
    *("leave_to_mate", "lost", "lost_nothing", "goes"),
)


Deal = tuple[list[Hand], list[bool], int]  # all hands, the defenders, and the buried points


def weigh(memory: Memory, view: View, prompt: Prompt, rng: Rng, level: Level) -> Sequence[Thought]:
    """Return the moves to consider; the reason for a hard bot's first play states how often its
    side wins the trick.
    """
    found = decide(memory, view, prompt, rng, level)
    if level != Level.HARD or not found or "play" not in {offer.verb for offer in prompt.offers}:
        return found
    first, *others = found
    at, guess = Position(memory, view, level), Random(rng.randrange(1 << 32))
    return [explained(at, first, guess), *others]


def decide(memory: Memory, view: View, prompt: Prompt, rng: Rng, level: Level) -> Sequence[Thought]:
    """Return the moves to consider: declarations, burials, calls or plays."""
    offered = {offer.verb: offer for offer in prompt.offers}
    me = prompt.seat
    if "play" in offered:
        return plays(Position(memory, view, level), rng)
    if "bury" in offered:
        return burials(view, me)
    if "call" in offered:
        return calls(view, me, offered["call"].options, level)
    if "trump" in offered:
        return best_first(
            thought(
                me,
                "trump",
                (suit,),
                trump_worth(view, suit),
                "trump",
                suit=suit,
                count=trumps_with(view, suit),
            )
            for suit in offered["trump"].options
        )
    if "ready" in offered:
        return sure(Move(me, "ready"))
    return declarations(memory, view, me, offered)


def thought(
    seat: Seat, verb: str, choices: Sequence[str], worth: float, kind: str, **facts: object
) -> Thought:
    """Return a thought with its reason in words."""
    return Thought(Move(seat, verb, tuple(choices)), worth, Saying(f"think.{kind}", facts))


def own_hand(view: View) -> list[Card]:
    """Return the cards of the bot's own hand."""
    return list(view.zone("hand", view.viewer).cards)


# Declaring, burying and calling


def trump_worth(view: View, suit: str) -> float:
    """Return the value of a suit as trump: its number of trumps, with a small bonus for high
    ones.
    """
    powers = trump_ranking(view.facts["trump_rank"], suit).powers
    trumps = [power for card in own_hand(view) if (power := powers[card]) >= LOWEST_TRUMP]
    return fsum(1 + (power - LOWEST_TRUMP) / 40 for power in trumps)


def trumps_with(view: View, suit: str) -> int:
    """Return the number of trumps in hand if this suit is trump."""
    suits = trump_ranking(view.facts["trump_rank"], suit).suits
    return sum(suits[card] == TRUMP for card in own_hand(view))


def declarations(
    memory: Memory, view: View, me: Seat, offered: Mapping[str, Offer]
) -> list[Thought]:
    """Return the thoughts about declaring each suit, and about not declaring.

    A suit is declared if the hand is better than average for it. It must be clearly better unless
    declaring makes the seat king, because defenders rise more easily than challengers.
    """
    standing, nobody_is_king = view.facts["declaration"], view.facts["koth"] is None
    if standing is not None:
        enough = trump_worth(view, standing["suit"]) + 2
    else:  # about a third of all cards are trumps, each worth about 1.4
        enough = 0.5 * len(own_hand(view)) + (0.5 if nobody_is_king else 1.5)
    suits = offered["declare"].options if "declare" in offered else ()
    found = [
        thought(
            me,
            "declare",
            (suit,),
            trump_worth(view, suit) - enough,
            "declare",
            suit=suit,
            count=trumps_with(view, suit),
        )
        for suit in suits
        if suit not in memory.declared
    ]
    reason = Saying("think.declare_nothing" if suits else "think.pass")
    if "pass" in offered:
        found.append(Thought(Move(me, "pass"), -0.01, reason))
    elif found:
        found.append(Thought(None, -0.01, reason))
    return best_first(found)


def burials(view: View, me: Seat) -> list[Thought]:
    """Return ways to bury eight cards: from short suits without winners, with few trumps.

    A king with many trumps will probably win the last trick, and may bury points; other kings
    should not.
    """
    ranking = trump_ranking(view.facts["trump_rank"], view.facts["trump_suit"])
    trumps = sum(ranking.suits[card] == TRUMP for card in own_hand(view))
    found: dict[Choices, Thought] = {}
    for strong in (trumps >= STRONG, trumps < STRONG):
        buried = dead_hand(ranking, own_hand(view), strong)
        points = card_points(buried)
        worth = 0.0 if not found else -2.0
        kind = "bury" if points else "bury_nothing"
        bury = thought(me, "bury", buried, worth, kind, cards=buried, points=points)
        found.setdefault(tuple(sorted(buried)), bury)
    return list(found.values())


def dead_hand(ranking: Ranking, hand: list[Card], strong: bool) -> Choices:
    """Return eight cards of a hand to bury, the least useful first."""
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
    """Return the value to the king of keeping a card in hand."""
    power = ranking.powers[card]
    if power >= LOWEST_TRUMP:
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


def calls(view: View, me: Seat, options: Choices, level: Level) -> list[Thought]:
    """Return the best cards to call: winners held by others, in suits the king can lead."""
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

    found = best_first(
        thought(me, "call", (card,), worth(card), "call", card=card) for card in options
    )
    return found[:MOST_THOUGHTS]


# Tricks


@dataclass
class Position:
    """A trick as seen by the seat whose turn it is, with what it infers."""

    memory: Memory
    view: View
    level: Level

    def __post_init__(self) -> None:
        facts = self.view.facts
        self.ranking = trump_ranking(facts["trump_rank"], facts["trump_suit"])
        self.me: Seat = facts["turn"]
        self.koth: Seat = facts["koth"]
        self.called: Card | None = facts["called"]
        self.hand = own_hand(self.view)
        self.plays: list[list[Card]] = [played["cards"] for played in facts["trick"]]
        self.after = [(self.me + step) % SEATS for step in range(1, SEATS - len(self.plays))]

    @property
    def remembered(self) -> Memory:
        """Return what the level remembers of the tricks so far; only a hard bot counts."""
        return self.memory if self.level == Level.HARD else UNNOTICED

    @cached_property
    def unseen(self) -> dict[Card, int]:
        """Return how many copies of each card the seat cannot see."""
        seen = Counter(self.hand)
        seen.update(card for card in self.view.zone("dead_hand").cards if card != DOWN)
        gone = self.remembered.gone
        left = {card: 2 - seen[card] - gone.get(card, 0) for card in pack()}
        return {card: count for card, count in left.items() if count > 0}

    @cached_property
    def hidden(self) -> int:
        """Return the number of hidden cards."""
        return max(1, sum(self.unseen.values()))

    @cached_property
    def room(self) -> dict[Seat, int]:
        """Return the number of hidden cards in each hand and in the dead hand."""
        hands = {seat: len(self.view.zone("hand", seat).cards) for seat in range(SEATS)}
        buried = self.view.zone("dead_hand").cards.count(DOWN)
        return {seat: n for seat, n in (hands | {BURIED: buried}).items() if n and seat != self.me}

    @property
    def whole_round(self) -> bool:
        """Return True if the bot has seen the whole round and so can imagine deals."""
        return self.hidden == sum(self.room.values())

    @cached_property
    def points_each(self) -> float:
        """Return the points of an average hidden card."""
        return sum(card_points((card,)) * n for card, n in self.unseen.items()) / self.hidden

    @cached_property
    def holds_call(self) -> bool:
        """Return True if the bot itself could answer the call."""
        return self.called is not None and self.me != self.koth and self.called in self.hand

    @cached_property
    def wants_to_join(self) -> bool:
        """Return True if the king's side looks better than the challengers'."""
        return self.holds_call and self.against < ENOUGH

    @cached_property
    def against(self) -> int:
        """Return the points of all seats except the king and the bot."""
        points = enumerate(self.view.facts["points"])
        return sum(it for seat, it in points if seat not in (self.koth, self.me))

    @cached_property
    def friends(self) -> list[float]:
        """Return the probability, by seat, of being on the bot's side."""
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
        """Return the number of hidden cards of a suit above a power."""
        suits, powers = self.ranking.suits, self.ranking.powers
        return sum(
            n for card, n in self.unseen.items() if suits[card] == suit and powers[card] > power
        )

    def higher_pairs(self, suit: str, power: int) -> int:
        """Return the number of pairs of a suit above a power that one hand could hide."""
        suits, powers = self.ranking.suits, self.ranking.powers
        return sum(
            n == 2 and suits[card] == suit and powers[card] > power
            for card, n in self.unseen.items()
        )

    def beaten_by(self, seat: Seat, suit: str, power: int, size: int) -> float:
        """Return the estimated chance that a seat yet to play beats this power."""
        share = min(1.0, len(self.view.zone("hand", seat).cards) / self.hidden)
        void = self.remembered.void[seat]  # the suits it is out of
        count = self.higher if size == 1 else self.higher_pairs
        one = raised(share, size)
        beaten = 0.0
        if suit not in void:
            beaten = 1 - raised(1 - one, count(suit, power))
        if suit != TRUMP and TRUMP not in void:
            out = 1.0 if suit in void else raised(1 - share, self.higher(suit, -1))
            beaten += out * (1 - raised(1 - one, count(TRUMP, power))) * 0.8
        return min(beaten, 1.0)

    @cached_property
    def pairs(self) -> list[Card]:
        """Return the cards the bot holds twice."""
        return pairs_in(self.hand)

    @cached_property
    def keeping(self) -> dict[Card, float]:
        """Return the value of each card of the hand in later tricks, in points."""
        share = FORESIGHT[self.level]
        return {card: share * self.kept(card) for card in dict.fromkeys(self.hand)}

    def kept(self, card: Card) -> float:
        """Return the value of a card in later tricks, in points."""
        suit, power = self.ranking.suits[card], self.ranking.powers[card]
        above = self.higher(suit, power)
        return 2.5 + 6 * raised(0.75, above) if suit == TRUMP else 4 * raised(0.5, above)


def plays(at: Position, rng: Rng) -> list[Thought]:
    """Return the thoughts about each legal play, by the points it gains and what it costs later.

    A hard bot then plays the best of them out in imagined deals.
    """
    lead = at.plays[0] if at.plays else ()
    # strict following is legal under the literal rule too
    legal = legal_plays(at.ranking, at.hand, lead)
    if len(legal) == 1:
        kind = "last" if len(legal[0]) == len(at.hand) else "only"
        return [thought(at.me, "play", legal[0], 0.0, kind, cards=legal[0])]
    found = best_first(weighed(at, cards) for cards in legal)[:MOST_THOUGHTS]
    if at.level != Level.HARD:
        return found
    return searched(at, found, Random(rng.randrange(1 << 32)))


def explained(at: Position, best: Thought, guess: Random) -> Thought:
    """Return the thought with the share of imagined deals in which its trick is won, if its
    reason depends on that.
    """
    assert best.move and best.reason
    if best.reason.kind.removeprefix("think.") not in BY_SHARE or not at.whole_round:
        return best
    facts, cards = best.reason.facts, best.move.choices
    won = share_won(at, cards, guess)
    said = round(100 * won / STEP) * STEP
    kind = reason(at, cards, facts["on_top"], won, sampled=True)
    return Thought(best.move, best.worth, Saying(f"think.{kind}", {**facts, "share": said}))


def share_won(at: Position, cards: Choices, guess: Random, deals: int = TRICKS) -> float:
    """Return the share of imagined deals in which the bot's side wins the trick after a play."""
    if not at.after:
        best = winning_play(at.ranking, [*at.plays, list(cards)])
        return at.friends[player_at((at.me - len(at.plays)) % SEATS, best, SEATS)]
    deck = deck_of(at.view.facts["trump_rank"], at.view.facts["trump_suit"])
    trick = [[deck.number[card] for card in play] for play in [*at.plays, cards]]
    leader = (at.me - len(at.plays)) % SEATS
    won = 0
    for _ in range(deals):
        dealt, defends = imagined_cards(at, guess)
        hands = {seat: deck.by_suit(dealt.get(seat, ())) for seat in at.after}
        winner = winner_of(deck, hands, defends, leader, trick)
        won += defends[winner] == defends[at.me]
    return won / deals


def searched(at: Position, found: list[Thought], guess: Random) -> list[Thought]:
    """Return the thoughts; the first is the one that does significantly better in imagined deals,
    if any.

    A few deals show which play may be better than the rules of thumb say; fresh ones confirm it.
    """
    close = [each for each in found[:TRIED] if each.worth > found[0].worth - WORTH_TRYING]
    if len(close) < 2 or not at.whole_round:
        return found
    first = close[0]
    at_first = gains(at, close, FIRST_DEALS, guess)
    best, total = max(zip(close, map(fsum, at_first), strict=True), key=lambda each: each[1])
    if total <= fsum(at_first[0]):
        return found
    usual, better = gains(at, (first, best), FRESH_DEALS, guess)
    ahead = [one - other for one, other in zip(better, usual, strict=True)]
    mean = fsum(ahead) / FRESH_DEALS
    error = sqrt(fsum((each - mean) * (each - mean) for each in ahead)) / FRESH_DEALS
    if mean <= max(MARGIN, ERRORS * error):
        return found
    usual, better = gains(at, (first, best), LAST_DEALS, guess)
    mean = (fsum(better) - fsum(usual)) / LAST_DEALS
    if mean < LEAST:
        return found
    assert first.move and best.move
    points = (fsum(map(points_alone, better)) - fsum(map(points_alone, usual))) / LAST_DEALS
    hills = (mean - points) / WON
    cards, instead = best.move.choices, first.move.choices
    facts: dict[str, object] = {"cards": cards, "instead": instead}
    if points >= LEAST:
        kind, facts = "searched", facts | {"points": round(points)}
    else:
        kind, facts = "searched_hill", facts | {"more": max(1, round(100 * hills))}
    proven = thought(at.me, "play", cards, first.worth + mean, kind, **facts)
    return [proven, *(each for each in found if each is not best)]


def points_alone(gain: float) -> float:
    """Return a result without the bonus for the hill."""
    return gain if -ENOUGH < gain < ENOUGH else gain - WON if gain > 0 else gain + WON


def gains(at: Position, tried: Sequence[Thought], deals: int, guess: Random) -> list[list[float]]:
    """Return the results of these moves in the same imagined deals."""
    imagined = [imagined_deal(at, guess) for _ in range(deals)]
    return [[result(at, deal, each) for deal in imagined] for each in tried]


def imagined_deal(at: Position, guess: Random) -> Deal:
    """Return a deal consistent with the play so far: all hands, the defenders, and the buried
    points.
    """
    dealt, defends = imagined_cards(at, guess)
    deck = deck_of(at.view.facts["trump_rank"], at.view.facts["trump_suit"])
    dead = [deck.cards[card] for card in dealt.get(BURIED, ())] or at.view.zone("dead_hand").cards
    buried = card_points(dead)
    return [deck.by_suit(dealt.get(seat, ())) for seat in range(SEATS)], defends, buried


def imagined_cards(at: Position, guess: Random) -> tuple[dict[Seat, list[int]], list[bool]]:
    """Return the hands of an imagined deal, as numbers, and the defenders."""
    deck = deck_of(at.view.facts["trump_rank"], at.view.facts["trump_suit"])
    void = dict(enumerate(at.memory.void))
    void[BURIED] = [TRUMP]  # trumps are rarely buried
    dealt = imagined(
        deck,
        lambda cards: guess.sample(cards, len(cards)),
        at.unseen,
        at.room,
        void,
        at.memory.shown,
    )
    dealt[at.me] = [deck.number[card] for card in at.hand]
    called = deck.number[at.called] if at.called else None
    defends = [
        seat in at.view.facts["defenders"]
        or (at.wants_to_join if seat == at.me else called is not None and called in dealt[seat])
        for seat in range(SEATS)
    ]
    return dealt, defends


def result(at: Position, deal: Deal, tried: Thought) -> float:
    """Return the points of the bot's side at the end of an imagined round after a move."""
    hands, defends, buried = deal
    deck = deck_of(at.view.facts["trump_rank"], at.view.facts["trump_suit"])
    assert tried.move
    cards = [deck.number[card] for card in tried.move.choices]
    left = [[list(suit) for suit in hand] for hand in hands]
    for card in cards:
        left[at.me][deck.suit[card]].remove(card)
    trick = [*([deck.number[card] for card in play] for play in at.plays), cards]
    leader = (at.me - len(at.plays)) % SEATS
    won = sum(points for seat, points in enumerate(at.view.facts["points"]) if not defends[seat])
    score = won + challengers_points(deck, left, defends, leader, trick, buried)
    value = score + WON if score >= ENOUGH else float(score)
    return -value if defends[at.me] else value


def weighed(at: Position, cards: Choices) -> Thought:
    """Return the value of a play to the bot's side, in points, and the reason."""
    size = len(cards)
    played = [*at.plays, list(cards)]
    best = winning_play(at.ranking, played)
    leader = (at.me - len(at.plays)) % SEATS
    on_top = player_at(leader, best, SEATS)
    power = strength(at.ranking, played[0], played[best])
    suit = at.ranking.suits[played[0][0]]
    ours = at.friends[on_top]
    for seat in at.after:
        beaten = at.beaten_by(seat, suit, power, size)
        ours = ours * (1 - beaten) + beaten * at.friends[seat]
    if not at.plays and size == 1 and leads_to_partner(at, cards[0]):
        ours = max(ours, 0.75)
    lying = sum(map(card_points, played))
    stake = lying + 1.5 * size
    stake += len(at.after) * size * at.points_each
    if len(at.hand) == size:  # the last trick decides who gets the dead hand
        stake += 2 * at.view.facts.get("dead_hand_points", 8)
    worth = (2 * ours - 1) * stake - fsum(at.keeping[card] for card in cards)
    if size == 1 and cards[0] in at.pairs:
        worth -= 1.5
    given = card_points(cards)
    facts = {"cards": cards, "points": lying, "share": round(100 * ours), "given": given}
    if at.called in cards and at.me != at.koth:
        worth += 3 if at.wants_to_join else -20
        facts |= {"koth": at.koth, "against": at.against}
        return thought(at.me, "play", cards, worth, "join", **facts)
    if at.called in cards and at.me == at.koth:
        worth -= 20  # it would use up the call
    kind = reason(at, cards, on_top, ours)
    return thought(at.me, "play", cards, worth, kind, on_top=on_top, **facts)


def reason(at: Position, cards: Choices, on_top: Seat, ours: float, sampled: bool = False) -> str:
    """Return the reason for playing these cards, as the kind of a saying.

    `ours` is the probability that the trick is won. Only a sampled share is reliable enough to
    contradict the current state of the trick.
    """
    if not at.plays:
        if leads_to_partner(at, cards[0]):
            return "lead_to_partner"
        return "lead_to_win" if ours >= LIKELY else "lead_low"
    if on_top == at.me:
        return "win" if ours >= LIKELY else "try"
    friend = at.friends[on_top]
    if sampled and (1 - LIKELY < ours < LIKELY or (ours >= LIKELY) != (friend >= LIKELY)):
        return "goes"
    given = card_points(cards) > 0
    if friend == 1.0 and not at.wants_to_join:  # another holder of the called card may be first
        return "feed_mate" if given else "leave_to_mate"
    if friend >= LIKELY:
        return "feed" if given else "leave_to_friend"
    return "lost" if given else "lost_nothing"


def leads_to_partner(at: Position, card: Card) -> bool:
    """Return True if the king leads the suit of the called card, and that card would win."""
    called = at.called
    if called is None or at.me != at.koth or card == called:
        return False
    suit = at.ranking.suits[called]
    return at.ranking.suits[card] == suit and not at.higher(suit, at.ranking.powers[called])


BOT = Bot(Memory, notice, weigh, bound=4.0, decide=decide)
