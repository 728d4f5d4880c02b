"""Descriptions of TakeN for API clients: its zones and each of its facts."""

ZONES = {
    "row": "A row of the table, its last card last. `take` counts rows from 0, people from 1.",
    "hand": "A player’s cards; only yours are face up. A chosen card stays in the hand until all "
    "are revealed.",
    "chosen": "The card a player has chosen, face down for the others.",
    "taken": "The cards that a player has taken in this game.",
}

FACTS = {
    "stage": "choose; take, when a card is below every row; ready, between two games; or over.",
    "turn": "The seat that takes a row, or null.",
    "game": "The number of the game in the match, from 1.",
    "max_games": "The maximum number of games in the match.",
    "round": "The number of the round in this game, from 1.",
    "rounds": "The number of rounds in a game: the number of cards dealt to each player.",
    "threshold": "The match ends after a game in which a player has this many points.",
    "row_size": "The number of cards a row can hold; the next one takes them.",
    "highest": "The highest card of the pack.",
    "has_chosen": "The seats that have chosen.",
    "row_points": "The cost of each row to the player who takes it.",
    "points": "The points of each open card.",
    "scores": "The points of the match, by seat; the fewest win.",
    "game_points": "The points of this game, by seat.",
    "past": "The points of each earlier game, by seat.",
    "queue": "The revealed cards that wait to be placed, lowest first: card and seat.",
    "rows_before": "The rows before the last reveal.",
    "reveal": "How the cards of that reveal were placed: card, seat, row, the cards taken, their "
    "points, whether the row was chosen, and whether it was taken because it was full (forced).",
    "ready": "The seats that are ready for the next game.",
    "absent": "The seats that have left.",
}

DEALING = (
    "The numbers 1 to 104 are shuffled; if the option deck is tight, 1 to seats × hand_size + "
    "rows. From the front, hand_size cards go to seat 0, then as many to seat 1, and so on; next "
    "come the first cards of the rows, from the first row to the last."
)
