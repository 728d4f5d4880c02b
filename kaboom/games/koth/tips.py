"""Tips for newcomers to King of the Hill, based on their view."""

from collections.abc import Iterator

from kaboom.engine.toolkit.tips import AIM, Tip, Told
from kaboom.engine.toolkit.tricks import of_suit
from kaboom.engine.views import Prompt, View
from kaboom.games.koth.cards import trump_ranking
from kaboom.games.koth.options import Options

TIPS = {
    AIM: Tip(
        "Highest rank wins. A king and a secret teammate face the other three.",
        "the-aim",
    ),
    "declare": Tip(
        "Show one of the {rank:ranks_of} to make its suit trumps: ideally a suit you hold many of.",
        "declaring",
    ),
    "first-king": Tip("In this first round, the last player to declare becomes king.", "declaring"),
    "pass": Tip(
        "No card to declare with? Pass: play goes on when all five have passed.", "last-call"
    ),
    "bury": Tip(
        "Bury what wins nothing. 5s, 10s and Kings are points: buried, they can cost you double.",
        "the-dead-hand",
    ),
    "call": Tip(
        "Call a high card you do not hold: the first to play it is on your side.",
        "calling-a-card",
    ),
    "points": Tip("Only 5s (5 points), 10s and Kings (10 points) count in a trick.", "the-cards"),
    "lead": Tip(
        "Lead one card, or two that are exactly alike. A high one is likely to win.", "leading"
    ),
    "follow": Tip(
        "You must follow suit if you can. The jokers and all {rank:ranks_of} count as trumps.",
        "following",
    ),
    "free": Tip(
        "You cannot follow suit: play a trump to win the trick, or anything to let it go.",
        "winning-a-trick",
    ),
    "pair": Tip(
        "A pair was led, two cards exactly alike: only another such pair can beat it.",
        "winning-a-trick",
    ),
    "holder": Tip(
        "You hold a called card: the first to play one is {seat:whose} teammate.",
        "calling-a-card",
    ),
    "defend": Tip(
        "You defend the hill: keep the challengers below 80 points, and you rise.", "scoring"
    ),
    "challenge": Tip(
        "You are a challenger, as far as anyone knows. 80 points together take the hill; with "
        "120 you rise.",
        "scoring",
    ),
    "rose": Tip(
        "Winning a round raises your rank. The next king’s rank is the next trump rank.", "scoring"
    ),
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
    if len(led) == 2:
        yield "pair", {}
    if of_suit(ranking, hand, ranking.suits[led[0]]):
        yield "follow", {"rank": facts["trump_rank"]}
    else:
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
