"""These tests make many moves: their store is in memory."""

from tests.quick_store import sqlite_url

__all__ = ["sqlite_url"]
