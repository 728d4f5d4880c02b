"""The rows that are printed."""

from collections.abc import Iterable
from typing import NamedTuple


class Row(NamedTuple):
    """One line: what was measured, the figure, its target, whether it holds (None: no target)."""

    name: str
    figure: str
    target: str = ""
    ok: bool | None = None


def at_most(name: str, value: float, target: float, unit: str = "", more: str = "") -> Row:
    """Return the row of a value that should not be above its target."""
    figure = f"{short(value)}{unit}" + (f" ({more})" if more else "")
    return Row(name, figure, f"≤ {short(target)}{unit}", value <= target)


def short(value: float) -> str:
    """Return a number with as many digits as it deserves."""
    if value == int(value):
        return f"{int(value):,}"
    digits = 0 if abs(value) >= 100 else 1 if abs(value) >= 10 else 2
    return f"{value:,.{digits}f}"


def printed(rows: Iterable[Row]) -> str:
    """Return the rows as a table, readable as text and as Markdown."""
    cells = [("what", "figure", "target", "ok?")]
    cells += [
        (r.name, r.figure, r.target, {True: "yes", False: "NO", None: ""}[r.ok]) for r in rows
    ]
    widths = [max(len(line[column]) for line in cells) for column in range(4)]
    cells.insert(1, ("-" * widths[0], "-" * widths[1], "-" * widths[2], "-" * widths[3]))
    return "\n".join(f"| {_aligned(line, widths)} |" for line in cells)


def _aligned(line: tuple[str, ...], widths: list[int]) -> str:
    return " | ".join(text.ljust(width) for text, width in zip(line, widths, strict=True))
