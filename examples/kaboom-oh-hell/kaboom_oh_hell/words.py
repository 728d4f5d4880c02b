"""The words of Oh Hell."""

from kaboom.engine.texts import Words

WORDS = Words(
    sayings={
        "bidding": "Waiting for {seat:name} to bid: {bid} of {cards} tricks are bid so far.",
        "bidding.you": "Your turn to bid: {bid} of {cards} tricks are bid so far.",
        "lead": "Waiting for {seat:name} to lead.",
        "lead.you": "Your turn: lead a card. You have {won} of {goal} tricks.",
        "follow": "Waiting for {seat:name} to play to the {led:card}.",
        "follow.you": "Your turn: play to the {led:card}. You have {won} of {goal} tricks.",
        "between_deals": "The deal is over: {scores:scores}.",
        "has_bid": "Bid: {bid}",
        "tricks_of_bid": "Tricks: {won} of {bid}",
        "deal_started": "Deal {deal}: {cards:count} for each. The {trump:card} makes trumps.",
        "bid": "{seat:name} bids {tricks}.",
        "bid.you": "You bid {tricks}.",
        "played": "{seat:name} plays the {card:card}.",
        "played.you": "You play the {card:card}.",
        "trick_taken": "{seat:name} takes the trick: {won} of {bid}.",
        "trick_taken.you": "You take the trick: {won} of {bid}.",
        "deal_over": "{exact:names} took what they bid. Points: {scores:scores}.",
        "all_missed": "Nobody took what they bid. Points: {scores:scores}.",
    },
    offers={"bid": "Bid a number of tricks", "play": "Play a card", "ready": "Next deal"},
    choices={"play": "card"},
    rules={"bid": "bidding", "play": "playing", "ready": "the-end"},
)
