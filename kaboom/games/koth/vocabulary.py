"""Descriptions of King of the Hill for API clients: its zones and each of its facts."""

ZONES = {
    "hand": "A player’s cards; yours alone are face up.",
    "trick": "What a seat has played to this trick: one card or a pair.",
    "stock": "The cards still to be dealt, face down.",
    "dead_hand": "The eight cards that the king has buried; as long as they are secret, only the "
    "king sees them.",
}

FACTS = {
    "stage": "ready_round, deal, last_call, choose_trump, dead_hand, call, ready_trick, trick, "
    "over or abandoned.",
    "round": "The number of the round, from 1.",
    "last_round": "The number of the last round, where it is known; else null.",
    "ranks": "By seat, the rank it plays for, such as 2, 10, K, past the ace A+1.",
    "koth": "The seat that is king of the hill, or null before the first declaration.",
    "trump_rank": "The rank whose cards are trumps in this round, as a letter or digit.",
    "trump_suit": "The suit of trumps, or null before it is declared.",
    "declaration": "The standing declaration: seat, suit and the cards shown for it; or null.",
    "called": "The card that the king has called, until somebody plays it; or null.",
    "defenders": "The seats known to play on the king’s side.",
    "points": "The points taken in this round, by seat.",
    "dealt": "How many cards were dealt, during the deal; else null.",
    "ready": "The seats that are ready or, in the last call, have passed.",
    "leader": "The seat that leads this trick, or null.",
    "turn": "The seat whose turn it is to play, or null.",
    "trick": "What was played to this trick, in order: seat and cards.",
    "winning": "The seat whose cards win the trick so far, or null.",
    "last_trick": "The trick before: winner, points, and plays with seat and cards; or null.",
    "results": "The rounds that are over: round, koth, teammate, trump_rank, trump_suit, points "
    "by seat, dead_hand_points, score and gains by seat.",
    "pairs": "Your pairs. Only seats are told, as of what follows.",
    "playable": "Your cards that may be played now, at your turn.",
    "draft": "The cards that you have put aside to bury, as king.",
    "drafts": "How often you have done so.",
    "dead_hand_points": "What you have buried counts, as long as nobody else knows.",
    "absent": "The seats that have left.",
}

DEALING = (
    "The first draw of move 0, a number below 5, is the seat that gets the first card. The cards "
    "are shuffled in the move with which the fifth player is ready, a move taken back not "
    "counting: two packs with jokers, the second after the first (S H D C BJ RJ, twice). From the "
    "end they are dealt one at a time in turn, from that seat on, twenty to each; the eight that "
    "are left are for the king. On a board the seat is drawn for the occasion first, 1; and where "
    "nobody declared the occasion king, 1 draws a number below 5, the king, and then one below 4, "
    "the suit of S H D C."
)
