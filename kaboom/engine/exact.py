"""Powers of floats that come out the same, to the last digit, on every machine.

Bots decide by floats, and the same seed has to give the same match everywhere. Adding, multiplying,
dividing and taking square roots are the same on all machines; a power comes from the C library, and
its last digit from whichever that is. Sums are taken by `math.fsum`: `sum` goes one way before
Python 3.12 and another since (`tests/support/mypy_floats.py` has mypy refuse both).
"""


def raised(base: float, exponent: int) -> float:
    """Return the base to a whole power, 0 or more, by multiplying."""
    result = 1.0
    for _ in range(exponent):
        result *= base
    return result
