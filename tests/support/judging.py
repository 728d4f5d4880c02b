"""The values of moves after all deals."""

from kaboom.engine.bots.analysis import judging


def judge(*position, **how):
    """Return the values of the moves, best first (see `judging`)."""
    *_before, values = judging(*position, **how)
    return values
