"""The regions of a table of Karata, rendered by templates/regions.html."""

from collections import Counter
from typing import Any

from kaboom.engine.codec import from_json
from kaboom.engine.i18n import gettext as _
from kaboom.engine.i18n import ngettext
from kaboom.engine.moves import Seat
from kaboom.engine.table_view import Draw, Shown, TablePage
from kaboom.engine.toolkit.cards import SUITS, rank_of, spoken, spoken_list, suit_of
from kaboom.engine.views import Offer, Saying
from kaboom.games.karata.going_out import closing
from kaboom.games.karata.house import house_of
from kaboom.games.karata.tips import ANYTHING
from kaboom.games.karata.view import broken_by
from kaboom.games.karata.words import asked

DONE = ("played", "drew", "asked", "fined", "declared")  # what the others do in their turns
TURNS = ("dealt", "played", "drew")  # what begins a game, or is done in a turn
FEW = 6  # how many of those the rail may have room for
# What the table or the status line shows as well, or what changes nothing for a player who waits.
DULL = (
    "dealt",
    "dealt_hand",
    "bombed",
    "bombed_here",
    "may_ask_suit",
    "may_ask_card",
    "ace_of_spades",
    "not_declared",
)


def regions(page: TablePage, draw: Draw) -> Shown:
    """Return the table: the viewer's hand, the pile and signs in the middle, the others' hand
    sizes.
    """
    me, facts, seats = page.viewer, page.seen.facts, page.seats_from_me()
    others = [
        (seat, place, seat == facts["turn"], _seat(page, draw, seat))
        for place, seat in enumerate(seats)
        if seat != me
    ]
    told, acts, note = _prompt(page, draw)
    return Shown(
        kind=f"karata n{len(seats)}",
        board=draw.around(
            "board",
            _own(page, draw, me) if me is not None else "",
            _piles(page, draw),
            _signs(page, draw),
            others,
            page.options,
        ),
        heard=draw.kept(
            "in_row", spoken(facts["top"]), spoken_list(_row(page)) if _row(page) else ""
        ),
        told=_fined(page, draw) + told,
        note=note,
        standing=draw.kept("some", facts["hand_counts"][me]) if me is not None else "",
        beside=_beside(page, draw),
        prompt=acts,
        names_waited_for=facts["stage"] == "ready",
        counted=_counted(facts) if page.outcome else (),
        behind=facts["hand_counts"] if facts["games"] == 1 else (),
        how=_how(page),
        last=facts["top"] if _went_out(page) else "",
        lately=_lately(page),
    )


# The end of a match


def _counted(facts: dict[str, Any]) -> list[str]:
    """Return the result of each seat: games won or, in a single game, the cards left."""
    if facts["games"] > 1:
        return [ngettext("{count} game won", "{count} games won", won) for won in facts["wins"]]
    return [ngettext("{count} card", "{count} cards", left) for left in facts["hand_counts"]]


def _went_out(page: TablePage) -> bool:
    """Return True if the winner of the match has just played the last card."""
    facts, winner = page.seen.facts, page.seen.facts["played_by"]
    if page.outcome is None or page.outcome.winners != (winner,):
        return False
    return not facts["hand_counts"][winner] and not facts.get("counted")


def _how(page: TablePage) -> str:
    """Return how a match of one game was won, if it was won by going out."""
    facts = page.seen.facts
    if facts["games"] > 1 or not _went_out(page):
        return ""
    return _("Out with the {card}.", card=spoken(facts["top"]))


# Parts


def _where(page: TablePage) -> tuple[str, int, str]:
    """Return the data that move forms need: the table's URL, the match, the revision."""
    return page.at, page.match, page.revision


def _sent(page: TablePage, offer: Offer | None) -> tuple[str, str] | None:
    """Return the token of an offer, and the form value of its button."""
    return (offer.token, page.value(offer)) if offer else None


def _is_mine(page: TablePage) -> bool:
    """Return True if it is the viewer's turn."""
    return page.viewer is not None and page.seen.facts["turn"] == page.viewer


def _row(page: TablePage) -> tuple[str, ...]:
    """Return the viewer's row."""
    return page.seen.zone("row", page.viewer).cards if page.viewer is not None else ()


def _name(page: TablePage, seat: Seat) -> str:
    """Return the name of a seat, "you" for the viewer."""
    return _("you") if seat == page.addressed else page.names.name(seat)


def _lately(page: TablePage) -> tuple[str, ...]:
    """Return what has happened lately, last events first: on the viewer's turn how each opponent
    ended their last turn, () once the viewer has begun a row.
    """
    if not page.my_turn:
        lines = [line.text for line in page.log if line.kind not in DULL]
        return tuple(lines[: -FEW - 1 : -1])
    if not page.offer("draw") or _row(page):
        return ()
    last = dict[Seat, str]()
    for line in reversed(page.log):
        if line.fresh and line.kind in (*DONE, "not_declared"):
            seat: Seat = from_json(line.facts, dict)["seat"]
            if line.kind in DONE or _has_not_called(page, seat):
                last.setdefault(seat, line.text)
    return tuple(text for seat, text in last.items() if seat != page.viewer)


# Visible to all players


def _tags(page: TablePage, seat: Seat) -> tuple[str, ...]:
    """Return the words for a player's current state."""
    facts = page.seen.facts
    words = {
        "turn": seat == facts["turn"],
        "next": len(facts["wins"]) > 2  # an only opponent always comes next
        and seat == facts["next"] != facts["turn"]
        and not any(_bomb(page, seat)),
        "last card": facts["last_card"][seat] and facts["hand_counts"][seat] > 0,
        "not called": _has_not_called(page, seat),
        "cardless": facts["cardless"][seat],
        "ready": facts["stage"] == "ready" and facts["ready"][seat],
        "away": seat in facts["absent"],
    }
    return tuple(word for word, holds in words.items() if holds)


def _has_not_called(page: TablePage, seat: Seat) -> bool:
    """Return True if another player ended a turn with one card and without calling last card."""
    facts = page.seen.facts
    on = facts["turn"] is not None and (seat != facts["turn"] or facts["stage"] == "turn")
    may_call = page.options.call != "none" and seat != page.viewer
    return on and may_call and facts["hand_counts"][seat] == 1 and not facts["last_card"][seat]


def _seat(page: TablePage, draw: Draw, seat: Seat) -> str:
    """Return the public data of a player."""
    facts = page.seen.facts
    count, won = facts["hand_counts"][seat], facts["wins"][seat]
    who = page.names.name(seat), page.face(seat)
    return draw.kept("seat", seat, *who, count, won, _tags(page, seat), *_bomb(page, seat))


def _bomb(page: TablePage, seat: Seat) -> tuple[int, int]:
    """Return the number of cards that a bomb makes the player pick, and the number picked in the
    latest turn; each is 0 if there is none.
    """
    facts = page.seen.facts
    if facts["turn"] is not None and facts["pick"] and seat == _faces_the_pile(facts):
        return facts["pick"], 0
    latest = next((line for line in reversed(page.log) if line.kind in TURNS), None)
    if latest is None or latest.kind != "drew":
        return 0, 0
    drew = from_json(latest.facts, dict)
    return 0, drew["count"] if drew.get("seat") == seat and drew["count"] > 1 else 0


def _piles(page: TablePage, draw: Draw) -> str:
    """Return the deck and the pile."""
    facts, drawing = page.seen.facts, page.offer("draw")
    return draw.kept(
        "piles",
        *(_where(page) if drawing else ("", 0, "")),
        facts["deck_count"],
        page.value(drawing) if drawing else "",
        facts["pick"] if drawing else 0,
        bool(drawing) and _only_draws(page),
        page.seen.zone("pile").cards,
        facts["pile_depth"],
        "" if facts["played_by"] is None else "backs-{0} seat-{0}".format(facts["played_by"]),
    )


def _signs(page: TablePage, draw: Draw) -> str:
    """Return the conditions of the next play, or none between games."""
    facts = page.seen.facts
    if facts["turn"] is None:
        return draw.kept("signs")
    request, faces = facts["request"] or "", _faces_the_pile(facts)
    mine = faces == page.viewer
    return draw.kept(
        "signs",
        facts["pick"],
        page.names.name(faces) if facts["pick"] and not mine else "",
        request,
        asked(request, page.names) if request else "",
        facts["direction"],
        _name(page, facts["next"]),
        _name(page, faces) if facts.get("question") else "",
        mine,
        facts.get("cut_suit", ""),
        "house" in facts,
    )


def _faces_the_pile(facts: dict[str, Any]) -> Seat:
    """Return the player who must answer a bomb or an open question.

    It is the player whose turn it is, or the next one while the last player still has a decision to
    make, such as whether to say “last card”.
    """
    seat: Seat = facts["turn" if facts["stage"] == "turn" else "next"]
    return seat


def _beside(page: TablePage, draw: Draw) -> str:
    """Return the number of the game, and every player's score."""
    facts = page.seen.facts
    return draw.kept(
        "beside",
        facts["game"],
        facts["games"],
        page.names.seats,
        facts["hand_counts"],
        facts["fined"] if facts["fine"] else (),
        facts.get("counted", ()),
        facts["wins"] if facts["games"] > 1 else (),
        facts["turn"],
        page.addressed,
        facts["fine"],
        f"{page.at}/rules",
    )


def _fined(page: TablePage, draw: Draw) -> str:
    """Return the notice that a play in this turn broke a rule; only its player sees the rule."""
    facts, turn = page.seen.facts, page.seen.facts["turn"]
    if not facts["tries"] or turn is None:
        return ""
    kind = "fined" if facts["deck_count"] + facts["pile_depth"] > 1 else "fined_rest"
    told = page.game.words.say(kind, {"seat": turn, "count": facts["fine"]}, page.names)
    if not _is_mine(page):
        return draw.kept("fined", facts["tries"], told, page.names.name(turn), "", "")
    reason, link = "", ""
    for line in page.log:
        if rule := broken_by(Saying(line.kind)):
            reason, link = line.text, f"{page.at}/rules#{rule}"
    return draw.kept("fined", facts["tries"], told, "", reason, link)


# Visible to the viewer alone


def _own(page: TablePage, draw: Draw, me: Seat) -> str:
    """Return the viewer's own hand, with the cards of the row at their places."""
    facts, add, back = page.seen.facts, page.offer("add"), page.offer("back")
    hand, row = page.seen.zone("hand", me), _row(page)
    order = {card: number for number, card in enumerate(row, 1)}
    cards = [
        (place if place in order else card, order.get(place, 0))
        for card, place in zip(hand.cards, hand.places or hand.cards, strict=True)
    ]
    return draw.kept(
        "own",
        *_where(page),
        me,
        facts["wins"][me],
        _tags(page, me),
        _bomb(page, me)[1],
        cards,
        page.value(back) if back else "",
        page.value(add) if add else "",
        add.options if add else (),
        facts["fits"] if add else (),
        facts["fine"] > 0,
        _misfit(facts["preview"]),
    )


def _misfit(preview: list[dict[str, Any]]) -> str:
    """Return the card of the row that may not be at its place, or "". A question that is left open
    may be where it is: more cards are needed.
    """
    wrong = (it for it in preview if it["rule"] and it["kind"] != "broke_open")
    return next((it["facts"].get("card", "") for it in wrong), "")


def _prompt(page: TablePage, draw: Draw) -> tuple[str, list[str], str]:
    """Return the viewer's prompt: its text, the buttons, and what is too long for the rail."""
    drawing, suit = page.offer("draw"), page.offer("suit")
    if drawing:
        return _would_do(page, draw), [_building(page, draw, drawing)], ""
    if suit:
        wishing = _wishing(page, draw, suit)
        return ("", [], wishing) if page.offer("card") else ("", [wishing], "")
    if keep := page.offer("keep"):
        return (
            "" if _may_lay(page) else draw.kept("remark", "unfit"),
            [_drawn(page, draw, keep)],
            "",
        )
    if let := page.offer("let"):
        return "", [_stopping(page, draw, let)], ""
    offers = [it for it in (page.prompt.offers if page.prompt else ()) if it.simple]
    told = ""
    if page.offer("last_card"):
        told = draw.kept("remark", "last_card" if _may_go_out(page) else "too_early")
    return told, [_answering(page, draw, offer) for offer in offers], ""


def _would_do(page: TablePage, draw: Draw) -> str:
    """Return the effect of the current row, or the cards that can start one.

    The reason for a refusal is already shown above.
    """
    facts, say_it = page.seen.facts, page.game.words.say
    if not page.seen.zone("hand", page.viewer).cards:
        return ""
    told = [(say_it(it["kind"], it["facts"], page.names), it["rule"]) for it in facts["preview"]]
    does = [
        (text, f"{page.at}/rules#{rule}" if rule else "")
        for text, rule in told
        if text != page.notice
    ]
    hint = "" if _row(page) or facts["tries"] else _hint(page)
    if hint == 0 and not (facts["request"] or facts.get("question")):
        hint = ""  # the status line says so
    if not does and hint == "":
        return ""
    return draw.kept("does", does, facts["fine"] > 0, hint, _to_match(page))


def _building(page: TablePage, draw: Draw, drawing: Offer) -> str:
    """Return the three buttons for the row."""
    row, facts = _row(page), page.seen.facts
    return draw.kept(
        "building",
        *_where(page),
        _sent(page, drawing),
        _sent(page, page.offer("back")),
        _sent(page, page.offer("play")),
        len(row),
        row[-1] if row else "",
        any(it["rule"] for it in facts["preview"]),
        facts["pick"],
        _only_draws(page),
    )


def _only_draws(page: TablePage) -> bool:
    """Return True if drawing is the primary button: no card fits, or legality is hidden."""
    return not _row(page) and _hint(page) in (0, "untold")


def _hint(page: TablePage) -> int | str:
    """Return the number of cards that can start a row, or "untold" if illegal plays are fined."""
    facts = page.seen.facts
    return "untold" if facts["fine"] else len(facts["fits"])


def _to_match(page: TablePage) -> str:
    """Return the card whose suit or rank must be matched, in words, or "" if other conditions
    apply.
    """
    facts = page.seen.facts
    more = facts["pick"] or facts["request"] or facts.get("question")
    return "" if more or rank_of(facts["top"]) in ANYTHING else spoken(facts["top"])


def _wishing(page: TablePage, draw: Draw, suit: Offer) -> str:
    """Return the possible requests."""
    card, nothing = page.offer("card"), page.offer("no_request")
    assert nothing
    held = page.seen.zone("hand", page.viewer).cards
    return draw.kept(
        "wishing",
        *_where(page),
        _sent(page, suit),
        page.value(card) if card else "",
        card.options if card else (),
        held if card else (),
        tuple(map(Counter(map(suit_of, held)).__getitem__, SUITS)),
        (page.value(nothing), page.label(nothing)),
    )


def _may_lay(page: TablePage) -> bool:
    """Return True if the card just drawn may be played. With fines on, it is always True, so as not
    to reveal whether the card fits.
    """
    lay = page.offer("lay_drawn")
    return bool(lay and lay.playable) or page.seen.facts["fine"] > 0


def _drawn(page: TablePage, draw: Draw, keep: Offer) -> str:
    """Return the choices for a card just drawn."""
    lay = page.offer("lay_drawn")
    assert lay
    label = _("Lay the {card}", card=spoken(lay.options[0]))
    answers = [(page.value(lay, lay.options[0]), label, False)] if _may_lay(page) else []
    answers.append((page.value(keep), page.label(keep), True))
    return draw.kept("answering", *_where(page), keep.token, answers)


def _stopping(page: TablePage, draw: Draw, let: Offer) -> str:
    """Return the ways to stop a jump or kickback: with one card, or with several as listed."""
    stop = page.offer("stop")
    cards = stop.options if stop else ()
    several = [cards[:count] for count in range(2, stop.most + 1)] if stop else []
    answers = [
        (
            page.value(stop, " ".join(those)),
            _("Stop it with the {cards}", cards=spoken_list(those)),
            False,
        )
        for those in [*((card,) for card in cards), *several]
        if stop
    ]
    answers.append((page.value(let), page.label(let), True))
    return draw.kept("answering", *_where(page), let.token, answers)


def _answering(page: TablePage, draw: Draw, offer: Offer) -> str:
    """Return the answers to a question."""
    plain = ("no",) if offer.verb != "last_card" or _may_go_out(page) else ("yes",)
    answers = [
        (page.value(offer, it), page.choice(offer, it), it in plain) for it in offer.options
    ] or [(page.value(offer), page.label(offer), False)]
    return draw.kept("answering", *_where(page), offer.token, answers)


def _may_go_out(page: TablePage) -> bool:
    """Return True if the viewer's whole hand can be played together, on a top card that it fits."""
    return bool(closing(house_of(page.options), page.seen.zone("hand", page.viewer).cards))
