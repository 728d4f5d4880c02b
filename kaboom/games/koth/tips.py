"""Tips for newcomers to King of the Hill, based on their view."""

from collections.abc import Iterator

from kaboom.engine.toolkit.tips import AIM, Tip, Told
from kaboom.engine.toolkit.tricks import of_suit
from kaboom.engine.views import Prompt, View
from kaboom.games.koth.cards import TRUMP, trump_ranking
from kaboom.games.koth.options import Options

TIPS = {
    AIM: Tip(
        "Win rounds to rise in rank: the highest rank wins.",
        "the-aim",
    ),
    "declare": Tip(
        "Make a long suit trumps: show its {rank:rank_name}.",
        "declaring",
    ),
    "first-king": Tip("Declaring makes you king, unless a pair overrides it.", "declaring"),
    "next-king": Tip("{seat:name} is king; you only choose trumps.", "declaring"),
    "pass": Tip("Pass: play goes on when all five have passed.", "last-call"),
    "bury": Tip(
        "Bury low cards. 5s, 10s and Kings can cost double.",
        "the-buried-cards",
    ),
    "call": Tip("Call a high card that you lack: its player joins you.", "calling-a-card"),
    "points": Tip("Only 5s (5 points), 10s and Kings (10) count.", "the-cards"),
    "lead": Tip("Lead a high card, or a pair of two exactly alike.", "leading"),
    "follow": Tip(
        "Follow suit. Jokers and {rank:ranks_of} are trumps.",
        "following",
    ),
    "free": Tip("Play a trump to win the trick, or let it go.", "winning-a-trick"),
    "pair": Tip("Only a pair beats a pair: two cards exactly alike.", "winning-a-trick"),
    "holder": Tip("The first to play the called card joins {seat:name}.", "calling-a-card"),
    "defend": Tip("Keep challengers below 80 points, and you rise.", "scoring"),
    "challenge": Tip("80 points take the hill; from 120, challengers rise.", "scoring"),
    "rose": Tip("The new king’s rank is the next trump rank.", "scoring"),
}


def tips(view: View, prompt: Prompt | None, options: Options) -> Iterator[Told]:
    """Yield the tips that fit the situation, most urgent first, then the aim of the game."""
    facts = view.facts
    offers = {offer.verb for offer in prompt.offers} if prompt else set()
    match facts["stage"]:
        case "ready_round":
            if facts["results"]:
                yield "rose", {}
        case "deal" | "last_call":
            if "declare" in offers:
                yield "declare", {"rank": facts["trump_rank"]}
            elif "pass" in offers and not _has_declared(view):
                yield "pass", {}
            if facts["koth"] is None:
                yield "first-king", {}
            elif facts["round"] > 1 and facts["koth"] != view.viewer:
                yield "next-king", {"seat": facts["koth"]}
        case "dead_hand" if "bury" in offers:
            yield "bury", {}
        case "call" if "call" in offers:
            yield "call", {}
        case "ready_trick":
            yield from _side(view)
        case "trick":
            if facts["turn"] == view.viewer:
                yield from _on_turn(view)
            yield "points", {}
            yield from _side(view)
    yield AIM, {}


def _has_declared(view: View) -> bool:
    """Return True if the viewer's declaration stands: they had a card for it."""
    made = view.facts["declaration"]
    return bool(made and made["seat"] == view.viewer)


def _on_turn(view: View) -> Iterator[Told]:
    facts, trick = view.facts, view.facts["trick"]
    hand = view.zone("hand", view.viewer).cards
    if not trick:
        if len(hand) > 1:
            yield "lead", {}
        return
    led = trick[0]["cards"]
    ranking = trump_ranking(facts["trump_rank"], facts["trump_suit"])
    suit = ranking.suits[led[0]]
    if len(led) == 2:
        yield "pair", {}
    if of_suit(ranking, hand, suit):
        yield "follow", {"rank": facts["trump_rank"]}
    elif len(led) == 1 and suit != TRUMP and of_suit(ranking, hand, TRUMP):
        yield "free", {}


def _side(view: View) -> Iterator[Told]:
    """Yield the tip about the viewer's side, as far as the viewer knows it."""
    facts, me = view.facts, view.viewer
    if me in facts["defenders"]:
        yield "defend", {}
    elif facts["called"] in view.zone("hand", me).cards:
        yield "holder", {"seat": facts["koth"]}
    else:
        yield "challenge", {}
