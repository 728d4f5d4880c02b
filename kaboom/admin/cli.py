"""`kaboom host …`: the acts of the host's pages on the command line. None of them shows a running
match.
"""

import time
from collections.abc import Callable

import click
from flask import current_app
from flask.cli import with_appcontext
from sqlalchemy import Connection

from kaboom.admin import evidence, match_queries, queries, sanctions, service
from kaboom.admin.match_queries import Wanted
from kaboom.admin.texts import KINDS_OF_ACTS
from kaboom.db.migrate import missing
from kaboom.errors import InvalidState
from kaboom.social.friends import queries as friends
from kaboom.tables.service import TableService

WHY = click.option(
    "--why", required=True, help="The reason, which is kept and shown to the player."
)
KINDS = {"warn": sanctions.WARN, "mute": sanctions.MUTE, "ban": sanctions.OUT}
NAMES = {kind: name for name, kind in KINDS.items()}


def _tables() -> TableService:
    found: TableService = current_app.config["TABLES"]
    if lacking := found.database.read(missing):
        raise click.ClickException(lacking)
    return found


@click.group()
def host() -> None:
    """Hosts of this server and what they do, as at /host."""


@host.command()
@with_appcontext
def link() -> None:
    """Print a one-use link that makes a browser's player a host, valid for 30 minutes."""
    tables = _tables()
    public = current_app.config["SERVER"].public_url
    path = f"/host/login/{service.new_link(tables)}"
    click.echo(f"{public}{path}" if public else f"Open this path on your site: {path}")


@host.command()
@with_appcontext
def links() -> None:
    """List the unused links, each with the word that `withdraw` takes."""
    tables = _tables()
    now = tables.now()
    lines = [
        f"{it.word}  made by {it.host}, for {max(1, int((it.until - now) // 60))} more minutes"
        for it in service.unused_links(tables)
    ]
    click.echo("\n".join(lines) or "No unused links.")


@host.command()
@click.argument("word")
@with_appcontext
def withdraw(word: str) -> None:
    """Withdraw an unused link; WORD is from `links`."""
    _done(lambda: service.withdraw_link(_tables(), service.COMMAND_LINE, word))


@host.command("list")
@with_appcontext
def list_hosts() -> None:
    """List the hosts, with their numbers."""
    found = _tables().database.read(queries.hosts)
    click.echo("\n".join(f"{number:6}  {name}" for number, name in found) or "No hosts.")


@host.command()
@click.argument("number", type=click.IntRange(1))
@WHY
@with_appcontext
def remove(number: int, why: str) -> None:
    """Remove a host; NUMBER is from `list`."""
    gone = service.remove_host(_tables(), service.COMMAND_LINE, number, why)
    click.echo("Removed." if gone else "There is no such host.")


@host.command()
@click.argument("player", type=click.IntRange(1))
@WHY
@with_appcontext
def make(player: int, why: str) -> None:
    """Make a player a host; PLAYER is their number."""
    _done(lambda: service.make_host(_tables(), service.COMMAND_LINE, player, why))


@host.command()
@click.argument("number", type=click.IntRange(1))
@WHY
@with_appcontext
def reopen(number: int, why: str) -> None:
    """Mark a closed report as open again."""
    _done(lambda: service.close_report(_tables(), service.COMMAND_LINE, number, why, closed=False))


@host.command()
@click.option("--most", type=click.IntRange(1, 10_000), default=50, show_default=True)
@click.option("--kind", type=click.Choice([*KINDS_OF_ACTS]), help="Only acts of this kind.")
@with_appcontext
def acts(most: int, kind: str | None) -> None:
    """List what hosts did, newest first."""
    kinds = KINDS_OF_ACTS[kind][1] if kind else ()
    for it in _tables().database.read(lambda c: queries.acts(c, most, kinds=kinds)):
        click.echo(f"{_day(it.at)}  {it.host}: {it.act} {it.about} {it.why}".rstrip())


@host.command()
@click.argument("kind", type=click.Choice([*KINDS]))
@click.argument("player", type=click.IntRange(1))
@WHY
@click.option("--days", type=int, default=0, help="How many days a mute or a ban lasts.")
@click.option(
    "--address",
    is_flag=True,
    help="With “ban”: also block the IP address of their next request.",
)
@with_appcontext
def sanction(kind: str, player: int, why: str, days: int, address: bool) -> None:
    """Warn, mute or ban a player; PLAYER is their number."""
    _done(
        lambda: sanctions.sanction(
            _tables(), service.COMMAND_LINE, player, KINDS[kind], why, days, by_address=address
        )
    )


@host.command("sanctions")
@with_appcontext
def list_sanctions() -> None:
    """List who is muted or banned now, with the numbers that `lift` takes."""
    tables = _tables()
    now = tables.now()

    def read(connection: Connection) -> list[str]:
        return [
            f"{it.id:6}  {NAMES[it.kind]:4}  until {_day(it.until)}  "
            f"{queries.name_of(connection, it.player)} ({it.player}): {it.why}"
            for it in queries.all_in_force(connection, now)
        ]

    click.echo("\n".join(tables.database.read(read)) or "No player is muted or banned.")


@host.command()
@click.argument("number", type=click.IntRange(1))
@WHY
@with_appcontext
def lift(number: int, why: str) -> None:
    """End a sanction; NUMBER is from `sanctions`."""
    _done(lambda: sanctions.lift(_tables(), service.COMMAND_LINE, number, why))


@host.command()
@click.argument("number", type=click.IntRange(1))
@click.option("--days", type=int, required=True, help="In how many days from now it ends.")
@WHY
@with_appcontext
def change(number: int, days: int, why: str) -> None:
    """Lengthen or shorten a sanction; NUMBER is from `sanctions`."""
    _done(lambda: sanctions.change(_tables(), service.COMMAND_LINE, number, why, days))


@host.command()
@click.argument("player", type=click.IntRange(1))
@click.argument("name")
@WHY
@with_appcontext
def rename(player: int, name: str, why: str) -> None:
    """Give a player another name."""
    _done(lambda: service.rename(_tables(), service.COMMAND_LINE, player, name, why))


@host.command()
@click.argument("kind", type=click.Choice(service.NOTICES))
@click.argument("text", default="")
@with_appcontext
def say(kind: str, text: str) -> None:
    """Show TEXT on every page; "halt" also stops new tables. Without TEXT, remove the notice."""
    _done(lambda: service.say(_tables(), service.COMMAND_LINE, kind, text))


@host.command()
@click.argument("search", default="")
@with_appcontext
def people(search: str) -> None:
    """List the players whose name or number matches SEARCH, most recently active first."""
    found = _tables().database.read(lambda c: queries.people(c, search.strip()[:80], 200))
    lines = (f"{it.id:9}  {_day(it.acted or it.since)}  {it.name}" for it in found)
    click.echo("\n".join(lines) or "No player has this name or number.")


@host.command()
@click.argument("about")
@WHY
@with_appcontext
def note(about: str, why: str) -> None:
    """Add a note about a player, a report or a table, which only hosts read."""
    _done(lambda: service.note(_tables(), service.COMMAND_LINE, about, why))


@host.command()
@click.argument("report", type=click.IntRange(1))
@click.argument("line", type=click.IntRange(1))
@WHY
@with_appcontext
def delete(report: int, line: int, why: str) -> None:
    """Delete a reported message from its chat or review; LINE is from `reports show`."""
    tables = _tables()

    def read(connection: Connection) -> tuple[str, int]:
        if found := friends.report(connection, report):
            place = queries.place_of(connection, found.code)
            lines = evidence.lines(connection, found, bool(place[0]))
            if len(lines) >= line and (stored := lines[line - 1].stored):
                return found.code, stored.id
        raise InvalidState("There is no such message.")

    def work() -> None:
        code, number = tables.database.read(read)
        service.delete_line(tables, service.COMMAND_LINE, code, number, why)

    _done(work)


@host.command()
@click.argument("search", default="")
@with_appcontext
def matches(search: str) -> None:
    """List the matches being played: all, or by a player's name or the table's code."""

    def read(connection: Connection) -> list[str]:
        former = queries.taken_names(connection, search)
        wanted = Wanted(search.strip()[:80], search.strip().upper(), former)
        found, _count = match_queries.running(connection, 200, wanted)
        return [f"{it.code}  {_day(it.since)}  {it.game}  {it.names}" for it in found]

    click.echo("\n".join(_tables().database.read(read)) or "No such match is being played.")


@host.command()
@click.argument("code")
@WHY
@with_appcontext
def end(code: str, why: str) -> None:
    """End a table's match without a result."""
    _done(lambda: service.end_table(_tables(), service.COMMAND_LINE, code.upper(), why))


@host.command()
@click.argument("code")
@WHY
@with_appcontext
def void(code: str, why: str) -> None:
    """Remove a match from the ratings."""
    _done(lambda: service.void(_tables(), service.COMMAND_LINE, code.upper(), why))


@host.command()
@click.option("--days", type=int, required=True, help="Delete tables unused for this many days.")
@WHY
@with_appcontext
def expire(days: int, why: str) -> None:
    """Delete unused tables."""
    _done(lambda: service.expire(_tables(), service.COMMAND_LINE, days, why))


def _day(at: float) -> str:
    return time.strftime("%Y-%m-%d %H:%M", time.gmtime(at))


def _done(work: Callable[[], object]) -> None:
    try:
        work()
    except InvalidState as no:
        raise click.ClickException(str(no)) from None
    click.echo("Done.")
