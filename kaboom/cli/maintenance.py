"""Commands for hosts: `flask migrate`, `tables`, `replay`, `expire`, `backup`, …

None of them shows more of a running match than a spectator may see.
"""

import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import click
from flask import current_app
from flask.cli import with_appcontext

from kaboom.admin import service as admin
from kaboom.admin.service import COMMAND_LINE, backed_up
from kaboom.db.backup import InvalidBackup, head, load, save
from kaboom.db.database import Unavailable
from kaboom.db.migrate import missing, newest, upgrade
from kaboom.engine.toolkit.playthrough import lines_of
from kaboom.errors import CorruptedTable, InvalidState, TableNotFound
from kaboom.ratings import maintenance
from kaboom.records.verify import check
from kaboom.social.clubs import queries as club_store
from kaboom.social.clubs.service import ClubNotFound, dissolve
from kaboom.social.friends import queries as friends
from kaboom.social.friends.reports import REASONS
from kaboom.social.friends.reports import lines_of as messages_of
from kaboom.tables.maintenance import cleanup_queries
from kaboom.tables.maintenance.interventions import delete as take_away
from kaboom.tables.maintenance.interventions import renumber, stop
from kaboom.tables.service import TableService
from kaboom.tables.snapshot import TableSnapshot

PAGE = 50
UNSAID = "no reason given"  # recorded in the list of acts for commands that take no reason
COUNTED = click.IntRange(1, 10_000_000)  # within the range of both databases' integers


def service() -> TableService:
    """Return the table service; raises ClickException if the database is not migrated."""
    found: TableService = current_app.config["TABLES"]
    lacking = found.database.read(missing)
    if lacking:
        raise click.ClickException(lacking)
    return found


@click.command()
@with_appcontext
def migrate() -> None:
    """Migrate the database to the latest schema.

    A database of a later version is left unchanged.
    """
    settings = current_app.config["SERVER"]
    upgrade(settings.database_url, settings.secret_key)


@click.group()
def tables() -> None:
    """Tables on this server: list, show, end, delete."""


@tables.command("list")
@click.option("--playing", is_flag=True, help="List only tables with a match in progress.")
@click.option("--page", type=COUNTED, default=1, show_default=True)
@with_appcontext
def list_tables(playing: bool, page: int) -> None:
    """List tables, most recently used first."""
    first = (page - 1) * PAGE
    found = service().database.read(lambda c: cleanup_queries.listing(c, PAGE + 1, first, playing))
    if not found:
        click.echo("No tables.")
        return
    for line in found[:PAGE]:
        touched = time.strftime("%Y-%m-%d %H:%M", time.localtime(line.touched_at))
        state = "playing" if line.playing else "-"
        click.echo(f"{line.code}  {line.game:8} {state:8} matches {line.matches:<4} {touched}")
    if len(found) > PAGE:
        click.echo(f"Next page: --page {page + 1}")


@tables.command()
@click.argument("code")
@with_appcontext
def show(code: str) -> None:
    """Show a table as a spectator sees it."""
    snapshot = _found(code)
    table = snapshot.table
    for seat, occupant in table.sitting():
        kind = "bot" if occupant.bot else "host" if occupant.player == table.host else "player"
        click.echo(f"seat {seat}: {occupant.name} ({kind})")
    state = "playing" if table.playing else "not playing"
    click.echo(f"{snapshot.game.name}, match {table.match}, {table.seq} moves, {state}")
    if table.match:
        click.echo("\n".join(lines_of(snapshot.game.view(snapshot.state, None))))


@tables.command()
@click.argument("code")
@click.confirmation_option(prompt="End this match without a result?")
@with_appcontext
def end(code: str) -> None:
    """End a table's match without a result."""
    _found(code)
    try:
        admin.end_table(service(), COMMAND_LINE, code.upper(), UNSAID)
    except InvalidState as no:
        click.echo(str(no))
    else:
        click.echo("Ended.")


@tables.command()
@click.argument("codes", nargs=-1, required=True)
@click.confirmation_option(prompt="Delete for good? Finished matches stay as records.")
@with_appcontext
def delete(codes: tuple[str, ...]) -> None:
    """Delete tables."""
    for code in codes:
        _found(code)
        take_away(service(), code.upper())
        admin.note(service(), COMMAND_LINE, f"table {code.upper()}", "deleted")
        click.echo(f"{code}: deleted")


@click.command()
@click.option("--void", "code", default="", help="Remove this match from the ratings first.")
@with_appcontext
def ratings(code: str) -> None:
    """Recompute all ratings, and report differences."""
    if code:
        try:
            admin.void(service(), COMMAND_LINE, code.upper(), UNSAID)
        except InvalidState:
            click.echo(f"{code}: this match was not rated.")
        else:
            click.echo(f"{code}: no longer rated.")
    wrong = maintenance.check(service())
    click.echo("\n".join(wrong) or "All ratings follow from their matches.")
    if wrong:
        sys.exit(1)


@click.group()
def reports() -> None:
    """Reports about players: list, show, close. Reports are deleted after 90 days."""


@reports.command("list")
@click.option("--all", "every", is_flag=True, help="List closed reports as well.")
@with_appcontext
def list_reports(every: bool) -> None:
    """List reports, newest first."""
    found = service().database.read(friends.all_reports)
    shown = [it for it in found if every or not it.closed]
    for it in shown:
        day = time.strftime("%Y-%m-%d", time.gmtime(it.at))
        state = "closed" if it.closed else "open"
        about = it.about or "a deleted player"
        click.echo(
            f"{it.id:5}  {day}  {state:6}  {it.code}  {about}: {REASONS[it.reason]}"
            + (f" “{it.words}”" if it.words else "")
        )
    if not shown:
        click.echo("No reports.")


@reports.command("show")
@click.argument("number", type=COUNTED)
@with_appcontext
def show_report(number: int) -> None:
    """Show a report and the chat before it, with numbers for `host delete`."""
    it = service().database.read(lambda connection: friends.report(connection, number))
    if it is None:
        raise click.ClickException(f"{number}: no such report")
    click.echo(
        f"{it.by or 'A deleted player'} about {it.about or 'a deleted player'}, table {it.code}"
    )
    click.echo(REASONS[it.reason])
    if it.words:
        click.echo(f"“{it.words}”")
    who = {"about": it.about or "about", "by": it.by or "by"}
    for line, said in enumerate(messages_of(it.evidence), 1):
        when = time.strftime("%Y-%m-%d %H:%M  ", time.gmtime(said.at)) if said.at else ""
        author = who.get(said.author, said.author)
        mark = " (reported)" if said.marked else ""
        click.echo(f"{line:4}  {when}{author}: {said.text or '(deleted)'}{mark}")


@reports.command("close")
@click.argument("number", type=COUNTED)
@with_appcontext
def close_report(number: int) -> None:
    """Mark a report as dealt with. This has no other effect."""
    try:
        admin.close_report(service(), COMMAND_LINE, number, UNSAID)
    except InvalidState:
        raise click.ClickException(f"{number}: no such report") from None
    click.echo("Closed.")


@click.group()
def clubs() -> None:
    """Clubs on this server: list, end. Only members see who is in a club."""


@clubs.command("list")
@click.option("--page", type=COUNTED, default=1, show_default=True)
@with_appcontext
def list_clubs(page: int) -> None:
    """List clubs, newest first."""
    first = (page - 1) * PAGE
    found = service().database.read(lambda c: club_store.listing(c, PAGE + 1, first))
    for it in found[:PAGE]:
        click.echo(f"{it.code}  officers {it.officers:<3} members {it.members:<4} {it.name}")
    if not found:
        click.echo("No clubs.")
    if len(found) > PAGE:
        click.echo(f"Next page: --page {page + 1}")


@clubs.command("end")
@click.argument("code")
@click.confirmation_option(prompt="End this club for good? Its tables and matches stay.")
@with_appcontext
def end_club(code: str) -> None:
    """End a club."""
    try:
        dissolve(service(), code.upper())
    except ClubNotFound:
        raise click.ClickException(f"{code}: no such club") from None
    click.echo(f"{code}: ended")


@click.command()
@click.option("--days", type=click.IntRange(1), help="Days without use; overrides EXPIRE_DAYS.")
@with_appcontext
def expire(days: int | None) -> None:
    """Delete tables unused for EXPIRE_DAYS. The server also does this automatically."""
    days = days or current_app.config["SERVER"].expire_days
    if not days:
        click.echo("EXPIRE_DAYS is 0: tables never expire.")
        return
    total = admin.expire(service(), COMMAND_LINE, days, UNSAID)
    click.echo(f"{total} tables unused for {days} days were deleted.")


@click.command()
@click.argument("codes", nargs=-1)
@click.option("--all", "every", is_flag=True, help="Check all tables on the server.")
@with_appcontext
def replay(codes: tuple[str, ...], every: bool) -> None:
    """Replay matches from their logs and report differences."""
    if not codes and not every:
        raise click.UsageError("Give table codes, or --all.")
    chosen = _all_codes() if every else list(codes)
    failed = 0
    with click.progressbar(chosen, label="Replaying", hidden=not every) as bar:
        for code in bar:
            try:
                found = check(service(), code.upper())
            except TableNotFound:
                click.echo(f"{code}: no such table")
                failed += 1
                continue
            if found.wrong or not every:
                sentence = "; ".join(found.wrong) or "all as stored"
                click.echo(f"{code}: {found.moves} moves, {sentence}")
            failed += bool(found.wrong)
    if every:
        click.echo(f"{len(chosen)} tables, {failed} with a difference.")
    sys.exit(failed > 0)


@click.command()
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@with_appcontext
def backup(file: Path) -> None:
    """Write the whole database into FILE while people play."""
    rows = save(service().database, file, _counted("written"))
    with suppress(Unavailable):  # a standby can be backed up, but not written to
        backed_up(service(), COMMAND_LINE, file.stat().st_size)
    click.echo(f"{rows} rows in {file}. Keep SECRET_KEY as well: it is needed to read them.")


@click.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option(
    "--resume",
    is_flag=True,
    help="Resume running matches. Use this only if no moves were made since the backup.",
)
@with_appcontext
def restore(file: Path, resume: bool) -> None:
    """Fill an empty database from a backup.

    The backup may come from SQLite or PostgreSQL.

    Running matches are ended without a result, because their players may have seen cards since the
    backup. With --resume they continue, for example after a move to another server.
    """
    settings = current_app.config["SERVER"]
    try:
        # Later migrations change rows, so a restored database must run them as well.
        revision = max(str(head(file).get("schema", "")), "0020")
        upgrade(settings.database_url, settings.secret_key, min(revision, newest()))
        database = current_app.config["TABLES"].database
        rows = load(database, file, _counted("restored"))
        upgrade(settings.database_url, settings.secret_key)
    except InvalidBackup as bad:
        raise click.ClickException(str(bad)) from None
    click.echo(f"{rows} rows restored.")
    if not resume:
        for code in _all_codes():
            with suppress(TableNotFound):  # damaged
                renumber(service(), code)
        ended = 0
        for code in _all_codes(playing=True):
            try:
                ended += stop(service(), code)
            except CorruptedTable:
                click.echo(f"{code}: damaged; cannot be continued.")
        click.echo(f"{ended} running matches ended without a result.")


def _found(code: str) -> TableSnapshot:
    try:
        return service().get(code.upper())
    except TableNotFound:
        raise click.ClickException(f"{code}: no such table") from None


def _all_codes(playing: bool = False) -> list[str]:
    return list(service().database.read(lambda c: cleanup_queries.codes(c, playing)))


def _counted(done: str) -> Callable[[int], None]:
    """Return a function that shows progress on one line of a terminal, so that long work does not
    look stuck. The next output overwrites that line. Outside a terminal, for example in a scheduled
    job, it writes nothing.
    """

    def say(rows: int) -> None:
        if sys.stderr.isatty():
            click.echo(f"{rows} rows {done} …\r", nl=False, err=True)

    return say
