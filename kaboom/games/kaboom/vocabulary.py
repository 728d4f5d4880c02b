"""Descriptions of Kaboom for API clients: its zones and each of its facts."""

ZONES = {
    "grid": "A player’s grid. Moves name its places SEAT.NUMBER, such as 1.4. Nearly all cards "
    "are face down, even for their owner; a mark says what last happened at a place.",
    "stock": "The cards to draw from, face down.",
    "discard": "The top card of the discard pile.",
    "drawn": "The card held by the player on turn; the others see its back unless it was taken "
    "from the pile.",
}

MARKS = {
    "looked at": "The player on turn has looked at this card by using an ability.",
    "chosen": "It was chosen for an ability that is not finished yet; or you have chosen to flip "
    "it.",
    "flipped": "It was flipped and did not match, so it was put back; all players have seen it.",
    "penalty": "A card drawn as a penalty for a wrong flip.",
    "too late": "It was flipped and would have matched, but another flip came first.",
    "swapped": "Its card was swapped with the one at the other place with this mark.",
    "given": "It now holds a card that another player gave away.",
    "given away": "Its card was given to another player.",
    "replaced": "Its card was discarded and replaced by another one.",
}

FACTS = {
    "stage": "The current step: peek, first_move, replace_taken, drawn, ability, after_ability, "
    "replace_drawn, give, collecting, last_flips or round_over.",
    "turn_stage": "The step that give or collecting interrupts; otherwise the same as stage.",
    "turn": "The seat on turn; null before the first turn of a round and after the last.",
    "starter": "The seat that begins the round.",
    "round": "The number of the round, from 1.",
    "rounds": "The number of rounds in the match; 0 if points end it.",
    "target": "The points that end the match; 0 if the number of rounds does.",
    "flip_penalty": "The number of cards that a flip of the wrong rank costs.",
    "totals": "The points of the match, by seat; the fewest win.",
    "scores": "The points of the last round, by seat.",
    "sums": "The sums of the grids in the last round, by seat, once it is over.",
    "declared_by": "The seat that has called kaboom in this round, or null.",
    "discard_count": "The number of cards in the discard pile.",
    "stock_count": "The number of cards in the stock.",
    "top_number": "The running number of the pile’s top card, which changes with each discard; "
    "null without a pile.",
    "flipped_by": "The seat that flipped the pile’s top card, or null.",
    "giver": "The seat that may give a card away now, or null.",
    "give_to": "The place that the given card would go to, or null.",
    "ready": "The seats that are ready to continue.",
    "peeked": "The seats that have looked at their cards before the first turn.",
    "ability": "The ability that is being used, or null.",
    "picks": "The places chosen for it so far.",
    "chosen": "Your answer while flips are collected: a place, or pass. No other player is told.",
    "more": "Whether you have asked for more time to flip.",
    "shown": "The cards being shown to you now, as a list of place and card: all players see a "
    "wrong flip, only you see the others. They disappear with your next decision, so remember "
    "them.",
    "absent": "The seats that have left.",
}

DEALING = (
    "A pack is shuffled, with jokers if the option jokers is on. From the end, six cards go to "
    "seat 0, then six to seat 1, and so on; the rest is the stock, its top last. If the option "
    "seating is first, the player drawn for seat 0 begins. On a board, cards are drawn by lists; "
    "the list of discard is for the card that starts the pile; and the occasion flips, n "
    "shuffles the seat numbers: the order of flips for the nth card to reach the pile."
)
