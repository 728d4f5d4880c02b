"""Descriptions of GOPS for API clients: its zones and each of its facts."""

ZONES = {
    "offer": "The prizes that are bid for now.",
    "prizes": "The prizes that are still to come, face down.",
    "hand": "A player’s cards. All hands lie open: they follow from the bids of the past "
    "rounds. A bid that is made is in it until all are turned up.",
    "bid": "The card that a player has bid, face down for the others.",
    "won": "The prizes that a player has won in this game.",
}

FACTS = {
    "stage": "bid; ready, between two games; or over.",
    "game": "The number of the game in the match, from 1.",
    "games": "How many games the match has.",
    "round": "The number of the round in the game, from 1.",
    "rounds": "How many rounds a game has.",
    "has_bid": "The seats that have made their bid.",
    "offer_points": "What the prizes on offer are worth together.",
    "to_come": "The prizes still to come, by rank: not in the order in which they will come.",
    "prize_order": "The prizes still to come, the next one first; only where the options show the "
    "order.",
    "scores": "The points of this game, by seat.",
    "totals": "The points of the match, by seat.",
    "past": "Of each game before this one, the points by seat.",
    "history": "The past rounds of this game: round, prizes, points, bids by seat, and the "
    "winner’s seat (null for nobody).",
    "unclaimed": "The prizes of this game that nobody has won.",
    "shares": "Points by seat from a last tie that was split.",
    "ready": "The seats that are ready for the next game.",
    "absent": "The seats that have left.",
}

DEALING = "The suit of diamonds is shuffled: the prizes, the first one last."
