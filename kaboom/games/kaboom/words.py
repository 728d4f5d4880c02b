"""The words of Kaboom. No sentence names a card that goes back face down: people must remember."""

from functools import lru_cache

from kaboom.engine.i18n import mark, say, spoken_now
from kaboom.engine.texts import Names, Words
from kaboom.engine.toolkit.cards import RANK_NAMES, joined, rank_name, rank_of, spoken
from kaboom.games.kaboom.state import GRID

# A card of a grid: alone, as the reader's own, as somebody else's, and as belonging to the seat the
# sentence is about.
SLOTS = (
    (
        mark("top left"),
        mark("your top left card"),
        mark("{name}’s top left card"),
        mark("their own top left card"),
    ),
    (
        mark("top middle"),
        mark("your top middle card"),
        mark("{name}’s top middle card"),
        mark("their own top middle card"),
    ),
    (
        mark("top right"),
        mark("your top right card"),
        mark("{name}’s top right card"),
        mark("their own top right card"),
    ),
    (
        mark("bottom left"),
        mark("your bottom left card"),
        mark("{name}’s bottom left card"),
        mark("their own bottom left card"),
    ),
    (
        mark("bottom middle"),
        mark("your bottom middle card"),
        mark("{name}’s bottom middle card"),
        mark("their own bottom middle card"),
    ),
    (
        mark("bottom right"),
        mark("your bottom right card"),
        mark("{name}’s bottom right card"),
        mark("their own bottom right card"),
    ),
)
EXTRA = (  # the same for the extra cards below a grid
    mark("extra {number}"),
    mark("your extra card {number}"),
    mark("{name}’s extra card {number}"),
    mark("their own extra card {number}"),
)

ABILITIES = {
    "own": mark("look at one of your own cards"),
    "other": mark("look at one card of another player"),
    "swap": mark("swap two cards of different players"),
    "any": mark("look at any two cards"),
}
PEEKS = {"first": mark("Look at your bottom row"), "again": mark("Look again")}
KINDS = {
    "own": mark("a 7 or an 8"),
    "other": mark("a 9 or a 10"),
    "swap": mark("a Jack or a Queen"),
    "any": mark("a black King"),
}


def slot_name(place: str, names: Names) -> str:
    """Return which card of a grid is at a place: "top left", "extra 2"."""
    return _card_of_grid(int(place.split(".")[1]), 0, "", spoken_now().code)


def place_name(place: str, names: Names) -> str:
    """Return a place in words: "your top left card", "Ann’s top left card".

    In a sentence about Ann it is "their own top left card".
    """
    owner, slot = place.split(".")
    seat = int(owner)
    if seat in (names.me, names.about):
        return _card_of_grid(int(slot), 1 if seat == names.me else 3, "", spoken_now().code)
    return _card_of_grid(int(slot), 2, names.name(seat), spoken_now().code)


@lru_cache(maxsize=5000)  # every fragment of a table names every card of every grid
def _card_of_grid(slot: int, form: int, name: str, language: str) -> str:
    if slot < GRID:
        return say(SLOTS[slot][form], name=name)
    return say(EXTRA[form], name=name, number=slot - GRID + 1)


def place_names(places: list[str], names: Names) -> str:
    """Return several places in words."""
    return joined([place_name(place, names) for place in places])


def peek(about: str, names: Names) -> str:
    """Return what the offer to peek does the first time and later ("2.peek.again")."""
    return say(PEEKS[about.split(".")[2]])


def top_card(about: str, names: Names) -> str:
    """Return the card the offer to take is about ("17.4H")."""
    return spoken(about.split(".")[1])


def top_rank(about: str, names: Names) -> str:
    """Return the rank that the offer to flip asks for ("17.4H")."""
    return rank(rank_of(about.split(".")[1]), names)


def rank(key: str, names: Names) -> str:
    """Return the name of a rank; those of jokers have none of their own."""
    return rank_name(key) if key in RANK_NAMES else say("Joker")


def ability(about: str, names: Names) -> str:
    """Return what the ability does that an offer is about ("23.0.own")."""
    return say(ABILITIES[about.split(".")[2]])


def swap_pick(about: str, names: Names) -> str:
    """Return which card of a swap the offer asks for ("23.0.swap.1" is the second)."""
    return say("first") if about.split(".")[3] == "0" else say("second")


# The remarks on cards of a grid; the page says them.
MARKS = (
    mark("looked at"),
    mark("chosen"),
    mark("flipped"),
    mark("penalty"),
    mark("too late"),
    mark("swapped"),
    mark("given"),
    mark("given away"),
    mark("replaced"),
)

# What its zones are called.
ZONE_NAMES = (mark("Grid"), mark("Stock"), mark("Discard"), mark("Drawn"))

WORDS = Words(
    sayings={
        # for whoever does not see the table
        "now.discard": "On the discard pile: {card:card}.",
        "now.held": "{seat:name} holds the drawn card: {card:card}.",
        "now.held.you": "You hold the drawn card: {card:card}.",
        "now.drawn": "{seat:name} holds a drawn card.",
        "now.points": "{seat:name} has {points:points}.",
        "now.points.you": "You have {points:points}.",
        # what is going on
        "peeking": "Everybody may look at the bottom row. Waiting for {waiting:names}.",
        "peeking.you": "You may look at your bottom row. Say when you know it.",
        "peeked_already.you": "This is your bottom row. Say when you know it.",
        "peeked_already": "Everybody may look at the bottom row. Waiting for {waiting:names}.",
        "first_move": "{seat:name}’s turn: draw, take or call.",
        "first_move.you": "Your turn: draw a card, take the top card or call kaboom.",
        "last_move": "{declarer:name} called kaboom. {seat:name}’s last turn.",
        "last_move_mine": "You called kaboom. {seat:name}’s last turn.",
        "last_move.you": "{declarer:name} called kaboom. Your last turn: draw or take.",
        "replace_taken": "{seat:name} took the {card:card} and chooses a card to replace.",
        "replace_taken.you": "You took the {card:card}. Choose the card of yours it replaces.",
        "drawn": "{seat:name} has drawn a card.",
        "drawn.you": "You hold the {card:card}: press the one it replaces.",
        "drawn_alone": "{seat:name} has drawn a card.",
        "drawn_alone.you": "You hold the {card:card}, and have no card it could replace.",
        "ability_own": "{seat:name} may look at one of their own cards.",
        "ability_own.you": "Choose one of your own cards to look at.",
        "ability_other": "{seat:name} may look at a card of another player.",
        "ability_other.you": "Choose a card of another player to look at.",
        "ability_swap": "{seat:name} may swap two cards of different players.",
        "ability_swap.you": "Choose the first of two cards to swap.",
        "ability_swap_again": "{seat:name} swaps {picks:places} with a card of somebody else.",
        "ability_swap_again.you": "Choose the card to swap with {picks:places}.",
        "ability_any": "{seat:name} may look at any two cards.",
        "ability_any.you": "Choose the first of two cards to look at.",
        "ability_any_again": "{seat:name} may look at one more card.",
        "ability_any_again.you": "Choose the second card to look at.",
        "after_ability": "{seat:name} keeps or discards the drawn card.",
        "after_ability.you": "You hold the {card:card}: press the one it replaces.",
        "replace_drawn": "{seat:name} keeps the drawn card and chooses a card to replace.",
        "replace_drawn.you": "Choose the card of yours that the {card:card} replaces.",
        "giving": "{seat:name} may give a card in place of {place:place}.",
        "giving.you": "You may give one of your cards in place of {place:place}.",
        "collecting": "Flips onto the {card:card} are being collected.",
        "collecting.you": "Flip what matches the {card:card}, or pass.",
        "collecting_again": "{flipper:name} may flip one more card onto the {card:card}.",
        "collecting_again.you": "Your flip was right. Flip one more onto the {card:card}, or pass.",
        "collecting_chosen": "{seat:name} will flip {place:place} onto the {card:card}.",
        "collecting_chosen.you": "You will flip {place:place}.",
        "collecting_passed": "{seat:name} flips nothing onto the {card:card}.",
        "collecting_passed.you": "You flip nothing onto the {card:card}.",
        "flips_only": "The last turn is over. Cards can still be flipped for a moment.",
        "round_over": "{lowest:names} had the fewest, {points:points}. "
        "Waiting for {waiting:names}.",
        "round_over.you": "{lowest:names} had the fewest, {points:points}. "
        "Ready for the next round?",
        "round_mine": "You had the fewest, {points:points}. Waiting for {waiting:names}.",
        "round_mine.you": "You had the fewest, {points:points}. Ready for the next round?",
        "match_over": "The match is over: {winners:names} won with {points:points}.",
        # what happened
        "dealt": "Round {round}: everybody gets six cards. {seat:name} will begin.",
        "dealt.you": "Round {round}: everybody gets six cards. You will begin.",
        "peeked": "{seat:name} peeks at their bottom row.",
        "peeked.you": "You peek at your bottom row.",
        "peeked.open": "",
        "peek_shows.open": "{seat:name} peeks at their bottom row: {cards:cards}.",
        "peek_over": "The time to peek is over.",
        "turned_up": "The {card:card} is turned up. {seat:name} begins.",
        "turned_up.you": "The {card:card} is turned up. You begin.",
        "kaboom": "{seat:name} calls kaboom! Everybody else has one more turn.",
        "kaboom.you": "You call kaboom! Everybody else has one more turn.",
        "took": "{seat:name} takes the {card:card}.",
        "took.you": "You take the {card:card}.",
        "drew": "{seat:name} draws a card.",
        "drew.you": "You draw a card.",
        "drew.open": "",
        "draw_shows.open": "{seat:name} draws the {card:card}.",
        "kept": "{seat:name} keeps the drawn card.",
        "kept.you": "You keep the drawn card.",
        "discarded": "{seat:name} discards the {card:card}.",
        "discarded.you": "You discard the {card:card}.",
        "not_drawn": "No card can be drawn. {seat:name} is passed over.",
        "not_drawn.you": "No card can be drawn. You are passed over.",
        "replaced": "{seat:name} replaces {place:place}: the {card:card} is discarded.",
        "replaced.you": "You replace {place:place}: the {card:card} is discarded.",
        "passed": "{seat:name} cannot do anything and is passed over.",
        "passed.you": "You cannot do anything and are passed over.",
        "put_back": "{seat:name} has no card left to replace and puts the {card:card} back.",
        "put_back.you": "You have no card left to replace and put the {card:card} back.",
        "used": "{seat:name} has drawn {ability:kind} and uses it.",
        "used.you": "You use the drawn card to {ability:does}.",
        "looked": "{seat:name} looks at {place:place}.",
        "looked.you": "You look at {place:place}.",
        "looked.open": "",
        "look_shows.open": "{seat:name} looks at {place:place}: the {card:card}.",
        "chosen": "{seat:name} wants to swap {place:place}.",
        "chosen.you": "You want to swap {place:place}.",
        "swapped": "{seat:name} swaps {first:place} and {second:place}.",
        "swapped.you": "You swap {first:place} and {second:place}.",
        "skipped": "{seat:name} stops there.",
        "skipped.you": "You stop there.",
        "flipped": "{seat:name} flips {place:place} onto the {onto:card}: the {card:card}!",
        "flipped.you": "You flip {place:place} onto the {onto:card}: the {card:card}!",
        "wrong_flip": "{seat:name} flips {place:place} onto the {onto:card}. It does not match.",
        "wrong_flip.you": "You flip {place:place} onto the {onto:card}. It does not match.",
        "penalty": "{seat:name} gets {count:count} unseen as a penalty.",
        "penalty.you": "You get {count:count} unseen as a penalty.",
        "flip_sealed": "You choose {place:place} to flip. Nobody knows yet.",
        "flip_sealed.open": "{seat:name} chooses {place:place} to flip.",
        "pass_sealed": "You pass. Nobody knows yet.",
        "pass_sealed.open": "{seat:name} passes.",
        "flip_withdrawn": "You take your flip back and pass. Nobody knows yet.",
        "flip_withdrawn.open": "{seat:name} takes the flip back.",
        "more_asked": "You ask for more time to flip. "
        "The others get it too and are not told who asked.",
        "more_asked.open": "{seat:name} asks for more time to flip.",
        "longer": "Somebody has asked for more time to flip: {seconds:seconds} more for everybody.",
        "no_flips": "Nobody flips onto the {onto:card}.",
        "flips_settled": "Flips onto the {onto:card}, as chance has ordered them: {order:names}.",
        "late_flip": "{seat:name} flips {place:place} too late. It costs nothing.",
        "late_flip.you": "You flip {place:place} too late. It costs nothing.",
        "gave": "{seat:name} gives {place:place} away: it is now {to:place}.",
        "gave.you": "You give {place:place} away: it is now {to:place}.",
        "gave_nothing": "{seat:name} gives nothing.",
        "gave_nothing.you": "You give nothing.",
        "reshuffled": "The discard pile is shuffled into a new stock of {count:count}.",
        "last_flips": "The last turn is over. Cards can be flipped for another {seconds:seconds}.",
        "last_window": "The last turn is over. Cards can be flipped once more.",
        "made": "{seat:name} called kaboom and is lowest with {sum:points}.",
        "made.you": "You called kaboom and are lowest with {sum:points}.",
        "missed": "{seat:name} called kaboom but is not lowest with {sum:points}: "
        "10 more as a fine.",
        "missed.you": "You called kaboom but are not lowest with {sum:points}: 10 more as a fine.",
        "scored": "Round {round} scores: {scores:scores}. Totals: {totals:scores}.",
        "won": "The match is over: {winners:names} won with {points:points}.",
        "lapsed": "{seat:name} has run out of time.",
        "lapsed.you": "You have run out of time.",
        "abandoned": "The match is stopped: fewer than two players are left.",
        # what a move would do
        "preview.draw": "You alone see the top card of the stock. Then you keep it in the place of "
        "one of yours, or discard it.",
        "preview.take": "The {card:card} takes the place of one of your cards, which goes to the "
        "pile, face up.",
        "preview.kaboom": "Everybody else has one more turn. If one of them has fewer points, it "
        "costs you 10.",
        "preview.flip": "If it is of the pile’s rank, you are rid of it; if it is somebody else’s, "
        "you may give them a card of yours for it. If not, all see it, it goes back, and you get "
        "the penalty.",
        "preview.flip_own": "If {place:place} is of the pile’s rank, you are rid of it. If not, "
        "all see it, it goes back, and you get the penalty.",
        "preview.flip_other": "If {place:place} is of the pile’s rank, you may give {owner:name} "
        "a card of yours for it. If not, all see it, it goes back, and you get the penalty.",
        "preview.replace": "{place:place} goes to the pile, face up.",
        "preview.look": "You alone see {place:place}; it stays where it lies.",
        "preview.swap": "{place:place} will be one of the two cards that change places.",
        "preview.give": "{place:place} goes into the gap, and you are rid of it.",
        # what a bot thinks
        "think.flip_own": "Flip {place:place}: you know that it matches the {onto:card}, and you "
        "are rid of {points:points}.",
        "think.flip_other": "Flip {place:place}: you know that it matches the {onto:card}, and "
        "you may give a card of about {points:points} in its place.",
        "think.no_flip": "Flip nothing: you know no card that is worth flipping onto the "
        "{onto:card}.",
        "think.take": "Take the {card:card}: in place of {place:place} it saves you about "
        "{points:points}.",
        "think.take_not_yet": "Take the {card:card}, and do not call yet: you hold about "
        "{sum:points}, and only in {share} of 100 imagined deals would nobody be lower.",
        "think.take_no": "Take the {card:card}: in place of {place:place} it costs you least.",
        "think.take_no_not_yet": "Take the {card:card}, and do not call yet: you hold about "
        "{sum:points}, and only in {share} of 100 imagined deals would nobody be lower.",
        "think.draw": "Draw a card: that should save you about {points:points}.",
        "think.draw_not_yet": "Draw a card, and do not call yet: you hold about {sum:points}, and "
        "only in {share} of 100 imagined deals would nobody be lower.",
        "think.call": "Call kaboom: you hold about {sum:points}, and in {share} of 100 imagined "
        "deals nobody would be lower.",
        "think.call_low": "Call kaboom: you hold about {sum:points}, and that is hard to beat.",
        "think.call_must": "Call kaboom: there is nothing left to take or to draw.",
        "think.not_yet": "Do not call yet: you hold about {sum:points}, and only in {share} of 100 "
        "imagined deals would nobody be lower.",
        "think.too_much": "Do not call yet: about {sum:points} is too much.",
        "think.discard": "Discard the {card:card}: it would not make your hand lower.",
        "think.discard_and_flip": "Discard the {card:card}: you can then flip your own onto it and "
        "be rid of about {points:points}.",
        "think.keep": "Keep the {card:card}: in place of {place:place} it saves you about "
        "{points:points}.",
        "think.keep_no": "Keeping the {card:card} would gain you nothing.",
        "think.replace": "Replace {place:place}: that saves you about {points:points}.",
        "think.replace_no": "Replace {place:place}: there it costs you least.",
        "think.give": "Give {place:place} away: you are rid of about {points:points}.",
        "think.no_give": "Give nothing: your cards cost you nothing.",
        "think.use_on_own": "Use the {card:card} to look at one of your own cards that you do not "
        "know.",
        "think.use_on_other": "Use the {card:card} to look at somebody else’s card: once you know "
        "it, you can flip it when its match comes.",
        "think.look_own": "Look at {place:place}: you do not know it yet.",
        "think.look_other": "Look at {place:place}: once you know it, you can flip it when its "
        "match comes.",
        "think.swap": "Swap {mine:place} for {theirs:place}: that should save you about "
        "{points:points}.",
        "think.skip": "Stop here: there is nothing more to gain.",
    },
    offers={
        "peek": "{about:peek}",
        "peek.brief": "Look",
        "ready": "I am ready",
        "kaboom": "Call kaboom",
        "kaboom.ask": "Call kaboom?",  # a preview says what it leads to
        "take": "Take the {about:top}",
        "take.brief": "Take",
        "draw": "Draw a card",
        "draw.brief": "Draw",
        "replace": "Replace this card",
        "replace.how": "The card you press goes to the pile, face up.",
        "use": "Use it: {about:ability}",
        "use.brief": "Use it",
        "keep": "Keep it",
        "discard": "Discard it",
        "look": "Look at a card",
        "look.how": "Press the card you want to look at.",
        "swap": "Choose the {about:swap} card to swap",
        "swap.how": "Press the {about:swap} card to swap.",
        "skip": "Stop here",
        "flip": "Flip a card",
        "flip.how": "Remember another {about:like}? Flip it.",
        "pass": "Pass",
        "withdraw": "Take my flip back",
        "more": "I need more time",
        "flip.ask": "Flip {choice}?",  # a preview says what it leads to
        "give": "Give one of your cards",
        "give.how": "Press the card of yours to give.",
        "no_give": "Give nothing",
    },
    choices=dict.fromkeys(("replace", "look", "swap", "flip", "give"), "place"),
    rules={
        "peek": "before-the-first-turn",
        "ready": "before-the-first-turn",
        "kaboom": "kaboom",
        "take": "your-turn",
        "draw": "your-turn",
        "replace": "your-turn",
        "use": "abilities",
        "keep": "abilities",
        "discard": "your-turn",
        "look": "abilities",
        "swap": "abilities",
        "skip": "abilities",
        "flip": "flipping",
        "pass": "flipping",
        "withdraw": "flipping",
        "more": "flipping",
        "give": "giving-a-card",
        "no_give": "giving-a-card",
    },
    spellers={
        "place": place_name,
        "slot": slot_name,
        "places": place_names,
        "peek": peek,
        "top": top_card,
        "like": top_rank,
        "ability": ability,
        "swap": swap_pick,
        "kind": lambda kind, names: say(KINDS[kind]),
        "does": lambda kind, names: say(ABILITIES[kind]),
        "rank": rank,
    },
)
