"""The tricks of King of the Hill: leading, following and winning, with single cards and pairs."""

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import combinations

from kaboom.engine.i18n import gettext as _
from kaboom.engine.i18n import gettext_noop as N_
from kaboom.engine.moves import Choices, IllegalMove, Pick, Seat
from kaboom.engine.play import Listener, Play
from kaboom.engine.toolkit import tricks
from kaboom.engine.toolkit.cards import Card
from kaboom.engine.toolkit.tricks import CANNOT_WIN, Ranking, may_follow, of_suit, player_at
from kaboom.games.koth.cards import TRUMP, card_points, pairs_in
from kaboom.games.koth.scoring import score_round
from kaboom.games.koth.state import SEATS, State, Trick

# Leading and following


def playing(s: State) -> Iterator[Listener]:
    """Yield the play for the seat whose turn it is: one card or a pair, then as many as were
    led.
    """
    hand = s.hands[s.turn]
    if s.trick:
        size = len(s.trick[0])
        literal = s.options.follow_rule == "literal"
        why_not = partial(follow_refusal, s.ranking, hand, s.trick[0], literal)
        pick = Pick(tuple(hand), size, size, why_not=why_not)
    else:
        pick = Pick(tuple(hand), 1, min(2, len(hand)), why_not=lead_refusal)
    yield Listener(s.turn, "play", play_cards, pick, about=str(s.decision))


def lead_refusal(cards: Choices) -> IllegalMove | None:
    """Return the reason why these cards cannot be led, or None."""
    if len(cards) == 2 and cards[0] != cards[1]:
        return IllegalMove(
            _("Two cards can be led only as a pair: the same rank and the same suit twice."),
            rule="leading",
        )
    return None


SUIT_WORDS = {  # one card, several cards
    "S": (N_("spade"), N_("spades")),
    "H": (N_("heart"), N_("hearts")),
    "D": (N_("diamond"), N_("diamonds")),
    "C": (N_("club"), N_("clubs")),
    TRUMP: (N_("trump"), N_("trumps")),
}


def follow_refusal(
    ranking: Ranking, hand: Sequence[Card], lead: Sequence[Card], literal: bool, cards: Choices
) -> IllegalMove | None:
    """Return the reason why these cards, of the right number, cannot follow the lead, or None."""
    suit = ranking.suits[lead[0]]
    inside = of_suit(ranking, hand, suit)
    follows = len(of_suit(ranking, cards, suit))
    sentence = None
    if len(lead) == 1:
        if inside and not follows:
            sentence = N_("You hold a {one}, so you must play a {one}.")
    elif pairs_in(inside):
        if follows < 2 or cards[0] != cards[1]:
            sentence = N_(
                "You hold two {many} exactly alike, so you must play such a pair of {many}."
            )
    elif not literal:
        if follows < 2 <= len(inside):
            sentence = N_("You hold {many}, so both cards must be {many}.")
        elif inside and not follows:
            sentence = N_("You hold one {one}, so it must be one of your two cards.")
    if sentence is None:
        return None
    one, many = SUIT_WORDS[suit]
    return IllegalMove(_(sentence, one=_(one), many=_(many)), rule="following")


def legal_plays(
    ranking: Ranking, hand: Sequence[Card], lead: Sequence[Card], literal: bool = False
) -> list[Choices]:
    """Return every legal play of the hand on this lead (empty: every lead), without duplicates."""
    hand = sorted(hand, key=hand.index)  # equal cards side by side
    if not lead:
        singles = [(card,) for card in dict.fromkeys(hand)]
        return [*singles, *((card, card) for card in pairs_in(hand))]
    if len(lead) == 1:
        return [(card,) for card in dict.fromkeys(may_follow(ranking, hand, lead[0]))]
    inside = of_suit(ranking, hand, ranking.suits[lead[0]])
    if pairs := pairs_in(inside):
        return [(card, card) for card in pairs]
    if len(inside) >= 2 and not literal:
        return list(dict.fromkeys(combinations(inside, 2)))
    plays = dict.fromkeys(combinations(hand, 2))
    if inside and not literal:
        return [cards for cards in plays if inside[0] in cards]
    return list(plays)


def seat_plays(s: State, seat: Seat) -> list[Choices]:
    """Return every legal play by a seat to the current trick."""
    lead = s.trick[0] if s.trick else ()
    return legal_plays(s.ranking, s.hands[seat], lead, s.options.follow_rule == "literal")


def play_cards(play: Play[State], *cards: Card) -> None:
    """Play to the trick."""
    put_down(play, play.seat, cards)


def put_down(play: Play[State], seat: Seat, cards: Choices) -> None:
    """Move cards from a hand to the trick, the called one on top; the first player of the called
    card joins the king.
    """
    s = play.state
    for card in cards:
        s.hands[seat].remove(card)
    s.joined = s.joined and bool(s.trick)
    s.trick.append(sorted(cards, key=lambda card: card == s.called))
    play.tell("played", seat=seat, cards=cards)
    if s.called in cards:
        answer_call(play, seat)
    s.decision += 1
    if len(s.trick) == SEATS:
        end_trick(play)


def answer_call(play: Play[State], seat: Seat) -> None:
    """Make the player of the called card the king's teammate; under some options, a king who
    plays it uses up the call.
    """
    s = play.state
    if seat != s.koth:
        s.defenders.append(seat)
        s.joined = True
        play.tell("joined", seat=seat, card=s.called, koth=s.koth)
        s.called = None
    elif s.options.koth_cancels_call:
        play.tell("call_spent", seat=seat, card=s.called)
        s.called = None


# Winning a trick


def strength(ranking: Ranking, lead: Sequence[Card], cards: Sequence[Card]) -> int:
    """Return the strength of a play in the trick, or CANNOT_WIN.

    If a pair was led, only pairs can win.
    """
    if len(lead) == 2 and cards[0] != cards[1]:
        return CANNOT_WIN
    return tricks.strength(ranking, lead[0], cards[0])


def winning_play(ranking: Ranking, plays: Sequence[Sequence[Card]]) -> int:
    """Return the position of the best play in the trick, the earliest if several are equally
    good.
    """
    return tricks.first_best([strength(ranking, plays[0], cards) for cards in plays])


def winning_seat(s: State) -> Seat:
    """Return the seat with the best play in the trick so far."""
    return player_at(s.leader, winning_play(s.ranking, s.trick), SEATS)


def end_trick(play: Play[State]) -> None:
    """Give the trick and its points to the winner, who leads next."""
    s = play.state
    winner = winning_seat(s)
    points = sum(map(card_points, s.trick))
    s.points[winner] += points
    s.last_trick = Trick(s.leader, s.trick, winner, points)
    s.leader = winner
    s.trick = []
    play.tell("trick_won", seat=winner, points=points)
    if not s.hands[winner]:
        score_round(play)
