"""Measure, and print one table: `python -m bench`, or only some rows: `python -m bench rules`."""

import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from bench import (
    crowd,
    growth,
    long,
    moves,
    programs,
    rules,
    streams,
    visit,
    voices,
    workers,
)
from bench.table import Row, printed

PARTS: dict[str, Callable[[Path], list[Row]]] = {
    "move": moves.cost,
    "pace": moves.pace,
    "reveal": moves.reveal,
    "long": long.rows,
    "streams": streams.rows,
    "visit": visit.rows,
    "voices": voices.rows,
    "programs": programs.rows,
    "crowd": crowd.rows,
    "rules": rules.rows,
}
# What takes too long to be measured with the rest, or needs a PostgreSQL.
APART: dict[str, Callable[[Path], list[Row]]] = {"growth": growth.rows, "workers": workers.rows}


def main(wanted: list[str]) -> int:
    """Print the rows that are wanted. A missed target is said in the table, it is no error."""
    parts = PARTS | APART
    unknown = [name for name in wanted if name not in parts]
    if unknown:
        print(f"There is no {unknown[0]}; there is {', '.join(parts)}.", file=sys.stderr)
        return 2
    rows = []
    for name in wanted or PARTS:
        began = time.monotonic()
        with tempfile.TemporaryDirectory(prefix="kaboom-bench-") as folder:
            rows += parts[name](Path(folder))
        print(f"{name}: {time.monotonic() - began:.0f} s", file=sys.stderr)
    print(printed(rows))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
