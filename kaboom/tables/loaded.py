"""A table as read from the store, with its game and state."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import inf
from typing import Any

from kaboom.core.chance import match_key
from kaboom.core.codec import from_json
from kaboom.core.engine import prompts
from kaboom.core.game import Game
from kaboom.core.moves import Seat
from kaboom.core.views import Prompt
from kaboom.games import GAMES
from kaboom.store import queries
from kaboom.tables.table import Table


@dataclass(frozen=True, slots=True)
class Loaded:
    """A table as read: treat it as frozen. `player` is the id of the one who asked, if known."""

    code: str
    version: int
    table: Table
    game: Game[Any]
    state: Any
    seed: bytes | None
    key: bytes | None  # what chance is drawn by: the seed cut by the players
    touched_at: float  # when it last changed, in seconds since 1970
    prompts: Sequence[Prompt]  # of every seat of the match that is played, else none
    player: int | None = None
    player_name: str = ""
    talk: int = 0  # lines of chat written and deleted so far, as the one who asked found it
    until: float = inf  # to a spectator who sees it later: how late it may be what is seen
    closed: bool = False  # that a match is on is all that may be seen
    listed: bool = False  # found in the lobby, rather than by its link only
    locked: bool = False  # asks for a password

    @property
    def me(self) -> Seat | None:
        """Return the seat of the one who asked, or None for a spectator."""
        return self.table.seat_of(self.player)

    def prompt(self) -> Prompt | None:
        """Return the prompt of the one who asked, or None when there is none."""
        me = self.me
        return self.prompts[me] if me is not None and me < len(self.prompts) else None

    def waiting_for(self) -> list[Seat]:
        """Return the seats everybody may know the game to be waiting for, in seat order."""
        return [prompt.seat for prompt in self.prompts if prompt.openly_waited_for]

    def asked_by(self, player: int | None, name: str | None) -> "Loaded":
        """Return the same table as this player finds it."""
        return self if player is None else replace(self, player=player, player_name=name or "")


def loaded(row: queries.TableRow) -> Loaded:
    """Return the table of a stored row."""
    table = from_json(row.body, Table)
    game = GAMES[row.game]
    state = from_json(bytes(table.state), game.state) if table.match else None
    listeners = game.listeners(state) if table.playing else ()
    seats = len(table.seats) if table.playing else 0
    key = None if row.seed is None else match_key(row.seed, from_json(row.cuts or "[]", list))
    offered = prompts(listeners, seats)
    return Loaded(
        row.code,
        row.version,
        table,
        game,
        state,
        row.seed,
        key,
        row.touched_at,
        offered,
        listed=row.listed,
        locked=bool(row.password),
    )
