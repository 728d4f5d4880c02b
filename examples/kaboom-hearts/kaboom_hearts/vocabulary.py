"""What programs are told of Hearts: its zones, and each of its facts."""

ZONES = {
    "played": "The card that a seat has played to this trick.",
    "hand": "A player’s cards; yours alone are face up, and those you have passed are marked "
    "until all have.",
    "taken": "The cards that a player has taken in this deal, face down.",
}

MARKS = {"to pass": "You have chosen to pass this card."}

FACTS = {
    "deal": "The number of the deal, from 1.",
    "way": "In which direction cards are passed in this deal, or none.",
    "broken": "Whether hearts may be led.",
}

DEALING = (
    "A pack without jokers is shuffled. From the front each seat is dealt one card in turn, seat 0 "
    "first: seat 0 gets the 1st, the 5th and so on."
)
