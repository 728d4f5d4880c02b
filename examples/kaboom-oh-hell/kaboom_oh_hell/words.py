"""The words of Oh Hell."""

from kaboom.engine.texts import Words

WORDS = Words(
    sayings={
        "bidding": "Waiting for {seat:name} to bid: {bid} of {cards} tricks are bid so far.",
        "bidding.you": "Your turn to bid: {bid} of {cards} tricks are bid so far.",
        "lead": "Waiting for {seat:name} to lead.",
        "lead.you": "Your turn: lead a card.",
        "lead_next": "{seat:name} takes the trick: {won} of {bid}.",  # as the event
        "lead_next.you": "Your turn: you have taken the trick. Lead a card.",
        "follow": "Waiting for {seat:name} to play to the {led:card}.",
        "follow.you": "Your turn: play to the {led:card}.",
        "between_deals": "The deal is over.",
        "between_deals.you": "You bid {bid} and took {won}: {points:points}.",
        "has_bid": "Bid: {bid}",
        "tricks_of_bid": "Tricks: {won} of {bid}",
        "has_points": "Points: {score}",
        "has_more_points": "Points: {score} (+{gained})",
        "deal_started": "Deal {deal}: {cards:count} for each. The {trump:card} makes trumps.",
        "bid": "{seat:name} bids {tricks}.",
        "bid.you": "You bid {tricks}.",
        "played": "{seat:name} plays the {card:card}.",
        "played.you": "You play the {card:card}.",
        "trick_taken": "{seat:name} takes the trick: {won} of {bid}.",
        "trick_taken.you": "You take the trick: {won} of {bid}.",
        "deal_over": "Points in this deal: {gained:scores}. In all: {scores:scores}.",
    },
    offers={"bid": "Bid a number of tricks", "play": "Play a card", "ready": "Next deal"},
    choices={"play": "card"},
    rules={"bid": "bidding", "play": "playing", "ready": "the-end"},
)
