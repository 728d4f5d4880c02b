"""The words of Karata."""

from typing import Any

from kaboom.core.cards import SUITS, spoken, spoken_list, suit_name
from kaboom.core.language import mark, say
from kaboom.core.words import Names, Words


def asked(request: Any, names: Names) -> str:
    """Return what is asked for, in words: "Spades" or "the 9 of Spades"."""
    return suit_name(request) if request in SUITS else say("the {card}", card=spoken(request))


def yes_or_no(answer: Any, names: Names) -> str:
    """Return the words on the two buttons of the last-card question."""
    return say("Yes, last card") if answer == "yes" else say("No")


# The rule a play breaks: said to the player refused or fined, and in replays.
BROKEN = {
    "broke_request": mark(
        "The first card must meet the request for {request:request} or be an ace; "
        "the {card:card} does neither."
    ),
    "broke_bomb": mark(
        "A bomb lies on top: only an ace blocks it, and the {card:card} "
        "does not counter the {top:card}."
    ),
    "broke_first_card": mark(
        "The {card:card} has neither the face nor the suit of the {top:card}."
    ),
    "broke_answer": mark(
        "The {card:card} does not answer the {before:card}: it has neither its face nor its suit."
    ),
    "broke_ace_or_joker_order": mark(
        "The {card:card} cannot follow the {before:card}: after an ace "
        "come only aces, after a joker only jokers, and both follow other cards only as the "
        "answer to a question."
    ),
    "broke_sequence": mark(
        "The {card:card} cannot follow the {before:card}: only cards of the same "
        "face go down together."
    ),
}

WORDS = Words(
    sayings={
        # what happened, and what a row of cards would do
        "dealt": "Game {game} of {games}: {seat:name} starts on the {card:card}.",
        "dealt_hand": "You are dealt {cards:cards}.",
        "dealt_hand.open": "{seat:name} is dealt {cards:cards}.",
        "row.open": "{seat:name} builds a row: {cards:row}.",
        "played": "{seat:name} plays {cards:cards}.",
        "played.you": "You play {cards:cards}.",
        "met": "That answers the request for {request:request}.",
        "reduced": "The request for {request:request} becomes a request for {left:request}.",
        "lifted": "The request for {request:request} is lifted.",
        "blocked": "The ace blocks the pick.",
        "bombed": "{seat:name} picks {count:count} unless they block or counter.",
        "bombed.you": "You pick {count:count} unless you block or counter.",
        "jumped": "The jump passes over {seats:names}.",
        "turned": "The direction of play is reversed.",
        "again": "{seat:name} plays again.",
        "again.you": "You play again.",
        "unanswered": "The question stays open: {seat:name} draws a card for it.",
        "unanswered.you": "The question stays open: you draw a card for it.",
        "may_ask_suit": "{seat:name} may ask for a suit.",
        "may_ask_suit.you": "You may ask for a suit.",
        "may_ask_card": "{seat:name} may ask for any one card, or for a suit.",
        "may_ask_card.you": "You may ask for any one card, or for a suit.",
        "next": "Then it is {seat:whose} turn.",
        "cardless": "{seat:name} has no cards left, but that does not win here.",
        "cardless.you": "You have no cards left, but that does not win here: next turn you draw.",
        "wins": "{seat:name} goes out on last card and wins the game.",
        "wins.you": "You go out on last card and win the game.",
        "drew": "{seat:name} draws {count:count}.",
        "drew.you": "You draw {count:count}.",
        "drew_cards": "You now hold {cards:cards} as well.",
        "drew_cards.open": "Drawn: {cards:cards}.",
        "reshuffled": "All of the pile but its top card is shuffled back into the deck.",
        "exhausted": "There are not enough cards left to draw {count:count}, "
        "so the game ends without a winner.",
        "asked": "{seat:name} asks for {request:request}.",
        "asked.you": "You ask for {request:request}.",
        "asked_nothing": "{seat:name} asks for nothing.",
        "asked_nothing.you": "You ask for nothing.",
        "declared": "{seat:name} is on last card!",
        "declared.you": "You are on last card!",
        "not_declared": "{seat:name} is not on last card.",
        "not_declared.you": "You are not on last card.",
        "fined": "{seat:whose} play broke a rule: {seat:name} draws {count:count}.",
        "fined.you": "Your play broke a rule: you draw {count:count}.",
        "fined_rest": "{seat:whose} play broke a rule: {seat:name} draws what is left.",
        "fined_rest.you": "Your play broke a rule: you draw what is left.",
        "ready": "{seat:name} is ready for the next game.",
        "ready.you": "You are ready for the next game.",
        "left": "{seat:name} has left and is passed over for now.",
        "returned": "{seat:name} is back.",
        "skipped": "{seat:whose} turn is passed over.",
        "drew_away": "{seat:name} is away and draws {count:count}.",
        "abandoned": "Fewer than two players are left, so the match is stopped without a winner.",
        **BROKEN,
        **{f"{kind}.open": sentence for kind, sentence in BROKEN.items()},
        "broke_finish": "This would leave you with no cards and no win, which this table does not "
        "allow.",
        # what is going on
        "turn": "It is {seat:whose} turn.",
        "turn.you": "Your turn: play one or more cards, or draw one.",
        "turn_pick": "{seat:name} has to pick {count:count}, block the bomb or counter it.",
        "turn_pick.you": "Your turn: pick {count:count}, block the bomb with an ace or counter it.",
        "turn_request": "It is {seat:whose} turn, under a request for {request:request}.",
        "turn_request.you": "Your turn: start with what is asked for, {request:request}, or with "
        "an ace, or draw one card.",
        "turn_cardless": "It is {seat:whose} turn, with no card left to play.",
        "turn_cardless.you": "Your turn: you have no card left, so you can only draw.",
        "asking_suit": "{seat:name} may ask for a suit.",
        "asking_suit.you": "You may ask for a suit.",
        "asking_card": "{seat:name} may ask for a card or a suit.",
        "asking_card.you": "You may ask for any one card, or for a suit.",
        "declaring": "{seat:name} says whether this is last card.",
        "declaring.you": "Do you mean to go out on your next turn? Then say last card.",
        "won_game": "{winner:name} wins game {game} of {games}. "
        "The next one starts when all are ready.",
        "drawn_game": "Game {game} of {games} has no winner. The next one starts when all are "
        "ready.",
        "won_match": "The match is over: {winners:names} won it.",
        "drawn_match": "The match is over without a winner because the cards ran out.",
        "stopped_match": "The match was stopped because fewer than two players were left.",
    },
    offers={
        "add": "Add a card to your row",
        "back": "Take the last card back",
        "play": "Play the row",
        "lay": "Play these cards in this order",
        "draw": "Draw",
        "suit": "Ask for a suit",
        "card": "Ask for a card",
        "no_request": "Ask for nothing",
        "last_card": "Last card?",
        "ready": "Ready for the next game",
    },
    choices={"add": "card", "lay": "card", "suit": "suit", "card": "card", "last_card": "answer"},
    spellers={
        "request": asked,
        "row": lambda cards, names: spoken_list(cards) if cards else say("no card yet"),
        "suit": lambda suit, names: suit_name(suit),
        "answer": yes_or_no,
    },
)
