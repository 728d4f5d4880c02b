"""Descriptions of TakeN for API clients: its zones and each of its facts."""

ZONES = {
    "row": "A row of the table, its last card last. `take` counts the rows from 0, people from 1.",
    "hand": "A player’s cards; yours alone are face up. A chosen card is in it until all are "
    "turned up.",
    "chosen": "The card that a player has chosen, face down for the others.",
    "taken": "The cards that a player has taken in this game.",
}

FACTS = {
    "stage": "choose; take, when a card is below every row; ready, between two games; or over.",
    "turn": "The seat that takes a row, or null.",
    "game": "The number of the game in the match, from 1.",
    "max_games": "How many games the match has at most.",
    "round": "The number of the round in this game, from 1.",
    "rounds": "How many rounds a game has: as many as each player is dealt cards.",
    "threshold": "The points with which the match ends after that game.",
    "row_size": "How many cards a row can hold; the next one takes them.",
    "highest": "The highest card of the pack.",
    "has_chosen": "The seats that have chosen.",
    "row_points": "What each row costs whoever takes it.",
    "points": "What each card that lies open costs.",
    "scores": "The points of the match, by seat; the fewest win.",
    "game_points": "The points of this game, by seat.",
    "past": "Of each game before this one, the points by seat.",
    "queue": "The cards that were turned up and wait to be placed, the lowest first: card and "
    "seat.",
    "rows_before": "The rows as they lay before the last cards were turned up.",
    "reveal": "How those were placed: card, seat, row, the cards taken, their points, whether "
    "the row was chosen, and whether it was taken because it was full (forced).",
    "ready": "The seats that are ready for the next game.",
    "absent": "The seats that have left.",
}

DEALING = (
    "The numbers 1 to 104 are shuffled; with the option deck on tight, 1 to seats × hand_size + "
    "rows. From the front hand_size cards go to seat 0, then as many to seat 1, and so on; after "
    "them come the first cards of the rows, from the first row to the last."
)
