"""Fixtures of the secrecy proofs: KABOOM_SEED determines all deals, so that a finding can be
repeated.
"""

import pytest

from tests.secrecy.states import SEED
from tests.support.fake_ids import FakeIds, sequential_seeds


@pytest.fixture
def fake_ids():
    """Deal the same cards in every run with the same seed."""
    return FakeIds(seed=sequential_seeds(SEED + 1))
