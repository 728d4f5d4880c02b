"""Descriptions of Karata for API clients: its zones and each of its facts."""

ZONES = {
    "pile": "The cards of the last play, on the pile, the top card last.",
    "deck": "The cards to draw from, face down.",
    "hand": "A player’s cards. A card in your row leaves its place empty.",
    "row": "The row you are building, which only you see.",
}

FACTS = {
    "stage": "turn; drawn, when a drawn card may be laid; request, when a card or suit may be "
    "requested; last_card; stop, when a jump or kickback may be stopped; ready, between two "
    "games; or over.",
    "turn": "The seat that is prompted, or null between games.",
    "next": "The seat that comes next if nothing special is played, or null between games.",
    "tries": "The number of fined plays in this turn.",
    "direction": "1 if the turn passes to higher seats, -1 if to lower ones.",
    "top": "The top card of the pile.",
    "pile_depth": "The number of cards in the pile.",
    "deck_count": "The number of cards in the deck.",
    "played": "The cards of the last play, in order.",
    "played_by": "The seat that made it, or null.",
    "pick": "The number of cards that a bomb makes the seat on turn pick; 0 without a bomb.",
    "request": "The suit or card requested, or null.",
    "request_kind": "suit, card or null.",
    "level": "What may be requested at stage request: 1 a suit, 2 a card or a suit; otherwise 0.",
    "last_card": "Whether last card was said, by seat.",
    "cardless": "Whether no card is left, by seat.",
    "hand_counts": "The number of cards in each hand.",
    "fined": "The number of cards drawn as fines in this game, by seat.",
    "fits": "Your cards that may come next in the row; empty if wrong plays are fined.",
    "preview": "The effect of your row: sayings by kind and facts, with the rule that forbids "
    "it, if any. The move has it in words.",
    "fine": "The number of cards a wrong play costs; 0 if it is refused.",
    "joker_ignores_request": "Whether a joker may be played despite a request (an option).",
    "strict_finish": "Whether a play that leaves no card and does not win is refused (an option).",
    "house": "The options that differ from Karata classic. This fact and those below exist only "
    "if there are any.",
    "ground": "The card that counts as the top one, which may be a card under a joker.",
    "question": "Whether a question was left to the seat on turn.",
    "stop": "What may be stopped now: jump, kickback or nothing.",
    "cut_suit": "The suit of the 7 that ends the game, or nothing.",
    "counted": "The points in the hands, by seat, once a player has cut.",
    "game": "The number of the game in the match, from 1.",
    "games": "The number of games in the match.",
    "wins": "The number of games won, by seat.",
    "winner": "The seat that won the last game, or null.",
    "ready": "Whether each seat is ready for the next game.",
    "absent": "The seats that have left.",
}

DEALING = (
    "A pack is shuffled, with jokers if the option jokers is on, and shuffled again in the same "
    "stream until its last card may open. That card starts the pile. From the end, as many cards "
    "as the option deal says go to seat 0, then as many to seat 1, and so on; the rest is the "
    "deck, its top last. If the option starter is random, the player who starts is drawn next. A 2 "
    "3 8 J Q K and the jokers do not open a game, with these exceptions: if ranks is uganda, Q "
    "and K do, and 3 if there are no jokers; if opener is mild, J and 8 do; and if cut is not 0, "
    "no 7 does. On a board, cards are drawn by lists."
)
