"""Actions of players in tournaments: open, enter, check in, leave, return, list.

Each change appends to the tournament's log, or raises an error with a sentence. Actions of the
organiser are in organizer.py.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress

from msgspec import structs
from sqlalchemy import Connection

from kaboom.accounts import player_queries
from kaboom.accounts import queries as accounts
from kaboom.accounts.names import canonical, cleaned, told_apart
from kaboom.engine.bots.bot import Level
from kaboom.engine.codec import from_json, to_json
from kaboom.engine.fairness.commitment import commitment
from kaboom.engine.i18n import gettext as _
from kaboom.errors import InvalidState, NotPermitted
from kaboom.games import GAMES
from kaboom.social.clubs import queries as clubs
from kaboom.social.clubs.service import name_of_member
from kaboom.social.friends import queries as friends
from kaboom.tables.match_record import CUT_POINTS, LONGEST_CUT
from kaboom.tables.service import TableService
from kaboom.tables.shared_deals.service import one_deal
from kaboom.tournaments import queries as store
from kaboom.tournaments.cache import TournamentSnapshot, cache_of
from kaboom.tournaments.changes import TournamentChange, change, due_at, get_tournament
from kaboom.tournaments.organizer import begin_if_full, require_organizer, rule
from kaboom.tournaments.rules import pairing
from kaboom.tournaments.rules.events import (
    CheckedIn,
    Entered,
    Format,
    Left,
    Number,
    Returned,
    Ruling,
    Settings,
    Verb,
)
from kaboom.tournaments.rules.state import OUT_AFTER, Tournament, folded
from kaboom.web.idempotency.service import IdempotencyKey, write_once

LONGEST_NAME = 60  # characters of a tournament's name
MOST = 1024  # people in a tournament
MOST_RUN = 10  # tournaments of one organiser that have not ended
MOST_OF_CLUB = 50  # tournaments read for a club's page


def open(
    tables: TableService,
    host: int,
    settings: Settings,
    listed: bool = False,
    idempotency_key: IdempotencyKey | None = None,
) -> str:
    """Open a tournament; return its code. Raises InvalidState."""
    made = as_it_is_kept(settings)
    seed, code, now = tables.ids.seed(), tables.ids.code(), tables.now()

    def opened(connection: Connection) -> str:
        if made.club:
            name_of_member(connection, made.club, host)
        if store.running_by(connection, host) >= MOST_RUN:
            raise InvalidState(
                _("You are already running the maximum number of tournaments. End one first.")
            )
        values = {
            "code": code,
            "host_id": host,
            "settings": to_json(made).decode(),
            "seed": seed,
            "commitment": commitment(seed),
            "version": 0,
            "names": 0,
            "due_at": due_at(folded(made, ()), tables.table_time(connection)),
            "ended": False,
            "listed": listed and not made.club,
            "created_at": now,
        }
        store.add(connection, values)
        return code

    return write_once(tables.database, idempotency_key, now, opened)


def as_it_is_kept(settings: Settings) -> Settings:
    """Return settings in stored form; raises InvalidState if they cannot be played."""
    name = cleaned(settings.name, LONGEST_NAME)
    if not name:
        raise InvalidState(_("The tournament’s name needs at least one visible character."))
    require_playable(settings)
    return structs.replace(settings, name=name, options=_dealt_options(settings))


def require_playable(settings: Settings) -> None:
    """Raise InvalidState for settings with which a tournament could not finish."""
    if settings.size not in settings.playable:
        raise InvalidState(
            _("With these options, the game cannot be played by that many players at a table.")
        )
    if settings.duplicate and GAMES[settings.game].board is None:
        raise InvalidState(_("In this game, tables cannot all have the same cards."))
    if not 2 <= settings.most <= MOST:
        raise InvalidState(
            _(("Between {least} and {most} players can take part."), least=2, most=MOST)
        )


def _dealt_options(settings: Settings) -> str:
    """Return the options as JSON, limited to one deal if all tables play the same cards."""
    if not settings.duplicate:
        return settings.options
    game = GAMES[settings.game]
    return to_json(one_deal(game, from_json(settings.options, game.options))).decode()


def is_there(tables: TableService, code: str) -> bool:
    """Return True if a tournament has that code."""
    return tables.database.read(lambda connection: store.is_there(connection, code))


# Entrants


def enter(
    tables: TableService,
    code: str,
    player: int,
    name: str,
    cut: str = "",
    idempotency_key: IdempotencyKey | None = None,
) -> None:
    """Enter a tournament under a name; `cut` is the player's contribution to the draw. Raises
    InvalidState.
    """

    def work(made: TournamentChange) -> None:
        if made.seen.number_of(player) is not None:
            return
        require_no_match(made.of)
        club = made.of.settings.club
        known_as = name_of_member(made.connection, club, player) if club else name
        _require_account(made.connection, made.of, player)
        own_cut = cleaned(cut, LONGEST_CUT, CUT_POINTS) or tables.ids.cut()
        _add(made, [(player, known_as, "")], own_cut)

    change(tables, code, work, idempotency_key)
    begin_if_full(tables, code)


def add_bots(
    tables: TableService,
    code: str,
    host: int,
    count: int,
    level: Level,
    idempotency_key: IdempotencyKey | None = None,
) -> None:
    """Enter bots as the organiser. Raises NotPermitted or InvalidState."""

    def work(made: TournamentChange) -> None:
        require_organizer(made.seen, host)
        require_no_match(made.of)
        room = made.of.settings.most - len(made.of.waiting())
        if not 0 < count <= room:
            raise InvalidState(_("There is room for {count} more.", count=max(0, room)))
        _add(made, [(None, _("bot"), level.value)] * count, "")

    change(tables, code, work, idempotency_key)
    begin_if_full(tables, code)


def _add(made: TournamentChange, people: Sequence[tuple[int | None, str, str]], cut: str) -> None:
    taken = [it.name for it in made.seen.entrants.values()]
    alike = {look for it in taken for look in canonical(it)}
    number = max(made.seen.entrants, default=0)
    rows = []
    for player, name, bot in people:
        number += 1
        # Bots have numbers, because a hundred names would be hard to tell apart.
        called = f"{name} {number}" if bot else name
        if alike & canonical(called):
            called = told_apart(called, taken)
        rows.append(
            {
                "tournament_id": made.seen.row.id,
                "number": number,
                "player_id": player,
                "name": called,
                "cut": cut,
            }
        )
        made.add(Entered(number, bot))
    store.add_entrants(made.connection, rows)


def require_no_match(of: Tournament) -> None:
    """Raise InvalidState if the tournament accepts no entries."""
    if of.ended:
        raise InvalidState(_("This tournament is over."))
    if of.begun and not pairing.may_enter_late(of):
        raise InvalidState(_("This tournament has begun. You can watch."))
    if len(of.field) >= of.settings.most:
        raise InvalidState(_("This tournament is full."))
    if len(of.waiting()) >= 2 * of.settings.most:
        raise InvalidState(_("This tournament is full, and so is its waiting list."))


def require_account(tables: TableService, of: Tournament, player: int | None) -> None:
    """Raise InvalidState if entry requires a secured account and the player has none."""
    tables.database.read(lambda connection: _require_account(connection, of, player))


def _require_account(connection: Connection, of: Tournament, player: int | None) -> None:
    if of.settings.accounts and not accounts.has_kept(connection, player):
        raise InvalidState(
            _(
                "Only players with a secured account (“Secure your account”) can enter this "
                "tournament."
            )
        )


def has_kept(tables: TableService, player: int | None) -> bool:
    """Return True if a player has a secured account."""
    return tables.database.read(lambda c: accounts.has_kept(c, player))


def check_in(tables: TableService, code: str, player: int) -> None:
    """Check a player in. Raises NotPermitted or InvalidState."""

    def work(made: TournamentChange) -> None:
        number = _entered(made.seen, player)
        of = made.of
        if of.begun or not of.check_in_until or of.ended:
            raise InvalidState(_("Check-in is not open now."))
        require_not_removed(of, number)
        if number not in of.waiting():
            raise InvalidState(_("You have left the tournament. Rejoin first."))
        if not of.entrants[number].checked:
            made.add(CheckedIn(number))

    change(tables, code, work)


def leave(tables: TableService, code: str, player: int) -> None:
    """Leave a tournament; a running match continues. Raises NotPermitted or InvalidState."""

    def work(made: TournamentChange) -> None:
        number = _entered(made.seen, player)
        if made.of.ended:
            raise InvalidState(_("This tournament is over."))
        if not made.of.entrants[number].left:
            made.add(Left(number))

    change(tables, code, work)


def depart(tables: TableService, player: int, beside: int | None = None) -> None:
    """Withdraw a player from all tournaments that have not ended, and end those that only the
    player, as organiser, could begin or resume.

    With `beside`, withdraw only from those that this other player has entered as well.
    """
    for code in tables.database.read(lambda c: store.running_of(c, player, beside)):
        with suppress(NotPermitted, InvalidState):
            leave(tables, code, player)
    if beside is None:
        for code in tables.database.read(lambda c: store.run_by(c, player)):
            seen = get_tournament(tables, code)
            begins = seen.of.begun or seen.of.check_in_until or seen.of.settings.begins_at
            if seen.of.paused or not begins:
                with suppress(NotPermitted, InvalidState):
                    why = _("The organiser is no longer here.")
                    rule(tables, code, player, Ruling(Verb.END, why))


def come_back(tables: TableService, code: str, player: int) -> None:
    """Return to a tournament from the next round on, after leaving or being absent.

    Players who missed check-in can still return during late entry. Raises NotPermitted or
    InvalidState.
    """

    def work(made: TournamentChange) -> None:
        of, number = made.of, _entered(made.seen, player)
        it = of.entrants[number]
        if of.ended:
            raise InvalidState(_("This tournament is over."))
        require_not_removed(of, number)
        if of.begun and not it.plays:
            if not pairing.may_enter_late(of):
                raise InvalidState(_("This tournament has begun without you. You can watch."))
            require_no_match(of)
            made.add(Returned(number))
            return
        if of.begun and of.settings.format == Format.KNOCKOUT:
            raise InvalidState(_("You cannot rejoin a knockout once you are out."))
        if it.missed >= OUT_AFTER:
            raise InvalidState(_("You missed two rounds, so you are out."))
        if it.left or it.paused:
            made.add(Returned(number))

    change(tables, code, work)


def require_not_removed(of: Tournament, number: Number) -> None:
    """Raise InvalidState for a player removed by the organiser."""
    if number in of.removed():
        raise InvalidState(_("The organiser has removed you from the tournament."))


def _entered(seen: TournamentSnapshot, player: int) -> Number:
    number = seen.number_of(player)
    if number is None:
        raise NotPermitted(_("You have not entered this tournament."))
    return number


# Reading


def may_see(tables: TableService, seen: TournamentSnapshot, player: int | None) -> bool:
    """Return True if a player may see a tournament.

    A club's tournament is visible to the club's members, and to its entrants and its organiser even
    if they have left the club.
    """
    takes_part = seen.is_run_by(player) or seen.number_of(player) is not None
    return takes_part or is_of_its_club(tables, seen, player)


def is_of_its_club(tables: TableService, seen: TournamentSnapshot, player: int | None) -> bool:
    """Return True if a tournament is open to all, or the player is a member of its club."""
    club = seen.of.settings.club
    if not club or player is None:
        return not club
    return tables.database.read(lambda c: clubs.called(c, club, player)) is not None


def of_club(tables: TableService, code: str, key_hash: str) -> list[TournamentSnapshot]:
    """Return a club's tournaments that have not ended, for a member; empty for other players.

    Tournaments of organisers who block the player, or are blocked, are left out.
    """

    def rows(connection: Connection) -> list[store.TournamentRow]:
        club = clubs.by_code(connection, code)
        player = player_queries.player(connection, key_hash)
        if club is None or player is None or clubs.called(connection, code, player[0]) is None:
            return []
        blocked = friends.blocked_either_way(connection, player[0])
        found = store.run_in(connection, club.id, MOST_OF_CLUB)
        return [it for it in found if it.host_id not in blocked]

    found = _seen(tables, rows)
    return [it for it in found if it.of.settings.club == code and it.of.settings.game in GAMES]


def listed(
    tables: TableService, page: int, size: int = 20
) -> tuple[list[TournamentSnapshot], bool]:
    """Return one page (0 is the first) of the lobby's tournaments, and whether more follow."""
    found = _seen(tables, lambda c: store.listed(c, size + 1, page * size))
    return found[:size], len(found) > size


def of_player(tables: TableService, player: int, most: int = 20) -> list[TournamentSnapshot]:
    """Return the tournaments that a player organises or has entered, newest first."""
    return _seen(tables, lambda connection: store.of_player(connection, player, most))


def to_check_in_to(tables: TableService, player: int, most: int) -> list[TournamentSnapshot]:
    """Return the tournaments that await a player's check-in, among those entered last."""
    found = _seen(tables, lambda connection: store.not_ended_of(connection, player, most))
    return [it for it in found if it.checks_in(player, tables.now()) is not None]


def _seen(
    tables: TableService, rows: Callable[[Connection], list[store.TournamentRow]]
) -> list[TournamentSnapshot]:
    return tables.database.read(lambda c: [cache_of(tables).of(c, row) for row in rows(c)])
