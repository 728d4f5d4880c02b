"""Descriptions of Kaboom for API clients: its zones and each of its facts."""

ZONES = {
    "grid": "A player’s grid. Moves name its places SEAT.NUMBER, such as 1.4. Nearly all of "
    "it lies face down, for its owner too; a mark says what was last done to a place.",
    "stock": "The cards to draw from, face down.",
    "discard": "The top card of the discard pile.",
    "drawn": "The card that whoever is on turn holds; the others see its back unless it was "
    "taken from the pile.",
}

MARKS = {
    "looked at": "Whoever is on turn has looked at this card by an ability.",
    "chosen": "It was chosen for an ability that is not done yet; or you have chosen to flip it.",
    "flipped": "It was flipped and does not fit, so it lies there again; all have seen it.",
    "penalty": "A card that was drawn for a wrong flip.",
    "too late": "It was flipped and would have fitted, but another flip came first.",
    "swapped": "Its card has changed places with that of the other place marked so.",
    "given": "A card that somebody else has given away lies here now.",
    "given away": "The card that lay here was given to somebody else.",
    "replaced": "The card that lay here was thrown away, and another one put in its place.",
}

FACTS = {
    "stage": "The step that is being taken: peek, first_move, replace_taken, drawn, ability, "
    "after_ability, replace_drawn, give, collecting, last_flips or round_over.",
    "turn_stage": "The step that give or collecting interrupts; otherwise the same as stage.",
    "turn": "The seat on turn; null before the first turn of a round and after the last.",
    "starter": "The seat that begins the round.",
    "round": "The number of the round, from 1.",
    "rounds": "How many rounds the match has; 0 where points end it.",
    "target": "The points that end the match; 0 where rounds do.",
    "totals": "The points of the match, by seat; the fewest win.",
    "scores": "The points of the last round, by seat.",
    "sums": "What the grids of the last round count, by seat, once it is over.",
    "declared_by": "The seat that has called kaboom in this round, or null.",
    "discard_count": "How many cards the discard pile has.",
    "stock_count": "How many cards the stock has.",
    "top_number": "The running number of the pile’s top card: it is another one with each discard. "
    "Null without a pile.",
    "flipped_by": "The seat that got rid of the pile’s top card by a flip, or null.",
    "giver": "The seat that may give a card away now, or null.",
    "give_to": "The place that it would go to, or null.",
    "ready": "The seats that are ready to go on.",
    "peeked": "The seats that have looked at their cards before the first turn.",
    "ability": "The ability that is being used, or null.",
    "picks": "The places chosen for it so far.",
    "chosen": "What you have answered where flips are collected: a place, or pass. Nobody else "
    "is told.",
    "more": "Whether you have asked for more time to flip.",
    "shown": "The cards that you are being shown now, a list of place and card: those of a wrong "
    "flip to everybody, else to you alone. Yours go with your next decision, so remember them.",
    "absent": "The seats that have left.",
}

DEALING = (
    "A pack is shuffled, with jokers if the option jokers is on. From the end six cards go to seat "
    "0, then six to seat 1, and so on; what is left is the stock, its top last. With seating on "
    "first the player drawn, in seat 0, begins. On a board cards are drawn by lists; the list of "
    "discard is for the card that begins the pile; and the occasion flips, n shuffles the numbers "
    "of the seats, the order of flips for the nth card that came onto the pile."
)
