"""Hooks of tournaments for tables and accounts."""

from sqlalchemy import Connection

from kaboom.accounts import hooks as account_hooks
from kaboom.accounts import player_queries
from kaboom.notifications import reminders
from kaboom.notifications.notification import CHECK_IN
from kaboom.social.clubs import tournaments as club_tournaments
from kaboom.tables import hooks, jobs, start_match
from kaboom.tables.maintenance import recovery
from kaboom.tables.service import TableService
from kaboom.tables.table import NO_HOST, Hints, Table, Welcome
from kaboom.tournaments import club_list, queries, ready, results, service
from kaboom.tournaments import reminders as check_in
from kaboom.tournaments.scheduler import TournamentScheduler


def enter_again(connection: Connection, table: Table, table_id: int) -> None:
    """Restore the link between a rebuilt table and its tournament."""
    found = queries.pod_at(connection, table_id)
    if found is None:
        return
    table.pod, table.tournament, entrants = found
    table.host, table.hints, table.programs = NO_HOST, Hints.NONE, Welcome.NEVER
    people = {it.player_id: it.number for it in entrants}
    bots = {it.name: it.number for it in entrants if it.player_id is None}
    for _, occupant in table.sitting():
        known = bots.get(occupant.name, 0) if occupant.bot else people.get(occupant.player, 0)
        occupant.entrant = known


def leave_all(tables: TableService, key_hash: str) -> None:
    """Withdraw the player with this key from all tournaments before their account is erased."""
    player = tables.database.read(lambda c: player_queries.player(c, key_hash))
    if player is not None:
        service.depart(tables, player[0])


def leave_to(tables: TableService, guest: int, other: int) -> bool:
    """Withdraw a merged guest from tournaments that the other player has also entered."""
    service.depart(tables, guest, beside=other)
    return True


start_match.on_ready.append(ready.may_begin)
hooks.before_deal.append(results.begin)
hooks.after_match.append(results.end)
hooks.on_delete.append(queries.part_from_table)
account_hooks.before_erase.append(leave_all)
account_hooks.on_erase.append(queries.forget)
account_hooks.before_merge.append(leave_to)
account_hooks.on_merge.append(queries.join)
recovery.on_rebuild.append(enter_again)
jobs.runners.append(TournamentScheduler)
reminders.kinds[CHECK_IN] = check_in.told
club_tournaments.sources.append(club_list.listed)
