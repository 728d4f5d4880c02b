"""Pages around matches that are dealt alike in every run."""

from tests.support.browsing import lots

__all__ = ["lots"]
