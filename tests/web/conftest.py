"""Pages around matches whose deals are the same in every run."""

from tests.support.browsing import fake_ids

__all__ = ["fake_ids"]
