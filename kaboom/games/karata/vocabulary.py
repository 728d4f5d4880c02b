"""Descriptions of Karata for API clients: its zones and each of its facts."""

ZONES = {
    "pile": "The cards of the last play that lie on the pile, its top card last.",
    "deck": "The cards to draw from, face down.",
    "hand": "A player’s cards. A card that lies in your row leaves its place empty.",
    "row": "The row that you are building, which only you see.",
}

FACTS = {
    "stage": "turn; drawn, when a drawn card may be laid; request, when one may ask; "
    "last_card; stop, when a jump or kickback may be stopped; ready, between two "
    "games; or over.",
    "turn": "The seat that is asked, or null between games.",
    "next": "The seat that comes next if nothing special is played, or null between games.",
    "tries": "How many plays of this turn were fined.",
    "direction": "1 where the turn passes to higher seats, -1 where to lower ones.",
    "top": "The top card of the pile.",
    "pile_depth": "How many cards the pile has.",
    "deck_count": "How many cards the deck has.",
    "played": "The cards of the last play, in order.",
    "played_by": "The seat that made it, or null.",
    "pick": "How many cards the bomb makes the seat on turn pick; 0 without one.",
    "request": "The suit or card that is asked for, or null.",
    "request_kind": "suit, card or null.",
    "level": "What may be asked for at stage request: 1 a suit, 2 a card or a suit; otherwise 0.",
    "last_card": "By seat, whether last card was said.",
    "cardless": "By seat, whether no card is left.",
    "hand_counts": "How many cards each seat holds.",
    "fined": "By seat, how many cards were drawn as fines in this game.",
    "fits": "Your cards that may come next in the row; empty where wrong plays are fined.",
    "preview": "What your row would do: sayings by kind and facts, with the rule that forbids "
    "it, if any does. In words it stands beside the move.",
    "fine": "How many cards a wrong play costs; 0 where it is refused.",
    "joker_ignores_request": "Whether a joker may be played under a request (an option).",
    "strict_finish": "Whether a play that leaves no card and does not win is refused (an option).",
    "house": "The options that are not as in Karata classic; only where there are such, like "
    "those below.",
    "ground": "The card that counts as the top one; under a joker it may be another one.",
    "question": "Whether a question was left to the seat on turn.",
    "stop": "What may be stopped now: jump, kickback or nothing.",
    "cut_suit": "The suit of the 7 that ends the game, or nothing.",
    "counted": "The points in the hands, by seat, once somebody has cut.",
    "game": "The number of the game in the match, from 1.",
    "games": "How many games the match has.",
    "wins": "How many games each seat has won.",
    "winner": "The seat that has won the last game, or null.",
    "ready": "By seat, whether it is ready for the next game.",
    "absent": "The seats that have left.",
}

DEALING = (
    "A pack is shuffled, with jokers if the option jokers is on, and again, in the same stream, "
    "until its last card may open. That card starts the pile; from the end the option deal says "
    "how many cards go to seat 0, then as many to seat 1, and so on; what is left is the deck, its "
    "top last. Who starts, if by lot (the option starter), is drawn then. A 2 3 8 J Q K and the "
    "jokers do not open a game; but with ranks on uganda Q and K do, and 3 where there are no "
    "jokers; with opener on mild J and 8 do; and where cut is not 0 no 7 does. On a board cards "
    "are drawn by lists."
)
