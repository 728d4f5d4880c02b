"""Actions of a tournament's organiser: beginning it, and rulings.

Each appends to the tournament's log, or raises an error with a sentence.
"""

from collections.abc import Callable, Sequence

from msgspec import structs

from kaboom.accounts.names import cleaned
from kaboom.engine.i18n import gettext as _
from kaboom.errors import InvalidState, NotPermitted
from kaboom.tables.service import TableService
from kaboom.tournaments import queries as store
from kaboom.tournaments.cache import TournamentSnapshot
from kaboom.tournaments.changes import TournamentChange, change
from kaboom.tournaments.rules import pairing
from kaboom.tournaments.rules.events import Format, How, Number, Paired, Ruling, SeatResult, Verb
from kaboom.tournaments.rules.state import Tournament
from kaboom.web.idempotency.service import IdempotencyKey

LONGEST_REASON = 200  # characters of a ruling's reason
MOST_APART = 20  # pairs kept apart, at most
MOST_RULINGS = 500  # beyond this, only END and UNDO are possible, so that a pause can be ended
# END cannot be undone, since the seed is then public and later draws would be known.
UNDONE = {verb for verb in Verb if verb not in (Verb.UNDO, Verb.PAIR, Verb.SWAP, Verb.END)}


def require_organizer(seen: TournamentSnapshot, player: int | None) -> None:
    """Raise NotPermitted unless the player is the organiser."""
    if not seen.is_run_by(player):
        raise NotPermitted(_("Only the organiser can do that."))


def open_check_in(
    tables: TableService, code: str, host: int, idempotency_key: IdempotencyKey | None = None
) -> None:
    """Open check-in now, unless it is already open. Raises NotPermitted or InvalidState."""

    def work(made: TournamentChange) -> None:
        require_organizer(made.seen, host)
        require_not_started(made.of)
        if not made.of.settings.check_in:
            raise InvalidState(_("This tournament has no check-in."))
        if not made.of.check_in_until:
            made.add(pairing.check_in(made.of, made.table_time))

    change(tables, code, work, idempotency_key)


def begin(
    tables: TableService, code: str, host: int, idempotency_key: IdempotencyKey | None = None
) -> None:
    """Begin the tournament, or open check-in if that comes first. Raises NotPermitted or
    InvalidState.
    """

    def work(made: TournamentChange) -> None:
        require_organizer(made.seen, host)
        require_not_started(made.of)
        _begin(made)

    change(tables, code, work, idempotency_key)


def begin_if_full(tables: TableService, code: str) -> None:
    """Begin a tournament that is set to begin when it is full, if it is full.

    This is a separate change, because the draw depends on all entrants.
    """

    def work(made: TournamentChange) -> None:
        of = made.of
        full = of.settings.begins_full and len(of.waiting()) >= of.settings.most
        if full and not (of.check_in_until or of.begun or of.ended):
            _begin(made)

    change(tables, code, work)


def _begin(made: TournamentChange) -> None:
    of = made.of
    if of.settings.check_in and not of.check_in_until:
        made.add(pairing.check_in(of, made.table_time))
        return
    numbers = pairing.entered(of)
    if len(numbers) < pairing.LEAST:
        raise InvalidState(
            _("At least two players must enter and check in.")
            if of.settings.check_in
            else _("At least two players must enter.")
        )
    made.add(pairing.beginning(of, made.seen.draw(numbers)))


def require_not_started(of: Tournament) -> None:
    """Raise InvalidState if the tournament has begun or is over."""
    if of.ended:
        raise InvalidState(_("This tournament is over."))
    if of.begun:
        raise InvalidState(_("This tournament has already begun."))


def rule(
    tables: TableService,
    code: str,
    host: int,
    ruling: Ruling,
    idempotency_key: IdempotencyKey | None = None,
) -> None:
    """Make a public ruling as the organiser. Raises NotPermitted or InvalidState."""
    words = cleaned(ruling.why, LONGEST_REASON)

    def work(made: TournamentChange) -> None:
        require_organizer(made.seen, host)
        verb = ruling.verb
        if len(made.of.rulings) >= MOST_RULINGS and verb not in (Verb.END, Verb.UNDO):
            raise InvalidState(_("There are too many rulings."))
        if not words and verb not in (Verb.PAUSE, Verb.CLOSE, Verb.APART, Verb.UNDO, Verb.EXTEND):
            raise InvalidState(_("Please give a reason, for all to read."))
        JUDGES[verb](made, ruling)
        made.add(structs.replace(ruling, why=words, at=made.table_time))
        if verb in (Verb.PAIR, Verb.SWAP):
            _pair_anew(made, ruling)
        if verb == Verb.END and made.of.round is not None:  # pods that have not begun are cancelled
            store.void(made.connection, made.seen.row.id, made.of.round.pairing)

    change(tables, code, work, idempotency_key)


def _nothing(made: TournamentChange, ruling: Ruling) -> None:
    """Accept an announcement, which is always possible."""


def _require_running(made: TournamentChange, ruling: Ruling) -> None:
    if made.of.ended:
        raise InvalidState(_("This tournament is over."))
    # A second pause would remain after the first is undone.
    if ruling.verb in (Verb.PAUSE, Verb.CLOSE) and made.of.standing(ruling.verb):
        raise InvalidState(_("That ruling has already been made."))


def _require_extension(made: TournamentChange, ruling: Ruling) -> None:
    _require_running(made, ruling)
    round = made.of.round
    if round is None or ruling.round != round.number or made.of.is_over(round):
        raise InvalidState(_("That round is not being played."))
    if not made.of.settings.limit:
        raise InvalidState(_("Rounds have no time limit here."))
    if not 1 <= ruling.minutes <= 600:
        raise InvalidState(_("Enter a number of minutes, up to {most}.", most=600))


def _require_name(made: TournamentChange, ruling: Ruling) -> None:
    _require_running(made, ruling)
    if len(ruling.entrants) != 1 or ruling.entrants[0] not in made.of.entrants:
        raise InvalidState(_("No player has that number."))
    if ruling.entrants[0] in made.of.removed():
        raise InvalidState(_("That ruling has already been made."))


def _require_two(made: TournamentChange, ruling: Ruling) -> None:
    _require_running(made, ruling)
    if len(set(ruling.entrants)) != 2 or not set(ruling.entrants) <= made.of.entrants.keys():
        raise InvalidState(_("Enter the numbers of two players."))
    if ruling.verb == Verb.APART and len(made.of.apart()) >= MOST_APART:
        raise InvalidState(_("At most {most} pairs can be kept apart.", most=MOST_APART))


def _require_result(made: TournamentChange, ruling: Ruling) -> None:
    if not 1 <= ruling.round <= len(made.of.rounds):
        raise InvalidState(_("There is no such round."))
    round = made.of.rounds[ruling.round - 1]
    if not 0 <= ruling.pod < len(round.pods):
        raise InvalidState(_("There is no such table in that round."))
    entrants = round.pods[ruling.pod].entrants
    if sorted(it.entrant for it in ruling.seats) != sorted(entrants) or not entrants:
        raise InvalidState(_("Enter a place for each player at that table."))
    if made.of.settings.format == Format.KNOCKOUT and round is not made.of.round:
        raise InvalidState(_("The next knockout round already depends on that result."))


def _require_places(made: TournamentChange, ruling: Ruling) -> None:
    _require_result(made, ruling)
    places = [it.place for it in ruling.seats]
    if not all(0 <= it <= len(places) for it in places) or (any(places) and 1 not in places):
        raise InvalidState(
            _("Places are numbers from 1, and at least one player must be first; 0 means absent.")
        )


def _require_not_begun(made: TournamentChange, ruling: Ruling) -> None:
    _require_running(made, ruling)
    round = made.of.round
    if round is None or made.of.is_over(round):
        raise InvalidState(_("That round is not being played."))
    if ruling.verb == Verb.SWAP:
        _require_two(made, ruling)
        there = {it for pod in round.pods for it in pod.entrants} | set(round.byes)
        if not set(ruling.entrants) <= there:
            raise InvalidState(_("Both players must be in this round."))
    elif made.of.settings.format == Format.KNOCKOUT:
        raise InvalidState(_("A knockout cannot be re-paired, but you can swap two players."))
    dealt = any(wave.dealt_at for wave in round.waves)
    if dealt or not store.void(made.connection, made.seen.row.id, round.pairing):
        raise InvalidState(_("Play has already begun in this round."))


def _require_undoable(made: TournamentChange, ruling: Ruling) -> None:
    found = made.of.rulings.get(ruling.undone)
    if found is None or ruling.undone in made.of.undone or found.verb not in UNDONE:
        raise InvalidState(_("There is no such ruling to undo."))
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


def _pair_anew(made: TournamentChange, ruling: Ruling) -> None:
    """Add the pairing that an accepted ruling calls for: the last round again, or with two entrants
    swapped.
    """
    round = made.of.rounds[-1]
    if ruling.verb == Verb.PAIR:
        made.add(pairing.pairing(made.of, made.seen.draw(), round.wave, round.number))
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
    """Return the result that the organiser sets by giving the place of each entrant; 0 means
    absent.

    It is empty if the numbers of places and entrants differ.
    """
    if len(places) != len(entrants):
        return ()
    return tuple(
        SeatResult(it, How.RULED if place else How.ABSENT, place)
        for it, place in zip(entrants, places, strict=True)
    )
