"""Powers of floats with identical results on every machine.

Bots' decisions depend on floats, and the same seed must give the same match everywhere. Addition,
multiplication, division and square roots are the same on all machines; a power comes from the C
library, and its last digit differs between libraries. Sums use `math.fsum`, because `sum` rounds
differently since Python 3.12 (`tests/support/mypy_floats.py` makes mypy refuse both).
"""


def raised(base: float, exponent: int) -> float:
    """Return the base raised to an integer power (0 or more), by multiplication."""
    result = 1.0
    for _ in range(exponent):
        result *= base
    return result
