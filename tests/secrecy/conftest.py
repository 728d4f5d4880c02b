"""What a proof finds can be found again: KABOOM_SEED decides all deals."""

import pytest

from tests.lots import ChosenLots, numbered_seeds
from tests.secrecy.worlds import SEED


@pytest.fixture
def lots():
    """The same cards in every run with the same seed."""
    return ChosenLots(seed=numbered_seeds(SEED + 1))
