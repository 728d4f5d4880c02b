"""The view of Karata."""

from collections.abc import Iterator
from typing import Any

from kaboom.engine.moves import Seat
from kaboom.engine.toolkit.cards import SUITS, Card, pack
from kaboom.engine.views import EMPTY, OPEN, Saying, View, Zone
from kaboom.games.karata.breaches import RULES, bombs_here, breach, why_not
from kaboom.games.karata.consequences import consequences, cuts, walk, wins
from kaboom.games.karata.ending import outcome
from kaboom.games.karata.legal_plays import effect_of, following, misplaced, reached
from kaboom.games.karata.state import State, facing, ground, seat_asked, top

ORDER = {card: index for index, card in enumerate(pack())}


def view(s: State, me: Seat | None) -> View:
    """Return the viewer's view: the pile, the sizes of other hands, and their own hand and row."""
    shown = s.pile[-max(1, len(s.played)) :]
    is_open = me == OPEN
    deck = Zone("deck", None, tuple(reversed(s.deck))) if is_open else None
    zones = [Zone("pile", None, tuple(shown)), deck or Zone.down("deck", None, len(s.deck))]
    for seat, hand in enumerate(s.hands):
        is_up = is_open or seat == me
        zones.append(own_hand(s, seat) if is_up else Zone.down("hand", seat, len(hand)))
    if is_open:
        zones.append(Zone("row", s.seat, tuple(s.row)))
    elif me is not None:
        zones.append(Zone("row", me, tuple(s.row) if me == s.seat else ()))
    can_come = fits(s, me)
    own = {"preview": preview(s, me), "fits": can_come}
    return View(me, tuple(zones), own_saying(s, me, can_come), facts(s) | own)


def own_saying(s: State, me: Seat | None, can_come: list[Card]) -> Saying:
    """Return the status line; for the player whose turn it is, it names the cards that fit, unless
    that is secret.
    """
    said = saying(s)
    if me != s.seat or s.row or s.options.fine:
        return said
    if said.kind == "turn" and not can_come:
        return Saying("turn_nothing", said.facts)
    if said.kind in ("turn_pick", "turn_pick_here"):
        known = {"seat": s.seat, "count": s.pick}
        if can_come:
            return Saying("turn_pick_or", known | {"cards": can_come})
        return Saying("turn_pick_nothing", known | {"card": top(s)})
    return said


def own_hand(s: State, seat: Seat) -> Zone:
    """Return a hand as its owner sees it; cards in the row leave their places empty.

    Places are named only while cards are played, so that pressing a card never requests it.
    """
    hand = sorted(s.hands[seat], key=ORDER.__getitem__)
    row = s.row if seat == s.seat else []
    cards: list[Card] = [EMPTY if card in row else card for card in hand]
    return Zone("hand", seat, tuple(cards), tuple(hand) if s.stage == "turn" else ())


def saying(s: State) -> Saying:
    """Return the status line."""
    game = {"game": s.game, "games": s.options.games}
    if s.stage == "over":
        return final(s)
    if s.stage == "ready":
        if s.shared:
            return Saying("shared_game", {"winners": list(s.shared)} | game)
        return Saying("drawn_game" if s.winner is None else "won_game", {"seat": s.winner} | game)
    if s.stage == "stop":
        return Saying(f"may_stop_{s.stop}", {"seat": seat_asked(s), "by": s.seat})
    if s.stage == "drawn":
        return Saying("has_drawn", {"seat": s.seat})
    if s.stage == "request":
        return Saying(asking(s), {"seat": s.seat})
    if s.stage == "last_card":
        return Saying("declaring", {"seat": s.seat})
    if not s.hands[s.seat]:
        return Saying("turn_cardless", {"seat": s.seat})
    if s.pick:
        here = bombs_here(s)
        return Saying(
            "turn_pick_here" if here else "turn_pick", {"seat": s.seat, "count": s.pick} | here
        )
    if s.question:
        return Saying("turn_question", {"seat": s.seat, "card": top(s)})
    if s.request:
        return Saying("turn_request", {"seat": s.seat, "request": s.request})
    return Saying("turn", {"seat": s.seat})


def asking(s: State) -> str:
    """Return the kind of the status line about a request: it names what allows it."""
    if s.level == 1:
        return "asking_suit"
    return "asking_ace_of_spades" if "AS" in s.played else "asking_card"


def final(s: State) -> Saying:
    """Return the line about the outcome of the match."""
    ended = outcome(s)
    assert ended
    if s.abandoned:
        return Saying("stopped_match")
    if not ended.winners:
        return Saying("drawn_match")
    return Saying("won_match", {"winners": list(ended.winners)})


def facts(s: State) -> dict[str, Any]:
    """Return the public facts needed to render the table."""
    on = s.stage not in ("ready", "over")
    counts = [len(hand) for hand in s.hands]
    kind = None if s.request is None else "suit" if s.request in SUITS else "card"
    return {
        "stage": s.stage,
        "turn": seat_asked(s) if on else None,
        "next": follower(s) if on else None,
        "tries": s.tries,
        "direction": s.direction,
        "top": top(s),
        "pile_depth": len(s.pile),
        "deck_count": len(s.deck),
        "played": list(s.played),
        "played_by": s.played_by,
        "pick": s.pick,
        "request": s.request,
        "request_kind": kind,
        "level": s.level if s.stage == "request" else 0,
        "last_card": list(s.last_card),
        "cardless": [on and not count for count in counts],
        "hand_counts": counts,
        "fined": list(s.fined),
        "ready": list(s.ready),
        "absent": sorted(s.absent),
        "game": s.game,
        "games": s.options.games,
        "wins": list(s.wins),
        "winner": s.winner,
        "fine": s.options.fine,
        "joker_ignores_request": s.options.joker_ignores_request,
        "strict_finish": s.options.strict_finish,
    } | of_house(s)


def of_house(s: State) -> dict[str, Any]:
    """Return the public facts of a table that differs from Karata classic.

    `house` lists the differing options that are not among the facts already.
    """
    if not s.house.changed:
        return {}
    return {
        "house": dict(s.house.changed),
        "ground": ground(s),
        "question": s.question,
        "stop": s.stop if s.stage == "stop" else "",
        "cut_suit": s.cut_suit,
        "counted": list(s.counted),
    }


def follower(s: State) -> Seat:
    """Return the seat whose turn is next, if the play has no special effect."""
    steps = 1 if s.stage == "turn" else s.steps
    return [s.seat, *reached(s.seat, s.direction, steps, len(s.wins), s.absent)][-1]


def fits(s: State, me: Seat | None) -> list[Card]:
    """Return the viewer's cards that may come next in the row; empty with fines on."""
    if me != s.seat or s.stage != "turn" or s.options.fine:
        return []
    if s.row and misplaced(s.house, facing(s), s.row):
        return []
    return following(s.house, facing(s), s.row, s.hands[s.seat])


def preview(s: State, me: Seat | None) -> list[dict[str, Any]]:
    """Return the effect of the viewer's row as sayings; with fines on, never its legality.

    `rule` is the heading of rules.md that forbids the row, or "". When the row is played, the log
    gets the full list from the same function (`consequences`).
    """
    if me != s.seat or not s.row:
        return []
    row = tuple(s.row)
    said = breaks(s, row) or [*consequences(s, row), *comes_next(s, row)]
    # With fines on, a met request would reveal the legality.
    told = [each for each in said if not (s.options.fine and each.kind == "met")]
    return [{"kind": each.kind, "facts": each.facts, "rule": broken_by(each)} for each in told]


def broken_by(said: Saying) -> str:
    """Return the heading of the rule that this saying refers to, or ""."""
    return RULES[said.kind.removeprefix("broke_")] if said.kind.startswith("broke_") else ""


def breaks(s: State, row: tuple[Card, ...]) -> list[Saying]:
    """Return the rule the row breaks, at a table that refuses illegal plays instead of fining
    them.
    """
    if s.options.fine:
        return []
    if wrong := breach(s, row):
        return [wrong]
    return [Saying("broke_finish")] if why_not(s, row) else []


def comes_next(s: State, row: tuple[Card, ...]) -> Iterator[Saying]:
    """Yield the next player after the row, unless it wins or the same player plays again."""
    if wins(s, row) or cuts(s, row):
        return
    seat = walk(s, effect_of(s.house, facing(s), row))[-1:]
    if seat not in ([], [s.seat]):
        yield Saying("next", {"seat": seat[0]})


def now(view: View) -> Iterator[Saying]:
    """Yield the top of the pile, what must be answered, the players on last card, the next
    player, and all hand sizes.
    """
    facts = view.facts
    if pile := view.zone("pile").cards:
        yield Saying("now.pile", {"card": pile[-1]})
    if facts["turn"] is not None:
        if facts["request"]:
            yield Saying("now.request", {"request": facts["request"]})
        if facts["pick"]:
            yield Saying("now.bomb", {"count": facts["pick"]})
        if facts.get("question"):
            yield Saying("now.question")
        if facts.get("cut_suit"):
            yield Saying("now.cut", {"suit": facts["cut_suit"]})
    for seat, called in enumerate(facts["last_card"]):
        if called:
            yield Saying("now.last_card", {"seat": seat})
    if facts["direction"] < 0 and len(facts["hand_counts"]) > 2:
        yield Saying("now.turned")
        if facts["next"] is not None:
            yield Saying("now.next", {"seat": facts["next"]})
    for seat, count in enumerate(facts["hand_counts"]):
        yield Saying("now.holds", {"seat": seat, "count": count})


def standing(view: View) -> Iterator[Saying]:
    """Yield every player's number of games won."""
    for seat, games in enumerate(view.facts["wins"]):
        yield Saying("now.won", {"seat": seat, "games": games})
