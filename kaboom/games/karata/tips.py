"""Tips for newcomers to Karata, based on their view and this table's rules."""

from collections.abc import Iterator

from kaboom.engine.toolkit.cards import rank_of
from kaboom.engine.toolkit.tips import AIM, Tip, Told, in_turn
from kaboom.engine.views import Prompt, View
from kaboom.games.karata.house import house_of
from kaboom.games.karata.options import Options

TIPS = {
    AIM: Tip("To win, be the first to have no cards; one turn earlier, call last card.", "the-aim"),
    "out": Tip("To win, be the first to have no cards.", "the-aim"),
    "fits": Tip(
        "The pile shows the {card:card}. Lay a card of its suit, or of its rank.", "the-first-card"
    ),
    "none": Tip("None of your cards goes on the {card:card}: draw a card.", "your-turn"),
    "effects": Tip(
        "After a 2, 3 or joker the next player picks. Jack: skip. King: reverse.",
        "the-cards",
    ),
    "same": Tip(
        "You hold two of one rank: they can go down in one play, one after the other.",
        "several-cards-in-one-play",
    ),
    "row": Tip(
        "The numbers say in which order you lay them. Add another card, or play.",
        "several-cards-in-one-play",
    ),
    "question": Tip(
        "A Queen or 8 is a question: lay its answer with it, of its suit or rank.",
        "questions",
    ),
    "bomb": Tip(
        "A bomb: pick {count:count}, or get past it with one of your cards.",
        "answering-a-bomb",
    ),
    "request": Tip(
        "The request is for {request:request}: begin with that, or with an ace, or draw.",
        "meeting-a-request",
    ),
    "ask": Tip("Ask for what you hold most of: the next player has to begin with it.", "aces"),
    "drawn": Tip("The card you drew may be laid at once, or kept.", "your-turn"),
    "jump": Tip("A jump would pass you over. With the same rank you can stop it.", "jumps"),
    "kickback": Tip(
        "This would cost you a turn. With the same rank you can stop it.",
        "kickbacks",
    ),
    "call": Tip(
        "Can your whole hand go next turn? Say last card: being wrong costs nothing.",
        "last-card",
    ),
    "danger": Tip(
        "{seat:name} is on last card and may win next. A bomb or a jump can prevent it.",
        "last-card",
    ),
    "fine": Tip("A play that is not allowed costs {count:count}, and you try again.", "fines"),
    "harmful": Tip(
        "No ace, 2, 3, Jack, King or joker may be the last card: lay them first.",
        "last-card",
    ),
    "cardless": Tip(
        "You have no cards left but have not won: on your turn you draw.", "without-cards"
    ),
    "games": Tip("The player who wins the most games wins the match.", "the-match"),
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
    elif "last_card" in offers:
        yield "call", {}
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
