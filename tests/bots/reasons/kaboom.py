"""Checks of Kaboom reasons: points of known cards, means of unseen ones, and shares of deals."""

from random import Random

from kaboom.engine.bots.bot import Level
from kaboom.engine.toolkit.cards import pack, rank_of
from kaboom.engine.views import EMPTY
from kaboom.games.kaboom import bot
from kaboom.games.kaboom.cards import ability_of, points
from kaboom.games.kaboom.state import WHERE, Place
from tests.bots.reasons import MANY, NEAR, Case, unless

JUST = 1  # rounding tolerance in points: amounts are whole numbers of at least 1


def check(case: Case) -> str | None:
    """Return the error in a reason, or None."""
    kind, facts, seat = case.kind.removesuffix("_not_yet"), case.facts, case.prompt.seat
    at = Table(case)
    if "share" in facts and (wrong := of_share(case)):
        return wrong
    if "sum" in facts and abs(facts["sum"] - sum(map(at.mean, at.own))) > JUST:
        return f"about {sum(map(at.mean, at.own)):.1f} in hand"
    place, card = facts.get("place"), facts.get("card")
    match kind:
        case "discard":
            higher = [it for it in at.own if it in at.known and at.mean(it) > points(card)]
            blind = [it for it in at.own if it not in at.known and at.mean(it) > points(card) + 0.5]
            return unless(not higher and not blind, f"{higher}, {blind} would be lower")
        case "discard_in_hope":
            return unless(at.mean(place) > points(card) and place in at.known, "it is not higher")
        case "discard_blind":
            return unless(place not in at.known, "it is known")
        case "keep" | "take" | "replace" if "points" in facts:
            card = card or case.view.zones_named("drawn")[0].cards[0]
            saved = at.mean(place) - points(card)
            return unless(abs(saved - facts["points"]) <= JUST, f"{saved} points are saved")
        case "keep_known" | "take_known" | "replace_known":
            near = place not in at.known and at.mean(place) > points(card) - 0.5
            return unless(near, "it is known, or lower")
        case "take_no" | "replace_no":
            saved = {it: at.mean(it) - points(card or 0) for it in at.own}
            return unless(saved[place] >= max(saved.values()) - 0.5, f"{saved} for {place}")
        case "keep_and_flip" | "take_and_flip" | "replace_and_flip" | "discard_and_flip":
            onto = card if kind == "discard_and_flip" else at.known.get(place)
            mine = [it for it in at.own if it != place and at.matches(it, onto)]
            rid = sum(max(0, points(at.known[it])) for it in mine)
            return unless(rid > 0 and abs(rid - facts["points"]) <= JUST, f"rid of {rid}")
        case "flip_own":
            right = at.matches(place, facts["onto"]) and place in at.own
            exact = points(at.known[place]) == facts["points"]
            return unless(right and exact, "it does not match, or is worth something else")
        case "flip_other":
            worst = max(map(at.mean, at.own))
            right = at.matches(place, facts["onto"]) and abs(worst - facts["points"]) <= JUST
            return unless(right, f"it does not match, or {worst} is given")
        case "no_flip":
            mine = [it for it in at.own if at.matches(it, facts["onto"]) and at.mean(it) > 0]
            return unless(not mine, f"{mine} could be flipped")
        case "draw":
            worst = max(map(at.mean, at.own), default=0.0)
            saved = sum(max(0.0, worst - it) for it in at.unseen) / max(1, len(at.unseen))
            return unless(abs(saved - facts["points"]) <= JUST, f"{saved} points are saved")
        case "give":
            return unless(abs(at.mean(place) - facts["points"]) <= JUST, "it is worth another")
        case "no_give":
            return unless(all(at.mean(it) <= 0 for it in at.own), "some card costs points")
        case "swap":
            saved = at.mean(facts["mine"]) - at.mean(facts["theirs"])
            return unless(abs(saved - facts["points"]) <= JUST, f"{saved} points are saved")
        case "use_on_own" | "use_on_other":
            own = kind == "use_on_own"
            hidden = [it for it in (at.own if own else at.others) if it not in at.known]
            able = ability_of(card) in ("any", "own" if own else "other")
            return unless(bool(hidden) and able, "there is nothing to look at")
        case "look_own" | "look_other":
            own = WHERE[place][0] == seat
            return unless(place not in at.known and own == (kind == "look_own"), "it is known")
        case "call" | "call_must" | "skip":
            return None
        case "call_low" | "too_much":
            low = kind == "call_low"
            return unless(facts["sum"] <= 2 if low else facts["sum"] >= 18, f"{facts['sum']}")
    return f"{kind} is not checked"


def of_share(case: Case) -> str | None:
    """Return the error in the share of imagined deals in which no player is lower."""
    mind = bot.Mind(case.memory, case.view, case.prompt.seat, Level.HARD, MANY)
    many = 100 * bot.share_of_lowest(mind, Random(1))
    said = case.facts["share"]
    return unless(abs(many - said) <= NEAR, f"{said} of a hundred, and in others {many:.0f}")


class Table:
    """What the seat knows of the cards, counted independently."""

    def __init__(self, case: Case) -> None:
        lying = {
            place: WHERE[place][0]
            for grid in case.view.zones_named("grid")
            for place, card in zip(grid.places, grid.cards, strict=True)
            if card != EMPTY
        }
        self.own = [place for place, owner in lying.items() if owner == case.prompt.seat]
        self.others = [place for place, owner in lying.items() if owner != case.prompt.seat]
        self.known = {it: card for it, card in case.memory.known.items() if it in lying}
        drawn = case.view.zones_named("drawn")
        seen = [*self.known.values(), *case.memory.pile, *(drawn[0].cards[:1] if drawn else ())]
        cards = len(lying) + bool(drawn and drawn[0].cards)
        total = cards + case.view.facts["stock_count"] + case.view.facts["discard_count"]
        left = list(pack(total > len(pack(jokers=False))))
        for card in seen:
            if card in left:
                left.remove(card)
        self.unseen = [points(card) for card in left]
        self.signs = case.memory.signs

    def mean(self, place: Place) -> float:
        """Return the points of a known card, or the mean of an unseen one."""
        if place in self.known:
            return float(points(self.known[place]))
        mean = sum(self.unseen) / max(1, len(self.unseen))
        sign = self.signs.get(place, "")
        own = place in self.own and sign != "given"
        return mean if own else mean * bot.BELOW_CHANCE.get(sign, 1.0)

    def matches(self, place: Place, onto: str | None) -> bool:
        """Return True if the card at a place is known to match."""
        return bool(onto and place in self.known and rank_of(self.known[place]) == rank_of(onto))
