"""The geometry of a small chart that templates render as SVG: bars over time."""

from collections.abc import Sequence
from typing import NamedTuple

WIDTH, HEIGHT = 240, 64  # height of the bars without labels
GAP = 4


class Bar(NamedTuple):
    """A bar of a chart; `height` is 0 if there is no value."""

    x: float
    y: float
    width: float
    height: float


def bars(values: Sequence[float | None]) -> list[Bar]:
    """Return a bar for each value; its height is the value's magnitude relative to the largest
    one.
    """
    known = [abs(it) for it in values if it is not None]
    most = max(known, default=0.0) or 1.0
    step = WIDTH / max(6, len(values))
    found = []
    for number, value in enumerate(values):
        height = 0.0 if value is None else max(1.0, round(HEIGHT * abs(value) / most, 1))
        found.append(
            Bar(
                round(number * step + GAP / 2, 1),
                round(HEIGHT - height, 1),
                round(step - GAP, 1),
                height,
            )
        )
    return found
