"""Checks of King of the Hill reasons: counts, points, teams, and outcomes of imagined deals."""

from math import fsum
from random import Random

from kaboom.engine.bots.bot import Level, Thought
from kaboom.engine.moves import Move
from kaboom.games.koth import bot
from kaboom.games.koth.cards import TRUMP, card_points, trump_ranking
from kaboom.games.koth.tricks import legal_plays
from tests.bots.reasons import MANY, NEAR, Case, unless

HELD = 80  # points with which the challengers take the hill
FEW = 400  # imagined deals for a comparison in points, which is slower


def check(case: Case) -> str | None:
    """Return the error in a reason, or None."""
    kind, facts, view = case.kind, case.facts, case.view
    if kind in ("trump", "declare"):
        suits = trump_ranking(view.facts["trump_rank"], facts["suit"]).suits
        count = sum(suits[card] == TRUMP for card in bot.own_hand(view))
        return unless(count == facts["count"], f"{count} trumps")
    if kind in ("declare_nothing", "pass"):
        offer = case.prompt.offer("declare")
        able = offer is not None and bool(offer.options)
        return unless(able == (kind == "declare_nothing"), "something can be declared, or cannot")
    if kind in ("bury", "bury_nothing"):
        buried = card_points(facts["cards"])
        right = buried == facts["points"] and bool(buried) == (kind == "bury")
        return unless(right, f"{buried} are buried")
    if kind == "call":
        return of_call(case)
    at = bot.Position(case.memory, view, Level.HARD)
    if kind in ("only", "last"):
        legal = legal_plays(at.ranking, at.hand, at.plays[0] if at.plays else ())
        whole = len(legal[0]) == len(at.hand)
        return unless(len(legal) == 1 and whole == (kind == "last"), "there is something else")
    if kind in ("searched", "searched_hill"):
        return of_search(case, at)
    if kind == "join":
        called = at.called in facts["cards"] and at.me != at.koth
        return unless(called and facts["against"] == at.against, "it is not the called card")
    if kind == "lead_to_partner":
        best = at.ranking.powers[at.called]
        suit = at.ranking.suits[at.called]
        right = at.ranking.suits[facts["cards"][0]] == suit and not at.higher(suit, best)
        return unless(right, "the called card does not win")
    if "given" in facts and facts["given"] != card_points(facts["cards"]):
        return "it gives other points"
    if "share" in facts:
        return of_share(case, at)
    return f"{kind} is not checked"


def of_call(case: Case) -> str | None:
    """Return the error if another player may hold a higher card of the called card's suit."""
    card = case.facts["card"]
    ranking = trump_ranking(case.view.facts["trump_rank"], case.view.facts["trump_suit"])
    seen = [*bot.own_hand(case.view), *case.view.zone("dead_hand").cards]
    higher = [
        it
        for it in bot.pack()
        if ranking.suits[it] == ranking.suits[card] and ranking.powers[it] > ranking.powers[card]
        if seen.count(it) < 2
    ]
    return unless(not higher and seen.count(card) < 2, f"{higher} beat it")


def of_share(case: Case, at: bot.Position) -> str | None:
    """Return the error in the share of imagined deals in which the bot's side wins the trick."""
    facts, cards = case.facts, case.found[0].move.choices
    many = 100 * bot.share_won(at, cards, Random(1), MANY)
    if abs(many - facts["share"]) > NEAR:
        return f"{facts['share']} of a hundred, and in other deals {many:.0f}"
    if case.kind.endswith("_mate") and (at.friends[facts["on_top"]] < 1 or at.wants_to_join):
        return "it is not certain who is on which side"
    lost = case.kind in ("lost", "lost_nothing")
    return unless(not lost or many < 50, "the trick is not lost")


def of_search(case: Case, at: bot.Position) -> str | None:
    """Return the error in the margin of one play over another in imagined deals."""
    best = case.found[0]
    other = Thought(Move(at.me, "play", tuple(case.facts["instead"])))
    one, two = bot.gains(at, (best, other), FEW, Random(1))
    if case.kind == "searched":
        said = case.facts["points"]
        ahead = fsum(points(a) - points(b) for a, b in zip(one, two, strict=True)) / FEW
    else:
        said = case.facts["more"]
        ahead = 100 * fsum(hill(a) - hill(b) for a, b in zip(one, two, strict=True)) / FEW
    return unless(ahead > 0 and abs(ahead - said) <= NEAR, f"{said} better, and {ahead:.1f}")


def hill(gain: float) -> float:
    """Return 1 if the seat's side has the hill, derived from the points of a deal."""
    return float(gain >= HELD or -HELD < gain <= 0)


def points(gain: float) -> float:
    """Return the points of a deal without the hill."""
    return gain - bot.WON if gain >= HELD else gain + bot.WON if gain <= -HELD else gain
