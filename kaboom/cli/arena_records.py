"""Arena matches as records, which any server opens at /replay."""

from collections.abc import Sequence
from typing import Any

from msgspec import to_builtins

from kaboom.engine.bots.bot import Level
from kaboom.engine.codec import to_json
from kaboom.engine.fairness.commitment import commitment
from kaboom.engine.fairness.hash_chain import links
from kaboom.engine.game import Game
from kaboom.engine.rng import SEED_BYTES
from kaboom.engine.views import Outcome
from kaboom.tables.match_record import record_of, text_of
from kaboom.tables.queries import MatchRow, MoveRow

CODE = "ARENAARE"


def recorded(
    game: Game[Any],
    options: Any,
    deal: int,
    own: Sequence[int],
    level: Level | None,
    log: Sequence[str],
    outcome: Outcome,
) -> str:
    """Return the record of a match as a file. `own` has the seats of the tested bot; `level` is the
    level of the others. No clock was read, so all times in the record are 0 (1970).
    """
    count, seed = len(outcome.scores), deal.to_bytes(SEED_BYTES, "big")
    names = [f"{'Bot' if seat in own else 'House'} {seat + 1}" for seat in range(count)]
    moves = [MoveRow(n, f"arena {n}", text, 0.0, "") for n, text in enumerate(log, 1)]
    chains = links(seed, commitment(seed), moves)
    log_rows = [it._replace(chain=chain) for it, chain in zip(moves, chains, strict=True)]
    levels = ["" if seat in own else level for seat in range(count)] if level else []
    row = MatchRow(
        id=0,
        code=CODE,
        table_id=None,
        number=1,
        game=game.key,
        game_version=game.version,
        options=to_json(to_builtins(options)).decode(),
        names=to_json(names).decode(),
        seed=seed,
        cuts="[]",
        started_at=0.0,
        ended_at=0.0,
        outcome=to_json(outcome).decode(),
        digest=None,
        hidden=False,
        levels=to_json(levels).decode(),
    )
    return text_of(record_of(row, log_rows))
