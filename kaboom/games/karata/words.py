"""The words of Karata."""

from collections.abc import Mapping, Sequence
from typing import Any

from kaboom.engine.i18n import gettext as _
from kaboom.engine.i18n import gettext_noop as N_
from kaboom.engine.i18n import ngettext
from kaboom.engine.texts import Names, Words
from kaboom.engine.toolkit.cards import OR, SUITS, joined, spoken, spoken_list, suit_name


def asked(request: Any, names: Names) -> str:
    """Return the request in words: "Spades" or "the 9 of Spades"."""
    return suit_name(request) if request in SUITS else _("the {card}", card=spoken(request))


def yes_or_no(answer: Any, names: Names) -> str:
    """Return the words on the two buttons of the last-card question."""
    return _("Yes, last card") if answer == "yes" else _("No")


# The rule a play breaks: for the player whose play was refused or fined, and for replays.
BROKEN = {
    "broke_request": N_(
        "The first card must meet the request for {request:request} or be an ace; "
        "the {card:card} does neither."
    ),
    "broke_bomb": N_(
        "A bomb lies on top: only an ace blocks it, and the {card:card} "
        "does not counter the {top:card}."
    ),
    "broke_first_card": N_("The {card:card} has neither the rank nor the suit of the {top:card}."),
    "broke_answer": N_(
        "The {card:card} does not answer the {before:card}: it has neither its rank nor its suit."
    ),
    "broke_ace_or_joker_order": N_(
        "The {card:card} cannot follow the {before:card}: after an ace "
        "come only aces, after a joker only jokers, and both follow other cards only as the "
        "answer to a question."
    ),
    "broke_sequence": N_(
        "The {card:card} cannot follow the {before:card}: only cards of the same "
        "rank go down together."
    ),
    # variants for tables with other rules
    "broke_request_joker": N_(
        "The first card must meet the request for {request:request} or be an ace or a joker; "
        "the {card:card} is none of these."
    ),
    "broke_bomb_here": N_(
        "The {card:card} does not get you past the {top:card}: {block:blocking}; "
        "{counter:countering}."
    ),
    "broke_question": N_(
        "The {card:card} does not answer the {top:card} for the last player: {answer:answering}."
    ),
    "broke_first_ace": N_(
        "At this table, an ace must match as well: the {card:card} has neither the rank nor "
        "the suit of the {top:card}."
    ),
    "broke_first_colour": N_(
        "At this table, a joker goes only with cards of its colour; the {card:card} and the "
        "{top:card} have different colours."
    ),
    "broke_first_under": N_(
        "At this table, a joker takes what matches the card under it; the {card:card} has "
        "neither the rank nor the suit of the {ground:card}."
    ),
    "broke_answer_kind": N_("The {card:card} cannot answer the {before:card}: {answer:answering}."),
    "broke_answer_colour": N_(
        "The {card:card} does not answer the {before:card}: at this table a joker goes only with "
        "cards of its colour."
    ),
    "broke_open": N_(
        "The {card:card} leaves a question open, and at this table it has to be answered in the "
        "same play."
    ),
    "broke_ace_order": N_(
        "The {card:card} cannot follow the {before:card}: after an ace come only aces, after a "
        "joker only jokers. An ace follows another card only as the answer to a question; a joker "
        "never does."
    ),
    "broke_no_order": N_(
        "The {card:card} cannot follow the {before:card}: after an ace come only aces, after a "
        "joker only jokers, and neither follows another card at this table."
    ),
    "broke_single": N_(
        "The {card:card} cannot follow the {before:card}: at this table cards are laid one at a "
        "time, and only a question may be followed by another card."
    ),
}

# The rules of this table: parts of a sentence that can stand alone.
BLOCKING = {
    "aces": N_("an ace blocks it"),
    "spades": N_("only the Ace of Spades blocks it"),
    "none": N_("nothing blocks it"),
}
COUNTERING = {
    "near": N_("a bomb of its rank or suit counters it, and so does a joker"),
    "face": N_("a bomb of the same rank counters it"),
    "any": N_("any bomb counters it"),
    "none": N_("no bomb counters it"),
}
ANSWERING = {
    "any": N_("any card of its suit answers it, and so does a card that goes on anything"),
    "ace": N_("plain cards, aces and other questions answer it"),
    "plain": N_("plain cards and other questions answer it"),
}

# The names of the zones.
ZONE_NAMES = (N_("Pile"), N_("Deck"), N_("Hand"), N_("Row"))


def all_of(does: Sequence[Mapping[str, Any]], names: Names) -> str:
    """Return sayings from the facts of a view as one text."""
    said = (WORDS.say(each["kind"], each["facts"], names) for each in does)
    return " ".join(filter(None, said))


WORDS = Words(
    sayings={
        # events, and previews of a row of cards
        "dealt": "Game {game} of {games}: {seat:name} starts on the {card:card}.",
        "dealt.you": "Game {game} of {games}: you start on the {card:card}.",
        "dealt_hand": "You are dealt the {cards:cards}.",
        "dealt_hand.open": "{seat:name} is dealt the {cards:cards}.",
        "row.open": "{seat:name} builds a row: {cards:row}.",
        "played": "{seat:name} plays the {cards:cards}.",
        "played.you": "You play the {cards:cards}.",
        "met": "That answers the request for {request:request}.",
        "reduced": "The ace turns the request for {request:request} into one for {left:request}.",
        "lifted": "The ace lifts the request for {request:request}.",
        "blocked": "The ace blocks the pick.",
        "bombed": "A bomb: {seat:name} picks {count:count}, unless they block or counter it.",
        "bombed.you": "A bomb: you pick {count:count}, unless you block or counter it.",
        "jumped": "The jump passes over {seats:passed}.",
        "turned": "The direction of play is reversed.",
        "again": "{seat:name} plays again.",  # in matches recorded before the reasons below
        "again.you": "You play again.",
        "again_kings": "Two Kings cancel out, so {seat:name} plays again.",
        "again_kings.you": "Two Kings cancel out, so you play again.",
        "again_jacks": "Two Jacks cancel out, so {seat:name} plays again.",
        "again_jacks.you": "Two Jacks cancel out, so you play again.",
        "again_two": "With two players, a Jack gives {seat:name} another turn.",
        "again_two.you": "With two players, a Jack gives you another turn.",
        "again_jumped": "All the others are jumped, so {seat:name} plays again.",
        "again_jumped.you": "All the others are jumped, so you play again.",
        "unanswered": "A Queen or 8 needs an answer of its rank or suit: {seat:name} lays none "
        "and draws a card.",
        "unanswered.you": "A Queen or 8 needs an answer of its rank or suit: you lay none and "
        "draw a card.",
        "may_ask_suit": "The ace lets {seat:name} ask for a suit.",
        "may_ask_suit.you": "The ace lets you ask for a suit.",
        "may_ask_card": "Two aces let {seat:name} ask for one card, or for a suit.",
        "may_ask_card.you": "Two aces let you ask for one card, or for a suit.",
        "ace_of_spades": "The Ace of Spades counts as two aces: {seat:name} may ask for one "
        "card, or for a suit.",
        "ace_of_spades.you": "The Ace of Spades counts as two aces: you may ask for one card, "
        "or for a suit.",
        "next": "Then it is {seat:whose} turn.",
        "wins_out": "{seat:name} goes out and wins the game.",
        "wins_out.you": "You go out and win the game.",
        "bombed_here": "A bomb: {seat:name} picks {count:count}, unless they get past it.",
        "bombed_here.you": "A bomb: you pick {count:count}, unless you get past it.",
        "suit_stays": "Its suit counts: {request:request} has to be played.",
        "left_open": "The question is left to {seat:name}.",
        "left_open.you": "The question is left to you.",
        "jumps": "The jump is meant for {seats:names}.",
        "undone": "{seat:name} undoes the jump and takes a turn.",
        "undone.you": "You undo the jump and take a turn.",
        "turned_back": "{seat:name} reverses the direction again and takes a turn.",
        "turned_back.you": "You reverse the direction again and take a turn.",
        "let": "{seat:name} lets it pass.",
        "let.you": "You let it pass.",
        "kept": "{seat:name} keeps the drawn card.",
        "kept.you": "You keep the drawn card.",
        "uncalled": "{seat:name} goes out without having called last card, so that does not win "
        "and costs {count:count}.",
        "uncalled.you": "You go out without having called last card, so that does not win and "
        "costs {count:count}.",
        "cuts": "{seat:name} cuts with {points:points} in hand.",
        "cuts.you": "You cut with {points:points} in hand.",
        "counted": "The hands are counted: {points:scores}.",
        "cardless": "{seat:name} has no cards left, but that does not win here.",
        "cardless.you": "You have no cards left, but that does not win here: next turn you draw.",
        "no_ending": (
            "{seat:name} has no cards left, but the {card:card} does not win as the last card."
        ),
        "no_ending.you": (
            "You have no cards left, but the {card:card} does not win as the last card: next "
            "turn you draw."
        ),
        "unsaid": "{seat:name} has no cards left, but had not called last card, so that does not "
        "win.",
        "unsaid.you": "You have no cards left, but had not called last card, so that does not "
        "win: next turn you draw.",
        "wins": "{seat:name} goes out on last card and wins the game.",
        "wins.you": "You go out on last card and win the game.",
        "drew": "{seat:name} draws {count:count}.",
        "drew.you": "You draw {count:count}.",
        "drew_cards": "You now hold the {cards:cards} as well.",
        "drew_cards.open": "Drawn: {cards:cards}.",
        "reshuffled": "All of the pile except its top card is shuffled back into the deck.",
        "exhausted": "There are not enough cards left to draw {count:count}, "
        "so the game ends without a winner.",
        "asked": "{seat:name} asks for {request:request}.",
        "asked.you": "You ask for {request:request}.",
        "asked_nothing": "{seat:name} asks for nothing.",
        "asked_nothing.you": "You ask for nothing.",
        "declared": "{seat:name} is on last card!",
        "declared.you": "You are on last card!",
        "not_declared": "{seat:name} does not say last card.",
        "not_declared.you": "You are not on last card.",
        "fined": "{seat:whose} play broke a rule: {seat:name} draws {count:count}.",
        "fined.you": "Your play broke a rule: you draw {count:count}.",
        "fined_rest": "{seat:whose} play broke a rule: {seat:name} draws the cards that are left.",
        "fined_rest.you": "Your play broke a rule: you draw the cards that are left.",
        "ready": "{seat:name} is ready for the next game.",
        "ready.you": "You are ready for the next game.",
        "left": "{seat:name} has left and is skipped for now.",
        "returned": "{seat:name} is back.",
        "skipped": "{seat:whose} turn is skipped.",
        "drew_away": "{seat:name} is away and draws {count:count}.",
        "abandoned": "Fewer than two players are left, so the match is stopped without a winner.",
        **BROKEN,
        **{f"{kind}.open": sentence for kind, sentence in BROKEN.items()},
        "broke_finish": "This would leave you with no cards and no win, which this table does not "
        "allow.",
        "preview.play": "{does:does}",
        # for players who do not see the table
        "now.pile": "On the pile: {card:card}.",
        "now.request": "Asked for: {request:request}.",
        "now.bomb": "The bomb stands at {count:count}.",
        "now.question": "The question on the pile is still open.",
        "now.cut": "The 7 of {suit:suit} cuts.",
        "now.last_card": "{seat:name} is on last card!",
        "now.last_card.you": "You are on last card!",
        "now.turned": "The direction of play is reversed.",
        "now.next": "Then it is {seat:whose} turn.",
        "now.holds": "{seat:name} holds {count:count}.",
        "now.holds.you": "You hold {count:count}.",
        "now.won": "{seat:name} has won {games:games}.",
        "now.won.you": "You have won {games:games}.",
        # status lines
        "turn": "It is {seat:whose} turn.",
        "turn.you": "Your turn: play one or more cards, or draw one.",
        "turn_nothing.you": "Your turn: none of your cards fits, so draw a card.",
        "turn_pick": "{seat:name} has to pick {count:count}, block the bomb or counter it.",
        "turn_pick.you": "Your turn: pick {count:count}, block the bomb with an ace or counter it.",
        "turn_pick_nothing.you": "Pick {count:count}: nothing in your hand gets you past the "
        "{card:card}.",
        "turn_pick_or.you": "Your turn: pick {count:count}, or get past the bomb with the "
        "{cards:any}.",
        "turn_pick_here": "{seat:name} has to pick {count:count} or get past the bomb.",
        "turn_pick_here.you": "Your turn: pick {count:count}, or get past the bomb "
        "({block:blocking}; {counter:countering}).",
        "turn_question": "{seat:name} has to answer the {card:card} or draw.",
        "turn_question.you": "Your turn: answer the {card:card} that was left to you, or draw one "
        "card.",
        "turn_request": "It is {seat:whose} turn, under a request for {request:request}.",
        "turn_request.you": "Your turn: begin with {request:request} or an ace, or draw.",
        "turn_cardless": "{seat:name} has no cards, but going out did not win: {seat:name} draws.",
        "turn_cardless.you": "Your turn: you have no card left, so you can only draw.",
        "has_drawn": "{seat:name} may lay the card just drawn.",
        "has_drawn.you": "You may lay the card you have drawn, or keep it.",
        "may_stop_jump": "{seat:name} may stop the jump.",
        "may_stop_jump.you": "{by:name} jumps you. You may stop that with a jump of your own.",
        "may_stop_kickback": "{seat:name} may stop the kickback.",
        "may_stop_kickback.you": (
            "{by:name} reverses the direction, which costs you a turn. You may stop that with a "
            "kickback of your own."
        ),
        "asking_suit": "The ace lets {seat:name} ask for a suit.",
        "asking_suit.you": "Your turn: ask for a suit, or for nothing.",
        "asking_card": "Two aces let {seat:name} ask for one card, or for a suit.",
        "asking_card.you": "Two aces let you ask for one card, or for a suit.",
        "asking_ace_of_spades": "The Ace of Spades counts as two aces: {seat:name} may ask for "
        "one card, or for a suit.",
        "asking_ace_of_spades.you": "The Ace of Spades counts as two aces: you may ask for one "
        "card, or for a suit.",
        "declaring": "{seat:whose} turn is ending.",
        "declaring.you": "Do you plan to go out on your next turn? Then say last card.",
        "won_game.you": "You win game {game} of {games}. The next one starts when all are ready.",
        "won_game": "{seat:name} wins game {game} of {games}. "
        "The next one starts when all are ready.",
        "shared_game": "{winners:names} share game {game} of {games}. "
        "The next one starts when all are ready.",
        "drawn_game": "Game {game} of {games} has no winner. The next one starts when all are "
        "ready.",
        "won_match": "The match is over: {winners:winners}.",
        "drawn_match": "The match is over without a winner because the cards ran out.",
        "stopped_match": "The match was stopped because fewer than two players were left.",
        # a bot's reasons
        "think.win": "Play the {cards:cards}: that is your whole hand, and it wins.",
        "think.closing": "Play the {cards:cards}: what you have left can then go down in one play.",
        "think.shed": "Play the {cards:cards}: you are rid of {count:count} in one play.",
        "think.stand_in_the_way": "Play the {cards:cards}: {next:name} is on last card, and this "
        "stands in the way.",
        "think.again": "Play the {cards:cards}: then it is your turn again.",
        "think.bomb": "Play the {cards:cards}: {next:name} has to pick {count:count} or get past "
        "it.",
        "think.play": "Play the {cards:cards}: of what you may play now, you can spare it most "
        "easily.",
        "think.ask_next": "Play the {cards:cards}: then you may ask for what has to come next.",
        "think.pass_by": "Play the {cards:cards}: then {next:name}, who is close to going out, is "
        "not next.",
        "think.take_back": "First take back the {cards:cards}. {does:does}",
        "think.draw": "Draw: what you could play is worth more in your hand.",
        "think.draw_must": "Draw: you hold nothing that may be played now.",
        "think.keep": "Keep the card you have drawn: it is worth more in your hand.",
        "think.keep_must": "Keep the card you have drawn: it may not be laid now.",
        "think.last_card": "Say last card: your whole hand can go down in one play.",
        "think.hide_last_card": "Say nothing: then no one knows how close you are.",
        "think.not_last_card": "Do not say last card: your hand cannot go down in one play.",
        "think.stop_with": "Stop it with the {card:card}, or you lose your turn.",
        "think.let": "Let it pass: the card that stops it is worth more in your hand.",
        "think.let_must": "Let it pass: you hold nothing that stops it.",
        "think.ask": "Ask for {request:request}: it goes best with what you hold.",
        "think.ask_to_finish": "Ask for {request:request}: with it your hand can go down in one "
        "play.",
        "think.ask_nothing": "Ask for nothing.",
    },
    offers={
        "add": "Add a card to your row",
        "add.one": "Add the {choice} to your row",
        "back": "Take the last card back",
        "play": "Play the row",
        "lay": "Play these cards in this order",
        "lay.ahead": "Play",
        "lay.one": "Play the {choice}",
        "draw": "Draw",
        "lay_drawn": "Lay the drawn card",
        "lay_drawn.one": "Lay the {choice}",
        "keep": "Keep it",
        "stop": "Stop it with these cards",
        "let": "Let it pass",
        "let.until": "Let every jump and kickback pass until this game ends",
        "suit": "Ask for a suit",
        "suit.one": "Ask for {choice}",
        "card": "Ask for a card",
        "card.one": "Ask for the {choice}",
        "no_request": "Ask for nothing",
        "last_card": "Last card?",
        "last_card.one": "Last card",
        "ready": "Ready for the next game",
    },
    choices={
        "add": "card",
        "lay": "card",
        "lay_drawn": "card",
        "stop": "card",
        "suit": "suit",
        "card": "card",
        "last_card": "answer",
    },
    rules={
        "add": "your-turn",
        "back": "your-turn",
        "play": "your-turn",
        "lay": "your-turn",
        "draw": "your-turn",
        "lay_drawn": "your-turn",
        "keep": "your-turn",
        "stop": "jumps",
        "let": "jumps",
        "suit": "aces",
        "card": "aces",
        "no_request": "aces",
        "last_card": "last-card",
        "ready": "the-match",
    },
    spellers={
        "passed": lambda seats, names: joined([names.you_or_name(seat) for seat in seats]),
        "games": lambda number, names: ngettext("{count} game", "{count} games", number),
        "blocking": lambda which, names: _(BLOCKING[which]),
        "countering": lambda which, names: _(COUNTERING[which]),
        "answering": lambda which, names: _(ANSWERING[which]),
        "request": asked,
        "any": lambda cards, names: joined([spoken(it) for it in cards], OR),
        "row": lambda cards, names: spoken_list(cards) if cards else _("no card yet"),
        "suit": lambda suit, names: suit_name(suit),
        "answer": yes_or_no,
        "does": all_of,
    },
)
