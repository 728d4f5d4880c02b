"""Descriptions of GOPS for API clients: its zones and each of its facts."""

ZONES = {
    "offer": "The prizes on offer now.",
    "prizes": "The prizes still to come, face down.",
    "hand": "A player’s cards. All hands are open, because they follow from the bids of past "
    "rounds. A bid stays in the hand until all bids are revealed.",
    "bid": "The card a player has bid, face down for the others.",
    "won": "The prizes that a player has won in this game.",
}

FACTS = {
    "stage": "bid; ready, between two games; or over.",
    "game": "The number of the game in the match, from 1.",
    "games": "The number of games in the match.",
    "round": "The number of the round in the game, from 1.",
    "rounds": "The number of rounds in a game.",
    "has_bid": "The seats that have bid.",
    "offer_points": "The total value of the prizes on offer.",
    "to_come": "The prizes still to come, by rank, not in the order in which they will come.",
    "prize_order": "The prizes still to come, the next one first; only where the options show the "
    "order.",
    "scores": "The points of this game, by seat.",
    "totals": "The points of the match, by seat.",
    "past": "The points of each earlier game, by seat.",
    "history": "The past rounds of this game: round, prizes, points, bids by seat, and the "
    "winner’s seat (null if there was none).",
    "unclaimed": "The prizes of this game that no player has won.",
    "shares": "Points from a tie in the last round that was split, by seat.",
    "ready": "The seats that are ready for the next game.",
    "absent": "The seats that have left.",
}

DEALING = "The Diamonds are shuffled: they are the prizes, drawn from the end."
