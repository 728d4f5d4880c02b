"""Tips for newcomers to Karata, based on their view and this table's rules."""

from collections.abc import Iterator

from kaboom.engine.toolkit.cards import rank_of
from kaboom.engine.toolkit.tips import AIM, Tip, Told, in_turn
from kaboom.engine.views import Prompt, View
from kaboom.games.karata.going_out import closing
from kaboom.games.karata.house import house_of
from kaboom.games.karata.options import Options

TIPS = {
    AIM: Tip("To win, call last card, then run out of cards.", "the-aim"),
    "out": Tip("To win, be the first to have no cards.", "the-aim"),
    "fits": Tip("Match the {card:card} in suit or rank.", "the-first-card"),
    "none": Tip("No card fits the {card:card}: draw.", "your-turn"),
    "effects": Tip(
        "2, 3, joker: bomb. Jack: skip. King: reverse.",
        "the-cards",
    ),
    "same": Tip(
        "Cards of one rank may go down in one play.",
        "several-cards-in-one-play",
    ),
    "row": Tip(
        "Numbers show the order. Add a card, or play.",
        "several-cards-in-one-play",
    ),
    "question": Tip(
        "Answer a Queen or 8 with its suit or rank.",
        "questions",
    ),
    "bomb": Tip(
        "A bomb: pick {count:count}, or get past it.",
        "answering-a-bomb",
    ),
    "request": Tip(
        "Lay {request:request} or an ace, or draw.",
        "meeting-a-request",
    ),
    "ask": Tip("Ask for what you hold most of.", "aces"),
    "drawn": Tip("The card you drew may be laid at once, or kept.", "your-turn"),
    "jump": Tip("This jumps you: lay the same rank to stop it.", "jumps"),
    "kickback": Tip(
        "It costs you a turn: the same rank stops it.",
        "kickbacks",
    ),
    "call": Tip(
        "Your cards may all go in one play: call it.",
        "last-card",
    ),
    "danger": Tip(
        "{seat:name} may win next. Lay a bomb or a jump.",
        "last-card",
    ),
    "fine": Tip("A wrong play costs {count:count}; you try again.", "fines"),
    "harmful": Tip(
        "Never end on an ace, 2, 3, J, K or joker.",
        "last-card",
    ),
    "cardless": Tip("No cards, but no win: draw on your turn.", "without-cards"),
    "games": Tip("Win the most games to win the match.", "the-match"),
}
QUESTIONS = ("Q", "8")
FEW = 2  # hand size at which the end is near
ANYTHING = ("A", "J*")  # aces and jokers, on which cards of other suits can be played, too


def tips(view: View, prompt: Prompt | None, options: Options) -> Iterator[Told]:
    """Yield the tips that fit the situation, most urgent first, then the aim of the game."""
    facts, me = view.facts, view.viewer
    offers = {offer.verb for offer in prompt.offers} if prompt else set()
    if facts["stage"] == "ready":
        yield "games", {}
    elif "suit" in offers:
        yield "ask", {}
    elif "last_card" in offers and closing(house_of(options), view.zone("hand", me).cards):
        yield "call", {}  # otherwise the rail advises against it
    elif "let" in offers:
        yield facts["stop"], {}
    elif "keep" in offers:
        yield "drawn", {}
    elif "draw" in offers:
        yield from _on_turn(view, options)
    for seat, called in enumerate(facts["last_card"]):
        if called and seat != me:
            yield "danger", {"seat": seat}
    yield aim(options), {}


def aim(options: Options) -> str:
    """Return the key of the sentence about winning at this table."""
    return "out" if options.call == "none" else AIM


def _on_turn(view: View, options: Options) -> Iterator[Told]:
    facts, me = view.facts, view.viewer
    hand, row = view.zone("hand", me), view.zone("row", me).cards
    held = hand.places or hand.cards
    ranks = [rank_of(card) for card in held]
    if row:
        yield "row", {}
        return
    if not ranks:
        yield "cardless", {}
        return
    if facts["game"] == 1 and facts["pile_depth"] <= len(facts["wins"]):
        yield aim(options), {}
    plain_ends = (options.call, options.end_on) == ("harmless", "plain")
    kenyan, few = options.ranks != "uganda", len(held) <= FEW
    if plain_ends and kenyan and few and not house_of(options).harmless.issuperset(held):
        yield "harmful", {}
    if facts["pick"]:
        yield "bomb", {"count": facts["pick"]}
    if facts["request"]:
        yield "request", {"request": facts["request"]}
    plain, untold = not facts["pick"] and not facts["request"], facts["fine"]
    if plain and not facts["fits"] and not untold:
        yield "none", {"card": facts["top"]}
    some: list[Told] = []
    if plain and rank_of(facts["top"]) not in ANYTHING and (facts["fits"] or untold):
        some.append(("fits", {"card": facts["top"]}))
    if options.ranks != "uganda":
        some.append(("effects", {}))
        if set(ranks) & set(QUESTIONS):
            some.append(("question", {}))
    if options.sets and len(set(ranks)) < len(ranks):
        some.append(("same", {}))
    yield from in_turn(some, facts["pile_depth"] // len(facts["wins"])) if some else ()
    if facts["fine"]:
        yield "fine", {"count": facts["fine"]}
