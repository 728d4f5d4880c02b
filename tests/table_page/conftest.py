"""Matches on pages, with the same deals in every run."""

from tests.support.browsing import fake_ids

__all__ = ["fake_ids"]
