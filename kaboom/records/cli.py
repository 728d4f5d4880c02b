"""Commands for finished matches: `flask record` and `flask verify`."""

import sys
from pathlib import Path

import click
from flask import current_app
from flask.cli import with_appcontext

from kaboom.accounts.names import cleaned
from kaboom.records.access import RecordNotFound
from kaboom.records.service import MatchArchive
from kaboom.records.verify import checked
from kaboom.tables.match_record import InvalidRecord, record_from, text_of


@click.command()
@click.argument("code")
@with_appcontext
def record(code: str) -> None:
    """Print the record of a finished match."""
    library: MatchArchive = current_app.config["LIBRARY"]
    try:
        replay, _ = library.find(code.upper(), host=True)
    except RecordNotFound as no:
        raise click.ClickException(str(no)) from None
    click.echo(text_of(replay.record), nl=False)


@click.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@with_appcontext
def verify(file: Path) -> None:
    """Verify a record file and print its faults."""
    try:
        text = file.read_text(encoding="utf-8")
        found = record_from(text)
    except (InvalidRecord, UnicodeDecodeError) as bad:
        raise click.ClickException(str(bad)) from None
    wrong = list(checked(found).wrong)
    if text != text_of(found):
        wrong.append("The file is not as a server writes it. It has been edited.")
    click.echo(f"{cleaned(found.code)}: {len(found.moves)} moves, {' '.join(wrong) or 'all true'}")
    sys.exit(bool(wrong))
