"""The words of GOPS."""

from kaboom.engine.i18n import gettext as _
from kaboom.engine.i18n import gettext_noop as N_
from kaboom.engine.i18n import ngettext
from kaboom.engine.texts import Names, Words, winners
from kaboom.engine.toolkit.cards import joined, spoken


def bids_in_words(bids: list[str], names: Names) -> str:
    """Return each seat's bid: "you 9 of Spades and Ben 4 of Clubs"."""
    return joined([f"{names.you_or_name(seat)} {spoken(card)}" for seat, card in enumerate(bids)])


def winners_in_words(seats: list[int], names: Names) -> str:
    """Return the result in words: "Ann wins", "a draw between Ann and Ben", "no one wins"."""
    if len(seats) < 2:
        return winners(seats, names)
    return _("a draw between {names}", names=joined([names.name(seat) for seat in seats]))


# The habits of a rival, as a bot sees them.
HABITS = {
    "prize": N_("what the prize is worth"),
    "stake": N_("as much as is on offer"),
    "rank": N_("in step with the prizes left"),
}

# The names of the zones.
ZONE_NAMES = (N_("Offer"), N_("Prizes"), N_("Hand"), N_("Won"), N_("Bid"))

WORDS = Words(
    sayings={
        # status lines
        "bid_now": "Your turn: bid a card for the {on_offer:cards} ({points:points}).",
        "bid_now.several": "Your turn: bid a card for {count} prizes ({points:points}).",
        "bidding": "Waiting for {waiting:names} to bid for the {on_offer:cards} ({points:points}).",
        "bidding.several": "Waiting for {waiting:names} to bid for {count} prizes "
        "({points:points}).",
        "be_ready": "Your turn: game {game} of {games} is over ({scores:scores}). Say when you "
        "are ready.",
        "between_games": "Game {game} of {games} is over: {scores:scores}. Waiting for "
        "{waiting:names} to be ready.",
        "ended": "The match is over: {winners:winners} ({scores:scores}).",
        "forfeit": "The match is over: {winners:winners} by forfeit ({scores:scores}).",
        # the last result, while it is shown
        "result": "{seat:name} wins {points:points}: the {bid:card} against the {other:card}.",
        "result.you": "You win {points:points}: your {bid:card} against the {other:card}.",
        "result.of_three": "{seat:name} wins {points:points} with the {bid:card}.",
        "result.of_three.you": "You win {points:points} with the {bid:card}.",
        "result.tie": "A tie: {points:points} carried over to the next bids.",
        # for players who do not see the table
        "now.offer": "On offer: {cards:cards}.",
        "now.points": "{seat:name} has {points:points}.",
        "now.points.you": "You have {points:points}.",
        # events
        "game_started": "Game {game} of {games} begins.",
        "round_started": "Round {round}: the {prize:card} is turned up. On offer: {points:points}.",
        "bid_made": "{seat:name} has bid.",
        "bid_made.you": "You have bid.",
        "bid_made.open": "",
        "bid_yours": "Your sealed bid is the {card:card}.",
        "bid_yours.open": "{seat:name} bids the {card:card}.",
        "lapsed": "{seat:name} is out of time, so a random card is bid.",
        "lapsed.you": "You are out of time, so a random card is bid for you.",
        "away": "{seat:name} is away, so a random card is bid.",
        "away.you": "You were away, so a random card was bid for you.",
        "bids_revealed": "The bids: {bids:bids}.",
        "bids_revealed.open": "",
        "prizes_won": "{seat:name} wins the {cards:cards}: {points:points}.",
        "prizes_won.you": "You win the {cards:cards}: {points:points}.",
        "tie": "A tie: no one wins the {on_offer:cards}.",
        "stays": "A tie: the next bids are for the {on_offer:cards}, too.",
        "unclaimed": "No one gets the {cards:cards}.",
        "unclaimed_shared": "{seats:names} share the {cards:cards}: {points:points} each.",
        "game_over": "The game is over: {scores:scores}.",
        "match_over": "The match is over: {winners:winners}.",
        # the effect of a bid
        "preview.bid": "If no other bid is as high, yours wins {points:points}.",
        # why a bot bids a card
        "think.rank": "Bid the {card:card}: it is about as high among the cards left as the prize "
        "is among the prizes left.",
        "think.certain": "Bid the {card:card}: {rival:name} holds nothing as high, so it wins "
        "{points:points} for certain.",
        "think.beats": (
            "Bid the {card:card}: {rival:name} usually bids {habit:habit}, so the {likely:card} "
            "is likely, and this is the cheapest card that beats it."
        ),
        "think.tops": (
            "Bid the {card:card}: {rival:name} usually bids {habit:habit}, so the {likely:card} "
            "is likely, and this beats it with something to spare."
        ),
        "think.ties": (
            "Bid the {card:card}: {rival:name} usually bids {habit:habit}, so the {likely:card} "
            "is likely, and a tie keeps the prizes on offer."
        ),
        "think.lowest": (
            "Bid the {card:card}: {rival:name} usually bids {habit:habit}, so the {likely:card} "
            "is likely, and the lowest card is the cheapest answer to it."
        ),
        "think.yields": (
            "Bid the {card:card}: {rival:name} usually bids {habit:habit}, so the {likely:card} "
            "is likely; this bid loses to it, but beats lower cards that may come instead."
        ),
        "think.random": (
            "Bid the {card:card}: {rival:name} seems to bid at random, and this bid promises "
            "most against that."
        ),
        "think.best": "Bid the {card:card}: no other bid promises as much.",
        "think.varies": "Bid the {card:card}: one of several good bids; a hard bot picks it "
        "{often:often} in 100.",
        "think.near": "Bid the {card:card}: it looks nearly as good as the best bid.",
        "think.worse": "Bid the {card:card}: it promises about {more:points} less than the best "
        "bid.",
        "think.seldom": "Bid the {card:card}: in such a round it is hardly ever bid.",
        "think.outbids": "Bid the {card:card}: of the cards that {rival:name} still holds, it "
        "beats {beaten} of {all}.",
        "think.outbids_and": "Bid the {card:card}: of the cards that {rival:name} still holds, it "
        "beats {beaten} of {all}, and your higher cards stay for later.",
        "think.cheap": "Bid the {card:card}: it beats none of the cards that {rival:name} still "
        "holds.",
        "think.cheap_and": "Bid the {card:card}: it beats none of the cards that {rival:name} "
        "still holds, but your higher cards stay for later.",
        "think.guess": "Bid the {card:card}: this is a guess.",
    },
    offers={
        "bid": "Bid a card",
        "bid.one": "Bid the {choice}",
        "bid.ask": "Bid the {choice}? Once another player has bid, it cannot be taken back.",
        "ready": "Ready for the next game",
    },
    choices={"bid": "card"},
    rules={"bid": "bidding", "ready": "the-end"},
    spellers={
        "bids": bids_in_words,
        "winners": winners_in_words,
        "habit": lambda habit, names: _(HABITS[habit]),
        "often": lambda number, names: ngettext("once", "{count} times", number),
    },
)
