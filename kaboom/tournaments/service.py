"""What people do in tournaments: open one, enter, check in, leave, come back, look.

Each change is an entry in the tournament's log, or a refusal with a sentence. What an organiser
does is in organising.py.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress

from msgspec import structs
from sqlalchemy import Connection

from kaboom.accounts import player_queries
from kaboom.accounts import queries as accounts
from kaboom.accounts.names import cleaned, looks, told_apart
from kaboom.engine.bots.bot import Level
from kaboom.engine.codec import from_json, to_json
from kaboom.engine.i18n import say
from kaboom.engine.rng import commitment
from kaboom.errors import InvalidState, NotPermitted
from kaboom.games import GAMES
from kaboom.social.clubs import queries as clubs
from kaboom.social.clubs.service import name_of_member
from kaboom.tables.match_record import CUT_POINTS, LONGEST_CUT
from kaboom.tables.service import Tables
from kaboom.tables.shared_deals.service import one_deal
from kaboom.tournaments import queries as store
from kaboom.tournaments.cache import TournamentSnapshot, cache_of
from kaboom.tournaments.changes import TournamentChange, change, due_at, look
from kaboom.tournaments.organizer import require_organizer, rule
from kaboom.tournaments.rules import rounds
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
from kaboom.web.idempotency.service import Command, only_once

LONGEST_NAME = 60  # characters of a tournament's name
MOST = 1024  # people in a tournament
MOST_RUN = 10  # tournaments that somebody runs at the same time
MOST_OF_CLUB = 50  # tournaments that are looked at for a club's page


def open(
    tables: Tables,
    host: int,
    settings: Settings,
    listed: bool = False,
    once: Command | None = None,
) -> str:
    """Open a tournament; return its code. Raises InvalidState."""
    made = as_it_is_kept(settings)
    seed, code, now = tables.lots.seed(), tables.lots.code(), tables.now()

    def opened(connection: Connection) -> str:
        if made.club:
            name_of_member(connection, made.club, host)
        if store.running_by(connection, host) >= MOST_RUN:
            raise InvalidState(say("You run many tournaments already. End one first."))
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

    return tables.database.write(
        lambda connection: only_once(connection, once, now, lambda: opened(connection))
    )


def as_it_is_kept(settings: Settings) -> Settings:
    """Return settings as a tournament has them; raises InvalidState for what could not be
    played.
    """
    name = cleaned(settings.name, LONGEST_NAME)
    if not name:
        raise InvalidState(say("Please give the tournament a name the others can read."))
    require_playable(settings)
    return structs.replace(settings, name=name, options=_dealt_options(settings))


def require_playable(settings: Settings) -> None:
    """Raise InvalidState for a tournament that could not be played to its end by itself."""
    if settings.size not in settings.playable:
        raise InvalidState(say("By these options the game cannot be played by so many at a table."))
    if settings.duplicate and GAMES[settings.game].board is None:
        raise InvalidState(say("In this game not all tables can have the same cards."))
    if not 2 <= settings.most <= MOST:
        raise InvalidState(say("Between {least} and {most} can play.", least=2, most=MOST))


def _dealt_options(settings: Settings) -> str:
    """Return the options as JSON: of one deal a match where all play the same cards."""
    game = GAMES[settings.game]
    if not settings.duplicate:
        return settings.options
    return to_json(one_deal(game, from_json(settings.options, game.options))).decode()


def is_there(tables: Tables, code: str) -> bool:
    """Say whether a tournament has that code."""
    return tables.database.read(lambda connection: store.is_there(connection, code))


# Entrants


def enter(
    tables: Tables,
    code: str,
    player: int,
    name: str,
    cut: str = "",
    once: Command | None = None,
) -> None:
    """Enter a tournament under a name; `cut` is one's own part in what is drawn. Raises
    InvalidState.
    """

    def work(made: TournamentChange) -> None:
        if made.seen.number_of(player) is not None:
            return
        require_no_match(made.of)
        club = made.of.settings.club
        known_as = name_of_member(made.connection, club, player) if club else name
        _require_account(made.connection, made.of, player)
        _add(
            made,
            [(player, known_as, "")],
            cleaned(cut, LONGEST_CUT, CUT_POINTS) or tables.lots.cut(),
        )

    change(tables, code, work, once)


def add_bots(
    tables: Tables, code: str, host: int, count: int, level: Level, once: Command | None = None
) -> None:
    """Let bots enter, to fill the field; the organiser only. Raises NotPermitted or
    InvalidState.
    """

    def work(made: TournamentChange) -> None:
        require_organizer(made.seen, host)
        require_no_match(made.of)
        room = made.of.settings.most - len(made.of.waiting())
        if not 0 < count <= room:
            raise InvalidState(say("There is room for {count} more.", count=max(0, room)))
        words = say("bot")
        _add(made, [(None, words, level.value)] * count, "")

    change(tables, code, work, once)


def _add(made: TournamentChange, people: Sequence[tuple[int | None, str, str]], cut: str) -> None:
    taken = [it.name for it in made.seen.entrants.values()]
    alike = {look for it in taken for look in looks(it)}
    number = max(made.seen.entrants, default=0)
    rows = []
    for player, name, bot in people:
        number += 1
        # Bots are numbered: to tell a hundred apart by how they look would take long.
        called = f"{name} {number}" if bot else name
        if alike & looks(called):
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
    """Raise InvalidState when nobody can enter (here is where else somebody would be refused)."""
    if of.ended:
        raise InvalidState(say("This tournament is over."))
    if of.begun and not rounds.may_enter_late(of):
        raise InvalidState(say("This tournament has begun. You can watch."))
    if len(of.field) >= of.settings.most:
        raise InvalidState(say("This tournament is full."))
    if len(of.waiting()) >= 2 * of.settings.most:
        raise InvalidState(say("This tournament is full, and so is its waiting list."))


def require_account(tables: Tables, of: Tournament, player: int | None) -> None:
    """Raise InvalidState where only those enter who have kept their seat, and this player has
    not.
    """
    tables.database.read(lambda connection: _require_account(connection, of, player))


def _require_account(connection: Connection, of: Tournament, player: int | None) -> None:
    if of.settings.accounts and not accounts.has_kept(connection, player):
        raise InvalidState(
            say("Only people who have kept their seat (“Keep your seat”) can enter this.")
        )


def has_kept(tables: Tables, player: int | None) -> bool:
    """Say whether a player can come in again elsewhere."""
    return tables.database.read(lambda c: accounts.has_kept(c, player))


def check_in(tables: Tables, code: str, player: int) -> None:
    """Say that one is here and will play. Raises NotPermitted or InvalidState."""

    def work(made: TournamentChange) -> None:
        number = _entered(made.seen, player)
        of = made.of
        if of.begun or not of.check_in_until or of.ended:
            raise InvalidState(say("There is no check-in now."))
        require_not_removed(of, number)
        if number not in of.waiting():
            raise InvalidState(say("You have left the tournament. Come back first."))
        if not of.entrants[number].checked:
            made.add(CheckedIn(number))

    change(tables, code, work)


def leave(tables: Tables, code: str, player: int) -> None:
    """Leave a tournament; a match that is on goes on. Raises NotPermitted or InvalidState."""

    def work(made: TournamentChange) -> None:
        number = _entered(made.seen, player)
        if made.of.ended:
            raise InvalidState(say("This tournament is over."))
        if not made.of.entrants[number].left:
            made.add(Left(number))

    change(tables, code, work)


def depart(tables: Tables, player: int, beside: int | None = None) -> None:
    """Leave all tournaments that go on, so that nobody waits for who is forgotten, and end those
    that only they could have begun or let go on.

    With `beside` leave only those that this other player has entered, too.
    """
    for code in tables.database.read(lambda c: store.running_of(c, player, beside)):
        with suppress(NotPermitted, InvalidState):
            leave(tables, code, player)
    if beside is None:
        for code in tables.database.read(lambda c: store.run_by(c, player)):
            seen = look(tables, code)
            begins = seen.of.begun or seen.of.check_in_until or seen.of.settings.begins_at
            if seen.of.paused or not begins:
                with suppress(NotPermitted, InvalidState):
                    why = say("Whoever ran it is no longer here.")
                    rule(tables, code, player, Ruling(Verb.END, why))


def come_back(tables: Tables, code: str, player: int) -> None:
    """Play again from the next round on, after leaving or being absent; whoever missed the
    check-in may do so while others may enter late. Raises NotPermitted or InvalidState.
    """

    def work(made: TournamentChange) -> None:
        of, number = made.of, _entered(made.seen, player)
        it = of.entrants[number]
        if of.ended:
            raise InvalidState(say("This tournament is over."))
        require_not_removed(of, number)
        if of.begun and not it.plays:
            if not rounds.may_enter_late(of):
                raise InvalidState(say("This tournament has begun without you. You can watch."))
            require_no_match(of)
            made.add(Returned(number))
            return
        if of.begun and of.settings.format == Format.KNOCKOUT:
            raise InvalidState(say("Nobody who is out of a knockout can come back."))
        if it.missed >= OUT_AFTER:
            raise InvalidState(say("You did not come to two rounds, so you are out."))
        if it.left or it.paused:
            made.add(Returned(number))

    change(tables, code, work)


def require_not_removed(of: Tournament, number: Number) -> None:
    """Raise InvalidState for somebody whom the organiser has removed."""
    if number in of.removed():
        raise InvalidState(say("The organiser has removed you from the tournament."))


def _entered(seen: TournamentSnapshot, player: int) -> Number:
    number = seen.number_of(player)
    if number is None:
        raise NotPermitted(say("You have not entered this tournament."))
    return number


# Looking


def may_see(tables: Tables, seen: TournamentSnapshot, player: int | None) -> bool:
    """Say whether somebody may see a tournament: of a club's its members, who plays in it, and who
    runs it, although they may have left the club: nobody else can let it go on, or end it.
    """
    runs = player is not None and player == seen.row.host_id
    entered = seen.number_of(player) is not None
    return runs or entered or is_of_its_club(tables, seen, player)


def is_of_its_club(tables: Tables, seen: TournamentSnapshot, player: int | None) -> bool:
    """Say whether somebody is of the club that a tournament is for, or it is for everybody."""
    club = seen.of.settings.club
    if not club or player is None:
        return not club
    return tables.database.read(lambda c: clubs.called(c, club, player)) is not None


def of_club(tables: Tables, code: str, key_hash: str) -> list[TournamentSnapshot]:
    """Return the tournaments for a club that have not ended, as a member finds them; none to
    others. Those of somebody across a block are not among them.
    """

    def rows(connection: Connection) -> list[store.TournamentRow]:
        club = clubs.by_code(connection, code)
        player = player_queries.player(connection, key_hash)
        if club is None or player is None or clubs.called(connection, code, player[0]) is None:
            return []
        across = clubs.across(connection, player[0])
        found = store.run_in(connection, club.id, MOST_OF_CLUB)
        return [it for it in found if it.host_id not in across]

    found = _seen(tables, rows)
    return [it for it in found if it.of.settings.club == code and it.of.settings.game in GAMES]


def listed(tables: Tables, page: int, size: int = 20) -> tuple[list[TournamentSnapshot], bool]:
    """Return a page (0 is the first) of the lobby's tournaments, and whether more follow."""
    found = _seen(tables, lambda c: store.listed(c, size + 1, page * size))
    return found[:size], len(found) > size


def of_player(tables: Tables, player: int, most: int = 20) -> list[TournamentSnapshot]:
    """Return tournaments that somebody runs or has entered, the newest first."""
    return _seen(tables, lambda connection: store.of_player(connection, player, most))


def to_check_in_to(tables: Tables, player: int, most: int) -> list[TournamentSnapshot]:
    """Return tournaments that wait for a player to say that they are here, of so many that they
    entered last.
    """
    found = _seen(tables, lambda connection: store.not_ended_of(connection, player, most))
    return [it for it in found if it.checks_in(player, tables.now()) is not None]


def _seen(
    tables: Tables, rows: Callable[[Connection], list[store.TournamentRow]]
) -> list[TournamentSnapshot]:
    return tables.database.read(lambda c: [cache_of(tables).of(c, row) for row in rows(c)])
