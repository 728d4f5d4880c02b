"""What tournaments and the deal of the day do at a table and with accounts."""

from sqlalchemy import Connection

from kaboom.accounts import hooks as account_hooks
from kaboom.notifications import reminders
from kaboom.notifications.waiting import CHECK_IN
from kaboom.social.clubs import tournaments as club_tournaments
from kaboom.tables import hooks, jobs
from kaboom.tables.maintenance import recovery
from kaboom.tables.service import Tables
from kaboom.tables.table import NOBODY, Hints, Table, Welcome
from kaboom.tournaments import club_list, queries, results, service
from kaboom.tournaments import reminders as check_in
from kaboom.tournaments.daily import service as daily
from kaboom.tournaments.scheduler import Director


def enter_again(connection: Connection, table: Table, table_id: int) -> None:
    """Let a table of a tournament that was rebuilt know so again: its result is waited for."""
    found = queries.pod_at(connection, table_id)
    if found is None:
        return
    table.pod, table.tournament, entrants = found
    table.host, table.hints, table.programs = NOBODY, Hints.NONE, Welcome.NEVER
    people = {it.player_id: it.number for it in entrants}
    bots = {it.name: it.number for it in entrants if it.player_id is None}
    for _, chair in table.sitting():
        known = bots.get(chair.name, 0) if chair.bot else people.get(chair.player, 0)
        chair.entrant = known


def leave_to(tables: Tables, guest: int, other: int) -> bool:
    """Let a guest leave the tournaments that the player they become has entered, too."""
    service.depart(tables, guest, beside=other)
    return True


hooks.before_deal.append(results.begin)
hooks.after_match.append(results.end)
hooks.on_delete.append(queries.part_from_table)
account_hooks.on_erase.append(queries.forget)
account_hooks.before_merge.append(leave_to)
account_hooks.on_merge.append(queries.join)
recovery.on_rebuild.append(enter_again)
jobs.hourly.append(daily.promise_ahead)
jobs.runners.append(Director)
reminders.kinds[CHECK_IN] = check_in.told
club_tournaments.sources.append(club_list.listed)
