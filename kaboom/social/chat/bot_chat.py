"""What bots say at big moments: a quick phrase, now and then, about what everybody has seen."""

from collections.abc import Iterable, Mapping, Sequence

from sqlalchemy import Connection

from kaboom.accounts import player_queries
from kaboom.engine.bots.names import character
from kaboom.engine.moves import Seat
from kaboom.engine.play import Event
from kaboom.engine.rng import Chance
from kaboom.engine.views import Outcome
from kaboom.social.chat import queries as chat
from kaboom.tables.change import TableChange
from kaboom.tables.table import Table

ONE_IN = 2  # big moments at which something is said
HOUSE = "house "  # before the name, where people have the hash of their key


def speak(change: TableChange, events: Sequence[Event], outcome: Outcome | None) -> None:
    """Let a bot say something about what has happened, now and then."""
    table = change.table
    assert change.key is not None
    found = moments(table, change.game.moments, events, outcome)
    line = spoken(table, found, Chance(change.key, table.seq, "talk"))
    if line is not None:
        write(change.connection, change.row.id, table, line, change.now)


def moments(
    table: Table, kinds: Mapping[str, str], events: Iterable[Event], outcome: Outcome | None
) -> Sequence[tuple[Seat, str]]:
    """Return the bots for whom something big has happened, each with what it was.

    `kinds` are the game's events that are big for whoever did them. Of the end of a match the
    winners speak; where people have won, the others do.
    """
    bots = [seat for seat, chair in table.sitting() if chair.bot]
    if outcome is not None:
        winners = outcome.winners
        won = [(seat, "won") for seat in bots if seat in winners]
        return won or [(seat, "lost") for seat in bots if winners]
    return [
        (event.facts["seat"], kinds[event.kind])
        for event in events
        if event.to is None and event.kind in kinds and event.facts.get("seat") in bots
    ]


def spoken(
    table: Table, found: Sequence[tuple[Seat, str]], chance: Chance
) -> tuple[str, str] | None:
    """Return who says which phrase, or None: mostly, and where the host wants no talk of bots."""
    if not (table.banter and found) or chance.below(ONE_IN):
        return None
    seat, moment = chance.one_of(found)
    name = table.chair(seat).name
    known = character(name)
    return (name, known.says[moment]) if known else None


def write(
    connection: Connection, table_id: int, table: Table, line: tuple[str, str], now: float
) -> None:
    """Write what a bot says. It can be muted like anybody: it is a player without a key."""
    name, phrase = line
    known = player_queries.player(connection, HOUSE + name)
    player = known[0] if known else player_queries.add_player(connection, HOUSE + name, name, now)
    values = {
        "table_id": table_id,
        "player_id": player,
        "name": name,
        "text": "",
        "phrase": phrase,
        "at": now,
        "match": table.match,
        "watcher": False,
    }
    chat.add_line(connection, values)
