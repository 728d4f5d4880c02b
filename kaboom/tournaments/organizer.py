"""What the organiser of a tournament does: begins it, and rules.

Each is an entry in the tournament's log, or a refusal with a sentence.
"""

from collections.abc import Callable, Sequence

from msgspec import structs

from kaboom.accounts.names import cleaned
from kaboom.engine.i18n import say
from kaboom.errors import InvalidState, NotPermitted
from kaboom.tables.service import Tables
from kaboom.tournaments import queries as store
from kaboom.tournaments.cache import TournamentSnapshot
from kaboom.tournaments.changes import TournamentChange, change
from kaboom.tournaments.rules import rounds as course
from kaboom.tournaments.rules.events import Format, How, Number, Paired, Ruling, SeatResult, Verb
from kaboom.tournaments.rules.state import Round, Tournament
from kaboom.web.idempotency.service import Command

LONGEST_REASON = 200  # characters of a ruling's
MOST_APART = 20  # pairs kept apart
MOST_RULINGS = 500  # then only an end, and that one of them is undone: nothing may stay paused
# Not an end: the seed is shown then, so nothing could be drawn any more that nobody knows.
UNDONE = {verb for verb in Verb if verb not in (Verb.UNDO, Verb.PAIR, Verb.SWAP, Verb.END)}


def require_organizer(seen: TournamentSnapshot, player: int | None) -> None:
    """Raise NotPermitted for anybody but the organiser."""
    if player is None or seen.row.host_id != player:
        raise NotPermitted(say("Only whoever runs the tournament can do that."))


def open_check_in(tables: Tables, code: str, host: int, once: Command | None = None) -> None:
    """Open check-in now, unless it is open. Raises NotPermitted or InvalidState."""

    def work(made: TournamentChange) -> None:
        require_organizer(made.seen, host)
        require_not_started(made.of)
        if not made.of.settings.check_in:
            raise InvalidState(say("There is no check-in now."))
        if not made.of.check_in_until:
            made.add(course.check_in(made.of, made.table_time))

    change(tables, code, work, once)


def begin(tables: Tables, code: str, host: int, once: Command | None = None) -> None:
    """Begin; where check-in comes before and is not open, open it. Raises NotPermitted or
    InvalidState.
    """

    def work(made: TournamentChange) -> None:
        require_organizer(made.seen, host)
        of = made.of
        require_not_started(of)
        if of.settings.check_in and not of.check_in_until:
            made.add(course.check_in(of, made.table_time))
            return
        numbers = course.entered(of)
        if len(numbers) < course.LEAST:
            raise InvalidState(say("At least two must have entered, and checked in."))
        made.add(course.beginning(of, made.seen.draw(numbers)))

    change(tables, code, work, once)


def require_not_started(of: Tournament) -> None:
    """Raise InvalidState for a tournament that has begun, or is over."""
    if of.ended:
        raise InvalidState(say("This tournament is over."))
    if of.begun:
        raise InvalidState(say("It has begun already."))


def rule(tables: Tables, code: str, host: int, ruling: Ruling, once: Command | None = None) -> None:
    """Rule something, for all to read; the organiser only. Raises NotPermitted or InvalidState."""
    words = cleaned(ruling.why, LONGEST_REASON)

    def work(made: TournamentChange) -> None:
        require_organizer(made.seen, host)
        verb = ruling.verb
        if len(made.of.rulings) >= MOST_RULINGS and verb not in (Verb.END, Verb.UNDO):
            raise InvalidState(say("There are too many rulings."))
        if not words and verb not in (Verb.PAUSE, Verb.CLOSE, Verb.APART, Verb.UNDO, Verb.EXTEND):
            raise InvalidState(say("Please say why, for all to read."))
        JUDGES[verb](made, ruling)
        made.add(structs.replace(ruling, why=words, at=made.table_time))
        if verb in (Verb.PAIR, Verb.SWAP):
            _pair_anew(made, ruling)
        if verb == Verb.END and made.of.round is not None:  # what nobody has begun is not begun
            store.void(made.connection, made.seen.row.id, made.of.round.pairing)

    change(tables, code, work, once)


def _nothing(made: TournamentChange, ruling: Ruling) -> None:
    """Anything may be announced at any time."""


def _require_running(made: TournamentChange, ruling: Ruling) -> None:
    if made.of.ended:
        raise InvalidState(say("This tournament is over."))
    # A second pause would hold when the first is undone.
    if ruling.verb in (Verb.PAUSE, Verb.CLOSE) and made.of.standing(ruling.verb):
        raise InvalidState(say("That has been ruled already."))


def _require_extension(made: TournamentChange, ruling: Ruling) -> None:
    _require_running(made, ruling)
    round = made.of.round
    if round is None or ruling.round != round.number or made.of.is_over(round):
        raise InvalidState(say("That round is not being played."))
    if not made.of.settings.limit:
        raise InvalidState(say("Rounds have no limit here."))
    if not 1 <= ruling.minutes <= 600:
        raise InvalidState(say("Give a number of minutes, up to {most}.", most=600))


def _require_name(made: TournamentChange, ruling: Ruling) -> None:
    _require_running(made, ruling)
    if len(ruling.entrants) != 1 or ruling.entrants[0] not in made.of.entrants:
        raise InvalidState(say("Nobody has that number."))
    if ruling.entrants[0] in made.of.removed():
        raise InvalidState(say("That has been ruled already."))


def _require_two(made: TournamentChange, ruling: Ruling) -> None:
    _require_running(made, ruling)
    if len(set(ruling.entrants)) != 2 or not set(ruling.entrants) <= made.of.entrants.keys():
        raise InvalidState(say("Give the numbers of two entrants."))
    if ruling.verb == Verb.APART and len(made.of.apart()) >= MOST_APART:
        raise InvalidState(say("At most {most} pairs can be kept apart.", most=MOST_APART))


def _require_result(made: TournamentChange, ruling: Ruling) -> None:
    round = _round(made.of, ruling.round)
    if not 0 <= ruling.pod < len(round.pods):
        raise InvalidState(say("There is no such table in that round."))
    entrants = round.pods[ruling.pod].entrants
    if sorted(it.entrant for it in ruling.seats) != sorted(entrants) or not entrants:
        raise InvalidState(say("Give the place of everybody at that table."))
    later = [it for it in made.of.rounds if it.number > round.number]
    if made.of.settings.format == Format.KNOCKOUT and later:
        raise InvalidState(say("The next round of the knockout has been made from that result."))


def _require_places(made: TournamentChange, ruling: Ruling) -> None:
    _require_result(made, ruling)
    places = [it.place for it in ruling.seats]
    if not all(0 <= it <= len(places) for it in places) or (any(places) and 1 not in places):
        raise InvalidState(say("Places are numbers from 1; 0 means that somebody did not come."))


def _require_not_begun(made: TournamentChange, ruling: Ruling) -> None:
    _require_running(made, ruling)
    round = made.of.round
    if round is None or made.of.is_over(round):
        raise InvalidState(say("That round is not being played."))
    if ruling.verb == Verb.SWAP:
        _require_two(made, ruling)
        there = {it for pod in round.pods for it in pod.entrants} | set(round.byes)
        if not set(ruling.entrants) <= there:
            raise InvalidState(say("Both must be in this round."))
    elif made.of.settings.format == Format.KNOCKOUT:
        raise InvalidState(say("A knockout cannot be paired otherwise, but two can be exchanged."))
    dealt = any(wave.dealt_at for wave in round.waves)
    if dealt or not store.void(made.connection, made.seen.row.id, round.pairing):
        raise InvalidState(say("Somebody has begun to play in this round."))


def _require_undoable(made: TournamentChange, ruling: Ruling) -> None:
    found = made.of.rulings.get(ruling.undone)
    if found is None or ruling.undone in made.of.undone or found.verb not in UNDONE:
        raise InvalidState(say("There is no such ruling to undo."))
    if found.verb == Verb.RESULT:
        _require_result(made, found)


JUDGES: dict[Verb, Callable[[TournamentChange, Ruling], None]] = {
    Verb.ANNOUNCE: _nothing,
    Verb.EXTEND: _require_extension,
    Verb.PAUSE: _require_running,
    Verb.CLOSE: _require_running,
    Verb.REMOVE: _require_name,
    Verb.APART: _require_two,
    Verb.RESULT: _require_places,
    Verb.PAIR: _require_not_begun,
    Verb.SWAP: _require_not_begun,
    Verb.END: _require_running,
    Verb.UNDO: _require_undoable,
}


def _round(of: Tournament, number: int) -> Round:
    if not 1 <= number <= len(of.rounds):
        raise InvalidState(say("There is no such round."))
    return of.rounds[number - 1]


def _pair_anew(made: TournamentChange, ruling: Ruling) -> None:
    """Make the round anew: its tables, at which nobody has played, are given up."""
    round = made.of.rounds[-1]
    if ruling.verb == Verb.PAIR:
        made.add(course.pairing(made.of, made.seen.draw(), round.wave, round.number))
        return
    a, b = ruling.entrants
    other = {a: b, b: a}
    made.add(
        Paired(
            round.number,
            tuple(tuple(other.get(it, it) for it in pod.entrants) for pod in round.pods),
            tuple(other.get(it, it) for it in round.byes),
            round.wave,
        )
    )


def places_of(entrants: Sequence[Number], places: Sequence[int]) -> tuple[SeatResult, ...]:
    """Return a result as an organiser sets it: a place for each; 0 is for who did not come.

    There is none if there are more or fewer places than entrants.
    """
    if len(places) != len(entrants):
        return ()
    return tuple(
        SeatResult(it, How.RULED if place else How.ABSENT, place)
        for it, place in zip(entrants, places, strict=True)
    )
