"""The regions of a table of King of the Hill, rendered by templates/regions.html."""

from collections.abc import Iterator, Sequence
from typing import Any

from kaboom.engine.i18n import gettext as _
from kaboom.engine.moves import Seat
from kaboom.engine.table_view import Draw, Shown, TablePage
from kaboom.engine.toolkit.cards import JOKERS, Card
from kaboom.engine.toolkit.tricks import LOW_TO_HIGH, of_suit
from kaboom.engine.views import Offer
from kaboom.games.koth.cards import SHOWN_SUITS, card_points, pairs_in, trump_ranking
from kaboom.games.koth.previews import trumps_with
from kaboom.games.koth.scoring import A_STEP, ENOUGH
from kaboom.games.koth.state import DEAD_HAND, SEATS
from kaboom.games.koth.tricks import legal_plays, winning_play
from kaboom.games.koth.view import called_own, is_sorted, rank_below
from kaboom.games.koth.words import ranks_of

DECLARING = ("deal", "last_call")
PLAYING = ("ready_trick", "trick")
SHOWN = 10  # earlier rounds that are listed
LAST = 3  # of them at the end of the match
DEALT = 100  # cards, until the last call
TO_RISE = ENOUGH + A_STEP  # points with which the challengers rise
HIGH = 4  # the ranks that are usually called: Ace to Jack


def regions(page: TablePage, draw: Draw) -> Shown:
    """Return the table: the viewer's hand, the trick between the seats, and its trumps."""
    me, facts = page.viewer, page.seen.facts
    return Shown(
        kind=" ".join(("koth", *_doing(page))),
        board=draw.around(
            "board",
            _own(page, draw, me) if me is not None else "",
            _told(page, draw),
            _laid_by_me(page, draw, me) if me is not None else "",
            _centre(page, draw),
            [
                ((seat - (me or 0)) % SEATS, seat == facts["turn"], _seat(page, draw, seat))
                for seat in page.seats_from_me()
                if seat != me
            ],
        ),
        told=_hint(page, draw),
        standing=_standing(page, draw, me) if me is not None else "",
        beside=draw.around(
            "beside", _scores(page, draw), _dead_hand(page, draw), _rounds(page, draw)
        ),
        prompt=[_answers(page, draw)],
        names_waited_for=False,
        clocks=facts["stage"] != "deal",  # the progress of the deal is given in words
        counted=[_("Rank {rank}", rank=rank) for rank in facts["ranks"]],
        final=_final(page, draw) if page.played_out else "",
    )


def _doing(page: TablePage) -> Iterator[str]:
    """Yield the style sheet's class names for the current step."""
    if page.offer("bury") or page.offer("call"):
        yield "choosing"
    if page.offer("call"):
        yield "calling"
    elif page.offer("bury"):
        yield "burying"
    if page.seen.facts["stage"] in DECLARING:
        yield "declaring"
    if _is_before_first_trick(page.seen.facts) and not page.my_turn:
        yield "unled"
    if page.hands_open:
        yield "hands-open"


# Visible to all players


def _is_before_first_trick(facts: dict[str, Any]) -> bool:
    """Return True if a round's first trick has no card yet."""
    return facts["stage"] == "trick" and not facts["trick"] and facts["last_trick"] is None


def _between_tricks(facts: dict[str, Any]) -> bool:
    """Return True if the last trick is still on the table: no player has led to the next one."""
    return facts["stage"] == "trick" and not facts["trick"] and facts["last_trick"] is not None


def _is_between_rounds(facts: dict[str, Any]) -> bool:
    """Return True if a round is over and the next has not begun: its result is shown."""
    return facts["stage"] == "ready_round" and bool(facts["results"])


def _taken_to(page: TablePage) -> str:
    """Return the id of the place to which the cards of a finished trick go, or ""."""
    facts = page.seen.facts
    if not _between_tricks(facts):
        return ""
    winner = facts["last_trick"]["winner"]
    return "hand" if winner == page.viewer else f"seat-{winner}"


def _lying(page: TablePage, seat: Seat) -> int:
    """Return the points in the trick if this seat is winning it, or else 0."""
    facts = page.seen.facts
    lying = sum(card_points(play["cards"]) for play in facts["trick"])
    return lying if seat == facts["winning"] else 0


def _down(facts: dict[str, Any], seat: Seat) -> Sequence[Card]:
    """Return the cards a seat has shown or played."""
    declared = facts["declaration"]
    if declared and facts["stage"] in DECLARING:
        return declared["cards"] if declared["seat"] == seat else ()
    plays = facts["last_trick"]["plays"] if _between_tricks(facts) else facts["trick"]
    return next((play["cards"] for play in plays if play["seat"] == seat), ())


def _held(page: TablePage, seat: Seat) -> int:
    """Return the number of cards in a seat's hand."""
    return len(page.seen.zone("hand", seat).cards)


def _lay(page: TablePage, seat: Seat) -> int:
    """Return a number that is another one when a seat lays new cards: the number of cards it still
    holds, but not while these are dealt and the cards it has shown lie there already.
    """
    cards = _down(page.seen.facts, seat)
    return -len(cards) if cards and page.seen.facts["stage"] in DECLARING else _held(page, seat)


def _counts(facts: dict[str, Any]) -> bool:
    """Return True if the points of a round are on the table: from its first trick to its result."""
    return facts["stage"] in ("trick", "over", "abandoned") or _is_between_rounds(facts)


def _has(page: TablePage, seat: Seat) -> tuple[str, int]:
    """Return a seat's rank in words, and its points in this round."""
    return _rank(page, seat), page.seen.facts["points"][seat]


def _rank(page: TablePage, seat: Seat) -> str:
    """Return a seat's rank in words."""
    return _("rank {rank}", rank=page.seen.facts["ranks"][seat])


def _change(rank: str, gain: int) -> str:
    """Return a rank, after the one before it if it has risen: "2 → 3"."""
    return _("{before} → {rank}", before=rank_below(rank, gain), rank=rank) if gain else rank


def _words(page: TablePage, seat: Seat) -> tuple[str, ...]:
    """Return the words for a seat's current state."""
    facts = page.seen.facts
    follows, ready = bool(facts["trick"]), seat in facts["ready"]
    over = _side(facts["results"][-1], seat) if _is_between_rounds(facts) else ()
    words = {
        "lead": seat == facts["turn"] and not follows,
        "follow": seat == facts["turn"] and follows,
        "winning": seat == facts["winning"],
        "led": seat == facts["leader"] and follows,
        "king": seat == facts["koth"] and _is_in_office(facts),
        "teammate": seat in facts["defenders"][1:] and not over,
        "challenger": seat not in facts["defenders"] and _sides_are_known(facts),
        "passed": ready and facts["stage"] == "last_call" and seat != facts["koth"],
        "ready": ready and facts["stage"] != "last_call" and seat != facts["koth"],
        "away": seat in facts["absent"],
    }
    return over + tuple(word for word, holds in words.items() if holds)


def _may_be_overridden(facts: dict[str, Any]) -> bool:
    """Return True if the last declarer becomes king, and there may be another one."""
    return facts["stage"] in DECLARING and facts["round"] == 1


def _is_in_office(facts: dict[str, Any]) -> bool:
    """Return True if there is a king and not merely the next one."""
    return not (_may_be_overridden(facts) or _is_between_rounds(facts))


def _sides_are_known(facts: dict[str, Any]) -> bool:
    """Return True if all players know both sides: the teammate has shown, or there is none."""
    return facts["stage"] == "trick" and facts["called"] is None


def _standing(page: TablePage, draw: Draw, me: Seat) -> str:
    """Return the viewer's score. Whether the viewer has passed or is ready is shown beside it."""
    facts = page.seen.facts
    side = "king" if me == facts["koth"] else "mate" if me in facts["defenders"] else ""
    words = [word for word in _words(page, me) if word in ("lead", "follow", "away")]
    return draw.kept("standing", *_has(page, me), words, side)


def _won(page: TablePage, seat: Seat) -> int | None:
    """Return the points of the trick that a seat has just won, or None."""
    last = page.seen.facts["last_trick"]
    won = _between_tricks(page.seen.facts) and last["winner"] == seat
    return last["points"] if won else None


def _seat(page: TablePage, draw: Draw, seat: Seat) -> str:
    """Return the public data of another player."""
    facts = page.seen.facts
    cards = _down(facts, seat)
    return draw.kept(
        "seat",
        seat,
        page.names.name(seat),
        page.face(seat),
        *(_has(page, seat) if _counts(facts) else (_rank(page, seat), None)),
        _words(page, seat),
        _won(page, seat),
        _lying(page, seat),
        _lay(page, seat),
        cards if facts["stage"] == "trick" or cards else None,
        facts["joined"] == seat,
        _taken_to(page),
        page.seen.zone("hand", seat).cards if page.hands_open else (),
    )


def _told(page: TablePage, draw: Draw) -> str:
    """Return what all players know of the round (the trumps, the called card, the challengers'
    points, whether they have taken the hill, and the last trick), and the viewer's part in it; ""
    before the first round.
    """
    facts = page.seen.facts
    stage, last = facts["stage"], facts["last_trick"]
    if stage == "ready_round" and not facts["results"]:  # shown by the opening already
        return ""
    between = _is_between_rounds(facts)
    part = _part(page)
    challengers, surely = _challengers(facts, page.viewer if part == "challenger" else None)
    return draw.kept(
        "told",
        facts["trump_suit"],
        ranks_of(facts["trump_rank"], page.names),
        between,
        facts["called"] or "",
        None if between or stage in DECLARING else challengers,
        _hill(challengers, surely),
        _last_trick(page) if last and stage == "trick" and not _between_tricks(facts) else None,
    ) + draw.kept(
        "duty",
        part,
        _name(page, facts["koth"]),
        _name(page, next(iter(facts["defenders"][1:]), None)),
        _stands(page),
        _name(page, facts["results"][-1]["koth"]) if between else "",
    )


def _hill(challengers: int, surely: int) -> str:
    """Return what the challengers have reached with these points, of which so many are `surely`
    theirs: "risen", "fallen", "perhaps" fallen, or "".
    """
    if surely >= ENOUGH:
        return "risen" if surely >= TO_RISE else "fallen"
    return "perhaps" if challengers >= ENOUGH else ""


def _stands(page: TablePage) -> str:
    """Return what is known of the king's teammate; "own" if the viewer is the king and has both
    called cards, so that no player can join; between two rounds, why the next king is king.
    """
    facts = page.seen.facts
    if _is_between_rounds(facts):
        return _why_king(facts["koth"], facts["results"][-1])
    if _may_be_overridden(facts):
        return "so far"
    if facts["called"]:
        return "own" if called_own(page.seen) else "unknown"
    return "alone" if facts["stage"] in PLAYING else ""


def _part(page: TablePage) -> str:
    """Return the viewer's part in the round as far as they know it, or "": king, mate, sure (holds
    both called cards), holder (of one) or challenger.
    """
    me, facts = page.addressed, page.seen.facts
    stages = (*DECLARING, "choose_trump", "dead_hand", "call", *PLAYING)
    if me is None or facts["stage"] not in stages or not _is_in_office(facts):
        return ""
    if me == facts["koth"]:
        return "king"
    if me in facts["defenders"]:
        return "mate"
    if facts["stage"] not in PLAYING:
        return ""
    held = page.seen.zone("hand", me).cards.count(facts["called"])  # None once it is played
    return ("challenger", "holder", "sure")[held]


def _challengers(facts: dict[str, Any], sure: Seat | None) -> tuple[int, int]:
    """Return the points of all players not known to defend the hill, and how many of those points
    belong to the challengers no matter which player is the teammate.

    `sure` is a seat that knows it is not the teammate.
    """
    others = {
        seat: points
        for seat, points in enumerate(facts["points"])
        if seat not in facts["defenders"]
    }
    hidden = facts["called"] and len(facts["defenders"]) == 1
    at_most = max((points for seat, points in others.items() if seat != sure), default=0)
    return sum(others.values()), sum(others.values()) - (at_most if hidden else 0)


def _why_king(king: Seat, before: dict[str, Any]) -> str:
    """Return the reason why a seat is the next king.

    A king who held the hill alone stays king. If it was held with a teammate, the teammate is the
    next king. If the hill has fallen, the next challenger is.
    """
    if king == before["koth"]:
        return "again"
    return "mate" if king == before["teammate"] else "challenger"


def _holds_called(page: TablePage) -> bool:
    """Return True if the viewer holds the called card."""
    me, called = page.viewer, page.seen.facts["called"]
    return me is not None and called in page.seen.zone("hand", me).cards


def _centre(page: TablePage, draw: Draw) -> str:
    """Return the text in the middle of the table while there is no trick: while cards are being
    selected to be buried, their number.
    """
    facts = page.seen.facts
    if facts["stage"] in DECLARING:
        return draw.kept("dealing", DEALT if facts["dealt"] is None else facts["dealt"])
    if facts["results"] and facts["stage"] in ("ready_round", "over"):
        return _round_over(page, draw)
    if facts["stage"] == "ready_round":
        rank = facts["trump_rank"]
        shown = [rank + suit for suit in SHOWN_SUITS]
        return draw.kept("opening", ranks_of(rank, page.names), shown)
    if page.offer("bury"):
        return draw.kept("to_bury", DEAD_HAND, 0 if page.teaches else len(facts["draft"]))
    return ""


def _name(page: TablePage, seat: Seat | None) -> str:
    """Return the name of a seat, "you" for the viewer, "" for None."""
    if seat is None:
        return ""
    return _("you") if seat == page.addressed else page.names.name(seat)


def _last_trick(page: TablePage) -> tuple[Any, ...]:
    """Return the previous trick: its id, winner, points and plays."""
    facts, name = page.seen.facts, page.names.name
    last, plays_last = facts["last_trick"], (facts["leader"] - 1) % SEATS
    return (
        f"{facts['round']}-{_held(page, plays_last)}",
        name(last["winner"]),
        last["points"],
        tuple((name(play["seat"]), tuple(play["cards"])) for play in last["plays"]),
    )


def _scores(page: TablePage, draw: Draw) -> str:
    """Return every player's rank, and points in this round; between two, in the finished one."""
    facts = page.seen.facts
    return draw.kept(
        "scores",
        page.outcome is not None,
        facts["results"][-1]["round"] if _is_between_rounds(facts) else facts["round"],
        facts["last_round"],
        page.names.seats,
        facts["ranks"],
        facts["points"],
        facts["turn"],
        page.addressed,
    )


def _rounds(page: TablePage, draw: Draw) -> str:
    """Return the earlier rounds. They are omitted while the viewer is calling, when all cards are
    shown.
    """
    results, name = page.seen.facts["results"], page.title_of
    if not results or page.offer("call"):
        return ""
    shown = [
        (
            it["round"],
            it["trump_rank"],
            it["trump_suit"],
            name(it["koth"]),
            "" if it["teammate"] is None else name(it["teammate"]),
            it["score"],
            _rose(page, it),
        )
        for it in results[-SHOWN:]
    ]
    return draw.kept("rounds", len(results), shown)


def _rose(page: TablePage, result: dict[str, Any]) -> tuple[tuple[str, int], ...]:
    """Return the players who rose in a round, with the number of ranks."""
    return tuple((page.title_of(seat), by) for seat, by in enumerate(result["gains"]) if by)


# Visible to the viewer alone


def _laid_by_me(page: TablePage, draw: Draw, me: Seat) -> str:
    """Return the cards the viewer has played, or "" if there is no trick."""
    facts = page.seen.facts
    cards = _down(facts, me)
    if facts["stage"] != "trick" and not cards:
        return ""
    past, words = _taken_to(page), _words(page, me)
    won, lying = _won(page, me), _lying(page, me)
    joins = facts["joined"] == me
    return draw.kept("laid", me, "hand", _lay(page, me), cards, joins, past, words, won, lying)


def _own(page: TablePage, draw: Draw, me: Seat) -> str:
    """Return the viewer's cards, with a form if the viewer has to select some.

    During the call, the cards to choose from come before the hand.
    """
    call, play = page.offer("call"), page.offer("play") or page.offer("bury")
    where = page.at, page.match, page.revision
    if call:
        cards = _call(page, draw, call, me)
        form = (
            draw.around("calling", *where, page.value(call), cards)
            if page.lifts(call)
            else draw.around("several", *where, call.token, cards, "")
        )
        return form + draw.around("own", _hand(page, draw, me, None, ""))
    how = _how(page, play) if play else ""
    if _is_between_rounds(page.seen.facts):
        return draw.around("own", "")
    cards = _hand(page, draw, me, play, how)
    if not play:
        return draw.around("own", cards)
    if how == "lift":
        with_it = page.value(play, _due(page, play))
        return draw.around("one", *where, with_it, page.label(play), cards)
    form = f"{play.token}-{page.seen.facts.get('drafts', 0)}"
    send = _sending(page, draw, play) if how == "tick" else ""
    return draw.around("several", *where, form, cards, send)


def _how(page: TablePage, play: Offer) -> str:
    """Return how cards are played: lifting one, ticking several, or with a single press.

    A pair that must be played is one choice, and so is the card beside a compulsory one.
    """
    facts = page.seen.facts
    single = play.simple or (play.verb == "play" and not facts["trick"] and not facts["pairs"])
    forced = bool(_due(page, play)) or _must_pair(page, play)
    if page.lifts(play) and (single or forced):
        return "lift"
    return page.value(play, _due(page, play)) if play.simple or forced else "tick"


def _of_suit_led(page: TablePage, play: Offer) -> Sequence[Card]:
    """Return the viewer's cards of the suit in which a pair was led; none in a lesson, in which the
    rules are tried out.
    """
    facts = page.seen.facts
    if play.verb != "play" or play.least < 2 or page.teaches:
        return ()
    ranking = trump_ranking(facts["trump_rank"], facts["trump_suit"])
    held = page.seen.zone("hand", play.seat).cards
    return of_suit(ranking, held, ranking.suits[facts["trick"][0]["cards"][0]])


def _due(page: TablePage, play: Offer) -> Card:
    """Return the only card of the suit of a pair that was led, to which another is added, or ""."""
    due = _of_suit_led(page, play)
    free = page.options.follow_rule == "literal" or _held(page, play.seat) == play.least
    return due[0] if len(due) == 1 and not free else ""


def _must_pair(page: TablePage, play: Offer) -> bool:
    """Return True if the viewer has a pair of the suit of the pair that was led."""
    return bool(pairs_in(_of_suit_led(page, play)))


def _call(page: TablePage, draw: Draw, call: Offer, me: Seat) -> str:
    """Return the cards that may be called, rank by rank: the high ones, then the others."""
    ranks = [_of_rank(rank, call.options) for rank in reversed(LOW_TO_HIGH)]
    jokers = tuple(card for card in call.options if card in JOKERS)
    return draw.kept(
        "call",
        [cards for cards in ranks[:HIGH] if cards],
        [cards for cards in (*ranks[HIGH:], jokers) if cards],
        _held_or_buried(page, me),
        "" if page.lifts(call) else page.value(call),
    )


def _held_or_buried(page: TablePage, king: Seat) -> Sequence[Card]:
    """Return the king's cards: those in the hand and the buried ones."""
    return page.seen.zone("hand", king).cards + page.seen.zone("dead_hand").cards


def _may_call_own_pair(page: TablePage) -> bool:
    """Return True if the viewer has both cards of a kind and may call it, so as to play alone."""
    call, me = page.offer("call"), page.viewer
    if not call or me is None:
        return False
    mine = _held_or_buried(page, me)
    return any(mine.count(card) > 1 for card in call.options)


def _of_rank(rank: str, cards: Sequence[Card]) -> Sequence[Card]:
    """Return the cards of a rank, by suit."""
    return tuple(card for suit in SHOWN_SUITS if (card := rank + suit) in cards)


def _hand(page: TablePage, draw: Draw, me: Seat, play: Offer | None, how: str) -> str:
    """Return the viewer's hand, whose cards can be played if it is the viewer's turn."""
    facts, cards = page.seen.facts, page.seen.zone("hand", me).cards
    able: Sequence[Card] = ()
    if play:
        able = facts["playable"] if play.verb == "play" else cards
    tried = cards if play and page.teaches else able
    due = _due(page, play) if play else ""
    if due:
        tried = [card for card in able if card != due]
    ticked = facts.get("draft", ()) if page.ticked is None else page.ticked
    in_order = is_sorted(facts, me)
    own_order = page.settings.order  # the cards are sorted already
    return draw.kept(
        "hand",
        in_order,
        own_order == "rank",
        cards
        if in_order or own_order
        else as_dealt(cards, facts["trump_rank"], facts["trump_suit"]),
        facts["trump_rank"],
        facts["trump_suit"] if in_order or own_order != "rank" else None,
        facts["called"] if _holds_called(page) else None,
        able,
        tried,
        how,
        due,
        play is not None and _must_pair(page, play),
        [card for card in ticked if card in tried] if how == "tick" else (),
        _taking(page, me) if play and play.verb == "play" else (),
        facts.get("taken_up", ()),
    )


def _taking(page: TablePage, me: Seat) -> Sequence[Card]:
    """Return the cards that would be winning the trick if played now, each once: alone or, if a
    pair was led, as a legal pair.
    """
    facts = page.seen.facts
    plays = [play["cards"] for play in facts["trick"]]
    if not plays:
        return ()
    ranking = trump_ranking(facts["trump_rank"], facts["trump_suit"])
    hand, literal = page.seen.zone("hand", me).cards, page.options.follow_rule == "literal"
    legal = legal_plays(ranking, hand, plays[0], literal)
    alike = [cards for cards in legal if len(set(cards)) == 1]
    return [it[0] for it in alike if winning_play(ranking, [*plays, it]) == len(plays)]


def as_dealt(cards: Sequence[Card], rank: str, suit: str | None) -> Sequence[Card]:
    """Return a hand before its trumps are settled: the trumps known so far together, then by
    suit.
    """

    def place(card: Card) -> int:
        if card in JOKERS:
            return -9 - JOKERS.index(card)
        if card[0] == rank:
            return SHOWN_SUITS.index(card[1]) - 6
        return -1 if card[1] == suit else SHOWN_SUITS.index(card[1])

    return sorted(cards, key=place)


def _sending(page: TablePage, draw: Draw, play: Offer) -> str:
    """Return the buttons for ticked cards."""
    draft = page.offer("draft")
    if draft:
        return draw.kept("burying", page.value(play), "" if page.teaches else page.value(draft))
    follow = bool(page.seen.facts["trick"])
    alike = not (follow or page.teaches)
    return draw.kept("leading", page.value(play), follow, play.least, play.most, alike)


def _dead_hand(page: TablePage, draw: Draw) -> str:
    """Return the king's buried cards as a reminder.

    During the call, only its points are shown, because the cards to choose from mark those that are
    in it or in the hand.
    """
    facts = page.seen.facts
    if "dead_hand_points" not in facts:
        return ""
    cards = () if page.offer("call") else page.seen.zone("dead_hand").cards
    return draw.kept("dead_hand", facts["round"], facts["dead_hand_points"], cards)


def _round_over(page: TablePage, draw: Draw) -> str:
    """Return the result of the round just played."""
    facts = page.seen.facts
    it = facts["results"][-1]
    defenders = _defenders(it)
    won = (page.viewer in defenders) == (it["score"] < ENOUGH)
    return draw.around(
        "round_over",
        it["round"],
        it["score"],
        it["dead_hand_points"],
        page.seen.zone("dead_hand").cards,
        won and page.viewer is not None,
        not won and page.viewer is not None,
        [_name(page, seat) for seat in defenders],
        [
            (
                page.face(seat),
                page.title_of(seat),
                _side(it, seat),
                it["points"][seat],
                _change(facts["ranks"][seat], it["gains"][seat]),
                it["gains"][seat] > 0,
            )
            for seat in sorted(range(SEATS), key=lambda seat: seat not in defenders)
        ],
        "" if page.played_out or page.teaches else _final(page, draw),  # the lesson says so
    )


def _side(result: dict[str, Any], seat: Seat) -> tuple[str]:
    """Return the word for a seat's side in a finished round."""
    if seat == result["koth"]:
        return ("king",)
    return ("teammate" if seat == result["teammate"] else "challenger",)


def _defenders(result: dict[str, Any]) -> list[Seat]:
    """Return the seats that held the hill in a round."""
    return [seat for seat in (result["koth"], result["teammate"]) if seat is not None]


def _final(page: TablePage, draw: Draw) -> str:
    """Return the trick that ended the last finished round, or "" if no round has ended yet; at the
    end of the match also the last rounds' results and whether players share the win.
    """
    facts, me = page.seen.facts, page.viewer
    last = facts["last_trick"]
    if not last or not facts["results"]:
        return ""
    it = facts["results"][-1]
    winner, names = last["winner"], page.names
    return draw.kept(
        "final",
        it["round"],
        winner == me,
        names.name(winner),
        last["points"],
        [
            (
                play["seat"],
                page.title_of(play["seat"]),
                play["seat"] == winner,
                tuple(play["cards"]),
            )
            for play in last["plays"]
        ],
        [
            (
                it["round"],
                tuple(_name(page, seat) for seat in _defenders(it)),
                it["score"],
                it["dead_hand_points"],
                tuple((page.title_of(seat), by) for seat, by in enumerate(it["gains"]) if by),
            )
            for it in facts["results"][-LAST:]
        ]
        if page.played_out
        else (),
        page.outcome is not None and len(page.outcome.winners) > 1,
    )


def _answers(page: TablePage, draw: Draw) -> str:
    """Return the buttons: be ready, pass, call no card, choose or declare trumps."""
    simple = page.buttons(elsewhere=("declare", "trump", "call", "play"))
    trumps, declarations = _suits(page, "trump"), _suits(page, "declare")
    plain = page.offer("call") is not None or bool(declarations)  # there is more to choose from
    buttons = [(it.id, it.value, it.label, it.tail, plain) for it in simple]
    if not (buttons or trumps or declarations):
        return ""
    pairs, rank = page.seen.facts.get("pairs", ()), page.seen.facts["trump_rank"]
    return draw.kept(
        "answers",
        page.at,
        page.match,
        page.revision,
        buttons,
        trumps,
        [(*it, rank + it[2] in pairs) for it in declarations],
    )


def _suits(page: TablePage, verb: str) -> list[tuple[str, str, str, int]]:
    """Return, for each suit of an offer, the id and form value of its button, the suit, and the
    number of trumps the viewer would hold.
    """
    if not (offer := page.offer(verb)):
        return []
    return [
        (f"{offer.token}-{suit}", page.value(offer, suit), suit, trumps_with(page.seen, suit))
        for suit in offer.options
    ]


def _hint(page: TablePage, draw: Draw) -> str:
    """Return how cards are played, what calling or declaring means, or why the viewer cannot
    declare; "" if that is obvious.
    """
    rank = page.seen.facts["trump_rank"]
    why = _why(page)
    button = _("Call") if page.offer("call") else _("Play")
    return draw.kept("hint", why, rank, ranks_of(rank, page.names), button) if why else ""


def _why(page: TablePage) -> str:
    facts, made = page.seen.facts, page.seen.facts["declaration"]
    play, bury, call = (page.offer(verb) for verb in ("play", "bury", "call"))
    if play and facts["trick"] and not page.teaches:
        if _must_pair(page, play):
            return "pair"
        if set(page.seen.zone("hand", play.seat).cards) - set(facts["playable"]):
            return "must"
        if _due(page, play):
            return "one"
    if _may_call_own_pair(page):
        return "twice"
    if page.lifts(call) or (play and _how(page, play) == "lift"):
        return "lift"
    if bury:
        return "" if page.tip is not None and page.tip.key == "bury" else "bury"  # the tip says so
    if play and not play.simple:
        return "follow" if facts["trick"] else "lead"
    if page.offer("trump"):
        return "trump"
    if page.viewer is None or facts["stage"] not in DECLARING or page.viewer in facts["ready"]:
        return ""  # also to a player who has passed
    if page.offer("declare"):
        return ("over" if made else "declare") + (" king" if facts["round"] == 1 else "")
    held = page.seen.zone("hand", page.viewer).cards
    if not made:  # while a bot plays for the viewer, nothing is offered
        return "" if any(card[0] == facts["trump_rank"] for card in held) else "no card"
    if len(made["cards"]) == 2 and not page.options.pair_over_pair:
        return "pair stands"
    return "own stands" if made["seat"] == page.viewer else "pair overrides"
