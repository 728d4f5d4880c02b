"""How often a test tries: a little at the gate, much in `make soak`, which sets KABOOM_LONG."""

import os

LONG = bool(os.environ.get("KABOOM_LONG"))


def often(gate: int, soak: int) -> int:
    """Return how often to try here."""
    return soak if LONG else gate
