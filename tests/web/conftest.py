"""Pages around matches that are dealt alike in every run."""

from tests.support.browsing import fake_ids

__all__ = ["fake_ids"]
