"""Finished matches: the archive of records, their replays, and feeds of results."""
