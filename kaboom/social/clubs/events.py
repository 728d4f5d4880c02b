"""When a club means to play: a member plans it, who comes says so and is called shortly before.

Dates of somebody across a block are not shown, nor who comes of them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date as calendar_day
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from sqlalchemy import Connection

from kaboom.accounts.names import cleaned
from kaboom.db.times import DAY
from kaboom.engine.i18n import say
from kaboom.errors import InvalidState, NotPermitted
from kaboom.games import GAMES
from kaboom.notifications import channel_queries as ways
from kaboom.notifications import reminder_queries
from kaboom.notifications.channel_queries import WishRow
from kaboom.notifications.channels import minutes_of, require_time_zone
from kaboom.notifications.quiet_hours import zones
from kaboom.social.clubs import event_queries as store
from kaboom.social.clubs import queries as clubs
from kaboom.social.clubs.event_queries import DateRow
from kaboom.social.clubs.queries import ClubRow
from kaboom.social.clubs.reminders import put_date
from kaboom.social.clubs.roles import Standing
from kaboom.social.clubs.service import club_of, me_inside
from kaboom.tables.service import Tables
from kaboom.web.idempotency.service import Command, only_once

LONGEST = 80  # characters and code points of a note
MOST = 20  # dates of a club that are to come
FURTHEST = 366 * DAY  # seconds ahead
SHOWN_FOR = 2 * 3600.0  # seconds after its time
KEPT = DAY  # … after it


@dataclass(frozen=True, slots=True)
class Planned:
    """A date as a member finds it; `left` are the seconds until then."""

    number: int
    game: str
    note: str
    at: datetime  # on the clocks of the reader's zone
    left: float
    by: str  # the name of who planned it; empty: no longer a member
    coming: Sequence[str]
    comes: bool  # the reader does
    may_cancel: bool


@dataclass(frozen=True, slots=True)
class Dates:
    """The dates of a club, the next one first; times are on the clocks of `zone`."""

    zone: str
    planned: Sequence[Planned]


def of_club(tables: Tables, code: str, key_hash: str) -> Dates:
    """Return a club's dates as a member finds them; none to others."""
    now = tables.now()

    def work(connection: Connection) -> Dates:
        try:
            club, me = _inside(connection, code, key_hash)
        except NotPermitted:
            return Dates("UTC", ())
        zone, across = _zone(connection, me), clubs.across(connection, me)
        names = {it.player_id: it.name for it in clubs.members_of(connection, club.id)}
        standing = clubs.standing(connection, club.id, me)
        since = now - SHOWN_FOR
        goers = [it for it in store.goers(connection, club.id, since) if it.player_id not in across]
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
                    _may_cancel(it, me, standing),
                )
                for it in store.of_club(connection, club.id, since)
                if it.by_id not in across and it.game in GAMES
            ],
        )

    return tables.database.read(work)


def plan(
    tables: Tables,
    code: str,
    key_hash: str,
    game: str,
    when: tuple[str, str, str],
    note: str,
    once: Command | None = None,
) -> None:
    """Plan that a club plays a game: `when` is a day ("2026-11-28"), a time ("19:30") and the zone
    in which they are meant. Whoever plans it comes. Raises ClubNotFound, NotPermitted,
    InvalidState.
    """
    now = tables.now()

    def planned(connection: Connection) -> str:
        club, me = _inside(connection, code, key_hash, lock=True)
        if game not in GAMES:
            raise InvalidState(say("There is no such game here."))
        at = moment(*when)
        if at <= now:
            raise InvalidState(say("That time is over. Give one that is to come."))
        if at > now + FURTHEST:
            raise InvalidState(say("Give a day within a year."))
        if store.count(connection, club.id, now) >= MOST:
            raise InvalidState(
                say("The club has {most} dates already. Cancel one first.", most=MOST)
            )
        said = "" if club.phrases else cleaned(note, LONGEST, LONGEST)
        values = {"club_id": club.id, "by_id": me, "game": game, "note": said, "at": at}
        date = store.add(connection, values)
        if ways.wishes(connection, me) == WishRow():  # where they live is known from now on
            ways.wish(connection, me, zone=when[2])
        _come(connection, DateRow(date, club.id, me, game, said, at), me, True, now)
        return ""

    tables.database.write(
        lambda connection: only_once(connection, once, now, lambda: planned(connection))
    )


def moment(day: str, time: str, zone: str) -> float:
    """Return a day and a time of a zone in seconds since 1970; raises InvalidState for what is
    none.
    """
    require_time_zone(zone)
    try:
        found = calendar_day.fromisoformat(day.strip())
    except ValueError:
        raise InvalidState(say("Write a day as 2026-11-28.")) from None
    minutes = minutes_of(time)
    if not 1970 <= found.year <= 9000:
        raise InvalidState(say("Give a day within a year."))
    local = datetime(found.year, found.month, found.day, tzinfo=ZoneInfo(zone))
    return (local + timedelta(minutes=minutes)).timestamp()


def come(tables: Tables, code: str, key_hash: str, number: int, comes: bool) -> None:
    """Say that one comes to a date, and is to be called shortly before; or no longer.

    Raises ClubNotFound, NotPermitted, InvalidState.
    """
    now = tables.now()

    def work(connection: Connection) -> None:
        club, me = _inside(connection, code, key_hash, lock=True)
        _come(connection, _date(connection, club.id, me, number), me, comes, now)

    tables.database.write(work)


def _come(connection: Connection, date: DateRow, me: int, comes: bool, now: float) -> None:
    store.come(connection, date.id, me, comes)
    if comes:
        put_date(connection, date, me, now)
    else:
        reminder_queries.drop(connection, store.about(date.id), me)


def cancel(tables: Tables, code: str, key_hash: str, number: int) -> None:
    """Cancel a date: whoever planned it, or an officer. Raises ClubNotFound, NotPermitted,
    InvalidState.
    """

    def work(connection: Connection) -> None:
        club, me = _inside(connection, code, key_hash, lock=True)
        date = _date(connection, club.id, me, number)
        if not _may_cancel(date, me, clubs.standing(connection, club.id, me)):
            raise NotPermitted(say("Only whoever planned it, or an officer, can cancel a date."))
        store.drop(connection, [date.id])

    tables.database.write(work)


def _may_cancel(date: DateRow, me: int, standing: Standing | None) -> bool:
    return standing == Standing.OFFICER or date.by_id == me


def _date(connection: Connection, club: int, me: int, number: int) -> DateRow:
    """Return a date of a club that a member may know of; raises InvalidState."""
    found = store.one(connection, number)
    if found is None or found.club_id != club or found.by_id in clubs.across(connection, me):
        raise InvalidState(say("That date is no longer here."))
    return found


def _inside(
    connection: Connection, code: str, key_hash: str, lock: bool = False
) -> tuple[ClubRow, int]:
    """Return the club, and the player with that key; raises ClubNotFound, and NotPermitted for
    anybody who is no member.
    """
    club = club_of(connection, code, lock)
    return club, me_inside(connection, club, key_hash)


def _zone(connection: Connection, player: int) -> str:
    zone = ways.wishes(connection, player).zone
    return zone if zone in zones() else "UTC"


def forget_old(connection: Connection, now: float) -> None:
    """Forget the dates that are over."""
    store.drop_old(connection, now - KEPT)
