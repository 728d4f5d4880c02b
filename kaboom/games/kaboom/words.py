"""The words of Kaboom. No sentence names a card that is turned face down again, because
remembering it is part of the game.
"""

from functools import lru_cache

from kaboom.engine.i18n import gettext as _
from kaboom.engine.i18n import gettext_noop as N_
from kaboom.engine.i18n import ngettext, spoken_now
from kaboom.engine.texts import Names, Words
from kaboom.engine.toolkit.cards import (
    RANK_NAMES,
    is_joker,
    joined,
    rank_name,
    rank_of,
    sign,
    spoken,
)
from kaboom.games.kaboom.state import GRID

# A card of a grid: alone, as the reader's own, as another player's, and as one that belongs to the
# subject of the sentence.
SLOTS = (
    (
        N_("top left"),
        N_("your top left card"),
        N_("{name}’s top left card"),
        N_("their own top left card"),
    ),
    (
        N_("top middle"),
        N_("your top middle card"),
        N_("{name}’s top middle card"),
        N_("their own top middle card"),
    ),
    (
        N_("top right"),
        N_("your top right card"),
        N_("{name}’s top right card"),
        N_("their own top right card"),
    ),
    (
        N_("bottom left"),
        N_("your bottom left card"),
        N_("{name}’s bottom left card"),
        N_("their own bottom left card"),
    ),
    (
        N_("bottom middle"),
        N_("your bottom middle card"),
        N_("{name}’s bottom middle card"),
        N_("their own bottom middle card"),
    ),
    (
        N_("bottom right"),
        N_("your bottom right card"),
        N_("{name}’s bottom right card"),
        N_("their own bottom right card"),
    ),
)
EXTRA = (  # the same for extra cards below a grid
    N_("extra {number}"),
    N_("your extra card {number}"),
    N_("{name}’s extra card {number}"),
    N_("their own extra card {number}"),
)

ABILITIES = {
    "own": N_("look at one of your own cards"),
    "other": N_("look at one of another player’s cards"),
    "swap": N_("swap two cards of different players"),
    "any": N_("look at any two cards"),
}
PEEKS = {"first": N_("Look at your bottom row"), "again": N_("Look again")}
KINDS = {
    "own": N_("a 7 or an 8"),
    "other": N_("a 9 or a 10"),
    "swap": N_("a Jack or a Queen"),
    "any": N_("a black King"),
}


def slot_name(place: str, names: Names) -> str:
    """Return the position of a place in its grid, in words: "top left", "extra 2"."""
    return _card_of_grid(int(place.split(".")[1]), 0, "", spoken_now().code)


def place_name(place: str, names: Names) -> str:
    """Return a place in words: "your top left card", "Ann’s top left card".

    In a sentence about Ann, it is "their own top left card".
    """
    owner, slot = place.split(".")
    seat = int(owner)
    if seat in (names.me, names.about):
        return _card_of_grid(int(slot), 1 if seat == names.me else 3, "", spoken_now().code)
    return _card_of_grid(int(slot), 2, names.name(seat), spoken_now().code)


@lru_cache(maxsize=5000)  # every fragment of a table names all cards of all grids
def _card_of_grid(slot: int, form: int, name: str, language: str) -> str:
    if slot < GRID:
        return _(SLOTS[slot][form], name=name)
    return _(EXTRA[form], name=name, number=slot - GRID + 1)


def place_names(places: list[str], names: Names) -> str:
    """Return several places in words."""
    return joined([place_name(place, names) for place in places])


def peek(about: str, names: Names) -> str:
    """Return the effect of the offer to peek, for the first time or again ("2.peek.again")."""
    return _(PEEKS[about.split(".")[2]])


def top_card(about: str, names: Names) -> str:
    """Return the card the offer to take is about ("17.4H")."""
    return spoken(about.split(".")[1])


def top_sign(about: str, names: Names) -> str:
    """Return the same card as a sign for a narrow button: "K♣"."""
    return sign(about.split(".")[1])


def flip_how(about: str, names: Names) -> str:
    """Return how to flip onto the card in the offer ("17.4H"). A Joker of one's own costs nothing,
    so only another player's is worth flipping.
    """
    card = about.split(".")[1]
    if is_joker(card):
        return _("Remember another player’s Joker? Flip it.")
    return _("Remember another {rank}? Flip it.", rank=rank(rank_of(card), names))


def rank(key: str, names: Names) -> str:
    """Return the name of a rank, or “Joker”."""
    return rank_name(key) if key in RANK_NAMES else _("Joker")


def penalty(count: int, names: Names) -> str:
    """Return the price of a wrong flip, as the end of a sentence about it."""
    if not count:
        return _("it costs you nothing")
    return ngettext("you take {count} penalty card", "you take {count} penalty cards", count)


def ability(about: str, names: Names) -> str:
    """Return the effect of the ability in an offer ("23.0.own")."""
    return _(ABILITIES[about.split(".")[2]])


def swap_pick(about: str, names: Names) -> str:
    """Return the card of a swap that the offer asks for, in words ("23.0.swap.1" is the second)."""
    return _("first") if about.split(".")[3] == "0" else _("second")


# The remarks on cards of a grid, shown on the page.
MARKS = (
    N_("looked at"),
    N_("chosen"),
    N_("flipped"),
    N_("penalty"),
    N_("too late"),
    N_("swapped"),
    N_("given"),
    N_("given away"),
    N_("replaced"),
)

# The names of the zones.
ZONE_NAMES = (N_("Grid"), N_("Stock"), N_("Discard"), N_("Drawn"))

WORDS = Words(
    sayings={
        # for players who do not see the table
        "now.discard": "On the discard pile: {card:card}.",
        "now.held": "{seat:name} holds the drawn card: {card:card}.",
        "now.held.you": "You hold the drawn card: {card:card}.",
        "now.drawn": "{seat:name} holds a drawn card.",
        "now.points": "{seat:name} has {points:points}.",
        "now.points.you": "You have {points:points}.",
        # status lines
        "peeking": "All players may look at their bottom row. Waiting for {waiting:names}.",
        "peeking.you": "Look at your bottom row: you see it only now.",
        "peeked_already.you": "Press “I am ready” when you have memorised these three cards.",
        "peeked_already": "All players may look at their bottom row. Waiting for {waiting:names}.",
        "first_move": "{seat:name}’s turn: draw, take or call.",
        "first_move.you": "Your turn: draw a card, take the top card or call kaboom.",
        "last_move": "{declarer:name} called kaboom. {seat:name}’s last turn.",
        "last_move_mine": "You called kaboom. {seat:name}’s last turn.",
        "last_move.you": "{declarer:name} called kaboom. Your last turn: draw or take.",
        "replace_taken": "{seat:name} took the {card:card} and chooses a card to replace.",
        "replace_taken.you": "You took the {card:card}. Choose which of your cards it replaces.",
        "drawn": "{seat:name} has drawn a card.",
        "drawn.you": "You hold the {card:card}.",
        "drawn_alone": "{seat:name} has drawn a card.",
        "drawn_alone.you": "You hold the {card:card}, but have no card it could replace.",
        "ability_own": "{seat:name} may look at one of their own cards.",
        "ability_own.you": "Choose one of your own cards to look at.",
        "ability_other": "{seat:name} may look at another player’s card.",
        "ability_other.you": "Choose another player’s card to look at.",
        "ability_swap": "{seat:name} may swap two cards of different players.",
        "ability_swap.you": "Swap two cards of different players: choose the first.",
        "ability_swap_again": "{seat:name} swaps {picks:places} with another player’s card.",
        "ability_swap_again.you": "Choose the card to swap with {picks:places}.",
        "ability_any": "{seat:name} may look at any two cards.",
        "ability_any.you": "Choose the first of two cards to look at.",
        "ability_any_again": "{seat:name} may look at one more card.",
        "ability_any_again.you": "Choose the second card to look at.",
        "after_ability": "{seat:name} keeps or discards the drawn card.",
        "after_ability.you": "Discard the {card:card}, or press the card it should replace.",
        "replace_drawn": "{seat:name} keeps the drawn card and chooses a card to replace.",
        "replace_drawn.you": "Choose which of your cards the {card:card} replaces.",
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
        "round_over": "{lowest:names} had the lowest cards: {points:points}. Waiting for "
        "{waiting:names}.",
        "round_over.you": "{lowest:names} had the lowest cards: {points:points}. Ready for the "
        "next round?",
        "round_mine": "You had the lowest cards: {points:points}. Waiting for {waiting:names}.",
        "round_mine.you": "You had the lowest cards: {points:points}. Ready for the next round?",
        "match_over": "The match is over: {winners:winners}, with {points:points}.",
        "result.right_call": "{seat:name}’s call was right: {score:points}.",
        "result.right_call.you": "Your call was right: {score:points}.",
        "result.wrong_call": (
            "{seat:name}’s call was wrong: {sum}\N{NO-BREAK SPACE}+\N{NO-BREAK SPACE}10 points."
        ),
        "result.wrong_call.you": (
            "Your call was wrong: {sum}\N{NO-BREAK SPACE}+\N{NO-BREAK SPACE}10 points."
        ),
        "result.matched": "A match! The {card:card} is gone.",
        "result.missed": "The {card:card} is no {onto:top_rank}: {count:penalty}.",
        "result.missed_taken": "The {card:card} does not match: {count:penalty}.",
        "result.flipped": "{seat:name} flips the {card:card}: one card fewer.",
        "result.flipped_other": "{seat:name} flips {place:place}: the {card:card}.",
        # events
        "dealt": "Round {round}: each player gets six cards. {seat:name} will begin.",
        "dealt.you": "Round {round}: each player gets six cards. You will begin.",
        "peeked": "{seat:name} peeks at their bottom row.",
        "peeked.you": "You peek at your bottom row.",
        "peeked.open": "",
        "peek_shows.open": "{seat:name} peeks at their bottom row: {cards:cards}.",
        "peek_over": "The time to peek is over.",
        "turned_up": "The {card:card} is turned up. {seat:name} begins.",
        "turned_up.you": "The {card:card} is turned up. You begin.",
        "kaboom": "{seat:name} calls kaboom! All others have one more turn.",
        "kaboom.you": "You call kaboom! All others have one more turn.",
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
        "not_drawn": "No card can be drawn. {seat:name} is skipped.",
        "not_drawn.you": "No card can be drawn. You are skipped.",
        "replaced": "{seat:name} replaces {place:place}: the {card:card} is discarded.",
        "replaced.you": "You replace {place:place}: the {card:card} is discarded.",
        "passed": "{seat:name} cannot do anything and is skipped.",
        "passed.you": "You cannot do anything and are skipped.",
        "put_back": "{seat:name} has no card left to replace and puts the {card:card} back.",
        "put_back.you": "You have no card left to replace and put the {card:card} back.",
        "used": "{seat:name} has drawn {ability:kind} and uses it.",
        "used.you": "You use the drawn card to {ability:does}.",
        "looked": "{seat:name} looks at {place:place}.",
        "looked.you": "You look at {place:place}.",
        "looked.open": "",
        "remembered": "You remember {place:place}: the {card:card}.",
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
        "penalty": "{seat:name} gets {count:count}, unseen, as a penalty.",
        "penalty.you": "You get {count:count}, unseen, as a penalty.",
        "flip_sealed": "You choose {place:place} to flip. No one knows yet.",
        "flip_sealed.open": "{seat:name} chooses {place:place} to flip.",
        "pass_sealed": "You pass. No one knows yet.",
        "pass_sealed.open": "{seat:name} passes.",
        "flip_withdrawn": "You take your flip back and pass. No one knows yet.",
        "flip_withdrawn.open": "{seat:name} takes the flip back.",
        "more_asked": (
            "You ask for more time to flip. The others get it too, but are not told who asked."
        ),
        "more_asked.open": "{seat:name} asks for more time to flip.",
        "longer": "A player has asked for more time to flip: {seconds:seconds} more for all.",
        "no_flips": "No one flips onto the {onto:card}.",
        "flips_settled": "Flips onto the {onto:card}, in random order: {order:names}.",
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
        "missed": (
            "{seat:name} called kaboom but, with {sum:points}, is not lowest: a penalty of 10."
        ),
        "missed.you": "You called kaboom but, with {sum:points}, are not lowest: a penalty of 10.",
        "scored": "Round {round} scores: {scores:scores}. Totals: {totals:scores}.",
        "won": "The match is over: {winners:winners}, with {points:points}.",
        "lapsed": "{seat:name} has run out of time.",
        "lapsed.you": "You have run out of time.",
        "abandoned": "The match is stopped: fewer than two players are left.",
        # previews
        "preview.draw": (
            "Only you see the top card of the stock. Then you keep it in place of one of yours, "
            "or discard it."
        ),
        "preview.take": "The {card:card} takes the place of one of your cards, which goes to the "
        "pile, face up.",
        "preview.kaboom": (
            "All others have one more turn. If one of them has fewer points, it costs you 10."
        ),
        "preview.kaboom_two": (
            "{other:name} has one more turn. If they then have fewer points, it costs you 10."
        ),
        "preview.flip": (
            "If it is another {top:top_rank}, you are rid of it; if it belongs to another player, "
            "you may give them one of your cards for it. If not, all see it, it goes back, and "
            "{penalty:penalty}."
        ),
        "preview.flip_own": (
            "If it is another {top:top_rank}, you are rid of it. If not, all see it, it goes "
            "back, and {penalty:penalty}."
        ),
        "preview.flip_other": (
            "If it is another {top:top_rank}, you may give {owner:name} one of your cards for it. "
            "If not, all see it, it goes back, and {penalty:penalty}."
        ),
        "preview.replace": "{place:place} goes to the pile, face up.",
        "preview.look": "Only you see {place:place}; it stays where it is.",
        "preview.swap": "{place:place} will be one of the two cards that change places.",
        "preview.give": "{place:place} goes into the gap, and you are rid of it.",
        # a bot's reasons
        "think.flip_own": "Flip {place:place}: you know that it matches the {onto:card}, and you "
        "are rid of {points:points}.",
        "think.flip_other": "Flip {place:place}: you know that it matches the {onto:card}, and "
        "you may give a card of about {points:points} in its place.",
        "think.no_flip": "Flip nothing: you know no card that is worth flipping onto the "
        "{onto:card}.",
        "think.take": "Take the {card:card}: in place of {place:place} it saves you about "
        "{points:points}.",
        "think.take_not_yet": (
            "Take the {card:card}, and do not call yet: you hold about {sum:points}, and in "
            "{share} of 100 simulated deals no one would be lower. A wrong call costs 10 "
            "points."
        ),
        "think.take_and_flip": (
            "Take the {card:card}: {place:place} goes to the pile, and you can then flip your "
            "matching card onto it and be rid of about {points:points}."
        ),
        "think.take_and_flip_not_yet": (
            "Take the {card:card}, and do not call yet: you hold about {sum:points}, and in "
            "{share} of 100 simulated deals no one would be lower. A wrong call costs 10 "
            "points."
        ),
        "think.take_known": "Take the {card:card}: you know it, and {place:place} may be just as "
        "high.",
        "think.take_known_not_yet": (
            "Take the {card:card}, and do not call yet: you hold about {sum:points}, and in "
            "{share} of 100 simulated deals no one would be lower. A wrong call costs 10 "
            "points."
        ),
        "think.take_no": "Take the {card:card}: in place of {place:place} it costs you least.",
        "think.take_no_not_yet": (
            "Take the {card:card}, and do not call yet: you hold about {sum:points}, and in "
            "{share} of 100 simulated deals no one would be lower. A wrong call costs 10 "
            "points."
        ),
        "think.draw": "Draw a card: that should save you about {points:points}.",
        "think.draw_not_yet": (
            "Draw a card, and do not call yet: you hold about {sum:points}, and in {share} "
            "of 100 simulated deals no one would be lower. A wrong call costs 10 points."
        ),
        "think.call": (
            "Call kaboom: you hold about {sum:points}, and in {share} of 100 simulated "
            "deals no one would be lower."
        ),
        "think.call_low": "Call kaboom: you hold about {sum:points}, and that is hard to beat.",
        "think.call_lower": "Call kaboom: you hold about {sum:points}, and {rival:name} about "
        "{theirs:points}.",
        "think.call_worth_it": "Call kaboom: you hold about {sum:points}, which count 0 if no one "
        "has fewer. A wrong call costs only 10 points.",
        "think.call_must": "Call kaboom: there is nothing left to take or to draw.",
        "think.not_yet": (
            "Do not call yet: you hold about {sum:points}, and in {share} of 100 simulated "
            "deals no one would be lower. A wrong call costs 10 points."
        ),
        "think.too_much": "Do not call yet: about {sum:points} is too much.",
        "think.discard": "Discard the {card:card}: it would not make your hand lower.",
        "think.discard_and_flip": (
            "Discard the {card:card}: you can then flip your matching card onto it and be rid "
            "of about {points:points}."
        ),
        "think.discard_in_hope": "Discard the {card:card}: {place:place} is higher, but you may "
        "yet flip it when its match comes.",
        "think.discard_blind": "Discard the {card:card}: your hand stays as it is.",
        "think.keep_and_flip": (
            "Keep the {card:card}: {place:place} goes to the pile, and you can then flip your "
            "matching card onto it and be rid of about {points:points}."
        ),
        "think.keep": "Keep the {card:card}: in place of {place:place} it saves you about "
        "{points:points}.",
        "think.keep_known": "Keep the {card:card}: you know it, and {place:place} may be just as "
        "high.",
        "think.keep_no": "Keeping the {card:card} would gain you nothing.",
        "think.replace": "Replace {place:place}: that saves you about {points:points}.",
        "think.replace_and_flip": (
            "Replace {place:place}: it goes to the pile, and you can then flip your matching "
            "card onto it and be rid of about {points:points}."
        ),
        "think.replace_known": (
            "Replace {place:place}: you know the {card:card}, and the card there may be as high."
        ),
        "think.replace_no": "Replace {place:place}: that costs you least.",
        "think.give": "Give {place:place} away: you are rid of about {points:points}.",
        "think.no_give": "Give nothing: your cards cost you nothing.",
        "think.use_on_own": "Use the {card:card} to look at one of your own cards that you do not "
        "know.",
        "think.use_on_other": (
            "Use the {card:card} to look at another player’s card: once you know it, you can "
            "flip it when its match comes."
        ),
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
        "kaboom.ask": "Call kaboom?",  # previews name the consequence
        "take": "Take the {about:top}",
        "take.brief": "Take",
        "draw": "Draw a card",
        "draw.brief": "Draw",
        "replace": "Replace this card",
        "replace.one": "Replace {choice}",
        "replace.how": "Your old card goes to the discard pile, face up.",
        "use": "Use it: {about:ability}",
        "use.brief": "Use it",
        "keep": "Keep it",
        "discard": "Discard it",
        "look": "Look at a card",
        "look.one": "Look at {choice}",
        "look.how": "Press the card you want to look at.",
        "swap": "Choose the {about:swap} card to swap",
        "swap.one": "Swap {choice}",
        "swap.how": "Press the {about:swap} card to swap.",
        "skip": "Stop here",
        "flip": "Flip a card",
        "flip.one": "Flip {choice}",
        "flip.how": "{about:flip_how}",
        "pass": "Pass",
        "withdraw": "Take my flip back",
        "more": "I need more time",
        "flip.ask": "Flip {choice}?",  # previews name the consequence
        "give": "Give one of your cards",
        "give.one": "Give away {choice}",
        "give.how": "Press the card you want to give.",
        "no_give": "Give nothing",
    },
    choices=dict.fromkeys(("replace", "look", "swap", "flip", "give"), "place"),
    rules={
        "peek": "before-the-first-turn",
        "ready": "before-the-first-turn",
        "kaboom": "calling-kaboom",
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
        "take.sign": top_sign,
        "flip_how": flip_how,
        "ability": ability,
        "swap": swap_pick,
        "kind": lambda kind, names: _(KINDS[kind]),
        "does": lambda kind, names: _(ABILITIES[kind]),
        "rank": rank,
        "top_rank": lambda card, names: rank(rank_of(card), names),
        "penalty": penalty,
    },
)
