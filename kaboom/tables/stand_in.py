"""What a bot that is given somebody's seat in the middle of a match may remember."""

from collections.abc import Iterable

from msgspec import Raw

from kaboom.core.codec import from_json, to_json
from kaboom.core.engine import replay
from kaboom.core.moves import Seat
from kaboom.tables.snapshot import TableSnapshot


def remembered(snapshot: TableSnapshot, moves: Iterable[str], seat: Seat) -> Raw:
    """Return the memory of a bot that had sat there since the deal.

    It goes through the match by its log and notices what the seat heard, nothing else.
    """
    table, game = snapshot.table, snapshot.game
    assert game.bot is not None
    assert snapshot.key is not None
    memory = game.bot.memory()
    options = from_json(bytes(table.options), game.options)
    for _, step in replay(game, len(table.seats), options, snapshot.key, moves):
        for event in step.events:
            if event.heard_by(seat):
                game.bot.notice(memory, event, seat)
    return Raw(to_json(memory))
