"""What goes on at a table besides its game, from its snapshot: votes, pauses, stand-in bots, moves
that can be taken back or decided ahead.
"""

from collections.abc import Sequence

from msgspec import structs

from kaboom.engine.engine import host_offers
from kaboom.engine.i18n import mark, say
from kaboom.engine.moves import Seat
from kaboom.engine.premoves import FORGET, as_offer, besides
from kaboom.engine.table_view import MatchControls, TakeBack, VoteLine
from kaboom.engine.takeback import VERB as TAKE_BACK
from kaboom.engine.views import Offer, token_of
from kaboom.tables import takeback as taking_back
from kaboom.tables import votes
from kaboom.tables.clock.due import Planned
from kaboom.tables.premoves import can_plan
from kaboom.tables.snapshot import TableSnapshot
from kaboom.tables.table import Chair, Done, Hint, Table, Vote

FEW = 2  # cards that a button names

PROPOSALS = {
    votes.BOT: mark("Let a bot play for {name}"),
    votes.PAUSE: mark("Pause the match"),
    votes.GO_ON: mark("Go on"),
    votes.END: mark("End the match without a result"),
}
PUT = {
    votes.BOT: mark("{by} proposes that a bot plays for {name}."),
    votes.PAUSE: mark("{by} proposes a pause."),
    votes.GO_ON: mark("{by} proposes to go on."),
    votes.END: mark("{by} proposes to end the match without a result."),
}
MEANS = {votes.PAUSE: mark("All clocks stop, nobody moves.")}  # what not everybody knows


def match_controls_of(snapshot: TableSnapshot) -> MatchControls:
    """Return what goes on at a table, as the person asking is to see it."""
    table, me = snapshot.table, snapshot.me
    chair = table.chair_of(snapshot.player)
    hint = _hint_now(snapshot, chair)
    playing_for = [
        seated.name for seat, seated in table.sitting() if seated.stand_in and seat != me
    ]
    return MatchControls(
        paused=table.paused,
        vote=_vote_line(snapshot),
        proposed=_proposed(table, table.vote) if table.vote else "",
        means=_means(table.vote) if table.vote else "",
        away=_is_away(chair),
        bot=chair is not None and chair.stand_in,
        done=[_in_words(snapshot, done) for done in chair.done] if chair else (),
        hint=_hint_in_words(snapshot, hint) if hint else "",
        advised=(hint.move.verb, *hint.move.choices) if hint else (),
        about=_places_of(hint) if hint else (),
        bots_for=playing_for,
        may_propose=bool(votes.proposals(table, me)),
        plan=_plan_as_move(snapshot),
        plan_comes=_plan_comes(snapshot),
    )


def proposals(snapshot: TableSnapshot) -> list[tuple[str, str]]:
    """Return what the person asking may propose: as a form says it, and in words."""
    return [
        (f"{about} {'' if seat is None else seat}".strip(), _proposal(snapshot, about, seat))
        for about, seat in votes.proposals(snapshot.table, snapshot.me)
    ]


def _is_away(chair: Chair | None) -> bool:
    return chair is not None and (chair.stand_in or not chair.present)


def _proposal(snapshot: TableSnapshot, about: str, seat: Seat | None) -> str:
    name = "" if seat is None else snapshot.table.seats[seat]
    return say(PROPOSALS[about], name=name)


def _vote_line(snapshot: TableSnapshot) -> VoteLine | None:
    table, me, vote = snapshot.table, snapshot.me, snapshot.table.vote
    if vote is None:
        return None
    asked = [seat for seat in table.people() if seat != vote.seat]
    if me == vote.seat and me is not None:
        mine = "about"
    elif me not in asked:
        mine = ""
    elif me not in vote.yes:
        mine = "asked"
    else:
        mine = "alone" if vote.alone and len(vote.yes) == 1 else "agreed"
    return VoteLine(
        vote.number,
        put(table, vote),
        agreed=[table.seats[seat] for seat in vote.yes],
        missing=[table.seats[seat] for seat in asked if seat not in vote.yes],
        mine=mine,
    )


def put(table: Table, vote: Vote) -> str:
    """Return a proposal that is put to the vote, and what it means where that is to be said."""
    return f"{_proposed(table, vote)} {_means(vote)}".rstrip()


def _proposed(table: Table, vote: Vote) -> str:
    name = "" if vote.seat is None else table.seats[vote.seat]
    return say(PUT[vote.about], by=table.seats[vote.by], name=name)


def _means(vote: Vote) -> str:
    return say(MEANS[vote.about]) if vote.about in MEANS else ""


def _hint_now(snapshot: TableSnapshot, chair: Chair | None) -> Hint | None:
    """Return what a bot would do now; None unless that was asked for."""
    prompt = snapshot.prompt()
    if chair is None or chair.hint is None or prompt is None or prompt.token != chair.hint.asked:
        return None
    return chair.hint


def _hint_in_words(snapshot: TableSnapshot, hint: Hint) -> str:
    """Return in words what a bot would do, and why.

    A reason names the move; without a reason the move alone is named.
    """
    reason, names = hint.reason, snapshot.table.names(snapshot.me)
    why = snapshot.game.words.say(reason.kind, reason.facts, names) if reason else None
    return why or f"{_in_words(snapshot, hint.move)}."


def _places_of(hint: Hint) -> Sequence[str]:
    """Return the place that a reason names; nothing where the move has chosen one."""
    place = hint.reason.facts.get("place") if hint.reason and not hint.move.choices else None
    return (place,) if isinstance(place, str) else ()


def take_back_of(snapshot: TableSnapshot) -> TakeBack | None:
    """Return which move the person asking can take back, or None."""
    found = taking_back.last(snapshot.table, snapshot.me)
    if found is None or not snapshot.prompts or snapshot.table.paused:
        return None
    move = found.move
    if len(move.choices) > FEW:
        move = structs.replace(move, choices=())
    return TakeBack(found.number, _in_words(snapshot, move))


def plan_of(snapshot: TableSnapshot) -> str:
    """Return in words what the person asking has decided ahead; nothing without a plan."""
    me, table = snapshot.me, snapshot.table
    plan = table.plans.get(me) if me is not None else None
    if plan is None:
        return ""
    return snapshot.game.words.ahead(plan.verb, plan.choices, plan.until, table.names(me))


def _plan_as_move(snapshot: TableSnapshot) -> str:
    me, table = snapshot.me, snapshot.table
    plan = table.plans.get(me) if me is not None else None
    return " ".join((plan.verb, *plan.choices)) if plan else ""


def _plan_comes(snapshot: TableSnapshot) -> bool:
    """Say whether the viewer's plan answers what they are asked now."""
    prompt = snapshot.prompt()
    if prompt is None:
        return False
    due = (str(Planned(prompt.seat, it.token)) for it in prompt.offers)
    return any(what in snapshot.table.timers for what in due)


def _in_words(snapshot: TableSnapshot, done: Done) -> str:
    """Return in words a move that a bot made or would make in the viewer's place."""
    words, names = snapshot.game.words, snapshot.table.names(snapshot.me)
    choices = ", ".join(words.choice(done.verb, choice, names) for choice in done.choices)
    said = words.offer(done.verb, names, done.about)
    return f"{said}: {choices}" if choices else said


def hosts_moves_of(snapshot: TableSnapshot) -> Sequence[Offer]:
    """Return what the person asking may have the house do, as the host of a match."""
    table = snapshot.table
    if (
        snapshot.player != table.host
        or not snapshot.game.hosts
        or not table.playing
        or snapshot.frozen
    ):
        return ()
    return host_offers(snapshot.game, snapshot.state)


def besides_of(snapshot: TableSnapshot) -> Sequence[Offer]:
    """Return what the person asking may do besides what the game asks, as the numbered moves have
    it: take the last move back, decide ahead, forget what is decided.
    """
    me, table = snapshot.me, snapshot.table
    if me is None or me >= len(snapshot.prompts) or table.paused or _is_away(table.chairs[me]):
        return ()
    found = [as_offer(it, me) for it in can_plan(table, snapshot.position, me)]
    if (plan := table.plans.get(me)) is not None:
        found.append(besides(me, FORGET, token_of((FORGET, plan.token, plan.choices))))
    if (back := take_back_of(snapshot)) is not None:
        found.append(besides(me, TAKE_BACK, token_of((TAKE_BACK, back.number))))
    return found
