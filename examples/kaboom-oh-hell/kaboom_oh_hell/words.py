"""The words of Oh Hell."""

from kaboom.engine.texts import Words
from kaboom.engine.toolkit.tricks import SAYINGS

WORDS = Words(
    sayings={
        **SAYINGS,
        "bidding": "Waiting for {seat:name} to bid: {bid} of {cards} tricks are bid so far.",
        "bidding.you": "Your turn to bid: {bid} of {cards} tricks are bid so far.",
        "lead": "Waiting for {seat:name} to lead.",
        "lead_next": "{seat:name} takes the trick: {won} of {bid}.",  # as the event
        "lead_next.you": "Your turn: you have taken the trick. Lead a card.",
        "follow": "Waiting for {seat:name} to play to the {led:card}.",
        "between_deals.you": "You bid {bid} and took {won}: {points:points}.",
        "has_bid": "Bid: {bid}",
        "tricks_of_bid": "Tricks: {won} of {bid}",
        "deal_started": "Deal {deal}: {cards:count} for each. The {trump:card} makes trumps.",
        "bid": "{seat:name} bids {tricks}.",
        "bid.you": "You bid {tricks}.",
        "trick_taken": "{seat:name} takes the trick: {won} of {bid}.",
        "trick_taken.you": "You take the trick: {won} of {bid}.",
    },
    offers={"bid": "Bid a number of tricks", "play": "Play a card", "ready": "Next deal"},
    choices={"play": "card"},
    rules={"bid": "bidding", "play": "playing", "ready": "the-end"},
)
