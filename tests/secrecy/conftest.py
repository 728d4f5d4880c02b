"""What a proof finds can be found again: KABOOM_SEED decides all deals."""

import pytest

from tests.secrecy.states import SEED
from tests.support.fake_ids import ChosenLots, numbered_seeds


@pytest.fixture
def lots():
    """The same cards in every run with the same seed."""
    return ChosenLots(seed=numbered_seeds(SEED + 1))
