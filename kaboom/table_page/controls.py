"""What happens at a table besides its game: votes, pauses, stand-in bots, takebacks and
premoves.
"""

from collections.abc import Sequence

from msgspec import structs

from kaboom.engine.engine import host_offers
from kaboom.engine.i18n import gettext as _
from kaboom.engine.i18n import gettext_noop as N_
from kaboom.engine.moves import Seat
from kaboom.engine.premoves import FORGET, as_offer, besides
from kaboom.engine.table_view import MatchControls, TakeBack, VoteLine
from kaboom.engine.takeback import VERB as TAKE_BACK
from kaboom.engine.views import Offer, token_of
from kaboom.tables import takeback, votes
from kaboom.tables.clock.timer_kinds import Planned
from kaboom.tables.premoves import can_plan
from kaboom.tables.snapshot import TableSnapshot
from kaboom.tables.table import Done, Hint, Occupant, Table, Vote

FEW = 2  # maximum number of cards that a button names

PROPOSALS = {
    votes.BOT: N_("Let a bot play for {name}"),
    votes.PAUSE: N_("Pause the match"),
    votes.GO_ON: N_("Resume the match"),
    votes.END: N_("End the match without a result"),
}
PUT = {
    votes.BOT: N_("{by} proposes letting a bot play for {name}."),
    votes.PAUSE: N_("{by} proposes a pause."),
    votes.GO_ON: N_("{by} proposes resuming the match."),
    votes.END: N_("{by} proposes ending the match without a result."),
}
MEANS = {votes.PAUSE: N_("All clocks stop, and no one can play.")}  # not every player knows this


def match_controls_of(snapshot: TableSnapshot) -> MatchControls:
    """Return the match controls as the viewer sees them."""
    table, me = snapshot.table, snapshot.me
    occupant = table.occupant_of(snapshot.player)
    hint = _hint_now(snapshot, occupant)
    playing_for = [
        seated.name for seat, seated in table.sitting() if seated.stand_in and seat != me
    ]
    return MatchControls(
        paused=table.paused,
        vote=_vote_line(snapshot),
        proposed=_proposed(table, table.vote) if table.vote else "",
        means=_means(table.vote) if table.vote else "",
        away=_is_away(occupant),
        bot=occupant is not None and occupant.stand_in,
        done=[_in_words(snapshot, done) for done in occupant.done] if occupant else (),
        hint=_hint_in_words(snapshot, hint) if hint else "",
        marked=_marked_in_words(snapshot, hint) if hint else "",
        advised=(hint.move.verb, *hint.move.choices) if hint else (),
        about=_places_of(hint) if hint else (),
        bots_for=playing_for,
        may_propose=bool(votes.proposals(table, me)),
        plan=_plan_as_move(snapshot),
        plan_comes=_plan_comes(snapshot),
    )


def proposals(snapshot: TableSnapshot) -> list[tuple[str, str]]:
    """Return the viewer's possible proposals as pairs of form value and label."""
    return [
        (f"{about} {'' if seat is None else seat}".strip(), _proposal(snapshot, about, seat))
        for about, seat in votes.proposals(snapshot.table, snapshot.me)
    ]


def _is_away(occupant: Occupant | None) -> bool:
    return occupant is not None and (occupant.stand_in or not occupant.present)


def _proposal(snapshot: TableSnapshot, about: str, seat: Seat | None) -> str:
    name = "" if seat is None else snapshot.table.seats[seat]
    return _(PROPOSALS[about], name=name)


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
    """Return the text of an open vote, with an explanation if it needs one."""
    return f"{_proposed(table, vote)} {_means(vote)}".rstrip()


def _proposed(table: Table, vote: Vote) -> str:
    name = "" if vote.seat is None else table.seats[vote.seat]
    return _(PUT[vote.about], by=table.seats[vote.by], name=name)


def _means(vote: Vote) -> str:
    return _(MEANS[vote.about]) if vote.about in MEANS else ""


def _hint_now(snapshot: TableSnapshot, occupant: Occupant | None) -> Hint | None:
    """Return the hint for this moment, or None if the viewer has none, or a bot plays for them."""
    prompt = snapshot.prompt()
    if (
        occupant is None
        or occupant.stand_in
        or occupant.hint is None
        or prompt is None
        or prompt.token != occupant.hint.asked
    ):
        return None
    return occupant.hint


def _hint_in_words(snapshot: TableSnapshot, hint: Hint) -> str:
    """Return a hint in words, with its reason if there is one.

    A reason names the move; without a reason the move is named alone.
    """
    reason, names = hint.reason, snapshot.table.names(snapshot.me)
    why = snapshot.game.words.say(reason.kind, reason.facts, names) if reason else None
    return why or f"{_in_words(snapshot, hint.move)}."


def _marked_in_words(snapshot: TableSnapshot, hint: Hint) -> str:
    """Return a hint as a page says it whose marks show what it would otherwise list, or "" if the
    game has no such sentence.
    """
    reason, names = hint.reason, snapshot.table.names(snapshot.me)
    words = snapshot.game.words
    return words.say(f"{reason.kind}.marked", reason.facts, names) or "" if reason else ""


def _places_of(hint: Hint) -> Sequence[str]:
    """Return the places that a hint's reason names; empty if the move itself contains its
    choices.
    """
    place = hint.reason.facts.get("place") if hint.reason and not hint.move.choices else None
    return (place,) if isinstance(place, str) else ()


def take_back_of(snapshot: TableSnapshot) -> TakeBack | None:
    """Return the move that the viewer can take back, or None."""
    found = takeback.last(snapshot.table, snapshot.me)
    if found is None or not snapshot.prompts or snapshot.table.paused:
        return None
    move = found.move
    if len(move.choices) > FEW:
        move = structs.replace(move, choices=())
    return TakeBack(found.number, _in_words(snapshot, move), move.verb)


def plan_of(snapshot: TableSnapshot) -> str:
    """Return the viewer's premove in words, or "" if there is none."""
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
    """Return True if the viewer's premove answers the current question."""
    prompt = snapshot.prompt()
    if prompt is None:
        return False
    due = (str(Planned(prompt.seat, it.token)) for it in prompt.offers)
    return any(what in snapshot.table.timers for what in due)


def _in_words(snapshot: TableSnapshot, done: Done) -> str:
    """Return a move in words: one that the viewer made, or that a bot made or would make
    for them.
    """
    words, names = snapshot.game.words, snapshot.table.names(snapshot.me)
    return words.move(done.verb, done.choices, names, done.about)


def hosts_moves_of(snapshot: TableSnapshot) -> Sequence[Offer]:
    """Return the moves of the game that only the host may make."""
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
    """Return the offers besides the game's moves, as numbered moves: taking back the last move,
    setting or cancelling a premove.
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
