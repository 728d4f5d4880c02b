"""The view of King of the Hill."""

from collections.abc import Iterator, Mapping
from itertools import count
from typing import Any

from msgspec import to_builtins

from kaboom.engine.moves import Seat
from kaboom.engine.toolkit.cards import Card
from kaboom.engine.toolkit.simultaneous import is_still_shown
from kaboom.engine.toolkit.tricks import LOW_TO_HIGH, Ranking, of_suit, player_at
from kaboom.engine.views import OPEN, Saying, View, Zone
from kaboom.games.koth.cards import ACE, card_points, pairs_in, trump_ranking
from kaboom.games.koth.declaring import cards_dealt, declarable
from kaboom.games.koth.rules import dead_hand_is_secret
from kaboom.games.koth.scoring import result as final_result
from kaboom.games.koth.state import SEATS, State, unready
from kaboom.games.koth.tricks import seat_plays, winning_seat


def view(s: State, viewer: Seat | None) -> View:
    """Return the viewer's view: their own hand, the trick, and public information.

    OPEN, the viewer of a finished match, sees all hands, the stock and the buried cards.
    """
    facts = public_facts(s)
    if viewer not in (None, OPEN):
        facts |= own_facts(s, viewer)
    return View(viewer, tuple(zones(s, viewer)), saying(s, viewer), facts)


def zones(s: State, viewer: Seat | None) -> list[Zone]:
    """Return hands (only the viewer's face up, or all for OPEN), the trick by seat, the stock and
    the dead hand.
    """
    is_open = viewer == OPEN
    shown = []
    for seat, hand in enumerate(s.hands):
        if is_open:
            shown.append(faces("hand", seat, hand))
        elif seat != viewer:
            shown.append(Zone.down("hand", seat, len(hand)))
        elif s.stage == "trick":
            shown.append(Zone.up("hand", seat, hand))
        else:  # no places, otherwise pressing a hand card would call it
            shown.append(faces("hand", seat, hand))
    for seat in range(SEATS):
        turn = (seat - s.leader) % SEATS
        shown.append(faces("trick", seat, s.trick[turn] if turn < len(s.trick) else []))
    if is_open:
        shown.append(faces("stock", None, s.stock[::-1]))  # the next card first
    else:
        shown.append(Zone.down("stock", None, len(s.stock)))
    if dead_hand_is_secret(s) and viewer not in (s.koth, OPEN):
        shown.append(Zone.down("dead_hand", None, len(s.dead_hand)))
    else:
        shown.append(faces("dead_hand", None, s.dead_hand))
    return shown


def faces(name: str, owner: Seat | None, cards: list[Card]) -> Zone:
    """Return a zone with visible cards that cannot be played by pressing them."""
    return Zone(name, owner, tuple(cards))


def rank_text(rank: int) -> str:
    """Return a rank in notation: "2", "10", "K" or, beyond the ace, "A+1"."""
    if rank > ACE:
        return f"A+{rank - ACE}"
    letter = LOW_TO_HIGH[rank - 2]
    return "10" if letter == "T" else letter


def rank_number(rank: str) -> int:
    """Return a rank in notation as a number."""
    return next(number for number in count(2) if rank_text(number) == rank)


def rank_below(rank: str, steps: int) -> str:
    """Return the rank that is so many steps below, in notation."""
    return rank_text(rank_number(rank) - steps)


def public_facts(s: State) -> dict[str, Any]:
    """Return the facts that all players and spectators know."""
    return {
        "stage": s.stage,
        "round": s.round,
        "last_round": s.last_round,
        "ranks": [rank_text(rank) for rank in s.ranks],
        "koth": s.koth,
        "trump_rank": s.trump_rank,
        "trump_suit": s.trump_suit,
        "declaration": declaration(s),
        "called": s.called,
        "joined": s.defenders[-1] if s.stage == "trick" and s.joined else None,
        "defenders": list(s.defenders),
        "points": list(s.points),
        "dealt": cards_dealt(s) if s.stage == "deal" else None,
        "ready": sorted(s.ready),
        "leader": s.leader if s.stage == "trick" else None,
        "turn": s.turn if s.stage == "trick" else None,
        "trick": played(s.leader, s.trick),
        "winning": winning_seat(s) if s.trick else None,
        "last_trick": last_trick(s),
        "results": to_builtins(s.results),
        "absent": list(s.absent),
    }


def last_trick(s: State) -> dict[str, Any] | None:
    """Return the previous trick: winner, points and plays, or None."""
    last = s.last_trick
    if last is None:
        return None
    plays = played(last.leader, last.plays)
    return {"winner": last.winner, "points": last.points, "plays": plays}


def declaration(s: State) -> dict[str, Any] | None:
    """Return the current declaration, with the cards shown for it."""
    if not s.declarations:
        return None
    last = s.declarations[-1]
    shown = [s.trump_rank + last.suit] * last.cards
    return {"seat": last.seat, "suit": last.suit, "cards": shown}


def played(leader: Seat, plays: list[list[Card]]) -> list[dict[str, Any]]:
    """Return the plays by seat, in playing order."""
    return [
        {"seat": player_at(leader, place, SEATS), "cards": list(cards)}
        for place, cards in enumerate(plays)
    ]


def own_facts(s: State, viewer: Seat) -> dict[str, Any]:
    """Return the facts only this seat knows: its pairs, its legal cards, the king's dead hand."""
    facts: dict[str, Any] = {"pairs": pairs_in(s.hands[viewer])}
    if s.stage == "trick" and viewer == s.turn:
        facts["playable"] = list(
            dict.fromkeys(card for cards in seat_plays(s, viewer) for card in cards)
        )
    if viewer == s.koth:
        if s.stage == "dead_hand":
            facts["taken_up"] = list(s.taken_up)
            facts["draft"] = list(s.draft)
            facts["drafts"] = s.drafts
        elif dead_hand_is_secret(s):
            facts["dead_hand_points"] = card_points(s.dead_hand)
    return facts


def saying(s: State, viewer: Seat | None) -> Saying:
    """Return the status line."""
    if s.stage in ("ready_round", "last_call", "ready_trick"):
        return wait_for_all(s, viewer)
    if s.stage == "deal":  # what may be declared changes with every card
        if s.koth is not None and not s.declarations:
            return Saying("deal_later", {"rank": s.trump_rank, "koth": s.koth})
        return declared(s, "deal", viewer)
    if s.stage == "trick":
        size = len(s.trick[0]) if s.trick else 0
        if s.last_trick is not None and not size:
            points = s.last_trick.points
            kind = "lead_next" if points else "lead_next_worthless"
            return Saying(kind, {"seat": s.turn, "points": points})
        if not size:
            return Saying("lead", {"seat": s.turn, "lead": []})
        kind = "follow_pair" if size > 1 else "follow_single"
        led = s.ranking.suits[s.trick[0][0]]
        if viewer == s.turn and not of_suit(s.ranking, s.hands[s.turn], led):
            kind += "_freely"
        known = {"seat": s.turn, "lead": s.trick[0], "suit": led}
        if viewer == s.turn and s.joined:
            known |= {"who": s.defenders[-1], "koth": s.koth}
            kind += "_joined"
        return Saying(kind, known)
    if s.stage == "over":
        return Saying("over", {"seats": list(final_result(s).winners)})
    if s.stage == "abandoned":
        return Saying("abandoned")
    return Saying(s.stage, {"seat": s.king, "rank": s.trump_rank, "suit": s.trump_suit})


def wait_for_all(s: State, viewer: Seat | None) -> Saying:
    """Return the status line while all five must get ready or pass; it addresses a viewer who
    has not yet done so.
    """
    waiting = unready(s)
    if s.stage == "last_call":
        base = declared(s, "last_call", viewer)
        theirs = base.kind == "last_call_declared_yours"
        if viewer in waiting and not theirs and not declarable(s, viewer):
            base = Saying(f"{base.kind}_settled", base.facts)
    else:
        facts = {"round": s.round, "rank": s.trump_rank, "suit": s.trump_suit, "koth": s.koth}
        nobody_called = s.stage == "ready_trick" and s.called is None
        kind = "ready_trick_alone" if nobody_called else s.stage
        if s.stage == "ready_trick" and viewer == s.koth:
            both = (s.hands[s.king] + s.dead_hand).count(s.called or "") == 2
            kind += "_own" if both else "_yours"
        base = Saying(kind, facts | {"card": s.called})
    seat = viewer if viewer in waiting else None
    return Saying(base.kind, base.facts | {"seat": seat, "waiting": waiting})


def called_own(view: View) -> bool:
    """Return True if the viewer is the king and has both called cards: no player can join them."""
    facts, me = view.facts, view.viewer
    if me is None or me != facts["koth"] or facts["called"] is None:
        return False
    return own(view).count(facts["called"]) == 2


def own(view: View) -> tuple[Card, ...]:
    """Return the cards in the king's hand and the cards they have buried."""
    return view.zone("hand", view.viewer).cards + view.zone("dead_hand").cards


def declared(s: State, kind: str, viewer: Seat | None) -> Saying:
    """Return the line for the deal or the last call, with the standing declaration."""
    if not s.declarations:
        return Saying(kind, {"rank": s.trump_rank})
    last = s.declarations[-1]
    kind += "_declared_yours" if last.seat == viewer else "_declared"
    return Saying(kind, {"who": last.seat, "suit": last.suit, "cards": last.cards})


def now(view: View) -> Iterator[Saying]:
    """Yield the trumps, the king, the plays to the trick, and the challengers' points."""
    facts = view.facts
    kind = "now.trumps" if facts["trump_suit"] else "now.trump_rank"
    yield Saying(kind, {"suit": facts["trump_suit"], "rank": facts["trump_rank"]})
    if facts["koth"] is not None:
        yield Saying("now.king", {"seat": facts["koth"]})
    for play in facts["trick"]:
        yield Saying("now.played", play)
    if facts["stage"] == "trick":
        yield Saying("now.challengers", {"points": challengers(facts)})


def result(view: View) -> Saying | None:
    """Return the viewer's rise in rank or else a round's score, until they are ready for the next
    round.
    """
    facts = view.facts
    shown = facts["stage"] == "ready_round" and is_still_shown(view.viewer, facts["ready"])
    if not shown or not facts["results"]:
        return None
    last, me = facts["results"][-1], view.viewer
    if me in (None, OPEN) or not last["gains"][me]:
        return Saying("round_scored", {"round": last["round"], "points": last["score"]})
    rank = rank_number(facts["ranks"][me])
    return Saying("rose", {"seat": me, "gain": last["gains"][me], "rank": rank})


def ranking(view: View) -> Ranking:
    """Return the ranking that sorts a hand.

    A declared suit does not count as trump before the hand is sorted, because another may override
    it.
    """
    facts = view.facts
    settled = view.viewer is not None and is_sorted(facts, view.viewer)
    return trump_ranking(facts["trump_rank"], facts["trump_suit"] if settled else None)


def is_sorted(facts: Mapping[str, Any], seat: Seat) -> bool:
    """Return True if a seat's hand is sorted with all trumps together.

    The king's hand is sorted once it has the eight cards from the stock. Another hand is sorted
    once its player is ready, at the latest at the first trick.
    """
    king = facts["stage"] in ("dead_hand", "call") and seat == facts["koth"]
    ready = facts["stage"] == "ready_trick" and (seat in facts["ready"] or seat == facts["koth"])
    return king or ready or facts["stage"] == "trick"


def challengers(facts: Mapping[str, Any]) -> int:
    """Return the points of all players who are not known to defend the hill."""
    points: list[int] = facts["points"]
    return sum(it for seat, it in enumerate(points) if seat not in facts["defenders"])


def standing(view: View) -> Iterator[Saying]:
    """Yield every player's rank."""
    for seat, rank in enumerate(view.facts["ranks"]):
        yield Saying("now.rank", {"seat": seat, "rank": rank})
