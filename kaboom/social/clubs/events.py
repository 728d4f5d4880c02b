"""A club's events: a member plans one, and members who say that they will attend are notified
shortly before it begins.

Members do not see the events of players they block, or who block them, nor those players among the
attendees.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date as calendar_day
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from sqlalchemy import Connection

from kaboom.accounts.names import cleaned
from kaboom.db.times import DAY
from kaboom.engine.i18n import gettext as _
from kaboom.errors import InvalidState, NotPermitted
from kaboom.games import GAMES
from kaboom.notifications import channel_queries as channels
from kaboom.notifications import reminder_queries
from kaboom.notifications.channel_queries import PreferenceRow
from kaboom.notifications.channels import minutes_of, require_time_zone
from kaboom.notifications.quiet_hours import zones
from kaboom.social.clubs import event_queries as store
from kaboom.social.clubs import queries as clubs
from kaboom.social.clubs.event_queries import DateRow
from kaboom.social.clubs.models import Standing
from kaboom.social.clubs.queries import ClubRow
from kaboom.social.clubs.reminders import put_date
from kaboom.social.clubs.service import club_of, me_inside
from kaboom.social.friends import queries as friends
from kaboom.tables.service import TableService
from kaboom.web.idempotency.service import IdempotencyKey, write_once

LONGEST = 80  # characters and code points of a note
MOST = 20  # future events of a club
FURTHEST = 366 * DAY  # seconds ahead within which an event may be planned
SHOWN_FOR = 2 * 3600.0  # seconds for which an event is shown after it begins
KEPT = DAY  # seconds after which a past event is deleted


@dataclass(frozen=True, slots=True)
class Planned:
    """An event as a member's page shows it; `left` is the number of seconds until it begins."""

    number: int
    game: str
    note: str
    at: datetime  # in the reader's time zone
    left: float
    by: str  # the planner's name; empty: no longer a member
    coming: Sequence[str]
    comes: bool  # the reader attends
    may_cancel: bool


@dataclass(frozen=True, slots=True)
class Dates:
    """The events of a club, the next one first; times are in the time zone `zone`."""

    zone: str
    planned: Sequence[Planned]


def of_club(tables: TableService, code: str, key_hash: str) -> Dates:
    """Return a club's events for a member; empty for other players."""
    now = tables.now()

    def work(connection: Connection) -> Dates:
        try:
            club, me, mine = _inside(connection, code, key_hash)
        except NotPermitted:
            return Dates("UTC", ())
        zone, blocked = _zone(connection, me), friends.blocked_either_way(connection, me)
        names = {it.player_id: it.name for it in clubs.members_of(connection, club.id)}
        since = now - SHOWN_FOR
        goers = [
            it for it in store.goers(connection, club.id, since) if it.player_id not in blocked
        ]
        return Dates(
            zone,
            [
                Planned(
                    it.id,
                    it.game,
                    it.note,
                    datetime.fromtimestamp(it.at, ZoneInfo(zone)),
                    it.at - now,
                    names.get(it.by_id or 0, ""),
                    [goer.name for goer in goers if goer.date_id == it.id],
                    any((goer.date_id, goer.player_id) == (it.id, me) for goer in goers),
                    _may_cancel(it, me, mine),
                )
                for it in store.of_club(connection, club.id, since)
                if it.by_id not in blocked and it.game in GAMES
            ],
        )

    return tables.database.read(work)


def plan(
    tables: TableService,
    code: str,
    key_hash: str,
    game: str,
    when: tuple[str, str, str],
    note: str,
    idempotency_key: IdempotencyKey | None = None,
) -> None:
    """Plan an event; `when` has a day ("2026-11-28"), a time ("19:30") and their time zone. Its
    planner attends it.

    Raises ClubNotFound, NotPermitted, InvalidState.
    """
    now = tables.now()

    def planned(connection: Connection) -> str:
        club, me, _mine = _inside(connection, code, key_hash, lock=True)
        if game not in GAMES:
            raise InvalidState(_("There is no such game here."))
        at = moment(*when)
        if at <= now:
            raise InvalidState(_("That time has passed. Choose a later one."))
        if at > now + FURTHEST:
            raise InvalidState(_("Choose a day within the next year."))
        if store.count(connection, club.id, now) >= MOST:
            raise InvalidState(
                _("The club already has {most} events. Cancel one first.", most=MOST)
            )
        said = "" if club.phrases else cleaned(note, LONGEST, LONGEST)
        values = {"club_id": club.id, "by_id": me, "game": game, "note": said, "at": at}
        date = store.add(connection, values)
        if channels.wishes(connection, me) == PreferenceRow():  # remember their time zone
            channels.wish(connection, me, zone=when[2])
        _come(connection, DateRow(date, club.id, me, game, said, at), me, True, now)
        return ""

    write_once(tables.database, idempotency_key, now, planned)


def moment(day: str, time: str, zone: str) -> float:
    """Return a day and time in a time zone as seconds since 1970; raises InvalidState if they are
    invalid.
    """
    require_time_zone(zone)
    try:
        found = calendar_day.fromisoformat(day.strip())
    except ValueError:
        raise InvalidState(_("Enter the date like this: 2026-11-28.")) from None
    minutes = minutes_of(time)
    if not 1970 <= found.year <= 9000:
        raise InvalidState(_("Choose a day within the next year."))
    local = datetime(found.year, found.month, found.day, tzinfo=ZoneInfo(zone))
    return (local + timedelta(minutes=minutes)).timestamp()


def come(tables: TableService, code: str, key_hash: str, number: int, comes: bool) -> None:
    """Set whether a player attends an event; attendees are notified shortly before it. Raises
    ClubNotFound, NotPermitted, InvalidState.
    """
    now = tables.now()

    def work(connection: Connection) -> None:
        club, me, _mine = _inside(connection, code, key_hash, lock=True)
        _come(connection, _date(connection, club.id, me, number), me, comes, now)

    tables.database.write(work)


def _come(connection: Connection, date: DateRow, me: int, comes: bool, now: float) -> None:
    store.come(connection, date.id, me, comes)
    if comes:
        put_date(connection, date, me, now)
    else:
        reminder_queries.drop(connection, store.about(date.id), me)


def cancel(tables: TableService, code: str, key_hash: str, number: int) -> None:
    """Cancel an event, as its planner or an officer. Raises ClubNotFound, NotPermitted,
    InvalidState.
    """

    def work(connection: Connection) -> None:
        club, me, mine = _inside(connection, code, key_hash, lock=True)
        date = _date(connection, club.id, me, number)
        if not _may_cancel(date, me, mine):
            raise NotPermitted(
                _("Only the player who planned an event, or an officer, can cancel it.")
            )
        store.drop(connection, [date.id])

    tables.database.write(work)


def _may_cancel(date: DateRow, me: int, standing: Standing) -> bool:
    return standing == Standing.OFFICER or date.by_id == me


def _date(connection: Connection, club: int, me: int, number: int) -> DateRow:
    """Return an event that a member may see; raises InvalidState if there is none."""
    found = store.one(connection, number)
    if (
        found is None
        or found.club_id != club
        or found.by_id in friends.blocked_either_way(connection, me)
    ):
        raise InvalidState(_("That event no longer exists."))
    return found


def _inside(
    connection: Connection, code: str, key_hash: str, lock: bool = False
) -> tuple[ClubRow, int, Standing]:
    """Return the club, and the id and role of the player with that key; raises ClubNotFound, or
    NotPermitted for a player who is not a member.
    """
    club = club_of(connection, code, lock)
    return club, *me_inside(connection, club, key_hash)


def _zone(connection: Connection, player: int) -> str:
    zone = channels.wishes(connection, player).zone
    return zone if zone in zones() else "UTC"


def forget_old(connection: Connection, now: float) -> None:
    """Delete events that are over."""
    store.drop_old(connection, now - KEPT)
