"""Bots' chat at big moments: an occasional quick phrase about public events."""

from collections.abc import Iterable, Mapping, Sequence

from sqlalchemy import Connection

from kaboom.accounts import player_queries
from kaboom.engine.bots.names import character
from kaboom.engine.moves import Seat
from kaboom.engine.play import Event
from kaboom.engine.rng import Rng
from kaboom.engine.views import Outcome
from kaboom.social.chat import queries as chat
from kaboom.tables.change import TableChange
from kaboom.tables.table import Table

ONE_IN = 2  # a bot speaks at one in this many big moments
HOUSE = "house "  # precedes a bot's name, which stands in for a person's key hash


def speak(change: TableChange, events: Sequence[Event], outcome: Outcome | None) -> None:
    """Let a bot comment on what happened, occasionally."""
    table = change.table
    assert change.key is not None
    found = moments(table, change.game.moments, events, outcome)
    line = spoken(table, found, Rng(change.key, table.seq, "talk"))
    if line is not None:
        write(change.connection, change.row.id, table, line, change.now)


def moments(
    table: Table, kinds: Mapping[str, str], events: Iterable[Event], outcome: Outcome | None
) -> Sequence[tuple[Seat, str]]:
    """Return the bots that have just had a big moment, each with its kind.

    `kinds` are the game's events that are big for the player who caused them. At the end of a
    match, the bots that won speak; if only people won, all bots do.
    """
    bots = [seat for seat, occupant in table.sitting() if occupant.bot]
    if outcome is not None:
        winners = outcome.winners
        won = [(seat, "won") for seat in bots if seat in winners]
        return won or [(seat, "lost") for seat in bots if winners]
    return [
        (event.facts["seat"], kinds[event.kind])
        for event in events
        if event.to is None and event.kind in kinds and event.facts.get("seat") in bots
    ]


def spoken(table: Table, found: Sequence[tuple[Seat, str]], rng: Rng) -> tuple[str, str] | None:
    """Return a bot's name and a phrase, or None, at random; always None if the host wants no bot
    chat.
    """
    if not (table.banter and found) or rng.randrange(ONE_IN):
        return None
    seat, moment = rng.choice(found)
    name = table.occupant(seat).name
    known = character(name)
    return (name, known.says[moment]) if known else None


def write(
    connection: Connection, table_id: int, table: Table, line: tuple[str, str], now: float
) -> None:
    """Store a bot's chat message. Bots can be muted: each is a player without a key."""
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
