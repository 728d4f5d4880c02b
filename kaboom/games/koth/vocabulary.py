"""Descriptions of King of the Hill for API clients: its zones and each of its facts."""

ZONES = {
    "hand": "A player’s cards; only yours are face up.",
    "trick": "The card or pair that a seat has played to this trick.",
    "stock": "The cards still to be dealt, face down.",
    "dead_hand": "The eight cards that the king has buried; only the king sees them while they "
    "are secret.",
}

FACTS = {
    "stage": "ready_round, deal, last_call, choose_trump, dead_hand, call, ready_trick, trick, "
    "over or abandoned.",
    "round": "The number of the round, from 1.",
    "last_round": "The number of the last round if it is known, else null.",
    "ranks": "The rank of each seat, such as 2, 10 or K; A+1 past the ace.",
    "koth": "The seat of the king of the hill; null before the first declaration.",
    "trump_rank": "The trump rank of this round, as a letter or digit.",
    "trump_suit": "The suit of trumps, or null before it is declared.",
    "declaration": "The standing declaration: seat, suit and the cards shown for it; or null.",
    "called": "The card that the king has called, until a player plays it; or null.",
    "joined": "The seat whose last card in the trick on the table is the called one; or null.",
    "defenders": "The seats known to be on the king’s side.",
    "points": "The points taken in this round, by seat.",
    "dealt": "The number of cards dealt so far, during the deal; else null.",
    "ready": "The seats that are ready or, in the last call, have passed.",
    "leader": "The seat that leads this trick, or null.",
    "turn": "The seat whose turn it is to play, or null.",
    "trick": "The plays to this trick in order: seat and cards.",
    "winning": "The seat whose cards win the trick so far, or null.",
    "last_trick": "The previous trick: winner, points, and plays with seat and cards; or null.",
    "results": "The finished rounds: round, koth, teammate, trump_rank, trump_suit, points by "
    "seat, dead_hand_points, score and gains by seat.",
    "pairs": "Your pairs. This fact and the following are sent only to their seat.",
    "playable": "Your cards that may be played now, on your turn.",
    "draft": "The cards that you, as king, have put aside to bury.",
    "taken_up": "The eight cards you have taken up, until you bury eight.",
    "drafts": "The number of times you have put cards aside.",
    "dead_hand_points": "The points you have buried, while no other player knows them.",
    "absent": "The seats that have left.",
}

DEALING = (
    "The first draw of move 0, a number below 5, is the seat that gets the first card. The cards "
    "are shuffled in the move that makes the fifth player ready (not counting a move that was "
    "taken back): two packs with jokers, one after the other (S H D C BJ RJ, twice). From the "
    "end, they are dealt one at a time in turn, starting with that seat, twenty to each; the "
    "remaining eight are for the king. On a board, that seat is drawn for the occasion first, 1. "
    "If no player declared, the occasion king, 1 draws a number below 5, the king, and then one "
    "below 4, the suit in the order S H D C."
)
