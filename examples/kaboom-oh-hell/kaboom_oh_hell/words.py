"""The words of Oh Hell."""

from kaboom.engine.i18n import gettext_noop as N_
from kaboom.engine.texts import Words
from kaboom.engine.toolkit.tricks import SAYINGS

# What the generic table shows above the points and beside the card turned up, for the catalogue.
HEADINGS, NAMES = (N_("Bid"), N_("Tricks"), N_("This deal"), N_("Points")), (N_("Trump"),)

WORDS = Words(
    sayings={
        **SAYINGS,
        "bidding_last": "Waiting for {seat:name} to bid: {bid} bid so far, {cards} to be won.",
        "bidding_last.you": "Your turn to bid, not {barred}: the bids may not add up to {cards}.",
        "bidding": "Waiting for {seat:name} to bid: {bid} bid so far, {cards} to be won.",
        "bidding.you": "Your turn to bid: {bid} bid so far, {cards} to be won.",
        "lead_next": "{seat:name} takes the trick: {won} taken, {bid} bid.",  # as the event
        "lead_next.you": "Your turn: you have taken the trick. Lead a card.",
        "between_deals.you": "You bid {bid} and took {won}: {points:points}.",
        "has_bid": "Bid: {bid}",
        "no_bid": "No bid yet",
        "tricks_of_bid": "Tricks: {won} of {bid}{mark}",
        "deal_started": "Deal {deal}: {cards:count} for each. The {trump:card} makes trumps.",
        "bid": "{seat:name} bids {tricks}.",
        "bid.you": "You bid {tricks}.",
        "trick_taken": "{seat:name} takes the trick: {won} taken, {bid} bid.",
        "trick_taken.you": "You take the trick: {won} taken, {bid} bid.",
    },
    offers={"bid": "Bid a number of tricks", "play": "Play a card", "ready": "Next deal"},
    choices={"play": "card"},
    rules={"bid": "bidding", "play": "playing", "ready": "the-end"},
)
